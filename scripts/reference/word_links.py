#!/usr/bin/env python3
"""Links between words in NumPy, straight from the definitions in src/analysis/word_links.h.

    python3 scripts/reference/word_links.py < attention.json

reads `{"attention": [heads][T][T], "words": [T] or -1, "mentions": [W] of 0 and 1}` and prints
`{"to": [heads][W], "from": [heads][W], "earlier": [heads][W], "mean": [W][W]}`.
Source: Clark et al. 2019, "What Does BERT Look At?" (https://arxiv.org/abs/1906.04341), section 4.1.
"""

from __future__ import annotations

import json
import sys

import numpy as np


def word_attention(attention: np.ndarray, words: np.ndarray, count: int) -> np.ndarray:
    """[T, T] to [W, W]: the sum over the pieces that are attended to, the mean over those that attend."""
    member = (words[:, None] == np.arange(count)).astype(np.float64)  # [T, W]
    return (member / member.sum(0)).T @ attention @ member


def links(attention: np.ndarray, words: np.ndarray, mentions: np.ndarray) -> dict[str, np.ndarray]:
    count = len(mentions)
    merged = np.stack([word_attention(head, words, count) for head in attention.astype(np.float64)])
    others = np.where(np.eye(count, dtype=bool), -1, merged)
    before = np.where(np.tri(count, k=-1, dtype=bool) & mentions.astype(bool), merged, -1)
    return {
        "to": others.argmax(2),
        "from": others.argmax(1),
        "earlier": np.where(before.max(2) < 0, -1, before.argmax(2)),
        "mean": merged.mean(0),
    }


def main() -> None:
    given = json.load(sys.stdin)
    found = links(*(np.array(given[name]) for name in ("attention", "words", "mentions")))
    json.dump({name: values.tolist() for name, values in found.items()}, sys.stdout)


if __name__ == "__main__":
    main()

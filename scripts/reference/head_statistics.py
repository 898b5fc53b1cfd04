#!/usr/bin/env python3
"""Head statistics in NumPy, straight from the definitions in src/analysis/head_statistics.h.

    python3 scripts/reference/head_statistics.py < attention.json

reads `{"tokens": [T], "attention": [L][A][T][T]}` (bertviz' shape) with BERT's word pieces as tokens and
prints `{statistic: [L][A]}`.
Source: Clark et al. 2019, "What Does BERT Look At?" (https://arxiv.org/abs/1906.04341), section 3.
"""

from __future__ import annotations

import json
import string
import sys

import numpy as np

ORDINARY, CLS, SEP, PUNCTUATION = range(4)

# Words without a meaning of their own: equal tokens are not the same word.
NO_WORDS = {"[MASK]", "[UNK]", "[PAD]"}

STATISTICS = "entropy breadth distance previous next self cls sep punctuation sameWord".split()


def token_kinds(tokens: list[str]) -> np.ndarray:
    """[T], one of the constants above."""

    def kind(token: str) -> int:
        if token in ("[CLS]", "[SEP]"):
            return CLS if token == "[CLS]" else SEP
        plain = token.removeprefix("##")
        return PUNCTUATION if plain and all(letter in string.punctuation for letter in plain) else ORDINARY

    return np.array([kind(token) for token in tokens], dtype=np.int32)


def word_ids(tokens: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """[T] each: words, equal for equal words and -1 for none, and occurrences, equal for pieces of one."""
    kinds = token_kinds(tokens)
    occurrences = np.full(len(tokens), -1, dtype=np.int32)
    spellings: dict[int, str] = {}
    for at, token in enumerate(tokens):
        if kinds[at] != ORDINARY or token in NO_WORDS:
            continue
        continues = token.startswith("##") and at > 0 and occurrences[at - 1] >= 0
        occurrences[at] = occurrences[at - 1] if continues else at
        spellings[occurrences[at]] = spellings.get(occurrences[at], "") + token.removeprefix("##").lower()
    different = sorted(set(spellings.values()))
    words = [different.index(spellings[o]) if o >= 0 else -1 for o in occurrences]
    return np.array(words, dtype=np.int32), occurrences


def head_statistics(
    attention: np.ndarray, kinds: np.ndarray, words: np.ndarray, occurrences: np.ndarray
) -> dict[str, np.ndarray]:
    """attention [..., T, T] and token classes [T] to statistics [...]."""
    attention = attention.astype(np.float64)
    tokens = attention.shape[-1]
    at = np.arange(tokens)
    queries = (kinds != CLS) & (kinds != SEP)
    again = (words[:, None] == words) & (words[:, None] >= 0) & (occurrences[:, None] != occurrences)
    entropy = -(attention * np.log(np.where(attention > 0, attention, 1))).sum(-1)

    def mass(keys: np.ndarray) -> np.ndarray:
        return (attention * keys).sum(-1)  # [..., T]

    def mean(values: np.ndarray, counted: np.ndarray) -> np.ndarray:
        chosen = values[..., queries & counted]
        return chosen.mean(-1) if chosen.shape[-1] else np.zeros(chosen.shape[:-1])

    every = np.ones(tokens, dtype=bool)
    return {
        "entropy": mean(entropy, every),
        "breadth": mean(entropy / np.log(max(tokens, 2)), every),
        "distance": mean(mass(abs(at[:, None] - at)), every),
        "previous": mean(mass(np.eye(tokens, k=-1)), at > 0),
        "next": mean(mass(np.eye(tokens, k=1)), at < tokens - 1),
        "self": mean(mass(np.eye(tokens)), every),
        "cls": mean(mass(kinds == CLS), every),
        "sep": mean(mass(kinds == SEP), every),
        "punctuation": mean(mass(kinds == PUNCTUATION), every),
        "sameWord": mean(mass(again), again.any(-1)),
    }


def main() -> int:
    given = json.load(sys.stdin)
    tokens = given["tokens"]
    found = head_statistics(np.array(given["attention"]), token_kinds(tokens), *word_ids(tokens))
    json.dump({name: values.tolist() for name, values in found.items()}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())

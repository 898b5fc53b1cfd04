"""What the model is trained on: the share of each corpus part in the training tokens.

Everyday sentences get far more than their size: they are what people type. Official prose gets less.
"""

from __future__ import annotations

from pathlib import Path

SHARES = {
    "tatoeba-eng": 0.24,
    "common-voice-en": 0.09,
    "storybooks-en": 0.04,
    "classic-books-modern": 0.40,
    "standardebooks-short-fiction": 0.12,
    "openstax-ccby": 0.06,
    "digitalgov": 0.01,
    "18f-blog": 0.01,
    "us-presidential-speeches": 0.02,
    "factbook": 0.01,
}
DEFAULT_SHARE = 0.05

# Collections of sentences, where a line has no context; everything else is running text.
SENTENCE_PARTS = ("tatoeba-eng", "common-voice-en")
# Of these, the ones whose neighbouring lines continue each other.
CONSECUTIVE_PARTS = ("common-voice-en",)
BOOK_PARTS = ("classic-books-modern", "standardebooks-short-fiction")


def share(part: str) -> float:
    return SHARES.get(part, DEFAULT_SHARE)


def word_weights(corpus: Path) -> dict[str, float]:
    """How often to count each part's words, so that the vocabulary fits the mix and not the files."""
    sizes = {path.stem: path.stat().st_size for path in corpus.glob("*.txt")}
    total, shares = sum(sizes.values()), sum(map(share, sizes))
    return {part: share(part) / shares * total / size for part, size in sizes.items() if size}

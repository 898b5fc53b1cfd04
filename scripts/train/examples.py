"""Cuts tokenized text into training examples: single sentences, passages, and pairs with segments.

An example is one or two spans of a part's ids, `[CLS] A [SEP]` or `[CLS] A [SEP] B [SEP]`. Lengths are
natural up to EXACT_LENGTH tokens and multiples of LENGTH_STEP above, so that batches of equal lengths
fill without padding. Sentences keep their begin; what a length needs cut goes at the end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Sequence

import numpy as np

from mix import CONSECUTIVE_PARTS, SENTENCE_PARTS
from tokens import TokenizedPart, sentence_starts
from wordpiece import WordPiece

EXACT_LENGTH, LENGTH_STEP = 64, 16
MAX_LENGTH = 256
MAX_SENTENCE = 60
MIN_SPAN = 3

# Share of the running text's tokens by the length that its passages aim at.
PASSAGE_SHARES = {32: 0.20, 64: 0.30, 128: 0.35, 256: 0.15}
PASSAGE_PAIRS = 0.6
SENTENCE_PAIRS = 0.7
# A sentence is paired with another that shares a word this rare: it gives heads a reason to look across.
SHARED_WORD_COUNTS = (2, 3000)


@dataclass(frozen=True)
class Examples:
    """Spans into one part's ids, as int64 columns; a single text has b_length 0."""

    a_begin: np.ndarray
    a_length: np.ndarray
    b_begin: np.ndarray
    b_length: np.ndarray

    @classmethod
    def from_rows(cls, rows: np.ndarray) -> Examples:
        return cls(*rows.reshape(-1, 4).T)

    def take(self, order: np.ndarray) -> Examples:
        return Examples(self.a_begin[order], self.a_length[order], self.b_begin[order], self.b_length[order])

    def shifted(self, offset: int) -> Examples:
        """The same spans in an array where the part begins at `offset`."""
        return Examples(self.a_begin + offset, self.a_length, self.b_begin + offset, self.b_length)

    @classmethod
    def concatenated(cls, several: Sequence[Examples]) -> Examples:
        return cls(*(np.concatenate(columns) for columns in zip(*(vars(examples).values() for examples in several))))

    def __len__(self) -> int:
        return len(self.a_begin)

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each example, special ones included."""
        return self.a_length + 2 + np.where(self.b_length > 0, self.b_length + 1, 0)


def fit_lengths(examples: Examples) -> Examples:
    """Shortens examples to lengths that batches are made of, at the end of the last span if that suffices."""
    lengths = examples.lengths
    wanted = np.where(lengths > EXACT_LENGTH, lengths // LENGTH_STEP * LENGTH_STEP, lengths).clip(max=MAX_LENGTH)
    surplus = lengths - wanted
    from_b = np.minimum(surplus, (examples.b_length - MIN_SPAN).clip(min=0))
    return Examples(
        examples.a_begin,
        examples.a_length - (surplus - from_b),
        examples.b_begin,
        examples.b_length - from_b,
    )


def sentence_examples(part: TokenizedPart, rng: np.random.Generator, pairs: float) -> Examples:
    """Every line of a sentence collection once, alone or (a share `pairs` of the lines) with a second one.

    Where neighbouring lines continue each other the second is the next line, elsewhere one that
    shares a rare word.
    """
    begins = part.lines[:-1]
    lengths = np.diff(part.lines).clip(max=MAX_SENTENCE)
    count = len(begins)
    if part.name in CONSECUTIVE_PARTS:
        first = np.arange(0, count - 1, 2) + rng.integers(2)
        first = first[first + 1 < count]
        first = first[~np.isin(part.lines[first + 1], part.run_ends)]
        second = first + 1
    else:
        keys = shared_words(part, rng)
        order = np.lexsort((rng.random(count), keys))
        first, second = order[:-1:2], order[1::2]
        matching = (keys[first] == keys[second]) & (keys[first] >= 0)
        first, second = first[matching], second[matching]
    chosen = rng.random(len(first)) < pairs
    first, second = first[chosen], second[chosen]
    alone = np.setdiff1d(np.arange(count), np.concatenate([first, second]))
    zeros = np.zeros_like(alone)
    rows = np.concatenate(
        [
            np.stack([begins[alone], lengths[alone], zeros, zeros], axis=1),
            np.stack([begins[first], lengths[first], begins[second], lengths[second]], axis=1),
        ]
    )
    return Examples.from_rows(rows)


def shared_words(part: TokenizedPart, rng: np.random.Generator) -> np.ndarray:
    """For each line one of its rare tokens, int64 [lines]; -1 for a line of common words only."""
    counts = np.bincount(part.ids)
    low, high = SHARED_WORD_COUNTS
    usable = (counts >= low) & (counts <= high)
    scores = np.where(usable[part.ids], 1 / counts[part.ids] * rng.random(len(part.ids)), 0)
    keys = np.full(len(part.lines) - 1, -1, dtype=np.int64)
    for line, (begin, end) in enumerate(zip(part.lines[:-1], part.lines[1:])):
        best = begin + int(scores[begin:end].argmax())
        if scores[best] > 0:
            keys[line] = part.ids[best]
    return keys


def passage_examples(
    part: TokenizedPart, starts: np.ndarray, rng: np.random.Generator, pairs: float, shares: dict[int, float]
) -> Examples:
    """Cuts running text into passages of whole sentences, where they fit; every sentence is used once.

    starts: from `sentence_starts`. shares: of the tokens, by the length that passages aim at.
    """
    targets = np.array(list(shares))
    odds = np.array(list(shares.values())) / targets
    most = len(part.ids) // (int(targets.min()) // 4) + len(part.run_ends) + 1
    drawn = rng.choice(targets, size=most, p=odds / odds.sum())
    splits, places = rng.random(len(drawn)) < pairs, rng.random(len(drawn))
    boundaries, run_ends = starts.tolist(), part.run_ends.tolist()
    rows: list[tuple[int, int, int, int]] = []
    begin = 0
    for target, split, place in zip(drawn.tolist(), splits.tolist(), places.tolist()):
        if begin >= len(part.ids):
            break
        run_end = run_ends[bisect_right(run_ends, begin)]
        room = min(begin + target - 3, run_end)
        last = bisect_right(boundaries, room) - 1
        end = boundaries[last] if boundaries[last] - begin > (room - begin) // 2 else room
        inner = boundaries[bisect_left(boundaries, begin + MIN_SPAN) : bisect_right(boundaries, end - MIN_SPAN)]
        if split and inner:
            middle = inner[int(place * len(inner))]
            rows.append((begin, middle - begin, middle, end - middle))
        elif end - begin >= MIN_SPAN:
            rows.append((begin, end - begin, 0, 0))
        begin = boundaries[bisect_left(boundaries, end)]
    return Examples.from_rows(np.array(rows, dtype=np.int64))


class ExampleSource:
    """One part's endless examples: epoch after epoch, each cut and shuffled by its own seed."""

    def __init__(self, part: TokenizedPart, tokenizer: WordPiece, seed: int) -> None:
        self.part = part
        self._seed = [seed, *part.name.encode()]
        self._starts = sentence_starts(part, tokenizer)
        self._epoch = -1
        self._examples: Examples
        self._ends: np.ndarray  # cumulative tokens
        self._before = 0  # tokens of the epochs before this one
        self._start_epoch(0)

    def _start_epoch(self, epoch: int) -> None:
        self._before = 0 if epoch == 0 else self._before + int(self._ends[-1])
        rng = np.random.default_rng([*self._seed, epoch])
        if self.part.name in SENTENCE_PARTS:
            examples = sentence_examples(self.part, rng, SENTENCE_PAIRS)
        else:
            examples = passage_examples(self.part, self._starts, rng, PASSAGE_PAIRS, PASSAGE_SHARES)
        examples = fit_lengths(examples)
        self._examples = examples.take(rng.permutation(len(examples)))
        self._ends = np.cumsum(self._examples.lengths)
        self._epoch = epoch

    def between(self, begin: int, end: int) -> list[Examples]:
        """The examples whose last token lies in [begin, end) of the endless stream, begin never falling."""
        if begin < self._before:
            self._start_epoch(0)
        taken = []
        while True:
            first, last = np.searchsorted(self._ends, [begin - self._before, end - self._before])
            if last > first:
                taken.append(self._examples.take(np.arange(first, last)))
            if last < len(self._ends):
                return taken
            self._start_epoch(self._epoch + 1)

"""Batches of equally long examples, masked for masked-language modelling.

The stream is a pure function of the seed and the position: a checkpoint stores two numbers, and a
resumed run sees the very batches that an uninterrupted one would have seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Sequence

import numpy as np
import torch

from examples import Examples, ExampleSource
from mix import share
from normalize import CLS, MASK, SEP, SPECIAL_TOKENS
from tokens import TokenizedPart
from wordpiece import WordPiece

POOL_TOKENS = 4_000_000


@dataclass(frozen=True)
class Batch:
    """B masked sequences of T tokens; no padding."""

    input_ids: np.ndarray  # int64 [B, T]
    token_type_ids: np.ndarray  # int64 [B, T]
    positions: np.ndarray  # int64 [masked], indices into the flattened [B * T]
    labels: np.ndarray  # int64 [masked], the ids that stood there

    def tensors(self, device: torch.device) -> tuple[torch.Tensor, ...]:
        """The four, in this order, on the device."""
        arrays = (self.input_ids, self.token_type_ids, self.positions, self.labels)
        return tuple(torch.from_numpy(array).to(device) for array in arrays)


@dataclass(frozen=True)
class Masking:
    """Devlin et al. 2019: of `rate` of the tokens 80 % become [MASK], 10 % a random token, 10 % stay."""

    rate: float = 0.15
    mask_share: float = 0.8
    random_share: float = 0.1
    whole_words: bool = False


def spans(ids: np.ndarray, begins: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The ids of [begin, begin + length) for each row, concatenated."""
    before = np.cumsum(lengths) - lengths
    offsets = np.arange(int(lengths.sum())) - np.repeat(before, lengths)
    return ids[np.repeat(begins, lengths) + offsets]


def assemble(ids: np.ndarray, examples: Examples, length: int) -> tuple[np.ndarray, np.ndarray]:
    """`[CLS] A [SEP]` and `[CLS] A [SEP] B [SEP]` rows of `length` tokens: ids and types, int64 [B, T]."""
    column = np.arange(length)[None]
    first = (examples.a_length + 1)[:, None]  # where the first [SEP] stands
    tokens = np.full((len(first), length), SEP, dtype=np.int64)
    tokens[:, 0] = CLS
    in_a = (column >= 1) & (column < first)
    in_b = (column > first) & (column < length - 1)
    tokens[in_a] = spans(ids, examples.a_begin, examples.a_length)
    tokens[in_b] = spans(ids, examples.b_begin, examples.b_length)
    return tokens, (column > first).astype(np.int64)


def mask_tokens(
    tokens: np.ndarray, types: np.ndarray, continues: np.ndarray, masking: Masking, rng: np.random.Generator
) -> Batch:
    """Chooses and hides tokens, at least one a row, never a special one.

    continues: bool [V], true for pieces that continue a word.
    """
    batch, length = tokens.shape
    special = (tokens == CLS) | (tokens == SEP)
    scores = rng.random((batch, length))
    if masking.whole_words:
        starts = np.where(continues[tokens], 0, np.arange(length))
        starts = np.maximum.accumulate(starts, axis=1)  # each piece takes the score of its word's first
        scores = np.take_along_axis(scores, starts, axis=1)
    scores[special] = 2
    ordinary = length - special.sum(axis=1)
    wanted = np.floor(masking.rate * ordinary + rng.random(batch)).astype(np.int64).clip(min=1)
    limits = np.take_along_axis(np.sort(scores, axis=1), wanted[:, None] - 1, axis=1)
    positions = np.flatnonzero((scores <= limits) & ~special)
    labels = tokens.reshape(-1)[positions]
    fate = rng.random(len(positions))
    hidden = np.where(fate < masking.mask_share, MASK, labels)
    randomly = (fate >= masking.mask_share) & (fate < masking.mask_share + masking.random_share)
    hidden[randomly] = rng.integers(len(SPECIAL_TOKENS), len(continues), int(randomly.sum()))
    inputs = tokens.copy()
    inputs.reshape(-1)[positions] = hidden
    return Batch(inputs, types, positions, labels)


def grouped(examples: Examples, batch_tokens: int) -> list[tuple[int, np.ndarray]]:
    """Lengths, and the indices of as many such examples as make up `batch_tokens`.

    What is left over of a length is dropped, unless it is all there is of it.
    """
    lengths = examples.lengths
    order = np.argsort(lengths, kind="stable")
    groups = []
    for length, begin, count in zip(*np.unique(lengths[order], return_index=True, return_counts=True)):
        size = max(1, batch_tokens // int(length))
        whole = max(count // size, 1)
        for index in range(whole):
            groups.append((int(length), order[begin + index * size : min(begin + (index + 1) * size, begin + count)]))
    return groups


class BatchStream:
    """Endless batches. Parts are mixed by share into pools, pools are grouped by length and shuffled."""

    def __init__(
        self,
        parts: Sequence[TokenizedPart],
        tokenizer: WordPiece,
        seed: int,
        batch_tokens: int,
        masking: Masking = Masking(),
        pool_tokens: int = POOL_TOKENS,
    ) -> None:
        self.pool = 0
        self.position = 0
        self._seed, self._batch_tokens, self._masking = seed, batch_tokens, masking
        sizes = [len(part.ids) for part in parts]
        self._ids = np.concatenate([part.ids for part in parts])
        self._offsets = np.cumsum([0, *sizes[:-1]])
        self._sources = [ExampleSource(part, tokenizer, seed) for part in parts]
        total = sum(share(part.name) for part in parts)
        pool_tokens = min(pool_tokens, 4 * sum(sizes))
        self._quotas = [round(pool_tokens * share(part.name) / total) for part in parts]
        self._continues = np.array([token.startswith("##") for token in tokenizer.tokens])
        self._loaded = -1
        self._examples: Examples
        self._batches: list[tuple[int, np.ndarray]] = []

    def state(self) -> dict[str, int]:
        return {"pool": self.pool, "position": self.position}

    def restore(self, state: dict[str, int]) -> None:
        self.pool, self.position = state["pool"], state["position"]

    def _load_pool(self) -> None:
        taken = [
            examples.shifted(offset)
            for source, quota, offset in zip(self._sources, self._quotas, self._offsets)
            for examples in source.between(self.pool * quota, (self.pool + 1) * quota)
        ]
        rng = np.random.default_rng([self._seed, self.pool])
        examples = Examples.concatenated(taken)
        self._examples = examples.take(rng.permutation(len(examples)))
        batches = grouped(self._examples, self._batch_tokens)
        self._batches = [batches[index] for index in rng.permutation(len(batches))]
        self._loaded = self.pool

    def __iter__(self) -> Iterator[Batch]:
        while True:
            if self._loaded != self.pool:
                self._load_pool()
            if self.position == len(self._batches):
                self.pool, self.position = self.pool + 1, 0
                continue
            length, indices = self._batches[self.position]
            rng = np.random.default_rng([self._seed, self.pool, self.position])
            self.position += 1
            tokens, types = assemble(self._ids, self._examples.take(indices), length)
            yield mask_tokens(tokens, types, self._continues, self._masking, rng)

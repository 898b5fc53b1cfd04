"""Examples as padded tensors, texts of about the same length together."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor

from forms import Example, example
from vocabulary import ANSWER_LENGTH, PAD, START, encode_example, encode_iso

POOL = 32  # batches that are sorted by length together


@dataclass(frozen=True)
class Batch:
    source: Tensor  # [B, S], padded
    decoder_input: Tensor  # [B, 11], what the decoder has read when it writes each token of `target`
    target: Tensor  # [B, 11]
    says: Tensor  # [B, 11, S]: whether a token of the answer is read from a token of the text

    @property
    def has_source(self) -> Tensor:
        """[B, 11]: whether anything in the text says it."""
        return self.says.any(-1)


def make_batch(examples: list[Example]) -> Batch:
    encoded = [encode_example(each) for each in examples]
    length = max(len(ids) for ids, _ in encoded)
    source = torch.full((len(examples), length), PAD)
    says = torch.zeros(len(examples), ANSWER_LENGTH, length, dtype=torch.bool)
    for row, (ids, said) in enumerate(encoded):
        source[row, : len(ids)] = torch.tensor(ids)
        for column, places in enumerate(said):
            says[row, list(places), column] = True
    target = torch.tensor([encode_iso(each.iso) for each in examples])
    begin = torch.full((len(examples), 1), START)
    return Batch(source, torch.cat([begin, target[:, :-1]], 1), target, says)


def training_batches(seed: int, size: int) -> Iterator[Batch]:
    """Endless; the same for the same seed and size."""
    rng = random.Random(seed)
    while True:
        pool = sorted((example(rng) for _ in range(size * POOL)), key=lambda each: len(each.text))
        batches = [pool[first : first + size] for first in range(0, len(pool), size)]
        rng.shuffle(batches)
        yield from map(make_batch, batches)


def held_out_examples(seed: int, count: int, **share: float) -> list[Example]:
    """Dates that training never sees. share: `incomplete`, as example() takes it."""
    rng = random.Random(seed)
    return [example(rng, held_out=True, **share) for _ in range(count)]

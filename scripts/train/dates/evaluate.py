"""How often the whole answer is right, and where the decoder looks while it writes each part."""

from __future__ import annotations

import time

import torch
from torch import Tensor

from batches import held_out_examples, make_batch
from forms import DAY, MONTH, YEAR, Example
from marian import MarianMTModel, Trace
from vocabulary import ANSWER_LENGTH, decode

BATCH = 500
CHUNK = 50_000
SHARE_EXAMPLES = 5000
WRONG_SHOWN = 20


def in_batches(examples: list[Example]) -> list[list[Example]]:
    """Shortest first, so that little is padding."""
    ordered = sorted(examples, key=lambda each: len(each.text))
    return [ordered[first : first + BATCH] for first in range(0, len(ordered), BATCH)]


def wrong_answers(model: MarianMTModel, examples: list[Example]) -> list[tuple[Example, str]]:
    """The examples whose greedy answer is not their date, with that answer."""
    wrong = []
    for chosen in in_batches(examples):
        answers = model.greedy(make_batch(chosen).source, ANSWER_LENGTH)
        texts = [decode(ids) for ids in answers.tolist()]
        wrong += [(each, text) for each, text in zip(chosen, texts) if each.iso != text]
    return wrong


def exact_share(model: MarianMTModel, examples: list[Example]) -> float:
    return 1 - len(wrong_answers(model, examples)) / len(examples)


@torch.no_grad()
def cross_shares(model: MarianMTModel, examples: list[Example]) -> Tensor:
    """[layers, heads, 3]: how much of its weight each head has on the words that a digit is read from while the
    decoder writes it, on average over the digits of the year, the month and the day."""
    parts = (YEAR, MONTH, DAY)
    sums = torch.zeros(model.config.decoder_layers, model.config.decoder_attention_heads, len(parts))
    counts = torch.zeros(len(parts))
    for chosen in in_batches(examples):
        batch = make_batch(chosen)
        trace = Trace()
        model(batch.source, batch.decoder_input, trace)
        right = (torch.stack(trace.cross) * batch.says[:, None]).sum(-1)  # [layers, B, A, 11]
        for index, places in enumerate(parts):
            sums[:, :, index] += right[:, :, :, list(places)].sum((1, 3))
            counts[index] += batch.has_source[:, list(places)].sum()
    return sums / counts


def report(model: MarianMTModel, seed: int, count: int) -> None:
    """Prints the figures for `count` dates that were held out, and for a tenth as many that lack something."""
    started = time.monotonic()
    wrong: list[tuple[Example, str]] = []
    for first in range(0, count, CHUNK):
        wrong += wrong_answers(model, held_out_examples(seed + first, min(CHUNK, count - first), incomplete=0.0))
        done = min(first + CHUNK, count)
        print(f"exact {1 - len(wrong) / done:.4%} of {done:,}, {time.monotonic() - started:.0f} s", flush=True)
    partial = held_out_examples(seed - 1, count // 10, incomplete=1.0)
    print(f"exact {exact_share(model, partial):.4%} of {len(partial):,} that leave something unsaid")
    for each, answer in wrong[:WRONG_SHOWN]:
        print(f"wrong: {answer} for {each.iso}: {each.text}")
    print("| cross attention, layer.head | year | month | day |\n|---|---:|---:|---:|")
    shares = cross_shares(model, held_out_examples(seed, SHARE_EXAMPLES, incomplete=0.0))
    for layer, heads in enumerate(shares.tolist()):
        for head, row in enumerate(heads):
            print(f"| {layer}.{head} | {' | '.join(f'{share:.3f}' for share in row)} |")

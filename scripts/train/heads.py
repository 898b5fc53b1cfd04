"""What each head attends to, measured over held-out everyday sentences: a table and a name for each.

The names are those of Clark et al. 2019, "What Does BERT Look At?" (https://arxiv.org/abs/1906.04341).
All figures are means over the words' queries; [CLS] and [SEP] are counted as keys only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from batches import assemble
from bert import Bert, Trace
from checkpoint import load_model
from evaluate import HeldOut, all_groups, punctuation_ids
from examples import Examples, fit_lengths, sentence_examples
from mix import SENTENCE_PARTS
from normalize import CLS, SEP
from wordpiece import WordPiece

SENTENCES = 500
SEED = 5
NAMED_FROM = 0.4  # mean mass from which a head is named after where it goes
SAME_WORD_FROM = 3.0  # times chance
BROAD_FROM = 0.85  # of the entropy of uniform attention


@dataclass
class HeadFigures:
    """Float64 [L, A] each. Masses are shares of a query's attention; same_word is a multiple of chance."""

    entropy: Tensor  # of its greatest possible value, log T
    previous: Tensor
    next: Tensor
    self: Tensor
    cls: Tensor
    sep: Tensor
    punctuation: Tensor
    same_word: Tensor


@torch.no_grad()
def attention(model: Bert, tokens: np.ndarray, types: np.ndarray) -> Tensor:
    """[L, A, B, T, T]."""
    trace = Trace()
    model(torch.from_numpy(tokens), torch.from_numpy(types), trace=trace)
    return torch.stack(trace.attentions).transpose(1, 2).double()


def masses(weights: Tensor, tokens: Tensor, marks: Tensor) -> tuple[dict[str, Tensor], int]:
    """Sums over the queries of a batch, [L, A] each, and how many queries there were.

    weights [L, A, B, T, T], tokens [B, T], marks bool [V].
    """
    length = tokens.shape[1]
    queries = ((tokens != CLS) & (tokens != SEP)).double()  # [B, T]
    entropy = torch.special.entr(weights).sum(-1) / np.log(length)
    eye = torch.eye(length, dtype=torch.float64)
    before = torch.diag(torch.ones(length - 1, dtype=torch.float64), -1)
    keys = {
        "previous": before[None],
        "next": before.t()[None],
        "self": eye[None],
        "cls": (tokens == CLS).double()[:, None, :],
        "sep": (tokens == SEP).double()[:, None, :],
        "punctuation": marks[tokens].double()[:, None, :],
    }
    sums = {name: ((weights * mask).sum(-1) * queries).sum((-1, -2)) for name, mask in keys.items()}
    sums["entropy"] = (entropy * queries).sum((-1, -2))
    return sums, int(queries.sum())


def same_word_sums(weights: Tensor, tokens: Tensor, types: Tensor, marks: Tensor) -> tuple[Tensor, int]:
    """For words that occur in both texts of a pair: mass on the other's occurrences over chance, summed.

    Chance is the share of the keys that these occurrences are.
    """
    ordinary = (tokens != CLS) & (tokens != SEP) & ~marks[tokens]
    same = (tokens[:, :, None] == tokens[:, None, :]) & (types[:, :, None] != types[:, None, :])
    same &= ordinary[:, :, None] & ordinary[:, None, :]
    chance = same.double().mean(-1)  # [B, T]
    queries = chance > 0
    ratio = (weights * same).sum(-1) / chance.clamp(min=1e-9)
    return (ratio * queries).sum((-1, -2)), int(queries.sum())


def everyday_examples(held_out: HeldOut, pairs: float, count: int) -> list[tuple[np.ndarray, Examples]]:
    """Ids and examples of each everyday part, `count` in all; with pairs 1, only those with two texts."""
    chosen = []
    parts = [part for part in held_out.parts if part.name in SENTENCE_PARTS] or held_out.parts
    for part in parts:
        rng = np.random.default_rng([SEED, *part.name.encode()])
        examples = fit_lengths(sentence_examples(part, rng, pairs))
        wanted = np.flatnonzero((examples.b_length > 0) == (pairs > 0))
        most = min(len(wanted), -(-count // len(parts)))
        chosen.append((part.ids, examples.take(rng.permutation(wanted)[:most])))
    return chosen


def measure_heads(model: Bert, held_out: HeldOut) -> tuple[HeadFigures, int]:
    """The figures, and over how many sentences."""
    marks = punctuation_ids(held_out.tokenizer)
    totals: dict[str, Tensor] = {}
    queries = sentences = 0
    for ids, examples in everyday_examples(held_out, 0, SENTENCES):
        for length, indices in all_groups(examples):
            tokens, types = assemble(ids, examples.take(indices), length)
            sums, count = masses(attention(model, tokens, types), torch.from_numpy(tokens), marks)
            totals = {name: totals.get(name, 0) + value for name, value in sums.items()}
            queries, sentences = queries + count, sentences + len(indices)
    same, same_queries = torch.zeros_like(totals["self"]), 0
    for ids, examples in everyday_examples(held_out, 1, SENTENCES):
        for length, indices in all_groups(examples):
            tokens, types = assemble(ids, examples.take(indices), length)
            weights = attention(model, tokens, types)
            value, count = same_word_sums(weights, torch.from_numpy(tokens), torch.from_numpy(types), marks)
            same, same_queries = same + value, same_queries + count
    figures = {name: value / max(1, queries) for name, value in totals.items()}
    return HeadFigures(**figures, same_word=same / max(1, same_queries)), sentences


def head_name(figures: dict[str, float]) -> str:
    """The name that follows from one head's figures."""
    places = {
        "previous": "previous token",
        "next": "next token",
        "self": "itself",
        "cls": "rests on [CLS]",
        "sep": "rests on [SEP]",
        "punctuation": "punctuation",
    }
    best = max(places, key=lambda name: figures[name])
    if figures[best] >= NAMED_FROM:
        return places[best]
    if figures["same_word"] >= SAME_WORD_FROM:
        return "same word"
    return "broad" if figures["entropy"] >= BROAD_FROM else "by content"


def heads(folder: Path, work: Path) -> None:
    """Prints the table."""
    tokenizer = WordPiece.load(folder / "vocab.txt")
    figures, sentences = measure_heads(load_model(folder), HeldOut.load(work / "heldout", tokenizer))
    names = [field.name for field in fields(HeadFigures)]
    print(f"Means over the words of {sentences} held-out everyday sentences; same word: over pairs, times chance.\n")
    print("| layer.head | " + " | ".join(names).replace("_", " ") + " | name |")
    print("|---|" + "---:|" * len(names) + "---|")
    layers, count = figures.entropy.shape
    for layer in range(layers):
        for head in range(count):
            row = {name: float(getattr(figures, name)[layer, head]) for name in names}
            cells = " | ".join(f"{value:.2f}" for value in row.values())
            print(f"| {layer}.{head} | {cells} | {head_name(row)} |")

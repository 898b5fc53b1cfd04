"""Masked accuracy of a model on the held-out text, by corpus part.

Of each example 15 % of the tokens (at least one) are chosen by a fixed seed, and the model names them all
at once. The plain figures replace all of them by [MASK]; "80/10/10" leaves some as they are and swaps
some for others, as in training, which is how BERT's masked accuracy is usually given (and easier). Any
Hugging Face folder with a `vocab.txt` can be measured.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Iterator

import numpy as np
import torch

from batches import Masking, assemble, mask_tokens
from bert import Bert
from checkpoint import load_model
from errors import InputError
from examples import Examples, fit_lengths, passage_examples, sentence_examples
from mix import BOOK_PARTS, SENTENCE_PARTS
from tokens import TokenizedPart, sentence_starts, tokenize_file
from wordpiece import WordPiece

SEED = 20
BATCH_TOKENS = 4096
PASSAGES = {128: 1.0}
ALL_MASKED = Masking(mask_share=1.0, random_share=0.0)


@dataclass
class Score:
    """Sums over masked tokens; words are those that are no punctuation."""

    tokens: int = 0
    loss_sum: float = 0.0
    right: int = 0
    right_top5: int = 0
    words: int = 0
    words_right: int = 0

    def add(self, other: Score) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def loss(self) -> float:
        return self.loss_sum / max(1, self.tokens)

    @property
    def top1(self) -> float:
        return self.right / max(1, self.tokens)

    @property
    def top5(self) -> float:
        return self.right_top5 / max(1, self.tokens)

    @property
    def words_top1(self) -> float:
        return self.words_right / max(1, self.words)


@dataclass(frozen=True)
class HeldOut:
    """The held-out parts as a model's tokens, ready to be masked; made once, measured often."""

    tokenizer: WordPiece
    parts: list[TokenizedPart] = field(default_factory=list)

    @classmethod
    def load(cls, folder: Path, tokenizer: WordPiece) -> HeldOut:
        parts = [tokenize_file(path, tokenizer) for path in sorted(folder.glob("*.txt"))]
        parts = [part for part in parts if len(part.ids)]
        if not parts:
            raise InputError(f"{folder}: expected held-out text, found none; run `corpus` first")
        return cls(tokenizer, parts)

    def examples(self, part: TokenizedPart) -> Examples:
        """Everyday sentences one by one; running text in passages of up to 128 tokens, never paired."""
        rng = np.random.default_rng([SEED, *part.name.encode()])
        if part.name in SENTENCE_PARTS:
            return fit_lengths(sentence_examples(part, rng, pairs=0))
        return fit_lengths(passage_examples(part, sentence_starts(part, self.tokenizer), rng, 0, PASSAGES))


def punctuation_ids(tokenizer: WordPiece) -> torch.Tensor:
    """bool [V]: the tokens that are one punctuation mark."""
    marks = string.punctuation + "‘’“”–—…"
    return torch.tensor([len(token) == 1 and token in marks for token in tokenizer.tokens])


@torch.no_grad()
def measure(
    model: Bert, held_out: HeldOut, most_tokens: int | None = None, masking: Masking = ALL_MASKED
) -> dict[str, Score]:
    """The score of each part. most_tokens: stop a part after so many tokens read (for a quick look)."""
    device = next(model.parameters()).device
    continues = np.array([token.startswith("##") for token in held_out.tokenizer.tokens])
    marks = punctuation_ids(held_out.tokenizer).to(device)
    scores: dict[str, Score] = {}
    for part in held_out.parts:
        examples = held_out.examples(part)
        rng = np.random.default_rng([SEED, *part.name.encode(), 1])
        groups = list(all_groups(examples))
        if most_tokens is not None:
            groups = [groups[index] for index in rng.permutation(len(groups))]
        score, read = Score(), 0
        for length, indices in groups:
            if most_tokens is not None and read >= most_tokens:
                break
            tokens, types = assemble(part.ids, examples.take(indices), length)
            batch = mask_tokens(tokens, types, continues, masking, rng)
            read += tokens.size
            ids, segments, positions, labels = batch.tensors(device)
            hidden = model(ids, segments)
            logits = model.mlm_logits(hidden.reshape(-1, hidden.shape[-1])[positions])
            score.add(score_logits(logits.float(), labels, marks))
        scores[part.name] = score
    return scores


def all_groups(examples: Examples) -> Iterator[tuple[int, np.ndarray]]:
    """Equal lengths together, none dropped."""
    lengths = examples.lengths
    for length in np.unique(lengths):
        indices = np.flatnonzero(lengths == length)
        size = max(1, BATCH_TOKENS // int(length))
        for begin in range(0, len(indices), size):
            yield int(length), indices[begin : begin + size]


def score_logits(logits: torch.Tensor, labels: torch.Tensor, marks: torch.Tensor) -> Score:
    """logits [masked, V], labels [masked], marks bool [V]."""
    best = logits.topk(5, dim=-1).indices == labels[:, None]
    words = ~marks[labels]
    return Score(
        tokens=len(labels),
        loss_sum=float(torch.nn.functional.cross_entropy(logits, labels, reduction="sum")),
        right=int(best[:, 0].sum()),
        right_top5=int(best.sum()),
        words=int(words.sum()),
        words_right=int((best[:, 0] & words).sum()),
    )


def combined(scores: dict[str, Score], parts: Iterable[str]) -> Score:
    total = Score()
    for part in parts:
        total.add(scores.get(part, Score()))
    return total


def with_totals(scores: dict[str, Score]) -> dict[str, Score]:
    totals = {"**everyday sentences**": SENTENCE_PARTS, "**books**": BOOK_PARTS}
    return scores | {name: combined(scores, parts) for name, parts in totals.items()}


def report(scores: dict[str, Score], as_trained: dict[str, Score]) -> str:
    """A Markdown table: each part, then everyday sentences and books together."""
    lines = [
        "| held-out text | masked tokens | loss | top-1 | top-5 | top-1, words only | top-1, 80/10/10 |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    others = with_totals(as_trained)
    for name, score in with_totals(scores).items():
        if score.tokens:
            lines.append(
                f"| {name} | {score.tokens:,} | {score.loss:.3f} | {score.top1:.1%} | {score.top5:.1%} "
                f"| {score.words_top1:.1%} | {others[name].top1:.1%} |"
            )
    return "\n".join(lines)


def evaluate(model_folder: Path, work: Path) -> None:
    """Prints the table."""
    tokenizer = WordPiece.load(model_folder / "vocab.txt")
    model, held_out = load_model(model_folder), HeldOut.load(work / "heldout", tokenizer)
    print(report(measure(model, held_out), measure(model, held_out, masking=Masking())))

"""Fill in the blank: what a model puts in a sentence's [MASK], and how often it is right.

The sentences were written for the purpose, and none is a line of the corpus, so no model has seen them.
"""

from __future__ import annotations

import re
from pathlib import Path

import torch

from bert import Bert
from checkpoint import load_model
from errors import InputError
from normalize import CLS, MASK, SEP, words
from wordpiece import WordPiece

FILL_IN = Path(__file__).with_name("fill_in_the_blank.txt")
SENTENCES = Path(__file__).with_name("everyday_sentences.txt")
TOP = 5


def read_sentences(path: Path) -> list[str]:
    if not path.is_file():
        raise InputError(f"{path}: expected a text file with a sentence a line, found none")
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def encode(text: str, tokenizer: WordPiece) -> list[int]:
    """`[CLS] text [SEP]` as ids; `[MASK]` in the text stays one token."""
    ids = [CLS]
    for part in re.split(r"(\[MASK\])", text):
        ids += [MASK] if part == "[MASK]" else tokenizer.encode(words(part))
    return [*ids, SEP]


@torch.no_grad()
def probabilities(model: Bert, ids: list[int], position: int) -> torch.Tensor:
    """[V]: what the model expects at one position."""
    inputs = torch.tensor([ids])
    hidden = model(inputs, torch.zeros_like(inputs))
    return model.mlm_logits(hidden[0, position]).softmax(-1)


def fill_in_table(model: Bert, tokenizer: WordPiece, sentences: list[str]) -> str:
    """A Markdown table of the five likeliest fillings."""
    lines = ["| sentence | the five likeliest |", "|---|---|"]
    for sentence in sentences:
        ids = encode(sentence, tokenizer)
        if ids.count(MASK) != 1:
            raise InputError(f"{sentence!r}: expected one [MASK], found {ids.count(MASK)}")
        found = probabilities(model, ids, ids.index(MASK)).topk(TOP)
        fillings = [f"{tokenizer.tokens[i]} {p:.0%}" for p, i in zip(found.values.tolist(), found.indices.tolist())]
        lines.append(f"| {sentence} | {', '.join(fillings)} |")
    return "\n".join(lines)


def one_at_a_time(
    model: Bert, tokenizer: WordPiece, sentences: list[str], also_in: WordPiece | None
) -> tuple[int, int, int]:
    """Blanks, right at first, right among five: each word hidden alone.

    Counted are the words that are one token, also for the tokenizer `also_in`, so that two models
    with different vocabularies answer the same questions.
    """
    blanks = first = five = 0
    for sentence in sentences:
        ids = encode(sentence, tokenizer)
        position = 1
        for word in words(sentence):
            pieces = tokenizer.pieces(word)
            whole = len(pieces) == 1 and (also_in is None or len(also_in.pieces(word)) == 1)
            if whole and word.isalpha():
                masked = [*ids[:position], MASK, *ids[position + 1 :]]
                top = probabilities(model, masked, position).topk(TOP).indices.tolist()
                blanks += 1
                first += top[0] == pieces[0]
                five += pieces[0] in top
            position += len(pieces)
    return blanks, first, five


def blanks(folder: Path, also_in: Path | None, fill_in: Path = FILL_IN, sentences: Path = SENTENCES) -> None:
    """Prints the table and the accuracy."""
    tokenizer = WordPiece.load(folder / "vocab.txt")
    other = WordPiece.load(also_in) if also_in else None
    model = load_model(folder)
    print(fill_in_table(model, tokenizer, read_sentences(fill_in)))
    total, first, five = one_at_a_time(model, tokenizer, read_sentences(sentences), other)
    shares = f"top-1 {first / max(1, total):.1%}, top-5 {five / max(1, total):.1%}"
    print(f"\nEveryday sentences, each word hidden alone: {total} blanks, {shares}")

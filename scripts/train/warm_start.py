"""First weights from a trained model whose vocabulary may be another one."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from bert import Bert
from checkpoint import load_model
from errors import InputError
from wordpiece import WordPiece

# What has a row a token.
BY_TOKEN = ("bert.embeddings.word_embeddings.weight", "cls.predictions.bias")


def averages(old: WordPiece, new: WordPiece) -> Tensor:
    """float32 [new V, old V]: each new token as the mean of the old pieces that spell it.

    A token that both have is itself; what the old vocabulary cannot spell is its [UNK].
    """
    weights = torch.zeros(len(new.tokens), len(old.tokens))
    for row, token in enumerate(new.tokens):
        pieces = (old.ids[token],) if token in old.ids else old.spelling(token)
        for piece in pieces:
            weights[row, piece] += 1 / len(pieces)
    return weights


def warm_start(model: Bert, tokenizer: WordPiece, folder: Path) -> None:
    """Gives `model` the weights in a Hugging Face folder with a `vocab.txt`, rows a token translated."""
    weights = load_model(folder).state_dict()
    translation = averages(WordPiece.load(folder / "vocab.txt"), tokenizer)
    for name in BY_TOKEN:
        if name in weights:
            weights[name] = translation @ weights[name]
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    different = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    if different:
        name = different[0]
        raise InputError(f"{folder}: {name}: expected shape {expected.get(name)}, found {found.get(name)}")
    model.load_state_dict(weights)

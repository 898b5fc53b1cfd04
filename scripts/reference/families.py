"""What BERT's relatives share in plain PyTorch. Their parameters have the names that transformers gives them.

`bert` has what they share with BERT, and the file of each family has what differs in it. Every model is
called with token ids, token types (which some ignore) and a mask, and fills a `bert.Trace`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bert import BertConfig, Trace


@dataclass(frozen=True)
class FamilyConfig(BertConfig):
    """With what BERT has not; `embedding_size` 0 is the hidden size."""

    embedding_size: int = 0
    num_hidden_groups: int = 0
    pad_token_id: int = 0

    @property
    def width(self) -> int:
        """Of the embeddings."""
        return self.embedding_size or self.hidden_size


def mask_bias(hidden: Tensor, attention_mask: Tensor | None) -> Tensor | None:
    if attention_mask is None:
        return None
    return (1 - attention_mask[:, None, None, :].to(hidden.dtype)) * torch.finfo(hidden.dtype).min


class Embeddings(nn.Module):
    """Words, positions, and token types where the model has them; normalized."""

    def __init__(self, config: FamilyConfig, eps: float | None = None) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.width)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.width)
        if config.type_vocab_size:
            self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.width)
        self.LayerNorm = nn.LayerNorm(config.width, eps=eps or config.layer_norm_eps)

    def position_ids(self, input_ids: Tensor) -> Tensor:
        return torch.arange(input_ids.shape[1]).expand_as(input_ids)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        """Both [B, T]. Returns [B, T, width]."""
        total = self.word_embeddings(input_ids) + self.position_embeddings(self.position_ids(input_ids))
        if hasattr(self, "token_type_embeddings"):
            total = total + self.token_type_embeddings(token_type_ids)
        return self.LayerNorm(total)


def attend(heads: int, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
    """Scaled dot-product attention of [B, T, H] projections. Returns [B, T, H]."""
    batch, tokens, width = query.shape

    def split(projected: Tensor) -> Tensor:
        return projected.view(batch, tokens, heads, width // heads).transpose(1, 2)

    query, key, value = split(query), split(key), split(value)
    scores = (query / math.sqrt(width // heads)) @ key.transpose(-1, -2)
    weights = (scores if bias is None else scores + bias).softmax(dim=-1)
    for kept, tensor in ((trace.queries, query), (trace.keys, key), (trace.values, value), (trace.attentions, weights)):
        kept.append(tensor)
    return (weights @ value).transpose(1, 2).reshape(batch, tokens, width)


class FamilyModel(nn.Module):
    """An encoder under its family's name, with the heads that `outputs` computes."""

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        """From the last hidden states [B, T, H]."""
        return {}

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        encoder = next(self.children())
        return encoder(input_ids, token_type_ids, mask, trace)


class DenseHead(nn.Module):
    """`classifier` of RoBERTa (tanh) and ELECTRA (gelu)."""

    def __init__(self, config: FamilyConfig, labels: int, activation: str) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.out_proj = nn.Linear(config.hidden_size, labels)
        self.activation = {"tanh": torch.tanh, "gelu": F.gelu}[activation]

    def forward(self, hidden: Tensor) -> Tensor:
        return self.out_proj(self.activation(self.dense(hidden[:, 0])))

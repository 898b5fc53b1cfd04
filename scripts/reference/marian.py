"""Marian's encoder-decoder (Junczys-Dowmunt et al. 2018) with nothing but PyTorch.

Its modules have the names that transformers gives those of MarianMTModel, so the state of one is that of the
other. Norms follow the blocks, positions are sinusoids, and one table embeds both sides and gives the logits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

ACTIVATIONS = {"gelu": F.gelu, "relu": F.relu, "swish": F.silu}


@dataclass(frozen=True)
class MarianConfig:
    """Named as in config.json."""

    vocab_size: int
    d_model: int
    encoder_layers: int
    decoder_layers: int
    encoder_attention_heads: int
    decoder_attention_heads: int
    encoder_ffn_dim: int
    decoder_ffn_dim: int
    max_position_embeddings: int
    pad_token_id: int
    eos_token_id: int
    decoder_start_token_id: int
    activation_function: str = "relu"
    scale_embedding: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"architectures": ["MarianMTModel"], "model_type": "marian"} | vars(self) | {
            "decoder_vocab_size": self.vocab_size,
            "is_encoder_decoder": True,
            "share_encoder_decoder_embeddings": True,
            "tie_word_embeddings": True,
            "dropout": 0.0,
        }


@dataclass
class Trace:
    """What a pass leaves behind: per layer attention [B, A, queries, keys], and hidden states from the embeddings on."""

    encoder: list[Tensor] = field(default_factory=list)
    decoder: list[Tensor] = field(default_factory=list)
    cross: list[Tensor] = field(default_factory=list)
    encoder_hidden: list[Tensor] = field(default_factory=list)
    decoder_hidden: list[Tensor] = field(default_factory=list)


def sinusoids(positions: int, width: int) -> Tensor:
    """[positions, width]: the sines of all frequencies, then the cosines."""
    frequencies = 10000 ** (-2 * torch.arange((width + 1) // 2, dtype=torch.float64) / width)
    angles = torch.arange(positions, dtype=torch.float64)[:, None] * frequencies
    return torch.cat([angles.sin(), angles.cos()[:, : width // 2]], dim=1).float()


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.k_proj = nn.Linear(width, width)
        self.v_proj = nn.Linear(width, width)
        self.q_proj = nn.Linear(width, width)
        self.out_proj = nn.Linear(width, width)

    def forward(self, hidden: Tensor, looked_at: Tensor, bias: Tensor, trace: list[Tensor]) -> Tensor:
        """Looks from each row of `hidden` into the rows of `looked_at`. bias: 0 or -inf, added to the scores."""

        def split(projected: Tensor) -> Tensor:
            return projected.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        queries, keys, values = split(self.q_proj(hidden)), split(self.k_proj(looked_at)), split(self.v_proj(looked_at))
        scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[-1]) + bias
        weights = scores.softmax(-1)
        trace.append(weights)
        return self.out_proj((weights @ values).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """What a layer of the encoder and one of the decoder share."""

    def __init__(self, width: int, heads: int, inner: int, activation: str) -> None:
        super().__init__()
        self.self_attn = Attention(width, heads)
        self.self_attn_layer_norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, inner)
        self.fc2 = nn.Linear(inner, width)
        self.final_layer_norm = nn.LayerNorm(width)
        self.activation = ACTIVATIONS[activation]

    def feed_forward(self, hidden: Tensor) -> Tensor:
        return self.final_layer_norm(hidden + self.fc2(self.activation(self.fc1(hidden))))


class EncoderLayer(Layer):
    def forward(self, hidden: Tensor, bias: Tensor, trace: Trace) -> Tensor:
        attended = self.self_attn(hidden, hidden, bias, trace.encoder)
        return self.feed_forward(self.self_attn_layer_norm(hidden + attended))


class DecoderLayer(Layer):
    def __init__(self, width: int, heads: int, inner: int, activation: str) -> None:
        super().__init__(width, heads, inner, activation)
        self.encoder_attn = Attention(width, heads)
        self.encoder_attn_layer_norm = nn.LayerNorm(width)

    def forward(self, hidden: Tensor, source: Tensor, biases: tuple[Tensor, Tensor], trace: Trace) -> Tensor:
        causal, padded = biases
        hidden = self.self_attn_layer_norm(hidden + self.self_attn(hidden, hidden, causal, trace.decoder))
        hidden = self.encoder_attn_layer_norm(hidden + self.encoder_attn(hidden, source, padded, trace.cross))
        return self.feed_forward(hidden)


class Side(nn.Module):
    """The encoder or the decoder: layers over embeddings with positions."""

    def __init__(self, config: MarianConfig, layers: list[Layer]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.register_buffer("positions", sinusoids(config.max_position_embeddings, config.d_model), persistent=False)

    def embed(self, words: nn.Embedding, ids: Tensor) -> Tensor:
        return words(ids) * self.scale + self.positions[: ids.shape[1]]


class MarianModel(nn.Module):
    def __init__(self, config: MarianConfig) -> None:
        super().__init__()
        width, activation = config.d_model, config.activation_function
        self.shared = nn.Embedding(config.vocab_size, width)
        self.encoder = Side(config, [
            EncoderLayer(width, config.encoder_attention_heads, config.encoder_ffn_dim, activation)
            for _ in range(config.encoder_layers)
        ])  # fmt: skip
        self.decoder = Side(config, [
            DecoderLayer(width, config.decoder_attention_heads, config.decoder_ffn_dim, activation)
            for _ in range(config.decoder_layers)
        ])  # fmt: skip


def blocked(mask: Tensor) -> Tensor:
    """What is added to scores: -inf where the mask is true."""
    return torch.zeros(mask.shape).masked_fill(mask, -math.inf)


class MarianMTModel(nn.Module):
    def __init__(self, config: MarianConfig) -> None:
        super().__init__()
        self.config = config
        self.model = MarianModel(config)
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))

    def encode(self, ids: Tensor, trace: Trace) -> Tensor:
        """ids: [B, S], padded at the end; returns [B, S, width]."""
        padded = blocked(ids == self.config.pad_token_id)[:, None, None]
        hidden = self.model.encoder.embed(self.model.shared, ids)
        trace.encoder_hidden.append(hidden)
        for layer in self.model.encoder.layers:
            hidden = layer(hidden, padded, trace)
            trace.encoder_hidden.append(hidden)
        return hidden

    def decode(self, source: Tensor, source_ids: Tensor, ids: Tensor, trace: Trace) -> Tensor:
        """ids: [B, T], from decoder_start_token_id on; returns the logits of each next token, [B, T, vocabulary]."""
        causal = blocked(torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1))
        padded = blocked(source_ids == self.config.pad_token_id)[:, None, None]
        hidden = self.model.decoder.embed(self.model.shared, ids)
        trace.decoder_hidden.append(hidden)
        for layer in self.model.decoder.layers:
            hidden = layer(hidden, source, (causal, padded), trace)
            trace.decoder_hidden.append(hidden)
        return F.linear(hidden, self.model.shared.weight) + self.final_logits_bias

    def forward(self, source_ids: Tensor, ids: Tensor, trace: Trace | None = None) -> Tensor:
        trace = trace or Trace()
        return self.decode(self.encode(source_ids, trace), source_ids, ids, trace)

    @torch.no_grad()
    def greedy(self, source_ids: Tensor, most: int) -> Tensor:
        """The likeliest token, one after the other, [B, at most `most`]; after its end a row has padding."""
        source = self.encode(source_ids, Trace())
        ids = torch.full((len(source_ids), 1), self.config.decoder_start_token_id)
        ended = torch.zeros(len(ids), dtype=torch.bool)
        while ids.shape[1] <= most and not ended.all():
            best = self.decode(source, source_ids, ids, Trace())[:, -1].argmax(-1)
            best = best.masked_fill(ended, self.config.pad_token_id)
            ended |= best == self.config.eos_token_id
            ids = torch.cat([ids, best[:, None]], 1)
        return ids[:, 1:]

"""Interventions in the encoder, made by hand on PyTorch's tensors: the reference of
src/model/interventions.h, whose JSON form these take."""

from __future__ import annotations

import math
from typing import Any, Mapping

import torch
from torch import Tensor

from bert import BertConfig

LOWEST = -1e30


class LayerChange:
    """What one layer does differently."""

    def __init__(self, layer: int, config: BertConfig, interventions: Mapping[str, Any]) -> None:
        self.off = layer in interventions.get("layersOff", [])
        size = {"head": config.head_dim, "hidden": config.hidden_size, "none": 1}
        temperature = interventions.get("temperature", 1)
        if isinstance(temperature, Mapping):
            temperature = temperature.get(str(layer), 1)
        self.score_scale = 1 / math.sqrt(size[interventions.get("scoreScale", "head")]) / temperature
        self.causal = interventions.get("causal", False)
        self.masked = interventions.get("maskedTokens", [])
        self.edges = [edge for edge in interventions.get("edges", []) if edge["layer"] == layer]
        self.head_scale = torch.ones(config.num_attention_heads)
        for head in interventions.get("heads", []):
            if head["layer"] == layer:
                self.head_scale[head["head"]] *= head["scale"]

    def scores(self, products: Tensor) -> Tensor:
        """q·k [B, A, T, T] to scores."""
        scores = products * self.score_scale
        scores[..., self.masked] = LOWEST
        if self.causal:
            ahead = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(ahead, LOWEST)
        return scores

    def weights(self, weights: Tensor) -> Tensor:
        """Softmax's weights [B, A, T, T] with this layer's edges set."""
        for head, query in {(edge["head"], edge["query"]) for edge in self.edges}:
            of_row = [edge for edge in self.edges if (edge["head"], edge["query"]) == (head, query)]
            keys = [edge["key"] for edge in of_row]
            values = torch.tensor([edge["weight"] for edge in of_row], dtype=weights.dtype)
            row = weights[:, head, query].clone()  # [B, T]
            row[:, keys] = 0
            if any(edge["renormalise"] for edge in of_row):
                row = row / row.sum(-1, keepdim=True) * (1 - values.sum())
            row[:, keys] = values
            weights[:, head, query] = row
        return weights

    def context(self, context: Tensor) -> Tensor:
        """The heads' outputs [B, A, T, d], scaled."""
        return context * self.head_scale.to(context.dtype)[:, None, None]

"""Contributions of tokens to an answer in PyTorch, straight from their papers: the reference of
src/analysis/contributions.h.

Kobayashi et al. 2021 (https://arxiv.org/abs/2109.07152), GlobEnc: Modarressi et al. 2022
(https://arxiv.org/abs/2205.03286), ALTI: Ferrando et al. 2022 (https://arxiv.org/abs/2203.04212), Value
Zeroing: Mohebbi et al. 2023 (https://arxiv.org/abs/2301.12971), DecompX: Modarressi et al. 2023
(https://arxiv.org/abs/2306.02873).

Shapes: T tokens, H hidden, A heads of d, I intermediate. Row i, column j: what token i takes from token j.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from albert import AlbertLayer, AlbertModel
from bert import Bert, Layer, Trace
from distilbert import DistilLayer


@dataclass
class LayerParts:
    """One layer of any family: its modules, and what it computed of one text."""

    value: nn.Linear
    attention_output: nn.Linear
    attention_norm: nn.LayerNorm
    intermediate: nn.Linear
    activation: Callable[[Tensor], Tensor]
    output: nn.Linear
    output_norm: nn.LayerNorm
    weights: Tensor  # [A, T, T]
    before: Tensor  # [T, H]: the layer's input
    after: Tensor  # [T, H]: its output

    @property
    def values(self) -> Tensor:
        """[A, T, d]"""
        return split(self.value(self.before), len(self.weights))

    def transformed(self, values: Tensor) -> Tensor:
        """Values [A, ..., d] after their head's part of the output projection: [A, ..., H]."""
        parts = self.attention_output.weight.unflatten(1, (len(self.weights), -1))  # [H, A, d]
        return torch.einsum("a...d,oad->a...o", values, parts)

    def attention_sum(self, values: Tensor) -> Tensor:
        """What the first norm takes, [T, H]."""
        mixed = torch.einsum("aij,ajo->io", self.weights, self.transformed(values))
        return mixed + self.attention_output.bias + self.before

    def attended(self, values: Tensor) -> Tensor:
        return self.attention_norm(self.attention_sum(values))

    def output_sum(self, attended: Tensor) -> Tensor:
        """What the second norm takes, [T, H]."""
        return self.output(self.activation(self.intermediate(attended))) + attended


def split(rows: Tensor, heads: int) -> Tensor:
    """[..., H] to [A, ..., d]"""
    return rows.unflatten(-1, (heads, -1)).movedim(-2, 0)


def parts_of(layer: nn.Module, weights: Tensor, before: Tensor, after: Tensor) -> LayerParts:
    if isinstance(layer, Layer):
        block, inner, outer = layer.attention, layer.intermediate, layer.output
        modules = (block.self.value, block.output.dense, block.output.LayerNorm, inner.dense, inner.activation,
                   outer.dense, outer.LayerNorm)  # fmt: skip
    elif isinstance(layer, DistilLayer):
        modules = (layer.attention.v_lin, layer.attention.out_lin, layer.sa_layer_norm, layer.ffn.lin1,
                   layer.ffn.activation, layer.ffn.lin2, layer.output_layer_norm)  # fmt: skip
    else:
        assert isinstance(layer, AlbertLayer)
        modules = (layer.attention.value, layer.attention.dense, layer.attention.LayerNorm, layer.ffn,
                   layer.activation, layer.ffn_output, layer.full_layer_layer_norm)  # fmt: skip
    return LayerParts(*modules, weights, before, after)


def layers_of(model: nn.Module, trace: Trace) -> list[LayerParts]:
    """`trace` is that of one text without padding."""
    modules = [module for module in model.modules() if isinstance(module, (Layer, DistilLayer, AlbertLayer))]
    depth = len(trace.attentions)
    each = [modules[int(index / (depth / len(modules)))] for index in range(depth)]
    states = trace.hidden_states
    return [
        parts_of(module, trace.attentions[index][0], states[index][0], states[index + 1][0])
        for index, module in enumerate(each)
    ]


def norm_part(norm: nn.LayerNorm, parts: Tensor, whole: Tensor) -> Tensor:
    """What a norm makes of parts [T, N, H] of the rows it takes, [T, H]; without its bias."""
    deviation = (whole.var(-1, unbiased=False) + norm.eps).sqrt()
    return (parts - parts.mean(-1, keepdim=True)) / deviation[:, None, None] * norm.weight


def attention_vectors(layer: LayerParts) -> Tensor:
    """[T, T, H]: the parts of the normed attention block, residual sum included."""
    vectors = torch.einsum("aij,ajo->ijo", layer.weights, layer.transformed(layer.values))
    vectors = vectors + torch.diag_embed(layer.before.T).permute(1, 2, 0)
    return norm_part(layer.attention_norm, vectors, layer.attention_sum(layer.values))


def norms(layer: LayerParts) -> Tensor:
    return attention_vectors(layer).norm(dim=-1)


def globenc(layer: LayerParts) -> Tensor:
    whole = layer.output_sum(layer.attended(layer.values))
    return norm_part(layer.output_norm, attention_vectors(layer), whole).norm(dim=-1)


def alti(layer: LayerParts) -> Tensor:
    whole = layer.attended(layer.values)
    distances = (attention_vectors(layer) - whole[:, None]).abs().sum(-1)
    return by_row((whole.abs().sum(-1, keepdim=True) - distances).clamp(min=0))


def value_zeroing(layer: LayerParts) -> Tensor:
    columns = []
    for token in range(len(layer.before)):
        values = layer.values.clone()
        values[:, token] = 0
        turned = layer.output_norm(layer.output_sum(layer.attended(values)))
        columns.append(1 - F.cosine_similarity(turned, layer.after, dim=-1))
    return by_row(torch.stack(columns, dim=-1))


def by_row(matrix: Tensor) -> Tensor:
    return matrix / matrix.sum(-1, keepdim=True)


SHARES: dict[str, Callable[[LayerParts], Tensor]] = {
    "norm": norms,
    "globenc": globenc,
    "alti": alti,
    "value-zeroing": value_zeroing,
}


def shares(method: str, layers: list[LayerParts]) -> tuple[Tensor, Tensor]:
    """The matrix of each layer [L, T, T], and of all, whose rows sum to 1 [T, T]."""
    each = torch.stack([SHARES[method](layer) for layer in layers])
    rolled = torch.eye(each.shape[-1], dtype=each.dtype)
    for matrix in each:
        rolled = (by_row(matrix) if method == "norm" else matrix) @ rolled
    return each, by_row(rolled)


def share_bias(vectors: Tensor, bias: Tensor) -> Tensor:
    """Adds a bias [W] or [T, W] to vectors [..., N, W], shared by the size of their products with it."""
    weights = (vectors * bias.unsqueeze(-2)).sum(-1, keepdim=True).abs()
    return vectors + weights / (weights.sum(-2, keepdim=True) + 1e-12) * bias.unsqueeze(-2)


def through_activation(vectors: Tensor, before: Tensor, after: Tensor) -> Tensor:
    return vectors * (after / (before + 1e-12)).unsqueeze(-2)


def decompx(layers: list[LayerParts]) -> Tensor:
    """[T, T, H]: every last hidden state as a sum of vectors, one for each input token."""
    vectors = torch.diag_embed(layers[0].before.T).permute(1, 2, 0)
    for index, layer in enumerate(layers):
        output = layer.attention_output
        if index == 0:
            mixed = torch.einsum("aij,ajo->ijo", layer.weights, layer.transformed(layer.values))
            bias = output.bias
        else:
            values = split(F.linear(vectors, layer.value.weight), len(layer.weights))  # [A, T, T, d]
            mixed = torch.einsum("aij,ajko->iko", layer.weights, layer.transformed(values))
            bias = output.weight @ layer.value.bias + output.bias
        attended = layer.attended(layer.values)
        vectors = share_bias(mixed + vectors, bias)
        vectors = norm_part(layer.attention_norm, vectors, layer.attention_sum(layer.values))
        vectors = share_bias(vectors, layer.attention_norm.bias)
        inner = layer.intermediate(attended)
        carried = share_bias(F.linear(vectors, layer.intermediate.weight), layer.intermediate.bias)
        carried = through_activation(carried, inner, layer.activation(inner))
        carried = share_bias(F.linear(carried, layer.output.weight), layer.output.bias)
        vectors = norm_part(layer.output_norm, carried + vectors, layer.output_sum(attended))
        vectors = share_bias(vectors, layer.output_norm.bias)
    return vectors


@dataclass
class Head:
    """A prediction head of one token."""

    dense: nn.Linear
    activation: Callable[[Tensor], Tensor]
    norm: nn.LayerNorm | None
    weight: Tensor  # [outputs, width]
    bias: Tensor  # [outputs]

    def carry(self, vectors: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors [T, H] of a state [H] to parts [T, outputs] and logits [outputs]."""
        before = self.dense(state)
        after = self.activation(before)
        parts = share_bias(F.linear(vectors, self.dense.weight), self.dense.bias)
        parts = through_activation(parts, before, after)
        if self.norm:
            parts = norm_part(self.norm, parts[None], after[None])[0]
            parts = share_bias(parts, self.norm.bias)
            after = self.norm(after)
        logits = F.linear(after, self.weight, self.bias)
        return share_bias(F.linear(parts, self.weight), self.bias), logits


def word_head(model: nn.Module, id_: int) -> Head | None:
    """The masked-LM head with the decoder's row of one entry."""
    modules = dict(model.named_modules())

    def get(*names: str) -> Any:
        return next((modules[name] for name in names if name in modules), None)

    dense = get("cls.predictions.transform.dense", "vocab_transform", "lm_head.dense", "generator_predictions.dense",
                "predictions.dense")  # fmt: skip
    if dense is None:
        return None
    norm = get("cls.predictions.transform.LayerNorm", "vocab_layer_norm", "lm_head.layer_norm",
               "generator_predictions.LayerNorm", "predictions.LayerNorm")  # fmt: skip
    if isinstance(model, Bert):
        assert model.cls is not None
        head = model.cls["predictions"]
        words = model.bert.embeddings.word_embeddings.weight
        weight = words if head.decoder is None else head.decoder.weight
        return Head(dense, head.transform.activation, norm, weight[id_ : id_ + 1], head.bias[id_ : id_ + 1])
    decoder = get("vocab_projector", "lm_head.decoder", "generator_lm_head", "predictions.decoder")
    holder = get("predictions") if "predictions" in modules else model
    activation = getattr(holder, "activation", F.gelu)
    return Head(dense, activation, norm, decoder.weight[id_ : id_ + 1], decoder.bias[id_ : id_ + 1])


def class_head(model: nn.Module) -> Head | None:
    classifier = getattr(model, "classifier", None)
    if classifier is None:
        return None
    if isinstance(model, Bert):
        return Head(model.bert.pooler.dense, torch.tanh, None, classifier.weight, classifier.bias)
    if hasattr(classifier, "dense"):
        return Head(classifier.dense, classifier.activation, None, classifier.out_proj.weight, classifier.out_proj.bias)
    if hasattr(model, "pre_classifier"):
        return Head(model.pre_classifier, torch.relu, None, classifier.weight, classifier.bias)
    pooler = next(child.pooler for child in model.children() if isinstance(child, AlbertModel))
    return Head(pooler, torch.tanh, None, classifier.weight, classifier.bias)


def vector_parts(vectors: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    """Vectors [T, T, H] of the last hidden states [T, H] to parts [T, T] of the mean's length []."""
    mean = states.mean(0)
    return vectors @ (mean / mean.norm()) / len(states), mean.norm()

"""BERT in plain PyTorch, computed exactly as Hugging Face computes it.

One module serves two purposes: a reference whose trace (attention, queries, keys, values, hidden
states) the C++ encoder is compared with, and the model that `scripts/train` trains. Parameter names
are those of Hugging Face's `BertForMaskedLM` and `BertForSequenceClassification`.
Sources: Devlin et al. 2019 (https://arxiv.org/abs/1810.04805); transformers' `modeling_bert.py`.

Shapes: B sequences, T tokens, H hidden, A heads of d = H / A, L layers, V vocabulary entries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from interventions import LayerChange

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu": F.gelu,
    "gelu_new": partial(F.gelu, approximate="tanh"),
    "gelu_pytorch_tanh": partial(F.gelu, approximate="tanh"),
    "relu": F.relu,
}


@dataclass(frozen=True)
class BertConfig:
    """The fields of a Hugging Face `config.json` that change what is computed."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    hidden_act: str = "gelu"
    layer_norm_eps: float = 1e-12

    def __post_init__(self) -> None:
        if self.hidden_act not in ACTIVATIONS:
            raise ValueError(f"hidden_act: expected one of {', '.join(ACTIVATIONS)}, found {self.hidden_act!r}")
        if self.hidden_size % self.num_attention_heads:
            raise ValueError(
                f"hidden_size: expected a multiple of num_attention_heads ({self.num_attention_heads}), "
                f"found {self.hidden_size}"
            )

    @property
    def head_dim(self) -> int:
        return self.hidden_size // self.num_attention_heads

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> BertConfig:
        """Picks the fields it knows out of a parsed `config.json`."""
        known = {f.name for f in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})


@dataclass(frozen=True)
class BertHeads:
    """What stands on top of the encoder; it follows from the weights that a checkpoint has."""

    pooler: bool = False
    mlm: bool = False
    tied_decoder: bool = True
    labels: int = 0


@dataclass
class Trace:
    """What the encoder computed on its way, one entry a layer."""

    attentions: list[Tensor] = field(default_factory=list)  # each [B, A, T, T], rows over keys sum to 1
    queries: list[Tensor] = field(default_factory=list)  # each [B, A, T, d]
    keys: list[Tensor] = field(default_factory=list)  # each [B, A, T, d]
    values: list[Tensor] = field(default_factory=list)  # each [B, A, T, d]
    hidden_states: list[Tensor] = field(default_factory=list)  # L + 1, each [B, T, H]: embeddings, then layers


class SelfAttention(nn.Module):
    """Scaled dot-product attention (`attention.self`)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(
        self, hidden: Tensor, bias: Tensor | None, trace: Trace | None, change: LayerChange | None = None
    ) -> Tensor:
        """hidden [B, T, H]; bias is added to the scores, broadcast to [B, A, T, T]. Returns [B, T, H]."""
        batch, tokens, width = hidden.shape
        heads = (batch, tokens, self.num_heads, width // self.num_heads)
        query = self.query(hidden).view(heads).transpose(1, 2)  # [B, A, T, d]
        key = self.key(hidden).view(heads).transpose(1, 2)
        value = self.value(hidden).view(heads).transpose(1, 2)
        products = query @ key.transpose(-1, -2)  # [B, A, T, T]
        scores = products / math.sqrt(heads[-1]) if change is None else change.scores(products)
        if bias is not None:
            scores = scores + bias
        weights = scores.softmax(dim=-1)
        if change is not None:
            weights = change.weights(weights)
        if trace is not None:
            trace.queries.append(query)
            trace.keys.append(key)
            trace.values.append(value)
            trace.attentions.append(weights)
        context = weights.to(value.dtype) @ value
        if change is not None:
            context = change.context(context)
        return context.transpose(1, 2).reshape(batch, tokens, width)


class AddAndNorm(nn.Module):
    """Dense, residual, layer norm (`attention.output` and `output`): BERT normalizes after the sum."""

    def __init__(self, inputs: int, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(inputs, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, inputs: Tensor, residual: Tensor) -> Tensor:
        return self.LayerNorm(self.dense(inputs) + residual)


class Attention(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.self = SelfAttention(config)
        self.output = AddAndNorm(config.hidden_size, config)

    def forward(
        self, hidden: Tensor, bias: Tensor | None, trace: Trace | None, change: LayerChange | None = None
    ) -> Tensor:
        return self.output(self.self(hidden, bias, trace, change), hidden)


class DenseAct(nn.Module):
    """Dense and activation (`intermediate`)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)
        self.activation = ACTIVATIONS[config.hidden_act]

    def forward(self, hidden: Tensor) -> Tensor:
        return self.activation(self.dense(hidden))


class Layer(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = DenseAct(config)
        self.output = AddAndNorm(config.intermediate_size, config)

    def forward(
        self, hidden: Tensor, bias: Tensor | None, trace: Trace | None, change: LayerChange | None = None
    ) -> Tensor:
        attended = self.attention(hidden, bias, trace, change)
        output = self.output(self.intermediate(attended), attended)
        return hidden if change is not None and change.off else output


class Embeddings(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        """Both [B, T], integers. Returns [B, T, H]."""
        positions = self.position_embeddings.weight[: input_ids.shape[1]]
        types = self.token_type_embeddings(token_type_ids)
        return self.LayerNorm(self.word_embeddings(input_ids) + types + positions)


class Encoder(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))

    def forward(
        self,
        hidden: Tensor,
        bias: Tensor | None,
        trace: Trace | None,
        changes: Sequence[LayerChange | None] | None = None,
    ) -> Tensor:
        """`changes` has an entry a layer."""
        for layer, change in zip(self.layer, changes or [None] * len(self.layer)):
            if trace is not None:
                trace.hidden_states.append(hidden)
            hidden = layer(hidden, bias, trace, change)
        if trace is not None:
            trace.hidden_states.append(hidden)
        return hidden


class Pooler(nn.Module):
    """Dense and tanh on the first token."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden: Tensor) -> Tensor:
        """[B, T, H] to [B, H]."""
        return self.dense(hidden[:, 0]).tanh()


class BertModel(nn.Module):
    def __init__(self, config: BertConfig, pooler: bool) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        self.encoder = Encoder(config)
        self.pooler = Pooler(config) if pooler else None

    def forward(
        self,
        input_ids: Tensor,
        token_type_ids: Tensor,
        attention_mask: Tensor | None = None,
        trace: Trace | None = None,
        changes: Sequence[LayerChange | None] | None = None,
    ) -> Tensor:
        """All inputs [B, T], integers; the mask is 1 for a token, 0 for padding. Returns [B, T, H]."""
        hidden = self.embeddings(input_ids, token_type_ids)
        bias = None
        if attention_mask is not None:
            lowest = torch.finfo(hidden.dtype).min
            bias = (1 - attention_mask[:, None, None, :].to(hidden.dtype)) * lowest
        return self.encoder(hidden, bias, trace, changes)


class MlmTransform(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = ACTIVATIONS[config.hidden_act]
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden: Tensor) -> Tensor:
        activated = self.activation(self.dense(hidden))
        # Under autocast the dense layer gives bfloat16, which the CPU's layer norm takes with like weights only.
        return self.LayerNorm(activated.to(self.LayerNorm.weight.dtype))


class MlmHead(nn.Module):
    """`cls.predictions`; a tied decoder has no weight of its own, it uses the word embeddings."""

    def __init__(self, config: BertConfig, tied: bool) -> None:
        super().__init__()
        self.transform = MlmTransform(config)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.decoder = None if tied else nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, hidden: Tensor, word_embeddings: Tensor) -> Tensor:
        """hidden [..., H] and word_embeddings [V, H] to logits [..., V]."""
        weight = word_embeddings if self.decoder is None else self.decoder.weight
        return F.linear(self.transform(hidden), weight, self.bias)


class Bert(nn.Module):
    """The encoder (`.bert`) with whatever heads the checkpoint has."""

    def __init__(self, config: BertConfig, heads: BertHeads) -> None:
        super().__init__()
        self.config = config
        self.bert = BertModel(config, heads.pooler)
        self.cls = nn.ModuleDict({"predictions": MlmHead(config, heads.tied_decoder)}) if heads.mlm else None
        self.classifier = nn.Linear(config.hidden_size, heads.labels) if heads.labels else None

    def forward(
        self,
        input_ids: Tensor,
        token_type_ids: Tensor,
        attention_mask: Tensor | None = None,
        trace: Trace | None = None,
        changes: Sequence[LayerChange | None] | None = None,
    ) -> Tensor:
        """The last hidden states [B, T, H]; see BertModel."""
        return self.bert(input_ids, token_type_ids, attention_mask, trace, changes)

    def mlm_logits(self, hidden: Tensor) -> Tensor:
        """[..., H] to [..., V]: training passes the masked positions alone, [masked, H]."""
        assert self.cls is not None, "the checkpoint has no masked-LM head"
        return self.cls["predictions"](hidden, self.bert.embeddings.word_embeddings.weight)

    def pooled(self, hidden: Tensor) -> Tensor:
        """[B, T, H] to [B, H]."""
        assert self.bert.pooler is not None, "the checkpoint has no pooler"
        return self.bert.pooler(hidden)

    def classifier_logits(self, hidden: Tensor) -> Tensor:
        """[B, T, H] to [B, labels]."""
        assert self.classifier is not None, "the checkpoint has no classifier"
        return self.classifier(self.pooled(hidden))

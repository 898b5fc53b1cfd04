"""BERT's relatives in plain PyTorch, each under the parameter names that transformers gives it.

What they share with BERT comes from `bert`; here is what differs. Every model is called with token
ids, token types (which some ignore) and a mask, and fills a `bert.Trace`.
Sources: Sanh et al. 2019 (DistilBERT), Liu et al. 2019 (RoBERTa), Clark et al. 2020 (ELECTRA),
Lan et al. 2019 (ALBERT); transformers' `modeling_<family>.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bert import ACTIVATIONS, BertConfig, Encoder, Pooler, Trace


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


class RobertaEmbeddings(Embeddings):
    """Positions count from the padding id + 1; padding has the padding id's."""

    def __init__(self, config: FamilyConfig) -> None:
        super().__init__(config)
        self.padding = config.pad_token_id

    def position_ids(self, input_ids: Tensor) -> Tensor:
        is_token = (input_ids != self.padding).long()
        return torch.cumsum(is_token, dim=1) * is_token + self.padding


class DistilAttention(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.q_lin = nn.Linear(config.hidden_size, config.hidden_size)
        self.k_lin = nn.Linear(config.hidden_size, config.hidden_size)
        self.v_lin = nn.Linear(config.hidden_size, config.hidden_size)
        self.out_lin = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        context = attend(self.heads, self.q_lin(hidden), self.k_lin(hidden), self.v_lin(hidden), bias, trace)
        return self.out_lin(context)


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


class DistilFfn(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.lin1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.lin2 = nn.Linear(config.intermediate_size, config.hidden_size)
        self.activation = ACTIVATIONS[config.hidden_act]

    def forward(self, hidden: Tensor) -> Tensor:
        return self.lin2(self.activation(self.lin1(hidden)))


class DistilLayer(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.attention = DistilAttention(config)
        self.sa_layer_norm = nn.LayerNorm(config.hidden_size, eps=1e-12)
        self.ffn = DistilFfn(config)
        self.output_layer_norm = nn.LayerNorm(config.hidden_size, eps=1e-12)

    def forward(self, hidden: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        attended = self.sa_layer_norm(self.attention(hidden, bias, trace) + hidden)
        return self.output_layer_norm(self.ffn(attended) + attended)


class DistilTransformer(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(DistilLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, hidden: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        trace.hidden_states.append(hidden)
        for layer in self.layer:
            hidden = layer(hidden, bias, trace)
            trace.hidden_states.append(hidden)
        return hidden


class DistilBertModel(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.embeddings = Embeddings(config, eps=1e-12)
        self.transformer = DistilTransformer(config)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        hidden = self.embeddings(input_ids, token_type_ids)
        return self.transformer(hidden, mask_bias(hidden, mask), trace)


class FamilyModel(nn.Module):
    """An encoder under its family's name, with the heads that `outputs` computes."""

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        """From the last hidden states [B, T, H]."""
        return {}

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        encoder = next(self.children())
        return encoder(input_ids, token_type_ids, mask, trace)


class DistilBertForMaskedLM(FamilyModel):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.distilbert = DistilBertModel(config)
        self.activation = ACTIVATIONS[config.hidden_act]
        self.vocab_transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.vocab_layer_norm = nn.LayerNorm(config.hidden_size, eps=1e-12)
        self.vocab_projector = nn.Linear(config.hidden_size, config.vocab_size)
        self.vocab_projector.weight = self.distilbert.embeddings.word_embeddings.weight

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        transformed = self.vocab_layer_norm(self.activation(self.vocab_transform(hidden)))
        return {"mlm_logits": self.vocab_projector(transformed)}


class DistilBertForSequenceClassification(FamilyModel):
    def __init__(self, config: FamilyConfig, labels: int) -> None:
        super().__init__()
        self.distilbert = DistilBertModel(config)
        self.pre_classifier = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, labels)

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        return {"classifier_logits": self.classifier(self.pre_classifier(hidden[:, 0]).relu())}


class RobertaModel(nn.Module):
    def __init__(self, config: FamilyConfig, pooler: bool = False) -> None:
        super().__init__()
        self.embeddings = RobertaEmbeddings(config)
        self.encoder = Encoder(config)
        if pooler:
            self.pooler = Pooler(config)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        hidden = self.embeddings(input_ids, token_type_ids)
        return self.encoder(hidden, mask_bias(hidden, mask), trace)


class RobertaLMHead(nn.Module):
    def __init__(self, config: FamilyConfig, words: nn.Embedding) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.decoder.weight = words.weight
        self.bias = self.decoder.bias

    def forward(self, hidden: Tensor) -> Tensor:
        return self.decoder(self.layer_norm(F.gelu(self.dense(hidden))))


class RobertaForMaskedLM(FamilyModel):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.roberta = RobertaModel(config)
        self.lm_head = RobertaLMHead(config, self.roberta.embeddings.word_embeddings)

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        return {"mlm_logits": self.lm_head(hidden)}


class DenseHead(nn.Module):
    """`classifier` of RoBERTa (tanh) and ELECTRA (gelu)."""

    def __init__(self, config: FamilyConfig, labels: int, activation: str) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.out_proj = nn.Linear(config.hidden_size, labels)
        self.activation = {"tanh": torch.tanh, "gelu": F.gelu}[activation]

    def forward(self, hidden: Tensor) -> Tensor:
        return self.out_proj(self.activation(self.dense(hidden[:, 0])))


class RobertaForSequenceClassification(FamilyModel):
    """With the pooler that old checkpoints bring and this head does not use."""

    def __init__(self, config: FamilyConfig, labels: int) -> None:
        super().__init__()
        self.roberta = RobertaModel(config, pooler=True)
        self.classifier = DenseHead(config, labels, "tanh")

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        return {"pooler_output": self.roberta.pooler(hidden), "classifier_logits": self.classifier(hidden)}


class RobertaAlone(FamilyModel):
    """`encoder.*` is saved without a prefix."""

    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.bare = RobertaModel(config)


class ElectraModel(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        if config.width != config.hidden_size:
            self.embeddings_project = nn.Linear(config.width, config.hidden_size)
        self.encoder = Encoder(config)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        hidden = self.embeddings(input_ids, token_type_ids)
        if hasattr(self, "embeddings_project"):
            hidden = self.embeddings_project(hidden)
        return self.encoder(hidden, mask_bias(hidden, mask), trace)


class ElectraGeneratorPredictions(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.LayerNorm = nn.LayerNorm(config.width, eps=config.layer_norm_eps)
        self.dense = nn.Linear(config.hidden_size, config.width)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.LayerNorm(F.gelu(self.dense(hidden)))


class ElectraForMaskedLM(FamilyModel):
    """The generator."""

    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.electra = ElectraModel(config)
        self.generator_predictions = ElectraGeneratorPredictions(config)
        self.generator_lm_head = nn.Linear(config.width, config.vocab_size)
        self.generator_lm_head.weight = self.electra.embeddings.word_embeddings.weight

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        return {"mlm_logits": self.generator_lm_head(self.generator_predictions(hidden))}


class ElectraDiscriminatorPredictions(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dense_prediction = nn.Linear(config.hidden_size, 1)


class ElectraForPreTraining(FamilyModel):
    """The discriminator, with a classifier as fine-tuning adds it; its own head tells replaced tokens."""

    def __init__(self, config: FamilyConfig, labels: int) -> None:
        super().__init__()
        self.electra = ElectraModel(config)
        self.discriminator_predictions = ElectraDiscriminatorPredictions(config)
        self.classifier = DenseHead(config, labels, "gelu")

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        return {"classifier_logits": self.classifier(hidden)}


class AlbertAttention(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        context = attend(self.heads, self.query(hidden), self.key(hidden), self.value(hidden), bias, trace)
        return self.LayerNorm(hidden + self.dense(context))


class AlbertLayer(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.full_layer_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attention = AlbertAttention(config)
        self.ffn = nn.Linear(config.hidden_size, config.intermediate_size)
        self.ffn_output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.activation = ACTIVATIONS[config.hidden_act]

    def forward(self, hidden: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        attended = self.attention(hidden, bias, trace)
        return self.full_layer_layer_norm(self.ffn_output(self.activation(self.ffn(attended))) + attended)


class AlbertLayerGroup(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.albert_layers = nn.ModuleList([AlbertLayer(config)])


class AlbertTransformer(nn.Module):
    """Layers take their weights from few groups, one after the other."""

    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.layers = config.num_hidden_layers
        self.embedding_hidden_mapping_in = nn.Linear(config.width, config.hidden_size)
        self.albert_layer_groups = nn.ModuleList(AlbertLayerGroup(config) for _ in range(config.num_hidden_groups))

    def forward(self, embedded: Tensor, bias: Tensor | None, trace: Trace) -> Tensor:
        hidden = self.embedding_hidden_mapping_in(embedded)
        trace.hidden_states.append(hidden)
        for index in range(self.layers):
            group = self.albert_layer_groups[int(index / (self.layers / len(self.albert_layer_groups)))]
            hidden = group.albert_layers[0](hidden, bias, trace)
            trace.hidden_states.append(hidden)
        return hidden


class AlbertModel(nn.Module):
    def __init__(self, config: FamilyConfig) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        self.encoder = AlbertTransformer(config)
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, mask: Tensor, trace: Trace) -> Tensor:
        embedded = self.embeddings(input_ids, token_type_ids)
        return self.encoder(embedded, mask_bias(embedded, mask), trace)


class AlbertMLMHead(nn.Module):
    def __init__(self, config: FamilyConfig, words: nn.Embedding) -> None:
        super().__init__()
        self.LayerNorm = nn.LayerNorm(config.width, eps=config.layer_norm_eps)
        self.dense = nn.Linear(config.hidden_size, config.width)
        self.decoder = nn.Linear(config.width, config.vocab_size)
        self.decoder.weight = words.weight
        self.bias = self.decoder.bias
        self.activation = ACTIVATIONS[config.hidden_act]

    def forward(self, hidden: Tensor) -> Tensor:
        return self.decoder(self.LayerNorm(self.activation(self.dense(hidden))))


class AlbertForPreTraining(FamilyModel):
    def __init__(self, config: FamilyConfig, labels: int) -> None:
        super().__init__()
        self.albert = AlbertModel(config)
        self.predictions = AlbertMLMHead(config, self.albert.embeddings.word_embeddings)
        self.classifier = nn.Linear(config.hidden_size, labels)

    def outputs(self, hidden: Tensor) -> dict[str, Tensor]:
        pooled = self.albert.pooler(hidden[:, 0]).tanh()
        return {
            "mlm_logits": self.predictions(hidden),
            "pooler_output": pooled,
            "classifier_logits": self.classifier(pooled),
        }

"""ALBERT in plain PyTorch (Lan et al. 2019; transformers' `modeling_albert.py`)."""

from __future__ import annotations

from torch import Tensor, nn

from bert import ACTIVATIONS, Trace
from families import Embeddings, FamilyConfig, FamilyModel, attend, mask_bias


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

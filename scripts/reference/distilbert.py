"""DistilBERT in plain PyTorch (Sanh et al. 2019; transformers' `modeling_distilbert.py`)."""

from __future__ import annotations

from torch import Tensor, nn

from bert import ACTIVATIONS, Trace
from families import Embeddings, FamilyConfig, FamilyModel, attend, mask_bias


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

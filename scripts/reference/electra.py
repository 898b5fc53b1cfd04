"""ELECTRA in plain PyTorch (Clark et al. 2020; transformers' `modeling_electra.py`)."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from bert import Encoder, Trace
from families import DenseHead, Embeddings, FamilyConfig, FamilyModel, mask_bias


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

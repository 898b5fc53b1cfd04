"""RoBERTa in plain PyTorch (Liu et al. 2019; transformers' `modeling_roberta.py`). CamemBERT and XLM-R are the same."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bert import Encoder, Pooler, Trace
from families import DenseHead, Embeddings, FamilyConfig, FamilyModel, mask_bias


class RobertaEmbeddings(Embeddings):
    """Positions count from the padding id + 1; padding has the padding id's."""

    def __init__(self, config: FamilyConfig) -> None:
        super().__init__(config)
        self.padding = config.pad_token_id

    def position_ids(self, input_ids: Tensor) -> Tensor:
        is_token = (input_ids != self.padding).long()
        return torch.cumsum(is_token, dim=1) * is_token + self.padding


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

"""The golden BERTs: what each of them is, and the interventions that the first one runs with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor

from bert import BertConfig, BertHeads

Tensors = dict[str, Tensor]

# 101 different entries: the letters spell any lower-case word, the words give whole tokens and pieces.
VOCABULARY = (
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    + [chr(letter) for letter in range(ord("a"), ord("z") + 1)]
    + ["##" + chr(letter) for letter in range(ord("a"), ord("z") + 1)]
    + list(".,!?'-")
    + "the time flies like an arrow fruit banana cat sat on mat and it was is of to in he she".split()
    + "##st ##nd ##ed ##ing ##er ##ly ##ies ##an ##rr ##ow ##at ##na ##it ##ru ##th ##en ##un".split()
)


@dataclass(frozen=True)
class Golden:
    """One model of the set: what it is, and how its stored names differ from the canonical ones."""

    name: str
    seed: int
    config: BertConfig
    heads: BertHeads
    dtype: torch.dtype
    lengths: tuple[tuple[int, int], ...]  # tokens of the first and second text of each sequence
    rename: Callable[[Tensors, torch.Generator], Tensors] = lambda tensors, _: tensors
    extra_config: dict[str, Any] = field(default_factory=dict)
    texts: tuple[str, str] | None = None  # of the first sequence, in whole entries of VOCABULARY


def gamma_beta(tensors: Tensors, generator: torch.Generator) -> Tensors:
    """TensorFlow's norm names, the bias under its decoder, and the leftovers of pre-training."""
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma")
        .replace("LayerNorm.bias", "LayerNorm.beta")
        .replace("cls.predictions.bias", "cls.predictions.decoder.bias"): tensor
        for name, tensor in tensors.items()
    }
    hidden, positions = tensors["bert.pooler.dense.weight"].shape[0], 24
    renamed["bert.embeddings.position_ids"] = torch.arange(positions)[None]
    renamed["cls.seq_relationship.weight"] = torch.randn(2, hidden, generator=generator)
    renamed["cls.seq_relationship.bias"] = torch.randn(2, generator=generator)
    return renamed


def without_prefix(tensors: Tensors, _: torch.Generator) -> Tensors:
    """The names that a bare `BertModel` saves."""
    return {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}


MODELS = (
    Golden(
        name="odd-sizes",
        seed=1,
        config=BertConfig(101, 60, 3, 5, 100, max_position_embeddings=40),
        heads=BertHeads(pooler=True, mlm=True),
        dtype=torch.float32,
        lengths=((4, 5), (7, 0), (2, 1)),
        texts=("time flies like [MASK]", "fruit flies like a banana"),
    ),
    Golden(
        name="gamma-beta",
        seed=2,
        config=BertConfig(
            67, 32, 2, 4, 64, max_position_embeddings=24, hidden_act="gelu_new", layer_norm_eps=1e-5
        ),
        heads=BertHeads(pooler=True, mlm=True, tied_decoder=False),
        dtype=torch.float32,
        lengths=((9, 4), (3, 3)),
        rename=gamma_beta,
        extra_config={"architectures": ["BertForPreTraining"], "tie_word_embeddings": False},
    ),
    Golden(
        name="half-classifier",
        seed=3,
        config=BertConfig(101, 48, 2, 3, 96, max_position_embeddings=32, hidden_act="relu"),
        heads=BertHeads(pooler=True, labels=3),
        dtype=torch.float16,
        lengths=((5, 6), (8, 0), (1, 2)),
        texts=("she sat on the mat", "he was in the arrow ."),
        extra_config={
            "architectures": ["BertForSequenceClassification"],
            "id2label": {"0": "negative", "1": "neutral", "2": "positive"},
            "label2id": {"negative": 0, "neutral": 1, "positive": 2},
            "torch_dtype": "float16",
        },
    ),
    Golden(
        name="bfloat16-no-prefix",
        seed=4,
        config=BertConfig(80, 64, 2, 4, 72, max_position_embeddings=20, hidden_act="gelu_pytorch_tanh"),
        heads=BertHeads(),
        dtype=torch.bfloat16,
        lengths=((6, 4), (2, 0)),
        rename=without_prefix,
        extra_config={"architectures": ["BertModel"], "torch_dtype": "bfloat16"},
    ),
)


# Each as `model.attend(text, {interventions})` takes it; tokens 0 to 5 are in every sequence.
INTERVENTIONS: tuple[dict[str, Any], ...] = (
    {"heads": [{"layer": 1, "head": 2, "scale": 0}]},
    {"heads": [{"layer": 0, "head": 0, "scale": 0.5}, {"layer": 2, "head": 4, "scale": 2}]},
    {"layersOff": [1]},
    {"layersOff": [0, 2]},
    {"maskedTokens": [0, 3]},
    {"edges": [{"layer": 1, "head": 1, "query": 2, "key": 0, "weight": 0.75, "renormalise": False}]},
    {"edges": [{"layer": 0, "head": 3, "query": 1, "key": 5, "weight": 0, "renormalise": True}]},
    {
        "edges": [
            {"layer": 1, "head": 1, "query": 4, "key": 2, "weight": 0.3, "renormalise": True},
            {"layer": 1, "head": 1, "query": 4, "key": 0, "weight": 0.5, "renormalise": False},
            {"layer": 2, "head": 0, "query": 0, "key": 0, "weight": 1, "renormalise": True},
        ]
    },
    {"causal": True},
    {"temperature": 0.5},
    {"temperature": {"0": 3, "2": 0.25}},
    {"scoreScale": "hidden"},
    {"scoreScale": "none"},
    {
        "heads": [{"layer": 2, "head": 1, "scale": -1}],
        "layersOff": [1],
        "maskedTokens": [4],
        "edges": [{"layer": 0, "head": 2, "query": 3, "key": 5, "weight": 0.25, "renormalise": True}],
        "causal": True,
        "temperature": 2,
        "scoreScale": "hidden",
    },
)

"""Hugging Face BERT folders (`config.json`, `model.safetensors`) in and out of `bert.Bert`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Mapping

import torch
from torch import Tensor

import safetensors_io
from bert import Bert, BertConfig, BertHeads

# In checkpoints, not in the computation: the pre-training pair task, and a constant 0..n-1.
UNUSED = re.compile(r"cls\.seq_relationship\.|.*\.position_ids$")


class CheckpointError(ValueError):
    """The folder does not hold a BERT; the text names the file, expected and found."""


def canonical_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Gives every spelling in use the name `bert.Bert` has for it, and drops what is not computed with.

    Spellings: no `bert.` prefix (`BertModel`), `LayerNorm.gamma`/`beta` (converted from TensorFlow),
    `cls.predictions.decoder.bias` (transformers writes it beside, or instead of, `cls.predictions.bias`).
    """
    renamed: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        name = name.replace("cls.predictions.decoder.bias", "cls.predictions.bias")
        if re.match(r"(embeddings|encoder|pooler)\.", name):
            name = "bert." + name
        if not UNUSED.match(name):
            renamed[name] = tensor
    return renamed


def heads_of(tensors: Mapping[str, Tensor], config: Mapping[str, Any]) -> BertHeads:
    """Which heads the (canonically named) weights make up.

    A stored `decoder.weight` is used unless the config says that it is tied, as transformers does;
    `tie_word_embeddings` defaults to true there.
    """
    labels = tensors["classifier.weight"].shape[0] if "classifier.weight" in tensors else 0
    tied = bool(config.get("tie_word_embeddings", True))
    return BertHeads(
        pooler="bert.pooler.dense.weight" in tensors,
        mlm="cls.predictions.transform.dense.weight" in tensors,
        tied_decoder=tied or "cls.predictions.decoder.weight" not in tensors,
        labels=labels,
    )


def load_model(folder: str | os.PathLike[str], dtype: torch.dtype = torch.float32) -> Bert:
    """Loads a folder for inference, its stored weights converted to `dtype`."""
    folder = Path(folder)
    for name in ("config.json", "model.safetensors"):
        if not (folder / name).is_file():
            files = "config.json and model.safetensors"
            raise CheckpointError(f"{folder}: expected a folder with {files}, found no {name}")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        parsed = BertConfig.from_dict(config)
    except (ValueError, TypeError) as error:
        raise CheckpointError(f"{folder / 'config.json'}: expected a BERT configuration: {error}") from None
    stored, _ = safetensors_io.load(folder / "model.safetensors")
    tensors = canonical_names(stored)
    heads = heads_of(tensors, config)
    if heads.tied_decoder:
        tensors.pop("cls.predictions.decoder.weight", None)
    model = Bert(parsed, heads)
    expected = model.state_dict()
    for name in expected.keys() | tensors.keys():
        want = list(expected[name].shape) if name in expected else "no such tensor"
        found = list(tensors[name].shape) if name in tensors else "none"
        if want != found:
            raise CheckpointError(f"{folder / 'model.safetensors'}: {name}: expected {want}, found {found}")
    model = model.to(dtype)
    model.load_state_dict({name: tensor.to(dtype) for name, tensor in tensors.items()})
    return model.eval()


def save_model(
    folder: str | os.PathLike[str],
    tensors: Mapping[str, Tensor],
    config: Mapping[str, Any],
) -> None:
    """Writes `config.json` and `model.safetensors`; the tensors keep their dtype."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    safetensors_io.save(folder / "model.safetensors", tensors, {"format": "pt"})

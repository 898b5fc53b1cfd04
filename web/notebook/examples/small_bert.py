"""The small model inside the package `bertscope`, as a model of transformers, for notebooks that have no network."""

from __future__ import annotations

import json

import torch
from bertscope.page import STATIC
from safetensors import safe_open
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast


def load() -> tuple[PreTrainedTokenizerFast, BertModel]:
    """Loads its tokenizer and its encoder, with the 8-bit weights as ordinary numbers."""
    with safe_open(STATIC / "bertscope-default.safetensors", "pt") as file:
        about = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    weights = {
        name.removeprefix("bert."): tensor.float() * _scale_of(tensors, name)
        for name, tensor in tensors.items()
        if name.startswith("bert.") and not name.endswith("_scale")
    }
    config = BertConfig(**json.loads(about["config.json"]), attn_implementation="eager")
    model = BertModel(config, add_pooling_layer=False).eval()
    model.load_state_dict(weights)
    names = json.loads(about["tokenizer_config.json"])
    special = {name: token for name, token in names.items() if name.endswith("_token")}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(about["tokenizer.json"]), **special)
    return tokenizer, model


def _scale_of(tensors: dict[str, torch.Tensor], name: str) -> torch.Tensor | float:
    """One number for each row of a quantized matrix; 1 for the other tensors."""
    scale = tensors.get(f"{name}_scale")
    return 1.0 if scale is None else scale[:, None]

"""A quantized file of one model as the Hugging Face folder that the other commands take."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor

import safetensors_io
from errors import InputError
from hadamard import rotated

FORMAT = "bertscope-int8"


def weights_of(tensors: dict[str, Tensor], version: str) -> dict[str, Tensor]:
    """Float32 for the levels of each row; rows are rotated in files of version 3 (`src/kernels/rotation.h`)."""
    weights = {}
    for name, tensor in tensors.items():
        if tensor.dtype == torch.int8:
            tensor = tensor.float() * tensors[f"{name}_scale"][:, None]
            tensor = rotated(tensor)[0] if version == "3" else tensor
        if not name.endswith("_scale"):
            weights[name] = tensor
    return weights


def unpack(path: Path, out: Path) -> None:
    """Writes config, weights in float32, tokenizer and `vocab.txt` of the quantized file to the folder `out`."""
    if not path.is_file():
        raise InputError(f"{path}: expected a quantized model, found no such file")
    tensors, metadata = safetensors_io.load(path)
    version = metadata.get("version")
    if metadata.get("format") != FORMAT or version not in ("1", "3"):
        raise InputError(f"{path}: expected {FORMAT} of version 1 or 3, found {metadata.get('format')} {version}")
    out.mkdir(parents=True, exist_ok=True)
    vocabulary = json.loads(metadata["tokenizer.json"])["model"]["vocab"]
    (out / "vocab.txt").write_text("".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.__getitem__)))
    for name, text in metadata.items():
        if name.endswith(".json"):
            (out / name).write_text(text, encoding="utf-8")
    safetensors_io.save(out / "model.safetensors", weights_of(tensors, version), {"format": "pt"})

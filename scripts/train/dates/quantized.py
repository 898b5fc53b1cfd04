"""The model in one file of the kind that `bertscope convert` writes: `bertscope-int8`, version 3.

A matrix is `<name>` I8 [out, in] with `<name>_scale` F32 [out]. Its rows are rotated in blocks first, as
`src/kernels/rotation.h` says; everything else is F32.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor

import safetensors_io
from hadamard import rotated
from marian import MarianConfig, MarianMTModel
from vocabulary import SPECIAL_TOKENS, tokenizer_json

LEVELS = 127
NOT_OF_CONFIG = {"architectures", "model_type", "decoder_vocab_size", "is_encoder_decoder"} | {
    "share_encoder_decoder_embeddings", "tie_word_embeddings", "dropout",
}  # fmt: skip


def quantize(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """The levels and the scales of its rows."""
    turned, size = rotated(matrix.float())
    scale = turned.abs().amax(1) / LEVELS
    return (turned / scale[:, None]).round().to(torch.int8), scale / size


def restore(levels: Tensor, scale: Tensor) -> Tensor:
    return rotated(levels.float() * scale[:, None])[0]


def tokenizer_config() -> dict[str, object]:
    pad, start, end, unknown = SPECIAL_TOKENS
    names = {"pad_token": pad, "bos_token": start, "eos_token": end, "unk_token": unknown}
    return {"tokenizer_class": "PreTrainedTokenizerFast"} | names


def text_files(config: MarianConfig) -> dict[str, str]:
    """What lies beside the weights in a folder, and in the metadata of the one file."""
    contents = {
        "config.json": config.to_json(),
        "tokenizer.json": tokenizer_json(),
        "tokenizer_config.json": tokenizer_config(),
    }
    return {name: json.dumps(content, ensure_ascii=False) for name, content in contents.items()}


def save_quantized(model: MarianMTModel, path: Path) -> None:
    tensors: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        if tensor.dim() == 2 and name != "final_logits_bias":
            tensors[name], tensors[f"{name}_scale"] = quantize(tensor)
        else:
            tensors[name] = tensor
    metadata = {"format": "bertscope-int8", "version": "3"} | text_files(model.config)
    safetensors_io.save(path, tensors, metadata)


def load_quantized(path: Path) -> MarianMTModel:
    """The model as the file has it, in float32: what the engine computes with in float32 mode."""
    tensors, metadata = safetensors_io.load(path)
    config = json.loads(metadata["config.json"])
    model = MarianMTModel(MarianConfig(**{name: value for name, value in config.items() if name not in NOT_OF_CONFIG}))
    model.load_state_dict({
        name: restore(tensor, tensors[f"{name}_scale"]) if tensor.dtype == torch.int8 else tensor
        for name, tensor in tensors.items()
        if not name.endswith("_scale")
    })  # fmt: skip
    return model.eval()

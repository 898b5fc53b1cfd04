"""The model that writes dates, as a model of transformers. Its file lies in `web/models/dates`, or beside this one."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors import safe_open
from tokenizers import Tokenizer
from transformers import MarianConfig, MarianMTModel, PreTrainedTokenizerFast

NAME = "bertscope-dates.safetensors"
HERE = Path(__file__).parent
FILE = next(path for path in (HERE / NAME, HERE / "../../models/dates" / NAME) if path.exists())


def load() -> tuple[PreTrainedTokenizerFast, MarianMTModel]:
    """Loads its tokenizer, and both halves of it with the 8-bit weights as ordinary numbers."""
    with safe_open(FILE, "pt") as file:
        about = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    weights = {
        name: _whole(tensor, tensors[f"{name}_scale"]) if f"{name}_scale" in tensors else tensor
        for name, tensor in tensors.items()
        if not name.endswith("_scale")
    }
    config = MarianConfig(**json.loads(about["config.json"]), attn_implementation="eager")
    model = MarianMTModel(config).eval()
    missing = model.load_state_dict(weights, strict=False).missing_keys
    # These are the table of tokens once more, and sinusoids that transformers computes.
    assert all(name.split(".")[-2] in ("embed_tokens", "embed_positions", "lm_head") for name in missing), missing
    model.tie_weights()
    names = json.loads(about["tokenizer_config.json"])
    special = {name: token for name, token in names.items() if name.endswith("_token")}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(about["tokenizer.json"]), **special)
    return tokenizer, model


def _whole(rotated: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Turns the blocks of the rows back, which were rotated so that no large weight makes the others coarse."""
    out, width = rotated.shape
    size = next(size for size in (64, 32, 16, 8, 4, 1) if width % size == 0)
    hadamard = torch.ones(1, 1)
    while len(hadamard) < size:
        hadamard = torch.cat([torch.cat([hadamard, hadamard], 1), torch.cat([hadamard, -hadamard], 1)])
    return ((rotated.float() * scale[:, None]).view(out, -1, size) @ hadamard).view(out, width)

#!/usr/bin/env python3
"""Makes `tests/golden/distances.safetensors`: how PyTorch explains the golden models whose scores depend on distances.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_distance_golden.py [-o tests/golden]

Of the first sequence of the golden MPNet, which adds biases to its scores, and DeBERTa, which adds products with vectors of
distances, in float64, rounded once to F32: `MODEL.values`, `MODEL.gradient`, `MODEL.integrated`, `MODEL.contrast.gradient`
and `MODEL.contrast.integrated`, as `make_decoder_golden.py` makes them, at MASKED_TOKEN; and `MODEL.value-zeroing` [T],
the shares of that token by how far the output of each layer turns when a hook sets the values of one token to 0 (Mohebbi
et al. 2023), followed through all layers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModelForMaskedLM

import safetensors_io
from make_decoder_golden import MASKED_TOKEN, exact_model, gradients, product, turns, write_golden

# The map that makes the values of a layer.
VALUES = {"mpnet": "attention.attn.v", "deberta-v2": "attention.self.value_proj"}


def explained(golden: Path) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name, values in VALUES.items():
        model = exact_model(AutoModelForMaskedLM, golden / name)
        batch, _ = safetensors_io.load(golden / name / "expected.safetensors")
        ids = batch["input_ids"][:1, : int(batch["attention_mask"][0].sum())].long()
        found = gradients(model, ids, MASKED_TOKEN)
        with torch.no_grad():
            each = [
                turns(lambda: model(ids), layer, layer.get_submodule(values), lambda row: row, ids.shape[1])
                for layer in model.base_model.encoder.layer
            ]
        found["value-zeroing"] = product(each)[MASKED_TOKEN]
        tensors |= {f"{name}.{key}": tensor for key, tensor in found.items()}
    return tensors


if __name__ == "__main__":
    sys.exit(write_golden("distances.safetensors", "Makes what src/analysis is tested against with distances.", explained))

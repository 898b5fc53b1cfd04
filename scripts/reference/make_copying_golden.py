#!/usr/bin/env python3
"""Makes `tests/golden/copying-heads.json`: the scores that TransformerLens' head detector gives the golden decoders.

    pip install torch -r scripts/reference/requirements.txt
    git clone https://github.com/TransformerLensOrg/TransformerLens
    python3 scripts/reference/make_copying_golden.py TransformerLens [-o tests/golden]

Of the checkout, `transformer_lens/head_detector.py` is run, without the models that the package would load; the attention
is that of transformers. The tokens are some that come twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from transformers import AutoModelForCausalLM

FAMILIES = ("gpt2", "llama", "gpt_neox")
REPEATED = (5, 17, 40, 33, 8, 71, 62, 99, 12, 54)
PATTERNS = {
    "previous": "previous_token_head",
    "duplicate": "duplicate_token_head",
    "induction": "induction_head",
}


def head_detector(checkout: Path) -> dict[str, Any]:
    """The names of the detector's module, whose imports of the package are replaced by what it uses of them."""
    package = ModuleType("transformer_lens")
    utilities = ModuleType("transformer_lens.utilities")
    utilities.is_lower_triangular = lambda matrix: matrix.equal(matrix.tril())
    utilities.is_square = lambda matrix: matrix.dim() == 2 and matrix.shape[0] == matrix.shape[1]
    sys.modules |= {"transformer_lens": package, "transformer_lens.utilities": utilities}
    for name in ("ActivationCache", "HookedTransformer"):
        module = ModuleType(f"transformer_lens.{name}")
        setattr(module, name, object)
        sys.modules[module.__name__] = module
    names: dict[str, Any] = {}
    exec((checkout / "transformer_lens" / "head_detector.py").read_text(), names)
    return names


def scores(folder: Path, detector: dict[str, Any]) -> dict[str, list[float]]:
    """For each pattern the score of each head, [layers * heads]."""
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    ids = torch.tensor([REPEATED * 2])
    attentions = model(ids, output_attentions=True).attentions
    score = detector["compute_head_attention_similarity_score"]
    options = {"exclude_bos": False, "exclude_current_token": False, "error_measure": "mul"}
    found = {}
    for name, pattern in PATTERNS.items():
        wanted = detector[f"get_{pattern}_detection_pattern"](ids)
        found[name] = [score(head.clone(), wanted, **options) for layer in attentions for head in layer[0]]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="of TransformerLens")
    parser.add_argument("-o", "--output", type=Path, default=Path("tests/golden"))
    options = parser.parse_args()
    detector = head_detector(options.checkout)
    with torch.no_grad():
        families = {family: scores(options.output / family, detector) for family in FAMILIES}
    golden = {"repeated": REPEATED, "families": families}
    (options.output / "copying-heads.json").write_text(json.dumps(golden))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the golden models of GPT-2, ModernBERT, MPNet, DeBERTa, Llama, Qwen2, Qwen3 and GPT-NeoX in `tests/golden`, from transformers' own modules.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_transformers_golden.py [-o tests/golden]

Each folder has what transformers saves, a small tokenizer, and what the model computes of a padded
batch (`expected.safetensors`, as `make_family_golden.py` does). The decoders also have the tokens with
which they continue texts (`greedy.safetensors`). All have the ids of the last thousand strings of
`hard-strings.json` (`ids.json.gz`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

import golden_deberta
import golden_gpt2
import golden_llama
import golden_modernbert
import golden_mpnet
import golden_neox


def main() -> int:
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden"
    parser = argparse.ArgumentParser(description="Makes the golden models of transformers' families.")
    parser.add_argument("-o", "--out", type=Path, default=golden)
    torch.set_num_threads(1)
    out: Path = parser.parse_args().out
    makers = (
        ("gpt2", golden_gpt2.make, 21),
        ("modernbert", golden_modernbert.make, 22),
        ("llama", golden_llama.make, 23),
        ("qwen2", golden_llama.make, 24),
        ("gpt_neox", golden_neox.make, 25),
        ("llama3", golden_llama.make, 26),
        ("qwen3", golden_llama.make, 28),
        ("mpnet", golden_mpnet.make, 29),
        ("gpt2-scaled", golden_gpt2.make, 30),
        ("deberta-v2", golden_deberta.make, 31),
    )
    for name, write, seed in makers:
        write(out / name, seed)
        print(f"{out / name}: {sum(path.stat().st_size for path in (out / name).iterdir()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

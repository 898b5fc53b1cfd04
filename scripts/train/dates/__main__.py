"""Trains the small encoder-decoder that writes dates: `python3 scripts/train/dates COMMAND`. See README.md."""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import fields
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent), str(FOLDER.parents[1] / "reference")]

try:
    import torch
except ImportError:
    sys.exit("torch: expected PyTorch 1.13 or newer (Debian: bash scripts/setup.sh --train), found none for this Python")

from evaluate import report  # noqa: E402: the path above comes first
from export import export  # noqa: E402
from forms import example  # noqa: E402
from golden import golden  # noqa: E402
from quantized import load_quantized  # noqa: E402
from train import Recipe, train  # noqa: E402

DEFAULT_WORK = Path("/var/tmp/bertscope-dates")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/train/dates", description="Trains an encoder-decoder that writes dates.")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="where the checkpoint is (%(default)s)")
    parser.add_argument("--threads", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("examples", help="print examples, each after its ISO date")
    command.add_argument("--count", type=int, default=20)
    command.add_argument("--seed", type=int, default=1)

    command = commands.add_parser("train", help="train a model")
    for field in fields(Recipe):
        kind = float if field.type == "float" else int
        command.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)

    command = commands.add_parser("evaluate", help="exact answers for dates that were held out, and cross attention")
    command.add_argument("file", type=Path, help="the quantized file")
    command.add_argument("--count", type=int, default=1_000_000)
    command.add_argument("--seed", type=int, default=1000)

    command = commands.add_parser("export", help="write a Hugging Face folder, and the quantized file")
    command.add_argument("folder", type=Path)
    command.add_argument("file", type=Path)

    command = commands.add_parser("golden", help="what the model computes, for the tests of the engine")
    command.add_argument("file", type=Path, help="the quantized file")
    command.add_argument("-o", "--out", type=Path, required=True, help="the .safetensors file of the values")
    return parser


def main() -> None:
    arguments = make_parser().parse_args()
    torch.set_num_threads(arguments.threads)
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    match arguments.command:
        case "examples":
            rng = random.Random(arguments.seed)
            for each in (example(rng) for _ in range(arguments.count)):
                print(each.iso, each.text)
        case "train":
            train(work, Recipe(**{field.name: getattr(arguments, field.name) for field in fields(Recipe)}))
        case "evaluate":
            report(load_quantized(arguments.file), arguments.seed, arguments.count)
        case "export":
            export(work, arguments.folder, arguments.file)
        case "golden":
            golden(load_quantized(arguments.file), arguments.out)


if __name__ == "__main__":
    main()

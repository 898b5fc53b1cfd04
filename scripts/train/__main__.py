"""Trains a small BERT from text: `python3 scripts/train COMMAND`, one command a stage. See README.md."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reference"))

try:
    import torch
except ImportError:
    sys.exit("torch: expected PyTorch 1.13 or newer (Debian: bash scripts/setup.sh --train), found none for this Python")

from blanks import blanks  # noqa: E402: the path above comes first
from checkpoint import CheckpointError  # noqa: E402
from corpus import count_words, prepare_corpus  # noqa: E402
from curve import curve  # noqa: E402
from errors import InputError  # noqa: E402
from evaluate import evaluate  # noqa: E402
from export import export  # noqa: E402
from heads import heads  # noqa: E402
from minimal_pairs import minimal_pairs  # noqa: E402
from mix import word_weights  # noqa: E402
from normalize import words  # noqa: E402
from pretrain import Plan, Recipe, pretrain  # noqa: E402
from reference import reference  # noqa: E402
from safetensors_io import SafetensorsError  # noqa: E402
from tokens import tokenize_corpus  # noqa: E402
from unpack import unpack  # noqa: E402
from wordpiece import WordPiece, extended_vocabulary, partial_vocabulary, read_tokens, train_vocabulary  # noqa: E402

EXAMPLE_SENTENCES = Path(__file__).with_name("example_sentences.txt")
MIN_WORD_COUNT = 3
DEFAULT_WORK = Path("/var/tmp/bertscope-train")


def make_vocabulary(work: Path, size: int, sentences: Path, extend: Path | None, part_of: Path | None) -> None:
    """Writes `vocab.txt`: new, or from the one in a folder, extended or cut.

    Every word of `sentences` becomes one token; of a part those that the whole has as one.
    """
    counts = count_words(work, word_weights(work / "corpus"))
    frequent = {word: count for word, count in counts.items() if count >= MIN_WORD_COUNT}
    required = words(sentences.read_text(encoding="utf-8"))
    if extend:
        tokens = extended_vocabulary(WordPiece.load(extend / "vocab.txt").tokens, frequent, required)
    elif part_of:
        tokens = partial_vocabulary(read_tokens(part_of / "vocab.txt"), frequent, size, required)
    else:
        tokens = train_vocabulary(frequent, size, required)
    (work / "vocab.txt").write_text("".join(f"{token}\n" for token in tokens), encoding="utf-8")
    print(f"{work / 'vocab.txt'}: {len(tokens):,} tokens from {len(frequent):,} words")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/train", description="Trains a small BERT from text.")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="data and checkpoints (%(default)s)")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: all)")
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("corpus", help="normalise, filter, deduplicate, split")
    command.add_argument("source", type=Path, help="a folder of *.txt.xz or *.txt files")

    command = commands.add_parser("vocab", help="train the WordPiece vocabulary")
    command.add_argument("--size", type=int, default=8192)
    command.add_argument("--sentences", type=Path, default=EXAMPLE_SENTENCES, help="their words stay whole")
    command.add_argument("--extend", type=Path, help="a Hugging Face folder whose vocab.txt to keep but for these words")

    command.add_argument("--part-of", type=Path, help="a Hugging Face folder whose vocab.txt to keep a part of")

    commands.add_parser("tokenize", help="turn the prepared text into ids")

    command = commands.add_parser("pretrain", help="train, or continue the run in the work folder")
    command.add_argument("--steps", type=int, help="the step to reach, counted from the run's begin")
    command.add_argument("--decay-steps", type=int, default=0, help="of these, the last so many lower the rate to 0")
    command.add_argument("--minutes", type=float, default=math.inf, help="stop after so long, to be continued")
    command.add_argument("--decay-minutes", type=float, default=0, help="lower the rate to 0 in so long, and stop")
    command.add_argument("--save-minutes", type=float, default=5)
    command.add_argument("--look-minutes", type=float, default=10, help="between looks at held-out accuracy")
    command.add_argument("--start-from", type=Path, help="a Hugging Face folder with vocab.txt to take the first weights from")
    for field in fields(Recipe):  # a continued run keeps its own
        if field.type == "bool":
            command.add_argument(f"--{field.name.replace('_', '-')}", action=argparse.BooleanOptionalAction)
        else:
            kind = float if field.type == "float" else int
            command.add_argument(f"--{field.name.replace('_', '-')}", type=kind)
        command.set_defaults(**{field.name: field.default})

    commands.add_parser("curve", help="the held-out figures of the run so far")

    command = commands.add_parser("export", help="write a Hugging Face folder")
    command.add_argument("out", type=Path)
    command.add_argument("--checkpoint", help="a file of the work folder (default: decayed.pt, else checkpoint.pt)")

    command = commands.add_parser("unpack", help="make a Hugging Face folder of a quantized file")
    command.add_argument("file", type=Path)
    command.add_argument("out", type=Path)

    measures = {
        "evaluate": "masked accuracy by corpus part",
        "heads": "what each head attends to",
        "minimal-pairs": "which of two sentences it finds likelier",
    }
    for name, text in measures.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("model", type=Path, help="a Hugging Face folder with vocab.txt")

    command = commands.add_parser("blanks", help="fill-in-the-blank examples")
    command.add_argument("model", type=Path, help="a Hugging Face folder with vocab.txt")
    command.add_argument("--also-in", type=Path, help="count only words that are one token in this vocab.txt too")

    command = commands.add_parser("reference", help="what a model computes, for the test of its quantized file")
    command.add_argument("model", type=Path, help="a Hugging Face folder with vocab.txt")
    command.add_argument("sentences", type=Path, help="a text file with a sentence a line")
    command.add_argument("-o", "--out", type=Path, required=True, help="the .safetensors file")
    return parser


def run_command(arguments: argparse.Namespace) -> None:
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    match arguments.command:
        case "corpus":
            prepare_corpus(arguments.source, work)
        case "vocab":
            make_vocabulary(work, arguments.size, arguments.sentences, arguments.extend, arguments.part_of)
        case "tokenize":
            tokenize_corpus(work)
        case "pretrain":
            given = vars(arguments)
            recipe = Recipe(**{field.name: given[field.name] for field in fields(Recipe)})
            plan = Plan(**{field.name: given[field.name] for field in fields(Plan)})
            pretrain(work, recipe, plan, arguments.start_from)
        case "curve":
            curve(work)
        case "export":
            export(work, arguments.out, arguments.checkpoint)
        case "evaluate":
            evaluate(arguments.model, work)
        case "heads":
            heads(arguments.model, work)
        case "unpack":
            unpack(arguments.file, arguments.out)
        case "minimal-pairs":
            minimal_pairs(arguments.model)
        case "blanks":
            blanks(arguments.model, arguments.also_in)
        case "reference":
            reference(arguments.model, arguments.sentences, arguments.out)


def main() -> int:
    arguments = make_parser().parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    try:
        run_command(arguments)
    except (InputError, CheckpointError, SafetensorsError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

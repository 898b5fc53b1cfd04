"""Checks the examples of dates, the commands that train on them, and the model in the repository.

--long: asks the model for 2,000 dates instead of 200.
"""

from __future__ import annotations

import contextlib
import io
import random
import runpy
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATES = ROOT / "scripts" / "train" / "dates"
MODEL = ROOT / "web" / "models" / "dates" / "bertscope-dates.safetensors"
GOLDEN = ROOT / "tests" / "golden" / "dates.safetensors"

main_of_dates = runpy.run_path(str(DATES), run_name="dates")["main"]

import torch  # noqa: E402: the path above comes first

import safetensors_io  # noqa: E402
from batches import held_out_examples, make_batch  # noqa: E402
from evaluate import cross_shares, exact_share  # noqa: E402
from forms import Example, example  # noqa: E402
from quantized import load_quantized, quantize, restore  # noqa: E402
from vocabulary import IDS, SPECIAL_TOKENS, encode, encode_example, split  # noqa: E402

SHAPE = ["--layers", "1", "--heads", "2", "--hidden", "32", "--intermediate", "32", "--steps", "40", "--batch", "16"]


def run(*arguments: str | Path) -> str:
    """Runs one command in this process, and returns what it printed."""
    sys.argv[1:] = list(map(str, arguments))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main_of_dates()
    return printed.getvalue()


def check_examples() -> None:
    """Checks that a seed gives one stream, and that no text means two dates."""
    rng, again = random.Random(3), random.Random(3)
    dates: dict[str, str] = {}
    for _ in range(100_000):
        each = example(rng)
        assert each == example(again), f"{each.text}: the same seed gave another example"
        text = each.text.lower()
        assert dates.setdefault(text, each.iso) == each.iso, f"{text}: {dates[text]} and {each.iso}"
    assert len(dates) > 95_000, f"expected texts of many kinds, found {len(dates)}"


def check_places() -> None:
    """Checks that each digit is read from the words that say it, and that the pieces are the text's tokens."""
    for each in held_out_examples(5, 5000):
        ids, said = encode_example(each)
        assert ids == encode(each.text), f"{each.text}: its pieces have other tokens"
        words = split(each.text)
        for place, sign in enumerate(each.iso):
            sources = [token for token, places in zip(words, said) if place in places]
            assert bool(sources) == sign.isdigit(), f"{each.text}: {sign} at {place} is read from {sources}"
            if len(sources) == 1 and sources[0].isdigit():
                assert sign in ("0", sources[0]), f"{each.text}: {sign} at {place} is read from {sources}"


def check_held_out() -> None:
    rng = random.Random(4)
    trained = {each.iso for each in (example(rng, incomplete=0.0) for _ in range(50_000))}
    held_out = {each.iso for each in held_out_examples(4, 5000, incomplete=0.0)}
    assert len(held_out) > 4000 and not trained & held_out, "a date that was held out is trained on"


def check_batch() -> None:
    """Checks which words of a batch each digit is read from."""
    day = (("twenty", (8,)), ("-", ()), ("third", (9,)))
    batch = make_batch([Example((("the ", ()), *day, (" of ", ()), ("March", (5, 6)), (" 2021", (0,))), "2XXX-03-23")])
    names = {index: token for token, index in IDS.items()}
    source = [names[index] for index in batch.source[0].tolist()]
    assert source == ["the", "twenty", "-", "third", "of", "march", "2", "0", "2", "1", "</s>"], source
    found = [" ".join(token for token, says in zip(source, row) if says) for row in batch.says[0].tolist()]
    assert found == ["2 0 2 1", "", "", "", "", "march", "march", "", "twenty", "third", ""], found


def check_quantization() -> None:
    matrix = torch.randn(7, 96, generator=torch.Generator().manual_seed(1))
    levels, scale = quantize(matrix)
    assert levels.abs().max() == 127 and (restore(levels, scale) - matrix).abs().max() < 0.04


def check_commands(work: Path) -> None:
    """Checks that training is the same twice, and that the model survives its way into a file."""
    assert run("--work", work, "examples", "--count", "3").count("\n") == 3
    printed = [run("--work", work / name, "train", *SHAPE) for name in ("first", "second")]
    assert "step 40" in printed[0], printed[0]
    states = [torch.load(work / name / "dates.pt")["model"] for name in ("first", "second")]
    for name, tensor in states[0].items():
        assert torch.equal(tensor, states[1][name]), f"{name} differs in a second run"
    file = work / "model.safetensors"
    run("--work", work / "first", "export", work / "folder", file)
    folder, _ = safetensors_io.load(work / "folder" / "model.safetensors")
    stored = load_quantized(file).state_dict()
    for name, tensor in folder.items():
        assert torch.equal(tensor, states[0][name]), f"{name} changed on its way out"
        assert (stored[name] - tensor).abs().max() <= tensor.abs().max() / 40, f"{name} changed in the quantized file"
    assert "| 0.1 |" in run("--work", work, "evaluate", file, "--count", "20")


def check_stored_model(work: Path, count: int) -> None:
    """Checks that the model in the repository reads dates, looks where they stand, and is what the golden values say."""
    assert MODEL.stat().st_size < 1_000_000
    model = load_quantized(MODEL)
    examples = held_out_examples(6, count, incomplete=0.0)
    exact = exact_share(model, examples)
    assert exact >= 0.995, f"expected 99.5 % exact, found {exact:.2%}"
    shares = cross_shares(model, examples[: count // 4]).flatten(0, 1).amax(0)
    assert (shares > 0.9).all(), f"expected heads that look at the part being written, found {shares.tolist()}"

    run("--work", work, "golden", MODEL, "-o", work / "golden.safetensors")
    made, texts = safetensors_io.load(work / "golden.safetensors")
    kept, kept_texts = safetensors_io.load(GOLDEN)
    assert texts == kept_texts and made.keys() == kept.keys()
    for name, tensor in kept.items():
        assert (made[name].double() - tensor.double()).abs().max() < 1e-4, f"{name} is not what it was"


def main() -> None:
    started = time.monotonic()
    count = 2000 if "--long" in sys.argv else 200  # before the commands take sys.argv
    check_examples()
    check_places()
    check_held_out()
    check_batch()
    check_quantization()
    assert list(IDS)[: len(SPECIAL_TOKENS)] == list(SPECIAL_TOKENS)
    with tempfile.TemporaryDirectory() as folder:
        check_commands(Path(folder))
        check_stored_model(Path(folder), count)
    print(f"dates: examples, training and the stored model are as they should be ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()

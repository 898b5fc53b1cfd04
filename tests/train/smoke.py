"""Runs the commands of the whole training chain on a toy text, and checks their results."""

from __future__ import annotations

import json
import os
import random
import runpy
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "scripts" / "train"
DEFAULT_MODEL = ROOT / "web" / "models" / "default" / "bertscope-default.safetensors"
sys.path[:0] = [str(TRAIN), str(ROOT / "scripts" / "reference")]
os.environ["OMP_WAIT_POLICY"] = "passive"  # read when PyTorch is loaded

import torch  # noqa: E402

import safetensors_io  # noqa: E402
from checkpoint import load_model, save_model  # noqa: E402
from normalize import UNK, words  # noqa: E402
from wordpiece import WordPiece  # noqa: E402

main_of_train = runpy.run_path(str(TRAIN), run_name="train")["main"]
# A process that has started threads of OpenMP's cannot be forked.
torch.set_num_threads(1)

SHAPE = ["--layers", "2", "--heads", "2", "--hidden", "32", "--intermediate", "64", "--warmup-steps", "5"]
SIZES = ["--step-tokens", "1024", "--batch-tokens", "512", "--rate", "1e-2"]


def train(work: Path, *arguments: str | Path, status: int = 0) -> str:
    """Runs one command in a forked process, which has PyTorch already, and returns what it printed."""
    command = list(map(str, ["--threads", "2", "--work", work, *arguments]))
    with tempfile.TemporaryFile() as printed:
        process = os.fork()
        if process == 0:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            os._exit(exit_status(command))
        ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        printed.seek(0)
        text = printed.read().decode()
    assert ended == status, f"{arguments}: expected status {status}, found {ended}\n{text}"
    return text


def exit_status(command: list[str]) -> int:
    """Runs a command in this process."""
    sys.argv[1:] = command
    status = 1
    try:
        status = main_of_train()
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def write_toy_text(folder: Path) -> None:
    """Writes sentences of a small grammar, a story of them, a blocked line, duplicates and a heading."""
    rng = random.Random(7)
    subjects = "the cat,the dog,a bird,my friend,the teacher,our neighbour".split(",")
    verbs = "sees,likes,finds,follows,paints,knows".split(",")
    places = "in the garden,near the river,at school,on the roof,by the window".split(",")

    def sentence() -> str:
        text = f"{rng.choice(subjects)} {rng.choice(verbs)} {rng.choice(subjects)} {rng.choice(places)}."
        return text.capitalize()

    lines = [f"{sentence()[:-1]} {number} times." for number in range(1500)]
    (folder / "tatoeba-eng.txt").write_text("\n".join([*lines, lines[0], "He was murdered in the garden."]) + "\n")
    story = [" ".join(sentence() for _ in range(rng.randrange(2, 9))) for _ in range(600)]
    (folder / "standardebooks-short-fiction.txt").write_text("\n".join(["CHAPTER", *story]) + "\n")


def weights(path: Path) -> dict[str, torch.Tensor]:
    return torch.load(path, map_location="cpu")["model"]


def check_preparation(source: Path, work: Path) -> None:
    printed = train(work, "corpus", source)
    assert "blocked 1, duplicate 1" in printed, printed
    kept = set((work / "corpus" / "tatoeba-eng.txt").read_text().split("\n"))
    held_out = set((work / "heldout" / "tatoeba-eng.txt").read_text().split("\n")) - {""}
    assert held_out and not held_out & kept, "held-out lines must exist and stay out of the training text"
    assert not any("murdered" in line for line in kept), "a blocked line was kept"

    train(work, "vocab", "--size", "400")
    tokenizer = WordPiece.load(work / "vocab.txt")
    for sentence in (TRAIN / "example_sentences.txt").read_text().splitlines():
        for word in words(sentence):
            assert len(tokenizer.pieces(word)) == 1, f"{word} is not one token"
    train(work, "tokenize")


def check_training(work: Path, other: Path) -> None:
    """Checks that the loss falls, a continued run equals an uninterrupted one, and a decay leaves the checkpoint."""
    other.mkdir()
    for name in ("tokens", "heldout", "vocab.txt"):
        (other / name).symlink_to(work / name)
    train(work, "pretrain", "--steps", "60", *SHAPE, *SIZES)
    train(other, "pretrain", "--steps", "25", *SHAPE, *SIZES)
    assert "continuing at step 25" in train(other, "pretrain", "--steps", "60")
    straight, resumed = weights(work / "checkpoint.pt"), weights(other / "checkpoint.pt")
    for name, tensor in straight.items():
        assert torch.equal(tensor, resumed[name]), f"{name} differs after a resume"

    train(work, "pretrain", "--steps", "90", "--decay-steps", "30")
    assert torch.load(work / "checkpoint.pt")["step"] == 60, "a decay changed the checkpoint to continue from"
    curve = [json.loads(line) for line in (work / "curve.jsonl").read_text().splitlines()]
    assert train(work, "curve").count("\n| ") == len(curve), "expected one row a note"
    assert curve[-1]["step"] == 90 and curve[-1]["everyday_loss"] < 3.5, curve


def check_warm_start(work: Path, model: Path, other: Path) -> None:
    """Checks that a run with another vocabulary keeps the weights of common tokens and begins new ones as means."""
    other.mkdir()
    for name in ("corpus", "heldout"):
        (other / name).symlink_to(work / name)
    (other / "sentences.txt").write_text("Blackbirds painted a rainbow.\n")
    train(other, "vocab", "--size", "300", "--sentences", other / "sentences.txt")
    train(other, "tokenize")
    train(other, "pretrain", "--steps", "1", "--start-from", model, *SHAPE, *SIZES, "--rate", "0")
    before, after = load_model(model).state_dict(), weights(other / "checkpoint.pt")
    old, new = WordPiece.load(work / "vocab.txt"), WordPiece.load(other / "vocab.txt")
    assert "rainbow" in new.ids and "rainbow" not in old.ids
    for name in ("bert.embeddings.word_embeddings.weight", "cls.predictions.bias"):
        for token in new.tokens:
            pieces = [old.ids[token]] if token in old.ids else old.spelling(token)
            expected = before[name][list(pieces)].mean(0)
            assert torch.allclose(after[name][new.ids[token]], expected, atol=1e-6), f"{name}: {token}"
    name = "bert.encoder.layer.1.attention.self.query.weight"
    assert torch.equal(before[name], after[name]), f"{name} differs"

    printed = train(other, "pretrain", "--decay-minutes", "0.03")
    curve = [json.loads(line) for line in (other / "curve.jsonl").read_text().splitlines()]
    assert "ETA 0:00:00" in printed and curve[-1]["step"] > 1, "a decay by the clock goes on, and ends"

    train(other, "vocab", "--extend", model, "--sentences", other / "sentences.txt")
    extended = WordPiece.load(other / "vocab.txt").tokens
    changed = {token for token, before in zip(extended, old.tokens, strict=True) if token != before}
    assert changed == {"blackbirds", "painted", "rainbow"} - old.ids.keys(), changed


def check_unpacking(work: Path) -> None:
    """Checks that the quantized file of the page becomes a folder that the measures take."""
    train(work, "unpack", DEFAULT_MODEL, work / "unpacked")
    tensors, metadata = safetensors_io.load(DEFAULT_MODEL)
    restored = load_model(work / "unpacked").state_dict()
    name = "bert.encoder.layer.0.output.dense.weight"
    expected = tensors[name].float() * tensors[f"{name}_scale"][:, None]
    assert metadata["version"] == "1" and torch.equal(restored[name], expected), "expected levels times scales"
    assert WordPiece.load(work / "unpacked" / "vocab.txt").tokens[-1] in metadata["tokenizer.json"]
    found = train(work, "unpack", work / "unpacked" / "model.safetensors", work / "nowhere", status=2)
    assert "expected bertscope-int8 of version 1 or 3" in found, found


def check_shrinking(work: Path, model: Path, other: Path) -> None:
    """Checks first weights from a larger model without a masked-LM head, by a part of its vocabulary."""
    larger = other / "larger"
    larger.mkdir(parents=True)
    for name in ("corpus", "heldout"):
        (other / name).symlink_to(work / name)
    tensors = {name: tensor for name, tensor in load_model(model).state_dict().items() if not name.startswith("cls.")}
    save_model(larger, tensors, json.loads((model / "config.json").read_text()))
    tokens = (model / "vocab.txt").read_text().splitlines()
    (larger / "vocab.txt").write_text("\n".join(tokens) + "\n")

    train(other, "vocab", "--part-of", larger, "--size", "240")
    part, whole = WordPiece.load(other / "vocab.txt"), WordPiece.load(model / "vocab.txt")
    assert len(part.tokens) == 240, f"expected 240 tokens, found {len(part.tokens)}"
    assert part.ids.keys() < whole.ids.keys(), f"expected a part, found {part.ids.keys() - whole.ids.keys()}"
    for token in whole.tokens[5:]:
        assert UNK not in part.spelling(token), f"{token}: expected the part to spell it"
    too_small = train(other, "vocab", "--part-of", larger, "--size", "20", status=2)
    assert "expected at least" in too_small, too_small

    train(other, "tokenize")
    shape = ["--layers", "1", "--heads", "1", "--hidden", "32", "--intermediate", "24"]
    train(other, "pretrain", "--steps", "6", "--start-from", larger, *shape, *SIZES, "--head-steps", "6")
    after = weights(other / "checkpoint.pt")
    layer = "bert.encoder.layer.0"
    key = "attention.self.key.weight"
    kept = [torch.equal(half, after[f"{layer}.{key}"][:16]) for half in tensors[f"{layer}.{key}"].split(16)]
    assert kept.count(True) == 1, "expected the keys of one of two heads, as they were"
    assert not after[f"{layer}.{key}"][16:].any(), "expected the head's new keys to begin with 0"
    output = "attention.output.dense.weight"
    columns = tensors[f"{layer}.{output}"].split(16, dim=1)[kept.index(True)]
    assert torch.equal(after[f"{layer}.{output}"], torch.cat([columns, torch.zeros(32, 16)], dim=1)), (
        "expected the same head's output, and nothing of the new numbers"
    )
    inner, rows = after[f"{layer}.intermediate.dense.weight"], tensors[f"{layer}.intermediate.dense.weight"]
    kept = (inner[:, None] == rows).all(-1).int().argmax(1)
    assert torch.equal(inner, rows[kept]) and len(kept.unique()) == 24, "expected 24 neurons of the larger model"
    outer = after[f"{layer}.output.dense.weight"]
    assert torch.equal(outer, tensors[f"{layer}.output.dense.weight"][:, kept]), "expected the same neurons' outputs"
    assert after["cls.predictions.transform.dense.bias"].any(), "the head has not learned"
    more = ["--heads", "4", "--hidden", "32", "--intermediate", "64"]
    (other / "checkpoint.pt").unlink()
    found = train(other, "pretrain", "--steps", "1", "--start-from", larger, *more, *SIZES, status=2)
    assert "expected at least 4 heads, found 2" in found, found


def check_export(work: Path, model: Path) -> None:
    train(work, "export", model)
    for name in ("config.json", "model.safetensors", "vocab.txt", "tokenizer.json", "tokenizer_config.json"):
        assert (model / name).is_file(), f"{name} is missing"
    loaded = load_model(model).state_dict()
    for name, tensor in weights(work / "decayed.pt").items():
        assert torch.equal(loaded[name], tensor.half().float()), f"{name} changed on its way out"
    assert "everyday sentences" in train(work, "evaluate", model)
    assert train(work, "heads", model).count("\n| ") == 2 * 2 + 1, "expected one row a head"
    assert "top-5" in train(work, "blanks", model)
    assert train(work, "minimal-pairs", model).count("%") == 12 + 1, "expected a share for each phenomenon and for all"
    train(work, "reference", model, TRAIN / "example_sentences.txt", "-o", work / "reference.safetensors")
    tensors, _ = safetensors_io.load(work / "reference.safetensors")
    assert (tensors["0.attention"].sum(-1).sub(32767).abs() < 16).all(), "expected rows of attention that sum to 1"
    command = [sys.executable, "-B", str(TRAIN), "--work", str(work), "evaluate", str(work / "nowhere")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2 and found.stderr.count("\n") == 1, f"expected one line, found {found}"


def main() -> None:
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        source, work = Path(folder) / "source", Path(folder) / "work"
        source.mkdir()
        write_toy_text(source)
        check_preparation(source, work)
        check_training(work, Path(folder) / "resumed")
        check_export(work, Path(folder) / "model")
        check_warm_start(work, Path(folder) / "model", Path(folder) / "warm")
        check_unpacking(work)
        check_shrinking(work, Path(folder) / "model", Path(folder) / "small")
    print(f"train: the chain runs, resumes exactly and exports ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()

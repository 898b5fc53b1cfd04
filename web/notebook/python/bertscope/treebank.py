"""What the heads of a model know of grammar, measured on annotated sentences by the command `bertscope`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import BertscopeError
from .models import given_model


def syntax(
    model: Any = None,
    path: str | os.PathLike[str] | None = None,
    *,
    tokenizer: Any = None,
    precision: str = "int8",
    draws: int = 200,
    seed: int = 1,
    command: Sequence[str] | None = None,
) -> Any:
    """Finds the head that shows each grammatical relation most often, beside what the position of words alone finds::

        table = bertscope.syntax("my-bert/", "en_pud-ud-test.conllu")
        table[table.low > table.position_share]      # relations that some head finds better than position
        bertscope.syntax("my-bert/", "pairs.tsv")    # pairs of words of your own: a header row of sentence, from and to

    The command does the work, in this process's machine and without a notebook, so Node.js and bertscope's command line
    must be there.

    Args:
        model: The small model that comes with the command unless given. Or the path of a Hugging Face folder or of a
            quantized file, or a model of transformers.
        path: A treebank in CoNLL-U (.conllu), or a table (.csv, .tsv) with the columns `sentence`, `from` and `to`, which
            are words of the sentence; `the#2` is the second "the" in it. 174 English sentences unless given.
        tokenizer: The tokenizer of a model of transformers.
        precision: `int8`, as in the page, or `f32`.
        draws: How many imagined files make the intervals.
        seed: Of the imagined files.
        command: What runs the command line; `["bertscope"]` unless given, as found on the PATH.

    Returns:
        A row for each relation, the most frequent first: a data frame if pandas is there, else a list of dicts. The
        columns are those of `bertscope syntax -o table.csv`; `low` and `high` are NaN where fewer than six sentences have
        the relation.

    Raises:
        BertscopeError: The command or the file is not there, or the command refused the model or the file.
    """
    program = _program(command)
    sentences = None if path is None else _sentences(path)
    given = None if model is None else given_model(model, tokenizer)
    places = [str(place) for place in (given and given.root, sentences) if place is not None]
    with tempfile.TemporaryDirectory(prefix="bertscope-") as folder:
        report = Path(folder, "report.json")
        options = ["--precision", precision, "--draws", str(draws), "--seed", str(seed), "-o", str(report)]
        ran = subprocess.run([*program, "syntax", *options, *places], capture_output=True, encoding="utf-8", check=False)
        if ran.returncode != 0:
            said = ran.stderr.strip().splitlines() or [f"the command ended with {ran.returncode}"]
            raise BertscopeError(said[-1].removeprefix("bertscope: "))
        rows = _rows(json.loads(report.read_text(encoding="utf-8")))
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _program(command: Sequence[str] | None) -> list[str]:
    if command is not None:
        program = [os.fspath(part) for part in command]
        if not program or shutil.which(program[0]) is None:
            raise BertscopeError(f"command: expected a program and its arguments, found {program}, which is not there")
        return program
    found = shutil.which("bertscope")
    if found is None:
        raise BertscopeError(
            "expected the command bertscope on the PATH, found none; install Node.js and bertscope’s package, or give "
            "command=[…]"
        )
    return [found]


def _sentences(path: str | os.PathLike[str]) -> Path:
    place = Path(path).expanduser()
    if not place.is_file():
        found = "a folder" if place.is_dir() else "nothing"
        raise BertscopeError(f"{path}: expected a treebank (.conllu) or a table of pairs (.csv, .tsv), found {found}")
    return place


def _rows(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The best head of each relation beside the best fixed offset."""
    return [
        {
            "relation": each["relation"],
            "links": each["links"],
            "layer": each["best"]["layer"],
            "head": each["best"]["head"],
            "direction": each["best"]["direction"],
            "right": each["best"]["right"],
            "share": _number(each["best"]["share"]),
            "low": _number(each["best"]["interval"][0]),
            "high": _number(each["best"]["interval"][1]),
            "offset": each["position"]["offset"],
            "position_right": each["position"]["right"],
            "position_share": _number(each["position"]["share"]),
        }
        for each in report["relations"]
    ]


def _number(share: float | None) -> float:
    """JSON has no fraction in a share of 1, and none at all where too few imagined files have the relation."""
    return float("nan") if share is None else float(share)

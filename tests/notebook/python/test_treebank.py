"""The command line's figures come as rows, with pandas and without."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import bertscope
from bertscope import BertscopeError

COMMAND = [os.environ.get("NODE", "node"), str(Path(__file__).parents[3] / "scripts" / "bertscope.mjs")]

DOGS = """1\tBig\t_\t_\t_\t_\t2\tamod\t_\t_
2\tdogs\t_\t_\t_\t_\t3\tnsubj\t_\t_
3\tbark\t_\t_\t_\t_\t0\troot\t_\t_

1\tDogs\t_\t_\t_\t_\t2\tnsubj\t_\t_
2\tbark\t_\t_\t_\t_\t0\troot\t_\t_
"""


def without_pandas() -> mock._patch_dict:
    return mock.patch.dict(sys.modules, {"pandas": None})


class SyntaxTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.path = self.root / "dogs.conllu"
        self.path.write_text(DOGS)

    def test_the_rows_are_those_of_the_command(self) -> None:
        table = self.root / "table.csv"
        subprocess.run([*COMMAND, "syntax", str(self.path), "-o", str(table)], check=True, capture_output=True)
        with table.open(newline="") as file:
            expected = list(csv.DictReader(file))
        with without_pandas():
            rows = bertscope.syntax(path=self.path, command=COMMAND)
        self.assertEqual([row["relation"] for row in rows], ["nsubj", "amod"])
        for row, wanted in zip(rows, expected):
            self.assertEqual(list(row), list(wanted))
            for name, value in row.items():
                text = f"{value:.4f}" if isinstance(value, float) else str(value)
                # Two sentences say nothing about others.
                self.assertEqual("" if text == "nan" else text, wanted[name])
                self.assertEqual(text == "nan", name in ("low", "high"))

    def test_with_pandas_they_are_a_data_frame(self) -> None:
        stand_in = types.SimpleNamespace(DataFrame=lambda rows: ("frame", len(rows)))
        with mock.patch.dict(sys.modules, {"pandas": stand_in}):
            self.assertEqual(bertscope.syntax(path=self.path, command=COMMAND, draws=2), ("frame", 2))

    def test_a_bad_file_is_refused_in_the_command_s_words(self) -> None:
        self.path.write_text("1\tDogs\t_\t_\t_\t_\t9\tnsubj\t_\t_\n")
        with self.assertRaisesRegex(BertscopeError, r"dogs\.conllu: line 1: expected a head .* found 9$"):
            bertscope.syntax(path=self.path, command=COMMAND)

    def test_a_missing_command_is_named(self) -> None:
        with mock.patch("shutil.which", return_value=None), self.assertRaisesRegex(BertscopeError, "expected the command bertscope"):
            bertscope.syntax(path=self.path)

    def test_a_file_that_is_not_there_is_named_before_the_command_is_started(self) -> None:
        for place, found in ((self.root / "none.conllu", "nothing"), (self.root, "a folder")):
            with (
                mock.patch("subprocess.run", side_effect=AssertionError("started")),
                self.assertRaisesRegex(BertscopeError, rf"^{place}: expected a treebank .* found {found}$"),
            ):
                bertscope.syntax(path=place, command=COMMAND)

    def test_a_given_command_that_is_not_there_is_named(self) -> None:
        for command in (["no-such-command", "x"], []):
            with self.assertRaisesRegex(BertscopeError, "command: expected a program .*, which is not there"):
                bertscope.syntax(path=self.path, command=command)

    def test_pairs_of_words_come_from_a_table(self) -> None:
        table = self.root / "pairs.tsv"
        table.write_text("sentence\tfrom\tto\nThe red car stopped.\tred\tcar\n")
        with without_pandas():
            (row,) = bertscope.syntax(path=table, command=COMMAND)
        self.assertEqual((row["relation"], row["links"], row["offset"]), ("marked pair", 1, 1))

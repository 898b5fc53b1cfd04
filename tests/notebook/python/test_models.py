"""A model's files come piece by piece, and no other file does."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from bertscope import BertscopeError, models
from bertscope.models import given_model, read_piece


class Pretrained:
    """Stands for a model or a tokenizer of transformers."""

    def __init__(self, file: str) -> None:
        self._file = file

    def save_pretrained(self, folder: str) -> None:
        Path(folder, self._file).write_text(self._file)


class ModelsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "model" / "1_Pooling").mkdir(parents=True)
        for name in ("config.json", "model.safetensors", "1_Pooling/config.json"):
            (self.root / "model" / name).write_bytes(b"0123456789")
        (self.root / "secret").write_text("secret")

    def test_a_folder_lists_its_files(self) -> None:
        given = given_model(self.root / "model")
        paths = ["1_Pooling/config.json", "config.json", "model.safetensors"]
        self.assertEqual(given.listing(), [{"path": path, "bytes": 10} for path in paths])
        self.assertRegex(given.address, r"^given:\d+-\d+/model$")
        self.assertNotEqual(given.address, given_model(self.root / "model").address)

    def test_one_file_is_a_model_too(self) -> None:
        given = given_model(str(self.root / "model" / "model.safetensors"))
        self.assertEqual(given.listing(), [{"path": "model.safetensors", "bytes": 10}])
        self.assertEqual(given.path("model.safetensors"), given.root)

    def test_files_outside_the_folder_are_refused(self) -> None:
        given = given_model(self.root / "model")
        for path in ("../secret", str(self.root / "secret"), "no-such-file"):
            with self.assertRaisesRegex(BertscopeError, "expected a file of this model"):
                given.path(path)

    def test_pieces_make_up_the_file(self) -> None:
        path = self.root / "model" / "config.json"
        with mock.patch.object(models, "PIECE", 4):
            self.assertEqual([read_piece(path, offset) for offset in (0, 4, 8)], [b"0123", b"4567", b"89"])

    def test_a_model_of_transformers_is_written_to_a_folder_that_ends_with_it(self) -> None:
        given = given_model(Pretrained("config.json"), Pretrained("tokenizer.json"))
        self.assertEqual([file["path"] for file in given.listing()], ["config.json", "tokenizer.json"])
        self.assertEqual(given.name, "Pretrained")
        root = given.root
        del given
        self.assertFalse(root.exists())

    def test_what_is_no_model_is_refused_in_a_sentence(self) -> None:
        for model, tokenizer, sentence in (
            ("no/such/folder", None, "which does not exist"),
            (42, None, "expected a path or a model of transformers, found int"),
            (Pretrained("a"), None, "tokenizer: expected that of the model of transformers, found none"),
        ):
            with self.assertRaisesRegex(BertscopeError, sentence):
                given_model(model, tokenizer)

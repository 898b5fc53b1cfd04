"""Models that Python gives to the widget's page: a folder, a file, or a model of transformers."""

from __future__ import annotations

import itertools
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import BertscopeError

#: The bytes of a piece of a file. Notebooks limit the size of a message.
PIECE = 1 << 23

_numbers = itertools.count(1)


@dataclass(frozen=True)
class GivenModel:
    """A folder of files, or one file, that the page asks for piece by piece."""

    name: str
    root: Path
    #: A folder that ends with the model.
    _temporary: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)
    _number: int = field(default_factory=lambda: next(_numbers))

    @property
    def address(self) -> str:
        """What the widget's `src` says. Several notebooks may be in one page, so it names the process too."""
        return f"given:{os.getpid()}-{self._number}/{self.name}"

    def listing(self) -> list[dict[str, Any]]:
        """The path and the size of each file."""
        paths = [self.root] if self.root.is_file() else sorted(path for path in self.root.rglob("*") if path.is_file())
        base = self.root.parent if self.root.is_file() else self.root
        return [{"path": path.relative_to(base).as_posix(), "bytes": path.stat().st_size} for path in paths]

    def path(self, relative: str) -> Path:
        """The place of a file of the listing.

        Raises:
            BertscopeError: There is no such file in the folder.
        """
        if not any(file["path"] == relative for file in self.listing()):
            raise BertscopeError(f"{self.root}: expected a file of this model, found a request for {relative}")
        return self.root if self.root.is_file() else self.root / relative


def read_piece(path: Path, offset: int) -> bytes:
    """The bytes of a file from a place on, at most `PIECE`."""
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(PIECE)


def given_model(model: Any, tokenizer: Any = None) -> GivenModel:
    """Makes a model known to widgets.

    Args:
        model: The path of a folder or a file, or a model of transformers, which is written to a temporary folder.
        tokenizer: The tokenizer of a model of transformers.

    Raises:
        BertscopeError: It is none of these, or the tokenizer is missing.
    """
    if isinstance(model, (str, os.PathLike)):
        root = Path(model).expanduser()
        if not root.exists():
            raise BertscopeError(
                f"model: expected a folder, a .safetensors or .gguf file, “hub:owner/name” or a model of transformers, found {model}, "
                "which does not exist"
            )
        return GivenModel(root.resolve().name, root.resolve())
    if not callable(getattr(model, "save_pretrained", None)):
        raise BertscopeError(f"model: expected a path or a model of transformers, found {type(model).__name__}")
    if tokenizer is None:
        raise BertscopeError("tokenizer: expected that of the model of transformers, found none")
    # It is written each time, since it may have been trained meanwhile.
    folder = tempfile.TemporaryDirectory(prefix="bertscope-")
    model.save_pretrained(folder.name)
    tokenizer.save_pretrained(folder.name)
    named = str(getattr(getattr(model, "config", None), "name_or_path", "") or type(model).__name__)
    return GivenModel(Path(named).name, Path(folder.name), folder)

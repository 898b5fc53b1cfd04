"""How a run went: the held-out figures that `pretrain` noted on its way, as a table."""

from __future__ import annotations

import json
from pathlib import Path

from errors import InputError
from pretrain import CURVE


def curve(work: Path) -> None:
    """Prints the table."""
    path = work / CURVE
    if not path.is_file():
        raise InputError(f"{path}: expected the notes of a run, found none; run `pretrain` first")
    print("| step | tokens, million | rate | everyday: loss | top-1 | books: loss | top-1 |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for line in path.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        print(
            f"| {note['step']:,} | {note['tokens'] / 1e6:.1f} | {note['rate']:.1e} "
            f"| {note['everyday_loss']:.3f} | {note['everyday_top1']:.1%} "
            f"| {note['books_loss']:.3f} | {note['books_top1']:.1%} |"
        )

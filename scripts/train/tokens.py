"""The prepared text as token ids: one flat array a part, with the places where lines and runs begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable

import numpy as np

from corpus import fixed_hash
from errors import InputError
from wordpiece import WordPiece

# The corpus has straight quotes only; one line in so many gets typographic ones, as people paste them.
TYPOGRAPHIC_ONE_IN = 24

SENTENCE_ENDS = (".", "!", "?")
CLOSING_QUOTES = ('"', "”", "’")


@dataclass(frozen=True)
class TokenizedPart:
    """Token ids of one part, without special tokens."""

    name: str
    ids: np.ndarray  # uint16 [tokens]
    lines: np.ndarray  # int64 [lines + 1], offsets into ids
    run_ends: np.ndarray  # int64 [runs], offsets into ids where text stops continuing

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(folder / f"{self.name}.npz", ids=self.ids, lines=self.lines, run_ends=self.run_ends)

    @classmethod
    def load(cls, path: Path) -> TokenizedPart:
        with np.load(path) as arrays:
            return cls(path.stem, arrays["ids"], arrays["lines"], arrays["run_ends"])


def typographic(line: str) -> str:
    """Curly quotes and dashes for straight ones in a line of space-separated words."""
    line = re.sub(r'" (.*?) "(?= |$)', "“ \\1 ”", " " + line).strip()
    return line.replace("'", "’").replace(" - ", " — ")


def tokenize_lines(name: str, lines: Iterable[str], tokenizer: WordPiece, vary_quotes: bool) -> TokenizedPart:
    """Tokenizes prepared lines; an empty one ends a run."""
    ids: list[int] = []
    starts = [0]
    run_ends: list[int] = []
    for line in lines:
        if not line:
            run_ends.append(len(ids))
            continue
        if vary_quotes and fixed_hash(line) % TYPOGRAPHIC_ONE_IN == 1:
            line = typographic(line)
        ids.extend(tokenizer.encode(line.split()))
        starts.append(len(ids))
    run_ends.append(len(ids))
    return TokenizedPart(
        name,
        np.array(ids, dtype=np.uint16),
        np.array(starts, dtype=np.int64),
        np.unique(np.array(run_ends, dtype=np.int64)),
    )


def tokenize_file(path: Path, tokenizer: WordPiece, vary_quotes: bool = False) -> TokenizedPart:
    lines = path.read_text(encoding="utf-8").split("\n")
    return tokenize_lines(path.stem, lines, tokenizer, vary_quotes)


def tokenize_corpus(work: Path) -> None:
    """Tokenizes every prepared part into `tokens/<part>.npz`; prints a line for each."""
    tokenizer = WordPiece.load(work / "vocab.txt")
    paths = sorted((work / "corpus").glob("*.txt"))
    if not paths:
        raise InputError(f"{work / 'corpus'}: expected prepared text, found none; run `corpus` first")
    for path in paths:
        part = tokenize_file(path, tokenizer, vary_quotes=True)
        part.save(work / "tokens")
        print(f"{part.name}: {len(part.ids):,} tokens in {len(part.lines) - 1:,} lines", flush=True)


def load_parts(folder: Path) -> list[TokenizedPart]:
    """Every part that holds any text."""
    parts = [TokenizedPart.load(path) for path in sorted(folder.glob("*.npz"))]
    parts = [part for part in parts if len(part.ids)]
    if not parts:
        raise InputError(f"{folder}: expected tokenized parts, found none; run `tokenize` first")
    return parts


def sentence_starts(part: TokenizedPart, tokenizer: WordPiece) -> np.ndarray:
    """Where sentences begin in running text: at lines, and after `.`, `!`, `?` and a closing quote.

    int64 offsets into `part.ids`, ending with its length. A quote counts as closing when it follows
    a mark; the next word then decides nothing, which is wrong for a quote that opens, and harmless.
    """
    ends = np.isin(part.ids, [tokenizer.ids[mark] for mark in SENTENCE_ENDS if mark in tokenizer.ids])
    quotes = np.isin(part.ids, [tokenizer.ids[mark] for mark in CLOSING_QUOTES if mark in tokenizer.ids])
    after_quote = np.zeros_like(ends)
    after_quote[1:] = ends[:-1] & quotes[1:]
    ends[:-1] &= ~quotes[1:]
    return np.union1d(np.flatnonzero(ends | after_quote) + 1, part.lines)

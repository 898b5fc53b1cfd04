"""Prepares the training text: normalises, filters, deduplicates and splits the corpus.

Reads `<part>.txt.xz` (or `.txt`), one sentence or paragraph a line, and writes into the work folder
`corpus/<part>.txt`, the normalised words of a line separated by single spaces, an empty line where
what follows does not continue what came before, and `heldout/<part>.txt` likewise.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Iterable, Iterator

from errors import InputError
from normalize import words

BLOCKLIST = Path(__file__).with_name("blocklist.txt")

# Held-out thousandths, and the lines that stay together: neighbouring paragraphs of a book share
# names and scenes, so books are kept out in blocks; sentence collections line by line.
EVERYDAY_PARTS = ("tatoeba-eng", "common-voice-en")
HELD_OUT_EVERYDAY, HELD_OUT_BLOCKS = 10, 5
BLOCK_LINES = 128

MIN_WORDS = 2
# Short lines ("Yes, sir.") recur in honest dialogue; only longer ones are duplicates.
MIN_DUPLICATE_WORDS = 5


@dataclass
class PartReport:
    """What became of one part's lines."""

    part: str
    lines: int = 0
    kept: int = 0
    held_out: int = 0
    blocked: int = 0
    duplicate: int = 0
    not_text: int = 0

    def __str__(self) -> str:
        return (
            f"{self.part}: {self.lines:,} lines, kept {self.kept:,}, held out {self.held_out:,}, "
            f"blocked {self.blocked:,}, duplicate {self.duplicate:,}, not text {self.not_text:,}"
        )


def load_blocklist(path: Path = BLOCKLIST) -> re.Pattern[str]:
    """A pattern that finds a blocked word in a line of space-separated words."""
    entries = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    entries = [entry for entry in entries if entry and not entry.startswith("#")]
    alternatives = [re.escape(entry.rstrip("*")) + (r"\w*" if entry.endswith("*") else "") for entry in entries]
    return re.compile(rf"(?:^| )(?:{'|'.join(alternatives)})(?= |$)")


def fixed_hash(text: str) -> int:
    """The same 64-bit number on every machine and in every run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def is_text(tokens: list[str]) -> bool:
    """False for headings, tables, code and addresses: too few words, or mostly not words."""
    if len(tokens) < MIN_WORDS:
        return False
    alphabetic = sum(token.isalpha() for token in tokens)
    return alphabetic * 2 >= len(tokens) and not {"http", "https", "www", "@"} & set(tokens)


def held_out(part: str, index: int, key: int) -> bool:
    """Whether line `index`, whose content hashes to `key`, is kept for evaluation."""
    if part in EVERYDAY_PARTS:
        return key % 1000 < HELD_OUT_EVERYDAY
    return fixed_hash(f"{part}:{index // BLOCK_LINES}") % 1000 < HELD_OUT_BLOCKS


def read_lines(path: Path) -> Iterator[str]:
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        yield from file


def find_parts(source: Path) -> list[tuple[str, Path]]:
    """The corpus files by part name, everyday sentences first: of two equal lines theirs is kept."""
    paths = sorted(source.glob("*.txt.xz")) + sorted(source.glob("*.txt"))
    if not paths:
        raise InputError(f"{source}: expected *.txt.xz or *.txt files, found none")
    parts = [(path.name.removesuffix(".xz").removesuffix(".txt"), path) for path in paths]
    return sorted(parts, key=lambda entry: entry[0] not in EVERYDAY_PARTS)


class Preparer:
    """Carries what is known across parts: the lines seen and the lines held out."""

    def __init__(self) -> None:
        self._blocked = load_blocklist()
        self._seen: set[int] = set()
        self._held_out: set[int] = set()

    def prepare(self, part: str, lines: Iterable[str], kept: list[str], evaluation: list[str]) -> PartReport:
        """Sorts one part's lines into the two lists; "" marks a break in either."""
        report = PartReport(part)
        for index, line in enumerate(lines):
            report.lines += 1
            tokens = words(line)
            text = " ".join(tokens)
            key = fixed_hash(" ".join(token for token in tokens if token.isalnum()))
            target: list[str] | None = None
            if not is_text(tokens):
                report.not_text += 1
            elif self._blocked.search(text):
                report.blocked += 1
            elif key in self._held_out or (len(tokens) >= MIN_DUPLICATE_WORDS and key in self._seen):
                report.duplicate += 1
            elif held_out(part, index, key):
                self._held_out.add(key)
                report.held_out += 1
                target = evaluation
            else:
                self._seen.add(key)
                report.kept += 1
                target = kept
            for output in (kept, evaluation):
                if output is target:
                    output.append(text)
                elif output and output[-1]:
                    output.append("")
        return report


def prepare_corpus(source: Path, work: Path) -> list[PartReport]:
    """Prepares every part of `source` into `work`; prints one report line a part."""
    for folder in ("corpus", "heldout"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    preparer = Preparer()
    reports = []
    for part, path in find_parts(source):
        kept: list[str] = []
        evaluation: list[str] = []
        reports.append(preparer.prepare(part, read_lines(path), kept, evaluation))
        (work / "corpus" / f"{part}.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")
        (work / "heldout" / f"{part}.txt").write_text("\n".join(evaluation) + "\n", encoding="utf-8")
        print(reports[-1], flush=True)
    return reports


def count_words(work: Path, weights: dict[str, float]) -> Counter[str]:
    """How often each word occurs in the prepared text, parts weighted as training weights them."""
    total: Counter[str] = Counter()
    for path in sorted((work / "corpus").glob("*.txt")):
        counts = Counter(path.read_text(encoding="utf-8").split())
        weight = weights.get(path.stem, 1)
        for word, count in counts.items():
            total[word] += round(count * weight)
    if not total:
        raise InputError(f"{work / 'corpus'}: expected prepared text, found none; run `corpus` first")
    return +total

"""BERT's uncased normalisation: a text to the words that WordPiece splits.

The same steps in the same order as Hugging Face's `BertNormalizer` and `BertPreTokenizer` (and as
`tokenization.py` of google-research/bert): drop control characters, put spaces around CJK
characters, decompose and drop accents, lower-case, split at white space, isolate punctuation.
"""

from __future__ import annotations

import re
import sys
import unicodedata

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNK, CLS, SEP, MASK = range(len(SPECIAL_TOKENS))

CJK_RANGES = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _character_class(characters: list[str]) -> str:
    return "[" + "".join(map(re.escape, characters)) + "]"


def _is_punctuation(character: str) -> bool:
    """Unicode's P categories, and every ASCII character that is no letter, digit or space ("$", "+", ...)."""
    ascii_symbol = "!" <= character <= "~" and not character.isalnum()
    return ascii_symbol or unicodedata.category(character).startswith("P")


def _is_dropped(character: str) -> bool:
    """Controls, formats, private use; tab, newline and return count as white space instead."""
    if character in "\t\n\r":
        return False
    return character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co")


# Beyond the astral planes' first there is no punctuation that the corpus could hold.
_ALL = [chr(code) for code in range(min(sys.maxunicode, 0x1FFFF)) if not 0xD800 <= code <= 0xDFFF]
_PUNCTUATION = _character_class([character for character in _ALL if _is_punctuation(character)])
_CJK = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_RANGES) + "]"
_WORDS = re.compile(rf"{_PUNCTUATION}|{_CJK}|(?:(?!{_PUNCTUATION}|{_CJK})\S)+")
_ASCII_WORDS = re.compile(r"[!-/:-@\[-`{-~]|[0-9a-z]+")
_ASCII_CONTROLS = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")


def words(text: str) -> list[str]:
    """The lower-case words and single punctuation marks of a text."""
    if text.isascii():
        return _ASCII_WORDS.findall(_ASCII_CONTROLS.sub("", text).lower())
    text = "".join(character for character in text if not _is_dropped(character))
    decomposed = unicodedata.normalize("NFD", text)
    text = "".join(character for character in decomposed if unicodedata.category(character) != "Mn")
    return _WORDS.findall(text.lower())

#!/usr/bin/env python3
"""Makes `tests/golden/hard-strings.json`: strings that are hard to tokenize, with BERT's token ids.

    python3 scripts/reference/make_hard_strings.py

The rules are those of Devlin et al.'s `tokenization.py` (clean, space out CJK, lower-case, strip
accents, split at punctuation, then greedy longest pieces), on a small vocabulary of their own.
"""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "éèêëçñüöäßøåœæÉÇÑÜ",
    "абвгдежзийклмнопрстуфхцчшщьюяЁЙ", "αβγδεζηθικλμνξοπρστυφχψωΆΈ", "中文字漢日本語学校電車", "ひらがなカタカナー",
    "안녕하세요한국어", "مرحبابالعالم", "שלוםעולם", "नमस्तेदुनिया", "สวัสดีชาวโลก", ".,;:!?-_()[]{}'\"“”‘’…—–«»@#$%&*+=/\\|<>^`~",
    " \t\n\r\u00a0\u2009\u3000\u2028", "\u0000\u0001\u0007\u001b\u007f\u0085\u200b\u200d\ufeff\u00ad\ufffd\u200e", "😀🎉👍🏽❤️🇫🇷👩‍👩‍👧",
    "\u0301\u0308\u0327\u20dd", "ﬁﬂＡＢｃ１２①½²™", "İıſẞÅΩ", "𠀀𠮷𝒳𝔸", "，。！？「」、",
]  # fmt: skip
WORDS = "time flies like an arrow the cat sat un##aff##able token##ization [MASK] [SEP] [unk] don't e.g. U.S.A. 3.14".split()


def is_whitespace(character: str) -> bool:
    return character in " \t\n\r" or unicodedata.category(character) == "Zs"


def is_control(character: str) -> bool:
    return character not in "\t\n\r" and unicodedata.category(character).startswith("C")


def is_punctuation(character: str) -> bool:
    code = ord(character)
    ascii_marks = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return ascii_marks or unicodedata.category(character).startswith("P")


def is_cjk(character: str) -> bool:
    ranges = (
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
        (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
    )  # fmt: skip
    return any(first <= ord(character) <= last for first, last in ranges)


def basic_tokens(text: str) -> list[str]:
    clean = "".join(
        " " if is_whitespace(c) else c for c in text if c not in "\0\ufffd" and not is_control(c)
    )
    spaced = "".join(f" {c} " if is_cjk(c) else c for c in clean)
    # One character at a time, as Hugging Face's tokenizers do: a capital sigma at the end of a word becomes σ, not ς.
    lower = "".join(c.lower() for c in spaced)
    lowered = "".join(c for c in unicodedata.normalize("NFD", lower) if unicodedata.category(c) != "Mn")
    tokens: list[str] = []
    for word in lowered.split():
        current = ""
        for character in word:
            if is_punctuation(character):
                tokens += [current, character]
                current = ""
            else:
                current += character
        tokens.append(current)
    return [token for token in tokens if token]


def pieces(word: str, vocabulary: dict[str, int]) -> list[int]:
    if len(word) > 100:
        return [vocabulary["[UNK]"]]
    ids, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
            end -= 1
        if end == start:
            return [vocabulary["[UNK]"]]
        ids.append(vocabulary[piece])
        start = end
    return ids


def make_strings(generator: random.Random) -> list[str]:
    strings = ["", " ", "a" * 100, "a" * 101, "é" * 100, "x" * 99 + "é", "\u0301", "a\u0301b", "中a文", "[CLS", "ΑΣ", "İ"]
    while len(strings) < 2000:
        parts = []
        for _ in range(generator.randint(1, 6)):
            if generator.random() < 0.3:
                parts.append(generator.choice(WORDS).replace("[MASK]", "mask").replace("[SEP]", "sep"))
            else:
                letters = generator.choice(ALPHABETS)
                parts.append("".join(generator.choice(letters) for _ in range(generator.randint(1, 8))))
            parts.append(generator.choice(["", "", " "]))
        strings.append("".join(parts))
    return strings


def main() -> None:
    strings = make_strings(random.Random(1))
    letters = sorted({c for text in strings[: 1500] for token in basic_tokens(text) for c in token})
    common = ["the", "time", "like", "##able", "##ization", "un", "##aff", "cat", "##at", "мир", "##ст", "##ab"]
    listed = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + c for c in letters), *common]
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys(listed))}
    ids = [[i for token in basic_tokens(text) for i in pieces(token, vocabulary)] for text in strings]
    path = Path(__file__).resolve().parents[2] / "tests" / "golden" / "hard-strings.json"
    content = {"vocabulary": list(vocabulary), "strings": strings, "ids": ids}
    path.write_text(json.dumps(content, ensure_ascii=True, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

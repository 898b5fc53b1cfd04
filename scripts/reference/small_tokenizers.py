"""Tokenizers small enough to commit, in the forms that RoBERTa and XLM-R have theirs."""

from __future__ import annotations

import json
from collections import Counter
from typing import Sequence

TEXT = (
    "time flies like an arrow and fruit flies like a banana . the cat sat on the mat and he was in the river . "
    "she put the money in the bank of the river and it was the end of the year ."
)
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]


def byte_characters() -> dict[int, str]:
    """GPT-2's printable stand-in for each byte (Radford et al. 2019, `bytes_to_unicode`)."""
    kept = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in kept]
    return {byte: chr(byte) for byte in kept} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def gpt2_bpe() -> dict[str, str]:
    """The same with GPT-2's one special token, the last of the vocabulary."""
    return byte_level_bpe(before=[], after=["<|endoftext|>"])


def modern_bpe() -> dict[str, str]:
    """A `tokenizer.json` of ModernBERT's shape: byte-level, with the special tokens of BERT."""
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    files = byte_level_bpe(before=special, after=[])
    begin, end = ({"SpecialToken": {"id": token, "type_id": 0}} for token in ("[CLS]", "[SEP]"))
    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": index, "content": token, "single_word": False, "lstrip": token == "[MASK]", "rstrip": False,
             "normalized": False, "special": True}
            for index, token in enumerate(special)
        ],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": level,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, first, end],
            "pair": [begin, first, end, second, end],
            "special_tokens": {
                token: {"id": token, "ids": [index], "tokens": [token]} for index, token in ((1, "[CLS]"), (2, "[SEP]"))
            },
        },
        "decoder": level,
        "model": {"type": "BPE", "unk_token": None, "vocab": json.loads(files["vocab.json"]),
                  "merges": files["merges.txt"].splitlines()[1:]},
    }  # fmt: skip
    return {
        "tokenizer.json": json.dumps(tokenizer, ensure_ascii=False) + "\n",
        "tokenizer_config.json": json.dumps({"mask_token": "[MASK]", "pad_token": "[PAD]"}) + "\n",
    }


def byte_level_bpe(
    merges: int = 60, before: Sequence[str] = SPECIAL, after: Sequence[str] = ("<mask>",)
) -> dict[str, str]:
    """`vocab.json` and `merges.txt`, learnt from TEXT (Sennrich et al. 2016)."""
    characters = byte_characters()
    words = [[characters[byte] for byte in (" " + word).encode()] for word in TEXT.split()]
    learnt: list[tuple[str, str]] = []
    for _ in range(merges):
        pairs = Counter(pair for word in words for pair in zip(word, word[1:]))
        best = max(sorted(pairs), key=lambda pair: pairs[pair])
        learnt.append(best)
        for word in words:
            at = 0
            while at < len(word) - 1:
                if (word[at], word[at + 1]) == best:
                    word[at : at + 2] = ["".join(best)]
                at += 1
    tokens = [*before, *characters.values(), *("".join(pair) for pair in learnt), *after]
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    return {
        "vocab.json": json.dumps(vocabulary, ensure_ascii=False) + "\n",
        "merges.txt": "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in learnt),
    }


def unigram() -> dict[str, str]:
    """A `tokenizer.json` of XLM-R's shape (Kudo 2018)."""
    letters = "abcdefghijklmnopqrstuvwxyz.,?!'"
    words = ["▁" + word for word in dict.fromkeys(TEXT.split())]
    pieces = [*((word, -4.0 - 0.01 * i) for i, word in enumerate(words)), ("▁", -5.0)]
    pieces += [(piece, -6.5) for piece in ("er", "ing", "ed", "th", "an", "ly")]
    pieces += [(letter, -8.0 - 0.01 * i) for i, letter in enumerate(letters)]
    vocabulary = [(token, 0.0) for token in SPECIAL]
    vocabulary += [(piece, score) for piece, score in dict(pieces).items()]
    added = [(token, index) for index, token in enumerate(SPECIAL)] + [("<mask>", len(vocabulary))]
    special = [{"SpecialToken": {"id": token, "type_id": 0}} for token in ("<s>", "</s>")]
    begin, end = special
    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": index, "content": token, "single_word": False, "lstrip": token == "<mask>", "rstrip": False,
             "normalized": False, "special": True}
            for token, index in added
        ],
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "add_prefix_space": True},
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, first, end],
            "pair": [begin, first, end, end, second, end],
            "special_tokens": {
                token: {"id": token, "ids": [index], "tokens": [token]} for token, index in (("<s>", 0), ("</s>", 2))
            },
        },
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "add_prefix_space": True},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary},
    }  # fmt: skip
    config = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>",
              "mask_token": "<mask>", "pad_token": "<pad>", "unk_token": "<unk>"}  # fmt: skip
    return {
        "tokenizer.json": json.dumps(tokenizer, ensure_ascii=False) + "\n",
        "tokenizer_config.json": json.dumps(config) + "\n",
    }

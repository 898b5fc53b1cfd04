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
        "added_tokens": [added_token(index, token, token == "[MASK]") for index, token in enumerate(special)],
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
    learnt = learn_merges([[characters[byte] for byte in (" " + word).encode()] for word in TEXT.split()], merges)
    tokens = [*before, *characters.values(), *("".join(pair) for pair in learnt), *after]
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    return {
        "vocab.json": json.dumps(vocabulary, ensure_ascii=False) + "\n",
        "merges.txt": "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in learnt),
    }


def learn_merges(words: list[list[str]], merges: int) -> list[tuple[str, str]]:
    """The commonest pairs of what the words consist of, each joined before the next is sought."""
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
    return learnt


def llama_bpe(merges: int = 60) -> dict[str, str]:
    """A `tokenizer.json` of Llama's shape: pairs of characters, and bytes for what has no token."""
    learnt = learn_merges([list("▁" + word) for word in TEXT.split()], merges)
    letters = sorted({*"▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?!'", *TEXT.replace(" ", "")})
    special = ["<unk>", "<s>", "</s>"]
    tokens = [*special, *(f"<0x{byte:02X}>" for byte in range(256)), *("".join(pair) for pair in learnt), *letters]
    begin = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    first, second = ({"Sequence": {"id": name, "type_id": index}} for index, name in enumerate("AB"))
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(index, token) for index, token in enumerate(special)],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "pre_tokenizer": None,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, first],
            "pair": [begin, first, {"SpecialToken": {"id": "<s>", "type_id": 1}}, second],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
        },
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "BPE", "dropout": None, "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True,
            "vocab": {token: index for index, token in enumerate(dict.fromkeys(tokens))},
            "merges": [list(pair) for pair in learnt],
        },
    }  # fmt: skip
    config = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "tokenizer_class": "LlamaTokenizer"}
    return {
        "tokenizer.json": json.dumps(tokenizer, ensure_ascii=False) + "\n",
        "tokenizer_config.json": json.dumps(config) + "\n",
    }


def word_pieces() -> list[str]:
    """The words of TEXT, letters and marks that begin a word, and pieces that continue one."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces = [*letters, *".,!?'-()", *(f"##{letter}" for letter in letters), "##ing", "##er", *TEXT.split()]
    return list(dict.fromkeys(pieces))


def qwen_bpe() -> dict[str, str]:
    """A `tokenizer.json` of Qwen's shape: byte-level, with a pattern of its own, and no token around a text."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    files = byte_level_bpe(before=[], after=special)
    vocabulary = json.loads(files["vocab.json"])
    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(vocabulary[token], token) for token in special],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
                level,
            ],
        },
        "post_processor": level,
        "decoder": level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "fuse_unk": False, "byte_fallback": False,
                  "vocab": {token: index for token, index in vocabulary.items() if token not in special},
                  "merges": [line.split(" ") for line in files["merges.txt"].splitlines()[1:]]},
    }  # fmt: skip
    config = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "tokenizer_class": "Qwen2Tokenizer"}
    return {
        "tokenizer.json": json.dumps(tokenizer, ensure_ascii=False) + "\n",
        "tokenizer_config.json": json.dumps(config) + "\n",
    }


def added_token(index: int, token: str, lstrip: bool = False) -> dict[str, object]:
    return {"id": index, "content": token, "single_word": False, "lstrip": lstrip, "rstrip": False,
            "normalized": False, "special": True}  # fmt: skip


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

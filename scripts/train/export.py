"""A checkpoint as a Hugging Face folder: config, float16 weights and the tokenizer's files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from bert import BertConfig
from checkpoint import save_model
from errors import InputError
from normalize import CLS, SEP, SPECIAL_TOKENS
from pretrain import CONTINUED, DECAYED, Recipe
from wordpiece import MAX_WORD_CHARACTERS, WordPiece


def config_json(config: BertConfig) -> dict[str, Any]:
    return {"architectures": ["BertForMaskedLM"], "model_type": "bert"} | vars(config) | {
        "pad_token_id": 0,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "initializer_range": 0.02,
        "torch_dtype": "float16",
    }


def tokenizer_json(tokens: list[str]) -> dict[str, Any]:
    """What transformers' fast BertTokenizer saves, for an uncased vocabulary."""
    added = [
        {"id": index, "content": token, "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
        for index, token in enumerate(SPECIAL_TOKENS)
    ]
    cls, sep = SPECIAL_TOKENS[CLS], SPECIAL_TOKENS[SEP]

    def special(token: str, segment: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": token, "type_id": segment}}

    def sequence(name: str, segment: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": segment}}

    single = [special(cls, 0), sequence("A", 0), special(sep, 0)]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, sequence("B", 1), special(sep, 1)],
            "special_tokens": {
                token: {"id": token, "ids": [index], "tokens": [token]} for token, index in ((cls, CLS), (sep, SEP))
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": MAX_WORD_CHARACTERS,
            "vocab": {token: index for index, token in enumerate(tokens)},
        },
    }


def tokenizer_config_json(config: BertConfig) -> dict[str, Any]:
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": True,
        "model_max_length": config.max_position_embeddings,
    } | dict(zip(names, SPECIAL_TOKENS))


def export(work: Path, out: Path, checkpoint: str | None = None) -> None:
    """Writes the newest of the run's checkpoints (the decayed one, if there is one) to `out`."""
    names = [checkpoint] if checkpoint else [DECAYED, CONTINUED]
    path = next((work / name for name in names if (work / name).is_file()), None)
    if path is None:
        raise InputError(f"{work}: expected {' or '.join(names)}, found none; run `pretrain` first")
    state = torch.load(path, map_location="cpu")
    tokenizer = WordPiece.load(work / "vocab.txt")
    config = Recipe(**state["recipe"]).config(len(tokenizer.tokens))
    save_model(out, {name: tensor.half() for name, tensor in state["model"].items()}, config_json(config))
    files = {
        "vocab.txt": "".join(f"{token}\n" for token in tokenizer.tokens),
        "tokenizer.json": json.dumps(tokenizer_json(tokenizer.tokens), ensure_ascii=False) + "\n",
        "tokenizer_config.json": json.dumps(tokenizer_config_json(config), indent=2) + "\n",
    }
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    print(f"{out}: step {state['step']:,}, {state['tokens']:,} tokens, from {path}")

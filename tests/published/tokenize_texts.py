#!/usr/bin/env python3
"""Writes the ids that Hugging Face's own libraries give to texts: one line of JSON for each model.

    echo '{"folders": ["MODEL"], "texts": ["time flies"], "pairs": [["a", "b"]]}' \
        | python3 tests/published/tokenize_texts.py

Needs transformers and tokenizers. `tokenizers.mjs` compares the ids with bertscope's.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

from tokenizers import AddedToken, Tokenizer
from transformers import AutoTokenizer


def ids_of_file(path: Path, texts: list[str], pairs: list[list[str]]) -> dict[str, Any]:
    """What `tokenizers` makes of `tokenizer.json` alone."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return {
        "texts": [tokenizer.encode(text).ids for text in texts],
        "pairs": [tokenizer.encode(*pair).ids for pair in pairs],
    }


def ids_of_folder(folder: Path, texts: list[str], pairs: list[list[str]]) -> dict[str, Any]:
    """What transformers makes of all files of the folder."""
    made_of_merges = (folder / "merges.txt").exists() and not (folder / "tokenizer.json").exists()
    # The mask of RoBERTa includes the space before it, as its tokenizer.json says. Transformers 4 knows
    # this of a folder without that file as well; transformers 5 has to be told.
    told = {"mask_token": AddedToken("<mask>", lstrip=True, normalized=False)} if made_of_merges else {}
    tokenizer = AutoTokenizer.from_pretrained(str(folder), **told)
    return {
        "name": type(tokenizer).__name__,
        "texts": [tokenizer(text, truncation=False)["input_ids"] for text in texts],
        "pairs": [tokenizer(*pair, truncation=False)["input_ids"] for pair in pairs],
    }


def attempt(found: dict[str, Any], key: str, action: Any) -> None:
    try:
        found[key] = action()
    except Exception as error:  # A folder that the libraries cannot read is a result, too.
        found[f"{key}Error"] = f"{type(error).__name__}: {error}"[:300]


def main() -> None:
    job = json.load(sys.stdin)
    texts, pairs = job["texts"], job["pairs"]
    for folder in map(Path, job["folders"]):
        found: dict[str, Any] = {"folder": str(folder)}
        if (folder / "tokenizer.json").exists():
            attempt(found, "file", lambda: ids_of_file(folder / "tokenizer.json", texts, pairs))
        attempt(found, "whole", lambda: ids_of_folder(folder, texts, pairs))
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()

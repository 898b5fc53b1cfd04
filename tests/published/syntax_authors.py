"""Counts with the functions of Clark et al. 2019 how often each head finds the links of each relation.

`python syntax_authors.py AUTHORS SENTENCES` runs get_word_word_attention of bpe_utils.py and the evaluation of
Syntax_Analysis.ipynb, as they stand in AUTHORS, a checkout of https://github.com/clarkkev/attention-analysis. Only these
functions are run, since the rest of both files needs TensorFlow 1 and Python 2.

SENTENCES is a folder of `sentences.json`, a list of {"words", "heads", "relns", "tokens", "words_to_tokens"} with words and
heads as the authors have them, and `attention.f32`, the attention of each sentence, [layers, heads, tokens, tokens].
Prints JSON: the number of words of each relation, and of each direction and head the share of each relation that is right.
"""

from __future__ import annotations

import ast
import collections
import json
import sys
from pathlib import Path

import numpy as np

NOTEBOOK = "Syntax_Analysis.ipynb"
MODES = {"to": "normal", "from": "transpose"}


def functions_of(source: str, names: list[str], space: dict) -> None:
    """Defines functions of a source in a name space, without running anything else of it."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    exec(compile(tree, "the authors' code", "exec"), space)


def evaluation_cell(notebook: Path) -> str:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return next(source for source in sources if "def evaluate_predictor" in source)


def with_silent_tokens(attention: np.ndarray, words_to_tokens: list[list[int]]):
    """Gives each word without a token one that neither attends nor is attended to: the authors' words all have tokens."""
    silent = sum(not tokens for tokens in words_to_tokens)
    if not silent:
        return attention, words_to_tokens
    count = attention.shape[-1]
    wider = np.zeros((*attention.shape[:2], count + silent, count + silent), attention.dtype)
    wider[:, :, :count, :count] = attention
    # The authors delete all tokens of a word but the first, so the order of words has to be that of their tokens.
    order, places, spare = [], [], count
    for tokens in words_to_tokens:
        places.append(range(len(order), len(order) + max(1, len(tokens))))
        order += tokens or [spare]
        spare += not tokens
    return wider[:, :, order][:, :, :, order], [list(place) for place in places]


def main(authors: Path, folder: Path) -> None:
    space: dict = {"np": np, "collections": collections}
    functions_of((authors / "bpe_utils.py").read_text(encoding="utf-8"), ["get_word_word_attention"], space)
    evaluation = ["evaluate_predictor", "attn_head_predictor"]
    functions_of(evaluation_cell(authors / NOTEBOOK), evaluation, space)

    told = json.loads((folder / "sentences.json").read_text(encoding="utf-8"))
    layers, heads = told["layers"], told["heads"]
    attention = np.memmap(folder / "attention.f32", dtype="<f4", mode="r")
    data, begin = [], 0
    for sentence in told["sentences"]:
        shape = (layers, heads, sentence["tokens"], sentence["tokens"])
        end = begin + int(np.prod(shape))
        whole, words_to_tokens = with_silent_tokens(
            np.array(attention[begin:end]).reshape(shape), sentence["words_to_tokens"]
        )
        begin = end
        merge = space["get_word_word_attention"]
        attns = [[merge(head, words_to_tokens, mode="mean") for head in layer] for layer in whole]
        data.append({**sentence, "attns": attns})
    assert begin == attention.size, f"expected {begin} weights, found {attention.size}"

    space["dev_data"] = data
    counts = collections.Counter(reln for sentence in data for reln in sentence["relns"])
    predictor, evaluate = space["attn_head_predictor"], space["evaluate_predictor"]
    shares = {
        direction: [
            evaluate(predictor(layer, head, mode)) for layer in range(layers) for head in range(heads)
        ]
        for direction, mode in MODES.items()
    }
    print(json.dumps({"counts": counts, "shares": shares}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

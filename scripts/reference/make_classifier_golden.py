#!/usr/bin/env python3
"""Makes `tests/golden/classifiers` from transformers' own modules.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_classifier_golden.py [-o tests/golden/classifiers]

A small seeded model for each kind of classifier that BERT's models lack: of tokens, in every family that has
one, and ModernBERT's of texts, which read the first token or the mean of all. `NAME.safetensors` has the weights,
`NAME.json` the configuration; `expected.safetensors` has for each NAME `NAME.ids` I32 [T],
`NAME.logits` F32 [T, labels] or [1, labels], and `NAME.gradient` F32 [T]: gradient × input of the logit of
class 2 at token 3, where that is not 0. `spans.json` has what transformers' pipeline makes of the classes of tokens.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from transformers.pipelines.token_classification import TokenClassificationPipeline

import safetensors_io
from golden_models import with_random_weights

TOKENS, LABELS, TOKEN, LABEL = 9, 5, 3, 2
SIZES = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 28,
         "max_position_embeddings": 16, "pad_token_id": 1, "attn_implementation": "eager", "num_labels": LABELS}  # fmt: skip
MODERN = {"local_attention": 4, "num_hidden_layers": 3, "cls_token_id": 2, "bos_token_id": 2, "sep_token_id": 3, "eos_token_id": 3}
DISTANCES = {"relative_attention": True, "position_buckets": 4, "pos_att_type": ["p2c", "c2p"], "norm_rel_ebd": "layer_norm",
             "share_att_key": True, "position_biased_input": False, "type_vocab_size": 0}  # fmt: skip
DISTIL = {"dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 28}

# Where gradient × input is 0, because words are normalized before anything is added to them.
NORMALIZE_WORDS = {"deberta", "modernbert"}

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "bert": ("BertForTokenClassification", {}),
    "distilbert": ("DistilBertForTokenClassification", DISTIL),
    "roberta": ("RobertaForTokenClassification", {"type_vocab_size": 1}),
    "electra": ("ElectraForTokenClassification", {"embedding_size": 16}),
    "albert": ("AlbertForTokenClassification", {"embedding_size": 16}),
    "mpnet": ("MPNetForTokenClassification", {}),
    "deberta-v2": ("DebertaV2ForTokenClassification", DISTANCES),
    "modernbert": ("ModernBertForTokenClassification", MODERN),
    "modernbert-first": ("ModernBertForSequenceClassification", MODERN | {"classifier_pooling": "cls"}),
    "modernbert-mean": ("ModernBertForSequenceClassification", MODERN | {"classifier_pooling": "mean"}),
}


def words_of(model: nn.Module) -> nn.Embedding:
    return model.get_input_embeddings()  # type: ignore[operator]


def gradient_times_input(model: nn.Module, ids: Tensor, of_tokens: bool) -> Tensor:
    """With respect to the word embeddings, summed over their width. [T]"""
    words = words_of(model)(ids).detach().requires_grad_()
    logits = model(inputs_embeds=words).logits[0]
    (logits[TOKEN, LABEL] if of_tokens else logits[LABEL]).backward()
    return (words * words.grad).sum(-1)[0].detach()


def make(name: str, seed: int, out: Path) -> dict[str, Tensor]:
    architecture, differences = KINDS[name]
    kind = getattr(transformers, architecture)
    model = with_random_weights(kind(kind.config_class(**(SIZES | differences))), seed, gain=1)
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, SIZES["vocab_size"], (1, TOKENS), generator=generator)
    ids[0, 0], ids[0, -1] = 2, 3
    config = json.loads(model.config.to_json_string()) | {"architectures": [architecture]}
    weights = {key: value.contiguous() for key, value in model.state_dict().items() if value.is_floating_point()}
    safetensors_io.save(out / f"{name}.safetensors", weights)
    (out / f"{name}.json").write_text(json.dumps(config) + "\n", encoding="utf-8")
    with torch.no_grad():
        logits = model(ids).logits
    of_tokens = "Token" in architecture
    found = {f"{name}.ids": ids[0].int(), f"{name}.logits": logits[0] if of_tokens else logits}
    if name.split("-")[0] not in NORMALIZE_WORDS:
        found[f"{name}.gradient"] = gradient_times_input(model, ids, of_tokens)
    return found


def spans(count: int) -> list[dict[str, Any]]:
    """What the strategy "simple" makes of seeded classes, without the class O."""
    # The grouping needs no model, and of a tokenizer only what joins words.
    pipeline = TokenClassificationPipeline.__new__(TokenClassificationPipeline)
    pipeline.tokenizer = type("Words", (), {"convert_tokens_to_string": staticmethod(" ".join)})()
    chooser = random.Random(1)
    labels = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "MISC")
    cases = []
    for _ in range(count):
        tokens = [
            {"entity": chooser.choice(labels), "score": chooser.random(), "index": at, "word": str(at), "start": at,
             "end": at + 1}
            for at in range(chooser.randint(1, 12))
        ]  # fmt: skip
        groups = pipeline.group_entities([dict(token) for token in tokens])
        cases.append({
            "tokens": [[token["entity"], token["score"]] for token in tokens],
            "spans": [[group["entity_group"], group["start"], group["end"], float(group["score"])]
                      for group in groups if group["entity_group"] != "O"],
        })  # fmt: skip
    return cases


def main() -> int:
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden" / "classifiers"
    parser = argparse.ArgumentParser(description="Makes the golden classifiers of tokens and ModernBERT's of texts.")
    parser.add_argument("-o", "--out", type=Path, default=golden)
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    expected: dict[str, Tensor] = {}
    for at, name in enumerate(KINDS):
        expected |= make(name, 41 + at, out)
    safetensors_io.save(out / "expected.safetensors", expected)
    (out / "spans.json").write_text(json.dumps(spans(60)) + "\n", encoding="utf-8")
    print(f"{out}: {sum(path.stat().st_size for path in out.iterdir()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

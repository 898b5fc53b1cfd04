#!/usr/bin/env python3
"""Makes the golden models in `tests/golden`: tiny seeded BERTs and what they compute.

    python3 scripts/reference/make_golden.py [-o tests/golden]

Each model is a Hugging Face folder plus `expected.safetensors`: a padded batch (`input_ids`,
`token_type_ids`, `attention_mask`, I32 [B, T]) and its outputs (F32): `attentions` [L, B, A, T, T],
`queries`, `keys`, `values` [L, B, A, T, d], `hidden_states` [L + 1, B, T, H], and with the weights
for them `mlm_logits` [B, T, V], `pooler_output` [B, H], `classifier_logits` [B, labels].
`analysis.safetensors` has what src/analysis makes of it: token classes `kinds`, `words`, `occurrences`
(I32 [B, T]) and `head_statistics` [B, S, L, A] in the order of head_statistics.STATISTICS; of the first
sequence `head_norms` [L, A, T', T'], `layer_norms`, `rollout` and `flow` [L, T', T'] up to each layer, `head_distances` [L * A, L * A] and `head_map` [L * A, 2] (measures.py); and with
the first model `lens` [L + 1, T, V], its logits at every layer, and `surprise`
[T], in bits, of each token when it alone is masked.
`interventions.safetensors`, of the first model, has the passes with each of INTERVENTIONS: `N.hidden`
[B, T, H], the last hidden states, and `N.attentions` [L, A, T', T'] of the last sequence without its
padding; its metadata has the interventions as JSON.
Everything is computed in float64 from the weights as stored, then rounded once.
The same script gives the same bytes: change a seed and every expectation moves.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

import safetensors_io
from bert import Bert, Trace
from checkpoint import load_model, save_model
from golden_berts import INTERVENTIONS, MODELS, VOCABULARY, Golden, Tensors
from head_statistics import STATISTICS, head_statistics, token_kinds, word_ids
from interventions import LayerChange
from measures import classical_scaling, flow, head_distances, mixings, rollout, value_norms


def random_weights(model: Bert, generator: torch.Generator) -> None:
    """Fills the parameters so that a mistake anywhere shows in the outputs.

    Matrices keep their inputs' scale, but queries and keys are 1.5 times that, so that scores have a
    standard deviation above 2 and attention is far from uniform; gains and biases are all different.
    """
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("LayerNorm.weight"):
                parameter.uniform_(0.6, 1.4, generator=generator)
            elif name.endswith("bias"):
                parameter.normal_(0, 0.3, generator=generator)
            elif "embeddings" in name:
                parameter.normal_(0, 1 if "word" in name else 0.5, generator=generator)
            else:
                gain = 1.5 if ".query." in name or ".key." in name else 1
                parameter.normal_(0, gain / math.sqrt(parameter.shape[1]), generator=generator)


def make_batch(golden: Golden, generator: torch.Generator) -> Tensors:
    """`[CLS] text [SEP]` and `[CLS] text [SEP] text [SEP]`, padded at the end. I32 [B, T].

    All ids are drawn; with `golden.texts` the first sequence is theirs instead.
    """
    pairs = []
    for first, second in golden.lengths:
        words = torch.randint(5, golden.config.vocab_size, (first + second,), generator=generator).tolist()
        pairs.append([words[:first], words[first:]])
    if golden.texts:
        pairs[0] = [[VOCABULARY.index(token) for token in text.split()] for text in golden.texts]
    rows, types = [], []
    for head, tail in pairs:
        tail = tail + [3] if tail else []
        rows.append([2] + head + [3] + tail)
        types.append([0] * (len(head) + 2) + [1] * len(tail))
    longest = max(map(len, rows))

    def padded(values: list[list[int]]) -> Tensor:
        return torch.tensor([row + [0] * (longest - len(row)) for row in values], dtype=torch.int32)

    return {
        "input_ids": padded(rows),
        "token_type_ids": padded(types),
        "attention_mask": padded([[1] * len(row) for row in rows]),
    }


@torch.no_grad()
def expected_outputs(model: Bert, batch: Tensors) -> Tensors:
    """Runs the reference and collects what the docstring above lists, rounded to F32."""
    trace = Trace()
    hidden = model(batch["input_ids"], batch["token_type_ids"], batch["attention_mask"], trace)
    outputs = {name: torch.stack(tensors) for name, tensors in vars(trace).items()}
    if model.cls is not None:
        outputs["mlm_logits"] = model.mlm_logits(hidden)
    if model.bert.pooler is not None:
        outputs["pooler_output"] = model.pooled(hidden)
    if model.classifier is not None:
        outputs["classifier_logits"] = model.classifier_logits(hidden)
    return {name: tensor.float() for name, tensor in outputs.items()}


def analyse(batch: Tensors, outputs: Tensors) -> Tensors:
    """What the analyses make of the outputs, each sequence without its padding."""
    classes = {name: torch.zeros_like(batch["input_ids"]) for name in ("kinds", "words", "occurrences")}
    statistics = []
    for sequence, ids in enumerate(batch["input_ids"]):
        length = int(batch["attention_mask"][sequence].sum())
        tokens = [VOCABULARY[token] for token in ids[:length]]
        found = (token_kinds(tokens), *word_ids(tokens))
        for tensor, values in zip(classes.values(), found):
            tensor[sequence, :length] = torch.from_numpy(values)
        attention = outputs["attentions"][:, sequence, :, :length, :length].numpy()
        by_name = head_statistics(attention, *found)
        statistics.append(np.stack([by_name[name] for name in STATISTICS]))
    return classes | {"head_statistics": torch.from_numpy(np.stack(statistics)).float()}


def measure(model: Bert, batch: Tensors, outputs: Tensors, kinds: Tensor) -> Tensors:
    """The measures of the first sequence, without its padding."""
    length = int(batch["attention_mask"][0].sum())
    attention = outputs["attentions"][:, 0, :, :length, :length].double().numpy()
    values = outputs["values"][:, 0, :, :length].double().numpy()
    layers = range(len(attention))
    projections = [model.bert.encoder.layer[layer].attention.output.dense.weight.detach().numpy() for layer in layers]
    norms = [value_norms(attention[layer], values[layer], projections[layer]) for layer in layers]
    mixed = mixings(attention)
    queries = (kinds[0, :length].numpy() == 0) | (kinds[0, :length].numpy() == 3)
    distances = head_distances(attention.reshape(-1, length, length), queries)
    found = {
        "head_norms": np.stack([of_heads for of_heads, _ in norms]),
        "layer_norms": np.stack([of_layer for _, of_layer in norms]),
        "rollout": np.stack([rollout(mixed[: layer + 1]) for layer in layers]),
        "flow": np.stack([flow(mixed[: layer + 1]) for layer in layers]),
        "head_distances": distances,
        "head_map": classical_scaling(distances),
    }
    return {name: torch.from_numpy(np.ascontiguousarray(values)).float() for name, values in found.items()}


@torch.no_grad()
def masked_lm(model: Bert, batch: Tensors, outputs: Tensors) -> Tensors:
    """What the masked-LM head says of the first sequence, at every layer and of each token in turn."""
    ids, types = batch["input_ids"][:1], batch["token_type_ids"][:1]
    length = int(batch["attention_mask"][0].sum())
    bits = torch.zeros(length, dtype=torch.float64)
    for token in range(length):
        masked = ids[:, :length].clone()
        masked[0, token] = VOCABULARY.index("[MASK]")
        logits = model.mlm_logits(model(masked, types[:, :length]))[0, token]
        bits[token] = -logits.log_softmax(-1)[ids[0, token]] / math.log(2)
    hidden = outputs["hidden_states"][:, 0, :length].double()
    return {"lens": model.mlm_logits(hidden).float(), "surprise": bits.float()}


@torch.no_grad()
def intervene(model: Bert, batch: Tensors) -> Tensors:
    """A pass with each of INTERVENTIONS."""
    outputs = {}
    for index, interventions in enumerate(INTERVENTIONS):
        layers = range(model.config.num_hidden_layers)
        changes = [LayerChange(layer, model.config, interventions) for layer in layers]
        trace = Trace()
        hidden = model(batch["input_ids"], batch["token_type_ids"], batch["attention_mask"], trace, changes)
        length = int(batch["attention_mask"][-1].sum())
        outputs[f"{index}.attentions"] = torch.stack(trace.attentions)[:, -1, :, :length, :length]
        outputs[f"{index}.hidden"] = hidden
    return {name: tensor.float() for name, tensor in outputs.items()}


def config_json(golden: Golden) -> dict[str, Any]:
    """A `config.json` as transformers writes it."""
    architecture = {"architectures": ["BertForMaskedLM"], "model_type": "bert"}
    return architecture | vars(golden.config) | {"pad_token_id": 0, "torch_dtype": "float32"} | golden.extra_config


def make(golden: Golden, folder: Path) -> None:
    """Writes one model and its expectations, the latter computed from the former as read back."""
    generator = torch.Generator().manual_seed(golden.seed)
    model = Bert(golden.config, golden.heads)
    random_weights(model, generator)
    batch = make_batch(golden, generator)
    tensors = {name: tensor.to(golden.dtype) for name, tensor in model.state_dict().items()}
    shutil.rmtree(folder, ignore_errors=True)
    save_model(folder, golden.rename(tensors, generator), config_json(golden))
    if golden.texts:
        (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in VOCABULARY), encoding="utf-8")
    exact = load_model(folder, torch.float64)
    outputs = expected_outputs(exact, batch)
    safetensors_io.save(folder / "expected.safetensors", batch | outputs)
    analysis = analyse(batch, outputs)
    analysis |= measure(exact, batch, outputs, analysis["kinds"])
    if golden is MODELS[0]:
        analysis |= masked_lm(exact, batch, outputs)
    safetensors_io.save(folder / "analysis.safetensors", analysis)
    if golden is MODELS[0]:
        metadata = {"interventions": json.dumps(INTERVENTIONS)}
        safetensors_io.save(folder / "interventions.safetensors", intervene(exact, batch), metadata)


def main() -> int:
    repository = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Makes the golden models that the encoder is tested against.")
    parser.add_argument("-o", "--out", type=Path, default=repository / "tests" / "golden")
    out: Path = parser.parse_args().out
    if out.exists() and not out.is_dir():
        print(f"{out}: expected a folder, found a file", file=sys.stderr)
        return 2
    for golden in MODELS:
        make(golden, out / golden.name)
        size = sum(path.stat().st_size for path in (out / golden.name).iterdir())
        print(f"{out / golden.name}: {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

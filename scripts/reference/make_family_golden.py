#!/usr/bin/env python3
"""Makes the golden models of BERT's relatives in `tests/golden`, as `make_golden.py` those of BERT.

    python3 scripts/reference/make_family_golden.py [-o tests/golden]

Each folder has what transformers saves, with a small tokenizer of the family's kind: `vocab.txt`
(WordPiece), `vocab.json` and `merges.txt` (byte-level BPE), or `tokenizer.json` (Unigram).
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import torch
from torch import Tensor, nn

import safetensors_io
from albert import AlbertForPreTraining
from bert import Trace
from checkpoint import save_model
from distilbert import DistilBertForMaskedLM, DistilBertForSequenceClassification
from electra import ElectraForMaskedLM, ElectraForPreTraining
from families import FamilyConfig, FamilyModel
from golden_berts import VOCABULARY
from roberta import RobertaAlone, RobertaForMaskedLM, RobertaForSequenceClassification
from small_tokenizers import byte_level_bpe, unigram

WORDPIECE = {"vocab.txt": "".join(f"{token}\n" for token in VOCABULARY)}


@dataclass(frozen=True)
class Golden:
    name: str
    seed: int
    config: FamilyConfig
    build: Callable[[FamilyConfig], FamilyModel]
    config_json: dict[str, Any]  # what differs from the names of FamilyConfig; None removes one
    tokenizer: dict[str, str]
    begin: int  # [CLS] or <s>
    end: int  # [SEP] or </s>
    dtype: torch.dtype = torch.float32
    separators: int = 1  # between two texts


BPE = byte_level_bpe()
UNIGRAM = unigram()
BPE_SIZE = len(json.loads(BPE["vocab.json"]))
UNIGRAM_SIZE = len(json.loads(UNIGRAM["tokenizer.json"])["model"]["vocab"]) + 1  # <mask>

DISTILBERT_JSON = {
    "model_type": "distilbert", "dim": 36, "n_layers": 3, "n_heads": 4, "hidden_dim": 52,
    "activation": "gelu", "sinusoidal_pos_embds": False, "hidden_size": None, "num_hidden_layers": None,
    "num_attention_heads": None, "intermediate_size": None, "hidden_act": None, "layer_norm_eps": None,
    "type_vocab_size": None,
}  # fmt: skip

MODELS = (
    Golden("distilbert", 11, FamilyConfig(101, 36, 3, 4, 52, 24, 0), DistilBertForMaskedLM,
           DISTILBERT_JSON | {"architectures": ["DistilBertForMaskedLM"]}, WORDPIECE, 2, 3),
    Golden("distilbert-sst", 12, FamilyConfig(101, 36, 3, 4, 52, 24, 0),
           lambda config: DistilBertForSequenceClassification(config, 2),
           DISTILBERT_JSON | {"architectures": ["DistilBertForSequenceClassification"],
                              "id2label": {"0": "NEGATIVE", "1": "POSITIVE"}}, WORDPIECE, 2, 3),
    Golden("roberta", 13, FamilyConfig(BPE_SIZE, 40, 2, 5, 60, 30, 1, layer_norm_eps=1e-5, pad_token_id=1),
           RobertaForMaskedLM, {"model_type": "roberta", "architectures": ["RobertaForMaskedLM"]}, BPE, 0, 2,
           separators=2),
    Golden("xlm-roberta", 14, FamilyConfig(UNIGRAM_SIZE, 32, 2, 4, 48, 30, 1, layer_norm_eps=1e-5, pad_token_id=1),
           lambda config: RobertaForSequenceClassification(config, 3),
           {"model_type": "xlm-roberta", "architectures": ["XLMRobertaForSequenceClassification"]}, UNIGRAM, 0, 2,
           dtype=torch.float16, separators=2),
    Golden("camembert", 15, FamilyConfig(UNIGRAM_SIZE, 32, 2, 2, 40, 26, 1, layer_norm_eps=1e-5, pad_token_id=1),
           RobertaAlone, {"model_type": "camembert", "architectures": ["CamembertModel"]}, UNIGRAM, 0, 2,
           separators=2),
    Golden("electra-small", 16, FamilyConfig(101, 48, 2, 4, 64, 28, 2, embedding_size=20), ElectraForMaskedLM,
           {"model_type": "electra", "architectures": ["ElectraForMaskedLM"]}, WORDPIECE, 2, 3),
    Golden("electra-discriminator", 17, FamilyConfig(101, 32, 2, 2, 44, 28, 2, embedding_size=32),
           lambda config: ElectraForPreTraining(config, 2),
           {"model_type": "electra", "architectures": ["ElectraForPreTraining"]}, WORDPIECE, 2, 3),
    Golden("albert", 18, FamilyConfig(UNIGRAM_SIZE, 48, 4, 4, 72, 32, 2, "gelu_new", embedding_size=24,
                                      num_hidden_groups=2, pad_token_id=1),
           lambda config: AlbertForPreTraining(config, 2),
           {"model_type": "albert", "architectures": ["AlbertForPreTraining"], "inner_group_num": 1}, UNIGRAM, 0, 2),
)  # fmt: skip

# Stored as PyTorch does too, tied weights in one storage.
PICKLED = ("distilbert", "xlm-roberta")
# As transformers saves large models: in parts, with a list of which tensor is where.
IN_PARTS = ("xlm-roberta",)

LENGTHS = ((4, 5), (7, 0), (2, 1))  # tokens of the first and second text of each sequence


def make_batch(golden: Golden, generator: torch.Generator) -> dict[str, Tensor]:
    """As the family's tokenizer lays texts out, padded at the end. I32 [B, T]."""
    rows: list[list[int]] = []
    types: list[list[int]] = []
    for first, second in LENGTHS:
        words = torch.randint(5, golden.config.vocab_size, (first + second,), generator=generator).tolist()
        row = [golden.begin, *words[:first], golden.end]
        kind = [0] * len(row)
        if second:
            between = [golden.end] * (golden.separators - 1)
            row += [*between, *words[first:], golden.end]
            kind += [1 if golden.config.type_vocab_size > 1 else 0] * (len(row) - len(kind))
        rows.append(row)
        types.append(kind)
    longest = max(map(len, rows))
    padding = golden.config.pad_token_id

    def padded(values: list[list[int]], fill: int) -> Tensor:
        return torch.tensor([row + [fill] * (longest - len(row)) for row in values], dtype=torch.int32)

    return {
        "input_ids": padded(rows, padding),
        "token_type_ids": padded(types, 0),
        "attention_mask": padded([[1] * len(row) for row in rows], 0),
    }


def config_json(golden: Golden) -> dict[str, Any]:
    known = {name: value for name, value in vars(golden.config).items() if value or name == "pad_token_id"}
    merged = known | golden.config_json
    return {name: value for name, value in merged.items() if value is not None}


def stored(model: FamilyModel, dtype: torch.dtype) -> dict[str, Tensor]:
    """What is saved: tied parameters once under each name, norms and all in `dtype`."""
    return {name.removeprefix("bare."): tensor.to(dtype).contiguous() for name, tensor in model.state_dict().items()}


@torch.no_grad()
def expected_outputs(model: FamilyModel, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    trace = Trace()
    hidden = model(batch["input_ids"], batch["token_type_ids"], batch["attention_mask"], trace)
    outputs = {name: torch.stack(tensors) for name, tensors in vars(trace).items()} | model.outputs(hidden)
    return {name: tensor.float() for name, tensor in outputs.items()}


def make(golden: Golden, folder: Path) -> None:
    generator = torch.Generator().manual_seed(golden.seed)
    model = golden.build(golden.config)
    random_weights(model, generator)
    batch = make_batch(golden, generator)
    shutil.rmtree(folder, ignore_errors=True)
    tensors = stored(model, golden.dtype)
    save_model(folder, tensors, config_json(golden))
    if golden.name in PICKLED:
        state = model.state_dict()
        torch.save({name: tensor.to(golden.dtype) for name, tensor in state.items()}, folder / "pytorch_model.bin")
    if golden.name in IN_PARTS:
        save_parts({name: tensor.to(golden.dtype) for name, tensor in model.state_dict().items()}, folder)
    for name, text in golden.tokenizer.items():
        (folder / name).write_text(text, encoding="utf-8")
    prefix = "bare." if isinstance(model, RobertaAlone) else ""
    model = model.double()
    model.load_state_dict({prefix + name: tensor.double() for name, tensor in tensors.items()})
    safetensors_io.save(folder / "expected.safetensors", batch | expected_outputs(model.eval(), batch))


def save_parts(state: dict[str, Tensor], folder: Path, parts: int = 2) -> None:
    names = list(state)
    size = math.ceil(len(names) / parts)
    places: dict[str, str] = {}
    for part in range(parts):
        file = f"pytorch_model-{part + 1:05}-of-{parts:05}.bin"
        chosen = names[part * size : (part + 1) * size]
        torch.save({name: state[name].clone() for name in chosen}, folder / file)
        places |= dict.fromkeys(chosen, file)
    total = sum(tensor.numel() * tensor.element_size() for tensor in state.values())
    index = {"metadata": {"total_size": total}, "weight_map": places}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


@torch.no_grad()
def random_weights(model: nn.Module, generator: torch.Generator) -> None:
    """As `make_golden.random_weights`, told by the kind of module: names differ between families."""
    for name, module in model.named_modules():
        if isinstance(module, nn.LayerNorm):
            module.weight.uniform_(0.6, 1.4, generator=generator)
            module.bias.normal_(0, 0.3, generator=generator)
        elif isinstance(module, nn.Embedding):
            module.weight.normal_(0, 1 if "word" in name else 0.5, generator=generator)
        elif isinstance(module, nn.Linear):
            if not name.endswith(("generator_lm_head", "decoder", "vocab_projector")):  # those are tied
                gain = 1.5 if name.endswith(("query", "key", "q_lin", "k_lin")) else 1
                module.weight.normal_(0, gain / math.sqrt(module.in_features), generator=generator)
            module.bias.normal_(0, 0.3, generator=generator)


def main() -> int:
    repository = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Makes the golden models of BERT's relatives.")
    parser.add_argument("-o", "--out", type=Path, default=repository / "tests" / "golden")
    out: Path = parser.parse_args().out
    for golden in MODELS:
        make(golden, out / golden.name)
        size = sum(path.stat().st_size for path in (out / golden.name).iterdir())
        print(f"{out / golden.name}: {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

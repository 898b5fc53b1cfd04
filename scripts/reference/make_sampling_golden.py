#!/usr/bin/env python3
"""Makes the golden probabilities of the next token in `tests/golden/sampling.json.gz`, from transformers' own processors.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_sampling_golden.py [-o tests/golden]

Each case has logits, the tokens written before, settings, and the probabilities that transformers draws from. For each
of some penalties it also has what the golden GPT-2 writes, and for some settings of a beam search what it and the golden
encoder-decoders write.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    LogitsProcessorList,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
    PreTrainedModel,
)

VOCABULARY = 50
WRITTEN = 12
CASES = 60
SEED = 40
PENALTIES = (0.5, 3.0)
BEGUN = ([3, 14, 15, 9], [26, 5, 35, 8, 97], [2] * 6)
ADDED = 16
SEARCHES = 24
ENCODER_DECODERS = ("marian", "bart")


def random_settings(generator: torch.Generator) -> dict[str, float]:
    def pick(*values: float) -> float:
        return values[int(torch.randint(len(values), (), generator=generator))]

    return {
        "temperature": pick(0.1, 0.7, 1.0, 2.5),
        "topK": pick(0, 1, 3, 20, VOCABULARY, 1000),
        "topP": pick(0.0, 0.01, 0.3, 0.9, 0.99, 1.0),
        "repetitionPenalty": pick(0.5, 1.0, 1.2, 3.0),
    }


def probabilities(written: torch.Tensor, logits: torch.Tensor, settings: dict[str, float]) -> torch.Tensor:
    """Those of the next token, float32 [V], as `GenerationMixin` of transformers has them."""
    steps = LogitsProcessorList([RepetitionPenaltyLogitsProcessor(settings["repetitionPenalty"])])
    steps.append(TemperatureLogitsWarper(settings["temperature"]))
    if settings["topK"]:
        steps.append(TopKLogitsWarper(int(settings["topK"])))
    if settings["topP"] < 1:
        steps.append(TopPLogitsWarper(settings["topP"]))
    return steps(written[None], logits[None].clone())[0].softmax(-1)


def cases() -> list[dict[str, Any]]:
    generator = torch.Generator().manual_seed(SEED)
    found = []
    for _ in range(CASES):
        # All different: which of equal ones is drawn is nobody's definition.
        logits = torch.randperm(20 * VOCABULARY, generator=generator)[:VOCABULARY] / 64 - 8
        written = torch.randint(VOCABULARY, (WRITTEN,), generator=generator)
        settings = random_settings(generator)
        drawn = probabilities(written, logits, settings)
        rounded = {
            "logits": logits.tolist(),
            "probabilities": [round(share, 8) for share in drawn.tolist()],
        }
        found.append(settings | rounded | {"written": written.tolist()})
    return found


def continuations(folder: Path) -> list[dict[str, Any]]:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    found = []
    for penalty in PENALTIES:
        for begun in BEGUN:
            ids = torch.tensor([begun])
            written = model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=ADDED, do_sample=False, num_beams=1,
                repetition_penalty=penalty, pad_token_id=0,
            )  # fmt: skip
            found.append({"begun": begun, "repetitionPenalty": penalty, "added": written[0, len(begun) :].tolist()})
    return found


def search(model: PreTrainedModel, ids: list[int], settings: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """All beams, best first: the tokens that were added, and the score."""
    begin = 1 if model.config.is_encoder_decoder else len(ids)
    inputs = torch.tensor([ids])
    found = model.generate(
        inputs, attention_mask=torch.ones_like(inputs), max_new_tokens=ADDED, do_sample=False, num_beams=settings["beams"],
        num_return_sequences=settings["beams"], length_penalty=settings["lengthPenalty"],
        early_stopping=settings["earlyStopping"], repetition_penalty=settings["repetitionPenalty"],
        return_dict_in_generate=True, output_scores=True, **more,
    )  # fmt: skip
    lengths = (found.beam_indices >= 0).sum(1).tolist()
    rows = zip(found.sequences.tolist(), lengths, found.sequences_scores.tolist())
    return [{"ids": row[begin : begin + length], "score": round(score, 6)} for row, length, score in rows]


def random_search(chosen: random.Random) -> dict[str, Any]:
    return {
        "beams": chosen.choice((2, 3, 6)),
        "lengthPenalty": chosen.choice((1.0, 1.0, 0.0, 2.5, -1.0)),
        "earlyStopping": chosen.random() < 0.5,
        "repetitionPenalty": chosen.choice((1.0, 1.0, 1.7)),
    }


def searches(folder: Path) -> list[dict[str, Any]]:
    """Searches of the golden GPT-2, in each of which some token that it is likely to write ends a text."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    chosen = random.Random(SEED)
    found = []
    for index in range(SEARCHES):
        begun = BEGUN[index % len(BEGUN)]
        settings = random_search(chosen)
        beams = search(model, begun, settings, pad_token_id=0)
        end = chosen.choice(beams[chosen.randrange(len(beams))]["ids"])
        beams = search(model, begun, settings, pad_token_id=0, eos_token_id=end)
        found.append({"begun": begun, **settings, "end": end, "found": beams})
    return found


def translation_searches(folder: Path) -> list[dict[str, Any]]:
    """Searches of a golden encoder-decoder, on texts that `make_translation_golden.py` translates."""
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    known = json.loads(gzip.decompress((folder / "translations.json.gz").read_bytes()))
    chosen = random.Random(SEED)
    found = []
    for index in chosen.sample(sorted(known["written"], key=int), SEARCHES // 2):
        settings = random_search(chosen)
        beams = search(model, known["ids"][int(index)], settings)
        found.append({"text": known["texts"][int(index)], **settings, "found": beams})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("tests/golden"))
    output: Path = parser.parse_args().output
    golden = {
        "cases": cases(),
        "continuations": continuations(output / "gpt2"),
        "searches": searches(output / "gpt2"),
        "translations": {name: translation_searches(output / name) for name in ENCODER_DECODERS},
    }
    data = json.dumps(golden, separators=(",", ":")).encode()
    (output / "sampling.json.gz").write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    main()

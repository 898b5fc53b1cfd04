"""What the model of a quantized file computes, for the test of the engine.

A `.safetensors` file with, for text N of `TEXTS`: `N.source` and `N.answer`, I32, the ids with their ends;
`N.encoder` F32 [L, A, S, S], `N.decoder` [L, A, T, T] and `N.cross` [L, A, T, S], the attention of the pass
that wrote the answer; `N.hidden` [S, width], the encoder's last; and `N.logits` [T, vocabulary]. The texts are
in its metadata.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch

import safetensors_io
from marian import MarianMTModel, Trace
from vocabulary import ANSWER_LENGTH, START, encode

TEXTS = (
    "the twenty-third of March 2021",
    "Tuesday, 23 March 2021",
    "We met on Christmas Eve of nineteen eighty-four, she said.",
    "2.IX.1066",
    "12/31/1999",
    "in May",
)


@torch.no_grad()
def golden(model: MarianMTModel, out: Path) -> None:
    tensors: dict[str, torch.Tensor] = {}
    for index, text in enumerate(TEXTS):
        source = torch.tensor([encode(text)])
        answer = model.greedy(source, ANSWER_LENGTH)
        read = torch.cat([torch.tensor([[START]]), answer[:, :-1]], 1)
        trace = Trace()
        logits = model(source, read, trace)
        tensors |= {
            f"{index}.source": source[0].int(),
            f"{index}.answer": answer[0].int(),
            f"{index}.encoder": torch.cat(trace.encoder),
            f"{index}.decoder": torch.cat(trace.decoder),
            f"{index}.cross": torch.cat(trace.cross),
            f"{index}.hidden": trace.encoder_hidden[-1][0],
            f"{index}.logits": logits[0],
        }
    safetensors_io.save(out, tensors, {"texts": json.dumps(TEXTS)})
    print(f"{out}: {len(TEXTS)} texts")

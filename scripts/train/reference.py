"""What a model computes before it is quantized, for the test of what quantization costs.

The float16 weights are too big for the repository; what PyTorch makes of them on the test's sentences
is not. A `.safetensors` file with, for sentence N: `N.ids` I32 [T], special tokens included; `N.attention`
I16 [L, A, T, T], computed in float32 and rounded to a multiple of 1 / 32767; and of the same sentence with a
[MASK] in its middle: `N.masked` I32 [T], and `N.guess` I32 [1], the likeliest token there.
"""

from __future__ import annotations

from pathlib import Path

import torch

import safetensors_io
from bert import Trace
from blanks import encode, read_sentences
from checkpoint import load_model
from normalize import MASK
from wordpiece import WordPiece

ONE = 32767


@torch.no_grad()
def reference(folder: Path, sentences: Path, out: Path) -> None:
    """Writes the file."""
    tokenizer = WordPiece.load(folder / "vocab.txt")
    model = load_model(folder)
    tensors: dict[str, torch.Tensor] = {}
    for index, sentence in enumerate(read_sentences(sentences)):
        ids = torch.tensor([encode(sentence, tokenizer)])
        trace = Trace()
        model(ids, torch.zeros_like(ids), trace=trace)
        middle = ids.shape[1] // 2
        masked = ids.clone()
        masked[0, middle] = MASK
        guess = model.mlm_logits(model(masked, torch.zeros_like(ids))[0, middle]).argmax()
        tensors[f"{index}.ids"] = ids[0].int()
        tensors[f"{index}.attention"] = (torch.stack(trace.attentions)[:, 0] * ONE).round().short()
        tensors[f"{index}.masked"] = masked[0].int()
        tensors[f"{index}.guess"] = guess[None].int()
    safetensors_io.save(out, tensors)
    print(f"{out}: {len(tensors) // 4} sentences")

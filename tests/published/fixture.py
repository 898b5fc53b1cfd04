"""Writes a few heads of a published model to a file that is small enough for the repository.

For text number i and each of `HEADS`, `i.layer.head.queries` and `i.layer.head.keys` [tokens, head size] and
`i.layer.head.attention` [tokens, tokens], of transformers in float32. The metadata has the texts, with their tokens and
ids, and the model's name. None of the model's weights is in it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

TEXTS = [
    "The animal didn't cross the street because it was too tired.",
    "time flies like an arrow, fruit flies like a banana",
    "Café naïve 🙂 def f(x): return x ** 2",
    "A",
]
HEADS = [(0, 3), (1, 7), (2, 11), (3, 0), (5, 5)]


def main(folder: Path, name: str, output: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    size = model.config.hidden_size // model.config.num_attention_heads
    tensors: dict[str, torch.Tensor] = {}
    texts = []
    for number, text in enumerate(TEXTS):
        batch = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            result = model(**batch, output_attentions=True, output_hidden_states=True)
        ids = batch["input_ids"][0].tolist()
        texts.append({"text": text, "ids": ids, "tokens": tokenizer.convert_ids_to_tokens(ids)})
        for layer, head in HEADS:
            projections = model.encoder.layer[layer].attention.self
            columns = slice(head * size, (head + 1) * size)
            of_head = f"{number}.{layer}.{head}"
            with torch.no_grad():
                hidden = result.hidden_states[layer][0]
                tensors[f"{of_head}.queries"] = projections.query(hidden)[:, columns].contiguous()
                tensors[f"{of_head}.keys"] = projections.key(hidden)[:, columns].contiguous()
            tensors[f"{of_head}.attention"] = result.attentions[layer][0, head].contiguous()
    metadata = {"model": name, "texts": json.dumps(texts, ensure_ascii=False)}
    save_file(tensors, output, metadata)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))

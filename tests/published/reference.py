"""Computes, with transformers and sentence-transformers, what bertscope is compared with.

For every model folder it writes, to a folder of results:

- `texts.json`: the texts, each with its tokens, ids and token types;
- `expected.safetensors`: for text number i `i.attention` [layers, heads, tokens, tokens], `i.hidden`
  [layers + 1, tokens, hidden size], and `i.sentence` [hidden size], the vector of sentence-transformers, for models that
  have one. All are float32, computed in float32 with eager attention.
- `pairs.json`: pairs of sentences, each with the `cosine` of their vectors; none for models without.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

from graded_pairs import GRADED
from texts import published_texts


def compute(folder: Path, results: Path) -> None:
    """Runs all texts through the model of a folder."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    most = model.config.max_position_embeddings
    encode_sentence = sentence_encoder(folder, most)
    tensors: dict[str, torch.Tensor] = {}
    texts = published_texts()
    for number, text in enumerate(texts):
        batch = tokenizer(
            text["text"], text.get("pair"), return_tensors="pt", truncation=True, max_length=most
        )
        with torch.no_grad():
            output = model(**batch, output_attentions=True, output_hidden_states=True)
        ids = batch["input_ids"][0].tolist()
        text["tokens"] = tokenizer.convert_ids_to_tokens(ids)
        text["ids"] = ids
        text["token_type_ids"] = batch["token_type_ids"][0].tolist()
        tensors[f"{number}.attention"] = torch.cat(output.attentions).contiguous()
        tensors[f"{number}.hidden"] = torch.cat(output.hidden_states).contiguous()
        if encode_sentence and "pair" not in text:
            tensors[f"{number}.sentence"] = encode_sentence(text["text"])
    results.mkdir(parents=True, exist_ok=True)
    save_file(tensors, results / "expected.safetensors")
    pairs = graded_pairs(encode_sentence) if encode_sentence else []
    for name, value in (("texts.json", texts), ("pairs.json", pairs)):
        (results / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def graded_pairs(encode_sentence) -> list[dict[str, str | float]]:
    """Returns dictionaries of `text`, `other` and the `cosine` of their vectors."""
    return [
        {
            "text": text,
            "other": other,
            "cosine": torch.cosine_similarity(vector, encode_sentence(other), dim=0).item(),
        }
        for text, others in GRADED
        for vector in [encode_sentence(text)]
        for other in others
    ]


def sentence_encoder(folder: Path, most: int):
    """Returns the function that gives the vector of a text, or None for a folder of a plain model."""
    if not (folder / "modules.json").is_file():
        return None
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    # The folder may ask for fewer tokens than the model takes.
    model.max_seq_length = most
    return lambda text: torch.tensor(model.encode(text))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    compute(arguments.folder, arguments.results)

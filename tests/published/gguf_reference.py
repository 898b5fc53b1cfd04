"""Computes, with the packages gguf, tokenizers and transformers, what bertscope is compared with for a GGUF file.

It writes, to a folder of results:

- `texts.json`: 20 texts, each with its ids;
- `hashes.json`: a hash of the values of each tensor, with the names and the order of rows of Hugging Face's models;
- `expected.safetensors`: for text number i `i.logits` [tokens, vocabulary], computed in float32 with these values.

The file has to be a Llama without a head of its own, whose texts are split as SmolLM2's are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import gguf
import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM

from texts import published_texts

TEXTS = 20
CONTROL = 3
OUTER = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
INNER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def compute(path: Path, results: Path) -> None:
    """Runs 20 texts through the model of a file."""
    reader = gguf.GGUFReader(path)
    facts = {key: field.contents() for key, field in reader.fields.items()}
    if facts["general.architecture"] != "llama" or facts["tokenizer.ggml.pre"] != "smollm":
        raise SystemExit(f"{path}: expected a Llama with the tokenizer of SmolLM2")
    config = config_of(facts)
    values = {}
    for tensor in reader.tensors:
        name, array = plain(tensor, config)
        values[name] = array
    model = LlamaForCausalLM(config).eval()
    model.load_state_dict({name: torch.from_numpy(array) for name, array in values.items()}, strict=False)
    model.tie_weights()
    tokenizer = tokenizer_of(facts)
    texts = [{"text": text["text"]} for text in published_texts() if text["kind"] == "sentence"][:TEXTS]
    tensors = {}
    with torch.no_grad():
        for number, text in enumerate(texts):
            text["ids"] = tokenizer.encode(text["text"]).ids
            tensors[f"{number}.logits"] = model(torch.tensor([text["ids"]])).logits[0].contiguous()
    results.mkdir(parents=True, exist_ok=True)
    save_file(tensors, results / "expected.safetensors")
    hashes = {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in values.items()}
    for name, value in (("texts.json", texts), ("hashes.json", hashes), ("pairs.json", [])):
        (results / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def config_of(facts: dict) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=len(facts["tokenizer.ggml.tokens"]),
        hidden_size=facts["llama.embedding_length"],
        intermediate_size=facts["llama.feed_forward_length"],
        num_hidden_layers=facts["llama.block_count"],
        num_attention_heads=facts["llama.attention.head_count"],
        num_key_value_heads=facts["llama.attention.head_count_kv"],
        max_position_embeddings=facts["llama.context_length"],
        rms_norm_eps=facts["llama.attention.layer_norm_rms_epsilon"],
        rope_parameters={"rope_type": "default", "rope_theta": facts["llama.rope.freq_base"]},
        tie_word_embeddings=True,
    )


def plain(tensor: gguf.ReaderTensor, config: LlamaConfig) -> tuple[str, np.ndarray]:
    """Returns the name that Hugging Face's model has for a tensor, and its values in that model's order."""
    shape = tuple(int(size) for size in reversed(tensor.shape))
    values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32).reshape(shape)
    first, *rest = tensor.name.split(".")
    if first in OUTER:
        return f"{OUTER[first]}.{rest[0]}", values
    layer, inner, kind = rest
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}.get(inner)
    if heads:
        # Undoes `LlamaModel.permute` of llama.cpp's `convert_hf_to_gguf.py`.
        values = values.reshape(heads, shape[0] // heads // 2, 2, shape[1]).swapaxes(1, 2).reshape(shape)
    return f"model.layers.{layer}.{INNER[inner]}.{kind}", np.ascontiguousarray(values)


def tokenizer_of(facts: dict) -> Tokenizer:
    tokens, types = facts["tokenizer.ggml.tokens"], facts["tokenizer.ggml.token_type"]
    merges = [tuple(merge.split(" ")) for merge in facts["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({token: index for index, token in enumerate(tokens)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    control = [AddedToken(token, special=True) for token, type_ in zip(tokens, types) if type_ == CONTROL]
    tokenizer.add_special_tokens(control)
    return tokenizer


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("results", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    compute(arguments.file, arguments.results)

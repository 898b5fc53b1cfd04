"""The golden models of Llama, Llama 3.1 and Qwen2."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb, repeat_kv

from golden_models import (
    decoder_trace,
    make_batch,
    run_traced,
    save_decoder,
    saved_tokenizer,
    stored,
    with_random_weights,
    write_ids,
)
from small_tokenizers import llama_bpe, qwen_bpe

LLAMA = llama_bpe()
QWEN = qwen_bpe()

Llama = LlamaForCausalLM | Qwen2ForCausalLM
# Of the six turns of a head, the first stays, the second is in between, and the others are slowed.
SLOWED = {
    "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}  # fmt: skip


def build(name: str, seed: int) -> Llama:
    """Llama's heads share keys and values, and its words differ from its embeddings. Qwen2 has biases, Llama 3.1 slows rotations."""
    sizes = dict(
        hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=64,
        attn_implementation="eager",
    )  # fmt: skip
    if name != "qwen2":
        size = len(json.loads(LLAMA["tokenizer.json"])["model"]["vocab"])
        rotations = SLOWED if name == "llama3" else None
        config = LlamaConfig(vocab_size=size, num_key_value_heads=2, bos_token_id=1, eos_token_id=2,
                             rope_parameters=rotations, **sizes)  # fmt: skip
        model: Llama = LlamaForCausalLM(config)
    else:
        vocabulary = json.loads(QWEN["tokenizer.json"])
        size = len(vocabulary["model"]["vocab"]) + len(vocabulary["added_tokens"])
        rotations = {"rope_type": "default", "rope_theta": 1000000.0}
        model = Qwen2ForCausalLM(
            Qwen2Config(vocab_size=size, num_key_value_heads=4, tie_word_embeddings=True, rope_parameters=rotations,
                        eos_token_id=size - 1, **sizes)
        )  # fmt: skip
    return with_random_weights(model, seed, gain=1.5)


@torch.no_grad()
def expected(model: Llama, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated, and each key and value once for every head that shares it."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    decoder = model.model
    modules = [
        getattr(layer.self_attn, name) for layer in decoder.layers for name in ("q_proj", "k_proj", "v_proj")
    ]
    outputs, projected = run_traced(model, ids, mask, modules)
    config = model.config
    head_size = config.hidden_size // config.num_attention_heads
    shared = config.num_attention_heads // config.num_key_value_heads
    cos, sin = decoder.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    heads: list[tuple[Tensor, ...]] = []
    for parts in zip(projected[0::3], projected[1::3], projected[2::3]):
        query, key, value = (part.view(*ids.shape, -1, head_size).transpose(1, 2) for part in parts)
        query, key = apply_rotary_pos_emb(query, key, cos, sin)
        heads.append((query, repeat_kv(key, shared), repeat_kv(value, shared)))
    return stored(ids, mask, decoder_trace(outputs, heads, lambda state: model.lm_head(decoder.norm(state))))


def make(folder: Path, seed: int) -> None:
    tokenizer = QWEN if folder.name == "qwen2" else LLAMA
    save_decoder(folder, build(folder.name, seed), tokenizer, seed, expected)
    write_ids(folder, saved_tokenizer(folder))

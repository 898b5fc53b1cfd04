"""The golden models of Llama, Llama 3.1, Qwen2 and Qwen3."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)
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

Llama = LlamaForCausalLM | Qwen2ForCausalLM | Qwen3ForCausalLM
# Of the six turns of a head, the first stays, the second is in between, and the others are slowed.
SLOWED = {
    "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}  # fmt: skip


def build(name: str, seed: int) -> Llama:
    """Llama's heads share keys and values, and its words differ from its embeddings. Qwen2 has biases, Llama 3.1 slows rotations.

    The heads of Qwen3 do not divide its hidden size, and it normalizes their queries and keys.
    """
    sizes = dict(
        hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=64,
        attn_implementation="eager",
    )  # fmt: skip
    if not name.startswith("qwen"):
        size = len(json.loads(LLAMA["tokenizer.json"])["model"]["vocab"])
        rotations = SLOWED if name == "llama3" else None
        config = LlamaConfig(vocab_size=size, num_key_value_heads=2, bos_token_id=1, eos_token_id=2,
                             rope_parameters=rotations, **sizes)  # fmt: skip
        model: Llama = LlamaForCausalLM(config)
    else:
        vocabulary = json.loads(QWEN["tokenizer.json"])
        size = len(vocabulary["model"]["vocab"]) + len(vocabulary["added_tokens"])
        rotations = {"rope_type": "default", "rope_theta": 1000000.0}
        shared = dict(vocab_size=size, tie_word_embeddings=True, rope_parameters=rotations, eos_token_id=size - 1)
        if name == "qwen2":
            model = Qwen2ForCausalLM(Qwen2Config(num_key_value_heads=4, **shared, **sizes))
        else:
            model = Qwen3ForCausalLM(Qwen3Config(num_key_value_heads=2, head_dim=10, **shared, **sizes))
    return with_random_weights(model, seed, gain=1.5)


@torch.no_grad()
def expected(model: Llama, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated, and each key and value once for every head that shares it."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    decoder = model.model
    has_norms = isinstance(model, Qwen3ForCausalLM)
    names = ("q_norm", "k_norm", "v_proj") if has_norms else ("q_proj", "k_proj", "v_proj")
    modules = [getattr(layer.self_attn, name) for layer in decoder.layers for name in names]
    outputs, projected = run_traced(model, ids, mask, modules)
    config = model.config
    head_size = decoder.layers[0].self_attn.head_dim
    shared = config.num_attention_heads // config.num_key_value_heads
    cos, sin = decoder.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    heads: list[tuple[Tensor, ...]] = []
    for parts in zip(projected[0::3], projected[1::3], projected[2::3]):
        query, key, value = (part.view(*ids.shape, -1, head_size).transpose(1, 2) for part in parts)
        query, key = apply_rotary_pos_emb(query, key, cos, sin)
        heads.append((query, repeat_kv(key, shared), repeat_kv(value, shared)))
    return stored(ids, mask, decoder_trace(outputs, heads, lambda state: model.lm_head(decoder.norm(state))))


def make(folder: Path, seed: int) -> None:
    tokenizer = QWEN if folder.name.startswith("qwen") else LLAMA
    save_decoder(folder, build(folder.name, seed), tokenizer, seed, expected)
    write_ids(folder, saved_tokenizer(folder))

"""The golden models of Llama, Llama 3.1, Qwen2 and Qwen3."""

from __future__ import annotations

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

from golden_models import rotated_trace, save_decoder, vocabulary_of, with_random_weights
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
        size = vocabulary_of(LLAMA)
        rotations = SLOWED if name == "llama3" else None
        config = LlamaConfig(vocab_size=size, num_key_value_heads=2, bos_token_id=1, eos_token_id=2,
                             rope_parameters=rotations, **sizes)  # fmt: skip
        model: Llama = LlamaForCausalLM(config)
    else:
        size = vocabulary_of(QWEN)
        rotations = {"rope_type": "default", "rope_theta": 1000000.0}
        shared = dict(vocab_size=size, tie_word_embeddings=True, rope_parameters=rotations, eos_token_id=size - 1)
        if name == "qwen2":
            model = Qwen2ForCausalLM(Qwen2Config(num_key_value_heads=4, **shared, **sizes))
        else:
            model = Qwen3ForCausalLM(Qwen3Config(num_key_value_heads=2, head_dim=10, **shared, **sizes))
    return with_random_weights(model, seed, gain=1.5)


def expected(model: Llama, generator: torch.Generator) -> dict[str, Tensor]:
    """Each key and value once for every head that shares it."""
    has_norms = isinstance(model, Qwen3ForCausalLM)
    names = ("q_norm", "k_norm", "v_proj") if has_norms else ("q_proj", "k_proj", "v_proj")
    layers = model.model.layers
    config = model.config
    head_size = layers[0].self_attn.head_dim
    shared = config.num_attention_heads // config.num_key_value_heads

    def heads_of(projected: list[Tensor], rotations: tuple[Tensor, Tensor]) -> list[tuple[Tensor, ...]]:
        found: list[tuple[Tensor, ...]] = []
        for parts in zip(projected[0::3], projected[1::3], projected[2::3]):
            query, key, value = (part.view(*part.shape[:2], -1, head_size).transpose(1, 2) for part in parts)
            query, key = apply_rotary_pos_emb(query, key, *rotations)
            found.append((query, repeat_kv(key, shared), repeat_kv(value, shared)))
        return found

    modules = [getattr(layer.self_attn, name) for layer in layers for name in names]
    return rotated_trace(model, generator, modules, heads_of, model.model.norm)


def make(folder: Path, seed: int) -> None:
    tokenizer = QWEN if folder.name.startswith("qwen") else LLAMA
    save_decoder(folder, build(folder.name, seed), tokenizer, seed, expected)

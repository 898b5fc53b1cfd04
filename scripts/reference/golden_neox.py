"""The golden model of GPT-NeoX."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb

from golden_models import rotated_trace, save_decoder, vocabulary_of, with_random_weights
from small_tokenizers import qwen_bpe

TOKENIZER = qwen_bpe()


def build(seed: int) -> GPTNeoXForCausalLM:
    """A third of each head's numbers is rotated, and the parts of a layer are parallel."""
    size = vocabulary_of(TOKENIZER)
    rotations = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1 / 3}
    config = GPTNeoXConfig(
        vocab_size=size, hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4,
        max_position_embeddings=64, rope_parameters=rotations, bos_token_id=size - 1, eos_token_id=size - 1,
        attn_implementation="eager",
    )  # fmt: skip
    return with_random_weights(GPTNeoXForCausalLM(config), seed, gain=1.5)


def expected(model: GPTNeoXForCausalLM, generator: torch.Generator) -> dict[str, Tensor]:
    def heads_of(projected: list[Tensor], rotations: tuple[Tensor, Tensor]) -> list[tuple[Tensor, ...]]:
        found: list[tuple[Tensor, ...]] = []
        for output in projected:
            parts = output.view(*output.shape[:2], model.config.num_attention_heads, -1).transpose(1, 2)
            query, key, value = parts.chunk(3, dim=-1)
            found.append((*apply_rotary_pos_emb(query, key, *rotations), value))
        return found

    decoder = model.gpt_neox
    modules = [layer.attention.query_key_value for layer in decoder.layers]
    return rotated_trace(model, generator, modules, heads_of, decoder.final_layer_norm)


def make(folder: Path, seed: int) -> None:
    save_decoder(folder, build(seed), TOKENIZER, seed, expected)

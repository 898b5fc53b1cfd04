"""The golden model of GPT-NeoX."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb

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
from small_tokenizers import qwen_bpe

TOKENIZER = qwen_bpe()


def build(seed: int) -> GPTNeoXForCausalLM:
    """A third of each head's numbers is rotated, and the parts of a layer are parallel."""
    vocabulary = json.loads(TOKENIZER["tokenizer.json"])
    size = len(vocabulary["model"]["vocab"]) + len(vocabulary["added_tokens"])
    rotations = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1 / 3}
    config = GPTNeoXConfig(
        vocab_size=size, hidden_size=48, intermediate_size=40, num_hidden_layers=3, num_attention_heads=4,
        max_position_embeddings=64, rope_parameters=rotations, bos_token_id=size - 1, eos_token_id=size - 1,
        attn_implementation="eager",
    )  # fmt: skip
    return with_random_weights(GPTNeoXForCausalLM(config), seed, gain=1.5)


@torch.no_grad()
def expected(model: GPTNeoXForCausalLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    decoder = model.gpt_neox
    modules = [layer.attention.query_key_value for layer in decoder.layers]
    outputs, projected = run_traced(model, ids, mask, modules)
    cos, sin = decoder.rotary_emb(outputs.logits, torch.arange(ids.shape[1])[None])
    heads: list[tuple[Tensor, ...]] = []
    for output in projected:
        parts = output.view(*ids.shape, model.config.num_attention_heads, -1).transpose(1, 2)
        query, key, value = parts.chunk(3, dim=-1)
        heads.append((*apply_rotary_pos_emb(query, key, cos, sin), value))
    words = model.get_output_embeddings()
    return stored(ids, mask, decoder_trace(outputs, heads, lambda state: words(decoder.final_layer_norm(state))))


def make(folder: Path, seed: int) -> None:
    save_decoder(folder, build(seed), TOKENIZER, seed, expected)
    write_ids(folder, saved_tokenizer(folder))

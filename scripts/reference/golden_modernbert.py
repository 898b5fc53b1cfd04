"""The golden model of ModernBERT."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor
from transformers import ModernBertConfig, ModernBertForMaskedLM
from transformers.models.modernbert.modeling_modernbert import apply_rotary_pos_emb

import safetensors_io
from golden_models import (
    make_batch,
    run_traced,
    save_model,
    saved_tokenizer,
    stored,
    trace_of,
    with_random_weights,
    write_ids,
)
from small_tokenizers import modern_bpe

TOKENIZER = modern_bpe()
# What a query sees that is far behind a text means nothing, and is not the same everywhere.
LENGTHS = (9, 8, 7)


def build(seed: int) -> ModernBertForMaskedLM:
    """Two layers of five see the whole text, the others two tokens on each side."""
    size = len(json.loads(TOKENIZER["tokenizer.json"])["model"]["vocab"])
    config = ModernBertConfig(
        vocab_size=size, hidden_size=48, intermediate_size=40, num_hidden_layers=5, num_attention_heads=4,
        max_position_embeddings=64, local_attention=4, pad_token_id=3, bos_token_id=1, cls_token_id=1,
        eos_token_id=2, sep_token_id=2, attn_implementation="eager",
    )  # fmt: skip
    model = ModernBertForMaskedLM(config)
    return with_random_weights(model, seed, gain=1)


@torch.no_grad()
def expected(model: ModernBertForMaskedLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys as they meet: rotated."""
    ids, mask = make_batch(model.config.vocab_size, generator, LENGTHS)
    encoder = model.model
    modules = [*(layer.attn.Wqkv for layer in encoder.layers), encoder.final_norm]
    outputs, [*projected, last] = run_traced(model, ids, mask, modules)
    places = torch.arange(ids.shape[1])[None]
    heads: list[tuple[Tensor, ...]] = []
    for layer, output in zip(encoder.layers, projected):
        cos, sin = encoder.rotary_emb(output, places, layer.attention_type)
        query, key, value = output.view(*ids.shape, 3, model.config.num_attention_heads, -1).unbind(-3)
        query, key, value = (part.transpose(1, 2) for part in (query, key, value))
        heads.append((*apply_rotary_pos_emb(query, key, cos, sin), value))
    floats = trace_of(outputs, heads) | {
        "hidden_states": torch.stack([*outputs.hidden_states[:-1], last]),
        "mlm_logits": outputs.logits,
    }
    return stored(ids, mask, floats)


def make(folder: Path, seed: int) -> None:
    model = build(seed)
    save_model(folder, model, TOKENIZER)
    tensors = expected(model, torch.Generator().manual_seed(seed))
    safetensors_io.save(folder / "expected.safetensors", tensors)
    write_ids(folder, saved_tokenizer(folder))

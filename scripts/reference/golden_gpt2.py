"""The golden models of GPT-2, one of which divides scores by the number of the layer too."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel

from golden_models import decoder_trace, make_batch, run_traced, save_decoder, stored
from small_tokenizers import gpt2_bpe

TOKENIZER = gpt2_bpe()
VOCABULARY = len(json.loads(TOKENIZER["vocab.json"]))


def build(seed: int, is_scaled: bool) -> GPT2LMHeadModel:
    """With weights that are larger than GPT-2's at the start of training, so that heads differ."""
    config = GPT2Config(
        vocab_size=VOCABULARY, n_positions=40, n_embd=48, n_layer=3, n_head=4, n_inner=None,
        bos_token_id=VOCABULARY - 1, eos_token_id=VOCABULARY - 1,
        scale_attn_by_inverse_layer_idx=is_scaled, attn_implementation="eager",
    )  # fmt: skip
    model = GPT2LMHeadModel(config)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("ln_1.weight", "ln_2.weight", "ln_f.weight")):
                parameter.uniform_(0.6, 1.4, generator=generator)
            elif parameter.dim() == 1:
                parameter.normal_(0, 0.3, generator=generator)
            elif "wte" in name or "wpe" in name:
                parameter.normal_(0, 1 if "wte" in name else 0.5, generator=generator)
            else:  # Conv1D, [in, out]
                parameter.normal_(0, 1.5 / parameter.shape[0] ** 0.5, generator=generator)
    return model.eval()


def heads_of(model: GPT2LMHeadModel, projected: Tensor) -> tuple[Tensor, ...]:
    """Queries, keys and values [B, A, T, d] of a layer's [B, T, 3 H]."""
    batch, tokens, _ = projected.shape
    heads = model.config.n_head
    return tuple(part.view(batch, tokens, heads, -1).transpose(1, 2) for part in projected.chunk(3, dim=-1))


@torch.no_grad()
def expected(model: GPT2LMHeadModel, generator: torch.Generator) -> dict[str, Tensor]:
    ids, mask = make_batch(VOCABULARY, generator)
    decoder = model.transformer
    outputs, projected = run_traced(model, ids, mask, [block.attn.c_attn for block in decoder.h])
    heads = [heads_of(model, each) for each in projected]
    return stored(ids, mask, decoder_trace(outputs, heads, lambda state: model.lm_head(decoder.ln_f(state))))


def make(folder: Path, seed: int) -> None:
    save_decoder(folder, build(seed, is_scaled=folder.name != "gpt2"), TOKENIZER, seed, expected)

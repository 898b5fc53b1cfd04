"""The golden model of MPNet."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor
from transformers import MPNetConfig, MPNetForMaskedLM, MPNetTokenizer

from golden_models import make_batch, run_traced, save_encoder, stored, trace_of, with_random_weights
from small_tokenizers import word_pieces

POSITIONS = 298


def tokenizer() -> MPNetTokenizer:
    """BERT's pieces, and RoBERTa's special tokens."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", *word_pieces(), "<mask>"]
    return MPNetTokenizer(vocab={piece: index for index, piece in enumerate(pieces)})


def build(seed: int) -> MPNetForMaskedLM:
    config = MPNetConfig(
        vocab_size=5 + len(word_pieces()) + 1, hidden_size=30, intermediate_size=44, num_hidden_layers=3,
        num_attention_heads=5, max_position_embeddings=POSITIONS + 2, layer_norm_eps=1e-5, attn_implementation="eager",
    )  # fmt: skip
    of_size_1 = ("mpnet.encoder.relative_attention_bias.weight", "mpnet.embeddings.word_embeddings.weight")
    return with_random_weights(MPNetForMaskedLM(config), seed, gain=1.5, of_size_1=of_size_1)


def by_distance(biases: Tensor) -> Tensor:
    """[heads, tokens, tokens] as [heads, 2 * tokens - 1]: what the last query gets, then the first one without itself."""
    return torch.cat([biases[:, -1], biases[:, 0, 1:]], dim=-1)


@torch.no_grad()
def expected(model: MPNetForMaskedLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Padding has the id that positions are counted from."""
    ids, mask = make_batch(model.config.vocab_size, generator)
    ids = torch.where(mask == 1, ids, 1)
    encoder = model.mpnet.encoder
    modules = [getattr(layer.attention.attn, name) for layer in encoder.layer for name in "qkv"]
    outputs, projected = run_traced(model, ids, mask, modules)
    split = [
        part.unflatten(-1, (model.config.num_attention_heads, -1)).transpose(1, 2) for part in projected
    ]
    heads = list(zip(split[0::3], split[1::3], split[2::3]))
    biases = encoder.compute_position_bias(torch.zeros(1, POSITIONS, 1))[0]
    return stored(
        ids, mask, trace_of(outputs, heads) | {"mlm_logits": outputs.logits, "biases_by_distance": by_distance(biases)}
    )


def make(folder: Path, seed: int) -> None:
    save_encoder(folder, build(seed), tokenizer(), seed, expected)

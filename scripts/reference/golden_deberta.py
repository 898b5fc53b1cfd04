"""The golden model of DeBERTa v3, whose classes are those of DeBERTa v2 in transformers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from transformers import DebertaV2Config, DebertaV2ForMaskedLM, DebertaV2Tokenizer
from transformers.models.deberta_v2.modeling_deberta_v2 import build_relative_position

from golden_models import make_batch, run_traced, save_encoder, stored, trace_of, with_random_weights

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
# Some distances share a bucket, and some are beyond the greatest one.
LENGTHS = (23, 6, 1)
SIZES = {"position_buckets": 10, "max_relative_positions": 20, "max_position_embeddings": 40}
# Of the published models.
BUCKETS, DISTANCES = 256, 512


def tokenizer() -> DebertaV2Tokenizer:
    """DeBERTa's tokenizer with the pieces of `make_tokenizer_golden.py`."""
    subword = json.loads(gzip.decompress((GOLDEN / "subword-tokenizer.json.gz").read_bytes()))
    pieces = [tuple(piece) for piece in subword["model"]["vocab"][4:]]
    special = [(token, 0.0) for token in ("[PAD]", "[CLS]", "[SEP]", "[UNK]")]
    return DebertaV2Tokenizer(vocab=[*special, *pieces])


def build(seed: int) -> DebertaV2ForMaskedLM:
    config = DebertaV2Config(
        vocab_size=len(tokenizer()), hidden_size=30, intermediate_size=44, num_hidden_layers=3, num_attention_heads=5,
        relative_attention=True, position_biased_input=False, pos_att_type=["p2c", "c2p"], share_att_key=True,
        norm_rel_ebd="layer_norm", legacy=False, **SIZES,
    )  # fmt: skip
    of_size_1 = ("deberta.encoder.rel_embeddings.weight", "deberta.embeddings.word_embeddings.weight")
    return with_random_weights(DebertaV2ForMaskedLM(config), seed, gain=1.5, of_size_1=of_size_1)


def record_position_scores(model: DebertaV2ForMaskedLM) -> list[Tensor]:
    """What each layer of the next pass adds to its scores, [B * A, T, T] each."""
    recorded: list[Tensor] = []

    def recording(compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
        def wrapped(*given: Tensor) -> Tensor:
            recorded.append(compute(*given))
            return recorded[-1]

        return wrapped

    for layer in model.deberta.encoder.layer:
        parts = layer.attention.self
        parts.disentangled_attention_bias = recording(parts.disentangled_attention_bias)
    return recorded


def compute_padding(model: DebertaV2ForMaskedLM) -> None:
    """Makes padding like text to which no token attends: its classes set the vectors of padding, which nobody reads, to 0."""
    base = model.deberta
    base.encoder.get_attention_mask = lambda mask: mask[:, None, None]
    base.embeddings.register_forward_pre_hook(lambda _, __, given: ((), given | {"mask": None}), with_kwargs=True)


@torch.no_grad()
def expected(model: DebertaV2ForMaskedLM, generator: torch.Generator) -> dict[str, Tensor]:
    """Queries and keys without what distances add. `buckets`: the row of each distance of a query from its key, from
    the farthest key behind it to the farthest before it. `position_scores`: what distances add, [L, A, T, T] of the first
    text."""
    ids, mask = make_batch(model.config.vocab_size, generator, LENGTHS)
    compute_padding(model)
    added = record_position_scores(model)
    outputs, _ = run_traced(model, ids, mask, [])
    heads: list[tuple[Tensor, ...]] = []
    for layer, state in zip(model.deberta.encoder.layer, outputs.hidden_states):
        parts = layer.attention.self
        projected = (parts.query_proj(state), parts.key_proj(state), parts.value_proj(state))
        heads.append(tuple(part.unflatten(-1, (parts.num_attention_heads, -1)).transpose(1, 2) for part in projected))
    places = torch.zeros(DISTANCES, 1)
    square = build_relative_position(places, places, bucket_size=BUCKETS, max_position=DISTANCES)[0]
    buckets = torch.cat([square[0].flip(0), square[1:, 0]]) + BUCKETS
    tensors = stored(ids, mask, trace_of(outputs, heads) | {"mlm_logits": outputs.logits})
    of_first = torch.stack(added)[:, : model.config.num_attention_heads]
    return tensors | {"buckets": buckets.clamp(0, 2 * BUCKETS - 1).int(), "position_scores": of_first.float().contiguous()}


def make(folder: Path, seed: int) -> None:
    save_encoder(folder, build(seed), tokenizer(), seed, expected)

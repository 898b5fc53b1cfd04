"""The golden models of T5: of its first version, and of that which Flan-T5 has, with gates and a head of its own."""

from __future__ import annotations

import base64
import gzip
import json
import tempfile
from pathlib import Path

import torch
from torch import Tensor
from transformers import T5Config, T5ForConditionalGeneration, T5Tokenizer

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
EXTRA_IDS = 5


def tokenizer() -> T5Tokenizer:
    """T5's tokenizer with the pieces of `make_tokenizer_golden.py`, which are normalized as T5's are."""
    packed = (GOLDEN / "subword-tokenizer.json.gz").read_bytes()
    subword = json.loads(gzip.decompress(packed))
    pieces = [tuple(piece) for piece in subword["model"]["vocab"][4:]]
    special = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    extra = [(f"<extra_id_{index}>", 0.0) for index in reversed(range(EXTRA_IDS))]
    charsmap = base64.b64decode(subword["normalizer"]["precompiled_charsmap"])
    vocabulary = [*special, *pieces, *extra]
    # Releases of transformers differ in whether they do this where a file does not state it.
    how = {"clean_up_tokenization_spaces": True}
    return T5Tokenizer(vocab=vocabulary, extra_ids=EXTRA_IDS, _spm_precompiled_charsmap=charsmap, **how)


def write_tokenizer(folder: Path) -> T5Tokenizer:
    """Writes the files that transformers saves."""
    made = tokenizer()
    with tempfile.TemporaryDirectory() as place:
        made.save_pretrained(place)
        for name in ("tokenizer.json", "tokenizer_config.json"):
            (folder / name).write_text((Path(place) / name).read_text(encoding="utf-8"), encoding="utf-8")
    return made


def build(seed: int, vocabulary: int, is_flan: bool) -> T5ForConditionalGeneration:
    """The heads do not divide the hidden size, and a few tokens away distances share a bucket."""
    config = T5Config(
        vocab_size=vocabulary, d_model=32, d_kv=6, d_ff=40, num_layers=3, num_decoder_layers=2, num_heads=4,
        relative_attention_num_buckets=10, relative_attention_max_distance=12, n_positions=64,
        feed_forward_proj="gated-gelu" if is_flan else "relu", tie_word_embeddings=not is_flan,
        decoder_start_token_id=0, attn_implementation="eager",
    )  # fmt: skip
    model = T5ForConditionalGeneration(config)
    generator = torch.Generator().manual_seed(seed)
    if is_flan:
        model.lm_head.weight = torch.nn.Parameter(torch.empty_like(model.shared.weight))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:
                parameter.uniform_(0.6, 1.4, generator=generator)
            elif "shared" in name or "relative_attention_bias" in name:
                parameter.normal_(0, 1, generator=generator)
            else:
                # Scores are not divided, so queries are smaller.
                gain = 0.6 if name.endswith(".q.weight") else 1.5
                parameter.normal_(0, gain / parameter.shape[1] ** 0.5, generator=generator)
    return model.eval()


def projections(model: T5ForConditionalGeneration) -> list[tuple[torch.nn.Module, ...]]:
    """The maps of queries, keys and values of each layer of the encoder."""
    parts = [block.layer[0].SelfAttention for block in model.encoder.block]
    return [(part.q, part.k, part.v) for part in parts]



def biases(model: T5ForConditionalGeneration) -> dict[str, Tensor]:
    """What both sides add to scores by the distance of a key, from the farthest one before its query on."""
    tokens = model.config.n_positions
    found = {}
    for name, side in (("biases_by_distance", model.encoder), ("decoder_biases", model.decoder)):
        square = side.block[0].layer[0].SelfAttention.compute_bias(tokens, tokens)[0]
        found[name] = torch.cat([square[:, -1], square[:, 0, 1:]], dim=-1)
    return found

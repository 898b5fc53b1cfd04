#!/usr/bin/env python3
"""Makes `tests/golden/lab.safetensors`: what the lab's operations give, by PyTorch.

    python3 scripts/reference/make_lab_golden.py [-o tests/golden/lab.safetensors]

Random numbers are generated here again from their description in `src/lab/random.h`; everything else
is PyTorch's own: functions for single steps, `nn.MultiheadAttention`, `nn.TransformerEncoderLayer`
and `nn.TransformerDecoderLayer` for what is built of them. Inputs are seeded, so the file holds
results alone (F32, computed in float64, rounded once); their names say which test reads them.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import safetensors_io

Tensors = dict[str, Tensor]

MASK_64 = (1 << 64) - 1
INCREMENT = 0x9E3779B97F4A7C15


def split_mix(seed: int, count: int) -> np.ndarray:
    """The first numbers of SplitMix64, uint64 [count]."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(INCREMENT)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def part(seed: int, index: int) -> int:
    """The seed of a part of something seeded."""
    return int(split_mix((seed + index * INCREMENT) & MASK_64, 1)[0])


def uniform(seed: int, count: int) -> np.ndarray:
    """[0, 1), float64 [count]."""
    return (split_mix(seed, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def as_stored(values: np.ndarray, shape: tuple[int, ...]) -> Tensor:
    """Rounded to float32, as the lab holds them, then widened for exact arithmetic."""
    return torch.from_numpy(values.astype(np.float32)).double().reshape(shape)


def normal(shape: tuple[int, ...], seed: int) -> Tensor:
    """N(0, 1) by Box and Muller."""
    count = math.prod(shape)
    pairs = uniform(seed, count + count % 2).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(1 - pairs[:, 0]))
    angle = 2 * np.pi * pairs[:, 1]
    values = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)
    return as_stored(values[:count], shape)


def linear(inputs: int, outputs: int, seed: int) -> tuple[Tensor, Tensor]:
    """Weight [out, in] and bias [out], uniform in ±1/√in."""
    bound = np.float32(1 / math.sqrt(inputs))

    def drawn(shape: tuple[int, ...], index: int) -> Tensor:
        count = math.prod(shape)
        numbers = split_mix(part(seed, index), (count + 1) // 2)
        halves = np.stack([numbers >> np.uint64(32), numbers & np.uint64(0xFFFFFFFF)], axis=1).reshape(-1)
        bits = (halves >> np.uint64(8)).astype(np.float64)
        return as_stored(float(bound) * (bits[:count] * 2.0**-23 - 1), shape)

    return drawn((outputs, inputs), 0), drawn((outputs,), 1)


def set_attention(module: nn.MultiheadAttention, seed: int) -> None:
    """Gives PyTorch's module the lab's projections."""
    hidden = module.embed_dim
    projections = [linear(hidden, hidden, part(seed, index)) for index in range(4)]
    module.in_proj_weight.copy_(torch.cat([weight for weight, _ in projections[:3]]))
    module.in_proj_bias.copy_(torch.cat([bias for _, bias in projections[:3]]))
    module.out_proj.weight.copy_(projections[3][0])
    module.out_proj.bias.copy_(projections[3][1])


def set_feed_forward(module: nn.Module, seed: int) -> None:
    """Likewise, of an encoder or decoder layer."""
    for index, layer in enumerate((module.linear1, module.linear2)):
        weight, bias = linear(layer.in_features, layer.out_features, part(seed, index))
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)


LAYER_OPTIONS = {"dropout": 0.0, "activation": F.gelu, "batch_first": True, "dtype": torch.float64}


def encoder_layer(hidden: int, heads: int, seed: int, pre: bool) -> nn.TransformerEncoderLayer:
    layer = nn.TransformerEncoderLayer(hidden, heads, 4 * hidden, norm_first=pre, **LAYER_OPTIONS)
    set_attention(layer.self_attn, part(seed, 0))
    set_feed_forward(layer, part(seed, 1))
    return layer


def decoder_layer(hidden: int, heads: int, seed: int, pre: bool) -> nn.TransformerDecoderLayer:
    layer = nn.TransformerDecoderLayer(hidden, heads, 4 * hidden, norm_first=pre, **LAYER_OPTIONS)
    set_attention(layer.self_attn, part(seed, 0))
    set_attention(layer.multihead_attn, part(seed, 1))
    set_feed_forward(layer, part(seed, 2))
    return layer


def entropy(weights: Tensor) -> Tensor:
    return torch.distributions.Categorical(probs=weights).entropy()


def steps() -> Tensors:
    """Single operations, on q, k, v [2, 4, 6] and heads [2, 3, 4, 5]."""
    q, k, v = normal((2, 4, 6), 1), normal((2, 5, 6), 2), normal((2, 5, 6), 3)
    heads = normal((2, 3, 4, 5), 4)
    keep = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=torch.bool)
    weight, bias = linear(6, 4, 5)
    scores = q @ k.transpose(1, 2) / math.sqrt(6)
    causal = scores.masked_fill(torch.tril(torch.ones(4, 5)) == 0, -math.inf)
    masked = causal.masked_fill(~keep[:, None, :], -math.inf)
    weights = F.softmax(masked, dim=-1)
    tril = torch.tril(torch.ones(5, 5, dtype=torch.float64))
    average = F.softmax(torch.zeros(5, 5, dtype=torch.float64).masked_fill(tril == 0, -math.inf), dim=-1)
    huge = 1e4 * q
    dropped = torch.from_numpy(uniform(11, q.numel()) < 0.25).reshape(q.shape)
    return {
        "steps.normal": q,
        "steps.normal_odd": normal((7,), 6),
        "steps.embedding": torch.stack([normal((6,), part(7, index)) for index in (4, 0, 16777215, 4)]),
        "steps.weight": weight,
        "steps.bias": bias,
        "steps.project": F.linear(q, weight, bias),
        "steps.scores": scores,
        "steps.scores_unscaled": q @ k.transpose(1, 2),
        "steps.scores_head": heads @ heads.transpose(2, 3) / math.sqrt(5),
        "steps.scores_hidden": heads @ heads.transpose(2, 3) / math.sqrt(15),
        "steps.masked": masked,
        "steps.weights": weights,
        "steps.wrong_axis": F.softmax(scores, dim=1),
        "steps.column_sums": F.softmax(scores, dim=-1).sum(dim=1),
        "steps.row_sums_of_wrong_axis": F.softmax(scores, dim=1).sum(dim=-1),
        "steps.entropy": entropy(weights),
        "steps.weighted_sum": weights @ v,
        "steps.attention": F.softmax(scores, dim=-1) @ v,
        "steps.average": average @ k,
        "steps.split": normal((2, 4, 15), 4).view(2, 4, 3, 5).permute(0, 2, 1, 3),
        "steps.combined": heads.permute(0, 2, 1, 3).contiguous().view(2, 4, 15),
        "steps.gelu": F.gelu(3 * q),
        "steps.dropout": q.masked_fill(dropped, 0) / (1 - 0.25),
        "steps.layer_norm": F.layer_norm(q, (6,)),
        "steps.layer_norm_of_huge": F.layer_norm(huge, (6,)),
        "steps.norms": torch.linalg.vector_norm(q, dim=-1),
    }


def multi_head(hidden: int, heads: int, seed: int) -> nn.MultiheadAttention:
    module = nn.MultiheadAttention(hidden, heads, batch_first=True, dtype=torch.float64)
    set_attention(module, seed)
    return module


def multi_heads() -> Tensors:
    tensors: Tensors = {}

    # Encoder, decoder and padded self-attention: batch 2, 6 tokens, hidden 24, 3 heads.
    x = normal((2, 6, 24), 1)
    module = multi_head(24, 3, 9)
    keep = torch.tensor([[1] * 6, [1] * 4 + [0] * 2], dtype=torch.bool)
    behind = torch.ones(6, 6, dtype=torch.bool).triu(1)
    for name, masks in {
        "encoder": {},
        "causal": {"attn_mask": behind},
        "padded": {"key_padding_mask": ~keep},
    }.items():
        output, weights = module(x, x, x, average_attn_weights=False, **masks)
        tensors |= {f"heads.{name}.output": output, f"heads.{name}.weights": weights}
        tensors |= {f"heads.{name}.entropy": entropy(weights)}

    # Every intermediate, and the common slip of dividing by √hidden.
    projected = [F.linear(x, *linear(24, 24, part(9, index))) for index in range(3)]
    q, k, v = (tensor.view(2, 6, 3, 8).transpose(1, 2) for tensor in projected)
    scores = q @ k.transpose(2, 3) / math.sqrt(8)
    slip = F.softmax(q @ k.transpose(2, 3) / math.sqrt(24), dim=-1)
    tensors |= {
        "heads.query": projected[0],
        "heads.query_heads": q,
        "heads.value_heads": v,
        "heads.scores": scores,
        "heads.combined": (tensors["heads.encoder.weights"] @ v).transpose(1, 2).reshape(2, 6, 24),
        "heads.slip.weights": slip,
        "heads.slip.entropy": entropy(slip),
        "heads.slip.combined": (slip @ v).transpose(1, 2).reshape(2, 6, 24),
        "heads.wrong_axis.weights": F.softmax(scores, dim=2),
    }

    # 5 queries over 7 keys, width 256, 8 heads, batch 4.
    query, key = normal((4, 5, 256), 1), normal((4, 7, 256), 2)
    output, weights = multi_head(256, 8, 3)(query, key, key, average_attn_weights=False)
    tensors |= {"cross.output": output, "cross.weights": weights}

    # bert-base's width, 8 heads of 96: two texts of 12 tokens.
    wide = normal((2, 12, 768), 1)
    _, weights = multi_head(768, 8, 2)(wide, wide, wide, average_attn_weights=False)
    tensors |= {"wide.weights": weights}

    # The embedded model's width: two texts of 12 tokens, of which only the future is masked.
    x = normal((2, 12, 256), 1)
    projected = [F.linear(x, *linear(256, 256, part(4, index))) for index in range(3)]
    q, k, v = (tensor.view(2, 12, 8, 32).transpose(1, 2) for tensor in projected)
    behind = torch.ones(12, 12, dtype=torch.bool).triu(1)
    scores = (q @ k.transpose(2, 3) / math.sqrt(32)).masked_fill(behind, -math.inf)
    tensors |= {"masked.combined": (F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(2, 12, 256)}
    return tensors


def sinusoidal(tokens: int, hidden: int) -> Tensor:
    """Vaswani et al. 2017, 3.5."""
    position = torch.arange(tokens, dtype=torch.float64)[:, None]
    rate = 10000.0 ** (-torch.arange(0, hidden, 2, dtype=torch.float64) / hidden)
    return torch.stack([torch.sin(position * rate), torch.cos(position * rate)], dim=-1).reshape(tokens, hidden)


def layers() -> Tensors:
    tensors: Tensors = {}
    x = normal((2, 6, 32), 1)
    keep = torch.tensor([[1] * 6, [1] * 4 + [0] * 2], dtype=torch.bool)
    for name, pre in {"pre": True, "post": False}.items():
        tensors[f"layer.{name}"] = encoder_layer(32, 4, 8, pre)(x, src_key_padding_mask=~keep)

        # Four layers on embeddings, positions and their norm.
        for positions, table in {
            "learned": normal((6, 32), part(8, 0)),
            "sinusoidal": sinusoidal(6, 32),
            "none": torch.zeros(6, 32, dtype=torch.float64),
        }.items():
            states = [F.layer_norm(x + table, (32,), eps=1e-12)]
            for index in range(4):
                states.append(encoder_layer(32, 4, part(8, index + 1), pre)(states[-1]))
            tensors[f"encoder.{name}.{positions}"] = torch.stack(states)
            tensors[f"encoder.{name}.{positions}.norms"] = torch.linalg.vector_norm(torch.stack(states), dim=-1)

        # Encoder and decoder layer: 7 sources, the second text's last two padding, and 5 targets.
        source, target = normal((2, 7, 32), 2), normal((2, 5, 32), 3)
        padding = torch.tensor([[0] * 7, [0] * 5 + [1] * 2], dtype=torch.bool)
        encoded = encoder_layer(32, 4, part(8, 0), pre)(source, src_key_padding_mask=padding)
        memory = F.layer_norm(encoded, (32,)) if pre else encoded
        decoder = decoder_layer(32, 4, part(8, 1), pre)
        behind = torch.ones(5, 5, dtype=torch.bool).triu(1)
        tensors[f"decoder.{name}"] = decoder(target, memory, tgt_mask=behind, memory_key_padding_mask=padding)

    weight, bias = linear(32, 3, 4)
    logits = F.linear(x[:, 0], weight, bias)
    expand, contract = linear(32, 128, part(5, 0)), linear(128, 32, part(5, 1))
    expanded = F.linear(x, *expand)
    tensors |= {
        "classifier.logits": logits,
        "classifier.probabilities": F.softmax(logits, dim=-1),
        "feed_forward.expanded": expanded,
        "feed_forward.activated": F.gelu(expanded),
        "feed_forward.output": F.linear(F.gelu(expanded), *contract),
        "positions.sinusoidal": sinusoidal(6, 32),
    }
    return tensors


@torch.no_grad()
def main() -> int:
    repository = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Makes the results that the lab is tested against.")
    parser.add_argument("-o", "--out", type=Path, default=repository / "tests" / "golden" / "lab.safetensors")
    out: Path = parser.parse_args().out
    tensors = steps() | multi_heads() | layers()
    safetensors_io.save(out, {name: tensor.float().contiguous() for name, tensor in tensors.items()})
    print(f"{out}: {out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

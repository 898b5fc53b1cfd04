#!/usr/bin/env python3
"""Makes `tests/golden/decoders.safetensors`: what PyTorch says of how the golden models of transformers' families answer.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_decoder_golden.py [-o tests/golden]

Of the first sequence of each model of `make_transformers_golden.py`, in float64, rounded once to F32: `MODEL.values` [4],
the logits of the entries WORD_ID and OTHER_ID at one token, the last one of a decoder and MASKED_TOKEN of ModernBERT, and
both logits of the baseline, which has BASELINE_ID in place of every token but the first; `MODEL.gradient` [T], the gradient
of the first logit with respect to the word embeddings times these, summed over their dimensions (Shrikumar et al. 2016);
`MODEL.integrated` [T], integrated gradients from the baseline at STEPS points of Gauss and Legendre (Sundararajan et al.
2017); and both for the difference of the two logits (Yin & Neubig 2022), `MODEL.contrast.gradient` and
`MODEL.contrast.integrated`.

Of decoders also the direct attribution of the first logit: each part of the residual sum of that token, divided by the
deviation that the final norm has there, times its gain, times the row of the unembedding. `MODEL.heads` [L, A];
`MODEL.feed_forward` [L], with its bias; `MODEL.attention_biases` [L], of the output projections; `MODEL.embeddings` [2], of
the word and of its position; and `MODEL.bias` [1], of the final norm's own bias. A head's part is what its columns of the
output projection make of its output, which a hook reads. TransformerLens has the same parts as the results of heads,
`mlp_out`, `b_O`, `embed` and `pos_embed` in its decomposition of the residual stream.

Of all of them `MODEL.alti.layers` [L, T, T] and `MODEL.alti.matrix` [T, T], how near what attention takes from a token
comes to the sum of all (Ferrando et al. 2022, with the norms before each part of a layer, as in Ferrando et al. 2023);
`MODEL.norm.layers` [L, T, T], how long these vectors are (Kobayashi et al. 2021 and 2024), and `MODEL.norm` [T], the answer's
row of their shares followed through all layers; and of decoders `MODEL.alti-logit` [T], ALTI-Logit of the first logit
(Ferrando et al. 2023). `MODEL.value-zeroing.layers` [L, T, T], shares by how far the output of a layer turns, by the cosine,
when a hook sets the value vectors of one token to 0 (Mohebbi et al. 2023), and `MODEL.value-zeroing` [T].

`MODEL.patch.hidden` [L, T] and `MODEL.patch.heads` [L, A] are how far the first logit goes to that of the text with
PATCHED_ID in place of token PATCHED_TOKEN, when the state before one layer at one token, or the output of one head at all
tokens, is put in from there (Meng et al. 2022): 0 leaves it, 1 is that of the other text.

mt-upc/logit-explanations fadf415, the authors' code, run in float64 on the golden GPT-2, gives the same: the largest
difference is 2.4e-7 of ALTI, and of ALTI-Logit 3.3e-7 of the largest value.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, PreTrainedModel
from transformers.pytorch_utils import Conv1D

import safetensors_io
from decoder_modules import WORD_ID, Decoder, kept

STEPS = 64
OTHER_ID = 11
BASELINE_ID = 4
MASKED_TOKEN = 4
PATCHED_TOKEN = 1
PATCHED_ID = 9
DECODERS = ("gpt2", "llama", "llama3", "qwen2", "qwen3", "gpt_neox")

Answer = Callable[[Tensor], Tensor]


def logits_of(model: PreTrainedModel, ids: Tensor, words: Tensor) -> Tensor:
    """The logits [T, V] with word embeddings `words` [1, T, width]."""
    hook = model.get_input_embeddings().register_forward_hook(lambda *_: words)
    logits = model(ids).logits[0]
    hook.remove()
    return logits


def slope_at(model: PreTrainedModel, ids: Tensor, words: Tensor, answer: Answer) -> Tensor:
    words = words.detach().requires_grad_()
    (gradient,) = torch.autograd.grad(answer(logits_of(model, ids, words)), words)
    return gradient


def gradients(model: PreTrainedModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    others = torch.full_like(ids, BASELINE_ID)
    others[0, 0] = ids[0, 0]
    embed = model.get_input_embeddings()
    words, baseline = embed(ids).detach(), embed(others).detach()
    points, weights = np.polynomial.legendre.leggauss(STEPS)
    answers: dict[str, Answer] = {
        "": lambda logits: logits[token, WORD_ID],
        "contrast.": lambda logits: logits[token, WORD_ID] - logits[token, OTHER_ID],
    }
    found = {}
    for name, answer in answers.items():
        found[f"{name}gradient"] = (slope_at(model, ids, words, answer) * words).sum(-1)[0]
        mean = sum(
            weight / 2 * slope_at(model, ids, baseline + (1 + point) / 2 * (words - baseline), answer)
            for point, weight in zip(points, weights)
        )
        found[f"{name}integrated"] = (mean * (words - baseline)).sum(-1)[0]
    entries = [WORD_ID, OTHER_ID]
    found["values"] = torch.cat([logits_of(model, ids, each)[token, entries] for each in (words, baseline)]).detach()
    return found


@torch.no_grad()
def attribution(model: PreTrainedModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    decoder = Decoder(model)
    projections = [decoder.projection(layer) for layer in decoder.layers]
    contexts, hooks = kept(projections, inputs=True)
    fed, more = kept([layer.mlp for layer in decoder.layers], inputs=False)
    last, final = kept([decoder.norm], inputs=True)
    model(ids)
    for hook in hooks + more + final:
        hook.remove()
    state = last[0][0, token]
    bias = getattr(decoder.norm, "bias", None)

    def logit(part: Tensor) -> Tensor:
        return decoder.logit(part, state)

    heads, biases = [], []
    for context, projection in zip(contexts, projections):
        weight = projection.weight if isinstance(projection, Conv1D) else projection.weight.T  # [in, out]
        count = model.config.num_attention_heads
        outputs = context[0, token].view(count, 1, -1) @ weight.view(count, -1, weight.shape[1])
        heads.append(logit(outputs[:, 0]))
        biases.append(logit(projection.bias if projection.bias is not None else torch.zeros_like(state)))
    places = decoder.positions.weight[token] if decoder.positions is not None else torch.zeros_like(state)
    words = model.get_input_embeddings().weight[ids[0, token]]
    norm_bias = bias @ decoder.unembedding[WORD_ID] if bias is not None else torch.zeros(())
    found = {
        "heads": torch.stack(heads),
        "feed_forward": torch.stack([logit(output[0, token]) for output in fed]),
        "attention_biases": torch.stack(biases),
        "embeddings": logit(torch.stack([words, places])),
        "bias": norm_bias.reshape(1).to(state.dtype),
    }
    whole = sum(part.sum() for part in found.values())
    torch.testing.assert_close(whole, model(ids).logits[0, token, WORD_ID])
    return found


def join(heads: Tensor) -> Tensor:
    """[A, T, d] to [T, A * d]"""
    return heads.transpose(0, 1).flatten(1)


@torch.no_grad()
def alti(model: PreTrainedModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    """ALTI of each layer and of all, and ALTI-Logit where the logit is a sum of what the parts add."""
    decoder = Decoder(model)
    states, hooks = kept(list(decoder.layers), inputs=True)
    contexts, more = kept([decoder.projection(layer) for layer in decoder.layers], inputs=True)
    last, final = kept([decoder.norm], inputs=True)
    output = model(ids, output_attentions=True, **({"use_cache": True} if decoder.unembedding is not None else {}))
    for hook in hooks + more + final:
        hook.remove()
    layers, lengths, added = [], [], []
    for index, layer in enumerate(decoder.layers):
        weights = output.attentions[index][0]  # [A, T, T]
        values = decoder.values(layer, index, states[index], output)  # [A, T, d]
        torch.testing.assert_close(join(weights @ values), contexts[index][0])
        projection = decoder.projection(layer)
        weight = projection.weight if isinstance(projection, Conv1D) else projection.weight.T  # [in, out]
        transformed = values @ weight.view(len(weights), -1, weight.shape[1])  # [A, T, H]
        parts = torch.einsum("aij,ajh->ijh", weights, transformed)
        added.append(parts[token].clone())
        state = states[index][0]
        parts[range(len(state)), range(len(state))] += state
        lengths.append(parts.norm(dim=-1))
        layers.append(by_nearness(parts, parts.sum(1) + (projection.bias if projection.bias is not None else 0)))
    rolled = [torch.eye(ids.shape[1], dtype=layers[0].dtype)]
    for layer in layers:
        rolled.append(layer @ rolled[-1])
    found = {"alti.layers": torch.stack(layers), "alti.matrix": rolled[-1]}
    found |= {"norm.layers": torch.stack(lengths), "norm": product([by_row(each) for each in lengths])[token]}
    if decoder.unembedding is not None:
        found["alti-logit"] = sum(decoder.logit(part, last[0][0, token]) @ below for part, below in zip(added, rolled))
    return found


def by_row(matrix: Tensor) -> Tensor:
    return matrix / matrix.sum(-1, keepdim=True)


def by_nearness(parts: Tensor, whole: Tensor) -> Tensor:
    """The shares [T, N] of the vectors [T, N, H] in their sum [T, H]: equations 4 to 6 of Ferrando et al. 2022."""
    return by_row((whole.abs().sum(-1, keepdim=True) - (parts - whole[:, None]).abs().sum(-1)).clamp(min=0))


def product(layers: list[Tensor]) -> Tensor:
    """What the last layer's tokens take from the input: the layers' shares [T, T], the last one's first."""
    return layers[0] if len(layers) == 1 else layers[-1] @ product(layers[:-1])


def turns_by_token(
    run: Callable[[], object], layer: nn.Module, values: nn.Module, values_of: Callable[[Tensor], Tensor], tokens: int
) -> Tensor:
    """How far each token (the row) of a layer's output turns without the values of each of `tokens`."""

    def output(zeroed: int | None) -> Tensor:
        def zero(_: nn.Module, __: tuple[Tensor, ...], given: Tensor) -> None:
            if zeroed is not None:
                values_of(given[0, zeroed]).zero_()

        hook = values.register_forward_hook(zero)
        found, more = kept([layer], inputs=False)
        run()
        for each in (hook, *more):
            each.remove()
        return (found[0][0] if isinstance(found[0], tuple) else found[0])[0]

    whole = output(None)
    return torch.stack([1 - torch.cosine_similarity(output(at), whole, dim=-1) for at in range(tokens)], dim=-1)


def turns(
    run: Callable[[], object], layer: nn.Module, values: nn.Module, values_of: Callable[[Tensor], Tensor], tokens: int
) -> Tensor:
    """The same as shares [T, T]."""
    return by_row(turns_by_token(run, layer, values, values_of, tokens))


@torch.no_grad()
def value_zeroing(model: PreTrainedModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    layers = []
    for layer in Decoder(model).layers:
        values, values_of = Decoder.values_in(layer, model.config.num_attention_heads)
        layers.append(turns(lambda: model(ids), layer, values, values_of, ids.shape[1]))
    return {"value-zeroing.layers": torch.stack(layers), "value-zeroing": product(layers)[token]}


@torch.no_grad()
def patches(model: PreTrainedModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    decoder = Decoder(model)
    other = ids.clone()
    other[0, PATCHED_TOKEN] = PATCHED_ID
    projections = [decoder.projection(layer) for layer in decoder.layers]
    states, hooks = kept(list(decoder.layers), inputs=True)
    contexts, more = kept(projections, inputs=True)
    goal = model(other).logits[0, token, WORD_ID]
    for hook in hooks + more:
        hook.remove()
    begun = model(ids).logits[0, token, WORD_ID]

    def share(module: nn.Module, given: Tensor, rows: slice, columns: slice) -> Tensor:
        """Puts rows and columns of `given` [1, T, width] into what a module reads."""

        def put(_: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            patched = args[0].clone()
            patched[:, rows, columns] = given[:, rows, columns]
            return patched, *args[1:]

        hook = module.register_forward_pre_hook(put)
        moved = model(ids).logits[0, token, WORD_ID]
        hook.remove()
        return (moved - begun) / (goal - begun)

    everything = slice(None)
    width = contexts[0].shape[-1] // model.config.num_attention_heads
    hidden = [
        [share(layer, state, slice(at, at + 1), everything) for at in range(ids.shape[1])]
        for layer, state in zip(decoder.layers, states)
    ]
    heads = [
        [share(each, context, everything, slice(at, at + width)) for at in range(0, context.shape[-1], width)]
        for each, context in zip(projections, contexts)
    ]
    return {"patch.hidden": torch.tensor(hidden), "patch.heads": torch.tensor(heads)}


def make_exact(model: PreTrainedModel) -> PreTrainedModel:
    """In float64. The RMS norms of transformers compute in float32 whatever they are given, and are replaced."""
    model = model.double().eval()
    for module in model.modules():
        if not hasattr(module, "variance_epsilon"):
            continue

        def exact(rows: Tensor, norm: nn.Module = module) -> Tensor:
            return norm.weight * rows * (rows.square().mean(-1, keepdim=True) + norm.variance_epsilon).rsqrt()

        module.forward = exact
    return model


def write_golden(file: str, description: str, make: Callable[[Path], dict[str, Tensor]]) -> int:
    """Writes what `make` finds in the golden models to a file beside them."""
    golden = Path(__file__).resolve().parents[2] / "tests" / "golden"
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-o", "--out", type=Path, default=golden)
    path: Path = parser.parse_args().out / file
    safetensors_io.save(path, {name: tensor.float().contiguous() for name, tensor in make(golden).items()})
    print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


def exact_model(kind: type, folder: Path) -> PreTrainedModel:
    return make_exact(kind.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32))


def explained(golden: Path) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name in (*DECODERS, "modernbert"):
        is_decoder = name in DECODERS
        model = exact_model(AutoModelForCausalLM if is_decoder else AutoModelForMaskedLM, golden / name)
        batch, _ = safetensors_io.load(golden / name / "expected.safetensors")
        ids = batch["input_ids"][:1, : int(batch["attention_mask"][0].sum())].long()
        token = ids.shape[1] - 1 if is_decoder else MASKED_TOKEN
        found = gradients(model, ids, token) | (attribution(model, ids, token) if is_decoder else {})
        found |= alti(model, ids, token) | value_zeroing(model, ids, token) | patches(model, ids, token)
        tensors |= {f"{name}.{key}": tensor for key, tensor in found.items()}
    return tensors


if __name__ == "__main__":
    sys.exit(write_golden("decoders.safetensors", "Makes what src/analysis is tested against with decoders.", explained))

#!/usr/bin/env python3
"""Makes `tests/golden/written.safetensors`: what the golden encoder-decoders write each token from.

    pip install torch -r scripts/reference/requirements.txt
    python3 scripts/reference/make_written_golden.py [-o tests/golden]

ALTI+ is Ferrando et al. 2022, https://arxiv.org/abs/2205.11631. Of each model of `make_translation_golden.py`, in
float64, rounded once to F32, for the tokens in its `decoder.safetensors`: `MODEL.encoder` [S, S], ALTI of all layers
of the encoder; `MODEL.norm` and `MODEL.value-zeroing` [S], what its tokens take from each one on average by the lengths of
the same vectors (Kobayashi et al. 2021) and by what a layer gives when a hook sets the values of a token to 0 (Mohebbi et al.
2023); `MODEL.alti-plus` [T, S + T], what the state that each next token is read from takes from each source
token and from each token that the decoder has read; and `MODEL.values` [T], the logits of entry WORD_ID.

`MODEL.written.value-zeroing.layers` [L, T, S + T] are the shares of both attentions of each layer of the decoder by how far its
output turns when a hook sets the values of one token to 0 (Mohebbi et al. 2023, https://arxiv.org/abs/2310.09925, which
divides those of each attention by their own sum), and `MODEL.written.value-zeroing` [T, S + T] the same through all layers
of both sides, followed as in ALTI+.

`MODEL.gradient` [T, S + T] is the gradient of each of these logits, by autograd, with respect to the word embeddings of both
texts times these, summed over their dimensions (Shrikumar et al. 2016); `MODEL.integrated` [T, S + T] are integrated
gradients from texts that have the model's end token in place of every token but the decoder's first, at STEPS points of
Gauss and Legendre (Sundararajan et al. 2017), and `MODEL.baselines` [T] the logits there; `MODEL.contrast.gradient` and
`MODEL.contrast.integrated` [T, S + T] are of the logit of WORD_ID less that of OTHER_ID (Yin & Neubig 2022).

mt-upc/transformer-contributions-nmt 0af8538, the authors' code, run in float64 on the golden Marian and BART in modules
with fairseq's names, gives the same: the largest difference is 7.3e-9, the rounding to F32 here. Two lines of it were
changed for that: it divides the variance of a row by one dimension less than its norm does, for which shares differ by
7.5e-4 at 32 dimensions, and it adds 1e-6 to each distance. It computes attention anew, without T5's biases, so that
T5 was not compared.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers import (
    BartForConditionalGeneration,
    MarianMTModel,
    PreTrainedModel,
    T5ForConditionalGeneration,
)

import safetensors_io
from make_decoder_golden import (
    OTHER_ID,
    STEPS,
    WORD_ID,
    by_nearness,
    by_row,
    exact_model,
    product,
    turns,
    turns_by_token,
    write_golden,
)

MODELS = {
    "marian": MarianMTModel,
    "bart": BartForConditionalGeneration,
    "t5": T5ForConditionalGeneration,
    "flan-t5": T5ForConditionalGeneration,
}


@dataclass
class Attention:
    """One attention of a layer, and what it computed: T queries look at S keys."""

    weights: Tensor  # [A, T, S]
    values: Tensor  # [S, A * d]
    output: nn.Linear
    residual: Tensor  # [T, H]: what its output is added to
    norm: nn.LayerNorm | None  # of the sum, where norms stand after it

    def vectors(self) -> Tensor:
        """[T, S, H]: what it makes of each key, without the bias of the output."""
        heads = len(self.weights)
        values = self.values.unflatten(-1, (heads, -1))
        return torch.einsum("hts,shd,ohd->tso", self.weights, values, self.output.weight.unflatten(1, (heads, -1)))

    def normed(self, vectors: Tensor, whole: Tensor) -> tuple[Tensor, Tensor]:
        """What the norm after the sum `whole` [T, H], if there is one, makes of vectors [T, N, H] and of the sum."""
        if not self.norm:
            return vectors, whole
        deviation = (whole.var(-1, unbiased=False) + self.norm.eps).sqrt()[:, None, None]
        return (vectors - vectors.mean(-1, keepdim=True)) / deviation * self.norm.weight, self.norm(whole)

    def shares(self, vectors: Tensor) -> Tensor:
        """The shares [T, N] of the vectors [T, N, H] in their sum."""
        return by_nearness(*self.normed(vectors, self.whole(vectors)))

    def whole(self, vectors: Tensor) -> Tensor:
        return vectors.sum(1) + (self.output.bias if self.output.bias is not None else 0)

    def own(self) -> Tensor:
        """Attention to the same text: the residual of a token is its own, [T, T]."""
        return self.shares(self.own_vectors())

    def own_vectors(self) -> Tensor:
        return self.vectors() + torch.diag_embed(self.residual.T).permute(1, 2, 0)

    def own_lengths(self) -> Tensor:
        vectors = self.own_vectors()
        return by_row(self.normed(vectors, self.whole(vectors))[0].norm(dim=-1))

    def cross(self) -> Tensor:
        """Attention to another text: the residual is one more vector, [T, S + 1]."""
        return self.shares(torch.cat([self.vectors(), self.residual[:, None]], 1))


class Recorder:
    """Keeps the latest input and output of modules."""

    def __init__(self) -> None:
        self.read: dict[nn.Module, Tensor] = {}
        self.made: dict[nn.Module, Tensor] = {}

    def watch(self, module: nn.Module) -> nn.Module:
        def keep(_: nn.Module, given: tuple[Tensor, ...], output: Tensor) -> None:
            self.read[module], self.made[module] = given[0][0], output[0]

        module.register_forward_hook(keep)
        return module


def modules_of(model: PreTrainedModel) -> dict[str, list[dict[str, nn.Module | None]]]:
    """The modules of each attention: `first` reads what the output is added to."""
    if isinstance(model, T5ForConditionalGeneration):

        def of_t5(part: nn.Module, name: str) -> dict[str, nn.Module | None]:
            attention = getattr(part, name)
            return {"first": part.layer_norm, "value": attention.v, "output": attention.o, "norm": None}

        return {
            "encoder": [of_t5(block.layer[0], "SelfAttention") for block in model.encoder.block],
            "decoder": [of_t5(block.layer[0], "SelfAttention") for block in model.decoder.block],
            "cross": [of_t5(block.layer[1], "EncDecAttention") for block in model.decoder.block],
        }

    def of_bart(layer: nn.Module, name: str) -> dict[str, nn.Module | None]:
        attention = getattr(layer, name)
        norm = getattr(layer, f"{name}_layer_norm")
        return {"first": attention.q_proj, "value": attention.v_proj, "output": attention.out_proj, "norm": norm}

    encoder, decoder = model.model.encoder.layers, model.model.decoder.layers
    return {
        "encoder": [of_bart(layer, "self_attn") for layer in encoder],
        "decoder": [of_bart(layer, "self_attn") for layer in decoder],
        "cross": [of_bart(layer, "encoder_attn") for layer in decoder],
    }


@torch.no_grad()
def alti_plus(model: PreTrainedModel, source: Tensor, ids: Tensor) -> dict[str, Tensor]:
    modules, recorder = modules_of(model), Recorder()
    for part in (part for parts in modules.values() for part in parts):
        recorder.watch(part["first"])
        recorder.watch(part["value"])
    outputs = model(source[None], decoder_input_ids=ids[None], output_attentions=True)
    weights = {
        "encoder": outputs.encoder_attentions,
        "decoder": outputs.decoder_attentions,
        "cross": outputs.cross_attentions,
    }
    attention = {
        side: [
            Attention(each[0], recorder.made[part["value"]], part["output"], recorder.read[part["first"]], part["norm"])
            for part, each in zip(parts, weights[side])
        ]
        for side, parts in modules.items()
    }
    encoder = torch.eye(len(source), dtype=torch.float64)
    for layer in attention["encoder"]:
        encoder = layer.own() @ encoder
    # Section 3.2: of the source and of what was written, in each token after the layers so far.
    of_source = torch.zeros(len(ids), len(source), dtype=torch.float64)
    of_written = torch.eye(len(ids), dtype=torch.float64)
    for own, cross in zip(attention["decoder"], attention["cross"]):
        shares = cross.cross()
        kept = shares[:, -1:] * own.own()
        of_source = shares[:, :-1] @ encoder + kept @ of_source
        of_written = kept @ of_written
    return {
        "encoder": encoder,
        "norm": product([layer.own_lengths() for layer in attention["encoder"]]).mean(0),
        "value-zeroing": value_zeroing(model, source, [part["value"] for part in modules["encoder"]]).mean(0),
        "alti-plus": torch.cat([of_source, of_written], 1),
        "values": outputs.logits[0, :, WORD_ID],
    }


@torch.no_grad()
def value_zeroing(model: PreTrainedModel, source: Tensor, maps: list[nn.Module]) -> Tensor:
    encoder = model.get_encoder()
    layers = encoder.block if hasattr(encoder, "block") else encoder.layers
    each = [
        turns(lambda: encoder(source[None]), layer, values, lambda row: row, len(source)) for layer, values in zip(layers, maps)
    ]
    return product(each)


@torch.no_grad()
def written_by_value_zeroing(model: PreTrainedModel, source: Tensor, ids: Tensor) -> dict[str, Tensor]:
    modules = modules_of(model)
    decoder = model.get_decoder()
    layers = decoder.block if hasattr(decoder, "block") else decoder.layers

    def by_token(layer: nn.Module, values: nn.Module, count: int) -> Tensor:
        run = lambda: model(source[None], decoder_input_ids=ids[None])  # noqa: E731
        return turns_by_token(run, layer, values, lambda row: row, count)

    each = [
        by_row(torch.cat([by_token(layer, cross["value"], len(source)), by_token(layer, own["value"], len(ids))], 1))
        for layer, own, cross in zip(layers, modules["decoder"], modules["cross"])
    ]
    rolled = torch.cat([torch.zeros(len(ids), len(source)), torch.eye(len(ids))], 1).double()
    for shares in each:
        kept = shares[:, len(source) :] @ rolled
        kept[:, : len(source)] += shares[:, : len(source)]
        rolled = kept
    encoder = value_zeroing(model, source, [part["value"] for part in modules["encoder"]])
    rolled[:, : len(source)] = rolled[:, : len(source)] @ encoder
    return {"written.value-zeroing.layers": torch.stack(each), "written.value-zeroing": rolled}


def logits_of(model: PreTrainedModel, texts: list[Tensor], words: list[Tensor]) -> Tensor:
    """The logits [T, V] with the embeddings `words` in place of those of the encoder's and of the decoder's text."""
    embeddings = {model.get_encoder().embed_tokens, model.get_decoder().embed_tokens}
    left = list(words)  # the encoder's are asked for first, maybe of the same module

    def replace(_: nn.Module, __: tuple[Tensor, ...], given: Tensor) -> Tensor:
        found = left.pop(0)
        assert found.shape == given.shape
        return found

    hooks = [module.register_forward_hook(replace) for module in embeddings]
    logits = model(texts[0][None], decoder_input_ids=texts[1][None]).logits[0]
    for hook in hooks:
        hook.remove()
    assert not left
    return logits


def gradients(model: PreTrainedModel, source: Tensor, ids: Tensor) -> dict[str, Tensor]:
    texts = [source, ids]
    others = [torch.full_like(text, model.config.eos_token_id) for text in texts]
    others[1][0] = ids[0]
    modules = [model.get_encoder().embed_tokens, model.get_decoder().embed_tokens]
    words, baseline = (
        [module(each[None]).detach() for module, each in zip(modules, side)] for side in (texts, others)
    )
    torch.testing.assert_close(logits_of(model, texts, words), model(source[None], decoder_input_ids=ids[None]).logits[0])

    def slopes(at: list[Tensor], answers: list[Tensor]) -> list[list[Tensor]]:
        """Of each answer, a weighting of the logits, at each token."""
        at = [each.detach().requires_grad_() for each in at]
        logits = logits_of(model, texts, at)
        return [
            [torch.cat(torch.autograd.grad((logits[token] * answer).sum(), at, retain_graph=True), 1) for token in range(len(ids))]
            for answer in answers
        ]

    one = torch.zeros(model.config.vocab_size, dtype=torch.float64)
    one[WORD_ID] = 1
    contrast = one.clone()
    contrast[OTHER_ID] = -1
    answers = {"": one, "contrast.": contrast}
    whole, begun = torch.cat(words, 1), torch.cat(baseline, 1)
    found = {}
    sums = [[torch.zeros_like(whole) for _ in ids] for _ in answers]
    for point, weight in zip(*np.polynomial.legendre.leggauss(STEPS)):
        between = [a + (1 + point) / 2 * (b - a) for a, b in zip(baseline, words)]
        for of_answer, slope in zip(sums, slopes(between, list(answers.values()))):
            for total, gradient in zip(of_answer, slope):
                total += weight / 2 * gradient
    for name, mean, slope in zip(answers, sums, slopes(words, list(answers.values()))):
        found[f"{name}gradient"] = torch.stack([(each * whole).sum(-1)[0] for each in slope])
        found[f"{name}integrated"] = torch.stack([(each * (whole - begun)).sum(-1)[0] for each in mean])
    found["baselines"] = logits_of(model, texts, baseline)[:, WORD_ID].detach()
    return found


def explained(golden: Path) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name, kind in MODELS.items():
        given, _ = safetensors_io.load(golden / name / "decoder.safetensors")
        model, source, ids = exact_model(kind, golden / name), given["source"].long(), given["ids"].long()
        found = alti_plus(model, source, ids)
        found |= written_by_value_zeroing(model, source, ids) | gradients(model, source, ids)
        tensors |= {f"{name}.{key}": tensor for key, tensor in found.items()}
    return tensors


if __name__ == "__main__":
    sys.exit(write_golden("written.safetensors", "Makes what explanations of written tokens are tested against.", explained))

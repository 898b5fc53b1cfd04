#!/usr/bin/env python3
"""Makes `tests/golden/gradients.safetensors`: what PyTorch's autograd says of the golden models.

    python3 scripts/reference/make_gradient_golden.py [-o tests/golden]

Of the first sequence of each model of `make_golden.py` and `make_family_golden.py`, without its padding, in
float64, rounded once to F32: `MODEL.word.PART` of the logit of entry WORD_ID at token WORD_TOKEN, `MODEL.contrast.PART`
of that logit less the one of entry OTHER_ID, `MODEL.class.PART` of the logit of class 0, and `MODEL.vector.PART` of the length of the mean of the last hidden states; words and
classes where the model has the head. The parts are `values` [2], the answer and that to the baseline, which has
BASELINE_ID in place of every token but the first and the last; `gradient` [T], the gradient with respect to the word
embeddings times these, summed over their dimensions (Shrikumar et al. 2016); and `integrated` [T], the mean of the
gradients on the straight way from the baseline, times what the embeddings are more (Sundararajan et al. 2017), at
STEPS points of Gauss and Legendre, as Captum's LayerIntegratedGradients has it for the layer `word_embeddings`.
"""

from __future__ import annotations

import sys
from typing import Callable

import numpy as np
import torch
from torch import Tensor, nn

from bert import Bert, Trace
from make_contributions_golden import WORD_ID, WORD_TOKEN, write_golden

STEPS = 64
BASELINE_ID = 4
OTHER_ID = 11

Outputs = dict[str, Tensor]
Answer = Callable[[Outputs], Tensor]

ANSWERS: dict[str, tuple[str, Answer]] = {  # with the output that each reads
    "word": ("mlm_logits", lambda outputs: outputs["mlm_logits"][0, WORD_TOKEN, WORD_ID]),
    "contrast": (
        "mlm_logits",
        lambda outputs: outputs["mlm_logits"][0, WORD_TOKEN, WORD_ID] - outputs["mlm_logits"][0, WORD_TOKEN, OTHER_ID],
    ),
    "class": ("classifier_logits", lambda outputs: outputs["classifier_logits"][0, 0]),
    "vector": ("hidden", lambda outputs: outputs["hidden"][0].mean(0).norm()),
}


def outputs_of(model: nn.Module, inputs: list[Tensor]) -> Outputs:
    """The last hidden states, and the logits of the heads that the model has."""
    hidden = model(*inputs, Trace())
    if not isinstance(model, Bert):
        return {"hidden": hidden} | model.outputs(hidden)
    outputs = {"hidden": hidden}
    if model.cls is not None:
        outputs["mlm_logits"] = model.mlm_logits(hidden)
    if model.classifier is not None:
        outputs["classifier_logits"] = model.classifier_logits(hidden)
    return outputs


def words_of(model: nn.Module) -> nn.Module:
    return next(module for name, module in model.named_modules() if name.endswith("word_embeddings"))


def slope_at(model: nn.Module, inputs: list[Tensor], words: Tensor, answer: Answer) -> tuple[Tensor, Tensor]:
    """The answer with word embeddings `words` [1, T, width], and its gradient with respect to them."""
    words = words.detach().requires_grad_()
    hook = words_of(model).register_forward_hook(lambda *_: words)
    value = answer(outputs_of(model, inputs))
    hook.remove()
    (gradient,) = torch.autograd.grad(value, words)
    return value.detach(), gradient


def gradients(model: nn.Module, batch: dict[str, Tensor]) -> Outputs:
    length = int(batch["attention_mask"][0].sum())
    inputs = [batch[name][:1, :length] for name in ("input_ids", "token_type_ids", "attention_mask")]
    others = inputs[0].clone()
    others[:, 1:-1] = BASELINE_ID
    words, baseline = (words_of(model)(ids).detach() for ids in (inputs[0], others))
    points, weights = np.polynomial.legendre.leggauss(STEPS)
    with torch.no_grad():
        has = outputs_of(model, inputs)
    found: Outputs = {}
    for name, (output, answer) in ANSWERS.items():
        if output not in has:
            continue
        value, gradient = slope_at(model, inputs, words, answer)
        mean = torch.zeros_like(gradient)
        for point, weight in zip(points, weights):
            between = baseline + (1 + point) / 2 * (words - baseline)
            mean += weight / 2 * slope_at(model, inputs, between, answer)[1]
        found[f"{name}.values"] = torch.stack([value, slope_at(model, inputs, baseline, answer)[0]])
        found[f"{name}.gradient"] = (gradient * words).sum(-1)[0]
        found[f"{name}.integrated"] = (mean * (words - baseline)).sum(-1)[0]
    return {name: tensor.float() for name, tensor in found.items()}


if __name__ == "__main__":
    sys.exit(write_golden("gradients", gradients))

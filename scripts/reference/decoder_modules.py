"""The modules of a decoder that is explained, and what they read and give as they run."""

from __future__ import annotations

from typing import Callable

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import ModelOutput

# The word whose logit is explained.
WORD_ID = 7


class Decoder:
    """The modules of a decoder that attribution reads, by the names that they have in each family."""

    def __init__(self, model: PreTrainedModel) -> None:
        base = model.base_model
        # The head of a masked language model has an activation of its own.
        is_sum = not hasattr(model, "head")
        self.unembedding = model.get_output_embeddings().weight if is_sum else None
        self.positions = getattr(base, "wpe", None)
        self.layers = next(getattr(base, name) for name in ("h", "layers") if hasattr(base, name))
        self.norm = next(getattr(base, name) for name in ("ln_f", "norm", "final_layer_norm", "final_norm") if hasattr(base, name))

    def logit(self, part: Tensor, state: Tensor) -> Tensor:
        """The part of the logit of each row of `part` [.., H], where `state` [H] is what the final norm reads."""
        has_mean = isinstance(self.norm, nn.LayerNorm)
        epsilon = self.norm.eps if has_mean else self.norm.variance_epsilon
        scale = ((state - state.mean() * has_mean).square().mean() + epsilon).sqrt()
        centred = part - part.mean(-1, keepdim=True) * has_mean
        return (centred / scale * self.norm.weight) @ self.unembedding[WORD_ID]

    @staticmethod
    def values(layer: nn.Module, index: int, states: Tensor, output: ModelOutput) -> Tensor:
        """What the heads of a layer give of each token, [A, T, d]."""
        count = output.attentions[index].shape[1]
        if cache := output.get("past_key_values"):
            values = cache.layers[index].values[0]
            return values.repeat_interleave(count // len(values), 0)
        whole = layer.attn.Wqkv(layer.attn_norm(states))[0]  # ModernBERT's
        return whole.unflatten(-1, (3, count, -1))[:, 2].transpose(0, 1)

    @staticmethod
    def values_in(layer: nn.Module, heads: int) -> tuple[nn.Module, Callable[[Tensor], Tensor]]:
        """The map that makes the values of a layer, and those of one token in a row that it gives, as a view."""
        modules = dict(layer.named_modules())
        if module := modules.get("self_attn.v_proj"):
            return module, lambda row: row
        if module := modules.get("attention.query_key_value"):  # GPT-NeoX's: of one head after another
            return module, lambda row: row.unflatten(-1, (heads, 3, -1))[:, 2]
        module = modules.get("attn.c_attn", modules.get("attn.Wqkv"))
        return module, lambda row: row.unflatten(-1, (3, -1))[2]

    @staticmethod
    def projection(layer: nn.Module) -> nn.Module:
        attention = next(getattr(layer, name) for name in ("attn", "self_attn", "attention") if hasattr(layer, name))
        return next(getattr(attention, name) for name in ("c_proj", "o_proj", "dense", "Wo") if hasattr(attention, name))


def kept(modules: list[nn.Module], inputs: bool) -> tuple[list[Tensor], list[torch.utils.hooks.RemovableHandle]]:
    """A list that the modules fill as they run, with what they read or give."""
    values: list[Tensor] = []

    def keep(_: nn.Module, given: tuple[Tensor, ...], output: Tensor) -> None:
        values.append(given[0] if inputs else output)

    return values, [module.register_forward_hook(keep) for module in modules]

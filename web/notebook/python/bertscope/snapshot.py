"""Attention as data: what a model returned, in the form that every bertscope draws from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import BertscopeError

Weights = NDArray[np.float32]

#: The names that the parts of a model's attention have in a saved picture.
FIELDS = {
    "all": "attentions",
    "encoder": "encoder_attention",
    "decoder": "decoder_attention",
    "cross": "cross_attention",
}

#: The names that they have in the output of a transformers model.
OUTPUTS = {
    "all": "attentions",
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}

#: A page with more numbers is too large for a notebook.
MOST_NUMBERS = 300_000

#: The significant digits of a number in a page, as in the pages that the export saves.
DIGITS = 4


@dataclass(frozen=True)
class Snapshot:
    """Tokens and attention. `parts` has one array [layer, head, query, key] for each part of the model."""

    parts: Mapping[str, Weights]
    #: By part, the tokens that attend and the tokens attended to.
    tokens: Mapping[str, tuple[list[str], list[str]]]
    #: What else is known: `text`, `model`, `token_type_ids`, `special_tokens_mask`.
    about: Mapping[str, Any] = field(default_factory=dict)

    def part(self, name: str = "") -> Weights:
        """The weights of a part; of the first one if it is not named."""
        known = self.parts.get(name) if name else next(iter(self.parts.values()))
        if known is None:
            raise BertscopeError(f"expected one of the parts {', '.join(self.parts)}, found {name}")
        return known

    def fields(self) -> dict[str, Any]:
        """The fields of a saved picture, with arrays in place of lists."""
        return {**self.about, **self._token_fields(), **{FIELDS[name]: weights for name, weights in self.parts.items()}}

    def json(self, layer: int = 0, heads: Sequence[int] = ()) -> str:
        """The saved picture as JSON. Of one that is too large, only the layer and the heads that are shown."""
        count = sum(weights.size for weights in self.parts.values())
        chosen = None if count <= MOST_NUMBERS else (layer, set(heads))
        lists = {FIELDS[name]: _nested(weights, chosen) for name, weights in self.parts.items()}
        written = {"format": "bertscope-snapshot", "version": 1, **self.about, **self._token_fields(), **lists}
        return json.dumps(written, ensure_ascii=False, separators=(",", ":"))

    def _token_fields(self) -> dict[str, list[str]]:
        if "all" in self.parts:
            return {"tokens": self.tokens["all"][0]}
        named: dict[str, list[str]] = {}
        for name, (queries, keys) in self.tokens.items():
            named["decoder_tokens" if name in ("decoder", "cross") else "encoder_tokens"] = queries
            named["encoder_tokens" if name in ("encoder", "cross") else "decoder_tokens"] = keys
        return named


def _nested(weights: Weights, chosen: tuple[int, set[int]] | None) -> list[list[Any]]:
    def matrix(layer: int, head: int) -> list[list[float]] | None:
        if chosen and (layer != chosen[0] or (chosen[1] and head not in chosen[1])):
            return None
        return [[float(f"{weight:.{DIGITS}g}") for weight in row] for row in weights[layer, head].tolist()]

    layers, heads = weights.shape[:2]
    return [[matrix(layer, head) for head in range(heads)] for layer in range(layers)]


def snapshot(
    tokens: Any = None,
    attentions: Any = None,
    *,
    encoder_tokens: Any = None,
    decoder_tokens: Any = None,
    encoder_attentions: Any = None,
    decoder_attentions: Any = None,
    cross_attentions: Any = None,
    token_type_ids: Any = None,
    special_tokens_mask: Any = None,
    text: str = "",
    model: str = "",
) -> Snapshot:
    """Reads attention of any transformers model.

    Args:
        tokens: The tokens as a list of strings, or what a fast tokenizer returned, which has token types too.
        attentions: `output.attentions`, or the output itself: a tuple of one tensor [1, heads, tokens, tokens] for each
            layer, or one array or nested lists [layers, heads, tokens, tokens]. PyTorch, TensorFlow, JAX and NumPy are
            read. Of an encoder-decoder model, the output itself, or the three arguments below.
        encoder_tokens: The tokens of the encoder of an encoder-decoder model; `tokens` if they are not given.
        decoder_tokens: The tokens of its decoder.
        encoder_attentions: The weights in the encoder.
        decoder_attentions: The weights in the decoder.
        cross_attentions: The weights from the decoder's tokens to the encoder's.
        token_type_ids: 0 for each token of the first sentence, then 1 for each of the second.
        special_tokens_mask: 1 for each special token; unless given, the names of the tokens decide.
        text: The text, for captions.
        model: The name of the model, for captions.

    Raises:
        BertscopeError: The shapes do not fit the tokens, or there are no weights.
    """
    given = {
        "all": attentions,
        "encoder": encoder_attentions,
        "decoder": decoder_attentions,
        "cross": cross_attentions,
    }
    if any(hasattr(attentions, name) for name in OUTPUTS.values()):
        given = {part: getattr(attentions, name, None) for part, name in OUTPUTS.items()}
    if tokens is None or isinstance(tokens, (str, bytes)):
        if encoder_tokens is None and decoder_tokens is None:
            raise BertscopeError(f"tokens: expected a list of strings, found {tokens!r}")
    encoder = _tokens_of(tokens if encoder_tokens is None else encoder_tokens, "tokens")
    decoder = _tokens_of(decoder_tokens, "decoder_tokens")
    # A model of transformers that has no such part returns an empty tuple.
    there = {part: value for part, value in given.items() if value is not None and len(value)}
    parts = {part: _weights_of(value, OUTPUTS[part]) for part, value in there.items()}
    if not parts:
        raise BertscopeError(
            "attentions: expected weights, found none; call the model with output_attentions=True, and load it with "
            'attn_implementation="eager" if it still returns none'
        )
    sides = {
        "all": (encoder, encoder),
        "encoder": (encoder, encoder),
        "decoder": (decoder, decoder),
        "cross": (decoder, encoder),
    }
    for part, weights in parts.items():
        _check_tokens(weights, *sides[part], OUTPUTS[part])
    about: dict[str, Any] = {"text": text, "model": model}
    if "all" in parts:
        about |= _about_tokens(tokens, encoder, token_type_ids, special_tokens_mask)
    named = {part: (sides[part][0] or [], sides[part][1] or []) for part in parts}
    return Snapshot(parts, named, {name: value for name, value in about.items() if value})


def _about_tokens(given: Any, tokens: list[str] | None, types: Any, mask: Any) -> dict[str, list[int]]:
    encoding = (getattr(given, "encodings", None) or [None])[0]
    if types is None:
        types = getattr(encoding, "type_ids", None)
    if mask is None:
        mask = getattr(encoding, "special_tokens_mask", None)
    found = {"token_type_ids": _integers(types), "special_tokens_mask": _integers(mask)}
    for name, values in found.items():
        if values and len(values) != len(tokens or []):
            raise BertscopeError(f"{name}: expected {len(tokens or [])} numbers, one a token, found {len(values)}")
    return {name: values for name, values in found.items() if any(values)}


def _integers(values: Any) -> list[int]:
    return [] if values is None else [int(value) for value in np.asarray(_plain(values)).reshape(-1)]


def _tokens_of(given: Any, name: str) -> list[str] | None:
    if given is None:
        return None
    # A tokenizer's output has a method that names the tokens; a list has none.
    named = given.tokens() if callable(getattr(given, "tokens", None)) else given
    if not isinstance(named, Iterable):
        raise BertscopeError(f"{name}: expected a list of strings, found {type(named).__name__}")
    listed = list(named)
    wrong = next((token for token in listed if not isinstance(token, str)), None)
    if wrong is not None:
        raise BertscopeError(
            f"{name}: expected strings, found {type(wrong).__name__}; for ids, use tokenizer.convert_ids_to_tokens(ids)"
        )
    return listed


def _plain(value: Any) -> Any:
    """An array in the computer's memory, of what a library for machine learning returned."""
    if hasattr(value, "detach"):  # PyTorch; NumPy has no bfloat16.
        value = value.detach().cpu()
        return (value.float() if value.is_floating_point() else value).numpy()
    return value.numpy() if callable(getattr(value, "numpy", None)) else value


def _weights_of(given: Any, name: str) -> Weights:
    value = _plain(given)
    if isinstance(value, (list, tuple)):
        value = [_plain(layer) for layer in value]
        if any(layer is None for layer in value):
            raise BertscopeError(
                f'{name}: expected the weights of each layer, found None; load the model with attn_implementation="eager"'
            )
    try:
        weights = np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError) as error:
        shapes = [str(np.shape(layer)) for layer in value] if isinstance(value, list) else [type(value).__name__]
        found = ", ".join(dict.fromkeys(shapes))
        raise BertscopeError(f"{name}: expected layers of one shape, found {found}") from error
    if weights.ndim == 5 and weights.shape[1] == 1:
        weights = weights[:, 0]
    if weights.ndim == 5:
        raise BertscopeError(
            f"{name}: expected a batch of one text, found {weights.shape[1]}; "
            "take one of them: [layer[:1] for layer in attentions]"
        )
    if weights.ndim != 4:
        shape = " x ".join(map(str, weights.shape)) or "one number"
        raise BertscopeError(f"{name}: expected layers x heads x queries x keys, found {shape}")
    return np.ascontiguousarray(weights)


def _check_tokens(weights: Weights, queries: list[str] | None, keys: list[str] | None, name: str) -> None:
    if queries is None or keys is None:
        missing = "decoder_tokens" if queries is None else "encoder_tokens"
        raise BertscopeError(f"{name}: expected {missing} beside it, found none")
    if weights.shape[2:] != (len(queries), len(keys)):
        expected, found = f"{len(queries)} x {len(keys)}", " x ".join(map(str, weights.shape[2:]))
        raise BertscopeError(f"{name}: expected {expected} weights in each head, as many as tokens, found {found}")

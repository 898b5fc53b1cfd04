"""What a widget's picture shows, as numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .errors import BertscopeError
from .snapshot import Weights


@dataclass(frozen=True)
class Result:
    """One text through one model, or attention that was given to `attention`."""

    #: The text, and the second one of a pair.
    text: str
    text_pair: str
    tokens: Sequence[str]
    #: The tokens attended to: the same list, except in cross-attention.
    key_tokens: Sequence[str]
    #: Their numbers in the vocabulary; empty for attention that was given.
    ids: Sequence[int]
    #: 0 for each token of the first text, 1 for each of the second.
    token_type_ids: Sequence[int]
    layers: int
    heads: int
    #: How many tokens were cut off, because they did not fit.
    truncated: int
    #: The name of the model; empty if it is not known.
    model: str
    _weights: Weights | None
    _fetch: Callable[[int, int], Weights] | None = field(default=None, repr=False, compare=False)

    @property
    def attentions(self) -> Weights:
        """All weights, [layers, heads, queries, keys].

        Raises:
            BertscopeError: A long text in a large model has more than the widget sends at once. Ask for heads one by one.
        """
        if self._weights is None:
            count = self.layers * self.heads * len(self.tokens) * len(self.key_tokens)
            raise BertscopeError(f"attentions: expected at most 2**20 weights, found {count}; use attention(layer, head)")
        return self._weights

    def attention(self, layer: int, head: int) -> Weights:
        """The weights of one head, [queries, keys]; rows sum to 1. Layers and heads count from 0.

        Of a long text in a large model, the widget's page is asked for the head. The kernel takes the answer after the cell,
        so this raises once, and the same call succeeds in the next cell.
        """
        for name, number, count in (("layer", layer, self.layers), ("head", head, self.heads)):
            if not 0 <= number < count:
                raise BertscopeError(f"{name}: expected 0 to {count - 1}, found {number}")
        if self._weights is not None:
            weights: Weights = self._weights[layer, head]
            return weights
        assert self._fetch is not None
        return self._fetch(layer, head)

"""See what every head of a transformer attends to, in a notebook.

`attention` draws what a model returned, and `live` runs a model in the notebook's page, on texts that the reader types::

    import bertscope

    bertscope.attention(tokens, output.attentions)

    scope = bertscope.live("time flies like an arrow", layer=3)
    scope                                # draws the widget
    scope.result.attention(3, 0)         # in a later cell: NumPy, rows sum to 1
    scope.heads, scope.text              # what the reader chose and typed
    scope.view = "matrix"                # changes what the reader sees
    scope.save("figure.svg")

`syntax` measures which head finds which grammatical relation, with the command line, as a table::

    bertscope.syntax("my-bert/", "treebank.conllu")
    bertscope.syntax("my-bert/", "pairs.tsv")      # pairs of words of your own

Nothing is fetched from a network: the engine and a small model are in this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import BertscopeError
from .result import Result
from .snapshot import Snapshot, snapshot
from .treebank import syntax

if TYPE_CHECKING:
    from .widget import Scope, attention, live

__all__ = ["BertscopeError", "Result", "Scope", "Snapshot", "attention", "live", "snapshot", "syntax"]


def __getattr__(name: str) -> Any:
    """Imports the widget when it is first needed: the rest works where there is no notebook."""
    if name in ("Scope", "attention", "live"):
        from . import widget

        return getattr(widget, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

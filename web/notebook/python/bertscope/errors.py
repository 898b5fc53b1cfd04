"""The error that this package raises."""

from __future__ import annotations


class BertscopeError(Exception):
    """Says what was expected and what was found."""

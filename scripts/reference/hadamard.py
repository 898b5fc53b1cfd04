"""The rotation of a quantized matrix's rows, as `src/kernels/rotation.h` says."""

from __future__ import annotations

import torch
from torch import Tensor

MOST_ROTATED = 64


def rotated(matrix: Tensor) -> tuple[Tensor, int]:
    """Multiplies each block of a row by the Hadamard matrix of its size; returns that size, too.

    Twice gives the matrix times the size.
    """
    size = min(MOST_ROTATED, matrix.shape[1] & -matrix.shape[1])
    hadamard = torch.ones(1, 1)
    while len(hadamard) < size:
        hadamard = torch.kron(hadamard, torch.tensor([[1.0, 1.0], [1.0, -1.0]]))
    return (matrix.unflatten(1, (-1, size)) @ hadamard).flatten(1), size

"""Data-parallel gradients on the CPU: one thread a share of the batches.

Threads that meet once a step wait far less for each other than threads that share every operation,
above all on a machine that has other work. The shares and the order of adding are fixed, so a number
of threads gives the same bits each time.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Callable, Sequence, TypeVar

import torch
from torch import Tensor, nn

Item = TypeVar("Item")


class Replicas:
    """A model and copies of it that share its weights but not its gradients."""

    def __init__(self, model: nn.Module, count: int) -> None:
        self._models = [model, *(deepcopy(model) for _ in range(count - 1))]
        for copy in self._models[1:]:
            for mine, shared in zip(copy.parameters(), model.parameters(), strict=True):
                mine.data = shared.data
        self._threads = ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,))

    def accumulate(self, loss: Callable[[nn.Module, Item], Tensor], items: Sequence[Item]) -> float:
        """Sets the model's gradients to those of the sum of `loss(model, item)`, which it returns."""

        def work(index: int) -> float:
            total = 0.0
            for item in items[index :: len(self._models)]:
                value = loss(self._models[index], item)
                value.backward()
                total += float(value)
            return total

        total = sum(self._threads.map(work, range(len(self._models))))
        for copy in self._models[1:]:
            for mine, shared in zip(copy.parameters(), self._models[0].parameters(), strict=True):
                if mine.grad is not None:
                    shared.grad.add_(mine.grad)
                    mine.grad = None
        return total

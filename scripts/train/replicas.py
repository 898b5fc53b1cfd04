"""Data-parallel gradients on the CPU: one process a share of the batches.

Processes that meet once a step wait far less for each other than threads that share every operation,
above all on a machine that has other work. The shares and the order of adding are fixed, so a number
of processes gives the same bits each time. (Threads do not do: oneDNN as Debian builds it cannot run
a primitive in two at once.)
"""

from __future__ import annotations

import signal
from multiprocessing.connection import Connection
from typing import Any, Callable, Sequence

import torch
from torch import Tensor, multiprocessing, nn

Loss = Callable[..., Tensor]


def add_gradients(loss: Loss, items: Sequence[Any]) -> float:
    total = 0.0
    for item in items:
        value = loss(*item)
        value.backward()
        total += float(value.detach())
    return total


class Replicas:
    """A model, and processes that share its weights and hand back their gradients."""

    def __init__(self, model: nn.Module, loss: Loss, count: int) -> None:
        """loss: takes an item's parts and gives what `model`'s gradients are to be of."""
        self._params, self._loss = list(model.parameters()), loss
        self._threads = torch.get_num_threads()
        self._workers: list[tuple[Connection, list[Tensor]]] = []
        context = multiprocessing.get_context("fork")  # the model and the loss go along as they are
        for _ in range(count - 1):
            model.share_memory()
            gradients = [torch.zeros_like(param).share_memory_() for param in self._params]
            mine, theirs = context.Pipe()
            self._workers.append((mine, gradients))
            context.Process(target=self._serve, args=(theirs, gradients)).start()
            theirs.close()

    def _serve(self, pipe: Connection, gradients: list[Tensor]) -> None:
        """A worker's life: it ends when the other end of its pipe does."""
        for number in (signal.SIGTERM, signal.SIGINT):  # the run finishes its step first
            signal.signal(number, signal.SIG_IGN)
        for other, _ in self._workers:
            other.close()
        torch.set_num_threads(1)
        while True:
            try:
                items = pipe.recv()
            except EOFError:
                return
            total = add_gradients(self._loss, items)
            for param, gradient in zip(self._params, gradients, strict=True):
                if param.grad is not None:
                    gradient.copy_(param.grad)
                    param.grad = None
            pipe.send(total)

    def accumulate(self, items: Sequence[Any]) -> float:
        """Sets the model's gradients to those of the sum of the items' losses, which it returns."""
        count = len(self._workers) + 1
        for index, (pipe, _) in enumerate(self._workers):
            pipe.send(items[index + 1 :: count])
        torch.set_num_threads(1 if self._workers else self._threads)
        total = add_gradients(self._loss, items[::count])
        torch.set_num_threads(self._threads)
        for pipe, gradients in self._workers:
            total += pipe.recv()
            for param, gradient in zip(self._params, gradients, strict=True):
                if param.grad is not None:
                    param.grad.add_(gradient)
        return total

    def close(self) -> None:
        for pipe, _ in self._workers:
            pipe.close()

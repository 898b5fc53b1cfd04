"""The optimizers: Muon for the matrices inside the layers, AdamW for everything else.

Muon orthogonalises the momentum of a matrix, so that all its directions learn at the same pace; per
token it learns markedly faster than AdamW at this size. Sources: Jordan et al. 2024
(https://kellerjordan.github.io/posts/muon/); the scaling that lets both share one rate and decay is
from Liu et al. 2025, "Muon is Scalable for LLM Training" (https://arxiv.org/abs/2502.16982).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Iterable

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
NEWTON_SCHULZ_STEPS = 5
ADAM_LIKE_RMS = 0.2  # the root mean square of a typical AdamW update


def orthogonalized(matrices: Tensor) -> Tensor:
    """The nearest (semi-)orthogonal matrix to each, roughly: singular values end between 0.7 and 1.2.

    matrices: [n, rows, columns] with rows <= columns, bfloat16.
    """
    a, b, c = NEWTON_SCHULZ
    x = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(NEWTON_SCHULZ_STEPS):
        gram = x @ x.transpose(1, 2)
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x


class Muon(Optimizer):
    """Momentum (Nesterov), orthogonalised; matrices of one shape go through the iteration together."""

    def __init__(self, params: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.0) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: object = None) -> None:
        for group in self.param_groups:
            by_shape: defaultdict[tuple[int, ...], list[tuple[Tensor, Tensor]]] = defaultdict(list)
            for param in group["params"]:
                if param.grad is None:
                    continue
                buffer = self.state[param].setdefault("momentum", torch.zeros_like(param))
                buffer.lerp_(param.grad, 1 - group["momentum"])
                update = param.grad.lerp(buffer, group["momentum"])
                rows, columns = update.shape
                wide = update if rows <= columns else update.t()
                by_shape[tuple(wide.shape)].append((param, wide))
            for shape, entries in by_shape.items():
                directions = orthogonalized(torch.stack([wide for _, wide in entries]).bfloat16())
                scale = ADAM_LIKE_RMS * max(shape) ** 0.5
                for (param, _), direction in zip(entries, directions):
                    param.mul_(1 - group["lr"] * group["weight_decay"])
                    turned = direction if param.shape == shape else direction.t()
                    param.add_(turned, alpha=-group["lr"] * scale)


class Optimizers:
    """Both optimizers behind one step, one learning rate and one state."""

    def __init__(self, model: nn.Module, weight_decay: float, use_muon: bool = True) -> None:
        matrices, embeddings, vectors = [], [], []
        for name, param in model.named_parameters():
            if param.dim() < 2:
                vectors.append(param)
            elif "embeddings" in name or name == "model.shared.weight" or not use_muon:
                embeddings.append(param)
            else:
                matrices.append(param)
        groups = [
            {"params": embeddings, "weight_decay": weight_decay},
            {"params": vectors, "weight_decay": 0.0},  # biases and norm gains have no reason to shrink
        ]
        self._all: list[Optimizer] = [AdamW(groups, lr=0.0, betas=(0.9, 0.98), eps=1e-6)]
        if matrices:
            self._all.append(Muon(matrices, lr=0.0, weight_decay=weight_decay))

    def step(self, rate: float) -> None:
        """Applies the gradients at the given learning rate and clears them."""
        for optimizer in self._all:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict[str, Any]]:
        return [optimizer.state_dict() for optimizer in self._all]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        for optimizer, state in zip(self._all, states, strict=True):
            optimizer.load_state_dict(state)

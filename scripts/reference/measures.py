"""Measures of attention in NumPy, straight from their papers: the reference of src/analysis.

Norm-weighted attention: Kobayashi et al. 2020 (https://arxiv.org/abs/2004.10102), equations 3 to 5.
Rollout and flow: Abnar & Zuidema 2020 (https://arxiv.org/abs/2005.00928), section 3.
Head distances and their map: Clark et al. 2019 (https://arxiv.org/abs/1906.04341), section 6.
"""

from __future__ import annotations

import numpy as np


def value_norms(weights: np.ndarray, values: np.ndarray, projection: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """weights [A, T, T], values [A, T, d], projection [H, A * d] as PyTorch stores it.

    Returns the norms of every head [A, T, T] and of their sum [T, T].
    """
    heads, _, size = values.shape
    parts = projection.reshape(-1, heads, size)  # [H, A, d]
    transformed = np.einsum("htd,ohd->hto", values, parts)
    vectors = np.einsum("hij,hjo->hijo", weights, transformed)
    return np.linalg.norm(vectors, axis=-1), np.linalg.norm(vectors.sum(0), axis=-1)


def mixings(attention: np.ndarray) -> np.ndarray:
    """[L, A, T, T] to [L, T, T]: the heads' mean and the residual sum in equal parts."""
    mixed = attention.mean(1) + np.eye(attention.shape[-1])
    return mixed / mixed.sum(-1, keepdims=True)


def rollout(mixed: np.ndarray) -> np.ndarray:
    """[L, T, T] to [T, T], up to the last layer."""
    rolled = mixed[0]
    for layer in mixed[1:]:
        rolled = layer @ rolled
    return rolled


def maximum_flow(mixed: np.ndarray, query: int, token: int) -> float:
    """Edmonds & Karp 1972 on the whole network as one matrix of capacities."""
    layers, tokens, _ = mixed.shape
    left = np.zeros(((layers + 1) * tokens,) * 2)
    for layer in range(layers):
        upper, lower = (layer + 1) * tokens, layer * tokens
        left[upper : upper + tokens, lower : lower + tokens] = mixed[layer]
    source, flow = layers * tokens + query, 0.0
    while True:
        came_from = np.full(len(left), -1)
        came_from[source] = source
        queue = [source]
        for node in queue:
            reached = np.flatnonzero((left[node] > 1e-12) & (came_from < 0))
            came_from[reached] = node
            queue.extend(reached.tolist())
        if came_from[token] < 0:
            return flow
        path = [token]
        while path[-1] != source:
            path.append(int(came_from[path[-1]]))
        steps = list(zip(path[1:], path))
        amount = min(left[step] for step in steps)
        for start, end in steps:
            left[start, end] -= amount
            left[end, start] += amount
        flow += amount


def flow(mixed: np.ndarray) -> np.ndarray:
    """[L, T, T] to [T, T], rows divided by their sums as in the authors' code."""
    tokens = mixed.shape[-1]
    flows = np.array([[maximum_flow(mixed, query, token) for token in range(tokens)] for query in range(tokens)])
    return flows / flows.sum(-1, keepdims=True)


def head_distances(attention: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """[N, T, T] and the queries that count, bool [T], to [N, N]: roots of mean JS divergences in bits."""

    def entropy(rows: np.ndarray) -> np.ndarray:
        return -(rows * np.log2(np.where(rows > 0, rows, 1))).sum(-1)

    rows = attention[:, queries]  # [N, Q, T]
    between = entropy((rows[:, None] + rows[None]) / 2)  # [N, N, Q]
    divergence = between - (entropy(rows)[:, None] + entropy(rows)[None]) / 2
    return np.sqrt(np.maximum(divergence.mean(-1), 0))


def classical_scaling(distances: np.ndarray) -> np.ndarray:
    """[N, N] to [N, 2], each direction pointing to its farthest point."""
    count = len(distances)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centre @ distances**2 @ centre)
    positions = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0))
    farthest = positions[abs(positions).argmax(0), [0, 1]]
    return positions * np.sign(farthest)

"""Learning from data: clusters, regressions, nets, attention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .program import Program, count, loop, noise, normals, side, whole


def standardise(xp: Any, m: Any) -> Any:
    """Columns standardised, clipped and correlated."""
    m = xp.clip((m - m.mean(axis=0)) / m.std(axis=0), -3, 3)
    return m.T @ m / len(m)


def logistic_step(xp: Any, x: Any, wanted: Any, w: Any) -> Any:
    error = 1 / (1 + xp.exp(-(x @ w))) - wanted
    return w - 0.5 * (x.T @ error) / len(x)


def logistic_regression(xp: Any, x: Any, wanted: Any, w: Any) -> Any:
    """Gradient descent for a logistic model."""
    for _ in range(20):
        w = logistic_step(xp, x, wanted, w)
    return w


def net_step(xp: Any, x: Any, wanted: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    hidden = xp.maximum(x @ w1 + b1, 0)
    scores = hidden @ w2 + b2
    share = xp.exp(scores - scores.max(axis=1, keepdims=True))
    share = share / share.sum(axis=1, keepdims=True)
    error = (share - wanted) / np.float32(len(x))
    back = (error @ w2.T) * (hidden > 0)
    rate = np.float32(0.1)
    w2, b2 = w2 - rate * (hidden.T @ error), b2 - rate * error.sum(axis=0)
    w1, b1 = w1 - rate * (x.T @ back), b1 - rate * back.sum(axis=0)
    return w1, b1, w2, b2


def net(xp: Any, x: Any, wanted: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """A net of 784, 512 and 10 units, its gradients by hand, float32."""
    for _ in range(10):
        w1, b1, w2, b2 = net_step(xp, x, wanted, w1, b1, w2, b2)
    return w1


def attention(xp: Any, q: Any, k: Any, v: Any) -> Any:
    """Causal attention of one batch, float32."""
    scores = q @ k.swapaxes(-1, -2) / np.float32(8)
    scores = xp.where(xp.tri(q.shape[-2], dtype=bool), scores, np.float32(-1e9))
    scores = xp.exp(scores - scores.max(axis=-1, keepdims=True))
    return (scores / scores.sum(axis=-1, keepdims=True)) @ v


def normalised_layers_step(xp: Any, w: Any, gain: Any, shift: Any, x: Any) -> Any:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = xp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    y = (centred / spread * gain + shift) @ w
    return x + np.float32(0.5) * y * (1 + xp.tanh(np.float32(0.7979) * (y + np.float32(0.0447) * y * y * y)))


def normalised_layers(xp: Any, w: Any, gain: Any, shift: Any, x: Any) -> Any:
    """Layers of a transformer without attention: normalise rows, multiply, activate, add; float32."""
    for _ in range(4):
        x = normalised_layers_step(xp, w, gain, shift, x)
    return x


def clusters_step(xp: Any, points: Any, centres: Any) -> Any:
    distance = (centres**2).sum(axis=1) - 2 * (points @ centres.T)
    nearest = (distance.argmin(axis=1)[:, None] == xp.arange(16)).astype("float64")
    return (nearest.T @ points) / nearest.sum(axis=0)[:, None]


def clusters(xp: Any, points: Any, centres: Any) -> Any:
    """Lloyd's algorithm: distances to all centres, means by one-hot products."""
    for _ in range(5):
        centres = clusters_step(xp, points, centres)
    return centres


def distances(xp: Any, queries: Any, points: Any) -> Any:
    squares = (queries**2).sum(axis=1)[:, None] + (points**2).sum(axis=1)
    return squares - 2 * (queries @ points.T)


def nearest_neighbours(xp: Any, queries: Any, points: Any) -> Any:
    """The ten nearest points to each of many, and their distances."""
    square = distances(xp, queries, points)
    nearest = xp.argpartition(square, 10, axis=1)[:, :10]
    return xp.sort(xp.sqrt(xp.maximum(xp.take_along_axis(square, nearest, axis=1), 0)), axis=1)


def neighbours_jax(jax: Any) -> Callable[..., Any]:
    @jax.jit
    def run(queries: Any, points: Any) -> Any:
        least, _ = jax.lax.top_k(-distances(jax.numpy, queries, points), 10)
        return jax.numpy.sqrt(jax.numpy.maximum(-least, 0))

    return run


def principal_axis_step(xp: Any, spread: Any, axis: Any) -> Any:
    axis = spread @ axis
    return axis / xp.sqrt((axis * axis).sum())


def principal_axis(xp: Any, x: Any, axis: Any) -> Any:
    """The first principal axis by the power method."""
    x = x - x.mean(axis=0)
    spread = x.T @ x / len(x)
    for _ in range(100):
        axis = principal_axis_step(xp, spread, axis)
    return abs(axis)


def principal_axis_jax(jax: Any) -> Callable[..., Any]:
    @jax.jit
    def covariance(x: Any) -> Any:
        x = x - x.mean(axis=0)
        return x.T @ x / len(x)

    steps = loop(principal_axis_step, 100, constants=1)(jax)
    return lambda x, axis: abs(steps(covariance(x), axis))


def table(scale: float) -> Any:
    return (noise(count(200_000, scale), 40, dtype="float32"),)


def regression_operands(scale: float) -> Any:
    x = noise(count(100_000, scale), 64)
    return x, (x[:, 0] > 0.5).astype("float64"), np.zeros(64)


def net_operands(scale: float) -> Any:
    batch = count(256, scale)
    wanted = np.eye(10, dtype="float32")[np.random.default_rng(1).integers(0, 10, batch)]
    w1, w2 = 0.05 * normals(784, 512, dtype="float32"), 0.05 * normals(512, 10, dtype="float32", seed=2)
    return noise(batch, 784, dtype="float32"), wanted, w1, np.zeros(512, "f4"), w2, np.zeros(10, "f4")


def attention_operands(scale: float) -> Any:
    n = side(512, scale)
    return tuple(noise(count(16, scale / 4), n, 64, dtype="float32", seed=i) for i in range(3))


def layers_operands(scale: float) -> Any:
    w, gain = 0.05 * normals(512, 512, dtype="float32"), noise(512, dtype="float32", seed=1)
    return w, gain, np.zeros(512, "f4"), normals(count(2048, scale), 512, dtype="float32", seed=2)


def cluster_operands(scale: float) -> Any:
    points = noise(count(100_000, scale), 8)
    return points, points[:16].copy()


def neighbour_operands(scale: float) -> Any:
    return noise(side(1000, scale), 16), noise(side(8000, scale), 16, seed=1)


PROGRAMS = [
    Program(standardise, table, whole(standardise)),
    Program(logistic_regression, regression_operands, loop(logistic_step, 20, constants=2)),
    Program(net, net_operands, loop(net_step, 10, constants=2), on_gpu=1),
    Program(attention, attention_operands, whole(attention)),
    Program(normalised_layers, layers_operands, loop(normalised_layers_step, 4, constants=3)),
    Program(clusters, cluster_operands, loop(clusters_step, 5, constants=1)),
    Program(nearest_neighbours, neighbour_operands, neighbours_jax),
    Program(principal_axis, lambda scale: (noise(count(50_000, scale), 32), noise(32)), principal_axis_jax),
]

"""Dynamic programming over rows, and filters of small matrices: short steps, many of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .program import Program, count, loop, noise, side


def edit_distance(xp: Any, a: Any, b: Any) -> Any:
    """The edits between two texts, by diagonals of the table."""
    n, m = len(a), len(b)
    gap = xp.full(n + m, -1, dtype=a.dtype)
    backwards = xp.concatenate([gap, b[::-1], gap])
    before, last = xp.zeros(n + 1, dtype="int32"), xp.ones(n + 1, dtype="int32")
    for k in range(2, n + m + 1):
        start = n + 2 * m - k + 1
        differ = a != backwards[start : start + n]
        now = xp.full(n + 1, k, dtype="int32")
        now[1:] = xp.minimum(xp.minimum(last[:-1], last[1:]) + 1, before[:-1] + differ)
        if k <= n:
            now[k] = k
        before, last = last, now
    return last[n]


def edit_distance_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    @jax.jit
    def step(k: Any, a: Any, backwards: Any, before: Any, last: Any) -> Any:
        n = len(a)
        m = (len(backwards) - 2 * n) // 3
        differ = a != jax.lax.dynamic_slice(backwards, (n + 2 * m - k + 1,), (n,))
        now = jnp.full(n + 1, k, dtype="int32")
        now = now.at[1:].set(jnp.minimum(jnp.minimum(last[:-1], last[1:]) + 1, before[:-1] + differ))
        now = jnp.where((k <= n) & (jnp.arange(n + 1) == k), k, now)
        return last, now.astype("int32")

    def run(a: Any, b: Any) -> Any:
        n, m = len(a), len(b)
        gap = jnp.full(n + m, -1, dtype=a.dtype)
        backwards = jnp.concatenate([gap, b[::-1], gap])
        before, last = jnp.zeros(n + 1, dtype="int32"), jnp.ones(n + 1, dtype="int32")
        for k in range(2, n + m + 1):
            before, last = step(k, a, backwards, before, last)
        return last[n]

    return run


def shortest_paths(xp: Any, distance: Any) -> Any:
    """The shortest ways between all places, after Floyd and Warshall."""
    for k in range(len(distance)):
        distance = xp.minimum(distance, distance[:, k : k + 1] + distance[k])
    return distance


def shortest_paths_jax(jax: Any) -> Callable[..., Any]:
    @jax.jit
    def step(k: Any, d: Any) -> Any:
        return jax.numpy.minimum(d, d[:, k][:, None] + d[k])

    def run(distance: Any) -> Any:
        for k in range(len(distance)):
            distance = step(k, distance)
        return distance

    return run


def viterbi(xp: Any, change: Any, seen: Any) -> Any:
    """The likeliest states of a hidden chain: the best score into each state, row by row."""
    score = seen[0]
    for t in range(1, len(seen)):
        score = (score[:, None] + change).max(axis=0) + seen[t]
    return score


def viterbi_jax(jax: Any) -> Callable[..., Any]:
    step = jax.jit(lambda change, seen, score, t: (score[:, None] + change).max(axis=0) + seen[t])

    def run(change: Any, seen: Any) -> Any:
        score = seen[0]
        for t in range(1, len(seen)):
            score = step(change, seen, score, t)
        return score

    return run


def kalman(xp: Any, move: Any, noise_of_move: Any, look: Any, seen: Any) -> Any:
    """A filter of small matrices for many tracks at once."""
    state = xp.zeros((seen.shape[1], 4, 1))
    spread = xp.zeros((seen.shape[1], 4, 4)) + xp.eye(4)
    for observed in seen:
        state = move @ state
        spread = move @ spread @ move.T + noise_of_move
        error = observed[:, :, None] - look @ state
        gain = spread @ look.T @ xp.linalg.inv(look @ spread @ look.T + 0.1 * xp.eye(2))
        state = state + gain @ error
        spread = (xp.eye(4) - gain @ look) @ spread
    return state


def kalman_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    @jax.jit
    def step(move: Any, noise_of_move: Any, look: Any, observed: Any, state: Any, spread: Any) -> Any:
        state = move @ state
        spread = move @ spread @ move.T + noise_of_move
        error = observed[:, :, None] - look @ state
        gain = spread @ look.T @ jnp.linalg.inv(look @ spread @ look.T + 0.1 * jnp.eye(2))
        return state + gain @ error, (jnp.eye(4) - gain @ look) @ spread

    def run(move: Any, noise_of_move: Any, look: Any, seen: Any) -> Any:
        state = jnp.zeros((seen.shape[1], 4, 1))
        spread = jnp.zeros((seen.shape[1], 4, 4)) + jnp.eye(4)
        for observed in seen:
            state, spread = step(move, noise_of_move, look, observed, state, spread)
        return state

    return run


def oscillator_step(xp: Any, w: Any, x: Any) -> Any:
    return xp.tanh(w @ x + 0.1 * xp.sin(x))


def oscillators(xp: Any, w: Any, x: Any) -> Any:
    """Sixty-four coupled numbers for a thousand steps."""
    for _ in range(1000):
        x = oscillator_step(xp, w, x)
    return x


def texts(scale: float) -> Any:
    n = count(1000, scale)
    draw = np.random.default_rng(0).integers
    return draw(0, 4, n, dtype="int32"), draw(0, 4, n + 17, dtype="int32")


def tracks(scale: float) -> Any:
    move = np.eye(4) + 0.1 * np.eye(4, k=2)
    return move, 0.01 * np.eye(4), np.eye(2, 4), noise(50, count(1000, scale), 2).cumsum(axis=0)


PROGRAMS = [
    Program(edit_distance, texts, edit_distance_jax, on_gpu=1),
    Program(shortest_paths, lambda scale: (noise(side(256, scale), side(256, scale)),), shortest_paths_jax),
    Program(viterbi, lambda scale: (noise(64, 64), noise(count(500, scale), 64)), viterbi_jax, on_gpu=1),
    Program(kalman, tracks, kalman_jax),
    Program(
        oscillators,
        lambda scale: (0.3 * noise(64, 64) - 0.15, noise(64)),
        loop(oscillator_step, 1000, constants=1),
        on_gpu=1,
    ),
]

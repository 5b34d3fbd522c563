"""What a program is, and how its operands are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Program:
    """A plain function of a library and of operands, which it leaves as they are."""

    run: Callable[..., Any]
    """`run(xp, *operands)`: an array, or a tuple of them."""
    operands: Callable[[float], Arrays]
    """The operands on the host; a scale of 1 suits a CPU of two cores, and bytes grow with it."""
    jax: Callable[[Any], Callable[..., Any]] | None = None
    """`jax(module)` is the program for JAX: a function of the operands whose steps are under `jax.jit`."""
    on_gpu: float = 4.0
    """The scale on a GPU."""

    @property
    def name(self) -> str:
        return self.run.__name__


def noise(*shape: int, dtype: str = "float64", seed: int = 0) -> np.ndarray:
    """Numbers between 0 and 1."""
    return np.random.default_rng(seed).random(shape).astype(dtype)


def normals(*shape: int, dtype: str = "float64", seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def count(n: int, scale: float, least: int = 16) -> int:
    """An extent that grows with the scale."""
    return max(least, int(n * scale))


def side(n: int, scale: float, axes: int = 2) -> int:
    """The extent of each of several axes that grow together."""
    return max(16, int(n * scale ** (1 / axes)))


def whole(run: Callable[..., Any]) -> Callable[[Any], Callable[..., Any]]:
    """The program for JAX where its one step is all of it."""
    return lambda jax: jax.jit(partial(run, jax.numpy))


def loop(step: Callable[..., Any], steps: int, constants: int = 0) -> Callable[[Any], Callable[..., Any]]:
    """The program for JAX where `step(xp, *constants, *state)` gives the next state: an array, or a tuple.

    The first array of the last state is the result.
    """

    def program(jax: Any) -> Callable[..., Any]:
        jitted = jax.jit(partial(step, jax.numpy))

        def run(*operands: Any) -> Any:
            fixed, state = operands[:constants], operands[constants:]
            for _ in range(steps):
                after = jitted(*fixed, *state)
                state = after if isinstance(after, tuple) else (after,)
            return state[0]

        return run

    return program

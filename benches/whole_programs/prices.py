"""Prices and chances: formulas over many contracts, Monte Carlo, a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .program import Program, count, noise, normals, whole


def black_scholes(xp: Any, price: Any, strike: Any, years: Any) -> Any:
    """Prices of options by the formula, the normal distribution by tanh."""

    def normal(x: Any) -> Any:
        return 0.5 * (1 + xp.tanh(0.7978845608 * (x + 0.044715 * x**3)))

    spread = 0.3 * xp.sqrt(years)
    d1 = (xp.log(price / strike) + 0.065 * years) / spread
    discounted = strike * xp.exp(-0.02 * years)
    call = price * normal(d1) - discounted * normal(d1 - spread)
    return call, call - price + discounted


def asian_options(xp: Any, shocks: Any, strikes: Any) -> Any:
    """Options on the mean of a path, by simulated paths."""
    growth = (0.02 - 0.5 * 0.3**2) / 64 + 0.3 / 8 * shocks
    mean = 100 * xp.exp(growth.cumsum(axis=1)).mean(axis=1)
    return np.exp(-0.02) * xp.maximum(mean[:, None] - strikes, 0).mean(axis=0)


def walks(xp: Any, steps: Any) -> Any:
    """Random walks: running sums, their extremes, the share above a line."""
    paths = (steps - 0.5).cumsum(axis=1)
    return xp.stack([paths.max(axis=1), paths.min(axis=1), (paths > 5).mean(axis=1)])


def bootstrap(xp: Any, sample: Any, choices: Any) -> Any:
    """The interval of a mean by drawing the sample anew many times."""
    means = sample[choices].mean(axis=1)
    return xp.quantile(means, xp.asarray([0.025, 0.5, 0.975]))


def share_inside(xp: Any, x: Any, y: Any) -> Any:
    """Pi by points in a circle."""
    return 4 * (x * x + y * y < 1).mean()


STEPS = 500
UP, PER_STEP, RISE = 1.01, 0.9999, 0.51


def option_tree(xp: Any, strikes: Any) -> Any:
    """American options by a tree, backwards: rows that shrink by one a step."""
    exponents = xp.arange(STEPS + 1) * 2.0 - STEPS
    prices = 100 * xp.exp(exponents * float(np.log(UP)))
    value = xp.maximum(strikes[:, None] - prices, 0)
    for step in range(STEPS, 0, -1):
        prices = prices[:step] * UP
        kept = PER_STEP * (RISE * value[:, 1:] + (1 - RISE) * value[:, :-1])
        value = xp.maximum(kept, strikes[:, None] - prices)
    return value[:, 0]


def option_tree_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    @jax.jit
    def begin(strikes: Any) -> Any:
        prices = 100 * jnp.exp((jnp.arange(STEPS + 1) * 2.0 - STEPS) * float(np.log(UP)))
        return prices, jnp.maximum(strikes[:, None] - prices, 0)

    @jax.jit
    def step(strikes: Any, prices: Any, value: Any) -> Any:
        # One shape for all steps; what lies past the row's end is never read by what counts.
        prices = prices * UP
        kept = PER_STEP * (RISE * jnp.roll(value, -1, axis=1) + (1 - RISE) * value)
        return prices, jnp.maximum(kept, strikes[:, None] - prices)

    def run(strikes: Any) -> Any:
        prices, value = begin(strikes)
        for _ in range(STEPS):
            prices, value = step(strikes, prices, value)
        return value[:, 0]

    return run


def contracts(scale: float) -> Any:
    n = count(4_000_000, scale)
    return 50 + 50 * noise(n), 50 + 50 * noise(n, seed=1), 0.1 + noise(n, seed=2)


def draws(scale: float) -> Any:
    choices = np.random.default_rng(1).integers(0, 10_000, (count(500, scale), 10_000))
    return noise(10_000), choices


def points(scale: float) -> Any:
    n = count(4_000_000, scale)
    return noise(n, dtype="float32"), noise(n, dtype="float32", seed=1)


PROGRAMS = [
    Program(black_scholes, contracts, whole(black_scholes), on_gpu=5),
    Program(
        asian_options,
        lambda scale: (normals(count(50_000, scale), 64), np.linspace(80, 120, 8)),
        whole(asian_options),
    ),
    Program(walks, lambda scale: (noise(count(2000, scale), 1000),), whole(walks)),
    Program(bootstrap, draws, whole(bootstrap)),
    Program(share_inside, points, whole(share_inside)),
    Program(option_tree, lambda scale: (np.linspace(80, 120, count(32, scale)),), option_tree_jax),
]

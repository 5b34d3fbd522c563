"""Cellular automata and partial differential equations: rolls and slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .program import Program, count, loop, noise, side

SHIFTS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


def life_step(xp: Any, cells: Any) -> Any:
    near = sum(xp.roll(xp.roll(cells, i, 0), j, 1) for i, j in SHIFTS)
    return ((near == 3) | ((cells == 1) & (near == 2))).astype("uint8")


def life_by_rolls(xp: Any, cells: Any) -> Any:
    """Conway's game of life on a torus: eight rolls added up."""
    for _ in range(10):
        cells = life_step(xp, cells)
    return cells


def wave_inner(before: Any, now: Any) -> Any:
    inner = now[1:-1, 1:-1]
    near = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
    return 2 * inner - before[1:-1, 1:-1] + 0.1 * (near - 4 * inner)


def wave_by_slices(xp: Any, before: Any, now: Any) -> Any:
    """The wave equation: five slices, zeros around."""
    for _ in range(10):
        after = xp.zeros_like(now)
        after[1:-1, 1:-1] = wave_inner(before, now)
        before, now = now, after
    return now


def wave_jax(jax: Any) -> Callable[..., Any]:
    @jax.jit
    def step(before: Any, now: Any) -> Any:
        return now, jax.numpy.zeros_like(now).at[1:-1, 1:-1].set(wave_inner(before, now))

    def run(before: Any, now: Any) -> Any:
        for _ in range(10):
            before, now = step(before, now)
        return now

    return run


def jacobi_inner(u: Any) -> Any:
    return 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def jacobi(xp: Any, u: Any) -> Any:
    """Jacobi's iteration on a small grid with a test every ten steps."""
    for step in range(200):
        v = u.copy()
        v[1:-1, 1:-1] = jacobi_inner(u)
        if step % 10 == 9 and float(abs(v - u).max()) < 1e-9:
            break
        u = v
    return u


def jacobi_jax(jax: Any) -> Callable[..., Any]:
    step = jax.jit(lambda u: u.at[1:-1, 1:-1].set(jacobi_inner(u)))
    largest = jax.jit(lambda u, v: abs(v - u).max())

    def run(u: Any) -> Any:
        for i in range(200):
            v = step(u)
            if i % 10 == 9 and float(largest(u, v)) < 1e-9:
                break
            u = v
        return u

    return run


def heat_inner(u: Any) -> Any:
    c = u[1:-1, 1:-1, 1:-1]
    rows = u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1]
    columns = u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1]
    return c + 0.1 * (rows + columns + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:] - 6 * c)


def heat_in_space(xp: Any, u: Any) -> Any:
    """The heat equation in three dimensions, written in place."""
    u = u.copy()
    for _ in range(10):
        u[1:-1, 1:-1, 1:-1] = heat_inner(u)
    return u


def heat_jax(jax: Any) -> Callable[..., Any]:
    step = jax.jit(lambda u: u.at[1:-1, 1:-1, 1:-1].set(heat_inner(u)))

    def run(u: Any) -> Any:
        for _ in range(10):
            u = step(u)
        return u

    return run


def laplacian(xp: Any, a: Any) -> Any:
    return xp.roll(a, 1, 0) + xp.roll(a, -1, 0) + xp.roll(a, 1, 1) + xp.roll(a, -1, 1) - 4 * a


def gray_scott_step(xp: Any, u: Any, v: Any) -> Any:
    reaction = u * v * v
    return (
        u + 0.16 * laplacian(xp, u) - reaction + 0.035 * (1 - u),
        v + 0.08 * laplacian(xp, v) + reaction - 0.095 * v,
    )


def gray_scott(xp: Any, u: Any, v: Any) -> Any:
    """Gray's and Scott's reaction of two substances that diffuse, float32."""
    for _ in range(20):
        u, v = gray_scott_step(xp, u, v)
    return u


def burgers_step(xp: Any, u: Any) -> Any:
    upwind = xp.where(u > 0, u - xp.roll(u, 1), xp.roll(u, -1) - u)
    diffusion = xp.roll(u, 1) - 2 * u + xp.roll(u, -1)
    return u - 0.1 * u * upwind + 0.05 * diffusion


def burgers(xp: Any, u: Any) -> Any:
    """Burgers' equation on a line, differences upwind."""
    for _ in range(20):
        u = burgers_step(xp, u)
    return u


def cells(scale: float) -> Any:
    n = side(2048, scale)
    return ((noise(n, n) > 0.6).astype("uint8"),)


def two_grids(scale: float) -> Any:
    n = side(2048, scale)
    return noise(n, n), noise(n, n, seed=1)


def two_small_grids(scale: float) -> Any:
    n = side(512, scale)
    return noise(n, n, dtype="float32"), noise(n, n, dtype="float32", seed=1)


PROGRAMS = [
    Program(life_by_rolls, cells, loop(life_step, 10)),
    Program(wave_by_slices, two_grids, wave_jax),
    Program(jacobi, lambda scale: (noise(side(128, scale), side(128, scale)),), jacobi_jax, on_gpu=1),
    Program(heat_in_space, lambda scale: (noise(*[side(128, scale, axes=3)] * 3),), heat_jax),
    Program(gray_scott, two_small_grids, loop(gray_scott_step, 20)),
    Program(burgers, lambda scale: (noise(count(1_000_000, scale)) - 0.5,), loop(burgers_step, 20)),
]

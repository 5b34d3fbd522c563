"""The rows of the speed table: what is computed, on which operands, how many bytes must move, what is asked.

Nothing is timed here. Each expression is written once, for either library, over that library's operands `d`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

Traffic = tuple[int, int]
"""Bytes read and bytes written."""

COLUMNS = 1000
"""Width of the matrix `m`; its height is the element count over this."""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name
        The expression as a reader would write it.
    run
        Computes it: `run(xp, d)`, with `xp` the library and `d` its operands.
    traffic
        The bytes that must be read and those that must be written, from the element count and the item
        size; None where arithmetic, not memory, is the limit.
    speedup
        The least ratio of NumPy's time to Cuprum's that is asked for.
    floor_multiple
        The most multiples of the floor that are asked for; None where transcendentals dominate.
    stretch_speedup
        A higher ratio, asked for only where the floor leaves room for it.
    accumulates
        The result is a long sum, in which NumPy itself may err beyond the usual tolerance.
    """

    name: str
    run: Callable[[ModuleType, Any], Any]
    traffic: Callable[[int, int], Traffic] | None
    speedup: float
    floor_multiple: float | None = None
    stretch_speedup: float | None = None
    accumulates: bool = False


def operands(elements: int, dtype: np.dtype) -> SimpleNamespace:
    """NumPy's operands: the same numbers on every run."""
    rng = np.random.default_rng(20240229)
    side = int(elements**0.5)

    def uniform(low: float, high: float, shape: int | tuple[int, int] = elements) -> np.ndarray:
        values = rng.random(shape, dtype=dtype)
        values *= dtype.type(high - low)
        values += dtype.type(low)
        return values

    return SimpleNamespace(
        a=uniform(-4, 4),
        b=uniform(-4, 4),
        x=uniform(0, 1),
        y=uniform(0, 1),
        m=uniform(0, 1, (elements // COLUMNS, COLUMNS)),
        square=uniform(0, 1, (side, side)),
        mask=rng.random(elements) < 0.5,
        index=rng.integers(0, elements, elements),
    )


def chain(
    name: str, run: Callable, reads: int, writes: int, *, fused_floor: bool, accumulates: bool = False
) -> Row:
    """A row of the first group: ops that NumPy runs one by one, and that need so many passes of memory."""
    return Row(
        name,
        run,
        lambda n, size: (reads * n * size, writes * n * size),
        speedup=3.0,
        floor_multiple=2.0 if fused_floor else None,
        accumulates=accumulates,
    )


def single(
    name: str, run: Callable, traffic: Callable[[int, int], Traffic], accumulates: bool = False
) -> Row:
    """A row of the second group: one op, never slower than NumPy, and faster where memory allows."""
    return Row(name, run, traffic, speedup=1.0, stretch_speedup=1.5, accumulates=accumulates)


def other_float(d: Any) -> str:
    return "float64" if d.a.dtype.itemsize == 4 else "float32"


CHAINS = [
    chain("sqrt(a**2 + b**2)", lambda xp, d: xp.sqrt(d.a**2 + d.b**2), 2, 1, fused_floor=True),
    chain("sin(x) * cos(x)", lambda xp, d: xp.sin(d.a) * xp.cos(d.a), 1, 1, fused_floor=False),
    chain("tanh(x) * 2 + 1", lambda xp, d: xp.tanh(d.a) * 2 + 1, 1, 1, fused_floor=False),
    chain("x**2 + 2*y", lambda xp, d: d.a**2 + 2 * d.b, 2, 1, fused_floor=True),
    chain(
        "sum((x*x + y*y) <= 1)",
        lambda xp, d: xp.sum((d.x * d.x + d.y * d.y) <= 1),
        2,
        0,
        fused_floor=True,
    ),
    # `m` is read once for the statistics and once more for the quotient, which is written.
    chain(
        "(m - m.mean(0)) / m.std(0)",
        lambda xp, d: (d.m - d.m.mean(0)) / d.m.std(0),
        2,
        1,
        fused_floor=True,
        accumulates=True,
    ),
]

SINGLES = [
    single("a + b", lambda xp, d: d.a + d.b, lambda n, size: (2 * n * size, n * size)),
    single("sum(x)", lambda xp, d: d.x.sum(), lambda n, size: (n * size, 0), accumulates=True),
    single("max(x)", lambda xp, d: d.x.max(), lambda n, size: (n * size, 0)),
    single("argmax(x)", lambda xp, d: d.x.argmax(), lambda n, size: (n * size, 0)),
    single("cumsum(x)", lambda xp, d: d.x.cumsum(), lambda n, size: (n * size, n * size), accumulates=True),
    single("m.sum(axis=0)", lambda xp, d: d.m.sum(axis=0), lambda n, size: (n * size, 0), accumulates=True),
    single("m.sum(axis=1)", lambda xp, d: d.m.sum(axis=1), lambda n, size: (n * size, 0), accumulates=True),
    # Both operands are one memory: it is read once by whoever goes through it in tiles.
    single("m.T + m", lambda xp, d: d.square.T + d.square, lambda n, size: (n * size, n * size)),
    single(
        "astype(other float)",
        lambda xp, d: d.a.astype(other_float(d)),
        lambda n, size: (n * size, n * (12 - size)),
    ),
    single("astype(int32)", lambda xp, d: d.a.astype("int32"), lambda n, size: (n * size, n * 4)),
    single("a < b", lambda xp, d: d.a < d.b, lambda n, size: (2 * n * size, n)),
    single("x == 0.5", lambda xp, d: d.x == 0.5, lambda n, size: (n * size, n)),
    # Half of the elements are kept, but every cache line of `a` holds some of them.
    single("a[mask]", lambda xp, d: d.a[d.mask], lambda n, size: (n + n * size, n * size // 2)),
    single("take(a, i)", lambda xp, d: d.a.take(d.index), lambda n, size: (n * (8 + size), n * size)),
]

MATMUL_SIDES = (64, 256, 2048)


def matmul_operands(side: int, dtype: np.dtype) -> SimpleNamespace:
    rng = np.random.default_rng(side)
    return SimpleNamespace(a=rng.random((side, side), dtype=dtype), b=rng.random((side, side), dtype=dtype))


def matmul(side: int) -> Row:
    return Row(f"matmul {side}x{side}", lambda xp, d: d.a @ d.b, None, speedup=0.9, accumulates=True)

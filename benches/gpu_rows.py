"""The rows of the GPU table: what is computed, on which operands, how many bytes must move, what is asked.

Each expression is written once, for every library: `run(lib, d)`, where `lib.xp` is its array module and `d`
holds its operands. Nothing is timed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGE, MIDDLE, SIDE, MATRIX, SMALL = 100_000_000, 10_000_000, 8000, 1000, 100
TRANSFER_BYTES = 100_000_000


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name, size
        The expression as a reader would write it, and on what.
    operands
        The names of what it works on: keys of `OPERANDS`.
    run
        Computes it.
    kind
        How it is measured: `device` (milliseconds, waited for), `host` (microseconds a call, many calls
        before one wait), `first` (seconds, in new processes).
    bytes_moved
        What must cross the memory bus, at full size; None where arithmetic is the limit.
    speedup
        The least ratio of CuPy's time to Cuprum's that is asked for.
    floor_multiple, limit
        The most multiples of the floor, and the most time in the row's unit, that are asked for.
    traced
        Whether JAX and torch.compile can compile it as a whole.
    check
        How Cuprum's result is held against NumPy's: a tolerance, 0 for equality, None for not at all.
    only, needs
        The libraries it is for, None for all, and the name that they must have for it.
    """

    name: str
    size: str
    operands: tuple[str, ...]
    run: Callable[[Any, Any], Any]
    kind: str = "device"
    bytes_moved: int | None = None
    speedup: float = 1.0
    floor_multiple: float | None = None
    limit: float | None = None
    traced: bool = False
    check: float | None = None
    only: tuple[str, ...] | None = None
    needs: str | None = None

    @property
    def unit(self) -> str:
        return {"device": "ms", "host": "µs", "first": "s"}[self.kind]

    @property
    def title(self) -> str:
        return f"{self.name}, {self.size}"


class Sizes:
    """How many elements each operand has; `scale` shrinks them for a trial run."""

    def __init__(self, scale: float = 1.0) -> None:
        self.large, self.middle = int(LARGE * scale), int(MIDDLE * scale)
        self.side, self.matrix = int(SIDE * scale**0.5), max(8, int(MATRIX * scale ** (1 / 3)))
        self.transfer = int(TRANSFER_BYTES * scale) // 4


def _uniform(count: int | tuple[int, int], dtype: str, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(count, dtype=dtype)


def _square(side: int) -> np.ndarray:
    return np.random.default_rng(5).standard_normal((side, side))


OPERANDS: dict[str, Callable[[Sizes], np.ndarray]] = {
    "a64": lambda s: _uniform(s.large, "f8", 1),
    "b64": lambda s: _uniform(s.large, "f8", 2),
    "x": lambda s: _uniform(s.large, "f4", 3),
    "u": lambda s: _uniform(s.middle, "f4", 4),
    "v": lambda s: _uniform(s.middle, "f4", 5),
    "ids": lambda s: np.random.default_rng(6).integers(0, s.middle // 10, s.middle),
    "m": lambda s: _uniform((s.side, s.side), "f4", 7),
    "square": lambda s: _square(s.matrix),
    "symmetric": lambda s: _square(s.matrix) + _square(s.matrix).T,
    "rhs": lambda s: _uniform(s.matrix, "f8", 8),
    "small": lambda s: _uniform(SMALL, "f4", 9),
    "small_b": lambda s: _uniform(SMALL, "f4", 10),
}


def _scale(kernel: str) -> str:
    """A kernel for the launch of a RawKernel: as small as they come."""
    return 'extern "C" __global__ void ' + kernel + "(float* x) { x[threadIdx.x] += 1; }"


def _raw_launch(lib: Any, d: Any) -> None:
    if not hasattr(lib, "raw"):
        lib.raw = lib.xp.RawKernel(_scale("step"), "step")
    lib.raw((1,), (SMALL,), (d.small,))


def _large(name: str, run: Callable, passes: int, size: int = 4, **more: Any) -> Row:
    return Row(
        name,
        f"f{size * 8} 100M",
        more.pop("operands", ("x",)),
        run,
        bytes_moved=passes * size * LARGE,
        **more,
    )


def _chain(name: str, run: Callable, passes: int, size: int = 4, **more: Any) -> Row:
    return _large(name, run, passes, size, speedup=3.0, floor_multiple=1.25, traced=True, **more)


_SQUARE_BYTES = 4 * SIDE * SIDE
_MIDDLE_BYTES = 4 * MIDDLE

ROWS: list[Row] = [
    _chain(
        "sqrt(a**2 + b**2)",
        lambda lib, d: lib.xp.sqrt(d.a64**2 + d.b64**2),
        3,
        8,
        operands=("a64", "b64"),
        check=1e-15,
    ),
    _chain("tanh(x)*2 + 1", lambda lib, d: lib.xp.tanh(d.x) * 2 + 1, 2, check=1e-6),
    _chain("sin(x)*cos(x)", lambda lib, d: lib.xp.sin(d.x) * lib.xp.cos(d.x), 2, check=1e-6),
    Row(
        "mean(x**2 + 2*y)",
        "f32 10M",
        ("u", "v"),
        lambda lib, d: (d.u**2 + 2 * d.v).mean(),
        bytes_moved=2 * _MIDDLE_BYTES,
        traced=True,
        check=1e-5,
    ),
    Row(
        "(m - mean0) / std0",
        "f32 8000x8000",
        ("m",),
        lambda lib, d: (d.m - d.m.mean(0)) / lib.std(d.m, 0),
        bytes_moved=4 * _SQUARE_BYTES,
        traced=True,
        check=1e-3,
    ),
    Row(
        "m.T + m",
        "f32 8000x8000",
        ("m",),
        lambda lib, d: d.m.T + d.m,
        bytes_moved=3 * _SQUARE_BYTES,
        traced=True,
        check=0,
    ),
    _large("cumsum", lambda lib, d: lib.xp.cumsum(d.x, 0), 2, floor_multiple=1.25, traced=True, check=1e-4),
    _large("sum", lambda lib, d: lib.xp.sum(d.x), 1, floor_multiple=1.25, traced=True, check=1e-5),
    _large("random", lambda lib, d: lib.random(lib.sizes.large), 1, floor_multiple=1.25, operands=()),
    _large("randn", lambda lib, d: lib.randn(lib.sizes.large), 1, floor_multiple=1.25, operands=()),
    Row(
        "k[k > 0.5]",
        "f32 10M",
        ("u",),
        lambda lib, d: d.u[d.u > 0.5],
        bytes_moved=2 * _MIDDLE_BYTES,
        check=0,
    ),
    Row("sort", "f32 10M", ("u",), lambda lib, d: lib.xp.sort(d.u), traced=True, check=0),
    Row("argsort", "f32 10M", ("u",), lambda lib, d: lib.xp.argsort(d.u), traced=True),
    Row("unique", "i64 10M", ("ids",), lambda lib, d: lib.xp.unique(d.ids), check=0),
    Row("svd", "f64 1000x1000", ("square",), lambda lib, d: lib.xp.linalg.svd(d.square)),
    Row("eigh", "f64 1000x1000", ("symmetric",), lambda lib, d: lib.xp.linalg.eigh(d.symmetric)),
    Row(
        "solve",
        "f64 1000x1000",
        ("square", "rhs"),
        lambda lib, d: lib.xp.linalg.solve(d.square, d.rhs),
        check=1e-8,
    ),
    Row(
        "a + a, recorded",
        "f32 100",
        ("small",),
        lambda lib, d: d.small + d.small,
        "host",
        limit=0.5,
        only=("cuprum",),
    ),
    Row(
        "a + a, host cost",
        "f32 100",
        ("small",),
        lambda lib, d: lib.launch(d.small + d.small),
        "host",
        limit=5.0,
    ),
    Row(
        "sqrt(a**2 + b**2), host cost",
        "f32 100",
        ("small", "small_b"),
        lambda lib, d: lib.launch(lib.xp.sqrt(d.small**2 + d.small_b**2)),
        "host",
        limit=5.0,
        traced=True,
    ),
    Row("float(sum)", "f32 100", ("small",), lambda lib, d: float(d.small.sum()), "host", limit=20.0),
    Row(
        "RawKernel launch",
        "f32 100",
        ("small",),
        _raw_launch,
        "host",
        limit=5.0,
        only=("cuprum", "cupy"),
        needs="RawKernel",
    ),
    Row("H2D, pageable", "100 MB", (), lambda lib, d: lib.take(lib.host_block()), limit=2.5),
    Row(
        "H2D, pinned",
        "100 MB",
        (),
        lambda lib, d: lib.take(lib.pinned_block()),
        only=("cuprum", "cupy", "torch"),
    ),
    Row("D2H, pageable", "100 MB", (), lambda lib, d: lib.to_numpy(lib.device_block()), limit=2.5),
    Row("first result, cold cache", "f64 1M", (), lambda lib, d: None, "first", limit=0.6),
    Row("first result, warm disk", "f64 1M", (), lambda lib, d: None, "first", limit=0.3),
]

# What a new process computes to its first result, by library. The clock starts after the import.
FIRST_RESULT = {
    "cuprum": "import cuprum as xp",
    "cupy": "import cupy as xp",
    "torch": "import torch as xp\nxp.set_default_device('cuda')\nxp.set_default_dtype(xp.float64)",
    "jax": "import jax\njax.config.update('jax_enable_x64', True)\nimport jax.numpy as xp",
}
FIRST_PROGRAM = """
import time
{imports}
began = time.perf_counter()
a = xp.linspace(0, 1, 1_000_000)
b = xp.linspace(1, 2, 1_000_000)
value = float(xp.sqrt(a**2 + b**2).sum())
print(time.perf_counter() - began)
assert abs(value - 1.5927e6) < 1e3, value
"""

"""The rows of the GPU table: what is computed, on which operands, how many bytes must move, what is asked.

Each expression is written once, for every library: `run(lib, *operands)`, where `lib.xp` is its array module.
Nothing is timed here.
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
        before one wait, the least of all samples), `recorded` (the same, with the results held, so that none
        runs), `first` (seconds, in new processes).
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
    run: Callable[..., Any]
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
        return {"device": "ms", "host": "µs", "recorded": "µs", "first": "s"}[self.kind]

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


STEP = 'extern "C" __global__ void step(float* x) { x[threadIdx.x] += 1; }'
"""A kernel for the launch of a RawKernel: as small as they come."""

# What is asked of the host, in microseconds: for an op that is recorded, for one and its kernel's launch.
RECORDED_US, LAUNCHED_US = 0.5, 5.0


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
        lambda lib, a, b: lib.xp.sqrt(a**2 + b**2),
        3,
        8,
        operands=("a64", "b64"),
        check=1e-15,
    ),
    _chain("tanh(x)*2 + 1", lambda lib, x: lib.xp.tanh(x) * 2 + 1, 2, check=1e-6),
    _chain("sin(x)*cos(x)", lambda lib, x: lib.xp.sin(x) * lib.xp.cos(x), 2, check=1e-6),
    Row(
        "mean(x**2 + 2*y)",
        "f32 10M",
        ("u", "v"),
        lambda lib, x, y: (x**2 + 2 * y).mean(),
        bytes_moved=2 * _MIDDLE_BYTES,
        traced=True,
        check=1e-5,
    ),
    Row(
        "(m - mean0) / std0",
        "f32 8000x8000",
        ("m",),
        lambda lib, m: (m - m.mean(0)) / lib.std(m, 0),
        bytes_moved=4 * _SQUARE_BYTES,
        traced=True,
        check=1e-3,
    ),
    Row(
        "m.T + m",
        "f32 8000x8000",
        ("m",),
        lambda lib, m: m.T + m,
        bytes_moved=3 * _SQUARE_BYTES,
        traced=True,
        check=0,
    ),
    _large("cumsum", lambda lib, x: lib.xp.cumsum(x, 0), 2, floor_multiple=1.25, traced=True, check=1e-4),
    _large("sum", lambda lib, x: lib.xp.sum(x), 1, floor_multiple=1.25, traced=True, check=1e-5),
    _large("random", lambda lib: lib.random(lib.sizes.large), 1, floor_multiple=1.25, operands=()),
    _large("randn", lambda lib: lib.randn(lib.sizes.large), 1, floor_multiple=1.25, operands=()),
    Row(
        "k[k > 0.5]",
        "f32 10M",
        ("u",),
        lambda lib, k: k[k > 0.5],
        bytes_moved=2 * _MIDDLE_BYTES,
        check=0,
    ),
    Row("sort", "f32 10M", ("u",), lambda lib, x: lib.xp.sort(x), traced=True, check=0),
    Row("argsort", "f32 10M", ("u",), lambda lib, x: lib.xp.argsort(x), traced=True),
    Row("unique", "i64 10M", ("ids",), lambda lib, ids: lib.xp.unique(ids), check=0),
    Row("svd", "f64 1000x1000", ("square",), lambda lib, a: lib.xp.linalg.svd(a)),
    Row("eigh", "f64 1000x1000", ("symmetric",), lambda lib, a: lib.xp.linalg.eigh(a)),
    Row(
        "solve",
        "f64 1000x1000",
        ("square", "rhs"),
        lambda lib, a, b: lib.xp.linalg.solve(a, b),
        check=1e-8,
    ),
    Row(
        "a + a, recorded",
        "f32 100",
        ("small",),
        lambda lib, a: a + a,
        "recorded",
        limit=RECORDED_US,
        only=("cuprum",),
    ),
    Row(
        "a + a, host cost",
        "f32 100",
        ("small",),
        lambda lib, a: lib.launch(a + a),
        "host",
        limit=LAUNCHED_US,
    ),
    Row(
        "sqrt(a**2 + b**2), host cost",
        "f32 100",
        ("small", "small_b"),
        lambda lib, a, b: lib.launch(lib.xp.sqrt(a**2 + b**2)),
        "host",
        limit=3 * RECORDED_US + LAUNCHED_US,
        traced=True,
    ),
    Row("float(sum)", "f32 100", ("small",), lambda lib, a: float(a.sum()), "host", limit=20.0),
    Row(
        "RawKernel launch",
        "f32 100",
        ("small",),
        lambda lib, x: lib.step((1,), (SMALL,), (x,)),
        "host",
        limit=LAUNCHED_US,
        only=("cuprum", "cupy"),
        needs="RawKernel",
    ),
    Row("H2D, pageable", "100 MB", (), lambda lib: lib.take(lib.host_block()), limit=2.5),
    Row(
        "H2D, pinned",
        "100 MB",
        (),
        lambda lib: lib.take(lib.pinned_block()),
        only=("cuprum", "cupy", "torch"),
        # The same copy by the same engine: which of them is a percent ahead is chance.
        speedup=0.95,
    ),
    Row("D2H, pageable", "100 MB", (), lambda lib: lib.to_numpy(lib.device_block()), limit=2.5),
    Row("first result, cold cache", "f64 1M", (), lambda lib: None, "first", limit=0.6),
    Row("first result, warm disk", "f64 1M", (), lambda lib: None, "first", limit=0.3),
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

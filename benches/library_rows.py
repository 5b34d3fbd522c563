"""The rows of the library table: what is called, on which operands, against which peer, what is asked.

Nothing is timed here. Each call is written once, for either library; `lib` offers the modules of both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from library_core import LibraryRow, close, equal, uniform
from scipy_rows import SCIPY_ROWS
from sparse_rows import SPARSE_ROWS

MANY = 10_000_000
SIDE = 1000
PRIME = 1_000_003


def permutation(want: Any, got: Any) -> None:
    """Every place once; those of equal keys may be exchanged, since NumPy's default is not stable."""
    assert (got.shape, got.dtype) == (want.shape, want.dtype), (got.shape, got.dtype)
    assert np.mean(got == want) > 0.2
    np.testing.assert_array_equal(np.bincount(got, minlength=got.size), 1)


def nearly_everywhere(want: Any, got: Any) -> None:
    """For iterations that double every rounding error: all but one element in ten thousand agree."""
    apart = np.abs(np.asarray(want) - got) > 1e-6 * float(np.max(np.abs(want)))
    assert np.mean(apart) < 1e-4, f"{np.mean(apart):.2g} of the elements differ"


def same_kind(want: Any, got: Any) -> None:
    """For draws of other streams: shape, dtype, mean and spread."""
    assert (got.shape, got.dtype) == (np.shape(want), want.dtype), (got.shape, got.dtype)
    for statistic in (np.mean, np.std):
        one, other = float(statistic(want)), float(statistic(got))
        assert abs(one - other) < 5e-3 * max(1.0, abs(one), float(np.std(want))), (one, other)


def first_part(check: Callable[[Any, Any], None], part: int = 0) -> Callable[[Any, Any], None]:
    """Compare one part of a tuple: eigenvalues and singular values, whose vectors have signs of their own."""
    return lambda want, got: check(np.asarray(want[part]), got[part])


def up_to_signs(want: Any, got: Any) -> None:
    """The triangular factors, whose rows have signs of their own."""
    close(1e-11)(abs(want[1]), abs(got[1]))


def integers(count: int, high: int) -> Callable[[np.random.Generator], dict]:
    return lambda rng: {"x": rng.integers(0, high, count)}


def nothing(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {}


def matrices(rng: np.random.Generator) -> dict[str, np.ndarray]:
    a = rng.standard_normal((SIDE, SIDE))
    return {"a": a, "s": a @ a.T / SIDE + np.eye(SIDE), "b": rng.standard_normal((SIDE, 10))}


def _sorting() -> list[LibraryRow]:
    def data(dtype: str) -> Callable[[np.random.Generator], dict]:
        if dtype == "int64":
            return lambda rng: {"x": rng.integers(-(2**62), 2**62, MANY)}
        return uniform(MANY, dtype=dtype)

    def row(name: str, operands: Callable, run: Callable, check: Callable = equal) -> LibraryRow:
        return LibraryRow(name, operands, run, check, 1.0)

    rows = []
    for dtype in ("float32", "float64", "int64"):
        rows.append(
            LibraryRow(f"sort {dtype}, 1e7", data(dtype), lambda lib, d: lib.xp.sort(d.x), equal, 1.0)
        )
        rows.append(
            LibraryRow(
                f"argsort {dtype}, 1e7", data(dtype), lambda lib, d: lib.xp.argsort(d.x), permutation, 1.0
            )
        )
    return [
        *rows,
        row("unique int64, 1e7 of 1e5", integers(MANY, 100_000), lambda lib, d: lib.xp.unique(d.x)),
        row(
            "percentile float64, 1e7",
            uniform(MANY),
            lambda lib, d: lib.xp.percentile(d.x, [5, 50, 95]),
            close(1e-15),
        ),
        row(
            "searchsorted float64, 1e6 in 1e6",
            lambda rng: {"a": np.sort(rng.random(1_000_000)), "v": rng.random(1_000_000)},
            lambda lib, d: lib.xp.searchsorted(d.a, d.v),
        ),
        row("bincount, 1e7 in 1000", integers(MANY, 1000), lambda lib, d: lib.xp.bincount(d.x)),
        row("histogram float64, 1e7 in 100", uniform(MANY), lambda lib, d: lib.xp.histogram(d.x, 100)[0]),
    ]


def _fft() -> list[LibraryRow]:
    def complex_values(*shape: int) -> Callable[[np.random.Generator], dict]:
        return lambda rng: {"x": rng.standard_normal(shape) + 1j * rng.standard_normal(shape)}

    def row(name: str, operands: Callable, run: Callable) -> LibraryRow:
        return LibraryRow(name, operands, run, close(1e-13), 1.0)

    return [
        row("fft of 2^20", complex_values(2**20), lambda lib, d: lib.xp.fft.fft(d.x)),
        row("fft of 1e6", complex_values(10**6), lambda lib, d: lib.xp.fft.fft(d.x)),
        row(f"fft of the prime {PRIME:,}", complex_values(PRIME), lambda lib, d: lib.xp.fft.fft(d.x)),
        row("rfft of 2^20", uniform(2**20), lambda lib, d: lib.xp.fft.rfft(d.x)),
        row("fft2 of 2048x2048", complex_values(2048, 2048), lambda lib, d: lib.xp.fft.fft2(d.x)),
    ]


def _linalg() -> list[LibraryRow]:
    def row(name: str, run: Callable, check: Callable) -> LibraryRow:
        return LibraryRow(f"{name} 1000x1000 float64", matrices, run, check, 0.8)

    return [
        row("svd", lambda lib, d: lib.xp.linalg.svd(d.a), first_part(close(1e-12), 1)),
        row("eigh", lambda lib, d: lib.xp.linalg.eigh(d.s), first_part(close(1e-12))),
        row("solve", lambda lib, d: lib.xp.linalg.solve(d.a, d.b), close(1e-8)),
        row("cholesky", lambda lib, d: lib.xp.linalg.cholesky(d.s), close(1e-12)),
        row(
            "qr",
            lambda lib, d: lib.xp.linalg.qr(d.a),
            lambda want, got: close(1e-11)(abs(want[1]), abs(got[1])),
        ),
        row("inv", lambda lib, d: lib.xp.linalg.inv(d.a), close(1e-8)),
    ]


def _random() -> list[LibraryRow]:
    def row(name: str, run: Callable) -> LibraryRow:
        return LibraryRow(name, nothing, lambda lib, d: run(lib.xp.random.default_rng(7)), same_kind, 2.0)

    return [
        row("random float64, 1e7", lambda rng: rng.random(MANY)),
        row("random float32, 1e7", lambda rng: rng.random(MANY, dtype="float32")),
        row("standard_normal float64, 1e7", lambda rng: rng.standard_normal(MANY)),
        row("standard_normal float32, 1e7", lambda rng: rng.standard_normal(MANY, dtype="float32")),
        row("integers below 1000, 1e7", lambda rng: rng.integers(0, 1000, MANY)),
        LibraryRow(
            "random.randn, 1e7",
            nothing,
            lambda lib, d: lib.xp.random.randn(MANY),
            same_kind,
            2.0,
        ),
    ]


def mandelbrot(xp: Any, side: int, iterations: int) -> Any:
    """Escape times, coloured smoothly, with a mask of the points still inside: a loop of masked writes."""
    x = xp.linspace(-2.0, 0.5, side)
    y = xp.linspace(-1.25, 1.25, side)
    across, down = xp.meshgrid(x, y, indexing="ij")
    c = across + 1j * down
    z = xp.zeros_like(c)
    colour = xp.zeros(c.shape)
    inside = xp.ones(c.shape, dtype=bool)
    for step in range(iterations):
        z[inside] = z[inside] * z[inside] + c[inside]
        escaped = (xp.abs(z) > 2.0) & inside
        if escaped.any():
            colour[escaped] = step + 1 - xp.log(xp.log(xp.abs(z[escaped]))) / xp.log(2.0)
            inside[escaped] = False
        if not inside.any():
            break
    return colour


def _programs() -> list[LibraryRow]:
    return [
        LibraryRow(
            "masked Mandelbrot 1000x1000, 100 iterations",
            nothing,
            lambda lib, d: mandelbrot(lib.xp, 1000, 100),
            nearly_everywhere,
            2.0,
        )
    ]


ROWS: list[LibraryRow] = [
    *_sorting(),
    *_fft(),
    *_linalg(),
    *_random(),
    *SCIPY_ROWS,
    *SPARSE_ROWS,
    *_programs(),
]

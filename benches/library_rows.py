"""The rows of the library table: what is called, on which operands, against which peer, what is asked.

Nothing is timed here. Each call is written once, for either library; `lib` offers the modules of both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from library_core import Library, LibraryRow, close, equal, uniform
from scipy_rows import SCIPY_ROWS

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


def same_matrix(want: Any, got: Any) -> None:
    """Sparse matrices with equal elements."""
    assert want.shape == got.shape and want.dtype == got.dtype
    assert abs(want - got).max() <= 1e-13 * abs(want).max()


def same_triangles(want: Any, got: Any) -> None:
    """The same triangles, in any order and from any corner on."""
    want, got = (np.unique(np.sort(table, axis=1), axis=0) for table in (want, got))
    assert np.array_equal(want, got)


def _sparse() -> list[LibraryRow]:
    """Products, conversions, solvers and graphs of matrices with up to ten million stored elements."""

    def coordinates(rng: np.random.Generator, n: int, count: int) -> Any:
        from scipy import sparse

        places = rng.integers(0, n, (2, count)).astype("int32")
        return sparse.coo_matrix((rng.random(count), (places[0], places[1])), shape=(n, n))

    def scattered(n: int, count: int, form: str) -> Callable[[np.random.Generator], dict[str, Any]]:
        return lambda rng: {
            "a": coordinates(rng, n, count).asformat(form),
            "x": rng.random(n),
            "m": rng.random((n, 8)) if form == "csr" else rng.random(1),
        }

    def poisson(side: int) -> Callable[[np.random.Generator], dict[str, Any]]:
        from scipy import sparse

        line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
        return lambda rng: {"a": sparse.csr_matrix(sparse.kronsum(line, line)), "b": rng.random(side * side)}

    def row(name: str, operands: Any, run: Any, check: Any, speedup: float = 1.0) -> LibraryRow:
        return LibraryRow(name, operands, run, check, speedup, "SciPy")

    def squared(lib: Library, d: Any) -> Any:
        return d.a @ d.a

    def tripled(lib: Library, d: Any) -> Any:
        return d.a + 2 * d.a

    million = 1_000_000
    return [
        row("csr @ x, 1e7 stored", scattered(million, MANY, "csr"), lambda lib, d: d.a @ d.x, close(1e-14)),
        row(
            "csr @ (n, 8), 1e7 stored",
            scattered(million, MANY, "csr"),
            lambda lib, d: d.a @ d.m,
            close(1e-14),
        ),
        row("csc @ x, 1e7 stored", scattered(million, MANY, "csc"), lambda lib, d: d.a @ d.x, close(1e-13)),
        row("coo to csr, 1e7", scattered(million, MANY, "coo"), lambda lib, d: d.a.tocsr(), same_matrix),
        row("csr to csc, 1e7", scattered(million, MANY, "csr"), lambda lib, d: d.a.tocsc(), same_matrix),
        row(
            "csr @ csr, 1e6 stored", scattered(100_000, million, "csr"), lambda lib, d: d.a @ d.a, same_matrix
        ),
        row(
            "csr + csr, 1e6 stored",
            scattered(100_000, million, "csr"),
            lambda lib, d: d.a + 2 * d.a,
            same_matrix,
        ),
        row(
            "cg, 50 iterations, Poisson 1e6",
            poisson(1000),
            lambda lib, d: lib.sparse.linalg.cg(d.a, d.b, maxiter=50)[0],
            close(1e-9),
        ),
        row(
            "spsolve, Poisson 1e5",
            poisson(316),
            lambda lib, d: lib.sparse.linalg.spsolve(d.a, d.b),
            close(1e-9),
        ),
        row(
            "eigsh of ten, Poisson 1e4",
            poisson(100),
            lambda lib, d: lib.sparse.linalg.eigsh(d.a, k=10, return_eigenvectors=False),
            close(1e-9),
        ),
        row(
            "connected_components, 1e7 edges",
            scattered(million, MANY, "csr"),
            lambda lib, d: lib.sparse.csgraph.connected_components(d.a, directed=False)[1],
            equal,
        ),
    ]


def _geometry() -> list[LibraryRow]:
    """Neighbours, distances and interpolation; SciPy's trees use two threads."""

    def row(*args: Any) -> LibraryRow:
        return LibraryRow(*args, peer="SciPy")

    def points(*shape: int) -> Callable[[np.random.Generator], dict]:
        return lambda rng: {"x": rng.random(shape)}

    def grid(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"v": rng.random((60, 70, 80)), "x": rng.random((1_000_000, 3))}

    def scattered(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"y": rng.random((1000, 2)), "d": rng.random(1000), "x": rng.random((100_000, 2))}

    def neighbours(lib: Library, d: Any) -> Any:
        return lib.part("spatial").KDTree(d.x).query(d.x, 10, workers=2)[0]

    def on_grid(lib: Library, d: Any) -> Any:
        axes = tuple(lib.xp.linspace(0, 1, n) for n in d.v.shape)
        return lib.part("interpolate").RegularGridInterpolator(axes, d.v)(d.x)

    return [
        row("KDTree and 10 neighbours, 1e5 x 3", points(100_000, 3), neighbours, close(1e-12), 1.0),
        row("KDTree and 10 neighbours, 1e6 x 3", points(1_000_000, 3), neighbours, close(1e-12), 1.0),
        row(
            "cdist 1e4 x 1e4, 3 coordinates",
            points(10_000, 3),
            lambda lib, d: lib.part("spatial.distance").cdist(d.x, d.x),
            close(1e-12),
            1.0,
        ),
        row(
            "Delaunay 1e5 points",
            points(100_000, 2),
            lambda lib, d: lib.part("spatial").Delaunay(d.x).simplices,
            same_triangles,
            1.0,
        ),
        row("RegularGridInterpolator 1e6 points, 60x70x80", grid, on_grid, close(1e-12), 3.0),
        row(
            "RBFInterpolator 1e3 centres, 1e5 points",
            scattered,
            lambda lib, d: lib.part("interpolate").RBFInterpolator(d.y, d.d)(d.x),
            close(1e-6),
            1.0,
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
    *_sparse(),
    *_geometry(),
    *_programs(),
]

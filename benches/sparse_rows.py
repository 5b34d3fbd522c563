"""The rows of sparse matrices, graphs, neighbours and interpolation, beside SciPy or, on a GPU, CuPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from library_core import Library, LibraryRow, close, equal

MILLION = 1_000_000
MANY = 10_000_000
PARALLEL = 3.0
"""What is asked of calls that are shared out over threads; others are to be ahead."""


def same_matrix(want: Any, got: Any) -> None:
    """Sparse matrices with equal elements."""
    assert want.shape == got.shape and want.dtype == got.dtype
    assert abs(want - got).max() <= 1e-13 * abs(want).max()


def same_triangles(want: Any, got: Any) -> None:
    """The same triangles, in any order and from any corner on."""
    want, got = (np.unique(np.sort(table, axis=1), axis=0) for table in (want, got))
    assert np.array_equal(want, got)


def same_parts(want: Any, got: Any) -> None:
    """The same parts of a graph; their numbers depend on the order in which edges are followed."""
    pairs = np.unique(want.astype(np.int64) * got.size + got)
    assert pairs.size == np.unique(want).size == np.unique(got).size


def row(name: str, operands: Any, run: Any, check: Any, speedup: float = 1.0) -> LibraryRow:
    return LibraryRow(name, operands, run, check, speedup, "SciPy")


def coordinates(rng: np.random.Generator, n: int, count: int) -> Any:
    from scipy import sparse

    places = rng.integers(0, n, (2, count)).astype("int32")
    return sparse.coo_matrix((rng.random(count), (places[0], places[1])), shape=(n, n))


def scattered(n: int, count: int, form: str) -> Callable[[np.random.Generator], dict[str, Any]]:
    return lambda rng: {
        "a": coordinates(rng, n, count).asformat(form),
        "x": rng.random(n),
        "m": rng.random((n, 8)) if form in ("csr", "csc") else rng.random(1),
    }


def two_matrices(rng: np.random.Generator) -> dict[str, Any]:
    return {name: coordinates(rng, 100_000, MILLION).tocsr() for name in "ab"}


def poisson(*sides: int) -> Callable[[np.random.Generator], dict[str, Any]]:
    """The Laplace operator on a grid with so many points along each axis."""

    def operands(rng: np.random.Generator) -> dict[str, Any]:
        from scipy import sparse

        lines = [sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side)) for side in sides]
        matrix = lines[0]
        for line in lines[1:]:
            matrix = sparse.kronsum(matrix, line)
        return {"a": sparse.csr_matrix(matrix), "b": rng.random(matrix.shape[0])}

    return operands


def unsymmetric(n: int, each: int) -> Callable[[np.random.Generator], dict[str, Any]]:
    """So many elements anywhere in each row, and ones on the diagonal."""

    def operands(rng: np.random.Generator) -> dict[str, Any]:
        from scipy import sparse

        places = (np.repeat(np.arange(n), each), rng.integers(0, n, each * n))
        made = sparse.coo_matrix((rng.standard_normal(each * n), places), shape=(n, n))
        return {"a": sparse.csr_matrix(made + sparse.eye(n)), "b": rng.random(n)}

    return operands


# Operands that several rows have in common.
LARGE = scattered(MILLION, MANY, "csr")
BY_COLUMNS = scattered(MILLION, MANY, "csc")


def _products() -> list[LibraryRow]:
    small = scattered(100_000, MILLION, "csr")

    def vector(lib: Library, d: Any) -> Any:
        return d.a @ d.x

    def matrix(lib: Library, d: Any) -> Any:
        return d.a @ d.m

    return [
        row("csr @ x, 1e7 stored", LARGE, vector, close(1e-14), PARALLEL),
        row("csr @ (n, 8), 1e7 stored", LARGE, matrix, close(1e-14), PARALLEL),
        row("csc @ x, 1e7 stored", BY_COLUMNS, vector, close(1e-13), PARALLEL),
        row("csr.T @ x, 1e7 stored", LARGE, lambda lib, d: d.a.T @ d.x, close(1e-13), PARALLEL),
        row("csc @ (n, 8), 1e7 stored", BY_COLUMNS, matrix, close(1e-13), PARALLEL),
        row("csr @ csr, 1e6 stored", small, lambda lib, d: d.a @ d.a, same_matrix, PARALLEL),
        row("csr + csr, 1e6 stored", two_matrices, lambda lib, d: d.a + d.b, same_matrix, PARALLEL),
        row("csr.multiply(csr), 1e6", two_matrices, lambda lib, d: d.a.multiply(d.b), same_matrix, PARALLEL),
        row("csr.maximum(csr), 1e6", two_matrices, lambda lib, d: d.a.maximum(d.b), same_matrix, PARALLEL),
    ]


def _conversions() -> list[LibraryRow]:
    return [
        row(
            "coo to csr, 1e7",
            scattered(MILLION, MANY, "coo"),
            lambda lib, d: d.a.tocsr(),
            same_matrix,
            PARALLEL,
        ),
        row("csr to csc, 1e7", LARGE, lambda lib, d: d.a.tocsc(), same_matrix, PARALLEL),
        row("csc to csr, 1e7", BY_COLUMNS, lambda lib, d: d.a.tocsr(), same_matrix, PARALLEL),
        row("csr.T.tocsr(), 1e7", LARGE, lambda lib, d: d.a.T.tocsr(), same_matrix, PARALLEL),
    ]


def _solvers() -> list[LibraryRow]:
    def solved(lib: Library, d: Any) -> Any:
        return lib.sparse.linalg.spsolve(d.a, d.b)

    return [
        row(
            "cg, 50 iterations, Poisson 1e6",
            poisson(1000, 1000),
            lambda lib, d: lib.sparse.linalg.cg(d.a, d.b, maxiter=50)[0],
            close(1e-9),
            PARALLEL,
        ),
        row("spsolve, Poisson 1e5", poisson(316, 316), solved, close(1e-9)),
        row("spsolve, Poisson 30x30x30", poisson(30, 30, 30), solved, close(1e-9)),
        row("spsolve, unsymmetric 4000, 5 a row", unsymmetric(4000, 5), solved, close(1e-7)),
        row(
            "eigsh of ten, Poisson 1e4",
            poisson(100, 100),
            lambda lib, d: lib.sparse.linalg.eigsh(d.a, k=10, return_eigenvectors=False),
            close(1e-9),
        ),
    ]


def _graphs() -> list[LibraryRow]:
    def components(**asked: Any) -> Callable[[Library, Any], Any]:
        return lambda lib, d: lib.sparse.csgraph.connected_components(d.a, **asked)[1]

    return [
        row("connected_components, 1e7 edges", LARGE, components(directed=False), equal, PARALLEL),
        row("strong components, 1e7 edges", LARGE, components(connection="strong"), same_parts),
    ]


def _geometry() -> list[LibraryRow]:
    """Neighbours, distances and interpolation; SciPy's trees use two threads."""

    def points(*shape: int) -> Callable[[np.random.Generator], dict]:
        return lambda rng: {"x": rng.random(shape)}

    def grid(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"v": rng.random((60, 70, 80)), "x": rng.random((MILLION, 3))}

    def centres(count: int, places: int) -> Callable[[np.random.Generator], dict]:
        return lambda rng: {
            "y": rng.random((count, 2)),
            "d": rng.random(count),
            "x": rng.random((places, 2)),
        }

    def neighbours(lib: Library, d: Any) -> Any:
        return lib.part("spatial").KDTree(d.x).query(d.x, 10, workers=2)[0]

    def on_grid(lib: Library, d: Any) -> Any:
        axes = tuple(lib.xp.linspace(0, 1, n) for n in d.v.shape)
        return lib.part("interpolate").RegularGridInterpolator(axes, d.v)(d.x)

    def radial(lib: Library, d: Any) -> Any:
        return lib.part("interpolate").RBFInterpolator(d.y, d.d)(d.x)

    return [
        row("KDTree and 10 neighbours, 1e5 x 3", points(100_000, 3), neighbours, close(1e-12)),
        row("KDTree and 10 neighbours, 1e6 x 3", points(MILLION, 3), neighbours, close(1e-12)),
        row(
            "cdist 1e4 x 1e4, 3 coordinates",
            points(10_000, 3),
            lambda lib, d: lib.part("spatial.distance").cdist(d.x, d.x),
            close(1e-12),
            PARALLEL,
        ),
        row(
            "Delaunay 1e5 points",
            points(100_000, 2),
            lambda lib, d: lib.part("spatial").Delaunay(d.x).simplices,
            same_triangles,
        ),
        row("RegularGridInterpolator 1e6 points, 60x70x80", grid, on_grid, close(1e-12), PARALLEL),
        row("RBFInterpolator 1e3 centres, 1e5 points", centres(1000, 100_000), radial, close(1e-6)),
        row("RBFInterpolator 1e4 centres, 1e4 points", centres(10_000, 10_000), radial, close(1e-5)),
    ]


SPARSE_ROWS: list[LibraryRow] = [
    *_products(),
    *_conversions(),
    *_solvers(),
    *_graphs(),
    *_geometry(),
]

"""Sparse LU factors: ordering, factorisation and triangular solutions, as kernels of both devices.

`factorise` is the one place that makes factors, `solve_triangle` the one that uses them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import cuprum as cp

from ...._core import ndarray
from .._kernels import c_name, kernel

_LANES = 128
_GRAPH = np.dtype([("n", "i4"), ("capacity", "i8")], align=True)
_OPTIONS = np.dtype(
    [
        ("n", "i8"),
        ("lower_room", "i8"),
        ("upper_room", "i8"),
        ("threshold", "f8"),
        ("drop", "f8"),
        ("fill", "f8"),
    ],
    align=True,
)


class SingularError(RuntimeError):
    """No pivot was found."""


class Factors(NamedTuple):
    """``P A Q = L U``: triangles in compressed columns, positions of rows and columns."""

    lower: Any
    upper: Any
    rows: ndarray
    columns: ndarray


def _lanes(array: ndarray) -> int:
    """Return how many threads work on a column: a CPU has one core for it."""
    return 1 if array.device == "cpu" else _LANES


def minimum_degree(pattern: Any) -> ndarray:
    """Return the order in which to eliminate the unknowns of a symmetric pattern in compressed rows."""
    n = pattern.shape[0]
    coo = pattern.tocoo()
    row, col = coo.row, coo.col
    degrees = cp.bincount(row, minlength=n)
    # Rows that are nearly full come last: they would make each step look at all unknowns.
    dense = degrees > 16 + 10 * int(np.sqrt(n))
    keep = (row != col) & ~dense[row] & ~dense[col]
    row, col = row[keep], col[keep]
    start = cp.zeros(n + 1, np.int32)
    start[1:] = cp.cumsum(cp.bincount(row, minlength=n))
    graph = np.zeros((), _GRAPH)
    graph["n"], graph["capacity"] = n, 2 * row.size + n
    pool = cp.empty(int(graph["capacity"]) + 1, np.int32)
    work, order = cp.empty(12 * n + 1, np.int32), cp.empty(n, np.int32)
    arguments = (start, col.astype(np.int32), pool, work, order, graph[()])
    kernel("linalg/ordering", "minimum_degree")((1,), (1,), arguments)
    last = dense[order]
    return cp.concatenate((order[~last], order[last]))


def is_symmetric(csc: Any) -> bool:
    """Return whether a pattern is symmetric in most of its entries, and has most of its diagonal."""
    n = csc.shape[0]
    key, turned = csc._key(), cp.sort(csc.indices.astype(np.int64) * n + csc._lines())
    at = cp.minimum(cp.searchsorted(key, turned), max(key.size - 1, 0))
    shared, diagonal = cp.count_nonzero(key[at] == turned), cp.count_nonzero(csc.indices == csc._lines())
    return bool(int(shared) > 0.8 * key.size and int(diagonal) > 0.9 * n)


def symmetric_order(pattern: Any) -> ndarray:
    """Return the order in which to eliminate the unknowns of the pattern of ``A + A^T``."""
    return minimum_degree((pattern.T.tocsc() + pattern).T)


def column_order(csc: Any, permc_spec: str) -> tuple[ndarray, bool]:
    """Return the order of columns that a name stands for, and whether it expects pivots on the diagonal."""
    n = csc.shape[0]
    if permc_spec == "NATURAL" or csc.nnz == 0:
        return cp.arange(n, dtype=np.int32), False
    pattern = csc._with_data(cp.ones(csc.nnz, np.int8))
    if permc_spec == "MMD_AT_PLUS_A" or permc_spec == "COLAMD" and is_symmetric(csc):
        return symmetric_order(pattern), permc_spec == "COLAMD"
    # Columns that share a row may fill each other. Rows that are nearly full would join all: not counted.
    counts = cp.bincount(csc.indices, minlength=n)
    kept = pattern._kept(counts[csc.indices] <= 16 + 10 * int(np.sqrt(n))).astype(bool)
    return minimum_degree((kept.T @ kept).tocsr()), False


def factorise(
    csc: Any, permc_spec: str, threshold: float | None, drop: float = -1.0, fill: float = 0.0
) -> Factors:
    """Return the factors of a square matrix in compressed columns with rising indices.

    Raises
    ------
    SingularError
        Where a column has no pivot.
    """
    n, dtype = csc.shape[0], csc.dtype
    order, diagonal = column_order(csc, permc_spec)
    # Where the order counts on the diagonal, a tenth of the largest entry is enough for it.
    if threshold is None:
        threshold = 0.1 if diagonal else 1.0
    index = np.dtype(np.int32)
    lanes = _lanes(csc.data)
    options = np.zeros((), _OPTIONS)
    room = 4 * csc.nnz + 2 * n + 64
    options["n"], options["threshold"], options["drop"] = n, threshold, drop
    options["fill"] = fill * csc.nnz / max(n, 1)
    lower_start, upper_start = cp.zeros(n + 1, np.int64), cp.zeros(n + 1, np.int64)
    parts = {name: [cp.empty(room, index), cp.empty(room, dtype)] for name in ("lower", "upper")}
    position = cp.full(n, -1, index)
    scratch = (cp.zeros(n, dtype), cp.empty(n, index), cp.zeros(n, index), cp.empty(n + 1, index))
    place, pruned, progress = cp.empty(n + 1, np.int64), cp.full(n, -1, np.int64), cp.zeros(4, np.int64)
    run = kernel("linalg/lu", f"factor<{c_name(dtype)}, {c_name(index)}, {lanes}>")
    starts, rows = csc.indptr.astype(index, copy=False), csc.indices.astype(index, copy=False)
    values = cp.ascontiguousarray(csc.data)
    while True:
        options["lower_room"], options["upper_room"] = (parts[name][0].size for name in ("lower", "upper"))
        arguments = (
            starts, rows, values, order, lower_start, *parts["lower"], upper_start, *parts["upper"], position,
            *scratch, place, pruned, progress, options[()],
        )  # fmt: skip
        run((1,), (lanes,), arguments)
        _, lower, upper, status = progress.tolist()
        if status == 0:
            break
        if status == 2:
            raise SingularError("Factor is exactly singular")
        for name in ("lower", "upper"):
            parts[name] = [
                cp.concatenate((part, cp.empty(part.size + n, part.dtype))) for part in parts[name]
            ]
    kept = [[part[:size] for part in parts[name]] for name, size in (("lower", lower), ("upper", upper))]
    columns = cp.empty(n, index)
    columns[order] = cp.arange(n, dtype=index)
    return Factors(
        _triangle(csc, position[kept[0][0]], kept[0][1], lower_start, is_lower=True),
        _triangle(csc, kept[1][0], kept[1][1], upper_start, is_lower=False),
        position,
        columns,
    )


def _triangle(csc: Any, rows: ndarray, values: ndarray, start: ndarray, is_lower: bool) -> Any:
    """Return a factor with rising indices; L with its ones."""
    n = csc.shape[0]
    columns = cp.repeat(cp.arange(n), cp.diff(start))
    if is_lower:
        ones = cp.arange(n, dtype=rows.dtype)
        rows, columns = cp.concatenate((ones, rows)), cp.concatenate((ones.astype(np.int64), columns))
        values = cp.concatenate((cp.ones(n, values.dtype), values))
    order = cp.argsort(columns.astype(np.int64) * max(n, 1) + rows)
    return csc._as("csc")._of_sorted(values[order], columns[order], rows[order], (n, n))


def solve_triangle(csc: Any, b: ndarray, lower: bool, unit: bool) -> ndarray:
    """Return the solution of a triangular system in compressed columns, of one right side or several."""
    n = csc.shape[0]
    dtype = np.dtype(b.dtype)
    x = cp.array(b.reshape(n, -1).T, order="C")
    if x.size:
        lanes = _lanes(x)
        flags = f"{'true' if lower else 'false'}, {'true' if unit else 'false'}"
        run = kernel(
            "linalg/lu", f"solve_triangle<{c_name(dtype)}, {c_name(csc.indices.dtype)}, {lanes}, {flags}>"
        )
        diagonal = cp.zeros(1, dtype) if unit else csc.diagonal().astype(dtype)
        values = cp.ascontiguousarray(csc.data.astype(dtype, copy=False))
        arguments = (csc.indptr, csc.indices, values, diagonal, x, np.int64(n))
        run((int(x.shape[0]),), (lanes,), arguments)
    return cp.ascontiguousarray(x.T).reshape(b.shape)

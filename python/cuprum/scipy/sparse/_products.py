"""Products of sparse matrices in compressed rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray, sparse_matmul, sparse_product, sparse_transposed_product
from ._index import get_index_dtype
from ._kernels import THREADS, blocks_of, c_name, kernel

# Products of elements that a warp of a GPU sorts for a row, and how many warps a block has.
_MAX_PAIRS = 512
_WARPS = 4
# Elements of a row, on average, up to which threads of a GPU add to the row's sum one after the other.
_MAX_SHARED = 2048


def _parts(csr: Any, kind: np.dtype[Any]) -> tuple[ndarray, ndarray, ndarray]:
    return csr.indptr, csr.indices, cp.ascontiguousarray(csr.data.astype(kind, copy=False))


def _common(matrix: Any, x: ndarray) -> np.dtype[Any]:
    """Return the dtype of a product."""
    # What a product of few elements takes is soon more than the product itself.
    kind = matrix.dtype
    return kind if kind == x.dtype else np.dtype(np.result_type(kind, x.dtype))


def _types(csr: Any, kind: np.dtype[Any]) -> str:
    return f"{c_name(kind)}, {c_name(csr.indices.dtype)}"


def times_vector(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a vector."""
    return times_matrix(csr, x[:, None])[:, 0]


def suits_columns(csc: Any) -> bool:
    """Return whether columns are to be added to a product with a vector as they are.

    Many threads of a GPU that add to one element wait for each other: rows are sooner put in order then.
    """
    return bool(csc.data.device == "cpu" or csc.nnz <= _MAX_SHARED * csc.shape[0])


def columns_times_vector(csc: Any, x: ndarray) -> ndarray:
    """Return the product of a matrix in compressed columns with a vector."""
    kind = _common(csc, x)
    starts, rows, values = _parts(csc, kind)
    return sparse_transposed_product(starts, rows, values, x.astype(kind, copy=False), csc.shape[0])


def times_matrix(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a dense matrix."""
    kind = _common(csr, x)
    starts, columns, values = _parts(csr, kind)
    return sparse_product(starts, columns, values, x.astype(kind, copy=False))


def times_sparse(a: Any, b: Any) -> Any:
    """Return the product of two sparse matrices in compressed rows."""
    if a.data.device == "cpu":
        sides = [(m.indptr, m.indices, m.data) for m in (a, b)]
        start, column, value = sparse_matmul(sides[0], sides[1], b.shape[1])
        return a._as("csr")._made(value, column, start, (a.shape[0], b.shape[1]))
    kind = np.dtype(np.result_type(a.dtype, b.dtype))
    index = np.dtype(np.int64 if np.int64 in (a.indices.dtype, b.indices.dtype) else np.int32)
    parts = [(m.indptr.astype(index, copy=False), m.indices.astype(index, copy=False)) for m in (a, b)]
    values = [cp.ascontiguousarray(m.data.astype(kind, copy=False)) for m in (a, b)]
    if not a.nnz or not b.nnz:
        return _all_products(a, b, parts, values)
    sorted_rows = _by_warps(a, b.shape[1], parts, values)
    return _all_products(a, b, parts, values) if sorted_rows is None else sorted_rows


def _pairs(a: Any, parts: list[Any]) -> ndarray:
    """Return how many products of elements make up each row of a product."""
    rows, index = a.shape[0], parts[0][0].dtype
    pairs = cp.empty(rows, np.int64)
    arguments = (*parts[0], parts[1][0], pairs, np.int64(rows))
    kernel("sparse", f"count_pairs<{c_name(index)}>")(blocks_of(rows), (THREADS,), arguments)
    return pairs


def _closed(room: ndarray, count: ndarray, column: ndarray, value: ndarray) -> tuple[ndarray, ndarray]:
    """Return the elements of rows one after the other, where each row has room for more."""
    rows, kind = count.size, value.dtype
    start = cp.zeros(rows + 1, np.int64)
    start[1:] = cp.cumsum(count)
    stored = int(start[-1])
    if stored == column.size:
        return column, value
    index = column.dtype
    to = (cp.empty(stored, index), cp.empty(stored, kind))
    arguments = (room, start, column, value, *to, np.int64(rows))
    grid, threads = (-(-rows // _WARPS),), (32 * _WARPS,)
    kernel("sparse", f"close_gaps<{c_name(kind)}, {c_name(index)}>")(grid, threads, arguments)
    return to


def _by_warps(a: Any, columns: int, parts: list[Any], values: list[ndarray]) -> Any:
    """Return the product whose rows are sorted by one warp each; None where a row has too many products."""
    rows, index, kind = a.shape[0], parts[0][0].dtype, values[0].dtype
    pairs = _pairs(a, parts)
    ends = cp.cumsum(pairs)
    total, longest = cp.stack((ends[-1], pairs.max())).tolist()
    if longest > _MAX_PAIRS:
        return None
    capacity = next(size for size in (64, 128, 256, _MAX_PAIRS) if longest <= size)
    room, count = ends - pairs, cp.empty(rows, np.int64)
    column, value = cp.empty(total, index), cp.empty(total, kind)
    types = f"{c_name(kind)}, {c_name(index)}"
    arguments = (*parts[0], values[0], *parts[1], values[1], room, column, value, count, np.int64(rows))
    grid, threads = (-(-rows // _WARPS),), (32 * _WARPS,)
    kernel("sparse", f"sum_sorted_pairs<{types}, {capacity}>")(grid, threads, arguments)
    column, value = _closed(room, count, column, value)
    wide = np.dtype(get_index_dtype((parts[0][0], parts[1][0]), maxval=max(rows, columns, value.size)))
    start = cp.zeros(rows + 1, wide)
    start[1:] = cp.cumsum(count)
    return a._as("csr")._made(value, column.astype(wide, copy=False), start, (rows, columns), True)


def _all_products(a: Any, b: Any, parts: list[Any], values: list[ndarray]) -> Any:
    """Return the product by all products of elements, those of one place added up."""
    shape = (a.shape[0], b.shape[1])
    coo, index, kind = a._as("coo"), parts[0][0].dtype, values[0].dtype
    counts = cp.diff(b.indptr).astype(np.int64)[a.indices] if a.nnz else cp.zeros(0, np.int64)
    ends = cp.cumsum(counts)
    total = int(ends[-1]) if counts.size else 0
    if total == 0:
        empty = cp.zeros(0, np.int64)
        return _indexed(coo._made(cp.zeros(0, kind), empty, empty, shape, True).tocsr(), index)
    left = cp.repeat(cp.arange(a.nnz), counts)
    key, product = cp.empty(total, np.int64), cp.empty(total, kind)
    arguments = (
        left, ends - counts, parts[0][1], values[0], a._lines().astype(np.int64), *parts[1], values[1], key,
        product, np.int64(shape[1]), np.int64(total),
    )  # fmt: skip
    name = f"expand_products<{c_name(kind)}, {c_name(index)}>"
    kernel("sparse", name)(blocks_of(total), (THREADS,), arguments)
    row, col = cp.divmod(key, shape[1])
    return _indexed(coo._made(product, row, col, shape).tocsr(), index)


def _indexed(csr: Any, index: np.dtype[Any]) -> Any:
    """Return a matrix whose indices are at least as wide as a dtype."""
    csr.indices, csr.indptr = (
        part.astype(np.promote_types(part.dtype, index), copy=False) for part in (csr.indices, csr.indptr)
    )
    return csr

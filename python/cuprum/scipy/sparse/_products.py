"""Products of sparse matrices in compressed rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray, sparse_product
from ._index import get_index_dtype
from ._kernels import THREADS, blocks_of, c_name, kernel

# Scratch memory of products on a CPU, in numbers.
_MAX_SCRATCH = 1 << 24
# Products of elements that a warp of a GPU sorts for a row, and how many warps a block has.
_MAX_PAIRS = 512
_WARPS = 4


def _parts(csr: Any, kind: np.dtype[Any]) -> tuple[ndarray, ndarray, ndarray]:
    return csr.indptr, csr.indices, cp.ascontiguousarray(csr.data.astype(kind, copy=False))


def _types(csr: Any, kind: np.dtype[Any]) -> str:
    return f"{c_name(kind)}, {c_name(csr.indices.dtype)}"


def times_vector(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a vector."""
    return times_matrix(csr, x[:, None])[:, 0]


def columns_times_vector(csc: Any, x: ndarray) -> ndarray:
    """Return the product of a matrix in compressed columns with a vector, on a CPU."""
    kind = np.dtype(np.result_type(csc.dtype, x.dtype))
    y = cp.zeros(csc.shape[0], kind)
    if csc.nnz:
        x = cp.ascontiguousarray(x.astype(kind, copy=False))
        arguments = (*_parts(csc, kind), x, y, np.int64(csc.shape[1]))
        kernel("sparse", f"multiply_vector_columns<{_types(csc, kind)}>")((1,), (1,), arguments)
    return y


def times_matrix(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a dense matrix."""
    kind = np.dtype(np.result_type(csr.dtype, x.dtype))
    starts, columns, values = _parts(csr, kind)
    return sparse_product(starts, columns, values, x.astype(kind, copy=False))


def times_sparse(a: Any, b: Any) -> Any:
    """Return the product of two sparse matrices in compressed rows."""
    kind = np.dtype(np.result_type(a.dtype, b.dtype))
    index = np.dtype(np.int64 if np.int64 in (a.indices.dtype, b.indices.dtype) else np.int32)
    parts = [(m.indptr.astype(index, copy=False), m.indices.astype(index, copy=False)) for m in (a, b)]
    values = [cp.ascontiguousarray(m.data.astype(kind, copy=False)) for m in (a, b)]
    if not a.nnz or not b.nnz:
        return _all_products(a, b, parts, values)
    if a.data.device == "cpu":
        return _row_by_row(a, b.shape[1], parts, values)
    sorted_rows = _by_warps(a, b.shape[1], parts, values)
    return _all_products(a, b, parts, values) if sorted_rows is None else sorted_rows


def _row_by_row(a: Any, columns: int, parts: list[Any], values: list[ndarray]) -> Any:
    """Return the product by rows: a core keeps a row's sums for all columns."""
    rows = a.shape[0]
    index, kind = parts[0][0].dtype, values[0].dtype
    blocks = max(1, min(rows, 16, _MAX_SCRATCH // columns))
    each = -(-rows // blocks)
    blocks = -(-rows // each)
    types = f"{c_name(kind)}, {c_name(index)}"
    sizes = (np.int64(rows), np.int64(columns), np.int64(each))
    mark, count = cp.full(blocks * columns, -1, np.int64), cp.empty(rows, np.int64)
    arguments = (*parts[0], *parts[1], mark, count, *sizes)
    kernel("sparse", f"count_products<{types}>")((blocks,), (1,), arguments)
    ends = cp.cumsum(count)
    total = int(ends[-1])
    wide = np.dtype(get_index_dtype((parts[0][0], parts[1][0]), maxval=max(rows, columns, total)))
    if wide != index:
        parts = [tuple(part.astype(wide) for part in pair) for pair in parts]
        types = f"{c_name(kind)}, {c_name(wide)}"
    start = cp.zeros(rows + 1, wide)
    start[1:] = ends
    column, value = cp.empty(total, wide), cp.empty(total, kind)
    mark.fill(-1)
    arguments = (
        *parts[0], values[0], *parts[1], values[1], mark, cp.empty(blocks * columns, kind), start, column,
        value, *sizes,
    )  # fmt: skip
    kernel("sparse", f"fill_products<{types}>")((blocks,), (1,), arguments)
    return a._as("csr")._made(value, column, start, (rows, columns))


def _by_warps(a: Any, columns: int, parts: list[Any], values: list[ndarray]) -> Any:
    """Return the product whose rows are sorted by one warp each; None where a row has too many products."""
    rows, index, kind = a.shape[0], parts[0][0].dtype, values[0].dtype
    pairs = cp.empty(rows, np.int64)
    arguments = (*parts[0], parts[1][0], pairs, np.int64(rows))
    kernel("sparse", f"count_pairs<{c_name(index)}>")(blocks_of(rows), (THREADS,), arguments)
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
    ends = cp.cumsum(count)
    stored = int(ends[-1])
    wide = np.dtype(get_index_dtype((parts[0][0], parts[1][0]), maxval=max(rows, columns, stored)))
    start = cp.zeros(rows + 1, wide)
    start[1:] = ends
    if wide != index:
        column = column.astype(wide)
        types = f"{c_name(kind)}, {c_name(wide)}"
    if stored < total:
        arguments = (
            room,
            start,
            column,
            value,
            cp.empty(stored, wide),
            cp.empty(stored, kind),
            np.int64(rows),
        )
        kernel("sparse", f"close_gaps<{types}>")(grid, threads, arguments)
        column, value = arguments[4], arguments[5]
    return a._as("csr")._made(value, column, start, (rows, columns), True)


def _all_products(a: Any, b: Any, parts: list[Any], values: list[ndarray]) -> Any:
    """Return the product by all products of elements, those of one place added up."""
    shape = (a.shape[0], b.shape[1])
    coo, index, kind = a._as("coo"), parts[0][0].dtype, values[0].dtype
    counts = cp.diff(b.indptr).astype(np.int64)[a.indices] if a.nnz else cp.zeros(0, np.int64)
    ends = cp.cumsum(counts)
    total = int(ends[-1]) if counts.size else 0
    if total == 0:
        empty = cp.zeros(0, np.int64)
        return coo._made(cp.zeros(0, kind), empty, empty, shape, True).tocsr()
    left = cp.repeat(cp.arange(a.nnz), counts)
    key, product = cp.empty(total, np.int64), cp.empty(total, kind)
    arguments = (
        left, ends - counts, parts[0][1], values[0], a._lines().astype(np.int64), *parts[1], values[1], key,
        product, np.int64(shape[1]), np.int64(total),
    )  # fmt: skip
    name = f"expand_products<{c_name(kind)}, {c_name(index)}>"
    kernel("sparse", name)(blocks_of(total), (THREADS,), arguments)
    row, col = cp.divmod(key, shape[1])
    return coo._made(product, row, col, shape).tocsr()

"""Products of sparse matrices in compressed rows."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._kernels import RawKernel

_THREADS = 256
_C_NAMES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
    "complex64": "Complex<float>",
    "complex128": "Complex<double>",
}


@lru_cache(maxsize=1)
def _text() -> str:
    return (Path(__file__).parent / "sparse.cuh").read_text()


@lru_cache(maxsize=256)
def _kernel(name: str) -> RawKernel:
    return RawKernel(_text(), name, options=("--std=c++17", "--fmad=false"))


def _parts(csr: Any, kind: np.dtype[Any]) -> tuple[ndarray, ndarray, ndarray]:
    return csr.indptr, csr.indices, cp.ascontiguousarray(csr.data.astype(kind, copy=False))


def _types(csr: Any, kind: np.dtype[Any]) -> str:
    return f"{_C_NAMES[kind.name]}, {_C_NAMES[np.dtype(csr.indices.dtype).name]}"


def _as_bytes(*arrays: ndarray) -> tuple[Any, ...]:
    """Return complex arrays as pairs of real numbers, which kernels take for their own struct."""
    return tuple(array.view(array.real.dtype) if array.dtype.kind == "c" else array for array in arrays)


def times_vector(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a vector."""
    kind = np.dtype(np.result_type(csr.dtype, x.dtype))
    rows = csr.shape[0]
    y = cp.zeros(rows, kind)
    if rows == 0 or csr.nnz == 0:
        return y
    starts, columns, values = _parts(csr, kind)
    x = cp.ascontiguousarray(x.astype(kind, copy=False))
    arguments = (starts, columns, *_struct(values, x, y), np.int64(rows))
    mean = csr.nnz / rows
    if x.device == "cpu" or mean < 4:
        _kernel(f"multiply_vector<{_types(csr, kind)}>")((-(-rows // _THREADS),), (_THREADS,), arguments)
        return y
    lanes = 4 if mean < 16 else 8 if mean < 32 else 32
    grid = (-(-rows * lanes // _THREADS),)
    _kernel(f"multiply_vector_shared<{_types(csr, kind)}, {lanes}>")(grid, (_THREADS,), arguments)
    return y


def times_matrix(csr: Any, x: ndarray) -> ndarray:
    """Return the product with a dense matrix."""
    kind = np.dtype(np.result_type(csr.dtype, x.dtype))
    rows, columns = csr.shape[0], x.shape[1]
    y = cp.zeros((rows, columns), kind)
    if y.size == 0 or csr.nnz == 0:
        return y
    starts, at, values = _parts(csr, kind)
    x = cp.ascontiguousarray(x.astype(kind, copy=False))
    threads = min(_THREADS, max(32, 1 << (columns - 1).bit_length()))
    grid = (-(-columns // threads), min(rows, 65535))
    arguments = (starts, at, *_struct(values, x, y), np.int64(rows), np.int64(columns))
    _kernel(f"multiply_matrix<{_types(csr, kind)}>")(grid, (threads,), arguments)
    return y


def times_sparse(a: Any, b: Any) -> Any:
    """Return the product of two sparse matrices: all products of elements, those of one place added up."""
    kind = np.dtype(np.result_type(a.dtype, b.dtype))
    shape = (a.shape[0], b.shape[1])
    coo = a._as("coo")
    index = np.dtype(np.int64 if np.int64 in (a.indices.dtype, b.indices.dtype) else np.int32)
    columns, starts = a.indices.astype(index, copy=False), b.indptr.astype(index, copy=False)
    counts = cp.diff(b.indptr).astype(np.int64)[a.indices] if a.nnz else cp.zeros(0, np.int64)
    ends = cp.cumsum(counts)
    total = int(ends[-1]) if counts.size else 0
    if total == 0:
        empty = cp.zeros(0, np.int64)
        return coo._made(cp.zeros(0, kind), empty, empty, shape, True).tocsr()
    left = cp.repeat(cp.arange(a.nnz), counts)
    key, product = cp.empty(total, np.int64), cp.empty(total, kind)
    values, others = (cp.ascontiguousarray(m.data.astype(kind, copy=False)) for m in (a, b))
    types = f"{_C_NAMES[kind.name]}, {_C_NAMES[index.name]}"
    (value, other_value, out) = _struct(values, others, product)
    arguments = (
        left, ends - counts, columns, value, a._lines().astype(np.int64), starts,
        b.indices.astype(index, copy=False), other_value, key, out, np.int64(shape[1]), np.int64(total),
    )  # fmt: skip
    _kernel(f"expand_products<{types}>")((-(-total // _THREADS),), (_THREADS,), arguments)
    row, col = cp.divmod(key, shape[1])
    return coo._made(product, row, col, shape).tocsr()


def _struct(*arrays: ndarray) -> tuple[ndarray, ...]:
    """Return arrays as kernels take them; complex ones for pointers to a struct of two parts."""
    return arrays

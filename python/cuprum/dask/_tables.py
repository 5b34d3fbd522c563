"""Dask's tables of functions by the class of a chunk: where Cuprum's arrays go."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum

from .._core import ndarray

__all__ = ["register"]


def _refuse_masked(op: str, *operands: Any) -> None:
    """Raise for masked arrays: taken as plain ones they would lose their masks without a word."""
    if any(isinstance(operand, np.ma.MaskedArray) for operand in operands):
        raise TypeError(
            f"{op}: a masked array cannot be joined with Cuprum's, which have no masks: fill it first "
            "(da.ma.filled), or keep both in NumPy (to_backend('numpy'))"
        )


def _concatenate(arrays: Sequence[Any], axis: int = 0) -> ndarray:
    _refuse_masked("concatenate", *arrays)
    return cuprum.concatenate(arrays, axis=axis)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    _refuse_masked("tensordot", a, b)
    return cuprum.tensordot(a, b, axes=axes)


def _einsum(*operands: Any, **kwargs: Any) -> ndarray:
    _refuse_masked("einsum", *operands)
    return cuprum.einsum(*operands, **kwargs)


def _divide(a: Any, b: Any, dtype: Any = None) -> ndarray:
    _refuse_masked("divide", a, b)
    quotient = cuprum.divide(a, b)
    return quotient if dtype is None or quotient.dtype == dtype else quotient.astype(dtype)


def _percentile(a: ndarray, q: Any, method: str = "linear") -> tuple[ndarray | None, int]:
    """Return the percentiles of a chunk and its length, as Dask merges them."""
    count = len(a)
    if not count:
        return None, 0
    if a.dtype.kind == "b":  # there are no means between truth values
        method = "nearest"
    return cuprum.percentile(a, cuprum.asarray(list(q) if np.iterable(q) else q), method=method), count


def _numel(x: ndarray, **kwargs: Any) -> Any:
    """Return the number of elements along some axes, in the shape of a reduction over them."""
    axis, keepdims = kwargs.get("axis"), kwargs.get("keepdims", False)
    dtype = kwargs.get("dtype", np.float64)
    axes = range(x.ndim) if axis is None else [axis] if not np.iterable(axis) else list(axis)
    reduced = {one % x.ndim for one in axes} if x.ndim else set()
    count = math.prod(x.shape[one] for one in reduced)
    shape = tuple(
        1 if one in reduced else n for one, n in enumerate(x.shape) if keepdims or one not in reduced
    )
    return cuprum.full(shape, count, dtype=dtype)


def _nannumel(x: ndarray, **kwargs: Any) -> ndarray:
    return cuprum.sum(~cuprum.isnan(x), **kwargs)


def _to_numpy(a: ndarray, **kwargs: Any) -> Any:
    return cuprum.asnumpy(a, **kwargs)


def _to_cuprum(a: Any, **kwargs: Any) -> ndarray:
    _refuse_masked("to_backend", a)
    return cuprum.asarray(a, **kwargs)


def _to_cupy(a: ndarray, **kwargs: Any) -> Any:
    """Return an array of whatever `cupy` is: CuPy's, or under `cuprum run` Cuprum's own."""
    return importlib.import_module("cupy").asarray(a, **kwargs)


@functools.lru_cache(maxsize=1)
def to_cuprum_dispatch() -> Any:
    """Return the table of functions that make Cuprum's arrays of other libraries' chunks."""
    table = importlib.import_module("dask.utils").Dispatch("to_cuprum_dispatch")
    table.register((object, ndarray), _to_cuprum)
    return table


def rechunk_by_tasks(chunk: ndarray) -> None:
    """Make tasks the method by which Dask cuts chunks anew, if they are a GPU's and nobody has chosen one.

    Its other method, ``"p2p"``, puts chunks into files and reads them as memory of the host's.
    """
    config = importlib.import_module("dask.config")
    if chunk.device != "cpu" and config.get("array.rechunk.method", None) is None:
        config.set({"array.rechunk.method": "tasks"})


def register() -> None:
    """Tell `dask.array`: functions, chunk types, the backend of this name."""
    tables = importlib.import_module("dask.array.dispatch")
    tables.concatenate_lookup.register(ndarray, _concatenate)
    tables.take_lookup.register(ndarray, cuprum.take)
    tables.tensordot_lookup.register(ndarray, _tensordot)
    tables.einsum_lookup.register(ndarray, _einsum)
    tables.empty_lookup.register(ndarray, cuprum.empty)
    tables.divide_lookup.register(ndarray, _divide)
    tables.percentile_lookup.register(ndarray, _percentile)
    tables.numel_lookup.register(ndarray, _numel)
    tables.nannumel_lookup.register(ndarray, _nannumel)
    tables.to_numpy_dispatch.register(ndarray, _to_numpy)
    tables.to_cupy_dispatch.register(ndarray, _to_cupy)
    for table in (tables.concatenate_lookup, tables.tensordot_lookup, tables.take_lookup):
        # The dense class is in the tables already, so this is for the sparse ones, when one is seen.
        table.register_lazy("cuprum", _register_sparse)
    importlib.import_module("dask.array.chunk_types").register_chunk_type(ndarray)
    importlib.import_module("cuprum.dask._by_name").register()
    backend = importlib.import_module("cuprum.dask._backend")
    creation = importlib.import_module("dask.array.backends").array_creation_dispatch
    creation.register_backend("cuprum", backend.CuprumBackendEntrypoint())


def _concatenate_sparse(matrices: Sequence[Any], axis: int = 0) -> Any:
    sparse = importlib.import_module("cuprum.scipy.sparse")
    if axis not in (0, 1):
        raise ValueError(f"concatenate: sparse matrices have axes 0 and 1, got axis {axis}")
    return sparse.hstack(matrices) if axis else sparse.vstack(matrices)


def _tensordot_sparse(a: Any, b: Any, axes: Any) -> Any:
    try:
        (of_a,), (of_b,) = axes
    except (TypeError, ValueError):
        raise ValueError(f"tensordot: sparse matrices are summed over one axis each, got {axes!r}") from None
    left = a if of_a in (1, -1) else a.T
    return left @ (b if of_b in (0, -2) else b.T)


def _take_sparse(matrix: Any, indices: Any, axis: int = 0) -> Any:
    if axis not in (0, 1):
        raise ValueError(f"take: sparse matrices have axes 0 and 1, got axis {axis}")
    return matrix[:, indices] if axis else matrix[indices, :]


def _register_sparse() -> None:
    sparse = importlib.import_module("cuprum.scipy.sparse")
    tables = importlib.import_module("dask.array.dispatch")
    chunk_types = importlib.import_module("dask.array.chunk_types")
    for kind in (sparse.spmatrix, sparse.sparray):
        tables.concatenate_lookup.register(kind, _concatenate_sparse)
        tables.tensordot_lookup.register(kind, _tensordot_sparse)
        tables.take_lookup.register(kind, _take_sparse)
        chunk_types.register_chunk_type(kind)

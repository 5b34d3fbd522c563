"""Index arrays of sparse matrices: their dtypes, and checks of what a caller gives."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray

_INT32 = np.iinfo(np.int32).max


def get_index_dtype(
    arrays: Any = (), maxval: Any = None, check_contents: bool = False
) -> type[np.signedinteger[Any]]:
    """Return the integer dtype that holds the indices of some arrays.

    Parameters
    ----------
    arrays : array_like or tuple of array_like, optional
        Index arrays.
    maxval : int, optional
        The largest value that is needed.
    check_contents : bool, optional
        Whether to look at the values of arrays of 64-bit integers.

    Returns
    -------
    type
        `numpy.int32` where that is enough, else `numpy.int64`.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.get_index_dtype(maxval=2**40).__name__
    'int64'
    """
    if maxval is not None and maxval > _INT32:
        return np.int64
    if isinstance(arrays, (ndarray, np.ndarray)):
        arrays = (arrays,)
    for array in arrays:
        if np.can_cast(array.dtype, np.int32):
            continue
        if check_contents:
            if array.size == 0:
                continue
            if array.dtype.kind in "iu" and int(array.max()) <= _INT32 and int(array.min()) >= -_INT32 - 1:
                continue
        return np.int64
    return np.int32


def safely_cast_index_arrays(A: Any, idx_dtype: Any = np.int32, msg: str = "") -> Any:
    """Return the index arrays of a sparse matrix in a dtype, if it holds them.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    idx_dtype : dtype, optional
        The dtype.
    msg : str, optional
        What to say where it is too small.

    Returns
    -------
    tuple of ndarray
        The index arrays.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> indices, indptr = sparse.safely_cast_index_arrays(sparse.eye(3, format="csr"), "int64")
    >>> indices
    array([0, 1, 2])
    """
    largest = np.iinfo(idx_dtype).max
    if A.format == "dia":
        parts: tuple[ndarray, ...] = (A.offsets,)
    elif A.format == "coo":
        parts = (A.row, A.col)
    else:
        parts = (A.indices, A.indptr)
    if max(*A.shape, A.nnz) > largest:
        raise ValueError(f"{msg or 'index values too large for ' + np.dtype(idx_dtype).name}")
    return tuple(part.astype(idx_dtype, copy=False) for part in parts)


def check_shape(shape: Any) -> tuple[int, int]:
    """Return a shape of two axes, neither of which is negative."""
    try:
        sizes = tuple(int(np.asarray(n).item()) if not isinstance(n, int) else n for n in shape)
    except TypeError:
        raise TypeError(f"invalid shape: {shape!r}") from None
    if len(sizes) != 2:
        raise ValueError(f"shape must have two axes, got {sizes}")
    if min(sizes) < 0:
        raise ValueError(f"'shape' elements cannot be negative, got {sizes}")
    return sizes[0], sizes[1]


def check_length(shape: Any) -> int:
    """Return the length in a shape of one axis, which is not negative."""
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if len(sizes) != 1:
        raise ValueError(f"shape must have one axis, got {sizes}")
    length = int(np.asarray(sizes[0]).item())
    if length < 0:
        raise ValueError(f"'shape' elements cannot be negative, got {sizes}")
    return length


def value_array(values: Any, copy: bool = False) -> ndarray:
    """Return the elements that a caller gives as an array."""
    if isinstance(values, str):
        raise ValueError(f"sparse matrices hold numbers, got {values!r}")
    return cp.array(values, copy=copy) if isinstance(values, ndarray) else as_array(values)


def index_array(values: Any, name: str) -> ndarray:
    """Return a one-dimensional array of integers."""
    if isinstance(values, str):
        raise ValueError(f"{name} must be integers, got {values!r}")
    array = as_array(values)
    if array.ndim != 1:
        raise ValueError(f"{name} should have one axis, got {array.ndim}")
    if array.size == 0:
        return array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    return array


def check_range(indices: ndarray, size: int, name: str) -> None:
    """Raise where an index lies outside of its axis: kernels do not look."""
    if indices.size == 0:
        return
    low, high = (int(value) for value in cp.stack((indices.min(), indices.max())).tolist())
    if high >= size:
        raise ValueError(f"{name} index {high} exceeds matrix dimension {size}")
    if low < 0:
        raise ValueError(f"negative {name} index found: {low}")


def supported(dtype: Any) -> np.dtype[Any]:
    """Return a dtype that sparse matrices hold."""
    found: np.dtype[Any] = np.dtype(dtype)
    if found.kind not in "biufc" or found.itemsize < 4 and found.kind == "f":
        raise ValueError(
            f"sparse matrices of dtype {found} are not supported: use float32, float64 or integers"
        )
    return found

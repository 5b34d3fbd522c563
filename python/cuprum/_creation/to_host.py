"""Arrays to NumPy, and which module an array belongs to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._convert import is_plain
from .._core import ndarray
from .._dtypes import is_bfloat16
from .._io.progress import Progress, is_shown
from .from_data import asarray

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["asnumpy", "get_array_module"]

_PROGRESS_MIN_BYTES = 1 << 30
"""Arrays of at least this size show the progress of their copy to the host."""


def _with_progress(a: ndarray, stream: Any) -> np.ndarray:
    """Copy an array to NumPy in parts, which a terminal shows."""
    if is_bfloat16(a.dtype):
        return a.get(stream)
    host = np.empty(a.shape, dtype=a.dtype)
    rows = max(1, len(a) * (_PROGRESS_MIN_BYTES // 8) // a.nbytes)
    with Progress("to host", a.nbytes) as progress:
        for start in range(0, len(a), rows):
            part = host[start : start + rows]
            a[start : start + rows].get(stream, out=part)
            progress.advance(part.nbytes)
    return host


def asnumpy(
    a: ArrayLike,
    stream: Any = None,
    order: Literal["C", "F", "A"] = "C",
    out: Any = None,
    blocking: bool = True,
) -> np.ndarray:
    """Copy an array to NumPy.

    Parameters
    ----------
    a : array_like
        A Cuprum array, or anything that NumPy takes.
    stream : cuprum.cuda.Stream, optional
        The stream of a GPU that the copy runs in; the current one by default.
    order : {"C", "F", "A"}, optional
        The memory layout of the result.
    out : numpy.ndarray, optional
        Where to put the elements.
    blocking : bool, optional
        Whether the copy is done on return. One of a GPU that is not is done when the stream is synchronised;
        the result is in page-locked memory.

    Returns
    -------
    numpy.ndarray
        The elements on the host, or `out`.

    Examples
    --------
    >>> type(cp.asnumpy(cp.arange(3))) is np.ndarray
    True
    """
    if is_plain(a):
        if (
            a.nbytes >= _PROGRESS_MIN_BYTES
            and out is None
            and blocking
            and order == "C"
            and a.ndim
            and is_shown()
        ):
            return _with_progress(a, stream)
        return a.get(stream, order, out, blocking)
    if getattr(type(a), "_is_stored", False) or getattr(type(a), "_is_distributed", False):
        elsewhere: Any = a
        host: np.ndarray = elsewhere.get(stream, order, out, blocking)
        return host
    if not hasattr(a, "__array__") and any(
        hasattr(a, name) for name in ("__cuda_array_interface__", "__cupy_get_ndarray__")
    ):
        # NumPy would take such an object for a scalar.
        return asnumpy(asarray(a), stream, order, out, blocking=blocking)
    host = np.asarray(a, order=order)
    if out is None:
        return host
    np.copyto(out, host)
    host = out
    return host


def get_array_module(*args: Any) -> Any:
    """Return the module that the arguments' arrays belong to: `cuprum` or `numpy`.

    Parameters
    ----------
    *args : object
        Arrays and other values.

    Returns
    -------
    module
        `cuprum` where an argument is a Cuprum array, dense or sparse, `numpy` otherwise.

    Examples
    --------
    >>> cp.get_array_module(cp.arange(3)).__name__
    'cuprum'
    >>> cp.get_array_module(np.arange(3), 2.5).__name__
    'numpy'
    """
    # Whoever has a sparse array has imported their module.
    sparse = sys.modules.get("cuprum.scipy.sparse")

    def is_ours(a: Any) -> bool:
        is_dense = isinstance(a, ndarray) or getattr(type(a), "_is_stored", False)
        return is_dense or (sparse is not None and sparse.issparse(a))

    return sys.modules["cuprum"] if any(map(is_ours, args)) else np

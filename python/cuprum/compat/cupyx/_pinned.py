"""NumPy arrays on memory that a GPU could read directly; without one, on memory of the pinned pool."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum

__all__ = ["empty_like_pinned", "empty_pinned", "zeros_like_pinned", "zeros_pinned"]


def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray:
    """Return a NumPy array of uninitialised elements on pinned memory.

    Parameters
    ----------
    shape : int or tuple of ints
        The lengths of the axes.
    dtype : dtype, optional
        The type of the elements.
    order : {'C', 'F'}, optional
        Whether rows or columns lie together in memory.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> cupyx.empty_pinned((2, 3), dtype="float32").shape
    (2, 3)
    """
    if order not in ("C", "F"):
        raise ValueError(f"empty_pinned: order must be 'C' or 'F', got {order!r}")
    lengths = tuple(shape) if np.iterable(shape) else (shape,)
    element = np.dtype(dtype)
    count = math.prod(int(length) for length in lengths)
    memory = cuprum.cuda.alloc_pinned_memory(max(count, 1) * element.itemsize)
    return np.frombuffer(memory, element, count).reshape(lengths, order=order)


def zeros_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray:
    """Return a NumPy array of zeros on pinned memory.

    Parameters
    ----------
    shape : int or tuple of ints
        The lengths of the axes.
    dtype : dtype, optional
        The type of the elements.
    order : {'C', 'F'}, optional
        Whether rows or columns lie together in memory.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> cupyx.zeros_pinned(3)
    array([0., 0., 0.])
    """
    made = empty_pinned(shape, dtype, order)
    made.fill(0)
    return made


def empty_like_pinned(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> np.ndarray:
    """Return a NumPy array of uninitialised elements on pinned memory, shaped as another array.

    Parameters
    ----------
    a : array
        Its shape and dtype are the result's unless others are given.
    dtype : dtype, optional
        The type of the elements.
    order : {'C', 'F', 'A', 'K'}, optional
        Whether rows or columns lie together: 'A' and 'K' follow `a`.
    subok : None, optional
        CuPy's: without effect.
    shape : int or tuple of ints, optional
        The lengths of the axes.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> cupyx.empty_like_pinned(cp.ones((2, 2), dtype="int32")).dtype
    dtype('int32')
    """
    columns = a.flags.f_contiguous and not a.flags.c_contiguous
    kept = "F" if columns and (shape is None or np.ndim(shape) == 0 or len(shape) == a.ndim) else "C"
    return empty_pinned(
        a.shape if shape is None else shape,
        a.dtype if dtype is None else dtype,
        kept if order in ("A", "K") else order,
    )


def zeros_like_pinned(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> np.ndarray:
    """Return a NumPy array of zeros on pinned memory, shaped as another array.

    Parameters
    ----------
    a : array
        Its shape and dtype are the result's unless others are given.
    dtype : dtype, optional
        The type of the elements.
    order : {'C', 'F', 'A', 'K'}, optional
        Whether rows or columns lie together: 'A' and 'K' follow `a`.
    subok : None, optional
        CuPy's: without effect.
    shape : int or tuple of ints, optional
        The lengths of the axes.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> cupyx.zeros_like_pinned(cp.ones((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    made = empty_like_pinned(a, dtype, order, subok, shape)
    made.fill(0)
    return made

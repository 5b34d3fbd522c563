"""NumPy arrays on memory that a GPU could read directly; without one, on memory of the pinned pool."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum
from cuprum._stored._array import refuse_objects

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
    order = "C" if order is None else str(order).upper()
    if order not in ("C", "F"):
        raise ValueError(f"empty_pinned: order must be 'C' or 'F', got {order!r}")
    return _pinned(shape, dtype, order, None)


def _pinned(shape: Any, dtype: Any, order: Any, strides: tuple[int, ...] | None) -> np.ndarray:
    lengths = tuple(shape) if np.iterable(shape) else (shape,)
    element = np.dtype(dtype)
    refuse_objects("empty_pinned", element)
    count = math.prod(int(length) for length in lengths)
    if count == 0:
        return np.empty(lengths, element, order or "C")
    memory = cuprum.cuda.alloc_pinned_memory(count * element.itemsize)
    array: np.ndarray = np.ndarray(lengths, element, memory, strides=strides, order=order)
    return array


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
    if subok is not None:
        raise TypeError("empty_like_pinned: subok is not supported: pinned arrays are plain NumPy arrays")
    lengths = a.shape if shape is None else tuple(shape) if np.iterable(shape) else (shape,)
    element = np.dtype(a.dtype if dtype is None else dtype)
    order = "K" if order is None else str(order).upper()
    if order == "A":
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    if order != "K" or len(lengths) != a.ndim:
        return empty_pinned(lengths, element, "C" if order == "K" else order)
    # Axes lie in memory in the order that they have in `a`, without gaps.
    strides, step = [0] * a.ndim, element.itemsize
    for axis in sorted(reversed(range(a.ndim)), key=lambda axis: abs(a.strides[axis])):
        strides[axis], step = step, step * lengths[axis]
    return _pinned(lengths, element, "C", tuple(strides))


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

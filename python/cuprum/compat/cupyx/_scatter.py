"""CuPy's functions that NumPy has under other names: scattering is `ufunc.at`, `rsqrt` is `1 / sqrt`."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum

__all__ = ["rsqrt", "scatter_add", "scatter_max", "scatter_min"]


def scatter_add(a: Any, slices: Any, value: Any) -> None:
    """Add values to chosen elements of an array; an element that is chosen twice receives both.

    Parameters
    ----------
    a : ndarray
        The array, changed in place.
    slices : index
        Which elements, as in `a[slices]`.
    value : array_like
        What is added, broadcast to the choice.

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> a = cp.zeros(4)
    >>> cupyx.scatter_add(a, cp.array([1, 1, 3]), 2.0)
    >>> a
    array([0., 4., 0., 2.])
    """
    cuprum.add.at(a, slices, value)


def scatter_max(a: Any, slices: Any, value: Any) -> None:
    """Raise chosen elements of an array to values that are larger.

    Parameters
    ----------
    a : ndarray
        The array, changed in place.
    slices : index
        Which elements, as in `a[slices]`.
    value : array_like
        What they are compared with, broadcast to the choice.

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> a = cp.zeros(3)
    >>> cupyx.scatter_max(a, cp.array([0, 0, 2]), cp.array([1.0, 5.0, -1.0]))
    >>> a
    array([5., 0., 0.])
    """
    cuprum.maximum.at(a, slices, value)


def scatter_min(a: Any, slices: Any, value: Any) -> None:
    """Lower chosen elements of an array to values that are smaller.

    Parameters
    ----------
    a : ndarray
        The array, changed in place.
    slices : index
        Which elements, as in `a[slices]`.
    value : array_like
        What they are compared with, broadcast to the choice.

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> a = cp.zeros(3)
    >>> cupyx.scatter_min(a, cp.array([0, 0, 2]), cp.array([1.0, 5.0, -1.0]))
    >>> a
    array([ 0.,  0., -1.])
    """
    cuprum.minimum.at(a, slices, value)


def rsqrt(x: Any, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Return the reciprocals of square roots.

    Parameters
    ----------
    x : array_like
        The numbers.
    out : ndarray, optional
        Where the result goes.
    dtype : dtype, optional
        The dtype of the computation, a float; that of the numbers by default.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Which conversions are allowed.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> cupyx.rsqrt(cp.array([1.0, 4.0]))
    array([1. , 0.5])
    >>> cupyx.rsqrt(cp.array([1, 4]), dtype="float32")
    array([1. , 0.5], dtype=float32)
    """
    # Half precision is rounded once, at the end.
    root = cuprum.sqrt(x, dtype=dtype, casting=casting)
    if root.dtype != np.float16:
        return cuprum.reciprocal(root, out=out, casting=casting)
    found = cuprum.reciprocal(cuprum.sqrt(x, dtype=np.float32, casting="unsafe")).astype(np.float16)
    return found if out is None else cuprum.positive(found, out=out, casting=casting)

"""Functions of NumPy's namespace for arrays of stored dtypes: those that move elements, and order of dates.

A function for plain arrays comes here once the engine has refused its argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from ._array import StoredArray
from ._making import _array, stored_of

__all__ = ["by_method", "chosen", "rearranged", "sorted_copy"]


def by_method(error: TypeError, a: Any, name: str, *arguments: Any, **keywords: Any) -> Any:
    """Return what a stored array's own method gives, or raise what the engine raised."""
    method = getattr(a, name, None) if isinstance(a, StoredArray) else None
    if method is None:
        raise error
    return method(*arguments, **keywords)


def sorted_copy(error: TypeError, a: Any, axis: Any) -> Any:
    """Return dates in order."""
    if not isinstance(a, StoredArray) or not hasattr(a, "sort"):
        raise error
    made: Any = a.flatten() if axis is None else a.copy()
    made.sort(axis=-1 if axis is None else axis)
    return made


def rearranged(error: TypeError, a: Any, run: Callable[[ndarray, Any], ndarray], axis: Any) -> Any:
    """Return elements in other places: `run` moves them along axes of the bytes; all axes when None."""
    if not isinstance(a, StoredArray):
        raise error
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for one in axes:
        if not -a.ndim <= one < a.ndim:
            raise np.exceptions.AxisError(one, a.ndim)
    # A number stands for an axis of elements, never for that of their bytes.
    return a._view(run(a._bytes, tuple(one % a.ndim for one in axes)))


def chosen(error: TypeError, condition: Any, x: Any, y: Any) -> Any:
    """Return elements of one array where a condition holds, and of another elsewhere."""
    if not isinstance(x, StoredArray) and not isinstance(y, StoredArray):
        raise error
    parts = [item if isinstance(item, StoredArray) else _array(item, None, None, None, 0) for item in (x, y)]
    if any(part is None for part in parts):
        raise error
    dtype = np.result_type(*(part.dtype for part in parts))
    mask = _core.array(condition, np.bool_, None, "K")
    ndim = max(mask.ndim, *(part.ndim for part in parts))
    # Axes are added in front of the elements' own, so that bytes lie over bytes.
    data = [part.astype(dtype, copy=False)[(None,) * (ndim - part.ndim)]._bytes for part in parts]
    return stored_of(_core.where(mask[..., None], *data), dtype)

"""Adding elements to arrays and taking them out: copies of another length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, normalize_axes, normalize_axis, with_methods
from .._core import ndarray
from .._creation.to_host import asnumpy
from .._errors import names_itself
from .join import concatenate

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, OrderCF


__all__ = [
    "append",
    "delete",
    "insert",
    "trim_zeros",
]


@names_itself
def append(arr: ArrayLike, values: ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Return an array with values added at its end.

    Parameters
    ----------
    arr : array_like
        The array.
    values : array_like
        What to add.
    axis : int, optional
        The axis along which to add; both are flattened when None.

    Returns
    -------
    ndarray
        The longer array.

    Examples
    --------
    >>> cp.append([1, 2], [[3], [4]])
    array([1, 2, 3, 4])
    """
    if axis is None:
        return concatenate((with_methods(arr).ravel(), with_methods(values).ravel()), 0)
    return concatenate((with_methods(arr), with_methods(values)), axis)


def _along(axis: int, index: Any) -> tuple[Any, ...]:
    """Return the index that applies `index` to one axis and takes all of those before it."""
    return (*(slice(None),) * axis, index)


def _axis_of(op: str, arr: Any, axis: Any) -> tuple[ndarray, int, OrderCF]:
    """Return the array, flattened when no axis is given, the axis, and the order for new arrays like it."""
    arr = as_array(arr)
    order: OrderCF = "F" if arr.flags.f_contiguous and not arr.flags.c_contiguous else "C"
    if axis is None:
        return (arr if arr.ndim == 1 else arr.ravel()), 0, order
    return arr, normalize_axis(op, axis, arr.ndim), order


def _host_indices(op: str, obj: Any, error: type[Exception]) -> np.ndarray:
    """Return index values on the host, where positions in the result are worked out from them."""
    indices = asnumpy(obj)
    if indices.size == 0 and not isinstance(obj, (ndarray, np.ndarray)):
        indices = indices.astype(np.intp)
    if indices.dtype.kind not in "biu":
        raise error(f"{op}: indices must be integers or booleans, got dtype {indices.dtype}")
    return indices


def _check_position(op: str, index: int, length: int, end: int, axis: int) -> int:
    if not -length <= index <= end:
        raise IndexError(f"{op}: index {index} is out of bounds for axis {axis} with size {length}")
    return index + length if index < 0 else index


@names_itself
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Return an array with values inserted before given places.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or array_like of int or bool
        The places, counted in `arr`.
    values : array_like
        What to insert, cast to the dtype of `arr`.
    axis : int, optional
        The axis along which to insert; the flattened array when None.

    Returns
    -------
    ndarray
        The longer array.

    Examples
    --------
    >>> cp.insert([1, 2, 3], 1, 99)
    array([ 1, 99,  2,  3])
    """
    arr, axis, order = _axis_of("insert", arr, axis)
    length = arr.shape[axis]
    if isinstance(obj, slice):
        indices = np.arange(*obj.indices(length), dtype=np.intp)
    else:
        indices = _host_indices("insert", obj, TypeError)
        if indices.ndim > 1 or (indices.dtype.kind == "b" and indices.ndim != 1):
            raise ValueError("insert: index array argument obj must be one dimensional or scalar")
        if indices.dtype.kind == "b":
            indices = np.flatnonzero(indices)
    if indices.size == 1:
        start = _check_position("insert", int(indices.item()), length, length, axis)
        values = _core.array(values, dtype=arr.dtype, copy=None, ndmin=arr.ndim)
        if indices.ndim == 0:
            # A scalar place means one slice to insert, so the values' first axis runs across it.
            values = _core.moveaxis(values, 0, axis)
        stop = start + values.shape[axis]
        result = _widened(arr, axis, values.shape[axis], order)
        result[_along(axis, slice(None, start))] = arr[_along(axis, slice(None, start))]
        result[_along(axis, slice(start, stop))] = values
        result[_along(axis, slice(stop, None))] = arr[_along(axis, slice(start, None))]
        return result
    wrapped = [_check_position("insert", int(i), length, length, axis) for i in indices]
    places = np.empty(len(wrapped), dtype=np.intp)
    for shift, which in enumerate(sorted(range(len(wrapped)), key=wrapped.__getitem__)):
        places[which] = wrapped[which] + shift
    old = np.ones(length + len(places), dtype=bool)
    old[places] = False
    result = _widened(arr, axis, len(places), order)
    result[_along(axis, _core.array(places))] = values
    result[_along(axis, _core.array(np.flatnonzero(old)))] = arr
    return result


def _widened(arr: ndarray, axis: int, more: int, order: str) -> ndarray:
    """Return an empty array like `arr`, longer along one axis."""
    return _core.empty((*arr.shape[:axis], arr.shape[axis] + more, *arr.shape[axis + 1 :]), arr.dtype, order)


@names_itself
def delete(arr: Any, obj: Any, axis: Any = None) -> ndarray:
    """Return an array without the elements at given places.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or array_like of int or bool
        The places.
    axis : int, optional
        The axis along which to delete; the flattened array when None.

    Returns
    -------
    ndarray
        The shorter array.

    Examples
    --------
    >>> cp.delete([1, 2, 3, 4], [0, 2])
    array([2, 4])
    """
    array: ndarray
    array, axis, order = _axis_of("delete", arr, axis)
    length = array.shape[axis]
    if isinstance(obj, slice):
        gone = range(length)[obj]
        if len(gone) == 0:
            return array.copy(order)
        if abs(gone.step) == 1:
            return _without(array, axis, min(gone), max(gone) + 1, order)
        keep = np.ones(length, dtype=bool)
        keep[obj] = False
        return array[_along(axis, _core.array(np.flatnonzero(keep)))].copy(order)
    indices = _host_indices("delete", obj, IndexError)
    if indices.dtype.kind == "b":
        if indices.shape != (length,):
            raise ValueError(f"delete: boolean array argument obj must be one dimensional of length {length}")
        keep = ~indices
    elif indices.size == 1:
        index = _check_position("delete", int(indices.item()), length, length - 1, axis)
        return _without(array, axis, index, index + 1, order)
    else:
        keep = np.ones(length, dtype=bool)
        for index in indices.ravel().tolist():
            keep[_check_position("delete", index, length, length - 1, axis)] = False
    return array[_along(axis, _core.array(np.flatnonzero(keep)))]


def _without(arr: ndarray, axis: int, start: int, stop: int, order: str) -> ndarray:
    """Return a copy of the array that lacks one stretch of an axis."""
    result = _widened(arr, axis, start - stop, order)
    result[_along(axis, slice(None, start))] = arr[_along(axis, slice(None, start))]
    result[_along(axis, slice(start, None))] = arr[_along(axis, slice(stop, None))]
    return result


@names_itself
def trim_zeros(filt: Any, trim: str = "fb", axis: AxisLike | None = None) -> Any:
    """Cut zeros off the ends of an array.

    Parameters
    ----------
    filt : array_like
        The array.
    trim : str, optional
        "f" for the front, "b" for the back, "fb" for both.
    axis : int or sequence of int, optional
        The axes along which to cut; all when None.

    Returns
    -------
    ndarray or sequence
        The part of `filt` between its first and its last nonzero element, of the same type.

    Examples
    --------
    >>> cp.trim_zeros(cp.array([0, 0, 1, 0, 2, 0]))
    array([1, 0, 2])
    """
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: trim must be 'f', 'b' or 'fb', got {trim!r}")
    a = as_array(filt)
    axes = tuple(range(a.ndim)) if axis is None else normalize_axes("trim_zeros", axis, a.ndim)
    if not axes:
        return filt
    found = [positions.get() for positions in _core.nonzero(a)]
    cuts = [slice(None)] * a.ndim
    for one in axes:
        if not found[one].size:
            cuts[one] = slice(0, 0)
            continue
        start, stop = int(found[one].min()), int(found[one].max()) + 1
        cuts[one] = slice(start if "f" in trim else 0, stop if "b" in trim else a.shape[one])
    return filt[cuts[0]] if len(cuts) == 1 else filt[tuple(cuts)]

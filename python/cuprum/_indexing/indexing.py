"""Selecting elements and writing to them by index arrays, masks and conditions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, cast, overload

import numpy as np

from .. import _core
from .._convert import NoValue, as_array, as_shape, with_methods
from .._core import ndarray
from .._dtypes import can_cast
from .._errors import names_itself, naming, of_stored, renamed
from .._ufuncs import logical_or, maximum, minimum, remainder

if TYPE_CHECKING:
    from .._typing import ArrayLike, OrderCF, ShapeLike


__all__ = [
    "argwhere",
    "compress",
    "copyto",
    "diagonal",
    "extract",
    "flatnonzero",
    "nonzero",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "ravel_multi_index",
    "take",
    "take_along_axis",
    "unravel_index",
    "where",
]


def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: SupportsIndex | None = None,
    out: ndarray | None = None,
    mode: Literal["raise", "wrap", "clip"] = "raise",
) -> ndarray:
    """Return the elements of an array at given positions.

    Parameters
    ----------
    a : array_like
        The array.
    indices : array_like of int
        The positions.
    axis : int, optional
        The axis along which they are counted; the flattened array when None.
    out : ndarray, optional
        Where to put the result.
    mode : {"raise", "wrap", "clip"}, optional
        What to do with positions out of bounds.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.take([10, 20, 30], [2, 0])
    array([30, 10])
    """
    try:
        return _core.take(as_array(a), indices, axis, out, mode)
    except TypeError as error:
        if out is not None:
            raise
        return of_stored(error, take, a, indices, axis=axis, out=out, mode=mode)


def take_along_axis(arr: ArrayLike, indices: Any, axis: SupportsIndex | None = -1) -> ndarray:
    """Take elements along an axis, by an index array that matches the others.

    Parameters
    ----------
    arr : array_like
        The array.
    indices : ndarray of int
        The positions, of as many dimensions as `arr`.
    axis : int or None, optional
        The axis; None flattens the array.

    Returns
    -------
    ndarray
        The elements, in the shape of the indices.

    Examples
    --------
    >>> a = cp.array([[10, 30, 20], [60, 40, 50]])
    >>> cp.take_along_axis(a, cp.argmax(a, axis=1, keepdims=True), axis=1)
    array([[30],
           [60]])
    """
    try:
        return _core.take_along_axis(as_array(arr), indices, axis)
    except TypeError as error:
        return of_stored(error, take_along_axis, arr, indices, axis=axis)


def put(a: ndarray, ind: ArrayLike, v: ArrayLike, mode: Literal["raise", "wrap", "clip"] = "raise") -> None:
    """Write values at positions in the flattened array, in place.

    Parameters
    ----------
    a : ndarray
        The array.
    ind : array_like of int
        The positions.
    v : array_like
        The values, repeated where there are too few.
    mode : {"raise", "wrap", "clip"}, optional
        What to do with positions out of bounds.

    Examples
    --------
    >>> a = cp.arange(4)
    >>> cp.put(a, [0, 3], [7, 8])
    >>> a
    array([7, 1, 2, 8])
    """
    try:
        if not isinstance(a, ndarray):
            raise TypeError(f"put: argument 1 must be a cuprum array, not {type(a).__name__}")
        _core.put(a, ind, v, mode)
    except TypeError as error:
        of_stored(error, put, a, ind, v, mode=mode)


def put_along_axis(arr: ndarray, indices: Any, values: ArrayLike, axis: SupportsIndex | None) -> None:
    """Write values along an axis, by an index array that matches the others, in place.

    Parameters
    ----------
    arr : ndarray
        The array.
    indices : ndarray of int
        The positions, of as many dimensions as `arr`.
    values : array_like
        The values, broadcast to the indices.
    axis : int or None
        The axis; None flattens the array.

    Examples
    --------
    >>> a = cp.zeros((2, 2), dtype=cp.int64)
    >>> cp.put_along_axis(a, cp.array([[1], [0]]), 5, axis=1)
    >>> a
    array([[0, 5],
           [5, 0]])
    """
    try:
        if not isinstance(arr, ndarray):
            raise TypeError(f"put_along_axis: argument 1 must be a cuprum array, not {type(arr).__name__}")
        _core.put_along_axis(arr, indices, values, axis)
    except TypeError as error:
        of_stored(error, put_along_axis, arr, indices, values, axis)


def putmask(a: ndarray, /, mask: ArrayLike, values: ArrayLike) -> None:
    """Write values where a mask is true, each at its own position, in place.

    Parameters
    ----------
    a : ndarray
        The array.
    mask : array_like of bool
        Where to write, of the shape of `a`.
    values : array_like
        The values, repeated to the size of `a`.

    Examples
    --------
    >>> a = cp.arange(4)
    >>> cp.putmask(a, a > 1, a * 10)
    >>> a
    array([ 0,  1, 20, 30])
    """
    try:
        if not isinstance(a, ndarray):
            raise TypeError(f"putmask: argument 1 must be a cuprum array, not {type(a).__name__}")
        _core.putmask(a, mask, _safely(values, a, "putmask"))
    except TypeError as error:
        of_stored(error, putmask, a, mask, values)


def _safely(values: Any, target: ndarray, name: str) -> Any:
    """Return values to be stored into an array; raise where it cannot hold them all."""
    if isinstance(values, ndarray | np.ndarray):
        if not can_cast(values.dtype, target.dtype):
            raise TypeError(
                f"{name}: cannot cast from {values.dtype} to {target.dtype} according to the rule 'safe'"
            )
        return values
    # Python's integers that the array cannot hold are refused, as in `array`.
    return _core.array(values, dtype=target.dtype)


def place(arr: ndarray, mask: ArrayLike, vals: ArrayLike) -> None:
    """Write values one after the other where a mask is true, in place.

    Parameters
    ----------
    arr : ndarray
        The array.
    mask : array_like of bool
        Where to write, of the size of `arr`.
    vals : array_like
        The values, repeated where there are too few.

    Examples
    --------
    >>> a = cp.arange(5)
    >>> cp.place(a, a > 1, [7, 8])
    >>> a
    array([0, 1, 7, 8, 7])
    """
    try:
        if not isinstance(arr, ndarray):
            raise TypeError(f"place: argument 1 must be a cuprum array, not {type(arr).__name__}")
        _core.place(arr, mask, _safely(vals, arr, "place"))
    except TypeError as error:
        of_stored(error, place, arr, mask, vals)


@names_itself
def extract(condition: ArrayLike, arr: ArrayLike) -> ndarray:
    """Return the elements of an array where a condition holds.

    Parameters
    ----------
    condition : array_like
        Nonzero where an element is taken, of the size of `arr`.
    arr : array_like
        The array.

    Returns
    -------
    ndarray
        The elements, in one dimension.

    Examples
    --------
    >>> a = cp.arange(5)
    >>> cp.extract(a % 2 == 0, a)
    array([0, 2, 4])
    """
    return _core.extract(condition, as_array(arr))


@names_itself
def compress(
    condition: ArrayLike, a: ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the slices of an array along an axis where a condition holds.

    Parameters
    ----------
    condition : array_like of bool
        One value for each slice; missing ones count as false.
    a : array_like
        The array.
    axis : int, optional
        The axis; the flattened array when None.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The slices.

    Examples
    --------
    >>> cp.compress([False, True], [[1, 2], [3, 4]], axis=0)
    array([[3, 4]])
    """
    return _core.compress(condition, as_array(a), axis, out)


def nonzero(a: ArrayLike) -> tuple[ndarray, ...]:
    """Return the indices of the elements that are not zero.

    Parameters
    ----------
    a : array_like
        An array of at least one dimension.

    Returns
    -------
    tuple of ndarray
        One index array for each axis.

    Examples
    --------
    >>> cp.nonzero([0, 3, 0, 5])
    (array([1, 3]),)
    """
    try:
        return tuple(_core.nonzero(as_array(a)))
    except TypeError as error:
        return of_stored(error, nonzero, a)


@names_itself
def flatnonzero(a: ArrayLike) -> ndarray:
    """Return the positions in the flattened array of the elements that are not zero.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    ndarray
        The positions.

    Examples
    --------
    >>> cp.flatnonzero([[0, 3], [5, 0]])
    array([1, 2])
    """
    positions: ndarray
    (positions,) = _core.nonzero(as_array(a).ravel())
    return positions


@names_itself
def argwhere(a: ArrayLike) -> ndarray:
    """Return the indices of the elements that are not zero, one in each row.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    ndarray
        A matrix with as many columns as the array has axes.

    Examples
    --------
    >>> cp.argwhere([[0, 3], [5, 0]])
    array([[0, 1],
           [1, 0]])
    """
    a = as_array(a)
    if a.ndim == 0:
        return argwhere(a.reshape(1))[:, :0]
    return _core.stack(_core.nonzero(a), 0).T


@overload
def where(condition: ArrayLike, /) -> tuple[ndarray, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> ndarray: ...
def where(condition: Any, x: Any = NoValue, y: Any = NoValue, /) -> ndarray | tuple[ndarray, ...]:
    """Choose elements from one array where a condition holds and from another elsewhere.

    Parameters
    ----------
    condition : array_like
        Where to take from `x`.
    x, y : array_like, optional
        What to choose from; without both, the indices where the condition holds are returned.

    Returns
    -------
    ndarray or tuple of ndarray
        The chosen elements, or indices as from `nonzero`.

    Examples
    --------
    >>> a = cp.arange(4)
    >>> cp.where(a < 2, a, 10 * a)
    array([ 0,  1, 20, 30])
    """
    if (x is NoValue) != (y is NoValue):
        raise ValueError("where: either both or neither of x and y should be given")
    try:
        return tuple(_core.nonzero(as_array(condition))) if x is NoValue else _core.where(condition, x, y)
    except TypeError as error:
        with naming("where"):
            return of_stored(error, where, condition, x=x, y=y)  # type: ignore[arg-type] # one overload's
    except Exception as error:
        raise renamed("where", error) from error.__cause__


def copyto(dst: ndarray, src: ArrayLike, casting: str = "same_kind", where: Any = True) -> None:
    """Copy values into an array, broadcast to its shape and cast to its dtype.

    Parameters
    ----------
    dst : ndarray
        The array to write to.
    src : array_like
        The values.
    casting : str, optional
        Which casts are allowed.
    where : array_like of bool, optional
        Where to write.

    Examples
    --------
    >>> a = cp.zeros(3)
    >>> cp.copyto(a, 5, where=cp.array([True, False, True]))
    >>> a
    array([5., 0., 5.])
    """
    if not isinstance(dst, ndarray):
        raise TypeError(f"copyto: argument 1 must be a cuprum array, not {type(dst).__name__}")
    if getattr(type(dst), "_is_stored", False):
        cast("Any", dst)._copy_from(src, casting, where)
        return
    try:
        _core.copyto(dst, src, casting=casting, where=where)
    except TypeError:
        given, rule = getattr(src, "dtype", dst.dtype), cast("Any", casting)
        if given.kind not in "MmV" or not np.can_cast(given, dst.dtype, rule):
            raise
        from .._stored import counts_of

        _core.copyto(dst, counts_of(src), casting="unsafe", where=where)


def _bounded(op: str, index: ndarray, length: int, mode: str) -> ndarray:
    """Return indices brought into [0, length) in the way `mode` says."""
    if mode == "wrap":
        return remainder(index, length)
    if mode == "clip":
        return minimum(maximum(index, 0), length - 1)
    if mode != "raise":
        raise ValueError(f"{op}: mode must be 'raise', 'wrap' or 'clip', got {mode!r}")
    if logical_or(index < 0, index >= length).any():
        raise ValueError(f"{op}: invalid entry in index array, not in [0, {length})")
    return index


def diagonal(
    a: ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
) -> ndarray:
    """Return a diagonal of a matrix, or of the matrices in two axes of an array.

    Parameters
    ----------
    a : array_like
        An array of at least two dimensions.
    offset : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.
    axis1, axis2 : int, optional
        The axes of the matrices.

    Returns
    -------
    ndarray
        A read-only view, with the diagonals in the last axis.

    Examples
    --------
    >>> cp.diagonal([[1, 2], [3, 4]])
    array([1, 4])
    """
    return with_methods(a, "diagonal").diagonal(offset, axis1, axis2)


def _as_index(op: str, values: Any) -> ndarray:
    """Return integers as an int64 array; empty lists count as integers."""
    index = as_array(values)
    if index.size == 0 and not isinstance(values, ndarray):
        index = index.astype(int)
    if index.dtype.kind not in "iub":
        raise TypeError(f"{op}: only int indices permitted, got {index.dtype}")
    return index.astype(int, copy=False)


def _row_major(op: str, order: Any) -> bool:
    """Whether the last axis runs fastest, which None says too."""
    if order not in ("C", "F", None):
        raise ValueError(f"{op}: only 'C' or 'F' order is permitted, got {order!r}")
    return bool(order != "F")


def unravel_index(indices: ArrayLike, shape: ShapeLike, order: OrderCF = "C") -> tuple[ndarray, ...]:
    """Turn positions in a flattened array into indices along each axis.

    Parameters
    ----------
    indices : array_like of int
        The positions.
    shape : int or tuple of int
        The shape of the array.
    order : {"C", "F"}, optional
        Whether the last or the first axis runs fastest.

    Returns
    -------
    tuple of ndarray
        One index array for each axis.

    Examples
    --------
    >>> cp.unravel_index([1, 5], (2, 3))
    (array([0, 1]), array([1, 2]))
    """
    dims = as_shape(shape)
    index = _as_index("unravel_index", indices)
    by_rows = _row_major("unravel_index", order)
    count = 1
    for length in dims:
        count *= length
    if logical_or(index < 0, index >= count).any():
        raise ValueError(f"unravel_index: index is out of bounds for array with size {count}")
    parts = []
    for length in reversed(dims) if by_rows else dims:
        parts.append(index % length)
        index = index // length
    return tuple(reversed(parts)) if by_rows else tuple(parts)


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: OrderCF = "C") -> ndarray:
    """Turn indices along each axis into positions in the flattened array.

    Parameters
    ----------
    multi_index : tuple of array_like of int
        One index array for each axis.
    dims : tuple of int
        The shape of the array.
    mode : {"raise", "wrap", "clip"} or tuple of these, optional
        What to do with indices out of bounds.
    order : {"C", "F"}, optional
        Whether the last or the first axis runs fastest.

    Returns
    -------
    ndarray
        The positions.

    Examples
    --------
    >>> cp.ravel_multi_index(([0, 1], [1, 2]), (2, 3))
    array([1, 5])
    """
    dims = as_shape(dims)
    by_rows = _row_major("ravel_multi_index", order)
    if math.prod(dims) > np.iinfo(np.int64).max:
        raise ValueError(
            f"ravel_multi_index: an array of shape {dims} has more elements than positions can number"
        )
    coordinates = list(multi_index)
    modes = list(mode) if isinstance(mode, tuple) else [mode] * len(dims)
    if len(coordinates) != len(dims):
        raise ValueError(
            f"ravel_multi_index: parameter multi_index must be a sequence of length {len(dims)}, "
            f"got {len(coordinates)}"
        )
    axes = list(zip(coordinates, dims, modes, strict=True))
    result: Any = None
    for coordinate, length, how in axes if by_rows else reversed(axes):
        index = _bounded("ravel_multi_index", _as_index("ravel_multi_index", coordinate), length, how)
        result = index if result is None else result * length + index
    positions: ndarray = result
    return positions

"""Changing the shape of arrays and the order of their axes, by views."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from .. import _core
from .._convert import as_array, as_shape, is_plain, normalize_axis, with_methods
from .._core import ndarray
from .._errors import names_itself, of_stored

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, Order, ShapeLike


__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "matrix_transpose",
    "moveaxis",
    "ndim",
    "permute_dims",
    "ravel",
    "reshape",
    "rollaxis",
    "shape",
    "size",
    "squeeze",
    "swapaxes",
    "transpose",
]


def shape(a: ArrayLike) -> tuple[int, ...]:
    """Return the shape of an array.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    tuple of int
        The lengths of its axes.

    Examples
    --------
    >>> cp.shape([[1, 2, 3]])
    (1, 3)
    """
    return with_methods(a).shape


def ndim(a: ArrayLike) -> int:
    """Return the number of axes of an array.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    int
        The number of axes; 0 for a scalar.

    Examples
    --------
    >>> cp.ndim([[1, 2, 3]])
    2
    """
    return a.ndim if isinstance(a, ndarray) else np.ndim(a)


def size(a: Any, axis: Any = None) -> int:
    """Return the number of elements of an array, or the length of some of its axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes whose elements are counted; all when None.

    Returns
    -------
    int
        The number of elements.

    Examples
    --------
    >>> cp.size([[1, 2, 3]])
    3
    >>> cp.size([[1, 2, 3]], 0)
    1
    """
    shape = with_methods(a).shape
    if axis is None:
        return math.prod(shape)
    if isinstance(axis, tuple):
        return math.prod(shape[normalize_axis("size", one, len(shape))] for one in axis)
    return shape[operator.index(axis)]


def reshape(
    a: ArrayLike, /, shape: ShapeLike, order: Literal["C", "F", "A"] = "C", *, copy: bool | None = None
) -> ndarray:
    """Give an array a new shape with the same elements.

    Parameters
    ----------
    a : array_like
        The array.
    shape : int or tuple of int
        The new shape; one length may be -1, and is then found from the others.
    order : {"C", "F", "A"}, optional
        The order in which elements are read and placed.
    copy : bool, optional
        True copies always, None only where no view is possible, False raises there.

    Returns
    -------
    ndarray
        A view where possible, a copy otherwise.

    Examples
    --------
    >>> cp.reshape(cp.arange(6), (2, -1))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    return with_methods(a).reshape(shape, order=order, copy=copy)


def ravel(a: ArrayLike, order: Order = "C") -> ndarray:
    """Return the elements of an array in one dimension.

    Parameters
    ----------
    a : array_like
        The array.
    order : {"C", "F", "A", "K"}, optional
        The order in which elements are read.

    Returns
    -------
    ndarray
        A view where possible, a copy otherwise.

    Examples
    --------
    >>> cp.ravel([[1, 2], [3, 4]], order="F")
    array([1, 3, 2, 4])
    """
    return with_methods(a).ravel(order)


def squeeze(a: ArrayLike, axis: AxisLike | None = None) -> ndarray:
    """Remove axes of length one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to remove; all of length one when None.

    Returns
    -------
    ndarray
        A view without these axes.

    Examples
    --------
    >>> cp.squeeze(cp.ones((1, 3, 1))).shape
    (3,)
    """
    return with_methods(a, "squeeze").squeeze(axis)


def expand_dims(a: ArrayLike, axis: AxisLike) -> ndarray:
    """Insert axes of length one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int
        Where the new axes lie in the result.

    Returns
    -------
    ndarray
        A view with these axes.

    Examples
    --------
    >>> cp.expand_dims(cp.ones(3), 1).shape
    (3, 1)
    """
    try:
        return _core.expand_dims(as_array(a), axis)
    except TypeError as error:
        return of_stored(error, expand_dims, a, axis)


def transpose(a: ArrayLike, axes: tuple[SupportsIndex, ...] | None = None) -> ndarray:
    """Return an array with its axes permuted.

    Parameters
    ----------
    a : array_like
        The array.
    axes : tuple of int, optional
        Which axis comes to each place; reversed when None.

    Returns
    -------
    ndarray
        A view with permuted axes.

    Examples
    --------
    >>> cp.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    a = with_methods(a, "transpose")
    return a.transpose() if axes is None else a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x: ArrayLike, /) -> ndarray:
    """Transpose the matrices in the last two axes of an array.

    Parameters
    ----------
    x : array_like
        An array of at least two dimensions.

    Returns
    -------
    ndarray
        A view with the last two axes swapped.

    Examples
    --------
    >>> cp.matrix_transpose(cp.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    try:
        array = as_array(x)
        if array.ndim < 2:
            raise ValueError(
                f"matrix_transpose: input array must be at least 2-dimensional, but it is {array.ndim}"
            )
        return array.swapaxes(-1, -2)
    except TypeError as error:
        return of_stored(error, matrix_transpose, x)


def swapaxes(a: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray:
    """Interchange two axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    ndarray
        A view with these axes interchanged.

    Examples
    --------
    >>> cp.swapaxes(cp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return with_methods(a, "swapaxes").swapaxes(axis1, axis2)


def moveaxis(a: ArrayLike, source: ShapeLike, destination: ShapeLike) -> ndarray:
    """Move axes to new places, the others keeping their order.

    Parameters
    ----------
    a : array_like
        The array.
    source, destination : int or sequence of int
        The axes, and where they go.

    Returns
    -------
    ndarray
        A view with moved axes.

    Examples
    --------
    >>> cp.moveaxis(cp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    try:
        return _core.moveaxis(as_array(a), source, destination)
    except TypeError as error:
        return of_stored(error, moveaxis, a, source, destination)


@names_itself
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> ndarray:
    """Move an axis back until it lies before another.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int
        The axis to move.
    start : int, optional
        The axis before which it is put.

    Returns
    -------
    ndarray
        A view with the axis moved.

    Examples
    --------
    >>> cp.rollaxis(cp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = as_array(a)
    if not -a.ndim <= start <= a.ndim:
        raise np.exceptions.AxisError(
            f"rollaxis: 'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {start} was passed in"
        )
    return _core.rollaxis(a, axis, start)


@overload
def atleast_1d(ary: ArrayLike, /) -> ndarray: ...
@overload
def atleast_1d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_1d(*arys: Any) -> ndarray | tuple[ndarray, ...]:
    """View arrays as having at least one dimension.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        The array, or a tuple where several were given.

    Examples
    --------
    >>> cp.atleast_1d(5)
    array([5])
    """
    made = tuple(a if a.ndim >= 1 else a.reshape(1) for a in map(with_methods, arys))
    return made[0] if len(made) == 1 else made


@overload
def atleast_2d(ary: ArrayLike, /) -> ndarray: ...
@overload
def atleast_2d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_2d(*arys: Any) -> ndarray | tuple[ndarray, ...]:
    """View arrays as having at least two dimensions, new ones in front.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        The array, or a tuple where several were given.

    Examples
    --------
    >>> cp.atleast_2d([1, 2])
    array([[1, 2]])
    """

    if len(arys) == 1:
        return _as_rows(with_methods(arys[0]))
    return tuple(_as_rows(with_methods(a)) for a in arys)


def _as_rows(a: ndarray) -> ndarray:
    """Return an array of at least two dimensions: a vector is a row."""
    return a if a.ndim > 1 else a[None, :] if a.ndim == 1 else a.reshape(1, 1)


@overload
def atleast_3d(ary: ArrayLike, /) -> ndarray: ...
@overload
def atleast_3d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_3d(*arys: Any) -> ndarray | tuple[ndarray, ...]:
    """View arrays as having at least three dimensions, a vector in the middle one, a matrix in the first two.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        The array, or a tuple where several were given.

    Examples
    --------
    >>> cp.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """

    def widen(a: ndarray) -> ndarray:
        if a.ndim == 0:
            return a.reshape(1, 1, 1)
        if a.ndim == 1:
            return a[None, :, None]
        return a[:, :, None] if a.ndim == 2 else a

    made = tuple(widen(with_methods(a)) for a in arys)
    return made[0] if len(made) == 1 else made


def broadcast_to(array: ArrayLike, shape: ShapeLike, subok: bool = False) -> ndarray:
    """View an array in a larger shape by repeating it, without copying.

    Parameters
    ----------
    array : array_like
        The array.
    shape : int or tuple of int
        The shape.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.

    Returns
    -------
    ndarray
        A read-only view.

    Examples
    --------
    >>> cp.broadcast_to([1, 2], (2, 2))
    array([[1, 2],
           [1, 2]])
    """
    a: Any = with_methods(array)
    spread: ndarray = _core.broadcast_to(a, as_shape(shape)) if is_plain(a) else a._spread(as_shape(shape))
    return spread


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[ndarray, ...]:
    """View arrays in their common shape.

    Parameters
    ----------
    *args : array_like
        The arrays.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.

    Returns
    -------
    tuple of ndarray
        Views in the shape that an operation on all of them would have.

    Examples
    --------
    >>> cp.broadcast_arrays([1, 2], [[3], [4]])[1]
    array([[3, 3],
           [4, 4]])
    """
    arrays = [with_methods(a) for a in args]
    if all(map(is_plain, arrays)):
        return tuple(_core.broadcast_arrays(*arrays))
    shape = _core.broadcast_shapes(*(a.shape for a in arrays))
    return tuple(broadcast_to(a, shape) for a in arrays)


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """Return the shape that arrays of these shapes broadcast to.

    Parameters
    ----------
    *args : int or tuple of int
        The shapes.

    Returns
    -------
    tuple of int
        The common shape.

    Examples
    --------
    >>> cp.broadcast_shapes((3, 1), (2,))
    (3, 2)
    """
    return _core.broadcast_shapes(*map(as_shape, args))

"""Repeating, reversing, shifting and widening: new arrangements of an array's elements."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, as_shape, normalize_axis
from .._core import ndarray
from .._errors import names_itself, of_stored

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, ShapeLike


__all__ = [
    "flip",
    "fliplr",
    "flipud",
    "pad",
    "repeat",
    "resize",
    "roll",
    "rot90",
    "tile",
]


@names_itself
def tile(A: ArrayLike, reps: ShapeLike) -> ndarray:
    """Repeat a whole array along its axes.

    Parameters
    ----------
    A : array_like
        The array.
    reps : int or sequence of int
        How many times along each axis.

    Returns
    -------
    ndarray
        The repeated array.

    Examples
    --------
    >>> cp.tile([1, 2], 2)
    array([1, 2, 1, 2])
    """
    if isinstance(reps, str):
        raise ValueError(f"tile: reps must be integers, got {reps!r}")
    A, reps = as_array(A), as_shape(reps)
    if all(count == 1 for count in reps):
        return _core.array(A, copy=True, ndmin=len(reps))
    return _core.tile(A, reps)


def repeat(a: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Repeat each element of an array.

    Parameters
    ----------
    a : array_like
        The array.
    repeats : int or array_like of int
        How many times, for all or for each.
    axis : int, optional
        The axis along which to repeat; the flattened array when None.

    Returns
    -------
    ndarray
        The array with repeated elements.

    Examples
    --------
    >>> cp.repeat([1, 2], [2, 3])
    array([1, 1, 2, 2, 2])
    """
    try:
        if isinstance(repeats, str):
            raise ValueError(f"repeat: repeats must be integers, got {repeats!r}")
        return _core.repeat(as_array(a), repeats, axis)
    except TypeError as error:
        return of_stored(error, repeat, a, repeats, axis=axis)


def flip(m: ArrayLike, axis: AxisLike | None = None) -> ndarray:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    m : array_like
        The array.
    axis : int or tuple of int, optional
        The axes; all when None.

    Returns
    -------
    ndarray
        A view with these axes reversed.

    Examples
    --------
    >>> cp.flip([1, 2, 3])
    array([3, 2, 1])
    """
    try:
        return _core.flip(as_array(m), axis)
    except TypeError as error:
        return of_stored(error, flip, m, axis=axis)


def fliplr(m: ArrayLike) -> ndarray:
    """Reverse the order of elements along the second axis.

    Parameters
    ----------
    m : array_like
        An array of at least two dimensions.

    Returns
    -------
    ndarray
        A view with the columns reversed.

    Examples
    --------
    >>> cp.fliplr([[1, 2], [3, 4]])
    array([[2, 1],
           [4, 3]])
    """
    try:
        array = as_array(m)
        if array.ndim < 2:
            raise ValueError("fliplr: input must be >= 2-d")
        return array[:, ::-1]
    except TypeError as error:
        return of_stored(error, fliplr, m)


def flipud(m: ArrayLike) -> ndarray:
    """Reverse the order of elements along the first axis.

    Parameters
    ----------
    m : array_like
        An array of at least one dimension.

    Returns
    -------
    ndarray
        A view with the rows reversed.

    Examples
    --------
    >>> cp.flipud([[1, 2], [3, 4]])
    array([[3, 4],
           [1, 2]])
    """
    try:
        array = as_array(m)
        if array.ndim < 1:
            raise ValueError("flipud: input must be >= 1-d")
        return array[::-1, ...]
    except TypeError as error:
        return of_stored(error, flipud, m)


@names_itself
def rot90(m: ArrayLike, k: SupportsIndex = 1, axes: Any = (0, 1)) -> ndarray:
    """Rotate an array by right angles in a plane.

    Parameters
    ----------
    m : array_like
        An array of at least two dimensions.
    k : int, optional
        How many times, from the first axis towards the second.
    axes : (int, int), optional
        The plane.

    Returns
    -------
    ndarray
        A view of the rotated array.

    Examples
    --------
    >>> cp.rot90([[1, 2], [3, 4]])
    array([[2, 4],
           [1, 3]])
    """
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError(f"rot90: len(axes) must be 2, got {len(axes)}")
    m = as_array(m)
    first, second = axes
    if first == second or abs(first - second) == m.ndim:
        raise ValueError(f"rot90: axes must be different, got {axes}")
    if not all(-m.ndim <= axis < m.ndim for axis in axes):
        raise ValueError(f"rot90: axes {axes} out of range for array of ndim {m.ndim}")
    return _core.rot90(m, k, axes)


def roll(a: ArrayLike, shift: ShapeLike, axis: AxisLike | None = None) -> ndarray:
    """Shift elements along axes, those that leave at one end entering at the other.

    Parameters
    ----------
    a : array_like
        The array.
    shift : int or tuple of int
        How far.
    axis : int or tuple of int, optional
        The axes; the flattened array when None.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> cp.roll([1, 2, 3, 4], 1)
    array([4, 1, 2, 3])
    """
    try:
        return _core.roll(as_array(a), shift, axis)
    except TypeError as error:
        return of_stored(error, roll, a, shift, axis=axis)


@names_itself
def resize(a: ArrayLike, new_shape: ShapeLike) -> ndarray:
    """Return an array of a new shape, repeating or leaving out elements as needed.

    Parameters
    ----------
    a : array_like
        The array.
    new_shape : int or tuple of int
        The shape.

    Returns
    -------
    ndarray
        The elements of `a`, in C order and over again, in the new shape.

    Examples
    --------
    >>> cp.resize([1, 2, 3], (2, 4))
    array([[1, 2, 3, 1],
           [2, 3, 1, 2]])
    """
    new_shape = as_shape(new_shape)
    count = 1
    for length in new_shape:
        count *= length
        if length < 0:
            raise ValueError(f"resize: all elements of new_shape must be non-negative, got {new_shape}")
    flat = as_array(a).ravel()
    if flat.size == 0 or count == 0:
        return _core.zeros(new_shape, flat.dtype, "C")
    repeats = -(-count // flat.size)
    return _core.concatenate((flat,) * repeats, 0)[:count].reshape(new_shape)


@names_itself
def pad(array: ArrayLike, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> ndarray:
    """Widen an array at its edges.

    Parameters
    ----------
    array : array_like
        The array.
    pad_width : int, pair, sequence of pairs or dict
        How many elements to add before and after, for all axes or for each.
    mode : str or callable, optional
        What to add: "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect",
        "symmetric", "wrap", "empty", or a function of vector, widths, axis and keywords that fills a vector.
    **kwargs
        `constant_values`, `end_values`, `stat_length` or `reflect_type`, as the mode allows.

    Returns
    -------
    ndarray
        The widened array.

    Examples
    --------
    >>> cp.pad([1, 2], (1, 2), constant_values=9)
    array([9, 1, 2, 9, 9])
    >>> cp.pad([1, 2, 3], 2, mode="reflect")
    array([3, 2, 1, 2, 3, 2, 1])
    """
    a = as_array(array)
    widths: Any = _widths_by_axis(pad_width, a.ndim) if isinstance(pad_width, dict) else pad_width
    if isinstance(widths, (list, tuple)) and np.asarray(widths).dtype.kind not in "iu":
        raise TypeError(f"pad: `pad_width` must be of integral type, got {widths}")
    if not callable(mode):
        return _core.pad(a, widths, mode, **kwargs)
    pairs = _pairs(widths, a.ndim)
    padded = _core.pad(a, pairs, "constant")
    for axis in range(a.ndim):
        lines = _core.moveaxis(padded, axis, -1)
        for index in _positions(lines.shape[:-1]):
            mode(lines[index], pairs[axis], axis, kwargs)
    return padded


def _widths_by_axis(widths: dict[int, Any], ndim: int) -> list[tuple[int, int]]:
    pairs = [(0, 0)] * ndim
    for axis, width in widths.items():
        pairs[normalize_axis("pad", axis, ndim)] = _pairs(width, 1)[0]
    return pairs


def _pairs(widths: Any, ndim: int) -> list[tuple[int, int]]:
    """Return pad widths, in any of NumPy's forms, as one pair for each axis."""
    spread = _core.broadcast_to(_core.array(widths), (ndim, 2))
    if spread.dtype.kind not in "iu":
        raise TypeError("pad: pad_width must be of integral type")
    return [(before, after) for before, after in spread.tolist()]


def _positions(shape: tuple[int, ...]) -> Any:
    """Yield every index of an array of that shape, in C order."""
    return itertools.product(*map(range, shape))

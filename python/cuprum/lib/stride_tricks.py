"""Views of an array's memory under other shapes and strides."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

from .. import _core
from .._convert import as_array
from .._core import ndarray

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike, ShapeLike


__all__ = ["as_strided", "sliding_window_view"]


def as_strided(
    x: ArrayLike,
    shape: tuple[SupportsIndex, ...] | None = None,
    strides: tuple[SupportsIndex, ...] | None = None,
    subok: bool = False,
    writeable: bool = True,
    *,
    check_bounds: bool | None = None,
) -> ndarray:
    """Return a view of an array's memory with another shape and other strides.

    Parameters
    ----------
    x : array_like
        The array, whose first element is that of the view.
    shape : tuple of int, optional
        The shape; that of the array when None.
    strides : tuple of int, optional
        The bytes from one element to the next along each axis; the array's when None.
    subok : bool, optional
        Taken for compatibility.
    writeable : bool, optional
        Whether the view may be written; elements that it shows twice are then written twice.
    check_bounds : bool, optional
        Taken for compatibility: a view that leaves the array's memory is always an error.

    Returns
    -------
    ndarray
        The view.

    Examples
    --------
    >>> a = cp.arange(5)
    >>> cp.lib.stride_tricks.as_strided(a, (3, 3), (8, 8))
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    x = as_array(x)
    shape = x.shape if shape is None else shape
    strides = x.strides if strides is None else strides
    return _core.as_strided(x, shape, [operator.index(stride) for stride in strides], bool(writeable))


def sliding_window_view(
    x: ArrayLike,
    window_shape: ShapeLike,
    axis: AxisLike | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> ndarray:
    """Return a view of all windows of a given shape that slide along axes.

    Parameters
    ----------
    x : array_like
        The array.
    window_shape : int or tuple of int
        The lengths of the window along each of the axes.
    axis : int or tuple of int, optional
        The axes, one for each length; an axis may be named again. All when None.
    subok : bool, optional
        Taken for compatibility.
    writeable : bool, optional
        Whether the view may be written; windows share their elements.

    Returns
    -------
    ndarray
        The view: the places of the window, then the axes of the window.

    Examples
    --------
    >>> cp.lib.stride_tricks.sliding_window_view([1, 2, 3, 4], 3)
    array([[1, 2, 3],
           [2, 3, 4]])
    """
    x = as_array(x)
    lengths = _integers(window_shape)
    if any(length < 0 for length in lengths):
        raise ValueError(f"sliding_window_view: window lengths cannot be negative, got {lengths}")
    axes = list(range(x.ndim)) if axis is None else _integers(axis)
    if len(lengths) != len(axes):
        wanted = "x.ndim" if axis is None else "axis"
        reason = "Since axis is `None`, " if axis is None else ""
        raise ValueError(
            f"sliding_window_view: {reason}window_shape must match the length of {wanted}, "
            f"got {len(lengths)} lengths for {len(axes)} axes"
        )
    return _core.windows(x, lengths, axes, bool(writeable))


def _integers(value: Any) -> list[int]:
    """Return one integer or several as a list."""
    if hasattr(value, "__iter__"):
        return [operator.index(one) for one in value]
    return [operator.index(value)]

"""`cupy._core.internal`: shapes and axes, as libraries ask CuPy's private module for them."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cuprum.exceptions import AxisError

__all__ = [
    "_broadcast_shapes",
    "_normalize_axis_index",
    "_normalize_axis_indices",
    "clp2",
    "complete_slice",
    "get_size",
    "infer_unknown_dimension",
    "is_in",
    "prod",
    "prod_sequence",
    "vector_equal",
]


def prod(args: Iterable[int]) -> int:
    """Return the product of integers.

    Examples
    --------
    >>> from cuprum.compat.cupy._core.internal import prod
    >>> prod((2, 3)), prod(())
    (6, 1)
    """
    return math.prod(args)


prod_sequence = prod


def is_in(args: Sequence[Any], a: Any) -> bool:
    """Return whether a sequence holds a value."""
    return a in args


def vector_equal(x: Sequence[Any], y: Sequence[Any]) -> bool:
    """Return whether two sequences hold the same values."""
    return list(x) == list(y)


def get_size(size: Any) -> tuple[int, ...]:
    """Return a shape as a tuple: of None it is empty."""
    if size is None:
        return ()
    if isinstance(size, Iterable):
        return tuple(operator.index(one) for one in size)
    return (operator.index(size),)


def clp2(x: int) -> int:
    """Return the smallest power of two that is not below a number."""
    return 0 if x <= 0 else 1 << (x - 1).bit_length()


def infer_unknown_dimension(shape: Sequence[int], size: int) -> list[int]:
    """Return a shape whose length -1 is what the others leave of a size."""
    unknown = [axis for axis, length in enumerate(shape) if length == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify only one unknown dimension")
    found = list(shape)
    if unknown:
        rest = math.prod(length for length in shape if length != -1)
        found[unknown[0]] = size // rest if rest else 0
    return found


def complete_slice(slc: slice, dim: int) -> slice:
    """Return a slice of an axis of a length with its bounds filled in."""
    return slice(*slc.indices(dim))


def _normalize_axis_index(axis: Any, ndim: int) -> int:
    """Return an axis counted from the first; an AxisError where there is none such.

    Examples
    --------
    >>> from cuprum.compat.cupy._core.internal import _normalize_axis_index
    >>> _normalize_axis_index(-1, 3)
    2
    """
    place = operator.index(axis)
    if not -ndim <= place < ndim:
        raise AxisError(place, ndim)
    return place % ndim


def _normalize_axis_indices(axes: Any, ndim: int, sort_axes: bool = True) -> tuple[int, ...]:
    """Return axes counted from the first: all of them for None.

    Examples
    --------
    >>> from cuprum.compat.cupy._core.internal import _normalize_axis_indices
    >>> _normalize_axis_indices((-1, 0), 3), _normalize_axis_indices(None, 2)
    ((0, 2), (0, 1))
    """
    if axes is None:
        return tuple(range(ndim))
    given = axes if isinstance(axes, tuple) else (axes,)
    places = [_normalize_axis_index(axis, ndim) for axis in given]
    if len(set(places)) != len(places):
        raise ValueError("Duplicate value in 'axis'")
    return tuple(sorted(places) if sort_axes else places)


def _broadcast_shapes(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the shape that others are broadcast to."""
    return np.broadcast_shapes(*(tuple(shape) for shape in shapes))

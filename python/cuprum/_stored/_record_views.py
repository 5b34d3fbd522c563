"""Functions that return views of structures: what they do to the axes of elements is done to the bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._convert import normalize_axis
from ._array import StoredArray

__all__ = ["RECORD_VIEWS", "diag"]


def _lengths(shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of a shape that takes no memory: NumPy's functions tell what they do to it."""
    return np.broadcast_to(np.empty((), np.bool_), shape)


def _permuted(name: str) -> Callable[..., Any]:
    def run(a: StoredArray, *args: Any, **keywords: Any) -> Any:
        # Every axis is known by its length.
        moved = getattr(np, name)(_lengths(tuple(range(2, 2 + a.ndim))), *args, **keywords)
        return a.transpose(tuple(length - 2 for length in moved.shape))

    return run


def _reshaped(name: str) -> Callable[..., Any]:
    def run(a: StoredArray, *args: Any, **keywords: Any) -> Any:
        return a.reshape(getattr(np, name)(_lengths(a.shape), *args, **keywords).shape)

    return run


def _along(a: StoredArray, axis: int, part: Any) -> Any:
    return a[(slice(None),) * axis + (part,)]  # noqa: RUF005 - Python 3.10 has no stars in an index


def _split(name: str, axis_of: Callable[[int], int]) -> Callable[..., Any]:
    def run(ary: StoredArray, indices_or_sections: Any, axis: Any = 0) -> Any:
        given = (axis,) if name in ("split", "array_split") else ()
        pieces = getattr(np, name)(_lengths(ary.shape), indices_or_sections, *given)
        place = normalize_axis(name, axis, ary.ndim) if given else axis_of(ary.ndim)
        # Of pieces that overlap, or lie in another order, the lengths tell nothing: positions do.
        marks = getattr(np, name)(_marks(ary, place), indices_or_sections, *given)
        starts = [int(mark.ravel()[0]) if mark.size else 0 for mark in marks]
        return [
            _along(ary, place, slice(start, start + piece.shape[place]))
            for start, piece in zip(starts, pieces, strict=True)
        ]

    return run


def _marks(a: StoredArray, axis: int) -> np.ndarray:
    """Return the positions along an axis, for all others alike."""
    shape = [1] * a.ndim
    shape[axis] = a.shape[axis]
    return np.broadcast_to(np.arange(a.shape[axis]).reshape(shape), a.shape)


def _unstack(x: StoredArray, /, *, axis: int = 0) -> Any:
    if x.ndim == 0:
        raise ValueError("unstack: the array has no axes")
    place = normalize_axis("unstack", axis, x.ndim)
    return tuple(_along(x, place, position) for position in range(x.shape[place]))


def _flipped(name: str, axis: int) -> Callable[..., Any]:
    def run(m: StoredArray) -> Any:
        getattr(np, name)(_lengths(m.shape))
        return _along(m, axis, slice(None, None, -1))

    return run


def _rot90(m: StoredArray, k: int = 1, axes: Any = (0, 1)) -> Any:
    np.rot90(_lengths(m.shape), k, axes)
    first, second = (normalize_axis("rot90", axis, m.ndim) for axis in axes)
    order = list(range(m.ndim))
    order[first], order[second] = second, first
    backwards = slice(None, None, -1)
    if k % 4 == 0:
        return m[...]
    if k % 4 == 2:
        return _along(_along(m, first, backwards), second, backwards)
    if k % 4 == 1:
        return _along(m, second, backwards).transpose(order)
    return _along(m.transpose(order), second, backwards)


def _diagonal(a: StoredArray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    np.diagonal(_lengths(a.shape), offset, axis1, axis2)
    first, second = (normalize_axis("diagonal", axis, a.ndim) for axis in (axis1, axis2))
    found = a._bytes.diagonal(offset, first, second)
    last = found.ndim - 1
    return a._view(found.transpose((*range(last - 1), last, last - 1)))


RECORD_VIEWS: dict[str, Callable[..., Any]] = {
    **{
        name: _permuted(name)
        for name in ("moveaxis", "swapaxes", "rollaxis", "matrix_transpose", "permute_dims")
    },
    "expand_dims": _reshaped("expand_dims"),
    "split": _split("split", lambda ndim: 0),
    "array_split": _split("array_split", lambda ndim: 0),
    "vsplit": _split("vsplit", lambda ndim: 0),
    "hsplit": _split("hsplit", lambda ndim: 0 if ndim == 1 else 1),
    "dsplit": _split("dsplit", lambda ndim: 2),
    "unstack": _unstack,
    "fliplr": _flipped("fliplr", 1),
    "flipud": _flipped("flipud", 0),
    "rot90": _rot90,
    "diagonal": _diagonal,
}
"""The functions, by name; `diag` of a matrix is one of them too."""


def diag(v: StoredArray, k: int = 0) -> Any:
    """Return the diagonal of a matrix of structures."""
    return _diagonal(v, k)

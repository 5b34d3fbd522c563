"""Coordinate grids, and the objects that build arrays by being indexed."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself, naming
from .ranges import arange, linspace

if TYPE_CHECKING:
    from .._typing import DTypeLike


__all__ = [
    "c_",
    "fromfunction",
    "index_exp",
    "indices",
    "ix_",
    "meshgrid",
    "mgrid",
    "ogrid",
    "r_",
    "s_",
]


@names_itself
def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[ndarray, ...]:
    """Return coordinate arrays over the grid that vectors of coordinates span.

    Parameters
    ----------
    *xi : array_like
        The coordinates along each axis.
    copy : bool, optional
        False returns views into the arguments.
    sparse : bool, optional
        Whether to leave the axes of length one that broadcasting would fill.
    indexing : {"xy", "ij"}, optional
        "xy" puts the first coordinate along the second axis, "ij" along the first.

    Returns
    -------
    tuple of ndarray
        One array for each argument.

    Examples
    --------
    >>> x, y = cp.meshgrid([1, 2, 3], [10, 20])
    >>> x + y
    array([[11, 12, 13],
           [21, 22, 23]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: valid values for indexing are 'xy' and 'ij', got {indexing!r}")
    ndim = len(xi)
    grids = [as_array(x).reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1)) for axis, x in enumerate(xi)]
    if indexing == "xy" and ndim > 1:
        grids[0] = grids[0].reshape((1, -1) + (1,) * (ndim - 2))
        grids[1] = grids[1].reshape((-1, 1) + (1,) * (ndim - 2))
    if not sparse:
        grids = list(_core.broadcast_arrays(*grids))
    return tuple(grid.copy() for grid in grids) if copy else tuple(grids)


@names_itself
def indices(
    dimensions: tuple[SupportsIndex, ...], dtype: DTypeLike = int, sparse: bool = False
) -> ndarray | tuple[ndarray, ...]:
    """Return the indices of the elements of an array of a given shape.

    Parameters
    ----------
    dimensions : tuple of int
        The shape.
    dtype : dtype, optional
        The dtype of the indices.
    sparse : bool, optional
        Whether to return one array for each axis, with the axes of length one that broadcasting would fill.

    Returns
    -------
    ndarray or tuple of ndarray
        The indices along each axis, stacked in front.

    Examples
    --------
    >>> cp.indices((2, 2))
    array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]])
    """
    dimensions = tuple(dimensions)
    if _core.empty((0,), dtype, "C").dtype == np.bool_ and any(operator.index(n) > 2 for n in dimensions):
        raise TypeError(f"indices: bool does not count beyond 2, got dimensions {dimensions}")
    if not sparse:
        return _core.indices(dimensions, dtype)
    ndim = len(dimensions)
    return tuple(
        _core.arange(0, n, 1, dtype).reshape((1,) * axis + (n,) + (1,) * (ndim - axis - 1))
        for axis, n in enumerate(dimensions)
    )


def fromfunction(
    function: Callable[..., Any], shape: tuple[SupportsIndex, ...], *, dtype: DTypeLike = float, **kwargs: Any
) -> Any:
    """Call a function on the indices of an array of a given shape.

    Parameters
    ----------
    function : callable
        Takes one array of indices for each axis, and returns an array.
    shape : tuple of int
        The shape.
    dtype : dtype, optional
        The dtype of the indices.
    **kwargs
        Passed to the function.

    Returns
    -------
    object
        What the function returned.

    Examples
    --------
    >>> cp.fromfunction(lambda i, j: 10 * i + j, (2, 3), dtype=int)
    array([[ 0,  1,  2],
           [10, 11, 12]])
    """
    with naming("fromfunction"):
        places = indices(shape, dtype=dtype)
    return function(*places, **kwargs)


def ix_(*args: Any) -> tuple[ndarray, ...]:
    """Return index arrays that select the cross product of several index vectors.

    Parameters
    ----------
    *args : array_like
        One-dimensional integers or booleans.

    Returns
    -------
    tuple of ndarray
        One index array for each argument, shaped to broadcast against each other.

    Examples
    --------
    >>> cp.arange(9).reshape(3, 3)[cp.ix_([0, 2], [1, 2])]
    array([[1, 2],
           [7, 8]])
    """
    out = []
    for axis, sequence in enumerate(args):
        index = as_array(sequence)
        if index.ndim != 1:
            raise ValueError("ix_: cross index must be 1 dimensional")
        if index.size == 0 and not isinstance(sequence, ndarray):
            # An empty list is float64 by default, which cannot index.
            index = index.astype(int)
        if index.dtype.kind == "b":
            (index,) = _core.nonzero(index)
        out.append(index.reshape((1,) * axis + (index.size,) + (1,) * (len(args) - axis - 1)))
    return tuple(out)


class _IndexExpression:
    """Returns what it is indexed with; `index_exp` always as a tuple."""

    def __init__(self, always_tuple: bool) -> None:
        self._always_tuple = always_tuple

    def __getitem__(self, item: Any) -> Any:
        return (item,) if self._always_tuple and not isinstance(item, tuple) else item

    def __repr__(self) -> str:
        return "index_exp" if self._always_tuple else "s_"


index_exp = _IndexExpression(always_tuple=True)
s_ = _IndexExpression(always_tuple=False)


def _grid_axis(key: slice) -> tuple[Any, Any, Any, int]:
    """Return start, stop, step and number of points of one slice; an imaginary step is a number of points."""
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        points = int(abs(step))
        return start, key.stop, (key.stop - start) / float(points - 1) if points != 1 else 1, points
    return start, key.stop, step, max(0, math.ceil((key.stop - start) / step))


class _Grid:
    """Builds coordinate arrays from slices: whole ones (`mgrid`) or open ones that broadcast (`ogrid`)."""

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        # NumPy takes a list of slices, too.
        if not isinstance(key, (tuple, list)):
            return self._single(key)
        axes = [_grid_axis(one) for one in key]
        # A number of points makes the grid floating, whole bounds or not.
        sizes = [
            abs(one.step) if isinstance(one.step, complex) else axis[2]
            for one, axis in zip(key, axes, strict=True)
        ]
        dtype = _core.result_type(0, *(axis[0] for axis in axes), *(axis[1] for axis in axes), *sizes)
        opened = []
        for place, (start, _, step, points) in enumerate(axes):
            counts = _core.arange(0, points, 1, dtype)
            along = (None,) * place + (slice(None),) + (None,) * (len(axes) - place - 1)
            # Bounds that are arrays spread: over the whole grid, or before the axis is set among the others.
            opened.append((counts * step + start)[along] if self._sparse else counts[along] * step + start)
        if self._sparse:
            return tuple(opened)
        if not opened:
            return _core.indices((), dtype)
        shape = tuple(points for *_, points in axes)
        whole = [_core.broadcast_to(one, shape) for one in opened]
        return _core.stack(whole, axis=0, dtype=dtype, casting="unsafe")

    def _single(self, key: slice) -> ndarray:
        start = 0 if key.start is None else key.start
        if not isinstance(key.step, complex):
            return arange(start, key.stop, key.step)
        start, stop, step, points = _grid_axis(key)
        dtype = _core.result_type(start, stop, abs(key.step))
        grid: ndarray = _core.arange(0, points, 1, dtype) * step + start
        return grid

    def __repr__(self) -> str:
        return "ogrid" if self._sparse else "mgrid"


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


class _Concatenator:
    """Joins what it is indexed with: slices become ranges, the rest arrays."""

    def __init__(self, name: str, axis: int, ndmin: int, position: int) -> None:
        self._name = name
        self._defaults = axis, ndmin, position

    def __getitem__(self, key: Any) -> ndarray:
        axis, ndmin, position = self._defaults
        items = list(key) if isinstance(key, tuple) else [key]
        if items and isinstance(items[0], str):
            axis, ndmin, position = self._parse(items.pop(0))
        parts = [item if _is_scalar(item) else self._part(item, ndmin, position) for item in items]
        if parts:
            # Python numbers adapt to the arrays beside them, as in arithmetic.
            dtype = _core.result_type(*parts)
            parts = [_core.array(part, dtype=dtype, copy=None, ndmin=ndmin) for part in parts]
        return _core.concatenate(parts, axis)

    def _parse(self, directive: str) -> tuple[int, int, int]:
        """Read "axis", "axis,ndmin" or "axis,ndmin,position"."""
        try:
            numbers = [int(part) for part in directive.split(",")]
        except ValueError:
            raise ValueError(f"{self._name}: unknown special directive {directive!r}") from None
        if len(numbers) > 3:
            raise ValueError(f"{self._name}: unknown special directive {directive!r}")
        axis, ndmin, position = numbers + list(self._defaults[len(numbers) :])
        return axis, ndmin, position

    def _part(self, item: Any, ndmin: int, position: int) -> ndarray:
        if isinstance(item, str):
            raise ValueError(f"{self._name}: special directives must be the first entry")
        if isinstance(item, slice):
            start = 0 if item.start is None else item.start
            if isinstance(item.step, complex):
                own = linspace(start, item.stop, num=int(abs(item.step)))
            else:
                own = _core.arange(start, item.stop, 1 if item.step is None else item.step, None)
        else:
            own = as_array(item)
        made = _core.array(own, copy=None, ndmin=ndmin)
        if position == -1 or own.ndim >= ndmin:
            return made
        added = ndmin - own.ndim
        place = position + added + 1 if position < 0 else position
        axes = list(range(ndmin))
        return made.transpose(axes[:added][:place] + axes[added:] + axes[:added][place:])

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return self._name


def _is_scalar(item: Any) -> bool:
    return isinstance(item, (bool, int, float, complex, np.generic))


r_ = _Concatenator("r_", axis=0, ndmin=1, position=-1)
c_ = _Concatenator("c_", axis=-1, ndmin=2, position=0)

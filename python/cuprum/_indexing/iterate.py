"""Walking over arrays on the host, applying functions to their slices, and asking what memory they share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy import ndindex

from .. import _core
from .._convert import as_array, normalize_axis
from .._core import ndarray

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "apply_along_axis",
    "apply_over_axes",
    "broadcast",
    "iterable",
    "may_share_memory",
    "ndenumerate",
    "ndindex",
    "shares_memory",
]


class ndenumerate:
    """Iterate over an array's indices and elements.

    Parameters
    ----------
    arr : array_like
        The array; its elements are copied to the host when the iterator is made.

    Examples
    --------
    >>> for index, value in cp.ndenumerate(cp.array([[1, 2]])):
    ...     print(index, value)
    (0, 0) 1
    (0, 1) 2
    """

    def __init__(self, arr: Any) -> None:
        self._items = np.ndenumerate(as_array(arr).get())

    def __next__(self) -> tuple[tuple[int, ...], Any]:
        return next(self._items)

    def __iter__(self) -> ndenumerate:
        return self


class broadcast:
    """What arrays look like when broadcast against each other.

    Parameters
    ----------
    *args : array_like
        The arrays.

    Examples
    --------
    >>> cp.broadcast([1, 2, 3], [[4], [5]]).shape
    (2, 3)
    """

    def __init__(self, *args: Any) -> None:
        self._arrays = [as_array(a) for a in args]
        self._shape: tuple[int, ...] = _core.broadcast_shapes(*(a.shape for a in self._arrays))
        self.numiter = len(self._arrays)
        self.index = 0
        self._walk: Iterator[Any] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The common shape."""
        return self._shape

    @property
    def ndim(self) -> int:
        """The number of axes of the common shape."""
        return len(self._shape)

    @property
    def nd(self) -> int:
        """The number of axes of the common shape."""
        return len(self._shape)

    @property
    def values(self) -> list[ndarray]:
        """The arrays in the common shape: views."""
        return [_core.broadcast_to(a, self._shape) for a in self._arrays]

    @property
    def size(self) -> int:
        """The number of elements of the common shape."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def iters(self) -> tuple[Iterator[Any], ...]:
        """One iterator over the elements of each array in the common shape."""
        hosts = (np.broadcast_to(a.get(), self.shape) for a in self._arrays)
        return tuple(host.flat for host in hosts)

    def reset(self) -> None:
        """Begin the iteration anew.

        Examples
        --------
        >>> b = cp.broadcast(cp.arange(2), cp.arange(2))
        >>> first = next(b)
        >>> b.reset()
        >>> b.index
        0
        """
        self.index = 0
        self._walk = None

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[Any, ...]:
        if self._walk is None:
            self._walk = zip(*self.iters, strict=True)
        item = next(self._walk)
        self.index += 1
        return item


def apply_along_axis(
    func1d: Callable[..., Any], axis: SupportsIndex, arr: ArrayLike, *args: Any, **kwargs: Any
) -> ndarray:
    """Apply a function to each vector of an array along an axis.

    Parameters
    ----------
    func1d : callable
        Takes a vector, and returns an array or a scalar.
    axis : int
        The axis.
    arr : array_like
        The array.
    *args, **kwargs
        Passed to the function.

    Returns
    -------
    ndarray
        The results, with their axes in the place of the axis.

    Examples
    --------
    >>> cp.apply_along_axis(lambda v: v.max() - v.min(), 1, [[1, 5], [2, 9]])
    array([4, 7])
    """
    arr = as_array(arr)
    axis = normalize_axis("apply_along_axis", axis, arr.ndim)
    lines = _core.moveaxis(arr, axis, -1)
    outer = lines.shape[:-1]
    if 0 in outer:
        raise ValueError("apply_along_axis: cannot apply when any iteration dimensions are 0")
    results = [
        as_array(func1d(lines[index], *args, **kwargs)) for index in itertools.product(*map(range, outer))
    ]
    first = results[0]
    stacked = _core.stack([r.astype(first.dtype, copy=False) for r in results], 0).reshape(
        outer + first.shape
    )
    places = list(range(len(outer)))
    inner = list(range(len(outer), stacked.ndim))
    return stacked.transpose(places[:axis] + inner + places[axis:])


def apply_over_axes(func: Any, a: Any, axes: Any) -> ndarray:
    """Apply a function over several axes, one after the other.

    Parameters
    ----------
    func : callable
        Takes an array and an axis; its result has the array's dimensions, or lacks that axis.
    a : array_like
        The array.
    axes : int or sequence of int
        The axes.

    Returns
    -------
    ndarray
        The result, with as many dimensions as `a`.

    Examples
    --------
    >>> cp.apply_over_axes(cp.sum, cp.ones((2, 3, 4)), [0, 2])
    array([[[8.],
            [8.],
            [8.]]])
    """
    value = as_array(a)
    ndim = value.ndim
    for axis in axes if isinstance(axes, (list, tuple)) else np.atleast_1d(axes).tolist():
        axis = axis + ndim if axis < 0 else axis
        result = func(value, axis)
        if result.ndim != value.ndim:
            result = _core.expand_dims(result, axis)
        if result.ndim != value.ndim:
            raise ValueError("apply_over_axes: function is not returning an array of the correct shape")
        value = result
    return value


def iterable(y: Any) -> bool:
    """Tell whether an object can be iterated over.

    Parameters
    ----------
    y : object
        The object.

    Returns
    -------
    bool
        True where `iter(y)` works.

    Examples
    --------
    >>> cp.iterable([1, 2]), cp.iterable(5)
    (True, False)
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


class _Extent:
    """The memory of an array on the CPU, for NumPy to compare: nothing is read."""

    def __init__(self, a: ndarray) -> None:
        shown = (a.data.ptr, True)
        kind = f"|V{a.itemsize}"
        self.__array_interface__ = dict(version=3, data=shown, shape=a.shape, strides=a.strides, typestr=kind)


def _overlap(ask: Callable[..., Any], a: Any, b: Any, max_work: SupportsIndex) -> bool:
    """Ask about arrays of which one is NumPy's: a view of the other's memory, it may be."""
    operands = []
    for x in (a, b):
        if isinstance(x, ndarray):
            if x.device != "cpu":
                return False
            x = np.asarray(_Extent(x))
        operands.append(x)
    return bool(ask(*operands, max_work=max_work))


def _with_memory(a: Any) -> ndarray:
    """Return the array that has the memory of `a`: of structures and dates that of their bytes."""
    bytes_: ndarray | None = getattr(a, "_bytes", None) if getattr(type(a), "_is_stored", False) else None
    return as_array(a) if bytes_ is None else bytes_


def shares_memory(a: ArrayLike, b: ArrayLike, /, max_work: SupportsIndex = -1) -> bool:
    """Tell whether two arrays have elements in the same memory.

    Parameters
    ----------
    a, b : ndarray
        The arrays; NumPy's too, which may lie over the memory of one on the CPU.
    max_work : int, optional
        Taken for compatibility; the answer is always exact.

    Returns
    -------
    bool
        True where some byte belongs to an element of each.

    Examples
    --------
    >>> a = cp.arange(6)
    >>> cp.shares_memory(a[::2], a[1::2]), cp.shares_memory(a[::2], a[2:])
    (False, True)
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _overlap(np.shares_memory, a, b, max_work)
    return _core.shares_memory(_with_memory(a), _with_memory(b))


def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: SupportsIndex = 0) -> bool:
    """Tell whether two arrays lie in memory ranges that overlap.

    Parameters
    ----------
    a, b : ndarray
        The arrays; NumPy's too, which may lie over the memory of one on the CPU.
    max_work : int, optional
        Taken for compatibility.

    Returns
    -------
    bool
        False where no element can be shared; True where the ranges overlap.

    Examples
    --------
    >>> a = cp.arange(6)
    >>> cp.may_share_memory(a, a[2:]), cp.may_share_memory(a, cp.arange(6))
    (True, False)
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _overlap(np.may_share_memory, a, b, max_work)
    return _core.may_share_memory(_with_memory(a), _with_memory(b))

"""Sorting, partitioning and searching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import complex64, complex128
from .._errors import names_itself, of_stored

if TYPE_CHECKING:
    from .._typing import ArrayLike, ShapeLike


__all__ = [
    "argpartition",
    "argsort",
    "lexsort",
    "partition",
    "searchsorted",
    "sort",
    "sort_complex",
]


def sort(
    a: ArrayLike,
    axis: SupportsIndex = -1,
    kind: Literal["quicksort", "mergesort", "heapsort", "stable"] | None = None,
    order: Any = None,
    *,
    stable: bool | None = None,
) -> ndarray:
    """Return a sorted copy of an array.

    NaN comes last; complex numbers are ordered by their real parts, then by their imaginary parts, and
    structures by one field after the other. Equal elements keep their order, whatever `kind` says.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis along which to sort; the flattened array when None.
    kind : {"quicksort", "mergesort", "heapsort", "stable"}, optional
        Accepted for compatibility: there is one, stable, way of sorting.
    order : str or sequence of str, optional
        The fields of structures that are compared before all others.
    stable : bool, optional
        Accepted for compatibility: every sort is stable.

    Returns
    -------
    ndarray
        The elements in order, of the same shape and dtype.

    Examples
    --------
    >>> cp.sort([3.0, cp.nan, -1.0, 2.0])
    array([-1.,  2.,  3., nan])
    >>> cp.sort([[3, 1], [2, 4]], axis=0)
    array([[2, 1],
           [3, 4]])
    """
    try:
        return _core.sort(a, axis, kind, order, stable)
    except (TypeError, ValueError) as error:
        return of_stored(error, sort, a, axis=axis, kind=kind, order=order, stable=stable)


def argsort(
    a: ArrayLike,
    axis: SupportsIndex = -1,
    kind: Literal["quicksort", "mergesort", "heapsort", "stable"] | None = None,
    order: Any = None,
    *,
    stable: bool | None = None,
) -> ndarray:
    """Return the positions that would sort an array.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int, optional
        The axis along which to sort; the flattened array when None.
    kind : {"quicksort", "mergesort", "heapsort", "stable"}, optional
        Accepted for compatibility: there is one, stable, way of sorting.
    order : str or sequence of str, optional
        The fields of structures that are compared before all others.
    stable : bool, optional
        Accepted for compatibility: every sort is stable.

    Returns
    -------
    ndarray
        Positions along the axis, int64; those of equal elements ascend.

    Examples
    --------
    >>> cp.argsort([30, 10, 20, 10])
    array([1, 3, 2, 0])
    """
    try:
        return _core.argsort(a, axis, kind, order, stable)
    except (TypeError, ValueError) as error:
        return of_stored(error, argsort, a, axis=axis, kind=kind, order=order, stable=stable)


def lexsort(keys: ndarray | Sequence[ArrayLike], axis: SupportsIndex = -1) -> ndarray:
    """Return the positions that sort by several keys, the last key first.

    Parameters
    ----------
    keys : sequence of array_like
        The keys, all of one shape; where elements of the last one are equal, the one before it decides.
    axis : int, optional
        The axis along which to sort.

    Returns
    -------
    ndarray
        Positions along the axis, int64.

    Examples
    --------
    >>> surnames, names = cp.array([2, 1, 2]), cp.array([9, 5, 3])
    >>> cp.lexsort((names, surnames))
    array([1, 2, 0])
    """
    try:
        return _core.lexsort(keys, axis)
    except TypeError as error:
        return of_stored(error, lexsort, keys, axis=axis)


def partition(
    a: ArrayLike,
    kth: ShapeLike,
    axis: SupportsIndex = -1,
    kind: Literal["introselect"] = "introselect",
    order: Any = None,
) -> ndarray:
    """Return a copy with some elements in the place they would have if all were sorted.

    No element before them is greater and none behind them is smaller; all other order is undefined.

    Parameters
    ----------
    a : array_like
        The array.
    kth : int or sequence of ints
        The positions that get their element.
    axis : int, optional
        The axis along which to partition; the flattened array when None.
    kind : {"introselect"}, optional
        Accepted for compatibility.
    order : None
        Accepted for compatibility: arrays have no fields.

    Returns
    -------
    ndarray
        The elements reordered.

    Examples
    --------
    >>> int(cp.partition([7, 1, 5, 3, 9], 2)[2])
    5
    """
    try:
        return _core.partition(a, kth, axis, kind, order)
    except TypeError as error:
        return of_stored(error, partition, a, kth, axis=axis, kind=kind, order=order)


def argpartition(
    a: ArrayLike,
    kth: ShapeLike,
    axis: SupportsIndex = -1,
    kind: Literal["introselect"] = "introselect",
    order: Any = None,
) -> ndarray:
    """Return the positions that would partition an array.

    Parameters
    ----------
    a : array_like
        The array.
    kth : int or sequence of ints
        The positions that get their element.
    axis : int, optional
        The axis along which to partition; the flattened array when None.
    kind : {"introselect"}, optional
        Accepted for compatibility.
    order : None
        Accepted for compatibility: arrays have no fields.

    Returns
    -------
    ndarray
        Positions along the axis, int64.

    See Also
    --------
    partition : what these positions make of the array.

    Examples
    --------
    >>> int(cp.argpartition([7, 1, 5, 3, 9], 0)[0])
    1
    """
    try:
        return _core.argpartition(a, kth, axis, kind, order)
    except TypeError as error:
        return of_stored(error, argpartition, a, kth, axis=axis, kind=kind, order=order)


def searchsorted(
    a: ArrayLike, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None
) -> ndarray:
    """Return where elements would have to go into a sorted array to keep it sorted.

    Parameters
    ----------
    a : array_like
        The sorted array, of one dimension.
    v : array_like
        The elements.
    side : {"left", "right"}, optional
        Whether to go before or behind elements that are equal.
    sorter : array_like of int, optional
        Positions that sort `a` where it is not sorted, as `argsort` gives them.

    Returns
    -------
    ndarray
        Positions in `a`, int64, of the shape of `v`.

    Examples
    --------
    >>> cp.searchsorted([1, 3, 3, 5], [3, 4])
    array([1, 3])
    >>> cp.searchsorted([1, 3, 3, 5], [3, 4], side="right")
    array([3, 3])
    """
    try:
        return _core.searchsorted(a, v, side, sorter)
    except TypeError as error:
        return of_stored(error, searchsorted, a, v, side=side, sorter=sorter)


@names_itself
def sort_complex(a: ArrayLike) -> ndarray:
    """Return a sorted copy, as complex numbers, along the last axis.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    ndarray
        The elements in order of their real parts, then of their imaginary parts.

    Examples
    --------
    >>> cp.sort_complex([3, 1j, 2])
    array([0.+1.j, 2.+0.j, 3.+0.j])
    """
    result = sort(as_array(a))
    if result.dtype.kind == "c":
        return result
    narrow = result.dtype.name in ("int8", "int16", "uint8", "uint16")
    return result.astype(complex64 if narrow else complex128)

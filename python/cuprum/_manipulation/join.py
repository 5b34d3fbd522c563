"""Joining arrays and splitting them."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, is_plain, with_methods
from .._core import ndarray
from .._errors import names_itself
from .shape import atleast_2d, atleast_3d

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


__all__ = [
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]


def concatenate(
    arrays: ndarray | Sequence[ArrayLike],
    /,
    axis: SupportsIndex | None = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """Join arrays along an axis that they have.

    Parameters
    ----------
    arrays : sequence of array_like
        The arrays, of equal shape but for that axis.
    axis : int or None, optional
        The axis; None flattens the arrays first.
    out : ndarray, optional
        Where to put the result.
    dtype : dtype, optional
        The dtype of the result; found by promotion when None. Not together with `out`.
    casting : str, optional
        Which casts to the result's dtype are allowed.

    Returns
    -------
    ndarray
        The joined array.

    Examples
    --------
    >>> cp.concatenate([[1, 2], [3.5]])
    array([1. , 2. , 3.5])
    """
    if axis is None and out is None and dtype is None and isinstance(arrays, (list, tuple)):
        arrays = _with_numbers(arrays)
    try:
        return _core.concatenate(arrays, axis, out, dtype, casting)
    except TypeError as error:
        # An array without axes is an integer too.
        if isinstance(axis, (ndarray, np.ndarray, list, tuple)) and np.ndim(axis) > 0:
            raise TypeError(
                f"concatenate: axis must be an integer, got {type(axis).__name__}; the arrays are one "
                "sequence, as in concatenate((a, b))"
            ) from None
        return _stored(error, "concatenate", arrays, axis, out, dtype, casting)


def _stored(error: TypeError, op: str, *arguments: Any) -> ndarray:
    """Return structures or dates joined, or raise what the engine raised."""
    from .. import _stored as stored

    joined: ndarray = stored.joined(error, op, *arguments)
    return joined


def _with_numbers(arrays: Any) -> Any:
    """Return arrays to be joined flat; Python's numbers among them take the dtype of the others."""
    numbers = [type(a) in (int, float, complex) for a in arrays]
    if not any(numbers) or all(numbers):
        return arrays
    arrays = [a if number else with_methods(a) for a, number in zip(arrays, numbers, strict=True)]
    if not all(number or is_plain(a) for a, number in zip(arrays, numbers, strict=True)):
        return arrays
    dtype = _core.result_type(*arrays)
    return [as_array(a).astype(dtype, copy=False) for a in arrays]


concat = concatenate


def stack(
    arrays: ndarray | Sequence[ArrayLike],
    axis: SupportsIndex = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """Join arrays of equal shape along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like
        The arrays.
    axis : int, optional
        Where the new axis lies in the result.
    out : ndarray, optional
        Where to put the result.
    dtype : dtype, optional
        The dtype of the result; found by promotion when None. Not together with `out`.
    casting : str, optional
        Which casts to the result's dtype are allowed.

    Returns
    -------
    ndarray
        The stacked array.

    Examples
    --------
    >>> cp.stack([[1, 2], [3, 4]], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    try:
        return _core.stack(arrays, axis, out, dtype, casting)
    except TypeError as error:
        return _stored(error, "stack", arrays, axis, out, dtype, casting)


def _sequence(op: str, tup: Any) -> list[Any]:
    """Return the arrays to join as a list; NumPy takes sequences and arrays, not iterators."""
    if not hasattr(tup, "__getitem__"):
        raise TypeError(f"{op}: arrays to stack must be passed as a sequence, got {type(tup).__name__}")
    return list(tup)


@names_itself
def vstack(
    tup: ndarray | Sequence[ArrayLike], *, dtype: DTypeLike | None = None, casting: str = "same_kind"
) -> ndarray:
    """Stack arrays as rows, vectors as single ones.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays.
    dtype : dtype, optional
        The dtype of the result; found by promotion when None.
    casting : str, optional
        Which casts to the result's dtype are allowed.

    Returns
    -------
    ndarray
        The stacked array, of at least two dimensions.

    Examples
    --------
    >>> cp.vstack(([1, 2], [3, 4]))
    array([[1, 2],
           [3, 4]])
    """
    arrays = [atleast_2d(a) for a in _sequence("vstack", tup)]
    return concatenate(arrays, 0, dtype=dtype, casting=casting)


@names_itself
def hstack(
    tup: ndarray | Sequence[ArrayLike], *, dtype: DTypeLike | None = None, casting: str = "same_kind"
) -> ndarray:
    """Stack arrays side by side, along the second axis; vectors along their only one.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays.
    dtype : dtype, optional
        The dtype of the result; found by promotion when None.
    casting : str, optional
        Which casts to the result's dtype are allowed.

    Returns
    -------
    ndarray
        The stacked array.

    Examples
    --------
    >>> cp.hstack(([1, 2], [3]))
    array([1, 2, 3])
    """
    arrays = [with_methods(a) for a in _sequence("hstack", tup)]
    arrays = [a.reshape(1) if a.ndim == 0 else a for a in arrays]
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return concatenate(arrays, axis, dtype=dtype, casting=casting)


@names_itself
def dstack(tup: ndarray | Sequence[ArrayLike]) -> ndarray:
    """Stack arrays along the third axis.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays.

    Returns
    -------
    ndarray
        The stacked array, of at least three dimensions.

    Examples
    --------
    >>> cp.dstack(([1, 2], [3, 4]))
    array([[[1, 3],
            [2, 4]]])
    """
    return concatenate([atleast_3d(a) for a in _sequence("dstack", tup)], 2)


@names_itself
def column_stack(tup: ndarray | Sequence[ArrayLike]) -> ndarray:
    """Stack vectors as the columns of a matrix; matrices are taken as they are.

    Parameters
    ----------
    tup : sequence of array_like
        Arrays of one or two dimensions.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.column_stack(([1, 2], [3, 4]))
    array([[1, 3],
           [2, 4]])
    """
    arrays = [with_methods(a) for a in _sequence("column_stack", tup)]
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in arrays], 1)


@names_itself
def unstack(x: ArrayLike, /, *, axis: SupportsIndex = 0) -> tuple[ndarray, ...]:
    """Split an array into its slices along an axis.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int, optional
        The axis, which the slices do not have.

    Returns
    -------
    tuple of ndarray
        Views of the slices.

    Examples
    --------
    >>> cp.unstack(cp.arange(4).reshape(2, 2))
    (array([0, 1]), array([2, 3]))
    """
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("unstack: input array must be at least 1-d")
    return tuple(_core.moveaxis(x, axis, 0))


@names_itself
def block(arrays: Any) -> ndarray:
    """Assemble an array from nested lists of blocks.

    Parameters
    ----------
    arrays : array_like or nested list of array_like
        Blocks in the innermost lists are joined along the last axis, those lists along the one before it,
        and so on.

    Returns
    -------
    ndarray
        The assembled array.

    Examples
    --------
    >>> cp.block([[cp.ones((1, 1)), cp.zeros((1, 2))], [cp.full((1, 3), 7.0)]])
    array([[1., 0., 0.],
           [7., 7., 7.]])
    """
    depth, ndim = _block_depth(arrays, ())
    result_ndim = max(depth, ndim)

    def join(part: Any, level: int) -> ndarray:
        if level == depth:
            return _core.array(part, copy=None, ndmin=result_ndim)
        return _core.concatenate([join(one, level + 1) for one in part], level - depth)

    return join(arrays, 0) if depth else _core.array(arrays, copy=True)


def _block_depth(part: Any, index: tuple[int, ...]) -> tuple[int, int]:
    """Return how deep the lists are nested, the same everywhere, and the largest dimension of a block."""
    place = "arrays" + "".join(f"[{i}]" for i in index)
    if isinstance(part, tuple):
        raise TypeError(f"block: {place} is a tuple; only lists can be used to arrange blocks")
    if not isinstance(part, list):
        return len(index), as_array(part).ndim
    if not part:
        raise ValueError(f"block: list at {place} cannot be empty")
    found = [_block_depth(one, (*index, i)) for i, one in enumerate(part)]
    depths = {depth for depth, _ in found}
    if len(depths) > 1:
        raise ValueError(f"block: list depths are mismatched at {place}: {sorted(depths)}")
    return depths.pop(), max(ndim for _, ndim in found)


@names_itself
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[ndarray]:
    """Split an array into parts, which need not be of equal length.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many parts, or where to cut.
    axis : int, optional
        The axis along which to cut.

    Returns
    -------
    list of ndarray
        Views of the parts.

    Examples
    --------
    >>> cp.array_split(cp.arange(5), 2)
    [array([0, 1, 2]), array([3, 4])]
    """
    ary = as_array(ary)
    total = ary.shape[axis]
    try:
        cuts = [0, *(operator.index(cut) for cut in indices_or_sections), total]
    except TypeError:
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError(f"array_split: number sections must be larger than 0, got {sections}") from None
        each, extras = divmod(total, sections)
        sizes = extras * [each + 1] + (sections - extras) * [each]
        cuts = [0, *itertools.accumulate(sizes)]
    before = (slice(None),) * (axis % ary.ndim)
    return [ary[before + (slice(start, stop),)] for start, stop in itertools.pairwise(cuts)]


@names_itself
def split(ary: ArrayLike, indices_or_sections: ShapeLike, axis: int = 0) -> list[ndarray]:
    """Split an array into equal parts, or at given places.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many parts, or where to cut.
    axis : int, optional
        The axis along which to cut.

    Returns
    -------
    list of ndarray
        Views of the parts.

    Examples
    --------
    >>> cp.split(cp.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    >>> cp.split(cp.arange(4), [1, 3])
    [array([0]), array([1, 2]), array([3])]
    """
    return _split("split", ary, indices_or_sections, axis)


def _split(op: str, ary: Any, indices_or_sections: Any, axis: int) -> list[ndarray]:
    ary = as_array(ary)
    if not hasattr(indices_or_sections, "__len__") and ary.shape[axis] % indices_or_sections:
        raise ValueError(
            f"{op}: array split does not result in an equal division: "
            f"{ary.shape[axis]} into {indices_or_sections}"
        )
    return array_split(ary, indices_or_sections, axis)


@names_itself
def hsplit(ary: ArrayLike, indices_or_sections: ShapeLike) -> list[ndarray]:
    """Split an array along its second axis, a vector along its only one.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many equal parts, or where to cut.

    Returns
    -------
    list of ndarray
        Views of the parts.

    Examples
    --------
    >>> cp.hsplit(cp.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    ary = as_array(ary)
    if ary.ndim == 0:
        raise ValueError("hsplit: only works on arrays of 1 or more dimensions")
    return _split("hsplit", ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


@names_itself
def vsplit(ary: ArrayLike, indices_or_sections: ShapeLike) -> list[ndarray]:
    """Split an array of at least two dimensions along its first axis.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many equal parts, or where to cut.

    Returns
    -------
    list of ndarray
        Views of the parts.

    Examples
    --------
    >>> cp.vsplit(cp.arange(4).reshape(2, 2), 2)
    [array([[0, 1]]), array([[2, 3]])]
    """
    ary = as_array(ary)
    if ary.ndim < 2:
        raise ValueError("vsplit: only works on arrays of 2 or more dimensions")
    return _split("vsplit", ary, indices_or_sections, 0)


@names_itself
def dsplit(ary: ArrayLike, indices_or_sections: ShapeLike) -> list[ndarray]:
    """Split an array of at least three dimensions along its third axis.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        How many equal parts, or where to cut.

    Returns
    -------
    list of ndarray
        Views of the parts.

    Examples
    --------
    >>> [part.shape for part in cp.dsplit(cp.ones((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    ary = as_array(ary)
    if ary.ndim < 3:
        raise ValueError("dsplit: only works on arrays of 3 or more dimensions")
    return _split("dsplit", ary, indices_or_sections, 2)

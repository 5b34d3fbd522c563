"""Extrema and medians of labelled parts of images, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._labelled import Parts, chosen, is_one_label, with_labels

__all__ = ["extrema", "maximum", "maximum_position", "median", "minimum", "minimum_position"]


class _Ordered:
    """The elements of each part in ascending order."""

    def __init__(self, input: Any, labels: Any, index: Any) -> None:
        a, marks = with_labels(input, labels)
        self.parts = Parts(marks, index)
        flat = a.ravel()
        # Two stable sorts: by value, then by part.
        by_value = cp.argsort(flat, kind="stable")
        by_part = cp.argsort(self.parts.of_element[by_value], kind="stable")
        self.order = by_value[by_part]
        self.values = flat[self.order]
        ordered = self.parts.of_element[self.order]
        numbers = cp.arange(self.parts.count)
        self.first = cp.searchsorted(ordered, numbers, side="left")
        self.last = cp.searchsorted(ordered, numbers, side="right") - 1
        self.missing = self.last < self.first

    def at(self, source: ndarray, places: ndarray) -> ndarray:
        """Return what lies at places of the order; zero for parts without elements."""
        if source.size == 0:
            return self.parts.given(_core.zeros(self.parts.count, source.dtype))
        found = source[cp.clip(places, 0, source.size - 1)]
        return self.parts.given(cp.where(self.missing, found.dtype.type(0), found))

    def medians(self) -> ndarray:
        """Return the middle of each part, or the mean of the two in its middle."""
        half = (self.last - self.first) // 2
        low, high = self.at(self.values, self.first + half), self.at(self.values, self.last - half)
        if self.values.dtype.kind in "iub":
            low, high = low.astype(np.float64), high.astype(np.float64)
        with np.errstate(all="ignore"):
            middle = (low + high) / 2
        return cp.where(self.parts.given(self.missing), middle.dtype.type(np.nan), middle)


def _extremum(one: ndarray, largest: bool) -> ndarray:
    return one.max() if largest else one.min()


def _place_of_one(input: Any, labels: Any, index: Any, largest: bool) -> tuple[Any, ...]:
    """Return where the extremum of the one part is, as a tuple of indices."""
    a = as_array(input)
    if labels is None:
        places, values = None, a.ravel()
    else:
        a, marks = with_labels(input, labels)
        mask = (marks > 0 if index is None else marks == index).ravel()
        places = cp.flatnonzero(mask)
        values = a.ravel()[places]
    at = values.argmax() if largest else values.argmin()
    return tuple(cp.unravel_index(at if places is None else places[at], a.shape))


def _tuples(flat: ndarray, shape: tuple[int, ...]) -> list[tuple[Any, ...]]:
    columns = [column.ravel().tolist() for column in cp.unravel_index(flat.ravel(), shape)]
    return list(zip(*columns, strict=True))


@documented
@names_itself
def minimum(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the smallest elements of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        An element for each label of the index, or one; zero where a label does not occur.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.minimum(cp.array([4, 2, 3, 5]), cp.array([1, 1, 2, 2]), [1, 2])
    array([2, 3])
    """
    one = chosen(input, labels, index)
    if one is not None:
        return _extremum(one, False)
    ordered = _Ordered(input, labels, index)
    return ordered.at(ordered.values, ordered.first)


@documented
@names_itself
def maximum(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the largest elements of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        An element for each label of the index, or one; zero where a label does not occur.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.maximum(cp.array([4, 2, 3, 5]), cp.array([1, 1, 2, 2]), [1, 2])
    array([4, 5])
    """
    one = chosen(input, labels, index)
    if one is not None:
        return _extremum(one, True)
    ordered = _Ordered(input, labels, index)
    return ordered.at(ordered.values, ordered.last)


@documented
@names_itself
def median(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the medians of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A median for each label of the index, or one; NaN where a label does not occur.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.median(cp.array([4, 2, 9, 5]), cp.array([1, 1, 1, 2]), [1, 2])
    array([4., 5.])
    """
    one = chosen(input, labels, index)
    return cp.median(one) if one is not None else _Ordered(input, labels, index).medians()


@documented
@names_itself
def minimum_position(input: Any, labels: Any = None, index: Any = None) -> Any:
    """Return where the smallest elements of the parts of an array are.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    tuple or list of tuple
        The indices of the first smallest element; for an index of several labels, a list of such tuples.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.minimum_position(cp.array([4, 2, 3]), cp.array([1, 1, 2]), [1, 2])
    [(1,), (2,)]
    """
    if labels is None or index is None or is_one_label(index):
        return _place_of_one(input, labels, index, False)
    ordered = _Ordered(input, labels, index)
    return _tuples(ordered.at(ordered.order, ordered.first), as_array(input).shape)


@documented
@names_itself
def maximum_position(input: Any, labels: Any = None, index: Any = None) -> Any:
    """Return where the largest elements of the parts of an array are.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    tuple or list of tuple
        The indices of a largest element; for an index of several labels, a list of such tuples.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.maximum_position(cp.array([4, 2, 3]), cp.array([1, 1, 2]), [1, 2])
    [(0,), (2,)]
    """
    if labels is None or index is None or is_one_label(index):
        return _place_of_one(input, labels, index, True)
    ordered = _Ordered(input, labels, index)
    return _tuples(ordered.at(ordered.order, ordered.last), as_array(input).shape)


@documented
@names_itself
def extrema(input: Any, labels: Any = None, index: Any = None) -> Any:
    """Return the smallest and the largest elements of the parts of an array, and where they are.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    minimums, maximums : ndarray
        An element for each label of the index, or one.
    min_positions, max_positions : tuple or list of tuple
        Their indices.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.extrema(cp.array([4, 2, 3]), cp.array([1, 1, 2]), [1, 2])
    (array([2, 3]), array([4, 3]), [(1,), (2,)], [(0,), (2,)])
    """
    one = chosen(input, labels, index)
    if one is not None:
        return (
            _extremum(one, False),
            _extremum(one, True),
            _place_of_one(input, labels, index, False),
            _place_of_one(input, labels, index, True),
        )
    ordered, shape = _Ordered(input, labels, index), as_array(input).shape
    return (
        ordered.at(ordered.values, ordered.first),
        ordered.at(ordered.values, ordered.last),
        _tuples(ordered.at(ordered.order, ordered.first), shape),
        _tuples(ordered.at(ordered.order, ordered.last), shape),
    )

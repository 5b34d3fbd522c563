"""Measurements of labelled parts of images: sums, means, extrema and where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import is_complex
from ._documentation import documented

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike


__all__ = [
    "center_of_mass",
    "extrema",
    "histogram",
    "labeled_comprehension",
    "maximum",
    "maximum_position",
    "mean",
    "median",
    "minimum",
    "minimum_position",
    "standard_deviation",
    "sum",
    "sum_labels",
    "variance",
]


def _is_one(index: Any) -> bool:
    """Return whether an index is one label, not an array of them."""
    return np.ndim(index) == 0 and not isinstance(index, (list, tuple))


def _with_labels(input: Any, labels: Any) -> tuple[ndarray, ndarray]:
    a, marks = as_array(input), as_array(labels)
    if a.shape != marks.shape:
        a, marks = cp.broadcast_arrays(a, marks)
    return a, marks


def _chosen(input: Any, labels: Any, index: Any) -> ndarray | None:
    """Return the elements of the one part that is measured; None where there are several."""
    if labels is None:
        return as_array(input)
    if index is not None and not _is_one(index):
        return None
    a, marks = _with_labels(input, labels)
    return a[marks > 0] if index is None else a[marks == index]


class _Parts:
    """The parts of an array that the labels of an index mark."""

    def __init__(self, labels: ndarray, index: Any) -> None:
        index = as_array(index)
        self.shape = index.shape
        self.wanted, self.place = cp.unique(index, return_inverse=True)
        self.place = self.place.reshape(-1)
        self.count = self.wanted.size
        found = cp.searchsorted(self.wanted, labels.ravel())
        nearest = cp.minimum(found, max(self.count - 1, 0))
        is_wanted = self.wanted[nearest] == labels.ravel() if self.count else cp.zeros(labels.size, bool)
        # The part of each element by its position among the labels; what belongs to none comes last.
        self.of_element = cp.where(is_wanted, nearest, self.count)

    def sums(self, values: ndarray) -> ndarray:
        """Return the sum of each part, in float64 or complex128."""
        flat = values.ravel()
        if is_complex(flat):
            return self.sums(flat.real) + 1j * self.sums(flat.imag)
        return cp.bincount(self.of_element, weights=flat, minlength=self.count + 1)[: self.count]

    def sizes(self) -> ndarray:
        """Return how many elements each part has."""
        return cp.bincount(self.of_element, minlength=self.count + 1)[: self.count]

    def given(self, values: ndarray) -> ndarray:
        """Return results of parts in the order and the shape of the index."""
        return values[self.place].reshape(self.shape)


def _moments(input: Any, labels: Any, index: Any, centered: bool) -> tuple[Any, Any, Any]:
    """Return sizes, sums and, where asked for, sums of squared distances from the mean."""
    one = _chosen(input, labels, index)
    if one is not None:
        away = (one - one.mean()) if centered else one
        return one.size, one.sum(), (away * away.conj()).sum() if centered else None
    a, marks = _with_labels(input, labels)
    parts = _Parts(marks, index)
    sizes, sums = parts.sizes(), parts.sums(a)
    squares = None
    if centered:
        with np.errstate(all="ignore"):
            means = cp.append(sums / sizes, 0)
        away = a.ravel() - means[parts.of_element]
        squares = parts.given(parts.sums((away * away.conj()).real if is_complex(a) else away * away))
    return parts.given(sizes), parts.given(sums), squares


@documented
@names_itself
def sum_labels(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the sums of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A sum for each label of the index, or one.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.sum_labels(cp.array([1, 2, 3, 4]), cp.array([1, 1, 2, 2]), [1, 2])
    array([3., 7.])
    """
    result: ndarray = _moments(input, labels, index, False)[1]
    return result


@documented
@names_itself
def sum(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return what `sum_labels` does, under its former name.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A sum for each label of the index, or one.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.sum(cp.array([1, 2, 3]))
    array(6)
    """
    return sum_labels(input, labels, index)


@documented
@names_itself
def mean(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the means of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A mean for each label of the index, or one; NaN where a label does not occur.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.mean(cp.array([1, 2, 3, 4]), cp.array([1, 1, 2, 2]), [1, 2])
    array([1.5, 3.5])
    """
    sizes, sums, _ = _moments(input, labels, index, False)
    result: ndarray = sums / as_array(sizes).astype(np.float64)
    return result


@documented
@names_itself
def variance(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the variances of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A variance for each label of the index, or one.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.variance(cp.array([1.0, 3.0, 5.0]), cp.array([1, 1, 2]), [1, 2])
    array([1., 0.])
    """
    sizes, _, squares = _moments(input, labels, index, True)
    result: ndarray = squares / as_array(sizes).astype(np.float64)
    return result


@documented
@names_itself
def standard_deviation(input: Any, labels: Any = None, index: Any = None) -> ndarray:
    """Return the standard deviations of the parts of an array.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    ndarray
        A standard deviation for each label of the index, or one.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.standard_deviation(cp.array([1.0, 3.0, 5.0]), cp.array([1, 1, 2]), [1, 2])
    array([1., 0.])
    """
    return cp.sqrt(variance(input, labels, index))


class _Ordered:
    """The elements of each part in ascending order."""

    def __init__(self, input: Any, labels: Any, index: Any) -> None:
        a, marks = _with_labels(input, labels)
        self.parts = _Parts(marks, index)
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
        a, marks = _with_labels(input, labels)
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
    one = _chosen(input, labels, index)
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
    one = _chosen(input, labels, index)
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
    one = _chosen(input, labels, index)
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
    if labels is None or index is None or _is_one(index):
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
    if labels is None or index is None or _is_one(index):
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
    one = _chosen(input, labels, index)
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


@documented
@names_itself
def center_of_mass(input: Any, labels: Any = None, index: Any = None) -> Any:
    """Return the centres of the parts of an array, its elements taken for masses.

    Parameters
    ----------
    {input}
    {labels}
    {index}

    Returns
    -------
    tuple or list of tuple
        A coordinate along each axis; for an index of several labels, a list of such tuples.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.center_of_mass(cp.array([[0, 1], [0, 1]]))
    (array(0.5), array(1.))
    """
    a = as_array(input)
    mass = sum_labels(a, labels, index)
    centres = []
    for axis in range(a.ndim):
        shape = [1] * a.ndim
        shape[axis] = a.shape[axis]
        at = cp.arange(a.shape[axis], dtype=np.float64).reshape(shape)
        centres.append(sum_labels(a * at, labels, index) / mass)
    if mass.ndim == 0:
        return tuple(centres)
    columns = [centre.ravel().tolist() for centre in centres]
    return list(zip(*columns, strict=True))


@documented
@names_itself
def labeled_comprehension(
    input: Any,
    labels: ArrayLike | None,
    index: Any,
    func: Callable[..., Any],
    out_dtype: DTypeLike,
    default: Any,
    pass_positions: bool = False,
) -> ndarray:
    """Return what a function makes of each part of an array.

    Parameters
    ----------
    {input}
    labels : array_like or None
        The label of each element.
    {index}
    func : callable
        Takes the elements of a part as a one-dimensional array.
    out_dtype : dtype
        The dtype of the result.
    default : scalar
        The result for labels that do not occur.
    pass_positions : bool, optional
        Whether the function takes the places of the elements in the flattened array too.

    Returns
    -------
    ndarray
        A result for each label of the index, or one.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a, labels = cp.array([4, 2, 3]), cp.array([1, 1, 2])
    >>> ndimage.labeled_comprehension(a, labels, [1, 2, 3], cp.ptp, int, -1)
    array([ 2,  0, -1])
    """
    op = "labeled_comprehension"
    a = as_array(input)
    places = cp.arange(a.size).reshape(a.shape) if pass_positions else None

    def applied(mask: ndarray | None) -> Any:
        values = a.ravel() if mask is None else a[mask]
        if places is None:
            return func(values)
        return func(values, places.ravel() if mask is None else places[mask])

    if labels is None:
        if index is not None:
            raise ValueError(f"{op}: index without defined labels")
        answer: ndarray = applied(None)
        return answer
    marks = as_array(labels)
    try:
        a, marks = cp.broadcast_arrays(a, marks)
    except ValueError as error:
        raise ValueError(
            f"{op}: input and labels must have the same shape (excepting dimensions with width 1), "
            f"got {a.shape} and {marks.shape}"
        ) from error
    if places is not None:
        places = cp.broadcast_to(places, a.shape)
    if index is None:
        made: ndarray = applied(marks > 0)
        return made
    wanted = cp.atleast_1d(as_array(index))
    if bool((wanted.astype(marks.dtype).astype(wanted.dtype) != wanted).any()):
        raise ValueError(
            f"{op}: Cannot convert index values from <{wanted.dtype}> to <{marks.dtype}> (labels' type) "
            "without loss of precision"
        )
    flat = marks.ravel()
    order = cp.argsort(flat, kind="stable")
    ordered = flat[order]
    lows = cp.searchsorted(ordered, wanted.astype(marks.dtype), side="left").ravel().tolist()
    highs = cp.searchsorted(ordered, wanted.astype(marks.dtype), side="right").ravel().tolist()
    values = a.ravel()[order]
    result = _core.full(wanted.shape, default, out_dtype)
    for at, low, high in zip(np.ndindex(*wanted.shape), lows, highs, strict=True):
        if low < high:
            part = values[low:high]
            result[at] = func(part) if places is None else func(part, places.ravel()[order[low:high]])
    return result[0] if _is_one(index) else result


@documented
@names_itself
def histogram(
    input: Any, min: float, max: float, bins: int, labels: Any = None, index: Any = None
) -> ndarray:
    """Return the histograms of the parts of an array.

    Parameters
    ----------
    {input}
    min, max : float
        The ends of the range.
    bins : int
        How many bins of equal width it has.
    {labels}
    {index}

    Returns
    -------
    ndarray
        The counts; for an index of several labels, a row of counts for each.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.histogram(cp.array([1, 2, 3, 4]), 0, 4, 2, cp.array([1, 1, 2, 2]), [1, 2])
    array([[1, 1],
           [0, 2]])
    """
    edges = cp.linspace(min, max, bins + 1)
    one = _chosen(input, labels, index)
    if one is not None:
        return cp.histogram(one, edges)[0]
    a, marks = _with_labels(input, labels)
    rows = [cp.histogram(a[marks == which], edges)[0] for which in as_array(index).ravel().tolist()]
    return cp.stack(rows) if rows else _core.empty((0, bins), np.int64)

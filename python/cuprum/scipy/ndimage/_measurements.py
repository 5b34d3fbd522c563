"""Measurements of labelled parts of images: sums, means, variances, histograms."""

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
from ._labelled import Parts, chosen, is_one_label, with_labels

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike


__all__ = [
    "center_of_mass",
    "histogram",
    "labeled_comprehension",
    "mean",
    "standard_deviation",
    "sum",
    "sum_labels",
    "variance",
]


def _moments(input: Any, labels: Any, index: Any, centered: bool) -> tuple[Any, Any, Any]:
    """Return sizes, sums and, where asked for, sums of squared distances from the mean."""
    one = chosen(input, labels, index)
    if one is not None:
        away = (one - one.mean()) if centered else one
        return one.size, one.sum(), (away * away.conj()).sum() if centered else None
    a, marks = with_labels(input, labels)
    parts = Parts(marks, index)
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
    return result[0] if is_one_label(index) else result


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
    one = chosen(input, labels, index)
    if one is not None:
        return cp.histogram(one, edges)[0]
    a, marks = with_labels(input, labels)
    rows = [cp.histogram(a[marks == which], edges)[0] for which in as_array(index).ravel().tolist()]
    return cp.stack(rows) if rows else _core.empty((0, bins), np.int64)

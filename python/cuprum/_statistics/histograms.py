"""Counting: occurrences, and histograms in one dimension."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.ranges import arange
from .._dtypes import kind_of
from .._errors import names_itself
from .._math.calculus import diff
from .._ufuncs import bitwise_xor
from .bins import bin_edges

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "bincount",
    "histogram",
    "histogram_bin_edges",
]


def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> ndarray:
    """Count how often each number occurs in an array of non-negative integers.

    Parameters
    ----------
    x : array_like of int
        The numbers, in one dimension.
    weights : array_like, optional
        What to add up for each number instead of counting, of the shape of `x`.
    minlength : int, optional
        The least number of counts to return.

    Returns
    -------
    ndarray
        The count of `i` at position `i`, up to the largest number: int64, or float64 with weights.

    Examples
    --------
    >>> cp.bincount([1, 3, 1])
    array([0, 2, 0, 1])
    >>> cp.bincount([0, 1, 1], weights=[0.5, 1.0, 2.0])
    array([0.5, 3. ])
    """
    if minlength is None:
        raise TypeError("bincount: use 0 instead of None for minlength")
    values = as_array(x)
    if values.size == 0 and not isinstance(x, (ndarray, np.ndarray)):
        values = values.astype(int)
    return _core.bincount(values, weights, operator.index(minlength))


def _samples(op: str, a: Any, weights: Any) -> tuple[ndarray, ndarray | None]:
    """Return samples and weights, flat and checked."""
    a = as_array(a)
    if kind_of(a.dtype) == "b":
        warnings.warn(
            f"Converting input from {a.dtype} to uint8 for compatibility.", RuntimeWarning, stacklevel=3
        )
        a = a.astype("u1")
    if kind_of(a.dtype) == "c":
        raise TypeError(f"{op}: samples must be real numbers, got {a.dtype}")
    if weights is not None:
        weights = as_array(weights)
        if weights.shape != a.shape:
            raise ValueError(
                f"{op}: weights should have the same shape as a, got {weights.shape} and {a.shape}"
            )
        weights = weights.ravel()
    return a.ravel(), weights


def histogram_bin_edges(
    a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None
) -> ndarray:
    """Return the edges of the bins that `histogram` would use.

    Parameters
    ----------
    a : array_like
        The samples.
    bins : int, sequence or str, optional
        The number of bins, their edges, or the name of a rule: "auto", "doane", "fd", "rice", "scott",
        "sqrt", "stone" or "sturges".
    range : (float, float), optional
        The outer edges; those of the samples when None.
    weights : array_like, optional
        Only checked.

    Returns
    -------
    ndarray
        The edges, one more than there are bins.

    Examples
    --------
    >>> cp.histogram_bin_edges([1.0, 2.0, 3.0], bins=4)
    array([1. , 1.5, 2. , 2.5, 3. ])
    """
    a, weights = _samples("histogram_bin_edges", a, weights)
    return bin_edges("histogram_bin_edges", a, bins, range, weights is not None)[0]


@names_itself
def histogram(
    a: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, ndarray]:
    """Count how many samples lie in each of several bins.

    Each bin holds its left edge, the last one its right edge too.

    Parameters
    ----------
    a : array_like
        The samples; they are flattened.
    bins : int, sequence or str, optional
        The number of equal bins, the edges, or the name of a rule as in `histogram_bin_edges`.
    range : (float, float), optional
        The outer edges; those of the samples when None.
    density : bool, optional
        Whether to return a density, whose integral is one, instead of counts.
    weights : array_like, optional
        What to add up instead of counting, of the shape of `a`.

    Returns
    -------
    hist : ndarray
        The counts, or with weights their sums, in the weights' dtype.
    edges : ndarray
        The edges, one more than there are bins.

    Examples
    --------
    >>> cp.histogram([1, 2, 1, 4], bins=3)
    (array([2, 1, 1]), array([1., 2., 3., 4.]))
    """
    a, weights = _samples("histogram", a, weights)
    edges, equal = bin_edges("histogram", a, bins, range, weights is not None)
    counts = _counts(a, edges, weights, equal)
    if density:
        counts = counts / diff(edges).astype(float) / counts.sum()
    return counts, edges


def _counts(a: ndarray, edges: ndarray, weights: ndarray | None, equal: bool) -> ndarray:
    """Return counts, or sums of weights in their dtype."""
    if kind_of(edges.dtype) == "c":
        raise TypeError(f"histogram: edges must be real numbers, got {edges.dtype}")
    if (
        weights is None
        and a.dtype.itemsize <= 2
        and kind_of(a.dtype) in "iu"
        and a.size > _BY_VALUE_MIN_SAMPLES
    ):
        a, weights = _by_value(a)
    if equal:
        # The samples are rounded to the dtype of the edges before they are compared with them.
        a = a.astype(edges.dtype, copy=False)
    if weights is None:
        return _core.histogram_counts(a, edges)
    kind = kind_of(weights.dtype)
    if kind == "b" and not equal:
        raise TypeError("histogram: boolean weights can only be added up in equal bins, convert them first")
    if kind != "c":
        sums = _core.histogram_counts(a, edges, weights)
        return sums if sums.dtype == weights.dtype else sums.astype(weights.dtype)
    result = _core.empty((edges.size - 1 if edges.size else 0,), weights.dtype, "C")
    result.real = _core.histogram_counts(a, edges, weights.real)
    result.imag = _core.histogram_counts(a, edges, weights.imag)
    return result


# More samples of one or two bytes than there are such numbers.
_BY_VALUE_MIN_SAMPLES = 1 << 16


def _by_value(a: ndarray) -> tuple[ndarray, ndarray]:
    """Return the numbers that small integers may be, and how often each occurs."""
    if kind_of(a.dtype) == "u":
        counts = _core.bincount(a)
        return arange(counts.size).astype(a.dtype), counts
    # With the sign bit turned, signed numbers are in the order of unsigned ones.
    lowest = 1 << (8 * a.dtype.itemsize - 1)
    counts = _core.bincount(bitwise_xor(a.view(f"u{a.dtype.itemsize}"), lowest))
    return (arange(counts.size) - lowest).astype(a.dtype), counts

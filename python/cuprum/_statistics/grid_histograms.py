"""Bin numbers, and histograms in several dimensions."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.ranges import linspace
from .._dtypes import kind_of
from .._errors import names_itself
from .._math.calculus import diff
from .bins import outer_edges

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["digitize", "histogram2d", "histogramdd"]


@names_itself
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> ndarray:
    """Return the numbers of the bins that values belong to.

    Parameters
    ----------
    x : array_like
        The values.
    bins : array_like
        The edges, in one dimension, increasing or decreasing.
    right : bool, optional
        Whether a bin holds its right edge instead of its left one.

    Returns
    -------
    ndarray of int
        For each value `i` with `bins[i-1] <= x < bins[i]`: 0 before the first edge, `len(bins)` after
        the last.

    Raises
    ------
    ValueError
        Where the edges go up and down.

    Examples
    --------
    >>> cp.digitize([0.2, 6.4, 3.0, 1.6], [0.0, 1.0, 2.5, 4.0, 10.0])
    array([1, 4, 3, 2])
    """
    x, bins = as_array(x), as_array(bins)
    if kind_of(x.dtype) == "c":
        raise TypeError(f"digitize: x may not be complex, got {x.dtype}")
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must have one dimension, got shape {bins.shape}")
    side = "left" if right else "right"
    before, after = bins[:-1], bins[1:]
    if not (before <= after).all():
        # The first step tells which way edges go. One from or to a NaN counts as a step down.
        first = int((before != after).argmax())
        rises = bool(before[first] < after[first])
        if (before > after if rises else before < after).any():
            raise ValueError("digitize: bins must be monotonically increasing or decreasing")
        if not rises:
            return bins.size - bins[::-1].searchsorted(x, side=side)
    return bins.searchsorted(x, side=side)


@names_itself
def histogramdd(
    sample: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, list[ndarray]]:
    """Count how many samples lie in each cell of a grid in several dimensions.

    Parameters
    ----------
    sample : array_like
        The samples: a matrix with one in each row, or a sequence of coordinate arrays, one for each
        dimension.
    bins : int or sequence, optional
        The number of bins in each dimension, or for each dimension its number or its edges.
    range : sequence, optional
        The outer edges of each dimension, or None for those of the samples.
    density : bool, optional
        Whether to return a density instead of counts.
    weights : array_like, optional
        What to add up instead of counting, one for each sample.

    Returns
    -------
    hist : ndarray of float64
        The counts.
    edges : list of ndarray
        The edges in each dimension.

    Examples
    --------
    >>> hist, edges = cp.histogramdd(([0.0, 1.0, 1.0], [0.0, 0.0, 1.0]), bins=2)
    >>> hist
    array([[1., 0.],
           [1., 1.]])
    """
    columns = _columns(sample)
    dims = len(columns)
    if isinstance(bins, (int, np.integer)) or not hasattr(bins, "__len__"):
        bins = [bins] * dims
    if len(bins) != dims:
        raise ValueError(
            f"histogramdd: the dimension of bins, {len(bins)}, must be equal to the dimension of the sample, "
            f"{dims}"
        )
    if range is None:
        range = (None,) * dims
    elif len(range) != dims:
        raise ValueError(
            f"histogramdd: range argument must have one entry per dimension, {dims}, got {len(range)}"
        )
    edges = [_grid_edges(axis, *one) for axis, one in enumerate(zip(columns, bins, range, strict=True))]
    if weights is not None:
        weights = as_array(weights)
        if kind_of(weights.dtype) == "c":
            raise TypeError(f"histogramdd: weights must be real numbers, got {weights.dtype}")
    # One cell more on either side takes what lies outside.
    shape = tuple(one.size + 1 for one in edges)
    if math.prod(shape) > np.iinfo(np.intp).max // 8:
        raise ValueError(f"histogramdd: a grid of {math.prod(shape)} cells in {dims} dimensions is too large")
    cells: Any = None
    for column, one, length in zip(columns, edges, shape, strict=True):
        number = one.searchsorted(column, side="right")
        number = number - (column == one[-1])
        cells = number if cells is None else cells * length + number
    hist = _core.bincount(cells, weights, math.prod(shape))
    hist = hist.reshape(shape).astype(float)[(slice(1, -1),) * dims]
    if density:
        total = hist.sum()
        for axis, one in enumerate(edges):
            across = tuple(-1 if other == axis else 1 for other, _ in enumerate(edges))
            hist = hist / diff(one).reshape(across)
        hist = hist / total
    return hist, edges


def _columns(sample: Any) -> list[ndarray]:
    """Return the coordinates of samples in each dimension."""
    if isinstance(sample, (ndarray, np.ndarray)) and sample.ndim == 2:
        matrix = as_array(sample)
        return [matrix[:, axis] for axis in range(matrix.shape[1])]
    matrix = (
        _core.stack([as_array(one) for one in sample], 0) if isinstance(sample, (list, tuple)) else sample
    )
    matrix = as_array(matrix)
    if matrix.ndim < 2:
        matrix = matrix.reshape(1, -1)
    if matrix.ndim != 2:
        raise ValueError(f"histogramdd: samples must be given in a matrix, got shape {matrix.shape}")
    return list(matrix)


def _grid_edges(axis: int, column: ndarray, bins: Any, range: Any) -> ndarray:
    if isinstance(bins, ndarray) or np.ndim(bins) > 0:
        edges = as_array(bins)
        if edges.ndim != 1:
            raise ValueError(
                f"histogramdd: `bins[{axis}]` must be a scalar or 1d array, got shape {edges.shape}"
            )
        if (edges[:-1] > edges[1:]).any():
            raise ValueError(f"histogramdd: `bins[{axis}]` must be monotonically increasing, when an array")
        return edges
    if bins < 1:
        raise ValueError(f"histogramdd: `bins[{axis}]` must be positive, when an integer, got {bins}")
    first, last = outer_edges("histogramdd", column, range)
    try:
        count = operator.index(bins)
    except TypeError as error:
        raise TypeError(
            f"histogramdd: `bins[{axis}]` must be an integer, when a scalar, got {bins!r}"
        ) from error
    with np.errstate(over="ignore"):
        is_finite = math.isfinite(last * 1.0 - first * 1.0)
    if not is_finite:
        raise ValueError(
            f"histogramdd: too many bins for data range, cannot create {count} finite-sized bins between "
            f"{first} and {last}"
        )
    return linspace(first, last, count + 1)


@names_itself
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[ndarray, ndarray, ndarray]:
    """Count how many points lie in each cell of a grid.

    Parameters
    ----------
    x, y : array_like
        The coordinates of the points, in one dimension each.
    bins : int, sequence or pair of these, optional
        The number of bins or the edges, for both dimensions or one for each.
    range : sequence, optional
        The outer edges of each dimension; those of the points when None.
    density : bool, optional
        Whether to return a density instead of counts.
    weights : array_like, optional
        What to add up instead of counting, one for each point.

    Returns
    -------
    hist : ndarray of float64
        The counts, with the bins of `x` along the first axis.
    xedges, yedges : ndarray
        The edges.

    Examples
    --------
    >>> hist, xedges, yedges = cp.histogram2d([0.0, 1.0, 1.0], [0.0, 0.0, 1.0], bins=2)
    >>> hist
    array([[1., 0.],
           [1., 1.]])
    """
    if len(x) != len(y):
        raise ValueError(f"histogram2d: x and y must have the same length, got {len(x)} and {len(y)}")
    count = len(bins) if hasattr(bins, "__len__") and getattr(bins, "ndim", 1) != 0 else 1
    if count not in (1, 2):
        shared = as_array(bins)
        bins = [shared, shared]
    hist, edges = histogramdd([x, y], bins, range, density, weights)
    return hist, edges[0], edges[1]

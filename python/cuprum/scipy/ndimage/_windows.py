"""Filters over windows of several axes: weights, extrema, ranks."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ._arguments import (
    by_parts,
    check_origin,
    delivered,
    extension,
    filtered_axes,
    for_axes,
    is_complex,
    is_several,
    on_host,
    real_target,
    spread,
    target,
    widened,
)
from ._documentation import documented
from ._extrema import wrapped_extremum
from ._lines import _finished, along_axes, maximum_filter1d, minimum_filter1d

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "convolve",
    "correlate",
    "maximum_filter",
    "median_filter",
    "minimum_filter",
    "percentile_filter",
    "rank_filter",
]


@documented
def correlate(
    input: Any,
    weights: ArrayLike,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the sums of products with an array of weights.

    Parameters
    ----------
    {input}
    weights : array_like
        The weights, with an axis for each one filtered along.
    {output}
    {mode}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> cross = cp.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    >>> ndimage.correlate(cp.arange(9).reshape(3, 3), cross)
    array([[ 4,  8, 12],
           [16, 20, 24],
           [28, 32, 36]])
    """
    return _weighted("correlate", input, weights, output, mode, cval, origin, axes)


@documented
def convolve(
    input: Any,
    weights: ArrayLike,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the convolution with an array of weights.

    Parameters
    ----------
    {input}
    weights : array_like
        The weights, with an axis for each one filtered along.
    {output}
    {mode}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.convolve(cp.array([1, 0, 0, 0, 2]), cp.array([1, 2, 3]), mode="constant")
    array([2, 3, 0, 2, 4])
    """
    return _weighted("convolve", input, weights, output, mode, cval, origin, axes)


def _weighted(
    op: str, input: Any, weights: Any, output: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> ndarray:
    a = as_array(input)
    weights = on_host(weights)

    def filtered(part: Any, factors: Any, dtype: Any, cval: Any) -> Any:
        return _correlated(op, part, factors, dtype, mode, cval, origin, axes)

    if is_complex(a) or weights.dtype.kind == "c":
        dtype, array = target(op, output, a, complex_output=True)
        factors = weights.conj() if op == "correlate" else weights
        return delivered(by_parts(filtered, a, factors, dtype, cval), array)
    dtype, array = real_target(op, output, a)
    return delivered(filtered(a, weights, dtype, cval), array)


def _correlated(
    op: str, a: ndarray, weights: np.ndarray, dtype: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> ndarray:
    axes = filtered_axes(op, axes, a.ndim)
    weights = widened(op, weights.astype(np.float64), axes, a.ndim, "weights")
    origins = spread(for_axes(op, "origin", origin, len(axes)), axes, a.ndim, 0)
    if op == "convolve":
        weights = np.flip(weights)
        origins = [-one - (size % 2 == 0) for one, size in zip(origins, weights.shape, strict=True)]
    origins = [check_origin(op, one, size) for one, size in zip(origins, weights.shape, strict=True)]
    return _core.correlate_window(a, weights, dtype, extension(op, mode), cval, origins)


def _footprint(op: str, size: Any, footprint: Any, count: int) -> np.ndarray:
    """Return which places of a window over `count` axes matter."""
    if footprint is not None:
        return on_host(footprint).astype(bool)
    if size is None:
        raise RuntimeError(f"{op}: no footprint or filter size provided")
    return np.ones(for_axes(op, "size", size, count), bool)


def _warn_of_size(size: Any, footprint: Any) -> None:
    if size is not None and footprint is not None:
        warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=4)


def extremum_filter(
    op: str,
    larger: bool,
    input: Any,
    size: Any,
    footprint: Any,
    structure: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    axes: Any,
) -> ndarray:
    """Return the smallest or largest elements of windows, plus what a structure adds to them."""
    _warn_of_size(size, footprint)
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    if structure is not None:
        structure = on_host(structure).astype(np.float64)
        footprint = np.ones(structure.shape, bool) if footprint is None else footprint
    if footprint is not None:
        footprint = on_host(footprint).astype(bool)
        if not footprint.any():
            raise ValueError(f"{op}: All-zero footprint is not supported.")
        if footprint.all() and structure is None:
            size, footprint = footprint.shape, None
    elif size is None:
        raise RuntimeError(f"{op}: no footprint provided")
    dtype, array = real_target(op, output, a)
    if footprint is None:
        filtered = maximum_filter1d if larger else minimum_filter1d
        result = along_axes(filtered, op, a, size, dtype, mode, cval, origin, axes)
        return _finished(result, a, dtype, array)
    axes = filtered_axes(op, axes, a.ndim)
    footprint = widened(op, footprint, axes, a.ndim, "footprint")
    if structure is not None:
        structure = widened(op, structure, axes, a.ndim, "structure")
    origins = spread(for_axes(op, "origin", origin, len(axes)), axes, a.ndim, 0)
    origins = [check_origin(op, one, length) for one, length in zip(origins, footprint.shape, strict=True)]
    mode = extension(op, mode)
    if structure is not None and _may_wrap(a, structure[footprint], cval):
        return delivered(wrapped_extremum(larger, a, footprint, structure, dtype, mode, cval, origins), array)
    result = _core.extremum_filter(larger, a, footprint, structure, dtype, mode, cval, origins)
    return delivered(result, array)


def _may_wrap(a: ndarray, addends: np.ndarray, cval: Any) -> bool:
    """Return whether sums of integers and addends may leave their dtype, or addends are no integers."""
    if a.dtype.kind not in "iu" or not a.size or not np.isfinite(addends).all():
        return False
    if (addends != np.trunc(addends)).any():
        return True
    low, high = min(float(a.min()), float(cval)), max(float(a.max()), float(cval))
    limits = np.iinfo(a.dtype)
    return bool(low + addends.min() < limits.min or high + addends.max() > limits.max)


@documented
def minimum_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the smallest element of each window.

    Parameters
    ----------
    {input}
    {window}
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.minimum_filter(cp.arange(12).reshape(3, 4), size=3)
    array([[0, 0, 1, 2],
           [0, 0, 1, 2],
           [4, 4, 5, 6]])
    """
    return extremum_filter(
        "minimum_filter", False, input, size, footprint, None, output, mode, cval, origin, axes
    )


@documented
def maximum_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the largest element of each window.

    Parameters
    ----------
    {input}
    {window}
    {output}
    {modes}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.maximum_filter(cp.arange(12).reshape(3, 4), size=3)
    array([[ 5,  6,  7,  7],
           [ 9, 10, 11, 11],
           [ 9, 10, 11, 11]])
    """
    return extremum_filter(
        "maximum_filter", True, input, size, footprint, None, output, mode, cval, origin, axes
    )


def _ranked(
    op: str,
    rank_of: Any,
    input: Any,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    axes: Any,
) -> ndarray:
    """Return the elements of the rank that `rank_of` finds for windows of a number of places."""
    _warn_of_size(size, footprint)
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    axes = filtered_axes(op, axes, a.ndim)
    footprint = widened(op, _footprint(op, size, footprint, len(axes)), axes, a.ndim, "footprint")
    origins = spread(for_axes(op, "origin", origin, len(axes)), axes, a.ndim, 0)
    origins = [check_origin(op, one, length) for one, length in zip(origins, footprint.shape, strict=True)]
    count = int(footprint.sum())
    rank = rank_of(count)
    rank = rank + count if rank < 0 else rank
    if not 0 <= rank < count:
        raise RuntimeError(f"{op}: rank {rank} is not within a footprint of {count} places")
    if is_several(mode):
        mode = spread(for_axes(op, "mode", mode, len(axes)), axes, a.ndim, "constant")
    if rank in (0, count - 1):
        larger = rank > 0
        return extremum_filter(op, larger, a, None, footprint, None, output, mode, cval, origins, None)
    dtype, array = real_target(op, output, a)
    result = _core.rank_filter(a, rank, footprint, dtype, extension(op, mode), cval, origins)
    return delivered(result, array)


@documented
def rank_filter(
    input: Any,
    rank: int,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the element of a rank in each window.

    Parameters
    ----------
    {input}
    rank : int
        The rank: 0 for the smallest, -1 for the largest.
    {window}
    {output}
    {mode}
    {cval}
    {origins}
    {axes}

    {result}

    Notes
    -----
    NaN counts as the largest of all.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.rank_filter(cp.array([5, 1, 7, 9, 3]), rank=1, size=3)
    array([5, 5, 7, 7, 3])
    """
    rank = operator.index(rank)
    return _ranked("rank_filter", lambda _: rank, input, size, footprint, output, mode, cval, origin, axes)


@documented
def median_filter(
    input: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the median of each window; of an even number of places, the larger of the two in the middle.

    Parameters
    ----------
    {input}
    {window}
    {output}
    {mode}
    {cval}
    {origins}
    {axes}

    {result}

    Notes
    -----
    NaN counts as the largest of all.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.median_filter(cp.array([[1, 9, 2], [8, 3, 7], [4, 6, 5]]), size=3)
    array([[3, 3, 3],
           [4, 5, 5],
           [4, 5, 5]])
    """
    return _ranked(
        "median_filter",
        lambda count: count // 2,
        input,
        size,
        footprint,
        output,
        mode,
        cval,
        origin,
        axes,
    )


@documented
def percentile_filter(
    input: Any,
    percentile: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the element below which a percentage of each window lies.

    Parameters
    ----------
    {input}
    percentile : scalar
        The percentage, from 0 to 100; negative ones count from 100 down.
    {window}
    {output}
    {mode}
    {cval}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.percentile_filter(cp.array([5, 1, 7, 9, 3]), percentile=50, size=3)
    array([5, 5, 7, 7, 3])
    """

    def rank_of(count: int) -> int:
        share = percentile + 100.0 if percentile < 0.0 else percentile
        if not 0 <= share <= 100:
            raise RuntimeError(f"percentile_filter: invalid percentile {percentile}")
        return count - 1 if share == 100.0 else int(float(count) * share / 100.0)

    return _ranked("percentile_filter", rank_of, input, size, footprint, output, mode, cval, origin, axes)

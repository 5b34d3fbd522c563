"""Quantiles and percentiles.

The elements that are needed are selected from lines without sorting them, and interpolated as NumPy
interpolates, operation for operation. Where NaN is left out, lines have lengths of their own: they are
sorted, and indexed line by line.
"""

from __future__ import annotations

import math
import types
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array, normalize_axes
from .._core import ndarray
from .._dtypes import kind_of
from .._errors import names_itself
from .._ufuncs import ceil, floor, isnan, maximum, minimum, rint
from ._documentation import documented
from .averages import weights_like
from .lines import Lines, Selected, finished
from .nan_reductions import nanmean
from .quantile_methods import method_of

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike


__all__ = [
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

_FEW = 8
"""Quantiles that are looked at one by one at most."""

_OURS = types.SimpleNamespace(floor=floor, ceil=ceil, rint=rint, maximum=maximum, where=_core.where)


def _fractions(op: str, q: Any, divisor: int) -> tuple[np.ndarray, bool]:
    """Return fractions as a small host array, and whether they are a plain Python number."""
    weak = type(q) in (int, float)
    fractions = q.get() if isinstance(q, ndarray) else np.asarray(q)
    if divisor != 1:
        fractions = np.asarray(np.true_divide(fractions, divisor))
    if fractions.ndim > 2:
        raise ValueError(f"{op}: q must be a scalar or 1d, got {fractions.ndim} dimensions")
    if fractions.ndim == 0:
        inside = bool(0 <= fractions <= 1)
    else:
        inside = fractions.size == 0 or bool(fractions.min() >= 0 and fractions.max() <= 1)
    if not inside:
        what, most = ("Percentiles", 100) if divisor == 100 else ("Quantiles", 1)
        raise ValueError(f"{op}: {what} must be in the range [0, {most}]")
    return fractions, weak


def _interpolated(low: ndarray, high: ndarray, share: Any) -> ndarray:
    """Return the point between two values, from the nearer end, so that it never lies outside."""
    gap = high - low
    if isinstance(share, float):
        return high - gap * (1 - share) if share >= 0.5 else low + gap * share
    return _core.where(share >= 0.5, high - gap * (1 - share), low + gap * share)


def _neighbours(functions: Any, index: Any, count: Any) -> tuple[Any, Any]:
    """Return the integers around virtual indices, kept between the first and the last element."""
    previous = functions.floor(index)
    above, below = index >= count - 1, index < 0
    following = functions.where(above, count - 1, functions.where(below, 0, previous + 1))
    previous = functions.where(above, count - 1, functions.where(below, 0, previous))
    return previous, following


def _between_one(at: float, count: int) -> tuple[int, int, float]:
    """Return the places around one virtual index, and the share of the way between them."""
    if at >= count - 1:
        return count - 1, count - 1, at + 1
    if at < 0:
        return 0, 0, at
    previous = math.floor(at)
    return previous, previous + 1, at - previous


def _between(index: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the places around virtual indices on the host, and the share of the way between them."""
    if 0 < index.size <= _FEW and index.dtype == np.float64:
        # A few numbers are found sooner one by one than as an array.
        parts = [_between_one(at, count) for at in index.ravel().tolist()]
        previous, following, shares = (np.array(one).reshape(index.shape) for one in zip(*parts, strict=True))
        return previous, following, shares
    previous, following = (one.astype(np.intp) for one in _neighbours(np, index, count))
    starts = np.where(index >= count - 1, -1, np.where(index < 0, 0, np.floor(index)))
    return previous, following, index - starts


def _plain(op: str, a: ndarray, q: np.ndarray, weak: bool, name: str) -> ndarray:
    """Return the quantiles of each line, the axes of `q` first."""
    method = method_of(op, name)
    count = a.shape[-1]
    if count == 0 and a.size == 0 and 0 not in a.shape[:-1]:
        raise IndexError(f"{op}: the axis to reduce has no elements")
    index = np.asarray(method.virtual_index(np, count, q))
    shape = (*q.shape, *a.shape[:-1])
    if method.share is None or (name == "linear" and index.dtype.kind in "iu"):
        places = index.astype(np.intp)
        if a.size == 0:
            return _core.empty(shape, a.dtype, "C")
        chosen = Selected(a, places)
        result = chosen.at(places).copy()
    else:
        previous, following, share = _between(index, count)
        if a.size == 0:
            return _core.empty(shape, _core.result_type(a.dtype, 1.0 if weak else index.dtype), "C")
        chosen = Selected(a, previous, following)
        share = np.asarray(method.share(np, share, index), dtype=index.dtype)
        gamma: Any = (
            float(share) if weak else _core.array(share.reshape((*share.shape, *(1,) * (a.ndim - 1))))
        )
        result = _interpolated(chosen.at(previous), chosen.at(following), gamma)
    return chosen.nan_for_nan(result) if q.size else result


def _by_weight(op: str, a: ndarray, q: np.ndarray, weights: ndarray, skip_nan: bool) -> ndarray:
    """Return the quantiles of each line by the inverted distribution of weights, the axes of `q` first."""
    inexact = kind_of(a.dtype) == "f"
    nan = isnan(a) if inexact else None
    if skip_nan and nan is not None:
        weights = _core.where(nan, 0, weights)
    order = _core.argsort(a, -1)
    ordered = _core.take_along_axis(a, order, -1)
    weights = _core.take_along_axis(_core.broadcast_to(weights, a.shape), order, -1)
    shares = weights.cumsum(axis=-1, dtype=float)
    shares = shares / shares[..., -1:]
    empty = nan.all(axis=-1) if skip_nan and nan is not None else None
    faulty = isnan(shares[..., -1])
    if (faulty if empty is None else faulty & ~empty).any():
        raise ValueError(f"{op}: weights included NaN, inf or were all zero")
    if q.dtype.kind == "f":
        shares = shares.astype(q.dtype, copy=False)
    # Elements without weight before the first that has some are never chosen.
    shares = _core.where(shares == 0, -1, shares)
    last: Any = a.shape[-1] - 1
    if skip_nan and nan is not None:
        last = maximum(last - _core.count_nonzero(nan, -1), 0)
    results = []
    for one in q.ravel():
        place = minimum(_core.count_nonzero(shares < one.item(), -1), last)
        results.append(_core.take_along_axis(ordered, place[..., None], -1)[..., 0])
    result = _core.stack(results, 0) if results else _core.empty((0, *a.shape[:-1]), a.dtype, "C")
    result = result.reshape((*q.shape, *a.shape[:-1]))
    if inexact:
        without = nan.any(axis=-1) if empty is None and nan is not None else empty
        result = _core.where(without, _core.array(np.nan).astype(a.dtype), result)
    return result


def _without_nan(op: str, a: ndarray, q: np.ndarray, weak: bool, name: str) -> ndarray:
    """Return the quantiles of what is not NaN in each line, the axes of `q` first."""
    method = method_of(op, name)
    ordered = _core.sort(a, -1)
    counts = a.shape[-1] - _core.count_nonzero(isnan(a), -1)
    results = []
    for one in q.ravel():
        dtype = q.dtype if q.dtype.kind == "f" else np.dtype("f8")
        count, fraction = counts.astype(dtype), _core.array(np.asarray(one, dtype))
        index = method.virtual_index(_OURS, count, fraction)

        def picked(places: ndarray) -> ndarray:
            places = maximum(places, 0).astype(int, order="C")
            return _core.take_along_axis(ordered, places[..., None], -1)[..., 0]

        if method.share is None or (name == "linear" and q.dtype.kind in "iu"):
            results.append(picked(index))
            continue
        previous, following = _neighbours(_OURS, index, count)
        start = _core.where(index >= count - 1, -1, _core.where(index < 0, 0, floor(index)))
        share = method.share(_OURS, index - start, index).astype(index.dtype)
        low, high = picked(previous), picked(following)
        if weak:
            # A plain number does not widen the result: it is rounded to it, and so is its complement.
            narrow = _core.result_type(a.dtype, 1.0)
            gap = high - low
            downward = high - gap * (1 - share).astype(narrow)
            results.append(_core.where(share >= 0.5, downward, low + gap * share.astype(narrow)))
        else:
            results.append(_interpolated(low, high, share))
    if results:
        result = _core.stack(results, -1)
    else:
        dtype = a.dtype if method.share is None else _core.result_type(a.dtype, q.dtype)
        result = _core.empty((*a.shape[:-1], 0), dtype, "C")
    result = _core.where((counts == 0)[..., None], _core.array(np.nan).astype(result.dtype), result)
    order = (result.ndim - 1, *range(result.ndim - 1))
    return result.transpose(order).reshape((*q.shape, *a.shape[:-1]))


def _checked_weights(op: str, weights: Any, a: ndarray, axis: Any, name: str) -> ndarray:
    if name != "inverted_cdf":
        raise ValueError(f"{op}: only method 'inverted_cdf' supports weights, got {name!r}")
    axes = None if axis is None else normalize_axes(op, axis, a.ndim)
    weights = weights_like(as_array(weights), a, axes)
    if (weights < 0).any():
        raise ValueError(f"{op}: weights must be non-negative")
    return _core.broadcast_to(weights, a.shape)


def _method_name(op: str, method: str, interpolation: Any) -> str:
    if interpolation is None:
        return method
    warnings.warn(f"{op}: 'interpolation' is an old name of 'method'", DeprecationWarning, stacklevel=4)
    name: str = interpolation
    return name


def _quantiles(
    op: str,
    divisor: int,
    skip_nan: bool,
    a: Any,
    q: Any,
    axis: Any,
    out: Any,
    method: str,
    keepdims: Any,
    weights: Any,
) -> ndarray:
    a = as_array(a)
    if kind_of(a.dtype) == "c":
        raise TypeError(f"{op}: a must be an array of real numbers, got {a.dtype}")
    fractions, weak = _fractions(op, q, divisor)
    if _core.is_on_gpu(a):
        # The GPU computes the elements while the host finds out which of them are needed.
        _core.wait(a)
    if weights is not None:
        weights = _checked_weights(op, weights, a, axis, method)
    if skip_nan and a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    lines = Lines(op, a, axis)
    if weights is not None:
        result = _by_weight(op, lines.values, fractions, lines.arranged(weights), skip_nan)
    elif not skip_nan or kind_of(a.dtype) != "f":
        result = _plain(op, lines.values, fractions, weak, method)
    elif lines.values.ndim == 1:
        kept = lines.values[~isnan(lines.values)]
        if kept.size == 0:
            result = _core.full(fractions.shape, np.nan, a.dtype, "C")
        else:
            result = _plain(op, kept, fractions, weak, method)
    else:
        result = _without_nan(op, lines.values, fractions, weak, method)
    return finished(op, lines, result, fractions.ndim, out, keepdims, "same_kind")


@documented
@names_itself
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """Return quantiles of the elements over axes.

    Parameters
    ----------
    {real_a}
    q : array_like of float
        The quantiles, between 0 and 1.
    {axes}
    {out}
    {overwrite_input}
    method : str, optional
        How to estimate: "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
        "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased",
        "lower", "higher", "midpoint" or "nearest".
    {keepdims}
    {weights}
    {interpolation}

    Returns
    -------
    ndarray
        The quantiles, the axes of `q` first; NaN where there is one among the elements.

    Examples
    --------
    >>> a = cp.array([[10, 7, 4], [3, 2, 1]])
    >>> cp.quantile(a, 0.5)
    array(3.5)
    >>> cp.quantile(a, [0.25, 0.75], axis=1)
    array([[5.5, 1.5],
           [8.5, 2.5]])
    """
    name = _method_name("quantile", method, interpolation)
    return _quantiles("quantile", 1, False, a, q, axis, out, name, keepdims, weights)


@documented
@names_itself
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """Return percentiles of the elements over axes.

    Parameters
    ----------
    {real_a}
    q : array_like of float
        The percentiles, between 0 and 100.
    {axes}
    {out}
    {overwrite_input}
    {method}
    {keepdims}
    {weights}
    {interpolation}

    Returns
    -------
    ndarray
        The percentiles, the axes of `q` first; NaN where there is one among the elements.

    Examples
    --------
    >>> cp.percentile([1.0, 2.0, 3.0, 4.0], [25, 50])
    array([1.75, 2.5 ])
    """
    name = _method_name("percentile", method, interpolation)
    return _quantiles("percentile", 100, False, a, q, axis, out, name, keepdims, weights)


@documented
@names_itself
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """Return quantiles of the elements over axes, leaving NaN out.

    Parameters
    ----------
    {real_a}
    q : array_like of float
        The quantiles, between 0 and 1.
    {axes}
    {out}
    {overwrite_input}
    {method}
    {keepdims}
    {weights}
    {interpolation}

    Returns
    -------
    ndarray
        The quantiles, the axes of `q` first; NaN where there is nothing else.

    Examples
    --------
    >>> cp.nanquantile([1.0, cp.nan, 3.0], 0.5)
    array(2.)
    """
    name = _method_name("nanquantile", method, interpolation)
    return _quantiles("nanquantile", 1, True, a, q, axis, out, name, keepdims, weights)


@documented
@names_itself
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """Return percentiles of the elements over axes, leaving NaN out.

    Parameters
    ----------
    {real_a}
    q : array_like of float
        The percentiles, between 0 and 100.
    {axes}
    {out}
    {overwrite_input}
    {method}
    {keepdims}
    {weights}
    {interpolation}

    Returns
    -------
    ndarray
        The percentiles, the axes of `q` first; NaN where there is nothing else.

    Examples
    --------
    >>> cp.nanpercentile([1.0, cp.nan, 3.0], [0, 50])
    array([1., 2.])
    """
    name = _method_name("nanpercentile", method, interpolation)
    return _quantiles("nanpercentile", 100, True, a, q, axis, out, name, keepdims, weights)

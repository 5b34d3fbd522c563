"""Quantiles, percentiles and medians.

The elements that are needed are selected from lines without sorting them, and interpolated as NumPy
interpolates, operation for operation. Where NaN is left out, lines have lengths of their own: they are
sorted, and indexed line by line.
"""

from __future__ import annotations

import bisect
import itertools
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
from .._ufuncs import ceil, divide, floor, isnan, maximum, minimum, rint
from .nan_reductions import nanmean
from .quantile_methods import method_of
from .reductions import _weights_like, mean

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike


__all__ = [
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

_FEW = 8
"""Places that are read one by one at most."""
_OURS = types.SimpleNamespace(floor=floor, ceil=ceil, rint=rint, maximum=maximum, where=_core.where)


class _Lines:
    """An array with the axes to reduce brought together as its last one, and the way back."""

    def __init__(self, op: str, a: ndarray, axis: Any) -> None:
        self.ndim = a.ndim
        self.axes = tuple(range(a.ndim)) if axis is None else normalize_axes(op, axis, a.ndim)
        self.kept = tuple(one for one in range(a.ndim) if one not in self.axes)
        self.values = self.arranged(a)

    def arranged(self, a: ndarray) -> ndarray:
        """Return another array of the same shape in the same arrangement."""
        if len(self.axes) == 1 and self.axes[0] == self.ndim - 1:
            return a
        if not self.kept:
            return a.ravel()
        shape = tuple(a.shape[one] for one in self.kept)
        length = 1
        for one in self.axes:
            length *= a.shape[one]
        return a.transpose((*self.kept, *sorted(self.axes))).reshape((*shape, length))

    def kept_in(self, result: ndarray, leading: int) -> ndarray:
        """Return a result behind `leading` axes with the reduced axes back, of length one."""
        index: tuple[Any, ...] = (slice(None),) * leading
        index += tuple(None if one in self.axes else slice(None) for one in range(self.ndim))
        return result[index]


def _finished(
    op: str, lines: _Lines, result: ndarray, leading: int, out: Any, keepdims: Any, casting: str
) -> ndarray:
    """Return a result, with the reduced axes where they are to be kept, or stored into `out`."""
    if keepdims:
        result = lines.kept_in(result, leading)
    if out is None:
        return result
    if not isinstance(out, ndarray):
        raise TypeError(f"{op}: out must be a cuprum array, not {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"{op}: the result of shape {result.shape} does not fit out of shape {out.shape}")
    _core.copyto(out, result, casting=casting)
    return out


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


def _between(index: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the places around virtual indices on the host, and the share of the way between them."""
    if index.ndim == 0 and index.dtype == np.float64:
        # One number is found sooner by itself than as an array.
        at = index.item()
        if at >= count - 1:
            previous, following, start = count - 1, count - 1, -1
        elif at < 0:
            previous, following, start = 0, 0, 0
        else:
            previous = start = math.floor(at)
            following = previous + 1
        return np.asarray(previous), np.asarray(following), np.float64(at - start)
    previous, following = (one.astype(np.intp) for one in _neighbours(np, index, count))
    starts = np.where(index >= count - 1, -1, np.where(index < 0, 0, np.floor(index)))
    return previous, following, index - starts


class _Selected:
    """The elements of lines at places of their sorted order."""

    def __init__(self, a: ndarray, *places: np.ndarray) -> None:
        self.lines = a
        # What is NaN comes last. On a GPU, to select that too takes less than to look at all elements.
        self.has_last = kind_of(a.dtype) in "fc" and _core.is_on_gpu(a)
        last = [a.shape[-1] - 1] if self.has_last else []
        self.kth = sorted({*itertools.chain(*(one.ravel().tolist() for one in places)), *last})
        self.elements = _core.select_sorted(a, self.kth, -1)

    def one(self, place: int) -> ndarray:
        """Return the elements at one of the places."""
        return self.elements[..., bisect.bisect_left(self.kth, place)]

    def at(self, places: np.ndarray) -> ndarray:
        """Return the elements at some of the places, whose axes come first."""
        if places.ndim == 0:
            return self.one(places.item()).copy()
        if 0 < places.size <= _FEW and _core.is_on_gpu(self.elements):
            # Pieces fuse with what reads them; positions would have to go to the GPU first.
            few = _core.stack([self.one(one) for one in places.ravel().tolist()], 0)
            return few.reshape((*places.shape, *few.shape[1:]))
        lines = self.elements.transpose((self.elements.ndim - 1, *range(self.elements.ndim - 1)))
        found = np.searchsorted(self.kth, places.ravel())
        return _core.take(lines, found, 0).reshape((*places.shape, *lines.shape[1:]))

    def nan_for_nan(self, result: ndarray) -> ndarray:
        """Return a result with NaN for lines that have one."""
        if kind_of(self.lines.dtype) not in "fc":
            return result
        nan = isnan(self.elements[..., -1]) if self.has_last else isnan(self.lines).any(axis=-1)
        return _core.where(nan, np.nan, result)


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
        chosen = _Selected(a, places)
        result = chosen.at(places)
    else:
        previous, following, share = _between(index, count)
        if a.size == 0:
            return _core.empty(shape, _core.result_type(a.dtype, 1.0 if weak else index.dtype), "C")
        chosen = _Selected(a, previous, following)
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
    weights = _weights_like(as_array(weights), a, axes)
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
    if isinstance(q, ndarray) and _core.is_on_gpu(q):
        # To read q is to wait for the GPU: by then it works on the elements.
        _core.wait(a)
    fractions, weak = _fractions(op, q, divisor)
    if weights is not None:
        weights = _checked_weights(op, weights, a, axis, method)
    if skip_nan and a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    lines = _Lines(op, a, axis)
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
    return _finished(op, lines, result, fractions.ndim, out, keepdims, "same_kind")


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
    a : array_like of real numbers
        The array.
    q : array_like of float
        The quantiles, between 0 and 1.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    method : str, optional
        How to estimate: "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
        "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased",
        "lower", "higher", "midpoint" or "nearest".
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    weights : array_like, optional
        The weight of each element, for the method "inverted_cdf".
    interpolation : str, optional
        An old name of `method`.

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
    a : array_like of real numbers
        The array.
    q : array_like of float
        The percentiles, between 0 and 100.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    method : str, optional
        How to estimate, as in `quantile`.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    weights : array_like, optional
        The weight of each element, for the method "inverted_cdf".
    interpolation : str, optional
        An old name of `method`.

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
    a : array_like of real numbers
        The array.
    q : array_like of float
        The quantiles, between 0 and 1.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    method : str, optional
        How to estimate, as in `quantile`.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    weights : array_like, optional
        The weight of each element, for the method "inverted_cdf".
    interpolation : str, optional
        An old name of `method`.

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
    a : array_like of real numbers
        The array.
    q : array_like of float
        The percentiles, between 0 and 100.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    method : str, optional
        How to estimate, as in `quantile`.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.
    weights : array_like, optional
        The weight of each element, for the method "inverted_cdf".
    interpolation : str, optional
        An old name of `method`.

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


def _halved(dtype: Any, low: ndarray, high: ndarray) -> ndarray:
    """Return the means of two elements, in the precision in which NumPy's `mean` adds them."""
    kind = kind_of(dtype)
    if kind in "biu":
        low, high = low.astype(float), high.astype(float)
    wide = low.astype("f4") + high.astype("f4") if dtype.itemsize == 2 and kind == "f" else low + high
    half = divide(wide, 2)
    return half if kind in "biu" else half.astype(dtype, copy=False)


def _middle(a: ndarray) -> ndarray:
    """Return the median of each line."""
    count = a.shape[-1]
    if count == 0:
        return mean(a, axis=-1)
    low, high = (count - 1) // 2, count // 2
    chosen = _Selected(a, np.array([low, high]))
    if low == high:
        result = chosen.one(low)
        result = result.astype(float) if kind_of(a.dtype) in "biu" else result.copy()
    else:
        result = _halved(a.dtype, chosen.one(low), chosen.one(high))
    return chosen.nan_for_nan(result)


def median(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """Return the middle element over axes, or the mean of the two in the middle.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The medians: float64 for integers; NaN where there is one among the elements.

    Examples
    --------
    >>> cp.median([[10, 7, 4], [3, 2, 1]], axis=0)
    array([6.5, 4.5, 2.5])
    """
    lines = _Lines("median", as_array(a), axis)
    return _finished("median", lines, _middle(lines.values), 0, out, keepdims, "unsafe")


def nanmedian(
    a: ArrayLike,
    axis: AxisLike | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """Return the median over axes, leaving NaN out.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to reduce; all when None.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.
    keepdims : bool, optional
        Whether reduced axes stay, with length one.

    Returns
    -------
    ndarray
        The medians; NaN where there is nothing else.

    Examples
    --------
    >>> cp.nanmedian([[10.0, cp.nan, 4.0], [3.0, 2.0, 1.0]], axis=1)
    array([7., 2.])
    """
    a = as_array(a)
    if a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    lines = _Lines("nanmedian", a, axis)
    values = lines.values
    if kind_of(a.dtype) not in "fc":
        result = _middle(values)
    elif values.ndim == 1:
        kept = values[~isnan(values)]
        result = _middle(kept) if kept.size else values[-1].copy()
    else:
        result = _middle_without_nan(values)
    return _finished("nanmedian", lines, result, 0, out, keepdims, "unsafe")


def _middle_without_nan(a: ndarray) -> ndarray:
    ordered = _core.sort(a, -1)
    counts = a.shape[-1] - _core.count_nonzero(isnan(a), -1)

    def picked(places: ndarray) -> ndarray:
        return _core.take_along_axis(ordered, maximum(places, 0)[..., None], -1)[..., 0]

    low, high = picked((counts - 1) // 2), picked(counts // 2)
    middle = _core.where(counts % 2 == 1, low, _halved(a.dtype, low, high))
    return _core.where(counts == 0, _core.array(np.nan).astype(a.dtype), middle)

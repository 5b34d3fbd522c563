"""Numbers that describe a sample: moments, means of other kinds, the mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._samples import Sample, as_sample, checked_policy

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike


__all__ = [
    "describe",
    "gmean",
    "gstd",
    "hmean",
    "kurtosis",
    "mode",
    "moment",
    "pmean",
    "sem",
    "skew",
    "variation",
]


class DescribeResult(NamedTuple):
    """What `describe` returns."""

    nobs: Any
    minmax: tuple[ndarray, ndarray]
    mean: ndarray
    variance: ndarray
    skewness: ndarray
    kurtosis: ndarray


class ModeResult(NamedTuple):
    """What `mode` returns."""

    mode: ndarray
    count: ndarray  # type: ignore[assignment]  # SciPy's name; a tuple's method has it too


@names_itself
@documented
def moment(
    a: ArrayLike,
    order: Any = 1,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    *,
    center: float | None = None,
    keepdims: bool = False,
) -> ndarray:
    """Return a moment of a sample about its mean.

    Parameters
    ----------
    {numbers}
    order : int or array_like of int, optional
        The order, or several, which run along a new first axis.
    {sample_axis}
    {nans}
    center : float, optional
        Another centre than the mean.
    {keepdims}

    Returns
    -------
    ndarray
        The moments.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.moment(cp.array([1.0, 2.0, 3.0]), 2).round(6)
    array(0.666667)
    """
    orders = np.asarray(order.get() if isinstance(order, ndarray) else order)
    if orders.size == 0:
        raise ValueError("moment: `order` must be a scalar or a non-empty 1D array.")
    if orders.ndim > 1:
        raise ValueError("moment: `order` must be a scalar or a non-empty 1D array.")
    if np.any(orders != np.round(orders)):
        raise ValueError("moment: All elements of `order` must be integral.")
    sample = Sample("moment", a, axis, nan_policy)

    def one(power: int) -> ndarray:
        if power == 1 and center is None:
            mean = sample.mean()
            result = cp.where(cp.isnan(mean), mean, 0).astype(mean.dtype)
        elif power == 0:
            mean = sample.mean()
            result = cp.where(cp.isnan(mean), mean, 1).astype(mean.dtype)
        else:
            middle = None if center is None else cp.asarray(center, dtype=sample.values.dtype)
            result = sample.moment(power, middle)
        return sample.reduced(result, keepdims)

    if orders.ndim == 0:
        return one(int(orders))
    return cp.stack([one(int(power)) for power in orders])


def _standardized(sample: Sample, order: int) -> tuple[ndarray, ndarray]:
    """Return a moment over a power of the variance, and where numbers are all but equal."""
    variance = sample.moment(2)
    constant = sample.is_constant()
    return cp.where(constant, cp.nan, sample.moment(order) / variance ** (order / 2)), constant


@names_itself
@documented
def skew(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    bias: bool = True,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> ndarray:
    """Return the skewness of a sample: its third moment over the third power of the deviation.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    bias : bool, optional
        Whether the estimate is left as it is, biased.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The skewness; NaN where all numbers are equal.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.skew(cp.array([1.0, 1.0, 4.0])).round(6)
    array(0.707107)
    """
    sample = Sample("skew", a, axis, nan_policy)
    result, constant = _standardized(sample, 3)
    if not bias:
        n = cp.asarray(sample.count, dtype=np.float64)
        corrected = cp.sqrt(n * (n - 1.0)) / (n - 2.0) * result
        result = cp.where((n > 2) & ~constant, corrected, result)
    return sample.reduced(result.astype(sample.values.dtype, copy=False), keepdims)


@names_itself
@documented
def kurtosis(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    fisher: bool = True,
    bias: bool = True,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> ndarray:
    """Return the kurtosis of a sample: its fourth moment over the square of the variance.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    fisher : bool, optional
        Take 3 away, so that a normal distribution has 0.
    bias : bool, optional
        Whether the estimate is left as it is, biased.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The kurtosis; NaN where all numbers are equal.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kurtosis(cp.array([1.0, 2.0, 3.0, 4.0])).round(6)
    array(-1.36)
    """
    sample = Sample("kurtosis", a, axis, nan_policy)
    result, constant = _standardized(sample, 4)
    if not bias:
        n = cp.asarray(sample.count, dtype=np.float64)
        corrected = 1.0 / (n - 2) / (n - 3) * ((n**2 - 1.0) * result - 3 * (n - 1) ** 2.0) + 3.0
        result = cp.where((n > 3) & ~constant, corrected, result)
    result = result - 3 if fisher else result
    return sample.reduced(result.astype(sample.values.dtype, copy=False), keepdims)


@names_itself
@documented
def describe(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    ddof: int = 1,
    bias: bool = True,
    nan_policy: str = "propagate",
) -> DescribeResult:
    """Return several numbers that describe a sample.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    {ddof}
    bias : bool, optional
        Whether skewness and kurtosis are left as they are, biased.
    {nans}

    Returns
    -------
    DescribeResult
        With `nobs`, `minmax`, `mean`, `variance`, `skewness` and `kurtosis`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.describe(cp.array([1.0, 2.0, 3.0])).variance
    array(1.)
    """
    sample = Sample("describe", a, axis, nan_policy)
    if sample.values.size == 0:
        raise ValueError("describe: The input must not be empty.")
    raw = as_array(a)
    raw = raw.ravel() if axis is None else raw
    if sample.there is None:
        low, high = raw.min(axis=sample.axis), raw.max(axis=sample.axis)
        count: Any = sample.count
    else:
        low = cp.where(sample.there, raw, cp.inf).min(axis=sample.axis)
        high = cp.where(sample.there, raw, -cp.inf).max(axis=sample.axis)
        count = sample.reduced(sample.count)
    options: dict[str, Any] = {"axis": axis, "bias": bias, "nan_policy": nan_policy}
    return DescribeResult(
        count,
        (low, high),
        sample.reduced(sample.mean()),
        sample.reduced(sample.variance(ddof)),
        skew(a, **options),
        kurtosis(a, **options),
    )


@names_itself
@documented
def sem(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    ddof: int = 1,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> ndarray:
    """Return the standard error of the mean.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    {ddof}
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The standard errors.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.sem(cp.array([1.0, 2.0, 3.0])).round(6)
    array(0.57735)
    """
    sample = Sample("sem", a, axis, nan_policy)
    root = cp.sqrt(cp.asarray(sample.count, dtype=np.float64))
    deviation = sample.deviation(ddof)
    result = (deviation / root).astype(deviation.dtype, copy=False)
    return sample.reduced(result, keepdims)


@names_itself
@documented
def variation(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    ddof: int = 0,
    *,
    keepdims: bool = False,
) -> ndarray:
    """Return the standard deviation divided by the mean.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    {nans}
    {ddof}
    {keepdims}

    Returns
    -------
    ndarray
        The variation.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.variation(cp.array([1.0, 2.0, 3.0])).round(6)
    array(0.408248)
    """
    sample = Sample("variation", a, axis, nan_policy)
    if sample.values.dtype.kind == "c":
        raise TypeError("variation: not supported for complex numbers")
    return sample.reduced(cp.sqrt(sample.variance(ddof)) / sample.mean(), keepdims)


def _averaged(op: str, a: Any, axis: Any, dtype: Any, weights: Any, nan_policy: str, before: Any) -> Any:
    """Return a sample and the mean, or the weighted mean, of a function of its numbers."""
    a = as_array(a)
    if dtype is not None:
        a = a.astype(dtype)
    sample = Sample(op, a, axis, nan_policy)
    values = before(sample.values)
    if weights is None:
        return sample, sample.mean(values)
    w = as_array(weights)
    w = w.ravel() if axis is None else w
    if w.ndim == 1 and values.ndim > 1:
        w = w.reshape([-1 if i == sample.axis else 1 for i in range(values.ndim)])
    if sample.there is not None:
        w, values = cp.where(sample.there, w, 0), cp.where(sample.there, values, 0)
    w = cp.broadcast_to(w, values.shape)
    total = (values * w).sum(axis=sample.axis, keepdims=True)
    return sample, total / w.sum(axis=sample.axis, keepdims=True)


@names_itself
@documented
def gmean(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    dtype: DTypeLike | None = None,
    weights: ArrayLike | None = None,
    *,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the geometric mean.

    Parameters
    ----------
    a : array_like
        The numbers, not negative.
    {sample_axis}
    dtype : dtype, optional
        What is computed in.
    weights : array_like, optional
        How much each number counts.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The means.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.gmean(cp.array([1.0, 4.0])).round(6)
    array(2.)
    """
    sample, mean = _averaged("gmean", a, axis, dtype, weights, nan_policy, cp.log)
    result: ndarray = sample.reduced(cp.exp(mean), keepdims)
    return result


@names_itself
@documented
def hmean(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    dtype: DTypeLike | None = None,
    *,
    weights: ArrayLike | None = None,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the harmonic mean.

    Parameters
    ----------
    a : array_like
        The numbers, not negative.
    {sample_axis}
    dtype : dtype, optional
        What is computed in.
    weights : array_like, optional
        How much each number counts.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The means; NaN where a number is negative.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.hmean(cp.array([1.0, 4.0]))
    array(1.6)
    """
    sample, mean = _averaged("hmean", a, axis, dtype, weights, nan_policy, _inverse)
    result: ndarray = sample.reduced(1.0 / mean, keepdims)
    return result


def _inverse(values: ndarray) -> ndarray:
    return cp.where(values < 0, cp.nan, 1.0 / values)


@names_itself
@documented
def pmean(
    a: ArrayLike,
    p: float,
    *,
    axis: SupportsIndex | None = 0,
    dtype: DTypeLike | None = None,
    weights: ArrayLike | None = None,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the mean of powers, and the root of it.

    Parameters
    ----------
    a : array_like
        The numbers, not negative.
    p : float
        The power; 0 gives the geometric mean.
    {sample_axis}
    dtype : dtype, optional
        What is computed in.
    weights : array_like, optional
        How much each number counts.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The means; NaN where a number is negative.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.pmean(cp.array([1.0, 7.0]), 2)
    array(5.)
    """
    if not isinstance(p, (int, float)):
        raise ValueError("pmean: Power mean only implemented for finite `p`")
    if not math.isfinite(p):
        raise NotImplementedError("pmean: Power mean only implemented for finite `p`")
    if p == 0:
        return gmean(a, axis=axis, dtype=dtype, weights=weights, nan_policy=nan_policy, keepdims=keepdims)

    def powers(values: ndarray) -> ndarray:
        return cp.where(values < 0, cp.nan, values ** float(p))

    sample, mean = _averaged("pmean", a, axis, dtype, weights, nan_policy, powers)
    result: ndarray = sample.reduced(mean ** (1 / p), keepdims)
    return result


@names_itself
@documented
def gstd(
    a: ArrayLike,
    axis: SupportsIndex | None = 0,
    ddof: int = 1,
    *,
    keepdims: bool = False,
    nan_policy: str = "propagate",
) -> ndarray:
    """Return the geometric standard deviation.

    Parameters
    ----------
    a : array_like
        The numbers, positive.
    {sample_axis}
    {ddof}
    {keepdims}
    {nans}

    Returns
    -------
    ndarray
        The deviations.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.gstd(cp.array([1.0, 10.0, 100.0])).round(6)
    array(10.)
    """
    a = as_array(a)
    logarithms = cp.log(a.astype(np.float64) if a.dtype.kind in "bui" else a)
    sample = Sample("gstd", logarithms, axis, nan_policy)
    spread = cp.exp(sample.deviation(ddof)).astype(sample.values.dtype, copy=False)
    return sample.reduced(spread, keepdims)


@names_itself
@documented
def mode(
    a: ArrayLike, axis: SupportsIndex | None = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> ModeResult:
    """Return the most common number of a sample: the smallest of several.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    {nans}
    {keepdims}

    Returns
    -------
    ModeResult
        With `mode` and `count`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.mode(cp.array([3, 1, 2, 3, 1]))
    ModeResult(mode=array(1), count=array(2))
    """
    a = as_sample(a)
    shape = a.shape
    if axis is None:
        a, axis = a.ravel(), 0
    omits = checked_policy("mode", a, nan_policy)
    place = normalize_axis("mode", axis, a.ndim)
    n = a.shape[place]
    if n == 0:
        reduced = a.sum(axis=place, keepdims=keepdims).shape
        reduced = (1,) * len(shape) if keepdims and len(shape) != a.ndim else reduced
        return ModeResult(cp.full(reduced, cp.nan), cp.zeros(reduced, np.int64 if reduced else np.float64))
    ordered = cp.moveaxis(cp.sort(a, axis=place), place, -1)
    # Where runs of equal numbers begin, and how long each is so far.
    changes = ordered[..., 1:] != ordered[..., :-1]
    if a.dtype.kind in "fc":
        # NaNs, which are sorted last, are equal to each other here.
        is_nan = cp.isnan(ordered)
        changes = changes & ~(is_nan[..., 1:] & is_nan[..., :-1])
    begins = cp.concatenate((cp.ones((*ordered.shape[:-1], 1), bool), changes), -1)
    places = cp.arange(n)
    starts = cp.maximum.accumulate(cp.where(begins, places, 0), axis=-1)
    length = places - starts + 1
    if omits:
        length = cp.where(is_nan, 0, length)
    best = cp.argmax(length, axis=-1, keepdims=True)
    value, count = cp.take_along_axis(ordered, best, -1), cp.take_along_axis(length, best, -1)
    if omits:
        value = cp.where(count == 0, cp.nan, value).astype(a.dtype)
    value, count = cp.moveaxis(value, -1, place), cp.moveaxis(count, -1, place)
    if not keepdims:
        return ModeResult(cp.squeeze(value, place), cp.squeeze(count, place))
    if len(shape) != a.ndim:
        value, count = value.reshape((1,) * len(shape)), count.reshape((1,) * len(shape))
    return ModeResult(value, count)

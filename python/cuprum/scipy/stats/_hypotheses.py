"""Tests of hypotheses: means, correlations, lines, counts. Statistics and chances come from the device."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._documentation import documented
from ._ranks import rankdata
from ._samples import Sample, as_sample

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "chisquare",
    "linregress",
    "pearsonr",
    "spearmanr",
    "ttest_1samp",
    "ttest_ind",
    "ttest_ind_from_stats",
    "ttest_rel",
]


class TtestResult(NamedTuple):
    """What tests by Student's t return."""

    statistic: ndarray
    pvalue: ndarray


class SignificanceResult(NamedTuple):
    """A statistic and the chance of one at least as far out."""

    statistic: ndarray
    pvalue: ndarray


class LinregressResult(NamedTuple):
    """What `linregress` returns."""

    slope: ndarray
    intercept: ndarray
    rvalue: ndarray
    pvalue: ndarray
    stderr: ndarray
    intercept_stderr: ndarray


class PowerDivergenceResult(NamedTuple):
    """What `chisquare` returns."""

    statistic: ndarray
    pvalue: ndarray


def _student(op: str, t: ndarray, df: Any, alternative: str) -> ndarray:
    """Return the chance of a t at least as far out."""
    if t.dtype.kind == "c":
        raise TypeError(f"{op}: not supported for complex samples")
    if alternative == "less":
        return special.stdtr(df, t)
    if alternative == "greater":
        return special.stdtr(df, -t)
    if alternative == "two-sided":
        return 2 * special.stdtr(df, -cp.abs(t))
    raise ValueError(f"{op}: `alternative` must be 'less', 'greater', or 'two-sided', got {alternative!r}")


@names_itself
@documented
def ttest_1samp(
    a: ArrayLike,
    popmean: Any,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
) -> TtestResult:
    """Test whether the mean of a sample is a given number.

    Parameters
    ----------
    a : array_like
        The sample.
    popmean : float or array_like
        The mean.
    {its_axis}
    {nans}
    {alternative}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_1samp(cp.array([1.0, 2.0, 3.0]), 2.0).pvalue
    array(1.)
    """
    sample = Sample("ttest_1samp", a, axis, nan_policy)
    n = cp.asarray(sample.count, dtype=np.float64)
    t = (sample.mean() - popmean) / cp.sqrt(sample.variance(1) / n)
    t, df = sample.reduced(t), sample.reduced(cp.broadcast_to(n - 1, t.shape))
    return TtestResult(t, _student("ttest_1samp", t, df, alternative))


@names_itself
@documented
def ttest_rel(
    a: ArrayLike,
    b: ArrayLike,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
) -> TtestResult:
    """Test whether two samples of pairs have one mean.

    Parameters
    ----------
    a, b : array_like
        The samples, of one shape.
    {axis}
    nan_policy : {"propagate", "raise", "omit"}, optional
        What NaNs do; a pair with one is left out.
    {alternative}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_rel(cp.array([1.0, 2.0, 4.0]), cp.array([1.0, 1.0, 5.0])).statistic
    array(0.)
    """
    a, b = as_array(a), as_array(b)
    if a.shape != b.shape:
        raise ValueError(f"ttest_rel: unequal length arrays, got shapes {a.shape} and {b.shape}")
    return ttest_1samp(a - b, 0.0, axis, nan_policy, alternative)


def _spread_of_means(
    v1: ndarray, n1: ndarray, v2: ndarray, n2: ndarray, equal_var: bool
) -> tuple[ndarray, ndarray]:
    """Return the degrees of freedom of the difference of two means, and its standard deviation."""
    if equal_var:
        df = n1 + n2 - 2
        return df, cp.sqrt(((n1 - 1) * v1 + (n2 - 1) * v2) / df * (1.0 / n1 + 1.0 / n2))
    s1, s2 = v1 / n1, v2 / n2
    df = (s1 + s2) ** 2 / (s1**2 / (n1 - 1) + s2**2 / (n2 - 1))
    return cp.where(cp.isnan(df), 1.0, df), cp.sqrt(s1 + s2)


@names_itself
@documented
def ttest_ind(
    a: ArrayLike,
    b: ArrayLike,
    axis: SupportsIndex | None = 0,
    equal_var: bool = True,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
) -> TtestResult:
    """Test whether two samples have one mean.

    Parameters
    ----------
    a, b : array_like
        The samples.
    {axis}
    equal_var : bool, optional
        Whether their variances are taken as equal (Student), or not (Welch).
    {nans}
    {alternative}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_ind(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 3.0, 1.0])).pvalue
    array(1.)
    """
    first, second = Sample("ttest_ind", a, axis, nan_policy), Sample("ttest_ind", b, axis, nan_policy)
    n1, n2 = (cp.asarray(sample.count, dtype=np.float64) for sample in (first, second))
    df, scale = _spread_of_means(first.variance(1), n1, second.variance(1), n2, equal_var)
    t = (first.mean() - second.mean()) / scale
    t, df = first.reduced(t), first.reduced(cp.broadcast_to(df, t.shape))
    return TtestResult(t, _student("ttest_ind", t, df, alternative))


@names_itself
@documented
def ttest_ind_from_stats(
    mean1: ArrayLike,
    std1: ArrayLike,
    nobs1: ArrayLike,
    mean2: ArrayLike,
    std2: ArrayLike,
    nobs2: ArrayLike,
    equal_var: bool = True,
    alternative: str = "two-sided",
) -> TtestResult:
    """Test whether two samples have one mean, given their means, deviations and sizes.

    Parameters
    ----------
    mean1, std1, nobs1 : array_like
        The mean of the first sample, its standard deviation with ``ddof=1``, and how many it has.
    mean2, std2, nobs2 : array_like
        Those of the second one.
    equal_var : bool, optional
        Whether their variances are taken as equal (Student), or not (Welch).
    {alternative}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_ind_from_stats(2.0, 1.0, 3, 2.0, 1.0, 3).pvalue
    array(1.)
    """
    m1, d1, n1, m2, d2, n2 = (
        as_array(x).astype(np.float64) for x in (mean1, std1, nobs1, mean2, std2, nobs2)
    )
    df, scale = _spread_of_means(d1 * d1, n1, d2 * d2, n2, equal_var)
    t = (m1 - m2) / scale
    df = cp.broadcast_to(df, t.shape)
    return TtestResult(t, _student("ttest_ind_from_stats", t, df, alternative))


def _centred(values: ndarray, axis: int) -> ndarray:
    """Return values less their mean: zeros where all are equal, though the mean may be another number."""
    first = values[(slice(None),) * axis + (slice(0, 1),)]
    is_equal = (values == first).all(axis=axis, keepdims=True)
    return cp.where(is_equal, 0.0, values - values.mean(axis=axis, keepdims=True)).astype(values.dtype)


def _correlation(op: str, x: ndarray, y: ndarray, axis: int, alternative: str) -> tuple[ndarray, ndarray]:
    """Return the correlation of two samples and the chance of one at least as far out."""
    n = x.shape[axis]
    dx, dy = _centred(x, axis), _centred(y, axis)
    scale = cp.sqrt((dx * dx).sum(axis=axis)) * cp.sqrt((dy * dy).sum(axis=axis))
    r = cp.clip((dx * dy).sum(axis=axis) / scale, -1.0, 1.0)
    if n == 2:
        sign = cp.sign(r)
        return sign, cp.where(cp.isnan(sign), sign, 1.0)
    df = n - 2
    # A t of so many degrees of freedom, as an incomplete beta function: exact where the correlation is near
    # one.
    tail = 0.5 * special.betainc(df / 2.0, 0.5, cp.clip((1 - r) * (1 + r), 0.0, 1.0))
    below, above = cp.where(r < 0, tail, 1 - tail), cp.where(r > 0, tail, 1 - tail)
    if alternative == "two-sided":
        return r, 2 * tail
    if alternative in ("less", "greater"):
        return r, below if alternative == "less" else above
    raise ValueError(f"{op}: `alternative` must be 'less', 'greater', or 'two-sided', got {alternative!r}")


def _pair(op: str, x: Any, y: Any, axis: Any) -> tuple[ndarray, ndarray, int]:
    x, y = as_sample(x), as_sample(y)
    if axis is None:
        x, y, axis = x.ravel(), y.ravel(), 0
    axis = normalize_axis(op, axis, x.ndim)
    if x.shape[axis] != y.shape[axis]:
        raise ValueError(f"{op}: `x` and `y` must have the same length along `axis`.")
    return (*(a.astype(np.float64) if a.dtype.kind in "bui" else a for a in (x, y)), axis)


@names_itself
@documented
def pearsonr(
    x: ArrayLike, y: ArrayLike, *, alternative: str = "two-sided", axis: SupportsIndex | None = 0
) -> SignificanceResult:
    """Return the linear correlation of two samples, and test whether there is any.

    Parameters
    ----------
    x, y : array_like
        The samples.
    {alternative}
    {axis}

    Returns
    -------
    SignificanceResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.pearsonr(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 4.0, 6.0])).statistic.round(6)
    array(1.)
    """
    x, y, axis = _pair("pearsonr", x, y, axis)
    if x.shape[axis] < 2:
        raise ValueError("pearsonr: `x` and `y` must have length at least 2.")
    return SignificanceResult(*_correlation("pearsonr", x, y, axis, alternative))


@names_itself
@documented
def spearmanr(
    a: ArrayLike,
    b: ArrayLike,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
) -> SignificanceResult:
    """Return the correlation of the ranks of two samples, and test whether there is any.

    Parameters
    ----------
    a, b : (N,) array_like
        The samples.
    {axis}
    {nans_kept}
    {alternative}

    Returns
    -------
    SignificanceResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.spearmanr(cp.array([1.0, 2.0, 3.0]), cp.array([1.0, 4.0, 9.0])).statistic.round(6)
    array(1.)
    """
    x, y, axis = _pair("spearmanr", a, b, axis)
    if nan_policy not in ("propagate", "raise"):
        raise ValueError(f"spearmanr: nan_policy must be 'propagate' or 'raise', got {nan_policy!r}")
    x, y = (rankdata(values, axis=axis, nan_policy=nan_policy) for values in (x, y))
    r, p = _correlation("spearmanr", x, y, axis, alternative)
    # Two pairs leave no freedom to judge by, and one or none no correlation.
    few = x.shape[axis] <= 2
    return SignificanceResult(r, cp.full_like(p, cp.nan) if few else p)


@names_itself
@documented
def linregress(x: ArrayLike, y: ArrayLike, alternative: str = "two-sided") -> LinregressResult:
    """Fit a straight line, and test whether it has a slope.

    Parameters
    ----------
    x, y : (N,) array_like
        The points.
    {alternative}

    Returns
    -------
    LinregressResult
        With `slope`, `intercept`, `rvalue`, `pvalue`, `stderr` and `intercept_stderr`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> line = stats.linregress(cp.array([0.0, 1.0, 2.0]), cp.array([1.0, 3.0, 5.5]))
    >>> line.slope, line.intercept.round(6)
    (array(2.25), array(0.916667))
    """
    x, y, _ = _pair("linregress", x, y, 0)
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("linregress: x and y must be one-dimensional")
    df = x.size - 2
    mean_x, mean_y, dx, dy = x.mean(), y.mean(), _centred(x, 0), _centred(y, 0)
    xx, yy, xy = (dx**2).mean(), (dy**2).mean(), (dx * dy).mean()
    r = cp.where((xx == 0) | (yy == 0), cp.nan, cp.clip(xy / cp.sqrt(xx * yy), -1.0, 1.0))
    slope = xy / xx
    intercept = mean_y - slope * mean_x
    # Two points leave no freedom to judge by, and all of one x or y no line.
    _, p = _correlation("linregress", x, y, 0, alternative)
    p = cp.where(cp.isnan(r), cp.nan, p) if df > 0 else cp.full((), cp.nan)
    error = cp.sqrt((1 - r**2) * yy / xx / df) if df > 0 else cp.full((), cp.nan)
    intercept_error = error * cp.sqrt(xx + mean_x**2)
    return LinregressResult(slope, intercept, r, p, error, intercept_error)


@names_itself
def chisquare(
    f_obs: ArrayLike,
    f_exp: ArrayLike | None = None,
    ddof: int = 0,
    axis: SupportsIndex | None = 0,
    *,
    sum_check: bool = True,
) -> PowerDivergenceResult:
    """Test whether counts are as expected.

    Parameters
    ----------
    f_obs : array_like
        The counts.
    f_exp : array_like, optional
        The expected ones; equal by default.
    ddof : int, optional
        What is taken from the degrees of freedom.
    axis : int or None, optional
        The axis along which counts run.
    sum_check : bool, optional
        Raise where the sums differ.

    Returns
    -------
    PowerDivergenceResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.chisquare(cp.array([10.0, 10.0, 10.0])).pvalue
    array(1.)
    """
    sample = Sample("chisquare", f_obs, axis)
    observed = sample.values
    if f_exp is None:
        expected = observed.mean(axis=sample.axis, keepdims=True)
    else:
        expected = as_array(f_exp).astype(np.float64)
        expected = expected.ravel() if axis is None else expected
        if sum_check and expected.size:
            sums = [values.sum(axis=sample.axis) for values in (observed, expected)]
            apart = cp.abs(sums[0] - sums[1]) / cp.minimum(*sums)
            if bool((apart > math.sqrt(np.finfo(np.float64).eps)).any()):
                raise ValueError(
                    "chisquare: the sum of the observed frequencies must agree with the sum of the expected "
                    "frequencies to a relative tolerance of 1.4901161193847656e-08"
                )
    statistic = ((observed - expected) ** 2 / expected).sum(axis=sample.axis)
    df = observed.shape[sample.axis] - 1 - ddof
    return PowerDivergenceResult(statistic, special.gammaincc(df / 2.0, statistic / 2.0))

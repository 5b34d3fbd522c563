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
from ._along_axis import along_axis
from ._documentation import documented
from ._ranks import rankdata
from ._samples import ALTERNATIVES, Sample, as_sample, check_choice, checked_policy

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
@along_axis("a", "popmean")
def ttest_1samp(
    a: ArrayLike,
    popmean: Any,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
    *,
    keepdims: bool = False,
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
    {keepdims}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_1samp(cp.array([1.0, 2.0, 3.0]), 2.0).pvalue
    array(1.)
    """
    sample = Sample("ttest_1samp", a, axis)
    n = float(sample.count)
    t = sample.reduced((sample.mean() - popmean) / cp.sqrt(sample.variance(1) / n))
    df = cp.full(t.shape, n - 1)
    return TtestResult(t, _student("ttest_1samp", t, df, alternative))


@names_itself
@documented
@along_axis("a", "b", paired=True)
def ttest_rel(
    a: ArrayLike,
    b: ArrayLike,
    axis: SupportsIndex | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
    *,
    keepdims: bool = False,
) -> TtestResult:
    """Test whether two samples of pairs have one mean.

    Parameters
    ----------
    a, b : array_like
        The samples, of one shape.
    {axis}
    {nans}
    {alternative}
    {keepdims}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_rel(cp.array([1.0, 2.0, 4.0]), cp.array([1.0, 1.0, 5.0])).statistic
    array(0.)
    """
    a, b = as_array(a), as_array(b)
    if a.shape != b.shape:
        raise ValueError(f"ttest_rel: unequal length arrays, got {a.shape[-1]} and {b.shape[-1]} numbers")
    return ttest_1samp(a - b, 0.0, axis, alternative=alternative)


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
@along_axis("a", "b")
def ttest_ind(
    a: ArrayLike,
    b: ArrayLike,
    axis: SupportsIndex | None = 0,
    equal_var: bool = True,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
    *,
    keepdims: bool = False,
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
    {keepdims}

    {t_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ttest_ind(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 3.0, 1.0])).pvalue
    array(1.)
    """
    first, second = Sample("ttest_ind", a, axis), Sample("ttest_ind", b, axis)
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
    check_choice(op, "alternative", alternative, ALTERNATIVES)
    n = x.shape[axis]
    dx, dy = _centred(x, axis), _centred(y, axis)
    scale = cp.sqrt((dx * dx).sum(axis=axis)) * cp.sqrt((dy * dy).sum(axis=axis))
    r = cp.clip((dx * dy).sum(axis=axis) / scale, -1.0, 1.0)
    if n == 2:
        sign = cp.sign(r)
        return sign, cp.where(cp.isnan(sign), sign, 1.0)
    return r, _chance_of_correlation(r, n - 2, alternative)


def _chance_of_correlation(r: ndarray, df: int, alternative: str) -> ndarray:
    """Return the chance of a correlation at least as far out, with so many degrees of freedom."""
    # A t, as an incomplete beta function: exact where the correlation is near one.
    tail = 0.5 * special.betainc(df / 2.0, 0.5, cp.clip((1 - r) * (1 + r), 0.0, 1.0))
    if alternative == "two-sided":
        return 2 * tail
    is_near = r < 0 if alternative == "less" else r > 0
    return cp.where(is_near, tail, 1 - tail)


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
    b: ArrayLike | None = None,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
) -> SignificanceResult:
    """Return the correlations of the ranks of variables, and test whether there are any.

    Parameters
    ----------
    a : array_like
        One variable, or several as the columns of a matrix.
    b : array_like, optional
        More of them.
    axis : {0, 1, None}, optional
        The axis along which observations run; with None `a` and `b` are one variable each.
    nan_policy : {"propagate", "raise", "omit"}, optional
        What NaNs do; observations of a pair of variables with one are left out.
    {alternative}

    Returns
    -------
    SignificanceResult
        With `statistic` and `pvalue`: numbers for two variables, symmetric matrices for more.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.spearmanr(cp.array([1.0, 2.0, 3.0]), cp.array([1.0, 4.0, 9.0])).statistic
    array(1.)
    """
    check_choice("spearmanr", "alternative", alternative, ALTERNATIVES)
    rows = _variables(a, b, axis)
    omits = checked_policy("spearmanr", rows, nan_policy)
    count, n = rows.shape
    if n <= 1:
        return SignificanceResult(*(cp.full((), cp.nan) for _ in range(2)))
    if not omits:
        r, p = _rank_correlations(rankdata(rows, axis=-1), alternative)
        return SignificanceResult(r[0, 1], p[0, 1]) if count == 2 else SignificanceResult(r, p)
    pairs = [(i, j) for i in range(count) for j in range(i)]
    r, p = cp.ones((count, count)), cp.zeros((count, count))
    for i, j in pairs:
        pair = rows[cp.asarray([i, j])]
        pair = pair[:, ~cp.isnan(pair).any(axis=0)]
        found = _rank_correlations(rankdata(pair, axis=-1), alternative)
        for whole, part in zip((r, p), found, strict=True):
            whole[i, j] = whole[j, i] = part[0, 1]
    return SignificanceResult(r[0, 1], p[0, 1]) if count == 2 else SignificanceResult(r, p)


def _variables(a: Any, b: Any, axis: int | None) -> ndarray:
    """Return variables as the rows of a matrix."""
    if axis is not None and axis > 1:
        raise ValueError(f"spearmanr: only handles 1-D or 2-D arrays, supplied axis argument {axis}")
    rows = []
    for values in (a, b):
        if values is None:
            continue
        values = as_sample(values)
        values = values.ravel() if axis is None else values
        if values.ndim > 2:
            raise ValueError("spearmanr: only handles 1-D or 2-D arrays")
        rows.append(values[None] if values.ndim == 1 else values.T if axis == 0 else values)
    matrix = cp.concatenate(rows) if len(rows) > 1 else rows[0]
    if len(matrix) < 2:
        raise ValueError("spearmanr: `spearmanr` needs at least 2 variables to compare")
    return matrix.astype(np.float64) if matrix.dtype.kind in "bui" else matrix


def _rank_correlations(ranks: ndarray, alternative: str) -> tuple[ndarray, ndarray]:
    """Return the correlations of ranks in rows, and the chances of some at least as far out."""
    n = ranks.shape[-1]
    # Halves of integers: the sums are exact, and so is the root of equal ones.
    away = ranks - (n + 1) / 2
    products = away @ away.T
    own = cp.diagonal(products)
    r = cp.clip(products / cp.sqrt(own[:, None] * own), -1.0, 1.0)
    # Two observations leave no freedom to judge by.
    return r, _chance_of_correlation(r, n - 2, alternative) if n > 2 else cp.full_like(r, cp.nan)


@names_itself
@documented
@along_axis("x", "y", paired=True, vectors=True)
def linregress(
    x: ArrayLike,
    y: ArrayLike,
    alternative: str = "two-sided",
    *,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> LinregressResult:
    """Fit a straight line, and test whether it has a slope.

    Parameters
    ----------
    x, y : (N,) array_like
        The points.
    {alternative}
    {sample_axis}
    {nans}
    {keepdims}

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
    x, y = (a.astype(np.result_type(a.dtype, np.float64), copy=False) for a in (x, y))
    if x.size == 0:
        return LinregressResult(*(cp.full((), cp.nan) for _ in range(6)))
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
@documented
@along_axis("f_obs", "f_exp", paired=True)
def chisquare(
    f_obs: ArrayLike,
    f_exp: ArrayLike | None = None,
    ddof: int = 0,
    axis: SupportsIndex | None = 0,
    *,
    sum_check: bool = True,
    nan_policy: str = "propagate",
    keepdims: bool = False,
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
    {nans}
    {keepdims}

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
        expected = as_array(f_exp)
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

"""Tests of the shape of a distribution: those of Kolmogorov and Smirnov, and those of normality.

Samples are sorted and summed up on the device. What the host computes are distributions of a statistic, which
depend on the sizes of samples alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from . import _distributions
from ._documentation import documented
from ._rank_tests import _check, _normal
from ._samples import Sample, as_sample, checked_policy
from ._summaries import kurtosis, skew

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "anderson",
    "jarque_bera",
    "ks_1samp",
    "ks_2samp",
    "kstest",
    "kurtosistest",
    "normaltest",
    "shapiro",
    "skewtest",
]

_ALTERNATIVES = ("two-sided", "less", "greater")


class KstestResult(NamedTuple):
    """What the tests of Kolmogorov and Smirnov return."""

    statistic: ndarray
    pvalue: ndarray
    statistic_location: ndarray
    statistic_sign: ndarray


class ShapiroResult(NamedTuple):
    """What `shapiro` returns."""

    statistic: ndarray
    pvalue: ndarray


class AndersonResult(NamedTuple):
    """What `anderson` returns."""

    statistic: ndarray
    critical_values: ndarray
    significance_level: ndarray


class ShapeResult(NamedTuple):
    """A statistic and the chance of one at least as far out."""

    statistic: ndarray
    pvalue: ndarray


def _one_sided(d: float, n: int) -> float:
    """Return the chance that one of the two one-sided statistics of Kolmogorov is at least `d`."""
    if d <= 0 or d >= 1:
        return 1.0 if d <= 0 else 0.0
    j = np.arange(int(n * (1 - d)) + 1)
    high = d + j / n
    low = np.maximum(1 - high, 0.0)
    with np.errstate(divide="ignore"):
        parts = math.lgamma(n + 1) - np.array([math.lgamma(k + 1) + math.lgamma(n - k + 1) for k in j])
        logs = parts + (j - 1) * np.log(high) + np.where(low > 0, (n - j) * np.log(low), -np.inf)
    logs[low == 0] = np.where(j[low == 0] == n, parts[low == 0] + (n - 1) * np.log(high[low == 0]), -np.inf)
    return min(1.0, d * math.fsum(np.exp(logs)))


def _power(matrix: np.ndarray, n: int) -> tuple[np.ndarray, int]:
    """Return a power of a matrix, and the power of 10 that it was divided by."""
    result, scale, exponent, other = np.eye(len(matrix)), 0, 0, matrix
    while n:
        if n & 1:
            result, scale = result @ other, scale + exponent
            if result.max() > 1e140:
                result, scale = result * 1e-140, scale + 140
        n >>= 1
        if n:
            other, exponent = other @ other, 2 * exponent
            if other.max() > 1e140:
                other, exponent = other * 1e-140, exponent + 140
    return result, scale


def _two_sided(d: float, n: int) -> float:
    """Return the chance that Kolmogorov's statistic of `n` numbers is at least `d`."""
    if d <= 0.5 / n or d >= 1:
        return 1.0 if d <= 0.5 / n else 0.0
    if d >= 0.5 or n * d * d >= 4:
        # Both sides at once is next to impossible.
        return min(1.0, 2 * _one_sided(d, n))
    # The power of a matrix of about 2 n d rows, of Marsaglia, Tsang and Wang.
    k = math.ceil(n * d)
    h = k - n * d
    m = 2 * k - 1
    row, column = np.indices((m, m))
    steps = row - column + 1
    matrix = np.where(steps >= 0, 1.0, 0.0)
    for i in range(m):
        matrix[i, 0] -= h ** (i + 1)
        matrix[m - 1, i] -= h ** (m - i)
    matrix[m - 1, 0] += (2 * h - 1) ** m if 2 * h > 1 else 0.0
    factorials = np.array([1.0 / math.factorial(i) if i < 171 else 0.0 for i in range(m + 1)])
    matrix *= np.where(steps > 0, factorials[np.maximum(steps, 0)], 1.0)
    power, scale = _power(matrix, n)
    value = power[k - 1, k - 1]
    if value <= 0:
        return 1.0
    log = math.log(value) + scale * math.log(10) + math.lgamma(n + 1) - n * math.log(n)
    return min(1.0, max(0.0, 1 - math.exp(log)))


def _limit(x: float) -> float:
    """Return the chance that a large sample's statistic, times the root of its size, is at least `x`."""
    if x < 0.05:
        return 1.0
    k = np.arange(1, 101)
    if x < 0.8:
        below = math.sqrt(2 * math.pi) / x * np.exp(-((2 * k - 1) ** 2) * math.pi**2 / (8 * x * x)).sum()
        return 1 - float(below)
    return float(2 * ((-1.0) ** (k - 1) * np.exp(-2.0 * k * k * x * x)).sum())


@lru_cache(maxsize=32)
def _paths_outside(m: int, n: int, distance: int, sided: bool) -> float:
    """Return the chance that a path of `m` and `n` steps comes so far from the diagonal, on one side or both.

    Distances count in steps of one over the least common multiple.
    """
    common = m * n // math.gcd(m, n)
    i = np.arange(m + 1)
    chance = np.zeros(m + 1)
    for s in range(m + n + 1):
        j = s - i
        inside = (j >= 0) & (j <= n)
        away = i * (common // m) - j * (common // n)
        touched = away >= distance if sided else np.abs(away) >= distance
        if s:
            moved = np.concatenate(([0.0], chance[:-1]))
            chance = (i * moved + np.maximum(j, 0) * chance) / s
        chance = np.where(inside, np.where(touched, 1.0, chance), 0.0)
    return float(chance[m])


def _found(d: ndarray, chance: Any, location: ndarray, sign: Any) -> KstestResult:
    return KstestResult(d, cp.asarray(chance, dtype=np.float64), location, cp.asarray(sign, dtype=np.int8))


def _vector(op: str, a: Any, nan_policy: str) -> ndarray:
    a = as_sample(a)
    if a.ndim != 1:
        raise ValueError(f"{op}: samples have one axis, got shape {a.shape}")
    a = a.astype(np.float64) if a.dtype.kind in "bui" else a
    result: ndarray = a[~cp.isnan(a)] if checked_policy(op, a, nan_policy) else a
    return result


@names_itself
@documented
def ks_1samp(
    x: ArrayLike,
    cdf: Any,
    args: tuple[Any, ...] = (),
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
) -> KstestResult:
    """Test whether a sample has a given distribution: Kolmogorov and Smirnov's test.

    Parameters
    ----------
    x : (N,) array_like
        The sample.
    cdf : callable
        The distribution function, of arrays of this library.
    args : tuple, optional
        Further arguments for it.
    alternative : {"two-sided", "less", "greater"}, optional
        The other hypothesis: how the sample's distribution function lies.
    method : {"auto", "exact", "approx", "asymp"}, optional
        How the chance is computed; exactly by default.
    {nans}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ks_1samp(cp.array([-1.0, 0.0, 1.0]), stats.norm.cdf).statistic.round(6)
    array(0.174678)
    """
    _check("ks_1samp", "alternative", alternative, _ALTERNATIVES)
    _check("ks_1samp", "method", method, ("auto", "exact", "approx", "asymp"))
    values = cp.sort(_vector("ks_1samp", x, nan_policy))
    n = values.size
    if n == 0 or bool(cp.isnan(values).any()):
        nothing = cp.full((), cp.nan)
        return _found(nothing, nothing, nothing, 1)
    chances = as_array(cdf(values, *args))
    places = cp.arange(0.0, n + 1) / n
    above, below = places[1:] - chances, chances - places[:-1]
    best = [cp.argmax(above), cp.argmax(below)]
    plus, minus = above[best[0]], below[best[1]]
    is_plus = alternative == "greater" or (alternative == "two-sided" and bool(plus > minus))
    d, location = (plus, values[best[0]]) if is_plus else (minus, values[best[1]])
    number = float(d)
    if alternative != "two-sided":
        chance = _one_sided(number, n)
    elif method in ("auto", "exact"):
        chance = _two_sided(number, n)
    elif method == "asymp":
        chance = _limit(number * math.sqrt(n))
    else:
        chance = min(1.0, 2 * _one_sided(number, n))
    return _found(d, chance, location, 1 if is_plus else -1)


@names_itself
@documented
def ks_2samp(
    data1: ArrayLike,
    data2: ArrayLike,
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
) -> KstestResult:
    """Test whether two samples have one distribution: Kolmogorov and Smirnov's test.

    Parameters
    ----------
    data1, data2 : (N,) array_like
        The samples.
    alternative : {"two-sided", "less", "greater"}, optional
        The other hypothesis: how the distribution function of `data1` lies beside that of `data2`.
    method : {"auto", "exact", "asymp"}, optional
        How the chance is computed; exactly for samples of up to 10,000 by default.
    {nans}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ks_2samp(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 3.0, 4.0])).pvalue
    array(1.)
    """
    _check("ks_2samp", "alternative", alternative, _ALTERNATIVES)
    _check("ks_2samp", "method", method, ("auto", "exact", "asymp"))
    first, second = (cp.sort(_vector("ks_2samp", data, nan_policy)) for data in (data1, data2))
    m, n = first.size, second.size
    both = cp.concatenate((first, second))
    if min(m, n) == 0 or bool(cp.isnan(both).any()):
        nothing = cp.full((), cp.nan)
        return _found(nothing, nothing, nothing, 1)
    apart = cp.searchsorted(first, both, side="right") / m - cp.searchsorted(second, both, side="right") / n
    low, high = cp.argmin(apart), cp.argmax(apart)
    minus, plus = cp.clip(-apart[low], 0.0, 1.0), apart[high]
    is_plus = alternative == "greater" or (alternative == "two-sided" and not bool(minus > plus))
    d, location = (plus, both[high]) if is_plus else (minus, both[low])
    number = float(d)
    if method == "exact" or (method == "auto" and max(m, n) <= 10_000):
        common = m * n // math.gcd(m, n)
        distance = round(number * common)
        chance = _paths_outside(m, n, distance, alternative != "two-sided") if distance else 1.0
    else:
        large, small = float(max(m, n)), float(min(m, n))
        size = large * small / (large + small)
        if alternative == "two-sided":
            chance = _two_sided(number, round(size)) if size < 1e4 else _limit(number * math.sqrt(size))
        else:
            z = math.sqrt(size) * number
            root = math.sqrt(large * small * (large + small))
            chance = math.exp(-2 * z * z - 2 * z * (large + 2 * small) / root / 3)
    return _found(d, min(1.0, max(0.0, chance)), location, 1 if is_plus else -1)


@names_itself
@documented
def kstest(
    rvs: ArrayLike,
    cdf: Any,
    args: tuple[Any, ...] = (),
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
) -> KstestResult:
    """Test whether a sample has a given distribution, or that of another sample.

    Parameters
    ----------
    rvs : (N,) array_like
        The sample.
    cdf : str, callable or array_like
        The name of a distribution, a distribution function, or the other sample.
    args : tuple, optional
        Further arguments of the distribution function.
    {alternative}
    method : {"auto", "exact", "approx", "asymp"}, optional
        How the chance is computed.
    {nans}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kstest(cp.array([0.2, 0.5, 0.8]), "uniform").statistic.round(6)
    array(0.2)
    """
    if isinstance(cdf, str):
        if cdf not in _distributions.__all__:
            raise ValueError(
                f"kstest: the distributions are {', '.join(sorted(_distributions.__all__))}, got {cdf!r}"
            )
        cdf = getattr(_distributions, cdf).cdf
    if callable(cdf):
        return ks_1samp(rvs, cdf, args, alternative, method, nan_policy=nan_policy)
    method = "auto" if method == "approx" else method
    return ks_2samp(rvs, cdf, alternative, method, nan_policy=nan_policy)


def _skew_z(b: ndarray, n: Any) -> ndarray:
    """Return D'Agostino's transformation of a skewness to a normal number."""
    y = b * cp.sqrt((n + 1) * (n + 3) / (6.0 * (n - 2)))
    beta = 3.0 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9))
    square = -1 + cp.sqrt(2 * (beta - 1))
    delta = 1 / cp.sqrt(0.5 * cp.log(square))
    alpha = cp.sqrt(2.0 / (square - 1))
    y = cp.where(y == 0, 1.0, y)
    return delta * cp.log(y / alpha + cp.sqrt((y / alpha) ** 2 + 1))


def _kurtosis_z(b: ndarray, n: Any) -> ndarray:
    """Return Anscombe and Glynn's transformation of a kurtosis to a normal number."""
    mean = 3.0 * (n - 1) / (n + 1)
    variance = 24.0 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1.0) * (n + 3) * (n + 5))
    x = (b - mean) / variance**0.5
    root = (6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9))) * (
        (6.0 * (n + 3) * (n + 5)) / (n * (n - 2) * (n - 3))
    ) ** 0.5
    a = 6.0 + 8.0 / root * (2.0 / root + (1 + 4.0 / root**2) ** 0.5)
    term = 1 - 2 / (9.0 * a)
    below = 1 + x * (2 / (a - 4.0)) ** 0.5
    ratio = cp.where(below == 0, cp.nan, (1 - 2.0 / a) / cp.abs(cp.where(below == 0, 1.0, below)))
    result: ndarray = (term - cp.sign(below) * cp.cbrt(ratio)) / (2 / (9.0 * a)) ** 0.5
    return result


def _size(op: str, a: Any, axis: Any, nan_policy: str, least: int) -> float:
    """Return the size of samples, which must be one for all; NaN where it is too small for the test."""
    sample = Sample(op, a, axis, nan_policy)
    if sample.there is not None:
        raise ValueError(f"{op}: nan_policy='omit' is not taken; leave NaNs out before")
    n = sample.values.shape[sample.axis]
    return float(n) if n >= least else math.nan


@names_itself
@documented
def skewtest(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", alternative: str = "two-sided"
) -> ShapeResult:
    """Test whether the skewness of a sample is that of a normal distribution.

    Parameters
    ----------
    a : array_like
        The sample; of less than 8 numbers the result is NaN.
    {its_axis}
    {nans_kept}
    {alternative}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.skewtest(cp.array([1.0, 2, 3, 4, 5, 6, 7, 8])).statistic.round(6)
    array(1.010805)
    """
    _check("skewtest", "alternative", alternative, _ALTERNATIVES)
    n = _size("skewtest", a, axis, nan_policy, 8)
    z = _skew_z(skew(a, axis=axis), n)
    return ShapeResult(z, _normal(z, alternative))


@names_itself
@documented
def kurtosistest(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", alternative: str = "two-sided"
) -> ShapeResult:
    """Test whether the kurtosis of a sample is that of a normal distribution.

    Parameters
    ----------
    a : array_like
        The sample; of less than 5 numbers the result is NaN.
    {its_axis}
    {nans_kept}
    {alternative}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kurtosistest(cp.arange(20.0)).statistic.round(6)
    array(-1.70581)
    """
    _check("kurtosistest", "alternative", alternative, _ALTERNATIVES)
    n = _size("kurtosistest", a, axis, nan_policy, 5)
    z = _kurtosis_z(kurtosis(a, axis=axis, fisher=False), n)
    return ShapeResult(z, _normal(z, alternative))


@names_itself
@documented
def normaltest(a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate") -> ShapeResult:
    """Test whether a sample is normal, by its skewness and kurtosis.

    Parameters
    ----------
    a : array_like
        The sample; of less than 8 numbers the result is NaN.
    {its_axis}
    {nans_kept}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> bool(stats.normaltest(cp.arange(20.0)).pvalue > 0.1)
    True
    """
    _size("normaltest", a, axis, nan_policy, 8)
    statistic = skewtest(a, axis).statistic ** 2 + kurtosistest(a, axis).statistic ** 2
    return ShapeResult(statistic, special.chdtrc(2.0, statistic))


@names_itself
@documented
def jarque_bera(x: ArrayLike, *, axis: int | None = None, nan_policy: str = "propagate") -> ShapeResult:
    """Test whether a large sample has the skewness and kurtosis of a normal distribution.

    Parameters
    ----------
    x : array_like
        The sample.
    axis : int or None, optional
        The axis along which it runs; all numbers by default.
    {nans_kept}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.jarque_bera(cp.arange(20.0)).statistic.round(6)
    array(1.21206)
    """
    n = _size("jarque_bera", x, axis, nan_policy, 1)
    statistic = n / 6 * (skew(x, axis=axis) ** 2 + kurtosis(x, axis=axis) ** 2 / 4)
    return ShapeResult(statistic, special.chdtrc(2.0, statistic))


# Royston's polynomials, the constant first (algorithm AS R94).
_WEIGHT_1 = (0.0, 0.221157, -0.147981, -2.071190, 4.434685, -2.706056)
_WEIGHT_2 = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_SMALL_MEAN = (0.5440, -0.39978, 0.025054, -6.714e-4)
_SMALL_DEVIATION = (1.3822, -0.77857, 0.062767, -0.0020322)
_LARGE_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_LARGE_DEVIATION = (-0.4803, -0.082676, 0.0030302)
_BOUND = (-2.273, 0.459)


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    return sum(c * x**i for i, c in enumerate(coefficients))


def _shapiro_weights(n: int) -> ndarray:
    """Return the weights of the lower half of an ordered sample."""
    if n == 3:
        return cp.array([math.sqrt(0.5)])
    half = n // 2
    m = special.ndtri((cp.arange(1.0, half + 1) - 0.375) / (n + 0.25))
    total = 2 * (m * m).sum()
    length, root = cp.sqrt(total), 1 / math.sqrt(n)
    first = _polynomial(_WEIGHT_1, root) - m[0] / length
    if n <= 5:
        scale = cp.sqrt((total - 2 * m[0] ** 2) / (1 - 2 * first**2))
        return cp.concatenate((first[None], -m[1:] / scale))
    second = _polynomial(_WEIGHT_2, root) - m[1] / length
    scale = cp.sqrt((total - 2 * m[0] ** 2 - 2 * m[1] ** 2) / (1 - 2 * first**2 - 2 * second**2))
    return cp.concatenate((first[None], second[None], -m[2:] / scale))


@names_itself
@documented
def shapiro(x: ArrayLike, *, nan_policy: str = "propagate") -> ShapiroResult:
    """Test whether a sample is normal, by Shapiro and Wilk's test.

    Parameters
    ----------
    x : array_like
        The sample, of 3 numbers or more.
    {nans}

    Returns
    -------
    ShapiroResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.shapiro(cp.array([1.0, 2.0, 3.0, 5.0, 9.0])).statistic.round(6)
    array(0.912401)
    """
    values = cp.sort(_vector("shapiro", as_array(x).ravel(), nan_policy).astype(np.float64))
    n = values.size
    if n < 3:
        return ShapiroResult(cp.array(cp.nan), cp.array(cp.nan))
    weights = _shapiro_weights(n)
    full = cp.concatenate((-weights, cp.zeros(n % 2), weights[::-1]))
    centred = values - values.mean()
    scaled = centred / cp.sqrt((centred * centred).sum())
    unit = full / cp.sqrt((full * full).sum())
    # One less the square of a correlation, which keeps the digits of values near one.
    rest = (1 - (unit * scaled).sum()) * (1 + (unit * scaled).sum())
    w = 1 - rest
    chance = _shapiro_chance(n, w, rest)
    # Equal numbers have no shape, and speak against no distribution; as in SciPy.
    is_equal = values[-1] - values[0] < 1e-19
    return ShapiroResult(cp.where(is_equal, 1.0, w), cp.where(is_equal, 1.0, chance))


def _shapiro_chance(n: int, w: ndarray, rest: ndarray) -> ndarray:
    """Return the chance of a statistic `w`, with one less it in `rest`, for a sample of `n` numbers."""
    if n == 3:
        chance = 6 / math.pi * (cp.arcsin(cp.sqrt(cp.maximum(w, 0.75))) - math.asin(math.sqrt(0.75)))
        return cp.clip(chance, 0.0, 1.0)
    y, log_n = cp.log(rest), math.log(n)
    if n <= 11:
        bound = _polynomial(_BOUND, float(n))
        mean, deviation = _polynomial(_SMALL_MEAN, n), math.exp(_polynomial(_SMALL_DEVIATION, n))
        z = (-cp.log(cp.where(y < bound, bound - y, 1.0)) - mean) / deviation
        return cp.where(y >= bound, 1e-99, special.ndtr(-z))
    mean, deviation = _polynomial(_LARGE_MEAN, log_n), math.exp(_polynomial(_LARGE_DEVIATION, log_n))
    result: ndarray = special.ndtr(-(y - mean) / deviation)
    return result


# The critical values of large samples at these levels, and what they are divided by: a polynomial in 1/n.
_LEVELS = (15.0, 10.0, 5.0, 2.5, 1.0)
_ANDERSON = {
    "norm": ((0.561, 0.631, 0.752, 0.873, 1.035), (1.0, 0.75, 2.25)),
    "expon": ((0.916, 1.062, 1.321, 1.591, 1.959), (1.0, 0.6)),
}


@names_itself
def anderson(x: ArrayLike, dist: str = "norm") -> AndersonResult:
    """Test whether a sample is normal or exponential, by Anderson and Darling's test.

    Parameters
    ----------
    x : (N,) array_like
        The sample.
    dist : {"norm", "expon"}, optional
        The distribution, whose mean and deviation are those of the sample.

    Returns
    -------
    AndersonResult
        With `statistic`, `critical_values` and the levels in percent that belong to them.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.anderson(cp.arange(10.0)).statistic.round(6)
    array(0.141109)
    """
    if dist not in _ANDERSON:
        raise ValueError(f"anderson: dist must be 'norm' or 'expon', got {dist!r}")
    values = cp.sort(_vector("anderson", x, "propagate"))
    n = values.size
    if dist == "norm":
        w = (values - values.mean()) / values.std(ddof=1)
        below, above = special.log_ndtr(w), special.log_ndtr(-w)
    else:
        w = values / values.mean()
        below, above = cp.log(-cp.expm1(-w)), -w
    weights = (2 * cp.arange(1.0, n + 1) - 1) / n
    statistic = -n - (weights * (below + above[::-1])).sum()
    limits, factor = _ANDERSON[dist]
    critical = np.around(np.array(limits) / _polynomial(factor, 1.0 / n), 3)
    return AndersonResult(statistic, cp.array(critical), cp.array(_LEVELS))

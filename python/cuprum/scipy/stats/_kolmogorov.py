"""Tests of Kolmogorov and Smirnov: how far a sample is from a distribution, or from another sample.

Samples are sorted and compared on the device; the host computes the distribution of the statistic.
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
from . import _distributions
from ._along_axis import along_axis
from ._documentation import documented
from ._samples import ALTERNATIVES, check_choice

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["ks_1samp", "ks_2samp", "kstest"]


class KstestResult(NamedTuple):
    """What the tests of Kolmogorov and Smirnov return."""

    statistic: ndarray
    pvalue: ndarray
    statistic_location: ndarray
    statistic_sign: ndarray


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


@names_itself
@documented
@along_axis("x", vectors=True, narrow=False)
def ks_1samp(
    x: ArrayLike,
    cdf: Any,
    args: tuple[Any, ...] = (),
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
    axis: int | None = 0,
    keepdims: bool = False,
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
    {sample_axis}
    {keepdims}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ks_1samp(cp.array([-1.0, 0.0, 1.0]), stats.norm.cdf).statistic.round(6)
    array(0.174678)
    """
    check_choice("ks_1samp", "alternative", alternative, ALTERNATIVES)
    check_choice("ks_1samp", "method", method, ("auto", "exact", "approx", "asymp"))
    values = cp.sort(as_array(x))
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
@along_axis("data1", "data2", vectors=True)
def ks_2samp(
    data1: ArrayLike,
    data2: ArrayLike,
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
    axis: int | None = 0,
    keepdims: bool = False,
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
    {sample_axis}
    {keepdims}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ks_2samp(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 3.0, 4.0])).pvalue
    array(1.)
    """
    check_choice("ks_2samp", "alternative", alternative, ALTERNATIVES)
    check_choice("ks_2samp", "method", method, ("auto", "exact", "asymp"))
    first, second = (cp.sort(as_array(data)) for data in (data1, data2))
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
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
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
    {sample_axis}
    {nans}
    {keepdims}

    {kolmogorov_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kstest(cp.array([0.2, 0.5, 0.8]), "uniform").statistic.round(6)
    array(0.2)
    """
    options: dict[str, Any] = {"axis": axis, "nan_policy": nan_policy, "keepdims": keepdims}
    if isinstance(cdf, str):
        if cdf not in _distributions.__all__:
            raise ValueError(
                f"kstest: the distributions are {', '.join(sorted(_distributions.__all__))}, got {cdf!r}"
            )
        cdf = getattr(_distributions, cdf).cdf
    if callable(cdf):
        return ks_1samp(rvs, cdf, args, alternative, method, **options)
    method = "auto" if method == "approx" else method
    return ks_2samp(rvs, cdf, alternative, method, **options)

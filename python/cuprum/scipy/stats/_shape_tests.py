"""Tests of the shape of a distribution: skewness, kurtosis and normality.

Samples are sorted and summed up on the device. What the host computes are distributions of a statistic, which
depend on the sizes of samples alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._along_axis import along_axis
from ._documentation import documented
from ._rank_tests import _normal
from ._samples import ALTERNATIVES, check_choice
from ._summaries import kurtosis, skew

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "jarque_bera",
    "kurtosistest",
    "normaltest",
    "shapiro",
    "skewtest",
]


class ShapiroResult(NamedTuple):
    """What `shapiro` returns."""

    statistic: ndarray
    pvalue: ndarray


class ShapeResult(NamedTuple):
    """A statistic and the chance of one at least as far out."""

    statistic: ndarray
    pvalue: ndarray


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


def _size(a: Any, least: int) -> float:
    """Return the size of samples along the last axis; NaN where it is too small for the test."""
    n = as_array(a).shape[-1]
    return float(n) if n >= least else math.nan


@names_itself
@documented
@along_axis("a")
def skewtest(
    a: ArrayLike,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
    *,
    keepdims: bool = False,
) -> ShapeResult:
    """Test whether the skewness of a sample is that of a normal distribution.

    Parameters
    ----------
    a : array_like
        The sample; of less than 8 numbers the result is NaN.
    {its_axis}
    {nans}
    {alternative}
    {keepdims}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.skewtest(cp.array([1.0, 2, 3, 4, 5, 6, 7, 8])).statistic.round(6)
    array(1.010805)
    """
    check_choice("skewtest", "alternative", alternative, ALTERNATIVES)
    n = _size(a, 8)
    z = _skew_z(skew(a, axis=axis), n)
    return ShapeResult(z, _normal(z, alternative))


@names_itself
@documented
@along_axis("a")
def kurtosistest(
    a: ArrayLike,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    alternative: str = "two-sided",
    *,
    keepdims: bool = False,
) -> ShapeResult:
    """Test whether the kurtosis of a sample is that of a normal distribution.

    Parameters
    ----------
    a : array_like
        The sample; of less than 5 numbers the result is NaN.
    {its_axis}
    {nans}
    {alternative}
    {keepdims}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kurtosistest(cp.arange(20.0)).statistic.round(6)
    array(-1.70581)
    """
    check_choice("kurtosistest", "alternative", alternative, ALTERNATIVES)
    n = _size(a, 5)
    z = _kurtosis_z(kurtosis(a, axis=axis, fisher=False), n)
    return ShapeResult(z, _normal(z, alternative))


@names_itself
@documented
@along_axis("a")
def normaltest(
    a: ArrayLike,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> ShapeResult:
    """Test whether a sample is normal, by its skewness and kurtosis.

    Parameters
    ----------
    a : array_like
        The sample; of less than 8 numbers the result is NaN.
    {its_axis}
    {nans}
    {keepdims}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> bool(stats.normaltest(cp.arange(20.0)).pvalue > 0.1)
    True
    """
    statistic = skewtest(a, axis).statistic ** 2 + kurtosistest(a, axis).statistic ** 2
    return ShapeResult(statistic, special.chdtrc(2.0, statistic))


@names_itself
@documented
@along_axis("x")
def jarque_bera(
    x: ArrayLike,
    *,
    axis: int | None = None,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ShapeResult:
    """Test whether a large sample has the skewness and kurtosis of a normal distribution.

    Parameters
    ----------
    x : array_like
        The sample.
    axis : int or None, optional
        The axis along which it runs; all numbers by default.
    {nans}
    {keepdims}

    {shape_result}

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.jarque_bera(cp.arange(20.0)).statistic.round(6)
    array(1.21206)
    """
    n = _size(x, 1)
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
@along_axis("x", vectors=True)
def shapiro(
    x: ArrayLike,
    *,
    nan_policy: str = "propagate",
    axis: int | None = None,
    keepdims: bool = False,
) -> ShapiroResult:
    """Test whether a sample is normal, by Shapiro and Wilk's test.

    Parameters
    ----------
    x : array_like
        The sample, of 3 numbers or more.
    {nans}
    axis : int or None, optional
        The axis along which a sample runs; all numbers by default.
    {keepdims}

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
    values = cp.sort(as_array(x).astype(np.float64, copy=False))
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
    # Equal numbers have no shape, whatever is left when a mean that is rounded is taken from them.
    is_equal = values[-1] == values[0]
    return ShapiroResult(cp.where(is_equal, cp.nan, w), cp.where(is_equal, cp.nan, chance))


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

"""Tests of several samples: whether their means, medians or variances are one. All runs on the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._along_axis import along_axis
from ._documentation import documented
from ._ranks import rankdata
from ._scores import trim_mean

if TYPE_CHECKING:
    from ..._typing import ArrayLike


_Result = TypeVar("_Result")

__all__ = ["bartlett", "f_oneway", "fligner", "friedmanchisquare", "kruskal", "levene"]


class F_onewayResult(NamedTuple):  # noqa: N801 - SciPy's name
    """What `f_oneway` returns."""

    statistic: ndarray
    pvalue: ndarray


class KruskalResult(NamedTuple):
    """What `kruskal` returns."""

    statistic: ndarray
    pvalue: ndarray


class FriedmanchisquareResult(NamedTuple):
    """What `friedmanchisquare` returns."""

    statistic: ndarray
    pvalue: ndarray


class BartlettResult(NamedTuple):
    """What `bartlett` returns."""

    statistic: ndarray
    pvalue: ndarray


class LeveneResult(NamedTuple):
    """What `levene` returns."""

    statistic: ndarray
    pvalue: ndarray


class FlignerResult(NamedTuple):
    """What `fligner` returns."""

    statistic: ndarray
    pvalue: ndarray


def _groups(op: str, samples: tuple[Any, ...]) -> list[ndarray]:
    """Return the samples, which are real numbers along the last axis."""
    if len(samples) < 2:
        raise ValueError(f"{op}: at least two samples are needed, got {len(samples)}")
    if any(sample.dtype.kind == "c" for sample in samples):
        raise TypeError(f"{op}: not supported for complex samples")
    return list(samples)


def _has_few(groups: list[ndarray], least: int = 1) -> bool:
    return any(group.shape[-1] < least for group in groups)


def _nothing(kind: Callable[..., _Result], groups: list[ndarray]) -> _Result:
    return kind(*(cp.full(groups[0].shape[:-1], cp.nan) for _ in range(2)))


def _variance_ratio(groups: list[ndarray], equal_var: bool = True) -> tuple[ndarray, ndarray]:
    """Return the variance between groups over that within them, and the chance of a larger one."""
    sizes = [group.shape[-1] for group in groups]
    total, count = sum(sizes), len(groups)
    ratio: Any
    between: Any
    # Sums of squares about a common mean, which keeps their digits.
    shift = cp.concatenate(groups, axis=-1).mean(axis=-1, keepdims=True)
    means = [(group - shift).mean(axis=-1) for group in groups]
    if not equal_var:
        weights = [n / group.var(axis=-1, ddof=1) for n, group in zip(sizes, groups, strict=True)]
        weight = sum(weights)
        centre = sum(w * m for w, m in zip(weights, means, strict=True)) / weight
        lambdas = sum((1 - w / weight) ** 2 / (n - 1) for w, n in zip(weights, sizes, strict=True))
        over = sum(w * (m - centre) ** 2 for w, m in zip(weights, means, strict=True)) / (count - 1)
        ratio = over / (1 + 2 * (count - 2) / (count**2 - 1) * lambdas)
        return ratio, special.fdtrc(float(count - 1), (count**2 - 1) / (3 * lambdas), ratio)
    between = sum(n * m**2 for n, m in zip(sizes, means, strict=True))
    within = sum(
        (((group - shift) - m[..., None]) ** 2).sum(axis=-1) for group, m in zip(groups, means, strict=True)
    )
    grand = sum(n * m for n, m in zip(sizes, means, strict=True)) / total
    between = between - total * grand**2
    ratio = (between / (count - 1)) / (within / (total - count))
    chance = special.fdtrc(float(count - 1), float(total - count), cp.maximum(ratio, 0.0))
    return ratio, cp.where(cp.isnan(ratio), cp.nan, chance)


@names_itself
@documented
@along_axis("samples")
def f_oneway(
    *samples: ArrayLike,
    axis: int | None = 0,
    equal_var: bool = True,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> F_onewayResult:
    """Test whether several samples have one mean, by the analysis of variance.

    Parameters
    ----------
    *samples : array_like
        The samples.
    {axis}
    equal_var : bool, optional
        Whether their variances are taken as equal, or not (Welch).
    {nans}
    {keepdims}

    Returns
    -------
    F_onewayResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.f_oneway(cp.array([1.0, 2.0, 3.0]), cp.array([2.0, 4.0, 6.0])).statistic
    array(2.4)
    """
    groups = _groups("f_oneway", samples)
    if _has_few(groups) or all(group.shape[-1] == 1 for group in groups):
        return _nothing(F_onewayResult, groups)
    ratio, chance = _variance_ratio(groups, equal_var)
    # Samples of one value each: no variance within.
    flat = cp.stack([(group == group[..., :1]).all(axis=-1) for group in groups]).all(axis=0)
    one = cp.stack([group[..., 0] == groups[0][..., 0] for group in groups]).all(axis=0)
    ratio = cp.where(flat, cp.where(one, cp.nan, cp.inf), ratio)
    return F_onewayResult(ratio, cp.where(flat, cp.where(one, cp.nan, 0.0), chance))


def _tie_factor(ranks: ndarray) -> ndarray:
    """Return what equal numbers leave of the variance of ranks along the last axis."""
    n = ranks.shape[-1]
    square = n * (n + 1) * (2 * n + 1) / 6
    ties = 12 * (square - (ranks**2).sum(axis=-1))
    return 1 - ties / (n**3 - n)


@names_itself
@documented
@along_axis("samples")
def kruskal(
    *samples: ArrayLike,
    nan_policy: str = "propagate",
    axis: int | None = 0,
    keepdims: bool = False,
) -> KruskalResult:
    """Test whether several samples have one median, by their ranks.

    Parameters
    ----------
    *samples : array_like
        The samples.
    {nans}
    {axis}
    {keepdims}

    Returns
    -------
    KruskalResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kruskal(cp.array([1.0, 3.0, 5.0]), cp.array([2.0, 4.0, 6.0])).statistic.round(6)
    array(0.428571)
    """
    groups = _groups("kruskal", samples)
    if _has_few(groups):
        return _nothing(KruskalResult, groups)
    ranks = rankdata(cp.concatenate(groups, axis=-1), axis=-1)
    sizes = [group.shape[-1] for group in groups]
    total, start = sum(sizes), 0
    sums: Any = 0.0
    for n in sizes:
        # Squares of sums about their mean, which keeps their digits.
        sums = sums + n * (ranks[..., start : start + n].mean(axis=-1) - (total + 1) / 2) ** 2
        start += n
    factor = _tie_factor(ranks)
    h = cp.where(factor == 0, cp.nan, 12.0 / (total * (total + 1)) * sums / cp.where(factor == 0, 1, factor))
    return KruskalResult(h, special.chdtrc(float(len(groups) - 1), h))


@names_itself
@documented
@along_axis("samples", paired=True)
def friedmanchisquare(
    *samples: ArrayLike,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> FriedmanchisquareResult:
    """Test whether repeated samples of the same things have one distribution, by ranks within each thing.

    Parameters
    ----------
    *samples : array_like
        Three samples or more, of one length.
    {axis}
    {nans}
    {keepdims}

    Returns
    -------
    FriedmanchisquareResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> a = cp.array([1.0, 2.0, 3.0])
    >>> stats.friedmanchisquare(a, a + 1, a + 2).statistic
    array(6.)
    """
    k = len(samples)
    if k < 3:
        raise ValueError(f"friedmanchisquare: at least 3 samples are needed, got {k}")
    groups = _groups("friedmanchisquare", samples)
    n = groups[0].shape[-1]
    if any(group.shape[-1] != n for group in groups):
        raise ValueError("friedmanchisquare: samples must have one length")
    if n == 0:
        return _nothing(FriedmanchisquareResult, groups)
    ranks = rankdata(cp.stack(groups, axis=-1), axis=-1)
    factor = _tie_factor(ranks).mean(axis=-1)
    spread = ((ranks.mean(axis=-2) - (k + 1) / 2) ** 2).sum(axis=-1)
    statistic = 12.0 * n / (k * (k + 1)) * spread / factor
    return FriedmanchisquareResult(statistic, special.chdtrc(float(k - 1), statistic))


@names_itself
@documented
@along_axis("samples")
def bartlett(
    *samples: ArrayLike,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> BartlettResult:
    """Test whether several normal samples have one variance.

    Parameters
    ----------
    *samples : array_like
        The samples.
    {axis}
    {nans}
    {keepdims}

    Returns
    -------
    BartlettResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.bartlett(cp.array([1.0, 2.0, 4.0]), cp.array([2.0, 4.0, 8.0])).statistic.round(6)
    array(0.714059)
    """
    groups = _groups("bartlett", samples)
    if _has_few(groups, 2):
        return _nothing(BartlettResult, groups)
    count = len(groups)
    sizes = [group.shape[-1] for group in groups]
    free = sum(sizes) - count
    variances = [group.var(axis=-1, ddof=1) for group in groups]
    pooled = sum((n - 1) * v for n, v in zip(sizes, variances, strict=True)) / free
    logs = sum((n - 1) * cp.log(v) for n, v in zip(sizes, variances, strict=True))
    below = 1 + (sum(1 / (n - 1) for n in sizes) - 1 / free) / (3 * (count - 1))
    statistic = cp.maximum((free * cp.log(pooled) - logs) / below, 0.0)
    return BartlettResult(statistic, special.chdtrc(float(count - 1), statistic))


def _centred(op: str, groups: list[ndarray], center: str, cut: float) -> list[ndarray]:
    """Return distances from the centre of each group."""
    if center == "median":
        return [cp.abs(group - cp.median(group, axis=-1, keepdims=True)) for group in groups]
    if center == "mean":
        return [cp.abs(group - group.mean(axis=-1, keepdims=True)) for group in groups]
    if center == "trimmed":
        return [cp.abs(group - trim_mean(group, cut, axis=-1)[..., None]) for group in groups]
    raise ValueError(f"{op}: center must be 'mean', 'median' or 'trimmed', got {center!r}")


@names_itself
@documented
@along_axis("samples")
def levene(
    *samples: ArrayLike,
    center: str = "median",
    proportiontocut: float = 0.05,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> LeveneResult:
    """Test whether several samples have one variance, by distances from their centres.

    Parameters
    ----------
    *samples : array_like
        The samples.
    center : {"median", "mean", "trimmed"}, optional
        The centre.
    proportiontocut : float, optional
        What is cut from each end for a trimmed mean.
    {axis}
    {nans}
    {keepdims}

    Returns
    -------
    LeveneResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.levene(cp.array([1.0, 2.0, 4.0]), cp.array([2.0, 4.0, 8.0])).statistic.round(6)
    array(0.6)
    """
    groups = _groups("levene", samples)
    if _has_few(groups):
        return _nothing(LeveneResult, groups)
    return LeveneResult(*_variance_ratio(_centred("levene", groups, center, proportiontocut)))


@names_itself
@documented
@along_axis("samples")
def fligner(
    *samples: ArrayLike,
    center: str = "median",
    proportiontocut: float = 0.05,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> FlignerResult:
    """Test whether several samples have one variance, by ranks of distances from their centres.

    Parameters
    ----------
    *samples : array_like
        The samples.
    center : {"median", "mean", "trimmed"}, optional
        The centre.
    proportiontocut : float, optional
        What is cut from each end for a trimmed mean.
    {axis}
    {nans}
    {keepdims}

    Returns
    -------
    FlignerResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> a, b = cp.array([1.0, 2.0, 4.0, 9.0]), cp.array([2.0, 4.0, 8.0, 3.0])
    >>> bool(stats.fligner(a, b).pvalue > 0.05)
    True
    """
    groups = _groups("fligner", samples)
    if _has_few(groups):
        return _nothing(FlignerResult, groups)
    away = _centred("fligner", groups, center, proportiontocut)
    sizes = [group.shape[-1] for group in away]
    total = sum(sizes)
    scores = special.ndtri(rankdata(cp.concatenate(away, axis=-1), axis=-1) / (2 * (total + 1.0)) + 0.5)
    mean, variance = scores.mean(axis=-1), scores.var(axis=-1, ddof=1)
    start = 0
    statistic: Any = 0.0
    for n in sizes:
        statistic = statistic + n * (scores[..., start : start + n].mean(axis=-1) - mean) ** 2
        start += n
    statistic = as_array(statistic / variance)
    return FlignerResult(statistic, special.chdtrc(float(len(groups) - 1), statistic))

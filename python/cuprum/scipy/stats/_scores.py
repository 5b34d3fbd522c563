"""Scores, trimmed means, entropy and the likelihood of a power transform."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..special import entr, rel_entr
from ._along_axis import along_axis
from ._documentation import documented
from ._samples import Sample

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["boxcox_llf", "entropy", "gzscore", "trim_mean", "zmap", "zscore"]


@names_itself
@documented
def zmap(
    scores: ArrayLike,
    compare: ArrayLike,
    axis: SupportsIndex | None = 0,
    ddof: int = 0,
    nan_policy: str = "propagate",
) -> ndarray:
    """Return by how many standard deviations of a sample numbers differ from its mean.

    Parameters
    ----------
    scores : array_like
        The numbers.
    compare : array_like
        The sample.
    {its_axis}
    {ddof}
    nan_policy : {"propagate", "raise", "omit"}, optional
        What NaNs in the sample do.

    Returns
    -------
    ndarray
        The scores, of the shape of `scores`; NaN where all numbers of a sample are equal.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.zmap(cp.array([0.0, 3.0]), cp.array([0.0, 1.0, 2.0])).round(6)
    array([-1.224745,  2.44949 ])
    """
    scores, a = as_array(scores), as_array(compare)
    if axis is not None:
        normalize_axis("zmap", axis, a.ndim)
    if a.size == 0:
        return cp.full(scores.shape, cp.nan, a.dtype if a.dtype.kind in "fc" else np.float64)
    flat = axis is None
    sample = Sample("zmap", a, axis, nan_policy)
    # The mean of equal numbers may differ from them in the last bit: those have no deviation.
    deviation = sample.deviation(ddof)
    scale = cp.where(_is_single(sample), cp.nan, deviation)
    mean = sample.mean()
    if flat:
        scale, mean = (part.reshape((1,) * a.ndim) for part in (scale, mean))
    return (scores - mean) / scale


def _is_single(sample: Sample) -> ndarray:
    """Return whether all numbers along the axis are the first one, the axis kept."""
    values = sample.values
    if sample.there is None:
        first = values[(slice(None),) * sample.axis + (slice(1),)]
        result: ndarray = (values == first).all(axis=sample.axis, keepdims=True)
        return result
    high = cp.where(sample.there, values, -cp.inf).max(axis=sample.axis, keepdims=True)
    low = cp.where(sample.there, values, cp.inf).min(axis=sample.axis, keepdims=True)
    return high == low


@names_itself
@documented
def zscore(
    a: ArrayLike, axis: SupportsIndex | None = 0, ddof: int = 0, nan_policy: str = "propagate"
) -> ndarray:
    """Return by how many standard deviations numbers differ from their mean.

    Parameters
    ----------
    {numbers}
    {sample_axis}
    {ddof}
    {nans}

    Returns
    -------
    ndarray
        The scores; NaN where all numbers of a sample are equal.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.zscore(cp.array([0.0, 1.0, 2.0])).round(6)
    array([-1.224745,  0.      ,  1.224745])
    """
    return zmap(a, a, axis=axis, ddof=ddof, nan_policy=nan_policy)


@names_itself
@documented
def gzscore(
    a: ArrayLike, axis: SupportsIndex | None = 0, ddof: int = 0, nan_policy: str = "propagate"
) -> ndarray:
    """Return the scores of the logarithms of numbers.

    Parameters
    ----------
    a : array_like
        The numbers, positive.
    {sample_axis}
    {ddof}
    {nans}

    Returns
    -------
    ndarray
        The scores.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.gzscore(cp.array([1.0, 10.0, 100.0])).round(6)
    array([-1.224745,  0.      ,  1.224745])
    """
    a = as_array(a)
    return zscore(
        cp.log(a.astype(np.float64) if a.dtype.kind in "bui" else a),
        axis=axis,
        ddof=ddof,
        nan_policy=nan_policy,
    )


@names_itself
@documented
@along_axis("a")
def trim_mean(
    a: ArrayLike,
    proportiontocut: float,
    axis: SupportsIndex | None = 0,
    *,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the mean without the smallest and the largest numbers.

    Parameters
    ----------
    {numbers}
    proportiontocut : float
        Which part is left out at each end.
    {sample_axis}
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The means.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.trim_mean(cp.array([1.0, 2.0, 3.0, 100.0]), 0.25)
    array(2.5)
    """
    a = as_array(a)
    n = a.shape[-1]
    cut = int(proportiontocut * n)
    if cut > n - cut:
        raise ValueError("trim_mean: Proportion too big.")
    return cp.sort(a, axis=-1)[..., cut : n - cut].mean(axis=-1)


@names_itself
@documented
@along_axis("pk", "qk", paired=True, narrow=False)
def entropy(
    pk: ArrayLike,
    qk: ArrayLike | None = None,
    base: float | None = None,
    axis: SupportsIndex | None = 0,
    *,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the entropy of a distribution, or its divergence from another.

    Parameters
    ----------
    pk : array_like
        The chances, which are divided by their sum.
    qk : array_like, optional
        Those of the other distribution.
    base : float, optional
        The base of the logarithm, e by default.
    axis : int or None, optional
        The axis along which a distribution runs.
    {nans}
    {keepdims}

    Returns
    -------
    ndarray
        The entropy, or the divergence of Kullback and Leibler.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.entropy(cp.array([0.5, 0.5]), base=2)
    array(1.)
    """
    if base is not None and base <= 0:
        raise ValueError("entropy: `base` must be a positive number or `None`.")
    chances = _normalized(pk)
    result = (entr(chances) if qk is None else rel_entr(chances, _normalized(qk))).sum(axis=-1)
    return result if base is None else result / math.log(base)


def _normalized(chances: ArrayLike) -> ndarray:
    """Return chances along the last axis divided by their sum; complex ones are refused."""
    array = as_array(chances)
    if array.dtype.kind == "c":
        raise TypeError(f"entropy: complex dtype {array.dtype} is not supported")
    result: ndarray = array / array.sum(axis=-1, keepdims=True)
    return result


@names_itself
@documented
def boxcox_llf(
    lmb: float,
    data: ArrayLike,
    *,
    axis: SupportsIndex | None = 0,
    keepdims: bool = False,
    nan_policy: str = "propagate",
) -> ndarray:
    """Return the logarithm of the likelihood of a power transform (Box and Cox).

    Parameters
    ----------
    lmb : float
        The power.
    data : array_like
        The numbers, positive.
    {sample_axis}
    {keepdims}
    {nans}

    Returns
    -------
    ndarray
        The logarithm of the likelihood.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.boxcox_llf(0.5, cp.array([1.0, 2.0, 4.0])).round(6)
    array(-0.44617)
    """
    sample = Sample("boxcox_llf", data, axis, nan_policy)
    count = sample.count
    if sample.values.shape[sample.axis] == 0:
        return sample.reduced(sample.mean(), keepdims)
    logarithms = cp.log(sample.values)
    mean_log = sample.mean(logarithms)
    if lmb == 0:
        log_variance = cp.log(sample.mean(cp.absolute(logarithms - mean_log) ** 2))
    else:
        # The variance of x**lmb, relative to the largest so that it neither overflows nor vanishes.
        powers = lmb * logarithms
        sizes = powers.real if powers.dtype.kind == "c" else powers
        counted = sizes if sample.there is None else cp.where(sample.there, sizes, -cp.inf)
        shift = counted.max(axis=sample.axis, keepdims=True)
        powers = cp.exp(powers - shift)
        variance = sample.mean(cp.absolute(powers - sample.mean(powers)) ** 2)
        log_variance = cp.log(variance) + 2 * shift - 2 * math.log(abs(lmb))
    result = (lmb - 1) * mean_log * count - count / 2 * log_variance
    return sample.reduced(result, keepdims)

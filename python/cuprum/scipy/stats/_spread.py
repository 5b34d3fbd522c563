"""How far numbers lie apart: by quantiles and medians."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._documentation import documented
from ._samples import as_sample, checked_policy

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["iqr", "median_abs_deviation"]


def _scale(op: str, scale: Any) -> float:
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"{op}: {scale!r} is not a valid scale; it is 'normal' or a number")
        return float(special.ndtri(cp.array(0.75)))
    return float(scale)


@names_itself
@documented
def iqr(
    x: ArrayLike,
    axis: Any = None,
    rng: tuple[float, float] = (25, 75),
    scale: Any = 1.0,
    nan_policy: str = "propagate",
    interpolation: str = "linear",
    keepdims: bool = False,
) -> ndarray:
    """Return the distance between two percentiles, the quartiles by default.

    Parameters
    ----------
    x : array_like
        The numbers.
    axis : int, tuple of int or None, optional
        The axes along which samples run; all by default.
    rng : tuple of float, optional
        The percentiles.
    scale : float or "normal", optional
        What the result is divided by; "normal" makes it the standard deviation of normal numbers.
    {nans}
    interpolation : str, optional
        How percentiles between numbers are computed, as by `cuprum.percentile`.
    keepdims : bool, optional
        Keep the axes.

    Returns
    -------
    ndarray
        The distances.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.iqr(cp.array([1.0, 2.0, 3.0, 4.0]))
    array(1.5)
    """
    a = as_array(x)
    dtype = a.dtype if a.dtype.kind in "fc" else np.dtype(np.float64)
    if a.size == 0:
        return cp.full(a.sum(axis=axis, keepdims=keepdims).shape, cp.nan, dtype)
    factor = 1.0 if isinstance(scale, str) else _scale("iqr", scale)
    if isinstance(scale, str):
        factor = 2 * _scale("iqr", scale)
    if len(rng) != 2:
        raise TypeError(f"iqr: quantile range must be two element sequence, got {rng!r}")
    if any(math.isnan(part) for part in rng):
        raise ValueError("iqr: range must not contain NaNs")
    find = cp.nanpercentile if checked_policy("iqr", a, nan_policy) else cp.percentile
    # Differences of integers would wrap around.
    a = a.astype(dtype, copy=False)
    parts = find(a, sorted(rng), axis=axis, method=interpolation, keepdims=keepdims)
    result: ndarray = parts[1] - parts[0]
    return (result if factor == 1.0 else result / factor).astype(dtype, copy=False)


@names_itself
@documented
def median_abs_deviation(
    x: ArrayLike,
    axis: Any = 0,
    center: Any = None,
    scale: Any = 1.0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> ndarray:
    """Return the median of the distances from the median.

    Parameters
    ----------
    x : array_like
        The numbers.
    axis : int or None, optional
        The axis along which samples run.
    center : callable, optional
        What returns the centre instead, as ``center(x, axis=axis)``.
    scale : float or "normal", optional
        What the result is divided by; "normal" makes it the standard deviation of normal numbers.
    {nans}
    keepdims : bool, optional
        Keep the axis.

    Returns
    -------
    ndarray
        The medians.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.median_abs_deviation(cp.array([1.0, 2.0, 4.0, 9.0]))
    array(1.5)
    """
    a = as_sample(x)
    a = a.astype(np.float64) if a.dtype.kind in "bui" else a
    if axis is None:
        a, axis = (a.ravel(), 0) if not keepdims else (a, None)
    omits = checked_policy("median_abs_deviation", a, nan_policy)
    find = cp.nanmedian if omits else cp.median
    if a.size == 0:
        return cp.full(a.sum(axis=axis, keepdims=keepdims).shape, cp.nan, a.dtype)
    if center is None:
        middle = find(a, axis=axis, keepdims=True)
    else:
        middle = as_array(center(a, axis=axis))
        middle = middle if axis is None else cp.expand_dims(middle, axis)
    result: ndarray = find(cp.abs(a - middle), axis=axis, keepdims=keepdims)
    factor = _scale("median_abs_deviation", scale)
    return result if factor == 1.0 else result / factor

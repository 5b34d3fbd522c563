"""Medians, with NaN or without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import kind_of
from .._errors import names_itself
from .._ufuncs import divide, isnan, maximum
from ._documentation import documented
from .lines import Lines, Selected, finished
from .nan_reductions import nanmean
from .reductions import mean

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike

__all__ = ["median", "nanmedian"]


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
    chosen = Selected(a, np.array([low, high]))
    if low == high:
        result = chosen.one(low)
        result = result.astype(float) if kind_of(a.dtype) in "biu" else result.copy()
    else:
        result = _halved(a.dtype, chosen.one(low), chosen.one(high))
    return chosen.nan_for_nan(result)


@documented
@names_itself
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
    {a}
    {axes}
    {out}
    {overwrite_input}
    {keepdims}

    Returns
    -------
    ndarray
        The medians: float64 for integers; NaN where there is one among the elements.

    Examples
    --------
    >>> cp.median([[10, 7, 4], [3, 2, 1]], axis=0)
    array([6.5, 4.5, 2.5])
    """
    lines = Lines("median", as_array(a), axis)
    return finished("median", lines, _middle(lines.values), 0, out, keepdims, "unsafe")


@documented
@names_itself
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
    {a}
    {axes}
    {out}
    {overwrite_input}
    {keepdims}

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
    lines = Lines("nanmedian", a, axis)
    values = lines.values
    if kind_of(a.dtype) not in "fc":
        result = _middle(values)
    elif values.ndim == 1:
        kept = values[~isnan(values)]
        result = _middle(kept) if kept.size else values[-1].copy()
    else:
        result = _middle_without_nan(values)
    return finished("nanmedian", lines, result, 0, out, keepdims, "unsafe")


def _middle_without_nan(a: ndarray) -> ndarray:
    ordered = _core.sort(a, -1)
    counts = a.shape[-1] - _core.count_nonzero(isnan(a), -1)

    def picked(places: ndarray) -> ndarray:
        return _core.take_along_axis(ordered, maximum(places, 0)[..., None], -1)[..., 0]

    low, high = picked((counts - 1) // 2), picked(counts // 2)
    middle = _core.where(counts % 2 == 1, low, _halved(a.dtype, low, high))
    return _core.where(counts == 0, _core.array(np.nan).astype(a.dtype), middle)

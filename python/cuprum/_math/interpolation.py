"""Interpolation between points of one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import kind_of
from .._ufuncs import remainder

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["interp"]


def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: Any = None,
    right: Any = None,
    period: float | None = None,
) -> ndarray:
    """Return the values at `x` of the straight lines between points.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    xp : array_like
        The points, one after the other in increasing order, or in any order with `period`.
    fp : array_like
        The values at the points, real or complex.
    left, right : scalar, optional
        What to return before the first and after the last point; the values there when None.
    period : float, optional
        The period of `x` and `xp`; `left` and `right` are then not used.

    Returns
    -------
    ndarray
        The values, in the shape of `x`: float64, or complex128 where `fp` is complex.

    Raises
    ------
    ValueError
        Where `xp` and `fp` differ in length or are empty, and where the period is zero.

    Examples
    --------
    >>> cp.interp([0.0, 1.5, 2.5], [1, 2, 3], [3.0, 2.0, 0.0])
    array([3. , 2.5, 1. ])
    """
    x, xp, fp = as_array(x), as_array(xp), as_array(fp)
    if period is not None:
        left = right = None
        x, xp, fp = _periodic(x, xp, fp, period)
    convert = complex if kind_of(fp.dtype) == "c" else float
    return _core.interp(x, xp, fp, _end(left, convert), _end(right, convert))


def _end(value: Any, convert: type) -> Any:
    if isinstance(value, str):
        raise TypeError("interp: left and right must be numbers, got a str")
    return None if value is None else convert(value)


def _periodic(x: ndarray, xp: ndarray, fp: ndarray, period: Any) -> tuple[ndarray, ndarray, ndarray]:
    """Return the same question within one period, with a point added at either end."""
    if period == 0:
        raise ValueError("interp: period must be a non-zero value")
    period = abs(period)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError(f"interp: data points must be 1-D sequences, got shapes {xp.shape} and {fp.shape}")
    if xp.shape != fp.shape:
        raise ValueError(f"interp: fp and xp are not of the same length, got {fp.shape[0]} and {xp.shape[0]}")
    x, xp = (remainder(a.astype(float, copy=False), period) for a in (x, xp))
    order = xp.argsort()
    xp, fp = xp[order], fp[order]
    around = _core.concatenate([xp[-1:] - period, xp, xp[:1] + period], 0)
    return x, around, _core.concatenate([fp[-1:], fp, fp[:1]], 0)

"""Medians, Wiener's filter, and trends taken away."""

from __future__ import annotations

import math
import operator
import warnings
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._dtypes import kind_of
from ..._errors import names_itself
from ..ndimage import rank_filter
from ._direct import correlate

if TYPE_CHECKING:
    from ..._typing import ArrayLike, ShapeLike


__all__ = ["detrend", "medfilt", "medfilt2d", "order_filter", "wiener"]


def _odd_sizes(op: str, kernel_size: Any, ndim: int) -> list[int]:
    """Return the lengths of a window, one for each axis."""
    sizes = np.asarray(3 if kernel_size is None else kernel_size)
    if sizes.ndim == 0:
        sizes = np.repeat(sizes, ndim)
    if sizes.shape != (ndim,):
        raise ValueError(f"{op}: kernel_size has shape {sizes.shape} for {ndim} dimensions")
    if any(size % 2 != 1 for size in sizes):
        raise ValueError(f"{op}: Each element of kernel_size should be odd, got {sizes.tolist()}")
    return [int(size) for size in sizes]


def _refuse(op: str, a: ndarray) -> None:
    """Raise for the dtypes that SciPy's filters do not take."""
    if kind_of(a.dtype) not in "iuf" or a.dtype == np.float16:
        raise ValueError(f"{op}: dtype={a.dtype} is not supported: convert the array by astype")


def medfilt(volume: ArrayLike, kernel_size: ShapeLike | None = None) -> ndarray:
    """Return the medians of windows, with zeros outside the array.

    Parameters
    ----------
    volume : array_like
        The array.
    kernel_size : int or sequence of int, optional
        The lengths of the window, odd; 3 by default.

    Returns
    -------
    ndarray
        The medians.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.medfilt(cp.array([5.0, 1.0, 7.0, 9.0, 3.0]))
    array([1., 5., 7., 7., 3.])
    """
    a = _core.array(volume, copy=None, ndmin=1)
    _refuse("medfilt", a)
    sizes = _odd_sizes("medfilt", kernel_size, a.ndim)
    if any(size > length for size, length in zip(sizes, a.shape, strict=True)):
        warnings.warn("kernel_size exceeds volume extent: the volume will be zero-padded.", stacklevel=2)
    return rank_filter(a, math.prod(sizes) // 2, size=sizes, mode="constant")


def medfilt2d(input: ArrayLike, kernel_size: ShapeLike = 3) -> ndarray:
    """Return the medians of windows of an array of two dimensions, with zeros outside it.

    Parameters
    ----------
    input : array_like
        The array.
    kernel_size : int or sequence of int, optional
        The lengths of the window, odd.

    Returns
    -------
    ndarray
        The medians.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.medfilt2d(cp.array([[1, 9, 2], [8, 3, 7], [4, 6, 5]]))
    array([[0, 2, 0],
           [3, 5, 3],
           [0, 4, 0]])
    """
    a = as_array(input)
    if a.ndim != 2:
        raise ValueError(f"medfilt2d: expected 2-D array, got {a.ndim} dimensions")
    _refuse("medfilt2d", a)
    sizes = _odd_sizes("medfilt2d", kernel_size, 2)
    return rank_filter(a, math.prod(sizes) // 2, size=sizes, mode="constant")


@names_itself
def order_filter(a: ArrayLike, domain: ArrayLike, rank: int) -> ndarray:
    """Return the element of a rank in each window, with zeros outside the array.

    Parameters
    ----------
    a : array_like
        The array.
    domain : array_like
        Which places of the window count, with an odd length along each axis.
    rank : int
        The rank, 0 for the smallest.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.order_filter(cp.array([5, 1, 7, 9, 3]), cp.array([1, 1, 1]), 2)
    array([5, 7, 9, 9, 9])
    """
    a, domain = as_array(a), as_array(domain)
    _refuse("order_filter", a)
    for length in domain.shape:
        if length % 2 != 1:
            raise ValueError(
                "order_filter: Each dimension of domain argument should have an odd number of elements."
            )
    return rank_filter(a, rank, footprint=domain, mode="constant")


@names_itself
def wiener(im: ArrayLike, mysize: Any = None, noise: Any = None) -> ndarray:
    """Return an array with its noise taken away where neighbours vary no more than the noise does.

    Parameters
    ----------
    im : array_like
        The array.
    mysize : int or sequence of int, optional
        The lengths of the window, odd; 3 by default.
    noise : float, optional
        The power of the noise; the mean of the local variances by default.

    Returns
    -------
    ndarray
        The filtered array.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.wiener(cp.array([1.0, 1.0, 1.0, 9.0, 1.0]), 3).round(3)
    array([0.667, 1.   , 2.683, 5.633, 2.291])
    """
    a = as_array(im)
    sizes = [3] * a.ndim if mysize is None else mysize
    sizes = [sizes] * a.ndim if np.ndim(sizes) == 0 else list(sizes)
    count = float(math.prod(sizes))
    window = _core.ones(tuple(operator.index(size) for size in sizes), np.float64)
    mean = correlate(a, window, "same") / count
    variance = correlate(a**2, window, "same") / count - mean**2
    if noise is None:
        noise = variance.mean()
    filtered = (a - mean) * (1 - noise / variance) + mean
    return _core.where(variance < noise, mean, filtered)


def detrend(
    data: ArrayLike,
    axis: SupportsIndex = -1,
    type: str = "linear",
    bp: Any = 0,
    overwrite_data: bool = False,
) -> ndarray:
    """Return data with its mean, or the straight line through it, taken away along an axis.

    Parameters
    ----------
    data : array_like
        The data.
    axis : int, optional
        The axis.
    type : {"linear", "constant"}, optional
        What to take away: the line of least squares, or the mean.
    bp : int or sequence of int, optional
        Where one line ends and the next begins.
    overwrite_data : bool, optional
        Taken for compatibility; the result is a new array.

    Returns
    -------
    ndarray
        What is left.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.detrend(cp.array([1.0, 3.0, 5.0, 8.0])).round(3) + 0.0
    array([ 0.2, -0.1, -0.4,  0.3])
    """
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError(f"detrend: Trend type must be 'linear' or 'constant', not {type!r}")
    a = as_array(data)
    if type in ("constant", "c"):
        return a - a.mean(axis, keepdims=True)
    axis = normalize_axis("detrend", axis, a.ndim)
    if a.dtype.char not in "fdFD":
        a = a.astype(np.float64)
    n = a.shape[axis]
    ends = np.unique([0, *np.atleast_1d(bp).tolist(), n])
    if ends[-1] > n:
        raise ValueError(f"detrend: Breakpoints must be less than length of data along given axis, got {bp}")
    lines = _core.moveaxis(a, axis, -1)
    parts = [_without_line(lines[..., first:last]) for first, last in zip(ends[:-1], ends[1:], strict=True)]
    if not parts:
        return a.copy()
    return cp.ascontiguousarray(_core.moveaxis(_core.concatenate(parts, -1), -1, axis))


def _without_line(a: ndarray) -> ndarray:
    """Return what the line of least squares along the last axis leaves over."""
    rest = a - a.mean(-1, keepdims=True)
    count = a.shape[-1]
    if count < 2:
        return rest
    # Around the middle the line's slope and mean do not depend on each other.
    place = (_core.arange(0, count, 1, np.float64) - (count - 1) / 2).astype(a.real.dtype)
    slope = (rest * place).sum(-1, keepdims=True) / (place * place).sum()
    return rest - slope * place

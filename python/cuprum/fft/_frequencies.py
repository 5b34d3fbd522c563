"""The frequencies of a transform's points, and orders that begin with zero or end with it."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, on_device
from .._core import ndarray
from .._errors import names_itself

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike


def _points(op: str, n: Any) -> int:
    """Return a number of points, refusing what is not an integer."""
    if not isinstance(n, (int, np.integer)):
        raise ValueError(f"{op}: n should be an integer, got {n!r}")
    return operator.index(n)


@names_itself
def fftfreq(n: SupportsIndex, d: Any = 1.0, device: Any = None) -> ndarray:
    """Return the frequencies of the Fourier coefficients.

    Parameters
    ----------
    n : int
        The number of points.
    d : scalar, optional
        The distance between two points.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The frequencies, in cycles per unit of `d`; the second half is negative.

    Examples
    --------
    >>> cp.fft.fftfreq(4, d=0.5)
    array([ 0. ,  0.5, -1. , -0.5])
    """
    n = _points("fftfreq", n)
    if device is not None:
        with on_device("fftfreq", device):
            return fftfreq(n, d)
    if n < 0:
        raise ValueError(f"fftfreq: negative dimensions are not allowed, got {n}")
    scale = 1.0 / (n * d)
    frequencies: ndarray = _core.fft_positions(n) * scale
    return frequencies


@names_itself
def rfftfreq(n: SupportsIndex, d: Any = 1.0, device: Any = None) -> ndarray:
    """Return the frequencies of the first half of the Fourier coefficients.

    Parameters
    ----------
    n : int
        The number of points.
    d : scalar, optional
        The distance between two points.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The frequencies 0 to `n // 2`, in cycles per unit of `d`.

    Examples
    --------
    >>> cp.fft.rfftfreq(4, d=0.5)
    array([0. , 0.5, 1. ])
    """
    n = _points("rfftfreq", n)
    if device is not None:
        with on_device("rfftfreq", device):
            return rfftfreq(n, d)
    scale = 1.0 / (n * d)
    frequencies: ndarray = _core.arange(0, n // 2 + 1, 1, "int64") * scale
    return frequencies


def fftshift(x: ArrayLike, axes: AxisLike | None = None) -> ndarray:
    """Return an array with the zero frequency moved to the middle.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all by default.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> cp.fft.fftshift(cp.fft.fftfreq(5))
    array([-0.4, -0.2,  0. ,  0.2,  0.4])
    """
    return _shifted("fftshift", x, axes, False)


def ifftshift(x: ArrayLike, axes: AxisLike | None = None) -> ndarray:
    """Return an array with the zero frequency moved from the middle to the front, the reverse of `fftshift`.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all by default.

    Returns
    -------
    ndarray
        The shifted array.

    Examples
    --------
    >>> cp.fft.ifftshift([-2, -1, 0, 1, 2])
    array([ 0,  1,  2, -2, -1])
    """
    return _shifted("ifftshift", x, axes, True)


def _shifted(op: str, x: Any, axes: Any, back: bool) -> ndarray:
    x = as_array(x)
    if x.ndim == 0 and axes is None:
        raise ValueError(f"{op}: an array of no dimensions has no middle")
    return _core.fft_shift(x, axes, back)

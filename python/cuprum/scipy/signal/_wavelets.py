"""Wavelets, and transforms by them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._direct import convolve

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike


__all__ = ["cwt", "morlet", "morlet2", "ricker"]


def ricker(points: int, a: float) -> ndarray:
    """Return the second derivative of a Gaussian: the Mexican hat.

    Parameters
    ----------
    points : int
        The number of points.
    a : float
        The width.

    Returns
    -------
    ndarray
        The wavelet.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.ricker(3, 1.0).round(6)
    array([0.      , 0.867325, 0.      ])
    """
    x = (cp.arange(points) - (points - 1.0) / 2) ** 2 / a**2
    result: ndarray = 2 / (math.sqrt(3 * a) * math.pi**0.25) * (1 - x) * cp.exp(-x / 2)
    return result


def morlet(M: int, w: float = 5.0, s: float = 1.0, complete: bool = True) -> ndarray:
    """Return a complex wave under a Gaussian, of a number of points.

    Parameters
    ----------
    M : int
        The number of points.
    w : float, optional
        The frequency.
    s : float, optional
        The scale: the points reach from ``-2 * pi * s`` to ``2 * pi * s``.
    complete : bool, optional
        Take the mean away.

    Returns
    -------
    ndarray of complex128
        The wavelet.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.morlet(3).real.round(6)
    array([0.      , 0.751123, 0.      ])
    """
    x = cp.linspace(-s * 2 * math.pi, s * 2 * math.pi, M)
    wave = cp.exp(1j * w * x)
    if complete:
        wave = wave - math.exp(-0.5 * w**2)
    result: ndarray = wave * cp.exp(-0.5 * x**2) * math.pi**-0.25
    return result


def morlet2(M: int, s: float, w: float = 5) -> ndarray:
    """Return a complex wave under a Gaussian, for `cwt`.

    Parameters
    ----------
    M : int
        The number of points.
    s : float
        The width.
    w : float, optional
        The frequency.

    Returns
    -------
    ndarray of complex128
        The wavelet.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.morlet2(3, 1.0).real.round(6)
    array([0.129231, 0.751126, 0.129231])
    """
    x = (cp.arange(M) - (M - 1.0) / 2) / s
    result: ndarray = math.sqrt(1 / s) * (cp.exp(1j * w * x) * cp.exp(-0.5 * x**2) * math.pi**-0.25)
    return result


@names_itself
def cwt(
    data: ArrayLike, wavelet: Callable[..., Any], widths: Any, dtype: DTypeLike | None = None, **kwargs: Any
) -> ndarray:
    """Return the transform of a signal by wavelets of several widths.

    Parameters
    ----------
    data : (N,) array_like
        The signal.
    wavelet : callable
        Gives a wavelet of a number of points and a width, such as `ricker`.
    widths : (M,) sequence
        The widths.
    dtype : dtype, optional
        The dtype of the result: complex128 for complex wavelets, else float64.
    **kwargs
        For `wavelet`.

    Returns
    -------
    (M, N) ndarray
        The transform.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.cwt(cp.eye(1, 5, 2)[0], signal.ricker, [1.0]).round(6)
    array([[-0.352139,  0.      ,  0.867325,  0.      , -0.352139]])
    """
    data = as_array(data)
    widths = widths.tolist() if hasattr(widths, "tolist") else list(widths)
    if dtype is None:
        dtype = np.complex128 if as_array(wavelet(1, widths[0], **kwargs)).dtype.kind == "c" else np.float64
    result = cp.empty((len(widths), data.size), dtype)
    for i, width in enumerate(widths):
        points = int(min(10 * width, data.size))
        weights = as_array(wavelet(points, width, **kwargs))[::-1].conj()
        result[i] = convolve(data, weights, mode="same")
    return result

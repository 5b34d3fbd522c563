"""Windows that are sums of cosines."""

from __future__ import annotations

import math
from typing import Any

import cuprum as cp

from ...._core import ndarray
from ._documentation import documented
from ._length import sized

__all__ = [
    "blackman",
    "blackmanharris",
    "flattop",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "nuttall",
]


@documented
def general_cosine(M: int, a: Any, sym: bool = True) -> ndarray:
    """Return a sum of cosines with given weights.

    Parameters
    ----------
    {points}
    a : sequence of float
        The weights; their signs alternate from the middle of the window on.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.general_cosine(4, [0.5, 0.5]).round(6)
    array([0.  , 0.75, 0.75, 0.  ])
    """
    weights = [float(weight) for weight in a]

    def symmetric(n: int) -> ndarray:
        angles = cp.linspace(-math.pi, math.pi, n)
        return sum((weight * cp.cos(k * angles) for k, weight in enumerate(weights)), start=cp.zeros(n))

    return sized("general_cosine", M, sym, symmetric)


@documented
def general_hamming(M: int, alpha: float, sym: bool = True) -> ndarray:
    """Return a raised cosine on a pedestal.

    Parameters
    ----------
    {points}
    alpha : float
        The mean of the window; one minus it is the height of the cosine.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.general_hamming(3, 0.5)
    array([0., 1., 0.])
    """
    return general_cosine(M, [alpha, 1.0 - alpha], sym)


@documented
def hann(M: int, sym: bool = True) -> ndarray:
    """Return the Hann window: a raised cosine that is zero at both ends.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.hann(5).round(6)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return general_hamming(M, 0.5, sym)


@documented
def hamming(M: int, sym: bool = True) -> ndarray:
    """Return the Hamming window: a raised cosine whose nearest side lobe is small.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.hamming(5).round(6)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return general_hamming(M, 0.54, sym)


@documented
def blackman(M: int, sym: bool = True) -> ndarray:
    """Return the Blackman window: three cosines.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.blackman(5).round(6)
    array([-0.  ,  0.34,  1.  ,  0.34, -0.  ])
    """
    return general_cosine(M, [0.42, 0.50, 0.08], sym)


@documented
def nuttall(M: int, sym: bool = True) -> ndarray:
    """Return Nuttall's window: four cosines, their side lobes small.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.nuttall(5).round(6)
    array([3.63000e-04, 2.26982e-01, 1.00000e+00, 2.26982e-01, 3.63000e-04])
    """
    return general_cosine(M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym)


@documented
def blackmanharris(M: int, sym: bool = True) -> ndarray:
    """Return the Blackman-Harris window: four cosines, their largest side lobe small.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.blackmanharris(5).round(6)
    array([6.0000e-05, 2.1747e-01, 1.0000e+00, 2.1747e-01, 6.0000e-05])
    """
    return general_cosine(M, [0.35875, 0.48829, 0.14128, 0.01168], sym)


@documented
def flattop(M: int, sym: bool = True) -> ndarray:
    """Return a flat top window: five cosines, the height of a tone measured well.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.flattop(5).round(6)
    array([-4.2100e-04, -5.4737e-02,  1.0000e+00, -5.4737e-02, -4.2100e-04])
    """
    return general_cosine(M, [0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368], sym)

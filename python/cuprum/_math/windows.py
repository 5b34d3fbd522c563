"""Windows: weights that taper off towards both ends of a sequence."""

from __future__ import annotations

import math
from typing import Any

from .. import _core
from .._core import ndarray
from .._creation.ranges import arange
from .._errors import names_itself
from .._ufuncs import cos, less_equal, sqrt
from .elementwise import i0

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _short(M: Any) -> ndarray | None:
    """Return the windows that are too short to taper: empty, or a single one."""
    if M < 1:
        return _core.empty((0,), "f8", "C")
    return _core.ones((1,), "f8", "C") if M == 1 else None


@names_itself
def bartlett(M: Any) -> ndarray:
    """Return the Bartlett window: a triangle that is zero at both ends.

    Parameters
    ----------
    M : int
        The number of points.

    Returns
    -------
    ndarray of float64
        The window, its largest value one.

    Examples
    --------
    >>> cp.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    M = float(M)
    if (short := _short(M)) is not None:
        return short
    n = arange(1 - M, M, 2)
    return _core.where(less_equal(n, 0), 1 + n / (M - 1), 1 - n / (M - 1))


@names_itself
def blackman(M: Any) -> ndarray:
    """Return the Blackman window: three terms of a cosine sum.

    Parameters
    ----------
    M : int
        The number of points.

    Returns
    -------
    ndarray of float64
        The window, its largest value one.

    Examples
    --------
    >>> cp.blackman(3).round(6)
    array([-0.,  1., -0.])
    """
    M = float(M)
    if (short := _short(M)) is not None:
        return short
    n = arange(1 - M, M, 2)
    return 0.42 + 0.5 * cos(math.pi * n / (M - 1)) + 0.08 * cos(2.0 * math.pi * n / (M - 1))


@names_itself
def hanning(M: Any) -> ndarray:
    """Return the Hann window: a raised cosine that is zero at both ends.

    Parameters
    ----------
    M : int
        The number of points.

    Returns
    -------
    ndarray of float64
        The window, its largest value one.

    Examples
    --------
    >>> cp.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    M = float(M)
    if (short := _short(M)) is not None:
        return short
    n = arange(1 - M, M, 2)
    return 0.5 + 0.5 * cos(math.pi * n / (M - 1))


@names_itself
def hamming(M: Any) -> ndarray:
    """Return the Hamming window: a raised cosine on a pedestal.

    Parameters
    ----------
    M : int
        The number of points.

    Returns
    -------
    ndarray of float64
        The window, its largest value one.

    Examples
    --------
    >>> cp.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    M = float(M)
    if (short := _short(M)) is not None:
        return short
    n = arange(1 - M, M, 2)
    return 0.54 + 0.46 * cos(math.pi * n / (M - 1))


@names_itself
def kaiser(M: Any, beta: float) -> ndarray:
    """Return the Kaiser window: a Bessel function of adjustable width.

    Parameters
    ----------
    M : int
        The number of points.
    beta : float
        The shape; 0 gives a rectangle.

    Returns
    -------
    ndarray of float64
        The window, its largest value one.

    Examples
    --------
    >>> cp.kaiser(3, 0.0)
    array([1., 1., 1.])
    """
    M, beta = float(M), float(beta)
    if M == 1:
        return _core.ones((1,), "f8", "C")
    n = arange(0, M)
    alpha = (M - 1) / 2.0
    return i0(beta * sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / i0(beta)

"""Windows of other shapes: polynomials, exponentials and Bessel functions."""

from __future__ import annotations

import math
import warnings

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ._documentation import documented
from ._length import checked_length, sized

__all__ = [
    "barthann",
    "bartlett",
    "bohman",
    "boxcar",
    "chebwin",
    "cosine",
    "exponential",
    "gaussian",
    "general_gaussian",
    "kaiser",
    "kaiser_bessel_derived",
    "lanczos",
    "parzen",
    "taylor",
    "triang",
    "tukey",
]


def _centred(n: int) -> ndarray:
    """Return the distances of points from the middle."""
    return cp.arange(n) - (n - 1.0) / 2.0


@documented
def boxcar(M: int, sym: bool = True) -> ndarray:
    """Return a window of ones.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.boxcar(3)
    array([1., 1., 1.])
    """
    return sized("boxcar", M, sym, cp.ones)


@documented
def triang(M: int, sym: bool = True) -> ndarray:
    """Return a triangle that is not zero at its ends.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.triang(5).round(6)
    array([0.333333, 0.666667, 1.      , 0.666667, 0.333333])
    """

    def symmetric(n: int) -> ndarray:
        half = cp.arange(1, (n + 1) // 2 + 1)
        if n % 2 == 0:
            rising = (2 * half - 1.0) / n
            return cp.concatenate((rising, rising[::-1]))
        rising = 2 * half / (n + 1.0)
        return cp.concatenate((rising, rising[-2::-1]))

    return sized("triang", M, sym, symmetric)


@documented
def parzen(M: int, sym: bool = True) -> ndarray:
    """Return Parzen's window: a piecewise cubic.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.parzen(5).round(6)
    array([0.016, 0.424, 1.   , 0.424, 0.016])
    """

    def symmetric(n: int) -> ndarray:
        x = cp.abs(_centred(n)) / (n / 2.0)
        inner = 1 - 6 * x**2 + 6 * x**3
        return cp.where(cp.abs(_centred(n)) <= (n - 1) / 4.0, inner, 2 * (1 - x) ** 3)

    return sized("parzen", M, sym, symmetric)


@documented
def bohman(M: int, sym: bool = True) -> ndarray:
    """Return Bohman's window: the autocorrelation of half a sine.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.bohman(5).round(6)
    array([0.     , 0.31831, 1.     , 0.31831, 0.     ])
    """

    def symmetric(n: int) -> ndarray:
        x = cp.abs(cp.linspace(-1, 1, n))
        result = (1 - x) * cp.cos(math.pi * x) + 1.0 / math.pi * cp.sin(math.pi * x)
        result[:: n - 1] = 0.0
        return result

    return sized("bohman", M, sym, symmetric)


@documented
def bartlett(M: int, sym: bool = True) -> ndarray:
    """Return Bartlett's window: a triangle that is zero at its ends.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """

    def symmetric(n: int) -> ndarray:
        k = cp.arange(n, dtype=float)
        rising = 2.0 * k / (n - 1)
        return cp.where(k <= (n - 1) / 2.0, rising, 2.0 - rising)

    return sized("bartlett", M, sym, symmetric)


@documented
def barthann(M: int, sym: bool = True) -> ndarray:
    """Return the Bartlett-Hann window: a triangle and a cosine.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.barthann(5).round(6)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """

    def symmetric(n: int) -> ndarray:
        x = cp.abs(cp.arange(n) / (n - 1.0) - 0.5)
        return 0.62 - 0.48 * x + 0.38 * cp.cos(2 * math.pi * x)

    return sized("barthann", M, sym, symmetric)


@documented
def cosine(M: int, sym: bool = True) -> ndarray:
    """Return half a period of a sine.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.cosine(3).round(6)
    array([0.5, 1. , 0.5])
    """
    return sized("cosine", M, sym, lambda n: cp.sin(math.pi / n * (cp.arange(n) + 0.5)))


@documented
def lanczos(M: int, sym: bool = True) -> ndarray:
    """Return the main lobe of a cardinal sine.

    Parameters
    ----------
    {points}
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.lanczos(5).round(6)
    array([0.     , 0.63662, 1.     , 0.63662, 0.     ])
    """

    def symmetric(n: int) -> ndarray:
        # Both halves are one half and its mirror image, so that the window is symmetric to the last bit.
        if n % 2 == 0:
            half = cp.sinc(2.0 * cp.arange(n // 2, n) / (n - 1) - 1.0)
            return cp.concatenate((half[::-1], half))
        half = cp.sinc(2.0 * cp.arange((n + 1) // 2, n) / (n - 1) - 1.0)
        return cp.concatenate((half[::-1], cp.ones(1), half))

    return sized("lanczos", M, sym, symmetric)


@documented
def gaussian(M: int, std: float, sym: bool = True) -> ndarray:
    """Return a Gaussian.

    Parameters
    ----------
    {points}
    std : float
        The standard deviation, in points.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.gaussian(3, 1.0).round(6)
    array([0.606531, 1.      , 0.606531])
    """
    return sized("gaussian", M, sym, lambda n: cp.exp(-(_centred(n) ** 2) / (2 * std * std)))


@documented
def general_gaussian(M: int, p: float, sig: float, sym: bool = True) -> ndarray:
    """Return a Gaussian whose exponent is raised to a power.

    Parameters
    ----------
    {points}
    p : float
        The power: 1 gives a Gaussian, 0.5 a Laplacian.
    sig : float
        The width, in points.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.general_gaussian(3, 1.5, 2.0).round(6)
    array([0.939413, 1.      , 0.939413])
    """

    def symmetric(n: int) -> ndarray:
        return cp.exp(-0.5 * cp.abs(_centred(n) / sig) ** (2 * p))

    return sized("general_gaussian", M, sym, symmetric)


@documented
def exponential(M: int, center: float | None = None, tau: float = 1.0, sym: bool = True) -> ndarray:
    """Return a window that decays on both sides of its centre.

    Parameters
    ----------
    {points}
    center : float, optional
        The centre, only without `sym`; the middle by default.
    tau : float, optional
        Points in which it decays by e.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.exponential(3).round(6)
    array([0.367879, 1.      , 0.367879])
    """
    if sym and center is not None:
        raise ValueError("exponential: If sym==True, center must be None.")

    def symmetric(n: int) -> ndarray:
        middle = (n - 1) / 2 if center is None else center
        return cp.exp(-cp.abs(cp.arange(n) - middle) / tau)

    return sized("exponential", M, sym, symmetric)


@documented
def tukey(M: int, alpha: float = 0.5, sym: bool = True) -> ndarray:
    """Return Tukey's window: a rectangle with rounded edges.

    Parameters
    ----------
    {points}
    alpha : float, optional
        The part that is rounded: 0 gives a rectangle, 1 the Hann window.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.tukey(5)
    array([0., 1., 1., 1., 0.])
    """
    if alpha <= 0:
        return cp.ones(checked_length("tukey", M))

    def symmetric(n: int) -> ndarray:
        k = cp.arange(n, dtype=float)
        if alpha >= 1.0:
            return 0.5 - 0.5 * cp.cos(2.0 * math.pi * k / (n - 1))
        edge = int(math.floor(alpha * (n - 1) / 2.0))
        rising = 0.5 * (1 + cp.cos(math.pi * (-1 + 2.0 * k / alpha / (n - 1))))
        falling = 0.5 * (1 + cp.cos(math.pi * (-2.0 / alpha + 1 + 2.0 * k / alpha / (n - 1))))
        return cp.where(k <= edge, rising, cp.where(k < n - edge - 1, 1.0, falling))

    return sized("tukey", M, sym, symmetric)


@documented
def kaiser(M: int, beta: float, sym: bool = True) -> ndarray:
    """Return the Kaiser window: a Bessel function of adjustable width.

    Parameters
    ----------
    {points}
    beta : float
        The shape; 0 gives a rectangle.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.kaiser(3, 2.0).round(6)
    array([0.438676, 1.      , 0.438676])
    """

    def symmetric(n: int) -> ndarray:
        half = (n - 1) / 2.0
        return cp.i0(beta * cp.sqrt(1 - ((cp.arange(n) - half) / half) ** 2.0)) / cp.i0(cp.float64(beta))

    return sized("kaiser", M, sym, symmetric)


@documented
def kaiser_bessel_derived(M: int, beta: float, sym: bool = True) -> ndarray:
    """Return the window of overlapping transforms that is derived from Kaiser's.

    Parameters
    ----------
    {points}
    beta : float
        The shape of the Kaiser window.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.kaiser_bessel_derived(4, 2.0).round(6)
    array([0.483392, 0.875404, 0.875404, 0.483392])
    """
    if not sym:
        raise ValueError(
            "kaiser_bessel_derived: Kaiser-Bessel Derived windows are only defined for symmetric shapes"
        )
    M = checked_length("kaiser_bessel_derived", M)
    if M < 1:
        return cp.zeros(0)
    if M % 2 == 1:
        raise ValueError(
            "kaiser_bessel_derived: Kaiser-Bessel Derived windows are only defined for even number of "
            "points, "
            f"got {M}"
        )
    sums = cp.cumsum(kaiser(M // 2 + 1, beta))
    half = cp.sqrt(sums[:-1] / sums[-1])
    return cp.concatenate((half, half[::-1]))


@documented
def taylor(M: int, nbar: int = 4, sll: float = 30, norm: bool = True, sym: bool = True) -> ndarray:
    """Return Taylor's window: side lobes near the main one are about equally high.

    Parameters
    ----------
    {points}
    nbar : int, optional
        The number of side lobes that are nearly equal.
    sll : float, optional
        How far they are below the main lobe, in decibels.
    norm : bool, optional
        Divide by the largest value.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.taylor(5).round(6)
    array([0.332497, 0.772015, 1.      , 0.772015, 0.332497])
    """
    # https://en.wikipedia.org/wiki/Window_function#Taylor_window gives the weights.
    ratio = np.arccosh(10 ** (sll / 20)) / math.pi
    spread = nbar**2 / (ratio**2 + (nbar - 0.5) ** 2)
    lobes = np.arange(1, nbar)
    weights = np.empty(nbar - 1)
    for i, m in enumerate(lobes):
        top = (-1.0) ** i * np.prod(1 - m**2 / spread / (ratio**2 + (lobes - 0.5) ** 2))
        bottom = 2 * np.prod(1 - m**2 / lobes[:i] ** 2.0) * np.prod(1 - m**2 / lobes[i + 1 :] ** 2.0)
        weights[i] = top / bottom

    def value(places: ndarray, n: int) -> ndarray:
        angles = 2 * math.pi * (places - n / 2.0 + 0.5) / n
        terms = (
            2 * float(weight) * cp.cos(int(m) * angles) for m, weight in zip(lobes, weights, strict=True)
        )
        return sum(terms, start=1 + cp.zeros_like(places))

    def symmetric(n: int) -> ndarray:
        result = value(cp.arange(n, dtype=float), n)
        return result / value(cp.array([(n - 1) / 2]), n) if norm else result

    return sized("taylor", M, sym, symmetric)


@documented
def chebwin(M: int, at: float, sym: bool = True) -> ndarray:
    """Return the Dolph-Chebyshev window: all side lobes are equally high.

    Parameters
    ----------
    {points}
    at : float
        How far they are below the main lobe, in decibels.
    {sym}

    {window}

    Examples
    --------
    >>> from cuprum.scipy.signal import windows
    >>> windows.chebwin(5, 60).round(6)
    array([0.187615, 0.686241, 1.      , 0.686241, 0.187615])
    """
    if abs(at) < 45:
        warnings.warn(
            "This window is not suitable for spectral analysis for attenuation values lower than about 45dB "
            "because the equivalent noise bandwidth of a Chebyshev window does not grow monotonically with "
            "increasing sidelobe attenuation when the attenuation is smaller than about 45 dB.",
            stacklevel=2,
        )

    def symmetric(n: int) -> ndarray:
        order = n - 1.0
        beta = math.cosh(1.0 / order * math.acosh(10 ** (abs(at) / 20.0)))
        k = cp.arange(n, dtype=float)
        x = beta * cp.cos(math.pi * k / n)
        # The Chebyshev polynomial of this order, inside and outside of [-1, 1].
        inside = cp.cos(order * cp.arccos(cp.clip(x, -1, 1)))
        outside = cp.cosh(order * cp.arccosh(cp.maximum(cp.abs(x), 1)))
        polynomial = cp.where(cp.abs(x) <= 1, inside, cp.where(x < 0, 2 * (n % 2) - 1, 1) * outside)
        if n % 2 == 1:
            spectrum = cp.fft.fft(polynomial).real
            half = spectrum[: (n + 1) // 2]
            result = cp.concatenate((half[:0:-1], half))
        else:
            spectrum = cp.fft.fft(polynomial * cp.exp(1j * math.pi / n * k)).real
            half = spectrum[: n // 2 + 1]
            result = cp.concatenate((half[:0:-1], half[1:]))
        return result / result.max()

    return sized("chebwin", M, sym, symmetric)

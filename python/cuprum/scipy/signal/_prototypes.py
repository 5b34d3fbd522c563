"""Analog lowpass filters with a cutoff of one: what every recursive design begins with.

The bodies, whose names end with an underscore, give host arrays.
"""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any

import numpy as np

from ..._core import ndarray
from . import _elliptic
from ._filter_forms import to_device

__all__ = ["besselap", "buttap", "cheb1ap", "cheb2ap", "ellipap"]

Zpk = tuple[np.ndarray, np.ndarray, float]
_NONE = np.zeros(0)


def _order(op: str, N: Any) -> int:
    if abs(int(N)) != N:
        raise ValueError(f"{op}: Filter order must be a nonnegative integer, got {N!r}")
    return int(N)


def power_ratio(decibels: float) -> float:
    """Return ``10**(decibels / 10) - 1``, exact for small numbers."""
    return math.expm1(math.log(10) * 0.1 * decibels)


def buttap_(N: Any) -> Zpk:
    N = _order("buttap", N)
    # The middle one is exactly real.
    return _NONE, -np.exp(1j * np.pi * np.arange(1 - N, N, 2) / (2 * N or 1)), 1.0


def cheb1ap_(N: Any, rp: float) -> Zpk:
    N = _order("cheb1ap", N)
    if N == 0:
        return _NONE, np.zeros(0, complex), 10 ** (-rp / 20)
    ripple = math.sqrt(10 ** (0.1 * rp) - 1.0)
    width = math.asinh(1 / ripple) / N
    p = -np.sinh(width + 1j * np.pi * np.arange(1 - N, N, 2) / (2 * N))
    gain = float(np.prod(-p).real)
    return _NONE, p, gain / math.sqrt(1 + ripple * ripple) if N % 2 == 0 else gain


def cheb2ap_(N: Any, rs: float) -> Zpk:
    N = _order("cheb2ap", N)
    if N == 0:
        return np.zeros(0, complex), np.zeros(0, complex), 1.0
    width = math.asinh(math.sqrt(10 ** (0.1 * rs) - 1)) / N
    places = np.arange(1 - N, N, 2)
    z = 1j / np.sin(places[places != 0] * np.pi / (2 * N))
    p = -1 / np.sinh(width + 1j * np.pi * places / (2 * N))
    return z, p, float((np.prod(-p) / np.prod(-z)).real)


def _degree_parameter(n: int, m: float) -> float:
    """Return the parameter whose quarter periods have `n` times the ratio of those of `m`: by the nome."""
    nome = math.exp(-math.pi * _elliptic.complete(m) / _elliptic.complete(1 - m) / n)
    above = sum(nome ** (i * (i + 1)) for i in range(8))
    below = 1 + 2 * sum(nome ** (i * i) for i in range(1, 9))
    return 16 * nome * (above / below) ** 4


def ellipap_(N: Any, rp: float, rs: float) -> Zpk:
    N = _order("ellipap", N)
    if N == 0:
        return np.zeros(0, complex), np.zeros(0, complex), 10 ** (-rp / 20)
    squared = power_ratio(rp)
    if N == 1:
        pole = -math.sqrt(1.0 / squared)
        return np.zeros(0, complex), np.array([pole], complex), -pole
    selectivity = squared / power_ratio(rs)
    if selectivity == 0:
        raise ValueError("ellipap: Cannot design a filter with given rp and rs specifications.")
    m = _degree_parameter(N, selectivity)
    period = _elliptic.complete(1 - m)
    points = [_elliptic.jacobi(j * period / N, m, 1 - m) for j in range(1 - N % 2, N, 2)]
    s, c, d = (np.array(values) for values in zip(*points, strict=True))
    upper = 1j / (math.sqrt(m) * s[abs(s) > 2e-16])
    z = np.concatenate((upper, upper.conj()))
    depth = _elliptic.incomplete(1 / math.sqrt(squared), selectivity)
    depth *= period / (N * _elliptic.complete(1 - selectivity))
    sv, cv, dv = _elliptic.jacobi(depth, 1 - m, m)
    p: np.ndarray = -(c * d * sv * cv + 1j * s * dv) / (1 - (d * sv) ** 2.0)
    twin = p[abs(p.imag) > 2e-16 * np.linalg.norm(p)] if N % 2 else p
    p = np.concatenate((p, twin.conj()))
    gain = float((np.prod(-p) / np.prod(-z)).real)
    return z, p, gain / math.sqrt(1 + squared) if N % 2 == 0 else gain


_BITS = 320
"""Binary places of the numbers in which the roots of Bessel polynomials are found."""


def _times(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    return (x[0] * y[0] - x[1] * y[1]) >> _BITS, (x[0] * y[1] + x[1] * y[0]) >> _BITS


def _over(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    square = y[0] * y[0] + y[1] * y[1]
    real, imag = x[0] * y[0] + x[1] * y[1], x[1] * y[0] - x[0] * y[1]
    return (real << _BITS) // square, (imag << _BITS) // square


def _bessel_poles(N: int) -> np.ndarray:
    """Return the roots of the reverse Bessel polynomial, by Aberth's iteration in fixed point.

    In float64 they would lose a digit for every other order.
    """
    coefficients = [
        math.factorial(2 * N - k) // (2 ** (N - k) * math.factorial(k) * math.factorial(N - k))
        for k in range(N, -1, -1)
    ]
    radius = math.exp(math.lgamma(2 * N + 1) / N - math.lgamma(N + 1) / N) / 2
    starts = [radius * cmath.exp(1j * (2 * math.pi * (k + 0.25) / N + 0.1)) for k in range(N)]
    one = 1 << _BITS
    roots = [(int(x.real * 2**60) << (_BITS - 60), int(x.imag * 2**60) << (_BITS - 60)) for x in starts]
    for _ in range(200):
        largest = 0
        for i, x in enumerate(roots):
            value, slope = (0, 0), (0, 0)
            for coefficient in coefficients:
                slope = _times(slope, x)
                slope = slope[0] + value[0], slope[1] + value[1]
                value = _times(value, x)
                value = value[0] + coefficient * one, value[1]
            if value == (0, 0):
                continue
            newton = _over(value, slope)
            push = (0, 0)
            for j, other in enumerate(roots):
                if j != i:
                    inverse = _over((one, 0), (x[0] - other[0], x[1] - other[1]))
                    push = push[0] + inverse[0], push[1] + inverse[1]
            share = _times(newton, push)
            step = _over(newton, (one - share[0], -share[1]))
            roots[i] = x[0] - step[0], x[1] - step[1]
            largest = max(largest, abs(step[0]), abs(step[1]))
        if largest < one >> 100:
            break
    found = sorted((complex(x / one, y / one) for x, y in roots), key=lambda r: r.imag)
    upper = found[-(N // 2) :] if N > 1 else []
    middle = [complex(found[N // 2].real)] if N % 2 else []
    return np.array([x.conjugate() for x in reversed(upper)] + middle + upper)


def besselap_(N: Any, norm: str = "phase") -> Zpk:
    N = _order("besselap", N)
    if norm not in ("phase", "delay", "mag"):
        raise ValueError(f"besselap: normalization not understood, got {norm!r}")
    if N == 0:
        return _NONE, np.zeros(0, complex), 1.0
    p = _bessel_poles(N)
    last = math.factorial(2 * N) // (math.factorial(N) * 2**N)
    if norm == "phase":
        return _NONE, p * 10 ** (-math.log10(last) / N), 1.0
    if norm == "delay":
        return _NONE, p, float(last)

    def height(w: float) -> float:
        return float(abs(last / np.prod(1j * w - p))) - 1 / math.sqrt(2)

    # The response falls from one: the interval that holds the cutoff is halved until it is one number.
    low, high = 0.0, 1.0
    while height(high) > 0:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) > 0 else (low, middle)
    return _NONE, p / high, float(high ** float(-N) * last)


def buttap(N: int) -> tuple[ndarray, ndarray, float]:
    """Return the analog Butterworth filter of an order: flat in its passband.

    Parameters
    ----------
    N : int
        The order.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.buttap(2)[1].round(6)
    array([-0.707107+0.707107j, -0.707107-0.707107j])
    """
    return to_device(*buttap_(operator.index(N) if isinstance(N, np.integer) else N))


def cheb1ap(N: int, rp: float) -> tuple[ndarray, ndarray, float]:
    """Return the analog Chebyshev filter of an order, with ripples in its passband.

    Parameters
    ----------
    N : int
        The order.
    rp : float
        The ripples, in decibels.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.cheb1ap(2, 1)[1].round(6)
    array([-0.548867+0.895129j, -0.548867-0.895129j])
    """
    return to_device(*cheb1ap_(N, rp))


def cheb2ap(N: int, rs: float) -> tuple[ndarray, ndarray, float]:
    """Return the analog Chebyshev filter of an order, with ripples in its stopband.

    Parameters
    ----------
    N : int
        The order.
    rs : float
        The attenuation of the stopband, in decibels.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.cheb2ap(2, 40)[1].round(6)
    array([-0.099499-0.100499j, -0.099499+0.100499j])
    """
    return to_device(*cheb2ap_(N, rs))


def ellipap(N: int, rp: float, rs: float) -> tuple[ndarray, ndarray, float]:
    """Return the analog elliptic filter of an order, with ripples in both bands.

    Parameters
    ----------
    N : int
        The order.
    rp, rs : float
        The ripples of the passband and the attenuation of the stopband, in decibels.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.ellipap(2, 1, 40)[0].round(6)
    array([0.+9.937627j, 0.-9.937627j])
    """
    return to_device(*ellipap_(N, rp, rs))


def besselap(N: int, norm: str = "phase") -> tuple[ndarray, ndarray, float]:
    """Return the analog Bessel filter of an order: its group delay is flat.

    Parameters
    ----------
    N : int
        The order.
    norm : {"phase", "delay", "mag"}, optional
        What is one at the cutoff: the phase in the middle, the delay, or the frequency of half the power.

    Returns
    -------
    z, p, k
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.besselap(1)[1]
    array([-1.+0.j])
    """
    return to_device(*besselap_(N, norm))

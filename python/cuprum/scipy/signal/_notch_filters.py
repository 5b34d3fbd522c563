"""Filters of single frequencies: notches, peaks, combs and the ear's."""

from __future__ import annotations

import cmath
import math
import operator
import warnings

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._band_transforms import checked_fs

__all__ = ["gammatone", "iircomb", "iirnotch", "iirpeak"]


def _resonance(op: str, w0: float, Q: float, fs: float) -> tuple[float, float]:
    """Return the cosine of a frequency and the gain of a resonance of that quality."""
    fs = checked_fs(op, fs)
    w0, Q = 2 * float(w0) / fs, float(Q)
    if w0 > 1.0 or w0 < 0.0:
        raise ValueError(f"{op}: w0 should be such that 0 < w0 < 1")
    # The width is that of half the power.
    return math.cos(math.pi * w0), 1.0 / (1.0 + math.tan(math.pi * w0 / Q / 2.0))


def iirnotch(w0: float, Q: float, fs: float = 2.0) -> tuple[ndarray, ndarray]:
    """Design a filter that takes one frequency away.

    Parameters
    ----------
    w0 : float
        The frequency.
    Q : float
        The frequency divided by the width of the notch.
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.iirnotch(50.0, 10.0, 400.0)]
    [array([ 0.962195, -1.36075 ,  0.962195]), array([ 1.     , -1.36075,  0.92439])]
    """
    cosine, gain = _resonance("iirnotch", w0, Q, fs)
    return (
        cp.array([gain, -2.0 * cosine * gain, gain]),
        cp.array([1.0, -2.0 * gain * cosine, 2.0 * gain - 1.0]),
    )


def iirpeak(w0: float, Q: float, fs: float = 2.0) -> tuple[ndarray, ndarray]:
    """Design a filter that keeps one frequency.

    Parameters
    ----------
    w0 : float
        The frequency.
    Q : float
        The frequency divided by the width of the peak.
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.iirpeak(50.0, 10.0, 400.0)]
    [array([ 0.037805,  0.      , -0.037805]), array([ 1.     , -1.36075,  0.92439])]
    """
    cosine, gain = _resonance("iirpeak", w0, Q, fs)
    return (
        cp.array([1.0 - gain, 0.0, gain - 1.0]),
        cp.array([1.0, -2.0 * gain * cosine, 2.0 * gain - 1.0]),
    )


def iircomb(
    w0: float, Q: float, ftype: str = "notch", fs: float = 2.0, *, pass_zero: bool = False
) -> tuple[ndarray, ndarray]:
    """Design a filter that takes away or keeps all multiples of a frequency.

    Parameters
    ----------
    w0 : float
        The frequency, which divides `fs`.
    Q : float
        The frequency divided by the width of a notch or peak.
    ftype : {"notch", "peak"}, optional
        Whether they are taken away or kept.
    fs : float, optional
        The sampling frequency.
    pass_zero : bool, optional
        Whether frequency zero passes.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.iircomb(50.0, 10.0, fs=200.0)[1].round(6)
    array([ 1.      ,  0.      ,  0.      ,  0.      , -0.726543])
    """
    w0, Q, fs = float(w0), float(Q), checked_fs("iircomb", fs)
    ftype = ftype.lower()
    if not 0 < w0 < fs / 2:
        raise ValueError(f"iircomb: w0 must be between 0 and {fs / 2} (Nyquist), but given {w0}.")
    if ftype not in ("notch", "peak"):
        raise ValueError("iircomb: ftype must be either notch or peak.")
    order = round(fs / w0)
    if abs(w0 - fs / order) / fs > 1e-14:
        raise ValueError("iircomb: fs must be divisible by w0.")
    width = math.tan(order * (2 * math.pi * w0 / fs / Q) / 4)
    first, last = (1.0, 1.0) if ftype == "notch" else (width, -width)
    sign = -1.0 if (ftype == "peak") == bool(pass_zero) else 1.0
    b, a = np.zeros(order + 1), np.zeros(order + 1)
    b[0], b[-1] = first / (1 + width), sign * last / (1 + width)
    a[0], a[-1] = 1.0, sign * (1 - width) / (1 + width)
    return cp.asarray(b), cp.asarray(a)


def gammatone(
    freq: float, ftype: str, order: int | None = None, numtaps: int | None = None, fs: float | None = None
) -> tuple[ndarray, ndarray]:
    """Design a filter like those of the inner ear.

    Parameters
    ----------
    freq : float
        The frequency.
    ftype : {"fir", "iir"}
        Whether the filter is a finite response or a recursion.
    order : int, optional
        The order of a finite response, 4 by default.
    numtaps : int, optional
        Its length; 15 milliseconds by default.
    fs : float, optional
        The sampling frequency, 2 by default.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> b, a = signal.gammatone(440.0, "iir", fs=16000.0)
    >>> b.shape, a.shape
    ((5,), (9,))
    """
    freq = float(freq)
    fs = checked_fs("gammatone", 2 if fs is None else fs)
    ftype = ftype.lower()
    if not 0 < freq < fs / 2:
        raise ValueError(
            f"gammatone: The frequency must be between 0 and {fs / 2} (Nyquist), but given {freq}."
        )
    if ftype not in ("fir", "iir"):
        raise ValueError("gammatone: ftype must be either fir or iir.")
    # The width of the ear's filter at a frequency, after Glasberg and Moore.
    width = 1.019 * (24.7 + freq / 9.26449)
    if ftype == "fir":
        order = operator.index(4 if order is None else order)
        numtaps = operator.index(max(int(fs * 0.015), 15) if numtaps is None else numtaps)
        if not 0 < order <= 24:
            raise ValueError("gammatone: Invalid order: order must be > 0 and <= 24.")
        t = cp.arange(numtaps) / fs
        b = t ** (order - 1) * cp.exp(-2 * math.pi * width * t) * cp.cos(2 * math.pi * freq * t)
        scale = 2 * (2 * math.pi * width) ** order / math.factorial(order - 1) / fs
        return b * scale, cp.ones(1)
    if order is not None:
        warnings.warn("order is not used for IIR gammatone filter.", stacklevel=2)
    if numtaps is not None:
        warnings.warn("numtaps is not used for IIR gammatone filter.", stacklevel=2)
    step, angle = 1.0 / fs, 2 * math.pi * freq / fs
    decay = 2 * math.pi * width * step
    turn = cmath.exp(2j * angle)
    first, second = -2 * turn * step, 2 * cmath.exp(-decay + 1j * angle) * step
    gain = 1.0 + 0j
    for root in (3 + 2**1.5, 3 - 2**1.5):
        for sign in (1, -1):
            gain *= first + second * (math.cos(angle) + sign * math.sqrt(root) * math.sin(angle))
    gain /= (-2 / math.exp(2 * decay) - 2 * turn + 2 * (1 + turn) / math.exp(decay)) ** 4
    cosines = [math.cos(k * angle) / math.exp(k * decay) for k in range(5)]
    b = np.array([1, -4, 6, -4, 1]) * np.array(cosines) * step**4 / abs(gain)
    # The fourth power of a pair of conjugate poles.
    pair = np.array([1.0, -2 * math.cos(angle) / math.exp(decay), math.exp(-2 * decay)])
    square = np.convolve(pair, pair)
    return cp.asarray(b), cp.asarray(np.convolve(square, square))

"""Wave forms and test signals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._filter_forms import floating

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike, ShapeLike


__all__ = ["chirp", "gausspulse", "max_len_seq", "sawtooth", "square", "sweep_poly", "unit_impulse"]


def sawtooth(t: ArrayLike, width: ArrayLike = 1) -> ndarray:
    """Return a sawtooth or triangle of period two pi.

    Parameters
    ----------
    t : array_like
        The times.
    width : array_like, optional
        The part of a period in which it rises, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The wave, between -1 and 1; NaN where `width` is outside its range.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.sawtooth(cp.arange(4) * cp.pi / 2)
    array([-1. , -0.5,  0. ,  0.5])
    """
    t, w = _times_and_parts(t, width)
    phase = cp.mod(t, 2 * math.pi).astype(np.float64)
    falling = (math.pi * (w + 1) - phase) / (math.pi * (1 - w))
    wave = cp.where(phase < w * 2 * math.pi, phase / (math.pi * w) - 1, falling)
    return cp.where((w > 1) | (w < 0), cp.nan, wave)


def square(t: ArrayLike, duty: ArrayLike = 0.5) -> ndarray:
    """Return a square wave of period two pi.

    Parameters
    ----------
    t : array_like
        The times.
    duty : array_like, optional
        The part of a period in which it is 1, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The wave, 1 or -1; NaN where `duty` is outside its range.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.square(cp.arange(4) * cp.pi / 2)
    array([ 1.,  1., -1., -1.])
    """
    t, w = _times_and_parts(t, duty)
    wave = cp.where(cp.mod(t, 2 * math.pi) < w * 2 * math.pi, 1.0, -1.0)
    return cp.where((w > 1) | (w < 0), cp.nan, wave)


def gausspulse(
    t: Any,
    fc: float = 1000,
    bw: float = 0.5,
    bwr: float = -6,
    tpr: float = -60,
    retquad: bool = False,
    retenv: bool = False,
) -> Any:
    """Return a sine under a Gaussian.

    Parameters
    ----------
    t : array_like or "cutoff"
        The times; or ask for the time at which the envelope has fallen by `tpr`.
    fc : float, optional
        The frequency of the sine.
    bw : float, optional
        The width of the spectrum, as a fraction of `fc`.
    bwr, tpr : float, optional
        Levels at which the width and the cutoff are measured, in decibels.
    retquad, retenv : bool, optional
        Return the part in quadrature, and the envelope, too.

    Returns
    -------
    ndarray, tuple of ndarray or float
        The pulse and what else was asked for.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.gausspulse(cp.array([0.0, 0.001]), fc=500).round(6)
    array([ 1.      , -0.799918])
    """
    if fc < 0:
        raise ValueError(f"gausspulse: Center frequency (fc={fc:.2f}) must be >=0.")
    if bw <= 0:
        raise ValueError(f"gausspulse: Fractional bandwidth (bw={bw:.2f}) must be > 0.")
    if bwr >= 0:
        raise ValueError(f"gausspulse: Reference level for bandwidth (bwr={bwr:.2f}) must be < 0 dB")
    # The spectrum of exp(-a t^2) is a Gaussian too: a follows from its width.
    a = -((math.pi * fc * bw) ** 2) / (4.0 * math.log(10.0 ** (bwr / 20.0)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError("gausspulse: If `t` is a string, it must be 'cutoff'")
        if tpr >= 0:
            raise ValueError("gausspulse: Reference level for time cutoff must be < 0 dB")
        return math.sqrt(-math.log(10.0 ** (tpr / 20.0)) / a)
    t = _wide(t)
    envelope = cp.exp(-a * t * t)
    results = [envelope * cp.cos(2 * math.pi * fc * t)]
    if retquad:
        results.append(envelope * cp.sin(2 * math.pi * fc * t))
    if retenv:
        results.append(envelope)
    return results[0] if len(results) == 1 else tuple(results)


def _times_and_parts(t: Any, parts: Any) -> tuple[ndarray, ndarray]:
    """Return times and parts of a period, as floats of one shape."""
    shape = np.broadcast_shapes(np.shape(t), np.shape(parts))
    # A number has one axis as an array of floats.
    t, parts = (cp.broadcast_to(floating(a), shape or (1,)).reshape(shape) for a in (t, parts))
    return t, parts


def _wide(t: Any) -> ndarray:
    """Return times in float64, or complex128."""
    array = as_array(t)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)


def _chirp_phase(t: ndarray, f0: float, t1: float, f1: float, method: str, vertex_zero: bool) -> ndarray:
    turn = 2 * math.pi
    if method in ("linear", "lin", "li"):
        return turn * (f0 * t + 0.5 * ((f1 - f0) / t1) * t * t)
    if method in ("quadratic", "quad", "q"):
        beta = (f1 - f0) / t1**2
        if vertex_zero:
            return turn * (f0 * t + beta * t**3 / 3)
        return turn * (f1 * t + beta * ((t1 - t) ** 3 - t1**3) / 3)
    if method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0.0:
            raise ValueError(
                "chirp: For a logarithmic chirp, f0 and f1 must be nonzero and have the same sign."
            )
        if f0 == f1:
            return turn * f0 * t
        return turn * (t1 / math.log(f1 / f0)) * f0 * (cp.power(f1 / f0, t / t1) - 1.0)
    if method in ("hyperbolic", "hyp"):
        if f0 == 0 or f1 == 0:
            raise ValueError("chirp: For a hyperbolic chirp, f0 and f1 must be nonzero.")
        if f0 == f1:
            return turn * f0 * t
        pole = -f1 * t1 / (f0 - f1)
        return turn * (-pole * f0) * cp.log(cp.abs(1 - t / pole))
    raise ValueError(
        "chirp: method must be 'linear', 'quadratic', 'logarithmic', or 'hyperbolic', but a value of "
        f"{method!r} "
        "was given."
    )


def chirp(
    t: ArrayLike,
    f0: float,
    t1: float,
    f1: float,
    method: str = "linear",
    phi: float = 0,
    vertex_zero: bool = True,
    *,
    complex: bool = False,
) -> ndarray:
    """Return a cosine whose frequency changes with time.

    Parameters
    ----------
    t : array_like
        The times.
    f0 : float
        The frequency at time 0.
    t1, f1 : float
        A time, and the frequency then.
    method : {"linear", "quadratic", "logarithmic", "hyperbolic"}, optional
        How the frequency changes.
    phi : float, optional
        The phase at time 0, in degrees.
    vertex_zero : bool, optional
        Whether the vertex of a quadratic one lies at time 0, or at `t1`.
    complex : bool, optional
        Return the complex exponential instead of the cosine.

    Returns
    -------
    ndarray
        The signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.chirp(cp.array([0.0, 0.5, 1.0]), 1.0, 1.0, 3.0).round(6)
    array([ 1., -0.,  1.])
    """
    # Phases of many turns have no digits left in a narrow dtype.
    phase = _chirp_phase(_wide(t), float(f0), float(t1), float(f1), method, vertex_zero)
    phase = phase + math.radians(phi)
    return cp.exp(1j * phase) if complex else cp.cos(phase)


def sweep_poly(t: ArrayLike, poly: Any, phi: float = 0) -> ndarray:
    """Return a cosine whose frequency is a polynomial of time.

    Parameters
    ----------
    t : array_like
        The times.
    poly : (N,) array_like or poly1d
        The coefficients, by falling powers.
    phi : float, optional
        The phase at time 0, in degrees.

    Returns
    -------
    ndarray
        The signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.sweep_poly(cp.array([0.0, 0.5, 1.0]), [2.0, 1.0]).round(6)
    array([ 1., -0.,  1.])
    """
    coefficients = floating(getattr(poly, "coeffs", poly))
    powers = cp.arange(coefficients.size, 0, -1)
    integral = cp.concatenate((coefficients / powers, cp.zeros(1, coefficients.dtype)))
    return cp.cos(2 * math.pi * cp.polyval(integral, as_array(t)) + math.radians(phi))


def unit_impulse(shape: ShapeLike, idx: Any = None, dtype: DTypeLike = float) -> ndarray:
    """Return zeros with a single one among them.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    idx : None, int, tuple of int or "mid", optional
        Where the one stands; at the beginning by default, the same along every axis for an integer.
    dtype : dtype, optional
        The dtype.

    Returns
    -------
    ndarray
        The array.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.unit_impulse(4, 2)
    array([0., 0., 1., 0.])
    """
    result = cp.zeros(shape, dtype)
    if idx is None:
        idx = (0,) * result.ndim
    elif isinstance(idx, str) and idx == "mid":
        idx = tuple(n // 2 for n in result.shape)
    elif not hasattr(idx, "__iter__"):
        idx = (idx,) * result.ndim
    result[tuple(idx)] = 1
    return result


# Taps of shift registers whose sequences are of full length, by the number of bits.
_TAPS = {
    **{2: [1], 3: [2], 4: [3], 5: [3], 6: [5], 7: [6], 8: [7, 6, 1], 9: [5], 10: [7], 11: [9]},
    **{12: [11, 10, 4], 13: [12, 11, 8], 14: [13, 12, 2], 15: [14], 16: [15, 13, 4], 17: [14]},
    **{18: [11], 19: [18, 17, 14], 20: [17], 21: [19], 22: [21], 23: [18], 24: [23, 22, 17]},
    **{25: [22], 26: [25, 24, 20], 27: [26, 25, 22], 28: [25], 29: [27], 30: [29, 28, 7], 31: [28]},
    32: [31, 30, 10],
}


def max_len_seq(
    nbits: int, state: ArrayLike | None = None, length: int | None = None, taps: Any = None
) -> tuple[ndarray, ndarray]:
    """Return the bits of a shift register with feedback: a sequence of maximum length.

    Parameters
    ----------
    nbits : int
        The number of bits of the register.
    state : (nbits,) array_like, optional
        What it holds; ones by default.
    length : int, optional
        How many bits to return; ``2**nbits - 1`` by default.
    taps : array_like, optional
        Which bits are fed back; by default such that the sequence has the maximum length.

    Returns
    -------
    seq, state : ndarray of int8
        The bits and what the register holds after them.

    Notes
    -----
    Bit ``n + 2**k * nbits`` is the sum of those that many times the taps before it: each step doubles what
    is known.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.max_len_seq(3)[0]
    array([1, 1, 1, 0, 1, 0, 0], dtype=int8)
    """
    if taps is None:
        if nbits not in _TAPS:
            raise ValueError("max_len_seq: nbits must be between 2 and 32 if taps is None")
        feedback = _TAPS[nbits]
    else:
        feedback = sorted({int(tap) for tap in taps}, reverse=True)
        if not feedback or feedback[-1] < 0 or feedback[0] > nbits:
            raise ValueError(
                "max_len_seq: taps must be non-empty with values between zero and nbits (inclusive)"
            )
    length = 2**nbits - 1 if length is None else int(length)
    if length < 0:
        raise ValueError("max_len_seq: length must be greater than or equal to 0")
    register = cp.ones(nbits, np.int8) if state is None else as_array(state).astype(bool).astype(np.int8)
    if register.shape != (nbits,):
        raise ValueError("max_len_seq: state must be a 1-D array of size nbits")
    if not bool(register.any()):
        raise ValueError("max_len_seq: state must not be all zeros")
    bits = cp.empty(length + nbits, np.int8)
    bits[:nbits] = register
    # Bit n is the sum, without carry, of bit n - nbits and of those `nbits - tap` before it; squared, the
    # relation reaches twice as far back, since mixed terms cancel.
    delays = [nbits, *(nbits - tap for tap in feedback)]
    counted: dict[int, int] = {}
    for delay in delays:
        counted[delay] = counted.get(delay, 0) ^ 1
    delays = sorted(delay for delay, odd in counted.items() if odd and delay > 0)
    if not delays:
        bits[nbits:] = 0
        return bits[:length], bits[length:]
    known, reach = nbits, 1
    while known < bits.size:
        while delays[-1] * reach * 2 <= known:
            reach *= 2
        count = min(delays[0] * reach, bits.size - known)
        total = cp.zeros(count, np.int8)
        for delay in delays:
            start = known - delay * reach
            total = total ^ bits[start : start + count]
        bits[known : known + count] = total
        known += count
    return bits[:length], bits[length:]

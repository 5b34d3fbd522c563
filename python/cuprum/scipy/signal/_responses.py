"""What filters do to frequencies: responses and delays."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from ._band_transforms import checked_fs
from ._filter_forms import floating
from ._recursive import checked_sections

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "findfreqs",
    "freqs",
    "freqs_zpk",
    "freqz",
    "freqz_sos",
    "freqz_zpk",
    "group_delay",
    "sosfreqz",
]


def _is_count(value: Any) -> bool:
    if isinstance(value, ndarray) and value.ndim > 0:
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _angles(op: str, worN: Any, whole: bool, fs: float, endpoint: bool = False) -> ndarray:
    """Return angular frequencies: so many on the circle or its upper half, or those that were given."""
    if worN is None:
        worN = 512
    if _is_count(worN):
        count = operator.index(worN)
        if count < 0:
            raise ValueError(f"{op}: worN must be nonnegative, got {count}")
        return cp.linspace(0, 2 * math.pi if whole else math.pi, count, endpoint=endpoint and not whole)
    if isinstance(worN, complex):
        worN = worN.real
    return 2 * math.pi * floating(worN) / fs


def _polynomial(coefficients: ndarray, x: ndarray) -> ndarray:
    """Return a polynomial by rising powers, along the first axis, at points that follow its other axes."""
    value = coefficients[-1] + 0 * x
    for i in range(coefficients.shape[0] - 2, -1, -1):
        value = value * x + coefficients[i]
    return value


def _from_roots(roots: ndarray, x: ndarray) -> ndarray:
    return cp.prod(x[..., cp.newaxis] - roots, axis=-1)


@names_itself
def freqz(
    b: ArrayLike,
    a: ArrayLike = 1,
    worN: Any = 512,
    whole: bool = False,
    plot: Callable[..., Any] | None = None,
    fs: float = 2 * math.pi,
    include_nyquist: bool = False,
) -> Any:
    """Return the frequency response of a digital filter.

    Parameters
    ----------
    b, a : array_like
        The numerator and the denominator; with more axes, coefficients run along the first one.
    worN : int or array_like, optional
        How many frequencies, or which.
    whole : bool, optional
        Go round the whole circle instead of its upper half.
    plot : callable, optional
        Called with both results.
    fs : float, optional
        The sampling frequency.
    include_nyquist : bool, optional
        Whether the last frequency is half the sampling frequency.

    Returns
    -------
    w, h : ndarray
        The frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> w, h = signal.freqz([0.5, 0.5], worN=4)
    >>> cp.abs(h).round(6)
    array([1.      , 0.92388 , 0.707107, 0.382683])
    """
    b, a = floating(b), floating(a)
    fs = checked_fs("freqz", fs)
    w = _angles("freqz", worN, whole, fs, include_nyquist)
    x = cp.exp(-1j * w)
    h = _polynomial(b, x) / _polynomial(a, x)
    w = w * (fs / (2 * math.pi))
    if plot is not None:
        plot(w, h)
    return w, h


@names_itself
def freqz_zpk(
    z: ArrayLike, p: ArrayLike, k: float, worN: Any = 512, whole: bool = False, fs: float = 2 * math.pi
) -> Any:
    """Return the frequency response of a digital filter that is given by its roots.

    Parameters
    ----------
    z, p : (N,) array_like
        The zeros and the poles.
    k : float
        The gain.
    worN : int or array_like, optional
        How many frequencies, or which.
    whole : bool, optional
        Go round the whole circle instead of its upper half.
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    w, h : ndarray
        The frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> w, h = signal.freqz_zpk([-1.0], [], 0.5, worN=4)
    >>> cp.abs(h).round(6)
    array([1.      , 0.92388 , 0.707107, 0.382683])
    """
    fs = checked_fs("freqz_zpk", fs)
    w = _angles("freqz_zpk", worN, whole, fs)
    x = cp.exp(1j * w)
    h = k * _from_roots(floating(z), x) / _from_roots(floating(p), x)
    return w * (fs / (2 * math.pi)), h


@names_itself
def freqz_sos(sos: ArrayLike, worN: Any = 512, whole: bool = False, fs: float = 2 * math.pi) -> Any:
    """Return the frequency response of second-order sections.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.
    worN : int or array_like, optional
        How many frequencies, or which.
    whole : bool, optional
        Go round the whole circle instead of its upper half.
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    w, h : ndarray
        The frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> w, h = signal.freqz_sos(signal.butter(2, 0.5, output="sos"), worN=4)
    >>> cp.abs(h).round(6)
    array([1.      , 0.985599, 0.707107, 0.169102])
    """
    fs = checked_fs("freqz_sos", fs)
    sos = checked_sections("freqz_sos", sos)
    if sos.shape[0] == 0:
        raise ValueError("freqz_sos: Cannot compute frequencies with no sections")
    w = _angles("freqz_sos", worN, whole, fs)
    x = cp.exp(-1j * w)
    h = cp.ones_like(x)
    for row in sos:
        h = h * (_polynomial(row[:3], x) / _polynomial(row[3:], x))
    return w * (fs / (2 * math.pi)), h


sosfreqz = freqz_sos


@names_itself
def findfreqs(num: ArrayLike, den: ArrayLike, N: int, kind: str = "ba") -> ndarray:
    """Return frequencies at which the response of an analog filter is worth looking at.

    Parameters
    ----------
    num, den : array_like
        The numerator and the denominator, or the zeros and the poles.
    N : int
        How many frequencies.
    kind : {"ba", "zp"}, optional
        Which of the two.

    Returns
    -------
    ndarray
        The frequencies, equally far apart on a logarithmic scale.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.findfreqs([1.0], [1.0, 8.0, 25.0], 3)
    array([  1.,  10., 100.])
    """
    num, den = floating(num), floating(den)
    if kind == "ba":
        zeros, poles = cp.roots(num), cp.roots(den)
    elif kind == "zp":
        zeros, poles = num, den
    else:
        raise ValueError("findfreqs: input must be one of {'ba', 'zp'}")
    zeros, poles = zeros.astype(np.complex128), poles.astype(np.complex128)
    if poles.size == 0:
        poles = cp.array([-1000 + 0j])
    roots = cp.concatenate((poles[poles.imag >= 0], zeros[(cp.abs(zeros) < 1e5) & (zeros.imag >= 0)]))
    at_zero = (cp.abs(roots) < 1e-10).astype(np.float64)
    real = cp.abs(roots.real + at_zero)
    high = cp.round(cp.log10((3 * real + 1.5 * roots.imag).max()) + 0.5)
    low = cp.round(cp.log10(0.1 * (real + 2 * roots.imag).min()) - 0.5)
    return cp.power(10.0, cp.linspace(0.0, 1.0, int(N)) * (high - low) + low)


@names_itself
def freqs(b: ArrayLike, a: ArrayLike, worN: Any = 200, plot: Callable[..., Any] | None = None) -> Any:
    """Return the frequency response of an analog filter.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    worN : int or array_like, optional
        How many angular frequencies, or which.
    plot : callable, optional
        Called with both results.

    Returns
    -------
    w, h : ndarray
        The angular frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> w, h = signal.freqs([1.0], [1.0, 1.0], [0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    b, a = floating(b), floating(a)
    worN = 200 if worN is None else worN
    w = findfreqs(b, a, worN) if _is_count(worN) else floating(worN)
    s = 1j * w
    h = _polynomial(b[::-1], s) / _polynomial(a[::-1], s)
    if plot is not None:
        plot(w, h)
    return w, h


@names_itself
def freqs_zpk(z: ArrayLike, p: ArrayLike, k: float, worN: Any = 200) -> Any:
    """Return the frequency response of an analog filter that is given by its roots.

    Parameters
    ----------
    z, p : (N,) array_like
        The zeros and the poles.
    k : float
        The gain.
    worN : int or array_like, optional
        How many angular frequencies, or which.

    Returns
    -------
    w, h : ndarray
        The angular frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> w, h = signal.freqs_zpk([], [-1.0], 1.0, [0.0, 1.0])
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    if np.size(k) > 1:
        raise ValueError("freqs_zpk: k must be a single scalar gain")
    z, p = floating(z), floating(p)
    worN = 200 if worN is None else worN
    w = findfreqs(z, p, worN, kind="zp") if _is_count(worN) else floating(worN)
    s = 1j * w
    return w, k * _from_roots(z, s) / _from_roots(p, s)


@names_itself
def group_delay(system: Any, w: Any = 512, whole: bool = False, fs: float = 2 * math.pi) -> Any:
    """Return by how many samples a digital filter delays each frequency.

    Parameters
    ----------
    system : tuple of array_like
        The numerator and the denominator.
    w : int or array_like, optional
        How many frequencies, or which.
    whole : bool, optional
        Go round the whole circle instead of its upper half.
    fs : float, optional
        The sampling frequency.

    Returns
    -------
    w, gd : ndarray
        The frequencies and the delays.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.group_delay(([0.5, 0.5], [1.0]), 4)[1].round(6)
    array([0.5, 0.5, 0.5, 0.5])
    """
    b, a = (floating(values) for values in system)
    fs = checked_fs("group_delay", fs)
    w = _angles("group_delay", w, whole, fs)
    x = cp.exp(-1j * w)
    product = cp.convolve(b, a[::-1].conj())
    bottom = _polynomial(product, x)
    delay = (_polynomial(product * cp.arange(product.size), x) / bottom).real - a.size + 1
    singular = ~cp.isfinite(delay)
    if bool(singular.any()):
        warnings.warn("The group delay is singular at some frequencies, setting to 0", stacklevel=3)
        delay = cp.where(singular, 0.0, delay)
    elif bool((cp.abs(bottom) < 10 * np.finfo(float).eps).any()):
        warnings.warn(
            "The filter's denominator is extremely small at some frequencies, around which a singularity may "
            "be present",
            stacklevel=3,
        )
    return w * (fs / (2 * math.pi)), delay

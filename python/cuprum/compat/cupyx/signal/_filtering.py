"""Filters of finite response, of higher order, and channels of a band."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ....scipy.signal import filtfilt, lfilter, lfilter_zi

if TYPE_CHECKING:
    from ...._core import ndarray
    from ...._typing import ArrayLike


__all__ = [
    "channelize_poly",
    "convolve1d2o",
    "convolve1d3o",
    "firfilter",
    "firfilter2",
    "firfilter_zi",
    "freq_shift",
]


def firfilter(b: ArrayLike, x: ArrayLike, axis: SupportsIndex = -1, zi: ArrayLike | None = None) -> ndarray:
    """Filter along an axis by a finite response.

    Parameters
    ----------
    b : (N,) array_like
        The filter.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    zi : array_like, optional
        The state before the first sample.

    Returns
    -------
    ndarray or tuple of ndarray
        The filtered signal; with `zi` also the state after the last sample.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.firfilter(cp.array([0.5, 0.5]), cp.array([1.0, 3.0, 5.0]))
    array([0.5, 2. , 4. ])
    """
    result: ndarray = lfilter(b, cp.ones(1), x, axis, zi)
    return result


def firfilter_zi(b: ArrayLike) -> ndarray:
    """Return the state in which a finite response answers a step with a constant.

    Parameters
    ----------
    b : (N,) array_like
        The filter.

    Returns
    -------
    ndarray
        The state.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.firfilter_zi(cp.array([0.5, 0.25, 0.25]))
    array([0.5 , 0.25])
    """
    b = cp.asarray(b)
    return lfilter_zi(b, cp.ones(1, b.dtype if b.dtype.kind in "fc" else None))


def firfilter2(
    b: ArrayLike,
    x: ArrayLike,
    axis: SupportsIndex = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: int | None = None,
) -> ndarray:
    """Filter forwards and backwards by a finite response, so that no phase is shifted.

    Parameters
    ----------
    b : (N,) array_like
        The filter.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    padtype : {"odd", "even", "constant", None}, optional
        How the signal is extended at both ends.
    padlen : int, optional
        By how much; three times the length of the filter by default.
    method : {"pad", "gust"}, optional
        Extend the signal, or choose the states at both ends.
    irlen : int, optional
        The length of the impulse response, for "gust".

    Returns
    -------
    ndarray
        The filtered signal.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.firfilter2(cp.array([0.5, 0.5]), cp.ones(8)).round(6)[:3]
    array([1., 1., 1.])
    """
    return filtfilt(b, cp.ones(1), x, axis, padtype, padlen, method, irlen).copy()


def freq_shift(x: ArrayLike, freq: float, fs: float) -> ndarray:
    """Move the spectrum of a signal.

    Parameters
    ----------
    x : (N,) array_like
        The signal.
    freq : float
        By how much, down.
    fs : float
        The sampling frequency.

    Returns
    -------
    ndarray of complex128
        The signal.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.freq_shift(cp.ones(4), 1.0, 4.0).round(6).imag
    array([ 0., -1., -0.,  1.])
    """
    x = cp.asarray(x)
    places = cp.arange(x.size).reshape(x.shape)
    return x * cp.exp(-2j * math.pi * freq / fs * places)


def channelize_poly(x: ArrayLike, h: ArrayLike, n_chans: int) -> ndarray:
    """Split a signal into channels of equal width.

    Parameters
    ----------
    x : (N,) array_like
        The signal.
    h : (K,) array_like
        The filter, of which every channel has its share.
    n_chans : int
        The number of channels.

    Returns
    -------
    (n_chans, N // n_chans) ndarray
        The channels, complex.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.channelize_poly(cp.ones(8), cp.array([0.5, 0.5]), 2).real
    array([[1., 1., 1., 1.],
           [0., 0., 0., 0.]])
    """
    x, h = cp.asarray(x), cp.asarray(h)
    dtype = np.dtype(cp.result_type(x, h))
    if dtype.char not in "fdFD":
        raise NotImplementedError(f"channelize_poly: Data type ({dtype}) not allowed.")
    taps, points = h.size // n_chans, x.size // n_chans
    # Row `t` of the filter meets the samples `t` rows back, the last sample of a row in the first channel.
    weights = h[: taps * n_chans].reshape(taps, n_chans).conj()
    rows = x[: points * n_chans].reshape(points, n_chans)[:, ::-1].conj()
    out = cp.zeros((points, n_chans), np.complex64 if dtype.char in "fF" else np.complex128)
    for tap in range(min(taps, points)):
        out[tap:] += weights[tap] * rows[: points - tap]
    return cp.fft.fft(out).conj().T


def _higher_order(op: str, in1: Any, in2: Any, order: Any, mode: Any, method: Any) -> Any:
    in1, in2 = cp.asarray(in1), cp.asarray(in2)
    if in1.ndim != 1:
        raise ValueError(f"{op}: in1 should have one dimension, got {in1.ndim}")
    if in2.ndim != order:
        raise ValueError(f"{op}: in2 should have {order} dimensions, got {in2.ndim}")
    if mode != "valid":
        raise NotImplementedError(f"{op}: Mode == {mode} not implemented")
    if method != "direct":
        raise NotImplementedError(f"{op}: Only Direct method implemented")
    count = in1.size - max(in2.shape) + 1
    if count < 1:
        raise ValueError(f"{op}: in2 of shape {in2.shape} is longer than in1 of size {in1.size}")
    dtype = cp.result_type(in1, in2)
    windows = [
        cp.lib.stride_tricks.sliding_window_view(in1.astype(dtype, copy=False), size)[:count, ::-1]
        for size in in2.shape
    ]
    letters = "xyz"[:order]
    terms = ",".join(f"i{letter}" for letter in letters)
    return cp.einsum(f"{terms},{letters}->i", *windows, in2.astype(dtype, copy=False))


def convolve1d2o(in1: ArrayLike, in2: ArrayLike, mode: str = "valid", method: str = "direct") -> ndarray:
    """Return the convolution of a signal with a filter of second order: sums over products of two samples.

    Parameters
    ----------
    in1 : (N,) array_like
        The signal.
    in2 : (W, H) array_like
        The filter.
    mode : {"valid"}, optional
        Which positions: those at which the filter lies wholly inside.
    method : {"direct"}, optional
        By sums of products.

    Returns
    -------
    (N - max(W, H) + 1,) ndarray
        The convolution.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.convolve1d2o(cp.array([1.0, 2.0, 3.0]), cp.eye(2))
    array([ 5., 13.])
    """
    result: ndarray = _higher_order("convolve1d2o", in1, in2, 2, mode, method)
    return result


def convolve1d3o(in1: ArrayLike, in2: ArrayLike, mode: str = "valid", method: str = "direct") -> ndarray:
    """Return the convolution of a signal with a filter of third order: sums over products of three samples.

    Parameters
    ----------
    in1 : (N,) array_like
        The signal.
    in2 : (W, H, D) array_like
        The filter.
    mode : {"valid"}, optional
        Which positions: those at which the filter lies wholly inside.
    method : {"direct"}, optional
        By sums of products.

    Returns
    -------
    (N - max(W, H, D) + 1,) ndarray
        The convolution.

    Examples
    --------
    >>> from cuprum.compat.cupyx import signal
    >>> signal.convolve1d3o(cp.array([1.0, 2.0, 3.0]), cp.ones((1, 1, 1)))
    array([ 1.,  8., 27.])
    """
    result: ndarray = _higher_order("convolve1d3o", in1, in2, 3, mode, method)
    return result

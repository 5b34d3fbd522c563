"""Spectra of signals: periodograms and their averages."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._smoothing import detrend as _detrend
from .windows import get_window

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "coherence",
    "csd",
    "lombscargle",
    "periodogram",
    "vectorstrength",
    "welch",
]


def segment_window(op: str, window: Any, nperseg: Any, length: int) -> tuple[ndarray, int]:
    """Return the window of a segment and its length: 256 by default, or that of a given window."""
    if nperseg is not None:
        nperseg = int(nperseg)
        if nperseg < 1:
            raise ValueError(f"{op}: nperseg must be a positive integer")
    if isinstance(window, (str, tuple)):
        nperseg = 256 if nperseg is None else nperseg
        if nperseg > length:
            warnings.warn(
                f"nperseg = {nperseg:d} is greater than input length  = {length:d}, using nperseg = "
                f"{length:d}",
                stacklevel=4,
            )
            nperseg = length
        return get_window(window, nperseg), nperseg
    taper = as_array(window)
    if taper.ndim != 1:
        raise ValueError(f"{op}: window must be 1-D")
    if length < taper.size:
        raise ValueError(f"{op}: window is longer than input signal")
    if nperseg is not None and nperseg != taper.size:
        raise ValueError(f"{op}: value specified for nperseg is different from length of window")
    return taper, taper.size


def checked_overlap(op: str, nperseg: int, noverlap: Any, nfft: Any) -> tuple[int, int]:
    """Return the overlap of segments and the length of their transforms."""
    nfft = nperseg if nfft is None else int(nfft)
    if nfft < nperseg:
        raise ValueError(f"{op}: nfft must be greater than or equal to nperseg.")
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(f"{op}: noverlap must be less than nperseg.")
    return noverlap, nfft


def segments(x: ndarray, nperseg: int, step: int) -> ndarray:
    """Return the segments of a signal along its last axis, as views of it: shape (..., segments, nperseg)."""
    windows = cp.lib.stride_tricks.sliding_window_view(x, nperseg, axis=-1)
    return windows[..., ::step, :]


def _without_trend(parts: ndarray, detrend: Any, axis: int) -> ndarray:
    if not detrend:
        return parts
    if callable(detrend):
        return cp.moveaxis(detrend(cp.moveaxis(parts, -1, axis)), axis, -1) if axis != -1 else detrend(parts)
    return _detrend(parts, type=detrend, axis=-1)


class Transforms:
    """How the segments of signals are transformed and scaled."""

    def __init__(
        self,
        op: str,
        fs: float,
        taper: ndarray,
        noverlap: int,
        nfft: int,
        detrend: Any,
        onesided: bool,
        scaling: str,
        axis: int,
    ) -> None:
        self.taper, self.step, self.nfft = taper, taper.size - noverlap, nfft
        self.detrend, self.onesided, self.axis = detrend, onesided, axis
        if scaling == "density":
            self.scale: Any = 1.0 / (fs * (taper * taper).sum())
        elif scaling == "spectrum":
            self.scale = 1.0 / taper.sum() ** 2
        else:
            raise ValueError(f"{op}: Unknown scaling: {scaling!r}")
        frequencies = fft.rfftfreq if onesided else fft.fftfreq
        self.frequencies = frequencies(nfft, 1 / fs)

    def of(self, x: ndarray) -> ndarray:
        """Return the transforms of the segments of a signal: shape (..., segments, frequencies)."""
        parts = _without_trend(segments(x, self.taper.size, self.step), self.detrend, self.axis)
        parts = self.taper * parts
        return fft.rfft(parts, self.nfft) if self.onesided else fft.fft(parts, self.nfft)

    def doubled(self, power: ndarray) -> ndarray:
        """Return powers that include those of negative frequencies, if only the others were computed."""
        if self.onesided:
            power[..., 1 : None if self.nfft % 2 else -1] *= 2
        return power


def complex_dtype(*arrays: ndarray) -> np.dtype:
    result: np.dtype[Any] = np.dtype(cp.result_type(*arrays, np.complex64))
    return result


def _median_bias(n: int) -> float:
    """Return the ratio of the median to the mean of averages of exponential numbers."""
    even = 2 * np.arange(1.0, (n - 1) // 2 + 1)
    return 1 + float(np.sum(1.0 / (even + 1) - 1.0 / even))


@names_itself
def csd(
    x: ArrayLike,
    y: ArrayLike,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: SupportsIndex = -1,
    average: str = "mean",
) -> tuple[ndarray, ndarray]:
    """Return the cross power spectrum of two signals, averaged over segments (Welch).

    Parameters
    ----------
    x, y : array_like
        The signals; the shorter one is continued by zeros.
    fs : float, optional
        The sampling frequency.
    window : str, tuple or array_like, optional
        The window of a segment.
    nperseg, noverlap, nfft : int, optional
        The length of a segment, how much two of them share, and the length of the transforms.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken away from each segment.
    return_onesided : bool, optional
        Return positive frequencies only, for real signals.
    scaling : {"density", "spectrum"}, optional
        Power for each frequency unit, or power.
    axis : int, optional
        The axis along which signals run.
    average : {"mean", "median"}, optional
        How segments are averaged.

    Returns
    -------
    f, Pxy : ndarray
        The frequencies and the spectrum.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> x = cp.cos(2 * cp.pi * cp.arange(64) / 8)
    >>> f, power = signal.csd(x, x, nperseg=16)
    >>> int(power.real.argmax())
    2
    """
    op, same = "csd", y is x
    x = as_array(x)
    y = x if same else as_array(y)
    axis = int(axis)
    place = normalize_axis(op, axis, x.ndim)
    others = [tuple(np.delete(a.shape, normalize_axis(op, axis, a.ndim))) for a in (x, y)]
    try:
        outer = np.broadcast_shapes(*others)
    except ValueError:
        raise ValueError(f"{op}: x and y cannot be broadcast together.") from None
    if x.size == 0 or y.size == 0:
        shape = (*(int(n) for n in outer), min(x.shape[axis], y.shape[axis]))
        empty = cp.moveaxis(cp.empty(shape), -1, axis)
        return empty, empty
    dtype = complex_dtype(x, y)
    x, y = cp.moveaxis(x, axis, -1), cp.moveaxis(y, axis, -1)
    n = max(x.shape[-1], y.shape[-1])
    if not isinstance(window, (str, tuple)) and nperseg is not None and int(nperseg) != len(window):
        raise ValueError(f"{op}: nperseg={nperseg} does not equal len(win)={len(window)}")
    taper, nperseg = segment_window(op, window, nperseg, n)
    noverlap, nfft = checked_overlap(op, nperseg, noverlap, nfft)
    onesided = bool(return_onesided) and x.dtype.kind != "c" and y.dtype.kind != "c"

    def padded(a: ndarray) -> ndarray:
        if a.shape[-1] == n:
            return a
        return cp.concatenate((a, cp.zeros((*a.shape[:-1], n - a.shape[-1]), a.dtype)), -1)

    transforms = Transforms(op, fs, taper, noverlap, nfft, detrend, onesided, scaling, axis)
    first = transforms.of(padded(x))
    power = first.conj() * (first if same else transforms.of(padded(y)))
    power = transforms.doubled(power * transforms.scale)
    count = power.shape[-2]
    if count == 1:
        power = power[..., 0, :]
    elif average == "mean":
        power = power.mean(axis=-2)
    elif average == "median":
        middle = cp.median(power.real, axis=-2)
        if not same:
            middle = middle + 1j * cp.median(power.imag, axis=-2)
        power = middle / _median_bias(count)
    else:
        raise ValueError(f"{op}: Parameter average={average!r} must be 'median' or 'mean'!")
    power = power.astype(dtype)
    return transforms.frequencies, cp.moveaxis(power.real if same else power, -1, place)


@names_itself
def welch(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: SupportsIndex = -1,
    average: str = "mean",
) -> tuple[ndarray, ndarray]:
    """Return the power spectrum of a signal, averaged over segments (Welch).

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        The sampling frequency.
    window : str, tuple or array_like, optional
        The window of a segment.
    nperseg, noverlap, nfft : int, optional
        The length of a segment, how much two of them share, and the length of the transforms.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken away from each segment.
    return_onesided : bool, optional
        Return positive frequencies only, for real signals.
    scaling : {"density", "spectrum"}, optional
        Power for each frequency unit, or power.
    axis : int, optional
        The axis along which the signal runs.
    average : {"mean", "median"}, optional
        How segments are averaged.

    Returns
    -------
    f, Pxx : ndarray
        The frequencies and the spectrum.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> f, power = signal.welch(cp.cos(2 * cp.pi * cp.arange(64) / 8), nperseg=16)
    >>> float(f[power.argmax()])
    0.125
    """
    x = as_array(x)
    return csd(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@names_itself
def periodogram(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = "boxcar",
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: SupportsIndex = -1,
) -> tuple[ndarray, ndarray]:
    """Return the power spectrum of a signal, of all of it at once.

    Parameters
    ----------
    x : array_like
        The signal.
    fs : float, optional
        The sampling frequency.
    window : str, tuple or array_like, optional
        The window.
    nfft : int, optional
        The length of the transform.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken away before.
    return_onesided : bool, optional
        Return positive frequencies only, for real signals.
    scaling : {"density", "spectrum"}, optional
        Power for each frequency unit, or power.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    f, Pxx : ndarray
        The frequencies and the spectrum.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> f, power = signal.periodogram(cp.cos(2 * cp.pi * cp.arange(16) / 8))
    >>> float(f[power.argmax()])
    0.125
    """
    x = as_array(x)
    if x.size == 0:
        return cp.empty(x.shape), cp.empty(x.shape)
    window = "boxcar" if window is None else window
    axis = normalize_axis("periodogram", axis, x.ndim) - x.ndim
    nperseg = x.shape[axis]
    if nfft is not None and nfft < nperseg:
        x = cp.moveaxis(cp.moveaxis(x, axis, -1)[..., :nfft], -1, axis)
        nperseg, nfft = nfft, None
    if hasattr(window, "size") and window.size != nperseg:
        raise ValueError(
            "periodogram: the size of the window must be the same size of the input on the specified axis"
        )
    return welch(x, fs, window, nperseg, 0, nfft, detrend, return_onesided, scaling, axis)


@names_itself
def coherence(
    x: ArrayLike,
    y: ArrayLike,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    axis: SupportsIndex = -1,
) -> tuple[ndarray, ndarray]:
    """Return how much two signals have in common at each frequency.

    Parameters
    ----------
    x, y : array_like
        The signals.
    fs : float, optional
        The sampling frequency.
    window : str, tuple or array_like, optional
        The window of a segment.
    nperseg, noverlap, nfft : int, optional
        The length of a segment, how much two of them share, and the length of the transforms.
    detrend : {"constant", "linear", False} or callable, optional
        What is taken away from each segment.
    axis : int, optional
        The axis along which signals run.

    Returns
    -------
    f, Cxy : ndarray
        The frequencies and the coherence, from 0 to 1.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> x = cp.cos(cp.arange(64.0) ** 2)
    >>> signal.coherence(x, 2 * x, nperseg=8)[1].round(6)
    array([1., 1., 1., 1., 1.])
    """
    options = (fs, window, nperseg, noverlap, nfft, detrend)
    f, own = welch(x, *options, axis=axis)
    _, other = welch(y, *options, axis=axis)
    _, both = csd(x, y, *options, axis=axis)
    return f, cp.abs(both) ** 2 / own / other


@names_itself
def lombscargle(
    x: ArrayLike,
    y: ArrayLike,
    freqs: ArrayLike,
    precenter: bool = False,
    normalize: Any = False,
    *,
    weights: ArrayLike | None = None,
    floating_mean: bool = False,
) -> ndarray:
    """Return the periodogram of samples at any times (Lomb and Scargle).

    Parameters
    ----------
    x, y : (N,) array_like
        The times and the samples.
    freqs : (M,) array_like
        The angular frequencies.
    precenter : bool, optional
        Take the mean of the samples away before.
    normalize : bool or {"power", "normalize", "amplitude"}, optional
        Power, power relative to that of the samples, or complex amplitudes.
    weights : (N,) array_like, optional
        How much each sample counts.
    floating_mean : bool, optional
        Fit a constant at each frequency too.

    Returns
    -------
    (M,) ndarray
        The periodogram.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> t = cp.array([0.0, 0.7, 1.1, 2.9, 3.3, 4.8])
    >>> w = cp.array([1.0, 2.0, 3.0])
    >>> int(signal.lombscargle(t, cp.cos(2 * t), w).argmax())
    1
    """
    op = "lombscargle"
    x, y, freqs = (as_array(a).astype(np.float64) for a in (x, y, freqs))
    w = cp.ones_like(y) if weights is None else as_array(weights).astype(np.float64)
    if not (x.ndim == 1 and x.size > 0 and x.shape == y.shape == w.shape):
        raise ValueError(f"{op}: Parameters x, y, weights must be 1-D arrays of equal non-zero length!")
    if not (freqs.ndim == 1 and freqs.size > 0):
        raise ValueError(f"{op}: Parameter freqs must be a 1-D array of non-zero length!")
    if weights is not None and not (bool((w >= 0).all()) and bool(w.sum() > 0)):
        raise ValueError(
            f"{op}: Parameter weights must have only non-negative entries which sum to a positive value!"
        )
    if isinstance(normalize, (bool, np.bool_)):
        normalize = "normalize" if normalize else "power"
    if normalize not in ("power", "normalize", "amplitude"):
        raise ValueError(
            f"{op}: Normalize must be: False (or 'power'), True (or 'normalize'), or 'amplitude'."
        )
    w = w / w.sum()
    if precenter:
        y = y - y.mean()
    wy, mean = w * y, (w * y).sum()
    # Angles of all times and frequencies: sums over times are products with the weights.
    angle = freqs[:, cp.newaxis] * x
    cosine, sine = cp.cos(angle), cp.sin(angle)
    cc, cs = (cosine * cosine) @ w, (cosine * sine) @ w
    ss = 1.0 - cc
    if floating_mean:
        c, s = cosine @ w, sine @ w
        cc, ss, cs = cc - c * c, ss - s * s, cs - c * s
    tau = 0.5 * cp.arctan2(2.0 * cs, cc - ss)
    angle = angle - tau[:, cp.newaxis]
    cosine, sine = cp.cos(angle), cp.sin(angle)
    yc, ys, cc = cosine @ wy, sine @ wy, (cosine * cosine) @ w
    ss = 1.0 - cc
    if floating_mean:
        c, s = cosine @ w, sine @ w
        yc, ys, cc, ss = yc - mean * c, ys - mean * s, cc - c * c, ss - s * s
    tiny = np.finfo(np.float64).epsneg
    a, b = yc / cp.maximum(cc, tiny), ys / cp.maximum(ss, tiny)
    if normalize == "amplitude":
        return (a + 1j * b) * cp.exp(1j * tau)
    power = 2.0 * (a * yc + b * ys)
    if normalize == "power":
        return power * (x.size / 4.0)
    total = (wy * y).sum()
    return power * (0.5 / (total - mean * mean if floating_mean else total))


@names_itself
def vectorstrength(events: ArrayLike, period: Any) -> tuple[ndarray, ndarray]:
    """Return how well events keep to a period, and at which phase.

    Parameters
    ----------
    events : (N,) array_like
        The times of the events.
    period : float or (M,) array_like
        The period, or several.

    Returns
    -------
    strength, phase : ndarray
        The strength, from 0 to 1, and the phase in radians.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> strength, phase = signal.vectorstrength(cp.array([0.1, 1.1, 2.1]), 1.0)
    >>> float(strength.round(6))
    1.0
    """
    events, period = as_array(events), as_array(period)
    for name, values in (("events", events), ("period", period)):
        if values.ndim > 1:
            raise ValueError(f"vectorstrength: {name} cannot have dimensions more than 1")
    if period.dtype.kind in "bui":
        period = period.astype(np.float64)
    if bool((period <= 0).any()):
        raise ValueError("vectorstrength: periods must be positive")
    angles = 2j * (math.pi / period[..., cp.newaxis] * events.reshape(-1).astype(period.dtype))
    mean = cp.exp(angles).mean(axis=-1)
    return cp.abs(mean), cp.angle(mean)

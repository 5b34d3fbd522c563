"""Spectra of short stretches of time, and signals from them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ._extensions import extended
from ._spectral import Transforms, checked_overlap, complex_dtype, segment_window
from .windows import get_window

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["check_COLA", "check_NOLA", "istft", "spectrogram", "stft"]


def _short_time(
    op: str,
    x: Any,
    fs: float,
    window: Any,
    nperseg: Any,
    noverlap: Any,
    nfft: Any,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    power: bool,
    boundary: str | None = None,
    padded: bool = False,
) -> tuple[ndarray, ndarray, ndarray]:
    """Return frequencies, times and the transforms or powers of segments, frequencies in place of `axis`."""
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(
            f"{op}: Unknown boundary option '{boundary}', must be one of: even, odd, constant, zeros, None"
        )
    x, axis = as_array(x), int(axis)
    if x.size == 0:
        return cp.empty(x.shape), cp.empty(x.shape), cp.empty(x.shape)
    dtype = complex_dtype(x)
    x = cp.moveaxis(x, axis, -1)
    taper, nperseg = segment_window(op, window, nperseg, x.shape[-1])
    noverlap, nfft = checked_overlap(op, nperseg, noverlap, nfft)
    step = nperseg - noverlap
    if boundary is not None:
        x = extended(op, boundary, x, nperseg // 2, x.ndim - 1)
    if padded:
        more = (-(x.shape[-1] - nperseg) % step) % nperseg
        x = cp.concatenate((x, cp.zeros((*x.shape[:-1], more), x.dtype)), -1)
    onesided = bool(return_onesided)
    if onesided and x.dtype.kind == "c":
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=4)
        onesided = False
    transforms = Transforms(op, fs, taper, noverlap, nfft, detrend, onesided, scaling, axis)
    result = transforms.of(x)
    if power:
        result = transforms.doubled((result.conj() * result).real * transforms.scale)
        result = result.astype(np.float32 if dtype == np.complex64 else np.float64, copy=False)
    else:
        result = (result * cp.sqrt(transforms.scale)).astype(dtype, copy=False)
    times = cp.arange(nperseg / 2, x.shape[-1] - nperseg / 2 + 1, step) / float(fs)
    if boundary is not None:
        times = times - nperseg / 2 / fs
    return transforms.frequencies, times, cp.moveaxis(result, -1, axis - 1 if axis < 0 else axis)


@names_itself
def spectrogram(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = ("tukey", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the spectra of short stretches of a signal.

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
    mode : {"psd", "complex", "magnitude", "angle", "phase"}, optional
        What is returned of each segment.

    Returns
    -------
    f, t, Sxx : ndarray
        The frequencies, the times and the spectra, times along the last axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> f, t, power = signal.spectrogram(cp.cos(cp.arange(64.0)), nperseg=16)
    >>> power.shape
    (9, 4)
    """
    modes = ("psd", "complex", "magnitude", "angle", "phase")
    if mode not in modes:
        raise ValueError(f"spectrogram: unknown value for mode {mode}, must be one of {list(modes)}")
    x = as_array(x)
    taper, nperseg = segment_window("spectrogram", window, nperseg, x.shape[axis])
    noverlap = nperseg // 8 if noverlap is None else noverlap
    f, t, result = _short_time(
        *("spectrogram", x, fs, taper, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis),
        power=mode == "psd",
    )
    if mode == "magnitude":
        result = cp.abs(result)
    elif mode in ("angle", "phase"):
        result = cp.angle(result)
        if mode == "phase":
            result = cp.unwrap(result, axis=axis - 1 if axis < 0 else axis)
    return f, t, result


@names_itself
def stft(
    x: ArrayLike,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the Fourier transforms of short stretches of a signal.

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
    boundary : {"even", "odd", "constant", "zeros", None}, optional
        How the signal is extended at both ends.
    padded : bool, optional
        Continue it by zeros to a whole number of segments.
    axis : int, optional
        The axis along which the signal runs.
    scaling : {"spectrum", "psd"}, optional
        Whether the squares are power or power for each frequency unit.

    Returns
    -------
    f, t, Zxx : ndarray
        The frequencies, the times and the transforms, times along the last axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> f, t, z = signal.stft(cp.cos(cp.arange(64.0)), nperseg=16)
    >>> z.shape
    (9, 9)
    """
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"stft: Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    kind = "density" if scaling == "psd" else "spectrum"
    return _short_time(
        *("stft", x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, kind, axis),
        power=False,
        boundary=boundary,
        padded=padded,
    )


def overlap_add(parts: ndarray, step: int) -> ndarray:
    """Return the sum of segments, along the last axis, that begin `step` apart along the one before it."""
    count, length = parts.shape[-2:]
    apart = -(-length // step)
    total = length + (count - 1) * step
    result = cp.zeros((*parts.shape[:-2], total + 2 * apart * step), parts.dtype)
    for first in range(min(apart, count)):
        # Every so many segments do not touch each other.
        chosen = parts[..., first::apart, :]
        n = chosen.shape[-2]
        padded = cp.zeros((*parts.shape[:-2], n, apart * step), parts.dtype)
        padded[..., :length] = chosen
        flat = padded.reshape((*parts.shape[:-2], n * apart * step))
        result[..., first * step : first * step + n * apart * step] += flat
    return result[..., :total]


@names_itself
def istft(
    Zxx: ArrayLike,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[ndarray, ndarray]:
    """Return the signal whose short stretches have given Fourier transforms.

    Parameters
    ----------
    Zxx : array_like
        The transforms.
    fs : float, optional
        The sampling frequency.
    window : str, tuple or array_like, optional
        The window of a segment.
    nperseg, noverlap, nfft : int, optional
        The length of a segment, how much two of them share, and the length of the transforms.
    input_onesided : bool, optional
        Whether only positive frequencies are there.
    boundary : bool, optional
        Whether the signal was extended at both ends.
    time_axis, freq_axis : int, optional
        The axes of times and frequencies.
    scaling : {"spectrum", "psd"}, optional
        The scaling of the transforms.

    Returns
    -------
    t, x : ndarray
        The times and the signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> x = cp.cos(cp.arange(32.0))
    >>> y = signal.istft(signal.stft(x, nperseg=8)[2])[1]
    >>> bool(cp.allclose(x, y))
    True
    """
    op = "istft"
    Zxx = as_array(Zxx) + 0j
    if Zxx.ndim < 2:
        raise ValueError(f"{op}: Input stft must be at least 2d!")
    freq_axis, time_axis = int(freq_axis), int(time_axis)
    if freq_axis == time_axis:
        raise ValueError(f"{op}: Must specify differing time and frequency axes!")
    bins = Zxx.shape[freq_axis]
    usual = 2 * (bins - 1) if input_onesided else bins
    nperseg = usual if nperseg is None else int(nperseg)
    if nperseg < 1:
        raise ValueError(f"{op}: nperseg must be a positive integer")
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == usual + 1 else usual
    elif nfft < nperseg:
        raise ValueError(f"{op}: nfft must be greater than or equal to nperseg.")
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(f"{op}: noverlap must be less than nperseg.")
    step = nperseg - noverlap
    place = normalize_axis(op, time_axis, Zxx.ndim)
    before = normalize_axis(op, freq_axis, Zxx.ndim) < place
    Zxx = cp.moveaxis(Zxx, (time_axis, freq_axis), (-2, -1))
    if isinstance(window, (str, tuple)):
        taper = get_window(window, nperseg)
    else:
        taper = as_array(window)
        if taper.ndim != 1:
            raise ValueError(f"{op}: window must be 1-D")
        if taper.size != nperseg:
            raise ValueError(f"{op}: window must have length of {nperseg}")
    parts = (fft.irfft(Zxx, int(nfft)) if input_onesided else fft.ifft(Zxx, int(nfft)))[..., :nperseg]
    taper = taper.astype(parts.real.dtype, copy=False) if taper.dtype.kind != "c" else taper
    if scaling == "spectrum":
        parts = parts * taper.sum()
    elif scaling == "psd":
        parts = parts * cp.sqrt(fs * (taper**2).sum())
    else:
        raise ValueError(f"{op}: Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    x = overlap_add(parts * taper, step)
    norm = overlap_add(cp.broadcast_to(taper**2, (parts.shape[-2], nperseg)), step)
    if boundary and nperseg > 1:
        x, norm = (a[..., nperseg // 2 : a.shape[-1] - nperseg // 2] for a in (x, norm))
    if not bool((norm > 1e-10).all()):
        warnings.warn(
            "NOLA condition failed, STFT may not be invertible."
            + ("" if boundary else " Possibly due to missing boundary"),
            stacklevel=3,
        )
    x = x / cp.where(norm > 1e-10, norm, 1.0)
    x = cp.moveaxis(x.real if input_onesided else x, -1, place - before)
    return cp.arange(x.shape[0]) / float(fs), x


def _bin_sums(op: str, window: Any, nperseg: Any, noverlap: Any, power: int) -> ndarray:
    nperseg = int(nperseg)
    if nperseg < 1:
        raise ValueError(f"{op}: nperseg must be a positive integer")
    if noverlap >= nperseg:
        raise ValueError(f"{op}: noverlap must be less than nperseg.")
    if noverlap < 0 and power == 2:
        raise ValueError(f"{op}: noverlap must be a nonnegative integer")
    if isinstance(window, (str, tuple)):
        taper = get_window(window, nperseg)
    else:
        taper = as_array(window)
        if taper.ndim != 1:
            raise ValueError(f"{op}: window must be 1-D")
        if taper.size != nperseg:
            raise ValueError(f"{op}: window must have length of nperseg")
    step = nperseg - int(noverlap)
    taper = taper**power
    whole = nperseg // step * step
    sums = taper[:whole].reshape(-1, step).sum(axis=0)
    if whole < nperseg:
        sums[: nperseg - whole] += taper[whole:]
    return sums


@names_itself
def check_COLA(window: Any, nperseg: int, noverlap: int, tol: float = 1e-10) -> bool:
    """Return whether overlapping windows add up to a constant.

    Parameters
    ----------
    window : str, tuple or array_like
        The window.
    nperseg, noverlap : int
        The length of a segment, and how much two of them share.
    tol : float, optional
        By how much the sums may differ.

    Returns
    -------
    bool
        Whether they do.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.check_COLA("hann", 120, 60)
    True
    """
    sums = _bin_sums("check_COLA", window, nperseg, noverlap, 1)
    return bool(cp.abs(sums - cp.median(sums)).max() < tol)


@names_itself
def check_NOLA(window: Any, nperseg: int, noverlap: int, tol: float = 1e-10) -> bool:
    """Return whether the squares of overlapping windows add up to more than zero everywhere.

    Parameters
    ----------
    window : str, tuple or array_like
        The window.
    nperseg, noverlap : int
        The length of a segment, and how much two of them share.
    tol : float, optional
        What counts as zero.

    Returns
    -------
    bool
        Whether they do: then `istft` can undo `stft`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.check_NOLA("boxcar", 64, 1)
    True
    """
    return bool(_bin_sums("check_NOLA", window, nperseg, noverlap, 2).min() > tol)

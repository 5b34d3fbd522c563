"""Design of filters of finite response."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array
from ..._core import ndarray
from ._band_transforms import optional_fs
from ._filter_forms import floating, host_spec
from .windows import get_window

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "firls",
    "firwin",
    "firwin2",
    "firwin_2d",
    "kaiser_atten",
    "kaiser_beta",
    "kaiserord",
    "minimum_phase",
    "qmf",
]


def kaiser_beta(a: float) -> float:
    """Return the beta of the Kaiser window that reaches an attenuation.

    Parameters
    ----------
    a : float
        The attenuation of the stopband, in decibels.

    Returns
    -------
    float
        The parameter of the window.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> round(signal.kaiser_beta(65), 6)
    6.20426
    """
    if a > 50:
        return 0.1102 * (a - 8.7)
    return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0


def kaiser_atten(numtaps: int, width: float) -> float:
    """Return the attenuation of a filter made with a Kaiser window.

    Parameters
    ----------
    numtaps : int
        The length of the filter.
    width : float
        The width of the transition, as a fraction of half the sampling frequency.

    Returns
    -------
    float
        The attenuation, in decibels.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> round(signal.kaiser_atten(211, 0.03), 3)
    53.175
    """
    return 2.285 * (numtaps - 1) * math.pi * width + 7.95


def kaiserord(ripple: float, width: float) -> tuple[int, float]:
    """Return the length and the beta of a filter made with a Kaiser window.

    Parameters
    ----------
    ripple : float
        The attenuation, in decibels.
    width : float
        The width of the transition, as a fraction of half the sampling frequency.

    Returns
    -------
    numtaps : int
        The length.
    beta : float
        The parameter of the window.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.kaiserord(65, 0.1)[0]
    81
    """
    attenuation = abs(ripple)
    if attenuation < 8:
        raise ValueError(
            f"kaiserord: Requested maximum ripple attenuation {attenuation:f} is too small for the "
            "Kaiser formula."
        )
    taps = (attenuation - 7.95) / 2.285 / (math.pi * width) + 1
    return math.ceil(taps), kaiser_beta(attenuation)


_PASS_ZERO = {"lowpass": True, "bandstop": True, "highpass": False, "bandpass": False}


def firwin(
    numtaps: int,
    cutoff: Any,
    width: float | None = None,
    window: Any = "hamming",
    pass_zero: Any = True,
    scale: bool = True,
    fs: float | None = None,
) -> ndarray:
    """Design a filter by windowing the response of ideal bands.

    Parameters
    ----------
    numtaps : int
        The length.
    cutoff : float or (N,) array_like
        The edges of the bands, rising.
    width : float, optional
        The width of the transitions: chooses a Kaiser window.
    window : str, float or tuple, optional
        The window, as `get_window` takes it.
    pass_zero : bool or {"lowpass", "highpass", "bandpass", "bandstop"}, optional
        Whether frequency zero passes.
    scale : bool, optional
        Scale the response in the middle of the first passband to one.
    fs : float, optional
        The sampling frequency, 2 by default.

    Returns
    -------
    ndarray
        The filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.firwin(3, 0.1).round(6)
    array([0.06799, 0.86402, 0.06799])
    """
    fs = optional_fs("firwin", fs)
    half = 0.5 * (2 if fs is None else fs)
    edges = np.atleast_1d(host_spec(cutoff)) / half
    if edges.ndim > 1:
        raise ValueError("firwin: The cutoff argument must be at most one-dimensional.")
    if edges.size == 0:
        raise ValueError("firwin: At least one cutoff frequency must be given.")
    if edges.min() <= 0 or edges.max() >= 1:
        raise ValueError(
            "firwin: Invalid cutoff frequency: frequencies must be greater than 0 and less than fs/2."
        )
    if np.any(np.diff(edges) <= 0):
        raise ValueError("firwin: Invalid cutoff frequencies: the frequencies must be strictly increasing.")
    if width is not None:
        window = ("kaiser", kaiser_beta(kaiser_atten(numtaps, float(width) / half)))
    if isinstance(pass_zero, str):
        if pass_zero not in _PASS_ZERO:
            raise ValueError(
                f"firwin: pass_zero must be a bool or one of {list(_PASS_ZERO)}, got {pass_zero!r}"
            )
        if (edges.size == 1) != (pass_zero in ("lowpass", "highpass")):
            raise ValueError(f'firwin: pass_zero=="{pass_zero}" does not fit cutoff of shape {edges.shape}')
        pass_zero = _PASS_ZERO[pass_zero]
    elif pass_zero not in (True, False):
        raise ValueError(f"firwin: pass_zero must be a bool or one of {list(_PASS_ZERO)}, got {pass_zero!r}")
    pass_end = (edges.size % 2 == 0) == bool(pass_zero)
    if pass_end and numtaps % 2 == 0:
        raise ValueError(
            "firwin: A filter with an even number of coefficients must have zero response at the "
            "Nyquist frequency."
        )
    bands = [0.0] * bool(pass_zero) + edges.tolist() + [1.0] * pass_end
    m = cp.arange(numtaps) - 0.5 * (numtaps - 1)
    h = cp.zeros(numtaps)
    for left, right in zip(bands[::2], bands[1::2], strict=True):
        h = h + right * cp.sinc(right * m) - left * cp.sinc(left * m)
    h = h * get_window(window, numtaps, fftbins=False)
    if scale:
        left, right = bands[:2]
        middle = 0.0 if left == 0 else 1.0 if right == 1 else 0.5 * (left + right)
        h = h / (h * cp.cos(math.pi * m * middle)).sum()
    return h


def firwin_2d(
    hsize: Any,
    window: Any,
    *,
    fc: Any = None,
    fs: float = 2,
    circular: bool = False,
    pass_zero: bool = True,
    scale: bool = True,
) -> ndarray:
    """Design a filter of two dimensions from those of one.

    Parameters
    ----------
    hsize : (int, int)
        The lengths.
    window : str, or two of them
        The window of a circular filter, or those of rows and columns.
    fc : float or array_like, optional
        The edges of the bands.
    fs : float, optional
        The sampling frequency.
    circular : bool, optional
        Whether the filter depends on the distance from the middle alone, or is a product.
    pass_zero, scale : bool, optional
        Taken for compatibility: SciPy does not look at them.

    Returns
    -------
    ndarray
        The filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.firwin_2d((3, 3), ("hamming", "hamming"), fc=0.5).round(4)[1]
    array([0.0419, 0.8237, 0.0419])
    """
    if len(hsize) != 2:
        raise ValueError("firwin_2d: hsize must be a 2-element tuple or list")
    if not circular:
        if len(window) != 2:
            raise ValueError("firwin_2d: window must be a 2-element tuple or list")
        rows, columns = (firwin(n, fc, window=w, fs=fs) for n, w in zip(hsize, window, strict=True))
        return cp.outer(rows, columns)
    if fc is None:
        raise ValueError("firwin_2d: Cutoff frequency `fc` must be provided when `circular` is True")
    n = 8 * max(hsize)
    line = firwin(n, fc, window=window, fs=fs)
    across, down = cp.meshgrid(cp.linspace(-1, 1, hsize[0]), cp.linspace(-1, 1, hsize[1]))
    return cp.interp(cp.sqrt(across**2 + down**2), cp.linspace(0, 1, n), line)


def _checked_curve(freq: np.ndarray, gain: np.ndarray, half: float, kind: int) -> np.ndarray:
    """Return rising frequencies for `firwin2`; one that comes twice is a step."""
    if freq.shape[0] != gain.shape[0]:
        raise ValueError("firwin2: freq and gain must be of same length.")
    if freq[0] != 0 or freq[-1] != half:
        raise ValueError("firwin2: freq must start with 0 and end with fs/2.")
    steps = np.diff(freq)
    if (steps < 0).any():
        raise ValueError("firwin2: The values in freq must be nondecreasing.")
    if (steps[:-1] + steps[1:] == 0).any():
        raise ValueError("firwin2: A value in freq must not occur more than twice.")
    if freq[1] == 0:
        raise ValueError("firwin2: Value 0 must not be repeated in freq")
    if freq[-2] == half:
        raise ValueError("firwin2: Value fs/2 must not be repeated in freq")
    if kind == 2 and gain[-1] != 0.0:
        raise ValueError("firwin2: A Type II filter must have zero gain at the Nyquist frequency.")
    if kind == 3 and (gain[0] != 0.0 or gain[-1] != 0.0):
        raise ValueError("firwin2: A Type III filter must have zero gain at zero and Nyquist frequencies.")
    if kind == 4 and gain[0] != 0.0:
        raise ValueError("firwin2: A Type IV filter must have zero gain at zero frequency.")
    if (steps == 0).any():
        tiny = np.finfo(float).eps * half
        freq = freq.copy()
        twice = np.flatnonzero(steps == 0)
        freq[twice] -= tiny
        freq[twice + 1] += tiny
        if (np.diff(freq) <= 0).any():
            raise ValueError(
                "firwin2: freq cannot contain numbers that are too close (within eps * (fs/2): "
                f"{tiny}) to a repeated value"
            )
    return freq


def firwin2(
    numtaps: int,
    freq: ArrayLike,
    gain: ArrayLike,
    nfreqs: int | None = None,
    window: Any = "hamming",
    nyq: Any = None,
    antisymmetric: bool = False,
    fs: float | None = None,
) -> ndarray:
    """Design a filter by windowing the response of straight lines between given gains.

    Parameters
    ----------
    numtaps : int
        The length.
    freq, gain : (N,) array_like
        Frequencies from 0 to ``fs / 2``, and the gains there; a frequency that comes twice is a step.
    nfreqs : int, optional
        How many frequencies are interpolated; by default a power of two plus one.
    window : str, float, tuple or None, optional
        The window, as `get_window` takes it.
    nyq : None
        Taken for compatibility; `fs` says it.
    antisymmetric : bool, optional
        Whether the filter is antisymmetric.
    fs : float, optional
        The sampling frequency, 2 by default.

    Returns
    -------
    ndarray
        The filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.firwin2(3, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]).round(6)
    array([0.017071, 0.75    , 0.017071])
    """
    fs = optional_fs("firwin2", fs)
    half = 0.5 * (2 if fs is None else fs)
    freq, gain = host_spec(freq), host_spec(gain)
    if nfreqs is not None and numtaps >= nfreqs:
        raise ValueError(
            f"firwin2: ntaps must be less than nfreqs, but firwin2 was called with ntaps={numtaps} and "
            f"nfreqs={nfreqs}"
        )
    kind = (4 if numtaps % 2 == 0 else 3) if antisymmetric else (2 if numtaps % 2 == 0 else 1)
    freq = _checked_curve(freq, gain, half, kind)
    if nfreqs is None:
        nfreqs = 1 + 2 ** math.ceil(math.log(numtaps, 2))
    x = cp.linspace(0.0, half, nfreqs)
    wanted = cp.interp(x, cp.asarray(freq), cp.asarray(gain))
    shift = cp.exp(-(numtaps - 1) / 2.0 * 1j * math.pi * x / half)
    taps = fft.irfft(wanted * (shift * 1j if kind > 2 else shift))[:numtaps]
    if window is not None:
        taps = taps * get_window(window, numtaps, fftbins=False)
    if kind == 3:
        taps[taps.size // 2] = 0.0
    return taps


def _checked_bands(op: str, bands: Any, desired: Any, weight: Any, half: float) -> tuple[Any, Any, Any]:
    edges: Any = host_spec(bands).ravel() / half
    if edges.size % 2 != 0:
        raise ValueError(f"{op}: bands must contain frequency pairs.")
    if (edges < 0).any() or (edges > 1).any():
        raise ValueError(f"{op}: bands must be between 0 and 1 relative to Nyquist")
    gains: Any = host_spec(desired).ravel()
    if edges.size != gains.size:
        raise ValueError(
            f"{op}: desired must have one entry per frequency, got {gains.size} gains for {edges.size} "
            "frequencies."
        )
    edges, gains = edges.reshape(-1, 2), gains.reshape(-1, 2)
    if (np.diff(edges) <= 0).any() or (np.diff(edges[:, 0]) < 0).any():
        raise ValueError(f"{op}: bands must be monotonically nondecreasing and have width > 0.")
    if (edges[:-1, 1] > edges[1:, 0]).any():
        raise ValueError(f"{op}: bands must not overlap.")
    if (gains < 0).any():
        raise ValueError(f"{op}: desired must be non-negative.")
    weights = np.ones(len(gains)) if weight is None else host_spec(weight).ravel()
    if len(weights) != len(gains):
        raise ValueError(f"{op}: weight must be the same size as the number of band pairs ({len(edges)}).")
    if (weights < 0).any():
        raise ValueError(f"{op}: weight must be non-negative.")
    return edges, gains, weights


def firls(
    numtaps: int,
    bands: ArrayLike,
    desired: ArrayLike,
    weight: ArrayLike | None = None,
    fs: float | None = None,
) -> ndarray:
    """Design a filter whose response has the least squared error over bands.

    Parameters
    ----------
    numtaps : int
        The length, odd.
    bands : array_like
        The edges of the bands, in pairs.
    desired : array_like
        The gain at each edge, with straight lines between.
    weight : array_like, optional
        How much each band counts.
    fs : float, optional
        The sampling frequency, 2 by default.

    Returns
    -------
    ndarray
        The filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.firls(3, [0.0, 0.4, 0.6, 1.0], [1.0, 1.0, 0.0, 0.0]).round(6)
    array([0.306688, 0.5     , 0.306688])
    """
    fs = optional_fs("firls", fs)
    half = 0.5 * (2 if fs is None else fs)
    numtaps = int(numtaps)
    if numtaps % 2 == 0 or numtaps < 1:
        raise ValueError("firls: numtaps must be odd and >= 1")
    if half <= 0:
        raise ValueError(f"firls: nyq must be positive, got {half} <= 0.")
    edges, gains, weights = _checked_bands("firls", bands, desired, weight, half)
    count = (numtaps - 1) // 2 + 1
    # Integrals of weighted cosines over the bands, and of those times the straight lines.
    n = np.arange(numtaps)[:, np.newaxis, np.newaxis]
    q = np.diff(np.sinc(edges * n) * edges, axis=2)[:, :, 0] @ weights
    k = n[:count]
    slope = np.diff(gains, axis=1) / np.diff(edges, axis=1)
    at_zero = gains[:, :1] - edges[:, :1] * slope
    line = edges * (slope * edges + at_zero) * np.sinc(edges * k)
    line[0] -= slope * edges * edges / 2.0
    line[1:] += slope * np.cos(k[1:] * np.pi * edges) / (np.pi * k[1:]) ** 2
    right = np.diff(line, axis=2)[:, :, 0] @ weights
    i = np.arange(count)
    matrix = q[abs(i[:, None] - i)] + q[i[:, None] + i]
    if np.linalg.cond(matrix) < 1 / np.finfo(float).eps:
        a = np.linalg.solve(matrix, right)
    else:
        a = np.linalg.lstsq(matrix, right, rcond=None)[0]
    return cp.asarray(np.concatenate((a[:0:-1], 2 * a[:1], a[1:])))


def minimum_phase(
    h: ArrayLike, method: str = "homomorphic", n_fft: int | None = None, *, half: bool = True
) -> ndarray:
    """Return the filter of minimum phase to one of linear phase.

    Parameters
    ----------
    h : (N,) array_like
        The filter, symmetric and real.
    method : {"homomorphic", "hilbert"}, optional
        By the cepstrum, or by the Hilbert transform of the logarithm of a response with equal ripples.
    n_fft : int, optional
        The length of the transforms.
    half : bool, optional
        Whether the result has half the length and the root of the response.

    Returns
    -------
    ndarray
        The filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.minimum_phase(cp.array([0.1, 0.3, 0.6, 0.3, 0.1])).round(3)
    array([0.665, 0.368, 0.15 ])
    """
    h = floating(as_array(h))
    if h.dtype.kind == "c":
        raise ValueError("minimum_phase: Complex filters not supported")
    if h.ndim != 1 or h.size <= 2:
        raise ValueError("minimum_phase: h must be 1-D and at least 2 samples long")
    middle = h.size // 2
    if not bool((h[-middle:][::-1] - h[:middle] <= 1e-8 + 1e-6 * cp.abs(h[:middle])).any()):
        warnings.warn("h does not appear to by symmetric, conversion may fail", RuntimeWarning, stacklevel=2)
    if method not in ("homomorphic", "hilbert"):
        raise ValueError(f'minimum_phase: method must be "homomorphic" or "hilbert", got {method!r}')
    if method == "hilbert" and not half:
        raise ValueError("minimum_phase: `half=False` is only supported when `method='homomorphic'`")
    n_fft = 2 ** math.ceil(math.log2(2 * (h.size - 1) / 0.01)) if n_fft is None else int(n_fft)
    if n_fft < h.size:
        raise ValueError(f"minimum_phase: n_fft must be at least len(h)=={h.size}")
    fold = cp.zeros(n_fft, h.dtype)
    stop = n_fft // 2
    if method == "hilbert":
        w = cp.arange(n_fft) * (2 * math.pi / n_fft * middle)
        response = (fft.fft(h, n_fft) * cp.exp(1j * w)).real
        above, below = response.max() - 1, -response.min()
        scale = 4.0 / (cp.sqrt(1 + above + below) + cp.sqrt(1 - above + below)) ** 2
        response = cp.sqrt((response + below) * scale) + 1e-10
        fold[1:stop], fold[stop + 1 :] = 1, -1
        result = fft.ifft(response * cp.exp(fft.fft(fold * fft.ifft(cp.log(response))))).real
    else:
        response = cp.abs(fft.fft(h, n_fft))
        response = response + 1e-7 * cp.where(response > 0, response, cp.inf).min()
        cepstrum = fft.ifft(cp.log(response) * (0.5 if half else 1.0)).real
        fold[0] = 1
        fold[1:stop] = 2
        fold[stop] = 1 + n_fft % 2
        result = fft.ifft(cp.exp(fft.fft(cepstrum * fold))).real
    return result[: middle + h.size % 2 if half else h.size]


def qmf(hk: ArrayLike) -> ndarray:
    """Return the highpass filter that mirrors a lowpass one.

    Parameters
    ----------
    hk : (N,) array_like
        The lowpass filter.

    Returns
    -------
    ndarray
        The highpass filter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.qmf(cp.array([1.0, 2.0, 3.0]))
    array([ 3., -2.,  1.])
    """
    hk = as_array(hk)
    return hk[::-1] * cp.where(cp.arange(hk.size) % 2 == 0, 1, -1)

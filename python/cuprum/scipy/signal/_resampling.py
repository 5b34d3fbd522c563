"""Signals at other rates, and the polyphase filters behind it."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._math.convolution import sliding_products
from ._fir_design import firwin
from ._iir_design import cheby1
from ._lti import dlti
from ._recursive import filtfilt, lfilter, sosfilt, sosfiltfilt
from .windows import get_window

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["decimate", "resample", "resample_poly", "upfirdn"]

_MODES = (
    *("constant", "wrap", "edge", "smooth", "symmetric", "reflect", "antisymmetric", "antireflect", "line"),
)

_KERNEL = """
extern "C" __global__ void upfirdn(const T* x, const T* h, T* out, long long inner, long long length,
                                   long long padding, long long results, long long total, long long taps,
                                   long long up, long long down) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    long long inside = i % inner, rest = i / inner;
    long long place = rest % results, line = rest / results;
    long long time = place * down, at = time / up + padding;
    const T* samples = x + line * length * inner + inside;
    Wide sum = 0;
    for (long long tap = time % up; tap < taps; tap += up, at--) {
        if (at >= 0 && at < length) sum += (Wide)h[tap] * (Wide)samples[at * inner];
    }
    out[i] = (T)sum;
}
"""


def _extended(x: ndarray, axis: int, mode: str, count: int, cval: float) -> ndarray:
    """Return a signal with so many samples more at each end, as the mode says."""
    widths = [(count, count) if i == axis else (0, 0) for i in range(x.ndim)]
    if mode == "constant":
        return cp.pad(x, widths, "constant", constant_values=cval) if cval else x
    if mode in ("symmetric", "reflect", "wrap", "edge"):
        return cp.pad(x, widths, mode)
    if mode in ("antisymmetric", "antireflect"):
        if mode == "antireflect":
            return cp.pad(x, widths, "reflect", reflect_type="odd")
        mirrored = cp.pad(x, widths, "symmetric")
        # Every other copy has its sign changed.
        copy = cp.floor_divide(cp.arange(mirrored.shape[axis]) - count, x.shape[axis])
        signs = cp.where(copy % 2 == 0, 1, -1).astype(x.dtype)
        return mirrored * signs.reshape([-1 if i == axis else 1 for i in range(x.ndim)])

    def part(i: int) -> ndarray:
        return x[tuple(slice(i, i + 1 or None) if j == axis else slice(None) for j in range(x.ndim))]

    n = x.shape[axis]
    steps = cp.arange(1, count + 1).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    if mode == "smooth":
        first_slope, last_slope = part(1) - part(0), part(-1) - part(-2)
    else:
        first_slope = last_slope = (part(-1) - part(0)) / (n - 1)
    before, after = part(0) - cp.flip(steps, axis) * first_slope, part(-1) + steps * last_slope
    return cp.concatenate((before.astype(x.dtype), x, after.astype(x.dtype)), axis)


def upfirdn(
    h: ArrayLike,
    x: ArrayLike,
    up: int = 1,
    down: int = 1,
    axis: SupportsIndex = -1,
    mode: str = "constant",
    cval: float = 0,
) -> ndarray:
    """Put zeros between samples, filter, and keep every so many of the results.

    Parameters
    ----------
    h : (N,) array_like
        The filter.
    x : array_like
        The signal.
    up : int, optional
        How many samples each becomes, all but the first zero.
    down : int, optional
        Of how many results one is kept.
    axis : int, optional
        The axis along which the signal runs.
    mode : str, optional
        How the signal goes on beyond its ends: "constant", "symmetric", "reflect", "wrap", "edge",
        "antisymmetric", "antireflect", "smooth" or "line".
    cval : float, optional
        What lies there with "constant".

    Returns
    -------
    ndarray
        The results; only those that are kept are computed.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.upfirdn([1.0, 1.0, 1.0], cp.array([1.0, 2.0, 3.0]), 3)
    array([1., 1., 1., 2., 2., 2., 3., 3., 3.])
    """
    h, x = as_array(h), as_array(x)
    if h.ndim != 1 or h.size == 0:
        raise ValueError("upfirdn: h must be 1-D with non-zero length")
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError("upfirdn: Both up and down must be >= 1")
    if mode not in _MODES:
        raise ValueError(f"upfirdn: Unknown mode: {mode}")
    axis = normalize_axis("upfirdn", axis, x.ndim)
    dtype = np.dtype(cp.result_type(h, x, np.float32))
    n = x.shape[axis]
    results = ((n - 1) * up + h.size - 1) // down + 1 if n else 0
    shape = [results if i == axis else size for i, size in enumerate(x.shape)]
    if dtype.kind == "c":
        real = np.dtype("f4" if dtype.itemsize == 8 else "f8")

        def filtered(taps: ndarray, samples: ndarray, fill: float) -> ndarray:
            return _upfirdn(taps.astype(real), samples.astype(real), up, down, axis, mode, fill, shape)

        fills = float(np.real(cval)), float(np.imag(cval))
        result = cp.empty(shape, dtype)
        result.real = filtered(h.real, x.real, fills[0])
        result.imag = filtered(h.real, x.imag, fills[1])
        if h.dtype.kind == "c":
            result.real -= filtered(h.imag, x.imag, fills[1])
            result.imag += filtered(h.imag, x.real, fills[0])
        return result
    return _upfirdn(
        h.astype(dtype, copy=False), x.astype(dtype, copy=False), up, down, axis, mode, cval, shape
    )


def _upfirdn(
    h: ndarray, x: ndarray, up: int, down: int, axis: int, mode: str, cval: Any, shape: list[int]
) -> ndarray:
    out = cp.empty(shape, x.dtype)
    if out.size == 0:
        return out
    common = math.gcd(up, down)
    is_long = shape[axis] >= _PHASES_MIN_RESULTS
    is_simple = up == common or up == 2 * common and down == common
    # Taps of zero would make something of what is not finite, and a GPU would have to be waited for.
    suits_blocks = is_long and x.device == "cpu" and not is_simple
    if suits_blocks and bool(cp.isfinite(x).all() & cp.isfinite(h).all()):
        return _by_blocks(h, x, up, down, axis, mode, cval, shape)
    if is_long and up * down <= _PHASES_MAX_PAIRS * common * common:
        _by_phases(h, x, out, up, down, axis, mode, cval)
        return out
    padding = 0 if mode == "constant" and not cval else -(-h.size // up)
    x = cp.ascontiguousarray(_extended(x, axis, mode, padding, cval) if padding else x)
    name = "double" if x.dtype.itemsize == 8 else "float"
    kernel = _kernels.setdefault(
        name, cp.RawKernel(f"typedef {name} T;\ntypedef double Wide;\n{_KERNEL}", "upfirdn")
    )
    inner = math.prod(x.shape[axis + 1 :])
    sizes = (inner, x.shape[axis], padding, shape[axis], out.size, h.size, up, down)
    kernel(
        (-(-out.size // 256),),
        (256,),
        (x, cp.ascontiguousarray(h), out, *(np.int64(size) for size in sizes)),
    )
    return out


_kernels: dict[str, Any] = {}
_PHASES_MAX_PAIRS = 32
"""The most pairs of phases, of results and of samples, that are filtered one by one."""
_PHASES_MIN_RESULTS = 4096
"""From how many results on that is worth while."""


def _by_phases(
    h: ndarray, x: ndarray, out: ndarray, up: int, down: int, axis: int, mode: str, cval: Any
) -> None:
    """Write the results of every phase: sums of products of every so many samples with every so many taps."""
    padding = 0 if mode == "constant" and not cval else -(-h.size // up)
    x = _extended(x, axis, mode, padding, cval) if padding else x
    common = math.gcd(up, down)
    period, stride = up // common, down // common
    before, results = (slice(None),) * axis, out.shape[axis]

    def along(values: ndarray) -> ndarray:
        return values.reshape([-1 if i == axis else 1 for i in range(x.ndim)])

    for first in range(min(period, results)):
        # Results `first`, `first + period`, ... have one phase of the filter, and samples `stride` apart.
        taps = h[first * down % up :: up]
        at = first * down // up + padding
        target = out[before + (slice(first, None, period),)]
        total: Any = None
        for residue in range(stride):
            # Tap i meets sample at + k * stride - i: those whose samples have one residue.
            skip = (at - residue) % stride
            part, samples = taps[skip::stride], x[before + (slice(residue, None, stride),)]
            if part.size == 0 or samples.shape[axis] == 0:
                continue
            start = (at - skip - residue) // stride - (part.size - 1)
            starts = [start if i == axis else 0 for i in range(x.ndim)]
            products = sliding_products(
                cp.ascontiguousarray(samples), along(part[::-1]), starts, target.shape
            )
            total = products if total is None else total + products
        target[...] = 0 if total is None else total


_BLOCK_PHASES = 32
"""How many phases of results at a time are a product of matrices."""
_SHORT_PHASES = 16
"""How many there are at least: short periods are taken together."""
_BLOCK_ELEMENTS = 1 << 20
"""How many elements of stretches are copied at a time."""


def _by_blocks(
    h: ndarray, x: ndarray, up: int, down: int, axis: int, mode: str, cval: Any, shape: list[int]
) -> ndarray:
    """Return the results as products of matrices: stretches of the signal, a period apart, times the filter.

    A stretch has all samples that some phases of results are made of; the taps for these stand beside
    each other.
    """
    padding = 0 if mode == "constant" and not cval else -(-h.size // up)
    common = math.gcd(up, down)
    # Several periods at a time where they are short.
    several = max(1, _SHORT_PHASES * common // up)
    period, stride = several * up // common, several * down // common
    periods = -(-shape[axis] // period)
    phases = np.arange(period)
    # Result `phase` of a period has these samples: the last one, and the tap that it meets.
    last, tap = phases * down // up + padding, phases * down % up
    taps = -(-h.size // up)
    before = max(taps - 1 - padding, 0)
    signal = cp.moveaxis(_extended(x, axis, mode, padding, cval) if padding else x, axis, -1)
    after = max((periods - 1) * stride + int(last[-1]) + 1 - signal.shape[-1], 0)
    signal = cp.pad(signal.astype(np.float64), [(0, 0)] * (x.ndim - 1) + [(before, after)])
    lines = math.prod(signal.shape[:-1])
    signal = cp.ascontiguousarray(signal.reshape(lines, -1))
    filled = cp.concatenate((h.astype(np.float64), cp.zeros(1)))
    made = cp.empty((lines, periods, period), x.dtype)
    for first in range(0, period, _BLOCK_PHASES):
        block = slice(first, min(first + _BLOCK_PHASES, period))
        low, high = int(last[block][0]) + before - (taps - 1), int(last[block][-1]) + before + 1
        # The tap of each sample of a stretch, one beyond the last where there is none.
        number = (last[block] + before)[None, :] - np.arange(low, high)[:, None]
        place = tap[block][None, :] + number * up
        place = np.where((number >= 0) & (place < h.size), place, h.size)
        weights, item = filled[cp.asarray(place)], signal.itemsize
        # Stretches overlap, and are many times the signal where the filter is long: some periods at a time.
        step = max(1, _BLOCK_ELEMENTS // (lines * (high - low)))
        for at in range(0, periods, step):
            count = min(step, periods - at)
            stretches = cp.lib.stride_tricks.as_strided(
                signal[:, low + at * stride :],
                (lines, count, high - low),
                (signal.strides[0], stride * item, item),
            )
            stretches, target = cp.ascontiguousarray(stretches), made[:, at : at + count, block]
            if lines == 1 and weights.shape[1] == period and x.dtype == np.float64:
                cp.matmul(stretches, weights, out=target)
            else:
                target[...] = stretches @ weights
    made = made.reshape(lines, -1)[:, : shape[axis]]
    rest = [size for i, size in enumerate(shape) if i != axis]
    return cp.ascontiguousarray(cp.moveaxis(made.reshape(*rest, shape[axis]), -1, axis))


@names_itself
def resample(
    x: ArrayLike,
    num: int,
    t: ArrayLike | None = None,
    axis: SupportsIndex = 0,
    window: Any = None,
    domain: str = "time",
) -> Any:
    """Return a signal at another number of samples, by its Fourier transform.

    Parameters
    ----------
    x : array_like
        The signal, taken as periodic, or its spectrum.
    num : int
        The number of samples.
    t : array_like, optional
        The times of the samples, equally far apart.
    axis : int, optional
        The axis along which the signal runs.
    window : array_like, callable, str, float or tuple, optional
        A window for the spectrum.
    domain : {"time", "freq"}, optional
        Whether `x` is the signal or its spectrum.

    Returns
    -------
    ndarray or tuple of ndarray
        The samples; with `t` their times too.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.resample(cp.array([1.0, 0.0, -1.0, 0.0]), 8).round(6)
    array([ 1.      ,  0.707107,  0.      , -0.707107, -1.      , -0.707107,
            0.      ,  0.707107])
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"resample: Parameter domain={domain!r} not in ('time', 'freq')!")
    x = cp.moveaxis(as_array(x), axis, -1)
    n, num = x.shape[-1], operator.index(num)
    common, ratio = min(num, n), n / num
    taper = None
    if callable(window):
        taper = window(fft.fftfreq(n))
    elif isinstance(window, (ndarray, np.ndarray)):
        taper = as_array(window)
        if taper.shape != (n,):
            raise ValueError(
                f"resample: window.shape={taper.shape} != ({n},), i.e., window length is not equal to "
                "number of "
                "frequency bins!"
            )
    elif window is not None:
        taper = fft.fftshift(get_window(window, n))
    half = common // 2
    if domain == "time" and x.dtype.kind != "c":
        spectrum = fft.rfft(x)
        if taper is not None:
            count = spectrum.shape[-1]
            folded = taper[:count].copy()
            folded[1:] = (folded[1:] + cp.flip(taper[n - count + 1 :])) / 2
            spectrum = spectrum * folded
        spectrum = spectrum[..., : half + 1] / ratio
        if common % 2 == 0 and num != n:
            # The highest frequency stands for itself and its negative.
            spectrum[..., half] *= 2 if num < n else 0.5
        result = fft.irfft(spectrum, num)
    else:
        spectrum = fft.fft(x) if domain == "time" else x
        if taper is not None:
            spectrum = spectrum * taper
        wanted = cp.zeros((*spectrum.shape[:-1], num), cp.result_type(spectrum, np.complex64))
        wanted[..., : half + 1] = spectrum[..., : half + 1]
        if half + 1 < common:
            wanted[..., half + 1 - common :] = spectrum[..., half + 1 - common :]
        if common % 2 == 0:
            if num < n:
                wanted[..., num - half] += spectrum[..., n - half]
            elif n < num:
                wanted[..., half] /= 2
                wanted[..., num - half] = wanted[..., half]
        result = fft.ifft(wanted / ratio)
    if x.dtype in (np.float32, np.complex64):
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32, copy=False)
    result = cp.moveaxis(result, -1, axis)
    if t is None:
        return result
    t = as_array(t)
    return result, t[0] + (t[1] - t[0]) * ratio * cp.arange(num)


_BACKGROUNDS = {"mean": "mean", "median": "median", "minimum": "min", "maximum": "max"}


@names_itself
def resample_poly(
    x: Any,
    up: int,
    down: int,
    axis: SupportsIndex = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: float | None = None,
) -> ndarray:
    """Return a signal at another rate, by a polyphase filter.

    Parameters
    ----------
    x : array_like
        The signal.
    up, down : int
        The new rate is ``up / down`` times the old one.
    axis : int, optional
        The axis along which the signal runs.
    window : str, tuple or array_like, optional
        The window of the lowpass filter, or the filter itself.
    padtype : str, optional
        How the signal goes on: a mode of `upfirdn`, or "mean", "median", "minimum" or "maximum", which are
        taken away before and added after.
    cval : float, optional
        What lies beyond its ends with "constant".

    Returns
    -------
    ndarray
        The signal at the new rate.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.resample_poly(cp.ones(5), 2, 1, padtype="edge").round(3)
    array([1.001, 0.999, 1.001, 0.999, 1.001, 0.999, 1.001, 0.999, 1.001,
           0.999])
    """
    array = as_array(x)
    for name, rate in (("up", up), ("down", down)):
        if rate != int(rate):
            raise ValueError(f"resample_poly: {name} must be an integer")
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError("resample_poly: up and down must be >= 1")
    if cval is not None and padtype != "constant":
        raise ValueError(f"resample_poly: cval has no effect when padtype is {padtype}")
    common = math.gcd(up, down)
    up, down = up // common, down // common
    if up == down == 1:
        return array.copy()
    if padtype not in _MODES and padtype not in _BACKGROUNDS:
        names = ", ".join([*_BACKGROUNDS, *_MODES])
        raise ValueError(f"resample_poly: padtype must be one of: {names}")
    axis = normalize_axis("resample_poly", axis, array.ndim)
    n = array.shape[axis]
    wanted = -(-n * up // down)
    if isinstance(window, (list, ndarray, np.ndarray)):
        taps = as_array(window)
        if taps.ndim > 1:
            raise ValueError("resample_poly: window must be 1-D")
        half = (taps.size - 1) // 2
    else:
        half = 10 * max(up, down)
        taps = firwin(2 * half + 1, 1.0 / max(up, down), window=window)
        if array.dtype.kind in "fc":
            taps = taps.astype(array.dtype)
    taps = taps * up
    # Zeros before the filter put the middle of it on a sample that is kept.
    before = down - half % down
    first = (half + before) // down
    after = max((wanted + first - 1) * down + 1 - ((n - 1) * up + taps.size + before), 0)
    taps = cp.concatenate((cp.zeros(before, taps.dtype), taps, cp.zeros(after, taps.dtype)))
    background = None
    mode, fill = (padtype, 0 if cval is None else cval) if padtype in _MODES else ("constant", 0)
    if padtype in _BACKGROUNDS:
        background = getattr(cp, _BACKGROUNDS[padtype])(array, axis=axis, keepdims=True)
        array = array - background
    y = upfirdn(taps, array, up, down, axis, mode, fill)
    y = y[tuple(slice(first, first + wanted) if i == axis else slice(None) for i in range(array.ndim))]
    return y if background is None else (y + background).astype(y.dtype, copy=False)


@names_itself
def decimate(
    x: ArrayLike,
    q: int,
    n: int | None = None,
    ftype: Any = "iir",
    axis: SupportsIndex = -1,
    zero_phase: bool = True,
) -> ndarray:
    """Keep every so many samples of a signal, after taking the frequencies away that would fold over.

    Parameters
    ----------
    x : array_like
        The signal.
    q : int
        Of how many samples one is kept.
    n : int, optional
        The order of the filter; 8 for "iir", ``20 * q`` for "fir".
    ftype : {"iir", "fir"} or dlti, optional
        A Chebyshev filter, a windowed one, or one of your own.
    axis : int, optional
        The axis along which the signal runs.
    zero_phase : bool, optional
        Shift no phase: filter both ways, or take the delay away.

    Returns
    -------
    ndarray
        The samples that are kept.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.decimate(cp.ones(60), 10).round(2)
    array([0.99, 0.99, 0.99, 0.99, 0.99, 0.99])
    """
    x, q = as_array(x), operator.index(q)
    axis = normalize_axis("decimate", axis, x.ndim)
    n = None if n is None else operator.index(n)
    dtype = x.dtype if x.dtype.kind in "fc" and x.dtype != np.float16 else np.dtype("f8")
    every = tuple(slice(None, None, q) if i == axis else slice(None) for i in range(x.ndim))
    if ftype == "fir" or (isinstance(ftype, dlti) and ftype.to_zpk().poles.size == 0):
        if ftype == "fir":
            taps = firwin((20 * q if n is None else n) + 1, 1.0 / q, window="hamming").astype(dtype)
        else:
            system = ftype.to_tf()
            taps = system.num / system.den
        if zero_phase:
            return resample_poly(x, 1, q, axis=axis, window=taps)
        count = -(-x.shape[axis] // q)
        kept = tuple(slice(count) if i == axis else slice(None) for i in range(x.ndim))
        return upfirdn(taps, x, up=1, down=q, axis=axis)[kept]
    if ftype == "iir":
        sos = cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos").astype(
            np.dtype("f4") if dtype in (np.float32, np.complex64) else np.dtype("f8")
        )
        return (sosfiltfilt if zero_phase else sosfilt)(sos, x, axis=axis)[every]
    if isinstance(ftype, dlti):
        system = ftype.to_tf()
        return (filtfilt if zero_phase else lfilter)(system.num, system.den, x, axis=axis)[every]
    raise ValueError("decimate: invalid ftype")

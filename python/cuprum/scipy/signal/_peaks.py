"""Peaks of signals, and what they are like.

What belongs to a peak is found by a thread for each: it walks away from the peak on both sides.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "argrelextrema",
    "argrelmax",
    "argrelmin",
    "find_peaks",
    "peak_prominences",
    "peak_widths",
]


class PeakPropertyWarning(RuntimeWarning):
    """The warning that a peak has no prominence or no width."""


# Samples of a block: a walk passes over blocks whose greatest sample is not above the peak.
_BLOCK = 64
_PROMINENCES = """
typedef long long i64;

// Where the least sample lies between a peak and what is higher, STEP being the direction. Of equal ones the
// nearest counts. `most` and `least` are those of blocks of 64 samples; a NaN in a block makes `most` one.
template <int STEP>
__device__ i64 base_of(const double* x, const double* most, const double* least, i64 peak, i64 bound,
                       i64 blocks, double& lowest) {
    double top = x[peak];
    i64 base = peak, in_block = -1;
    lowest = top;
    for (i64 at = peak + STEP; STEP < 0 ? at >= bound : at <= bound;) {
        i64 block = at >> 6;
        bool begins = (at & 63) == (STEP < 0 ? 63 : 0);
        bool is_whole = STEP < 0 ? at - 63 >= bound : at + 63 <= bound;
        if (begins && is_whole && block < blocks && most[block] <= top) {
            if (least[block] < lowest) {
                lowest = least[block];
                in_block = block;
            }
            at += 64 * STEP;
            continue;
        }
        double value = x[at];
        if (!(value <= top)) break;
        if (value < lowest) {
            lowest = value;
            base = at;
            in_block = -1;
        }
        at += STEP;
    }
    if (in_block >= 0) {
        base = in_block * 64 + (STEP < 0 ? 63 : 0);
        while (x[base] != lowest) base += STEP;
    }
    return base;
}

extern "C" __global__ void prominences(const double* x, const double* most, const double* least, i64 size,
                                       i64 blocks, const i64* peaks, i64 count, i64 window,
                                       double* prominence, i64* left, i64* right) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    i64 peak = peaks[i], first = 0, last = size - 1;
    if (window >= 2) {
        i64 half = window / 2;
        first = peak - half > 0 ? peak - half : 0;
        last = peak + half < size - 1 ? peak + half : size - 1;
    }
    double left_least, right_least;
    left[i] = base_of<-1>(x, most, least, peak, first, blocks, left_least);
    right[i] = base_of<1>(x, most, least, peak, last, blocks, right_least);
    prominence[i] = x[peak] - (left_least > right_least ? left_least : right_least);
}
"""
_WIDTHS = """
extern "C" __global__ void widths(const double* x, const long long* peaks, long long count, const double*
prominence,
                                  const long long* left, const long long* right, double part, double* width,
                                  double* heights, double* left_ends, double* right_ends) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long long peak = peaks[i], first = left[i], last = right[i], at = peak;
    double height = heights[i] = x[peak] - prominence[i] * part;
    while (first < at && height < x[at]) at--;
    double left_end = (double)at;
    if (x[at] < height) left_end += (height - x[at]) / (x[at + 1] - x[at]);
    at = peak;
    while (at < last && height < x[at]) at++;
    double right_end = (double)at;
    if (x[at] < height) right_end -= (height - x[at]) / (x[at - 1] - x[at]);
    left_ends[i] = left_end;
    right_ends[i] = right_end;
    width[i] = right_end - left_end;
}
"""
_DISTANCES = """
extern "C" __global__ void distances(const long long* peaks, const long long* rank, long long count,
                                     long long distance, signed char* state) {
    // A peak that is higher than all others nearby is kept (1) and removes those (2). No two kept peaks are
    // near each other, so nothing depends on the order of threads.
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long long first = i, last = i;
    while (first > 0 && peaks[i] - peaks[first - 1] < distance) {
        first--;
        if (rank[first] > rank[i]) return;
    }
    while (last + 1 < count && peaks[last + 1] - peaks[i] < distance) {
        last++;
        if (rank[last] > rank[i]) return;
    }
    for (long long j = first; j <= last; j++) state[j] = 2;
    state[i] = 1;
}
"""
_kernels: dict[str, Any] = {}


def _run(text: str, entry: str, count: int, arguments: tuple[Any, ...]) -> None:
    """Run a kernel with a thread for each of `count` peaks."""
    if count:
        kernel = _kernels.setdefault(entry, cp.RawKernel(text, entry))
        kernel((-(-count // 128),), (128,), arguments)


def _signal(op: str, x: Any) -> ndarray:
    array = as_array(x)
    if array.ndim != 1:
        raise ValueError(f"{op}: `x` must be a 1-D array, got {array.ndim} dimensions")
    return cp.ascontiguousarray(array, dtype=np.float64)


def _positions(op: str, peaks: Any, size: int) -> ndarray:
    peaks = as_array(peaks)
    if peaks.size == 0:
        peaks = cp.zeros(0, np.int64)
    if peaks.dtype.kind not in "iu":
        raise TypeError(f"{op}: cannot safely cast `peaks` to dtype('intp')")
    if peaks.ndim != 1:
        raise ValueError(f"{op}: `peaks` must be a 1-D array")
    outside = (peaks < 0) | (peaks >= size)
    if bool(outside.any()):
        bad = int(peaks[outside][0])
        raise ValueError(f"{op}: {bad} is not a valid index for `x`")
    return cp.ascontiguousarray(peaks, dtype=np.int64)


def _window(op: str, wlen: Any) -> int:
    if wlen is None:
        return -1
    if not wlen > 1:
        raise ValueError(f"{op}: `wlen` must be larger than 1, was {wlen}")
    # The window is odd: the peak lies in its middle.
    number: int = math.ceil(wlen)
    return number


def _prominences(x: ndarray, peaks: ndarray, wlen: int) -> tuple[ndarray, ndarray, ndarray]:
    count = peaks.size
    prominence = cp.empty(count)
    left, right = cp.empty(count, np.int64), cp.empty(count, np.int64)
    blocks = x.size // _BLOCK
    whole = x[: blocks * _BLOCK].reshape(blocks, _BLOCK)
    most, least = (whole.max(axis=1), whole.min(axis=1)) if blocks else (x, x)
    sizes = np.int64(x.size), np.int64(blocks)
    arguments = (x, most, least, *sizes, peaks, np.int64(count), np.int64(wlen), prominence, left, right)
    _run(_PROMINENCES, "prominences", count, arguments)
    if bool((prominence == 0).any()):
        warnings.warn("some peaks have a prominence of 0", PeakPropertyWarning, stacklevel=4)
    return prominence, left, right


def _widths(x: ndarray, peaks: ndarray, rel_height: float, data: tuple[Any, ...]) -> tuple[ndarray, ...]:
    if rel_height < 0:
        raise ValueError("peak_widths: `rel_height` must be greater or equal to 0.0")
    prominence = cp.ascontiguousarray(as_array(data[0]), dtype=np.float64)
    left, right = (cp.ascontiguousarray(as_array(bases), dtype=np.int64) for bases in data[1:])
    if not peaks.shape == prominence.shape == left.shape == right.shape:
        raise ValueError("peak_widths: arrays in `prominence_data` must have the same shape as `peaks`")
    if bool(((left < 0) | (left > peaks) | (peaks > right) | (right >= x.size)).any()):
        raise ValueError("peak_widths: prominence data is invalid for some peak")
    results = tuple(cp.empty(peaks.size) for _ in range(4))
    count, part = np.int64(peaks.size), np.float64(rel_height)
    _run(_WIDTHS, "widths", peaks.size, (x, peaks, count, prominence, left, right, part, *results))
    if bool((results[0] == 0).any()):
        warnings.warn("some peaks have a width of 0", PeakPropertyWarning, stacklevel=4)
    return results


@names_itself
def peak_prominences(
    x: ArrayLike, peaks: ArrayLike, wlen: int | None = None
) -> tuple[ndarray, ndarray, ndarray]:
    """Return by how much peaks stand out from what is around them.

    Parameters
    ----------
    x : (N,) array_like
        The signal.
    peaks : (M,) array_like of int
        The positions of the peaks.
    wlen : int, optional
        The window in which to look, around each peak.

    Returns
    -------
    prominences, left_bases, right_bases : ndarray
        The heights above the higher of both bases, and where these are.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> x = cp.array([0.0, 3.0, 1.0, 2.0, 0.5])
    >>> signal.peak_prominences(x, [1, 3])
    (array([2.5, 1. ]), array([0, 2]), array([4, 4]))
    """
    x = _signal("peak_prominences", x)
    return _prominences(x, _positions("peak_prominences", peaks, x.size), _window("peak_prominences", wlen))


@names_itself
def peak_widths(
    x: ArrayLike,
    peaks: ArrayLike,
    rel_height: float = 0.5,
    prominence_data: Any = None,
    wlen: int | None = None,
) -> tuple[ndarray, ...]:
    """Return the widths of peaks.

    Parameters
    ----------
    x : (N,) array_like
        The signal.
    peaks : (M,) array_like of int
        The positions of the peaks.
    rel_height : float, optional
        How far below the top the width is measured, as a part of the prominence.
    prominence_data : tuple of ndarray, optional
        The results of `peak_prominences`.
    wlen : int, optional
        The window for these.

    Returns
    -------
    widths, width_heights, left_ips, right_ips : ndarray
        The widths, the heights at which they are measured, and where the signal crosses these.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> x = cp.array([0.0, 3.0, 1.0, 2.0, 0.5])
    >>> signal.peak_widths(x, [1])[0]
    array([1.04166667])
    """
    x = _signal("peak_widths", x)
    peaks = _positions("peak_widths", peaks, x.size)
    if prominence_data is None:
        prominence_data = _prominences(x, peaks, _window("peak_widths", wlen))
    return _widths(x, peaks, rel_height, prominence_data)


def _local_maxima(x: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return the middles and both ends of the places that are higher than their neighbours."""
    inner = x[1:-1]
    if not bool((x[1:] == x[:-1]).any()):
        peaks = cp.flatnonzero((x[:-2] < inner) & (inner > x[2:])) + 1
        return peaks, peaks, peaks
    changes = cp.flatnonzero(x[1:] != x[:-1])
    rising = x[changes] < x[changes + 1]
    falling = x[changes] > x[changes + 1]
    found = cp.flatnonzero(rising[:-1] & falling[1:])
    left, right = changes[found] + 1, changes[found + 1]
    return (left + right) // 2, left, right


def _interval(op: str, interval: Any, x: ndarray, peaks: ndarray) -> tuple[Any, Any]:
    """Return the least and the largest value of a property; arrays have one for each sample."""
    try:
        least, largest = interval
    except (TypeError, ValueError):
        least, largest = interval, None
    limits = []
    for limit, which in ((least, "lower"), (largest, "upper")):
        if isinstance(limit, (ndarray, np.ndarray)) and limit.ndim > 0:
            if limit.size != x.size:
                raise ValueError(f"{op}: array size of {which} interval border must match x")
            limit = as_array(limit)[peaks]
        limits.append(limit)
    return limits[0], limits[1]


def _inside(values: ndarray, limits: tuple[Any, Any]) -> ndarray:
    keep = cp.ones(values.shape, bool)
    if limits[0] is not None:
        keep = keep & (limits[0] <= values)
    if limits[1] is not None:
        keep = keep & (values <= limits[1])
    return keep


def _apart(peaks: ndarray, heights: ndarray, distance: float) -> ndarray:
    """Return which peaks stay if each takes away the lower ones near it, the highest first."""
    count = peaks.size
    rank = cp.empty(count, np.int64)
    rank[cp.argsort(heights, stable=True)] = cp.arange(count)
    keep, left = cp.zeros(count, bool), cp.arange(count)
    while left.size:
        # What is neither kept nor taken away goes into the next round.
        state = cp.zeros(left.size, np.int8)
        sizes = np.int64(left.size), np.int64(math.ceil(distance))
        _run(_DISTANCES, "distances", left.size, (peaks[left], rank[left], *sizes, state))
        keep[left[state == 1]] = True
        left = left[state == 0]
    return keep


@names_itself
def find_peaks(
    x: ArrayLike,
    height: Any = None,
    threshold: Any = None,
    distance: float | None = None,
    prominence: Any = None,
    width: Any = None,
    wlen: int | None = None,
    rel_height: float = 0.5,
    plateau_size: Any = None,
) -> tuple[ndarray, dict[str, ndarray]]:
    """Return the peaks of a signal that are like those that are looked for.

    Parameters
    ----------
    x : (N,) array_like
        The signal.
    height, threshold, prominence, width, plateau_size : number, array_like or pair of them, optional
        The least value, or the least and the largest, of the height, of the step to both neighbours, of the
        prominence, of the width and of the length of the top.
    distance : float, optional
        The least distance between peaks: lower ones give way.
    wlen : int, optional
        The window for prominences.
    rel_height : float, optional
        The part of the prominence below the top at which widths are measured.

    Returns
    -------
    peaks : ndarray of int64
        The positions of the peaks; of a flat top its middle.
    properties : dict
        What was computed for the conditions that are given.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> peaks, properties = signal.find_peaks(cp.array([0.0, 2.0, 1.0, 3.0, 3.0, 0.0]), height=1)
    >>> peaks, properties["peak_heights"]
    (array([1, 3]), array([2., 3.]))
    """
    op = "find_peaks"
    x = _signal(op, x)
    if distance is not None and distance < 1:
        raise ValueError(f"{op}: `distance` must be greater or equal to 1")
    peaks, left, right = _local_maxima(x) if x.size else (cp.zeros(0, np.int64),) * 3
    found: dict[str, ndarray] = {}

    def select(keep: ndarray) -> None:
        nonlocal peaks
        peaks = peaks[keep]
        for key in found:
            found[key] = found[key][keep]

    if plateau_size is not None:
        sizes = right - left + 1
        limits = _interval(op, plateau_size, x, peaks)
        found.update(plateau_sizes=sizes, left_edges=left, right_edges=right)
        select(_inside(sizes, limits))
    if height is not None:
        found["peak_heights"] = x[peaks]
        select(_inside(found["peak_heights"], _interval(op, height, x, peaks)))
    if threshold is not None:
        limits = _interval(op, threshold, x, peaks)
        steps = x[peaks] - x[peaks - 1], x[peaks] - x[peaks + 1]
        found.update(left_thresholds=steps[0], right_thresholds=steps[1])
        keep = _inside(cp.minimum(*steps), (limits[0], None)) & _inside(cp.maximum(*steps), (None, limits[1]))
        select(keep)
    if distance is not None:
        select(_apart(peaks, x[peaks], distance))
    if prominence is not None or width is not None:
        data = _prominences(x, cp.ascontiguousarray(peaks), _window(op, wlen))
        found.update(zip(("prominences", "left_bases", "right_bases"), data, strict=True))
    if prominence is not None:
        select(_inside(found["prominences"], _interval(op, prominence, x, peaks)))
    if width is not None:
        data = (found["prominences"], found["left_bases"], found["right_bases"])
        results = _widths(x, cp.ascontiguousarray(peaks), rel_height, data)
        found.update(zip(("widths", "width_heights", "left_ips", "right_ips"), results, strict=True))
        select(_inside(found["widths"], _interval(op, width, x, peaks)))
    return peaks, found


def _is_extremum(
    op: str, data: ndarray, comparator: Callable[..., Any], axis: int, order: Any, mode: Any
) -> ndarray:
    if int(order) != order or order < 1:
        raise ValueError(f"{op}: Order must be an int >= 1")
    axis = normalize_axis(op, axis, data.ndim)
    places = cp.arange(data.shape[axis])
    result = cp.ones(data.shape, bool)
    for shift in range(1, operator.index(int(order)) + 1):
        for other in (places + shift, places - shift):
            result = result & comparator(data, cp.take(data, other, axis=axis, mode=mode))
    return result


@names_itself
def argrelextrema(
    data: ArrayLike,
    comparator: Callable[..., Any],
    axis: int = 0,
    order: int = 1,
    mode: str = "clip",
) -> tuple[ndarray, ...]:
    """Return where a comparison holds with all neighbours along an axis.

    Parameters
    ----------
    data : array_like
        The array.
    comparator : callable
        The comparison of two arrays, such as `cp.less`.
    axis : int, optional
        The axis.
    order : int, optional
        How many neighbours on each side.
    mode : {"clip", "wrap", "raise"}, optional
        What lies beyond the ends: the element at the end, or the array again.

    Returns
    -------
    tuple of ndarray
        The positions, an array for each axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.argrelextrema(cp.array([2, 1, 2, 3, 2, 0, 1]), cp.greater)
    (array([3]),)
    """
    return cp.nonzero(_is_extremum("argrelextrema", as_array(data), comparator, axis, order, mode))


@names_itself
def argrelmin(data: ArrayLike, axis: int = 0, order: int = 1, mode: str = "clip") -> tuple[ndarray, ...]:
    """Return where elements are smaller than all neighbours along an axis.

    Parameters
    ----------
    data : array_like
        The array.
    axis : int, optional
        The axis.
    order : int, optional
        How many neighbours on each side.
    mode : {"clip", "wrap"}, optional
        What lies beyond the ends: the element at the end, or the array again.

    Returns
    -------
    tuple of ndarray
        The positions, an array for each axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.argrelmin(cp.array([2, 1, 2, 3, 2, 0, 1]))
    (array([1, 5]),)
    """
    return argrelextrema(data, cp.less, axis, order, mode)


@names_itself
def argrelmax(data: ArrayLike, axis: int = 0, order: int = 1, mode: str = "clip") -> tuple[ndarray, ...]:
    """Return where elements are larger than all neighbours along an axis.

    Parameters
    ----------
    data : array_like
        The array.
    axis : int, optional
        The axis.
    order : int, optional
        How many neighbours on each side.
    mode : {"clip", "wrap"}, optional
        What lies beyond the ends: the element at the end, or the array again.

    Returns
    -------
    tuple of ndarray
        The positions, an array for each axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.argrelmax(cp.array([2, 1, 2, 3, 2, 0, 1]))
    (array([3]),)
    """
    return argrelextrema(data, cp.greater, axis, order, mode)

"""The least order of a recursive filter that does what its bands have to do."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._core import ndarray
from ..._documentation import shared_paragraphs
from . import _elliptic
from ._band_transforms import optional_fs
from ._filter_forms import to_device
from ._prototypes import power_ratio

__all__ = ["band_stop_obj", "buttord", "cheb1ord", "cheb2ord", "ellipord"]


def checked_gains(op: str, gpass: float, gstop: float) -> None:
    """Refuse losses that no filter has."""
    if gpass <= 0.0:
        raise ValueError(f"{op}: gpass should be larger than 0.0")
    if gstop <= 0.0:
        raise ValueError(f"{op}: gstop should be larger than 0.0")
    if gpass > gstop:
        raise ValueError(f"{op}: gpass should be smaller than gstop")


def band_of(passing: np.ndarray, stopping: np.ndarray) -> str:
    """Return which frequencies pass, by the edges of both bands."""
    if passing.size == 1:
        return "lowpass" if passing[0] < stopping[0] else "highpass"
    return "bandstop" if passing[0] < stopping[0] else "bandpass"


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function of one variable is least, to about five digits: Brent's search."""
    golden, tiny, wanted = (3.0 - math.sqrt(5.0)) / 2, math.sqrt(2.2e-16), 1e-5
    best = second = third = low + golden * (high - low)
    at_best = at_second = at_third = function(best)
    move = before = 0.0
    for _ in range(500):
        middle = (low + high) / 2
        tolerance = tiny * abs(best) + wanted / 3
        if abs(best - middle) <= 2 * tolerance - (high - low) / 2:
            break
        by_golden = True
        if abs(before) > tolerance:
            # A parabola through the three best points.
            r = (best - second) * (at_best - at_third)
            q = (best - third) * (at_best - at_second)
            p = (best - third) * q - (best - second) * r
            q = 2.0 * (q - r)
            p, q = (-p if q > 0 else p), abs(q)
            before, last = move, before
            if abs(p) < abs(0.5 * q * last) and q * (low - best) < p < q * (high - best):
                move = p / q
                point = best + move
                if point - low < 2 * tolerance or high - point < 2 * tolerance:
                    move = tolerance * (1.0 if middle >= best else -1.0)
                by_golden = False
        if by_golden:
            before = (low if best >= middle else high) - best
            move = golden * before
        point = best + (1.0 if move >= 0 else -1.0) * max(abs(move), tolerance)
        at_point = function(point)
        if at_point <= at_best:
            low, high = (best, high) if point >= best else (low, best)
            third, at_third, second, at_second = second, at_second, best, at_best
            best, at_best = point, at_point
        else:
            low, high = (point, high) if point < best else (low, point)
            if at_point <= at_second or second == best:
                third, at_third, second, at_second = second, at_second, point, at_point
            elif at_point <= at_third or third in (best, second):
                third, at_third = point, at_point
    return best


def _order(family: str, ratio: float, gpass: float, gstop: float) -> float:
    """Return the order that a ratio of the edges needs, not yet rounded up."""
    if family == "ellip":
        within, between = 1.0 / ratio**2, power_ratio(gpass) / power_ratio(gstop)
        rising = _elliptic.complete(1 - within) / _elliptic.complete(within)
        return rising * _elliptic.complete(between) / _elliptic.complete(1 - between)
    losses = power_ratio(abs(gstop)) / power_ratio(abs(gpass))
    if family == "butter":
        return math.log10(losses) / (2 * math.log10(ratio))
    return math.acosh(math.sqrt(losses)) / math.acosh(ratio)


def _stop_ratio(passing: np.ndarray, stopping: np.ndarray) -> float:
    ratios = stopping * (passing[0] - passing[1]) / (stopping**2 - passing[0] * passing[1])
    return float(np.min(np.abs(ratios)))


def band_stop_obj(
    wp: float, ind: Any, passb: Any, stopb: Any, gpass: float, gstop: float, type: str
) -> float:
    """Return the order of a bandstop filter with one edge of its passband moved, not yet rounded up.

    Parameters
    ----------
    wp : float
        The edge.
    ind : {0, 1}
        Which one it is.
    passb, stopb : (2,) array_like
        The edges of both bands.
    gpass, gstop : float
        The most loss in the passband and the least in the stopband, in decibels.
    type : {"butter", "cheby", "ellip"}
        The family.

    Returns
    -------
    float
        The order.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> round(signal.band_stop_obj(2.0, 0, [1.0, 10.0], [4.0, 6.0], 1, 40, "butter"), 6)
    4.806726
    """
    checked_gains("band_stop_obj", gpass, gstop)
    if type not in ("butter", "cheby", "ellip"):
        raise ValueError(f"band_stop_obj: Incorrect type: {type}")
    passing, stopping = (np.array([float(x) for x in edges]) for edges in (passb, stopb))
    passing[ind] = float(wp)
    return _order(type, _stop_ratio(passing, stopping), gpass, gstop)


def _edges(
    op: str, passing: Any, stopping: Any, gpass: float, gstop: float, analog: bool, fs: Any, family: str
) -> tuple[str, np.ndarray, float]:
    """Return which frequencies pass, the analog edges of the passband, and the ratio of edges."""
    passing, stopping = np.atleast_1d(passing), np.atleast_1d(stopping)
    if fs is not None:
        if analog:
            raise ValueError(f"{op}: fs cannot be specified for an analog filter")
        passing, stopping = 2 * passing / fs, 2 * stopping / fs
    band = band_of(passing, stopping)
    if not analog:
        passing, stopping = np.tan(np.pi * passing / 2.0), np.tan(np.pi * stopping / 2.0)
    if band == "lowpass":
        ratio = stopping / passing
    elif band == "highpass":
        ratio = passing / stopping
    elif band == "bandpass":
        ratio = (stopping**2 - passing[0] * passing[1]) / (stopping * (passing[0] - passing[1]))
    else:
        # The passband may be wider than asked for: its edges go where the order is least.
        def order(edge: float, which: int) -> float:
            moved = passing.copy()
            moved[which] = edge
            return _order(family, _stop_ratio(moved, stopping), gpass, gstop)

        lower = _least(lambda edge: order(edge, 0), float(passing[0]), float(stopping[0]) - 1e-12)
        upper = _least(lambda edge: order(edge, 1), float(stopping[1]) + 1e-12, float(passing[1]))
        passing = np.array([lower, upper])
        return band, passing, _stop_ratio(passing, stopping)
    return band, passing, float(np.min(np.abs(ratio)))


def _cutoff(analog_edges: Any, analog: bool, fs: float | None) -> Any:
    edges = np.atleast_1d(analog_edges)
    edges = edges if analog else np.arctan(edges) * 2.0 / np.pi
    edges = edges if fs is None else edges * fs / 2
    return edges[0] if edges.size == 1 else edges


def buttord_(op: str, wp: Any, ws: Any, gpass: float, gstop: float, analog: bool, fs: Any) -> tuple[int, Any]:
    band, edges, ratio = _edges(op, wp, ws, gpass, gstop, analog, fs, "butter")
    order = math.ceil(_order("butter", ratio, gpass, gstop))
    if order == 0:
        warnings.warn("Order is zero...check input parameters.", RuntimeWarning, stacklevel=3)
    # Where a lowpass filter has lost half its power, if it loses gpass at one.
    half = power_ratio(gpass) ** (-1.0 / (2.0 * order)) if order else 1.0
    if band == "lowpass":
        cut: Any = half * edges
    elif band == "highpass":
        cut = edges / half
    elif band == "bandstop":
        width, product = edges[1] - edges[0], edges[0] * edges[1]
        root = math.sqrt(width**2 + 4 * half**2 * product)
        cut = np.sort(np.abs(np.array([width + root, width - root]) / (2 * half)))
    else:
        width, product = edges[1] - edges[0], edges[0] * edges[1]
        both = np.array([-half, half])
        cut = np.sort(np.abs(-both * width / 2.0 + np.sqrt(both**2 / 4.0 * width**2 + product)))
    return order, _cutoff(cut, analog, fs)


def cheb1ord_(
    op: str, wp: Any, ws: Any, gpass: float, gstop: float, analog: bool, fs: Any
) -> tuple[int, Any]:
    _, edges, ratio = _edges(op, wp, ws, gpass, gstop, analog, fs, "cheby")
    return math.ceil(_order("cheby", ratio, gpass, gstop)), _cutoff(edges, analog, fs)


def ellipord_(
    op: str, wp: Any, ws: Any, gpass: float, gstop: float, analog: bool, fs: Any
) -> tuple[int, Any]:
    _, edges, ratio = _edges(op, wp, ws, gpass, gstop, analog, fs, "ellip")
    return math.ceil(_order("ellip", ratio, gpass, gstop)), _cutoff(edges, analog, fs)


def cheb2ord_(
    op: str, wp: Any, ws: Any, gpass: float, gstop: float, analog: bool, fs: Any
) -> tuple[int, Any]:
    band, edges, ratio = _edges(op, wp, ws, gpass, gstop, analog, fs, "cheby")
    losses = math.acosh(math.sqrt(power_ratio(gstop) / power_ratio(gpass)))
    order = math.ceil(losses / math.acosh(ratio))
    # Where the prototype, whose stopband begins at one, has lost gpass.
    scale = 1.0 / math.cosh(losses / order)
    if band == "lowpass":
        cut: Any = edges / scale
    elif band == "highpass":
        cut = edges * scale
    else:
        factor = scale if band == "bandstop" else 1.0 / scale
        width, product = edges[0] - edges[1], edges[0] * edges[1]
        first = factor / 2.0 * width + math.sqrt(factor**2 * width**2 / 4.0 + product)
        cut = np.array([first, product / first])
    return order, _cutoff(cut, analog, fs)


_documented = shared_paragraphs(
    {
        "bands": """wp, ws : float or (2,) array_like
        The edges of the passband and of the stopband.
    gpass, gstop : float
        The most loss in the passband and the least in the stopband, in decibels.
    analog : bool, optional
        Whether the filter is analog; edges are angular frequencies then.
    fs : float, optional
        The sampling frequency; without it edges are fractions of half of it.""",
        "order": """ord : int
        The order.
    wn : ndarray
        The cutoff, or both of a band.""",
    }
)


def _public(
    op: str, body: Any, wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool, fs: Any
) -> tuple[int, Any]:
    checked_gains(op, gpass, gstop)
    fs = optional_fs(op, fs)
    wp, ws = (np.asarray(w.get() if isinstance(w, ndarray) else w, np.float64) for w in (wp, ws))
    order, cut = body(op, wp, ws, gpass, gstop, analog, fs)
    return (order, *to_device(np.asarray(cut)))


@_documented
def buttord(
    wp: Any, ws: Any, gpass: float, gstop: float, analog: bool = False, fs: float | None = None
) -> tuple[int, ndarray]:
    """Return the least order of a Butterworth filter for given bands, and its cutoff.

    Parameters
    ----------
    {bands}

    Returns
    -------
    {order}

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> order, cutoff = signal.buttord(0.2, 0.5, 1, 20)
    >>> order, cutoff.round(6)
    (3, array(0.246063))
    """
    return _public("buttord", buttord_, wp, ws, gpass, gstop, analog, fs)


@_documented
def cheb1ord(
    wp: Any, ws: Any, gpass: float, gstop: float, analog: bool = False, fs: float | None = None
) -> tuple[int, ndarray]:
    """Return the least order of a Chebyshev filter, ripples in its passband, and its cutoff.

    Parameters
    ----------
    {bands}

    Returns
    -------
    {order}

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> order, cutoff = signal.cheb1ord(0.2, 0.5, 1, 20)
    >>> order, cutoff.round(6)
    (3, array(0.2))
    """
    return _public("cheb1ord", cheb1ord_, wp, ws, gpass, gstop, analog, fs)


@_documented
def cheb2ord(
    wp: Any, ws: Any, gpass: float, gstop: float, analog: bool = False, fs: float | None = None
) -> tuple[int, ndarray]:
    """Return the least order of a Chebyshev filter, ripples in its stopband, and its cutoff.

    Parameters
    ----------
    {bands}

    Returns
    -------
    {order}

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> order, cutoff = signal.cheb2ord(0.2, 0.5, 1, 20)
    >>> order, cutoff.round(6)
    (3, array(0.343664))
    """
    return _public("cheb2ord", cheb2ord_, wp, ws, gpass, gstop, analog, fs)


@_documented
def ellipord(
    wp: Any, ws: Any, gpass: float, gstop: float, analog: bool = False, fs: float | None = None
) -> tuple[int, ndarray]:
    """Return the least order of an elliptic filter for given bands, and its cutoff.

    Parameters
    ----------
    {bands}

    Returns
    -------
    {order}

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> order, cutoff = signal.ellipord(0.2, 0.5, 1, 20)
    >>> order, cutoff.round(6)
    (2, array(0.2))
    """
    return _public("ellipord", ellipord_, wp, ws, gpass, gstop, analog, fs)

"""Filters whose largest error is least: the exchange algorithm of Parks and McClellan.

A specification is a few numbers: the design is worked out on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._band_transforms import optional_fs
from ._filter_forms import host_spec

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["remez"]

_TYPES = ("bandpass", "differentiator", "hilbert")


def _grid(
    edges: np.ndarray, step: float, skips_zero: bool, skips_half: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies in the bands, both edges among them, and the band of each."""
    places, bands = [], []
    for band, (low, high) in enumerate(edges):
        low = step if skips_zero and band == 0 and low < step else low
        points = low + step * np.arange(max(1, int((high - low) / step + 0.5)))
        points[-1] = high
        places.append(points)
        bands.append(np.full(points.size, band))
    f = np.concatenate(places)
    if skips_half and f[-1] > 0.5 - step:
        f[-1] = 0.5 - step
    return f, np.concatenate(bands)


def _weights(x: np.ndarray) -> np.ndarray:
    """Return the barycentric weights of points; differences are doubled, so that products stay in range."""
    apart = 2.0 * (x[:, None] - x)
    np.fill_diagonal(apart, 1.0)
    result: np.ndarray = 1.0 / np.prod(apart, axis=1)
    return result


def _fitted(x: np.ndarray, extremes: np.ndarray, wanted: np.ndarray, weight: np.ndarray) -> Any:
    """Return the deviation and the polynomial that differs by it, in turn, at the extremes."""
    points = x[extremes]
    signs = (-1.0) ** np.arange(len(extremes))
    w = _weights(points)
    deviation = float(w @ wanted[extremes] / (w @ (signs / weight[extremes])))
    values = wanted[extremes] - signs * deviation / weight[extremes]
    nodes, at = points[:-1], values[:-1]
    w = _weights(nodes)

    def polynomial(x: np.ndarray) -> np.ndarray:
        apart = x[:, None] - nodes
        hit = np.abs(apart) < 1e-15
        terms = w / np.where(hit, 1.0, apart)
        result = terms @ at / terms.sum(axis=1)
        rows, columns = np.nonzero(hit)
        result[rows] = at[columns]
        made: np.ndarray = result
        return made

    return deviation, polynomial


def _alternating(error: np.ndarray, band: np.ndarray, count: int) -> np.ndarray:
    """Return the places of so many extremes of alternating sign, the largest errors among them."""
    n = len(error)
    ends = np.r_[True, band[1:] != band[:-1]], np.r_[band[1:] != band[:-1], True]
    before, after = np.r_[0.0, error[:-1]], np.r_[error[1:], 0.0]
    rising = (error > 0) & ((error >= before) | ends[0]) & ((error > after) | ends[1])
    falling = (error < 0) & ((error <= before) | ends[0]) & ((error < after) | ends[1])
    chosen: list[int] = []
    for i in np.flatnonzero(rising | falling):
        if chosen and (error[i] > 0) == (error[chosen[-1]] > 0):
            if abs(error[i]) > abs(error[chosen[-1]]):
                chosen[-1] = int(i)
        else:
            chosen.append(int(i))
    while len(chosen) > count:
        if len(chosen) == count + 1:
            # One too many: the smaller of both ends goes.
            chosen.pop(0 if abs(error[chosen[0]]) < abs(error[chosen[-1]]) else -1)
        else:
            # The least extreme goes with a neighbour, so that signs still alternate.
            least = min(range(len(chosen)), key=lambda i: abs(error[chosen[i]]))
            if least in (0, len(chosen) - 1):
                chosen.pop(least)
            else:
                other = min((least - 1, least + 1), key=lambda i: abs(error[chosen[i]]))
                for place in sorted((least, other), reverse=True):
                    chosen.pop(place)
    return np.array(chosen) if len(chosen) == count and n >= count else np.zeros(0, int)


def _taps(p: np.ndarray, numtaps: int, antisymmetric: bool) -> np.ndarray:
    """Return the filter whose amplitude is a cosine polynomial times the factor of its kind."""
    r = len(p)
    padded = np.r_[p, 0.0, 0.0]
    if numtaps % 2 and not antisymmetric:
        half = p.copy()
        half[1:] /= 2
        answer: np.ndarray = np.r_[half[:0:-1], half]
        return answer
    if not numtaps % 2:
        sign = -1.0 if antisymmetric else 1.0
        b = np.array([(padded[k - 1] + sign * padded[k]) / 2 for k in range(1, r + 1)])
        b[0] = p[0] + sign * padded[1] / 2
        half = b / 2
        made: np.ndarray = np.r_[half[::-1], sign * half]
        return made
    c = np.array([(padded[k - 1] - padded[k + 1]) / 2 for k in range(1, r + 1)])
    c[0] = p[0] - padded[2] / 2
    half = c / 2
    result: np.ndarray = np.r_[half[::-1], 0.0, -half]
    return result


def remez(
    numtaps: int,
    bands: ArrayLike,
    desired: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    type: str = "bandpass",
    maxiter: int = 25,
    grid_density: int = 16,
    fs: float | None = None,
) -> ndarray:
    """Design a filter whose largest weighted error over bands is least.

    Parameters
    ----------
    numtaps : int
        The length.
    bands : array_like
        The edges of the bands, rising.
    desired : array_like
        The gain of each band; for a differentiator its slope.
    weight : array_like, optional
        How much errors of each band count.
    type : {"bandpass", "differentiator", "hilbert"}, optional
        Symmetric; or antisymmetric, with a gain in proportion to the frequency, or constant.
    maxiter : int, optional
        The most exchanges.
    grid_density : int, optional
        How many frequencies are looked at, for each ripple.
    fs : float, optional
        The sampling frequency, 1 by default.

    Returns
    -------
    ndarray
        The filter.

    Raises
    ------
    ValueError
        Where the exchanges do not end.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.remez(5, [0.0, 0.1, 0.3, 0.5], [1.0, 0.0]).round(4)
    array([0.0599, 0.2993, 0.3803, 0.2993, 0.0599])
    """
    if type not in _TYPES:
        raise ValueError("remez: Type must be 'bandpass', 'differentiator', or 'hilbert'")
    fs = optional_fs("remez", fs)
    edges, gains = host_spec(bands).ravel() / (1.0 if fs is None else fs), host_spec(desired).ravel()
    weights = np.ones(len(gains)) if weight is None else host_spec(weight).ravel()
    numtaps = int(numtaps)
    if len(edges) != 2 * len(gains) or len(weights) != len(gains):
        raise ValueError("remez: bands must have twice as many elements as desired and weight")
    if np.any(np.diff(edges) < 0) or edges[0] < 0 or edges[-1] > 0.5 + 1e-12:
        raise ValueError("remez: Band edges should be strictly increasing and lie between 0 and fs/2")
    if numtaps < 2:
        raise ValueError("remez: The number of taps must be greater than 1")
    antisymmetric, odd = type != "bandpass", numtaps % 2 == 1
    size = numtaps // 2 + (1 if odd and not antisymmetric else 0)
    step = 0.5 / (grid_density * size)
    skips_zero, skips_half = antisymmetric, antisymmetric == odd
    f, band = _grid(edges.reshape(-1, 2), step, skips_zero, skips_half)
    wanted, weighting = gains[band], weights[band]
    if type == "differentiator":
        slopes = wanted >= 0.0001
        weighting = np.where(slopes, weighting / f, weighting)
        wanted = wanted * f
    if antisymmetric:
        factor = np.sin(2 * np.pi * f) if odd else np.sin(np.pi * f)
    else:
        factor = np.ones(len(f)) if odd else np.cos(np.pi * f)
    wanted, weighting = wanted / factor, weighting * factor
    x = np.cos(2 * np.pi * f)
    count = size + 1
    if len(f) < count:
        raise ValueError("remez: the bands are too narrow for so many taps")
    extremes = np.round(np.arange(count) * (len(f) - 1) / size).astype(int)
    for _ in range(max(int(maxiter), 1)):
        deviation, polynomial = _fitted(x, extremes, wanted, weighting)
        error = (wanted - polynomial(x)) * weighting
        # No error is larger than those at the extremes: other sets of these may do as well.
        if np.abs(error).max() <= abs(deviation) * (1 + 1e-9):
            break
        found = _alternating(error, band, count)
        if found.size == 0 or np.array_equal(found, extremes):
            break
        extremes = found
    else:
        raise ValueError(
            f"remez: Failure to converge at iteration {maxiter}, try reducing transition band width."
        )
    _, polynomial = _fitted(x, extremes, wanted, weighting)
    places = (np.arange(size) + 0.5) / (2 * size)
    values = polynomial(np.cos(2 * np.pi * places))
    p = 2.0 / size * np.cos(2 * np.pi * np.arange(size)[:, None] * places) @ values
    p[0] /= 2
    return cp.asarray(_taps(p, numtaps, antisymmetric))

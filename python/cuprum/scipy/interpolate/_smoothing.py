"""The smoothing spline of Dierckx: as few knots as the sum of squares needs, then as smooth as it allows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._bsplines import BSpline
from ._least_squares import Triangle, basis_values, spline_triangle
from ._make_splines import interpolated

# How near to the wanted sum of squares counts as reached, and the most rounds of the smoothing's search.
TOLERANCE = 1e-3
_ROUNDS = 20


class Smoothed:
    """A spline with its sum of squares, and why the search ended (FITPACK's code)."""

    def __init__(self, t: ndarray, c: ndarray, k: int, fp: float, code: int) -> None:
        self.t, self.c, self.k, self.fp, self.code = t, c, k, fp, code


def with_ends(inner: ndarray, xb: float, xe: float, k: int) -> ndarray:
    """Return knots with the ends repeated."""
    return cp.concatenate((cp.full(k + 1, xb), inner, cp.full(k + 1, xe)))


def through_knots(x: ndarray, xb: float, xe: float, k: int) -> ndarray:
    """Return the knots of a spline through all points."""
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    half = (k + 1) // 2
    return with_ends(inner[half : inner.size - half], xb, xe, k)


def _through_points(x: ndarray, y: ndarray, xb: float, xe: float, k: int) -> Smoothed:
    t = through_knots(x, xb, xe, k)
    spline = interpolated(x, y, k, t=t) if k > 1 else BSpline(t, _linear(x, y, t), 1)
    return Smoothed(t, spline.c, k, 0.0, -1)


def _linear(x: ndarray, y: ndarray, t: ndarray) -> ndarray:
    """Return the coefficients of a broken line: its values at the knots."""
    place = cp.clip(cp.searchsorted(x, t[1:-1], side="right") - 1, 0, x.size - 2)
    share = (t[1:-1] - x[place]) / (x[place + 1] - x[place])
    result: ndarray = y[place] + share * (y[place + 1] - y[place])
    return result


class _Fit:
    """Weighted least squares with some knots."""

    def __init__(self, x: ndarray, y: ndarray, w: ndarray, t: ndarray, k: int) -> None:
        self.t, self.k = t, k
        self.triangle: Triangle = spline_triangle(t, k, x, y[:, None], w)
        self.c = self.triangle.solved()[:, 0]
        self.squares = (w * (BSpline.construct_fast(t, self.c, k)(x) - y)) ** 2
        self.fp = float(self.squares.sum())


def fit_knots(x: ndarray, y: ndarray, w: ndarray, t: ndarray, k: int) -> Smoothed:
    """Return the spline of least squares with given knots."""
    found = _Fit(x, y, w, t, k)
    return Smoothed(t, found.c, k, found.fp, -1)


class Knots:
    """The knots of a search, and what the next round needs to know: a further search goes on with them."""

    def __init__(self, count: int) -> None:
        self.restart(count)

    def restart(self, count: int) -> None:
        """Forget all knots."""
        self.inner: list[float] = []
        # The points strictly inside of each knot interval; knots are points.
        self.inside = [count - 2]
        self.plus, self.before, self.first = 0, 0.0, 0.0
        # A search that goes on begins with one knot a round again.
        self.resumes = False


def smoothing_spline(
    x: ndarray,
    y: ndarray,
    w: ndarray,
    ends: tuple[float, float],
    k: int,
    s: float,
    room: int | None = None,
    known: Knots | None = None,
) -> Smoothed:
    """Return the smoothest spline whose weighted sum of squares is at most `s`, but for a thousandth.

    A round of new knots ends early where there are `room` knots in all; where these are not enough, the
    search begins again without that limit, as FITPACK's does with more memory.
    """
    xb, xe = ends
    if s == 0:
        return _through_points(x, y, xb, xe, k)
    points = cp.asnumpy(x)
    m, most = x.size, x.size - k - 1
    knots = Knots(m) if known is None else known
    knots.resumes = bool(knots.inner)
    if knots.first <= s:
        knots.restart(m)
    inner, inside = knots.inner, knots.inside
    accuracy = TOLERANCE * s
    is_full = False
    while True:
        fit = _Fit(x, y, w, with_ends(cp.array(inner, np.float64), xb, xe, k), k)
        if not inner:
            knots.first = fit.fp
        over = fit.fp - s
        if abs(over) < accuracy:
            return Smoothed(fit.t, fit.c, k, fit.fp, -2 if not inner else 0)
        if over < 0:
            break
        if is_full:
            knots.restart(m)
            inner, inside, room, is_full = knots.inner, knots.inside, None, False
            continue
        if len(inner) >= most:
            return _through_points(x, y, xb, xe, k)
        if not inner or knots.resumes:
            knots.plus, knots.resumes = 1, False
        else:
            guess = knots.plus * 2
            if knots.before - fit.fp > accuracy:
                guess = int(knots.plus * over / (knots.before - fit.fp))
            knots.plus = min(knots.plus * 2, max(guess, knots.plus // 2, 1))
        knots.before = fit.fp
        parts = by_intervals(points, cp.asnumpy(fit.squares), inner)
        for _ in range(knots.plus):
            knots.resumes = not add_knot(points, inner, inside, parts)
            is_full = len(inner) + 2 * k + 2 == room
            if knots.resumes or is_full:
                break
            if len(inner) >= most:
                return _through_points(x, y, xb, xe, k)
    if not inner:
        return Smoothed(fit.t, fit.c, k, fit.fp, -2)
    return _smoothed(x, y, w, fit, k, s, accuracy, knots.first - s)


def by_intervals(x: np.ndarray, squares: np.ndarray, inner: list[float]) -> list[float]:
    """Return the sums of squares by knot intervals; what lies on a knot counts half on both sides."""
    parts, total, place = [], 0.0, 0
    for at, square in zip(x, squares, strict=True):
        total += square
        if place < len(inner) and at >= inner[place]:
            parts.append(total - square / 2)
            total = square / 2
            place += 1
    parts.append(total)
    return parts


def add_knot(x: np.ndarray, inner: list[float], inside: list[int], parts: list[float]) -> bool:
    """Put a knot at the middle point of the interval with the largest sum."""
    best, begin, start = -1, 0, 0
    for i, count in enumerate(inside):
        if count and (best < 0 or parts[i] > parts[best]):
            best, begin = i, start
        start += count + 1
    if best < 0:
        return False
    count = inside[best]
    half = count // 2 + 1
    inner.insert(best, float(x[begin + half]))
    inside[best : best + 1] = [half - 1, count - half]
    share = parts[best]
    parts[best : best + 1] = [share * (half - 1) / count, share * (count - half) / count]
    return True


def jumps(t: ndarray, k: int) -> tuple[ndarray, ndarray]:
    """Return the jumps of the basis' highest derivative at inner knots, and the first function of each."""
    n = t.size - k - 1
    knots = t[k : n + 1]
    first, slopes = basis_values(t, k, (knots[1:] + knots[:-1]) / 2, k)
    nothing = cp.zeros((slopes.shape[0] - 1, 1))
    jumps = cp.concatenate((nothing, slopes[1:]), axis=1) - cp.concatenate((slopes[:-1], nothing), axis=1)
    scale = (n - k) / float(t[n] - t[k])
    return jumps / (math.factorial(k) * scale**k), first[:-1]


def _smoothed(
    x: ndarray, y: ndarray, w: ndarray, fit: _Fit, k: int, s: float, accuracy: float, f1: float
) -> Smoothed:
    """Weigh the jumps against the squares until their sum is `s`."""
    rows, start = jumps(fit.t, k)
    nothing = cp.zeros((rows.shape[0], 1))
    made = Smoothed(fit.t, fit.c, k, fit.fp, 0)

    def squares(p: float) -> float:
        made.c = fit.triangle.with_rows(rows / p, start, nothing).solved()[:, 0]
        values = BSpline.construct_fast(fit.t, made.c, k)(x)
        made.fp = float(((w * (values - y)) ** 2).sum())
        return made.fp

    p = (fit.t.size - k - 1) / float(fit.triangle.r[:, 0].sum())
    made.code = weighed(squares, p, s, accuracy, (f1, fit.fp - s), _ROUNDS)
    return made


def weighed(
    squares: Callable[[float], float],
    p: float,
    s: float,
    accuracy: float,
    outer: tuple[float, float],
    rounds: int,
) -> int:
    """Look for the weight whose sum of squares is `s`, by rational interpolation, beginning with `p`.

    `outer` has what the sums of weights 0 and infinity have over `s`. The last call of `squares` is that of
    the result; returned is FITPACK's code.
    """
    (f1, f3), p1, p3 = outer, 0.0, -1.0
    down = up = False
    for _ in range(rounds):
        f2, p2 = squares(p) - s, p
        if abs(f2) < accuracy:
            return 0
        if not down:
            if f2 - f3 <= accuracy:
                p3, f3 = p2, f2
                p = p * 0.04
                if p <= p1:
                    p = p1 * 0.9 + p2 * 0.1
                continue
            down = f2 < 0
        if not up:
            if f1 - f2 <= accuracy:
                p1, f1 = p2, f2
                p = p / 0.04
                if p3 >= 0 and p >= p3:
                    p = p2 * 0.1 + p3 * 0.9
                continue
            up = f2 > 0
        if f2 >= f1 or f2 <= f3:
            return 2
        if p3 > 0:
            h1, h2, h3 = f1 * (f2 - f3), f2 * (f3 - f1), f3 * (f1 - f2)
            p = -(p1 * p2 * h3 + p2 * p3 * h1 + p3 * p1 * h2) / (p1 * h1 + p2 * h2 + p3 * h3)
        else:
            p = (p1 * (f1 - f3) * f2 - p2 * (f2 - f3) * f1) / ((f1 - f2) * f3)
        if f2 < 0:
            p3, f3 = p2, f2
        else:
            p1, f1 = p2, f2
    return 3


def evaluated(t: ndarray, c: ndarray, k: int, x: Any, nu: int, ext: int) -> ndarray:
    """Evaluate a spline; outside 0 goes on, 1 gives zeros, 2 raises, 3 gives the border's value."""
    points = cp.asarray(x).astype(np.float64)
    low, high = t[k], t[t.size - k - 1]
    outside = (points < low) | (points > high)
    if ext == 2 and bool(outside.any()):
        raise ValueError("splev: some values of x are outside of the knots")
    if ext == 3:
        points = cp.clip(points, low, high)
    result = BSpline.construct_fast(t, cp.ascontiguousarray(c), k)(points, nu, extrapolate=True)
    return cp.where(outside, 0.0, result) if ext == 1 else result

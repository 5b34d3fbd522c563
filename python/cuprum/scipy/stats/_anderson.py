"""Anderson and Darling's test that a sample is of some distribution.

Parameters are those of the greatest likelihood. Samples stay on the device, where the sums that the
likelihood is made of are computed; the host looks for its greatest value.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ..optimize import brentq
from ._samples import as_sample

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["anderson"]


class AndersonResult(NamedTuple):
    """What `anderson` returns."""

    statistic: ndarray
    critical_values: ndarray
    significance_level: ndarray


class SignificanceResult(NamedTuple):
    """A statistic and the chance of one at least as far out."""

    statistic: ndarray
    pvalue: ndarray


class _Limits(NamedTuple):
    """Critical values of large samples at levels in percent, and their divisor for `n` elements."""

    values: tuple[float, ...]
    levels: tuple[float, ...]
    divisor: Callable[[int], float]


_NORMAL_LEVELS = (15.0, 10.0, 5.0, 2.5, 1.0)
_GUMBEL = _Limits(
    (0.474, 0.637, 0.757, 0.877, 1.038), (25.0, 10.0, 5.0, 2.5, 1.0), lambda n: 1 + 0.2 / math.sqrt(n)
)
_LIMITS = {
    "norm": _Limits(
        (0.561, 0.631, 0.752, 0.873, 1.035), _NORMAL_LEVELS, lambda n: 1 + 0.75 / n + 2.25 / n / n
    ),
    "expon": _Limits((0.916, 1.062, 1.321, 1.591, 1.959), _NORMAL_LEVELS, lambda n: 1 + 0.6 / n),
    "logistic": _Limits(
        (0.426, 0.563, 0.660, 0.769, 0.906, 1.010), (25.0, 10.0, 5.0, 2.5, 1.0, 0.5), lambda n: 1 + 0.25 / n
    ),
    "gumbel_l": _GUMBEL,
    "gumbel_r": _GUMBEL,
}
_ALIASES = {"gumbel": "gumbel_l", "extreme1": "gumbel_l"}

# Lockhart and Stephens' critical values of Weibull's distribution, for the inverse shapes 0, 0.05, ..., 0.5.
_WEIBULL_LEVELS = (0.5, 0.75, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995)
_WEIBULL = np.array(
    [
        (0.292, 0.395, 0.467, 0.522, 0.617, 0.711, 0.836, 0.931),
        (0.295, 0.399, 0.471, 0.527, 0.623, 0.719, 0.845, 0.941),
        (0.298, 0.403, 0.476, 0.534, 0.631, 0.728, 0.856, 0.954),
        (0.301, 0.408, 0.483, 0.541, 0.640, 0.738, 0.869, 0.969),
        (0.305, 0.414, 0.490, 0.549, 0.650, 0.751, 0.885, 0.986),
        (0.309, 0.421, 0.498, 0.559, 0.662, 0.765, 0.902, 1.007),
        (0.314, 0.429, 0.508, 0.570, 0.676, 0.782, 0.923, 1.030),
        (0.320, 0.438, 0.519, 0.583, 0.692, 0.802, 0.947, 1.057),
        (0.327, 0.448, 0.532, 0.598, 0.711, 0.824, 0.974, 1.089),
        (0.334, 0.469, 0.547, 0.615, 0.732, 0.850, 1.006, 1.125),
        (0.342, 0.472, 0.563, 0.636, 0.757, 0.879, 1.043, 1.167),
    ]
)


def _sums(*parts: ndarray) -> list[float]:
    """Return sums of arrays of one shape, in one step to the host."""
    made: list[float] = cp.stack([part.sum() for part in parts]).tolist()
    return made


def _logistic(x: ndarray) -> ndarray:
    """Return a sample moved and scaled by the parameters of the logistic distribution that fits best."""
    z = (x - x.mean()) / x.std(ddof=1)
    n = z.size
    # With t = steep * z + shift the likelihood has one maximum; steps that go too far are halved.
    shift, steep = 0.0, 1.0

    def likelihood(shift: float, steep: float) -> float:
        t = steep * z + shift
        return n * math.log(steep) - _sums(cp.logaddexp(t, 0.0) + cp.logaddexp(-t, 0.0))[0]

    best = likelihood(shift, steep)
    for _ in range(100):
        tanh = cp.tanh((steep * z + shift) / 2)
        weight = (1 - tanh * tanh) / 2
        s, sz, w, wz, wzz = _sums(tanh, tanh * z, weight, weight * z, weight * z * z)
        slope, curve = np.array([-s, n / steep - sz]), np.array([[w, wz], [wz, wzz + n / steep**2]])
        move, factor = np.linalg.solve(curve, slope), 1.0
        while True:
            there = (shift + factor * move[0], steep + factor * move[1])
            found = likelihood(*there) if there[1] > 0 else -math.inf
            if found >= best or factor < 1e-10:
                break
            factor /= 2
        if factor >= 1e-10:
            (shift, steep), best = there, found
        if factor < 1e-10 or abs(factor * move).max() < 1e-12:
            break
    return steep * z + shift


def _gumbel(x: ndarray) -> ndarray:
    """Return a sample moved and scaled by the parameters of the right Gumbel distribution that fits best."""
    spread = x.std(ddof=1)
    z = (x - x.min()) / spread
    mean = float(z.mean())

    def score(scale: float) -> float:
        weight = cp.exp(z / -scale)
        total, of_z = _sums(weight, weight * z)
        return mean - of_z / total - scale

    low = high = math.sqrt(6) / math.pi
    while score(low) < 0:
        low /= 2
    while score(high) > 0:
        high *= 2
    scale = low if low == high else float(brentq(score, low, high, xtol=1e-15, rtol=1e-15))
    location = -scale * math.log(float(cp.exp(z / -scale).mean()))
    return (z - location) / scale


class _Weibull:
    """The likelihood of Weibull's distribution with three parameters, as a function of its location."""

    def __init__(self, x: ndarray) -> None:
        self.first = x.min()
        self.range = float(x.max() - self.first)
        # The distances from the least element, of which all locations lie at or below 0.
        self.z = (x - self.first) / self.range

    def shape(self, below: float) -> float:
        """Return the best shape for a location so far below the least element."""
        logs = cp.log((self.z + below) / (1 + below))
        mean = float(logs.mean())

        def score(m: float) -> float:
            powers = cp.exp(m * logs)
            total, of_logs = _sums(powers, powers * logs)
            return 1 / m - of_logs / total + mean

        low = high = 1.0
        while score(low) < 0:
            low /= 2
        while score(high) > 0:
            high *= 2
        return low if low == high else float(brentq(score, low, high, xtol=1e-15, rtol=1e-14))

    def slope(self, below: float) -> float:
        """Return the negative likelihood's slope along the location, as a multiple that is positive."""
        m = self.shape(below)
        y = (self.z + below) / (1 + below)
        inverse, lower, powers = _sums(1 / y, y ** (m - 1), y**m)
        return (m - 1) / m * inverse - y.size * lower / powers

    def likelihood(self, below: float) -> float:
        m = self.shape(below)
        y = self.z + below
        logs, powers = _sums(cp.log(y), y**m)
        return y.size * (math.log(m) - math.log(powers / y.size)) + (m - 1) * logs

    def fitted(self) -> tuple[float, ndarray]:
        """Return the best shape, and the sample as a power of what remains after location and scale."""
        steps = [10.0 ** (k / 4) for k in range(-28, 17)]
        slopes = [self.slope(step) for step in steps]
        found = []
        for (near, up), (far, down) in zip(
            zip(steps, slopes, strict=True), zip(steps[1:], slopes[1:], strict=True), strict=False
        ):
            if up > 0 >= down:
                below = float(brentq(self.slope, near, far, xtol=1e-14, rtol=1e-13))
                found.append((self.likelihood(below), below))
        below = max(found)[1] if found else 0.0
        location = float(self.first) - below * self.range
        m = self.shape(below) if found else 0.0
        if m < 1 or np.allclose(location, float(self.first)):
            raise ValueError(
                "the likelihood of Weibull's distribution has no maximum with a location below the sample "
                "and a shape of at least 1; there are no critical values for that"
            )
        powers = (self.z + below) ** m
        return m, powers / powers.mean()


def _weibull_limits(m: float) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    inverse, table = 1 / m, _WEIBULL
    if inverse > 0.5:
        values = table[-1]
    else:
        shapes = np.linspace(0, 0.5, len(table))
        values = np.array([np.interp(inverse, shapes, column) for column in table.T])
    return np.round(values + 0.0005, 3), np.array(_WEIBULL_LEVELS)


def _logarithms(y: ndarray, dist: str) -> tuple[ndarray, ndarray]:
    """Return the logarithms of the distribution function at sorted elements, and of what is above them."""
    if dist == "norm":
        w = (y - y.mean()) / y.std(ddof=1)
        return special.log_ndtr(w), special.log_ndtr(-w)
    if dist == "expon":
        w = y / y.mean()
        return cp.log(-cp.expm1(-w)), -w
    if dist == "logistic":
        w = _logistic(y)
        return -cp.logaddexp(0.0, -w), -cp.logaddexp(0.0, w)
    # Gumbel's distribution to the left is the other one of the negative sample.
    low = -cp.exp(-_gumbel(y if dist == "gumbel_r" else -y))
    high = cp.log(-cp.expm1(low))
    return (low, high) if dist == "gumbel_r" else (high, low)


@names_itself
def anderson(
    x: ArrayLike, dist: str = "norm", *, method: str | None = None
) -> AndersonResult | SignificanceResult:
    """Test whether a sample is of a distribution, by Anderson and Darling's test.

    Parameters
    ----------
    x : (N,) array_like
        The sample.
    dist : {"norm", "expon", "logistic", "gumbel_l", "gumbel_r", "weibull_min"}, optional
        The distribution, with the parameters that fit the sample best; "gumbel" and "extreme1" are other
        names of "gumbel_l".
    method : {None, "interpolate"}, optional
        With "interpolate" the result has a p-value, read off the critical values.

    Returns
    -------
    AndersonResult or SignificanceResult
        With `statistic`, `critical_values` and the levels that belong to them, in percent (of "weibull_min":
        the parts of samples below); or with `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.anderson(cp.arange(10.0)).statistic.round(6)
    array(0.141109)
    >>> stats.anderson(cp.arange(10.0), "logistic").critical_values
    array([0.416, 0.549, 0.644, 0.75 , 0.884, 0.985])
    """
    dist = _ALIASES.get(dist, dist)
    if dist not in _LIMITS and dist != "weibull_min":
        names = ", ".join(sorted({*_LIMITS, *_ALIASES, "weibull_min"}))
        raise ValueError(f"anderson: dist must be one of {names}, got {dist!r}")
    if method not in (None, "interpolate"):
        raise ValueError(f"anderson: method must be None or 'interpolate', got {method!r}")
    values = cp.sort(as_sample(x).astype(np.float64, copy=False))
    if values.ndim != 1:
        raise ValueError(f"anderson: samples have one axis, got shape {values.shape}")
    n = values.size
    if dist == "weibull_min":
        if n < 10:
            warnings.warn("anderson: critical values are those of 10 elements and more", stacklevel=2)
        m, powers = _Weibull(values).fitted()
        below, above = cp.log(-cp.expm1(-powers)), -powers
        critical, levels = _weibull_limits(m)
    else:
        below, above = _logarithms(values, dist)
        limits = _LIMITS[dist]
        critical, levels = np.around(np.array(limits.values) / limits.divisor(n), 3), np.array(limits.levels)
    weights = (2 * cp.arange(1.0, n + 1) - 1) / n
    statistic = -n - (weights * (below + above[::-1])).sum()
    if method is None:
        return AndersonResult(statistic, cp.array(critical), cp.array(levels))
    chances = 1 - levels if dist == "weibull_min" else levels / 100
    return SignificanceResult(statistic, cp.interp(statistic, cp.array(critical), cp.array(chances)))

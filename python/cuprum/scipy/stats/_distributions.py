"""Distributions: densities, chances, quantiles and random numbers, as ufuncs of the device.

A distribution is a row: its standard density, chances and quantiles. Location and scale, complements,
logarithms, moments and frozen parameters are the same for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from .. import special

__all__ = ["beta", "binom", "chi2", "expon", "f", "gamma", "norm", "poisson", "t", "uniform"]


def _real(*values: Any) -> tuple[ndarray, ...]:
    arrays = (as_array(value) for value in values)
    return tuple(a.astype(np.float64) if a.dtype.kind in "bui" else a for a in arrays)


class Distribution:
    """A family of distributions.

    The functions of a row take standard values, without location and scale, and the shapes. `support` gives
    the ends, `is_valid` says which shapes there are.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.norm.cdf(cp.array([0.0]))
    array([0.5])
    >>> stats.expon(scale=2.0).mean()
    array(2.)
    """

    def __init__(
        self,
        name: str,
        shapes: tuple[str, ...],
        log_density: Callable[..., ndarray],
        cdf: Callable[..., ndarray],
        sf: Callable[..., ndarray],
        ppf: Callable[..., ndarray] | None,
        isf: Callable[..., ndarray] | None,
        moments: Callable[..., tuple[Any, Any]],
        draw: Callable[..., ndarray],
        support: Callable[..., tuple[Any, Any]],
        is_valid: Callable[..., Any],
        discrete: bool = False,
    ) -> None:
        self.name, self.shapes, self.discrete = name, shapes, discrete
        self._rows: tuple[Any, ...] = (log_density, cdf, sf, ppf, isf)
        self._moments, self._draw, self._support, self._is_valid = moments, draw, support, is_valid

    def __call__(self, *args: Any, **kwargs: Any) -> FrozenDistribution:
        """Return the distribution with given parameters."""
        return FrozenDistribution(self, args, kwargs)

    def _parameters(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[ndarray, ...], Any, Any]:
        """Return the shapes, the location and the scale."""
        names = (*self.shapes, "loc") if self.discrete else (*self.shapes, "loc", "scale")
        given = dict(zip(names, args, strict=False))
        if len(args) > len(names) or set(kwargs) - set(names) or set(given) & set(kwargs):
            raise TypeError(f"{self.name}: takes the parameters {', '.join(names)}, got {args} and {kwargs}")
        given.update(kwargs)
        missing = [name for name in self.shapes if name not in given]
        if missing:
            raise TypeError(f"{self.name}: missing the parameters {', '.join(missing)}")
        shapes = _real(*(given[name] for name in self.shapes))
        loc, scale = _real(given.get("loc", 0.0), given.get("scale", 1.0))
        return shapes, loc, scale

    def _valid(self, shapes: tuple[ndarray, ...], scale: ndarray) -> Any:
        return self._is_valid(*shapes) & (scale > 0)

    def _log_density(self, x: Any, args: Any, kwargs: Any) -> ndarray:
        shapes, loc, scale = self._parameters(args, kwargs)
        (x,) = _real(x)
        z = (x - loc) / scale
        low, high = self._support(*shapes)
        inside = (z >= low) & (z <= high)
        if self.discrete:
            inside = inside & (z == cp.floor(z))
        value = self._rows[0](cp.where(inside, z, cp.where(cp.isfinite(high), high, low + 1)), *shapes)
        value = cp.where(inside, value - cp.log(scale), -cp.inf)
        return cp.where(self._valid(shapes, scale) & ~cp.isnan(z), value, cp.nan)

    def _chance(self, row: int, x: Any, args: Any, kwargs: Any) -> ndarray:
        shapes, loc, scale = self._parameters(args, kwargs)
        (x,) = _real(x)
        z = (x - loc) / scale
        if self.discrete:
            z = cp.floor(z)
        low, high = self._support(*shapes)
        ends = (0.0, 1.0) if row == 1 else (1.0, 0.0)
        below = z < low if self.discrete else z <= low
        inner = self._rows[row](cp.where(below | (z >= high), low + 0.5, z), *shapes)
        value = cp.where(below, ends[0], cp.where(z >= high, ends[1], inner))
        return cp.where(self._valid(shapes, scale) & ~cp.isnan(z), value, cp.nan)

    def _quantile(self, row: int, q: Any, args: Any, kwargs: Any) -> ndarray:
        shapes, loc, scale = self._parameters(args, kwargs)
        (q,) = _real(q)
        low, high = self._support(*shapes)
        if self.discrete:
            low = low - 1
        first, last = (low, high) if row == 3 else (high, low)
        inner = self._rows[row](cp.where((q > 0) & (q < 1), q, 0.5), *shapes)
        value = cp.where(q == 0, first, cp.where(q == 1, last, inner)) * scale + loc
        return cp.where(self._valid(shapes, scale) & (q >= 0) & (q <= 1), value, cp.nan)

    def logpdf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the logarithm of the density."""
        return self._log_density(x, args, kwargs)

    def pdf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the density."""
        return cp.exp(self._log_density(x, args, kwargs))

    logpmf, pmf = logpdf, pdf

    def cdf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the chance of a number up to `x`."""
        return self._chance(1, x, args, kwargs)

    def sf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the chance of a number above `x`."""
        return self._chance(2, x, args, kwargs)

    def logcdf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the logarithm of the chance of a number up to `x`."""
        return cp.log(self._chance(1, x, args, kwargs))

    def logsf(self, x: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the logarithm of the chance of a number above `x`."""
        return cp.log(self._chance(2, x, args, kwargs))

    def ppf(self, q: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the number up to which there is a chance of `q`."""
        return self._quantile(3, q, args, kwargs)

    def isf(self, q: Any, *args: Any, **kwargs: Any) -> ndarray:
        """Return the number above which there is a chance of `q`."""
        return self._quantile(4, q, args, kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> ndarray:
        """Return the mean."""
        shapes, loc, scale = self._parameters(args, kwargs)
        return cp.where(self._valid(shapes, scale), self._moments(*shapes)[0] * scale + loc, cp.nan)

    def var(self, *args: Any, **kwargs: Any) -> ndarray:
        """Return the variance."""
        shapes, _, scale = self._parameters(args, kwargs)
        return cp.where(self._valid(shapes, scale), self._moments(*shapes)[1] * scale**2, cp.nan)

    def std(self, *args: Any, **kwargs: Any) -> ndarray:
        """Return the standard deviation."""
        return cp.sqrt(self.var(*args, **kwargs))

    def median(self, *args: Any, **kwargs: Any) -> ndarray:
        """Return the median."""
        return self.ppf(0.5, *args, **kwargs)

    def rvs(self, *args: Any, size: Any = None, random_state: Any = None, **kwargs: Any) -> ndarray:
        """Return random numbers."""
        shapes, loc, scale = self._parameters(args, kwargs)
        if not bool(cp.all(self._valid(shapes, scale))):
            raise ValueError(f"{self.name}: Domain error in arguments.")
        whole = np.broadcast_shapes(*(a.shape for a in (*shapes, loc, scale)))
        size = whole if size is None else size
        own = isinstance(random_state, cp.random.Generator)
        generator = random_state if own else cp.random.default_rng(random_state)
        drawn = self._draw(generator, size, *shapes)
        result: ndarray = drawn + loc.astype(drawn.dtype) if self.discrete else drawn * scale + loc
        return result


class FrozenDistribution:
    """A distribution with its parameters; made by calling a family.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.uniform(loc=1.0, scale=2.0).cdf(2.0)
    array(0.5)
    """

    def __init__(self, dist: Distribution, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.dist, self.args, self.kwds = dist, args, kwargs
        dist._parameters(args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(Distribution, name):
            raise AttributeError(f"{self.dist.name}: there is no {name!r}")
        method = getattr(self.dist, name)

        def bound(*values: Any, **options: Any) -> Any:
            return method(*values, *self.args, **self.kwds, **options)

        return bound


def _positive(*shapes: ndarray) -> Any:
    valid: Any = cp.asarray(True)
    for shape in shapes:
        valid = valid & (shape > 0)
    return valid


def _from(low: float, high: float) -> Callable[..., tuple[Any, Any]]:
    return lambda *shapes: (cp.asarray(low), cp.asarray(high))


def _log_beta(a: Any, b: Any) -> ndarray:
    return special.gammaln(a) + special.gammaln(b) - special.gammaln(a + b)


norm = Distribution(
    "norm",
    (),
    lambda x: -x * x / 2 - 0.5 * math.log(2 * math.pi),
    lambda x: special.ndtr(x),
    lambda x: special.ndtr(-x),
    lambda q: special.ndtri(q),
    lambda q: -special.ndtri(q),
    lambda: (0.0, 1.0),
    lambda g, size: g.standard_normal(size),
    _from(-math.inf, math.inf),
    _positive,
)
uniform = Distribution(
    "uniform",
    (),
    lambda x: cp.zeros_like(x),
    lambda x: x,
    lambda x: 1 - x,
    lambda q: q,
    lambda q: 1 - q,
    lambda: (0.5, 1 / 12),
    lambda g, size: g.random(size),
    _from(0.0, 1.0),
    _positive,
)
expon = Distribution(
    "expon",
    (),
    lambda x: -x,
    lambda x: -cp.expm1(-x),
    lambda x: cp.exp(-x),
    lambda q: -cp.log1p(-q),
    lambda q: -cp.log(q),
    lambda: (1.0, 1.0),
    lambda g, size: g.standard_exponential(size),
    _from(0.0, math.inf),
    _positive,
)
gamma = Distribution(
    "gamma",
    ("a",),
    lambda x, a: special.xlogy(a - 1.0, x) - x - special.gammaln(a),
    lambda x, a: special.gammainc(a, x),
    lambda x, a: special.gammaincc(a, x),
    lambda q, a: special.gammaincinv(a, q),
    lambda q, a: special.gammainccinv(a, q),
    lambda a: (a, a),
    lambda g, size, a: g.standard_gamma(a, size),
    _from(0.0, math.inf),
    _positive,
)
beta = Distribution(
    "beta",
    ("a", "b"),
    lambda x, a, b: special.xlog1py(b - 1.0, -x) + special.xlogy(a - 1.0, x) - _log_beta(a, b),
    lambda x, a, b: special.betainc(a, b, x),
    lambda x, a, b: special.betainc(b, a, 1 - x),
    lambda q, a, b: special.betaincinv(a, b, q),
    lambda q, a, b: 1 - special.betaincinv(b, a, q),
    lambda a, b: (a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))),
    lambda g, size, a, b: g.beta(a, b, size),
    _from(0.0, 1.0),
    _positive,
)
t = Distribution(
    "t",
    ("df",),
    lambda x, df: -_log_beta(df / 2, 0.5) - 0.5 * cp.log(df) - (df + 1) / 2 * cp.log1p(x * x / df),
    lambda x, df: special.stdtr(df, x),
    lambda x, df: special.stdtr(df, -x),
    lambda q, df: special.stdtrit(df, q),
    lambda q, df: -special.stdtrit(df, q),
    lambda df: (
        cp.where(df > 1, 0.0, cp.inf),
        cp.where(df > 2, df / cp.where(df > 2, df - 2, 1.0), cp.where(df > 1, cp.inf, cp.nan)),
    ),
    lambda g, size, df: g.standard_t(df, size),
    _from(-math.inf, math.inf),
    _positive,
)
chi2 = Distribution(
    "chi2",
    ("df",),
    lambda x, df: special.xlogy(df / 2 - 1, x) - x / 2 - special.gammaln(df / 2) - math.log(2) * df / 2,
    lambda x, df: special.gammainc(df / 2, x / 2),
    lambda x, df: special.gammaincc(df / 2, x / 2),
    lambda q, df: 2 * special.gammaincinv(df / 2, q),
    lambda q, df: 2 * special.gammainccinv(df / 2, q),
    lambda df: (df, 2 * df),
    lambda g, size, df: g.chisquare(df, size),
    _from(0.0, math.inf),
    _positive,
)


def _f_part(x: ndarray, m: ndarray, n: ndarray) -> ndarray:
    return m * x / (n + m * x)


f = Distribution(
    "f",
    ("dfn", "dfd"),
    lambda x, m, n: (
        m / 2 * cp.log(m)
        + n / 2 * cp.log(n)
        + special.xlogy(m / 2 - 1, x)
        - (m + n) / 2 * cp.log(n + m * x)
        - _log_beta(m / 2, n / 2)
    ),
    lambda x, m, n: special.betainc(m / 2, n / 2, _f_part(x, m, n)),
    lambda x, m, n: special.betainc(n / 2, m / 2, n / (n + m * x)),
    lambda q, m, n: _f_quantile(special.betaincinv(m / 2, n / 2, q), m, n),
    lambda q, m, n: n / m * (1 / special.betaincinv(n / 2, m / 2, q) - 1),
    lambda m, n: (
        cp.where(n > 2, n / cp.where(n > 2, n - 2, 1.0), cp.inf),
        cp.where(
            n > 4,
            2 * n * n * (m + n - 2) / (m * cp.where(n > 4, (n - 2) ** 2 * (n - 4), 1.0)),
            cp.inf,
        ),
    ),
    lambda g, size, m, n: g.f(m, n, size),
    _from(0.0, math.inf),
    _positive,
)


def _f_quantile(y: ndarray, m: ndarray, n: ndarray) -> ndarray:
    return n * y / (m * (1 - y))


def _whole(guess: ndarray, q: ndarray, cdf: Callable[..., ndarray], high: Any) -> ndarray:
    """Return the least whole number whose chance is at least `q`, from a guess: by halving."""
    low = cp.full(np.broadcast_shapes(guess.shape, q.shape), -1.0)
    top = cp.minimum(cp.maximum(cp.ceil(guess), 1.0), high)
    for _ in range(64):
        short = (cdf(top) < q) & (top < high)
        if not bool(short.any()):
            break
        low, top = cp.where(short, top, low), cp.where(short, cp.minimum(2 * top, high), top)
    for _ in range(64):
        if not bool((top - low > 1).any()):
            break
        middle = cp.floor((low + top) / 2)
        enough = cdf(middle) >= q
        wide = top - low > 1
        low, top = cp.where(wide & ~enough, middle, low), cp.where(wide & enough, middle, top)
    return top


poisson = Distribution(
    "poisson",
    ("mu",),
    lambda k, mu: special.xlogy(k, mu) - special.gammaln(k + 1) - mu,
    lambda k, mu: special.gammaincc(k + 1, mu),
    lambda k, mu: special.gammainc(k + 1, mu),
    lambda q, mu: _whole(mu + 0 * q, q, lambda k: special.gammaincc(k + 1, mu), cp.inf),
    lambda q, mu: _whole(mu + 0 * q, -q, lambda k: -special.gammainc(k + 1, mu), cp.inf),
    lambda mu: (mu, mu),
    lambda g, size, mu: g.poisson(mu, size),
    _from(0.0, math.inf),
    lambda mu: mu >= 0,
    discrete=True,
)


def _binom_cdf(k: ndarray, n: ndarray, p: ndarray) -> ndarray:
    inside = k < n
    return cp.where(inside, special.betainc(cp.where(inside, n - k, 1.0), k + 1, 1 - p), 1.0)


def _binom_sf(k: ndarray, n: ndarray, p: ndarray) -> ndarray:
    inside = k < n
    return cp.where(inside, special.betainc(k + 1, cp.where(inside, n - k, 1.0), p), 0.0)


binom = Distribution(
    "binom",
    ("n", "p"),
    lambda k, n, p: (
        special.gammaln(n + 1)
        - special.gammaln(k + 1)
        - special.gammaln(n - k + 1)
        + special.xlogy(k, p)
        + special.xlog1py(n - k, -p)
    ),
    _binom_cdf,
    _binom_sf,
    lambda q, n, p: _whole(n * p + 0 * q, q, lambda k: _binom_cdf(k, n, p), n),
    lambda q, n, p: _whole(n * p + 0 * q, -q, lambda k: -_binom_sf(k, n, p), n),
    lambda n, p: (n * p, n * p * (1 - p)),
    lambda g, size, n, p: g.binomial(n.astype(np.int64), p, size),
    lambda n, p: (cp.asarray(0.0), n),
    lambda n, p: (n >= 0) & (n == cp.floor(n)) & (p >= 0) & (p <= 1),
    discrete=True,
)

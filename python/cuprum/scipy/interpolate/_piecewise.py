"""Polynomials between breakpoints, by powers; those in Bernstein's basis are in `_bernstein`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, inexact, kernel, moved, real, uncolumns
from ._real_roots import roots_between

if TYPE_CHECKING:
    from ._bernstein import BPoly

__all__ = ["PPoly"]

P = TypeVar("P", bound="Piecewise")


def _falling(top: int, nu: int) -> float:
    return math.prod(float(top - i) for i in range(nu))


class Piecewise:
    """What both kinds of piecewise polynomials share."""

    c: ndarray
    x: ndarray
    extrapolate: Any
    axis: int

    def __init__(self, c: ArrayLike, x: ArrayLike, extrapolate: Any = None, axis: int = 0) -> None:
        c, self.x = inexact(c), real(x)
        if extrapolate is None:
            extrapolate = True
        elif extrapolate != "periodic":
            extrapolate = bool(extrapolate)
        self.extrapolate = extrapolate
        if c.ndim < 2:
            raise ValueError("Coefficients array must be at least 2-dimensional.")
        if not 0 <= axis < c.ndim - 1:
            raise ValueError(f"axis={axis} must be between 0 and {c.ndim - 1}")
        self.axis = axis
        if axis != 0:
            c = cp.moveaxis(cp.moveaxis(c, axis + 1, 0), axis + 1, 0)
        if self.x.ndim != 1:
            raise ValueError("x must be 1-dimensional")
        if self.x.size < 2:
            raise ValueError("at least 2 breakpoints are needed")
        if c.shape[0] == 0:
            raise ValueError("polynomial must be at least of order 0")
        if c.shape[1] != self.x.size - 1:
            raise ValueError("number of coefficients != len(x)-1")
        steps = cp.diff(self.x)
        if not (bool((steps >= 0).all()) or bool((steps <= 0).all())):
            raise ValueError("`x` must be strictly increasing or decreasing.")
        self.c = cp.ascontiguousarray(c)

    @classmethod
    def construct_fast(cls: type[P], c: ndarray, x: ndarray, extrapolate: Any = None, axis: int = 0) -> P:
        """Make a polynomial of arrays that are known to fit: nothing is checked.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0]], [0.0, 1.0])
        >>> float(PPoly.construct_fast(p.c, p.x)(0.5))
        0.5
        """
        self = object.__new__(cls)
        self.c, self.x, self.axis = c, x, axis
        self.extrapolate = True if extrapolate is None else extrapolate
        return self

    def extend(self, c: ArrayLike, x: ArrayLike) -> None:
        """Add breakpoints with their polynomials at one of the ends.

        Parameters
        ----------
        c : (K, M, ...) array_like
            The coefficients.
        x : (M,) array_like
            The breakpoints, which lie all after or all before those that there are.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0]], [0.0, 1.0])
        >>> p.extend(cp.asarray([[2.0], [1.0]]), cp.asarray([2.0]))
        >>> float(p(1.5))
        2.0
        """
        c, x = inexact(c), real(x)
        if c.ndim < 2:
            raise ValueError("invalid dimensions for c")
        if x.ndim != 1:
            raise ValueError("invalid dimensions for x")
        if x.shape[0] != c.shape[1]:
            raise ValueError(f"Shapes of x {x.shape} and c {c.shape} are incompatible")
        if c.shape[2:] != self.c.shape[2:] or c.ndim != self.c.ndim:
            raise ValueError(f"Shapes of c {c.shape} and self.c {self.c.shape} are incompatible")
        if c.size == 0:
            return
        first, last, start, end = (float(v) for v in (x[0], x[-1], self.x[0], self.x[-1]))
        steps = cp.diff(x)
        if not (bool((steps >= 0).all()) or bool((steps <= 0).all())):
            raise ValueError("`x` is not sorted.")
        sign = 1 if end >= start else -1
        if sign * (last - first) < 0:
            raise ValueError("`x` is in the different order than `self.x`.")
        if sign * (first - end) >= 0:
            after = True
        elif sign * (last - start) <= 0:
            after = False
        else:
            raise ValueError("`x` is neither on the left or on the right from `self.x`.")
        order = max(c.shape[0], self.c.shape[0])
        parts = [_padded(part, order) for part in ((self.c, c) if after else (c, self.c))]
        self.c = cp.concatenate(parts, axis=1)
        self.x = cp.concatenate((self.x, x) if after else (x, self.x))

    def __call__(self, x: ArrayLike, nu: int = 0, extrapolate: Any = None) -> ndarray:
        """Evaluate the polynomial or a derivative.

        Parameters
        ----------
        x : array_like
            The points.
        nu : int, optional
            The order of the derivative.
        extrapolate : bool or "periodic", optional
            What there is outside: the polynomials at the ends, NaN, or the same again.

        Returns
        -------
        ndarray
            The values, with the axes of `x` in the place of the interpolation axis.
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        x = as_array(x)
        flat = real(x).ravel()
        if extrapolate == "periodic":
            flat = self.x[0] + (flat - self.x[0]) % (self.x[-1] - self.x[0])
            extrapolate = False
        if nu < 0:
            raise ValueError("Order of derivative cannot be negative")
        out = self._evaluate(cp.ascontiguousarray(flat), nu, bool(extrapolate))
        return moved(uncolumns(out, self.c.dtype, x.shape + self.c.shape[2:]), x.ndim, self.axis)

    def _evaluate(self, x: ndarray, nu: int, extrapolate: bool) -> ndarray:
        raise NotImplementedError

    def _without_period(self) -> Any:
        """How an antiderivative extrapolates: that of a periodic function is not periodic."""
        return False if self.extrapolate == "periodic" else self.extrapolate

    def _wrapped(self, a: float, b: float) -> tuple[float, list[tuple[float, float]]]:
        """Return how many periods lie between two points, and the rest as intervals of the first."""
        start, end = float(self.x[0]), float(self.x[-1])
        periods, left = divmod(b - a, end - start)
        a = start + (a - start) % (end - start)
        b = a + left
        return periods, [(a, b)] if b <= end else [(a, end), (start, start + left + a - end)]


def _padded(c: ndarray, order: int) -> ndarray:
    """Return coefficients with zeros for higher powers."""
    if c.shape[0] == order:
        return c
    return cp.concatenate((cp.zeros((order - c.shape[0], *c.shape[1:]), c.dtype), c))


class PPoly(Piecewise):
    """Piecewise polynomials by powers: ``sum(c[m, i] * (xp - x[i])**(k - m) for m in range(k + 1))``.

    Parameters
    ----------
    c : (K + 1, M, ...) array_like
        The coefficients, by falling powers and by intervals.
    x : (M + 1,) array_like
        The breakpoints, rising or falling.
    extrapolate : bool or "periodic", optional
        What there is outside: the polynomials at the ends (by default), NaN, or the same again.
    axis : int, optional
        The interpolation axis.

    Attributes
    ----------
    c, x : ndarray
        The coefficients and the breakpoints.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import PPoly
    >>> p = PPoly(cp.array([[1.0, 2.0], [0.0, 1.0]]), cp.array([0.0, 1.0, 2.0]))
    >>> p(cp.array([0.5, 1.5]))
    array([0.5, 2. ])
    """

    def _evaluate(self, x: ndarray, nu: int, extrapolate: bool) -> ndarray:
        c = columns(self.c, 2)
        out = cp.empty((x.size, c.shape[2]))
        sizes = (np.int64(v) for v in (c.shape[0], self.x.size, c.shape[2], x.size, nu))
        arguments = (c, cp.ascontiguousarray(self.x), x, out, *sizes, np.bool_(extrapolate))
        launch(kernel("piecewise", "by_powers"), x.size, arguments)
        return out

    def derivative(self, nu: int = 1) -> PPoly:
        """Return the derivative as a piecewise polynomial.

        Parameters
        ----------
        nu : int, optional
            Its order; the antiderivative where it is negative.

        Returns
        -------
        PPoly
            The derivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0], [-1.0]], [0.0, 3.0])
        >>> float(p.derivative()(2.0))
        4.0
        """
        if nu < 0:
            return self.antiderivative(-nu)
        order = self.c.shape[0]
        if nu >= order:
            c = cp.zeros((1, *self.c.shape[1:]), self.c.dtype)
        else:
            factors = cp.array([_falling(order - 1 - row, nu) for row in range(order - nu)])
            c = self.c[: order - nu] * factors.reshape(-1, *[1] * (self.c.ndim - 1))
        return PPoly.construct_fast(c, self.x, self.extrapolate, self.axis)

    def antiderivative(self, nu: int = 1) -> PPoly:
        """Return an integral as a piecewise polynomial, continuous and zero at the first breakpoint.

        Parameters
        ----------
        nu : int, optional
            How often to integrate; the derivative where it is negative.

        Returns
        -------
        PPoly
            The antiderivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0], [-1.0]], [0.0, 3.0])
        >>> float(p.antiderivative()(3.0))
        6.0
        """
        if nu <= 0:
            return self.derivative(-nu)
        c = self.c
        for _ in range(nu):
            c = _integrated(c, self.x)
        return PPoly.construct_fast(c, self.x, self._without_period(), self.axis)

    def _between(self, a: float, b: float, extrapolate: bool) -> ndarray:
        """Return the integral from `a` up to `b`: each interval adds what it has between them."""
        first, last = sorted((float(self.x[0]), float(self.x[-1])))
        if not extrapolate and (a < first or b > last):
            return cp.full(self.c.shape[2:], np.nan, self.c.dtype)
        # The outer intervals reach as far as the range does.
        ends = self.x.copy()
        rising = bool(self.x[-1] >= self.x[0])
        ends[0], ends[-1] = (-np.inf, np.inf) if rising else (np.inf, -np.inf)
        low = cp.maximum(cp.minimum(ends[:-1], ends[1:]), a)
        high = cp.minimum(cp.maximum(ends[:-1], ends[1:]), b)
        rest = (-1, *[1] * (self.c.ndim - 2))
        order = self.c.shape[0]
        total: Any = 0.0
        for at, sign in ((high, 1.0), (low, -1.0)):
            s = (at - self.x[:-1]).reshape(rest)
            value: Any = 0.0
            for row in range(order):
                value = (value + self.c[row] / (order - row)) * s
            total = total + sign * value
        used = (high > low).reshape(rest)
        return cp.where(used, total, 0.0).sum(0)

    def integrate(self, a: float, b: float, extrapolate: Any = None) -> ndarray:
        """Integrate between two points.

        Parameters
        ----------
        a, b : float
            The points.
        extrapolate : bool or "periodic", optional
            What there is outside of the breakpoints.

        Returns
        -------
        ndarray
            The integral.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0], [-1.0]], [0.0, 3.0])
        >>> float(p.integrate(0, 3))
        6.0
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        a, b, sign = float(a), float(b), 1
        if b < a:
            a, b, sign = b, a, -1
        if extrapolate != "periodic":
            result: ndarray = sign * self._between(a, b, bool(extrapolate))
            return result
        periods, parts = self._wrapped(a, b)
        total = cp.zeros(self.c.shape[2:], self.c.dtype)
        if periods > 0:
            total = periods * self._between(float(self.x[0]), float(self.x[-1]), False)
        for start, end in parts:
            total = total + self._between(start, end, False)
        return sign * total

    def solve(self, y: float = 0.0, discontinuity: bool = True, extrapolate: Any = None) -> Any:
        """Find where the polynomial has a value.

        Parameters
        ----------
        y : float, optional
            The value.
        discontinuity : bool, optional
            Whether a jump over the value counts.
        extrapolate : bool or "periodic", optional
            Whether roots beyond the breakpoints count.

        Returns
        -------
        ndarray
            The points, rising by intervals. An interval where the polynomial has the value everywhere
            gives its start and a NaN. Several polynomials give an array of arrays.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0], [-1.0]], [0.0, 3.0])
        >>> p.solve(3.0, extrapolate=False)
        array([2.])
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        if self.c.dtype.kind == "c":
            raise ValueError("Root finding is only for real-valued polynomials")
        flat = self.c.reshape(*self.c.shape[:2], -1)
        found = [
            roots_between(flat[:, :, i], self.x, float(y), bool(discontinuity), bool(extrapolate))
            for i in range(flat.shape[2])
        ]
        if self.c.ndim == 2:
            return found[0]
        result = np.empty(len(found), dtype=object)
        for i, roots in enumerate(found):
            result[i] = roots
        return result.reshape(self.c.shape[2:])

    def roots(self, discontinuity: bool = True, extrapolate: Any = None) -> Any:
        """Find the zeros; see `solve`.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> p = PPoly([[1.0], [0.0], [-1.0]], [0.0, 3.0])
        >>> p.roots(extrapolate=False)
        array([1.])
        """
        return self.solve(0.0, discontinuity, extrapolate)

    @classmethod
    def from_spline(cls, tck: Any, extrapolate: Any = None) -> PPoly:
        """Return a spline as a piecewise polynomial.

        Parameters
        ----------
        tck : BSpline or (t, c, k)
            The spline.
        extrapolate : bool or "periodic", optional
            What there is outside; as the spline by default.

        Returns
        -------
        PPoly
            The same function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> float(PPoly.from_spline(spline)(1.5))
        2.5
        """
        from ._bsplines import BSpline

        spline = tck if isinstance(tck, BSpline) else BSpline(*tck)
        if extrapolate is None and isinstance(tck, BSpline):
            extrapolate = tck.extrapolate
        starts, k = spline.t[:-1], spline.k
        rows = [spline(starts, nu=m, extrapolate=True) / math.factorial(m) for m in range(k, -1, -1)]
        return cls.construct_fast(cp.stack(rows), spline.t, extrapolate)

    @classmethod
    def from_bernstein_basis(cls, bp: BPoly, extrapolate: Any = None) -> PPoly:
        """Return a polynomial in Bernstein's basis by powers.

        Parameters
        ----------
        bp : BPoly
            The polynomial.
        extrapolate : bool or "periodic", optional
            What there is outside; as `bp` by default.

        Returns
        -------
        PPoly
            The same function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import PPoly
        >>> from cuprum.scipy.interpolate import BPoly
        >>> float(PPoly.from_bernstein_basis(BPoly([[1.0], [2.0], [3.0]], [0.0, 1.0]))(0.5))
        2.0
        """
        from ._bernstein import BPoly

        if not isinstance(bp, BPoly):
            raise TypeError(f".from_bernstein_basis only accepts BPoly instances. Got {type(bp)} instead.")
        steps = cp.diff(bp.x).reshape(-1, *[1] * (bp.c.ndim - 2))
        k = bp.c.shape[0] - 1
        rows: list[Any] = [0.0] * (k + 1)
        for a in range(k + 1):
            factor = (-1) ** a * math.comb(k, a) * bp.c[a]
            for s in range(a, k + 1):
                rows[k - s] = rows[k - s] + factor * (math.comb(k - a, s - a) * (-1) ** s) / steps**s
        extrapolate = bp.extrapolate if extrapolate is None else extrapolate
        return cls.construct_fast(cp.stack(rows), bp.x, extrapolate, bp.axis)


def _integrated(c: ndarray, x: ndarray) -> ndarray:
    """Return the coefficients of the integral from the first breakpoint."""
    order = c.shape[0]
    powers = cp.arange(order, 0, -1).reshape(-1, *[1] * (c.ndim - 1))
    rows = c / powers
    steps = cp.diff(x).reshape(-1, *[1] * (c.ndim - 2))
    over: Any = 0.0
    for row in range(order):
        over = (over + rows[row]) * steps
    total = cp.cumsum(over, axis=0)
    before = cp.concatenate((cp.zeros_like(total[:1]), total[:-1]))
    return cp.concatenate((rows, before[None]))

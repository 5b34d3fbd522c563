"""Piecewise polynomials in Bernstein's basis: `BPoly`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, inexact, kernel, real
from ._piecewise import Piecewise, PPoly

__all__ = ["BPoly"]


def _raised(c: ndarray, by: int) -> ndarray:
    """Return Bernstein coefficients of the same polynomial with a degree that is higher."""
    if by == 0:
        return c
    k = c.shape[0] - 1
    rows: list[Any] = [0.0] * (c.shape[0] + by)
    for a in range(c.shape[0]):
        factor = c[a] * math.comb(k, a)
        for j in range(by + 1):
            rows[a + j] = rows[a + j] + factor * math.comb(by, j) / math.comb(k + by, a + j)
    return cp.stack(rows)


class BPoly(Piecewise):
    """Piecewise polynomials in Bernstein's basis.

    Parameters
    ----------
    c : (K + 1, M, ...) array_like
        The coefficients, by basis functions and by intervals.
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
    >>> from cuprum.scipy.interpolate import BPoly
    >>> BPoly(cp.array([[1.0], [2.0], [3.0]]), cp.array([0.0, 1.0]))(0.5)
    array(2.)
    """

    def _evaluate(self, x: ndarray, nu: int, extrapolate: bool) -> ndarray:
        if nu:
            return self.derivative(nu)._evaluate(x, 0, extrapolate)
        c = columns(self.c, 2)
        out = cp.empty((x.size, c.shape[2]))
        sizes = (np.int64(v) for v in (self.x.size, c.shape[2], x.size))
        arguments = (c, cp.ascontiguousarray(self.x), x, out, *sizes, np.bool_(extrapolate))
        launch(kernel("piecewise", f"by_bernstein<{c.shape[0]}>"), x.size, arguments)
        return out

    def derivative(self, nu: int = 1) -> BPoly:
        """Return the derivative as a piecewise polynomial.

        Parameters
        ----------
        nu : int, optional
            Its order; the antiderivative where it is negative.

        Returns
        -------
        BPoly
            The derivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BPoly
        >>> p = BPoly([[1.0], [2.0], [3.0]], [0.0, 1.0])
        >>> float(p.derivative()(0.5))
        2.0
        """
        if nu < 0:
            return self.antiderivative(-nu)
        c = self.c
        steps = cp.diff(self.x).reshape(1, -1, *[1] * (c.ndim - 2))
        for _ in range(nu):
            k = c.shape[0] - 1
            c = k * cp.diff(c, axis=0) / steps if k else cp.zeros((1, *c.shape[1:]), c.dtype)
        return BPoly.construct_fast(c, self.x, self.extrapolate, self.axis)

    def antiderivative(self, nu: int = 1) -> BPoly:
        """Return an integral as a piecewise polynomial, continuous and zero at the first breakpoint.

        Parameters
        ----------
        nu : int, optional
            How often to integrate; the derivative where it is negative.

        Returns
        -------
        BPoly
            The antiderivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BPoly
        >>> p = BPoly([[1.0], [2.0], [3.0]], [0.0, 1.0])
        >>> float(p.antiderivative()(1.0))
        2.0
        """
        if nu <= 0:
            return self.derivative(-nu)
        c = self.c
        steps = cp.diff(self.x).reshape(1, -1, *[1] * (c.ndim - 2))
        for _ in range(nu):
            sums = cp.cumsum(c, axis=0) / c.shape[0] * steps
            total = cp.cumsum(sums[-1], axis=0)
            before = cp.concatenate((cp.zeros_like(total[:1]), total[:-1]))
            c = cp.concatenate((cp.zeros_like(c[:1]), sums)) + before
        return BPoly.construct_fast(c, self.x, self._without_period(), self.axis)

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
        >>> from cuprum.scipy.interpolate import BPoly
        >>> p = BPoly([[1.0], [2.0], [3.0]], [0.0, 1.0])
        >>> float(p.integrate(0, 1))
        2.0
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        integral = self.antiderivative()
        if extrapolate != "periodic":
            return integral(b, extrapolate=extrapolate) - integral(a, extrapolate=extrapolate)
        a, b, sign = float(a), float(b), 1
        if b < a:
            a, b, sign = b, a, -1
        periods, parts = self._wrapped(a, b)
        total = periods * (integral(self.x[-1]) - integral(self.x[0]))
        for start, end in parts:
            total = total + integral(end) - integral(start)
        return sign * total

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
        >>> from cuprum.scipy.interpolate import BPoly
        >>> p = BPoly([[1.0], [2.0], [3.0]], [0.0, 1.0])
        >>> p.extend(cp.asarray([[1.0], [2.0], [3.0]]), cp.asarray([2.0]))
        >>> p.x
        array([0., 1., 2.])
        """
        c = inexact(c)
        order = max(self.c.shape[0], c.shape[0])
        self.c = _raised(self.c, order - self.c.shape[0])
        super().extend(_raised(c, order - c.shape[0]), x)

    @classmethod
    def from_power_basis(cls, pp: PPoly, extrapolate: Any = None) -> BPoly:
        """Return a polynomial by powers in Bernstein's basis.

        Parameters
        ----------
        pp : PPoly
            The polynomial.
        extrapolate : bool or "periodic", optional
            What there is outside; as `pp` by default.

        Returns
        -------
        BPoly
            The same function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BPoly
        >>> from cuprum.scipy.interpolate import PPoly
        >>> float(BPoly.from_power_basis(PPoly([[1.0], [0.0], [0.0]], [0.0, 1.0]))(0.5))
        0.25
        """
        if not isinstance(pp, PPoly):
            raise TypeError(f".from_power_basis only accepts PPoly instances. Got {type(pp)} instead.")
        steps = cp.diff(pp.x).reshape(-1, *[1] * (pp.c.ndim - 2))
        k = pp.c.shape[0] - 1
        rows: list[Any] = [0.0] * (k + 1)
        for a in range(k + 1):
            factor = pp.c[a] / math.comb(k, k - a) * steps ** (k - a)
            for j in range(k - a, k + 1):
                rows[j] = rows[j] + factor * math.comb(j, k - a)
        extrapolate = pp.extrapolate if extrapolate is None else extrapolate
        return cls.construct_fast(cp.stack(rows), pp.x, extrapolate, pp.axis)

    @classmethod
    def from_derivatives(
        cls, xi: ArrayLike, yi: Sequence[Any], orders: Any = None, extrapolate: Any = None
    ) -> BPoly:
        """Return the polynomial with given values and derivatives at breakpoints.

        Parameters
        ----------
        xi : (N,) array_like
            The breakpoints, rising.
        yi : array_like or list of array_likes
            ``yi[i][j]`` is the derivative of order j at ``xi[i]``.
        orders : int or sequence of int, optional
            The degrees of the polynomials; as many as there are conditions by default.
        extrapolate : bool or "periodic", optional
            What there is outside.

        Returns
        -------
        BPoly
            The polynomial.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BPoly
        >>> float(BPoly.from_derivatives([0, 1], [[0, 0], [1, 0]])(0.5))
        0.5
        """
        x = real(xi)
        if x.shape[0] != len(yi):
            raise ValueError("xi and yi need to have the same length")
        if bool((cp.diff(x) <= 0).any()):
            raise ValueError("x coordinates are not in increasing order")
        m = x.shape[0] - 1
        try:
            k = max(len(yi[i]) + len(yi[i + 1]) for i in range(m))
        except TypeError as error:
            raise ValueError("Using a 1-D array for y? Please .reshape(-1, 1).") from error
        degrees: list[Any] = [None] * m
        if orders is not None:
            degrees = [int(orders)] * m if isinstance(orders, (int, np.integer)) else [int(o) for o in orders]
            k = max(k, max(degrees))
            if any(degree <= 0 for degree in degrees):
                raise ValueError("Orders must be positive.")
        intervals = []
        for i, degree in enumerate(degrees):
            left, right = inexact(yi[i]), inexact(yi[i + 1])
            n1, n2 = len(left), len(right)
            if degree is not None:
                n = degree + 1
                n1 = min(n // 2, len(left))
                n2 = min(n - n1, len(right))
                n1 = min(n - n2, len(right))
                if n1 + n2 != n or n1 > len(left) or n2 > len(right):
                    raise ValueError(
                        f"Point {float(x[i])} has {len(left)} derivatives, point {float(x[i + 1])} has "
                        f"{len(right)} derivatives, but order {degree} requested"
                    )
            b = _hermite(x[i + 1] - x[i], left[:n1], right[:n2])
            intervals.append(_raised(b, k - b.shape[0]))
        return cls(cp.stack(intervals, 1), x, extrapolate)


def _hermite(step: ndarray, left: ndarray, right: ndarray) -> ndarray:
    """Return the Bernstein coefficients that fit derivatives at both ends of an interval."""
    if left.shape[1:] != right.shape[1:]:
        raise ValueError(f"Shapes of ya {left.shape} and yb {right.shape} are incompatible")
    n = len(left) + len(right)
    rows: list[Any] = [0.0] * n
    for q in range(len(left)):
        rows[q] = left[q] / math.prod(range(n - q, n)) * step**q
        for j in range(q):
            rows[q] = rows[q] - (-1) ** (j + q) * math.comb(q, j) * rows[j]
    for q in range(len(right)):
        rows[n - q - 1] = right[q] / math.prod(range(n - q, n)) * (-1) ** q * step**q
        for j in range(q):
            rows[n - q - 1] = rows[n - q - 1] - (-1) ** (j + 1) * math.comb(q, j + 1) * rows[n - q + j]
    return cp.stack([inexact(row) for row in rows])

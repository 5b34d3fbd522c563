"""B-splines of one variable."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, finite, inexact, kernel, moved, real, uncolumns
from ._least_squares import basis_values

__all__ = ["BSpline", "splantider", "splder"]


def splder(tck: Any, n: int = 1) -> Any:
    """Return the derivative of a spline.

    Parameters
    ----------
    tck : BSpline or (t, c, k)
        The spline.
    n : int, optional
        The order of the derivative.

    Returns
    -------
    BSpline or (t, c, k)
        The derivative, in the form of the argument.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import make_interp_spline, splder
    >>> spline = make_interp_spline(cp.arange(6.0), cp.arange(6.0) ** 2)
    >>> splder(spline)(2.5).round(6)
    array(5.)
    """
    if isinstance(tck, BSpline):
        return tck.derivative(n)
    if n < 0:
        return splantider(tck, -n)
    t, c, k = tck
    t, c = real(t), inexact(c)
    if n > k:
        raise ValueError(f"Order of derivative (n = {n!r}) must be <= order of spline (k = {k!r})")
    rest = (-1, *[1] * (c.ndim - 1))
    for _ in range(n):
        width = (t[k + 1 : -1] - t[1 : -k - 1]).reshape(rest)
        # Coincident knots leave no interval: what stands there is never used.
        count = t.size - k - 2
        slopes = k * (c[1 : count + 1] - c[:count]) / cp.where(width == 0, 1.0, width)
        slopes = cp.where(width == 0, 0.0, slopes)
        c = cp.concatenate((slopes, cp.zeros((k, *c.shape[1:]), c.dtype)))
        t, k = t[1:-1], k - 1
    return t, c, k


def splantider(tck: Any, n: int = 1) -> Any:
    """Return the integral of a spline from its first knot.

    Parameters
    ----------
    tck : BSpline or (t, c, k)
        The spline.
    n : int, optional
        How often to integrate.

    Returns
    -------
    BSpline or (t, c, k)
        The antiderivative, in the form of the argument.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import make_interp_spline, splantider
    >>> spline = make_interp_spline(cp.arange(6.0), cp.arange(6.0) ** 2)
    >>> splantider(spline)(3.0).round(6)
    array(9.)
    """
    if isinstance(tck, BSpline):
        return tck.antiderivative(n)
    if n < 0:
        return splder(tck, -n)
    t, c, k = tck
    t, c = real(t), inexact(c)
    rest = (-1, *[1] * (c.ndim - 1))
    for _ in range(n):
        count = t.size - k - 1
        width = (t[k + 1 :] - t[: -k - 1]).reshape(rest)
        sums = cp.cumsum(c[:count] * width, axis=0) / (k + 1)
        tail = cp.broadcast_to(sums[-1:], (k + 2, *sums.shape[1:]))
        c = cp.concatenate((cp.zeros_like(sums[:1]), sums, tail))
        t, k = cp.concatenate((t[:1], t, t[-1:])), k + 1
    return t, c, k


class BSpline:
    """A spline as a sum of B-spline basis functions.

    Parameters
    ----------
    t : (N + K + 1,) array_like
        The knots.
    c : (>= N, ...) array_like
        The coefficients.
    k : int
        The degree.
    extrapolate : bool or "periodic", optional
        What there is outside of ``t[k]`` to ``t[n]``: the polynomials at the ends (by default), NaN, or
        the same again.
    axis : int, optional
        The interpolation axis.

    Attributes
    ----------
    t, c : ndarray
        The knots and the coefficients.
    k : int
        The degree.
    tck : tuple
        All three.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import BSpline
    >>> BSpline(cp.arange(7.0), cp.array([-1.0, 2.0, 0.0, -1.0]), 2)(2.5)
    array(1.375)
    """

    t: ndarray
    c: ndarray
    k: int
    extrapolate: Any
    axis: int

    def __init__(self, t: ArrayLike, c: ArrayLike, k: int, extrapolate: Any = True, axis: int = 0) -> None:
        self.k = operator.index(k)
        self.t, c = real(t), inexact(c)
        self.extrapolate = extrapolate if extrapolate == "periodic" else bool(extrapolate)
        if c.ndim < 1:
            raise np.exceptions.AxisError(axis, 0, "BSpline: Coefficients must be at least 1-dimensional")
        self.axis = normalize_axis("BSpline", axis, c.ndim)
        if self.axis != 0:
            c = cp.moveaxis(c, self.axis, 0)
        if self.k < 0:
            raise ValueError("Spline order cannot be negative.")
        if self.t.ndim != 1:
            raise ValueError("Knot vector must be one-dimensional.")
        n = self.t.size - self.k - 1
        if n < self.k + 1:
            raise ValueError(f"Need at least {2 * self.k + 2} knots for degree {self.k}")
        if bool((cp.diff(self.t) < 0).any()):
            raise ValueError("Knots must be in a non-decreasing order.")
        if not bool(self.t[self.k] != self.t[n]):
            raise ValueError("Need at least two internal knots.")
        if not bool(cp.isfinite(self.t).all()):
            raise ValueError("Knots should not have nans or infs.")
        if c.shape[0] < n:
            raise ValueError("Knots, coefficients and degree are inconsistent.")
        self.c = cp.ascontiguousarray(c)

    @classmethod
    def construct_fast(
        cls, t: ndarray, c: ndarray, k: int, extrapolate: Any = True, axis: int = 0
    ) -> BSpline:
        """Make a spline of arrays that are known to fit: nothing is checked.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> float(BSpline.construct_fast(spline.t, spline.c, spline.k)(1.0))
        1.0
        """
        self = object.__new__(cls)
        self.t, self.c, self.k = t, c, k
        self.extrapolate, self.axis = extrapolate, axis
        return self

    @property
    def tck(self) -> tuple[ndarray, ndarray, int]:
        """The knots, the coefficients and the degree."""
        return self.t, self.c, self.k

    @classmethod
    def basis_element(cls, t: ArrayLike, extrapolate: Any = True) -> BSpline:
        """Return the basis function with the given knots.

        Parameters
        ----------
        t : (K + 2,) array_like
            The knots.
        extrapolate : bool or "periodic", optional
            What there is outside.

        Returns
        -------
        BSpline
            The basis function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> float(BSpline.basis_element([0, 1, 2])(1.0))
        1.0
        """
        t = real(t)
        k = t.shape[0] - 2
        t = cp.concatenate((cp.full(k, float(t[0]) - 1), t, cp.full(k, float(t[-1]) + 1)))
        c = cp.zeros_like(t)
        c[k] = 1.0
        return cls.construct_fast(t, c, k, extrapolate)

    @classmethod
    def design_matrix(cls, x: ArrayLike, t: ArrayLike, k: int, extrapolate: Any = False) -> Any:
        """Return the basis functions at points, as a sparse array with a row for each point.

        Parameters
        ----------
        x : (N,) array_like
            The points.
        t : array_like
            The knots.
        k : int
            The degree.
        extrapolate : bool or "periodic", optional
            What there is outside.

        Returns
        -------
        csr_array
            The matrix.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> BSpline.design_matrix(cp.asarray([0.5, 1.5]), spline.t, 1).toarray()
        array([[0.5, 0.5, 0. ],
               [0. , 0.5, 0.5]])
        """
        from ..sparse import csr_array

        x, t = finite(x), finite(t)
        if k < 0:
            raise ValueError("Spline order cannot be negative.")
        if t.ndim != 1 or bool((cp.diff(t) < 0).any()):
            raise ValueError(f"Expect t to be a 1-D sorted array_like, but got t={t}.")
        if t.size < 2 * k + 2:
            raise ValueError(f"Length t is not enough for k={k}.")
        n = t.size - k - 1
        if extrapolate == "periodic":
            x = t[k] + (x - t[k]) % (t[n] - t[k])
        elif not extrapolate and x.size and bool((x.min() < t[k]) | (x.max() > t[n])):
            raise ValueError(f"Out of bounds w/ x = {x}.")
        first, values = basis_values(t, k, x)
        index = (first[:, None] + cp.arange(k + 1)).ravel()
        start = cp.arange(x.size + 1) * (k + 1)
        return csr_array((values.ravel(), index.astype(np.int32), start.astype(np.int32)), shape=(x.size, n))

    def __call__(self, x: ArrayLike, nu: int = 0, extrapolate: Any = None) -> ndarray:
        """Evaluate the spline or a derivative.

        Parameters
        ----------
        x : array_like
            The points.
        nu : int, optional
            The order of the derivative.
        extrapolate : bool or "periodic", optional
            What there is outside; as the spline has it by default.

        Returns
        -------
        ndarray
            The values, with the axes of `x` in the place of the interpolation axis.
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        if nu < 0:
            raise ValueError("Order of derivative cannot be negative")
        x = as_array(x)
        at, n = real(x).ravel(), self.t.size - self.k - 1
        if extrapolate == "periodic":
            start, end = self.t[self.k], self.t[n]
            at, extrapolate = start + (at - start) % (end - start), False
        c = columns(self.c)
        out = cp.empty((at.size, c.shape[1]))
        sizes = np.int64(n), np.int64(c.shape[1]), np.int64(at.size), np.int32(nu), np.bool_(extrapolate)
        arguments = (cp.ascontiguousarray(self.t), c, cp.ascontiguousarray(at), out, *sizes)
        launch(kernel("bsplines", f"values<{self.k}>"), at.size, arguments)
        return moved(uncolumns(out, self.c.dtype, x.shape + self.c.shape[1:]), x.ndim, self.axis)

    def _padded(self) -> tuple[ndarray, ndarray, int]:
        """Return the spline with as many coefficients as knots."""
        missing = self.t.shape[0] - self.c.shape[0]
        c = self.c
        if missing > 0:
            c = cp.concatenate((c, cp.zeros((missing, *c.shape[1:]), c.dtype)))
        return self.t, c, self.k

    def derivative(self, nu: int = 1) -> BSpline:
        """Return a derivative as a spline.

        Parameters
        ----------
        nu : int, optional
            Its order.

        Returns
        -------
        BSpline
            The derivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> spline.derivative()(cp.asarray([0.5, 1.5]))
        array([1., 3.])
        """
        t, c, k = splder(self._padded(), nu)
        return self.construct_fast(t, c, k, self.extrapolate, self.axis)

    def antiderivative(self, nu: int = 1) -> BSpline:
        """Return an integral as a spline.

        Parameters
        ----------
        nu : int, optional
            How often to integrate.

        Returns
        -------
        BSpline
            The antiderivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> float(spline.antiderivative()(2.0))
        3.0
        """
        extrapolate = False if self.extrapolate == "periodic" else self.extrapolate
        t, c, k = splantider(self._padded(), nu)
        return self.construct_fast(t, c, k, extrapolate, self.axis)

    def integrate(self, a: float, b: float, extrapolate: Any = None) -> ndarray:
        """Integrate between two points.

        Parameters
        ----------
        a, b : float
            The points.
        extrapolate : bool or "periodic", optional
            What there is outside; a spline that has no values there adds nothing.

        Returns
        -------
        ndarray
            The integral.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> float(spline.integrate(0, 2))
        3.0
        """
        if extrapolate is None:
            extrapolate = self.extrapolate
        a, b, sign = float(a), float(b), 1
        if b < a:
            a, b, sign = b, a, -1
        n = self.t.size - self.k - 1
        start, end = float(self.t[self.k]), float(self.t[n])
        integral = self.construct_fast(*splantider(self._padded()))

        def between(low: float, high: float) -> ndarray:
            values = integral(cp.array([low, high]))
            return values[1] - values[0]

        if extrapolate != "periodic":
            if not extrapolate:
                a, b = max(a, start), min(b, end)
                if b <= a:
                    return cp.zeros(self.c.shape[1:], self.c.dtype)
            return sign * between(a, b)
        period = end - start
        periods, left = divmod(b - a, period)
        total = periods * between(start, end)
        a = start + (a - start) % period
        b = a + left
        total = total + (between(a, b) if b <= end else between(a, end) + between(start, start + b - end))
        return sign * total

    @classmethod
    def from_power_basis(cls, pp: Any, bc_type: str = "not-a-knot") -> BSpline:
        """Return a cubic spline in the basis of B-splines.

        Parameters
        ----------
        pp : CubicSpline
            The spline.
        bc_type : {"not-a-knot", "natural", "clamped", "periodic"}, optional
            The conditions that it was made with.

        Returns
        -------
        BSpline
            The same function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> from cuprum.scipy.interpolate import CubicSpline
        >>> x = cp.arange(4.0)
        >>> spline = BSpline.from_power_basis(CubicSpline(x, x**3))
        >>> round(float(spline(2.5)), 6)
        15.625
        """
        from ._cubic import CubicSpline
        from ._make_splines import interpolated

        if not isinstance(pp, CubicSpline):
            raise NotImplementedError(
                f"Only CubicSpline objects are accepted for now. Got {type(pp)} instead."
            )
        if bc_type not in ("not-a-knot", "natural", "clamped", "periodic"):
            raise TypeError(f"Unknown boundary condition: {bc_type}")
        values = cp.concatenate(
            (pp.c[-1], pp(pp.x[-1:], extrapolate=True) if pp.axis == 0 else pp.c[-1, -1:])
        )
        conditions: Any = bc_type
        if bc_type in ("natural", "clamped"):
            order = 2 if bc_type == "natural" else 1
            ends = pp.x[[0, -1]]
            derivatives = pp(ends, nu=order, extrapolate=True)
            conditions = [[(order, derivatives[0])], [(order, derivatives[1])]]
        spline = interpolated(pp.x, values, 3, conditions)
        return cls.construct_fast(spline.t, spline.c, 3, pp.extrapolate, pp.axis)

    def insert_knot(self, x: float, m: int = 1) -> BSpline:
        """Return the same spline with a further knot.

        Parameters
        ----------
        x : float
            The knot.
        m : int, optional
            How many of it.

        Returns
        -------
        BSpline
            The same function.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import BSpline
        >>> spline = BSpline([0, 0, 1, 2, 2], [0.0, 1.0, 4.0], 1)
        >>> spline.insert_knot(0.5).t
        array([0. , 0. , 0.5, 1. , 2. , 2. ])
        """
        x, k = float(x), self.k
        if x < float(self.t[k]) or x > float(self.t[-k - 1]):
            raise ValueError(f"Cannot insert a knot at {x}.")
        if m <= 0:
            raise ValueError(f"`m` must be positive, got m = {m!r}.")
        if self.extrapolate == "periodic":
            raise NotImplementedError(
                "insert_knot: a periodic spline keeps its knots; interpolate it anew with more points instead"
            )
        t, c = self.t, self.c[: self.t.size - k - 1]
        rest = (-1, *[1] * (c.ndim - 1))
        for _ in range(m):
            n = t.size - k - 1
            place = int(cp.searchsorted(t, x, side="right")) - 1
            place = min(max(place, k), n - 1)
            # Coefficients that the knot lies under are mixed with their neighbours (Boehm).
            low = t[place - k + 1 : place + 1]
            width = t[place + 1 : place + k + 1] - low
            share = ((x - low) / cp.where(width == 0, 1.0, width)).reshape(rest)
            mixed = share * c[place - k + 1 : place + 1] + (1 - share) * c[place - k : place]
            c = cp.concatenate((c[: place - k + 1], mixed, c[place:]))
            t = cp.concatenate((t[: place + 1], cp.array([x]), t[place + 1 :]))
        return self.construct_fast(t, c, k, self.extrapolate, self.axis)

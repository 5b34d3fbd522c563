"""Polynomials between breakpoints of several axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, inexact, kernel, point_coordinates, real, uncolumns
from ._piecewise import PPoly

__all__ = ["NdPPoly"]


class NdPPoly:
    """Piecewise polynomials over the product of several axes, by powers.

    Parameters
    ----------
    c : (K0, ..., KD, M0, ..., MD, ...) array_like
        The coefficients, by falling powers and by intervals of each axis.
    x : sequence of D (Mi + 1,) array_like
        The breakpoints of each axis, rising.
    extrapolate : bool, optional
        Whether the polynomials at the ends go on; NaN otherwise.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import NdPPoly
    >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.array([0.0, 1.0]), cp.array([0.0, 1.0])))
    >>> p(cp.array([[1.0, 2.0]]))
    array([6.])
    """

    c: ndarray
    x: tuple[ndarray, ...]
    extrapolate: bool

    def __init__(self, c: ArrayLike, x: Sequence[ArrayLike], extrapolate: bool | None = None) -> None:
        self.x = tuple(real(v) for v in x)
        self.c = cp.ascontiguousarray(inexact(c))
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        ndim = len(self.x)
        if any(v.ndim != 1 for v in self.x):
            raise ValueError("x arrays must all be 1-dimensional")
        if any(v.size < 2 for v in self.x):
            raise ValueError("x arrays must all contain at least 2 points")
        if self.c.ndim < 2 * ndim:
            raise ValueError("c must have at least 2*len(x) dimensions")
        if any(bool((cp.diff(v) < 0).any()) for v in self.x):
            raise ValueError("x-coordinates are not in increasing order")
        if any(n != v.size - 1 for n, v in zip(self.c.shape[ndim : 2 * ndim], self.x, strict=True)):
            raise ValueError("x and c do not agree on the number of intervals")

    @classmethod
    def construct_fast(cls, c: ndarray, x: Sequence[ndarray], extrapolate: bool | None = None) -> NdPPoly:
        """Make a polynomial of arrays that are known to fit: nothing is checked.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdPPoly
        >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.asarray([0.0, 1]), cp.asarray([0.0, 1])))
        >>> float(NdPPoly.construct_fast(p.c, p.x)((0.5, 0.5)))
        2.25
        """
        self = object.__new__(cls)
        self.c, self.x = c, tuple(x)
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        return self

    def __call__(self, x: Any, nu: Any = None, extrapolate: bool | None = None) -> ndarray:
        """Evaluate the polynomial or a derivative.

        Parameters
        ----------
        x : (..., D) array_like or tuple of D array_likes
            The points.
        nu : (D,) sequence of int, optional
            The orders of derivatives.
        extrapolate : bool, optional
            Whether the polynomials at the ends go on; NaN otherwise.

        Returns
        -------
        ndarray
            The values.
        """
        ndim = len(self.x)
        points = point_coordinates(x)
        if points.shape[-1] != ndim:
            raise ValueError(f"points must have {ndim} coordinates, got shape {points.shape}")
        orders = [0] * ndim if nu is None else [int(n) for n in nu]
        if len(orders) != ndim:
            raise ValueError("invalid number of derivative orders nu")
        if any(n < 0 for n in orders):
            raise ValueError("derivatives must be non-negative")
        at = real(points.reshape(-1, ndim))
        c = columns(self.c, 2 * ndim)
        shape = cp.array([*c.shape[:ndim], *(v.size for v in self.x), *orders], np.int64)
        out = cp.empty((at.shape[0], c.shape[-1]))
        inside = self.extrapolate if extrapolate is None else bool(extrapolate)
        sizes = np.int64(c.shape[-1]), np.int64(at.shape[0]), np.bool_(inside)
        launch(
            kernel("piecewise", f"by_powers_nd<{ndim}>"),
            at.shape[0],
            (c, cp.concatenate(self.x), shape, at, out, *sizes),
        )
        return uncolumns(out, self.c.dtype, points.shape[:-1] + self.c.shape[2 * ndim :])

    def _along(self, axis: int) -> tuple[PPoly, list[int]]:
        """Return the polynomial along one axis, the others as further columns, and the order of axes."""
        ndim = len(self.x)
        order = [axis, ndim + axis, *(i for i in range(self.c.ndim) if i not in (axis, ndim + axis))]
        return PPoly.construct_fast(self.c.transpose(order), self.x[axis], self.extrapolate), order

    def derivative(self, nu: Sequence[int]) -> NdPPoly:
        """Return a derivative as a piecewise polynomial.

        Parameters
        ----------
        nu : (D,) sequence of int
            The orders; antiderivatives where they are negative.

        Returns
        -------
        NdPPoly
            The derivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdPPoly
        >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.asarray([0.0, 1]), cp.asarray([0.0, 1])))
        >>> float(p.derivative((1, 0))((0.5, 0.5)))
        1.5
        """
        result = self
        for axis, n in enumerate(nu):
            line, order = result._along(axis)
            c = line.derivative(n).c.transpose([order.index(i) for i in range(len(order))])
            result = NdPPoly.construct_fast(cp.ascontiguousarray(c), self.x, self.extrapolate)
        return result

    def antiderivative(self, nu: Sequence[int]) -> NdPPoly:
        """Return an integral as a piecewise polynomial.

        Parameters
        ----------
        nu : (D,) sequence of int
            How often to integrate along each axis.

        Returns
        -------
        NdPPoly
            The antiderivative.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdPPoly
        >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.asarray([0.0, 1]), cp.asarray([0.0, 1])))
        >>> float(p.antiderivative((1, 0))((1.0, 1.0)))
        3.0
        """
        return self.derivative([-n for n in nu])

    def integrate_1d(self, a: float, b: float, axis: int, extrapolate: bool | None = None) -> Any:
        """Integrate along one axis.

        Parameters
        ----------
        a, b : float
            The ends.
        axis : int
            The axis.
        extrapolate : bool, optional
            Whether the polynomials at the ends go on.

        Returns
        -------
        NdPPoly or ndarray
            The integral as a function of the other axes.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdPPoly
        >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.asarray([0.0, 1]), cp.asarray([0.0, 1])))
        >>> type(p.integrate_1d(0, 1, axis=0)).__name__
        'NdPPoly'
        """
        inside = self.extrapolate if extrapolate is None else bool(extrapolate)
        axis = int(axis) % len(self.x)
        line, _ = self._along(axis)
        c = line.integrate(a, b, inside)
        if len(self.x) == 1:
            return c
        return NdPPoly.construct_fast(c, self.x[:axis] + self.x[axis + 1 :], inside)

    def integrate(self, ranges: Sequence[Sequence[float]], extrapolate: bool | None = None) -> ndarray:
        """Integrate over a box.

        Parameters
        ----------
        ranges : sequence of D (float, float)
            The ends along each axis.
        extrapolate : bool, optional
            Whether the polynomials at the ends go on.

        Returns
        -------
        ndarray
            The integral.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdPPoly
        >>> p = NdPPoly(cp.ones((2, 2, 1, 1)), (cp.asarray([0.0, 1]), cp.asarray([0.0, 1])))
        >>> float(p.integrate(((0, 1), (0, 1))))
        2.25
        """
        if not hasattr(ranges, "__len__") or len(ranges) != len(self.x):
            raise ValueError("Range not a sequence of correct length")
        result: Any = self
        for a, b in ranges:
            result = result.integrate_1d(a, b, 0, extrapolate)
        done: ndarray = result
        return done

"""B-splines of several variables."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, inexact, kernel, point_coordinates, real, uncolumns
from ._least_squares import basis_values

__all__ = ["NdBSpline"]


class NdBSpline:
    """A tensor product of splines over several axes.

    Parameters
    ----------
    t : tuple of array_likes
        The knots of each axis.
    c : array_like
        The coefficients, an axis for each variable first.
    k : int or tuple of int
        The degree along all axes or along each.
    extrapolate : bool, optional
        Whether the polynomials at the ends go on; NaN otherwise. They do by default.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import NdBSpline
    >>> t = cp.array([0.0, 0.0, 1.0, 2.0, 2.0])
    >>> NdBSpline((t, t), cp.arange(9.0).reshape(3, 3), 1)(cp.array([[0.5, 1.5]]))
    array([3.])
    """

    def __init__(self, t: Any, c: ArrayLike, k: Any, *, extrapolate: bool | None = None) -> None:
        if not isinstance(t, tuple):
            raise ValueError(f"Expect `t` to be a tuple of array-likes. Got {t!r} instead.")
        ndim = len(t)
        try:
            degrees = tuple(operator.index(one) for one in k)
        except TypeError:
            degrees = (operator.index(k),) * ndim
        if len(degrees) != ndim:
            raise ValueError(f"len(t) = {ndim} != len(k) = {len(degrees)}.")
        self.k, self.t = degrees, tuple(real(one) for one in t)
        self.c = cp.ascontiguousarray(inexact(c))
        self.extrapolate = True if extrapolate is None else bool(extrapolate)
        for axis, (knots, degree) in enumerate(zip(self.t, self.k, strict=True)):
            n = knots.shape[0] - degree - 1
            if degree < 0:
                raise ValueError(f"Spline degree in dimension {axis} cannot be negative.")
            if knots.ndim != 1:
                raise ValueError(f"Knot vector in dimension {axis} must be one-dimensional.")
            if n < degree + 1:
                raise ValueError(
                    f"Need at least {2 * degree + 2} knots for degree {degree} in dimension {axis}."
                )
            if bool((cp.diff(knots) < 0).any()):
                raise ValueError(f"Knots in dimension {axis} must be in a non-decreasing order.")
            if not bool(knots[degree] != knots[n]):
                raise ValueError(f"Need at least two internal knots in dimension {axis}.")
            if not bool(cp.isfinite(knots).all()):
                raise ValueError(f"Knots in dimension {axis} should not have nans or infs.")
            if self.c.ndim < ndim:
                raise ValueError(f"Coefficients must be at least {ndim}-dimensional.")
            if self.c.shape[axis] != n:
                raise ValueError(
                    f"Knots, coefficients and degree in dimension {axis} are inconsistent: got "
                    f"{self.c.shape[axis]} coefficients for {n} basis functions, degree {degree}."
                )

    def __call__(self, xi: Any, *, nu: Any = None, extrapolate: bool | None = None) -> ndarray:
        """Evaluate the spline or a derivative.

        Parameters
        ----------
        xi : (..., ndim) array_like
            The points.
        nu : sequence of int, optional
            The orders of derivatives along the axes.
        extrapolate : bool, optional
            Whether the polynomials at the ends go on; as the spline has it by default.

        Returns
        -------
        ndarray
            The values.
        """
        ndim = len(self.t)
        orders = [0] * ndim if nu is None else [operator.index(n) for n in np.atleast_1d(nu)]
        if len(orders) != ndim:
            raise ValueError(f"invalid number of derivative orders nu = {nu!r} for ndim = {ndim}.")
        if any(n < 0 for n in orders):
            raise ValueError(f"derivatives must be positive, got nu = {nu!r}")
        points = point_coordinates(xi, ndim) if isinstance(xi, tuple) else as_array(xi)
        if points.ndim == 0 or points.shape[-1] != ndim:
            raise ValueError(f"Shapes: xi.shape={points.shape} and ndim={ndim}")
        at = real(points.reshape(-1, ndim))
        c = columns(self.c, ndim)
        shape = cp.array([*self.k, *(knots.size for knots in self.t), *orders, *c.shape[:ndim]], np.int64)
        out = cp.empty((at.shape[0], c.shape[-1]))
        inside = self.extrapolate if extrapolate is None else bool(extrapolate)
        sizes = np.int64(c.shape[-1]), np.int64(at.shape[0]), np.bool_(inside)
        launch(
            kernel("bsplines", f"values_nd<{ndim}, {max(self.k)}>"),
            at.shape[0],
            (cp.concatenate(self.t), c, shape, at, out, *sizes),
        )
        return uncolumns(out, self.c.dtype, points.shape[:-1] + self.c.shape[ndim:])

    @classmethod
    def design_matrix(cls, xvals: ArrayLike, t: Any, k: Any, extrapolate: bool = True) -> Any:
        """Return the products of basis functions at points, as a sparse array with a row for each point.

        Parameters
        ----------
        xvals : (N, ndim) array_like
            The points.
        t : tuple of array_likes
            The knots of each axis.
        k : int or tuple of int
            The degrees.
        extrapolate : bool, optional
            Whether points may lie outside.

        Returns
        -------
        csr_array
            The matrix; columns are in C order of the coefficients.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import NdBSpline
        >>> t = (cp.asarray([0.0, 0, 1, 1]), cp.asarray([0.0, 0, 1, 1]))
        >>> NdBSpline.design_matrix(cp.asarray([[0.5, 0.5]]), t, 1).toarray()
        array([[0.25, 0.25, 0.25, 0.25]])
        """
        from ..sparse import csr_array

        points = real(xvals)
        ndim = len(t)
        degrees = tuple(k) if isinstance(k, (tuple, list)) else (operator.index(k),) * ndim
        if points.ndim != 2 or points.shape[1] != ndim:
            raise ValueError(
                f"Data and knots are inconsistent: len(t) = {ndim} for  ndim = {points.shape[-1]}."
            )
        index: Any = cp.zeros((points.shape[0], 1), np.int64)
        value: Any = cp.ones((points.shape[0], 1))
        total = 1
        for axis in range(ndim):
            knots, degree = real(t[axis]), degrees[axis]
            n = knots.size - degree - 1
            x = cp.ascontiguousarray(points[:, axis])
            if not extrapolate and bool(((x < knots[degree]) | (x > knots[n])).any()):
                raise ValueError(f"Out of bounds in dimension {axis}")
            first, basis = basis_values(knots, degree, x)
            columns_here = first[:, None] + cp.arange(degree + 1)
            index = (index[:, :, None] * n + columns_here[:, None, :]).reshape(points.shape[0], -1)
            value = (value[:, :, None] * basis[:, None, :]).reshape(points.shape[0], -1)
            total *= n
        start = cp.arange(points.shape[0] + 1) * math.prod(degree + 1 for degree in degrees)
        return csr_array((value.ravel(), index.ravel(), start), shape=(points.shape[0], total))

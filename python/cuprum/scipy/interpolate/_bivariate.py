"""Tensor products of splines on grids of two axes, under FITPACK's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._typing import ArrayLike
from ._arguments import real
from ._bsplines import BSpline
from ._grid_smoothing import grid_smoothing_spline
from ._grids import tensor_spline
from ._nd_bsplines import NdBSpline

__all__ = ["RectBivariateSpline"]

_FAILURES = {
    2: "the search for how much to smooth got stuck: s is too small",
    3: "maxit rounds were not enough to find how much to smooth: s is too small",
}


class RectBivariateSpline:
    """The tensor product of splines through values on a grid of two axes, or near to them.

    Parameters
    ----------
    x, y : (M,) and (N,) array_like
        The nodes, rising.
    z : (M, N) array_like
        The values.
    bbox : (4,) sequence, optional
        The ends of the splines' intervals, of x and then of y; None stands for the outermost node.
    kx, ky : int, optional
        The degrees, 1 to 5.
    s : float, optional
        The sum of squares that the spline may be away from the values; 0: it passes through them. Knots are
        chosen as FITPACK's `regrid` does.
    maxit : int, optional
        The most rounds of the search for how much to smooth.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import RectBivariateSpline
    >>> x = cp.arange(5.0)
    >>> RectBivariateSpline(x, x, x[:, None] * x).ev(1.5, 2.5).round(6)
    array(3.75)

    A smoother one has fewer knots.

    >>> z = cp.sin(cp.arange(20.0))[:, None] * cp.arange(20.0)
    >>> [RectBivariateSpline(cp.arange(20.0), cp.arange(20.0), z, s=s).get_coeffs().size for s in (0, 10)]
    [400, 112]
    """

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        z: ArrayLike,
        bbox: Sequence[Any] = (None, None, None, None),
        kx: int = 3,
        ky: int = 3,
        s: float = 0,
        maxit: int = 20,
    ) -> None:
        x, y, z = real(x), real(y), real(z)
        if bool((cp.diff(x) <= 0).any()):
            raise ValueError("x must be strictly increasing")
        if bool((cp.diff(y) <= 0).any()):
            raise ValueError("y must be strictly increasing")
        if z.ndim != 2 or x.size != z.shape[0]:
            raise ValueError("x dimension of z must have same number of elements as x")
        if y.size != z.shape[1]:
            raise ValueError("y dimension of z must have same number of elements as y")
        if len(bbox) != 4:
            raise ValueError("bbox shape should be (4,)")
        if not (1 <= kx <= 5 and 1 <= ky <= 5) or x.size <= kx or y.size <= ky:
            raise ValueError(f"degrees {kx} and {ky} do not fit {x.size} times {y.size} values")
        if s < 0:
            raise ValueError("s should be s >= 0.0")
        given = [float(x[0]), float(x[-1]), float(y[0]), float(y[-1])]
        box = [own if end is None else float(end) for own, end in zip(given, bbox, strict=True)]
        if box[0] > given[0] or box[1] < given[1] or box[2] > given[2] or box[3] < given[3]:
            raise ValueError(f"bbox must contain the nodes, got {tuple(bbox)}")
        self.degrees, self.fp = (kx, ky), 0.0
        ends = (box[0], box[1]), (box[2], box[3])
        if s > 0:
            found = grid_smoothing_spline((x, y), z, ends, (kx, ky), float(s), maxit)
            if found.code > 0:
                raise ValueError(_FAILURES[found.code])
            self.fp = found.fp
            self._spline = NdBSpline(found.knots, found.c, (kx, ky))
        else:
            self._spline = tensor_spline((x, y), z, (kx, ky), () if box == given else ends)
        self._low, self._high = cp.array(box[0::2]), cp.array(box[1::2])

    def _at(self, points: ndarray, dx: int, dy: int) -> ndarray:
        # Outside of the grid the values are those at its border.
        return self._spline(cp.clip(points, self._low, self._high), nu=(dx, dy))

    def __call__(self, x: ArrayLike, y: ArrayLike, dx: int = 0, dy: int = 0, grid: bool = True) -> ndarray:
        """Evaluate the spline or a derivative.

        Parameters
        ----------
        x, y : array_like
            The nodes of a grid, or the coordinates of points.
        dx, dy : int, optional
            The orders of the derivative.
        grid : bool, optional
            Whether the coordinates span a grid.

        Returns
        -------
        ndarray
            The values.
        """
        if not grid:
            return self.ev(x, y, dx, dy)
        nodes_x, nodes_y = (cp.asarray(a).astype(np.float64).ravel() for a in (x, y))
        if bool((cp.diff(nodes_x) < 0).any()) or bool((cp.diff(nodes_y) < 0).any()):
            raise ValueError("x and y must be rising where they span a grid")
        points = cp.stack(cp.meshgrid(nodes_x, nodes_y, indexing="ij"), -1)
        return self._at(points, dx, dy)

    def ev(self, xi: ArrayLike, yi: ArrayLike, dx: int = 0, dy: int = 0) -> ndarray:
        """Evaluate the spline or a derivative at points.

        Parameters
        ----------
        xi, yi : array_like
            The coordinates, which are broadcast.
        dx, dy : int, optional
            The orders of the derivative.

        Returns
        -------
        ndarray
            The values.
        """
        parts = cp.broadcast_arrays(*(cp.asarray(a).astype(np.float64) for a in (xi, yi)))
        return self._at(cp.stack(list(parts), -1), dx, dy)

    def get_knots(self) -> tuple[ndarray, ndarray]:
        """Return the knots of both axes.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import RectBivariateSpline
        >>> x = cp.arange(5.0)
        >>> spline = RectBivariateSpline(x, x, x[:, None] + 2 * x)
        >>> spline.get_knots()[0]
        array([0., 0., 0., 0., 2., 4., 4., 4., 4.])
        """
        return self._spline.t[0], self._spline.t[1]

    def get_coeffs(self) -> ndarray:
        """Return the coefficients, row by row.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import RectBivariateSpline
        >>> x = cp.arange(5.0)
        >>> spline = RectBivariateSpline(x, x, x[:, None] + 2 * x)
        >>> spline.get_coeffs().shape
        (25,)
        """
        return self._spline.c.ravel()

    def get_residual(self) -> float:
        """Return the sum of the squares that the values are away from the spline.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import RectBivariateSpline
        >>> x = cp.arange(5.0)
        >>> spline = RectBivariateSpline(x, x, x[:, None] + 2 * x)
        >>> float(spline.get_residual()) < 1e-9
        True
        """
        return self.fp

    def integral(self, xa: float, xb: float, ya: float, yb: float) -> float:
        """Return the integral over a rectangle.

        Examples
        --------
        >>> from cuprum.scipy.interpolate import RectBivariateSpline
        >>> x = cp.arange(5.0)
        >>> spline = RectBivariateSpline(x, x, x[:, None] + 2 * x)
        >>> round(float(spline.integral(0, 1, 0, 1)), 6)
        1.5
        """
        along_x = BSpline.construct_fast(self._spline.t[0], self._spline.c, self.degrees[0])
        c = along_x.integrate(xa, xb, extrapolate=False)
        line = BSpline.construct_fast(self._spline.t[1], cp.ascontiguousarray(c), self.degrees[1])
        return float(line.integrate(ya, yb, extrapolate=False))

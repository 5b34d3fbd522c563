"""Interpolation on rectangular grids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import c_name, launch
from ._arguments import inexact, kernel, point_coordinates, real, uncolumns
from ._cubic import PchipInterpolator
from ._make_splines import interpolated
from ._nd_bsplines import NdBSpline
from ._smoothing import through_knots

__all__ = ["RegularGridInterpolator", "interpn"]

_DEGREES = {
    **{"slinear": 1, "cubic": 3, "quintic": 5, "pchip": 3},
    **{"slinear_legacy": 1, "cubic_legacy": 3, "quintic_legacy": 5},
}
_WITH_DERIVATIVES = ("slinear", "cubic", "quintic")


def _rising(points: Any) -> tuple[tuple[ndarray, ...], tuple[int, ...]]:
    """Return the nodes of each axis rising, and the axes that had them falling."""
    grid, falling = [], []
    for i, given in enumerate(points):
        nodes = real(given)
        steps = cp.diff(nodes)
        if not bool((steps > 0).all()):
            if not bool((steps < 0).all()):
                raise ValueError(f"The points in dimension {i} must be strictly ascending or descending")
            falling.append(i)
            nodes = cp.flip(nodes)
        grid.append(cp.ascontiguousarray(nodes))
    return tuple(grid), tuple(falling)


def _fits(grid: tuple[ndarray, ...], values: ndarray) -> None:
    if len(grid) > values.ndim:
        raise ValueError(f"There are {len(grid)} point arrays, but values has {values.ndim} dimensions")
    for i, nodes in enumerate(grid):
        if nodes.ndim != 1:
            raise ValueError(f"The points in dimension {i} must be 1-dimensional")
        if values.shape[i] != nodes.size:
            raise ValueError(f"There are {nodes.size} points and {values.shape[i]} values in dimension {i}")


def _enough(grid: tuple[ndarray, ...], method: str) -> None:
    k = _DEGREES[method]
    for i, nodes in enumerate(grid):
        if nodes.size <= k:
            raise ValueError(
                f"There are {nodes.size} points in dimension {i}, but method {method} requires at least "
                f" {k + 1} points per dimension."
            )


def tensor_spline(
    grid: tuple[ndarray, ...],
    values: ndarray,
    degrees: tuple[int, ...],
    ends: tuple[tuple[float, float], ...] = (),
) -> NdBSpline:
    """Return the tensor product of splines that passes through the values on a grid.

    The splines reach from the first node to the last one, or from end to end.
    """
    c, knots = inexact(values), []
    for axis, (nodes, k) in enumerate(zip(grid, degrees, strict=True)):
        given = {"t": through_knots(nodes, *ends[axis], k)} if ends else {}
        line = interpolated(nodes, cp.ascontiguousarray(cp.moveaxis(c, axis, 0)), k, **given)
        c = cp.moveaxis(line.c, 0, axis)
        knots.append(line.t)
    return NdBSpline(tuple(knots), c, degrees)


def _cells_per_unit(nodes: ndarray) -> float:
    """Return the number of cells in a unit of length where all are equal but for rounding, else 0."""
    if nodes.size < 3:
        return 0.0
    steps = cp.diff(nodes)
    smallest, largest = float(steps.min()), float(steps.max())
    extent = float(nodes[-1] - nodes[0])
    # A guess must not be off by more than a cell anywhere.
    if (largest - smallest) * nodes.size > 0.25 * smallest or not math.isfinite(extent):
        return 0.0
    return (nodes.size - 1) / extent


class RegularGridInterpolator:
    """Interpolation on a rectangular grid, whose nodes need not lie at equal distances.

    Parameters
    ----------
    points : tuple of (Mi,) array_likes
        The nodes of each axis, rising or falling.
    values : (M1, ..., Mn, ...) array_like
        The values at the nodes, real or complex.
    method : {"linear", "nearest", "slinear", "cubic", "quintic", "pchip"}, optional
        The method; "slinear", "cubic" and "quintic" are tensor products of splines.
    bounds_error : bool, optional
        Raise ValueError for points outside.
    fill_value : float or None, optional
        The value of points outside; None extrapolates.
    solver, solver_args : optional
        Taken for compatibility: splines along each axis are solved exactly.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import RegularGridInterpolator
    >>> x = cp.arange(4.0)
    >>> f = RegularGridInterpolator((x, x), x[:, None] + 10 * x)
    >>> f(cp.array([[0.5, 1.5], [2.0, 3.0]]))
    array([15.5, 32. ])
    """

    def __init__(
        self,
        points: Any,
        values: ArrayLike,
        method: str = "linear",
        bounds_error: bool = True,
        fill_value: Any = np.nan,
        *,
        solver: Any = None,
        solver_args: Any = None,
    ) -> None:
        if method not in ("linear", "nearest") and method not in _DEGREES:
            raise ValueError(f"Method '{method}' is not defined")
        self.method, self.bounds_error = method, bounds_error
        self.grid, falling = _rising(points)
        if method in _DEGREES:
            _enough(self.grid, method)
        values = as_array(values)
        if values.dtype.kind not in "fc":
            values = values.astype(np.float64)
        _fits(self.grid, values)
        if fill_value is not None and not np.can_cast(
            np.asarray(fill_value).dtype if not isinstance(fill_value, ndarray) else fill_value.dtype,
            values.dtype,
            casting="same_kind",
        ):
            raise ValueError("fill_value must be either 'None' or of a type compatible with values")
        self.fill_value = fill_value
        self.values = cp.ascontiguousarray(cp.flip(values, falling) if falling else values)
        if method == "pchip" and values.dtype.kind == "c":
            raise ValueError(
                "RegularGridInterpolator: method 'pchip' only works with real values; "
                "interpolate the parts of "
                "complex values by themselves"
            )
        if method not in _WITH_DERIVATIVES and (solver is not None or solver_args):
            raise ValueError(
                f"method ={method!r} does not accept the 'solver' argument. Got  solver = "
                f"{solver!r} and with "
                f"arguments {solver_args}."
            )
        self._splines: dict[int, NdBSpline] = {}
        self._nodes = cp.concatenate(self.grid)
        self._uniform = cp.array([_cells_per_unit(nodes) for nodes in self.grid])

    def __call__(self, xi: Any, method: str | None = None, *, nu: Any = None) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        xi : (..., n) array_like or tuple of n array_likes
            The points.
        method : str, optional
            Another method than that of the interpolator.
        nu : sequence of int, optional
            The orders of derivatives along the axes, for the methods "slinear", "cubic" and "quintic".

        Returns
        -------
        ndarray
            The values.
        """
        method = self.method if method is None else method
        if method not in ("linear", "nearest") and method not in _DEGREES:
            raise ValueError(f"Method '{method}' is not defined")
        if nu is not None and method not in _WITH_DERIVATIVES:
            raise ValueError(
                f"Can only compute derivatives for methods {_WITH_DERIVATIVES}, got method ={method!r}."
            )
        ndim = len(self.grid)
        points = point_coordinates(xi, ndim)
        if points.shape[-1] != ndim:
            raise ValueError(
                f"The requested sample points xi have dimension {points.shape[-1]}, but this "
                f"RegularGridInterpolator has dimension {ndim}"
            )
        at = real(points.reshape(-1, ndim))
        outside = self._outside(at)
        if method in ("linear", "nearest"):
            result = self._by_cells(at, method == "nearest")
        else:
            if method != self.method:
                _enough(self.grid, method)
            result = self._by_pchip(at) if method == "pchip" else self._spline(_DEGREES[method])(at, nu=nu)
        wide = (-1, *[1] * (self.values.ndim - ndim))
        if outside is not None:
            result = cp.where(outside.reshape(wide), as_array(self.fill_value).astype(result.dtype), result)
        # A point that is no number has no value, even where it lies outside by another coordinate.
        result = cp.where(cp.isnan(at).any(1).reshape(wide), np.nan, result)
        if method == "pchip" or method.endswith("_legacy"):
            result = result.astype(self.values.dtype, copy=False)
        return result.reshape(points.shape[:-1] + self.values.shape[ndim:])

    def _outside(self, at: ndarray) -> ndarray | None:
        """Raise for points outside, or return where they are if they have a value of their own."""
        if self.bounds_error:
            for i, nodes in enumerate(self.grid):
                line = at[:, i]
                if not bool(((line >= nodes[0]) & (line <= nodes[-1])).all()):
                    raise ValueError(f"One of the requested xi is out of bounds in dimension {i}")
            return None
        if self.fill_value is None:
            return None
        outside: Any = False
        for i, nodes in enumerate(self.grid):
            outside = outside | (at[:, i] < nodes[0]) | (at[:, i] > nodes[-1])
        result: ndarray = outside
        return result

    def _by_cells(self, at: ndarray, nearest: bool) -> ndarray:
        ndim = len(self.grid)
        values = self.values
        if values.dtype.itemsize == 2:
            values = values.astype(np.float32)
        flat = values.reshape((*values.shape[:ndim], -1))
        if values.dtype.kind == "c":
            flat = flat.view(values.real.dtype)
        dims = cp.array(values.shape[:ndim], np.int64)
        out = cp.empty((at.shape[0], flat.shape[-1]))
        name = f"at_points<{c_name(np.dtype(flat.dtype))}, {ndim}, {str(nearest).lower()}>"
        sizes = np.int64(flat.shape[-1]), np.int64(at.shape[0])
        launch(kernel("grid", name), at.shape[0], (flat, self._nodes, dims, self._uniform, at, out, *sizes))
        result = uncolumns(out, values.dtype, (at.shape[0], *values.shape[ndim:]))
        return result.astype(self.values.dtype) if nearest else result

    def _spline(self, k: int) -> NdBSpline:
        if k not in self._splines:
            self._splines[k] = tensor_spline(self.grid, self.values, (k,) * len(self.grid))
        return self._splines[k]

    def _by_pchip(self, at: ndarray) -> ndarray:
        """Interpolate along one axis after the other: after the last, each point has values of its own."""
        ndim, count = len(self.grid), at.shape[0]
        values = inexact(self.values)
        if values.dtype.kind == "c":
            raise ValueError("RegularGridInterpolator: method 'pchip' only works with real values")
        lines = cp.moveaxis(values, ndim - 1, 0)
        here = PchipInterpolator(self.grid[-1], lines)(at[:, -1])
        for axis in range(ndim - 2, -1, -1):
            nodes = self.grid[axis]
            # The axis in question comes first, the points second.
            lines = cp.moveaxis(here, axis + 1, 0)
            pieces = PchipInterpolator(nodes, lines)
            cell = cp.clip(cp.searchsorted(nodes, at[:, axis], side="right") - 1, 0, nodes.size - 2)
            c = pieces.c[:, cell, cp.arange(count)]
            s = (at[:, axis] - nodes[cell]).reshape(-1, *[1] * (c.ndim - 2))
            here = ((c[0] * s + c[1]) * s + c[2]) * s + c[3]
        return here


def interpn(
    points: Any,
    values: ArrayLike,
    xi: Any,
    method: str = "linear",
    bounds_error: bool = True,
    fill_value: Any = np.nan,
) -> ndarray:
    """Interpolate on a rectangular grid.

    Parameters
    ----------
    points : tuple of (Mi,) array_likes
        The nodes of each axis, rising or falling.
    values : (M1, ..., Mn, ...) array_like
        The values at the nodes.
    xi : (..., n) array_like or tuple of n array_likes
        Where to interpolate.
    method : {"linear", "nearest", "slinear", "cubic", "quintic", "pchip", "splinef2d"}, optional
        The method.
    bounds_error : bool, optional
        Raise ValueError for points outside.
    fill_value : float or None, optional
        The value of points outside; None extrapolates.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import interpn
    >>> x = cp.arange(4.0)
    >>> interpn((x, x), x[:, None] + 10 * x, cp.array([[0.5, 1.5]]))
    array([15.5])
    """
    if method not in ("linear", "nearest", "splinef2d") and method not in _DEGREES:
        raise ValueError(
            "interpn only understands the methods 'linear', 'nearest', 'slinear', 'cubic', "
            "'quintic', 'pchip', "
            f"and 'splinef2d'. You provided {method}."
        )
    values = as_array(values)
    if method != "splinef2d":
        return RegularGridInterpolator(points, values, method, bounds_error, fill_value)(xi)
    if values.ndim > 2:
        raise ValueError("The method splinef2d can only be used for 2-dimensional input data")
    if not bounds_error and fill_value is None:
        raise ValueError("The method splinef2d does not support extrapolation.")
    if len(points) != values.ndim:
        raise ValueError(
            "The method splinef2d can only be used for scalar data with one point per coordinate"
        )
    # The knots of this method are those of cubic splines, and so are its values.
    return RegularGridInterpolator(points, values, "cubic", bounds_error, fill_value)(xi)

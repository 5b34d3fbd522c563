"""Interpolation of values at scattered points: by triangles, and by the nearest point."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from ..spatial import Delaunay, KDTree
from ._arguments import columns, inexact, point_coordinates, uncolumns
from ._interp1d import interp1d

__all__ = ["CloughTocher2DInterpolator", "LinearNDInterpolator", "NearestNDInterpolator", "griddata"]


class _Scattered:
    """Points with values, and coordinates that may be scaled to equal extents."""

    def __init__(self, points: Any, values: Any, rescale: bool, fill_value: Any = np.nan) -> None:
        self.tri: Delaunay | None = points if isinstance(points, Delaunay) else None
        coordinates = points.points if isinstance(points, Delaunay) else point_coordinates(points)
        self.points = coordinates.astype(np.float64)
        if self.points.ndim != 2:
            raise ValueError("invalid shape for input data points")
        if self.points.shape[1] < 2 and type(self) is not NearestNDInterpolator:
            raise ValueError("input data must be at least 2-D")
        self._offset, self._scale = cp.zeros(self.points.shape[1]), cp.ones(self.points.shape[1])
        if rescale:
            if self.tri is not None:
                raise ValueError(
                    "Rescaling is not supported when passing a Delaunay triangulation as a parameter."
                )
            self._offset = self.points.mean(0)
            extent = self.points.max(0) - self.points.min(0)
            self._scale = cp.where(extent == 0, 1.0, extent)
        self.fill_value = fill_value
        if values is not None:
            self._take(values)

    def _take(self, values: Any) -> None:
        self.values = inexact(values)
        if self.values.ndim == 0 or self.values.shape[0] != self.points.shape[0]:
            raise ValueError("different number of values and points")
        self._columns = columns(self.values)

    def _scaled(self, x: ndarray) -> ndarray:
        return (x - self._offset) / self._scale

    def _asked(self, args: tuple[Any, ...]) -> ndarray:
        ndim = self.points.shape[1]
        xi = point_coordinates(args if len(args) > 1 else args[0], ndim)
        if xi.shape[-1] != ndim:
            raise ValueError("number of dimensions in xi does not match x")
        return xi

    def _located(self, x: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        """Return the triangle of each point, whether there is one, and the barycentric coordinates."""
        assert self.tri is not None
        place = self.tri.find_simplex(x)
        within = place >= 0
        place = cp.maximum(place, 0)
        return place, within, _barycentric(self.tri.transform[place], x)

    def _filled(self, result: ndarray, within: ndarray, shape: tuple[int, ...]) -> ndarray:
        values = uncolumns(result, self.values.dtype, (result.shape[0], *self.values.shape[1:]))
        wide = within.reshape(-1, *[1] * (values.ndim - 1))
        return cp.where(wide, values, as_array(self.fill_value).astype(values.dtype)).reshape(
            shape + self.values.shape[1:]
        )


def _barycentric(transform: ndarray, x: ndarray) -> ndarray:
    away = x - transform[:, 2]
    first = (transform[:, :2] * away[:, None, :]).sum(2)
    return cp.concatenate((first, 1 - first.sum(1, keepdims=True)), axis=1)


class LinearNDInterpolator(_Scattered):
    """Linear interpolation on the triangles between points of the plane.

    Parameters
    ----------
    points : (N, 2) array_like or Delaunay
        The points.
    values : (N, ...) array_like
        The values.
    fill_value : float, optional
        The value outside of the hull.
    rescale : bool, optional
        Whether the coordinates are scaled to equal extents first.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import LinearNDInterpolator
    >>> points = cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> LinearNDInterpolator(points, cp.array([0.0, 1.0, 2.0]))(0.25, 0.5).round(6)
    array(1.25)
    """

    def __init__(
        self, points: Any, values: ArrayLike, fill_value: float = np.nan, rescale: bool = False
    ) -> None:
        super().__init__(points, values, rescale, fill_value)
        if self.tri is None:
            self.tri = Delaunay(self._scaled(self.points))

    def __call__(self, *args: Any) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        *args : array_likes
            The coordinates, one array each, or one array whose last axis has them.

        Returns
        -------
        ndarray
            The values.
        """
        xi = self._asked(args)
        assert self.tri is not None
        place, within, weights = self._located(self._scaled(xi.reshape(-1, 2)))
        result = (self._columns[self.tri.simplices[place]] * weights[:, :, None]).sum(1)
        return self._filled(result, within, xi.shape[:-1])


def _gradients(tri: Delaunay, values: ndarray, maxiter: int, tol: float) -> ndarray:
    """Return gradients at the points that bend cubic curves along all edges least, by Jacobi's iteration."""
    start, other = tri.vertex_neighbor_vertices
    n = tri.npoints
    owner = cp.repeat(cp.arange(n), start[1:] - start[:-1])
    edge = tri.points[other] - tri.points[owner]
    weight = 1 / (edge**2).sum(1) ** 1.5

    def summed(a: ndarray) -> ndarray:
        return cp.bincount(owner, weights=a, minlength=n)

    xx, xy, yy = (2 * summed(weight * edge[:, i] * edge[:, j]) for i, j in ((0, 0), (0, 1), (1, 1)))
    det = xx * yy - xy * xy
    det = cp.where(det == 0, 1.0, det)
    parts = []
    for column in range(values.shape[1]):
        y = values[:, column]
        rise = 3 * (y[owner] - y[other])
        gradient = cp.zeros((n, 2))
        for round_ in range(4 * maxiter):
            along = (gradient[other] * edge).sum(1) + rise
            sx, sy = summed(weight * along * edge[:, 0]), summed(weight * along * edge[:, 1])
            new = -cp.stack(((yy * sx - xy * sy) / det, (xx * sy - xy * sx) / det), 1)
            change = abs(new - gradient).max(1) / cp.maximum(1.0, abs(new).max(1))
            gradient = new
            if round_ % 8 == 7 and float(change.max()) < tol:
                break
        else:
            warnings.warn(
                f"Gradient estimation did not converge, the results may be inaccurate after {maxiter} rounds",
                stacklevel=3,
            )
        parts.append(gradient)
    return cp.stack(parts, 1)


class CloughTocher2DInterpolator(_Scattered):
    """Cubic interpolation with continuous slopes on the triangles between points of the plane.

    Parameters
    ----------
    points : (N, 2) array_like or Delaunay
        The points.
    values : (N, ...) array_like
        The values.
    fill_value : float, optional
        The value outside of the hull.
    tol : float, optional
        How exact the gradients at the points are.
    maxiter : int, optional
        The largest number of rounds for them.
    rescale : bool, optional
        Whether the coordinates are scaled to equal extents first.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import CloughTocher2DInterpolator
    >>> points = cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> CloughTocher2DInterpolator(points, cp.array([0.0, 1.0, 2.0, 3.0]))(0.25, 0.5).round(4)
    array(1.25)
    """

    def __init__(
        self,
        points: Any,
        values: ArrayLike,
        fill_value: float = np.nan,
        tol: float = 1e-6,
        maxiter: int = 400,
        rescale: bool = False,
    ) -> None:
        super().__init__(points, values, rescale, fill_value)
        if self.points.shape[1] != 2:
            raise ValueError(
                f"this mode of interpolation needs 2-D points, got {self.points.shape[1]} coordinates"
            )
        if self.tri is None:
            self.tri = Delaunay(self._scaled(self.points))
        # Jacobi's steps are half of what is left, so that the error is about the last change.
        self.grad = _gradients(self.tri, self._columns, maxiter, tol / 10)

    def __call__(self, *args: Any) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        *args : array_likes
            The coordinates, one array each, or one array whose last axis has them.

        Returns
        -------
        ndarray
            The values.
        """
        xi = self._asked(args)
        assert self.tri is not None
        place, within, b = self._located(self._scaled(xi.reshape(-1, 2)))
        corners = self.tri.simplices[place]
        f = [self._columns[corners[:, i]] for i in range(3)]
        x, slope = self.tri.points[corners], self.grad[corners]

        def along(i: int, j: int) -> ndarray:
            """The slope at corner i towards corner j."""
            return (slope[:, i] * (x[:, j] - x[:, i])[:, None, :]).sum(2)

        # Coefficients of the cubic in Bernstein's form, on the edges first: edge[i, j] is nearer to corner i.
        edge = {(i, j): along(i, j) / 3 + f[i] for i in range(3) for j in range(3) if i != j}
        near = [(f[i] + edge[i, (i + 1) % 3] + edge[i, (i + 2) % 3]) / 3 for i in range(3)]
        shares = self._edge_shares(place)
        opposite = []
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            bend = -f[i] + 3 * edge[i, j] - 3 * edge[j, i] + f[j]
            flat = -f[i] + 2 * edge[i, j] - edge[j, i] + near[i] + near[j]
            opposite.append((shares[:, k, None] * bend + flat) / 2)
        inner = [(opposite[(k + 1) % 3] + opposite[(k + 2) % 3] + near[k]) / 3 for k in range(3)]
        middle = (inner[0] + inner[1] + inner[2]) / 3
        # The triangle has three parts around its centre: the smallest coordinate belongs to the centre.
        least = b.min(1)
        b1, b2, b3 = (b[:, k] - least for k in range(3))
        b4 = 3 * least
        c = (b1[:, None], b2[:, None], b3[:, None])
        m = b4[:, None]
        total: Any = m**3 * middle
        for k in range(3):
            total = total + c[k] ** 3 * f[k] + 3 * c[k] ** 2 * m * near[k] + 3 * c[k] * m**2 * inner[k]
            i, j = (k + 1) % 3, (k + 2) % 3
            total = total + 3 * c[i] ** 2 * c[j] * edge[i, j] + 3 * c[i] * c[j] ** 2 * edge[j, i]
            total = total + 6 * c[i] * c[j] * m * opposite[k]
        return self._filled(total, within, xi.shape[:-1])

    def _edge_shares(self, place: ndarray) -> ndarray:
        """Return where on each edge the line to the neighbour's centre passes: affine maps keep that."""
        assert self.tri is not None
        found = []
        for k in range(3):
            other = self.tri.neighbors[place, k]
            centre = self.tri.points[self.tri.simplices[cp.maximum(other, 0)]].mean(1)
            c = _barycentric(self.tri.transform[place], centre)
            i, j = (k + 1) % 3, (k + 2) % 3
            share = (2 * c[:, j] + c[:, i] - 1) / (2 - 3 * c[:, j] - 3 * c[:, i])
            found.append(cp.where(other < 0, -0.5, share))
        return cp.stack(found, 1)


class NearestNDInterpolator(_Scattered):
    """Interpolation by the value of the nearest point, in any number of dimensions.

    Parameters
    ----------
    x : (N, D) array_like
        The points.
    y : (N, ...) array_like
        The values.
    rescale : bool, optional
        Whether the coordinates are scaled to equal extents first.
    tree_options : dict, optional
        Options of the tree.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import NearestNDInterpolator
    >>> points = cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> NearestNDInterpolator(points, cp.array([5.0, 6.0, 7.0]))(0.9, 0.2)
    array(6.)
    """

    def __init__(self, x: Any, y: ArrayLike, rescale: bool = False, tree_options: Any = None) -> None:
        super().__init__(x, None, rescale)
        self.values = as_array(y)
        if self.values.ndim == 0 or self.values.shape[0] != self.points.shape[0]:
            raise ValueError("different number of values and points")
        self.tree = KDTree(self._scaled(self.points), **(tree_options or {}))

    def __call__(self, *args: Any, **query_options: Any) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        *args : array_likes
            The coordinates, one array each, or one array whose last axis has them.
        **query_options
            Options of the tree's query; points without a neighbour are NaN.

        Returns
        -------
        ndarray
            The values.
        """
        xi = self._asked(args)
        flat = self._scaled(xi.reshape(-1, xi.shape[-1]))
        distance, index = self.tree.query(flat, **query_options)
        result = self.values[cp.minimum(index, self.points.shape[0] - 1)]
        if result.dtype.kind not in "fc":
            result = result.astype(np.float64)
        if query_options:
            missing = cp.isinf(distance).reshape(-1, *[1] * (result.ndim - 1))
            if bool(missing.any()):
                result = cp.where(missing, np.nan, result)
        return result.reshape(xi.shape[:-1] + self.values.shape[1:])


def griddata(
    points: Any,
    values: ArrayLike,
    xi: Any,
    method: str = "linear",
    fill_value: float = np.nan,
    rescale: bool = False,
) -> ndarray:
    """Interpolate values at scattered points.

    Parameters
    ----------
    points : (N, D) array_like
        The points; of one or two dimensions, or any number for "nearest".
    values : (N, ...) array_like
        The values.
    xi : (..., D) array_like or tuple of array_likes
        Where to interpolate.
    method : {"linear", "nearest", "cubic"}, optional
        The method.
    fill_value : float, optional
        The value outside of the hull.
    rescale : bool, optional
        Whether the coordinates are scaled to equal extents first.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import griddata
    >>> points = cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> griddata(points, cp.array([0.0, 1.0, 2.0]), cp.array([[0.25, 0.5]])).round(6)
    array([1.25])
    """
    coordinates = point_coordinates(points)
    ndim = coordinates.shape[-1] if coordinates.ndim > 1 else 1
    if ndim == 1 and method in ("nearest", "linear", "cubic"):
        x = coordinates.ravel()
        at = point_coordinates(xi, 1)
        by = cp.argsort(x)
        fill: Any = "extrapolate" if method == "nearest" else fill_value
        line = interp1d(x[by], as_array(values)[by], method, axis=0, bounds_error=False, fill_value=fill)
        return line(at[..., 0])
    if method == "nearest":
        return NearestNDInterpolator(coordinates, values, rescale)(xi)
    if method == "linear":
        return LinearNDInterpolator(coordinates, values, fill_value, rescale)(xi)
    if method == "cubic" and ndim == 2:
        return CloughTocher2DInterpolator(coordinates, values, fill_value, rescale=rescale)(xi)
    raise ValueError(f"Unknown interpolation method {method!r} for {ndim} dimensional data")

"""Least squares with banded matrices, by rotations of rows into a triangle."""

from __future__ import annotations

import numpy as np

import cuprum as cp

from ..._core import ndarray
from .._kernels import launch
from ._arguments import kernel


def basis_values(t: ndarray, k: int, x: ndarray, nu: int = 0) -> tuple[ndarray, ndarray]:
    """Return the first basis function that is not zero at each point, and the k + 1 values from it on."""
    first, values = cp.empty(x.size, np.int64), cp.empty((x.size, k + 1))
    sizes = np.int64(t.size - k - 1), np.int64(x.size), np.int32(nu)
    arguments = (cp.ascontiguousarray(t), cp.ascontiguousarray(x), first, values, *sizes)
    launch(kernel("bsplines", f"basis_values<{k}>"), x.size, arguments)
    return first, values


class Triangle:
    """The upper triangle of a banded least squares problem, with its right-hand sides."""

    def __init__(self, r: ndarray, z: ndarray) -> None:
        self.r, self.z = r, z

    def solved(self) -> ndarray:
        """Return the solution, a column for each right-hand side."""
        n, band = self.r.shape
        x = self.z.copy()
        arguments = (self.r, x, np.int64(n), np.int64(x.shape[1]))
        launch(kernel("least_squares", f"solve_triangle<{band}>"), x.shape[1], arguments, 32)
        return x

    def with_rows(self, rows: ndarray, start: ndarray, sides: ndarray) -> Triangle:
        """Return the triangle with further rows, of the same or a larger bandwidth."""
        n, band = self.r.shape[0], rows.shape[1]
        r = cp.zeros((n, band))
        r[:, : self.r.shape[1]] = self.r
        z = self.z.copy()
        rows, sides = cp.ascontiguousarray(rows).copy(), cp.ascontiguousarray(sides).copy()
        sizes = np.int64(n), np.int64(z.shape[1]), np.int64(rows.shape[0])
        launch(
            kernel("least_squares", f"reduce_rows<{band}>"), 1, (rows, sides, start, r, z, *sizes), threads=1
        )
        return Triangle(r, z)


def spline_triangle(t: ndarray, k: int, x: ndarray, y: ndarray, w: ndarray) -> Triangle:
    """Return the triangle of the weighted least squares spline through rows of `y` at rising points."""
    n, band, width = t.size - k - 1, k + 1, y.shape[1]
    first, values = basis_values(t, k, x)
    rows, sides = values * w[:, None], cp.ascontiguousarray(y * w[:, None])
    # Points of one knot interval have the same basis functions: each interval is reduced by itself, at once.
    begin = cp.searchsorted(first, cp.arange(n - k + 1))
    intervals = n - k
    r, z = cp.zeros((intervals, band, band)), cp.zeros((intervals, band, width))
    arguments = (rows, sides, begin, r, z, np.int64(width), np.int64(intervals))
    launch(kernel("least_squares", f"reduce_intervals<{band}>"), intervals, arguments, 32)
    start = (cp.arange(intervals)[:, None] + cp.arange(band)).ravel()
    empty = Triangle(cp.zeros((n, band)), cp.zeros((n, width)))
    return empty.with_rows(r.reshape(-1, band), start, z.reshape(-1, width))

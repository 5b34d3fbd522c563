"""The smoothing spline of Dierckx on a grid of two axes: knots of either axis in turn, then one weight.

The tensor product separates: each round solves banded least squares along one axis, then along the other.
What is solved with is the triangle of the design matrix alone, so that right-hand sides are shared out over
threads; one step of refinement makes up for that.
"""

from __future__ import annotations

import numpy as np

import cuprum as cp

from ..._core import ndarray
from .. import sparse
from .._kernels import launch
from ._arguments import kernel
from ._least_squares import Triangle, basis_values, spline_triangle
from ._smoothing import TOLERANCE, add_knot, by_intervals, jumps, through_knots, weighed, with_ends


class GridSmoothed:
    """Knots of both axes, coefficients and the sum of squares, and why the search ended (FITPACK's code)."""

    def __init__(self, knots: tuple[ndarray, ndarray], c: ndarray, fp: float, code: int) -> None:
        self.knots, self.c, self.fp, self.code = knots, c, fp, code


def _matrix(first: ndarray, values: ndarray, width: int) -> sparse.csr_matrix:
    """Return the rows of a banded matrix, each with its first column."""
    rows, band = values.shape
    starts = cp.arange(rows + 1) * band
    columns = (first[:, None] + cp.arange(band)).ravel()
    return sparse.csr_matrix((values.ravel(), columns, starts), shape=(rows, width))


class _Axis:
    """Least squares along one axis, with the knots that the search has found so far."""

    def __init__(self, x: ndarray, ends: tuple[float, float], k: int) -> None:
        self.x, self.ends, self.k = x, ends, k
        self.points = cp.asnumpy(x)
        self.inner: list[float] = []
        # The points strictly inside of each knot interval; knots are points.
        self.inside = [x.size - 2]
        self.plus, self.gain = 0, 0.0
        self.most = x.size - k - 1
        self._settle()

    def _settle(self) -> None:
        """Make what the knots determine."""
        self.t = with_ends(cp.array(self.inner, np.float64), *self.ends, self.k)
        self.n = self.t.size - self.k - 1
        one = cp.ones(self.x.size)
        self.plain: Triangle = spline_triangle(self.t, self.k, self.x, cp.zeros((self.x.size, 1)), one)
        self.design = _matrix(*basis_values(self.t, self.k, self.x), self.n)
        self.across = self.design.T.tocsr()

    def add_knots(self, squares: ndarray) -> None:
        """Add the knots of a round, where the squares of lines across are largest."""
        parts = by_intervals(self.points, cp.asnumpy(squares), self.inner)
        for _ in range(self.plus):
            if not add_knot(self.points, self.inner, self.inside, parts) or self.is_full:
                break
        if self.is_full:
            # As many functions as points: with these knots the spline passes through all points. FITPACK puts
            # such knots on the second axis too when the first one is full, whatever it has there.
            k = self.k
            self.inner = through_knots(self.x, *self.ends, k)[k + 1 : -k - 1].tolist()
        self._settle()

    @property
    def is_full(self) -> bool:
        return len(self.inner) >= self.most

    def wanted(self, over: float, accuracy: float) -> int:
        """Return how many knots a round on this axis would add."""
        if not self.inner:
            return 1
        guess = self.plus * 2
        if self.gain > accuracy:
            guess = int(self.plus * over / self.gain)
        return min(self.plus * 2, max(guess, self.plus // 2, 1))

    def weigh(self, p: float) -> None:
        """Weigh the jumps at knots by `1 / p`; infinity leaves them out."""
        self.weighted, self.bends = self.plain, None
        if self.inner and p < np.inf:
            rows, start = jumps(self.t, self.k)
            rows = rows / p
            self.weighted = self.plain.with_rows(rows, start, cp.zeros((rows.shape[0], 1)))
            self.bends = _matrix(start, rows, self.n)

    def solved(self, z: ndarray) -> ndarray:
        """Return the coefficients of columns of `z`."""
        c = self._normal(self.across @ z)
        left = self.across @ (z - self.design @ c)
        if self.bends is not None:
            left = left - self.bends.T @ (self.bends @ c)
        return c + self._normal(left)

    def _normal(self, sides: ndarray) -> ndarray:
        """Return the solution of the normal equations."""
        r, z = self.weighted.r, cp.ascontiguousarray(sides).copy()
        sizes = np.int64(r.shape[0]), np.int64(z.shape[1])
        launch(kernel("least_squares", f"solve_transposed<{r.shape[1]}>"), z.shape[1], (r, z, *sizes), 32)
        return Triangle(r, z).solved()


class _Grid:
    """The least squares of a grid, and what is left of its values."""

    def __init__(self, x: _Axis, y: _Axis, z: ndarray) -> None:
        self.x, self.y, self.z = x, y, z

    def fit(self, p: float = np.inf) -> float:
        """Return the sum of squares."""
        self.x.weigh(p)
        self.y.weigh(p)
        self.c = self.y.solved(self.x.solved(self.z).T).T
        made = self.x.design @ cp.ascontiguousarray(self.c)
        self.squares = (self.z - (self.y.design @ made.T).T) ** 2
        self.fp = float(self.squares.sum())
        return self.fp

    def smoothed(self, code: int) -> GridSmoothed:
        return GridSmoothed((self.x.t, self.y.t), cp.ascontiguousarray(self.c), self.fp, code)


def grid_smoothing_spline(
    nodes: tuple[ndarray, ndarray],
    z: ndarray,
    ends: tuple[tuple[float, float], tuple[float, float]],
    degrees: tuple[int, int],
    s: float,
    rounds: int,
) -> GridSmoothed:
    """Return the smoothest spline on a grid whose sum of squares is at most `s`, but for a thousandth."""
    x, y = (_Axis(*parts) for parts in zip(nodes, ends, degrees, strict=True))
    grid, accuracy = _Grid(x, y, z), TOLERANCE * s
    last: _Axis | None = None
    first = before = 0.0
    while True:
        over = grid.fit() - s
        is_first = not x.inner and not y.inner
        if is_first:
            first = grid.fp
        if abs(over) < accuracy or (over < 0 and is_first):
            return grid.smoothed(-2 if is_first else 0)
        if over < 0:
            break
        if x.is_full and y.is_full:
            grid.fp = 0.0
            return grid.smoothed(-1)
        if last is not None:
            last.gain = before - grid.fp
        before = grid.fp
        plus = x.wanted(over, accuracy), y.wanted(over, accuracy)
        is_x = plus[0] < plus[1] or (plus[0] == plus[1] and last is not x)
        is_x = y.is_full or (is_x and not x.is_full)
        last = x if is_x else y
        last.plus = plus[0] if is_x else plus[1]
        last.add_knots(grid.squares.sum(axis=1 if is_x else 0))
    code = weighed(grid.fit, 1.0, s, accuracy, (first - s, grid.fp - s), rounds)
    return grid.smoothed(code)

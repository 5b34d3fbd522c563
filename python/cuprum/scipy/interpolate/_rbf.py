"""Interpolation of scattered values by radial basis functions."""

from __future__ import annotations

import warnings
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import linalg_solve_triangular, ndarray
from ..._typing import ArrayLike
from .._kernels import launch
from ._arguments import columns, inexact, kernel, real, uncolumns

__all__ = ["RBFInterpolator"]

_KINDS = {
    name: name.upper()
    for name in (
        *("linear", "thin_plate_spline", "cubic", "quintic"),
        *("multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian"),
    )
}
_SCALE_INVARIANT = ("linear", "thin_plate_spline", "cubic", "quintic")
_MIN_DEGREE = {"multiquadric": 0, "linear": 0, "thin_plate_spline": 1, "cubic": 1, "quintic": 2}
# How many float64 the systems of a batch of neighbourhoods take at most.
_MAX_BATCH = 1 << 25
# Rows of a matrix that are brought up to date at a time: the product for them is small beside the matrix.
_ROWS_AT_A_TIME = 1024


def _monomials(ndim: int, degree: int) -> list[list[int]]:
    """Return the powers of all monomials up to a degree."""
    found = []
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(ndim), total):
            found.append([chosen.count(axis) for axis in range(ndim)])
    return found


class RBFInterpolator:
    """Interpolation of scattered values by radial basis functions and a polynomial.

    Parameters
    ----------
    y : (P, N) array_like
        The points.
    d : (P, ...) array_like
        The values.
    neighbors : int, optional
        How many of the nearest points are used for each value; all by default.
    smoothing : float or (P,) array_like, optional
        How far the function may stay away from the values; 0 passes through them.
    kernel : str, optional
        "linear", "thin_plate_spline" (by default), "cubic", "quintic", "multiquadric", "
        ""inverse_multiquadric",
        "inverse_quadratic" or "gaussian".
    epsilon : float, optional
        A factor of all distances; needed for the last four.
    degree : int, optional
        The degree of the polynomial; -1 for none.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import RBFInterpolator
    >>> y = cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> RBFInterpolator(y, cp.array([0.0, 1.0, 1.0, 2.0]))(cp.array([[0.5, 0.5]])).round(6)
    array([1.])
    """

    def __init__(
        self,
        y: ArrayLike,
        d: ArrayLike,
        neighbors: int | None = None,
        smoothing: Any = 0.0,
        kernel: str = "thin_plate_spline",
        epsilon: float | None = None,
        degree: int | None = None,
    ) -> None:
        y, d = real(y), inexact(d)
        if y.ndim != 2:
            raise ValueError("`y` must be a 2-dimensional array.")
        count, ndim = y.shape
        if d.ndim == 0 or d.shape[0] != count:
            raise ValueError(f"Expected the first axis of `d` to have length {count}.")
        weights = as_array(smoothing).astype(np.float64)
        if weights.ndim == 0:
            weights = cp.full(count, float(weights))
        elif weights.shape != (count,):
            raise ValueError(f"Expected `smoothing` to be a scalar or have shape ({count},).")
        kernel = kernel.lower()
        if kernel not in _KINDS:
            raise ValueError(f"`kernel` must be one of {sorted(_KINDS)}.")
        if epsilon is None:
            if kernel not in _SCALE_INVARIANT:
                raise ValueError(f"`epsilon` must be specified if `kernel` is not one of {_SCALE_INVARIANT}.")
            epsilon = 1.0
        least = _MIN_DEGREE.get(kernel, -1)
        if degree is None:
            degree = max(least, 0)
        else:
            degree = int(degree)
            if degree < -1:
                raise ValueError("`degree` must be at least -1.")
            if -1 < degree < least:
                warnings.warn(
                    f"`degree` should not be below {least} except -1 when `kernel` is "
                    f"'{kernel}'. The interpolant "
                    "may not be uniquely solvable, and the smoothing parameter may have an "
                    "unintuitive effect.",
                    UserWarning,
                    stacklevel=2,
                )
        self.y, self.d, self.smoothing = y, columns(d), weights
        self.d_shape, self.d_dtype = d.shape[1:], d.dtype
        self.kernel, self.epsilon = kernel, float(epsilon)
        self.powers = _monomials(ndim, degree)
        # Whether the matrix of distances is positive definite where polynomials of this degree vanish.
        self._is_definite = degree >= least
        self.neighbors = None if neighbors is None else int(min(neighbors, count))
        if len(self.powers) > (count if self.neighbors is None else self.neighbors):
            raise ValueError(
                f"At least {len(self.powers)} data points are required when `degree` is {degree} "
                "and the number of "
                f"dimensions is {ndim}."
            )
        if self.neighbors is None:
            self._coefficients = self._solved()
        else:
            from ..spatial import KDTree

            self._tree = KDTree(y)

    def _polynomials(self, x: ndarray, shift: ndarray, scale: ndarray) -> ndarray:
        """Return the monomials at points, an axis of them last."""
        at = (x - shift) / scale
        found = []
        for powers in self.powers:
            value: Any = cp.ones(x.shape[:-1])
            for axis, power in enumerate(powers):
                if power:
                    value = value * at[..., axis] ** power
            found.append(value)
        return cp.stack(found, -1)

    @staticmethod
    def _frame(y: ndarray, axis: int) -> tuple[ndarray, ndarray]:
        """Return the centre and the half extents of points."""
        low, high = y.min(axis), y.max(axis)
        half = (high - low) / 2
        return (high + low) / 2, cp.where(half == 0, 1.0, half)

    def _matrix(self, more: int) -> ndarray:
        """Return the basis functions of all points at all points, with `more` rows and columns of zeros."""
        n, ndim = self.y.shape
        system = cp.zeros((n + more, n + more))
        arguments = (self.y * self.epsilon, system, np.int64(n), np.int64(n + more))
        if n:
            grid = (-(-n // 128), min(n, 65535))
            kernel("rbf", f"matrix<{_KINDS[self.kernel]}, {ndim}>")(grid, (128,), arguments)
        diagonal = cp.arange(n)
        system[diagonal, diagonal] += self.smoothing
        return system

    def _solved(self) -> ndarray:
        """Return the coefficients of all basis functions, then those of the monomials."""
        n, terms = self.y.shape[0], len(self.powers)
        p = None
        if terms:
            self._shift, self._scale = self._frame(self.y, 0)
            p = self._polynomials(self.y, self._shift, self._scale)
        if self._is_definite and n > terms:
            found = _solve_definite(self._matrix(0), p, self.d)
            if found is not None:
                return found
        system = self._matrix(terms)
        if p is not None:
            system[:n, n:] = p
            system[n:, :n] = p.T
        rhs = cp.concatenate((self.d, cp.zeros((terms, self.d.shape[1]))))
        try:
            return cp.linalg.solve(system, rhs)
        except np.linalg.LinAlgError:
            message = "Singular matrix."
            if p is not None:
                rank = int(cp.linalg.matrix_rank(p))
                if rank < terms:
                    message = (
                        "Singular matrix. The matrix of monomials evaluated at the data point "
                        "coordinates does not "
                        f"have full column rank ({rank}/{terms})."
                    )
            raise np.linalg.LinAlgError(message) from None

    def __call__(self, x: ArrayLike) -> ndarray:
        """Interpolate at points.

        Parameters
        ----------
        x : (Q, N) array_like
            The points.

        Returns
        -------
        (Q, ...) ndarray
            The values.
        """
        x = real(x)
        if x.ndim != 2:
            raise ValueError("`x` must be a 2-dimensional array.")
        if x.shape[1] != self.y.shape[1]:
            raise ValueError(f"Expected the second axis of `x` to have length {self.y.shape[1]}.")
        out = self._from_all(x) if self.neighbors is None else self._from_neighbors(x)
        return uncolumns(out, self.d_dtype, (x.shape[0], *self.d_shape))

    def _from_all(self, x: ndarray) -> ndarray:
        n, ndim = self.y.shape
        width = self.d.shape[1]
        out = cp.zeros((x.shape[0], width))
        points, centres = x * self.epsilon, self.y * self.epsilon
        first = 0
        while first < width:
            step = next(size for size in (8, 4, 2, 1) if size <= width - first)
            sizes = (np.int64(v) for v in (x.shape[0], n, width, first))
            name = f"sums<{_KINDS[self.kernel]}, {ndim}, {step}>"
            launch(kernel("rbf", name), x.shape[0], (points, centres, self._coefficients, out, *sizes))
            first += step
        if self.powers:
            out = out + self._polynomials(x, self._shift, self._scale) @ self._coefficients[n:]
        return out

    def _from_neighbors(self, x: ndarray) -> ndarray:
        """Solve a small system for each point, many at once."""
        assert self.neighbors is not None
        k, terms = self.neighbors, len(self.powers)
        near = self._tree.query(x, k)[1].reshape(x.shape[0], k)
        # The same neighbours in the same order give the same system.
        near = cp.sort(near, axis=1)
        parts = []
        batch = max(_MAX_BATCH // (k + terms) ** 2, 1)
        for start in range(0, x.shape[0], batch):
            parts.append(self._solved_near(x[start : start + batch], near[start : start + batch]))
        return cp.concatenate(parts) if parts else cp.zeros((0, self.d.shape[1]))

    def _solved_near(self, x: ndarray, near: ndarray) -> ndarray:
        k, terms = near.shape[1], len(self.powers)
        y = self.y[near]
        apart = (y[:, :, None, :] - y[:, None, :, :]) * self.epsilon
        system = cp.zeros((x.shape[0], k + terms, k + terms))
        system[:, :k, :k] = _radial(self.kernel, (apart * apart).sum(-1))
        diagonal = cp.arange(k)
        system[:, diagonal, diagonal] += self.smoothing[near]
        away = (x[:, None, :] - y) * self.epsilon
        weights = _radial(self.kernel, (away * away).sum(-1))
        if terms:
            shift, scale = self._frame(y, 1)
            p = self._polynomials(y, shift[:, None], scale[:, None])
            system[:, :k, k:] = p
            system[:, k:, :k] = cp.swapaxes(p, 1, 2)
            weights = cp.concatenate((weights, self._polynomials(x, shift, scale)), axis=1)
        rhs = cp.zeros((x.shape[0], k + terms, self.d.shape[1]))
        rhs[:, :k] = self.d[near]
        c = cp.linalg.solve(system, rhs)
        return (weights[:, None, :] @ c)[:, 0, :]


def _solve_definite(matrix: ndarray, p: ndarray | None, d: ndarray) -> ndarray | None:
    """Solve the system of a matrix and monomials, given that it is positive definite where these vanish.

    The orthogonal matrix of a QR decomposition of the monomials, ``I - V T V^T``, turns the system into one
    of a positive definite matrix and a triangle: half the arithmetic of an LU decomposition. None where that
    fails: the matrix is nearly singular, or the monomials depend on each other. The matrix is overwritten.
    """
    eps = float(np.finfo(np.float64).eps)
    terms = 0 if p is None else p.shape[1]
    right = d
    if p is not None:
        packed, tau = cp.linalg.qr(p, mode="raw")
        v = cp.tril(packed.T, -1)
        v[cp.arange(terms), cp.arange(terms)] = 1.0
        upper = cp.triu(packed.T[:terms])
        diagonal = abs(upper.diagonal())
        if not float(diagonal.min()) > 100 * eps * float(diagonal.max()):
            return None
        t = cp.asarray(_block_factor((v.T @ v).get(), tau.get()))
        across = matrix @ v @ t
        across = across - 0.5 * (v @ (t.T @ (v.T @ across)))
        ours, theirs = cp.concatenate((v, across), axis=1), cp.concatenate((across, v), axis=1).T
        for first in range(0, matrix.shape[0], _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            matrix[rows] -= ours[rows] @ theirs
        right = d - v @ (t.T @ (v.T @ d))
    try:
        lower = cp.linalg.cholesky(matrix[terms:, terms:])
    except np.linalg.LinAlgError:
        return None
    pivots = lower.diagonal()
    if not float(pivots.min()) ** 2 > 100 * eps * float(pivots.max()) ** 2:
        return None
    z = linalg_solve_triangular(lower, right[terms:], 0, True, False)
    z = linalg_solve_triangular(lower, z, 1, True, False)
    if p is None:
        return z
    monomials = linalg_solve_triangular(upper, right[:terms] - matrix[:terms, terms:] @ z, 0, False, False)
    c = cp.concatenate((cp.zeros((terms, z.shape[1])), z))
    return cp.concatenate((c - v @ (t @ (v.T @ c)), monomials))


def _block_factor(products: Any, tau: Any) -> Any:
    """Return T of ``I - V T V^T`` for reflections with these factors; `products` is ``V^T V``."""
    t = np.zeros((tau.size, tau.size))
    for i in range(tau.size):
        t[:i, i] = -tau[i] * (t[:i, :i] @ products[:i, i])
        t[i, i] = tau[i]
    return t


def _radial(name: str, square: ndarray) -> ndarray:
    """Return a radial basis function of squared distances."""
    if name == "thin_plate_spline":
        empty = square == 0
        return cp.where(empty, 0.0, 0.5 * square * cp.log(cp.where(empty, 1.0, square)))
    root = cp.sqrt(square)
    return {
        "linear": lambda: -root,
        "cubic": lambda: square * root,
        "quintic": lambda: -square * square * root,
        "multiquadric": lambda: -cp.sqrt(square + 1),
        "inverse_multiquadric": lambda: 1 / cp.sqrt(square + 1),
        "inverse_quadratic": lambda: 1 / (square + 1),
        "gaussian": lambda: cp.exp(-square),
    }[name]()

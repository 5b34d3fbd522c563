"""What implicit solvers share: Jacobians, given or by differences, and factors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..linalg import lu_factor, lu_solve
from ._ode import EPS, OdeSolver

# Differences smaller than this share of the values are noise, and the step is tried again ten times longer.
_REJECT, _SMALL, _BIG = EPS**0.875, EPS**0.75, EPS**0.25
_MIN_FACTOR = 1e3 * EPS

Jacobian = Callable[[float, ndarray, "ndarray | None"], ndarray]


def _dense(matrix: Any) -> ndarray:
    return as_array(matrix.toarray() if hasattr(matrix, "toarray") else matrix)


def column_groups(pattern: np.ndarray) -> np.ndarray:
    """Return a number for each column of a pattern: columns of one group have no row in common."""
    m, n = pattern.shape
    order = np.random.RandomState(0).permutation(n)
    filled, groups, group = pattern[:, order], np.full(n, -1), 0
    for i in range(n):
        if groups[i] >= 0:
            continue
        groups[i] = group
        taken = filled[:, i].copy()
        for j in range(i + 1, n):
            if groups[j] < 0 and not np.any(taken & filled[:, j]):
                taken |= filled[:, j]
                groups[j] = group
        group += 1
    result = np.empty(n, np.int64)
    result[order] = groups
    return result


class _Sparsity:
    """Which elements of a Jacobian are not zero, and the groups of columns that one difference serves."""

    def __init__(self, pattern: Any, n: int) -> None:
        self.pattern = _dense(pattern) != 0
        if self.pattern.shape != (n, n):
            raise ValueError(f"`jac_sparsity` must have shape {(n, n)}, got {self.pattern.shape}.")
        groups = column_groups(cp.asnumpy(self.pattern))
        self.groups, self.count = cp.array(groups), int(groups.max(initial=-1)) + 1


def difference_jacobian(
    fun: Callable[[float, ndarray], ndarray],
    t: float,
    y: ndarray,
    f: ndarray,
    threshold: Any,
    factor: ndarray | None,
    sparsity: _Sparsity | None,
) -> tuple[ndarray, ndarray]:
    """Return the Jacobian by forward differences, and factors of the steps for the next time."""
    n = y.size
    if n == 0:
        return cp.empty((0, 0)), cp.empty(0)
    if factor is None:
        factor = cp.full(n, EPS**0.5)
    sign = cp.where(f.real >= 0, 1.0, -1.0)
    y_scale = sign * cp.maximum(threshold, abs(y))
    h = (y + factor * y_scale) - y
    while bool((h == 0).any()):
        factor = cp.where(h == 0, factor * 10, factor)
        h = (y + factor * y_scale) - y

    def differences(steps: ndarray, columns: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        """Return differences by columns, the largest of each and what it is to be compared with."""
        if sparsity is None:
            moved = cp.zeros((n, columns.size), y.dtype)
            moved[columns, cp.arange(columns.size)] = steps[columns]
            new = fun(t, y[:, None] + moved)
            diff = new - f[:, None]
        else:
            groups = sparsity.groups[columns]
            used, place = cp.unique(groups, return_inverse=True)
            chosen = cp.zeros(n, bool)
            chosen[columns] = True
            moved = cp.where(chosen[:, None] & (sparsity.groups[:, None] == used), steps[:, None], 0.0)
            new = fun(t, y[:, None] + moved)[:, place]
            diff = cp.where(sparsity.pattern[:, columns], new - f[:, None], 0.0)
        row, column = cp.argmax(abs(diff), axis=0), cp.arange(columns.size)
        return diff, abs(diff[row, column]), cp.maximum(abs(f[row]), abs(new[row, column]))

    diff, largest, scale = differences(h, cp.arange(n))
    again = cp.nonzero(largest < _REJECT * scale)[0]
    if again.size:
        longer = factor.copy()
        longer[again] = 10 * factor[again]
        h_new = (y + longer * y_scale) - y
        diff_new, largest_new, scale_new = differences(h_new, again)
        better = cp.nonzero(largest[again] * scale_new < largest_new * scale[again])[0]
        columns = again[better]
        factor = factor.copy()
        factor[columns], h[columns] = longer[columns], h_new[columns]
        diff[:, columns] = diff_new[:, better]
        scale[columns], largest[columns] = scale_new[better], largest_new[better]
    factor = cp.where(largest < _SMALL * scale, factor * 10, factor)
    factor = cp.where(largest > _BIG * scale, factor * 0.1, factor)
    return diff / h, cp.maximum(factor, _MIN_FACTOR)


class ImplicitSolver(OdeSolver):
    """A solver that needs the Jacobian of the right-hand side and solves systems with it."""

    atol: Any
    jac: Jacobian | None
    J: ndarray

    def _take_jacobian(self, jac: Any, sparsity: Any, f: ndarray | None) -> None:
        """Set `J` and, unless it is constant, the function that computes it."""
        n, factor = self.n, None
        if jac is None:
            known = None if sparsity is None else _Sparsity(sparsity, n)

            def by_differences(t: float, y: ndarray, f: ndarray | None) -> ndarray:
                nonlocal factor
                self.njev += 1
                f = self.fun_single(t, y) if f is None else f
                J, factor = difference_jacobian(self.fun_vectorized, t, y, f, self.atol, factor, known)
                return J

            self.jac, self.J = by_differences, by_differences(self.t, self.y, f)
            return
        if callable(jac):

            def given(t: float, y: ndarray, f: ndarray | None = None) -> ndarray:
                self.njev += 1
                return _dense(jac(t, y)).astype(self.y.dtype, copy=False)

            self.jac, self.J = given, given(self.t, self.y)
        else:
            self.jac, self.J = None, _dense(jac).astype(self.y.dtype, copy=False)
        if self.J.shape != (n, n):
            raise ValueError(f"`jac` is expected to have shape {(n, n)}, but actually has {self.J.shape}.")

    def _factored(self, matrix: ndarray) -> Any:
        self.nlu += 1
        return lu_factor(matrix, check_finite=False)

    @staticmethod
    def _solved(factors: Any, b: ndarray) -> ndarray:
        solution: ndarray = lu_solve(factors, b, check_finite=False)
        return solution

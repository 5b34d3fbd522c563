"""Minimisation by the simplex of Nelder and Mead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from .._results import OptimizeResult
from ._objective import STOPPED, checked_callback


class _Spent(Exception):
    """No evaluation is left."""


class _Simplex:
    """Corners, the lowest value first, and their steps; values are on the host, points on the device."""

    def __init__(
        self,
        value: Callable[[ndarray], float],
        corners: ndarray,
        bounds: tuple[ndarray, ndarray] | None,
        maxfev: float,
        adaptive: bool,
    ) -> None:
        n = int(corners.shape[1])
        self.value, self.bounds, self.maxfev, self.calls = value, bounds, maxfev, 0
        self.expansion, self.contraction, self.shrinkage = 2.0, 0.5, 0.5
        if adaptive:
            self.expansion, self.contraction, self.shrinkage = 1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n
        self.points = [corners[i] for i in range(n + 1)]
        self.values = [np.inf] * (n + 1)
        try:
            for k in range(n + 1):
                self.values[k] = self.evaluated(self.points[k])
        except _Spent:
            pass
        self.sort()

    def evaluated(self, point: ndarray) -> float:
        if self.calls >= self.maxfev:
            raise _Spent
        self.calls += 1
        return self.value(point)

    def sort(self) -> None:
        order = np.argsort(np.array(self.values))
        self.points = [self.points[i] for i in order]
        self.values = [self.values[i] for i in order]

    def move(self) -> None:
        """Replace the worst corner by a better point, or shrink towards the best one."""
        points, values, n = self.points, self.values, len(self.points) - 1
        centre: Any = points[0]
        for point in points[1:-1]:
            centre = centre + point
        centre = centre / n
        worst = points[-1]

        def along(step: float) -> ndarray:
            return _inside((1 + step) * centre - step * worst, self.bounds)

        reflected = along(1.0)
        at_reflected = self.evaluated(reflected)
        if at_reflected < values[0]:
            expanded = along(self.expansion)
            at_expanded = self.evaluated(expanded)
            better = at_expanded < at_reflected
            points[-1], values[-1] = (expanded, at_expanded) if better else (reflected, at_reflected)
            return
        if at_reflected < values[-2]:
            points[-1], values[-1] = reflected, at_reflected
            return
        outside = at_reflected < values[-1]
        contracted = along(self.contraction if outside else -self.contraction)
        at_contracted = self.evaluated(contracted)
        if at_contracted <= at_reflected if outside else at_contracted < values[-1]:
            points[-1], values[-1] = contracted, at_contracted
            return
        for j in range(1, n + 1):
            points[j] = _inside(points[0] + self.shrinkage * (points[j] - points[0]), self.bounds)
            values[j] = self.evaluated(points[j])

    def is_small(self, xatol: float, fatol: float) -> bool:
        spread = cp.stack(self.points[1:]) - self.points[0]
        return float(abs(spread).max()) <= xatol and (
            max(abs(self.values[0] - v) for v in self.values[1:]) <= fatol
        )


def _inside(point: ndarray, bounds: tuple[ndarray, ndarray] | None) -> ndarray:
    return point if bounds is None else cp.clip(point, *bounds)


def _corners(x: ndarray, initial_simplex: Any, bounds: tuple[ndarray, ndarray] | None) -> ndarray:
    """Return the simplex to begin with."""
    n = x.size
    if initial_simplex is None:
        x = _inside(x, bounds)
        moved = cp.where(x != 0, 1.05 * x, 0.00025)
        corners = cp.concatenate((x[None], cp.where(cp.eye(n, dtype=bool), moved, x)))
    else:
        given: Any = cp.atleast_2d(cp.asarray(initial_simplex))
        corners = given.astype(np.float64)
        if corners.ndim != 2 or corners.shape[0] != corners.shape[1] + 1:
            raise ValueError("`initial_simplex` should be an array of shape (N+1,N)")
        if corners.shape[1] != n:
            raise ValueError("Size of `initial_simplex` is not consistent with `x0`")
    if bounds is None:
        return corners
    return _inside(cp.where(corners > bounds[1], 2 * bounds[1] - corners, corners), bounds)


def minimize_nelder_mead(
    value: Callable[[ndarray], float],
    x: ndarray,
    callback: Any,
    bounds: tuple[ndarray, ndarray] | None,
    maxiter: float | None = None,
    maxfev: float | None = None,
    initial_simplex: Any = None,
    xatol: float = 1e-4,
    fatol: float = 1e-4,
    adaptive: bool = False,
    return_all: bool = False,
) -> OptimizeResult:
    """Minimise without gradients; the values steer on the host, the points stay on the device."""
    n = x.size
    if bounds is not None and bool((bounds[0] > bounds[1]).any()):
        raise ValueError("Nelder Mead - one of the lower bounds is greater than an upper bound.")
    corners = _corners(x, initial_simplex, bounds)
    if maxiter is None and maxfev is None:
        maxiter = maxfev = n * 200
    elif maxiter is None:
        maxiter = n * 200 if maxfev == np.inf else np.inf
    elif maxfev is None:
        maxfev = n * 200 if maxiter == np.inf else np.inf
    assert maxiter is not None and maxfev is not None
    simplex = _Simplex(value, corners, bounds, maxfev, adaptive)
    rounds, path, stopped = 1, [simplex.points[0]], False
    while simplex.calls < maxfev and rounds < maxiter and not simplex.is_small(xatol, fatol):
        try:
            simplex.move()
            rounds += 1
        except _Spent:
            pass
        simplex.sort()
        path.append(simplex.points[0])
        if checked_callback(callback, x=simplex.points[0], fun=simplex.values[0]):
            stopped = True
            break
    status, message = 0, "Optimization terminated successfully."
    if stopped:
        status, message = 99, STOPPED
    elif simplex.calls >= maxfev:
        status, message = 1, "Maximum number of function evaluations has been exceeded."
    elif rounds >= maxiter:
        status, message = 2, "Maximum number of iterations has been exceeded."
    result = OptimizeResult(
        fun=min(simplex.values),
        nit=rounds,
        nfev=simplex.calls,
        status=status,
        success=status == 0,
        message=message,
        x=simplex.points[0],
        final_simplex=(cp.stack(simplex.points), cp.array(simplex.values)),
    )
    if return_all:
        result["allvecs"] = path
    return result

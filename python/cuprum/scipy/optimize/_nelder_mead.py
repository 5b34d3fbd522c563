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
    expansion, contraction, shrinkage = (2.0, 0.5, 0.5)
    if adaptive:
        expansion, contraction, shrinkage = 1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n
    if bounds is not None and bool((bounds[0] > bounds[1]).any()):
        raise ValueError("Nelder Mead - one of the lower bounds is greater than an upper bound.")

    def inside(point: ndarray) -> ndarray:
        return point if bounds is None else cp.clip(point, *bounds)

    if initial_simplex is None:
        x = inside(x)
        moved = cp.where(x != 0, 1.05 * x, 0.00025)
        corners = cp.concatenate((x[None], cp.where(cp.eye(n, dtype=bool), moved, x)))
    else:
        given: Any = cp.atleast_2d(cp.asarray(initial_simplex))
        corners = given.astype(np.float64)
        if corners.ndim != 2 or corners.shape[0] != corners.shape[1] + 1:
            raise ValueError("`initial_simplex` should be an array of shape (N+1,N)")
        if corners.shape[1] != n:
            raise ValueError("Size of `initial_simplex` is not consistent with `x0`")
    if maxiter is None and maxfev is None:
        maxiter = maxfev = n * 200
    elif maxiter is None:
        maxiter = n * 200 if maxfev == np.inf else np.inf
    elif maxfev is None:
        maxfev = n * 200 if maxiter == np.inf else np.inf
    assert maxiter is not None and maxfev is not None
    if bounds is not None:
        corners = inside(cp.where(corners > bounds[1], 2 * bounds[1] - corners, corners))
    points = [corners[i] for i in range(n + 1)]
    values = [np.inf] * (n + 1)
    calls = 0

    def evaluated(point: ndarray) -> float:
        nonlocal calls
        if calls >= maxfev:
            raise _Spent
        calls += 1
        return value(point)

    def ordered() -> None:
        order = np.argsort(np.array(values))
        points[:] = [points[i] for i in order]
        values[:] = [values[i] for i in order]

    try:
        for k in range(n + 1):
            values[k] = evaluated(points[k])
    except _Spent:
        pass
    ordered()
    rounds, path = 1, [points[0]]

    def moved_once() -> None:
        centre: Any = points[0]
        for point in points[1:-1]:
            centre = centre + point
        centre = centre / n
        worst = points[-1]

        def along(step: float) -> ndarray:
            return inside((1 + step) * centre - step * worst)

        reflected = along(1.0)
        at_reflected = evaluated(reflected)
        if at_reflected < values[0]:
            expanded = along(expansion)
            at_expanded = evaluated(expanded)
            better = at_expanded < at_reflected
            points[-1], values[-1] = (expanded, at_expanded) if better else (reflected, at_reflected)
            return
        if at_reflected < values[-2]:
            points[-1], values[-1] = reflected, at_reflected
            return
        outside = at_reflected < values[-1]
        contracted = along(contraction if outside else -contraction)
        at_contracted = evaluated(contracted)
        if at_contracted <= at_reflected if outside else at_contracted < values[-1]:
            points[-1], values[-1] = contracted, at_contracted
            return
        for j in range(1, n + 1):
            points[j] = inside(points[0] + shrinkage * (points[j] - points[0]))
            values[j] = evaluated(points[j])

    stopped = False
    while calls < maxfev and rounds < maxiter:
        spread = cp.stack(points[1:]) - points[0]
        if float(abs(spread).max()) <= xatol and max(abs(values[0] - v) for v in values[1:]) <= fatol:
            break
        try:
            moved_once()
            rounds += 1
        except _Spent:
            pass
        ordered()
        path.append(points[0])
        if checked_callback(callback, x=points[0], fun=values[0]):
            stopped = True
            break
    status, message = 0, "Optimization terminated successfully."
    if stopped:
        status, message = 99, STOPPED
    elif calls >= maxfev:
        status, message = 1, "Maximum number of function evaluations has been exceeded."
    elif rounds >= maxiter:
        status, message = 2, "Maximum number of iterations has been exceeded."
    result = OptimizeResult(
        fun=min(values),
        nit=rounds,
        nfev=calls,
        status=status,
        success=status == 0,
        message=message,
        x=points[0],
        final_simplex=(cp.stack(points), cp.array(values)),
    )
    if return_all:
        result["allvecs"] = path
    return result

"""Minimisation by quasi-Newton and conjugate gradient methods: BFGS, CG and L-BFGS-B."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from .._results import OptimizeResult
from ..sparse.linalg._interface import LinearOperator
from ._line_search import wolfe_step
from ._objective import STOPPED, Objective, checked_callback

MESSAGES = {
    0: "Optimization terminated successfully.",
    1: "Maximum number of iterations has been exceeded.",
    2: "Desired error not necessarily achieved due to precision loss.",
    3: "NaN result encountered.",
    99: STOPPED,
}


class _Ray:
    """An objective along a direction; keeps the arrays of the last step."""

    def __init__(self, objective: Objective, x: ndarray, direction: ndarray) -> None:
        self._objective, self._x, self._direction = objective, x, direction
        self.at, self.gradient = x, direction

    def __call__(self, step: float) -> tuple[float, float]:
        self.at = self._x + step * self._direction
        value = self._objective.value(self.at)
        self.gradient = self._objective.gradient(self.at)
        return value, float(self.gradient @ self._direction)


def _norm(x: ndarray, order: float) -> float:
    return float(abs(x).max()) if order == np.inf else float(cp.linalg.norm(x, order))


def _first_step(value: float, before: float, slope: float) -> float:
    if slope != 0:
        step = min(1.0, 1.01 * 2 * (value - before) / slope)
        return step if step >= 0 else 1.0
    return 1.0


def _finished(
    status: int, x: ndarray, value: float, gradient: ndarray, objective: Objective, rounds: int, **more: Any
) -> OptimizeResult:
    return OptimizeResult(
        fun=value,
        jac=gradient,
        **more,
        nfev=objective.nfev,
        njev=objective.njev,
        status=status,
        success=status == 0,
        message=MESSAGES[status],
        x=x,
        nit=rounds,
    )


def _status(failed: bool, rounds: int, limit: float, size: float, value: float, x: ndarray) -> int:
    if failed:
        return 2
    if rounds >= limit:
        return 1
    if math.isnan(size) or math.isnan(value) or bool(cp.isnan(x).any()):
        return 3
    return 0


def minimize_bfgs(
    objective: Objective,
    x: ndarray,
    callback: Any,
    gtol: float = 1e-5,
    norm: float = np.inf,
    maxiter: int | None = None,
    xrtol: float = 0.0,
    c1: float = 1e-4,
    c2: float = 0.9,
    hess_inv0: Any = None,
    return_all: bool = False,
) -> OptimizeResult:
    """Minimise by the inverse Hessian of Broyden, Fletcher, Goldfarb and Shanno."""
    limit = x.size * 200 if maxiter is None else maxiter
    value, gradient = objective.value(x), objective.gradient(x)
    inverse = cp.eye(x.size) if hess_inv0 is None else cp.asarray(hess_inv0).astype(np.float64)
    before = value + float(cp.linalg.norm(gradient)) / 2
    size, rounds, failed, stopped = _norm(gradient, norm), 0, False, False
    path = [x]
    while size > gtol and rounds < limit:
        direction = -(inverse @ gradient)
        slope = float(gradient @ direction)
        ray = _Ray(objective, x, direction)
        found = wolfe_step(ray, value, slope, _first_step(value, before, slope), c1, c2)
        if found is None:
            failed = True
            break
        before, value = value, objective.value(ray.at)
        s, y = ray.at - x, ray.gradient - gradient
        x, gradient = ray.at, ray.gradient
        path.append(x)
        rounds += 1
        if checked_callback(callback, x=x, fun=value):
            stopped = True
            break
        size = _norm(gradient, norm)
        if size <= gtol or float(cp.linalg.norm(s)) <= xrtol * (xrtol + float(cp.linalg.norm(x))):
            break
        if not math.isfinite(value):
            failed = True
            break
        curvature = float(y @ s)
        rho = 1000.0 if curvature == 0 else 1.0 / curvature
        hy = inverse @ y
        # (I - rho s y') H (I - rho y s') + rho s s', written out.
        cross = s[:, None] * hy[None, :]
        factor = rho * rho * float(y @ hy) + rho
        inverse = inverse - rho * (cross + cross.T) + factor * (s[:, None] * s[None, :])
    status = 99 if stopped else _status(failed, rounds, limit, size, value, x)
    more = {"allvecs": path} if return_all else {}
    return _finished(status, x, value, gradient, objective, rounds, hess_inv=inverse, **more)


def minimize_cg(
    objective: Objective,
    x: ndarray,
    callback: Any,
    gtol: float = 1e-5,
    norm: float = np.inf,
    maxiter: int | None = None,
    c1: float = 1e-4,
    c2: float = 0.4,
    return_all: bool = False,
) -> OptimizeResult:
    """Minimise by conjugate gradients of Polak, Ribière and Powell."""
    limit = x.size * 200 if maxiter is None else maxiter
    value, gradient = objective.value(x), objective.gradient(x)
    before = value + float(cp.linalg.norm(gradient)) / 2
    direction = -gradient
    size, rounds, failed, stopped = _norm(gradient, norm), 0, False, False
    path = [x]
    while size > gtol and rounds < limit:
        slope = float(gradient @ direction)
        square = float(gradient @ gradient)
        ray = _Ray(objective, x, direction)
        found = wolfe_step(ray, value, slope, _first_step(value, before, slope), c1, c2)
        if found is None:
            failed = True
            break
        before, value = value, objective.value(ray.at)
        new = ray.gradient
        beta = max(0.0, float((new - gradient) @ new) / square)
        x, direction, gradient = ray.at, -new + beta * direction, new
        if float(direction @ gradient) > -0.01 * float(gradient @ gradient):
            # A direction that does not descend begins anew.
            direction = -gradient
        size = _norm(gradient, norm)
        path.append(x)
        rounds += 1
        if checked_callback(callback, x=x, fun=value):
            stopped = True
            break
    status = 99 if stopped else _status(failed, rounds, limit, size, value, x)
    more = {"allvecs": path} if return_all else {}
    return _finished(status, x, value, gradient, objective, rounds, **more)


class _Memory:
    """The last pairs of steps and changes of the gradient, as an inverse Hessian."""

    def __init__(self, room: int) -> None:
        self._room = room
        self.pairs: list[tuple[ndarray, ndarray]] = []

    def add(self, s: ndarray, y: ndarray) -> None:
        if float(y @ s) > 2.2e-16 * float(y @ y):
            self.pairs = [*self.pairs[-(self._room - 1) :], (s, y)] if self._room > 1 else [(s, y)]

    def times(self, gradient: ndarray, free: ndarray) -> ndarray:
        """Return the inverse Hessian of the free components times a vector (two loops)."""
        q = cp.where(free, gradient, 0.0)
        used = []
        for s, y in reversed(self.pairs):
            s, y = cp.where(free, s, 0.0), cp.where(free, y, 0.0)
            curvature = float(y @ s)
            if curvature <= 2.2e-16 * float(y @ y):
                continue
            alpha = float(s @ q) / curvature
            q = q - alpha * y
            used.append((s, y, curvature, alpha))
        if used:
            s, y, curvature, _ = used[0]
            q = q * (curvature / float(y @ y))
        for s, y, curvature, alpha in reversed(used):
            q = q + s * (alpha - float(y @ q) / curvature)
        return cp.where(free, q, 0.0)


class InverseHessian(LinearOperator):
    """The inverse Hessian that the last steps of L-BFGS-B describe, as an operator, of the identity."""

    def __init__(self, pairs: list[tuple[ndarray, ndarray]], size: int) -> None:
        super().__init__(np.float64, (size, size))
        self._pairs = [(s, y, 1.0 / float(y @ s)) for s, y in pairs]
        empty = cp.zeros((0, size))
        self.sk = cp.stack([s for s, _ in pairs]) if pairs else empty
        self.yk = cp.stack([y for _, y in pairs]) if pairs else empty
        self.n_corrs = len(pairs)

    def _matvec(self, x: ndarray) -> ndarray:
        q, used = x.reshape(-1), []
        for s, y, rho in reversed(self._pairs):
            used.append(rho * float(s @ q))
            q = q - used[-1] * y
        for (s, y, rho), alpha in zip(self._pairs, reversed(used), strict=True):
            q = q + s * (alpha - rho * float(y @ q))
        return q

    def _adjoint(self) -> Any:
        return self

    def todense(self) -> ndarray:
        """Return the matrix."""
        found: ndarray = self @ cp.eye(self.shape[0])
        return found


def minimize_lbfgsb(
    objective: Objective,
    x: ndarray,
    callback: Any,
    bounds: tuple[ndarray, ndarray] | None,
    maxcor: int = 10,
    ftol: float = 2.2204460492503131e-09,
    gtol: float = 1e-5,
    maxfun: float = 15000,
    maxiter: float = 15000,
    maxls: int = 20,
) -> OptimizeResult:
    """Minimise with bounds by a limited memory of steps; components pushed beyond a bound stay at it."""
    low, high = (cp.full(x.size, -np.inf), cp.full(x.size, np.inf)) if bounds is None else bounds
    x = cp.clip(x, low, high)
    memory = _Memory(maxcor)
    value, gradient = objective.value(x), objective.gradient(x)
    rounds, status = 0, 0
    message = "CONVERGENCE: NORM OF PROJECTED GRADIENT <= PGTOL"
    while float(abs(cp.clip(x - gradient, low, high) - x).max()) > gtol:
        if rounds >= maxiter:
            status, message = 1, "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
            break
        if objective.nfev > maxfun:
            status, message = 1, "STOP: TOTAL NO. OF F,G EVALUATIONS EXCEEDS LIMIT"
            break
        step = _bounded_step(objective, memory, x, value, gradient, low, high, rounds == 0, maxls)
        if step is None:
            if memory.pairs:
                memory.pairs = []
                continue
            status, message = 2, "ABNORMAL: "
            break
        new, new_value, new_gradient = step
        memory.add(new - x, new_gradient - gradient)
        scale = max(abs(value), abs(new_value), 1.0)
        small = value - new_value <= ftol * scale
        x, value, gradient = new, new_value, new_gradient
        rounds += 1
        if checked_callback(callback, x=x, fun=value):
            status, message = 99, STOPPED
            break
        if small and float(abs(cp.clip(x - gradient, low, high) - x).max()) > gtol:
            message = "CONVERGENCE: RELATIVE REDUCTION OF F <= FACTR*EPSMCH"
            break
    return OptimizeResult(
        fun=value,
        jac=gradient,
        nfev=objective.nfev,
        njev=objective.njev,
        nit=rounds,
        status=status,
        message=message,
        x=x,
        success=status == 0,
        hess_inv=InverseHessian(memory.pairs, x.size),
    )


def _bounded_step(
    objective: Objective,
    memory: _Memory,
    x: ndarray,
    value: float,
    gradient: ndarray,
    low: ndarray,
    high: ndarray,
    is_first: bool,
    rounds: int,
) -> tuple[ndarray, float, ndarray] | None:
    """Return the next point with its value and gradient; None where none is lower."""
    free = ~((x <= low) & (gradient > 0) | (x >= high) & (gradient < 0))
    direction = -memory.times(gradient, free)
    slope = float(gradient @ direction)
    if slope >= 0:
        return None
    start = min(1.0, 1.0 / float(cp.linalg.norm(direction))) if is_first or not memory.pairs else 1.0
    # As long as no bound is met the step satisfies Wolfe's conditions.
    room = cp.where(direction > 0, high - x, low - x) / cp.where(direction == 0, 1.0, direction)
    reach = float(cp.where(direction == 0, np.inf, room).min())
    if reach >= start:
        ray = _Ray(objective, x, direction)
        found = wolfe_step(ray, value, slope, start, 1e-3, 0.9, 0.0, min(reach, 1e10), 0.1, rounds)
        if found is not None:
            at = cp.clip(ray.at, low, high)
            return at, objective.value(ray.at), ray.gradient
        if objective.value(ray.at) < value + 1e-3 * slope * reach:
            return cp.clip(ray.at, low, high), objective.value(ray.at), ray.gradient
    step = start
    for _ in range(max(rounds, 40)):
        at = cp.clip(x + step * direction, low, high)
        new = objective.value(at)
        if new <= value + 1e-4 * float(gradient @ (at - x)) and bool((at != x).any()):
            return at, new, objective.gradient(at)
        step *= 0.5
    return None

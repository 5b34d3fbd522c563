"""Nonlinear least squares and systems of equations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._results import OptimizeResult
from ._objective import IMAGINARY_STEP, SQRT_EPS, imaginary_steps

__all__ = ["least_squares", "root"]

_EPS = float(np.finfo(np.float64).eps)
_MESSAGES = {
    0: "The maximum number of function evaluations is exceeded.",
    1: "`gtol` termination condition is satisfied.",
    2: "`ftol` termination condition is satisfied.",
    3: "`xtol` termination condition is satisfied.",
    4: "Both `ftol` and `xtol` termination conditions are satisfied.",
}
_LOSSES: dict[str, Callable[[ndarray], tuple[ndarray, ndarray, ndarray]]] = {
    "huber": lambda z: (
        cp.where(z <= 1, z, 2 * cp.sqrt(z) - 1),
        cp.where(z <= 1, 1.0, cp.maximum(z, 1e-300) ** -0.5),
        cp.where(z <= 1, 0.0, -0.5 * cp.maximum(z, 1e-300) ** -1.5),
    ),
    "soft_l1": lambda z: (2 * ((1 + z) ** 0.5 - 1), (1 + z) ** -0.5, -0.5 * (1 + z) ** -1.5),
    "cauchy": lambda z: (cp.log1p(z), 1 / (1 + z), -1 / (1 + z) ** 2),
    "arctan": lambda z: (cp.arctan(z), 1 / (1 + z**2), -2 * z / (1 + z**2) ** 2),
}


class _Problem:
    """Residuals and their Jacobian, with a loss for large ones."""

    def __init__(
        self, fun: Any, jac: Any, args: Any, kwargs: Any, loss: Any, f_scale: float, step: Any
    ) -> None:
        self._fun, self._jac, self._args, self._kwargs = fun, jac, args, kwargs
        self._loss = None if loss == "linear" else loss if callable(loss) else _LOSSES[loss]
        self._scale, self._step = f_scale, step
        self.nfev = self.njev = 0
        self.low: ndarray | None = None
        self.high: ndarray | None = None

    def residuals(self, x: ndarray) -> ndarray:
        self.nfev += 1
        return self._value(x)

    def _value(self, x: ndarray) -> ndarray:
        value: Any = cp.atleast_1d(as_array(self._fun(x, *self._args, **self._kwargs)))
        if value.ndim > 1:
            raise ValueError(f"`fun` must return at most 1-d array_like. f0.shape: {value.shape}")
        if value.dtype.kind == "c":
            raise ValueError("Residuals must be real: give their parts one after the other.")
        real: ndarray = value.astype(np.float64)
        return real

    def jacobian(self, x: ndarray, f: ndarray) -> ndarray:
        self.njev += 1
        if callable(self._jac):
            found = self._jac(x, *self._args, **self._kwargs)
            j: Any = cp.atleast_2d(as_array(found.toarray() if hasattr(found, "toarray") else found))
            if j.shape != (f.size, x.size):
                raise ValueError(
                    f"The return value of `jac` has wrong shape: expected {(f.size, x.size)}, "
                    f"actual {j.shape}."
                )
            dense: ndarray = j.astype(np.float64)
            return dense
        if self._jac == "cs":
            slopes = [as_array(self._fun(one, *self._args, **self._kwargs)) for one in imaginary_steps(x)]
            return cp.stack([cp.atleast_1d(one).imag for one in slopes], 1) / IMAGINARY_STEP
        central = self._jac == "3-point"
        relative = (_EPS ** (1 / 3) if central else SQRT_EPS) if self._step is None else self._step
        sign = cp.where(x >= 0, 1.0, -1.0)
        step = relative * sign * (cp.maximum(1.0, abs(x)) if self._step is None else abs(x))
        if self.high is not None:
            # A step that would leave the bounds goes the other way.
            step = cp.where((x + step > self.high) | (x + step < self.low), -step, step)
        step = (x + step) - x
        columns = []
        for i in range(x.size):
            moved = x.copy()
            moved[i] = x[i] + step[i]
            after = self._value(moved)
            if central:
                moved = x.copy()
                moved[i] = x[i] - step[i]
                columns.append((after - self._value(moved)) / (2 * step[i]))
            else:
                columns.append((after - f) / step[i])
        return cp.stack(columns, 1)

    def cost(self, f: ndarray) -> float:
        if self._loss is None:
            return 0.5 * float(f @ f)
        return 0.5 * self._scale**2 * float(as_array(self._loss((f / self._scale) ** 2)[0]).sum())

    def weighted(self, j: ndarray, f: ndarray) -> tuple[ndarray, ndarray]:
        """Return Jacobian and residuals whose squares have the loss' gradient and curvature."""
        if self._loss is None:
            return j, f
        _, first, second = (as_array(part) for part in self._loss((f / self._scale) ** 2))
        curvature = cp.maximum(first + 2 * second / self._scale**2 * f**2, _EPS) ** 0.5
        return j * curvature[:, None], f * first / curvature


def _trust_step(
    uf: ndarray, s: ndarray, v: ndarray, rows: int, radius: float, alpha: float
) -> tuple[ndarray, float]:
    """Return the step of least squares within a radius, by singular values, and its damping."""
    suf = s * uf
    n = v.shape[0]
    full = rows >= n and float(s[-1]) > _EPS * rows * float(s[0])
    if full:
        step = -(v @ (uf / s))
        if float(cp.linalg.norm(step)) <= radius:
            return step, 0.0

    def excess(damping: float) -> tuple[float, float]:
        bottom = s**2 + damping
        size = float(cp.linalg.norm(suf / bottom))
        return size - radius, -float((suf**2 / bottom**3).sum()) / size

    upper, lower = float(cp.linalg.norm(suf)) / radius, 0.0
    if full:
        phi, slope = excess(0.0)
        lower = -phi / slope
    if not full and alpha == 0:
        alpha = max(0.001 * upper, (lower * upper) ** 0.5)
    for _ in range(10):
        if alpha < lower or alpha > upper:
            alpha = max(0.001 * upper, (lower * upper) ** 0.5)
        phi, slope = excess(alpha)
        if phi < 0:
            upper = alpha
        ratio = phi / slope
        lower = max(lower, alpha - ratio)
        alpha -= (phi + radius) * ratio / radius
        if abs(phi) < 0.01 * radius:
            break
    step = -(v @ (suf / (s**2 + alpha)))
    return step * (radius / float(cp.linalg.norm(step))), alpha


def least_squares(
    fun: Callable[..., Any],
    x0: ArrayLike,
    jac: Any = "2-point",
    bounds: Any = (-np.inf, np.inf),
    method: str = "trf",
    ftol: float | None = 1e-8,
    xtol: float | None = 1e-8,
    gtol: float | None = 1e-8,
    x_scale: Any = None,
    loss: Any = "linear",
    f_scale: float = 1.0,
    diff_step: Any = None,
    tr_solver: str | None = None,
    tr_options: Any = None,
    jac_sparsity: Any = None,
    max_nfev: int | None = None,
    verbose: int = 0,
    args: Any = (),
    kwargs: Any = None,
    callback: Callable[..., Any] | None = None,
    workers: Any = None,
) -> OptimizeResult:
    """Minimise a sum of squares, or of a loss of them, within bounds.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args, **kwargs)``: the residuals, an array of shape (M,).
    x0 : (N,) array_like
        Where to start.
    jac : callable, "2-point", "3-point" or "cs", optional
        The Jacobian of shape (M, N), or how it is found: by differences, or by steps along the imaginary
        axis, for which `fun` takes complex numbers.
    bounds : Bounds or (array_like, array_like), optional
        Lower and upper bounds.
    method : {"trf", "dogbox", "lm"}, optional
        Taken for compatibility, "lm" without bounds: the steps are those of a trust region by singular
        values, and components at a bound that push outwards stay there.
    ftol, xtol, gtol : float or None, optional
        When to stop: by the change of the cost, of the variables, and by the gradient.
    x_scale : array_like or "jac", optional
        The sizes of the variables.
    loss : {"linear", "soft_l1", "huber", "cauchy", "arctan"} or callable, optional
        The loss of squares.
    f_scale : float, optional
        From where on residuals count as large.
    diff_step : float, optional
        The relative step of differences.
    tr_solver, tr_options, jac_sparsity, workers : optional
        Taken for compatibility.
    max_nfev : int, optional
        The largest number of evaluations.
    verbose : {0, 1, 2}, optional
        Print a report at the end.
    args, kwargs : tuple and dict, optional
        Further arguments of `fun` and `jac`.
    callback : callable, optional
        Called after each iteration with the result so far; it may raise StopIteration.

    Returns
    -------
    OptimizeResult
        With x, cost, fun, jac, grad, optimality, active_mask, nfev, njev, status, message and success.

    Examples
    --------
    >>> from cuprum.scipy.optimize import least_squares
    >>> least_squares(lambda x: cp.stack([x[0] - 1, x[1] ** 2 - 4]), cp.array([5.0, 5.0])).x.round(6)
    array([1., 2.])
    """
    if method not in ("trf", "dogbox", "lm"):
        raise ValueError("`method` must be 'trf', 'dogbox' or 'lm'.")
    if not callable(jac) and jac not in ("2-point", "3-point", "cs"):
        raise ValueError(f"`jac` must be '2-point', '3-point', 'cs' or callable, got {jac!r}.")
    if loss not in ("linear", *_LOSSES) and not callable(loss):
        raise ValueError(f"`loss` must be one of {('linear', *_LOSSES)} or a callable.")
    if method == "lm" and loss != "linear":
        raise ValueError("method='lm' supports only 'linear' loss function.")
    x: Any = cp.atleast_1d(as_array(x0))
    if x.dtype.kind == "c":
        raise ValueError("`x0` must be real.")
    if x.ndim > 1:
        raise ValueError("`x0` must have at most 1 dimension.")
    x = x.astype(np.float64)
    pair = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    if len(pair) != 2:
        raise ValueError("`bounds` must contain 2 elements.")
    low, high = (cp.broadcast_to(as_array(b).astype(np.float64), x.shape) for b in pair)
    bounded = not (bool(cp.isinf(low).all()) and bool(cp.isinf(high).all()))
    if bool((low >= high).any()):
        raise ValueError("Each lower bound must be strictly less than each upper bound.")
    if bool(((x < low) | (x > high)).any()):
        raise ValueError("Initial guess is outside of provided bounds")
    if method == "lm" and bounded:
        raise ValueError("Method 'lm' doesn't support bounds.")
    if max_nfev is not None and max_nfev <= 0:
        raise ValueError("`max_nfev` must be None or positive integer.")
    problem = _Problem(fun, jac, tuple(args), kwargs or {}, loss, f_scale, diff_step)
    if bounded:
        problem.low, problem.high = low, high
    f = problem.residuals(x)
    if not bool(cp.isfinite(f).all()):
        raise ValueError("Residuals are not finite in the initial point.")
    if method == "lm" and f.size < x.size:
        raise ValueError(
            "Method 'lm' doesn't work when the number of residuals is less than the number of variables."
        )
    scale = None if isinstance(x_scale, str) else cp.ones(x.size) if x_scale is None else as_array(x_scale)
    if isinstance(x_scale, str) and x_scale != "jac" or scale is not None and not bool((scale > 0).all()):
        raise ValueError("`x_scale` must be 'jac' or array_like with positive numbers.")
    if method == "lm" and x_scale is None:
        scale = None
    limits = (ftol or 0.0, xtol or 0.0, gtol or 0.0)
    if max(limits) < _EPS:
        raise ValueError(f"At least one of the tolerances must be higher than machine epsilon ({_EPS:.2e}).")
    found = _trust_region(problem, x, f, low, high, scale, limits, max_nfev, callback)
    result = OptimizeResult(**found)
    result["message"] = _MESSAGES.get(
        result.status, "Stopped because `callback` function raised `StopIteration` or returned `True`"
    )
    result["success"] = result.status > 0
    if verbose:
        print(result.message)
        print(f"Function evaluations {result.nfev}, final cost {result.cost:.4e}.")
    return result


def _trust_region(
    problem: _Problem,
    x: ndarray,
    f: ndarray,
    low: ndarray,
    high: ndarray,
    x_scale: ndarray | None,
    limits: tuple[float, float, float],
    max_nfev: int | None,
    callback: Any,
) -> dict[str, Any]:
    from ._objective import checked_callback

    ftol, xtol, gtol = limits
    n = x.size
    limit = n * 100 if max_nfev is None else max_nfev
    cost = problem.cost(f)
    jacobian = problem.jacobian(x, f)
    j, r = problem.weighted(jacobian, f)
    inverse = cp.ones(n)

    def rescaled(j: ndarray, before: ndarray | None) -> ndarray:
        if x_scale is not None:
            return 1 / x_scale
        size = cp.sqrt((j**2).sum(0))
        return cp.where(size == 0, 1.0, size) if before is None else cp.maximum(size, before)

    inverse = rescaled(j, None)
    radius = float(cp.linalg.norm(x * inverse)) or 1.0
    alpha, status, rounds = 0.0, None, 0
    while True:
        gradient = j.T @ r
        held = (x <= low) & (gradient > 0) | (x >= high) & (gradient < 0)
        optimality = float(abs(cp.where(held, 0.0, gradient)).max()) if n else 0.0
        if optimality < gtol:
            status = 1
        if status is not None or problem.nfev >= limit:
            break
        scale = cp.where(held, 0.0, 1 / inverse)
        u, s, vt = cp.linalg.svd(j * scale, full_matrices=False)
        uf = u.T @ r
        reduction = -1.0
        while reduction <= 0 and problem.nfev < limit:
            step_h, alpha = _trust_step(uf, s, vt.T, r.size, radius, alpha)
            new = cp.clip(x + scale * step_h, low, high)
            step = new - x
            taken = step * inverse
            product = j @ step
            predicted = -(0.5 * float(product @ product) + float(gradient @ step))
            size = float(cp.linalg.norm(taken))
            f_new = problem.residuals(new)
            if not bool(cp.isfinite(f_new).all()):
                radius = 0.25 * float(cp.linalg.norm(step_h))
                continue
            cost_new = problem.cost(f_new)
            reduction = cost - cost_new
            ratio = reduction / predicted if predicted > 0 else 1.0 if predicted == reduction == 0 else 0.0
            longer = radius
            if ratio < 0.25:
                longer = 0.25 * float(cp.linalg.norm(step_h))
            elif ratio > 0.75 and float(cp.linalg.norm(step_h)) > 0.95 * radius:
                longer = 2.0 * radius
            by_cost = reduction < ftol * cost and ratio > 0.25
            by_step = float(cp.linalg.norm(step)) < xtol * (xtol + float(cp.linalg.norm(x)))
            if by_cost or by_step:
                status = 4 if by_cost and by_step else 2 if by_cost else 3
                break
            if size == 0:
                status = 3
                break
            alpha, radius = alpha * radius / longer, longer
        if reduction > 0:
            x, f, cost = new, f_new, cost_new
            jacobian = problem.jacobian(x, f)
            j, r = problem.weighted(jacobian, f)
            inverse = rescaled(j, inverse)
        rounds += 1
        if checked_callback(callback, x=x, fun=f, nit=rounds, nfev=problem.nfev, cost=cost):
            status = -2
            break
    mask = cp.where(x <= low, -1, cp.where(x >= high, 1, 0))
    return {
        "x": x,
        "cost": cost,
        "fun": f,
        "jac": j,
        "grad": gradient,
        "optimality": optimality,
        "active_mask": mask,
        "nfev": problem.nfev,
        "njev": problem.njev,
        "status": 0 if status is None else status,
    }


def root(
    fun: Callable[..., Any],
    x0: ArrayLike,
    args: Any = (),
    method: str = "hybr",
    jac: Any = None,
    tol: float | None = None,
    callback: Callable[..., Any] | None = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResult:
    """Find a root of a system of equations.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)``: as many values as there are variables.
    x0 : (N,) array_like
        Where to start.
    args : tuple, optional
        Further arguments of `fun` and `jac`.
    method : {"hybr", "lm"}, optional
        Both take the steps of a trust region with the Jacobian, until the values are as small as rounding
        lets them be.
    jac : callable or bool, optional
        The Jacobian; True where `fun` returns it with the values.
    tol : float, optional
        How exact the root is.
    callback : callable, optional
        Called after each iteration.
    options : dict, optional
        xtol, ftol, gtol and maxfev.

    Returns
    -------
    OptimizeResult
        With x, fun, jac, success, status, message and nfev.

    Examples
    --------
    >>> from cuprum.scipy.optimize import root
    >>> root(lambda x: cp.stack([x[0] + x[1] - 3, x[0] * x[1] - 2]), cp.array([0.0, 5.0])).x.round(6)
    array([1., 2.])
    """
    if method not in ("hybr", "lm"):
        raise ValueError(f"Unknown solver {method!r}: there are hybr and lm")
    args = args if isinstance(args, tuple) else (args,)
    given = dict(options or {})
    slopes: Any = "2-point" if jac in (None, False) else jac
    values = fun
    if jac is True:
        values = lambda x, *rest: fun(x, *rest)[0]  # noqa: E731
        slopes = lambda x, *rest: fun(x, *rest)[1]  # noqa: E731
    limit = given.get("xtol", 1e-12 if tol is None else tol)
    found = least_squares(
        values,
        x0,
        slopes,
        xtol=limit,
        ftol=given.get("ftol", 1e-15),
        gtol=given.get("gtol", 0.0),
        x_scale="jac",
        max_nfev=given.get("maxfev"),
        args=args,
        callback=callback,
    )
    size = float(abs(found.fun).max()) if found.fun.size else 0.0
    scale = float(abs(found.jac).max()) * float(abs(found.x).max() + 1) if found.x.size else 1.0
    success = size <= math.sqrt(_EPS) * max(scale, 1.0) if method == "hybr" else found.status > 0
    message = "The solution converged." if success else "The iteration is not making good progress."
    return OptimizeResult(
        x=found.x,
        success=success,
        status=1 if success else 5,
        message=message,
        fun=found.fun,
        fjac=found.jac,
        jac=found.jac,
        nfev=found.nfev,
        njev=found.njev,
        method=method,
    )

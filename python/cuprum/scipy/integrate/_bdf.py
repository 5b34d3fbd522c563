"""Implicit multi-step methods by backward differences, of orders 1 to 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._typing import ArrayLike
from ._documentation import documented
from ._implicit import ImplicitSolver
from ._ode import (
    EPS,
    DenseOutput,
    PolynomialOutput,
    combined,
    rms,
    smallest_step,
    warn_unused,
)

__all__ = ["BDF"]

_MAX_ORDER = 5
_ITERATIONS = 4
_MIN_FACTOR, _MAX_FACTOR = 0.2, 10.0

_KAPPA = np.array([0, -0.1850, -1 / 9, -0.0823, -0.0415, 0])
_GAMMA = np.hstack((0, np.cumsum(1 / np.arange(1, _MAX_ORDER + 1))))
_ALPHA = (1 - _KAPPA) * _GAMMA
_ERROR = _KAPPA * _GAMMA + 1 / np.arange(1, _MAX_ORDER + 2)


def _to_differences(order: int, factor: float) -> np.ndarray:
    """Return the matrix of binomial products that goes with steps `factor` times as long."""
    i = np.arange(1, order + 1)[:, None]
    m = np.zeros((order + 1, order + 1))
    m[1:, 1:] = (i - 1 - factor * i.T) / i
    m[0] = 1
    return np.cumprod(m, axis=0)


@documented
class BDF(ImplicitSolver):
    """Backward differentiation formulas of orders 1 to 5 with quasi-constant steps, for stiff problems.

    Parameters
    ----------
    {problem}
    {steps}
    {jacobian}
    {states}

    Examples
    --------
    >>> from cuprum.scipy.integrate import BDF
    >>> solver = BDF(lambda t, y: -1000 * y, 0, cp.array([1.0]), 1)
    >>> while solver.status == "running":
    ...     solver.step()
    >>> bool(abs(solver.y[0]) < 1e-6)
    True
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        t0: float,
        y0: ArrayLike,
        t_bound: float,
        max_step: float = np.inf,
        rtol: Any = 1e-3,
        atol: Any = 1e-6,
        jac: Any = None,
        jac_sparsity: Any = None,
        vectorized: bool = False,
        first_step: float | None = None,
        **extraneous: Any,
    ) -> None:
        warn_unused(extraneous)
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=True)
        f = self._prepare_steps(max_step, rtol, atol, first_step, 1)
        self.newton_tol = max(10 * EPS / self.rtol, min(0.03, self.rtol**0.5))
        self._take_jacobian(jac, jac_sparsity, None)
        self._unit = cp.eye(self.n, dtype=self.y.dtype)
        # Backward differences of the state, scaled to the step; rows beyond the order are used next.
        nothing = cp.zeros_like(self.y)
        self._differences = [self.y, f * (self.h_abs * self.direction)] + [nothing] * (_MAX_ORDER + 1)
        self.order = 1
        self.n_equal_steps = 0
        self._factors: Any = None

    def _rescale(self, order: int, factor: float) -> None:
        """Turn the differences into those of steps `factor` times as long."""
        matrix = _to_differences(order, factor) @ _to_differences(order, 1.0)
        rows = self._differences[: order + 1]
        self._differences[: order + 1] = [
            combined((float(w), row) for w, row in zip(matrix[:, i], rows, strict=True))
            for i in range(order + 1)
        ]
        self.n_equal_steps = 0

    def _newton(
        self, t: float, start: ndarray, c: float, psi: ndarray, factors: Any, scale: ndarray
    ) -> tuple[bool, int, ndarray, Any]:
        """Solve for the state at `t`; return how far it is from the prediction too."""
        y, d = start, cp.zeros_like(start)
        size_old: float | None = None
        for k in range(_ITERATIONS):
            f = self.fun(t, y)
            if not bool(cp.isfinite(f).all()):
                return False, k + 1, y, d
            dy = self._solved(factors, c * f - psi - d)
            size = rms(dy / scale)
            rate = None if size_old is None else size / size_old
            if rate is not None and (
                rate >= 1 or rate ** (_ITERATIONS - k) / (1 - rate) * size > self.newton_tol
            ):
                return False, k + 1, y, d
            y, d = y + dy, d + dy
            if size == 0 or rate is not None and rate / (1 - rate) * size < self.newton_tol:
                return True, k + 1, y, d
            size_old = size
        return False, _ITERATIONS, y, d

    def _step_impl(self) -> tuple[bool, str | None]:
        t, order = self.t, self.order
        least = smallest_step(t, self.direction)
        h_abs = self.h_abs
        if h_abs > self.max_step or h_abs < least:
            h_abs = self.max_step if h_abs > self.max_step else least
            self._rescale(order, h_abs / self.h_abs)
        alpha = float(_ALPHA[order])
        J, factors, current_jac = self.J, self._factors, self.jac is None
        while True:
            if not h_abs >= least:
                return False, self.TOO_SMALL_STEP
            t_new = t + h_abs * self.direction
            if self.direction * (t_new - self.t_bound) > 0:
                t_new = self.t_bound
                self._rescale(order, abs(t_new - t) / h_abs)
                factors = None
            h = t_new - t
            h_abs = abs(h)
            rows = self._differences
            ahead = combined((1.0, row) for row in rows[: order + 1])
            scale = self.atol + self.rtol * abs(ahead)
            psi = combined((float(_GAMMA[i]) / alpha, rows[i]) for i in range(1, order + 1))
            c = h / alpha
            while True:
                if factors is None:
                    factors = self._factored(self._unit - c * J)
                converged, count, y_new, d = self._newton(t_new, ahead, c, psi, factors, scale)
                if converged or current_jac:
                    break
                assert self.jac is not None
                J, factors, current_jac = self.jac(t_new, ahead, None), None, True
            if not converged:
                h_abs *= 0.5
                self._rescale(order, 0.5)
                factors = None
                continue
            safety = 0.9 * (2 * _ITERATIONS + 1) / (2 * _ITERATIONS + count)
            scale = self.atol + self.rtol * abs(y_new)
            size = rms(float(_ERROR[order]) * d / scale)
            if not size > 1:
                break
            factor = max(_MIN_FACTOR, safety * size ** (-1 / (order + 1)))
            h_abs *= factor
            self._rescale(order, factor)
        self.n_equal_steps += 1
        self.t, self.y, self.h_abs = t_new, y_new, h_abs
        self.J, self._factors = J, factors
        rows = self._differences
        rows[order + 2] = d - rows[order + 1]
        rows[order + 1] = d
        for i in reversed(range(order + 1)):
            rows[i] = rows[i] + rows[i + 1]
        if self.n_equal_steps < order + 1:
            return True, None
        sizes = np.array([np.inf, size, np.inf])
        if order > 1:
            sizes[0] = rms(float(_ERROR[order - 1]) * rows[order] / scale)
        if order < _MAX_ORDER:
            sizes[2] = rms(float(_ERROR[order + 1]) * rows[order + 2] / scale)
        with np.errstate(divide="ignore"):
            factors_by_order = sizes ** (-1 / np.arange(order, order + 3))
        self.order = order + int(np.argmax(factors_by_order)) - 1
        factor = min(_MAX_FACTOR, safety * float(factors_by_order.max()))
        self.h_abs *= factor
        self._rescale(self.order, factor)
        self._factors = None
        return True, None

    def _dense_output_impl(self) -> DenseOutput:
        assert self.t_old is not None
        h = self.h_abs * self.direction
        shifts, scales = self.t - h * np.arange(self.order), h * (1 + np.arange(self.order))

        def weights(t: np.ndarray) -> np.ndarray:
            at = [(t - shift) / scale for shift, scale in zip(shifts, scales, strict=True)]
            return np.cumprod(np.stack(at), axis=0)

        rows = self._differences
        return PolynomialOutput(self.t_old, self.t, rows[0], rows[1 : self.order + 1], weights)

"""The implicit Runge-Kutta method of the Radau IIA family of order 5."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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

__all__ = ["Radau"]

_S6 = 6**0.5
_NODES = ((4 - _S6) / 10, (4 + _S6) / 10, 1.0)
_ERROR = ((-13 - 7 * _S6) / 3, (-13 + 7 * _S6) / 3, -1 / 3)
# The eigenvalues of the inverse of the method's matrix, and the matrices that make it diagonal.
_REAL = 3 + 3 ** (2 / 3) - 3 ** (1 / 3)
_COMPLEX = 3 + 0.5 * (3 ** (1 / 3) - 3 ** (2 / 3)) - 0.5j * (3 ** (5 / 6) + 3 ** (7 / 6))
_T = (
    (0.09443876248897524, -0.14125529502095421, 0.03002919410514742),
    (0.25021312296533332, 0.20412935229379994, -0.38294211275726192),
    (1.0, 1.0, 0.0),
)
_TI = (
    (4.17871859155190428, 0.32768282076106237, 0.52337644549944951),
    (-4.17871859155190428, -0.32768282076106237, 0.47662355450055044),
    (0.50287263494578682, -2.57192694985560522, 0.59603920482822492),
)
_DENSE = (
    (13 / 3 + 7 * _S6 / 3, -23 / 3 - 22 * _S6 / 3, 10 / 3 + 5 * _S6),
    (13 / 3 - 7 * _S6 / 3, -23 / 3 + 22 * _S6 / 3, 10 / 3 - 5 * _S6),
    (1 / 3, -8 / 3, 10 / 3),
)
_ITERATIONS = 6
_MIN_FACTOR, _MAX_FACTOR = 0.2, 10.0


def _times(matrix: Sequence[Sequence[float]], rows: Sequence[ndarray]) -> list[ndarray]:
    return [combined((w, r) for w, r in zip(weights, rows, strict=True) if w) for weights in matrix]


def _predicted(h: float, h_old: float | None, error: float, error_old: float | None) -> float:
    """Return the factor of the next step by the errors of this and of the last."""
    if error == 0:
        return math.inf
    if error_old is None or h_old is None:
        multiplier = 1.0
    else:
        multiplier = h / h_old * (error_old / error) ** 0.25
    return min(1.0, multiplier) / math.sqrt(math.sqrt(error))


@documented
class Radau(ImplicitSolver):
    """The implicit Runge-Kutta method Radau IIA of order 5, for stiff problems.

    Parameters
    ----------
    fun : callable
        The right-hand side, ``fun(t, y)``.
    t0 : float
        The first time.
    y0 : (N,) array_like
        The state there.
    t_bound : float
        Where the integration ends.
    {steps}
    {jacobian}
    {states}

    Examples
    --------
    >>> from cuprum.scipy.integrate import Radau
    >>> solver = Radau(lambda t, y: -1000 * y, 0, cp.array([1.0]), 1)
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
        super().__init__(fun, t0, y0, t_bound, vectorized)
        self.y_old: ndarray | None = None
        self.f = self._prepare_steps(max_step, rtol, atol, first_step, 3)
        self.h_abs_old: float | None = None
        self.error_norm_old: float | None = None
        self.newton_tol = max(10 * EPS / self.rtol, min(0.03, self.rtol**0.5))
        self._sol: DenseOutput | None = None
        self._take_jacobian(jac, jac_sparsity, self.f)
        self._unit = cp.eye(self.n)
        self._current_jac = True
        self._factors: tuple[Any, Any] | None = None

    def _collocation(
        self, h: float, start: list[ndarray], scale: ndarray, factors: tuple[Any, Any]
    ) -> tuple[bool, int, list[ndarray], float | None]:
        """Solve for the stages by Newton's method, in the basis where the method's matrix is diagonal."""
        real, complex_ = _REAL / h, _COMPLEX / h
        w, z = _times(_TI, start), start
        size_old: float | None = None
        rate: float | None = None
        for k in range(_ITERATIONS):
            slopes = [self.fun(self.t + h * c, self.y + z[i]) for i, c in enumerate(_NODES)]
            if not bool(cp.isfinite(cp.stack(slopes)).all()):
                return False, k + 1, z, rate
            parts = _times(_TI, slopes)
            change = self._solved(factors[0], parts[0] - real * w[0])
            turn = self._solved(factors[1], (parts[1] + 1j * parts[2]) - complex_ * (w[1] + 1j * w[2]))
            step = [change, turn.real, turn.imag]
            size = rms(cp.stack(step) / scale)
            if size_old is not None:
                rate = size / size_old
                if rate >= 1 or rate ** (_ITERATIONS - k) / (1 - rate) * size > self.newton_tol:
                    return False, k + 1, z, rate
            w = [a + b for a, b in zip(w, step, strict=True)]
            z = _times(_T, w)
            if size == 0 or rate is not None and rate / (1 - rate) * size < self.newton_tol:
                return True, k + 1, z, rate
            size_old = size
        return False, _ITERATIONS, z, rate

    def _step_impl(self) -> tuple[bool, str | None]:
        t, y, f = self.t, self.y, self.f
        least = smallest_step(t, self.direction)
        h_abs, h_old, error_old = self.h_abs, self.h_abs_old, self.error_norm_old
        if h_abs > self.max_step or h_abs < least:
            h_abs = self.max_step if h_abs > self.max_step else least
            h_old = error_old = None
        J, factors, current_jac = self.J, self._factors, self._current_jac
        rejected = False
        while True:
            if not h_abs >= least:
                return False, self.TOO_SMALL_STEP
            t_new = t + h_abs * self.direction
            if self.direction * (t_new - self.t_bound) > 0:
                t_new = self.t_bound
            h = t_new - t
            h_abs = abs(h)
            if self._sol is None:
                start = [cp.zeros(self.n)] * 3
            else:
                ahead = self._sol(np.array([t + h * c for c in _NODES]))
                start = [ahead[:, i] - y for i in range(3)]
            scale = self.atol + abs(y) * self.rtol
            while True:
                if factors is None:
                    factors = (
                        self._factored(_REAL / h * self._unit - J),
                        self._factored(_COMPLEX / h * self._unit - J),
                    )
                converged, count, z, rate = self._collocation(h, start, scale, factors)
                if converged or current_jac:
                    break
                assert self.jac is not None
                J, current_jac, factors = self.jac(t, y, f), True, None
            if not converged:
                h_abs, factors = 0.5 * h_abs, None
                continue
            y_new = y + z[-1]
            push = combined(zip(_ERROR, z, strict=True)) / h
            error = self._solved(factors[0], f + push)
            scale = self.atol + cp.maximum(abs(y), abs(y_new)) * self.rtol
            size = rms(error / scale)
            safety = 0.9 * (2 * _ITERATIONS + 1) / (2 * _ITERATIONS + count)
            if rejected and size > 1:
                error = self._solved(factors[0], self.fun(t, y + error) + push)
                size = rms(error / scale)
            if not size > 1:
                break
            h_abs *= max(_MIN_FACTOR, safety * _predicted(h_abs, h_old, size, error_old))
            factors, rejected = None, True
        anew = self.jac is not None and count > 2 and rate is not None and rate > 1e-3
        factor = min(_MAX_FACTOR, safety * _predicted(h_abs, h_old, size, error_old))
        if not anew and factor < 1.2:
            factor = 1.0
        else:
            factors = None
        f_new = self.fun(t_new, y_new)
        if anew:
            assert self.jac is not None
            J, current_jac = self.jac(t_new, y_new, f_new), True
        elif self.jac is not None:
            current_jac = False
        self.h_abs_old, self.error_norm_old = self.h_abs, size
        self.h_abs = h_abs * factor
        self.y_old, self.t_old = y, t
        self.t, self.y, self.f, self.J = t_new, y_new, f_new, J
        self._factors, self._current_jac = factors, current_jac
        self._sol = self._output(t, z)
        return True, None

    def _output(self, t_old: float, z: list[ndarray]) -> DenseOutput:
        assert self.y_old is not None
        t, table = self.t, np.array(_DENSE)

        def weights(times: np.ndarray) -> np.ndarray:
            x = (times - t_old) / (t - t_old)
            powers = np.cumprod(np.broadcast_to(x, (3, *x.shape)), axis=0)
            return np.asarray(np.tensordot(table, powers, 1))

        return PolynomialOutput(t_old, t, self.y_old, z, weights)

    def _dense_output_impl(self) -> DenseOutput:
        assert self._sol is not None
        return self._sol

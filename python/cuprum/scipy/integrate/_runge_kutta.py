"""Explicit Runge-Kutta methods with steps chosen by an estimate of the error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._typing import ArrayLike
from . import _dop853_table as dop853
from ._documentation import documented
from ._ode import (
    DenseOutput,
    OdeSolver,
    PolynomialOutput,
    combined,
    rms,
    smallest_step,
    warn_unused,
)

__all__ = ["DOP853", "RK23", "RK45"]

_SAFETY, _MIN_FACTOR, _MAX_FACTOR = 0.9, 0.2, 10.0

Row = Mapping[int, float]


def _row(*values: float) -> dict[int, float]:
    return {i: value for i, value in enumerate(values) if value}


class RungeKutta(OdeSolver):
    """The steps that all explicit methods take, by their tables."""

    nodes: ClassVar[tuple[float, ...]]
    stages: ClassVar[tuple[Row, ...]]
    result: ClassVar[Row]
    error: ClassVar[Row]
    order: ClassVar[int]
    error_estimator_order: ClassVar[int]

    def __init__(
        self,
        fun: Callable[..., Any],
        t0: float,
        y0: ArrayLike,
        t_bound: float,
        max_step: float = np.inf,
        rtol: Any = 1e-3,
        atol: Any = 1e-6,
        vectorized: bool = False,
        first_step: float | None = None,
        **extraneous: Any,
    ) -> None:
        warn_unused(extraneous)
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=True)
        self.y_old: ndarray | None = None
        self.f = self._prepare_steps(max_step, rtol, atol, first_step, self.error_estimator_order)
        self._slopes: list[ndarray] = []
        self.h_previous: float | None = None

    def _sum(self, row: Row) -> Any:
        return combined((weight, self._slopes[i]) for i, weight in row.items())

    def _error_norm(self, h: float, scale: ndarray) -> float:
        return rms(self._sum(self.error) * h / scale)

    def _try(self, h: float) -> tuple[ndarray, ndarray]:
        """Return the state after a step and its slope; keep the slopes of all stages."""
        self._slopes = [self.f]
        for node, row in zip(self.nodes[1:], self.stages[1:], strict=True):
            self._slopes.append(self.fun(self.t + node * h, self.y + self._sum(row) * h))
        y = self.y + h * self._sum(self.result)
        f = self.fun(self.t + h, y)
        self._slopes.append(f)
        return y, f

    def _step_impl(self) -> tuple[bool, str | None]:
        t, y = self.t, self.y
        least = smallest_step(t, self.direction)
        h_abs = min(max(self.h_abs, least), self.max_step) if self.h_abs <= self.max_step else self.max_step
        exponent = -1 / (self.error_estimator_order + 1)
        rejected = False
        while True:
            # A step that is no number comes from a right-hand side that is none.
            if not h_abs >= least:
                return False, self.TOO_SMALL_STEP
            t_new = t + h_abs * self.direction
            if self.direction * (t_new - self.t_bound) > 0:
                t_new = self.t_bound
            h = t_new - t
            h_abs = abs(h)
            y_new, f_new = self._try(h)
            scale = self.atol + cp.maximum(abs(y), abs(y_new)) * self.rtol
            error = self._error_norm(h, scale)
            if error < 1:
                factor = _MAX_FACTOR if error == 0 else min(_MAX_FACTOR, _SAFETY * error**exponent)
                h_abs *= min(1.0, factor) if rejected else factor
                break
            h_abs *= max(_MIN_FACTOR, _SAFETY * error**exponent)
            rejected = True
        self.h_previous, self.h_abs = h, h_abs
        self.y_old, self.t, self.y, self.f = y, t_new, y_new, f_new
        return True, None


class _WithDensePolynomials(RungeKutta):
    """Methods whose dense output is a polynomial for each stage, by rising powers from the first on."""

    dense: ClassVar[tuple[tuple[float, ...], ...]]

    def _dense_output_impl(self) -> DenseOutput:
        assert self.t_old is not None and self.y_old is not None
        t_old, h = self.t_old, self.t - self.t_old
        used = [i for i, row in enumerate(self.dense) if any(row)]
        table = np.array([self.dense[i] for i in used])

        def weights(t: np.ndarray) -> np.ndarray:
            x = (t - t_old) / h
            powers = np.cumprod(np.broadcast_to(x, (table.shape[1], *x.shape)), axis=0)
            return np.asarray(h * np.tensordot(table, powers, 1))

        return PolynomialOutput(t_old, self.t, self.y_old, [self._slopes[i] for i in used], weights)


@documented
class RK23(_WithDensePolynomials):
    """The explicit Runge-Kutta method of orders 3 and 2 by Bogacki and Shampine.

    Parameters
    ----------
    {problem}
    {steps}
    {states}

    Examples
    --------
    >>> from cuprum.scipy.integrate import RK23
    >>> solver = RK23(lambda t, y: -y, 0, cp.array([1.0]), 1)
    >>> while solver.status == "running":
    ...     solver.step()
    >>> solver.y.round(2)
    array([0.37])
    """

    order = 3
    error_estimator_order = 2
    nodes = (0, 1 / 2, 3 / 4)
    stages = ({}, _row(1 / 2), _row(0, 3 / 4))
    result = _row(2 / 9, 1 / 3, 4 / 9)
    error = _row(5 / 72, -1 / 12, -1 / 9, 1 / 8)
    dense = ((1, -4 / 3, 5 / 9), (0, 1, -2 / 3), (0, 4 / 3, -8 / 9), (0, -1, 1))


@documented
class RK45(_WithDensePolynomials):
    """The explicit Runge-Kutta method of orders 5 and 4 by Dormand and Prince.

    Parameters
    ----------
    {problem}
    {steps}
    {states}

    Examples
    --------
    >>> from cuprum.scipy.integrate import RK45
    >>> solver = RK45(lambda t, y: -y, 0, cp.array([1.0]), 1)
    >>> while solver.status == "running":
    ...     solver.step()
    >>> solver.y.round(3)
    array([0.368])
    """

    order = 5
    error_estimator_order = 4
    nodes = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1)
    stages = (
        {},
        _row(1 / 5),
        _row(3 / 40, 9 / 40),
        _row(44 / 45, -56 / 15, 32 / 9),
        _row(19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        _row(9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    )
    result = _row(35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
    error = _row(-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40)
    dense = (
        (1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
        (0, 0, 0, 0),
        (0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
        (0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
        (0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
        (0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
        (0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
    )


@documented
class DOP853(RungeKutta):
    """The explicit Runge-Kutta method of order 8 by Dormand and Prince, for small tolerances.

    Parameters
    ----------
    {problem}
    {steps}
    {states}

    Examples
    --------
    >>> from cuprum.scipy.integrate import DOP853
    >>> solver = DOP853(lambda t, y: -y, 0, cp.array([1.0]), 1, rtol=1e-9, atol=1e-12)
    >>> while solver.status == "running":
    ...     solver.step()
    >>> solver.y.round(6)
    array([0.367879])
    """

    order = 8
    error_estimator_order = 7
    nodes = dop853.NODES[:12]
    stages = dop853.STAGES[:12]
    result = dop853.STAGES[12]
    error = dop853.ERROR_5

    def _error_norm(self, h: float, scale: ndarray) -> float:
        fifth = float(cp.linalg.norm(self._sum(dop853.ERROR_5) / scale)) ** 2
        third = float(cp.linalg.norm(self._sum(dop853.ERROR_3) / scale)) ** 2
        if fifth == 0 and third == 0:
            return 0.0
        return abs(h) * fifth / math.sqrt((fifth + 0.01 * third) * self.n)

    def _dense_output_impl(self) -> DenseOutput:
        assert self.t_old is not None and self.y_old is not None and self.h_previous is not None
        t_old, h = self.t_old, self.h_previous
        del self._slopes[13:]
        for node, row in zip(dop853.NODES[13:], dop853.STAGES[13:], strict=True):
            self._slopes.append(self.fun(t_old + node * h, self.y_old + self._sum(row) * h))
        change, first = self.y - self.y_old, self._slopes[0]
        rows = [change, h * first - change, 2 * change - h * (self.f + first)]
        rows += [h * self._sum(row) for row in dop853.DENSE]

        def weights(t: np.ndarray) -> np.ndarray:
            x = (t - t_old) / (self_t - t_old)
            factors = [x if i % 2 == 0 else 1 - x for i in range(len(rows))]
            return np.cumprod(np.stack(factors), axis=0)

        self_t = self.t
        return PolynomialOutput(t_old, self.t, self.y_old, rows, weights)

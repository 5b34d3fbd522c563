"""What solvers of initial value problems share: steps, dense output, tolerances and the first step.

Times steer a solver and are floats of the host; states are arrays of the device.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike

__all__ = ["DenseOutput", "OdeSolver"]

EPS = float(np.finfo(np.float64).eps)

Right = Callable[[float, ndarray], ndarray]


def combined(terms: Iterable[tuple[float, ndarray]]) -> Any:
    """Return a linear combination of arrays: one expression, so that one kernel computes it."""
    total: Any = None
    for weight, array in terms:
        term = weight * array
        total = term if total is None else total + term
    return total


def rms(x: ndarray) -> float:
    """Return the root of the mean of squares."""
    return float(cp.linalg.norm(x.ravel())) / math.sqrt(x.size)


def warn_unused(unused: dict[str, Any]) -> None:
    if unused:
        names = ", ".join(f"`{name}`" for name in unused)
        warnings.warn(f"The following arguments have no effect for a chosen solver: {names}.", stacklevel=4)


def checked_max_step(max_step: float) -> float:
    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    return max_step


def checked_first_step(first_step: float, t0: float, t_bound: float) -> float:
    if first_step <= 0:
        raise ValueError("`first_step` must be positive.")
    if first_step > abs(t_bound - t0):
        raise ValueError("`first_step` exceeds bounds.")
    return first_step


def _tolerance(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else as_array(value).astype(np.float64)


def checked_tolerances(rtol: Any, atol: Any, n: int) -> tuple[Any, Any]:
    """Return tolerances as floats or arrays of the device."""
    rtol, atol = _tolerance(rtol), _tolerance(atol)
    if bool(cp.any(rtol < 100 * EPS)):
        warnings.warn(
            f"At least one element of `rtol` is too small. Setting `rtol = np.maximum(rtol, {100 * EPS})`.",
            stacklevel=4,
        )
        rtol = max(rtol, 100 * EPS) if isinstance(rtol, float) else cp.maximum(rtol, 100 * EPS)
    if isinstance(atol, ndarray) and atol.shape != (n,):
        raise ValueError("`atol` has wrong shape.")
    if bool(cp.any(atol < 0)):
        raise ValueError("`atol` must be positive.")
    return rtol, atol


def first_step_size(
    fun: Right,
    t0: float,
    y0: ndarray,
    t_bound: float,
    max_step: float,
    f0: ndarray,
    direction: float,
    order: int,
    rtol: Any,
    atol: Any,
) -> float:
    """Return a first step by the sizes of the state and of its first two derivatives (Hairer, II.4)."""
    if y0.size == 0:
        return math.inf
    interval = abs(t_bound - t0)
    if interval == 0.0:
        return 0.0
    scale = atol + abs(y0) * rtol
    d0, d1 = rms(y0 / scale), rms(f0 / scale)
    h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, interval)
    f1 = fun(t0 + h0 * direction, y0 + h0 * direction * f0)
    d2 = rms((f1 - f0) / scale) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(1e-6, h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** (1 / (order + 1))
    return min(100 * h0, h1, interval, max_step)


def smallest_step(t: float, direction: float) -> float:
    """Return the size of a step that still moves the time by a few of its units."""
    return 10 * abs(math.nextafter(t, direction * math.inf) - t)


class DenseOutput:
    """A solution between two steps of a solver.

    Calling it gives the states at a time, or at each of several.

    Attributes
    ----------
    t_min, t_max : float
        Between which times it holds.

    Examples
    --------
    >>> from cuprum.scipy.integrate import RK45
    >>> solver = RK45(lambda t, y: -y, 0, cp.array([1.0]), 1)
    >>> solver.step()
    >>> solver.dense_output()(0.0)
    array([1.])
    """

    def __init__(self, t_old: float, t: float) -> None:
        self.t_old = t_old
        self.t = t
        self.t_min = min(t, t_old)
        self.t_max = max(t, t_old)

    def __call__(self, t: ArrayLike) -> ndarray:
        times = cp.asnumpy(t) if isinstance(t, ndarray) else np.asarray(t, np.float64)
        if times.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        return self._call_impl(times)

    def _call_impl(self, t: np.ndarray) -> ndarray:
        raise NotImplementedError


class PolynomialOutput(DenseOutput):
    """A state and rows that are added to it with weights which depend on the time alone."""

    def __init__(
        self,
        t_old: float,
        t: float,
        start: ndarray,
        rows: Sequence[ndarray],
        weights: Callable[[np.ndarray], np.ndarray],
    ) -> None:
        super().__init__(t_old, t)
        self._start, self._rows, self._weights = start, rows, weights

    def _call_impl(self, t: np.ndarray) -> ndarray:
        weights = self._weights(t)
        if t.ndim == 0:
            pairs = zip((float(w) for w in weights), self._rows, strict=True)
            at_one: ndarray = self._start + combined(pairs)
            return at_one
        rows = cp.stack(list(self._rows), 1)
        return self._start[:, None] + rows @ cp.array(weights, rows.dtype)


class _ConstantOutput(DenseOutput):
    """The output of a problem without a state or without a duration."""

    def __init__(self, t_old: float, t: float, value: ndarray) -> None:
        super().__init__(t_old, t)
        self._value = value

    def _call_impl(self, t: np.ndarray) -> ndarray:
        if t.ndim == 0:
            return self._value
        return cp.repeat(self._value[:, None], t.shape[0], axis=1)


def _as_state(y0: Any, support_complex: bool) -> ndarray:
    y: ndarray = as_array(y0)
    if y.dtype.kind == "c":
        if not support_complex:
            raise ValueError(
                "`y0` is complex, but the chosen solver does not support integration in a complex domain."
            )
        dtype: Any = np.complex128
    else:
        dtype = np.float64
    y = y.astype(dtype, copy=False)
    if y.ndim != 1:
        raise ValueError(f"`y0` must be 1-dimensional, got shape {y.shape}.")
    if not bool(cp.isfinite(y).all()):
        raise ValueError("All components of the initial state `y0` must be finite.")
    return y


class OdeSolver:
    """The base of solvers of initial value problems, which advance by steps.

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
    vectorized : bool
        Whether `fun` takes states as the columns of a matrix.
    support_complex : bool, optional
        Whether the method works with complex states.

    Attributes
    ----------
    n : int
        The number of equations.
    status : {"running", "finished", "failed"}
        The state of the solver.
    t, t_old : float
        The time, and that before the last step.
    y : (N,) ndarray
        The state.
    nfev, njev, nlu : int
        How often the right-hand side, its Jacobian and factors were computed.

    Examples
    --------
    >>> from cuprum.scipy.integrate import OdeSolver, RK45
    >>> issubclass(RK45, OdeSolver)
    True
    """

    TOO_SMALL_STEP = "Required step size is less than spacing between numbers."

    def __init__(
        self,
        fun: Callable[..., Any],
        t0: float,
        y0: ArrayLike,
        t_bound: float,
        vectorized: bool,
        support_complex: bool = False,
    ) -> None:
        self.t_old: float | None = None
        self.t = float(t0)
        self.y = _as_state(y0, support_complex)
        self.t_bound = float(t_bound)
        self.vectorized = vectorized
        self.direction = math.copysign(1.0, self.t_bound - self.t) if self.t_bound != self.t else 1.0
        self.n = self.y.size
        self.status = "running"
        self.nfev = self.njev = self.nlu = 0
        self._function = fun

    def _prepare_steps(
        self, max_step: float, rtol: Any, atol: Any, first_step: float | None, order: int
    ) -> ndarray:
        """Take tolerances and a first step, for an error of this order; return the first slope."""
        self.max_step = checked_max_step(max_step)
        self.rtol, self.atol = checked_tolerances(rtol, atol, self.n)
        f = self.fun(self.t, self.y)
        if first_step is None:
            self.h_abs = first_step_size(
                self.fun,
                self.t,
                self.y,
                self.t_bound,
                max_step,
                f,
                self.direction,
                order,
                self.rtol,
                self.atol,
            )
        else:
            self.h_abs = checked_first_step(first_step, self.t, self.t_bound)
        return f

    def _value(self, t: float, y: ndarray) -> ndarray:
        return as_array(self._function(t, y)).astype(self.y.dtype, copy=False)

    def fun(self, t: float, y: ndarray) -> ndarray:
        """Evaluate the right-hand side and count it.

        Examples
        --------
        >>> from cuprum.scipy.integrate import RK45
        >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
        >>> solver.fun(0.0, cp.asarray([2.0]))
        array([-2.])
        """
        self.nfev += 1
        return self.fun_single(t, y)

    def fun_single(self, t: float, y: ndarray) -> ndarray:
        """Evaluate the right-hand side for one state.

        Examples
        --------
        >>> from cuprum.scipy.integrate import RK45
        >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
        >>> solver.fun_single(0.0, cp.asarray([2.0]))
        array([-2.])
        """
        return self._value(t, y[:, None]).ravel() if self.vectorized else self._value(t, y)

    def fun_vectorized(self, t: float, y: ndarray) -> ndarray:
        """Evaluate the right-hand side for states in columns.

        Examples
        --------
        >>> from cuprum.scipy.integrate import RK45
        >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
        >>> solver.fun_vectorized(0.0, cp.asarray([[2.0, 3.0]]))
        array([[-2., -3.]])
        """
        if self.vectorized:
            return self._value(t, y)
        return cp.stack([self._value(t, y[:, i]) for i in range(y.shape[1])], 1)

    @property
    def step_size(self) -> float | None:
        """The size of the last step; None before the first."""
        return None if self.t_old is None else abs(self.t - self.t_old)

    def step(self) -> str | None:
        """Advance by one step.

        Returns
        -------
        str or None
            Why the solver failed.

        Examples
        --------
        >>> from cuprum.scipy.integrate import RK45
        >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
        >>> message = solver.step()
        >>> solver.t > 0, solver.status
        (True, 'running')
        """
        if self.status != "running":
            raise RuntimeError("Attempt to step on a failed or finished solver.")
        if self.n == 0 or self.t == self.t_bound:
            self.t_old = self.t
            self.t = self.t_bound
            self.status = "finished"
            return None
        t = self.t
        success, message = self._step_impl()
        if not success:
            self.status = "failed"
        else:
            self.t_old = t
            if self.direction * (self.t - self.t_bound) >= 0:
                self.status = "finished"
        return message

    def dense_output(self) -> DenseOutput:
        """Return the solution over the last step.

        Returns
        -------
        DenseOutput
            A function of the time.

        Examples
        --------
        >>> from cuprum.scipy.integrate import RK45
        >>> solver = RK45(lambda t, y: -y, 0.0, [1.0], 1.0)
        >>> message = solver.step()
        >>> type(solver.dense_output()(solver.t)).__name__
        'ndarray'
        """
        if self.t_old is None:
            raise RuntimeError("Dense output is available after a successful step was made.")
        if self.n == 0 or self.t == self.t_old:
            return _ConstantOutput(self.t_old, self.t, self.y)
        return self._dense_output_impl()

    def _step_impl(self) -> tuple[bool, str | None]:
        raise NotImplementedError

    def _dense_output_impl(self) -> DenseOutput:
        raise NotImplementedError

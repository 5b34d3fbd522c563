"""Initial value problems from beginning to end: output at times, events, the solution as a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike
from .._results import OptimizeResult, plain
from ._bdf import BDF
from ._ode import EPS, DenseOutput, OdeSolver
from ._radau import Radau
from ._runge_kutta import DOP853, RK23, RK45

__all__ = ["OdeSolution", "solve_ivp"]

_METHODS: dict[str, type[OdeSolver]] = {
    "RK23": RK23,
    "RK45": RK45,
    "DOP853": DOP853,
    "Radau": Radau,
    "BDF": BDF,
}
_MESSAGES = {
    0: "The solver successfully reached the end of the integration interval.",
    1: "A termination event occurred.",
}

Event = Callable[..., Any]


class OdeResult(OptimizeResult):
    """What `solve_ivp` returns."""


class OdeSolution:
    """A solution over all steps, as a function of the time.

    Parameters
    ----------
    ts : (N + 1,) array_like
        The times between the steps, rising or falling.
    interpolants : list of N DenseOutput
        The solution over each step.
    alt_segment : bool, optional
        Which of two steps a time between them belongs to: the one before by default.

    Attributes
    ----------
    t_min, t_max : float
        Between which times it holds.

    Examples
    --------
    >>> from cuprum.scipy.integrate import solve_ivp
    >>> solution = solve_ivp(lambda t, y: -y, (0, 1), cp.array([1.0]), dense_output=True).sol
    >>> solution(cp.array([0.0, 1.0])).round(3)
    array([[1.   , 0.368]])
    """

    def __init__(self, ts: ArrayLike, interpolants: Sequence[DenseOutput], alt_segment: bool = False) -> None:
        times = cp.asnumpy(ts) if isinstance(ts, ndarray) else np.asarray(ts, np.float64)
        steps = np.diff(times)
        still = times.size == 2 and times[0] == times[-1]
        if not (still or np.all(steps > 0) or np.all(steps < 0)):
            raise ValueError("`ts` must be strictly increasing or decreasing.")
        self.n_segments = len(interpolants)
        if times.shape != (self.n_segments + 1,):
            raise ValueError("Numbers of time stamps and interpolants don't match.")
        self.interpolants = interpolants
        self.ascending = bool(times[-1] >= times[0])
        self._sorted = times if self.ascending else times[::-1]
        self.t_min, self.t_max = float(self._sorted[0]), float(self._sorted[-1])
        self.side = "right" if alt_segment == self.ascending else "left"

    @property
    def ts(self) -> ndarray:
        """The times between the steps."""
        return cp.array(self._sorted if self.ascending else self._sorted[::-1])

    def _segments(self, t: np.ndarray) -> np.ndarray:
        side = "right" if self.side == "right" else "left"
        found = np.clip(np.searchsorted(self._sorted, t, side=side) - 1, 0, self.n_segments - 1)  # type: ignore[call-overload]
        return np.asarray(found if self.ascending else self.n_segments - 1 - found)

    def __call__(self, t: ArrayLike) -> ndarray:
        times = cp.asnumpy(t) if isinstance(t, ndarray) else np.asarray(t, np.float64)
        if times.ndim == 0:
            return self.interpolants[int(self._segments(times))](times)
        if times.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        order = np.argsort(times)
        rising = times[order]
        parts, start = [], 0
        for segment, group in groupby(self._segments(rising)):
            end = start + len(list(group))
            parts.append(self.interpolants[segment](rising[start:end]))
            start = end
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        return cp.concatenate(parts, axis=1)[:, cp.array(back)]


class _Events:
    """Functions whose zeros are looked for, and the zeros found."""

    def __init__(self, events: Any, args: tuple[Any, ...], t: float, y: ndarray) -> None:
        given: Sequence[Event] = (events,) if callable(events) else tuple(events)
        self.functions = given
        self._args = args
        self.limits = np.empty(len(given))
        self.directions = np.empty(len(given))
        for i, event in enumerate(given):
            terminal = getattr(event, "terminal", None)
            self.directions[i] = getattr(event, "direction", 0)
            if terminal is None or terminal == 0:
                self.limits[i] = np.inf
            elif int(terminal) == terminal and terminal > 0:
                self.limits[i] = terminal
            else:
                raise ValueError(
                    "The `terminal` attribute of each event must be a boolean or positive integer."
                )
        self.counts = np.zeros(len(given))
        self.times: list[list[float]] = [[] for _ in given]
        self.states: list[list[ndarray]] = [[] for _ in given]
        self._values = self._at(t, y)

    def _value(self, index: int, t: float, y: ndarray) -> float:
        return plain(self.functions[index](t, y, *self._args))

    def _at(self, t: float, y: ndarray) -> np.ndarray:
        return np.array([self._value(i, t, y) for i in range(len(self.functions))])

    def look(
        self, t_old: float, t: float, y: ndarray, output: Callable[[], DenseOutput]
    ) -> tuple[float, ndarray] | None:
        """Note the zeros of a step; return time and state of the one that ends the integration."""
        old, new = self._values, self._at(t, y)
        self._values = new
        up, down = (old <= 0) & (new >= 0), (old >= 0) & (new <= 0)
        wanted = (
            up & (self.directions > 0) | down & (self.directions < 0) | (up | down) & (self.directions == 0)
        )
        active = np.nonzero(wanted)[0]
        if not active.size:
            return None
        from ..optimize import brentq

        sol = output()
        self.counts[active] += 1
        roots = np.array(
            [
                brentq(lambda s, i=i: self._value(i, s, sol(s)), t_old, t, xtol=4 * EPS, rtol=4 * EPS)
                for i in active
            ]
        )
        ending = self.counts[active] >= self.limits[active]
        terminates = bool(ending.any())
        if terminates:
            order = np.argsort(roots if t > t_old else -roots)
            last = int(np.nonzero(ending[order])[0][0]) + 1
            active, roots = active[order][:last], roots[order][:last]
        for index, root in zip(active, roots, strict=True):
            self.times[index].append(float(root))
            self.states[index].append(sol(float(root)))
        return (float(roots[-1]), sol(float(roots[-1]))) if terminates else None


def _checked_times(t_eval: Any, t0: float, tf: float) -> np.ndarray:
    times = cp.asnumpy(t_eval) if isinstance(t_eval, ndarray) else np.asarray(t_eval)
    if times.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.any(times < min(t0, tf)) or np.any(times > max(t0, tf)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    steps = np.diff(times)
    if tf > t0 and np.any(steps <= 0) or tf < t0 and np.any(steps >= 0):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return times


@names_itself
def solve_ivp(
    fun: Callable[..., Any],
    t_span: Sequence[float],
    y0: ArrayLike,
    method: str | type[OdeSolver] = "RK45",
    t_eval: ArrayLike | None = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: tuple[Any, ...] | None = None,
    **options: Any,
) -> OdeResult:
    """Solve an initial value problem of ordinary differential equations.

    Parameters
    ----------
    fun : callable
        The right-hand side, ``fun(t, y, *args)``: `t` is a float, `y` a state of shape (N,) on the device.
    t_span : (float, float)
        The first and the last time.
    y0 : (N,) array_like
        The state at the first; it may be complex for all methods but Radau.
    method : {"RK45", "RK23", "DOP853", "Radau", "BDF"} or OdeSolver, optional
        The method: Runge-Kutta of orders 5, 3 and 8, or Radau and BDF for stiff problems.
    t_eval : array_like, optional
        The times to store; by default the solver's own.
    dense_output : bool, optional
        Return the solution as a function too.
    events : callable or list of callables, optional
        Functions ``event(t, y, *args)`` whose zeros are looked for. The attribute ``terminal`` of one ends
        the integration at its first zero, or at the given one; ``direction`` says which zeros count.
    vectorized : bool, optional
        Whether `fun` takes states as the columns of a matrix, for Jacobians by differences.
    args : tuple, optional
        Further arguments of `fun`, `jac` and `events`.
    **options
        Of the solver: first_step, max_step, rtol, atol, and for Radau and BDF jac and jac_sparsity.

    Returns
    -------
    OdeResult
        With the attributes t, y of shape (N, times), sol, t_events, y_events, nfev, njev, nlu, status,
        message and success.

    Notes
    -----
    The same steps as SciPy's, chosen by norms of errors that are read back once a step; all else stays on the
    device.

    Examples
    --------
    >>> from cuprum.scipy.integrate import solve_ivp
    >>> found = solve_ivp(lambda t, y: -y, (0, 1), cp.array([1.0, 2.0]), rtol=1e-6)
    >>> found.y[:, -1].round(4)
    array([0.3679, 0.7358])
    """
    if isinstance(method, str):
        if method not in _METHODS:
            raise ValueError(
                f"`method` must be one of {', '.join(_METHODS)} or an OdeSolver class, got {method!r}"
            )
        solver_class = _METHODS[method]
    elif inspect.isclass(method) and issubclass(method, OdeSolver):
        solver_class = method
    else:
        raise ValueError(f"`method` must be one of {', '.join(_METHODS)} or an OdeSolver class")
    t0, tf = map(float, t_span)
    extra: tuple[Any, ...] = ()
    if args is not None:
        try:
            extra = (*args,)
        except TypeError as error:
            raise TypeError(
                f"Supplied 'args' cannot be unpacked. Please supply `args` as a tuple (e.g. `args=({args},)`)"
            ) from error
        function, jac = fun, options.get("jac")
        fun = lambda t, y: function(t, y, *extra)  # noqa: E731
        if callable(jac):
            options["jac"] = lambda t, y: jac(t, y, *extra)
    times = None if t_eval is None else _checked_times(t_eval, t0, tf)
    solver: Any = solver_class(fun, t0, y0, tf, vectorized=vectorized, **options)
    return _integrated(solver, times, dense_output, events, extra, as_array(y0))


def _integrated(
    solver: OdeSolver,
    times: np.ndarray | None,
    dense_output: bool,
    events: Any,
    args: tuple[Any, ...],
    y0: ndarray,
) -> OdeResult:
    """Step a solver to its end and gather what was asked for."""
    ends, kept_t = [solver.t], [solver.t]
    kept_y, parts = [solver.y], []
    watched = None if events is None else _Events(events, args, solver.t, y0)
    interpolants: list[DenseOutput] = []
    status, message, done = None, None, 0
    while status is None:
        message = solver.step()
        if solver.status == "failed":
            status = -1
            break
        if solver.status == "finished":
            status = 0
        assert solver.t_old is not None
        t_old, t, y = solver.t_old, solver.t, solver.y
        sol: DenseOutput | None = None

        def output() -> DenseOutput:
            nonlocal sol
            if sol is None:
                sol = solver.dense_output()
            return sol

        if dense_output:
            interpolants.append(output())
        if watched is not None:
            ending = watched.look(t_old, t, y, output)
            if ending is not None:
                status = 1
                t, y = ending
        if times is None:
            if len(kept_t) > 1 and kept_t[-1] == t and dense_output:
                interpolants.pop()
            else:
                kept_t.append(t)
                kept_y.append(y)
        else:
            if solver.direction > 0:
                reached = int(np.searchsorted(times, t, side="right"))
            else:
                reached = times.size - int(np.searchsorted(times[::-1], t, side="left"))
            if reached > done:
                parts.append(output()(times[done:reached]))
                done = reached
            ends.append(t)
    if times is None:
        ts, ys = cp.array(kept_t), cp.stack(kept_y, 1)
    elif parts:
        ts, ys = cp.array(times[:done]), cp.concatenate(parts, axis=1)
    else:
        ts, ys = cp.empty(0), cp.empty((solver.n, 0), solver.y.dtype)
    whole = None
    if dense_output:
        whole = OdeSolution(kept_t if times is None else ends, interpolants, isinstance(solver, BDF))
    return OdeResult(
        t=ts,
        y=ys,
        sol=whole,
        t_events=None if watched is None else [cp.array(found, np.float64) for found in watched.times],
        y_events=None if watched is None else [_stacked(found) for found in watched.states],
        nfev=solver.nfev,
        njev=solver.njev,
        nlu=solver.nlu,
        status=status,
        message=_MESSAGES.get(status, message),
        success=status >= 0,
    )


def _stacked(states: list[ndarray]) -> ndarray:
    return cp.stack(states) if states else cp.empty(0)

"""Roots of functions of one number, between two points where the signs differ."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any

from ..._documentation import shared_paragraphs
from .._results import OptimizeResult, plain

__all__ = ["RootResults", "bisect", "brenth", "brentq", "ridder"]

_XTOL = 2e-12
_RTOL = 4 * sys.float_info.epsilon
_MAXITER = 100

Scalar = Callable[[float], float]
_documented = shared_paragraphs(
    {
        "bracketed": """Parameters
    ----------
    f : callable
        ``f(x, *args)`` of a float; its value is a number or an array of one element.
    a, b : float
        The ends, where the signs of `f` differ.
    args : tuple, optional
        Further arguments of `f`.
    xtol, rtol : float, optional
        How exact the root is, absolutely and relative to it.
    maxiter : int, optional
        The largest number of iterations.
    full_output : bool, optional
        Return a `RootResults` too.
    disp : bool, optional
        Raise RuntimeError where the iterations are not enough.

    Returns
    -------
    root : float
        The root.
    r : RootResults
        With `full_output`.""",
    }
)

# The root, the iterations and whether they were enough.
Found = tuple[float, int, bool]


class RootResults(OptimizeResult):
    """What a root finder returns with ``full_output=True``.

    Parameters
    ----------
    root : float
        The root.
    iterations, function_calls : int
        How many there were.
    flag : int or str
        0 or "converged", or why there is no root.
    method : str
        The method.

    Examples
    --------
    >>> from cuprum.scipy.optimize import brentq
    >>> root, found = brentq(lambda x: x * x - 2, 0, 2, full_output=True)
    >>> found.converged
    True
    """

    def __init__(self, root: Any, iterations: int, function_calls: int, flag: int | str, method: str) -> None:
        names = {0: "converged", -1: "sign error", -2: "convergence error", -3: "value error"}
        super().__init__(
            root=root,
            iterations=iterations,
            function_calls=function_calls,
            converged=flag in (0, "converged"),
            flag=names[flag] if isinstance(flag, int) else flag,
            method=method,
        )


class _Counted:
    """A function of the user, its calls counted and its values checked."""

    def __init__(self, op: str, function: Callable[..., Any], args: Any) -> None:
        self._op, self._function = op, function
        self._args = args if isinstance(args, tuple) else (args,)
        self.calls = 0

    def __call__(self, x: float) -> float:
        self.calls += 1
        value = plain(self._function(x, *self._args))
        if math.isnan(value):
            raise ValueError(f"{self._op}: The function value at x={x} is NaN; solver cannot continue.")
        return value


def _differ(op: str, low: float, high: float) -> None:
    if (low < 0) == (high < 0):
        raise ValueError(f"{op}: f(a) and f(b) must have different signs")


def _bisect(op: str, f: Scalar, a: float, b: float, xtol: float, rtol: float, limit: int) -> Found:
    low, high = f(a), f(b)
    if low == 0:
        return a, 0, True
    if high == 0:
        return b, 0, True
    _differ(op, low, high)
    step = b - a
    for i in range(limit):
        step *= 0.5
        middle = a + step
        value = f(middle)
        if (value < 0) == (low < 0) and value != 0:
            a = middle
        if value == 0 or abs(step) < xtol + rtol * abs(middle):
            return middle, i + 1, True
    return a, limit, False


def _ridder(op: str, f: Scalar, a: float, b: float, xtol: float, rtol: float, limit: int) -> Found:
    low, high = f(a), f(b)
    if low == 0:
        return a, 0, True
    if high == 0:
        return b, 0, True
    _differ(op, low, high)
    for i in range(limit):
        half = 0.5 * (b - a)
        middle = a + half
        value = f(middle)
        if value == 0:
            return middle, i + 1, True
        root = math.sqrt(value * value - low * high)
        move = half * value / root if root else math.inf
        move = math.copysign(min(abs(move), abs(half) - 0.5 * (xtol + rtol * abs(middle))), half * value)
        found = middle - move if (high - low) >= 0 else middle + move
        fresh = f(found)
        if value * fresh < 0:
            a, low, b, high = middle, value, found, fresh
        elif fresh * low < 0:
            b, high = found, fresh
        else:
            a, low = found, fresh
        if fresh == 0 or abs(b - a) < xtol + rtol * abs(found):
            return found, i + 1, True
    return found if limit else a, limit, False


def _brent(hyperbolic: bool) -> Callable[..., Found]:
    """Return Brent's method, with parabolas or hyperbolas through three points."""

    def method(op: str, f: Scalar, a: float, b: float, xtol: float, rtol: float, limit: int) -> Found:
        before, now = a, b
        f_before, f_now = f(before), f(now)
        if f_before == 0:
            return before, 0, True
        if f_now == 0:
            return now, 0, True
        _differ(op, f_before, f_now)
        block = f_block = step = step_before = 0.0
        for i in range(limit):
            if f_before != 0 and f_now != 0 and (f_before < 0) != (f_now < 0):
                block, f_block = before, f_before
                step = step_before = now - before
            if abs(f_block) < abs(f_now):
                before, now, block = now, block, now
                f_before, f_now, f_block = f_now, f_block, f_now
            delta = (xtol + rtol * abs(now)) / 2
            half = (block - now) / 2
            if f_now == 0 or abs(half) < delta:
                return now, i + 1, True
            if abs(step_before) > delta and abs(f_now) < abs(f_before):
                if before == block:
                    trial = -f_now * (now - before) / (f_now - f_before)
                else:
                    d_before = (f_before - f_now) / (before - now)
                    d_block = (f_block - f_now) / (block - now)
                    if hyperbolic:
                        trial = -f_now * (f_block - f_before) / (f_block * d_before - f_before * d_block)
                    else:
                        trial = -f_now * (f_block * d_block - f_before * d_before)
                        trial /= d_block * d_before * (f_block - f_before)
                if 2 * abs(trial) < min(abs(step_before), 3 * abs(half) - delta):
                    step_before, step = step, trial
                else:
                    step_before = step = half
            else:
                step_before = step = half
            before, f_before = now, f_now
            now += step if abs(step) > delta else math.copysign(delta, half)
            f_now = f(now)
        return now, limit, False

    return method


_METHODS: dict[str, Callable[..., Found]] = {
    "bisect": _bisect,
    "ridder": _ridder,
    "brentq": _brent(False),
    "brenth": _brent(True),
}


def _solve(
    op: str,
    f: Callable[..., Any],
    a: float,
    b: float,
    args: Any,
    xtol: float,
    rtol: float,
    maxiter: int,
    full_output: bool,
    disp: bool,
) -> Any:
    limit = operator.index(maxiter)
    if xtol <= 0:
        raise ValueError(f"{op}: xtol too small ({xtol:g} <= 0)")
    if rtol < _RTOL:
        raise ValueError(f"{op}: rtol too small ({rtol:g} < {_RTOL:g})")
    if limit < 0:
        raise ValueError(f"{op}: maxiter must be >= 0, got {limit}")
    function = _Counted(op, f, args)
    root, iterations, converged = _METHODS[op](op, function, plain(a), plain(b), xtol, rtol, limit)
    if disp and not converged:
        raise RuntimeError(f"{op}: Failed to converge after {iterations} iterations, value is {root}.")
    if full_output:
        return root, RootResults(root, iterations, function.calls, 0 if converged else -2, op)
    return root


@_documented
def bisect(
    f: Callable[..., Any],
    a: float,
    b: float,
    args: Any = (),
    xtol: float = _XTOL,
    rtol: float = _RTOL,
    maxiter: int = _MAXITER,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Find a root between two points by halving the interval.

    {bracketed}

    Examples
    --------
    >>> from cuprum.scipy.optimize import bisect
    >>> round(bisect(lambda x: x * x - 2, 0, 2), 6)
    1.414214
    """
    return _solve("bisect", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@_documented
def ridder(
    f: Callable[..., Any],
    a: float,
    b: float,
    args: Any = (),
    xtol: float = _XTOL,
    rtol: float = _RTOL,
    maxiter: int = _MAXITER,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Find a root between two points by Ridders' method.

    {bracketed}

    Examples
    --------
    >>> from cuprum.scipy.optimize import ridder
    >>> round(ridder(lambda x: x * x - 2, 0, 2), 6)
    1.414214
    """
    return _solve("ridder", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@_documented
def brentq(
    f: Callable[..., Any],
    a: float,
    b: float,
    args: Any = (),
    xtol: float = _XTOL,
    rtol: float = _RTOL,
    maxiter: int = _MAXITER,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Find a root between two points by Brent's method with inverse parabolas.

    {bracketed}

    Examples
    --------
    >>> from cuprum.scipy.optimize import brentq
    >>> round(brentq(lambda x: x * x - 2, 0, 2), 6)
    1.414214
    """
    return _solve("brentq", f, a, b, args, xtol, rtol, maxiter, full_output, disp)


@_documented
def brenth(
    f: Callable[..., Any],
    a: float,
    b: float,
    args: Any = (),
    xtol: float = _XTOL,
    rtol: float = _RTOL,
    maxiter: int = _MAXITER,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Find a root between two points by Brent's method with hyperbolas.

    {bracketed}

    Examples
    --------
    >>> from cuprum.scipy.optimize import brenth
    >>> round(brenth(lambda x: x * x - 2, 0, 2), 6)
    1.414214
    """
    return _solve("brenth", f, a, b, args, xtol, rtol, maxiter, full_output, disp)

"""Minima of functions of several variables, and of one."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._results import OptimizeResult, plain
from ._nelder_mead import minimize_nelder_mead
from ._objective import SQRT_EPS, Objective
from ._quasi_newton import minimize_bfgs, minimize_cg, minimize_lbfgsb

__all__ = ["Bounds", "OptimizeWarning", "minimize", "minimize_scalar"]

_METHODS = ("nelder-mead", "cg", "bfgs", "l-bfgs-b")


class OptimizeWarning(UserWarning):
    """A warning of an optimiser."""


class Bounds:
    """Bounds of variables.

    Parameters
    ----------
    lb, ub : float or array_like, optional
        The lower and the upper bounds.
    keep_feasible : bool, optional
        Taken for compatibility: points never leave the bounds.

    Examples
    --------
    >>> from cuprum.scipy.optimize import Bounds
    >>> Bounds(0, cp.array([1.0, 2.0])).ub
    array([1., 2.])
    """

    def __init__(self, lb: Any = -np.inf, ub: Any = np.inf, keep_feasible: Any = False) -> None:
        self.lb, self.ub = cp.atleast_1d(as_array(lb)), cp.atleast_1d(as_array(ub))
        self.keep_feasible = keep_feasible

    def __repr__(self) -> str:
        return f"Bounds({self.lb!r}, {self.ub!r})"


def _limits(bounds: Any, n: int) -> tuple[ndarray, ndarray] | None:
    if bounds is None:
        return None
    if isinstance(bounds, Bounds) or hasattr(bounds, "lb"):
        low, high = as_array(bounds.lb), as_array(bounds.ub)
    else:
        if len(bounds) not in (1, n):
            raise ValueError("length of x0 != length of bounds")
        low = cp.array([-np.inf if pair[0] is None else float(pair[0]) for pair in bounds])
        high = cp.array([np.inf if pair[1] is None else float(pair[1]) for pair in bounds])
    low, high = (cp.broadcast_to(part.astype(np.float64), (n,)).copy() for part in (low, high))
    if bool((low > high).any()):
        raise ValueError("An upper bound is less than the corresponding lower bound.")
    return low, high


def minimize(
    fun: Callable[..., Any],
    x0: ArrayLike,
    args: Any = (),
    method: str | None = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: float | None = None,
    callback: Callable[..., Any] | None = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResult:
    """Minimise a function of several variables.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` of an array of shape (N,) on the device; its value is a number.
    x0 : (N,) array_like
        Where to start.
    args : tuple, optional
        Further arguments of `fun` and `jac`.
    method : {"BFGS", "CG", "L-BFGS-B", "Nelder-Mead"}, optional
        The method; "BFGS", or "L-BFGS-B" where there are bounds.
    jac : callable, bool, "2-point", "3-point" or "cs", optional
        The gradient; True where `fun` returns it with the value; by differences otherwise.
    hess, hessp, constraints : optional
        Taken for compatibility where they are not given: no method here uses them.
    bounds : Bounds or sequence of (float, float), optional
        Bounds for "L-BFGS-B" and "Nelder-Mead".
    tol : float, optional
        The tolerance of the method.
    callback : callable, optional
        Called after each iteration; it may raise StopIteration.
    options : dict, optional
        Options of the method, under SciPy's names.

    Returns
    -------
    OptimizeResult
        The minimum `x`, the value `fun`, and how it was found.

    Examples
    --------
    >>> from cuprum.scipy.optimize import minimize
    >>> minimize(lambda x: ((x - 3) ** 2).sum(), cp.zeros(2)).x.round(4)
    array([3., 3.])
    """
    x: Any = cp.atleast_1d(as_array(x0))
    if x.ndim != 1:
        raise ValueError("'x0' must only have one dimension.")
    if x.dtype.kind == "c":
        raise ValueError("minimize: x0 must be real")
    x = x.astype(np.float64)
    args = args if isinstance(args, tuple) else (args,)
    name = ("l-bfgs-b" if bounds is not None else "bfgs") if method is None else str(method).lower()
    if constraints not in ((), [], None):
        raise ValueError(
            "minimize: constraints are not supported; add a penalty, or use bounds with L-BFGS-B"
        )
    if name not in _METHODS:
        raise ValueError(f"Unknown solver {method}: there are BFGS, CG, L-BFGS-B and Nelder-Mead")
    given = dict(options or {})
    disp = given.pop("disp", False)
    if bounds is not None and name in ("bfgs", "cg"):
        warnings.warn(f"Method {method} cannot handle bounds.", RuntimeWarning, stacklevel=2)
    if name == "nelder-mead" and jac:
        warnings.warn(
            f"Method {method} does not use gradient information (jac).", RuntimeWarning, stacklevel=2
        )
    limits = _limits(bounds, x.size)
    if tol is not None:
        for option in {"nelder-mead": ("xatol", "fatol"), "l-bfgs-b": ("ftol", "gtol")}.get(name, ("gtol",)):
            given.setdefault(option, tol)
    objective = Objective(fun, x, args, jac, given.pop("eps", None))
    for unused in ("iprint", "workers", "finite_diff_rel_step"):
        given.pop(unused, None)
    known = {
        "bfgs": ("gtol", "norm", "maxiter", "xrtol", "c1", "c2", "hess_inv0", "return_all"),
        "cg": ("gtol", "norm", "maxiter", "c1", "c2", "return_all"),
        "l-bfgs-b": ("maxcor", "ftol", "gtol", "maxfun", "maxiter", "maxls"),
        "nelder-mead": (
            *("maxiter", "maxfev", "initial_simplex", "xatol", "fatol", "adaptive", "return_all"),
        ),
    }[name]
    unknown = [option for option in given if option not in known]
    if unknown:
        warnings.warn(f"Unknown solver options: {', '.join(unknown)}", OptimizeWarning, stacklevel=2)
        given = {option: value for option, value in given.items() if option in known}
    if name == "bfgs":
        result = minimize_bfgs(objective, x, callback, **given)
    elif name == "cg":
        result = minimize_cg(objective, x, callback, **given)
    elif name == "l-bfgs-b":
        result = minimize_lbfgsb(objective, x, callback, limits, **given)
    else:

        def alone(p: Any) -> float:
            found = fun(p, *args)
            return plain(found[0] if jac is True else found)

        result = minimize_nelder_mead(alone, x, callback, limits, **given)
    if disp:
        print(
            f"{result.message}\n         Current function value: {result.fun:f}\n         "
            f"Iterations: {result.nit}"
        )
    return result


_GOLDEN = 0.3819660


def _bracketed(
    f: Callable[[float], float], a: float, b: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return three points with the lowest value in the middle, downhill from two."""
    grow, fa, fb = 1.618034, f(a), f(b)
    if fa < fb:
        a, b, fa, fb = b, a, fb, fa
    c = b + grow * (b - a)
    fc = f(c)
    for _ in range(1000):
        if fc >= fb:
            return (a, b, c), (fa, fb, fc)
        r, q = (b - a) * (fb - fc), (b - c) * (fb - fa)
        bottom = 2.0 * (q - r) or 2e-21
        w = b - ((b - c) * q - (b - a) * r) / bottom
        limit = b + 110.0 * (c - b)
        if (w - c) * (b - w) > 0:
            fw = f(w)
            if fw < fc:
                return (b, w, c), (fb, fw, fc)
            if fw > fb:
                return (a, b, w), (fa, fb, fw)
            w = c + grow * (c - b)
            fw = f(w)
        elif (w - limit) * (limit - c) >= 0:
            w = limit
            fw = f(w)
        elif (w - limit) * (c - w) > 0:
            fw = f(w)
            if fw < fc:
                b, c, w = c, w, w + grow * (w - c)
                fb, fc, fw = fc, fw, f(w)
        else:
            w = c + grow * (c - b)
            fw = f(w)
        a, b, c, fa, fb, fc = b, c, w, fb, fc, fw
    raise RuntimeError("minimize_scalar: no bracket of a minimum was found")


def _three_points(f: Callable[[float], float], bracket: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if bracket is None:
        return _bracketed(f, 0.0, 1.0)
    points = tuple(float(one) for one in bracket)
    if len(points) == 2:
        return _bracketed(f, *points)
    if len(points) != 3:
        raise ValueError("Bracketing interval must be length 2 or 3 sequence.")
    a, b, c = points if points[0] <= points[2] else points[::-1]
    if not a < b < c:
        raise ValueError(
            "Bracketing values (xa, xb, xc) do not fulfill this requirement: (xa < xb) and (xb < xc)"
        )
    values = f(a), f(b), f(c)
    if not (values[1] < values[0] and values[1] < values[2]):
        raise ValueError(
            "Bracketing values (xa, xb, xc) do not fulfill this requirement: (f(xb) < f(xa)) "
            "and (f(xb) < f(xc))"
        )
    return (a, b, c), values


def _parabolic(
    f: Callable[[float], float],
    low: float,
    high: float,
    x: float,
    value: float,
    limit: float,
    close: Callable[[float], float],
) -> tuple[float, float, int]:
    """Return a minimum between two points by parabolas and golden sections (Brent)."""
    w = v = x
    fw = fv = value
    step = before = 0.0
    rounds = 0
    while rounds < limit:
        tolerance = close(x)
        middle = 0.5 * (low + high)
        if abs(x - middle) < 2 * tolerance - 0.5 * (high - low):
            break
        golden = True
        if abs(before) > tolerance:
            r, q = (x - w) * (value - fv), (x - v) * (value - fw)
            p = (x - v) * q - (x - w) * r
            q = 2.0 * (q - r)
            p, q = (-p if q > 0 else p), abs(q)
            if abs(p) < abs(0.5 * q * before) and q * (low - x) < p < q * (high - x):
                before, step = step, p / q
                at = x + step
                if at - low < 2 * tolerance or high - at < 2 * tolerance:
                    step = math.copysign(tolerance, middle - x)
                golden = False
        if golden:
            before = low - x if x >= middle else high - x
            step = _GOLDEN * before
        at = x + (step if abs(step) >= tolerance else math.copysign(tolerance, step))
        new = f(at)
        if new <= value:
            low, high = (x, high) if at >= x else (low, x)
            v, w, x, fv, fw, value = w, x, at, fw, value, new
        else:
            low, high = (at, high) if at < x else (low, at)
            if new <= fw or w == x:
                v, w, fv, fw = w, at, fw, new
            elif new <= fv or v in (x, w):
                v, fv = at, new
        rounds += 1
    return x, value, rounds


def minimize_scalar(
    fun: Callable[..., Any],
    bracket: Any = None,
    bounds: Any = None,
    args: Any = (),
    method: str | None = None,
    tol: float | None = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResult:
    """Minimise a function of one variable.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` of a float; its value is a number or an array of one element.
    bracket : sequence of 2 or 3 floats, optional
        Points to go downhill from, or three with the lowest in the middle.
    bounds : (float, float), optional
        The interval for the method "bounded".
    args : tuple, optional
        Further arguments of `fun`.
    method : {"brent", "bounded", "golden"}, optional
        The method; "bounded" where there are bounds.
    tol : float, optional
        How exact the minimum is.
    options : dict, optional
        maxiter, and xtol or xatol.

    Returns
    -------
    OptimizeResult
        The minimum `x`, the value `fun`, and how it was found.

    Examples
    --------
    >>> from cuprum.scipy.optimize import minimize_scalar
    >>> round(minimize_scalar(lambda x: (x - 2) ** 2).x, 4)
    2.0
    """
    given = dict(options or {})
    given.pop("disp", None)
    args = args if isinstance(args, tuple) else (args,)
    calls = 0

    def f(x: float) -> float:
        nonlocal calls
        calls += 1
        return plain(fun(x, *args))

    name = ("bounded" if bounds is not None else "brent") if method is None else str(method).lower()
    if name == "bounded":
        if bounds is None:
            raise ValueError("The `bounds` parameter is mandatory for method `bounded`.")
        if len(bounds) != 2:
            raise ValueError("bounds must have two elements.")
        low, high = float(bounds[0]), float(bounds[1])
        if low > high:
            raise ValueError("The lower bound exceeds the upper bound.")
        xatol = given.get("xatol", 1e-5 if tol is None else tol)
        limit = given.get("maxiter", 500)
        x = low + 0.5 * (3.0 - math.sqrt(5.0)) * (high - low)
        x, value, rounds = _parabolic(
            f, low, high, x, f(x), limit - 1, lambda at: SQRT_EPS * abs(at) + xatol / 3.0
        )
        done = calls < limit
        message = "Solution found." if done else "Maximum number of function calls reached."
        return OptimizeResult(
            fun=value, status=0 if done else 1, success=done, message=message, x=x, nfev=calls, nit=calls
        )
    if name not in ("brent", "golden"):
        raise ValueError(f"Unknown solver {method}: there are brent, bounded and golden")
    if bounds is not None:
        raise ValueError(f"Use of `bounds` is incompatible with 'method={method}'.")
    xtol = given.get("xtol", tol if tol is not None else 1.48e-8 if name == "brent" else SQRT_EPS)
    limit = given.get("maxiter", 500 if name == "brent" else 5000)
    (a, x, c), (_, value, _) = _three_points(f, bracket)
    if name == "brent":
        low, high = min(a, c), max(a, c)
        x, value, rounds = _parabolic(f, low, high, x, value, limit, lambda at: xtol * abs(at) + 1e-11)
    else:
        share = 0.61803399
        x0, x3 = a, c
        if abs(c - x) > abs(x - a):
            x1, x2 = x, x + (1.0 - share) * (c - x)
        else:
            x1, x2 = x - (1.0 - share) * (x - a), x
        f1, f2 = f(x1), f(x2)
        rounds = 0
        while rounds < limit and abs(x3 - x0) > xtol * (abs(x1) + abs(x2)):
            if f2 < f1:
                x0, x1, x2 = x1, x2, share * x2 + (1.0 - share) * x3
                f1, f2 = f2, f(x2)
            else:
                x3, x2, x1 = x2, x1, share * x1 + (1.0 - share) * x0
                f2, f1 = f1, f(x1)
            rounds += 1
        x, value = (x1, f1) if f1 < f2 else (x2, f2)
    done = rounds < limit and not math.isnan(value)
    message = (
        f"\nOptimization terminated successfully;\nThe returned value satisfies the termination criteria\n"
        f"(using xtol = {xtol} )"
        if done
        else "\nMaximum number of iterations exceeded"
    )
    return OptimizeResult(fun=value, x=x, nit=rounds, nfev=calls, success=done, message=message)

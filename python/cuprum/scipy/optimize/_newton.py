"""Roots of functions of one variable, for many at once, by the methods of Newton, Halley and the secant."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from .._results import plain
from ._scalar_roots import RootResults

__all__ = ["newton"]


def newton(
    func: Callable[..., Any],
    x0: Any,
    fprime: Callable[..., Any] | None = None,
    args: tuple[Any, ...] = (),
    tol: float = 1.48e-8,
    maxiter: int = 50,
    fprime2: Callable[..., Any] | None = None,
    x1: Any = None,
    rtol: float = 0.0,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Find roots near starting points; an array of them is solved all at once.

    Parameters
    ----------
    func : callable
        ``func(x, *args)``, of floats or of arrays with the shape of `x0`.
    x0 : float or array_like
        Where to start.
    fprime, fprime2 : callable, optional
        The first derivative, for Newton's method, and the second, for Halley's; the secant method without.
    args : tuple, optional
        Further arguments of the functions.
    tol, rtol : float, optional
        How exact a root is, absolutely and relative to it.
    maxiter : int, optional
        The largest number of iterations.
    x1 : float, optional
        A second point for the secant method.
    full_output : bool, optional
        Return more than the root.
    disp : bool, optional
        Raise RuntimeError where a scalar iteration does not converge.

    Returns
    -------
    root : float or ndarray
        The roots.
    r : RootResults or ndarray of bool
        With `full_output`: the result, or for arrays which elements converged, and after that which have a
        derivative of zero.

    Examples
    --------
    >>> from cuprum.scipy.optimize import newton
    >>> newton(lambda x: x**2 - cp.array([2.0, 3.0]), cp.array([1.0, 1.0])).round(6)
    array([1.414214, 1.732051])
    """
    if tol <= 0:
        raise ValueError(f"tol too small ({tol:g} <= 0)")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")
    if isinstance(x0, ndarray) and x0.size != 1 or not isinstance(x0, ndarray) and np.size(x0) > 1:
        return _many(func, as_array(x0), fprime, args, tol, maxiter, fprime2, x1, rtol, full_output)
    found = _one(func, plain(x0), fprime, args, tol, maxiter, fprime2, x1, rtol, full_output, disp)
    if not np.ndim(x0):
        return found
    # One number in an array has its root in one.
    root = as_array(found[0] if full_output else found).reshape(np.shape(x0))
    return (root, found[1]) if full_output else root


def _one(
    func: Callable[..., Any],
    x: float,
    fprime: Any,
    args: tuple[Any, ...],
    tol: float,
    maxiter: int,
    fprime2: Any,
    x1: Any,
    rtol: float,
    full_output: bool,
    disp: bool,
) -> Any:
    method = "secant" if fprime is None else "newton" if fprime2 is None else "halley"
    calls = 0

    def finished(root: float, rounds: int, flag: int) -> Any:
        return (root, RootResults(root, rounds, calls, flag, method)) if full_output else root

    def failed(root: float, rounds: int, why: str) -> Any:
        if disp:
            raise RuntimeError(f"{why} after {rounds} iterations, value is {root}.")
        warnings.warn(why, RuntimeWarning, stacklevel=4)
        return finished(root, rounds, -2)

    if fprime is not None:
        for rounds in range(maxiter):
            value = plain(func(x, *args))
            calls += 1
            if value == 0:
                return finished(x, rounds, 0)
            slope = plain(fprime(x, *args))
            calls += 1
            if slope == 0:
                return failed(x, rounds + 1, "Derivative was zero. Failed to converge")
            step = value / slope
            if fprime2 is not None:
                bend = plain(fprime2(x, *args))
                calls += 1
                turn = step * bend / slope / 2
                if abs(turn) < 1:
                    step /= 1.0 - turn
            new = x - step
            if math.isclose(new, x, rel_tol=rtol, abs_tol=tol):
                return finished(new, rounds + 1, 0)
            x = new
        return failed(x, maxiter, "Failed to converge")
    before = x
    now = plain(x1) if x1 is not None else x * (1 + 1e-4) + (1e-4 if x >= 0 else -1e-4)
    if x1 is not None and now == x:
        raise ValueError("x1 and x0 must be different")
    f_before, f_now = plain(func(before, *args)), plain(func(now, *args))
    calls += 2
    if abs(f_now) < abs(f_before):
        before, now, f_before, f_now = now, before, f_now, f_before
    for rounds in range(maxiter):
        if f_now == f_before:
            if now != before:
                why = f"Tolerance of {now - before} reached. Failed to converge"
                return failed((now + before) / 2.0, rounds + 1, why)
            return finished((now + before) / 2.0, rounds + 1, 0)
        if abs(f_now) > abs(f_before):
            new = (-f_before / f_now * now + before) / (1 - f_before / f_now)
        else:
            new = (-f_now / f_before * before + now) / (1 - f_now / f_before)
        if math.isclose(new, now, rel_tol=rtol, abs_tol=tol):
            return finished(new, rounds + 1, 0)
        before, f_before, now = now, f_now, new
        f_now = plain(func(now, *args))
        calls += 1
    return failed(now, maxiter, "Failed to converge")


def _many(
    func: Callable[..., Any],
    x: ndarray,
    fprime: Any,
    args: tuple[Any, ...],
    tol: float,
    maxiter: int,
    fprime2: Any,
    x1: Any,
    rtol: float,
    full_output: bool,
) -> Any:
    p = x.astype(np.float64) if x.dtype.kind not in "fc" else x.copy()
    failures = cp.ones(p.shape, bool)
    good = cp.ones(p.shape, bool)
    if fprime is not None:
        for _ in range(maxiter):
            value = as_array(func(p, *args))
            if not bool((value != 0).any()):
                failures = value != 0
                break
            slope = as_array(fprime(p, *args))
            good = slope != 0
            if not bool(good.any()):
                break
            step = value / cp.where(good, slope, 1.0)
            if fprime2 is not None:
                step = step / (1.0 - 0.5 * step * as_array(fprime2(p, *args)) / cp.where(good, slope, 1.0))
            step = cp.where(good, step, 0.0)
            p = p - step
            failures = good & (abs(step) >= tol + rtol * abs(p))
            if not bool(failures.any()):
                break
    else:
        shift = float(np.finfo(np.float64).eps) ** 0.33
        before = p * (1 + shift) + cp.where(p >= 0, shift, -shift) if x1 is None else as_array(x1)
        f_before, f_now = as_array(func(before, *args)), as_array(func(p, *args))
        # The better of two points is the newer one.
        swap = abs(f_now) > abs(f_before)
        p, before = cp.where(swap, before, p), cp.where(swap, p, before)
        f_now, f_before = cp.where(swap, f_before, f_now), cp.where(swap, f_now, f_before)
        active = cp.ones(p.shape, bool)
        for _ in range(maxiter):
            rise = f_now - f_before
            good = rise != 0
            step = cp.where(good & active, f_now * (p - before) / cp.where(good, rise, 1.0), 0.0)
            new = p - step
            done = active & (~good | (abs(step) < tol + rtol * abs(new)) | (f_now == 0))
            before, f_before, p = cp.where(active, p, before), cp.where(active, f_now, f_before), new
            active = active & ~done
            if not bool(active.any()):
                break
            f_now = as_array(func(p, *args))
        failures = active
        good = good | ~active
    zero = ~good & failures
    if bool(failures.any()):
        all_or_some = "all" if bool(failures.all()) else "some"
        message = f"{all_or_some} failed to converge after {maxiter} iterations"
        if bool(failures.all()):
            raise RuntimeError(message)
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return (p, ~failures, zero) if full_output else p

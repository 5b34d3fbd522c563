"""Fits of curves to data."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from ._least_squares import least_squares
from ._minimize import OptimizeWarning

__all__ = ["curve_fit"]

_EPS = float(np.finfo(np.float64).eps)


def curve_fit(
    f: Callable[..., Any],
    xdata: Any,
    ydata: ArrayLike,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: bool = False,
    check_finite: bool | None = None,
    bounds: Any = (-np.inf, np.inf),
    method: str | None = None,
    jac: Any = None,
    *,
    full_output: bool = False,
    nan_policy: str | None = None,
    **kwargs: Any,
) -> tuple[Any, ...]:
    """Fit the parameters of a function to data.

    Parameters
    ----------
    f : callable
        ``f(xdata, *parameters)``; each parameter is an array of one element, of shape ().
    xdata : array_like or object
        Where the data were taken.
    ydata : (M,) array_like
        The data.
    p0 : (N,) array_like, optional
        The parameters to start with; ones by default.
    sigma : (M,) or (M, M) array_like, optional
        Deviations of the data, or their covariance.
    absolute_sigma : bool, optional
        Whether `sigma` is in units of the data, instead of relative.
    check_finite : bool, optional
        Raise ValueError where data are not finite; they are checked by default.
    bounds : Bounds or (array_like, array_like), optional
        Bounds of the parameters.
    method : {"lm", "trf", "dogbox"}, optional
        As for `least_squares`.
    jac : callable or str, optional
        The Jacobian, ``jac(xdata, *parameters)``, or how it is found by differences.
    full_output : bool, optional
        Return more than the parameters.
    nan_policy : {"raise", "omit"}, optional
        What is done about NaNs where `check_finite` is false.
    **kwargs
        Of `least_squares`.

    Returns
    -------
    popt : (N,) ndarray
        The parameters.
    pcov : (N, N) ndarray
        Their covariance.
    infodict, mesg, ier : dict, str and int
        With `full_output`.

    Examples
    --------
    >>> from cuprum.scipy.optimize import curve_fit
    >>> x = cp.linspace(0, 1, 20)
    >>> popt, pcov = curve_fit(lambda x, a, b: a * x + b, x, 3 * x + 1)
    >>> popt.round(6)
    array([3., 1.])
    """
    start, low, high = _start(f, p0, bounds)
    bounded = bool((low > -np.inf).any()) or bool((high < np.inf).any())
    method = method or ("trf" if bounded else "lm")
    if method == "lm" and bounded:
        raise ValueError("Method 'lm' only works for unconstrained problems. Use 'trf' instead.")
    y = as_array(ydata).astype(np.float64)
    x = as_array(xdata).astype(np.float64) if isinstance(xdata, (ndarray, list, tuple, np.ndarray)) else xdata
    if y.size == 0:
        raise ValueError("`ydata` must not be empty!")
    if check_finite is None:
        check_finite = nan_policy is None
    if check_finite and not (
        bool(cp.isfinite(y).all()) and (not isinstance(x, ndarray) or bool(cp.isfinite(x).all()))
    ):
        raise ValueError("array must not contain infs or NaNs")
    if not check_finite and nan_policy is not None:
        x, y, sigma = _without_nan(x, y, sigma, nan_policy)
    weigh = _weighing(sigma, y.size)

    def residuals(p: ndarray) -> ndarray:
        return weigh(as_array(f(x, *(p[i] for i in range(p.size)))) - y)

    slopes: Any = "2-point" if jac is None else jac
    if callable(jac):
        slopes = lambda p: weigh(as_array(jac(x, *(p[i] for i in range(p.size)))))  # noqa: E731
    if "maxfev" in kwargs:
        kwargs["max_nfev"] = kwargs.pop("maxfev")
    if method == "lm" and y.size < start.size:
        raise TypeError(
            f"Improper input: func input vector length N={start.size} must not exceed func "
            "output vector length "
            f"M={y.size}"
        )
    if method == "lm":
        kwargs.setdefault("gtol", 1e-15)
        kwargs.setdefault("x_scale", "jac")
    found = least_squares(residuals, start, slopes, (low, high), method, **kwargs)
    if not found.success:
        raise RuntimeError("Optimal parameters not found: " + found.message)
    covariance = _covariance(found, y.size, absolute_sigma)
    if covariance is None:
        covariance = cp.full((start.size, start.size), np.inf)
        warnings.warn(
            "Covariance of the parameters could not be estimated", category=OptimizeWarning, stacklevel=2
        )
    if full_output:
        return found.x, covariance, {"nfev": found.nfev, "fvec": found.fun}, found.message, found.status
    return found.x, covariance


def _start(f: Callable[..., Any], p0: Any, bounds: Any) -> tuple[ndarray, ndarray, ndarray]:
    """Return the parameters to start with, as many as `f` takes without `p0`, and their bounds."""
    if p0 is None:
        names = [
            one
            for one in inspect.signature(f).parameters.values()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
        if len(names) < 2:
            raise ValueError("Unable to determine number of fit parameters.")
        start = cp.ones(len(names) - 1)
    else:
        first: Any = cp.atleast_1d(as_array(p0))
        start = first.astype(np.float64)
    pair = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    low, high = (cp.broadcast_to(as_array(b).astype(np.float64), start.shape) for b in pair)
    if p0 is None:
        both = cp.isfinite(low) & cp.isfinite(high)
        start = cp.where(both, 0.5 * (low + high), start)
        start = cp.where(cp.isfinite(low) & ~cp.isfinite(high), low + 1, start)
        start = cp.where(~cp.isfinite(low) & cp.isfinite(high), high - 1, start)
    return start, low, high


def _without_nan(x: Any, y: ndarray, sigma: Any, nan_policy: str) -> tuple[Any, ndarray, Any]:
    """Return the data without those that are NaN, or raise, as the policy says."""
    if nan_policy not in ("raise", "omit"):
        raise ValueError("nan_policy must be one of {'raise', 'omit', None}")
    holes = cp.isnan(y) | (cp.isnan(x).reshape(-1, y.size).any(0) if isinstance(x, ndarray) else False)
    if not bool(holes.any()):
        return x, y, sigma
    if nan_policy == "raise":
        raise ValueError("The input contains nan values")
    if sigma is not None:
        sigma = as_array(sigma)
        sigma = sigma[~holes] if sigma.ndim == 1 else sigma[~holes][:, ~holes]
    return x[..., ~holes] if isinstance(x, ndarray) else x, y[~holes], sigma


def _weighing(sigma: Any, size: int) -> Callable[[ndarray], ndarray]:
    """Return what weighs residuals and Jacobians by deviations of the data, or by their covariance."""
    if sigma is None:
        return lambda r: r
    spread = as_array(sigma).astype(np.float64)
    if spread.size == 1 or spread.shape == (size,):
        factor = 1.0 / spread.reshape(-1)
        return lambda r: r * (factor if r.ndim == 1 else factor[:, None])
    if spread.shape == (size, size):
        try:
            root = cp.linalg.cholesky(spread)
        except np.linalg.LinAlgError as error:
            raise ValueError("`sigma` must be positive definite.") from error
        return lambda r: cp.linalg.solve(root, r)
    raise ValueError("`sigma` has incorrect shape.")


def _covariance(found: Any, size: int, absolute: bool) -> ndarray | None:
    """Return the covariance of fitted parameters; None where `size` data do not determine it."""
    _, s, vt = cp.linalg.svd(found.jac, full_matrices=False)
    kept = s > _EPS * max(found.jac.shape) * s[0]
    count = found.x.size
    if bool((~kept).any()) or size < count:
        return None
    inverse = cp.where(kept, 1 / cp.where(kept, s, 1.0), 0.0)
    covariance: ndarray = (vt.T * inverse**2) @ vt
    if absolute:
        return covariance
    return covariance * (2 * found.cost / (size - count)) if size > count else None

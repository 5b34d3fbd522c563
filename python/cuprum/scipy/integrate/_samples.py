"""Integrals of samples along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike

__all__ = ["cumulative_simpson", "cumulative_trapezoid", "romb", "simpson", "trapezoid"]


def _along(ndim: int, axis: int, part: slice | int) -> tuple[slice | int, ...]:
    return tuple(part if i == axis else slice(None) for i in range(ndim))


def _floating(a: ndarray) -> ndarray:
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


@names_itself
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: Any = 1.0, axis: int = -1) -> ndarray:
    """Integrate samples along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The samples.
    x : array_like, optional
        Where they were taken: one value a sample along `axis`, or an array like `y`.
    dx : float or array_like, optional
        Their distance where `x` is None.
    axis : int, optional
        The axis.

    Returns
    -------
    ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy.integrate import trapezoid
    >>> trapezoid(cp.array([1, 2, 3]), dx=2)
    array(8.)
    """
    y = as_array(y)
    axis = normalize_axis("trapezoid", axis, y.ndim)
    upper, lower = _along(y.ndim, axis, slice(1, None)), _along(y.ndim, axis, slice(None, -1))
    d: Any = dx
    if x is not None:
        x = as_array(x)
        if x.ndim == 1:
            d = cp.diff(x).reshape([-1 if i == axis else 1 for i in range(y.ndim)])
        else:
            x = cp.broadcast_to(x, y.shape)
            d = x[upper] - x[lower]
    elif not isinstance(dx, (int, float, complex)):
        d = as_array(dx)
    dtype = y.dtype if y.dtype.kind in "fc" else np.dtype(np.float64)
    return cp.sum(d * (y[upper] + y[lower]) / 2.0, axis=axis, dtype=dtype)


@names_itself
def cumulative_trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: Any = 1.0, axis: int = -1, initial: float | None = None
) -> ndarray:
    """Integrate samples along an axis by the trapezoidal rule, up to each of them.

    Parameters
    ----------
    y : array_like
        The samples.
    x : array_like, optional
        Where they were taken: one value a sample along `axis`, or an array like `y`.
    dx : float, optional
        Their distance where `x` is None.
    axis : int, optional
        The axis.
    initial : {0, None}, optional
        0 to begin the result with a zero, so that it is as long as `y`.

    Returns
    -------
    ndarray
        The integrals, one less than there are samples, or as many with `initial`.

    Examples
    --------
    >>> from cuprum.scipy.integrate import cumulative_trapezoid
    >>> cumulative_trapezoid(cp.array([1, 2, 3]), initial=0)
    array([0. , 1.5, 4. ])
    """
    op = "cumulative_trapezoid"
    y = as_array(y)
    axis = normalize_axis(op, axis, y.ndim)
    if y.shape[axis] == 0:
        raise ValueError(f"{op}: at least one point is required along axis {axis}")
    d: Any = dx
    if x is not None:
        x = as_array(x)
        if x.ndim == 1:
            d = cp.diff(x).reshape([-1 if i == axis else 1 for i in range(y.ndim)])
        elif x.ndim != y.ndim:
            raise ValueError(f"{op}: shape of x must be 1-D or the same as y, got {x.shape} for {y.shape}")
        else:
            d = cp.diff(x, axis=axis)
        if d.shape[axis] != y.shape[axis] - 1:
            raise ValueError(f"{op}: length of x along axis must be the same as y, {x.shape} for {y.shape}")
    upper, lower = _along(y.ndim, axis, slice(1, None)), _along(y.ndim, axis, slice(None, -1))
    result = cp.cumsum(d * (y[upper] + y[lower]) / 2.0, axis=axis)
    if initial is None:
        return result
    if not np.isscalar(initial) or initial != 0:
        raise ValueError(f"{op}: initial must be None or 0, got {initial!r}")
    shape = [1 if i == axis else n for i, n in enumerate(result.shape)]
    return cp.concatenate((cp.zeros(shape, result.dtype), result), axis=axis)


def _quotient(a: Any, b: ndarray) -> Any:
    """Return ``a / b`` and zero where `b` is."""
    empty = b == 0
    return cp.where(empty, 0.0, a / cp.where(empty, 1.0, b))


def _parabolas(y: ndarray, stop: int, x: ndarray | None, dx: Any, axis: int) -> ndarray:
    """Return the sum of the integrals of parabolas through three samples each, from the first to `stop`."""
    first, middle, last = (_along(y.ndim, axis, slice(k, stop + k, 2)) for k in range(3))
    if x is None:
        total: ndarray = cp.sum(y[first] + 4.0 * y[middle] + y[last], axis=axis) * (dx / 3.0)
        return total
    h = cp.diff(x, axis=axis).astype(np.float64, copy=False)
    h0, h1 = h[first], h[middle]
    width, product, ratio = h0 + h1, h0 * h1, _quotient(h0, h1)
    parts = y[first] * (2.0 - _quotient(1.0, ratio)) + y[last] * (2.0 - ratio)
    parts = parts + y[middle] * (width * _quotient(width, product))
    return cp.sum(width / 6.0 * parts, axis=axis)


@names_itself
def simpson(y: ArrayLike, x: ArrayLike | None = None, *, dx: Any = 1.0, axis: int = -1) -> ndarray:
    """Integrate samples along an axis by Simpson's rule.

    Parameters
    ----------
    y : array_like
        The samples. Where their number is even, the last interval has Cartwright's correction.
    x : array_like, optional
        Where they were taken: one value a sample along `axis`, or an array like `y`.
    dx : float, optional
        Their distance where `x` is None.
    axis : int, optional
        The axis.

    Returns
    -------
    ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy.integrate import simpson
    >>> simpson(cp.arange(5) ** 3)
    array(64.)
    """
    op = "simpson"
    y = as_array(y)
    axis = normalize_axis(op, axis, y.ndim)
    n = y.shape[axis]
    if x is not None:
        x = as_array(x)
        if x.ndim == 1:
            x = x.reshape([-1 if i == axis else 1 for i in range(y.ndim)])
        elif x.ndim != y.ndim:
            raise ValueError(f"{op}: shape of x must be 1-D or the same as y, got {x.shape} for {y.shape}")
        if x.shape[axis] != n:
            raise ValueError(f"{op}: length of x along axis must be the same as y, {x.shape} for {y.shape}")
    if n % 2:
        return _parabolas(y, n - 2, x, dx, axis)
    if n == 0:
        raise ValueError(f"{op}: at least one sample is required along axis {axis}")
    last, before, third = (_along(y.ndim, axis, -k) for k in (1, 2, 3))
    if n == 2:
        width: Any = dx if x is None else x[last] - x[before]
        trapezium: ndarray = 0.5 * width * (y[last] + y[before])
        return trapezium
    h0, h1 = cp.array(dx, np.float64), cp.array(dx, np.float64)
    if x is not None:
        steps = cp.diff(x, axis=axis).astype(np.float64)
        h0, h1 = steps[before], steps[last]
    alpha = _quotient(2 * h1**2 + 3 * h0 * h1, 6 * (h1 + h0))
    beta = _quotient(h1**2 + 3.0 * h0 * h1, 6 * h0)
    eta = _quotient(h1**3, 6 * h0 * (h0 + h1))
    end: ndarray = alpha * y[last] + beta * y[before] - eta * y[third]
    others = _parabolas(y, n - 3, x, dx, axis)
    # Several integrals keep the dtype that they begin in, as in SciPy, which adds in place.
    return (others + end).astype(others.dtype, copy=False) if others.ndim else others + end


def _first_of_equal(y: ndarray, dx: ndarray) -> ndarray:
    """Return the integrals over the first of each two intervals of equal length."""
    return dx[..., :-1] / 3 * (5 * y[..., :-2] / 4 + 2 * y[..., 1:-1] - y[..., 2:] / 4)


def _first_of_any(y: ndarray, dx: ndarray) -> ndarray:
    """Return the integrals over the first of each two intervals."""
    h0, h1 = dx[..., :-1], dx[..., 1:]
    share, ratio = h0 / (h0 + h1), h0 / h1
    bend = share * ratio
    parts = (3 - share) * y[..., :-2] + (3 + bend + share) * y[..., 1:-1] - bend * y[..., 2:]
    return h0 / 6 * parts


def _running_parabolas(y: ndarray, dx: ndarray, first: Callable[[ndarray, ndarray], ndarray]) -> ndarray:
    """Return the sums over intervals: even ones as the first of a parabola's two, odd ones as its second."""
    forward = first(y, dx)
    backward = cp.flip(first(cp.flip(y, -1), cp.flip(dx, -1)), -1)
    parts = cp.empty((*forward.shape[:-1], forward.shape[-1] + 1), cp.result_type(y, dx))
    parts[..., :-1:2] = forward[..., ::2]
    parts[..., 1::2] = backward[..., ::2]
    parts[..., -1] = backward[..., -1]
    return cp.cumsum(parts, axis=-1)


@names_itself
def cumulative_simpson(
    y: ArrayLike,
    *,
    x: ArrayLike | None = None,
    dx: Any = 1.0,
    axis: int = -1,
    initial: Any = None,
) -> ndarray:
    """Integrate samples along an axis by Simpson's rule, up to each of them.

    Parameters
    ----------
    y : array_like
        The samples. Less than three are integrated by the trapezoidal rule.
    x : array_like, optional
        Where they were taken, rising: one value a sample along `axis`, or an array like `y`.
    dx : float or array_like, optional
        Their distance where `x` is None: one, or one a line along `axis`.
    axis : int, optional
        The axis.
    initial : float or array_like, optional
        What the result begins with and is added to the rest, so that it is as long as `y`.

    Returns
    -------
    ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy.integrate import cumulative_simpson
    >>> cumulative_simpson(cp.arange(5) ** 2, initial=0).round(4)
    array([ 0.    ,  0.3333,  2.6667,  9.    , 21.3333])
    """
    op = "cumulative_simpson"
    y = _floating(as_array(y))
    if not -y.ndim <= axis < y.ndim:
        raise ValueError(f"{op}: axis={axis} is not valid for y with {y.ndim} axes")
    axis %= y.ndim
    lines = cp.swapaxes(y, axis, -1)
    one_each = tuple(1 if i == axis else n for i, n in enumerate(y.shape))
    if lines.shape[-1] < 3:
        result = cp.swapaxes(cumulative_trapezoid(y, x, dx=dx, axis=axis), axis, -1)
    elif x is not None:
        x = _floating(as_array(x))
        if x.shape != y.shape and x.shape != (y.shape[axis],):
            raise ValueError(
                f"{op}: shape of x must be that of y, or 1-D as long as y along axis, got {x.shape}"
            )
        x = cp.broadcast_to(x, lines.shape) if x.ndim == 1 else cp.swapaxes(x, axis, -1)
        steps = cp.diff(x, axis=-1)
        if bool((steps <= 0).any()):
            raise ValueError(f"{op}: x must be strictly increasing")
        result = _running_parabolas(lines, steps, _first_of_any)
    else:
        dx = _floating(as_array(dx))
        if dx.ndim and dx.shape != one_each:
            raise ValueError(f"{op}: dx must be a scalar or have shape {one_each}, got {dx.shape}")
        count = tuple(n - 1 if i == axis else n for i, n in enumerate(y.shape))
        steps = cp.swapaxes(cp.broadcast_to(dx, count), axis, -1)
        result = _running_parabolas(lines, steps, _first_of_equal)
    if initial is not None:
        start = _floating(as_array(initial))
        if start.ndim and start.shape != one_each:
            raise ValueError(f"{op}: initial must be a scalar or have shape {one_each}, got {start.shape}")
        start = cp.swapaxes(cp.broadcast_to(start, one_each), axis, -1)
        result = cp.concatenate((start, result + start), axis=-1)
    return cp.swapaxes(result, -1, axis)


@names_itself
def romb(y: ArrayLike, dx: Any = 1.0, axis: int = -1, show: Any = False) -> ndarray:
    """Integrate samples at equal distances along an axis by Romberg's method.

    Parameters
    ----------
    y : array_like
        The samples: one more than a power of two.
    dx : float, optional
        Their distance.
    axis : int, optional
        The axis.
    show : bool or (int, int), optional
        Print the table of a single integral, with so many digits and places a column.

    Returns
    -------
    ndarray
        The integrals.

    Examples
    --------
    >>> from cuprum.scipy.integrate import romb
    >>> romb(cp.arange(5.0) ** 4).round(6)
    array(204.8)
    """
    y = as_array(y)
    axis = normalize_axis("romb", axis, y.ndim)
    intervals = y.shape[axis] - 1
    levels = max(intervals, 1).bit_length() - 1
    if intervals < 1 or intervals != 1 << levels:
        raise ValueError(f"romb: number of samples must be one plus a power of 2, got {y.shape[axis]}")
    h = intervals * as_array(dx).astype(np.float64)
    rows = [[(y[_along(y.ndim, axis, 0)] + y[_along(y.ndim, axis, -1)]) / 2.0 * h]]
    step = intervals
    for level in range(1, levels + 1):
        between = _along(y.ndim, axis, slice(step >> 1, intervals, step))
        row = [0.5 * (rows[-1][0] + h * cp.sum(y[between], axis=axis))]
        for j in range(1, level + 1):
            row.append(row[-1] + (row[-1] - rows[-1][j - 1]) / ((1 << 2 * j) - 1))
        rows.append(row)
        h, step = h / 2.0, step >> 1
    if show:
        _print_table(rows, show)
    return rows[-1][-1]


def _print_table(rows: list[list[ndarray]], show: Any) -> None:
    if rows[0][0].ndim:
        print("*** Printing table only supported for integrals of a single data set.")
        return
    digits, width = show if isinstance(show, (tuple, list)) else (5, 8)
    title = "Richardson Extrapolation Table for Romberg Integration"
    print(title, "=" * len(title), sep="\n")
    for row in rows:
        print(" ".join(f"{float(value):{width}.{digits}f}" for value in row))
    print("=" * len(title))

"""Splines through points, and splines of least squares."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import normalize_axis
from ..._core import ndarray
from ..._typing import ArrayLike
from ..linalg import solve_banded
from ._arguments import columns, finite, inexact, uncolumns
from ._bsplines import BSpline
from ._least_squares import basis_values, spline_triangle

__all__ = ["make_interp_spline", "make_lsq_spline"]

# Periodic systems of at most so many unknowns are solved as dense ones.
_DENSE_MAX = 64


def _not_a_knot(x: ndarray, k: int) -> ndarray:
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    half = (k + 1) // 2
    ends = cp.ones(k + 1)
    return cp.concatenate((x[0] * ends, inner[half : inner.size - half], x[-1] * ends))


def _with_end_knots(x: ndarray, k: int) -> ndarray:
    ends = cp.ones(k)
    return cp.concatenate((x[0] * ends, x, x[-1] * ends))


def _periodic_knots(x: ndarray, k: int) -> ndarray:
    n = x.size
    steps = cp.diff(x)
    inner = x.copy()
    if k % 2 == 0:
        inner[1:-1] = x[1:-1] - steps[:-1] / 2
    steps = cp.diff(inner)
    turn = cp.arange(k) % (n - 1)
    before = inner[0] - cp.cumsum(steps[n - 2 - turn])
    after = inner[-1] + cp.cumsum(steps[turn])
    return cp.concatenate((before[::-1], inner, after))


def _derivatives(given: Any, shape: tuple[int, ...]) -> list[tuple[int, ndarray]]:
    """Return conditions at an end as pairs of order and value."""
    if given is None:
        return []
    if isinstance(given, str):
        if given not in ("clamped", "natural"):
            raise ValueError(f"Unknown boundary condition : {given}")
        return [(1 if given == "clamped" else 2, cp.zeros(shape))]
    try:
        return [(operator.index(order), inexact(value)) for order, value in given]
    except TypeError as error:
        raise ValueError(
            "Derivatives, `bc_type`, should be specified as a pair of iterables of pairs of (order, value)."
        ) from error


def _periodic(x: ndarray, y: ndarray, t: ndarray, k: int) -> ndarray:
    """Return the coefficients of a periodic spline: columns of a cyclic banded matrix."""
    n = x.size - 1
    first, values = basis_values(t, k, x[:-1])
    # Turned by half of the degree, the matrix has its bands around the diagonal.
    turn = k // 2
    column = first[:, None] + cp.arange(k + 1) - turn
    row = cp.broadcast_to(cp.arange(n)[:, None], column.shape)
    rhs = y[:-1]
    if n <= max(_DENSE_MAX, 3 * k):
        matrix = cp.zeros((n, n))
        cp.add.at(matrix, (row, column % n), values)
        turned = cp.linalg.solve(matrix, rhs)
    else:
        lower = upper = k
        bands = cp.zeros((lower + upper + 1, n))
        inside = (column >= 0) & (column < n)
        bands[(upper + row - column)[inside], column[inside]] = values[inside]
        # What lies beyond the ends is a matrix of low rank (Woodbury).
        outside = ~inside
        corner, corner_row, corner_value = (column % n)[outside], row[outside], values[outside]
        used = cp.unique(corner)
        u = cp.zeros((n, used.size))
        cp.add.at(u, (corner_row, cp.searchsorted(used, corner)), corner_value)
        both = solve_banded((lower, upper), bands, cp.concatenate((rhs, u), axis=1))
        plain, spread = both[:, : rhs.shape[1]], both[:, rhs.shape[1] :]
        small = cp.eye(used.size) + spread[used]
        turned = plain - spread @ cp.linalg.solve(small, plain[used])
    result: ndarray = turned[(cp.arange(n + k) - turn) % n]
    return result


def interpolated(x: ndarray, y: ndarray, k: int, bc_type: Any = None, t: ndarray | None = None) -> BSpline:
    """Return the spline through checked points, with the interpolation axis in front."""
    if bc_type is None or isinstance(bc_type, str) and bc_type in ("not-a-knot", "periodic"):
        left = right = None
    elif isinstance(bc_type, str):
        left = right = bc_type
    else:
        try:
            left, right = bc_type
        except TypeError as error:
            raise ValueError(f"Unknown boundary condition: {bc_type}") from error
    periodic = isinstance(bc_type, str) and bc_type == "periodic"
    if k == 0:
        if t is not None or left is not None or right is not None:
            raise ValueError("Too much info for k=0: t and bc_type can only be None.")
        return BSpline.construct_fast(cp.concatenate((x, x[-1:])), cp.ascontiguousarray(y), 0)
    if k == 1 and t is None:
        if left is not None or right is not None:
            raise ValueError("Too much info for k=1: bc_type can only be None.")
        return BSpline.construct_fast(cp.concatenate((x[:1], x, x[-1:])), cp.ascontiguousarray(y), 1)
    if k < 0:
        raise ValueError("Expect non-negative k.")
    if periodic and t is not None:
        raise NotImplementedError(
            "For periodic case t is constructed automatically and can not be passed manually"
        )
    if t is None:
        if periodic:
            t = _periodic_knots(x, k)
        else:
            t = _not_a_knot(x, k) if left is None and right is None else _with_end_knots(x, k)
    if t.ndim != 1 or bool((cp.diff(t) < 0).any()):
        raise ValueError("Expect t to be a 1-D sorted array_like.")
    if t.size < x.size + k + 1:
        raise ValueError(f"Got {t.size} knots, need at least {x.size + k + 1}.")
    if bool((x[0] < t[k]) | (x[-1] > t[-k])):
        raise ValueError(f"Out of bounds w/ x = {x}.")
    flat = columns(y)
    if periodic:
        c = _periodic(x, flat, t, k)
        c = uncolumns(cp.ascontiguousarray(c), y.dtype, (c.shape[0], *y.shape[1:]))
        return BSpline.construct_fast(t, c, k, "periodic")
    at_left, at_right = _derivatives(left, y.shape[1:]), _derivatives(right, y.shape[1:])
    for conditions, end in ((at_left, x[0]), (at_right, x[-1])):
        if not all(0 <= order <= k for order, _ in conditions):
            raise ValueError(f"Bad boundary conditions at {end}.")
    n = t.size - k - 1
    if n - x.size != len(at_left) + len(at_right):
        raise ValueError(
            "The number of derivatives at boundaries does not match: "
            f"expected {n - x.size}, got {len(at_left)}+{len(at_right)}"
        )
    if y.size == 0:
        return BSpline.construct_fast(t, cp.zeros((n, *y.shape[1:])), k)
    parts = [basis_values(t, k, x[:1], order) for order, _ in at_left]
    parts.append(basis_values(t, k, x))
    parts += [basis_values(t, k, x[-1:], order) for order, _ in at_right]
    first = cp.concatenate([part[0] for part in parts])
    values = cp.concatenate([part[1] for part in parts])
    dtype = np.result_type(y.dtype, *(np.dtype(v.dtype) for _, v in at_left + at_right))
    sides = [v.astype(dtype).reshape(1, *y.shape[1:]) for _, v in at_left]
    sides.append(y.astype(dtype))
    sides += [v.astype(dtype).reshape(1, *y.shape[1:]) for _, v in at_right]
    column = first[:, None] + cp.arange(k + 1)
    row = cp.broadcast_to(cp.arange(n)[:, None], column.shape)
    below = row - column
    if bool((abs(below) > k).any()):
        # Points without a basis function of their own: no spline passes through them (Schoenberg, Whitney).
        raise np.linalg.LinAlgError("Colocation matrix is singular.")
    bands = cp.zeros((2 * k + 1, n))
    bands[k + below, column] = values
    try:
        c = solve_banded((k, k), bands, columns(cp.concatenate(sides)), check_finite=False)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError("Colocation matrix is singular.") from None
    return BSpline.construct_fast(t, uncolumns(c, dtype, (n, *y.shape[1:])), k)


def make_interp_spline(
    x: ArrayLike,
    y: ArrayLike,
    k: int = 3,
    t: ArrayLike | None = None,
    bc_type: Any = None,
    axis: int = 0,
    check_finite: bool = True,
) -> BSpline:
    """Return the spline that passes through points.

    Parameters
    ----------
    x : (N,) array_like
        The points, rising.
    y : array_like
        The values, along `axis`.
    k : int, optional
        The degree.
    t : (N + K + 1,) array_like, optional
        The knots; by default they follow from the points.
    bc_type : {"not-a-knot", "clamped", "natural", "periodic"} or 2-tuple, optional
        The conditions at the ends; a pair has lists of ``(order, value)`` for each.
    axis : int, optional
        The interpolation axis.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

    Returns
    -------
    BSpline
        The spline.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import make_interp_spline
    >>> make_interp_spline(cp.arange(6.0), cp.arange(6.0) ** 2)(2.5).round(6)
    array(6.25)
    """
    points, values = finite(x, check_finite), finite(y, check_finite)
    axis = normalize_axis("make_interp_spline", axis, values.ndim)
    values = cp.moveaxis(values, axis, 0)
    if (
        isinstance(bc_type, str)
        and bc_type == "periodic"
        and not bool(cp.allclose(values[0], values[-1], atol=1e-15))
    ):
        raise ValueError("First and last points does not match while periodic case expected")
    if points.size != values.shape[0]:
        raise ValueError(f"Shapes of x {points.shape} and y {values.shape} are incompatible")
    if points.ndim != 1:
        raise ValueError("Expect x to be a 1D strictly increasing sequence.")
    steps = cp.diff(points)
    if bool((steps == 0).any()):
        raise ValueError("Expect x to not have duplicates")
    if bool((steps < 0).any()):
        raise ValueError("Expect x to be a 1D strictly increasing sequence.")
    knots = None if t is None else finite(t, check_finite)
    spline = interpolated(points, values, operator.index(k), bc_type, knots)
    spline.axis = axis
    return spline


def make_lsq_spline(
    x: ArrayLike,
    y: ArrayLike,
    t: ArrayLike,
    k: int = 3,
    w: ArrayLike | None = None,
    axis: int = 0,
    check_finite: bool = True,
    *,
    method: str = "qr",
) -> BSpline:
    """Return the spline with given knots that is nearest to points in the sense of least squares.

    Parameters
    ----------
    x : (M,) array_like
        The points, rising.
    y : array_like
        The values, along `axis`.
    t : (N + K + 1,) array_like
        The knots.
    k : int, optional
        The degree.
    w : (M,) array_like, optional
        The weights.
    axis : int, optional
        The interpolation axis.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.
    method : {"qr", "norm-eq"}, optional
        Taken for compatibility: the rows are always rotated into a triangle, which is the more exact of
        the two.

    Returns
    -------
    BSpline
        The spline.

    Examples
    --------
    >>> from cuprum.scipy.interpolate import make_lsq_spline
    >>> x = cp.linspace(0, 1, 20)
    >>> t = cp.array([0.0] * 4 + [0.5] + [1.0] * 4)
    >>> make_lsq_spline(x, x**2, t)(0.25).round(6)
    array(0.0625)
    """
    points, values, knots = (finite(a, check_finite) for a in (x, y, t))
    weights = cp.ones_like(points) if w is None else finite(w, check_finite)
    k = operator.index(k)
    axis = normalize_axis("make_lsq_spline", axis, values.ndim)
    values = cp.moveaxis(values, axis, 0)
    if points.ndim != 1:
        raise ValueError("Expect x to be a 1-D sequence.")
    if points.shape[0] < k + 1:
        raise ValueError("Need more x points.")
    if k < 0:
        raise ValueError("Expect non-negative k.")
    if knots.ndim != 1 or bool((cp.diff(knots) < 0).any()):
        raise ValueError("Expect t to be a 1D strictly increasing sequence.")
    if points.size != values.shape[0]:
        raise ValueError(f"Shapes of x {points.shape} and y {values.shape} are incompatible")
    if k > 0 and bool(((points < knots[k]) | (points > knots[-k])).any()):
        raise ValueError(f"Out of bounds w/ x = {points}.")
    if points.size != weights.size:
        raise ValueError(f"Shapes of x {points.shape} and w {weights.shape} are incompatible")
    if method not in ("qr", "norm-eq"):
        raise ValueError(f"Unknown method ={method!r}.")
    steps = cp.diff(points)
    if bool((steps < 0).any()) or method == "norm-eq" and bool((steps == 0).any()):
        raise ValueError("Expect x to be a 1D non-decreasing sequence.")
    c = spline_triangle(knots, k, points, columns(values), weights).solved()
    return BSpline.construct_fast(
        knots, uncolumns(c, values.dtype, (c.shape[0], *values.shape[1:])), k, axis=axis
    )

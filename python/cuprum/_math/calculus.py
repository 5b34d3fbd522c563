"""Differences between neighbours, and what follows from them: slopes, integrals, unwrapping."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._convert import NoValue, as_array, normalize_axes, normalize_axis, with_methods
from .._core import ndarray
from .._creation.fill import empty_like
from .._dtypes import kind_of
from .._errors import names_itself
from .._manipulation.join import concatenate
from .._manipulation.shape import broadcast_to
from .._ufuncs import absolute, not_equal, remainder, subtract

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike


__all__ = [
    "diff",
    "ediff1d",
    "gradient",
    "trapezoid",
    "unwrap",
]


def _along(axis: int, index: Any) -> tuple[Any, ...]:
    """Return the index that applies `index` to one axis and takes all of those before it."""
    return (*(slice(None),) * axis, index)


@names_itself
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = NoValue, append: Any = NoValue) -> ndarray:
    """Return the differences between neighbours along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    n : int, optional
        How many times to take differences.
    axis : int, optional
        The axis.
    prepend, append : array_like, optional
        What to put before and after `a` first; a scalar becomes one slice.

    Returns
    -------
    ndarray
        The differences, `n` fewer along the axis; of booleans, whether neighbours differ.

    Examples
    --------
    >>> cp.diff([1, 4, 9, 16])
    array([3, 5, 7])
    """
    result: ndarray
    if n == 0:
        result = a
        return result
    if n < 0:
        raise ValueError(f"diff: order must be non-negative but got {n!r}")
    a = with_methods(a, "__sub__")
    if a.ndim == 0:
        raise ValueError("diff: requires input that is at least one dimensional")
    axis = normalize_axis("diff", axis, a.ndim)

    def widened(value: Any) -> list[ndarray]:
        if value is NoValue:
            return []
        value = a._converted(value) if getattr(type(a), "_is_stored", False) else with_methods(value)
        if value.ndim == 0:
            value = broadcast_to(value, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))
        return [value]

    before, after = widened(prepend), widened(append)
    if before or after:
        a = concatenate([*before, a, *after], axis)
    for _ in range(operator.index(n)):
        later, earlier = a[_along(axis, slice(1, None))], a[_along(axis, slice(None, -1))]
        a = not_equal(later, earlier) if a.dtype.kind == "b" else later - earlier
    result = a
    return result


@names_itself
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> ndarray:
    """Return the differences between neighbours of the flattened array, with values around them.

    Parameters
    ----------
    ary : array_like
        The array.
    to_end, to_begin : array_like, optional
        What to put after and before the differences.

    Returns
    -------
    ndarray
        The differences, in the dtype of `ary`.

    Examples
    --------
    >>> cp.ediff1d([1, 2, 4], to_begin=-99)
    array([-99,   1,   2])
    """
    ary = as_array(ary).ravel()
    parts = [subtract(ary[1:], ary[:-1])]
    for name, values in (("to_begin", to_begin), ("to_end", to_end)):
        if values is None:
            continue
        values = as_array(values)
        if not _core.can_cast(values.dtype, ary.dtype, "same_kind"):
            raise TypeError(
                f"ediff1d: dtype of {name} must be compatible with input ary under the same_kind rule"
            )
        values = values.ravel().astype(ary.dtype, copy=False)
        parts = [values, *parts] if name == "to_begin" else [*parts, values]
    return parts[0] if len(parts) == 1 else _core.concatenate(parts, 0)


@names_itself
def gradient(
    f: ArrayLike, *varargs: Any, axis: AxisLike | None = None, edge_order: Literal[1, 2] = 1
) -> ndarray | tuple[ndarray, ...]:
    """Return the slopes of sampled values, by central differences inside and one-sided ones at the edges.

    Parameters
    ----------
    f : array_like
        The samples.
    *varargs : array_like, optional
        Their distances: one for all axes or one for each, or the coordinates along each axis.
    axis : int or tuple of int, optional
        The axes along which to take slopes; all when None.
    edge_order : {1, 2}, optional
        The order of accuracy at the edges.

    Returns
    -------
    ndarray or tuple of ndarray
        The slopes along the axis, or a tuple for several.

    Examples
    --------
    >>> cp.gradient([1.0, 2.0, 4.0, 7.0])
    array([1. , 1.5, 2.5, 3. ])
    """
    f = as_array(f)
    axes = tuple(range(f.ndim)) if axis is None else normalize_axes("gradient", axis, f.ndim)
    if edge_order > 2:
        raise ValueError("gradient: edge_order greater than 2 is not supported")
    if kind_of(f.dtype) in "biu":
        if kind_of(f.dtype) == "b" and axes:
            raise TypeError("gradient: boolean arrays have no slopes")
        f = f.astype(float)
    spacings = _spacings(f, varargs, axes)
    slopes = tuple(_slope(f, one, spacing, edge_order) for one, spacing in zip(axes, spacings, strict=True))
    return slopes[0] if len(slopes) == 1 else slopes


def _spacings(f: ndarray, varargs: tuple[Any, ...], axes: tuple[int, ...]) -> list[Any]:
    """Return for each axis a distance, or the distances between neighbours where they vary."""
    if not varargs:
        return [1.0] * len(axes)
    if len(varargs) == 1 and as_array(varargs[0]).ndim == 0:
        return [varargs[0]] * len(axes)
    if len(varargs) != len(axes):
        raise TypeError(
            f"gradient: invalid number of arguments, {len(varargs)} spacings for {len(axes)} axes"
        )
    spacings: list[Any] = []
    for axis, given in zip(axes, varargs, strict=True):
        coordinates = as_array(given)
        if coordinates.ndim == 0:
            spacings.append(given)
            continue
        if coordinates.ndim != 1:
            raise ValueError("gradient: distances must be either scalars or 1d")
        if coordinates.size != f.shape[axis]:
            raise ValueError(
                f"gradient: when 1d, distances must match the length of the corresponding dimension, got "
                f"{coordinates.size} and {f.shape[axis]}"
            )
        if kind_of(coordinates.dtype) in "biu":
            coordinates = coordinates.astype(float)
        gaps = subtract(coordinates[1:], coordinates[:-1])
        spacings.append(gaps[0] if (gaps == gaps[0]).all() else gaps)
    return spacings


def _slope(f: ndarray, axis: int, spacing: Any, edge_order: int) -> ndarray:
    """Return the slopes along one axis, for even distances (a scalar) or uneven ones (a vector)."""
    if f.shape[axis] < edge_order + 1:
        raise ValueError(
            "gradient: shape of array too small to calculate a numerical gradient, at least "
            f"{edge_order + 1} elements are required, got {f.shape[axis]}"
        )

    def at(index: Any) -> ndarray:
        return f[_along(axis, index)]

    even = as_array(spacing).ndim == 0
    result = empty_like(f)
    inside = _along(axis, slice(1, -1))
    before, here, after = at(slice(None, -2)), at(slice(1, -1)), at(slice(2, None))
    if even:
        result[inside] = (after - before) / (2.0 * spacing)
        first = last = spacing
    else:
        across = (1,) * axis + (-1,) + (1,) * (f.ndim - axis - 1)
        left, right = spacing[:-1].reshape(across), spacing[1:].reshape(across)
        result[inside] = (
            -right / (left * (left + right)) * before
            + (right - left) / (left * right) * here
            + left / (right * (left + right)) * after
        )
        first, last = spacing[0], spacing[-1]
    if edge_order == 1:
        result[_along(axis, 0)] = (at(1) - at(0)) / first
        result[_along(axis, -1)] = (at(-1) - at(-2)) / last
        return result
    if even:
        result[_along(axis, 0)] = -1.5 / spacing * at(0) + 2.0 / spacing * at(1) + -0.5 / spacing * at(2)
        result[_along(axis, -1)] = 0.5 / spacing * at(-3) + -2.0 / spacing * at(-2) + 1.5 / spacing * at(-1)
        return result
    h, k = spacing[0], spacing[1]
    result[_along(axis, 0)] = (
        -(2.0 * h + k) / (h * (h + k)) * at(0) + (h + k) / (h * k) * at(1) + -h / (k * (h + k)) * at(2)
    )
    h, k = spacing[-2], spacing[-1]
    result[_along(axis, -1)] = (
        k / (h * (h + k)) * at(-3) + -(k + h) / (h * k) * at(-2) + (2.0 * k + h) / (k * (h + k)) * at(-1)
    )
    return result


@names_itself
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> ndarray:
    """Integrate sampled values by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The samples.
    x : array_like, optional
        Where they were taken.
    dx : array_like, optional
        Their distance, without `x`.
    axis : int, optional
        The axis along which to integrate.

    Returns
    -------
    ndarray
        The integrals.

    Examples
    --------
    >>> cp.trapezoid([1.0, 2.0, 3.0])
    array(4.)
    """
    y = as_array(y)
    place = normalize_axis("trapezoid", axis, y.ndim)
    if x is None:
        gaps = dx
    else:
        x = as_array(x)
        if x.ndim == 1:
            gaps = diff(x).reshape((1,) * place + (-1,) + (1,) * (y.ndim - place - 1))
        else:
            gaps = diff(x, axis=axis)
    middles = y[_along(place, slice(1, None))] + y[_along(place, slice(None, -1))]
    # Where points have more axes than values, the axis counts in the points.
    integrals: ndarray = (gaps * middles / 2.0).sum(axis)
    return integrals


@names_itself
def unwrap(
    p: ArrayLike, discont: float | None = None, axis: SupportsIndex = -1, *, period: float = 2 * np.pi
) -> ndarray:
    """Undo the jumps of values that were taken modulo a period.

    Parameters
    ----------
    p : array_like
        The values.
    discont : float, optional
        The least jump to undo; half a period when None.
    axis : int, optional
        The axis along which they follow each other.
    period : float, optional
        The period.

    Returns
    -------
    ndarray
        The values with multiples of the period added.

    Examples
    --------
    >>> cp.unwrap([0, 1, 2, -1, 0], period=4)
    array([0, 1, 2, 3, 4])
    """
    p = as_array(p)
    if p.ndim == 0:
        raise ValueError("unwrap: the phases must have at least one dimension")
    axis = normalize_axis("unwrap", axis, p.ndim)
    steps = diff(p, axis=axis)
    if discont is None:
        discont = period / 2
    dtype = _core.result_type(steps, period)
    if kind_of(dtype) in "iu":
        high, odd = divmod(period, 2)
        ambiguous = odd == 0
    else:
        high, ambiguous = period / 2, True
    low = -high
    wrapped = remainder(steps - low, period) + low
    if ambiguous:
        # A jump of exactly half a period keeps its sign.
        wrapped = _core.where((wrapped == low) & (steps > 0), high, wrapped)
    corrections = _core.where(absolute(steps) < discont, 0, wrapped - steps)
    result = _core.array(p, dtype=dtype, copy=True)
    rest = _along(axis, slice(1, None))
    result[rest] = p[rest] + corrections.cumsum(axis)
    return result

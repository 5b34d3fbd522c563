"""Spline coefficients: the filters that make a spline go through the elements of an array."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._creation.from_data import ascontiguousarray
from ..._errors import names_itself
from ._arguments import delivered, is_complex, target
from ._documentation import documented
from ._kernels import kernel

__all__ = ["spline_filter", "spline_filter1d"]

# How lines go on for the filter, which has exact forms for three boundary modes; those of SciPy for the
# others.
_BOUNDARIES = {
    "reflect": "REFLECT",
    "grid-mirror": "REFLECT",
    "nearest": "REFLECT",
    "grid-wrap": "WRAP",
    "mirror": "MIRROR",
    "wrap": "MIRROR",
    "constant": "MIRROR",
    "grid-constant": "MIRROR",
}
# Elements that one thread filters, unless the line is not much longer.
_SEGMENT = 512
_THREADS = 128
# Lines that one thread of a CPU filters, and how many there are if each is filtered as a whole.
_WIDTH, _MANY_LINES = 8, 128
_LINE = np.dtype(
    [("n", "i8"), ("lines", "i8"), ("segment", "i8"), ("reach", "i8"), ("pole", "f8"), ("gain", "f8")]
)


@cache
def _poles(order: int) -> tuple[float, ...]:
    """Return the poles inside the unit circle of the filter that inverts sampling a B-spline."""
    if order == 2:
        return (math.sqrt(8) - 3,)
    if order == 3:
        return (math.sqrt(3) - 2,)
    # Of orders 4 and 5, the samples are a, b, c, b, a; with s = z + 1/z they vanish at a s**2 + b s + c - 2
    # a = 0.
    a, b, c = (1, 76, 230) if order == 4 else (1, 26, 66)
    root = math.sqrt(b * b - 4 * a * (c - 2 * a))
    sums = ((-b + root) / (2 * a), (-b - root) / (2 * a))
    # The two solutions of z**2 - s z + 1 = 0 are reciprocals: the small one without cancellation.
    return tuple(2 / (s - math.sqrt(s * s - 4)) for s in sums)


def _check_order(op: str, order: Any, least: int) -> int:
    if not least <= order <= 5:
        raise RuntimeError(f"{op}: spline order not supported: {order}, only {least} to 5")
    return int(order)


def boundary(op: str, mode: Any) -> str:
    """Return the filter's name of a boundary mode."""
    if mode not in _BOUNDARIES:
        raise RuntimeError(f"{op}: boundary mode {mode!r} is not supported, only {', '.join(_BOUNDARIES)}")
    return _BOUNDARIES[mode]


def filtered_along(a: ndarray, order: int, axis: int, ends: str) -> ndarray:
    """Return the coefficients along one axis, in float64."""
    length = a.shape[axis]
    if length < 2 or a.size == 0:
        return a.astype(np.float64)
    # Lines lie side by side, so that threads next to each other read elements next to each other.
    front = _core.moveaxis(a, axis, 0)
    source = ascontiguousarray(front, np.float64)
    result = _core.empty(front.shape, np.float64)
    poles = _poles(order)
    gain = math.prod((1 - pole) * (1 - 1 / pole) for pole in poles)
    lines = a.size // length
    on_cpu = a.device == "cpu"
    for pole in poles:
        reach = math.ceil(60 * math.log(2) / -math.log(-pole))
        segment = length if length < 2 * _SEGMENT else _SEGMENT
        line = np.array([(length, lines, segment, reach, pole, gain)], _LINE)[0]
        if on_cpu and (segment == length or lines >= _MANY_LINES):
            kernel("splines", f"both<{ends}, {_WIDTH}>")((-(-lines // _WIDTH),), (1,), (source, result, line))
        else:
            width, threads = (_WIDTH, 1) if on_cpu else (1, _THREADS)
            grid = (-(-lines // (threads * width)), -(-length // segment))
            other = _core.empty(front.shape, np.float64)
            kernel("splines", f"causal<{ends}, {width}>")(grid, (threads,), (source, other, line))
            kernel("splines", f"anticausal<{ends}, {width}>")(grid, (threads,), (other, result, line))
        source, gain = result, 1.0
    return _core.moveaxis(result, 0, axis)


@documented
@names_itself
def spline_filter1d(
    input: Any, order: int = 3, axis: Any = -1, output: Any = np.float64, mode: Any = "mirror"
) -> ndarray:
    """Return the coefficients of splines through the elements along one axis.

    Parameters
    ----------
    {input}
    order : int, optional
        The order of the splines, 0 to 5. Those of orders 0 and 1 have the elements for coefficients.
    {axis}
    {output}
    {mode}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.spline_filter1d(cp.array([0.0, 0.0, 6.0, 0.0, 0.0]), order=2).round(4)
    array([ 0.5, -1.5,  8.5, -1.5,  0.5])
    """
    op = "spline_filter1d"
    order = _check_order(op, order, 0)
    a = as_array(input)
    dtype, array = target(op, output, a, complex_output=is_complex(a))
    if order < 2:
        return delivered(a.astype(dtype), array)
    ends = boundary(op, mode)
    axis = normalize_axis(op, axis, a.ndim)
    return delivered(_by_parts(a, dtype, lambda part: filtered_along(part, order, axis, ends)), array)


@documented
@names_itself
def spline_filter(input: Any, order: int = 3, output: Any = np.float64, mode: Any = "mirror") -> ndarray:
    """Return the coefficients of a spline through all elements.

    Functions that interpolate do this themselves, unless told not to by ``prefilter=False``.

    Parameters
    ----------
    {input}
    order : int, optional
        The order of the spline, 2 to 5.
    {output}
    {mode}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a = cp.arange(4.0)
    >>> c = ndimage.spline_filter(a)
    >>> ndimage.map_coordinates(c, cp.array([[1.5]]), prefilter=False, mode="mirror").round(4)
    array([1.5])
    """
    op = "spline_filter"
    order = _check_order(op, order, 2)
    a = as_array(input)
    dtype, array = target(op, output, a, complex_output=is_complex(a))
    ends = boundary(op, mode)

    def all_axes(part: ndarray) -> ndarray:
        kind = part.real.dtype if dtype is None else _core.empty(0, dtype).real.dtype
        for axis in range(part.ndim):
            # Coefficients along one axis are rounded to the result's dtype before the next, as SciPy's are.
            part = filtered_along(part, order, axis, ends).astype(kind, copy=False)
        return part

    return delivered(_by_parts(a, dtype, all_axes), array)


def _by_parts(a: ndarray, dtype: Any, filtered: Any) -> ndarray:
    """Return what `filtered` makes of a real array, or of each part of a complex one."""
    if not is_complex(a):
        made: ndarray = filtered(a).astype(dtype, copy=False)
        return made
    result = _core.empty(a.shape, dtype)
    result.real, result.imag = filtered(a.real), filtered(a.imag)
    return result

"""The arguments that filters share: modes, axes, origins, windows, and where results go."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ... import _core
from ..._convert import normalize_axis
from ..._core import ndarray
from ..._dtypes import kind_of

_MODES = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "mirror": "mirror",
    "nearest": "nearest",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


def extension(op: str, mode: Any) -> str:
    """Return the name under which the core knows a boundary mode."""
    if not isinstance(mode, str):
        raise RuntimeError(f"{op}: a sequence of modes is not supported here, got {mode!r}")
    if mode not in _MODES:
        raise RuntimeError(f"{op}: boundary mode {mode!r} is not supported, only {', '.join(_MODES)}")
    return _MODES[mode]


def is_several(value: Any) -> bool:
    """Return whether an argument has one item for each axis."""
    return not isinstance(value, str) and np.iterable(value)


def for_axes(op: str, name: str, value: Any, count: int) -> list[Any]:
    """Return one item for each axis: the sequence given, or the one item for all."""
    if not is_several(value):
        return [value] * count
    items = list(value)
    if len(items) != count:
        raise RuntimeError(f"{op}: {name} has {len(items)} items for {count} axes")
    return items


def filtered_axes(op: str, axes: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes to filter along, counted from the front."""
    if axes is None:
        return tuple(range(ndim))
    if not isinstance(axes, Iterable):
        if not np.isscalar(axes):
            raise ValueError(f"{op}: axes must be an integer, a sequence of integers or None")
        axes = (normalize_axis(op, axes, ndim, "axes"),)
    indices = [operator.index(axis) for axis in axes]
    for axis in indices:
        if not -ndim <= axis < ndim:
            raise ValueError(f"{op}: specified axis: {axis} is out of range for {ndim} dimensions")
    found = tuple(axis % ndim for axis in indices)
    if len(set(found)) != len(found):
        raise ValueError(f"{op}: axes must be unique, got {axes}")
    return found


def is_complex(a: Any) -> bool:
    """Return whether an array, or a number, is complex."""
    return kind_of(a.dtype) == "c" if isinstance(a, ndarray) else bool(np.iscomplexobj(a))


def target(
    op: str,
    output: Any,
    like: ndarray,
    complex_output: bool = False,
    shape: tuple[int, ...] | None = None,
) -> tuple[Any, ndarray | None]:
    """Return the dtype of a result, and the caller's array where it gave one."""
    if isinstance(output, ndarray):
        wanted = like.shape if shape is None else shape
        if output.shape != wanted:
            raise RuntimeError(f"{op}: output has shape {output.shape}, the result {wanted}")
        if complex_output and not is_complex(output):
            raise RuntimeError(f"{op}: output must have complex dtype, not {output.dtype}")
        return output.dtype, output
    if isinstance(output, np.ndarray):
        raise TypeError(f"{op}: output must be an array of Cuprum or a dtype, not a NumPy array")
    if output is None:
        dtype = like.dtype
        return (_core.promote_types(dtype, np.complex64) if complex_output else dtype), None
    dtype = _core.empty(0, output).dtype
    kind = kind_of(dtype)
    if isinstance(output, str):
        if complex_output and kind != "c":
            raise RuntimeError(f"{op}: output must have complex dtype, not {dtype}")
        if kind == "b":
            raise RuntimeError(f"{op}: output must have numeric dtype, not {dtype}")
    elif complex_output and kind != "c":
        warnings.warn("promoting specified output dtype to complex", stacklevel=3)
        dtype = _core.promote_types(dtype, np.complex64)
    return dtype, None


def real_target(op: str, output: Any, like: ndarray) -> tuple[Any, ndarray | None]:
    """Return what `target` does, for results that cannot be complex."""
    dtype, array = target(op, output, like)
    if kind_of(dtype) == "c":
        raise RuntimeError(f"{op}: array type {dtype} not supported for a real result")
    return dtype, array


def delivered(result: ndarray, array: ndarray | None) -> ndarray:
    """Return the result, in the caller's array where it gave one; a new one lies in C order, as SciPy's."""
    if array is None:
        return result.astype(result.dtype, order="C", copy=False)
    array[...] = result
    return array


def on_host(values: Any) -> np.ndarray:
    """Return weights or a footprint as a NumPy array: parameters, read where the call is put together."""
    return values.get() if isinstance(values, ndarray) else np.asarray(values)


def by_parts(
    filtered: Callable[[ndarray, np.ndarray, Any, Any], ndarray],
    a: ndarray,
    weights: np.ndarray,
    dtype: Any,
    cval: Any,
) -> ndarray:
    """Return a complex result from `filtered(part, weights, dtype, cval)` of each pair of parts."""
    result = _core.empty(a.shape, dtype)
    part = result.real.dtype
    if not is_complex(a):
        if np.iscomplexobj(cval):
            raise ValueError("Cannot provide a complex-valued cval when the input is real.")
        result.real = filtered(a, weights.real, part, cval)
        result.imag = filtered(a, weights.imag, part, cval)
        return result
    own = a.real.dtype
    if not np.iscomplexobj(weights):
        result.real = filtered(a.real, weights, part, np.real(cval))
        result.imag = filtered(a.imag, weights, part, np.imag(cval))
        return result
    result.real = filtered(a.real, weights.real, part, np.real(cval)) - filtered(
        a.imag, weights.imag, own, np.imag(cval)
    )
    result.imag = filtered(a.real, weights.imag, part, np.real(cval)) + filtered(
        a.imag, weights.real, own, np.imag(cval)
    )
    return result


def check_origin(op: str, origin: Any, size: int) -> int:
    """Return an origin that leaves the window over its element."""
    origin = operator.index(origin)
    if not 0 <= size // 2 + origin < size:
        raise ValueError(
            f"{op}: invalid origin {origin}: a window of {size} takes {-(size // 2)} to {(size - 1) // 2}"
        )
    number: int = origin
    return number


def spread(items: Iterable[Any], axes: tuple[int, ...], ndim: int, rest: Any) -> list[Any]:
    """Return one item for each axis of the array: those given for `axes`, and `rest` for the others."""
    found = [rest] * ndim
    for axis, item in zip(axes, items, strict=True):
        found[axis] = item
    return found


def widened(op: str, window: np.ndarray, axes: tuple[int, ...], ndim: int, name: str) -> np.ndarray:
    """Return a window over some axes as one over all."""
    if window.ndim != len(axes):
        raise RuntimeError(f"{op}: {name}.ndim ({window.ndim}) must match len(axes) ({len(axes)})")
    if len(axes) < ndim:
        window = np.expand_dims(window, tuple(axis for axis in range(ndim) if axis not in axes))
    if 0 in window.shape:
        raise RuntimeError(f"{op}: {name} has no elements")
    return window

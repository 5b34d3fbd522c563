"""Filters by functions of the caller: over one window at a time, over lines, or over all windows at once."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._kernels import ReductionKernel
from ._arguments import (
    check_origin,
    delivered,
    extension,
    filtered_axes,
    for_axes,
    is_complex,
    on_host,
    spread,
    target,
    widened,
)
from ._documentation import documented

__all__ = ["generic_filter", "generic_filter1d", "vectorized_filter"]

# What `pad` calls the boundary modes.
_PADS = {
    "reflect": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "constant": "constant",
}
# The most bytes that windows take at a time.
_BATCH = 2**28


def _windows(
    a: ndarray, sizes: list[int], origins: list[int], mode: str, cval: Any
) -> Callable[[int, int], ndarray]:
    """Return a function that gives the windows of some rows, along new last axes."""
    borders = [(n // 2 + origin, (n - 1) // 2 - origin) for n, origin in zip(sizes, origins, strict=True)]
    constant = {"constant_values": cval} if mode == "constant" else {}
    bordered = cp.pad(a, borders, mode=_PADS[mode], **constant)

    def rows(begin: int, end: int) -> ndarray:
        part = bordered[begin : end + sizes[0] - 1]
        return cp.lib.stride_tricks.sliding_window_view(part, tuple(sizes))

    return rows


def _batches(length: int, bytes_of_one: int, limit: int) -> Iterator[tuple[int, int]]:
    step = max(1, limit // max(bytes_of_one, 1))
    for begin in range(0, length, step):
        yield begin, min(begin + step, length)


def _footprint(op: str, size: Any, footprint: Any, count: int) -> np.ndarray:
    if footprint is not None:
        if size is not None:
            warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=4)
        return on_host(footprint).astype(bool)
    if size is None:
        raise RuntimeError(f"{op}: no footprint or filter size provided")
    return np.ones([operator.index(n) for n in for_axes(op, "size", size, count)], bool)


@documented
@names_itself
def generic_filter(
    input: Any,
    function: Any,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    extra_arguments: Any = (),
    extra_keywords: Any = None,
    *,
    axes: Any = None,
) -> ndarray:
    """Return what a function makes of the window around each element.

    A `ReductionKernel` runs over all windows at once. A Python function is called for each window, which is
    slow, on a GPU most of all: a function that takes an axis is quicker by `vectorized_filter`.

    Parameters
    ----------
    {input}
    function : callable or ReductionKernel
        Takes the elements of a window as a one-dimensional array of float64, and returns a number.
    {window}
    {output}
    {mode}
    {cval}
    {origins}
    extra_arguments : sequence, optional
        More arguments of the function.
    extra_keywords : dict, optional
        Keyword arguments of the function.
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.generic_filter(cp.array([1.0, 5.0, 2.0, 8.0]), lambda w: w.max() - w.min(), size=3)
    array([4., 4., 6., 6.])
    """
    op = "generic_filter"
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    chosen = filtered_axes(op, axes, a.ndim)
    window = widened(op, _footprint(op, size, footprint, len(chosen)), chosen, a.ndim, "footprint")
    origins = spread(for_axes(op, "origin", origin, len(chosen)), chosen, a.ndim, 0)
    for one, length in zip(origins, window.shape, strict=True):
        check_origin(op, one, length)
    ends = extension(op, mode)
    dtype, array = target(op, output, a)
    if a.size == 0:
        return delivered(_core.empty(a.shape, dtype), array)
    keywords = extra_keywords or {}
    # Windows lie along the first axis of an array with one.
    rows = _windows(a.astype(np.float64), list(window.shape), origins, ends, cval)
    inside = tuple(_core.array(part) for part in np.nonzero(window))
    result = _core.empty(a.shape, dtype)
    bytes_of_row = a.size // a.shape[0] * int(window.sum()) * 8
    for begin, end in _batches(a.shape[0], bytes_of_row, _BATCH):
        found = rows(begin, end)[(Ellipsis,) + inside].reshape(-1, int(window.sum()))
        if isinstance(function, ReductionKernel):
            values = function(found, *extra_arguments, axis=1, **keywords)
        else:
            values = _core.array(
                np.array([float(function(one, *extra_arguments, **keywords)) for one in found])
            )
        result[begin:end] = values.reshape(result[begin:end].shape).astype(dtype)
    return delivered(result, array)


@documented
@names_itself
def generic_filter1d(
    input: Any,
    function: Callable[..., Any],
    filter_size: int,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    extra_arguments: Any = (),
    extra_keywords: Any = None,
) -> ndarray:
    """Return what a function makes of each line of an array.

    Parameters
    ----------
    {input}
    function : callable
        Takes a line, extended at both ends as the window needs, and an array for the result, both of float64.
    filter_size : int
        The length of the window.
    {axis}
    {output}
    {mode}
    {cval}
    {origin}
    extra_arguments : sequence, optional
        More arguments of the function.
    extra_keywords : dict, optional
        Keyword arguments of the function.

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> def difference(line, out):
    ...     out[...] = line[1:] - line[:-1]
    >>> ndimage.generic_filter1d(cp.array([1.0, 4.0, 9.0]), difference, 2)
    array([0., 3., 5.])
    """
    op = "generic_filter1d"
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    dtype, array = target(op, output, a)
    length = operator.index(filter_size)
    if length < 1:
        raise RuntimeError(f"{op}: invalid filter size {length}")
    axis = normalize_axis(op, axis, a.ndim)
    origin = check_origin(op, origin, length)
    ends = extension(op, mode)
    lines = cp.moveaxis(a.astype(np.float64), axis, -1)
    result = _core.empty(lines.shape, np.float64)
    constant = {"constant_values": cval} if ends == "constant" else {}
    borders = [(0, 0)] * (a.ndim - 1) + [(length // 2 + origin, (length - 1) // 2 - origin)]
    if a.size:
        bordered = cp.pad(lines, borders, mode=_PADS[ends], **constant)
        for at in np.ndindex(*lines.shape[:-1]):
            function(bordered[at], result[at], *extra_arguments, **(extra_keywords or {}))
    return delivered(cp.moveaxis(result, -1, axis).astype(dtype), array)


@documented
@names_itself
def vectorized_filter(
    input: Any,
    function: Callable[..., Any],
    *,
    size: Any = None,
    footprint: Any = None,
    output: Any = None,
    mode: str = "reflect",
    cval: Any = None,
    origin: Any = None,
    axes: Any = None,
    batch_memory: int = 2**30,
) -> ndarray:
    """Return what a function of many windows at once makes of the window around each element.

    Parameters
    ----------
    {input}
    function : callable
        Reduces windows along the axes that its keyword `axis` names, as `cp.mean` does.
    {window}
    {output}
    mode : {"reflect", "constant", "nearest", "mirror", "wrap", "valid", "grid-..."}, optional
        How the array goes on beyond its ends; "valid" takes whole windows only.
    cval : scalar, optional
        What lies outside with the mode "constant"; zero by default.
    {origins}
    {axes}
    batch_memory : int, optional
        The most bytes that windows take at a time.

    Returns
    -------
    ndarray
        The filtered array.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.vectorized_filter(cp.array([1.0, 5.0, 2.0, 8.0]), cp.ptp, size=3)
    array([4., 4., 6., 6.])
    """
    op = "vectorized_filter"
    a = as_array(input)
    if size is None and footprint is None:
        raise ValueError(f"{op}: Either `size` or `footprint` must be provided.")
    if size is not None and footprint is not None:
        raise ValueError(f"{op}: Either `size` or `footprint` may be provided, not both.")
    if cval is not None and mode not in ("constant", "grid-constant"):
        raise ValueError(f"{op}: Use of `cval` is compatible only with `mode='constant'`.")
    chosen = filtered_axes(op, axes, a.ndim)
    window = _footprint(op, size, footprint, len(chosen))
    if window.ndim != len(chosen):
        raise ValueError(f"{op}: the window has {window.ndim} axes for {len(chosen)} axes of the array")
    origins = [0] * len(chosen) if origin is None else for_axes(op, "origin", origin, len(chosen))
    if mode == "valid" and any(origins):
        raise ValueError(f"{op}: `mode='valid'` is incompatible with use of `origin`.")
    ends = None if mode == "valid" else extension(op, mode)
    if a.size == 0:
        return a
    moved = cp.moveaxis(a, chosen, range(a.ndim - len(chosen), a.ndim))
    if ends is not None:
        borders = [(0, 0)] * (a.ndim - len(chosen)) + [
            (n // 2 + one, (n - 1) // 2 - one) for n, one in zip(window.shape, origins, strict=True)
        ]
        constant = {"constant_values": 0 if cval is None else cval} if ends == "constant" else {}
        moved = cp.pad(moved, borders, mode=_PADS[ends], **constant)
    elif any(n > length for n, length in zip(window.shape, moved.shape[-len(chosen) :], strict=True)):
        raise ValueError(f"{op}: a window of {window.shape} does not fit into {moved.shape[-len(chosen) :]}")
    places = tuple(range(a.ndim - len(chosen), a.ndim))
    views = cp.lib.stride_tricks.sliding_window_view(moved, window.shape, axis=places)
    inside = tuple(_core.array(part) for part in np.nonzero(window)) if footprint is not None else None
    axis = -1 if inside is not None else tuple(range(-len(chosen), 0))
    bytes_of_row = views.size // max(views.shape[0], 1) * a.dtype.itemsize
    parts = []
    for begin, end in _batches(views.shape[0], bytes_of_row, int(batch_memory)):
        part = views[begin:end] if inside is None else views[begin:end][(Ellipsis,) + inside]
        parts.append(function(part, axis=axis))
    result = cp.moveaxis(parts[0] if len(parts) == 1 else cp.concatenate(parts), places, chosen)
    if isinstance(output, ndarray):
        output[...] = result
        return output
    return result if output is None else result.astype(output)

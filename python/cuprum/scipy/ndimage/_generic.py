"""Filters by functions of the caller: over one window at a time, over lines, or over all windows at once."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._kernels import RawKernel, ReductionKernel
from ..._kernels._parameters import type_name
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
_THREADS = 128

# The caller's kernel, as a device function, once for each row.
_OVER_ROWS = """
namespace of_the_caller {
%(text)s
}

extern "C" __global__ void over_rows(
    %(input)s* rows, int length, %(output)s* results, int results_length, long long count) {
  const long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (row < count)
    of_the_caller::%(name)s(rows + row * length, length, results + row * results_length%(more)s);
}
"""
# A ReductionKernel as such a function: `_raw_x` and `_in_ind` are those of one window.
_REDUCE_ROW = """
%(preamble)s
%(types)s
typedef %(reduce_type)s _type_reduce;
struct Indexer {
  int length;
  __device__ int size() const { return length; }
};
__device__ void %(name)s(const %(input)s* _raw_%(x)s, int length, %(output)s* _raw_%(y)s) {
  const Indexer _in_ind = {length};
  _type_reduce _s = _type_reduce(%(identity)s);
  for (int _j = 0; _j < length; ++_j) {
    const %(input)s& %(x)s = _raw_%(x)s[_j];
    const _type_reduce a = _s, b = _type_reduce(%(map_expr)s);
    _s = %(begins_with_first)d && _j == 0 ? b : _type_reduce(%(reduce_expr)s);
  }
  const _type_reduce a = _s;
  %(output)s& %(y)s = _raw_%(y)s[0];
  %(post_map_expr)s;
}
"""


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


@lru_cache(maxsize=64)
def _over_rows(
    text: str, name: str, options: tuple[str, ...], types: tuple[str, str], more: str
) -> RawKernel:
    parts = {"text": text, "name": name, "input": types[0], "output": types[1], "more": more}
    return RawKernel(_OVER_ROWS % parts, "over_rows", options)


def _launch(run: RawKernel, rows: ndarray, results: ndarray) -> None:
    width = results.shape[1] if results.ndim == 2 else 1
    blocks = -(-rows.shape[0] // _THREADS)
    run((blocks,), (_THREADS,), (rows, np.int32(rows.shape[1]), results, np.int32(width), rows.shape[0]))


def _run_over_rows(op: str, kernel: RawKernel, rows: ndarray, results: ndarray) -> None:
    """Call a kernel as a device function for each row, which fills a row of the results or one number."""
    if kernel.code is None:
        raise TypeError(f"{op}: the kernel must have a text, this one is machine code")
    text = kernel.code.replace("__global__", "__device__")
    more = ", results_length" if results.ndim == 2 else ""
    _launch(_over_rows(text, kernel.name, tuple(kernel.options), ("double", "double"), more), rows, results)


def _reduce_rows(op: str, kernel: ReductionKernel, rows: ndarray, dtype: np.dtype[Any]) -> ndarray:
    """Reduce each row by itself; an output whose type the input does not tell has the result's."""
    if kernel.nin != 1 or kernel.nout != 1:
        raise TypeError(f"{op}: a ReductionKernel must have one input and one output")
    given, made = kernel.in_params[0], kernel.out_params[0]
    out = made.dtype or (rows.dtype if made.type_name == given.type_name else dtype)
    letters = {p.type_name: type_name(d) for p, d in ((made, out), (given, rows.dtype)) if p.dtype is None}
    parts = {
        "preamble": kernel.preamble,
        "types": "".join(f"typedef {c} {letter};" for letter, c in letters.items()),
        "reduce_type": kernel.reduce_type,
        "name": kernel.name,
        "input": type_name(rows.dtype),
        "output": type_name(out),
        "x": given.name,
        "y": made.name,
        "identity": kernel.identity,
        "begins_with_first": not kernel.identity,
        "map_expr": kernel.map_expr,
        "reduce_expr": kernel.reduce_expr,
        "post_map_expr": kernel.post_map_expr,
    }
    results = _core.empty((rows.shape[0],), out)
    types = (parts["input"], parts["output"])
    _launch(_over_rows(_REDUCE_ROW % parts, kernel.name, tuple(kernel.options), types, ""), rows, results)
    return results


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

    A `ReductionKernel` or a `RawKernel` runs over all windows at once. A Python function is called for each
    window, which is slow, on a GPU most of all: one that takes an axis is quicker by `vectorized_filter`.

    Parameters
    ----------
    {input}
    function : callable, ReductionKernel or RawKernel
        Takes the elements of a window as a one-dimensional array of float64, and returns a number. A
        ReductionKernel whose parameter has a letter for its type gets windows of the input's; in its
        expressions ``_raw_x`` and ``_in_ind.size()`` are those of one window. A RawKernel is called as a
        device function ``f(const double* window, int size, double* result)``.
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
    taken = np.dtype(np.float64)
    if isinstance(function, ReductionKernel) and function.nin == 1:
        taken = function.in_params[0].dtype or a.dtype
    rows = _windows(a.astype(taken, copy=False), list(window.shape), origins, ends, cval)
    inside = tuple(_core.array(part) for part in np.nonzero(window))
    result = _core.empty(a.shape, dtype)
    bytes_of_row = a.size // a.shape[0] * int(window.sum()) * 8
    for begin, end in _batches(a.shape[0], bytes_of_row, _BATCH):
        found = rows(begin, end)[(Ellipsis,) + inside].reshape(-1, int(window.sum()))
        if isinstance(function, ReductionKernel):
            values = _reduce_rows(op, function, cp.ascontiguousarray(found), dtype)
        elif isinstance(function, RawKernel):
            values = _core.empty((found.shape[0],), np.float64)
            _run_over_rows(op, function, cp.ascontiguousarray(found), values)
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
    function : callable or RawKernel
        Takes a line, extended at both ends as the window needs, and an array for the result, both of float64.
        A RawKernel is called as a device function
        ``f(const double* line, int length, double* result, int result_length)``.
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
        if isinstance(function, RawKernel):
            flat = cp.ascontiguousarray(bordered).reshape(-1, bordered.shape[-1])
            _run_over_rows(op, function, flat, result.reshape(-1, result.shape[-1]))
            return delivered(cp.moveaxis(result, -1, axis).astype(dtype, order="C"), array)
        for at in np.ndindex(*lines.shape[:-1]):
            function(bordered[at], result[at], *extra_arguments, **(extra_keywords or {}))
    return delivered(cp.moveaxis(result, -1, axis).astype(dtype, order="C"), array)


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

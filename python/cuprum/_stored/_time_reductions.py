"""Sums, extrema, means and running results of dates and differences; NaT wherever one takes part."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._convert import normalize_axes, normalize_axis
from .._core import ndarray
from .._indexing.indexing import where as choose
from ._time_ufuncs import _cut_quotient, call
from ._times import TimeArray
from ._units import NAT

__all__ = ["accumulate", "cumsum", "extremum", "mean", "median", "outer", "ptp", "reduce", "total", "truth"]

_METHODS = {"minimum": "min", "maximum": "max", "add": "sum", "fmin": "min", "fmax": "max"}
_IDENTITY = {"min": np.iinfo(np.int64).max, "max": NAT + 1, "sum": 0}


def _refuse(op: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None and value is not True:
            raise TypeError(f"{op}: {name} is not supported for dates; index the array instead")


def _times(value: Any) -> TimeArray:
    if type(value) is TimeArray:
        return value
    return TimeArray.uploaded(np.asarray(value))


def _result(a: TimeArray, ticks: ndarray, op: str, out: Any) -> Any:
    made = TimeArray.of_ticks(ticks.astype(np.int64), a.dtype)
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError(f"{op}: the result has shape {made.shape}, out has {out.shape}")
    return a._stored_into(out, made, op, None, "same_kind")


def _reduced(op: str, a: TimeArray, name: str, axis: Any, keepdims: bool, out: Any, skips: bool) -> Any:
    """Return an extremum or a sum of counts; of all times, or of those that are there."""
    ticks, none = a._ticks, a.isnat()
    if skips:
        lost = none.all(axis=axis, keepdims=keepdims)
        ticks = choose(none, _IDENTITY[name], ticks)
    else:
        lost = none.any(axis=axis, keepdims=keepdims)
    found = getattr(ticks, name)(axis=axis, keepdims=keepdims)
    return _result(a, choose(lost, NAT, found), op, out)


def extremum(
    op: str,
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Return the earliest or the latest; `nanmin` and `nanmax` pass over what is no time."""
    _refuse(op, initial=initial, where=where)
    name = op.removeprefix("nan").removeprefix("a")
    return _reduced(op, _times(a), name, axis, keepdims, out, op.startswith("nan"))


def total(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Return the sum of differences."""
    a = _differences("sum", a)
    _refuse("sum", dtype=dtype, initial=initial, where=where)
    return _reduced("sum", a, "sum", axis, keepdims, out, False)


def _differences(op: str, a: Any) -> TimeArray:
    times = _times(a)
    if times.dtype.kind != "m":
        raise TypeError(f"{op}: dates cannot be added; got dtype {times.dtype}")
    return times


def _count(a: TimeArray, axis: Any) -> int:
    axes = range(a.ndim) if axis is None else normalize_axes("mean", axis, a.ndim)
    return math.prod(a.shape[i] for i in axes)


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """Return the mean of differences, cut off to whole units."""
    a = _differences("mean", a)
    _refuse("mean", dtype=dtype, where=where)
    whole = _reduced("mean", a, "sum", axis, keepdims, None, False)
    return _result(a, _cut_quotient(whole._ticks, _count(a, axis)), "mean", out)


def median(
    op: str,
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Any:
    """Return the median of differences; no time where one is missing, which `nanmedian` passes over."""
    a = _differences(op, a)
    axes = tuple(range(a.ndim)) if axis is None else normalize_axes(op, axis, a.ndim)
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    rows = a._ordered.transpose((*kept, *axes)).reshape((*(a.shape[i] for i in kept), _count(a, axes)))
    length = rows.shape[-1]
    if length == 0:
        found = _core.full(rows.shape[:-1], NAT, np.int64, "C")
    else:
        rows = _core.sort(rows, -1) + 1
        found = _middle(rows, op == "nanmedian")
    if keepdims:
        found = found.reshape(tuple(1 if i in axes else n for i, n in enumerate(a.shape)))
    return _result(a, found, op, out)


def _middle(rows: ndarray, skips: bool) -> ndarray:
    """Return the medians of sorted counts, in which what is no time comes last."""
    length = rows.shape[-1]
    if skips:
        counts = (rows != NAT).sum(axis=-1, keepdims=True)
    else:
        counts = _core.full((*rows.shape[:-1], 1), length, np.int64, "C")
    below = _core.take_along_axis(rows, choose(counts > 0, counts - 1, 0) // 2, -1)[..., 0]
    above = _core.take_along_axis(rows, counts // 2 % length, -1)[..., 0]
    found = choose(counts[..., 0] % 2 == 0, _cut_quotient(below + above, 2), above)
    return choose((counts[..., 0] == 0) | (not skips) & (rows[..., -1] == NAT), NAT, found)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Return how far the latest is from the earliest."""
    apart = extremum("max", a, axis, None, keepdims) - extremum("min", a, axis, None, keepdims)
    return apart if out is None else apart._stored_into(out, apart, "ptp", None, "same_kind")


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Return running sums of differences; no time from the first that is none."""
    a = _differences("cumsum", a)
    _refuse("cumsum", dtype=dtype)
    flat = a.ravel() if axis is None or not a.ndim else a
    return _running("cumsum", "add", flat, 0 if axis is None else axis, out)


def _running(op: str, name: str, a: TimeArray, axis: Any, out: Any) -> Any:
    place = normalize_axis(op, axis, a.ndim)
    ufuncs = _core.ufuncs()
    found = ufuncs[name].accumulate(a._ticks, axis=place)
    lost = ufuncs["logical_or"].accumulate(a.isnat(), axis=place)
    return _result(a, choose(lost, NAT, found), op, out)


def truth(
    name: str, a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """Return whether any or all are other than zero."""
    _refuse(name, where=where)
    return getattr(_times(a)._ticks != 0, name)(axis=axis, out=out, keepdims=keepdims)


# -- methods of ufuncs ------------------------------------------------------------------------------------


def reduce(
    op: str,
    a: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Return what `ufunc.reduce` gives."""
    out = out[0] if isinstance(out, tuple) else out
    _refuse(op, dtype=dtype, initial=initial, where=where)
    if op in ("logical_or", "logical_and"):
        return truth("any" if op == "logical_or" else "all", a, axis, out, keepdims)
    if op not in _METHODS:
        return NotImplemented
    a = _differences(op, a) if op == "add" else _times(a)
    return _reduced(op, a, _METHODS[op], axis, keepdims, out, op in ("fmin", "fmax"))


def accumulate(op: str, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """Return what `ufunc.accumulate` gives."""
    out = out[0] if isinstance(out, tuple) else out
    _refuse(op, dtype=dtype)
    if op not in ("add", "minimum", "maximum"):
        return NotImplemented
    if np.ndim(a) == 0:
        raise TypeError(f"{op}: cannot accumulate on a scalar")
    return _running(op, op, _differences(op, a) if op == "add" else _times(a), axis, out)


def outer(op: str, a: Any, b: Any) -> Any:
    """Return what `ufunc.outer` gives."""
    from .._creation.from_data import asarray

    first, second = asarray(a), asarray(b)
    return call(op, (first.reshape((*first.shape, *((1,) * second.ndim))), second))

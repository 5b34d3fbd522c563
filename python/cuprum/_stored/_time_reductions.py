"""Sums, extrema, means and running results of dates and differences; NaT wherever one takes part."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._convert import normalize_axes, normalize_axis
from .._core import ndarray
from .._indexing.indexing import where as choose
from ._array import StoredArray
from ._time_ufuncs import _cut_quotient, call
from ._times import TimeArray
from ._units import NAT, counts_in

__all__ = [
    *("accumulate", "at", "cumsum", "extremum", "mean", "median", "outer", "ptp", "reduce", "reduceat"),
    *("total", "truth"),
]

_METHODS = {"minimum": "min", "maximum": "max", "add": "sum", "fmin": "min", "fmax": "max"}
_IDENTITY = {"min": np.iinfo(np.int64).max, "max": NAT + 1, "sum": 0}
_JOINING = {"min": "minimum", "max": "maximum", "sum": "add"}
_SKIPPING = {"fmin": "minimum", "fmax": "maximum"}
_LOGICAL = {"logical_or": "any", "logical_and": "all"}


def _checked_dtype(op: str, dtype: Any) -> None:
    """Refuse a dtype with a unit: NumPy's `dtype=` says which loop runs, and there is one."""
    if dtype is None:
        return
    found = np.dtype(dtype)
    if found.kind == "M" or (found.kind == "m" and np.datetime_data(found)[0] != "generic"):
        raise TypeError(f"{op}: dtype= selects differences as such, without a unit; convert by astype")


def _times(value: Any) -> TimeArray:
    if type(value) is TimeArray:
        return value
    return TimeArray.uploaded(np.asarray(value))


def _result(a: TimeArray, ticks: ndarray, op: str, out: Any) -> Any:
    made = TimeArray.of_ticks(ticks.astype(np.int64), a.dtype)
    if out is None:
        return made
    if np.shape(out) != made.shape:
        raise ValueError(f"{op}: out has shape {np.shape(out)}, the result {made.shape}")
    return a._stored_into(out, made, op, None, "same_kind")


def _reduced(
    op: str,
    a: TimeArray,
    name: str,
    axis: Any,
    keepdims: bool,
    out: Any,
    skips: bool,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Return an extremum or a sum of counts; of all times, or of those that are there."""
    ticks, none = a._ticks, a.isnat()
    missing = none
    if where is not True:
        if initial is None and name != "sum":
            raise ValueError(f"{op}: there is no identity, so with where= initial= has to be given")
        mask = _core.broadcast_to(_core.array(where, np.bool_, None, "K"), a.shape)
        none, missing = none & mask, none | ~mask
    if skips:
        lost = missing.all(axis=axis, keepdims=keepdims)
        ticks = choose(missing, _IDENTITY[name], ticks)
    else:
        lost = none.any(axis=axis, keepdims=keepdims)
        ticks = ticks if where is True else choose(mask, ticks, _IDENTITY[name])
    begin = {} if initial is None else {"initial": _IDENTITY[name]}
    found = choose(lost, NAT, getattr(ticks, name)(axis=axis, keepdims=keepdims, **begin))
    if initial is not None:
        if np.ndim(initial):
            raise ValueError(f"{op}: initial has to be one element, got the shape {np.shape(initial)}")
        first = a._converted(initial)
        joining = {"minimum": "fmin", "maximum": "fmax"} if skips else {}
        joined = joining.get(_JOINING[name], _JOINING[name])
        found = call(joined, (TimeArray.of_ticks(found, a.dtype), first))._ticks
    return _result(a, found, op, out)


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
    axis = axis if np.ndim(a) or axis not in (0, -1) else None
    name = op.removeprefix("nan").removeprefix("a")
    return _reduced(op, _times(a), name, axis, keepdims, out, op.startswith("nan"), initial, where)


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
    a = _differences("sum", a, axis)
    axis = axis if a.ndim else None
    _checked_dtype("sum", dtype)
    return _reduced("sum", a, "sum", axis, keepdims, out, False, initial, where)


def _checked_axis(op: str, a: TimeArray, axis: Any) -> None:
    """Refuse axes that are none of the array's, before its dtype; one element alone has a first axis."""
    if axis is not None and (a.ndim or axis not in (0, -1)):
        normalize_axes(op, axis, a.ndim)


def _differences(op: str, a: Any, axis: Any = None) -> TimeArray:
    times = _times(a)
    _checked_axis(op, times, axis)
    if times.dtype.kind != "m":
        raise TypeError(f"{op}: dates cannot be added; got dtype {times.dtype}")
    return times


def _count(a: TimeArray, axis: Any, keepdims: bool, where: Any) -> Any:
    """Return how many elements take part in each result."""
    if where is not True:
        mask = _core.broadcast_to(_core.array(where, np.bool_, None, "K"), a.shape)
        return mask.sum(axis=axis, keepdims=keepdims)
    axes = range(a.ndim) if axis is None else normalize_axes("mean", axis, a.ndim)
    return math.prod(a.shape[i] for i in axes)


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """Return the mean of differences, cut off to whole units: those of `out` where it is given."""
    times = _times(a)
    if axis is not None:
        normalize_axes("mean", axis, times.ndim)
    a = _differences("mean", times)
    _checked_dtype("mean", dtype)
    whole = _reduced("mean", a, "sum", axis, keepdims, out, False, None, where)
    return _result(whole, _cut_quotient(whole._ticks, _count(a, axis, keepdims, where)), "mean", out)


def median(
    op: str, a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """Return the median of differences; `nanmedian` passes over what is no time."""
    whole_row = op == "nanmedian" and (axis is None or a.ndim == 1)
    if whole_row and a.dtype.kind == "M" and a.size and bool(a.isnat().all()):
        # No dates are left that could not be added.
        return _result(a, a._ticks.min(axis, keepdims=keepdims), op, out)
    a = _differences(op, a, axis)
    axes = tuple(range(a.ndim)) if axis is None else normalize_axes(op, axis, a.ndim)
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    length = math.prod(a.shape[i] for i in axes)
    rows = a._ordered.transpose((*kept, *axes)).reshape((*(a.shape[i] for i in kept), length))
    counts = (rows != _IDENTITY["min"]).sum(axis=-1)
    dtype = a.dtype
    if length == 0:
        found = _core.full(rows.shape[:-1], NAT, np.int64, "C")
    else:
        rows = _core.sort(rows, -1) + 1
        there = counts if op == "nanmedian" else _core.full(counts.shape, length, np.int64, "C")
        low, high = (_at(rows, place) for place in ((there - 1) // 2, there // 2))
        even = there % 2 == 0
        whole = choose(even, low + high, high)
        if isinstance(out, StoredArray) and op == "median" and out.dtype.kind == "m":
            whole, dtype = counts_in(whole, dtype, out.dtype), out.dtype
        lost = counts == 0 if op == "nanmedian" else counts < length
        found = choose(lost, NAT, _cut_quotient(whole, choose(even, 2, 1)))
    if keepdims:
        found = found.reshape(tuple(1 if i in axes else n for i, n in enumerate(a.shape)))
    return _result(TimeArray.of_ticks(found, dtype), found, op, out)


def _at(rows: ndarray, places: ndarray) -> ndarray:
    """Return one element of each row."""
    inside = _core.ufuncs()["maximum"](places, 0)
    return _core.take_along_axis(rows, inside[..., None], -1)[..., 0]


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Return how far the latest is from the earliest."""
    apart = extremum("max", a, axis, None, keepdims) - extremum("min", a, axis, None, keepdims)
    return _result(apart, apart._ticks, "ptp", out)


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Return running sums of differences; no time from the first that is none."""
    a = _differences("cumsum", a, axis)
    flat = a.ravel() if axis is None or not a.ndim else a
    return _running("cumsum", "add", flat, 0 if axis is None else axis, out)


def _running(op: str, name: str, a: TimeArray, axis: Any, out: Any) -> Any:
    place = normalize_axis(op, axis, a.ndim)
    ufuncs = _core.ufuncs()
    ticks, none = a._ticks, a.isnat()
    if name in _SKIPPING:
        ticks = choose(none, _IDENTITY[_METHODS[name]], ticks)
    found = ufuncs[_SKIPPING.get(name, name)].accumulate(ticks, axis=place)
    lost = ufuncs["logical_and" if name in _SKIPPING else "logical_or"].accumulate(none, axis=place)
    return _result(a, choose(lost, NAT, found), op, out)


def truth(
    name: str, a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """Return whether any or all are other than zero."""
    mask = {} if where is True else {"where": where}
    return getattr(_times(a)._ticks != 0, name)(axis=axis, out=out, keepdims=keepdims, **mask)


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
    times = _times(a)
    _checked_axis(op, times, axis)
    axis = axis if times.ndim else None
    _checked_dtype(op, dtype)
    if op in _LOGICAL:
        return truth(_LOGICAL[op], times, axis, out, keepdims, where)
    if op not in _METHODS:
        return NotImplemented
    times = _differences(op, times) if op == "add" else times
    return _reduced(op, times, _METHODS[op], axis, keepdims, out, op in _SKIPPING, initial, where)


def accumulate(op: str, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """Return what `ufunc.accumulate` gives."""
    out = out[0] if isinstance(out, tuple) else out
    times = _times(a)
    _checked_axis(op, times, axis)
    if times.ndim == 0:
        raise TypeError(f"{op}: cannot accumulate on a scalar")
    _checked_dtype(op, dtype)
    place = normalize_axis(op, axis, times.ndim)
    if op in _LOGICAL:
        return _core.ufuncs()[op].accumulate(times._ticks != 0, axis=place, out=out)
    if op not in _METHODS:
        return NotImplemented
    return _running(op, op, _differences(op, times) if op == "add" else times, place, out)


def reduceat(op: str, a: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """Return what `ufunc.reduceat` gives."""
    out = out[0] if isinstance(out, tuple) else out
    times, ufuncs = _times(a), _core.ufuncs()
    _checked_dtype(op, dtype)
    place = normalize_axis(op, axis, times.ndim)
    if op in _LOGICAL:
        return ufuncs[op].reduceat(times._ticks != 0, indices, axis=place, out=out)
    if op not in _METHODS:
        return NotImplemented
    times = _differences(op, times) if op == "add" else times
    ticks, none = times._ticks, times.isnat()
    if op in _SKIPPING:
        ticks = choose(none, _IDENTITY[_METHODS[op]], ticks)
    found = ufuncs[_SKIPPING.get(op, op)].reduceat(ticks, indices, axis=place)
    lost = ufuncs["logical_and" if op in _SKIPPING else "logical_or"].reduceat(none, indices, axis=place)
    return _result(times, choose(lost, NAT, found), op, out)


def at(op: str, a: Any, indices: Any, b: Any = None) -> Any:
    """Change elements in place as `ufunc.at` does; one that is named twice is changed twice."""
    if type(a) is not TimeArray or op not in (*_METHODS, "subtract") or b is None:
        return NotImplemented
    kind = "m" if op in ("add", "subtract") else a.dtype.kind
    unit, count = np.datetime_data(a.dtype)
    same = np.dtype(f"{kind}8" if unit == "generic" else f"{kind}8[{count}{unit}]")
    other: Any = TimeArray.of_ticks(_core.zeros((), np.int64, "C"), same)._converted(b)
    given = getattr(b, "dtype", None) or np.asarray(b).dtype
    if given.kind not in "iub" and not np.can_cast(given, same, "same_kind"):
        raise TypeError(f"{op}: cannot cast from {given} to {same} according to the rule 'same_kind'")
    ufuncs, ticks, none = _core.ufuncs(), a._ticks, a.isnat()
    name = _METHODS.get(op, "sum")
    ufuncs[_SKIPPING.get(op, op)].at(
        ticks,
        indices,
        choose(other.isnat(), _IDENTITY[name], other._ticks),
    )
    if op in _SKIPPING:
        # An element without a time is below all others: it takes the first time that comes.
        if op == "fmin" and bool(none.any()):
            fresh = choose(none, _IDENTITY["min"], ticks)
            ufuncs["minimum"].at(fresh, indices, choose(other.isnat(), _IDENTITY["min"], other._ticks))
            ticks[...] = choose(none & (fresh == _IDENTITY["min"]), NAT, fresh)
        return None
    marks = none.copy()
    ufuncs["logical_or"].at(marks, indices, other.isnat())
    ticks[...] = choose(marks, NAT, ticks)
    return None


def outer(op: str, a: Any, b: Any) -> Any:
    """Return what `ufunc.outer` gives."""
    from .._creation.from_data import asarray

    first, second = asarray(a), asarray(b)
    return call(op, (first.reshape((*first.shape, *((1,) * second.ndim))), second))

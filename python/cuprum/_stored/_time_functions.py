"""Functions of NumPy's namespace for dates: order, sets, differences, limits, `arange`."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import _core
from .._indexing.indexing import where
from . import _time_reductions as reductions
from ._arguments import as_stored, dated, of_one_dtype, public
from ._time_quantiles import quantile
from ._time_ufuncs import shown
from ._times import TimeArray
from ._units import NAT

__all__ = ["OF_DATES"]

# -- order and sets ---------------------------------------------------------------------------------------


def _partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    return dated(public("partition")(a._ordered, kth, axis) + 1, a.dtype)


def _argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    return public("argpartition")(a._ordered, kth, axis)


def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    places, values = of_one_dtype("searchsorted", [a, v])
    return public("searchsorted")(places._ordered, values._ordered, side, sorter)


def _lexsort(keys: Any, axis: int = -1) -> Any:
    found = [as_stored(key) for key in keys]
    parts = [key._ordered if isinstance(key, TimeArray) else key for key in found]
    return public("lexsort")(tuple(parts), axis)


def _unique(name: str) -> Callable[..., Any]:
    def run(ar: Any, *args: Any, **keywords: Any) -> Any:
        ar = as_stored(ar)
        alike = keywords.pop("equal_nan", name == "unique")
        given = {**dict(zip(_UNIQUE_WANTS, args, strict=False)), **keywords}
        axis = given.get("axis")
        wants = _UNIQUE_PARTS.get(name) or tuple(bool(given.get(want)) for want in _UNIQUE_WANTS[:3])
        # Values alone are found by their counts, in one dimension too: no time is once among them.
        by_counts = (alike or not any(wants)) and (axis is None or ar.ndim == 1)
        if not by_counts and bool(ar.isnat().any()):
            found = _unique_apart(name, ar, axis, wants)
        else:
            found = public(name)(ar._ordered, *args, **keywords)
        if not isinstance(found, tuple):
            return dated(found + 1, ar.dtype)
        values = dated(found[0] + 1, ar.dtype)
        return found._replace(values=values) if hasattr(found, "_replace") else (values, *found[1:])

    return run


def _unique_apart(name: str, ar: TimeArray, axis: Any, wants: tuple[bool, ...]) -> Any:
    """Return unique elements, or rows along an axis, of which those with NaT equal no other."""
    lines = ar.ravel() if axis is None else public("moveaxis")(ar, axis, 0)
    flat = lines._ordered.reshape((lines.shape[0], -1))
    # A last column tells lines with NaT apart: their number, which no other line has.
    numbers = _core.arange(1, lines.shape[0] + 1)
    lost = lines.isnat().reshape(flat.shape).any(axis=1)
    marked = _core.concatenate([flat, where(lost, numbers, 0)[:, None]], 1)
    found = public("unique")(marked, *wants, axis=0)
    several = found if isinstance(found, tuple) else (found,)
    values = several[0][:, :-1].reshape((len(several[0]), *lines.shape[1:]))
    if axis is not None:
        values = public("moveaxis")(values, 0, axis)
    rest = list(several[1:])
    if wants[1] and axis is None:
        place = int(wants[0])
        rest[place] = rest[place].reshape(ar.shape)
    if name == "unique":
        return (values, *rest) if rest else values
    if name == "unique_values":
        return values
    return type(public(name)(_core.zeros(1, np.int64, "C")))(values, *rest)


_UNIQUE_WANTS = ("return_index", "return_inverse", "return_counts", "axis")
_UNIQUE_PARTS = {
    "unique_all": (True, True, True),
    "unique_counts": (False, False, True),
    "unique_inverse": (False, True, False),
    "unique_values": (False, False, False),
}


def _isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, kind: Any = None
) -> Any:
    try:
        a, b = of_one_dtype("isin", [element, test_elements])
    except TypeError:
        found = as_stored(element), as_stored(test_elements)
        if np.size(found[1]) and all(
            isinstance(part, TimeArray) and part.dtype.kind == "m" for part in found
        ):
            raise
        return _core.full(np.shape(found[0]), bool(invert), np.bool_, "C")
    # No time equals none.
    inside = public("isin")(a._ticks, b._ticks) & ~a.isnat()
    return ~inside if invert else inside


def _union1d(ar1: Any, ar2: Any) -> Any:
    a, b = of_one_dtype("union1d", [ar1, ar2])
    return dated(public("union1d")(a._ordered, b._ordered) + 1, a.dtype)


def _intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    a, b = of_one_dtype("intersect1d", [ar1, ar2])
    found = public("intersect1d")(a._ordered, b._ordered, assume_unique, return_indices)
    parts = found if return_indices else (found,)
    # No time equals none: it is in no common part.
    there = parts[0] + 1 != NAT
    values, *places = (part[there] for part in parts)
    return (dated(values + 1, a.dtype), *places) if return_indices else dated(values + 1, a.dtype)


def _setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    a, b = (part.ravel() for part in of_one_dtype("setxor1d", [ar1, ar2]))
    there = [part[~part.isnat()]._ordered for part in (a, b)]
    values = dated(public("setxor1d")(*there, assume_unique) + 1, a.dtype)
    # No time equals none: what is none stays, and comes last.
    none = [part[part.isnat()] for part in (a, b)]
    return public("concatenate")([values, *(part if assume_unique else part[:1] for part in none)])


def _setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    first = as_stored(ar1)
    alone = first.ravel() if assume_unique else public("unique")(first)
    return alone[public("isin")(alone, ar2, invert=True)]


# -- numbers of dates -------------------------------------------------------------------------------------


def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **keywords: Any) -> Any:
    low = keywords.pop("min", None) if a_min is None else a_min
    high = keywords.pop("max", None) if a_max is None else a_max
    result: Any = as_stored(a)
    if low is None and high is None:
        # As NumPy does it: there is nothing of this name for dates.
        result = _core.ufuncs()["positive"](result)
    if low is not None:
        result = _core.ufuncs()["maximum"](result, as_stored(low))
    if high is not None:
        result = _core.ufuncs()["minimum"](result, as_stored(high))
    return result.copy() if result is a and out is None else _into(out, result, "clip")


def _into(out: Any, result: Any, op: str) -> Any:
    return result if out is None else result._stored_into(out, result, op, None, "same_kind")


def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    flat = as_stored(ary).ravel()
    apart = flat[1:] - flat[:-1]
    for value in (to_begin, to_end):
        # NumPy asks whether it goes among the values, and stores it among their differences.
        given = np.asarray(value).dtype
        if value is not None and (flat.dtype.kind == "M" or not np.can_cast(given, flat.dtype, "same_kind")):
            raise TypeError(f"ediff1d: values of dtype {given} do not go with differences of {flat.dtype}")
    ends = [value if value is None else apart._converted(value).ravel() for value in (to_begin, to_end)]
    parts = [part for part in (ends[0], apart, ends[1]) if part is not None]
    return public("concatenate")(parts)


def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    if varargs or edge_order != 1:
        raise TypeError("gradient: dates have a spacing of one and edge_order 1")
    axes = range(f.ndim) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    found = [_slope(f, one) for one in axes]
    return found[0] if len(found) == 1 else tuple(found)


def _slope(f: Any, axis: int) -> Any:
    rows = public("moveaxis")(f, axis, 0)
    if len(rows) < 2:
        raise ValueError("gradient: an axis has fewer than 2 elements")
    inner = (rows[2:] - rows[:-2]) / 2.0
    parts = [rows[1:2] - rows[:1], inner, rows[-1:] - rows[-2:-1]]
    return public("moveaxis")(public("concatenate")(parts), 0, axis)


def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    if x is not None:
        raise TypeError("trapezoid: x beside values of dates is not supported; give dx")
    rows = public("moveaxis")(y, axis, 0)
    return reductions.total((rows[1:] + rows[:-1]) * dx / 2.0, axis=0)


def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return public("count_nonzero")(a._ticks, axis, keepdims=keepdims)


def _isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    raise TypeError(f"isclose: dates are compared exactly, by ==; got dtypes {shown((a, b))}")


def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    edges, values = as_stored(bins), as_stored(x)
    if isinstance(edges, TimeArray) or values.dtype.kind != "m" or edges.dtype.kind not in "biu":
        raise TypeError(f"digitize: bins are counts of differences, got dtypes {shown((x, bins))}")
    return public("digitize")(values._ordered, edges.astype(np.int64) - 1, right)


def _arange(*limits: Any, dtype: Any = None, **keywords: Any) -> Any:
    """Return dates a step apart, as NumPy counts them."""
    start, stop, step = (None, *limits, None) if len(limits) == 1 else (*limits, None)[:3]
    # Of no elements NumPy finds the dtype alone; the elements are made on the device.
    kind = np.arange(*((stop,) if start is None else (start, start)), **_step(start, step), dtype=dtype).dtype
    if isinstance(stop, datetime.timedelta):
        stop = np.timedelta64(stop)
    elif isinstance(stop, (str, datetime.date)) and kind.kind == "M":
        stop = np.datetime64(stop)
    if start is not None and step is None and isinstance(stop, np.timedelta64 | np.datetime64):
        kind = np.promote_types(kind, stop.dtype) if dtype is None else kind
    first = 0 if start is None else int(np.asarray(start).astype(kind).astype(np.int64))
    stride = 1 if step is None else int(_difference(step, kind))
    if stride == 0:
        raise ValueError("arange: maximum allowed size exceeded")
    last = np.asarray(stop)
    if last.dtype.kind in "iu" and kind.kind == "M" or last.dtype.kind == "m" and kind.kind == "M":
        end = first + int(_difference(stop, kind))
    else:
        end = int(last.astype(kind).astype(np.int64))
    if NAT in (first, end, stride):
        raise ValueError("arange: cannot use NaT (not-a-time) datetime values")
    return TimeArray.of_ticks(_core.arange(first, end, stride, np.int64), kind)


def _step(start: Any, step: Any) -> dict[str, Any]:
    return {} if step is None or start is None else {"step": step}


def _difference(value: Any, dtype: np.dtype[Any]) -> Any:
    unit = np.datetime_data(dtype)
    return (
        np.asarray(value).astype(f"m8[{unit[1]}{unit[0]}]" if unit[0] != "generic" else "m8").astype(np.int64)
    )


def _cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    if axis is None and x.ndim > 1:
        raise ValueError("cumulative_sum: for arrays of more than one dimension the axis is required")
    place = 0 if axis is None else axis
    running = reductions.cumsum(x, place, dtype, out)
    if not include_initial:
        return running
    before = public("zeros_like")(public("take")(running, [0], axis=place))
    return public("concatenate")([before, running], axis=place)


def _copied(x: Any, *args: Any, **keywords: Any) -> Any:
    return x.copy()


OF_DATES: dict[str, Callable[..., Any]] = {
    "partition": _partition,
    "argpartition": _argpartition,
    "searchsorted": _searchsorted,
    "lexsort": _lexsort,
    **{
        name: _unique(name)
        for name in ("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values")
    },
    "isin": _isin,
    "in1d": _isin,
    "union1d": _union1d,
    "intersect1d": _intersect1d,
    "setxor1d": _setxor1d,
    "setdiff1d": _setdiff1d,
    "clip": _clip,
    "ediff1d": _ediff1d,
    "gradient": _gradient,
    "trapezoid": _trapezoid,
    "count_nonzero": _count_nonzero,
    "digitize": _digitize,
    "isclose": _isclose,
    "allclose": _isclose,
    "arange": _arange,
    **{name: partial(quantile, name) for name in ("quantile", "percentile", "nanquantile", "nanpercentile")},
    "cumulative_sum": _cumulative_sum,
    "nan_to_num": _copied,
    "nonzero": lambda a: a.nonzero(),
    "argwhere": lambda a: public("argwhere")(a._ticks),
    "flatnonzero": lambda a: a.ravel().nonzero()[0],
    "nanargmin": lambda a, axis=None, **keywords: a.argmin(axis, **keywords),
    "nanargmax": lambda a, axis=None, **keywords: a.argmax(axis, **keywords),
    "trace": lambda a, *args, out=None, **keywords: reductions.total(
        public("diagonal")(a, *args[:3], **{k: v for k, v in keywords.items() if k != "dtype"}), -1, out=out
    ),
    **{
        name: partial(reductions.extremum, name)
        for name in ("min", "max", "amin", "amax", "nanmin", "nanmax")
    },
    **dict.fromkeys(("sum", "nansum"), reductions.total),
    **dict.fromkeys(("mean", "nanmean"), reductions.mean),
    **{name: partial(reductions.median, name) for name in ("median", "nanmedian")},
    **dict.fromkeys(("cumsum", "nancumsum"), reductions.cumsum),
    "ptp": reductions.ptp,
    "any": partial(reductions.truth, "any"),
    "all": partial(reductions.truth, "all"),
}

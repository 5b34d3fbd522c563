"""Functions of NumPy's namespace for arrays of stored dtypes: those that move elements, and those of dates.

A function for plain arrays comes here once the engine has refused its arguments (`call`). What only moves
elements runs on the counts of dates; of structures it moves positions, and the structures are taken there.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._convert import NoValue, normalize_axes
from .._core import ndarray
from ._arguments import as_stored, counts_of, dated, is_column, of_one_dtype, public
from ._array import StoredArray, is_stored
from ._making import stored_of
from ._record_order import sort_records
from ._record_views import RECORD_VIEWS, diag
from ._records import RecordArray
from ._time_functions import OF_DATES
from ._times import TimeArray

__all__ = ["call"]


def call(error: TypeError | ValueError, op: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return what a function gives for stored arrays among its arguments, or raise what the engine raised.

    Arrays of NumPy's and lists of dates become stored arrays first. A function that has no answer returns
    NotImplemented.
    """
    function = _FUNCTIONS.get(op)
    given = (*args, *keywords.values())
    if function is None or not (any(map(_holds_stored, given)) or _goes_with_dates(op, given)):
        raise error
    made = {name: _argument(op, value) for name, value in keywords.items()}
    arrays = [_argument(op, value) for value in args]
    if op not in _OF_ALL:
        _check_is_computed(op, (*arrays, *made.values()))
    found = function(*arrays, **made)
    if found is NotImplemented:
        raise error
    return found


def _goes_with_dates(op: str, values: tuple[Any, ...]) -> bool:
    """Return whether Python's dates are among arguments of a function that takes single ones."""
    return op in _OF_SINGLE and any(
        isinstance(value, (datetime.date, datetime.timedelta)) for value in values
    )


def _argument(op: str, value: Any) -> Any:
    """Return NumPy's arrays and lists of dates as arrays; a list of arrays stays one where it is wanted.

    Single dates stay as they are: by what they are it is decided whether they go into an array.
    """
    if isinstance(value, np.ndarray) or is_column(value):
        return as_stored(value)
    if isinstance(value, (list, tuple)) and op not in _OF_LISTS:
        return as_stored(value)
    return value


def _check_is_computed(op: str, values: tuple[Any, ...]) -> None:
    """Refuse arrays whose elements are moved, and not computed with: all but dates."""
    for value in values:
        if isinstance(value, (list, tuple)):
            _check_is_computed(op, tuple(value))
        elif isinstance(value, StoredArray) and not isinstance(value, TimeArray):
            raise TypeError(
                f"{op}: structures and numbers in another order of bytes are moved, not computed with; "
                f"got dtype {value.dtype}"
            )


def _holds_stored(value: Any) -> bool:
    """Return whether an argument is, or lists, an array or a dtype of those that are stored."""
    if isinstance(value, (list, tuple)):
        return any(_holds_stored(item) for item in value)
    if isinstance(value, np.dtype):
        return is_stored(value)
    if isinstance(value, str):
        return value[:2] in ("M8", "m8") or value.startswith(("datetime64", "timedelta64"))
    return getattr(type(value), "_is_stored", False) or is_stored(getattr(value, "dtype", None))


# -- elements in other places -----------------------------------------------------------------------------


def _moved(name: str) -> Callable[..., Any]:
    """Return a function that moves the elements of its first argument."""

    def run(a: Any, *args: Any, **keywords: Any) -> Any:
        a, function = as_stored(a), public(name)
        if isinstance(a, TimeArray):
            if name == "pad":
                return _padded(a, *args, **keywords)
            args = tuple(_counts(a, value) if _holds_stored(value) else value for value in args)
            return dated(function(a._ticks, *args, **keywords), a.dtype)
        if not isinstance(a, StoredArray):
            raise TypeError(
                f"{name}: elements of dtype {np.asarray(args[0]).dtype} cannot be taken for numbers"
            )
        if name == "asfortranarray":
            found = a._view(a._bytes) if a.flags.f_contiguous else a.copy("F")
            return found if a.ndim else found.reshape(1)
        if name in RECORD_VIEWS:
            return RECORD_VIEWS[name](a, *args, **keywords)
        if name == "diag" and a.ndim == 2:
            return diag(a, *args, **keywords)
        if name in ("tril", "triu"):
            # NumPy chooses between elements and zeros, whose common dtype leaves no room between fields.
            a = a.astype(np.result_type(a.dtype), copy=False)
        if name == "pad":
            _check_moves(*args, **keywords)
        # Position 0 stands for an element of zeros, by which functions fill.
        elements = _followed_by(a._like(_core.zeros((1, a.itemsize), np.uint8, "C")), a)
        positions = _core.arange(1, a.size + 1).reshape(a.shape)
        found = _taken(elements, function(positions, *args, **keywords))
        # NumPy joins copies, whose common dtype leaves no room between fields.
        is_joined = name == "resize" and a.size and found.size
        return found.astype(np.result_type(a.dtype), copy=False) if is_joined else found

    return run


_PADDING = ("constant", "edge", "empty", "reflect", "symmetric", "wrap")


def _check_moves(pad_width: Any, mode: Any = "constant", **keywords: Any) -> None:
    """Refuse what `pad` would compute: structures are moved, and zeros put around them."""
    if mode not in _PADDING or {"constant_values", "end_values"} & {*keywords}:
        raise TypeError(
            f"pad: structures are moved or zeros, not computed; got mode {mode!r} and {[*keywords]}"
        )


def _padded(a: TimeArray, pad_width: Any, mode: Any = "constant", **keywords: Any) -> Any:
    """Return dates with others around them: none that would have to be computed from their mean."""
    if mode in ("mean", "median", "linear_ramp") or callable(mode):
        raise TypeError(f"pad: mode {mode!r} is not there for dates and differences; got dtype {a.dtype}")
    values = {name: _counts(a, value) for name, value in keywords.items()}
    if mode == "maximum":
        # No time is the last of all in this order, and the result where there is one.
        return dated(public("pad")(a._ordered, pad_width, mode, **values) + 1, a.dtype)
    return dated(public("pad")(a._ticks, pad_width, mode, **values), a.dtype)


def _counts(a: TimeArray, value: Any) -> Any:
    """Return values as counts of the unit of dates that they go with."""
    if isinstance(value, (list, tuple)) and not isinstance(value, np.ndarray):
        return type(value)(_counts(a, item) for item in value)
    return _values_for(a, value) if isinstance(value, str) or _holds_stored(value) else value


def _followed_by(a: StoredArray, b: StoredArray) -> Any:
    """Return the elements of two arrays, one after the other, in the dtype of both: no field moves."""
    return a._like(_core.concatenate([a.ravel()._bytes, b.ravel()._bytes], 0))


def _taken(flat: StoredArray, positions: Any) -> Any:
    if isinstance(positions, (list, tuple)):
        return type(positions)([_taken(flat, item) for item in positions])
    return flat[positions]


def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **ignored: Any) -> Any:
    if not isinstance(a, StoredArray) or not hasattr(a, "sort"):
        return NotImplemented
    if isinstance(a, RecordArray):
        return sort_records("sort", a.ravel() if axis is None else a, -1 if axis is None else axis, order)
    if order is not None:
        return NotImplemented
    made: Any = a.flatten() if axis is None else a.copy()
    made.sort(axis=-1 if axis is None else axis)
    return made


def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **ignored: Any) -> Any:
    if not isinstance(a, StoredArray) or not hasattr(a, "argsort"):
        return NotImplemented
    if order is not None and not isinstance(a, RecordArray):
        return NotImplemented
    return (a.ravel() if axis is None else a).argsort(-1 if axis is None else axis, order=order)


def _flip(a: Any, axis: Any = None) -> Any:
    if not isinstance(a, StoredArray):
        return NotImplemented
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for one in axes:
        if not -a.ndim <= one < a.ndim:
            raise np.exceptions.AxisError(one, a.ndim)
    # A number stands for an axis of elements, never for that of their bytes.
    return a._view(_core.flip(a._bytes, tuple(one % a.ndim for one in axes)))


def _where(condition: Any, x: Any = NoValue, y: Any = NoValue) -> Any:
    if x is NoValue:
        return public("nonzero")(condition)
    x, y = as_stored(x), as_stored(y)
    if not isinstance(x, StoredArray) and not isinstance(y, StoredArray):
        return NotImplemented
    parts = of_one_dtype("where", [x, y], mixed=True)
    dtype = parts[0].dtype
    mask = _core.array(condition, np.bool_, None, "K")
    ndim = max(mask.ndim, *(part.ndim for part in parts))
    # Axes are added in front of the elements' own, so that bytes lie over bytes.
    data = [part[(None,) * (ndim - part.ndim)]._bytes for part in parts]
    return stored_of(_core.where(mask[..., None], *data), dtype)


def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    parts = of_one_dtype("choose", list(choices))
    return dated(public("choose")(a, [part._ticks for part in parts], mode=mode), parts[0].dtype)


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    *parts, rest = of_one_dtype("select", [*choicelist, default], mixed=True)
    given = [as_stored(choice) for choice in choicelist]
    if rest.dtype.kind == "M" and any(getattr(one, "dtype", rest.dtype).kind != "M" for one in given):
        # A default is cast as `full` does it, choices as `copyto` does.
        raise TypeError("select: differences are no dates: only the default is taken for one")
    return dated(public("select")(condlist, [part._ticks for part in parts], rest._ticks), rest.dtype)


def _block(arrays: Any) -> Any:
    flat: list[Any] = []

    def numbered(item: Any) -> Any:
        if isinstance(item, list):
            return [numbered(inner) for inner in item]
        flat.append(item)
        return len(flat) - 1

    places = numbered(arrays)
    parts = of_one_dtype("block", flat)

    def counted(place: Any) -> Any:
        return [counted(inner) for inner in place] if isinstance(place, list) else parts[place]._ticks

    return dated(public("block")(counted(places)), parts[0].dtype)


def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    arr = as_stored(arr)
    if isinstance(arr, StoredArray) and not isinstance(arr, TimeArray):
        new = arr._converted(values)
        positions = _core.arange(arr.size + new.size)
        places, new_places = positions[: arr.size].reshape(arr.shape), positions[arr.size :]
        elements = _followed_by(arr, new)
        return elements[public("insert")(places, obj, new_places.reshape(new.shape), axis)]
    if not isinstance(arr, TimeArray):
        numbers = public("asarray")(arr)
        return public("insert")(numbers, obj, counts_of(values).astype(numbers.dtype), axis)
    counts = _values_for(arr, values)
    return dated(public("insert")(arr._ticks, obj, counts, axis), arr.dtype)


def _of_second(name: str) -> Callable[..., Any]:
    """Return a function that moves the elements of its second argument: `compress`, `extract`."""

    def run(condition: Any, a: Any, *args: Any, **keywords: Any) -> Any:
        a, function = as_stored(a), public(name)
        condition = as_stored(condition)
        if isinstance(condition, TimeArray):
            condition = condition._ticks != 0
        if not isinstance(a, StoredArray):
            return function(condition, a, *args, **keywords)
        if isinstance(a, TimeArray):
            return dated(function(condition, a._ticks, *args, **keywords), a.dtype)
        positions = _core.arange(a.size).reshape(a.shape)
        return _taken(a.ravel(), function(condition, positions, *args, **keywords))

    return run


def _meshgrid(*xi: Any, **keywords: Any) -> Any:
    xi = tuple(as_stored(x) for x in xi)
    found = public("meshgrid")(*(x._ticks if isinstance(x, TimeArray) else x for x in xi), **keywords)
    grids = [dated(y, x.dtype) if isinstance(x, TimeArray) else y for x, y in zip(xi, found, strict=True)]
    return type(found)(grids)


def _values_for(a: TimeArray, values: Any) -> ndarray:
    """Return values that are stored among dates, as counts of their unit."""
    made: Any = a._converted(values)
    counts: ndarray = made._ticks
    return counts


def _written(name: str) -> Callable[..., Any]:
    """Return a function that writes values into its first argument: `put`, `place`, `putmask`."""

    def run(a: Any, places: Any, values: Any, *args: Any, **keywords: Any) -> None:
        is_array = isinstance(values, (StoredArray, ndarray, np.ndarray))
        if name != "put" and is_array and not np.can_cast(values.dtype, a.dtype, "safe"):
            raise TypeError(
                f"{name}: cannot cast from {values.dtype} to {a.dtype} according to the rule 'safe'"
            )
        if isinstance(a, StoredArray) and not isinstance(a, TimeArray):
            _write_elements(name, a, (places,), values, *args, **keywords)
            return
        if not isinstance(a, TimeArray):
            public(name)(a, places, counts_of(values).astype(a.dtype), *args, **keywords)
            return
        public(name)(a._ticks, places, _values_for(a, values), *args, **keywords)

    return run


def _write_elements(
    name: str, a: StoredArray, places: tuple[Any, ...], values: Any, *args: Any, **keywords: Any
) -> None:
    """Write structures by a function for numbers: it writes their positions, and they are taken there."""
    new = a._converted(values)
    positions = _core.arange(a.size).reshape(a.shape)
    public(name)(
        positions, *places, _core.arange(a.size, a.size + new.size).reshape(new.shape), *args, **keywords
    )
    if a.size:
        a[...] = _followed_by(a, new)[positions]


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    if isinstance(a, TimeArray):
        public("fill_diagonal")(a._ticks, _values_for(a, val), wrap)
    elif isinstance(a, StoredArray):
        _write_elements("fill_diagonal", a, (), val, wrap)
    else:
        public("fill_diagonal")(a, counts_of(val).astype(a.dtype), wrap)


def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    if isinstance(arr, TimeArray):
        public("put_along_axis")(arr._ticks, indices, _values_for(arr, values), axis)
    elif isinstance(arr, StoredArray):
        _write_elements("put_along_axis", arr, (indices,), values, axis)
    else:
        public("put_along_axis")(arr, indices, counts_of(values).astype(arr.dtype), axis)


# -- equality and dtypes ----------------------------------------------------------------------------------


def _as_array(value: Any) -> Any:
    found = as_stored(value)
    return found if hasattr(found, "ravel") else public("asarray")(found)


def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    parts = [_as_array(arr), _as_array(values)]
    return public("concatenate")([part.ravel() for part in parts] if axis is None else parts, axis or 0)


def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    a, b = as_stored(a1), as_stored(a2)
    if np.shape(a) != np.shape(b):
        return False
    same = a == b
    if equal_nan and isinstance(a, TimeArray) and isinstance(b, TimeArray):
        same = same | a.isnat() & b.isnat()
    return bool(same.all())


def _array_equiv(a1: Any, a2: Any) -> Any:
    try:
        return bool((as_stored(a1) == as_stored(a2)).all())
    except ValueError:
        return False


def _dtype_of(value: Any) -> Any:
    is_array = getattr(type(value), "_is_stored", False) or isinstance(value, ndarray)
    return value.dtype if is_array else value


def _by_numpy(name: str) -> Callable[..., Any]:
    """Return a function of dtypes alone, which is NumPy's."""

    def run(*args: Any, **keywords: Any) -> Any:
        return getattr(np, name)(*(_dtype_of(value) for value in args), **keywords)

    return run


_OF_SINGLE = ("arange", "where", "put", "place", "putmask", "put_along_axis", "insert")
"""Functions that take single dates beside numbers: as limits, choices or values to be stored."""

_OF_LISTS = ("block", "choose", "lexsort", "place", "put", "putmask", "select")
"""Functions that take lists of arrays, or of values to be stored."""

_OF_ALL: dict[str, Callable[..., Any]] = {
    **{
        name: _moved(name)
        for name in (
            *("roll", "repeat", "tile", "resize", "rot90", "delete", "take", "take_along_axis"),
            *("moveaxis", "swapaxes", "rollaxis", "expand_dims", "matrix_transpose", "permute_dims"),
            *("fliplr", "flipud", "split", "array_split", "hsplit", "vsplit", "dsplit", "unstack"),
            *("diag", "diagflat", "diagonal", "tril", "triu", "asfortranarray", "pad"),
        )
    },
    "sort": _sort,
    "argsort": _argsort,
    "flip": _flip,
    "where": _where,
    "insert": _insert,
    **{name: _of_second(name) for name in ("compress", "extract")},
    "append": _append,
    "array_equal": _array_equal,
    "array_equiv": _array_equiv,
    **{name: _by_numpy(name) for name in ("can_cast", "result_type", "promote_types")},
    **{name: _written(name) for name in ("put", "place", "putmask")},
    "put_along_axis": _put_along_axis,
    "fill_diagonal": _fill_diagonal,
}
"""What takes structures too: functions that move elements, compare them or tell dtypes."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **_OF_ALL,
    "trim_zeros": _moved("trim_zeros"),
    "choose": _choose,
    "select": _select,
    "block": _block,
    "meshgrid": _meshgrid,
    **OF_DATES,
}


def _method(name: str) -> Callable[..., Any]:
    def method(self: StoredArray, *args: Any, **keywords: Any) -> Any:
        return _FUNCTIONS[name](self, *args, **keywords)

    method.__name__ = name
    method.__doc__ = f"See `cuprum.{name}`."
    return method


# Methods of the names that functions have, the array being their first argument.
for _name in ("repeat", "swapaxes", "diagonal", "put"):
    setattr(StoredArray, _name, _method(_name))
for _name in (
    *("min", "max", "sum", "mean", "ptp", "cumsum", "any", "all", "clip"),
    *("searchsorted", "argpartition", "trace"),
):
    setattr(TimeArray, _name, _method(_name))


def _no_loop(name: str) -> Callable[..., Any]:
    def method(self: TimeArray, axis: Any = None, *args: Any, **keywords: Any) -> Any:
        if (
            name in ("prod", "cumprod", "std", "var")
            and axis is not None
            and (self.ndim or axis not in (0, -1))
        ):
            normalize_axes(name, axis, self.ndim)
        raise TypeError(f"{name}: no loop for operands of dtype {self.dtype}")

    method.__name__ = name
    method.__doc__ = "Raise TypeError: dates and differences have no such function."
    return method


for _name in ("prod", "cumprod", "std", "var", "round", "conj", "conjugate", "dot"):
    setattr(TimeArray, _name, _no_loop(_name))


def _partition(self: TimeArray, kth: Any, axis: int = -1, kind: Any = None, order: Any = None) -> None:
    """See `cuprum.partition`; in place."""
    self[...] = _FUNCTIONS["partition"](self, kth, axis)


TimeArray.partition = _partition  # type: ignore[attr-defined]


def _compress(self: StoredArray, condition: Any, axis: Any = None, out: Any = None) -> Any:
    """See `cuprum.compress`."""
    return _FUNCTIONS["compress"](condition, self, axis)


StoredArray.compress = _compress  # type: ignore[attr-defined]

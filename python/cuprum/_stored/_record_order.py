"""The order of structures: by one field after the other, those that are named before all others."""

from __future__ import annotations

from typing import Any

from .._convert import normalize_axis
from .._core import ndarray
from ._arguments import public
from ._array import StoredArray

__all__ = ["argsort_records", "sort_records"]


def _fields_in_order(op: str, a: Any, order: Any) -> list[str]:
    """Return the names of the fields by which structures are compared, the most significant first."""
    names = a.dtype.names
    if not names:
        raise TypeError(f"{op}: elements of dtype {a.dtype} have no order")
    first = [order] if isinstance(order, str) else list(order or ())
    for place, name in enumerate(first):
        if name not in names:
            raise ValueError(f"{op}: unknown field name: {name!r}; there are {', '.join(names)}")
        if name in first[:place]:
            raise ValueError(f"{op}: duplicate field name: {name!r}")
    return [*first, *(name for name in names if name not in first)]


def _key(op: str, a: Any, name: str) -> ndarray:
    """Return a field as numbers in the order of its elements."""
    field = a[name]
    ordered = getattr(field, "_ordered", field)
    if isinstance(ordered, StoredArray) or field.ndim != a.ndim:
        rest = [other for other in a.dtype.names if other != name]
        raise TypeError(
            f"{op}: field {name!r} of dtype {a.dtype[name]} has no order: "
            f"sort by others, a[cuprum.argsort(a[{rest}])]"
        )
    return ordered  # type: ignore[no-any-return]


def argsort_records(op: str, a: Any, axis: Any, order: Any) -> ndarray:
    """Return the positions that sort structures along an axis."""
    axis = normalize_axis(op, axis, a.ndim)
    # The last key of `lexsort` is the most significant one.
    keys = [_key(op, a, name) for name in reversed(_fields_in_order(op, a, order))]
    found: ndarray = public("lexsort")(tuple(keys), axis=axis)
    return found


def sort_records(op: str, a: Any, axis: Any, order: Any) -> Any:
    """Return structures, sorted along an axis."""
    return public("take_along_axis")(a, argsort_records(op, a, axis, order), axis)

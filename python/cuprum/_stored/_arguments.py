"""What functions of stored arrays begin with: their arguments as such arrays, in one dtype."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from .._core import ndarray
from ._array import StoredArray, is_stored
from ._making import _array
from ._records import RecordArray
from ._time_ufuncs import operand_of
from ._times import TimeArray
from ._units import common_dtype

__all__ = ["as_stored", "counts_of", "dated", "of_one_dtype", "public"]


def public(name: str) -> Callable[..., Any]:
    """Return the function of that name, which is called with plain arrays in place of stored ones."""
    import cuprum

    found: Callable[..., Any] = getattr(cuprum, name)
    return found


def as_stored(value: Any) -> Any:
    """Return an argument as a stored array where it is one, ours or NumPy's, or lists dates."""
    if getattr(type(value), "_is_stored", False):
        return value
    if isinstance(value, (datetime.date, datetime.timedelta)):
        value = np.asarray(value, "m8" if isinstance(value, datetime.timedelta) else "M8")
    if (isinstance(value, (np.ndarray, np.generic)) or is_column(value)) and is_stored(value.dtype):
        return _array(value, None, None, None, 0)
    if isinstance(value, (list, tuple)):
        made = _array(value, None, None, None, 0)
        return made if isinstance(made, StoredArray) else value
    return value


def is_column(value: Any) -> bool:
    """Return whether a value is another library's and shows NumPy its elements, as a pandas column does.

    Arrays with NumPy's functions of their own, such as Dask's, are not read.
    """
    kind = type(value)
    return (
        not issubclass(kind, np.generic)
        and hasattr(kind, "__array__")
        and not hasattr(kind, "__array_function__")
        and isinstance(getattr(value, "dtype", None), np.dtype)
    )


def counts_of(value: Any) -> ndarray:
    """Return dates or differences as the numbers that they are stored as in an array of numbers.

    A structure of one field is what it holds.
    """
    found = as_stored(value)
    if isinstance(found, RecordArray) and len(found.dtype.names or ()) == 1:
        held = found.single_field()
        return counts_of(held) if isinstance(held, StoredArray) else held
    if not isinstance(found, TimeArray):
        raise TypeError(f"elements of dtype {getattr(found, 'dtype', type(found))} are no numbers")
    return found._ticks


def dated(found: Any, dtype: np.dtype[Any]) -> Any:
    """Return counts, alone or in a list, as dates."""
    if isinstance(found, (list, tuple)):
        return type(found)([dated(item, dtype) for item in found])
    return TimeArray.of_ticks(found, dtype)


def of_one_dtype(op: str, values: list[Any], mixed: bool = False) -> list[Any]:
    """Return arrays in the dtype that they have in common; whole numbers are differences.

    Dates and differences have none, unless they may be mixed: then the counts of differences are dates.
    """
    parts = [as_stored(value) for value in values]
    if any(isinstance(part, TimeArray) for part in parts):
        found = [operand_of(part) for part in parts]
        if any(item is None for item in found):
            raise TypeError(f"{op}: these have no dtype in common")
        kinds = {item.kind for item in found if item is not None}
        if not mixed and {"M", "m"} <= kinds:
            raise TypeError(f"{op}: dates and differences have no dtype in common")
        units = [item.dtype for item in found if item is not None and item.dtype is not None]
        dtype = common_dtype(op, *units)
        if dtype.kind == "m":
            found = [item and item.beside(dtype) for item in found]
        times = [item for item in found if item is not None]
        if any(item.dtype is None for item in times):
            raise TypeError(f"{op}: dates and numbers have no dtype in common")
        made = [TimeArray.of_ticks(item.values, item.dtype) for item in times if item.dtype is not None]
        return [part.astype(dtype, copy=False) for part in made]
    rows = [part if isinstance(part, StoredArray) else _array(part, None, None, None, 0) for part in parts]
    if any(row is None for row in rows):
        raise TypeError(f"{op}: these have no dtype in common")
    dtype = np.result_type(*(row.dtype for row in rows))
    return [row.astype(dtype, copy=False) for row in rows]

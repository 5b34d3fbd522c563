"""What libraries that ask for NumPy's class by name are told: to take arrays on the CPU as NumPy's.

Where they did not, pandas would look for columns named True, Polars would drop the name of a column, and
Matplotlib would draw boxes of rows in place of columns.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ._core import ndarray

__all__ = [
    "matplotlib_data",
    "matplotlib_units",
    "pandas_groups",
    "pandas_keys",
    "pandas_values",
    "polars_columns",
]

_OF_POLARS = {
    "Series": ("__init__", "_arithmetic", "_comp", "__getitem__", "__setitem__"),
    "DataFrame": ("__init__", "__getitem__"),
    "LazyFrame": ("filter",),
}
"""The methods of Polars' that ask for NumPy's class."""


def _shared(value: Any) -> Any:
    """Return NumPy's array over the memory of an array on the CPU.

    One on a GPU is not converted unasked: the error says what to write.
    """
    return np.asarray(value) if isinstance(value, ndarray) else value


def _copied(value: Any) -> Any:
    """Return a copy likewise, for what never changes but may lie in the memory of NumPy's arrays."""
    return np.asarray(value).copy() if isinstance(value, ndarray) else value


def _let_take_arrays(owner: Any, name: str, convert: Callable[[Any], Any] = _shared) -> None:
    """Let a function or method, if this version has it, convert arrays among its arguments."""
    plain = getattr(owner, "__dict__", {}).get(name)
    if plain is None or hasattr(plain, "_takes_arrays"):
        return

    @functools.wraps(plain)
    def taking(*args: Any, **kwargs: Any) -> Any:
        return plain(*map(convert, args), **{key: convert(value) for key, value in kwargs.items()})

    taking._takes_arrays = True  # type: ignore[attr-defined]
    setattr(owner, name, taking)


def pandas_keys() -> None:
    """Let `df[mask]` select rows: frames, series and their `loc` ask one function whether a key is one."""
    _let_take_arrays(importlib.import_module("pandas.core.common"), "apply_if_callable")


def pandas_groups() -> None:
    """Let `df.groupby(array)` group by elements, where pandas would call the array as a function."""
    _let_take_arrays(importlib.import_module("pandas.core.groupby.grouper"), "_convert_grouper")


def pandas_values() -> None:
    """Let `pd.unique`, `pd.factorize` and their like take arrays."""
    _let_take_arrays(importlib.import_module("pandas.core.algorithms"), "_ensure_arraylike")


def polars_columns() -> None:
    """Let series, frames, masks and literals of Polars' be made from arrays."""
    polars: Any = importlib.import_module("polars")
    for name, methods in _OF_POLARS.items():
        for method in methods:
            _let_take_arrays(getattr(polars, name, None), method, _copied)
    functions = importlib.import_module("polars.functions")
    if hasattr(functions, "lit"):
        _let_take_arrays(functions, "lit", _copied)
        polars.lit = functions.lit


def matplotlib_data() -> None:
    """Let Matplotlib see columns where it looks for NumPy's matrices, as for box plots."""
    _let_take_arrays(importlib.import_module("matplotlib.cbook"), "_unpack_to_numpy")


def matplotlib_units() -> None:
    """Let Matplotlib see numbers, which have no unit, where it looks at the first element of an array."""
    _let_take_arrays(importlib.import_module("matplotlib.units"), "_is_natively_supported")

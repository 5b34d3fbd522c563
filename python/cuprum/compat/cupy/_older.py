"""Names that NumPy 2 has given up and CuPy still has."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Any

import numpy as np

import cuprum
from cuprum.exceptions import (
    AxisError,
    ComplexWarning,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)

__all__ = [
    "AxisError",
    "ComplexWarning",
    "DataSource",
    "Inf",
    "Infinity",
    "ModuleDeprecationWarning",
    "NAN",
    "NINF",
    "NZERO",
    "NaN",
    "PINF",
    "PZERO",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
    "alltrue",
    "asfarray",
    "byte_bounds",
    "cfloat",
    "complex_",
    "cumproduct",
    "disable_experimental_feature_warning",
    "disp",
    "find_common_type",
    "float_",
    "format_parser",
    "get_array_wrap",
    "infty",
    "issctype",
    "issubclass_",
    "issubsctype",
    "msort",
    "obj2sctype",
    "product",
    "round_",
    "row_stack",
    "safe_eval",
    "sctype2char",
    "show_config",
    "singlecomplex",
    "sometrue",
    "trapz",
    "who",
]

Inf = Infinity = PINF = infty = np.inf
NINF = -np.inf
NAN = NaN = np.nan
PZERO, NZERO = 0.0, -0.0
float_ = np.float64
complex_ = cfloat = np.complex128
singlecomplex = np.complex64
disable_experimental_feature_warning = False

alltrue = cuprum.all
sometrue = cuprum.any
product = cuprum.prod
cumproduct = cuprum.cumprod
round_ = cuprum.around
trapz = cuprum.trapezoid
DataSource = np.lib.npyio.DataSource
format_parser = np.rec.format_parser
safe_eval = ast.literal_eval


def row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Join arrays along their first axis: the older name of `vstack`, which warns as NumPy's does.

    Examples
    --------
    >>> import warnings
    >>> from cuprum.compat import cupy
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cupy.row_stack([cp.ones(2), cp.zeros(2)]).shape
    (2, 2)
    """
    warnings.warn("row_stack is deprecated: use vstack instead", DeprecationWarning, stacklevel=2)
    return cuprum.vstack(tup, dtype=dtype, casting=casting)


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Write a message to a file, the standard output by default."""
    target = sys.stdout if device is None else device
    target.write(f"{mesg}\n" if linefeed else f"{mesg}")
    target.flush()


def find_common_type(array_types: Any, scalar_types: Any) -> np.dtype[Any]:
    """Return the dtype that arrays have in common, or numbers where these are of a higher kind."""
    arrays = [np.dtype(one) for one in array_types]
    numbers = [np.dtype(one) for one in scalar_types]
    wide = np.result_type(*arrays) if arrays else None
    single = np.result_type(*numbers) if numbers else None
    if wide is None or single is None:
        found = single if wide is None else wide
        if found is None:
            raise ValueError("find_common_type: at least one type is needed")
        return found
    order = "buifc"
    return single if order.find(single.kind) > order.find(wide.kind) else wide


def get_array_wrap(*args: Any) -> Any:
    """Return the `__array_wrap__` of the argument that has the highest `__array_priority__`; None where there
    is none.
    """
    found = [one for one in args if hasattr(one, "__array_wrap__")]
    if not found:
        return None
    return max(found, key=lambda one: getattr(one, "__array_priority__", 0)).__array_wrap__


def msort(a: Any) -> Any:
    """Return a copy of an array sorted along its first axis."""
    return cuprum.sort(a, axis=0)


def asfarray(a: Any, dtype: Any = np.float64) -> Any:
    """Return an array of floating-point numbers; a dtype that holds none becomes float64."""
    inexact = np.issubdtype(np.dtype(dtype), np.inexact)
    return cuprum.asarray(a, dtype=dtype if inexact else np.float64)


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """Return the scalar type of an array, a dtype or a type; `default` where there is none."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    try:
        return np.dtype(getattr(rep, "dtype", rep)).type
    except (TypeError, ValueError):
        return default


def issctype(rep: Any) -> bool:
    """Return whether an object is a scalar type, or a dtype of one."""
    found = obj2sctype(rep) if isinstance(rep, (type, np.dtype)) else None
    return found is not None and found is not np.object_


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """Return whether a class is a subclass of another; False where either is no class."""
    return isinstance(arg1, type) and isinstance(arg2, (type, tuple)) and issubclass(arg1, arg2)


def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Return whether one scalar type, of arrays or dtypes too, is a subclass of another."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def sctype2char(sctype: Any) -> str:
    """Return the character of a scalar type."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError(f"sctype2char: unrecognized type {sctype!r}")
    char: str = np.dtype(found).char
    return char


def byte_bounds(a: Any) -> tuple[int, int]:
    """Return the addresses of the first byte of an array and of the one after its last."""
    low = high = a.data.ptr
    if a.size == 0:
        return low, high
    for length, stride in zip(a.shape, a.strides, strict=True):
        reach = (length - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high + a.itemsize


def who(vardict: dict[str, Any] | None = None) -> None:
    """Print the arrays of a dictionary, or of the caller's module: names, shapes, bytes and dtypes."""
    if vardict is None:
        vardict = sys._getframe(1).f_globals
    rows, total, seen = [], 0, set()
    for name, a in vardict.items():
        if isinstance(a, cuprum.ndarray):
            rows.append((name, " x ".join(map(str, a.shape)), str(a.nbytes), a.dtype.name))
            storage = id(a if a.base is None else a.base)
            total += 0 if storage in seen else a.nbytes
            seen.add(storage)
    if rows:
        table = [("Name", "Shape", "Bytes", "Type"), *sorted(rows)]
        widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
        lines = ["".join(map(str.ljust, row, widths)).rstrip() for row in table]
        print("\n".join([lines[0], "=" * max(map(len, lines)), *lines[1:]]))
    print(f"\nUpper bound on total bytes  =       {total}")


def show_config(*, _full: bool = False) -> None:
    """Print what Cuprum runs on."""
    from cuprum.cli import _info

    print(_info.text())

"""Dates and differences of dates: 64-bit counts of a unit, the lowest of which is no time (NaT)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._indexing.indexing import where
from ._array import AnswersAsNdarray, StoredArray

__all__ = ["TimeArray"]

_NAT = np.iinfo(np.int64).min


def is_time(value: Any) -> bool:
    """Return whether something is dates or differences of dates: ours, NumPy's, or Python's."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.kind in "Mm"


class TimeArray(AnswersAsNdarray, StoredArray):
    """An array of datetime64 or timedelta64."""

    __slots__ = ()

    # -- counts -------------------------------------------------------------------------------------------

    @property
    def _ticks(self) -> ndarray:
        """The counts: a view of int64."""
        return self._bytes.view(np.int64)[..., 0]

    def _of_ticks(self, ticks: ndarray, dtype: np.dtype[Any]) -> TimeArray:
        dense = ticks if ticks.flags.c_contiguous else ticks.copy()
        return TimeArray(dense.reshape((*ticks.shape, 1)).view(np.uint8), dtype)

    def _of_numbers(self, numbers: ndarray) -> StoredArray:
        if numbers.dtype.kind not in "biu":
            raise TypeError(f"numbers of dtype {numbers.dtype} cannot be stored as {self._dtype}")
        return self._of_ticks(numbers.astype(np.int64), self._dtype)

    def _converted(self, value: Any) -> StoredArray:
        if isinstance(value, str):
            value = np.array(value, self._dtype)
        return super()._converted(value)

    def isnat(self) -> ndarray:
        """Return where there is no time."""
        return self._ticks == _NAT

    # -- units --------------------------------------------------------------------------------------------

    def _cast(self, target: np.dtype[Any]) -> Any:
        if target.kind in "iu" and target.itemsize == 8:
            return self._ticks.astype(target)
        if target.kind != self._dtype.kind:
            return super()._cast(target)
        return self._of_ticks(self._in_unit(target), target)

    def _in_unit(self, target: np.dtype[Any]) -> ndarray:
        """Return the counts in the unit of another dtype."""
        mine, theirs = np.datetime_data(self._dtype), np.datetime_data(target)
        if mine == theirs or mine[0] == "generic":
            return self._ticks.copy()
        if ("Y" in (mine[0], theirs[0]) or "M" in (mine[0], theirs[0])) and not (
            {mine[0], theirs[0]} <= {"Y", "M"}
        ):
            raise TypeError(
                f"astype: {self._dtype} and {target} have no fixed ratio; convert by NumPy on a.get()"
            )
        numerator, denominator = _ratio(mine, theirs)
        ticks = self._ticks
        moved = (ticks * numerator) // denominator
        return where(ticks == _NAT, _NAT, moved).astype(np.int64)

    def _with(self, other: Any, op: str) -> tuple[Any, Any]:
        """Return the operands as dates or differences, or as numbers."""
        if isinstance(other, TimeArray) or not (is_time(other) or isinstance(other, str)):
            return self, other
        return self, TimeArray(upload_times(np.asarray(other)), np.asarray(other).dtype)

    # -- arithmetic ---------------------------------------------------------------------------------------

    def _added(self, other: Any, sign: int, reflected: bool) -> Any:
        """Return a sum or a difference."""
        op = "add" if sign > 0 else "subtract"
        _, other = self._with(other, op)
        if not isinstance(other, TimeArray):
            numbers = other
            if not _are_integers(numbers):
                return NotImplemented
            span = np.dtype(f"m8[{_unit(self._dtype)}]")
            plain = (
                numbers if isinstance(numbers, _core.ndarray) else _core.array(numbers, None, True, "K", 0)
            )
            other = self._of_ticks(plain.astype(np.int64), span)
        first, second = (other, self) if reflected else (self, other)
        kinds = first._dtype.kind + second._dtype.kind
        if kinds == "MM" and sign < 0:
            kind = "m"
        elif kinds in ("Mm", "mM") and (sign > 0 or kinds == "Mm"):
            kind = "M"
        elif kinds == "mm":
            kind = "m"
        else:
            raise TypeError(f"{op}: cannot use operands with types {first._dtype!r} and {second._dtype!r}")
        unit = _common_unit(first._dtype, second._dtype)
        left = first._in_unit(np.dtype(f"{first._dtype.kind}8[{unit}]"))
        right = second._in_unit(np.dtype(f"{second._dtype.kind}8[{unit}]"))
        result = left + right if sign > 0 else left - right
        result = where((left == _NAT) | (right == _NAT), _NAT, result)
        return self._of_ticks(result.astype(np.int64), np.dtype(f"{kind}8[{unit}]"))

    def __add__(self, other: Any) -> Any:
        return self._added(other, 1, False)

    def __radd__(self, other: Any) -> Any:
        return self._added(other, 1, True)

    def __sub__(self, other: Any) -> Any:
        return self._added(other, -1, False)

    def __rsub__(self, other: Any) -> Any:
        return self._added(other, -1, True)

    def _difference(self, op: str) -> ndarray:
        if self._dtype.kind != "m":
            raise TypeError(f"{op}: cannot use operands with types {self._dtype!r}")
        return self._ticks

    def __mul__(self, other: Any) -> Any:
        ticks = self._difference("multiply")
        if is_time(other):
            raise TypeError(f"multiply: cannot use operands with types {self._dtype!r} and {other.dtype!r}")
        product = ticks * other
        lost = ticks == _NAT
        if product.dtype.kind == "f":
            lost = lost | (product != product)
            product = where(lost, 0.0, product)
        return self._of_ticks(where(lost, _NAT, product.astype(np.int64)).astype(np.int64), self._dtype)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        ticks = self._difference("true_divide")
        _, other = self._with(other, "true_divide")
        if isinstance(other, TimeArray):
            unit = _common_unit(self._dtype, other._dtype)
            left = self._in_unit(np.dtype(f"m8[{unit}]"))
            right = other._in_unit(np.dtype(f"m8[{unit}]"))
            lost = (left == _NAT) | (right == _NAT)
            return where(lost, np.nan, left / right)
        quotient = ticks / other
        lost = (ticks == _NAT) | ~_core.ufuncs()["isfinite"](quotient)
        # NumPy cuts the fraction off.
        whole = where(lost, 0.0, quotient).astype(np.int64)
        return self._of_ticks(where(lost, _NAT, whole).astype(np.int64), self._dtype)

    def __floordiv__(self, other: Any) -> Any:
        ticks = self._difference("floor_divide")
        _, other = self._with(other, "floor_divide")
        if isinstance(other, TimeArray):
            unit = _common_unit(self._dtype, other._dtype)
            left = self._in_unit(np.dtype(f"m8[{unit}]"))
            right = other._in_unit(np.dtype(f"m8[{unit}]"))
            lost = (left == _NAT) | (right == _NAT)
            return where(lost, 0, left // where(right == 0, 1, right)) * (right != 0)
        if not _are_integers(other):
            raise TypeError("floor_divide: a time is divided by whole numbers or by times")
        # NumPy cuts the fraction off here, and divides times by times downwards.
        divisor = other if isinstance(other, ndarray) else _core.array(other, np.int64, True, "K", 0)
        whole = abs(ticks) // where(divisor == 0, 1, abs(divisor))
        whole = where((ticks < 0) != (divisor < 0), -whole, whole)
        lost = (ticks == _NAT) | (divisor == 0)
        return self._of_ticks(where(lost, _NAT, whole).astype(np.int64), self._dtype)

    def __neg__(self) -> Any:
        return self._of_ticks(-self._difference("negative"), self._dtype)

    def __pos__(self) -> Any:
        self._difference("positive")
        return self.copy()

    def __abs__(self) -> Any:
        return self._of_ticks(abs(self._difference("absolute")), self._dtype)

    # -- comparison ---------------------------------------------------------------------------------------

    def _ordered(self, other: Any, op: str) -> Any:
        if isinstance(other, str):
            other = np.array(other, self._dtype)
        _, other = self._with(other, op)
        if not isinstance(other, TimeArray):
            return NotImplemented
        if other._dtype.kind != self._dtype.kind:
            raise TypeError(f"{op}: cannot compare {self._dtype!r} and {other._dtype!r}")
        unit = _common_unit(self._dtype, other._dtype)
        dtype = np.dtype(f"{self._dtype.kind}8[{unit}]")
        left, right = self._in_unit(dtype), other._in_unit(dtype)
        there = (left != _NAT) & (right != _NAT)
        functions = _core.ufuncs()
        if op == "not_equal":
            return functions[op](left, right) | ~there
        return functions[op](left, right) & there

    def _compared(self, other: Any, differ: bool) -> Any:
        return self._ordered(other, "not_equal" if differ else "equal")

    def __lt__(self, other: Any) -> Any:
        return self._ordered(other, "less")

    def __le__(self, other: Any) -> Any:
        return self._ordered(other, "less_equal")

    def __gt__(self, other: Any) -> Any:
        return self._ordered(other, "greater")

    def __ge__(self, other: Any) -> Any:
        return self._ordered(other, "greater_equal")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method != "__call__" or keywords:
            return NotImplemented
        name = ufunc.__name__
        if name == "isnat":
            return self.isnat()
        dunder = _OPERATORS.get(name)
        if dunder is None:
            return NotImplemented
        first, *rest = inputs
        if isinstance(first, TimeArray):
            return getattr(first, f"__{dunder}__")(*rest)
        return getattr(self, f"__{_REFLECTED.get(dunder, 'r' + dunder)}__")(first)

    # -- order and sums -----------------------------------------------------------------------------------

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Sort in place; what is no time comes last."""
        ticks = self._ticks - 1
        ticks.sort(axis=axis)
        self._ticks[...] = ticks + 1

    def argsort(self, axis: int = -1, kind: Any = None, order: Any = None) -> ndarray:
        """Return the positions that sort the elements; what is no time comes last."""
        return (self._ticks - 1).argsort(axis=axis, kind="stable")

    def _extremum(self, name: str, axis: Any, keepdims: bool, out: Any = None) -> Any:
        if out is not None:
            raise TypeError(f"{name}: out is not supported for dtype {self._dtype}; assign the result")
        ticks = self._ticks
        found = getattr(ticks, name)(axis=axis, keepdims=keepdims)
        lost = (ticks == _NAT).any(axis=axis, keepdims=keepdims)
        return self._of_ticks(where(lost, _NAT, found).astype(np.int64), self._dtype)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the earliest; no time where one is missing."""
        return self._extremum("min", axis, keepdims, out)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the latest; no time where one is missing."""
        return self._extremum("max", axis, keepdims, out)

    def argmin(self, axis: Any = None, **keywords: Any) -> ndarray:
        """Return the position of the earliest, or of the first that is no time."""
        return self._ticks.argmin(axis=axis, **keywords)

    def argmax(self, axis: Any = None, **keywords: Any) -> ndarray:
        """Return the position of the latest, or of the first that is no time."""
        ticks = self._ticks
        return where(ticks == _NAT, np.iinfo(np.int64).max, ticks).argmax(axis=axis, **keywords)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the sum of differences; no time where one is missing."""
        self._difference("add")
        return self._extremum("sum", axis, keepdims, out)


_OPERATORS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "negative": "neg",
    "positive": "pos",
    "absolute": "abs",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}
_REFLECTED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def upload_times(host: np.ndarray) -> ndarray:
    """Return the bytes of NumPy's dates on the current device."""
    from ._array import upload

    return upload(host)


def _are_integers(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, (int, np.integer)):
        return True
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.kind in "iu"


def _unit(dtype: np.dtype[Any]) -> str:
    name, count = np.datetime_data(dtype)
    return name if count == 1 else f"{count}{name}"


def _common_unit(first: np.dtype[Any], second: np.dtype[Any]) -> str:
    """Return the unit in which both are counted, NumPy's choice."""
    common = np.promote_types(np.dtype(f"m8[{_unit(first)}]"), np.dtype(f"m8[{_unit(second)}]"))
    return _unit(common)


def _ratio(mine: tuple[str, int], theirs: tuple[str, int]) -> tuple[int, int]:
    """Return by what to multiply and to divide counts of one unit for those of another."""
    if {mine[0], theirs[0]} <= {"Y", "M"}:
        months = {"Y": 12, "M": 1}
        return mine[1] * months[mine[0]], theirs[1] * months[theirs[0]]
    order = ["as", "fs", "ps", "ns", "us", "ms", "s", "m", "h", "D", "W"]
    steps = [1000, 1000, 1000, 1000, 1000, 1000, 60, 60, 24, 7]
    low, high = sorted((order.index(mine[0]), order.index(theirs[0])))
    factor = int(np.prod([1, *steps[low:high]], dtype=object))
    up = order.index(mine[0]) > order.index(theirs[0])
    numerator, denominator = mine[1] * (factor if up else 1), theirs[1] * (1 if up else factor)
    common = int(np.gcd(numerator, denominator))
    return numerator // common, denominator // common

"""NumPy's elementwise functions of dates and of differences: integer arithmetic on counts, with NaT apart.

An operand is dates (kind M), differences (m), whole numbers (i), which count as differences of the other
operand's unit, fractions (f), or complex numbers (c), which have a truth value alone.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._indexing.indexing import where
from ._units import NAT, common_dtype, counts_in, of_kind

__all__ = ["call", "operand_of", "shown"]

_KINDS = {"b": "i", "i": "i", "u": "i", "f": "f", "c": "c", "M": "M", "m": "m"}


class Operand:
    """An operand: counts and their dtype, or numbers, whose dtype is None."""

    __slots__ = ("dtype", "kind", "values")

    def __init__(self, values: Any, kind: str, dtype: np.dtype[Any] | None = None) -> None:
        self.values = values
        self.kind = kind
        self.dtype = dtype

    def shown(self) -> str:
        """Return the operand's dtype, for messages."""
        if self.dtype is not None:
            return str(self.dtype)
        return str(getattr(self.values, "dtype", type(self.values).__name__))

    def is_truth(self) -> bool:
        """Return whether these are truth values, by which NumPy divides no differences."""
        return isinstance(self.values, bool) or getattr(self.values, "dtype", None) == np.bool_

    def is_too_wide(self) -> bool:
        """Return whether these are uint64, which have no dtype in common with differences."""
        return self.kind == "i" and getattr(self.values, "dtype", None) == np.uint64

    def beside(self, dtype: np.dtype[Any] | None) -> Operand:
        """Return whole numbers as differences of the unit that a dtype has."""
        if self.kind != "i" or dtype is None:
            return self
        values = self.values
        plain = values if isinstance(values, _core.ndarray) else _core.array(values, None, True, "K", 0)
        return Operand(plain.astype(np.int64), "m", of_kind("m", dtype))


def operand_of(value: Any) -> Operand | None:
    """Return anything as an operand: ours, NumPy's, Python's dates and numbers; None for what is none."""
    from ._times import TimeArray

    if isinstance(value, datetime.timedelta):
        value = np.asarray(value, "m8[us]")
    elif isinstance(value, datetime.date):
        value = np.asarray(value, "M8[us]" if isinstance(value, datetime.datetime) else "M8[D]")
    if type(value) is not TimeArray and not issubclass(type(value), _core.ndarray):
        if isinstance(value, (bool, int, float, complex)):
            return Operand(value, "i" if isinstance(value, int) else _KINDS[np.min_scalar_type(value).kind])
        cupy = getattr(value, "__cupy_get_ndarray__", None)
        if cupy is not None:
            value = cupy()
        elif isinstance(value, (np.ndarray, np.generic, list, tuple)):
            host = np.asarray(value)
            if host.dtype.kind not in _KINDS:
                return None
            value = (
                TimeArray.uploaded(host) if host.dtype.kind in "Mm" else _core.array(host, None, None, "K")
            )
        else:
            return None
    kind = _KINDS.get(value.dtype.kind)
    if kind is None:
        return None
    if kind in "Mm":
        return Operand(value._ticks, kind, value.dtype)
    return Operand(value, kind)


Result = tuple[Any, "np.dtype[Any] | None"]
"""Counts with the dtype of dates or differences, or numbers with None."""
Rule = Callable[[str, Operand, Operand], "Result | None"]


def _aligned(op: str, a: Operand, b: Operand) -> tuple[ndarray, ndarray, np.dtype[Any], ndarray]:
    """Return the counts of both in one unit, the dtype of that unit, and where one is no time."""
    a, b = a.beside(b.dtype), b.beside(a.dtype)
    assert a.dtype is not None and b.dtype is not None
    common = common_dtype(op, a.dtype, b.dtype)
    for dtype in (a.dtype, b.dtype):
        if dtype.kind == "m" and not np.can_cast(dtype, of_kind("m", common), "same_kind"):
            raise TypeError(f"{op}: months and years have no fixed length: convert {dtype} by astype")
    left = counts_in(a.values, a.dtype, of_kind(a.kind, common))
    right = counts_in(b.values, b.dtype, of_kind(b.kind, common))
    return left, right, common, (left == NAT) | (right == NAT)


def _add(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind not in ("Mm", "mM", "mm", "Mi", "iM", "mi", "im"):
        return None
    left, right, common, lost = _aligned(op, a, b)
    return where(lost, NAT, left + right), of_kind("M" if "M" in a.kind + b.kind else "m", common)


def _subtract(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind not in ("MM", "Mm", "mm", "Mi", "mi", "im"):
        return None
    left, right, common, lost = _aligned(op, a, b)
    kind = "M" if a.kind == "M" and b.kind != "M" else "m"
    return where(lost, NAT, left - right), of_kind(kind, common)


def _multiply(op: str, a: Operand, b: Operand) -> Result | None:
    span, factor = (a, b) if a.kind == "m" else (b, a)
    if span.kind != "m" or factor.kind not in "if":
        return None
    ticks, values = span.values, factor.values
    if factor.kind == "i":
        if isinstance(values, ndarray):
            values = values.astype(np.int64)
        return where(ticks == NAT, NAT, ticks * values), span.dtype
    return _from_fractions(ticks * values, ticks == NAT), span.dtype


def _from_fractions(values: ndarray, lost: ndarray) -> ndarray:
    """Return fractions as counts, cut off; NaT for what is no number."""
    lost = lost | ~_core.ufuncs()["isfinite"](values)
    return where(lost, NAT, where(lost, 0.0, values).astype(np.int64))


def _divide(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind == "mm":
        left, right, _, lost = _aligned(op, a, b)
        return where(lost, np.nan, left / right), None
    return _divide_by_numbers(op, a, b)


def _divide_by_numbers(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind != "m" or b.kind not in "if" or b.is_truth():
        return None
    ticks, divisor = a.values, b.values
    if b.kind == "f":
        return _from_fractions(ticks / divisor, ticks == NAT), a.dtype
    # Whole counts: float64 would lose the last digits of nanoseconds.
    return _cut_quotient(ticks, divisor), a.dtype


def _cut_quotient(ticks: ndarray, divisor: Any) -> ndarray:
    """Return counts divided by whole numbers, the fraction cut off; NaT where the divisor is zero."""
    plain = divisor if isinstance(divisor, ndarray) else _core.array(divisor, np.int64, True, "K", 0)
    plain = plain.astype(np.int64)
    none = plain == 0
    # The lowest number has no absolute value, and is further from zero than any count.
    lowest = plain == NAT
    size = where(none | lowest, 1, abs(plain))
    lost = (ticks == NAT) | none
    whole = where(lowest, 0, abs(where(lost, 0, ticks)) // size)
    return where(lost, NAT, where((ticks < 0) != (plain < 0), -whole, whole))


def _floor_divide(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind == "mm":
        left, right, _, lost = _aligned(op, a, b)
        lost = lost | (right == 0)
        return where(lost, 0, left // where(lost, 1, right)), None
    return _divide_by_numbers(op, a, b)


def _remainder(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind != "mm":
        return None
    left, right, common, lost = _aligned(op, a, b)
    lost = lost | (right == 0)
    return where(lost, NAT, left % where(lost, 1, right)), common


def _extremum(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind not in ("MM", "mm", "mi", "im") or a.is_too_wide() or b.is_too_wide():
        return None
    left, right, common, lost = _aligned(op, a, b)
    chosen = _core.ufuncs()[{"fmin": "minimum", "fmax": "maximum"}.get(op, op)](left, right)
    if op in ("minimum", "maximum"):
        return where(lost, NAT, chosen), common
    return where(left == NAT, right, where(right == NAT, left, chosen)), common


def _compare(op: str, a: Operand, b: Operand) -> Result | None:
    if a.kind + b.kind not in ("MM", "mm", "mi", "im") or a.is_too_wide() or b.is_too_wide():
        return None
    left, right, _, lost = _aligned(op, a, b)
    compared = _core.ufuncs()[op](left, right)
    return (compared | lost if op == "not_equal" else compared & ~lost), None


def _logical(op: str, a: Operand, b: Operand) -> Result | None:
    return _core.ufuncs()[op](a.values != 0, b.values != 0), None


_BINARY: dict[str, Rule] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "floor_divide": _floor_divide,
    "remainder": _remainder,
    **dict.fromkeys(("minimum", "maximum", "fmin", "fmax"), _extremum),
    **dict.fromkeys(("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"), _compare),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), _logical),
}


@functools.cache
def _sign_is_a_number() -> bool:
    """Return whether NumPy gives signs of differences as float64, as from 2.5 on."""
    return bool(np.sign(np.timedelta64(1, "s")).dtype.kind == "f")


def _unary(op: str, a: Operand) -> Result | None:
    ticks, dtype = a.values, a.dtype
    if op in ("isnat", "isnan"):
        return ticks == NAT, None
    if op == "isfinite":
        return ticks != NAT, None
    if op == "isinf":
        return _core.zeros(ticks.shape, np.bool_, "C"), None
    if a.kind == "m" and op == "sign" and _sign_is_a_number():
        return where(ticks == NAT, np.nan, _core.ufuncs()[op](ticks)), None
    if a.kind == "m" and op in ("absolute", "negative", "positive", "sign"):
        return _core.ufuncs()[op](ticks), dtype
    return None


def call(op: str, inputs: tuple[Any, ...]) -> Any:
    """Return what an elementwise function gives, arrays and all; NotImplemented where it has no such loop."""
    from ._times import TimeArray

    if op == "divmod":
        parts = call("floor_divide", inputs), call("remainder", inputs)
        return NotImplemented if parts[1] is NotImplemented else parts
    operands = [operand_of(value) for value in inputs]
    result: Result | None = None
    if len(operands) == 2 and op in _BINARY:
        first, second = operands
        result = _BINARY[op](op, first, second) if first is not None and second is not None else None
    elif len(operands) == 1 and operands[0] is not None:
        result = _unary(op, operands[0])
    if result is None:
        return NotImplemented
    values, dtype = result
    return values if dtype is None else TimeArray.of_ticks(values.astype(np.int64), dtype)


def shown(inputs: tuple[Any, ...]) -> str:
    """Return the dtypes of operands, for messages."""
    operands = [(operand_of(value), value) for value in inputs]
    return ", ".join(type(value).__name__ if found is None else found.shown() for found, value in operands)

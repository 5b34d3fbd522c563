"""Dates and differences of dates in kernels: NumPy's datetime64 and timedelta64, as 64-bit counts of a unit.

Units are brought together as NumPy does it, and NaT goes through every operation.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from . import _errors
from ._part import Part
from ._types import BOOL, FLOAT64, INT64, Scalar, scalar
from ._values import Value

__all__ = ["Datetimes"]

_MAX = np.iinfo(np.int64).max


class Datetimes(Part):
    """The part of `FunctionText` that computes with dates."""

    def has_dates(self, *values: Value) -> bool:
        """Whether any of the values is a date or a difference of dates."""
        return any(isinstance(value.type, Scalar) and value.type.kind in "mM" for value in values)

    def date_operator(self, symbol: str, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the result of an operator on dates."""
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        kinds = left.type.kind + right.type.kind
        self.module.need("dates")
        if symbol in "+-" and kinds in ("MM", "Mm", "mM", "mm"):
            return self._sum(symbol, kinds, left, right, node)
        if kinds == "mm" and symbol in ("/", "//", "%"):
            return self._ratio(symbol, left, right, node)
        number = right if left.type.kind in "mM" else left
        assert isinstance(number.type, Scalar)
        if symbol in "+-" and number.type.kind in "iu":
            # An integer counts the unit of what stands beside it.
            timed = left if number is right else right
            assert isinstance(timed.type, Scalar)
            delta = Scalar.timed(np.dtype(f"m8[{_unit(timed.type)}]"))
            counted = Value(delta, self.converted(number, INT64, node).parts, stable=number.stable)
            pair = (left, counted) if number is right else (counted, right)
            return self.date_operator(symbol, *pair, node)
        if number.type.kind in "iuf" and (
            (kinds[0] == "m" and symbol in ("*", "/", "//")) or (kinds[1] == "m" and symbol == "*")
        ):
            return self._scaled(symbol, left if number is right else right, number, node)
        self.fail(f"unsupported operand types for {symbol}: {left.type} and {right.type}", node)

    def _sum(self, symbol: str, kinds: str, left: Value, right: Value, node: ast.AST) -> Value:
        if kinds == "MM" and symbol == "+" or kinds == "mM" and symbol == "-":
            self.fail(f"unsupported operand types for {symbol}: {left.type} and {right.type}", node)
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        unit = self._common_unit(left.type, right.type, node)
        a, b = (
            self.converted(value, scalar(np.dtype(f"{kind}8[{unit}]")), node)
            for value, kind in zip((left, right), kinds, strict=True)
        )
        result = "m" if kinds in ("MM", "mm") else "M"
        name = "cu_date_add" if symbol == "+" else "cu_date_sub"
        kind = scalar(np.dtype(f"{result}8[{unit}]"))
        return Value(kind, (f"{name}({a.code}, {b.code})",), stable=a.stable and b.stable)

    def _ratio(self, symbol: str, left: Value, right: Value, node: ast.AST) -> Value:
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        kind = scalar(np.dtype(f"m8[{self._common_unit(left.type, right.type, node)}]"))
        a, b = self.converted(left, kind, node), self.converted(right, kind, node)
        name, result = {
            "/": ("cu_date_ratio", FLOAT64),
            "//": ("cu_date_quotient", INT64),
            "%": ("cu_date_remainder", kind),
        }[symbol]
        return Value(result, (f"{name}({a.code}, {b.code})",), stable=a.stable and b.stable)

    def _scaled(self, symbol: str, delta: Value, number: Value, node: ast.AST) -> Value:
        assert isinstance(delta.type, Scalar) and isinstance(number.type, Scalar)
        floating = number.type.kind == "f"
        by = self.converted(number, FLOAT64 if floating else INT64, node)
        name = "cu_date_times" if symbol == "*" else "cu_date_over"
        suffix = "_real" if floating else ""
        stable = delta.stable and by.stable
        return Value(delta.type, (f"{name}{suffix}({delta.code}, {by.code})",), stable=stable)

    def compared_dates(self, symbol: str, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the result of a comparison; NaT is equal to nothing and has no order."""
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        if left.type.kind != right.type.kind:
            self.fail(f"{left.type} and {right.type} cannot be compared with {symbol}", node)
        self.module.need("dates")
        unit = self._common_unit(left.type, right.type, node)
        kind = scalar(np.dtype(f"{left.type.kind}8[{unit}]"))
        a, b = (self.held(self.converted(value, kind, node)) for value in (left, right))
        test = f"{a.code} {symbol} {b.code}"
        either = f"cu_is_nat({a.code}) || cu_is_nat({b.code})"
        code = f"({either} || {test})" if symbol == "!=" else f"(!({either}) && {test})"
        return Value(BOOL, (code,))

    def negated_date(self, value: Value, node: ast.AST) -> Value:
        """Return `-x`."""
        assert isinstance(value.type, Scalar)
        if value.type.kind == "M":
            self.fail(f"unsupported operand type for a sign: {value.type}", node)
        # The smallest number is NaT: it is its own opposite.
        return Value(value.type, (f"(0LL - {value.code})",), stable=value.stable)

    def date_as(self, value: Value, source: Scalar, kind: Scalar, node: ast.AST | None) -> Value:
        """Return a date in another unit; a number as a date of that unit, and a date as its number."""
        if source.kind not in "mM" or kind.kind not in "mM":
            if source.kind in "iub" or kind.name in ("int64", "uint64"):
                return Value(kind, (f"(({kind.c}){value.code})",), stable=value.stable)
            self.fail(f"a {source} cannot become a {kind}", node)
        if source.kind != kind.kind:
            self.fail(f"a {source} cannot become a {kind}", node)
        if _unit(source) in (_unit(kind), "generic") or _unit(kind) == "generic":
            return Value(kind, value.parts, stable=value.stable)
        self.module.need("dates")
        up, down = self._factor(source, kind, node)
        code = value.code
        if up != 1:
            code = f"cu_date_times({code}, {up}LL)"
        if down != 1:
            code = f"cu_date_over_floor({code}, {down}LL)"
        return Value(kind, (code,), stable=value.stable)

    def _common_unit(self, left: Scalar, right: Scalar, node: ast.AST) -> str:
        units = [_unit(kind) for kind in (left, right)]
        if "generic" in units:
            return units[0] if units[1] == "generic" else units[1]
        try:
            joined: Any = np.promote_types(np.dtype(f"m8[{units[0]}]"), np.dtype(f"m8[{units[1]}]"))
        except TypeError:
            self.fail(f"{left} and {right} have no unit in common", node)
        return _unit(scalar(joined))

    def _factor(self, source: Scalar, kind: Scalar, node: ast.AST | None) -> tuple[int, int]:
        """Return by what a count of one unit is multiplied and divided to count another."""
        one, other = (np.ones((), f"m8[{_unit(unit)}]")[()] for unit in (source, kind))
        try:
            ratio = float(one / other)
        except TypeError:
            self.fail(
                f"{source} cannot become {kind} in a kernel: months and years have no fixed length",
                node,
                _errors.UnsupportedError,
            )
        up, down = (int(round(ratio)), 1) if ratio >= 1 else (1, int(round(1 / ratio)))
        if ratio * down != up or max(up, down) > _MAX:
            whole = other / one
            self.fail(f"{source} cannot become {kind} in a kernel: {whole} is no whole number", node)
        return up, down


def _unit(kind: Scalar) -> str:
    name, count = np.datetime_data(kind.dtype)
    return name if count == 1 else f"{count}{name}"

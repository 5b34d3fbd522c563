"""Conversions between types, and numbers as C writes them."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from . import _errors
from ._part import Part
from ._types import BOOL, INT64, NONE, Array, Member, NoneOf, Record, Scalar, Static, Tuple, Type, scalar
from ._values import UNKNOWN, Value, Variable

__all__ = ["Conversions", "written"]


def written(value: Any, kind: Scalar) -> str:
    """Return a number as C writes it."""
    if kind.kind == "b":
        return "true" if value else "false"
    if kind.kind in "iu":
        number = int(value)
        if kind.name == "int64":
            return "(-9223372036854775807LL - 1)" if number == -(2**63) else _signed(number, "LL")
        if kind.name == "uint64":
            return f"{number}ULL"
        if kind.name == "uint32":
            return f"{number}u"
        if kind.name == "int32":
            return "(-2147483647 - 1)" if number == -(2**31) else _signed(number, "")
        return f"(({kind.c}){number})"
    if kind.kind == "c":
        part = scalar("float32" if kind.name == "complex64" else "float64")
        pair = complex(value)
        real, imag = written(pair.real, part), written(pair.imag, part)
        return f"cu_make_complex<{part.c}>({real}, {imag})"
    if kind.kind in "mM":
        return written(np.asarray(value, kind.dtype).astype(np.int64), scalar("int64"))
    if kind.narrow:
        return f"{kind.c}_from_double({_floating(float(value), '')})"
    if kind.name == "float32":
        with np.errstate(over="ignore"):
            return _floating(float(np.float32(value)), "f")
    return _floating(float(value), "")


def _signed(number: int, suffix: str) -> str:
    return f"({number}{suffix})" if number < 0 else f"{number}{suffix}"


def _floating(number: float, suffix: str) -> str:
    if math.isnan(number):
        return "__int_as_float(0x7fc00000)" if suffix else "__longlong_as_double(0x7ff8000000000000LL)"
    if math.isinf(number):
        text = "__int_as_float(0x7f800000)" if suffix else "__longlong_as_double(0x7ff0000000000000LL)"
        return text if number > 0 else f"(-{text})"
    text = repr(abs(number))
    if "e" not in text and "." not in text:
        text += ".0"
    return f"(-{text}{suffix})" if math.copysign(1.0, number) < 0 else text + suffix


class Conversions(Part):
    """The part of `FunctionText` that converts values."""

    def number(self, value: Any, node: ast.AST | None = None) -> Value:
        """Return the value of a Python or NumPy number."""
        try:
            kind = self.rules.literal(value)
        except OverflowError:
            self.fail(f"{value} does not fit into 64 bits", node)
        except KeyError:
            self.fail(f"kernels have no numbers of dtype {value.dtype}", node)
        return self.number_of(value, kind)

    def number_of(self, value: Any, kind: Scalar) -> Value:
        """Return a number of a type."""
        self.need_type(kind)
        nonnegative = kind.kind in "iu" and int(value) >= 0
        return Value(kind, (written(value, kind),), value, nonnegative)

    def need_type(self, kind: Type) -> None:
        """Put the text that a type needs before the kernel."""
        if isinstance(kind, Scalar):
            if kind.kind == "c":
                self.module.need("complex")
            elif kind.narrow:
                self.module.need(kind.c.removeprefix("cu_"))
        elif isinstance(kind, Array) and not kind.in_bytes:
            self.need_type(scalar(kind.dtype))
        elif isinstance(kind, Array | Record):
            for name in kind.dtype.names or ():
                self.need_type_of(kind.dtype[name])
        elif isinstance(kind, Tuple):
            for item in kind.items:
                self.need_type(item)

    def need_type_of(self, dtype: np.dtype[Any]) -> None:
        """Put the text that a dtype needs before the kernel."""
        base = dtype.base
        if not base.names and base.kind not in "SU":
            self.need_type(scalar(base))

    def converted(self, value: Value, kind: Type, node: ast.AST | None = None) -> Value:
        """Return a value as another type; an error where that cannot be."""
        if value.type == kind:
            return value
        if isinstance(kind, Scalar) and isinstance(value.type, Scalar):
            return self._number_as(value, value.type, kind, node)
        if (
            isinstance(kind, Tuple)
            and isinstance(value.type, Tuple)
            and len(kind.items) == len(value.type.items)
        ):
            parts: list[str] = []
            for item, wanted in zip(self.items(value), kind.items, strict=True):
                parts += self.converted(item, wanted, node).parts
            return Value(kind, tuple(parts), stable=value.stable, name=value.name)
        if isinstance(kind, Array) and isinstance(value.type, Array):
            return self._array_as(value, value.type, kind, node)
        if isinstance(kind, Member) and Member.of(value.type) == kind:
            return Value(kind, (str(kind.place(value.const)),))
        self.fail(f"{value.type} cannot become {kind}", node)

    def _number_as(self, value: Value, source: Scalar, kind: Scalar, node: ast.AST | None) -> Value:
        if source.kind in "mM" or kind.kind in "mM":
            converted: Value = self.date_as(value, source, kind, node)
            return converted
        if (
            value.known
            and not isinstance(value.const, np.generic)
            and kind.kind in "fc"
            and source.kind != "c"
        ):
            number = complex(value.const) if kind.kind == "c" else float(value.const)
            self.need_type(kind)
            return Value(kind, (written(number, kind),), number if kind.name == "float64" else UNKNOWN)
        if value.known and kind.kind in "iu" and source.kind in "iub":
            info = np.iinfo(kind.dtype)
            if info.min <= int(value.const) <= info.max:
                return self.number_of(int(value.const), kind)
        self.need_type(kind)
        code = self._code_as(value.code, source, kind, node)
        keeps = kind.kind in "iu" and source.kind in "iub"
        wide = kind.dtype.itemsize > source.dtype.itemsize or kind.dtype.itemsize >= 8
        nonnegative = kind.kind == "u" or (keeps and wide and (value.nonnegative or source.kind in "ub"))
        if kind.name == "int64" and source.name == "uint64":
            nonnegative = value.nonnegative and source.kind != "u"
        bits = value.width if nonnegative and value.nonnegative and keeps else 0
        return Value(kind, (code,), UNKNOWN, nonnegative, value.stable, value.name, bits)

    def _code_as(self, code: str, source: Scalar, kind: Scalar, node: ast.AST | None) -> str:
        if source.kind == "c":
            if kind.kind == "b":
                return f"cu_ctrue({code})"
            if kind.kind != "c":
                self.fail(f"a {source} cannot become a {kind}; take its .real or .imag", node)
            part = "float" if kind.name == "complex64" else "double"
            held = self.temporary(source.c, code)
            return f"cu_make_complex<{part}>(({part}){held}.re, ({part}){held}.im)"
        if source.narrow:
            single = f"{source.c}_to_float({code})"
            return single if kind.name == "float32" else self._code_as(single, scalar("float32"), kind, node)
        if kind.kind == "c":
            part = "float" if kind.name == "complex64" else "double"
            return f"cu_make_complex<{part}>(({part}){code}, ({part})0)"
        if kind.narrow:
            return f"{kind.c}_from_double((double){code})"
        if kind.kind == "b":
            return f"({code} != 0)"
        return f"(({kind.c}){code})"

    def _array_as(self, value: Value, source: Array, kind: Array, node: ast.AST | None) -> Value:
        same = source.dtype == kind.dtype and source.ndim == kind.ndim
        if not same or (kind.contiguous and not source.contiguous) or (kind.writable and not source.writable):
            self.fail(f"{source} cannot become {kind}", node)
        parts = [value.parts[0]]
        if kind.shape is None:
            parts += self.sizes(value)
        if not kind.contiguous:
            parts += self.strides(value)
        return Value(kind, tuple(parts), stable=value.stable, name=value.name)

    def converted_to_variable(self, name: str, value: Value, before: Variable, node: ast.AST) -> Value:
        """Return a value as the type that a variable has; CuPy's kernels have one type for each."""
        numbers = isinstance(value.type, Scalar) and isinstance(before.type, Scalar)
        if numbers and value.known and isinstance(value.const, (bool, int, float)):
            assert isinstance(value.type, Scalar) and isinstance(before.type, Scalar)
            order = "biufc"
            if order.index(value.type.kind) <= order.index(before.type.kind):
                return self.converted(value, before.type, node)
        self.fail(
            f"variable {name!r} changes its type: {before.type} (line {before.line}), now {value.type}; "
            "convert it, or use another name",
            node,
        )

    def truth(self, value: Value, node: ast.AST) -> str:
        """Return the C condition that a value is true."""
        kind = value.type
        if value.known and not isinstance(kind, Scalar):
            return "true" if value.const else "false"
        if isinstance(kind, Scalar):
            return value.code if kind == BOOL else self._code_as(value.code, kind, BOOL, node)
        if isinstance(kind, Tuple):
            return "true" if kind.items else "false"
        self.fail(f"a value of type {kind} is neither true nor false; compare it, or index it", node)

    def integer(self, value: Value, node: ast.AST, what: str) -> Value:
        """Return an integer as int64; an error for other values."""
        if not isinstance(value.type, Scalar) or value.type.kind not in "iub":
            self.fail(f"{what} must be an integer, not {value.type}; use int(...) or //", node)
        return self.converted(value, INT64, node)

    def constant_integer(self, value: Value, node: ast.AST, what: str) -> int:
        """Return an integer that the compiler must know."""
        if not value.known or isinstance(value.const, bool) or not isinstance(value.const, (int, np.integer)):
            self.fail(
                f"{what} must be a constant integer, known when the kernel is compiled; use a "
                "module-level constant, a literal, or dynamic shared memory",
                node,
                _errors.KernelValueError,
            )
        return int(value.const)

    def dtype_of(self, value: Value, node: ast.AST) -> np.dtype[Any]:
        """Return the dtype that a value names: a NumPy or Numba type, a dtype, a text."""
        from ._signatures import dtype_named

        found = dtype_named(value.const) if value.known and isinstance(value.type, Static) else None
        if found is None:
            if value.known and isinstance(value.const, str):
                self.fail(f"Invalid NumPy dtype specified: {value.const!r}; a dtype is expected here", node)
            self.fail(f"a dtype is expected here, not {value.type}", node)
        return found

    def is_none(self, value: Value) -> bool:
        """Whether a value is None."""
        return isinstance(value.type, NoneOf) or value.type == NONE

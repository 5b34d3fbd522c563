"""Python's own functions in kernels: `abs`, `min`, `int`, `len`, `print`, ..."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _errors
from ._intrinsics import Dimensions
from ._types import BOOL, FLOAT32, FLOAT64, INT64, NONE, Array, Scalar, Static, Text, Tuple, scalar
from ._values import UNKNOWN, WRAPS, Value, static

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[Any, Row] = {}


def _row(*functions: Any) -> Callable[[Row], Row]:
    def add(function: Row) -> Row:
        for name in functions:
            ROWS[name] = function
        return function

    return add


@_row(abs, np.absolute)
def _abs(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    kind = text.scalar_argument(value, call)
    if value.known and type(value.const) in (int, float):
        return text.number(builtins.abs(value.const))
    if kind.kind == "c":
        part = FLOAT32 if kind.name == "complex64" else FLOAT64
        return Value(part, (f"cu_cabs({value.code})",), stable=value.stable)
    if kind.kind in "ub":
        return value
    if kind.kind == "i":
        held = text.held(value)
        text.module.need("opposite")
        wide = "long long" if kind.dtype.itemsize == 8 else "int"
        code = f"(({kind.c})({held.code} < 0 ? cu_opposite(({wide}){held.code}) : {held.code}))"
        # The smallest number of a type has no other sign.
        return Value(kind, (code,), UNKNOWN, True, bits=held.width if held.natural else WRAPS)
    if kind.narrow:
        single = text.converted(value, FLOAT32)
        return text.converted(Value(FLOAT32, (f"fabsf({single.code})",), stable=value.stable), kind)
    name = "fabsf" if kind.name == "float32" else "fabs"
    return Value(kind, (f"{name}({value.code})",), stable=value.stable)


def _extreme(name: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        if call.keywords:
            text.fail(f"{call.name} takes no keywords in kernels", call.node)
        values = call.args
        if len(values) == 1 and isinstance(values[0].type, Tuple):
            values = text.items(values[0])
        if len(values) < 1 or (len(values) == 1 and call.args is values):
            text.fail(f"{call.name} takes two numbers or more, or a tuple", call.node)
        for value in values:
            if text.scalar_argument(value, call).kind == "c":
                text.fail("complex numbers have no order", call.node)
        if all(type(value.const) in (int, float) for value in values):
            best = getattr(builtins, name)(*(value.const for value in values))
            return text.number(best)
        result = values[0]
        for value in values[1:]:
            result = _pair(text, name, result, value, call)
        return result

    return row


def _pair(text: FunctionText, name: str, left: Value, right: Value, call: Call) -> Value:
    assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
    kind = text.rules.common(left.type, right.type)
    work = FLOAT32 if kind.narrow else kind
    text.module.need("minmax")
    a, b = text.converted(left, work, call.node), text.converted(right, work, call.node)
    nonnegative = (
        (a.nonnegative and b.nonnegative) if name == "min" else (a.nonnegative or b.nonnegative)
    ) and kind.kind in "iu"
    stable = left.stable and right.stable
    natural = (a.natural and b.natural) if name == "min" else (a.natural or b.natural)
    code = f"cu_{name}<{work.c}>({a.code}, {b.code})"
    out = Value(work, (code,), UNKNOWN, nonnegative, stable, bits=0 if natural else WRAPS)
    return text.converted(out, kind, call.node)


ROWS[min] = _extreme("min")
ROWS[max] = _extreme("max")


@_row(pow)
def _pow(text: FunctionText, call: Call) -> Value:
    left, right = text.required(call, "base", "exp")
    return text.binary(ast.Pow(), left, right, call.node)


@_row(divmod, np.divmod)
def _divmod(text: FunctionText, call: Call) -> Value:
    left, right = (text.held(value) for value in text.required(call, "a", "b"))
    quotient = text.binary(ast.FloorDiv(), left, right, call.node)
    return text.tuple_of([quotient, text.binary(ast.Mod(), left, right, call.node)])


@_row(round, np.round)
def _round(text: FunctionText, call: Call) -> Value:
    value, digits = text.bound(call, "number", "ndigits?")
    assert value is not None
    kind = text.scalar_argument(value, call)
    if kind.kind in "iub":
        return value if kind.kind != "b" else text.converted(value, INT64, call.node)
    if kind.kind == "c":
        text.fail("round takes no complex numbers", call.node)
    if digits is None or text.is_none(digits):
        work = FLOAT32 if kind.narrow or kind.name == "float32" else FLOAT64
        operand = text.converted(value, work, call.node)
        name = "rintf" if work == FLOAT32 else "rint"
        whole = Value(work, (f"{name}({operand.code})",), stable=value.stable)
        return text.converted(whole, INT64 if call.node and call.name == "round" else kind, call.node)
    text.module.need("round")
    by = text.integer(digits, call.node, "the number of digits")
    operand = text.converted(value, FLOAT64, call.node)
    out = Value(FLOAT64, (f"cu_round_to({operand.code}, {by.code})",), stable=value.stable)
    return text.converted(out, kind, call.node)


@_row(len)
def _len(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    if isinstance(value.type, Text) and value.type.ndim == 1:
        return text.text_length(value)
    if isinstance(value.type, Array):
        if value.type.ndim == 0:
            text.fail("len of an array without axes", call.node)
        return text.size_values(value)[0]
    if isinstance(value.type, Tuple):
        return text.number(len(value.type.items))
    if isinstance(value.type, Static) and isinstance(value.const, str):
        return text.number(len(value.const))
    text.fail(f"a value of type {value.type} has no length", call.node)


@_row(int)
def _int(text: FunctionText, call: Call) -> Value:
    if not call.args:
        return text.number(0)
    (value,) = text.required(call, "x")
    kind = text.scalar_argument(value, call)
    if value.known and type(value.const) in (bool, int, float):
        try:
            return text.number_of(int(value.const), INT64)
        except (OverflowError, ValueError):
            pass
    if kind.kind in "iu":
        return text.converted(value, kind if text.rules.unifies else INT64, call.node)
    return text.converted(value, INT64, call.node)


@_row(float)
def _float(text: FunctionText, call: Call) -> Value:
    if not call.args:
        return text.number_of(0.0, FLOAT64)
    (value,) = text.required(call, "x")
    if isinstance(value.type, Static) and isinstance(value.const, str):
        try:
            return text.number_of(float(value.const), FLOAT64)
        except ValueError:
            text.fail(f"could not convert {value.const!r} to a float", call.node, _errors.KernelValueError)
    kind = text.scalar_argument(value, call)
    if kind.kind == "f" and text.rules.unifies:
        return value
    return text.converted(value, FLOAT64, call.node)


@_row(bool)
def _bool(text: FunctionText, call: Call) -> Value:
    if not call.args:
        return text.number(False)
    (value,) = text.required(call, "x")
    if value.known:
        return text.number(bool(value.const))
    return Value(BOOL, (text.truth(value, call.node),), stable=value.stable)


@_row(complex)
def _complex(text: FunctionText, call: Call) -> Value:
    real, imag = text.bound(call, "real", "imag?")
    assert real is not None
    kind = text.scalar_argument(real, call)
    if imag is None:
        if kind.kind == "c":
            return real
        return text.converted(
            real, scalar("complex64" if kind.name == "float32" else "complex128"), call.node
        )
    other = text.scalar_argument(imag, call)
    narrow = kind.name == other.name == "float32"
    return text.make_complex(real, imag, scalar("complex64" if narrow else "complex128"), call)


def _new(fill: int | None) -> Row:
    return lambda text, call: text.made_array(call, fill)


ROWS[np.empty], ROWS[np.zeros], ROWS[np.ones] = _new(None), _new(0), _new(1)


@_row(np.dtype)
def _dtype(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "dtype")
    return static(text.dtype_of(value, call.node))


@_row(tuple)
def _tuple(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    if not isinstance(value.type, Tuple):
        text.fail(f"tuple takes a tuple in kernels, not {value.type}", call.node)
    return value


@_row(sum)
def _sum(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    if not isinstance(value.type, Tuple):
        text.fail("sum takes a tuple in kernels; write a loop", call.node)
    total = text.number(0)
    for item in text.items(value):
        total = text.binary(ast.Add(), total, item, call.node)
    return total


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "%": "%%"}


def _quoted(content: str) -> str:
    """Return a text as part of a format of printf."""
    out = []
    for character in content:
        if character in _ESCAPES:
            out.append(_ESCAPES[character])
        elif " " <= character <= "~":
            out.append(character)
        else:
            # Octal escapes end after three digits; hexadecimal ones would swallow what follows.
            out += [f"\\{byte:03o}" for byte in character.encode()]
    return "".join(out)


_MAX_PRINTED = 32
"""The most values that a GPU's printf takes."""


@_row(print)
def _print(text: FunctionText, call: Call) -> Value:
    words = {"sep": " ", "end": "\n"}
    for name, value in call.keywords.items():
        if name not in words or not isinstance(value.const, str):
            text.fail("print takes sep and end, as texts, in kernels", call.node)
        words[name] = value.const
    formats, codes = [], []
    for value in call.args:
        pieces, given = _printed(text, value, call)
        formats.append(pieces)
        codes += given
    line = _quoted(words["sep"]).join(formats) + _quoted(words["end"])
    if len(codes) > _MAX_PRINTED:
        # As a GPU's printf does it: the format stands for what it cannot print.
        message = f"print() in kernels prints at most {_MAX_PRINTED} items: the format is printed instead"
        warnings.warn_explicit(message, UserWarning, text.source.filename, text.line_of(call.node))
        line, codes = line.replace("%", "%%"), []
    arguments = "".join(f", {code}" for code in codes)
    text.emit(f'printf("{line}"{arguments});')
    return Value(NONE, (), None)


def _printed(text: FunctionText, value: Value, call: Call) -> tuple[str, list[str]]:
    kind = value.type
    if isinstance(kind, Static) and isinstance(value.const, str):
        return _quoted(value.const), []
    if text.is_none(value):
        return "None", []
    if isinstance(kind, Static) and isinstance(value.const, Dimensions):
        value = text.tuple_of([text.dimension(value.const, axis, call.node) for axis in "xyz"])
        kind = value.type
    if isinstance(kind, Tuple):
        formats, codes = [], []
        for item in text.items(value):
            pieces, given = _printed(text, item, call)
            formats.append(pieces)
            codes += given
        comma = "," if len(formats) == 1 else ""
        return f"({', '.join(formats)}{comma})", codes
    if not isinstance(kind, Scalar):
        text.fail(f"a value of type {kind} cannot be printed; print its elements", call.node)
    if kind.kind == "b":
        return "%s", [f'({value.code} ? "True" : "False")']
    if kind.kind == "u":
        return "%llu", [f"(unsigned long long){value.code}"]
    if kind.kind == "i":
        return "%lld", [f"(long long){value.code}"]
    if kind.kind == "c":
        held = text.held(value)
        return "(%f%+fj)", [f"(double){held.code}.re", f"(double){held.code}.im"]
    return "%f", [text.converted(value, FLOAT64, call.node).code]

"""Functions of 16-bit floats beside arithmetic: saturated results, bfloat16 from and to other numbers with
each direction of rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ._device_math import INTRINSIC_ROWS
from ._types import BOOL, FLOAT32, FLOAT64, INT32, Scalar, scalar
from ._values import Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
BFLOAT16 = scalar("bfloat16")
_DIRECTIONS = {"rn": 0, "rz": 1, "rd": 2, "ru": 3}
_INTEGERS = {
    "int16": "int",
    "int32": "int",
    "int64": "ll",
    "uint16": "int",
    "uint32": "uint",
    "uint64": "ull",
}


def _through(row: Row, function: str, half: Scalar) -> Row:
    """Return a row whose result goes through a function of floats."""

    def clamped(text: FunctionText, call: Call) -> Value:
        value = text.converted(row(text, call), FLOAT32, call.node)
        text.module.need("half_ranges")
        return text.converted(Value(FLOAT32, (f"{function}({value.code})",)), half, call.node)

    return clamped


def _extreme(function: str, half: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        given = [text.converted(value, half, call.node) for value in text.required(call, "x", "y")]
        codes = [text.converted(value, FLOAT32).code for value in given]
        text.module.need("half_ranges")
        return text.converted(Value(FLOAT32, (f"{function}({', '.join(codes)})",)), half, call.node)

    return row


def _class_of(code: str, kind: Scalar, half: Scalar) -> Row:
    """Return a row that says what a number is; `code` has its float for {x}."""

    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        single = text.held(text.converted(text.converted(value, half, call.node), FLOAT32))
        return Value(kind, (f"({code.format(x=single.code)})",))

    return row


def _unordered(op: str, half: Scalar) -> Row:
    """Return a comparison that is true where a number is NaN."""

    def row(text: FunctionText, call: Call) -> Value:
        given = [text.converted(value, half, call.node) for value in text.required(call, "x", "y")]
        x, y = (text.held(text.converted(value, FLOAT32)).code for value in given)
        return Value(BOOL, (f"({x} != {x} || {y} != {y} || {x} {op} {y})",))

    return row


def _rounded_from(source: Scalar, direction: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        value = text.converted(value, source, call.node)
        text.module.need("bfloat_rounding")
        wide = "float" if source == FLOAT32 else "long long" if source.kind == "i" else "unsigned long long"
        code = f"cu_bfloat_rounded(({wide}){value.code}, {_DIRECTIONS[direction]})"
        return Value(BFLOAT16, (code,))

    return row


def _integer_of(kind: Scalar, direction: str) -> Row:
    """Return a row from bfloat16 to an integer: too large numbers give its limit, NaN what CUDA has."""
    function = f"__float2{_INTEGERS.get(kind.name, 'int')}_{direction}"
    bits = 8 * kind.dtype.itemsize

    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        single = text.converted(text.converted(value, BFLOAT16, call.node), FLOAT32)
        code = f"{function}({single.code})"
        if bits < 32:
            low, high = (
                (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.kind == "i" else (0, (1 << bits) - 1)
            )
            code = f"({kind.c})min(max((int){code}, {low}), {high})"
        return Value(kind, (f"(({kind.c}){code})",))

    return row


def _converted(source: Scalar, kind: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        return text.converted(text.converted(value, source, call.node), kind, call.node)

    return row


def _bits_of(kind: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        value = text.held(text.converted(value, BFLOAT16, call.node))
        return Value(kind, (f"(({kind.c}){value.code}.bits)",))

    return row


def _of_bits(kind: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        value = text.converted(value, kind, call.node)
        text.need_type(BFLOAT16)
        name = text.fresh()
        text.emit(f"cu_bfloat {name}; {name}.bits = (unsigned short){value.code};")
        return Value(BFLOAT16, (name,))

    return row


def _half_rows(space: str, half: Scalar) -> dict[str, Row]:
    """Return what both types of 16 bits have, by Numba's names."""
    known = {name: INTRINSIC_ROWS[f"{space}.{name}"] for name in ("hadd", "hsub", "hmul", "hfma")}
    rows: dict[str, Row] = {f"{name}_rn": known[name] for name in ("hadd", "hsub", "hmul")}
    rows |= {f"{name}_sat": _through(row, "cu_saturated", half) for name, row in known.items()}
    rows["hfma_relu"] = _through(known["hfma"], "cu_relu", half)
    # CUDA's maximum of a number and NaN is the number.
    rows |= {"hmax": _extreme("fmaxf", half), "hmin": _extreme("fminf", half)}
    rows |= {"hmax_nan": _extreme("cu_fmax_nan", half), "hmin_nan": _extreme("cu_fmin_nan", half)}
    rows["hisnan"] = _class_of("{x} != {x}", BOOL, half)
    rows["hisinf"] = _class_of("{x} - {x} != 0 && {x} == {x} ? ({x} < 0 ? -1 : 1) : 0", INT32, half)
    for name, op in (("equ", "=="), ("neu", "!="), ("ltu", "<"), ("leu", "<="), ("gtu", ">"), ("geu", ">=")):
        rows[f"h{name}"] = _unordered(op, half)
    return rows


_BF16: dict[str, Row] = {
    "bfloat16_to_float32": _converted(BFLOAT16, FLOAT32),
    "float32_to_bfloat16": _converted(FLOAT32, BFLOAT16),
    "float64_to_bfloat16": _converted(FLOAT64, BFLOAT16),
    **{f"float32_to_bfloat16_{direction}": _rounded_from(FLOAT32, direction) for direction in _DIRECTIONS},
    **{
        f"{name}_to_bfloat16_{direction}": _rounded_from(scalar(name), direction)
        for name in _INTEGERS
        for direction in _DIRECTIONS
    },
    **{
        f"bfloat16_to_{name}_{direction}": _integer_of(scalar(name), direction)
        for name in _INTEGERS
        for direction in _DIRECTIONS
    },
    **{f"bfloat16_to_{name}_rz": _integer_of(scalar(name), "rz") for name in ("int8", "uint8")},
    **{f"bfloat16_as_{name}": _bits_of(scalar(name)) for name in ("int16", "uint16")},
    **{f"{name}_as_bfloat16": _of_bits(scalar(name)) for name in ("int16", "uint16")},
}

ROWS: dict[str, Row] = {
    **{f"fp16.{name}": row for name, row in _half_rows("fp16", scalar("float16")).items()},
    **{f"bf16.{name}": row for name, row in {**_half_rows("bf16", BFLOAT16), **_BF16}.items()},
}

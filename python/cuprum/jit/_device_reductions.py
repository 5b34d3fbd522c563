"""Reductions of whole arrays in kernels: `np.sum(x)`, `x.max()` and their like.

Each thread does all of one. Sums of integers are int64, or uint64; float16 and float32 are added up in
float64 and rounded once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._types import BOOL, FLOAT64, INT64, UINT64, Array, Scalar, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["METHODS", "ROWS"]

Row = Callable[["FunctionText", "Call"], Value]


@dataclass(frozen=True)
class _Operand:
    """An array to be reduced, and what its elements are computed with."""

    array: Value
    kind: Scalar
    work: Scalar
    skips: bool
    """Whether elements that are no number are left out."""


def _operand(text: FunctionText, call: Call, skips: bool) -> _Operand:
    (value,) = text.required(call, "a")
    if not isinstance(value.type, Array) or value.type.dtype.names:
        text.fail(f"{call.name} takes an array of numbers, not {value.type}", call.node)
    kind = value.type.element
    assert isinstance(kind, Scalar)
    if kind.kind not in "biufc":
        text.fail(f"{call.name} takes an array of numbers, not of {kind}", call.node)
    work = kind
    if kind.kind in "biu":
        work = UINT64 if kind.kind == "u" else INT64
    elif kind.kind == "f":
        work = FLOAT64
    return _Operand(text.held(value), kind, work, skips and kind.kind in "fc")


def _each(
    text: FunctionText, call: Call, of: _Operand, work: Scalar, body: Callable[[str, list[str]], None]
) -> None:
    """Write the loop over the elements, each in a variable of its own."""

    def element(cell: Value, counters: list[str]) -> None:
        name = text.temporary(work.c, text.converted(cell, work, call.node).code)
        if not of.skips:
            body(name, counters)
            return
        with text.block() as lines:
            body(name, counters)
        parts = [f"{name}.re", f"{name}.im"] if work.kind == "c" else [name]
        text.emit_block(f"if ({' && '.join(f'{part} == {part}' for part in parts)})", lines)

    text.need_type(work)
    text.each(of.array, call.node, element)


def _number(text: FunctionText, kind: Scalar, number: int) -> str:
    return text.temporary(kind.c, text.number_of(number, kind).code)


def _accumulated(text: FunctionText, call: Call, of: _Operand, work: Scalar, symbol: str) -> str:
    """Return the variable that holds the sum or the product of all elements."""
    text.need_type(work)
    total = _number(text, work, 1 if symbol == "*" else 0)
    op = ast.Mult() if symbol == "*" else ast.Add()

    def add(element: str, _: list[str]) -> None:
        result = text.binary(op, Value(work, (total,)), Value(work, (element,)), call.node)
        text.emit(f"{total} = {text.converted(result, work, call.node).code};")

    _each(text, call, of, work, add)
    return total


def _sum(symbol: str, skips: bool) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, skips)
        total = Value(of.work, (_accumulated(text, call, of, of.work, symbol),))
        return text.converted(total, of.kind if of.kind.kind in "fc" else of.work, call.node)

    return row


def _count(text: FunctionText, call: Call, of: _Operand) -> str:
    """Return the number of elements that are taken, as a variable of float64."""
    if not of.skips:
        size = text.array_attribute(of.array, "size", call.node)
        return text.temporary("double", f"(double){size.code}")
    count = text.temporary("double", "0.0")
    _each(text, call, of, of.work, lambda *_: text.emit(f"{count} += 1.0;"))
    return count


def _mean_of(text: FunctionText, call: Call, of: _Operand, work: Scalar, count: str) -> str:
    total = _accumulated(text, call, of, work, "+")
    if work.kind != "c":
        return text.temporary(work.c, f"{total} / {count}")
    part = "float" if work.name == "complex64" else "double"
    parts = ", ".join(f"({part})({total}.{name} / {count})" for name in ("re", "im"))
    return text.temporary(work.c, f"cu_make_complex<{part}>({parts})")


def _mean(skips: bool) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, skips)
        work = of.work if of.kind.kind in "fc" else FLOAT64
        mean = _mean_of(text, call, of, work, _count(text, call, of))
        return text.converted(Value(work, (mean,)), of.kind if of.kind.kind in "fc" else work, call.node)

    return row


def _variance(root: bool, skips: bool) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, skips)
        work = of.work if of.kind.kind in "fc" else FLOAT64
        count = _count(text, call, of)
        mean = _mean_of(text, call, of, work, count)
        total = text.temporary("double", "0.0")

        def add(element: str, _: list[str]) -> None:
            parts = ["re", "im"] if work.kind == "c" else [""]
            for part in (f".{name}" if name else "" for name in parts):
                apart = text.temporary("double", f"(double){element}{part} - (double){mean}{part}")
                text.emit(f"{total} += {apart} * {apart};")

        _each(text, call, of, work, add)
        code = f"sqrt({total} / {count})" if root else f"({total} / {count})"
        narrow = {"c": "float32" if of.kind.name == "complex64" else "float64", "f": of.kind.name}
        result = Value(FLOAT64, (code,))
        return text.converted(result, scalar(narrow.get(of.kind.kind, "float64")), call.node)

    return row


def _ordered(text: FunctionText, call: Call, of: _Operand) -> Scalar:
    """Return what elements are compared as; fail where they have no order, or where there are none."""
    if of.kind.kind == "c":
        text.fail(f"{call.name} of complex numbers cannot be called in kernels", call.node)
    size = text.array_attribute(of.array, "size", call.node)
    text.check(f"{size.code} > 0", f"{call.name} of an array without elements")
    return FLOAT64 if of.kind.narrow else of.kind


def _extreme(symbol: str, skips: bool) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, skips)
        work = _ordered(text, call, of)
        best = text.temporary(work.c, text.number_of(0, work).code)
        empty = text.temporary("bool", "true")

        def choose(element: str, _: list[str]) -> None:
            # An element that is no number is the result.
            better = f"{empty} || {element} {symbol} {best} || ({element} != {element} && {best} == {best})"
            text.emit(f"if ({better}) {best} = {element};")
            text.emit(f"{empty} = false;")

        _each(text, call, of, work, choose)
        if of.skips:
            text.emit(f"if ({empty}) {best} = {text.number_of(float('nan'), work).code};")
        return text.converted(Value(work, (best,)), of.kind, call.node)

    return row


def _place(symbol: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, False)
        work = _ordered(text, call, of)
        best = text.temporary(work.c, text.number_of(0, work).code)
        place, here = (text.temporary("long long", start) for start in ("-1", "0"))

        def choose(element: str, _: list[str]) -> None:
            better = (
                f"{place} < 0 || {element} {symbol} {best} || ({element} != {element} && {best} == {best})"
            )
            text.emit_block(f"if ({better})", [f"{best} = {element};", f"{place} = {here};"])
            text.emit(f"{here} += 1;")

        _each(text, call, of, work, choose)
        return Value(INT64, (place,), UNKNOWN, True)

    return row


def _counted(name: str) -> Row:
    """`any`, `all` and `count_nonzero`."""

    def row(text: FunctionText, call: Call) -> Value:
        of = _operand(text, call, False)
        work = FLOAT64 if of.kind.narrow else of.kind
        kind = INT64 if name == "count_nonzero" else BOOL
        held = _number(text, kind, 1 if name == "all" else 0)
        step = {"any": f"{held} = true;", "all": f"{held} = false;", "count_nonzero": f"{held} += 1;"}[name]

        def add(element: str, _: list[str]) -> None:
            true = text.truth(Value(work, (element,)), call.node)
            text.emit(f"if ({'!' if name == 'all' else ''}({true})) {step}")

        _each(text, call, of, work, add)
        return Value(kind, (held,), UNKNOWN, kind == INT64)

    return row


METHODS: dict[str, Row] = {
    "sum": _sum("+", False),
    "prod": _sum("*", False),
    "mean": _mean(False),
    "var": _variance(False, False),
    "std": _variance(True, False),
    "min": _extreme("<", False),
    "max": _extreme(">", False),
    "argmin": _place("<"),
    "argmax": _place(">"),
    "any": _counted("any"),
    "all": _counted("all"),
}
"""The methods of arrays."""

ROWS: dict[Any, Row] = {
    **{getattr(np, name): row for name, row in METHODS.items()},
    np.amin: METHODS["min"],
    np.amax: METHODS["max"],
    np.count_nonzero: _counted("count_nonzero"),
    np.nansum: _sum("+", True),
    np.nanprod: _sum("*", True),
    np.nanmean: _mean(True),
    np.nanvar: _variance(False, True),
    np.nanstd: _variance(True, True),
    np.nanmin: _extreme("<", True),
    np.nanmax: _extreme(">", True),
}
"""NumPy's functions."""

"""CUDA's vector types in kernels, `float32x4(1, 2, 3, 4).w`; loads and stores with hints for caches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ._device_threads import NOTHING
from ._intrinsics import Intrinsic
from ._types import Array, Pointer, Scalar, Tuple, Type, scalar
from ._values import Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["HINTS", "ROWS", "VECTORS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}
VECTORS: dict[str, Intrinsic] = {}
"""The vector types, by Numba's names and by CUDA's."""
HINTS: dict[str, Intrinsic] = {}
"""Loads and stores with hints, by their names."""

_ELEMENTS = {
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "longlong",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ulonglong",
    "float32": "float",
    "float64": "double",
}
_AXES = ("x", "y", "z", "w")


def _vector(name: str, kind: Scalar, count: int) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        if call.keywords:
            text.fail(f"{name} takes its components by position", call.node)
        given: list[Value] = []
        for value in call.args:
            given += text.items(value) if isinstance(value.type, Tuple) else [value]
        if len(given) != count:
            text.fail(
                f"{name} takes {count} numbers, or vectors that have as many; got {len(given)}", call.node
            )
        for value in given:
            text.scalar_argument(value, call)
        whole = text.tuple_of([text.held(text.converted(value, kind, call.node)) for value in given])
        assert isinstance(whole.type, Tuple)
        return replace(whole, type=replace(whole.type, names=_AXES[:count]))

    return row


_OTHER_NAMES = {"int64": "long", "uint64": "ulong"}
for _dtype, _c in _ELEMENTS.items():
    for _count in (1, 2, 3, 4):
        _name = f"{_dtype}x{_count}"
        ROWS[f"vector.{_name}"] = _vector(_name, scalar(_dtype), _count)
        VECTORS[_name] = VECTORS[f"{_c}{_count}"] = Intrinsic(f"vector.{_name}", _name)
        if _dtype in _OTHER_NAMES:
            VECTORS[f"{_OTHER_NAMES[_dtype]}{_count}"] = VECTORS[_name]


def _element(text: FunctionText, call: Call, array: Value, index: Value) -> Value:
    if isinstance(array.type, Pointer):
        return text.pointed_at(array, index, call.node)
    if not isinstance(array.type, Array):
        text.fail(f"{call.name} takes an array, not {array.type}", call.node)
    kinds = index.type.items if isinstance(index.type, Tuple) else (index.type,)
    for kind in kinds:
        if not isinstance(kind, Scalar) or kind.kind not in "iub":
            text.fail(f"{call.name}: {kind} is not a valid index", call.node)
    cell = text.cell(array, text.index_values(index), call.node) if len(kinds) == array.type.ndim else None
    if cell is None:
        given = len(kinds) if isinstance(index.type, Tuple) else "a scalar"
        text.fail(f"{call.name}: Expected {array.type.ndim} indices, got {given}", call.node)
    return cell


def _has_hints(kind: Type) -> bool:
    """Whether CUDA has loads and stores with hints for the type."""
    return isinstance(kind, Scalar) and kind.kind in "iuf" and not kind.narrow


def _load(function: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        array, index = text.required(call, "array", "i|idx|index")
        cell = _element(text, call, array, index)
        if not _has_hints(cell.type):
            return text.held(cell)
        return text.held(Value(cell.type, (f"{function}(&{cell.code})",)))

    return row


def _store(function: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        array, index, value = text.required(call, "array", "i|idx|index", "value")
        cell = _element(text, call, array, index)
        if not _has_hints(cell.type) or not isinstance(value.type, Scalar):
            text.store_cell(cell, value, call.node)
            return NOTHING
        given = text.held(text.converted(value, cell.type, call.node))
        text.emit(f"{function}(&{cell.code}, {given.code});")
        return NOTHING

    return row


for _name in ("ldca", "ldcg", "ldcs", "ldlu", "ldcv"):
    ROWS[_name] = _load(f"__{_name}")
    HINTS[_name] = Intrinsic(
        _name, doc="Return an element of an array; the caches may be told how it is used."
    )
for _name in ("stcg", "stcs", "stwb", "stwt"):
    ROWS[_name] = _store(f"__{_name}")
    HINTS[_name] = Intrinsic(_name, doc="Store into an array; the caches may be told how it is used.")

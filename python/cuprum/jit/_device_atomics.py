"""Atomic functions of kernels, on elements of arrays: all return the value that was there before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import _errors
from ._types import INT64, Array, Scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}

_WORDS = ("int32", "uint32", "int64", "uint64")


def _cell(
    text: FunctionText, array: Value, index: Value, call: Call, names: tuple[str, ...]
) -> tuple[str, Scalar]:
    """Return the address of an element, and its type."""
    if not isinstance(array.type, Array):
        text.fail(f"{call.name} takes an array, not {array.type}", call.node)
    if not array.type.writable:
        text.fail(f"array {array.name or 'here'!r} is constant: it cannot be written", call.node)
    cell = text.cell(array, text.index_values(index), call.node)
    if cell is None:
        text.fail(
            f"{call.name} needs an index for each of the array's {array.type.ndim} axes",
            call.node,
            _errors.KernelIndexError,
        )
    kind = cell.type
    if not isinstance(kind, Scalar) or kind.name not in names:
        text.fail(f"{call.name} works on arrays of {', '.join(names)}, not of {kind}", call.node)
    return f"(&{cell.code})", kind


def _value(text: FunctionText, value: Value, kind: Scalar, call: Call) -> str:
    given = text.scalar_argument(value, call)
    if not text.rules.assignable(given, kind) and not (value.known and text.fits(value, kind)):
        text.fail(f"{call.name} cannot put {given} into an array of {kind}; convert it", call.node)
    return text.converted(value, kind, call.node).code


def _done(text: FunctionText, kind: Scalar, code: str) -> Value:
    return Value(kind, (text.temporary(kind.c, code),), UNKNOWN, kind.kind == "u")


def _simple(
    name: str, names: tuple[str, ...], write: Callable[[FunctionText, str, str, Scalar], str]
) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        array, index, value = text.required(call, "ary|array", "idx|index", "val|value")
        value = value if value.stable else text.held(value)
        address, kind = _cell(text, array, index, call, names)
        return _done(text, kind, write(text, address, _value(text, value, kind, call), kind))

    ROWS[f"atomic.{name}"] = row


def _add(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
    if kind.name == "int64":
        return f"(long long)atomicAdd((unsigned long long*){address}, (unsigned long long){value})"
    if kind.name == "float16":
        text.module.need("atomic_half")
        return f"cu_atomic_half_add({address}, {value})"
    return f"atomicAdd({address}, {value})"


def _sub(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
    if kind.name in ("int32", "uint32"):
        return f"atomicSub({address}, {value})"
    if kind.kind == "f":
        return f"atomicAdd({address}, -({value}))"
    return f"({kind.c})atomicAdd((unsigned long long*){address}, 0ULL - (unsigned long long){value})"


def _bitwise(function: str) -> Callable[[FunctionText, str, str, Scalar], str]:
    def write(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
        if kind.name == "int64":
            return f"(long long){function}((unsigned long long*){address}, (unsigned long long){value})"
        return f"{function}({address}, {value})"

    return write


def _extreme(function: str, of_floats: str) -> Callable[[FunctionText, str, str, Scalar], str]:
    def write(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
        if kind.kind == "f":
            text.module.need("atomic_float")
            return f"{of_floats}({address}, {value})"
        return f"{function}({address}, {value})"

    return write


def _exchange(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
    if kind.name == "float64":
        bits = f"(unsigned long long)__double_as_longlong({value})"
        return f"__longlong_as_double((long long)atomicExch((unsigned long long*){address}, {bits}))"
    if kind.name == "int64":
        return f"(long long)atomicExch((unsigned long long*){address}, (unsigned long long){value})"
    return f"atomicExch({address}, {value})"


def _wrapping(function: str, piece: str) -> Callable[[FunctionText, str, str, Scalar], str]:
    def write(text: FunctionText, address: str, value: str, kind: Scalar) -> str:
        if kind.name == "uint64":
            text.module.need("atomic_wide")
            return f"{piece}({address}, {value})"
        return f"{function}({address}, {value})"

    return write


_NUMBERS = (*_WORDS, "float32", "float64")
_simple("add", (*_NUMBERS, "float16"), _add)
_simple("sub", _NUMBERS, _sub)
_simple("and_", _WORDS, _bitwise("atomicAnd"))
_simple("or_", _WORDS, _bitwise("atomicOr"))
_simple("xor", _WORDS, _bitwise("atomicXor"))
_simple("max", _NUMBERS, _extreme("atomicMax", "cu_atomicMax"))
_simple("min", _NUMBERS, _extreme("atomicMin", "cu_atomicMin"))
_simple("nanmax", _NUMBERS, _extreme("atomicMax", "cu_atomic_nanmax"))
_simple("nanmin", _NUMBERS, _extreme("atomicMin", "cu_atomic_nanmin"))
_simple("exch", _NUMBERS, _exchange)
_simple("inc", ("uint32", "uint64"), _wrapping("atomicInc", "cu_atomic_inc"))
_simple("dec", ("uint32", "uint64"), _wrapping("atomicDec", "cu_atomic_dec"))


def _swap(text: FunctionText, call: Call, array: Value, index: Value, old: Value, new: Value) -> Value:
    old = old if old.stable else text.held(old)
    new = new if new.stable else text.held(new)
    address, kind = _cell(text, array, index, call, (*_WORDS, "uint16"))
    before, after = _value(text, old, kind, call), _value(text, new, kind, call)
    if kind.name == "int64":
        wide = "unsigned long long"
        return _done(
            text, kind, f"(long long)atomicCAS(({wide}*){address}, ({wide}){before}, ({wide}){after})"
        )
    return _done(text, kind, f"atomicCAS({address}, {before}, {after})")


def _cas(text: FunctionText, call: Call) -> Value:
    array, index, old, new = text.required(call, "ary|array", "idx|index", "old|value", "val|alt_value")
    return _swap(text, call, array, index, old, new)


def _compare_and_swap(text: FunctionText, call: Call) -> Value:
    array, old, new = text.required(call, "ary|array", "old", "val|value")
    return _swap(text, call, array, text.number_of(0, INT64), old, new)


ROWS["atomic.cas"] = _cas
ROWS["atomic.compare_and_swap"] = _compare_and_swap

"""Functions of kernels for threads, barriers and memory: `grid`, `syncthreads`, `shared.array`, ..."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _errors
from ._device_cub import StorageType
from ._types import INT32, NONE, UINT32, Array, Scalar, is_in_bytes
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText
    from ._part import Part

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}
NOTHING = Value(NONE, (), None)


def _row(name: str) -> Callable[[Row], Row]:
    def add(function: Row) -> Row:
        ROWS[name] = function
        return function

    return add


def _axes(text: FunctionText, call: Call, code: str) -> Value:
    (ndim,) = text.required(call, "ndim")
    count = text.constant_integer(ndim, call.node, f"the argument of {call.name}")
    if count not in (1, 2, 3):
        text.fail(f"{call.name} takes 1, 2 or 3, not {count}", call.node, _errors.KernelValueError)
    kind = text.rules.grid()
    # At most 2**31 blocks of 1024 threads.
    values = [Value(kind, (code.format(n=n, c=kind.c),), UNKNOWN, True, bits=42) for n in "xyz"[:count]]
    return values[0] if count == 1 else text.tuple_of(values)


@_row("grid")
def _grid(text: FunctionText, call: Call) -> Value:
    return _axes(text, call, "(({c})blockIdx.{n} * ({c})blockDim.{n} + ({c})threadIdx.{n})")


@_row("gridsize")
def _gridsize(text: FunctionText, call: Call) -> Value:
    return _axes(text, call, "(({c})blockDim.{n} * ({c})gridDim.{n})")


LANE = "(int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u)"


@_row("laneid")
def _laneid(text: FunctionText, call: Call) -> Value:
    text.required(call)
    return lane(text)


def lane(text: Part) -> Value:
    """Return the number of the thread in its warp."""
    return text.converted(Value(INT32, (f"({LANE})",), UNKNOWN, True), text.rules.thread())


def _statement(name: str, code: str) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        text.required(call)
        text.emit(code)
        return NOTHING

    ROWS[name] = row


_statement("syncthreads", "__syncthreads();")
_statement("threadfence", "__threadfence();")
_statement("threadfence_block", "__threadfence_block();")
_statement("threadfence_system", "__threadfence_system();")


def _barrier_of_predicate(name: str, function: str) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        (predicate,) = text.required(call, "predicate")
        code = f"{function}({text.truth(predicate, call.node)} ? 1 : 0)"
        return Value(INT32, (text.temporary("int", code),), UNKNOWN, True)

    ROWS[name] = row


for _suffix in ("count", "and", "or"):
    _barrier_of_predicate(f"syncthreads_{_suffix}", f"__syncthreads_{_suffix}")


@_row("syncwarp")
def _syncwarp(text: FunctionText, call: Call) -> Value:
    (mask,) = text.bound(call, "mask?")
    code = "0xffffffffu" if mask is None else text.converted(mask, UINT32, call.node).code
    text.emit(f"__syncwarp({code});")
    return NOTHING


@_row("nanosleep")
def _nanosleep(text: FunctionText, call: Call) -> Value:
    (duration,) = text.required(call, "ns")
    text.emit(f"__nanosleep({text.converted(duration, UINT32, call.node).code});")
    return NOTHING


# Memory


def made(
    text: Part,
    node: ast.AST,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    space: str,
    align: int = 0,
) -> Value:
    """Return an array that stands in shared memory, or in the thread's own."""
    if is_in_bytes(dtype):
        c_type, scale = "unsigned char", dtype.itemsize
        align = align or max(dtype.alignment, 8)
    else:
        c_type, scale = text.element_of(dtype, node), 1
    count = int(np.prod(shape, dtype=np.int64)) * scale
    bytes_ = count * (1 if is_in_bytes(dtype) else dtype.itemsize)
    limit, where = (232_448, "shared memory") if space else (524_288, "local memory")
    if bytes_ > limit:
        text.fail(
            f"the array takes {bytes_} bytes of {where}, of which there are {limit}; use a smaller shape, "
            "or an array that is an argument",
            node,
            _errors.KernelValueError,
        )
    name = text.own_array(node, space, c_type, count, align)
    return Value(Array(dtype, len(shape), True, True, shape), (name,))


def _dynamic(text: FunctionText, node: ast.AST, dtype: np.dtype[Any]) -> Value:
    kind = Array(dtype, 1)
    c_type = kind.pointee if kind.in_bytes else text.element_of(dtype, node)
    text.need_dynamic()
    pointer = text.temporary(f"{c_type}*", f"({c_type}*)cu_dynamic")
    length = text.temporary("long long", f"cu_dynamic_bytes / {dtype.itemsize}")
    return Value(kind, (pointer, length))


@_row("shared.array")
def _shared_array(text: FunctionText, call: Call) -> Value:
    shape, dtype, alignment = text.bound(call, "shape", "dtype|type", "alignment?")
    assert shape is not None and dtype is not None
    kind = text.dtype_of(dtype, call.node)
    sizes = text.shape_of(shape, call.node, "the shape of a shared array")
    if sizes == (0,):
        return _dynamic(text, call.node, kind)
    align = 0 if alignment is None or text.is_none(alignment) else _alignment(text, alignment, call)
    return made(text, call.node, kind, sizes, "__shared__ ", align)


def _alignment(text: FunctionText, value: Value, call: Call) -> int:
    align = text.constant_integer(value, call.node, "the alignment")
    if align < 1 or align & (align - 1):
        text.fail(f"Alignment must be a power of two, not {align}", call.node, _errors.KernelValueError)
    return align


@_row("shared_memory")
def _shared_memory(text: FunctionText, call: Call) -> Value:
    dtype, size, alignment = text.bound(call, "dtype", "size", "alignment?")
    assert dtype is not None and size is not None
    if isinstance(dtype.const, StorageType):
        count = text.constant_integer(size, call.node, "the size of shared memory")
        return dtype.const.declared(text, call.node, count)
    kind = text.dtype_of(dtype, call.node)
    if text.is_none(size):
        return _dynamic(text, call.node, kind)
    align = 0 if alignment is None or text.is_none(alignment) else _alignment(text, alignment, call)
    shape = text.shape_of(size, call.node, "the size of shared memory")
    return made(text, call.node, kind, shape, "__shared__ ", align)


@_row("local.array")
def _local_array(text: FunctionText, call: Call) -> Value:
    shape, dtype, alignment = text.bound(call, "shape", "dtype|type", "alignment?")
    assert shape is not None and dtype is not None
    sizes = text.shape_of(shape, call.node, "the shape of a local array")
    align = 0 if alignment is None or text.is_none(alignment) else _alignment(text, alignment, call)
    return made(text, call.node, text.dtype_of(dtype, call.node), sizes, "", align)


@_row("const.array_like")
def _const_array_like(text: FunctionText, call: Call) -> Value:
    (array,) = text.required(call, "ary|array|arr")
    if not isinstance(array.type, Array) or array.type.writable:
        text.fail("const.array_like takes a NumPy array that is global to the kernel", call.node)
    return array


def quantity(text: Part, name: str) -> Value:
    """Return `warpsize` or `laneid`."""
    if name == "warpsize":
        kind: Scalar = text.rules.thread()
        return text.number_of(32, kind)
    return lane(text)

"""Groups of threads in kernels: the grid and the block, by the names of cooperative groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ._device_threads import NOTHING
from ._types import BOOL, INT64, UINT32, UINT64, Array, Scalar, Tuple
from ._values import UNKNOWN, Value, static

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}

_RANK = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
_THREADS = "(blockDim.x * blockDim.y * blockDim.z)"
_BLOCK = (
    "((unsigned long long)blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z))"
)
_BLOCKS = "((unsigned long long)gridDim.x * gridDim.y * gridDim.z)"


def _row(name: str) -> Callable[[Row], Row]:
    def add(function: Row) -> Row:
        ROWS[name] = function
        return function

    return add


def _number(name: str, kind: Scalar, code: str) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        text.required(call)
        return Value(kind, (code,), UNKNOWN, True)

    ROWS[name] = row


_number("block.thread_rank", UINT32, _RANK)
_number("block.size", UINT32, _THREADS)
_number("grid.thread_rank", UINT64, f"({_BLOCK} * {_THREADS} + {_RANK})")
_number("grid.size", UINT64, f"({_BLOCKS} * {_THREADS})")
_number("grid.block_rank", UINT64, _BLOCK)
_number("grid.num_blocks", UINT64, _BLOCKS)
_number("grid.is_valid", BOOL, "true")


def _three(name: str, dimensions: str) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        text.required(call)
        whole = text.tuple_of(
            [Value(UINT32, (f"((unsigned int){dimensions}.{axis})",), UNKNOWN, True) for axis in "xyz"]
        )
        assert isinstance(whole.type, Tuple)
        return replace(whole, type=replace(whole.type, names=("x", "y", "z")))

    ROWS[name] = row


_three("block.group_index", "blockIdx")
_three("block.thread_index", "threadIdx")
_three("block.group_dim", "blockDim")
_three("grid.group_dim", "gridDim")


@_row("grid.sync")
def _grid_sync(text: FunctionText, call: Call) -> Value:
    text.module.cooperative = True
    if text.module.gpu:
        text.module.need("grid_sync")
        text.emit("cu_grid_sync();")
    else:
        text.emit("__cuprum_grid_sync();")
    return NOTHING


@_row("cg.sync")
def _group_sync(text: FunctionText, call: Call) -> Value:
    from ._names import GRID_GROUP

    (group,) = text.required(call, "group")
    if group.const is GRID_GROUP:
        return _grid_sync(text, call)
    text.emit("__syncthreads();")
    return NOTHING


@_row("cg.this_grid")
def _this_grid(text: FunctionText, call: Call) -> Value:
    from ._names import GRID_GROUP

    text.required(call)
    return static(GRID_GROUP)


@_row("cg.this_thread_block")
def _this_thread_block(text: FunctionText, call: Call) -> Value:
    from ._names import BLOCK_GROUP

    text.required(call)
    return static(BLOCK_GROUP)


@_row("cg.memcpy_async")
def _copied(text: FunctionText, call: Call) -> Value:
    group, target, to, source, start, size, _ = text.bound(
        call, "group", "dst", "dst_idx", "src", "src_idx", "size", "aligned_size?"
    )
    assert (
        target is not None
        and source is not None
        and size is not None
        and to is not None
        and start is not None
    )
    if not isinstance(target.type, Array) or not isinstance(source.type, Array):
        text.fail(f"{call.name} copies from an array to an array", call.node)
    if target.type.dtype != source.type.dtype or target.type.ndim != 1 or source.type.ndim != 1:
        text.fail(f"{call.name} takes arrays of one axis and one dtype", call.node)
    count = text.integer(size, call.node, "the size")
    first, begin = (text.held(text.integer(v, call.node, "an index")) for v in (to, start))
    counter = text.fresh()
    rank = f"(long long){_RANK}"
    step = f"(long long){_THREADS}"
    with text.block() as lines:
        into = text.cell(target, [Value(INT64, (f"({first.code} + {counter})",))], call.node)
        given = text.cell(source, [Value(INT64, (f"({begin.code} + {counter})",))], call.node)
        assert into is not None and given is not None
        text.store_cell(into, given, call.node)
    length = text.temporary("long long", f"{count.code} / {source.type.dtype.itemsize}")
    text.emit_block(f"for (long long {counter} = {rank}; {counter} < {length}; {counter} += {step})", lines)
    return NOTHING


@_row("cg.wait")
def _wait(text: FunctionText, call: Call) -> Value:
    text.bound(call, "group", "step?")
    text.emit("__syncthreads();")
    return NOTHING

"""Random numbers of kernels: xoroshiro128+, one generator for each element of an array of states.

The algorithm is Blackman and Vigna's; uniform numbers are the upper 53 bits, normal ones come from Box and
Muller's formula on two uniform ones, as in Numba, so that the sequences are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ._types import FLOAT32, FLOAT64, UINT64, Array, Record, Scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}


def _state(text: FunctionText, call: Call) -> str:
    states, index = text.required(call, "states", "index")
    if not isinstance(states.type, Array) or set(states.type.dtype.names or ()) != {"s0", "s1"}:
        text.fail(
            f"{call.name} takes an array made by create_xoroshiro128p_states, not {states.type}", call.node
        )
    cell = text.cell(states, text.index_values(index), call.node)
    if cell is None or not isinstance(cell.type, Record):
        text.fail(f"{call.name} takes the number of a state", call.node)
    text.module.need("xoroshiro")
    return text.temporary("unsigned long long*", f"(unsigned long long*){cell.code}")


def _draw(name: str, function: str, kind: Scalar) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        state = _state(text, call)
        return Value(kind, (text.temporary(kind.c, f"{function}({state})"),), UNKNOWN, kind.kind == "u")

    ROWS[f"random.{name}"] = row


_draw("xoroshiro128p_next", "cu_xoroshiro_next", UINT64)
_draw("xoroshiro128p_uniform_float32", "cu_xoroshiro_uniform32", FLOAT32)
_draw("xoroshiro128p_uniform_float64", "cu_xoroshiro_uniform64", FLOAT64)
_draw("xoroshiro128p_normal_float32", "cu_xoroshiro_normal32", FLOAT32)
_draw("xoroshiro128p_normal_float64", "cu_xoroshiro_normal64", FLOAT64)


def _jump(text: FunctionText, call: Call) -> Value:
    from ._types import NONE

    text.emit(f"cu_xoroshiro_jump({_state(text, call)});")
    return Value(NONE, (), None)


ROWS["random.xoroshiro128p_jump"] = _jump

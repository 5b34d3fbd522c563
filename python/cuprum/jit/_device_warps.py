"""Functions of kernels for warps: shuffles, votes, matches, and bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import _errors
from ._types import BOOL, FLOAT32, INT32, UINT32, UINT64, Scalar, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}


def _mask(text: FunctionText, value: Value, call: Call) -> str:
    kind = text.scalar_argument(value, call)
    if kind.kind not in "iu":
        text.fail(f"{call.name}: Mask type must be an integer, not {kind}", call.node)
    if value.known:
        number = int(value.const)
        if not -(2**31) <= number < 2**32:
            text.fail("the mask must fit into 32 bits", call.node, _errors.KernelValueError)
        return f"{number & 0xFFFFFFFF}u"
    return text.converted(value, UINT32, call.node).code


_SHUFFLED = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def _width(text: FunctionText, width: Value, call: Call) -> str:
    """Return the width of a shuffle: checked here where it is known, by the kernel where it is not."""
    if width.known:
        count = text.constant_integer(width, call.node, "the width")
        if count not in (2, 4, 8, 16, 32):
            text.fail("the width must be 2, 4, 8, 16 or 32", call.node, _errors.KernelValueError)
        return str(count)
    text.integer(width, call.node, "the width")
    count_code = text.temporary("int", text.converted(width, INT32, call.node).code)
    right = f"({count_code} >= 2 && {count_code} <= 32 && ({count_code} & ({count_code} - 1)) == 0)"
    text.check(right, "the width of a shuffle must be 2, 4, 8, 16 or 32")
    return count_code


def _shuffle(name: str, function: str) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        mask, value, lane, width = text.bound(
            call, "mask", "value|var", "lane|src_lane|delta|offset|val|val_id|lane_mask", "width?"
        )
        assert mask is not None and value is not None and lane is not None
        kind = text.scalar_argument(value, call)
        if kind.kind == "c":
            text.fail(f"{call.name} takes no complex numbers; shuffle .real and .imag", call.node)
        moved = kind if kind.name in _SHUFFLED else FLOAT32 if kind.kind == "f" else INT32
        given = text.converted(value, moved, call.node)
        by = text.converted(lane, INT32, call.node)
        size = ""
        if width is not None:
            size = f", {_width(text, width, call)}"
        code = f"{function}({_mask(text, mask, call)}, {given.code}, {by.code}{size})"
        held = Value(moved, (text.temporary(moved.c, code),), UNKNOWN, moved.kind == "u")
        return text.converted(held, kind, call.node)

    ROWS[name] = row


for _name in ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"):
    _shuffle(_name, f"__{_name}")


def _vote(name: str, result: Scalar) -> None:
    def row(text: FunctionText, call: Call) -> Value:
        mask, predicate = text.required(call, "mask", "predicate")
        kind = text.scalar_argument(predicate, call)
        if kind.kind not in "biu":
            # CUDA C would cut it to an integer: 0.5 counts as false there.
            text.fail(f"{call.name}: Predicate must be an integer or boolean, not {kind}", call.node)
        condition = f"({text.truth(predicate, call.node)} ? 1 : 0)"
        place = _mask(text, mask, call)
        if name == "eq_sync":
            yes = text.temporary("int", f"__all_sync({place}, {condition})")
            no = text.temporary("int", f"__all_sync({place}, !{condition})")
            return Value(BOOL, (f"({yes} || {no})",))
        held = text.temporary(
            "unsigned int" if result == UINT32 else "int", f"__{name}({place}, {condition})"
        )
        if result == BOOL:
            return Value(BOOL, (f"({held} != 0)",))
        return Value(result, (held,), UNKNOWN, True)

    ROWS[name] = row


_vote("all_sync", BOOL)
_vote("any_sync", BOOL)
_vote("eq_sync", BOOL)
_vote("ballot_sync", UINT32)


def _matched(text: FunctionText, value: Value, call: Call) -> Value:
    kind = text.scalar_argument(value, call)
    if kind.name in _SHUFFLED:
        return value
    return text.converted(value, FLOAT32 if kind.kind == "f" else INT32, call.node)


def _match_any(text: FunctionText, call: Call) -> Value:
    mask, value = text.required(call, "mask", "value")
    code = f"__match_any_sync({_mask(text, mask, call)}, {_matched(text, value, call).code})"
    return Value(UINT32, (text.temporary("unsigned int", code),), UNKNOWN, True)


def _match_all(text: FunctionText, call: Call) -> Value:
    mask, value = text.required(call, "mask", "value")
    same = text.fresh()
    given = _matched(text, value, call)
    text.emit(f"int {same};")
    code = f"__match_all_sync({_mask(text, mask, call)}, {given.code}, &{same})"
    found = Value(UINT32, (text.temporary("unsigned int", code),), UNKNOWN, True)
    return text.tuple_of([found, Value(BOOL, (f"({same} != 0)",))])


ROWS["match_any_sync"] = _match_any
ROWS["match_all_sync"] = _match_all


def _activemask(text: FunctionText, call: Call) -> Value:
    text.required(call)
    return Value(UINT32, (text.temporary("unsigned int", "__activemask()"),), UNKNOWN, True)


def _lanemask_lt(text: FunctionText, call: Call) -> Value:
    from ._device_threads import LANE

    text.required(call)
    return Value(UINT32, (f"((1u << ({LANE})) - 1u)",), UNKNOWN, True)


ROWS["activemask"] = _activemask
ROWS["lanemask_lt"] = _lanemask_lt


# Bits


def _integer(text: FunctionText, call: Call) -> tuple[Value, Scalar]:
    (value,) = text.required(call, "x")
    kind = text.scalar_argument(value, call)
    if kind.kind not in "iu":
        text.fail(f"{call.name} takes integers, not {kind}", call.node)
    return value, kind


def _unsigned(text: FunctionText, value: Value, kind: Scalar, call: Call) -> tuple[str, bool]:
    """Return the bits of an integer in an unsigned one of 32 or 64 bits, and whether these are 64."""
    wide = kind.dtype.itemsize == 8
    same = text.converted(value, scalar(f"uint{8 * kind.dtype.itemsize}"), call.node)
    return text.converted(same, UINT64 if wide else UINT32, call.node).code, wide


def _popc(text: FunctionText, call: Call) -> Value:
    value, kind = _integer(text, call)
    code, wide = _unsigned(text, value, kind, call)
    function = "__popcll" if wide else "__popc"
    return Value(kind, (f"(({kind.c}){function}({code}))",), UNKNOWN, True, value.stable)


def _clz(text: FunctionText, call: Call) -> Value:
    value, kind = _integer(text, call)
    code, wide = _unsigned(text, value, kind, call)
    function = f"__clzll((long long){code})" if wide else f"__clz((int){code})"
    spare = 32 - 8 * kind.dtype.itemsize if not wide else 0
    return Value(kind, (f"(({kind.c})({function} - {spare}))",), UNKNOWN, True, value.stable)


def _ffs(text: FunctionText, call: Call) -> Value:
    value, kind = _integer(text, call)
    code, wide = _unsigned(text, value, kind, call)
    function = f"__ffsll((long long){code})" if wide else f"__ffs((int){code})"
    return Value(UINT32, (f"((unsigned int){function})",), UNKNOWN, True, value.stable)


def _brev(text: FunctionText, call: Call) -> Value:
    value, kind = _integer(text, call)
    wide = kind.dtype.itemsize == 8
    target = UINT64 if wide else UINT32
    function = "__brevll" if wide else "__brev"
    given = text.converted(value, target, call.node)
    return Value(target, (f"{function}({given.code})",), UNKNOWN, True, value.stable)


ROWS.update(popc=_popc, clz=_clz, ffs=_ffs, brev=_brev)

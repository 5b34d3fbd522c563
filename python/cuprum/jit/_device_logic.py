"""NumPy's functions of truth and order in kernels: `logical_and`, `invert`, and complex numbers one after the
other, by their real parts first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._device_math import ROWS as MATH
from ._types import BOOL, Scalar
from ._values import Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["ROWS"]

Row = Callable[["FunctionText", "Call"], Value]


def _logical(op: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        left, right = text.required(call, "x", "y")
        given = [text.truth(text.held(value), call.node) for value in (left, right)]
        return Value(BOOL, (f"((bool)({given[0]}) {op} (bool)({given[1]}))",))

    return row


def _logical_not(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    return Value(BOOL, (f"(!({text.truth(text.held(value), call.node)}))",))


def _invert(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    kind = text.scalar_argument(value, call)
    # NumPy keeps the type: `~x` of Python's integers has more bits.
    if kind.kind not in "biu":
        text.fail(f"invert takes no {kind}", call.node)
    held = text.held(value)
    code = f"(!{held.code})" if kind == BOOL else f"(({kind.c})(~{held.code}))"
    return Value(kind, (code,))


def _complex_pair(text: FunctionText, call: Call) -> tuple[Scalar, list[str]] | None:
    """Return the arguments as complex numbers of one type; None where none is complex."""
    values = text.required(call, "x", "y")
    kinds = [value.type for value in values]
    if not any(isinstance(kind, Scalar) and kind.kind == "c" for kind in kinds):
        return None
    kind = text.rules.common(*(text.scalar_argument(value, call) for value in values))
    text.module.need("complex_order")
    return kind, [text.held(text.converted(value, kind, call.node)).code for value in values]


def _ordered(numpy: Any, function: str, swapped: bool) -> Row:
    plain = MATH[numpy]

    def row(text: FunctionText, call: Call) -> Value:
        pair = _complex_pair(text, call)
        if pair is None:
            return plain(text, call)
        codes = pair[1][::-1] if swapped else pair[1]
        return Value(BOOL, (f"{function}({', '.join(codes)})",))

    return row


def _extreme(numpy: Any, smaller: bool, first: bool) -> Row:
    """Return a row of the smaller or the larger number. The first is taken where it is NaN; without `first`
    where the second is.
    """
    plain = MATH[numpy]

    def row(text: FunctionText, call: Call) -> Value:
        pair = _complex_pair(text, call)
        if pair is None:
            return plain(text, call)
        kind, (a, b) = pair
        order = f"cu_cle({a}, {b})" if smaller else f"cu_cle({b}, {a})"
        return Value(kind, (f"({order} || cu_cisnan({a if first else b}) ? {a} : {b})",))

    return row


ROWS: dict[Any, Row] = {
    np.logical_and: _logical("&&"),
    np.logical_or: _logical("||"),
    np.logical_xor: _logical("!="),
    np.logical_not: _logical_not,
    np.invert: _invert,
    np.less: _ordered(np.less, "cu_clt", False),
    np.less_equal: _ordered(np.less_equal, "cu_cle", False),
    np.greater: _ordered(np.greater, "cu_clt", True),
    np.greater_equal: _ordered(np.greater_equal, "cu_cle", True),
    np.minimum: _extreme(np.minimum, True, True),
    np.maximum: _extreme(np.maximum, False, True),
    np.fmin: _extreme(np.fmin, True, False),
    np.fmax: _extreme(np.fmax, False, False),
}

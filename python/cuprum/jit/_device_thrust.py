"""Thrust's algorithms in kernels, each done by the thread that calls it: `cupyx.jit.thrust`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ._native import Native
from ._part import Part
from ._types import BOOL, INT32, INT64, NONE, Array, Iterator, Scalar, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["THRUST_NAMES", "Iterators"]


class Iterators(Part):
    """The part of `FunctionText` for positions in sequences: `begin()`, `end()`, sums and differences."""

    def iterator(self, array: Value, node: ast.AST, end: bool = False) -> Value:
        """Return the position of an array's first element, or that behind the last."""
        kind = array.type
        assert isinstance(kind, Array)
        if kind.ndim != 1 or kind.dtype.names:
            self.fail("begin and end are of arrays of numbers with one axis; index the array first", node)
        element = scalar(kind.dtype)
        self.need_type(element)
        const = "" if kind.writable else "const "
        if kind.contiguous:
            made = Iterator(f"{const}{element.c}*", element)
            code = array.parts[0]
        else:
            self.module.need("strided")
            made = Iterator(f"cu_strided<{const}{element.c}>", element)
            code = f"cu_make_strided({array.parts[0]}, {self.strides(array)[0]})"
        if end:
            code = f"({code} + {self.sizes(array)[0]})"
        return Value(made, (code,), stable=array.stable)

    def as_iterator(self, value: Value, node: ast.AST) -> Value | None:
        """Return an iterator, or the beginning of shared memory; None for other values."""
        kind = value.type
        if isinstance(kind, Iterator):
            return value
        if isinstance(kind, Array) and kind.shape is not None and kind.ndim == 1 and not kind.dtype.names:
            return self.iterator(value, node)
        return None

    def moved_iterator(self, symbol: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """Return `it + n`, `n + it`, `it - n` or `it - it`; None where no operand is an iterator."""
        if symbol not in ("+", "-"):
            return None
        one, other = self.as_iterator(left, node), self.as_iterator(right, node)
        if one is not None and other is not None:
            if symbol == "+" or one.type != other.type:
                return None
            code = f"((long long)({one.code} - {other.code}))"
            return Value(INT64, (code,), stable=left.stable and right.stable)
        if one is None and other is not None and symbol == "+":
            one, right = other, left
        if one is None or not isinstance(right.type, Scalar) or right.type.kind not in "iu":
            return None
        step = self.converted(right, INT64, node)
        code = f"({one.code} {symbol} {step.code})"
        return Value(one.type, (code,), stable=left.stable and right.stable)

    def at_iterator(self, holder: Value, index: Value, node: ast.AST) -> Value:
        """Return `it[i]`."""
        assert isinstance(holder.type, Iterator)
        if not isinstance(index.type, Scalar) or index.type.kind not in "iu":
            self.fail(f"an iterator is indexed by an integer, not {index.type}", node)
        place = self.converted(index, INT64, node)
        kind = holder.type.element
        return Value(kind, (self.temporary(kind.c, f"{holder.code}[{place.code}]"),))


class Policy:
    """How an algorithm runs; in a kernel always by the thread that calls it."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __repr__(self) -> str:
        return f"<thrust.{self.__name__} of kernels>"


# For each algorithm, forms of its arguments, and what it gives. Arguments: i an iterator, v a value of the
# first iterator's type, w one of the last iterator's. Results: the number of the argument whose type it has
# (behind the policy), a pair of them, `bool`, `count`, `value` (of the first iterator's type), or nothing.
_FORMS: dict[str, tuple[str, ...]] = {
    "adjacent_difference": ("iii 2",),
    "binary_search": ("iiv bool", "iiiii 4"),
    "copy": ("iii 2",),
    "count": ("iiv count",),
    "equal": ("iii bool",),
    "equal_range": ("iiv 0,0",),
    "exclusive_scan": ("iii 2", "iiiv 2"),
    "exclusive_scan_by_key": ("iiii 3", "iiiiw 3"),
    "fill": ("iiv",),
    "find": ("iiv 0",),
    "gather": ("iiii 3",),
    "inclusive_scan": ("iii 2",),
    "inclusive_scan_by_key": ("iiii 3",),
    "inner_product": ("iiiv value",),
    "is_sorted": ("ii bool",),
    "is_sorted_until": ("ii 0",),
    "lower_bound": ("iiv 0", "iiiii 4"),
    "max_element": ("ii 0",),
    "merge": ("iiiii 4",),
    "min_element": ("ii 0",),
    "mismatch": ("iii 0,2",),
    "reduce": ("ii value", "iiv value"),
    "reduce_by_key": ("iiiii 3,4",),
    "remove": ("iiv 0",),
    "remove_copy": ("iiiv 2",),
    "replace": ("iivv",),
    "replace_copy": ("iiivv 2",),
    "reverse": ("ii",),
    "reverse_copy": ("iii 2",),
    "scatter": ("iiii",),
    "sequence": ("ii", "iiv", "iivv"),
    "set_difference": ("iiiii 4",),
    "set_difference_by_key": ("iiiiiiii 6,7",),
    "set_intersection": ("iiiii 4",),
    "set_intersection_by_key": ("iiiiiii 5,6",),
    "set_symmetric_difference": ("iiiii 4",),
    "set_symmetric_difference_by_key": ("iiiiiiii 6,7",),
    "set_union": ("iiiii 4",),
    "set_union_by_key": ("iiiiiiii 6,7",),
    "sort": ("ii",),
    "sort_by_key": ("iii",),
    "stable_sort": ("ii",),
    "stable_sort_by_key": ("iii",),
    "swap_ranges": ("iii 2",),
    "unique": ("ii 0",),
    "unique_by_key": ("iii 0,2",),
    "upper_bound": ("iiv 0", "iiiii 4"),
}


class Algorithm(Native):
    """An algorithm of Thrust: `name(policy, first, last, ...)`."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"Thrust's {name}, done by the thread that calls it.")
        self._forms = [form.partition(" ")[::2] for form in _FORMS[name]]

    def write(self, text: FunctionText, call: Call) -> Value:
        if call.keywords:
            text.fail(f"thrust.{call.name} takes its arguments by their places", call.node)
        if not call.args or not isinstance(call.args[0].const, Policy):
            text.fail(f"thrust.{call.name} takes thrust.device or thrust.seq first", call.node)
        values = [text.as_iterator(value, call.node) or value for value in call.args[1:]]
        letters = "".join("i" if isinstance(value.type, Iterator) else "v" for value in values)
        for params, result in self._forms:
            if params.replace("w", "v") == letters:
                return self._written(text, call, values, params, result)
        known = ", or ".join(_spelt(params) for params, _ in self._forms)
        text.fail(f"thrust.{call.name} takes a policy, then {known}", call.node)

    def _written(
        self, text: FunctionText, call: Call, values: list[Value], params: str, result: str
    ) -> Value:
        text.module.need("thrust")
        iterators = [value.type for value in values if isinstance(value.type, Iterator)]
        codes = []
        for letter, value in zip(params, values, strict=True):
            if letter != "i":
                text.scalar_argument(value, call)
                element = iterators[-1 if letter == "w" else 0].element
                value = text.converted(value, element, call.node)
            codes.append(value.code)
        for kind in iterators:
            text.module.need_operators(kind.element)
        code = f"thrust::{call.name}(thrust::seq, {', '.join(codes)})"
        if not result:
            text.emit(f"{code};")
            return Value(NONE, (), None)
        if result in ("bool", "count", "value"):
            given = {"bool": BOOL, "count": INT32, "value": iterators[0].element}[result]
            return Value(given, (text.temporary(given.c, code),), UNKNOWN, result == "count")
        if "," not in result:
            made = values[int(result)].type
            assert isinstance(made, Iterator)
            return Value(made, (text.temporary(made.c, code),))
        name = text.fresh()
        text.emit(f"const auto {name} = {code};")
        places = [values[int(place)].type for place in result.split(",")]
        parts = ("first", "second")
        return text.tuple_of(
            [Value(kind, (f"{name}.{part}",)) for kind, part in zip(places, parts, strict=True)]
        )


def _spelt(params: str) -> str:
    names = {"i": "iterator", "v": "value", "w": "value"}
    return f"({', '.join(names[letter] for letter in params)})"


class MadeIterator(Native):
    """`make_constant_iterator(value)`, `make_counting_iterator(start)`."""

    def write(self, text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        kind = text.scalar_argument(value, call)
        text.module.need("thrust")
        c_name = f"thrust::{self.__name__.removeprefix('make_')}<{kind.c}>"
        return Value(Iterator(c_name, kind), (f"{c_name}({value.code})",), stable=value.stable)


THRUST_NAMES: dict[str, Any] = {
    **{name: Policy(name) for name in ("device", "host", "seq")},
    **{name: Algorithm(name) for name in _FORMS},
    "make_constant_iterator": MadeIterator("make_constant_iterator", "A sequence of one value."),
    "make_counting_iterator": MadeIterator("make_counting_iterator", "A sequence that counts from a number."),
}
"""What `cupyx.jit.thrust` has."""

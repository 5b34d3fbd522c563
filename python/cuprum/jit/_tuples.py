"""Tuples in a kernel, and what stands in brackets behind a value."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import numpy as np

from . import _errors
from ._intrinsics import is_literal_unroll
from ._part import Part
from ._types import NONE, Array, Iterator, Pointer, Record, Scalar, Static, Tuple
from ._values import UNKNOWN, Value

__all__ = ["Tuples"]


class Tuples(Part):
    """The part of `FunctionText` that deals with tuples and subscripts."""

    def _Tuple(self, node: ast.Tuple) -> Value:
        return self.tuple_of(self.in_order(node.elts))

    def tuple_of(self, values: list[Value]) -> Value:
        """Return a tuple."""
        try:
            kind = Tuple(tuple(value.type for value in values))
        except TypeError as error:
            self.fail(str(error))
        const = tuple(v.const for v in values) if all(v.known for v in values) else UNKNOWN
        parts = tuple(part for value in values for part in value.parts)
        whole = [value.natural for value in values if isinstance(value.type, Scalar)]
        return Value(kind, parts, const, bool(whole) and all(whole), all(value.stable for value in values))

    def items(self, value: Value) -> list[Value]:
        """Return the items of a tuple."""
        assert isinstance(value.type, Tuple)
        out = []
        place = 0
        for number, kind in enumerate(value.type.items):
            count = len(kind.parts())
            parts = value.parts[place : place + count]
            place += count
            const = value.const[number] if value.known else getattr(kind, "value", UNKNOWN)
            if kind == NONE:
                const = None
            if const is not UNKNOWN and isinstance(kind, Scalar):
                out.append(self.number_of(const, kind))
            else:
                nonnegative = value.nonnegative and isinstance(kind, Scalar) and kind.kind in "iu"
                out.append(Value(kind, parts, const, nonnegative, value.stable))
        return out

    def chosen(self, value: Value, index: Value, node: ast.AST) -> Value:
        """Return the item of a tuple of one type that an index chooses when the kernel runs."""
        assert isinstance(value.type, Tuple)
        items = self.items(value)
        if len(set(value.type.items)) != 1:
            self.fail("a tuple of several types can be indexed by constants only", node)
        self.module.need("wrap")
        place = self.temporary("long long", f"cu_wrap({index.code}, {len(items)})")
        if self.module.debug:
            inside = f"{place} >= 0 && {place} < {len(items)}"
            self.demand(inside, IndexError, ("tuple index out of range",), node)
        self.module.need_check()
        self.emit(f'(void)__cuprum_check_index({place}, {len(items)}LL, 0, "tuple");')
        kind = value.type.items[0]
        parts = []
        for part in range(len(kind.parts())):
            code = items[-1].parts[part]
            for number in range(len(items) - 2, -1, -1):
                code = f"({place} == {number} ? {items[number].parts[part]} : {code})"
            parts.append(code)
        return Value(kind, tuple(parts), UNKNOWN, all(i.natural for i in items), value.stable)

    def unrolled_items(self, node: ast.expr) -> list[Value] | None:
        """Return what Numba's `literal_unroll(items)` loops over, each with a type of its own."""
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            return None
        function = self.expression(node.func)
        if not function.known or not is_literal_unroll(function.const):
            return None
        value = self.expression(node.args[0])
        if not isinstance(value.type, Tuple):
            self.fail(f"literal_unroll takes a tuple, not {value.type}", node)
        return self.items(value if value.stable else self.held(value))

    def unroll(self, node: ast.For, items: list[Value]) -> None:
        """Write a loop's body once for each item."""
        for inner in _of_this_loop(node.body):
            if isinstance(inner, ast.Break | ast.Continue):
                word = "break" if isinstance(inner, ast.Break) else "continue"
                self.fail(f"{word} in a loop over literal_unroll", inner, _errors.UnsupportedError)
        for item in items:
            if self.env is None:
                return
            self.assign(node.target, item)
            self.statements(node.body)
        self.statements(node.orelse)

    def _Subscript(self, node: ast.Subscript) -> Value:
        holder = self.expression(node.value)
        if isinstance(holder.type, Tuple):
            return self._tuple_item(holder, node)
        if isinstance(holder.type, Array):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if holder.type.dtype.names and isinstance(key, str):
                return self.fields(holder, key, node)
            return self.item(holder, self.indices(node.slice, holder.type.ndim), node)
        if isinstance(holder.type, Record):
            return self.field_at(holder, node.slice)
        if isinstance(holder.type, Pointer):
            return self.pointed_at(holder, self.expression(node.slice), node)
        if isinstance(holder.type, Iterator):
            return self.at_iterator(holder, self.expression(node.slice), node)
        if isinstance(holder.type, Static):
            return self._static_item(holder, node)
        self.fail(f"a value of type {holder.type} cannot be indexed", node)

    def _static_item(self, holder: Value, node: ast.Subscript) -> Value:
        thing = holder.const
        if hasattr(thing, "__getitem__"):
            key = self.expression(node.slice)
            if key.known:
                try:
                    return self.frozen(thing[key.const], node)
                except (KeyError, IndexError, TypeError) as error:
                    self.fail(f"{type(error).__name__}: {error}", node, _errors.KernelIndexError)
            if hasattr(thing, "item_at") and isinstance(key.type, Scalar) and key.type.kind in "iu":
                return self.frozen(thing.item_at(self, key), node)
        if type(thing).__name__ in ("list", "dict", "set"):
            self.fail(
                f"a {type(thing).__name__} from outside cannot be indexed in kernels; make it a tuple or an "
                "array",
                node,
            )
        self.fail(f"a value of type {holder.type} cannot be indexed", node)

    def _tuple_item(self, holder: Value, node: ast.Subscript) -> Value:
        items = self.items(holder)
        if isinstance(node.slice, ast.Slice):
            bounds = []
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                bounds.append(
                    None
                    if part is None
                    else self.constant_integer(self.expression(part), part, "a bound of a tuple's slice")
                )
            return self.tuple_of(items[slice(*bounds)])
        index = self.expression(node.slice)
        if index.known and isinstance(index.const, (int, np.integer)):
            number = int(index.const)
            if not -len(items) <= number < len(items):
                self.fail(
                    f"index {number} is out of range for a tuple of {len(items)}",
                    node,
                    _errors.KernelIndexError,
                )
            return items[number]
        return self.chosen(holder, self.integer(index, node.slice, "an index"), node)


def _of_this_loop(nodes: list[ast.stmt]) -> Iterable[ast.AST]:
    """Give the statements of a loop's body, those of loops and functions in it left out."""
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.For | ast.While):
            # What stands after an inner loop's `else` is of this one.
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)

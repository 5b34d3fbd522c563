"""Methods of numbers and arrays in a kernel, and NumPy's functions over whole arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _errors
from ._device_reductions import METHODS as REDUCTIONS
from ._part import Part
from ._types import INT64, Array, Pointer, Scalar, Tuple, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._arrays import Index
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["Methods"]

_OF_NUMBERS = frozenset({"bit_count", "conjugate", "conj", "item"})
_OF_ARRAYS = frozenset({"copy", "ravel", "reshape", "transpose", "view"})
_NO_SHAPE = "the array cannot have this shape"


class Methods(Part):
    """The part of `FunctionText` that calls methods."""

    def method(self, node: ast.Call) -> Value | None:
        """Return the result of a method of a number or an array; None where the call is none."""
        func = node.func
        if not isinstance(func, ast.Attribute):
            return None
        if func.attr in ("begin", "end") and not node.args and not node.keywords:
            holder = self.expression(func.value)
            if not isinstance(holder.type, Array):
                return None
            return self.iterator(holder, node, func.attr == "end")
        if func.attr in _OF_NUMBERS:
            return self._method_of_number(func, node)
        if func.attr == "from_buffer" and len(node.args) == 1:
            return self._address(func, node)
        if func.attr in REDUCTIONS:
            return self._reduction(func, node)
        if func.attr not in _OF_ARRAYS:
            return None
        holder = self.expression(func.value)
        if not isinstance(holder.type, Array) or node.keywords:
            return None
        values = self.in_order(node.args)
        array = holder if holder.stable else self.held(holder)
        result: Value | None = getattr(self, f"_array_{func.attr}")(array, values, node)
        return result

    def _reduction(self, func: ast.Attribute, node: ast.Call) -> Value | None:
        from ._calls import Call

        holder = self.expression(func.value)
        if not isinstance(holder.type, Array):
            return None
        if node.args or node.keywords:
            self.fail(f"{func.attr} takes no arguments in kernels: it reduces the whole array", node)
        return REDUCTIONS[func.attr](cast("FunctionText", self), Call(node, func.attr, [holder]))

    def _method_of_number(self, func: ast.Attribute, node: ast.Call) -> Value | None:
        holder = self.expression(func.value)
        if not isinstance(holder.type, Scalar) or node.args or node.keywords:
            return None
        if func.attr == "bit_count":
            return self._bit_count(holder, holder.type, node)
        if holder.type.kind == "c" and func.attr != "item":
            return Value(holder.type, (f"cu_conj({holder.code})",), stable=holder.stable)
        return holder

    def _bit_count(self, value: Value, kind: Scalar, node: ast.Call) -> Value:
        if kind.kind not in "iu":
            self.fail(f"a number ({kind}) has no attribute 'bit_count'", node, _errors.KernelAttributeError)
        wide = self.converted(value, scalar("uint64"), node)
        if kind.kind == "i":
            # Python counts the bits of the absolute value.
            held = self.held(self.converted(value, INT64, node))
            opposite = self.wrapping("-", "0", held.code, INT64)
            wide = Value(INT64, (f"({held.code} < 0 ? {opposite} : {held.code})",))
        return Value(INT64, (f"((long long)__popcll((unsigned long long){wide.code}))",), UNKNOWN, True)

    def _address(self, func: ast.Attribute, node: ast.Call) -> Value | None:
        """Return what cffi's `FFI.from_buffer` gives functions of CUDA C: the address of an array."""
        holder = self.expression(func.value)
        if not holder.known or not type(holder.const).__module__.startswith("cffi"):
            return None
        array = self.expression(node.args[0])
        if not isinstance(array.type, Array):
            self.fail(f"from_buffer takes an array, not {array.type}", node)
        return Value(Pointer(array.type.dtype), (array.parts[0],), stable=array.stable)

    def _contiguous(self, array: Value, what: str, node: ast.AST) -> Array:
        assert isinstance(array.type, Array)
        if not array.type.contiguous:
            self.fail(f"{what} takes arrays whose rows lie together in memory; this one may have gaps", node)
        return array.type

    def _array_view(self, array: Value, values: list[Value], node: ast.Call) -> Value:
        kind = self._contiguous(array, "view", node)
        if len(values) != 1:
            self.fail("view takes a dtype", node)
        dtype = self.dtype_of(values[0], node)
        old, new = kind.dtype.itemsize, dtype.itemsize
        if old == new:
            shape, sizes = kind.shape, self.sizes(array)
        else:
            if kind.ndim == 0:
                self.fail("an array without axes cannot be viewed as a dtype of another size", node)
            *outer, last = self.sizes(array)
            self.check(
                f"{last} * {old} % {new} == 0",
                "the last axis of a view does not hold a whole number of elements",
            )
            shape, sizes = None, [*outer, self.temporary("long long", f"{last} * {old} / {new}")]
        viewed = Array(dtype, kind.ndim, True, kind.writable, shape)
        self.need_type(viewed)
        pointer = f"(({viewed.parts()[0][0]}){array.parts[0]})"
        return Value(viewed, (pointer, *(() if shape is not None else sizes)), name=array.name)

    def _array_copy(self, array: Value, values: list[Value], node: ast.Call) -> Value:
        from ._device_threads import made

        assert isinstance(array.type, Array)
        if values:
            self.fail("copy takes no arguments in kernels", node)
        if array.type.shape is None:
            self.fail(
                "copy takes arrays whose shape is known when the kernel is compiled; loop over the elements",
                node,
                _errors.UnsupportedError,
            )
        copied = made(self, node, array.type.dtype, array.type.shape, "")
        self.store_part(copied, array, node)
        return copied

    def _array_ravel(self, array: Value, values: list[Value], node: ast.Call) -> Value:
        kind = self._contiguous(array, "ravel", node)
        if values:
            self.fail("ravel takes no arguments in kernels", node)
        return self._reshaped(array, kind, [self.array_attribute(array, "size", node)])

    def _array_reshape(self, array: Value, values: list[Value], node: ast.Call) -> Value:
        kind = self._contiguous(array, "reshape", node)
        given = self.items(values[0]) if len(values) == 1 and isinstance(values[0].type, Tuple) else values
        sizes = [self.integer(value, node, "the length of an axis") for value in given]
        total = self.held(self.array_attribute(array, "size", node))
        if all(size.known and size.const >= 0 for size in sizes):
            self.check(f"{self.product([size.code for size in sizes])} == {total.code}", _NO_SHAPE)
            return self._reshaped(array, kind, sizes)
        # One length may be -1: what the others leave.
        sizes = [self.held(size) for size in sizes]
        rest = self.temporary(
            "long long", self.product([f"({size.code} < 0 ? 1LL : {size.code})" for size in sizes])
        )
        left = self.temporary("long long", f"({rest} == 0 ? 0LL : {total.code} / {rest})")
        whole = [
            Value(
                INT64,
                (self.temporary("long long", f"({size.code} < 0 ? {left} : {size.code})"),),
                UNKNOWN,
                True,
            )
            for size in sizes
        ]
        unknown = " + ".join(f"({size.code} < 0 ? 1 : 0)" for size in sizes)
        self.check(
            f"{unknown} <= 1 && {self.product([size.code for size in whole])} == {total.code}", _NO_SHAPE
        )
        return self._reshaped(array, kind, whole)

    def _reshaped(self, array: Value, kind: Array, sizes: list[Value]) -> Value:
        if all(size.known for size in sizes):
            shape = tuple(int(size.const) for size in sizes)
            return Value(Array(kind.dtype, len(shape), True, kind.writable, shape), (array.parts[0],))
        codes = [self.temporary("long long", size.code) for size in sizes]
        viewed = Array(kind.dtype, len(sizes), True, kind.writable)
        return Value(viewed, (array.parts[0], *codes), name=array.name)

    def _array_transpose(self, array: Value, values: list[Value], node: ast.Call) -> Value:
        if values:
            self.fail("transpose takes no arguments in kernels", node)
        return self.array_attribute(array, "T", node)

    # NumPy's functions over whole arrays

    def over_arrays(self, function: np.ufunc, row: Any, call: Call) -> Value:
        """Write the loop of a ufunc over arrays, `np.add(x, y, out)`: each thread does all of it."""
        values = list(call.args)
        if "out" in call.keywords and len(call.keywords) == 1:
            values.append(call.keywords["out"])
        elif call.keywords:
            self.fail(f"{call.name} takes no keywords but out in kernels", call.node)
        if len(values) != function.nin + 1 or not isinstance(values[-1].type, Array):
            self.fail(
                f"{call.name} of whole arrays needs an array for its result in kernels: "
                f"np.{call.name}(..., out); or index the arrays",
                call.node,
            )
        *given, out = (self.held(value) for value in values)
        self.check_broadcast(out, [value for value in given if isinstance(value.type, Array)], call.node)

        def store(cell: Value, counters: list[str]) -> None:
            items = [
                self.broadcast_cell(value, counters, call.node) if isinstance(value.type, Array) else value
                for value in given
            ]
            self.store_cell(cell, row(self, type(call)(call.node, call.name, items)), call.node)

        self.each(out, call.node, store)
        return out

    def check_broadcast(self, view: Value, arrays: list[Value], node: ast.AST) -> None:
        """Write the checks that arrays can be broadcast to the shape of a view."""
        sizes = self.sizes(view)
        for array in arrays:
            lengths = self.sizes(array)
            if len(lengths) > len(sizes):
                self.fail(
                    f"an array of {len(lengths)} axes cannot be assigned to one of {len(sizes)}",
                    node,
                    _errors.KernelValueError,
                )
            for size, length in zip(sizes[len(sizes) - len(lengths) :], lengths, strict=True):
                if size != length:
                    self.check(f"{length} == {size} || {length} == 1", "the arrays have different shapes")

    def broadcast_cell(self, array: Value, counters: list[str], node: ast.AST) -> Value:
        """Return the element of an array that stands at a place of what it is broadcast to."""
        lengths = self.sizes(array)
        places: list[Index] = [
            Value(INT64, (f"({length} == 1 ? 0LL : {counter})",), UNKNOWN, True)
            for counter, length in zip(counters[len(counters) - len(lengths) :], lengths, strict=True)
        ]
        cell = self.cell(array, places, node)
        assert cell is not None
        return cell

    # New arrays

    def made_array(self, call: Call, fill: Any) -> Value:
        """Return an array of a shape that the compiler knows, in local memory: `np.zeros(3)`."""
        from ._device_threads import made

        shape, dtype = self.bound(call, "shape", "dtype?")
        assert shape is not None
        kind = np.dtype(np.float64) if dtype is None else self.dtype_of(dtype, call.node)
        array = made(self, call.node, kind, self.shape_of(shape, call.node, f"the shape of {call.name}"), "")
        if fill is not None:
            self.store_part(array, self.number_of(fill, scalar(kind)), call.node)
        return array

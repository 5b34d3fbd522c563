"""Arrays in a kernel: elements, views by slices, attributes, records, and arrays that the compiler makes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _errors
from ._arguments import Gathered, gather_one, kind_of
from ._part import Part
from ._types import INT64, Array, Pointer, Record, Scalar, Text, Tuple, is_in_bytes, scalar
from ._values import LENGTH_BITS, UNKNOWN, Value, static

__all__ = ["Arrays", "Cut"]


@dataclass(frozen=True)
class Cut:
    """A slice between brackets; None where a bound is left out."""

    start: Value | None
    stop: Value | None
    step: Value | None

    @property
    def whole(self) -> bool:
        """Whether it takes the whole axis."""
        return self.start is None and self.stop is None and self.step is None


Index = Value | Cut


class Arrays(Part):
    """The part of `FunctionText` that deals with arrays."""

    # Sizes and attributes

    def sizes(self, array: Value) -> list[str]:
        """Return the sizes of the axes."""
        kind = array.type
        assert isinstance(kind, Array)
        if kind.shape is not None:
            return [f"{size}LL" for size in kind.shape]
        return list(array.parts[1 : 1 + kind.ndim])

    def strides(self, array: Value) -> list[str]:
        """Return the strides of the axes, in elements."""
        kind = array.type
        assert isinstance(kind, Array)
        if not kind.contiguous:
            return list(array.parts[-kind.ndim :]) if kind.ndim else []
        sizes = self.sizes(array)
        out: list[str] = []
        for axis in range(kind.ndim):
            out.append(self.product(sizes[axis + 1 :]))
        return out

    def product(self, sizes: list[str]) -> str:
        """Return the product of sizes."""
        if not sizes:
            return "1LL"
        return sizes[0] if len(sizes) == 1 else "(" + " * ".join(sizes) + ")"

    def size_values(self, array: Value) -> list[Value]:
        """Return the sizes as values."""
        kind = array.type
        assert isinstance(kind, Array)
        if kind.shape is not None:
            return [self.number_of(size, INT64) for size in kind.shape]
        return [Value(INT64, (size,), UNKNOWN, True, bits=LENGTH_BITS) for size in self.sizes(array)]

    def array_attribute(self, array: Value, name: str, node: ast.AST) -> Value:
        """Return an attribute of an array."""
        kind = array.type
        assert isinstance(kind, Array)
        if name == "shape":
            return self.tuple_of(self.size_values(array))
        if name == "size":
            if kind.shape is not None:
                return self.number_of(int(np.prod(kind.shape, dtype=np.int64)), INT64)
            return Value(INT64, (self.product(self.sizes(array)),), UNKNOWN, True, bits=LENGTH_BITS)
        if name == "ndim":
            return self.number(kind.ndim)
        if name == "itemsize":
            return self.number(kind.dtype.itemsize)
        if name == "nbytes":
            code = f"({self.product(self.sizes(array))} * {kind.dtype.itemsize}LL)"
            return Value(INT64, (code,), UNKNOWN, True, bits=LENGTH_BITS)
        if name == "strides":
            items = [
                Value(INT64, (f"({stride} * {kind.dtype.itemsize}LL)",)) for stride in self.strides(array)
            ]
            return self.tuple_of(items)
        if name == "dtype":
            return static(kind.dtype)
        if name == "T":
            return self._transposed(array, kind)
        if name == "ctypes":
            return Value(Pointer(kind.dtype), (array.parts[0],), stable=array.stable)
        if name in ("real", "imag") and kind.dtype.kind == "c":
            return self._component(array, kind, name)
        if name == "real":
            return array
        if kind.dtype.names and name in kind.dtype.names:
            return self.fields(array, name, node)
        self.fail(
            f"arrays in kernels have shape, size, ndim, dtype, strides, itemsize, nbytes and T, not {name!r}",
            node,
            _errors.KernelAttributeError,
        )

    def _transposed(self, array: Value, kind: Array) -> Value:
        if kind.ndim < 2:
            return array
        shape = None if kind.shape is None else kind.shape[::-1]
        parts = [array.parts[0]]
        if shape is None:
            parts += self.sizes(array)[::-1]
        parts += self.strides(array)[::-1]
        turned = replace(kind, contiguous=False, shape=shape)
        return Value(turned, tuple(parts), stable=array.stable, name=array.name)

    def _component(self, array: Value, kind: Array, name: str) -> Value:
        """Return the real or the imaginary parts of an array, as a view."""
        part = np.dtype("float32" if kind.dtype.itemsize == 8 else "float64")
        viewed = Array(part, kind.ndim, kind.ndim == 0, kind.writable, kind.shape)
        parts = [f"(({viewed.parts()[0][0]}){array.parts[0]} + {int(name == 'imag')})"]
        if kind.shape is None:
            parts += self.sizes(array)
        parts += [f"({stride} * 2LL)" for stride in self.strides(array)]
        return Value(viewed, tuple(parts), stable=array.stable, name=array.name)

    # Indices

    def indices(self, node: ast.expr, ndim: int) -> list[Index]:
        """Return what stands between the brackets, an entry for each axis or tuple item."""
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        out: list[Index] = []
        for item in nodes:
            if isinstance(item, ast.Constant) and item.value is Ellipsis:
                out += [Cut(None, None, None)] * (ndim - len(nodes) + 1)
                continue
            if isinstance(item, ast.Slice):
                bounds = [
                    None if part is None else self._bound(part)
                    for part in (item.lower, item.upper, item.step)
                ]
                out.append(Cut(*bounds))
                continue
            value = self.expression(item)
            if isinstance(value.type, Tuple):
                out += self.items(value)
            else:
                out.append(value if value.stable else self.held(value))
        return out

    def _bound(self, node: ast.expr) -> Value | None:
        value = self.expression(node)
        if self.is_none(value):
            return None
        return self.held(self.integer(value, node, "a bound of a slice"))

    def index_values(self, value: Value) -> list[Index]:
        """Return the indices that an integer or a tuple of them stands for."""
        return list(self.items(value)) if isinstance(value.type, Tuple) else [value]

    def _check_count(self, array: Value, indices: list[Index], node: ast.AST) -> None:
        kind = array.type
        assert isinstance(kind, Array)
        if len(indices) > kind.ndim:
            name = f" {array.name!r}" if array.name else ""
            self.fail(
                f"{len(indices)} indices for the array{name}, which has {kind.ndim} "
                f"{'axis' if kind.ndim == 1 else 'axes'}",
                node,
                _errors.KernelIndexError,
            )

    def _place(self, array: Value, axis: int, index: Value, size: str, node: ast.AST) -> str:
        """Return a checked index along an axis, counted from the start."""
        kind = index.type
        if not isinstance(kind, Scalar) or kind.kind not in "iu":
            if isinstance(kind, Array):
                self.fail(
                    "arrays cannot be indexed by arrays in kernels; write a loop",
                    node,
                    _errors.KernelIndexError,
                )
            self.fail(
                f"array indices must be integers, not {kind}; use int(...) or //",
                node,
                _errors.KernelIndexError,
            )
        whole = self.converted(index, INT64, node)
        array_kind = array.type
        assert isinstance(array_kind, Array)
        is_text = isinstance(array_kind, Text) and array_kind.ndim == 1
        if index.known and array_kind.shape is not None and not (is_text and index.const < 0):
            number = int(index.const)
            length = array_kind.shape[axis]
            if length and not -length <= number < length:
                self.fail(
                    f"index {number} is out of bounds for axis {axis} with size {length}",
                    node,
                    _errors.KernelIndexError,
                )
            if length:
                return f"{number % length}LL"
        code = whole.code
        if not (whole.nonnegative or index.nonnegative):
            self.module.need("wrap")
            # The last character of a text is the last one that it has: zeros stand behind it.
            counted = self.text_length(array).code if is_text else size
            code = f"cu_wrap({code}, {counted})"
        self.module.need_check()
        name = (array.name or "array").encode("ascii", "backslashreplace").decode().replace("\\", "_")
        return f'__cuprum_check_index({code}, {size}, {axis}, "{name}")'

    def element(self, array: Value, indices: list[Index], node: ast.AST) -> Value:
        """Return the element or the view at these indices."""
        return self.item(array, indices, node)

    def item(self, array: Value, indices: list[Index], node: ast.AST) -> Value:
        """Return `array[indices]`."""
        cell = self.cell(array, indices, node)
        return self.view(array, indices, node) if cell is None else cell

    def cell(self, array: Value, indices: list[Index], node: ast.AST) -> Value | None:
        """Return the element at these indices, None where they leave a view."""
        kind = array.type
        assert isinstance(kind, Array)
        self._check_count(array, indices, node)
        if len(indices) < kind.ndim or any(isinstance(index, Cut) for index in indices):
            return None
        offset = self._offset(array, kind, [i for i in indices if isinstance(i, Value)], node)
        if kind.dtype.names:
            code = f"({array.parts[0]} + {offset} * {kind.dtype.itemsize}LL)"
            return Value(Record(kind.dtype, kind.writable), (code,), stable=array.stable)
        element = kind.element
        if isinstance(element, Text):
            code = f"(({element.parts()[0][0]})({array.parts[0]} + {offset} * {kind.dtype.itemsize}LL))"
            return Value(element, (code,), stable=array.stable)
        self.need_type(element)
        return Value(element, (f"{array.parts[0]}[{offset}]",), stable=False, name=array.name)

    def _offset(self, array: Value, kind: Array, indices: list[Value], node: ast.AST) -> str:
        sizes = self.sizes(array)
        places = [self._place(array, axis, index, sizes[axis], node) for axis, index in enumerate(indices)]
        if not places:
            return "0"
        if not kind.contiguous:
            strides = self.strides(array)
            terms = [f"{place} * {stride}" for place, stride in zip(places, strides, strict=True)]
            return "(" + " + ".join(terms) + ")"
        code = places[0]
        for axis in range(1, len(places)):
            code = f"({code} * {sizes[axis]} + {places[axis]})"
        return code

    def view(self, array: Value, indices: list[Index], node: ast.AST) -> Value:
        """Return the view that slices, or fewer indices than axes, leave."""
        kind = array.type
        assert isinstance(kind, Array)
        array = self.held(array) if not array.stable else array
        indices = [*indices, *(Cut(None, None, None) for _ in range(kind.ndim - len(indices)))]
        sizes = [self._named("long long", size) for size in self.sizes(array)]
        strides = [self._named("long long", stride) for stride in self.strides(array)]
        offsets: list[str] = []
        out_sizes: list[str] = []
        out_strides: list[str] = []
        known: list[int] | None = []
        contiguous, cut = kind.contiguous, False
        for axis, index in enumerate(indices):
            if isinstance(index, Value):
                place = self.temporary("long long", self._place(array, axis, index, sizes[axis], node))
                offsets.append(f"{place} * {strides[axis]}")
                contiguous = contiguous and not cut
                continue
            if index.whole:
                out_sizes.append(sizes[axis])
                out_strides.append(strides[axis])
                if known is not None:
                    known = None if kind.shape is None else [*known, kind.shape[axis]]
                cut = True
                continue
            # Only the first axis that is kept may be cut: behind it the rows would have gaps.
            contiguous = contiguous and not cut and (index.step is None or index.step.const == 1)
            cut = True
            known = None
            start, length, step = self._cut(index, sizes[axis])
            offsets.append(f"{start} * {strides[axis]}")
            out_sizes.append(length)
            out_strides.append(strides[axis] if step == "1LL" else f"({step} * {strides[axis]})")
        shape = tuple(known) if known is not None and kind.shape is not None else None
        viewed = Array(kind.dtype, len(out_sizes), contiguous, kind.writable, shape)
        scale = f" * {kind.dtype.itemsize}LL" if kind.in_bytes else ""
        pointer = array.parts[0]
        if offsets:
            pointer = self.temporary(viewed.parts()[0][0], f"{pointer} + ({' + '.join(offsets)}){scale}")
        parts = [pointer]
        if shape is None:
            parts += [self._named("long long", size) for size in out_sizes]
        if not contiguous:
            parts += [self._named("long long", stride) for stride in out_strides]
        return Value(viewed, tuple(parts), name=array.name)

    def _named(self, c_type: str, code: str) -> str:
        """Return a name for an expression, or the expression where it is a name or a number already."""
        plain = code.replace("_", "")
        return code if plain.isalnum() else self.temporary(c_type, code)

    def _cut(self, cut: Cut, size: str) -> tuple[str, str, str]:
        """Return the start, the length and the step of a slice of an axis."""
        self.module.need("slice")
        step = "1LL" if cut.step is None else cut.step.code
        if cut.step is not None and not cut.step.known:
            self.check(f"{step} != 0", "the step of a slice is 0")
        backwards = f"({step} < 0)"
        if cut.step is None or cut.step.known:
            backwards = "true" if cut.step is not None and cut.step.const < 0 else "false"
        if cut.start is None:
            start = f"({backwards} ? {size} - 1 : 0LL)"
        else:
            start = f"cu_slice_start({cut.start.code}, {size}, {step})"
        start = self.temporary("long long", start)
        if cut.stop is None:
            stop = f"({backwards} ? -1LL : {size})"
        else:
            stop = f"cu_slice_start({cut.stop.code}, {size}, {step})"
        length = self.temporary("long long", f"cu_slice_length({start}, {stop}, {step})")
        return start, length, step

    # Stores

    def store_item(self, target: ast.Subscript, value: Value) -> None:
        """Store into an element, a field, or every element of a view."""
        place = len(self.out)
        holder = self.expression(target.value)
        if isinstance(holder.type, Record):
            self.store_part(self.field_at(holder, target.slice), value, target)
            return
        if isinstance(holder.type, Pointer):
            index = self.expression(target.slice)
            if len(self.out) > place and not value.stable:
                value = self.held(value, place)
            self.store_cell(self.pointed_at(holder, index, target), value, target)
            return
        if not isinstance(holder.type, Array):
            self.fail(f"a value of type {holder.type} cannot be assigned to by index", target)
        indices = self.indices(target.slice, holder.type.ndim)
        cell = self.cell(holder, indices, target)
        if len(self.out) > place and not value.stable:
            value = self.held(value, place)
        if cell is not None:
            self._check_writable(holder, target)
            self.store_cell(cell, value, target)
            return
        self._check_writable(holder, target)
        self.store_part(self.view(holder, indices, target), value, target)

    def pointed_at(self, pointer: Value, index: Value, node: ast.AST) -> Value:
        """Return what stands so many elements behind an address."""
        assert isinstance(pointer.type, Pointer)
        if pointer.type.dtype is None or pointer.type.dtype.names:
            self.fail(f"a value of type {pointer.type} cannot be indexed", node)
        kind = scalar(pointer.type.dtype)
        self.need_type(kind)
        whole = self.integer(index, node, "an index")
        return Value(kind, (f"{pointer.code}[{whole.code}]",), stable=False)

    def store_part(self, part: Value, value: Value, node: ast.AST) -> None:
        """Store into an element, or into every element of a view: one value, or those of another array."""
        if not isinstance(part.type, Array):
            self.store_cell(part, value, node)
        elif isinstance(part.type, Text) and part.type.ndim == 1:
            self.store_text(part, value, node)
        elif isinstance(value.type, Array):
            self._copy(part, self.held(value), node)
        elif isinstance(value.type, Tuple):
            self._store_items(part, self.items(self.held(value)), node)
        else:
            self._fill(part, self.held(value), node)

    def _store_items(self, part: Value, items: list[Value], node: ast.AST) -> None:
        """Store the items of a tuple along the first axis of a view; one item goes to all of it."""
        size = self.sizes(part)[0]
        part = part if part.stable else self.held(part)
        if len(items) == 1:
            self.store_part(part, items[0], node)
            return
        self.check(f"{size} == {len(items)}", f"{len(items)} items are stored in a view of another length")
        for place, item in enumerate(items):
            self.store_part(self.item(part, [self.number(place)], node), item, node)

    def _check_writable(self, array: Value, node: ast.AST) -> None:
        if not getattr(array.type, "writable", True):
            self.fail(f"array {array.name or 'here'!r} is constant: it cannot be written", node)

    def _fill(self, view: Value, value: Value, node: ast.AST) -> None:
        self.each(view, node, lambda cell, _: self.store_cell(cell, value, node))

    def _copy(self, view: Value, given: Value, node: ast.AST) -> None:
        """Store the elements of an array, which is broadcast, into those of a view."""
        self.check_broadcast(view, [given], node)
        self.each(
            view,
            node,
            lambda cell, counters: self.store_cell(cell, self.broadcast_cell(given, counters, node), node),
        )

    def each(self, view: Value, node: ast.AST, store: Callable[[Value, list[str]], None]) -> None:
        """Write the loops over a view's elements; `store` is given each and the counters of the axes."""
        kind = view.type
        assert isinstance(kind, Array)
        counters = [self.fresh() for _ in range(kind.ndim)]
        values: list[Index] = [Value(INT64, (name,), UNKNOWN, True) for name in counters]
        with self.block() as lines:
            cell = self.cell(view, values, node)
            assert cell is not None
            store(cell, counters)
        for counter, size in zip(counters[::-1], self.sizes(view)[::-1], strict=True):
            with self.block() as outer:
                self.emit_block(f"for (long long {counter} = 0; {counter} < {size}; ++{counter})", lines)
            lines = outer
        self.out += lines

    def store_cell(self, cell: Value, value: Value, node: ast.AST) -> None:
        """Store into an element."""
        kind = cell.type
        if isinstance(kind, Record):
            self.store_record(cell, value, node)
            return
        if isinstance(kind, Text):
            self.store_text(cell, value, node)
            return
        assert isinstance(kind, Scalar)
        if not isinstance(value.type, Scalar):
            self.fail(f"{value.type} cannot be stored in an array of {kind}", node)
        if not self.rules.assignable(value.type, kind) and not (value.known and self.fits(value, kind)):
            self.fail(f"{value.type} cannot be stored in an array of {kind}; convert it", node)
        self.emit(f"{cell.code} = {self.converted(value, kind, node).code};")

    def fits(self, value: Value, kind: Scalar) -> bool:
        """Whether a number that the compiler knows can be stored as it is, so that CuPy converts it."""
        try:
            return kind.kind in "fc" or int(value.const) == value.const
        except (TypeError, ValueError, OverflowError):
            return False

    def store_attribute(self, target: ast.Attribute, value: Value) -> None:
        """Store into a field of a record."""
        holder = self.expression(target.value)
        if not isinstance(holder.type, Record):
            self.fail("only fields of records can be assigned to", target, _errors.UnsupportedError)
        self.store_part(self.field(holder, target.attr, target), value, target)

    # Arrays that the compiler makes

    def shape_of(self, value: Value, node: ast.AST, what: str) -> tuple[int, ...]:
        """Return a shape that the compiler must know."""
        items = self.items(value) if isinstance(value.type, Tuple) else [value]
        shape = tuple(self.constant_integer(item, node, what) for item in items)
        if any(size < 0 for size in shape):
            self.fail(f"{what} must not be negative", node, _errors.KernelValueError)
        return shape

    def element_of(self, dtype: np.dtype[Any], node: ast.AST) -> str:
        """Return the C type of an array's elements; an error where kernels have none such."""
        try:
            kind = scalar(dtype)
        except KeyError:
            variable = f"Cannot infer the type of variable {self.array_hint!r}: " if self.array_hint else ""
            self.fail(f"{variable}kernels have no arrays of dtype {dtype}", node)
        self.need_type(kind)
        return kind.c

    def constant_array(self, array: np.ndarray[Any, Any], node: ast.AST, name: str = "") -> Value:
        """Return a NumPy array from outside, as it is now, as a constant of the kernel."""
        if array.dtype.hasobject:
            self.fail(f"arrays of dtype {array.dtype} cannot be constants of kernels", node)
        c_type = "unsigned char" if is_in_bytes(array.dtype) else self.element_of(array.dtype, node)
        symbol = self.module.constant(array, c_type, node, self)
        kind = Array(array.dtype, array.ndim, True, False, tuple(map(int, array.shape)))
        return Value(kind, (symbol,), name=name)

    def captured_array(self, array: Any, node: ast.AST, name: str) -> Value:
        """Return an array on the device from outside: the kernel is given its address, its shape is fixed."""
        to = Gathered(False, self.module.gpu, self.rules.literal)
        try:
            kind = kind_of(array, to)
            gather_one(array, to)
        except (TypeError, ValueError) as error:
            self.fail(f"{name or 'the array'}: {error}", node)
        if not isinstance(kind, Array):
            self.fail(f"{kind} on the device cannot be used as a global; pass it as an argument", node)
        sizes = array.shape if hasattr(array, "shape") else array.__cuda_array_interface__["shape"]
        fixed = replace(kind, shape=tuple(map(int, sizes)))
        self.need_type(fixed)
        symbol = self.module.captured(to.leaves[0])
        self.hidden[symbol] = fixed.parts()[0][0]
        steps = to.leaves[1 + kind.ndim :]
        return Value(fixed, (symbol, *(f"{step}LL" for step in steps)), name=name)

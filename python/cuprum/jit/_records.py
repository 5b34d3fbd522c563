"""Records in a kernel: elements of structured arrays, their fields, and the fields of whole arrays."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import numpy as np

from . import _errors
from ._part import Part
from ._types import BOOL, INT64, Array, Record, Text, scalar, text_unit
from ._values import UNKNOWN, Value

__all__ = ["Records"]


class Records(Part):
    """The part of `FunctionText` that deals with records."""

    def field_at(self, record: Value, node: ast.expr) -> Value:
        """Return `record["field"]`."""
        key = self.expression(node)
        assert isinstance(record.type, Record)
        names = record.type.dtype.names or ()
        if isinstance(key.const, int) and -len(names) <= key.const < len(names):
            return self.field(record, names[key.const], node)
        if not isinstance(key.const, str):
            self.fail("a record is indexed by the names of its fields", node)
        return self.field(record, key.const, node)

    def field(self, record: Value, name: str, node: ast.AST) -> Value:
        """Return a field of a record, as something that can be read and stored into."""
        kind = record.type
        assert isinstance(kind, Record) and kind.dtype.fields is not None
        if name not in kind.dtype.fields:
            names = ", ".join(kind.dtype.names or ())
            self.fail(f"the record has no field {name!r}; it has {names}", node, _errors.KernelAttributeError)
        dtype, offset = kind.dtype.fields[name][:2]
        const = "" if kind.writable else "const "
        if dtype.names:
            return Value(Record(dtype, kind.writable), (f"({record.code} + {offset})",), stable=record.stable)
        base, shape = dtype.base, dtype.shape
        self._check_aligned(kind.dtype, name, node)
        if base.kind in "SU":
            unit = text_unit(base)
            text = Text(unit, len(shape) + 1, True, kind.writable, (*shape, base.itemsize // unit.itemsize))
            return Value(
                text, (f"(({const}{text.pointee}*)({record.code} + {offset}))",), stable=record.stable
            )
        if shape:
            inner = Array(base, len(shape), True, kind.writable, shape)
            pointer = f"(({const}{inner.pointee}*)({record.code} + {offset}))"
            return Value(inner, (pointer,), stable=record.stable)
        pointer = f"(({const}{scalar(base).c}*)({record.code} + {offset}))"
        self.need_type(scalar(base))
        return Value(scalar(base), (f"(*{pointer})",), stable=False)

    def _check_aligned(self, dtype: np.dtype[Any], name: str, node: ast.AST) -> None:
        assert dtype.fields is not None
        field, offset = dtype.fields[name][:2]
        if offset % field.base.alignment or dtype.itemsize % field.base.alignment:
            self.fail(
                f"field {name!r} of type {field.base} is not aligned: it stands at byte {offset}; make the "
                "dtype with align=True",
                node,
            )

    def fields(self, array: Value, name: str, node: ast.AST) -> Value:
        """Return a field of all elements of an array of records, as a view."""
        kind = array.type
        assert isinstance(kind, Array) and kind.dtype.fields is not None
        if name not in kind.dtype.fields:
            names = ", ".join(kind.dtype.names or ())
            self.fail(
                f"the records have no field {name!r}; they have {names}", node, _errors.KernelAttributeError
            )
        field, offset = kind.dtype.fields[name][:2]
        self._check_aligned(kind.dtype, name, node)
        if field.base.kind in "SU":
            self.fail(f"field {name!r} is a text; take an element first: a[i].{name}", node)
        step, rest = divmod(kind.dtype.itemsize, field.base.itemsize)
        if rest:
            self.fail(
                f"field {name!r} of a whole array: {kind.dtype.itemsize} bytes of a record are no multiple "
                f"of its {field.base.itemsize}; take an element first: a[i].{name}",
                node,
            )
        shape = None if kind.shape is None else kind.shape + field.shape
        viewed = Array(field.base, kind.ndim + len(field.shape), False, kind.writable, shape)
        inner: list[str] = []
        for axis in range(len(field.shape)):
            inner.append(f"{int(np.prod(field.shape[axis + 1 :], dtype=np.int64))}LL")
        parts = [f"(({viewed.parts()[0][0]})({array.parts[0]} + {offset}))"]
        if shape is None:
            parts += [*self.sizes(array), *(f"{size}LL" for size in field.shape)]
        parts += [*(f"({stride} * {step}LL)" for stride in self.strides(array)), *inner]
        return Value(viewed, tuple(parts), stable=array.stable, name=array.name)

    def store_text(self, text: Value, value: Value, node: ast.AST) -> None:
        """Store a text, as NumPy does: cut off where it is too long, zeros behind it."""
        kind = text.type
        assert isinstance(kind, Text) and kind.shape is not None
        codes = self._text_codes(kind, value, node)
        held = text if text.stable else self.held(text)
        if codes is not None:
            for place in range(kind.shape[0]):
                code = codes[place] if place < len(codes) else 0
                self.emit(f"{held.parts[0]}[{place}] = {code}u;")
            return
        given = self.held(value)
        assert isinstance(given.type, Text) and given.type.shape is not None
        counter, count = self.fresh(), given.type.shape[0]
        read = f"{given.parts[0]}[{counter}]"
        if count < kind.shape[0]:
            read = f"{counter} < {count} ? {read} : 0u"
        line = f"{held.parts[0]}[{counter}] = {read};"
        self.emit_block(f"for (int {counter} = 0; {counter} < {kind.shape[0]}; ++{counter})", [line])

    def own_text(self, value: Value, node: ast.AST) -> Value:
        """Return a text as a value, unlike arrays and records: a copy where its memory may be written."""
        kind = value.type
        if not isinstance(kind, Text) or kind.ndim != 1 or not kind.writable:
            return value
        assert kind.shape is not None
        count, given = kind.shape[0], self.held(value)
        name, counter = self.own_array(node, "", kind.pointee, count, 0), self.fresh()
        line = f"{name}[{counter}] = {given.parts[0]}[{counter}];"
        self.emit_block(f"for (int {counter} = 0; {counter} < {count}; ++{counter})", [line])
        return Value(replace(kind, writable=False), (name,), stable=True)

    def _text_codes(self, kind: Text, value: Value, node: ast.AST, done: str = "stored") -> list[int] | None:
        """Return the codes of a text that the compiler knows; None for one in memory, of the same kind."""
        given = value.const
        wanted = bytes if kind.dtype.itemsize == 1 else str
        if (
            isinstance(value.type, Text)
            and value.type.dtype == kind.dtype
            and value.type.ndim == kind.ndim == 1
        ):
            return None
        if wanted is bytes and isinstance(given, str) and given.isascii():
            given = given.encode("ascii")
        if not isinstance(given, wanted) or kind.ndim != 1:
            shown = repr(given) if isinstance(given, (str, bytes)) else str(value.type)
            self.fail(f"{shown} cannot be {done} here; a {wanted.__name__} is expected", node)
        return list(given) if isinstance(given, bytes) else [ord(character) for character in given]

    def texts_equal(self, left: Value, right: Value, symbol: str, node: ast.AST) -> Value:
        """Return whether a text in memory and another text are the same; zeros at the end do not count."""
        if not isinstance(left.type, Text):
            left, right = right, left
        kind = left.type
        assert isinstance(kind, Text) and kind.shape is not None
        if symbol not in ("==", "!="):
            self.fail(f"texts cannot be compared with {symbol} in kernels", node)
        codes = self._text_codes(kind, right, node, "compared")
        one, same = self.held(left), self.fresh()
        self.emit(f"bool {same} = true;")
        if codes is not None:
            while codes and codes[-1] == 0:
                codes.pop()
            if len(codes) > kind.shape[0]:
                return self.number(symbol == "!=")
            for place in range(kind.shape[0]):
                code = codes[place] if place < len(codes) else 0
                self.emit(f"{same} = {same} && {one.parts[0]}[{place}] == {code}u;")
        else:
            other = self.held(right)
            assert isinstance(other.type, Text) and other.type.shape is not None
            counter, sizes = self.fresh(), (kind.shape[0], other.type.shape[0])
            codes_at = [
                f"({counter} < {size} ? {text.parts[0]}[{counter}] : 0u)"
                for size, text in zip(sizes, (one, other), strict=True)
            ]
            line = f"{same} = {same} && {codes_at[0]} == {codes_at[1]};"
            self.emit_block(f"for (int {counter} = 0; {counter} < {max(sizes)}; ++{counter})", [line])
        return Value(BOOL, (same if symbol == "==" else f"(!{same})",))

    def text_length(self, text: Value) -> Value:
        """Return the number of a text's characters: zeros at the end do not count."""
        kind = text.type
        assert isinstance(kind, Text) and kind.shape is not None
        held, length = self.held(text), self.fresh()
        self.emit(f"long long {length} = {kind.shape[0]}LL;")
        self.emit(f"while ({length} > 0 && {held.parts[0]}[{length} - 1] == 0u) --{length};")
        return Value(INT64, (length,), UNKNOWN, True)

    def store_record(self, cell: Value, value: Value, node: ast.AST) -> None:
        assert isinstance(cell.type, Record)
        if not isinstance(value.type, Record) or value.type.dtype != cell.type.dtype:
            self.fail(f"{value.type} cannot be stored in an array of records; assign its fields", node)
        source, target = self.held(value), self.held(cell)
        self._copy_fields(source, target, node)

    def _copy_fields(self, source: Value, target: Value, node: ast.AST) -> None:
        assert isinstance(target.type, Record)
        for name in target.type.dtype.names or ():
            to, given = self.field(target, name, node), self.field(source, name, node)
            if isinstance(to.type, Record):
                self._copy_fields(given, to, node)
            elif isinstance(to.type, Array):
                counter, count = self.fresh(), int(np.prod(to.type.shape or (), dtype=np.int64))
                line = f"{to.parts[0]}[{counter}] = {given.parts[0]}[{counter}];"
                self.emit_block(f"for (int {counter} = 0; {counter} < {count}; ++{counter})", [line])
            else:
                self.emit(f"{to.code} = {given.code};")

"""Expressions of a kernel: names, literals and attributes."""

from __future__ import annotations

import ast
import builtins
import difflib
import enum
import types
from dataclasses import replace
from typing import Any

import numpy as np

from . import _errors
from ._arguments import is_array
from ._conditions import Conditions
from ._device_threads import quantity
from ._intrinsics import Dimensions, Quantity, attribute_of, is_namespace
from ._operators import Operators
from ._statements import NotYetBound
from ._types import NONE, UINT64, Array, Member, Pointer, Record, Scalar, Static, Tuple, scalar
from ._unbound import NeverBound
from ._values import UNKNOWN, Value, static

__all__ = ["Expressions"]

_DIMENSION_BITS = {"threadIdx": 10, "blockDim": 11, "blockIdx": 31, "gridDim": 31}
"""The bits that a thread's place may have."""
_REFUSED: dict[type[ast.AST], str] = {
    ast.ListComp: "comprehensions are not supported in kernels; use a loop and an array",
    ast.SetComp: "comprehensions are not supported in kernels; use a loop and an array",
    ast.DictComp: "comprehensions are not supported in kernels; use a loop and an array",
    ast.GeneratorExp: "comprehensions are not supported in kernels; use a loop and an array",
    ast.Yield: "yield is not supported in kernels",
    ast.YieldFrom: "yield is not supported in kernels",
    ast.Await: "await is not supported in kernels",
    ast.Dict: "dicts are not supported in kernels; use arrays",
    ast.Set: "sets are not supported in kernels; use arrays",
    ast.List: "lists are not supported in kernels; use a tuple, or local.array",
    ast.JoinedStr: "f-strings are not supported in kernels; give print its values as arguments",
    ast.Starred: "starred expressions are not supported in kernels",
    ast.Slice: "a slice stands only between brackets",
    ast.NamedExpr: "':=' is not supported in kernels; bind the name on a line of its own",
}


class Expressions(Operators, Conditions):
    """The part of `FunctionText` that writes expressions."""

    def expression(self, node: ast.expr) -> Value:
        """Return the value of an expression; what it does beside is written."""
        before = self.enter(node)
        refused = _REFUSED.get(type(node))
        if refused is not None:
            self.fail(refused, node, _errors.ForbiddenConstruct)
        value: Value = getattr(self, f"_{type(node).__name__}")(node)
        self.leave(before)
        return value

    def _Constant(self, node: ast.Constant) -> Value:
        if node.value is None:
            return Value(NONE, (), None)
        if isinstance(node.value, (str, bytes)):
            return static(node.value)
        if isinstance(node.value, (bool, int, float, complex)):
            return self.number(node.value, node)
        self.fail(
            f"a {type(node.value).__name__} is not supported in kernels", node, _errors.UnsupportedError
        )

    def _Name(self, node: ast.Name) -> Value:
        assert self.env is not None
        name = node.id
        variable = self.env.get(name)
        if variable is not None:
            return self.read(name, variable, node)
        if self.is_local(name):
            if self.walking:
                raise NotYetBound(self)
            if not self.rules.checks_unbound:
                raise NeverBound(node)
            self.refuse_unbound(node)
        return self.frozen(self._global(name, node), node, name)

    def _global(self, name: str, node: ast.AST) -> Any:
        function = self.source.function
        code = function.__code__
        if name in code.co_freevars:
            cell = (function.__closure__ or ())[code.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                self.fail(f"name {name!r} is not bound yet", node, _errors.KernelNameError)
        if name in function.__globals__:
            return function.__globals__[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        near = difflib.get_close_matches(name, [*(self.env or ()), *function.__globals__], 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        self.fail(f"name {name!r} is not defined{hint}", node, _errors.KernelNameError)

    def frozen(self, thing: Any, node: ast.AST, name: str = "") -> Value:
        """Return the value of a Python object from outside: numbers and arrays as they are now."""
        if thing is None:
            return Value(NONE, (), None)
        if isinstance(thing, (bool, int, float, complex, np.bool_, np.number, np.datetime64)):
            return self.number(thing, node)
        if isinstance(thing, tuple):
            made = self.tuple_of([self.frozen(item, node) for item in thing])
            names = getattr(thing, "_fields", None)
            if names is None or not isinstance(made.type, Tuple):
                return made
            return replace(made, type=replace(made.type, names=tuple(names)))
        if isinstance(thing, Quantity):
            return quantity(self, thing.name)
        if isinstance(thing, np.ndarray):
            return self.constant_array(thing, node, name)
        if is_array(thing):
            return self.captured_array(thing, node, name)
        return static(thing)

    def _Attribute(self, node: ast.Attribute) -> Value:
        holder = self.expression(node.value)
        return self.attribute(holder, node.attr, node)

    def attribute(self, holder: Value, name: str, node: ast.AST) -> Value:
        """Return an attribute of a value."""
        kind = holder.type
        if isinstance(kind, Array):
            return self.array_attribute(holder, name, node)
        if isinstance(kind, Record):
            return self.field(holder, name, node)
        if isinstance(kind, Tuple) and kind.names is not None and name in kind.names:
            return self.items(holder)[kind.names.index(name)]
        if isinstance(kind, Scalar):
            return self._number_attribute(holder, kind, name, node)
        if isinstance(kind, Pointer) and name == "data":
            code = f"((unsigned long long){holder.code})"
            return Value(UINT64, (code,), UNKNOWN, True, holder.stable)
        if isinstance(kind, Member) and name == "value":
            return self._member_value(holder, kind, node)
        if isinstance(kind, Static):
            thing = kind.value
            if isinstance(thing, Dimensions):
                return self.dimension(thing, name, node)
            found, value = attribute_of(thing, name)
            if found:
                return self.frozen(value, node, name)
            if isinstance(thing, types.ModuleType) or is_namespace(thing):
                near = difflib.get_close_matches(name, [n for n in dir(thing) if not n.startswith("_")], 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                label = getattr(thing, "__name__", repr(thing))
                self.fail(f"{label!r} has no {name!r}{hint}", node, _errors.KernelAttributeError)
        self.fail(f"a value of type {kind} has no attribute {name!r}", node, _errors.KernelAttributeError)

    def _number_attribute(self, holder: Value, kind: Scalar, name: str, node: ast.AST) -> Value:
        if name in ("real", "imag"):
            if kind.kind == "c":
                part = scalar("float32" if kind.name == "complex64" else "float64")
                held = self.held(Value(kind, holder.parts, stable=holder.stable))
                return Value(part, (f"{held.code}.{name[:2]}",), stable=True)
            return holder if name == "real" else self.number_of(0, kind)
        if isinstance(holder.const, enum.Enum) and name == "value":
            return self.frozen(holder.const.value, node)
        self.fail(f"a number ({kind}) has no attribute {name!r}", node, _errors.KernelAttributeError)

    def _member_value(self, holder: Value, kind: Member, node: ast.AST) -> Value:
        """Return the value of a member that the kernel has chosen."""
        values = [self.frozen(member.value, node) for member in kind.owner]
        joined = values[0].type
        for value in values[1:]:
            joined = self.joined_type(joined, value.type, node)
        if not isinstance(joined, Scalar):
            self.fail(f"the values of {kind} are no numbers", node)
        held = self.held(holder)
        code = self.converted(values[-1], joined, node).code
        for place in range(len(values) - 2, -1, -1):
            code = f"({held.code} == {place} ? {self.converted(values[place], joined, node).code} : {code})"
        return Value(joined, (code,), stable=held.stable)

    def dimension(self, thing: Dimensions, name: str, node: ast.AST) -> Value:
        """Return `threadIdx.x` and its like."""
        if name not in ("x", "y", "z"):
            self.fail(f"{thing.name} has x, y and z, not {name!r}", node, _errors.KernelAttributeError)
        kind = self.rules.thread()
        bits = _DIMENSION_BITS[thing.name]
        return Value(kind, (f"(({kind.c}){thing.name}.{name})",), UNKNOWN, True, bits=bits)

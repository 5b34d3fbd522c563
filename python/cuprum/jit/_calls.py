"""Calls in a kernel: functions of kernels, of `math` and NumPy, Python's own, types, and other functions of
the user.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np

from .. import _core
from . import _errors
from ._external import External, ExternalCalls
from ._inner import InnerFunction
from ._intrinsics import Intrinsic, Quantity
from ._native import Native
from ._types import BOOL, NONE, Array, Known, Scalar, Static, Tuple, Type, can_cast, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._function import FunctionText
    from ._source import Source

__all__ = ["Call", "Calls", "numba_function"]


@dataclass
class Call:
    """A call: its place, and the values of its arguments."""

    node: ast.Call
    name: str
    args: list[Value]
    keywords: dict[str, Value] = field(default_factory=dict)


def _as_tuple(node: ast.List) -> ast.expr:
    return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)


class Calls(ExternalCalls):
    """The part of `FunctionText` that writes calls."""

    def _Call(self, node: ast.Call) -> Value:
        if any(keyword.arg is None for keyword in node.keywords):
            self.fail("** is not supported in calls of kernels", node, _errors.UnsupportedError)
        method = self.method(node)
        if method is not None:
            return method
        function = self.expression(node.func)
        if not isinstance(function.type, Static):
            self.fail(f"a value of type {function.type} cannot be called", node)
        thing = function.type.value
        if isinstance(thing, Intrinsic) and thing.name.startswith("shfl"):
            # Lanes that nobody reads from need not have bound what they give.
            self.may_be_blank.update(id(argument) for argument in node.args)
        names = [keyword.arg for keyword in node.keywords]
        plain = [arg.value if isinstance(arg, ast.Starred) else arg for arg in node.args]
        given = [*plain, *(keyword.value for keyword in node.keywords)]
        if isinstance(thing, Intrinsic):
            # What takes a sequence there takes a shape, which may be written as a list.
            given = [_as_tuple(arg) if isinstance(arg, ast.List) else arg for arg in given]
        values = self.in_order(given)
        keywords = dict(zip((name or "" for name in names), values[len(node.args) :], strict=True))
        args: list[Value] = []
        for argument, value in zip(node.args, values, strict=False):
            args += self._spread(value, argument) if isinstance(argument, ast.Starred) else [value]
        call = Call(node, getattr(thing, "__name__", str(thing)), args, keywords)
        return self.call(thing, call)

    def _spread(self, value: Value, node: ast.AST) -> list[Value]:
        if not isinstance(value.type, Tuple):
            self.fail(f"* in a call takes a tuple, not {value.type}", node)
        return self.items(value if value.stable else self.held(value))

    def call(self, thing: Any, call: Call) -> Value:
        """Return the result of a call of an object that the compiler knows."""
        from ._device_functions import FUNCTIONS, INTRINSICS
        from ._signatures import dtype_named

        if isinstance(thing, External):
            return self.call_external(thing, call)
        if isinstance(thing, InnerFunction):
            return self.call_inner(thing, call)
        if isinstance(thing, Native):
            return thing.write(cast("FunctionText", self), call)
        if isinstance(thing, Intrinsic):
            result: Value = INTRINSICS[thing.name](self, call)
            return result
        if isinstance(thing, _core.ufunc):
            thing = getattr(np, thing.__name__, thing)
        try:
            row = FUNCTIONS.get(thing)
        except TypeError:
            row = None
        if row is not None:
            if isinstance(thing, np.ufunc) and any(isinstance(value.type, Array) for value in call.args):
                return self.over_arrays(thing, row, call)
            if isinstance(thing, np.ufunc) and "dtype" in call.keywords:
                return self._in_dtype(row, call)
            result = row(self, call)
            return result
        owner = thing if getattr(thing, "_device_function", None) is not None else None
        function = numba_function(thing) if owner is None else owner._device_function
        if function is not None:
            source = self.module.source(function)
            given = self.matched_arguments(call, source, self._defaults(function, call))
            return self.call_written(source, given, call, owner)
        dtype = dtype_named(thing) if not isinstance(thing, str) else None
        if dtype is not None and not dtype.names:
            return self.cast_call(call, dtype)
        if self.rules.calls_host and callable(thing) and all(value.known for value in call.args):
            return self._from_host(thing, call)
        self._refuse(thing, call)

    def _in_dtype(self, row: Callable[..., Value], call: Call) -> Value:
        """Return what a ufunc gives that computes in the dtype that its keyword names."""
        keywords = dict(call.keywords)
        kind = scalar(self.dtype_of(keywords.pop("dtype"), call.node))
        args = list(call.args)
        # Comparisons of any numbers give booleans.
        if kind != BOOL:
            for value in args:
                if not can_cast(self.scalar_argument(value, call), kind, "same_kind"):
                    self.fail(f"{call.name} cannot take {value.type} in dtype {kind}", call.node)
            args = [self.converted(value, kind, call.node) for value in args]
        result = row(self, Call(call.node, call.name, args, keywords))
        if not isinstance(result.type, Scalar) or result.type.kind != kind.kind:
            self.fail(f"{call.name} has no loop of dtype {kind}: it gives {result.type}", call.node)
        return self.converted(result, kind, call.node)

    def _from_host(self, thing: Any, call: Call) -> Value:
        """Return what a function of the host gives for constants, as when it makes a device function."""
        if call.keywords:
            self._refuse(thing, call)
        try:
            made = self.module.made_by(thing, tuple(value.const for value in call.args))
        except TypeError as error:
            self.fail(f"{call.name!r} was called when the kernel was compiled: {error}", call.node)
        return self.frozen(made, call.node)

    def _refuse(self, thing: Any, call: Call) -> NoReturn:
        if inspect.isfunction(thing):
            self.fail(
                f"{call.name!r} is a function of the host; decorate it with jit(device=True) to call it in "
                "kernels",
                call.node,
            )
        if isinstance(thing, Quantity):
            self.fail(f"{call.name!r} is a number; read it without brackets", call.node)
        module = getattr(thing, "__module__", None)
        if module in ("math", "numpy", "cmath") or type(thing).__name__ == "ufunc":
            from ._device_functions import FUNCTIONS

            known = sorted({getattr(f, "__name__", "") for f in FUNCTIONS})
            near = difflib.get_close_matches(call.name, known, 1)
            hint = f"; kernels have {near[0]!r}" if near else ""
            self.fail(f"{call.name!r} cannot be called in kernels{hint}", call.node)
        if isinstance(thing, type):
            self.fail(f"objects of class {call.name!r} cannot be made in kernels", call.node)
        self.fail(f"{call.name!r} cannot be called in kernels", call.node)

    def bound(self, call: Call, *params: str) -> list[Value | None]:
        """Return the arguments in the order of the parameters, each `name`, `name|other name` or `name?`
        (optional).
        """
        given: list[Value | None] = [None] * len(params)
        if len(call.args) > len(params):
            self.fail(f"{call.name} takes {len(params)} arguments, not {len(call.args)}", call.node)
        given[: len(call.args)] = call.args
        spelt = [param.rstrip("?").split("|") for param in params]
        for name, value in call.keywords.items():
            places = [number for number, names in enumerate(spelt) if name in names]
            if not places:
                self.fail(f"{call.name} has no argument {name!r}", call.node)
            if given[places[0]] is not None:
                self.fail(f"{call.name} got argument {name!r} twice", call.node)
            given[places[0]] = value
        for number, param in enumerate(params):
            if given[number] is None and not param.endswith("?"):
                self.fail(f"{call.name} needs argument {spelt[number][0]!r}", call.node)
        return given

    def required(self, call: Call, *params: str) -> list[Value]:
        """Return the arguments, all of which must be given."""
        return [value for value in self.bound(call, *params) if value is not None]

    def scalar_argument(self, value: Value, call: Call) -> Scalar:
        """Return the type of a number; an error for other values."""
        if not isinstance(value.type, Scalar):
            self.fail(f"{call.name} takes numbers, not {value.type}", call.node)
        return value.type

    # Device functions

    def call_written(
        self,
        source: Source,
        given_values: list[Value],
        call: Call,
        thing: Any = None,
        captured: tuple[str, ...] = (),
    ) -> Value:
        """Return the result of a call of a function whose text is compiled for these arguments.

        `thing` is the kernel object that it was made by, where there is one; `captured` names the last of the
        arguments, which the function reads as variables.
        """
        values = [self._argument(self.escaping(value, source, call), call) for value in given_values]
        declared = None
        rules = getattr(thing, "_device_rules", None) or self.rules
        if thing is not None:
            wanted, declared = thing._device_types(tuple(value.type for value in values))
            if wanted is None and thing._signatures and all(isinstance(v.type, Scalar) for v in values):
                given_types = ", ".join(str(value.type) for value in values)
                self.fail(f"no signature of {source.name} takes ({given_types})", call.node)
            if wanted is not None:
                values = [
                    self.converted(value, kind, call.node) if isinstance(kind, Scalar) else value
                    for value, kind in zip(values, wanted, strict=True)
                ]
        kinds = tuple(value.type for value in values)
        write = self.module.device_function
        try:
            name, result, hidden = write(source, kinds, rules, self, call.node, captured)
        except _errors.TypingError as error:
            # What it asks of its arguments may hold where it knows their values.
            known = tuple(_with_value(kind, value) for kind, value in zip(kinds, given_values, strict=True))
            if known == kinds:
                raise
            try:
                name, result, hidden = write(source, known, rules, self, call.node, captured)
            except _errors.KernelError:
                raise error from None
        for value in values:
            self.need_type(value.type)
        given = [part for value in values for part in value.parts]
        self.hidden.update(hidden)
        given += hidden
        code = f"{name}({', '.join(given)})"
        parts = result.parts()
        if not parts:
            self.emit(f"{code};")
            self.pass_on_raised(hidden)
            return Value(NONE, (), None)
        if len(parts) == 1:
            value = Value(result, (self.temporary(parts[0][0], code),))
            self.pass_on_raised(hidden)
            return self.converted(value, declared, call.node) if isinstance(declared, Scalar) else value
        held = self.temporary(self.module.structure(result), code)
        self.pass_on_raised(hidden)
        return Value(result, tuple(f"{held}.f{number}" for number in range(len(parts))))

    def _argument(self, value: Value, call: Call) -> Value:
        """Return a value as an argument: its constants are not the callee's business, functions and dtypes
        are.
        """
        kind = value.type
        if isinstance(kind, Scalar | Array):
            return Value(kind, value.parts, UNKNOWN, False, value.stable, value.name)
        if isinstance(kind, Tuple):
            return Value(kind, tuple(p for item in self.items(value) for p in item.parts), UNKNOWN)
        return value

    def _defaults(self, function: Any, call: Call) -> dict[str, Value]:
        """Return the default values of a function's parameters."""
        params = function.__code__.co_varnames[: function.__code__.co_argcount]
        defaults = function.__defaults__ or ()
        names = params[len(params) - len(defaults) :]
        return {
            name: self.frozen(value, call.node, name) for name, value in zip(names, defaults, strict=True)
        }

    def matched_arguments(self, call: Call, source: Source, defaults: dict[str, Value]) -> list[Value]:
        """Return the arguments of a call in the order of the parameters."""
        self.module.check_parameters(source, self.rules)
        params = [argument.arg for argument in source.tree.args.args]
        given: dict[str, Value] = dict(zip(params, call.args, strict=False))
        rest = source.tree.args.vararg
        if len(call.args) > len(params) and rest is None:
            self.fail(f"{source.name} takes {len(params)} arguments, not {len(call.args)}", call.node)
        for name, value in call.keywords.items():
            if name not in params or name in given:
                problem = "has no argument" if name not in params else "got twice the argument"
                self.fail(f"{source.name} {problem} {name!r}", call.node)
            given[name] = value
        given = {**defaults, **given}
        missing = [name for name in params if name not in given]
        if missing:
            self.fail(f"{source.name} needs argument {missing[0]!r}", call.node)
        values = [given[name] for name in params]
        return values if rest is None else [*values, self.tuple_of(call.args[len(params) :])]

    def cast_call(self, call: Call, dtype: Any) -> Value:
        """Return `float32(x)` and its like."""
        try:
            kind = scalar(dtype)
        except KeyError:
            self.fail(f"kernels have no numbers of dtype {dtype}", call.node)
        if not call.args and not call.keywords:
            return self.number_of(0, kind)
        if kind.kind == "c" and len(call.args) == 2:
            return self.make_complex(call.args[0], call.args[1], kind, call)
        (value,) = self.required(call, "x")
        self.scalar_argument(value, call)
        return self.converted(value, kind, call.node)

    def make_complex(self, real: Value, imag: Value, kind: Scalar, call: Call) -> Value:
        """Return a complex number of two parts."""
        self.need_type(kind)
        part = scalar("float32" if kind.name == "complex64" else "float64")
        self.scalar_argument(real, call)
        self.scalar_argument(imag, call)
        a, b = self.converted(real, part, call.node), self.converted(imag, part, call.node)
        code = f"cu_make_complex<{part.c}>({a.code}, {b.code})"
        return Value(kind, (code,), stable=real.stable and imag.stable)


def _with_value(kind: Type, value: Value) -> Type:
    """Return the type of an argument with its value, where the compiler knows it."""
    if not isinstance(kind, Scalar | Tuple) or not value.known:
        return kind
    return Known(kind, f"{type(value.const).__name__} {value.const!r}", value.const)


def numba_function(thing: Any) -> Any:
    """Return the Python function that Numba's `jit` or `njit` has compiled for the CPU; None for other
    things.
    """
    if not type(thing).__module__.startswith(("numba.", "cuprum.compat.numba")):
        return None
    function = getattr(thing, "py_func", None)
    return function if inspect.isfunction(function) else None

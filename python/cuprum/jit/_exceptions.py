"""`raise` and `assert` in kernels, and what Python raises by itself: division by zero, indices of tuples.

Three ways, by `Rules.raises` and `debug`:

- Numba's kernels end the thread that raises, and no other, without a word.
- With `debug=True` the first thread that raises also writes into an array what and where: after the launch
  the host raises it, with the class and the arguments that the source gives.
- Other kernels stop as a whole, with the exception's class and text in the message.

A device function that raises says so in the thread's `cu_raised`; its caller looks there and returns too.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from . import _errors
from ._part import Part
from ._types import Array, Pointer, Record, Scalar, Tuple, Type
from ._values import Value

__all__ = ["ERRORS", "ERROR_WORDS", "RAISED", "Exceptions", "RaisedException"]

RAISED = "cu_raised"
"""The parameter by which a device function says that it has raised."""
ERRORS = "cu_errors"
"""The parameter by which a kernel says what was raised: a code, then the numbers of thread and block."""
ERROR_WORDS = 7


@dataclass(frozen=True)
class RaisedException:
    """An exception that a kernel may raise, and its place.

    Attributes
    ----------
    kind : type
        The class.
    args : tuple
        What it is made of.
    function, file, line
        Where the source raises it.
    """

    kind: type[BaseException]
    args: tuple[Any, ...]
    function: str
    file: str
    line: int

    def made(self, words: list[int]) -> BaseException:
        """Return the exception, whose text names the place and the thread."""
        place = f"In function {self.function!r}, file {self.file}, line {self.line}, "
        place += f"tid={words[1:4]} ctaid={words[4:7]}"
        if not self.args:
            return self.kind(place)
        return self.kind(f"{place}: {self.args[0]}", *self.args[1:])


class Exceptions(Part):
    """The part of `FunctionText` that raises."""

    def _Raise(self, node: ast.Raise) -> None:
        if node.exc is None:
            self.fail("raise needs an exception in kernels", node, _errors.UnsupportedError)
        kind, args = self._exception(node.exc)
        self._raise(kind, args, node)
        self.env = None

    def _Assert(self, node: ast.Assert) -> None:
        message: tuple[Any, ...] = ()
        if node.msg is not None:
            told = self.expression(node.msg)
            if not isinstance(told.const, str):
                self.fail("the message of an assert must be a text", node.msg)
            message = (told.const,)
        test = self.expression(node.test)
        condition = self.truth(test, node.test)
        if self.module.debug:
            self.demand(condition, AssertionError, message, node)
        else:
            self.check(condition, message[0] if message else "assertion failed")

    def demand(self, condition: str, kind: type[BaseException], args: tuple[Any, ...], node: ast.AST) -> None:
        """Write that an exception is raised where a condition does not hold."""
        with self.block() as lines:
            self._raise(kind, args, node)
        self.emit_block(f"if (!({condition}))", lines)

    def demand_divisor(self, divisor: Value, node: ast.AST) -> None:
        """Write that a division by zero is an error, where exceptions are reported; with `fastmath` that of
        floats is none.
        """
        fast = self.module.fast_math and isinstance(divisor.type, Scalar) and divisor.type.kind == "f"
        if self.module.debug and not fast and not (divisor.known and divisor.const):
            self.demand(f"{divisor.code} != 0", ZeroDivisionError, ("division by zero",), node)

    def _exception(self, node: ast.expr) -> tuple[type[BaseException], tuple[Any, ...]]:
        """Return the class and the arguments of an exception, which must be constants."""
        called = node if isinstance(node, ast.Call) else None
        thing = self.expression(node if called is None else called.func).const
        if isinstance(thing, BaseException):
            return type(thing), thing.args
        if not isinstance(thing, type) or not issubclass(thing, BaseException):
            self.fail("raise takes an exception in kernels", node)
        if called is None:
            return thing, ()
        if called.keywords:
            self.fail("exceptions take no keywords in kernels", node, _errors.UnsupportedError)
        values = self.in_order(called.args)
        for value, where in zip(values, called.args, strict=True):
            if not value.known:
                self.fail(
                    "what an exception is made of must be known when the kernel is compiled; write numbers "
                    "into an array",
                    where,
                    _errors.UnsupportedError,
                )
        return thing, tuple(value.const for value in values)

    def _raise(self, kind: type[BaseException], args: tuple[Any, ...], node: ast.AST) -> None:
        if not self.rules.raises:
            text = f"{kind.__name__}: {args[0]}" if args else kind.__name__
            self.check("false", text)
            self.leave_function()
            return
        if self.module.debug:
            self.module.need("raise")
            self.hidden[ERRORS] = "long long*"
            line = self.line_of(node)
            code = self.module.exception(
                RaisedException(kind, args, self.source.name, self.source.filename, line)
            )
            self.emit(f"cu_raise({ERRORS}, {code});")
        if not self.kernel:
            self.hidden[RAISED] = "int*"
            self.emit(f"*{RAISED} = 1;")
        self.leave_function()

    def leave_function(self) -> None:
        """Write the return of a thread that has raised: what it returns is of no interest."""
        if self.kernel or self.result is None:
            self.emit("return;")
        else:
            self.emit_return(Value(self.result, self.zero_parts(self.result)))

    def pass_on_raised(self, hidden: dict[str, str]) -> None:
        """Write that the function returns if a function that it has called has raised."""
        if RAISED in hidden:
            with self.block() as lines:
                self.leave_function()
            self.emit_block(f"if (*{RAISED})", lines)

    def zero_parts(self, kind: Type) -> tuple[str, ...]:
        """Return a value of a type that holds nothing but zeros."""
        if isinstance(kind, Scalar):
            return (self.number_of(0, kind).code,)
        if isinstance(kind, Tuple):
            return tuple(part for item in kind.items for part in self.zero_parts(item))
        if isinstance(kind, Array | Record | Pointer):
            first, *rest = kind.parts()
            return (f"(({first[0]})0)", *("0LL" for _ in rest))
        return ()

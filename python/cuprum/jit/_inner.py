"""Functions defined within a kernel: `def` and `lambda`.

Each is compiled as a device function. The variables that it reads from the enclosing function become further
parameters, with their values at the call: that is what Python's late binding gives, since kernels have no
`nonlocal`. An inner function that is passed to another function carries the values that the compiler knows.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from . import _errors
from ._part import Part
from ._scopes import bound_names, free_names
from ._values import UNKNOWN, Value, static

if TYPE_CHECKING:
    from ._calls import Call
    from ._source import Source

__all__ = ["InnerFunction", "InnerFunctions"]

Definition = ast.FunctionDef | ast.Lambda


class InnerFunction:
    """A function that another function of a kernel defines.

    Attributes
    ----------
    source : Source
        Its own text.
    outer : Source
        The function that defines it.
    free : frozenset of str
        The names that it reads and does not bind.
    constants : dict, optional
        What it reads of the function around it, where it has left that one.
    """

    def __init__(self, outer: Source, node: Definition, constants: dict[str, Any] | None = None) -> None:
        self.constants = constants
        self.outer = outer
        self.source = outer.inner(node)
        self.__name__ = self.source.name
        self.free = frozenset(free_names(node))

    def default(self, parameter: str) -> str:
        """Return the variable of the outer function that holds a parameter's default value."""
        name = "lambda" if self.__name__ == "<lambda>" else self.__name__
        return f"{name}__{parameter}"


class InnerFunctions(Part):
    """The part of `FunctionText` that defines functions and calls them."""

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.fail(
                "functions defined in kernels take no decorators; define a device function at module level",
                node.decorator_list[0],
                _errors.UnsupportedError,
            )
        self.bind(node.name, self._defined(node), node)

    def _Lambda(self, node: ast.Lambda) -> Value:
        return self._defined(node)

    def _defined(self, node: Definition) -> Value:
        inner = self.module.inner(self.source, node)
        for parameter, default in _defaults(node):
            self.bind(inner.default(parameter), self.expression(default), default)
        return static(inner)

    def call_inner(self, inner: InnerFunction, call: Call) -> Value:
        """Return the result of a call of a function that the kernel defines."""
        tree = inner.source.tree
        params = [argument.arg for argument in tree.args.args]
        defaults = {
            parameter: self._of_inner(inner, inner.default(parameter), call.node)
            for parameter, _ in _defaults(tree)
            if parameter not in params[: len(call.args)] and parameter not in call.keywords
        }
        given = self.matched_arguments(call, inner.source, defaults)
        own = {inner.default(parameter) for parameter, _ in _defaults(tree)}
        if inner.constants is None:
            names = self._captured_names(inner, call)
        else:
            names = sorted(inner.constants.keys() - own)
        captured = [self._of_inner(inner, name, call.node) for name in names]
        result: Value = self.call_written(inner.source, [*given, *captured], call, captured=tuple(names))
        return result

    def escaping(self, value: Value, to: Source, call: Call) -> Value:
        """Return an argument of a function; one that is a function of the kernel's takes along what it reads
        around it.
        """
        inner = value.const
        if not isinstance(inner, InnerFunction) or inner.constants is not None or to.is_within(inner.outer):
            return value
        own = {inner.default(parameter) for parameter, _ in _defaults(inner.source.tree)}
        names = {*self._captured_names(inner, call), *own}
        assert self.env is not None
        constants = {name: getattr(self.env.get(name), "const", UNKNOWN) for name in names}
        unknown = sorted(name for name, constant in constants.items() if constant is UNKNOWN)
        if unknown:
            self.fail(
                f"{inner.__name__!r} reads variables of {inner.outer.name!r} ({', '.join(unknown)}): it can "
                "be given to other functions only where the compiler knows their values; make them "
                "parameters",
                call.node,
                _errors.UnsupportedError,
            )
        return static(self.module.escaped(inner, constants)) if constants else value

    def _of_inner(self, inner: InnerFunction, name: str, node: ast.AST) -> Value:
        """Return a variable that a function reads around it: now, or as it was when the function left."""
        if inner.constants is not None:
            return self.frozen(inner.constants[name], node)
        return self._captured(name, node)

    def _captured_names(self, inner: InnerFunction, call: Call) -> list[str]:
        """Return the variables of enclosing functions that a function, or one that it calls, reads."""
        wanted: set[str] = set()
        waiting = [inner]
        while waiting:
            function = waiting.pop()
            outer = bound_names(function.outer.tree) | set(function.outer.captured)
            for name in function.free & outer:
                if name in wanted:
                    continue
                wanted.add(name)
                other = getattr(self.env.get(name), "const", None)
                if isinstance(other, InnerFunction):
                    wanted |= {other.default(parameter) for parameter, _ in _defaults(other.source.tree)}
                    if other is not inner:
                        waiting.append(other)
        if wanted and not self.source.is_within(inner.outer):
            self.fail(
                f"{inner.__name__!r} reads variables of {inner.outer.name!r} ({', '.join(sorted(wanted))}): "
                "it can be called there only; make them parameters",
                call.node,
                _errors.UnsupportedError,
            )
        return sorted(wanted)

    def _captured(self, name: str, node: ast.AST) -> Value:
        value: Value = self.expression(ast.copy_location(ast.Name(name, ast.Load()), node))
        return value


def _defaults(tree: Definition) -> list[tuple[str, ast.expr]]:
    """Return the parameters that have default values, with the expressions of these."""
    params = [argument.arg for argument in tree.args.args]
    defaults = tree.args.defaults
    return list(zip(params[len(params) - len(defaults) :], defaults, strict=True))

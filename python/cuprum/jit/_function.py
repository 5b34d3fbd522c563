"""One function of a kernel: its variables, its blocks of C text, and what all parts of the compiler ask of
them.

Types follow the flow of the program: a variable has at each place the type of what was last bound to it, and
where ways join the types are unified, with a conversion at the end of the way that needs one. A loop is
walked without writing until the types at its head are those that its end brings back; what was found is kept
by the loop and the types that it was entered with, so that loops within loops are not walked again and again.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from . import _errors
from ._arrays import Arrays
from ._calls import Calls
from ._conversions import Conversions
from ._datetimes import Datetimes
from ._device_thrust import Iterators
from ._exceptions import Exceptions
from ._expressions import Expressions
from ._inner import InnerFunctions
from ._methods import Methods
from ._records import Records
from ._rules import Rules
from ._scopes import bound_names
from ._source import Source
from ._statements import Statements
from ._tuples import Tuples
from ._types import NONE, Conflict, Known, Scalar, Type
from ._values import UNKNOWN, WRAPS, Value, Variable

if TYPE_CHECKING:
    from ._module import ModuleText

__all__ = ["DYNAMIC", "FunctionText"]

Environment = dict[str, Variable]

_MAX_DEPTH = 400

DYNAMIC = "cu_dynamic_bytes"
"""The parameter that says how many bytes of dynamic shared memory there are."""


class FunctionText(
    Statements,
    Exceptions,
    InnerFunctions,
    Expressions,
    Tuples,
    Calls,
    Methods,
    Iterators,
    Arrays,
    Records,
    Datetimes,
    Conversions,
):
    """Writes one function, for one combination of argument types, as CUDA C.

    Parameters
    ----------
    module : ModuleText
        What the function is part of.
    source : Source
        The function's source.
    rules : Rules
        How results are typed.
    kernel : bool
        Whether it is launched, so that it returns nothing.
    """

    def __init__(self, module: ModuleText, source: Source, rules: Rules, kernel: bool) -> None:
        self.module = module
        self.source = source
        self.rules = rules
        self.kernel = kernel
        self.out: list[str] = []
        self.env: Environment | None = {}
        self.loops: list[Any] = []
        self.walking = 0
        """How many loops around this place are walked to find their types, not written."""
        self.found: dict[Any, Any] = {}
        self.result: Type | None = None
        self.result_line = 0
        self.returns_fixed = False
        self.recursive = False
        """Whether it was found to call itself."""
        self.may_be_blank: set[int] = set()
        """Reads of variables, by their nodes, whose value is of no interest where none was bound."""
        self.here: ast.AST = source.tree
        self.hidden: dict[str, str] = {}
        """Parameters behind the user's, by name with their C types: what the function and those that it
        calls need of the launch.
        """
        self.array_hint = ""
        """The variable that a value will be bound to: messages name shared and local arrays by it."""
        self._own_arrays: dict[int, str] = {}
        self._storage: dict[tuple[str, Type], tuple[str, ...]] = {}
        self._versions: dict[str, int] = {}
        self._declarations: list[str] = []
        self._blank: dict[str, str] = {}
        self._temporaries = 0
        self._depth = 0
        self._local_names = bound_names(source.tree)

    # Messages

    def fail(
        self, message: str, node: ast.AST | None = None, kind: type[Exception] = _errors.KernelTypeError
    ) -> NoReturn:
        """Raise an error that shows a place of the source."""
        raise kind(_errors.rendered(self.source, node if node is not None else self.here, message)) from None

    def line_of(self, node: ast.AST) -> int:
        """Return the line in the file that a node stands on."""
        return self.source.line_of(node)

    def enter(self, node: ast.AST) -> ast.AST:
        """Make a node the place that messages show; return the one before, for `leave`."""
        before, self.here = self.here, node
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self.fail("the expression is nested too deeply; use variables for its parts", node)
        return before

    def leave(self, before: ast.AST) -> None:
        """Make the node before the place that messages show. After an error nobody asks for it."""
        self.here = before
        self._depth -= 1

    def walk_state(self) -> tuple[int, int, int]:
        """Return how deep the walk is in the tree and in loops, for `restore_walk`."""
        return self._depth, len(self.loops), self.walking

    def restore_walk(self, state: tuple[int, int, int]) -> None:
        """Go back to where a walk was, from within what it has not finished."""
        self._depth, loops, self.walking = state
        del self.loops[loops:]

    # Text

    @contextlib.contextmanager
    def block(self) -> Iterator[list[str]]:
        """Collect the lines of a block of their own."""
        before, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = before

    def emit(self, text: str) -> None:
        """Write a line."""
        self.out.append(text)

    def emit_block(self, head: str, lines: list[str], tail: str = "}") -> None:
        """Write lines in braces."""
        self.out.append(f"{head} {{")
        self.out += ["    " + line if not line.startswith("#") else line for line in lines]
        self.out.append(tail)

    def temporary(self, c_type: str, code: str, at: int | None = None) -> str:
        """Hold an expression in a name of its own, written here or at a place before."""
        self._temporaries += 1
        name = f"t{self._temporaries}"
        text = f"{c_type} {name} = {code};"
        if at is None:
            self.out.append(text)
        else:
            self.out.insert(at, text)
        return name

    def fresh(self) -> str:
        """Return a name that nothing else has."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def held(self, value: Value, at: int | None = None) -> Value:
        """Return the value in names of its own."""
        if value.known and isinstance(value.type, Scalar):
            return value
        names = []
        for (c_type, _), code in zip(value.type.parts(), value.parts, strict=True):
            names.append(self.temporary(c_type, code, at))
            at = None if at is None else at + 1
        return Value(value.type, tuple(names), value.const, value.nonnegative, True, value.name, value.bits)

    def in_order(self, nodes: list[ast.expr]) -> list[Value]:
        """Evaluate expressions one after the other, as Python does: what a later one does cannot change an
        earlier.
        """
        values: list[Value] = []
        for node in nodes:
            place = len(self.out)
            value = self.expression(node)
            if len(self.out) > place:
                for number, earlier in enumerate(values):
                    if not earlier.stable:
                        before = len(self.out)
                        values[number] = self.held(earlier, place)
                        place += len(self.out) - before
            values.append(value)
        return values

    # Variables

    def storage(self, name: str, kind: Type) -> tuple[str, ...]:
        """Return the C variables that hold a Python variable while it has this type."""
        key = (name, kind)
        if key not in self._storage:
            version = self._versions[name] = self._versions.get(name, 0) + 1
            base = f"{_c_name(name)}_{'' if version == 1 else version}"
            names = []
            for c_type, suffix in kind.parts():
                names.append(base + suffix)
                self._declarations.append(f"{c_type} {base}{suffix};")
            self._storage[key] = tuple(names)
        return self._storage[key]

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Bind a variable to a value."""
        assert self.env is not None
        value = self.own_text(value, node)
        before = self.env.get(name)
        line = self.line_of(node)
        if before is not None and before.type != value.type and not self.rules.unifies:
            value = self.converted_to_variable(name, value, before, node)
        targets = self.storage(name, value.type)
        if len(targets) > 1 and any(target in code for target in targets for code in value.parts):
            # `t = t[1], t[0]`: no part may be written before all have been read.
            value = self.held(value)
        for target, code in zip(targets, value.parts, strict=True):
            if target != code:
                self.emit(f"{target} = {code};")
        bits = value.bits if value.nonnegative else 0
        self.env[name] = Variable(value.type, value.const, value.nonnegative, False, line, bits)

    def bind_all(self, names: list[tuple[str, Value, ast.AST]]) -> None:
        """Bind several variables at once: every value is taken before the first is bound."""
        kept = [(name, self.held(value), node) for name, value, node in names]
        for name, value, node in kept:
            self.bind(name, value, node)

    def read(self, name: str, variable: Variable, node: ast.AST) -> Value:
        """Return the value of a variable."""
        if isinstance(variable.type, Conflict):
            self.fail(f"variable {name!r} is {variable.type}; use two names", node)
        if variable.maybe and (id(node) in self.may_be_blank or not self.rules.checks_unbound):
            zeros = self.zero_parts(variable.type)
            self._blank.update(zip(self.storage(name, variable.type), zeros, strict=True))
        elif variable.maybe:
            self.fail(
                f"variable {name!r} is not bound on every way here; bind it before the branch or the loop",
                node,
                _errors.KernelNameError,
            )
        kind = variable.type
        if variable.const is not UNKNOWN and isinstance(kind, Scalar):
            return self.number_of(variable.const, kind)
        parts = self.storage(name, kind)
        return Value(kind, parts, variable.const, variable.nonnegative, True, name, variable.bits)

    def check(self, condition: str, message: str) -> None:
        """Write a check that stops the kernel with a message where the condition does not hold."""
        self.module.need_assert()
        text = message.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        self.emit(f'CU_ASSERT({condition}, "{text}");')

    def own_array(self, node: ast.AST, space: str, c_type: str, count: int, align: int) -> str:
        """Return the name of a shared or local array; each call in the source has one of its own."""
        if id(node) not in self._own_arrays:
            name = f"{_c_name(self.array_hint)}_array" if self.array_hint else "array"
            if name in self._own_arrays.values():
                name += str(len(self._own_arrays))
            self._own_arrays[id(node)] = name
            aligned = f"__align__({align}) " if align else ""
            self._declarations.append(f"{space}{aligned}{c_type} {name}[{max(count, 1)}];")
        return self._own_arrays[id(node)]

    def need_dynamic(self) -> None:
        """Declare the dynamic shared memory, whose size the launch says."""
        self.hidden[DYNAMIC] = "long long"
        text = "extern __shared__ __align__(16) unsigned char cu_dynamic[];"
        if text not in self._declarations:
            self._declarations.append(text)

    # Joins

    def unified(self, ways: list[Environment | None]) -> Environment | None:
        """Return what is known where ways join; None where none of them arrives."""
        arriving = [way for way in ways if way is not None]
        if not arriving:
            return None
        joined = dict(arriving[0])
        for way in arriving[1:]:
            for name in [*joined, *(name for name in way if name not in joined)]:
                joined[name] = self._unified_variable(joined.get(name), way.get(name))
        return joined

    def _unified_variable(self, left: Variable | None, right: Variable | None) -> Variable:
        if left is None or right is None:
            there = left if left is not None else right
            assert there is not None
            return Variable(there.type, there.const, there.nonnegative, True, there.line, there.bits)
        if left.key() == right.key():
            return left
        for variable in (left, right):
            if isinstance(variable.type, Conflict):
                return variable
        kind = self.rules.unify(left.type, right.type)
        if kind is None:
            sides = sorted([(left.line, str(left.type)), (right.line, str(right.type))])
            return Variable(Conflict(*(f"{text} (line {line})" for line, text in sides)))
        same = left.key()[1] == right.key()[1]
        const = left.const if same else UNKNOWN
        nonnegative = left.nonnegative and right.nonnegative
        line = min(left.line, right.line)
        bits = left.bits
        if left.bits != right.bits or left.type != right.type:
            # A loop's variable would grow by a bit a turn: all of its type's, or more than it has.
            ends = [Value(side.type, (), UNKNOWN, True, bits=side.bits) for side in (left, right)]
            bits = 0 if all(side.natural for side in ends) else WRAPS
        return Variable(kind, const, nonnegative, left.maybe or right.maybe, line, bits if nonnegative else 0)

    def convert_to(self, target: Environment) -> None:
        """Write the conversions that variables need on the way from here to a join."""
        assert self.env is not None
        for name, variable in target.items():
            here = self.env.get(name)
            if here is not None and here.type != variable.type and not isinstance(variable.type, Conflict):
                value = Value(here.type, self.storage(name, here.type))
                converted = self.converted(value, variable.type, self.here)
                for to, code in zip(self.storage(name, variable.type), converted.parts, strict=True):
                    self.emit(f"{to} = {code};")

    # The whole function

    def write(self, params: list[tuple[str, Type]]) -> tuple[list[str], list[str]]:
        """Return the declarations of the parameters and the lines of the body.

        The body is walked twice: the first time finds the type of the result.
        """
        written = self.module.written_so_far()
        self._walk(params)
        while self.recursive:
            # Its own calls have the type of its result: it is walked until that settles.
            before = self.known_result()
            self.module.forget_since(written)
            self._forget()
            self._walk(params)
            if self.known_result() == before:
                break
        self.returns_fixed = True
        self.result = self.known_result()
        self._forget()
        declared = self._walk(params)
        own = {f"{text};" for text in declared}
        lines = [self._declared(text) for text in self._declarations if text not in own]
        return declared, lines + self.out

    def _declared(self, text: str) -> str:
        """Return a declaration, with a zero where the variable may be read before it is bound."""
        zero = self._blank.get(text.rpartition(" ")[2].rstrip(";"))
        return text if zero is None else f"{text[:-1]} = {zero};"

    def known_result(self) -> Type:
        """Return the type of the result as the walks so far have found it."""
        if self.result is not None:
            return self.result
        if self.recursive and self.env is None:
            self.fail(
                f"{self.source.name!r} calls itself on every way: the type of its result cannot be found; "
                "return a value on a way that does not",
                self.source.tree,
                _errors.KernelValueError,
            )
        return NONE

    def _forget(self) -> None:
        """Make ready for another walk."""
        if self.recursive:
            self.found.clear()
        self._storage.clear()
        self._versions.clear()
        self._declarations.clear()
        self._own_arrays.clear()
        self._temporaries = 0

    def _walk(self, params: list[tuple[str, Type]]) -> list[str]:
        self.out = []
        self.env = {}
        declared = []
        line = self.line_of(self.source.tree)
        for name, kind in params:
            const = getattr(kind, "value", UNKNOWN)
            kind = kind.kind if isinstance(kind, Known) else kind
            for c_name, (c_type, _) in zip(self.storage(name, kind), kind.parts(), strict=True):
                declared.append(f"{c_type} {c_name}")
            self.env[name] = Variable(kind, None if kind == NONE else const, False, False, line)
        self.body()
        return declared

    def is_local(self, name: str) -> bool:
        """Whether the function binds a name anywhere, so that it is none of the module's."""
        return name in self._local_names


def _c_name(name: str) -> str:
    """Return a Python name in C's letters."""
    if name.isascii():
        return name
    return "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)

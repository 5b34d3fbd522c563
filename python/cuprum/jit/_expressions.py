"""Expressions of a kernel: operators, comparisons, names, literals, attributes."""

from __future__ import annotations

import ast
import builtins
import difflib
import enum
import operator
import types
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from . import _errors
from ._arguments import is_array
from ._device_threads import quantity
from ._intrinsics import Dimensions, Quantity, attribute_of, is_namespace
from ._part import Part
from ._statements import NotYetBound
from ._types import (
    BOOL,
    INT64,
    NONE,
    UINT64,
    Array,
    Iterator,
    Pointer,
    Record,
    Scalar,
    Static,
    Tuple,
    Type,
    scalar,
)
from ._values import UNKNOWN, WRAPS, Value, static

__all__ = ["Expressions"]

_BINARY: dict[type[ast.operator], tuple[str, Any]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}
_COMPARE: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_DIMENSION_BITS = {"threadIdx": 10, "blockDim": 11, "blockIdx": 31, "gridDim": 31}
"""The bits that a thread's place may have."""
_COMPLEX = {"+": "cu_cadd", "-": "cu_csub", "*": "cu_cmul", "/": "cu_cdiv"}
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


def _bits_of(symbol: str, a: Value, b: Value) -> int:
    """Return how many bits the result of an operator may have that is not negative."""
    if symbol == "+":
        return max(a.width, b.width) + 1
    if symbol == "*":
        return min(a.width + b.width, WRAPS)
    if symbol == "&":
        return min([side.width for side in (a, b) if side.natural], default=WRAPS)
    if symbol == "//":
        return a.width if b.natural else WRAPS
    return b.width if symbol == "%" else max(a.width, b.width)


def _may_wrap(symbol: str, a: Value, b: Value, kind: Scalar) -> bool:
    """Return whether C may leave the result of `+`, `-` or `*` undefined: a signed one that overflows.

    Smaller numbers than int are computed as int, where only products of two uint16 overflow.
    """
    if kind.kind == "u" or kind.dtype.itemsize < 4:
        return kind.name == "uint16" and symbol == "*"
    if not (a.natural and b.natural):
        return True
    return symbol != "-" and _bits_of(symbol, a, b) >= 8 * kind.dtype.itemsize


class Expressions(Part):
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

    # Names

    def _Name(self, node: ast.Name) -> Value:
        assert self.env is not None
        name = node.id
        variable = self.env.get(name)
        if variable is not None:
            return self.read(name, variable, node)
        if self.is_local(name):
            if self.walking:
                raise NotYetBound(self)
            self.fail(f"name {name!r} is read before anything is bound to it", node, _errors.KernelNameError)
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

    def dimension(self, thing: Dimensions, name: str, node: ast.AST) -> Value:
        """Return `threadIdx.x` and its like."""
        if name not in ("x", "y", "z"):
            self.fail(f"{thing.name} has x, y and z, not {name!r}", node, _errors.KernelAttributeError)
        kind = self.rules.thread()
        bits = _DIMENSION_BITS[thing.name]
        return Value(kind, (f"(({kind.c}){thing.name}.{name})",), UNKNOWN, True, bits=bits)

    # Operators

    def _BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.in_order([node.left, node.right])
        return self.binary(node.op, left, right, node)

    def binary(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the result of an operator."""
        if isinstance(op, ast.MatMult):
            self.fail("'@' is not supported in kernels; write the loops", node, _errors.UnsupportedError)
        symbol, function = _BINARY[type(op)]
        if isinstance(left.type, Tuple) and isinstance(right.type, Tuple) and symbol == "+":
            return self.tuple_of(self.items(left) + self.items(right))
        if not isinstance(left.type, Scalar) or not isinstance(right.type, Scalar):
            moved = self.moved_iterator(symbol, left, right, node)
            if moved is not None:
                return moved
            self._refuse_operands(symbol, left, right, node)
        if self.has_dates(left, right):
            timed: Value = self.date_operator(symbol, left, right, node)
            return timed
        folded = self._folded(symbol, function, left, right)
        if folded is not None:
            return folded
        rule = self.rules.binary(symbol, left.type, right.type)
        if rule is None or (symbol in ("&", "|", "^", "<<", ">>") and rule[0].kind in "fc"):
            self._refuse_operands(symbol, left, right, node)
        operand, result = rule
        stable = left.stable and right.stable
        if symbol == "**":
            return self._power(left, right, operand, node)
        a = self.converted(left, operand, node)
        if symbol in ("<<", ">>"):
            return self._shift(symbol, a, right, operand, stable, node)
        b = self.converted(right, operand, node)
        if symbol in ("/", "//", "%") and operand.kind != "c":
            b = b if b.stable or not self.module.debug else self.held(b)
            self.demand_divisor(b, node)
        nonnegative = (
            result.kind in "iu"
            and a.nonnegative
            and b.nonnegative
            and symbol in ("+", "*", "//", "%", "&", "|", "^")
        )
        if symbol == "%" and result.kind == "i" and right.known and right.const > 0:
            nonnegative = True
        if symbol == "&" and result.kind == "i" and (a.nonnegative or b.nonnegative):
            nonnegative = True
        code = self._arithmetic(symbol, a, b, operand)
        bits = _bits_of(symbol, a, b) if nonnegative else 0
        return Value(result, (code,), UNKNOWN, nonnegative or result.kind == "u", stable, bits=bits)

    def _refuse_operands(self, symbol: str, left: Value, right: Value, node: ast.AST) -> NoReturn:
        if isinstance(left.type, Array) or isinstance(right.type, Array):
            self.fail(
                f"{symbol} of whole arrays is not supported in kernels ({left.type} and {right.type}); "
                "index them",
                node,
            )
        self.fail(f"unsupported operand types for {symbol}: {left.type} and {right.type}", node)

    def _folded(self, symbol: str, function: Any, left: Value, right: Value) -> Value | None:
        """Return the result of an operator on numbers that the compiler knows, where it has the type of a
        literal.
        """
        plain = (int, float)
        if type(left.const) not in plain or type(right.const) not in plain:
            return None
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        if left.type != self.rules.literal(left.const) or right.type != self.rules.literal(right.const):
            return None
        if symbol in ("**", "<<") and (abs(right.const) > 64 or abs(left.const) > 2**64):
            return None
        try:
            value = function(left.const, right.const)
            return self.number(value) if type(value) in plain and abs(value) < 2**63 else None
        except (ArithmeticError, ValueError, TypeError):
            return None

    def _arithmetic(self, symbol: str, a: Value, b: Value, kind: Scalar) -> str:
        if kind.kind == "c":
            return f"{_COMPLEX[symbol]}({a.code}, {b.code})"
        if kind.narrow:
            single = scalar("float32")
            code = self._arithmetic(symbol, self.converted(a, single), self.converted(b, single), single)
            return f"{kind.c}_from_double((double){code})"
        if kind == BOOL:
            symbol = {"+": "||", "*": "&&", "&": "&&", "|": "||", "^": "!="}.get(symbol, symbol)
            return f"({a.code} {symbol} {b.code})"
        if symbol in ("//", "%"):
            if kind.kind == "f":
                self.module.need("fdivmod")
                name = "cu_ffloordiv" if symbol == "//" else "cu_fmod"
            else:
                self.module.need("floordiv")
                name = "cu_floordiv" if symbol == "//" else "cu_mod"
                natural = a.natural and b.natural
                if b.known and b.const != 0 and natural:
                    return f"({a.code} {symbol[0]} {b.code})"
                if kind.kind == "u" or natural:
                    name += "_unsigned"
            return (
                f"{name}<{kind.c}>({a.code}, {b.code})"
                if name != "cu_fmod"
                else f"{name}({a.code}, {b.code})"
            )
        if kind.kind in "iu" and symbol in ("+", "-", "*") and _may_wrap(symbol, a, b, kind):
            return self.wrapping(symbol, a.code, b.code, kind)
        code = f"({a.code} {symbol} {b.code})"
        # C computes with int where the operands are smaller.
        return f"(({kind.c}){code})" if kind.kind in "iu" and kind.dtype.itemsize < 4 else code

    def wrapping(self, symbol: str, a: str, b: str, kind: Scalar) -> str:
        """Return the code of `+`, `-` or `*` of integers, which wraps around as NumPy's does.

        What a signed number does that overflows is undefined in CUDA C, and NVRTC makes use of that.
        """
        wide = scalar("uint64" if kind.dtype.itemsize == 8 else "uint32").c
        return f"(({kind.c})(({wide}){a} {symbol} ({wide}){b}))"

    def _shift(self, symbol: str, a: Value, right: Value, kind: Scalar, stable: bool, node: ast.AST) -> Value:
        by = self.converted(right, INT64, node)
        nonnegative = kind.kind == "u" or (symbol == ">>" and a.nonnegative)
        bits = a.bits if symbol == ">>" else 0
        if right.known and 0 <= right.const < 8 * kind.dtype.itemsize and kind != BOOL:
            if symbol == ">>":
                code = f"(({kind.c})({a.code} >> {int(right.const)}))"
            else:
                code = f"(({kind.c})((unsigned long long){a.code} << {int(right.const)}))"
            return Value(kind, (code,), UNKNOWN, nonnegative, stable, bits=bits)
        self.module.need("shift")
        name = "cu_shl" if symbol == "<<" else "cu_shr"
        return Value(
            kind, (f"{name}<{kind.c}>({a.code}, {by.code})",), UNKNOWN, nonnegative, stable, bits=bits
        )

    def _power(self, left: Value, right: Value, kind: Scalar, node: ast.AST) -> Value:
        stable = left.stable and right.stable
        assert isinstance(right.type, Scalar)
        base = self.converted(left, kind, node)
        whole = right.known and isinstance(right.const, (int, np.integer)) and abs(int(right.const)) <= 64
        if kind.kind == "c":
            self.module.need("cmath")
            return Value(
                kind, (f"cu_cpow({base.code}, {self.converted(right, kind, node).code})",), stable=stable
            )
        if kind.kind in "iub":
            self.module.need("ipow")
            exponent = self.converted(right, kind, node)
            code = f"cu_ipow<{kind.c}>({base.code}, {exponent.code})"
            return Value(kind, (code,), UNKNOWN, base.nonnegative, stable, bits=WRAPS)
        if kind.narrow:
            single = scalar("float32")
            return self.converted(self._power(self.converted(left, single), right, single, node), kind, node)
        if whole:
            self.module.need("powi")
            return Value(kind, (f"cu_powi<{kind.c}>({base.code}, {int(right.const)})",), stable=stable)
        function = "powf" if kind.name == "float32" else "pow"
        exponent = self.converted(right, kind, node)
        return Value(kind, (f"{function}({base.code}, {exponent.code})",), stable=stable)

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:
        operand = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            if operand.known:
                return self.number(not operand.const)
            return Value(BOOL, (f"(!{self.truth(operand, node)})",), stable=operand.stable)
        if not isinstance(operand.type, Scalar):
            self.fail(f"unsupported operand type for a sign or ~: {operand.type}", node)
        if isinstance(node.op, ast.Invert):
            kind = self.rules.inverted(operand.type)
            if kind is None:
                self.fail(f"unsupported operand type for ~: {operand.type}", node)
            if operand.known and type(operand.const) is int:
                return self.number(~operand.const)
            value = self.converted(operand, kind, node)
            code = f"(!{value.code})" if kind == BOOL else f"(({kind.c})(~{value.code}))"
            return Value(kind, (code,), UNKNOWN, kind.kind == "u", operand.stable)
        if operand.known and type(operand.const) in (int, float, complex):
            return self.number(-operand.const if isinstance(node.op, ast.USub) else operand.const, node)
        kind = self.rules.negated(operand.type)
        value = self.converted(operand, kind, node)
        if isinstance(node.op, ast.UAdd):
            return value
        return self.negative(value, kind)

    def negative(self, value: Value, kind: Scalar) -> Value:
        """Return `-x`."""
        if kind.kind in "mM":
            opposite: Value = self.negated_date(value, self.here)
            return opposite
        if kind.kind == "c":
            return Value(kind, (f"cu_cneg({value.code})",), stable=value.stable)
        if kind.narrow:
            single = scalar("float32")
            return self.converted(self.negative(self.converted(value, single), single), kind)
        code = f"(-{value.code})"
        if kind.kind in "iu":
            code = self.wrapping("-", "0", value.code, kind)
        return Value(kind, (code,), UNKNOWN, kind.kind == "u", value.stable)

    # Conditions

    def _BoolOp(self, node: ast.BoolOp) -> Value:
        value = self.expression(node.values[0])
        for other in node.values[1:]:
            value = self._either(value, other, isinstance(node.op, ast.And), node)
        return value

    def _either(self, left: Value, node: ast.expr, both: bool, where: ast.AST) -> Value:
        if left.known:
            return self.expression(node) if bool(left.const) == both else left
        with self.block() as lines:
            right = self.expression(node)
        if left.type == BOOL and right.type == BOOL:
            if not lines:
                symbol = "&&" if both else "||"
                stable = left.stable and right.stable
                return Value(BOOL, (f"({left.code} {symbol} {right.code})",), stable=stable)
            name = self.temporary("bool", left.code)
            lines.append(f"{name} = {right.code};")
            self.emit_block(f"if ({name})" if both else f"if (!{name})", lines)
            return Value(BOOL, (name,))
        kind = self.joined_type(left.type, right.type, where)
        held = self.held(left)
        condition = self.truth(held, where)
        return self._branched(condition if both else f"!({condition})", lines, right, [], held, kind, where)

    def joined_type(self, left: Type, right: Type, node: ast.AST) -> Type:
        """Return the type of a value that comes from one of two ways."""
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return left if left == right else self.rules.common(left, right)
        kind = self.rules.unify(left, right)
        if kind is None:
            self.fail(f"one way gives {left}, the other {right}; give both one type", node)
        return kind

    def _branched(
        self,
        condition: str,
        first: list[str],
        yes: Value,
        second: list[str],
        no: Value,
        kind: Type,
        node: ast.AST,
    ) -> Value:
        """Return a value that is `yes` or `no`, whose own lines run only when it is taken."""
        for lines, value in ((first, yes), (second, no)):
            before, self.out = self.out, lines
            converted = self.converted(value, kind, node)
            self.out = before
            if value is yes:
                yes_value = converted
            else:
                no_value = converted
        nonnegative = yes_value.nonnegative and no_value.nonnegative
        bits = max(yes_value.width, no_value.width)
        if not first and not second:
            parts = tuple(
                f"({condition} ? {a} : {b})" for a, b in zip(yes_value.parts, no_value.parts, strict=True)
            )
            stable = yes_value.stable and no_value.stable
            return Value(kind, parts, UNKNOWN, nonnegative, stable, bits=bits)
        names = []
        for c_type, _ in kind.parts():
            name = self.fresh()
            self.emit(f"{c_type} {name};")
            names.append(name)
        first += [f"{name} = {code};" for name, code in zip(names, yes_value.parts, strict=True)]
        second += [f"{name} = {code};" for name, code in zip(names, no_value.parts, strict=True)]
        self.emit_block(f"if ({condition})", first)
        self.emit_block("else", second)
        return Value(kind, tuple(names), UNKNOWN, nonnegative, bits=bits)

    def _IfExp(self, node: ast.IfExp) -> Value:
        test = self.expression(node.test)
        if test.known:
            return self.expression(node.body if test.const else node.orelse)
        condition = self.truth(test, node.test)
        with self.block() as first:
            yes = self._way(node.body)
        with self.block() as second:
            no = self._way(node.orelse)
        if yes is None or no is None:
            known = no if yes is None else yes
            if known is None:
                raise NotYetBound(self)
            return known
        kind = self._joined_ways(yes, no, node)
        return self._branched(condition, first, yes, second, no, kind, node)

    def _joined_ways(self, yes: Value, no: Value, node: ast.AST) -> Type:
        """Return the type of a conditional expression, in which a literal takes the other way's precision."""
        for value, other in ((yes, no), (no, yes)):
            if self._is_literal(other) and not self._is_literal(value) and isinstance(value.type, Scalar):
                return self.rules.joined(value.type, other.const)
        return self.joined_type(yes.type, no.type, node)

    def _is_literal(self, value: Value) -> bool:
        plain = type(value.const) in (bool, int, float, complex)
        return plain and isinstance(value.type, Scalar) and value.type == self.rules.literal(value.const)

    def _way(self, node: ast.expr) -> Value | None:
        """Return the value of one of two ways; None while its type is not known."""
        state, here = self.walk_state(), self.here
        try:
            return self.expression(node)
        except NotYetBound as unknown:
            if unknown.owner is not self:
                raise
            self.restore_walk(state)
            self.here = here
            return None

    def _Compare(self, node: ast.Compare) -> Value:
        return self._chain(self.expression(node.left), node.ops, node.comparators, node)

    def _chain(self, left: Value, ops: list[ast.cmpop], nodes: list[ast.expr], where: ast.Compare) -> Value:
        """Return whether all comparisons of a chain hold; what comes after one that does not is not
        evaluated.
        """
        place = len(self.out)
        right = self.expression(nodes[0])
        if len(self.out) > place and not left.stable:
            left = self.held(left, place)
        if len(ops) > 1 and (not right.stable or sum(map(len, right.parts)) > 100):
            # It is read twice.
            right = self.held(right)
        test = self.compared(ops[0], left, right, where)
        if len(ops) == 1 or (test.known and not test.const):
            return test
        if test.known:
            return self._chain(right, ops[1:], nodes[1:], where)
        with self.block() as lines:
            rest = self._chain(right, ops[1:], nodes[1:], where)
        if not lines:
            return Value(BOOL, (f"({test.code} && {rest.code})",), stable=test.stable and rest.stable)
        name = self.temporary("bool", test.code)
        lines.append(f"{name} = {rest.code};")
        self.emit_block(f"if ({name})", lines)
        return Value(BOOL, (name,))

    def compared(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the result of one comparison."""
        if isinstance(op, ast.Is | ast.IsNot):
            return self._identity(op, left, right, node)
        if isinstance(op, ast.In | ast.NotIn):
            return self._contained(op, left, right, node)
        symbol, function = _COMPARE[type(op)]
        if isinstance(left.type, Tuple) and isinstance(right.type, Tuple) and symbol in ("==", "!="):
            return self._tuples_equal(left, right, symbol, node)
        if not isinstance(left.type, Scalar) or not isinstance(right.type, Scalar):
            if left.known and right.known and symbol in ("==", "!="):
                return self.number(bool(function(left.const, right.const)))
            if isinstance(left.type, Iterator) and left.type == right.type:
                code = f"({left.code} {symbol} {right.code})"
                return Value(BOOL, (code,), stable=left.stable and right.stable)
            if (self.is_none(left) or self.is_none(right)) and symbol in ("==", "!="):
                return self.number(symbol == "!=")
            self.fail(f"{left.type} and {right.type} cannot be compared with {symbol}", node)
        if self.has_dates(left, right):
            timed: Value = self.compared_dates(symbol, left, right, node)
            return timed
        plain = (bool, int, float)
        if type(left.const) in plain and type(right.const) in plain:
            return self.number(bool(function(left.const, right.const)))
        stable = left.stable and right.stable
        pair = {left.type.name, right.type.name}
        if "uint64" in pair and pair & {"int8", "int16", "int32", "int64"}:
            return self._mixed_signs(symbol, left, right, stable, node)
        kind = self.rules.compared(left.type, right.type)
        a, b = self.converted(left, kind, node), self.converted(right, kind, node)
        if kind.kind == "c":
            if symbol not in ("==", "!="):
                self.fail("complex numbers have no order", node)
            sign = "" if symbol == "==" else "!"
            return Value(BOOL, (f"({sign}cu_ceq({a.code}, {b.code}))",), stable=stable)
        if kind.narrow:
            single = scalar("float32")
            a, b = self.converted(a, single), self.converted(b, single)
        return Value(BOOL, (f"({a.code} {symbol} {b.code})",), stable=stable)

    def _mixed_signs(self, symbol: str, left: Value, right: Value, stable: bool, node: ast.AST) -> Value:
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        for signed, unsigned, sign in ((left, right, symbol), (right, left, _turned(symbol))):
            if unsigned.type == scalar("uint64"):
                if signed.known and int(signed.const) >= 0:
                    number = self.number_of(int(signed.const), scalar("uint64"))
                    pair = (number.code, unsigned.code)
                    return Value(BOOL, (f"({pair[0]} {sign} {pair[1]})",), stable=stable)
                self.module.need("compare")
                wide = self.converted(signed, INT64, node)
                return Value(BOOL, (f"(cu_compare({wide.code}, {unsigned.code}) {sign} 0)",), stable=stable)
        raise AssertionError

    def _identity(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        if self.is_none(left) or self.is_none(right):
            same = self.is_none(left) and self.is_none(right)
        elif isinstance(left.type, Static) or isinstance(right.type, Static):
            same = left.type == right.type
        elif left.type == right.type and isinstance(left.type, Scalar) and left.type.kind in "biu":
            # Members of an enumeration are their numbers here.
            return self.compared(ast.Eq() if isinstance(op, ast.Is) else ast.NotEq(), left, right, node)
        elif left.known and right.known:
            same = left.const is right.const
        else:
            self.fail("'is' compares with None only in kernels; use ==", node)
        return self.number(same if isinstance(op, ast.Is) else not same)

    def _contained(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        if not isinstance(right.type, Tuple):
            self.fail("'in' takes a tuple in kernels", node)
        held = self.held(left)
        tests = [self.compared(ast.Eq(), held, item, node) for item in self.items(right)]
        code = "(" + " || ".join(test.code for test in tests) + ")" if tests else "false"
        if isinstance(op, ast.NotIn):
            code = f"(!{code})"
        return Value(BOOL, (code,), stable=right.stable)

    def _tuples_equal(self, left: Value, right: Value, symbol: str, node: ast.AST) -> Value:
        first, second = self.items(left), self.items(right)
        if len(first) != len(second):
            return self.number(symbol == "!=")
        tests = [self.compared(ast.Eq(), a, b, node) for a, b in zip(first, second, strict=True)]
        code = "(" + " && ".join(test.code for test in tests) + ")" if tests else "true"
        stable = left.stable and right.stable
        return Value(BOOL, (code if symbol == "==" else f"(!{code})",), stable=stable)


def _turned(symbol: str) -> str:
    return {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(symbol, symbol)

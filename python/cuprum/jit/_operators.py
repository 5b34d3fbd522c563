"""Operators of a kernel: arithmetic, shifts, powers and signs."""

from __future__ import annotations

import ast
import operator
from typing import Any, NoReturn

import numpy as np

from . import _errors
from ._part import Part
from ._types import BOOL, INT64, Array, Scalar, Tuple, scalar
from ._values import UNKNOWN, WRAPS, Value

__all__ = ["Operators"]

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
_COMPLEX = {"+": "cu_cadd", "-": "cu_csub", "*": "cu_cmul", "/": "cu_cdiv"}


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


class Operators(Part):
    """The part of `FunctionText` that writes operators."""

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

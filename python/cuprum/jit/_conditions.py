"""Truth in a kernel: comparisons, `and`, `or`, and what depends on them."""

from __future__ import annotations

import ast
import enum
import operator
from typing import Any

from ._part import Part
from ._statements import NotYetBound
from ._types import BOOL, INT64, Iterator, Member, Scalar, Static, Text, Tuple, Type, scalar
from ._values import UNKNOWN, Value

__all__ = ["Conditions"]

_COMPARE: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}


class Conditions(Part):
    """The part of `FunctionText` that writes comparisons and choices."""

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
            if isinstance(left.type, Text) or isinstance(right.type, Text):
                return self.texts_equal(left, right, symbol, node)
            if isinstance(left.type, Member) or isinstance(right.type, Member):
                return self._members_equal(symbol, left, right, node)
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
        elif isinstance(left.type, Member) or isinstance(right.type, Member):
            return self._members_equal("==" if isinstance(op, ast.Is) else "!=", left, right, node)
        elif isinstance(left.type, Static) or isinstance(right.type, Static):
            same = left.type == right.type
        elif left.known and right.known and (_is_member(left) or _is_member(right)):
            same = left.const is right.const
        elif left.type == right.type and isinstance(left.type, Scalar) and left.type.kind in "biu":
            # Members of an enumeration that are not known are their numbers.
            return self.compared(ast.Eq() if isinstance(op, ast.Is) else ast.NotEq(), left, right, node)
        elif left.known and right.known:
            same = left.const is right.const
        else:
            self.fail("'is' compares with None only in kernels; use ==", node)
        return self.number(same if isinstance(op, ast.Is) else not same)

    def _members_equal(self, symbol: str, left: Value, right: Value, node: ast.AST) -> Value:
        """Return whether two values are one member of an enumeration, one of them chosen by the kernel."""
        kind = Member.of(left.type)
        if kind is None or kind != Member.of(right.type) or symbol not in ("==", "!="):
            if symbol not in ("==", "!="):
                self.fail(f"{left.type} and {right.type} cannot be compared with {symbol}", node)
            return self.number(symbol == "!=")
        a, b = self.converted(left, kind, node), self.converted(right, kind, node)
        return Value(BOOL, (f"({a.code} {symbol} {b.code})",), stable=a.stable and b.stable)

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


def _is_member(value: Value) -> bool:
    return isinstance(value.const, enum.Enum)


def _turned(symbol: str) -> str:
    return {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(symbol, symbol)

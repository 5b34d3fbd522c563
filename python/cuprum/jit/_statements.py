"""Statements of a kernel: bindings, branches, loops, returns."""

from __future__ import annotations

import ast
import warnings
from typing import Any, NoReturn

from . import _errors
from ._loops import Loop
from ._part import Part
from ._types import INT64, NONE, Array, Member, Scalar, Static, Text, Tuple, Type
from ._unbound import NeverBound, is_read_always
from ._values import UNKNOWN, Value, Variable

__all__ = ["NotYetBound", "Statements"]

_REFUSED: dict[type[ast.AST], str] = {
    ast.Try: "try is not supported in kernels; test for the case before",
    ast.With: "with is not supported in kernels",
    ast.AsyncWith: "async is not supported in kernels",
    ast.AsyncFor: "async is not supported in kernels",
    ast.AsyncFunctionDef: "async is not supported in kernels",
    ast.ClassDef: "classes cannot be defined in kernels",
    ast.Import: "import is not supported in kernels; import the module at the top of the file",
    ast.ImportFrom: "import is not supported in kernels; import the name at the top of the file",
    ast.Global: "global is not supported in kernels: globals are constants; write into an array",
    ast.Nonlocal: "nonlocal is not supported in kernels: outer variables are constants; write into an array",
    ast.Delete: "del is not supported in kernels",
}
for _name, _text in {
    "TryStar": "try is not supported in kernels; test for the case before",
    "Match": "match is not supported in kernels; use if and elif",
    "TypeAlias": "type is not supported in kernels",
}.items():
    if hasattr(ast, _name):
        _REFUSED[getattr(ast, _name)] = _text


class NotYetBound(Exception):
    """Something whose type is not known yet: a variable that is bound further down in a loop, or the result
    of a function that calls itself, met while the function is walked to find types.

    The way of `owner` that needs it is left; a later walk will know the type.
    """

    def __init__(self, owner: Any) -> None:
        super().__init__()
        self.owner = owner


class Statements(Part):
    """The part of `FunctionText` that writes statements."""

    def body(self) -> None:
        """Write the function's own statements."""
        tree = self.source.tree
        if isinstance(tree, ast.Lambda):
            self._return(self.expression(tree.body), tree.body)
            return
        self.statements(tree.body)

    def statements(self, nodes: list[ast.stmt]) -> None:
        """Write statements until one of them leaves the way."""
        for node in nodes:
            if self.env is None:
                return
            self.emit(f"#line {self.line_of(node)} {self.module.file_literal(self.source)}")
            before = self.enter(node)
            state = self.walk_state()
            try:
                self.statement(node)
            except NotYetBound as unknown:
                if unknown.owner is not self:
                    raise
                self.env = None
                self.restore_walk(state)
            except NeverBound as unbound:
                self.restore_walk(state)
                self._stop_unbound(unbound.node, node)
            self.leave(before)

    def refuse_unbound(self, node: ast.Name) -> NoReturn:
        """Raise that nothing has bound a variable."""
        self.fail(f"name {node.id!r} is read before anything is bound to it", node, _errors.KernelNameError)

    def _stop_unbound(self, node: ast.Name, statement: ast.stmt) -> None:
        """Write that a thread which comes to a statement that reads the variable stops the kernel, as Python
        would raise there, and warn. It is an error where every thread comes there.
        """
        everywhere = statement in getattr(self.source.tree, "body", ())
        if everywhere or not is_read_always(node, statement):
            self.refuse_unbound(node)
        if self.returns_fixed:
            text = f"Detected uninitialized variable {node.id}: a thread that reads it here stops the kernel"
            line = self.line_of(node)
            warnings.warn_explicit(text, _errors.NumbaWarning, self.source.filename, line)
        self.check("false", f"UnboundLocalError: {node.id}")
        self.leave_function()
        self.env = None

    def statement(self, node: ast.stmt) -> None:
        """Write one statement."""
        refused = _REFUSED.get(type(node))
        if refused is not None:
            self.fail(refused, node, _errors.ForbiddenConstruct)
        getattr(self, f"_{type(node).__name__}")(node)

    def _Pass(self, node: ast.Pass) -> None:
        pass

    def _Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        value = self.expression(node.value)
        if value.parts and not value.stable:
            self.held(value)

    # Bindings

    def _Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        self.array_hint = target.id if isinstance(target, ast.Name) else ""
        value = self.expression(node.value)
        self.array_hint = ""
        if len(node.targets) > 1:
            value = self.own_text(self.held(value), node)
        for target in node.targets:
            self.assign(target, value)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def assign(self, target: ast.expr, value: Value) -> None:
        """Bind or store a value."""
        if isinstance(target, ast.Name):
            if isinstance(value.type, Array) and value.name == "":
                value = Value(value.type, value.parts, value.const, False, value.stable, target.id)
            self.bind(target.id, value, target)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value)
        elif isinstance(target, ast.Subscript):
            self.store_item(target, value)
        elif isinstance(target, ast.Attribute):
            self.store_attribute(target, value)
        else:
            self.fail("this cannot be assigned to in a kernel", target, _errors.UnsupportedError)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value) -> None:
        if any(isinstance(item, ast.Starred) for item in target.elts):
            self.fail("starred names are not supported in kernels", target, _errors.UnsupportedError)
        if isinstance(value.type, Array) and value.type.ndim >= 1:
            items = self._elements(target, value, value.type)
        elif isinstance(value.type, Tuple):
            items = self.items(value)
        else:
            self.fail(f"a value of type {value.type} cannot be unpacked", target, _errors.KernelValueError)
        if len(items) != len(target.elts):
            many = "too many" if len(items) > len(target.elts) else "not enough"
            self.fail(
                f"{many} values to unpack: {len(items)} for {len(target.elts)} names",
                target,
                _errors.KernelValueError,
            )
        pairs = zip(target.elts, items, strict=True)
        items = [self.own_text(self.held(item), name) for name, item in pairs]
        for name, item in zip(target.elts, items, strict=True):
            self.assign(name, item)

    def _elements(self, target: ast.Tuple | ast.List, value: Value, kind: Array) -> list[Value]:
        """Return the elements of an array that is unpacked: its length is checked when the kernel runs, where
        it is not known before.
        """
        value = value if value.stable else self.held(value)
        count = len(target.elts)
        if kind.shape is not None:
            count = kind.shape[0]
        else:
            self.check(
                f"{self.sizes(value)[0]} == {count}",
                f"an array of another length is unpacked into {count} names",
            )
        return [self.element(value, [self.number(place)], target) for place in range(count)]

    def _AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            left = self.expression(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            place = len(self.out)
            right = self.expression(node.value)
            if len(self.out) > place and not left.stable:
                left = self.held(left, place)
            self.assign(target, self._augmented(node, left, right))
            return
        if isinstance(target, ast.Subscript):
            holder = self.expression(target.value)
            if isinstance(holder.type, Array):
                indices = self.indices(target.slice, holder.type.ndim)
                cell = self.cell(holder, indices, target)
                if cell is not None:
                    left = self.held(cell)
                    right = self.expression(node.value)
                    self.store_cell(cell, self._augmented(node, left, right), target)
                    return
        load = ast.copy_location(_loaded(target), target)
        left = self.held(self.expression(load))
        right = self.expression(node.value)
        self.assign(target, self._augmented(node, left, right))

    def _augmented(self, node: ast.AugAssign, left: Value, right: Value) -> Value:
        result = self.binary(node.op, left, right, node)
        if not self.rules.unifies and isinstance(left.type, Scalar) and isinstance(result.type, Scalar):
            if not self.rules.assignable(result.type, left.type):
                self.fail(f"{result.type} cannot be stored in {left.type}; convert it", node)
            return self.converted(result, left.type, node)
        return result

    # Branches

    def _If(self, node: ast.If) -> None:
        test = self.expression(node.test)
        if test.known:
            self.statements(node.body if test.const else node.orelse)
            return
        condition = self.truth(test, node.test)
        assert self.env is not None
        before = dict(self.env)
        ends = []
        blocks = []
        for branch in (node.body, node.orelse):
            self.env = dict(before)
            with self.block() as lines:
                self.statements(branch)
            ends.append(self.env)
            blocks.append(lines)
        joined = self.unified(ends)
        for end, lines in zip(ends, blocks, strict=True):
            if end is not None and joined is not None:
                self.env = end
                before_out, self.out = self.out, lines
                self.convert_to(joined)
                self.out = before_out
        self.emit_block(f"if ({condition})", blocks[0])
        if blocks[1]:
            self.emit_block("else", blocks[1])
        self.env = joined

    # Loops

    def _While(self, node: ast.While) -> None:
        def walk(loop: Loop, head: dict[str, Variable]) -> None:
            self.env = dict(head)
            with self.block() as tested:
                test = self.expression(node.test)
                condition = self.truth(test, node.test)
            loop.exit_after_test = None if test.known and test.const else dict(self.env)
            with self.block() as lines:
                if not (test.known and not test.const):
                    self.statements(node.body)
                    self._close(loop)
            leaving = self._leaving(loop)
            if leaving:
                leave = [*tested, f"if (!({condition})) {{", *leaving, "}"]
                self.emit_block("while (true)", leave + lines)
            elif tested:
                self.emit_block("while (true)", [*tested, f"if (!({condition})) break;", *lines])
            else:
                self.emit_block(f"while ({condition})", lines)

        self._loop(node, walk)

    def _loop(self, node: ast.While | ast.For, walk: Any) -> None:
        """Write a loop: `walk` writes it, given what is known at its head."""
        assert self.env is not None
        entry = self.env
        key = (id(node), tuple(sorted((name, variable.key()) for name, variable in entry.items())))
        if key not in self.found:
            self.found[key] = self._fixed_point(entry, walk)
            self.env = entry
        head, exit_ = self.found[key]
        self.convert_to(head)
        unbroken = self.temporary("bool", "true") if node.orelse else None
        loop = Loop(head, exit_, unbroken)
        self.loops.append(loop)
        walk(loop, head)
        self.loops.pop()
        if node.orelse:
            self._loop_else(node, unbroken, loop, exit_)
        else:
            self.env = None if exit_ is None else dict(exit_)

    def _leaving(self, loop: Loop) -> list[str]:
        """Return the conversions, and a break, for the way out by the loop's own test; empty where none is
        needed.
        """
        if loop.exit is None or loop.exit_after_test is None:
            return []
        self.env = dict(loop.exit_after_test)
        with self.block() as lines:
            self.convert_to(loop.exit)
        self.env = None
        return [*lines, "break;"] if lines else []

    def _loop_else(self, node: ast.While | ast.For, unbroken: str | None, loop: Loop, exit_: Any) -> None:
        self.env = None if exit_ is None else dict(exit_)
        if self.env is None:
            return
        before = dict(self.env) if loop.breaks else None
        with self.block() as lines:
            self.statements(node.orelse)
            joined = self.unified([before, self.env])
            if self.env is not None and joined is not None:
                self.convert_to(joined)
        if before is not None and joined is not None:
            self.env = before
            self.convert_to(joined)
        self.emit_block(f"if ({unbroken})", lines)
        self.env = joined

    def _fixed_point(self, entry: dict[str, Variable], walk: Any) -> tuple[Any, Any]:
        """Return what is known at the head of a loop and behind it, whatever way was taken."""
        head = entry
        for _ in range(100):
            loop = Loop()
            self.loops.append(loop)
            self.walking += 1
            with self.block():
                walk(loop, head)
            self.walking -= 1
            self.loops.pop()
            joined = self.unified([head, *loop.continues])
            assert joined is not None
            if _keys(joined) == _keys(head):
                return joined, self.unified([loop.after_test(), *loop.breaks])
            head = joined
        self.fail("the types of this loop's variables do not settle", kind=_errors.LoweringError)

    def _close(self, loop: Loop) -> None:
        """Go from the end of a loop's body back to its head."""
        if self.env is None:
            return
        if loop.head is None:
            loop.continues.append(self.env)
        else:
            self.convert_to(loop.head)
        self.env = None

    def _Continue(self, node: ast.Continue) -> None:
        self._close(self.loops[-1])
        self.emit("continue;")

    def _Break(self, node: ast.Break) -> None:
        loop = self.loops[-1]
        assert self.env is not None
        loop.breaks.append(self.env)
        if loop.exit is not None:
            self.convert_to(loop.exit)
        if loop.unbroken is not None:
            self.emit(f"{loop.unbroken} = false;")
        self.emit("break;")
        self.env = None

    def _For(self, node: ast.For) -> None:
        items = self.unrolled_items(node.iter)
        if items is not None:
            self.unroll(node, items)
            return
        iterated = self.iterable(node.iter)
        if iterated == ():
            self.statements(node.orelse)
            return
        if iterated is None:
            self.fail(
                "a kernel can loop over range(...), enumerate, zip, a tuple or an array of one axis",
                node.iter,
                _errors.UnsupportedError,
            )
        count, step, stop, kind, item = iterated
        unrolled = self._unrolled(node.iter)
        known = count.known and step.known and stop.known
        runs = known and len(range(count.const, stop.const, step.const)) > 0
        counter = self.fresh()

        def walk(loop: Loop, head: dict[str, Variable]) -> None:
            self.env = dict(head)
            loop.exit_after_test = dict(self.env)
            loop.runs = runs
            with self.block() as lines:
                self.assign(node.target, item(counter))
                self.statements(node.body)
                self._close(loop)
            if step.known:
                test = f"{counter} {'<' if step.const > 0 else '>'} {stop.code}"
            else:
                test = f"({step.code} >= 0 ? {counter} < {stop.code} : {counter} > {stop.code})"
            leaving = self._leaving(loop)
            if leaving:
                lines[:0] = [f"if (!({test})) {{", *leaving, "}"]
                test = ""
            if unrolled is not None:
                self.emit(unrolled)
            self.emit_block(
                f"for ({kind.c} {counter} = {count.code}; {test}; {counter} += {step.code})", lines
            )

        self._loop(node, walk)

    def _unrolled(self, node: ast.expr) -> str | None:
        """Return the directive that `range(..., unroll=...)` asks for."""
        hints = [k.value for k in node.keywords if k.arg == "unroll"] if isinstance(node, ast.Call) else []
        if not hints:
            return None
        hint = self.expression(hints[0])
        if self.is_none(hint):
            return None
        if isinstance(hint.const, bool):
            return "#pragma unroll" if hint.const else "#pragma unroll(1)"
        count = self.constant_integer(hint, hints[0], "the number of unrolled turns")
        if count < 0:
            self.fail("the number of unrolled turns must not be negative", hints[0], _errors.KernelValueError)
        return f"#pragma unroll({count})"

    def range_of(self, node: ast.Call, arguments: list[Value]) -> tuple[Value, Value, Value, Scalar]:
        """Return start, step and stop of a `range`, and the type of its counter."""
        if not 1 <= len(arguments) <= 3:
            self.fail(f"range takes 1 to 3 arguments, not {len(arguments)}", node)
        for argument, where in zip(arguments, node.args, strict=True):
            if not isinstance(argument.type, Scalar) or argument.type.kind not in "iub":
                self.fail(f"range takes integers, not {argument.type}; use int(...)", where)
        one, zero = self.number(1), self.number(0)
        start = arguments[0] if len(arguments) > 1 else zero
        stop = arguments[1] if len(arguments) > 1 else arguments[0]
        step = arguments[2] if len(arguments) > 2 else one
        if step.known and step.const == 0:
            self.fail("the step of range must not be 0", node, _errors.KernelValueError)
        assert (
            isinstance(start.type, Scalar) and isinstance(stop.type, Scalar) and isinstance(step.type, Scalar)
        )
        kind = self.rules.loop(start.type, stop.type, step.type)
        start, stop, step = (self.held(self.converted(value, kind, node)) for value in (start, stop, step))
        if not step.known:
            self.check(f"{step.code} != 0", "the step of range is 0")
        return start, step, stop, kind

    def iterable(self, node: ast.expr) -> Any:
        """Return what a `for` loops over: the first count, the step, the end, the counter's type and the
        item by it.
        """
        from ._intrinsics import is_range

        if isinstance(node, ast.Call):
            function = self.expression(node.func)
            if function.known and is_range(function.const):
                for keyword in node.keywords:
                    if keyword.arg != "unroll":
                        self.fail(f"range has no argument {keyword.arg!r}", node)
                start, step, stop, kind = self.range_of(node, self.in_order(node.args))
                ascending = step.known and step.const > 0 and (start.natural or kind.kind == "u")
                bits = max(start.width, stop.width) if stop.natural else 0
                return (
                    start,
                    step,
                    stop,
                    kind,
                    lambda name: Value(kind, (name,), UNKNOWN, ascending, bits=bits),
                )
            if function.known and function.const in (enumerate, zip):
                return self._combined(node, function.const)
        value = self.held(self.expression(node))
        zero, one = self.number_of(0, INT64), self.number_of(1, INT64)
        if isinstance(value.type, Array) and value.type.ndim >= 1:
            is_text = isinstance(value.type, Text) and value.type.ndim == 1
            size = Value(INT64, (self.sizes(value)[0],), UNKNOWN, True)
            length = self.text_length(value) if is_text else self.held(size)
            return (
                zero,
                one,
                length,
                INT64,
                lambda name: self.element(value, [Value(INT64, (name,), UNKNOWN, True)], node),
            )
        if isinstance(value.type, Tuple) and value.type.items:
            value = self._of_one_type(value, node)
            assert isinstance(value.type, Tuple)
            length = self.number_of(len(value.type.items), INT64)
            return zero, one, length, INT64, lambda name: self.chosen(value, Value(INT64, (name,)), node)
        return () if value.type == Tuple(()) else None

    def _of_one_type(self, value: Value, node: ast.expr) -> Value:
        """Return a tuple whose items all have the type that they have in common."""
        assert isinstance(value.type, Tuple)
        kind: Type | None = value.type.items[0]
        for other in value.type.items[1:]:
            kind = None if kind is None else self.rules.unify(kind, other)
        if kind is None:
            self.fail("a loop over a tuple needs items of one type", node, _errors.UnsupportedError)
        return self.held(self.converted(value, Tuple((kind,) * len(value.type.items)), node))

    def _combined(self, node: ast.Call, function: Any) -> Any:
        """Return what `enumerate` and `zip` loop over."""
        first = self.number_of(0, INT64)
        sources = list(node.args)
        if function is enumerate:
            starts = [keyword.value for keyword in node.keywords if keyword.arg == "start"]
            starts += sources[1:]
            if starts:
                first = self.held(self.integer(self.expression(starts[0]), node, "the start of enumerate"))
            sources = sources[:1]
        loops = [self.iterable(source) for source in sources]
        if not loops or any(loop is None for loop in loops):
            return None
        if () in loops:
            return ()
        lengths = []
        self.module.need("slice")
        for start, step, stop, _, _ in loops:
            code = f"cu_slice_length((long long){start.code}, (long long){stop.code}, (long long){step.code})"
            lengths.append(self.temporary("long long", code))
        self.module.need("minmax")
        length = lengths[0]
        for other in lengths[1:]:
            length = self.temporary("long long", f"cu_min<long long>({length}, {other})")

        def item(name: str) -> Value:
            values = []
            if function is enumerate:
                values.append(Value(INT64, (f"({first.code} + {name})",), UNKNOWN, first.nonnegative))
            for start, step, _, kind, each in loops:
                moved = self.wrapping("*", step.code, name, kind)
                counter = self.temporary(kind.c, self.wrapping("+", start.code, moved, kind))
                values.append(each(counter))
            return self.tuple_of(values)

        zero, one = self.number_of(0, INT64), self.number_of(1, INT64)
        return zero, one, Value(INT64, (length,)), INT64, item

    # Returns

    def _Return(self, node: ast.Return) -> None:
        value = Value(NONE, (), None) if node.value is None else self.expression(node.value)
        self._return(value, node)

    def _return(self, value: Value, node: ast.AST) -> None:
        if self.kernel:
            if not self.is_none(value):
                self.fail(
                    "a kernel cannot return a value; write it into an array, or make this a device function",
                    node,
                )
            self.emit("return;")
            self.env = None
            return
        member = Member.of(value.type)
        if member is not None:
            value = self.converted(value, member, node)
        if isinstance(value.type, Static):
            self.fail(f"a device function cannot return {value.type}", node)
        line = self.line_of(node)
        if not self.returns_fixed:
            if self.result is None:
                self.result, self.result_line = value.type, line
            else:
                kind = self.rules.unify(self.result, value.type)
                if kind is None:
                    self.fail(
                        f"the function returns {self.result} (line {self.result_line}) and here "
                        f"{value.type}; return one type",
                        node,
                    )
                self.result = kind
        else:
            assert self.result is not None
            self.emit_return(self.converted(value, self.result, node))
        self.env = None

    def emit_return(self, value: Value) -> None:
        """Write the return of a device function."""
        parts = value.type.parts()
        if not parts:
            self.emit("return;")
        elif len(parts) == 1:
            self.emit(f"return {value.code};")
        else:
            name = self.fresh()
            self.emit(f"{self.module.structure(value.type)} {name};")
            for number, code in enumerate(value.parts):
                self.emit(f"{name}.f{number} = {code};")
            self.emit(f"return {name};")


def _keys(environment: dict[str, Variable]) -> dict[str, Any]:
    return {name: variable.key() for name, variable in environment.items()}


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    assert isinstance(target, ast.Attribute)
    return ast.Attribute(target.value, target.attr, ast.Load())

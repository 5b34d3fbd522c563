"""A kernel's source: its text, wherever it was typed, and its syntax tree.

`inspect` finds the text in files, and through `linecache` what notebooks and the REPL leave there.
"""

from __future__ import annotations

import ast
import collections
import copy
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NoReturn

from ._errors import SourceUnavailable, UnsupportedError, rendered

__all__ = ["Source"]


executed: collections.deque[str | ast.Module] = collections.deque(maxlen=512)
"""Texts and syntax trees that a program has given to `exec`, where somebody keeps them."""


class Source:
    """The source of a function.

    Attributes
    ----------
    filename : str
        The file, as messages and `#line` name it.
    tree : ast.FunctionDef or ast.Lambda
        The function's syntax tree.
    indent : int
        How far the text was indented: columns of the tree count from there.
    outer : Source or None
        The function that defines this one, where it stands in a kernel.
    captured : tuple of str
        The variables of the functions around it that it is given behind its arguments.
    """

    outer: Source | None = None
    captured: tuple[str, ...] = ()

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.filename = function.__code__.co_filename
        _remember_command(function.__code__)
        self._text: list[str] | None = None
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError) as error:
            self._text = _text_executed(function.__code__)
            if self._text is None:
                self._refuse(error)
            first = function.__code__.co_firstlineno
            lines = inspect.getblock(self._text[first - 1 :])
        self._first = max(first, 1)
        text = "".join(lines)
        plain = textwrap.dedent(text)
        self.indent = len(lines[0]) - len(plain.splitlines(keepends=True)[0]) if lines else 0
        self.tree = self._parsed(plain)

    def _refuse(self, error: Exception) -> NoReturn:
        raise SourceUnavailable(
            f"the source of {self.name!r} is not available ({error}); define the kernel in a file or a "
            "notebook cell: Python keeps no text of functions made by exec, or typed at its plain prompt"
        ) from None

    def inner(self, node: ast.FunctionDef | ast.Lambda) -> Source:
        """Return the source of a function that this one defines."""
        made = copy.copy(self)
        made.tree = node
        made.name = getattr(node, "name", "<lambda>")
        made.outer = self
        return made

    def is_within(self, other: Source) -> bool:
        """Whether this is the text of another function, or of one that stands in it."""
        found: Source | None = self
        while found is not None and found.tree is not other.tree:
            found = found.outer
        return found is not None

    def _parsed(self, text: str) -> ast.FunctionDef | ast.Lambda:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            tree = self._reparsed(text)
        # The text has the name that the function was defined by; a program may have given it another since.
        defined = self.function.__code__.co_name
        if defined != "<lambda>":
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and node.name == defined:
                    return node
                if isinstance(node, ast.AsyncFunctionDef) and node.name == defined:
                    raise UnsupportedError(rendered(self, node, "kernels cannot be async functions"))
        lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        for likeness in (_arguments_and_names, _everything):
            wanted = likeness(self.function.__code__)
            lambdas = [node for node in lambdas if likeness(self._code_of(node)) == wanted]
            if len({ast.dump(node) for node in lambdas}) == 1:
                return lambdas[0]
        raise SourceUnavailable(
            f"the source of {self.name!r} cannot be told from others on line {self._first} of "
            f"{self.filename}; "
            "write it as a function"
        )

    def _code_of(self, node: ast.Lambda) -> CodeType:
        """Return the code that a lambda of the text has."""
        module = compile(ast.Expression(node), self.filename, "eval")
        return next((const for const in module.co_consts if isinstance(const, CodeType)), module)

    def _reparsed(self, text: str) -> ast.Module:
        """A lambda within a longer statement may come with a part of it that is no statement by itself."""
        for opening in ("(", ""):
            candidate = opening + text.strip().rstrip(",")
            for _ in range(80):
                try:
                    tree = ast.parse(candidate + (")" if opening else ""))
                except SyntaxError:
                    candidate = candidate[:-1].rstrip()
                    if not candidate:
                        break
                    continue
                if any(isinstance(node, ast.Lambda) for node in ast.walk(tree)):
                    return tree
                break
        found = list(_lambdas(text))
        if found:
            return ast.Module([node for tree in found for node in tree.body], [])
        raise SourceUnavailable(f"the source of {self.name!r} cannot be parsed; write it as a function")

    def line_of(self, node: ast.AST) -> int:
        """Return the line in the file that a node stands on."""
        return int(getattr(node, "lineno", 1)) + self._first - 1

    def line(self, number: int) -> str:
        """Return a line of the file; empty where it cannot be read."""
        if self._text is not None:
            return self._text[number - 1].rstrip("\n") if 0 < number <= len(self._text) else ""
        return linecache.getline(self.filename, number, self.function.__globals__).rstrip("\n")


def _lambdas(text: str) -> Iterator[ast.Module]:
    """Parse each lambda of a text by itself, at its own place: the text may be a piece of a longer
    expression, such as an item of a dict.
    """
    for found in re.finditer(r"\blambda\b", text):
        before, _, column = text[: found.start()].rpartition("\n")
        lines = before.count("\n") + 1 if found.start() and "\n" in text[: found.start()] else 0
        # A bracket at the start keeps the place: what follows may be indented.
        blank = "(" + ("\n" * lines + " " * len(column) if lines else " " * (len(column) - 1))
        candidate = text[found.start() :].rstrip()
        while candidate:
            try:
                yield ast.parse(f"{blank}{candidate})")
                break
            except SyntaxError:
                candidate = candidate[:-1].rstrip()


def _text_executed(code: CodeType) -> list[str] | None:
    """Return the lines of the text among `executed` that a function stands in; None where it is none."""
    for text in reversed(executed):
        if isinstance(text, ast.Module):
            node = _defined(text, code)
            if node is not None and _holds(text, code):
                return ["\n"] * (code.co_firstlineno - 1) + ast.unparse(node).splitlines(keepends=True)
        elif code.co_name in text and _holds(text, code):
            return text.splitlines(keepends=True)
    return None


def _defined(tree: ast.Module, code: CodeType) -> ast.FunctionDef | None:
    """Return the definition in a tree that has the name and the place of a code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


def _holds(text: str | ast.Module, code: CodeType) -> bool:
    """Whether a text, or a tree, defines a function of this code."""
    try:
        # What the text took from the future is part of its functions' flags.
        flags = code.co_flags & 0x1FF0000
        waiting: list[Any] = [compile(text, code.co_filename, "exec", flags, dont_inherit=True)]
    except (SyntaxError, ValueError):
        return False
    while waiting:
        candidate = waiting.pop()
        if candidate == code:
            return True
        waiting += [const for const in candidate.co_consts if isinstance(const, CodeType)]
    return False


def _remember_command(code: CodeType) -> None:
    """Leave the text of `python -c` where `inspect` looks for it, if the function stands there."""
    if code.co_filename != "<string>" or "<string>" in linecache.cache or "-c" not in sys.orig_argv:
        return
    text = sys.orig_argv[sys.orig_argv.index("-c") + 1]
    if _holds(text, code):
        linecache.cache["<string>"] = (len(text), None, text.splitlines(keepends=True), "<string>")


def _arguments_and_names(code: CodeType) -> Any:
    # What is a global in the text by itself may be of a closure where it stands.
    return code.co_varnames, code.co_consts, {*code.co_names, *code.co_freevars}


def _everything(code: CodeType) -> Any:
    return _arguments_and_names(code), code.co_code

"""A kernel's source: its text, wherever it was typed, and its syntax tree.

`inspect` finds the text in files, and through `linecache` what notebooks and the REPL leave there.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any

from ._errors import SourceUnavailable, UnsupportedError, rendered

__all__ = ["Source"]


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
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.filename = function.__code__.co_filename
        _remember_command(function.__code__)
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError) as error:
            raise SourceUnavailable(
                f"the source of {self.name!r} is not available ({error}); define the kernel in a file or a "
                "notebook "
                "cell: Python keeps no text of functions made by exec, or typed at its plain prompt"
            ) from None
        self._first = max(first, 1)
        text = "".join(lines)
        plain = textwrap.dedent(text)
        self.indent = len(lines[0]) - len(plain.splitlines(keepends=True)[0]) if lines else 0
        self.tree = self._parsed(plain)

    def _parsed(self, text: str) -> ast.FunctionDef | ast.Lambda:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            tree = self._reparsed(text)
        if self.name != "<lambda>":
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and node.name == self.name:
                    return node
                if isinstance(node, ast.AsyncFunctionDef) and node.name == self.name:
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
                    return ast.parse(candidate + (")" if opening else ""))
                except SyntaxError:
                    candidate = candidate[:-1].rstrip()
                    if not candidate:
                        break
        raise SourceUnavailable(f"the source of {self.name!r} cannot be parsed; write it as a function")

    def line_of(self, node: ast.AST) -> int:
        """Return the line in the file that a node stands on."""
        return int(getattr(node, "lineno", 1)) + self._first - 1

    def line(self, number: int) -> str:
        """Return a line of the file; empty where it cannot be read."""
        return linecache.getline(self.filename, number, self.function.__globals__).rstrip("\n")


def _remember_command(code: CodeType) -> None:
    """Leave the text of `python -c` where `inspect` looks for it, if the function stands there."""
    if code.co_filename != "<string>" or "<string>" in linecache.cache or "-c" not in sys.orig_argv:
        return
    text = sys.orig_argv[sys.orig_argv.index("-c") + 1]
    try:
        waiting: list[Any] = [compile(text, "<string>", "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return
    while waiting:
        candidate = waiting.pop()
        if candidate == code:
            linecache.cache["<string>"] = (len(text), None, text.splitlines(keepends=True), "<string>")
            return
        waiting += [const for const in candidate.co_consts if isinstance(const, CodeType)]


def _arguments_and_names(code: CodeType) -> Any:
    # What is a global in the text by itself may be of a closure where it stands.
    return code.co_varnames, code.co_consts, {*code.co_names, *code.co_freevars}


def _everything(code: CodeType) -> Any:
    return _arguments_and_names(code), code.co_code

"""Which names a function binds and which it only reads, by Python's rules of scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["bound_names", "free_names"]

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def bound_names(tree: ast.AST) -> set[str]:
    """Return the names that a function binds itself: parameters, targets, and the functions it defines."""
    names = set()
    for node in _own(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
    return names


def free_names(tree: ast.AST) -> set[str]:
    """Return the names that a function, or one that it defines, reads without binding them."""
    read = set()
    for node in _own(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.add(node.id)
        elif isinstance(node, _INNER):
            read |= free_names(node)
    return read - bound_names(tree)


def _own(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a function's own nodes. Of functions that it defines only what is evaluated around them is its
    own: decorators and default values.
    """
    waiting: list[ast.AST] = [*_arguments(tree, own=True), *_body(tree)]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _INNER):
            waiting += _arguments(node, own=False)
        else:
            waiting += ast.iter_child_nodes(node)


def _body(tree: ast.AST) -> list[ast.AST]:
    body = getattr(tree, "body", [])
    return list(body) if isinstance(body, list) else [body]


def _arguments(tree: ast.AST, own: bool) -> list[ast.AST]:
    """Return the parameters of a function (`own`), or what is evaluated where it is defined."""
    arguments = getattr(tree, "args", None)
    if not isinstance(arguments, ast.arguments):
        return []
    if own:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        # Their annotations are read where the function is defined.
        return [ast.arg(one.arg) for one in every]
    defaults: list[ast.AST] = [*arguments.defaults]
    defaults += [one for one in arguments.kw_defaults if one is not None]
    return defaults + list(getattr(tree, "decorator_list", []))

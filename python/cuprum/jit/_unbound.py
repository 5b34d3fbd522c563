"""Variables of a function that no way to a place has bound, and where a statement reads one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

__all__ = ["NeverBound", "is_read_always"]


class NeverBound(Exception):
    """A variable of the function that no way to this place has bound."""

    def __init__(self, node: ast.Name) -> None:
        super().__init__()
        self.node = node


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes that are evaluated whenever this one is; of a statement its own expressions."""
    yield node
    if isinstance(node, ast.IfExp):
        children: Iterable[ast.AST] = [node.test]
    elif isinstance(node, ast.BoolOp):
        children = node.values[:1]
    elif isinstance(node, ast.Compare):
        children = [node.left, node.comparators[0]]
    elif isinstance(node, ast.Lambda | ast.comprehension | ast.ListComp | ast.GeneratorExp):
        children = []
    else:
        children = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
    for child in children:
        yield from _evaluated(child)


def _place(node: ast.AST) -> tuple[str, int, int] | None:
    """Return a name and where it stands; an assignment such as `+=` reads the target by a node of its own."""
    return (node.id, node.lineno, node.col_offset) if isinstance(node, ast.Name) else None


def is_read_always(name: ast.Name, statement: ast.stmt) -> bool:
    """Whether a thread that comes to a statement reads this variable in it, whichever way it takes."""
    return _place(name) in {_place(inner) for inner in _evaluated(statement)}

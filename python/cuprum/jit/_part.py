"""What the parts of `FunctionText` know of the whole: the state that they share."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NoReturn

    from ._module import ModuleText
    from ._rules import Rules
    from ._source import Source

__all__ = ["Part"]


class Part:
    """A base of each part, with the attributes that `FunctionText` sets."""

    module: ModuleText
    source: Source
    rules: Rules
    kernel: bool
    out: list[str]
    env: Any
    result: Any
    here: ast.AST
    array_hint: str
    walking: int

    if TYPE_CHECKING:

        def fail(
            self, message: str, node: ast.AST | None = None, kind: type[Exception] = ...
        ) -> NoReturn: ...

        def __getattr__(self, name: str) -> Any:
            """Methods of the other parts."""

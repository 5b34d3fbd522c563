"""What is wrong with a Python kernel, shown with its line and a caret.

The classes stand under Python's own (`NameError`, `TypeError`, ...) and under `KernelError`; Numba's names
of errors are theirs too.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._source import Source

__all__ = [
    "ForbiddenConstruct",
    "KernelError",
    "KernelIndexError",
    "KernelNameError",
    "KernelTypeError",
    "KernelValueError",
    "LoweringError",
    "NumbaWarning",
    "SourceUnavailable",
    "TypingError",
    "UnsupportedError",
]


class KernelError(Exception):
    """A Python kernel that cannot be compiled: the text names file, line and column, and shows the line."""


class TypingError(KernelError, TypeError):
    """A kernel whose types do not fit together."""


class KernelTypeError(TypingError):
    """Values of the wrong type in a kernel."""


class KernelNameError(TypingError, NameError):
    """A name that a kernel has not bound."""


class KernelIndexError(TypingError, IndexError):
    """An index that does not fit the array."""


class KernelValueError(TypingError, ValueError):
    """A value that a function of kernels does not take."""


class KernelAttributeError(TypingError, AttributeError):
    """An attribute that a value of a kernel does not have."""


class UnsupportedError(KernelError, NotImplementedError):
    """Python that kernels do not have."""


class ForbiddenConstruct(UnsupportedError):
    """A statement that kernels do not have."""


class LoweringError(KernelError):
    """A kernel that cannot be written in CUDA C."""


class SourceUnavailable(KernelError, OSError):
    """A function whose source text cannot be found."""


class NumbaWarning(Warning):
    """The class of Numba's warnings."""


def rendered(source: Source, node: ast.AST, message: str) -> str:
    """Return the message as users see it: place, text, source line, caret."""
    line = source.line_of(node)
    column = getattr(node, "col_offset", 0) + source.indent
    text = source.line(line)
    head = f"{source.filename}:{line}:{column + 1}: error: {message}"
    if not text:
        return head
    # Offsets of the parser count bytes of UTF-8.
    before = text.encode()[:column].decode(errors="replace")
    blank = "".join("\t" if character == "\t" else " " for character in before)
    length = 1
    end = getattr(node, "end_col_offset", None)
    if end is not None and getattr(node, "end_lineno", None) == getattr(node, "lineno", None):
        length = max(1, min(end + source.indent, len(text.encode())) - column)
    return f"{head}\n{text}\n{blank}{'^' * length}"


def with_lines(error: RuntimeError, files: Iterable[str]) -> RuntimeError:
    """Add the source lines that a message of a running kernel speaks of.

    Its columns are those of the CUDA C: they are taken away.
    """
    if not error.args or not isinstance(error.args[0], str):
        return error
    text = error.args[0]
    lines = []
    for file in files:
        place = re.compile(re.escape(file) + r":(\d+):\d+")
        for number in dict.fromkeys(place.findall(text)):
            line = linecache.getline(file, int(number)).rstrip()
            if line:
                lines.append(f"{file}:{number}: {line.strip()}")
        text = place.sub(lambda found, file=file: f"{file}:{found[1]}", text)  # type: ignore[misc]
    error.args = ("\n".join([text, *lines]), *error.args[1:])
    return error

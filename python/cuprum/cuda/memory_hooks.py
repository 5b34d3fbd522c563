"""Memory hooks that are ready: one prints what happens, one adds up memory by the lines of the program."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any, TextIO

from .memory_hook import MemoryHook

__all__ = ["DebugPrintHook", "LineProfileHook"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class DebugPrintHook(MemoryHook):
    """A hook that prints a line of JSON for each piece of memory that is got, handed out and given back.

    Parameters
    ----------
    file : file, optional
        Where to print; standard output by default.
    flush : bool, optional
        Whether each line is written at once.

    Examples
    --------
    >>> import io
    >>> text = io.StringIO()
    >>> with cp.cuda.memory_hooks.DebugPrintHook(file=text):
    ...     a = cp.ones(1000) * 2
    >>> '"hook":"malloc"' in text.getvalue()
    True
    """

    name = "DebugPrintHook"

    def __init__(self, file: TextIO | None = None, flush: bool = True) -> None:
        self.file, self.flush = file, flush

    def _print(self, hook: str, facts: dict[str, Any]) -> None:
        if "pmem_id" in facts:
            facts["pmem_id"] = hex(facts["pmem_id"])
        line = json.dumps({"hook": hook, **facts}, separators=(",", ":"))
        print(line, file=self.file or sys.stdout, flush=self.flush)

    def alloc_postprocess(self, **kwargs: Any) -> None:
        """Print what a pool got."""
        self._print("alloc", kwargs)

    def malloc_postprocess(self, **kwargs: Any) -> None:
        """Print what was handed out."""
        self._print("malloc", kwargs)

    def free_postprocess(self, **kwargs: Any) -> None:
        """Print what was given back."""
        self._print("free", kwargs)


class _Line:
    """A line of the program, the bytes that it used and got from the system, and the lines that it called."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.used = self.acquired = 0
        self.called: dict[str, _Line] = {}


class LineProfileHook(MemoryHook):
    """A hook that adds up memory by the lines of the program that used it, and by those that called them.

    Work is deferred: memory counts for the line that makes it run, such as the one that looks at a value.

    Parameters
    ----------
    max_depth : int, optional
        How many lines of a call are kept, the innermost ones; 0 for all.

    Examples
    --------
    >>> hook = cp.cuda.memory_hooks.LineProfileHook()
    >>> with hook:
    ...     a = cp.ones(1000) * 2
    >>> hook.print_report()  # doctest: +ELLIPSIS
    _root (...)
    ...
    """

    name = "LineProfileHook"

    def __init__(self, max_depth: int = 0) -> None:
        if max_depth < 0:
            raise ValueError(f"LineProfileHook: max_depth must not be negative, got {max_depth}")
        self._depth = max_depth
        self._root = _Line("_root")

    def malloc_postprocess(self, **kwargs: Any) -> None:
        """Count what was handed out."""
        for line in self._lines():
            line.used += kwargs["mem_size"]

    def alloc_postprocess(self, **kwargs: Any) -> None:
        """Count what a pool got from the system or the driver."""
        for line in self._lines():
            line.acquired += kwargs["mem_size"]

    def _lines(self) -> list[_Line]:
        """Return the lines that are being run, outermost first, beginning with the root."""
        frames = [
            frame
            for frame in traceback.StackSummary.extract(traceback.walk_stack(None), lookup_lines=False)
            if not frame.filename.startswith(_PACKAGE)
        ]
        found = [self._root]
        for frame in reversed(frames[: self._depth or None]):
            place = f"{os.path.basename(frame.filename)}:{frame.name}:{frame.lineno}"
            found.append(found[-1].called.setdefault(place, _Line(place)))
        return found

    def print_report(self, file: TextIO | None = None) -> None:
        """Print the lines as a tree, each with the bytes it used and those got from the system for it."""
        self._print(self._root, 0, file or sys.stdout)

    def _print(self, line: _Line, depth: int, file: TextIO) -> None:
        print(f"{'  ' * depth}{line.place} ({_bytes(line.used)}, {_bytes(line.acquired)})", file=file)
        for called in line.called.values():
            self._print(called, depth + 1, file)


def _bytes(count: float) -> str:
    """Return a number of bytes in the largest unit that it reaches."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024 or unit == "GB":
            break
        count /= 1024
    return f"{count:.2f}{unit}"

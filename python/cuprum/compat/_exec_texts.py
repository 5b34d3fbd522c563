"""The texts that a program gives to `exec`: kernels among them are compiled from their source, which Python
forgets.

Programs that write kernels as text or as syntax trees, or functions that kernels call, run under Numba, which
reads bytecode. While the compatibility layer is installed an audit hook sees each code that `exec` runs, and
keeps the variables of its caller that may be its text or its tree: the compiler takes one only if it gives
the very same code.
"""

from __future__ import annotations

import ast
import copy
import sys
from typing import Any

__all__ = ["forget", "keep"]

_keeps = False
_hooked = False


def _candidates() -> list[Any]:
    """Return what may be the text: the variables of the caller, or the program of ``python -c``."""
    try:
        return list(sys._getframe(2).f_locals.values())
    except ValueError:
        return sys.orig_argv


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if not _keeps or event != "exec":
        return
    # Code of a file, and of Python's own modules, has its text there.
    name = getattr(args[0], "co_filename", "")
    if not name.startswith("<") or name.startswith("<frozen"):
        return
    from ..jit._source import executed

    for value in _candidates():
        if isinstance(value, str) and "def " in value and value not in executed:
            executed.append(value)
        elif isinstance(value, ast.Module):
            # The program may go on to change it.
            executed.append(copy.deepcopy(value))


def keep() -> None:
    """Keep the texts from now on."""
    global _keeps, _hooked
    _keeps = True
    if not _hooked:
        # Python has no way to remove a hook: it rests while nothing is kept.
        _hooked = True
        sys.addaudithook(_audit)


def forget() -> None:
    """Keep no texts any more."""
    global _keeps
    _keeps = False

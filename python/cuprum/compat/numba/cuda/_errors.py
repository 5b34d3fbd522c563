"""Errors of kernels that the classes of the real Numba catch too, where it is installed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from cuprum.jit._errors import KernelError, LoweringError, TypingError, UnsupportedError

__all__ = ["raised_as_numbas"]

_classes: dict[Any, type[KernelError]] = {}


def _class_of_both(kind: type[KernelError], numbas: type[Exception]) -> type[KernelError]:
    """Return a class under ours and under one of the real Numba's."""
    if (kind, numbas) not in _classes:
        members = {"__module__": kind.__module__, "__str__": Exception.__str__}
        _classes[kind, numbas] = type(kind.__name__, (kind, numbas), members)
    return _classes[kind, numbas]


def _as_numbas(error: KernelError) -> KernelError:
    """Return an error that the real Numba's classes catch too, where Numba is installed and imported."""
    errors = sys.modules.get("numba.core.errors")
    if errors is None or getattr(errors, "TypingError", TypingError) is TypingError:
        return error
    names = {TypingError: "TypingError", UnsupportedError: "UnsupportedError", LoweringError: "LoweringError"}
    name = next((name for kind, name in names.items() if isinstance(error, kind)), "NumbaError")
    kind = _class_of_both(type(error), getattr(errors, name))
    made = kind.__new__(kind)
    made.args = error.args
    return made


@contextlib.contextmanager
def raised_as_numbas() -> Iterator[None]:
    """Raise errors of kernels so that the real Numba's classes catch them."""
    try:
        yield
    except KernelError as error:
        raise _as_numbas(error) from None

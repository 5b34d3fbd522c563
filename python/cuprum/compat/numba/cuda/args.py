"""`In`, `Out` and `InOut` under the name of Numba's module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._arguments import In, InOut, Out

__all__ = ["ArgHint", "In", "InOut", "Out", "wrap_arg"]

ArgHint = InOut


def wrap_arg(value: Any, default: Callable[[Any], InOut] = InOut) -> InOut:
    """Return an argument with the way that it travels: `default` where none was said."""
    return value if isinstance(value, InOut) else default(value)

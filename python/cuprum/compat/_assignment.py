"""Arrays of one element assigned to one element, while other libraries' names are installed.

``a[0] = b`` with `b` of shape ``(1,)`` is an error in NumPy since 2.4, and so in Cuprum; CuPy takes it.
"""

from __future__ import annotations

from typing import Any

from .. import ndarray

__all__ = ["allow", "withdraw"]

_NAME = "__setitem__"
_own = getattr(ndarray, _NAME)


def _assign(array: ndarray, key: Any, value: Any) -> None:
    try:
        _own(array, key, value)
    except ValueError:
        if not isinstance(value, ndarray) or value.size != 1 or value.ndim == 0:
            raise
        _own(array, key, value.reshape(()))


def allow() -> None:
    """Take such values."""
    setattr(ndarray, _NAME, _assign)


def withdraw() -> None:
    """Refuse them again."""
    setattr(ndarray, _NAME, _own)

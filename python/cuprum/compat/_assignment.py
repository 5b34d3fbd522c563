"""Writes that CuPy takes and NumPy refuses, while other libraries' names are installed.

``a[0] = b`` with `b` of shape ``(1,)`` is an error in NumPy since 2.4, and so in Cuprum; CuPy takes it.
``a.diagonal()`` can be read only in both; in CuPy it is a view like others.
"""

from __future__ import annotations

from typing import Any

from .. import ndarray

__all__ = ["allow", "withdraw"]

_own = {name: getattr(ndarray, name) for name in ("__setitem__", "diagonal")}


def _assign(array: ndarray, key: Any, value: Any) -> None:
    try:
        _own["__setitem__"](array, key, value)
    except ValueError:
        if not isinstance(value, ndarray) or value.size != 1 or value.ndim == 0:
            raise
        _own["__setitem__"](array, key, value.reshape(()))


def _diagonal(array: ndarray, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> ndarray:
    view: ndarray = _own["diagonal"](array, offset, axis1, axis2)
    if array.flags.writeable:
        view.flags.writeable = True
    return view


def allow() -> None:
    """Take such writes."""
    for name, method in (("__setitem__", _assign), ("diagonal", _diagonal)):
        setattr(ndarray, name, method)


def withdraw() -> None:
    """Refuse them again."""
    for name, method in _own.items():
        setattr(ndarray, name, method)

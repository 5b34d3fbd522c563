"""The plan of transforms that a thread has entered by `with`: arrays that it was not made for are refused."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["check_entered", "enter", "entered", "is_entered", "leave"]


class _Thread(threading.local):
    plans: tuple[Any, ...] = ()


_thread = _Thread()


def enter(plan: Any) -> None:
    """Make a plan the one that transforms of this thread are compared with."""
    _thread.plans = (*_thread.plans, plan)


def leave() -> None:
    """Make the plan before it that again."""
    _thread.plans = _thread.plans[:-1]


def entered() -> Any:
    """Return the plan that is entered, or None."""
    return _thread.plans[-1] if _thread.plans else None


def is_entered() -> bool:
    """Return whether a plan is entered."""
    return bool(_thread.plans)


def check_entered(op: str, a: Any) -> None:
    """Raise where an array is not what the entered plan was made for."""
    if _thread.plans:
        from .._convert import as_array

        _thread.plans[-1]._check(op, as_array(a))

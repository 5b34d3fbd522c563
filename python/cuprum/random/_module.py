"""The functions of the module: each is a method of one RandomState that the whole program shares."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .. import _core
from .._errors import renamed
from ._random_state import RandomState

_current: RandomState | None = None
_lock = _core.ForkSafeLock()


def get_random_state() -> RandomState:
    """Return the RandomState that the functions of the module draw from.

    Returns
    -------
    RandomState
        The state, made with the operating system's entropy when it is first needed.

    Examples
    --------
    >>> cp.random.get_random_state()
    RandomState(Philox)
    """
    global _current
    with _lock:
        if _current is None:
            _current = RandomState()
        return _current


def set_random_state(rs: RandomState) -> None:
    """Make the functions of the module draw from a RandomState.

    Parameters
    ----------
    rs : RandomState
        The state.

    Examples
    --------
    >>> cp.random.set_random_state(cp.random.RandomState(12345))
    >>> cp.random.random()
    array(0.90163096)
    """
    global _current
    if not isinstance(rs, RandomState):
        raise TypeError(f"set_random_state: random state must be a RandomState, got {type(rs).__name__}")
    with _lock:
        _current = rs


def reset_states() -> None:
    """Forget the RandomState of the module: the next function that needs one makes it anew.

    Examples
    --------
    >>> before = cp.random.get_random_state()
    >>> cp.random.reset_states()
    >>> cp.random.get_random_state() is before
    False
    """
    global _current
    with _lock:
        _current = None


def of_current(name: str) -> Callable[..., Any]:
    """Return the function that calls a method of the current RandomState, with its signature and text."""
    method = getattr(RandomState, name)

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(_current or get_random_state(), name)(*args, **kwargs)
        except Exception as error:
            raise renamed(name, error) from error.__cause__

    signature = inspect.signature(method)
    parameters = list(signature.parameters.values())[1:]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = method.__doc__
    function.__module__ = "cuprum.random"
    return function

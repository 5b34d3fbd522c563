"""A fork waits until no other thread is loading one of Cuprum's modules.

Most modules are loaded when a name is first used, in whatever thread that is. A child of a fork has no other
threads: a module that one of them was loading would stay locked in it for ever.
"""

from __future__ import annotations

import _frozen_importlib as _bootstrap
import importlib
import os
import threading
import time
from types import ModuleType

__all__: list[str] = []

_PATIENCE = 60.0
"""Seconds after which the fork goes ahead: a module may wait for what never comes."""

_PAUSE = 0.001

_loading: dict[int, int] = {}
"""How many modules each thread is loading by `load`, one for the sake of another."""

_forking: list[int] = []
"""The threads that are about to fork."""


def load(name: str) -> ModuleType:
    """Load a module, once no other thread is about to fork."""
    own = threading.get_ident()
    depth = _loading.get(own, 0)
    _loading[own] = depth + 1
    try:
        # The fork waits for a thread that is loading another module already: that one must go on.
        while _forking and own not in _forking and not depth and not _is_loading(own):
            del _loading[own]
            time.sleep(_PAUSE)
            _loading[own] = 1
        return importlib.import_module(name)
    finally:
        if depth:
            _loading[own] = depth
        else:
            _loading.pop(own, None)


def _owners() -> set[int]:
    """Return the threads that hold the import system's lock of one of the modules."""
    locks = list(getattr(_bootstrap, "_module_locks", {}).items())
    ours = [lock() for name, lock in locks if isinstance(name, str) and name.partition(".")[0] == "cuprum"]
    owners = {getattr(lock, "owner", None) for lock in ours}
    return {owner for owner in owners if owner is not None}


def _is_loading(thread: int) -> bool:
    return thread in _owners()


def _wait() -> None:
    own = threading.get_ident()
    _forking.append(own)
    ends = time.monotonic() + _PATIENCE
    while ({*_loading, *_owners()} - {own}) and time.monotonic() < ends:
        time.sleep(_PAUSE)


def _go_on() -> None:
    # Another thread may be about to fork as well.
    _forking.remove(threading.get_ident())


def _begin_anew() -> None:
    _forking.clear()
    own = threading.get_ident()
    for other in [thread for thread in _loading if thread != own]:
        del _loading[other]


# Hooks are called in the reverse order of registration: this one before the engine's, which holds up calls
# that the modules may need.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait, after_in_parent=_go_on, after_in_child=_begin_anew)

"""How many bytes Dask counts for an array. It asks at the end of each task: pending work runs then."""

from __future__ import annotations

import importlib
import sys
import threading
from typing import Any

from .._core import ndarray, wait

__all__ = ["naming_task", "nbytes", "register", "settle", "take_failure"]

_thread = threading.local()


def settle(value: Any) -> None:
    """Do the work that is pending on the arrays of a result, also in lists, tuples and dicts."""
    if isinstance(value, ndarray):
        _wait(value)
    elif isinstance(value, (list, tuple)):
        for one in value:
            settle(one)
    elif isinstance(value, dict):
        for one in value.values():
            settle(one)


def nbytes(a: ndarray) -> int:
    """Return the bytes of an array whose work has been done.

    A worker asks for the size of a task's result in the thread that ran the task. Work that is still pending
    there would keep its operands alive, which Dask counts as gone, and would run later in the thread that
    sends the result. Dask makes a guess where this raises: the error is kept for the task.
    """
    try:
        _wait(a)
    except Exception as error:
        _thread.failure = error
        raise
    return int(a.nbytes)


def take_failure() -> Exception | None:
    """Return the error of the last array of this thread whose work failed, once."""
    error: Exception | None = _thread.__dict__.pop("failure", None)
    return error


def _wait(a: ndarray) -> None:
    try:
        wait(a)
    except MemoryError as error:
        worker, key = _task()
        if worker is None:
            raise
        importlib.import_module("cuprum.dask._worker").make_room(worker)
        try:
            wait(a)
        except MemoryError:
            raise naming_task(error, key) from None


def _task() -> tuple[Any, Any]:
    """Return the worker and the key of the task that this thread runs; None outside of one."""
    module = sys.modules.get("distributed.worker")
    state = getattr(module, "thread_state", None)
    execution = getattr(state, "execution_state", None)
    return (None, None) if execution is None else (execution["worker"], getattr(state, "key", None))


def naming_task(error: MemoryError, key: Any) -> MemoryError:
    """Return an error of the pool that begins with the task's key."""
    made: MemoryError = error._named(f"task {key!r}") if hasattr(error, "_named") else error
    return made


def register() -> None:
    """Tell `dask.sizeof`."""
    importlib.import_module("dask.sizeof").sizeof.register(ndarray, nbytes)

"""A worker's process: threads, GPU and memory as Dask has given them; work done before a task ends."""

from __future__ import annotations

import contextlib
import functools
import glob
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import cuprum

from ._sizes import naming_task, settle, take_failure

__all__ = ["dask_setup", "dask_teardown", "register"]

_NAME = "cuprum"


def dask_setup(worker: Any) -> None:
    """Set a worker up: called by Dask where `cuprum.dask` is a preload, else when a worker imports Cuprum.

    - Cuprum computes with as many threads as the worker has, unless `CUPRUM_THREADS` says otherwise: workers
      side by side do not take each other's cores.
    - Where there are several GPUs, the worker of the name 0 takes the first, 1 the second and so on, unless
      `CUDA_VISIBLE_DEVICES` is set.
    - Arrays may take no more than the worker's memory limit: a task that needs more raises
      `OutOfMemoryError`, where the process would be killed. Memory that the pool keeps for reuse goes back to
      the system when the worker's memory runs short.
    - Work that a task has recorded is done when the task ends, and its errors are the task's.

    What belongs to the process (threads, GPU, limit) is set where it has one worker.

    Parameters
    ----------
    worker : distributed.Worker
        The worker.

    Examples
    --------
    >>> cp.dask.dask_setup(None)  # anything but a worker, such as a scheduler, is left as it is
    """
    if not hasattr(worker, "executors") or _NAME in getattr(worker, "_cuprum", ()):
        return
    worker._cuprum = {_NAME}
    if _is_alone(worker):
        _take_threads(worker.state.nthreads)
        _take_gpu(worker.name)
        _limit_memory(worker)
    _finish_tasks(worker)


def dask_teardown(worker: Any) -> None:
    """Undo what `dask_setup` changed in a worker.

    Parameters
    ----------
    worker : distributed.Worker
        The worker.

    Examples
    --------
    >>> cp.dask.dask_teardown(None)
    """
    if not getattr(worker, "_cuprum", None):
        return
    worker._cuprum = set()
    callback = worker.periodic_callbacks.pop("cuprum-memory", None)
    if callback is not None:
        callback.stop()


class Extension:
    """What Dask makes for each new worker of a process that has imported Cuprum."""

    def __init__(self, worker: Any) -> None:
        dask_setup(worker)


def register() -> None:
    """Tell `distributed.worker`: the workers that are there, and those that will be."""
    module = importlib.import_module("distributed.worker")
    module.DEFAULT_EXTENSIONS.setdefault(_NAME, Extension)
    for worker in list(module.Worker._instances):
        dask_setup(worker)


def _is_alone(worker: Any) -> bool:
    """Whether the process belongs to this worker: one that a nanny or `dask worker` started."""
    module = sys.modules["distributed.worker"]
    others = [one for one in module.Worker._instances if one is not worker]
    scheduler = sys.modules.get("distributed.scheduler")
    return not others and not (scheduler and list(scheduler.Scheduler._instances))


def _take_threads(count: int) -> None:
    # Read when the first parallel work begins.
    os.environ.setdefault("CUPRUM_THREADS", str(max(int(count), 1)))


def _take_gpu(name: Any) -> None:
    """Put one of several GPUs first for this process, by the worker's number."""
    gpus = len(glob.glob("/dev/nvidia[0-9]*"))
    number = name if isinstance(name, int) else int(name) if str(name).isdigit() else None
    if gpus < 2 or number is None or "CUDA_VISIBLE_DEVICES" in os.environ or "CUPRUM_DEVICE" in os.environ:
        return
    first = number % gpus
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(str((first + at) % gpus) for at in range(gpus))


def _limit_memory(worker: Any) -> None:
    limit = worker.memory_manager.memory_limit
    if not limit or cuprum.cuda.is_available():
        return
    pool = cuprum.get_default_memory_pool()
    if not pool.get_limit():
        pool.set_limit(size=int(limit))
    target = (worker.memory_manager.memory_target_fraction or 0.6) * limit

    def give_back() -> None:
        if pool.free_bytes() and worker.monitor.get_process_memory() > target:
            pool.free_all_blocks()

    callbacks = importlib.import_module("tornado.ioloop")
    callback = callbacks.PeriodicCallback(give_back, 200)
    worker.periodic_callbacks["cuprum-memory"] = callback
    if worker.status.name == "running":
        worker.loop.add_callback(callback.start)


def make_room(worker: Any) -> None:
    """Free what a worker can do without: results move to host or disk, free memory to the system."""
    data = worker.data
    with contextlib.suppress(Exception):  # the memory that was asked for may be had all the same
        while hasattr(data, "evict_device") and data.evict_device() >= 0:
            pass
        while hasattr(data, "evict") and data.fast and data.evict() >= 0:
            pass
    cuprum.get_default_memory_pool().free_all_blocks()


def _finish_tasks(worker: Any) -> None:
    """Let the threads that run tasks do the work that a task has left pending, and report its errors."""
    executor = worker.executors.get("default")
    plain = getattr(executor, "submit", None)
    if plain is None or "ThreadPoolExecutor" not in type(executor).__name__:
        return

    @functools.wraps(plain)
    def submit(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return plain(_finished, worker, function, args, kwargs)

    executor.submit = submit


def _finished(
    worker: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run what a worker runs in a thread; a result whose work fails makes the task one that failed.

    Where a task finds no memory its worker makes room. Work that was recorded is then tried again; so is a
    task that was given no arrays, which cannot have changed any.
    """
    take_failure()
    message = function(*args, **kwargs)
    failed_for_memory = _out_of_memory(message)
    if failed_for_memory is not None:
        again = _takes_no_arrays(worker, _key(failed_for_memory))
        take_failure()
        if again:
            # The frames of the error hold what the task had made.
            failed_for_memory.with_traceback(None)
            message = failed_for_memory = None
        make_room(worker)
        if again:
            message = function(*args, **kwargs)
    if not isinstance(message, dict):
        return message
    error: Any = take_failure()
    if message.get("op") == "task-erred":
        error = _out_of_memory(message)
        if error is None:
            return message
        error = naming_task(error, _key(error))
    elif error is None and message.get("op") == "task-finished":
        try:
            settle(message["result"])
        except Exception as late:
            error = late
    if error is None:
        return message
    failed = dict(importlib.import_module("distributed.core").error_message(error))
    # The frames of the error hold the result, which is not to outlive the task.
    failed.update(op="task-erred", actual_exception=error.with_traceback(None))
    message.pop("result", None)
    failed.update({name: message[name] for name in ("start", "stop", "thread") if name in message})
    return failed


def _takes_no_arrays(worker: Any, key: Any) -> bool:
    """Return whether a task depends on no other task, and has no array among its arguments."""
    task = worker.state.tasks.get(key)
    return task is not None and not task.dependencies and not _has_arrays(task.run_spec)


def _has_arrays(node: Any) -> bool:
    if isinstance(node, (list, tuple, set, frozenset)):
        return any(map(_has_arrays, node))
    if isinstance(node, dict):
        return any(map(_has_arrays, node.values()))
    if isinstance(node, importlib.import_module("dask._task_spec").GraphNode):
        return any(_has_arrays(getattr(node, name, None)) for name in ("args", "kwargs", "value"))
    return hasattr(node, "__array__") or hasattr(node, "__cuda_array_interface__")


def _out_of_memory(message: Any) -> Any:
    """Return the error of a task that found no memory; None of any other outcome."""
    if not isinstance(message, dict) or message.get("op") != "task-erred":
        return None
    error = message["actual_exception"]
    return error if isinstance(error, cuprum.cuda.OutOfMemoryError) else None


def _key(error: BaseException) -> Any:
    """Return the key of the task that raised an error."""
    trace = error.__traceback__
    while trace is not None:
        key = getattr(trace.tb_frame.f_locals.get("task"), "key", None)
        if key is not None:
            return key
        trace = trace.tb_next
    return None

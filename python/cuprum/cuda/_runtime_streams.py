"""The runtime's streams and events by their handles. Waiting and recording run what is pending."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from ._status import (
    CUDARuntimeError,
    errorInvalidResourceHandle,
    errorNotReady,
    streamDefault,
    streamNonBlocking,
)

__all__ = [
    "eventCreate",
    "eventCreateWithFlags",
    "eventDestroy",
    "eventElapsedTime",
    "eventQuery",
    "eventRecord",
    "eventSynchronize",
    "launchHostFunc",
    "streamAddCallback",
    "streamCreate",
    "streamCreateWithFlags",
    "streamCreateWithPriority",
    "streamDestroy",
    "streamGetFlags",
    "streamGetPriority",
    "streamIsCapturing",
    "streamQuery",
    "streamSynchronize",
    "streamWaitEvent",
]

_kept: dict[int, Any] = {}


def streamCreate() -> int:
    """Return the handle of a new stream, to be let go of with `streamDestroy`.

    Examples
    --------
    >>> cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreate())
    """
    return streamCreateWithFlags(streamDefault)


def streamCreateWithFlags(flags: int) -> int:
    """Return the handle of a new stream.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.streamDestroy(runtime.streamCreateWithFlags(runtime.streamNonBlocking))
    """
    from .stream import Stream

    return _keep(Stream(non_blocking=flags == streamNonBlocking))


def streamCreateWithPriority(flags: int, priority: int) -> int:
    """Return the handle of a new stream; lower numbers go first, without effect on the CPU.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> stream = runtime.streamCreateWithPriority(runtime.streamNonBlocking, 0)
    >>> runtime.streamGetPriority(stream)
    0
    >>> runtime.streamDestroy(stream)
    """
    from .stream import Stream

    return _keep(Stream(non_blocking=flags == streamNonBlocking, priority=int(priority)))


def streamGetPriority(stream: int) -> int:
    """Return the priority of a stream.

    Examples
    --------
    >>> cp.cuda.runtime.streamGetPriority(0)
    0
    """
    return int(stream_of(stream).priority)


def streamDestroy(stream: int) -> None:
    """Let go of a stream; what is pending runs.

    Examples
    --------
    >>> cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreate())
    """
    _core.run_pending()
    _let_go(stream)


def streamSynchronize(stream: int) -> None:
    """Run what is pending, and wait until it is done.

    Examples
    --------
    >>> cp.cuda.runtime.streamSynchronize(0)
    """
    stream_of(stream).synchronize()


def streamQuery(stream: int) -> int:
    """Return 0 for done, else 600; asking runs what is pending.

    Examples
    --------
    >>> cp.cuda.runtime.streamSynchronize(0)
    >>> cp.cuda.runtime.streamQuery(0)
    0
    """
    return 0 if stream_of(stream).done else errorNotReady


def streamWaitEvent(stream: int, event: int, flags: int = 0) -> None:
    """Let later work wait for an event: on the CPU, what was recorded before an event has run already.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.streamWaitEvent(0, event.ptr)
    """
    stream_of(stream).wait_event(_event(event))


def eventCreate() -> int:
    """Return the handle of a new event, to be let go of with `eventDestroy`.

    Examples
    --------
    >>> cp.cuda.runtime.eventDestroy(cp.cuda.runtime.eventCreate())
    """
    from .stream import Event

    return _keep(Event())


def eventDestroy(event: int) -> None:
    """Let go of an event.

    Examples
    --------
    >>> cp.cuda.runtime.eventDestroy(cp.cuda.runtime.eventCreate())
    """
    _let_go(event)


def eventRecord(event: int, stream: int) -> None:
    """Run what is pending, then record an event.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventRecord(event.ptr, 0)
    """
    _event(event).record(stream_of(stream))


def eventSynchronize(event: int) -> None:
    """Wait until an event is reached.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventSynchronize(event.ptr)
    """
    _event(event).synchronize()


def eventQuery(event: int) -> int:
    """Return 0 for done, else 600.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventQuery(event.ptr)
    0
    """
    return 0 if _event(event).done else errorNotReady


def eventElapsedTime(start: int, end: int) -> float:
    """Return the milliseconds between two recorded events.

    Examples
    --------
    >>> start, end = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> end.record()
    >>> cp.cuda.runtime.eventElapsedTime(start.ptr, end.ptr) >= 0
    True
    """
    from .stream import get_elapsed_time

    return get_elapsed_time(_event(start), _event(end))


def stream_of(handle: int) -> Any:
    """Return the stream of a handle: ours, or one that somebody else made."""
    from .stream import ExternalStream, _streams

    return _streams.get(int(handle)) or ExternalStream(int(handle))


def _event(handle: int) -> Any:
    from .stream import _events

    event = _events.get(int(handle))
    if event is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)
    return event


def _keep(made: Any) -> int:
    _kept[made.ptr] = made
    return int(made.ptr)


def _let_go(handle: int) -> None:
    if _kept.pop(int(handle), None) is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)


def eventCreateWithFlags(flags: int) -> int:
    """Return the handle of a new event, with CUDA's flags.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.eventDestroy(runtime.eventCreateWithFlags(runtime.eventDisableTiming))
    """
    from .stream import Event

    block, disable_timing, interprocess = (bool(flags & bit) for bit in (1, 2, 4))
    return _keep(Event(block, disable_timing, interprocess))


def streamGetFlags(stream: int) -> int:
    """Return the flags that a stream was made with.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> stream = cp.cuda.Stream(non_blocking=True)
    >>> runtime.streamGetFlags(stream.ptr) == runtime.streamNonBlocking
    True
    """
    from .stream import _streams

    known = _streams.get(int(stream))
    return streamNonBlocking if known is not None and known.is_non_blocking else streamDefault


def streamIsCapturing(stream: int) -> bool:
    """Return whether a graph is being captured.

    Examples
    --------
    >>> cp.cuda.runtime.streamIsCapturing(0)
    False
    """
    return bool(stream_of(stream).is_capturing())


def launchHostFunc(stream: int, callback: Callable[[Any], Any], arg: Any) -> None:
    """Call `callback(arg)` after a stream's work so far.

    Examples
    --------
    >>> seen = []
    >>> cp.cuda.runtime.launchHostFunc(0, seen.append, 5)
    >>> cp.cuda.runtime.deviceSynchronize()
    >>> seen
    [5]
    """
    stream_of(stream).launch_host_func(callback, arg)


def streamAddCallback(
    stream: int, callback: Callable[[int, int, Any], Any], arg: Any, flags: int = 0
) -> None:
    """Call `callback(stream, status, arg)` after a stream's work so far.

    Examples
    --------
    >>> seen = []
    >>> cp.cuda.runtime.streamAddCallback(0, lambda *words: seen.append(words), "x")
    >>> cp.cuda.runtime.deviceSynchronize()
    >>> seen
    [(0, 0, 'x')]
    """
    stream_of(stream).launch_host_func(lambda given: callback(stream, 0, given), arg)

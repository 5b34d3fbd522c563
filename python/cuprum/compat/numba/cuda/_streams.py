"""Streams and events under Numba's names."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import cuda

__all__ = [
    "Event",
    "Stream",
    "default_stream",
    "event",
    "event_elapsed_time",
    "external_stream",
    "legacy_default_stream",
    "per_thread_default_stream",
    "stream",
]


class Handle(int):
    """The address by which the driver knows a stream."""

    @property
    def value(self) -> int:
        """The address as a number."""
        return int(self)


class ExternalStream(cuda.ExternalStream):
    """A stream that was made elsewhere."""

    external = True

    @property
    def handle(self) -> Handle:
        """The driver's handle."""
        return Handle(self.ptr)


class Stream(cuda.Stream):
    """A sequence of work."""

    external = False

    @property
    def handle(self) -> Handle:
        """The driver's handle."""
        return Handle(self.ptr)

    @contextlib.contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Wait for the stream's work when the block is left."""
        yield self
        self.synchronize()

    def async_done(self) -> asyncio.Future[Stream]:
        """Return a future, of the running event loop, that is done when the work so far is."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Stream] = loop.create_future()

        def resolve(error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(self)
            else:
                future.set_exception(error)

        def callback(stream: Any, status: int, arg: Any) -> None:
            error = (
                None if status == 0 else RuntimeError(f"the work of the stream failed with status {status}")
            )
            loop.call_soon_threadsafe(resolve, error)

        self.add_callback(callback)
        return future

    def add_callback(self, callback: Callable[[Any, int, Any], Any], arg: Any = None) -> None:
        """Call `callback(stream, status, arg)` after the work so far."""
        super().add_callback(callback, arg)

    def __bool__(self) -> bool:
        return bool(self.ptr)

    def __int__(self) -> int:
        return int(self.ptr)


def stream() -> Stream:
    """Make a stream."""
    return Stream(non_blocking=True)


def default_stream() -> Stream:
    """Return the default stream."""
    return Stream(null=True)


def legacy_default_stream() -> Stream:
    """Return the default stream that all threads share."""
    return Stream(null=True)


def per_thread_default_stream() -> Stream:
    """Return the thread's own default stream."""
    return Stream(ptds=True)


def external_stream(ptr: int) -> Any:
    """Return a stream that was made elsewhere."""
    return ExternalStream(ptr)


def _stream(value: Any) -> Any:
    return None if value is None or (isinstance(value, int) and value == 0) else value


class Event:
    """A point in a stream's work that can be waited for and timed."""

    def __init__(self, timing: bool = True) -> None:
        self._event = cuda.Event(disable_timing=not timing)

    def record(self, stream: Any = 0) -> None:
        """Mark the work so far."""
        self._event.record(_stream(stream))

    def synchronize(self) -> None:
        """Wait until the marked work is done."""
        self._event.synchronize()

    def wait(self, stream: Any = 0) -> None:
        """Let a stream's later work wait for the marked work."""
        target = _stream(stream) or cuda.get_current_stream()
        target.wait_event(self._event)

    def query(self) -> bool:
        """Return whether the marked work is done."""
        return bool(self._event.done)

    def elapsed_time(self, evtend: Event) -> float:
        """Return the milliseconds to a later event."""
        return float(cuda.get_elapsed_time(self._event, evtend._event))


def event(timing: bool = True) -> Event:
    """Make an event."""
    return Event(timing)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Return the milliseconds between two events."""
    return evtstart.elapsed_time(evtend)

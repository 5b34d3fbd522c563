"""PyCUDA's streams and events over Cuprum's."""

from __future__ import annotations

from typing import Any

from cuprum import cuda

from ._errors import translated
from ._flags import event_flags

__all__ = ["Event", "Stream", "start_profiler", "stop_profiler"]


class Stream:
    """A sequence of work on the device."""

    def __init__(self, flags: int = 0) -> None:
        self._stream = cuda.Stream(non_blocking=bool(flags & 1))

    def synchronize(self) -> Stream:
        """Wait until the stream's work is done."""
        with translated("cuStreamSynchronize"):
            self._stream.synchronize()
        return self

    def is_done(self) -> bool:
        """Return whether the stream's work is done."""
        return self._stream.done

    def wait_for_event(self, event: Event) -> None:
        """Let the work that follows wait for an event."""
        self._stream.wait_event(event._event)

    @property
    def handle(self) -> int:
        """The driver's number of the stream."""
        return self._stream.ptr


class Event:
    """A mark between pieces of work, with its time."""

    def __init__(self, flags: int = 0) -> None:
        self._event = cuda.Event(
            block=bool(flags & event_flags.BLOCKING_SYNC),
            disable_timing=bool(flags & event_flags.DISABLE_TIMING),
        )

    def record(self, stream: Stream | None = None) -> Event:
        """Note the point that a stream has come to."""
        with translated("cuEventRecord"):
            self._event.record(cuda_stream(stream))
        return self

    def synchronize(self) -> Event:
        """Wait until the event is reached."""
        with translated("cuEventSynchronize"):
            self._event.synchronize()
        return self

    def query(self) -> bool:
        """Return whether the event is reached."""
        return self._event.done

    def time_since(self, event: Event) -> float:
        """Return the milliseconds from another event to this one."""
        with translated("cuEventElapsedTime"):
            return cuda.get_elapsed_time(event._event, self._event)

    def time_till(self, event: Event) -> float:
        """Return the milliseconds from this event to another one."""
        return event.time_since(self)


def cuda_stream(stream: Stream | Any | None) -> Any:
    """Return Cuprum's stream for PyCUDA's; the null stream for None."""
    if stream is None:
        return cuda.Stream.null
    return stream._stream if isinstance(stream, Stream) else stream


def start_profiler() -> None:
    """Switch a profiler that is attached on."""
    cuda.profiler.start()


def stop_profiler() -> None:
    """Switch it off."""
    cuda.profiler.stop()

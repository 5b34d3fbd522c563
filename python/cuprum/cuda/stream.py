"""Streams and events. Leaving or awaiting a stream and recording an event run what is pending.

On a GPU they are the driver's; the CPU has one order of work: every stream is in step with the others.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

from .. import _core
from . import runtime
from .graph import Graph

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time"]

_handles = itertools.count(0x1000, 16)
_streams: weakref.WeakValueDictionary[int, _StreamBase] = weakref.WeakValueDictionary()
_events: weakref.WeakValueDictionary[int, Event] = weakref.WeakValueDictionary()
_thread = threading.local()


class _StreamBase:
    """What all streams do."""

    ptr: int
    _device_id: int | None = None
    _made: Any = None
    """The GPU's stream; None on the CPU, and for the default streams of every GPU."""

    @property
    def device_id(self) -> int:
        """The number of the device that the stream is on: for a default stream, of the current one."""
        return self._place

    @property
    def _place(self) -> int:
        """The device on which work in the stream runs."""
        return runtime.getDevice() if self._device_id is None else self._device_id

    def _on_gpu(self) -> Any:
        """Return the GPU's stream, None on the CPU."""
        if self._made is not None:
            return self._made
        return None if _core.current_gpu() is None else _core.GpuStream.external(self._place, self.ptr)

    def use(self) -> _StreamBase:
        """Make this the current stream of this thread; work recorded under the one before runs.

        Examples
        --------
        >>> before = cp.cuda.get_current_stream()
        >>> stream = cp.cuda.Stream().use()
        >>> stream == cp.cuda.get_current_stream()
        True
        >>> stream = before.use()
        """
        _core.run_pending()
        self._set(self._place)
        return self

    def _set(self, device_id: int) -> None:
        if self._on_gpu() is not None:
            _core.set_current_stream(device_id, self.ptr)
        _thread.__dict__.setdefault("current", {})[device_id] = self

    def synchronize(self) -> None:
        """Run what is pending, and wait until it is done.

        Examples
        --------
        >>> cp.cuda.Stream().synchronize()
        """
        _core.check_waits()
        _core.run_pending()
        made = self._on_gpu()
        if made is not None:
            made.synchronize()

    @property
    def done(self) -> bool:
        """Whether all work is done; asking runs what is pending."""
        _core.run_pending()
        made = self._on_gpu()
        return True if made is None else bool(made.is_done())

    def record(self, event: Event | None = None) -> Event:
        """Run what is pending, then record an event: a new one where none is given.

        Examples
        --------
        >>> event = cp.cuda.Stream().record()
        >>> event.synchronize()
        >>> event.done
        True
        """
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Let later work wait for an event: on the CPU, what was recorded before an event has run already.

        Examples
        --------
        >>> first, second = cp.cuda.Stream(), cp.cuda.Stream()
        >>> second.wait_event(first.record())
        """
        if not isinstance(event, Event):
            raise TypeError(f"wait_event: expected an Event, got {type(event).__name__}")
        made = self._on_gpu()
        if made is not None and event._made is not None:
            _core.run_pending()
            made.wait(event._made)

    def add_callback(self, callback: Callable[[Any, int, Any], Any], arg: Any) -> None:
        """Call `callback(stream, status, arg)` after the work so far: on the CPU, at once.

        Examples
        --------
        >>> stream, seen = cp.cuda.Stream(), []
        >>> stream.add_callback(lambda stream, status, word: seen.append(word), "done")
        >>> stream.synchronize()
        >>> seen
        ['done']
        """
        self.launch_host_func(lambda given: callback(self, 0, given), arg)

    def launch_host_func(self, callback: Callable[[Any], Any], arg: Any) -> None:
        """Call `callback(arg)` after the work so far: on the CPU, at once.

        Examples
        --------
        >>> stream, seen = cp.cuda.Stream(), []
        >>> stream.launch_host_func(seen.append, "done")
        >>> stream.synchronize()
        >>> seen
        ['done']
        """
        _core.run_pending()
        if self._on_gpu() is None:
            callback(arg)
        else:
            _core.gpu_call_after(self._place, self.ptr, lambda: callback(arg))

    def begin_capture(self, mode: int | None = None) -> None:
        """Record the work that follows into a graph instead of running it, until `end_capture`.

        The CPU records no graphs. On a GPU the stream must be the current one, and not a default one. Arrays
        that recorded work reads must live as long as the graph; what it brings from the host (NumPy arrays,
        numbers) the graph keeps, as it was. What must be known at once, such as the number of elements that a
        mask selects, cannot be recorded. Mode 0 forbids the driver's unsafe calls to all other threads; 1 and
        2, the default, do not. This thread may go on asking for memory in every mode.

        Examples
        --------
        >>> a, b = cp.arange(3.0), cp.zeros(3)
        >>> if cp.cuda.is_available():  # the CPU records no graphs
        ...     with cp.cuda.Stream(non_blocking=True) as stream:
        ...         stream.begin_capture()
        ...         b[...] = a * 2
        ...         graph = stream.end_capture()
        """
        made = self._on_gpu()
        if made is None:
            raise RuntimeError(
                "begin_capture: the CPU records no graphs: run the work itself, or record it only "
                "if cp.cuda.is_available()"
            )
        _core.run_pending()
        made.begin_capture(2 if mode is None else mode)

    def end_capture(self) -> Graph:
        """Return what was recorded since `begin_capture`, as a graph that can be launched.

        Examples
        --------
        >>> a, b = cp.arange(3.0), cp.zeros(3)
        >>> if cp.cuda.is_available():  # the CPU records no graphs
        ...     with cp.cuda.Stream(non_blocking=True) as stream:
        ...         stream.begin_capture()
        ...         b[...] = a * 2
        ...         graph = stream.end_capture()
        ...     graph.launch()
        """
        made = self._on_gpu()
        if made is None:
            raise RuntimeError("end_capture: the CPU records no graphs")
        try:
            _core.run_pending()
        except BaseException:
            # The recording ends in any case; the first error is the one to see.
            with contextlib.suppress(RuntimeError):
                made.end_capture()
            raise
        return Graph._over(made.end_capture(), self)

    def is_capturing(self) -> bool:
        """Whether a graph is being captured.

        Examples
        --------
        >>> cp.cuda.Stream(non_blocking=True).is_capturing()
        False
        """
        made = self._on_gpu()
        return False if made is None else bool(made.is_capturing())

    @property
    def is_non_blocking(self) -> bool:
        """Whether the stream was made not to wait for the null stream."""
        return bool(getattr(self, "_non_blocking", False))

    @property
    def priority(self) -> int:
        """The priority of the stream: lower numbers go first."""
        made = self._on_gpu()
        return int(getattr(self, "_priority", 0)) if made is None else int(made.priority())

    def __enter__(self) -> _StreamBase:
        stack = _thread.__dict__.setdefault("stack", [])
        device_id = self._place
        before = get_current_stream(device_id)
        self.use()
        stack.append((before, device_id))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        before, device_id = _thread.stack.pop()
        try:
            # Where the body failed, its error is what the program should see.
            if kind is None:
                _core.run_pending()
        finally:
            before._set(device_id)

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of this protocol and the handle, for other libraries that take streams."""
        return 0, self.ptr

    def __eq__(self, other: object) -> bool:
        return self.ptr == other.ptr if isinstance(other, _StreamBase) else NotImplemented

    def __hash__(self) -> int:
        return hash(("stream", self.ptr))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr:#x} (device {self._place})>"


class Stream(_StreamBase):
    """A sequence of work, as a context manager: what is recorded inside runs when it is left.

    Parameters
    ----------
    null : bool, optional
        Whether to give the null stream, the one that is current unless another is used.
    non_blocking : bool, optional
        Whether the stream does not wait for the null stream: without effect on the CPU.
    ptds : bool, optional
        Whether to give the thread's own default stream: another one in every thread that uses it.
    priority : int, optional
        Lower numbers go first: without effect on the CPU.

    Examples
    --------
    >>> stream = cp.cuda.Stream(non_blocking=True)
    >>> with stream:
    ...     a = cp.arange(100_000) * 2
    >>> stream.synchronize()
    >>> stream.done
    True
    """

    null: ClassVar[Stream]
    ptds: ClassVar[Stream]

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: int | None = None,
    ) -> None:
        if null and ptds:
            raise ValueError("Stream: null and ptds cannot both be given")
        self._non_blocking = non_blocking
        self._priority = priority or 0
        if null or ptds:
            self.ptr = 0 if null else 2
            return
        gpu = _core.current_gpu()
        if gpu is None:
            self.ptr = next(_handles)
        else:
            self._made = _core.GpuStream(gpu, non_blocking, self._priority)
            self.ptr = self._made.handle
        self._device_id = gpu or 0
        _streams[self.ptr] = self

    @staticmethod
    def from_external(foreign: Any) -> ExternalStream:
        """Return the stream of another library, by its handle or by its `__cuda_stream__`.

        Examples
        --------
        >>> stream = cp.cuda.Stream(non_blocking=True)
        >>> cp.cuda.Stream.from_external(stream).ptr == stream.ptr
        True
        """
        protocol = getattr(foreign, "__cuda_stream__", None)
        if protocol is None:
            try:
                handle = operator.index(foreign)
            except TypeError:
                kind = type(foreign).__name__
                raise TypeError(
                    f"from_external: {kind} is no handle and does not implement __cuda_stream__"
                ) from None
            return ExternalStream(handle)
        answer = protocol()
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise TypeError(f"from_external: __cuda_stream__ must return a 2-tuple, got {answer!r}")
        if not all(isinstance(number, int) for number in answer):
            raise TypeError(f"from_external: __cuda_stream__ must return (int, int), got {answer!r}")
        version, handle = answer
        if version != 0:
            raise TypeError(f"from_external: unsupported version {version} of __cuda_stream__: 0 is known")
        made = ExternalStream(handle)
        # Whoever owns the stream lives as long as this does.
        made._foreign_stream_ref = foreign
        return made


class ExternalStream(_StreamBase):
    """A stream that another library made, known by its handle.

    Parameters
    ----------
    ptr : int
        The handle.
    device_id : int, optional
        The device; -1, the default, where it is not known: work runs on the current one.

    Examples
    --------
    >>> stream = cp.cuda.ExternalStream(0)
    >>> stream == cp.cuda.Stream.null
    True
    """

    _foreign_stream_ref: Any = None

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        self.ptr = int(ptr)
        self._device_id = None if device_id < 0 else device_id

    @property
    def device_id(self) -> int:
        """The number of the device; -1 where it is not known."""
        return -1 if self._device_id is None else self._device_id


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)


def get_current_stream(device_id: int = -1) -> Any:
    """Return the stream that is current in this thread.

    Parameters
    ----------
    device_id : int, optional
        The device; the current one by default.

    Returns
    -------
    Stream

    Examples
    --------
    >>> cp.cuda.get_current_stream() == cp.cuda.Stream.null
    True
    """
    if device_id >= 0:
        runtime.check_device(device_id)
    device = runtime.getDevice() if device_id < 0 else device_id
    return getattr(_thread, "current", {}).get(device, Stream.null)


class Event:
    """A mark between pieces of work, and the time when it was reached.

    Recording an event runs what is pending: the time between two events is that of the work between.

    Parameters
    ----------
    block : bool, optional
        Whether waiting sleeps: without effect on the CPU.
    disable_timing : bool, optional
        Whether the event keeps no time.
    interprocess : bool, optional
        Whether other processes may open it (`runtime.ipcGetEventHandle`), which needs `disable_timing`:
        without effect on the CPU.

    Examples
    --------
    >>> start, end = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> total = cp.arange(100_000.0).sum()
    >>> end.record()
    >>> end.synchronize()
    >>> cp.cuda.get_elapsed_time(start, end) > 0
    True
    """

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        if interprocess and not disable_timing:
            raise ValueError("Event: an event for other processes keeps no time: give disable_timing=True")
        gpu = _core.current_gpu()
        self._made = None if gpu is None else _core.GpuEvent(gpu, not disable_timing, block, interprocess)
        self.ptr = next(_handles) if self._made is None else self._made.handle
        self._timed = not disable_timing
        self._nanoseconds: int | None = None
        _events[self.ptr] = self

    @classmethod
    def _over(cls, made: Any) -> Event:
        """Return the event of another process."""
        event = cls.__new__(cls)
        event._made, event.ptr = made, made.handle
        event._timed, event._nanoseconds = False, None
        _events[event.ptr] = event
        return event

    def record(self, stream: Any = None) -> None:
        """Run what is pending, then note the point that a stream has come to, by default the current one."""
        _core.run_pending()
        if self._made is not None:
            self._made.record((get_current_stream() if stream is None else stream).ptr)
        self._nanoseconds = time.perf_counter_ns()

    def synchronize(self) -> None:
        """Wait until the event is reached: on the CPU it is when it has been recorded."""
        _core.check_waits()
        if self._made is not None:
            self._made.synchronize()

    @property
    def done(self) -> bool:
        """Whether the event is reached."""
        return True if self._made is None else bool(self._made.is_done())

    def query(self) -> bool:
        """Return whether the event is reached.

        Examples
        --------
        >>> event = cp.cuda.Event()
        >>> event.record()
        >>> event.synchronize()
        >>> event.query()
        True
        """
        return self.done

    def __repr__(self) -> str:
        state = "not recorded" if self._nanoseconds is None else "recorded"
        return f"<Event {self.ptr:#x} ({state})>"


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Return the milliseconds between two recorded events.

    Parameters
    ----------
    start_event, end_event : Event
        Events that keep time, recorded in this order.

    Returns
    -------
    float

    Raises
    ------
    CUDARuntimeError
        Where an event keeps no time or was not recorded.

    Examples
    --------
    >>> start, end = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> end.record()
    >>> cp.cuda.get_elapsed_time(start, end) >= 0
    True
    """
    start, end = start_event._nanoseconds, end_event._nanoseconds
    timed = start_event._timed and end_event._timed
    if start is None or end is None or not timed:
        raise runtime.CUDARuntimeError(runtime.errorInvalidResourceHandle)
    if start_event._made is not None and end_event._made is not None:
        end_event.synchronize()
        return float(start_event._made.elapsed(end_event._made))
    return (end - start) / 1e6

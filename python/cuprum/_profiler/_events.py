"""What the core reports: events with their times, sizes and the lines of the program that they come from."""

from __future__ import annotations

import gc
import linecache
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

__all__ = ["Cost", "Event", "Line", "costs_by_line", "device_times", "read", "self_times"]

WORK = ("program", "small", "call", "kernel")
"""The kinds of events that compute."""


class Line(NamedTuple):
    """A line of the user's program."""

    file: str
    number: int
    function: str

    @property
    def place(self) -> str:
        """The file's name and the line's number."""
        return f"{os.path.basename(self.file)}:{self.number}"

    @property
    def text(self) -> str:
        """The source text of the line, empty where it cannot be read."""
        return linecache.getline(self.file, self.number).strip()


class Event(NamedTuple):
    """Something that happened while a profile was open; times are in nanoseconds.

    Of small work, a sample is reported: `weight` says how many alike an event stands for.
    """

    kind: str
    name: str
    start: int
    duration: int
    thread: int
    device: str | None
    line: Line | None
    lines: tuple[Line, ...]
    elements: int
    bytes: int
    address: int
    fingerprint: int
    strided: bool
    widened: bool
    page_locked: bool
    device_end: int | None
    weight: int

    @property
    def end(self) -> int:
        """When it ended."""
        return self.start + self.duration

    @property
    def sources(self) -> tuple[Line, ...]:
        """The lines that it was recorded in, or the one that it happened in."""
        if self.lines:
            return self.lines
        return () if self.line is None else (self.line,)


@contextmanager
def _without_collections() -> Iterator[None]:
    """Keep the collector from looking through many new tuples again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_without_collections()
def read(log: Any, table: Sequence[tuple[str, int, str]], origin: int) -> list[Event]:
    """Return the events of the core's log as ours, timed from `origin`, in the order of their starts."""
    lines = [Line(*entry) for entry in table]

    def line(number: int) -> Line | None:
        return lines[number - 1] if 0 < number <= len(lines) else None

    events = []
    for entry in log.read():
        (
            kind,
            name,
            start,
            duration,
            thread,
            device,
            at,
            numbers,
            elements,
            size,
            address,
            sample,
            flags,
            ended,
            weight,
        ) = entry
        found = tuple(one for one in (line(number) for number in numbers) if one is not None)
        events.append(
            Event(
                kind,
                name,
                max(start - origin, 0),
                duration,
                thread,
                device,
                line(at),
                found,
                elements,
                size,
                address,
                sample,
                bool(flags & 1),
                bool(flags & 2),
                bool(flags & 4),
                None if ended is None else ended - origin,
                weight,
            )
        )
    events.sort(key=lambda event: (event.start, -event.duration))
    return events


def self_times(events: Sequence[Event]) -> list[int]:
    """Return the time of each event without that of events inside it, which the same thread spent in them."""
    own = [event.duration for event in events]
    open_events: dict[int, list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        stack = open_events[event.thread]
        while stack and events[stack[-1]].end <= event.start:
            stack.pop()
        if stack:
            # Of what one event stands for, each has taken as much.
            outer = events[stack[-1]]
            own[stack[-1]] -= event.duration * max(event.weight // outer.weight, 1)
        stack.append(at)
    return [max(time, 0) * event.weight for time, event in zip(own, events, strict=True)]


def device_times(events: Sequence[Event]) -> list[tuple[int, int] | None]:
    """Return when each event's work began and ended on its GPU; None for work that the host waited for.

    A GPU tells when work ended. It began when the work before it had ended, or when it was asked for.
    """
    times: list[tuple[int, int] | None] = [None] * len(events)
    ended = [at for at, event in enumerate(events) if event.device_end is not None]
    ended.sort(key=lambda at: events[at].device_end or 0)
    last: dict[str | None, int] = defaultdict(int)
    for at in ended:
        event = events[at]
        end = event.device_end or 0
        begin = min(max(last[event.device], event.start), end)
        times[at] = (begin, end)
        last[event.device] = max(last[event.device], end)
    return times


class Cost:
    """What one line of the program cost."""

    __slots__ = ("bytes", "count", "line", "names", "nanoseconds")

    def __init__(self, line: Line) -> None:
        self.line = line
        self.nanoseconds = 0.0
        self.count = 0
        self.bytes = 0
        self.names: dict[str, int] = {}


def costs_by_line(events: Sequence[Event]) -> list[Cost]:
    """Return what each line cost, the costliest first. Fused work counts for each of its lines alike."""
    costs: dict[tuple[str, int], Cost] = {}
    spent, on_device = self_times(events), device_times(events)
    for event, host, device in zip(events, spent, on_device, strict=True):
        if event.kind in ("allocate", "free"):
            continue
        time = host if device is None else max(host, device[1] - device[0])
        sources = event.sources
        for line in sources:
            # A line that has a function within it is one line.
            cost = costs.setdefault(line[:2], Cost(line))
            cost.nanoseconds += time / len(sources)
            cost.count += event.weight
            cost.bytes += event.bytes * event.weight
            label = event.kind if event.kind not in ("program", "small") else event.name
            cost.names[label] = cost.names.get(label, 0) + event.weight
    return sorted(costs.values(), key=lambda cost: -cost.nanoseconds)

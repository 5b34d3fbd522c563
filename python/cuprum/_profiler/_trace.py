"""A profile in the format of Chrome's traces, which Perfetto opens."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ._events import device_times
from ._table import KINDS

if TYPE_CHECKING:
    from ._profile import Profile

__all__ = ["write"]

_HOST = 1
_DEVICE = 2


def write(profile: Profile, path: str | os.PathLike[str]) -> None:
    """Write the events: threads of the host as one process, GPUs as another, memory as a counter."""
    records: list[dict[str, Any]] = [_name("process_name", _HOST, 0, "host")]
    threads = sorted({event.thread for event in profile.events})
    records += [_name("thread_name", _HOST, thread, f"thread {thread}") for thread in threads]
    ended = [event for event in profile.events if event.device_end is not None]
    devices = sorted({str(event.device) for event in ended})
    if devices:
        records.append(_name("process_name", _DEVICE, 0, "GPU"))
        records += [_name("thread_name", _DEVICE, at, device) for at, device in enumerate(devices)]
    for event, there in zip(profile.events, device_times(profile.events), strict=True):
        if event.kind in ("allocate", "free"):
            continue
        details = {
            "lines": [f"{line.file}:{line.number}" for line in event.sources],
            "elements": event.elements,
            "bytes": event.bytes,
            "stands for": event.weight,
        }
        record = {
            "ph": "X",
            "name": event.name,
            "cat": KINDS[event.kind],
            "pid": _HOST,
            "tid": event.thread,
            "ts": event.start / 1e3,
            "dur": event.duration / 1e3,
            "args": details,
        }
        records.append(record)
        if there is not None:
            begin, end = there
            lane = devices.index(str(event.device))
            records.append(
                {**record, "pid": _DEVICE, "tid": lane, "ts": begin / 1e3, "dur": (end - begin) / 1e3}
            )
    for seconds, used in profile.memory:
        records.append(
            {
                "ph": "C",
                "name": "memory",
                "pid": _HOST,
                "tid": 0,
                "ts": seconds * 1e6,
                "args": {"bytes": used},
            }
        )
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": records, "displayTimeUnit": "ms"}, file)


def _name(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}

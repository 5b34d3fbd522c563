"""`Profile`: a part of a program that is listened to, and what can be asked about it afterwards."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

import numpy as np

from .. import _core
from . import _events
from ._advice import Advice, advise
from ._events import Cost, Event

__all__ = ["Profile"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_open: Profile | None = None


class Profile:
    """What a program did while a `with` block was open: made by `cuprum.profile`.

    Attributes
    ----------
    events : list of Event
        All that was reported, in order.
    seconds : float
        How long the block took, with all work that was recorded in it.
    lost : int
        Events beyond the million that are kept.

    Examples
    --------
    >>> a = cp.ones(200_000)
    >>> with cp.profile() as p:
    ...     total = float(cp.sqrt(a * a + 3).sum())
    >>> [event.name for event in p.events if event.kind == "program"][-1]
    'multiply add sqrt sum'
    """

    def __init__(self) -> None:
        self._log: tuple[Any, list[tuple[str, int, str]]] | None = None
        self._events: list[Event] = []
        self.seconds = 0.0
        self.lost = 0
        self._others: tuple[str, ...] = ()
        self.device = "cpu"
        self.strict = False
        self._began = 0
        self._used_before = 0

    def __enter__(self) -> Profile:
        global _open
        if _open is not None:
            raise RuntimeError(
                "profile: another profile is open, and they cannot be nested; `cuprum run --profile` "
                "opens one for the whole program"
            )
        self._synchronize()
        self._used_before = int(_core.info()["pool_used_bytes"])
        self.device = str(_core.info()["device"])
        self.strict = _core.set_strict(False)
        _core.set_strict(self.strict)
        _open = self
        numpy_folder = os.path.dirname(np.__file__) + os.sep
        _core.listen_to_events([_PACKAGE + os.sep, numpy_folder, "<frozen ", *self._others])
        self._began = _core.event_clock()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        global _open
        try:
            if kind is None:
                self._synchronize()
        finally:
            ended = _core.event_clock()
            _open = None
            log, self.lost, table = _core.take_events()
            self._log = (log, table)
            self.seconds = (ended - self._began) / 1e9

    @staticmethod
    def _synchronize() -> None:
        _core.run_pending()
        gpu = _core.current_gpu()
        if gpu is not None:
            _core.gpu_synchronize(gpu)

    @property
    def events(self) -> list[Event]:
        """What happened, in the order of the starts. It is put together when it is first asked for."""
        if self._log is not None:
            log, table = self._log
            self._events = _events.read(log, table, self._began)
            self._log = None
        return self._events

    @property
    def lines(self) -> list[Cost]:
        """What each line of the program cost, the costliest first."""
        return _events.costs_by_line(self.events)

    @property
    def advice(self) -> list[Advice]:
        """What should be changed, the costliest first."""
        return advise(self.events, self.device != "cpu" or self.strict)

    @property
    def memory(self) -> list[tuple[float, int]]:
        """The bytes in use over time, as pairs of seconds and bytes; blocks of 128 KiB and more count."""
        used = self._used_before
        points = [(0.0, used)]
        for event in self.events:
            if event.kind in ("allocate", "free"):
                used += event.bytes if event.kind == "allocate" else -event.bytes
                points.append((event.start / 1e9, used))
        points.append((self.seconds, used))
        return points

    def count(self, kind: str) -> int:
        """Return how many events of a kind there were: 'program', 'call', 'kernel', 'wait' and so on.

        Examples
        --------
        >>> with cp.profile() as p:
        ...     b = cp.sort(cp.arange(100_000)[::-1])
        >>> p.count("call") >= 1
        True
        """
        return sum(event.weight for event in self.events if event.kind == kind)

    def totals(self) -> list[tuple[str, int, float, int]]:
        """Return for each kind of events its name, their number, their seconds and their bytes.

        Examples
        --------
        >>> with cp.profile() as p:
        ...     b = cp.asarray(np.ones(100))
        >>> [kind for kind, count, seconds, size in p.totals()]
        ['to_device']
        """
        rows: dict[str, list[float]] = {}
        for event, own in zip(self.events, _events.self_times(self.events), strict=True):
            if event.kind != "free":
                row = rows.setdefault(event.kind, [0, 0.0, 0])
                row[0] += event.weight
                row[1] += own / 1e9
                row[2] += event.bytes * event.weight
        order = ["program", "small", "call", "kernel", "to_device", "to_host", "wait", "compile", "allocate"]
        return [
            (kind, int(rows[kind][0]), rows[kind][1], int(rows[kind][2])) for kind in order if kind in rows
        ]

    def __str__(self) -> str:
        from . import _table

        return _table.text(self)

    def __repr__(self) -> str:
        return f"<profile of {self.seconds:.3f} s: {len(self.events)} events>"

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write one page for a browser: timeline, memory, costliest lines and advice.

        Parameters
        ----------
        path : path
            The file, which needs nothing beside it.

        Examples
        --------
        >>> import tempfile
        >>> with cp.profile() as p:
        ...     total = float(cp.arange(100_000).sum())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     p.report(f"{folder}/out.html")
        """
        from . import _page

        with open(path, "w", encoding="utf-8") as file:
            file.write(_page.page(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the events in the format of Chrome's traces, which Perfetto (ui.perfetto.dev) opens.

        Parameters
        ----------
        path : path
            The file, JSON.

        Examples
        --------
        >>> import tempfile
        >>> with cp.profile() as p:
        ...     total = float(cp.arange(100_000).sum())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     p.save(f"{folder}/trace.json")
        """
        from . import _trace

        _trace.write(self, path)

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"

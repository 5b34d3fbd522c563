"""What Cuprum runs on, and what it has fused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import _core

__all__ = ["fusion_log", "info", "show_runtime"]


def info() -> dict[str, Any]:
    """Return what Cuprum runs on: device, threads, instruction set, version, memory of the pool.

    Returns
    -------
    dict
        The facts by name.

    Examples
    --------
    >>> cp.info()["device"].partition(":")[0] in ("cpu", "cuda")
    True
    """
    return _core.info()


def show_runtime() -> None:
    """Print what Cuprum runs on: the facts that `info` returns.

    Examples
    --------
    >>> cp.show_runtime()  # doctest: +ELLIPSIS
    [{...
    """
    import pprint  # not at the top: it doubles the time of this module's import

    pprint.pprint([info()])


class FusionLog(Sequence[str]):
    """The programs that ran while the log was open, as text, in order."""

    def __init__(self) -> None:
        self._programs: list[str] = []

    def __len__(self) -> int:
        _collect()
        return len(self._programs)

    def __getitem__(self, index: Any) -> Any:
        _collect()
        return self._programs[index]

    def __repr__(self) -> str:
        return f"<fusion log of {len(self)} programs>"


_open_logs: list[FusionLog] = []
_lock = _core.ForkSafeLock()


def _collect() -> None:
    """Hand the programs that ran since the last time to every open log."""
    with _lock:
        if _open_logs:
            programs = _core.take_programs()
            for log in _open_logs:
                log._programs.extend(programs)


@contextmanager
def fusion_log() -> Iterator[FusionLog]:
    """Record the programs that run: which operations were fused into one pass.

    Yields
    ------
    sequence of str
        The text of each program that has run since the log was opened; it grows while the log is open.

    Examples
    --------
    >>> a = cp.ones(100_000)
    >>> with cp.fusion_log() as programs:
    ...     total = float(cp.sqrt(a * a + 3).sum())
    >>> total
    200000.0
    """
    log = FusionLog()
    _collect()
    with _lock:
        if not _open_logs:
            _core.log_programs(True)
            _core.take_programs()
        _open_logs.append(log)
    try:
        yield log
    finally:
        _collect()
        with _lock:
            _open_logs[:] = [one for one in _open_logs if one is not log]
            if not _open_logs:
                _core.log_programs(False)

"""Switching NVIDIA's profilers on and off. None is there without a GPU: the work just runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .. import _core
from . import runtime

__all__ = ["profile", "start", "stop"]


def start() -> None:
    """Begin the part of a program that a profiler should see; what is pending runs before it.

    Examples
    --------
    >>> cp.cuda.profiler.start()
    >>> cp.cuda.profiler.stop()
    """
    _core.run_pending()
    runtime.profilerStart()


def stop() -> None:
    """End the part of a program that a profiler should see; what is pending still belongs to it.

    Examples
    --------
    >>> cp.cuda.profiler.start()
    >>> cp.cuda.profiler.stop()
    """
    _core.run_pending()
    runtime.profilerStop()


@contextmanager
def profile() -> Iterator[None]:
    """Mark the part of a program that a profiler should see. Without a GPU the work just runs.

    Examples
    --------
    >>> with cp.cuda.profile():
    ...     a = cp.arange(10_000) * 2
    """
    start()
    try:
        yield
    finally:
        stop()

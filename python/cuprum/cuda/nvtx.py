"""Marks for NVIDIA's profilers. No profiler listens on a machine without a GPU: the marks go nowhere."""

from __future__ import annotations

import itertools

__all__ = ["Mark", "MarkC", "RangeEnd", "RangePop", "RangePush", "RangePushC", "RangeStart", "available"]

available = False
_ranges = itertools.count(1)


def Mark(message: str, id_color: int = -1) -> None:
    """Mark a moment: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.Mark("loaded")
    """


def MarkC(message: str, color: int = 0) -> None:
    """Mark a moment in a colour: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.MarkC("loaded", 0xFF00FF00)
    """


def RangePush(message: str, id_color: int = -1) -> None:
    """Begin a nested range: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePush("step")
    >>> cp.cuda.nvtx.RangePop()
    """


def RangePushC(message: str, color: int = 0) -> None:
    """Begin a nested range in a colour: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePushC("step", 0xFF0000FF)
    >>> cp.cuda.nvtx.RangePop()
    """


def RangePop() -> None:
    """End the innermost nested range: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePush("step")
    >>> cp.cuda.nvtx.RangePop()
    """


def RangeStart(message: str, color: int = 0) -> int:
    """Begin a range that may overlap others, and return its number: nobody listens without a GPU.

    Examples
    --------
    >>> number = cp.cuda.nvtx.RangeStart("transfer")
    >>> cp.cuda.nvtx.RangeEnd(number)
    """
    return next(_ranges)


def RangeEnd(range_id: int) -> None:
    """End a range by its number: nobody listens without a GPU.

    Examples
    --------
    >>> cp.cuda.nvtx.RangeEnd(cp.cuda.nvtx.RangeStart("transfer"))
    """

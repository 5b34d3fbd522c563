"""The length of a window, and whether it is symmetric or one period of a sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cuprum as cp

from ...._core import ndarray


def checked_length(op: str, M: Any) -> int:
    """Return the number of points, an integer that is not negative."""
    if int(M) != M or M < 0:
        raise ValueError(f"{op}: Window length M must be a non-negative integer, got {M!r}")
    return int(M)


def sized(op: str, M: Any, sym: bool, symmetric: Callable[[int], ndarray]) -> ndarray:
    """Return a window of `M` points, given the function that makes a symmetric one of at least two.

    A periodic window is a symmetric one of a point more, without its last point.
    """
    M = checked_length(op, M)
    if M <= 1:
        return cp.ones(M)
    return symmetric(M) if sym else symmetric(M + 1)[:-1].copy()

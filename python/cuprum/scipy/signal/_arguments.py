"""The arguments that convolutions share: which positions, and which operand is slid over which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..._convert import as_array
from ..._core import ndarray

MODES = ("full", "same", "valid")


def checked_mode(op: str, mode: Any) -> str:
    """Return a mode that says which positions are wanted."""
    if mode not in MODES:
        raise ValueError(f"{op}: Acceptable mode flags are 'valid', 'same', or 'full', not {mode!r}")
    name: str = mode
    return name


def operands(op: str, in1: Any, in2: Any) -> tuple[ndarray, ndarray]:
    """Return two arrays of as many axes."""
    a, b = as_array(in1), as_array(in2)
    if a.ndim != b.ndim:
        raise ValueError(f"{op}: inputs must have as many dimensions, got {a.ndim} and {b.ndim}")
    return a, b


def needs_exchange(
    op: str, mode: str, first: Sequence[int], second: Sequence[int], axes: Iterable[int]
) -> bool:
    """Return whether the second shape holds the first, where only positions wholly inside are wanted."""
    axes = list(axes)
    if mode != "valid" or not first:
        return False
    fits = all(first[axis] >= second[axis] for axis in axes)
    if not fits and not all(second[axis] >= first[axis] for axis in axes):
        raise ValueError(
            f"{op}: for 'valid' mode one input must be at least as large as the other in every dimension, "
            f"got shapes {tuple(first)} and {tuple(second)}"
        )
    return not fits

"""Lengths that are fast to transform."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

__all__ = ["next_fast_len", "prev_fast_len"]


def next_fast_len(target: SupportsIndex, real: bool = False) -> int:
    """Return the least length, not below a given one, that has small prime factors only.

    Parameters
    ----------
    target : int
        The length that is needed.
    real : bool, optional
        Whether for real transforms: factors up to 5 instead of 11.

    Returns
    -------
    int
        The length to fill up to.

    Examples
    --------
    >>> cp.scipy.fft.next_fast_len(1021)
    1024
    """
    target = _nonnegative("next_fast_len", target)
    if target == 0:
        return 0
    # A power of two lies below twice the target.
    return min(length for length in _smooth(2 * target, real) if length >= target)


def prev_fast_len(target: SupportsIndex, real: bool = False) -> int:
    """Return the greatest length, not above a given one, that has small prime factors only.

    Parameters
    ----------
    target : int
        The length that is there.
    real : bool, optional
        Whether for real transforms: factors up to 5 instead of 11.

    Returns
    -------
    int
        The length to cut off at.

    Examples
    --------
    >>> cp.scipy.fft.prev_fast_len(1021)
    1008
    """
    target = _nonnegative("prev_fast_len", target)
    return max(_smooth(target, real)) if target else 0


def _nonnegative(op: str, target: Any) -> int:
    target = operator.index(target)
    if target < 0:
        raise ValueError(f"{op}: Target length must be positive, got {target}")
    number: int = target
    return number


def _smooth(limit: int, real: bool) -> list[int]:
    """Return the numbers up to `limit` that have no prime factor above 11, or above 5."""
    found = [1]
    for factor in (3, 5) if real else (3, 5, 7, 11):
        for number in found.copy():
            while (number := number * factor) <= limit:
                found.append(number)
    # Of the many that differ by twos, those in the last octave and the one before are enough.
    return [number << shift for number in found for shift in _last_shifts(number, limit)]


def _last_shifts(number: int, limit: int) -> range:
    most = (limit // number).bit_length() - 1
    return range(max(most - 1, 0), most + 1)

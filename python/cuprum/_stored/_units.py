"""Units of dates and of differences of dates: which one two operands have in common, and counts in another.

Years and months have no fixed length. Dates go through the calendar, by integer arithmetic on whole arrays;
differences take the mean length of a year, as NumPy does.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .._core import ndarray
from .._indexing.indexing import where

__all__ = ["NAT", "common_dtype", "counts_in", "of_kind", "unit"]

NAT = np.iinfo(np.int64).min
"""The count that stands for no time."""

_ORDER = ("as", "fs", "ps", "ns", "us", "ms", "s", "m", "h", "D", "W")
_STEPS = (1000, 1000, 1000, 1000, 1000, 1000, 60, 60, 24, 7)
_DAYS_IN_400_YEARS = 146097
# Days from 0000-03-01, where the years of this arithmetic begin, to 1970-01-01.
_EPOCH = 719468

Unit = tuple[str, int]


def unit(dtype: np.dtype[Any]) -> str:
    """Return a dtype's unit as it stands in brackets: empty for none."""
    name, count = np.datetime_data(dtype)
    if name == "generic":
        return ""
    return name if count == 1 else f"{count}{name}"


def of_kind(kind: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of dates (M) or of differences (m) with the unit of another."""
    name = unit(dtype)
    return np.dtype(f"{kind}8[{name}]" if name else f"{kind}8")


def common_dtype(op: str, *dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in whose unit all can be counted, NumPy's choice."""
    try:
        found = dtypes[0]
        for dtype in dtypes[1:]:
            found = np.promote_types(found, dtype)
    except TypeError as error:
        raise TypeError(f"{op}: {error}") from None
    return found


def counts_in(ticks: ndarray, dtype: np.dtype[Any], target: np.dtype[Any]) -> ndarray:
    """Return counts of one dtype's unit in that of another, rounded downwards."""
    mine, theirs = np.datetime_data(dtype), np.datetime_data(target)
    if mine == theirs or "generic" in (mine[0], theirs[0]):
        return ticks
    _check_factor(dtype, target)
    if dtype.kind == "M" and (mine[0] in "YM") != (theirs[0] in "YM"):
        moved = _through_calendar(ticks, mine, theirs)
    else:
        numerator, denominator = _ratio(mine, theirs)
        moved = _scaled(ticks, numerator, denominator)
    return where(ticks == NAT, NAT, moved)


@functools.cache
def _check_factor(dtype: np.dtype[Any], target: np.dtype[Any]) -> None:
    """Raise NumPy's OverflowError for units so far apart that one is no 64-bit number of the other."""
    np.zeros(1, dtype).astype(target)


def _scaled(ticks: ndarray, numerator: int, denominator: int) -> ndarray:
    product = ticks if numerator == 1 else ticks * numerator
    return product if denominator == 1 else product // denominator


def _through_calendar(ticks: ndarray, mine: Unit, theirs: Unit) -> ndarray:
    """Return counts of dates where one unit is months or years and the other is not."""
    if mine[0] in "YM":
        months = ticks * (mine[1] * (12 if mine[0] == "Y" else 1))
        return _scaled(_days_of_months(months), *_ratio(("D", 1), theirs))
    days = _scaled(ticks, *_ratio(mine, ("D", 1)))
    return _months_of_days(days) // (theirs[1] * (12 if theirs[0] == "Y" else 1))


def _days_of_months(months: ndarray) -> ndarray:
    """Return the day on which months since 1970 begin, counted from 1970-01-01."""
    # Years that begin in March end with the day that leap years add.
    march = months + (1970 * 12 - 2)
    year, month = march // 12, march % 12
    leap = year // 4 - year // 100 + year // 400
    return year * 365 + leap + (153 * month + 2) // 5 - _EPOCH


def _months_of_days(days: ndarray) -> ndarray:
    """Return the months since 1970 in which days lie."""
    shifted = days + _EPOCH
    era = shifted // _DAYS_IN_400_YEARS
    day = shifted - era * _DAYS_IN_400_YEARS
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day_of_year = day - (365 * year + year // 4 - year // 100)
    month = (5 * day_of_year + 2) // 153
    return (year + era * 400) * 12 + month + 2 - 1970 * 12


def _ratio(mine: Unit, theirs: Unit) -> tuple[int, int]:
    """Return by what to multiply and to divide counts of one unit for those of another."""
    numerator, denominator = _length(mine[0]), _length(theirs[0])
    top = numerator[0] * denominator[1] * mine[1]
    bottom = numerator[1] * denominator[0] * theirs[1]
    common = math.gcd(top, bottom)
    return top // common, bottom // common


def _length(name: str) -> tuple[int, int]:
    """Return a unit's length in attoseconds, as a fraction."""
    if name in "YM":
        day = _length("D")[0]
        return day * _DAYS_IN_400_YEARS, 400 if name == "Y" else 4800
    length = 1
    for step in _STEPS[: _ORDER.index(name)]:
        length *= step
    return length, 1

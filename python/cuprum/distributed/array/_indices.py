"""Places of chunks in an array: slices with positive steps, and what two of them share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Index = tuple[slice, ...]

__all__ = ["Index", "intersection", "normal_map", "shape_of", "within"]


def _common(a: slice, b: slice) -> slice | None:
    """Return the positions that two slices share; None where there is none."""
    common = math.gcd(a.step, b.step)
    if (b.start - a.start) % common:
        return None
    step = a.step // common * b.step
    # The least x >= a.start on both: a.start + a.step * k == b.start modulo b.step.
    period = b.step // common
    k = (b.start - a.start) // common * pow(a.step // common, -1, period) % period if period > 1 else 0
    first = a.start + a.step * k
    if first < b.start:
        first += -(-(b.start - first) // step) * step
    stop = min(a.stop, b.stop)
    return slice(first, stop, step) if first < stop else None


def intersection(a: Index, b: Index) -> Index | None:
    """Return the places that two indices share; None where there is none."""
    shared = []
    for one, other in zip(a, b, strict=True):
        common = _common(one, other)
        if common is None:
            return None
        shared.append(common)
    return tuple(shared)


def within(outer: Index, inner: Index) -> Index:
    """Return where a part of an index lies in the chunk of that index."""
    places = []
    for one, part in zip(outer, inner, strict=True):
        first = (part.start - one.start) // one.step
        last = (part.stop - 1 - part.start) // part.step * part.step + part.start
        step = part.step // one.step
        places.append(slice(first, (last - one.start) // one.step + 1, step))
    return tuple(places)


def shape_of(index: Index) -> tuple[int, ...]:
    """Return the shape of the chunk of an index."""
    return tuple(len(range(one.start, one.stop, one.step)) for one in index)


def _normal(shape: tuple[int, ...], given: Any) -> Index:
    """Return an index as one slice for each axis, with numbers for start, stop and step."""
    parts = given if isinstance(given, tuple) else (given,)
    if len(parts) > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, but {len(parts)} were indexed"
        )
    made = []
    for axis, length in enumerate(shape):
        part = parts[axis] if axis < len(parts) else slice(None)
        if isinstance(part, int) and not isinstance(part, bool):
            if not -length <= part < length:
                raise IndexError(f"Index {part} is out of bounds for axis {axis} with size {length}")
            made.append(slice(part % length, part % length + 1, 1))
        elif isinstance(part, slice):
            start, stop, step = part.indices(length)
            if step <= 0:
                raise ValueError(f"Slice step must be positive, got {step} on axis {axis}.")
            if start >= stop:
                raise ValueError(f"The index is empty on axis {axis}")
            made.append(slice(start, stop, step))
        else:
            raise ValueError(f"Invalid index on axis {axis}: {part!r}")
    return tuple(made)


def _order(index: Index) -> list[tuple[int, int, int]]:
    return [(one.start, one.stop, one.step) for one in index]


def normal_map(shape: tuple[int, ...], index_map: Mapping[int, Any]) -> dict[int, list[Index]]:
    """Return a map of devices to indices with lists of normal ones, in the order of their places."""
    made = {}
    for device, given in index_map.items():
        indices = [_normal(shape, one) for one in (given if isinstance(given, list) else [given])]
        made[int(device)] = sorted(indices, key=_order)
    return made

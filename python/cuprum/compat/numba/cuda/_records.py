"""Where the elements and fields of an array of records are, and its bytes as a NumPy array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = [
    "Place",
    "c_strides",
    "chosen_field",
    "chosen_items",
    "contiguous_strides",
    "dense_strides",
    "from_bytes",
    "span",
    "to_bytes",
]


@dataclass(frozen=True)
class Place:
    """A part of an array: its dtype, shape and strides, and the bytes from the array's start to it."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int


def c_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return the strides of a contiguous array."""
    out, step = [], itemsize
    for size in shape[::-1]:
        out.append(step)
        step *= size
    return tuple(out[::-1])


def dense_strides(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return the strides of an array without gaps whose axes lie in the order of these: NumPy's order 'K'."""
    steps, step = [0] * len(shape), itemsize
    for axis in sorted(range(len(shape)), key=lambda axis: (abs(strides[axis]), -axis)):
        steps[axis] = step
        step *= shape[axis]
    return tuple(steps)


def contiguous_strides(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Return whether rows lie together in memory; axes of one element can have any stride."""
    if 0 in shape:
        return True
    wanted = c_strides(shape, itemsize)
    return all(a == b or size == 1 for size, a, b in zip(shape, strides, wanted, strict=True))


def span(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> int:
    """Return the bytes from the first element to behind the last."""
    if 0 in shape:
        return 0
    return sum((size - 1) * step for size, step in zip(shape, strides, strict=True) if step > 0) + itemsize


def chosen_field(dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...], name: str) -> Place:
    """Return where a field of all records is."""
    if dtype.fields is None or name not in dtype.fields:
        raise ValueError(f"no field of name {name}")
    field, offset = dtype.fields[name][:2]
    inner = c_strides(field.shape, field.base.itemsize)
    return Place(field.base, shape + field.shape, strides + inner, offset)


def chosen_items(dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...], item: Any) -> Place:
    """Return where the elements are that an index of integers and slices chooses."""
    # NumPy does the counting, on an array that nobody reads: the dots make a view even of one element.
    whole = np.lib.stride_tricks.as_strided(np.empty((), dtype), shape, strides)
    items = item if isinstance(item, tuple) else (item,)
    if any(isinstance(one, (list, np.ndarray)) for one in items):
        raise NotImplementedError("arrays of records are indexed by integers and slices; use copy_to_host()")
    found = whole[items if Ellipsis in items else (*items, Ellipsis)]
    if any(step < 0 for step in found.strides):
        raise NotImplementedError("arrays of records cannot be turned round; use copy_to_host()")
    offset = found.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    return Place(dtype, found.shape, found.strides, offset)


def from_bytes(data: Any, dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return the array whose bytes these are."""
    if 0 in shape:
        return np.empty(shape, dtype)
    return np.array(np.ndarray(shape, dtype, np.ascontiguousarray(data), 0, strides))


def to_bytes(
    array: Any, dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...], before: Any
) -> Any:
    """Return the bytes of an array; those between its elements are as they were before."""
    if before is None:
        return np.ascontiguousarray(array, dtype).reshape(-1).view(np.uint8)
    data = np.array(before[: span(shape, strides, dtype.itemsize)])
    np.ndarray(shape, dtype, data, 0, strides)[...] = array
    return data

"""Where lines of sparse matrices begin, and lines of two matrices merged."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._index import get_index_dtype
from ._kernels import THREADS, blocks_of, c_name, kernel


def _run(name: str, items: int, each: int, arguments: tuple[Any, ...]) -> None:
    """Run a kernel with a thread for each item, or for so many of them on a CPU."""
    if arguments[0].device == "cpu":
        kernel("structure", name)((-(-items // each),), (1,), (*arguments, np.int64(each)))
    else:
        kernel("structure", name)(blocks_of(items), (THREADS,), (*arguments, np.int64(1)))


def starts_of(lines: ndarray, length: int, dtype: np.dtype[np.generic]) -> ndarray:
    """Return where the elements of each line begin, for lines in order, and where the last ones end."""
    start = cp.zeros(length + 1, dtype)
    if lines.size:
        lines = cp.ascontiguousarray(lines.astype(dtype, copy=False))
        arguments = (lines, start, np.int64(lines.size), np.int64(length))
        _run(f"line_starts<{c_name(dtype)}>", lines.size + 1, 8192, arguments)
    return start


def united(
    first: tuple[ndarray, ndarray, ndarray], second: tuple[ndarray, ndarray, ndarray], lines: int, width: int
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return the elements of two matrices at all places that either stores: both values, indices and starts.

    Matrices are given as starts, indices and values; indices of a line rise.
    """
    dtype = np.dtype(get_index_dtype((first[0], second[0], first[1], second[1])))
    parts = [
        (start.astype(dtype, copy=False), index.astype(dtype, copy=False), cp.ascontiguousarray(value))
        for start, index, value in (first, second)
    ]
    count = cp.empty(lines, np.int64)
    if lines:
        arguments = (*parts[0][:2], *parts[1][:2], count, np.int64(lines))
        _run(f"count_union<{c_name(dtype)}>", lines, 512, arguments)
    ends = cp.cumsum(count)
    total = int(ends[-1]) if lines else 0
    wide = np.dtype(get_index_dtype((parts[0][0],), maxval=max(lines, width, total)))
    if wide != dtype:
        parts = [(start.astype(wide), index.astype(wide), value) for start, index, value in parts]
    start = cp.zeros(lines + 1, wide)
    start[1:] = ends
    index = cp.empty(total, wide)
    values = [cp.empty(total, part[2].dtype) for part in parts]
    if total:
        types = f"{c_name(values[0].dtype)}, {c_name(values[1].dtype)}, {c_name(wide)}"
        arguments = (*parts[0], *parts[1], start, index, *values, np.int64(lines))
        _run(f"fill_union<{types}>", lines, 512, arguments)
    return values[0], values[1], index, start

"""Lines of sparse matrices: where they begin, elements put in their order, those of two matrices merged."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray, sparse_group
from ._index import get_index_dtype
from ._kernels import THREADS, blocks_of, c_name, kernel

# The threads that share a line, as in the texts.
_LANES = 8


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


def grouped(
    lines: ndarray, places: ndarray, values: ndarray, count: int, are_starts: bool = False
) -> tuple[ndarray, ndarray, ndarray]:
    """Return elements in the order of their lines: where each line begins, places in the lines, values.

    Elements of one line stay in the order in which they come. Places are those of each element, or where the
    elements of each place begin.
    """
    dtype = get_index_dtype((lines, places), maxval=max(count, lines.size))
    lines, places = lines.astype(dtype, copy=False), places.astype(dtype, copy=False)
    starts, minor, data = sparse_group(lines, places, are_starts, values, count)
    return starts, minor, data


def has_room(places: int, elements: int) -> bool:
    """Return whether a number for each place is not much more than one for each element."""
    return places <= 4 * elements + (1 << 16)


def compressed(
    row: ndarray, col: ndarray, data: ndarray, shape: tuple[int, int]
) -> tuple[ndarray, ndarray, ndarray]:
    """Return elements in any order as compressed rows: starts, rising columns, values.

    Elements of one place are added up, in order on a CPU.
    """
    kind = get_index_dtype(maxval=max(*shape, data.size))
    row, col = row.astype(kind, copy=False), col.astype(kind, copy=False)
    start, row, data = grouped(col, row, data, shape[1])
    start, col, data = grouped(row, start, data, shape[0], are_starts=True)
    rows, index = shape[0], c_name(start.dtype)
    count = cp.empty(rows, np.int64)
    _run(f"count_places<{index}>", rows, 512, (start, col, count, np.int64(rows)))
    ends = cp.cumsum(count)
    total = int(ends[-1])
    if total == data.size:
        return start, col, data
    new = cp.zeros(rows + 1, start.dtype)
    new[1:] = ends
    if data.device == "cpu":
        kept, total_of = cp.empty(total, col.dtype), cp.empty(total, data.dtype)
        arguments = (start, col, data, new, kept, total_of, np.int64(rows))
        _run(f"sum_places<{c_name(data.dtype)}, {index}>", rows, 512, arguments)
        return new, kept, total_of
    # Many elements of one place are added by many threads.
    line = cp.repeat(cp.arange(rows), cp.diff(start))
    first = cp.flatnonzero(
        cp.concatenate((cp.ones(1, bool), (col[1:] != col[:-1]) | (line[1:] != line[:-1])))
    )
    add = cp.logical_or if data.dtype == np.bool_ else cp.add
    return new, col[first], add.reduceat(data, first).astype(data.dtype, copy=False)


def merged(
    first: tuple[ndarray, ndarray, ndarray],
    second: tuple[ndarray, ndarray, ndarray],
    lines: int,
    width: int,
    is_union: bool,
    by_lanes: bool | None = None,
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return elements of two matrices at the places of either, or of both: both values, indices and starts.

    Matrices are given as starts, indices and values; indices of a line rise. Groups of threads share lines
    (`by_lanes`), on a GPU by default.
    """
    way = "true" if is_union else "false"
    dtype = np.dtype(get_index_dtype((first[0], second[0], first[1], second[1])))
    parts = [
        (start.astype(dtype, copy=False), index.astype(dtype, copy=False), cp.ascontiguousarray(value))
        for start, index, value in (first, second)
    ]
    by_lanes = parts[0][0].device != "cpu" if by_lanes is None else by_lanes
    count = cp.empty(lines + 1, np.int64) if by_lanes and lines else cp.zeros(lines + 1, np.int64)
    if lines and by_lanes:
        arguments = (*parts[0][:2], *parts[1][:2], count, np.int64(lines))
        _run_by_lanes(f"count_merged_by_lanes<{c_name(dtype)}, {way}>", lines, arguments)
    elif lines:
        arguments = (*parts[0][:2], *parts[1][:2], count[1:], np.int64(lines))
        _run(f"count_merged<{c_name(dtype)}, {way}>", lines, 512, arguments)
    ends = cp.cumsum(count)
    total = int(ends[-1])
    wide = np.dtype(get_index_dtype((parts[0][0],), maxval=max(lines, width, total)))
    if wide != dtype:
        parts = [(start.astype(wide), index.astype(wide), value) for start, index, value in parts]
    start, index = ends.astype(wide), cp.empty(total, wide)
    values = [cp.empty(total, part[2].dtype) for part in parts]
    if total:
        types = f"{c_name(values[0].dtype)}, {c_name(values[1].dtype)}, {c_name(wide)}, {way}"
        arguments = (*parts[0], *parts[1], start, index, *values, np.int64(lines))
        if by_lanes:
            _run_by_lanes(f"fill_merged_by_lanes<{types}>", lines, arguments)
        else:
            _run(f"fill_merged<{types}>", lines, 512, arguments)
    return values[0], values[1], index, start


def _run_by_lanes(name: str, lines: int, arguments: tuple[Any, ...]) -> None:
    """Run a kernel with a group of threads for each line."""
    kernel("structure", name)(blocks_of(lines * _LANES), (THREADS,), arguments)

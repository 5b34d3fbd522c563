"""Sparse systems by fronts: the pattern is analysed on the host, elements never leave their device.

Fronts of one level of the tree are the blocks of one launch: a system takes three launches for each level.
Most of the arithmetic is in few large fronts: these are eliminated some columns at a time, and products of
matrices bring the rest of the front up to date.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import on_device
from ...._core import ndarray
from .._kernels import c_name, kernel
from ._factors import Factors, column_order

# Elements of all fronts that one solution may take: beyond, the columns are eliminated one by one.
_MAX_AREA = 1 << 29
# Levels of the tree, each of them some launches, beyond which a CPU is faster column by column.
_MAX_HOST_LEVELS = 512
# How large a pivot on the diagonal must be, relative to the largest element of its column.
_THRESHOLD = 0.1
# From this size on a front is a large one, and so many of its columns are eliminated at a time.
_LARGE, _STEP = 96, 32
# Threads of a GPU's block by the size of the largest front of a level.
_LANES = ((24, 32), (96, 128), (np.inf, 512))


def _tree(starts: ndarray, rows: ndarray, order: ndarray) -> tuple[Any, Any, Any, Any]:
    """Return, as NumPy's arrays, the fronts in which a pattern is eliminated about in an order.

    These are the unknown at each place of the elimination, the first place of each front, and where its later
    places begin in the last array, which has them. All is done on the CPU.
    """
    n, entries = order.size, rows.size
    places, count = order.astype(np.int32), cp.zeros(1, np.int32)
    listed, zeros = cp.empty(entries + 1, np.int32), cp.empty(n + 1, np.int64)
    first, size = cp.empty(n + 1, np.int32), cp.empty(n + 1, np.int32)
    work = cp.empty(10 * n + 1, np.int32)
    arguments: tuple[Any, ...] = (starts, rows, places, listed, work, zeros, first, size, count, np.int32(n))
    kernel("linalg/tree", "find_fronts")((1,), (1,), arguments)
    fronts = int(count[0])
    first = first[: fronts + 1].copy()
    later = cp.zeros(fronts + 1, np.int64)
    later[1:] = cp.cumsum(size[:fronts] - cp.diff(first))
    below, parent = cp.empty(int(later[-1]) + 1, np.int32), cp.empty(fronts, np.int32)
    work = cp.empty(4 * n + 1 + 2 * fronts, np.int32)
    arguments = (starts, rows, places, first, later, listed, work, below, parent)
    kernel("linalg/tree", "find_structure")((1,), (1,), (*arguments, np.int32(fronts), np.int32(n)))
    return places.get(), first.get(), later.get(), below[:-1].get()


def _host(part: Any, dtype: Any) -> ndarray:
    """Return a host's array of at least one element as an array of the current device."""
    array = np.ascontiguousarray(part, dtype)
    return cp.asarray(array if array.size else np.zeros(1, dtype))


class Fronts:
    """The factors of a matrix in fronts.

    Parameters
    ----------
    csc
        A square matrix in compressed columns with rising indices.

    Attributes
    ----------
    is_fit
        Whether the pattern is nearly symmetric; nothing else is there where it is not.
    is_rough
        Whether a column has a larger element than its pivot.
    """

    def __init__(self, csc: Any) -> None:
        self._n, self._dtype = csc.shape[0], np.dtype(csc.dtype)
        self._device = csc.data.device
        starts, rows = csc.indptr.get().astype(np.int32), csc.indices.get().astype(np.int32)
        with on_device("spsolve", "cpu"):
            host = (cp.asarray(starts), cp.asarray(rows))
            pattern = csc._as("csc")._made(cp.ones(rows.size, np.int8), *host[::-1], csc.shape, True)
            order, self.is_fit = column_order(pattern, "COLAMD")
            if not self.is_fit:
                return
            places, first, below_start, below = _tree(*host, order)
        self._analyse(starts, rows, places, first, below_start, below)

    def _analyse(self, starts: Any, rows: Any, places: Any, first: Any, below_start: Any, below: Any) -> None:
        n = self._n
        width, later = np.diff(first).astype(np.int64), np.diff(below_start)
        owner = np.repeat(np.arange(width.size), width)
        parent = np.full(width.size, -1, np.int64)
        inner = later > 0
        parent[inner] = owner[below[below_start[:-1][inner]]]
        size = width + later
        self.area = int((size**2).sum())
        offset = np.concatenate(([0], np.cumsum(size**2)))
        by_parent = np.argsort(parent, kind="stable")
        with_parent = by_parent[np.count_nonzero(parent < 0) :]
        child_start = np.searchsorted(parent[with_parent], np.arange(width.size + 1))
        row_start = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
        given = (
            starts,
            rows,
            np.repeat(np.arange(n), np.diff(starts)),
            row_start,
            np.argsort(rows, kind="stable"),
        )
        with on_device("spsolve", "cpu"):
            tree = [_host(part, np.int32) for part in (*given, places, first)]
            tree += [_host(below_start, np.int64)]
            tree += [_host(part, np.int32) for part in (below, child_start, with_parent)]
            found = cp.empty(below.size + 1, np.int32), cp.empty(rows.size + 1, np.int64)
            level, work = cp.zeros(width.size, np.int32), cp.empty(2 * n + 1, np.int32)
            arguments = (*tree, _host(offset, np.int64), work, *found, level)
            sizes = (np.int32(width.size), np.int32(n))
            kernel("linalg/tree", "find_targets")((1,), (1,), (*arguments, *sizes))
            above, target, depth = found[0].get()[:-1], found[1].get()[:-1], level.get()
        # Level by level, the large ones of a level last, the widest of them first.
        is_large = size >= _LARGE
        which = np.lexsort((np.where(is_large, -width, 0), is_large, depth))
        ends = np.searchsorted(depth[which], np.arange(int(depth.max(initial=0)) + 2))
        self._levels = [
            (int(a), int(b), self._lanes(int(size[which[a:b]].max())))
            for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]
        self._large = [
            [(int(offset[at]), int(size[at]), int(width[at])) for at in which[a:b] if is_large[at]]
            for a, b, _ in self._levels
        ]
        self._first, self._below, self._above, self._child_start, self._child, self._which = (
            self._there(part, np.int32) for part in (first, below, above, child_start, with_parent, which)
        )
        self._below_start, self._offset, self._target, self._order = (
            self._there(part, np.int64) for part in (below_start, offset, target, places)
        )
        self._later = int(below_start[-1])

    @property
    def levels(self) -> int:
        """How many levels the tree has."""
        return len(self._levels)

    def _lanes(self, size: int) -> int:
        """Return how many threads work on each front of a level: a CPU has one core for it."""
        return 1 if self._device == "cpu" else next(lanes for most, lanes in _LANES if size <= most)

    def _there(self, part: Any, dtype: Any) -> ndarray:
        array = np.ascontiguousarray(part, dtype)
        return cp.asarray(array if array.size else np.zeros(1, dtype), device=self._device)

    def _names(self, kernel_name: str, lanes: int) -> Any:
        return kernel("linalg/fronts", f"{kernel_name}<{c_name(self._dtype)}, {lanes}>")

    def factorise(self, data: ndarray, threshold: float) -> bool:
        """Eliminate; return whether every column has a pivot within its front."""
        if self.area > _MAX_AREA:
            return False
        self._values = cp.zeros(self.area, self._dtype)
        self._values[self._target] = data
        self._row = cp.arange(self._n, dtype=np.int32)
        failed = cp.zeros(2, np.int32)
        tree = (self._first, self._below_start, self._above, self._child_start, self._child, self._offset)
        state = (self._values, self._row, failed, float(threshold))
        for (begin, end, lanes), large in zip(self._levels, self._large, strict=True):
            middle, eliminate = end - len(large), self._names("eliminate", lanes)
            if begin < middle:
                arguments = (*tree, self._which[begin:middle], *state, np.int32(0), np.int32(0))
                eliminate((middle - begin,), (lanes,), arguments)
            done = 0
            while large:
                arguments = (*tree, self._which[middle:end], *state, np.int32(done), np.int32(_STEP))
                eliminate((len(large),), (lanes,), arguments)
                for offset, size, width in large:
                    stop = min(done + _STEP, width)
                    front = self._values[offset : offset + size * size].reshape(size, size)
                    front[stop:, stop:] -= front[stop:, done:stop] @ front[done:stop, stop:]
                done += _STEP
                large = [one for one in large if one[2] > done]
                end = middle + len(large)
        has_failed, is_rough = failed.tolist()
        self.is_rough = bool(is_rough)
        return not has_failed

    def solve(self, b: ndarray) -> ndarray:
        """Return the solution for one right side or several."""
        n, later = self._n, max(self._later, 1)
        x = cp.ascontiguousarray(b.reshape(n, -1)[self._order].T)
        count = x.shape[0]
        update, scratch = cp.empty((count, later), self._dtype), cp.empty((count, n), self._dtype)
        tree: tuple[Any, ...] = (
            self._first,
            self._below_start,
            self._above,
            self._child_start,
            self._child,
            self._offset,
        )
        for begin, end, lanes in self._levels:
            arguments: tuple[Any, ...] = (
                *tree, self._which[begin:end], self._values, self._row, x, update, scratch, np.int64(n),
                np.int64(later),
            )  # fmt: skip
            self._names("solve_lower", lanes)((end - begin, count), (lanes,), arguments)
        tree = (self._first, self._below_start, self._below, self._offset)
        for begin, end, lanes in self._levels[::-1]:
            arguments = (*tree, self._which[begin:end], self._values, x, np.int64(n))
            self._names("solve_upper", lanes)((end - begin, count), (lanes,), arguments)
        found = cp.empty((n, count), self._dtype)
        found[self._order] = x.T
        return found.reshape(b.shape)

    def factors(self, csc: Any) -> Factors:
        """Return the factors as triangles in compressed columns, of the same kind as a matrix."""
        n, values, index = self._n, self._values, np.int32
        first, below_start = self._first.astype(np.int64), self._below_start
        width, later = cp.diff(first), cp.diff(below_start)
        size = width + later
        place = cp.empty(n, np.int64)
        place[self._row] = cp.arange(n)
        # Where each element of a front is: the front, the column and the row in it.
        front = cp.repeat(cp.arange(width.size), size * size)
        at = cp.arange(self.area) - self._offset[front]
        column, row = cp.divmod(at, size[front])
        is_lower = (column < width[front]) & (row > column)
        is_upper = (row < width[front]) & (row <= column)
        parts = []
        for is_mine in (is_lower, is_upper):
            mine = cp.flatnonzero(is_mine & (values != 0))
            owner = front[mine]

            def placed(local: ndarray, owner: ndarray = owner) -> tuple[ndarray, ndarray]:
                """Return the places of columns or rows of fronts, and whether the front eliminates them."""
                own = local < width[owner]
                behind = cp.where(own, 0, below_start[owner] + local - width[owner])
                return cp.where(own, first[owner] + local, self._below[behind]), own

            rows, is_own = placed(row[mine])
            rows = cp.where(is_own, rows, place[rows])
            parts.append((values[mine], rows, placed(column[mine])[0]))
        (lower, lower_row, lower_column), (upper, upper_row, upper_column) = parts
        ones = cp.arange(n)
        lower_row, lower_column = cp.concatenate((ones, lower_row)), cp.concatenate((ones, lower_column))
        lower = cp.concatenate((cp.ones(n, lower.dtype), lower))
        coo = csc._as("coo")
        triangles = [
            coo._made(data, rows, columns, (n, n)).tocsc()
            for data, rows, columns in (
                (lower, lower_row, lower_column),
                (upper, upper_row, upper_column),
            )
        ]
        row_of, column_of = cp.empty(n, index), cp.empty(n, index)
        row_of[self._order] = place.astype(index)
        column_of[self._order] = cp.arange(n, dtype=index)
        return Factors(triangles[0], triangles[1], row_of, column_of)


def fronts_of(csc: Any, permc_spec: str, threshold: float | None = None) -> Fronts | None:
    """Return the factors of a matrix in fronts; None where another way is to be gone."""
    if permc_spec != "COLAMD" or csc.nnz == 0:
        return None
    fronts = Fronts(csc)
    if not fronts.is_fit or csc.data.device == "cpu" and fronts.levels > _MAX_HOST_LEVELS:
        return None
    return fronts if fronts.factorise(csc.data, _THRESHOLD if threshold is None else threshold) else None


def solve_by_fronts(csc: Any, b: ndarray, permc_spec: str) -> ndarray | None:
    """Return the solution of a system; None where another way is to be gone."""
    fronts = fronts_of(csc, permc_spec)
    if fronts is None:
        return None
    x = fronts.solve(b)
    if not fronts.is_rough:
        return x
    # Pivots that are not the largest ones cost digits, which one more solution gives back.
    return x + fronts.solve(b - csc @ x)

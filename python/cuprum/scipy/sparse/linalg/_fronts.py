"""Sparse systems by fronts: the pattern is analysed on the host, elements are eliminated on their device.

Fronts of one level of the tree are the blocks of one launch: a system takes three launches for each level.
Most of the arithmetic is in few large fronts: these are eliminated some columns at a time, and products of
matrices bring the rest of the front up to date; the largest ones are factorised as dense matrices.
Where the pattern is not symmetric, rows are put in an order first that brings large elements to the diagonal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import on_device
from ...._core import linalg_lu, linalg_solve_triangular, ndarray
from .._kernels import c_name, kernel
from ..csgraph._matching import min_weight_full_bipartite_matching
from ._factors import Factors, is_symmetric, symmetric_order

# Elements of all fronts that one solution may take: beyond, the columns are eliminated one by one.
_MAX_AREA = 1 << 29
# Levels of the tree, each of them some launches, beyond which a CPU is faster column by column.
_MAX_HOST_LEVELS = 512
# How large a pivot on the diagonal must be, relative to the largest element of its column, and how large any
# other pivot: solutions are refined where one is not the largest element.
_THRESHOLD, _LEAST = 0.1, 1e-4
# From this size on a front is a large one, and so many of its columns are eliminated at a time.
_LARGE, _STEP = 96, 32
# From this size on it is factorised as a dense matrix: libraries of a GPU are slow with small ones.
_DENSE_ON_HOST, _DENSE_ON_GPU = 160, 1024
# The most solutions for one system with factors whose pivots are not the largest elements.
_MAX_REFINED = 4
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


def _matching(pattern: Any, sizes: Any) -> Any:
    """Return the column whose pivot each row is to be, as NumPy's array: their product is the largest.

    None where not every column has a row of its own. Sizes are those of the elements, relative to the largest
    one of their columns (Duff and Koster). All is done on the CPU.
    """
    is_there = (sizes > 0) & np.isfinite(sizes)
    if not is_there.all():
        pattern = pattern._kept(cp.asarray(is_there))
        sizes = sizes[is_there]
    starts = pattern.indptr.get()
    if (np.diff(starts) == 0).any():
        return None
    largest = np.maximum.reduceat(sizes, starts[:-1]).astype(np.float64)
    lost = np.log(np.repeat(largest, np.diff(starts))) - np.log(sizes.astype(np.float64))
    # Pairs of weight zero would not be pairs; as many ones are added to every full matching.
    weights = pattern._with_data(cp.asarray(lost + 1.0))
    try:
        row, column = min_weight_full_bipartite_matching(weights)
    except ValueError:
        return None
    found = np.empty(pattern.shape[0], np.int64)
    found[row.get()] = column.get()
    return found


class Fronts:
    """The factors of a matrix in fronts.

    Parameters
    ----------
    csc
        A square matrix in compressed columns with rising indices.

    Attributes
    ----------
    is_fit
        Whether each column has an element that can be its pivot; nothing else is there where one has none.
    is_rough
        Whether a column has a larger element than its pivot.
    """

    def __init__(self, csc: Any) -> None:
        self._n, self._dtype = csc.shape[0], np.dtype(csc.dtype)
        self._device = csc.data.device
        # Which row of the matrix each row here is; none where they are the same.
        self._matched: ndarray | None = None
        starts, rows = csc.indptr.get().astype(np.int32), csc.indices.get().astype(np.int32)
        with on_device("spsolve", "cpu"):
            host = (cp.asarray(starts), cp.asarray(rows))
            pattern = csc._as("csc")._made(cp.ones(rows.size, np.int8), *host[::-1], csc.shape, True)
            self.is_fit = is_symmetric(pattern)
            if not self.is_fit:
                column = _matching(pattern, abs(csc.data).get())
                if column is None:
                    return
                self.is_fit = True
                self._matched = self._there(np.argsort(column), np.int64)
                rows = column[rows].astype(np.int32)
                # Only the analysis wants rising rows: elements stay in their order.
                pattern = pattern._made(pattern.data, cp.asarray(rows), host[0], csc.shape).sorted_indices()
                host = (pattern.indptr, pattern.indices)
            places, first, below_start, below = _tree(*host, symmetric_order(pattern))
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
        # Level by level: small ones, large ones, the widest of them first, and dense ones last.
        is_dense = size >= (_DENSE_ON_HOST if self._device == "cpu" else _DENSE_ON_GPU)
        is_large = (size >= _LARGE) & ~is_dense
        which = np.lexsort((np.where(is_large, -width, 0), is_large + 2 * is_dense, depth))
        ends = np.searchsorted(depth[which], np.arange(int(depth.max(initial=0)) + 2))
        self._levels = [
            (int(a), int(b), self._lanes(int(size[which[a:b]].max())))
            for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]
        self._large, self._dense = (
            [
                [
                    (int(offset[at]), int(size[at]), int(width[at]), int(first[at]))
                    for at in which[a:b]
                    if is_one[at]
                ]
                for a, b, _ in self._levels
            ]
            for is_one in (is_large, is_dense)
        )
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
        """Eliminate; return whether every column has a pivot within its front.

        The threshold is that of pivots on the diagonal. Dense fronts take the largest element of their rows.
        """
        if self.area > _MAX_AREA:
            return False
        self._values = cp.zeros(self.area, self._dtype)
        self._values[self._target] = data
        self._row = cp.arange(self._n, dtype=np.int32)
        failed = cp.zeros(2, np.int32)
        tree = (self._first, self._below_start, self._above, self._child_start, self._child, self._offset)
        state = (self._values, self._row, failed, float(threshold), _LEAST)
        growth: list[ndarray] = []
        for (begin, end, lanes), large, dense in zip(self._levels, self._large, self._dense, strict=True):
            if dense:
                given = (*tree, self._which[end - len(dense) : end], self._values)
                self._names("assemble", lanes)((len(dense),), (lanes,), given)
                growth += [self._eliminate_dense(*one) for one in dense]
                end -= len(dense)
            middle, eliminate = end - len(large), self._names("eliminate", lanes)
            if begin < middle:
                arguments = (*tree, self._which[begin:middle], *state, np.int32(0), np.int32(0))
                eliminate((middle - begin,), (lanes,), arguments)
            done = 0
            while large:
                arguments = (*tree, self._which[middle:end], *state, np.int32(done), np.int32(_STEP))
                eliminate((len(large),), (lanes,), arguments)
                for offset, size, width, _ in large:
                    stop = min(done + _STEP, width)
                    front = self._values[offset : offset + size * size].reshape(size, size)
                    front[stop:, stop:] -= front[stop:, done:stop] @ front[done:stop, stop:]
                done += _STEP
                large = [one for one in large if one[2] > done]
                end = middle + len(large)
        has_failed, is_rough = failed.tolist()
        largest = float(cp.stack(growth).max()) if growth else 0.0
        self.is_rough = bool(is_rough) or largest > 1
        return not has_failed and largest * _LEAST <= 1

    def _eliminate_dense(self, offset: int, size: int, width: int, first: int) -> ndarray:
        """Eliminate a front as a dense matrix; return its largest multiplier, NaN without a pivot."""
        front = self._values[offset : offset + size * size].reshape(size, size).T
        order, lower, upper = linalg_lu(front[:width, :width])
        # The rows in the order of their pivots.
        rows = cp.argsort(order)
        own = self._row[first : first + width]
        own[:] = own[rows]
        front[:width, :width] = lower + upper - cp.eye(width, dtype=lower.dtype)
        pivot = abs(upper.diagonal()).min()
        growth = cp.where(pivot > 0, 0.0, np.nan)
        if size > width:
            behind = linalg_solve_triangular(lower, front[:width, width:][rows], 0, True, True)
            below = linalg_solve_triangular(upper, front[width:, :width].T, 1, False, False).T
            front[:width, width:] = behind
            front[width:, :width] = below
            front[width:, width:] -= below @ behind
            growth = growth + abs(below).max()
        return growth

    def solve(self, b: ndarray) -> ndarray:
        """Return the solution for one right side or several."""
        n, later = self._n, max(self._later, 1)
        if self._matched is not None:
            b = b[self._matched]
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
        unknown = self._order if self._matched is None else self._matched[self._order]
        row_of[unknown] = place.astype(index)
        column_of[self._order] = cp.arange(n, dtype=index)
        return Factors(triangles[0], triangles[1], row_of, column_of)

    def refined(self, csc: Any, b: ndarray) -> ndarray | None:
        """Return the solution of a system with the matrix; None where it is not accurate.

        Pivots that are not the largest ones cost digits, which further solutions give back.
        """
        x = self.solve(b)
        if not self.is_rough:
            return x
        eps = float(np.finfo(self._dtype).eps)
        scale = abs(csc).sum(axis=1).max()
        for _ in range(_MAX_REFINED):
            x = x + self.solve(b - csc @ x)
            error = abs(b - csc @ x).max() / (scale * abs(x).max() + abs(b).max())
            if float(error) <= 16 * eps:
                return x
        return None


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
    return None if fronts is None else fronts.refined(csc, b)

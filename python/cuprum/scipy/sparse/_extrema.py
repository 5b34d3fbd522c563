"""Extrema of compressed lines, with the zeros that are not stored."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._bases import SparseBase


class LineExtrema(SparseBase):
    """Extrema of a matrix in compressed lines."""

    _major: int

    def _lines_along(self, axis: int) -> Any:
        """Return the matrix with compressed lines along an axis, their indices rising."""
        csr = self._without_duplicates()
        return csr if axis != self._major else csr.asformat("csc" if self.format == "csr" else "csr")

    def _extreme(self, op: str, function: Any, axis: Any, out: Any, explicit: bool) -> Any:
        csr = self._without_duplicates()
        zero = self.dtype.type(0)
        if axis is None:
            if 0 in self.shape:
                raise ValueError(f"{op}: zero-size array to reduction operation")
            if csr.nnz == 0:
                return cp.zeros((), self.dtype)
            found = function.reduce(csr.data)
            is_full = csr.nnz == self.shape[0] * self.shape[1]
            return found if explicit or is_full else function(found, zero)
        axis = self._axis(op, axis)
        if self.shape[axis] == 0:
            raise ValueError(f"{op}: zero-size array to reduction operation")
        lines = self._lines_along(axis)
        counts = cp.diff(lines.indptr)
        result = cp.zeros(self.shape[1 - axis], self.dtype)
        with_any = cp.flatnonzero(counts)
        if with_any.size:
            found = function.reduceat(lines.data, lines.indptr[with_any])
            if not explicit:
                full = counts[with_any] == self.shape[axis]
                found = cp.where(full, found, function(found, zero))
            result[with_any] = found
        if out is not None:
            raise ValueError(f"{op}: sparse matrices do not support the 'out' parameter")
        return self._as("coo")(self._reduced(result, axis))

    def _arg_extreme(self, op: str, function: Any, axis: Any, out: Any, explicit: bool) -> Any:
        if out is not None:
            raise ValueError(f"{op}: sparse matrices do not support the 'out' parameter")
        if axis is None:
            return self._flat_place(op, function, explicit)
        axis = self._axis(op, axis)
        if self.shape[axis] == 0:
            raise ValueError(f"{op}: Cannot apply the operation along a zero-sized dimension.")
        return self._reduced(self._lines_along(axis)._positions_of(function, explicit), axis)

    def _positions_of(self, function: Any, explicit: bool) -> ndarray:
        """Return where each line has its extreme element for the first time."""
        csr = self._without_duplicates()
        width = self.shape[1 - self._major]
        starts = csr.indptr.astype(np.int64)
        counts = cp.diff(starts)
        result = cp.zeros(counts.size, np.int64)
        with_any = cp.flatnonzero(counts)
        if with_any.size == 0:
            return result
        first = starts[with_any]
        found = function.reduceat(csr.data, first)
        full = counts[with_any] == width
        if not explicit:
            found = cp.where(full, found, function(found, self.dtype.type(0)))
        # The place among the lines that have elements, of each element.
        line = cp.repeat(cp.arange(with_any.size), counts[with_any])
        column = csr.indices.astype(np.int64)
        wanted = found[line]
        is_it = csr.data == wanted
        if self.dtype.kind in "fc":
            is_it = is_it | (cp.isnan(csr.data) & cp.isnan(wanted))
        place = cp.minimum.reduceat(cp.where(is_it, column, width), first)
        if not explicit:
            # The first column that is not stored: that of the first element to stand further than its rank.
            rank = cp.arange(column.size) - first[line]
            gap = cp.minimum.reduceat(cp.where(column != rank, rank, width), first)
            gap = cp.minimum(gap, counts[with_any])
            place = cp.where((found == 0) & ~full, cp.minimum(place, gap), place)
        result[with_any] = place
        return result

"""Reductions of sparse matrices: sums, means, extrema and where these are."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._comparisons import Comparisons


def _put(name: str, result: ndarray, out: Any) -> ndarray:
    """Return the result, in `out` where that is given: it must have the result's shape."""
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"{name}: out has shape {out.shape}, the result {result.shape}")
    out[...] = result
    found: ndarray = out
    return found


class Reductions(Comparisons):
    """A sparse matrix of some format, with its reductions."""

    # Extrema, with the zeros that are not stored

    def _extreme(self, op: str, function: Any, axis: Any, out: Any, explicit: bool) -> Any:
        return self.tocsr()._extreme(op, function, axis, out, explicit)

    def _arg_extreme(self, op: str, function: Any, axis: Any, out: Any, explicit: bool) -> Any:
        if axis is None and out is None:
            return self._flat_place(op, function, explicit)
        return self.tocsr()._arg_extreme(op, function, axis, out, explicit)

    def _flat_place(self, op: str, function: Any, explicit: bool) -> Any:
        """Return where the extreme element is, counted through all rows."""
        count = self.shape[0] * self.shape[1]
        if not 0 < count < 1 << 63:
            raise ValueError(f"{op}: Cannot apply the operation to a matrix of shape {self.shape}")
        return self.tocoo(copy=False).reshape(1, count).tocsr()._positions_of(function, explicit)[0]

    def min(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element, or those along an axis; of the stored ones with `explicit`.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.min())
        0.0
        """
        return self._extreme("min", cp.minimum, self._axis_or_all("min", axis), out, explicit)

    def max(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element, or those along an axis; of the stored ones with `explicit`.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.max())
        4.0
        """
        return self._extreme("max", cp.maximum, self._axis_or_all("max", axis), out, explicit)

    def nanmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element that is not NaN, or those along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.nanmin())
        0.0
        """
        return self._extreme("nanmin", cp.fmin, self._axis_or_all("nanmin", axis), out, explicit)

    def nanmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element that is not NaN, or those along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.nanmax())
        4.0
        """
        return self._extreme("nanmax", cp.fmax, self._axis_or_all("nanmax", axis), out, explicit)

    def argmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the smallest element is, in all or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> int(m.argmin())
        0
        """
        return self._arg_extreme("argmin", cp.minimum, self._axis_or_all("argmin", axis), out, explicit)

    def argmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the largest element is, in all or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> int(m.argmax())
        2
        """
        return self._arg_extreme("argmax", cp.maximum, self._axis_or_all("argmax", axis), out, explicit)

    # Reductions

    def _reduced(self, values: ndarray, axis: int) -> ndarray:
        """Return the results along an axis as arrays or matrices have them: without it, or of length 1."""
        return values if self._is_array else cp.expand_dims(values, axis)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the sum of all elements, or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.sum())
        5.0
        """
        kind = self.dtype.kind
        wide = (
            {"b": np.int64, "i": np.int64, "u": np.uint64}.get(kind, self.dtype)
            if self.dtype.itemsize < 8
            else self.dtype
        )
        if kind == "b" and (once := self._without_duplicates()) is not self:
            return once.sum(axis, dtype, out)
        axis = self._axis_or_all("sum", axis)
        if axis is None:
            result = self.tocoo(copy=False).data.astype(wide).sum(dtype=dtype)
        else:
            csr = (self if axis == 1 else self.transpose()).tocsr().astype(wide)
            result = self._reduced(csr._row_sums(), axis)
            if dtype is not None:
                result = result.astype(dtype)
        return _put("sum", result, out)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the mean of all elements, or along an axis; zeros count.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.mean())
        1.25
        """
        kind = np.dtype(dtype or (np.float64 if self.dtype.kind in "biu" else self.dtype))
        axis = self._axis_or_all("mean", axis)
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[axis]
        if count == 0:
            raise ZeroDivisionError(f"mean: no elements to take the mean of: the shape is {self.shape}")
        once = self._without_duplicates() if self.dtype.kind == "b" else self
        total = once.astype(kind if kind.kind in "fc" else np.float64).sum(axis)
        return _put("mean", (total / float(count)).astype(kind), out)

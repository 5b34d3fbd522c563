"""Sparse matrices by their diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import issparse
from ._bases import SparseBase, sparray, spmatrix
from ._coo import class_of_scipy, from_scipy, is_of_scipy, is_shape, with_two_axes
from ._formats import CLASSES
from ._index import check_shape, get_index_dtype, supported

__all__ = ["dia_array", "dia_matrix", "isspmatrix_dia"]


class _Dia(SparseBase):
    format = "dia"

    def __init__(
        self,
        arg1: Any,
        shape: Any = None,
        dtype: Any = None,
        copy: bool = False,
        *,
        maxprint: int | None = None,
    ) -> None:
        if maxprint is not None:
            self.maxprint = maxprint
        arg1 = with_two_axes(self, arg1, shape)
        if is_of_scipy(arg1):
            arg1 = from_scipy(arg1)
        if is_shape(arg1, 2):
            sizes = check_shape(arg1)
            self._set(cp.zeros((0, 0), dtype or np.float64), cp.zeros(0, np.int32), sizes)
        elif isinstance(arg1, tuple):
            data, offsets = arg1
            if shape is None:
                raise ValueError(f"{type(self).__name__}: expected a shape argument")
            values = cp.array(data, copy=copy) if isinstance(data, ndarray) else as_array(data)
            values = values.reshape(1, -1) if values.ndim < 2 else values
            places = as_array(offsets)
            places = places.reshape(1) if places.ndim == 0 else places
            if values.ndim != 2 or places.ndim != 1:
                raise ValueError("data array must have rank 2, offsets rank 1")
            if values.shape[0] != places.size:
                raise ValueError(
                    f"number of diagonals ({values.shape[0]}) does not match "
                    f"the number of offsets ({places.size})"
                )
            if cp.unique(places).size != places.size:
                raise ValueError("offset array contains duplicate values")
            self._set(values, places.astype(np.int32, copy=copy), check_shape(shape))
        else:
            other: Any = arg1 if issparse(arg1) else CLASSES["coo", self._is_array](arg1)
            found = type(self)._from_coo(other.tocoo()) if other.format != "dia" else other
            self._set(found.data.copy() if copy else found.data, found.offsets, found.shape)
            if shape is not None and check_shape(shape) != self.shape:
                raise ValueError(f"inconsistent shapes: {self.shape} and {tuple(shape)}")
        self.data = self.data.astype(supported(dtype or self.data.dtype), copy=False)

    def _set(self, data: ndarray, offsets: ndarray, shape: tuple[int, int]) -> None:
        self.data, self.offsets, self._shape = data, offsets, shape

    @classmethod
    def _from_coo(cls, coo: Any) -> Any:
        """Return a matrix of the diagonals that have elements."""
        made = cls.__new__(cls)
        if coo.nnz == 0:
            made._set(cp.zeros((0, 0), coo.dtype), cp.zeros(0, np.int32), coo.shape)
            return made
        if not coo.has_canonical_format:
            coo = coo.copy()
            coo.sum_duplicates()
        offsets, number = cp.unique(coo.col.astype(np.int64) - coo.row, return_inverse=True)
        data = cp.zeros((offsets.size, int(coo.col.max()) + 1), coo.dtype)
        data[number.ravel(), coo.col] = coo.data
        made._set(data, offsets.astype(np.int32), coo.shape)
        return made

    def _kept_by_diagonals(self, other: Any, found: Any) -> Any:
        """Return what was made of two matrices, by diagonals where both are."""
        return found.todia() if getattr(other, "format", "") == "dia" else found

    def _merged(self, other: Any, function: Any) -> Any:
        return self._kept_by_diagonals(other, super()._merged(other, function))

    def multiply(self, other: Any) -> Any:
        """Return the product element by element."""
        found = super().multiply(other)
        return found.todia() if getattr(other, "format", "dia") == "dia" and issparse(found) else found

    def _matmul(self, other: Any) -> Any:
        return self._kept_by_diagonals(other, super()._matmul(other))

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        made = type(self).__new__(type(self))
        made._set(data, self.offsets.copy() if copy else self.offsets, self.shape)
        return made

    def _repr_details(self) -> str:
        return f" ({self.offsets.size} diagonals)"

    def _inside(self) -> tuple[ndarray, ndarray, ndarray]:
        """Return rows and columns of the stored elements, and which lie inside of the matrix."""
        rows, columns = self.shape
        col = cp.arange(self.data.shape[1])[None, :]
        row = col - self.offsets.astype(np.int64)[:, None]
        inside = (row >= 0) & (row < rows) & (col < columns)
        return row, cp.broadcast_to(col, row.shape), inside

    def _getnnz(self, axis: Any) -> Any:
        if axis is not None:
            raise NotImplementedError(
                "getnnz: counts along an axis are not supported for diagonals; use tocsr()"
            )
        return int(cp.count_nonzero(self._inside()[2]))

    def count_nonzero(self, axis: Any = None) -> Any:
        """Return how many stored elements are not zero."""
        return self.tocoo().count_nonzero(axis)

    def tocoo(self, copy: bool = False) -> Any:
        """Return the matrix as coordinates and values, without the zeros of its diagonals."""
        row, col, inside = self._inside()
        stored = inside & (self.data != 0)
        coo = self._as("coo")._made(self.data[stored], row[stored], col[stored], self.shape)
        # By rows, as compressed ones: no place is there twice.
        coo.sum_duplicates()
        return coo

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix in compressed columns, without the zeros of its diagonals."""
        return self.tocoo().tocsc()

    def todia(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows, without the zeros of its diagonals."""
        rows, columns = self.shape
        columns = min(columns, int(self.data.shape[1]))
        order = cp.argsort(self.offsets)
        # By rows, and in a row by diagonals: the order of compressed rows.
        col = cp.arange(rows)[:, None] + self.offsets.astype(np.int64)[order][None, :]
        inside = (col >= 0) & (col < columns)
        if not rows or not columns or not self.offsets.size:
            return self._as("csr")(self.shape, dtype=self.dtype)
        values = self.data[order[None, :], cp.clip(col, 0, columns - 1)]
        inside = inside & (values != 0)
        kind = get_index_dtype(maxval=max(*self.shape, values.size))
        indptr = cp.zeros(rows + 1, kind)
        indptr[1:] = cp.cumsum(cp.count_nonzero(inside, axis=1))
        return self._as("csr")._made(values[inside], col[inside].astype(kind), indptr, self.shape, True)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose."""
        self._check_axes(axes)
        return type(self)._from_coo(self.tocoo().transpose())

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        cls = class_of_scipy(self.format, self._is_array)
        return cls((self.data.get(), self.offsets.get()), shape=self.shape)


class dia_matrix(_Dia, spmatrix):
    """A sparse matrix by its diagonals.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, offsets) or shape
        What the matrix is made of: row `i` of `data` is the diagonal ``offsets[i]``, by columns.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.dia_matrix((cp.array([[1, 2, 3]]), [1]), shape=(3, 3)).toarray()
    array([[0, 2, 0],
           [0, 0, 3],
           [0, 0, 0]])
    """

    _is_array = False


class dia_array(_Dia, sparray):
    """A sparse array by its diagonals; as `dia_matrix`, with operators that work element by element.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, offsets) or shape
        What the array is made of.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.dia_array(cp.eye(2)).offsets
    array([0], dtype=int32)
    """

    _is_array = True


CLASSES["dia", False], CLASSES["dia", True] = dia_matrix, dia_array


def isspmatrix_dia(x: Any) -> bool:
    """Return whether an object is a `dia_matrix`.

    Parameters
    ----------
    x : object
        The object.

    Returns
    -------
    bool

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.isspmatrix_dia(sparse.dia_matrix((2, 2)))
    True
    """
    return isinstance(x, dia_matrix)

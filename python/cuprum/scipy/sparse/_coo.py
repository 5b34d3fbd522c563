"""Sparse matrices as coordinates and values."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import issparse
from ._bases import SparseBase, sparray, spmatrix
from ._formats import CLASSES, LINES
from ._index import check_range, check_shape, get_index_dtype, index_array, supported, value_array
from ._structure import compressed, has_room

__all__ = ["coo_array", "coo_matrix", "isspmatrix_coo"]


class _Coo(SparseBase):
    format = "coo"

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
        if issparse(arg1):
            coo = arg1.tocoo()
            self._set(coo.data, coo.row, coo.col, coo.shape, coo.has_canonical_format)
            if copy and coo is arg1:
                self._set(
                    coo.data.copy(), coo.row.copy(), coo.col.copy(), coo.shape, coo.has_canonical_format
                )
        elif is_shape(arg1, 2):
            empty = cp.empty(0, get_index_dtype(maxval=max(check_shape(arg1), default=0)))
            self._set(cp.empty(0, dtype or np.float64), empty, empty.copy(), check_shape(arg1), True)
        elif isinstance(arg1, tuple):
            self._take(arg1, shape, copy)
        else:
            dense = as_array(arg1)
            if dense.ndim == 0 and self._is_array:
                what = TypeError if hasattr(arg1, "ndim") else ValueError
                raise what(f"{type(self).__name__}: a sparse array cannot be made of one number: {arg1!r}")
            dense = dense.reshape(1, -1) if dense.ndim < 2 else dense
            if dense.ndim != 2:
                raise ValueError(f"{type(self).__name__}: a sparse matrix has two axes, got {dense.ndim}")
            row, col = cp.nonzero(dense)
            kind = get_index_dtype(maxval=max(dense.shape))
            shape_here = (dense.shape[0], dense.shape[1])
            self._set(dense[row, col], row.astype(kind), col.astype(kind), shape_here, True)
        if shape is not None and check_shape(shape) != self.shape:
            raise ValueError(f"inconsistent shapes: {self.shape} and {tuple(shape)}")
        self.data = self.data.astype(supported(dtype or self.data.dtype), copy=False)

    def _take(self, arg1: tuple[Any, ...], shape: Any, copy: bool) -> None:
        if len(arg1) == 2 and isinstance(arg1[1], (tuple, list)) and len(arg1[1]) != 2:
            raise ValueError(f"mismatching number of index arrays: got {len(arg1[1])}, expected 2")
        try:
            data, (row, col) = arg1
        except (TypeError, ValueError):
            raise TypeError(
                f"{type(self).__name__}: invalid input format: (data, (row, col)) is expected"
            ) from None
        values = value_array(data, copy)
        rows, columns = index_array(row, "row"), index_array(col, "column")
        if not values.ndim == 1 or not values.size == rows.size == columns.size:
            raise ValueError(
                "row, column, and data array must all be the same length, "
                f"got {rows.size}, {columns.size} and {values.size}"
            )
        if shape is None:
            if rows.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            sizes = (int(rows.max()) + 1, int(columns.max()) + 1)
        else:
            sizes = check_shape(shape)
        check_range(rows, sizes[0], "row")
        check_range(columns, sizes[1], "column")
        kind = get_index_dtype((rows, columns) if self._is_array else (), maxval=max(sizes))
        self._set(values, rows.astype(kind, copy=copy), columns.astype(kind, copy=copy), sizes)

    def _set(
        self, data: ndarray, row: ndarray, col: ndarray, shape: tuple[int, int], canonical: bool = False
    ) -> None:
        self.data, self.row, self.col, self._shape = data, row, col, shape
        self.has_canonical_format = canonical

    @classmethod
    def _made(
        cls, data: ndarray, row: ndarray, col: ndarray, shape: tuple[int, int], canonical: bool = False
    ) -> Any:
        """Return a matrix of parts that are known to fit."""
        made = cls.__new__(cls)
        kind = get_index_dtype(maxval=max(shape))
        made._set(data, row.astype(kind, copy=False), col.astype(kind, copy=False), shape, canonical)
        return made

    def _check(self) -> None:
        """Raise where the index arrays, which anybody may change, name places outside of the matrix."""
        check_range(self.row, self.shape[0], "row")
        check_range(self.col, self.shape[1], "column")

    @property
    def coords(self) -> tuple[ndarray, ndarray]:
        """The rows and the columns."""
        return self.row, self.col

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        row, col = (self.row.copy(), self.col.copy()) if copy else (self.row, self.col)
        return type(self)._made(data, row, col, self.shape, self.has_canonical_format)

    def _getnnz(self, axis: Any) -> Any:
        if axis is None:
            return int(self.data.size)
        axis = self._axis("getnnz", axis)
        return cp.bincount(self.col if axis == 0 else self.row, minlength=self.shape[1 - axis])

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose."""
        self._check_axes(axes)
        parts = (self.data, self.col, self.row)
        if copy:
            parts = tuple(part.copy() for part in parts)  # type: ignore[assignment]
        return type(self)._made(*parts, self.shape[::-1])

    def tocoo(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows; elements that are stored twice are added up."""
        size = self.data.size
        if self.has_canonical_format or size == 0 or not has_room(max(self.shape), size):
            data, row, col = self._summed()
            self._check()
            return self._as("csr")._of_sorted(data, row, col, self.shape)
        start, col, data = compressed(self.row, self.col, self.data, self.shape)
        return self._as("csr")._made(data, col, start, self.shape, True)

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix in compressed columns."""
        return self.transpose().tocsr().transpose()

    def _summed(self) -> tuple[ndarray, ndarray, ndarray]:
        """Return values, rows and columns in the order of rows, none of them twice."""
        if self.has_canonical_format or self.data.size == 0:
            return self.data, self.row, self.col
        if self.shape[0] * self.shape[1] < 1 << 63:
            order = cp.argsort(self.row.astype(np.int64) * max(self.shape[1], 1) + self.col, kind="stable")
        else:
            order = cp.lexsort((self.col, self.row))
        row, col, data = self.row[order], self.col[order], self.data[order]
        first = cp.concatenate((cp.ones(1, bool), (col[1:] != col[:-1]) | (row[1:] != row[:-1])))
        starts = cp.flatnonzero(first)
        if starts.size < row.size:
            add = cp.logical_or if data.dtype == np.bool_ else cp.add
            data = add.reduceat(data, starts).astype(data.dtype, copy=False)
            row, col = row[starts], col[starts]
        return data, row, col

    def _without_duplicates(self) -> Any:
        if self.has_canonical_format:
            return self
        data, row, col = self._summed()
        return self if data.size == self.data.size else type(self)._made(data, row, col, self.shape, True)

    def _extreme(self, op: str, function: Any, axis: Any, out: Any, explicit: bool) -> Any:
        """Return an extreme element; that of all of them without compressed rows, however many there are."""
        rows, columns = self.shape
        if axis is not None or 0 in self.shape or self.data.size == 0:
            return super()._extreme(op, function, axis, out, explicit)
        data = self._summed()[0]
        found = function.reduce(data)
        return found if explicit or data.size == rows * columns else function(found, self.dtype.type(0))

    def sum_duplicates(self) -> None:
        """Add up elements that are stored twice, in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import coo_matrix
        >>> places = cp.asarray([0, 1, 0]), cp.asarray([1, 0, 1])
        >>> m = coo_matrix((cp.asarray([1.0, 0.0, 2.0]), places), shape=(2, 2))
        >>> m.sum_duplicates()
        >>> m.data
        array([3., 0.])
        """
        self._set(*self._summed(), self.shape, True)

    def eliminate_zeros(self) -> None:
        """Remove stored zeros in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import coo_matrix
        >>> places = cp.asarray([0, 1, 0]), cp.asarray([1, 0, 1])
        >>> m = coo_matrix((cp.asarray([1.0, 0.0, 2.0]), places), shape=(2, 2))
        >>> m.eliminate_zeros()
        >>> m.nnz
        2
        """
        keep = self.data != 0
        self._set(self.data[keep], self.row[keep], self.col[keep], self.shape, self.has_canonical_format)

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        cls = class_of_scipy(self.format, self._is_array)
        return cls((self.data.get(), (self.row.get(), self.col.get())), shape=self.shape)


def class_of_scipy(format: str, is_array: bool) -> Any:
    """Return SciPy's class of a format."""
    return getattr(importlib.import_module("scipy.sparse"), f"{format}_{'array' if is_array else 'matrix'}")


def is_of_scipy(x: Any) -> bool:
    """Return whether an object is one of SciPy's sparse matrices, without importing SciPy."""
    return type(x).__module__.startswith("scipy.sparse")


def from_scipy(x: Any) -> Any:
    """Return one of SciPy's sparse matrices as ours: compressed ones and diagonals as they are, others as
    coordinates.
    """
    if x.format == "dia":
        diagonals = cp.asarray(x.data), cp.asarray(x.offsets)
        return CLASSES["dia", type(x).__name__.endswith("_array")](diagonals, shape=x.shape)
    if x.format in ("csr", "csc") and x.ndim == 2:
        parts = (cp.asarray(part) for part in (x.data, x.indices, x.indptr))
        return CLASSES[x.format, type(x).__name__.endswith("_array")](tuple(parts), shape=x.shape)
    coo = x.tocoo()
    if coo.ndim == 1:
        return coo_array(x)
    if coo.ndim != 2:
        raise ValueError(f"a sparse array has one axis or two, got {coo.ndim}")
    made = coo_array._made(cp.asarray(coo.data), cp.asarray(coo.row), cp.asarray(coo.col), coo.shape)
    check_range(made.row, made.shape[0], "row")
    check_range(made.col, made.shape[1], "column")
    made.has_canonical_format = False
    return made


def is_shape(x: Any, axes: int) -> bool:
    """Return whether an object is a shape of so many axes."""
    return (
        isinstance(x, tuple)
        and len(x) == axes
        and all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in x)
    )


def has_one_axis(arg1: Any, shape: Any) -> bool:
    """Return whether what an array is to be made of has one axis."""
    if shape is not None:
        return isinstance(shape, (int, np.integer)) or len(shape) == 1
    if issparse(arg1) or is_of_scipy(arg1):
        return bool(arg1.ndim == 1)
    if isinstance(arg1, tuple):
        is_pair = len(arg1) == 2 and isinstance(arg1[1], (tuple, list)) and len(arg1[1]) == 1
        return is_shape(arg1, 1) or is_pair
    return bool(arg1.ndim == 1 if hasattr(arg1, "ndim") else as_array(arg1).ndim == 1)


def with_two_axes(made: Any, arg1: Any, shape: Any) -> Any:
    """Return what a matrix is made of; a sparse array of one axis as one row. Arrays need two axes here."""
    if made._is_array and has_one_axis(arg1, shape):
        name = type(made).__name__
        raise ValueError(f"{name}: two axes are needed; coo_array and csr_array may have one")
    if (issparse(arg1) or is_of_scipy(arg1)) and arg1.ndim == 1:
        return (from_scipy(arg1) if is_of_scipy(arg1) else arg1)._plane()
    return arg1


class coo_matrix(_Coo, spmatrix):
    """A sparse matrix as coordinates and values.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, (row, col)) or shape
        What the matrix is made of. Elements that are given twice count as their sum.
    shape : tuple of int, optional
        The shape; as large as the coordinates need by default.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.coo_matrix((cp.array([1.0, 2.0, 4.0]), (cp.array([0, 1, 1]), cp.array([0, 2, 2]))), (2, 3))
    >>> a.toarray()
    array([[1., 0., 0.],
           [0., 0., 6.]])
    """

    _is_array = False


class coo_array(_Coo, sparray):
    """A sparse array as coordinates and values; as `coo_matrix`, with operators that work element by element.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, (row, col)) or shape
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
    >>> (sparse.coo_array(cp.eye(2)) * 3).toarray()
    array([[3., 0.],
           [0., 3.]])

    What has one axis makes an array of one axis.

    >>> (sparse.coo_array(cp.array([0.0, 2.0, 0.0])) @ cp.ones(3)).item()
    2.0
    """

    _is_array = True

    def __new__(cls, arg1: Any = None, shape: Any = None, *args: Any, **kwargs: Any) -> Any:
        is_line = cls is coo_array and arg1 is not None and has_one_axis(arg1, shape)
        return object.__new__(LINES["coo"] if is_line else cls)

    def __getitem__(self, key: Any) -> Any:
        found = self.tocsr()[key]
        if isinstance(found, ndarray) and found.ndim == 1:
            return coo_array(found)
        return found.tocoo() if issparse(found) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        csr = self.tocsr()
        # Rows go into columns here, sparse ones too, and no zeros are stored: as in SciPy.
        csr._assign(key, cp.asarray(value.toarray()) if hasattr(value, "toarray") else value)
        csr.eliminate_zeros()
        coo = csr.tocoo()
        self._set(coo.data, coo.row, coo.col, self.shape, True)


CLASSES["coo", False], CLASSES["coo", True] = coo_matrix, coo_array


def isspmatrix_coo(x: Any) -> bool:
    """Return whether an object is a `coo_matrix`.

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
    >>> sparse.isspmatrix_coo(sparse.coo_matrix((2, 2)))
    True
    """
    return isinstance(x, coo_matrix)

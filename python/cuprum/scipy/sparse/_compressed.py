"""Sparse matrices in compressed rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray, sparse_merge
from ._base import as_dense, issparse
from ._bases import sparray, spmatrix
from ._coo import class_of_scipy, coo_array, coo_matrix, from_scipy, has_one_axis, is_of_scipy, with_two_axes
from ._extrema import LineExtrema
from ._formats import CLASSES, LINES
from ._index import check_range, check_shape, get_index_dtype, index_array, supported, value_array
from ._indexing import Indexing
from ._products import columns_times_vector, suits_columns, times_matrix, times_sparse, times_vector
from ._structure import grouped, has_room, merged, starts_of

__all__ = ["csc_array", "csc_matrix", "csr_array", "csr_matrix", "isspmatrix_csc", "isspmatrix_csr"]


class _Compressed(Indexing, LineExtrema):
    """Lines along the major axis: rows of `csr`, columns of `csc`."""

    _major: int

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
        is_parts = isinstance(arg1, tuple) and len(arg1) == 3
        if is_parts:
            self._take(arg1, shape, copy)
        else:
            if is_of_scipy(arg1):
                arg1 = from_scipy(arg1)
            if not issparse(arg1):
                made_of = coo_array if self._is_array else coo_matrix
                arg1 = made_of(arg1, shape=shape, dtype=dtype, copy=copy)
            elif shape is not None and check_shape(shape) != arg1.shape:
                raise ValueError(f"inconsistent shapes: {arg1.shape} and {tuple(shape)}")
            other = arg1.asformat(self.format)
            parts = (other.data, other.indices, other.indptr)
            if copy and other is arg1:
                parts = tuple(part.copy() for part in parts)
            self._set(*parts, other.shape, other._canonical_known)
        self.data = self.data.astype(supported(dtype or self.data.dtype), copy=False)

    def _take(self, arg1: tuple[Any, Any, Any], shape: Any, copy: bool) -> None:
        data, indices, indptr = arg1
        values = value_array(data, copy)
        minor, starts = index_array(indices, "indices"), index_array(indptr, "index pointer")
        if values.ndim != 1 or values.size != minor.size:
            raise ValueError(
                f"indices and data should have the same size, got {minor.size} and {values.size}"
            )
        if starts.size == 0:
            raise ValueError("index pointer should have at least one element")
        if shape is None:
            sizes = [starts.size - 1, int(minor.max()) + 1 if minor.size else 0]
            sizes = sizes if self._major == 0 else sizes[::-1]
        else:
            sizes = list(check_shape(shape))
        if starts.size != sizes[self._major] + 1:
            raise ValueError(f"index pointer size ({starts.size}) should be ({sizes[self._major] + 1})")
        falls = cp.any(starts[1:] < starts[:-1]) if starts.size > 1 else cp.asarray(False)
        first, last, fell = (int(one) for one in (starts[0], starts[-1], falls))
        if first != 0:
            raise ValueError(f"index pointer should start with 0, got {first}")
        if fell:
            raise ValueError("index pointer values must form a non-decreasing sequence")
        if last > minor.size:
            raise ValueError(
                f"Last value of index pointer should be less than the size of index and data arrays: {last}"
            )
        check_range(minor[:last], sizes[1 - self._major], "column" if self._major == 0 else "row")
        kind = get_index_dtype((minor, starts) if self._is_array else (), maxval=max(*sizes, last))
        self._set(
            values[:last],
            minor[:last].astype(kind, copy=copy),
            starts.astype(kind, copy=copy),
            (sizes[0], sizes[1]),
        )

    def _set(
        self,
        data: ndarray,
        indices: ndarray,
        indptr: ndarray,
        shape: tuple[int, int],
        canonical: bool | None = None,
    ) -> None:
        self.data, self.indices, self.indptr, self._shape = data, indices, indptr, shape
        # Whether each line's indices rise, and whether they do not fall; None where nobody has looked.
        self._canonical_known = canonical
        self._sorted_known: bool | None = True if canonical else None

    @classmethod
    def _made(
        cls,
        data: ndarray,
        indices: ndarray,
        indptr: ndarray,
        shape: tuple[int, int],
        canonical: bool | None = None,
    ) -> Any:
        """Return a matrix of parts that are known to fit."""
        made = cls.__new__(cls)
        made._set(data, indices, indptr, shape, canonical)
        return made

    @classmethod
    def _of_sorted(cls, data: ndarray, major: ndarray, minor: ndarray, shape: tuple[int, int]) -> Any:
        """Return a matrix of elements in the order of lines, none of them twice."""
        length = shape[cls._major]
        kind = get_index_dtype(maxval=max(*shape, data.size))
        indptr = starts_of(major, length, np.dtype(kind))
        return cls._made(data, minor.astype(kind, copy=False), indptr, shape, True)

    def _other_format(self) -> Any:
        """Return the matrix with lines along the other axis: elements in the order of their indices."""
        count = self.shape[1 - self._major]
        start, lines, data = grouped(self.indices, self.indptr, self.data, count, are_starts=True)
        other = self._as("csc" if self.format == "csr" else "csr")
        # Lines come in order, so that they rise; the same index may be there twice where it was before.
        return other._made(data, lines, start, self.shape, True if self._canonical_known else None)

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        indices, indptr = (self.indices.copy(), self.indptr.copy()) if copy else (self.indices, self.indptr)
        return type(self)._made(data, indices, indptr, self.shape, self._canonical_known)

    # Order

    @property
    def has_canonical_format(self) -> bool:
        """Whether the indices of each line rise, so that none is there twice."""
        if self._canonical_known is None:
            self._canonical_known = self._indices_rise(strictly=True)
        return self._canonical_known

    @has_canonical_format.setter
    def has_canonical_format(self, known: bool) -> None:
        self._canonical_known = bool(known)
        self._sorted_known = True if known else None

    @property
    def has_sorted_indices(self) -> bool:
        """Whether the indices of each line do not fall."""
        if self._sorted_known is None:
            self._sorted_known = bool(self._canonical_known) or self._indices_rise(strictly=False)
        return self._sorted_known

    @has_sorted_indices.setter
    def has_sorted_indices(self, known: bool) -> None:
        self._sorted_known = bool(known)

    def _indices_rise(self, strictly: bool) -> bool:
        if self.indices.size < 2:
            return True
        lines = self._lines()
        step = self.indices[1:] > self.indices[:-1] if strictly else self.indices[1:] >= self.indices[:-1]
        return bool(cp.logical_or(step, lines[1:] != lines[:-1]).all())

    def _lines(self) -> ndarray:
        """Return the line of each element."""
        length = self.shape[self._major]
        return cp.repeat(cp.arange(length, dtype=self.indices.dtype), cp.diff(self.indptr))

    def _canonical(self) -> Any:
        """Return the matrix with rising indices; itself where it has."""
        return self if self.has_canonical_format else self.tocoo(copy=False).asformat(self.format)

    def _without_duplicates(self) -> Any:
        return self._canonical()

    def sum_duplicates(self) -> None:
        """Add up elements that are stored twice, in place; indices rise then.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.sum_duplicates()
        >>> m.nnz
        2
        """
        other = self._canonical()
        self._set(other.data, other.indices, other.indptr, self.shape, True)

    def sort_indices(self) -> None:
        """Sort the indices of each line in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.sort_indices()
        >>> m.indices
        array([1, 0], dtype=int32)
        """
        if self.has_sorted_indices:
            return
        other = self.sorted_indices()
        self._set(other.data, other.indices, other.indptr, self.shape, other._canonical_known)

    def sorted_indices(self) -> Any:
        """Return the matrix with sorted indices.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.sorted_indices().indices
        array([1, 0], dtype=int32)
        """
        if self.has_sorted_indices:
            return self.copy()
        lines, width = self.shape[self._major], self.shape[1 - self._major]
        if has_room(width, self.indices.size):
            across = grouped(self.indices, self.indptr, self.data, width, are_starts=True)
            start, indices, data = grouped(across[1], across[0], across[2], lines, are_starts=True)
            return type(self)._made(data, indices, start, self.shape)
        order = cp.argsort(self._key(), kind="stable")
        return type(self)._made(self.data[order], self.indices[order], self.indptr.copy(), self.shape)

    def eliminate_zeros(self) -> None:
        """Remove stored zeros in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.data[0] = 0.0
        >>> m.eliminate_zeros()
        >>> m.nnz
        1
        """
        other = self._without_zeros()
        self._set(other.data, other.indices, other.indptr, self.shape, other._canonical_known)

    def _without_zeros(self) -> Any:
        if int(cp.count_nonzero(self.data)) == self.data.size:
            return self
        return self._kept(self.data != 0)

    def _kept(self, keep: ndarray) -> Any:
        """Return the matrix of the stored elements that a mask names."""
        kept = cp.concatenate((cp.zeros(1, np.int64), cp.cumsum(keep)))
        indptr = kept[self.indptr].astype(self.indptr.dtype)
        return type(self)._made(
            self.data[keep], self.indices[keep], indptr, self.shape, self._canonical_known
        )

    def prune(self) -> None:
        """Give back memory that no element uses.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.prune()
        """
        count = int(self.indptr[-1])
        if min(self.data.size, self.indices.size) < count:
            raise ValueError(
                f"prune: {count} elements, but arrays of {self.data.size} and {self.indices.size}"
            )
        self.data, self.indices = self.data[:count].copy(), self.indices[:count].copy()

    def check_format(self, full_check: bool = True) -> None:
        """Raise where the index arrays do not describe a matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.check_format()
        """
        type(self)((self.data, self.indices, self.indptr), shape=self.shape)

    # Conversions

    def tocoo(self, copy: bool = True) -> Any:
        """Return the matrix as coordinates and values."""
        data, indices = (self.data.copy(), self.indices.copy()) if copy else (self.data, self.indices)
        pair = (self._lines(), indices)
        row, col = pair if self._major == 0 else pair[::-1]
        canonical = bool(self._canonical_known) and self._major == 0
        return self._as("coo")._made(data, row, col, self.shape, canonical)

    def _getnnz(self, axis: Any) -> Any:
        if axis is None:
            return int(self.indices.size)
        axis = self._axis("getnnz", axis)
        if axis != self._major:
            return cp.diff(self.indptr)
        return cp.bincount(self.indices, minlength=self.shape[1 - axis])

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose: the same arrays in the other format."""
        self._check_axes(axes)
        parts = (self.data, self.indices, self.indptr)
        if copy:
            parts = tuple(part.copy() for part in parts)  # type: ignore[assignment]
        other = "csc" if self.format == "csr" else "csr"
        return self._as(other)._made(*parts, self.shape[::-1], self._canonical_known)

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        cls = class_of_scipy(self.format, self._is_array)
        return cls((self.data.get(), self.indices.get(), self.indptr.get()), shape=self.shape)

    # Elementwise, of two matrices with rising indices

    def _key(self) -> ndarray:
        return self._lines().astype(np.int64) * max(self.shape[1 - self._major], 1) + self.indices

    def _of_key(self, key: ndarray, data: ndarray) -> Any:
        major, minor = cp.divmod(key, max(self.shape[1 - self._major], 1))
        return type(self)._of_sorted(data, major, minor, self.shape)

    def _merged(self, other: Any, function: Any) -> Any:
        """Return a function of two elements, of which it makes zero where both are."""
        made, has_zeros = self._combined(other, function, is_union=True)
        return made._without_zeros() if has_zeros else made

    def _times_elements(self, other: Any) -> Any:
        """Return the product element by element with a sparse matrix of the same shape."""
        # Zeros that are not stored matter beside infinity and NaN alone.
        is_union = not (_is_finite(self.data) and _is_finite(other.data))
        made, has_zeros = self._combined(other, cp.multiply, is_union)
        return made._without_zeros() if has_zeros else made

    def _combined(self, other: Any, function: Any, is_union: bool) -> tuple[Any, bool]:
        """Return a function of what either matrix stores, or both do, and whether some of it may be zero."""
        a, b = self._canonical(), other.asformat(self.format)._canonical()
        if _have_one_pattern(a, b):
            return a._with_data(function(a.data, b.data), copy=True), True
        lines, width = self.shape[self._major], self.shape[1 - self._major]
        sides = [(m.indptr, m.indices, m.data) for m in (a, b)]
        # Comparisons of uint64 with signed integers are by value, and no loop of one dtype.
        if self.data.device == "cpu" and {a.dtype.kind, b.dtype.kind} != {"i", "u"}:
            parts, zeros = sparse_merge(function.__name__, is_union, sides[0], sides[1], width)
            return type(self)._made(parts[2], parts[1], parts[0], self.shape, True), zeros > 0
        mine, theirs, indices, indptr = merged(sides[0], sides[1], lines, width, is_union)
        return type(self)._made(function(mine, theirs), indices, indptr, self.shape, True), True

    def _times_broadcast(self, other: ndarray) -> Any:
        """Return the product element by element with an array that broadcasts to the shape."""
        other = other.reshape(1, -1) if other.ndim < 2 else other
        shape = np.broadcast_shapes(self.shape, other.shape)
        if shape != self.shape:
            return self._as("coo")(self.toarray() * other)
        coo = self.tocoo(copy=False)
        spread = cp.broadcast_to(other, self.shape)
        return coo._with_data(coo.data * spread[coo.row, coo.col])

    # Products

    def _row_sums(self) -> ndarray:
        """Return the sum of each compressed line."""
        first = self.indices[:0] if not self.indices.size else cp.zeros_like(self.indices)
        ones = type(self)._made(self.data, first, self.indptr, self.shape)
        return times_vector(ones, cp.ones(1, self.dtype))

    def _matmul(self, other: Any) -> Any:
        if issparse(other):
            if other.ndim == 1:
                return other._after(self)
            if other.shape[0] != self.shape[1]:
                raise ValueError(f"matmul: dimension mismatch: {self.shape} and {other.shape}")
            if self._major == 1:
                # The transposes in compressed rows are the same arrays.
                found = times_sparse(other.tocsc().transpose(), self.transpose())
                shape, known = (self.shape[0], other.shape[1]), found._canonical_known
                return type(self)._made(found.data, found.indices, found.indptr, shape, known)
            return times_sparse(self, other.tocsr())
        dense = as_dense(other)
        if dense is None:
            return NotImplemented
        if dense.ndim not in (1, 2) or dense.shape[0] != self.shape[1]:
            raise ValueError(f"matmul: dimension mismatch: {self.shape} and {dense.shape}")
        if dense.ndim == 1 and self._major == 1 and suits_columns(self):
            return columns_times_vector(self, dense)
        return times_vector(self.tocsr(), dense) if dense.ndim == 1 else times_matrix(self.tocsr(), dense)


def _have_one_pattern(a: Any, b: Any) -> bool:
    """Whether two matrices in canonical form store the same places, as far as that is soon known."""
    if a.indices is b.indices and a.indptr is b.indptr:
        return True
    # A GPU would have to be waited for.
    if a.indices.size != b.indices.size or a.data.device != "cpu":
        return False
    return cp.array_equal(a.indptr, b.indptr) and cp.array_equal(a.indices, b.indices)


def _is_finite(data: ndarray) -> bool:
    return data.dtype.kind not in "fc" or bool(cp.isfinite(data).all())


class _Csr(_Compressed):
    format = "csr"
    _major = 0

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix in compressed columns."""
        return self._other_format()


class _Csc(_Compressed):
    format = "csc"
    _major = 1

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows."""
        return self._other_format()


class csr_matrix(_Csr, spmatrix):
    """A sparse matrix in compressed rows.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, indices, indptr), (data, (row, col)) or shape
        What the matrix is made of. Row `i` has the columns ``indices[indptr[i]:indptr[i + 1]]``.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.csr_matrix(cp.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]]))
    >>> a @ cp.ones(3)
    array([3., 3.])
    >>> a.indices
    array([0, 2, 2], dtype=int32)
    """

    _is_array = False


class csr_array(_Csr, sparray):
    """A sparse array in compressed rows; as `csr_matrix`, with operators that work element by element.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, indices, indptr), (data, (row, col)) or shape
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
    >>> a = sparse.csr_array(cp.array([[1.0, 0.0], [0.0, 3.0]]))
    >>> (a * a).sum(axis=0)
    array([1., 9.])

    What has one axis makes an array of one axis; so does a row.

    >>> a[1].toarray()
    array([0., 3.])
    """

    _is_array = True

    def __new__(cls, arg1: Any = None, shape: Any = None, *args: Any, **kwargs: Any) -> Any:
        is_line = cls is csr_array and arg1 is not None and has_one_axis(arg1, shape)
        return object.__new__(LINES["csr"] if is_line else cls)


class csc_matrix(_Csc, spmatrix):
    """A sparse matrix in compressed columns.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, indices, indptr), (data, (row, col)) or shape
        What the matrix is made of. Column `j` has the rows ``indices[indptr[j]:indptr[j + 1]]``.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.csc_matrix(cp.array([[1.0, 0.0], [4.0, 3.0]])).indices
    array([0, 1, 1], dtype=int32)
    """

    _is_array = False


class csc_array(_Csc, sparray):
    """A sparse array in compressed columns; as `csc_matrix`, with operators that work element by element.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, indices, indptr), (data, (row, col)) or shape
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
    >>> sparse.csc_array(cp.eye(2)).nnz
    2
    """

    _is_array = True


CLASSES.update(
    {
        ("csr", False): csr_matrix,
        ("csr", True): csr_array,
        ("csc", False): csc_matrix,
        ("csc", True): csc_array,
    }
)


def isspmatrix_csr(x: Any) -> bool:
    """Return whether an object is a `csr_matrix`.

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
    >>> sparse.isspmatrix_csr(sparse.csr_matrix((2, 2)))
    True
    """
    return isinstance(x, csr_matrix)


def isspmatrix_csc(x: Any) -> bool:
    """Return whether an object is a `csc_matrix`.

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
    >>> sparse.isspmatrix_csc(sparse.csr_matrix((2, 2)))
    False
    """
    return isinstance(x, csc_matrix)

"""Sparse matrices that are filled element by element: SciPy's lists of lists and dictionaries of keys.

Elements that are written one at a time wait in a dictionary of the host. Whatever needs the whole matrix
merges them into compressed rows on the device, in one step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._base import is_scalar, issparse
from ._bases import SparseBase, sparray, spmatrix
from ._compressed import csr_array, csr_matrix
from ._coo import with_two_axes
from ._formats import CLASSES, LINES
from ._index import check_shape, supported

__all__ = ["dok_array", "dok_matrix", "isspmatrix_dok", "isspmatrix_lil", "lil_array", "lil_matrix"]

_Key = tuple[int, int]


class _Incremental(SparseBase):
    _rows: Any
    _waiting: dict[_Key, Any]

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
        kind = csr_array if self._is_array else csr_matrix
        self._set(kind(arg1, shape=shape, dtype=dtype, copy=True)._canonical())

    def _set(self, csr: Any) -> None:
        self._rows, self._waiting, self._shape = csr, {}, csr.shape

    @classmethod
    def _from_csr(cls, csr: Any) -> Any:
        made = cls.__new__(cls)
        made._set(csr)
        return made

    def _merged_rows(self) -> Any:
        """Return the matrix in compressed rows, with all elements that were written."""
        if self._waiting:
            waiting, self._waiting = self._waiting, {}
            keys = np.array(list(waiting), np.int64).reshape(-1, 2)
            values = np.array(list(waiting.values()), self.dtype)
            self._rows._assign((cp.asarray(keys[:, 0]), cp.asarray(keys[:, 1])), cp.asarray(values))
            if not values.all():
                self._rows.eliminate_zeros()
        return self._rows

    @property
    def data(self) -> Any:
        """The stored elements; formats that have other parts show them under their own names."""
        return self._merged_rows().data

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._rows.dtype

    @property
    def device(self) -> Any:
        """The device that holds the elements."""
        return self._rows.device

    def _mapped(self, function: Callable[[ndarray], ndarray]) -> Any:
        return type(self)._from_csr(self._merged_rows()._mapped(function))

    @property
    def real(self) -> Any:
        """The real parts, in compressed rows."""
        return self.tocsr().real

    @property
    def imag(self) -> Any:
        """The imaginary parts, in compressed rows."""
        return self.tocsr().imag

    def _mapped_once(self, function: Callable[[ndarray], ndarray]) -> Any:
        return self.tocsr()._mapped_once(function)

    def __imul__(self, other: Any) -> Any:
        rows = self._merged_rows()
        return NotImplemented if rows.__imul__(other) is NotImplemented else self

    def __itruediv__(self, other: Any) -> Any:
        rows = self._merged_rows()
        return NotImplemented if rows.__itruediv__(other) is NotImplemented else self

    def _quotient_dtype(self) -> np.dtype[Any]:
        return self.dtype if self.dtype.kind in "fc" else np.dtype(np.float64)

    def copy(self) -> Any:
        """Return a copy that shares no memory."""
        return type(self)._from_csr(self._merged_rows().copy())

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """Return the matrix with elements of another dtype."""
        return type(self)._from_csr(self._merged_rows().astype(supported(dtype), casting, copy))

    def _getnnz(self, axis: Any) -> Any:
        return self._merged_rows()._getnnz(axis)

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows."""
        return self._merged_rows().copy()

    def tocoo(self, copy: bool = False) -> Any:
        """Return the matrix as coordinates and values."""
        return self._merged_rows().tocoo()

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose."""
        self._check_axes(axes)
        return type(self)._from_csr(self._merged_rows().transpose().tocsr())

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """Return the matrix with its elements in another shape."""
        found = super().reshape(*shape, order=order, copy=copy)
        return found.asformat("lil") if self.format == "lil" and found.ndim == 2 else found

    def resize(self, *shape: Any) -> None:
        """Change the shape in place; elements outside of it are removed."""
        rows = self._merged_rows()
        rows.resize(*shape)
        self._set(rows)

    def __getitem__(self, key: Any) -> Any:
        place = self._place(key)
        if place is not None and place in self._waiting:
            return self._waiting[place]
        found = self._merged_rows()[key]
        if isinstance(found, ndarray) and found.ndim == 2:
            return type(self)(found)
        if isinstance(found, ndarray) and found.ndim == 1:
            return LINES["coo"](found)
        return found.asformat(self.format) if issparse(found) and found.ndim == 2 else found

    def __setitem__(self, key: Any, value: Any) -> None:
        place = self._place(key)
        if place is not None and is_scalar(value) and not isinstance(value, ndarray):
            self._waiting[place] = self.dtype.type(value)
            return
        rows = self._merged_rows()
        rows._assign(key, value)
        rows.eliminate_zeros()

    def _place(self, key: Any) -> _Key | None:
        """Return the row and column of a key that names one element."""
        if not (isinstance(key, tuple) and len(key) == 2):
            return None
        if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in key):
            return None
        return self._index(key[0], 0), self._index(key[1], 1)


class _Lil(_Incremental):
    format = "lil"

    def tolil(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def __neg__(self) -> Any:
        return -self.tocsr()

    def __iadd__(self, other: Any) -> Any:
        self[:, :] = self + other
        return self

    def __isub__(self, other: Any) -> Any:
        self[:, :] = self - other
        return self

    def _scaled(self, by: Any) -> Any:
        return super()._scaled(by) if by != 0 else type(self)(self.shape, dtype=super()._scaled(by).dtype)

    @property
    def rows(self) -> Any:
        """The columns of each row's elements: an array of lists, in the host's memory."""
        return self._lists(self._merged_rows().sorted_indices().indices)

    @property
    def data(self) -> Any:
        """The values of each row's elements: an array of lists, in the host's memory."""
        return self._lists(self._merged_rows().sorted_indices().data)

    def _lists(self, values: ndarray) -> Any:
        host, starts = values.tolist(), self._merged_rows().indptr.tolist()
        lists = np.empty(self.shape[0], object)
        for i, (begin, end) in enumerate(zip(starts, starts[1:], strict=False)):
            lists[i] = host[begin:end]
        return lists

    def getrowview(self, i: int) -> Any:
        """Return a row as a matrix of one.

        Examples
        --------
        >>> from cuprum.scipy.sparse import lil_matrix
        >>> m = lil_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.getrowview(0).toarray()
        array([[0., 3.]])
        """
        return self._merged_rows()[[self._index(i, 0)], :].tolil()

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        return self._merged_rows().get(stream).tolil()


class _Dok(_Incremental):
    format = "dok"

    def todok(self, copy: bool = False) -> Any:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    def _dictionary(self) -> dict[_Key, Any]:
        """Return the elements by their places, in the host's memory."""
        coo = self._merged_rows()._canonical().tocoo()
        pairs = zip(coo.row.tolist(), coo.col.tolist(), strict=True)
        return dict(zip(pairs, coo.data.get(), strict=True))

    def __add__(self, other: Any) -> Any:
        if is_scalar(other):
            return type(self)(self.toarray() + other)
        found = super().__add__(other)
        return found.todok() if issparse(found) else found

    def __len__(self) -> int:
        return int(self.nnz)

    def __contains__(self, key: Any) -> bool:
        place = self._place(key)
        if place is None:
            raise IndexError(f"a key is a row and a column, got {key!r}")
        return place in self._dictionary()

    def keys(self) -> Any:
        """Return the places of the elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> list(m.keys())
        [(0, 1)]
        """
        return self._dictionary().keys()

    def values(self) -> Any:
        """Return the elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> list(m.values())
        [np.float64(3.0)]
        """
        return self._dictionary().values()

    def items(self) -> Any:
        """Return places and elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> list(m.items())
        [((0, 1), np.float64(3.0))]
        """
        return self._dictionary().items()

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._dictionary())

    def get(self, key: Any = None, default: Any = 0.0) -> Any:
        """Return the element at a place, or a default; without a place, SciPy's matrix of the same format.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.get((0, 1)), m.get((1, 1))
        (np.float64(3.0), 0.0)
        """
        if key is None:
            return self._merged_rows().get().todok()
        place = self._place(key)
        if place is None:
            raise IndexError(f"Index {key!r} must be a row and a column")
        return self._dictionary().get(place, default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the element at a place; where there is none, set it.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.setdefault((1, 1), 5.0), m.nnz
        (5.0, 2)
        """
        found = self._dictionary()
        place = self._place(key)
        if place not in found:
            self[key] = default
            return default
        return found[place]

    def pop(self, key: Any, default: Any = None) -> Any:
        """Remove the element at a place and return it.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.pop((0, 1)), m.nnz
        (np.float64(3.0), 0)
        """
        place = self._place(key)
        found = self._dictionary()
        if place not in found:
            if default is None:
                raise KeyError(key)
            return default
        self[key] = 0
        return found[place]

    def clear(self) -> None:
        """Remove all elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.clear()
        >>> m.nnz
        0
        """
        self._set(type(self._rows)(self.shape, dtype=self.dtype))

    def update(self, values: Any) -> None:
        """Set elements from a dictionary of places, or from another matrix of this format.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> try:
        ...     m.update({(1, 1): 2.0})
        ... except NotImplementedError:
        ...     print("not for sparse matrices")
        """
        pairs: Iterable[Any] = values.items() if hasattr(values, "items") else values
        for key, value in pairs:
            self[key] = value

    @classmethod
    def fromkeys(cls, iterable: Iterable[Any], value: Any = 1) -> Any:
        """Return a matrix with one value at the places that are named, as large as they need.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> dok_matrix.fromkeys([(0, 1), (1, 0)], 2).toarray()
        array([[0, 2],
               [2, 0]])
        """
        keys = list(iterable)
        if not keys:
            raise ValueError("fromkeys: the places are needed for a shape, got none")
        shape = (max(key[0] for key in keys) + 1, max(key[1] for key in keys) + 1)
        made = cls(check_shape(shape), dtype=np.asarray(value).dtype)
        for key in keys:
            made[key] = value
        return made

    def conjtransp(self) -> Any:
        """Return the conjugate transpose.

        Examples
        --------
        >>> from cuprum.scipy.sparse import dok_matrix
        >>> m = dok_matrix((2, 2))
        >>> m[0, 1] = 3.0
        >>> m.conjtransp().toarray()
        array([[0., 0.],
               [3., 0.]])
        """
        return self.transpose().conj()


class lil_matrix(_Lil, spmatrix):
    """A sparse matrix that is filled element by element, row by row.

    Writing single elements costs no work on the device; products and reductions convert to compressed rows.

    Parameters
    ----------
    arg1 : array_like, sparse matrix or shape
        What the matrix is made of.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Without effect: the arrays are copied.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.lil_matrix((2, 3))
    >>> a[0, 1] = 4
    >>> a[1, :] = cp.array([1.0, 0.0, 2.0])
    >>> a.toarray()
    array([[0., 4., 0.],
           [1., 0., 2.]])
    """

    _is_array = False


class lil_array(_Lil, sparray):
    """A sparse array that is filled element by element; as `lil_matrix`.

    Parameters
    ----------
    arg1 : array_like, sparse matrix or shape
        What the array is made of.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Without effect: the arrays are copied.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.lil_array((2, 2))
    >>> a[1, 0] = 3
    >>> a.rows.tolist()
    [[], [0]]
    """

    _is_array = True


class dok_matrix(_Dok, spmatrix):
    """A sparse matrix that is filled element by element, with the methods of a dictionary.

    Parameters
    ----------
    arg1 : array_like, sparse matrix or shape
        What the matrix is made of.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Without effect: the arrays are copied.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.dok_matrix((2, 3))
    >>> a[0, 2] = 4
    >>> list(a.keys())
    [(0, 2)]
    """

    _is_array = False


class dok_array(_Dok, sparray):
    """A sparse array that is filled element by element; as `dok_matrix`.

    Parameters
    ----------
    arg1 : array_like, sparse matrix or shape
        What the array is made of.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Without effect: the arrays are copied.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.dok_array((2, 3))
    >>> a[1, 1] = 2
    >>> len(a)
    1
    """

    _is_array = True


CLASSES["lil", False], CLASSES["lil", True] = lil_matrix, lil_array
CLASSES["dok", False], CLASSES["dok", True] = dok_matrix, dok_array


def isspmatrix_lil(x: Any) -> bool:
    """Return whether an object is a `lil_matrix`.

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
    >>> sparse.isspmatrix_lil(sparse.lil_matrix((2, 2)))
    True
    """
    return isinstance(x, lil_matrix)


def isspmatrix_dok(x: Any) -> bool:
    """Return whether an object is a `dok_matrix`.

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
    >>> sparse.isspmatrix_dok(sparse.dok_matrix((2, 2)))
    True
    """
    return isinstance(x, dok_matrix)

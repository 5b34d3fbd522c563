"""The bases of sparse arrays and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ._reductions import Reductions

__all__ = ["isspmatrix", "sparray", "spmatrix"]

# Functions of elements that leave zeros alone: methods of every sparse matrix.
_UNARY = [
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "ceil",
    "deg2rad",
    "expm1",
    "floor",
    "log1p",
    "rad2deg",
    "rint",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]


class SparseBase(Reductions):
    """A sparse matrix of some format, with its operators."""


def _unary_method(name: str) -> Any:
    def method(self: SparseBase) -> Any:
        return self._mapped_once(getattr(cp, name))

    method.__name__ = name
    method.__doc__ = f"""Return `{name}` of each element; it leaves zeros alone.

    Examples
    --------
    >>> m = cp.scipy.sparse.csr_matrix(cp.eye(2))
    >>> bool((m.{name}().toarray() == cp.{name}(cp.eye(2))).all())
    True
    """
    return method


for _name in _UNARY:
    setattr(SparseBase, _name, _unary_method(_name))


class sparray(SparseBase):
    """The base of sparse arrays, whose operators work element by element.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> isinstance(sparse.eye_array(2), sparse.sparray)
    True
    """

    _is_array = True


class spmatrix(SparseBase):
    """The base of sparse matrices, whose ``*`` is the matrix product.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> isinstance(sparse.eye(2), sparse.spmatrix)
    True
    """

    _is_array = False

    @property
    def shape(self) -> tuple[int, int]:
        """The lengths of the axes; what is set must have as many elements."""
        return self._shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        self.set_shape(shape)

    @property
    def A(self) -> ndarray:
        """The matrix as an array with all its zeros."""
        return self.toarray()

    @property
    def H(self) -> Any:
        """The conjugate transpose."""
        return self.getH()

    def getH(self) -> Any:
        """Return the conjugate transpose.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> (m * 1j).getH().toarray()
        array([[0.+0.j, 0.-4.j],
               [0.-1.j, 0.+0.j]])
        """
        return self.transpose().conj()

    def asfptype(self) -> Any:
        """Return the matrix with elements of a floating-point dtype.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.asfptype().dtype.name
        'float64'
        """
        return self if self.dtype.kind in "fc" else self.astype(np.float64)

    def getnnz(self, axis: Any = None) -> Any:
        """Return how many elements are stored, in all or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.getnnz()
        2
        """
        return self._getnnz(axis)

    def get_shape(self) -> tuple[int, int]:
        """Return the shape.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.get_shape()
        (2, 2)
        """
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Reshape in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.set_shape((1, 4))
        >>> m.shape
        (1, 4)
        """
        other = self.reshape(shape).asformat(self.format)
        self.__dict__.update(other.__dict__)

    def getformat(self) -> str:
        """Return the name of the format.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.getformat()
        'csr'
        """
        return self.format

    def getmaxprint(self) -> int:
        """Return how many elements are printed.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.getmaxprint()
        50
        """
        return self.maxprint

    def getrow(self, i: int) -> Any:
        """Return a row as a matrix of one.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.getrow(1).toarray()
        array([[4., 0.]])
        """
        return self._in_lines()[[self._index(i, 0)], :].tocsr()

    def getcol(self, j: int) -> Any:
        """Return a column as a matrix of one.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.getcol(1).toarray()
        array([[1.],
               [0.]])
        """
        column = self._in_lines()[:, [self._index(j, 1)]]
        return column.tobsr((self.blocksize[0], 1)) if self.format == "bsr" else column  # type: ignore[attr-defined]


def isspmatrix(x: Any) -> bool:
    """Return whether an object is a sparse matrix of ours.

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
    >>> sparse.isspmatrix(sparse.eye(3))
    True
    """
    return isinstance(x, spmatrix)

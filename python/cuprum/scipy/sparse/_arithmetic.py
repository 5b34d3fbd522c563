"""Arithmetic of sparse matrices: sums, products, quotients, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import SparseCore, as_dense, is_scalar, issparse


class Arithmetic(SparseCore):
    """A sparse matrix of some format, with its arithmetic."""

    def __neg__(self) -> Any:
        if self.dtype.kind == "b":
            raise NotImplementedError("negating a boolean sparse array is not supported")
        return self._mapped(lambda data: -data)

    def __pos__(self) -> Any:
        return self.copy()

    def __abs__(self) -> Any:
        return self._mapped_once(abs)

    def __round__(self, ndigits: int = 0) -> Any:
        return self._mapped_once(lambda data: cp.round(data, ndigits))

    def _in_lines(self) -> Any:
        """Return the matrix itself where it is compressed, else in compressed rows."""
        return self if self.format in ("csr", "csc") else self.tocsr()

    def _merged(self, other: Any, function: Any) -> Any:
        return self.tocsr()._merged(other.tocsr(), function)

    def _times_broadcast(self, other: ndarray) -> Any:
        return self.tocsr()._times_broadcast(other)

    def _spread(self, other: Any) -> tuple[Any, Any]:
        """Return this matrix and another in one shape: a row or a column stands for a whole matrix."""
        if other.shape == self.shape:
            return self, other
        try:
            shape = np.broadcast_shapes(self.shape, other.shape)
        except ValueError:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}") from None
        of = self._as("csr")
        return tuple(of(cp.broadcast_to(one.toarray(), shape)) for one in (self, other))

    def _checked(self, other: Any) -> Any:
        if other.shape != self.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        return other

    def __add__(self, other: Any) -> Any:
        if is_scalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if issparse(other):
            return self._merged(self._checked(other), cp.add)
        other = as_dense(other)
        return NotImplemented if other is None else self.toarray() + other

    def __radd__(self, other: Any) -> Any:
        return self.__add__(other)

    def __sub__(self, other: Any) -> Any:
        if is_scalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("subtracting a nonzero scalar from a sparse array is not supported")
        if issparse(other):
            are_truth = self.dtype.kind == other.dtype.kind == "b"
            return self._merged(self._checked(other), cp.not_equal if are_truth else cp.subtract)
        other = as_dense(other)
        return NotImplemented if other is None else self.toarray() - other

    def __rsub__(self, other: Any) -> Any:
        if is_scalar(other):
            if other == 0:
                return -self.copy()
            raise NotImplementedError("subtracting a sparse array from a nonzero scalar is not supported")
        other = as_dense(other)
        return NotImplemented if other is None else other - self.toarray()

    def multiply(self, other: Any) -> Any:
        """Return the product element by element; `other` may be a number, an array or a sparse matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.multiply(m).toarray()
        array([[ 0.,  1.],
               [16.,  0.]])
        """
        if is_scalar(other):
            return self._scaled(other)
        if issparse(other):
            lines = self._in_lines()
            if other.shape == self.shape:
                return lines._times_elements(other.asformat(lines.format))
            return lines._times_broadcast(other.toarray()).asformat(lines.format)
        dense = as_array(other)
        if dense.size == 1 and dense.ndim <= 2:
            scaled = self._scaled(dense.reshape(()))
            return scaled.tocsr() if self.format in ("coo", "lil", "dok") else scaled
        return self._times_broadcast(dense)

    def _scaled(self, by: Any) -> Any:
        return self._mapped(lambda data: data * by)

    def __imul__(self, other: Any) -> Any:
        if not is_scalar(other):
            return NotImplemented
        self.data *= other
        return self

    def __itruediv__(self, other: Any) -> Any:
        if not is_scalar(other):
            return NotImplemented
        self.data *= 1.0 / other
        return self

    def maximum(self, other: Any) -> Any:
        """Return the larger of each two elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.maximum(csr_matrix(2 * cp.eye(2))).toarray()
        array([[2., 1.],
               [4., 2.]])
        """
        return self._extremum(other, cp.maximum)

    def minimum(self, other: Any) -> Any:
        """Return the smaller of each two elements.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.minimum(csr_matrix(2 * cp.eye(2))).toarray()
        array([[0., 0.],
               [0., 0.]])
        """
        return self._extremum(other, cp.minimum)

    def _extremum(self, other: Any, function: Any) -> Any:
        # As SciPy's: columns stay columns.
        form = "csc" if self.format == "csc" else "csr"
        if is_scalar(other):
            if function(0, other) == 0:
                lines = self._in_lines()._canonical()
                return lines._with_data(function(lines.data, other))._without_zeros().asformat(form)
            return self._as(self.format)(function(self.toarray(), other))
        if issparse(other):
            one, other = self._spread(other)
            return one._merged(other, function).asformat(form)
        return function(self.toarray(), as_array(other))

    def __mul__(self, other: Any) -> Any:
        if self._is_array or is_scalar(other):
            return self.multiply(other)
        return self._matmul(other)

    def __rmul__(self, other: Any) -> Any:
        if self._is_array or is_scalar(other):
            return self.multiply(other)
        return self._rmatmul(other)

    def __matmul__(self, other: Any) -> Any:
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._matmul(other)

    def __rmatmul__(self, other: Any) -> Any:
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._rmatmul(other)

    def dot(self, other: Any) -> Any:
        """Return the matrix product, or the matrix scaled by a number.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.dot(cp.asarray([1.0, 2.0]))
        array([2., 4.])
        """
        # Arrays without axes are numbers to coordinates alone, as in SciPy.
        is_number = is_scalar(other) if self.format == "coo" else np.isscalar(other)
        product = self.multiply(other) if is_number else self.__matmul__(other)
        if product is NotImplemented:
            raise TypeError(f"dot: a sparse matrix cannot be multiplied by {type(other).__name__}")
        return product

    def _matmul(self, other: Any) -> Any:
        return self.tocsr()._matmul(other)

    def _rmatmul(self, other: Any) -> Any:
        other = as_dense(other)
        if other is None:
            return NotImplemented
        return (self.transpose()._matmul(other.T)).T

    def __truediv__(self, other: Any) -> Any:
        if is_scalar(other):
            if self.format != "dok" and type(other) in (bool, int, float, complex) and other == 0:
                raise ZeroDivisionError("a sparse matrix is divided by zero")
            kind = self._quotient_dtype()
            return self._mapped(lambda data: data.astype(kind) / other)
        if issparse(other):
            self._checked(other)
            kind = np.result_type(self.dtype, other.dtype)
            kind = kind if kind.kind == "c" else np.dtype(np.float64)
            with np.errstate(all="ignore"):
                return self.toarray().astype(kind) / other.toarray().astype(kind)
        other = as_dense(other)
        if other is None:
            return NotImplemented
        return self.multiply(1 / other)

    def _quotient_dtype(self) -> np.dtype[Any]:
        """Return the dtype of quotients by a number: those of float32 are float64, as SciPy has them."""
        return self.dtype if self.dtype.kind == "c" else np.dtype(np.float64)

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented

    def power(self, n: Any, dtype: Any = None) -> Any:
        """Return each element to a power that leaves zeros alone.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> m.power(2).toarray()
        array([[ 0.,  1.],
               [16.,  0.]])
        """
        if not is_scalar(n):
            raise NotImplementedError("power: input is not scalar")
        if not n:
            raise NotImplementedError("power: to the power of zero, zeros would be ones: use cp.ones")
        return self._mapped_once(lambda data: (data if dtype is None else data.astype(dtype)) ** n)

    def __pow__(self, n: Any) -> Any:
        if self._is_array:
            return self.power(n)
        rows, columns = self.shape
        if rows != columns:
            raise TypeError("matrix is not square")
        if not is_scalar(n) or not float(n).is_integer():
            raise ValueError(f"exponent must be an integer, got {n}")
        if n < 0:
            raise ValueError(f"exponent must be >= 0, got {n}")
        from ._construct import eye

        result, square, n = None, self, int(n)
        while n:
            if n & 1:
                result = square if result is None else result @ square
            n >>= 1
            if n:
                square = square @ square
        if result is None:
            return eye(rows, dtype=self.dtype, format="csr")
        return self.copy() if result is self else result

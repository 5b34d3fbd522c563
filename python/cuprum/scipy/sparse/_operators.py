"""Arithmetic, comparisons and reductions of sparse matrices, and the bases of arrays and matrices."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import SparseCore, SparseEfficiencyWarning, as_dense, is_scalar, issparse

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


class SparseBase(SparseCore):
    """A sparse matrix of some format, with its operators."""

    # Arithmetic

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
                return lines._intersected(other, cp.multiply)
            return lines._times_broadcast(other.toarray()).asformat(lines.format)
        dense = as_array(other)
        if dense.size == 1 and dense.ndim <= 2:
            return self._scaled(dense.reshape(()))
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

    # Comparisons

    def _compared(self, other: Any, function: Any) -> Any:
        form = "csc" if self.format == "csc" else "csr"
        if is_scalar(other):
            if not bool(function(np.zeros((), self.dtype), other)):
                lines = self._in_lines()._canonical()
                return lines._with_data(function(lines.data, other))._without_zeros()
            _warn_of_zeros(function, other)
            return self._as(form)(function(self.toarray(), other))
        if issparse(other):
            one, other = self._spread(other)
            if not bool(function(np.float64(0), np.float64(0))):
                return one._in_lines()._merged(other, function)
            _warn_of_zeros(function)
            return self._as(form)(function(one.toarray(), other.toarray()))
        other = as_dense(other)
        return NotImplemented if other is None else function(self.toarray(), other)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, cp.equal)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, cp.not_equal)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, cp.less)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, cp.less_equal)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, cp.greater)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, cp.greater_equal)

    # Extrema, with the zeros that are not stored

    def min(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element, or those along an axis; of the stored ones with `explicit`.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.min())
        0.0
        """
        return self._extreme("min", cp.minimum, axis, out, explicit)

    def max(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element, or those along an axis; of the stored ones with `explicit`.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.max())
        4.0
        """
        return self._extreme("max", cp.maximum, axis, out, explicit)

    def nanmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element that is not NaN, or those along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.nanmin())
        0.0
        """
        return self._extreme("nanmin", cp.fmin, axis, out, explicit)

    def nanmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element that is not NaN, or those along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> float(m.nanmax())
        4.0
        """
        return self._extreme("nanmax", cp.fmax, axis, out, explicit)

    def argmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the smallest element is, in all or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> int(m.argmin())
        0
        """
        return self._arg_extreme("argmin", cp.minimum, axis, out, explicit)

    def argmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the largest element is, in all or along an axis.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [4.0, 0.0]]))
        >>> int(m.argmax())
        2
        """
        return self._arg_extreme("argmax", cp.maximum, axis, out, explicit)

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
        axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
        if axis is None or isinstance(axis, tuple) and self._is_both("sum", axis):
            result = self.tocoo(copy=False).data.astype(wide).sum(dtype=dtype)
        else:
            axis = self._axis("sum", axis)
            csr = (self if axis == 1 else self.transpose()).tocsr().astype(wide)
            result = self._reduced(csr._row_sums(), axis)
            if dtype is not None:
                result = result.astype(dtype)
        if out is not None:
            if out.shape != result.shape:
                raise ValueError(f"sum: out has shape {out.shape}, the result {result.shape}")
            out[...] = result
            return out
        return result

    def _is_both(self, op: str, axes: tuple[Any, ...]) -> bool:
        """Whether a tuple of axes names both; one that names a single axis is refused by `_axis`."""
        return len(axes) == 2 and {self._axis(op, axis) for axis in axes} == {0, 1}

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
        if isinstance(axis, tuple):
            axis = axis[0] if len(axis) == 1 else None if self._is_both("mean", axis) else axis
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[self._axis("mean", axis)]
        if count == 0:
            raise ZeroDivisionError(f"mean: no elements to take the mean of: the shape is {self.shape}")
        once = self._without_duplicates() if self.dtype.kind == "b" else self
        total = once.astype(kind if kind.kind in "fc" else np.float64).sum(axis)
        result = (total / float(count)).astype(kind)
        if out is not None:
            out[...] = result
            return out
        return result


_SYMBOLS = {"equal": ("==", "!="), "less_equal": ("<=", ">"), "greater_equal": (">=", "<")}


def _warn_of_zeros(function: Any, number: Any = None) -> None:
    """Warn where a comparison holds for most of the zeros that are not stored."""
    symbol, instead = _SYMBOLS.get(function.__name__, (function.__name__, ""))
    what = "sparse matrices" if number is None else f"a sparse matrix with {number}"
    hint = f", try using {instead} instead" if instead and (number is None or number == 0) else ""
    text = f"Comparing {what} using {symbol} is inefficient{hint}."
    warnings.warn(text, SparseEfficiencyWarning, stacklevel=4)


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

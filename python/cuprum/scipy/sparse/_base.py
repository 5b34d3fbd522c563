"""What all sparse formats share: arithmetic, conversions and reductions by way of compressed rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._index import supported

__all__ = ["issparse", "isspmatrix", "sparray", "spmatrix"]

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

# The classes by format and kind, filled in where they are defined.
CLASSES: dict[tuple[str, bool], type[Any]] = {}


class SparseBase:
    """A sparse matrix of some format."""

    format: ClassVar[str] = ""
    _is_array: ClassVar[bool] = False
    # Operators of arrays leave it to the sparse operand what happens.
    __array_priority__ = 10.1
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    ndim = 2
    maxprint = 50

    _shape: tuple[int, int]

    # Shape and dtype

    @property
    def shape(self) -> tuple[int, int]:
        """The lengths of the axes."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self.data.dtype  # type: ignore[attr-defined]

    @property
    def nnz(self) -> int:
        """How many elements are stored, explicit zeros included."""
        return self._getnnz(None)

    @property
    def size(self) -> int:
        """How many elements are stored."""
        return self.nnz

    @property
    def device(self) -> Any:
        """The device that holds the elements."""
        return self.data.device  # type: ignore[attr-defined]

    def _as(self, format: str) -> type[Any]:
        """Return the class of a format, of arrays or matrices as this one."""
        return CLASSES[format, self._is_array]

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self) -> bool:
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()."
        )

    def __repr__(self) -> str:
        kind = "array" if self._is_array else "matrix"
        names = {
            "csr": "Compressed Sparse Row",
            "csc": "Compressed Sparse Column",
            "coo": "COOrdinate",
            "dia": "DIAgonal",
        }
        return (
            f"<{names[self.format]} sparse {kind} of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements and shape {self.shape}>"
        )

    def __str__(self) -> str:
        coo = self.tocoo()
        lines = [repr(self), "  Coords\tValues"]
        count, shown = coo.nnz, self.maxprint
        rows, columns, values = (part.get() for part in (coo.row, coo.col, coo.data))
        places = (
            list(range(count))
            if count <= shown
            else [*range(shown // 2), -1, *range(count - shown // 2, count)]
        )
        for at in places:
            lines.append("  :\t:" if at < 0 else f"  ({rows[at]}, {columns[at]})\t{values[at]}")
        return "\n".join(lines)

    # Conversions. Formats write `tocsr` and what they do without it.

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix in compressed rows."""
        return self.tocoo().tocsr()

    def tocsc(self, copy: bool = False) -> Any:
        """Return the matrix in compressed columns."""
        return self.tocsr().tocsc()

    def tocoo(self, copy: bool = False) -> Any:
        """Return the matrix as coordinates and values."""
        return self.tocsr().tocoo()

    def todia(self, copy: bool = False) -> Any:
        """Return the matrix by its diagonals."""
        return self._as("dia")._from_coo(self.tocoo())

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """Return the matrix in a format: "csr", "csc", "coo" or "dia"."""
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format not in ("csr", "csc", "coo", "dia"):
            raise ValueError(f"asformat: Format {format} is unknown; there are csr, csc, coo and dia")
        return getattr(self, f"to{format}")(copy=copy)

    def toarray(self, order: Any = None, out: Any = None) -> ndarray:
        """Return the matrix as an array with all its zeros."""
        coo = self.tocoo()
        order = order or "C"
        if order not in ("C", "F"):
            raise ValueError(f"toarray: order must be 'C' or 'F', got {order!r}")
        if out is not None:
            if out.shape != self.shape or out.dtype != self.dtype:
                raise ValueError(f"toarray: out must have shape {self.shape} and dtype {self.dtype}")
            result = out
            result[...] = 0
        else:
            result = cp.zeros(self.shape, self.dtype, order=order)
        if coo.nnz:
            if not coo.has_canonical_format:
                coo = coo.copy()
                coo.sum_duplicates()
            result[coo.row, coo.col] = coo.data
        return result

    def todense(self, order: Any = None, out: Any = None) -> ndarray:
        """Return what `toarray` does: there is no matrix class among dense arrays."""
        return self.toarray(order, out)

    @property
    def A(self) -> ndarray:
        """The matrix as an array with all its zeros."""
        return self.toarray()

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        return self.tocsr().get(stream).asformat(self.format)

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """Return the matrix with elements of another dtype."""
        dtype = supported(dtype)
        if not np.can_cast(self.dtype, dtype, casting):  # type: ignore[arg-type]
            raise TypeError(
                f"astype: cannot cast from {self.dtype} to {dtype} according to the rule {casting!r}"
            )
        if dtype == self.dtype:
            return self.copy() if copy else self
        return self._with_data(self.data.astype(dtype))  # type: ignore[attr-defined]

    def asfptype(self) -> Any:
        """Return the matrix with elements of a floating-point dtype."""
        return self if self.dtype.kind in "fc" else self.astype(np.float64)

    def copy(self) -> Any:
        """Return a copy that shares no memory."""
        return self._with_data(self.data.copy(), copy=True)  # type: ignore[attr-defined]

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        raise NotImplementedError

    def _getnnz(self, axis: Any) -> Any:
        raise NotImplementedError

    def count_nonzero(self, axis: Any = None) -> Any:
        """Return how many stored elements are not zero."""
        coo = self.tocoo()
        if axis is None:
            return int(cp.count_nonzero(coo.data))
        axis = self._axis("count_nonzero", axis)
        at = (coo.col if axis == 0 else coo.row)[coo.data != 0]
        return cp.bincount(at, minlength=self.shape[1 - axis])

    def getnnz(self, axis: Any = None) -> Any:
        """Return how many elements are stored, in all or along an axis."""
        return self._getnnz(axis)

    def get_shape(self) -> tuple[int, int]:
        """Return the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Reshape in place."""
        other = self.reshape(shape).asformat(self.format)
        self.__dict__.update(other.__dict__)

    def getformat(self) -> str:
        """Return the name of the format."""
        return self.format

    def getmaxprint(self) -> int:
        """Return how many elements are printed."""
        return self.maxprint

    # Parts

    @property
    def real(self) -> Any:
        """The real parts."""
        return self._with_data(self.data.real.copy())  # type: ignore[attr-defined]

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return self._with_data(self.data.imag.copy())  # type: ignore[attr-defined]

    def conj(self, copy: bool = True) -> Any:
        """Return the complex conjugate."""
        if self.dtype.kind != "c":
            return self.copy() if copy else self
        return self._with_data(self.data.conj())  # type: ignore[attr-defined]

    def conjugate(self, copy: bool = True) -> Any:
        """Return the complex conjugate."""
        return self.conj(copy)

    @property
    def T(self) -> Any:
        """The transpose."""
        return self.transpose()

    @property
    def mT(self) -> Any:
        """The transpose."""
        return self.transpose()

    @property
    def H(self) -> Any:
        """The conjugate transpose."""
        return self.getH()

    def getH(self) -> Any:
        """Return the conjugate transpose."""
        return self.transpose().conj()

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose."""
        raise NotImplementedError

    def _check_axes(self, axes: Any) -> None:
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError(f"transpose: sparse matrices exchange their two axes only, got axes={axes}")

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """Return the matrix with its elements in another shape."""
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        total = self.shape[0] * self.shape[1]
        sizes = [int(n) for n in shape]
        if len(sizes) != 2:
            raise ValueError(f"reshape: shape must have two axes, got {tuple(sizes)}")
        if sizes.count(-1) == 1:
            rest = sizes[0] * sizes[1] * -1
            if rest == 0 or total % rest:
                raise ValueError(f"reshape: cannot reshape array of size {total} into shape {tuple(sizes)}")
            sizes[sizes.index(-1)] = total // rest
        if sizes[0] * sizes[1] != total or min(sizes) < 0:
            raise ValueError(f"reshape: cannot reshape array of size {total} into shape {tuple(sizes)}")
        coo = self.tocoo()
        if order == "C":
            place = coo.row.astype(np.int64) * self.shape[1] + coo.col
            row, col = cp.divmod(place, max(sizes[1], 1))
        elif order == "F":
            place = coo.col.astype(np.int64) * self.shape[0] + coo.row
            col, row = cp.divmod(place, max(sizes[0], 1))
        else:
            raise ValueError(f"reshape: order must be 'C' or 'F', got {order!r}")
        result = self._as("coo")._made(coo.data, row, col, (sizes[0], sizes[1]))
        return result.asformat(self.format)

    def diagonal(self, k: int = 0) -> ndarray:
        """Return a diagonal as an array."""
        rows, columns = self.shape
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        result = cp.zeros(length, self.dtype)
        coo = self.tocoo()
        here = coo.col.astype(np.int64) - coo.row == k
        at = (coo.row if k >= 0 else coo.col)[here]
        if at.size:
            cp.add.at(result, at, coo.data[here])
        return result

    def trace(self, offset: int = 0) -> Any:
        """Return the sum of a diagonal."""
        return self.diagonal(offset).sum()

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Set a diagonal to an array's elements or to one value."""
        csr = self.tocsr()
        rows, columns = self.shape
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        if (k > 0 and k >= columns) or (k < 0 and -k >= rows):
            raise ValueError(f"setdiag: k={k} exceeds the shape {self.shape}")
        given = as_array(values)
        if given.ndim:
            length = min(length, given.size)
        at = cp.arange(length)
        csr[at - min(k, 0), at + max(k, 0)] = given[:length] if given.ndim else given
        self.__dict__.update(csr.asformat(self.format).__dict__)

    def nonzero(self) -> tuple[ndarray, ndarray]:
        """Return the rows and columns of the elements that are not zero."""
        coo = self.tocsr().tocoo()
        set_ = coo.data != 0
        return coo.row[set_], coo.col[set_]

    def getrow(self, i: int) -> Any:
        """Return a row as a matrix of one."""
        return self.tocsr()[[self._index(i, 0)], :]

    def getcol(self, j: int) -> Any:
        """Return a column as a matrix of one."""
        return self.tocsc()[:, [self._index(j, 1)]]

    def _index(self, i: Any, axis: int) -> int:
        n = self.shape[axis]
        if not -n <= i < n:
            raise IndexError(f"index ({i}) out of range for axis {axis} with size {n}")
        return int(i) % n

    # Arithmetic

    def __neg__(self) -> Any:
        return self._with_data(-self.data)  # type: ignore[attr-defined]

    def __pos__(self) -> Any:
        return self.copy()

    def __abs__(self) -> Any:
        return self._with_data(abs(self.data))  # type: ignore[attr-defined]

    def __round__(self, ndigits: int = 0) -> Any:
        return self._with_data(cp.round(self.data, ndigits))  # type: ignore[attr-defined]

    def _merged(self, other: Any, function: Any) -> Any:
        return self.tocsr()._merged(other.tocsr(), function)

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
            return self._merged(self._checked(other), cp.subtract)
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
        """Return the product element by element; `other` may be a number, an array or a sparse matrix."""
        if is_scalar(other):
            return self._scaled(other)
        if issparse(other):
            if other.shape == self.shape:
                return self.tocsr()._intersected(other.tocsr(), cp.multiply)
            return self.tocsr()._times_broadcast(other.toarray())
        return self.tocsr()._times_broadcast(as_array(other))

    def _scaled(self, by: Any) -> Any:
        return self._with_data(self.data * by)  # type: ignore[attr-defined]

    def maximum(self, other: Any) -> Any:
        """Return the larger of each two elements."""
        return self._extremum(other, cp.maximum)

    def minimum(self, other: Any) -> Any:
        """Return the smaller of each two elements."""
        return self._extremum(other, cp.minimum)

    def _extremum(self, other: Any, function: Any) -> Any:
        if is_scalar(other):
            if function(0, other) == 0:
                return self.tocsr()._with_data(function(self.tocsr().data, other))._without_zeros()
            return self._as("csr")(function(self.toarray(), other))
        if issparse(other):
            return self._merged(self._checked(other), function)
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
        """Return the matrix product, or the matrix scaled by a number."""
        return self.multiply(other) if is_scalar(other) else self._matmul(other)

    def _matmul(self, other: Any) -> Any:
        return self.tocsr()._matmul(other)

    def _rmatmul(self, other: Any) -> Any:
        other = as_dense(other)
        if other is None:
            return NotImplemented
        return (self.transpose()._matmul(other.T)).T

    def __truediv__(self, other: Any) -> Any:
        if is_scalar(other):
            # Quotients of float32 are float64, as SciPy has them.
            kind = self.dtype if self.dtype.kind == "c" else np.dtype(np.float64)
            return self._with_data(self.data.astype(kind) / other)  # type: ignore[attr-defined]
        if issparse(other):
            self._checked(other)
            kind = np.result_type(self.dtype, other.dtype)
            kind = kind if kind.kind == "c" else np.dtype(np.float64)
            with np.errstate(all="ignore"):
                return self.toarray().astype(kind) / other.toarray().astype(kind)
        other = as_dense(other)
        if other is None:
            return NotImplemented
        return self.tocsr()._times_broadcast(1 / other)

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented

    def power(self, n: Any, dtype: Any = None) -> Any:
        """Return each element to a power that leaves zeros alone."""
        if not is_scalar(n):
            raise NotImplementedError("power: input is not scalar")
        if n <= 0:
            raise NotImplementedError(
                f"power: exponents that make zeros something else are not supported, got {n}"
            )
        data = self.data if dtype is None else self.data.astype(dtype)  # type: ignore[attr-defined]
        return self._with_data(data**n)

    def __pow__(self, n: Any) -> Any:
        if self._is_array:
            return self.power(n)
        rows, columns = self.shape
        if rows != columns:
            raise TypeError("matrix is not square")
        if not float(n).is_integer() or n < 0:
            raise ValueError(f"exponent must be a non-negative integer, got {n}")
        from ._construct import eye

        result, square, n = None, self.tocsr(), int(n)
        while n:
            if n & 1:
                result = square if result is None else result @ square
            n >>= 1
            if n:
                square = square @ square
        return eye(rows, dtype=self.dtype, format="csr") if result is None else result

    # Comparisons

    def _compared(self, other: Any, function: Any) -> Any:
        csr = self.tocsr()
        if is_scalar(other):
            if not bool(function(np.zeros((), self.dtype), other)):
                csr = csr._canonical()
                return csr._with_data(function(csr.data, other))._without_zeros()
            return self._as("csr")(function(self.toarray(), other))
        if issparse(other):
            if other.shape != self.shape:
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            if not bool(function(np.float64(0), np.float64(0))):
                return csr._merged(other.tocsr(), function)
            return self._as("csr")(function(self.toarray(), other.toarray()))
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

    # Reductions

    def _axis(self, op: str, axis: Any) -> int:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError(f"{op}: axis must be an integer or None, got {axis!r}")
        if not -2 <= axis < 2:
            raise ValueError(f"{op}: axis {axis} is out of range for a matrix")
        return int(axis) % 2

    def _reduced(self, values: ndarray, axis: int) -> ndarray:
        """Return the results along an axis as arrays or matrices have them: without it, or of length 1."""
        return values if self._is_array else cp.expand_dims(values, axis)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the sum of all elements, or along an axis."""
        kind = self.dtype.kind
        wide = (
            {"b": np.int64, "i": np.int64, "u": np.uint64}.get(kind, self.dtype)
            if self.dtype.itemsize < 8
            else self.dtype
        )
        if axis is None:
            result = self.tocoo().data.astype(wide).sum(dtype=dtype)
        else:
            axis = self._axis("sum", axis)
            csr = (self if axis == 1 else self.transpose()).tocsr().astype(wide)
            ones = cp.ones(csr.shape[1], csr.dtype)
            result = self._reduced(csr._matmul(ones), axis)
            if dtype is not None:
                result = result.astype(dtype)
        if out is not None:
            out[...] = result
            return out
        return result

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the mean of all elements, or along an axis; zeros count."""
        kind = np.dtype(dtype or (np.float64 if self.dtype.kind in "biu" else self.dtype))
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[self._axis("mean", axis)]
        total = self.astype(kind if kind.kind in "fc" else np.float64).sum(axis)
        with np.errstate(all="ignore"):
            result = (total / count).astype(kind)
        if out is not None:
            out[...] = result
            return out
        return result


def _unary_method(name: str) -> Any:
    def method(self: SparseBase) -> Any:
        return self._with_data(getattr(cp, name)(self.data))  # type: ignore[attr-defined]

    method.__name__ = name
    method.__doc__ = f"Return `{name}` of each element; it leaves zeros alone."
    return method


for _name in _UNARY:
    setattr(SparseBase, _name, _unary_method(_name))


class sparray:
    """The base of sparse arrays, whose operators work element by element.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> isinstance(sparse.eye_array(2), sparse.sparray)
    True
    """

    _is_array = True


class spmatrix:
    """The base of sparse matrices, whose ``*`` is the matrix product.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> isinstance(sparse.eye(2), sparse.spmatrix)
    True
    """

    _is_array = False


def issparse(x: Any) -> bool:
    """Return whether an object is a sparse array or matrix of ours.

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
    >>> sparse.issparse(sparse.eye(3)), sparse.issparse(cp.eye(3))
    (True, False)
    """
    return isinstance(x, SparseBase)


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


def is_scalar(x: Any) -> bool:
    """Return whether an operand is one number."""
    return np.isscalar(x) or isinstance(x, (ndarray, np.ndarray)) and x.ndim == 0


def as_dense(x: Any) -> ndarray | None:
    """Return an operand as an array; None for objects that no array can be made of."""
    if isinstance(x, ndarray):
        return x
    if isinstance(x, (np.ndarray, list, tuple)):
        return as_array(x)
    return None

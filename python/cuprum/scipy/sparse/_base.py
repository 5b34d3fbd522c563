"""What all sparse formats share: shape, dtype, conversions and parts, by way of compressed rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import GenericAlias
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._formats import FORMAT_NAMES, LINES, Formats
from ._index import check_shape, supported

__all__ = [
    "SparseEfficiencyWarning",
    "SparseFormatWarning",
    "SparseWarning",
    "issparse",
]


class SparseWarning(Warning):
    """The base of warnings about sparse matrices."""


class SparseFormatWarning(SparseWarning):
    """A sparse matrix has parts that its format does not have."""


class SparseEfficiencyWarning(SparseWarning):
    """An operation is slow in the format of its operand."""


class SparseCore(Formats):
    """A sparse matrix of some format."""

    # Operators of arrays leave it to the sparse operand what happens.
    __array_priority__ = 10.1
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    ndim = 2
    maxprint = 50

    _shape: tuple[int, int]
    data: Any
    # Types are written as SciPy's: csr_array[dtype, shape].
    __class_getitem__: Any = classmethod(GenericAlias)

    # Shape and dtype

    @property
    def shape(self) -> tuple[int, int]:
        """The lengths of the axes."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self.data.dtype

    @property
    def nnz(self) -> int:
        """How many elements are stored, explicit zeros included."""
        return int(self._getnnz(None))

    @property
    def size(self) -> int:
        """How many elements are stored."""
        return self.nnz

    @property
    def device(self) -> Any:
        """The device that holds the elements."""
        return self.data.device

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
        return (
            f"<{FORMAT_NAMES[self.format]} sparse {kind} of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements{self._repr_details()} and shape {self.shape}>"
        )

    def _repr_details(self) -> str:
        """Return what a format tells of itself beside the number of its elements."""
        return ""

    def __str__(self) -> str:
        coo = self.tocoo(copy=False)
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

    # Conversions to dense arrays, to the host, and of elements

    def toarray(self, order: Any = None, out: Any = None) -> ndarray:
        """Return the matrix as an array with all its zeros.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.toarray()
        array([[0., 1.],
               [2., 0.]])
        """
        coo = self.tocoo(copy=False)
        if out is not None and order is not None:
            raise ValueError("toarray: order cannot be given beside out, which has one")
        order = order or "C"
        if order not in ("C", "F"):
            raise ValueError(f"toarray: order must be 'C' or 'F', got {order!r}")
        if out is not None:
            if out.shape != self.shape or out.dtype != self.dtype:
                raise ValueError(f"toarray: out must have shape {self.shape} and dtype {self.dtype}")
            result: ndarray = out
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
        """Return what `toarray` does: there is no matrix class among dense arrays.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.todense()
        array([[0., 1.],
               [2., 0.]])
        """
        return self.toarray(order, out)

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> type(m.get()).__module__.split(".")[0]
        'scipy'
        """
        return self.tocsr().get(stream).asformat(self.format)

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """Return the matrix with elements of another dtype.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.astype(cp.float32).dtype.name
        'float32'
        """
        dtype = supported(dtype)
        if not np.can_cast(self.dtype, dtype, casting):  # type: ignore[arg-type]
            raise TypeError(
                f"astype: cannot cast from {self.dtype} to {dtype} according to the rule {casting!r}"
            )
        if dtype == self.dtype:
            return self.copy() if copy else self
        return self._mapped(lambda data: data.astype(dtype))

    def copy(self) -> Any:
        """Return a copy that shares no memory.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> other = m.copy()
        >>> other.data[0] = 5.0
        >>> float(m.data[0])
        1.0
        """
        return self._with_data(self.data.copy(), copy=True)

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        raise NotImplementedError

    def _mapped(self, function: Callable[[ndarray], ndarray]) -> Any:
        """Return the matrix with a function of its stored elements."""
        return self._with_data(function(self.data), copy=True)

    def _without_duplicates(self) -> Any:
        """Return the matrix with no element stored twice; itself where it is so."""
        return self

    def _mapped_once(self, function: Callable[[ndarray], ndarray]) -> Any:
        """Return the matrix with a function of its elements, those that are stored twice as their sum."""
        return self._without_duplicates()._mapped(function)

    def _getnnz(self, axis: Any) -> Any:
        raise NotImplementedError

    def count_nonzero(self, axis: Any = None) -> Any:
        """Return how many elements are not zero; those that are stored twice count as their sum.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> int(m.count_nonzero())
        2
        """
        coo = self._without_duplicates().tocoo(copy=False)
        if axis is None:
            return int(cp.count_nonzero(coo.data))
        axis = self._axis("count_nonzero", axis)
        at = (coo.col if axis == 0 else coo.row)[coo.data != 0]
        found = cp.bincount(at, minlength=self.shape[1 - axis])
        # Along compressed lines elements are counted by the starts, as in SciPy.
        return found.astype(coo.row.dtype) if self.format == ("csc", "csr")[axis] else found

    # Parts

    @property
    def real(self) -> Any:
        """The real parts."""
        return self._mapped(lambda data: data.real.copy())

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return self._mapped(lambda data: data.imag.copy())

    def conj(self, copy: bool = True) -> Any:
        """Return the complex conjugate.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> (m * 1j).conj().toarray()
        array([[0.+0.j, 0.-1.j],
               [0.-2.j, 0.+0.j]])
        """
        if self.dtype.kind != "c":
            return self.copy() if copy else self
        return self._mapped(lambda data: data.conj())

    def conjugate(self, copy: bool = True) -> Any:
        """Return the complex conjugate.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> (m * 1j).conjugate().toarray()
        array([[0.+0.j, 0.-1.j],
               [0.-2.j, 0.+0.j]])
        """
        return self.conj(copy)

    @property
    def T(self) -> Any:
        """The transpose."""
        return self.transpose()

    @property
    def mT(self) -> Any:
        """The transpose."""
        return self.transpose()

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.transpose().toarray()
        array([[0., 2.],
               [1., 0.]])
        """
        raise NotImplementedError

    def _check_axes(self, axes: Any) -> None:
        if axes is not None and (not isinstance(axes, (tuple, list)) or tuple(axes) != (1, 0)):
            raise ValueError(f"transpose: sparse matrices exchange their two axes only, got axes={axes}")

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """Return the matrix with its elements in another shape.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.reshape((1, 4)).toarray()
        array([[0., 1., 2., 0.]])
        """
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        total = self.shape[0] * self.shape[1]
        sizes = [int(n) for n in shape]
        if len(sizes) == 1 and self._is_array:
            return self.tocoo().reshape(1, sizes[0], order=order, copy=copy)._as_line()
        if len(sizes) != 2:
            raise ValueError(f"reshape: shape must have two axes, got {tuple(sizes)}")
        if sizes.count(-1) == 1:
            rest = sizes[0] * sizes[1] * -1
            if rest == 0 or total % rest:
                raise ValueError(f"reshape: cannot reshape array of size {total} into shape {tuple(sizes)}")
            sizes[sizes.index(-1)] = total // rest
        if sizes[0] * sizes[1] != total or min(sizes) < 0:
            raise ValueError(f"reshape: cannot reshape array of size {total} into shape {tuple(sizes)}")
        if tuple(sizes) == self.shape:
            return self.copy() if copy else self
        coo = self.tocoo(copy=False)
        if order == "C":
            place = coo.row.astype(np.int64) * self.shape[1] + coo.col
            row, col = cp.divmod(place, max(sizes[1], 1))
        elif order == "F":
            place = coo.col.astype(np.int64) * self.shape[0] + coo.row
            col, row = cp.divmod(place, max(sizes[0], 1))
        else:
            raise ValueError(f"reshape: order must be 'C' or 'F', got {order!r}")
        return self._as("coo")._made(coo.data, row, col, (sizes[0], sizes[1]))

    def diagonal(self, k: int = 0) -> ndarray:
        """Return a diagonal as an array.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.diagonal(1)
        array([1.])
        """
        rows, columns = self.shape
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        result = cp.zeros(length, self.dtype)
        coo = self.tocoo(copy=False)
        here = coo.col.astype(np.int64) - coo.row == k
        at = (coo.row if k >= 0 else coo.col)[here]
        if at.size:
            cp.add.at(result, at, coo.data[here])
        return result

    def trace(self, offset: int = 0) -> Any:
        """Return the sum of a diagonal.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> float(m.trace())
        0.0
        """
        return self.diagonal(offset).sum()

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Set a diagonal to an array's elements or to one value.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.setdiag(cp.asarray([7.0, 8.0]))
        >>> m.toarray()
        array([[7., 1.],
               [2., 8.]])
        """
        csr = self.tocsr()
        rows, columns = self.shape
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        if (k > 0 and k >= columns) or (k < 0 and -k >= rows):
            raise ValueError(f"setdiag: k={k} exceeds the shape {self.shape}")
        given = as_array(values)
        if given.ndim:
            length = min(length, given.size)
        at = cp.arange(length)
        csr._assign((at - min(k, 0), at + max(k, 0)), given[:length] if given.ndim else given)
        self.__dict__.update(csr.asformat(self.format).__dict__)

    def nonzero(self) -> tuple[ndarray, ndarray]:
        """Return the rows and columns of the elements that are not zero.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.nonzero()
        (array([0, 1], dtype=int32), array([1, 0], dtype=int32))
        """
        coo = self.tocoo(copy=False)
        set_ = coo.data != 0
        row, col = coo.row[set_], coo.col[set_]
        if self.format == "csc":
            order = cp.argsort(row, kind="stable")
            row, col = row[order], col[order]
        return row, col

    def resize(self, *shape: Any) -> None:
        """Change the shape in place; elements outside of it are removed.

        Examples
        --------
        >>> from cuprum.scipy.sparse import csr_matrix
        >>> m = csr_matrix(cp.asarray([[0.0, 1.0], [2.0, 0.0]]))
        >>> m.resize((2, 3))
        >>> m.toarray()
        array([[0., 1., 0.],
               [2., 0., 0.]])
        """
        sizes = check_shape(shape[0] if len(shape) == 1 else shape)
        coo = self.tocoo(copy=False)
        inside = (coo.row < sizes[0]) & (coo.col < sizes[1])
        other = self._as("coo")._made(coo.data[inside], coo.row[inside], coo.col[inside], sizes)
        self.__dict__.update(other.asformat(self.format).__dict__)

    def __iter__(self) -> Iterator[Any]:
        if self.format in ("lil", "dok") or self.format == "coo" and self._is_array:
            yield from (self[i] for i in range(self.shape[0]))  # type: ignore[index]
            return
        rows = self.tocsr()
        for i in range(self.shape[0]):
            yield rows[i].tocsr() if self._is_array else rows[i]

    def _as_line(self, format: str = "coo") -> Any:
        """Return the array of one axis that one row, or one column, has the elements of."""
        row = self if self.shape[0] == 1 else self.tocoo().transpose()
        return LINES[format]._of_plane(row.asformat(format))

    def _index(self, i: Any, axis: int) -> int:
        n = self.shape[axis]
        if not -n <= i < n:
            raise IndexError(f"index ({i}) out of range for axis {axis} with size {n}")
        return int(i) % n

    def _axis(self, op: str, axis: Any) -> int:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError(f"{op}: axis must be an integer or None, got {axis!r}")
        if not -2 <= axis < 2:
            raise ValueError(f"{op}: axis {axis} is out of range for a matrix")
        return int(axis) % 2

    def _axis_or_all(self, op: str, axis: Any) -> int | None:
        """Return the axis that an argument names, None for both of them; a tuple names one or two."""
        if axis is None:
            return None
        if not isinstance(axis, tuple):
            return self._axis(op, axis)
        if not axis:
            raise ValueError(f"{op}: axis must name an axis, got ()")
        axes = [self._axis(op, one) for one in axis]
        if len(set(axes)) < len(axes):
            raise ValueError(f"{op}: axis names one axis twice: {axis}")
        return axes[0] if len(axes) == 1 else None


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
    return isinstance(x, SparseCore)


def is_scalar(x: Any) -> bool:
    """Return whether an operand is one number."""
    return x.ndim == 0 if isinstance(x, (ndarray, np.ndarray)) else np.isscalar(x)


def as_dense(x: Any) -> ndarray | None:
    """Return an operand as an array; None for objects that no array can be made of."""
    if isinstance(x, ndarray):
        return x
    if isinstance(x, (np.ndarray, list, tuple)):
        return as_array(x)
    return None

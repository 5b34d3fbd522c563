"""Sparse arrays of one axis, as coordinates and as one compressed row.

`coo_array` and `csr_array` make them of what has one axis. A line keeps the parts of the array of one row
that has the same elements; whatever it does goes by way of that array, its `_plane`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import as_dense, is_scalar, issparse
from ._compressed import csr_array
from ._coo import class_of_scipy, coo_array, is_of_scipy, is_shape
from ._formats import CLASSES, LINES
from ._index import check_length

__all__: list[str] = []


def lined(plane: Any, format: str) -> Any:
    """Return the line with the elements of an array of one row, or of one column."""
    return plane._as_line(format)


class _Line:
    """What lines of both formats share."""

    format: ClassVar[str]
    ndim = 1
    data: Any
    _shape: Any

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
        length = None if shape is None else check_length(shape)
        wide = None if length is None else (1, length)
        cls = CLASSES[self.format, True]
        if is_of_scipy(arg1):
            coo = arg1.tocoo()
            arg1 = (cp.asarray(coo.data), (cp.asarray(coo.coords[0]),))
            wide = wide or (1, coo.shape[0])
        if issparse(arg1):
            if arg1.ndim != 1:
                raise ValueError(f"inconsistent shapes: {arg1.shape} and {(length,)}")
            plane = arg1._plane()
        elif is_shape(arg1, 1):
            plane = cls((1, check_length(arg1)), dtype=dtype)
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            plane = csr_array(arg1, shape=wide)
        elif isinstance(arg1, tuple):
            values, (places,) = arg1
            columns = as_array(places)
            plane = coo_array((values, (cp.zeros(columns.shape, np.int32), columns)), shape=wide)
        else:
            dense = as_array(arg1)
            if dense.ndim != 1:
                raise ValueError(f"inconsistent shapes: {dense.shape} and {(length,)}")
            plane = coo_array(dense.reshape(1, -1))
        if length is not None and plane.shape[1] != length:
            raise ValueError(f"inconsistent shapes: {(plane.shape[1],)} and {(length,)}")
        plane = plane.asformat(self.format)
        if dtype is not None:
            plane = plane.astype(dtype, copy=False)
        self._take_plane(plane.copy() if copy else plane)

    def _plane(self) -> Any:
        raise NotImplementedError

    def _take_plane(self, plane: Any) -> None:
        raise NotImplementedError

    @classmethod
    def _of_plane(cls, plane: Any) -> Any:
        made = cls.__new__(cls)
        made._take_plane(plane)
        return made

    def _partner(self, other: Any) -> Any:
        """Return the plane of an operand of the same shape."""
        if other.shape != self._shape:
            raise ValueError(f"inconsistent shapes {self._shape} and {other.shape}")
        return other._plane()

    def _axis(self, op: str, axis: Any) -> int:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError(f"{op}: axis must be an integer or None, got {axis!r}")
        if not -1 <= axis < 1:
            raise ValueError(f"{op}: axis {axis} is out of range for an array of one axis")
        return 0

    # Conversions

    def __bool__(self) -> bool:
        if self._shape == (1,):
            return bool(self._plane().nnz != 0)
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()."
        )

    def __str__(self) -> str:
        text: str = str(self._plane().tocoo())
        places = text.split("\n")[3:]
        return "\n".join(
            [
                repr(self),
                "  Coords\tValues",
                *(line.replace("(0, ", "(").replace(")", ",)", 1) for line in places),
            ]
        )

    def tocoo(self, copy: bool = False) -> Any:
        """Return the array as coordinates and values."""
        found: Any = self if self.format == "coo" else lined(self._plane(), "coo")
        return found.copy() if copy else found

    def tocsr(self, copy: bool = False) -> Any:
        """Return the array as one compressed row."""
        found: Any = self if self.format == "csr" else lined(self._plane(), "csr")
        return found.copy() if copy else found

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """Return the array in a format: "coo" or "csr"."""
        if format not in (None, "coo", "csr"):
            raise ValueError(f"asformat: cannot convert a sparse array of one axis to {format} format")
        return self.tocoo(copy) if (format or self.format) == "coo" else self.tocsr(copy)

    def _refused(self, format: str) -> Any:
        raise ValueError(f"to{format}: cannot convert a sparse array of one axis to {format} format")

    def tocsc(self, copy: bool = False) -> Any:
        """Raise ValueError: columns need two axes."""
        return self._refused("csc")

    def todia(self, copy: bool = False) -> Any:
        """Raise ValueError: diagonals need two axes."""
        return self._refused("dia")

    def tobsr(self, blocksize: Any = None, copy: bool = False) -> Any:
        """Raise ValueError: blocks need two axes."""
        return self._refused("bsr")

    def tolil(self, copy: bool = False) -> Any:
        """Raise ValueError: lists of rows need two axes."""
        return self._refused("lil")

    def todok(self, copy: bool = False) -> Any:
        """Raise ValueError: `csr_array` is written element by element, too."""
        return self._refused("dok")

    def toarray(self, order: Any = None, out: Any = None) -> ndarray:
        """Return the array with all its zeros."""
        dense: ndarray = self._plane().toarray(order).reshape(-1)
        if out is None:
            return dense
        if out.shape != self._shape or out.dtype != dense.dtype:
            raise ValueError(f"toarray: out must have shape {self._shape} and dtype {dense.dtype}")
        out[...] = dense
        result: ndarray = out
        return result

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the array itself, or a copy: it has one axis."""
        if axes is not None and tuple(axes) not in ((0,), (-1,)):
            raise ValueError(f"transpose: axes {axes} do not match an array of one axis")
        return self.copy() if copy else self  # type: ignore[attr-defined]

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """Return the array with its elements in another shape, of one axis or two."""
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        if len(sizes) == 1:
            if int(sizes[0]) not in (-1, self._shape[0]):
                raise ValueError(
                    f"reshape: cannot reshape array of size {self._shape[0]} into shape {tuple(sizes)}"
                )
            return self.copy() if copy else self  # type: ignore[attr-defined]
        return self._plane().tocoo().reshape(*sizes, order=order, copy=copy)

    def resize(self, *shape: Any) -> None:
        """Change the length in place; elements beyond it are removed."""
        plane = self._plane().copy()
        plane.resize(1, check_length(shape[0] if len(shape) == 1 else shape))
        self._take_plane(plane)

    def _two_axes(self, op: str) -> Any:
        raise ValueError(f"{op}: two axes are needed, got shape {self._shape}")

    def diagonal(self, k: int = 0) -> Any:
        """Raise ValueError: a diagonal needs two axes."""
        return self._two_axes("diagonal")

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Raise ValueError: a diagonal needs two axes."""
        self._two_axes("setdiag")

    # Elements

    def _getnnz(self, axis: Any) -> Any:
        if axis is not None:
            self._axis("getnnz", axis)
        return int(self.data.size)

    def count_nonzero(self, axis: Any = None) -> Any:
        """Return how many elements are not zero."""
        if axis is not None:
            self._axis("count_nonzero", axis)
        return self._plane().count_nonzero()

    def nonzero(self) -> Any:
        """Return the places of the elements that are not zero."""
        return (self._plane().nonzero()[1],)

    def _place(self, key: Any) -> Any:
        if isinstance(key, tuple):
            key = tuple(part for part in key if part is not Ellipsis) or (slice(None),)
            if len(key) > 1:
                raise IndexError(f"too many indices: {len(key)} positions for one axis")
            key = key[0]
        return slice(None) if key is Ellipsis else key.toarray() if issparse(key) else key

    def __getitem__(self, key: Any) -> Any:
        if key is None or isinstance(key, tuple) and any(part is None for part in key):
            return self._with_new_axis(key)
        key = self._place(key)
        rows = self._plane().tocsr()
        if isinstance(key, slice):
            return lined(rows[:, key], self.format)
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            n = self._shape[0]
            if not -n <= key < n:
                raise IndexError(f"index ({key}) out of range for axis 0 with size {n}")
            return rows[0, int(key) % n]
        places = as_array(key)
        if places.dtype == np.bool_ or places.ndim == 1:
            return lined(rows._along(1, rows._one_part(places, 1)), self.format)
        if places.ndim == 0:
            return self[int(places)]
        if places.ndim != 2:
            raise IndexError(f"places of {places.ndim} axes make no sparse array: at most two are supported")
        flat = rows._along(1, rows._one_part(places.reshape(-1), 1))
        return flat.tocoo().reshape(places.shape).asformat(self.format)

    def _with_new_axis(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        rest = [part for part in parts if part is not None and part is not Ellipsis]
        if len(parts) - len(rest) - sum(part is Ellipsis for part in parts) != 1 or len(rest) > 1:
            raise IndexError(f"invalid index {key!r}: one axis may be added to an array of one axis")
        line = self[rest[0]] if rest else self
        plane = line._plane().tocoo()
        return plane if parts[0] is None else plane.transpose()

    def __setitem__(self, key: Any, value: Any) -> None:
        rows = self._plane().tocsr().copy()
        value = value.toarray() if issparse(value) else value
        rows._assign((slice(None), self._place(key)), value)
        self._take_plane(rows.asformat(self.format))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.toarray())

    # Arithmetic

    def _merged(self, other: Any, function: Any) -> Any:
        return lined(self._plane().tocsr()._merged(other._plane().tocsr(), function), "csr")

    def multiply(self, other: Any) -> Any:
        """Return the product element by element."""
        if is_scalar(other):
            return self._scaled(other)  # type: ignore[attr-defined]
        if issparse(other):
            if other.ndim == 2:
                return other.multiply(self.toarray()).asformat("csr")
            return lined(self._plane().tocsr()._times_elements(self._partner(other).tocsr()), "csr")
        dense = as_array(other)
        if dense.ndim == 1 and dense.size in (1, self._shape[0]):
            return lined(self._plane().tocsr()._times_broadcast(dense), "coo")
        return coo_array(self.toarray() * dense)

    def _extremum(self, other: Any, function: Any) -> Any:
        if is_scalar(other):
            return lined(self._plane()._extremum(other, function), "csr")
        if issparse(other):
            return self._merged(self._checked(other), function)  # type: ignore[attr-defined]
        return function(self.toarray(), as_array(other))

    def _compared(self, other: Any, function: Any) -> Any:
        if is_scalar(other):
            return lined(self._plane()._compared(other, function), "csr")
        if issparse(other):
            return lined(self._plane()._compared(self._partner(other), function), "csr")
        other = as_dense(other)
        return NotImplemented if other is None else function(self.toarray(), other)

    def __truediv__(self, other: Any) -> Any:
        if is_scalar(other) or issparse(other):
            return super().__truediv__(other)  # type: ignore[misc]
        other = as_dense(other)
        return NotImplemented if other is None else self.multiply(1 / other)

    def _matmul(self, other: Any) -> Any:
        plane = self._plane().tocsr()
        if issparse(other):
            if other.ndim == 1:
                if other.shape != self._shape:
                    raise ValueError(f"matmul: dimension mismatch: {self._shape} and {other.shape}")
                return plane._matmul(other._plane().tocsr().transpose()).toarray()[0, 0]
            return lined(plane._matmul(other), "coo")
        dense = as_dense(other)
        if dense is None:
            return NotImplemented
        found = plane._matmul(dense)
        return found[0] if dense.ndim == 1 else found.reshape(-1)

    def _rmatmul(self, other: Any) -> Any:
        dense = as_dense(other)
        if dense is None:
            return NotImplemented
        found = self._plane().tocsr()._matmul(dense.T)
        return found[0] if dense.ndim == 1 else found.reshape(-1)

    def _after(self, left: Any) -> Any:
        """Return the product of an array of two axes with this one."""
        return lined(left.tocsr()._matmul(self._plane().tocsr().transpose()), "coo")

    # Reductions, of all elements

    def _of_all(self, name: str, axis: Any, **options: Any) -> Any:
        axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
        if axis is not None:
            self._axis(name, axis)
        return getattr(self._plane(), name)(**options)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the sum of all elements."""
        return self._of_all("sum", axis, dtype=dtype, out=out)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Return the mean of all elements; zeros count."""
        return self._of_all("mean", axis, dtype=dtype, out=out)

    def min(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element."""
        return self._of_all("min", axis, out=out, explicit=explicit)

    def max(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element."""
        return self._of_all("max", axis, out=out, explicit=explicit)

    def nanmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the smallest element that is not NaN."""
        return self._of_all("nanmin", axis, out=out, explicit=explicit)

    def nanmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return the largest element that is not NaN."""
        return self._of_all("nanmax", axis, out=out, explicit=explicit)

    def argmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the smallest element is."""
        return self._of_all("argmin", axis, out=out, explicit=explicit)

    def argmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """Return where the largest element is."""
        return self._of_all("argmax", axis, out=out, explicit=explicit)


class coo_line(_Line, coo_array):
    """A sparse array of one axis as places and values; `coo_array` makes it."""

    def _plane(self) -> Any:
        wide = (1, self._shape[0])
        return coo_array._made(self.data, self.row, self.col, wide, self.has_canonical_format)

    def _take_plane(self, plane: Any) -> None:
        self._set(plane.data, plane.row, plane.col, plane.shape[1:], plane.has_canonical_format)

    @property
    def coords(self) -> tuple[ndarray]:  # type: ignore[override]
        """The places."""
        return (self.col,)

    def _summed(self) -> tuple[ndarray, ndarray, ndarray]:
        found: tuple[ndarray, ndarray, ndarray] = self._plane()._summed()
        return found

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's array of the same format, in the host's memory."""
        return class_of_scipy("coo", True)((self.data.get(), (self.col.get(),)), shape=self._shape)


class csr_line(_Line, csr_array):
    """A sparse array of one axis as one compressed row; `csr_array` makes it."""

    def _plane(self) -> Any:
        wide = (1, self._shape[0])
        return csr_array._made(self.data, self.indices, self.indptr, wide, self._canonical_known)

    def _take_plane(self, plane: Any) -> None:
        self._set(plane.data, plane.indices, plane.indptr, plane.shape[1:], plane._canonical_known)

    def _indices_rise(self, strictly: bool) -> bool:
        return bool(self._plane()._indices_rise(strictly))

    def _canonical(self) -> Any:
        return csr_line._of_plane(self._plane()._canonical())

    def sorted_indices(self) -> Any:
        """Return the array with its places sorted."""
        return csr_line._of_plane(self._plane().sorted_indices())

    def check_format(self, full_check: bool = True) -> None:
        """Raise where the index arrays do not describe an array."""
        self._plane().check_format(full_check)

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's array of the same format, in the host's memory."""
        parts = (self.data.get(), self.indices.get(), self.indptr.get())
        return class_of_scipy("csr", True)(parts, shape=self._shape)


LINES["coo"], LINES["csr"] = coo_line, csr_line
# Users see the classes that make them.
coo_line.__name__, csr_line.__name__ = "coo_array", "csr_array"

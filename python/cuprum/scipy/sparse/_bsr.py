"""Sparse matrices of dense blocks in compressed rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import issparse
from ._bases import SparseBase, sparray, spmatrix
from ._compressed import csr_array
from ._coo import class_of_scipy, from_scipy, is_of_scipy, is_shape, with_two_axes
from ._formats import CLASSES
from ._index import check_shape, get_index_dtype, supported

__all__ = ["bsr_array", "bsr_matrix", "isspmatrix_bsr"]


def _block_size(blocksize: Any, shape: tuple[int, int]) -> tuple[int, int]:
    """Return the shape of blocks, which must divide the matrix."""
    try:
        rows, columns = (int(n) for n in blocksize)
    except (TypeError, ValueError) as error:
        raise type(error)(f"invalid blocksize={blocksize!r}: two integers are expected") from None
    if rows < 1 or columns < 1 or shape[0] % rows or shape[1] % columns:
        raise ValueError(f"shape must be multiple of blocksize: {shape} and {(rows, columns)}")
    return rows, columns


def _fitting_block_size(coo: Any) -> tuple[int, int]:
    """Return the largest square blocks, up to six rows, that stored elements nearly fill."""

    def fill(side: int) -> float:
        if coo.shape[0] % side or coo.shape[1] % side:
            return 0.0
        width = coo.shape[1] // side
        blocks = cp.unique(coo.row.astype(np.int64) // side * width + coo.col // side).size
        return float(coo.nnz) / (side * side * blocks)

    if coo.nnz == 0:
        return 1, 1
    by_two, by_three = fill(2), fill(3)
    if min(by_two, by_three) > 0.85:
        return (6, 6) if fill(6) > 0.7 else (3, 3)
    if fill(4) > 0.7:
        return 4, 4
    if by_three > 0.7:
        return 3, 3
    return (2, 2) if by_two > 0.7 else (1, 1)


class _Bsr(SparseBase):
    format = "bsr"
    data: ndarray
    indices: ndarray
    indptr: ndarray

    def __init__(
        self,
        arg1: Any,
        shape: Any = None,
        dtype: Any = None,
        copy: bool = False,
        blocksize: Any = None,
        *,
        maxprint: int | None = None,
    ) -> None:
        if maxprint is not None:
            self.maxprint = maxprint
        arg1 = with_two_axes(self, arg1, shape)
        if is_of_scipy(arg1):
            if arg1.format == "bsr" and blocksize is None:
                blocksize = arg1.blocksize
            arg1 = from_scipy(arg1)
        if is_shape(arg1, 2):
            sizes = check_shape(arg1)
            block = _block_size((1, 1) if blocksize is None else blocksize, sizes)
            kind = get_index_dtype(maxval=max(sizes))
            self._set(
                cp.zeros((0, *block), dtype or np.float64),
                cp.zeros(0, kind),
                cp.zeros(sizes[0] // block[0] + 1, kind),
                sizes,
            )
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            self._take(arg1, shape, copy, blocksize)
        else:
            other = arg1 if issparse(arg1) else CLASSES["coo", self._is_array](arg1, shape=shape, dtype=dtype)
            if shape is not None and check_shape(shape) != other.shape:
                raise ValueError(f"inconsistent shapes: {other.shape} and {tuple(shape)}")
            found = other.tobsr(blocksize)
            parts = (found.data, found.indices, found.indptr)
            if copy and found is arg1:
                parts = (parts[0].copy(), parts[1].copy(), parts[2].copy())
            self._set(*parts, found.shape)
        self.data = self.data.astype(supported(dtype or self.data.dtype), copy=False)

    def _take(self, arg1: tuple[Any, Any, Any], shape: Any, copy: bool, blocksize: Any) -> None:
        data, indices, indptr = arg1
        values = cp.array(data, copy=copy) if isinstance(data, ndarray) else as_array(data)
        if values.ndim != 3:
            raise ValueError(f"BSR data must be 3-dimensional, got shape={values.shape}")
        block = (int(values.shape[1]), int(values.shape[2]))
        if blocksize is not None and tuple(blocksize) != block:
            raise ValueError(f"mismatching blocksize={tuple(blocksize)} vs {block}")
        if shape is None:
            starts, minor = as_array(indptr), as_array(indices)
            if minor.size == 0:
                raise ValueError("unable to infer matrix dimensions")
            sizes = ((starts.size - 1) * block[0], (int(minor.max()) + 1) * block[1])
        else:
            sizes = check_shape(shape)
        _block_size(block, sizes)
        # Blocks have the structure of a matrix whose elements are their numbers.
        numbers = cp.arange(values.shape[0])
        cells = (sizes[0] // block[0], sizes[1] // block[1])
        outline = csr_array((numbers, indices, indptr), shape=cells)
        parts = (outline.indices, outline.indptr) if self._is_array else ()
        kind = get_index_dtype(parts, maxval=max(*sizes, outline.nnz))
        self._set(
            values[: outline.nnz],
            outline.indices.astype(kind, copy=copy),
            outline.indptr.astype(kind, copy=copy),
            sizes,
        )

    def _set(self, data: ndarray, indices: ndarray, indptr: ndarray, shape: tuple[int, int]) -> None:
        self.data, self.indices, self.indptr, self._shape = data, indices, indptr, shape

    @classmethod
    def _made(cls, data: ndarray, indices: ndarray, indptr: ndarray, shape: tuple[int, int]) -> Any:
        """Return a matrix of parts that are known to fit."""
        made = cls.__new__(cls)
        made._set(data, indices, indptr, shape)
        return made

    @classmethod
    def _from_coo(cls, coo: Any, blocksize: Any = None) -> Any:
        """Return a matrix of the blocks that have stored elements."""
        if not coo.has_canonical_format:
            coo = coo.copy()
            coo.sum_duplicates()
        coo._check()
        height, width = _fitting_block_size(coo) if blocksize is None else _block_size(blocksize, coo.shape)
        cells = (coo.shape[0] // height, coo.shape[1] // width)
        key = (coo.row.astype(np.int64) // height) * max(cells[1], 1) + coo.col // width
        blocks, number = cp.unique(key, return_inverse=True)
        data = cp.zeros((blocks.size, height, width), coo.dtype)
        if blocks.size:
            data[number.ravel(), coo.row % height, coo.col % width] = coo.data
        row, col = cp.divmod(blocks, max(cells[1], 1))
        outline = csr_array._of_sorted(blocks, row, col, cells)
        return cls._made(data, outline.indices, outline.indptr, coo.shape)

    @property
    def blocksize(self) -> tuple[int, int]:
        """The shape of the blocks."""
        return int(self.data.shape[1]), int(self.data.shape[2])

    def _repr_details(self) -> str:
        return f" (blocksize={self.blocksize[0]}x{self.blocksize[1]})"

    def _outline(self) -> Any:
        """Return the matrix of blocks, with the blocks' numbers as elements."""
        height, width = self.blocksize
        shape = (self.shape[0] // height, self.shape[1] // width)
        return csr_array._made(cp.arange(self.data.shape[0]), self.indices, self.indptr, shape)

    @property
    def has_sorted_indices(self) -> bool:
        """Whether the columns of each row's blocks do not fall."""
        found: bool = self._outline().has_sorted_indices
        return found

    @property
    def has_canonical_format(self) -> bool:
        """Whether the columns of each row's blocks rise."""
        found: bool = self._outline().has_canonical_format
        return found

    def sort_indices(self) -> None:
        """Sort the blocks of each row in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> m = bsr_matrix(cp.eye(4), blocksize=(2, 2))
        >>> m.sort_indices()
        >>> m.indices
        array([0, 1], dtype=int32)
        """
        outline = self._outline().sorted_indices()
        self._set(self.data[outline.data], outline.indices, outline.indptr, self.shape)

    def sorted_indices(self) -> Any:
        """Return the matrix with the columns of each row of blocks sorted.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> bsr_matrix(cp.eye(4), blocksize=(2, 2)).sorted_indices().indices
        array([0, 1], dtype=int32)
        """
        other = self.copy()
        other.sort_indices()
        return other

    def _merged(self, other: Any, function: Any) -> Any:
        return super()._merged(other, function).tobsr(self.blocksize)

    def multiply(self, other: Any) -> Any:
        """Return the product element by element."""
        found = super().multiply(other)
        return found.tobsr(self.blocksize) if issparse(other) else found

    def _without_duplicates(self) -> Any:
        if self.has_canonical_format:
            return self
        other = self.copy()
        other.sum_duplicates()
        return other

    def sum_duplicates(self) -> None:
        """Add up blocks that are stored twice, in place; columns rise then.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> m = bsr_matrix(cp.eye(4), blocksize=(2, 2))
        >>> m.sum_duplicates()
        >>> m.nnz
        8
        """
        if not self.has_canonical_format:
            other = type(self)._from_coo(self.tocoo(), self.blocksize)
            kind = self.indices.dtype
            self._set(other.data, other.indices.astype(kind), other.indptr.astype(kind), self.shape)

    def eliminate_zeros(self) -> None:
        """Remove blocks of zeros in place.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> m = bsr_matrix(cp.eye(4), blocksize=(2, 2))
        >>> m.eliminate_zeros()
        >>> m.nnz
        8
        """
        self.sum_duplicates()
        keep = (self.data != 0).any(axis=(1, 2))
        outline = self._outline()._kept(keep)
        self._set(self.data[keep], outline.indices, outline.indptr, self.shape)

    def prune(self) -> None:
        """Give back memory that is not used: there is none here.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> m = bsr_matrix(cp.eye(4), blocksize=(2, 2))
        >>> m.prune()
        """

    def check_format(self, full_check: bool = True) -> None:
        """Raise where the index arrays do not describe a matrix.

        Examples
        --------
        >>> from cuprum.scipy.sparse import bsr_matrix
        >>> m = bsr_matrix(cp.eye(4), blocksize=(2, 2))
        >>> m.check_format()
        """
        type(self)((self.data, self.indices, self.indptr), shape=self.shape)

    def _with_data(self, data: ndarray, copy: bool = False) -> Any:
        indices, indptr = (self.indices.copy(), self.indptr.copy()) if copy else (self.indices, self.indptr)
        return type(self)._made(data, indices, indptr, self.shape)

    def _getnnz(self, axis: Any) -> Any:
        if axis is None:
            return int(self.data.size)
        return self.tocsr()._getnnz(axis)

    def tocoo(self, copy: bool = True) -> Any:
        """Return the matrix as coordinates and values, the zeros of its blocks included."""
        height, width = self.blocksize
        first = self._outline()._lines().astype(np.int64) * height
        row = first[:, None, None] + cp.arange(height)[None, :, None]
        col = self.indices.astype(np.int64)[:, None, None] * width + cp.arange(width)[None, None, :]
        full = self.data.shape
        return self._as("coo")._made(
            self.data.ravel(),
            cp.broadcast_to(row, full).ravel(),
            cp.broadcast_to(col, full).ravel(),
            self.shape,
        )

    def tobsr(self, blocksize: Any = None, copy: bool = False) -> Any:
        """Return the matrix in blocks of another shape; itself where they have it."""
        if blocksize is None or tuple(blocksize) == self.blocksize:
            return self.copy() if copy else self
        return type(self)._from_coo(self.tocoo(), blocksize)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the transpose: the blocks transposed, in the order of columns."""
        self._check_axes(axes)
        outline = self._outline().T.tocsr()
        data = cp.ascontiguousarray(self.data[outline.data].transpose(0, 2, 1))
        return type(self)._made(data, outline.indices, outline.indptr, self.shape[::-1])

    def _matmul(self, other: Any) -> Any:
        found = self.tocsr()._matmul(other)
        if not issparse(found):
            return found
        size = (self.blocksize[0], other.blocksize[1] if other.format == "bsr" else self.blocksize[0])
        fits = found.shape[0] % size[0] == 0 and found.shape[1] % size[1] == 0
        return found.tobsr(size if fits else (1, 1))

    def get(self, stream: Any = None) -> Any:
        """Return SciPy's matrix of the same format, in the host's memory."""
        cls = class_of_scipy(self.format, self._is_array)
        return cls((self.data.get(), self.indices.get(), self.indptr.get()), shape=self.shape)


class bsr_matrix(_Bsr, spmatrix):
    """A sparse matrix of dense blocks in compressed rows.

    Parameters
    ----------
    arg1 : array_like, sparse matrix, (data, indices, indptr), (data, (row, col)) or shape
        What the matrix is made of. Row `i` of blocks has the blocks ``data[indptr[i]:indptr[i + 1]]``.
    shape : tuple of int, optional
        The shape.
    dtype : dtype, optional
        The dtype of the elements.
    copy : bool, optional
        Whether to copy arrays that could be used as they are.
    blocksize : tuple of int, optional
        The shape of the blocks; by default one that the elements nearly fill.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> a = sparse.bsr_matrix(sparse.kron(cp.eye(2), cp.ones((2, 2))), blocksize=(2, 2))
    >>> a.indices
    array([0, 1], dtype=int32)
    >>> a @ cp.ones(4)
    array([2., 2., 2., 2.])
    """

    _is_array = False


class bsr_array(_Bsr, sparray):
    """A sparse array of dense blocks; as `bsr_matrix`, with operators that work element by element.

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
    blocksize : tuple of int, optional
        The shape of the blocks.

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.bsr_array(cp.ones((4, 4))).blocksize
    (4, 4)
    """

    _is_array = True


CLASSES["bsr", False], CLASSES["bsr", True] = bsr_matrix, bsr_array


def isspmatrix_bsr(x: Any) -> bool:
    """Return whether an object is a `bsr_matrix`.

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
    >>> sparse.isspmatrix_bsr(sparse.bsr_matrix((2, 2)))
    True
    """
    return isinstance(x, bsr_matrix)

"""Sparse matrices made of diagonals and products, and parts of others."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import DTypeLike
from ._base import issparse
from ._coo import coo_array, coo_matrix, from_scipy, is_of_scipy
from ._dia import dia_array, dia_matrix
from ._documentation import documented
from ._formats import CLASSES

__all__ = [
    "diags",
    "diags_array",
    "eye",
    "eye_array",
    "find",
    "identity",
    "kron",
    "kronsum",
    "spdiags",
    "tril",
    "triu",
]


def _sparse(x: Any) -> Any:
    """Return an operand as a sparse matrix; an array of one axis as one row."""
    found: Any = x if issparse(x) else from_scipy(x) if is_of_scipy(x) else coo_matrix(x)
    return found._plane() if found.ndim == 1 else found


def _is_array(*operands: Any) -> bool:
    """Return whether the result of operands is a sparse array: where one of them is."""
    return any(issparse(one) and one._is_array for one in operands)


def _coo(is_array: bool) -> Any:
    return CLASSES["coo", is_array]


@documented
def eye(m: int, n: int | None = None, k: int = 0, dtype: DTypeLike = "d", format: str | None = None) -> Any:
    """Return a matrix with ones on a diagonal.

    Parameters
    ----------
    m : int
        The number of rows.
    n : int, optional
        The number of columns; `m` by default.
    k : int, optional
        The diagonal: above the main one where it is positive.
    {dtype}
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.eye(2, 3, k=1).toarray()
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    return _eye(m, n, k, dtype, format, False)


@documented
def eye_array(
    m: int, n: int | None = None, *, k: int = 0, dtype: DTypeLike = float, format: str | None = None
) -> Any:
    """Return a sparse array with ones on a diagonal; as `eye`.

    Parameters
    ----------
    m : int
        The number of rows.
    n : int, optional
        The number of columns; `m` by default.
    k : int, optional
        The diagonal.
    {dtype}
    {format}

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.eye_array(2).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _eye(m, n, k, dtype, format, True)


def _eye(m: Any, n: Any, k: Any, dtype: Any, format: Any, is_array: bool) -> Any:
    m, n, k = int(m), int(m if n is None else n), int(k)
    if min(m, n) < 0:
        raise ValueError(f"eye: negative dimensions {(m, n)}")
    data = cp.ones((1, max(0, min(m + k, n))), dtype)
    found = (dia_array if is_array else dia_matrix)((data, [k]), shape=(m, n))
    return found if format is None else found.asformat(format)


@documented
def identity(n: int, dtype: DTypeLike = "d", format: str | None = None) -> Any:
    """Return a square matrix with ones on its diagonal.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    {dtype}
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.identity(3).nnz
    3
    """
    return eye(n, dtype=dtype, format=format)


@documented
def spdiags(data: Any, diags: Any, m: Any = None, n: int | None = None, format: str | None = None) -> Any:
    """Return a matrix of diagonals that are given by columns, as `dia_matrix` stores them.

    Parameters
    ----------
    data : array_like
        A row for each diagonal.
    diags : array_like of int
        Which diagonals they are.
    m, n : int
        The shape; a tuple as `m` is the shape too.
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.spdiags(cp.array([[1, 2, 3]]), 0, 3, 3).diagonal()
    array([1, 2, 3])
    """
    shape = m if isinstance(m, tuple) else (m, n)
    found = dia_matrix((data, diags), shape=shape)
    return found if format is None else found.asformat(format)


@documented
def diags(
    diagonals: Any, offsets: Any = 0, shape: Any = None, format: str | None = None, dtype: Any = None
) -> Any:
    """Return a matrix of diagonals.

    Parameters
    ----------
    diagonals : sequence of array_like
        The diagonals, each from its first element on; one of length 1 is repeated.
    offsets : sequence of int, optional
        Which diagonals they are.
    shape : tuple of int, optional
        The shape; as large as the diagonals need by default.
    {format}
    {dtype}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.diags([cp.array([1, 2]), cp.array([5])], [0, 1]).toarray()
    array([[1., 5.],
           [0., 2.]])
    """
    return _diags(diagonals, offsets, shape, format, dtype, False, np.float64)


@documented
def diags_array(
    diagonals: Any, /, *, offsets: Any = 0, shape: Any = None, format: str | None = None, dtype: Any = None
) -> Any:
    """Return a sparse array of diagonals; as `diags`.

    Parameters
    ----------
    diagonals : sequence of array_like
        The diagonals.
    offsets : sequence of int, optional
        Which diagonals they are.
    shape : tuple of int, optional
        The shape.
    {format}
    {dtype}

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.diags_array(cp.array([1.0, 2.0])).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return _diags(diagonals, offsets, shape, format, dtype, True, np.float64)


def _diags(
    diagonals: Any, offsets: Any, shape: Any, format: Any, dtype: Any, is_array: bool, least: Any
) -> Any:
    if np.ndim(offsets) == 0 and not isinstance(offsets, (list, tuple)):
        # One diagonal, given by itself or in a sequence.
        inner = diagonals[0] if len(diagonals) else None
        nested = (
            inner is not None
            and np.ndim(inner if not isinstance(inner, ndarray) else np.empty(inner.shape)) > 0
        )
        if nested and len(diagonals) != 1:
            raise ValueError(f"diags: {len(diagonals)} diagonals for one offset")
        lines = [as_array(inner) if nested else as_array(diagonals)]
        places = [int(offsets)]
    else:
        lines = [as_array(one).reshape(-1) for one in diagonals]
        places = [int(k) for k in (offsets.tolist() if isinstance(offsets, ndarray) else offsets)]
    if len(lines) != len(places):
        raise ValueError(f"diags: Different number of diagonals ({len(lines)}) and offsets ({len(places)}).")
    if shape is None:
        n = lines[0].size + abs(places[0])
        shape = (n, n)
    m, n = (int(one) for one in shape)
    if dtype is None:
        dtype = np.result_type(*(np.float64 if one.dtype.kind in "biu" else one.dtype for one in lines))
    width = max([min(m + k, n) - max(0, k) + max(0, k) for k in places], default=0)
    data = cp.zeros((len(lines), max(width, 0)), dtype)
    for at, (line, k) in enumerate(zip(lines, places, strict=True)):
        begin, length = max(0, k), min(m + k, n) - max(0, k)
        if length < 0:
            raise ValueError(f"diags: Offset {k} (index {at}) out of bounds")
        if line.size not in (1, length):
            raise ValueError(
                f"diags: Diagonal length (index {at}: {line.size} at offset {k}) "
                f"does not agree with array size ({m}, {n})."
            )
        data[at, begin : begin + length] = line
    found = (dia_array if is_array else dia_matrix)((data, places), shape=(m, n))
    return found if format is None else found.asformat(format)


@documented
def kron(A: Any, B: Any, format: str | None = None) -> Any:
    """Return Kronecker's product of two matrices.

    Parameters
    ----------
    A, B : sparse matrix or array_like
        The factors.
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.kron(cp.array([[1, 2]]), cp.array([[1], [3]])).toarray()
    array([[1, 2],
           [3, 6]])
    """
    kind = _is_array(A, B)
    a, b = _sparse(A).tocoo(), _sparse(B).tocoo()
    shape = (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])
    if a.nnz == 0 or b.nnz == 0:
        # SciPy's matrix of nothing has the default dtype.
        return _coo(kind)(shape).asformat(format)
    row = (a.row.astype(np.int64)[:, None] * b.shape[0] + b.row[None, :]).ravel()
    col = (a.col.astype(np.int64)[:, None] * b.shape[1] + b.col[None, :]).ravel()
    found = _coo(kind)._made((a.data[:, None] * b.data[None, :]).ravel(), row, col, shape)
    if all(issparse(one) and one.ndim == 1 for one in (A, B)):
        found = found._as_line()
    return found if format is None else found.asformat(format)


@documented
def kronsum(A: Any, B: Any, format: str | None = None) -> Any:
    """Return Kronecker's sum of two square matrices: ``kron(I, A) + kron(B, I)``.

    Parameters
    ----------
    A, B : sparse matrix or array_like
        The terms.
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.kronsum(cp.array([[1.0]]), cp.array([[2.0, 0.0], [0.0, 3.0]])).toarray()
    array([[3., 0.],
           [0., 4.]])
    """
    a, b = _sparse(A), _sparse(B)
    for one, name in ((a, "A"), (b, "B")):
        if one.shape[0] != one.shape[1]:
            raise ValueError(f"kronsum: {name} is not square: {one.shape}")
    dtype = np.result_type(a.dtype, b.dtype)
    ones = [_eye(one.shape[0], None, 0, dtype, "coo", _is_array(A, B)) for one in (b, a)]
    found = kron(ones[0], a, "csr") + kron(b, ones[1], "csr")
    return found.asformat(format)


@documented
def tril(A: Any, k: int = 0, format: str | None = None) -> Any:
    """Return the part of a matrix on and below a diagonal.

    Parameters
    ----------
    A : sparse matrix or array_like
        The matrix.
    k : int, optional
        The diagonal.
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.tril(cp.ones((2, 2))).toarray()
    array([[1., 0.],
           [1., 1.]])
    """
    return _triangle(A, format, lambda coo: coo.row.astype(np.int64) + k >= coo.col)


@documented
def triu(A: Any, k: int = 0, format: str | None = None) -> Any:
    """Return the part of a matrix on and above a diagonal.

    Parameters
    ----------
    A : sparse matrix or array_like
        The matrix.
    k : int, optional
        The diagonal.
    {format}

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.triu(cp.ones((2, 2)), k=1).toarray()
    array([[0., 1.],
           [0., 0.]])
    """
    return _triangle(A, format, lambda coo: coo.row.astype(np.int64) + k <= coo.col)


def _triangle(a: Any, format: Any, keep: Any) -> Any:
    kind = _is_array(a)
    coo = _sparse(a).tocoo()
    kept = keep(coo)
    return _coo(kind)._made(coo.data[kept], coo.row[kept], coo.col[kept], coo.shape).asformat(format)


def find(A: Any) -> tuple[ndarray, ndarray, ndarray]:
    """Return rows, columns and values of the elements that are not zero.

    Parameters
    ----------
    A : sparse matrix or array_like
        The matrix.

    Returns
    -------
    tuple of ndarray

    Examples
    --------
    >>> from cuprum.scipy import sparse
    >>> sparse.find(cp.array([[0, 7], [8, 0]]))
    (array([0, 1], dtype=int32), array([1, 0], dtype=int32), array([7, 8]))
    """
    coo = coo_array(_sparse(A), copy=True)
    coo.sum_duplicates()
    keep = coo.data != 0
    return coo.row[keep], coo.col[keep], coo.data[keep]

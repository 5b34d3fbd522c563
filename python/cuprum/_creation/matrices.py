"""Matrices of a given form, and the indices of their diagonals and triangles."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, on_device
from .._core import ndarray
from .._errors import names_itself, naming, of_stored
from .._ufuncs import multiply

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, OrderCF


__all__ = [
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "eye",
    "fill_diagonal",
    "identity",
    "mask_indices",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "vander",
]


def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: DTypeLike = float,
    order: OrderCF = "C",
    *,
    device: Any = None,
) -> ndarray:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, optional
        The number of columns; `N` when None.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.
    dtype : dtype, optional
        The dtype.
    order : {"C", "F"}, optional
        The memory layout.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    if device is not None:
        with on_device("eye", device):
            return eye(N, M, k, dtype, order)
    rows = operator.index(N)
    columns = rows if M is None else operator.index(M)
    if rows < 0 or columns < 0:
        raise ValueError(f"eye: negative dimensions are not allowed, got ({rows}, {columns})")
    # Diagonals beyond the corners are all alike: empty.
    diagonal = max(-rows, min(operator.index(k), columns))
    return _core.eye(rows, columns, diagonal, dtype, order)


def identity(n: SupportsIndex, dtype: DTypeLike | None = None) -> ndarray:
    """Return the identity matrix.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    dtype : dtype, optional
        The dtype; float64 when None.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"identity: negative dimensions are not allowed, got ({n}, {n})")
    return _core.eye(n, n, 0, float if dtype is None else dtype, "C")


def diag(v: ArrayLike, k: SupportsIndex = 0) -> ndarray:
    """Return a diagonal of a matrix, or a matrix with a given diagonal.

    Parameters
    ----------
    v : array_like
        A matrix, whose diagonal is returned, or a vector, which becomes a diagonal.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.

    Returns
    -------
    ndarray
        The diagonal as a read-only view, or the new matrix.

    Examples
    --------
    >>> cp.diag([1, 2])
    array([[1, 0],
           [0, 2]])
    >>> cp.diag(cp.arange(9).reshape(3, 3))
    array([0, 4, 8])
    """
    try:
        return _core.diag(as_array(v), operator.index(k))
    except TypeError as error:
        return of_stored(error, diag, v, k=k)


def diagflat(v: ArrayLike, k: SupportsIndex = 0) -> ndarray:
    """Return a matrix with the elements of an array, flattened, on a diagonal.

    Parameters
    ----------
    v : array_like
        The elements.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.diagflat([[1, 2]])
    array([[1, 0],
           [0, 2]])
    """
    try:
        return _core.diag(as_array(v).ravel(), operator.index(k))
    except TypeError as error:
        return of_stored(error, diagflat, v, k=k)


def tri(
    N: SupportsIndex, M: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike = float
) -> ndarray:
    """Return a matrix with ones at and below a diagonal and zeros above it.

    Parameters
    ----------
    N : int
        The number of rows.
    M : int, optional
        The number of columns; `N` when None.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.
    dtype : dtype, optional
        The dtype.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.tri(2, 3, dtype=cp.int8)
    array([[1, 0, 0],
           [1, 1, 0]], dtype=int8)
    """
    rows = operator.index(N)
    return _core.tri(rows, rows if M is None else operator.index(M), operator.index(k), dtype)


def tril(m: ArrayLike, k: SupportsIndex = 0) -> ndarray:
    """Return a copy of the matrices in an array with zeros above a diagonal.

    Parameters
    ----------
    m : array_like
        The matrices, in the last two axes.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.

    Returns
    -------
    ndarray
        The lower triangles.

    Examples
    --------
    >>> cp.tril([[1, 2], [3, 4]])
    array([[1, 0],
           [3, 4]])
    """
    try:
        matrices = as_array(m)
        if matrices.ndim == 0:
            raise TypeError("tril: an array of at least one dimension is needed")
        return _core.tril(matrices, operator.index(k))
    except TypeError as error:
        return of_stored(error, tril, m, k=k)


def triu(m: ArrayLike, k: SupportsIndex = 0) -> ndarray:
    """Return a copy of the matrices in an array with zeros below a diagonal.

    Parameters
    ----------
    m : array_like
        The matrices, in the last two axes.
    k : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.

    Returns
    -------
    ndarray
        The upper triangles.

    Examples
    --------
    >>> cp.triu([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]])
    """
    try:
        matrices = as_array(m)
        if matrices.ndim == 0:
            raise TypeError("triu: an array of at least one dimension is needed")
        return _core.triu(matrices, operator.index(k))
    except TypeError as error:
        return of_stored(error, triu, m, k=k)


@names_itself
def vander(x: ArrayLike, N: SupportsIndex | None = None, increasing: bool = False) -> ndarray:
    """Return a Vandermonde matrix: the powers of a vector as columns.

    Parameters
    ----------
    x : array_like
        The vector.
    N : int, optional
        The number of columns; the length of `x` when None.
    increasing : bool, optional
        Whether the powers grow from left to right.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.vander([1, 2, 3])
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    x = as_array(x)
    if x.ndim != 1:
        raise ValueError(f"vander: x must be a one-dimensional array or sequence, got {x.ndim} dimensions")
    columns = x.size if N is None else operator.index(N)
    result = _core.empty((x.size, columns), _core.promote_types(x.dtype, int), "C")
    rising = result if increasing else result[:, ::-1]
    if columns > 0:
        rising[:, 0] = 1
    if columns > 1:
        powers = rising[:, 1:]
        powers[...] = x[:, None]
        multiply.accumulate(powers, axis=1, out=powers)
    return result


@names_itself
def diag_indices(n: SupportsIndex, ndim: SupportsIndex = 2) -> tuple[ndarray, ...]:
    """Return the indices of the main diagonal of an array whose axes have equal length.

    Parameters
    ----------
    n : int
        The length of each axis.
    ndim : int, optional
        The number of axes.

    Returns
    -------
    tuple of ndarray
        One index array for each axis.

    Examples
    --------
    >>> a = cp.zeros((2, 2), dtype=cp.int64)
    >>> a[cp.diag_indices(2)] = 7
    >>> a
    array([[7, 0],
           [0, 7]])
    """
    return (_core.arange(0, n, 1, None),) * ndim


def diag_indices_from(arr: ArrayLike) -> tuple[ndarray, ...]:
    """Return the indices of the main diagonal of an array.

    Parameters
    ----------
    arr : array_like
        An array of at least two axes, all of equal length.

    Returns
    -------
    tuple of ndarray
        One index array for each axis.

    Examples
    --------
    >>> cp.diag_indices_from(cp.ones((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    arr = as_array(arr)
    if arr.ndim < 2:
        raise ValueError("diag_indices_from: input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError(
            f"diag_indices_from: all dimensions of input must be of equal length, got {arr.shape}"
        )
    return diag_indices(arr.shape[0], arr.ndim)


@names_itself
def fill_diagonal(a: ndarray, val: ArrayLike, wrap: bool = False) -> None:
    """Write values on the main diagonal of an array, in place.

    Parameters
    ----------
    a : ndarray
        The array; with more than two axes all must have equal length.
    val : array_like
        The values, repeated where there are too few.
    wrap : bool, optional
        Whether the diagonal of a tall matrix goes on after it has reached the last column.

    Examples
    --------
    >>> a = cp.zeros((3, 3), dtype=cp.int64)
    >>> cp.fill_diagonal(a, [4, 5, 6])
    >>> a
    array([[4, 0, 0],
           [0, 5, 0],
           [0, 0, 6]])
    """
    if a.ndim < 2:
        raise ValueError("fill_diagonal: array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError(f"fill_diagonal: all dimensions of input must be of equal length, got {a.shape}")
    if a.ndim == 2:
        step = a.shape[1] + 1
        end = a.size if wrap else min(a.size, a.shape[1] * a.shape[1])
    else:
        step = sum(a.shape[0] ** axis for axis in range(a.ndim))
        end = a.size
    positions = _core.arange(0, end, step, None)
    # Python's numbers that the array cannot hold are refused, as in `array`.
    typed = isinstance(val, ndarray | np.ndarray | np.generic)
    values = (as_array(val) if typed else _core.array(val, dtype=a.dtype)).ravel()
    if values.size == 0:
        raise ValueError("fill_diagonal: val must not be empty")
    if values.size > 1:
        values = values[_core.arange(0, positions.size, 1, None) % values.size]
    _core.put(a, positions, values.astype(a.dtype, copy=False))


def mask_indices(n: SupportsIndex, mask_func: Callable[..., Any], k: Any = 0) -> tuple[ndarray, ...]:
    """Return the indices of the elements of a square matrix that a mask function keeps.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    mask_func : callable
        Takes a matrix and `k`, and returns it with zeros outside the mask, as `triu` and `tril` do.
    k : object, optional
        Passed to the mask function.

    Returns
    -------
    tuple of ndarray
        The row and the column indices.

    Examples
    --------
    >>> cp.mask_indices(2, cp.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    with naming("mask_indices"):
        whole = _core.ones((n, n), int, "C")
    return _core.nonzero(mask_func(whole, k) != 0)


def tril_indices(
    n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None
) -> tuple[ndarray, ndarray]:
    """Return the indices of the lower triangle of a matrix.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, optional
        The diagonal that bounds it: 0 is the main one, positive ones lie above it.
    m : int, optional
        The number of columns; `n` when None.

    Returns
    -------
    tuple of ndarray
        The row and the column indices.

    Examples
    --------
    >>> cp.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _core.nonzero(tri(n, m, k, dtype=bool))


def tril_indices_from(arr: ndarray, k: SupportsIndex = 0) -> tuple[ndarray, ndarray]:
    """Return the indices of the lower triangle of a given matrix.

    Parameters
    ----------
    arr : ndarray
        The matrix.
    k : int, optional
        The diagonal that bounds it: 0 is the main one, positive ones lie above it.

    Returns
    -------
    tuple of ndarray
        The row and the column indices.

    Examples
    --------
    >>> cp.tril_indices_from(cp.ones((2, 2)), k=-1)
    (array([1]), array([0]))
    """
    if arr.ndim != 2:
        raise ValueError("tril_indices_from: input array must be 2-d")
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices(
    n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None
) -> tuple[ndarray, ndarray]:
    """Return the indices of the upper triangle of a matrix.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, optional
        The diagonal that bounds it: 0 is the main one, positive ones lie above it.
    m : int, optional
        The number of columns; `n` when None.

    Returns
    -------
    tuple of ndarray
        The row and the column indices.

    Examples
    --------
    >>> cp.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _core.nonzero(~tri(n, m, operator.index(k) - 1, dtype=bool))


def triu_indices_from(arr: ndarray, k: SupportsIndex = 0) -> tuple[ndarray, ndarray]:
    """Return the indices of the upper triangle of a given matrix.

    Parameters
    ----------
    arr : ndarray
        The matrix.
    k : int, optional
        The diagonal that bounds it: 0 is the main one, positive ones lie above it.

    Returns
    -------
    tuple of ndarray
        The row and the column indices.

    Examples
    --------
    >>> cp.triu_indices_from(cp.ones((2, 2)), k=1)
    (array([0]), array([1]))
    """
    if arr.ndim != 2:
        raise ValueError("triu_indices_from: input array must be 2-d")
    return triu_indices(arr.shape[0], k, arr.shape[1])

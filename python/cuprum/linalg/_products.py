"""Products and parts of matrices: the array API's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from numpy.linalg import LinAlgError

from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from .._math import products

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """Return the cross products of vectors of three components.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors; the other axes broadcast.
    axis : int, optional
        The axis of the components.

    Returns
    -------
    ndarray
        The products.

    Examples
    --------
    >>> cp.linalg.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("cross: at least one array has zero dimension")
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "cross: both arrays must be 3-dimensional vectors, "
            f"got {x1.shape[axis]} and {x2.shape[axis]} components"
        )
    return products.cross(x1, x2, axis=axis)


def diagonal(x: ArrayLike, /, *, offset: SupportsIndex = 0) -> ndarray:
    """Return the diagonals of matrices.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrices.
    offset : int, optional
        How far above (positive) or below the main diagonal.

    Returns
    -------
    (..., K) ndarray
        A view of the diagonals.

    Examples
    --------
    >>> cp.linalg.diagonal([[1, 2], [3, 4]])
    array([1, 4])
    """
    return as_array(x).diagonal(offset, -2, -1)


def trace(x: ArrayLike, /, *, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> ndarray:
    """Return the sums along the diagonals of matrices.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrices.
    offset : int, optional
        How far above (positive) or below the main diagonal.
    dtype : dtype, optional
        The dtype to add up in.

    Returns
    -------
    (...) ndarray
        The sums.

    Examples
    --------
    >>> cp.linalg.trace([[1, 2], [3, 4]])
    array(5)
    """
    return as_array(x).trace(offset, -2, -1, dtype)


def matmul(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """Return the matrix product, as `cuprum.matmul`.

    Parameters
    ----------
    x1, x2 : array_like
        Matrices in the last two axes, the others broadcast.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> cp.linalg.matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([[2, 1],
           [4, 3]])
    """
    return products.matmul(x1, x2)


def matrix_transpose(x: ArrayLike, /) -> ndarray:
    """Return a view of matrices with rows and columns exchanged.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrices.

    Returns
    -------
    (..., N, M) ndarray
        The transposes.

    Examples
    --------
    >>> cp.linalg.matrix_transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose: at least 2 dimensions are needed, got {x.ndim}")
    return x.mT


def outer(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """Return all products of an element of one vector with an element of another.

    Parameters
    ----------
    x1, x2 : (M,) and (N,) array_like
        The vectors.

    Returns
    -------
    (M, N) ndarray
        The products.

    Examples
    --------
    >>> cp.linalg.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"outer: the arguments must be one-dimensional, got {x1.ndim} and {x2.ndim} dimensions"
        )
    return products.outer(x1, x2)


def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: Any = 2) -> ndarray:
    """Return the sum of products over paired axes, as `cuprum.tensordot`.

    Parameters
    ----------
    x1, x2 : array_like
        The tensors.
    axes : int or pair of sequences of int, optional
        How many of the last axes of `x1` meet the first of `x2`, or which.

    Returns
    -------
    ndarray
        The contraction.

    Examples
    --------
    >>> cp.linalg.tensordot([1, 2], [3, 4], axes=1)
    array(11)
    """
    return products.tensordot(x1, x2, axes=axes)


@names_itself
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """Return the dot products of vectors along an axis, the first ones conjugated.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors; the other axes broadcast.
    axis : int, optional
        The axis of the vectors.

    Returns
    -------
    ndarray
        The products.

    Examples
    --------
    >>> cp.linalg.vecdot([[1, 2], [3, 4]], [1, 1])
    array([3, 7])
    """
    return products.vecdot(x1, x2, axis=axis)


@names_itself
def multi_dot(arrays: ndarray | Sequence[ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """Return the product of several matrices, multiplied in the order that costs least.

    Parameters
    ----------
    arrays : sequence of array_like
        Matrices; the first and the last may be vectors.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> a, b, c = cp.ones((10, 2)), cp.ones((2, 10)), cp.ones((10, 1))
    >>> cp.linalg.multi_dot([a, b, c]).shape
    (10, 1)
    """
    matrices = [as_array(a) for a in arrays]
    count = len(matrices)
    if count < 2:
        raise ValueError(f"multi_dot: expecting at least two arrays, got {count}")
    if count == 2:
        return products.dot(matrices[0], matrices[1], out=out)
    first_is_row, last_is_column = matrices[0].ndim == 1, matrices[-1].ndim == 1
    if first_is_row:
        matrices[0] = matrices[0][None, :]
    if last_is_column:
        matrices[-1] = matrices[-1][:, None]
    for matrix in matrices:
        if matrix.ndim != 2:
            raise LinAlgError(
                f"multi_dot: {matrix.ndim}-dimensional array given. Array must be two-dimensional"
            )
    splits = _cheapest_splits([m.shape[0] for m in matrices] + [matrices[-1].shape[1]])

    def product(i: int, j: int) -> ndarray:
        if i == j:
            return matrices[i]
        at = splits[i][j]
        return products.dot(product(i, at), product(at + 1, j))

    result = product(0, count - 1)
    if first_is_row and last_is_column:
        result = result[0, 0]
    elif first_is_row or last_is_column:
        result = result.ravel()
    if out is None:
        return result
    if out.shape != result.shape or out.dtype != result.dtype:
        raise ValueError(
            f"multi_dot: output has shape {out.shape} and dtype {out.dtype}, "
            f"the result has {result.shape} and {result.dtype}"
        )
    out[...] = result
    return out


def _cheapest_splits(sizes: list[int]) -> list[list[int]]:
    """Return where to split the product of matrices i to j, by the number of multiplications."""
    n = len(sizes) - 1
    cost = [[0.0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = [
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            ]
            cost[i][j], split[i][j] = min(costs)
    return split

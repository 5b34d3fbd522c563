"""Norms of sparse matrices, exact and estimated, and powers of them."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from ._interface import aslinearoperator

__all__ = ["matrix_power", "norm", "onenormest"]


@names_itself
def norm(x: Any, ord: Any = None, axis: Any = None) -> ndarray:
    """Return a norm of a sparse matrix, or of its rows or columns.

    Parameters
    ----------
    x : sparse matrix
        The matrix.
    ord : {None, 'fro', 1, -1, 2, inf, -inf} or float, optional
        Which norm: Frobenius' by default; of rows and columns, the sum of powers.
    axis : int or tuple of int, optional
        The axis along which vectors lie; the matrix as a whole by default.

    Returns
    -------
    ndarray
        The norm, or an array of norms.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import norm
    >>> a = csr_array(cp.array([[3.0, 0.0], [4.0, 0.0]]))
    >>> norm(a).item(), norm(a, 1).item(), norm(a, axis=1).tolist()
    (5.0, 7.0, [3.0, 4.0])
    """
    if not issparse(x):
        raise TypeError("norm: input is not sparse. use cuprum.linalg.norm")
    if x.ndim == 1:
        if axis not in (None, 0, -1):
            raise ValueError(f"norm: Invalid axis {axis} for an array with shape {x.shape}")
        return norm(x._plane(), ord, axis=1)[0]
    matrix = x.tocsr()._canonical()
    if matrix.dtype.kind in "biu":
        matrix = matrix.astype(np.float64)
    axes = (0, 1) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if any(not isinstance(one, (int, np.integer)) for one in axes):
        raise TypeError(f"norm: 'axis' must be None, an integer or a tuple of integers, got {axis!r}")
    if any(not -2 <= one < 2 for one in axes):
        raise ValueError(f"norm: Invalid axis {axis} for an array with shape {x.shape}")
    if len(axes) == 2:
        if axes[0] % 2 == axes[1] % 2:
            raise ValueError("norm: Duplicate axes given.")
        return _of_matrix(matrix, ord, axes[0] % 2)
    if len(axes) != 1:
        raise ValueError("norm: Improper number of dimensions to norm.")
    return _of_lines(abs(_in_double(matrix)), ord, int(axes[0]) % 2)


def _in_double(matrix: Any) -> Any:
    """Return the matrix as SciPy adds up its rows and columns: in double precision, unless it is complex."""
    return matrix if matrix.dtype.kind == "c" else matrix.astype(np.float64)


def _of_matrix(matrix: Any, ord: Any, first: int) -> ndarray:
    if ord in (None, "fro", "f"):
        return cp.sqrt((abs(matrix.data) ** 2).sum())
    if ord == 2:
        from ._svds import svds

        largest: ndarray = svds(matrix, k=1, return_singular_vectors=False)[0]
        return largest
    if ord == -2:
        raise NotImplementedError("norm: the smallest singular value is not supported: use svds")
    # Sums along the first axis, or along the second.
    along = {1: first, -1: first, np.inf: 1 - first, -np.inf: 1 - first}
    try:
        sums = abs(_in_double(matrix)).sum(axis=along[ord]).ravel()
    except (KeyError, TypeError):
        raise ValueError(f"norm: Invalid norm order for matrices: {ord!r}") from None
    found: ndarray = sums.max() if ord in (1, np.inf) else sums.min()
    return found


def _of_lines(size: Any, ord: Any, axis: int) -> ndarray:
    def dense(values: Any) -> ndarray:
        found: ndarray = (values.toarray() if issparse(values) else values).ravel()
        return found

    if ord == np.inf:
        return dense(size.max(axis=axis))
    if ord == -np.inf:
        return dense(size.min(axis=axis))
    if ord == 0:
        return dense((size != 0).astype(np.int64).sum(axis=axis))
    if ord in (None, 2):
        return cp.sqrt(dense(size.power(2).sum(axis=axis)))
    try:
        power = float(ord)
    except (TypeError, ValueError):
        raise ValueError(f"norm: Invalid norm order for vectors: {ord!r}") from None
    if power < 0:
        # Zeros that are not stored count: their powers are infinite.
        return cp.power(cp.power(size.toarray(), power).sum(axis=axis), 1 / power)
    return cp.power(dense(size.power(power).sum(axis=axis)), 1 / power)


@names_itself
def onenormest(A: Any, t: int = 2, itmax: int = 5, compute_v: bool = False, compute_w: bool = False) -> Any:
    """Return a lower bound of the 1-norm of an operator, which is mostly the norm itself.

    The block algorithm of Higham and Tisseur.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The square matrix; its conjugate transpose is needed too.
    t : int, optional
        How many vectors are tried at a time.
    itmax : int, optional
        The most iterations.
    compute_v : bool, optional
        Whether to return a vector of 1-norm 1 whose product has that norm.
    compute_w : bool, optional
        Whether to return the product.

    Returns
    -------
    est : float
        The estimate.
    v, w : ndarray
        The vectors that were asked for.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import onenormest
    >>> onenormest(csc_array(cp.array([[1.0, 0.0], [5.0, 8.0]])))
    8.0
    """
    operator = aslinearoperator(A)
    if operator.shape[0] != operator.shape[1]:
        raise ValueError("onenormest: expected the operator to act like a square matrix")
    n = operator.shape[1]
    if t >= n:
        image = cp.asarray(operator.matmat(cp.eye(n)))
        sums = abs(image).sum(axis=0)
        column = int(sums.argmax())
        estimate, w = float(sums[column]), image[:, column]
    else:
        estimate, column, w = _estimate(operator, t, itmax)
    result: tuple[Any, ...] = (estimate,)
    if compute_v:
        v = cp.zeros(n)
        v[column] = 1
        result += (v,)
    if compute_w:
        result += (w,)
    return result[0] if len(result) == 1 else result


def _signs(y: ndarray) -> ndarray:
    if y.dtype.kind == "c":
        size = abs(y)
        return cp.where(size == 0, 1, y / cp.where(size == 0, 1, size))
    return cp.where(y < 0, -1.0, 1.0)


def _estimate(A: Any, t: int, itmax: int) -> tuple[float, int, ndarray]:
    n = A.shape[0]
    rng = cp.random.default_rng(0)

    def random_signs() -> ndarray:
        return rng.integers(0, 2, n) * 2.0 - 1.0

    X = cp.ones((n, t))
    for k in range(1, t):
        X[:, k] = random_signs()
    X = X / n
    adjoint = A.H
    best, best_column, best_image = 0.0, 0, X[:, 0]
    columns: list[int] = []
    seen: set[int] = set()
    old: ndarray | None = None
    for round_ in range(1, itmax + 2):
        Y = cp.asarray(A.matmat(X))
        sums = abs(Y).sum(axis=0).tolist()
        at = int(np.argmax(sums))
        if round_ >= 2 and sums[at] <= best:
            break
        best = sums[at]
        best_column, best_image = (columns[at] if columns else 0), Y[:, at]
        if round_ > itmax:
            break
        S = _signs(Y)
        if S.dtype.kind != "c":
            # Signs that were tried before tell nothing new.
            if old is not None and bool((abs(S.T @ old).max(axis=1) == n).all()):
                break
            for k in range(1, t):
                if bool((abs(S[:, :k].T @ S[:, k]) == n).any()):
                    S[:, k] = random_signs()
        old = S
        h = abs(cp.asarray(adjoint.matmat(S))).max(axis=1)
        order = cp.argsort(-h, kind="stable")[: t + len(seen)].tolist()
        if round_ >= 2 and float(h[order[0]]) == float(h[best_column]):
            break
        if all(one in seen for one in order[:t]):
            break
        columns = [one for one in order if one not in seen][:t]
        seen.update(columns)
        X = cp.zeros((n, len(columns)))
        X[cp.asarray(columns), cp.arange(len(columns))] = 1.0
        t = len(columns)
        if old.shape[1] != t:
            old = None
    return float(best), best_column, best_image


@names_itself
def matrix_power(A: Any, power: int) -> Any:
    """Return a sparse square matrix to an integer power.

    Parameters
    ----------
    A : sparse matrix
        The matrix.
    power : int
        The exponent, not negative.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import matrix_power
    >>> matrix_power(csr_array(cp.array([[0, 1], [1, 1]])), 5).toarray()
    array([[3, 5],
           [5, 8]])
    """
    rows, columns = A.shape
    if rows != columns:
        raise TypeError("matrix_power: sparse matrix is not square")
    if not isinstance(power, (int, np.integer)):
        raise ValueError(f"matrix_power: exponent must be an integer, got {power!r}")
    if power < 0:
        raise ValueError(f"matrix_power: exponent must be >= 0, got {power!r}")
    from .._construct import eye, eye_array

    n = int(power)
    if n == 0:
        return (eye_array if A._is_array else eye)(rows, dtype=A.dtype)
    result: Any = None
    square = A
    while n:
        if n & 1:
            result = square if result is None else result @ square
        n >>= 1
        if n:
            square = square @ square
    return A.copy() if result is A else result

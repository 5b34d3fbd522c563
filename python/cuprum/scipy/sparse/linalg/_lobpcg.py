"""Extreme eigenvalues by locally optimal block preconditioned conjugate gradients."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from ._interface import aslinearoperator
from ._system import floating_dtype

__all__ = ["lobpcg"]


def _products(A: Any) -> Any:
    """Return the product of a matrix, an operator or a function with a block of vectors."""
    if A is None:
        return lambda x: x
    if callable(A) and not hasattr(A, "shape"):
        return A
    return aslinearoperator(A).matmat


def _orthonormal(block: ndarray, weight: Any) -> ndarray:
    """Return a block with the same span and orthonormal columns; directions that are missing are left out."""
    for _ in range(2):
        lengths = cp.sqrt(abs((block.conj() * weight(block)).sum(axis=0)))
        block = block / cp.where(lengths == 0, 1, lengths)
        values, vectors = cp.linalg.eigh(_hermitian(block.conj().T @ weight(block)))
        keep = values > values.size * float(np.finfo(block.dtype).eps) * 10 * values[-1]
        values, vectors = values[keep], vectors[:, keep]
        block = block @ (vectors / cp.sqrt(values))
    return block


def _hermitian(small: ndarray) -> ndarray:
    return (small + small.conj().T) / 2


@names_itself
def lobpcg(
    A: Any,
    X: Any,
    B: Any = None,
    M: Any = None,
    Y: Any = None,
    tol: float | None = None,
    maxiter: int | None = None,
    largest: bool = True,
    verbosityLevel: int = 0,
    retLambdaHistory: bool = False,
    retResidualNormsHistory: bool = False,
    restartControl: int = 20,
) -> Any:
    """Return the largest or smallest eigenvalues of a Hermitian matrix, from a block of approximate vectors.

    Parameters
    ----------
    A : sparse matrix, ndarray, LinearOperator or callable
        The matrix.
    X : ndarray
        Vectors to begin with, as columns: as many as eigenvalues are wanted.
    B : sparse matrix, ndarray, LinearOperator or callable, optional
        A positive definite matrix for the problem ``A x = w B x``.
    M : sparse matrix, ndarray, LinearOperator or callable, optional
        The preconditioner, an approximation of the inverse of `A`.
    Y : ndarray, optional
        Vectors, as columns, that the solution is orthogonal to.
    tol : float, optional
        How small the residuals must become; ``n * sqrt(eps)`` by default.
    maxiter : int, optional
        The most iterations; 20 by default.
    largest : bool, optional
        Whether the largest are wanted.
    verbosityLevel : int, optional
        Above 0, to print the residuals.
    retLambdaHistory, retResidualNormsHistory : bool, optional
        Whether to return the eigenvalues and the residuals' norms of each iteration.
    restartControl : int, optional
        Without effect.

    Returns
    -------
    w : ndarray
        The eigenvalues, the outermost first.
    v : ndarray
        The eigenvectors, as columns.
    lambda_history, residual_norms_history : list of ndarray
        Where they are asked for.

    Examples
    --------
    >>> from cuprum.scipy.sparse import diags_array
    >>> from cuprum.scipy.sparse.linalg import lobpcg
    >>> X = cp.random.default_rng(0).standard_normal((100, 2))
    >>> w, v = lobpcg(diags_array(cp.arange(1.0, 101.0)), X, tol=1e-8, maxiter=200)
    >>> cp.round(w, 6).tolist()
    [100.0, 99.0]
    """
    X = X.toarray() if issparse(X) else as_array(X)
    if X.ndim != 2:
        raise ValueError(f"lobpcg: expected rank-2 array for argument X, got {X.ndim}")
    n, k = X.shape
    shapes = [getattr(one, "shape", (n, n)) for one in (A, B, M)]
    if any(tuple(shape) != (n, n) for shape in shapes):
        raise ValueError(f"lobpcg: the shapes {shapes} of A, B and M do not fit X of shape {X.shape}")
    multiply, weight, precondition = _products(A), _products(B), _products(M)
    dtype = floating_dtype(X.dtype, getattr(A, "dtype", np.float64))
    X = X.astype(dtype)
    tol = float(np.sqrt(1e-15) * n) if tol is None or tol <= 0 else float(tol)
    count = 20 if maxiter is None else int(maxiter)
    if Y is not None:
        Y = _orthonormal(as_array(Y).astype(dtype), weight)
    if n - (0 if Y is None else Y.shape[1]) < 5 * k:
        return _dense(multiply, weight, X, Y, largest, retLambdaHistory, retResidualNormsHistory)

    def outside(block: ndarray) -> ndarray:
        return block if Y is None else block - Y @ (Y.conj().T @ weight(block))

    def pick(span: ndarray) -> tuple[ndarray, ndarray]:
        """Return the wanted eigenvalues and their coefficients in an orthonormal span."""
        values, vectors = cp.linalg.eigh(_hermitian(span.conj().T @ multiply(span)))
        if largest:
            values, vectors = values[::-1], vectors[:, ::-1]
        return values[:k], vectors[:, :k]

    X = _orthonormal(outside(X), weight)
    if X.shape[1] < k:
        raise ValueError(f"lobpcg: the columns of X are linearly dependent: rank {X.shape[1]} of {k}")
    values, coefficients = pick(X)
    X = X @ coefficients
    P: ndarray | None = None
    lambdas, residuals = [values], []
    best: tuple[float, ndarray, ndarray] = (np.inf, values, X)
    for iteration in range(count + 1):
        R = multiply(X) - weight(X) * values
        lengths = cp.sqrt((abs(R) ** 2).sum(axis=0))
        residuals.append(lengths)
        worst = float(lengths.max())
        if verbosityLevel > 0:
            print(f"lobpcg: iteration {iteration}, residuals {lengths.tolist()}")
        if worst < best[0]:
            best = (worst, values, X)
        if worst <= tol or iteration == count:
            break
        W = outside(as_array(precondition(R)))
        W = W - X @ (X.conj().T @ weight(W))
        rest = W if P is None else cp.concatenate((W, P), axis=1)
        rest = _orthonormal(rest, weight)
        rest = rest - X @ (X.conj().T @ weight(rest))
        span = cp.concatenate((X, _orthonormal(rest, weight)), axis=1)
        values, coefficients = pick(span)
        P = span[:, k:] @ coefficients[k:]
        X = span @ coefficients
        lambdas.append(values)
    worst, values, X = best
    if worst > tol:
        warnings.warn(
            f"lobpcg: exited at iteration {count} with residual {worst:.3g}, above the tolerance {tol:.3g}",
            UserWarning,
            stacklevel=3,
        )
    result: tuple[Any, ...] = (cp.ascontiguousarray(values), X)
    if retLambdaHistory:
        result += (lambdas,)
    if retResidualNormsHistory:
        result += (residuals,)
    return result


def _dense(
    multiply: Any, weight: Any, X: ndarray, Y: Any, largest: bool, with_values: bool, with_norms: bool
) -> tuple[Any, ...]:
    """Return all of it by a dense solver: the block is too large a part of the matrix."""
    n, k = X.shape
    span = cp.eye(n, dtype=X.dtype)
    if Y is not None:
        span = span - Y @ (Y.conj().T @ weight(span))
    span = _orthonormal(span, weight)
    values, vectors = cp.linalg.eigh(_hermitian(span.conj().T @ multiply(span)))
    if largest:
        values, vectors = values[::-1], vectors[:, ::-1]
    values, X = cp.ascontiguousarray(values[:k]), span @ vectors[:, :k]
    result: tuple[Any, ...] = (values, X)
    if with_values:
        result += ([values],)
    if with_norms:
        R = multiply(X) - weight(X) * values
        result += ([cp.sqrt((abs(R) ** 2).sum(axis=0))],)
    return result

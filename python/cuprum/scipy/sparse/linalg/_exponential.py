"""The exponential of a sparse matrix: its products with vectors, after Al-Mohy and Higham, and itself."""

from __future__ import annotations

import warnings
from math import ceil
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._construct import eye_array, identity
from ._interface import IdentityOperator, LinearOperator
from ._norms import onenormest
from ._system import to_host

__all__ = ["expm", "expm_multiply"]

_UNIT = 2.0**-53
# How large the norm of a matrix may be for a Taylor polynomial of a degree to be exact to double precision.
_THETA = dict(
    zip(
        (*range(1, 31), 35, 40, 45, 50, 55),
        (
            2.29e-16, 2.58e-8, 1.39e-5, 3.40e-4, 2.40e-3, 9.07e-3, 2.38e-2, 5.00e-2, 8.96e-2, 1.44e-1,
            2.14e-1, 3.00e-1, 4.00e-1, 5.14e-1, 6.41e-1, 7.81e-1, 9.31e-1, 1.09, 1.26, 1.44,
            1.62, 1.82, 2.01, 2.22, 2.43, 2.64, 2.86, 3.08, 3.31, 3.54, 4.7, 6.0, 7.2, 8.5, 9.9,
        ),
        strict=True,
    )
)  # fmt: skip
_MAX_DEGREE = 55
# The largest p with p (p - 1) <= 56.
_MAX_POWERS = 8


def _minus(A: Any, mu: Any) -> Any:
    """Return a matrix with a number taken from its diagonal."""
    if isinstance(A, LinearOperator):
        return A - mu * IdentityOperator(A.shape, A.dtype)
    n = A.shape[0]
    if issparse(A):
        one = (eye_array if A._is_array else identity)(
            n, dtype=np.result_type(A.dtype, np.float64), format="csr"
        )
        return A.tocsr() - one * mu
    return A - mu * cp.eye(n)


def _one_norm(A: Any) -> float:
    if isinstance(A, LinearOperator):
        return float(onenormest(A))
    return float(abs(A).sum(axis=0).max())


def _trace(A: Any) -> Any:
    if not isinstance(A, LinearOperator):
        return A.diagonal().sum().item()
    warnings.warn(
        "Trace of LinearOperator not available, it will be estimated. "
        "Provide `traceA` to ensure performance.",
        stacklevel=4,
    )
    # Any number may be taken from the diagonal: a rough one only costs steps.
    signs = cp.random.default_rng(0).integers(0, 2, (A.shape[1], 5)) * 2.0 - 1.0
    return (cp.sum(signs * cp.asarray(A.matmat(signs))) / 5).item()


def _plan(A: Any, scale: float, one_norm: float, columns: int) -> tuple[int, int]:
    """Return the degree of the polynomial and the number of steps for ``expm(scale * A)``."""
    size = scale * one_norm
    if size == 0:
        return 0, 1
    if size <= 4 * _MAX_POWERS * (_MAX_POWERS + 3) * _THETA[_MAX_DEGREE] / (columns * _MAX_DEGREE):
        costs = [(m * ceil(size / theta), m, ceil(size / theta)) for m, theta in _THETA.items()]
    else:
        from ._interface import aslinearoperator

        operator = aslinearoperator(A)
        roots = {p: scale * float(onenormest(operator**p)) ** (1 / p) for p in range(2, _MAX_POWERS + 2)}
        costs = []
        for p in range(2, _MAX_POWERS + 1):
            bound = max(roots[p], roots[p + 1])
            for m in range(p * (p - 1) - 1, _MAX_DEGREE + 1):
                if m in _THETA:
                    steps = max(ceil(bound / _THETA[m]), 1)
                    costs.append((m * steps, m, steps))
    _, degree, steps = min(costs)
    return degree, max(steps, 1)


def _advance(A: Any, B: Any, t: Any, mu: Any, degree: int, steps: int) -> Any:
    """Return ``expm(t * (A + mu I)) @ B`` by Taylor polynomials."""
    total = term = B
    shift = np.exp(t * mu / steps)
    for _ in range(steps):
        if degree:
            (before,) = to_host(abs(term).max())
        for k in range(1, degree + 1):
            term = (t / (steps * k)) * (A @ term)
            total = total + term
            # One transfer a term: what it adds, and to what.
            after, whole = to_host(_row_norm(term), _row_norm(total))
            if before + after <= _UNIT * whole:
                break
            before = after
        total = term = shift * total
    return total


def _row_norm(x: ndarray) -> ndarray:
    size = abs(x)
    return size.max() if size.ndim == 1 else size.sum(axis=1).max()


@names_itself
def expm_multiply(
    A: Any,
    B: Any,
    start: float | None = None,
    stop: float | None = None,
    num: int | None = None,
    endpoint: bool | None = None,
    traceA: Any = None,
) -> ndarray:
    """Return the product of the exponential of a matrix with vectors, without the exponential itself.

    Parameters
    ----------
    A : sparse matrix, ndarray or LinearOperator
        The square matrix.
    B : array_like or sparse matrix
        A vector or a matrix.
    start, stop : float, optional
        Where given, the products of ``expm(t * A)`` for times between them.
    num : int, optional
        How many times; 50 by default.
    endpoint : bool, optional
        Whether `stop` is the last time; True by default.
    traceA : float, optional
        The trace of the matrix; that of an operator is estimated by default.

    Returns
    -------
    ndarray
        The product; one for each time along the first axis.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.linalg import expm_multiply
    >>> expm_multiply(csr_array(cp.array([[0.0, 1.0], [0.0, 0.0]])), cp.array([1.0, 2.0]))
    array([3., 2.])
    """
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise ValueError("expm_multiply: expected A to be like a square matrix")
    matrix = A if issparse(A) or isinstance(A, LinearOperator) else as_array(A)
    B = B.toarray() if issparse(B) else as_array(B)
    if B.ndim not in (1, 2):
        raise ValueError("expm_multiply: expected B to be like a matrix or a vector")
    n = matrix.shape[0]
    if B.shape[0] != n:
        raise ValueError(f"expm_multiply: shapes of matrices A {A.shape} and B {B.shape} are incompatible")
    columns = 1 if B.ndim == 1 else B.shape[1]
    mu = (_trace(matrix) if traceA is None else traceA) / float(max(n, 1))
    matrix = _minus(matrix, mu)
    one_norm = _one_norm(matrix) if n else 0.0
    if start is None and stop is None and num is None and endpoint is None:
        found_once: ndarray = _advance(matrix, B, 1.0, mu, *_plan(matrix, 1.0, one_norm, columns))
        return found_once
    times, step = np.linspace(
        0.0 if start is None else start,
        1.0 if stop is None else stop,
        num=50 if num is None else num,
        endpoint=True if endpoint is None else endpoint,
        retstep=True,
    )
    if times.size < 2:
        raise ValueError("expm_multiply: at least two time points are required")
    first = _plan(matrix, abs(float(times[0])), one_norm, columns)
    found = [_advance(matrix, B, float(times[0]), mu, *first)]
    plan = _plan(matrix, abs(float(step)), one_norm, columns)
    for _ in range(times.size - 1):
        found.append(_advance(matrix, found[-1], float(step), mu, *plan))
    dtype = np.result_type(matrix.dtype, B.dtype, np.float64)
    return cp.stack([one.astype(dtype) for one in found])


@names_itself
def expm(A: Any) -> Any:
    """Return the exponential of a sparse square matrix.

    Parameters
    ----------
    A : sparse matrix or array_like
        The matrix. Its exponential has, as a rule, few zeros.

    Returns
    -------
    sparse matrix or ndarray
        As the matrix.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csc_array
    >>> from cuprum.scipy.sparse.linalg import expm
    >>> expm(csc_array(cp.array([[0.0, 1.0], [0.0, 0.0]]))).toarray()
    array([[1., 1.],
           [0., 1.]])
    """
    from ...linalg import expm as dense_expm

    if not issparse(A):
        found: ndarray = dense_expm(A)
        return found
    if A.shape[0] != A.shape[1]:
        raise ValueError("expm: expected a square matrix")
    return A._as(A.format if A.format in ("csc", "csr") else "csc")(dense_expm(A.toarray()))

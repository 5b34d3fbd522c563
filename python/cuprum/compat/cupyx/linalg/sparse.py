"""`cupyx.linalg.sparse`: systems of sparse positive definite matrices."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum.scipy import sparse
from cuprum.scipy.sparse.linalg import spsolve

__all__ = ["lschol"]


def lschol(A: Any, b: Any) -> Any:
    """Solve ``A x = b`` for a sparse matrix that is symmetric and positive definite.

    Parameters
    ----------
    A : sparse matrix or array_like
        The matrix.
    b : array_like
        The right side, a vector.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> from cuprum.compat.cupyx.linalg.sparse import lschol
    >>> lschol(cp.array([[4.0, 1.0], [1.0, 3.0]]), cp.array([1.0, 2.0])).round(4)
    array([0.0909, 0.6364])
    """
    matrix = A.tocsr() if sparse.issparse(A) else sparse.csr_matrix(cuprum.asarray(A))
    vector = cuprum.asarray(b)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"lschol: the matrix must be square, got shape {matrix.shape}")
    if vector.shape != (matrix.shape[0],):
        raise ValueError(f"lschol: b must be a vector of {matrix.shape[0]}, got shape {vector.shape}")
    return spsolve(matrix, vector)

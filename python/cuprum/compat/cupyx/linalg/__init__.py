"""`cupyx.linalg`: systems of positive definite matrices, by Cholesky's factors."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum.scipy.linalg import solve_triangular

from . import sparse as sparse

__all__ = ["cho_solve", "invh"]


def cho_solve(
    c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """Solve a linear system by the Cholesky factor of its matrix.

    Parameters
    ----------
    c_and_lower : tuple of array and bool
        The factor, and whether it is the lower one; stacks of them are solved together. The other triangle
        is not read.
    b : array_like
        The right sides: with one axis less than the factor a vector for each, else a matrix for each.
    overwrite_b : bool, optional
        Accepted.
    check_finite : bool, optional
        Whether infinities and NaN are an error.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> from cuprum.compat.cupyx.linalg import cho_solve
    >>> a = cp.array([[4.0, 2.0], [2.0, 3.0]])
    >>> cho_solve((cp.linalg.cholesky(a), True), cp.array([8.0, 7.0]))
    array([1.25, 1.5 ])
    """
    c, lower = c_and_lower
    factor, right = cuprum.asarray(c), cuprum.asarray(b)
    if factor.ndim < 2 or factor.shape[-1] != factor.shape[-2]:
        raise ValueError(f"cho_solve: the factor must be square, got shape {factor.shape}")
    vector = right.ndim == factor.ndim - 1
    if right.ndim == 0 or right.shape[-1 if vector else -2] != factor.shape[-1]:
        raise ValueError(f"cho_solve: shapes {factor.shape} and {right.shape} do not fit together")
    factor = cuprum.tril(factor) if lower else cuprum.triu(factor)
    if check_finite and not (cuprum.isfinite(factor).all() and cuprum.isfinite(right).all()):
        raise ValueError("cho_solve: the arrays must not contain infs or NaNs")
    columns = right[..., None] if vector else right
    first, second = ("N", "C") if lower else ("C", "N")
    half = solve_triangular(factor, columns, trans=first, lower=lower)
    found = solve_triangular(factor, half, trans=second, lower=lower)
    return found[..., 0] if vector else found


def invh(a: Any) -> Any:
    """Return the inverse of a positive definite matrix.

    Parameters
    ----------
    a : array_like
        A symmetric or Hermitian matrix.

    Returns
    -------
    ndarray
        Its inverse.

    Raises
    ------
    LinAlgError
        Where the matrix is not positive definite.

    Examples
    --------
    >>> from cuprum.compat.cupyx.linalg import invh
    >>> invh(cp.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    matrix = cuprum.asarray(a)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise cuprum.linalg.LinAlgError(f"invh: expected a square matrix, got shape {matrix.shape}")
    factor = cuprum.linalg.cholesky(matrix)
    return cho_solve((factor, True), cuprum.eye(matrix.shape[0], dtype=factor.dtype), check_finite=False)

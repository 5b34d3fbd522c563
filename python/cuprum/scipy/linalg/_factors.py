"""Factors of matrices: triangular ones, and an orthogonal with a triangular one."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import adjoint, as_floats, as_matrix
from ._documentation import documented
from ._systems import solve_triangular

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["cho_factor", "cho_solve", "cholesky", "lu", "lu_factor", "lu_solve", "qr", "rq"]


@documented
def lu(
    a: ArrayLike,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> Any:
    """Factor a matrix with exchanges of rows: ``a == p @ l @ u``.

    Parameters
    ----------
    {rectangles}
    permute_l : bool, optional
        Return ``p @ l`` and `u` instead.
    {overwrite_a}
    {finite_a}
    p_indices : bool, optional
        Return the permutation as positions, ``a == l[p] @ u``.

    Returns
    -------
    p : (..., M, M) or (..., M) ndarray
        The permutation.
    l : (..., M, K) ndarray
        The lower triangle with ones on its diagonal, K being the smaller of M and N.
    u : (..., K, N) ndarray
        The upper triangle.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> p, l, u = cuprum.scipy.linalg.lu(cp.array([[1.0, 3.0], [2.0, 4.0]]))
    >>> l
    array([[1. , 0. ],
           [0.5, 1. ]])
    >>> cp.allclose(p @ l @ u, [[1.0, 3.0], [2.0, 4.0]])
    True
    """
    a = as_matrix("lu", a, check_finite)
    order, lower, upper = _core.linalg_lu(a)
    if permute_l:
        return _core.take_along_axis(lower, order[..., None], -2), upper
    if p_indices:
        return order.astype(np.int32), lower, upper
    identity = cp.eye(a.shape[-2], dtype=lower.real.dtype)
    return identity[order], lower, upper


@documented
def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[ndarray, ndarray]:
    """Factor a matrix with exchanges of rows, packed for `lu_solve`.

    Parameters
    ----------
    {rectangles}
    {overwrite_a}
    {finite_a}

    Returns
    -------
    lu : (..., M, N) ndarray
        U on and above the diagonal, L without its ones below it.
    piv : (..., K) ndarray
        Row i was exchanged with row ``piv[i]``.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> lu, piv = cuprum.scipy.linalg.lu_factor(cp.array([[1.0, 3.0], [2.0, 4.0]]))
    >>> lu, piv
    (array([[2. , 4. ],
           [0.5, 1. ]]), array([1, 1], dtype=int32))
    """
    a = as_matrix("lu_factor", a, check_finite)
    factors, pivots = _core.linalg_lu_factor(a)
    if factors.size and bool((factors.diagonal(0, -2, -1) == 0).any()):
        warnings.warn(
            "lu_factor: a pivot is exactly zero, the matrix is singular", RuntimeWarning, stacklevel=2
        )
    return factors, pivots


@documented
def lu_solve(
    lu_and_piv: Any, b: ArrayLike, trans: Any = 0, overwrite_b: bool = False, check_finite: bool = True
) -> ndarray:
    """Solve ``a @ x = b`` with the factors of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : tuple of ndarray
        What `lu_factor` returned.
    {right_sides}
    trans : {0, 1, 2}, optional
        Solve with the matrix, its transpose, or its conjugate transpose.
    {overwrite_b}
    check_finite : bool, optional
        Raise ValueError where `b` is not finite.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> factors = cuprum.scipy.linalg.lu_factor(cp.array([[3.0, 1.0], [1.0, 2.0]]))
    >>> cuprum.scipy.linalg.lu_solve(factors, cp.array([9.0, 8.0]))
    array([2., 3.])
    """
    factors, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(f"lu_solve: trans must be 0, 1 or 2, got {trans!r}")
    factors = as_matrix("lu_solve", factors, False)
    b = as_matrix("lu_solve", b, check_finite, 1)
    return _core.linalg_lu_solve(factors, as_array(pivots), b, int(trans))


@names_itself
@documented
def cholesky(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> ndarray:
    """Compute the factor of a positive definite matrix: ``u.conj().T @ u``, or ``l @ l.conj().T``.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix, of which one triangle is read.
    lower : bool, optional
        Return the lower factor, reading the lower triangle.
    {overwrite_a}
    {finite_a}

    Returns
    -------
    ndarray
        The factor.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.cholesky(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 1.],
           [0., 2.]])
    """
    return cp.linalg.cholesky(as_floats("cholesky", a, check_finite, square=True), upper=not lower)


@names_itself
@documented
def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[ndarray, bool]:
    """Compute the factor of a positive definite matrix for `cho_solve`.

    Parameters
    ----------
    {square}
    lower : bool, optional
        Take the lower triangle.
    {overwrite_a}
    {finite_a}

    Returns
    -------
    c : ndarray
        The factor; the other triangle is as in `a`.
    lower : bool
        Which triangle it is in.

    Examples
    --------
    >>> from cuprum.scipy import linalg
    >>> linalg.cho_solve(linalg.cho_factor(cp.array([[4.0, 2.0], [2.0, 5.0]])), cp.array([6.0, 7.0]))
    array([1., 1.])
    """
    matrix = as_floats("cho_factor", a, check_finite, square=True)
    factor = cp.linalg.cholesky(matrix, upper=not lower)
    rest = cp.triu(matrix, 1) if lower else cp.tril(matrix, -1)
    return factor + rest, lower


@names_itself
@documented
def cho_solve(
    c_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True
) -> ndarray:
    """Solve a positive definite system by the factor of `cho_factor`.

    Parameters
    ----------
    c_and_lower : tuple of ndarray and bool
        What `cho_factor` returned.
    b : array_like
        The right side.
    {overwrite_b}
    {finite}

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> from cuprum.scipy import linalg
    >>> linalg.cho_solve(linalg.cho_factor(cp.eye(2) * 4), cp.array([8.0, 4.0]))
    array([2., 1.])
    """
    c, lower = c_and_lower
    factor = as_floats("cho_solve", c, check_finite, square=True)
    first, second = (0, 2) if lower else (2, 0)
    middle = solve_triangular(factor, b, trans=first, lower=lower, check_finite=check_finite)
    return solve_triangular(factor, middle, trans=second, lower=lower, check_finite=check_finite)


@names_itself
@documented
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """Factor a matrix into an orthogonal and an upper triangular one.

    Parameters
    ----------
    {rectangles}
    overwrite_a, lwork : optional
        Taken for compatibility.
    mode : {"full", "r", "economic"}, optional
        Square factors, the triangular one alone, or both without what is not needed.
    pivoting : bool, optional
        Must be False: columns are not exchanged.
    {finite_a}

    Returns
    -------
    q, r : ndarray
        The factors; `r` alone, in a tuple, for "r".

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> q, r = cuprum.scipy.linalg.qr(cp.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> cp.allclose(q @ r, cp.array([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    if pivoting:
        raise NotImplementedError(
            "qr: columns are not exchanged here; cuprum.linalg.svd finds the rank of a matrix"
        )
    matrix = as_floats("qr", a, check_finite)
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"qr: mode must be one of 'full', 'r', 'economic', got {mode!r}")
    if mode == "r":
        q, r = cp.linalg.qr(matrix, mode="complete")
        return (r,)
    q, r = cp.linalg.qr(matrix, mode="complete" if mode == "full" else "reduced")
    return q, r


@names_itself
@documented
def rq(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    check_finite: bool = True,
) -> Any:
    """Factor a matrix into an upper triangular and an orthogonal one.

    Parameters
    ----------
    {rectangle}
    overwrite_a, lwork : optional
        Taken for compatibility.
    mode : {"full", "r", "economic"}, optional
        As for `qr`.
    {finite_a}

    Returns
    -------
    r, q : ndarray
        The factors; `r` alone for "r".

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> r, q = cuprum.scipy.linalg.rq(cp.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> cp.allclose(r @ q, cp.array([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    matrix = as_floats("rq", a, check_finite)
    # The factors of the adjoint with rows and columns in the other order.
    turned = adjoint(matrix)[..., ::-1, ::-1]
    q, r = cp.linalg.qr(turned, mode="reduced" if mode == "economic" else "complete")
    r, q = adjoint(r)[..., ::-1, ::-1], adjoint(q)[..., ::-1, ::-1]
    return r if mode == "r" else (r, q)

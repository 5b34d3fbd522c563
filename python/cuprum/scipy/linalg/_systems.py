"""Systems of equations, determinants and inverses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import adjoint, as_assumed, as_floats, as_matrix
from ._documentation import documented
from ._stacks import VECTOR_OR_MATRIX, over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["det", "inv", "lstsq", "pinv", "pinvh", "solve", "solve_triangular"]

_TRANSPOSES = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


@names_itself
@documented
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the determinant.

    Parameters
    ----------
    {squares}
    {overwrite_a}
    {finite_a}

    Returns
    -------
    ndarray
        The determinant.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.det(cp.array([[1.0, 2.0], [3.0, 5.0]])).round(6)
    array(-1.)
    """
    result = cp.linalg.det(as_floats("det", a, check_finite, square=True))
    return result.astype(np.complex128 if result.dtype.kind == "c" else np.float64, copy=False)


@names_itself
@documented
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the inverse of a matrix.

    Parameters
    ----------
    {squares}
    {overwrite_a}
    {finite_a}

    Returns
    -------
    ndarray
        The inverse.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.inv(cp.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return cp.linalg.inv(as_floats("inv", a, check_finite, square=True))


@names_itself
@documented
def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> ndarray:
    """Solve ``a @ x == b``.

    Parameters
    ----------
    a : (..., N, N) array_like
        The matrix.
    b : (N,) or (..., N, K) array_like
        The right side.
    lower : bool, optional
        Which triangle is read of a matrix that is assumed symmetric or Hermitian.
    {overwrite}
    {finite}
    assume_a : str, optional
        What is known of `a`: "sym", "her", "pos", "diagonal", "tridiagonal", "upper triangular", "lower
        triangular", "banded" or "gen". The parts that are not read may hold anything.
    transposed : bool, optional
        Solve with the transpose of `a` instead.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve(cp.array([[2.0, 0.0], [0.0, 4.0]]), cp.array([1.0, 2.0]))
    array([0.5, 0.5])
    """
    matrix = as_assumed("solve", as_floats("solve", a, check_finite, square=True), assume_a, lower)
    right = as_array(b)
    right = right.astype(np.float64) if right.dtype.kind in "bui" else right
    right = right.astype(np.float32) if right.dtype == np.float16 else right
    if check_finite and not bool(cp.isfinite(right).all()):
        raise ValueError("solve: array must not contain infs or NaNs")
    if assume_a in ("pos", "positive definite"):
        # Raises where the matrix is not positive definite, which the solution does not show.
        cp.linalg.cholesky(matrix)
    if transposed:
        matrix = cp.swapaxes(matrix, -1, -2)
    result = cp.linalg.solve(matrix, right[:, None] if right.ndim == 1 else right)
    return result[..., 0] if right.ndim == 1 else result


@documented
def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> ndarray:
    """Solve ``a @ x = b`` for a triangular matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix; only one triangle is read.
    {right_sides}
    trans : {0, 1, 2, "N", "T", "C"}, optional
        Solve with the matrix, its transpose, or its conjugate transpose.
    lower : bool, optional
        Read the lower triangle instead of the upper one.
    unit_diagonal : bool, optional
        Take the diagonal as ones, without reading it.
    {overwrite_b}
    check_finite : bool, optional
        Raise ValueError where `a` or `b` is not finite.

    Returns
    -------
    ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where an element of the diagonal is zero.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a = cp.array([[2.0, 0.0], [1.0, 4.0]])
    >>> cuprum.scipy.linalg.solve_triangular(a, cp.array([2.0, 9.0]), lower=True)
    array([1., 2.])
    """
    if trans not in _TRANSPOSES:
        raise ValueError(f"solve_triangular: trans must be 0, 1, 2, 'N', 'T' or 'C', got {trans!r}")
    a = as_matrix("solve_triangular", a, check_finite)
    b = as_matrix("solve_triangular", b, check_finite, 1)
    return _core.linalg_solve_triangular(a, b, _TRANSPOSES[trans], bool(lower), bool(unit_diagonal))


@over_stacks(a=2, b=VECTOR_OR_MATRIX)
@names_itself
@documented
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> Any:
    """Solve ``a @ x == b`` in the sense of least squares.

    Parameters
    ----------
    {rectangle}
    b : (M,) or (M, K) array_like
        The right side.
    cond : float, optional
        Singular values below so much of the largest count as zero.
    overwrite_a, overwrite_b, lapack_driver : optional
        Taken for compatibility.
    {finite}

    Returns
    -------
    x : ndarray
        The solution.
    residues : ndarray
        The sums of squares that are left, where the rank is N and M is larger.
    rank : int
        The rank.
    s : ndarray
        The singular values.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.lstsq(cp.array([[1.0], [1.0]]), cp.array([1.0, 3.0]))[0].round(6)
    array([2.])
    """
    matrix = as_floats("lstsq", a, check_finite)
    right = as_array(b)
    if check_finite and not bool(cp.isfinite(right).all()):
        raise ValueError("lstsq: array must not contain infs or NaNs")
    limit = np.finfo(matrix.dtype).eps if cond is None else cond
    x, residues, rank, s = cp.linalg.lstsq(matrix, right, rcond=limit)
    if right.ndim == 1 and residues.size:
        residues = residues[0]
    return x, residues, rank, s


@names_itself
@documented
def pinv(
    a: ArrayLike,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """Compute the pseudo-inverse of Moore and Penrose.

    Parameters
    ----------
    {rectangle}
    atol, rtol : float, optional
        Singular values up to ``atol + rtol * largest`` count as zero.
    {return_rank}
    {finite_a}

    Returns
    -------
    ndarray or tuple
        The pseudo-inverse, and the rank.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.pinv(cp.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    matrix = as_floats("pinv", a, check_finite)
    u, s, vh = cp.linalg.svd(matrix, full_matrices=False)
    inverse, ranks = _inverted("pinv", s, max(matrix.shape[-2:]), atol, rtol)
    result = (adjoint(vh) * inverse) @ adjoint(u)
    return (result, int(ranks) if ranks.ndim == 0 else ranks) if return_rank else result


def _inverted(
    op: str, values: ndarray, size: int, atol: float | None, rtol: float | None
) -> tuple[ndarray, ndarray]:
    """Return the inverses of singular values or eigenvalues as rows, zeros for small ones, and the ranks."""
    first = 0.0 if atol is None else atol
    second = (size * np.finfo(values.dtype).eps if atol is None else 0.0) if rtol is None else rtol
    if first < 0 or second < 0:
        raise ValueError(f"{op}: atol and rtol values must be positive.")
    sizes = cp.abs(values)
    counts = sizes > first + second * sizes.max(axis=-1, keepdims=True, initial=0.0)
    inverse = cp.where(counts, 1 / cp.where(counts, values, 1), 0).astype(values.dtype)
    return inverse[..., None, :], counts.sum(axis=-1)


@names_itself
@documented
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """Compute the pseudo-inverse of a Hermitian matrix.

    Parameters
    ----------
    {square}
    atol, rtol : float, optional
        Eigenvalues up to ``atol + rtol * largest`` in size count as zero.
    lower : bool, optional
        Which triangle is read.
    {return_rank}
    {finite_a}

    Returns
    -------
    ndarray or tuple
        The pseudo-inverse, and the rank.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.pinvh(cp.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    matrix = as_floats("pinvh", a, check_finite, square=True)
    w, v = cp.linalg.eigh(matrix, "L" if lower else "U")
    inverse, ranks = _inverted("pinvh", w, matrix.shape[-1], atol, rtol)
    result = (v * inverse) @ adjoint(v)
    return (result, int(ranks) if ranks.ndim == 0 else ranks) if return_rank else result

"""Eigenvalues and singular values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import adjoint, as_assumed, as_floats
from ._documentation import documented
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["diagsvd", "eig", "eigh", "eigvals", "eigvalsh", "orthogonal_procrustes", "svd", "svdvals"]


@names_itself
@documented
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Compute the singular value decomposition.

    Parameters
    ----------
    {rectangles}
    full_matrices : bool, optional
        Return square matrices.
    compute_uv : bool, optional
        Return the vectors too.
    overwrite_a, lapack_driver : optional
        Taken for compatibility.
    {finite_a}

    Returns
    -------
    u, s, vh : ndarray
        The factors; `s` alone without vectors.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.svd(cp.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    array([4., 3.])
    """
    matrix = as_floats("svd", a, check_finite)
    if not compute_uv:
        return cp.linalg.svdvals(matrix)
    return tuple(cp.linalg.svd(matrix, full_matrices=full_matrices))


@names_itself
@documented
def svdvals(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the singular values.

    Parameters
    ----------
    {rectangles}
    {overwrite_a}
    {finite_a}

    Returns
    -------
    ndarray
        The values, the largest first.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.svdvals(cp.array([[3.0, 0.0], [0.0, 4.0]]))
    array([4., 3.])
    """
    return cp.linalg.svdvals(as_floats("svdvals", a, check_finite))


@names_itself
def diagsvd(s: ArrayLike, M: int, N: int) -> ndarray:
    """Return the matrix that has singular values on its diagonal.

    Parameters
    ----------
    s : (M,) or (N,) array_like
        The values.
    M, N : int
        The shape.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.diagsvd(cp.array([3.0, 2.0]), 2, 3)
    array([[3., 0., 0.],
           [0., 2., 0.]])
    """
    values = as_array(s)
    if values.size not in (M, N):
        raise ValueError(f"diagsvd: length of s must be M or N, got {values.size}")
    result = cp.zeros((M, N), values.dtype)
    places = cp.arange(min(M, N, values.size))
    result[places, places] = values[: places.size]
    return result


@names_itself
@documented
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Compute the eigenvalues of a matrix, and the vectors to the right or left of it.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix.
    b : (M, M) array_like, optional
        Another one: ``a @ v == w * b @ v``; it must not be singular.
    left, right : bool, optional
        Which vectors are returned.
    {overwrite}
    {finite}

    Returns
    -------
    w : ndarray
        The eigenvalues, complex.
    vl, vr : ndarray
        The vectors that were asked for, as columns of length one.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> w, v = cuprum.scipy.linalg.eig(cp.array([[2.0, 0.0], [0.0, 3.0]]))
    >>> w
    array([2.+0.j, 3.+0.j])
    """
    matrix = as_floats("eig", a, check_finite, square=True)
    if b is not None:
        matrix = cp.linalg.solve(as_floats("eig", b, check_finite, square=True), matrix)
    wide = np.result_type(matrix.dtype, np.complex64)
    if not left and not right:
        return cp.linalg.eigvals(matrix).astype(wide)
    w, v = cp.linalg.eig(matrix)
    w = w.astype(wide)
    if not left:
        return w, v
    # Rows of the inverse are the vectors to the left.
    other = adjoint(cp.linalg.inv(v))
    if b is not None:
        other = adjoint(cp.linalg.solve(adjoint(as_array(b).astype(other.dtype)), other)).conj().T
    other = other / cp.linalg.norm(other, axis=0)
    return (w, other, v) if right else (w, other)


@names_itself
@documented
def eigvals(
    a: ArrayLike, b: ArrayLike | None = None, overwrite_a: bool = False, check_finite: bool = True
) -> ndarray:
    """Compute the eigenvalues of a matrix.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix.
    b : (M, M) array_like, optional
        Another one, as for `eig`.
    {overwrite_a}
    {finite}

    Returns
    -------
    ndarray
        The eigenvalues, complex.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.eigvals(cp.array([[2.0, 0.0], [0.0, 3.0]]))
    array([2.+0.j, 3.+0.j])
    """
    result: ndarray = eig(a, b, left=False, right=False, check_finite=check_finite)
    return result


@names_itself
@documented
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> Any:
    """Compute the eigenvalues and vectors of a Hermitian matrix.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix.
    b : (M, M) array_like, optional
        A positive definite one: ``a @ v == w * b @ v``.
    lower : bool, optional
        Which triangle is read.
    eigvals_only : bool, optional
        Return no vectors.
    overwrite_a, overwrite_b, driver : optional
        Taken for compatibility.
    type : {1, 2, 3}, optional
        The problem with `b`: ``a v = w b v``, ``a b v = w v`` or ``b a v = w v``.
    {finite}
    subset_by_index : pair of int, optional
        The first and the last eigenvalue that is returned.
    subset_by_value : pair of float, optional
        The interval, open below, in which they are.

    Returns
    -------
    w : ndarray
        The eigenvalues, the least first.
    v : ndarray
        The vectors, as columns.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.eigh(cp.array([[2.0, 1.0], [1.0, 2.0]]), eigvals_only=True)
    array([1., 3.])
    """
    if driver not in (None, "ev", "evd", "evr", "evx", "gv", "gvd", "gvx"):
        raise ValueError(f"eigh: {driver!r} is unknown; drivers are ev, evd, evr, evx, gv, gvd and gvx")
    matrix = as_floats("eigh", a, check_finite, square=True)
    half: Literal["L", "U"] = "L" if lower else "U"
    factor = None
    if b is not None:
        if type not in (1, 2, 3):
            raise ValueError(f"eigh: type must be 1, 2 or 3, got {type}")
        matrix = as_assumed("eigh", matrix, "her", lower)
        full = as_assumed("eigh", as_floats("eigh", b, check_finite, square=True), "her", lower)
        factor = cp.linalg.cholesky(full)
        if type == 1:
            matrix = cp.linalg.solve(factor, adjoint(cp.linalg.solve(factor, adjoint(matrix))))
        else:
            matrix = adjoint(factor) @ matrix @ factor
        half = "L"
    if eigvals_only:
        w, v = cp.linalg.eigvalsh(matrix, half), None
    else:
        w, v = cp.linalg.eigh(matrix, half)
        if factor is not None:
            v = factor @ v if type == 3 else cp.linalg.solve(adjoint(factor), v)
    if subset_by_index is not None:
        low, high = (int(i) for i in subset_by_index)
        if not 0 <= low <= high < w.shape[-1]:
            raise ValueError(f"eigh: requested eigenvalue indices are not valid: {subset_by_index!r}")
        w, v = w[..., low : high + 1], v if v is None else v[..., low : high + 1]
    if subset_by_value is not None:
        if w.ndim > 1:
            raise ValueError("eigh: subset_by_value takes one matrix: of several it would not be one length")
        low, high = subset_by_value
        inside = (w > low) & (w <= high)
        w, v = w[inside], v if v is None else v[:, inside]
    return w if v is None else (w, v)


@names_itself
def eigvalsh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> ndarray:
    """Compute the eigenvalues of a Hermitian matrix.

    Parameters
    ----------
    a, b, lower, overwrite_a, overwrite_b, type, check_finite, subset_by_index, subset_by_value, driver
        As for `eigh`.

    Returns
    -------
    ndarray
        The eigenvalues, the least first.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.eigvalsh(cp.array([[2.0, 1.0], [1.0, 2.0]]))
    array([1., 3.])
    """
    result: ndarray = eigh(
        a,
        b,
        lower=lower,
        eigvals_only=True,
        type=type,
        check_finite=check_finite,
        subset_by_index=subset_by_index,
        subset_by_value=subset_by_value,
    )
    return result


@over_stacks(A=2, B=2)
@names_itself
@documented
def orthogonal_procrustes(A: ArrayLike, B: ArrayLike, check_finite: bool = True) -> tuple[ndarray, ndarray]:
    """Find the orthogonal matrix that takes one matrix nearest to another.

    Parameters
    ----------
    A, B : (M, N) array_like
        The matrices.
    {finite}

    Returns
    -------
    R : (N, N) ndarray
        The matrix for which ``A @ R`` is nearest to `B`.
    scale : ndarray
        The sum of the singular values of ``A.conj().T @ B``.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a = cp.array([[2.0, 0.0], [0.0, 1.0]])
    >>> cuprum.scipy.linalg.orthogonal_procrustes(a, a)[1].round(6)
    array(5.)
    """
    a = as_floats("orthogonal_procrustes", A, check_finite)
    b = as_floats("orthogonal_procrustes", B, check_finite)
    if a.ndim != 2 or a.shape != b.shape:
        raise ValueError(f"orthogonal_procrustes: the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, s, vh = cp.linalg.svd(adjoint(adjoint(b) @ a))
    return u @ vh, s.sum()

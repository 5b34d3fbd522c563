"""Systems, factors and eigenvalues of dense matrices with SciPy's arguments, by those of `cuprum.linalg`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import cuprum as cp

from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from ._matrix_functions import logm, sqrtm

if TYPE_CHECKING:
    from .._typing import ArrayLike

__all__ = [
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "diagsvd",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "fractional_matrix_power",
    "inv",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "lstsq",
    "norm",
    "orthogonal_procrustes",
    "pascal",
    "pinv",
    "pinvh",
    "qr",
    "rq",
    "signm",
    "solve",
    "solve_continuous_lyapunov",
    "solve_discrete_lyapunov",
    "solve_sylvester",
    "svd",
    "svdvals",
]

LinAlgError = np.linalg.LinAlgError


class LinAlgWarning(RuntimeWarning):
    """A matrix is so near to a singular one that results have few digits."""


def _float(op: str, a: Any, check_finite: bool, square: bool = False) -> ndarray:
    """Return a matrix of floats, finite where that is wanted."""
    array = as_array(a)
    if array.ndim < 2:
        raise ValueError(f"{op}: expected a matrix, got shape {array.shape}")
    if square and array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{op}: expected a square matrix, got shape {array.shape}")
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    elif array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    if check_finite and not bool(cp.isfinite(array).all()):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    return array


def _adjoint(a: ndarray) -> ndarray:
    return cp.swapaxes(a, -1, -2).conj() if a.dtype.kind == "c" else cp.swapaxes(a, -1, -2)


@names_itself
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the determinant.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    result = cp.linalg.det(_float("det", a, check_finite, square=True))
    return result.astype(np.complex128 if result.dtype.kind == "c" else np.float64, copy=False)


@names_itself
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the inverse of a matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    return cp.linalg.inv(_float("inv", a, check_finite, square=True))


def _as_assumed(op: str, a: ndarray, assume_a: Any, lower: bool) -> ndarray:
    """Return the whole matrix that a stored triangle or diagonal stands for."""
    if assume_a in (None, "gen", "general", "tridiagonal", "banded"):
        return a
    if assume_a == "diagonal":
        return a * cp.eye(a.shape[-1], dtype=a.dtype)
    if assume_a in ("lower triangular", "upper triangular"):
        return cp.tril(a) if assume_a == "lower triangular" else cp.triu(a)
    if assume_a in ("sym", "symmetric", "her", "hermitian", "pos", "positive definite"):
        half = cp.tril(a, -1) if lower else cp.triu(a, 1)
        is_hermitian = assume_a not in ("sym", "symmetric")
        other = _adjoint(half) if is_hermitian else cp.swapaxes(half, -1, -2)
        return half + other + a * cp.eye(a.shape[-1], dtype=a.dtype)
    raise ValueError(f"{op}: {assume_a!r} is not a recognized matrix structure")


@names_itself
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
    overwrite_a, overwrite_b : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.
    assume_a : str, optional
        What is known of `a`: "sym", "her", "pos", "diagonal", "upper triangular", "lower triangular" or
        "gen". The parts that are not read may hold anything.
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
    matrix = _as_assumed("solve", _float("solve", a, check_finite, square=True), assume_a, lower)
    right = as_array(b)
    right = right.astype(np.float64) if right.dtype.kind in "bui" else right
    if check_finite and not bool(cp.isfinite(right).all()):
        raise ValueError("solve: array must not contain infs or NaNs")
    if transposed:
        matrix = cp.swapaxes(matrix, -1, -2)
    result = cp.linalg.solve(matrix, right[:, None] if right.ndim == 1 else right)
    return result[..., 0] if right.ndim == 1 else result


@names_itself
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
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    return cp.linalg.cholesky(_float("cholesky", a, check_finite, square=True), upper=not lower)


@names_itself
def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[ndarray, bool]:
    """Compute the factor of a positive definite matrix for `cho_solve`.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix.
    lower : bool, optional
        Take the lower triangle.
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("cho_factor", a, check_finite, square=True)
    factor = cp.linalg.cholesky(matrix, upper=not lower)
    rest = cp.triu(matrix, 1) if lower else cp.tril(matrix, -1)
    return factor + rest, lower


@names_itself
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
    overwrite_b : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    from .linalg import solve_triangular

    c, lower = c_and_lower
    factor = _float("cho_solve", c, check_finite, square=True)
    first, second = (0, 2) if lower else (2, 0)
    middle = solve_triangular(factor, b, trans=first, lower=lower, check_finite=check_finite)
    return solve_triangular(factor, middle, trans=second, lower=lower, check_finite=check_finite)


@names_itself
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
    a : (..., M, N) array_like
        The matrix.
    overwrite_a, lwork : optional
        Taken for compatibility.
    mode : {"full", "r", "economic"}, optional
        Square factors, the triangular one alone, or both without what is not needed.
    pivoting : bool, optional
        Must be False: columns are not exchanged.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("qr", a, check_finite)
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"qr: mode must be one of 'full', 'r', 'economic', got {mode!r}")
    if mode == "r":
        q, r = cp.linalg.qr(matrix, mode="complete")
        return (r,)
    q, r = cp.linalg.qr(matrix, mode="complete" if mode == "full" else "reduced")
    return q, r


@names_itself
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
    a : (M, N) array_like
        The matrix.
    overwrite_a, lwork : optional
        Taken for compatibility.
    mode : {"full", "r", "economic"}, optional
        As for `qr`.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("rq", a, check_finite)
    # The factors of the adjoint with rows and columns in the other order.
    turned = _adjoint(matrix)[..., ::-1, ::-1]
    q, r = cp.linalg.qr(turned, mode="reduced" if mode == "economic" else "complete")
    r, q = _adjoint(r)[..., ::-1, ::-1], _adjoint(q)[..., ::-1, ::-1]
    return r if mode == "r" else (r, q)


@names_itself
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
    a : (..., M, N) array_like
        The matrix.
    full_matrices : bool, optional
        Return square matrices.
    compute_uv : bool, optional
        Return the vectors too.
    overwrite_a, lapack_driver : optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("svd", a, check_finite)
    if not compute_uv:
        return cp.linalg.svdvals(matrix)
    return tuple(cp.linalg.svd(matrix, full_matrices=full_matrices))


@names_itself
def svdvals(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> ndarray:
    """Compute the singular values.

    Parameters
    ----------
    a : (..., M, N) array_like
        The matrix.
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    return cp.linalg.svdvals(_float("svdvals", a, check_finite))


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
    overwrite_a, overwrite_b : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    matrix = _float("eig", a, check_finite, square=True)
    if b is not None:
        matrix = cp.linalg.solve(_float("eig", b, check_finite, square=True), matrix)
    wide = np.result_type(matrix.dtype, np.complex64)
    if not left and not right:
        return cp.linalg.eigvals(matrix).astype(wide)
    w, v = cp.linalg.eig(matrix)
    w = w.astype(wide)
    if not left:
        return w, v
    # Rows of the inverse are the vectors to the left.
    other = _adjoint(cp.linalg.inv(v))
    if b is not None:
        other = _adjoint(cp.linalg.solve(_adjoint(as_array(b).astype(other.dtype)), other)).conj().T
    other = other / cp.linalg.norm(other, axis=0)
    return (w, other, v) if right else (w, other)


@names_itself
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
    overwrite_a : bool, optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.
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
    matrix = _float("eigh", a, check_finite, square=True)
    half: Literal["L", "U"] = "L" if lower else "U"
    factor = None
    if b is not None:
        if type not in (1, 2, 3):
            raise ValueError(f"eigh: type must be 1, 2 or 3, got {type}")
        matrix = _as_assumed("eigh", matrix, "her", lower)
        full = _as_assumed("eigh", _float("eigh", b, check_finite, square=True), "her", lower)
        factor = cp.linalg.cholesky(full)
        if type == 1:
            matrix = cp.linalg.solve(factor, _adjoint(cp.linalg.solve(factor, _adjoint(matrix))))
        else:
            matrix = _adjoint(factor) @ matrix @ factor
        half = "L"
    if eigvals_only:
        w, v = cp.linalg.eigvalsh(matrix, half), None
    else:
        w, v = cp.linalg.eigh(matrix, half)
        if factor is not None:
            v = factor @ v if type == 3 else cp.linalg.solve(_adjoint(factor), v)
    if subset_by_index is not None:
        low, high = (int(i) for i in subset_by_index)
        if not 0 <= low <= high < w.shape[-1]:
            raise ValueError(f"eigh: requested eigenvalue indices are not valid: {subset_by_index!r}")
        w, v = w[low : high + 1], v if v is None else v[:, low : high + 1]
    if subset_by_value is not None:
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


@names_itself
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
    a : (M, N) array_like
        The matrix.
    b : (M,) or (M, K) array_like
        The right side.
    cond : float, optional
        Singular values below so much of the largest count as zero.
    overwrite_a, overwrite_b, lapack_driver : optional
        Taken for compatibility.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    matrix = _float("lstsq", a, check_finite)
    right = as_array(b)
    if check_finite and not bool(cp.isfinite(right).all()):
        raise ValueError("lstsq: array must not contain infs or NaNs")
    limit = np.finfo(matrix.dtype).eps if cond is None else cond
    x, residues, rank, s = cp.linalg.lstsq(matrix, right, rcond=limit)
    if right.ndim == 1 and residues.size:
        residues = residues[0]
    return x, residues, rank, s


@names_itself
def norm(
    a: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True
) -> ndarray:
    """Compute a norm of a vector or matrix.

    Parameters
    ----------
    a : array_like
        The vector or matrix.
    ord, axis, keepdims : optional
        As for `cuprum.linalg.norm`.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

    Returns
    -------
    ndarray
        The norm.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.norm(cp.array([3.0, 4.0]))
    array(5.)
    """
    array = as_array(a)
    if check_finite and array.dtype.kind in "fc" and not bool(cp.isfinite(array).all()):
        raise ValueError("norm: array must not contain infs or NaNs")
    return cp.linalg.norm(array, ord=ord, axis=axis, keepdims=keepdims)


@names_itself
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
    a : (M, N) array_like
        The matrix.
    atol, rtol : float, optional
        Singular values up to ``atol + rtol * largest`` count as zero.
    return_rank : bool, optional
        Return the rank too.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("pinv", a, check_finite)
    u, s, vh = cp.linalg.svd(matrix, full_matrices=False)
    first = 0.0 if atol is None else atol
    second = (
        (max(matrix.shape) * np.finfo(matrix.dtype).eps if atol is None else 0.0) if rtol is None else rtol
    )
    if first < 0 or second < 0:
        raise ValueError("pinv: atol and rtol values must be positive.")
    counts = s > first + second * s.max()
    inverse = cp.where(counts, 1 / cp.where(counts, s, 1), 0).astype(s.dtype)
    result = (_adjoint(vh) * inverse) @ _adjoint(u)
    return (result, int(counts.sum())) if return_rank else result


@names_itself
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
    a : (N, N) array_like
        The matrix.
    atol, rtol : float, optional
        Eigenvalues up to ``atol + rtol * largest`` in size count as zero.
    lower : bool, optional
        Which triangle is read.
    return_rank : bool, optional
        Return the rank too.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    matrix = _float("pinvh", a, check_finite, square=True)
    w, v = cp.linalg.eigh(matrix, "L" if lower else "U")
    first = 0.0 if atol is None else atol
    second = (
        (max(matrix.shape) * np.finfo(matrix.dtype).eps if atol is None else 0.0) if rtol is None else rtol
    )
    if first < 0 or second < 0:
        raise ValueError("pinvh: atol and rtol values must be positive.")
    counts = cp.abs(w) > first + second * cp.abs(w).max()
    inverse = cp.where(counts, 1 / cp.where(counts, w, 1), 0).astype(w.dtype)
    result = (v * inverse) @ _adjoint(v)
    return (result, int(counts.sum())) if return_rank else result


def _mirrors(op: str, a: Any, other: Any, atol: Any, rtol: Any) -> bool:
    array = as_array(a)
    if array.ndim != 2:
        raise ValueError(f"{op}: expected a matrix, got shape {array.shape}")
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{op}: expected a square matrix, got shape {array.shape}")
    if atol is None and rtol is None:
        return bool((array == other(array)).all())
    return bool(cp.allclose(array, other(array), atol=atol or 0.0, rtol=rtol or 0.0))


@names_itself
def issymmetric(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Return whether a matrix is its transpose.

    Parameters
    ----------
    a : (N, N) array_like
        The matrix.
    atol, rtol : float, optional
        How far elements may be apart; not at all by default.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.issymmetric(cp.eye(2))
    True
    """
    return _mirrors("issymmetric", a, lambda x: x.T, atol, rtol)


@names_itself
def ishermitian(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> bool:
    """Return whether a matrix is its conjugate transpose.

    Parameters
    ----------
    a : (N, N) array_like
        The matrix.
    atol, rtol : float, optional
        How far elements may be apart; not at all by default.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.ishermitian(cp.array([[1, 1j], [-1j, 1]]))
    True
    """
    return _mirrors("ishermitian", a, lambda x: x.conj().T, atol, rtol)


@names_itself
def orthogonal_procrustes(A: ArrayLike, B: ArrayLike, check_finite: bool = True) -> tuple[ndarray, ndarray]:
    """Find the orthogonal matrix that takes one matrix nearest to another.

    Parameters
    ----------
    A, B : (M, N) array_like
        The matrices.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    a = _float("orthogonal_procrustes", A, check_finite)
    b = _float("orthogonal_procrustes", B, check_finite)
    if a.ndim != 2 or a.shape != b.shape:
        raise ValueError(f"orthogonal_procrustes: the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, s, vh = cp.linalg.svd(_adjoint(_adjoint(b) @ a))
    return u @ vh, s.sum()


def _binomials(n: int, kind: Any) -> np.ndarray:
    """Return Pascal's triangle of `n` rows, exactly."""
    table = np.zeros((n, n), kind)
    table[:, 0] = 1
    for i in range(1, n):
        table[i, 1 : i + 1] = table[i - 1, :i] + table[i - 1, 1 : i + 1]
    return table


@names_itself
def pascal(n: int, kind: str = "symmetric", exact: bool = True) -> ndarray:
    """Return the matrix of Pascal's triangle.

    Parameters
    ----------
    n : int
        Its size.
    kind : {"symmetric", "lower", "upper"}, optional
        How the triangle lies in it.
    exact : bool, optional
        Return integers, which go to a size of 34; floats otherwise.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.pascal(3)
    array([[1, 1, 1],
           [1, 2, 3],
           [1, 3, 6]], dtype=uint64)
    """
    if kind not in ("symmetric", "lower", "upper"):
        raise ValueError("pascal: kind must be 'symmetric', 'lower', or 'upper'")
    if exact and n >= 35:
        raise ValueError("pascal: integers of 64 bits go to a size of 34; take exact=False")
    low = _binomials(n, np.uint64 if exact else np.float64)
    table = {"lower": low, "upper": low.T, "symmetric": low @ low.T}[kind]
    return cp.array(np.ascontiguousarray(table))


@names_itself
def invpascal(n: int, kind: str = "symmetric", exact: bool = True) -> ndarray:
    """Return the inverse of the matrix of Pascal's triangle.

    Parameters
    ----------
    n : int
        Its size.
    kind : {"symmetric", "lower", "upper"}, optional
        How the triangle lies in it.
    exact : bool, optional
        Return integers, which go to a size of 34; floats otherwise.

    Returns
    -------
    ndarray
        The inverse.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.invpascal(2)
    array([[ 2, -1],
           [-1,  1]])
    """
    if kind not in ("symmetric", "lower", "upper"):
        raise ValueError("invpascal: 'kind' must be 'symmetric', 'lower' or 'upper'.")
    if exact and n >= 35:
        raise ValueError("invpascal: integers of 64 bits go to a size of 34; take exact=False")
    dtype = np.int64 if exact else np.float64
    i, j = np.indices((n, n))
    low = _binomials(n, dtype) * np.where((i + j) % 2, -1, 1).astype(dtype)
    table = {"lower": low, "upper": low.T, "symmetric": low.T @ low}[kind]
    return cp.array(np.ascontiguousarray(table))


@names_itself
def invhilbert(n: int, exact: bool = False) -> ndarray:
    """Return the inverse of Hilbert's matrix.

    Parameters
    ----------
    n : int
        Its size.
    exact : bool, optional
        Return integers, which go to a size of 14.

    Returns
    -------
    ndarray
        The inverse.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.invhilbert(2)
    array([[ 4., -6.],
           [-6., 12.]])
    """
    import math

    if exact and n > 14:
        raise ValueError("invhilbert: integers of 64 bits go to a size of 14; take exact=False")
    table = [
        [
            (-1) ** (i + j)
            * (i + j + 1)
            * math.comb(n + i, n - j - 1)
            * math.comb(n + j, n - i - 1)
            * math.comb(i + j, i) ** 2
            for j in range(n)
        ]
        for i in range(n)
    ]
    return cp.array(np.array(table, np.int64 if exact else np.float64).reshape(n, n))


@names_itself
def signm(A: ArrayLike) -> ndarray:
    """Compute the sign of a matrix: its eigenvalues become the signs of their real parts.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix, without eigenvalues on the imaginary axis.

    Returns
    -------
    ndarray
        The sign.

    Raises
    ------
    LinAlgError
        Where an eigenvalue lies on the imaginary axis.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.signm(cp.array([[2.0, 1.0], [0.0, -3.0]])).round(6)
    array([[ 1. ,  0.4],
           [ 0. , -1. ]])
    """
    x = _float("signm", A, True, square=True)
    small = np.finfo(x.dtype).eps
    # Newton's iteration, scaled by the determinant, which converges quadratically.
    for step in range(100):
        other = cp.linalg.inv(x)
        scale = 1.0
        if step < 20:
            scale = float(cp.exp(-cp.linalg.slogdet(x)[1] / x.shape[0]))
            scale = 1.0 if abs(scale - 1) < 1e-2 else scale
        after = 0.5 * (scale * x + other / scale)
        if not bool(cp.isfinite(after).all()):
            break
        moved = float(cp.linalg.norm(after - x, 1))
        x = after
        if moved <= x.shape[0] * small * float(cp.linalg.norm(x, 1)):
            return x
    raise LinAlgError("signm: the matrix has an eigenvalue on the imaginary axis, or next to it")


@names_itself
def fractional_matrix_power(A: ArrayLike, t: float) -> ndarray:
    """Compute a power of a matrix.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix; without eigenvalues that are zero or negative unless `t` is whole.
    t : float
        The exponent.

    Returns
    -------
    ndarray
        The power.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.fractional_matrix_power(cp.array([[4.0, 0.0], [0.0, 9.0]]), 0.5).round(6)
    array([[2., 0.],
           [0., 3.]])
    """
    from ._matrix_functions import expm

    matrix = _float("fractional_matrix_power", A, True, square=True)
    whole = int(np.floor(t))
    rest = t - whole
    result = cp.linalg.matrix_power(matrix, whole)
    if rest == 0:
        return result
    if rest == 0.5:
        return result @ sqrtm(matrix)
    return result @ expm(rest * logm(matrix))


@names_itself
def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> ndarray:
    """Solve ``a @ x + x @ b == q``.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix on the left.
    b : (N, N) array_like
        The matrix on the right.
    q : (M, N) array_like
        The right side.

    Returns
    -------
    ndarray
        The solution.

    Notes
    -----
    One linear system of M N unknowns is solved: for matrices of up to some 100 rows.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve_sylvester(cp.eye(2), cp.eye(2), 2 * cp.ones((2, 2)))
    array([[1., 1.],
           [1., 1.]])
    """
    left = _float("solve_sylvester", a, False, square=True)
    right = _float("solve_sylvester", b, False, square=True)
    side = _float("solve_sylvester", q, False)
    m, n = left.shape[0], right.shape[0]
    if side.shape != (m, n):
        raise ValueError(f"solve_sylvester: q must have shape {(m, n)}, got {side.shape}")
    system = cp.kron(left, cp.eye(n, dtype=left.dtype)) + cp.kron(cp.eye(m, dtype=right.dtype), right.T)
    return cp.linalg.solve(system, side.reshape(-1, 1)).reshape(m, n)


@names_itself
def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> ndarray:
    """Solve ``a @ x + x @ a.conj().T == q``.

    Parameters
    ----------
    a, q : (M, M) array_like
        The matrix and the right side.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve_continuous_lyapunov(cp.eye(2), 2 * cp.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    matrix = _float("solve_continuous_lyapunov", a, False, square=True)
    return solve_sylvester(matrix, _adjoint(matrix), q)


@names_itself
def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> ndarray:
    """Solve ``a @ x @ a.conj().T - x + q == 0``.

    Parameters
    ----------
    a, q : (M, M) array_like
        The matrix and the right side.
    method : {"direct", "bilinear"}, optional
        Taken for compatibility; the system is solved directly.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve_discrete_lyapunov(0.5 * cp.eye(2), 0.75 * cp.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    if method not in (None, "direct", "bilinear"):
        raise ValueError(f"solve_discrete_lyapunov: unknown solver {method!r}")
    matrix = _float("solve_discrete_lyapunov", a, False, square=True)
    side = _float("solve_discrete_lyapunov", q, False)
    n = matrix.shape[0]
    system = cp.eye(n * n, dtype=matrix.dtype) - cp.kron(matrix, matrix.conj())
    return cp.linalg.solve(system, side.reshape(-1, 1)).reshape(n, n)

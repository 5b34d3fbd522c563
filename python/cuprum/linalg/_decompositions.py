"""Matrices as products of simpler ones."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from .._indexing.indexing import where
from .._sorting.sort import argsort, sort

if TYPE_CHECKING:
    from .._typing import ArrayLike


class EigResult(NamedTuple):
    """What `eig` returns."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: ndarray
    R: ndarray


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: ndarray
    S: ndarray
    Vh: ndarray


def cholesky(a: ArrayLike, /, *, upper: bool = False) -> ndarray:
    """Return the Cholesky factor of a Hermitian, positive definite matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix; only the triangle of the factor is read.
    upper : bool, optional
        Return U with ``U.conj().T @ U == a`` instead of L with ``L @ L.conj().T == a``.

    Returns
    -------
    (..., M, M) ndarray
        The factor, zero outside of its triangle.

    Raises
    ------
    LinAlgError
        Where the matrix is not positive definite.

    Examples
    --------
    >>> cp.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    array([[2., 0.],
           [1., 2.]])
    """
    return _core.linalg_cholesky(as_array(a), bool(upper))


def qr(a: ArrayLike, mode: Literal["reduced", "complete", "r", "raw"] = "reduced") -> Any:
    """Factor a matrix into orthonormal columns and an upper triangle.

    Parameters
    ----------
    a : (..., M, N) array_like
        The matrix.
    mode : {"reduced", "complete", "r", "raw"}, optional
        With K the smaller of M and N: Q of shape (M, K) and R of shape (K, N); Q of shape (M, M) and R of
        shape (M, N); R alone; or the reflections as LAPACK packs them, transposed, and their factors.

    Returns
    -------
    QRResult
        Q and R; an array for "r"; a tuple ``(h, tau)`` for "raw".

    Examples
    --------
    >>> q, r = cp.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> r
    array([[-5. , -2.2],
           [ 0. ,  0.4]])
    >>> cp.allclose(q @ r, [[3.0, 1.0], [4.0, 2.0]])
    True
    """
    a = as_array(a)
    if mode in ("f", "full", "e", "economic"):
        warnings.warn(
            f"qr: mode {mode!r} is deprecated, use 'reduced' or 'raw'", DeprecationWarning, stacklevel=2
        )
        if mode in ("f", "full"):
            mode = "reduced"
        else:
            return _core.linalg_qr(a, "raw")[0].mT
    first, second = _core.linalg_qr(a, str(mode))
    if mode == "r":
        return second
    return (first, second) if mode == "raw" else QRResult(first, second)


@names_itself
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., compute_uv: Literal[True] = ..., hermitian: bool = ...
) -> SVDResult: ...
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., *, compute_uv: Literal[False], hermitian: bool = ...
) -> ndarray: ...
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., compute_uv: bool = ..., hermitian: bool = ...
) -> SVDResult | ndarray: ...
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Decompose a matrix into singular values and vectors: ``a == (U * S) @ Vh``.

    Parameters
    ----------
    a : (..., M, N) array_like
        The matrix.
    full_matrices : bool, optional
        Return square U and Vh; otherwise their first ``min(M, N)`` columns and rows.
    compute_uv : bool, optional
        Whether the vectors are wanted at all.
    hermitian : bool, optional
        The matrix is Hermitian; its lower triangle is read.

    Returns
    -------
    SVDResult
        U, the singular values in falling order, and Vh; without `compute_uv` the singular values alone.

    Raises
    ------
    LinAlgError
        Where the matrix is not finite.

    Examples
    --------
    >>> u, s, vh = cp.linalg.svd([[0.0, 3.0], [4.0, 0.0]])
    >>> s
    array([4., 3.])
    >>> cp.allclose((u * s) @ vh, [[0.0, 3.0], [4.0, 0.0]])
    True
    """
    a = as_array(a)
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    if not compute_uv:
        return _core.linalg_svdvals(a)
    return SVDResult(*_core.linalg_svd(a, bool(full_matrices)))


def _hermitian_svd(a: ndarray, compute_uv: bool) -> Any:
    """Singular values are the sizes of the eigenvalues; the signs go into Vh."""
    if not compute_uv:
        return -sort(-abs(_core.linalg_eigvalsh(a, False)), axis=-1)
    w, v = _core.linalg_eigh(a, False)
    order = argsort(-abs(w), axis=-1, stable=True)
    w = _core.take_along_axis(w, order, -1)
    u = _core.take_along_axis(v, order[..., None, :], -1)
    signs = where(w < 0, -1, 1).astype(w.dtype)
    return SVDResult(u, abs(w), (u * signs[..., None, :]).mT.conj())


@names_itself
def svdvals(x: ArrayLike, /) -> ndarray:
    """Return the singular values of a matrix, in falling order.

    Parameters
    ----------
    x : (..., M, N) array_like
        The matrix.

    Returns
    -------
    (..., K) ndarray
        The singular values.

    Examples
    --------
    >>> cp.linalg.svdvals([[0.0, 3.0], [4.0, 0.0]])
    array([4., 3.])
    """
    return _core.linalg_svdvals(as_array(x))


def eig(a: ArrayLike) -> EigResult:
    """Return the eigenvalues and right eigenvectors of a square matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.

    Returns
    -------
    EigResult
        The eigenvalues, in no particular order, and the eigenvectors, columns of length one: complex
        numbers, of whatever matrix.

    Raises
    ------
    LinAlgError
        Where the matrix is not finite, or the iteration does not end.

    Examples
    --------
    >>> w, v = cp.linalg.eig([[2.0, 0.0], [0.0, 3.0]])
    >>> w.real
    array([2., 3.])
    >>> abs(v)
    array([[1., 0.],
           [0., 1.]])
    """
    return EigResult(*_core.linalg_eig(as_array(a)))


def eigvals(a: ArrayLike) -> ndarray:
    """Return the eigenvalues of a square matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.

    Returns
    -------
    (..., M) ndarray
        The eigenvalues, complex numbers in no particular order.

    Examples
    --------
    >>> cp.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]])
    array([0.+1.j, 0.-1.j])
    """
    return _core.linalg_eigvals(as_array(a))


def _upper(op: str, triangle: Any) -> bool:
    """Whether `UPLO` names the upper triangle."""
    name: str = triangle.upper()
    if name not in ("L", "U"):
        raise ValueError(f"{op}: UPLO argument must be 'L' or 'U', got {triangle!r}")
    return name == "U"


def eigh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """Return the eigenvalues and eigenvectors of a Hermitian matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix, of which one triangle is read.
    UPLO : {"L", "U"}, optional
        Which triangle.

    Returns
    -------
    EighResult
        The eigenvalues, in rising order, and the eigenvectors, columns of length one.

    Raises
    ------
    LinAlgError
        Where the triangle is not finite.

    Examples
    --------
    >>> w, v = cp.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])
    >>> cp.round(w, 12)
    array([1., 3.])
    >>> cp.allclose(v @ cp.diag(w) @ v.T, [[2.0, 1.0], [1.0, 2.0]])
    True
    """
    return EighResult(*_core.linalg_eigh(as_array(a), _upper("eigh", UPLO)))


def eigvalsh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> ndarray:
    """Return the eigenvalues of a Hermitian matrix, in rising order.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix, of which one triangle is read.
    UPLO : {"L", "U"}, optional
        Which triangle.

    Returns
    -------
    (..., M) ndarray
        The eigenvalues.

    Examples
    --------
    >>> cp.round(cp.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]]), 12)
    array([1., 3.])
    """
    return _core.linalg_eigvalsh(as_array(a), _upper("eigvalsh", UPLO))

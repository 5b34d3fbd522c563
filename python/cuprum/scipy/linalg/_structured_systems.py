"""Equations with matrices of known structure: Toeplitz, circulant, banded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._bands import cholesky_rows, lower_bands, solve_bands, solve_by_rows
from ._documentation import documented
from ._special_matrices import toeplitz
from ._stacks import VECTOR_OR_MATRIX, over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["matmul_toeplitz", "solve_banded", "solve_circulant", "solve_toeplitz", "solveh_banded"]


def _toeplitz_pair(op: str, c_or_cr: Any) -> tuple[ndarray, ndarray]:
    if isinstance(c_or_cr, tuple):
        c, r = (as_array(part).ravel() for part in c_or_cr)
        return c, r
    c = as_array(c_or_cr).ravel()
    return c, c.conj()


@names_itself
@documented
def solve_toeplitz(c_or_cr: Any, b: ArrayLike, check_finite: bool = True) -> ndarray:
    """Solve equations whose matrix is constant along its diagonals.

    Parameters
    ----------
    c_or_cr : (N,) array_like or tuple of two
        The first column, or the first column and the first row.
    b : (N,) or (N, K) array_like
        The right-hand side, or one a column.
    {finite}

    Returns
    -------
    ndarray
        The solution.

    Notes
    -----
    By the factors of the whole matrix, which is stable for every one that is not singular.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve_toeplitz(cp.array([2.0, 1.0]), cp.array([3.0, 3.0])).round(6)
    array([1., 1.])
    """
    c, r = _toeplitz_pair("solve_toeplitz", c_or_cr)
    b = as_array(b)
    if check_finite and not all(bool(cp.isfinite(part).all()) for part in (c, r, b)):
        raise ValueError("solve_toeplitz: array must not contain infs or NaNs")
    if c.size != b.shape[0] or r.size != c.size:
        raise ValueError(f"solve_toeplitz: incompatible dimensions {c.size}, {r.size} and {b.shape}")
    dtype = cp.result_type(c, r, b, np.float64)
    return cp.linalg.solve(toeplitz(c, r).astype(dtype), b.astype(dtype))


@names_itself
@documented
def matmul_toeplitz(
    c_or_cr: Any, x: ArrayLike, check_finite: bool = False, workers: int | None = None
) -> ndarray:
    """Multiply by a matrix that is constant along its diagonals, by Fourier transforms.

    Parameters
    ----------
    c_or_cr : (M,) array_like or tuple of two
        The first column, or the first column and the first row.
    x : (N,) or (N, K) array_like
        What is multiplied.
    {finite}
    workers : int, optional
        Taken for compatibility.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.matmul_toeplitz(cp.array([2.0, 1.0]), cp.array([1.0, 1.0])).round(6)
    array([3., 3.])
    """
    c, r = _toeplitz_pair("matmul_toeplitz", c_or_cr)
    x = as_array(x)
    if check_finite and not all(bool(cp.isfinite(part).all()) for part in (c, r, x)):
        raise ValueError("matmul_toeplitz: array must not contain infs or NaNs")
    if x.shape[0] != r.size:
        raise ValueError(f"matmul_toeplitz: incompatible dimensions {r.size} and {x.shape}")
    rows = x.reshape(x.shape[0], -1)
    length = c.size + r.size - 1
    column = cp.concatenate((c, r[:0:-1]))
    if "c" in (c.dtype.kind, r.dtype.kind, x.dtype.kind):
        product = fft.ifft(fft.fft(column)[:, None] * fft.fft(rows, length, axis=0), axis=0)
    else:
        product = fft.irfft(fft.rfft(column)[:, None] * fft.rfft(rows, length, axis=0), length, axis=0)
    return product[: c.size].reshape((c.size, *x.shape[1:]))


@names_itself
def solve_circulant(c: ArrayLike, b: ArrayLike) -> ndarray:
    """Solve equations with a circulant matrix, by Fourier transforms.

    Parameters
    ----------
    c : (N,) array_like
        The first column.
    b : (N,) or (N, K) array_like
        The right-hand side, or one a column.

    Returns
    -------
    ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where the matrix is nearly singular.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.solve_circulant(cp.array([2.0, 1.0]), cp.array([3.0, 3.0])).round(6)
    array([1., 1.])
    """
    c, b = as_array(c), as_array(b)
    if c.ndim != 1 or c.size != b.shape[0]:
        raise ValueError(f"solve_circulant: Shapes of c {c.shape} and b {b.shape} are incompatible")
    spectrum = fft.fft(c)
    height = cp.abs(spectrum)
    if bool((height <= height.max() * c.size * np.finfo(np.float64).eps).any()):
        raise np.linalg.LinAlgError("solve_circulant: near singular circulant matrix.")
    shape = (c.size,) + (1,) * (b.ndim - 1)
    result = fft.ifft(fft.fft(b, axis=0) / spectrum.reshape(shape), axis=0)
    return result if "c" in (c.dtype.kind, b.dtype.kind) else result.real


def _bands(op: str, ab: Any, b: Any, check_finite: bool) -> tuple[ndarray, ndarray]:
    ab, b = as_array(ab), as_array(b)
    if check_finite and not (bool(cp.isfinite(ab).all()) and bool(cp.isfinite(b).all())):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    if ab.ndim != 2 or ab.shape[-1] != b.shape[0]:
        raise ValueError(f"{op}: shapes of ab {ab.shape} and b {b.shape} are not compatible.")
    return ab, b


@over_stacks(ab=2, b=VECTOR_OR_MATRIX)
@names_itself
@documented
def solve_banded(
    l_and_u: Any,
    ab: ArrayLike,
    b: ArrayLike,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> ndarray:
    """Solve equations with a banded matrix.

    Parameters
    ----------
    l_and_u : (int, int)
        The number of diagonals below and above the main one.
    ab : (l + u + 1, M) array_like
        The diagonals, the uppermost first: ``ab[u + i - j, j] == a[i, j]``.
    b : (M,) or (M, K) array_like
        The right-hand side, or one a column.
    overwrite_ab, overwrite_b : bool, optional
        Taken for compatibility; nothing is overwritten.
    {finite}

    Returns
    -------
    ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where the matrix is singular.

    Notes
    -----
    Rows are exchanged. One thread factors the matrix, and right-hand sides are solved side by side.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> ab = cp.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0], [1.0, 1.0, 0.0]])
    >>> cuprum.scipy.linalg.solve_banded((1, 1), ab, cp.array([3.0, 4.0, 3.0])).round(6)
    array([1., 1., 1.])
    """
    ab, b = _bands("solve_banded", ab, b, check_finite)
    lower, upper = (int(count) for count in l_and_u)
    if lower + upper + 1 != ab.shape[0]:
        raise ValueError(
            "solve_banded: invalid values for the number of lower and upper diagonals: l+u+1 "
            f"({lower + upper + 1}) "
            f"does not equal ab.shape[0] ({ab.shape[0]})"
        )
    return solve_bands("solve_banded", lower, upper, ab, b)


@over_stacks(ab=2, b=VECTOR_OR_MATRIX)
@names_itself
@documented
def solveh_banded(
    ab: ArrayLike,
    b: ArrayLike,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    lower: bool = False,
    check_finite: bool = True,
) -> ndarray:
    """Solve equations with a banded matrix that is Hermitian and positive definite.

    Parameters
    ----------
    ab : (u + 1, M) array_like
        The diagonals above the main one and itself, the uppermost first; with `lower` the main one and those
        below.
    b : (M,) or (M, K) array_like
        The right-hand side, or one a column.
    overwrite_ab, overwrite_b : bool, optional
        Taken for compatibility; nothing is overwritten.
    lower : bool, optional
        Which diagonals are given.
    {finite}

    Returns
    -------
    ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where the matrix is not positive definite.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> ab = cp.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    >>> cuprum.scipy.linalg.solveh_banded(ab, cp.array([3.0, 4.0, 3.0])).round(6)
    array([1., 1., 1.])
    """
    ab, b = _bands("solveh_banded", ab, b, check_finite)
    dtype = cp.result_type(ab, b, np.float32)
    factor = cholesky_rows("solveh_banded", lower_bands(ab, lower).astype(dtype, copy=False))
    return solve_by_rows(factor, b, dtype)

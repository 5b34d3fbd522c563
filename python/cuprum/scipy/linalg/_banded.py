"""Eigenvalues and factors of matrices that are given by their diagonals.

Eigenvalues are found of the whole matrix, which takes its time and memory; factors need the bands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._bands import band_rows, cholesky_rows, lower_bands, lower_bands_of, solve_by_rows
from ._documentation import documented
from ._stacks import VECTOR_OR_MATRIX, over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = [
    "cho_solve_banded",
    "cholesky_banded",
    "eig_banded",
    "eigh_tridiagonal",
    "eigvals_banded",
    "eigvalsh_tridiagonal",
]

_SELECT = {"a": "a", "all": "a", "v": "v", "value": "v", "i": "i", "index": "i"}
_DRIVERS = ("auto", "stemr", "stebz", "sterf", "stev", "stevd")


def _as_bands(op: str, bands: Any, check_finite: bool) -> ndarray:
    """Return diagonals, one a row, in a dtype that the solvers take."""
    made = as_array(bands)
    if made.ndim != 2:
        raise ValueError(f"{op}: expected a 2-D array, got {made.ndim} dimensions")
    return _floats(op, made, check_finite)


def _floats(op: str, a: ndarray, check_finite: bool) -> ndarray:
    dtype = np.result_type(a.dtype, np.float32)
    if check_finite and a.dtype.kind in "fc" and not bool(cp.isfinite(a).all()):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    return a.astype(dtype, copy=False)


def _lower_matrix(bands: ndarray, lower: bool) -> ndarray:
    """Return the lower triangle of a Hermitian matrix as a square one."""
    count, n = bands.shape
    full = cp.zeros((n, n), bands.dtype)
    rows = cp.arange(n)
    for d in range(min(count, n)):
        below = bands[d, : n - d] if lower else bands[count - 1 - d, d:].conj()
        full[rows[d:], rows[: n - d]] = below if d or bands.dtype.kind != "c" else below.real
    return full


def _selected(op: str, w: ndarray, v: ndarray | None, select: Any, select_range: Any) -> Any:
    """Return those eigenvalues, the least first, and vectors that are asked for."""
    if v is not None:
        part = _part(op, w, select, select_range)
        return w[part], v[:, part]
    return w[_part(op, w, select, select_range)]


def _check_select(op: str, select: Any, select_range: Any, n: int) -> tuple[str, tuple[Any, Any]]:
    name = select.lower() if isinstance(select, str) else {0: "a", 1: "v", 2: "i"}.get(select)
    kind = _SELECT.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"{op}: select must be 'a', 'v' or 'i', got {select!r}")
    if kind == "a":
        return kind, (None, None)
    given = np.asarray(cp.asnumpy(select_range))
    if given.ndim != 1 or given.size != 2 or given[1] < given[0]:
        raise ValueError(
            f"{op}: select_range must be a 2-element array-like in nondecreasing order, got {select_range!r}"
        )
    if kind == "i":
        if given.dtype.kind not in "iu":
            raise ValueError(f"{op}: with select='i', select_range must contain integers, got {given.dtype}")
        if given[0] < 0 or given[1] >= n:
            raise ValueError(f"{op}: select_range {select_range!r} is out of bounds for {n} eigenvalues")
    return kind, (given[0].item(), given[1].item())


def _part(op: str, w: ndarray, select: Any, select_range: Any) -> Any:
    kind, (low, high) = _check_select(op, select, select_range, w.size)
    if kind == "i":
        return slice(low, high + 1)
    return slice(None) if kind == "a" else (w > low) & (w <= high)


@over_stacks(a_band=2)
@names_itself
@documented
def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    eigvals_only: bool = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> Any:
    """Compute the eigenvalues and vectors of a Hermitian matrix that is given by its diagonals.

    Parameters
    ----------
    a_band : (u + 1, M) array_like
        The diagonals above the main one and itself, the uppermost first; with `lower` the main one and those
        below.
    lower : bool, optional
        Which diagonals are given.
    eigvals_only : bool, optional
        Return no vectors.
    overwrite_a_band, max_ev : optional
        Taken for compatibility.
    {select}
    {finite}

    Returns
    -------
    w : ndarray
        The eigenvalues, the least first.
    v : ndarray
        The vectors, as columns.

    Notes
    -----
    The matrix is formed as a whole.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> bands = cp.array([[2.0, 2.0], [1.0, 0.0]])
    >>> cuprum.scipy.linalg.eig_banded(bands, lower=True, eigvals_only=True)
    array([1., 3.])
    """
    bands = _as_bands("eig_banded", a_band, check_finite)
    _check_select("eig_banded", select, select_range, bands.shape[1])
    matrix = _lower_matrix(bands, lower)
    if eigvals_only:
        return _selected("eig_banded", cp.linalg.eigvalsh(matrix), None, select, select_range)
    w, v = cp.linalg.eigh(matrix)
    return _selected("eig_banded", w, v, select, select_range)


@over_stacks(a_band=2)
@names_itself
@documented
def eigvals_banded(
    a_band: ArrayLike,
    lower: bool = False,
    overwrite_a_band: bool = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
) -> ndarray:
    """Compute the eigenvalues of a Hermitian matrix that is given by its diagonals.

    Parameters
    ----------
    a_band, lower, overwrite_a_band
        As for `eig_banded`.
    {select}
    {finite}

    Returns
    -------
    ndarray
        The eigenvalues, the least first.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.eigvals_banded(cp.array([[0.0, 1.0], [2.0, 2.0]]))
    array([1., 3.])
    """
    result: ndarray = eig_banded(
        a_band, lower, True, select=select, select_range=select_range, check_finite=check_finite
    )
    return result


@over_stacks(d=1, e=1)
@names_itself
@documented
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    eigvals_only: bool = False,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
) -> Any:
    """Compute the eigenvalues and vectors of a real symmetric tridiagonal matrix.

    Parameters
    ----------
    d : (M,) array_like
        The diagonal.
    e : (M - 1,) array_like
        The elements beside it.
    eigvals_only : bool, optional
        Return no vectors.
    {select}
    {finite}
    tol, lapack_driver : optional
        Taken for compatibility.

    Returns
    -------
    w : ndarray
        The eigenvalues, the least first.
    v : ndarray
        The vectors, as columns.

    Notes
    -----
    The matrix is formed as a whole.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> w, v = cuprum.scipy.linalg.eigh_tridiagonal(cp.array([2.0, 2.0]), cp.array([1.0]))
    >>> w
    array([1., 3.])
    """
    op = "eigh_tridiagonal"
    if lapack_driver not in _DRIVERS:
        raise ValueError(f"{op}: lapack_driver must be one of {', '.join(_DRIVERS)}, got {lapack_driver!r}")
    parts = []
    for part in (d, e):
        made = as_array(part)
        if made.ndim != 1:
            raise ValueError(f"{op}: expected a 1-D array, got {made.ndim} dimensions")
        if made.dtype.kind == "c":
            raise TypeError(f"{op}: only real arrays are supported, got {made.dtype}")
        parts.append(_floats(op, made, check_finite))
    diagonal, beside = parts
    n = diagonal.size
    if n != beside.size + 1:
        raise ValueError(f"{op}: d ({n}) must have one more element than e ({beside.size})")
    _check_select(op, select, select_range, n)
    bands = cp.zeros((2, n), np.result_type(diagonal.dtype, beside.dtype))
    bands[0], bands[1, : n - 1] = diagonal, beside
    matrix = _lower_matrix(bands, True)
    if eigvals_only:
        return _selected(op, cp.linalg.eigvalsh(matrix), None, select, select_range)
    w, v = cp.linalg.eigh(matrix)
    return _selected(op, w, v, select, select_range)


@over_stacks(d=1, e=1)
@names_itself
@documented
def eigvalsh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    select: Any = "a",
    select_range: Any = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
) -> ndarray:
    """Compute the eigenvalues of a real symmetric tridiagonal matrix.

    Parameters
    ----------
    d, e, tol, lapack_driver
        As for `eigh_tridiagonal`.
    {select}
    {finite}

    Returns
    -------
    ndarray
        The eigenvalues, the least first.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.eigvalsh_tridiagonal(cp.array([2.0, 2.0]), cp.array([1.0]))
    array([1., 3.])
    """
    result: ndarray = eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)
    return result


@over_stacks(ab=2)
@names_itself
@documented
def cholesky_banded(
    ab: ArrayLike, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True
) -> ndarray:
    """Compute the Cholesky factor of a matrix that is given by its diagonals, by its diagonals too.

    Parameters
    ----------
    ab : (u + 1, M) array_like
        The diagonals above the main one and itself, the uppermost first; with `lower` the main one and those
        below.
    overwrite_ab : bool, optional
        Taken for compatibility; `ab` is not overwritten.
    lower : bool, optional
        Which diagonals are given, and returned.
    {finite}

    Returns
    -------
    ndarray
        The diagonals of the factor; elements that belong to none are those of `ab`.

    Raises
    ------
    LinAlgError
        Where the matrix is not positive definite.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.cholesky_banded(cp.array([[4.0, 10.0], [2.0, 0.0]]), lower=True)
    array([[2., 3.],
           [1., 0.]])
    """
    bands = _as_bands("cholesky_banded", ab, check_finite)
    count, n = bands.shape
    below = lower_bands(bands, lower)
    factor = lower_bands_of(cholesky_rows("cholesky_banded", below), below)
    result = bands.copy()
    for d in range(min(count, n)):
        if lower:
            result[d, : n - d] = factor[d, : n - d]
        else:
            result[count - 1 - d, d:] = factor[d, : n - d].conj()
    return result


@names_itself
@documented
def cho_solve_banded(
    cb_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True
) -> ndarray:
    """Solve equations by the factor that `cholesky_banded` has found.

    Parameters
    ----------
    cb_and_lower : (ndarray, bool)
        The diagonals of the factor, and whether they are those of the lower one.
    b : (M,) or (M, K) array_like
        The right-hand side, or one a column.
    {overwrite_b}
    {finite}

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> c = cuprum.scipy.linalg.cholesky_banded(cp.array([[4.0, 10.0], [2.0, 0.0]]), lower=True)
    >>> cuprum.scipy.linalg.cho_solve_banded((c, True), cp.array([6.0, 12.0])).round(6)
    array([1., 1.])
    """
    cb, lower = cb_and_lower
    return _cho_solve(cb, b, lower, check_finite)


@over_stacks(cb=2, b=VECTOR_OR_MATRIX)
def _cho_solve(cb: ArrayLike, b: ArrayLike, lower: bool, check_finite: bool) -> ndarray:
    bands = _as_bands("cho_solve_banded", cb, check_finite)
    right = _floats("cho_solve_banded", as_array(b), check_finite)
    if bands.shape[-1] != right.shape[0]:
        raise ValueError(
            f"cho_solve_banded: the factor has {bands.shape[-1]} rows, b has shape {right.shape}"
        )
    dtype = np.result_type(bands.dtype, right.dtype)
    return solve_by_rows(band_rows(lower_bands(bands, lower).astype(dtype, copy=False)), right, dtype)

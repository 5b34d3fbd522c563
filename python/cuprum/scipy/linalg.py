"""Linear algebra under SciPy's names: factors, functions of matrices, and matrices of known forms."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.matrices import eye
from .._ufuncs import isfinite
from ._dense import (
    LinAlgError,
    LinAlgWarning,
    cho_factor,
    cho_solve,
    cholesky,
    det,
    diagsvd,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    fractional_matrix_power,
    inv,
    invhilbert,
    invpascal,
    ishermitian,
    issymmetric,
    lstsq,
    norm,
    orthogonal_procrustes,
    pascal,
    pinv,
    pinvh,
    qr,
    rq,
    signm,
    solve,
    solve_continuous_lyapunov,
    solve_discrete_lyapunov,
    solve_sylvester,
    svd,
    svdvals,
)
from ._matrix_functions import coshm, cosm, expm, logm, sinhm, sinm, sqrtm, tanhm, tanm
from ._schur import funm, rsf2csf, schur
from ._special_matrices import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    khatri_rao,
    leslie,
    toeplitz,
)
from ._structured_systems import (
    matmul_toeplitz,
    solve_banded,
    solve_circulant,
    solve_toeplitz,
    solveh_banded,
)
from ._subspaces import bandwidth, hessenberg, kron, null_space, orth, polar, subspace_angles

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "LinAlgError",
    "LinAlgWarning",
    "bandwidth",
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "circulant",
    "companion",
    "convolution_matrix",
    "coshm",
    "cosm",
    "det",
    "dft",
    "diagsvd",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "fiedler",
    "fiedler_companion",
    "fractional_matrix_power",
    "funm",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "inv",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
    "kron",
    "leslie",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul_toeplitz",
    "norm",
    "null_space",
    "orth",
    "orthogonal_procrustes",
    "pascal",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "rq",
    "rsf2csf",
    "schur",
    "signm",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_circulant",
    "solve_continuous_lyapunov",
    "solve_discrete_lyapunov",
    "solve_sylvester",
    "solve_toeplitz",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "subspace_angles",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]

_TRANSPOSES = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _matrix(op: str, a: Any, check_finite: bool, ndim: int = 2) -> ndarray:
    """Return `a` as an array that is finite; narrow dtypes become float32."""
    array = as_array(a)
    if array.ndim < ndim:
        raise ValueError(f"{op}: expected at least {ndim} dimensions, got shape {array.shape}")
    if array.dtype.itemsize <= 2:
        array = array.astype(np.float32)
    if check_finite and array.dtype.kind in "fc" and not bool(isfinite(array).all()):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    return array


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
    a : (..., M, N) array_like
        The matrix.
    permute_l : bool, optional
        Return ``p @ l`` and `u` instead.
    overwrite_a : bool, optional
        Taken for compatibility; `a` is not overwritten.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.
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
    a = _matrix("lu", a, check_finite)
    order, lower, upper = _core.linalg_lu(a)
    if permute_l:
        return _core.take_along_axis(lower, order[..., None], -2), upper
    if p_indices:
        return order.astype(np.int32), lower, upper
    identity = eye(a.shape[-2], dtype=lower.real.dtype)
    return identity[order], lower, upper


def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[ndarray, ndarray]:
    """Factor a matrix with exchanges of rows, packed for `lu_solve`.

    Parameters
    ----------
    a : (..., M, N) array_like
        The matrix.
    overwrite_a : bool, optional
        Taken for compatibility; `a` is not overwritten.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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
    a = _matrix("lu_factor", a, check_finite)
    factors, pivots = _core.linalg_lu_factor(a)
    if factors.size and bool((factors.diagonal(0, -2, -1) == 0).any()):
        warnings.warn(
            "lu_factor: a pivot is exactly zero, the matrix is singular", RuntimeWarning, stacklevel=2
        )
    return factors, pivots


def lu_solve(
    lu_and_piv: Any, b: ArrayLike, trans: Any = 0, overwrite_b: bool = False, check_finite: bool = True
) -> ndarray:
    """Solve ``a @ x = b`` with the factors of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : tuple of ndarray
        What `lu_factor` returned.
    b : (M,) or (..., M, K) array_like
        One right-hand side, or one a column.
    trans : {0, 1, 2}, optional
        Solve with the matrix, its transpose, or its conjugate transpose.
    overwrite_b : bool, optional
        Taken for compatibility; `b` is not overwritten.
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
    factors = _matrix("lu_solve", factors, False)
    b = _matrix("lu_solve", b, check_finite, 1)
    return _core.linalg_lu_solve(factors, as_array(pivots), b, int(trans))


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
    b : (M,) or (..., M, K) array_like
        One right-hand side, or one a column.
    trans : {0, 1, 2, "N", "T", "C"}, optional
        Solve with the matrix, its transpose, or its conjugate transpose.
    lower : bool, optional
        Read the lower triangle instead of the upper one.
    unit_diagonal : bool, optional
        Take the diagonal as ones, without reading it.
    overwrite_b : bool, optional
        Taken for compatibility; `b` is not overwritten.
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
    a = _matrix("solve_triangular", a, check_finite)
    b = _matrix("solve_triangular", b, check_finite, 1)
    return _core.linalg_solve_triangular(a, b, _TRANSPOSES[trans], bool(lower), bool(unit_diagonal))

"""Subspaces of matrices, and forms that are similar to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._documentation import documented
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "bandwidth",
    "hessenberg",
    "kron",
    "null_space",
    "orth",
    "polar",
    "subspace_angles",
]


def _matrix(op: str, a: Any) -> ndarray:
    array = as_array(a)
    if array.ndim != 2:
        raise ValueError(f"{op}: expected a matrix, got {array.ndim} dimensions")
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    return array


@over_stacks(a=2)
@documented
def bandwidth(a: ArrayLike) -> tuple[int, int]:
    """Return how far elements that are not zero lie from the diagonal of a matrix.

    Parameters
    ----------
    {rectangle}

    Returns
    -------
    lower, upper : int
        The number of diagonals below and above the main one.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.bandwidth(cp.array([[1, 2, 3], [0, 1, 2], [4, 0, 1]]))
    (2, 2)
    """
    a = as_array(a)
    if a.ndim != 2:
        # NumPy's class is a ValueError, which SciPy raises; CuPy raises the class itself.
        raise np.linalg.LinAlgError(f"bandwidth: Input array must be a 2D NumPy array, got shape {a.shape}")
    if a.size == 0:
        return 0, 0
    rows, columns = cp.nonzero(a)
    if rows.size == 0:
        return 0, 0
    apart = rows - columns
    return max(int(apart.max()), 0), max(-int(apart.min()), 0)


def kron(a: ArrayLike, b: ArrayLike) -> ndarray:
    """Return the Kronecker product of two matrices.

    Parameters
    ----------
    a, b : (M, N) array_like
        The matrices.

    Returns
    -------
    ndarray
        Every element of `a` times `b`.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.kron(cp.array([[1, 2]]), cp.array([[1], [3]]))
    array([[1, 2],
           [3, 6]])
    """
    a, b = as_array(a), as_array(b)
    for name, matrix in (("a", a), ("b", b)):
        if matrix.ndim != 2:
            raise ValueError(f"kron: {name} must be 2D, got {matrix.ndim} dimensions")
    return cp.kron(a, b)


def _rank(values: ndarray, shape: tuple[int, ...], rcond: Any) -> int:
    if rcond is None:
        rcond = np.finfo(values.dtype).eps * max(shape)
    return int((values > values.max() * rcond).sum()) if values.size else 0


@over_stacks(A=2)
@names_itself
@documented
def orth(A: ArrayLike, rcond: float | None = None) -> ndarray:
    """Return an orthonormal basis of the range of a matrix.

    Parameters
    ----------
    A : (M, N) array_like
        The matrix.
    {rcond}

    Returns
    -------
    (M, K) ndarray
        The basis, K being the rank.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.orth(cp.array([[2.0, 0.0], [0.0, 0.0]])).shape
    (2, 1)
    """
    a = _matrix("orth", A)
    u, s, _ = cp.linalg.svd(a, full_matrices=False)
    return u[:, : _rank(s, a.shape, rcond)]


@over_stacks(A=2)
@names_itself
@documented
def null_space(A: ArrayLike, rcond: float | None = None) -> ndarray:
    """Return an orthonormal basis of what a matrix maps to zero.

    Parameters
    ----------
    A : (M, N) array_like
        The matrix.
    {rcond}

    Returns
    -------
    (N, K) ndarray
        The basis.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.null_space(cp.array([[1.0, 1.0]])).shape
    (2, 1)
    """
    a = _matrix("null_space", A)
    _, s, vh = cp.linalg.svd(a, full_matrices=True)
    return vh[_rank(s, a.shape, rcond) :].conj().T


@over_stacks(A=2, B=2)
@names_itself
def subspace_angles(A: ArrayLike, B: ArrayLike) -> ndarray:
    """Return the angles between the ranges of two matrices.

    Parameters
    ----------
    A : (M, N) array_like
        The first matrix.
    B : (M, K) array_like
        The second one.

    Returns
    -------
    ndarray
        The angles, the largest first.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a, b = cp.array([[1.0], [0.0]]), cp.array([[1.0], [1.0]])
    >>> cuprum.scipy.linalg.subspace_angles(a, b).round(6)
    array([0.785398])
    """
    a, b = _matrix("subspace_angles", A), _matrix("subspace_angles", B)
    if a.shape[0] != b.shape[0]:
        raise ValueError(
            f"subspace_angles: A and B must have the same number of rows, got {a.shape[0]} and {b.shape[0]}"
        )
    first, second = orth(a), orth(b)
    product = first.conj().T @ second
    cosines = cp.linalg.svd(product, compute_uv=False)
    # Small angles come from their sines, which are exact there.
    rest = (
        second - first @ product if first.shape[1] >= second.shape[1] else first - second @ product.conj().T
    )
    sines = cp.clip(cp.linalg.svd(rest, compute_uv=False), -1.0, 1.0)
    small = cosines**2 >= 0.5
    return cp.where(small, cp.arcsin(sines[::-1]), cp.arccos(cp.clip(cosines, -1.0, 1.0)))[::-1]


@over_stacks(a=2)
@names_itself
@documented
def polar(a: ArrayLike, side: str = "right") -> tuple[ndarray, ndarray]:
    """Return a matrix as the product of a rotation and a Hermitian matrix.

    Parameters
    ----------
    {rectangle}
    side : {"right", "left"}, optional
        Whether the Hermitian factor stands right or left.

    Returns
    -------
    u, p : ndarray
        The factors: ``a = u @ p`` or ``a = p @ u``.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> u, p = cuprum.scipy.linalg.polar(cp.array([[0.0, 2.0], [-1.0, 0.0]]))
    >>> p.round(6)
    array([[1., 0.],
           [0., 2.]])
    """
    if side not in ("right", "left"):
        raise ValueError(f"polar: `side` must be either 'right' or 'left', got {side!r}")
    a = _matrix("polar", a)
    w, s, vh = cp.linalg.svd(a, full_matrices=False)
    if side == "right":
        return w @ vh, (vh.conj().T * s) @ vh
    return w @ vh, (w * s) @ w.conj().T


@over_stacks(a=2)
@names_itself
@documented
def hessenberg(
    a: ArrayLike, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """Return a matrix that is similar to another and has a single diagonal below the main one.

    Parameters
    ----------
    {square}
    calc_q : bool, optional
        Return the unitary matrix too.
    {overwrite_a}
    {finite_a}

    Returns
    -------
    ndarray or tuple of ndarray
        The matrix H, and Q such that ``a = Q @ H @ Q.conj().T``.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> h = cuprum.scipy.linalg.hessenberg(cp.arange(9.0).reshape(3, 3))
    >>> float(h[2, 0])
    0.0
    """
    a = _matrix("hessenberg", a)
    if a.shape[0] != a.shape[1]:
        raise ValueError("hessenberg: expected square matrix")
    if check_finite and not bool(cp.isfinite(a).all()):
        raise ValueError("hessenberg: array must not contain infs or NaNs")
    n = a.shape[0]
    h = a.copy()
    q = cp.eye(n, dtype=a.dtype)
    for k in range(n - 2):
        column = h[k + 1 :, k].copy()
        length = cp.linalg.norm(column)
        # A reflection that leaves only the first element of the column.
        phase = cp.where(column[0] == 0, 1, column[0] / cp.where(column[0] == 0, 1, cp.abs(column[0])))
        column[0] += phase * length
        square = (column.conj() * column).real.sum()
        factor = cp.where(square == 0, 0.0, 2.0 / cp.where(square == 0, 1.0, square))
        row = column.conj()
        h[k + 1 :] -= factor * column[:, None] * (row @ h[k + 1 :])[None, :]
        h[:, k + 1 :] -= factor * (h[:, k + 1 :] @ column)[:, None] * row[None, :]
        h[k + 2 :, k] = 0
        if calc_q:
            q[:, k + 1 :] -= factor * (q[:, k + 1 :] @ column)[:, None] * row[None, :]
    return (h, q) if calc_q else h

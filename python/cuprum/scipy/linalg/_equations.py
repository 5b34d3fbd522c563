"""Sylvester's and Lyapunov's equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import adjoint, as_floats
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["solve_continuous_lyapunov", "solve_discrete_lyapunov", "solve_sylvester"]


@over_stacks(a=2, b=2, q=2)
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
    left = as_floats("solve_sylvester", a, False, square=True)
    right = as_floats("solve_sylvester", b, False, square=True)
    side = as_floats("solve_sylvester", q, False)
    m, n = left.shape[0], right.shape[0]
    if side.shape != (m, n):
        raise ValueError(f"solve_sylvester: q must have shape {(m, n)}, got {side.shape}")
    system = cp.kron(left, cp.eye(n, dtype=left.dtype)) + cp.kron(cp.eye(m, dtype=right.dtype), right.T)
    return cp.linalg.solve(system, side.reshape(-1, 1)).reshape(m, n)


@over_stacks(a=2, q=2)
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
    matrix = as_floats("solve_continuous_lyapunov", a, False, square=True)
    return solve_sylvester(matrix, adjoint(matrix), q)


@over_stacks(a=2, q=2)
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
    matrix = as_floats("solve_discrete_lyapunov", a, False, square=True)
    side = as_floats("solve_discrete_lyapunov", q, False)
    n = matrix.shape[0]
    system = cp.eye(n * n, dtype=matrix.dtype) - cp.kron(matrix, matrix.conj())
    return cp.linalg.solve(system, side.reshape(-1, 1)).reshape(n, n)

"""Schur's form of a matrix, and functions of matrices by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .._kernels import launch_block, texts
from ._arguments import LinAlgError, as_floats
from ._documentation import documented
from ._stacks import over_stacks
from ._subspaces import hessenberg

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["funm", "rsf2csf", "schur"]

_kernel = texts(__file__)
_THREADS = 64


@over_stacks(a=2)
@names_itself
@documented
def schur(
    a: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    overwrite_a: bool = False,
    sort: Any = None,
    check_finite: bool = True,
) -> tuple[ndarray, ndarray]:
    """Compute Schur's form of a matrix: ``a == z @ t @ z.conj().T``, `t` upper triangular.

    Parameters
    ----------
    a : (M, M) array_like
        The matrix.
    output : {"real", "complex"}, optional
        For a real matrix, whether `t` is real, with blocks of two rows for pairs of complex eigenvalues, or
        complex.
    lwork, overwrite_a : optional
        Taken for compatibility.
    sort : None
        Must be None: eigenvalues stand in the order in which they are found.
    {finite_a}

    Returns
    -------
    t : (M, M) ndarray
        The form.
    z : (M, M) ndarray
        The unitary matrix.

    Raises
    ------
    LinAlgError
        Where the iteration does not converge.

    Notes
    -----
    Shifted QR steps run in one kernel on both devices, in float64; float32 is rounded at the end.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a = cp.array([[0.0, 2.0], [-3.0, 5.0]])
    >>> t, z = cuprum.scipy.linalg.schur(a)
    >>> cp.allclose(z @ t @ z.T, a)
    True
    """
    if sort is not None:
        raise NotImplementedError(
            "schur: eigenvalues are not sorted here; cuprum.scipy.linalg.eig has them all"
        )
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("schur: argument must be 'real', or 'complex'")
    matrix = as_floats("schur", a, check_finite, square=True)
    if matrix.ndim != 2:
        raise ValueError(f"schur: expected a square matrix, got shape {matrix.shape}")
    is_complex = matrix.dtype.kind == "c" or output in ("complex", "c")
    wide = np.dtype(np.complex128 if is_complex else np.float64)
    result = np.result_type(matrix.dtype, np.complex64) if is_complex else matrix.dtype
    n = matrix.shape[0]
    if n < 2:
        return matrix.astype(result), cp.eye(n, dtype=result)
    h, q = hessenberg(matrix.astype(wide), calc_q=True, check_finite=False)
    h, q = cp.ascontiguousarray(h), cp.ascontiguousarray(q)
    failed = cp.zeros(1, np.int32)
    size = float(cp.linalg.norm(h))
    name = "complex_schur" if is_complex else "real_schur"
    parts = [x.view(np.float64) if is_complex else x for x in (h, q)]
    arguments = (*parts, np.int32(n), np.float64(size), failed)
    launch_block(_kernel("schur", name), _THREADS, arguments, h.device)
    if int(failed[0]):
        raise LinAlgError("schur: the iteration does not converge")
    t = cp.triu(h) if is_complex else cp.triu(h, -1)
    return t.astype(result, copy=False), q.astype(result, copy=False)


@over_stacks(T=2, Z=2)
@names_itself
@documented
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[ndarray, ndarray]:
    """Make a complex Schur form of a real one.

    Parameters
    ----------
    T, Z : (M, M) array_like
        The real form.
    {finite}

    Returns
    -------
    T, Z : (M, M) ndarray
        The complex form.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> t, z = cuprum.scipy.linalg.schur(cp.array([[0.0, 1.0], [-1.0, 0.0]]))
    >>> t, z = cuprum.scipy.linalg.rsf2csf(t, z)
    >>> cp.abs(t[1, 0])
    array(0.)
    """
    t, z = (as_floats("rsf2csf", x, check_finite, square=True) for x in (T, Z))
    if t.shape != z.shape:
        raise ValueError(f"rsf2csf: input array shapes must match: Z: {z.shape} vs. T: {t.shape}")
    wide = np.result_type(t.dtype, z.dtype, np.complex64)
    t, z = t.astype(wide), z.astype(wide)
    small = np.finfo(wide).eps
    # Which blocks there are is asked once.
    under = np.abs(cp.diagonal(t, -1).get())
    size = np.abs(cp.diagonal(t).get())
    for m in range(t.shape[0] - 1, 0, -1):
        if under[m - 1] > small * (size[m - 1] + size[m]):
            block = t[m - 1 : m + 1, m - 1 : m + 1]
            half = 0.5 * (block[0, 0] + block[1, 1])
            spread = cp.sqrt((0.5 * (block[0, 0] - block[1, 1])) ** 2 + block[0, 1] * block[1, 0])
            first = half + spread - block[1, 1]
            length = cp.sqrt(cp.abs(first) ** 2 + cp.abs(block[1, 0]) ** 2)
            c, s = first / length, block[1, 0] / length
            turn = cp.stack((cp.stack((c.conj(), s)), cp.stack((-s, c))))
            t[m - 1 : m + 1, m - 1 :] = turn @ t[m - 1 : m + 1, m - 1 :]
            t[: m + 1, m - 1 : m + 1] = t[: m + 1, m - 1 : m + 1] @ turn.conj().T
            z[:, m - 1 : m + 1] = z[:, m - 1 : m + 1] @ turn.conj().T
        t[m, m - 1] = 0.0
    return t, z


@over_stacks(A=2)
@names_itself
def funm(A: ArrayLike, func: Callable[[ndarray], Any], disp: bool = True) -> Any:
    """Evaluate a function of a matrix that is given by a function of numbers.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix; eigenvalues that are equal or next to each other cost digits.
    func : callable
        The function, of arrays of complex numbers.
    disp : bool, optional
        Without effect on the value; False returns an estimate of the error too.

    Returns
    -------
    ndarray or tuple
        The value, and the estimate: a norm relative to that of the value.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> cuprum.scipy.linalg.funm(cp.array([[1.0, 2.0], [0.0, 3.0]]), lambda x: x * x).round(6)
    array([[1., 8.],
           [0., 9.]])
    """
    matrix = as_floats("funm", A, True, square=True)
    # Real eigenvalues alone leave the form real: so is the result, then.
    t, z = schur(matrix)
    if matrix.dtype.kind != "c":
        t, z = rsf2csf(t, z)
    n = t.shape[0]
    f = cp.diag(as_array(func(cp.diagonal(t))).astype(t.dtype))
    least = float(cp.abs(t[0, 0]))
    rows = cp.arange(n)
    # Parlett's recurrence, one diagonal after the other.
    for p in range(1, n):
        i = rows[: n - p]
        j = i + p
        value = t[i, j] * (f[j, j] - f[i, i])
        for k in range(1, p):
            value = value + t[i, i + k] * f[i + k, j] - f[i, i + k] * t[i + k, j]
        below = t[j, j] - t[i, i]
        f[i, j] = cp.where(below == 0, value, value / cp.where(below == 0, 1, below))
        least = min(least, float(cp.abs(below).min()))
    result = z @ f @ z.conj().T
    small = float(np.finfo(t.dtype).eps)
    least_imaginary = (1e3 if t.dtype == np.complex64 else 1e6) * small
    if matrix.dtype.kind != "c" and bool(cp.allclose(result.imag, 0.0, atol=least_imaginary)):
        result = result.real
    if disp:
        return result
    least = least if least > 0 else small
    error = min(1.0, max(small, small / least * float(cp.linalg.norm(cp.triu(t, 1), 1))))
    return result, error


def schur_root(a: ndarray) -> ndarray:
    """Return the principal root of a matrix with eigenvalues anywhere, complex: Bjorck and Hammarling."""
    if a.dtype.kind == "c":
        t, z = schur(a, "complex")
    else:
        t, z = rsf2csf(*schur(a))
        # Eigenvalues on the negative axis have roots on the upper one, whatever rounding left beside it.
        near = cp.abs(t.imag) <= 4 * np.finfo(np.float64).eps * cp.abs(t).max()
        on_axis = (t.real < 0) & near & cp.eye(t.shape[0], dtype=bool)
        t = cp.where(on_axis, t.real, t)
    n, t = t.shape[0], cp.ascontiguousarray(t, dtype=np.complex128)
    root = cp.diag(cp.sqrt(cp.diagonal(t)))
    parts = t.view(np.float64), root.view(np.float64)
    for d in range(1, n):
        _kernel("schur", "root_diagonal")((-(-(n - d) // 64),), (64,), (*parts, np.int32(n), np.int32(d)))
    result: ndarray = z @ root @ z.conj().T
    return result

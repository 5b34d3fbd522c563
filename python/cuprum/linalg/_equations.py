"""Systems of equations, inverses, determinants and powers."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from .. import _core
from .._convert import NoValue, as_array
from .._core import ndarray
from .._creation.matrices import eye
from .._errors import names_itself
from .._indexing.indexing import where
from .._math.products import matmul
from ._decompositions import svd

if TYPE_CHECKING:
    from .._typing import ArrayLike


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: ndarray
    logabsdet: ndarray


def solve(a: ArrayLike, b: ArrayLike) -> ndarray:
    """Solve ``a @ x = b``.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.
    b : (M,) or (..., M, K) array_like
        One right-hand side, or one a column.

    Returns
    -------
    (..., M) or (..., M, K) ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where the matrix is singular or not square.

    Examples
    --------
    >>> cp.linalg.solve([[3.0, 1.0], [1.0, 2.0]], [9.0, 8.0])
    array([2., 3.])
    """
    return _core.linalg_solve(as_array(a), as_array(b))


@names_itself
def tensorsolve(a: Any, b: Any, axes: Any = None) -> ndarray:
    """Solve ``tensordot(a, x, x.ndim) == b`` for x.

    Parameters
    ----------
    a : array_like
        The tensor; its last axes, after those of `b`, are those of `x`.
    b : array_like
        The right-hand side.
    axes : sequence of int, optional
        Axes of `a` to move to the end first.

    Returns
    -------
    ndarray
        The solution.

    Examples
    --------
    >>> a = cp.eye(6).reshape(2, 3, 6)
    >>> cp.linalg.tensorsolve(a, cp.ones((2, 3)))
    array([1., 1., 1., 1., 1., 1.])
    """
    a, b = as_array(a), as_array(b)
    if axes is not None:
        order = list(range(a.ndim))
        for axis in axes:
            order.remove(axis)
            order.append(axis)
        a = a.transpose(order)
    # A `b` with at least as many axes as `a` leaves the last ones of `a`, as in NumPy.
    shape = a.shape[b.ndim - a.ndim :]
    columns = int(np.prod(shape, dtype=int))
    if a.size != columns**2:
        raise LinAlgError(
            "tensorsolve: input arrays must satisfy the requirement "
            f"prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]), got shapes {a.shape} and {b.shape}"
        )
    return solve(a.reshape(columns, columns), b.ravel()).reshape(shape)


@names_itself
def tensorinv(a: ArrayLike, ind: int = 2) -> ndarray:
    """Return the inverse of a tensor with respect to `tensordot` over its first `ind` axes.

    Parameters
    ----------
    a : array_like
        The tensor.
    ind : int, optional
        How many of the first axes belong to the rows.

    Returns
    -------
    ndarray
        The inverse, of shape ``a.shape[ind:] + a.shape[:ind]``.

    Examples
    --------
    >>> cp.linalg.tensorinv(cp.eye(6).reshape(6, 2, 3), ind=1).shape
    (2, 3, 6)
    """
    a = as_array(a)
    if ind <= 0:
        raise ValueError(f"tensorinv: ind must be positive, got {ind}")
    shape = a.shape[ind:] + a.shape[:ind]
    rows = int(np.prod(a.shape[ind:], dtype=int))
    return inv(a.reshape(rows, -1)).reshape(shape)


def inv(a: ArrayLike) -> ndarray:
    """Return the inverse of a matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.

    Returns
    -------
    (..., M, M) ndarray
        The inverse.

    Raises
    ------
    LinAlgError
        Where the matrix is singular or not square.

    Examples
    --------
    >>> cp.linalg.inv([[0.0, 2.0], [4.0, 0.0]])
    array([[0.  , 0.25],
           [0.5 , 0.  ]])
    """
    return _core.linalg_inv(as_array(a))


def det(a: ArrayLike) -> ndarray:
    """Return the determinant of a matrix.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.

    Returns
    -------
    (...) ndarray
        The determinant.

    Examples
    --------
    >>> cp.linalg.det([[2.0, 1.0], [1.0, 3.0]])
    array(5.)
    """
    return _core.linalg_det(as_array(a))


def slogdet(a: ArrayLike) -> SlogdetResult:
    """Return the sign of the determinant and the logarithm of its size.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.

    Returns
    -------
    SlogdetResult
        A number of size one, or zero for a singular matrix; and the logarithm, then minus infinity.

    Examples
    --------
    >>> cp.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    SlogdetResult(sign=array(-1.), logabsdet=array(0.))
    """
    return SlogdetResult(*_core.linalg_slogdet(as_array(a)))


def _adjoint(a: ndarray) -> ndarray:
    return a.mT.conj()


@names_itself
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = NoValue) -> ndarray:
    """Return the Moore-Penrose pseudo-inverse of a matrix.

    Parameters
    ----------
    a : (..., M, N) array_like
        The matrix.
    rcond : (...) array_like of float, optional
        Singular values at most this times the largest count as zero; 1e-15 by default, for which single
        precision is computed in double, as by NumPy.
    hermitian : bool, optional
        The matrix is Hermitian.
    rtol : (...) array_like of float, optional
        The same as `rcond`; its default is ``max(M, N) * eps``.

    Returns
    -------
    (..., N, M) ndarray
        The pseudo-inverse.

    Examples
    --------
    >>> cp.linalg.pinv([[2.0, 0.0], [0.0, 0.0]])
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = as_array(a)
    is_default = rcond is None and rtol is NoValue
    if rcond is None:
        if rtol is NoValue:
            rcond = 1e-15
        elif rtol is None:
            rcond = max(a.shape[-2:]) * _epsilon(a)
        else:
            rcond = rtol
    elif rtol is not NoValue:
        raise ValueError("pinv: `rtol` and `rcond` cannot be both set")
    if a.size == 0 and 0 in a.shape[-2:]:
        m, n = a.shape[-2:]
        return _core.empty((*a.shape[:-2], n, m), dtype=a.dtype)
    if a.ndim < 2:
        raise LinAlgError(f"pinv: {a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if is_default and a.dtype.char in "fF":
        # Singular values of 1e-15 times the largest are roundings in single precision, and would be inverted.
        double = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
        return pinv(double, hermitian=hermitian).astype(a.dtype)
    u, s, vh = svd(a.conj(), full_matrices=False, hermitian=hermitian)
    cutoff = as_array(rcond)[..., None] * s.max(axis=-1, keepdims=True)
    large = s > cutoff
    inverse = where(large, 1 / where(large, s, 1), 0).astype(s.dtype)
    return matmul(vh.mT, inverse[..., None] * u.mT)


def _epsilon(a: ndarray) -> float:
    """Return the rounding unit of the dtype in which linear algebra on `a` is done."""
    return float(np.finfo(np.float32 if a.dtype.char in "fF" else np.float64).eps)


def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return the least-squares solution of ``a @ x = b``, the shortest one where there are many.

    Parameters
    ----------
    a : (M, N) array_like
        The matrix.
    b : (M,) or (M, K) array_like
        One right-hand side, or one a column.
    rcond : float, optional
        Singular values at most this times the largest count as zero; ``max(M, N) * eps`` by default, and eps
        where it is negative.

    Returns
    -------
    x : (N,) or (N, K) ndarray
        The solution.
    residuals : (1,), (K,) or (0,) ndarray
        The squared lengths of ``b - a @ x``; empty where the rank is below N or M is at most N.
    rank : ndarray
        The rank of `a`, an int32 without dimensions.
    s : (min(M, N),) ndarray
        The singular values of `a`.

    Examples
    --------
    >>> a = cp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> x, residuals, rank, s = cp.linalg.lstsq(a, cp.array([1.0, 3.0, 5.0]))
    >>> cp.round(x, 12), int(rank)
    (array([1., 2.]), 2)
    """
    a, b = as_array(a), as_array(b)
    vector = b.ndim == 1
    if vector:
        b = b[:, None]
    for array in (a, b):
        if array.ndim != 2:
            raise LinAlgError(f"lstsq: {array.ndim}-dimensional array given. Array must be two-dimensional")
    m, n = a.shape
    if m != b.shape[0]:
        raise LinAlgError(f"lstsq: incompatible dimensions, a has {m} rows and b has {b.shape[0]}")
    dtype = _common_dtype(a, b)
    # What is computed is as precise as the result; a real matrix stays real.
    wanted = dtype if a.dtype.kind == "c" else dtype.char.lower()
    u, s, vh = svd(a.astype(wanted, copy=False), full_matrices=False)
    epsilon = float(np.finfo(dtype).eps)
    if rcond is None:
        rcond = epsilon * max(m, n)
    elif rcond < 0:
        rcond = epsilon
    b = b.astype(dtype, copy=False)
    large = s > rcond * s.max() if s.size else s > 0
    rank = large.sum(dtype=np.int32)
    weights = _core.where(large, 1 / _core.where(large, s, 1), 0).astype(s.dtype, copy=False)
    coordinates = matmul(_adjoint(u), b)
    x = matmul(_adjoint(vh), weights[:, None] * coordinates).astype(dtype, copy=False)
    if rank == n and m > n:
        rest = abs(b - matmul(u, coordinates))
        residuals = (rest * rest).sum(axis=0)
    else:
        residuals = _core.empty(0, dtype=s.dtype)
    return (x[:, 0] if vector else x), residuals, rank, s


def _common_dtype(*arrays: ndarray) -> np.dtype:
    """Return the dtype in which linear algebra on these arrays is done."""
    double = any(a.dtype.char not in "fF" for a in arrays)
    if any(a.dtype.kind == "c" for a in arrays):
        return np.dtype(np.complex128 if double else np.complex64)
    return np.dtype(np.float64 if double else np.float32)


@names_itself
def matrix_power(a: Any, n: Any) -> ndarray:
    """Raise a square matrix to an integer power; a negative power is that of the inverse.

    Parameters
    ----------
    a : (..., M, M) array_like
        The matrix.
    n : int
        The exponent.

    Returns
    -------
    (..., M, M) ndarray
        The power.

    Examples
    --------
    >>> cp.linalg.matrix_power([[1, 1], [0, 1]], 5)
    array([[1, 5],
           [0, 1]])
    """
    array = as_array(a)
    if array.ndim < 2:
        raise LinAlgError(
            f"matrix_power: {array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if array.shape[-2] != array.shape[-1]:
        raise LinAlgError(
            f"matrix_power: Last 2 dimensions of the array must be square, got shape {array.shape}"
        )
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError("matrix_power: exponent must be an integer") from error
    if n == 0:
        out = _core.empty(array.shape, dtype=array.dtype)
        out[...] = eye(array.shape[-1], dtype=array.dtype)
        return out
    if n < 0:
        array, n = inv(array), -n
    if n <= 3:
        return array if n == 1 else array @ array if n == 2 else (array @ array) @ array
    # The powers a, a^2, a^4, ... of the bits of n, the lowest first.
    square = array
    result = array if n % 2 else None
    while n > 1:
        n //= 2
        square = square @ square
        if n % 2:
            result = square if result is None else result @ square
    assert result is not None
    return result

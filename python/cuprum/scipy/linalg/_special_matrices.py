"""Matrices of known forms: shifted, blockwise, and those that mathematicians have named."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._manipulation.shape import broadcast_to
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike, DTypeLike


__all__ = [
    "block_diag",
    "circulant",
    "companion",
    "convolution_matrix",
    "dft",
    "fiedler",
    "fiedler_companion",
    "hadamard",
    "hankel",
    "helmert",
    "hilbert",
    "khatri_rao",
    "leslie",
    "toeplitz",
]


def _vector(op: str, name: str, values: Any, least: int = 0) -> ndarray:
    """Return an array of one dimension, at least so long."""
    made = as_array(values)
    if made.ndim != 1:
        raise ValueError(f"{op}: {name} must have one dimension, got shape {made.shape}")
    if made.size < least:
        raise ValueError(f"{op}: {name} must have at least {least} elements, got {made.size}")
    return made


def _grid(rows: int, columns: int) -> tuple[ndarray, ndarray]:
    """Return the number of each row, standing, and of each column, lying."""
    return _core.arange(0, rows, 1, None)[:, None], _core.arange(0, columns, 1, None)[None, :]


@names_itself
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> ndarray:
    """Return a matrix whose diagonals are constant.

    Parameters
    ----------
    c : (..., M) array_like
        The first column, or several.
    r : (..., N) array_like, optional
        The first row but for its first element, which is that of `c`; the conjugate of `c` when None.

    Returns
    -------
    (..., M, N) ndarray
        The matrix, one for each column.

    Examples
    --------
    >>> cp.scipy.linalg.toeplitz([1, 2, 3], [1, 4, 5])
    array([[1, 4, 5],
           [2, 1, 4],
           [3, 2, 1]])
    """
    c = _core.array(c, copy=None, ndmin=1)
    r = c.conj() if r is None else _core.array(r, copy=None, ndmin=1)
    rows, columns = c.shape[-1], r.shape[-1]
    stack = np.broadcast_shapes(c.shape[:-1], r.shape[:-1])
    c, r = broadcast_to(c, (*stack, rows)), broadcast_to(r, (*stack, columns))
    values = _core.concatenate((c[..., ::-1], r[..., 1:]), -1)
    i, j = _grid(rows, columns)
    return values[..., rows - 1 - i + j]


@names_itself
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> ndarray:
    """Return a matrix whose diagonals from the lower left to the upper right are constant.

    Parameters
    ----------
    c : array_like
        The first column.
    r : array_like, optional
        The last row but for its first element, which is that of `c`; zeros when None.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.hankel([1, 2, 3])
    array([[1, 2, 3],
           [2, 3, 0],
           [3, 0, 0]])
    """
    c = as_array(c).ravel()
    r = _core.zeros(c.shape, c.dtype, "C") if r is None else as_array(r).ravel()
    values = _core.concatenate((c, r[1:]), 0)
    i, j = _grid(c.size, r.size)
    return values[i + j]


@names_itself
def circulant(c: ArrayLike) -> ndarray:
    """Return a matrix whose columns are one column, each turned by one more.

    Parameters
    ----------
    c : (..., N) array_like
        The first column.

    Returns
    -------
    (..., N, N) ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.circulant([1, 2, 3])
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    c = as_array(c)
    c = c.reshape(1) if c.ndim == 0 else c
    i, j = _grid(c.shape[-1], c.shape[-1])
    return c[..., (i - j) % max(c.shape[-1], 1)]


@names_itself
def hadamard(n: int, dtype: DTypeLike = int) -> ndarray:
    """Return Hadamard's matrix of ones and minus ones whose rows are orthogonal, by Sylvester's rule.

    Parameters
    ----------
    n : int
        The number of rows, a power of 2.
    dtype : dtype, optional
        The dtype.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.hadamard(4)
    array([[ 1,  1,  1,  1],
           [ 1, -1,  1, -1],
           [ 1,  1, -1, -1],
           [ 1, -1, -1,  1]])
    """
    n = operator.index(n)
    if n < 1 or n & (n - 1):
        raise ValueError(f"hadamard: n must be a power of 2, got {n}")
    made = _core.ones((1, 1), dtype, "C")
    while made.shape[0] < n:
        above = _core.concatenate((made, made), 1)
        made = _core.concatenate((above, _core.concatenate((made, -made), 1)), 0)
    return made


@over_stacks(f=1, s=1)
@names_itself
def leslie(f: ArrayLike, s: ArrayLike) -> ndarray:
    """Return Leslie's matrix of a population: what each age brings forth, and how many survive it.

    Parameters
    ----------
    f : (N,) array_like
        Births in each age.
    s : (N - 1,) array_like
        The share of each age that reaches the next.

    Returns
    -------
    (N, N) ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.leslie([0.1, 2.0, 1.0], [0.2, 0.8])
    array([[0.1, 2. , 1. ],
           [0.2, 0. , 0. ],
           [0. , 0.8, 0. ]])
    """
    f, s = _vector("leslie", "f", f), _vector("leslie", "s", s, 1)
    if f.size != s.size + 1:
        raise ValueError(f"leslie: f must have one element more than s, got {f.size} and {s.size}")
    made = _core.zeros((f.size, f.size), _core.result_type(f.dtype, s.dtype), "C")
    made[0] = f
    index = np.arange(s.size)
    made[index + 1, index] = s
    return made


@names_itself
def block_diag(*arrs: Any) -> ndarray:
    """Return a matrix with others along its diagonal and zeros elsewhere.

    Parameters
    ----------
    *arrs : (..., M, N) array_like
        The matrices, broadcast in axes before the last two; vectors are rows.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.block_diag([[1, 2]], [[3], [4]])
    array([[1, 2, 0],
           [0, 0, 3],
           [0, 0, 4]])
    """
    parts = [as_array(a) for a in arrs or ([],)]
    parts = [a.reshape((1,) * (2 - a.ndim) + a.shape) if a.ndim < 2 else a for a in parts]
    stack = _core.broadcast_shapes(*(a.shape[:-2] for a in parts))
    rows, columns = (sum(a.shape[axis] for a in parts) for axis in (-2, -1))
    made = _core.zeros((*stack, rows, columns), _core.result_type(*(a.dtype for a in parts)), "C")
    row = column = 0
    for a in parts:
        height, width = a.shape[-2:]
        made[..., row : row + height, column : column + width] = a
        row, column = row + height, column + width
    return made


@over_stacks(a=1)
@names_itself
def companion(a: ArrayLike) -> ndarray:
    """Return the matrix whose eigenvalues are the roots of a polynomial.

    Parameters
    ----------
    a : (N,) array_like
        The coefficients, the highest power first; it must not be zero.

    Returns
    -------
    (N - 1, N - 1) ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.companion([1, -10, 31, -30])
    array([[ 10., -31.,  30.],
           [  1.,   0.,   0.],
           [  0.,   1.,   0.]])
    """
    a = _vector("companion", "a", a, 2)
    if bool(a[0] == 0):
        raise ValueError("companion: the first coefficient must not be zero")
    first = -a[1:] / (1.0 * a[0])
    made = _core.zeros((a.size - 1, a.size - 1), first.dtype, "C")
    made[0] = first
    index = np.arange(a.size - 2)
    made[index + 1, index] = 1
    return made


@names_itself
def helmert(n: int, full: bool = False) -> ndarray:
    """Return Helmert's matrix, whose rows are orthogonal contrasts.

    Parameters
    ----------
    n : int
        The number of columns.
    full : bool, optional
        Whether the first row, of equal elements, is there too.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.helmert(3).shape
    (2, 3)
    """
    n = operator.index(n)
    i, j = _grid(n, n)
    contrasts = (j < i) - i * (i == j)
    made = contrasts + (i == 0)
    lengths = i * (i + 1) + n * (i == 0)
    made = made / lengths**0.5
    return made if full else made[1:]


@names_itself
def hilbert(n: int) -> ndarray:
    """Return Hilbert's matrix, of elements ``1 / (i + j + 1)``.

    Parameters
    ----------
    n : int
        The number of rows.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.hilbert(2)
    array([[1.        , 0.5       ],
           [0.5       , 0.33333333]])
    """
    i, j = _grid(operator.index(n), operator.index(n))
    return 1.0 / (i + j + 1.0)


@names_itself
def dft(n: int, scale: str | None = None) -> ndarray:
    """Return the matrix of the discrete Fourier transform.

    Parameters
    ----------
    n : int
        The number of points.
    scale : {None, "sqrtn", "n"}, optional
        What to divide by: nothing, the root of `n`, or `n`.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.dft(2).real.round(12)
    array([[ 1.,  1.],
           [ 1., -1.]])
    """
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"dft: scale must be None, 'sqrtn' or 'n', got {scale!r}")
    n = operator.index(n)
    i, j = _grid(n, n)
    circle = np.exp(-2j * math.pi * np.arange(n) / n) if n else np.zeros(0, complex)
    made = _core.array(circle)[(i * j) % max(n, 1)]
    return made if scale is None else made / (math.sqrt(n) if scale == "sqrtn" else n)


@names_itself
def fiedler(a: ArrayLike) -> ndarray:
    """Return the matrix of the distances between numbers.

    Parameters
    ----------
    a : (..., N) array_like
        The numbers.

    Returns
    -------
    (..., N, N) ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.fiedler([1, 4, 12])
    array([[ 0,  3, 11],
           [ 3,  0,  8],
           [11,  8,  0]])
    """
    a = as_array(a)
    a = a.reshape(1) if a.ndim == 0 else a
    if a.ndim == 1 and a.size < 2:
        return _core.zeros((a.size, a.size), np.float64, "C")
    return abs(a[..., :, None] - a[..., None, :])


@over_stacks(a=1)
@names_itself
def fiedler_companion(a: ArrayLike) -> ndarray:
    """Return a matrix of five diagonals whose eigenvalues are the roots of a polynomial.

    Parameters
    ----------
    a : (N,) array_like
        The coefficients, the highest power first; it must not be zero.

    Returns
    -------
    (N - 1, N - 1) ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.fiedler_companion([1.0, -16.0, 86.0])
    array([[ 16., -86.],
           [  1.,   0.]])
    """
    a = _vector("fiedler_companion", "a", a)
    if a.size <= 2:
        if a.size < 2:
            return _core.zeros((0, 0), a.dtype, "C")
        return (-(a[1:] / a[0]))[:, None]
    if bool(a[0] == 0):
        raise ValueError("fiedler_companion: the first coefficient must not be zero")
    a = a / a[0]
    n = a.size - 1
    made = _core.zeros((n, n), a.dtype, "C")
    # Coefficients and ones alternate on the diagonals next to the main one and beyond.
    made[range(3, n, 2), range(1, n - 2, 2)] = 1
    made[range(2, n, 2), range(1, n - 1, 2)] = -a[3::2]
    made[range(0, n - 2, 2), range(2, n, 2)] = 1
    made[range(0, n - 1, 2), range(1, n, 2)] = -a[2::2]
    made[0, 0] = -a[1]
    made[1, 0] = 1
    return made


@over_stacks(a=1)
@names_itself
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> ndarray:
    """Return the matrix by which convolution with a vector multiplies.

    Parameters
    ----------
    a : (M,) array_like
        The vector.
    n : int
        How many columns: the length of what is convolved.
    mode : {"full", "valid", "same"}, optional
        Which rows there are, as in `convolve`.

    Returns
    -------
    ndarray
        The matrix.

    Examples
    --------
    >>> cp.scipy.linalg.convolution_matrix([-1, 4, -2], 3, mode="same")
    array([[ 4, -1,  0],
           [-2,  4, -1],
           [ 0, -2,  4]])
    """
    n = operator.index(n)
    if n <= 0:
        raise ValueError(f"convolution_matrix: n must be a positive integer, got {n}")
    a = _vector("convolution_matrix", "a", a, 1)
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"convolution_matrix: mode must be 'full', 'valid' or 'same', got {mode!r}")
    rows = a.size + n - 1
    i, j = _grid(rows, n)
    padded = _core.concatenate((a, _core.zeros((1,), a.dtype, "C")), 0)
    lag = i - j
    inside = (lag >= 0) & (lag < a.size)
    whole = padded[_core.where(inside, lag, a.size)]
    if mode == "full":
        return whole
    short, long = sorted((a.size, n))
    first = short - 1 if mode == "valid" else (short - 1) // 2
    count = long - short + 1 if mode == "valid" else long
    return whole[first : first + count]


@names_itself
def khatri_rao(a: ArrayLike, b: ArrayLike) -> ndarray:
    """Return the Kronecker products of the columns of two matrices.

    Parameters
    ----------
    a : (..., N, K) array_like
        The first matrix.
    b : (..., M, K) array_like
        The second.

    Returns
    -------
    (..., N * M, K) ndarray
        The products.

    Examples
    --------
    >>> cp.scipy.linalg.khatri_rao([[1, 2]], [[3, 4], [5, 6]])
    array([[ 3,  8],
           [ 5, 12]])
    """
    a, b = as_array(a), as_array(b)
    if a.ndim < 2 or b.ndim < 2:
        # NumPy's class is a ValueError, which SciPy raises; CuPy raises the class itself.
        raise np.linalg.LinAlgError(f"khatri_rao: matrices are needed, got shapes {a.shape} and {b.shape}")
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"khatri_rao: the numbers of columns differ, {a.shape[-1]} and {b.shape[-1]}")
    products = a[..., :, None, :] * b[..., None, :, :]
    return products.reshape((*products.shape[:-3], a.shape[-2] * b.shape[-2], a.shape[-1]))

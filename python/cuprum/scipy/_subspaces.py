"""Subspaces of matrices, and matrices of special structure."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from .. import fft
from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from ._special_matrices import toeplitz

__all__ = [
    "bandwidth",
    "hessenberg",
    "kron",
    "matmul_toeplitz",
    "null_space",
    "orth",
    "polar",
    "solve_banded",
    "solve_circulant",
    "solve_toeplitz",
    "solveh_banded",
    "subspace_angles",
]


def _matrix(op: str, a: Any) -> ndarray:
    a = as_array(a)
    if a.ndim != 2:
        raise ValueError(f"{op}: expected a matrix, got {a.ndim} dimensions")
    if a.dtype.kind in "bui":
        a = a.astype(np.float64)
    return a


def bandwidth(a) -> tuple[int, int]:
    """Return how far elements that are not zero lie from the diagonal of a matrix.

    Parameters
    ----------
    a : (M, N) array_like
        The matrix.

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
        raise ValueError("bandwidth: Input array must be a 2D NumPy array")
    if a.size == 0:
        return 0, 0
    rows, columns = cp.nonzero(a)
    if rows.size == 0:
        return 0, 0
    apart = rows - columns
    return max(int(apart.max()), 0), max(-int(apart.min()), 0)


def kron(a, b) -> ndarray:
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


def _rank(values: ndarray, shape: tuple[int, int], rcond: Any) -> int:
    if rcond is None:
        rcond = np.finfo(values.dtype).eps * max(shape)
    return int((values > values.max() * rcond).sum()) if values.size else 0


@names_itself
def orth(A, rcond=None) -> ndarray:
    """Return an orthonormal basis of the range of a matrix.

    Parameters
    ----------
    A : (M, N) array_like
        The matrix.
    rcond : float, optional
        Singular values up to so much of the largest count as zero.

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


@names_itself
def null_space(A, rcond=None) -> ndarray:
    """Return an orthonormal basis of what a matrix maps to zero.

    Parameters
    ----------
    A : (M, N) array_like
        The matrix.
    rcond : float, optional
        Singular values up to so much of the largest count as zero.

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


@names_itself
def subspace_angles(A, B) -> ndarray:
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


@names_itself
def polar(a, side="right") -> tuple[ndarray, ndarray]:
    """Return a matrix as the product of a rotation and a Hermitian matrix.

    Parameters
    ----------
    a : (M, N) array_like
        The matrix.
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


@names_itself
def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True) -> Any:
    """Return a matrix that is similar to another and has a single diagonal below the main one.

    Parameters
    ----------
    a : (N, N) array_like
        The matrix.
    calc_q : bool, optional
        Return the unitary matrix too.
    overwrite_a : bool, optional
        Taken for compatibility; `a` is not overwritten.
    check_finite : bool, optional
        Raise ValueError where `a` is not finite.

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


def _toeplitz_pair(op: str, c_or_cr: Any) -> tuple[ndarray, ndarray]:
    if isinstance(c_or_cr, tuple):
        c, r = (as_array(part).ravel() for part in c_or_cr)
        return c, r
    c = as_array(c_or_cr).ravel()
    return c, c.conj()


@names_itself
def solve_toeplitz(c_or_cr, b, check_finite=True) -> ndarray:
    """Solve equations whose matrix is constant along its diagonals.

    Parameters
    ----------
    c_or_cr : (N,) array_like or tuple of two
        The first column, or the first column and the first row.
    b : (N,) or (N, K) array_like
        The right-hand side, or one a column.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None) -> ndarray:
    """Multiply by a matrix that is constant along its diagonals, by Fourier transforms.

    Parameters
    ----------
    c_or_cr : (M,) array_like or tuple of two
        The first column, or the first column and the first row.
    x : (N,) or (N, K) array_like
        What is multiplied.
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.
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
def solve_circulant(c, b) -> ndarray:
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


_BANDED = """
// Gauss's elimination with row exchanges in bands: row i of `band` holds the elements of row i of the matrix
// from column i - lower on, with `lower` more places for what exchanges bring in. One thread factors; then
// each takes a right-hand side. `pivots` are the rows exchanged, `factors` the multiples subtracted.
extern "C" __global__ void banded_factor(double* band, double* factors, long long* pivots, long long n,
                                         long long lower, long long upper, int* singular) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    long long width = 2 * lower + upper + 1;
    for (long long k = 0; k < n; k++) {
        long long last = k + lower < n - 1 ? k + lower : n - 1, best = k;
        double largest = fabs(band[k * width + lower]);
        for (long long i = k + 1; i <= last; i++) {
            double value = fabs(band[i * width + k - i + lower]);
            if (value > largest) { largest = value; best = i; }
        }
        pivots[k] = best;
        if (!(largest > 0.0)) { *singular = 1; return; }
        long long end = k + lower + upper < n - 1 ? k + lower + upper : n - 1;
        if (best != k) {
            for (long long j = k; j <= end; j++) {
                double held = band[k * width + j - k + lower];
                band[k * width + j - k + lower] = band[best * width + j - best + lower];
                band[best * width + j - best + lower] = held;
            }
        }
        for (long long i = k + 1; i <= last; i++) {
            double factor = band[i * width + k - i + lower] / band[k * width + lower];
            factors[k * lower + i - k - 1] = factor;
            for (long long j = k; j <= end; j++)
                band[i * width + j - i + lower] -= factor * band[k * width + j - k + lower];
        }
    }
}

extern "C" __global__ void banded_solve(const double* band, const double* factors, const long long* pivots,
                                        long long n, long long lower, long long upper, double* b, long long
                                        count) {
    long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= count) return;
    long long width = 2 * lower + upper + 1;
    for (long long k = 0; k < n; k++) {
        long long other = pivots[k], last = k + lower < n - 1 ? k + lower : n - 1;
        double value = b[other * count + column];
        b[other * count + column] = b[k * count + column];
        b[k * count + column] = value;
        for (long long i = k + 1; i <= last; i++) b[i * count + column] -= factors[k * lower + i - k - 1] *
        value;
    }
    for (long long k = n - 1; k >= 0; k--) {
        long long end = k + lower + upper < n - 1 ? k + lower + upper : n - 1;
        double value = b[k * count + column];
        for (long long j = k + 1; j <= end; j++) value -= band[k * width + j - k + lower] * b[j * count +
        column]; b[k * count + column] = value / band[k * width + lower];
    }
}
"""
_kernels: dict[str, Any] = {}


def _kernel(entry: str) -> Any:
    if entry not in _kernels:
        _kernels[entry] = cp.RawKernel(_BANDED, entry)
    return _kernels[entry]


def _solve_bands(op: str, lower: int, upper: int, ab: ndarray, b: ndarray) -> ndarray:
    n = ab.shape[-1]
    dtype = cp.result_type(ab, b, np.float32)
    if np.dtype(dtype).kind == "c":
        # A complex system is a real one of twice the size: parts side by side keep the bands.
        real = _real_bands(lower, upper, ab)
        rows = cp.stack((b.real, b.imag), 1).reshape((2 * n, *b.shape[1:])).astype(np.float64)
        x = _solve_bands(op, 2 * lower + 1, 2 * upper + 1, real, rows).reshape((n, 2, *b.shape[1:]))
        return (x[:, 0] + 1j * x[:, 1]).astype(dtype)
    band = cp.zeros((n, 2 * lower + upper + 1))
    for d in range(-lower, upper + 1):
        # Element (i, i + d) is ab[upper - d, i + d].
        first, last = max(0, -d), min(n, n - d)
        if first < last:
            band[first:last, d + lower] = ab[upper - d, first + d : last + d]
    factors, pivots = cp.zeros((n, max(lower, 1))), cp.zeros(n, np.int64)
    singular = cp.zeros(1, np.int32)
    sizes = np.int64(n), np.int64(lower), np.int64(upper)
    if lower == 0:
        factors = cp.zeros((n, 1))
    _kernel("banded_factor")((1,), (1,), (band, factors, pivots, *sizes, singular))
    if int(singular[0]):
        raise np.linalg.LinAlgError(f"{op}: singular matrix")
    x = cp.ascontiguousarray(b.reshape(n, -1), dtype=np.float64).copy()
    count = x.shape[1]
    if count:
        grid = (-(-count // 64),)
        _kernel("banded_solve")(grid, (64,), (band, factors, pivots, *sizes, x, np.int64(count)))
    return x.reshape(b.shape).astype(dtype, copy=False)


def _real_bands(lower: int, upper: int, ab: ndarray) -> ndarray:
    """Return the bands of the real matrix of twice the size that stands for a complex one."""
    n = ab.shape[-1]
    top, bottom = 2 * upper + 1, 2 * lower + 1
    result = cp.zeros((top + bottom + 1, 2 * n))
    for d in range(-lower, upper + 1):
        row = ab[upper - d]
        # Element (i, j) becomes the block of (2i, 2j): [[re, -im], [im, re]].
        result[top - 2 * d, 0::2] = row.real
        result[top - 2 * d, 1::2] = row.real
        result[top - 2 * d + 1, 0::2] = row.imag
        result[top - 2 * d - 1, 1::2] = -row.imag
    return result


def _bands(op: str, ab: Any, b: Any, check_finite: bool) -> tuple[ndarray, ndarray]:
    ab, b = as_array(ab), as_array(b)
    if check_finite and not (bool(cp.isfinite(ab).all()) and bool(cp.isfinite(b).all())):
        raise ValueError(f"{op}: array must not contain infs or NaNs")
    if ab.ndim != 2 or ab.shape[-1] != b.shape[0]:
        raise ValueError(f"{op}: shapes of ab {ab.shape} and b {b.shape} are not compatible.")
    return ab, b


@names_itself
def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True) -> ndarray:
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
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

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
    return _solve_bands("solve_banded", lower, upper, ab, b)


@names_itself
def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True) -> ndarray:
    """Solve equations with a banded matrix that is Hermitian.

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
    check_finite : bool, optional
        Raise ValueError where an argument is not finite.

    Returns
    -------
    ndarray
        The solution.

    Raises
    ------
    LinAlgError
        Where the matrix is singular.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> ab = cp.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    >>> cuprum.scipy.linalg.solveh_banded(ab, cp.array([3.0, 4.0, 3.0])).round(6)
    array([1., 1., 1.])
    """
    ab, b = _bands("solveh_banded", ab, b, check_finite)
    count, n = ab.shape[0] - 1, ab.shape[1]
    full = cp.zeros((2 * count + 1, n), ab.dtype)
    for d in range(count + 1):
        if d >= n:
            break
        line = ab[d, : n - d] if lower else ab[count - d, d:]
        above, below = (line.conj(), line) if lower else (line, line.conj())
        full[count - d, d:] = above
        full[count + d, : n - d] = below
    return _solve_bands("solveh_banded", count, count, full, b)

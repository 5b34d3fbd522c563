"""Equations with matrices of known structure: Toeplitz, circulant, banded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
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

// Cholesky's factor of a symmetric matrix in bands: row i of `band` holds the elements (i, i), (i, i - 1)
// and so on, down to the lowest diagonal. One thread factors; `failed` is the order of the first leading
// minor that is not positive.
extern "C" __global__ void banded_cholesky(double* band, long long n, long long count, long long* failed) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    long long width = count + 1;
    for (long long i = 0; i < n; i++) {
        for (long long j = i > count ? i - count : 0; j <= i; j++) {
            double value = band[i * width + i - j];
            for (long long k = i > count ? i - count : 0; k < j; k++)
                if (j - k <= count) value -= band[i * width + i - k] * band[j * width + j - k];
            if (i != j) {
                band[i * width + i - j] = value / band[j * width];
            } else {
                if (!(value > 0.0)) { *failed = i + 1; return; }
                band[i * width] = sqrt(value);
            }
        }
    }
}

extern "C" __global__ void banded_cholesky_solve(const double* band, long long n, long long count, double* b,
                                                 long long sides) {
    long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= sides) return;
    long long width = count + 1;
    for (long long i = 0; i < n; i++) {
        double value = b[i * sides + column];
        for (long long j = i > count ? i - count : 0; j < i; j++)
            value -= band[i * width + i - j] * b[j * sides + column];
        b[i * sides + column] = value / band[i * width];
    }
    for (long long i = n - 1; i >= 0; i--) {
        double value = b[i * sides + column];
        for (long long j = i + 1; j < n && j <= i + count; j++)
            value -= band[j * width + j - i] * b[j * sides + column];
        b[i * sides + column] = value / band[i * width];
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
    return _solve_bands("solve_banded", lower, upper, ab, b)


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
    count, n = ab.shape[0] - 1, ab.shape[1]
    # The main diagonal and those below it; what the diagonal has of an imaginary part is not looked at.
    below = cp.zeros((count + 1, n), ab.dtype)
    below[0] = ab[0 if lower else count].real
    for d in range(1, min(count + 1, n)):
        below[d, : n - d] = ab[d, : n - d] if lower else ab[count - d, d:].conj()
    dtype = cp.result_type(ab, b, np.float32)
    if np.dtype(dtype).kind != "c":
        return _solve_cholesky(below, b).astype(dtype, copy=False)
    rows = cp.stack((b.real, b.imag), 1).reshape((2 * n, *b.shape[1:]))
    x = _solve_cholesky(_real_lower_bands(below), rows).reshape((n, 2, *b.shape[1:]))
    return (x[:, 0] + 1j * x[:, 1]).astype(dtype)


def _real_lower_bands(below: ndarray) -> ndarray:
    """Return the lower bands of the symmetric matrix of twice the size that stands for a Hermitian one."""
    count, n = below.shape[0] - 1, below.shape[1]
    result = cp.zeros((2 * count + 2, 2 * n))
    for d in range(count + 1):
        # Element (i, j) becomes the block of (2i, 2j): [[re, -im], [im, re]].
        result[2 * d, 0::2] = result[2 * d, 1::2] = below[d].real
        if below.dtype.kind == "c":
            result[2 * d + 1, 0::2] = below[d].imag
            if d:
                result[2 * d - 1, 1::2] = -below[d].imag
    return result


def _solve_cholesky(below: ndarray, b: ndarray) -> ndarray:
    """Return the solution of real equations with the lower bands of a symmetric matrix."""
    count, n = below.shape[0] - 1, below.shape[1]
    band, failed = cp.zeros((n, count + 1)), cp.zeros(1, np.int64)
    for d in range(min(count + 1, n)):
        band[d:, d] = below[d, : n - d]
    sizes = np.int64(n), np.int64(count)
    _kernel("banded_cholesky")((1,), (1,), (band, *sizes, failed))
    if order := int(failed[0]):
        raise np.linalg.LinAlgError(f"solveh_banded: leading minor {order} is not positive definite")
    x = cp.ascontiguousarray(b.reshape(n, -1), dtype=np.float64).copy()
    sides = x.shape[1]
    if sides:
        _kernel("banded_cholesky_solve")((-(-sides // 64),), (64,), (band, *sizes, x, np.int64(sides)))
    return x.reshape(b.shape)

"""Factors of matrices that are given by their diagonals, by kernels that read nothing but those."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray

__all__ = ["band_rows", "cholesky_rows", "lower_bands", "lower_bands_of", "solve_bands", "solve_by_rows"]

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


def solve_bands(op: str, lower: int, upper: int, ab: ndarray, b: ndarray) -> ndarray:
    """Return the solution of equations by Gauss's elimination with row exchanges."""
    n = ab.shape[-1]
    dtype = cp.result_type(ab, b, np.float32)
    if np.dtype(dtype).kind == "c":
        # A complex system is a real one of twice the size: parts side by side keep the bands.
        real = _real_bands(lower, upper, ab)
        rows = cp.stack((b.real, b.imag), 1).reshape((2 * n, *b.shape[1:])).astype(np.float64)
        x = solve_bands(op, 2 * lower + 1, 2 * upper + 1, real, rows).reshape((n, 2, *b.shape[1:]))
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


def lower_bands(ab: ndarray, lower: bool) -> ndarray:
    """Return the diagonals of a Hermitian matrix, or of a factor of one, from the main one down.

    What the main diagonal has of an imaginary part is not looked at.
    """
    count, n = ab.shape[0] - 1, ab.shape[1]
    below = cp.zeros((count + 1, n), ab.dtype)
    below[0] = ab[0 if lower else count].real
    for d in range(1, min(count + 1, n)):
        below[d, : n - d] = ab[d, : n - d] if lower else ab[count - d, d:].conj()
    return below


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


def band_rows(below: ndarray) -> ndarray:
    """Return a triangle as the kernels take it: row i holds the elements (i, i), (i, i - 1) and so on.

    A complex triangle is a real one of twice the size: parts side by side keep the bands.
    """
    if below.dtype.kind == "c":
        below = _real_lower_bands(below)
    count, n = below.shape[0] - 1, below.shape[1]
    rows = cp.zeros((n, count + 1))
    for d in range(min(count + 1, n)):
        rows[d:, d] = below[d, : n - d]
    return rows


def cholesky_rows(op: str, below: ndarray) -> ndarray:
    """Return the rows of the Cholesky factor of a matrix with these lower bands."""
    rows, failed = band_rows(below), cp.zeros(1, np.int64)
    n, width = rows.shape
    _kernel("banded_cholesky")((1,), (1,), (rows, np.int64(n), np.int64(width - 1), failed))
    if order := int(failed[0]):
        if below.dtype.kind == "c":
            # Each row of the matrix is two.
            order = (order + 1) // 2
        raise np.linalg.LinAlgError(f"{op}: leading minor {order} is not positive definite")
    return rows


def lower_bands_of(rows: ndarray, like: ndarray) -> ndarray:
    """Return the lower bands of a factor that is given by its rows, as those of the matrix are."""
    bands = cp.zeros_like(like)
    n = like.shape[1]
    is_complex = like.dtype.kind == "c"
    for d in range(min(like.shape[0], n)):
        if is_complex:
            imaginary = rows[2 * d + 1 :: 2, 2 * d + 1] if d else 0.0
            bands[d, : n - d] = rows[2 * d :: 2, 2 * d] + 1j * imaginary
        else:
            bands[d, : n - d] = rows[d:, d]
    return bands


def solve_by_rows(rows: ndarray, b: ndarray, dtype: Any) -> ndarray:
    """Return the solution of equations by the rows of a Cholesky factor.

    Where `dtype` is complex, the rows are those of a complex factor.
    """
    dtype, n = np.dtype(dtype), b.shape[0]
    is_complex = dtype.kind == "c"
    right = cp.stack((b.real, b.imag), 1).reshape((2 * n, *b.shape[1:])) if is_complex else b
    x = cp.array(right.reshape(rows.shape[0], -1), dtype=np.float64, order="C")
    sides = x.shape[1]
    if sides:
        sizes = np.int64(rows.shape[0]), np.int64(rows.shape[1] - 1)
        _kernel("banded_cholesky_solve")((-(-sides // 64),), (64,), (rows, *sizes, x, np.int64(sides)))
    if not is_complex:
        return x.reshape(b.shape).astype(dtype, copy=False)
    parts = x.reshape((n, 2, *b.shape[1:]))
    return (parts[:, 0] + 1j * parts[:, 1]).astype(dtype)

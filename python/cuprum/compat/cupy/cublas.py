"""`cupy.cublas`: BLAS by its own names, for the libraries that call it.

Arrays are float32, float64, complex64 or complex128. What BLAS updates is updated in place, in any layout;
every device computes it by Cuprum's products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp
from cuprum import ndarray

__all__ = [
    "asum",
    "axpy",
    "batched_gesv",
    "dgmm",
    "dot",
    "dotc",
    "dotu",
    "geam",
    "get_batched_gesv_limit",
    "gemm",
    "gemv",
    "ger",
    "gerc",
    "geru",
    "iamax",
    "iamin",
    "nrm2",
    "sbmv",
    "scal",
    "set_batched_gesv_limit",
    "syrk",
]


def _check_dtype(op: str, *arrays: ndarray) -> None:
    for a in arrays:
        if a.dtype.char not in "fdFD":
            raise TypeError(
                f"{op}: dtype {a.dtype} is not one of BLAS's: float32, float64, complex64, complex128"
            )


def _check_vectors(op: str, *vectors: ndarray) -> None:
    for x in vectors:
        if x.ndim != 1:
            raise ValueError(f"{op}: vectors must have one axis, got {x.ndim}")
        if x.dtype != vectors[0].dtype:
            raise TypeError(f"{op}: dtypes differ: {vectors[0].dtype} and {x.dtype}")
        if len(x) != len(vectors[0]):
            raise ValueError(f"{op}: lengths differ: {len(vectors[0])} and {len(x)}")
    _check_dtype(op, *vectors)


def _check_matrices(op: str, *matrices: ndarray) -> None:
    for a in matrices:
        if a.ndim != 2:
            raise ValueError(f"{op}: matrices must have two axes, got {a.ndim}")
        if a.dtype != matrices[0].dtype:
            raise TypeError(f"{op}: dtypes differ: {matrices[0].dtype} and {a.dtype}")
    _check_dtype(op, *matrices)


def _turned(op: str, a: ndarray, trans: Any) -> ndarray:
    """Return a matrix, its transpose or its conjugate transpose, as BLAS's letter or cuBLAS's number says."""
    if trans in ("N", "n", 0, False):
        return a
    if trans in ("T", "t", 1, True):
        return a.T
    if trans in ("H", "h", "C", "c", 2):
        return a.conj().T
    raise TypeError(f"{op}: trans must be 'N', 'T' or 'H', got {trans!r}")


def _into(result: ndarray, out: Any) -> Any:
    """Return the result, in the caller's array where it gave one."""
    if out is None:
        return result
    out[...] = result if isinstance(out, ndarray) else cp.asnumpy(result)
    return out


def _size(x: ndarray) -> ndarray:
    """Return what BLAS takes for the size of an element: the sum of both parts' absolute values."""
    return abs(x.real) + abs(x.imag) if x.dtype.kind == "c" else abs(x)


def iamax(x: ndarray, out: Any = None) -> Any:
    """Return the position of the first element of the largest size, counted from one.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.iamax(cp.array([1.0, -3.0, 2.0]))
    array(2, dtype=int32)
    """
    _check_vectors("iamax", x)
    return _into((cp.argmax(_size(x)) + 1).astype(np.int32), out)


def iamin(x: ndarray, out: Any = None) -> Any:
    """Return the position of the first element of the smallest size, counted from one.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.iamin(cp.array([1.0, -3.0, 2.0]))
    array(1, dtype=int32)
    """
    _check_vectors("iamin", x)
    return _into((cp.argmin(_size(x)) + 1).astype(np.int32), out)


def asum(x: ndarray, out: Any = None) -> Any:
    """Return the sum of the elements' sizes.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.asum(cp.array([1.0, -3.0, 2.0]))
    array(6.)
    """
    _check_vectors("asum", x)
    return _into(cp.sum(_size(x)), out)


def axpy(a: Any, x: ndarray, y: ndarray) -> None:
    """Add `a` times `x` to `y`, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> y = cp.ones(2)
    >>> cublas.axpy(2.0, cp.array([1.0, 3.0]), y)
    >>> y
    array([3., 7.])
    """
    _check_vectors("axpy", x, y)
    y += (cp.asarray(a, x.dtype) * x).astype(y.dtype, copy=False)


def dot(x: ndarray, y: ndarray, out: Any = None) -> Any:
    """Return the dot product of two real vectors.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.dot(cp.array([1.0, 3.0]), cp.array([2.0, 1.0]))
    array(5.)
    """
    if x.dtype.kind == "c":
        raise TypeError(f"dot: {x.dtype} vectors are multiplied by dotu or dotc")
    _check_vectors("dot", x, y)
    return _into(cp.dot(x, y), out)


def dotu(x: ndarray, y: ndarray, out: Any = None) -> Any:
    """Return the dot product of two vectors, neither conjugated.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.dotu(cp.array([1j, 3]), cp.array([1j, 1]))
    array(2.+0.j)
    """
    _check_vectors("dotu", x, y)
    return _into(cp.dot(x, y), out)


def dotc(x: ndarray, y: ndarray, out: Any = None) -> Any:
    """Return the dot product of two vectors, the first conjugated.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.dotc(cp.array([1j, 3]), cp.array([1j, 1]))
    array(4.+0.j)
    """
    _check_vectors("dotc", x, y)
    return _into(cp.vdot(x, y), out)


def nrm2(x: ndarray, out: Any = None) -> Any:
    """Return the Euclidean norm of a vector.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.nrm2(cp.array([3.0, 4.0]))
    array(5.)
    """
    _check_vectors("nrm2", x)
    return _into(cp.linalg.norm(x), out)


def scal(a: Any, x: ndarray) -> None:
    """Multiply a vector by a number, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> x = cp.array([3.0, 4.0])
    >>> cublas.scal(2, x)
    >>> x
    array([6., 8.])
    """
    _check_vectors("scal", x)
    x *= cp.asarray(a, x.dtype)


def gemv(transa: Any, alpha: Any, a: ndarray, x: ndarray, beta: Any, y: ndarray) -> None:
    """Make `y` of `alpha` times a matrix by `x`, and `beta` times `y`, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> y = cp.ones(2)
    >>> cublas.gemv("N", 2.0, cp.eye(2), cp.array([1.0, 3.0]), 1.0, y)
    >>> y
    array([3., 7.])
    """
    _check_matrices("gemv", a)
    _combined("gemv", _turned("gemv", a, transa) @ x, alpha, y, beta)


def _combined(op: str, product: ndarray, alpha: Any, out: ndarray, beta: Any) -> None:
    """Put alpha times a product and beta times what is there into an array; a beta of zero reads nothing."""
    if product.shape != out.shape:
        raise ValueError(f"{op}: the result has shape {product.shape}, the array {out.shape}")
    scaled = cp.asarray(alpha, product.dtype) * product
    forgets = not isinstance(beta, ndarray) and beta == 0
    out[...] = scaled if forgets else scaled + cp.asarray(beta, out.dtype) * out


def ger(alpha: Any, x: ndarray, y: ndarray, a: ndarray) -> None:
    """Add `alpha` times the outer product of two real vectors to a matrix, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> a = cp.zeros((2, 2))
    >>> cublas.ger(2.0, cp.array([1.0, 3.0]), cp.array([1.0, 2.0]), a)
    >>> a
    array([[ 2.,  4.],
           [ 6., 12.]])
    """
    if a.dtype.kind == "c":
        raise TypeError(f"ger: a {a.dtype} matrix is updated by geru or gerc")
    geru(alpha, x, y, a)


def geru(alpha: Any, x: ndarray, y: ndarray, a: ndarray) -> None:
    """Add `alpha` times the outer product of two vectors to a matrix, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> a = cp.zeros((1, 1), complex)
    >>> cublas.geru(2.0, cp.array([1j]), cp.array([1j]), a)
    >>> a
    array([[-2.+0.j]])
    """
    _check_matrices("geru", a)
    if a.shape != (len(x), len(y)):
        raise ValueError(f"geru: the outer product has shape {(len(x), len(y))}, the matrix {a.shape}")
    a += cp.asarray(alpha, a.dtype) * cp.outer(x, y)


def gerc(alpha: Any, x: ndarray, y: ndarray, a: ndarray) -> None:
    """Add `alpha` times the outer product of two vectors, the second conjugated, to a matrix, in place.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> a = cp.zeros((1, 1), complex)
    >>> cublas.gerc(2.0, cp.array([1j]), cp.array([1j]), a)
    >>> a
    array([[2.+0.j]])
    """
    geru(alpha, x, y.conj(), a)


def sbmv(k: int, alpha: Any, a: ndarray, x: ndarray, beta: Any, y: ndarray, lower: bool = False) -> ndarray:
    """Make `y` of `alpha` times a symmetric banded matrix by `x`, and `beta` times `y`, in place.

    Parameters
    ----------
    k : int
        The diagonals above the main one.
    alpha, beta : scalar
        The factors.
    a : ndarray
        The diagonals, one a row: with `lower` the main one first, else last.
    x, y : ndarray
        The vectors.
    lower : bool, optional
        Which triangle the diagonals are of.

    Returns
    -------
    ndarray
        `y`.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> diagonals = cp.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    >>> cublas.sbmv(1, 1.0, diagonals, cp.array([1.0, 0.0, 0.0]), 0.0, cp.zeros(3))
    array([2., 1., 0.])
    """
    _check_matrices("sbmv", a)
    n = a.shape[1]
    if a.shape[0] <= k or len(x) != n or len(y) != n:
        raise ValueError(
            f"sbmv: {k} diagonals beside the main one of length {n}, got {a.shape}, {x.shape}, {y.shape}"
        )
    product = (a[0] if lower else a[k]) * x
    for off in range(1, min(k, n - 1) + 1):
        along = a[off, : n - off] if lower else a[k - off, off:]
        product[: n - off] += along * x[off:]
        product[off:] += along * x[: n - off]
    _combined("sbmv", product, alpha, y, beta)
    return y


def gemm(
    transa: Any, transb: Any, a: ndarray, b: ndarray, out: Any = None, alpha: Any = 1.0, beta: Any = 0.0
) -> Any:
    """Return `alpha` times the product of two matrices, and `beta` times `out`, in `out` where it is given.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.gemm("N", "T", cp.eye(2), cp.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    _check_matrices("gemm", a, b)
    product = _turned("gemm", a, transa) @ _turned("gemm", b, transb)
    if out is None:
        out, beta = cp.empty(product.shape, product.dtype, order="F"), 0.0
    _combined("gemm", product, alpha, out, beta)
    return out


def geam(transa: Any, transb: Any, alpha: Any, a: ndarray, beta: Any, b: ndarray, out: Any = None) -> Any:
    """Return `alpha` times a matrix and `beta` times another, each transposed as asked.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.geam("N", "T", 2.0, cp.eye(2), 1.0, cp.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[3., 3.],
           [2., 6.]])
    """
    _check_matrices("geam", a, b)
    first, second = _turned("geam", a, transa), _turned("geam", b, transb)
    if first.shape != second.shape:
        raise ValueError(f"geam: shapes differ: {first.shape} and {second.shape}")
    result = cp.asarray(alpha, a.dtype) * first + cp.asarray(beta, b.dtype) * second
    return _into(result if out is not None else cp.asfortranarray(result), out)


def dgmm(side: str, a: ndarray, x: ndarray, out: Any = None, incx: int = 1) -> Any:
    """Return a matrix whose rows ("L") or columns ("R") are multiplied by the elements of a vector.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.dgmm("L", cp.ones((2, 2)), cp.array([2.0, 3.0]))
    array([[2., 2.],
           [3., 3.]])
    """
    if side not in ("L", "R"):
        raise ValueError(f"dgmm: side must be 'L' or 'R', got {side!r}")
    _check_matrices("dgmm", a)
    length = a.shape[0 if side == "L" else 1]
    factors = x.ravel()[:: abs(int(incx))][:length] if incx else x.ravel()[:1]
    if incx < 0:
        factors = factors[::-1]
    if incx and len(factors) != length:
        raise ValueError(f"dgmm: {length} factors are needed, got {len(factors)}")
    result = factors[:, None] * a if side == "L" else a * factors
    return _into(result if out is not None else cp.asfortranarray(result), out)


def syrk(
    trans: Any, a: ndarray, out: Any = None, alpha: Any = 1.0, beta: Any = 0.0, lower: bool = False
) -> Any:
    """Return one triangle of `alpha` times a matrix by its transpose, and `beta` times `out`.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.syrk("N", cp.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 5., 11.],
           [ 0., 25.]])
    """
    _check_matrices("syrk", a)
    turned = _turned("syrk", a, trans)
    product = turned @ turned.T
    if out is None:
        out, beta = cp.zeros(product.shape, product.dtype, order="F"), 0.0
    result = out.copy()
    _combined("syrk", product, alpha, result, beta)
    inside = cp.tri(len(product), dtype=bool) if lower else ~cp.tri(len(product), k=-1, dtype=bool)
    out[...] = cp.where(inside, result, out)
    return out


_batched_gesv_limit = [256]


def get_batched_gesv_limit() -> int:
    """Return the largest matrices that `batched_gesv` would solve together in CuPy; Cuprum chooses by itself.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.get_batched_gesv_limit()
    256
    """
    return _batched_gesv_limit[0]


def set_batched_gesv_limit(limit: int) -> None:
    """Keep a number for `get_batched_gesv_limit`.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.set_batched_gesv_limit(256)
    """
    _batched_gesv_limit[0] = int(limit)


def batched_gesv(a: ndarray, b: ndarray) -> ndarray:
    """Return the solutions of systems of linear equations, one for each matrix of a stack.

    Parameters
    ----------
    a : ndarray
        The matrices, in the last two axes.
    b : ndarray
        The right-hand sides: with one axis less than `a` a vector for each matrix, else a matrix.

    Returns
    -------
    ndarray
        The solutions.

    Examples
    --------
    >>> from cuprum.compat.cupy import cublas
    >>> cublas.batched_gesv(cp.stack([cp.eye(2), 2 * cp.eye(2)]), cp.ones((2, 2)))
    array([[1. , 1. ],
           [0.5, 0.5]])
    """
    if b.ndim == a.ndim - 1:
        return cp.linalg.solve(a, b[..., None])[..., 0]
    return cp.linalg.solve(a, b)

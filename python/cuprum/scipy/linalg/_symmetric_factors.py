"""Factors of symmetric and Hermitian matrices that need not be definite."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from .._kernels import launch_block, texts
from ._arguments import as_assumed, as_floats
from ._documentation import documented
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["ldl"]

_kernel = texts(__file__)
_THREADS = 128


@over_stacks(A=2)
@documented
@names_itself
def ldl(
    A: ArrayLike,
    lower: bool = True,
    hermitian: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
) -> tuple[ndarray, ndarray, ndarray]:
    """Factor a symmetric or Hermitian matrix: ``A == lu @ d @ lu.conj().T``.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix, of which one triangle is read.
    lower : bool, optional
        Whether that is the lower triangle, and the outer factor a lower one.
    hermitian : bool, optional
        Whether a complex matrix is Hermitian; symmetric otherwise, ``A == lu @ d @ lu.T``.
    overwrite_a : bool, optional
        Taken for compatibility; `A` is not overwritten.
    check_finite : bool, optional
        Raise ValueError where `A` is not finite.

    Returns
    -------
    lu : (N, N) ndarray
        The outer factor, whose rows ``lu[perm]`` are triangular with ones on the diagonal.
    d : (N, N) ndarray
        Blocks of one or two rows along the diagonal.
    perm : (N,) ndarray
        The order of rows.

    Notes
    -----
    With the pivots of Bunch and Kaufman, in float64 on both devices; float32 is rounded at the end.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a = cp.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 4.0]])
    >>> lu, d, perm = cuprum.scipy.linalg.ldl(a)
    >>> cp.allclose(lu @ d @ lu.T, a)
    True
    """
    matrix = as_floats("ldl", A, check_finite, square=True)
    if matrix.ndim != 2:
        raise ValueError(f"ldl: expected a square matrix, got shape {matrix.shape}")
    n, is_complex = matrix.shape[0], matrix.dtype.kind == "c"
    if n == 0:
        return cp.empty_like(matrix), cp.empty_like(matrix), cp.empty(0, np.int64)
    is_hermitian = hermitian and is_complex
    whole = as_assumed("ldl", matrix, "her" if is_hermitian else "sym", lower)
    if is_hermitian and bool(cp.diagonal(matrix).imag.any()):
        warnings.warn(
            "ldl: the imaginary parts of the diagonal are ignored; hermitian=False factors complex symmetric "
            "matrices",
            np.exceptions.ComplexWarning,
            stacklevel=3,
        )
        whole[cp.arange(n), cp.arange(n)] = cp.diagonal(whole).real
    wide = np.dtype(np.complex128 if is_complex else np.float64)
    # An upper factor is the lower one of the matrix read backwards.
    whole = cp.ascontiguousarray((whole if lower else whole[::-1, ::-1]).astype(wide))
    d, order = cp.zeros((n, n), wide), cp.empty(n, np.int64)
    parts = [x.view(np.float64) if is_complex else x for x in (whole, d)]
    name = f"ldl<{'Complex' if is_complex else 'double'}>"
    arguments = (*parts, order, np.int32(n), np.bool_(is_hermitian))
    launch_block(_kernel("ldl", name), _THREADS, arguments, d.device)
    triangle = cp.tril(whole, -1) + cp.eye(n, dtype=wide)
    if not lower:
        triangle, d, order = triangle[::-1, ::-1], d[::-1, ::-1], n - 1 - order[::-1]
    outer = cp.empty_like(triangle)
    outer[order] = triangle
    return outer.astype(matrix.dtype), cp.ascontiguousarray(d).astype(matrix.dtype), order

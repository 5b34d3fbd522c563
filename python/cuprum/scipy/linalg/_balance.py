"""Balancing: similar matrices whose rows and columns have similar lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ..._errors import names_itself
from .._kernels import launch_block, texts
from ._arguments import as_floats
from ._stacks import over_stacks

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["matrix_balance"]

_kernel = texts(__file__)
_THREADS = 128


@over_stacks(A=2)
@names_itself
def matrix_balance(
    A: ArrayLike,
    permute: bool = True,
    scale: bool = True,
    separate: bool = False,
    overwrite_a: bool = False,
) -> Any:
    """Make the rows and columns of a matrix similarly long, by a permutation and powers of two.

    Parameters
    ----------
    A : (N, N) array_like
        The matrix.
    permute : bool, optional
        Whether to move rows and columns that isolate an eigenvalue to the ends.
    scale : bool, optional
        Whether to scale.
    separate : bool, optional
        Return scales and permutation instead of their matrix.
    overwrite_a : bool, optional
        Taken for compatibility; `A` is not overwritten.

    Returns
    -------
    B : (N, N) ndarray
        The balanced matrix.
    T : (N, N) ndarray, or tuple of ndarray
        The matrix with ``B == inv(T) @ A @ T``; or the scales, and the order of rows before them.

    Examples
    --------
    >>> import cuprum.scipy.linalg
    >>> a = cp.array([[1.0, 1024.0], [0.0009765625, 1.0]])
    >>> b, t = cuprum.scipy.linalg.matrix_balance(a)
    >>> cp.allclose(cp.linalg.inv(t) @ a @ t, b)
    True
    """
    matrix = as_floats("matrix_balance", cp.atleast_2d(cp.asarray(A)), True)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"matrix_balance: The data matrix for balancing should be square, got {matrix.shape}"
        )
    n, is_complex = matrix.shape[0], matrix.dtype.kind == "c"
    wide = np.dtype(np.complex128 if is_complex else np.float64)
    balanced = cp.array(matrix, dtype=wide, order="C", copy=True)
    scales, order = cp.ones(n, np.float64), cp.arange(n)
    if n:
        name = f"balance<{'Complex' if is_complex else 'double'}>"
        parts = (balanced.view(np.float64) if is_complex else balanced, scales, order)
        flags = (np.bool_(permute), np.bool_(scale))
        launch_block(_kernel("balance", name), _THREADS, (*parts, np.int32(n), *flags), scales.device)
    balanced = balanced.astype(matrix.dtype)
    if separate:
        return balanced, (scales, order)
    turned = cp.zeros((n, n), np.float64)
    turned[order, cp.arange(n)] = scales
    return balanced, turned

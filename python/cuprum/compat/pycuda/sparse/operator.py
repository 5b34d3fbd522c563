"""Operators that are no matrices: `IdentityOperator`, `DiagonalPreconditioner`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..gpuarray import GPUArray

__all__ = ["DiagonalPreconditioner", "IdentityOperator", "OperatorBase"]


class OperatorBase:
    """What has a `dtype` and a `shape`, and is called with a vector."""

    dtype: np.dtype[Any]
    shape: tuple[int, int]

    def __call__(self, operand: GPUArray) -> GPUArray:
        """Return the product with a vector."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its product with a vector is")


class IdentityOperator(OperatorBase):
    """The operator that changes nothing.

    Parameters
    ----------
    dtype : dtype
        The vectors' dtype.
    n : int
        Their length.

    Examples
    --------
    >>> from cuprum.compat.pycuda.sparse.operator import IdentityOperator
    >>> IdentityOperator(np.float64, 3).shape
    (3, 3)
    """

    def __init__(self, dtype: Any, n: int) -> None:
        self.dtype, self.shape = np.dtype(dtype), (n, n)

    def __call__(self, operand: GPUArray) -> GPUArray:
        return operand


class DiagonalPreconditioner(OperatorBase):
    """The product with a diagonal matrix.

    Parameters
    ----------
    diagonal : GPUArray
        The diagonal: that of the matrix, inverted, to solve with it sooner.

    Examples
    --------
    >>> from cuprum.compat.pycuda import gpuarray
    >>> from cuprum.compat.pycuda.sparse.operator import DiagonalPreconditioner
    >>> precon = DiagonalPreconditioner(gpuarray.to_gpu(np.array([1.0, 0.5])))
    >>> precon(gpuarray.to_gpu(np.array([3.0, 4.0]))).get()
    array([3., 2.])
    """

    def __init__(self, diagonal: GPUArray) -> None:
        self.diagonal = diagonal
        self.dtype, self.shape = diagonal.dtype, (diagonal.shape[0], diagonal.shape[0])

    def __call__(self, operand: GPUArray) -> GPUArray:
        return self.diagonal * operand

"""`CoordinateSpMV`: the product of a sparse matrix and a vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....scipy import sparse
from ..gpuarray import GPUArray
from .operator import OperatorBase

__all__ = ["CoordinateSpMV"]


class CoordinateSpMV(OperatorBase):
    """The product with a sparse matrix of SciPy's.

    Parameters
    ----------
    mat : scipy.sparse matrix
        The matrix.
    dtype : dtype
        What its values become.

    Examples
    --------
    >>> import scipy.sparse
    >>> from cuprum.compat.pycuda import gpuarray
    >>> from cuprum.compat.pycuda.sparse.coordinate import CoordinateSpMV
    >>> spmv = CoordinateSpMV(scipy.sparse.csr_matrix(np.array([[1.0, 2.0], [0.0, 3.0]])), np.float64)
    >>> spmv(gpuarray.to_gpu(np.array([1.0, 10.0]))).get()
    array([21., 30.])
    """

    def __init__(self, mat: Any, dtype: Any) -> None:
        self.dtype, self.shape = np.dtype(dtype), mat.shape
        self._matrix = sparse.csr_matrix(mat.tocsr().astype(self.dtype))

    def __call__(self, x: GPUArray, y: GPUArray | None = None) -> GPUArray:
        """Return the product with `x`; with `y`, that added to `y` in place.

        Parameters
        ----------
        x : GPUArray
            A vector of the matrix's dtype.
        y : GPUArray, optional
            What the product is added to.

        Returns
        -------
        GPUArray
            The product, or `y`.
        """
        if x.dtype != self.dtype or x.shape != (self.shape[1],):
            raise ValueError(
                f"the matrix is {self.dtype} with {self.shape[1]} columns, the vector {x.dtype} of shape "
                f"{x.shape}"
            )
        product = self._matrix @ x._array
        if y is None:
            return x._from(product)
        y += x._from(product)
        return y

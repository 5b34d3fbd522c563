"""`PacketedSpMV`: the product of a sparse matrix and a vector in an order of the operator's own."""

from __future__ import annotations

from typing import Any

from ..gpuarray import GPUArray
from .coordinate import CoordinateSpMV

__all__ = ["PacketedSpMV"]


class PacketedSpMV(CoordinateSpMV):
    """The product with a square sparse matrix of SciPy's.

    The order of its vectors is the matrix's own: `permute` and `unpermute` copy.

    Parameters
    ----------
    mat : scipy.sparse matrix
        The matrix.
    is_symmetric : bool
        Whether it is symmetric.
    dtype : dtype
        What its values become.

    Examples
    --------
    >>> import scipy.sparse
    >>> from cuprum.compat.pycuda import gpuarray
    >>> from cuprum.compat.pycuda.sparse.packeted import PacketedSpMV
    >>> spmv = PacketedSpMV(scipy.sparse.eye(3).tocsr() * 2, True, np.float32)
    >>> x = gpuarray.to_gpu(np.arange(3, dtype=np.float32))
    >>> spmv.unpermute(spmv(spmv.permute(x))).get()
    array([0., 2., 4.], dtype=float32)
    """

    def __init__(self, mat: Any, is_symmetric: bool, dtype: Any) -> None:
        if mat.shape[0] != mat.shape[1]:
            raise ValueError(f"PacketedSpMV: the matrix must be square, got shape {mat.shape}")
        super().__init__(mat, dtype)

    def permute(self, x: GPUArray) -> GPUArray:
        """Return a vector in the operator's order."""
        return x.copy()

    def unpermute(self, x: GPUArray) -> GPUArray:
        """Return a vector of the operator's in the matrix's order."""
        return x.copy()

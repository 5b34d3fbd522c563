"""The transposed matrix, as Numba's kernel of that name gives it."""

from __future__ import annotations

from typing import Any

from .._arrays import DeviceNDArray, to_device
from .._interfaces import as_cuda_array, is_cuda_array

__all__ = ["transpose"]


def transpose(a: Any, b: Any = None) -> DeviceNDArray:
    """Return a matrix transposed, in memory of its own.

    Parameters
    ----------
    a : array
        The matrix, of the device or the host.
    b : DeviceNDArray, optional
        Takes the result.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba.cuda.kernels.transpose import transpose
    >>> transpose(np.arange(4.0).reshape(2, 2)).copy_to_host()
    array([[0., 2.],
           [1., 3.]])
    """
    array = as_cuda_array(a) if is_cuda_array(a) else to_device(a)
    turned = array.transpose()
    if b is None:
        return turned.copy()
    b.copy_to_device(turned)
    return b  # type: ignore[no-any-return]

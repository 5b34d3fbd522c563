"""An array's elements as a NumPy array, without a copy where they are in the host's memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import ndarray

__all__ = ["host_view"]


def host_view(a: ndarray) -> NDArray[Any]:
    """Return the elements as a NumPy array: over the same memory on the CPU, a copy of a GPU's.

    Work that is pending on the array runs. bfloat16, which NumPy does not have, is given as uint16.

    Parameters
    ----------
    a : ndarray
        The array.

    Returns
    -------
    numpy.ndarray
        Not writeable where `a` is not.

    Examples
    --------
    >>> a = cp.zeros(3, device="cpu")
    >>> cp.dask.host_view(a)[1] = 7
    >>> a
    array([0., 7., 0.])
    """
    bits = a.view(np.uint16) if a.dtype.name == "bfloat16" else a
    if a.device == "cpu":
        try:
            return np.asarray(memoryview(bits))  # type: ignore[arg-type]
        except BufferError:
            # Under a GPU's rules (`cuda.strict`) buffers are closed; DLPack is not.
            return np.from_dlpack(bits)
    return bits.get()

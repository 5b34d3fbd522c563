"""`cupy._core._dtype`: dtypes by NumPy's names, and by the numbers that CUDA's libraries have for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuprum import make_aligned_dtype

__all__ = ["get_dtype", "make_aligned_dtype", "to_cuda_dtype"]

_NUMBERS = {"f": 0, "d": 1, "e": 2, "b": 3, "F": 4, "D": 5, "E": 6, "B": 8, "i": 10, "I": 12}


def get_dtype(t: Any) -> np.dtype[Any]:
    """Return the dtype that an object names."""
    found: np.dtype[Any] = np.dtype(t)
    return found


def to_cuda_dtype(dtype: Any, is_half_allowed: bool = False) -> int:
    """Return the number of CUDA's `cudaDataType` for a dtype.

    Examples
    --------
    >>> from cuprum.compat.cupy._core._dtype import to_cuda_dtype
    >>> to_cuda_dtype("float64")
    1
    """
    char = np.dtype(dtype).char
    if char not in _NUMBERS or (char == "e" and not is_half_allowed):
        raise TypeError(f"dtype is not supported: {np.dtype(dtype)}")
    return _NUMBERS[char]

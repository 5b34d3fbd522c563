"""Arrays on the device, under the name of Numba's module."""

from __future__ import annotations

from typing import Any

from .._arrays import DeviceNDArray, is_cuda_array

__all__ = ["DeviceNDArray", "DeviceNDArrayBase", "is_cuda_ndarray"]

DeviceNDArrayBase = DeviceNDArray


def is_cuda_ndarray(obj: Any) -> bool:
    """Return whether an object is an array on the device."""
    return is_cuda_array(obj)

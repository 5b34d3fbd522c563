"""Arrays on the device, under the name of Numba's module."""

from __future__ import annotations

from typing import Any

from .._arrays import DeviceNDArray, DeviceRecord, auto_device, from_record_like
from .._interfaces import is_cuda_array

__all__ = [
    "DeviceNDArray",
    "DeviceNDArrayBase",
    "DeviceRecord",
    "auto_device",
    "from_array_like",
    "from_record_like",
    "is_cuda_ndarray",
    "is_contiguous",
    "verify_cuda_ndarray_interface",
]

DeviceNDArrayBase = DeviceNDArray


def is_cuda_ndarray(obj: Any) -> bool:
    """Return whether an object is an array on the device."""
    return is_cuda_array(obj)


def verify_cuda_ndarray_interface(obj: Any) -> None:
    """Raise where an object is no array on the device."""
    if not is_cuda_array(obj):
        raise TypeError(f"{type(obj).__name__} is no array on the device")


def is_contiguous(ary: Any) -> bool:
    """Return whether the elements of an array, axes that repeat them aside, lie together in memory."""
    step = ary.dtype.itemsize
    for size, stride in reversed(list(zip(ary.shape, ary.strides, strict=True))):
        if size > 1 and stride != 0:
            if stride != step:
                return False
            step *= size
    return True


def from_array_like(ary: Any, stream: Any = 0, gpu_data: Any = None) -> DeviceNDArray:
    """Make an array on the device with the shape, strides and dtype of another."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream, gpu_data)

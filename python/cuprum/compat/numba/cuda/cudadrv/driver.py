"""Memory by its address, under the names of Numba's driver module."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from cuprum import cuda

from .._devices import Context, Device
from .._ipc import IpcHandle
from .._memory import (
    AutoFreePointer,
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    MappedMemory,
    MemoryInfo,
    MemoryPointer,
    NumbaCUDAMemoryManager,
    OwnedPointer,
    PinnedMemory,
    set_memory_manager,
)
from .._streams import Event, Stream

__all__ = [
    "USE_NV_BINDING",
    "AutoFreePointer",
    "BaseCUDAMemoryManager",
    "Context",
    "CudaAPIError",
    "Device",
    "Event",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "IpcHandle",
    "LinkerError",
    "MappedMemory",
    "MemoryInfo",
    "MemoryPointer",
    "NumbaCUDAMemoryManager",
    "OwnedPointer",
    "PinnedMemory",
    "Stream",
    "device_ctypes_pointer",
    "device_extents",
    "device_memory_size",
    "device_memset",
    "device_pointer",
    "device_to_device",
    "device_to_host",
    "get_devptr_for_active_ctx",
    "host_memory_extents",
    "host_memory_size",
    "host_pointer",
    "host_to_device",
    "is_device_memory",
    "set_memory_manager",
]

CudaAPIError = LinkerError = RuntimeError
USE_NV_BINDING = False
_memory_manager: type[BaseCUDAMemoryManager] | None = None
"""The class that `set_memory_manager` has named."""


def is_device_memory(obj: Any) -> bool:
    """Return whether an object is memory or an array of the device."""
    return hasattr(obj, "device_ctypes_pointer") or hasattr(obj, "__cuda_array_interface__")


def device_pointer(obj: Any) -> int:
    """Return the address of memory, or of an array's first element."""
    if isinstance(obj, int):
        return obj
    if hasattr(obj, "device_ctypes_pointer"):
        return int(obj.device_ctypes_pointer.value or 0)
    return host_pointer(obj)


def device_ctypes_pointer(obj: Any) -> ctypes.c_void_p:
    """Return the address of memory as ctypes has it."""
    return ctypes.c_void_p(device_pointer(obj))


def device_memory_size(devmem: Any) -> int:
    """Return the bytes of memory, or of an array."""
    size = getattr(devmem, "_cuda_memsize_", None)
    if size is None:
        size = getattr(devmem, "alloc_size", None)
    return int(devmem.nbytes if size is None else size)


def device_extents(devmem: Any) -> tuple[int, int]:
    """Return where memory begins and ends."""
    start = device_pointer(devmem)
    return start, start + device_memory_size(devmem)


def host_pointer(obj: Any, readonly: bool = False) -> int:
    """Return the address of memory of the host: an array, a ctypes object, or a number."""
    if isinstance(obj, int):
        return obj
    if isinstance(obj, ctypes._SimpleCData | ctypes.Structure | ctypes.Array):
        return ctypes.addressof(obj)
    return int(np.asarray(obj).__array_interface__["data"][0])


def host_memory_extents(obj: Any) -> tuple[int, int]:
    """Return where memory of the host begins and ends."""
    if isinstance(obj, np.ndarray):
        low, high = np.lib.array_utils.byte_bounds(obj)
        return int(low), int(high)
    start = host_pointer(obj)
    return start, start + ctypes.sizeof(obj)


def host_memory_size(obj: Any) -> int:
    """Return the bytes of memory of the host."""
    start, end = host_memory_extents(obj)
    return end - start


def _copy(dst: int, src: int, size: int, kind: int, stream: Any) -> None:
    if size < 0:
        raise ValueError(f"Invalid size: {size}")
    if stream:
        cuda.runtime.memcpyAsync(dst, src, size, kind, int(stream))
    else:
        cuda.runtime.memcpy(dst, src, size, kind)


def host_to_device(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes of the host to the device."""
    _copy(device_pointer(dst), host_pointer(src), size, cuda.runtime.memcpyHostToDevice, stream)


def device_to_host(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes of the device to the host."""
    _copy(host_pointer(dst), device_pointer(src), size, cuda.runtime.memcpyDeviceToHost, stream)


def device_to_device(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copy bytes on the device."""
    _copy(device_pointer(dst), device_pointer(src), size, cuda.runtime.memcpyDeviceToDevice, stream)


def device_memset(dst: Any, val: int, size: int, stream: Any = 0) -> None:
    """Set bytes on the device."""
    if stream:
        cuda.runtime.memsetAsync(device_pointer(dst), val, size, int(stream))
    else:
        cuda.runtime.memset(device_pointer(dst), val, size)


def get_devptr_for_active_ctx(ptr: int) -> ctypes.c_void_p:
    """Return an address as kernels of the current device have it."""
    return ctypes.c_void_p(int(ptr))

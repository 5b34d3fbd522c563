"""Allocators that are made of functions of the user's, in Python or in C, and the memory that they give."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from . import runtime
from ._blocks import BaseMemory, MemoryPointer

__all__ = [
    "CFunctionAllocator",
    "CFunctionAllocatorMemory",
    "PythonFunctionAllocator",
    "PythonFunctionAllocatorMemory",
]

_C_MALLOC = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_C_FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


class PythonFunctionAllocatorMemory(BaseMemory):
    """Memory that one function got, and that another lets go of when the object goes.

    Parameters
    ----------
    size : int
        The bytes.
    malloc_func : callable
        Takes the bytes and the device's number, and returns an address.
    free_func : callable
        Takes the address and the device's number.
    device_id : int, optional
        The device's number; the current one's by default.

    Examples
    --------
    >>> gone = []
    >>> memory = cp.cuda.memory.PythonFunctionAllocatorMemory(
    ...     64, lambda size, device: 4096, lambda ptr, device: gone.append(ptr)
    ... )
    >>> memory.ptr, memory.size
    (4096, 64)
    >>> del memory
    >>> gone
    [4096]
    """

    def __init__(
        self,
        size: int,
        malloc_func: Callable[[int, int], int],
        free_func: Callable[[int, int], Any],
        device_id: int = -1,
    ) -> None:
        self.device_id = runtime.getDevice() if device_id < 0 else int(device_id)
        self.size = int(size)
        self.ptr = int(malloc_func(self.size, self.device_id)) if size else 0
        self._free = free_func

    def __del__(self) -> None:
        if getattr(self, "ptr", 0):
            self._free(self.ptr, self.device_id)


class PythonFunctionAllocator:
    """An allocator made of two functions: one gets memory, the other lets it go.

    Parameters
    ----------
    malloc_func : callable
        Takes the bytes and the device's number, and returns an address.
    free_func : callable
        Takes the address and the device's number.

    Examples
    --------
    >>> def get(size, device, runtime=cp.cuda.runtime):
    ...     return runtime.malloc(size)
    >>> def let_go(ptr, device, runtime=cp.cuda.runtime):
    ...     runtime.free(ptr)
    >>> allocator = cp.cuda.PythonFunctionAllocator(get, let_go)
    >>> with cp.cuda.using_allocator(allocator.malloc):
    ...     a = cp.arange(3)
    >>> a
    array([0, 1, 2])
    """

    def __init__(self, malloc_func: Callable[[int, int], int], free_func: Callable[[int, int], Any]) -> None:
        self._malloc, self._free = malloc_func, free_func

    def malloc(self, size: int) -> MemoryPointer:
        """Return memory that `free_func` lets go of when nobody uses it any more."""
        return MemoryPointer(PythonFunctionAllocatorMemory(size, self._malloc, self._free), 0)


class CFunctionAllocatorMemory(PythonFunctionAllocatorMemory):
    """Memory that one function of C got, and that another lets go of when the object goes.

    Parameters
    ----------
    size : int
        The bytes.
    param : int
        The first argument of both functions, an address.
    malloc_func : int
        The address of a `void *(*)(void *param, size_t size, int device_id)`.
    free_func : int
        The address of a `void (*)(void *param, void *ptr, int device_id)`.
    device_id : int, optional
        The device's number; the current one's by default.

    Examples
    --------
    >>> import ctypes
    >>> get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
    ...     lambda param, size, device: 4096
    ... )
    >>> let_go = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(lambda *_: None)
    >>> address = lambda function: ctypes.cast(function, ctypes.c_void_p).value
    >>> cp.cuda.memory.CFunctionAllocatorMemory(64, 0, address(get), address(let_go)).ptr
    4096
    """

    def __init__(self, size: int, param: int, malloc_func: int, free_func: int, device_id: int = -1) -> None:
        get, let_go = _C_MALLOC(malloc_func), _C_FREE(free_func)
        self._owner: Any = None

        def malloc(size: int, device: int) -> int:
            address = get(param, size, device)
            if not address:
                raise MemoryError(f"CFunctionAllocator: the function gave nothing for {size} bytes")
            return int(address)

        super().__init__(size, malloc, lambda ptr, device: let_go(param, ptr, device), device_id)


class CFunctionAllocator:
    """An allocator made of two functions of C, by their addresses: one gets memory, the other lets it go.

    Parameters
    ----------
    param : int
        The first argument of both functions, an address.
    malloc_func : int
        The address of a `void *(*)(void *param, size_t size, int device_id)`.
    free_func : int
        The address of a `void (*)(void *param, void *ptr, int device_id)`.
    owner : object
        Kept alive as long as the allocator: what the functions lie in.

    Examples
    --------
    >>> import ctypes
    >>> get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
    ...     lambda param, size, device, runtime=cp.cuda.runtime: runtime.malloc(size)
    ... )
    >>> let_go = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ...     lambda param, ptr, device, runtime=cp.cuda.runtime: runtime.free(ptr)
    ... )
    >>> address = lambda function: ctypes.cast(function, ctypes.c_void_p).value
    >>> allocator = cp.cuda.CFunctionAllocator(0, address(get), address(let_go), (get, let_go))
    >>> with cp.cuda.using_allocator(allocator.malloc):
    ...     a = cp.arange(3)
    >>> a
    array([0, 1, 2])
    """

    def __init__(self, param: int, malloc_func: int, free_func: int, owner: Any) -> None:
        self._param, self._malloc, self._free = int(param), int(malloc_func), int(free_func)
        self._owner = owner

    def malloc(self, size: int) -> MemoryPointer:
        """Return memory that the function of C lets go of when nobody uses it any more."""
        memory = CFunctionAllocatorMemory(size, self._param, self._malloc, self._free)
        memory._owner = self._owner
        return MemoryPointer(memory, 0)

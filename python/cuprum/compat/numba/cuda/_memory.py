"""Memory under Numba's names: pointers, memory of the host, and the managers that programs may plug in.

Without a plug-in memory comes from Cuprum's pool. `set_memory_manager` names a class, such as that of RAPIDS'
memory manager, and arrays are made in what its `memalloc` returns.
"""

from __future__ import annotations

import abc
import contextlib
import ctypes
import importlib
import weakref
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import cuprum
from cuprum import cuda

from . import config

__all__ = [
    "AutoFreePointer",
    "BaseCUDAMemoryManager",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "MappedMemory",
    "MemoryInfo",
    "MemoryPointer",
    "NumbaCUDAMemoryManager",
    "OwnedPointer",
    "PinnedMemory",
    "set_memory_manager",
]

_INTERFACE_VERSION = 1

MemoryInfo = namedtuple("MemoryInfo", ["free", "total"])


class MemoryPointer:
    """An address of memory on the device.

    Parameters
    ----------
    context : Context
        The context that the memory belongs to.
    pointer : ctypes.c_void_p or int
        The address.
    size : int
        The bytes.
    owner : object, optional
        Kept alive as long as the pointer is.
    finalizer : callable, optional
        Called once, when the pointer is freed or nobody has it any more.
    """

    __cuda_memory__ = True
    is_managed = False

    def __init__(
        self,
        context: Any,
        pointer: Any,
        size: int,
        owner: Any = None,
        finalizer: Callable[[], Any] | None = None,
    ) -> None:
        self.context = context
        self.device_pointer = pointer
        self.size = self._cuda_memsize_ = size
        self._held = owner
        self._finalizer = None if finalizer is None else weakref.finalize(self, finalizer)

    @property
    def owner(self) -> Any:
        """What keeps the memory alive."""
        return self if self._held is None else self._held

    @property
    def ptr(self) -> int:
        """The address as a number."""
        value = getattr(self.device_pointer, "value", self.device_pointer)
        return 0 if value is None else int(value)

    device_pointer_value = ptr

    @property
    def device_ctypes_pointer(self) -> ctypes.c_void_p:
        """The address as ctypes has it."""
        return ctypes.c_void_p(self.ptr)

    def own(self) -> OwnedPointer:
        """Return a pointer that keeps this one alive."""
        return OwnedPointer(self)

    def free(self) -> None:
        """Give the memory back now."""
        if self._finalizer is not None and not self._finalizer.alive:
            raise RuntimeError("Freeing dead pointer")
        if self._finalizer is not None:
            self._finalizer()

    def memset(self, byte: int, count: int | None = None, stream: Any = 0) -> None:
        """Set bytes."""
        self.array(self.size if count is None else count)[...] = byte

    def view(self, start: int, stop: int | None = None) -> MemoryPointer:
        """Return a part of the memory, by the places of its bytes."""
        size = (self.size if stop is None else stop) - start
        if start < 0 or size < 0 or start + size > self.size:
            raise RuntimeError("size cannot be negative" if size < 0 else "the view is not within the memory")
        return MemoryPointer(self.context, ctypes.c_void_p(self.ptr + start), size, self)

    def block(self) -> Any:
        """Return the memory as Cuprum's arrays take it."""
        return cuda.MemoryPointer(cuda.UnownedMemory(self.ptr, max(self.size, 1), self), 0)

    def array(self, count: int) -> Any:
        """Return the first bytes as an array."""
        return cuprum.ndarray((count,), "uint8", self.block())

    def __int__(self) -> int:
        return self.ptr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemoryPointer) and (self.ptr, self.size) == (other.ptr, other.size)

    def __hash__(self) -> int:
        return hash((self.ptr, self.size))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.size} bytes at {self.ptr:#x}>"


class AutoFreePointer(MemoryPointer):
    """A pointer that frees its memory when nobody has it any more, as all do here."""


class OwnedPointer(MemoryPointer):
    """A pointer that keeps another one alive."""

    def __init__(self, memptr: MemoryPointer, view: MemoryPointer | None = None) -> None:
        shown = memptr if view is None else view
        super().__init__(memptr.context, shown.device_pointer, shown.size, memptr)


class _HostMemory:
    """Memory of the host that a device can reach; it is a buffer of bytes."""

    _memory: Any

    @property
    def ptr(self) -> int:
        """The address."""
        return int(self._memory.ptr)

    host_pointer = device_pointer_value = ptr

    @property
    def size(self) -> int:
        """The bytes."""
        return len(self)  # type: ignore[arg-type]

    @property
    def device_pointer(self) -> ctypes.c_void_p:
        """The address as kernels have it."""
        return ctypes.c_void_p(self.ptr)

    device_ctypes_pointer = device_pointer

    def own(self) -> Any:
        """Return the memory: it lives as long as somebody has it."""
        return self


class PinnedMemory(_HostMemory):
    """Memory of the host that stays in its place."""


class MappedMemory(_HostMemory):
    """Memory of the host that kernels use without copies."""


class ManagedMemory(_HostMemory):
    """Memory that the host and the device share."""

    is_managed = True


def _host_memory(kind: type[_HostMemory], memory: Any, size: int) -> Any:
    """Return memory of the host as a buffer: a ctypes array, which has the protocol."""
    made: Any = type(kind.__name__, (kind, ctypes.c_char * max(size, 1)), {})
    found = made.from_address(memory.ptr)
    found._memory = memory
    return found


class PendingDeallocations:
    """Memory that waits to be given back. Cuprum's pool takes memory at once, so that nothing waits."""

    def __init__(self) -> None:
        self._disabled = 0

    def clear(self) -> None:
        """Give the pool's free blocks back to the driver, unless that is put off."""
        if not self._disabled:
            cuda.get_default_memory_pool().free_all_blocks()

    @contextlib.contextmanager
    def disable(self) -> Iterator[None]:
        """Put off giving memory back to the driver within a block."""
        self._disabled += 1
        try:
            yield
        finally:
            self._disabled -= 1

    @property
    def is_disabled(self) -> bool:
        """Whether giving memory back is put off."""
        return self._disabled > 0

    def __len__(self) -> int:
        return 0


class BaseCUDAMemoryManager(metaclass=abc.ABCMeta):
    """What a memory manager must have.

    Parameters
    ----------
    context : Context
        The context whose memory it manages.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    @abc.abstractmethod
    def memalloc(self, size: int) -> MemoryPointer:
        """Return memory of the device."""

    @abc.abstractmethod
    def memhostalloc(self, size: int, mapped: bool, portable: bool, wc: bool) -> Any:
        """Return pinned memory of the host."""

    @abc.abstractmethod
    def mempin(self, owner: Any, pointer: int, size: int, mapped: bool) -> Any:
        """Pin memory of the host."""

    @abc.abstractmethod
    def initialize(self) -> None:
        """Make ready, before the first allocation."""

    @abc.abstractmethod
    def get_ipc_handle(self, memory: MemoryPointer) -> Any:
        """Return a handle by which other processes open memory."""

    @abc.abstractmethod
    def get_memory_info(self) -> Any:
        """Return the free and the total memory."""

    @abc.abstractmethod
    def reset(self) -> None:
        """Give back all memory."""

    @abc.abstractmethod
    def defer_cleanup(self) -> Any:
        """Return a context manager within which nothing is given back."""

    @property
    @abc.abstractmethod
    def interface_version(self) -> int:
        """The version of this interface: 1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """A manager that has memory of the host; plug-ins add that of the device."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allocations: Any = {}
        self.deallocations = PendingDeallocations()

    def memhostalloc(self, size: int, mapped: bool = False, portable: bool = False, wc: bool = False) -> Any:
        """Return pinned memory of the host."""
        kind = MappedMemory if mapped else PinnedMemory
        return _host_memory(kind, cuda.alloc_pinned_memory(size), size)

    def mempin(self, owner: Any, pointer: int, size: int, mapped: bool = False) -> Any:
        """Pin memory of the host for as long as the result lives."""
        address = int(getattr(pointer, "value", pointer))
        cuda.runtime.hostRegister(address, size, 0)
        made = _host_memory(MappedMemory if mapped else PinnedMemory, _Registered(address, owner), size)
        weakref.finalize(made._memory, cuda.runtime.hostUnregister, address)
        return made

    def memallocmanaged(self, size: int, attach_global: bool = True) -> Any:
        """Return memory that the host and the device share."""
        return _host_memory(ManagedMemory, cuda.malloc_managed(size), size)

    def initialize(self) -> None:
        """Make ready, before the first allocation."""

    def reset(self) -> None:
        """Give back memory that nobody uses."""
        self.deallocations.clear()

    @contextlib.contextmanager
    def defer_cleanup(self) -> Iterator[None]:
        """Put off giving memory back within a block."""
        with self.deallocations.disable():
            yield


class _Registered:
    """Memory of the host that was pinned where it is."""

    def __init__(self, ptr: int, owner: Any) -> None:
        self.ptr = ptr
        self._owner = owner


class GetIpcHandleMixin:
    """Gives a manager handles of memory for other processes, by the driver."""

    def get_ipc_handle(self, memory: Any) -> Any:
        """Return a handle by which other processes open memory."""
        from ._ipc import handle_of

        return handle_of(memory)


class NumbaCUDAMemoryManager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    """The manager without a plug-in: memory comes from Cuprum's pool."""

    def memalloc(self, size: int) -> MemoryPointer:
        """Return memory of the device."""
        block = cuda.alloc(size)
        return AutoFreePointer(self.context, ctypes.c_void_p(block.ptr), size, block)

    def get_memory_info(self) -> Any:
        """Return the free and the total memory."""
        return MemoryInfo(*self.context.device._own.mem_info)

    @property
    def interface_version(self) -> int:
        """The version of the interface."""
        return _INTERFACE_VERSION


def _driver() -> Any:
    """Return the module that keeps the class of managers: programs reset it there."""
    return importlib.import_module(f"{__package__}.cudadrv.driver")


def set_memory_manager(mm_plugin: type[BaseCUDAMemoryManager] | None) -> None:
    """Say which class manages memory, for contexts that have not been used yet.

    Parameters
    ----------
    mm_plugin : class or None
        A class with the methods of `BaseCUDAMemoryManager`; None for Cuprum's pool.

    Raises
    ------
    RuntimeError
        Where the class is made for another version of the interface.
    """
    if mm_plugin is not None:
        version = mm_plugin(context=None).interface_version
        if version != _INTERFACE_VERSION:
            raise RuntimeError(
                f"EMM Plugin interface has version {version} - version {_INTERFACE_VERSION} required"
            )
    _driver()._memory_manager = mm_plugin


def manager_for(context: Any) -> BaseCUDAMemoryManager:
    """Return the manager of a new context."""
    driver = _driver()
    if driver._memory_manager is None and config.CUDA_MEMORY_MANAGER != "default":
        module = importlib.import_module(config.CUDA_MEMORY_MANAGER)
        set_memory_manager(module._numba_memory_manager)
    made: BaseCUDAMemoryManager = (driver._memory_manager or NumbaCUDAMemoryManager)(context=context)
    made.initialize()
    return made


def block_of(memory: Any) -> Any:
    """Return memory, Numba's or Cuprum's, as Cuprum's arrays take it."""
    return memory.block() if isinstance(memory, MemoryPointer) else memory


def allocated(manager: BaseCUDAMemoryManager, size: int) -> Any:
    """Return memory for an array, as Cuprum's arrays take it."""
    if type(manager) is NumbaCUDAMemoryManager:
        return cuprum.empty(max(size, 1), "uint8").data
    return block_of(manager.memalloc(size))

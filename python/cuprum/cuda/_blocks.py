"""Pieces of the device's memory, pointers into them, and the error of having none left."""

from __future__ import annotations

import ctypes
import weakref
from operator import index
from typing import Any, SupportsIndex

from .. import _core
from . import _gpu, _transfers, runtime

__all__ = [
    "BaseMemory",
    "ManagedMemory",
    "Memory",
    "MemoryAsync",
    "MemoryPointer",
    "OutOfMemoryError",
    "PooledMemory",
    "SystemMemory",
    "UnownedMemory",
]

system_pool = _core.Pool(False)
"""Memory straight from the system or the driver: nothing is kept for reuse."""

shared_pool = _core.Pool.pinned(False)
"""Memory of the host that the device can read and write too."""

managed_pool = _core.Pool.managed(False)
"""Memory that host and device share, and that moves to where it is used."""


class OutOfMemoryError(MemoryError):
    """Memory that could not be had: how much was asked for, how much is in use, how much is allowed.

    Parameters
    ----------
    size : int
        The bytes asked for.
    total : int
        The bytes in use.
    limit : int, optional
        The bytes allowed; 0 where no limit is known.
    op : str, optional
        The function that asked.
    """

    def __init__(self, size: int, total: int, limit: int = 0, op: str = "") -> None:
        self.size, self.used, self.limit, self.op = size, total, limit, op
        asker = f"{op}: " if op else ""
        allowed = f", {limit:,} bytes allowed" if limit else ""
        super().__init__(f"{asker}out of memory: {size:,} bytes asked for, {total:,} bytes in use{allowed}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (OutOfMemoryError, (self.size, self.used, self.limit, self.op))

    def _named(self, op: str) -> OutOfMemoryError:
        """Return the same error of a function."""
        return OutOfMemoryError(self.size, self.used, self.limit, op)


class BaseMemory:
    """A piece of the device's memory.

    Attributes
    ----------
    ptr : int
        The address.
    size : int
        The bytes.
    device_id : int
        The device's number.

    Examples
    --------
    >>> memory = cp.cuda.alloc(100).mem
    >>> isinstance(memory, cp.cuda.BaseMemory), memory.size
    (True, 100)
    """

    ptr: int = 0
    size: int = 0
    device_id: int = 0

    @property
    def device(self) -> Any:
        """The device that the memory is on."""
        from .device import Device

        return Device(self.device_id)

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr:#x}, {self.size} bytes>"


class _OwnedMemory(BaseMemory):
    """Memory that lives as long as the object."""

    def __init__(self, block: Any) -> None:
        self._block = block
        self.ptr, self.size = block.address, block.nbytes
        self.device_id = runtime.getDevice()


class Memory(_OwnedMemory):
    """Memory straight from the system, given back to it when the object goes.

    Parameters
    ----------
    size : int
        The bytes.

    Examples
    --------
    >>> cp.cuda.Memory(64).size
    64
    """

    def __init__(self, size: int) -> None:
        super().__init__(system_pool.allocate(size))


class ManagedMemory(Memory):
    """Memory that host and device share, and that moves to where it is used: on the CPU, any memory.

    Parameters
    ----------
    size : int
        The bytes.

    Examples
    --------
    >>> memory = cp.cuda.ManagedMemory(64)
    >>> memory.prefetch(cp.cuda.Stream.null)
    >>> memory.size
    64
    """

    def __init__(self, size: int) -> None:
        _OwnedMemory.__init__(self, managed_pool.allocate(size))

    def prefetch(self, stream: Any, *, device_id: Any = None) -> None:
        """Move the memory to a device, by default its own, ahead of its use; -1 is the host."""
        place = self.device_id if device_id is None else int(getattr(device_id, "id", device_id))
        runtime.memPrefetchAsync(self.ptr, self.size, place, int(stream.ptr))

    def advise(self, advise: int, dev: Any) -> None:
        """Say how the memory will be used, by CUDA's numbers.

        Examples
        --------
        >>> memory = cp.cuda.ManagedMemory(4096)
        >>> memory.advise(cp.cuda.runtime.cudaMemAdviseSetReadMostly, cp.cuda.Device())
        """
        runtime.memAdvise(self.ptr, self.size, int(advise), int(getattr(dev, "id", dev)))


class MemoryAsync(_OwnedMemory):
    """Memory of CUDA's current pool, in the order of a stream; it goes after the work that used it last.

    Parameters
    ----------
    size : int
        The bytes.
    stream : Stream
        The stream that it comes in the order of.

    Examples
    --------
    >>> cp.cuda.MemoryAsync(64, cp.cuda.Stream.null).size
    64
    """

    stream_ref: Any = None
    """A weak reference to the stream that it came in the order of."""

    def __init__(self, size: int, stream: Any) -> None:
        gpu = _core.current_gpu()
        before = None if gpu is None else _core.set_current_stream(gpu, int(stream.ptr))
        try:
            super().__init__(_core.Pool.ordered().allocate(size))
        finally:
            if gpu is not None:
                _core.set_current_stream(gpu, before)
        self.stream_ref = weakref.ref(stream)


class SystemMemory(Memory):
    """Memory of the system's own, which the device can read and write.

    Parameters
    ----------
    size : int
        The bytes.

    Examples
    --------
    >>> cp.cuda.memory.SystemMemory(64).size
    64
    """

    def __init__(self, size: int) -> None:
        _OwnedMemory.__init__(self, shared_pool.allocate(size))


class PooledMemory(_OwnedMemory):
    """Memory from a pool, given back to it when the object goes.

    Examples
    --------
    >>> isinstance(cp.cuda.MemoryPool().malloc(8).mem, cp.cuda.PooledMemory)
    True
    """

    def free(self) -> None:
        """Give the memory back to the pool now, or once no pointer and no array uses it; twice is once.

        Examples
        --------
        >>> pool = cp.cuda.MemoryPool()
        >>> memory = pool.malloc(2**20).mem
        >>> memory.free()
        >>> pool.used_bytes()
        0
        """
        self._block = None
        self.ptr = self.size = 0


class UnownedMemory(BaseMemory):
    """Memory of somebody else's, at an address.

    Parameters
    ----------
    ptr : int
        The address.
    size : int
        The bytes.
    owner : object
        Kept alive as long as the memory is used.
    device_id : int, optional
        The device's number; the current one by default.

    Examples
    --------
    >>> a = cp.arange(3.0)
    >>> memory = cp.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)
    >>> cp.ndarray(3, "float64", cp.cuda.MemoryPointer(memory, 0))
    array([0., 1., 2.])
    """

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        _gpu.check_memory(ptr, size)
        self.ptr, self.size = int(ptr), int(size)
        self._owner = owner
        self.device_id = runtime.getDevice() if device_id < 0 else device_id


class MemoryPointer:
    """An address inside a piece of memory, which it keeps alive.

    Adding and subtracting integers moves it by bytes.

    Parameters
    ----------
    mem : BaseMemory
        The memory.
    offset : int
        The bytes from its beginning.

    Examples
    --------
    >>> a = cp.arange(4, dtype="int8")
    >>> pointer = a.data + 1
    >>> pointer.memset(7, 2)
    >>> a
    array([0, 7, 7, 3], dtype=int8)
    """

    __slots__ = ("_block", "mem", "ptr")

    def __init__(self, mem: BaseMemory, offset: int) -> None:
        self.mem = mem
        # The memory itself, too: `PooledMemory.free` takes it from `mem` alone.
        self._block = getattr(mem, "_block", None)
        self.ptr = mem.ptr + int(offset)

    @property
    def device(self) -> Any:
        """The device that the memory is on."""
        return self.mem.device

    @property
    def device_id(self) -> int:
        """The number of the device that the memory is on."""
        return self.mem.device_id

    def _check(self, size: SupportsIndex) -> int:
        """Return a number of bytes, which may be NumPy's, as an int; raise unless the memory has so many."""
        size = index(size)
        if size < 0 or self.ptr < self.mem.ptr or self.ptr + size > self.mem.ptr + self.mem.size:
            room = self.mem.ptr + self.mem.size - self.ptr
            raise ValueError(f"MemoryPointer: {size} bytes do not fit: {room} bytes are left")
        return size

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Copy bytes from another place on the device.

        Examples
        --------
        >>> a, b = cp.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from_device(a.data, a.nbytes)
        >>> b
        array([0, 1, 2])
        """
        size = self._check(size)
        src._check(size)
        _gpu.copy(self.ptr, src.ptr, size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Any = None) -> None:
        """Copy bytes from another place on the device, in a stream's order.

        Examples
        --------
        >>> a, b = cp.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from_device_async(a.data, a.nbytes)
        >>> b
        array([0, 1, 2])
        """
        size = self._check(size)
        src._check(size)
        _gpu.copy(self.ptr, src.ptr, size, _handle(stream))

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Copy bytes from an address of the host's.

        Examples
        --------
        >>> host, b = np.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from_host(host.ctypes.data, host.nbytes)
        >>> b
        array([0, 1, 2])
        """
        size = self._check(size)
        _gpu.copy(self.ptr, _address(mem), size)
        _transfers.count(True, size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """Copy bytes from an address of the host's, in a stream's order.

        Examples
        --------
        >>> host, b = np.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from_host_async(host.ctypes.data, host.nbytes)
        >>> b
        array([0, 1, 2])
        """
        size = self._check(size)
        _gpu.copy(self.ptr, _address(mem), size, _handle(stream))
        _transfers.count(True, size)

    def copy_from(self, mem: Any, size: int) -> None:
        """Copy bytes from a place on the device or from an address of the host's.

        Examples
        --------
        >>> a, b = cp.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from(a.data, a.nbytes)
        >>> b
        array([0, 1, 2])
        """
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """Copy bytes from the device or from the host, in a stream's order.

        Examples
        --------
        >>> a, b = cp.arange(3), cp.zeros(3, dtype=int)
        >>> b.data.copy_from_async(a.data, a.nbytes)
        >>> b
        array([0, 1, 2])
        """
        if isinstance(mem, MemoryPointer):
            self.copy_from_device_async(mem, size, stream)
        else:
            self.copy_from_host_async(mem, size, stream)

    def copy_to_host(self, mem: Any, size: int) -> None:
        """Copy bytes to an address of the host's.

        Examples
        --------
        >>> a, host = cp.arange(3), np.zeros(3, dtype=int)
        >>> a.data.copy_to_host(host.ctypes.data, host.nbytes)
        >>> host
        array([0, 1, 2])
        """
        size = self._check(size)
        _gpu.copy(_address(mem), self.ptr, size)
        _transfers.count(False, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """Copy bytes to an address of the host's, in a stream's order.

        Examples
        --------
        >>> a, host = cp.arange(3), np.zeros(3, dtype=int)
        >>> a.data.copy_to_host_async(host.ctypes.data, host.nbytes)
        >>> cp.cuda.get_current_stream().synchronize()
        >>> host
        array([0, 1, 2])
        """
        size = self._check(size)
        _gpu.copy(_address(mem), self.ptr, size, _handle(stream))
        _transfers.count(False, size)

    def memset(self, value: int, size: int) -> None:
        """Set bytes to a value."""
        size = self._check(size)
        _gpu.fill(self.ptr, value, size)

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        """Set bytes to a value, in a stream's order.

        Examples
        --------
        >>> a = cp.ones(2, dtype=cp.int8)
        >>> a.data.memset_async(5, 2)
        >>> a
        array([5, 5], dtype=int8)
        """
        size = self._check(size)
        _gpu.fill(self.ptr, value, size, _handle(stream))

    def __add__(self, bytes_: SupportsIndex) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + index(bytes_))

    __radd__ = __add__

    def __sub__(self, bytes_: SupportsIndex) -> MemoryPointer:
        return self + -index(bytes_)

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<MemoryPointer {self.ptr:#x}>"


def _handle(stream: Any) -> int:
    """Return a stream's handle; the current stream's where none is given."""
    from .stream import get_current_stream

    return int((get_current_stream() if stream is None else stream).ptr)


def _address(mem: Any) -> int:
    """Return the address of a pointer of ctypes, of an array of the host's, or of a number."""
    if isinstance(mem, ctypes.c_void_p):
        return mem.value or 0
    if hasattr(mem, "ctypes"):
        return int(mem.ctypes.data)
    return int(getattr(mem, "ptr", mem))

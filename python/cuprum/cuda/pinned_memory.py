"""Memory of the host that a GPU copies from and to by itself; without one, ordinary memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from ._blocks import shared_pool

__all__ = [
    "PinnedMemory",
    "PinnedMemoryPointer",
    "PinnedMemoryPool",
    "PooledPinnedMemory",
    "alloc_pinned_memory",
    "get_default_pinned_memory_pool",
    "is_memory_pinned",
    "set_pinned_memory_allocator",
]


class PinnedMemory:
    """A piece of the host's memory, given back when the object goes.

    Parameters
    ----------
    size : int
        The bytes.
    flags : int, optional
        CUDA's flags: without effect, the memory is usable by every GPU.

    Examples
    --------
    >>> cp.cuda.PinnedMemory(64).size
    64
    """

    _block: Any
    ptr: int
    size: int

    def __init__(self, size: int, flags: int = 0) -> None:
        self._block = shared_pool.allocate(size)
        self.ptr, self.size = self._block.address, self._block.nbytes

    @classmethod
    def _over(cls, block: Any) -> PinnedMemory:
        made = cls.__new__(cls)
        made._block = block
        made.ptr, made.size = block.address, block.nbytes
        return made

    def __int__(self) -> int:
        return int(self.ptr)


class PooledPinnedMemory(PinnedMemory):
    """Memory of the host from a pool, given back to it when the object goes.

    Examples
    --------
    >>> memory = cp.cuda.PinnedMemoryPool().malloc(8).mem
    >>> isinstance(memory, cp.cuda.pinned_memory.PooledPinnedMemory)
    True
    """

    def free(self) -> None:
        """Give the memory back to the pool now, or once no pointer and no buffer uses it; twice is once.

        Examples
        --------
        >>> pool = cp.cuda.PinnedMemoryPool()
        >>> memory = pool.malloc(2**20).mem
        >>> memory.free()
        >>> pool.n_free_blocks()
        1
        """
        self._block = None
        self.ptr = self.size = 0


@_core.inherit_buffer
class PinnedMemoryPointer(_core.MemoryBlock):
    """An address inside a piece of the host's memory; NumPy reads and writes it as a buffer of bytes.

    Parameters
    ----------
    mem : PinnedMemory
        The memory.
    offset : int
        The bytes from its beginning.

    Examples
    --------
    >>> memory = cp.cuda.alloc_pinned_memory(32)
    >>> host = np.frombuffer(memory, dtype="float64", count=4)
    >>> host[:] = 1.5
    >>> cp.asarray(host).sum()
    array(6.)
    """

    mem: PinnedMemory | None = None

    def __new__(cls, mem: PinnedMemory, offset: int = 0) -> PinnedMemoryPointer:
        made = super().__new__(cls, mem._block, offset)
        made.mem = mem
        return made

    @property
    def ptr(self) -> int:
        """The address."""
        return int(self.address)

    def size(self) -> int:
        """Return the bytes from here to the end of the memory.

        Examples
        --------
        >>> cp.cuda.alloc_pinned_memory(100).size() >= 100
        True
        """
        return int(self.nbytes)

    def __int__(self) -> int:
        return self.ptr

    def __add__(self, bytes_: int) -> PinnedMemoryPointer:
        assert self.mem is not None
        return PinnedMemoryPointer(self.mem, self.ptr - self.mem.ptr + bytes_)

    __radd__ = __add__

    def __sub__(self, bytes_: int) -> PinnedMemoryPointer:
        return self + -bytes_

    def __repr__(self) -> str:
        return f"<PinnedMemoryPointer {self.ptr:#x}>"


class PinnedMemoryPool:
    """Memory of the host that is kept for reuse.

    Parameters
    ----------
    allocator : callable, optional
        Where the pool gets its memory: always the system or the driver.

    Examples
    --------
    >>> pool = cp.cuda.PinnedMemoryPool()
    >>> memory = pool.malloc(2**20)
    >>> del memory
    >>> pool.n_free_blocks()
    1
    """

    def __init__(self, allocator: Callable[[int], Any] | None = None) -> None:
        self._pool = _core.Pool.pinned()

    def malloc(self, size: int) -> PinnedMemoryPointer:
        """Return uninitialised memory."""
        if size == 0:
            return PinnedMemoryPointer(PinnedMemory(0), 0)
        return PinnedMemoryPointer(PooledPinnedMemory._over(self._pool.allocate(size)), 0)

    def n_free_blocks(self) -> int:
        """Return the number of blocks that are kept for reuse."""
        return int(self._pool.free_blocks())

    def free_all_blocks(self) -> None:
        """Give the memory that is kept for reuse back to the system.

        Examples
        --------
        >>> pool = cp.cuda.PinnedMemoryPool()
        >>> pool.free_all_blocks()
        >>> pool.n_free_blocks()
        0
        """
        self._pool.free_all()


_default_pool = PinnedMemoryPool()
_allocator: Callable[[int], Any] = _default_pool.malloc


def _system_malloc(size: int) -> PinnedMemoryPointer:
    return PinnedMemoryPointer(PinnedMemory(size), 0)


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    """Return the pool that `alloc_pinned_memory` takes from.

    Returns
    -------
    PinnedMemoryPool

    Examples
    --------
    >>> cp.get_default_pinned_memory_pool().free_all_blocks()
    """
    return _default_pool


def alloc_pinned_memory(size: int) -> Any:
    """Return memory of the host that a GPU copies from and to by itself.

    Parameters
    ----------
    size : int
        The bytes.

    Returns
    -------
    PinnedMemoryPointer
        Its buffer can be read and written by NumPy.

    Examples
    --------
    >>> memory = cp.cuda.alloc_pinned_memory(24)
    >>> host = np.frombuffer(memory, np.int64, 3)
    >>> host[...] = 7
    >>> cp.asarray(host)
    array([7, 7, 7])
    """
    return _allocator(size)


def set_pinned_memory_allocator(allocator: Callable[[int], Any] | None = None) -> None:
    """Set where `alloc_pinned_memory` takes from.

    Parameters
    ----------
    allocator : callable, optional
        A pool's `malloc`; None takes memory from the system, without a pool.

    Examples
    --------
    >>> cp.cuda.set_pinned_memory_allocator(cp.get_default_pinned_memory_pool().malloc)
    """
    global _allocator
    _allocator = _system_malloc if allocator is None else allocator


def is_memory_pinned(data: int) -> bool:
    """Return whether an address is one of page-locked memory of the host's.

    Examples
    --------
    >>> pinned = cp.cuda.alloc_pinned_memory(64)
    >>> cp.cuda.pinned_memory.is_memory_pinned(pinned.ptr) == cp.cuda.is_available()
    True
    """
    from . import runtime

    return runtime.pointerGetAttributes(data).type == runtime.memoryTypeHost

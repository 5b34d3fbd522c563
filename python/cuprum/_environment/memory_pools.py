"""Where arrays live: the pools that their memory comes from, and whether a GPU is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .. import cuda

__all__ = ["get_default_memory_pool", "get_default_pinned_memory_pool", "is_available"]


def get_default_memory_pool() -> cuda.MemoryPool:
    """Return the pool that arrays come from unless another allocator is set.

    Returns
    -------
    cuprum.cuda.MemoryPool

    Examples
    --------
    >>> pool = cp.get_default_memory_pool()
    >>> a = cp.zeros(2**20)
    >>> pool.used_bytes() >= a.nbytes
    True
    """
    from ..cuda import memory

    return memory.get_default_memory_pool()


def get_default_pinned_memory_pool() -> cuda.PinnedMemoryPool:
    """Return the pool that `cuda.alloc_pinned_memory` takes from.

    Returns
    -------
    cuprum.cuda.PinnedMemoryPool

    Examples
    --------
    >>> cp.get_default_pinned_memory_pool().free_all_blocks()
    """
    from ..cuda import pinned_memory

    return pinned_memory.get_default_pinned_memory_pool()


def is_available() -> bool:
    """Return whether a CUDA GPU is there. Without one everything runs on the CPU.

    Returns
    -------
    bool

    Examples
    --------
    >>> cp.is_available() == cp.info()["device"].startswith("cuda")
    True
    """
    from ..cuda import runtime

    return runtime.is_available()

"""Memory of the device: pools with limits, and who allocates it."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .. import _core
from . import runtime
from ._blocks import (
    BaseMemory,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryPointer,
    OutOfMemoryError,
    PooledMemory,
    SystemMemory,
    UnownedMemory,
    managed_pool,
    system_pool,
)
from ._function_memory import (
    CFunctionAllocator,
    CFunctionAllocatorMemory,
    PythonFunctionAllocator,
    PythonFunctionAllocatorMemory,
)
from .runtime import CUDARuntimeError

__all__ = [
    "BaseMemory",
    "CFunctionAllocator",
    "CFunctionAllocatorMemory",
    "CUDARuntimeError",
    "ManagedMemory",
    "Memory",
    "MemoryAsync",
    "MemoryAsyncPool",
    "MemoryPointer",
    "MemoryPool",
    "OutOfMemoryError",
    "PooledMemory",
    "PythonFunctionAllocator",
    "PythonFunctionAllocatorMemory",
    "SystemMemory",
    "UnownedMemory",
    "alloc",
    "get_allocator",
    "get_default_memory_pool",
    "malloc_async",
    "malloc_managed",
    "malloc_system",
    "set_allocator",
    "using_allocator",
]


def _pointer_to(block: Any, offset: int) -> MemoryPointer:
    """Return what `ndarray.data` is: a pointer into the memory that an array's elements lie in."""
    return MemoryPointer(PooledMemory(block), offset)


class MemoryPool:
    """Memory that is kept for reuse, counted, and limited.

    The counts are those of work that has run: asking for one runs what is pending first.

    Parameters
    ----------
    allocator : callable, optional
        Where the pool gets its memory, from bytes to a `MemoryPointer`: by default the system or the driver.
        `malloc_managed` makes it a pool of memory that host and device share.

    Examples
    --------
    >>> pool = cp.cuda.MemoryPool()
    >>> with cp.cuda.using_allocator(pool.malloc):
    ...     a = cp.zeros(1_000_000)
    >>> pool.used_bytes() >= a.nbytes
    True
    >>> pool.set_limit(size=2**24)
    >>> pool.get_limit()
    16777216
    """

    def __init__(self, allocator: Callable[[int], MemoryPointer] | None = None) -> None:
        if allocator is None:
            self._pool = _core.Pool()
        elif allocator is malloc_managed:
            self._pool = _core.Pool.managed()
        elif callable(allocator):
            self._pool = _core.Pool.over(allocator)
        else:
            raise TypeError(f"an allocator must be callable, got {type(allocator).__name__}")

    @classmethod
    def _over(cls, pool: Any) -> MemoryPool:
        made = cls.__new__(cls)
        made._pool = pool
        return made

    def malloc(self, size: int) -> MemoryPointer:
        """Return uninitialised memory.

        Examples
        --------
        >>> pool = cp.cuda.MemoryPool()
        >>> memory = pool.malloc(1000)
        >>> pool.used_bytes() >= 1000
        True
        """
        if size == 0:
            return MemoryPointer(Memory(0), 0)
        return MemoryPointer(PooledMemory(self._pool.allocate(size)), 0)

    def used_bytes(self) -> int:
        """Return the bytes in use."""
        _settle()
        return int(self._pool.used())

    def free_bytes(self) -> int:
        """Return the bytes that are kept for reuse.

        Examples
        --------
        >>> cp.cuda.MemoryPool().free_bytes()
        0
        """
        _settle()
        return int(self._pool.free_bytes())

    def total_bytes(self) -> int:
        """Return the bytes in use and kept for reuse together.

        Examples
        --------
        >>> pool = cp.cuda.MemoryPool()
        >>> memory = pool.malloc(1000)
        >>> pool.total_bytes() >= 1000
        True
        """
        return self.used_bytes() + int(self._pool.free_bytes())

    def n_free_blocks(self) -> int:
        """Return the number of blocks that are kept for reuse.

        Examples
        --------
        >>> cp.cuda.MemoryPool().n_free_blocks()
        0
        """
        _settle()
        return int(self._pool.free_blocks())

    def free_all_blocks(self, stream: Any = None) -> None:
        """Give the memory that is kept for reuse back to the system.

        Examples
        --------
        >>> pool = cp.cuda.MemoryPool()
        >>> pool.free_all_blocks()
        >>> pool.n_free_blocks()
        0
        """
        _settle()
        self._pool.free_all()

    def free_all_free(self) -> None:
        """Give the memory that is kept for reuse back to the system: an older name of `free_all_blocks`.

        Examples
        --------
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     cp.cuda.MemoryPool().free_all_free()
        """
        warnings.warn(
            "free_all_free is deprecated: use free_all_blocks instead", DeprecationWarning, stacklevel=2
        )
        self.free_all_blocks()

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Limit the bytes in use, or the fraction of the machine's memory; 0 or nothing lifts the limit.

        The limit holds for all arrays of the pool. A request beyond it raises `OutOfMemoryError`, after the
        blocks kept for reuse have been given back.
        """
        if size is not None and fraction is not None:
            raise ValueError("set_limit: give size or fraction, not both")
        if fraction is not None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"set_limit: fraction must lie in [0, 1], got {fraction}")
            size = int(fraction * runtime.memGetInfo()[1])
        if size is not None and size < 0:
            raise ValueError(f"set_limit: size must not be negative, got {size}")
        _settle()
        self._pool.set_limit(int(size) if size else None)

    def get_limit(self) -> int:
        """Return the limit in bytes, 0 where there is none."""
        return int(self._pool.limit() or 0)


def _settle() -> None:
    """Run what is pending, so that counts are those that a program without deferral would see."""
    try:
        _core.settle_memory()
    except MemoryError:
        # The array that could not be made raises when it is read; counts can still be asked for.
        return


_default_pool = MemoryPool._over(_core.Pool.default())
_allocator: Callable[[int], Any] = _default_pool.malloc
_thread = threading.local()


def get_default_memory_pool() -> MemoryPool:
    """Return the pool that arrays come from unless another allocator is set.

    Returns
    -------
    MemoryPool

    Examples
    --------
    >>> pool = cp.get_default_memory_pool()
    >>> before = pool.used_bytes()
    >>> a = cp.ones(2**20)
    >>> pool.used_bytes() - before
    8388608
    """
    return _default_pool


def _core_allocator(allocator: Callable[[int], Any] | None) -> Any:
    """Return what the core takes for an allocator: one of its pools, or a function."""
    if allocator is None:
        return system_pool
    owner = getattr(allocator, "__self__", None)
    if isinstance(owner, MemoryPool) and getattr(allocator, "__func__", None) is MemoryPool.malloc:
        return owner._pool
    if allocator is malloc_managed:
        return managed_pool
    if allocator is malloc_async:
        return _core.Pool.ordered()
    if not callable(allocator):
        raise TypeError(f"an allocator must be callable, got {type(allocator).__name__}")
    return allocator


def set_allocator(allocator: Callable[[int], Any] | None = None) -> None:
    """Set where the memory of new arrays comes from, in the whole process.

    Parameters
    ----------
    allocator : callable, optional
        A pool's `malloc`, or any function that takes bytes and returns a `MemoryPointer`. None takes memory
        from the system, without a pool.

    Examples
    --------
    >>> pool = cp.cuda.MemoryPool()
    >>> cp.cuda.set_allocator(pool.malloc)
    >>> cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
    """
    global _allocator
    if getattr(_thread, "stack", None):
        raise ValueError("set_allocator: the allocator cannot be changed inside using_allocator")
    core = _core_allocator(allocator)
    _settle()
    _core.set_allocator(core)
    _allocator = _system_malloc if allocator is None else allocator


@contextmanager
def using_allocator(allocator: Callable[[int], Any] | None = None) -> Iterator[None]:
    """Set where the memory of new arrays comes from, in this thread, inside a `with` block.

    What is pending runs before the block and at its end, so that its arrays get their memory inside.

    Parameters
    ----------
    allocator : callable, optional
        As in `set_allocator`.

    Examples
    --------
    >>> pool = cp.cuda.MemoryPool()
    >>> with cp.cuda.using_allocator(pool.malloc):
    ...     a = cp.ones(100_000)
    >>> pool.used_bytes() >= 800_000
    True
    """
    core = _core_allocator(allocator)
    stack = _thread.__dict__.setdefault("stack", [])
    _settle()
    stack.append((_system_malloc if allocator is None else allocator, core))
    _core.set_thread_allocator(core)
    try:
        yield
        _core.run_pending()
    finally:
        stack.pop()
        _core.set_thread_allocator(stack[-1][1] if stack else None)


def get_allocator() -> Callable[[int], Any]:
    """Return where the memory of new arrays comes from.

    Returns
    -------
    callable

    Examples
    --------
    >>> cp.cuda.get_allocator() == cp.get_default_memory_pool().malloc
    True
    """
    stack = getattr(_thread, "stack", None)
    return stack[-1][0] if stack else _allocator


def alloc(size: int) -> Any:
    """Return memory from the current allocator.

    Parameters
    ----------
    size : int
        The bytes.

    Returns
    -------
    MemoryPointer

    Examples
    --------
    >>> cp.cuda.alloc(256).mem.size
    256
    """
    return get_allocator()(size)


def _system_malloc(size: int) -> MemoryPointer:
    return MemoryPointer(Memory(size), 0)


def malloc_managed(size: int) -> MemoryPointer:
    """Return memory that host and device share, and that moves to where it is used: on the CPU, any memory.

    Parameters
    ----------
    size : int
        The bytes.

    Returns
    -------
    MemoryPointer

    Examples
    --------
    >>> cp.cuda.malloc_managed(256).mem.size
    256
    """
    return MemoryPointer(ManagedMemory(size), 0)


def malloc_async(size: int) -> MemoryPointer:
    """Return memory of CUDA's current pool, which comes and goes in the current stream's order.

    Without a GPU it is the default pool's.

    Parameters
    ----------
    size : int
        The bytes.

    Returns
    -------
    MemoryPointer

    Examples
    --------
    >>> cp.cuda.malloc_async(256).mem.size
    256
    """
    from .stream import get_current_stream

    return MemoryPointer(MemoryAsync(size, get_current_stream()), 0)


def malloc_system(size: int) -> MemoryPointer:
    """Return memory of the system's own allocator.

    Parameters
    ----------
    size : int
        The bytes.

    Returns
    -------
    MemoryPointer

    Examples
    --------
    >>> cp.cuda.memory.malloc_system(256).mem.size
    256
    """
    return MemoryPointer(SystemMemory(size), 0)


class MemoryAsyncPool(MemoryPool):
    """A pool of memory from CUDA's own pools, which comes and goes in the order of streams.

    Without a GPU it is a pool like others.

    Parameters
    ----------
    pool_handles : str, int or sequence of int, optional
        CUDA's pools, one a device: "current", "default", or handles of `runtime.memPoolCreate`.

    Examples
    --------
    >>> pool = cp.cuda.MemoryAsyncPool()
    >>> with cp.cuda.using_allocator(pool.malloc):
    ...     a = cp.ones(1_000_000)
    >>> pool.used_bytes() >= a.nbytes
    True
    """

    memoryAsyncHasStat = True
    """Whether CUDA counts what its pools hold."""

    def __init__(self, pool_handles: Any = "current") -> None:
        self._pool = _core.Pool.ordered(_pool_handle(pool_handles))


def _pool_handle(wish: Any) -> int | None:
    """Return the handle of CUDA's pool for the current device, None for the current pool."""
    if isinstance(wish, str):
        if wish not in ("current", "default"):
            raise ValueError(
                f"MemoryAsyncPool: pool_handles must be current, default or handles, got {wish!r}"
            )
        return None if wish == "current" else runtime.deviceGetDefaultMemPool(runtime.getDevice())
    if isinstance(wish, int):
        return wish
    handles = list(wish)
    if len(handles) != runtime.getDeviceCount():
        count = runtime.getDeviceCount()
        raise ValueError(
            f"MemoryAsyncPool: expected a handle for each of {count} devices, got {len(handles)}"
        )
    return int(handles[runtime.getDevice()])

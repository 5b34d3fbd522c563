"""Devices, streams, events, graphs and memory pools, as CuPy has them; without a GPU the CPU stands in.

Programs written for a GPU run and can be tested on the CPU: it is device 0 then, work recorded under a stream
runs when the stream is left, events time it, pools count and limit memory, transfers are counted.
`is_available` stays honest: it is False there.
"""

from __future__ import annotations

from . import (
    compiler,
    device,
    function,
    graph,
    memory,
    memory_hook,
    memory_hooks,
    nvtx,
    pinned_memory,
    profiler,
    runtime,
    stream,
    texture,
)
from ._checking import check, launch_settings
from ._faults import (
    DeadlockError,
    KernelAssertionError,
    KernelError,
    KernelLaunchError,
    KernelMemoryError,
    KernelTimeoutError,
    RaceError,
    UninitializedError,
)
from ._libraries import get_cuda_path, get_local_runtime_version, get_nvcc_path
from ._transfers import Transfers, count_transfers, transfers
from .compiler import compile_with_cache
from .device import Device, get_compute_capability, get_cublas_handle, get_device_id
from .function import Function, Module
from .graph import Graph
from .memory import (
    BaseMemory,
    CFunctionAllocator,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryAsyncPool,
    MemoryPointer,
    MemoryPool,
    OutOfMemoryError,
    PooledMemory,
    PythonFunctionAllocator,
    UnownedMemory,
    alloc,
    get_allocator,
    get_default_memory_pool,
    malloc_async,
    malloc_managed,
    set_allocator,
    using_allocator,
)
from .memory_hook import MemoryHook
from .pinned_memory import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
    get_default_pinned_memory_pool,
    set_pinned_memory_allocator,
)
from .profiler import profile
from .runtime import is_available
from .stream import Event, ExternalStream, Stream, get_current_stream, get_elapsed_time

_SUBMODULES = (
    "compiler",
    "device",
    "driver",
    "function",
    "graph",
    "memory",
    "memory_hook",
    "memory_hooks",
    "nvtx",
    "pinned_memory",
    "profiler",
    "runtime",
    "stream",
    "texture",
)

__all__ = [
    "BaseMemory",
    "CFunctionAllocator",
    "DeadlockError",
    "Device",
    "Event",
    "ExternalStream",
    "Function",
    "Graph",
    "KernelAssertionError",
    "KernelError",
    "KernelLaunchError",
    "KernelMemoryError",
    "KernelTimeoutError",
    "ManagedMemory",
    "Memory",
    "MemoryAsync",
    "MemoryAsyncPool",
    "MemoryHook",
    "MemoryPointer",
    "MemoryPool",
    "Module",
    "OutOfMemoryError",
    "PinnedMemory",
    "PinnedMemoryPointer",
    "PinnedMemoryPool",
    "PooledMemory",
    "PythonFunctionAllocator",
    "RaceError",
    "Stream",
    "Transfers",
    "UninitializedError",
    "UnownedMemory",
    "alloc",
    "alloc_pinned_memory",
    "check",
    "compile_with_cache",
    "compiler",
    "count_transfers",
    "device",
    "driver",
    "function",
    "get_allocator",
    "get_compute_capability",
    "get_cublas_handle",
    "get_cuda_path",
    "get_current_stream",
    "get_default_memory_pool",
    "get_default_pinned_memory_pool",
    "get_device_id",
    "get_elapsed_time",
    "get_local_runtime_version",
    "get_nvcc_path",
    "graph",
    "is_available",
    "launch_settings",
    "malloc_async",
    "malloc_managed",
    "memory",
    "memory_hook",
    "memory_hooks",
    "nvtx",
    "pinned_memory",
    "profile",
    "profiler",
    "runtime",
    "set_allocator",
    "set_pinned_memory_allocator",
    "stream",
    "texture",
    "transfers",
    "using_allocator",
]

"""The module that `from numba import cuda` gives: kernels in Python, and Numba's host interface around them.

Kernels run on the GPU, and on the CPU where there is none: `is_available` is true on both.
"""

from __future__ import annotations

import importlib.util as _importing

from cuprum.jit._device_vectors import HINTS as _HINTS
from cuprum.jit._device_vectors import VECTORS as _VECTORS
from cuprum.jit._names import NUMBA_NAMES as _NAMES
from cuprum.jit._signatures import NAMES as _TYPES

from . import bf16, config, core, cudadrv, libdevice, random, types
from ._arguments import In, InOut, Out
from ._arrays import DeviceNDArray, device_array, device_array_like, to_device
from ._devices import (
    close,
    cuda_error,
    current_context,
    defer_cleanup,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_bfloat16_supported,
    is_float16_supported,
    is_supported_version,
    list_devices,
    profile_start,
    profile_stop,
    profiling,
    require_context,
    runtime,
    select_device,
    synchronize,
)
from ._dispatcher import Dispatcher, jit
from ._host_arrays import (
    managed_array,
    mapped,
    mapped_array,
    mapped_array_like,
    pinned,
    pinned_array,
    pinned_array_like,
)
from ._interfaces import as_cuda_array, from_cuda_array_interface, is_cuda_array
from ._ipc import IpcHandle, open_ipc_array
from ._linking import CUSource, declare_device
from ._memory import (
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    MappedMemory,
    MemoryInfo,
    MemoryPointer,
    PinnedMemory,
    set_memory_manager,
)
from ._ptx import (
    compile,
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from ._reduce import Reduce, reduce
from ._streams import (
    Event,
    Stream,
    default_stream,
    event,
    event_elapsed_time,
    external_stream,
    legacy_default_stream,
    per_thread_default_stream,
    stream,
)
from ._vectorize import cuda_guvectorize as guvectorize
from ._vectorize import cuda_vectorize as vectorize
from .cudadrv import devicearray

HAS_NUMBA = _importing.find_spec("llvmlite") is not None
"""Whether the rest of Numba is there, too."""

globals().update(_VECTORS)
globals().update(_HINTS)
globals().update(_NAMES)
globals().update(_TYPES)

__all__ = [
    "BaseCUDAMemoryManager",
    "GetIpcHandleMixin",
    "HAS_NUMBA",
    "HostOnlyCUDAMemoryManager",
    "MappedMemory",
    "MemoryInfo",
    "MemoryPointer",
    "PinnedMemory",
    "set_memory_manager",
    "IpcHandle",
    "open_ipc_array",
    "CUSource",
    "DeviceNDArray",
    "Dispatcher",
    "Event",
    "In",
    "InOut",
    "Out",
    "Reduce",
    "Stream",
    "as_cuda_array",
    "bf16",
    "close",
    "compile",
    "compile_all",
    "compile_for_current_device",
    "compile_ptx",
    "compile_ptx_for_current_device",
    "config",
    "cuda_error",
    "core",
    "cudadrv",
    "current_context",
    "declare_device",
    "default_stream",
    "defer_cleanup",
    "detect",
    "device_array",
    "devicearray",
    "device_array_like",
    "event",
    "event_elapsed_time",
    "external_stream",
    "from_cuda_array_interface",
    "get_current_device",
    "gpus",
    "guvectorize",
    "is_available",
    "is_cuda_array",
    "is_bfloat16_supported",
    "is_float16_supported",
    "is_supported_version",
    "jit",
    "legacy_default_stream",
    "libdevice",
    "list_devices",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "per_thread_default_stream",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "profile_start",
    "profile_stop",
    "profiling",
    "random",
    "reduce",
    "require_context",
    "runtime",
    "select_device",
    "stream",
    "synchronize",
    "to_device",
    "types",
    "vectorize",
]
__all__ += sorted({*_NAMES, *_TYPES, *_VECTORS, *_HINTS})

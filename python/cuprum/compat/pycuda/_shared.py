"""Memory of several processes and several devices: handles, and copies between devices."""

from __future__ import annotations

import enum
from typing import Any

from cuprum import cuda

from ._device import Context
from ._errors import LogicError, translated
from ._memory import memcpy_dtod, memcpy_dtod_async
from ._streams import Stream

__all__ = [
    "IPCMemoryHandle",
    "graphics_register_flags",
    "initialize_profiler",
    "ipc_mem_flags",
    "jit_fallback",
    "jit_option",
    "jit_target",
    "mem_get_ipc_handle",
    "memcpy_peer",
    "memcpy_peer_async",
    "pointer_attribute",
    "profiler_output_mode",
]


class ipc_mem_flags(enum.IntFlag):  # noqa: N801
    """How another process's memory is opened."""

    LAZY_ENABLE_PEER_ACCESS = 1


class graphics_register_flags(enum.IntFlag):  # noqa: N801
    """How buffers of a graphics library are registered."""

    NONE = 0
    READ_ONLY = 1
    WRITE_DISCARD = 2
    SURFACE_LDST = 4
    TEXTURE_GATHER = 8


class jit_option(enum.IntEnum):  # noqa: N801
    """Options of the compiler of PTX."""

    MAX_REGISTERS = 0
    THREADS_PER_BLOCK = 1
    WALL_TIME = 2
    INFO_LOG_BUFFER = 3
    INFO_LOG_BUFFER_SIZE_BYTES = 4
    ERROR_LOG_BUFFER = 5
    ERROR_LOG_BUFFER_SIZE_BYTES = 6
    OPTIMIZATION_LEVEL = 7
    TARGET_FROM_CUCONTEXT = 8
    TARGET = 9
    FALLBACK_STRATEGY = 10


class jit_target(enum.IntEnum):  # noqa: N801
    """What PTX is compiled for."""

    COMPUTE_50 = 50
    COMPUTE_60 = 60
    COMPUTE_70 = 70
    COMPUTE_80 = 80
    COMPUTE_90 = 90


class jit_fallback(enum.IntEnum):  # noqa: N801
    """What is preferred where both PTX and binaries are there."""

    PREFER_PTX = 0
    PREFER_BINARY = 1


class pointer_attribute(enum.IntEnum):  # noqa: N801
    """What the driver knows of an address."""

    CONTEXT = 1
    MEMORY_TYPE = 2
    DEVICE_POINTER = 3
    HOST_POINTER = 4


class profiler_output_mode(enum.IntEnum):  # noqa: N801
    """How the old profiler wrote its output."""

    KEY_VALUE_PAIR = 0
    CSV = 1


def initialize_profiler(config_file: str, output_file: str, output_mode: profiler_output_mode) -> None:
    """Refuse: CUDA has given up its built-in profiler."""
    raise LogicError(
        "cuProfilerInitialize failed: not supported: CUDA 12 has no built-in profiler; run the program under "
        "nsys, with start_profiler and stop_profiler"
    )


def mem_get_ipc_handle(devptr: Any) -> bytes:
    """Return a handle by which another process opens memory, the beginning of a block of the driver's."""
    with translated("cuIpcGetMemHandle"):
        return cuda.runtime.ipcGetMemHandle(int(devptr))


class IPCMemoryHandle:
    """Memory of another process, opened by its handle until it is closed; as a number it is its address."""

    def __init__(self, handle: bytes, flags: int = ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS) -> None:
        with translated("cuIpcOpenMemHandle"):
            self._address: int | None = cuda.runtime.ipcOpenMemHandle(bytes(handle), int(flags))

    def close(self) -> None:
        """Let go of the memory."""
        if self._address is None:
            raise LogicError("IPCMemoryHandle.close: the handle is closed already")
        with translated("cuIpcCloseMemHandle"):
            cuda.runtime.ipcCloseMemHandle(self._address)
        self._address = None

    def __int__(self) -> int:
        if self._address is None:
            raise LogicError("the handle is closed")
        return self._address

    __index__ = __int__


def memcpy_peer(
    dest: Any,
    src: Any,
    size: int,
    dest_context: Context | None = None,
    src_context: Context | None = None,
) -> None:
    """Copy bytes of a device to another, or on one: addresses say where they are."""
    memcpy_dtod(dest, src, size)


def memcpy_peer_async(
    dest: Any,
    src: Any,
    size: int,
    dest_context: Context | None = None,
    src_context: Context | None = None,
    stream: Stream | None = None,
) -> None:
    """Copy bytes of a device to another in a stream."""
    memcpy_dtod_async(dest, src, size, stream)

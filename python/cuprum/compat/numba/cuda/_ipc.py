"""Arrays that processes share, by handles: the driver has them for memory of a GPU, not for the CPU's."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

from cuprum import cuda
from cuprum.cuda._runtime_ipc import handle_and_offset

from ._memory import MemoryPointer
from ._records import c_strides

__all__ = ["IpcArrayHandle", "IpcHandle", "handle_of", "open_ipc_array"]


def handle_of(memory: Any) -> IpcHandle:
    """Return a handle of memory of a GPU."""
    address = int(memory.ptr)
    handle, offset = handle_and_offset(address)
    device = cuda.runtime.getDeviceProperties(cuda.runtime.getDevice())
    return IpcHandle(memory, handle, int(memory.size), device.get("uuid"), offset)


class IpcHandle:
    """A handle of memory, which is pickled for another process and opened there.

    Attributes
    ----------
    handle : bytes
        The driver's handle.
    size : int
        The bytes.
    source_info : object
        The device that has the memory.
    offset : int
        Where the memory begins in what the handle opens.
    """

    def __init__(self, base: Any, handle: bytes, size: int, source_info: Any = None, offset: int = 0) -> None:
        self.base = base
        self.handle = handle
        self.size = size
        self.source_info = source_info
        self.offset = offset
        self._opened: int | None = None

    def open(self, context: Any) -> MemoryPointer:
        """Open the memory in this process, until `close`."""
        if self.base is not None:
            raise ValueError("opening IpcHandle from original process")
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = cuda.runtime.ipcOpenMemHandle(self.handle)
        return MemoryPointer(context, ctypes.c_void_p(self._opened + self.offset), self.size, self)

    open_direct = open_staged = open

    def open_array(self, context: Any, shape: Any, dtype: Any, strides: Any = None) -> Any:
        """Open the memory as an array."""
        from ._arrays import DeviceNDArray

        sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        kind = np.dtype(dtype)
        steps = c_strides(sizes, kind.itemsize) if strides is None else tuple(strides)
        return DeviceNDArray(sizes, steps, kind, gpu_data=self.open(context))

    def close(self) -> None:
        """Let go of the memory."""
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        cuda.runtime.ipcCloseMemHandle(self._opened)
        self._opened = None

    def __reduce__(self) -> tuple[Any, ...]:
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class IpcArrayHandle:
    """A handle of an array: within `with` it is the array, in another process."""

    def __init__(self, ipc_handle: Any, array_desc: dict[str, Any]) -> None:
        self._ipc_handle = ipc_handle
        self._array_desc = array_desc

    def open(self) -> Any:
        """Return the array, until `close`."""
        from ._devices import current_context

        return self._ipc_handle.open_array(current_context(), **self._array_desc)

    def close(self) -> None:
        """Let go of the memory."""
        self._ipc_handle.close()

    def __enter__(self) -> Any:
        return self.open()

    def __exit__(self, *args: Any) -> None:
        self.close()


@contextlib.contextmanager
def open_ipc_array(
    handle: bytes, shape: Any, dtype: Any, strides: Any = None, offset: int = 0
) -> Iterator[Any]:
    """Open another process's memory as an array, within a block.

    Parameters
    ----------
    handle : bytes
        The driver's handle.
    shape, dtype, strides
        Of the array.
    offset : int, optional
        Where it begins in what the handle opens.
    """
    from ._devices import current_context

    kind = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    ipc = IpcHandle(None, bytes(handle), size, offset=offset)
    yield ipc.open_array(current_context(), shape, kind, strides)
    ipc.close()

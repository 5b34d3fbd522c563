"""Memory and events of a GPU that processes share, by handles of 64 bytes; the CPU's have no handles."""

from __future__ import annotations

from .. import _core
from ._runtime_streams import _event, _keep
from ._status import CUDARuntimeError, errorInvalidValue, errorNotSupported, errors_by_number

__all__ = [
    "ipcCloseMemHandle",
    "ipcGetEventHandle",
    "ipcGetMemHandle",
    "ipcOpenEventHandle",
    "ipcOpenMemHandle",
    "ipcMemLazyEnablePeerAccess",
]

ipcMemLazyEnablePeerAccess = 1


def _gpu() -> int:
    """Return the current GPU's number; on the CPU nothing can be shared so."""
    gpu = _core.current_gpu()
    if gpu is None:
        raise CUDARuntimeError(errorNotSupported) from RuntimeError(
            "the CPU's memory has no handles for other processes: use multiprocessing.shared_memory"
        )
    return gpu


def _bytes(handle: bytes) -> bytes:
    if len(handle) != 64:
        raise CUDARuntimeError(errorInvalidValue)
    return bytes(handle)


def ipcGetMemHandle(devPtr: int) -> bytes:
    """Return the handle by which other processes open the block of the driver's that an address lies in.

    They get the beginning of that block: an array of a pool lies somewhere inside, so that its distance from
    there must be told along, or memory of `runtime.malloc` be used, which is a block of its own.

    Examples
    --------
    >>> if cp.cuda.is_available():
    ...     address = cp.cuda.runtime.malloc(64)
    ...     assert len(cp.cuda.runtime.ipcGetMemHandle(address)) == 64
    ...     cp.cuda.runtime.free(address)
    """
    return handle_and_offset(devPtr)[0]


def handle_and_offset(address: int) -> tuple[bytes, int]:
    """Return the handle of the driver's block that an address lies in, and how far into it that is."""
    gpu = _gpu()
    with errors_by_number():
        handle, offset = _core.ipc_memory_handle(gpu, int(address))
    return bytes(handle), int(offset)


def ipcOpenMemHandle(handle: bytes, flags: int = ipcMemLazyEnablePeerAccess) -> int:
    """Return the address of another process's block of memory in this one, until `ipcCloseMemHandle`.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.ipcOpenMemHandle(bytes(64))
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print("refused")
    refused
    """
    gpu = _gpu()
    with errors_by_number():
        return int(_core.ipc_open_memory(gpu, _bytes(handle), int(flags)))


def ipcCloseMemHandle(devPtr: int) -> None:
    """Let go of another process's memory, once nothing here uses it any more.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.ipcCloseMemHandle(4096)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print("refused")
    refused
    """
    gpu = _gpu()
    with errors_by_number():
        _core.ipc_close_memory(gpu, int(devPtr))


def ipcGetEventHandle(event: int) -> bytes:
    """Return the handle by which other processes open an event that was made with `interprocess=True`.

    Examples
    --------
    >>> if cp.cuda.is_available():
    ...     event = cp.cuda.Event(disable_timing=True, interprocess=True)
    ...     assert len(cp.cuda.runtime.ipcGetEventHandle(event.ptr)) == 64
    """
    _gpu()
    with errors_by_number():
        return bytes(_core.ipc_event_handle(_event(event)._made))


def ipcOpenEventHandle(handle: bytes) -> int:
    """Return another process's event, to be waited for here, and let go of with `eventDestroy`.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.ipcOpenEventHandle(bytes(64))
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print("refused")
    refused
    """
    from .stream import Event

    gpu = _gpu()
    with errors_by_number():
        made = _core.ipc_open_event(gpu, _bytes(handle))
    return _keep(Event._over(made))

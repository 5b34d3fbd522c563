"""The runtime's memory by its address: getting it, letting it go, copying and filling it."""

from __future__ import annotations

from typing import Any

from .. import _core
from . import _gpu, _transfers
from ._status import (
    CUDARuntimeError,
    errorInvalidDevice,
    errorInvalidValue,
    errors_by_number,
    hostAllocDefault,
    memAttachGlobal,
    memcpyDeviceToDevice,
    memcpyDeviceToHost,
    memcpyHostToDevice,
    memoryTypeHost,
    memoryTypeManaged,
    memoryTypeUnregistered,
)

__all__ = [
    "PointerAttributes",
    "free",
    "freeHost",
    "hostAlloc",
    "hostRegister",
    "hostUnregister",
    "malloc",
    "mallocManaged",
    "memAdvise",
    "memPrefetchAsync",
    "memcpy",
    "memcpy2D",
    "memcpy2DAsync",
    "memcpyAsync",
    "memcpyPeer",
    "memcpyPeerAsync",
    "memset",
    "memsetAsync",
    "pointerGetAttributes",
    "pointerGetMemoryType",
]

_ADVICE = range(1, 7)
"""CUDA's numbers of how memory may be used."""

_blocks: dict[int, Any] = {}


def malloc(size: int) -> int:
    """Return the address of new memory, to be let go of with `free`.

    Examples
    --------
    >>> address = cp.cuda.runtime.malloc(64)
    >>> cp.cuda.runtime.free(address)
    """
    from ._blocks import Memory

    block = Memory(size)
    _blocks[block.ptr] = block
    return block.ptr


def mallocManaged(size: int, flags: int = memAttachGlobal) -> int:
    """Return the address of new memory that host and device share.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocManaged(64)
    >>> cp.cuda.runtime.free(address)
    """
    from ._blocks import ManagedMemory

    block = ManagedMemory(size)
    _blocks[block.ptr] = block
    return block.ptr


def hostAlloc(size: int, flags: int = hostAllocDefault) -> int:
    """Return the address of new memory of the host's, to be let go of with `freeHost`.

    Examples
    --------
    >>> address = cp.cuda.runtime.hostAlloc(64)
    >>> cp.cuda.runtime.freeHost(address)
    """
    from .pinned_memory import PinnedMemory

    block = PinnedMemory(size, flags)
    _blocks[block.ptr] = block
    return block.ptr


def hostRegister(ptr: int, size: int, flags: int) -> None:
    """Lock pages of memory that the host has already, so that a GPU copies from and to them by itself.

    Examples
    --------
    >>> host, runtime = np.zeros(1 << 14), cp.cuda.runtime
    >>> runtime.hostRegister(host.ctypes.data, host.nbytes, 0)
    >>> runtime.pointerGetAttributes(host.ctypes.data).type == runtime.memoryTypeHost
    True
    >>> runtime.hostUnregister(host.ctypes.data)
    """
    if int(ptr) in _gpu.registered or size <= 0:
        raise CUDARuntimeError(errorInvalidValue)
    _gpu.check_memory(ptr, size)
    gpu = _core.current_gpu()
    if gpu is not None:
        with errors_by_number():
            _core.register_host(gpu, int(ptr), int(size), int(flags))
    _gpu.registered[int(ptr)] = int(size)


def hostUnregister(ptr: int) -> None:
    """Undo `hostRegister`.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.hostUnregister(4096)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    1
    """
    if _gpu.registered.pop(int(ptr), None) is None:
        raise CUDARuntimeError(errorInvalidValue)
    gpu = _core.current_gpu()
    if gpu is not None:
        with errors_by_number():
            _core.unregister_host(gpu, int(ptr))


class PointerAttributes:
    """What is known of an address, as `pointerGetAttributes` gives it.

    Parameters
    ----------
    device : int
        The number of the device, -2 for none.
    devicePointer, hostPointer : int
        Where the device and the host see the memory, 0 for nowhere.
    type : int, optional
        0 for memory that CUDA does not know, 1 for the host's, 2 for a device's, 3 for managed memory.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> facts = cp.cuda.runtime.pointerGetAttributes(a.data.ptr)
    >>> facts.device, facts.devicePointer == a.data.ptr
    (0, True)
    """

    def __init__(self, device: int, devicePointer: int, hostPointer: int, type: int = -1) -> None:
        self.device, self.type = int(device), int(type)
        self.devicePointer, self.hostPointer = int(devicePointer), int(hostPointer)

    def __repr__(self) -> str:
        return (
            f"PointerAttributes(device={self.device}, devicePointer={self.devicePointer:#x}, "
            f"hostPointer={self.hostPointer:#x}, type={self.type})"
        )


def pointerGetAttributes(ptr: int) -> PointerAttributes:
    """Return what is known of an address. The CPU's arrays are in memory that host and device share.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> cp.cuda.runtime.pointerGetAttributes(a.data.ptr).device
    0
    """
    address = int(ptr)
    if _core.current_gpu() is not None:
        kind, device, on_device, on_host = _core.pointer_facts(address)
        return PointerAttributes(device, on_device, on_host, kind)
    if any(start <= address < start + size for start, size in _gpu.registered.items()):
        return PointerAttributes(0, address, address, memoryTypeHost)
    if not _gpu.is_ours(address):
        return PointerAttributes(-2, 0, max(address, 0), memoryTypeUnregistered)
    return PointerAttributes(0, address, address, memoryTypeManaged)


def pointerGetMemoryType(ptr: int) -> int:
    """Return the kind of memory at an address, as `PointerAttributes.type` numbers it.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> cp.cuda.runtime.pointerGetMemoryType(a.data.ptr) in (2, 3)
    True
    """
    return pointerGetAttributes(ptr).type


def free(ptr: int) -> None:
    """Let go of memory by its address; 0 is none.

    Examples
    --------
    >>> cp.cuda.runtime.free(cp.cuda.runtime.malloc(64))
    """
    if not ptr:
        return
    block = _blocks.pop(int(ptr), None)
    if block is None:
        raise CUDARuntimeError(errorInvalidValue)
    if hasattr(block, "let_go"):
        # What came in a stream's order goes here as all other memory does: once all work is done.
        _core.gpu_synchronize(block.gpu)
        block.let_go(0)


def freeHost(ptr: int) -> None:
    """Let go of memory of the host's.

    Examples
    --------
    >>> cp.cuda.runtime.freeHost(cp.cuda.runtime.hostAlloc(64))
    """
    free(ptr)


def memcpy(dst: int, src: int, size: int, kind: int) -> None:
    """Copy bytes from one address to another; copies from and to the host are counted.

    Examples
    --------
    >>> host, a = np.arange(3), cp.zeros(3, dtype="int64")
    >>> runtime = cp.cuda.runtime
    >>> runtime.memcpy(a.data.ptr, host.ctypes.data, host.nbytes, runtime.memcpyHostToDevice)
    >>> a
    array([0, 1, 2])
    """
    _gpu.copy(dst, src, size, kind=kind)
    _count(kind, size)


def memcpyAsync(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    """Copy bytes in a stream's order.

    Examples
    --------
    >>> a, b = cp.ones(3), cp.zeros(3)
    >>> runtime = cp.cuda.runtime
    >>> runtime.memcpyAsync(b.data.ptr, a.data.ptr, 24, runtime.memcpyDeviceToDevice, 0)
    >>> b
    array([1., 1., 1.])
    """
    _gpu.copy(dst, src, size, stream, kind=kind)
    _count(kind, size)


def memset(ptr: int, value: int, size: int) -> None:
    """Set bytes to a value.

    Examples
    --------
    >>> a = cp.ones(3, dtype="int8")
    >>> cp.cuda.runtime.memset(a.data.ptr, 5, 2)
    >>> a
    array([5, 5, 1], dtype=int8)
    """
    _gpu.fill(ptr, value, size, ours=True)


def memsetAsync(ptr: int, value: int, size: int, stream: int) -> None:
    """Set bytes to a value, in a stream's order.

    Examples
    --------
    >>> a = cp.ones(3, dtype="int8")
    >>> cp.cuda.runtime.memsetAsync(a.data.ptr, 0, 3, 0)
    >>> a
    array([0, 0, 0], dtype=int8)
    """
    _gpu.fill(ptr, value, size, stream, ours=True)


def memcpy2D(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int) -> None:
    """Copy rows of `width` bytes that lie `spitch` bytes apart to rows that lie `dpitch` bytes apart.

    Examples
    --------
    >>> a, b = cp.arange(6).reshape(2, 3), cp.zeros((2, 2), dtype="int64")
    >>> kind = cp.cuda.runtime.memcpyDeviceToDevice
    >>> cp.cuda.runtime.memcpy2D(b.data.ptr, 16, a.data.ptr, 24, 16, 2, kind)
    >>> b
    array([[0, 1],
           [3, 4]])
    """
    if width > dpitch or width > spitch:
        raise CUDARuntimeError(errorInvalidValue)
    _gpu.copy_rows(dst, dpitch, src, spitch, width, height, kind=kind)
    _count(kind, width * height)


def memcpy2DAsync(
    dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int
) -> None:
    """Copy rows of bytes in a stream's order.

    Examples
    --------
    >>> a, b = cp.ones((2, 2)), cp.zeros((2, 2))
    >>> kind = cp.cuda.runtime.memcpyDeviceToDevice
    >>> cp.cuda.runtime.memcpy2DAsync(b.data.ptr, 16, a.data.ptr, 16, 8, 2, kind, 0)
    >>> b
    array([[1., 0.],
           [1., 0.]])
    """
    if width > dpitch or width > spitch:
        raise CUDARuntimeError(errorInvalidValue)
    _gpu.copy_rows(dst, dpitch, src, spitch, width, height, stream, kind=kind)
    _count(kind, width * height)


def memcpyPeer(dst: int, dstDevice: int, src: int, srcDevice: int, size: int) -> None:
    """Copy bytes between devices, once both have done their work so far.

    Examples
    --------
    >>> a, b = cp.ones(3), cp.zeros(3)
    >>> cp.cuda.runtime.memcpyPeer(b.data.ptr, 0, a.data.ptr, 0, 24)
    >>> b
    array([1., 1., 1.])
    """
    if _core.current_gpu() is not None:
        _core.run_pending()
        for device in {int(srcDevice), int(dstDevice)}:
            _core.gpu_synchronize(device)
    _gpu.copy(dst, src, size, kind=memcpyDeviceToDevice)


def memcpyPeerAsync(dst: int, dstDevice: int, src: int, srcDevice: int, size: int, stream: int) -> None:
    """Copy bytes between devices in a stream's order.

    Examples
    --------
    >>> a, b = cp.ones(3), cp.zeros(3)
    >>> cp.cuda.runtime.memcpyPeerAsync(b.data.ptr, 0, a.data.ptr, 0, 24, 0)
    >>> b
    array([1., 1., 1.])
    """
    _gpu.copy(dst, src, size, stream, kind=memcpyDeviceToDevice)


def memPrefetchAsync(devPtr: int, count: int, dstDevice: int, stream: int) -> None:
    """Move managed memory to a device, or to the host for -1, ahead of its use: on the CPU it is there.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocManaged(64)
    >>> cp.cuda.runtime.memPrefetchAsync(address, 64, 0, 0)
    >>> cp.cuda.runtime.free(address)
    """
    gpu = _core.current_gpu()
    _gpu.check_memory(devPtr, count, ours=True)
    if not -1 <= int(dstDevice) < (1 if gpu is None else _core.gpu_count()):
        raise CUDARuntimeError(errorInvalidDevice)
    if gpu is not None:
        with errors_by_number():
            _core.gpu_prefetch(gpu, int(devPtr), int(count), int(dstDevice), int(stream))


def memAdvise(devPtr: int, count: int, advice: int, device: int) -> None:
    """Say how managed memory will be used, by CUDA's numbers: the CPU needs no advice.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocManaged(64)
    >>> cp.cuda.runtime.memAdvise(address, 64, 1, 0)
    >>> cp.cuda.runtime.free(address)
    """
    gpu = _core.current_gpu()
    _gpu.check_memory(devPtr, count, ours=True)
    if int(advice) not in _ADVICE:
        raise CUDARuntimeError(errorInvalidValue)
    if not -1 <= int(device) < (1 if gpu is None else _core.gpu_count()):
        raise CUDARuntimeError(errorInvalidDevice)
    if gpu is not None:
        with errors_by_number():
            _core.gpu_advise(gpu, int(devPtr), int(count), int(advice), int(device))


def _count(kind: int, size: int) -> None:
    if kind == memcpyHostToDevice:
        _transfers.count(True, size)
    elif kind == memcpyDeviceToHost:
        _transfers.count(False, size)

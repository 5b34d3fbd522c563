"""CUDA's runtime functions for the CPU that stands in for a GPU: devices, memory, copies, streams and events.

There is one device, number 0, so that programs written for a GPU go on; `is_available` says that it is none.
Streams and events are numbers here, as in CUDA. Names and constants follow CUDA 12.9.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _core
from . import _machine, _transfers
from ._machine import COMPUTE_CAPABILITY as COMPUTE_CAPABILITY

__all__ = [
    "CUDARuntimeError",
    "check_status",
    "deviceCanAccessPeer",
    "deviceGetAttribute",
    "deviceGetByPCIBusId",
    "deviceGetPCIBusId",
    "deviceSynchronize",
    "driverGetVersion",
    "eventCreate",
    "eventDestroy",
    "eventElapsedTime",
    "eventQuery",
    "eventRecord",
    "eventSynchronize",
    "free",
    "freeAsync",
    "freeHost",
    "getDevice",
    "getDeviceCount",
    "getDeviceProperties",
    "hostAlloc",
    "is_available",
    "malloc",
    "mallocAsync",
    "mallocManaged",
    "memGetInfo",
    "memcpy",
    "memcpyAsync",
    "memset",
    "memsetAsync",
    "profilerStart",
    "profilerStop",
    "runtimeGetVersion",
    "setDevice",
    "streamCreate",
    "streamCreateWithFlags",
    "streamDestroy",
    "streamQuery",
    "streamSynchronize",
    "streamWaitEvent",
]

is_hip = False

memcpyHostToHost = 0
memcpyHostToDevice = 1
memcpyDeviceToHost = 2
memcpyDeviceToDevice = 3
memcpyDefault = 4

streamLegacy = 1
streamPerThread = 2
streamDefault = 0
streamNonBlocking = 1

eventDefault = 0
eventBlockingSync = 1
eventDisableTiming = 2
eventInterprocess = 4

hostAllocDefault = 0
hostAllocPortable = 1
hostAllocMapped = 2
hostAllocWriteCombined = 4

memAttachGlobal = 1
memAttachHost = 2

errorInvalidValue = 1
errorMemoryAllocation = 2
errorInvalidDevice = 101
errorInvalidResourceHandle = 400
errorNotReady = 600

_ERRORS = {
    0: ("cudaSuccess", "no error"),
    errorInvalidValue: ("cudaErrorInvalidValue", "invalid argument"),
    errorMemoryAllocation: ("cudaErrorMemoryAllocation", "out of memory"),
    errorInvalidDevice: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    errorInvalidResourceHandle: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    errorNotReady: ("cudaErrorNotReady", "device not ready"),
}

_RUNTIME_VERSION = 12090
_BUS_ID = "0000:00:00.0"

_blocks: dict[int, Any] = {}
_kept: dict[int, Any] = {}


class CUDARuntimeError(RuntimeError):
    """An error of CUDA's runtime, by its number.

    Parameters
    ----------
    status : int
        CUDA's number of the error.
    """

    def __init__(self, status: int) -> None:
        self.status = status
        name, text = _ERRORS.get(status, ("cudaErrorUnknown", "unknown error"))
        super().__init__(f"{name}: {text}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (CUDARuntimeError, (self.status,))


def check_status(status: int) -> None:
    """Raise the error that a status stands for, if any.

    Examples
    --------
    >>> cp.cuda.runtime.check_status(0)
    """
    if status != 0:
        raise CUDARuntimeError(status)


def check_device(device: int) -> None:
    """Raise unless there is a device of this number."""
    if device != 0:
        raise CUDARuntimeError(errorInvalidDevice)


def is_available() -> bool:
    """Return whether a CUDA GPU is there: False, the CPU only stands in for one.

    Examples
    --------
    >>> cp.cuda.is_available()
    False
    """
    return False


def getDeviceCount() -> int:
    """Return the number of devices: one, the CPU that stands in for a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.getDeviceCount()
    1
    """
    return 1


def getDevice() -> int:
    """Return the number of the current device.

    Examples
    --------
    >>> cp.cuda.runtime.getDevice()
    0
    """
    return 0


def setDevice(device: int) -> None:
    """Make a device the current one.

    Examples
    --------
    >>> cp.cuda.runtime.setDevice(0)
    """
    check_device(int(device))


def getDeviceProperties(device: int) -> dict[str, Any]:
    """Return what the device is, under CUDA's names: the processor's name, cores, memory and clock.

    Examples
    --------
    >>> properties = cp.cuda.runtime.getDeviceProperties(0)
    >>> properties["totalGlobalMem"] > 0, properties["warpSize"]
    (True, 32)
    """
    check_device(int(device))
    return _machine.properties()


def deviceGetAttribute(attrib: int, device: int) -> int:
    """Return one attribute of the device, by CUDA's number.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetAttribute(1, 0)
    1024
    """
    check_device(int(device))
    if attrib not in _machine.ATTRIBUTES:
        raise CUDARuntimeError(errorInvalidValue)
    return _machine.attribute(_machine.ATTRIBUTES[attrib][1], _machine.properties())


def device_attributes() -> dict[str, int]:
    """Return all attributes of the device by name."""
    facts = _machine.properties()
    return {name: _machine.attribute(where, facts) for name, where in _machine.ATTRIBUTES.values()}


def deviceGetPCIBusId(device: int) -> str:
    """Return the device's place on the PCI bus; the CPU has none, and says zeros.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetPCIBusId(0)
    '0000:00:00.0'
    """
    check_device(int(device))
    return _BUS_ID


def deviceGetByPCIBusId(pci_bus_id: str) -> int:
    """Return the number of the device at a place on the PCI bus.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetByPCIBusId("0000:00:00.0")
    0
    """
    if pci_bus_id != _BUS_ID:
        raise CUDARuntimeError(errorInvalidDevice)
    return 0


def deviceCanAccessPeer(device: int, peerDevice: int) -> int:
    """Return whether one device can read another's memory: there is only one.

    Examples
    --------
    >>> cp.cuda.runtime.deviceCanAccessPeer(0, 0)
    0
    """
    check_device(int(device))
    check_device(int(peerDevice))
    return 0


def deviceSynchronize() -> None:
    """Run all pending work, and wait until it is done.

    Examples
    --------
    >>> cp.cuda.runtime.deviceSynchronize()
    """
    _core.run_pending()


def driverGetVersion() -> int:
    """Return the version of the CUDA driver: 0, CUDA's answer where none is in use.

    Examples
    --------
    >>> cp.cuda.runtime.driverGetVersion()
    0
    """
    return 0


def runtimeGetVersion() -> int:
    """Return the version of the CUDA runtime whose names and constants these are.

    Examples
    --------
    >>> cp.cuda.runtime.runtimeGetVersion()
    12090
    """
    return _RUNTIME_VERSION


def memGetInfo() -> tuple[int, int]:
    """Return the free and the total memory in bytes.

    Examples
    --------
    >>> free, total = cp.cuda.runtime.memGetInfo()
    >>> 0 < free <= total
    True
    """
    return _machine.memory()


def malloc(size: int) -> int:
    """Return the address of new memory, to be let go of with `free`.

    Examples
    --------
    >>> address = cp.cuda.runtime.malloc(64)
    >>> cp.cuda.runtime.free(address)
    """
    from .memory import Memory

    block = Memory(size)
    _blocks[block.ptr] = block
    return block.ptr


def mallocManaged(size: int, flags: int = memAttachGlobal) -> int:
    """Return the address of new memory that host and device share: on the CPU, all memory is such.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocManaged(64)
    >>> cp.cuda.runtime.free(address)
    """
    return malloc(size)


def mallocAsync(size: int, stream: int) -> int:
    """Return the address of new memory, in a stream's order: at once on the CPU.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocAsync(64, 0)
    >>> cp.cuda.runtime.freeAsync(address, 0)
    """
    return malloc(size)


def hostAlloc(size: int, flags: int = hostAllocDefault) -> int:
    """Return the address of new memory of the host's, to be let go of with `freeHost`.

    Examples
    --------
    >>> address = cp.cuda.runtime.hostAlloc(64)
    >>> cp.cuda.runtime.freeHost(address)
    """
    return malloc(size)


def free(ptr: int) -> None:
    """Let go of memory by its address; 0 is none.

    Examples
    --------
    >>> cp.cuda.runtime.free(cp.cuda.runtime.malloc(64))
    """
    if ptr and _blocks.pop(int(ptr), None) is None:
        raise CUDARuntimeError(errorInvalidValue)


def freeAsync(ptr: int, stream: int) -> None:
    """Let go of memory in a stream's order: at once on the CPU.

    Examples
    --------
    >>> cp.cuda.runtime.freeAsync(cp.cuda.runtime.mallocAsync(64, 0), 0)
    """
    free(ptr)


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
    if not memcpyHostToHost <= kind <= memcpyDefault:
        raise CUDARuntimeError(errorInvalidValue)
    ctypes.memmove(int(dst), int(src), size)
    if kind == memcpyHostToDevice:
        _transfers.count(True, size)
    elif kind == memcpyDeviceToHost:
        _transfers.count(False, size)


def memcpyAsync(dst: int, src: int, size: int, kind: int, stream: int) -> None:
    """Copy bytes in a stream's order: at once on the CPU.

    Examples
    --------
    >>> a, b = cp.ones(3), cp.zeros(3)
    >>> runtime = cp.cuda.runtime
    >>> runtime.memcpyAsync(b.data.ptr, a.data.ptr, 24, runtime.memcpyDeviceToDevice, 0)
    >>> b
    array([1., 1., 1.])
    """
    memcpy(dst, src, size, kind)


def memset(ptr: int, value: int, size: int) -> None:
    """Set bytes to a value.

    Examples
    --------
    >>> a = cp.ones(3, dtype="int8")
    >>> cp.cuda.runtime.memset(a.data.ptr, 5, 2)
    >>> a
    array([5, 5, 1], dtype=int8)
    """
    ctypes.memset(int(ptr), value & 0xFF, size)


def memsetAsync(ptr: int, value: int, size: int, stream: int) -> None:
    """Set bytes to a value, in a stream's order: at once on the CPU.

    Examples
    --------
    >>> a = cp.ones(3, dtype="int8")
    >>> cp.cuda.runtime.memsetAsync(a.data.ptr, 0, 3, 0)
    >>> a
    array([0, 0, 0], dtype=int8)
    """
    memset(ptr, value, size)


def profilerStart() -> None:
    """Begin the part of a program that a profiler should see: none is there without a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.profilerStart()
    """


def profilerStop() -> None:
    """End the part of a program that a profiler should see: none is there without a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.profilerStop()
    """


def streamCreate() -> int:
    """Return the handle of a new stream, to be let go of with `streamDestroy`.

    Examples
    --------
    >>> cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreate())
    """
    return streamCreateWithFlags(streamDefault)


def streamCreateWithFlags(flags: int) -> int:
    """Return the handle of a new stream.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.streamDestroy(runtime.streamCreateWithFlags(runtime.streamNonBlocking))
    """
    from .stream import Stream

    return _keep(Stream(non_blocking=flags == streamNonBlocking))


def streamDestroy(stream: int) -> None:
    """Let go of a stream; what is pending runs.

    Examples
    --------
    >>> cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreate())
    """
    _core.run_pending()
    _let_go(stream)


def streamSynchronize(stream: int) -> None:
    """Run what is pending, and wait until it is done.

    Examples
    --------
    >>> cp.cuda.runtime.streamSynchronize(0)
    """
    _core.run_pending()


def streamQuery(stream: int) -> int:
    """Return 0, for done; asking runs what is pending.

    Examples
    --------
    >>> cp.cuda.runtime.streamQuery(0)
    0
    """
    _core.run_pending()
    return 0


def streamWaitEvent(stream: int, event: int, flags: int = 0) -> None:
    """Let later work wait for an event: on the CPU, what was recorded before an event has run already.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.streamWaitEvent(0, event.ptr)
    """
    _event(event)


def eventCreate() -> int:
    """Return the handle of a new event, to be let go of with `eventDestroy`.

    Examples
    --------
    >>> cp.cuda.runtime.eventDestroy(cp.cuda.runtime.eventCreate())
    """
    from .stream import Event

    return _keep(Event())


def eventDestroy(event: int) -> None:
    """Let go of an event.

    Examples
    --------
    >>> cp.cuda.runtime.eventDestroy(cp.cuda.runtime.eventCreate())
    """
    _let_go(event)


def eventRecord(event: int, stream: int) -> None:
    """Run what is pending, then record an event.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventRecord(event.ptr, 0)
    """
    _event(event).record()


def eventSynchronize(event: int) -> None:
    """Wait until an event is reached.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventSynchronize(event.ptr)
    """
    _event(event).synchronize()


def eventQuery(event: int) -> int:
    """Return 0, for done.

    Examples
    --------
    >>> event = cp.cuda.Event()
    >>> cp.cuda.runtime.eventQuery(event.ptr)
    0
    """
    _event(event)
    return 0


def eventElapsedTime(start: int, end: int) -> float:
    """Return the milliseconds between two recorded events.

    Examples
    --------
    >>> start, end = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> end.record()
    >>> cp.cuda.runtime.eventElapsedTime(start.ptr, end.ptr) >= 0
    True
    """
    from .stream import get_elapsed_time

    return get_elapsed_time(_event(start), _event(end))


def _event(handle: int) -> Any:
    from .stream import _events

    event = _events.get(int(handle))
    if event is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)
    return event


def _keep(made: Any) -> int:
    _kept[made.ptr] = made
    return int(made.ptr)


def _let_go(handle: int) -> None:
    if _kept.pop(int(handle), None) is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)

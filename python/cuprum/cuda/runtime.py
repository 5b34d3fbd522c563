"""CUDA's runtime functions for the CPU that stands in for a GPU: devices, memory, copies, streams and events.

There is one device, number 0, so that programs written for a GPU go on; `is_available` says that it is none.
Streams and events are numbers here, as in CUDA. Names and constants follow CUDA 12.9.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from . import _machine
from ._machine import COMPUTE_CAPABILITY as COMPUTE_CAPABILITY
from ._runtime_memory import *
from ._runtime_streams import *
from ._status import *
from ._status import CUDARuntimeError, check_status, errorInvalidDevice, errorInvalidValue

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
    "eventCreateWithFlags",
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
    "launchHostFunc",
    "malloc",
    "mallocAsync",
    "mallocManaged",
    "memAdvise",
    "memGetInfo",
    "memPrefetchAsync",
    "memcpy",
    "memcpy2D",
    "memcpy2DAsync",
    "memcpyAsync",
    "memcpyPeer",
    "memcpyPeerAsync",
    "memset",
    "memsetAsync",
    "profilerStart",
    "profilerStop",
    "runtimeGetVersion",
    "setDevice",
    "streamAddCallback",
    "streamCreate",
    "streamCreateWithFlags",
    "streamDestroy",
    "streamGetFlags",
    "streamIsCapturing",
    "streamQuery",
    "streamSynchronize",
    "streamWaitEvent",
]

is_hip = False

_RUNTIME_VERSION = 12090
_BUS_ID = "0000:00:00.0"


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

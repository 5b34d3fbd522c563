"""CUDA's runtime functions, for a GPU or the CPU that stands in for one: devices, memory, streams and events.

Without a GPU there is one device, number 0, so that programs written for a GPU go on; `is_available` says
that it is none. Streams and events are numbers here, as in CUDA. Names and constants follow CUDA 12.9.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from . import _gpu, _machine
from ._machine import COMPUTE_CAPABILITY as COMPUTE_CAPABILITY
from ._runtime_arrays import *
from ._runtime_constants import *
from ._runtime_graphs import *
from ._runtime_ipc import *
from ._runtime_memory import *
from ._runtime_pools import *
from ._runtime_streams import *
from ._status import *
from ._status import CUDARuntimeError, check_status, errorInvalidDevice, errorInvalidValue, errors_by_number

__all__ = [
    "CUDARuntimeError",
    "MemPoolProps",
    "PointerAttributes",
    "check_status",
    "createSurfaceObject",
    "createTextureObject",
    "destroySurfaceObject",
    "destroyTextureObject",
    "deviceCanAccessPeer",
    "deviceDisablePeerAccess",
    "deviceEnablePeerAccess",
    "deviceGetAttribute",
    "deviceGetByPCIBusId",
    "deviceGetDefaultMemPool",
    "deviceGetLimit",
    "deviceGetMemPool",
    "deviceGetPCIBusId",
    "deviceSetLimit",
    "deviceSetMemPool",
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
    "freeArray",
    "freeAsync",
    "freeHost",
    "getDevice",
    "getDeviceCount",
    "getDeviceProperties",
    "graphDebugDotPrint",
    "graphDestroy",
    "graphExecDestroy",
    "graphInstantiate",
    "graphLaunch",
    "graphUpload",
    "hostAlloc",
    "hostRegister",
    "hostUnregister",
    "ipcCloseMemHandle",
    "ipcGetEventHandle",
    "ipcGetMemHandle",
    "ipcOpenEventHandle",
    "ipcOpenMemHandle",
    "is_available",
    "launchHostFunc",
    "malloc",
    "malloc3DArray",
    "mallocArray",
    "mallocAsync",
    "mallocFromPoolAsync",
    "mallocManaged",
    "memAdvise",
    "memGetInfo",
    "memPoolCreate",
    "memPoolDestroy",
    "memPoolGetAttribute",
    "memPoolSetAttribute",
    "memPoolTrimTo",
    "memPrefetchAsync",
    "memcpy",
    "memcpy2D",
    "memcpy2DAsync",
    "memcpy2DFromArray",
    "memcpy2DFromArrayAsync",
    "memcpy2DToArray",
    "memcpy2DToArrayAsync",
    "memcpy3D",
    "memcpy3DAsync",
    "memcpyAsync",
    "memcpyPeer",
    "memcpyPeerAsync",
    "memset",
    "memsetAsync",
    "pointerGetAttributes",
    "pointerGetMemoryType",
    "profilerStart",
    "profilerStop",
    "runtimeGetVersion",
    "setDevice",
    "streamAddCallback",
    "streamBeginCapture",
    "streamCreate",
    "streamCreateWithFlags",
    "streamCreateWithPriority",
    "streamDestroy",
    "streamEndCapture",
    "streamGetFlags",
    "streamGetPriority",
    "streamIsCapturing",
    "streamQuery",
    "streamSynchronize",
    "streamWaitEvent",
]

# Numbers of `deviceGetAttribute`, by CUDA's names.
globals().update({f"cudaDevAttr{name}": number for number, (name, _) in _machine.ATTRIBUTES.items()})

is_hip = False

_RUNTIME_VERSION = 12090
_BUS_ID = "0000:00:00.0"
_limits_of_cpu: dict[int, int] = {}
_HEAP_LIMIT = 2


def check_device(device: int) -> None:
    """Raise unless there is a device of this number."""
    if not 0 <= device < getDeviceCount():
        raise CUDARuntimeError(errorInvalidDevice)


def is_available() -> bool:
    """Return whether arrays are on a CUDA GPU: False where the CPU only stands in for one.

    Examples
    --------
    >>> cp.cuda.is_available() == cp.info()["device"].startswith("cuda")
    True
    """
    try:
        return bool(_core.default_is_gpu())
    except RuntimeError:
        # A GPU was asked for, and something that it needs is missing.
        return False


def getDeviceCount() -> int:
    """Return the number of devices: GPUs, or one, the CPU that stands in for a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.getDeviceCount() >= 1
    True
    """
    return int(_core.gpu_count()) if is_available() else 1


def getDevice() -> int:
    """Return the number of the current device.

    Examples
    --------
    >>> cp.cuda.runtime.getDevice()
    0
    """
    return _core.current_gpu() or 0


def setDevice(device: int) -> None:
    """Make a device the current one.

    Examples
    --------
    >>> cp.cuda.runtime.setDevice(0)
    """
    from .device import Device

    check_device(int(device))
    _core.set_device(Device(int(device)))


def getDeviceProperties(device: int) -> dict[str, Any]:
    """Return what the device is, under CUDA's names: its name, multiprocessors or cores, memory and clock.

    Examples
    --------
    >>> properties = cp.cuda.runtime.getDeviceProperties(0)
    >>> properties["totalGlobalMem"] > 0, properties["warpSize"]
    (True, 32)
    """
    check_device(int(device))
    return _gpu.properties(int(device)) if is_available() else _machine.properties()


def deviceGetAttribute(attrib: int, device: int) -> int:
    """Return one attribute of the device, by CUDA's number.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetAttribute(1, 0)
    1024
    """
    check_device(int(device))
    if is_available():
        try:
            return int(_core.gpu_attribute(int(attrib), int(device)))
        except RuntimeError:
            raise CUDARuntimeError(errorInvalidValue) from None
    if attrib not in _machine.ATTRIBUTES:
        raise CUDARuntimeError(errorInvalidValue)
    return _machine.attribute(_machine.ATTRIBUTES[attrib][1], _machine.properties())


def device_attributes(gpu: int | None) -> dict[str, int]:
    """Return all attributes of a GPU, or of the CPU, by name."""
    if gpu is not None:
        return {name: _core.gpu_attribute(number, gpu) for number, (name, _) in _machine.ATTRIBUTES.items()}
    facts = _machine.properties()
    return {name: _machine.attribute(where, facts) for name, where in _machine.ATTRIBUTES.values()}


def deviceGetPCIBusId(device: int) -> str:
    """Return the device's place on the PCI bus; the CPU has none, and says zeros.

    Examples
    --------
    >>> len(cp.cuda.runtime.deviceGetPCIBusId(0))
    12
    """
    check_device(int(device))
    return str(_core.gpu_facts(int(device))["pci_bus_id"]) if is_available() else _BUS_ID


def deviceGetByPCIBusId(pci_bus_id: str) -> int:
    """Return the number of the device at a place on the PCI bus.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetByPCIBusId(cp.cuda.Device(0).pci_bus_id)
    0
    """
    for device in range(getDeviceCount()):
        if deviceGetPCIBusId(device).lower() == str(pci_bus_id).lower():
            return device
    raise CUDARuntimeError(errorInvalidDevice)


def deviceCanAccessPeer(device: int, peerDevice: int) -> int:
    """Return whether one device can read another's memory.

    Examples
    --------
    >>> cp.cuda.runtime.deviceCanAccessPeer(0, 0)
    0
    """
    check_device(int(device))
    check_device(int(peerDevice))
    if not is_available() or device == peerDevice:
        return 0
    return int(_core.gpu_can_access(int(device), int(peerDevice)))


def deviceEnablePeerAccess(peerDevice: int) -> None:
    """Let kernels of the current device use the memory of another one.

    Copies between devices need no such permission.

    Examples
    --------
    >>> if cp.cuda.runtime.getDeviceCount() > 1 and cp.cuda.runtime.deviceCanAccessPeer(0, 1):
    ...     cp.cuda.runtime.deviceEnablePeerAccess(1)
    ...     cp.cuda.runtime.deviceDisablePeerAccess(1)
    """
    _set_peer_access(int(peerDevice), True)


def deviceDisablePeerAccess(peerDevice: int) -> None:
    """Forbid kernels of the current device again to use the memory of another one.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.deviceDisablePeerAccess(99)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    101
    """
    _set_peer_access(int(peerDevice), False)


def _set_peer_access(peer: int, on: bool) -> None:
    check_device(peer)
    gpu = _core.current_gpu()
    if gpu is None or gpu == peer:
        raise CUDARuntimeError(errorInvalidDevice)
    with errors_by_number():
        _core.set_peer_access(gpu, peer, on)


def deviceGetLimit(limit: int) -> int:
    """Return one of the current device's limits, by CUDA's number: 0 is the stack of a thread in bytes.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetLimit(0) >= 0
    True
    """
    gpu = _core.current_gpu()
    if gpu is None:
        if int(limit) == _HEAP_LIMIT:
            return int(_core.kernel_heap_limit())
        return _limits_of_cpu.get(int(limit), 0)
    with errors_by_number():
        return int(_core.gpu_limit(gpu, int(limit)))


def deviceSetLimit(limit: int, value: int) -> None:
    """Set one of the current device's limits, by CUDA's number: 2 is the heap of `malloc` in kernels.

    On the CPU the heap can be set while no kernel holds memory of it; the other limits are only noted.

    Examples
    --------
    >>> cp.cuda.runtime.deviceSetLimit(0, 2048)
    >>> cp.cuda.runtime.deviceGetLimit(0) >= 2048
    True
    """
    gpu = _core.current_gpu()
    if gpu is None and int(limit) == _HEAP_LIMIT:
        if int(value) < 0 or not _core.set_kernel_heap_limit(int(value)):
            raise CUDARuntimeError(errorInvalidValue)
    elif gpu is None:
        _limits_of_cpu[int(limit)] = int(value)
    else:
        with errors_by_number():
            _core.set_gpu_limit(gpu, int(limit), int(value))


def deviceSynchronize() -> None:
    """Run all pending work, and wait until it is done.

    Examples
    --------
    >>> cp.cuda.runtime.deviceSynchronize()
    """
    _core.run_pending()
    gpu = _core.current_gpu()
    if gpu is not None:
        _core.gpu_synchronize(gpu)


def driverGetVersion() -> int:
    """Return the version of CUDA that the driver speaks: 0, CUDA's answer, where none is in use.

    Examples
    --------
    >>> cp.cuda.runtime.driverGetVersion() >= 0
    True
    """
    return int(_core.driver_version()) if is_available() else 0


def runtimeGetVersion() -> int:
    """Return the version of the CUDA in use: the compiler's; without a GPU, of the names and constants here.

    Examples
    --------
    >>> cp.cuda.runtime.runtimeGetVersion() >= 12000
    True
    """
    if not is_available():
        return _RUNTIME_VERSION
    major, minor = _core.compiler_version()
    return int(1000 * major + 10 * minor)


def memGetInfo() -> tuple[int, int]:
    """Return the free and the total memory in bytes.

    Examples
    --------
    >>> free, total = cp.cuda.runtime.memGetInfo()
    >>> 0 < free <= total
    True
    """
    return memory_of(_core.current_gpu())


def memory_of(gpu: int | None) -> tuple[int, int]:
    """Return the free and the total memory of a GPU, or of the machine, in bytes."""
    return _machine.memory() if gpu is None else _core.gpu_memory(gpu)


def profilerStart() -> None:
    """Begin the part of a program that a profiler should see: none is there without a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.profilerStart()
    """
    gpu = _core.current_gpu()
    if gpu is not None:
        _core.gpu_profile(gpu, True)


def profilerStop() -> None:
    """End the part of a program that a profiler should see: none is there without a GPU.

    Examples
    --------
    >>> cp.cuda.runtime.profilerStop()
    """
    gpu = _core.current_gpu()
    if gpu is not None:
        _core.gpu_profile(gpu, False)

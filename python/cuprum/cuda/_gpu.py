"""A GPU as the driver describes it: its properties under CUDA's names, and copies by plain addresses."""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _core
from ._status import (
    CUDARuntimeError,
    errorInvalidValue,
    memcpyDefault,
    memcpyDeviceToDevice,
    memcpyDeviceToHost,
    memcpyHostToDevice,
    memcpyHostToHost,
    memoryTypeUnregistered,
)

_NUMBERS: dict[str, int | tuple[int, ...]] = {
    "sharedMemPerBlock": 8,
    "sharedMemPerBlockOptin": 97,
    "sharedMemPerMultiprocessor": 81,
    "reservedSharedMemPerBlock": 111,
    "regsPerBlock": 12,
    "regsPerMultiprocessor": 82,
    "warpSize": 10,
    "memPitch": 11,
    "maxThreadsPerBlock": 1,
    "maxThreadsPerMultiProcessor": 39,
    "maxBlocksPerMultiProcessor": 106,
    "maxThreadsDim": (2, 3, 4),
    "maxGridSize": (5, 6, 7),
    "clockRate": 13,
    "memoryClockRate": 36,
    "memoryBusWidth": 37,
    "totalConstMem": 9,
    "major": 75,
    "minor": 76,
    "textureAlignment": 14,
    "texturePitchAlignment": 51,
    "surfaceAlignment": 30,
    "multiProcessorCount": 16,
    "kernelExecTimeoutEnabled": 17,
    "integrated": 18,
    "canMapHostMemory": 19,
    "computeMode": 20,
    "concurrentKernels": 31,
    "ECCEnabled": 32,
    "pciBusID": 33,
    "pciDeviceID": 34,
    "pciDomainID": 50,
    "tccDriver": 35,
    "asyncEngineCount": 40,
    "unifiedAddressing": 41,
    "l2CacheSize": 38,
    "persistingL2CacheMaxSize": 108,
    "streamPrioritiesSupported": 78,
    "globalL1CacheSupported": 79,
    "localL1CacheSupported": 80,
    "managedMemory": 83,
    "isMultiGpuBoard": 84,
    "multiGpuBoardGroupID": 85,
    "hostNativeAtomicSupported": 86,
    "singleToDoublePrecisionPerfRatio": 87,
    "pageableMemoryAccess": 88,
    "pageableMemoryAccessUsesHostPageTables": 100,
    "concurrentManagedAccess": 89,
    "directManagedMemAccessFromHost": 101,
    "computePreemptionSupported": 90,
    "canUseHostPointerForRegisteredMem": 91,
    "cooperativeLaunch": 95,
    "cooperativeMultiDeviceLaunch": 96,
}
"""The driver's numbers of the properties, in the order of `cudaDeviceProp`."""


def properties(device: int) -> dict[str, Any]:
    """Return a GPU's properties under the names of CUDA's `cudaDeviceProp`."""
    facts = _core.gpu_facts(device)
    found: dict[str, Any] = {
        "name": facts["name"].encode(),
        "uuid": facts["uuid"],
        "totalGlobalMem": facts["memory"],
    }
    for name, number in _NUMBERS.items():
        if isinstance(number, tuple):
            found[name] = tuple(_core.gpu_attribute(one, device) for one in number)
        else:
            found[name] = _core.gpu_attribute(number, device)
    return found


registered: dict[int, int] = {}
"""Memory of the program's that `hostRegister` was called for: bytes by address."""

_MAX_SIZE = 2**63


def copy(
    target: int, source: int, size: int, stream: int | None = None, *, kind: int = memcpyDefault
) -> None:
    """Copy bytes between addresses of the host and of the device; wait for it unless a stream is given."""
    copy_rows(target, size, source, size, size, 1, stream, kind=kind)


def copy_rows(
    target: int,
    target_pitch: int,
    source: int,
    source_pitch: int,
    width: int,
    rows: int,
    stream: int | None = None,
    *,
    kind: int = memcpyDefault,
) -> None:
    """Copy rows of bytes that begin at some distance; nothing is copied where memory is missing."""
    target, source, width, rows = int(target), int(source), int(width), int(rows)
    target_pitch, source_pitch = int(target_pitch), int(source_pitch)
    numbers = (target, source, width, rows, target_pitch, source_pitch)
    if not memcpyHostToHost <= kind <= memcpyDefault or not all(
        0 <= number < _MAX_SIZE for number in numbers
    ):
        raise CUDARuntimeError(errorInvalidValue)
    if width == 0 or rows == 0:
        return
    gpu = _core.current_gpu()
    if gpu is None:
        to_device = kind in (memcpyHostToDevice, memcpyDeviceToDevice)
        from_device = kind in (memcpyDeviceToHost, memcpyDeviceToDevice)
        ours = (to_device and not _is_registered(target), from_device and not _is_registered(source))
        if not _core.copy_memory(target, target_pitch, source, source_pitch, width, rows, *ours):
            raise CUDARuntimeError(errorInvalidValue)
        return
    _check_host(target, (rows - 1) * target_pitch + width, True)
    _check_host(source, (rows - 1) * source_pitch + width, False)
    wait = stream is None
    handle = _core.current_stream(gpu) if wait else stream
    for row in range(rows):
        to, origin = target + row * target_pitch, source + row * source_pitch
        _core.gpu_copy(to, origin, width, gpu, handle, wait)


def fill(target: int, value: int, size: int, stream: int | None = None, *, ours: bool = False) -> None:
    """Set bytes on the current device to a value; `ours` says that the address is a plain number."""
    target, size = int(target), int(size)
    if not (0 <= target < _MAX_SIZE and 0 <= size < _MAX_SIZE):
        raise CUDARuntimeError(errorInvalidValue)
    gpu = _core.current_gpu()
    if gpu is None:
        ours = ours and not _is_registered(target)
        if not _core.fill_memory(target, int(value) & 0xFF, size, ours):
            raise CUDARuntimeError(errorInvalidValue)
        return
    handle = _core.current_stream(gpu) if stream is None else stream
    _core.gpu_set(target, int(value) & 0xFF, size, gpu, handle)


def check_memory(address: int, size: int, *, write: bool = False, ours: bool = False) -> None:
    """Raise unless there is memory at an address of the CPU's; with `ours`, memory that we gave out."""
    address, size = int(address), int(size)
    there = 0 <= address < _MAX_SIZE and 0 <= size < _MAX_SIZE
    if there and _core.current_gpu() is None:
        there = _core.has_memory(address, size, write, ours and not _is_registered(address))
    if not there:
        raise CUDARuntimeError(errorInvalidValue)


def at_host(structure: Any, address: int) -> Any:
    """Return a structure of C that lies at an address of the host's; raise where no memory is."""
    address = int(address)
    if not 0 < address < _MAX_SIZE or not _core.has_memory(address, ctypes.sizeof(structure), False, False):
        raise CUDARuntimeError(errorInvalidValue)
    return structure.from_address(address)


def is_ours(address: int) -> bool:
    """Whether an address of the CPU's is one of memory that we gave out and that is still in use."""
    return 0 < address < _MAX_SIZE and _core.has_memory(address, 1, False, True)


def _is_registered(address: int) -> bool:
    return any(start <= address < start + size for start, size in registered.items())


def _check_host(address: int, size: int, write: bool) -> None:
    """Raise for an address that is neither CUDA's nor the host's."""
    is_host = _core.pointer_facts(address)[0] == memoryTypeUnregistered
    if is_host and not _core.has_memory(address, size, write, False):
        raise CUDARuntimeError(errorInvalidValue)

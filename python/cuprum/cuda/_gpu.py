"""A GPU as the driver describes it: its properties under CUDA's names, and copies by plain addresses."""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _core

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


def copy(target: int, source: int, size: int, stream: int | None = None) -> None:
    """Copy bytes between addresses of the host and of the device; wait for it unless a stream is given."""
    gpu = _core.current_gpu()
    if gpu is None:
        ctypes.memmove(target, source, size)
        _core.note_write(target, size)
        return
    wait = stream is None
    _core.gpu_copy(target, source, size, gpu, _core.current_stream(gpu) if wait else stream, wait)


def fill(target: int, value: int, size: int, stream: int | None = None) -> None:
    """Set bytes on the current device to a value."""
    gpu = _core.current_gpu()
    if gpu is None:
        ctypes.memset(target, value & 0xFF, size)
        _core.note_write(target, size)
        return
    _core.gpu_set(target, value & 0xFF, size, gpu, _core.current_stream(gpu) if stream is None else stream)

"""The CPU under CUDA's names: what `getDeviceProperties` and device attributes say of the machine."""

from __future__ import annotations

import functools
import os
import platform
from typing import Any

from .. import _core

COMPUTE_CAPABILITY = (9, 0)
"""The compute capability that programs are told: those that ask for a recent GPU go on."""

_WARP = 32
_THREADS_PER_BLOCK = 1024
_SHARED_BYTES = 48 << 10
_GRID = (2**31 - 1, 65535, 65535)


@functools.lru_cache(maxsize=1)
def _processor() -> dict[str, str]:
    """Return the first processor's lines of /proc/cpuinfo, none where there is no such file."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read().partition("\n\n")[0]
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def name() -> str:
    """Return the processor's name."""
    return _processor().get("model name") or platform.processor() or platform.machine() or "CPU"


def _clock_khz() -> int:
    try:
        return int(float(_processor().get("cpu MHz", "0")) * 1000)
    except ValueError:
        return 0


def _cache_bytes() -> int:
    size = _processor().get("cache size", "").split()
    return int(size[0]) * 1024 if size and size[0].isdigit() else 0


def memory() -> tuple[int, int]:
    """Return the bytes of memory that are free, and all of them."""
    total = int(_core.machine()["memory"])
    try:
        with open("/proc/meminfo", encoding="utf-8") as file:
            line = next(line for line in file if line.startswith("MemAvailable:"))
        return min(int(line.split()[1]) * 1024, total), total
    except (OSError, StopIteration):
        return max(total - _core.Pool.default().used(), 0), total


def properties() -> dict[str, Any]:
    """Return the machine's properties under the names of CUDA's `cudaDeviceProp`."""
    cores = os.cpu_count() or 1
    major, minor = COMPUTE_CAPABILITY
    return {
        "name": name().encode(),
        "uuid": b"\0" * 16,
        "totalGlobalMem": int(_core.machine()["memory"]),
        "sharedMemPerBlock": _SHARED_BYTES,
        "sharedMemPerBlockOptin": _SHARED_BYTES,
        "sharedMemPerMultiprocessor": _SHARED_BYTES,
        "reservedSharedMemPerBlock": 0,
        "regsPerBlock": 65536,
        "regsPerMultiprocessor": 65536,
        "warpSize": _WARP,
        "memPitch": 2**31 - 1,
        "maxThreadsPerBlock": _THREADS_PER_BLOCK,
        "maxThreadsPerMultiProcessor": _THREADS_PER_BLOCK,
        "maxBlocksPerMultiProcessor": 1,
        "maxThreadsDim": (_THREADS_PER_BLOCK, _THREADS_PER_BLOCK, 64),
        "maxGridSize": _GRID,
        "clockRate": _clock_khz(),
        "memoryClockRate": 0,
        "memoryBusWidth": 0,
        "totalConstMem": 65536,
        "major": major,
        "minor": minor,
        "textureAlignment": 64,
        "texturePitchAlignment": 64,
        "surfaceAlignment": 64,
        "multiProcessorCount": cores,
        "kernelExecTimeoutEnabled": 0,
        "integrated": 1,
        "canMapHostMemory": 1,
        "computeMode": 0,
        "concurrentKernels": 0,
        "ECCEnabled": 0,
        "pciBusID": 0,
        "pciDeviceID": 0,
        "pciDomainID": 0,
        "tccDriver": 0,
        "asyncEngineCount": 0,
        "unifiedAddressing": 1,
        "l2CacheSize": _cache_bytes(),
        "persistingL2CacheMaxSize": 0,
        "streamPrioritiesSupported": 0,
        "globalL1CacheSupported": 1,
        "localL1CacheSupported": 1,
        "managedMemory": 1,
        "isMultiGpuBoard": 0,
        "multiGpuBoardGroupID": 0,
        "hostNativeAtomicSupported": 1,
        "singleToDoublePrecisionPerfRatio": 2,
        "pageableMemoryAccess": 1,
        "pageableMemoryAccessUsesHostPageTables": 1,
        "concurrentManagedAccess": 1,
        "directManagedMemAccessFromHost": 1,
        "computePreemptionSupported": 1,
        "canUseHostPointerForRegisteredMem": 1,
        "cooperativeLaunch": 1,
        "cooperativeMultiDeviceLaunch": 0,
        "memoryPoolsSupported": 1,
    }


ATTRIBUTES: dict[int, tuple[str, str | tuple[str, int]]] = {
    1: ("MaxThreadsPerBlock", "maxThreadsPerBlock"),
    2: ("MaxBlockDimX", ("maxThreadsDim", 0)),
    3: ("MaxBlockDimY", ("maxThreadsDim", 1)),
    4: ("MaxBlockDimZ", ("maxThreadsDim", 2)),
    5: ("MaxGridDimX", ("maxGridSize", 0)),
    6: ("MaxGridDimY", ("maxGridSize", 1)),
    7: ("MaxGridDimZ", ("maxGridSize", 2)),
    8: ("MaxSharedMemoryPerBlock", "sharedMemPerBlock"),
    9: ("TotalConstantMemory", "totalConstMem"),
    10: ("WarpSize", "warpSize"),
    11: ("MaxPitch", "memPitch"),
    12: ("MaxRegistersPerBlock", "regsPerBlock"),
    13: ("ClockRate", "clockRate"),
    14: ("TextureAlignment", "textureAlignment"),
    16: ("MultiProcessorCount", "multiProcessorCount"),
    17: ("KernelExecTimeout", "kernelExecTimeoutEnabled"),
    18: ("Integrated", "integrated"),
    19: ("CanMapHostMemory", "canMapHostMemory"),
    20: ("ComputeMode", "computeMode"),
    31: ("ConcurrentKernels", "concurrentKernels"),
    32: ("EccEnabled", "ECCEnabled"),
    33: ("PciBusId", "pciBusID"),
    34: ("PciDeviceId", "pciDeviceID"),
    35: ("TccDriver", "tccDriver"),
    36: ("MemoryClockRate", "memoryClockRate"),
    37: ("GlobalMemoryBusWidth", "memoryBusWidth"),
    38: ("L2CacheSize", "l2CacheSize"),
    39: ("MaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor"),
    40: ("AsyncEngineCount", "asyncEngineCount"),
    41: ("UnifiedAddressing", "unifiedAddressing"),
    75: ("ComputeCapabilityMajor", "major"),
    76: ("ComputeCapabilityMinor", "minor"),
    81: ("MaxSharedMemoryPerMultiprocessor", "sharedMemPerMultiprocessor"),
    82: ("MaxRegistersPerMultiprocessor", "regsPerMultiprocessor"),
    83: ("ManagedMemory", "managedMemory"),
    88: ("PageableMemoryAccess", "pageableMemoryAccess"),
    89: ("ConcurrentManagedAccess", "concurrentManagedAccess"),
    95: ("CooperativeLaunch", "cooperativeLaunch"),
    97: ("MaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin"),
    106: ("MaxBlocksPerMultiprocessor", "maxBlocksPerMultiProcessor"),
    115: ("MemoryPoolsSupported", "memoryPoolsSupported"),
}
"""Device attributes by CUDA's numbers: the name without its prefix, and the property that holds the value."""


def attribute(where: str | tuple[str, int], facts: dict[str, Any]) -> int:
    """Return the value of an attribute from the machine's properties."""
    if isinstance(where, tuple):
        return int(facts[where[0]][where[1]])
    return int(facts[where])

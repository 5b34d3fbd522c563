"""The runtime's memory in the order of streams, and CUDA's own pools that it comes from, by their handles.

On the CPU a pool is one of the library's own: the counts are there, what streams order is done at once.
"""

from __future__ import annotations

import itertools
from typing import Any

from .. import _core
from ._runtime_memory import _blocks, free
from ._status import (
    CUDARuntimeError,
    errorInvalidDevice,
    errorInvalidValue,
    errors_by_number,
    memAllocationTypePinned,
    memHandleTypeNone,
    memLocationTypeDevice,
    memPoolAttrReleaseThreshold,
    memPoolAttrReservedMemCurrent,
    memPoolAttrReservedMemHigh,
    memPoolAttrUsedMemCurrent,
    memPoolAttrUsedMemHigh,
)

__all__ = [
    "MemPoolProps",
    "deviceGetDefaultMemPool",
    "deviceGetMemPool",
    "deviceSetMemPool",
    "freeAsync",
    "mallocAsync",
    "mallocFromPoolAsync",
    "memPoolCreate",
    "memPoolDestroy",
    "memPoolGetAttribute",
    "memPoolSetAttribute",
    "memPoolTrimTo",
]


class MemPoolProps:
    """What a pool of `memPoolCreate` is to be, by CUDA's numbers.

    Parameters
    ----------
    allocType : int
        The kind of memory: 1 is the device's.
    handleType : int
        How other processes get it: 0 is not at all.
    locationType : int
        What the memory lies on: 1 is a device.
    devId : int
        The number of that device.

    Examples
    --------
    >>> cp.cuda.runtime.MemPoolProps(1, 0, 1, 0).devId
    0
    """

    def __init__(self, allocType: int, handleType: int, locationType: int, devId: int) -> None:
        self.allocType, self.handleType = int(allocType), int(handleType)
        self.locationType, self.devId = int(locationType), int(devId)


class _CpuPool:
    """A pool of the CPU's under a handle: its memory, and the numbers that CUDA keeps of a pool."""

    def __init__(self, pool: Any) -> None:
        self.pool = pool
        self.threshold = self.reserved_high = self.used_high = 0
        self.reuse = {1: 1, 2: 1, 3: 1}

    def number(self, which: int) -> int:
        used = int(self.pool.used())
        reserved = used + int(self.pool.free_bytes())
        self.used_high, self.reserved_high = max(self.used_high, used), max(self.reserved_high, reserved)
        known = {
            memPoolAttrReleaseThreshold: self.threshold,
            memPoolAttrReservedMemCurrent: reserved,
            memPoolAttrReservedMemHigh: self.reserved_high,
            memPoolAttrUsedMemCurrent: used,
            memPoolAttrUsedMemHigh: self.used_high,
            **self.reuse,
        }
        if which not in known:
            raise CUDARuntimeError(errorInvalidValue)
        return known[which]


_FIRST = 1
_cpu_pools: dict[int, _CpuPool] = {_FIRST: _CpuPool(_core.Pool.default())}
_cpu_current = [_FIRST]
_handles = itertools.count(_FIRST + 1)


def _check_device(device: int) -> None:
    from .runtime import check_device

    check_device(int(device))


def _cpu_pool(handle: int) -> _CpuPool:
    found = _cpu_pools.get(int(handle))
    if found is None:
        raise CUDARuntimeError(errorInvalidValue)
    return found


def deviceGetDefaultMemPool(device: int) -> int:
    """Return the handle of the pool that a device began with.

    Examples
    --------
    >>> cp.cuda.runtime.deviceGetDefaultMemPool(0) != 0
    True
    """
    _check_device(device)
    if _core.current_gpu() is None:
        return _FIRST
    with errors_by_number():
        return int(_core.memory_pool(int(device), True))


def deviceGetMemPool(device: int) -> int:
    """Return the handle of the pool that `mallocAsync` takes memory from.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.deviceGetMemPool(0) == runtime.deviceGetDefaultMemPool(0)
    True
    """
    _check_device(device)
    if _core.current_gpu() is None:
        return _cpu_current[0]
    with errors_by_number():
        return int(_core.memory_pool(int(device), False))


def deviceSetMemPool(device: int, pool: int) -> None:
    """Set the pool that `mallocAsync` takes memory from.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.deviceSetMemPool(0, runtime.deviceGetDefaultMemPool(0))
    """
    _check_device(device)
    if _core.current_gpu() is None:
        _cpu_pool(pool)
        _cpu_current[0] = int(pool)
        return
    with errors_by_number():
        _core.set_memory_pool(int(device), int(pool))


def memPoolCreate(props: MemPoolProps) -> int:
    """Return the handle of a new pool, to be let go of with `memPoolDestroy`.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))
    >>> runtime.memPoolGetAttribute(pool, runtime.memPoolAttrUsedMemCurrent)
    0
    >>> runtime.memPoolDestroy(pool)
    """
    gpu = _core.current_gpu()
    if gpu is not None:
        numbers = [props.allocType, props.handleType, props.locationType, props.devId]
        with errors_by_number():
            return int(_core.create_memory_pool(gpu, numbers, 0))
    kind = (props.allocType, props.handleType, props.locationType)
    if kind != (memAllocationTypePinned, memHandleTypeNone, memLocationTypeDevice):
        raise CUDARuntimeError(errorInvalidValue)
    if props.devId != 0:
        raise CUDARuntimeError(errorInvalidDevice)
    handle = next(_handles)
    _cpu_pools[handle] = _CpuPool(_core.Pool())
    return handle


def memPoolDestroy(pool: int) -> None:
    """Let go of a pool; memory of it that is in use stays until it is freed.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> runtime.memPoolDestroy(runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0)))
    """
    if _core.current_gpu() is not None:
        with errors_by_number():
            _core.destroy_memory_pool(int(pool))
        return
    _cpu_pool(pool)
    if int(pool) == _FIRST:
        raise CUDARuntimeError(errorInvalidValue)
    if _cpu_current[0] == int(pool):
        _cpu_current[0] = _FIRST
    del _cpu_pools[int(pool)]


def memPoolGetAttribute(pool: int, attr: int) -> int:
    """Return one of a pool's numbers: what it holds, what is in use, from where on it gives back.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> pool = runtime.deviceGetDefaultMemPool(0)
    >>> runtime.memPoolGetAttribute(pool, runtime.memPoolAttrReservedMemCurrent) >= 0
    True
    """
    if _core.current_gpu() is None:
        return _cpu_pool(pool).number(int(attr))
    with errors_by_number():
        return int(_core.memory_pool_attribute(int(pool), int(attr)))


def memPoolSetAttribute(pool: int, attr: int, value: Any) -> None:
    """Set one of a pool's numbers; the highest ones can only be set to 0, to begin anew.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))
    >>> runtime.memPoolSetAttribute(pool, runtime.memPoolAttrReleaseThreshold, 1 << 20)
    >>> runtime.memPoolGetAttribute(pool, runtime.memPoolAttrReleaseThreshold)
    1048576
    >>> runtime.memPoolDestroy(pool)
    """
    attr, value = int(attr), int(value)
    if _core.current_gpu() is not None:
        with errors_by_number():
            _core.set_memory_pool_attribute(int(pool), attr, value)
        return
    found = _cpu_pool(pool)
    if attr in found.reuse:
        found.reuse[attr] = value
    elif attr == memPoolAttrReleaseThreshold:
        found.threshold = value
    elif attr == memPoolAttrReservedMemHigh and value == 0:
        found.reserved_high = 0
    elif attr == memPoolAttrUsedMemHigh and value == 0:
        found.used_high = 0
    else:
        raise CUDARuntimeError(errorInvalidValue)


def memPoolTrimTo(pool: int, size: int) -> None:
    """Give back what a pool keeps for later beyond so many bytes, once the work so far is done.

    Examples
    --------
    >>> cp.cuda.runtime.memPoolTrimTo(cp.cuda.runtime.deviceGetDefaultMemPool(0), 0)
    """
    gpu = _core.current_gpu()
    if gpu is None:
        found = _cpu_pool(pool)
        if found.number(memPoolAttrReservedMemCurrent) > int(size):
            found.pool.free_all()
        return
    with errors_by_number():
        _core.trim_memory_pool(gpu, int(pool), int(size))


class _OrderedBlock:
    """Memory of a GPU that `free` and `freeAsync` let go of."""

    def __init__(self, gpu: int, ptr: int) -> None:
        self.gpu, self.ptr = gpu, ptr

    def let_go(self, stream: int) -> None:
        with errors_by_number():
            _core.gpu_free_async(self.gpu, self.ptr, stream)


def mallocAsync(size: int, stream: int) -> int:
    """Return the address of new memory of the current pool, for work of a stream from now on.

    Examples
    --------
    >>> address = cp.cuda.runtime.mallocAsync(64, 0)
    >>> cp.cuda.runtime.freeAsync(address, 0)
    """
    gpu = _core.current_gpu()
    if gpu is None:
        return mallocFromPoolAsync(size, _cpu_current[0], stream)
    return _ordered(gpu, size, stream, None)


def mallocFromPoolAsync(size: int, pool: int, stream: int) -> int:
    """Return the address of new memory of a pool, for work of a stream from now on.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> address = runtime.mallocFromPoolAsync(64, runtime.deviceGetDefaultMemPool(0), 0)
    >>> runtime.freeAsync(address, 0)
    """
    gpu = _core.current_gpu()
    if gpu is not None:
        return _ordered(gpu, size, stream, int(pool))
    block = _cpu_pool(pool).pool.allocate(int(size))
    _blocks[block.address] = block
    return int(block.address)


def _ordered(gpu: int, size: int, stream: int, pool: int | None) -> int:
    if size == 0:
        return 0
    with errors_by_number():
        address = int(_core.gpu_malloc_async(gpu, int(size), int(stream), pool))
    _blocks[address] = _OrderedBlock(gpu, address)
    return address


def freeAsync(ptr: int, stream: int) -> None:
    """Let go of memory when a stream's work so far is done.

    Examples
    --------
    >>> cp.cuda.runtime.freeAsync(cp.cuda.runtime.mallocAsync(64, 0), 0)
    """
    block = _blocks.get(int(ptr))
    if isinstance(block, _OrderedBlock):
        block.let_go(int(stream))
        del _blocks[int(ptr)]
    else:
        free(ptr)

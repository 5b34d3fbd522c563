"""Arrays of the host's memory that a device can reach, under Numba's names."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

import cuprum
from cuprum._stored._array import refuse_objects
from cuprum.jit import _arguments
from cuprum.jit._arguments import Gathered
from cuprum.jit._types import Array, Type

from ._arrays import dtype_of, is_default, to_device
from ._records import c_strides, dense_strides, span

__all__ = [
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "pinned",
    "pinned_array",
    "pinned_array_like",
]


def _layout(shape: Any, dtype: Any, strides: Any, order: str) -> tuple[Any, Any, Any, int]:
    """Return shape, dtype and strides of an array that is to be made, and its bytes."""
    sizes = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))
    kind = dtype_of(dtype)
    refuse_objects("array", kind)
    if strides is None:
        turned = sizes[::-1] if order == "F" else sizes
        strides = c_strides(turned, kind.itemsize)
        strides = strides[::-1] if order == "F" else strides
    return sizes, kind, tuple(strides), max(span(sizes, tuple(strides), kind.itemsize), 1)


def pinned_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C") -> Any:
    """Return a NumPy array on pinned memory."""
    sizes, kind, steps, nbytes = _layout(shape, dtype, strides, order)
    memory = np.frombuffer(cuprum.cuda.alloc_pinned_memory(nbytes), np.uint8, nbytes)
    return np.ndarray(sizes, kind, memory, 0, steps)


def pinned_array_like(ary: Any) -> Any:
    """Return a NumPy array on pinned memory with the shape, dtype and order of another."""
    strides = dense_strides(ary.shape, ary.strides, ary.dtype.itemsize)
    return pinned_array(ary.shape, ary.dtype, strides)


class _ReachableArray(np.ndarray[Any, Any]):
    """A NumPy array whose memory kernels use themselves, without a copy."""

    _memory: Any = None
    stream: Any = 0

    def __array_finalize__(self, source: Any) -> None:
        self._memory = getattr(source, "_memory", None)
        self.stream = getattr(source, "stream", 0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._memory is None:
            raise AttributeError("the array has been copied to memory that no device reaches")
        # As of arrays on the device: on the CPU it is there under `cuprum run` alone.
        shown: dict[str, Any] = cuprum.empty(0).__cuda_array_interface__
        found = {**shown, **self.__array_interface__, "version": 3}
        found["stream"] = None if is_default(self.stream) else int(self.stream)
        return found

    def __cuprum_kind__(self) -> Type:
        return Array(self.dtype, self.ndim, self.flags.c_contiguous, self.flags.writeable)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Return the elements as an ordinary NumPy array, or copy them into one."""
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary


def _reachable(array: _ReachableArray, to: Gathered) -> Any:
    if array._memory is None:
        return _arguments.gather_one(np.asarray(array), to)
    return _arguments.by_address(array, to)


_arguments.register(_ReachableArray, _reachable)


def _over(memory: Any, shape: Any, dtype: Any, strides: Any, nbytes: int, stream: Any) -> Any:
    raw: Any = (ctypes.c_char * nbytes).from_address(memory.ptr)
    array = np.ndarray(shape, dtype, raw, 0, strides).view(_ReachableArray)
    array._memory = memory
    array.stream = stream
    return array


def managed_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: str = "C",
    stream: Any = 0,
    attach_global: bool = True,
) -> Any:
    """Return an array that the host and the device both use, without copies."""
    sizes, kind, steps, nbytes = _layout(shape, dtype, strides, order)
    return _over(cuprum.cuda.malloc_managed(nbytes), sizes, kind, steps, nbytes, stream)


def mapped_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: str = "C",
    stream: Any = 0,
    portable: bool = False,
    wc: bool = False,
) -> Any:
    """Return an array of the host's memory that kernels use without copies."""
    sizes, kind, steps, nbytes = _layout(shape, dtype, strides, order)
    return _over(cuprum.cuda.alloc_pinned_memory(nbytes), sizes, kind, steps, nbytes, stream)


def mapped_array_like(ary: Any, stream: Any = 0, portable: bool = False, wc: bool = False) -> Any:
    """Return an array of the host's memory, with the shape, dtype and order of another, that kernels use
    without copies.
    """
    strides = dense_strides(ary.shape, ary.strides, ary.dtype.itemsize)
    return mapped_array(ary.shape, ary.dtype, strides, stream=stream)


@contextlib.contextmanager
def pinned(*arylist: Any) -> Iterator[None]:
    """Hold arrays in place while they are copied; copies work without it too, so that nothing needs to be
    done.
    """
    for array in arylist:
        if not isinstance(array, np.ndarray):
            raise TypeError(f"pinned: expected NumPy arrays, got {type(array).__name__}")
    yield


@contextlib.contextmanager
def mapped(*arylist: Any, **kws: Any) -> Iterator[Any]:
    """Give arrays on the device for arrays of the host, and copy them back at the end."""
    devices = [to_device(array) for array in arylist]
    yield devices[0] if len(devices) == 1 else devices
    for array, device in zip(arylist, devices, strict=True):
        device.copy_to_host(array)

"""Arrays of other libraries on the device, by their description."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum
from cuprum.jit._arguments import foreign_array

from . import config
from ._arrays import DeviceNDArray, is_raw
from ._records import c_strides, span
from ._streams import external_stream

__all__ = ["as_cuda_array", "from_cuda_array_interface", "is_cuda_array"]


def is_cuda_array(obj: Any) -> bool:
    """Return whether an object shows memory of a device."""
    return isinstance(obj, (DeviceNDArray, cuprum.ndarray)) or hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """Return an array of another library on the device, without a copy."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if not is_cuda_array(obj):
        raise TypeError("as_cuda_array: the object has no __cuda_array_interface__")
    if issubclass(type(obj), cuprum.ndarray):
        return DeviceNDArray._of(obj)  # type: ignore[no-any-return]
    return from_cuda_array_interface(obj.__cuda_array_interface__, obj, sync)


class _Described:
    def __init__(self, description: dict[str, Any], owner: Any) -> None:
        self.__cuda_array_interface__ = description
        self._owner = owner


def from_cuda_array_interface(desc: dict[str, Any], owner: Any = None, sync: bool = True) -> DeviceNDArray:
    """Return the array that a description shows."""
    if desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    kind = np.dtype(desc.get("descr") if "V" in desc["typestr"] else desc["typestr"])
    stream: Any = 0
    if desc.get("stream"):
        stream = external_stream(desc["stream"])
        if sync and config.CUDA_ARRAY_INTERFACE_SYNC:
            stream.synchronize()
    if not is_raw(kind):
        found = foreign_array(_Described(desc, owner))
        return DeviceNDArray._of(found, stream=stream)  # type: ignore[no-any-return]
    shape = tuple(desc["shape"])
    strides = desc.get("strides") or c_strides(shape, kind.itemsize)
    count = span(shape, strides, kind.itemsize)
    flat = {**desc, "shape": (count,), "typestr": "|u1", "strides": None}
    flat.pop("descr", None)
    return DeviceNDArray._of(  # type: ignore[no-any-return]
        foreign_array(_Described(flat, owner)),
        kind,
        shape,
        tuple(strides),
        stream,
    )

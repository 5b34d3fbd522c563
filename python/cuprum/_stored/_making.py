"""How arrays of stored dtypes come about: beside `cp.zeros`, `cp.array` and `a.view`."""

from __future__ import annotations

import datetime
import math
import operator
from typing import Any

import numpy as np

from .. import _core
from .._convert import as_shape
from .._core import ndarray
from ._array import StoredArray, checked_dtype, is_stored, upload
from ._records import RecordArray
from ._swapped import SwappedArray
from ._times import TimeArray

__all__ = ["converted", "instead", "joined", "made_of", "stored_like", "stored_of", "viewed"]


_DESCRIPTIONS = ("__cuda_array_interface__", "__cupy_get_ndarray__")
"""How objects that are no arrays show the memory of one."""


def stored_of(data: ndarray, dtype: np.dtype[Any], base: Any = None, pitch: int | None = None) -> Any:
    """Return bytes as elements of a dtype."""
    kinds = {"V": RecordArray, "M": TimeArray, "m": TimeArray}
    return kinds.get(dtype.kind, SwappedArray)(data, dtype, base, pitch)


def made_of(host: np.ndarray) -> Any:
    """Return a NumPy array of a stored dtype on the current device."""
    dtype = checked_dtype("array", host.dtype)
    return stored_of(upload(host), dtype)


def _stored_dtype(dtype: Any) -> np.dtype[Any] | None:
    """Return the dtype that is meant, where arrays of it are stored."""
    if dtype is None:
        return None
    try:
        found = np.dtype(dtype)
    except TypeError:
        return None
    return found if is_stored(found) else None


def instead(error: TypeError, op: str, *arguments: Any) -> Any:
    """Return what a function that creates arrays makes of a stored dtype, or raise what it raised."""
    if op == "array":
        made = _array(*arguments)
        if made is None:
            raise error
        return made
    shape, value, dtype, order = arguments
    if op == "full" and dtype is None and isinstance(value, (datetime.date, datetime.timedelta)):
        value = np.asarray(value, "m8" if isinstance(value, datetime.timedelta) else "M8")
    found = _stored_dtype(dtype if dtype is not None or op != "full" else getattr(value, "dtype", None))
    if found is None and op == "full" and getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m"):
        dates = value if isinstance(value, TimeArray) else made_of(np.asarray(value))
        return _core.full(shape, dates._ticks, dtype, order)
    if found is None:
        raise error
    checked_dtype(op, found)
    dims = as_shape(shape)
    if order == "F":
        data = _core.zeros((*dims[::-1], found.itemsize), np.uint8, "C")
        data = data.transpose((*range(len(dims))[::-1], len(dims)))
    else:
        make = _core.empty if op == "empty" else _core.zeros
        data = make((*dims, found.itemsize), np.uint8, "C")
    made = stored_of(data, found)
    if op in ("ones", "full"):
        made._filled_with(value)
    return made


def _array(source: Any, dtype: Any, copy: Any, order: Any, ndmin: int) -> Any:
    """Return something as an array of a stored dtype; None where it is none."""
    wanted = _stored_dtype(dtype)
    nested = _nested(source)
    if nested is not None:
        return _core.array(nested, dtype, None, "K" if order is None else order, ndmin)
    described = _described(source)
    if described is not None:
        source = described
    if isinstance(source, StoredArray):
        made = source.copy() if copy else source
        if dtype is not None:
            made = made.astype(np.dtype(dtype), copy=False)
    elif wanted is not None and isinstance(source, _core.ndarray):
        checked_dtype("array", wanted)
        made = stored_of(_core.zeros((wanted.itemsize,), np.uint8, "C"), wanted)._of_numbers(source)
    elif wanted is not None:
        made = made_of(np.array(source, checked_dtype("array", wanted)))
    else:
        host = source if isinstance(source, (np.ndarray, np.generic)) else None
        if host is None and isinstance(source, (list, tuple)):
            host = _joined([item.get() if isinstance(item, StoredArray) else item for item in source])
        elif host is None and hasattr(type(source), "__array__") and not isinstance(source, _core.ndarray):
            host = np.asarray(source)
        if host is None or dtype is not None or not is_stored(host.dtype):
            return None
        made = made_of(np.asarray(host))
    missing = ndmin - made.ndim
    return made[(None,) * missing] if missing > 0 else made


class _Bytes:
    """The bytes of an object that describes its memory by `__cuda_array_interface__`."""

    def __init__(self, interface: dict[str, Any], owner: Any) -> None:
        self.__cuda_array_interface__ = interface
        self.owner = owner


def _described(source: Any) -> Any:
    """Return an object's memory as structures or dates, if that is what it describes; None otherwise."""
    if isinstance(source, (StoredArray, _core.ndarray, np.ndarray, np.generic, list, tuple)):
        return None
    interface = getattr(source, "__cuda_array_interface__", None)
    if interface is None:
        return None
    dtype = np.dtype(interface["typestr"])
    if dtype.kind == "V" and interface.get("descr"):
        # Unlike `np.dtype`, this takes unnamed bytes between fields for what they are: padding.
        dtype = np.lib.format.descr_to_dtype(interface["descr"])
    if dtype.kind not in "VMm":
        return None
    checked_dtype("array", dtype)
    shape, strides = tuple(interface["shape"]), interface.get("strides")
    if strides is None:
        strides = [dtype.itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    if dtype.kind in "Mm" and any(step % 8 for step in strides):
        raise ValueError(f"array: elements {tuple(strides)} bytes apart are not aligned for {dtype}")
    flat = {**interface, "shape": (*shape, dtype.itemsize), "typestr": "|u1", "strides": (*strides, 1)}
    flat.pop("descr", None)
    data = _core.array(_Bytes(flat, source), None, None, "K")
    return stored_of(data, dtype, source, 0)


def _nested(source: Any) -> Any:
    """Return a list of objects that describe their memory, or of such lists, as one array; None otherwise."""
    if not isinstance(source, (list, tuple)) or not source:
        return None
    parts = []
    for item in source:
        part = _nested(item)
        is_described = any(hasattr(item, name) for name in _DESCRIPTIONS)
        if part is None and is_described and not isinstance(item, StoredArray):
            part = _core.array(item, None, None, "K")
        if part is None:
            return None
        parts.append(part)
    return _core.stack(parts)


def joined(error: TypeError, op: str, arrays: Any, axis: Any, out: Any, dtype: Any, casting: Any) -> Any:
    """Return arrays of stored dtypes as `concatenate` or `stack` joins them, or raise what that raised."""
    items = list(arrays) if isinstance(arrays, (list, tuple)) else []
    if not any(is_stored(getattr(item, "dtype", None)) for item in items):
        raise error
    parts = [_part(item) for item in items]
    if any(part is None for part in parts):
        raise error
    if dtype is None:
        found = out.dtype if out is not None else np.result_type(*(part.dtype for part in parts))
    else:
        found = np.dtype(dtype)
    if op == "concatenate" and axis is not None and not all(part.ndim for part in parts):
        raise ValueError(f"{op}: zero-dimensional arrays cannot be concatenated")
    # A number stands for an axis of elements, never for that of their bytes.
    ndim = parts[0].ndim + (op == "stack")
    place = 0 if axis is None else operator.index(axis)
    if not -ndim <= place < max(ndim, 1):
        raise np.exceptions.AxisError(place, ndim, op)
    parts = [
        part.astype(found, casting=casting, copy=False)
        if isinstance(part, StoredArray)
        else converted(part, found, casting)
        for part in parts
    ]
    data = [(part.ravel() if axis is None else part)._bytes for part in parts]
    made = stored_of(_in_order(data, op, place % max(ndim, 1)), found)
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError(f"{op}: out has shape {out.shape}, the result {made.shape}")
    out[...] = made
    return out


def _in_order(data: list[ndarray], op: str, axis: int) -> ndarray:
    """Return bytes joined, the axes of elements in the order in memory that joined numbers would have."""
    joined: ndarray = getattr(_core, op)(data, axis)
    if all(part.flags.c_contiguous for part in data):
        return joined
    # One byte of each element lies as the elements do.
    strides = getattr(_core, op)([part[..., 0] for part in data], axis).strides
    order = sorted(range(len(strides)), key=lambda one: -abs(strides[one]))
    if order == [*range(len(order))]:
        return joined
    last = len(order)
    return joined.transpose((*order, last)).copy().transpose((*(order.index(i) for i in range(last)), last))


def _part(item: Any) -> Any:
    """Return what is joined as an array, of a stored dtype or plain; None where it is none."""
    if isinstance(item, StoredArray) or issubclass(type(item), ndarray):
        return item
    made = _array(item, None, None, None, 0)
    if made is not None or not isinstance(item, (int, float, list, tuple, np.ndarray, np.generic)):
        return made
    return _core.array(item, None, None, "K")


def _joined(items: Any) -> np.ndarray | None:
    """Return a list of the host's dates or structures as one NumPy array."""
    try:
        host = np.array(items)
    except (TypeError, ValueError):
        return None
    return host if is_stored(host.dtype) else None


def converted(a: ndarray, dtype: np.dtype[Any], casting: Any = None) -> Any:
    """Return a plain array's numbers as elements of a stored dtype."""
    checked_dtype("astype", dtype)
    if not np.can_cast(a.dtype, dtype, "unsafe" if casting is None else casting):
        raise TypeError(
            f"astype: cannot cast from {a.dtype!r} to {dtype!r} according to the rule {casting!r}"
        )
    return stored_of(_core.zeros((dtype.itemsize,), np.uint8, "C"), dtype)._of_numbers(a)


def stored_like(prototype: Any, dtype: Any, order: Any, shape: Any) -> tuple[Any, Any]:
    """Return the shape and the dtype of an array like another."""
    dims = prototype.shape if shape is None else as_shape(shape)
    return dims, prototype.dtype if dtype is None else dtype


def viewed(a: ndarray, dtype: np.dtype[Any], last: bool = False) -> Any:
    """Return the memory of a plain array as elements of a stored dtype; `last` where its last axis is bytes.

    Lengths change along the last axis, as in NumPy.
    """
    data = a if last else _as_bytes(a)
    size = data.shape[-1]
    if not is_stored(dtype):
        return _as_numbers(data, dtype, size)
    checked_dtype("view", dtype)
    grouped = _regrouped(data, size, dtype.itemsize)
    if dtype.kind in "Mm" and grouped.size and any(stride % 8 for stride in grouped.strides[:-1]):
        raise ValueError(f"view: elements {grouped.strides[:-1]} bytes apart are not aligned for {dtype}")
    base = getattr(a, "base", None)
    pitch = math.gcd(size, dtype.itemsize) if size % 8 == 0 and not last else 0
    return stored_of(grouped, dtype, a if base is None else base, pitch)


def _as_bytes(a: ndarray) -> ndarray:
    """Return a view of a plain array with the bytes of an element along a last axis."""
    if a.size == 0:
        return _core.zeros((*a.shape, a.dtype.itemsize), np.uint8, "C")
    return a[..., None].view(np.uint8)


def _regrouped(data: ndarray, size: int, wanted: int) -> ndarray:
    """Return bytes in elements of another size, along the last axis of the elements."""
    if size == wanted:
        return data
    if data.ndim == 1:
        raise ValueError(
            "view: changing the dtype of a 0d array is only supported if the itemsize is unchanged"
        )
    length, stride = data.shape[-2], data.strides[-2]
    if stride != size and length > 1:
        raise ValueError("view: to change to a dtype of a different size, the last axis must be contiguous")
    total = length * size
    if wanted == 0:
        raise TypeError("view: elements of no bytes are not supported")
    if wanted < size and size % wanted:
        raise ValueError(f"view: elements of {size} bytes are not made of whole ones of {wanted}")
    if total % wanted:
        raise ValueError(
            f"view: the last axis has {total} bytes, which elements of {wanted} bytes do not divide"
        )
    return data.reshape((*data.shape[:-2], total // wanted, wanted))


def _as_numbers(data: ndarray, dtype: np.dtype[Any], size: int) -> Any:
    grouped = _regrouped(data, size, dtype.itemsize)
    return grouped.view(dtype)[..., 0]

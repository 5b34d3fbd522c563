"""Arrays on the device under Numba's names, and arrays of the host that a device can reach."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

import cuprum
from cuprum.jit import _arguments
from cuprum.jit._arguments import Gathered
from cuprum.jit._types import Array, Type

__all__ = [
    "DeviceNDArray",
    "as_cuda_array",
    "device_array",
    "device_array_like",
    "from_cuda_array_interface",
    "is_cuda_array",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "to_device",
]


class DeviceNDArray:
    """An array on the device: a view of a `cuprum.ndarray`, or of its bytes where the dtype is structured.

    Attributes
    ----------
    shape, strides, dtype, ndim, size, nbytes
        As of NumPy's arrays.
    """

    __slots__ = (
        "__weakref__",
        "_array",
        "_cuprum_array",
        "_key",
        "_leaves",
        "dtype",
        "ndim",
        "shape",
        "size",
        "strides",
    )

    def __init__(self, array: Any, dtype: Any = None, shape: tuple[int, ...] | None = None) -> None:
        self._array = array
        self._cuprum_array = array if dtype is None else None
        self.dtype = np.dtype(array.dtype if dtype is None else dtype)
        self.shape: tuple[int, ...] = array.shape if shape is None else shape
        self.ndim = len(self.shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        if dtype is None:
            self.strides: tuple[int, ...] = array.strides
        else:
            self.strides = np.empty(self.shape, self.dtype).strides if self.size < 2**20 else _c_strides(self)
        self._leaves: list[Any] | None = None
        self._key: Any = None

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def alloc_size(self) -> int:
        """The bytes of the memory."""
        return self.nbytes

    @property
    def T(self) -> DeviceNDArray:
        """The transposed array."""
        return self.transpose()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.dtype.names is None:
            found: dict[str, Any] = self._array.__cuda_array_interface__
            return found
        inner = self._array.__cuda_array_interface__
        return {
            **inner,
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "strides": None,
        }

    @property
    def flags(self) -> dict[str, bool]:
        """Whether rows, or columns, lie together in memory, by NumPy's names."""
        return {"C_CONTIGUOUS": self.is_c_contiguous(), "F_CONTIGUOUS": self.is_f_contiguous()}

    def is_c_contiguous(self) -> bool:
        """Return whether rows lie together in memory."""
        return bool(self.dtype.names) or bool(self._array.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Return whether columns lie together in memory."""
        return not self.dtype.names and bool(self._array.flags.f_contiguous)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Return the elements as a NumPy array, or copy them into one."""
        with _on(stream):
            host = self._array.get()
        if self.dtype.names:
            host = host.view(self.dtype).reshape(self.shape)
        if ary is None:
            return host
        if ary.shape != self.shape or ary.dtype != self.dtype:
            raise TypeError(f"copy_to_host: expected {self.dtype}{self.shape}, got {ary.dtype}{ary.shape}")
        ary[...] = host
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy the elements of another array, of the host or a device, into this one."""
        source = ary._array if isinstance(ary, DeviceNDArray) else ary
        if self.size == 0:
            return
        with _on(stream):
            if self.dtype.names:
                if not isinstance(ary, DeviceNDArray):
                    source = np.ascontiguousarray(np.asarray(ary, self.dtype)).reshape(-1).view(np.uint8)
                self._array[...] = cuprum.asarray(source)
                return
            given = source if hasattr(source, "__cuda_array_interface__") else np.asarray(source)
            if given.size != self.size or (given.shape != self.shape and given.ndim != self.ndim):
                raise ValueError(f"copy_to_device: shapes {given.shape} and {self.shape} differ")
            self._array[...] = cuprum.asarray(given).reshape(self.shape)

    def _plain(self, what: str) -> Any:
        if self.dtype.names:
            raise NotImplementedError(f"{what} of arrays of structured dtype; use copy_to_host().{what}()")
        return self._array

    def copy(self) -> DeviceNDArray:
        """Return a copy on the device."""
        if self.dtype.names:
            return DeviceNDArray(self._array.copy(), self.dtype, self.shape)
        return DeviceNDArray(self._array.copy())

    def reshape(self, *newshape: Any, order: str = "C") -> DeviceNDArray:
        """Return the array with other axes."""
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)) else newshape
        if self.dtype.names:
            sizes = np.empty(self.shape, np.int8).reshape(shape).shape
            return DeviceNDArray(self._array, self.dtype, sizes)
        return DeviceNDArray(self._array.reshape(shape, order=order))

    def ravel(self, order: str = "C", stream: Any = 0) -> DeviceNDArray:
        """Return the array with one axis."""
        return self.reshape(-1, order=order)

    def squeeze(self, axis: Any = None, stream: Any = 0) -> DeviceNDArray:
        """Return the array without axes of length one."""
        return DeviceNDArray(self._plain("squeeze").squeeze(axis))

    def transpose(self, axes: Any = None) -> DeviceNDArray:
        """Return the array with its axes in another order."""
        return DeviceNDArray(self._plain("transpose").transpose(axes))

    def view(self, dtype: Any) -> DeviceNDArray:
        """Return the same bytes as another dtype."""
        return DeviceNDArray(self._plain("view").view(dtype))

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceNDArray]:
        """Return pieces of a length, one after the other."""
        if self.ndim != 1:
            raise ValueError("split: only arrays of one axis can be split")
        for start in range(0, self.size, section):
            yield self[start : start + section]

    def __getitem__(self, item: Any) -> Any:
        if self.dtype.names:
            return self._record_item(item)
        found = self._array[item]
        if found.ndim == 0 and not (isinstance(item, tuple) and Ellipsis in item):
            return found.get()[()]
        return DeviceNDArray(found)

    def _record_item(self, item: Any) -> Any:
        if isinstance(item, str):
            raise NotImplementedError("fields of arrays on the device; use copy_to_host()[field]")
        if isinstance(item, slice) and item.step in (None, 1) and self.ndim == 1:
            start, stop, _ = item.indices(self.size)
            size = max(stop - start, 0)
            bytes_ = self._array[start * self.dtype.itemsize : (start + size) * self.dtype.itemsize]
            return DeviceNDArray(bytes_, self.dtype, (size,))
        return self.copy_to_host()[item]

    def getitem(self, item: Any, stream: Any = 0) -> Any:
        """Return `self[item]`."""
        with _on(stream):
            return self[item]

    def __setitem__(self, item: Any, value: Any) -> None:
        if isinstance(value, DeviceNDArray):
            value = value._array
        self._plain("assignment to elements")[item] = value

    def setitem(self, item: Any, value: Any, stream: Any = 0) -> None:
        """Do `self[item] = value`."""
        with _on(stream):
            self[item] = value

    def bind(self, stream: Any = 0) -> DeviceNDArray:
        """Return the array; launches name their stream themselves."""
        return self

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __cuprum_kind__(self) -> Type:
        contiguous = self.is_c_contiguous()
        writable = True if self.dtype.names else self._array.flags.writeable
        return Array(self.dtype, self.ndim, contiguous, writable)

    def __repr__(self) -> str:
        return f"<DeviceNDArray {self.dtype}{self.shape}>"


def _c_strides(array: DeviceNDArray) -> tuple[int, ...]:
    out, step = [], array.dtype.itemsize
    for size in array.shape[::-1]:
        out.append(step)
        step *= size
    return tuple(out[::-1])


def _given(array: DeviceNDArray, to: Gathered) -> Any:
    """Add an array to the arguments of a launch; what is given is the same at every launch."""
    leaves = array._leaves
    if leaves is None:
        own = Gathered(False, to.gpu, to.number)
        if array.dtype.names:
            own.leaves += [array._array, *array.shape]
            array._key = ("a", array.dtype, array.ndim, True, True)
        else:
            array._key = _arguments.gather_one(array._array, own)
        leaves = array._leaves = own.leaves
    to.leaves.extend(leaves)
    return array._key


_arguments.register(DeviceNDArray, _given)


@contextlib.contextmanager
def _on(stream: Any) -> Iterator[None]:
    """Do work on a stream: 0 and None are the current one."""
    if stream is None or (isinstance(stream, int) and stream == 0):
        yield
        return
    with stream:
        yield


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> DeviceNDArray:
    """Copy an array or a number to the device.

    Parameters
    ----------
    obj : array_like
        What is copied.
    stream : Stream, optional
        The stream of the copy.
    copy : bool, optional
        Whether the elements are copied: without, only the memory is made.
    to : DeviceNDArray, optional
        An array on the device that takes the elements.

    Returns
    -------
    DeviceNDArray

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> cuda.to_device([1.0, 2.0]).copy_to_host()
    array([1., 2.])
    """
    if to is None and isinstance(obj, DeviceNDArray):
        to = device_array_like(obj)
    if to is None and hasattr(obj, "__cuda_array_interface__") and not isinstance(obj, np.ndarray):
        with _on(stream):
            return DeviceNDArray(cuprum.asarray(obj).copy())
    if to is None:
        host = np.asarray(obj)
        if host.dtype.hasobject or host.dtype.kind in "SUMm":
            raise TypeError(f"to_device: arrays of dtype {host.dtype} cannot be on the device")
        if copy and not host.dtype.names:
            with _on(stream):
                return DeviceNDArray(cuprum.array(host, order="K"))
        to = device_array_like(host)
    if copy:
        to.copy_to_device(obj, stream=stream)
    return to  # type: ignore[no-any-return]


def device_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C", stream: Any = 0
) -> DeviceNDArray:
    """Make an array on the device; its elements are not set.

    Parameters
    ----------
    shape : int or tuple of ints
        The lengths of the axes.
    dtype : dtype, optional
        The type of the elements.
    strides : tuple of ints, optional
        The strides in bytes, if they are those of a contiguous array.
    order : {'C', 'F'}, optional
        Whether rows or columns lie together.
    stream : Stream, optional
        Without effect.

    Returns
    -------
    DeviceNDArray

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> cuda.device_array((2, 3), "float32").shape
    (2, 3)
    """
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    kind = _dtype(dtype)
    if kind.names:
        count = int(np.prod(sizes, dtype=np.int64)) * kind.itemsize
        return DeviceNDArray(cuprum.empty(count, np.uint8), kind, tuple(map(int, sizes)))
    if strides is not None and tuple(strides) != np.empty(sizes, kind, order="C").strides:
        if tuple(strides) != np.empty(sizes, kind, order="F").strides:
            raise NotImplementedError(
                "device_array: strides must be those of a contiguous array; make a larger one and slice it"
            )
        order = "F"
    return DeviceNDArray(cuprum.empty(sizes, kind, order=order))


def _dtype(dtype: Any) -> np.dtype[Any]:
    from cuprum.jit._signatures import dtype_named

    found = dtype_named(dtype)
    return np.dtype(dtype) if found is None else found


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """Make an array on the device with the shape, dtype and order of another."""
    host = isinstance(ary, np.ndarray)
    fortran = ary.flags.f_contiguous if host else getattr(ary, "is_f_contiguous", lambda: False)()
    contiguous = ary.flags.c_contiguous if host else getattr(ary, "is_c_contiguous", lambda: True)()
    order = "F" if fortran and not contiguous else "C"
    return device_array(ary.shape, ary.dtype, order=order, stream=stream)


def is_cuda_array(obj: Any) -> bool:
    """Return whether an object shows memory of a device."""
    return isinstance(obj, (DeviceNDArray, cuprum.ndarray)) or hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """Return an array of another library on the device, without a copy."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if not is_cuda_array(obj):
        raise TypeError("as_cuda_array: the object has no __cuda_array_interface__")
    return DeviceNDArray(cuprum.asarray(obj))


class _Described:
    def __init__(self, description: dict[str, Any], owner: Any) -> None:
        self.__cuda_array_interface__ = description
        self._owner = owner


def from_cuda_array_interface(desc: dict[str, Any], owner: Any = None, sync: bool = True) -> DeviceNDArray:
    """Return the array that a description shows."""
    return DeviceNDArray(cuprum.asarray(_Described(desc, owner)))


# The host's memory


def pinned_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C") -> Any:
    """Return a NumPy array on pinned memory."""
    from cuprum.compat.cupyx import empty_pinned

    return empty_pinned(shape, _dtype(dtype), order)


def pinned_array_like(ary: Any) -> Any:
    """Return a NumPy array on pinned memory with the shape and dtype of another."""
    return pinned_array(ary.shape, ary.dtype)


class _ReachableArray(np.ndarray[Any, Any]):
    """A NumPy array whose memory kernels use themselves, without a copy."""

    _memory: Any = None

    def __array_finalize__(self, source: Any) -> None:
        self._memory = getattr(source, "_memory", None)

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


def _over(memory: Any, shape: Any, dtype: Any, order: str) -> Any:
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    kind = _dtype(dtype)
    count = int(np.prod(sizes, dtype=np.int64))
    raw = (ctypes.c_char * max(count * kind.itemsize, 1)).from_address(memory.ptr)
    array = np.frombuffer(raw, kind, count).reshape(sizes, order=order).view(_ReachableArray)  # type: ignore
    array._memory = memory
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
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    nbytes = max(int(np.prod(sizes, dtype=np.int64)) * _dtype(dtype).itemsize, 1)
    return _over(cuprum.cuda.malloc_managed(nbytes), shape, dtype, order)


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
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    nbytes = max(int(np.prod(sizes, dtype=np.int64)) * _dtype(dtype).itemsize, 1)
    return _over(cuprum.cuda.alloc_pinned_memory(nbytes), shape, dtype, order)


def mapped_array_like(ary: Any, stream: Any = 0, portable: bool = False, wc: bool = False) -> Any:
    """Return an array of the host's memory, with the shape and dtype of another, that kernels use without
    copies.
    """
    return mapped_array(ary.shape, ary.dtype)


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

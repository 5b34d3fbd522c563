"""Arrays on the device under Numba's names.

An array of numbers is a `cuprum.ndarray`. Arrays of records are its bytes, and shape and strides beside them:
`_records.py` finds the places of their elements and fields.
"""

from __future__ import annotations

import contextlib
import ctypes
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

import cuprum
from cuprum.jit import _arguments
from cuprum.jit._arguments import Gathered
from cuprum.jit._signatures import ArrayType, dtype_named, record_type
from cuprum.jit._types import Array, Record, Type

from ._devices import current_context
from ._ipc import IpcArrayHandle
from ._memory import MemoryPointer, NumbaCUDAMemoryManager, allocated, block_of
from ._records import (
    c_strides,
    chosen_field,
    chosen_items,
    contiguous_strides,
    dense_strides,
    from_bytes,
    span,
    to_bytes,
)

__all__ = [
    "DeviceNDArray",
    "DeviceRecord",
    "auto_device",
    "device_array",
    "device_array_like",
    "dtype_of",
    "from_record_like",
    "to_device",
]


def is_raw(dtype: np.dtype[Any]) -> bool:
    """Whether elements are held as bytes: records, texts as fields of them, and dates."""
    return dtype.names is not None or (dtype.kind in "SUVmM" and dtype.name != "bfloat16")


class DeviceNDArray:
    """An array on the device.

    Parameters
    ----------
    shape, strides : tuple of int
        The lengths of the axes, and the bytes from one element to the next along each.
    dtype : dtype
        The type of the elements.
    stream : Stream, optional
        The stream that the array belongs to.
    gpu_data : MemoryPointer, optional
        The memory, where it is there already.

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
        "_raw",
        "dtype",
        "ndim",
        "shape",
        "size",
        "stream",
        "strides",
    )

    def __init__(self, shape: Any, strides: Any, dtype: Any, stream: Any = 0, gpu_data: Any = None) -> None:
        kind = dtype_of(dtype)
        sizes, steps = _lengths(shape), _lengths(strides)
        if len(sizes) != len(steps):
            raise ValueError("strides not match ndim")
        if gpu_data is None:
            memory = allocated(current_context().memory_manager, span(sizes, steps, kind.itemsize))
        else:
            memory = block_of(gpu_data)
        if is_raw(kind):
            count = span(sizes, steps, kind.itemsize)
            self._set(cuprum.ndarray((count,), np.uint8, memory), kind, sizes, steps, stream)
        else:
            self._set(cuprum.ndarray(sizes, kind, memory, steps), None, None, None, stream)

    @classmethod
    def _of(
        cls,
        array: Any,
        dtype: Any = None,
        shape: tuple[int, ...] | None = None,
        strides: tuple[int, ...] | None = None,
        stream: Any = 0,
    ) -> Any:
        """Return the array over a `cuprum.ndarray`, or over its bytes where a dtype is given."""
        made = cls.__new__(cls)
        made._set(array, dtype, shape, strides, stream)
        return made

    def _set(self, array: Any, dtype: Any, shape: Any, strides: Any, stream: Any) -> None:
        self._array = array
        self._raw = dtype is not None
        self._cuprum_array = None if self._raw else array
        self.dtype: Any = array.dtype if dtype is None else np.dtype(dtype)
        self.shape: tuple[int, ...] = array.shape if shape is None else shape
        self.ndim = len(self.shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        if not self._raw:
            strides = array.strides
        elif strides is None:
            strides = c_strides(self.shape, self.dtype.itemsize)
        self.strides: tuple[int, ...] = strides
        self.stream = stream
        self._leaves: list[Any] | None = None
        self._key: Any = None

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return int(self.size * self.dtype.itemsize)

    @property
    def alloc_size(self) -> int:
        """The bytes of the memory, from the first element to behind the last."""
        return span(self.shape, self.strides, self.dtype.itemsize)

    @property
    def gpu_data(self) -> Any:
        """The memory, as a `MemoryPointer`."""
        address = ctypes.c_void_p(int(self._array.data.ptr))
        return MemoryPointer(current_context(), address, self.alloc_size, self._array)

    @property
    def device_ctypes_pointer(self) -> ctypes.c_void_p:
        """The address of the first element."""
        return ctypes.c_void_p(int(self._array.data.ptr))

    @property
    def _numba_type_(self) -> Any:
        if self.is_c_contiguous():
            layout = "C"
        else:
            layout = "F" if self.is_f_contiguous() else "A"
        return ArrayType(self.dtype, self.ndim, layout)

    @property
    def T(self) -> DeviceNDArray:
        """The transposed array."""
        return self.transpose()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(self._array.__cuda_array_interface__)
        found["stream"] = None if is_default(self.stream) else int(self.stream)
        if self._raw:
            found["shape"] = self.shape
            found["typestr"] = self.dtype.str
            found["descr"] = self.dtype.descr
            found["strides"] = None if self.is_c_contiguous() else self.strides
        return found

    @property
    def flags(self) -> dict[str, bool]:
        """Whether rows, or columns, lie together in memory, by NumPy's names."""
        return {"C_CONTIGUOUS": self.is_c_contiguous(), "F_CONTIGUOUS": self.is_f_contiguous()}

    def is_c_contiguous(self) -> bool:
        """Return whether rows lie together in memory."""
        if self._raw:
            return contiguous_strides(self.shape, self.strides, self.dtype.itemsize)
        return bool(self._array.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Return whether columns lie together in memory."""
        if self._raw:
            return contiguous_strides(self.shape[::-1], self.strides[::-1], self.dtype.itemsize)
        return bool(self._array.flags.f_contiguous)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Return the elements as a NumPy array, or copy them into one."""
        with _on(stream):
            host = self._array.get()
        if self._raw:
            host = from_bytes(host, self.dtype, self.shape, self.strides)
        if ary is None:
            return host
        if ary.shape != self.shape or ary.dtype != self.dtype:
            raise TypeError(f"copy_to_host: expected {self.dtype}{self.shape}, got {ary.dtype}{ary.shape}")
        if isinstance(ary, np.void):
            for name in ary.dtype.names or ():
                ary[name] = host[name]
        else:
            ary[...] = host
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy the elements of another array, of the host or a device, into this one."""
        if self.size == 0:
            return
        with _on(stream):
            if self._raw:
                host = ary.copy_to_host() if isinstance(ary, DeviceNDArray) else np.asarray(ary, self.dtype)
                self._check_shape(host)
                self._write(host.reshape(self.shape))
                return
            source = ary._array if isinstance(ary, DeviceNDArray) else ary
            given = source if hasattr(source, "__cuda_array_interface__") else np.asarray(source)
            self._check_shape(given)
            self._array[...] = cuprum.asarray(given).reshape(self.shape)

    def _check_shape(self, given: Any) -> None:
        if given.size != self.size or (given.shape != self.shape and given.ndim != self.ndim):
            raise ValueError(f"incompatible shape: {self.shape} vs. {given.shape}")

    def _write(self, host: Any) -> None:
        """Set all elements of an array of records."""
        before = None if self.is_c_contiguous() else self._array.get()
        data = to_bytes(host, self.dtype, self.shape, self.strides, before)
        self._array[: data.size] = cuprum.asarray(data)

    def _plain(self, what: str) -> Any:
        if self._raw:
            raise NotImplementedError(f"{what} of arrays of structured dtype; use copy_to_host().{what}()")
        return self._array

    def copy(self) -> DeviceNDArray:
        """Return a copy on the device."""
        if self._raw:
            made = device_array(self.shape, self.dtype)
            made._write(self.copy_to_host())
            return made
        return DeviceNDArray._of(self._array.copy())  # type: ignore[no-any-return]

    def reshape(self, *newshape: Any, order: str = "C") -> DeviceNDArray:
        """Return the array with other axes."""
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)) else newshape
        if self._raw:
            if not self.is_c_contiguous():
                raise NotImplementedError(
                    "reshape of an array of records that is not contiguous; copy it first"
                )
            sizes = np.empty(self.shape, np.int8).reshape(shape).shape
            return DeviceNDArray._of(self._array, self.dtype, sizes)  # type: ignore[no-any-return]
        return DeviceNDArray._of(self._array.reshape(shape, order=order))  # type: ignore[no-any-return]

    def ravel(self, order: str = "C", stream: Any = 0) -> DeviceNDArray:
        """Return the array with one axis."""
        return self.reshape(-1, order=order)

    def squeeze(self, axis: Any = None, stream: Any = 0) -> DeviceNDArray:
        """Return the array without axes of length one."""
        return DeviceNDArray._of(self._plain("squeeze").squeeze(axis))  # type: ignore[no-any-return]

    def transpose(self, axes: Any = None) -> DeviceNDArray:
        """Return the array with its axes in another order."""
        if self._raw:
            order = tuple(range(self.ndim))[::-1] if axes is None else tuple(operator.index(a) for a in axes)
            if sorted(order) != list(range(self.ndim)):
                raise ValueError(f"invalid axes list {order}")
            shape, strides = (tuple(one[axis] for axis in order) for one in (self.shape, self.strides))
            return DeviceNDArray._of(self._array, self.dtype, shape, strides)  # type: ignore[no-any-return]
        return DeviceNDArray._of(self._plain("transpose").transpose(axes))  # type: ignore[no-any-return]

    def view(self, dtype: Any) -> DeviceNDArray:
        """Return the same bytes as another dtype."""
        kind = dtype_of(dtype)
        if self._raw or is_raw(kind):
            return self._viewed(kind)
        return DeviceNDArray._of(self._array.view(kind))  # type: ignore[no-any-return]

    def _viewed(self, kind: np.dtype[Any]) -> DeviceNDArray:
        if not self.is_c_contiguous() or not self.shape:
            raise ValueError("To change to a dtype of a different size, the array must be C-contiguous")
        size, rest = divmod(self.shape[-1] * self.dtype.itemsize, kind.itemsize)
        if rest:
            raise ValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of "
                "the last axis of the array."
            )
        shape = (*self.shape[:-1], size)
        data = self._array if self._raw else self._array.reshape(-1).view(np.uint8)
        if is_raw(kind):
            return DeviceNDArray._of(data, kind, shape)  # type: ignore[no-any-return]
        return DeviceNDArray._of(data[: self.nbytes].view(kind).reshape(shape))  # type: ignore[no-any-return]

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceNDArray]:
        """Return pieces of a length, one after the other."""
        if self.ndim != 1:
            raise ValueError("split: only arrays of one axis can be split")
        for start in range(0, self.size, section):
            yield self[start : start + section]

    def __getitem__(self, item: Any) -> Any:
        if self._raw:
            return self._chosen(item)
        found = self._array[item]
        if found.ndim == 0 and not (isinstance(item, tuple) and Ellipsis in item):
            return found.get()[()]
        return DeviceNDArray._of(found)

    def _part(self, item: Any) -> DeviceNDArray:
        """Return the elements, or the field, of an array of records that an index chooses, as an array."""
        if isinstance(item, str):
            place = chosen_field(self.dtype, self.shape, self.strides, item)
        else:
            place = chosen_items(self.dtype, self.shape, self.strides, item)
        if is_raw(place.dtype):
            return DeviceNDArray._of(  # type: ignore[no-any-return]
                self._array[place.offset :], place.dtype, place.shape, place.strides
            )
        memory = self._array.data + place.offset
        return DeviceNDArray._of(  # type: ignore[no-any-return]
            cuprum.ndarray(place.shape, place.dtype, memory, place.strides)
        )

    def _chosen(self, item: Any) -> Any:
        found = self._part(item)
        if found.shape or (isinstance(item, tuple) and Ellipsis in item):
            return found
        if found.dtype.names:
            return DeviceRecord._of(found._array, found.dtype, (), ())
        return found.copy_to_host()[()]

    def getitem(self, item: Any, stream: Any = 0) -> Any:
        """Return `self[item]`."""
        with _on(stream):
            return self[item]

    def __setitem__(self, item: Any, value: Any) -> None:
        if self._raw:
            target = self._part(item)
            if target._raw:
                host = target.copy_to_host()
                host[...] = value.copy_to_host() if isinstance(value, DeviceNDArray) else value
                target._write(host)
                return
            target[...] = value
            return
        if isinstance(value, DeviceNDArray):
            value = value._array
        self._array[item] = value

    def setitem(self, item: Any, value: Any, stream: Any = 0) -> None:
        """Do `self[item] = value`."""
        with _on(stream):
            self[item] = value

    def bind(self, stream: Any = 0) -> Any:
        """Return the array as one that belongs to a stream."""
        if not self._raw:
            return type(self)._of(self._array, stream=stream)
        return type(self)._of(self._array, self.dtype, self.shape, self.strides, stream)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if copy is False:
            raise ValueError("`copy=False` is not possible: the elements are on the device")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __cuprum_kind__(self) -> Type:
        writable = True if self._raw else self._array.flags.writeable
        return Array(self.dtype, self.ndim, self.is_c_contiguous(), writable)

    def get_ipc_handle(self) -> IpcArrayHandle:
        """Return a handle by which another process opens the array; the CPU's memory has none."""
        handle = current_context().get_ipc_handle(self.gpu_data)
        shown = {"shape": self.shape, "strides": self.strides, "dtype": self.dtype}
        return IpcArrayHandle(handle, shown)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.dtype}{self.shape}>"


class DeviceRecord(DeviceNDArray):
    """A record on the device: `record["field"]` is a number, a record, or an array.

    Parameters
    ----------
    dtype : dtype
        The structured dtype.
    stream : Stream, optional
        The stream that the record belongs to.
    gpu_data : MemoryPointer, optional
        The memory, where it is there already.
    """

    __slots__ = ()

    def __init__(self, dtype: Any, stream: Any = 0, gpu_data: Any = None) -> None:
        super().__init__((), (), dtype, stream, gpu_data)

    @property
    def _numba_type_(self) -> Any:
        return record_type(self.dtype)

    def __cuprum_kind__(self) -> Type:
        return Record(self.dtype)


def _given(array: DeviceNDArray, to: Gathered) -> Any:
    """Add an array to the arguments of a launch; what is given is the same at every launch."""
    leaves = array._leaves
    if leaves is None:
        own = Gathered(False, to.gpu, to.number)
        if array._raw:
            contiguous = array.is_c_contiguous()
            timed = array.dtype.kind in "mM"
            whole = array._array.size // 8 * 8
            held = array._array[:whole].view(np.int64) if timed else array._array
            own.leaves += [held, *array.shape]
            if not contiguous:
                own.leaves += _arguments.steps(array.strides, array.dtype.itemsize)
            array._key = ("a", array.dtype, array.ndim, contiguous, True)
        else:
            array._key = _arguments.gather_one(array._array, own)
        leaves = array._leaves = own.leaves
    to.leaves.extend(leaves)
    return array._key


def _given_record(record: DeviceRecord, to: Gathered) -> Any:
    to.leaves.append(record._array)
    return ("r", record.dtype)


_arguments.register(DeviceNDArray, _given)
_arguments.register(DeviceRecord, _given_record)


def is_default(stream: Any) -> bool:
    return stream is None or (isinstance(stream, int) and stream == 0)


@contextlib.contextmanager
def _on(stream: Any) -> Iterator[None]:
    """Do work on a stream: 0 and None are the current one."""
    if is_default(stream):
        yield
        return
    with stream:
        yield


def _lengths(shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple; TypeError where it has numbers that are no integers."""
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    if isinstance(shape, np.ndarray) and shape.ndim == 0:
        return (operator.index(shape),)
    return tuple(operator.index(size) for size in shape)


def _is_pooled() -> bool:
    """Whether memory comes from Cuprum's pool."""
    return type(current_context().memory_manager) is NumbaCUDAMemoryManager


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
        to = device_array_like(obj, stream)
    if to is None and hasattr(obj, "__cuda_array_interface__") and not isinstance(obj, np.ndarray):
        with _on(stream):
            return DeviceNDArray._of(_arguments.foreign_array(obj).copy(), stream=stream)  # type: ignore[no-any-return]
    if to is None:
        if isinstance(obj, np.void) and obj.dtype.names:
            return auto_device(obj, stream, copy)[0]  # type: ignore[no-any-return]
        host = np.asarray(obj)
        if host.dtype.hasobject or host.dtype.kind in "SU":
            raise TypeError(f"to_device: arrays of dtype {host.dtype} cannot be on the device")
        if copy and not is_raw(host.dtype) and _is_pooled():
            with _on(stream):
                return DeviceNDArray._of(cuprum.array(host, order="K"), stream=stream)  # type: ignore[no-any-return]
        to = device_array_like(host, stream)
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
        The strides in bytes.
    order : {'C', 'F'}, optional
        Whether rows or columns lie together.
    stream : Stream, optional
        The stream that the array belongs to.

    Returns
    -------
    DeviceNDArray

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> cuda.device_array((2, 3), "float32").shape
    (2, 3)
    """
    sizes = _lengths(shape)
    kind = dtype_of(dtype)
    if strides is not None:
        return DeviceNDArray(sizes, strides, kind, stream)
    if is_raw(kind) or not _is_pooled():
        steps = c_strides(sizes[::-1] if order == "F" else sizes, kind.itemsize)
        return DeviceNDArray(sizes, steps[::-1] if order == "F" else steps, kind, stream)
    return DeviceNDArray._of(cuprum.empty(sizes, kind, order=order), stream=stream)  # type: ignore[arg-type,no-any-return]


def dtype_of(dtype: Any) -> np.dtype[Any]:
    """Return the dtype that an object names, NumPy's way or Numba's."""
    found = dtype_named(dtype)
    return np.dtype(dtype) if found is None else found


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """Make an array on the device with the shape, dtype and order of another; views become contiguous."""
    if not isinstance(ary, (np.ndarray, DeviceNDArray)):
        from ._interfaces import as_cuda_array

        ary = as_cuda_array(ary)
    strides = dense_strides(ary.shape, ary.strides, ary.dtype.itemsize)
    return device_array(ary.shape, ary.dtype, strides, stream=stream)


def from_record_like(rec: Any, stream: Any = 0, gpu_data: Any = None) -> DeviceRecord:
    """Make a record on the device with the dtype of another."""
    return DeviceRecord(rec.dtype, stream, gpu_data)


def auto_device(
    obj: Any, stream: Any = 0, copy: bool = True, user_explicit: bool = False
) -> tuple[Any, bool]:
    """Return an object on the device, and whether it had to be made there."""
    from ._interfaces import as_cuda_array, is_cuda_array

    if is_cuda_array(obj):
        return as_cuda_array(obj), False
    if isinstance(obj, np.void):
        record = from_record_like(obj, stream)
        if copy:
            record.copy_to_device(obj, stream)
        return record, True
    return to_device(obj, stream, copy), True

"""Arrays that PyCUDA makes for textures, and copies between them, the host and the device.

Their elements lie row by row: what textures of a GPU do with the order of elements shows nowhere else.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ._errors import LogicError
from ._flags import NamedFlag, array_format
from ._memory import (
    DeviceAllocation,
    _host_bytes,
    mem_alloc,
    memcpy_dtod,
    memcpy_dtoh,
    memcpy_htod,
)

__all__ = [
    "Array",
    "ArrayDescriptor",
    "ArrayDescriptor3D",
    "array3d_flags",
    "array_cubemap_face",
    "array_to_dtype",
    "dtype_to_array_format",
    "gpuarray_to_array",
    "make_multichannel_2d_array",
    "matrix_to_array",
    "memcpy_atoa",
    "memcpy_atod",
    "memcpy_atoh",
    "memcpy_dtoa",
    "memcpy_htoa",
    "np_to_array",
]


class array3d_flags(enum.IntFlag):  # noqa: N801
    """What an array of several axes is made for."""

    LAYERED = 1
    SURFACE_LDST = 2
    CUBEMAP = 4
    TEXTURE_GATHER = 8


class array_cubemap_face(NamedFlag):  # noqa: N801
    """The faces of a cube map."""

    POSITIVE_X = 0
    NEGATIVE_X = 1
    POSITIVE_Y = 2
    NEGATIVE_Y = 3
    POSITIVE_Z = 4
    NEGATIVE_Z = 5


_FORMATS = {
    "uint8": array_format.UNSIGNED_INT8,
    "uint16": array_format.UNSIGNED_INT16,
    "uint32": array_format.UNSIGNED_INT32,
    "int8": array_format.SIGNED_INT8,
    "int16": array_format.SIGNED_INT16,
    "int32": array_format.SIGNED_INT32,
    "float16": array_format.HALF,
    "float32": array_format.FLOAT,
}


def dtype_to_array_format(dtype: Any) -> array_format:
    """Return the format of channels of a dtype.

    Examples
    --------
    >>> from cuprum.compat.pycuda import driver
    >>> driver.dtype_to_array_format("float32").name
    'FLOAT'
    """
    name = np.dtype(dtype).name
    if name not in _FORMATS:
        raise TypeError(f"cannot convert dtype '{name}' to array format")
    return _FORMATS[name]


def array_to_dtype(kind: Any) -> np.dtype[Any]:
    """Return the dtype of channels of a format."""
    found: np.dtype[Any] = np.dtype(next(name for name, value in _FORMATS.items() if value == kind))
    return found


class ArrayDescriptor:
    """The sizes of an array of one or two axes, and its channels."""

    def __init__(self) -> None:
        self.width = 0
        self.height = 0
        self.depth = 0
        self.format = array_format.FLOAT
        self.num_channels = 1
        self.flags = 0


class ArrayDescriptor3D(ArrayDescriptor):
    """The sizes of an array of up to three axes, its channels and flags."""


class Array:
    """An array for textures.

    Parameters
    ----------
    descr : ArrayDescriptor or ArrayDescriptor3D
        Its sizes and channels.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.pycuda import autoinit, driver
    >>> array = driver.np_to_array(np.arange(6, dtype=np.float32).reshape(2, 3), "C")
    >>> array.get_descriptor().width, array.get_descriptor().height
    (3, 2)
    """

    def __init__(self, descr: ArrayDescriptor) -> None:
        sizes = descr.width, descr.height, descr.depth
        if descr.width < 1 or min(sizes) < 0:
            raise LogicError(f"cuArrayCreate failed: invalid value: {sizes} is no size of an array")
        if descr.num_channels not in (1, 2, 4):
            raise LogicError(f"cuArrayCreate failed: invalid value: {descr.num_channels} channels; 1, 2 or 4")
        self._descriptor = descr
        self._memory: DeviceAllocation | None = mem_alloc(
            self.row_bytes * max(descr.height, 1) * max(descr.depth, 1)
        )

    @property
    def row_bytes(self) -> int:
        """The bytes of a row."""
        item = array_to_dtype(self._descriptor.format).itemsize
        return int(self._descriptor.width * self._descriptor.num_channels * item)

    @property
    def memory(self) -> DeviceAllocation:
        """The elements, row by row."""
        if self._memory is None:
            raise LogicError("the array has been freed")
        return self._memory

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.row_bytes * max(self._descriptor.height, 1) * max(self._descriptor.depth, 1)

    @property
    def handle(self) -> int:
        """The address of the elements."""
        return int(self.memory)

    def get_descriptor(self) -> ArrayDescriptor:
        """Return the sizes and channels."""
        return self._descriptor

    get_descriptor_3d = get_descriptor

    def free(self) -> None:
        """Give the memory back."""
        self.memory.free()
        self._memory = None


def _part(array: Array, offset: int, nbytes: int) -> int:
    if offset < 0 or nbytes < 0 or offset + nbytes > array.nbytes:
        raise LogicError(f"the array has {array.nbytes} bytes; the copy ends at byte {offset + nbytes}")
    return int(array.memory) + offset


def memcpy_htoa(ary: Array, index: int, src: Any) -> None:
    """Copy an array of the host's into an array, from a byte on."""
    memcpy_htod(_part(ary, index, _host_bytes(src, False).nbytes), src)


def memcpy_atoh(dest: Any, ary: Array, index: int) -> None:
    """Copy an array, from a byte on, into an array of the host's."""
    memcpy_dtoh(dest, _part(ary, index, _host_bytes(dest, True).nbytes))


def memcpy_dtoa(ary: Array, index: int, src: Any, len: int) -> None:  # noqa: A002
    """Copy bytes of the device into an array."""
    memcpy_dtod(_part(ary, index, len), src, len)


def memcpy_atod(dest: Any, ary: Array, index: int, len: int) -> None:  # noqa: A002
    """Copy bytes of an array to the device."""
    memcpy_dtod(dest, _part(ary, index, len), len)


def memcpy_atoa(dest: Array, dest_index: int, src: Array, src_index: int, len: int) -> None:  # noqa: A002
    """Copy bytes of an array into another."""
    memcpy_dtod(_part(dest, dest_index, len), _part(src, src_index, len), len)


def _made(shape: tuple[int, ...], dtype: Any, channels: int, flags: int = 0) -> Array:
    descr = ArrayDescriptor3D()
    descr.width, descr.height, descr.depth = (*shape[::-1], 0, 0)[:3]
    descr.format, descr.num_channels, descr.flags = dtype_to_array_format(dtype), channels, flags
    if flags & array3d_flags.LAYERED:
        descr.depth = max(descr.depth, 1)
    return Array(descr)


def _rows(host: Any, order: str) -> Any:
    """Return the elements with the axis that varies fastest last."""
    if order not in ("C", "F"):
        raise LogicError(f"order must be 'C' or 'F', got {order!r}")
    return np.ascontiguousarray(host if order == "C" else host.T)


def np_to_array(nparray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """Return an array with the elements of NumPy's, of one to three axes."""
    rows = _rows(np.asarray(nparray), order)
    if not 1 <= rows.ndim <= 3:
        raise LogicError(f"np_to_array: expected one to three axes, got {rows.ndim}")
    made = _made(rows.shape, *_as_channels(rows.dtype), _surface_flags(rows.ndim, allowSurfaceBind))
    memcpy_htod(made.memory, rows)
    return made


def _as_channels(dtype: np.dtype[Any]) -> tuple[Any, int]:
    """Return the channels that hold an element: doubles are pairs of integers, complex numbers pairs."""
    held = {"float64": (np.int32, 2), "complex64": (np.float32, 2), "complex128": (np.int32, 4)}
    return held.get(dtype.name, (dtype, 1))


def _surface_flags(axes: int, surface: bool) -> int:
    """Return the flags of an array: one of two axes for surfaces is one layer."""
    if not surface:
        return 0
    layered = array3d_flags.LAYERED if axes == 2 else 0
    return int(array3d_flags.SURFACE_LDST | layered)


def gpuarray_to_array(gpuarray: Any, order: str, allowSurfaceBind: bool = False) -> Array:
    """Return an array with the elements of one on the device."""
    shape = gpuarray.shape if order == "C" else gpuarray.shape[::-1]
    wanted = gpuarray.flags.c_contiguous if order == "C" else gpuarray.flags.f_contiguous
    if not wanted:
        raise LogicError(f"gpuarray_to_array: the elements must lie in order {order!r}")
    made = _made(shape, *_as_channels(gpuarray.dtype), _surface_flags(len(shape), allowSurfaceBind))
    memcpy_dtod(made.memory, gpuarray.gpudata, gpuarray.nbytes)
    return made


def matrix_to_array(matrix: Any, order: str, allow_double_hack: bool = False) -> Array:
    """Return an array with the elements of a matrix; float64 as two channels of integers where that is
    allowed.
    """
    rows = _rows(np.asarray(matrix), order)
    if rows.ndim != 2:
        raise LogicError(f"matrix_to_array: expected two axes, got {rows.ndim}")
    if rows.dtype == np.float64 and allow_double_hack:
        made = _made(rows.shape, np.int32, 2)
    else:
        made = _made(rows.shape, rows.dtype, 1)
    memcpy_htod(made.memory, rows)
    return made


def make_multichannel_2d_array(ndarray: Any, order: str) -> Array:
    """Return an array with the elements of one of three axes: in order 'C' the last are its channels, in
    order 'F' the first.
    """
    rows = _rows(np.asarray(ndarray), order)
    if rows.ndim != 3:
        raise LogicError(f"make_multichannel_2d_array: expected three axes, got {rows.ndim}")
    height, width, channels = rows.shape
    made = _made((height, width), rows.dtype, channels)
    memcpy_htod(made.memory, rows)
    return made

"""Arrays, textures and surfaces of the CPU: memory row by row, and descriptions that kernels read.

A texture's handle is the address of its description; `cuprum/texture.h` of the kernel compiler has the same
struct. The functions take what those of the extension module take for a GPU.
"""

from __future__ import annotations

import ctypes
from typing import Any

from ._status import CUDARuntimeError, errorInvalidValue

_ARRAY = 3
_KINDS = {0x01: 1, 0x02: 1, 0x03: 1, 0x08: 0, 0x09: 0, 0x0A: 0, 0x10: 2, 0x20: 2}
"""Unsigned (1), signed (0) or float (2), by the driver's number of a format."""
_BITS = {0x01: 8, 0x02: 16, 0x03: 32, 0x08: 8, 0x09: 16, 0x0A: 32, 0x10: 16, 0x20: 32}
_LAYERED, _SURFACE = 1, 2
_READ_AS_INTEGER, _NORMALIZED, _SRGB = 1, 2, 16
_MARK = 0x6D75727075437854
_RESOURCE_ARRAY, _RESOURCE_LINEAR = 0, 2
_CLAMP = 1


class _Description(ctypes.Structure):
    """`__cuprum_texture` of `cuprum/texture.h`."""

    _fields_ = [
        ("mark", ctypes.c_ulonglong),
        ("data", ctypes.c_void_p),
        ("width", ctypes.c_longlong),
        ("height", ctypes.c_longlong),
        ("depth", ctypes.c_longlong),
        ("pitch", ctypes.c_longlong),
        ("plane", ctypes.c_longlong),
        ("resource", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("bits", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("modes", ctypes.c_int * 3),
        ("linear", ctypes.c_int),
        ("fractions", ctypes.c_int),
        ("normalized", ctypes.c_int),
        ("srgb", ctypes.c_int),
        ("layered", ctypes.c_int),
        ("writable", ctypes.c_int),
        ("spare", ctypes.c_int),
        ("border", ctypes.c_float * 4),
    ]


class _Array:
    """An array's memory and its sizes."""

    def __init__(self, sizes: list[int], elements: list[int]) -> None:
        from .. import zeros

        self.width, self.height, self.depth = sizes
        self.form, self.channels, self.flags = elements
        self.row = self.width * self.channels * _BITS[self.form] // 8
        self.rows = self.height or 1
        planes = self.depth or 1
        self.memory = zeros(max(self.row * self.rows * planes, 1), "uint8")
        self.address: int = self.memory.data.ptr


_arrays: dict[int, _Array] = {}
_descriptions: dict[int, Any] = {}
"""Handles, and the memory of what they stand for."""


def create_array(_gpu: None, sizes: list[int], elements: list[int]) -> int:
    """Return the handle of a new array: the address of its memory."""
    made = _Array(sizes, elements)
    _arrays[made.address] = made
    return made.address


def destroy_array(_gpu: None, handle: int) -> None:
    """Let go of an array."""
    if _arrays.pop(handle, None) is None:
        raise CUDARuntimeError(errorInvalidValue)


def _describe(shown: tuple[int, int, list[int], list[int]]) -> _Description:
    resource, address, elements, sizes = shown
    made = _Description(mark=_MARK, resource=resource)
    if resource == _RESOURCE_ARRAY:
        array = _arrays.get(address)
        if array is None:
            raise CUDARuntimeError(errorInvalidValue)
        form, channels = array.form, array.channels
        made.width, made.height, made.depth = array.width, array.height, array.depth
        made.pitch, made.plane = array.row, array.row * array.rows
        made.layered = array.flags & _LAYERED
        made.writable = array.flags & _SURFACE
    else:
        form, channels = elements
        item = channels * _BITS[form] // 8
        if resource == _RESOURCE_LINEAR:
            made.width = sizes[0] // item
        else:
            made.width, made.height, made.pitch = sizes
    made.data, made.kind, made.bits, made.channels = address, _KINDS[form], _BITS[form], channels
    return made


def _keep(made: _Description) -> int:
    """Return the address of a description that kernels may read."""
    from .. import asarray

    memory = asarray(memoryview(bytes(made)), dtype="uint8").copy()
    handle = int(memory.data.ptr)
    _descriptions[handle] = memory
    return handle


def create_texture(
    _gpu: None,
    shown: tuple[int, int, list[int], list[int]],
    modes: list[int],
    how: list[int],
    border: list[float],
) -> int:
    """Return the handle of a new texture."""
    made = _describe(shown)
    linear, flags, _ = how
    as_integers = bool(flags & _READ_AS_INTEGER)
    fractions = not as_integers and made.kind != 2
    normalized = bool(flags & _NORMALIZED)
    # Integers are read as fractions of 8 and 16 bits; only what is read as floats can be interpolated.
    if (fractions and made.bits == 32) or (linear and made.kind != 2 and not fractions):
        raise CUDARuntimeError(errorInvalidValue)
    if made.resource == _RESOURCE_LINEAR and (linear or normalized):
        raise CUDARuntimeError(errorInvalidValue)
    made.linear, made.fractions, made.normalized = linear, fractions, normalized
    made.srgb = bool(flags & _SRGB) and made.bits == 8 and made.kind == 1 and fractions
    # Without normalised coordinates CUDA takes wrap and mirror as clamp.
    made.modes[:] = [mode if normalized or mode not in (0, 2) else _CLAMP for mode in modes]
    made.border[:] = border
    made.writable = 0
    return _keep(made)


def create_surface(_gpu: None, shown: tuple[int, int, list[int], list[int]]) -> int:
    """Return the handle of a new surface."""
    made = _describe(shown)
    if not made.writable:
        raise CUDARuntimeError(errorInvalidValue)
    return _keep(made)


def _destroy(handle: int) -> None:
    memory = _descriptions.pop(handle, None)
    if memory is None:
        raise CUDARuntimeError(errorInvalidValue)
    # A kernel that still has the handle sees that it is no description any more.
    memory[:8] = 0


def destroy_texture(_gpu: None, handle: int) -> None:
    """Let go of a texture."""
    _destroy(handle)


def destroy_surface(_gpu: None, handle: int) -> None:
    """Let go of a surface."""
    _destroy(handle)


Side = tuple[int, int, int, int, list[int]]


def _start(side: Side) -> tuple[int, int, int]:
    """Return the first byte's address, and the bytes from row to row and from plane to plane."""
    where, address, pitch, rows, (across, down, deep) = side
    if where == _ARRAY:
        array = _arrays.get(address)
        if array is None:
            raise CUDARuntimeError(errorInvalidValue)
        pitch, rows = array.row, array.rows
    plane = pitch * rows
    return address + deep * plane + down * pitch + across, pitch, plane


def _check(side: Side, extent: list[int]) -> None:
    """Raise unless a box lies in its array."""
    where, address, _, _, (across, down, deep) = side
    if where != _ARRAY:
        return
    array = _arrays.get(address)
    if (
        array is None
        or across + extent[0] > array.row
        or down + extent[1] > array.rows
        or deep + extent[2] > (array.depth or 1)
    ):
        raise CUDARuntimeError(errorInvalidValue)


def copy_box(
    _gpu: None, to: Side, origin: Side, extent: list[int], _stream: int, _wait: bool, _array: Any
) -> None:
    """Copy bytes, rows and planes."""
    _check(to, extent)
    _check(origin, extent)
    target, target_pitch, target_plane = _start(to)
    source, source_pitch, source_plane = _start(origin)
    width, rows, planes = extent
    for plane in range(planes):
        for row in range(rows):
            ctypes.memmove(
                target + plane * target_plane + row * target_pitch,
                source + plane * source_plane + row * source_pitch,
                width,
            )


def current_stream(_gpu: None) -> int:
    """Return the stream that copies would go into: the CPU does them at once."""
    return 0

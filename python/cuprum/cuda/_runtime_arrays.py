"""The runtime's arrays, textures and surfaces: CUDA's C structs by their addresses.

`cuprum.cuda.texture` has the classes that make such structs.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _core
from ._gpu import at_host
from ._runtime_memory import _count
from ._status import CUDARuntimeError, errorInvalidValue, errors_by_number

__all__ = [
    "addressModeBorder",
    "addressModeClamp",
    "addressModeMirror",
    "addressModeWrap",
    "arrayDefault",
    "arrayLayered",
    "arraySurfaceLoadStore",
    "channelFormatKindFloat",
    "channelFormatKindNone",
    "channelFormatKindSigned",
    "channelFormatKindUnsigned",
    "createSurfaceObject",
    "createTextureObject",
    "destroySurfaceObject",
    "destroyTextureObject",
    "filterModeLinear",
    "filterModePoint",
    "freeArray",
    "malloc3DArray",
    "mallocArray",
    "memcpy2DFromArray",
    "memcpy2DFromArrayAsync",
    "memcpy2DToArray",
    "memcpy2DToArrayAsync",
    "memcpy3D",
    "memcpy3DAsync",
    "readModeElementType",
    "readModeNormalizedFloat",
    "resourceTypeArray",
    "resourceTypeLinear",
    "resourceTypeMipmappedArray",
    "resourceTypePitch2D",
]

channelFormatKindSigned = 0
channelFormatKindUnsigned = 1
channelFormatKindFloat = 2
channelFormatKindNone = 3

resourceTypeArray = 0
resourceTypeMipmappedArray = 1
resourceTypeLinear = 2
resourceTypePitch2D = 3

addressModeWrap = 0
addressModeClamp = 1
addressModeMirror = 2
addressModeBorder = 3

filterModePoint = 0
filterModeLinear = 1

readModeElementType = 0
readModeNormalizedFloat = 1

arrayDefault = 0
arrayLayered = 1
arraySurfaceLoadStore = 2

_HOST, _DEVICE, _ARRAY, _UNIFIED = 1, 2, 3, 4
_READ_AS_INTEGER, _NORMALIZED, _SRGB = 1, 2, 16
_FORMATS = {
    (channelFormatKindUnsigned, 8): 0x01,
    (channelFormatKindUnsigned, 16): 0x02,
    (channelFormatKindUnsigned, 32): 0x03,
    (channelFormatKindSigned, 8): 0x08,
    (channelFormatKindSigned, 16): 0x09,
    (channelFormatKindSigned, 32): 0x0A,
    (channelFormatKindFloat, 16): 0x10,
    (channelFormatKindFloat, 32): 0x20,
}
"""The driver's number of an element's format, by its kind and the bits of a channel."""


class ChannelFormat(ctypes.Structure):
    """CUDA's `cudaChannelFormatDesc`."""

    _fields_ = [(name, ctypes.c_int) for name in "xyzwf"]

    @property
    def channels(self) -> int:
        return sum(bits > 0 for bits in (self.x, self.y, self.z, self.w))

    @property
    def itemsize(self) -> int:
        bits: int = self.x + self.y + self.z + self.w
        return bits // 8

    def elements(self) -> tuple[int, int]:
        """Return the driver's number of the format, and how many channels there are."""
        bits = [bits for bits in (self.x, self.y, self.z, self.w) if bits]
        found = _FORMATS.get((self.f, bits[0])) if bits else None
        if found is None or len(set(bits)) != 1 or len(bits) == 3:
            raise CUDARuntimeError(errorInvalidValue)
        return found, len(bits)


class _Linear(ctypes.Structure):
    _fields_ = [("devPtr", ctypes.c_void_p), ("desc", ChannelFormat), ("sizeInBytes", ctypes.c_size_t)]


class _Pitched(ctypes.Structure):
    _fields_ = [
        ("devPtr", ctypes.c_void_p),
        ("desc", ChannelFormat),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("pitchInBytes", ctypes.c_size_t),
    ]


class _Shown(ctypes.Union):
    _fields_ = [("array", ctypes.c_void_p), ("linear", _Linear), ("pitch2D", _Pitched)]


class Resource(ctypes.Structure):
    """CUDA's `cudaResourceDesc`."""

    _fields_ = [("resType", ctypes.c_int), ("res", _Shown)]

    def words(self) -> tuple[int, int, list[int], list[int]]:
        """Return the kind, the address or handle, the elements, and the sizes."""
        if self.resType == resourceTypeArray:
            return self.resType, self.res.array or 0, [0, 0], [0, 0, 0]
        if self.resType == resourceTypeLinear:
            shown = self.res.linear
            sizes = [shown.sizeInBytes, 0, 0]
        elif self.resType == resourceTypePitch2D:
            shown = self.res.pitch2D
            sizes = [shown.width, shown.height, shown.pitchInBytes]
        else:
            raise CUDARuntimeError(errorInvalidValue)
        return self.resType, shown.devPtr or 0, list(shown.desc.elements()), sizes


class Reading(ctypes.Structure):
    """CUDA's `cudaTextureDesc`."""

    _fields_ = [
        ("addressMode", ctypes.c_int * 3),
        ("filterMode", ctypes.c_int),
        ("readMode", ctypes.c_int),
        ("sRGB", ctypes.c_int),
        ("borderColor", ctypes.c_float * 4),
        ("normalizedCoords", ctypes.c_int),
        ("maxAnisotropy", ctypes.c_uint),
        ("mipmapFilterMode", ctypes.c_int),
        ("mipmapLevelBias", ctypes.c_float),
        ("minMipmapLevelClamp", ctypes.c_float),
        ("maxMipmapLevelClamp", ctypes.c_float),
        ("disableTrilinearOptimization", ctypes.c_int),
        ("seamlessCubemap", ctypes.c_int),
    ]


class _Position(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "xyz"]


class _PitchedPointer(ctypes.Structure):
    _fields_ = [
        ("ptr", ctypes.c_void_p),
        ("pitch", ctypes.c_size_t),
        ("xsize", ctypes.c_size_t),
        ("ysize", ctypes.c_size_t),
    ]


class _Extent(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("width", "height", "depth")]


class Copy(ctypes.Structure):
    """CUDA's `cudaMemcpy3DParms`."""

    _fields_ = [
        ("srcArray", ctypes.c_void_p),
        ("srcPos", _Position),
        ("srcPtr", _PitchedPointer),
        ("dstArray", ctypes.c_void_p),
        ("dstPos", _Position),
        ("dstPtr", _PitchedPointer),
        ("extent", _Extent),
        ("kind", ctypes.c_int),
    ]


_itemsizes: dict[int, int] = {}
"""The bytes of an element, by the array's handle: positions in arrays count elements."""


def _device() -> tuple[Any, Any]:
    """Return what makes arrays and textures on the current device, and the GPU's number or None."""
    gpu = _core.current_gpu()
    if gpu is not None:
        return _core, gpu
    from . import _host_textures

    return _host_textures, None


def mallocArray(descPtr: int, width: int, height: int, flags: int = 0) -> int:
    """Return the handle of a new array of one or two axes, by the address of a `cudaChannelFormatDesc`.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> form = cp.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> runtime.freeArray(runtime.mallocArray(form.ptr, 16, 8))
    """
    return malloc3DArray(descPtr, width, height, 0, flags)


def malloc3DArray(descPtr: int, width: int, height: int, depth: int, flags: int = 0) -> int:
    """Return the handle of a new array of up to three axes, by the address of a `cudaChannelFormatDesc`.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> form = cp.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> runtime.freeArray(runtime.malloc3DArray(form.ptr, 16, 8, 4))
    """
    back, gpu = _device()
    form = at_host(ChannelFormat, descPtr)
    elements = [*form.elements(), int(flags)]
    with errors_by_number():
        handle = int(back.create_array(gpu, [int(width), int(height), int(depth)], elements))
    _itemsizes[handle] = form.itemsize
    return handle


def freeArray(ptr: int) -> None:
    """Let go of an array.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.freeArray(1)
    ... except RuntimeError:
    ...     print("refused")
    refused
    """
    back, gpu = _device()
    if _itemsizes.pop(int(ptr), None) is None:
        raise CUDARuntimeError(errorInvalidValue)
    with errors_by_number():
        back.destroy_array(gpu, int(ptr))


def createTextureObject(ResDescPtr: int, TexDescPtr: int) -> int:
    """Return the handle of a new texture, by the addresses of a `cudaResourceDesc` and a `cudaTextureDesc`.

    `cuprum.cuda.texture.TextureObject` makes one of an array and keeps what it shows.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a = cp.arange(8, dtype="float32")
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeLinear, arr=a, chDesc=form, sizeInBytes=32)
    >>> reading = texture.TextureDescriptor()
    >>> runtime.destroyTextureObject(runtime.createTextureObject(shown.ptr, reading.ptr))
    """
    back, gpu = _device()
    shown = at_host(Resource, ResDescPtr).words()
    reading = at_host(Reading, TexDescPtr)
    flags = _READ_AS_INTEGER if reading.readMode == readModeElementType else 0
    flags |= _NORMALIZED if reading.normalizedCoords else 0
    flags |= _SRGB if reading.sRGB else 0
    how = [reading.filterMode, flags, reading.maxAnisotropy]
    with errors_by_number():
        made = back.create_texture(gpu, shown, list(reading.addressMode), how, list(reading.borderColor))
    return int(made)


def destroyTextureObject(texObject: int) -> None:
    """Let go of a texture object.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> array = texture.CUDAarray(form, 8, 8)
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    >>> how = texture.TextureDescriptor()
    >>> runtime.destroyTextureObject(runtime.createTextureObject(shown.ptr, how.ptr))
    """
    back, gpu = _device()
    with errors_by_number():
        back.destroy_texture(gpu, int(texObject))


def createSurfaceObject(ResDescPtr: int) -> int:
    """Return the handle of a new surface object over an array, by the address of CUDA's `cudaResourceDesc`.

    `cuprum.cuda.texture.SurfaceObject` makes one and keeps the array.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> array = texture.CUDAarray(form, 8, 8, flags=runtime.arraySurfaceLoadStore)
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    >>> runtime.destroySurfaceObject(runtime.createSurfaceObject(shown.ptr))
    """
    back, gpu = _device()
    with errors_by_number():
        return int(back.create_surface(gpu, at_host(Resource, ResDescPtr).words()))


def destroySurfaceObject(surfObject: int) -> None:
    """Let go of a surface object.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> array = texture.CUDAarray(form, 8, 8, flags=runtime.arraySurfaceLoadStore)
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    >>> runtime.destroySurfaceObject(runtime.createSurfaceObject(shown.ptr))
    """
    back, gpu = _device()
    with errors_by_number():
        back.destroy_surface(gpu, int(surfObject))


Side = tuple[int, int, int, int, list[int]]


def array_side(handle: int, start: tuple[int, int, int] = (0, 0, 0)) -> Side:
    """Return an array as one side of a copy; `start` counts bytes, rows and planes."""
    return _ARRAY, int(handle), 0, 0, list(start)


def memory_side(address: int, pitch: int, rows: int = 0, start: tuple[int, int, int] = (0, 0, 0)) -> Side:
    """Return memory as one side of a copy: wherever it lies."""
    return _UNIFIED, int(address), int(pitch), int(rows), list(start)


def copy_box(
    to: Side, origin: Side, extent: tuple[int, int, int], stream: int | None, array: Any = None
) -> None:
    """Copy bytes, rows and planes, from or to an array's memory; wait for it unless a stream is given."""
    back, gpu = _device()
    wait = stream is None
    handle = back.current_stream(gpu) if stream is None else int(stream)
    with errors_by_number():
        back.copy_box(gpu, to, origin, list(extent), handle, wait, array)


def memcpy2DToArray(
    dst: int, wOffset: int, hOffset: int, src: int, spitch: int, width: int, height: int, kind: int
) -> None:
    """Copy rows of `width` bytes that lie `spitch` bytes apart into an array; `wOffset` counts bytes.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, kind = cp.ones((2, 4), "float32"), runtime.memcpyDeviceToDevice
    >>> array = texture.CUDAarray(form, 4, 2)
    >>> runtime.memcpy2DToArray(array.ptr, 0, 0, a.data.ptr, 16, 16, 2, kind)
    """
    _to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, None)


def memcpy2DToArrayAsync(
    dst: int,
    wOffset: int,
    hOffset: int,
    src: int,
    spitch: int,
    width: int,
    height: int,
    kind: int,
    stream: int,
) -> None:
    """Copy rows of bytes into an array in a stream's order.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, kind = cp.ones((2, 4), "float32"), runtime.memcpyDeviceToDevice
    >>> array = texture.CUDAarray(form, 4, 2)
    >>> runtime.memcpy2DToArrayAsync(array.ptr, 0, 0, a.data.ptr, 16, 16, 2, kind, 0)
    """
    _to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, stream)


def _to_array(
    dst: int,
    across: int,
    down: int,
    src: int,
    pitch: int,
    width: int,
    height: int,
    kind: int,
    stream: int | None,
) -> None:
    to = array_side(dst, (int(across), int(down), 0))
    copy_box(to, memory_side(src, pitch, height), (int(width), int(height), 1), stream)
    _count(kind, width * height)


def memcpy2DFromArray(
    dst: int, dpitch: int, src: int, wOffset: int, hOffset: int, width: int, height: int, kind: int
) -> None:
    """Copy rows of `width` bytes of an array to rows that lie `dpitch` bytes apart.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, kind = cp.ones((2, 4), "float32"), runtime.memcpyDeviceToDevice
    >>> array = texture.CUDAarray(form, 4, 2)
    >>> runtime.memcpy2DFromArray(a.data.ptr, 16, array.ptr, 0, 0, 16, 2, kind)
    """
    _from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, None)


def memcpy2DFromArrayAsync(
    dst: int,
    dpitch: int,
    src: int,
    wOffset: int,
    hOffset: int,
    width: int,
    height: int,
    kind: int,
    stream: int,
) -> None:
    """Copy rows of bytes of an array in a stream's order.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, kind = cp.ones((2, 4), "float32"), runtime.memcpyDeviceToDevice
    >>> array = texture.CUDAarray(form, 4, 2)
    >>> runtime.memcpy2DFromArrayAsync(a.data.ptr, 16, array.ptr, 0, 0, 16, 2, kind, 0)
    """
    _from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream)


def _from_array(
    dst: int,
    pitch: int,
    src: int,
    across: int,
    down: int,
    width: int,
    height: int,
    kind: int,
    stream: int | None,
) -> None:
    origin = array_side(src, (int(across), int(down), 0))
    copy_box(memory_side(dst, pitch, height), origin, (int(width), int(height), 1), stream)
    _count(kind, width * height)


def memcpy3D(Memcpy3DParmsPtr: int) -> None:
    """Copy a box, by the address of CUDA's `cudaMemcpy3DParms`.

    Examples
    --------
    >>> import ctypes
    >>> nothing = ctypes.create_string_buffer(160)  # all sizes are 0
    >>> cp.cuda.runtime.memcpy3D(ctypes.addressof(nothing))
    """
    _copy_3d(Memcpy3DParmsPtr, None)


def memcpy3DAsync(Memcpy3DParmsPtr: int, stream: int) -> None:
    """Copy a box in a stream's order, by the address of CUDA's `cudaMemcpy3DParms`.

    Examples
    --------
    >>> import ctypes
    >>> nothing = ctypes.create_string_buffer(160)  # all sizes are 0
    >>> cp.cuda.runtime.memcpy3DAsync(ctypes.addressof(nothing), 0)
    """
    _copy_3d(Memcpy3DParmsPtr, stream)


def _copy_3d(address: int, stream: int | None) -> None:
    copy = at_host(Copy, address)
    # Where an array takes part, widths and positions count its elements.
    handle = copy.srcArray or copy.dstArray
    unit = _itemsizes.get(handle, 0) if handle else 1
    if not unit:
        raise CUDARuntimeError(errorInvalidValue)

    def side(array: Any, pointer: Any, start: Any) -> Side:
        if array:
            return array_side(array, (start.x * unit, start.y, start.z))
        return memory_side(pointer.ptr or 0, pointer.pitch, pointer.ysize, (start.x, start.y, start.z))

    to = side(copy.dstArray, copy.dstPtr, copy.dstPos)
    origin = side(copy.srcArray, copy.srcPtr, copy.srcPos)
    extent = (copy.extent.width * unit, copy.extent.height, copy.extent.depth)
    copy_box(to, origin, extent, stream)
    _count(copy.kind, extent[0] * extent[1] * extent[2])

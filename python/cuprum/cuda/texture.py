"""Textures and surfaces for kernels: arrays that are laid out for them, and how they are read.

On the CPU kernels read them by the same rules: what lies beyond the edges, and interpolation with weights of
eight bits.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from . import _runtime_arrays as arrays
from . import runtime
from .device import Device
from .runtime import CUDARuntimeError

__all__ = [
    "CUDARuntimeError",
    "CUDAarray",
    "ChannelFormatDescriptor",
    "ResourceDescriptor",
    "SurfaceObject",
    "TextureDescriptor",
    "TextureObject",
    "TextureReference",
]


class ChannelFormatDescriptor:
    """What the elements of a texture are: the bits of up to four channels, and their kind.

    Parameters
    ----------
    x, y, z, w : int
        The bits of each channel: 8, 16 or 32, alike, and 0 for a channel that is not there.
    f : int
        `runtime.channelFormatKindSigned`, `channelFormatKindUnsigned` or `channelFormatKindFloat`.

    Examples
    --------
    >>> form = cp.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, cp.cuda.runtime.channelFormatKindFloat)
    >>> form.get_channel_format()
    {'x': 32, 'y': 0, 'z': 0, 'w': 0, 'f': 2}
    """

    def __init__(self, x: int, y: int, z: int, w: int, f: int) -> None:
        self._form = arrays.ChannelFormat(x, y, z, w, f)
        self._form.elements()

    @property
    def ptr(self) -> int:
        """The address of CUDA's `cudaChannelFormatDesc`."""
        return ctypes.addressof(self._form)

    def get_channel_format(self) -> dict[str, int]:
        """Return the bits of each channel and their kind."""
        return {name: getattr(self._form, name) for name in "xyzwf"}


class CUDAarray:
    """Memory that is laid out for textures, of one, two or three axes.

    Parameters
    ----------
    desc : ChannelFormatDescriptor
        What the elements are.
    width : int
        Elements of a row.
    height : int, optional
        Rows, 0 for an array of one axis.
    depth : int, optional
        Planes, 0 for an array of up to two axes.
    flags : int, optional
        `runtime.arraySurfaceLoadStore` where a surface is to write it; `runtime.arrayLayered` where `depth`
        counts layers, which are never interpolated between.

    Examples
    --------
    >>> form = cp.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, cp.cuda.runtime.channelFormatKindFloat)
    >>> image, back = cp.arange(12, dtype="float32").reshape(3, 4), cp.zeros((3, 4), "float32")
    >>> array = cp.cuda.texture.CUDAarray(form, 4, 3)
    >>> array.copy_from(image)
    >>> array.copy_to(back)
    >>> assert bool((image == back).all())
    """

    def __init__(
        self, desc: ChannelFormatDescriptor, width: int, height: int = 0, depth: int = 0, flags: int = 0
    ) -> None:
        self.ptr = 0
        if not isinstance(desc, ChannelFormatDescriptor):
            raise TypeError(f"CUDAarray: expected a ChannelFormatDescriptor, got {type(desc).__name__}")
        layered = int(flags) & runtime.arrayLayered
        if width <= 0 or height < 0 or depth < 0 or (depth and not height and not layered):
            raise ValueError(f"CUDAarray: {width} by {height} by {depth} is no size of an array")
        self.desc, self.flags = desc, int(flags)
        self.width, self.height, self.depth = int(width), int(height), int(depth)
        self.ndim = sum(size > 0 for size in (self.width, self.height, self.depth))
        self._device = runtime.getDevice()
        self.ptr = runtime.malloc3DArray(desc.ptr, self.width, self.height, self.depth, self.flags)

    def __del__(self) -> None:
        if self.ptr and not sys.is_finalizing():
            with Device(self._device):
                runtime.freeArray(self.ptr)

    def _checked(self, array: Any) -> Any:
        """Raise unless an array's elements fit, channels along the last axis."""
        form = self.desc._form
        shape = tuple(size for size in (self.depth, self.height, self.width) if size)
        wanted = (*shape[:-1], shape[-1] * form.channels)
        kind = {0: "i", 1: "u", 2: "f"}[form.f]
        if array.dtype.kind != kind or array.dtype.itemsize * 8 != form.x:
            raise ValueError(f"CUDAarray: {array.dtype} is not what the elements are")
        if array.shape not in (wanted, (*shape, form.channels)):
            raise ValueError(f"CUDAarray: expected an array of shape {wanted}, got {array.shape}")
        return array

    def _copy(self, array: Any, into: bool, stream: Any) -> None:
        row = self.width * self.desc._form.itemsize
        rows, planes = self.height or 1, self.depth or 1
        of_host = isinstance(array, np.ndarray)
        address = array.ctypes.data if of_host else array.data.ptr
        here, there = arrays.array_side(self.ptr), arrays.memory_side(address, row, rows)
        to, origin = (here, there) if into else (there, here)
        handle = None if stream is None else int(stream.ptr)
        arrays.copy_box(to, origin, (row, rows, planes), handle, None if of_host else array)

    def copy_from(self, in_arr: Any, stream: Any = None) -> None:
        """Copy an array into this one: of the device or of NumPy's; waits unless a stream is given."""
        source = self._checked(in_arr)
        if not source.flags.c_contiguous:
            # Row by row in memory of its own, which stays as long as the copy may read it.
            source = self._rows = source.copy(order="C")
        self._copy(source, True, stream)

    def copy_to(self, out_arr: Any, stream: Any = None) -> None:
        """Copy this one into an array: of the device or of NumPy's; waits unless a stream is given."""
        target = self._checked(out_arr)
        if not target.flags.c_contiguous:
            raise ValueError("CUDAarray: the elements must lie row by row (cp.ascontiguousarray)")
        self._copy(target, False, stream)


class ResourceDescriptor:
    """What a texture or a surface shows: a `CUDAarray`, or an array of the device's in place.

    Parameters
    ----------
    restype : int
        `runtime.resourceTypeArray`, `resourceTypeLinear` or `resourceTypePitch2D`.
    cuArr : CUDAarray, optional
        The array of the first kind.
    arr : ndarray, optional
        The array of the other two.
    chDesc : ChannelFormatDescriptor, optional
        What its elements are.
    sizeInBytes : int, optional
        Its bytes, where it is linear.
    width, height : int, optional
        Its elements along both axes, where it has two.
    pitchInBytes : int, optional
        The bytes from row to row, where it has two.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> form = cp.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a = cp.arange(8, dtype="float32")
    >>> resource = cp.cuda.texture.ResourceDescriptor(
    ...     runtime.resourceTypeLinear, arr=a, chDesc=form, sizeInBytes=a.nbytes
    ... )
    >>> resource.get_resource_desc()["sizeInBytes"]
    32
    """

    def __init__(
        self,
        restype: int,
        cuArr: CUDAarray | None = None,
        arr: Any = None,
        chDesc: ChannelFormatDescriptor | None = None,
        sizeInBytes: int = 0,
        width: int = 0,
        height: int = 0,
        pitchInBytes: int = 0,
    ) -> None:
        self.cuArr, self.arr, self.chDesc = cuArr, arr, chDesc
        self._resource = arrays.Resource()
        self._resource.resType = int(restype)
        shown = self._resource.res
        if restype == runtime.resourceTypeArray:
            if cuArr is None:
                raise ValueError("ResourceDescriptor: this kind needs cuArr")
            shown.array = cuArr.ptr
            return
        if restype not in (runtime.resourceTypeLinear, runtime.resourceTypePitch2D):
            raise ValueError(f"ResourceDescriptor: {restype} is no kind that can be shown")
        if arr is None or chDesc is None:
            raise ValueError("ResourceDescriptor: this kind needs arr and chDesc")
        if restype == runtime.resourceTypeLinear:
            if sizeInBytes > arr.nbytes:
                raise ValueError(f"ResourceDescriptor: {sizeInBytes} bytes of an array of {arr.nbytes}")
            shown.linear.devPtr, shown.linear.desc = arr.data.ptr, chDesc._form
            shown.linear.sizeInBytes = sizeInBytes
        else:
            if (height - 1) * pitchInBytes + width * chDesc._form.itemsize > arr.nbytes:
                raise ValueError(
                    f"ResourceDescriptor: {height} rows of {pitchInBytes} bytes do not lie in the array"
                )
            shown.pitch2D.devPtr, shown.pitch2D.desc = arr.data.ptr, chDesc._form
            shown.pitch2D.width, shown.pitch2D.height = width, height
            shown.pitch2D.pitchInBytes = pitchInBytes

    @property
    def ptr(self) -> int:
        """The address of CUDA's `cudaResourceDesc`."""
        return ctypes.addressof(self._resource)

    def get_resource_desc(self) -> dict[str, Any]:
        """Return what was given."""
        kind = self._resource.resType
        found: dict[str, Any] = {"resType": kind}
        if kind == runtime.resourceTypeArray:
            return found | {"cuArr": self.cuArr}
        shown = self._resource.res
        assert self.chDesc is not None
        found |= {"arr": self.arr, "chDesc": self.chDesc.get_channel_format()}
        if kind == runtime.resourceTypeLinear:
            return found | {"sizeInBytes": shown.linear.sizeInBytes}
        sizes = {name: getattr(shown.pitch2D, name) for name in ("width", "height", "pitchInBytes")}
        return found | sizes


class TextureDescriptor:
    """How a texture is read: what lies beyond its edges, whether it is interpolated, what coordinates mean.

    Parameters
    ----------
    addressModes : sequence of int, optional
        For each axis `runtime.addressModeWrap`, `addressModeClamp`, `addressModeMirror` or
        `addressModeBorder`.
    filterMode : int, optional
        `runtime.filterModePoint` for the nearest element, `filterModeLinear` to interpolate.
    readMode : int, optional
        `runtime.readModeElementType` for elements as they are, `readModeNormalizedFloat` for integers as
        fractions.
    sRGB : bool, optional
        Whether elements are in the colour space of that name.
    borderColors : sequence of float, optional
        What lies beyond the edges, with `addressModeBorder`.
    normalizedCoords : bool, optional
        Whether coordinates go from 0 to 1.
    maxAnisotropy : int, optional
        The most of an anisotropic filter.

    Examples
    --------
    >>> cp.cuda.texture.TextureDescriptor((1, 1)).get_texture_desc()["addressModes"]
    (1, 1)
    """

    def __init__(
        self,
        addressModes: Any = None,
        filterMode: int = 0,
        readMode: int = 0,
        sRGB: bool | None = None,
        borderColors: Any = None,
        normalizedCoords: bool | None = None,
        maxAnisotropy: int | None = None,
    ) -> None:
        modes = () if addressModes is None else tuple(int(mode) for mode in addressModes)
        colors = () if borderColors is None else tuple(float(color) for color in borderColors)
        if len(modes) > 3 or not all(0 <= mode <= 3 for mode in modes):
            raise ValueError(f"TextureDescriptor: addressModes must be up to three of 0 to 3, got {modes}")
        if len(colors) > 4:
            raise ValueError(f"TextureDescriptor: a border has at most four colours, got {len(colors)}")
        if filterMode not in (0, 1) or readMode not in (0, 1):
            raise ValueError("TextureDescriptor: filterMode and readMode are 0 or 1")
        self._modes, self._colors = modes, colors
        self._reading = arrays.Reading(
            filterMode=int(filterMode),
            readMode=int(readMode),
            sRGB=int(bool(sRGB)),
            normalizedCoords=int(bool(normalizedCoords)),
            maxAnisotropy=int(maxAnisotropy or 0),
        )
        self._reading.addressMode[: len(modes)] = list(modes)
        self._reading.borderColor[: len(colors)] = list(colors)

    @property
    def ptr(self) -> int:
        """The address of CUDA's `cudaTextureDesc`."""
        return ctypes.addressof(self._reading)

    def get_texture_desc(self) -> dict[str, Any]:
        """Return what was given."""
        names = ("filterMode", "readMode", "sRGB", "normalizedCoords", "maxAnisotropy")
        numbers = {name: getattr(self._reading, name) for name in names}
        return {"addressModes": self._modes, **numbers, "borderColors": self._colors}


class TextureObject:
    """A texture that kernels read by `tex1D`, `tex2D`, `tex3D` and `tex1Dfetch`; it keeps what it shows.

    Kernels take it as a `cudaTextureObject_t`.

    Parameters
    ----------
    ResDesc : ResourceDescriptor
        What it shows.
    TexDesc : TextureDescriptor
        How it is read.

    Examples
    --------
    >>> code = '''
    ... extern "C" __global__ void shift(cudaTextureObject_t image, float* out) {
    ...     out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x + 1);
    ... }'''
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, out = cp.arange(5, dtype="float32"), cp.zeros(4, "float32")
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeLinear, arr=a, chDesc=form, sizeInBytes=20)
    >>> image = texture.TextureObject(shown, texture.TextureDescriptor())
    >>> cp.RawKernel(code, "shift")((1,), (4,), (image, out))
    >>> assert out.tolist() == [1, 2, 3, 4]
    """

    def __init__(self, ResDesc: ResourceDescriptor, TexDesc: TextureDescriptor) -> None:
        self.ptr = 0
        self.ResDesc, self.TexDesc = ResDesc, TexDesc
        self._device = runtime.getDevice()
        self.ptr = runtime.createTextureObject(ResDesc.ptr, TexDesc.ptr)

    def __del__(self) -> None:
        if self.ptr and not sys.is_finalizing():
            with Device(self._device):
                runtime.destroyTextureObject(self.ptr)


class TextureReference(TextureObject):
    """A texture that a module's texture reference is bound to; kernels on the CPU read it while this exists.

    CUDA 12 has no texture references: on a GPU, kernels take a `TextureObject`.

    Parameters
    ----------
    texref : MemoryPointer
        What `RawModule.get_texref` returned.
    ResDesc : ResourceDescriptor
        What it shows.
    TexDesc : TextureDescriptor
        How it is read.

    Examples
    --------
    >>> code = '''
    ... texture<float> line;
    ... extern "C" __global__ void shift(float* out) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x + 1); }
    ... '''
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> a, out = cp.arange(5, dtype="float32"), cp.zeros(4, "float32")
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeLinear, arr=a, chDesc=form, sizeInBytes=20)
    >>> if not cp.cuda.is_available():
    ...     module = cp.RawModule(code=code)
    ...     bound = texture.TextureReference(module.get_texref("line"), shown, texture.TextureDescriptor())
    ...     module.get_function("shift")((1,), (4,), (out,))
    ...     assert out.tolist() == [1, 2, 3, 4]
    """

    def __init__(self, texref: Any, ResDesc: ResourceDescriptor, TexDesc: TextureDescriptor) -> None:
        super().__init__(ResDesc, TexDesc)
        # It keeps the module, whose variable is written here.
        self.texref = texref
        ctypes.c_ulonglong.from_address(int(texref.ptr)).value = self.ptr

    def __del__(self) -> None:
        if hasattr(self, "texref"):
            bound = ctypes.c_ulonglong.from_address(int(self.texref.ptr))
            bound.value = 0 if bound.value == self.ptr else bound.value
        super().__del__()


class SurfaceObject:
    """A surface that kernels read and write by `surf2Dread` and its like; it keeps its array.

    Kernels take it as a `cudaSurfaceObject_t`. The array must have been made with `arraySurfaceLoadStore`.

    Parameters
    ----------
    ResDesc : ResourceDescriptor
        The array.

    Examples
    --------
    >>> runtime, texture = cp.cuda.runtime, cp.cuda.texture
    >>> form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
    >>> array = texture.CUDAarray(form, 8, 8, flags=runtime.arraySurfaceLoadStore)
    >>> shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    >>> surface = texture.SurfaceObject(shown)
    >>> assert surface.ptr
    """

    def __init__(self, ResDesc: ResourceDescriptor) -> None:
        self.ptr = 0
        array = ResDesc.cuArr
        if array is not None and not array.flags & runtime.arraySurfaceLoadStore:
            # A driver may take the array all the same, and kernels would then read and write nothing.
            raise ValueError("SurfaceObject: the array must be made with flags=runtime.arraySurfaceLoadStore")
        self.ResDesc = ResDesc
        self._device = runtime.getDevice()
        self.ptr = runtime.createSurfaceObject(ResDesc.ptr)

    def __del__(self) -> None:
        if self.ptr and not sys.is_finalizing():
            with Device(self._device):
                runtime.destroySurfaceObject(self.ptr)

"""Texture and surface references of PyCUDA, for kernels on the CPU: CUDA 12 has none.

What a reference shows and how it is read is noted, and bound when a kernel of its module is launched.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

import cuprum
from cuprum import _core, cuda
from cuprum.cuda import runtime, texture

from ._errors import LogicError
from ._flags import address_mode, array_format, filter_mode
from ._memory import pointer_at
from ._opaque import Array, ArrayDescriptor, array3d_flags, array_to_dtype, matrix_to_array

__all__ = [
    "TRSA_OVERRIDE_FORMAT",
    "TRSF_NORMALIZED_COORDINATES",
    "TRSF_READ_AS_INTEGER",
    "SurfaceReference",
    "TextureReference",
    "bind_array_to_texref",
    "matrix_to_texref",
]

TRSA_OVERRIDE_FORMAT = 1
TRSF_READ_AS_INTEGER = 1
TRSF_NORMALIZED_COORDINATES = 2


class TextureReference:
    """A texture reference of a module, as `Module.get_texref` gives it.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.pycuda import autoinit, driver, gpuarray
    >>> from cuprum.compat.pycuda.compiler import SourceModule
    >>> code = '''
    ... texture<float, 2> image;
    ... __global__ void read(float* out) { out[threadIdx.x] = tex2D(image, threadIdx.x, 1); }
    ... '''
    >>> if not cp.cuda.is_available():
    ...     module = SourceModule(code)
    ...     image = module.get_texref("image")
    ...     driver.matrix_to_texref(np.arange(6, dtype=np.float32).reshape(2, 3), image, order="C")
    ...     out = gpuarray.zeros(3, np.float32)
    ...     module.get_function("read")(out, block=(3, 1, 1), texrefs=[image])
    ...     assert out.get().tolist() == [3, 4, 5]
    """

    def __init__(self, variable: Any = None) -> None:
        self._variable = variable
        self._array: Array | None = None
        self._memory: tuple[Any, ...] | None = None
        self._format, self._channels = array_format.FLOAT, 1
        self._modes = [address_mode.CLAMP] * 3
        self._filter = filter_mode.POINT
        self._flags = TRSF_READ_AS_INTEGER
        self._bound: texture.TextureReference | None = None

    def set_array(self, array: Array) -> None:
        """Show an array."""
        self._array, self._memory = array, None

    def get_array(self) -> Array:
        """Return the array that is shown."""
        if self._array is None:
            raise LogicError("cuTexRefGetArray failed: invalid value: no array is bound")
        return self._array

    def set_address(self, devptr: Any, bytes: int, allow_offset: bool = False) -> int:  # noqa: A002
        """Show memory without rows; kernels read it by `tex1Dfetch`."""
        self._array, self._memory = None, (devptr, int(bytes))
        return 0

    def set_address_2d(self, devptr: Any, descr: ArrayDescriptor, pitch: int) -> None:
        """Show rows of memory."""
        self._array, self._memory = None, (devptr, descr, int(pitch))

    def set_format(self, fmt: array_format, num_components: int) -> None:
        """Say what the elements of memory are."""
        self._format, self._channels = array_format(fmt), int(num_components)

    def get_format(self) -> tuple[array_format, int]:
        """Return what the elements are."""
        if self._array is not None:
            descr = self._array.get_descriptor()
            return descr.format, descr.num_channels
        return self._format, self._channels

    def set_address_mode(self, dim: int, am: address_mode) -> None:
        """Say what lies beyond the edges of an axis."""
        self._modes[dim] = address_mode(am)

    def get_address_mode(self, dim: int) -> address_mode:
        """Return what lies beyond the edges of an axis."""
        return self._modes[dim]

    def set_filter_mode(self, mode: filter_mode) -> None:
        """Say whether elements are interpolated."""
        self._filter = filter_mode(mode)

    def get_filter_mode(self) -> filter_mode:
        """Return whether elements are interpolated."""
        return self._filter

    def set_flags(self, flags: int) -> None:
        """Set `TRSF_READ_AS_INTEGER` and `TRSF_NORMALIZED_COORDINATES`, or not."""
        self._flags = int(flags)

    def get_flags(self) -> int:
        """Return the flags."""
        return self._flags

    def _resource(self) -> tuple[texture.ResourceDescriptor, int]:
        """Return what is shown, and its number of axes."""
        kind, channels = self.get_format()
        form = _channels(array_to_dtype(kind), channels)
        if self._array is not None:
            return _of_array(self._array, form)
        if self._memory is None:
            raise LogicError("the texture reference shows nothing: call set_array or set_address")
        pointer = self._memory[0]
        if len(self._memory) == 2:
            size = self._memory[1]
            shown = cuprum.ndarray((size,), np.uint8, pointer_at(pointer, size))
            return (
                texture.ResourceDescriptor(
                    runtime.resourceTypeLinear, arr=shown, chDesc=form, sizeInBytes=size
                ),
                1,
            )
        _, descr, pitch = self._memory
        form = _channels(array_to_dtype(descr.format), descr.num_channels)
        size = pitch * descr.height
        shown = cuprum.ndarray((size,), np.uint8, pointer_at(pointer, size))
        return (
            texture.ResourceDescriptor(
                runtime.resourceTypePitch2D,
                arr=shown,
                chDesc=form,
                width=descr.width,
                height=descr.height,
                pitchInBytes=pitch,
            ),
            2,
        )

    def bind(self) -> None:
        """Let kernels of the module read it: done by launches."""
        if self._variable is None or (self._array is None and self._memory is None):
            return
        shown, axes = self._resource()
        kind = np.dtype(array_to_dtype(self.get_format()[0]))
        as_fractions = kind.kind in "iu" and kind.itemsize < 4 and not self._flags & TRSF_READ_AS_INTEGER
        how = texture.TextureDescriptor(
            tuple(int(mode) for mode in self._modes[:axes]),
            int(self._filter),
            runtime.readModeNormalizedFloat if as_fractions else runtime.readModeElementType,
            normalizedCoords=bool(self._flags & TRSF_NORMALIZED_COORDINATES),
        )
        self._bound = texture.TextureReference(self._variable, shown, how)

    def unbind(self) -> None:
        """Do nothing: kernels do not write textures."""


class SurfaceReference:
    """A surface reference of a module, as `Module.get_surfref` gives it: kernels read and write its array.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.pycuda import autoinit, driver
    >>> from cuprum.compat.pycuda.compiler import SourceModule
    >>> code = '''
    ... surface<void, cudaSurfaceType2DLayered> image;
    ... __global__ void twice() {
    ...     float value = surf2DLayeredread<float>(image, threadIdx.x * 4, threadIdx.y, 0);
    ...     surf2DLayeredwrite(2 * value, image, threadIdx.x * 4, threadIdx.y, 0);
    ... }
    ... '''
    >>> if not cp.cuda.is_available():
    ...     module = SourceModule(code)
    ...     rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    ...     array = driver.np_to_array(rows, "C", allowSurfaceBind=True)
    ...     module.get_surfref("image").set_array(array)
    ...     module.get_function("twice")(block=(3, 2, 1))
    ...     out = np.empty_like(rows)
    ...     driver.memcpy_atoh(out, array, 0)
    ...     assert (out == 2 * rows).all()
    """

    def __init__(self, variable: Any) -> None:
        self._variable = variable
        self._array: Array | None = None
        self._bound: tuple[texture.SurfaceObject, texture.CUDAarray] | None = None

    def set_array(self, array: Array, flags: int = 0) -> None:
        """Show an array, which must have been made for surfaces."""
        if not array.get_descriptor().flags & array3d_flags.SURFACE_LDST:
            raise LogicError(
                "cuSurfRefSetArray failed: invalid value: the array was not made with allowSurfaceBind=True"
            )
        self._array = array

    def get_array(self) -> Array:
        """Return the array that is shown."""
        if self._array is None:
            raise LogicError("cuSurfRefGetArray failed: invalid value: no array is bound")
        return self._array

    def bind(self) -> None:
        """Let kernels of the module use it: done by launches."""
        if self._array is None:
            return
        descr = self._array.get_descriptor()
        form = _channels(array_to_dtype(descr.format), descr.num_channels)
        shown, _ = _of_array(self._array, form, runtime.arraySurfaceLoadStore)
        assert shown.cuArr is not None
        self._bound = (texture.SurfaceObject(shown), shown.cuArr)
        _write_handle(self._variable, self._bound[0].ptr)

    def unbind(self) -> None:
        """Bring what a kernel has written into the array: done when it has ended."""
        if self._bound is None or self._array is None:
            return
        self._bound[1].copy_to(_elements(self._array))
        _write_handle(self._variable, 0)
        self._bound = None


def _write_handle(variable: Any, handle: int) -> None:
    ctypes.c_ulonglong.from_address(int(variable.ptr)).value = handle


def _channels(dtype: np.dtype[Any], count: int) -> texture.ChannelFormatDescriptor:
    x, y, z, w = (dtype.itemsize * 8 if channel < count else 0 for channel in range(4))
    return texture.ChannelFormatDescriptor(x, y, z, w, "iuf".index(dtype.kind))


def _elements(array: Array) -> cuprum.ndarray:
    """Return the elements of an array in place, with an axis for their channels where there are several."""
    descr = array.get_descriptor()
    dtype = array_to_dtype(descr.format)
    sizes = [size for size in (descr.depth, descr.height, descr.width) if size]
    shape = (*sizes, descr.num_channels) if descr.num_channels > 1 else tuple(sizes)
    size = math.prod(shape) * dtype.itemsize
    return cuprum.ndarray(shape, dtype, pointer_at(array.memory, size))


def _of_array(array: Array, form: Any, flags: int = 0) -> tuple[texture.ResourceDescriptor, int]:
    descr = array.get_descriptor()
    layered = bool(descr.flags & array3d_flags.LAYERED)
    flags |= runtime.arrayLayered if layered else 0
    made = texture.CUDAarray(form, descr.width, descr.height, descr.depth, flags=flags)
    made.copy_from(_elements(array))
    axes = sum(size > 0 for size in (descr.depth, descr.height, descr.width)) - int(layered)
    return texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=made), axes


def surfref_of(module: Any, name: str) -> SurfaceReference:
    """Return the surface reference of a name."""
    if _core.current_gpu() is not None:
        raise LogicError(
            f"get_surfref: CUDA 12 has no surface references such as {name!r}: take a cudaSurfaceObject_t in "
            "the kernel, and a SurfaceObject here"
        )
    address, nbytes = module.global_(name)
    return SurfaceReference(cuda.MemoryPointer(cuda.UnownedMemory(address, nbytes, module), 0))


def texref_of(module: Any, name: str) -> TextureReference:
    """Return the texture reference of a name."""
    if _core.current_gpu() is not None:
        raise LogicError(
            f"get_texref: CUDA 12 has no texture references; give {name!r} as a pointer and index it"
        )
    address, nbytes = module.global_(name)
    return TextureReference(cuda.MemoryPointer(cuda.UnownedMemory(address, nbytes, module), 0))


def bind_array_to_texref(ary: Array, texref: TextureReference) -> None:
    """Let a texture reference show an array, its elements by their numbers."""
    texref.set_array(ary)
    for axis in range(2):
        texref.set_address_mode(axis, address_mode.CLAMP)
    texref.set_filter_mode(filter_mode.POINT)


def matrix_to_texref(matrix: Any, texref: TextureReference, order: str) -> None:
    """Let a texture reference show the elements of a matrix."""
    bind_array_to_texref(matrix_to_array(matrix, order), texref)

"""GPUArray: PyCUDA's arrays. Their memory is an allocation that kernels take; arithmetic is Cuprum's.

Every operation has written its result when it returns, since kernels reach the memory by its address.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum

from ._device import Context
from ._flags import array_format, device_attribute
from ._memory import (
    DeviceAllocation,
    mem_alloc,
    memcpy_dtoh,
    memcpy_dtoh_async,
    memcpy_htod,
    memcpy_htod_async,
    pagelocked_empty,
    pointer_at,
)
from ._streams import Stream, cuda_stream

__all__ = ["GPUArray", "splay"]


def splay(n: int, dev: Any = None) -> tuple[tuple[int, int], tuple[int, int, int]]:
    """Return a grid and a block for `n` elements, whose threads may each take several."""
    device = Context.get_device() if dev is None else dev
    multiprocessors = device.get_attribute(device_attribute.MULTIPROCESSOR_COUNT)
    threads = 32 if n <= 32 else min(128, -(-n // 32) * 32)
    blocks = max(1, min(-(-n // threads), multiprocessors * 32))
    return (blocks, 1), (threads, 1, 1)


class _Flags:
    """Which orders an array's elements are in."""

    def __init__(self, array: GPUArray) -> None:
        self.c_contiguous = _is_packed(array.shape[::-1], array.strides[::-1], array.itemsize)
        self.f_contiguous = _is_packed(array.shape, array.strides, array.itemsize)
        self.forc = self.c_contiguous or self.f_contiguous


def _is_packed(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Return whether elements lie one after the other, the first axis fastest."""
    expected = itemsize
    for size, stride in zip(shape, strides, strict=True):
        if size == 0:
            return True
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def _packed_strides(shape: tuple[int, ...], itemsize: int, order: str) -> tuple[int, ...]:
    if order not in ("C", "F"):
        raise ValueError(f"invalid order: {order!r}: use C or F")
    strides, step = [], itemsize
    for size in shape if order == "F" else reversed(shape):
        strides.append(step)
        step *= size
    return tuple(strides if order == "F" else reversed(strides))


_TEXELS = {
    "d": (array_format.SIGNED_INT32, 2, True),
    "F": (array_format.FLOAT, 2, False),
    "D": (array_format.SIGNED_INT32, 4, True),
}
"""What pycuda-helpers.hpp reads in the place of elements that textures do not have."""


class GPUArray:
    """An array on the device.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype
        The elements' type; structured types can be stored and given to kernels.
    allocator : callable, optional
        Where the memory comes from.
    base : object, optional
        What keeps `gpudata` alive.
    gpudata : DeviceAllocation or int, optional
        Memory to use instead of new memory.
    strides : tuple of int, optional
        The bytes between elements along each axis.
    order : {'C', 'F'}, optional
        Which axis is the fastest where no strides are given.
    """

    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        allocator: Callable[[int], Any] = mem_alloc,
        base: Any = None,
        gpudata: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        sizes: Any = (shape,) if isinstance(shape, numbers.Integral) else shape
        self.shape = tuple(int(size) for size in np.atleast_1d(sizes)) if np.ndim(sizes) else (int(sizes),)
        if isinstance(sizes, tuple | list) and not sizes:
            self.shape = ()
        self.dtype = np.dtype(dtype)
        self.itemsize = self.dtype.itemsize
        self.size = self.mem_size = math.prod(self.shape)
        self.nbytes = self.size * self.itemsize
        packed = _packed_strides(self.shape, self.itemsize, order)
        self.strides = packed if strides is None else tuple(int(step) for step in strides)
        self.allocator = allocator
        self.base = base
        self.gpudata: Any = (allocator(self.nbytes) if self.size else None) if gpudata is None else gpudata
        self._grid, self._block = splay(self.size)

    @classmethod
    def _over(cls, array: Any, allocator: Callable[[int], Any] = mem_alloc) -> GPUArray:
        """Return the array over the memory of one of Cuprum's, which has been computed."""
        pointer = array.data if array.size else None
        gpudata = None if pointer is None else DeviceAllocation(pointer, array.nbytes)
        return cls(array.shape, array.dtype, allocator, array, gpudata, array.strides)

    @property
    def _array(self) -> Any:
        """The same memory as an array of Cuprum's."""
        if self.dtype.kind not in "biufc":
            raise TypeError(
                f"GPUArray: arithmetic needs numbers, this array is of {self.dtype}: use a kernel"
            )
        if self.gpudata is None:
            return cuprum.empty(self.shape, self.dtype)
        return cuprum.ndarray(self.shape, self.dtype, pointer_at(self.gpudata, self._span()), self.strides)

    def _span(self) -> int:
        """Return the bytes from the first element to the end of the last one."""
        steps = zip(self.shape, self.strides, strict=True)
        return int(sum((size - 1) * max(step, 0) for size, step in steps if size) + self.itemsize)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    @property
    def flags(self) -> _Flags:
        """Which orders the elements are in: c_contiguous, f_contiguous, forc."""
        return _Flags(self)

    @property
    def ptr(self) -> int:
        """The address of the first element."""
        return int(self.gpudata)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "data": (0 if self.gpudata is None else int(self.gpudata), False),
            "typestr": self.dtype.str,
            "stream": None,
            "version": 3,
        }

    # Copies

    def set(self, ary: np.ndarray[Any, Any], async_: bool = False, stream: Stream | None = None) -> None:
        """Copy an array of the host's here."""
        if ary.size != self.size:
            raise ValueError("ary and self must be the same size")
        if ary.dtype != self.dtype:
            raise ValueError("ary and self must have the same dtype")
        if not self.size:
            return
        ary = ary.reshape(self.shape)
        if not self.flags.forc:
            self._array[...] = cuprum.asarray(ary)
            cuprum.cuda.get_current_stream().synchronize()
            return
        host = np.asarray(ary, order="C" if self.flags.c_contiguous else "F")
        if async_ and host is ary:
            memcpy_htod_async(self.gpudata, host, stream)
        else:
            memcpy_htod(self.gpudata, host)

    def set_async(self, ary: np.ndarray[Any, Any], stream: Stream | None = None) -> None:
        """Copy an array of the host's here, in a stream's order."""
        self.set(ary, async_=True, stream=stream)

    def get(
        self,
        ary: np.ndarray[Any, Any] | None = None,
        pagelocked: bool = False,
        async_: bool = False,
        stream: Stream | None = None,
    ) -> np.ndarray[Any, Any]:
        """Return the elements as an array of the host's, or copy them into one."""
        if ary is not None:
            if ary.size != self.size:
                raise ValueError("self and ary must be the same size")
            if ary.dtype != self.dtype:
                raise TypeError("self and ary must have the same dtype")
        order: Any = "F" if self.flags.f_contiguous and not self.flags.c_contiguous else "C"
        make = pagelocked_empty if pagelocked else np.empty
        if not self.flags.forc and self.size:
            result = self._array.get()
        else:
            flag: Any = f"{order}_CONTIGUOUS"
            direct = ary is not None and ary.shape == self.shape and ary.flags[flag]
            result = ary if direct else make(self.shape, self.dtype, order)
            if self.size and async_:
                memcpy_dtoh_async(result, self.gpudata, stream)
            elif self.size:
                memcpy_dtoh(result, self.gpudata)
        if ary is None or result is ary:
            return result  # type: ignore[no-any-return]
        if async_ and stream is not None:
            stream.synchronize()
        ary[...] = result.reshape(ary.shape)
        return ary

    def get_async(
        self, stream: Stream | None = None, ary: np.ndarray[Any, Any] | None = None
    ) -> np.ndarray[Any, Any]:
        """Return the elements as an array of the host's, in a stream's order."""
        return self.get(ary=ary, async_=True, stream=stream)

    def copy(self) -> GPUArray:
        """Return a copy in memory of its own."""
        if self.dtype.kind in "biufc":
            return self._from(self._array.copy(order="K"))
        made = GPUArray(self.shape, self.dtype, self.allocator, strides=self.strides)
        made.set(self.get())
        return made

    def _from(self, array: Any) -> GPUArray:
        return GPUArray._over(array, self.allocator)

    def __copy__(self) -> GPUArray:
        return self.copy()

    # Views

    def _view(self, shape: Any, dtype: Any, strides: Any, offset: int = 0) -> GPUArray:
        gpudata = self.gpudata
        if isinstance(gpudata, DeviceAllocation):
            gpudata = DeviceAllocation(gpudata.pointer + offset, gpudata.size - offset)
        elif gpudata is not None:
            gpudata = int(gpudata) + offset
        return GPUArray(shape, dtype, self.allocator, self, gpudata, strides)

    def _packed(self) -> None:
        if not self.flags.forc:
            raise RuntimeError("only contiguous arrays may be used as arguments to this operation")

    def reshape(self, *shape: Any, order: str = "C") -> GPUArray:
        """Return the same elements in another shape."""
        self._packed()
        sizes = tuple(shape[0]) if isinstance(shape[0], tuple | list) else shape
        if sizes.count(-1) > 1:
            raise ValueError("can only specify one unknown dimension")
        known = math.prod(size for size in sizes if size != -1)
        if -1 in sizes:
            sizes = tuple(self.size // known if size == -1 and known else size for size in sizes)
        if math.prod(sizes) != self.size or any(size < 0 for size in sizes):
            raise ValueError("total size of new array must be unchanged")
        strides = _packed_strides(tuple(int(size) for size in sizes), self.itemsize, order)
        return self._view(sizes, self.dtype, strides)

    def ravel(self) -> GPUArray:
        """Return the elements along one axis."""
        return self.reshape(self.size)

    def view(self, dtype: Any = None) -> GPUArray:
        """Return the same memory as elements of another type."""
        new = np.dtype(self.dtype if dtype is None else dtype)
        if new.itemsize == self.itemsize:
            return self._view(self.shape, new, self.strides)
        self._packed()
        axis = -1 if self.flags.c_contiguous else 0
        if not self.shape or self.shape[axis] * self.itemsize % new.itemsize:
            raise ValueError("new type not compatible with array")
        shape = list(self.shape)
        shape[axis] = shape[axis] * self.itemsize // new.itemsize
        order = "C" if axis else "F"
        return self._view(shape, new, _packed_strides(tuple(shape), new.itemsize, order))

    def squeeze(self) -> GPUArray:
        """Return the array without axes of length 1."""
        kept = [axis for axis, size in enumerate(self.shape) if size != 1]
        return self._view([self.shape[i] for i in kept], self.dtype, [self.strides[i] for i in kept])

    def transpose(self, axes: Any = None) -> GPUArray:
        """Return the array with its axes permuted, reversed by default."""
        order = list(range(self.ndim))[::-1] if axes is None else [int(axis) for axis in axes]
        if sorted(order) != list(range(self.ndim)):
            raise ValueError("axes don't match array")
        return self._view([self.shape[i] for i in order], self.dtype, [self.strides[i] for i in order])

    @property
    def T(self) -> GPUArray:
        """The array with its axes reversed."""
        return self.transpose()

    def __getitem__(self, index: Any) -> GPUArray:
        parts = index if isinstance(index, tuple) else (index,)
        if sum(part is Ellipsis for part in parts) > 1:
            raise IndexError("more than one ellipsis not allowed in index")
        used = sum(part is not None and part is not Ellipsis for part in parts)
        if used > self.ndim:
            raise IndexError(f"too many axes in index: the array has {self.ndim}, {used} were given")
        fill = (slice(None),) * (self.ndim - used)
        where = next((i for i, part in enumerate(parts) if part is Ellipsis), None)
        parts = (*parts, *fill) if where is None else (*parts[:where], *fill, *parts[where + 1 :])
        shape, strides, offset, axis = [], [], 0, 0
        for part in parts:
            if part is None:
                shape.append(1)
                strides.append(0)
                continue
            size, step = self.shape[axis], self.strides[axis]
            if isinstance(part, slice):
                begin, end, by = part.indices(size)
                count = len(range(begin, end, by))
                shape.append(count)
                strides.append(step * by)
                offset += step * begin if count else 0
            elif isinstance(part, int | np.integer):
                if not -size <= part < size:
                    raise IndexError(f"index {part} is out of bounds for axis {axis} with size {size}")
                offset += step * (int(part) % size)
            else:
                raise IndexError(f"invalid subindex in axis {axis}: use integers, slices, None or Ellipsis")
            axis += 1
        return self._view(shape, self.dtype, strides, offset)

    def __setitem__(self, index: Any, value: Any) -> None:
        target = self[index]
        if np.isscalar(value):
            target.fill(value)
        elif isinstance(value, GPUArray):
            target._store(value._array)
        else:
            target.set(np.broadcast_to(np.asarray(value, self.dtype), target.shape))

    def _store(self, values: Any) -> GPUArray:
        """Write values of Cuprum's here."""
        if self.size:
            target = self._array
            target[...] = values
            target.data  # noqa: B018  (runs the store)
        return self

    def fill(self, value: Any, stream: Stream | None = None) -> GPUArray:
        """Set all elements to a value."""
        if self.dtype.kind not in "biufc":
            self.set(np.full(self.shape, value, self.dtype))
            return self
        with cuda_stream(stream):
            return self._store(np.asarray(value, self.dtype)[()])

    def bind_to_texref(self, texref: Any, allow_offset: bool = False) -> float:
        """Show the elements to a texture reference; return the distance of the first, in elements."""
        return float(texref.set_address(self.gpudata, self.nbytes, allow_offset) / self.dtype.itemsize)

    def bind_to_texref_ext(
        self,
        texref: Any,
        channels: int = 1,
        allow_double_hack: bool = False,
        allow_complex_hack: bool = False,
        allow_offset: bool = False,
    ) -> float:
        """Show the elements to a texture reference and say what they are.

        Textures have no float64 and no complex numbers: with the hacks they are shown as integers or pairs,
        which `fp_tex1Dfetch` of pycuda-helpers.hpp reads.
        """
        if not self.flags.forc:
            raise RuntimeError("only contiguous arrays may be used as arguments to this operation")
        from ._opaque import dtype_to_array_format
        from ._textures import TRSF_READ_AS_INTEGER

        is_allowed = allow_double_hack if self.dtype.char == "d" else allow_complex_hack
        texels = _TEXELS.get(self.dtype.char) if is_allowed else None
        if texels is None:
            form, as_integers = dtype_to_array_format(self.dtype), self.dtype.kind in "iu"
        elif channels != 1:
            raise ValueError(f"bind_to_texref_ext: textures of {self.dtype} have one channel, got {channels}")
        else:
            form, channels, as_integers = texels
        offset = self.bind_to_texref(texref, allow_offset)
        texref.set_format(form, channels)
        if as_integers:
            texref.set_flags(texref.get_flags() | TRSF_READ_AS_INTEGER)
        return offset

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        if self.size == 1:
            return bool(self.get())
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
        )

    def __hash__(self) -> int:
        raise TypeError("GPUArrays are not hashable.")

    def __str__(self) -> str:
        return str(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    # Arithmetic

    def _binary(self, operation: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> GPUArray:
        if not isinstance(other, GPUArray) and not np.isscalar(other) and np.ndim(other) != 0:
            return NotImplemented  # type: ignore[no-any-return]
        mine, theirs = self._array, other._array if isinstance(other, GPUArray) else other
        if isinstance(other, GPUArray) and other.shape and self.shape and other.shape != self.shape:
            raise ValueError(f"shapes do not match: {self.shape} and {other.shape}")
        return self._from(operation(theirs, mine) if swapped else operation(mine, theirs))

    def _compare(self, operation: Callable[[Any, Any], Any], other: Any) -> GPUArray:
        def compared(a: Any, b: Any) -> Any:
            # PyCUDA's comparisons are numbers of the operands' type, 0 and 1.
            return operation(a, b).astype(
                cuprum.result_type(a, b) if isinstance(other, GPUArray) else a.dtype
            )

        return self._binary(compared, other)

    def _in_place(self, operation: Callable[[Any, Any], Any], other: Any) -> GPUArray:
        theirs = other._array if isinstance(other, GPUArray) else other
        return self._store(operation(self._array, theirs).astype(self.dtype))

    def __add__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.add, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.subtract, other)

    def __rsub__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.subtract, other, swapped=True)

    def __mul__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.multiply, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.true_divide, other)

    def __rtruediv__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.true_divide, other, swapped=True)

    def __pow__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.power, other)

    def __rpow__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.power, other, swapped=True)

    def __mod__(self, other: Any) -> GPUArray:
        return self._binary(cuprum.remainder, other)

    def __iadd__(self, other: Any) -> GPUArray:
        return self._in_place(cuprum.add, other)

    def __isub__(self, other: Any) -> GPUArray:
        return self._in_place(cuprum.subtract, other)

    def __imul__(self, other: Any) -> GPUArray:
        return self._in_place(cuprum.multiply, other)

    def __itruediv__(self, other: Any) -> GPUArray:
        return self._in_place(cuprum.true_divide, other)

    def __ipow__(self, other: Any) -> GPUArray:
        return self._in_place(cuprum.power, other)

    def __pos__(self) -> GPUArray:
        return self

    def __neg__(self) -> GPUArray:
        return self._from(-self._array)

    def __abs__(self) -> GPUArray:
        return self._from(abs(self._array))

    def __eq__(self, other: object) -> GPUArray:  # type: ignore[override]
        return self._compare(cuprum.equal, other)

    def __ne__(self, other: object) -> GPUArray:  # type: ignore[override]
        return self._compare(cuprum.not_equal, other)

    def __lt__(self, other: Any) -> GPUArray:
        return self._compare(cuprum.less, other)

    def __le__(self, other: Any) -> GPUArray:
        return self._compare(cuprum.less_equal, other)

    def __gt__(self, other: Any) -> GPUArray:
        return self._compare(cuprum.greater, other)

    def __ge__(self, other: Any) -> GPUArray:
        return self._compare(cuprum.greater_equal, other)

    def mul_add(
        self,
        selffac: Any,
        other: GPUArray,
        otherfac: Any,
        add_timer: Any = None,
        stream: Stream | None = None,
        out: GPUArray | None = None,
    ) -> GPUArray:
        """Return `selffac * self + otherfac * other`."""
        with cuda_stream(stream):
            values = self._array * selffac + other._array * otherfac
            return self._from(values) if out is None else out._store(values)

    def reverse(self, stream: Stream | None = None) -> GPUArray:
        """Return the elements in reverse order."""
        self._packed()
        with cuda_stream(stream):
            return self._from(
                cuprum.ascontiguousarray(self._array.ravel(order="K")[::-1]).reshape(self.shape)
            )

    def astype(self, dtype: Any, stream: Stream | None = None) -> GPUArray:
        """Return the elements in another type."""
        with cuda_stream(stream):
            return self._from(self._array.astype(dtype))

    def any(self, stream: Stream | None = None, allocator: Any = None) -> GPUArray:
        """Return whether any element is other than zero."""
        with cuda_stream(stream):
            return self._from(self._array.any())

    def all(self, stream: Stream | None = None, allocator: Any = None) -> GPUArray:
        """Return whether all elements are other than zero."""
        with cuda_stream(stream):
            return self._from(self._array.all())

    def dot(self, other: GPUArray) -> GPUArray:
        """Return the sum of the products of the elements."""
        return self._from((self._array * other._array).sum())

    @property
    def real(self) -> GPUArray:
        """The real parts: for real numbers the array itself."""
        return self._from(self._array.real.copy()) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> GPUArray:
        """The imaginary parts."""
        return self._from(self._array.imag.copy())

    def conj(self, out: GPUArray | None = None) -> GPUArray:
        """Return the conjugates: for real numbers the array itself."""
        if self.dtype.kind != "c":
            return self
        return self._from(self._array.conj()) if out is None else out._store(self._array.conj())

    conjugate = conj

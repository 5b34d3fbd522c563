"""Arguments of a launch: what types they have, and what the kernel is given for each.

`gather` is on the way of every launch: it makes a key of the arguments' types, by which a compiled kernel is
found, and the flat list of what the kernel takes. `kind_of` gives the types themselves, when something must
be compiled.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from ._types import (
    MAX_TUPLE,
    NONE,
    Array,
    Known,
    Pointer,
    Record,
    Scalar,
    Static,
    Tuple,
    Type,
    check_tuple,
    is_in_bytes,
    scalar,
)

__all__ = ["Gathered", "compiled_kind", "gather", "kind_of", "leaves_as"]

_ndarray = _core.ndarray


class Gathered:
    """What a launch gives to a kernel.

    Attributes
    ----------
    leaves : list
        The arguments as the kernel takes them.
    back : list
        Host arrays whose copies on a GPU the kernel may have written: (host array, device array).
    host : bool
        Whether NumPy arrays are taken, as Numba does, or refused, as CuPy does.
    gpu : bool
        Whether the kernel runs on a GPU.
    """

    __slots__ = ("back", "gpu", "host", "leaves", "number")

    def __init__(self, host: bool, gpu: bool, number: Callable[[Any], Scalar]) -> None:
        self.leaves: list[Any] = []
        self.back: list[tuple[Any, Any]] = []
        self.host = host
        self.gpu = gpu
        self.number = number


class _Memory:
    """Memory of the host by its address, as the binding takes it."""

    __slots__ = ("_owner", "mem", "ptr", "size")

    def __init__(self, ptr: int, size: int, owner: Any, mem: Any = None) -> None:
        self.ptr = ptr
        self.size = size
        self.mem = self if mem is None else mem
        self._owner = owner


def steps(strides: tuple[int, ...], itemsize: int) -> list[int]:
    steps = []
    for stride in strides:
        step, rest = divmod(stride, itemsize)
        if rest:
            raise ValueError(
                "an array whose strides are no multiples of its itemsize cannot be given to a kernel"
            )
        steps.append(step)
    return steps


def _of_ndarray(array: Any, to: Gathered) -> Any:
    if array._is_element:
        return _of_number(_number_of(array), to)
    flags = array.flags
    contiguous = flags.c_contiguous
    shape = array.shape
    leaves = to.leaves
    dtype = array.dtype
    leaves.append(array)
    leaves.extend(shape)
    if not contiguous:
        leaves.extend(steps(array.strides, dtype.itemsize))
    return ("a", dtype.num, len(shape), contiguous, flags.writeable)


def _of_stored(array: Any, to: Gathered) -> Any:
    """Add an array of structures or dates: kernels are given its bytes, or its counts."""
    dtype = array.dtype
    _refuse_foreign_order(dtype)
    if array._is_element:
        return _of_number(_number_of(array), to)
    flags = array.flags
    contiguous = flags.c_contiguous
    to.leaves.append(array._ticks if dtype.kind in "mM" else array._bytes)
    to.leaves.extend(array.shape)
    if not contiguous:
        to.leaves.extend(steps(array.strides, dtype.itemsize))
    return ("a", dtype, array.ndim, contiguous, flags.writeable)


def _refuse_foreign_order(dtype: np.dtype[Any]) -> None:
    if not dtype.isnative:
        raise TypeError(
            "arrays in foreign byte order cannot be given to a kernel: pass "
            "x.astype(x.dtype.newbyteorder('='))"
        )


def _of_numpy(array: Any, to: Gathered) -> Any:
    if not to.host:
        raise TypeError(
            f"a NumPy array of shape {array.shape} cannot be given to a kernel: pass cp.asarray(x)"
        )
    dtype = array.dtype
    if dtype.hasobject:
        raise TypeError(f"arrays of dtype {dtype} cannot be given to a kernel")
    _refuse_foreign_order(dtype)
    writable = array.flags.writeable
    if to.gpu:
        device = _on_gpu(array)
        if writable:
            to.back.append((array, device))
        to.leaves.append(device)
        to.leaves.extend(array.shape)
        contiguous = True
    else:
        if not array.flags.aligned:
            # A copy is, and what the kernel writes comes back, as from a GPU.
            aligned = array.copy()
            if writable:
                to.back.append((array, aligned))
            array = aligned
        contiguous = array.flags.c_contiguous
        to.leaves.append(_host_memory(array))
        to.leaves.extend(array.shape)
        if not contiguous:
            to.leaves.extend(steps(array.strides, dtype.itemsize))
    mark = dtype if dtype.kind in "VSUmM" else dtype.num
    return ("a", mark, array.ndim, contiguous, writable)


def _host_memory(array: Any) -> Any:
    address = array.__array_interface__["data"][0]
    if array.flags.c_contiguous:
        return _Memory(address, array.nbytes, array)
    low, high = np.lib.array_utils.byte_bounds(array)
    return _Memory(address, high - low, array, _Memory(low, high - low, array))


def _on_gpu(array: Any) -> Any:
    from .. import asarray

    if is_in_bytes(array.dtype):
        return asarray(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    if array.dtype.kind in "mM":
        return asarray(np.ascontiguousarray(array).view(np.int64))
    return asarray(np.ascontiguousarray(array))


def _of_int(value: int, to: Gathered) -> Any:
    kind = to.number(value)
    to.leaves.append(value)
    return kind.name


def _of_number(value: Any, to: Gathered) -> Any:
    kind = to.number(value)
    to.leaves.append(_counted(value) if kind.kind in "mM" else kind.dtype.type(value))
    return kind.name


def _is_element(value: Any) -> bool:
    """Whether a value is a single element taken by an index."""
    array: Any = value
    return isinstance(value, _ndarray) and bool(array._is_element)


def _number_of(element: Any) -> Any:
    """Return a single element taken by an index as NumPy's number."""
    return element.get()[()]


def _counted(value: Any) -> Any:
    """Return a date, or a difference of dates, as the number that kernels have for it."""
    return np.asarray(value).astype(np.int64)[()]


def _of_tuple(value: tuple[Any, ...], to: Gathered) -> Any:
    # A tuple may hold another many times over: it is counted no further than a kernel takes it.
    waiting, count = [value], 0
    while waiting and count <= MAX_TUPLE:
        for item in waiting.pop():
            if isinstance(item, tuple):
                waiting.append(item)
            else:
                count += 1
    check_tuple(count)
    return (type(value), *(gather_one(item, to) for item in value))


def _of_none(value: None, to: Gathered) -> Any:
    return None


def _of_enum(value: enum.Enum, to: Gathered) -> Any:
    # Members are told apart when the kernel is compiled: they are none of its parameters.
    return ("e", value)


def _of_text(value: str | bytes, to: Gathered) -> Any:
    # Like a member of an enumeration: a kernel is compiled for each text.
    return ("t", value)


def _of_int_enum(value: enum.IntEnum, to: Gathered) -> Any:
    # Told apart as well, since `is` knows members of two classes that are one number.
    return ("e", type(value), _of_int(value, to), int(value))


def _of_record(value: np.void, to: Gathered) -> Any:
    if value.dtype.names is None:
        raise TypeError("a void value without fields cannot be given to a kernel")
    # Kernels see records by their address: that of a copy, from which the record is set again.
    bytes_ = np.frombuffer(value.tobytes(), np.uint8).copy()
    held = bytes_
    if to.gpu:
        from .. import asarray

        held = asarray(bytes_)
    to.leaves.append(held if to.gpu else _host_memory(bytes_))
    to.back.append((value, held))
    return ("r", value.dtype)


_BY_CLASS: dict[type, Callable[[Any, Gathered], Any]] = {
    _ndarray: _of_ndarray,
    np.ndarray: _of_numpy,
    int: _of_int,
    bool: _of_int,
    float: _of_number,
    complex: _of_number,
    tuple: _of_tuple,
    type(None): _of_none,
    np.void: _of_record,
    str: _of_text,
    bytes: _of_text,
}


def gather_one(value: Any, to: Gathered) -> Any:
    """Add what the kernel takes for one argument; return the key of its type."""
    row = _BY_CLASS.get(type(value))
    if row is not None:
        return row(value, to)
    held = getattr(value, "__cuprum_argument__", None)
    if held is not None:
        return held(to)
    return _found(value)(value, to)


def _found(value: Any) -> Callable[[Any, Gathered], Any]:
    """Return the row for a class that was not met before."""
    if isinstance(value, (np.bool_, np.number, np.datetime64)):
        row: Callable[[Any, Gathered], Any] = _of_number
    elif issubclass(type(value), _ndarray):
        row = _of_ndarray
    elif getattr(type(value), "_is_stored", False):
        row = _of_stored
    elif isinstance(value, np.ndarray):
        row = _of_numpy
    elif isinstance(value, enum.IntEnum):
        row = _of_int_enum
    elif isinstance(value, int):
        row = _of_int
    elif isinstance(value, (float, complex)):
        row = _of_number
    elif isinstance(value, tuple):
        row = _of_tuple
    elif isinstance(value, np.void):
        row = _of_record
    elif isinstance(value, enum.Enum):
        row = _of_enum
    elif isinstance(value, (str, bytes)):
        row = _of_text
    elif hasattr(value, "__cuda_array_interface__"):
        row = _of_interface
    else:
        raise TypeError(
            f"an argument of type {type(value).__name__!r} cannot be given to a kernel; pass arrays, "
            "numbers, or tuples of them"
        )
    _BY_CLASS[type(value)] = row
    return row


def _of_interface(value: Any, to: Gathered) -> Any:
    return _of_ndarray(foreign_array(value), to)


def foreign_array(value: Any) -> Any:
    """Return an array that is known by its `__cuda_array_interface__` alone, without a copy.

    Where there is no GPU, the address can only be one of the CPU, which stands for it.
    """
    from .. import _core, asarray, cuda, ndarray

    shown = getattr(value, "__cuda_array_interface__", None)
    if not isinstance(shown, dict) or _core.current_gpu() is not None:
        return asarray(value)
    dtype, shape = np.dtype(shown["typestr"]), tuple(shown["shape"])
    strides = shown.get("strides")
    if strides is None:
        strides = [dtype.itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    steps = tuple(strides)
    extents = [(size - 1) * step for size, step in zip(shape, steps, strict=True)]
    if 0 in shape:
        return ndarray(shape, dtype)
    before = -sum(extent for extent in extents if extent < 0)
    behind = sum(extent for extent in extents if extent > 0) + dtype.itemsize
    memory = cuda.UnownedMemory(int(shown["data"][0]) - before, before + behind, value)
    return ndarray(shape, dtype, cuda.MemoryPointer(memory, before), steps)


def gather(args: tuple[Any, ...], names: tuple[str, ...], to: Gathered) -> tuple[Any, ...]:
    """Add what the kernel takes for its arguments; return the key of their types."""
    try:
        return tuple([gather_one(value, to) for value in args])
    except (TypeError, ValueError) as error:
        for name, value in zip(names, args, strict=False):
            try:
                gather_one(value, Gathered(to.host, to.gpu, to.number))
            except (TypeError, ValueError) as of_this:
                raise type(error)(f"parameter {name!r}: {of_this}") from None
        raise


def is_array(value: Any) -> bool:
    """Whether a value is an array on the device."""
    if isinstance(value, _ndarray) or hasattr(type(value), "__cuprum_kind__"):
        return True
    return not isinstance(value, type) and hasattr(value, "__cuda_array_interface__")


def compiled_kind(value: Any, to: Gathered) -> Type:
    """Return the type that a kernel is compiled for: that of the argument, with the member that it is."""
    kind = kind_of(value, to)
    if isinstance(value, enum.IntEnum):
        return Known(kind, f"{type(value).__qualname__} {value!r}", value)
    return kind


def kind_of(value: Any, to: Gathered) -> Type:
    """Return the type of an argument."""
    if value is None:
        return NONE
    if isinstance(value, tuple):
        return Tuple(tuple(kind_of(item, to) for item in value), getattr(value, "_fields", None))
    if isinstance(value, np.void):
        return Record(value.dtype)
    if isinstance(value, (str, bytes)) or (isinstance(value, enum.Enum) and not isinstance(value, int)):
        return Static(value)
    if isinstance(value, (bool, int, float, complex, np.bool_, np.number, np.datetime64)):
        return to.number(value)
    held = getattr(value, "__cuprum_kind__", None)
    if held is not None:
        kind: Type = held()
        return kind
    if _is_element(value):
        return to.number(_number_of(value))
    is_ours = issubclass(type(value), _ndarray) or getattr(type(value), "_is_stored", False)
    if not is_ours and not isinstance(value, np.ndarray):
        value = foreign_array(value)
    dtype = value.dtype
    if not is_in_bytes(dtype):
        try:
            scalar(dtype)
        except KeyError:
            raise TypeError(f"arrays of dtype {dtype} cannot be given to a kernel") from None
    host_copy = to.gpu and isinstance(value, np.ndarray)
    return Array(dtype, value.ndim, host_copy or value.flags.c_contiguous, value.flags.writeable)


def _differ_in_sign(one: Any, other: Any) -> bool:
    """Whether two dtypes are integers of one size, only one of them signed."""
    return one.itemsize == other.itemsize and {one.kind, other.kind} == {"i", "u"}


def leaves_as(value: Any, kind: Type, to: Gathered, name: str) -> None:
    """Add what the kernel takes for an argument whose type a signature says."""
    natural = kind_of(value, to)
    if isinstance(kind, Scalar):
        if not isinstance(natural, Scalar) or (natural.kind == "c" and kind.kind != "c"):
            raise TypeError(f"parameter {name!r} is {kind}, got {natural}")
        with np.errstate(all="ignore"):
            number = np.asarray(value).astype(kind.dtype)[()]
        to.leaves.append(_counted(number) if kind.kind in "mM" else number)
        return
    if isinstance(kind, Array) and isinstance(natural, Array):
        if _differ_in_sign(natural.dtype, kind.dtype):
            # As Numba does it: the bits are taken for the integers that the signature says.
            value = value.view(kind.dtype)
            natural = Array(kind.dtype, natural.ndim, natural.contiguous, natural.writable)
        same = natural.dtype == kind.dtype and natural.ndim == kind.ndim
        if not same or (kind.contiguous and not natural.contiguous):
            raise TypeError(f"parameter {name!r} is {kind}, got {natural}")
        gather_one(value, to)
        if natural.contiguous and not kind.contiguous:
            step = 1
            steps = []
            for size in value.shape[::-1]:
                steps.append(step)
                step *= size
            to.leaves.extend(steps[::-1])
        return
    if isinstance(kind, Pointer) and isinstance(natural, Array) and natural.dtype == kind.dtype:
        # An address is all that the kernel takes of an array.
        own = Gathered(to.host, to.gpu, to.number)
        gather_one(value, own)
        to.leaves.append(own.leaves[0])
        to.back += own.back
        return
    if isinstance(kind, Pointer) and isinstance(natural, Scalar) and natural.kind in "iu":
        to.leaves.append(int(value))
        return
    if natural != kind:
        raise TypeError(f"parameter {name!r} is {kind}, got {natural}")
    gather_one(value, to)


def register(kind: type, row: Callable[[Any, Gathered], Any]) -> None:
    """Say what the kernel takes for arguments of a class."""
    _BY_CLASS[kind] = row


def by_address(array: Any, to: Gathered) -> Any:
    """Add a NumPy array whose memory kernels can reach on every device."""
    gpu, to.gpu = to.gpu, False
    try:
        return _of_numpy(array, to)
    finally:
        to.gpu = gpu

"""C types of NumPy's dtypes, arguments of generated kernels, pools and memoization."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from cuprum import cuda

from ._device import Context, Device
from ._errors import translated
from ._flags import device_attribute
from ._memory import PooledDeviceAllocation

__all__ = [
    "Argument",
    "DeviceData",
    "DeviceMemoryPool",
    "OccupancyRecord",
    "PageLockedMemoryPool",
    "ScalarArg",
    "VectorArg",
    "bitlog2",
    "clear_context_caches",
    "context_dependent_memoize",
    "dtype_to_ctype",
    "get_arg_type",
    "get_default_device",
    "get_or_register_dtype",
    "make_default_context",
    "parse_c_arg",
    "register_dtype",
]

_C_TYPES: dict[np.dtype[Any], str] = {
    np.dtype(np.bool_): "bool",
    np.dtype(np.int8): "signed char",
    np.dtype(np.uint8): "unsigned char",
    np.dtype(np.int16): "short",
    np.dtype(np.uint16): "unsigned short",
    np.dtype(np.int32): "int",
    np.dtype(np.uint32): "unsigned",
    np.dtype(np.int64): "long long",
    np.dtype(np.uint64): "unsigned long long",
    np.dtype(np.float32): "float",
    np.dtype(np.float64): "double",
    np.dtype(np.complex64): "pycuda::complex<float>",
    np.dtype(np.complex128): "pycuda::complex<double>",
}

_DTYPES: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    "char": np.dtype(np.int8),
    "signed char": np.dtype(np.int8),
    "unsigned char": np.dtype(np.uint8),
    "short": np.dtype(np.int16),
    "short int": np.dtype(np.int16),
    "unsigned short": np.dtype(np.uint16),
    "unsigned short int": np.dtype(np.uint16),
    "int": np.dtype(np.int32),
    "signed int": np.dtype(np.int32),
    "unsigned": np.dtype(np.uint32),
    "unsigned int": np.dtype(np.uint32),
    "long": np.dtype(np.int64),
    "long int": np.dtype(np.int64),
    "unsigned long": np.dtype(np.uint64),
    "unsigned long int": np.dtype(np.uint64),
    "long long": np.dtype(np.int64),
    "unsigned long long": np.dtype(np.uint64),
    "size_t": np.dtype(np.uintp),
    "ptrdiff_t": np.dtype(np.intp),
    "int8_t": np.dtype(np.int8),
    "uint8_t": np.dtype(np.uint8),
    "int16_t": np.dtype(np.int16),
    "uint16_t": np.dtype(np.uint16),
    "int32_t": np.dtype(np.int32),
    "uint32_t": np.dtype(np.uint32),
    "int64_t": np.dtype(np.int64),
    "uint64_t": np.dtype(np.uint64),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
    "pycuda::complex<float>": np.dtype(np.complex64),
    "pycuda::complex<double>": np.dtype(np.complex128),
    "cuFloatComplex": np.dtype(np.complex64),
    "cuComplex": np.dtype(np.complex64),
    "cuDoubleComplex": np.dtype(np.complex128),
}


def register_dtype(dtype: Any, name: str) -> None:
    """Let generated kernels call a dtype by a C type's name."""
    dtype = np.dtype(dtype)
    if _DTYPES.get(name, dtype) != dtype:
        raise RuntimeError(f"register_dtype: {name!r} is {_DTYPES[name]} already")
    _DTYPES[name] = dtype
    _C_TYPES.setdefault(dtype, name)


def get_or_register_dtype(names: Any, dtype: Any = None) -> np.dtype[Any]:
    """Return the dtype of a C type's name; a new one is registered."""
    for name in [names] if isinstance(names, str) else names:
        if dtype is not None:
            register_dtype(dtype, name)
        elif name not in _DTYPES:
            raise KeyError(f"get_or_register_dtype: {name!r} is not known: give its dtype")
        else:
            return _DTYPES[name]
    return np.dtype(dtype)  # type: ignore[no-any-return]


def dtype_to_ctype(dtype: Any, with_fp_tex_hack: bool = False) -> str:
    """Return the C type of a dtype."""
    if dtype is None:
        raise ValueError("dtype may not be None")
    dtype = np.dtype(dtype)
    try:
        return _C_TYPES[dtype]
    except KeyError:
        raise ValueError(f"unable to map dtype '{dtype}': name it with register_dtype") from None


class Argument:
    """An argument of a generated kernel."""

    def __init__(self, dtype: Any, name: str) -> None:
        self.dtype = np.dtype(dtype)
        self.name = name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.dtype})"


class VectorArg(Argument):
    """An array."""

    struct_char = "P"

    def declarator(self) -> str:
        """Return the argument as C declares it."""
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(Argument):
    """A number."""

    def declarator(self) -> str:
        """Return the argument as C declares it."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"

    @property
    def struct_char(self) -> str:
        """The letter that `prepare` takes."""
        return f"{self.dtype.itemsize}s" if self.dtype.kind == "V" else self.dtype.char


def parse_c_arg(c_arg: str) -> Argument:
    """Return the argument that a C declaration names."""
    text = re.sub(r"\b(const|volatile|__restrict__|__restrict|restrict)\b", " ", c_arg)
    match = re.fullmatch(r"\s*(.+?)\s*(\*?)\s*([A-Za-z_]\w*)\s*(\[\s*\])?\s*", text)
    if match is None:
        raise ValueError(f"cannot parse the argument {c_arg!r}: write it as `float *x` or `float a`")
    kind, star, name, brackets = match.groups()
    spelled = " ".join(re.sub(r"\s*([<>:,])\s*", r"\1", kind).split())
    if spelled not in _DTYPES:
        raise ValueError(f"unknown type {spelled!r} in the argument {c_arg!r}: name it with register_dtype")
    return (VectorArg if star or brackets else ScalarArg)(_DTYPES[spelled], name)


def get_arg_type(c_arg: str) -> str:
    """Return the letter that `prepare` takes for a C declaration."""
    return parse_c_arg(c_arg).struct_char  # type: ignore[attr-defined,no-any-return]


def split_c_args(arguments: str) -> list[Argument]:
    """Return the arguments of a list in C; commas inside angle brackets do not split it."""
    parts = re.split(r",(?![^<]*>)", arguments)
    return [parse_c_arg(part) for part in parts if part.strip()]


def bitlog2(value: int) -> int:
    """Return the place of the highest bit that is set."""
    if value <= 0:
        raise ValueError(f"bitlog2: expected a positive integer, got {value}")
    return int(value).bit_length() - 1


class DeviceMemoryPool:
    """Memory of the device that is kept for reuse; `allocate` is an allocator for arrays."""

    def __init__(self) -> None:
        self._pool = cuda.MemoryPool()

    def allocate(self, size: int) -> PooledDeviceAllocation:
        """Return memory."""
        with translated("cuMemAlloc"):
            return PooledDeviceAllocation(self._pool.malloc(int(size)), int(size))

    def free_held(self) -> None:
        """Give back what is kept."""
        self._pool.free_all_blocks()

    def stop_holding(self) -> None:
        """Give back what is kept."""
        self._pool.free_all_blocks()

    @property
    def held_blocks(self) -> int:
        """How many pieces are kept."""
        return self._pool.n_free_blocks()

    @property
    def managed_bytes(self) -> int:
        """How many bytes the pool has."""
        return self._pool.total_bytes()

    @property
    def active_bytes(self) -> int:
        """How many bytes are in use."""
        return self._pool.used_bytes()


class PageLockedMemoryPool:
    """Page-locked memory of the host that is kept for reuse."""

    def __init__(self) -> None:
        self._pool = cuda.PinnedMemoryPool()

    def allocate(self, shape: Any, dtype: Any, order: str = "C") -> np.ndarray[Any, Any]:
        """Return an array in the pool's memory."""
        from ._memory import _shaped

        nbytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        return _shaped(self._pool.malloc(nbytes), shape, dtype, order)

    def free_held(self) -> None:
        """Give back what is kept."""
        self._pool.free_all_blocks()

    stop_holding = free_held


def get_default_device(default: int = 0) -> Device:
    """Return the device that programs use unless they name one: CUDA_DEVICE's, or the first."""
    import os

    return Device(int(os.environ.get("CUDA_DEVICE", default)))


def make_default_context(ctx_maker: Callable[[Device], Context] | None = None) -> Context:
    """Enter a context of the default device and return it."""
    device = get_default_device()
    return device.make_context() if ctx_maker is None else ctx_maker(device)


class DeviceData:
    """Numbers of a device that occupancy is computed from."""

    def __init__(self, dev: Device | None = None) -> None:
        device = Context.get_device() if dev is None else dev
        self.max_threads = device.get_attribute(device_attribute.MAX_THREADS_PER_BLOCK)
        self.warp_size = device.get_attribute(device_attribute.WARP_SIZE)
        self.warps_per_mp = 64
        self.thread_blocks_per_mp = 32
        self.registers = device.get_attribute(device_attribute.MAX_REGISTERS_PER_BLOCK)
        self.shared_memory = device.get_attribute(device_attribute.MAX_SHARED_MEMORY_PER_BLOCK)
        self.smem_granularity = 128

    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int:
        """Return how many channels hold `size` numbers."""
        return {1: 1, 2: 2, 3: 4, 4: 4}[size]


class OccupancyRecord:
    """How many blocks of a kernel a multiprocessor holds at once."""

    def __init__(self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0) -> None:
        if threads > devdata.max_threads:
            raise ValueError("too many threads")
        warps = -(-threads // devdata.warp_size)
        bounds = {"warps": devdata.warps_per_mp // warps, "blocks": devdata.thread_blocks_per_mp}
        if registers:
            bounds["regs"] = devdata.registers // (registers * warps * devdata.warp_size)
        if shared_mem:
            granularity = devdata.smem_granularity
            bounds["smem"] = devdata.shared_memory // (-(-shared_mem // granularity) * granularity)
        self.limited_by = min(bounds, key=lambda name: bounds[name])
        self.tb_per_mp = bounds[self.limited_by]
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp


_caches: list[Any] = []


def context_dependent_memoize(func: Callable[..., Any]) -> Callable[..., Any]:
    """Remember a function's results, for each device of its own."""

    @functools.cache
    def remembered(device: Device, args: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> Any:
        return func(*args, **dict(named))

    @functools.wraps(func)
    def call(*args: Any, **named: Any) -> Any:
        return remembered(Context.get_device(), args, tuple(sorted(named.items())))

    _caches.append(remembered)
    return call


def clear_context_caches() -> None:
    """Forget what `context_dependent_memoize` remembers."""
    for cache in _caches:
        cache.cache_clear()

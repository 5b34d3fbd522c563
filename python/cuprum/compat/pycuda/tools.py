"""C types of NumPy's dtypes, arguments of generated kernels, pools and memoization."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
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
    "init_cuda_context_fixture",
    "make_default_context",
    "mark_cuda_test",
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

    @staticmethod
    def bin_number(size: int) -> int:
        """Return the number of the group of sizes that a size is in: eight for each power of two."""
        exponent = max(int(size), 1).bit_length() - 1
        return exponent * 8 + (max(int(size), 1) << 3 >> exponent & 7)

    @staticmethod
    def alloc_size(bin_nr: int) -> int:
        """Return the largest size of a group."""
        exponent, part = divmod(int(bin_nr), 8)
        beyond = (part + 9 << exponent) - 1 >> 3
        return max(beyond, part + 8 << exponent >> 3)

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

    register_allocation_unit = "warp"

    def __init__(self, dev: Device | None = None) -> None:
        device = Context.get_device() if dev is None else dev
        self.max_threads = device.get_attribute(device_attribute.MAX_THREADS_PER_BLOCK)
        self.warp_size = device.get_attribute(device_attribute.WARP_SIZE)
        self.warps_per_mp = 64
        self.thread_blocks_per_mp = 32
        self.registers = device.get_attribute(device_attribute.MAX_REGISTERS_PER_BLOCK)
        self.shared_memory = device.get_attribute(device_attribute.MAX_SHARED_MEMORY_PER_BLOCK)
        self.smem_granularity = 32
        self.smem_alloc_granularity = 128

    @staticmethod
    def align_bytes(word_size: int = 4) -> int:
        """Return to what addresses are aligned that a warp reads words of a size from."""
        if word_size not in (4, 8, 16):
            raise ValueError(f"no alignment possible for fetches of size {word_size}")
        return 64 if word_size == 4 else 128

    def align(self, bytes: int, word_size: int = 4) -> int:  # noqa: A002
        """Return a number of bytes, rounded up to what reads of words are aligned to."""
        return _rounded_up(bytes, self.align_bytes(word_size))

    def align_words(self, word_size: int) -> int:
        """Return how many words lie between addresses that are aligned."""
        return self.align_bytes(word_size) // word_size

    def align_dtype(self, elements: int, dtype_size: int) -> int:
        """Return a number of elements, rounded up to what reads of them are aligned to."""
        return _rounded_up(elements, self.align_words(dtype_size))

    @staticmethod
    def coalesce(thread_count: int) -> int:
        """Return a number of threads, rounded up to half warps."""
        return _rounded_up(thread_count, 16)

    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int:
        """Return how many channels hold `size` numbers."""
        for count in (1, 2, 4):
            if size <= count:
                return count
        raise ValueError("could not enlarge argument to valid channel count")


def _rounded_up(value: int, step: int) -> int:
    return -(-value // step) * step


class OccupancyRecord:
    """How many blocks of a kernel a multiprocessor holds at once.

    Attributes
    ----------
    tb_per_mp : int
        Blocks that a multiprocessor holds.
    limited_by : str
        What allows no more: 'device', 'warps', 'regs' or 'smem'.
    warps_per_mp, occupancy : int, float
        Warps that a multiprocessor holds, and their part of what it could hold.
    """

    def __init__(self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0) -> None:
        if threads > devdata.max_threads:
            raise ValueError("too many threads")
        warps = -(-threads // devdata.warp_size)
        shared = _rounded_up(shared_mem, devdata.smem_alloc_granularity)
        used = warps * devdata.warp_size * registers
        if used > devdata.registers:
            raise ValueError("too many registers")
        if shared > devdata.shared_memory:
            raise ValueError("too much smem")
        bounds = [(devdata.thread_blocks_per_mp, "device"), (devdata.warps_per_mp // warps, "warps")]
        if registers:
            bounds.append((devdata.registers // used, "regs"))
        if shared_mem:
            bounds.append((devdata.shared_memory // shared, "smem"))
        self.tb_per_mp_limits = bounds
        self.tb_per_mp, self.limited_by = min(bounds)
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp


def init_cuda_context_fixture() -> Iterator[None]:
    """Enter a context of the default device for a test: `pytest.fixture(autouse=True)` makes it a fixture."""
    context = make_default_context()
    try:
        yield
    finally:
        context.pop()
        clear_context_caches()


def mark_cuda_test(inner_f: Callable[..., Any]) -> Callable[..., Any]:
    """Run a test in a context of the default device.

    Examples
    --------
    >>> from cuprum.compat.pycuda import driver, tools
    >>> @tools.mark_cuda_test
    ... def test_memory():
    ...     driver.mem_alloc(16).free()
    >>> test_memory()
    """

    @functools.wraps(inner_f)
    def tested(*args: Any, **kwargs: Any) -> Any:
        context = make_default_context()
        try:
            return inner_f(*args, **kwargs)
        finally:
            context.pop()
            clear_context_caches()

    return tested


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

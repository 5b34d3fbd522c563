"""Modules, kernels and arguments by PyCUDA's rules: numbers carry their types, Python's own are refused."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cuprum import _core, cuda

from ._device import Context
from ._errors import LogicError, translated
from ._flags import func_cache, function_attribute
from ._memory import DeviceAllocation, ManagedArray, mem_alloc_like, memcpy_dtoh, memcpy_htod
from ._streams import Event, Stream, cuda_stream
from ._textures import surfref_of, texref_of

__all__ = [
    "ArgumentHandler",
    "Function",
    "In",
    "InOut",
    "Module",
    "Out",
    "module_from_buffer",
    "module_from_file",
]

SOURCE_MARK = b"// cuprum source\n"
"""What begins a module that is text still: `compiler.compile` makes it, `module_from_buffer` takes it."""


class ArgumentHandler:
    """An array of the host's that is copied to the device and back around a launch."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self._allocation: DeviceAllocation | None = None

    def get_device_alloc(self) -> DeviceAllocation:
        """Return the array's memory on the device."""
        if self._allocation is None:
            try:
                self._allocation = mem_alloc_like(self.array)
            except AttributeError:
                kind = type(self.array).__name__
                raise TypeError(f"could not determine array length of {kind!r}: not an array") from None
        return self._allocation

    def pre_call(self, stream: Stream | None) -> None:
        """Do what is to be done before the launch."""

    def post_call(self, stream: Stream | None) -> None:
        """Do what is to be done after the launch."""


class In(ArgumentHandler):
    """An array that is copied to the device before the launch."""

    def pre_call(self, stream: Stream | None) -> None:
        """Copy the array to the device."""
        memcpy_htod(self.get_device_alloc(), self.array)


class Out(ArgumentHandler):
    """An array that is copied from the device after the launch."""

    def post_call(self, stream: Stream | None) -> None:
        """Copy the array from the device."""
        memcpy_dtoh(self.array, self.get_device_alloc())


class InOut(In, Out):
    """An array that is copied both ways."""


def _argument(value: Any, position: int) -> Any:
    """Return what the launch takes for an argument of a call."""
    if isinstance(value, np.number | np.bool_):
        return value
    if isinstance(value, DeviceAllocation):
        return value.pointer
    if isinstance(value, cuda.MemoryPointer):
        return value
    if isinstance(value, ArgumentHandler):
        return value.get_device_alloc().pointer
    if isinstance(value, ManagedArray):
        return np.uintp(value.ctypes.data)
    if isinstance(value, np.ndarray | np.void):
        return np.frombuffer(bytes(value.data), np.dtype(f"V{value.nbytes}"))[0]
    gpudata = getattr(value, "gpudata", None)
    if isinstance(gpudata, DeviceAllocation):
        return gpudata.pointer
    if gpudata is not None:
        return np.uintp(int(gpudata))
    if isinstance(value, _core.ndarray) or getattr(value, "__cuda_array_interface__", None) is not None:
        return value
    raise TypeError(
        f"invalid type on parameter #{position} (0-based): {type(value).__name__}; "
        "give a NumPy number such as numpy.int32(1), memory of the device, or In, Out, InOut"
    )


_FORMAT = re.compile(r"(\d*)([?bBhHiIlLqQfdFDPNnsZ@x])")


def _parsed_format(arg_types: str | Sequence[Any]) -> list[np.dtype[Any] | None]:
    """Return the dtypes of prepared arguments, None for pointers."""
    if isinstance(arg_types, str):
        found: list[np.dtype[Any] | None] = []
        position = 0
        while position < len(arg_types):
            match = _FORMAT.match(arg_types, position)
            if match is None:
                raise ValueError(f"prepare: {arg_types[position:]!r} is no type of an argument")
            count, letter = match.groups()
            position = match.end()
            if letter == "s":
                found.append(np.dtype(f"V{int(count or 1)}"))
                continue
            dtype = {"P": None, "N": np.dtype(np.uintp), "n": np.dtype(np.intp)}.get(letter, letter)
            found.extend([None if dtype is None else np.dtype(dtype)] * int(count or 1))
        return found
    found = []
    for kind in arg_types:
        if isinstance(kind, str):
            found.extend(_parsed_format(kind))
        elif isinstance(kind, np.dtype) or isinstance(kind, type) and issubclass(kind, np.generic):
            found.append(np.dtype(kind))
        else:
            found.append(None)
    return found


def _prepared(value: Any, dtype: np.dtype[Any] | None, position: int) -> Any:
    """Return what the launch takes for an argument whose type was declared."""
    if dtype is None:
        if isinstance(value, int | np.integer):
            return np.uintp(value)
        return _argument(value, position)
    if dtype.kind == "V":
        return np.frombuffer(bytes(memoryview(value)), f"V{dtype.itemsize}")[0]
    number = dtype.type(value)
    if dtype.kind in "iu" and int(number) != int(value):
        raise OverflowError(f"argument #{position} (0-based): {value} does not fit {dtype}")
    return number


def _shape3(value: Any, what: str) -> tuple[int, int, int]:
    sizes = tuple(value) if isinstance(value, Sequence) else (value,)
    if not 1 <= len(sizes) <= 3:
        raise LogicError(f"cuLaunchKernel failed: {what} has 1 to 3 numbers, got {value!r}")
    for size in sizes:
        if isinstance(size, float) or not hasattr(size, "__index__"):
            raise TypeError(f"{what}: sizes are integers, got {size!r}: use // to divide")
    x, y, z = (*(int(size) for size in sizes), 1, 1)[:3]
    return x, y, z


class Function:
    """A kernel. Call it with its arguments and `block=`, `grid=`, `shared=`, `stream=`."""

    def __init__(self, function: Any, name: str, texrefs: Sequence[Any] = ()) -> None:
        self._function = function
        self._name = name
        self._texrefs = texrefs
        self._types: list[np.dtype[Any] | None] | None = None

    def _launch(self, grid: Any, block: Any, args: list[Any], shared: int, stream: Stream | None) -> None:
        sizes = _shape3(grid, "grid"), _shape3(block, "block")
        for texref in self._texrefs:
            texref.bind()
        with translated("cuLaunchKernel"):
            self._function.launch(*sizes, args, shared_mem=int(shared or 0), stream=cuda_stream(stream))
        for texref in self._texrefs:
            texref.unbind()

    def __call__(
        self,
        *args: Any,
        grid: Any = (1, 1),
        block: Any = None,
        shared: int = 0,
        stream: Stream | None = None,
        texrefs: Sequence[Any] = (),
        time_kernel: bool = False,
        **unknown: Any,
    ) -> float | None:
        """Launch the kernel; with `time_kernel=True` wait for it and return the seconds."""
        if unknown:
            raise ValueError(f"extra keyword arguments: {','.join(unknown)}")
        if block is None:
            raise ValueError("must specify block size")
        handlers = [arg for arg in args if isinstance(arg, ArgumentHandler)]
        given = [_argument(arg, position) for position, arg in enumerate(args)]
        for handler in handlers:
            handler.pre_call(stream)
        if time_kernel:
            Context.synchronize()
        began = time.perf_counter()
        self._launch(grid, block, given, shared, stream)
        if time_kernel:
            Context.synchronize()
        seconds = time.perf_counter() - began
        for handler in handlers:
            if stream is not None:
                stream.synchronize()
            handler.post_call(stream)
        return seconds if time_kernel else None

    def prepare(self, arg_types: str | Sequence[Any], texrefs: Sequence[Any] = ()) -> Function:
        """Declare the arguments' types, as letters of `struct` with P for pointers, or as dtypes."""
        self._types = _parsed_format(arg_types)
        return self

    def _prepared_arguments(self, args: Sequence[Any]) -> list[Any]:
        if self._types is None:
            raise LogicError(f"{self._name}: call prepare() before a prepared call")
        if len(args) != len(self._types):
            raise TypeError(f"{self._name}: prepared for {len(self._types)} arguments, got {len(args)}")
        pairs = zip(args, self._types, strict=True)
        return [_prepared(value, dtype, position) for position, (value, dtype) in enumerate(pairs)]

    def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int = 0) -> None:
        """Launch the kernel with arguments of the declared types."""
        self._launch(grid, block, self._prepared_arguments(args), shared_size, None)

    def prepared_async_call(
        self, grid: Any, block: Any, stream: Stream | None, *args: Any, shared_size: int = 0
    ) -> None:
        """Launch the kernel into a stream with arguments of the declared types."""
        self._launch(grid, block, self._prepared_arguments(args), shared_size, stream)

    def prepared_timed_call(
        self, grid: Any, block: Any, *args: Any, shared_size: int = 0
    ) -> Callable[[], float]:
        """Launch the kernel; the result is a function that waits for it and returns the seconds."""
        start, end = Event(), Event()
        start.record()
        self.prepared_call(grid, block, *args, shared_size=shared_size)
        end.record()

        def seconds() -> float:
            end.synchronize()
            return end.time_since(start) * 1e-3

        return seconds

    def get_attribute(self, attribute: function_attribute) -> int:
        """Return one attribute of the kernel."""
        return int(self._function.attributes[function_attribute(attribute).name.lower()])

    def set_attribute(self, attribute: function_attribute, value: int) -> None:
        """Set the most dynamic shared memory, or the share of it in the cache."""
        with translated("cuFuncSetAttribute"):
            self._function.set_attribute(function_attribute(attribute).name.lower(), int(value))

    def set_cache_config(self, preference: func_cache) -> None:
        """Note a preference; compilers choose by themselves today."""
        func_cache(preference)

    def __getattr__(self, name: str) -> int:
        known = function_attribute.__members__.get(name.upper())
        if known is None:
            raise AttributeError(f"Function has no attribute {name!r}")
        return self.get_attribute(known)

    def __repr__(self) -> str:
        return f"<pycuda Function {self._name}>"


class Module:
    """A compiled text: kernels and variables by their names."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._texrefs: list[Any] = []

    def get_function(self, name: str) -> Function:
        """Return a kernel."""
        try:
            with translated("cuModuleGetFunction"):
                return Function(self._module.function(name), name, self._texrefs)
        except (KeyError, AttributeError, LogicError) as error:
            raise LogicError(
                f"cuModuleGetFunction failed: named symbol not found: {name}: {error}"
            ) from error

    def get_global(self, name: str) -> tuple[int, int]:
        """Return the address and the bytes of a `__device__` or `__constant__` variable."""
        try:
            with translated("cuModuleGetGlobal"):
                address, nbytes = self._module.global_(name)
        except (KeyError, AttributeError, LogicError) as error:
            raise LogicError(f"cuModuleGetGlobal failed: named symbol not found: {name}: {error}") from error
        memory = cuda.UnownedMemory(address, nbytes, self._module)
        return DeviceAllocation(cuda.MemoryPointer(memory, 0), nbytes), nbytes  # type: ignore[return-value]

    def get_texref(self, name: str) -> Any:
        """Return a texture reference. A GPU has none since CUDA 12: the error says what to use."""
        try:
            with translated("cuModuleGetTexRef"):
                found = texref_of(self._module, name)
        except (KeyError, AttributeError) as error:
            raise LogicError(f"cuModuleGetTexRef failed: named symbol not found: {name}: {error}") from error
        self._texrefs.append(found)
        return found

    def get_surfref(self, name: str) -> Any:
        """Return a surface reference. A GPU has none since CUDA 12: the error says what to use."""
        try:
            with translated("cuModuleGetSurfRef"):
                found = surfref_of(self._module, name)
        except (KeyError, AttributeError) as error:
            raise LogicError(f"cuModuleGetSurfRef failed: named symbol not found: {name}: {error}") from error
        self._texrefs.append(found)
        return found


def module_from_source(source: str, options: Sequence[str], include_dirs: Sequence[str]) -> Module:
    """Return the module of a CUDA C text."""
    flags = (*options, *(f"-I{folder}" for folder in include_dirs))
    with translated("compilation"):
        return Module(_core.KernelModule(source, options=flags))


def module_from_buffer(buffer: bytes, options: Sequence[Any] = (), message_handler: Any = None) -> Module:
    """Return the module that a cubin, PTX or the result of `compiler.compile` holds."""
    data = bytes(buffer)
    if data.startswith(SOURCE_MARK):
        flags, _, source = data[len(SOURCE_MARK) :].decode().partition("\0")
        return module_from_source(source, [flag for flag in flags.split("\n") if flag], ())
    with translated("cuModuleLoadDataEx"):
        return Module(_core.KernelModule(data))


def module_from_file(filename: str) -> Module:
    """Return the module that a file holds: a cubin, PTX or CUDA C."""
    path = Path(filename)
    if path.suffix in {".cu", ".cuh", ".cpp", ".c"}:
        return module_from_source(path.read_text(), (), (str(path.parent),))
    return module_from_buffer(path.read_bytes())

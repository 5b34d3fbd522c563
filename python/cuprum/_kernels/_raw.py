"""`RawKernel`: a kernel as CUDA C writes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from .. import _core
from ._source import OfSource, Source, texts

__all__ = ["RawKernel"]


class RawKernel(OfSource, _core.KernelCaller):
    """A kernel that is written in CUDA C. It runs on the GPU, and on the CPU where there is none.

    It is compiled when it is first called. Arguments are checked against the kernel's own signature before it
    is launched: their number, the dtypes of arrays, numbers that do not fit, arrays whose elements do not lie
    side by side. On the CPU every access of memory is checked too.

    ``kernel(grid, block, args, *, shared_mem=0, stream=None, check=None, deterministic=None, timeout=None)``
    launches it: blocks of the grid and threads of a block along one to three axes; arrays for pointers,
    numbers, NumPy scalars and structured values by value, None for null; bytes of dynamic shared memory; the
    stream on a GPU. On the CPU `check` looks for races, uninitialised reads and divergent barriers (as
    `cuprum.cuda.check` says by default), `deterministic` runs blocks in order (by default where the result
    depends on it), and `timeout` stops the kernel after so many seconds.

    Parameters
    ----------
    code : str
        The text.
    name : str
        The kernel's name in it: one that is declared ``extern "C"``, or an instance of a template such as
        ``scale<float>``.
    options : tuple of str, optional
        The compiler's options, as NVRTC takes them.
    backend : str, optional
        'nvrtc' or 'nvcc': all texts are compiled by NVRTC on a GPU and by Cuprum on the CPU.
    translate_cucomplex : bool, optional
        Whether the types and functions of `cuComplex.h` are those of `cupy/complex.cuh`, which have
        operators.
    enable_cooperative_groups : bool, optional
        Whether the whole grid may synchronise.
    jitify : bool, optional
        Without effect: the headers that kernels include are found without it.

    Examples
    --------
    >>> add = cp.RawKernel('''
    ... extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
    ...     int i = blockDim.x * blockIdx.x + threadIdx.x;
    ...     if (i < n) z[i] = x[i] + y[i];
    ... }
    ... ''', "add")
    >>> x = cp.arange(5, dtype="float32")
    >>> z = cp.empty_like(x)
    >>> add((1,), (128,), (x, x, z, 5))
    >>> z
    array([0., 2., 4., 6., 8.], dtype=float32)
    """

    def __init__(
        self,
        code: str,
        name: str,
        options: Iterable[str] = (),
        backend: str = "nvrtc",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool | None = None,
    ) -> None:
        if not isinstance(code, str):
            raise TypeError(f"RawKernel: code must be a string, got {type(code).__name__}")
        if not isinstance(name, str):
            raise TypeError(f"RawKernel: name must be a string, got {type(name).__name__}")
        _check_backend("RawKernel", backend)
        expressions = (name,) if "<" in name else ()
        taken = texts("RawKernel: options", options)
        source = Source(code, taken, expressions, cucomplex=bool(translate_cucomplex))
        self._set(source, name, backend, enable_cooperative_groups)

    def _set(self, source: Source, name: str, backend: str, cooperative: bool) -> None:
        self._source, self._name, self._backend = source, name, backend
        self._cooperative = bool(cooperative)
        self._functions: dict[int, Any] = {}

    @classmethod
    def _of(cls, source: Source, name: str, backend: str, cooperative: bool) -> RawKernel:
        """Return the kernel of a module's text."""
        made = cls.__new__(cls)
        made._set(source, name, backend, cooperative)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._source, self._name, self._backend, self._cooperative))

    def _function(self) -> Any:
        """Return the kernel on the current device, compiled when it is first asked for."""
        key = _core.device_key()
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = self._source.module().function(self._name)
        return found

    def compile(self, log_stream: TextIO | None = None) -> None:
        """Compile for the current device ahead of the first call.

        Parameters
        ----------
        log_stream : file, optional
            Takes the compiler's messages.

        Examples
        --------
        >>> kernel = cp.RawKernel('extern "C" __global__ void f(int* x) { x[0] = 1; }', "f")
        >>> kernel.compile()
        """
        self._source.compile(log_stream)
        self._function().compile()

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self._name

    @property
    def code(self) -> str | None:
        """The text; None where the kernel came from machine code."""
        return self._source.code if isinstance(self._source.code, str) else None

    @property
    def file_path(self) -> str | None:
        """The file that the kernel came from; None where it came from a text."""
        return None if self._source.file == "kernel.cu" else self._source.file

    @property
    def kernel(self) -> Any:
        """The kernel on the current device, a `cuprum.cuda.Function`."""
        from ..cuda.function import Function

        return Function(self._function())

    @property
    def parameters(self) -> list[tuple[Any, ...]] | None:
        """The parameters as (name, type, kind, dtype, bytes); None where the text does not say them."""
        found: list[tuple[Any, ...]] | None = self._function().parameters
        return found

    @property
    def attributes(self) -> dict[str, int]:
        """What the device says of the kernel: threads, registers, memory."""
        found: dict[str, int] = self._function().attributes
        return found

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The most bytes of dynamic shared memory that a launch may ask for; can be set."""
        return int(self._function().attribute("max_dynamic_shared_size_bytes"))

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, value: int) -> None:
        self._function().set_attribute("max_dynamic_shared_size_bytes", value)

    @property
    def preferred_shared_memory_carveout(self) -> int:
        """The percentage of a multiprocessor's memory that shared memory should have; can be set."""
        return int(self._function().attribute("preferred_shared_memory_carveout"))

    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, value: int) -> None:
        self._function().set_attribute("preferred_shared_memory_carveout", value)

    @property
    def max_threads_per_block(self) -> int:
        """The most threads of a block that the kernel can be launched with."""
        return int(self._function().attribute("max_threads_per_block"))

    @property
    def shared_size_bytes(self) -> int:
        """The bytes of static shared memory."""
        return int(self._function().attribute("shared_size_bytes"))

    @property
    def const_size_bytes(self) -> int:
        """The bytes of constant memory."""
        return int(self._function().attribute("const_size_bytes"))

    @property
    def local_size_bytes(self) -> int:
        """The bytes of local memory of each thread."""
        return int(self._function().attribute("local_size_bytes"))

    @property
    def num_regs(self) -> int:
        """The registers of each thread."""
        return int(self._function().attribute("num_regs"))

    @property
    def ptx_version(self) -> int:
        """The version of PTX that the kernel was compiled for, times ten."""
        return int(self._function().attribute("ptx_version"))

    @property
    def binary_version(self) -> int:
        """The compute capability that the kernel was compiled for, times ten."""
        return int(self._function().attribute("binary_version"))

    @property
    def cache_mode_ca(self) -> bool:
        """Whether global loads are kept in the first cache."""
        return bool(self._function().attribute("cache_mode_ca"))

    def __repr__(self) -> str:
        return f"<RawKernel {self._name!r}>"


def _unpickled(source: Source, name: str, backend: str, cooperative: bool) -> RawKernel:
    return RawKernel._of(source, name, backend, cooperative)


def _check_backend(who: str, backend: str) -> None:
    if backend not in ("nvrtc", "nvcc"):
        raise ValueError(f"{who}: backend must be 'nvrtc' or 'nvcc', got {backend!r}")

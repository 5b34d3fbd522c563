"""Modules of machine code and their functions, as CUDA's driver has them."""

from __future__ import annotations

from typing import Any

from .. import _core
from .memory import MemoryPointer, UnownedMemory

__all__ = ["Function", "Module"]


class Function:
    """A kernel on one device.

    Examples
    --------
    >>> code = 'extern "C" __global__ void two(int* x) { x[threadIdx.x] = 2; }'
    >>> function = cp.RawKernel(code, "two").kernel
    >>> x = cp.zeros(3, "int32")
    >>> function((1,), (3,), (x,))
    >>> x
    array([2, 2, 2], dtype=int32)
    """

    module: Module | None = None
    """The module that the kernel is part of, where it was taken out of one."""

    def __init__(self, function: Any, module: Module | None = None) -> None:
        self._function = function
        self.module = module

    @property
    def ptr(self) -> int:
        """The driver's handle; 0 on the CPU."""
        return int(self._function.handle)

    def __call__(
        self,
        grid: Any,
        block: Any,
        args: Any,
        shared_mem: int = 0,
        stream: Any = None,
        enable_cooperative_groups: bool = False,
    ) -> None:
        """Launch the kernel."""
        self._function.launch(grid, block, args, shared_mem, stream, enable_cooperative_groups)

    def linear_launch(
        self,
        size: int,
        args: Any,
        shared_mem: int = 0,
        block_max_size: int = 128,
        stream: Any = None,
        enable_cooperative_groups: bool = False,
    ) -> None:
        """Launch the kernel with at least so many threads, along one axis.

        Examples
        --------
        >>> code = 'extern "C" __global__ void f(int* x) { x[threadIdx.x] = threadIdx.x; }'
        >>> kernel = cp.RawKernel(code, "f")
        >>> x = cp.zeros(4, dtype=cp.int32)
        >>> kernel.kernel.linear_launch(4, (x,))
        >>> x
        array([0, 1, 2, 3], dtype=int32)
        """
        if size > 0:
            grid = (size + block_max_size - 1) // block_max_size
            block = min(size, block_max_size)
            self._function.launch(grid, block, args, shared_mem, stream, enable_cooperative_groups)


class Module:
    """Machine code on one device: kernels and variables.

    Examples
    --------
    >>> code = 'extern "C" { __device__ int n = 5; __global__ void f() {} }'
    >>> module = cp.RawModule(code=code).module
    >>> module.get_global_var("n").mem.size
    4
    >>> module.get_function("f").module is module
    True
    """

    def __init__(self) -> None:
        self._module: Any = None

    @classmethod
    def _over(cls, module: Any) -> Module:
        made = cls()
        made._module = module
        return made

    @property
    def ptr(self) -> int:
        """The driver's handle; 0 on the CPU, and where nothing is loaded."""
        return 0 if self._module is None else int(self._module.handle)

    @property
    def mapping(self) -> dict[str, str]:
        """The name expressions that were asked for, and the names that they have in the code."""
        return {} if self._module is None else dict(self._module.names)

    def load(self, cubin: bytes) -> None:
        """Load a cubin, a fatbin or PTX.

        Examples
        --------
        >>> if cp.cuda.is_available():  # the CPU has no machine code of GPUs
        ...     text = ".version 7.0 .target sm_75 .address_size 64 .visible .entry f() { ret; }"
        ...     module = cp.cuda.function.Module()
        ...     module.load(text.encode())
        """
        self._module = _core.KernelModule(bytes(cubin))

    def load_file(self, filename: Any) -> None:
        """Load a file: a cubin, a fatbin, PTX, or a text, which is compiled.

        Examples
        --------
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "one.cu")
        >>> with open(path, "w") as file:
        ...     size = file.write('extern "C" __global__ void f(int* x) { x[0] = 1; }')
        >>> module = cp.cuda.function.Module()
        >>> module.load_file(path)
        >>> type(module.get_function("f")).__name__
        'Function'
        """
        from .._kernels._source import read

        self._module = _core.KernelModule(read(filename), file=str(filename))

    def get_function(self, name: str) -> Function:
        """Return a kernel by its name."""
        return Function(self._module.function(name), self)

    def get_global_var(self, name: str) -> MemoryPointer:
        """Return where a variable lies."""
        address, size = self._module.global_(name)
        return MemoryPointer(UnownedMemory(address, size, self._module), 0)

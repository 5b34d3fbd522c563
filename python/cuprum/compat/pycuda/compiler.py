"""Compiling CUDA C: by NVRTC for a GPU, by Cuprum's own compiler for the CPU. No nvcc is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._launch import SOURCE_MARK, Function, Module, module_from_source

__all__ = [
    "DEFAULT_NVCC_FLAGS",
    "DynamicModule",
    "DynamicSourceModule",
    "SourceModule",
    "compile",
]

DEFAULT_NVCC_FLAGS: list[str] = []

_OF_NVCC = ("-Xptxas", "-Xcompiler", "-arch", "-code", "-gencode", "--compiler-options", "--ptxas-options")
_OF_NVCC_ALONE = (
    "-lineinfo",
    "-g",
    "-G",
    "-O",
    "-m64",
    "-m32",
    "--machine",
    "-keep",
    "-ccbin",
    "-c",
    "-v",
    "-w",
)


def _understood(options: Sequence[str] | None) -> list[str]:
    """Return the options that mean something to a compiler of device code alone."""
    kept: list[str] = []
    skip = False
    for option in DEFAULT_NVCC_FLAGS if options is None else options:
        if skip:
            skip = False
        elif option in _OF_NVCC:
            skip = True
        elif not option.startswith((*_OF_NVCC, *_OF_NVCC_ALONE)):
            kept.append(option)
    return kept


_OF_NVCC_ITSELF = ("stdint.h", "math.h", "float.h", "limits.h")
"""What nvcc includes by itself and NVRTC does not: programs lean on it."""


def _linked(source: str, no_extern_c: bool) -> str:
    """Return the text with C's names for its kernels and nvcc's headers, its lines where they were.

    Headers at the beginning stay outside: those with templates cannot have C's names.
    """
    first = [*(f"#include <{name}>" for name in _OF_NVCC_ITSELF), '#line 1 "kernel.cu"']
    if no_extern_c:
        return "\n".join([*first, source])
    lines = source.split("\n")
    begin = 0
    for number, line in enumerate(lines):
        code = line.strip()
        if code and not code.startswith(("#", "//")):
            break
        if code.startswith("#") and code[1:].strip().startswith("include"):
            begin = number + 1
    head, body = lines[:begin], lines[begin:]
    return "\n".join([*first, *head, 'extern "C" {', f'#line {begin + 1} "kernel.cu"', *body, "}", ""])


def compile(  # noqa: A001
    source: str,
    nvcc: str = "nvcc",
    options: Sequence[str] | None = None,
    keep: bool = False,
    no_extern_c: bool = False,
    arch: str | None = None,
    code: str | None = None,
    cache_dir: Any = None,
    include_dirs: Sequence[str] | None = None,
    target: str = "cubin",
) -> bytes:
    """Return what `driver.module_from_buffer` takes, after checking that the text compiles."""
    flags = [*_understood(options), *(f"-I{folder}" for folder in include_dirs or ())]
    text = _linked(source, no_extern_c)
    module_from_source(text, flags, ())
    return SOURCE_MARK + "\n".join(flags).encode() + b"\0" + text.encode()


class SourceModule:
    """Kernels and variables of a CUDA C text.

    Parameters
    ----------
    source : str
        The text. Its names are C's unless `no_extern_c` is given.
    options : sequence of str, optional
        Options of the compiler, such as `-DN=16`.
    include_dirs : sequence of str, optional
        Folders with headers.
    nvcc, keep, arch, code, cache_dir : optional
        Without effect: no nvcc is run, and compiled kernels are cached by themselves.
    """

    def __init__(
        self,
        source: str,
        nvcc: str = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: Any = None,
        include_dirs: Sequence[str] | None = None,
    ) -> None:
        text = _linked(source, no_extern_c)
        self.module: Module = module_from_source(text, _understood(options), include_dirs or ())
        self.get_global = self.module.get_global
        self.get_texref = self.module.get_texref
        self.get_surfref = self.module.get_surfref

    def get_function(self, name: str) -> Function:
        """Return a kernel."""
        return self.module.get_function(name)


class DynamicModule:
    """A module of several texts: `add_source` each, `link`, then `get_function`.

    The texts are compiled as one, so that their kernels can call each other's functions; what each declares
    by itself must not clash with the others. Compiled code cannot be added.

    Examples
    --------
    >>> from cuprum.compat.pycuda import autoinit, gpuarray
    >>> from cuprum.compat.pycuda.compiler import DynamicModule
    >>> module = DynamicModule()
    >>> module.add_source("__device__ float twice(float x) { return x + x; }")
    >>> module.add_source("__global__ void f(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }")
    >>> module.link()
    >>> x = gpuarray.arange(3, dtype="float32")
    >>> module.get_function("f")(x, block=(3, 1, 1))
    >>> x.get()
    array([0., 2., 4.], dtype=float32)
    """

    def __init__(
        self,
        nvcc: str = "nvcc",
        link_options: Any = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: Any = None,
        include_dirs: Sequence[str] | None = None,
        message_handler: Any = None,
        log_verbose: bool = False,
        cuda_libdir: Any = None,
    ) -> None:
        self._no_extern_c = no_extern_c
        self._folders = list(include_dirs or ())
        self._texts: list[str] = []
        self._options: list[str] = []
        self.module: Module | None = None

    def add_source(
        self, source: str, nvcc_options: Sequence[str] | None = None, name: str = "kernel.ptx"
    ) -> None:
        """Add a text in CUDA C."""
        self._texts.append(source)
        for option in _understood(nvcc_options):
            if not option.startswith(("-rdc", "-l")) and option not in self._options:
                self._options.append(option)

    def add_stdlib(self, libname: str) -> None:
        """Do nothing: what CUDA's device libraries have is there."""

    def link(self) -> None:
        """Compile the texts."""
        if not self._texts:
            raise ValueError("link: no source was added")
        text = _linked("\n".join(self._texts), self._no_extern_c)
        self.module = module_from_source(text, self._options, self._folders)

    def get_function(self, name: str) -> Function:
        """Return a kernel."""
        return self._linked_module().get_function(name)

    def get_global(self, name: str) -> Any:
        """Return the address and the bytes of a variable."""
        return self._linked_module().get_global(name)

    def _linked_module(self) -> Module:
        if self.module is None:
            raise ValueError("the module has not been linked: call link() first")
        return self.module


class DynamicSourceModule(DynamicModule):
    """A module of one text that may launch kernels itself, where the device can."""

    def __init__(
        self,
        source: str,
        nvcc: str = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: Any = None,
        include_dirs: Sequence[str] | None = None,
        cuda_libdir: Any = None,
    ) -> None:
        super().__init__(no_extern_c=no_extern_c, include_dirs=include_dirs)
        self.add_source(source, options)
        self.link()

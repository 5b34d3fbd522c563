"""`RawModule`: all kernels and variables of one text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from .. import _core
from ._raw import RawKernel, _check_backend
from ._source import OfSource, Source, read, texts

if TYPE_CHECKING:
    from ..cuda import MemoryPointer

__all__ = ["RawModule"]


class RawModule(OfSource):
    """Kernels and variables of one text in CUDA C, or of a GPU's machine code.

    Parameters
    ----------
    code : str, optional
        The text.
    path : str, optional
        A file instead: a text, or a cubin, fatbin or PTX for a GPU.
    options : tuple of str, optional
        The compiler's options, as NVRTC takes them.
    backend : str, optional
        'nvrtc' or 'nvcc': all texts are compiled by NVRTC on a GPU and by Cuprum on the CPU.
    translate_cucomplex : bool, optional
        Whether the types and functions of `cuComplex.h` are those of `cupy/complex.cuh`, which have
        operators.
    enable_cooperative_groups : bool, optional
        Whether whole grids may synchronise.
    name_expressions : sequence of str, optional
        Kernels and variables by their C++ names, such as instances of templates.
    jitify : bool, optional
        Without effect: the headers that kernels include are found without it.

    Examples
    --------
    >>> module = cp.RawModule(code='''
    ... template <typename T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
    ... ''', name_expressions=["fill<float>", "fill<int>"])
    >>> x = cp.zeros(3, "int32")
    >>> module.get_function("fill<int>")((1,), (3,), (x, 7))
    >>> x
    array([7, 7, 7], dtype=int32)
    """

    def __init__(
        self,
        *,
        code: str | None = None,
        path: Any = None,
        options: Iterable[str] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Iterable[str] | None = None,
        jitify: bool | None = None,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("RawModule: exactly one of code and path must be given")
        if code is not None and not isinstance(code, str):
            raise TypeError(f"RawModule: code must be a string, got {type(code).__name__}")
        _check_backend("RawModule", backend)
        content = read(path) if code is None else code
        expressions = texts("RawModule: name_expressions", name_expressions)
        if expressions and not isinstance(content, str):
            raise ValueError("RawModule: name_expressions need a text, got machine code")
        file = "kernel.cu" if path is None else str(path)
        taken = texts("RawModule: options", options)
        self._source = Source(content, taken, expressions, file, cucomplex=bool(translate_cucomplex))
        self._backend, self._cooperative = backend, bool(enable_cooperative_groups)
        self._path = None if path is None else str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._source, self._backend, self._cooperative, self._path))

    def get_function(self, name: str) -> RawKernel:
        """Return a kernel.

        Parameters
        ----------
        name : str
            Its name, or one of the name expressions.

        Returns
        -------
        RawKernel
        """
        from ..cuda.driver import finding_symbols

        # A name that is not there is an error here, not at the launch.
        module = self._source.module()
        with finding_symbols():
            module.function(name)
        return RawKernel._of(self._source, name, self._backend, self._cooperative)

    def get_global(self, name: str) -> MemoryPointer:
        """Return where a `__device__` or `__constant__` variable lies.

        Parameters
        ----------
        name : str
            Its name, or one of the name expressions.

        Returns
        -------
        MemoryPointer

        Examples
        --------
        >>> module = cp.RawModule(code='extern "C" { __device__ int n[2] = {3, 5}; __global__ void f() {} }')
        >>> cp.ndarray(2, cp.int32, module.get_global("n"))
        array([3, 5], dtype=int32)
        """
        from ..cuda import MemoryPointer, UnownedMemory
        from ..cuda.driver import finding_symbols

        module = self._source.module()
        with finding_symbols():
            address, size = module.global_(name)
        return MemoryPointer(UnownedMemory(address, size, module), 0)

    def get_texref(self, name: str) -> MemoryPointer:
        """Return where a texture reference lies, for `cuprum.cuda.texture.TextureReference`.

        Only kernels on the CPU have them: CUDA 12 knows texture objects alone.

        Parameters
        ----------
        name : str
            Its name in the text: `tex` of `texture<float, 2> tex;`.

        Returns
        -------
        MemoryPointer

        Examples
        --------
        >>> module = cp.RawModule(code='extern "C" __global__ void f() {}')
        >>> try:
        ...     module.get_texref("t")
        ... except Exception as error:
        ...     print("no texture references")
        no texture references
        """
        if _core.current_gpu() is not None:
            raise RuntimeError(
                f"get_texref: CUDA 12 has no texture references such as {name!r}: take a "
                "cudaTextureObject_t in the kernel, and a TextureObject here"
            )
        return self.get_global(name)

    def compile(self, log_stream: TextIO | None = None) -> None:
        """Compile for the current device ahead of the first use.

        Parameters
        ----------
        log_stream : file, optional
            Takes the compiler's messages.

        Examples
        --------
        >>> module = cp.RawModule(code='extern "C" __global__ void f(int* x) { x[0] = 1; }')
        >>> module.compile()
        """
        self._source.compile(log_stream)

    @property
    def code(self) -> str | None:
        """The text; None where the module came from a file."""
        content = self._source.code
        return content if self._path is None and isinstance(content, str) else None

    @property
    def file_path(self) -> str | None:
        """The file that the module came from, or None."""
        return self._path

    @property
    def name_expressions(self) -> tuple[str, ...]:
        """The C++ names that were asked for."""
        return self._source.name_expressions

    @property
    def module(self) -> Any:
        """The module on the current device, a `cuprum.cuda.Module`."""
        from ..cuda.function import Module

        return Module._over(self._source.module())


def _unpickled(source: Source, backend: str, cooperative: bool, path: str | None) -> RawModule:
    made = RawModule.__new__(RawModule)
    made._source, made._backend = source, backend
    made._cooperative, made._path = cooperative, path
    return made

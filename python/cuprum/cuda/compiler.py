"""Compiling kernels, and what it can fail with."""

from __future__ import annotations

from typing import Any, TextIO

from .function import Module

__all__ = ["CompileException", "compile_with_cache"]


class CompileException(Exception):
    """A kernel's text that does not compile; the message is the compiler's own, with lines and carets.

    Parameters
    ----------
    msg : str
        The compiler's messages.
    source : str
        The text.
    name : str
        What messages call the text.
    options : sequence of str
        The compiler's options.
    backend : str, optional
        The compiler.

    Examples
    --------
    >>> kernel = cp.RawKernel('extern "C" __global__ void f(int* x) { x[0] = y; }', "f")
    >>> try:
    ...     kernel.compile()
    ... except cp.cuda.compiler.CompileException as error:
    ...     print("y" in str(error))
    True
    """

    def __init__(self, msg: str, source: str, name: str, options: Any, backend: str = "nvrtc") -> None:
        self._msg, self.source, self.name = msg, source, name
        self.options, self.backend = tuple(options), backend
        super().__init__(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        return (CompileException, (self._msg, self.source, self.name, self.options, self.backend))

    def __str__(self) -> str:
        return self.get_message()

    def get_message(self) -> str:
        """Return the compiler's messages."""
        return self._msg

    def dump(self, f: TextIO) -> None:
        """Write the text with the numbers of its lines, and the messages, into a file."""
        lines = self.source.split("\n")
        width = len(str(len(lines)))
        f.write(f"{self.backend} compilation error: {self._msg}\n-----\n")
        f.write(f"Name: {self.name}\nOptions: {' '.join(self.options)}\nCUDA source:\n")
        for number, line in enumerate(lines, 1):
            f.write(f"{number:{width}} {line.rstrip()}\n")
        f.write("-----\n")
        f.flush()


def compile_with_cache(
    source: str,
    options: Any = (),
    arch: str | None = None,
    cache_dir: str | None = None,
    extra_source: str | None = None,
    backend: str = "nvrtc",
    **kwargs: Any,
) -> Module:
    """Compile a text for the current device, or take what was compiled before.

    Parameters
    ----------
    source : str
        The text, CUDA C.
    options : tuple of str, optional
        The compiler's options, as NVRTC takes them.
    arch, cache_dir, extra_source, backend, **kwargs : optional
        Without effect: the device is the current one, the cache is Cuprum's own.

    Returns
    -------
    Module

    Examples
    --------
    >>> code = 'extern "C" __global__ void two(int* x) { x[threadIdx.x] = 2; }'
    >>> x = cp.zeros(3, "int32")
    >>> cp.cuda.compile_with_cache(code).get_function("two")((1,), (3,), (x,))
    >>> x
    array([2, 2, 2], dtype=int32)
    """
    from .._kernels._source import Source, texts

    return Module._over(Source(source, texts("compile_with_cache: options", options)).module())

"""Kernels from an expression for one element."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import GPUArray, splay
from ._launch import Function
from ._streams import Stream
from .compiler import SourceModule
from .tools import Argument, ScalarArg, VectorArg, split_c_args

__all__ = ["ElementwiseKernel", "get_elwise_kernel", "get_elwise_module"]

_TEXT = """
#include <pycuda-complex.hpp>
{preamble}

extern "C" __global__ void {name}({arguments})
{{
    const unsigned tid = threadIdx.x;
    const unsigned total_threads = gridDim.x * blockDim.x;
    const unsigned cta_start = blockDim.x * blockIdx.x;
    {index} i;
    {loop_prep};
    {loop}
    {{
        {operation};
    }}
    {after_loop};
}}
"""

_WHOLE = "for (i = cta_start + tid; i < n; i += total_threads)"
_RANGE = (
    "for (i = start + (long long)(cta_start + tid) * step;"
    " step > 0 ? i < stop : i > stop; i += (long long)total_threads * step)"
)


def get_elwise_module(
    arguments: Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
    use_range: bool = False,
) -> SourceModule:
    """Return the module of a kernel that does `operation` for every `i` below its argument `n`."""
    text = _TEXT.format(
        preamble=preamble,
        name=name,
        arguments=", ".join(argument.declarator() for argument in arguments),  # type: ignore[attr-defined]
        index="long long" if use_range else "unsigned long long",
        loop_prep=loop_prep,
        loop=_RANGE if use_range else _WHOLE,
        operation=operation,
        after_loop=after_loop,
    )
    return SourceModule(text, options=options, no_extern_c=True)


def _with_extent(arguments: str | Sequence[Argument], use_range: bool) -> list[Argument]:
    """Return a kernel's arguments and those that say how far it goes."""
    given = split_c_args(arguments) if isinstance(arguments, str) else list(arguments)
    extent: list[Argument] = (
        [ScalarArg(np.intp, name) for name in ("start", "stop", "step")]
        if use_range
        else [ScalarArg(np.uintp, "n")]
    )
    return [*given, *extent]


def get_elwise_kernel(
    arguments: str | Sequence[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    **named: Any,
) -> Function:
    """Return a prepared kernel; its last argument is the number of elements."""
    declared = _with_extent(arguments, False)
    module = get_elwise_module(declared, operation, name, keep, options, **named)
    letters = "".join(argument.struct_char for argument in declared)  # type: ignore[attr-defined]
    return module.get_function(name).prepare(letters)


class ElementwiseKernel:
    """A kernel that does the same for every element.

    Parameters
    ----------
    arguments : str or list of Argument
        C declarations: `float a, float *x, float *z`.
    operation : str
        Statements for element `i`: `z[i] = a * x[i]`.
    name : str, optional
        The kernel's name.
    preamble, loop_prep, after_loop : str, optional
        Text before the kernel, before its loop, after its loop.
    """

    def __init__(
        self,
        arguments: str | Sequence[Argument],
        operation: str,
        name: str = "kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        **named: Any,
    ) -> None:
        self._arguments = arguments
        self._operation, self._name, self._options, self._named = operation, name, options, named
        self._made: dict[bool, tuple[Function, list[Argument]]] = {}

    def _kernel(self, use_range: bool) -> tuple[Function, list[Argument]]:
        if use_range not in self._made:
            declared = _with_extent(self._arguments, use_range)
            if not builtins.any(isinstance(argument, VectorArg) for argument in declared):
                raise ValueError("ElementwiseKernel needs at least one vector argument")
            module = get_elwise_module(
                declared,
                self._operation,
                self._name,
                False,
                self._options,
                use_range=use_range,
                **self._named,
            )
            letters = "".join(argument.struct_char for argument in declared)  # type: ignore[attr-defined]
            self._made[use_range] = module.get_function(self._name).prepare(letters), declared
        return self._made[use_range]

    def __call__(
        self,
        *args: Any,
        range: builtins.slice | None = None,  # noqa: A002
        slice: builtins.slice | None = None,  # noqa: A002
        stream: Stream | None = None,
    ) -> None:
        """Run the kernel over all elements of the first array, or over a range of them."""
        if range is not None and slice is not None:
            raise TypeError("may not specify both range and slice keyword arguments")
        function, declared = self._kernel(range is not None or slice is not None)
        expected = len(declared) - (1 if range is None and slice is None else 3)
        if len(args) != expected:
            raise TypeError(f"{self._name}: takes {expected} arguments, got {len(args)}")
        vectors = vector_arguments(self._name, args, declared)
        if slice is not None:
            range = builtins.slice(*slice.indices(vectors[0].size))
        if range is None:
            extent: tuple[int, ...] = (vectors[0].size,)
            grid, block = vectors[0]._grid, vectors[0]._block
        else:
            extent = range.start or 0, range.stop, range.step or 1
            grid, block = splay(len(builtins.range(*extent)))
        if vectors[0].size:
            function.prepared_async_call(grid, block, stream, *args, *extent)


def vector_arguments(name: str, args: Sequence[Any], declared: Sequence[Argument]) -> list[GPUArray]:
    """Return the arrays of a call, after checking them against their declarations."""
    vectors = []
    for argument, given in zip(declared, args, strict=False):
        if not isinstance(argument, VectorArg):
            continue
        if not isinstance(given, GPUArray):
            raise TypeError(f"{name}: {argument.name!r} must be a GPUArray, got {type(given).__name__}")
        if given.dtype != argument.dtype:
            raise TypeError(
                f"{name}: {argument.name!r} is of {argument.dtype}, got an array of {given.dtype}"
            )
        if not given.flags.forc:
            raise RuntimeError(f"{name}: {argument.name!r} is not contiguous")
        vectors.append(given)
    return vectors

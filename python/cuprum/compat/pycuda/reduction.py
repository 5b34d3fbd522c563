"""Kernels that reduce arrays to one number, in an order that depends on the length alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import GPUArray
from ._launch import Function
from ._memory import mem_alloc
from ._streams import Stream
from .compiler import SourceModule
from .elementwise import vector_arguments
from .tools import Argument, VectorArg, dtype_to_ctype, split_c_args

__all__ = ["ReductionKernel"]

_BLOCK = 256
_MAX_BLOCKS = 1024

_TEXT = """
#include <pycuda-complex.hpp>
{preamble}

typedef {out_type} pycuda_out_type;
#define PYCUDA_REDUCE(a, b) ({reduce_expr})

extern "C" __global__ void {name}(pycuda_out_type *pycuda_out, {arguments}, unsigned long long pycuda_n)
{{
    // Bytes: a type with constructors cannot be shared.
    __shared__ __align__(16) unsigned char pycuda_bytes[{block} * sizeof(pycuda_out_type)];
    pycuda_out_type *pycuda_cells = (pycuda_out_type *)pycuda_bytes;
    const unsigned long long pycuda_step = (unsigned long long)gridDim.x * {block};
    pycuda_out_type pycuda_sum = {neutral};
    unsigned long long i = (unsigned long long)blockIdx.x * {block} + threadIdx.x;
    for (; i < pycuda_n; i += pycuda_step)
    {{
        pycuda_out_type pycuda_mapped = {map_expr};
        pycuda_sum = PYCUDA_REDUCE(pycuda_sum, pycuda_mapped);
    }}
    pycuda_cells[threadIdx.x] = pycuda_sum;
    for (unsigned pycuda_half = {block} / 2; pycuda_half > 0; pycuda_half /= 2)
    {{
        __syncthreads();
        if (threadIdx.x < pycuda_half)
            pycuda_cells[threadIdx.x] =
                PYCUDA_REDUCE(pycuda_cells[threadIdx.x], pycuda_cells[threadIdx.x + pycuda_half]);
    }}
    if (threadIdx.x == 0)
        pycuda_out[blockIdx.x] = pycuda_cells[0];
}}
"""


class ReductionKernel:
    """A kernel that reduces arrays to one number.

    Parameters
    ----------
    dtype_out : dtype
        The result's type.
    neutral : str
        What changes nothing: `"0"` for sums.
    reduce_expr : str
        How two values `a` and `b` become one: `"a+b"`.
    map_expr : str, optional
        What is reduced, for element `i`: `"x[i]*y[i]"`; the first array's elements by default.
    arguments : str, optional
        C declarations: `float *x, float *y`.
    """

    def __init__(
        self,
        dtype_out: Any,
        neutral: str,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: str | Sequence[Argument] | None = None,
        name: str = "reduce_kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        preamble: str = "",
    ) -> None:
        self.dtype_out = np.dtype(dtype_out)
        out_type = dtype_to_ctype(self.dtype_out)
        if arguments is None:
            arguments = [VectorArg(self.dtype_out, "in")]
        self._declared = split_c_args(arguments) if isinstance(arguments, str) else list(arguments)
        vectors = [argument for argument in self._declared if isinstance(argument, VectorArg)]
        if not vectors:
            raise ValueError("ReductionKernel needs at least one vector argument")
        self._name = name

        def made(suffix: str, declared: Sequence[Argument], mapped: str) -> Function:
            text = _TEXT.format(
                preamble=preamble,
                out_type=out_type,
                reduce_expr=reduce_expr,
                name=name + suffix,
                arguments=", ".join(argument.declarator() for argument in declared),  # type: ignore[attr-defined]
                block=_BLOCK,
                neutral=neutral,
                map_expr=mapped,
            )
            letters = "".join(argument.struct_char for argument in declared)  # type: ignore[attr-defined]
            function = SourceModule(text, options=options, no_extern_c=True).get_function(name + suffix)
            return function.prepare(f"P{letters}N")

        self._first = made("_stage1", self._declared, map_expr or f"{vectors[0].name}[i]")
        self._second = made("_stage2", [VectorArg(self.dtype_out, "pycuda_parts")], "pycuda_parts[i]")

    def __call__(
        self, *args: Any, stream: Stream | None = None, out: GPUArray | None = None, allocator: Any = None
    ) -> GPUArray:
        """Return the result as an array without axes."""
        if len(args) != len(self._declared):
            raise TypeError(f"{self._name}: takes {len(self._declared)} arguments, got {len(args)}")
        if out is not None and out.dtype != self.dtype_out:
            raise ValueError("out must have the same dtype as dtype_out")
        if out is not None and not out.size:
            raise ValueError("out array is empty")
        count = vector_arguments(self._name, args, self._declared)[0].size
        result = GPUArray((), self.dtype_out, allocator or mem_alloc) if out is None else out
        blocks = max(1, min(-(-count // (4 * _BLOCK)), _MAX_BLOCKS))
        block = (_BLOCK, 1, 1)
        given = [_or_any_memory(arg, result) for arg in args]
        if blocks == 1:
            self._first.prepared_async_call((1, 1), block, stream, result, *given, count)
            return result
        parts = GPUArray(blocks, self.dtype_out)
        self._first.prepared_async_call((blocks, 1), block, stream, parts, *given, count)
        self._second.prepared_async_call((1, 1), block, stream, result, parts, blocks)
        return result


def _or_any_memory(arg: Any, other: GPUArray) -> Any:
    """Return the argument; for an empty array, which has no memory, some memory that is not read."""
    return other.gpudata if isinstance(arg, GPUArray) and arg.gpudata is None else arg

"""Kernels for running results: sums up to each element, and whatever else is associative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import GPUArray
from ._streams import Stream
from .compiler import SourceModule
from .tools import dtype_to_ctype

__all__ = ["ExclusiveScanKernel", "InclusiveScanKernel"]

_BLOCK = 256
_EACH = 8
_TILE = _BLOCK * _EACH

_TEXT = """
#include <pycuda-complex.hpp>
{preamble}

typedef {scan_type} scan_type;
#define SCAN_EXPR(a, b) ({scan_expr})

// A block scans a tile: each thread {each} elements in turn, then the threads' totals by doubling distances.
extern "C" __global__ void {prefix}_tiles(
    const scan_type *in, scan_type *out, scan_type *totals, unsigned long long n)
{{
    __shared__ __align__(16) unsigned char bytes[{block} * sizeof(scan_type)];
    scan_type *cells = (scan_type *)bytes;
    const unsigned long long begin = (unsigned long long)blockIdx.x * {tile} + threadIdx.x * {each};
    const unsigned long long left = begin < n ? n - begin : 0;
    const unsigned count = left < {each} ? (unsigned)left : {each};
    scan_type values[{each}];
    for (unsigned k = 0; k < count; k++)
    {{
        scan_type next = in[begin + k];
        values[k] = k ? SCAN_EXPR(values[k - 1], next) : next;
    }}
    if (count)
        cells[threadIdx.x] = values[count - 1];
    __syncthreads();
    for (unsigned distance = 1; distance < {block}; distance *= 2)
    {{
        scan_type sum;
        const bool takes = count && threadIdx.x >= distance;
        if (takes)
            sum = SCAN_EXPR(cells[threadIdx.x - distance], cells[threadIdx.x]);
        __syncthreads();
        if (takes)
            cells[threadIdx.x] = sum;
        __syncthreads();
    }}
    for (unsigned k = 0; k < count; k++)
        out[begin + k] = threadIdx.x ? SCAN_EXPR(cells[threadIdx.x - 1], values[k]) : values[k];
    // The last thread of the tile that has elements knows the tile's total.
    if (count && (begin + count == n || threadIdx.x == {block} - 1))
        totals[blockIdx.x] = cells[threadIdx.x];
}}

extern "C" __global__ void {prefix}_carry(scan_type *out, const scan_type *totals, unsigned long long n)
{{
    const scan_type carry = totals[blockIdx.x];
    const unsigned long long begin = (unsigned long long)(blockIdx.x + 1) * {tile};
    for (unsigned k = threadIdx.x; k < {tile}; k += {block})
        if (begin + k < n)
            out[begin + k] = SCAN_EXPR(carry, out[begin + k]);
}}

extern "C" __global__ void {prefix}_shift(const scan_type *in, scan_type *out, unsigned long long n)
{{
    const unsigned long long i = (unsigned long long)blockIdx.x * {block} + threadIdx.x;
    const scan_type neutral = {neutral};
    if (i < n)
        out[i] = i ? SCAN_EXPR(neutral, in[i - 1]) : neutral;
}}
"""


class _ScanKernel:
    _exclusive = False

    def __init__(
        self,
        dtype: Any,
        scan_expr: str,
        neutral: Any = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        if self._exclusive and neutral is None:
            raise ValueError("neutral element is required for exclusive scan")
        self.dtype = np.dtype(dtype)
        self.neutral = neutral
        text = _TEXT.format(
            preamble=preamble,
            scan_type=dtype_to_ctype(self.dtype),
            scan_expr=scan_expr,
            prefix=name_prefix,
            block=_BLOCK,
            each=_EACH,
            tile=_TILE,
            neutral="scan_type()" if neutral is None else neutral,
        )
        module = SourceModule(text, options=options, no_extern_c=True)
        self._tiles = module.get_function(f"{name_prefix}_tiles").prepare("PPPN")
        self._carry = module.get_function(f"{name_prefix}_carry").prepare("PPN")
        self._shift = module.get_function(f"{name_prefix}_shift").prepare("PPN")

    def _inclusive(self, source: GPUArray, target: GPUArray, stream: Stream | None) -> None:
        count = source.size
        tiles = -(-count // _TILE)
        totals = GPUArray(tiles, self.dtype)
        block = (_BLOCK, 1, 1)
        self._tiles.prepared_async_call((tiles, 1), block, stream, source, target, totals, count)
        if tiles > 1:
            self._inclusive(totals, totals, stream)
            self._carry.prepared_async_call((tiles - 1, 1), block, stream, target, totals, count)

    def _takes(self, dtype: np.dtype[Any]) -> bool:
        """Return whether elements are the scan's: integers of one size may be signed or not."""
        integers = dtype.kind in "iu" and self.dtype.kind in "iu"
        return dtype == self.dtype or (integers and dtype.itemsize == self.dtype.itemsize)

    def __call__(
        self,
        input_ary: GPUArray,
        output_ary: GPUArray | str | None = None,
        allocator: Any = None,
        stream: Stream | None = None,
    ) -> GPUArray:
        """Return the running results: in the input's own memory where no output is given."""
        if output_ary is None:
            output_ary = input_ary
        elif isinstance(output_ary, str):
            if output_ary != "new":
                raise ValueError(f"output_ary is an array or 'new', got {output_ary!r}")
            output_ary = GPUArray(input_ary.shape, self.dtype, allocator or input_ary.allocator)
        if input_ary.shape != output_ary.shape:
            raise ValueError("input and output must have the same shape")
        if not self._takes(input_ary.dtype) or not self._takes(output_ary.dtype):
            raise TypeError(f"the scan is of {self.dtype}, got {input_ary.dtype} and {output_ary.dtype}")
        if not input_ary.flags.forc or not output_ary.flags.forc:
            raise RuntimeError("ScanKernel cannot deal with non-contiguous arrays")
        if not input_ary.size:
            return output_ary
        if not self._exclusive:
            self._inclusive(input_ary, output_ary, stream)
            return output_ary
        running = GPUArray(input_ary.shape, self.dtype)
        self._inclusive(input_ary, running, stream)
        blocks = -(-input_ary.size // _BLOCK)
        self._shift.prepared_async_call(
            (blocks, 1), (_BLOCK, 1, 1), stream, running, output_ary, running.size
        )
        return output_ary


class InclusiveScanKernel(_ScanKernel):
    """A kernel for running results that include each element.

    Parameters
    ----------
    dtype : dtype
        The elements' type.
    scan_expr : str
        How two values `a` and `b` become one: `"a+b"`. It must be associative.
    neutral : str, optional
        What changes nothing.
    """


class ExclusiveScanKernel(_ScanKernel):
    """A kernel for running results up to each element, without it; the first one is `neutral`.

    Parameters
    ----------
    dtype : dtype
        The elements' type.
    scan_expr : str
        How two values `a` and `b` become one: `"a+b"`. It must be associative.
    neutral : str
        What changes nothing.
    """

    _exclusive = True

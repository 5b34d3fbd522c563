"""`cuda.reduce`: one number of an array, by a function of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cuprum.jit._names import NUMBA_NAMES
from cuprum.jit._types import scalar

from ._arrays import device_array, to_device
from ._dispatcher import jit

__all__ = ["Reduce", "reduce"]

_THREADS = 128
_MAX_BLOCKS = 128

grid, gridsize = NUMBA_NAMES["grid"], NUMBA_NAMES["gridsize"]
threadIdx, blockIdx, blockDim = NUMBA_NAMES["threadIdx"], NUMBA_NAMES["blockIdx"], NUMBA_NAMES["blockDim"]
shared, syncthreads = NUMBA_NAMES["shared"], NUMBA_NAMES["syncthreads"]


def _kernel(function: Callable[[Any, Any], Any], dtype: Any) -> Any:
    combine = jit(function, device=True)

    def partial_results(values: Any, results: Any, count: Any) -> None:
        own = shared.array(_THREADS, dtype)
        i = grid(1)
        place = threadIdx.x
        step = gridsize(1)
        if i < count:
            total = values[i]
            i += step
            while i < count:
                total = dtype(combine(total, values[i]))
                i += step
            own[place] = total
        syncthreads()
        # Threads beyond the array have nothing to add: the first `filled` ones have.
        filled = min(count - blockIdx.x * blockDim.x, blockDim.x)
        width = _THREADS // 2
        while width > 0:
            if place < width and place + width < filled:
                own[place] = combine(own[place], own[place + width])
            syncthreads()
            width //= 2
        if place == 0:
            results[blockIdx.x] = own[0]

    return jit(partial_results)


class Reduce:
    """Reduces arrays by a function of two numbers that may be applied in any order.

    Parameters
    ----------
    functor : callable
        The function.

    Examples
    --------
    >>> import numpy as np
    >>> from cuprum.compat.numba import cuda
    >>> total = cuda.reduce(lambda a, b: a + b)
    >>> int(total(np.arange(100)))
    4950
    """

    def __init__(self, functor: Callable[[Any, Any], Any]) -> None:
        self._functor = functor
        self._kernels: dict[str, Any] = {}

    def __call__(
        self, arr: Any, size: int | None = None, res: Any = None, init: Any = 0, stream: Any = 0
    ) -> Any:
        """Return the reduced array.

        Parameters
        ----------
        arr : array
            An array of one axis, of the host or the device.
        size : int, optional
            How many elements are reduced: all of them by default.
        res : DeviceNDArray, optional
            Takes the result in its first element; nothing is returned then.
        init : number, optional
            What an empty array gives, and what the function is applied to first.
        stream : Stream, optional
            The stream of the kernels.
        """
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        dtype = np.dtype(arr.dtype)
        count = arr.shape[0] if size is None else min(int(size), arr.shape[0])
        first = dtype.type(init)
        if count < 1:
            return first
        kernel = self._kernels.get(dtype.name)
        if kernel is None:
            kernel = self._kernels[dtype.name] = _kernel(self._functor, scalar(dtype).dtype.type)
        values = to_device(arr) if isinstance(arr, np.ndarray) else arr
        blocks = min(-(-count // _THREADS), _MAX_BLOCKS)
        results = device_array(blocks, dtype)
        kernel[blocks, _THREADS, stream](values, results, count)
        if blocks > 1:
            last = device_array(1, dtype)
            kernel[1, _THREADS, stream](results, last, blocks)
            results = last
        total = self._with_init(results[0], first)
        if res is not None:
            res[:1].copy_to_device(np.array([total], dtype), stream=stream)
            return None
        return total

    def _with_init(self, value: Any, first: Any) -> Any:
        return type(first)(self._functor(value, first)) if first != 0 else value


reduce = Reduce

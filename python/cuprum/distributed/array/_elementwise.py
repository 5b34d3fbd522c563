"""Functions of elements over distributed arrays: chunk by chunk, on the devices of the first operand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..._core import ndarray
from ._chunk import Chunk, on
from ._chunked import ChunkedArray
from ._modes import REPLICA

__all__ = ["elementwise"]

_NUMBERS = (bool, int, float, complex, np.generic)


def elementwise(function: Any, args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return a function of arrays chunk by chunk; operands go to the places of the first."""
    operands = list(args)
    if any(value is not None for value in kwargs.values()):
        raise RuntimeError(f"Keyword arguments are not supported for distributed arrays: {', '.join(kwargs)}")
    first = next(one for one in operands if isinstance(one, ChunkedArray))._replica()
    for at, one in enumerate(operands):
        if isinstance(one, ChunkedArray):
            if one.shape != first.shape:
                raise ValueError(
                    f"operands of distributed arrays must have one shape, got {first.shape} and {one.shape}"
                )
            operands[at] = one._replica()._placed(first.index_map)
        elif not isinstance(one, _NUMBERS):
            raise RuntimeError(
                "Mixing a distributed array with a non-distributed one is not supported: "
                f"got {type(one).__name__}; make it one with distributed_array"
            )
    made: dict[int, list[Chunk]] = {}
    dtype: Any = None
    for device, chunks in first._chunks.items():
        made[device] = []
        for at, chunk in enumerate(chunks):
            parts = [
                one._chunks[device][at].array if isinstance(one, ChunkedArray) else one for one in operands
            ]
            with on(device):
                array = function(*parts)
            if not isinstance(array, ndarray):
                raise RuntimeError("Kernels returning other than single array are not supported")
            dtype = array.dtype
            made[device].append(Chunk(array, chunk.index, device))
    return type(first)(first.shape, dtype, made, REPLICA)

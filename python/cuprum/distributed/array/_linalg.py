"""Products of distributed matrices: blocks are multiplied on the device that holds both."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import cuprum

from ._chunk import Chunk, on
from ._indices import Index
from ._modes import SUM

if TYPE_CHECKING:
    from ._array import DistributedArray

__all__ = ["make_2d_index_map", "matmul"]

Range = tuple[int, int]
Blocks = dict[tuple[Range, Range], dict[int, Chunk]]
"""The chunks of a matrix by the rows and columns that they hold, and by device."""


def _range(part: slice) -> Range:
    if part.step != 1:
        raise RuntimeError("matmul: chunks with steps other than 1 are not supported")
    return part.start, part.stop


def _batches(a: DistributedArray) -> dict[tuple[Range, ...], Blocks]:
    """Return the blocks of each matrix of a stack."""
    made: dict[tuple[Range, ...], Blocks] = {}
    for device, chunks in a._chunks.items():
        for chunk in chunks:
            *batch, rows, columns = (_range(part) for part in chunk.index)
            made.setdefault(tuple(batch), {}).setdefault((rows, columns), {})[device] = chunk
    return made


def _check(name: str, ranges: set[Range]) -> list[Range]:
    """Return the ranges of an axis in order; they may not overlap in part."""
    ordered = sorted(ranges)
    for one, following in zip(ordered, ordered[1:], strict=False):
        if following[0] < one[1]:
            raise RuntimeError(f"matmul: Inconsistent index mapping: {name} {one} and {following} overlap")
    return ordered


def _products(a: Blocks, b: Blocks) -> list[tuple[Chunk, Chunk]]:
    """Return the pairs of blocks to multiply, each pair on one device that holds both."""
    rows = _check("rows", {block[0] for block in a})
    inner = _check("inner ranges", {block[1] for block in a} | {block[0] for block in b})
    columns = _check("columns", {block[1] for block in b})
    busy: dict[int, int] = {}
    pairs = []
    for i in rows:
        for j in columns:
            for k in inner:
                left, right = a.get((i, k), {}), b.get((k, j), {})
                both = left.keys() & right.keys()
                if not both:
                    raise RuntimeError(
                        "matmul: There is no device that can perform multiplication between "
                        f"block {(i, k)} and {(k, j)}: reshard one of them"
                    )
                # The device that has the least to do so far.
                device = min(both, key=lambda one: (busy.get(one, 0), one))
                busy[device] = busy.get(device, 0) + (i[1] - i[0]) * (j[1] - j[0]) * (k[1] - k[0])
                pairs.append((left[device], right[device]))
    return pairs


def _with_axis(a: DistributedArray, last: bool) -> DistributedArray:
    """Return a vector as a matrix of one column, or of one row."""
    module = importlib.import_module("cuprum.distributed.array._array")
    made: dict[int, list[Chunk]] = {}
    for device, chunks in a._chunks.items():
        made[device] = []
        for chunk in chunks:
            one: Index = (slice(0, 1, 1),)
            index = chunk.index + one if last else one + chunk.index
            array = chunk.array[:, None] if last else chunk.array[None]
            made[device].append(Chunk(array, index, device))
    shape = (*a.shape, 1) if last else (1, *a.shape)
    result: DistributedArray = module.DistributedArray(shape, a.dtype, made, a.mode)
    return result


def _without_axis(a: DistributedArray, axis: int) -> DistributedArray:
    module = importlib.import_module("cuprum.distributed.array._array")
    at = axis % a.ndim
    made = {
        device: [
            Chunk(chunk.array.squeeze(at), chunk.index[:at] + chunk.index[at + 1 :], device)
            for chunk in chunks
        ]
        for device, chunks in a._chunks.items()
    }
    shape = a.shape[:at] + a.shape[at + 1 :]
    result: DistributedArray = module.DistributedArray(shape, a.dtype, made, a.mode)
    return result


def matmul(a: DistributedArray, b: DistributedArray, out: Any = None, **kwargs: Any) -> DistributedArray:
    """Return the product of distributed matrices, in the mode SUM.

    Blocks must fit: whoever holds a block of `a` must hold the block of `b` that it is multiplied with.

    Parameters
    ----------
    a, b : DistributedArray
        Matrices, stacks of them, or vectors.
    out : None, optional
        Not supported.
    **kwargs
        Further keywords of `cuprum.matmul`.

    Returns
    -------
    DistributedArray

    Examples
    --------
    >>> from cuprum.distributed.array import distributed_array, make_2d_index_map, matmul
    >>> a = distributed_array(
    ...     cp.arange(6).reshape(2, 3), make_2d_index_map([0, 2], [0, 1, 3], [[{0}, {1, 2}]])
    ... )
    >>> b = distributed_array(
    ...     cp.arange(12).reshape(3, 4), make_2d_index_map([0, 1, 3], [0, 2, 4], [[{0}, {0}], [{1}, {2}]])
    ... )
    >>> matmul(a, b)
    array([[20, 23, 26, 29],
           [56, 68, 80, 92]])
    """
    module = importlib.import_module("cuprum.distributed.array._array")
    kind = module.DistributedArray
    if out is not None:
        raise RuntimeError("matmul: Argument `out` is not supported")
    for name in ("subok", "axes", "axis"):
        if name in kwargs:
            raise RuntimeError(f"matmul: Argument `{name}` is not supported")
    if not (isinstance(a, kind) and isinstance(b, kind)):
        raise RuntimeError("matmul: Mixing a distributed array with a non-distributed array is not supported")
    if not a.ndim or not b.ndim:
        raise ValueError("matmul: an operand has no axes")
    one_row, one_column = a.ndim == 1, b.ndim == 1
    left, right = a._replica(), b._replica()
    left = _with_axis(left, last=False) if one_row else left
    right = _with_axis(right, last=True) if one_column else right
    if left.shape[-1] != right.shape[-2] or left.shape[:-2] != right.shape[:-2]:
        raise ValueError(f"matmul: Shapes are incompatible: {a.shape} and {b.shape}")
    of_left, of_right = _batches(left), _batches(right)
    if of_left.keys() != of_right.keys():
        raise RuntimeError("matmul: Mismatched batch shapes")
    made: dict[int, list[Chunk]] = {}
    dtype: Any = None
    for batch, blocks in of_left.items():
        for first, second in _products(blocks, of_right[batch]):
            with on(first.device):
                product = cuprum.matmul(first.array, second.array, **kwargs)
            dtype = product.dtype
            index = (*first.index[:-1], second.index[-1])
            made.setdefault(first.device, []).append(Chunk(product, index, first.device))
    shape = (*left.shape[:-1], right.shape[-1])
    result: DistributedArray = kind(shape, dtype, made, SUM)
    if one_column:
        result = _without_axis(result, -1)
    return _without_axis(result, -1 if one_column else -2) if one_row else result


def make_2d_index_map(
    i_partitions: Sequence[int], j_partitions: Sequence[int], devices: Sequence[Sequence[set[int]]]
) -> dict[int, list[tuple[slice, ...]]]:
    """Return the index map of a matrix that is split into blocks.

    Parameters
    ----------
    i_partitions, j_partitions : list of int
        The bounds of the blocks' rows and columns, from 0 on.
    devices : list of lists of sets of int
        The devices that hold each block.

    Returns
    -------
    dict
        Lists of indices by device.

    Examples
    --------
    >>> cp.distributed.array.make_2d_index_map([0, 2], [0, 3, 5], [[{0}, {0, 1}]])[1]
    [(slice(0, 2, None), slice(3, 5, None))]
    """
    for name, bounds in (("i_partitions", i_partitions), ("j_partitions", j_partitions)):
        if not bounds or bounds[0] != 0 or sorted(set(bounds)) != list(bounds):
            raise ValueError(f"make_2d_index_map: {name} must rise from 0, got {list(bounds)}")
    made: dict[int, list[tuple[slice, ...]]] = {}
    if len(devices) != len(i_partitions) - 1 or any(len(row) != len(j_partitions) - 1 for row in devices):
        raise ValueError(
            "make_2d_index_map: devices must be "
            f"{len(i_partitions) - 1} lists of {len(j_partitions) - 1} sets"
        )
    for i, row in enumerate(devices):
        for j, holders in enumerate(row):
            index = (slice(*i_partitions[i : i + 2]), slice(*j_partitions[j : j + 2]))
            for device in holders:
                made.setdefault(device, []).append(index)
    return made

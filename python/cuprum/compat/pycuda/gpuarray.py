"""PyCUDA's arrays: making them, and functions of whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from warnings import warn

import numpy as np

import cuprum

from ._arrays import GPUArray, splay
from ._memory import mem_alloc
from ._streams import Stream, cuda_stream
from ._vectors import vec

__all__ = [
    "GPUArray",
    "all",
    "any",
    "arange",
    "concatenate",
    "dot",
    "empty",
    "empty_like",
    "if_positive",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "maximum",
    "min",
    "minimum",
    "multi_put",
    "multi_take",
    "multi_take_put",
    "ones",
    "ones_like",
    "reshape",
    "splay",
    "stack",
    "subset_dot",
    "subset_max",
    "subset_min",
    "subset_sum",
    "sum",
    "take",
    "to_gpu",
    "to_gpu_async",
    "transpose",
    "vec",
    "where",
    "zeros",
    "zeros_like",
]

empty = GPUArray


def to_gpu(ary: np.ndarray[Any, Any] | GPUArray, allocator: Callable[[int], Any] = mem_alloc) -> GPUArray:
    """Return an array of the host's on the device; a copy of one that is there."""
    return to_gpu_async(ary, allocator)


def to_gpu_async(
    ary: np.ndarray[Any, Any] | GPUArray,
    allocator: Callable[[int], Any] = mem_alloc,
    stream: Stream | None = None,
) -> GPUArray:
    """Return an array of the host's on the device, copied in a stream's order."""
    if isinstance(ary, GPUArray):
        # NumPy would read it element by element.
        return ary.copy()
    ary = np.asarray(ary)
    order = "F" if ary.flags.f_contiguous and not ary.flags.c_contiguous else "C"
    result = GPUArray(ary.shape, ary.dtype, allocator, order=order)
    result.set(ary, async_=stream is not None, stream=stream)
    return result


def zeros(
    shape: Any, dtype: Any = np.float64, allocator: Callable[[int], Any] = mem_alloc, order: str = "C"
) -> GPUArray:
    """Return zeros."""
    dtype = np.dtype(dtype)
    return GPUArray(shape, dtype, allocator, order=order).fill(np.zeros((), dtype)[()])


def ones(
    shape: Any, dtype: Any = np.float64, allocator: Callable[[int], Any] = mem_alloc, order: str = "C"
) -> GPUArray:
    """Return ones."""
    return GPUArray(shape, dtype, allocator, order=order).fill(1)


def empty_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """Return an array like another, not set to anything."""
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"Unsupported order: {order!r}")
    if order in ("A", "K"):
        order = "F" if other_ary.flags.f_contiguous and not other_ary.flags.c_contiguous else "C"
    return GPUArray(other_ary.shape, dtype or other_ary.dtype, other_ary.allocator, order=order)


def zeros_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """Return zeros like an array."""
    result = empty_like(other_ary, dtype, order)
    return result.fill(np.zeros((), result.dtype)[()])


def ones_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """Return ones like an array."""
    return empty_like(other_ary, dtype, order).fill(1)


def arange(*args: Any, dtype: Any = None, stream: Stream | None = None, **named: Any) -> GPUArray:
    """Return the numbers from `start` up to `stop` by `step`."""
    if args and isinstance(args[-1], np.dtype):
        dtype, args = args[-1], args[:-1]
    if len(args) > 3:
        raise ValueError("too many arguments")
    names = ["stop"] if len(args) == 1 else ["start", "stop", "step"]
    given = dict(zip(names, args, strict=False))
    for name, value in named.items():
        if name not in ("start", "stop", "step"):
            raise ValueError(f"unexpected keyword argument '{name}'")
        if name in given:
            raise ValueError(f"may not specify '{name}' by position and keyword")
        given[name] = value
    if "stop" not in given:
        raise ValueError("stop argument required")
    numbers = given.get("start", 0), given["stop"], given.get("step", 1)
    if dtype is None:
        dtype = np.array(numbers).dtype
        if dtype != np.float32:
            warn("arange chose a dtype other than float32: give one", stacklevel=2)
    with cuda_stream(stream):
        return GPUArray._over(cuprum.arange(*numbers, dtype=dtype))


def _operand(value: Any) -> Any:
    return value._array if isinstance(value, GPUArray) else value


def _result(values: Any, out: GPUArray | None, like: GPUArray | None = None) -> GPUArray:
    if out is not None:
        return out._store(values)
    return GPUArray._over(values, mem_alloc if like is None else like.allocator)


def _allocated(values: Any, allocator: Callable[[int], Any] | None) -> GPUArray:
    """Return values in memory of the allocator's, or in their own where there is none."""
    if allocator is None or allocator is mem_alloc:
        return GPUArray._over(values)
    return GPUArray(values.shape, values.dtype, allocator)._store(values)


def take(
    a: GPUArray, indices: GPUArray, out: GPUArray | None = None, stream: Stream | None = None
) -> GPUArray:
    """Return the elements of a flat array at the indices."""
    with cuda_stream(stream):
        return _result(a._array.ravel()[indices._array], out, a)


def multi_take(
    arrays: Sequence[GPUArray],
    indices: GPUArray,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]:
    """Return the elements of several arrays at the same indices."""
    targets = out if out is not None else [None] * len(arrays)
    return [take(array, indices, into, stream) for array, into in zip(arrays, targets, strict=True)]


def multi_take_put(
    arrays: Sequence[GPUArray],
    dest_indices: GPUArray,
    src_indices: GPUArray,
    dest_shape: Any = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
    src_offsets: Sequence[int] | None = None,
) -> list[GPUArray]:
    """Write the elements of several arrays at some indices to other indices of others."""
    offsets = [0] * len(arrays) if src_offsets is None else [int(offset) for offset in src_offsets]
    if len(offsets) != len(arrays):
        raise ValueError("arrays and src_offsets must have the same length")
    with cuda_stream(stream):
        taken = [
            GPUArray._over(array._array.ravel()[src_indices._array.astype(np.int64) + offset])
            for array, offset in zip(arrays, offsets, strict=True)
        ]
    return multi_put(taken, dest_indices, dest_shape, out, stream)


def multi_put(
    arrays: Sequence[GPUArray],
    dest_indices: GPUArray,
    dest_shape: Any = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]:
    """Write the elements of several arrays to the same indices of others."""
    targets = out if out is not None else [zeros(dest_shape, array.dtype) for array in arrays]
    with cuda_stream(stream):
        for array, into in zip(arrays, targets, strict=True):
            values = into._array.ravel()
            values[dest_indices._array] = array._array
            into._store(values.reshape(into.shape))
    return list(targets)


def concatenate(arrays: Sequence[GPUArray], axis: int = 0, allocator: Any = None) -> GPUArray:
    """Return arrays joined along an axis."""
    return GPUArray._over(cuprum.concatenate([array._array for array in arrays], axis))


def stack(arrays: Sequence[GPUArray], axis: int = 0, allocator: Any = None) -> GPUArray:
    """Return arrays joined along a new axis."""
    return GPUArray._over(cuprum.stack([array._array for array in arrays], axis))


def transpose(a: GPUArray, axes: Any = None) -> GPUArray:
    """Return the array with its axes permuted."""
    return a.transpose(axes)


def reshape(a: GPUArray, *shape: Any, order: str = "C") -> GPUArray:
    """Return the same elements in another shape."""
    return a.reshape(*shape, order=order)


def if_positive(
    criterion: GPUArray,
    then_: GPUArray,
    else_: GPUArray,
    out: GPUArray | None = None,
    stream: Stream | None = None,
) -> GPUArray:
    """Return the elements of one array where the criterion is positive, of the other where it is not."""
    if not criterion.shape == then_.shape == else_.shape:
        raise ValueError("shapes do not match")
    if then_.dtype != else_.dtype:
        raise ValueError("dtypes do not match")
    with cuda_stream(stream):
        return _result(cuprum.where(criterion._array > 0, then_._array, else_._array), out, then_)


def where(
    criterion: GPUArray,
    then_: Any,
    else_: Any,
    out: GPUArray | None = None,
    stream: Stream | None = None,
) -> GPUArray:
    """Return the elements of one array where the criterion is not zero, of the other where it is."""
    with cuda_stream(stream):
        return _result(cuprum.where(criterion._array != 0, _operand(then_), _operand(else_)), out, criterion)


def minimum(a: Any, b: Any, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray:
    """Return the smaller of two arrays' elements; the other one where one is NaN."""
    with cuda_stream(stream):
        return _result(cuprum.fmin(_operand(a), _operand(b)), out)


def maximum(a: Any, b: Any, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray:
    """Return the larger of two arrays' elements; the other one where one is NaN."""
    with cuda_stream(stream):
        return _result(cuprum.fmax(_operand(a), _operand(b)), out)


def sum(  # noqa: A001
    a: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Any = None
) -> GPUArray:
    """Return the sum of all elements, in the array's own type unless another is given."""
    with cuda_stream(stream):
        total = a._array.sum(dtype=a.dtype if dtype is None else dtype)
        return _allocated(total, allocator or a.allocator)


def dot(
    a: GPUArray, b: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Any = None
) -> GPUArray:
    """Return the sum of the products of the elements."""
    with cuda_stream(stream):
        products = a._array * b._array
        total = products.sum(dtype=products.dtype if dtype is None else dtype)
        return _allocated(total, allocator or a.allocator)


def max(a: GPUArray, stream: Stream | None = None) -> GPUArray:  # noqa: A001
    """Return the largest element."""
    with cuda_stream(stream):
        return GPUArray._over(a._array.max())


def min(a: GPUArray, stream: Stream | None = None) -> GPUArray:  # noqa: A001
    """Return the smallest element."""
    with cuda_stream(stream):
        return GPUArray._over(a._array.min())


def any(a: GPUArray, stream: Stream | None = None, allocator: Any = None) -> GPUArray:  # noqa: A001
    """Return whether any element is other than zero."""
    return a.any(stream, allocator)


def all(a: GPUArray, stream: Stream | None = None, allocator: Any = None) -> GPUArray:  # noqa: A001
    """Return whether all elements are other than zero."""
    return a.all(stream, allocator)


def subset_sum(
    subset: GPUArray, a: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Any = None
) -> GPUArray:
    """Return the sum of the elements at the indices."""
    return sum(take(a, subset, stream=stream), dtype, stream, allocator or a.allocator)


def subset_dot(
    subset: GPUArray,
    a: GPUArray,
    b: GPUArray,
    dtype: Any = None,
    stream: Stream | None = None,
    allocator: Any = None,
) -> GPUArray:
    """Return the sum of the products of the elements at the indices."""
    taken = take(a, subset, stream=stream), take(b, subset, stream=stream)
    return dot(*taken, dtype, stream, allocator or a.allocator)


def subset_max(subset: GPUArray, a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """Return the largest of the elements at the indices."""
    return max(take(a, subset, stream=stream), stream)


def subset_min(subset: GPUArray, a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """Return the smallest of the elements at the indices."""
    return min(take(a, subset, stream=stream), stream)


def _logical(operation: Any, values: Sequence[Any], out: GPUArray | None) -> GPUArray:
    for value in values:
        if not isinstance(value, GPUArray) and not np.isscalar(value):
            raise ValueError(f"{operation.__name__} takes GPUArrays and scalars, got {type(value).__name__}")
    return _result(cuprum.asarray(operation(*(_operand(value) for value in values))), out)


def logical_and(x1: Any, x2: Any, /, out: GPUArray | None = None, *, allocator: Any = None) -> GPUArray:
    """Return 1 where both are other than zero."""
    return _logical(cuprum.logical_and, (x1, x2), out)


def logical_or(x1: Any, x2: Any, /, out: GPUArray | None = None, *, allocator: Any = None) -> GPUArray:
    """Return 1 where one is other than zero."""
    return _logical(cuprum.logical_or, (x1, x2), out)


def logical_not(x: Any, /, out: GPUArray | None = None, *, allocator: Any = None) -> GPUArray:
    """Return 1 where it is zero."""
    return _logical(cuprum.logical_not, (x,), out)

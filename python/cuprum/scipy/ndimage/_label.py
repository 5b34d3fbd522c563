"""Connected components of images, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import is_complex, on_host
from ._binary import _neighbours
from ._documentation import documented
from ._kernels import c_name, kernel

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["find_objects", "label", "value_indices"]

_THREADS = 128
# On a CPU a thread unites the runs of a strip of rows: the most strips, and the fewest elements of one.
_STRIPS, _LEAST_OF_STRIP = 64, 1 << 15


def _grid(n: int) -> tuple[int]:
    return (-(-n // _THREADS),)


@documented
@names_itself
def label(input: Any, structure: ArrayLike | None = None, output: Any = None) -> Any:
    """Number the connected components of an array.

    Elements that are not zero and are neighbours belong to one component. Components are numbered from 1 in
    the order of their first elements.

    Parameters
    ----------
    {input}
    structure : array_like, optional
        Which neighbours count, of length 3 along each axis and symmetric about its middle; by default those
        that differ along one axis.
    output : ndarray or dtype, optional
        Where to put the numbers, or their dtype; int32 by default.

    Returns
    -------
    labels : ndarray
        The number of each element's component, 0 where the element is zero. Not returned where `output` is
        an array.
    count : int
        How many components there are.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> labels, count = ndimage.label(cp.array([[1, 1, 0, 1], [0, 0, 0, 1]]))
    >>> labels
    array([[1, 1, 0, 2],
           [0, 0, 0, 2]], dtype=int32)
    >>> count
    2
    """
    op = "label"
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    window = _neighbours(a.ndim, 1) if structure is None else on_host(structure).astype(bool)
    if window.ndim != a.ndim:
        raise RuntimeError(f"{op}: structure and input must have equal rank, got {window.ndim} and {a.ndim}")
    if any(length != 3 for length in window.shape):
        raise ValueError(f"{op}: structure dimensions must be equal to 3, got {window.shape}")
    if not np.array_equal(window, np.flip(window)):
        raise ValueError(f"{op}: Input structuring element is not symmetric")
    if isinstance(output, ndarray) and output.shape != a.shape:
        raise ValueError(f"{op}: output has shape {output.shape}, the input {a.shape}")
    index = np.dtype(np.int32 if a.size < 2**31 - 2 else np.int64)
    dtype = output.dtype if isinstance(output, ndarray) else np.dtype(index if output is None else output)
    if a.ndim == 0:
        labels, count = (a != 0).astype(index), int(bool(a))
    elif a.size == 0:
        labels, count = _core.empty(a.shape, index), 0
    else:
        labels, count = _components(a, window, index)
    if dtype != index:
        if count and (dtype.kind == "b" and count > 1 or dtype.kind in "iu" and count > np.iinfo(dtype).max):
            raise RuntimeError(f"{op}: {count} components are too many for output of dtype {dtype}")
        labels = labels.astype(dtype)
    if isinstance(output, ndarray):
        output[...] = labels
        return count
    return labels, count


def _components(a: ndarray, window: np.ndarray, index: np.dtype) -> tuple[ndarray, int]:
    """Return the number of each element's component, and how many there are."""
    row = a.shape[-1]
    rows = a.astype(bool).reshape(-1, row)
    steps = np.argwhere(window) - 1
    # Of two neighbours in different rows, the later one looks at the earlier one.
    earlier = np.array([tuple(step[:-1]) < (0,) * (a.ndim - 1) for step in steps], bool).reshape(-1)
    line_strides = np.cumprod((1, *a.shape[-2:0:-1]))[::-1] if a.ndim > 1 else np.zeros(0, int)
    tables: tuple[Any, ...] = ()
    if earlier.any():
        back = -(steps[earlier][:, :-1] @ line_strides)
        named = ((back, index), (steps[earlier], np.int8), (a.shape[:-1], index))
        tables = tuple(_core.array(np.ascontiguousarray(table, kind)) for table, kind in named)
    image = np.zeros(
        1, np.dtype([("row", index), ("runs", index), ("axes", "i4"), ("count", "i4")], align=True)
    )[0]
    image["row"], image["axes"], image["count"] = row, a.ndim - 1, int(earlier.sum())
    # Where the neighbours in a row do not count, every element is a run of its own.
    joined = bool(window[(1,) * (a.ndim - 1)][0])
    numbered = _by_rows if a.device == "cpu" else _by_runs
    labels, count = numbered(rows, joined, image, tables, index)
    return labels.reshape(a.shape), count


def _numbers(parent: ndarray, index: np.dtype) -> tuple[ndarray, ndarray]:
    """Return the root of each run, and the number of the components up to each run."""
    runs = parent.size
    root, is_root = _core.empty(runs, index), _core.empty(runs, np.bool_)
    kernel("label", f"find_roots<{c_name(index)}>")(_grid(runs), (_THREADS,), (parent, root, is_root, runs))
    # Components are numbered by their first runs.
    return root, cp.cumsum(is_root, dtype=index)


def _by_rows(
    rows: ndarray, joined: bool, image: Any, tables: tuple[Any, ...], index: np.dtype
) -> tuple[ndarray, int]:
    """Return numbers of components by walks along rows, for CPUs."""
    lines, name = rows.shape[0], c_name(index)
    bytes_of = cp.packbits(rows, axis=1, bitorder="little")
    if missing := -bytes_of.shape[1] % 4:
        bytes_of = cp.concatenate((bytes_of, _core.zeros((lines, missing), np.uint8)), 1)
    bits = cp.ascontiguousarray(bytes_of).view(np.uint32)
    words, is_joined = index.type(bits.shape[1]), np.bool_(joined)

    def along_rows(kernel_name: str, *arguments: Any) -> None:
        kernel("label", f"{kernel_name}<{name}>")((lines,), (1,), (*arguments, np.int64(lines)))

    first = _core.zeros(lines + 1, index)
    along_rows("count_runs", bits, first[1:], words, is_joined)
    first = cp.cumsum(first, dtype=index)
    runs = int(first[-1])
    labels = _core.empty(rows.size, index)
    if runs == 0:
        labels[...] = 0
        return labels, 0
    parent = cp.arange(runs, dtype=index)
    image["runs"] = runs
    if tables:
        strip = max(-(-lines // _STRIPS), -(-_LEAST_OF_STRIP // rows.shape[1]))
        arguments = (
            parent,
            bits,
            first,
            *tables,
            image,
            words,
            is_joined,
            index.type(strip),
            index.type(lines),
        )
        for across in ("false", "true") if strip < lines else ("false",):
            # The roots do not depend on the order in which threads work.
            text = kernel("label", f"unite_rows<{across}, {name}>")
            text((-(-lines // strip),), (1,), arguments, deterministic=False)
    numbers, count = _core.empty(runs + 1, index), _core.empty(1, index)
    kernel("label", f"number_runs<{name}>")((1,), (1,), (parent, numbers, count, np.int64(runs)))
    along_rows("paint_rows", labels, bits, first, numbers, image["row"], words, is_joined)
    return labels, int(count[0])


def _by_runs(
    rows: ndarray, joined: bool, image: Any, tables: tuple[Any, ...], index: np.dtype
) -> tuple[ndarray, int]:
    """Return numbers of components by a thread for each run, for GPUs."""
    if joined:
        begins, ends = rows.copy(), rows.copy()
        begins[:, 1:] &= ~rows[:, :-1]
        ends[:, :-1] &= ~rows[:, 1:]
    else:
        begins = ends = rows
    start = cp.flatnonzero(begins).astype(index)
    runs = start.size
    if runs == 0:
        return _core.zeros(rows.shape, index), 0
    end = cp.flatnonzero(ends).astype(index) + index.type(1)
    begun = cp.cumsum(begins.ravel(), dtype=index)
    parent = cp.arange(runs, dtype=index)
    image["runs"] = runs
    if tables:
        arguments = (parent, start, end, begun, *tables, image)
        kernel("label", f"unite_runs<{c_name(index)}>")(_grid(runs), (_THREADS,), arguments)
    root, number = _numbers(parent, index)
    of_run = number[root]
    # Elements that are not set have the number 0.
    labels = cp.where(rows.ravel(), of_run[cp.maximum(begun - index.type(1), index.type(0))], index.type(0))
    return labels, int(number[-1])


@documented
@names_itself
def find_objects(input: ArrayLike, max_label: int = 0) -> Any:
    """Return the box around each labelled component.

    Parameters
    ----------
    input : array_like of int
        The labels, as `label` makes them.
    max_label : int, optional
        The last label to look for; the largest there is by default.

    Returns
    -------
    list of tuple of slice
        For each label from 1 on, the slices that contain it; None where it does not occur.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.find_objects(cp.array([[0, 1, 1], [0, 1, 0]]))
    [(slice(0, 2, None), slice(1, 3, None))]
    """
    op = "find_objects"
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    if a.dtype.kind not in "iub":
        raise RuntimeError(f"{op}: labels must be integers, not {a.dtype}")
    count = int(max_label)
    if count < 1:
        count = int(a.max())
    if count < 1 or a.ndim == 0:
        return []
    index = np.dtype(np.int64)
    bounds = _core.empty((count, a.ndim, 2), index)
    bounds[..., 0], bounds[..., 1] = np.iinfo(index).max, -1
    dims = _core.array(np.array(a.shape, index))
    if a.size and a.device == "cpu":
        lines = a.size // a.shape[-1]
        strip = max(-(-lines // _STRIPS), -(-_LEAST_OF_STRIP // a.shape[-1]))
        sizes = (np.int32(a.ndim), np.int64(count), np.int64(strip), np.int64(lines))
        arguments: tuple[Any, ...] = (cp.ascontiguousarray(a), bounds, dims, *sizes)
        kernel("label", f"widen_bounds<{c_name(a.dtype)}>")((-(-lines // strip),), (1,), arguments)
    elif a.size:
        arguments = (
            cp.ascontiguousarray(a.astype(index)),
            bounds,
            dims,
            np.int32(a.ndim),
            np.int64(count),
            a.size,
        )
        kernel("label", f"find_bounds<{c_name(index)}>")(_grid(a.size), (_THREADS,), arguments)
    found = bounds.get()
    found[..., 1] += 1
    along = (map(slice, *found[:, axis].T.tolist()) for axis in range(a.ndim))
    boxes: list[Any] = list(zip(*along, strict=True))
    for missing in np.flatnonzero(found[:, 0, 1] == 0).tolist():
        boxes[missing] = None
    return boxes


@names_itself
def value_indices(
    arr: ArrayLike, *, ignore_value: int | None = None, adaptive_index_dtype: bool = False
) -> dict[Any, tuple[ndarray, ...]]:
    """Return where each value of an integer array occurs.

    Parameters
    ----------
    arr : array_like of int
        The array.
    ignore_value : int, optional
        A value to leave out.
    adaptive_index_dtype : bool, optional
        Whether indices have the smallest dtype that holds them, instead of int64.

    Returns
    -------
    dict
        For each value, a tuple of the indices along each axis, in C order.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.value_indices(cp.array([7, 0, 7]), ignore_value=0)
    {7: (array([0, 2]),)}
    """
    a = as_array(arr)
    if a.dtype.kind not in "iub":
        raise ValueError(f"value_indices: arr must hold integers, not {a.dtype}")
    flat = a.ravel()
    order = cp.argsort(flat, kind="stable")
    values, starts = cp.unique(flat[order], return_index=True)
    ends = [*starts.tolist()[1:], a.size][: values.size]
    found = {}
    for value, start, end in zip(values.tolist(), starts.tolist(), ends, strict=True):
        if ignore_value is not None and value == ignore_value:
            continue
        places = cp.unravel_index(order[start:end], a.shape)
        if adaptive_index_dtype:
            places = tuple(
                place.astype(np.min_scalar_type(length))
                for place, length in zip(places, a.shape, strict=True)
            )
        found[value] = tuple(places)
    return found

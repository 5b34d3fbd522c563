"""Arrays larger than memory, a block at a time: read ahead, and moved to a GPU while others are used."""

from __future__ import annotations

import mmap
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .maps import shared, watch
from .progress import Progress

__all__ = ["Blocks", "blocks", "prefetch"]

_BLOCK_BYTES = 64 << 20
"""The bytes of a block unless its size is given: large against the cost of a launch, small against memory."""

_END = object()


def _bytes_of(item: Any) -> int:
    if isinstance(item, dict):
        return sum(map(_bytes_of, item.values()))
    if isinstance(item, (tuple, list)):
        return sum(map(_bytes_of, item))
    return int(getattr(item, "nbytes", 0))


def _moved(item: Any) -> Any:
    """Return an item with the arrays in it on the current device; what is no array stays as it is."""
    if isinstance(item, dict):
        return {name: _moved(value) for name, value in item.items()}
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return type(item)(*map(_moved, item))
    if isinstance(item, (tuple, list)):
        return type(item)(map(_moved, item))
    if isinstance(item, ndarray):
        return item.to_device(_current_device()) if _current_device() != item.device else item
    return _core.array(item) if hasattr(item, "__array__") else item


def _current_device() -> Any:
    from ..cuda import Device

    return Device()


def _fill(
    source: Iterable[Any],
    move: Callable[[Any], Any],
    ready: queue.Queue[Any],
    stopped: threading.Event,
    device: Any,
) -> None:
    """Put the items of a source into a queue: what the thread that reads ahead does."""
    last: Any = _END
    try:
        with device:
            on_gpu = _core.current_gpu() is not None
            stream = _copy_stream() if on_gpu else None
            for item in source:
                if stream is None:
                    moved = move(item)
                else:
                    # The copy has a stream of its own; who uses the array in another waits for it on the GPU.
                    with stream:
                        moved = move(item)
                while not stopped.is_set():
                    try:
                        ready.put(moved, timeout=0.1)
                        break
                    except queue.Full:
                        continue
                del item, moved
                if stopped.is_set():
                    return
    except BaseException as error:
        last = error
    finally:
        while not stopped.is_set():
            try:
                ready.put((_END, last), timeout=0.1)
                break
            except queue.Full:
                continue


def _teller(progress: Any, shown: Progress) -> Callable[[int, int], Any] | None:
    """Return what is called with the items and the bytes so far: the caller's function, or a line's."""
    if progress is not True:
        return progress or None

    def tell(done: int, moved: int) -> None:
        shown.advance_to(moved if shown.in_bytes else done)

    return tell


def _copy_stream() -> Any:
    from ..cuda import Stream

    return Stream(non_blocking=True)


def _iterate(
    source: Iterable[Any],
    move: Callable[[Any], Any],
    depth: int,
    device: Any,
    tell: Callable[[int, int], Any] | None,
) -> Iterator[Any]:
    """Yield the items of a source that a thread reads and moves ahead of their use."""
    ready: queue.Queue[Any] = queue.Queue(maxsize=max(depth - 1, 1))
    stopped = threading.Event()
    thread = threading.Thread(
        target=_fill, args=(source, move, ready, stopped, device), name="cuprum-read-ahead", daemon=True
    )
    thread.start()
    done = moved = 0
    try:
        while True:
            item = ready.get()
            if isinstance(item, tuple) and len(item) == 2 and item[0] is _END:
                if item[1] is not _END:
                    raise item[1]
                return
            done, moved = done + 1, moved + _bytes_of(item)
            yield item
            # Work on the block runs before the next one comes: pending, it would keep all blocks alive.
            del item
            _core.run_pending()
            if tell is not None:
                tell(done, moved)
    finally:
        stopped.set()
        # A source that blocks for ever must not keep a program that has left the loop.
        thread.join(timeout=5)


def prefetch(
    source: Iterable[Any],
    depth: int = 2,
    *,
    device: Any = None,
    progress: bool | Callable[[int, int], Any] = False,
) -> Iterator[Any]:
    """Iterate over arrays that are read, and moved to the device, ahead of their use.

    A thread takes the items of `source` while the program works on those before. On a GPU they are copied
    through page-locked memory in a stream of their own, so that copies and kernels overlap; an array of
    page-locked memory (`cuda.alloc_pinned_memory`) is copied from where it is.

    Parameters
    ----------
    source : iterable
        Yields NumPy arrays, or tuples, lists and dicts of them, such as the batches of a loader.
    depth : int, optional
        How many items are on their way or in use at once; 2 are a pair of buffers.
    device : str or cuda.Device, optional
        Where the arrays go; the current device when None.
    progress : bool or callable, optional
        True shows a line on standard error where that is a terminal; a function is called with the items
        and the bytes so far.

    Yields
    ------
    ndarray, or tuples, lists and dicts of them
        The items, in order. An error of `source` is raised where its item would have come.

    Examples
    --------
    >>> batches = (np.full(4, i) for i in range(3))
    >>> [int(batch.sum()) for batch in cp.prefetch(batches)]
    [0, 4, 8]
    """
    if depth < 1:
        raise ValueError(f"prefetch: depth must be at least 1, got {depth}")
    tell = _teller(progress, Progress("prefetch", _length(source), in_bytes=False))
    return _iterate(source, _moved, depth, _device(device), tell)


def _device(device: Any) -> Any:
    from ..cuda import Device

    return Device(device)


def _length(source: Any) -> int | None:
    try:
        return len(source)
    except TypeError:
        return None


class Blocks:
    """The blocks of an array along an axis, in order: see `blocks`. It can be gone through many times.

    Examples
    --------
    >>> parts = cp.blocks(np.arange(10.0), 4)
    >>> len(parts), parts.shape
    (3, (10,))
    >>> [block.shape for block in parts]
    [(4,), (4,), (2,)]
    """

    def __init__(
        self, source: Any, size: int | None, axis: int, depth: int, device: Any, progress: Any
    ) -> None:
        self._map = _mapped(source) if isinstance(source, (str, os.PathLike)) else None
        self._source = source if self._map is None else self._map.array
        self.shape: tuple[int, ...] = tuple(self._source.shape)
        self.dtype = np.dtype(self._source.dtype)
        if not self.shape:
            raise ValueError("blocks: an array without axes has no blocks")
        if not -len(self.shape) <= axis < len(self.shape):
            raise np.exceptions.AxisError(axis, len(self.shape), "blocks")
        self.axis = axis % len(self.shape)
        length = self.shape[self.axis]
        row = max(int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize // max(length, 1), 1)
        self.size = max(_BLOCK_BYTES // row, 1) if size is None else int(size)
        if self.size < 1:
            raise ValueError(f"blocks: the size of a block must be at least 1, got {size}")
        if depth < 1:
            raise ValueError(f"blocks: read_ahead must be at least 1, got {depth}")
        self._depth, self._device, self._progress = depth, device, progress

    def __len__(self) -> int:
        return -(-self.shape[self.axis] // self.size)

    def __iter__(self) -> Iterator[ndarray]:
        device = _device(self._device)
        on_cpu = device == "cpu"
        # Nobody writes the pages of a file that was mapped here; an array of the program's may change.
        in_place = _in_place if self._map is None else _over_map
        move: Callable[[Any], Any] = in_place if on_cpu else _core.array
        total = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        tell = _teller(self._progress, Progress("blocks", total))
        return _iterate(self._slices(on_cpu), move, self._depth, device, tell)

    def _slices(self, in_place: bool) -> Iterator[Any]:
        """Yield the blocks as they lie in the source; blocks of a mapped file are asked for ahead."""
        before = (slice(None),) * self.axis
        for start in range(0, self.shape[self.axis], self.size):
            stop = min(start + self.size, self.shape[self.axis])
            if self._map is not None:
                self._map.check()
            if self._map is not None and self.axis == 0:
                self._map.want(start, min(stop + (self._depth - 1) * self.size, self.shape[0]))
                if in_place:
                    self._map.forget(start - 2 * self._depth * self.size, start - self._depth * self.size)
            yield self._source[before + (slice(start, stop),)]

    def reduce(
        self, function: Callable[[ndarray], Any], combine: Callable[[Any, Any], Any] | None = None
    ) -> Any:
        """Return what a function gives for the blocks, combined.

        Parameters
        ----------
        function : callable
            Takes a block.
        combine : callable, optional
            Takes the result so far and that of the next block; their sum when None.

        Returns
        -------
        object
            The combined result. An array without blocks raises.

        Examples
        --------
        >>> x = np.arange(1000.0)
        >>> float(cp.blocks(x, 100).reduce(lambda block: cp.sqrt(block**2 + 1).sum()).round(6))
        499504.63322
        >>> float(cp.blocks(x, 100).reduce(cp.max, cp.maximum))
        999.0
        """
        total: Any = _END
        for block in self:
            part = function(block)
            if total is _END:
                total = part
            else:
                total = total + part if combine is None else combine(total, part)
            # Launched here, while the block is there; the next iteration need not wait for it.
            _core.run_pending()
        if total is _END:
            raise ValueError(f"reduce: an array of shape {self.shape} has no blocks along axis {self.axis}")
        return total

    def __repr__(self) -> str:
        return f"<{len(self)} blocks of {self.size} along axis {self.axis}: {self.dtype}, shape {self.shape}>"


def _in_place(block: Any) -> ndarray:
    """Return a block on the CPU: over the source's memory where it has any that can be shared."""
    if isinstance(block, ndarray):
        return block
    if isinstance(block, np.ndarray) and block.dtype.isnative and block.flags.aligned:
        return shared(block, _core.from_dlpack)
    return _core.array(block)


def _over_map(block: Any) -> ndarray:
    """Return a block of a file that this module has mapped, over its pages."""
    if not block.dtype.isnative or not block.flags.aligned:
        return _core.array(block)
    return shared(block, _core.adopt)


class _MappedFile:
    """An `.npy` file mapped into memory, whose pages are asked for ahead and forgotten after use."""

    def __init__(self, path: Any) -> None:
        with open(path, "rb") as file:
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            if version not in read:
                raise ValueError(
                    f"blocks: {os.fspath(path)!r} has version {version} of the npy format, not 1 or 2"
                )
            shape, by_columns, dtype = read[version](file)
            if dtype.hasobject:
                raise ValueError(f"blocks: {os.fspath(path)!r} holds Python objects")
            self._offset = file.tell()
            wanted = self._offset + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            there = os.fstat(file.fileno()).st_size
            if there < wanted:
                raise ValueError(
                    f"blocks: {os.fspath(path)!r} is truncated: {dtype} of shape {shape} needs "
                    f"{wanted} bytes, the file has {there}"
                )
            self._map = mmap.mmap(file.fileno(), max(wanted, 1), access=mmap.ACCESS_READ)
        self._path, self._bytes = os.fspath(path), wanted
        order: Any = "F" if by_columns else "C"
        self.array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, self._map, self._offset, order=order)
        watch(self._map, self.array, self._path)
        self._row = 0 if by_columns or not shape or not shape[0] else self.array.nbytes // shape[0]

    def check(self) -> None:
        """Raise where the file has become shorter: its pages are gone, and touching one ends the process."""
        there = self._map.size()
        if there < self._bytes:
            raise ValueError(
                f"blocks: {self._path!r} was truncated while it was read: it had {self._bytes} bytes "
                f"and has {there}"
            )

    def _advise(self, advice: str, start: int, stop: int) -> None:
        option = getattr(mmap, advice, None)
        if option is None or not self._row or stop <= max(start, 0):
            return
        first = (self._offset + max(start, 0) * self._row) // mmap.PAGESIZE * mmap.PAGESIZE
        self._map.madvise(option, first, self._offset + stop * self._row - first)

    def want(self, start: int, stop: int) -> None:
        """Let the system read rows that will be used."""
        self._advise("MADV_WILLNEED", start, stop)

    def forget(self, start: int, stop: int) -> None:
        """Let go of rows that were used: they stay in the system's cache as long as it has room."""
        self._advise("MADV_DONTNEED", start, stop)


def _mapped(path: Any) -> _MappedFile:
    return _MappedFile(path)


def blocks(
    source: Any,
    size: int | None = None,
    *,
    axis: int = 0,
    read_ahead: int = 2,
    device: Any = None,
    progress: bool | Callable[[int, int], Any] = False,
) -> Blocks:
    """Go through an array in blocks: one that is larger than memory, or than a GPU's.

    The next blocks are read, and moved to the device, while the program works on one. On the CPU the blocks
    of `.npy` files and of NumPy's arrays are not copied: they are read-only where the source is.

    Parameters
    ----------
    source : str, path or array
        The path of an `.npy` file, or anything with `shape`, `dtype` and slices: a NumPy array or map, an
        HDF5 dataset, a Zarr array.
    size : int, optional
        The length of a block along the axis; some 64 MB when None.
    axis : int, optional
        The axis that is split.
    read_ahead : int, optional
        How many blocks are on their way or in use at once.
    device : str or cuda.Device, optional
        Where the blocks go; the current device when None.
    progress : bool or callable, optional
        True shows a line on standard error where that is a terminal; a function is called with the blocks
        and the bytes so far.

    Returns
    -------
    Blocks
        An iterable of arrays, with a length.

    Raises
    ------
    ValueError
        Where the file is shorter than its header says.

    Examples
    --------
    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> np.save(path, np.arange(12.0).reshape(6, 2))
    >>> for block in cp.blocks(path, 4):
    ...     print(block.sum(axis=0))
    [12. 16.]
    [18. 20.]
    """
    return Blocks(source, size, axis, read_ahead, device, progress)

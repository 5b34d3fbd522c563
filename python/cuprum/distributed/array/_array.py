"""Arrays whose elements lie in chunks on several devices of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

import cuprum

from ..._core import ndarray
from . import _linalg
from ._chunk import Chunk, all_of, on, to
from ._indices import Index, normal_map
from ._modes import MAX, MIN, PROD, REPLICA, SUM, Mode, OpMode, mode_of

__all__ = ["DistributedArray", "distributed_array"]


class DistributedArray:
    """An array of several chunks, each on a device. Programs make one with `distributed_array`.

    Chunks may overlap; `mode` tells what the elements that several hold mean. Operations change modes where
    they need to. Operands may be split differently: the second is moved to the places of the first.

    Parameters
    ----------
    shape : tuple of int
        The shape of the whole.
    dtype : dtype
        The dtype.
    chunks_map : dict
        Lists of chunks by the number of their device.
    mode : mode, optional
        What overlaps mean: REPLICA, SUM, PROD, MIN or MAX.

    Examples
    --------
    >>> from cuprum.distributed.array import distributed_array
    >>> a = distributed_array(cp.arange(6), {0: slice(0, 4), 1: slice(2, 6)})
    >>> a.all_chunks()
    {0: [array([0, 1, 2, 3])], 1: [array([2, 3, 4, 5])]}
    >>> a + a
    array([ 0,  2,  4,  6,  8, 10])
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: Any,
        chunks_map: dict[int, list[Chunk]],
        mode: Mode = REPLICA,
    ) -> None:
        self._shape = tuple(shape)
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        self._chunks = chunks_map
        self._mode = mode

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole."""
        return self._shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements of the whole."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def mode(self) -> Mode:
        """What elements mean that several chunks hold: None (REPLICA) for copies, else the operation."""
        return self._mode

    @property
    def devices(self) -> Iterable[int]:
        """The numbers of the devices that hold chunks."""
        return self._chunks.keys()

    @property
    def index_map(self) -> dict[int, list[Index]]:
        """The indices of the chunks by device."""
        return {device: [chunk.index for chunk in chunks] for device, chunks in self._chunks.items()}

    def all_chunks(self) -> dict[int, list[ndarray]]:
        """Return the chunks' arrays by device."""
        return {device: [chunk.array for chunk in chunks] for device, chunks in self._chunks.items()}

    def _replica(self) -> DistributedArray:
        """Return the array in the replica mode: each chunk gets the terms of all, in the order of the chunks.

        The same order everywhere gives all copies of an element the same bits.
        """
        mode = self._mode
        if mode is None:
            return self
        made: dict[int, list[Chunk]] = {}
        for device, chunks in self._chunks.items():
            made[device] = []
            for chunk in chunks:
                whole = Chunk.filled(mode.identity_of(self.dtype), self.dtype, chunk.index, device)
                for other in all_of(self._chunks):
                    whole.take(other, mode)
                made[device].append(whole)
        return DistributedArray(self.shape, self.dtype, made, REPLICA)

    def _in_op_mode(self, mode: OpMode) -> DistributedArray:
        """Return the array in an operation's mode: the last chunk that holds an element keeps it."""
        made = {
            device: [chunk.copy() for chunk in chunks] for device, chunks in self._replica()._chunks.items()
        }
        ordered = list(all_of(made))
        identity = mode.identity_of(self.dtype)
        for at, chunk in enumerate(ordered):
            for later in ordered[at + 1 :]:
                chunk.erase(later.index, identity)
        return DistributedArray(self.shape, self.dtype, made, mode)

    def change_mode(self, mode: Any) -> DistributedArray:
        """Return the array in another mode: itself where it has it.

        Parameters
        ----------
        mode : mode or str
            REPLICA, SUM, PROD, MIN or MAX, or its name.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.change_mode("sum").mode
        sum
        """
        wanted = mode_of(mode)
        if wanted is self._mode:
            return self
        return self._replica() if wanted is None else self._in_op_mode(wanted)

    def reshard(self, index_map: Mapping[int, Any]) -> DistributedArray:
        """Return the array with its elements in other chunks: itself where it has those.

        Parameters
        ----------
        index_map : dict
            An index, or a list of them, for each device.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.reshard({0: slice(0, 2)}).get()
        array([[0., 1.],
               [2., 3.]])
        """
        return self._placed(normal_map(self.shape, index_map))

    def _placed(self, wanted: dict[int, list[Index]]) -> DistributedArray:
        """Return the array with its chunks at these indices, in this order."""
        if wanted == self.index_map:
            return self
        mode = self._mode
        fill = 0 if mode is None else mode.identity_of(self.dtype)
        made = {
            device: [Chunk.filled(fill, self.dtype, index, device) for index in indices]
            for device, indices in wanted.items()
        }
        for chunk in all_of(self._chunks):
            rest = chunk if mode is None else chunk.copy()
            for place in all_of(made):
                place.take(rest, mode)
                if mode is not None:
                    rest.erase(place.index, fill)  # a term is counted once
        return DistributedArray(self.shape, self.dtype, made, mode)

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        """Return the whole as a NumPy array.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.get()
        array([[0., 1.],
               [2., 3.]])
        """
        for name, given, default in (("stream", stream, None), ("order", order, "C"), ("out", out, None)):
            if given != default:
                raise RuntimeError(f"Argument `{name}` not supported")
        whole = self._replica()
        made = np.zeros(self.shape, self.dtype)
        for chunk in all_of(whole._chunks):
            made[chunk.index] = cuprum.asnumpy(chunk.array)
        return made

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        if ufunc.__name__ == "matmul":
            return _linalg.matmul(*inputs, **kwargs)
        function = getattr(cuprum, ufunc.__name__, None)
        return NotImplemented if function is None else elementwise(function, inputs, kwargs)

    def __cupy_override_elementwise_kernel__(self, kernel: Any, *args: Any, **kwargs: Any) -> Any:
        """Run an elementwise kernel over the chunks: what kernels of CuPy call."""
        return elementwise(kernel, args, kwargs)

    def _reduced(
        self, mode: OpMode, axis: Any, out: Any, keepdims: bool, dtype: Any = None, name: str | None = None
    ) -> DistributedArray:
        name = name or mode.name
        if out is not None:
            raise RuntimeError(f"{name}: Argument `out` is not supported")
        given = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = set()
        for one in given:
            if not -self.ndim <= one < self.ndim:
                raise np.exceptions.AxisError(one, self.ndim, name)
            axes.add(one % self.ndim)
        # An element that several chunks hold must be counted once.
        source = self.change_mode(mode)
        options: dict[str, Any] = {"axis": tuple(sorted(axes)), "keepdims": keepdims}
        if dtype is not None:
            options["dtype"] = dtype
        kept = [at for at in range(self.ndim) if keepdims or at not in axes]
        made: dict[int, list[Chunk]] = {}
        kind = self.dtype
        for device, chunks in source._chunks.items():
            made[device] = []
            for chunk in chunks:
                with on(device):
                    array = getattr(cuprum, name)(chunk.array, **options)
                kind = array.dtype
                index = tuple(slice(0, 1, 1) if at in axes else chunk.index[at] for at in kept)
                made[device].append(Chunk(array, index, device))
        shape = tuple(1 if at in axes else self.shape[at] for at in kept)
        return DistributedArray(shape, kind, made, mode)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the sum over axes, in the mode SUM.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.sum(axis=0).get()
        array([2., 4.])
        """
        return self._reduced(SUM, axis, out, keepdims, dtype)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the product over axes, in the mode PROD.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.prod(axis=0).get()
        array([0., 3.])
        """
        return self._reduced(PROD, axis, out, keepdims, dtype)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the maximum over axes, in the mode MAX.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.max(axis=0).get()
        array([2., 3.])
        """
        return self._reduced(MAX, axis, out, keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the minimum over axes, in the mode MIN.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.min(axis=0).get()
        array([0., 1.])
        """
        return self._reduced(MIN, axis, out, keepdims)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return whether any element is true over axes, in the mode MAX.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> bool(a.any().get())
        True
        """
        return elementwise(cuprum.not_equal, (self, 0), {})._reduced(MAX, axis, out, keepdims, name="any")

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return whether all elements are true over axes, in the mode MIN.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> bool(a.all().get())
        False
        """
        return elementwise(cuprum.not_equal, (self, 0), {})._reduced(MIN, axis, out, keepdims, name="all")

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the mean over axes.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.mean(axis=0).get()
        array([1., 2.])
        """
        exact = self.dtype.kind in "biu" and dtype is None
        total = self._reduced(SUM, axis, out, keepdims, np.float64 if exact else dtype)
        return elementwise(cuprum.divide, (total, self.size // max(total.size, 1)), {})

    def ptp(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the range of the elements over axes.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.ptp(axis=0).get()
        array([2., 2.])
        """
        return elementwise(
            cuprum.subtract, (self.max(axis, out, keepdims), self.min(axis, out, keepdims)), {}
        )

    def _each(self, change: Callable[[ndarray], ndarray], order: Iterable[int] | None = None) -> Any:
        """Return the array whose chunks a function has changed, with its axes in another order."""
        places = list(range(self.ndim)) if order is None else list(order)
        made: dict[int, list[Chunk]] = {}
        dtype: Any = self.dtype
        for device, chunks in self._chunks.items():
            made[device] = []
            for chunk in chunks:
                with on(device):
                    array = change(chunk.array)
                dtype = array.dtype
                made[device].append(Chunk(array, tuple(chunk.index[at] for at in places), device))
        return DistributedArray(tuple(self.shape[at] for at in places), dtype, made, self._mode)

    def copy(self, order: str = "C") -> Any:
        """Return an array with memory of its own.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.copy().get()
        array([[0., 1.],
               [2., 3.]])
        """
        return self._each(lambda array: array.copy())

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the array in another dtype.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.astype(cp.float32).dtype.name
        'float32'
        """
        return self._replica()._each(lambda array: array.astype(dtype))

    def round(self, decimals: int = 0) -> Any:
        """Return the elements rounded to so many decimals.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.round().get()
        array([[0., 1.],
               [2., 3.]])
        """
        return self._replica()._each(lambda array: array.round(decimals))

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """Return the elements, no smaller and no larger than two numbers.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.clip(1, 2).get()
        array([[1., 1.],
               [2., 2.]])
        """
        return self._replica()._each(lambda array: array.clip(min, max))

    def conj(self) -> Any:
        """Return the complex conjugates.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.conj().get()
        array([[0., 1.],
               [2., 3.]])
        """
        return self._replica()._each(lambda array: array.conj())

    conjugate = conj

    @property
    def real(self) -> Any:
        """The real parts."""
        return self._replica()._each(lambda array: array.real.copy())

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return self._replica()._each(lambda array: array.imag.copy())

    def transpose(self, *axes: Any) -> Any:
        """Return the array with its axes in another order: reversed where none is given.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.transpose().get()
        array([[0., 2.],
               [1., 3.]])
        """
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        wanted = tuple(reversed(range(self.ndim))) if given is None else tuple(given)
        if any(not -self.ndim <= one < self.ndim for one in wanted):
            raise np.exceptions.AxisError(f"transpose: axes {wanted} of an array of dimension {self.ndim}")
        places = [one % self.ndim for one in wanted]
        if sorted(places) != list(range(self.ndim)):
            raise ValueError(f"transpose: axes {wanted} do not match an array of dimension {self.ndim}")
        return self._each(lambda array: array.transpose(places), places)

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The array with its axes reversed."""
        return self.transpose()

    @property
    def mT(self) -> Any:  # noqa: N802 - NumPy's name
        """The array with its last two axes swapped."""
        return self.swapaxes(-1, -2)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Return the array with two axes swapped.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.swapaxes(0, 1).get()
        array([[0., 2.],
               [1., 3.]])
        """
        for one in (axis1, axis2):
            if not -self.ndim <= one < self.ndim:
                raise np.exceptions.AxisError(one, self.ndim, "swapaxes")
        places = list(range(self.ndim))
        places[axis1], places[axis2] = places[axis2], places[axis1]
        return self.transpose(places)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of the whole, without what overlaps."""
        return self.size * self.itemsize

    def tolist(self) -> Any:
        """Return the whole as nested lists.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.tolist()
        [[0.0, 1.0], [2.0, 3.0]]
        """
        return self.get().tolist()

    def item(self, *args: Any) -> Any:
        """Return an element as a Python number.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.item(3)
        3.0
        """
        return self.get().item(*args)

    def tobytes(self, order: Any = "C") -> bytes:
        """Return the bytes of the whole.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> len(a.tobytes())
        32
        """
        made: bytes = self.get().tobytes(order)
        return made

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __matmul__(self, other: Any) -> Any:
        return _linalg.matmul(self, other) if isinstance(other, DistributedArray) else NotImplemented

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    __hash__ = None  # type: ignore[assignment]


def _operator(function: str, reflected: bool = False) -> Callable[..., Any]:
    def operator(self: DistributedArray, *others: Any) -> Any:
        if not all(isinstance(one, (DistributedArray, *_NUMBERS)) for one in others):
            return NotImplemented
        operands = (*others, self) if reflected else (self, *others)
        return elementwise(getattr(cuprum, function), operands, {})

    return operator


_NUMBERS = (bool, int, float, complex, np.generic)

for _name, _function in {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "left_shift", "rshift": "right_shift",
}.items():  # fmt: skip
    setattr(DistributedArray, f"__{_name}__", _operator(_function))
    setattr(DistributedArray, f"__r{_name}__", _operator(_function, reflected=True))
for _name, _function in {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert",
}.items():  # fmt: skip
    setattr(DistributedArray, f"__{_name}__", _operator(_function))


def elementwise(function: Any, args: Iterable[Any], kwargs: Mapping[str, Any]) -> DistributedArray:
    """Return a function of arrays chunk by chunk; operands go to the places of the first."""
    operands = list(args)
    if any(value is not None for value in kwargs.values()):
        raise RuntimeError(f"Keyword arguments are not supported for distributed arrays: {', '.join(kwargs)}")
    first = next(one for one in operands if isinstance(one, DistributedArray))._replica()
    for at, one in enumerate(operands):
        if isinstance(one, DistributedArray):
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
                one._chunks[device][at].array if isinstance(one, DistributedArray) else one
                for one in operands
            ]
            with on(device):
                array = function(*parts)
            if not isinstance(array, ndarray):
                raise RuntimeError("Kernels returning other than single array are not supported")
            dtype = array.dtype
            made[device].append(Chunk(array, chunk.index, device))
    return DistributedArray(first.shape, dtype, made, REPLICA)


def distributed_array(array: Any, index_map: Mapping[int, Any], mode: Any = REPLICA) -> DistributedArray:
    """Return an array whose chunks lie on several devices. Elements that no chunk holds are lost.

    Parameters
    ----------
    array : array_like or DistributedArray
        The values.
    index_map : dict
        An index, or a list of them, for each device, by its number: integers and slices with positive steps.
    mode : mode, optional
        What overlaps mean: REPLICA, SUM, PROD, MIN or MAX.

    Returns
    -------
    DistributedArray

    Examples
    --------
    >>> from cuprum.distributed.array import distributed_array
    >>> a = distributed_array(
    ...     cp.arange(9).reshape(3, 3), {0: [(slice(2), slice(2)), slice(2, 3)], 1: (slice(0, 2), 2)}
    ... )
    >>> a.all_chunks()[1]
    [array([[2],
           [5]])]
    """
    if isinstance(array, DistributedArray):
        return array.change_mode(mode).reshard(index_map)
    source = array if isinstance(array, ndarray) else np.asarray(array)
    wanted = normal_map(tuple(source.shape), index_map)
    made = {}
    for device, indices in wanted.items():
        # Memory of its own: what is written to `array` later does not show here.
        made[device] = [Chunk(to(device, source[index].copy()), index, device) for index in indices]
    whole = DistributedArray(tuple(source.shape), source.dtype, made, REPLICA)
    return whole.change_mode(mode)

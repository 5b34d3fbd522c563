"""Arrays whose elements lie in chunks on several devices of one process, and how one is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

import cuprum

from ..._core import ndarray
from . import _linalg
from ._chunk import Chunk, all_of, on, to
from ._elementwise import elementwise
from ._indices import normal_map
from ._modes import REPLICA
from ._reductions import ReducibleArray

__all__ = ["DistributedArray", "distributed_array"]


class DistributedArray(ReducibleArray):
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

    _is_distributed = True
    """What `asnumpy` asks for: the whole is had by `get`."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if cuprum.cuda.is_available():
            raise TypeError("a distributed array of GPUs is no NumPy array: use get() or asnumpy")
        if copy is False:
            raise ValueError("__array__: the whole of a distributed array is put together, which is a copy")
        return self.get().astype(dtype, copy=False)

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
        return type(self)(tuple(self.shape[at] for at in places), dtype, made, self._mode)

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
        # Arrays that are not distributed are refused with a word on how to make them so.
        if not all(isinstance(one, _OPERANDS) for one in others):
            return NotImplemented
        operands = (*others, self) if reflected else (self, *others)
        return elementwise(getattr(cuprum, function), operands, {})

    return operator


_OPERANDS = (DistributedArray, bool, int, float, complex, np.generic, ndarray, np.ndarray)

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
    >>> a = distributed_array(cp.arange(9).reshape(3, 3), {0: [slice(2), slice(2, 3)]})
    >>> a.all_chunks()[0]
    [array([[0, 1, 2],
           [3, 4, 5]]), array([[6, 7, 8]])]

    With a second GPU, ``{0: slice(2), 1: slice(2, 3)}`` puts the last row there.
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

"""The base of generators: one bit generator, uniform numbers, integers and bytes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .._convert import as_array
from .._core import ndarray
from .._creation.to_host import asnumpy
from ._bit_generators import BitGenerator
from ._sequential import Sequential

# Integers beyond every dtype; larger ones are refused as these are.
_MAX_BOUND = 1 << 100


def _is_array(x: Any) -> bool:
    return isinstance(x, (ndarray, np.ndarray, list, tuple))


class Draws:
    """Draw from a bit generator; what distributions, arrangements and generators build on."""

    _bit_generator: BitGenerator
    # Whether uniform numbers come from the light cipher, whose numbers are not NumPy's.
    _light = False
    # Whether any dtype may be asked for, as of CuPy's functions, or float64 and float32 alone.
    _casts = False

    @property
    def _stream(self) -> Any:
        return self._bit_generator._stream

    @property
    def _is_sequential(self) -> bool:
        """Whether draws are NumPy's, by one of its sequential generators."""
        return isinstance(self._bit_generator, Sequential)

    # Whether they are those of NumPy's RandomState.
    _is_legacy = False

    def _orders(self, rows: int, n: int) -> ndarray:
        """Return random orders of `n` positions, one a row."""
        orders: ndarray = self._stream.orders(rows, n, 1 if self._is_sequential else None)
        return orders

    def _draw(
        self, name: str, parameters: tuple[Any, ...], size: Any, dtype: Any = None, light: bool = False
    ) -> ndarray:
        """Return draws of a continuous distribution in float64 or float32."""
        if size is None and not parameters:
            size = ()
        exact = dtype is None or np.dtype(dtype).char in "df" or name in ("normal", "uniform")
        casts = not exact and self._casts and bool(parameters)
        drawn: ndarray = self._stream.draw(name, list(parameters), size, None if casts else dtype, light)
        return drawn.astype(dtype) if casts else drawn

    def _count(self, name: str, parameters: tuple[Any, ...], size: Any, dtype: Any) -> ndarray:
        """Return draws of a discrete distribution, as int64 or cast to another dtype."""
        drawn: ndarray = self._stream.draw(name, list(parameters), size, None, False)
        return drawn if dtype is None else drawn.astype(dtype, copy=False)

    def _integers(self, low: Any, high: Any, size: Any, dtype: Any, endpoint: Any) -> ndarray:
        """Return bounded integers."""
        if high is None:
            low, high = 0, low
        dtype = np.dtype(dtype)
        if dtype.kind not in "biu":
            raise TypeError(f"integers: unsupported dtype {dtype} for integers")
        if not dtype.isnative:
            raise ValueError(f"integers: byteorder of {dtype} is not native")
        arrays = [as_array(bound) if _is_array(bound) else bound for bound in (low, high)]
        if any(isinstance(bound, ndarray) and bound.ndim > 0 for bound in arrays):
            bounds = [as_array(bound) for bound in arrays]
            drawn: ndarray = self._stream.integers_between(*bounds, bool(endpoint), size, dtype)
            return drawn
        first, last = (max(-_MAX_BOUND, min(_MAX_BOUND, int(bound))) for bound in arrays)
        last -= not endpoint
        drawn = self._stream.integers(first, last, () if size is None else size, dtype)
        return drawn

    def bytes(self, length: int) -> bytes:
        """Return random bytes: NumPy's, bit for bit.

        Parameters
        ----------
        length : int
            How many.

        Returns
        -------
        bytes
            The bytes.

        Examples
        --------
        >>> len(cp.random.default_rng(1).bytes(10))
        10
        """
        length = operator.index(length)
        if length < 0:
            raise ValueError(f"bytes: length must be non-negative, got {length}")
        # NumPy draws once even where no byte is asked for.
        words = self._stream.integers(0, 2**32 - 1, (max((length + 3) // 4, 1),), np.uint32)
        return asnumpy(words).astype("<u4").tobytes()[:length]


def filled(op: str, out: Any, size: Any, dtype: Any, draw: Callable[[Any], ndarray]) -> ndarray:
    """Return `draw(shape)`, stored into `out` where that is given; `out` and `size` must agree."""
    if out is None:
        return draw(() if size is None else size)
    if not isinstance(out, ndarray):
        raise TypeError(f"{op}: out must be an array, got {type(out).__name__}")
    dense = out.flags.c_contiguous or out.flags.f_contiguous
    if not (dense and out.flags.writeable):
        raise ValueError(f"{op}: supplied output array is not contiguous, writable or aligned")
    if out.dtype != np.dtype(dtype):
        raise TypeError(
            f"{op}: supplied output array has the wrong type: expected {np.dtype(dtype)}, got {out.dtype}"
        )
    if size is not None:
        shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
        if shape != out.shape:
            raise ValueError(
                f"{op}: size must match out.shape when used together, got {size} and {out.shape}"
            )
    # The numbers go into memory one after another.
    target = out if out.flags.c_contiguous else out.T
    target[...] = draw(target.shape)
    return out


def whole(op: str, name: str, value: Any) -> Any:
    """Return a number without its fraction; arrays must hold integers, as in NumPy."""
    if not _is_array(value):
        number = int(value)
        if not -(2**63) <= number < 2**63:
            raise OverflowError(f"{op}: {name} must fit 64 bits, got {number}")
        return number
    array = as_array(value)
    if array.ndim == 0:
        return whole(op, name, array.item())
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "biu" or array.dtype == np.uint64:
        raise TypeError(f"{op}: {name} must hold integers of at most 64 signed bits, got {array.dtype}")
    return array

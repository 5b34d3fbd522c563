"""Numbers of the other order of bytes: they convert wherever they are read or written."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from ._array import StoredArray

__all__ = ["SwappedArray"]


def reversed_bytes(data: ndarray, dtype: np.dtype[Any]) -> ndarray:
    """Return the bytes of each number in the other order, in new memory."""
    if dtype.kind == "c":
        half = dtype.itemsize // 2
        dense = data if data.flags.c_contiguous else data.copy()
        parts = dense.reshape((*data.shape[:-1], 2, half))[..., ::-1]
        return parts.copy().reshape(data.shape)
    return data[..., ::-1].copy()


class SwappedArray(StoredArray):
    """An array of numbers in the other order of bytes: computing with it gives plain arrays."""

    __slots__ = ()

    def native(self) -> ndarray:
        """Return the numbers as a plain array."""
        swapped: ndarray = reversed_bytes(self._bytes, self._dtype)
        return swapped.view(self._dtype.newbyteorder("="))[..., 0]

    def __cupy_get_ndarray__(self) -> ndarray:
        return self.native()

    def _of_numbers(self, numbers: ndarray) -> StoredArray:
        native = numbers.astype(self._dtype.newbyteorder("="))
        dense = native if native.flags.c_contiguous else native.copy()
        data = dense.reshape((*numbers.shape, 1)).view(np.uint8)
        made: StoredArray = self._like(reversed_bytes(data, self._dtype))
        return made

    def _converted(self, value: Any) -> StoredArray:
        if isinstance(value, SwappedArray) and value._dtype != self._dtype:
            return self._of_numbers(value.native())
        return super()._converted(value)

    def byteswap(self, inplace: bool = False) -> Any:
        """Return the elements with their bytes in the other order, of the same dtype."""
        data = reversed_bytes(self._bytes, self._dtype)
        if not inplace:
            return self._like(data)
        self._bytes[...] = data
        return self

    def _cast(self, target: np.dtype[Any]) -> Any:
        native = self.native()
        if target.isnative and target.kind in "biufc":
            return native.astype(target)
        from ._making import stored_of

        return stored_of(self._bytes, target)._of_numbers(native)

    def _compared(self, other: Any, differ: bool) -> Any:
        return _computed(operator.ne if differ else operator.eq, False)(self, other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        plain = [x.native() if isinstance(x, SwappedArray) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **keywords)

    def __getattr__(self, name: str) -> Any:
        # What is computed is computed with the numbers: sums, means, sorted copies.
        if name.startswith("_") or not hasattr(_core.ndarray, name):
            raise AttributeError(f"array of dtype {self._dtype} has no attribute {name!r}")
        return getattr(self.native(), name)


def _plain(value: Any) -> Any:
    return value.native() if isinstance(value, SwappedArray) else value


def _computed(function: Callable[..., Any], reflected: bool) -> Callable[..., Any]:
    def method(self: SwappedArray, *others: Any) -> Any:
        operands = [self.native(), *(_plain(other) for other in others)]
        return function(*(reversed(operands) if reflected else operands))

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor"):
    _function = getattr(operator, _name)
    _plain_name = _name.rstrip("_")
    setattr(SwappedArray, f"__{_plain_name}__", _computed(_function, False))
    setattr(SwappedArray, f"__r{_plain_name}__", _computed(_function, True))
for _name in ("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
    setattr(SwappedArray, f"__{_name}__", _computed(getattr(operator, _name), False))

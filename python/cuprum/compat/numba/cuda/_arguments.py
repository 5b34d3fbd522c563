"""`In`, `Out` and `InOut`: which way a host array travels at a launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuprum.jit._arguments import Gathered, gather_one, kind_of
from cuprum.jit._types import Type

__all__ = ["In", "InOut", "Out"]


class InOut:
    """An array that is copied to the device before the launch and back after it, as host arrays are
    anyway.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __cuprum_argument__(self, to: Gathered) -> Any:
        return gather_one(self.value, to)

    def __cuprum_kind__(self) -> Type:
        return kind_of(self.value, Gathered(True, not isinstance(self.value, np.ndarray), _no_number))


class Out(InOut):
    """An array that the kernel fills: what it held is of no interest."""


class In(InOut):
    """An array that the kernel only reads: it is not copied back."""

    def __cuprum_argument__(self, to: Gathered) -> Any:
        before = len(to.back)
        key = gather_one(self._copied(to), to)
        del to.back[before:]
        return key

    def _copied(self, to: Gathered) -> Any:
        # On the CPU kernels work in the host's own memory, which this argument must not change.
        if isinstance(self.value, np.ndarray) and not to.gpu:
            return self.value.copy()
        return self.value

    def __cuprum_kind__(self) -> Type:
        value = self.value.copy() if isinstance(self.value, np.ndarray) else self.value
        return kind_of(value, Gathered(True, False, _no_number))


def _no_number(value: Any) -> Any:
    raise TypeError("In, Out and InOut take arrays")

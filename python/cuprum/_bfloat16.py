"""The dtype object that stands for bfloat16.

NumPy has no bfloat16. Where `ml_dtypes` is installed its dtype is used, so that arrays convert both ways;
otherwise a small stand-in with the attributes that programs read from a dtype.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
from typing import Any

import numpy as np


class BFloat16DType:
    """A dtype-like object for bfloat16: the upper half of a float32, with 8 bits of precision.

    There is one instance, `cuprum.bfloat16`. It compares equal to itself and to the string "bfloat16".

    Examples
    --------
    >>> cp.ones(2, dtype=cp.bfloat16).dtype.name
    'bfloat16'
    """

    __slots__ = ()

    name = "bfloat16"
    kind = "f"
    char = "E"
    str = "bfloat16"
    num = -1
    itemsize = 2
    alignment = 2
    byteorder = "="
    type = np.floating
    isnative = True
    isbuiltin = 0
    hasobject = False
    fields = None
    names = None
    shape = ()
    ndim = 0
    subdtype = None

    _instance: BFloat16DType | None = None

    def __new__(cls) -> BFloat16DType:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @property
    def base(self) -> BFloat16DType:
        return self

    def newbyteorder(self, new_order: builtins.str = "S", /) -> BFloat16DType:
        """Return this dtype: bfloat16 arrays are always in the machine's byte order."""
        return self

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, str) and other == self.name)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> builtins.str:
        return "dtype(bfloat16)"

    def __str__(self) -> builtins.str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return BFloat16DType, ()


def _find() -> Any:
    if importlib.util.find_spec("ml_dtypes") is None:
        return BFloat16DType()
    return np.dtype(importlib.import_module("ml_dtypes").bfloat16)


bfloat16: Any = _find()

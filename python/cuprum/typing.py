"""Types for annotations: what `numpy.typing` and `cupy.typing` have, for arrays of Cuprum."""

from __future__ import annotations

import typing as _t
from types import GenericAlias as _GenericAlias

import numpy as _np
from numpy.typing import ArrayLike as _HostArrayLike
from numpy.typing import DTypeLike as _HostDTypeLike
from numpy.typing import NBitBase

from ._bfloat16 import BFloat16DType as _BFloat16DType
from ._core import ndarray as _ndarray

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]

_Scalar = _t.TypeVar("_Scalar", bound=_np.generic)

ArrayLike: _t.TypeAlias = _t.Union[_ndarray, _HostArrayLike]  # noqa: UP007 - evaluated, and NumPy's may be a string
"""Whatever an array is made of: arrays of Cuprum and NumPy, numbers, nested sequences of them."""

DTypeLike: _t.TypeAlias = _t.Union[_BFloat16DType, _HostDTypeLike]  # noqa: UP007 - as above
"""Whatever names a dtype: a dtype, a scalar type, a string such as "float32"."""

if _t.TYPE_CHECKING:
    NDArray: _t.TypeAlias = _ndarray[tuple[int, ...], _np.dtype[_Scalar]]
else:
    NDArray = _GenericAlias(_ndarray, (_t.Any, _Scalar))
    """An array of Cuprum with elements of one dtype: `NDArray[numpy.float32]`."""

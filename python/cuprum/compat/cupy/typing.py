"""Types for annotations, as `cupy.typing` has them."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, TypeVar

from numpy import generic
from numpy.typing import ArrayLike, DTypeLike, NBitBase

import cuprum

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]

_Scalar = TypeVar("_Scalar", bound=generic, covariant=True)

NDArray = GenericAlias(cuprum.ndarray, (Any, _Scalar))
"""An array of Cuprum: `NDArray[numpy.float32]`."""

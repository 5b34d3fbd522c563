"""Types of arguments that many functions share. For annotations alone: no program imports it when it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex, TypeAlias, Union

from .typing import ArrayLike, DTypeLike

__all__ = ["ArrayLike", "AxisLike", "Casting", "DTypeLike", "FFTNorm", "Order", "OrderCF", "ShapeLike"]

ShapeLike: TypeAlias = Union[SupportsIndex, Sequence[SupportsIndex]]  # noqa: UP007 - evaluated on Python 3.10
AxisLike: TypeAlias = Union[SupportsIndex, Sequence[SupportsIndex]]  # noqa: UP007 - as above
Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
FFTNorm: TypeAlias = Literal["backward", "ortho", "forward"]
Order: TypeAlias = Literal["C", "F", "A", "K"]
OrderCF: TypeAlias = Literal["C", "F"]

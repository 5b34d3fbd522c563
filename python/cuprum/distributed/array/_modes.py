"""What elements mean that several chunks hold: copies of one value, or terms of it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

import cuprum

__all__ = ["MAX", "MIN", "PROD", "REPLICA", "SUM", "Mode"]


class OpMode:
    """A mode in which an element is an operation over all chunks that hold it."""

    def __init__(self, name: str, function: str) -> None:
        self.name = name
        self.function = function

    def combine(self, a: Any, b: Any) -> Any:
        """Return the operation on two arrays."""
        return getattr(cuprum, self.function)(a, b)

    def identity_of(self, dtype: Any) -> Any:
        """Return the value that changes nothing."""
        dtype = np.dtype(dtype)
        if self.name in ("sum", "prod"):
            return dtype.type(self.name == "prod")
        if dtype.kind == "b":
            return dtype.type(self.name == "min")
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            return dtype.type(limits.max if self.name == "min" else limits.min)
        if dtype.kind == "f":
            return dtype.type(np.inf if self.name == "min" else -np.inf)
        raise RuntimeError(f"mode {self.name!r} is not defined for {dtype}")

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name.upper()


Mode = OpMode | None
"""A mode: one of the constants below."""

REPLICA: Final[None] = None
MIN = OpMode("min", "minimum")
MAX = OpMode("max", "maximum")
SUM = OpMode("sum", "add")
PROD = OpMode("prod", "multiply")

_BY_NAME: dict[str, Mode] = {"replica": REPLICA, "min": MIN, "max": MAX, "sum": SUM, "prod": PROD}


def mode_of(given: Any) -> Mode:
    """Return a mode by its constant or its name."""
    if given is None or isinstance(given, OpMode):
        return given
    if isinstance(given, str) and given in _BY_NAME:
        return _BY_NAME[given]
    raise ValueError(f"no mode {given!r}: it is {', '.join(_BY_NAME)}")

"""Names that NumPy 2 has given up and CuPy still has."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum
from cuprum.exceptions import (
    AxisError,
    ComplexWarning,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)

__all__ = [
    "AxisError",
    "ComplexWarning",
    "Inf",
    "Infinity",
    "ModuleDeprecationWarning",
    "NAN",
    "NINF",
    "NZERO",
    "NaN",
    "PINF",
    "PZERO",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
    "alltrue",
    "asfarray",
    "cfloat",
    "complex_",
    "cumproduct",
    "disable_experimental_feature_warning",
    "float_",
    "infty",
    "msort",
    "product",
    "round_",
    "row_stack",
    "show_config",
    "singlecomplex",
    "sometrue",
    "trapz",
]

Inf = Infinity = PINF = infty = np.inf
NINF = -np.inf
NAN = NaN = np.nan
PZERO, NZERO = 0.0, -0.0
float_ = np.float64
complex_ = cfloat = np.complex128
singlecomplex = np.complex64
disable_experimental_feature_warning = False

alltrue = cuprum.all
sometrue = cuprum.any
product = cuprum.prod
cumproduct = cuprum.cumprod
round_ = cuprum.around
row_stack = cuprum.vstack
trapz = cuprum.trapezoid


def msort(a: Any) -> Any:
    """Return a copy of an array sorted along its first axis."""
    return cuprum.sort(a, axis=0)


def asfarray(a: Any, dtype: Any = np.float64) -> Any:
    """Return an array of floating-point numbers; a dtype that holds none becomes float64."""
    inexact = np.issubdtype(np.dtype(dtype), np.inexact)
    return cuprum.asarray(a, dtype=dtype if inexact else np.float64)


def show_config(*, _full: bool = False) -> None:
    """Print what Cuprum runs on."""
    from cuprum.cli import _info

    print(_info.text())

"""The part of Numba's core that programs with kernels name: its errors and its types."""

from __future__ import annotations

from .. import types
from ..cuda import config
from . import errors

__all__ = ["config", "errors", "types"]

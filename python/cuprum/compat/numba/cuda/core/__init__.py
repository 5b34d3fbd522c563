"""What programs with kernels name of Numba's core: its errors and its settings."""

from __future__ import annotations

from . import config, errors

__all__ = ["config", "errors"]

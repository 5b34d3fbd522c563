"""The names of Numba's driver layer that programs use: the class of device arrays, and its errors."""

from __future__ import annotations

from . import devicearray, driver, error

__all__ = ["devicearray", "driver", "error"]

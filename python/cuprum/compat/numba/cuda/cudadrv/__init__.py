"""The names of Numba's driver layer that programs use: arrays, memory, devices, errors."""

from __future__ import annotations

from . import devicearray, devices, driver, error, runtime

__all__ = ["devicearray", "devices", "driver", "error", "runtime"]

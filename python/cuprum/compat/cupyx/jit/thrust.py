"""Thrust's algorithms in kernels: each thread does its own."""

from __future__ import annotations

from cuprum.jit._device_thrust import THRUST_NAMES as _NAMES

globals().update(_NAMES)

__all__ = sorted(_NAMES)

"""Devices and their contexts, under the name of Numba's module."""

from __future__ import annotations

from .._devices import Device, close, gpus, require_context
from .._devices import current_context as get_context

__all__ = ["Device", "get_context", "gpus", "require_context", "reset"]


def reset() -> None:
    """Wait for all work and give back memory that nobody uses; arrays stay valid."""
    close()

"""Importing this makes the first device's own context the thread's: `device` and `context` are those."""

from __future__ import annotations

from .autoinit import context, device

__all__ = ["context", "device"]

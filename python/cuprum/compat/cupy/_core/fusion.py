"""`cupy._core.fusion`: the decorator `fuse`."""

from __future__ import annotations

from cuprum import fuse

__all__ = ["fuse"]

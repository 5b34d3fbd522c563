"""`cupy._core.dlpack`: arrays to and from DLPack's capsules."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum import from_dlpack, ndarray

__all__ = ["fromDlpack", "from_dlpack", "toDlpack"]


def toDlpack(array: ndarray) -> Any:
    """Return an array as a DLPack capsule."""
    return array.toDlpack()


def fromDlpack(dltensor: Any) -> ndarray:
    """Return the array of a DLPack capsule, or of an object that gives one."""
    return cuprum.fromDlpack(dltensor)

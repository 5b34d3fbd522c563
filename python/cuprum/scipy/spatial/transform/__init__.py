"""Rotations in space, under the names of `scipy.spatial.transform`."""

from __future__ import annotations

from ..._missing import explained as _explained
from ._rotation import Rotation
from ._slerp import Slerp

__all__ = ["Rotation", "Slerp"]

__getattr__ = _explained(
    __name__,
    {
        "RotationSpline": "use Slerp",
        "RigidTransform": "use a Rotation and a translation",
    },
)

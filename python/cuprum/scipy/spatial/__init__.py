"""Neighbours, distances, triangulations and rotations, under the names of `scipy.spatial`."""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from . import distance
from ._delaunay import ConvexHull, Delaunay, QhullError, tsearch
from ._distances import distance_matrix
from ._kdtree import KDTree, cKDTree
from ._minkowski import minkowski_distance, minkowski_distance_p

_SUBMODULES = ("distance", "transform")

__all__ = [
    "ConvexHull",
    "Delaunay",
    "KDTree",
    "QhullError",
    "cKDTree",
    "distance",
    "distance_matrix",
    "minkowski_distance",
    "minkowski_distance_p",
    "tsearch",
]


def __getattr__(name: str) -> _Any:
    if name == "transform":
        return _importlib.import_module(f"{__name__}.transform")
    said = f"module {__name__!r} has no attribute {name!r}"
    if name in ("Voronoi", "SphericalVoronoi", "HalfspaceIntersection"):
        said += (
            "; Delaunay and ConvexHull of the plane are here, the rest is in scipy.spatial for NumPy arrays"
        )
    elif not name.startswith("_"):
        said += f"; it has {', '.join(__all__)} and transform"
    raise AttributeError(said)

"""Delaunay triangulations and convex hulls in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch, texts
from ._kdtree import KDTree, _spread

__all__ = ["ConvexHull", "Delaunay", "QhullError", "tsearch"]

kernel = texts(__file__)

_NONE = np.iinfo(np.int32).max


class QhullError(RuntimeError):
    """Points that span no area have no triangulation."""


def _plane_points(op: str, points: Any) -> ndarray:
    array = as_array(points)
    if array.dtype.kind == "c":
        raise ValueError(f"{op}: complex points are not supported")
    if array.ndim != 2:
        raise ValueError(f"{op}: `points` should be a 2-dimensional array, got shape {array.shape}")
    if array.shape[1] != 2:
        raise NotImplementedError(
            f"{op}: only points of the plane are triangulated, got {array.shape[1]} coordinates; "
            "NearestNDInterpolator and RBFInterpolator work with any number"
        )
    array = cp.ascontiguousarray(array, dtype=np.float64)
    if not bool(cp.isfinite(array).all()):
        raise ValueError(f"{op}: Points cannot contain NaN or infinity")
    if array.shape[0] < 3:
        raise QhullError(f"{op}: at least 3 points are needed, got {array.shape[0]}")
    return array


def _distinct(points: ndarray) -> tuple[ndarray, ndarray]:
    """Return where distinct points are, in lexicographic order, and which of them each point equals."""
    by = cp.lexsort((points[:, 1], points[:, 0]))
    ordered = points[by]
    new = cp.concatenate((cp.array([True]), (ordered[1:] != ordered[:-1]).any(1)))
    which = cp.empty(points.shape[0], np.int64)
    which[by] = cp.cumsum(new) - 1
    return by[new], which


def _first_triangle(op: str, xy: ndarray) -> list[int]:
    """Return three points that span an area, counter-clockwise."""
    away = xy - xy[0]
    second = int(cp.argmax((away**2).sum(1)))
    along = away[second]
    areas = along[0] * away[:, 1] - along[1] * away[:, 0]
    third = int(cp.argmax(abs(areas)))
    area, extent = float(areas[third]), float((along**2).sum())
    if abs(area) <= 1e-15 * extent:
        raise QhullError(f"{op}: the points lie on a line and span no area")
    return [0, second, third] if area > 0 else [0, third, second]


def _of_moderate_size(xy: ndarray) -> ndarray:
    """Return points times a power of two, where products of coordinates could leave the range of floats."""
    largest = float(abs(xy).max())
    if largest == 0 or 1e-30 < largest < 1e30:
        return xy
    return xy * 2.0 ** -int(np.log2(largest))


def _insertion_order(xy: ndarray) -> ndarray:
    """Return the order in which points are inserted one by one.

    They come in rounds of about twice as many points each, drawn by a fixed hash, and within a round along
    a curve: neighbours in the order are neighbours in the plane, and no arrangement of points is slow.
    """
    low, extent = xy.min(0), xy.max(0) - xy.min(0)
    cells = ((xy - low) * (65535 / cp.where(extent == 0, 1.0, extent))).astype(np.int64)
    code = _spread(cp.clip(cells, 0, 65535), 2, 16)
    drawn = (cp.arange(1, xy.shape[0] + 1) * 2654435761) % (1 << 32)
    rounds = int(np.log2(max(xy.shape[0] // 64, 1)))
    round_of = cp.minimum(32 - cp.ceil(cp.log2(drawn + 1.0)), rounds).astype(np.int64)
    return cp.argsort(((rounds - round_of) << 32) + code, kind="stable").astype(np.int32)


class _Triangulation:
    """Triangles over distinct points, with one vertex at infinity."""

    def __init__(self, op: str, xy: ndarray) -> None:
        self.xy, self.n = _of_moderate_size(xy), xy.shape[0]
        corners = _first_triangle(op, self.xy)
        if xy.device != "cpu" or not self._insert_all(corners):
            self._insert_many(corners)

    def _begin(self, corners: list[int], room: int) -> None:
        """Make one triangle, and three at infinity around it."""
        n = self.n
        a, b, c = corners
        self.vertex = cp.zeros(3 * room, np.int32)
        self.neighbor = cp.zeros(3 * room, np.int32)
        self.vertex[:12] = cp.array([a, b, c, b, a, n, c, b, n, a, c, n], np.int32)
        self.neighbor[:12] = cp.array([2, 3, 1, 3, 2, 0, 1, 3, 0, 2, 1, 0], np.int32)
        self.count = 4

    def _insert_all(self, corners: list[int]) -> bool:
        """Insert one point after the other, as a CPU does it; return whether rounding has left a mesh."""
        n, room = self.n, 2 * self.n + 8
        self._begin(corners, room)
        mark, scratch = cp.zeros(room, np.int32), cp.empty(room + 3 * room + n + 1, np.int32)
        hole, border, beginning = scratch[:room], scratch[room : 4 * room], scratch[4 * room :]
        count = cp.zeros(1, np.int32)
        arguments = (self.xy, _insertion_order(self.xy), self.vertex, self.neighbor, mark, beginning)
        sizes = (np.int32(room), np.int32(n))
        kernel("delaunay", "insert_all")((1,), (1,), (*arguments, hole, border, count, *sizes))
        self.count = int(count[0])
        return self.count > 0

    def _insert_many(self, corners: list[int]) -> None:
        """Insert points into all triangles at once, and flip edges in rounds, as a GPU does it."""
        n, xy, room = self.n, self.xy, 2 * self.n
        self._begin(corners, room)
        self.home = cp.empty(n, np.int32)
        self.dirty = cp.zeros(room, np.int32)
        self._none = cp.full(room, -1, np.int32)
        self._run("first_home", n, xy, self.vertex, self.home)
        scrambled = (cp.arange(n) * 2654435761) % (1 << 32)
        by_rank = cp.argsort(scrambled)
        rank = cp.empty(n, np.int32)
        rank[by_rank] = cp.arange(n, dtype=np.int32)
        left = n - 3
        while left > 0:
            left -= self._insert(rank, by_rank.astype(np.int32))
            while self._flip():
                pass

    def _run(self, name: str, count: int, *arguments: Any) -> None:
        launch(kernel("delaunay", name), count, (*arguments, np.int64(count)))

    def _insert(self, rank: ndarray, by_rank: ndarray) -> int:
        """Put a waiting point into each triangle that has one; return how many there were."""
        chosen = cp.full(self.count, _NONE, np.int32)
        self._run("settle", self.n, self.xy, self.vertex, self.neighbor, self.home, np.int32(self.n))
        self._run("choose", self.n, self.home, rank, chosen)
        triangles = cp.flatnonzero(chosen != _NONE).astype(np.int32)
        winners = by_rank[chosen[triangles]]
        divided = self._none.copy()
        self.dirty[...] = 0
        self._run(
            "divide",
            triangles.size,
            winners,
            triangles,
            self.vertex,
            self.neighbor,
            divided,
            self.home,
            self.dirty,
            np.int64(self.count),
        )
        self.count += 2 * triangles.size
        self._run("mend", self.count, self.vertex, self.neighbor, divided, self._none)
        infinite = np.int32(self.n)
        self._run("follow_division", self.n, self.xy, self.vertex, divided, self.home, infinite)
        return int(triangles.size)

    def _flip(self) -> bool:
        """Flip edges that are not Delaunay and do not touch each other; return whether there were any."""
        claims = cp.full(self.count, _NONE, np.int32)
        wanted, touched = cp.empty(self.count, np.int32), cp.zeros(self.dirty.size, np.int32)
        flips = cp.zeros(1, np.int32)
        infinite = np.int32(self.n)
        self._run(
            "claim",
            self.count,
            self.xy,
            self.vertex,
            self.neighbor,
            self.dirty,
            claims,
            wanted,
            touched,
            flips,
            infinite,
        )
        if not int(flips[0]):
            return False
        partner = self._none.copy()
        self._run("flip", self.count, self.vertex, self.neighbor, claims, wanted, partner)
        self._run("mend", self.count, self.vertex, self.neighbor, self._none, partner)
        self._run("follow_flip", self.n, self.xy, self.vertex, partner, self.home, infinite)
        self.dirty = touched
        return True

    def finite(self) -> tuple[ndarray, ndarray]:
        """Return the triangles without a vertex at infinity, and their neighbours, -1 at the hull."""
        vertex = self.vertex[: 3 * self.count].reshape(-1, 3)
        neighbor = self.neighbor[: 3 * self.count].reshape(-1, 3)
        # A point on the hull's edge may leave triangles without an area behind: they are none.
        kept = ~(vertex == self.n).any(1)
        number = cp.where(kept, cp.cumsum(kept) - 1, -1).astype(np.int32)
        return vertex[kept], number[neighbor[kept]]


class Delaunay:
    """The Delaunay triangulation of points of the plane.

    Parameters
    ----------
    points : (N, 2) array_like
        The points. Of points that coincide one is used.
    furthest_site, incremental, qhull_options : optional
        Taken for compatibility where they are false or None.

    Attributes
    ----------
    points : (N, 2) ndarray
        The points.
    simplices : (M, 3) ndarray of int32
        The vertices of triangles, counter-clockwise.
    neighbors : (M, 3) ndarray of int32
        The triangle opposite to each vertex, -1 at the hull.
    convex_hull : (K, 2) ndarray of int32
        The edges of the hull.
    coplanar : (L, 3) ndarray of int32
        Points that are not used, a triangle at each, and the vertex that it coincides with.

    Notes
    -----
    A CPU inserts points one after the other along a curve that fills the plane, a GPU into many triangles at
    once, and flips edges in rounds; predicates have twice the digits where rounding could decide. Of points
    on one circle either device may join others.

    Examples
    --------
    >>> from cuprum.scipy.spatial import Delaunay
    >>> triangles = Delaunay(cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> triangles.nsimplex
    1
    """

    def __init__(
        self,
        points: ArrayLike,
        furthest_site: bool = False,
        incremental: bool = False,
        qhull_options: str | None = None,
    ) -> None:
        for name, given in (("furthest_site", furthest_site), ("incremental", incremental)):
            if given:
                raise NotImplementedError(f"Delaunay: {name}=True is not supported; triangulate anew instead")
        self.points = _plane_points("Delaunay", points)
        self.npoints, self.ndim = self.points.shape
        self.min_bound, self.max_bound = self.points.min(0), self.points.max(0)
        used, which = _distinct(self.points)
        if used.size < 3:
            raise QhullError("Delaunay: fewer than 3 points are distinct")
        made = _Triangulation("Delaunay", cp.ascontiguousarray(self.points[used]))
        simplices, self.neighbors = made.finite()
        self.simplices = used[simplices].astype(np.int32)
        self.nsimplex = self.simplices.shape[0]
        spare = cp.flatnonzero(used[which] != cp.arange(self.npoints))
        twin = used[which[spare]]
        self.vertex_to_simplex = cp.full(self.npoints, -1, np.int32)
        self.vertex_to_simplex[self.simplices.ravel()] = cp.repeat(
            cp.arange(self.nsimplex, dtype=np.int32), 3
        )
        self.coplanar = cp.stack((spare, self.vertex_to_simplex[twin], twin), 1).astype(np.int32)
        self._tree: KDTree | None = None

    @property
    def convex_hull(self) -> ndarray:
        """The edges of the hull, as pairs of vertices."""
        triangle, corner = cp.nonzero(self.neighbors == -1)
        ends = [self.simplices[triangle, (corner + k) % 3] for k in (1, 2)]
        return cp.stack(ends, 1)

    @property
    def transform(self) -> ndarray:
        """The maps from coordinates to barycentric ones: (M, 3, 2), two rows of a matrix and an origin."""
        corners = self.points[self.simplices]
        origin = corners[:, 2]
        matrix = cp.swapaxes(corners[:, :2] - origin[:, None], 1, 2)
        return cp.concatenate((cp.linalg.inv(matrix), origin[:, None]), axis=1)

    @property
    def vertex_neighbor_vertices(self) -> tuple[ndarray, ndarray]:
        """Where the neighbours of each vertex begin, and the neighbours."""
        pairs = cp.concatenate([self.simplices[:, [i, j]] for i in range(3) for j in range(3) if i != j])
        keys = cp.unique(pairs[:, 0].astype(np.int64) * self.npoints + pairs[:, 1])
        start = cp.searchsorted(keys, cp.arange(self.npoints + 1) * self.npoints)
        return start.astype(np.int32), (keys % self.npoints).astype(np.int32)

    def find_simplex(self, xi: ArrayLike, bruteforce: bool = False, tol: float | None = None) -> ndarray:
        """Find the triangles that points lie in.

        Parameters
        ----------
        xi : (..., 2) array_like
            The points.
        bruteforce : bool, optional
            Taken for compatibility.
        tol : float, optional
            How far outside, in barycentric coordinates, still counts as inside.

        Returns
        -------
        ndarray of int32
            The triangles, -1 outside of all.

        Examples
        --------
        >>> from cuprum.scipy.spatial import Delaunay
        >>> triangles = Delaunay(cp.asarray([[0.0, 0], [1, 0], [0, 1]]))
        >>> triangles.find_simplex(cp.asarray([[0.2, 0.2], [2.0, 2.0]]))
        array([ 0, -1], dtype=int32)
        """
        x = as_array(xi)
        if x.ndim == 0 or x.shape[-1] != 2:
            raise ValueError("wrong dimensionality in xi")
        at = cp.ascontiguousarray(x.reshape(-1, 2), dtype=np.float64)
        found = cp.empty(at.shape[0], np.int32)
        if self._tree is None:
            self._vertices = cp.flatnonzero(self.vertex_to_simplex >= 0)
            self._tree = KDTree(self.points[self._vertices])
        near = self._tree.query(cp.where(cp.isfinite(at), at, 0.0))[1]
        start = self.vertex_to_simplex[self._vertices[near]]
        tolerance = 100 * float(np.finfo(np.float64).eps) if tol is None else float(tol)
        simplices, neighbors = cp.ascontiguousarray(self.simplices), cp.ascontiguousarray(self.neighbors)
        launch(
            kernel("delaunay", "walk"),
            at.shape[0],
            (self.points, simplices, neighbors, at, start, found, tolerance)
            + (np.int64(self.nsimplex), np.int64(at.shape[0])),
        )
        return found.reshape(x.shape[:-1])


def tsearch(tri: Delaunay, xi: ArrayLike) -> ndarray:
    """Find the triangles that points lie in.

    Parameters
    ----------
    tri : Delaunay
        The triangulation.
    xi : (..., 2) array_like
        The points.

    Returns
    -------
    ndarray of int32
        The triangles, -1 outside of all.

    Examples
    --------
    >>> from cuprum.scipy.spatial import Delaunay, tsearch
    >>> tsearch(Delaunay(cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])), cp.array([[0.2, 0.2], [2.0, 2.0]]))
    array([ 0, -1], dtype=int32)
    """
    return tri.find_simplex(xi)


class ConvexHull:
    """The convex hull of points of the plane.

    Parameters
    ----------
    points : (N, 2) array_like
        The points.
    incremental, qhull_options : optional
        Taken for compatibility where they are false or None.

    Attributes
    ----------
    vertices : (K,) ndarray of int32
        The corners, counter-clockwise.
    simplices : (K, 2) ndarray of int32
        The edges.
    neighbors : (K, 2) ndarray of int32
        The edges before and after each.
    equations : (K, 3) ndarray
        Normals and offsets of the edges.
    area, volume : float
        The length of the border and the area inside.

    Examples
    --------
    >>> from cuprum.scipy.spatial import ConvexHull
    >>> ConvexHull(cp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.2, 0.2]])).volume
    0.5
    """

    def __init__(
        self, points: ArrayLike, incremental: bool = False, qhull_options: str | None = None
    ) -> None:
        if incremental:
            raise NotImplementedError(
                "ConvexHull: incremental=True is not supported; make a new hull instead"
            )
        self.points = _plane_points("ConvexHull", points)
        self.npoints, self.ndim = self.points.shape
        self.min_bound, self.max_bound = self.points.min(0), self.points.max(0)
        used, _ = _distinct(self.points)
        if used.size < 3:
            raise QhullError("ConvexHull: fewer than 3 points are distinct")
        xy = cp.ascontiguousarray(self.points[used])
        _first_triangle("ConvexHull", xy)
        chain, count = cp.empty(2 * used.size, np.int32), cp.zeros(1, np.int64)
        kernel("hull", "hull")((1,), (1,), (xy, chain, count, np.int64(used.size)))
        self.vertices = used[chain[: int(count[0])]].astype(np.int32)
        self.simplices = cp.stack((self.vertices, cp.roll(self.vertices, -1)), 1)
        edges = cp.arange(self.vertices.size, dtype=np.int32)
        self.nsimplex = self.vertices.size
        self.neighbors = cp.stack((cp.roll(edges, -1), cp.roll(edges, 1)), 1)
        corner = self.points[self.vertices]
        along = cp.roll(corner, -1, axis=0) - corner
        length = cp.sqrt((along**2).sum(1))
        normal = cp.stack((along[:, 1], -along[:, 0]), 1) / length[:, None]
        self.equations = cp.concatenate((normal, -(normal * corner).sum(1)[:, None]), axis=1)
        self.area = float(length.sum())
        centred = corner - corner[0]
        turned = cp.roll(centred, -1, axis=0)
        self.volume = float((centred[:, 0] * turned[:, 1] - centred[:, 1] * turned[:, 0]).sum()) / 2

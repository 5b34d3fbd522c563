"""Nearest neighbours by a tree of boxes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._typing import ArrayLike
from .._kernels import launch, texts

__all__ = ["KDTree", "cKDTree"]

kernel = texts(__file__)

# Points in a leaf, at most: few enough that a leaf costs about as much as the boxes on the way to it, on a
# core of a CPU and in a thread of a GPU.
_PER_LEAF_OF_CPU, _PER_LEAF = 32, 8
# The most neighbours that a thread keeps in registers and local memory.
_LOCAL_MAX = 32


def _spread(bits: ndarray, ndim: int, count: int) -> ndarray:
    """Return codes with the bits of all coordinates in turn, the highest first."""
    code = cp.zeros(bits.shape[0], np.int64)
    if ndim <= 3 and count * ndim > 32:
        # Masks move all bits of one coordinate at once.
        for axis in range(ndim):
            code = code | (_parted(bits[:, axis], ndim) << (ndim - 1 - axis))
        return code
    for bit in range(count - 1, -1, -1):
        for axis in range(ndim):
            code = (code << 1) | ((bits[:, axis] >> bit) & 1)
    return code


def _parted(x: ndarray, ndim: int) -> ndarray:
    """Return numbers with `ndim` - 1 zeros before each of their bits."""
    if ndim == 1:
        return x
    steps = (
        [(32, 0x1F00000000FFFF), (16, 0x1F0000FF0000FF), (8, 0x100F00F00F00F00F)]
        + [(4, 0x10C30C30C30C30C3), (2, 0x1249249249249249)]
        if ndim == 3
        else [(16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F)]
        + [(2, 0x3333333333333333), (1, 0x5555555555555555)]
    )
    for shift, mask in steps:
        x = (x | (x << shift)) & mask
    return x


class KDTree:
    """A tree for quick answers to questions about near points.

    Parameters
    ----------
    data : (N, K) array_like
        The points.
    leafsize, compact_nodes, copy_data, balanced_tree : optional
        Taken for compatibility: the tree has leaves with as many points each.
    boxsize : float or (K,) array_like, optional
        The periods of a torus; 0 along an axis that is not periodic.

    Attributes
    ----------
    data : (N, K) ndarray
        The points.
    n, m : int
        The number of points and of coordinates.
    mins, maxes : (K,) ndarray
        The extents.

    Examples
    --------
    >>> from cuprum.scipy.spatial import KDTree
    >>> tree = KDTree(cp.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]]))
    >>> distance, index = tree.query(cp.array([[0.9, 0.1]]), k=2)
    >>> index
    array([[1, 0]])
    """

    def __init__(
        self,
        data: ArrayLike,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: Any = None,
    ) -> None:
        points = as_array(data)
        if points.dtype.kind == "c":
            raise TypeError("KDTree does not work with complex data")
        if points.ndim != 2:
            raise ValueError("data must be 2 dimensions")
        if leafsize < 1:
            raise ValueError("leafsize must be at least 1")
        self.data = cp.ascontiguousarray(points, dtype=np.float64)
        if copy_data and self.data is data:
            self.data = self.data.copy()
        if not bool(cp.isfinite(self.data).all()):
            raise ValueError("data must be finite, check for nan or inf values")
        self.n, self.m = self.data.shape
        self.leafsize = leafsize
        self.boxsize = None
        self._period = cp.zeros(max(self.m, 1))
        if boxsize is not None:
            self.boxsize = cp.broadcast_to(as_array(boxsize).astype(np.float64), (self.m,)).copy()
            self._period = self.boxsize
            periodic = self.boxsize > 0
            if bool((periodic & ((self.data >= self.boxsize) | (self.data < 0))).any()):
                raise ValueError("Some input data are greater than the size of the periodic box.")
        self.mins = self.data.min(0) if self.n else cp.full(self.m, np.inf)
        self.maxes = self.data.max(0) if self.n else cp.full(self.m, -np.inf)
        self._build()

    @property
    def size(self) -> int:
        """The number of nodes."""
        return 2 * self._leaves - 1

    def _codes(self, x: ndarray) -> ndarray:
        """Return the Morton codes of points, in the frame of the tree."""
        used = min(self.m, 62)
        count = min(62 // max(used, 1), 21 if self.m == 3 else 31)
        extent = self.maxes[:used] - self.mins[:used]
        scale = (2**count - 1) / cp.where(extent == 0, 1.0, extent)
        bits = cp.clip((x[:, :used] - self.mins[:used]) * scale, 0, 2**count - 1).astype(np.int64)
        return _spread(bits, used, count)

    def _build(self) -> None:
        self._leaves = 1
        per_leaf = _PER_LEAF_OF_CPU if self.data.device == "cpu" else _PER_LEAF
        while self._leaves * per_leaf < self.n:
            self._leaves *= 2
        self._per_leaf = max(-(-self.n // self._leaves), 1)
        if self.n == 0 or self.m == 0:
            self._order = cp.arange(self.n)
            self._points = self.data
            self._low, self._high = (
                cp.full((2, max(self.m, 1)), np.inf),
                cp.full((2, max(self.m, 1)), -np.inf),
            )
            return
        room = self._leaves * self._per_leaf
        # Fillers lie at infinity, where nothing is near to them.
        filler = cp.full((room - self.n, self.m), np.inf)
        padded = cp.concatenate((self.data, filler))
        self._order = self._tiled(padded)
        self._points = cp.ascontiguousarray(padded[self._order])
        tiles = self._points.reshape(self._leaves, self._per_leaf, self.m)
        low, high = tiles.min(1), cp.where(cp.isinf(tiles), -np.inf, tiles).max(1)
        lows, highs = [low], [high]
        while lows[-1].shape[0] > 1:
            lows.append(cp.minimum(lows[-1][0::2], lows[-1][1::2]))
            highs.append(cp.maximum(highs[-1][0::2], highs[-1][1::2]))
        nothing = cp.zeros((1, self.m))
        self._low = cp.ascontiguousarray(cp.concatenate([nothing, *lows[::-1]]))
        self._high = cp.ascontiguousarray(cp.concatenate([nothing, *highs[::-1]]))

    def _tiled(self, points: ndarray) -> ndarray:
        """Return the order of points in which leaves are tiles with as many points each.

        The axes are cut one after the other, each into a power of two of parts by one sort; then the tiles
        are put in an order in which halves of the whole, of the halves and so on follow each other.
        """
        extents = [float(extent) for extent in self.maxes - self.mins]
        cuts: list[int] = []
        while 1 << len(cuts) < self._leaves:
            axis = extents.index(max(extents))
            cuts.append(axis)
            extents[axis] /= 2
        levels = [cp.full(1 << level, axis, np.int32) for level, axis in enumerate(cuts)]
        self._cut = cp.concatenate([cp.zeros(1, np.int32), *levels, cp.zeros(1, np.int32)])
        order = cp.arange(points.shape[0])
        parts, place = 1, {}
        for axis in sorted(set(cuts), key=lambda one: -cuts.count(one)):
            lines = points[order, axis].reshape(parts, -1)
            by = cp.argsort(lines, axis=1, kind="stable")
            order = cp.take_along_axis(order.reshape(parts, -1), by, axis=1).ravel()
            place[axis] = parts.bit_length() - 1
            parts <<= cuts.count(axis)
        turned = []
        for cut in cuts:
            turned.append(place[cut])
            place[cut] += 1
        tiles = order.reshape([2] * len(cuts) + [-1])
        return cp.ascontiguousarray(tiles.transpose([*turned, len(cuts)])).ravel()

    def _nodes(self) -> tuple[ndarray, ...]:
        return self._points, self._low, self._high, self._period

    def _sizes(self) -> tuple[np.int64, ...]:
        return np.int64(self.n), np.int64(self._leaves), np.int64(self._per_leaf)

    def _instance(self, p: float) -> str:
        """The template parameters of kernels."""
        return f"{self.m}, {_norm(p)}, {str(self.boxsize is not None).lower()}"

    def _query_points(self, x: Any) -> ndarray:
        points = as_array(x)
        if points.dtype.kind == "c":
            raise TypeError("KDTree does not work with complex data")
        if points.ndim == 0 or points.shape[-1] != self.m:
            raise ValueError(f"x must consist of vectors of length {self.m} but has shape {points.shape}")
        points = cp.ascontiguousarray(points, dtype=np.float64)
        if not bool(cp.isfinite(points).all()):
            raise ValueError("'x' must be finite, check for nan or inf values")
        if self.boxsize is not None:
            wrapped = points % cp.where(self.boxsize > 0, self.boxsize, 1.0)
            points = cp.ascontiguousarray(cp.where(self.boxsize > 0, wrapped, points))
        return points

    def query(
        self,
        x: ArrayLike,
        k: Any = 1,
        eps: float = 0.0,
        p: float = 2.0,
        distance_upper_bound: float = np.inf,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """Find the nearest points.

        Parameters
        ----------
        x : (..., K) array_like
            Where to look from.
        k : int or sequence of int, optional
            How many neighbours, or which, counted from 1.
        eps : float, optional
            A neighbour may be farther than the true one by this share.
        p : float, optional
            The norm, from 1 to infinity.
        distance_upper_bound : float, optional
            Only points nearer than that count.
        workers : int, optional
            Taken for compatibility: all threads of the device work.

        Returns
        -------
        d, i : ndarray
            Distances and indices, by distance; infinity and N where there is no further neighbour.
        """
        if k is None:
            raise ValueError("k must be an integer or a sequence of integers")
        wanted = [int(k)] if np.ndim(k) == 0 else [int(one) for one in k]
        if any(one < 1 for one in wanted):
            raise ValueError(
                "k must be greater than 0" if np.ndim(k) == 0 else "elements of k must be at least 1"
            )
        if p < 1:
            raise ValueError("Only p-norms with 1<=p<=infinity permitted")
        if eps < 0:
            raise ValueError("eps must be non-negative")
        points = self._query_points(x)
        flat = points.reshape(-1, max(self.m, 1)) if self.m else points.reshape(-1, 1)
        most = max(wanted)
        distance, index = self._nearest(flat, most, float(eps), float(p), float(distance_upper_bound))
        shape = points.shape[:-1]
        if np.ndim(k) == 0 and wanted[0] == 1:
            return distance.reshape(shape), index.reshape(shape)
        distance, index = distance.reshape(*shape, most), index.reshape(*shape, most)
        if np.ndim(k):
            chosen = [one - 1 for one in wanted]
            distance, index = cp.take(distance, chosen, axis=-1), cp.take(index, chosen, axis=-1)
        return distance, index

    def _nearest(self, x: ndarray, k: int, eps: float, p: float, bound: float) -> tuple[ndarray, ndarray]:
        count = x.shape[0]
        distance, index = cp.empty((count, k)), cp.empty((count, k), np.int64)
        if self.n == 0 or self.m == 0:
            distance[...], index[...] = np.inf, self.n
            return distance, index
        # Threads side by side walk the same boxes where their points lie side by side.
        turn = cp.argsort(self._codes(x), kind="stable") if count > 256 else cp.arange(count)
        norm = self._instance(p)
        limit = _power(bound, p)
        slack = _power(1 + eps, p)
        sizes = (*self._sizes(), np.int64(count), np.int64(k))
        rest = (x, turn, distance, index, *sizes, p, limit, slack)
        if k <= _LOCAL_MAX:
            room = 1 << (k - 1).bit_length()
            # A few places more cost little and save compilations.
            room = next(size for size in (1, 2, 4, 10, 16, _LOCAL_MAX) if size >= min(room, k))
            arguments = (*self._nodes(), self._order, self._cut, *rest)
            launch(kernel("kdtree", f"nearest<{norm}, {room}>"), count, arguments)
        else:
            launch(kernel("kdtree", f"nearest_many<{norm}>"), count, (*self._nodes(), self._order, *rest))
            by = cp.argsort(distance, axis=1, kind="stable")
            distance = cp.take_along_axis(distance, by, axis=1)
            index = cp.take_along_axis(index, by, axis=1)
        return _rooted(distance, p), index

    def _listed(
        self, x: ndarray, radius: ndarray, p: float, eps: float, after: ndarray | None = None
    ) -> tuple[ndarray, ndarray, ndarray]:
        """Return where each point's neighbours begin, the neighbours, and their distances."""
        count = x.shape[0]
        if self.n == 0 or self.m == 0 or count == 0:
            return cp.zeros(count + 1, np.int64), cp.empty(0, np.int64), cp.empty(0)
        after = cp.full(count, -1, np.int64) if after is None else after
        found, start = cp.empty(count, np.int64), cp.zeros(count + 1, np.int64)
        index, distance = cp.empty(1, np.int64), cp.empty(1)
        reach = cp.ascontiguousarray(radius**p if p not in (1, np.inf) else radius)
        text = kernel("kdtree", f"list_within<{self._instance(p)}>")
        for writes in (False, True):
            if writes:
                start[1:] = cp.cumsum(found)
                total = int(start[-1])
                index, distance = cp.empty(max(total, 1), np.int64), cp.empty(max(total, 1))
            nodes = (*self._nodes(), self._order, x, reach, after, start, index, distance, found)
            sizes = (*self._sizes(), np.int64(count), p, _power(1 + eps, p), np.bool_(writes))
            launch(text, count, (*nodes, *sizes))
        return start, index[:total], _rooted(distance[:total], p)

    def query_ball_point(
        self,
        x: ArrayLike,
        r: Any,
        p: float = 2.0,
        eps: float = 0,
        workers: int = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> Any:
        """Find all points within a distance.

        Parameters
        ----------
        x : (..., K) array_like
            Where to look from.
        r : float or array_like
            The distances, which are broadcast to the shape of `x`.
        p : float, optional
            The norm.
        eps : float, optional
            Points up to this share farther may be found too.
        workers : int, optional
            Taken for compatibility.
        return_sorted : bool, optional
            Whether indices are in order; they are for several points unless it is false.
        return_length : bool, optional
            Return how many there are, as an array.

        Returns
        -------
        list, ndarray of list, or ndarray of int
            The indices for each point.

        Examples
        --------
        >>> from cuprum.scipy.spatial import KDTree
        >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
        >>> sorted(tree.query_ball_point(cp.asarray([0.0, 0.0]), 2.0))
        [0, 1]
        """
        shape, start, index = self._lists_within(x, r, p, eps, return_sorted and not return_length)
        if return_length:
            return (start[1:] - start[:-1]).reshape(shape)
        bounds, found = start.tolist(), index.tolist()
        lists = np.empty(len(bounds) - 1, dtype=object)
        for i in range(len(bounds) - 1):
            lists[i] = found[bounds[i] : bounds[i + 1]]
        return lists.reshape(shape) if shape else lists[0]

    def _lists_within(
        self, x: Any, r: Any, p: float, eps: float, in_order: bool | None
    ) -> tuple[tuple[int, ...], ndarray, ndarray]:
        """Return the shape of the points, where each point's neighbours begin, and the neighbours."""
        if p < 1:
            raise ValueError("Only p-norms with 1<=p<=infinity permitted")
        points = self._query_points(x)
        shape = points.shape[:-1]
        flat = points.reshape(-1, max(self.m, 1))
        radius = cp.broadcast_to(as_array(r).astype(np.float64), shape).ravel()
        start, index, _ = self._listed(flat, radius, float(p), float(eps))
        if index.size and (in_order or in_order is None and shape):
            owner = cp.repeat(cp.arange(flat.shape[0]), (start[1:] - start[:-1]))
            index = index[cp.lexsort((index, owner))]
        return shape, start, index

    def query_ball_tree(self, other: KDTree, r: float, p: float = 2.0, eps: float = 0) -> list[list[int]]:
        """Find the points of another tree within a distance of each point of this one.

        Parameters
        ----------
        other : KDTree
            The other tree.
        r : float
            The distance.
        p : float, optional
            The norm.
        eps : float, optional
            Points up to this share farther may be found too.

        Returns
        -------
        list of list of int
            The indices in the other tree for each point.

        Examples
        --------
        >>> from cuprum.scipy.spatial import KDTree
        >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
        >>> [sorted(near) for near in tree.query_ball_tree(tree, 2.0)]
        [[0, 1], [0, 1], [2]]
        """
        self._alike(other)
        return list(other.query_ball_point(self.data, r, p, eps))

    def _alike(self, other: KDTree) -> None:
        if self.m != other.m:
            raise ValueError("Trees passed to query_ball_tree have different dimensionality")

    def query_pairs(self, r: float, p: float = 2.0, eps: float = 0, output_type: str = "set") -> Any:
        """Find all pairs of points within a distance.

        Parameters
        ----------
        r : float
            The distance.
        p : float, optional
            The norm.
        eps : float, optional
            Pairs up to this share farther may be found too.
        output_type : {"set", "ndarray"}, optional
            The form of the result; an array stays on the device.

        Returns
        -------
        set or (M, 2) ndarray
            The pairs i < j; in an array by i, then by j.

        Examples
        --------
        >>> from cuprum.scipy.spatial import KDTree
        >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
        >>> sorted(tree.query_pairs(2.0))
        [(0, 1)]
        """
        if output_type not in ("set", "ndarray"):
            raise ValueError("Invalid output type")
        own = cp.arange(self.n)
        radius = cp.full(self.n, float(r))
        start, index, _ = self._listed(self.data, radius, float(p), float(eps), own)
        owner = cp.repeat(own, start[1:] - start[:-1])
        if output_type == "ndarray":
            # By the first point, then by the second: the order of a search is another on each device.
            keys = cp.sort(owner * self.n + index)
            return cp.stack((keys // self.n, keys % self.n), 1)
        pairs = cp.stack((owner, index), 1)
        return {(int(i), int(j)) for i, j in pairs.tolist()}

    def count_neighbors(
        self, other: KDTree, r: Any, p: float = 2.0, weights: Any = None, cumulative: bool = True
    ) -> Any:
        """Count the pairs of points of two trees within distances.

        Parameters
        ----------
        other : KDTree
            The other tree.
        r : float or (M,) array_like
            The distances.
        p : float, optional
            The norm.
        weights : array_like or pair of array_likes, optional
            Weights of the points: a pair counts as the product of its two.
        cumulative : bool, optional
            Count all pairs up to each distance, instead of those between it and the one before.

        Returns
        -------
        int, float or (M,) ndarray
            The counts.

        Examples
        --------
        >>> from cuprum.scipy.spatial import KDTree
        >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
        >>> int(tree.count_neighbors(tree, 2.0))
        5
        """
        self._alike(other)
        radii = cp.asnumpy(as_array(r)).astype(np.float64)
        if radii.ndim > 1:
            raise ValueError("r must be either a single value or a one-dimensional array of values")
        if weights is None:
            own, others = None, None
        elif isinstance(weights, tuple):
            own, others = weights
        else:
            own = others = weights
        first = cp.ones(self.n) if own is None else as_array(own).astype(np.float64)
        second = cp.ones(other.n) if others is None else as_array(others).astype(np.float64)
        if first.shape != (self.n,) or second.shape != (other.n,):
            raise ValueError("Number of weights differ from the number of data points")
        sums = [self._within(other, float(radius), float(p), first, second) for radius in radii.ravel()]
        totals = cp.stack(sums) if sums else cp.empty(0)
        if not cumulative:
            totals = cp.concatenate((totals[:1], cp.diff(totals)))
        if weights is None:
            totals = totals.astype(np.int64)
        return totals if radii.ndim else totals[0]

    def _within(self, other: KDTree, r: float, p: float, own: ndarray, weights: ndarray) -> ndarray:
        """Return the sum over this tree's points of what lies within a distance of them in the other."""
        if self.n == 0 or other.n == 0:
            return cp.zeros(())
        room = other._leaves * other._per_leaf
        ordered = cp.concatenate((weights, cp.zeros(room - other.n)))[other._order]
        level = ordered.reshape(other._leaves, -1).sum(1)
        levels = [level]
        while levels[-1].size > 1:
            levels.append(levels[-1][0::2] + levels[-1][1::2])
        totals = cp.ascontiguousarray(cp.concatenate([cp.zeros(1), *levels[::-1]]))
        out, reach = cp.empty(self.n), cp.full(self.n, _power(r, p) if r >= 0 else -1.0)
        arguments = (*other._nodes(), ordered, totals, self.data, reach, out)
        sizes = (*other._sizes(), np.int64(self.n), p, 1.0)
        launch(kernel("kdtree", f"within<{other._instance(p)}>"), self.n, (*arguments, *sizes))
        return (out * own).sum()

    def sparse_distance_matrix(
        self, other: KDTree, max_distance: float, p: float = 2.0, output_type: str = "coo_matrix"
    ) -> Any:
        """Return the distances between points of two trees that are not larger than a limit.

        Parameters
        ----------
        other : KDTree
            The other tree.
        max_distance : float
            The limit.
        p : float, optional
            The norm.
        output_type : {"coo_matrix", "dict", "ndarray"}, optional
            The form of the result: a sparse matrix, a dictionary by pairs, or a pair of arrays with the pairs
            and the distances. There are no matrices by keys ("dok_matrix") on a device.

        Returns
        -------
        coo_matrix, dict or tuple
            The distances.

        Examples
        --------
        >>> from cuprum.scipy.spatial import KDTree
        >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
        >>> tree.sparse_distance_matrix(tree, 2.0).nnz
        5
        """
        self._alike(other)
        if output_type not in ("coo_matrix", "dict", "ndarray"):
            raise ValueError(
                f"Invalid output type {output_type!r}: 'coo_matrix', 'dict' and 'ndarray' are possible"
            )
        radius = cp.full(self.n, float(max_distance))
        start, index, distance = other._listed(self.data, radius, float(p), 0.0)
        owner = cp.repeat(cp.arange(self.n), start[1:] - start[:-1])
        if output_type == "ndarray":
            return cp.stack((owner, index), 1), distance
        if output_type == "dict":
            pairs = zip(owner.tolist(), index.tolist(), distance.tolist(), strict=True)
            return {(i, j): d for i, j, d in pairs}
        from ..sparse import coo_matrix

        return coo_matrix((distance, (owner, index)), shape=(self.n, other.n))


def _norm(p: float) -> str:
    return {1.0: "MANHATTAN", 2.0: "EUCLIDEAN", math.inf: "CHEBYSHEV"}.get(p, "MINKOWSKI")


def _power(value: float, p: float) -> float:
    """Return a distance as kernels compare it, without the root."""
    return value if p in (1.0, math.inf) or math.isinf(value) else value**p


def _rooted(distance: ndarray, p: float) -> ndarray:
    if p == 2:
        return cp.sqrt(distance)
    return distance if p in (1, np.inf) else distance ** (1 / p)


cKDTree = KDTree

"""Shortest paths in graphs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._kernels import THREADS, kernel
from ._conversion import dense_of
from ._documentation import documented
from ._graphs import NOWHERE, Graph, NegativeCycleError, graph_of, matrix_of, run

__all__ = ["bellman_ford", "dijkstra", "floyd_warshall", "johnson", "shortest_path"]

# How many numbers of scratch memory the paths from several sources may take at a time.
_MAX_SCRATCH = 1 << 26


def _sources(op: str, indices: Any, n: int) -> tuple[ndarray, tuple[int, ...]]:
    """Return the nodes to begin at, and the shape of what was given for them."""
    if indices is None:
        return cp.arange(n, dtype=np.int32), (n,)
    given = as_array(indices)
    if given.dtype.kind not in "iu" and given.size:
        raise ValueError(f"{op}: indices must be integers, got {given.dtype}")
    flat = given.ravel().astype(np.int64)
    flat = cp.where(flat < 0, flat + n, flat)
    if flat.size and (int(flat.min()) < 0 or int(flat.max()) >= n):
        raise ValueError(f"{op}: indices out of range 0...N")
    return flat.astype(np.int32), given.shape


def _result(distance: ndarray, before: ndarray, shape: tuple[int, ...], with_before: bool) -> Any:
    n = distance.shape[1]
    distance = distance.reshape(*shape, n)
    return (distance, before.reshape(*shape, n)) if with_before else distance


def _dijkstra(graph: Graph, sources: ndarray, limit: float) -> tuple[ndarray, ndarray]:
    n, count = graph.size, int(sources.size)
    distance, before = cp.full((count, n), np.inf), cp.full((count, n), NOWHERE, np.int32)
    at_a_time = max(1, min(count, _MAX_SCRATCH // max(n, 1)))
    heap = cp.empty(at_a_time * n, np.int32)
    for begin in range(0, count, at_a_time):
        some = min(at_a_time, count - begin)
        where = cp.full(some * n, -1, np.int32)
        run(
            "dijkstra", graph.start, graph.target, graph.weight, sources[begin : begin + some].copy(),
            distance[begin : begin + some], before[begin : begin + some], None, heap, where,
            np.float64(limit), np.int32(n), np.int32(1), np.int64(some), threads=some,
        )  # fmt: skip
    return distance, before


@names_itself
@documented
def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Return the lengths of shortest paths in a graph without negative weights.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph: element ``(i, j)`` is the length of the edge from node `i` to node `j`.
    {directed}
    {sources}
    {return_predecessors}
    {unweighted}
    limit : float, optional
        The greatest length that is looked for.
    min_only : bool, optional
        Whether to find, for each node, the nearest of `indices` alone.

    Returns
    -------
    dist_matrix : ndarray of float64
        The lengths from each node of `indices`, infinite where no path leads.
    {predecessors}
    sources : ndarray of int32
        The nearest of `indices`, with `min_only`.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import dijkstra
    >>> dijkstra(cp.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]), indices=0)
    array([0., 1., 3.])
    """
    if limit < 0:
        raise ValueError("dijkstra: limit must be >= 0")
    graph = graph_of("dijkstra", csgraph, directed, unweighted)
    if graph.weight.size and bool((graph.weight < 0).any()):
        warnings.warn(
            "Graph has negative weights: dijkstra will give inaccurate results if the graph contains "
            "negative cycles. Consider johnson or bellman_ford.",
            stacklevel=3,
        )
    n = graph.size
    sources, shape = _sources("dijkstra", indices, n)
    if min_only:
        return _nearest(graph, sources, float(limit), return_predecessors)
    distance, before = _dijkstra(graph, sources, float(limit))
    return _result(distance, before, shape, return_predecessors)


def _nearest(graph: Graph, sources: ndarray, limit: float, with_before: bool) -> Any:
    n = graph.size
    distance = cp.full(n, np.inf)
    before, origin = cp.full(n, NOWHERE, np.int32), cp.full(n, NOWHERE, np.int32)
    heap, where = cp.empty(n, np.int32), cp.full(n, -1, np.int32)
    if n:
        run(
            "dijkstra", graph.start, graph.target, graph.weight, sources, distance, before, origin, heap,
            where, np.float64(limit), np.int32(n), np.int32(sources.size), np.int64(1),
        )  # fmt: skip
    return (distance, before, origin) if with_before else distance


def _bellman_ford(graph: Graph, distance: ndarray) -> ndarray:
    """Relax distances until nothing changes; return the predecessors."""
    n, count = graph.size, int(distance.shape[0])
    before, cycle = cp.full(distance.shape, NOWHERE, np.int32), cp.zeros(1, np.int32)
    if n and count:
        run(
            "bellman_ford", graph.start, graph.target, graph.weight, distance, before, cycle, np.int32(n),
            np.int64(count), threads=count,
        )  # fmt: skip
        found = int(cycle[0])
        if found:
            raise NegativeCycleError(f"Negative cycle detected on node {found - 1}")
    return before


def _from_sources(sources: ndarray, n: int) -> ndarray:
    distance = cp.full((int(sources.size), n), np.inf)
    distance[cp.arange(sources.size), sources] = 0
    return distance


@names_itself
@documented
def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return the lengths of shortest paths in a graph that may have negative weights.

    Parameters
    ----------
    {graph}
    {directed}
    {sources}
    {return_predecessors}
    {unweighted}

    Returns
    -------
    {lengths}
    {predecessors}

    Raises
    ------
    NegativeCycleError
        Where a cycle has a negative length.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import bellman_ford
    >>> bellman_ford(cp.array([[0, 4, 5], [0, 0, 0], [0, -2, 0]]), indices=0)
    array([0., 3., 5.])
    """
    graph = graph_of("bellman_ford", csgraph, directed, unweighted)
    sources, shape = _sources("bellman_ford", indices, graph.size)
    distance = _from_sources(sources, graph.size)
    return _result(distance, _bellman_ford(graph, distance), shape, return_predecessors)


@names_itself
@documented
def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Return the lengths of shortest paths in a graph that may have negative weights, by shifted weights.

    Parameters
    ----------
    {graph}
    {directed}
    {sources}
    {return_predecessors}
    {unweighted}

    Returns
    -------
    {lengths}
    {predecessors}

    Raises
    ------
    NegativeCycleError
        Where a cycle has a negative length.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import johnson
    >>> johnson(cp.array([[0, 4, 5], [0, 0, 0], [0, -2, 0]]), indices=0)
    array([0., 3., 5.])
    """
    graph = graph_of("johnson", csgraph, directed, unweighted)
    sources, shape = _sources("johnson", indices, graph.size)
    # Distances from a node that has an edge of length 0 to every other.
    height = cp.zeros((1, graph.size))
    _bellman_ford(graph, height)
    height = height[0]
    level = graph.weight + height[graph.source] - height[graph.target]
    distance, before = _dijkstra(graph._replace(weight=cp.maximum(level, 0.0)), sources, np.inf)
    distance = distance + (height[None, :] - height[sources][:, None])
    return _result(distance, before, shape, return_predecessors)


@names_itself
@documented
def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """Return the lengths of the shortest paths between all nodes of a dense graph.

    Parameters
    ----------
    {graph}
    {directed}
    {return_predecessors}
    {unweighted}
    overwrite : bool, optional
        Without effect.

    Returns
    -------
    {lengths}
    {predecessors}

    Raises
    ------
    NegativeCycleError
        Where a cycle has a negative length.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import floyd_warshall
    >>> floyd_warshall(cp.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]))
    array([[ 0.,  1.,  3.],
           [inf,  0.,  2.],
           [inf, inf,  0.]])
    """
    matrix = matrix_of("floyd_warshall", csgraph, to_dense=True)
    n = matrix.shape[0]
    distance = dense_of(matrix, np.inf)
    if unweighted:
        distance = cp.where(cp.isinf(distance), distance, 1.0)
    if not directed:
        distance = cp.minimum(distance, distance.T)
    itself = cp.arange(n)
    distance[itself, itself] = cp.minimum(distance[itself, itself], 0.0)
    before = cp.where(cp.isinf(distance), NOWHERE, itself[:, None]).astype(np.int32)
    before[itself, itself] = NOWHERE
    distance, before = cp.ascontiguousarray(distance), cp.ascontiguousarray(before)
    threads = min(THREADS, max(32, n))
    grid = (-(-n // threads), min(n, 65535))
    step = kernel("csgraph/graph", "floyd_warshall")
    for k in range(n):
        arguments = (
            distance,
            before,
            distance[:, k].copy(),
            distance[k].copy(),
            before[k].copy(),
            np.int64(n),
        )
        step(grid, (threads,), arguments)
    negative = cp.flatnonzero(cp.diagonal(distance) < 0)
    if negative.size:
        raise NegativeCycleError(f"Negative cycle in nodes {negative.get()}")
    return (distance, before) if return_predecessors else distance


@names_itself
@documented
def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Return the lengths of shortest paths in a graph.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph: element ``(i, j)`` is the length of the edge from node `i` to node `j`.
    method : {'auto', 'FW', 'D', 'BF', 'J'}, optional
        `floyd_warshall`, `dijkstra`, `bellman_ford` or `johnson`; by default one that suits the graph.
    {directed}
    {return_predecessors}
    {unweighted}
    overwrite : bool, optional
        Without effect.
    {sources}

    Returns
    -------
    {lengths}
    {predecessors}

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import shortest_path
    >>> shortest_path(cp.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]), directed=False)
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"shortest_path: unrecognized method {method!r}")
    matrix = matrix_of("shortest_path", csgraph)
    n = matrix.shape[0]
    if method == "auto":
        negative = matrix.nnz > 0 and bool((matrix.data < 0).any())
        if negative:
            method = "J"
        else:
            is_dense = not issparse(csgraph) and indices is None
            method = "FW" if is_dense and 4 * matrix.nnz > n * n else "D"
    if method == "FW":
        if indices is not None:
            raise ValueError("shortest_path: indices cannot be given with method 'FW'")
        return floyd_warshall(csgraph, directed, return_predecessors, unweighted)
    solve = {"D": dijkstra, "BF": bellman_ford, "J": johnson}[method]
    return solve(matrix, directed, indices, return_predecessors, unweighted)

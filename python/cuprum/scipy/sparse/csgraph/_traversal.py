"""Components of graphs, and orders in which their nodes are visited."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from ._conversion import reconstruct_path
from ._documentation import documented
from ._graphs import NOWHERE, Graph, graph_of, run

__all__ = [
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "depth_first_order",
    "depth_first_tree",
]

# Nodes whose edges one thread of a CPU follows.
_STRETCH = 512


@names_itself
@documented
def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """Return how many components a graph has, and which of them each node belongs to.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph: element ``(i, j)`` is the weight of the edge from node `i` to node `j`.
    {directed}
    connection : {'weak', 'strong'}, optional
        Whether nodes of a directed graph belong together where a path leads between them, or where one leads
        each way.
    return_labels : bool, optional
        Whether to return the labels too.

    Returns
    -------
    n_components : int
        The number of components.
    labels : ndarray of int32
        The number of each node's component.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import connected_components
    >>> connected_components(cp.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    (2, array([0, 0, 1], dtype=int32))
    """
    if connection.lower() not in ("weak", "strong"):
        raise ValueError(f"connected_components: connection must be 'weak' or 'strong', got {connection!r}")
    graph = graph_of("connected_components", csgraph)
    n = graph.size
    if n == 0:
        count, labels = 0, cp.zeros(0, np.int32)
    elif directed and connection.lower() == "strong":
        index, labels = cp.zeros(n, np.uint32), cp.empty(n, np.int32)
        stack, frames = cp.empty(n, np.int32), cp.empty(5 * n, np.int32)
        found = cp.zeros(1, np.int64)
        run("strong_components", graph.start, graph.target, index, labels, stack, frames, found, np.int32(n))
        count = int(found[0])
    else:
        count, labels = _weak(graph)
    return (count, labels) if return_labels else count


def _weak(graph: Graph) -> tuple[int, ndarray]:
    """Return the components of an undirected graph, by the union of edges that images are labelled with."""
    from ...ndimage._kernels import kernel

    threads, n = 128, graph.size
    parent = cp.arange(n, dtype=np.int32)
    if graph.target.size and parent.device == "cpu":
        arguments: tuple[Any, ...] = (parent, graph.start, graph.target, np.int64(_STRETCH), np.int64(n))
        # The root of a component is its first node, in whatever order threads work.
        united = kernel("label", "unite_neighbours<int>")
        united((-(-n // _STRETCH),), (1,), arguments, deterministic=False)
    elif graph.target.size:
        source = graph.source
        arguments = (parent, source, graph.target, np.int64(source.size))
        kernel("label", "unite_pairs<int>")((-(-source.size // threads),), (threads,), arguments)
    root, is_root = cp.empty(n, np.int32), cp.empty(n, np.bool_)
    kernel("label", "find_roots<int>")((-(-n // threads),), (threads,), (parent, root, is_root, n))
    number = cp.cumsum(is_root, dtype=np.int32)
    return int(number[-1]), number[root] - np.int32(1)


def _first(op: str, i_start: Any, n: int) -> Any:
    if not 0 <= i_start < n:
        raise IndexError(f"{op}: i_start={i_start} is out of bounds for a graph of {n} nodes")
    return np.int32(int(i_start))


def _order(op: str, csgraph: Any, i_start: Any, directed: bool, deep: bool) -> tuple[ndarray, ndarray]:
    graph = graph_of(op, csgraph, directed)
    n = graph.size
    first = _first(op, i_start, n)
    order, before, found = cp.empty(n, np.int32), cp.full(n, NOWHERE, np.int32), cp.zeros(1, np.int64)
    if deep:
        run("depth_first", graph.start, graph.target, order, before, graph.start.copy(), found, first)
    else:
        run("breadth_first", graph.start, graph.target, order, before, found, first)
    return order[: int(found[0])], before


@names_itself
@documented
def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """Return the nodes that can be reached from one, the nearest first.

    Parameters
    ----------
    {graph}
    i_start : int
        The node to begin with.
    {directed}
    {return_predecessors}

    Returns
    -------
    node_array : ndarray of int32
        The nodes.
    predecessors : ndarray of int32
        The node before each node, -9999 where there is none.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import breadth_first_order
    >>> breadth_first_order(cp.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]]), 0)[0]
    array([0, 1, 2], dtype=int32)
    """
    order, before = _order("breadth_first_order", csgraph, i_start, directed, False)
    return (order, before) if return_predecessors else order


@names_itself
@documented
def depth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """Return the nodes that can be reached from one, in the order of a search that goes on from the last one.

    Parameters
    ----------
    {graph}
    i_start : int
        The node to begin with.
    {directed}
    {return_predecessors}

    Returns
    -------
    node_array : ndarray of int32
        The nodes.
    predecessors : ndarray of int32
        The node before each node, -9999 where there is none.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import depth_first_order
    >>> depth_first_order(cp.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]]), 0)[1]
    array([-9999,     0,     1], dtype=int32)
    """
    order, before = _order("depth_first_order", csgraph, i_start, directed, True)
    return (order, before) if return_predecessors else order


@names_itself
@documented
def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """Return the tree of a search that takes the nearest nodes first.

    Parameters
    ----------
    {graph}
    i_start : int
        The node to begin with.
    {directed}

    Returns
    -------
    csr_array or csr_matrix
        The tree, with the graph's weights.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import breadth_first_tree
    >>> breadth_first_tree(cp.array([[0, 5, 7], [0, 0, 2], [0, 0, 0]]), 0).toarray()
    array([[0., 5., 7.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    before = _order("breadth_first_tree", csgraph, i_start, directed, False)[1]
    return reconstruct_path(csgraph, before, directed)


@names_itself
@documented
def depth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """Return the tree of a search that goes on from the last node.

    Parameters
    ----------
    {graph}
    i_start : int
        The node to begin with.
    {directed}

    Returns
    -------
    csr_array or csr_matrix
        The tree, with the graph's weights.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import depth_first_tree
    >>> depth_first_tree(cp.array([[0, 5, 7], [0, 0, 2], [0, 0, 0]]), 0).toarray()
    array([[0., 5., 0.],
           [0., 0., 2.],
           [0., 0., 0.]])
    """
    before = _order("depth_first_tree", csgraph, i_start, directed, True)[1]
    return reconstruct_path(csgraph, before, directed)

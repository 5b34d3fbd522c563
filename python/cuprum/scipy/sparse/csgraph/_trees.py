"""Spanning trees and orders of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._coo import is_of_scipy
from ._graphs import both_ways, graph_of, kind_of, run

__all__ = ["minimum_spanning_tree", "reverse_cuthill_mckee"]


@names_itself
def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """Return the edges of least total weight that connect the nodes of an undirected graph.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph; of two edges between nodes the lighter one counts.
    overwrite : bool, optional
        Without effect.

    Returns
    -------
    csr_array or csr_matrix
        The edges, a tree for each component.

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import minimum_spanning_tree
    >>> minimum_spanning_tree(cp.array([[0, 8, 3], [0, 0, 2], [0, 0, 0]])).toarray()
    array([[0., 0., 3.],
           [0., 0., 2.],
           [0., 0., 0.]])
    """
    graph = graph_of("minimum_spanning_tree", csgraph)
    n, source = graph.size, graph.source
    keep = cp.zeros(source.size, np.bool_)
    if source.size:
        order = cp.argsort(graph.weight, kind="stable")
        parent = cp.arange(n, dtype=np.int32)
        run("spanning_forest", source, graph.target, order, parent, keep, np.int64(source.size))
    # Edges of weight 0 are not kept, as SciPy has it.
    keep = keep & (graph.weight != 0)
    made = kind_of(csgraph)._made(graph.weight, graph.target, graph.start, (n, n))
    return made._kept(keep)


@names_itself
def reverse_cuthill_mckee(graph: Any, symmetric_mode: bool = False) -> ndarray:
    """Return an order of nodes that brings the elements of a sparse matrix near its diagonal.

    Parameters
    ----------
    graph : sparse matrix
        The matrix.
    symmetric_mode : bool, optional
        Whether its pattern is symmetric; otherwise the pattern of ``graph + graph.T`` is taken.

    Returns
    -------
    ndarray
        The order of rows and columns, of the dtype of the matrix's indices.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import reverse_cuthill_mckee
    >>> reverse_cuthill_mckee(csr_array(cp.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]])))
    array([2, 0, 1], dtype=int32)
    """
    if not (issparse(graph) or is_of_scipy(graph)):
        raise TypeError("reverse_cuthill_mckee: Input graph must be sparse")
    if graph.format not in ("csr", "csc"):
        raise TypeError("reverse_cuthill_mckee: Input must be in CSC or CSR sparse format.")
    edges = graph_of("reverse_cuthill_mckee", graph)
    if not symmetric_mode:
        edges = both_ways(edges)
    n = edges.size
    if n == 0:
        return cp.zeros(0, graph.indices.dtype)
    source = edges.source
    degree = cp.bincount(source, minlength=n) if source.size else cp.zeros(n, np.int64)
    # Edges in order of their targets' degrees, node by node.
    by_degree = cp.argsort(degree[edges.target], kind="stable")
    by_node = by_degree[cp.argsort(source[by_degree], kind="stable")]
    roots = cp.argsort(degree, kind="stable").astype(np.int32)
    order, seen = cp.empty(n, np.int32), cp.zeros(n, np.bool_)
    run("cuthill_mckee", edges.start, edges.target[by_node], roots, order, seen, np.int32(n))
    return cp.ascontiguousarray(order[::-1]).astype(graph.indices.dtype, copy=False)

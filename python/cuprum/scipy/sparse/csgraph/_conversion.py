"""Graphs from dense matrices and back, and paths from predecessors."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._compressed import csr_array
from .._coo import from_scipy, is_of_scipy
from ._graphs import _of_dense, graph_of, kind_of, matrix_of

__all__ = [
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_to_dense",
    "reconstruct_path",
]


@names_itself
def csgraph_from_dense(
    graph: Any, null_value: Any = 0, nan_null: bool = True, infinity_null: bool = True
) -> Any:
    """Return a dense matrix as a sparse graph.

    Parameters
    ----------
    graph : array_like
        The square matrix of weights.
    null_value : float or None, optional
        The weight that means that there is no edge.
    nan_null, infinity_null : bool, optional
        Whether NaN and infinities mean it too.

    Returns
    -------
    csr_array

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import csgraph_from_dense
    >>> csgraph_from_dense(cp.array([[0.0, cp.inf], [3.0, 0.0]])).nnz
    1
    """
    if issparse(graph) or is_of_scipy(graph):
        raise ValueError("csgraph_from_dense: graph must be a dense array, got a sparse one")
    dense = as_array(graph)
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
        raise ValueError(f"csgraph_from_dense: graph must be a square array, got shape {dense.shape}")
    return _of_dense(dense.astype(np.float64), null_value, nan_null, infinity_null)


@names_itself
def csgraph_from_masked(graph: Any) -> Any:
    """Return a masked matrix of NumPy as a sparse graph.

    Parameters
    ----------
    graph : numpy.ma.MaskedArray
        The square matrix of weights; what is masked is no edge.

    Returns
    -------
    csr_array

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import csgraph_from_masked
    >>> csgraph_from_masked(np.ma.masked_equal([[0, 2], [9, 0]], 9)).nnz
    3
    """
    values = np.ma.asarray(graph)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"csgraph_from_masked: graph must be a square array, got shape {values.shape}")
    dense = cp.asarray(values.filled(0).astype(np.float64))
    row, col = cp.nonzero(cp.asarray(~np.ma.getmaskarray(values)))
    return csr_array._of_sorted(dense[row, col], row, col, (dense.shape[0], dense.shape[1]))


@names_itself
def csgraph_to_dense(csgraph: Any, null_value: Any = 0) -> ndarray:
    """Return a sparse graph as a dense matrix.

    Parameters
    ----------
    csgraph : sparse matrix
        The graph. Of edges that are stored twice, the smallest counts.
    null_value : float, optional
        The weight that means that there is no edge.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import csgraph_to_dense
    >>> csgraph_to_dense(csr_array(cp.array([[0, 2], [0, 0]])), null_value=-1)
    array([[-1.,  2.],
           [-1., -1.]])
    """
    if is_of_scipy(csgraph):
        csgraph = from_scipy(csgraph)
    if not issparse(csgraph):
        raise ValueError("csgraph_to_dense: csgraph must be sparse")
    return dense_of(matrix_of("csgraph_to_dense", csgraph, to_dense=True), float(null_value))


def dense_of(matrix: Any, null: float) -> ndarray:
    """Return a graph in compressed rows as a dense matrix, the smallest of edges that are stored twice."""
    n = matrix.shape[0]
    smallest = cp.full(n * n, np.inf)
    place = matrix._lines().astype(np.int64) * n + matrix.indices
    cp.minimum.at(smallest, place, matrix.data)
    dense = cp.full(n * n, null)
    dense[place] = smallest[place]
    return dense.reshape(n, n)


@names_itself
def reconstruct_path(csgraph: Any, predecessors: Any, directed: bool = True) -> Any:
    """Return the tree that predecessors describe, with the weights of a graph.

    Parameters
    ----------
    csgraph : sparse matrix or array_like
        The graph.
    predecessors : array_like of int
        The node before each node, -9999 where there is none.
    directed : bool, optional
        Whether edges lead one way.

    Returns
    -------
    csr_array or csr_matrix

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import reconstruct_path
    >>> reconstruct_path(cp.array([[0, 5], [0, 0]]), cp.array([-9999, 0])).toarray()
    array([[0., 5.],
           [0., 0.]])
    """
    graph = graph_of("reconstruct_path", csgraph, directed)
    if not directed:
        # A zero is no edge, as in SciPy.
        graph = graph._replace(weight=cp.where(graph.weight == 0, np.inf, graph.weight))
    n = graph.size
    before = as_array(predecessors).astype(np.int64)
    if before.shape != (n,):
        raise ValueError(f"reconstruct_path: predecessors must have shape ({n},), got {before.shape}")
    node = cp.flatnonzero(before >= 0)
    source = before[node]
    if node.size and int(source.max()) >= n:
        raise ValueError(f"reconstruct_path: predecessors must be below {n}")
    order = cp.argsort(source * n + node)
    source, node = source[order], node[order]
    weight = _weights(graph, source, node)
    return kind_of(csgraph)._of_sorted(weight, source, node, (n, n))


def _weights(graph: Any, source: ndarray, target: ndarray) -> ndarray:
    """Return the weights of edges, the smallest of several; infinity where there is none."""
    if not graph.target.size or not source.size:
        return cp.full(source.size, np.inf)
    key = graph.source.astype(np.int64) * graph.size + graph.target
    order = cp.argsort(key, kind="stable")
    key, weight = key[order], graph.weight[order]
    first = cp.flatnonzero(cp.concatenate((cp.ones(1, bool), key[1:] != key[:-1])))
    key, weight = key[first], cp.minimum.reduceat(weight, first)
    wanted = source.astype(np.int64) * graph.size + target
    at = cp.minimum(cp.searchsorted(key, wanted), key.size - 1)
    return cp.where(key[at] == wanted, weight[at], np.inf)


@names_itself
def construct_dist_matrix(
    graph: Any, predecessors: Any, directed: bool = True, null_value: float = np.inf
) -> ndarray:
    """Return the lengths of the paths that predecessors describe.

    Parameters
    ----------
    graph : sparse matrix or array_like
        The graph.
    predecessors : array_like of int32
        Row `i` gives the node before each node on paths from node `i`, -9999 where there is none.
    directed : bool, optional
        Whether edges lead one way.
    null_value : float, optional
        The length where no path leads.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> from cuprum.scipy.sparse.csgraph import construct_dist_matrix
    >>> construct_dist_matrix(cp.array([[0, 5], [0, 0]]), cp.array([[-9999, 0], [-9999, -9999]], "int32"))
    array([[ 0.,  5.],
           [inf,  0.]])
    """
    edges = graph_of("construct_dist_matrix", graph, directed)
    n = edges.size
    before = as_array(predecessors)
    if before.dtype != np.int32:
        raise TypeError("construct_dist_matrix: Type of predecessors array should be np.int32")
    if before.shape != (n, n):
        raise ValueError(f"construct_dist_matrix: predecessors must have shape {(n, n)}, got {before.shape}")
    # Each round doubles how many edges of every path have been added up.
    at = cp.arange(n)[:, None]
    node = cp.arange(n)[None, :]
    is_edge = (before >= 0) & (at != node)
    up = cp.where(is_edge, before.astype(np.int64), node)
    if n and int(up.max()) >= n:
        raise ValueError(f"construct_dist_matrix: predecessors must be below {n}")
    flat = _weights(edges, cp.where(is_edge, up, 0).ravel(), cp.broadcast_to(node, (n, n)).ravel())
    length = cp.where(is_edge, flat.reshape(n, n), 0.0)
    for _ in range(max(n - 1, 0).bit_length()):
        length, up = length + cp.take_along_axis(length, up, 1), cp.take_along_axis(up, up, 1)
    return cp.where(up == at, length, null_value)

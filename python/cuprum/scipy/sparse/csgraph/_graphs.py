"""Graphs as functions of this module take them: sparse matrices, or dense ones whose zeros are no edges."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import cuprum as cp

from ...._convert import as_array
from ...._core import ndarray
from .._base import issparse
from .._compressed import csr_array, csr_matrix
from .._coo import from_scipy, is_of_scipy
from .._kernels import kernel

__all__ = ["NegativeCycleError"]

NOWHERE = -9999


class NegativeCycleError(Exception):
    """A graph has a cycle whose weights add up to less than zero: there are no shortest paths."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)


class Graph(NamedTuple):
    """Edges in compressed rows: where each node's begin, where they lead, their weights."""

    start: ndarray
    target: ndarray
    weight: ndarray

    @property
    def size(self) -> int:
        """The number of nodes."""
        return int(self.start.size) - 1

    @property
    def source(self) -> ndarray:
        """The node that each edge begins at."""
        return cp.repeat(cp.arange(self.size, dtype=np.int32), cp.diff(self.start))


def matrix_of(op: str, graph: Any, to_dense: bool = False) -> Any:
    """Return a graph as a square matrix in compressed rows, with elements of float64.

    Elements of one place are edges side by side or, as in SciPy, one edge where their dtype is another and
    the matrix is not to become a dense one.
    """
    if is_of_scipy(graph):
        graph = from_scipy(graph)
    if not issparse(graph):
        dense = as_array(graph)
        if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
            raise ValueError(f"{op}: compressed-sparse graph must be shape (N, N), got {dense.shape}")
        return _of_dense(dense.astype(np.float64), 0.0, True, True)
    if graph.shape[0] != graph.shape[1]:
        raise ValueError(f"{op}: compressed-sparse graph must be shape (N, N), got {graph.shape}")
    rows = graph.tocsr()
    # Algorithms follow the edges wherever they lead.
    rows.check_format()
    if rows.dtype == np.float64:
        return rows
    rows = rows.astype(np.float64)
    return rows if to_dense else rows._canonical()


def _of_dense(dense: ndarray, null: Any, nan_null: bool, infinity_null: bool) -> Any:
    is_edge = dense != null if null is not None and not np.isnan(null) else cp.ones(dense.shape, bool)
    if nan_null or null is not None and np.isnan(null):
        is_edge = is_edge & ~cp.isnan(dense)
    if infinity_null:
        is_edge = is_edge & ~cp.isinf(dense)
    row, col = cp.nonzero(is_edge)
    return csr_array._of_sorted(dense[row, col], row, col, (dense.shape[0], dense.shape[1]))


def graph_of(op: str, graph: Any, directed: bool = True, unweighted: bool = False) -> Graph:
    """Return the edges of a graph; where it is not directed, each in both directions."""
    if not directed and getattr(graph, "format", "") == "csc":
        # The transpose is the same graph, and compressed rows already.
        graph = graph.T
    matrix = matrix_of(op, graph)
    if max(matrix.shape[0], 2 * matrix.nnz) > np.iinfo(np.int32).max:
        raise ValueError(f"{op}: graphs of more than {np.iinfo(np.int32).max} edges are not supported")
    weight = cp.ones(matrix.nnz) if unweighted else cp.ascontiguousarray(matrix.data)
    start, target = (part.astype(np.int32, copy=False) for part in (matrix.indptr, matrix.indices))
    edges = Graph(start, target, weight)
    return edges if directed else both_ways(edges)


def both_ways(graph: Graph) -> Graph:
    """Return a graph with each edge in both directions; a node's own edges come first."""
    source, target = graph.source, graph.target
    row, col = cp.concatenate((source, target)), cp.concatenate((target, source))
    order = cp.argsort(row, kind="stable")
    start = cp.zeros(graph.size + 1, np.int32)
    if row.size:
        start[1:] = cp.cumsum(cp.bincount(row, minlength=graph.size))
    return Graph(start, col[order], cp.concatenate((graph.weight, graph.weight))[order])


def kind_of(graph: Any) -> type[Any]:
    """Return the class of a sparse result: a matrix where the graph is one, else an array."""
    is_matrix = issparse(graph) and not graph._is_array or type(graph).__name__.endswith("_matrix")
    return csr_matrix if is_matrix else csr_array


def run(name: str, *arguments: Any, threads: int = 1) -> None:
    """Run a kernel with one thread, or with some that do not meet."""
    block = 1 if threads == 1 or arguments[0].device == "cpu" else 32
    kernel("csgraph/graph", name)((-(-threads // block),), (block,), arguments)

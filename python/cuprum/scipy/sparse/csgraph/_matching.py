"""Matchings of rows to columns, and flows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ...._core import ndarray
from ...._errors import names_itself
from .._base import issparse
from .._coo import from_scipy, is_of_scipy
from ._graphs import kind_of, run

__all__ = [
    "MaximumFlowResult",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "structural_rank",
]


def _sparse(op: str, graph: Any) -> Any:
    if is_of_scipy(graph):
        graph = from_scipy(graph)
    if not issparse(graph):
        raise TypeError(f"{op}: graph must be sparse")
    rows = graph.tocsr()
    rows.check_format()
    return rows


def _parts(csr: Any) -> tuple[ndarray, ndarray]:
    return csr.indptr.astype(np.int32, copy=False), csr.indices.astype(np.int32, copy=False)


def _match(csr: Any) -> tuple[ndarray, ndarray]:
    """Return the column of each row and the row of each column in a largest matching, -1 for none."""
    rows, columns = csr.shape
    of_row, of_column = cp.full(rows, -1, np.int32), cp.full(columns, -1, np.int32)
    scratch = [cp.empty(rows + 1, np.int32) for _ in range(3)]
    if rows and columns:
        run("bipartite_matching", *_parts(csr), of_row, of_column, *scratch, np.int32(rows))
    return of_row, of_column


@names_itself
def maximum_bipartite_matching(graph: Any, perm_type: str = "row") -> ndarray:
    """Return a matching of rows to columns with as many pairs as possible.

    Parameters
    ----------
    graph : sparse matrix
        Its stored elements are the pairs that are allowed.
    perm_type : {'row', 'column'}, optional
        Whether to return the row of each column, or the column of each row.

    Returns
    -------
    ndarray of int32
        The partners, -1 for those that have none.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import maximum_bipartite_matching
    >>> maximum_bipartite_matching(csr_array(cp.array([[1, 1], [1, 0]])), perm_type="column")
    array([1, 0], dtype=int32)
    """
    csr = _sparse("maximum_bipartite_matching", graph)
    of_row, of_column = _match(csr)
    return of_row if perm_type == "column" else of_column


@names_itself
def structural_rank(graph: Any) -> int:
    """Return the largest rank that a matrix with the same stored elements can have.

    Parameters
    ----------
    graph : sparse matrix
        The matrix.

    Returns
    -------
    int

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import structural_rank
    >>> structural_rank(csr_array(cp.array([[1, 1], [0, 0]])))
    1
    """
    if not (issparse(graph) or is_of_scipy(graph)):
        raise TypeError("structural_rank: Input must be sparse")
    of_row, _ = _match(_sparse("structural_rank", graph))
    return int(cp.count_nonzero(of_row >= 0))


@names_itself
def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> tuple[ndarray, ndarray]:
    """Return the matching of least total weight that has a pair for each row, or for each column.

    Parameters
    ----------
    biadjacency : sparse matrix
        The weights of the pairs that are allowed; zeros are not.
    maximize : bool, optional
        Whether to look for the greatest total weight.

    Returns
    -------
    row_ind, col_ind : ndarray of int32
        The pairs, in the order of rows.

    Raises
    ------
    ValueError
        Where there is no such matching.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import min_weight_full_bipartite_matching
    >>> min_weight_full_bipartite_matching(csr_array(cp.array([[3, 1], [1, 2]])))
    (array([0, 1], dtype=int32), array([1, 0], dtype=int32))
    """
    op = "min_weight_full_bipartite_matching"
    csr = _sparse(op, biadjacency)
    if csr.dtype.kind not in "biuf":
        raise ValueError(f"{op}: expected a matrix containing numerical entries, got {csr.dtype}")
    csr = csr._canonical().astype(np.float64, copy=False)
    if csr.nnz and bool((csr.data == 0).any()):
        warnings.warn("explicit zero weights are removed before matching.", stacklevel=3)
        csr = csr._without_zeros()
    is_tall = csr.shape[0] > csr.shape[1]
    if is_tall:
        csr = csr.T.tocsr()
    rows, columns = csr.shape
    weight = cp.ascontiguousarray(-csr.data if maximize else csr.data)
    of_row, of_column = cp.full(rows, -1, np.int32), cp.full(columns, -1, np.int32)
    status = cp.zeros(1, np.int32)
    if rows:
        scratch = [cp.empty(columns, np.int32) for _ in range(3)]
        run(
            "assignment", *_parts(csr), weight, of_row, of_column, cp.zeros(rows), cp.zeros(columns),
            cp.full(columns, np.inf), scratch[0], scratch[1], cp.full(columns, -1, np.int32), scratch[2],
            status, np.int32(rows),
        )  # fmt: skip
    if int(status[0]):
        raise ValueError(f"{op}: no full matching exists")
    if not is_tall:
        return cp.arange(rows, dtype=np.int32), of_row
    order = cp.argsort(of_row).astype(np.int32)
    return of_row[order], order


class MaximumFlowResult:
    """What `maximum_flow` returns.

    Attributes
    ----------
    flow_value : int
        The flow from source to sink.
    flow : csr_array or csr_matrix
        The flow along each edge; negative against its direction.

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import maximum_flow
    >>> maximum_flow(csr_array(cp.array([[0, 5], [0, 0]])), 0, 1)
    MaximumFlowResult with value of 5
    """

    def __init__(self, flow_value: int, flow: Any) -> None:
        self.flow_value = flow_value
        self.flow = flow

    def __repr__(self) -> str:
        return f"MaximumFlowResult with value of {self.flow_value}"


@names_itself
def maximum_flow(csgraph: Any, source: int, sink: int, *, method: str = "dinic") -> MaximumFlowResult:
    """Return the greatest flow between two nodes of a graph with capacities.

    Parameters
    ----------
    csgraph : csr_array or csr_matrix of int
        The graph: element ``(i, j)`` is the capacity of the edge from node `i` to node `j`.
    source, sink : int
        The nodes.
    method : {'dinic', 'edmonds_karp'}, optional
        The algorithm: Dinic's is taken for both, whose results are equal in value.

    Returns
    -------
    MaximumFlowResult

    Examples
    --------
    >>> from cuprum.scipy.sparse import csr_array
    >>> from cuprum.scipy.sparse.csgraph import maximum_flow
    >>> capacities = csr_array(cp.array([[0, 4, 2], [0, 0, 3], [0, 0, 0]]))
    >>> maximum_flow(capacities, 0, 2).flow_value
    5
    """
    if is_of_scipy(csgraph) and getattr(csgraph, "format", "") == "csr":
        csgraph = kind_of(csgraph)(csgraph)
    if not (issparse(csgraph) and csgraph.format == "csr"):
        raise TypeError("maximum_flow: graph must be in CSR format")
    if csgraph.dtype.kind not in "iu":
        raise ValueError("maximum_flow: graph capacities must be integers")
    if method not in ("dinic", "edmonds_karp"):
        raise ValueError(f"maximum_flow: {method} method is not supported yet.")
    if csgraph.shape[0] != csgraph.shape[1]:
        raise ValueError("maximum_flow: graph must be specified as a square matrix.")
    n = csgraph.shape[0]
    for name, node in (("source", source), ("sink", sink)):
        if not 0 <= node < n:
            raise ValueError(f"maximum_flow: {name} value ({node}) must be between 0 and {n - 1}")
    if source == sink:
        raise ValueError("maximum_flow: source and sink vertices must differ")
    csgraph.check_format()
    # Each edge gets one that leads back, of no capacity where the graph has none.
    matrix = csgraph._canonical()
    row, col = matrix._lines().astype(np.int64), matrix.indices.astype(np.int64)
    there, back = row * n + col, col * n + row
    key = cp.unique(cp.concatenate((there, back)))
    capacity = cp.zeros(key.size, np.int64)
    capacity[cp.searchsorted(key, there)] = matrix.data.astype(np.int64)
    source_of, target = cp.divmod(key, n)
    reverse = cp.searchsorted(key, target * n + source_of).astype(np.int32)
    found = kind_of(csgraph)._of_sorted(cp.zeros(key.size, np.int64), source_of, target, (n, n))
    value = cp.zeros(1, np.int64)
    if key.size:
        scratch = [cp.empty(n + 1, np.int32) for _ in range(3)]
        run(
            "maximum_flow", *_parts(found), capacity, reverse, found.data, *scratch, value, np.int32(source),
            np.int32(sink), np.int32(n),
        )  # fmt: skip
    return MaximumFlowResult(int(value[0]), found.astype(np.int32))

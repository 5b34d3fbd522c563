"""Algorithms on graphs that sparse matrices describe, under the names of `scipy.sparse.csgraph`."""

from __future__ import annotations

from ._conversion import (
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_to_dense,
    reconstruct_path,
)
from ._graphs import NegativeCycleError
from ._laplacian import laplacian
from ._matching import (
    MaximumFlowResult,
    maximum_bipartite_matching,
    maximum_flow,
    min_weight_full_bipartite_matching,
    structural_rank,
)
from ._shortest_path import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path
from ._traversal import (
    breadth_first_order,
    breadth_first_tree,
    connected_components,
    depth_first_order,
    depth_first_tree,
)
from ._trees import minimum_spanning_tree, reverse_cuthill_mckee

__all__ = [
    "MaximumFlowResult",
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_to_dense",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
]

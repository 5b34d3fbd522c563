"""Index arrays of sparse matrices that were changed into what is no matrix."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import csgraph


def matrix(form="csr"):
    dense = cp.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 4.0, 5.0, 0.0], [0.0, 0.0, 0.0, 6.0]])
    return sparse.csr_matrix(dense).asformat(form)


@pytest.mark.parametrize("row", [4, -1, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
def test_coordinates_outside_of_the_matrix(row, form):
    for name in ("row", "col"):
        m = matrix("coo")
        getattr(m, name)[-1] = row
        with pytest.raises((ValueError, IndexError)):
            m.asformat(form)


@pytest.mark.parametrize("row", [4, 100, -7])
def test_sorted_rows_outside_of_the_matrix(row):
    """Elements that are known to be in order are not sorted again."""
    m = matrix("coo")
    assert m.has_canonical_format
    m.row[0 if row < 0 else -1] = row
    with pytest.raises(ValueError, match="row index"):
        m.tocsr()


GRAPHS = {
    "connected_components": csgraph.connected_components,
    "breadth_first_order": lambda m: csgraph.breadth_first_order(m, 0),
    "depth_first_order": lambda m: csgraph.depth_first_order(m, 0),
    "dijkstra": csgraph.dijkstra,
    "bellman_ford": csgraph.bellman_ford,
    "johnson": csgraph.johnson,
    "floyd_warshall": csgraph.floyd_warshall,
    "minimum_spanning_tree": csgraph.minimum_spanning_tree,
    "reverse_cuthill_mckee": csgraph.reverse_cuthill_mckee,
    "maximum_bipartite_matching": csgraph.maximum_bipartite_matching,
    "maximum_flow": lambda m: csgraph.maximum_flow(m.astype("i4"), 0, 3),
}
BROKEN = {
    "a target beyond": lambda m: m.indices.__setitem__(2, 4),
    "a target far beyond": lambda m: m.indices.__setitem__(0, 2**31 - 1),
    "a negative target": lambda m: m.indices.__setitem__(1, -1),
    "starts that fall": lambda m: m.indptr.__setitem__(2, 0),
    "starts beyond the end": lambda m: m.indptr.__setitem__(-1, 1000),
    "a negative start": lambda m: m.indptr.__setitem__(1, -3),
    "no beginning": lambda m: m.indptr.__setitem__(0, 2),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("broken", BROKEN)
def test_graphs(name, broken):
    m = matrix()
    BROKEN[broken](m)
    with pytest.raises(ValueError, match="index"):
        GRAPHS[name](m)


def test_graphs_of_scipy_are_not_changed():
    theirs = pytest.importorskip("scipy.sparse").csr_matrix(np.eye(3))
    count, labels = csgraph.connected_components(theirs)
    assert count == 3 and labels.tolist() == [0, 1, 2]

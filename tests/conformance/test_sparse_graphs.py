"""Graph algorithms against SciPy's. Where several answers are right, the tests check what makes them so."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs
from scipy_twin import SCIPY

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import csgraph as ours


def random_graph(n, density, seed, low=1):
    rng = np.random.default_rng(seed)
    # Sums of random weights are distinct: shortest paths and spanning trees are unique.
    weights = rng.random((n, n)) * 50 + low
    return weights * (rng.random((n, n)) < density) * (1 - np.eye(n))


GRAPHS = {
    "sparse": random_graph(30, 0.06, 1),
    "dense": random_graph(20, 0.5, 2),
    "parts": scipy.sparse.block_diag([random_graph(8, 0.4, 3), random_graph(5, 0.1, 4), [[0.0]]]).toarray(),
    "line": np.diag(np.arange(1.0, 6.0), 1),
    "one": np.zeros((1, 1)),
    "none": np.zeros((4, 4)),
}
FORMS = ["csr_array", "csc_matrix", "dense"]


def both(name, form):
    """A graph for SciPy and for ours."""
    a = GRAPHS[name]
    if form == "dense":
        return a, cp.asarray(a)
    return getattr(scipy.sparse, form)(a), getattr(sparse, form)(cp.asarray(a))


def same(got, want, label=""):
    if isinstance(want, tuple):
        assert len(got) == len(want), label
        for one, other in zip(got, want, strict=True):
            same(one, other, label)
        return
    if scipy.sparse.issparse(want):
        assert (
            sparse.issparse(got) and got.format == want.format and type(got).__name__ == type(want).__name__
        )
        got, want = got.toarray(), want.toarray()
    if isinstance(want, np.ndarray):
        assert isinstance(got, cp.ndarray), label
        got = got.get()
        assert (got.shape, got.dtype) == (want.shape, want.dtype), (label, got, want)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12, err_msg=str(label))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_components_and_searches(name, form):
    a, b = both(name, form)
    for keywords in ({}, {"directed": False}, {"return_labels": False}):
        same(ours.connected_components(b, **keywords), theirs.connected_components(a, **keywords), keywords)
    # SciPy 1.18 follows edges from the first to the last, those before from the last to the first.
    found, labels = ours.connected_components(b, connection="strong")
    want = theirs.connected_components(a, connection="strong")
    if SCIPY >= (1, 18):
        same((found, labels), want, "strong")
    labels = labels.get()
    pairs = {(int(i), int(j)) for i, j in zip(labels, want[1], strict=True)}
    assert found == want[0] == len(pairs) == len(set(labels.tolist()))
    # Components are numbered as they are completed: edges lead to earlier ones.
    graph = scipy.sparse.coo_array(GRAPHS[name])
    assert (labels[graph.row] >= labels[graph.col]).all()
    for first in range(0, a.shape[0], 7):
        for directed in (True, False):
            for kind in ("breadth_first", "depth_first"):
                order, tree = f"{kind}_order", f"{kind}_tree"
                same(
                    getattr(ours, order)(b, first, directed),
                    getattr(theirs, order)(a, first, directed),
                    order,
                )
                same(getattr(ours, tree)(b, first, directed), getattr(theirs, tree)(a, first, directed), tree)
    same(ours.breadth_first_order(b, 0, return_predecessors=False), theirs.breadth_first_order(a, 0)[0])


def test_components_of_graphs_that_threads_share():
    rng, n = np.random.default_rng(8), 6000
    path = np.stack((np.arange(n - 1), np.arange(1, n)))
    graphs = {
        "sparse": rng.integers(0, n, (2, n // 2)),
        "one large part": rng.integers(0, n, (2, n)),
        "path": path,
        "path backwards": path[::-1],
        "path in any order": rng.permutation(n)[path],
        "star": np.stack((np.full(n, n - 1), np.arange(n))),
        "pairs": np.stack((np.arange(n // 2), np.arange(n - 1, n // 2 - 1, -1))),
    }
    for name, edges in graphs.items():
        a = scipy.sparse.coo_array((np.ones(edges.shape[1]), edges), shape=(n, n)).tocsr()
        want, labels = theirs.connected_components(a, directed=False)
        count, found = ours.connected_components(sparse.csr_array(a), directed=False)
        assert count == want, name
        assert np.array_equal(cp.asnumpy(found), labels), name


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_shortest_paths(name, form):
    a, b = both(name, form)
    last = a.shape[0] - 1
    for directed in (True, False):
        given = {"directed": directed, "return_predecessors": True}
        want = theirs.dijkstra(a, **given)
        for method in ("auto", "FW", "D", "BF", "J"):
            same(ours.shortest_path(b, method, **given), want, (method, directed))
            if method == "FW":
                with pytest.raises(ValueError, match="indices"):
                    ours.shortest_path(b, method, directed=directed, indices=[last, 0])
                continue
            some = ours.shortest_path(b, method, directed=directed, indices=[last, 0])
            same(some, want[0][[last, 0]], (method, directed, "indices"))
        same(ours.dijkstra(b, indices=0, **given), theirs.dijkstra(a, indices=0, **given))
        same(ours.dijkstra(b, directed, [[0, last]]), theirs.dijkstra(a, directed, [[0, last]]))
        same(ours.dijkstra(b, limit=30.0, **given), theirs.dijkstra(a, limit=30.0, **given), "limit")
        for function in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
            got = getattr(ours, function)(b, directed=directed, unweighted=True)
            same(got, theirs.dijkstra(a, directed=directed, unweighted=True), (function, "unweighted"))
        given["indices"] = sorted({0, last // 2, last})
        same(ours.dijkstra(b, min_only=True, **given), theirs.dijkstra(a, min_only=True, **given), "min_only")


def test_negative_weights():
    a = random_graph(12, 0.4, 5)
    potential = np.random.default_rng(6).random(12) * 300
    a = np.where(a != 0, a + potential[:, None] - potential[None, :], 0)
    assert (a < 0).any()
    b = sparse.csr_array(cp.asarray(a))
    want = theirs.johnson(scipy.sparse.csr_array(a), return_predecessors=True)
    for method in ("auto", "FW", "BF", "J"):
        got = ours.shortest_path(b, method, return_predecessors=True)
        np.testing.assert_allclose(got[0].get(), want[0], atol=1e-9)
        same(got[1], want[1])
    with pytest.warns(UserWarning, match="negative"):
        ours.dijkstra(b)
    cycle = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -3.0], [1.0, 0.0, 0.0]])
    for name in ("bellman_ford", "johnson", "floyd_warshall"):
        for module, xp in ((ours, cp), (theirs, np)):
            with pytest.raises(module.NegativeCycleError):
                getattr(module, name)(xp.asarray(cycle))
    zero = scipy.sparse.csr_array((np.array([0.0, 0.0, 2.0]), ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
    for method in ("D", "BF", "J", "FW"):
        got = ours.shortest_path(
            sparse.csr_array((cp.asarray(zero.data), zero.indices, zero.indptr), shape=(3, 3)), method
        )
        same(got, theirs.shortest_path(zero, "D"), method)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_spanning_trees(name, form):
    a, b = both(name, form)
    same(ours.minimum_spanning_tree(b), theirs.minimum_spanning_tree(a))


def test_spanning_trees_of_equal_weights():
    a = (random_graph(25, 0.3, 8) != 0) * 2.0
    tree = ours.minimum_spanning_tree(cp.asarray(a)).get()
    want = theirs.minimum_spanning_tree(a)
    assert tree.nnz == want.nnz and tree.sum() == want.sum()
    assert (
        theirs.connected_components(tree, directed=False)[0]
        == theirs.connected_components(a, directed=False)[0]
    )
    assert (a[tree.nonzero()] == 2).all()


def bandwidth(a):
    row, col = np.nonzero(a)
    return abs(row - col).max()


def test_reverse_cuthill_mckee():
    side = 8
    line = scipy.sparse.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(side, side))
    grid = scipy.sparse.kronsum(line, line).toarray()
    shuffle = np.random.default_rng(0).permutation(side * side)
    grid = grid[np.ix_(shuffle, shuffle)]
    for kind in ("csr_array", "csc_array"):
        for mode in (True, False):
            order = ours.reverse_cuthill_mckee(getattr(sparse, kind)(cp.asarray(grid)), mode)
            assert order.dtype == np.int32 and sorted(order.tolist()) == list(range(side * side))
            want = theirs.reverse_cuthill_mckee(getattr(scipy.sparse, kind)(grid), mode)
            order = order.get()
            assert bandwidth(grid[np.ix_(order, order)]) <= bandwidth(grid[np.ix_(want, want)]) + 2
    lopsided = random_graph(30, 0.05, 9)
    order = ours.reverse_cuthill_mckee(sparse.csr_array(cp.asarray(lopsided))).get()
    assert sorted(order) == list(range(30))
    assert ours.reverse_cuthill_mckee(sparse.csr_array((0, 0))).size == 0
    for bad in (cp.eye(3), sparse.coo_array(cp.eye(3))):
        with pytest.raises(TypeError):
            ours.reverse_cuthill_mckee(bad)


@pytest.mark.parametrize("shape", [(20, 20), (12, 25), (25, 12), (1, 1), (4, 0)])
@pytest.mark.parametrize("density", [0.02, 0.1, 0.5, 1.0])
def test_matchings(shape, density):
    rng = np.random.default_rng(int(density * 100) + shape[0])
    a = (rng.random(shape) < density) * np.round(1 + rng.random(shape) * 90)
    b = sparse.csr_array(cp.asarray(a))
    other = scipy.sparse.csr_array(a)
    rank = theirs.structural_rank(other) if a.size else 0
    assert ours.structural_rank(b) == rank
    rows = ours.maximum_bipartite_matching(b, perm_type="column")
    columns = ours.maximum_bipartite_matching(b, perm_type="row")
    assert rows.shape == (shape[0],) and columns.shape == (shape[1],) and rows.dtype == np.int32
    for mates, matrix in ((rows.get(), a), (columns.get(), a.T)):
        at = np.flatnonzero(mates >= 0)
        assert at.size == rank == np.unique(mates[at]).size and (matrix[at, mates[at]] != 0).all()
    if not a.size:
        return
    for maximize in (False, True):
        if rank < min(shape):
            for module, graph in ((ours, b), (theirs, other)):
                with pytest.raises(ValueError, match="no full matching"):
                    module.min_weight_full_bipartite_matching(graph, maximize)
            continue
        row, col = ours.min_weight_full_bipartite_matching(b, maximize)
        want = theirs.min_weight_full_bipartite_matching(other, maximize)
        assert row.dtype == np.int32 and row.size == min(shape)
        row, col = row.get(), col.get()
        assert (np.diff(row) > 0).all() and np.unique(col).size == col.size and (a[row, col] != 0).all()
        assert a[row, col].sum() == a[want].sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_flows(seed, dtype):
    n = 14
    a = np.round(random_graph(n, 0.25, seed + 20)).astype(dtype)
    b = sparse.csr_array(cp.asarray(a))
    for method in ("dinic", "edmonds_karp"):
        want = theirs.maximum_flow(scipy.sparse.csr_array(a), 0, n - 1, method=method)
        got = ours.maximum_flow(b, 0, n - 1, method=method)
        assert got.flow_value == want.flow_value and repr(got) == repr(want)
        flow = got.flow.toarray().get()
        assert flow.dtype == np.int32 and (flow == -flow.T).all() and (flow <= a).all()
        assert got.flow.nnz == want.flow.nnz
        sums = flow.sum(axis=1)
        assert sums[0] == got.flow_value == -sums[-1] and not sums[1:-1].any()
    for module, sp, xp in ((ours, sparse, cp), (theirs, scipy.sparse, np)):
        graph = sp.csr_array(xp.asarray(a))
        for bad, error in (
            ((graph, 0, 0), ValueError), ((graph, 0, n), ValueError), ((graph, -1, 2), ValueError),
            ((graph.astype("float64"), 0, 1), ValueError), ((graph.tocsc(), 0, 1), TypeError),
            ((graph[:-1], 0, 1), ValueError), ((xp.asarray(a), 0, 1), TypeError),
        ):  # fmt: skip
            with pytest.raises(error):
                module.maximum_flow(*bad)


@pytest.mark.parametrize("form", ["csr_array", "coo_matrix", "dense"])
@pytest.mark.parametrize("normed", [False, True])
@pytest.mark.parametrize("symmetrized", [False, True])
def test_laplacians(form, normed, symmetrized):
    for name in ("sparse", "parts", "dense"):
        for dtype in ("float64", "int64", "complex128"):
            if dtype == "complex128" and normed and not symmetrized:
                continue  # square roots of complex degrees
            a = GRAPHS[name].astype(dtype)
            pair = (a, cp.asarray(a))
            if form != "dense":
                pair = (getattr(scipy.sparse, form)(a), getattr(sparse, form)(pair[1]))
            for out in (True, False):
                given = {
                    "normed": normed, "use_out_degree": out, "return_diag": True, "symmetrized": symmetrized,
                }  # fmt: skip
                want, want_diagonal = theirs.laplacian(pair[0].copy(), **given)
                got, diagonal = ours.laplacian(pair[1], **given)
                np.testing.assert_allclose(diagonal.get(), want_diagonal, rtol=1e-12)
                assert got.dtype == want.dtype
                if form != "dense":
                    assert got.format == want.format
                    got, want = got.toarray(), want.toarray()
                np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-12)
                v = np.random.default_rng(1).random((a.shape[0], 2))
                for shape in ("lo", "function"):
                    apply = ours.laplacian(pair[1], form=shape, **{**given, "return_diag": False})
                    if dtype == "int64":
                        continue
                    np.testing.assert_allclose(
                        (apply(cp.asarray(v)) if shape == "function" else apply @ cp.asarray(v)).get(),
                        want @ v,
                        rtol=1e-9, atol=1e-9 * abs(want).max(),
                    )  # fmt: skip
    for bad in ({"form": "x"},):
        with pytest.raises(ValueError):
            ours.laplacian(cp.eye(3), **bad)
    with pytest.raises(ValueError):
        ours.laplacian(cp.ones((2, 3)))


def test_conversions():
    a = np.array([[0, 1.5, np.inf], [np.nan, 2.0, 0], [3.0, 0, 0]])
    for keywords in (
        {},
        {"null_value": 2},
        {"nan_null": False},
        {"infinity_null": False},
        {"null_value": np.nan},
    ):
        got, want = (
            ours.csgraph_from_dense(cp.asarray(a), **keywords),
            theirs.csgraph_from_dense(a, **keywords),
        )
        assert got.nnz == want.nnz
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
    graph, want = ours.csgraph_from_dense(cp.asarray(a)), theirs.csgraph_from_dense(a)
    for null in (0, -1, np.inf):
        same(ours.csgraph_to_dense(graph, null), theirs.csgraph_to_dense(want, null))
    masked = np.ma.masked_invalid(a)
    assert ours.csgraph_from_masked(masked).nnz == theirs.csgraph_from_masked(masked).nnz
    for name in ("sparse", "parts"):
        a, b = both(name, "csr_array")
        for directed in (True, False):
            lengths, before = theirs.dijkstra(a, directed=directed, return_predecessors=True)
            got = ours.construct_dist_matrix(b, cp.asarray(before), directed)
            same(got, theirs.construct_dist_matrix(a, before, directed))
            same(
                ours.reconstruct_path(b, cp.asarray(before[3]), directed),
                theirs.reconstruct_path(a, before[3], directed),
            )
    with pytest.raises(TypeError):
        ours.construct_dist_matrix(b, cp.asarray(before).astype("int64"))
    for bad in (np.ones((2, 3)), np.ones(3)):
        for module, xp in ((ours, cp), (theirs, np)):
            with pytest.raises(ValueError):
                module.csgraph_from_dense(xp.asarray(bad))
    with pytest.raises(ValueError):
        ours.csgraph_to_dense(cp.eye(2))


def test_bad_graphs_are_refused():
    square = np.eye(3)
    for module, xp, sp in ((ours, cp, sparse), (theirs, np, scipy.sparse)):
        flat = sp.csr_array(xp.ones((2, 3)))
        for name in (
            "connected_components",
            "dijkstra",
            "bellman_ford",
            "floyd_warshall",
            "minimum_spanning_tree",
        ):
            with pytest.raises(ValueError):
                getattr(module, name)(flat)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for call in (
                lambda m=module, x=xp: m.dijkstra(x.asarray(square), limit=-1),
                lambda m=module, x=xp: m.dijkstra(x.asarray(square), indices=3),
                lambda m=module, x=xp: m.shortest_path(x.asarray(square), "X"),
                lambda m=module, x=xp: m.connected_components(x.asarray(square), connection="x"),
            ):
                with pytest.raises(ValueError):
                    call()
    with pytest.raises(IndexError):
        ours.breadth_first_order(cp.eye(3), 3)
    with pytest.raises(TypeError):
        ours.structural_rank(cp.eye(3))

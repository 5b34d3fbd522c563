"""Graph algorithms on random graphs against SciPy's: dtypes, order, duplicates, zeros, infinities.

Graphs are small and many. Where several answers are right, what all of them have in common is compared.
"""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import csgraph as ours

DTYPES = ["float64", "float64", "float32", "int32", "int64", "int8", "uint8", "bool"]
STYLES = ["plain", "ties", "zeros", "negative", "infinite", "twice", "loops"]
FORMS = ["csr_array", "csr_matrix", "csc_array", "dense"]
# SciPy does not end, or leaves its memory, with negative weights in these.
NOT_NEGATIVE = {"auto", "D", "dijkstra", "nearest", "paths D", "paths dijkstra", "paths nearest"}
NOT_TWICE = {
    "flow",
    "strong",
    "auto",
    "laplacian",
    "BF",
    "paths BF",
    "bellman_ford",
    "J",
    "paths J",
    "johnson",
}


class Case:
    """A random graph for both libraries, and the arguments of the calls."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.n = n = int(rng.choice([0, 1, 1, 2, 3, 4, 6, 9, 13]))
        self.style, dtype = str(rng.choice(STYLES)), np.dtype(rng.choice(DTYPES))
        count = int(rng.integers(0, 3 * n + 1))
        row, col = rng.integers(0, max(n, 1), (2, count))
        weight = rng.random(count) * 9 + 0.5
        if self.style == "ties" or dtype.kind != "f":
            weight = np.ceil(weight / 3)
        if self.style == "zeros":
            weight[rng.random(count) < 0.3] = 0
        if self.style == "negative" and dtype.kind in "fi":
            weight[rng.random(count) < 0.15] *= -1
        if self.style == "infinite" and dtype.kind == "f":
            weight[rng.random(count) < 0.2] = np.inf
        if self.style != "loops":
            row, col, weight = row[row != col], col[row != col], weight[row != col]
        if self.style != "twice":
            first = np.unique(row * max(n, 1) + col, return_index=True)[1]
            row, col, weight = row[first], col[first], weight[first]
        # Columns of a row rise or come in any order.
        order = np.lexsort((rng.random(row.size) if rng.random() < 0.3 else col, row))
        if self.style == "twice":
            order = np.argsort(row, kind="stable")
        index = rng.choice(["int32", "int64"])
        start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=n)[:n]))).astype(index)
        self.parts = weight[order].astype(dtype), col[order].astype(index), start
        self.form = str(rng.choice(FORMS))
        self.directed, self.unweighted = bool(rng.integers(2)), bool(rng.random() < 0.2)
        self.node = int(rng.integers(n)) if n else 0
        self.indices = [None, self.node, [self.node, int(rng.integers(n))] if n else []][rng.integers(3)]
        self.limit = float(rng.choice([np.inf, 3.0, 7.5]))
        self.is_negative = dtype.kind != "b" and bool((self.parts[0] < 0).any())
        self.has_ties = self.style not in ("plain", "loops") or dtype.kind != "f" or self.unweighted

    def graph(self, xp, sp):
        made = sp.csr_array(tuple(xp.array(part) for part in self.parts), shape=(self.n, self.n))
        if self.form == "dense":
            return made.toarray()
        return made if self.form == "csr_array" else getattr(sp, self.form)(made)

    def calls(self):
        """The calls, as functions of the module and a graph."""
        way = {"directed": self.directed, "unweighted": self.unweighted}
        some = {**way, "indices": self.indices}
        near = {**some, "limit": self.limit}
        found = {
            method: lambda m, g, method=method: m.shortest_path(g, method=method, **some)
            for method in ("auto", "FW", "D", "BF", "J")
        }
        found |= {
            f"paths {method}": lambda m, g, method=method: m.shortest_path(
                g, method=method, return_predecessors=True, **way
            )
            for method in ("FW", "D", "BF", "J")
        }
        found |= {
            "dijkstra": lambda m, g: m.dijkstra(g, **near),
            "nearest": lambda m, g: m.dijkstra(g, min_only=True, **near),
            "paths dijkstra": lambda m, g: m.dijkstra(g, return_predecessors=True, **near),
            "paths nearest": lambda m, g: m.dijkstra(g, return_predecessors=True, min_only=True, **near),
            "bellman_ford": lambda m, g: m.bellman_ford(g, **some),
            "johnson": lambda m, g: m.johnson(g, **some),
            "floyd_warshall": lambda m, g: m.floyd_warshall(g, **way),
            "weak": lambda m, g: m.connected_components(g, directed=self.directed),
            "strong": lambda m, g: m.connected_components(g, connection="strong", return_labels=False),
            "total": lambda m, g: m.minimum_spanning_tree(g).sum(),
            "tree": lambda m, g: m.minimum_spanning_tree(g),
            "rank": lambda m, g: m.structural_rank(g),
            "matched": lambda m, g: (m.maximum_bipartite_matching(g) >= 0).sum(),
            "dense": lambda m, g: m.csgraph_to_dense(g, null_value=-1),
            "from dense": lambda m, g: m.csgraph_from_dense(g),
            "laplacian": lambda m, g: m.laplacian(g, return_diag=True, use_out_degree=self.directed),
            "flow": lambda m, g: m.maximum_flow(g, self.node, self.n - 1).flow_value,
        }
        for name in ("breadth_first_order", "depth_first_order", "breadth_first_tree", "depth_first_tree"):
            found[name] = lambda m, g, name=name: getattr(m, name)(g, self.node, directed=self.directed)
        return {name: call for name, call in found.items() if not self.is_left_out(name)}

    def is_left_out(self, name):
        if self.is_negative and name in NOT_NEGATIVE:
            return True
        # SciPy reads beside a graph without nodes.
        if self.n == 0 and ("first" in name or name == "flow"):
            return True
        # SciPy follows edges that are there twice endlessly, takes them for a cycle, adds them up or not.
        if self.style == "twice" and ("first" in name or name in NOT_TWICE):
            return True
        # SciPy cannot negate them, or multiply them in place.
        if name == "laplacian" and self.parts[0].dtype.kind in "bu":
            return True
        # An infinite weight is a negative cycle to SciPy's Bellman and Ford.
        if self.style == "infinite" and name in ("BF", "paths BF", "bellman_ford", "J", "johnson", "paths J"):
            return True
        return name == "tree" and self.has_ties


def outcome(call, module, graph):
    try:
        return call(module, graph)
    except Exception as error:
        return error


def same(got, want, label):
    if isinstance(want, Exception) or isinstance(got, Exception):
        assert type(got).__name__ == type(want).__name__, f"{label}: {got!r}, SciPy has {want!r}"
        return
    if isinstance(want, tuple):
        assert len(got) == len(want), label
        for one, other in zip(got, want, strict=True):
            same(one, other, label)
        return
    if scipy.sparse.issparse(want):
        assert type(got).__name__ == type(want).__name__ and got.nnz == want.nnz, label
        got, want = got.toarray(), want.toarray()
    got, want = cp.asnumpy(got), np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype), (label, got, want)
    rtol = 1e-5 if want.dtype == np.float32 else 1e-11
    np.testing.assert_allclose(got, want, rtol=rtol, atol=1e-12, err_msg=label)


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_random_graphs(first):
    for seed in range(first, first + 20):
        case = Case(seed)
        graphs = case.graph(np, scipy.sparse), case.graph(cp, sparse)
        for name, call in case.calls().items():
            label = f"{name}, seed {seed}: {case.n} nodes, {case.style}, {case.form}, {case.parts[0].dtype}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want, got = outcome(call, theirs, graphs[0]), outcome(call, ours, graphs[1])
            if name.startswith("paths") and (case.has_ties or case.is_negative):
                # Of several shortest paths any will do.
                want, got = (one[:1] if isinstance(one, tuple) else one for one in (want, got))
            same(got, want, label)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_orders_have_the_dtype_of_indices(index):
    parts = np.ones(4), np.array([1, 2, 0, 1], index), np.array([0, 2, 3, 4], index)
    got = ours.reverse_cuthill_mckee(sparse.csr_array(tuple(cp.array(part) for part in parts)))
    want = theirs.reverse_cuthill_mckee(scipy.sparse.csr_array(parts))
    assert got.dtype == want.dtype and sorted(got.tolist()) == sorted(want.tolist())

"""Sparse matrices at the edges: no rows, no columns, unsorted indices, duplicates, stored zeros.

The kernels that a GPU takes run here on whatever device there is.
"""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from test_sparse import check

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import _products
from cuprum.scipy.sparse.linalg import _factors, splu

# Data, indices and starts: unsorted, stored twice, zeros among them, rows without elements.
ROUGH = ([3.0, 1.0, 0.0, 2.0, -2.0, 5.0, 4.0], [4, 0, 0, 2, 2, 1, 4], [0, 3, 3, 5, 6, 7])
SHAPES = [(0, 3), (3, 0), (0, 0), (1, 1), (1, 4), (4, 1)]


def rough(xp, sp, kind="csr_matrix", index="int32", dtype="float64"):
    data, indices, indptr = ROUGH
    parts = (
        xp.asarray(np.array(data).astype(dtype)), xp.asarray(np.array(indices, index)),
        xp.asarray(np.array(indptr, index)),
    )  # fmt: skip
    return getattr(sp, kind)(parts, shape=(5, 5))


OPERATIONS = {
    "product": lambda xp, m: m @ xp.arange(5.0),
    "transposed product": lambda xp, m: m.T @ xp.arange(5.0),
    "from the left": lambda xp, m: xp.arange(5.0) @ m,
    "matrix": lambda xp, m: m @ xp.asarray(np.arange(15.0).reshape(5, 3)),
    "square": lambda xp, m: m @ m,
    "with its transpose": lambda xp, m: m @ m.T,
    "sum": lambda xp, m: m + m.T,
    "difference": lambda xp, m: m - m.T.tocsr(),
    "times": lambda xp, m: m.multiply(m.T),
    "times dense": lambda xp, m: m.multiply(xp.asarray(np.arange(5.0))),
    "maximum": lambda xp, m: m.maximum(m.T),
    "unequal": lambda xp, m: m != m.T,
    "greater": lambda xp, m: m > 0,
    "sums": lambda xp, m: (m.sum(), m.sum(axis=0), m.sum(axis=1)),
    "extrema": lambda xp, m: (m.max(), m.min(), m.max(axis=0).toarray(), m.min(axis=1).toarray()),
    "places": lambda xp, m: (m.argmax(), m.argmax(axis=0), m.argmin(axis=1)),
    "diagonal": lambda xp, m: (m.diagonal(), m.diagonal(1), m.trace()),
    "rows": lambda xp, m: m[[4, 0, 0]],
    "columns": lambda xp, m: m[:, 1:4],
    "element": lambda xp, m: m[2, 2],
    "csr": lambda xp, m: m.tocsr(),
    "csc": lambda xp, m: m.tocsc(),
    "coo": lambda xp, m: m.tocoo(),
    "dia": lambda xp, m: m.todia(),
    "lil": lambda xp, m: m.tolil(),
    "dok": lambda xp, m: m.todok(),
    "bsr": lambda xp, m: m.tobsr((1, 1)),
    "columns and back": lambda xp, m: m.tocsc().tocsr(),
    "count": lambda xp, m: m.count_nonzero(),
    "nonzero": lambda xp, m: m.nonzero(),
    "shape": lambda xp, m: m.reshape(25, 1),
    "power": lambda xp, m: m**3,
}


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix"])
def test_rough_structure(kind, index):
    for label, operation in OPERATIONS.items():
        check(lambda xp, sp, o=operation: o(xp, rough(xp, sp, kind, index)), (label, kind, index))


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128", "int8", "uint16", "int64", "bool"])
def test_rough_structure_of_other_dtypes(dtype):
    for label in ("product", "matrix", "square", "sum", "times", "sums", "csc", "coo", "bsr", "unequal"):
        operation = OPERATIONS[label]
        if label == "sums" and dtype in ("int8", "uint16"):
            continue  # SciPy's sum along an axis of small integers wraps
        check(lambda xp, sp, o=operation: o(xp, rough(xp, sp, dtype=dtype)), (label, dtype))


KINDS = ["csr_matrix", "csc_array", "coo_matrix", "bsr_matrix", "lil_array", "dok_array"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_edge_shapes(kind, shape):
    def made(xp, sp):
        return getattr(sp, kind)(xp.asarray(np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape)))

    rows, columns = shape
    for label, body in {
        "made": lambda xp, m: m,
        "nnz": lambda xp, m: m.nnz,
        "product": lambda xp, m: m @ xp.ones(columns),
        "from the left": lambda xp, m: xp.ones(rows) @ m,
        "matrix": lambda xp, m: m @ xp.ones((columns, 2)),
        "square": lambda xp, m: m @ m.T,
        "sum": lambda xp, m: m + m,
        "sums": lambda xp, m: (m.sum(), m.sum(axis=0), m.sum(axis=1)),
        "transpose": lambda xp, m: m.T,
        "formats": lambda xp, m: (m.tocsr(), m.tocsc(), m.tocoo()),
        "doubled": lambda xp, m: 2 * m,
    }.items():
        check(lambda xp, sp, b=body: b(xp, made(xp, sp)), (label, kind, shape))
    check(lambda xp, sp: sp.hstack([made(xp, sp), made(xp, sp)]), (kind, shape, "hstack"))
    check(lambda xp, sp: sp.kron(made(xp, sp), xp.asarray(np.ones((2, 1)))), (kind, shape, "kron"))


def big(dtype, n=300):
    made = scipy.sparse.random_array((n, n), density=0.03, rng=np.random.default_rng(4)).tocsr()
    if np.dtype(dtype).kind == "c":
        made = made * (1 + 2j)
    return (made + scipy.sparse.diags_array(np.ones(n))).tocsr().astype(dtype)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_products_by_all_pairs(dtype):
    a = big(dtype)
    mine = sparse.csr_array(a)
    parts = [(mine.indptr, mine.indices)] * 2
    got = _products._all_products(mine, mine, parts, [mine.data] * 2)
    want = (a @ a).toarray()
    np.testing.assert_allclose(got.toarray().get(), want, atol=1e-5 * abs(want).max())
    assert got.has_canonical_format


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64", "complex64", "complex128"])
def test_products_with_dense_matrices_add_in_order(dtype, on_gpu):
    """Rows of no, few and many elements; on the CPU the sums of SciPy, bit for bit."""
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 900, 30000) ** 2 // 900, rng.integers(0, 500, 30000)
    values = (rng.random(30000) * 3).astype(dtype)
    for index in ("int32", "int64"):
        a = scipy.sparse.csr_array((values, (rows.astype(index), columns.astype(index))), shape=(900, 500))
        mine = sparse.csr_array(a)
        for shape in ((500,), (500, 1), (500, 7), (500, 8), (500, 19)):
            x = (rng.random(shape) * 3).astype(dtype)
            got, want = (mine @ cp.asarray(x)).get(), a @ x
            assert got.dtype == want.dtype and got.shape == want.shape
            if on_gpu and np.dtype(dtype).kind in "fc":
                np.testing.assert_allclose(got, want, rtol=100 * np.finfo(dtype).eps)
            else:
                np.testing.assert_array_equal(got, want)


def test_structure_that_was_broken_later_is_found():
    a = sparse.csr_array(big("float64"))
    a.indices[7] = 10**6
    if a.data.device == "cpu":
        for x in (cp.ones(300), cp.ones((300, 3))):
            with pytest.raises(ValueError, match="outside of its arrays"):
                a @ x


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_factors_by_a_block_of_threads(dtype, monkeypatch):
    """A GPU's block of threads makes the same factors as one thread, bit for bit."""
    a = sparse.csc_array(big(dtype))
    b = cp.asarray(np.random.default_rng(1).random((300, 2)).astype(dtype))
    found = []
    for lanes in (1, 32):
        monkeypatch.setattr(_factors, "_lanes", lambda array, n=lanes: n)
        lu = splu(a)
        parts = (lu.L.data, lu.U.data, lu.perm_r, lu.solve(b), lu.solve(b, "T"))
        found.append([part.get() for part in parts])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(big(dtype) @ found[1][3], b.get(), atol=1e-10)
    singular = sparse.csc_array(cp.asarray([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(RuntimeError, match="singular"):
        splu(singular)


@pytest.mark.parametrize(
    "parts",
    [([1.0, 2], [0, 9], [0, 1, 2]), ([1.0, 2], [0, 1], [0, 2, 1]), ([1.0, 2], [0, -1], [0, 1, 2])],
)
@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "bsr_array"])
def test_bad_structure_never_reaches_a_kernel(kind, parts):
    data = cp.asarray(parts[0])
    if kind.startswith("bsr"):
        data = data.reshape(2, 1, 1)
    with pytest.raises(ValueError):
        getattr(sparse, kind)((data, cp.asarray(parts[1]), cp.asarray(parts[2])), shape=(2, 2))


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int32", "bool"])
@pytest.mark.parametrize("longest", [1, 6, 11, 14])
def test_products_whose_rows_are_sorted(dtype, longest):
    """The way of a GPU, which a CPU can go, too: rows of up to 512 products of elements, and none beyond."""
    rng = np.random.default_rng(longest)
    dense = [
        (rng.integers(1, 5, (70, 40)) * (rng.random((70, 40)) < longest / 45)).astype(dtype) for _ in "ab"
    ]
    a, b = scipy.sparse.csr_array(dense[0]), scipy.sparse.csr_array(np.ascontiguousarray(dense[1].T))
    want = (a @ b).toarray()
    ours = [sparse.csr_array(part) for part in (a, b)]
    parts = [(part.indptr, part.indices) for part in ours]
    found = _products._by_warps(ours[0], 70, parts, [part.data for part in ours])
    assert found.has_canonical_format and found.dtype == want.dtype
    assert found._indices_rise(strictly=True)
    np.testing.assert_array_equal(found.toarray().get(), want)
    full = sparse.csr_array(cp.ones((30, 30)))
    assert _products._by_warps(full, 30, [(full.indptr, full.indices)] * 2, [full.data] * 2) is None

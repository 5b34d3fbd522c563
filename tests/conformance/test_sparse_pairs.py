"""What is made of two sparse matrices against SciPy's: sums, products, extrema, comparisons."""

import itertools

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum._core import sparse_matmul, sparse_merge
from cuprum.scipy import sparse
from cuprum.scipy.sparse._structure import merged

OPS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a.multiply(b),
    "maximum": lambda a, b: a.maximum(b),
    "minimum": lambda a, b: a.minimum(b),
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "greater": lambda a, b: a > b,
}
DTYPES = [
    "bool",
    "int8",
    "uint16",
    "int32",
    "int64",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
# Rows of two blocks and more, rows that are empty, one row, one column, none of either.
SHAPES = [(40, 60), (3, 2000), (2000, 3), (1, 1), (0, 5), (5, 0), (1, 700), (700, 1)]


def matrix(shape, dtype, seed, form="csr", density=0.3):
    """Small whole numbers, so that some sums are zero; some rows are empty."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0 if np.dtype(dtype).kind in "bu" else -2, 3, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.integers(-1, 2, shape)
    values = values * (rng.random(shape) < density) * (rng.random((shape[0], 1)) < 0.8)
    return getattr(scipy.sparse, f"{form}_array")(values.astype(dtype))


def same(got, want):
    """The same elements at the same places, each stored once and in order; dtype and format agree."""
    assert got.format == want.format and got.shape == want.shape and got.dtype == want.dtype
    want = want.copy()
    want.sum_duplicates()
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(got, name).get(), getattr(want, name), err_msg=name)


def refused(call):
    """The class of the error that a call ends with, or None."""
    try:
        call()
    except (TypeError, ValueError, NotImplementedError) as error:
        return type(error)
    return None


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", OPS)
def test_merged_elements(op, dtype):
    for (seed, shape), form in itertools.product(enumerate(SHAPES), ("csr", "csc")):
        a, b = matrix(shape, dtype, seed, form), matrix(shape, dtype, seed + 50, form)
        own = getattr(sparse, f"{form}_array")
        failed = refused(lambda a=a, b=b: OPS[op](a, b))
        assert refused(lambda a=a, b=b, own=own: OPS[op](own(a), own(b))) == failed
        if failed is None:
            same(OPS[op](own(a), own(b)), OPS[op](a, b))


@pytest.mark.parametrize("op", OPS)
def test_merged_elements_of_two_dtypes(op):
    for one, other in (("float32", "int64"), ("int8", "complex64"), ("bool", "float64"), ("uint8", "int16")):
        a, b = matrix((30, 50), one, 1), matrix((30, 50), other, 2)
        same(OPS[op](sparse.csr_array(a), sparse.csr_array(b)), OPS[op](a, b))
    # No integer dtype holds both; NumPy compares them by value.
    a, b = matrix((30, 50), "int64", 1), matrix((30, 50), "uint64", 2)
    a.data[3], b.data[3] = -5, 2**63 + 1
    if op in ("not_equal", "less", "greater"):
        got = OPS[op](sparse.csr_array(a), sparse.csr_array(b)).toarray().get()
        dense = {"not_equal": np.not_equal, "less": np.less, "greater": np.greater}[op]
        np.testing.assert_array_equal(got, dense(a.toarray(), b.toarray()))


def test_elements_that_cancel_and_structures_that_are_shared():
    a = matrix((50, 80), "float64", 3)
    mine = sparse.csr_array(a)
    same(mine - mine, a - a)
    same(mine + 2 * mine, a + 2 * a)
    same(mine.multiply(mine), a.multiply(a))
    turned = mine * -1
    made = mine + turned
    assert made.nnz == 0
    # What is made does not share its indices with what it is made of.
    double = mine + mine
    double.indices[...] = 0
    np.testing.assert_array_equal(mine.indices.get(), a.indices)


def test_special_values():
    a, b = matrix((20, 30), "float64", 4), matrix((20, 30), "float64", 5)
    a.data[::7], b.data[::5], b.data[::11] = np.nan, np.inf, -0.0
    for op in ("add", "subtract", "multiply", "not_equal", "less", "greater"):
        with np.errstate(invalid="ignore"):
            want = OPS[op](a, b)
        got = OPS[op](sparse.csr_array(a), sparse.csr_array(b))
        np.testing.assert_array_equal(got.toarray().get(), want.toarray(), err_msg=op)
        assert got.nnz == want.nnz, op


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_many_rows(index):
    """Enough for several tasks; some rows are long."""
    rng = np.random.default_rng(6)
    parts = []
    for _ in range(2):
        rows = np.concatenate((rng.integers(0, 20_000, 120_000), np.full(3000, 777), np.full(2000, 778)))
        columns = rng.integers(0, 5000, rows.size)
        made = scipy.sparse.coo_array(
            (rng.integers(1, 9, rows.size) * 1.0, (rows, columns)), (20_000, 5000)
        ).tocsr()
        made.sum_duplicates()
        made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
        parts.append(made)
    a, b = parts
    for op in ("add", "subtract", "multiply", "maximum", "not_equal"):
        got = OPS[op](sparse.csr_array(a), sparse.csr_array(b))
        assert got.indices.dtype == got.indptr.dtype == index
        same(got, OPS[op](a, b))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_products(dtype, index):
    for (rows, inner), columns in itertools.product(
        [(40, 60), (1, 30), (0, 5), (5, 0), (70, 1)], (0, 1, 50, 900)
    ):
        a, b = matrix((rows, inner), dtype, 7), matrix((inner, columns), dtype, 8, density=0.05)
        for part in (a, b):
            part.indices, part.indptr = part.indices.astype(index), part.indptr.astype(index)
        got, want = sparse.csr_array(a) @ sparse.csr_array(b), a @ b
        assert got.shape == want.shape and got.dtype == want.dtype and got.format == "csr"
        assert got.indices.dtype == got.indptr.dtype == index
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
        got = sparse.csc_array(a) @ sparse.csc_array(b)
        assert got.format == "csc"
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())


def test_products_of_elements_that_are_stored_twice_and_out_of_order():
    data, indices, indptr = np.array([1.0, 2, 3, 4, 5]), np.array([3, 1, 3, 0, 0]), np.array([0, 3, 3, 5, 5])
    a = scipy.sparse.csr_array((data, indices, indptr), shape=(4, 4))
    b = sparse.csr_array(tuple(map(cp.asarray, (data, indices, indptr))), shape=(4, 4))
    np.testing.assert_array_equal((b @ b).toarray().get(), (a @ a).toarray())
    np.testing.assert_array_equal((b + b.T.tocsr()).toarray().get(), (a + a.T).toarray())


def on_cpu(values, dtype=None):
    return cp.asarray(values, dtype=dtype, device="cpu")


def test_structures_that_lead_outside_of_their_arrays():
    """Indices that were changed after the matrix was made: an error, nothing is read or written beyond."""
    values = on_cpu([1.0, 2.0])
    good = (on_cpu([0, 1, 2], "int32"), on_cpu([0, 1], "int32"), values)
    beyond = (on_cpu([0, 1, 9], "int32"), good[1], values)
    falling = (on_cpu([0, 2, 1], "int32"), good[1], values)
    column = (good[0], on_cpu([0, 7], "int32"), values)
    negative = (good[0], on_cpu([0, -1], "int32"), values)
    for bad in (beyond, falling, column, negative):
        with pytest.raises(ValueError, match="outside"):
            sparse_matmul(bad, good, 2)
    for bad in (beyond, falling):
        for pair in ((bad, good), (good, bad)):
            with pytest.raises(ValueError, match="outside"):
                sparse_merge("add", True, *pair, 2)
    for bad in (column, negative):
        with pytest.raises(ValueError, match="outside"):
            sparse_matmul(good, bad, 2)
    with pytest.raises(TypeError, match="int32 or int64"):
        sparse_matmul((values, good[1], values), good, 2)
    with pytest.raises(ValueError, match="one shape"):
        sparse_merge("add", True, good, (on_cpu([0, 2], "int32"), *good[1:]), 2)
    with pytest.raises(ValueError, match="no such op"):
        sparse_merge("nothing", True, good, good, 2)
    with pytest.raises(ValueError, match="expected"):
        sparse_matmul(good, (good[0], good[1], on_cpu([1.0])), 2)


@pytest.mark.parametrize("is_union", [True, False])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_merged_by_groups_of_threads(is_union, index):
    """What a GPU runs; on a CPU one thread merges a row."""
    for seed, (shape, density) in enumerate(
        [((70, 90), 0.2), ((5, 400), 0.9), ((33, 9), 0.02), ((1, 8), 1.0)]
    ):
        a = matrix(shape, "float64", 2 * seed, density=density)
        b = matrix(shape, "int16", 2 * seed + 1, density=density)
        sides = [
            (cp.array(m.indptr.astype(index)), cp.array(m.indices.astype(index)), cp.array(m.data))
            for m in (a, b)
        ]
        ways = [merged(*sides, *shape, is_union, by_lanes=way) for way in (False, True)]
        for one, other in zip(*ways, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one.get(), other.get())

"""Sparse matrices of many elements against SciPy's: conversions, columns times vectors, products of two."""

import numpy as np
import pytest
import scipy.sparse
from twin import fresh_python

import cuprum as cp
from cuprum._core import sparse_group, sparse_transposed_product
from cuprum.scipy import sparse


def coordinates(rows, columns, count, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    values = (rng.integers(-50, 50, count) + 0.5).astype(dtype)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.integers(-50, 50, count).astype(dtype)
    places = rng.integers(0, rows, count), rng.integers(0, columns, count)
    return scipy.sparse.coo_array((values, places), shape=(rows, columns))


def mine(made):
    parts = (cp.asarray(made.data), (cp.asarray(made.row), cp.asarray(made.col)))
    return sparse.coo_array(parts, shape=made.shape)


def same_parts(got, want):
    """Both in the same format, with the same indices in the same order."""
    assert got.format == want.format and got.shape == want.shape
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(got, name).get(), getattr(want, name))


# Sums of these values are exact, so that their order does not show. Many lines (in buckets), few, one,
# and more than elements.
SHAPES = [
    (3000, 5000, 100_000),
    (700, 900, 70_000),
    (1, 40_000, 9000),
    (40_000, 1, 9000),
    (60_000, 90_000, 500),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32", "int16", "bool"])
def test_conversions(shape, dtype):
    theirs = coordinates(*shape, dtype)
    ours = mine(theirs)
    rows, columns = theirs.tocsr(), theirs.tocsc()
    rows.sum_duplicates()
    columns.sum_duplicates()
    same_parts(ours.tocsr(), rows)
    same_parts(ours.tocsc(), columns)
    same_parts(sparse.csr_array(rows).tocsc(), columns)
    same_parts(sparse.csc_array(columns).tocsr(), rows)


def test_wide_indices():
    theirs = coordinates(3000, 5000, 100_000).tocsr()
    parts = (theirs.data, theirs.indices.astype("int64"), theirs.indptr.astype("int64"))
    ours = sparse.csr_array(tuple(cp.asarray(part) for part in parts), shape=theirs.shape)
    assert ours.tocsc().indices.dtype == ours.tocsc().indptr.dtype == np.int64
    same_parts(ours.tocsc(), theirs.tocsc())


@pytest.mark.parametrize("columns", [4000, 3_000_000])
def test_elements_of_unsorted_lines(columns):
    theirs = coordinates(2000, columns, 80_000).tocsr()
    theirs.sum_duplicates()
    order = np.concatenate(
        [np.arange(a, b)[::-1] for a, b in zip(theirs.indptr, theirs.indptr[1:], strict=False)]
    )
    parts = (theirs.data[order], theirs.indices[order], theirs.indptr)
    ours = sparse.csr_array(tuple(cp.asarray(part) for part in parts), shape=theirs.shape)
    assert not ours.has_sorted_indices
    same_parts(ours.sorted_indices(), theirs)


def test_few_elements_of_endless_lines():
    """What has a number for each line is not made where there are far more lines than elements."""
    places = cp.asarray([5, 0, 5]), cp.asarray([2**30, 7, 2**30])
    made = sparse.coo_array((cp.asarray([1.0, 2.0, 4.0]), places), shape=(6, 2**31 - 2)).tocsr()
    assert made.data.tolist() == [2.0, 5.0] and made.indices.tolist() == [7, 2**30]


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "complex128", "int32", "bool"])
@pytest.mark.parametrize(
    "shape", [(3000, 500, 100_000), (20, 70_000, 140_000), (100_000, 90, 50_000), (9, 7, 20)]
)
def test_columns_times_vectors(shape, dtype):
    theirs = coordinates(*shape, dtype).tocsc()
    x = (np.arange(shape[1]) % 7).astype(dtype)
    got = sparse.csc_array(theirs) @ cp.asarray(x)
    assert got.dtype == (theirs @ x).dtype
    # Exact sums: up to 2**24 in single precision.
    np.testing.assert_array_equal(got.get(), theirs @ x)


def test_columns_times_vectors_round_as_sums_do():
    theirs = coordinates(300, 9000, 200_000).tocsc()
    rng = np.random.default_rng(2)
    theirs.data = rng.standard_normal(theirs.nnz)
    x = rng.standard_normal(9000)
    want = theirs @ x
    size = abs(theirs) @ abs(x)
    got = (sparse.csc_array(theirs) @ cp.asarray(x)).get()
    assert (abs(got - want) <= 32 * np.finfo(float).eps * size).all()
    for special in (np.inf, np.nan):
        x[17] = special
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(
                np.isnan((sparse.csc_array(theirs) @ cp.asarray(x)).get()), np.isnan(theirs @ x)
            )


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_columns_times_vectors_of_all_sizes(dtype):
    """Each element is as exact as its own products allow, however large those of others are."""
    theirs = coordinates(500, 3000, 30_000).tocsc().astype(dtype)
    rng = np.random.default_rng(4)
    reach = 20 if np.dtype(dtype).char in "fF" else 300
    theirs.data = (rng.standard_normal(theirs.nnz) * np.exp2(theirs.indices % 5 * reach - 2 * reach)).astype(
        dtype
    )
    x = rng.standard_normal(3000).astype(dtype)
    x[::100] *= np.exp2(reach)
    if np.dtype(dtype).kind == "c":
        x = x * np.complex64(1 - 2j)
    size = abs(theirs) @ abs(x)
    ours, mine_x = sparse.csc_array(theirs), cp.asarray(x)
    got = (ours @ mine_x).get()
    assert got.dtype == dtype
    assert (abs(got - theirs @ x) <= 64 * np.finfo(dtype).eps * size).all()
    assert (ours @ mine_x).get().tobytes() == got.tobytes()


def test_threads_do_not_show():
    code = """
        import hashlib
        from cuprum.scipy import sparse
        rng, digest = np.random.default_rng(3), hashlib.sha256()
        n, count = 2000, 150_000
        places = cp.asarray(rng.integers(0, n, count)), cp.asarray(rng.integers(0, n, count))
        coo = sparse.coo_array((cp.asarray(rng.standard_normal(count)), places), shape=(n, n))
        csr, csc = coo.tocsr(), coo.tocsc()
        square = csr[:300] @ csr
        x = cp.asarray(rng.standard_normal(n))
        parts = [csc @ x, csr.T @ x, csr @ x, csc @ cp.stack((x, x, x), axis=1)]
        turned = csr.T.tocsr()
        for made in (csr, csc, csr.tocsc(), square, csr + turned, csr.multiply(turned), csr.maximum(turned)):
            parts += [made.data, made.indices, made.indptr]
        for part in parts:
            digest.update(part.get().tobytes())
        print(digest.hexdigest())
        """
    digests = {fresh_python(code, CUPRUM_THREADS=n, CUPRUM_DEVICE="cpu") for n in ("1", "2", "5")}
    assert len(digests) == 1


def test_products_of_two():
    # Short rows of a wide result, long ones of a narrow one, few elements, many.
    for rows, inner, columns, count in (
        (300, 400, 500, 3000),
        (5, 2000, 30, 4000),
        (60, 3, 2, 5),
        (900, 700, 60_000, 90_000),
        (400, 300, 5_000_000, 4000),
        (1, 50, 1, 40),
    ):
        a, b = coordinates(rows, inner, count).tocsr(), coordinates(inner, columns, count, seed=1).tocsr()
        # SciPy leaves out sums that are zero, which there are none of then.
        a.data, b.data = abs(a.data) + 1, abs(b.data) + 1
        got, want = (sparse.csr_array(a) @ sparse.csr_array(b)).sorted_indices(), a @ b
        want.sort_indices()
        same_parts(got, want)


def test_structures_that_lead_outside():
    """Indices that were changed after the matrix was made are found on the CPU before anything is written."""
    one, two = cp.asarray([1.0], device="cpu"), cp.asarray([0, 1], dtype="int32", device="cpu")
    bad = cp.asarray([5], dtype="int32", device="cpu")
    for places, are_starts in ((bad, False), (two, True)):
        with pytest.raises(ValueError, match="outside"):
            sparse_group(bad, places, are_starts, one, 3)
    with pytest.raises(ValueError, match="outside"):
        sparse_transposed_product(two, bad, one, one, 3)
    with pytest.raises(TypeError, match="int32 or int64"):
        sparse_group(one, one, False, one, 3)
    with pytest.raises(ValueError, match="expected"):
        sparse_group(two, bad, False, one, 3)
    with pytest.raises(ValueError, match="expected"):
        sparse_transposed_product(two, bad, one, cp.ones(3, device="cpu"), 3)

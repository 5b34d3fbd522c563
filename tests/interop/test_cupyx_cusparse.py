"""`cupyx.cusparse` beside SciPy's sparse matrices."""

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum.compat import cupyx
from cuprum.compat.cupyx import cusparse
from cuprum.scipy import sparse

RNG = np.random.default_rng(11)
DTYPES = ("float32", "float64", "complex64", "complex128")


def matrix(shape, dtype, form="csr", density=0.5):
    values = RNG.standard_normal(shape) * (RNG.random(shape) < density)
    if np.dtype(dtype).kind == "c":
        values = values * (1 + 2j)
    host = scipy.sparse.coo_matrix(values.astype(dtype)).asformat(form)
    return host, getattr(sparse, f"{form}_matrix")(host)


def close(found, expected, dtype):
    rtol = 1e-4 if np.dtype(dtype).char in "fF" else 1e-12
    np.testing.assert_allclose(cp.asnumpy(found), expected, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("transa", [False, True])
def test_products_with_dense_arrays(dtype, form, transa):
    host, a = matrix((4, 6), dtype, form)
    op = host.T if transa else host
    x, y = (RNG.standard_normal(n).astype(dtype) for n in (op.shape[1], op.shape[0]))
    close(cusparse.spmv(a, cp.asarray(x), alpha=2, transa=transa), 2 * (op @ x), dtype)
    out = cp.asarray(y)
    assert cusparse.spmv(a, cp.asarray(x), out, 2, 0.5, transa) is out
    close(out, 2 * (op @ x) + 0.5 * y, dtype)
    b = np.asfortranarray(RNG.standard_normal((3, op.shape[1])).astype(dtype))
    c = np.asfortranarray(RNG.standard_normal((op.shape[0], 3)).astype(dtype))
    out = cp.asarray(c, order="F")
    result = cusparse.spmm(a, cp.asarray(b, order="F"), out, 3, 2, transa, transb=True)
    assert result is out and out.flags.f_contiguous
    close(out, 3 * (op @ b.T) + 2 * c, dtype)
    if form == "csr":
        close(cusparse.csrmv(a, cp.asarray(x), transa=transa), op @ x, dtype)
        fresh = cusparse.csrmm2(a, cp.asarray(b, order="F"), transa=transa, transb=True)
        assert fresh.flags.f_contiguous
        close(fresh, op @ b.T, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_and_sums_of_sparse_matrices(dtype):
    (ha, a), (hb, b) = matrix((5, 5), dtype), matrix((5, 5), dtype)
    close(cusparse.csrgeam(a, b, 2, 3).toarray(), (2 * ha + 3 * hb).toarray(), dtype)
    close(cusparse.csrgemm(a, b, True, True).toarray(), (ha.T @ hb.T).toarray(), dtype)
    close(cusparse.csrgemm2(a, b, a, 2, 3).toarray(), (2 * (ha @ hb) + 3 * ha).toarray(), dtype)
    assert cusparse.spgemm(a, b).format == "csr" and cusparse.spgemm(a, b).dtype == dtype


def test_conversions_and_sorts():
    host, csr = matrix((4, 5), "float64")
    dense = cusparse.csr2dense(csr)
    assert dense.flags.f_contiguous
    close(dense, host.toarray(), "float64")
    out = cp.zeros((4, 5), order="F")
    assert cusparse.sparseToDense(csr.tocoo(), out) is out
    close(out, host.toarray(), "float64")
    for name, form in (("csr2csc", "csc"), ("csr2cscEx2", "csc")):
        assert getattr(cusparse, name)(csr).format == form
    close(cusparse.csc2dense(cusparse.dense2csc(dense)), host.toarray(), "float64")
    coo = csr.tocoo()
    turned = sparse.coo_matrix((coo.data[::-1], (coo.row[::-1], coo.col[::-1])), shape=coo.shape)
    for by in ("c", "r"):
        cusparse.coosort(turned, by)
        wanted = host.tocsc().tocoo() if by == "c" else host.tocoo()
        assert turned.row.tolist() == wanted.row.tolist() and turned.col.tolist() == wanted.col.tolist()
        close(turned.data, wanted.data, "float64")
    close(
        cusparse.csr2csr_compress(csr, 0.5).toarray(),
        np.where(abs(host.toarray()) > 0.5, host.toarray(), 0),
        "float64",
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("transa", [False, True, "N", "T", "H"])
@pytest.mark.parametrize(("lower", "unit"), [(True, False), (False, False), (True, True)])
def test_triangular_systems(dtype, transa, lower, unit):
    host, _ = matrix((6, 6), dtype, density=0.6)
    full = host.toarray() + 3 * np.eye(6, dtype=dtype)
    a = sparse.csr_matrix(cp.asarray(full))
    triangle = np.tril(full) if lower else np.triu(full)
    if unit:
        np.fill_diagonal(triangle, 1)
    op = {False: triangle, "N": triangle, True: triangle.T, "T": triangle.T, "H": triangle.conj().T}[transa]
    b = RNG.standard_normal((6, 2)).astype(dtype)
    expected = np.linalg.solve(op.astype("complex128"), 2 * b)
    x = cusparse.spsm(a, cp.asarray(b, order="F"), 2, lower, unit, transa)
    assert x.dtype == dtype
    close(x, expected, dtype)
    inplace = cp.asarray(b)
    assert cusparse.csrsm2(a, inplace, 2, lower, unit, transa) is None
    close(inplace, expected, dtype)


def test_what_is_refused():
    _, a = matrix((3, 4), "float64")
    with pytest.raises(TypeError, match="unsupported type"):
        cusparse.csrmv(a.tocsc(), cp.ones(4))
    with pytest.raises(ValueError, match="dimension mismatch"):
        cusparse.spmv(a, cp.ones(3))
    with pytest.raises(ValueError, match="F-contiguous"):
        cusparse.spmm(a, cp.ones((4, 2)))
    with pytest.raises(ValueError, match="Unknown transa"):
        cusparse.spsm(matrix((3, 3), "float64")[1], cp.ones((3, 1)), transa="X")
    assert cupyx.cusparse is cusparse


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_coordinates_with_given_arrays(form):
    host, mine = matrix((7, 5), "float64", form)
    convert = getattr(cusparse, f"{form}2coo")
    made = convert(mine, mine.data * 2, mine.indices)
    assert made.format == "coo" and made.shape == (7, 5)
    np.testing.assert_array_equal(made.toarray().get(), 2 * host.toarray())
    with pytest.raises(TypeError):
        convert(made, made.data, made.col)


def incomplete(a, stored):
    """ILU(0) by its definition: elimination, in which only stored elements change."""
    a = a.astype(np.promote_types(a.dtype, np.float64))
    for i in range(1, len(a)):
        for k in np.flatnonzero(stored[i, :i]):
            a[i, k] /= a[k, k]
            later = np.flatnonzero(stored[k] & stored[i] & (np.arange(len(a)) > k))
            a[i, later] -= a[i, k] * a[k, later]
    return a


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "density"), [(1, 1.0), (40, 0.15), (200, 0.02), (33, 1.0)])
def test_incomplete_factors_without_fill(dtype, n, density):
    host, _ = matrix((n, n), dtype, "csr", density)
    host = (host + scipy.sparse.diags([20.0] * n)).astype(dtype).tocsr()
    host.sort_indices()
    mine = sparse.csr_matrix(host)
    cusparse.csrilu02(mine)
    dense = host.toarray()
    np.testing.assert_array_equal(mine.indices.get(), host.indices)
    close(mine.toarray(), incomplete(dense, dense != 0), dtype)


def test_factors_of_rows_that_all_wait_for_the_row_above():
    n = 3000
    host = scipy.sparse.diags([1.0, 4.0, 1.0], [-1, 0, 1], shape=(n, n)).tocsr()
    mine = sparse.csr_matrix(host)
    cusparse.csrilu02(mine)
    pivots = [4.0]
    for _ in range(n - 1):
        pivots.append(4 - 1 / pivots[-1])
    np.testing.assert_allclose(mine.diagonal().get(), pivots, rtol=1e-13)
    np.testing.assert_allclose(mine.diagonal(-1).get(), 1 / np.array(pivots[:-1]), rtol=1e-13)


def test_what_has_no_incomplete_factors():
    with pytest.raises(ValueError, match="square"):
        cusparse.csrilu02(sparse.csr_matrix(cp.ones((2, 3))))
    with pytest.raises(TypeError, match="int64"):
        cusparse.csrilu02(sparse.csr_array(cp.eye(2, dtype=np.int64)))
    for bad in ([[0.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [2.0, 4.0]]):
        with pytest.raises(ValueError, match="missing or zero"):
            cusparse.csrilu02(sparse.csr_matrix(cp.array(bad)))

"""Systems whose pattern is not symmetric: rows are matched with columns before elimination in fronts."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as theirs

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import linalg as ours

DTYPES = ["float32", "float64", "complex64", "complex128"]


def scattered(n, each, diagonal, seed, dtype="float64"):
    """A matrix with some elements anywhere in each row, beside its diagonal."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(each * n)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(each * n)
    rows, columns = np.repeat(np.arange(n), each), rng.integers(0, n, each * n)
    made = scipy.sparse.coo_array((values, (rows, columns)), shape=(n, n)).tocsc()
    return scipy.sparse.csc_array((made + diagonal * scipy.sparse.eye_array(n)).astype(dtype))


def turned(a, seed=7):
    """The same matrix with its rows in another order: the diagonal is nearly empty."""
    return scipy.sparse.csc_array(a[np.random.default_rng(seed).permutation(a.shape[0])])


def saddle(n=60):
    """A symmetric matrix with zeros on half of its diagonal."""
    rng = np.random.default_rng(3)
    b = scipy.sparse.random_array((n, n), density=0.05, rng=rng) + scipy.sparse.eye_array(n)
    line = scipy.sparse.diags_array([-1.0, 3.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    return scipy.sparse.csc_array(scipy.sparse.block_array([[line, b.T], [b, None]]))


def scaled(n=80):
    """Rows and columns of very different sizes."""
    rng = np.random.default_rng(4)
    sizes = [scipy.sparse.diags_array(10.0 ** rng.uniform(-6, 6, n)) for _ in range(2)]
    return scipy.sparse.csc_array(sizes[0] @ scattered(n, 4, 1.0, 5) @ sizes[1])


MATRICES = {
    "scattered": lambda: scattered(300, 4, 1.0, 1),
    "small diagonal": lambda: scattered(300, 4, 1e-3, 2),
    "turned": lambda: turned(scattered(400, 3, 1.0, 3)),
    "saddle": saddle,
    "scaled": scaled,
    "permutation": lambda: turned(scipy.sparse.csc_array(scipy.sparse.diags_array(np.arange(1.0, 51)))),
    "upper": lambda: turned(scipy.sparse.triu(scattered(90, 5, 2.0, 6)).tocsc()),
    "one": lambda: scipy.sparse.csc_array(np.array([[3.0]])),
}


def backward_error(a, x, b):
    """The largest residual, relative to what it is the difference of."""
    return np.abs(a @ x - b).max() / (abs(a).sum(axis=1).max() * np.abs(x).max() + np.abs(b).max())


@pytest.mark.parametrize("name", MATRICES)
def test_solutions_of_unsymmetric_systems(name):
    a = MATRICES[name]()
    n = a.shape[0]
    rng = np.random.default_rng(8)
    for b in (rng.standard_normal(n), rng.standard_normal((n, 3))):
        got, want = ours.spsolve(sparse.csc_array(a), cp.asarray(b)), theirs.spsolve(a, b)
        assert got.shape == want.shape and got.dtype == want.dtype
        assert backward_error(a, got.get(), b) <= 32 * np.finfo(float).eps
        np.testing.assert_allclose(got.get(), want, rtol=1e-6, atol=1e-8 * np.abs(want).max())


@pytest.mark.parametrize("name", MATRICES)
def test_factors_of_unsymmetric_matrices(name):
    a = MATRICES[name]()
    n = a.shape[0]
    lu, want = ours.splu(sparse.csc_array(a)), theirs.splu(a)
    lower, upper, rows, columns = lu.L.get(), lu.U.get(), lu.perm_r.get(), lu.perm_c.get()
    assert sorted(rows) == sorted(columns) == list(range(n))
    assert (lower.diagonal() == 1).all() and scipy.sparse.triu(lower, 1).nnz == 0
    assert scipy.sparse.tril(upper, -1).nnz == 0
    coo = a.tocoo()
    permuted = scipy.sparse.csc_array((coo.data, (rows[coo.row], columns[coo.col])), a.shape)
    size = (abs(lower) @ abs(upper)).toarray() + abs(permuted).toarray()
    assert (abs((lower @ upper - permuted).toarray()) <= 1e-13 * size).all()
    b = np.random.default_rng(9).standard_normal((n, 2))
    for trans in "NTH":
        got, expected = lu.solve(cp.asarray(b), trans).get(), want.solve(b, trans)
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("dtype", DTYPES)
def test_unsymmetric_systems_of_every_dtype(dtype):
    for a in (scattered(250, 4, 1.0, 11, dtype), turned(scattered(250, 4, 1.0, 12, dtype))):
        b = np.random.default_rng(13).standard_normal(250).astype(dtype)
        x = ours.spsolve(sparse.csc_array(a), cp.asarray(b))
        assert x.dtype == dtype
        assert backward_error(a, x.get(), b) <= 64 * np.finfo(dtype).eps
        assert (
            backward_error(a, ours.factorized(sparse.csc_array(a))(cp.asarray(b)).get(), b)
            <= 64 * np.finfo(dtype).eps
        )


def test_a_large_front_of_an_unsymmetric_matrix():
    n = 900 if cp.zeros(1).device == "cpu" else 4000
    a = scattered(n, 5, 1.0, 14)
    lu = ours.splu(sparse.csc_array(a))
    assert lu._fronts is not None and lu._fronts._matched is not None and any(lu._fronts._dense)
    b = np.random.default_rng(15).standard_normal(n)
    assert backward_error(a, lu.solve(cp.asarray(b)).get(), b) <= 64 * np.finfo("float64").eps


def singular():
    """A column without elements, rows that cannot be matched, equal rows, stored zeros."""
    empty = scattered(40, 3, 1.0, 16).tolil()
    empty[:, 5] = 0
    yield empty.tocsc()
    pair = scattered(40, 3, 1.0, 17).tolil()
    for column in (3, 9):
        pair[:, column] = 0
        pair[7, column] = 1.0
    yield pair.tocsc()
    equal = scattered(40, 3, 1.0, 18).tolil()
    equal[11] = equal[12]
    yield equal.tocsc()
    stored = scattered(40, 3, 1.0, 19)
    stored.data[stored.indptr[6] : stored.indptr[7]] = 0
    yield stored


@pytest.mark.parametrize("a", list(singular()))
def test_singular_unsymmetric_matrices(a):
    a = scipy.sparse.csc_array(a)
    for module, matrix, b in ((theirs, a, np.ones(40)), (ours, sparse.csc_array(a), cp.ones(40))):
        with pytest.raises(RuntimeError, match="singular"):
            module.splu(matrix)
        with pytest.warns(module.MatrixRankWarning):
            x = module.spsolve(matrix, b)
        assert x.shape == (40,) and np.isnan(x.get() if module is ours else x).all()


def test_elements_that_are_not_finite():
    a = scattered(40, 3, 1.0, 20)
    a.data[17] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = ours.spsolve(sparse.csc_array(a), cp.ones(40)).get()
    assert np.isnan(x).any()

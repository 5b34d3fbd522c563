"""Random sparse matrices against SciPy's: formats, dtypes, indices, edge shapes, elements stored twice."""

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum.scipy import sparse

DTYPES = ("bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128")
LENGTHS = (0, 1, 2, 17, 300)


def values(rng, count, dtype):
    """Return small whole numbers, zeros among them: sums and products are exact."""
    made = rng.integers(0, 4, count)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * rng.integers(0, 4, count)
    return made.astype(dtype)


def drawn(rng, shape, dtype, index):
    """Return compressed rows of a random structure: empty ones, unsorted ones, places that come twice."""
    rows, columns = shape
    counts = rng.integers(0, 6, rows) * (rng.random(rows) < 0.7) if columns else np.zeros(rows, int)
    start = np.concatenate(([0], np.cumsum(counts)))
    places = rng.integers(0, max(columns, 1), start[-1])
    parts = values(rng, start[-1], dtype), places.astype(index), start.astype(index)
    return scipy.sparse.csr_array(parts, shape=shape)


def same(got, want):
    """The same elements, dtype, shape and format."""
    if scipy.sparse.issparse(want):
        assert got.format == want.format
        got, want = got.toarray(), want.toarray()
    # SciPy's product of one row of coordinates and a vector is a number.
    want = np.atleast_1d(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(cp.asnumpy(got), want)


@pytest.mark.parametrize("seed", range(40))
def test_random_matrices(seed):
    rng = np.random.default_rng(seed)
    rows, inner, columns = (int(rng.choice(LENGTHS)) for _ in range(3))
    dtype, other = rng.choice(DTYPES, 2)
    index, wide = rng.choice(("int32", "int64"), 2)
    a, b = drawn(rng, (rows, inner), dtype, index), drawn(rng, (inner, columns), other, wide)
    x, y = values(rng, inner, dtype), values(rng, 3 * inner, other).reshape(inner, 3)
    z = values(rng, rows, other)
    ours, theirs = sparse.csr_array(a), sparse.csr_array(b)
    for form in ("csr", "csc", "coo"):
        m, n = ours.asformat(form), a.asformat(form)
        same(m, n)
        same(m.T, n.T)
        same(m.T.tocsr(), n.T.tocsr())
        same(m.tocsc(), n.tocsc())
        same(m @ cp.asarray(x), n @ x)
        same(m @ cp.asarray(y), n @ y)
        same(m.T @ cp.asarray(z), n.T @ z)
        same(m @ theirs, n @ b)
        same(m.tocsr() + m.tocsr().multiply(m.tocsr()), n.tocsr() + n.tocsr().multiply(n.tocsr()))
    turned, want = ours.tocsc(), a.tocsc()
    # Elements of a line stay in their order, those that come twice too.
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(turned, part).get(), getattr(want, part))

"""Sparse matrices by arrays of positions, beside SciPy: too many axes, nothing at all, no numbers."""

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum.scipy import sparse

HOST = scipy.sparse.random(6, 5, density=0.5, format="csr", random_state=0)
KINDS = ["csr_matrix", "csc_matrix", "csr_array", "csc_array"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "key",
    [
        [[0], [1]],
        [[0, 1]],
        (slice(None), [[0, 0], [1, 1]]),
        (2, "foo"),
        ("foo",),
        (slice(None), "x"),
        (1.5, 0),
        (9, 0),
    ],
)
def test_positions_that_raise(kind, key):
    for matrix in (getattr(scipy.sparse, kind)(HOST), getattr(sparse, kind)(HOST)):
        with pytest.raises(IndexError):
            matrix[key]


@pytest.mark.parametrize("kind", KINDS[:2])
def test_no_positions_are_a_matrix_of_no_columns(kind):
    for key in (([], []), ([[]], [[]])):
        want = getattr(scipy.sparse, kind)(HOST)[key]
        got = getattr(sparse, kind)(HOST)[key]
        assert type(got).__name__ == type(want).__name__ and got.shape == want.shape
        assert got.dtype == want.dtype


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(4,), (4, 1), (1, 4), ()])
def test_axes_of_one_count_for_nothing_in_assignments(kind, shape):
    rows, columns = np.array([0, 1, 2, 5]), np.array([4, 3, 0, 1])
    values = np.arange(1.0, 5.0).reshape(shape) if np.prod(shape) == 4 else np.full(shape, 7.0)
    want, got = getattr(scipy.sparse, kind)(HOST), getattr(sparse, kind)(HOST)
    want[rows, columns] = values
    got[cp.array(rows), cp.array(columns)] = cp.array(values)
    np.testing.assert_array_equal(got.toarray().get(), want.toarray())


def test_values_of_another_shape_raise():
    for module, xp in ((scipy.sparse, np), (sparse, cp)):
        matrix = module.csr_matrix(HOST)
        with pytest.raises(ValueError):
            matrix[xp.array([0, 1, 2, 5]), xp.array([4, 3, 0, 1])] = xp.ones((2, 2))


@pytest.mark.parametrize("kind", KINDS[:2])
def test_zeros_of_sparse_values_are_not_stored_anew(kind):
    value = np.array([[1.0, 0.0, 3.0, 0.0]])
    for rows in ([0, 1, 2, 5], [[0], [1], [2], [5]]):
        want, got = getattr(scipy.sparse, kind)(HOST), getattr(sparse, kind)(HOST)
        want[np.array(rows), np.array([4, 3, 0, 1])] = scipy.sparse.csr_matrix(value)
        got[cp.array(rows), cp.array([4, 3, 0, 1])] = sparse.csr_matrix(cp.array(value))
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
        assert got.nnz == want.nnz


@pytest.mark.parametrize("name", ["csr_matrix", "csc_matrix", "csr_array", "csc_array"])
def test_grids_keep_the_format_and_masks_may_be_scipys(name):
    dense = (np.arange(30).reshape(6, 5) % 7) * 1.0
    want, got = getattr(scipy.sparse, name)(dense), getattr(sparse, name)(cp.asarray(dense))
    grid = np.ix_([0, 2, 3], [1, 4])
    part = got[tuple(map(cp.asarray, grid))]
    assert part.format == want[grid].format
    np.testing.assert_array_equal(part.toarray().get(), want[grid].toarray())
    mask = want > 3
    for own in (mask, got > 3):
        np.testing.assert_array_equal(cp.asnumpy(got[own]), np.asarray(want[mask]))

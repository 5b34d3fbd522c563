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


ASSIGNED_KEYS = {
    "element": (0, 0), "column": (slice(None), 1), "places in a column": ([0, 2, 3], 1),
    "places in a row": (1, [0, 2, 3]), "an array of no axes": (np.array(1), [0, 2]),
    "a column of rows": ([[0], [1], [2]], 1), "a product": ([[0], [1]], [0, 3]),
    "a slice": (slice(0, 2), [0, 3]),
    "a mask": (np.array([True, False, True, True]), 2), "part of a row": (-1, slice(1, 3)), "a row": 2,
    "rows": [0, 3],
}  # fmt: skip
ASSIGNED = {
    "number": 5.0, "one": np.array([7.0]), "three": np.arange(1.0, 4.0), "row": np.arange(1.0, 4.0)[None],
    "column": np.arange(1.0, 4.0)[:, None], "square": np.full((2, 2), 3.0),
    "sparse row": scipy.sparse.csr_matrix([[1.0, 0.0, 2.0]]),
    "sparse column": scipy.sparse.csr_matrix([[1.0], [0.0], [2.0]]),
    "sparse element": scipy.sparse.csr_matrix([[4.0]]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.filterwarnings("ignore:Changing the sparsity")
@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "csr_array", "csc_array"])
@pytest.mark.parametrize("key", ASSIGNED_KEYS)
def test_assignments_of_every_shape(form, key):
    place = ASSIGNED_KEYS[key]
    for name, value in ASSIGNED.items():
        dense = np.arange(16.0).reshape(4, 4) % 3
        theirs = getattr(scipy.sparse, form)(dense)
        mine = getattr(sparse, form)(cp.asarray(dense))
        given = sparse.csr_matrix(value) if scipy.sparse.issparse(value) else cp.asarray(value)
        try:
            theirs[place] = value
        except ValueError:
            with pytest.raises(ValueError):  # noqa: PT011 - whatever SciPy says
                mine[place] = given
            continue
        mine[place] = given
        np.testing.assert_array_equal(mine.toarray().get(), theirs.toarray(), err_msg=name)

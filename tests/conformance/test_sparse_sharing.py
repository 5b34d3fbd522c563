"""Sparse matrices: what shares memory, what broadcasts, and which comparisons warn, against SciPy."""

import warnings

import numpy as np
import pytest
import scipy.sparse as theirs

import cuprum as cp
from cuprum.scipy import sparse as ours

DENSE = np.array([[0.0, 1.0, -2.0], [3.0, 0.0, 0.0]])


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("key", [slice(None), (), (slice(None), slice(None)), (slice(0, 2), slice(0, 3))])
def test_slices_of_the_whole_are_copies(form, key):
    m = ours.csr_matrix(cp.array(DENSE)).asformat(form)
    part = m[key]
    assert part.format == form and part.shape == m.shape
    part.data[:] = 0
    np.testing.assert_array_equal(m.toarray().get(), DENSE)


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_tocoo_copies(form):
    m = ours.csr_matrix(cp.array(DENSE)).asformat(form)
    m.tocoo().data[:] = 0
    np.testing.assert_array_equal(m.toarray().get(), DENSE)
    shared = m.tocoo(copy=False)
    shared.data[:] = 7
    assert set(m.data.tolist()) == {7.0}


@pytest.mark.parametrize("other", [DENSE[:1], DENSE[:, :1], DENSE])
@pytest.mark.parametrize("name", ["maximum", "minimum", "__lt__", "__gt__", "__ne__", "__eq__", "__le__"])
def test_rows_and_columns_stand_for_whole_matrices(name, other):
    a, b = (ours.csr_matrix(cp.array(one)) for one in (DENSE, other))
    function = {"maximum": np.maximum, "minimum": np.minimum}.get(name, lambda x, y: getattr(x, name)(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = getattr(a, name)(b)
    np.testing.assert_array_equal(got.toarray().get(), function(DENSE, other))
    with pytest.raises(ValueError, match="inconsistent shapes"):
        getattr(a, name)(ours.csr_matrix((4, 3)))


@pytest.mark.parametrize("name", ["__eq__", "__le__", "__ge__", "__lt__", "__gt__", "__ne__"])
@pytest.mark.parametrize("number", [None, 0, 2])
def test_comparisons_that_hold_for_zeros_warn(name, number):
    def warns(library, array):
        m = library.csr_matrix(array)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(m, name)(m if number is None else number)
        return any(one.category is library.SparseEfficiencyWarning for one in caught)

    assert warns(ours, cp.array(DENSE)) == warns(theirs, DENSE)


def test_products_of_nothing_have_the_default_dtype():
    zero, one = np.zeros((2, 2), "F"), np.ones((1, 2), "F")
    for a, b in ((zero, one), (one, zero)):
        want = theirs.kron(theirs.csr_matrix(a), theirs.csr_matrix(b))
        got = ours.kron(ours.csr_matrix(cp.array(a)), ours.csr_matrix(cp.array(b)))
        assert got.dtype == want.dtype and got.shape == want.shape


def test_sums_and_means_over_both_axes():
    m = ours.csr_matrix(cp.array(DENSE))
    assert float(m.sum(axis=(0, 1))) == DENSE.sum() and float(m.mean(axis=(0, 1))) == DENSE.mean()
    with pytest.raises(ValueError, match="sum: out has shape"):
        m.sum(axis=0, out=cp.zeros((3, 3)))
    for wrong in (cp.zeros((3, 3)), cp.zeros(5)):
        with pytest.raises(ValueError, match="out has shape"):
            m.mean(axis=0, out=wrong)
        with pytest.raises(ValueError, match="out has shape"):
            m.mean(out=wrong)


def test_what_is_known_of_the_indices_can_be_said():
    m = ours.csc_matrix((cp.ones(2), cp.array([1, 0]), cp.array([0, 2])))
    assert not m.has_sorted_indices and not m.has_canonical_format
    m.has_sorted_indices = True
    m.sort_indices()
    assert m.has_sorted_indices and m.indices.tolist() == [1, 0]


def test_refusals():
    m = ours.csr_matrix(cp.eye(2))
    with pytest.raises(TypeError, match="dot: a sparse matrix cannot be multiplied by NoneType"):
        m.dot(None)
    with pytest.raises(ValueError, match="exponent must be"):
        m ** []
    with pytest.raises(ValueError, match="two axes only"):
        m.transpose(axes=0)

"""What operations of sparse matrices give beside values: formats, errors, and what is changed in place."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import cuprum as cp
from cuprum.scipy import sparse

A = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, -3.0]])
FORMATS = ["csr", "csc", "coo", "dia", "bsr", "lil", "dok"]
OPERATIONS = {
    "reshape": lambda m, xp: m.reshape((3, 2)),
    "difference": lambda m, xp: m - 2 * m,
    "greater": lambda m, xp: m > 1,
    "not equal": lambda m, xp: m != 2 * m,
    "maximum": lambda m, xp: m.maximum(-m),
    "minimum of a number": lambda m, xp: m.minimum(-1),
    "maximum of a number": lambda m, xp: m.maximum(1),
    "absolute": lambda m, xp: abs(m),
    "power": lambda m, xp: m.power(2),
    "product": lambda m, xp: m @ m.T,
    "elementwise": lambda m, xp: m.multiply(m),
    "times a row": lambda m, xp: m.multiply(xp.array([1.0, 2.0, 4.0])),
    "times a column": lambda m, xp: m.multiply(xp.array([[1.0], [2.0]])),
    "by a row": lambda m, xp: m / xp.array([1.0, 2.0, 4.0]),
    "getrow": lambda m, xp: m.getrow(1),
    "getcol": lambda m, xp: m.getcol(2),
}


def matrices(form, a=A):
    return getattr(scipy.sparse, form)(a), getattr(sparse, form)(cp.asarray(a))


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_formats_of_results_are_those_of_scipy(form, name):
    theirs, ours = matrices(f"{form}_matrix")
    want, got = OPERATIONS[name](theirs, np), OPERATIONS[name](ours, cp)
    assert got.format == want.format and got.dtype == want.dtype
    np.testing.assert_array_equal(got.toarray().get(), want.toarray())


@pytest.mark.parametrize("form", ["csr_array", "csc_matrix", "coo_matrix"])
def test_stacks_and_powers_keep_the_format(form):
    theirs, ours = matrices(form, np.array([[1.0, 2.0], [0.0, 3.0]]))
    for stack in ("vstack", "hstack"):
        want, got = getattr(scipy.sparse, stack)([theirs] * 2), getattr(sparse, stack)([ours] * 2)
        assert got.format == want.format
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
    for power in (1, 3):
        want, got = theirs**power, ours**power
        assert got.format == want.format and got is not ours
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_matrix", "bsr_matrix", "dia_matrix"])
def test_scaling_in_place_changes_the_matrix_itself(form):
    theirs, ours = matrices(form)
    for m in (theirs, ours):
        same = m
        m *= 3
        m /= 4
        assert m is same
    np.testing.assert_array_equal(ours.toarray().get(), theirs.toarray())
    whole = getattr(sparse, form)(cp.asarray(A.astype(int)))
    with pytest.raises(TypeError):
        whole *= 2.5


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "coo_matrix"])
def test_elements_that_are_stored_twice_are_one(form):
    def made(xp, sp, values):
        places = (xp.array([0, 0, 1, 1]), xp.array([1, 1, 0, 2]))
        coo = sp.coo_matrix((xp.array(values), places), shape=(2, 3))
        if form == "coo_matrix":
            return coo
        parts = (coo.data, xp.array([1, 1, 0, 2]), xp.array([0, 2, 4]))
        csr = sp.csr_matrix(parts, shape=(2, 3))
        return csr if form == "csr_matrix" else csr.T

    for values in ([1.0, -4.0, 2.0, 9.0], [True, True, True, False]):
        theirs, ours = made(np, scipy.sparse, values), made(cp, sparse, values)
        for function in (
            lambda m: abs(m).toarray(),
            lambda m: m.sin().toarray() if m.dtype.kind == "f" else m.toarray(),
            lambda m: m.power(2).toarray() if m.dtype.kind == "f" else m.toarray(),
            lambda m: m.sum(),
            lambda m: m.mean(),
            lambda m: m.sum(axis=0),
            lambda m: m.max(),
            lambda m: m.count_nonzero(),
        ):
            np.testing.assert_array_equal(cp.asnumpy(function(ours)), np.asarray(function(theirs)))


def test_refusals_are_those_of_scipy():
    cases = [
        (NotImplementedError, lambda m, xp, sp, linalg: -m.astype(bool)),
        (NotImplementedError, lambda m, xp, sp, linalg: m.power(0)),
        (ZeroDivisionError, lambda m, xp, sp, linalg: sp.csr_matrix((0, 3)).mean()),
        (ZeroDivisionError, lambda m, xp, sp, linalg: sp.csr_matrix((0, 3)).mean(axis=0)),
        (ValueError, lambda m, xp, sp, linalg: m.dot(xp.array(2.0))),
        (ValueError, lambda m, xp, sp, linalg: (m @ m.T) ** -1),
        (ValueError, lambda m, xp, sp, linalg: (m @ m.T) ** 2.5),
        (ValueError, lambda m, xp, sp, linalg: linalg.matrix_power(m @ m.T, 2.0)),
        (ValueError, lambda m, xp, sp, linalg: sp.coo_array(3.0)),
        (TypeError, lambda m, xp, sp, linalg: sp.csr_array(xp.array(3.0))),
        (ValueError, lambda m, xp, sp, linalg: sp.coo_matrix(("no", ([0], [0])), shape=(2, 2))),
        (ValueError, lambda m, xp, sp, linalg: sp.csr_matrix(([1.0], "no", [0, 1, 1]), shape=(2, 2))),
        (ValueError, lambda m, xp, sp, linalg: sp.coo_array(([1.0], ([0],)), shape=(2, 2))),
    ]
    theirs, ours = matrices("csr_matrix")
    for error, call in cases:
        with pytest.raises(error):
            call(theirs, np, scipy.sparse, scipy.sparse.linalg)
        with pytest.raises(error):
            call(ours, cp, sparse, sparse.linalg)


def test_sums_over_one_axis_in_a_tuple():
    theirs, ours = matrices("csr_array")
    for name in ("sum", "mean"):
        np.testing.assert_array_equal(getattr(ours, name)(axis=(0,)).get(), getattr(theirs, name)(axis=(0,)))
    line, own = scipy.sparse.coo_array(A[1]), sparse.coo_array(cp.asarray(A[1]))
    assert float(own.sum(axis=(0,))) == line.sum(axis=(0,))


def test_shapes_are_set_and_arrays_pruned_in_place():
    for xp, sp in ((np, scipy.sparse), (cp, sparse)):
        m = sp.csr_matrix(xp.asarray(A))
        m.shape = (3, 2)
        assert m.shape == (3, 2) and m.format == "csr"
        m.data, m.indices = xp.concatenate([m.data] * 2), xp.concatenate([m.indices] * 2)
        m.prune()
        assert m.data.size == m.indices.size == 3
        assert sp.csr_array[float, int].__origin__ is sp.csr_array


def test_a_new_place_of_compressed_lines_warns():
    for xp, sp in ((np, scipy.sparse), (cp, sparse)):
        m = sp.csr_matrix(xp.asarray(A))
        m[0, 1] = 7.0
        with pytest.warns(sp.SparseEfficiencyWarning, match="sparsity structure of a csr_matrix"):
            m[0, 0] = 5.0
        assert m[0, 0] == 5.0


@pytest.mark.parametrize("name", ["splu", "spilu", "factorized"])
def test_solutions_of_several_right_sides_have_columns_together(name):
    a, b = np.array([[4.0, 1, 0], [1, 3, 0], [0, 1, 2]]), np.arange(12.0).reshape(3, 4)
    for xp, sp in ((np, scipy.sparse), (cp, sparse)):
        made = getattr(sp.linalg, name)(sp.csc_matrix(xp.asarray(a)))
        x = (made if name == "factorized" else made.solve)(xp.asarray(b))
        assert x.flags["F_CONTIGUOUS"] and not x.flags["C_CONTIGUOUS"]
        np.testing.assert_allclose(a @ cp.asnumpy(x), b, rtol=1e-13, atol=1e-13)


def test_products_of_arrays_with_matrices_are_arrays():
    for form in ("csr_array", "csc_array"):
        want = getattr(scipy.sparse, form)(A) @ scipy.sparse.csr_matrix(A.T)
        got = getattr(sparse, form)(cp.asarray(A)) @ sparse.csr_matrix(cp.asarray(A.T))
        assert type(got).__name__ == type(want).__name__
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())


def test_extremes_with_a_number_see_sums_of_duplicates():
    for xp, sp in ((np, scipy.sparse), (cp, sparse)):
        for form in ("csr_matrix", "csc_matrix"):
            parts = (xp.array([-3.0, 4.0, 2.0]), xp.array([1, 1, 0]), xp.array([0, 2, 3]))
            m = getattr(sp, form)(parts, shape=(2, 2))
            want = [[0.0, 1.0], [1.0, 0.0]]
            got = cp.asnumpy(m.minimum(1).toarray())
            np.testing.assert_array_equal(got if form == "csr_matrix" else got.T, want)


def test_coordinates_are_read_and_written_by_positions():
    theirs, ours = matrices("coo_array")
    rows, columns = [0, 1, 1], [1, 2, 1]
    got = ours[cp.array(rows), cp.array(columns)]
    assert got.format == theirs[rows, columns].format == "coo"
    np.testing.assert_array_equal(got.toarray().get(), theirs[rows, columns].toarray())
    for m, xp in ((theirs, np), (ours, cp)):
        m[0, 0] = 5.0
        m[xp.array([1, 1]), xp.array([0, 1])] = xp.array([7.0, 8.0])
    np.testing.assert_array_equal(ours.toarray().get(), theirs.toarray())


def test_blocks_are_sorted_into_a_new_matrix():
    parts = ([[[1.0]], [[2.0]]], [1, 0], [0, 2])
    want = scipy.sparse.bsr_matrix(tuple(np.array(part) for part in parts), shape=(1, 2)).sorted_indices()
    m = sparse.bsr_matrix(tuple(cp.array(part) for part in parts), shape=(1, 2))
    got = m.sorted_indices()
    np.testing.assert_array_equal(got.indices.get(), want.indices)
    np.testing.assert_array_equal(got.data.get(), want.data)
    assert m.indices.tolist() == [1, 0]


def test_both_names_of_where_random_numbers_come_from():
    for name, shape in (("random", (6, 7)), ("rand", (6, 7)), ("random_array", ((6, 7),))):
        make = getattr(sparse, name)
        made = [make(*shape, density=0.5, **{key: 5}).toarray().get() for key in ("rng", "random_state")]
        np.testing.assert_array_equal(made[0], made[1])
        for module in (sparse, scipy.sparse):
            with pytest.raises(TypeError, match="rng"):
                getattr(module, name)(*shape, density=0.5, rng=5, random_state=5)
    assert sparse.random(6, 7, 0.5, "csr", None, 5).nnz == sparse.rand(6, 7, 0.5, "csr", None, 5).nnz == 21

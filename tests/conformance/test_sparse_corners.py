"""Sparse matrices in seldom forms: tuples of axes, new axes, duplicates, formats of results, own indices."""

import numpy as np
import pytest
import scipy.sparse
from test_sparse import check
from test_sparse_edges import rough

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import linalg

A = np.array([[0.0, 0, 0, -3, -2], [4, 0, -5, -1, 0], [0, 4, 0, 0, 0], [0, 4, 0, 0, -5]])
KINDS = [f"{form}_{kind}" for form in ("csr", "csc", "coo", "lil", "dok") for kind in ("array", "matrix")]
SUBSCRIPTED = [kind for kind in KINDS if kind != "coo_matrix"]


def made(xp, sp, kind, values=A):
    return getattr(sp, kind)(xp.asarray(values))


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "coo_array", "bsr_matrix"])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "nanmax", "nanmin", "argmax", "argmin"])
def test_tuples_of_axes(name, kind):
    for axis in ((0,), (1,), (-1,), (0, 1), (-1, 0)):
        check(lambda xp, sp, x=axis: getattr(made(xp, sp, kind), name)(axis=x), (name, axis))
    for axis in ((), (0, 0), (2,)):
        check(
            lambda xp, sp, x=axis: getattr(made(xp, sp, kind), name)(axis=x), (name, axis), raises=ValueError
        )


@pytest.mark.parametrize("kind", SUBSCRIPTED)
def test_new_axes(kind):
    for key in ((None, 1), (1, None), (None, slice(None), 2), (slice(None), 2, None), (slice(None), None, 2)):
        check(lambda xp, sp, k=key: made(xp, sp, kind)[k], (kind, key))

    def written(xp, sp, key):
        m = made(xp, sp, kind)
        m[key] = 7
        return m.toarray()

    for key in (None, (None, 1), (slice(None), None, 2)):
        check(lambda xp, sp, k=key: written(xp, sp, k), (kind, key))
    with pytest.raises(IndexError):
        made(cp, sparse, kind)[None, None, 1]
    with pytest.raises(IndexError):
        made(cp, sparse, kind)[:, None]


@pytest.mark.parametrize("kind", SUBSCRIPTED)
def test_pairs_of_positions(kind):
    for key in (([0, 1, 3], [4, 1, 0]), ([], [])):
        check(lambda xp, sp, k=key: made(xp, sp, kind)[k], (kind, key))
    check(lambda xp, sp: made(xp, sp, kind)[xp.asarray(A > 0)], kind)


@pytest.mark.parametrize("kind", KINDS)
def test_formats_of_results(kind):
    bodies = [
        lambda xp, m: m == np.nan,
        lambda xp, m: m != np.nan,
        lambda xp, m: m.multiply(xp.asarray([2.0])),
        lambda xp, m: m.multiply(xp.asarray([[2.0]])),
        lambda xp, m: m / xp.asarray([2.0]),
        lambda xp, m: m * 0,
        lambda xp, m: -m,
        lambda xp, m: m.real,
        lambda xp, m: m.imag,
        lambda xp, m: 0 - m,
    ]
    if kind != "coo_matrix":
        bodies.append(lambda xp, m: list(m))
    for i, body in enumerate(bodies):
        check(lambda xp, sp, b=body: b(xp, made(xp, sp, kind)), (kind, i))


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_elements_stored_twice_are_one_element_of_lists_and_keys(form):
    m = rough(cp, sparse, f"{form}_matrix")
    want = rough(np, scipy.sparse, f"{form}_matrix")
    for made_of in (m.todok(), sparse.dok_matrix(m)):
        assert len(made_of) == len(made_of.keys()) == len(want.todok())
    for made_of in (m.tolil(), sparse.lil_matrix(m)):
        assert made_of.nnz == want.tolil().nnz
        assert made_of.rows.tolist() == want.tolil().rows.tolist()


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_results_share_no_indices(form):
    for body in (
        lambda m: m * 2,
        lambda m: -m,
        lambda m: m / 2,
        abs,
        lambda m: m.astype("f4"),
        lambda m: m.real,
    ):
        m = sparse.csr_matrix(cp.asarray(A)).asformat(form)
        result = body(m)
        for name in ("indices", "indptr", "row", "col", "offsets"):
            if hasattr(result, name):
                getattr(result, name)[:] = 0
        np.testing.assert_array_equal(m.toarray().get(), A)


def test_writes_that_are_refused():
    for kind in ("csr_array", "lil_matrix"):

        def column(xp, sp, kind=kind):
            made(xp, sp, kind)[:, 1] = sp.csr_array(xp.asarray(np.arange(4.0)[None]))

        check(column, kind, raises=ValueError)

    def points(xp, sp):
        m = made(xp, sp, "csr_array")
        m[[0, 1, 3], [4, 1, 0]] = sp.csr_array(xp.asarray([[1.0, 0.0, 3.0]]))
        return m.toarray()

    check(points)
    check(lambda xp, sp: made(xp, sp, "csr_array").toarray("C", xp.zeros((4, 5))), raises=ValueError)
    check(lambda xp, sp: made(xp, sp, "csr_array") / 0, raises=ZeroDivisionError)
    check(lambda xp, sp: made(xp, sp, "csc_matrix") / 0.0, raises=ZeroDivisionError)
    check(lambda xp, sp: made(xp, sp, "csr_array") / np.float64(0))


def test_zeros_that_are_written_are_not_stored_by_coordinates():
    m = sparse.coo_array(cp.asarray(A))
    m[1] = 0
    assert m.nnz == 5


@pytest.mark.parametrize("which", ["LI", "SI"])
def test_imaginary_parts_of_complex_matrices_have_a_sign(which):
    rng = np.random.default_rng(0)
    a = rng.standard_normal((30, 30)) + 1j * rng.standard_normal((30, 30))
    values = np.linalg.eigvals(a)
    values = values[np.argsort(values.imag)][slice(-4, None) if which == "LI" else slice(4)]
    got = linalg.eigs(sparse.csr_array(cp.asarray(a)), k=4, which=which, return_eigenvectors=False).get()
    np.testing.assert_allclose(np.sort_complex(got), np.sort_complex(values), rtol=1e-8)


def test_systems_of_no_unknowns():
    check(lambda xp, sp: sp.linalg.spsolve(sp.csc_array((0, 0)), xp.ones(0)))


@pytest.mark.parametrize("kind", ["lil_array", "lil_matrix", "dok_matrix", "csr_array"])
def test_sums_of_formats_that_are_filled(kind):
    for other in ("csr_array", "csc_matrix"):
        check(lambda xp, sp, o=other: made(xp, sp, kind) + made(xp, sp, o), (kind, other))

    def added(xp, sp):
        m = made(xp, sp, kind)
        same = m
        m += made(xp, sp, "csr_array", A + 1)
        m -= made(xp, sp, "csr_array")
        return m, float(m is same)

    check(added, kind)

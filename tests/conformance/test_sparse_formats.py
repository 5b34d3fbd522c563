"""What single formats of sparse matrices have: blocks, filling by elements, indices, extrema, printing."""

import numpy as np
import pytest
import scipy.sparse
from test_sparse import KINDS, A, B, check, plain

import cuprum as cp
from cuprum.scipy import sparse

D = np.array([[1.0, 2, 0, 0], [3, 4, 0, 0], [0, 0, 0, 0], [0, 0, 5, 6]])


def parts(xp, *values):
    return tuple(xp.asarray(value) for value in values)


@pytest.mark.parametrize("kind", ["bsr_matrix", "bsr_array"])
def test_blocks(kind):
    def made(xp, sp, size=(2, 2)):
        return getattr(sp, kind)(xp.asarray(D), blocksize=size)

    for size in ((1, 1), (2, 2), (2, 4), (4, 1)):
        check(lambda xp, sp, s=size: made(xp, sp, s), size)
        check(lambda xp, sp, s=size: made(xp, sp, s).blocksize, size)
        check(lambda xp, sp, s=size: made(xp, sp, s).nnz, size)
        check(lambda xp, sp, s=size: made(xp, sp, s).indices, size)
        check(lambda xp, sp, s=size: made(xp, sp, s).data, size)
        check(lambda xp, sp, s=size: made(xp, sp, s).T.data, size)
        check(lambda xp, sp, s=size: made(xp, sp, s) @ made(xp, sp, s[::-1]), size)
        check(lambda xp, sp, s=size: made(xp, sp, s) + made(xp, sp, (2, 2)), size)
    check(lambda xp, sp: made(xp, sp).tobsr((1, 2)).data)
    check(lambda xp, sp: getattr(sp, kind)(xp.asarray(np.kron(np.eye(2), np.ones((6, 6))))).blocksize)
    for side in (2, 3, 4, 5):
        check(lambda xp, sp, n=side: getattr(sp, kind)(xp.ones((n, n))).blocksize, side)
    check(lambda xp, sp: getattr(sp, kind)((4, 6), blocksize=(2, 3)))
    three = (np.arange(12.0).reshape(3, 2, 2), [0, 1, 1], [0, 1, 3])
    check(lambda xp, sp: getattr(sp, kind)(parts(xp, *three), shape=(4, 4)))
    check(lambda xp, sp: getattr(sp, kind)(parts(xp, *three)))

    def cleaned(xp, sp, method):
        matrix = getattr(sp, kind)(parts(xp, three[0], [1, 0, 0], [0, 1, 3]), shape=(4, 4))
        getattr(matrix, method)()
        return matrix, matrix.data, matrix.indices, matrix.indptr

    for method in ("sum_duplicates", "sort_indices"):
        check(lambda xp, sp, m=method: cleaned(xp, sp, m), method)
    zeros = made(cp, sparse)
    zeros.data[0] = 0
    zeros.eliminate_zeros()
    assert zeros.indptr.tolist() == [0, 0, 1]

    def taken(xp, sp, indices, indptr):
        getattr(sp, kind)(parts(xp, three[0], indices, indptr), shape=(4, 4)).check_format()

    for bad in (
        lambda xp, sp: made(xp, sp, (3, 2)),
        lambda xp, sp: made(xp, sp, (0, 2)),
        lambda xp, sp: getattr(sp, kind)(
            parts(xp, three[0], [0, 2, 1], [0, 1, 3]), shape=(4, 4)
        ).check_format(),
        lambda xp, sp: getattr(sp, kind)(
            parts(xp, three[0], [0, 1, 1], [0, 2, 1]), shape=(4, 4)
        ).check_format(),
    ):
        check(bad, raises=ValueError)
    check(lambda xp, sp: made(xp, sp, 2), raises=TypeError)
    with pytest.raises(ValueError, match="multiple of blocksize"):  # SciPy takes it
        getattr(sparse, kind)(parts(cp, *three), shape=(5, 4))


@pytest.mark.parametrize("kind", ["lil_matrix", "lil_array", "dok_matrix", "dok_array"])
def test_filled_element_by_element(kind):
    def filled(xp, sp):
        matrix = getattr(sp, kind)((5, 6))
        matrix[0, 1] = 4
        matrix[-1, -2] = 3
        matrix[0, 1] = 2
        matrix[2, 2] = 7
        matrix[2, 2] = 0
        matrix[3, :] = xp.arange(6.0)
        matrix[:2, 0] = 9
        matrix[4, 4] = matrix[3, 5] + 1
        return matrix

    for body in (
        lambda m: m,
        lambda m: m.nnz,
        lambda m: m[3, 5],
        lambda m: m[1:4],
        lambda m: m.T,
        lambda m: m.tocsc(),
        lambda m: m.astype("int32"),
        lambda m: (m * 2, -m, abs(m), m.conj()),
    ):
        check(lambda xp, sp, b=body: b(filled(xp, sp)))

    def resized(xp, sp):
        matrix = filled(xp, sp)
        matrix.resize(4, 8)
        return matrix

    check(resized)
    check(lambda xp, sp: filled(xp, sp)[5, 0], raises=IndexError)
    if kind.startswith("lil"):
        ours, theirs = filled(cp, sparse), filled(np, scipy.sparse)
        assert ours.rows.tolist() == theirs.rows.tolist()
        assert ours.data.tolist() == theirs.data.tolist()


def test_dictionary_of_keys():
    ours, theirs = (sp.dok_array((3, 4), dtype="int64") for sp in (sparse, scipy.sparse))
    for one in (ours, theirs):
        one[0, 1], one[2, 3], one[1, 1] = 5, 6, 7
        one.update({(0, 0): 3})
        assert one.pop((1, 1)) == 7 and one.setdefault((2, 0), 4) == 4 and one.setdefault((0, 1), 9) == 5
        with pytest.raises(KeyError):
            one.pop((1, 1))
    assert dict(ours.items()) == dict(theirs.items()) and len(ours) == len(theirs)
    assert sorted(ours.keys()) == sorted(theirs.keys()) and sorted(ours.values()) == sorted(theirs.values())
    assert ((0, 1) in ours) and ((1, 0) not in ours) and ours.get((0, 1)) == 5 and ours.get((1, 0), 8) == 8
    ours.clear()
    assert ours.nnz == 0
    made = sparse.dok_matrix.fromkeys([(0, 1), (2, 0)], 3)
    np.testing.assert_array_equal(made.toarray().get(), [[0, 3], [0, 0], [3, 0]])


@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix", "coo_array", "bsr_matrix"])
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_extrema_of_all_formats(kind, dtype):
    values = [A, -abs(A), abs(A) + 1, np.zeros((3, 4)), np.array([[0, 0, 5], [7, 0, 7]])]
    for value in values:
        for name in ("max", "min", "nanmax", "nanmin", "argmax", "argmin"):
            if name.startswith("arg") and kind.startswith("bsr"):
                continue  # SciPy's blocks have none
            for axis in (None, 0, 1):

                def found(xp, sp, v=value, n=name, x=axis):
                    result = getattr(getattr(sp, kind)(xp.asarray(v.astype(dtype))), n)(axis=x)
                    # Those of arrays along an axis are sparse arrays of one axis.
                    return result.toarray() if hasattr(result, "toarray") else result

                check(found, (name, axis))
    check(lambda xp, sp: getattr(sp, kind)(xp.asarray(A)).max(explicit=True))
    check(lambda xp, sp: getattr(sp, kind)((3, 0)).max(axis=1), raises=ValueError)
    check(lambda xp, sp: getattr(sp, kind)(xp.asarray(A)).max(axis=2), raises=ValueError)


def test_large_positions_need_no_dense_matrix():
    places = parts(cp, [70_000, 99_999], [80_000, 99_998])
    big = sparse.csr_array((cp.asarray([-2.0, 3.0]), places), shape=(100_000, 100_000))
    assert int(big.argmax()) == 99_999 * 100_000 + 99_998
    assert int(big.argmin()) == 70_000 * 100_000 + 80_000
    assert int(abs(big).argmin()) == 0


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_array", "coo_array", "coo_matrix"])
def test_index_dtypes(kind, index):
    def made(xp, sp):
        values = xp.asarray([1.0, 2, 3])
        rows, columns = xp.asarray([0, 1, 1], dtype=index), xp.asarray([1, 0, 2], dtype=index)
        if kind.startswith("coo"):
            return getattr(sp, kind)((values, (rows, columns)), shape=(3, 3))
        return getattr(sp, kind)((values, columns, xp.asarray([0, 1, 3, 3], dtype=index)), shape=(3, 3))

    def names(matrix):
        return matrix.coords if kind.startswith("coo") else (matrix.indices, matrix.indptr)

    check(lambda xp, sp: names(made(xp, sp)))
    check(lambda xp, sp: made(xp, sp) @ xp.arange(3.0))
    check(lambda xp, sp: made(xp, sp) @ made(xp, sp))
    check(lambda xp, sp: made(xp, sp) @ xp.ones((3, 2)))
    check(lambda xp, sp: made(xp, sp) + made(xp, sp).T)


@pytest.mark.parametrize("kind", KINDS)
def test_printing(kind):
    for value in (A.astype(float), B, np.arange(1, 401).reshape(20, 20)):
        ours, theirs = getattr(sparse, kind)(cp.asarray(value)), getattr(scipy.sparse, kind)(value)
        assert repr(ours) == repr(theirs)
        assert str(ours) == str(theirs)


def test_rows_by_iteration_and_resizing():
    for kind in ("csr_matrix", "csc_matrix", "coo_matrix", "bsr_matrix"):
        rows = list(getattr(sparse, kind)(cp.asarray(A)))
        assert len(rows) == 6
        np.testing.assert_array_equal(np.vstack([plain(row)[2] for row in rows]), A)

        def resized(xp, sp, k=kind):
            matrix = getattr(sp, k)(xp.asarray(A))
            matrix.resize(4, 8)
            return matrix

        check(resized, kind)


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "coo_array"])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_formats_of_extrema(kind, name):
    for other in (2, -2, 0, D[:, ::-1].copy(), D[:1], None):

        def extremum(xp, sp, other=other):
            a = getattr(sp, kind)(xp.asarray(D))
            right = a if other is None else xp.asarray(other) if isinstance(other, np.ndarray) else other
            return getattr(a, name)(right)

        check(extremum, other)
        ours = extremum(cp, sparse)
        if not isinstance(ours, cp.ndarray):
            assert ours.format == extremum(np, scipy.sparse).format


@pytest.mark.parametrize("kind", ["dia_matrix", "dia_array"])
def test_diagonals_of_scipy_come_and_go_as_they_are(kind):
    """Their order stays, and so does what lies outside of the matrix."""
    theirs = getattr(scipy.sparse, kind)((np.arange(12.0).reshape(3, 4), [0, -1, 2]), shape=(3, 4))
    ours = getattr(sparse, kind)(theirs)
    np.testing.assert_array_equal(ours.toarray().get(), theirs.toarray())
    back = ours.get()
    assert type(back) is type(theirs)
    np.testing.assert_array_equal(back.offsets, theirs.offsets)
    np.testing.assert_array_equal(back.data, theirs.data)


@pytest.mark.parametrize("copy", [False, True])
def test_diagonals_share_what_they_are_made_of(copy):
    for xp, sp in ((np, scipy.sparse), (cp, sparse)):
        data, offsets = xp.ones((2, 3)), xp.asarray([0, 1], dtype=np.int32)
        made = sp.dia_matrix((data, offsets), shape=(3, 3), copy=copy)
        assert xp.may_share_memory(made.data, data) != copy
        assert xp.may_share_memory(made.offsets, offsets) != copy

"""Matrices of 1e12 columns or rows with few elements: memory follows from what is stored, as in SciPy."""

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum.scipy import sparse

N = 10**12
VALUES, STARTS = [1.0, -2.0, 3.0, 4.0], [0, 2, 3, 4]

COMMON = {
    "sum of two": lambda m, xp, sp: m + m,
    "product by elements": lambda m, xp, sp: m.multiply(m),
    "greater": lambda m, xp, sp: m > 0.5,
    "not equal": lambda m, xp, sp: m != 2 * m,
    "maximum": lambda m, xp, sp: m.maximum(2 * m),
    "transpose": lambda m, xp, sp: m.T,
    "all": lambda m, xp, sp: [m.sum(), m.mean(), m.max(), m.min(), m.count_nonzero(), m.nnz],
    "argmax": lambda m, xp, sp: [m.argmax()],
    "nonzero": lambda m, xp, sp: list(m.nonzero()),
    "reshape": lambda m, xp, sp: m.reshape((1, 3 * N)),
}
# Parts along the long axis, of which SciPy makes arrays as long as the axis: compared where it is shorter.
PARTS = {
    "element": lambda m, n: [m[0, n - 1], m[1, 8]],
    "columns": lambda m, n: m[:, [5, n - 1, 5, 8]],
    "slice": lambda m, n: m[:, 6 : n - 1],
    "steps": lambda m, n: m[:, 1::4],
    "backwards": lambda m, n: m[:, ::-1],
    "row": lambda m, n: m[[1], :],
    "sums": lambda m, n: [m.sum(axis=1)],
    "extremes": lambda m, n: m.max(axis=1),
    "places": lambda m, n: [m.argmin(axis=1) > 0],
}


def shown(found):
    if isinstance(found, list):
        return [np.asarray(cp.asnumpy(one)).ravel().tolist() for one in found]
    coo = found.tocoo()
    coo.sum_duplicates()
    row, col, data = (cp.asnumpy(part).tolist() for part in (coo.row, coo.col, coo.data))
    return found.shape, sorted(zip(row, col, data, strict=True))


def made(form, xp, sp, n=N):
    shape = (3, n) if form.startswith("csr") else (n, 3)
    return getattr(sp, form)((xp.array(VALUES), xp.array([5, n - 1, 7, 5]), xp.array(STARTS)), shape=shape)


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix"])
@pytest.mark.parametrize("name", COMMON)
def test_few_elements_in_many_places(form, name):
    call = COMMON[name]
    want = shown(call(made(form, np, scipy.sparse), np, scipy.sparse))
    assert shown(call(made(form, cp, sparse), cp, sparse)) == want


@pytest.mark.parametrize("name", PARTS)
def test_parts_along_the_long_axis(name):
    call, shorter = PARTS[name], 10**6
    want = shown(call(made("csr_matrix", np, scipy.sparse, shorter), shorter))
    assert shown(call(made("csr_matrix", cp, sparse, shorter), shorter)) == want
    got = call(made("csr_matrix", cp, sparse), N)
    if isinstance(got, list):
        assert shown(got) == want
    else:
        assert [value for *_, value in shown(got)[1]] == [value for *_, value in want[1]]


def test_parts_of_long_columns():
    rows, columns = (made(form, cp, sparse) for form in ("csr_matrix", "csc_matrix"))
    for one, other in (
        (rows[:, [5, N - 1, 5, 8]], columns[[5, N - 1, 5, 8], :]),
        (rows[:, 6 : N - 1], columns[6 : N - 1]),
        (rows[:, ::-1], columns[::-1]),
        (rows[[1], :], columns[:, [1]]),
        (rows.max(axis=1), columns.max(axis=0)),
        (rows.getcol(5), columns.getrow(5)),
    ):
        assert shown(one.T) == shown(other)


def test_products_with_long_rows_need_no_place_for_each_column():
    m = made("csr_matrix", cp, sparse)
    left = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]])
    got = sparse.csr_matrix(cp.asarray(left)) @ m
    assert shown(got) == (
        (2, N),
        [(0, 5, 1.0), (0, 7, 6.0), (0, N - 1, -2.0), (1, 5, 4.0), (1, 7, 3.0)],
    )
    assert shown(m.T.tocsc() @ sparse.csc_matrix(cp.asarray(left.T))) == shown(got.T)


def test_coordinates_in_a_square_of_1e24_places():
    for name in ("max", "min", "sum", "count_nonzero"):
        for xp, sp, found in ((np, scipy.sparse, []), (cp, sparse, [])):
            places = (xp.array([5, N - 1, 7, 5]), xp.array([N - 2, 0, 7, N - 2]))
            m = sp.coo_matrix((xp.array(VALUES), places), shape=(N, N))
            found.append(float(getattr(m, name)()))
            m.sum_duplicates()
            found.append(m.nnz)
            assert found == [{"max": 5.0, "min": -2.0, "sum": 6.0, "count_nonzero": 3.0}[name], 3]
    parts = ([[1.0, 1.0]], [0])
    tall = sparse.dia_matrix((cp.asarray(parts[0]), cp.asarray(parts[1])), shape=(N, 2))
    assert shown(tall.tocsc()) == ((N, 2), [(0, 0, 1.0), (1, 1, 1.0)])

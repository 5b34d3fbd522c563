"""Vectors that stand as columns: operators take them with SciPy 1.18's warning."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.scipy.sparse.linalg import LinearOperator, aslinearoperator

A = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]])


def test_columns_warn_and_are_multiplied():
    operator = aslinearoperator(cp.array(A))
    with pytest.warns(FutureWarning, match="matmat"):
        got = operator.matvec(cp.ones((3, 1)))
    np.testing.assert_array_equal(got.get(), A @ np.ones((3, 1)))
    with pytest.warns(FutureWarning, match="rmatmat"):
        got = operator.rmatvec(cp.ones((2, 1)))
    np.testing.assert_array_equal(got.get(), A.T @ np.ones((2, 1)))


def test_products_with_matrices_and_sums_do_not_warn(recwarn):
    a = cp.array(A)
    own = LinearOperator((2, 3), matvec=lambda x: a @ x, rmatvec=lambda x: a.T @ x, dtype=float)
    for operator in (own, own + own, 2 * own, own.H):
        size = operator.shape[1]
        want = (own.matmat(cp.eye(3)) if size == 3 else cp.array(A.T)).get()
        got = operator.matmat(cp.eye(size)).get()
        assert got.shape == want.shape and np.count_nonzero(got) == np.count_nonzero(want)
        operator.matvec(cp.ones(size))
    assert not [w for w in recwarn if w.category is FutureWarning]

"""Against ``scipy.linalg``: eigenvalues and factors of matrices that are given by their diagonals."""

import numpy as np
import pytest
import scipy.linalg
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import linalg

RNG = np.random.default_rng(11)
N = 9
D, E = RNG.standard_normal(N), RNG.standard_normal(N - 1)
REAL = RNG.standard_normal((3, N))
COMPLEX = REAL + 1j * RNG.standard_normal((3, N))
DTYPES = ("f4", "f8", "i4", "f2", "?")


def positive(dtype):
    """Upper bands of a positive definite matrix, with other elements in the corners."""
    bands = 0.1 * (COMPLEX if np.dtype(dtype).kind == "c" else REAL)
    bands[2] = 3 + np.abs(bands[2])
    return bands.astype(dtype)


def checks(bodies, units=1e3, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "linalg", units, label=f"case {i}", **options)


def test_eigenvalues_of_tridiagonal_matrices():
    checks(
        [
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D), xp.array(E)),
            lambda xp, sp: sp.eigh_tridiagonal(xp.array(D), xp.array(E), eigvals_only=True),
            *(
                lambda xp, sp, t=t: sp.eigvalsh_tridiagonal(xp.array(D * 3, t), xp.array(E, t))
                for t in DTYPES
            ),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D, "f4"), xp.array(E)),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D), xp.array(E), select="i", select_range=(2, 4)),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D), xp.array(E), "v", (-0.5, 1.0)),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D), xp.array(E), "Value", (90, 91)),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(D), xp.array(E), lapack_driver="stebz"),
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array([2.0]), xp.array([])),
            lambda xp, sp: sp.eigvalsh_tridiagonal([2.0, 1.0], [0.5]),
        ]
    )


def test_vectors_of_tridiagonal_matrices():
    dense = np.diag(D) + np.diag(E, 1) + np.diag(E, -1)
    for options in ({}, {"select": "i", "select_range": (0, 2)}, {"select": "v", "select_range": (-1, 1)}):
        w, v = linalg.eigh_tridiagonal(cp.array(D), cp.array(E), **options)
        want, vectors = scipy.linalg.eigh_tridiagonal(D, E, **options)
        assert w.shape == want.shape and v.shape == vectors.shape
        np.testing.assert_allclose(dense @ v.get(), v.get() * w.get(), atol=1e-13)
        np.testing.assert_allclose(np.abs(np.sum(v.get() * vectors, 0)), 1, rtol=1e-12)


def test_eigenvalues_of_bands():
    lower = np.array([np.roll(row, -(2 - i)) for i, row in enumerate(COMPLEX)])[::-1].conj()
    checks(
        [
            *(
                lambda xp, sp, a=a: sp.eigvals_banded(xp.array(a))
                for a in (REAL, COMPLEX, REAL[1:], REAL[:1])
            ),
            *(
                lambda xp, sp, t=t: sp.eig_banded(xp.array(REAL * 3, t), eigvals_only=True)
                for t in ("f4", "f8", "i4")
            ),
            lambda xp, sp: sp.eigvals_banded(xp.array(COMPLEX, "c8")),
            lambda xp, sp: sp.eigvals_banded(xp.array(lower), lower=True),
            lambda xp, sp: sp.eigvals_banded(xp.array(REAL), select="i", select_range=[1, 3]),
            lambda xp, sp: sp.eigvals_banded(xp.array(REAL), select="v", select_range=[-1.0, 1.0]),
            lambda xp, sp: sp.eigvals_banded(xp.array([[0.0, 1.0], [2.0, 3.0]])),
        ]
    )
    assert np.allclose(
        linalg.eigvals_banded(cp.array(lower), lower=True).get(),
        linalg.eigvals_banded(cp.array(COMPLEX)).get(),
    )
    w, v = linalg.eig_banded(cp.array(COMPLEX))
    dense = sum(np.diag(COMPLEX[2 - d, d:], d) for d in (1, 2))
    dense = dense + dense.conj().T + np.diag(COMPLEX[2].real)
    np.testing.assert_allclose(dense @ v.get(), v.get() * w.get(), atol=1e-13)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_factors_of_bands(dtype):
    ab = positive(dtype)
    low = np.array([np.roll(row, -(2 - i)) for i, row in enumerate(ab)])[::-1].conj()
    b = RNG.standard_normal((N, 2)).astype(dtype)
    checks(
        [
            lambda xp, sp: sp.cholesky_banded(xp.array(ab)),
            lambda xp, sp: sp.cholesky_banded(xp.array(low), lower=True),
            lambda xp, sp: sp.cholesky_banded(xp.array(ab[2:])),
            lambda xp, sp: sp.cho_solve_banded((sp.cholesky_banded(xp.array(ab)), False), xp.array(b)),
            lambda xp, sp: sp.cho_solve_banded(
                (sp.cholesky_banded(xp.array(low), lower=True), True), xp.array(b[:, 0])
            ),
        ],
        1e4,
    )


def test_factors_of_long_bands_need_no_whole_matrix():
    n = 50_000
    ab = np.stack([np.full(n, -1.0), np.linspace(2.5, 3.5, n)])
    b = RNG.standard_normal(n) + 1j * RNG.standard_normal(n)
    checks(
        [
            lambda xp, sp: sp.cholesky_banded(xp.array(ab)),
            lambda xp, sp: sp.cho_solve_banded((sp.cholesky_banded(xp.array(ab)), False), xp.array(b)),
        ],
        10,
    )
    ab[1, 40_000] = -1.0
    for bands in (ab, ab.astype("c16")):
        with pytest.raises(np.linalg.LinAlgError, match="leading minor 40001 is not"):
            linalg.cholesky_banded(cp.array(bands))


def test_stacks_of_bands():
    ab = np.stack([positive("f8"), positive("f8") + 1])
    checks(
        [
            lambda xp, sp: sp.eigvalsh_tridiagonal(xp.array(REAL), xp.array(E)),
            lambda xp, sp: sp.eigvals_banded(xp.array(ab)),
            lambda xp, sp: sp.eig_banded(xp.array(ab), select="i", select_range=(1, 2), eigvals_only=True),
            lambda xp, sp: sp.cholesky_banded(xp.array(ab)),
            lambda xp, sp: sp.cho_solve_banded((sp.cholesky_banded(xp.array(ab)), False), xp.array(D)),
        ],
        1e4,
    )
    w, v = linalg.eigh_tridiagonal(cp.array(REAL), cp.array(E))
    assert w.shape == (3, N) and v.shape == (3, N, N)


def test_what_is_wrong_with_bands_and_choices():
    for error, text, body in (
        (ValueError, r"d \(9\) must have one more element than e \(7\)", lambda xp, sp: (D, E[1:])),
        (ValueError, "expected a 1-D array", lambda xp, sp: (D[0], E)),
        (TypeError, "only real arrays", lambda xp, sp: (D + 1j, E)),
        (ValueError, "infs or NaNs", lambda xp, sp: (D * np.nan, E)),
        (ValueError, "select must be", lambda xp, sp: (D, E, False, "b")),
        (ValueError, "nondecreasing", lambda xp, sp: (D, E, False, "v", (2, 1))),
        (ValueError, "must contain integers", lambda xp, sp: (D, E, False, "i", (0.0, 1.0))),
        (ValueError, "out of bounds for 9", lambda xp, sp: (D, E, False, "i", (0, 9))),
        (ValueError, "lapack_driver", lambda xp, sp: (D, E, False, "a", None, True, 0.0, "foo")),
    ):
        arguments = body(None, None)
        with pytest.raises(error, match=f"eigh_tridiagonal: .*{text}"):
            linalg.eigh_tridiagonal(*(cp.array(x) if isinstance(x, np.ndarray) else x for x in arguments))
        with pytest.raises(error):
            scipy.linalg.eigh_tridiagonal(*arguments)
    checks([lambda xp, sp: sp.eigvals_banded(xp.array(D))], raises=ValueError)
    checks([lambda xp, sp: sp.cholesky_banded(xp.array(-positive("f8")))], raises=np.linalg.LinAlgError)
    checks(
        [lambda xp, sp: sp.cho_solve_banded((xp.array(positive("f8")), False), xp.array(D[:4]))],
        raises=ValueError,
    )

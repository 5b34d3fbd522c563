"""Dense systems, factors and eigenvalues of ``cuprum.scipy.linalg`` against ``scipy.linalg``."""

import numpy as np
import pytest
import scipy.linalg
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import linalg

RNG = np.random.default_rng(41)
A = RNG.normal(size=(5, 5))
Z = A + 1j * RNG.normal(size=(5, 5))
S, H = A @ A.T + np.eye(5), Z @ Z.conj().T + np.eye(5)
TALL = RNG.normal(size=(7, 4))
B = RNG.normal(size=(5, 3))
MATRICES = {"real": A, "complex": Z, "symmetric": S, "Hermitian": H}


def checks(bodies, units):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "linalg", units, label=f"case {i}")


# Solutions differ by the condition of the matrix, which is below 1e3 here, times the last place.
@pytest.mark.parametrize("name", MATRICES)
def test_systems_and_inverses(name):
    m = MATRICES[name]
    checks(
        [
            lambda xp, sp: sp.det(xp.array(m)),
            lambda xp, sp: sp.inv(xp.array(m)),
            lambda xp, sp: sp.pinv(xp.array(m)),
            lambda xp, sp: sp.solve(xp.array(m), xp.array(B)),
            lambda xp, sp: sp.solve(xp.array(m), xp.array(B[:, 0])),
            lambda xp, sp: sp.svdvals(xp.array(m)),
            lambda xp, sp: sp.norm(xp.array(m), 1),
        ],
        2000,
    )


@pytest.mark.parametrize("name", ["symmetric", "Hermitian"])
def test_definite_matrices(name):
    m = MATRICES[name]
    checks(
        [
            lambda xp, sp: sp.cholesky(xp.array(m)),
            lambda xp, sp: sp.cholesky(xp.array(m), lower=True),
            # What the other triangle holds is not said, and differs between releases of SciPy.
            lambda xp, sp: xp.triu(sp.cho_factor(xp.array(m))[0]),
            lambda xp, sp: xp.tril(sp.cho_factor(xp.array(m), lower=True)[0]),
            lambda xp, sp: sp.cho_solve(sp.cho_factor(xp.array(m)), xp.array(B)),
            lambda xp, sp: sp.cho_solve(sp.cho_factor(xp.array(m), lower=True), xp.array(B[:, 0])),
            lambda xp, sp: sp.eigvalsh(xp.array(m)),
            lambda xp, sp: sp.eigvalsh(xp.array(m), subset_by_index=[1, 3]),
            lambda xp, sp: sp.eigvalsh(xp.array(m), subset_by_value=[1.5, 9]),
            lambda xp, sp: sp.pinvh(xp.array(m)),
            lambda xp, sp: sp.solve(xp.array(np.tril(m)), xp.array(B), assume_a="her", lower=True),
            lambda xp, sp: sp.issymmetric(xp.array(m)),
            lambda xp, sp: sp.ishermitian(xp.array(m)),
        ],
        2000,
    )


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_generalized_eigenvalues(kind):
    other = np.diag(np.arange(1.0, 6)) + 0.1
    check(lambda xp, sp: sp.eigvalsh(xp.array(H), xp.array(other), type=kind), "linalg", 2000)
    w, v = linalg.eigh(cp.array(H), cp.array(other), type=kind)
    a, b, w, v = H, other, w.get(), v.get()
    left, right = {1: (a @ v, b @ v * w), 2: (a @ b @ v, v * w), 3: (b @ a @ v, v * w)}[kind]
    assert np.abs(left - right).max() <= 1e-12 * np.abs(left).max()


@pytest.mark.parametrize("other", [None, S])
def test_vectors_on_both_sides(other):
    b = np.eye(5) if other is None else other
    w, left, right = linalg.eig(cp.array(A), None if other is None else cp.array(other), left=True)
    w, left, right = w.get(), left.get(), right.get()
    scale = np.abs(A).max() * np.linalg.cond(right)
    assert np.abs(A @ right - b @ right * w).max() <= 1e-12 * scale
    assert np.abs(left.conj().T @ A - w[:, None] * (left.conj().T @ b)).max() <= 1e-12 * scale
    assert np.allclose(np.linalg.norm(left, axis=0), 1)


def test_factors_and_squares():
    checks(
        [
            lambda xp, sp: xp.abs(sp.qr(xp.array(TALL))[1]),
            lambda xp, sp: xp.abs(sp.qr(xp.array(TALL), mode="economic")[1]),
            lambda xp, sp: xp.abs(sp.rq(xp.array(TALL), mode="economic")[0]),
            lambda xp, sp: xp.abs(sp.rq(xp.array(TALL.T))[0]),
            lambda xp, sp: xp.abs(sp.rq(xp.array(Z))[0]),
            lambda xp, sp: sp.svd(xp.array(TALL))[1],
            lambda xp, sp: sp.lstsq(xp.array(TALL), xp.array(np.arange(7.0)))[:2],
            lambda xp, sp: sp.diagsvd(xp.array([1.0, 2, 3]), 3, 5),
            lambda xp, sp: sp.orthogonal_procrustes(xp.array(TALL), xp.array(TALL[::-1].copy())),
        ],
        500,
    )
    for m in (A, Z, TALL.T):
        r, q = (part.get() for part in linalg.rq(cp.array(m)))
        assert np.allclose(r @ q, m, atol=1e-14 * 5) and np.allclose(q @ q.conj().T, np.eye(q.shape[0]))


def test_known_matrices():
    checks(
        [
            lambda xp, sp, n=n, k=k, e=e: (sp.pascal(n, kind=k, exact=e), sp.invpascal(n, kind=k, exact=e))
            for n in (1, 2, 9)
            for k in ("symmetric", "lower", "upper")
            for e in (True, False)
        ]
        + [lambda xp, sp, n=n, e=e: sp.invhilbert(n, exact=e) for n in (1, 4, 9) for e in (True, False)],
        4,
    )


def test_functions_and_equations():
    checks(
        [
            lambda xp, sp: sp.signm(xp.array(A)),
            lambda xp, sp: sp.fractional_matrix_power(xp.array(S), 0.3),
            lambda xp, sp: sp.fractional_matrix_power(xp.array(S), -1.5),
            lambda xp, sp: sp.solve_sylvester(xp.array(A), xp.array(S[:3, :3]), xp.array(B)),
            lambda xp, sp: sp.solve_continuous_lyapunov(xp.array(A), xp.array(S)),
            lambda xp, sp: sp.solve_discrete_lyapunov(xp.array(Z * 0.2), xp.array(H)),
        ],
        1e5,
    )


def test_mistakes():
    for body, error in [
        (lambda xp, sp: sp.inv(xp.array([[xp.nan, 1.0], [1.0, 1.0]])), ValueError),
        (lambda xp, sp: sp.cholesky(xp.array(-S)), np.linalg.LinAlgError),
        (lambda xp, sp: sp.det(xp.ones((2, 3))), ValueError),
        (lambda xp, sp: sp.pascal(3, kind="other"), ValueError),
    ]:
        check(body, "linalg", raises=error)
    with pytest.raises(NotImplementedError, match="columns are not exchanged"):
        linalg.qr(cp.eye(2), pivoting=True)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_schur(size):
    rng = np.random.default_rng(size)
    square = rng.normal(size=(size, size))
    matrices = [square, np.triu(square), np.diag(np.ones(size - 1), 1), np.roll(np.eye(size), 1, 0)]
    matrices += [square + 1j * rng.normal(size=(size, size))]
    for a in matrices:
        for output in ("real", "complex"):
            t, z = (part.get() for part in linalg.schur(cp.array(a), output))
            # Backward stable: the factors are those of a matrix this near, and unitary.
            near = 4e-15 * size * max(np.abs(a).max(), 1)
            assert np.abs(z @ t @ z.conj().T - a).max() <= near
            assert np.abs(z.conj().T @ z - np.eye(size)).max() <= 4e-15 * size
            under = np.diag(t, -1)
            assert not np.tril(t, -2).any()
            if a.dtype.kind == "c" or output == "complex":
                assert t.dtype == np.complex128 and not under.any()
                continue
            assert t.dtype == np.float64 and not (under[:-1] * under[1:]).any()
            for i in np.flatnonzero(under):
                # A pair of complex eigenvalues, in LAPACK's form.
                assert t[i, i] == t[i + 1, i + 1] and t[i, i + 1] * t[i + 1, i] < 0
    assert linalg.schur(cp.array(square.astype("f")))[0].dtype == np.float32


def test_functions_by_schurs_form():
    t, z = (part.get() for part in linalg.rsf2csf(*linalg.schur(cp.array(A))))
    assert not np.tril(t, -1).any() and np.allclose(z @ t @ z.conj().T, A, atol=1e-13)
    check(lambda xp, sp: sp.funm(xp.array(A), xp.exp), "linalg", 1e4)
    check(lambda xp, sp: sp.funm(xp.array(Z), lambda x: x * x), "linalg", 1e4)
    with pytest.raises(NotImplementedError, match="not sorted"):
        linalg.schur(cp.eye(2), sort="lhp")


def test_functions_of_real_eigenvalues_are_real():
    # exp(27) times a rounding is far above what is taken for zero.
    a = RNG.integers(-9, 10, (20, 4, 4)) * 0.1 + np.diag([0.0, 9, 18, 27])
    for one in a:
        for dtype in ("f8", "f4"):
            assert linalg.funm(cp.array(one.astype(dtype)), cp.exp).dtype == dtype
            assert scipy.linalg.funm(one.astype(dtype), np.exp).dtype == dtype
        want = scipy.linalg.funm(one, np.exp)
        np.testing.assert_allclose(linalg.funm(cp.array(one), cp.exp).get(), want, 1e-10, 1e-10 * want.max())

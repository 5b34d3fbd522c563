"""``cuprum.scipy.linalg`` against ``scipy.linalg``: functions of matrices, subspaces, structured systems."""

import numpy as np
import pytest
import scipy.linalg
from scipy_twin import SCIPY, check
from twin import collect

import cuprum as cp
from cuprum.scipy import linalg

RNG = np.random.default_rng(5)
A = RNG.standard_normal((6, 6))
Z = A + 1j * RNG.standard_normal((6, 6))
POSITIVE = A @ A.T + np.eye(6)


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError)


def checks(bodies, units=1e4, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "linalg", units, label=f"case {i}", may_raise=may_raise, **options)


@pytest.mark.parametrize("name", ["expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"])
def test_functions_of_matrices(name):
    checks(
        [
            *(lambda xp, sp, s=s: getattr(sp, name)(xp.array(A * s)) for s in (1e-3, 0.05, 0.3, 1.0)),
            lambda xp, sp: getattr(sp, name)(xp.array(Z * 0.3)),
            lambda xp, sp: getattr(sp, name)(xp.array([[2.0]])),
            lambda xp, sp: getattr(sp, name)(xp.zeros((3, 3))),
            lambda xp, sp: getattr(sp, name)(xp.eye(3)),
        ],
        1e5,
    )


def test_exponentials_of_large_norm_stacks_and_errors():
    checks(
        [
            lambda xp, sp: sp.expm(xp.array(A * 20 - 50 * np.eye(6))),
            lambda xp, sp: sp.expm(xp.array([A, A * 2, A / 10])),
            lambda xp, sp: sp.expm(xp.array(A, "f4")),
            lambda xp, sp: sp.expm(xp.array([[1, 2], [3, 4]])),
            lambda xp, sp: sp.expm(xp.zeros((2, 3))),
            lambda xp, sp: sp.expm(xp.zeros(3)),
        ],
        1e6,
    )


def test_roots_and_logarithms():
    checks(
        [
            lambda xp, sp: sp.sqrtm(xp.array(POSITIVE)),
            lambda xp, sp: sp.sqrtm(xp.array(POSITIVE + A)),
            lambda xp, sp: sp.sqrtm(xp.array(Z)),
            lambda xp, sp: sp.sqrtm(xp.array(A)),
            lambda xp, sp: sp.logm(xp.array(POSITIVE)),
            lambda xp, sp: sp.logm(xp.array(POSITIVE + A)),
            lambda xp, sp: sp.logm(xp.array(Z)),
            lambda xp, sp: sp.logm(xp.eye(3)),
        ],
        1e6,
        dtype=False,
    )


def test_subspaces():
    low = A[:, :2] @ A[:2]

    def same_space(xp, sp, basis):
        return basis @ basis.conj().T

    checks(
        [
            lambda xp, sp: same_space(xp, sp, sp.orth(xp.array(low))),
            lambda xp, sp: same_space(xp, sp, sp.null_space(xp.array(low))),
            lambda xp, sp: same_space(xp, sp, sp.null_space(xp.array(Z[:3]))),
            lambda xp, sp: sp.orth(xp.array(A), rcond=0.5).shape,
            lambda xp, sp: sp.subspace_angles(xp.array(A[:, :2]), xp.array(A[:, 1:4])),
            lambda xp, sp: sp.subspace_angles(xp.array(Z[:, :3]), xp.array(Z[:, 2:4])),
            lambda xp, sp: sp.subspace_angles(xp.array(A), xp.array(A[:3])),
            lambda xp, sp: sp.polar(xp.array(A)),
            lambda xp, sp: sp.polar(xp.array(Z[:4]), side="left"),
            lambda xp, sp: sp.polar(xp.array(A), side="strange"),
            lambda xp, sp: sp.bandwidth(xp.array(np.triu(A, -2))),
            lambda xp, sp: sp.bandwidth(xp.zeros((3, 2))),
        ]
    )


def test_bandwidth_of_a_vector():
    with pytest.raises(ValueError, match="2D") as theirs:
        scipy.linalg.bandwidth(np.ones(3))
    # Since SciPy 1.18 the error is a LinAlgError, which is a ValueError.
    with pytest.raises(np.linalg.LinAlgError, match="2D NumPy array, got shape") as ours:
        linalg.bandwidth(cp.ones(3))
    assert issubclass(ours.type, theirs.type)


@pytest.mark.parametrize("a", [A, Z, np.diag([1.0, 2.0, 3.0]), np.ones((2, 2)), np.zeros((4, 4))])
def test_hessenberg_form(a):
    h, q = linalg.hessenberg(cp.array(a), calc_q=True)
    h, q = cp.asnumpy(h), cp.asnumpy(q)
    assert np.array_equal(np.tril(h, -2), np.zeros(h.shape))
    assert np.allclose(q @ h @ q.conj().T, a, atol=1e-13) and np.allclose(
        q @ q.conj().T, np.eye(len(a)), atol=1e-14
    )


@pytest.mark.parametrize("lower, upper", [(1, 1), (0, 2), (2, 0), (3, 1), (0, 0), (7, 7)])
def test_bands(lower, upper):
    n = 12
    full = np.tril(np.triu(RNG.standard_normal((n, n)), -lower), upper)
    full[0, 0] = 1e-3 if lower else 1.0
    ab = np.zeros((lower + upper + 1, n))
    for i in range(n):
        for j in range(max(0, i - lower), min(n, i + upper + 1)):
            ab[upper + i - j, j] = full[i, j]
    b, many = RNG.standard_normal(n), RNG.standard_normal((n, 3))
    checks(
        [
            lambda xp, sp: sp.solve_banded((lower, upper), xp.array(ab), xp.array(b)),
            lambda xp, sp: sp.solve_banded((lower, upper), xp.array(ab), xp.array(many)),
            lambda xp, sp: sp.solve_banded((lower, upper), xp.array(ab * (1 + 0.5j)), xp.array(many) * 1j),
            lambda xp, sp: sp.solve_banded((lower + 1, upper), xp.array(ab), xp.array(b)),
            lambda xp, sp: sp.solve_banded((lower, upper), xp.array(ab), xp.array(b[:3])),
            lambda xp, sp: sp.solve_banded((lower, upper), xp.zeros_like(xp.array(ab)), xp.array(b)),
            lambda xp, sp: sp.solve_banded((lower, upper), xp.array(ab) * xp.nan, xp.array(b)),
        ],
        1e7,
    )


def test_hermitian_bands_and_circulants():
    ab = np.array([[0, 0, 0.3, 0.2, 0.1], [0, 1.0, 0.5, 0.7, 0.4], [4.0, 5.0, 6.0, 7.0, 8.0]])
    low = np.array([[4.0, 5.0, 6.0], [1.0 + 1j, 0.5j, 0]])
    b = RNG.standard_normal(5)
    c, r = RNG.standard_normal(6), RNG.standard_normal(6)
    r[0] = c[0]
    checks(
        [
            lambda xp, sp: sp.solveh_banded(xp.array(ab), xp.array(b)),
            lambda xp, sp: sp.solveh_banded(xp.array(low), xp.array(b[:3]), lower=True),
            lambda xp, sp: sp.solve_toeplitz(xp.array(c), xp.array(A[0])),
            lambda xp, sp: sp.solve_toeplitz((xp.array(c), xp.array(r)), xp.array(A)),
            lambda xp, sp: sp.solve_toeplitz(xp.array(c * (1 + 1j)), xp.array(A)),
            lambda xp, sp: sp.solve_toeplitz(xp.array(c), xp.array(A[0, :3])),
            lambda xp, sp: sp.matmul_toeplitz((xp.array(c), xp.array(r)), xp.array(A)),
            lambda xp, sp: sp.matmul_toeplitz((xp.array(c[:4]), xp.array(r)), xp.array(A[0] * 1j)),
            lambda xp, sp: sp.solve_circulant(xp.array(c), xp.array(A)),
            lambda xp, sp: sp.solve_circulant(xp.ones(4), xp.ones(4)),
        ],
        1e6,
    )


def test_hermitian_bands_that_are_not_positive_definite():
    ab = np.array([[0.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    b = np.ones(3)
    bodies = [
        lambda xp, sp: sp.solveh_banded(xp.array(ab), xp.array(b)),
        lambda xp, sp: sp.solveh_banded(xp.array(ab[::-1].copy()), xp.array(b), lower=True),
        lambda xp, sp: sp.solveh_banded(xp.array(ab + 0.5j), xp.array(b)),
        lambda xp, sp: sp.solveh_banded(xp.array(np.vstack((ab, [[1.0, -1.0, 1.0]]))), xp.array(b)),
        lambda xp, sp: sp.solveh_banded(xp.zeros((1, 3)), xp.array(b)),
    ]
    checks(bodies, raises=np.linalg.LinAlgError)


def test_hermitian_bands_of_any_width():
    bodies = []
    for n, u, lower in ((5, 0, False), (6, 1, True), (7, 3, False), (4, 5, True)):
        ab = RNG.standard_normal((u + 1, n))
        ab[0 if lower else -1] += 9
        b = RNG.standard_normal((n, 3))
        for given in (ab, ab + 1j * RNG.standard_normal(ab.shape), ab.astype(np.float32)):
            bodies.append(
                lambda xp, sp, ab=given, b=b, lower=lower: sp.solveh_banded(
                    xp.array(ab), xp.array(b), lower=lower
                )
            )
    checks(bodies)


def test_roots_and_logarithms_with_eigenvalues_on_the_negative_axis():
    given = [RNG.standard_normal((n, n)) for n in (2, 3, 5, 8)]
    given += [-np.eye(3), np.array([[-1.0, 1.0], [0.0, -1.0]]), np.array([[-1.0 + 0j, 1.0], [0.0, -1.0]])]
    bodies = [lambda xp, sp, a=a: sp.sqrtm(xp.array(a)) for a in given]
    bodies += [lambda xp, sp, a=a: sp.logm(xp.array(a)) for a in given]
    # Singular ones that have a root.
    bodies += [lambda xp, sp: sp.sqrtm(xp.array([[1.0, 1.0], [0.0, 0.0]]))]
    checks(bodies, may_raise=())


STACK = RNG.standard_normal((2, 3, 4, 4))
SIDES = RNG.standard_normal((2, 3, 4, 2))


@pytest.mark.skipif(SCIPY < (1, 16), reason="SciPy takes stacks from 1.16 on")
def test_stacks_of_matrices():
    spd = STACK @ STACK.swapaxes(-1, -2) + np.eye(4)
    rows = RNG.standard_normal((2, 3, 5))

    def one(name, a, *rest, **kwargs):
        return lambda xp, sp: getattr(sp, name)(xp.array(a), *(xp.array(r) for r in rest), **kwargs)

    bodies = [one(name, STACK) for name in ("logm", "sqrtm", "signm", "polar", "hessenberg", "null_space")]
    bodies += [one(name, STACK) for name in ("issymmetric", "ishermitian", "bandwidth", "matrix_balance")]
    bodies += [one("logm", spd), one("ldl", spd), one("issymmetric", spd), one("companion", rows)]
    bodies += [one("fiedler_companion", rows), one("leslie", rows, rows[..., :-1].copy())]
    bodies += [one("convolution_matrix", rows, n=3), one("orthogonal_procrustes", STACK, spd)]
    bodies += [one("solve_sylvester", STACK, spd, STACK), one("solve_continuous_lyapunov", STACK, spd)]
    bodies += [one("solve_discrete_lyapunov", STACK / 9, spd), one("lstsq", STACK, SIDES[0, 0, :, 0])]
    bodies += [lambda xp, sp: sp.lstsq(xp.array(STACK), xp.array(SIDES))[0]]
    bodies += [lambda xp, sp: sp.lstsq(xp.array(STACK[0, 0]), xp.array(SIDES))[3]]
    bodies += [lambda xp, sp: sp.solve_banded((1, 1), xp.array(STACK[..., :3, :] + 5), xp.array(SIDES))]
    checks([bodies[0]] + bodies, 1e6, dtype=False, may_raise=())
    for output in ("real", "complex"):
        # Signs of Schur vectors differ: the forms and their products are compared.
        t, z = linalg.schur(cp.array(STACK), output)
        assert t.shape == z.shape == STACK.shape
        made = (z @ t @ z.conj().swapaxes(-1, -2)).get()
        np.testing.assert_allclose(made, STACK, atol=1e-12)
    checks([one("schur", np.zeros((0, 3, 3)))], raises=ValueError)


def test_kron():
    assert np.array_equal(cp.asnumpy(linalg.kron(cp.array(A), cp.array(Z))), np.kron(A, Z))
    assert scipy.linalg is not linalg

"""Factors of ``cuprum.scipy.linalg`` that are not unique: their products and their forms."""

import numpy as np
import pytest
import scipy.linalg as theirs
from scipy.stats import ortho_group, unitary_group

import cuprum as cp
from cuprum.scipy import linalg

RNG = np.random.default_rng(17)


def host(parts):
    return [cp.asnumpy(part) for part in parts]


def is_near(got, want, scale=1.0, units=2000):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=0, atol=units * 2.2e-16 * scale)


def matrix(n, is_complex, seed=0):
    rng = np.random.default_rng(100 * n + seed)
    real = rng.standard_normal((n, n))
    return real + 1j * rng.standard_normal((n, n)) if is_complex else real


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("kind", ["real", "Hermitian", "symmetric"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 40])
def test_ldl(n, kind, lower):
    a = matrix(n, kind != "real")
    hermitian = kind != "symmetric"
    a = a + (a.conj().T if hermitian else a.T)
    if n == 5:
        np.fill_diagonal(a, 0)
    lu, d, perm = host(linalg.ldl(cp.asarray(a), lower, hermitian))
    want = theirs.ldl(a, lower, hermitian)
    # Pivots are those of LAPACK, so the factors are, too.
    np.testing.assert_array_equal(perm, want[2])
    is_near(d, want[1], np.abs(want[1]).max(), 1e5)
    is_near(lu, want[0], np.abs(want[0]).max(), 1e5)
    is_near(lu @ d @ (lu.conj().T if hermitian else lu.T), a, np.abs(a).max(), 1e4)
    assert [x.dtype for x in (lu, d, perm)] == [x.dtype for x in want]
    # The other triangle may hold anything.
    half = np.tril(a) if lower else np.triu(a)
    again = host(linalg.ldl(cp.asarray(half), lower, hermitian))
    np.testing.assert_array_equal(again[1], d)


def test_ldl_of_nothing_and_of_singular_matrices():
    assert [x.shape for x in linalg.ldl(cp.empty((0, 0)))] == [(0, 0), (0, 0), (0,)]
    lu, d, perm = host(linalg.ldl(cp.zeros((3, 3))))
    np.testing.assert_array_equal(lu, np.eye(3))
    np.testing.assert_array_equal(d, np.zeros((3, 3)))
    with pytest.warns(np.exceptions.ComplexWarning):
        linalg.ldl(cp.asarray(matrix(3, True)))
    with pytest.raises(ValueError, match="square"):
        linalg.ldl(cp.ones((2, 3)))
    with pytest.raises(ValueError, match="infs or NaNs"):
        linalg.ldl(cp.asarray([[np.nan]]))


@pytest.mark.parametrize("permute", [True, False])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("n", [1, 2, 6, 20])
def test_matrix_balance(n, is_complex, permute, scale):
    for seed, full in ((0, 0.9), (1, 0.3)):
        a = matrix(n, is_complex, seed) * 10.0 ** RNG.integers(-4, 5, (n, n))
        a = a * (RNG.random((n, n)) < full)
        b, t = host(linalg.matrix_balance(cp.asarray(a), permute, scale))
        want, transform = theirs.matrix_balance(a, permute, scale)
        np.testing.assert_array_equal(b, want)
        np.testing.assert_array_equal(t, transform)
        assert (b.dtype, t.dtype) == (want.dtype, transform.dtype)
        scales, order = linalg.matrix_balance(cp.asarray(a), permute, scale, separate=True)[1]
        want = theirs.matrix_balance(a, permute, scale, separate=True)[1]
        np.testing.assert_array_equal(scales.get(), want[0])
        np.testing.assert_array_equal(order.get(), want[1])


@pytest.mark.parametrize("swap_sign", [False, True])
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("m", [2, 3, 5, 8])
def test_cossin(m, is_complex, swap_sign):
    group = unitary_group if is_complex else ortho_group
    for x in (group.rvs(m, random_state=3), np.eye(m), np.eye(m)[::-1].copy()):
        for p in range(1, m):
            for q in range(1, m):
                u, cs, vdh = host(linalg.cossin(cp.asarray(x), p, q, swap_sign=swap_sign))
                is_near(u @ cs @ vdh, x)
                is_near(u.conj().T @ u, np.eye(m))
                is_near(vdh.conj().T @ vdh, np.eye(m))
                assert not u[:p, p:].any() and not u[p:, :p].any()
                assert not vdh[:q, q:].any() and not vdh[q:, :q].any()
                # The middle factor is unique but for the order of its angles.
                want = theirs.cossin(x, p, q, swap_sign=swap_sign)[1]
                for rows in (slice(None, p), slice(p, None)):
                    for columns in (slice(None, q), slice(q, None)):
                        got = np.sort(cs[rows, columns].real, axis=None)
                        is_near(got, np.sort(want[rows, columns].real, axis=None), units=1e8)


def test_cossin_in_parts():
    x = ortho_group.rvs(7, random_state=5)
    (u1, u2), theta, (v1h, v2h) = linalg.cossin(cp.asarray(x), 3, 4, separate=True)
    assert [a.shape for a in (u1, u2, theta, v1h, v2h)] == [(3, 3), (4, 4), (3,), (4, 4), (3, 3)]
    is_near(np.sort(theta.get()), np.sort(theirs.cossin(x, 3, 4, separate=True)[1]))
    blocks = [cp.asarray(b) for b in (x[:3, :4], x[:3, 4:], x[3:, :4], x[3:, 4:])]
    u, cs, vdh = host(linalg.cossin(blocks))
    is_near(u @ cs @ vdh, x)
    assert linalg.cossin(cp.asarray(x), 3, 4, compute_u=False)[0].size == 0
    for arguments in ((7, 1), (1, 7), (-1, 2)):
        with pytest.raises(ValueError, match="invalid"):
            linalg.cossin(cp.asarray(x), *arguments)
    with pytest.raises(ValueError, match="square"):
        linalg.cossin(cp.ones((2, 3)), 1, 1)
    with pytest.raises(ValueError, match="four arrays"):
        linalg.cossin(blocks[:3])


def pencils(n):
    a, b = matrix(n, False), matrix(n, False, 1)
    singular = b.copy()
    singular[:, 0] = 0
    yield a, b
    yield a, np.eye(n)
    yield a, singular
    yield a + a.T, b @ b.T
    yield a, np.diag(np.arange(n, dtype=float))
    yield matrix(n, True), matrix(n, True, 1)


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12, 30])
def test_qz(n, output):
    for a, b in pencils(n):
        aa, bb, q, z = host(linalg.qz(cp.asarray(a), cp.asarray(b), output))
        want = theirs.qz(a, b, output)
        assert [x.dtype for x in (aa, bb, q, z)] == [x.dtype for x in want]
        scale = max(np.abs(a).max(), np.abs(b).max())
        is_near(q @ aa @ z.conj().T, a, scale)
        is_near(q @ bb @ z.conj().T, b, scale)
        for unitary in (q, z):
            is_near(unitary.conj().T @ unitary, np.eye(n))
        assert not np.tril(bb, -1).any() and (np.diag(bb).real >= 0).all()
        below = np.diag(aa, -1) != 0
        assert not np.tril(aa, -2).any() and not (below[1:] & below[:-1]).any()
        assert aa.dtype.kind != "c" or not below.any()
        for i in np.flatnonzero(below):
            # A block of two rows has no real eigenvalues.
            assert np.abs(theirs.eigvals(aa[i : i + 2, i : i + 2], bb[i : i + 2, i : i + 2]).imag).min() > 0
        compare_eigenvalues(aa, bb, a, b)


def compare_eigenvalues(aa, bb, a, b):
    """Pairs (alpha, beta) as directions, each with the nearest one of LAPACK's."""
    directions = []
    for one, other in ((aa, bb), (a, b)):
        form = theirs.qz(one.astype(complex), other.astype(complex), "complex")
        pair = np.array([np.diag(form[0]), np.diag(form[1])])
        directions.append(pair / np.linalg.norm(pair, axis=0))
    ours, want = directions
    apart = np.abs(ours[0][:, None] * want[1] - ours[1][:, None] * want[0])
    assert apart.min(axis=1).max() < 1e-10 and apart.min(axis=0).max() < 1e-10


def test_qz_takes_no_order():
    a = cp.eye(2)
    with pytest.raises(NotImplementedError, match="not sorted"):
        linalg.qz(a, a, sort="lhp")
    with pytest.raises(ValueError, match="'real', or 'complex'"):
        linalg.qz(a, a, "both")
    with pytest.raises(ValueError, match="must match"):
        linalg.qz(a, cp.eye(3))
    single = linalg.qz(cp.eye(3, dtype="float32"), cp.eye(3, dtype="float32"))
    assert {part.dtype for part in single} == {np.dtype("float32")}

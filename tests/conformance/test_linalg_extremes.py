"""Matrices that are hard on an iteration: huge, tiny, graded, rank-deficient, defective, subnormal.

Singular values and eigenvalues agree with NumPy's within a small multiple of rounding error times the
matrix's size, and vectors reconstruct the matrix, as LAPACK's do.
"""

import numpy as np
import pytest
from twin import to_numpy

import cuprum as cp

DTYPES = ["float32", "float64", "complex64", "complex128"]
SLACK = 10.0


def rng_matrix(dtype, m, n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((m, n))
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal((m, n))
    return a.astype(dtype)


def scales(dtype):
    """Powers of two near both ends of the range, and below the normal numbers."""
    return (
        [2.0**100, 2.0**-100, 2.0**-135]
        if np.dtype(dtype).char in "fF"
        else [1e200, 1e300, 1e-200, 1e-300, 1e-312]
    )


def hard(dtype, n=24):
    """Pairs of name and matrix."""
    a = rng_matrix(dtype, n, n)
    q = np.linalg.qr(a)[0]
    powers = np.linspace(0, 30 if np.dtype(dtype).char in "fF" else 250, n)
    yield "zero", np.zeros((n, n), dtype)
    yield "ones", np.ones((n, n), dtype)
    yield "identity", np.eye(n, dtype=dtype)
    yield "rank one", np.outer(a[0], a[1])
    yield "rank half", (a[:, : n // 2] @ a[: n // 2]).astype(dtype)
    yield "one element", np.where(np.arange(n * n).reshape(n, n) == 7, 1, 0).astype(dtype)
    yield "graded rows", (a * 10.0 ** -powers[:, None]).astype(dtype)
    yield "graded columns", (a * 10.0**-powers).astype(dtype)
    yield "graded both", (a * 10.0 ** -powers[:, None] * 10.0**-powers).astype(dtype)
    yield "small values", (q * 10.0 ** -np.linspace(0, 12, n) @ q.conj().T).astype(dtype)
    yield "clustered", (q * (1 + np.finfo(dtype).eps * np.arange(n)) @ q.conj().T).astype(dtype)
    yield "Jordan", np.eye(n, k=1).astype(dtype) + 2 * np.eye(n, dtype=dtype)
    yield "nilpotent", np.eye(n, k=-1).astype(dtype)
    yield "companion", (np.eye(n, k=-1) + np.eye(n, k=n - 1)).astype(dtype)
    yield (
        "Wilkinson",
        (np.diag(np.abs(np.arange(n) - n // 2)) + np.eye(n, k=1) + np.eye(n, k=-1)).astype(dtype),
    )
    yield "one huge", np.where(np.eye(n) * (np.arange(n) == 3) > 0, np.finfo(dtype).max / 4, a).astype(dtype)
    for scale in scales(dtype):
        yield (
            f"times {scale:g}",
            (a.astype(complex if np.dtype(dtype).kind == "c" else float) * scale).astype(dtype),
        )


def wide(a):
    """A matrix in the widest precision, scaled near one; and the power of two taken out."""
    a = np.asarray(a).astype(np.clongdouble if np.asarray(a).dtype.kind == "c" else np.longdouble)
    largest = np.abs(a).max(initial=0)
    e = int(np.floor(np.log2(largest))) if largest > 0 else 0
    return a * np.ldexp(np.longdouble(1), -e), e


def norm(a):
    return float(np.sqrt((np.abs(a) ** 2).sum()))


def adjoint(a):
    return np.swapaxes(a, -1, -2).conj()


def allowed(dtype, n, a_scaled, e):
    """Rounding errors of the order times the size; or of subnormal numbers, which have fewer digits."""
    tiniest = float(np.finfo(dtype).smallest_subnormal) if np.finfo(dtype).smallest_subnormal else 0
    floor = np.ldexp(np.longdouble(tiniest), -e)
    return float(SLACK * (n + 4) * (np.finfo(dtype).eps * norm(a_scaled) + floor))


def scaled(x, e):
    x = to_numpy(x)
    x = x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)
    return x * np.ldexp(np.longdouble(1), -e)


def reference(function, a, e):
    """NumPy's answer for the scaled matrix, in double precision."""
    return function(a.astype(complex if a.dtype.kind == "c" else float))


@pytest.mark.parametrize("dtype", DTYPES)
def test_svd(dtype):
    for name, a in hard(dtype):
        (x, e), n = wide(a), a.shape[0]
        limit = allowed(dtype, n, x, e)
        u, s, vh = cp.linalg.svd(cp.array(a))
        want = reference(lambda x: np.linalg.svd(x, compute_uv=False), x, e)
        for got in (s, cp.linalg.svdvals(cp.array(a))):
            assert np.abs(scaled(got, e) - want).max() <= limit, name
            assert (np.diff(to_numpy(got)) <= 0).all() and (to_numpy(got) >= 0).all(), name
        u, vh = scaled(u, 0), scaled(vh, 0)
        assert norm((u * scaled(s, e)) @ vh - x) <= limit, name
        for q in (u, adjoint(vh)):
            assert norm(adjoint(q) @ q - np.eye(n)) <= SLACK * (n + 4) * np.finfo(dtype).eps, name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(40, 12), (12, 40), (20, 15)])
def test_svd_of_rectangles(dtype, shape):
    for scale in [1.0, *scales(dtype)]:
        a = rng_matrix(dtype, *shape).astype(complex) * scale
        a = (a if np.dtype(dtype).kind == "c" else a.real).astype(dtype)
        a[:, 3] = a[:, 4]
        (x, e), order = wide(a), max(shape)
        limit = allowed(dtype, order, x, e)
        for full in (False, True):
            u, s, vh = cp.linalg.svd(cp.array(a), full_matrices=full)
            k = s.shape[-1]
            u, vh = scaled(u, 0), scaled(vh, 0)
            assert norm((u[:, :k] * scaled(s, e)) @ vh[:k] - x) <= limit, scale
            for q in (u, adjoint(vh)):
                assert (
                    norm(adjoint(q) @ q - np.eye(q.shape[1])) <= SLACK * (order + 4) * np.finfo(dtype).eps
                ), scale


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigh(dtype):
    for name, a in hard(dtype):
        a = (a / 2 + adjoint(a) / 2).astype(dtype)
        (x, e), n = wide(a), a.shape[0]
        limit = allowed(dtype, n, x, e)
        w, v = cp.linalg.eigh(cp.array(a))
        want = reference(np.linalg.eigvalsh, x, e)
        for got in (w, cp.linalg.eigvalsh(cp.array(a))):
            assert np.abs(scaled(got, e) - want).max() <= limit, name
            assert (np.diff(to_numpy(got)) >= 0).all(), name
        v = scaled(v, 0)
        assert norm(x @ v - v * scaled(w, e)) <= limit, name
        assert norm(adjoint(v) @ v - np.eye(n)) <= SLACK * (n + 4) * np.finfo(dtype).eps, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_eig(dtype, on_gpu):
    for name, a in hard(dtype):
        (x, e), n = wide(a), a.shape[0]
        limit = allowed(dtype, n, x, e)
        if on_gpu and name == "graded rows":
            limit *= 20  # cuSOLVER balances as LAPACK does, whose residual is eleven times the limit here.
        w, v = cp.linalg.eig(cp.array(a))
        v = scaled(v, 0)
        # The residual is small even where eigenvalues are not to be had to more than a few digits.
        assert norm(x @ v - v * scaled(w, e)) <= limit, name
        lengths = np.sqrt((np.abs(v) ** 2).sum(0))
        assert np.abs(lengths - 1).max() <= SLACK * n * np.finfo(dtype).eps, name
        values = np.sort_complex(scaled(cp.linalg.eigvals(cp.array(a)), e).astype(complex))
        assert abs(values.sum() - np.trace(x)) <= limit * n, name


def test_eigenvalues_of_triangles_are_their_diagonals():
    for n in (1, 5, 40):
        diagonal = np.sort(np.random.default_rng(n).standard_normal(n))
        a = np.triu(np.random.default_rng(1).standard_normal((n, n)), 1) + np.diag(diagonal)
        for x in (a, a.T.copy()):
            assert np.array_equal(np.sort(to_numpy(cp.linalg.eigvals(cp.array(x)))), diagonal)


def test_balancing_saves_small_eigenvalues():
    a = np.array([[1.0, 1e100, 0.0], [1e-100, 2.0, 1e80], [0.0, 1e-80, 3.0]])
    got, want = (np.sort(to_numpy(x.linalg.eigvals(x.array(a)))) for x in (cp, np))
    assert np.abs(got - want).max() < 1e-14


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve_and_qr_at_the_ends_of_the_range(dtype):
    a, n = rng_matrix(dtype, 30, 30), 30
    for scale in scales(dtype)[:-1]:
        x = a.astype(complex) * scale
        x = (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)
        got = to_numpy(cp.linalg.solve(cp.array(x), cp.array(x[:, :2])))
        limit = 100 * SLACK * n * np.finfo(dtype).eps * np.linalg.cond(a)
        assert np.abs(got - np.eye(n)[:, :2]).max() <= limit, scale
        q, r = (to_numpy(part) for part in cp.linalg.qr(cp.array(x)))
        (y, e) = wide(x)
        assert norm(scaled(q, 0) @ scaled(r, e) - y) <= allowed(dtype, n, y, e), scale
        assert norm(adjoint(q) @ q - np.eye(n)) <= SLACK * n * np.finfo(dtype).eps, scale
        sign, log = cp.linalg.slogdet(cp.array(x))
        want = np.linalg.slogdet(x)
        assert abs(complex(sign) - complex(want.sign)) < 1e-3
        assert abs(float(log) - float(want.logabsdet)) <= 1e-4 * abs(float(want.logabsdet))
        det, want = complex(cp.linalg.det(cp.array(x))), complex(np.linalg.det(x))
        # Products that overflow on the way differ by their order.
        assert det == want or np.isfinite(want) and abs(det - want) <= 1e-3 * abs(want), scale


def test_det_does_not_overflow_on_the_way():
    a = np.diag([1e200, 1e200, 1e-200, 1e-200, 3.0])
    assert float(cp.linalg.det(cp.array(a))) == pytest.approx(3.0, rel=1e-14)


def test_large_matrices_on_all_paths():
    """Beyond every block size and the threshold of divide and conquer, with ties."""
    rng = np.random.default_rng(3)
    for n in (129, 260):
        q = np.linalg.qr(rng.standard_normal((n, n)))[0]
        for values in (
            np.repeat([1.0, 2.0, -3.0], [n - 2, 1, 1]),
            10.0 ** -np.linspace(0, 20, n),
            np.arange(n) * 1.0,
        ):
            a = (q * values) @ q.T
            a = a / 2 + a.T / 2
            w, v = (to_numpy(x) for x in cp.linalg.eigh(cp.array(a)))
            limit = SLACK * n * 2.2e-16 * np.abs(values).max()
            assert np.abs(w - np.sort(values)).max() <= limit
            assert np.abs(a @ v - v * w).max() <= limit
            u, s, vh = (to_numpy(x) for x in cp.linalg.svd(cp.array(a)))
            assert np.abs(s - np.sort(np.abs(values))[::-1]).max() <= limit
            assert np.abs((u * s) @ vh - a).max() <= limit

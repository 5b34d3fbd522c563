"""Norms, ranks, condition numbers, least squares, powers and products; LU factors as SciPy has them."""

import numpy as np
import pytest
import scipy.linalg
from twin import check, collect, quiet, to_numpy, twin

import cuprum as cp
import cuprum.scipy.linalg

ULPS = {"f": 40, "d": 40, "F": 40, "D": 40}
RNG = np.random.default_rng(5)
A = RNG.standard_normal((3, 4, 5))
DTYPES = ["float32", "float64", "complex64", "complex128"]


def cast(a, dtype):
    return (a + (1j * a[..., ::-1] if np.dtype(dtype).kind == "c" else 0)).astype(dtype)


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", *DTYPES])
def test_norm(dtype):
    with collect() as failures:
        data = cast(A * 3, dtype)
        for ord in (None, 0, 1, -1, 2, -2, 3, 0.5, -0.5, np.inf, -np.inf):
            for axis in (0, -1):
                for keepdims in (False, True):
                    with failures:
                        check(
                            lambda xp, o=ord, a=axis, k=keepdims: xp.linalg.norm(xp.array(data), o, a, k),
                            ulps={**ULPS, "e": 8},
                            layout=False,
                            label=f"{dtype} vector {ord} {axis}",
                        )
            with failures:
                check(
                    lambda xp, o=ord: xp.linalg.norm(xp.array(data[0, 0]), o),
                    ulps={**ULPS, "e": 8},
                    label=f"1-d {ord}",
                )
        orders = (None, "fro", "f", 1, -1, np.inf, -np.inf)
        orders += (2, "nuc") if dtype != "float16" else ()
        # Singular matrices have a smallest singular value of rounding errors.
        orders += (-2,) if dtype in DTYPES else ()
        for ord in orders:
            for axis in ((0, 1), (-1, 0), (2, 1)):
                for keepdims in (False, True):
                    with failures:
                        check(
                            lambda xp, o=ord, a=axis, k=keepdims: xp.linalg.norm(xp.array(data), o, a, k),
                            ulps={**{c: 200 for c in "fdFD"}, "e": 8},
                            layout=False,
                            label=f"{dtype} matrix {ord} {axis}",
                        )
            with failures:
                check(
                    lambda xp, o=ord: xp.linalg.matrix_norm(xp.array(data), ord=o),
                    ulps={**{c: 200 for c in "fdFD"}, "e": 8},
                    layout=False,
                    label=f"matrix_norm {ord}",
                )
        for body in (
            lambda xp: xp.linalg.norm(xp.array(data)),
            lambda xp: xp.linalg.norm(xp.array(data), keepdims=True),
            lambda xp: xp.linalg.norm(xp.array(data[0].T), "fro"),
            lambda xp: xp.linalg.norm(xp.array(data[..., ::-2])),
            lambda xp: xp.linalg.vector_norm(xp.array(data)),
            lambda xp: xp.linalg.vector_norm(xp.array(data), axis=(0, 2), keepdims=True),
            lambda xp: xp.linalg.vector_norm(xp.array(data), axis=(2, 0), ord=1),
            lambda xp: xp.linalg.vector_norm(xp.array(data), axis=1, ord=np.inf),
            lambda xp: xp.linalg.vector_norm(xp.array(data), keepdims=True, ord=3),
        ):
            with failures:
                check(body, ulps={**ULPS, "e": 8}, layout=False, label=dtype)


def test_norm_of_nothing_and_of_a_number():
    with collect() as failures:
        for body in (
            lambda xp: xp.linalg.norm(xp.array(-3.0)),
            lambda xp: xp.linalg.norm(xp.zeros(0)),
            lambda xp: xp.linalg.norm(xp.zeros((0, 3))),
            lambda xp: xp.linalg.norm(xp.zeros((0, 3)), axis=0),
            lambda xp: xp.linalg.norm(xp.zeros((0, 3)), 1, axis=1),
            lambda xp: xp.linalg.norm([1, 2, 2]),
            lambda xp: xp.linalg.vector_norm(xp.zeros((2, 0)), axis=1),
            lambda xp: xp.linalg.norm(xp.array([np.nan, 1.0])),
            lambda xp: xp.linalg.norm(xp.array([np.inf, 1.0]), 1),
        ):
            with failures:
                check(body)


@pytest.mark.parametrize("shape", [(0, 2, 3), (0, 2, 2), (2, 0, 3), (0, 0), (0,)])
@twin(may_raise=(np.linalg.LinAlgError,))
def test_condition_numbers_of_no_matrices(xp, shape):
    return xp.linalg.cond(xp.zeros(shape))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rank_cond_pinv(dtype):
    square = cast(RNG.standard_normal((2, 4, 4)), dtype)
    low = square.copy()
    low[0, 2] = low[0, 1]
    with collect() as failures:
        for label, x in (
            ("square", square),
            ("low", low),
            ("wide", cast(A, dtype)),
            ("zero", np.zeros((3, 2), dtype)),
        ):
            with failures:
                check(lambda xp, x=x: xp.linalg.matrix_rank(xp.array(x)), label=f"rank {label}")
                check(lambda xp, x=x: xp.linalg.matrix_rank(xp.array(x), tol=1.0), label=f"rank tol {label}")
                check(
                    lambda xp, x=x: xp.linalg.matrix_rank(xp.array(x), rtol=0.5), label=f"rank rtol {label}"
                )
            with failures:
                got, want = to_numpy(cp.linalg.pinv(cp.array(x), rtol=1e-5)), np.linalg.pinv(x, rtol=1e-5)
                assert got.dtype == want.dtype and got.shape == want.shape
                assert (
                    np.abs(got - want).max() <= 200 * np.finfo(dtype).eps * max(np.abs(want).max(), 1) ** 2
                ), label
        for p in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro"):
            with failures:
                check(
                    lambda xp, p=p: xp.linalg.cond(xp.array(square), p),
                    ulps={c: 2000 for c in "fdFD"},
                    label=f"cond {p}",
                )
        for p in (1, np.inf, "fro"):
            with failures:
                check(
                    lambda xp, p=p: xp.linalg.cond(xp.zeros((2, 2), dtype=dtype), p),
                    label=f"cond of zero {p}",
                )
        with failures:
            check(lambda xp: xp.linalg.matrix_rank(xp.array([0.0, 0.0])), label="vector")
            check(lambda xp: xp.linalg.matrix_rank(xp.array(3)), label="number")
    hermitian = square + np.swapaxes(square, -1, -2).conj()
    u, s, vh = (to_numpy(x) for x in cp.linalg.svd(cp.array(hermitian), hermitian=True))
    tolerance = 100 * np.finfo(dtype).eps * np.abs(hermitian).max()
    assert np.abs(u * s[..., None, :] @ vh - hermitian).max() <= tolerance
    assert np.abs(s - np.linalg.svd(hermitian, compute_uv=False)).max() <= tolerance
    values = cp.linalg.svd(cp.array(hermitian), compute_uv=False, hermitian=True)
    assert np.abs(to_numpy(values) - s).max() <= tolerance
    got = to_numpy(cp.linalg.pinv(cp.array(hermitian), hermitian=True))
    want = np.linalg.inv(hermitian)
    assert (
        np.abs(got - want).max()
        <= 1000 * np.finfo(dtype).eps * np.abs(want).max() ** 2 * np.abs(hermitian).max()
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (6, 4), (4, 7), (2, 5, 5)])
def test_pinv_of_matrices_that_lack_rank(dtype, shape):
    # Roundings of singular values that are zero are not inverted: NumPy decomposes in double precision.
    one = cast(np.random.default_rng(7).integers(-9, 10, shape), dtype)
    one[..., -1, :] = one[..., 0, :]
    equal = np.broadcast_to(one[..., :1, :], shape)
    graded = cast(np.diag([1.0, 1e-10]), dtype)
    for a in (one, equal, np.ones_like(one), graded):
        got, want = to_numpy(cp.linalg.pinv(cp.array(a))), np.linalg.pinv(a)
        assert got.dtype == want.dtype
        assert np.abs(got - want).max() <= 100 * np.finfo(dtype).eps * np.abs(want).max()
        assert np.abs(a @ got @ a - a).max() <= 100 * np.finfo(dtype).eps * np.abs(a).max()


@pytest.mark.parametrize("dtype", ["int32", *DTYPES])
def test_lstsq(dtype):
    rng = np.random.default_rng(1)
    for shape, columns in [((8, 3), None), ((8, 3), 2), ((3, 8), 2), ((5, 5), 1), ((8, 3), 0)]:
        a = cast(rng.standard_normal(shape) * 9, dtype)
        b = cast(rng.standard_normal(shape[:1] + (() if columns is None else (columns,))) * 9, dtype)
        for deficient in (False, True):
            if deficient:
                a = a.copy()
                a[:, 1] = a[:, 0]
            got, want = cp.linalg.lstsq(cp.array(a), cp.array(b)), np.linalg.lstsq(a, b)
            scale = np.finfo(want[0].dtype).eps * 1000 * max(np.linalg.cond(a) if not deficient else 10, 10)
            for i in (0, 1, 3):
                assert to_numpy(got[i]).dtype == want[i].dtype and to_numpy(got[i]).shape == want[i].shape, (
                    shape,
                    i,
                )
                assert np.abs(to_numpy(got[i]) - want[i]).max(initial=0) <= scale * max(
                    np.abs(want[i]).max(initial=0), 1
                )
            assert got[2] == want[2]


def test_powers_and_products():
    m = RNG.integers(-3, 4, (2, 3, 3))
    with collect() as failures:
        for n in (0, 1, 2, 3, 4, 7, 10):
            for dtype in ("int64", "float64", "complex64", "bool"):
                with failures:
                    check(
                        lambda xp, n=n, d=dtype: xp.linalg.matrix_power(xp.array(m.astype(d)), n),
                        ulps=8,
                        label=f"{dtype}^{n}",
                    )
        for n in (-1, -3):
            with failures:
                check(
                    lambda xp, n=n: xp.linalg.matrix_power(xp.array([[2.0, 0.0], [0.0, 4.0]]), n),
                    label=f"power {n}",
                )
        shapes = [(4,), (4, 3), (3, 6), (6, 2), (2, 5), (5,)]
        parts = [RNG.integers(-4, 5, s) for s in shapes]
        for chosen in (parts, parts[1:], parts[:-1], parts[1:-1], parts[1:3], parts[:2]):
            with failures:
                check(lambda xp, c=chosen: xp.linalg.multi_dot([xp.array(p) for p in c]), label="multi_dot")
        with failures:
            check(
                lambda xp: xp.linalg.multi_dot(
                    [xp.array(p) for p in parts[1:4]], out=xp.zeros((4, 2), dtype="int64")
                )
            )
        x, y = RNG.integers(-4, 5, (2, 3, 3)), RNG.integers(-4, 5, (3, 3))
        for body in (
            lambda xp: xp.linalg.cross(xp.array(x), xp.array(y)),
            lambda xp: xp.linalg.cross(xp.array(x), xp.array(x), axis=1),
            lambda xp: xp.linalg.diagonal(xp.array(x), offset=1),
            lambda xp: xp.linalg.trace(xp.array(x), offset=-1),
            lambda xp: xp.linalg.trace(xp.array(x), dtype="float32"),
            lambda xp: xp.linalg.matmul(xp.array(x), xp.array(y)),
            lambda xp: xp.linalg.matrix_transpose(xp.array(x)),
            lambda xp: xp.linalg.outer(xp.array(y[0]), xp.array(y[1])),
            lambda xp: xp.linalg.tensordot(xp.array(x), xp.array(y), axes=1),
            lambda xp: xp.linalg.vecdot(xp.array(x), xp.array(y)),
        ):
            with failures:
                check(body)
        a = RNG.standard_normal((2, 3, 6)) + 0.0
        for body in (
            lambda xp: xp.linalg.tensorsolve(xp.array(a), xp.ones((2, 3))),
            lambda xp: xp.linalg.tensorsolve(xp.array(a.transpose(2, 0, 1)), xp.ones((2, 3)), axes=(0,)),
            lambda xp: xp.linalg.tensorinv(xp.array(a), ind=2),
        ):
            with failures:
                check(body, ulps=200)


@pytest.mark.parametrize("dtype", ["bool", "int16", "int64", "float16", *DTYPES])
def test_lu(dtype):
    ours, theirs = cuprum.scipy.linalg, scipy.linalg
    for shape in [(1, 1), (4, 4), (9, 9), (40, 40), (30, 12), (12, 30), (2, 5, 3), (0, 3), (3, 0)]:
        a = np.random.default_rng(7).standard_normal(shape) * 9
        a = (a + 1j * a[..., ::-1] if np.dtype(dtype).kind == "c" else a).astype(dtype)
        x = cp.array(a)
        with quiet():
            want = theirs.lu(a)
            got = ours.lu(x)
            eps = np.finfo(want[1].dtype).eps
            for g, w in zip(got, want, strict=True):
                # SciPy gives an odd permutation for matrices of at most one row or column.
                if min(shape[-2:]) > 1 or g is not got[0]:
                    assert to_numpy(g).dtype == w.dtype and g.shape == w.shape
            if dtype not in ("bool", "int16", "int64") and 0 not in shape:
                # Without ties the pivots are the same ones.
                assert np.array_equal(to_numpy(got[0]), want[0])
            product = to_numpy(got[0]) @ to_numpy(got[1]) @ to_numpy(got[2])
            tolerance = 200 * eps * max(np.abs(a.astype(complex)).max(initial=0), 1) * max(shape)
            assert np.abs(product - a).max(initial=0) <= tolerance
            order, lower, upper = ours.lu(x, p_indices=True)
            assert to_numpy(order).dtype == np.int32
            rows = np.take_along_axis(to_numpy(lower), to_numpy(order)[..., None], -2)
            assert np.abs(rows @ to_numpy(upper) - a).max(initial=0) <= tolerance
            permuted, upper = ours.lu(x, permute_l=True)
            assert np.array_equal(to_numpy(permuted), rows)
            if 0 in shape:
                continue
            factors, pivots = ours.lu_factor(x)
            wanted = theirs.lu_factor(a)
            assert to_numpy(pivots).dtype == wanted[1].dtype and factors.shape == wanted[0].shape
            if dtype not in ("bool", "int16", "int64"):
                assert np.array_equal(to_numpy(pivots), wanted[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trans", [0, 1, 2])
def test_lu_solve_and_solve_triangular(dtype, trans):
    ours, theirs = cuprum.scipy.linalg, scipy.linalg
    rng = np.random.default_rng(2)
    for n in (1, 5, 8, 20, 50):
        a = cast(rng.standard_normal((n, n)) + 6 * np.eye(n), dtype)
        for b in (cast(rng.standard_normal(n), dtype), cast(rng.standard_normal((n, 3)), dtype)):
            tolerance = 500 * n * np.finfo(dtype).eps
            got = to_numpy(ours.lu_solve(ours.lu_factor(cp.array(a)), cp.array(b), trans=trans))
            want = theirs.lu_solve(theirs.lu_factor(a), b, trans=trans)
            assert got.dtype == want.dtype and got.shape == want.shape
            assert np.abs(got - want).max() <= tolerance * max(np.abs(want).max(), 1)
            for lower in (False, True):
                for unit in (False, True):
                    # A unit triangle with large elements is ill conditioned: small ones are not.
                    t = (a / 10 if unit else a).astype(dtype)
                    for key in (trans, "NTC"[trans]):
                        got = ours.solve_triangular(cp.array(t), cp.array(b), key, lower, unit)
                        want = theirs.solve_triangular(t, b, key, lower, unit)
                        error = np.abs(to_numpy(got) - want).max()
                        assert error <= 100 * tolerance * max(np.abs(want).max(), 1), (n, lower, unit)


def test_scipy_errors_and_stacks():
    ours = cuprum.scipy.linalg
    with pytest.raises(np.linalg.LinAlgError, match="solve_triangular: .*diagonal 1"):
        ours.solve_triangular(cp.array([[1.0, 2.0], [0.0, 0.0]]), cp.ones(2))
    nan = cp.full((2, 2), cp.nan)
    for call in (
        lambda: ours.lu(nan),
        lambda: ours.lu_factor(nan),
        lambda: ours.solve_triangular(nan, cp.ones(2)),
        lambda: ours.solve_triangular(cp.eye(2), cp.ones(3)),
        lambda: ours.solve_triangular(cp.ones((2, 3)), cp.ones(2)),
        lambda: ours.solve_triangular(cp.eye(2), cp.ones(2), trans="Q"),
        lambda: ours.lu_solve(ours.lu_factor(cp.eye(2)), cp.ones(3)),
        lambda: ours.lu_solve((cp.eye(2), cp.array([0, 5])), cp.ones(2)),
        lambda: ours.lu(cp.ones(3)),
    ):
        with pytest.raises(ValueError):
            call()
    assert bool(cp.isnan(ours.lu_factor(nan, check_finite=False)[0]).any())
    with pytest.warns(RuntimeWarning):
        ours.lu_factor(cp.zeros((2, 2)))
    a = np.random.default_rng(0).standard_normal((3, 4, 4))
    b = np.random.default_rng(1).standard_normal((3, 4, 2))
    x = to_numpy(ours.lu_solve(ours.lu_factor(cp.array(a)), cp.array(b)))
    assert np.abs(a @ x - b).max() < 1e-12
    x = to_numpy(ours.solve_triangular(cp.array(a), cp.array(b), lower=True))
    assert np.abs(np.tril(a) @ x - b).max() < 1e-10

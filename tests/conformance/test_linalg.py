"""numpy.linalg: values, dtypes, shapes and errors over dtypes, layouts, stacks and empty matrices.

Factors are compared by what they are for: a residual and orthogonality, each at most `SLACK` times the order
times the rounding unit times the size of the matrix (a backward error that LAPACK's own results meet).
"""

import numpy as np
import pytest
from twin import check, collect, fresh_python, quiet, raising, to_numpy

import cuprum as cp

DTYPES = ["float32", "float64", "complex64", "complex128"]
ORDINARY = ["bool", "int8", "int32", "int64", "uint16", "float32", "float64", "complex64", "complex128"]
SLACK = 10.0


def matrix(dtype, *shape, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    if np.dtype(dtype).kind in "iub":
        a = rng.integers(0, 2 if dtype == "bool" else 10, shape)
    return a.astype(dtype)


def layouts(a):
    """The same matrices in several layouts."""
    yield "C", a
    yield "F", np.asfortranarray(a)
    if a.shape[-1] > 40:
        return
    yield "strided", np.repeat(np.repeat(a, 2, -1), 2, -2)[..., ::2, ::2]
    yield "reversed", a[..., ::-1, ::-1].copy()[..., ::-1, ::-1]


def eps(dtype):
    return np.finfo(dtype).eps


def size(a):
    return max(np.linalg.norm(np.asarray(a, complex).reshape(-1)), np.finfo("f8").tiny)


def adjoint(a):
    return np.swapaxes(a, -1, -2).conj()


def assert_close(got, want, dtype, scale, order, label=""):
    got, want = to_numpy(got), np.asarray(want)
    assert got.shape == want.shape, f"{label}: shape {got.shape}, expected {want.shape}"
    error = np.abs(got.astype(complex) - want).max(initial=0)
    limit = SLACK * (order + 4) * eps(dtype) * scale
    assert error <= limit, f"{label}: off by {error:.3g}, allowed {limit:.3g}"


def assert_orthonormal(q, dtype, label=""):
    q = to_numpy(q)
    k = q.shape[-1]
    assert_close(
        adjoint(q) @ q, np.broadcast_to(np.eye(k), (*q.shape[:-2], k, k)), dtype, 1, q.shape[-2], label
    )


@pytest.mark.parametrize("dtype", ORDINARY)
def test_solve_inv_det(dtype):
    with collect() as failures:
        for shape in [(1, 1), (3, 3), (8, 8), (9, 9), (17, 17), (60, 60), (2, 3, 4, 4)]:
            a = matrix(dtype, *shape) + (np.eye(shape[-1]) * 4 if dtype == "float32" else 0)
            if np.dtype(dtype).kind in "iub":
                a = (a + 20 * np.eye(shape[-1])).astype(dtype if dtype != "bool" else "int8")
            n = shape[-1]
            b = matrix("float64" if dtype != "float32" else "float32", *shape[:-1], 3, seed=1)
            real = np.linalg.inv(a).dtype
            for label, x in layouts(a.astype(a.dtype)):
                with failures:
                    got = cp.linalg.inv(cp.array(x))
                    assert to_numpy(got).dtype == real
                    inverse = np.linalg.inv(a)
                    assert_close(got, inverse, real, size(inverse) ** 2 * size(a), n, f"inv {label} {shape}")
                with failures:
                    got = cp.linalg.solve(cp.array(x), cp.array(b))
                    want = np.linalg.solve(a, b)
                    assert to_numpy(got).dtype == want.dtype
                    residual = a @ to_numpy(got) - b
                    assert_close(
                        residual, 0 * b, real, size(a) * size(want) + size(b), n, f"solve {label} {shape}"
                    )
                with failures:
                    with quiet():
                        want = np.linalg.det(a)
                    if np.isfinite(want).all():
                        got = cp.linalg.det(cp.array(x))
                        assert_close(got, want, real, np.abs(want).max() * 30, n, f"det {shape}")
                    sign, log = cp.linalg.slogdet(cp.array(x))
                    wanted = np.linalg.slogdet(a)
                    assert to_numpy(log).dtype == wanted.logabsdet.dtype
                    assert_close(sign, wanted.sign, real, 30, n, "sign")
                    assert_close(log, wanted.logabsdet, real, 30 * n, n, "logabsdet")


@pytest.mark.parametrize("dtype", DTYPES)
def test_cholesky(dtype):
    for shape in [(1, 1), (4, 4), (16, 16), (17, 17), (70, 70), (3, 5, 5)]:
        root = matrix(dtype, *shape)
        a = root @ adjoint(root) + np.eye(shape[-1], dtype=dtype)
        for label, x in layouts(a):
            for upper in (False, True):
                # The other triangle is not read.
                half = np.where(
                    np.tri(shape[-1], dtype=bool) ^ upper | np.eye(shape[-1], dtype=bool), x, np.nan
                )
                got = cp.linalg.cholesky(cp.array(half.astype(dtype)), upper=upper)
                want = np.linalg.cholesky(a, upper=upper)
                assert to_numpy(got).dtype == want.dtype
                assert_close(got, want, dtype, size(want) * 4, shape[-1], f"{label} {shape} {upper}")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1, 1), (5, 3), (3, 5), (4, 4), (50, 49), (52, 70), (70, 52), (2, 7, 4), (0, 3), (3, 0)]
)
def test_qr(dtype, shape):
    a = matrix(dtype, *shape)
    for label, x in layouts(a):
        for mode in ("reduced", "complete"):
            q, r = cp.linalg.qr(cp.array(x), mode)
            want = np.linalg.qr(a, mode)
            # Signs are LAPACK's: the factors themselves agree, not only their product.
            assert_close(r, want.R, dtype, 10 * size(a), max(shape), f"R {label} {mode}")
            assert to_numpy(q).shape == want.Q.shape and to_numpy(q).dtype == want.Q.dtype
            assert_orthonormal(q, dtype, f"Q {label} {mode}")
            assert_close(to_numpy(q) @ to_numpy(r), a, dtype, size(a), max(shape), f"QR {label} {mode}")
        assert_close(
            cp.linalg.qr(cp.array(x), "r"), np.linalg.qr(a, "r"), dtype, 10 * size(a), max(shape), "r"
        )
        h, tau = cp.linalg.qr(cp.array(x), "raw")
        want = np.linalg.qr(a, "raw")
        assert_close(h, want[0], dtype, 30 * size(a), max(shape), f"raw h {label}")
        assert_close(tau, want[1], dtype, 30, max(shape), f"raw tau {label}")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape",
    [(1, 1), (5, 3), (3, 5), (4, 4), (30, 29), (40, 10), (9, 40), (135, 131), (2, 3, 4), (0, 3), (3, 0)],
)
def test_svd(dtype, shape):
    a = matrix(dtype, *shape)
    want = np.linalg.svd(a, compute_uv=False)
    for label, x in layouts(a):
        got = cp.linalg.svd(cp.array(x), compute_uv=False)
        assert to_numpy(got).dtype == want.dtype
        assert_close(got, want, dtype, size(a), max(shape), f"s {label}")
        for full in (False, True):
            u, s, vh = cp.linalg.svd(cp.array(x), full_matrices=full)
            shapes = [part.shape for part in np.linalg.svd(a, full_matrices=full)]
            assert [part.shape for part in (u, s, vh)] == shapes
            assert_close(s, want, dtype, size(a), max(shape), f"s {label} {full}")
            assert_orthonormal(u, dtype, "u")
            assert_orthonormal(adjoint(to_numpy(vh)), dtype, "vh")
            k = s.shape[-1]
            product = to_numpy(u)[..., :k] * to_numpy(s)[..., None, :] @ to_numpy(vh)[..., :k, :]
            assert_close(product, a, dtype, size(a), max(shape), f"product {label} {full}")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 33, 150])
def test_eigh(dtype, n):
    a = matrix(dtype, 2, n, n) if n < 10 else matrix(dtype, n, n)
    a = a + adjoint(a)
    want = np.linalg.eigvalsh(a)
    for uplo in ("L", "u"):
        for label, x in layouts(a):
            x = np.where(np.tri(n, dtype=bool) ^ (uplo == "u") | np.eye(n, dtype=bool), x, np.nan).astype(
                dtype
            )
            w, v = cp.linalg.eigh(cp.array(x), uplo)
            assert to_numpy(w).dtype == want.dtype and to_numpy(v).dtype == np.dtype(dtype)
            assert_close(w, want, dtype, size(a), n, f"w {label} {uplo}")
            assert_close(cp.linalg.eigvalsh(cp.array(x), uplo), want, dtype, size(a), n, f"eigvalsh {label}")
            assert_orthonormal(v, dtype)
            v = to_numpy(v)
            assert_close(a @ v, v * to_numpy(w)[..., None, :], dtype, size(a), n, f"residual {label} {uplo}")


def nearest(got, want):
    """The largest distance from an eigenvalue to the nearest of the others, both ways."""
    distance = np.abs(np.asarray(got)[:, None] - np.asarray(want)[None, :])
    return max(distance.min(0).max(), distance.min(1).max())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 33, 90])
def test_eig(dtype, n):
    a = matrix(dtype, n, n)
    w, v = cp.linalg.eig(cp.array(a))
    want = np.linalg.eig(a)
    # Complex numbers, of whatever matrix, as in NumPy since 2.5.
    assert w.dtype == v.dtype == np.result_type(want.eigenvectors.dtype, np.complex64)
    w, v = to_numpy(w), to_numpy(v)
    limit = SLACK * (n + 4) * eps(dtype) * size(a) * max(np.linalg.cond(want.eigenvectors), 1)
    assert nearest(w, want.eigenvalues) <= limit
    assert nearest(to_numpy(cp.linalg.eigvals(cp.array(a))), want.eigenvalues) <= limit
    assert_close(np.linalg.norm(v, axis=0), np.ones(n), dtype, 1, n)
    assert_close(a @ v, v * w, dtype, size(a), n, "residual")


def test_eig_is_complex_whatever_the_eigenvalues_are():
    stack = np.array([[[1.0, 2.0], [2.0, 1.0]], [[0.0, -1.0], [1.0, 0.0]]])
    for a in (stack, stack[0], stack[1]):
        assert [x.dtype for x in cp.linalg.eig(cp.array(a))] == [np.complex128] * 2
        assert cp.linalg.eigvals(cp.array(a, dtype="f4")).dtype == np.complex64
    assert not cp.linalg.eig(cp.array(stack[0])).eigenvalues.imag.any()


def test_results_have_names():
    a = cp.array([[2.0, 0.0], [0.0, 1.0]])
    for name in ("eig", "eigh", "qr", "svd", "slogdet"):
        ours, theirs = getattr(cp.linalg, name)(a), getattr(np.linalg, name)(to_numpy(a))
        assert ours._fields == theirs._fields and type(ours).__name__ == type(theirs).__name__
    assert cp.linalg.LinAlgError is np.linalg.LinAlgError


def test_errors():
    bodies = {
        "singular solve": raising(
            np.linalg.LinAlgError, lambda xp: xp.linalg.solve(xp.ones((2, 2)), xp.ones(2))
        ),
        "singular inv": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.inv(xp.zeros((3, 2, 2)))),
        "indefinite": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.cholesky(-xp.eye(3))),
        "indefinite large": raising(
            np.linalg.LinAlgError, lambda xp: xp.linalg.cholesky(xp.eye(40) - 2 * xp.eye(40, k=0))
        ),
        "half": raising(TypeError, lambda xp: xp.linalg.inv(xp.eye(2, dtype="float16"))),
        "half svd": raising(TypeError, lambda xp: xp.linalg.svd(xp.eye(2, dtype="float16"))),
        "half eigh": raising(TypeError, lambda xp: xp.linalg.eigh(xp.eye(2, dtype="float16"))),
        "half qr": raising(TypeError, lambda xp: xp.linalg.qr(xp.eye(2, dtype="float16"))),
        "half eig": raising(TypeError, lambda xp: xp.linalg.eigvals(xp.eye(2, dtype="float16"))),
        "half det": raising(TypeError, lambda xp: xp.linalg.det(xp.eye(2, dtype="float16"))),
        "vector": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.inv(xp.ones(3))),
        "vector svd": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.svd(xp.ones(3))),
        "not square": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.inv(xp.ones((2, 3)))),
        "not square eig": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.eig(xp.ones((2, 3)))),
        "not square det": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.det(xp.ones((2, 3)))),
        "rows": raising(ValueError, lambda xp: xp.linalg.solve(xp.eye(2), xp.ones(3))),
        "rows of a matrix": raising(ValueError, lambda xp: xp.linalg.solve(xp.eye(2), xp.ones((3, 2)))),
        "number": raising(ValueError, lambda xp: xp.linalg.solve(xp.eye(2), xp.array(1.0))),
        "uplo": raising(ValueError, lambda xp: xp.linalg.eigh(xp.eye(2), "X")),
        "mode": raising(ValueError, lambda xp: xp.linalg.qr(xp.eye(2), "everything")),
        "nan eig": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.eig(xp.full((2, 2), xp.nan))),
        "inf eigvals": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.eigvals(xp.full((2, 2), xp.inf))),
        "nan svd": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.svd(xp.full((2, 2), xp.nan))),
        "nan svdvals": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.svdvals(xp.full((3, 2), xp.nan))),
        "power": raising(TypeError, lambda xp: xp.linalg.matrix_power(xp.eye(2), 1.5)),
        "power of a vector": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.matrix_power(xp.ones(2), 2)),
        "power not square": raising(
            np.linalg.LinAlgError, lambda xp: xp.linalg.matrix_power(xp.ones((2, 3)), 2)
        ),
        "lstsq rows": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.lstsq(xp.ones((2, 3)), xp.ones(3))),
        "lstsq stack": raising(
            np.linalg.LinAlgError, lambda xp: xp.linalg.lstsq(xp.ones((2, 2, 3)), xp.ones(2))
        ),
        "empty cond": raising(np.linalg.LinAlgError, lambda xp: xp.linalg.cond(xp.ones((0, 0)))),
        "empty svd norm": lambda xp: xp.linalg.norm(xp.ones((0, 0)), 2),
        "empty smallest": raising(ValueError, lambda xp: xp.linalg.norm(xp.ones((0, 0)), -2)),
        "empty column sums": lambda xp: xp.linalg.norm(xp.ones((0, 0)), 1),
        "order": raising(ValueError, lambda xp: xp.linalg.norm(xp.ones((2, 2)), "bad")),
        "order of a vector": raising(ValueError, lambda xp: xp.linalg.norm(xp.ones(2), "fro")),
        "axes": raising(ValueError, lambda xp: xp.linalg.norm(xp.ones((2, 2, 2)), 2)),
        "axis": raising(np.exceptions.AxisError, lambda xp: xp.linalg.norm(xp.ones((2, 2)), axis=2)),
        "same axis": raising(ValueError, lambda xp: xp.linalg.norm(xp.ones((2, 2)), axis=(0, 0))),
        "tensorsolve": raising(
            np.linalg.LinAlgError, lambda xp: xp.linalg.tensorsolve(xp.ones((2, 3)), xp.ones(2))
        ),
        "tensorinv": raising(ValueError, lambda xp: xp.linalg.tensorinv(xp.ones((2, 2)), ind=0)),
        "one matrix": raising(ValueError, lambda xp: xp.linalg.multi_dot([xp.ones((2, 2))])),
        "tol and rtol": raising(ValueError, lambda xp: xp.linalg.matrix_rank(xp.eye(2), tol=1, rtol=1)),
        "rcond and rtol": raising(ValueError, lambda xp: xp.linalg.pinv(xp.eye(2), 1e-3, rtol=1e-3)),
        "cross": raising(ValueError, lambda xp: xp.linalg.cross(xp.ones(2), xp.ones(2))),
        "outer": raising(ValueError, lambda xp: xp.linalg.outer(xp.ones((2, 2)), xp.ones(2))),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check(body, label=label)


def test_a_stack_fails_as_a_whole_and_the_message_names_the_op():
    stack = np.stack([np.eye(3)] * 50)
    stack[37] = 0
    with pytest.raises(np.linalg.LinAlgError, match="inv: Singular matrix"):
        cp.linalg.inv(cp.array(stack))
    assert to_numpy(cp.linalg.det(cp.array(stack)))[37] == 0


def test_empty():
    with collect() as failures:
        for shape in [(0, 0), (0, 3, 3), (2, 0, 0), (0, 0, 0)]:
            bodies = {
                "inv": lambda xp, s=shape: xp.linalg.inv(xp.ones(s)),
                "det": lambda xp, s=shape: xp.linalg.det(xp.ones(s)),
                "slogdet": lambda xp, s=shape: tuple(xp.linalg.slogdet(xp.ones(s))),
                "cholesky": lambda xp, s=shape: xp.linalg.cholesky(xp.ones(s)),
                "eigh": lambda xp, s=shape: tuple(xp.linalg.eigh(xp.ones(s))),
                "eig": lambda xp, s=shape: [x.astype(complex) for x in xp.linalg.eig(xp.ones(s))],
                "svd": lambda xp, s=shape: tuple(xp.linalg.svd(xp.ones(s))),
                "qr": lambda xp, s=shape: tuple(xp.linalg.qr(xp.ones(s))),
                "solve": lambda xp, s=shape: xp.linalg.solve(xp.ones(s), xp.ones((s[-1], 2))),
                "no columns": lambda xp, s=shape: xp.linalg.solve(xp.ones(s), xp.ones((s[-1], 0))),
                "matrix_power": lambda xp, s=shape: xp.linalg.matrix_power(xp.ones(s), 0),
            }
            for label, body in bodies.items():
                with failures:
                    check(body, label=f"{label} {shape}")
        for shape in [(0, 3), (3, 0), (2, 0, 3)]:
            for name in ("pinv", "svd", "qr"):
                with failures:
                    check(
                        lambda xp, s=shape, n=name: getattr(xp.linalg, n)(xp.ones(s)), label=f"{name} {shape}"
                    )


def test_not_finite_matrices_go_through_where_lapack_lets_them():
    a = np.eye(3) * 4
    a[1, 1] = np.nan
    for name in ("inv", "cholesky", "det"):
        check(lambda xp, n=name: xp.isnan(getattr(xp.linalg, n)(xp.array(a))).any(), label=name)
    b = np.eye(3) * 4
    b[1, 1] = np.inf
    for name in ("inv", "cholesky", "det"):
        check(lambda xp, n=name: getattr(xp.linalg, n)(xp.array(b)), label=f"inf {name}", ulps=2)
    for name in ("svd", "svdvals", "eigh", "eigvalsh", "eig", "pinv", "matrix_rank"):
        with pytest.raises(np.linalg.LinAlgError):
            getattr(cp.linalg, name)(cp.array(b))
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.lstsq(cp.array(b), cp.ones(3))


def test_solve_broadcasts_stacks():
    a, b = matrix("f8", 3, 1, 4, 4), matrix("f8", 2, 4, 5)
    got = cp.linalg.solve(cp.array(a), cp.array(b))
    assert_close(a @ to_numpy(got), np.broadcast_to(b, (3, 2, 4, 5)), "f8", 100, 4)
    one = cp.linalg.solve(cp.array(a), cp.array(b[0, :, 0]))
    assert one.shape == np.linalg.solve(a, b[0, :, 0]).shape == (3, 1, 4)


def test_pivots_and_factors_do_not_depend_on_the_number_of_threads():
    code = """
    a = cp.array(np.random.default_rng(0).standard_normal((300, 300)))
    import hashlib
    digest = hashlib.sha256()
    for x in (cp.linalg.inv(a), cp.linalg.qr(a)[0], cp.linalg.cholesky(a @ a.T + cp.eye(300))):
        digest.update(x.get().tobytes() if hasattr(x, "get") else np.asarray(x).tobytes())
    print(digest.hexdigest())
    """
    assert fresh_python(code, CUPRUM_THREADS=1) == fresh_python(code, CUPRUM_THREADS=2)

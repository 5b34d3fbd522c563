"""Eigenvalues, singular values, norms and exponentials of sparse matrices against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg as theirs

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import linalg as ours

N = 60


def random(shape, seed, dtype="float64", density=0.2):
    made = scipy.sparse.random_array(shape, density=density, rng=np.random.default_rng(seed)).tocsr()
    if np.dtype(dtype).kind == "c":
        other = scipy.sparse.random_array(shape, density=density, rng=np.random.default_rng(seed + 1))
        made = made + 1j * other.tocsr()
    return made.astype(dtype)


def hermitian(dtype):
    a = random((N, N), 1, dtype)
    return (a + a.conj().T).tocsr()


WEIGHT = scipy.sparse.diags_array([0.3, 2.0, 0.3], offsets=[-1, 0, 1], shape=(N, N)).tocsr()


def check_pairs(a, w, v, weight=None, tolerance=1e-8):
    w, v = w.get(), v.get()
    right = v if weight is None else weight @ v
    np.testing.assert_allclose(a @ v, right * w, atol=tolerance * abs(w).max() * 10)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
@pytest.mark.parametrize("which", ["LM", "SM", "LA", "SA", "BE"])
def test_hermitian(which, dtype):
    a = hermitian(dtype)
    exact = np.linalg.eigvalsh(a.toarray().astype("complex128"))
    order = {
        "LM": np.argsort(-abs(exact)), "SM": np.argsort(abs(exact)), "LA": np.argsort(-exact),
        "SA": np.argsort(exact),
    }  # fmt: skip
    wanted = np.r_[exact[:2], exact[-3:]] if which == "BE" else np.sort(exact[order[which][:5]])
    w, v = ours.eigsh(sparse.csr_array(a), k=5, which=which)
    assert w.dtype == a.real.dtype and v.dtype == dtype and v.shape == (N, 5)
    tolerance = 1e-9 if dtype != "float32" else 2e-3
    np.testing.assert_allclose(w.get(), np.sort(wanted), atol=tolerance * abs(exact).max())
    check_pairs(a, w, v, tolerance=tolerance)
    np.testing.assert_allclose(v.get().conj().T @ v.get(), np.eye(5), atol=tolerance)
    alone = ours.eigsh(sparse.csr_array(a), k=5, which=which, return_eigenvectors=False)
    np.testing.assert_allclose(alone.get(), w.get(), atol=tolerance * abs(exact).max())


@pytest.mark.parametrize("mode", ["normal", "buckling", "cayley"])
def test_shifts_and_weights(mode):
    a = hermitian("float64") + scipy.sparse.eye_array(N) * 20
    mine, weight = sparse.csr_array(a), sparse.csr_array(WEIGHT)
    for sigma, m in ((None, True), (7.3, False), (7.3, True)):
        if (sigma is None or not m) and mode != "normal":
            continue
        given = {"k": 4, "sigma": sigma, "mode": mode}
        want = theirs.eigsh(a.tocsc(), M=WEIGHT.tocsc() if m else None, **given)[0]
        w, v = ours.eigsh(mine, M=weight if m else None, **given)
        np.testing.assert_allclose(np.sort(w.get()), np.sort(want), rtol=1e-8)
        check_pairs(a, w, v, WEIGHT if m else None)
    if mode == "normal":
        dense = cp.linalg.inv(cp.asarray((a - 7.3 * scipy.sparse.eye_array(N)).toarray()))
        w = ours.eigsh(mine, k=4, sigma=7.3, OPinv=ours.aslinearoperator(dense), return_eigenvectors=False)
        want = theirs.eigsh(a.tocsc(), k=4, sigma=7.3, return_eigenvectors=False)
        np.testing.assert_allclose(np.sort(w.get()), np.sort(want), rtol=1e-8)
        operator = ours.LinearOperator((N, N), lambda x: mine @ x, dtype="float64")
        np.testing.assert_allclose(
            np.sort(ours.eigsh(operator, k=2, sigma=7.3, return_eigenvectors=False).get()),
            np.sort(theirs.eigsh(a.tocsc(), k=2, sigma=7.3, return_eigenvectors=False)), rtol=1e-7,
        )  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("which", ["LM", "LR", "SR", "LI"])
def test_general(which, dtype):
    a = random((N, N), 5, dtype)
    exact = np.linalg.eigvals(a.toarray())
    # Imaginary parts count with their sign where the matrix is complex, as ARPACK has it.
    height = abs if dtype == "float64" else np.positive
    key = {"LM": -abs(exact), "LR": -exact.real, "SR": exact.real, "LI": -height(exact.imag)}[which]
    w, v = ours.eigs(sparse.csr_array(a), k=6, which=which, maxiter=3000)
    assert w.dtype == v.dtype == "complex128" and v.shape == (N, 6)
    check_pairs(a, w, v)
    got = {"LM": -abs(w.get()), "LR": -w.get().real, "SR": w.get().real, "LI": -height(w.get().imag)}[which]
    np.testing.assert_allclose(np.sort(got), np.sort(key)[:6], atol=1e-8 * abs(exact).max())
    np.testing.assert_allclose(np.linalg.norm(v.get(), axis=0), 1, rtol=1e-9)


def test_general_with_shifts_and_weights():
    a = random((N, N), 6)
    mine = sparse.csr_array(a)
    for given, m in (
        ({"sigma": 0.5}, False),
        ({"sigma": 0.4 + 0.3j}, False),
        ({"sigma": 0.5}, True),
        ({}, True),
    ):
        w, v = ours.eigs(mine, k=4, M=sparse.csr_array(WEIGHT) if m else None, **given)
        exact = scipy.linalg.eigvals(a.toarray(), WEIGHT.toarray() if m else None)
        check_pairs(a, w, v, WEIGHT if m else None)
        distance = abs(exact - given["sigma"]) if given else -abs(exact)
        got = abs(w.get() - given["sigma"]) if given else -abs(w.get())
        np.testing.assert_allclose(np.sort(got), np.sort(distance)[:4], rtol=1e-7)


def test_special_spectra():
    # Invariant subspaces: few distinct eigenvalues, and a matrix of low rank.
    w, v = ours.eigsh(sparse.eye_array(30, format="csr") * 3.0, k=4)
    np.testing.assert_allclose(w.get(), 3.0)
    np.testing.assert_allclose(v.get().T @ v.get(), np.eye(4), atol=1e-12)
    one = np.zeros((30, 30))
    one[2, 2], one[4, 4] = 5.0, -7.0
    w, _ = ours.eigsh(sparse.csr_array(cp.asarray(one)), k=3)
    np.testing.assert_allclose(w.get(), [-7, 0, 5], atol=1e-12)
    dense = hermitian("float64").toarray()
    w, _ = ours.eigsh(cp.asarray(dense), k=N)
    np.testing.assert_allclose(w.get(), np.linalg.eigvalsh(dense), atol=1e-10)


def test_eigenvalue_errors():
    a = hermitian("float64")
    for module, xp, sp in ((theirs, np, scipy.sparse), (ours, cp, sparse)):
        matrix = sp.csr_array(xp.asarray(a.toarray()))
        for name in ("eigs", "eigsh"):
            solve = getattr(module, name)
            for keywords in ({"which": "XX"}, {"k": 0}, {"ncv": 3, "k": 5}, {"maxiter": 0}):
                with pytest.raises(ValueError):
                    solve(matrix, **keywords)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with pytest.raises(TypeError):
                    solve(matrix, k=N)
            with pytest.raises(ValueError):
                solve(matrix[:-1])
            with pytest.raises(module.ArpackNoConvergence) as caught:
                solve(matrix, k=6, which="SM", maxiter=1)
            assert len(caught.value.eigenvalues) < 6


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_singular_values(shape, dtype):
    a = random(shape, 9, dtype)
    exact = np.linalg.svd(a.toarray(), compute_uv=False)
    mine = sparse.csr_array(a)
    for solver in ("arpack", "lobpcg", "propack"):
        keywords = {"maxiter": 400} if solver == "lobpcg" else {}
        u, s, vh = ours.svds(mine, k=4, solver=solver, **keywords)
        tolerance = 1e-3 if solver == "lobpcg" else 1e-9
        np.testing.assert_allclose(s.get(), exact[3::-1], rtol=tolerance)
        assert u.shape == (shape[0], 4) and vh.shape == (4, shape[1])
        if solver != "lobpcg":
            np.testing.assert_allclose(a @ vh.get().conj().T, u.get() * s.get(), atol=1e-8)
            np.testing.assert_allclose(u.get().conj().T @ u.get(), np.eye(4), atol=1e-10)
            np.testing.assert_allclose(vh.get() @ vh.get().conj().T, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(
        ours.svds(mine, k=3, which="SM", return_singular_vectors=False, maxiter=5000).get(),
        exact[:-4:-1],
        rtol=1e-6,
    )
    assert ours.svds(mine, k=2, return_singular_vectors="u")[2] is None
    for keywords in ({"k": 25}, {"k": 0}, {"which": "XX"}, {"solver": "x"}, {"tol": -1}):
        for module, matrix in ((theirs, a), (ours, mine)):
            with pytest.raises(ValueError):
                module.svds(matrix, **keywords)


@pytest.mark.parametrize("largest", [True, False])
def test_lobpcg(largest):
    a = hermitian("float64") + scipy.sparse.eye_array(N) * 20
    mine, weight = sparse.csr_array(a), sparse.csr_array(WEIGHT)
    start = np.random.default_rng(0).standard_normal((N, 3))
    for m in (False, True):
        exact = scipy.linalg.eigh(a.toarray(), WEIGHT.toarray() if m else None, eigvals_only=True)
        given = {"tol": 1e-8, "maxiter": 300, "largest": largest, "B": weight if m else None}
        w, v, lambdas, norms = ours.lobpcg(
            mine, cp.asarray(start), retLambdaHistory=True, retResidualNormsHistory=True, **given
        )
        np.testing.assert_allclose(w.get(), exact[:-4:-1] if largest else exact[:3], rtol=1e-8)
        check_pairs(a, w, v, WEIGHT if m else None)
        assert len(lambdas) == len(norms) and float(norms[-1].max()) <= 1e-8
        inverse = cp.linalg.inv(cp.asarray(a.toarray()))
        if not largest:
            fast = ours.lobpcg(mine, cp.asarray(start), M=inverse, retResidualNormsHistory=True, **given)
            assert len(fast[2]) < len(norms)
        # Orthogonal to what is known, the next ones are found.
        second, _ = ours.lobpcg(mine, cp.asarray(start), Y=v, **given)
        np.testing.assert_allclose(second.get(), exact[-4:-7:-1] if largest else exact[3:6], rtol=1e-8)
    w, v = ours.lobpcg(cp.asarray(a.toarray()[:10, :10]), cp.asarray(start[:10]), largest=largest)
    exact = np.linalg.eigvalsh(a.toarray()[:10, :10])
    np.testing.assert_allclose(w.get(), exact[:-4:-1] if largest else exact[:3], rtol=1e-10)
    with pytest.warns(UserWarning, match="iteration"):
        ours.lobpcg(mine, cp.asarray(start), tol=1e-14, maxiter=2)
    for bad in (start[:, 0], start[:-1]):
        with pytest.raises(ValueError):
            ours.lobpcg(mine, cp.asarray(bad))


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64", "float32"])
def test_norms(dtype):
    a = (random((9, 7), 3, "complex128", 0.4) * 10).astype(dtype).toarray()
    a[3] = 0
    mine, other = sparse.csr_array(cp.asarray(a)), scipy.sparse.csr_array(a)
    for order in (None, "fro", 1, -1, np.inf, -np.inf):
        np.testing.assert_allclose(
            ours.norm(mine, order).item(), theirs.norm(other.astype("complex128"), order), rtol=1e-6
        )
        for axis in ((0, 1), (1, 0), (-1, -2)):
            np.testing.assert_allclose(
                ours.norm(mine, order, axis).item(),
                theirs.norm(other.astype("complex128"), order, axis),
                rtol=1e-6,
            )
    np.testing.assert_allclose(ours.norm(mine, 2).item(), np.linalg.norm(a, 2), rtol=1e-5)
    for order in (None, 0, 1, 2, 3, 0.5, np.inf, -np.inf):
        for axis in (0, 1, -1):
            np.testing.assert_allclose(
                ours.norm(mine, order, axis).get(), np.linalg.norm(a, order, axis), rtol=1e-5
            )
    # Rows and columns are added up in double precision, as by SciPy 1.18.
    for order, axis in ((1, None), (np.inf, None), (None, 0), (1, 1), (3, 0), (-np.inf, 1)):
        assert ours.norm(mine, order, axis).dtype == np.float64
    assert ours.norm(mine).dtype == (np.float32 if dtype == "float32" else np.float64)
    for module, matrix in ((ours, mine), (theirs, other)):
        for order, axis, error in (
            ("nuc", None, ValueError), (None, 2, ValueError), (None, (0, 0), ValueError),
            (None, 1.5, TypeError),
            (-2, None, NotImplementedError),
        ):  # fmt: skip
            with pytest.raises(error):
                module.norm(matrix, order, axis)
    with pytest.raises(TypeError):
        ours.norm(cp.ones((2, 2)))


def test_estimated_norms():
    exact = 0
    for seed in range(12):
        a = random((40, 40), seed, "complex128" if seed % 3 == 0 else "float64", 0.3)
        a = a - 0.2 * random((40, 40), seed + 50)
        norm = abs(a).sum(axis=0).max()
        estimate, v, w = ours.onenormest(sparse.csr_array(a), compute_v=True, compute_w=True)
        assert norm / 3 <= estimate <= norm * (1 + 1e-12)
        np.testing.assert_allclose(a @ v.get(), w.get(), atol=1e-12)
        np.testing.assert_allclose(np.abs(w.get()).sum(), estimate, rtol=1e-12)
        exact += estimate >= norm * (1 - 1e-12)
    assert exact >= 9
    assert ours.onenormest(cp.asarray([[1.0, -7.0], [2.0, 3.0]])) == 10
    with pytest.raises(ValueError):
        ours.onenormest(cp.ones((2, 3)))


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0])
def test_exponentials(scale, dtype):
    a = (random((20, 20), 4, dtype) - 0.5 * scipy.sparse.eye_array(20)) * scale
    mine = sparse.csr_array(a)
    rng = np.random.default_rng(8)
    for b in (rng.random(20), rng.random((20, 3))):
        want = scipy.linalg.expm(a.toarray()) @ b
        got = ours.expm_multiply(mine, cp.asarray(b))
        np.testing.assert_allclose(got.get(), want, atol=1e-11 * abs(want).max())
        dense = ours.expm_multiply(cp.asarray(a.toarray()), cp.asarray(b))
        np.testing.assert_allclose(dense.get(), want, atol=1e-11 * abs(want).max())
    operator = ours.aslinearoperator(mine)
    got = ours.expm_multiply(operator, cp.asarray(b), traceA=a.diagonal().sum())
    np.testing.assert_allclose(got.get(), want, atol=1e-11 * abs(want).max())
    with pytest.warns(UserWarning, match="[Tt]race"):
        got = ours.expm_multiply(operator, cp.asarray(b))
    np.testing.assert_allclose(got.get(), want, atol=1e-10 * abs(want).max())
    for keywords in (
        {"start": 0, "stop": 1, "num": 5},
        {"start": 0.2, "stop": 1, "num": 4, "endpoint": False},
    ):
        want = theirs.expm_multiply(a, b, **keywords)
        got = ours.expm_multiply(mine, cp.asarray(b), **keywords)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, atol=1e-10 * abs(want).max())
    np.testing.assert_allclose(
        ours.expm(mine).toarray().get(), scipy.linalg.expm(a.toarray()), atol=1e-11 * abs(want).max()
    )
    for module, xp, matrix in ((ours, cp, mine), (theirs, np, a)):
        for bad in (
            lambda m=module, x=xp, s=matrix: m.expm_multiply(s, x.ones(3)),
            lambda m=module, x=xp, s=matrix: m.expm_multiply(s[:-1], x.ones(20)),
            lambda m=module, x=xp, s=matrix: m.expm_multiply(s, x.ones(20), start=0, stop=1, num=1),
        ):
            with pytest.raises(ValueError):
                bad()


def test_powers():
    a = np.array([[1, 2], [3, 0]])
    for power in (0, 1, 2, 7):
        got = ours.matrix_power(sparse.csr_array(cp.asarray(a)), power).toarray()
        np.testing.assert_array_equal(got.get(), np.linalg.matrix_power(a, power))
    for module, xp, sp in ((ours, cp, sparse), (theirs, np, scipy.sparse)):
        with pytest.raises(ValueError):
            module.matrix_power(sp.csr_array(xp.asarray(a)), -1)
        with pytest.raises(TypeError):
            module.matrix_power(sp.csr_array(xp.ones((2, 3))), 2)

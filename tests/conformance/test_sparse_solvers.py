"""Solvers of sparse systems against SciPy's: solutions, exit codes, callbacks, preconditioners, errors."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as theirs

import cuprum as cp
from cuprum.scipy import sparse
from cuprum.scipy.sparse import linalg as ours

RNG = np.random.default_rng(3)
SIDE = 7


def poisson(side=SIDE):
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    return scipy.sparse.csr_array(scipy.sparse.kronsum(line, line))


def general(n=40, dtype="float64"):
    made = scipy.sparse.random_array((n, n), density=0.1, rng=np.random.default_rng(1)).tocsr()
    made = made + scipy.sparse.diags_array(4.0 + np.arange(n) % 3)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * scipy.sparse.random_array((n, n), density=0.1, rng=np.random.default_rng(2))
    return made.tocsr().astype(dtype)


def host(x):
    return x.get() if hasattr(x, "get") else x


SQUARE = ["cg", "cgs", "bicg", "bicgstab", "gmres", "lgmres", "qmr", "tfqmr", "minres"]
SYMMETRIC = {"cg", "minres"}


def matrix_for(name, dtype="float64"):
    if name not in SYMMETRIC:
        return general(dtype=dtype)
    made = poisson()
    if name == "cg" and np.dtype(dtype).kind == "c":
        skew = scipy.sparse.diags_array([0.5j, -0.5j], offsets=[-1, 1], shape=made.shape)
        made = made + skew
    return made.tocsr().astype(dtype)


# minres is for real symmetric matrices.
CASES = [
    (n, d) for n in SQUARE for d in ("float64", "float32", "complex128") if (n, d) != ("minres", "complex128")
]


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_solutions(name, dtype):
    a = matrix_for(name, dtype)
    b = (RNG.random(a.shape[0]) + (1j if dtype == "complex128" else 0)).astype(dtype)
    want, want_info = getattr(theirs, name)(a, b, rtol=1e-5)
    got, info = getattr(ours, name)(sparse.csr_array(a), cp.asarray(b), rtol=1e-5)
    assert info == want_info == 0 and isinstance(got, cp.ndarray)
    # SciPy's minres leaves float32 on its way; ours stays in the dtype of the system.
    assert got.dtype == dtype and got.shape == want.shape
    np.testing.assert_allclose(host(got), want, rtol=0, atol=3e-4 * abs(want).max())
    # The tolerance of minres and tfqmr is not that of the residual itself.
    bound = 1.1 * np.linalg.norm(a @ want - b) if name in ("minres", "tfqmr") else 1.1e-5 * np.linalg.norm(b)
    assert np.linalg.norm(a @ host(got) - b) < bound


@pytest.mark.parametrize("name", SQUARE)
def test_callbacks_guesses_and_limits(name):
    a = matrix_for(name)
    b = RNG.random(a.shape[0])
    mine, x0 = sparse.csr_array(a), RNG.random(a.shape[0])
    more = {"callback_type": "pr_norm"} if name == "gmres" else {}
    counts = []
    for module, matrix, wrap in ((theirs, a, np.asarray), (ours, mine, cp.asarray)):
        seen = []
        solve = getattr(module, name)
        x, info = solve(matrix, wrap(b), x0=wrap(x0), rtol=1e-9, callback=seen.append, **more)
        counts.append((len(seen), info))
        np.testing.assert_allclose(a @ host(x), b, atol=1e-5)
        # Too few iterations: their number is the exit code.
        limited = {"maxiter": 1, "inner_m": 2} if name == "lgmres" else {"maxiter": 2}
        if name == "gmres":
            limited["restart"] = 2
        counts.append(solve(matrix, wrap(b), rtol=1e-14, **limited)[1])
        x, info = solve(matrix, wrap(b * 0))
        assert info == 0 and not host(x).any()
        # A column is a vector too, and the exact solution is kept.
        exact = host(solve(matrix, wrap(b).reshape(-1, 1), rtol=1e-12)[0])
        assert exact.shape == (a.shape[0],)
    assert counts[0][1] == counts[2][1] == 0 and counts[1] == counts[3]
    assert abs(counts[0][0] - counts[2][0]) <= 2


@pytest.mark.parametrize("name", SQUARE)
def test_preconditioners_and_operators(name):
    a = matrix_for(name)
    b = RNG.random(a.shape[0])
    diagonal = cp.asarray(1 / a.diagonal())
    dense = cp.asarray(a.toarray())
    operator = ours.LinearOperator(
        a.shape, lambda v: dense @ v, rmatvec=lambda v: dense.T @ v, dtype=dense.dtype
    )
    for make in (
        lambda: sparse.diags_array(diagonal).tocsr(),
        lambda: ours.LinearOperator(
            a.shape, lambda v: diagonal * v.ravel(), rmatvec=lambda v: diagonal * v.ravel(), dtype="float64"
        ),
        lambda: cp.diag(diagonal),
    ):
        key = "M1" if name == "qmr" else "M"
        x, info = getattr(ours, name)(operator, cp.asarray(b), rtol=1e-9, **{key: make()})
        assert info == 0
        np.testing.assert_allclose(a @ host(x), b, atol=1e-5)


@pytest.mark.parametrize("name", SQUARE)
def test_bad_systems_are_refused(name):
    a = poisson()
    n = a.shape[0]
    for module, xp, sp in ((theirs, np, scipy.sparse), (ours, cp, sparse)):
        solve, matrix = getattr(module, name), sp.csr_array(xp.asarray(a.toarray()))
        for bad in (
            lambda m=matrix, s=solve, x=xp: s(m[:-1], x.ones(n)),
            lambda m=matrix, s=solve, x=xp: s(m, x.ones(n - 1)),
            lambda m=matrix, s=solve, x=xp: s(m, x.ones(n), x0=x.ones(n + 1)),
        ):
            with pytest.raises(ValueError):
                bad()
        if name != "minres":
            with pytest.raises(ValueError, match="atol"):
                solve(matrix, xp.ones(n), atol=-1.0)
        if name != "qmr":
            with pytest.raises(ValueError, match="shape"):
                solve(matrix, xp.ones(n), M=xp.eye(n - 1))


def test_breakdowns():
    # The residual is orthogonal to its image at once.
    a = np.array([[0.0, 1.0], [-1.0, 0.0]])
    b = np.array([1.0, 0.0])
    for name in ("cgs", "bicg", "bicgstab"):
        want = getattr(theirs, name)(a, b)[1]
        assert getattr(ours, name)(cp.asarray(a), cp.asarray(b))[1] == want < 0, name
    with pytest.warns(DeprecationWarning, match="callback_type"):
        ours.gmres(cp.eye(3), cp.ones(3), callback=lambda v: None)
    with pytest.raises(ValueError, match="callback_type"):
        ours.gmres(cp.eye(3), cp.ones(3), callback=lambda v: None, callback_type="z")
    with pytest.raises(ValueError, match="symmetric"):
        ours.minres(cp.asarray(np.triu(np.ones((5, 5)))), cp.ones(5), check=True)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (20, 20)])
@pytest.mark.parametrize("damp", [0.0, 0.5])
def test_least_squares(shape, damp):
    a = scipy.sparse.random_array(shape, density=0.4, rng=np.random.default_rng(7)).tocsr()
    a = a + 2 * scipy.sparse.eye_array(*shape)
    b, x0 = RNG.random(shape[0]), RNG.random(shape[1])
    mine = sparse.csr_array(a)
    for keywords in ({}, {"x0": True}, {"atol": 1e-12, "btol": 1e-12}):
        for name in ("lsqr", "lsmr"):
            given = {**keywords, "damp": damp}
            limit = {"iter_lim": 200} if name == "lsqr" else {"maxiter": 200}
            want = getattr(theirs, name)(a, b, **{**given, **limit, **({"x0": x0} if "x0" in given else {})})
            if "x0" in given:
                given["x0"] = cp.asarray(x0)
            got = getattr(ours, name)(mine, cp.asarray(b), **given, **limit)
            assert got[1] == want[1], (name, keywords)
            assert abs(got[2] - want[2]) <= 1, (name, keywords)
            np.testing.assert_allclose(host(got[0]), want[0], atol=2e-4 * max(1, abs(want[0]).max()))
            np.testing.assert_allclose(got[3], want[3], rtol=1e-3, atol=1e-5 * np.linalg.norm(b))
    got = ours.lsqr(mine, cp.asarray(b), calc_var=True, iter_lim=3)
    want = theirs.lsqr(a, b, calc_var=True, iter_lim=3)
    assert got[1] == want[1] == 7
    for one, other in zip(got[3:], want[3:], strict=True):
        np.testing.assert_allclose(host(one), other, rtol=1e-8)
    for module, xp, matrix in ((theirs, np, a), (ours, cp, mine)):
        for name in ("lsqr", "lsmr"):
            found = getattr(module, name)(matrix, xp.zeros(shape[0]))
            assert found[1] == 0 and not host(found[0]).any()


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
@pytest.mark.parametrize("spec", ["COLAMD", "MMD_ATA", "MMD_AT_PLUS_A", "NATURAL"])
def test_factors(dtype, spec):
    for a in (general(dtype=dtype).tocsc(), poisson().tocsc().astype(dtype)):
        n = a.shape[0]
        eps = np.finfo(dtype).eps
        lu, want = ours.splu(sparse.csc_array(a), permc_spec=spec), theirs.splu(a, permc_spec=spec)
        rows, columns = host(lu.perm_r), host(lu.perm_c)
        assert sorted(rows) == sorted(columns) == list(range(n)) and lu.shape == (n, n)
        lower, upper = lu.L.get().toarray(), lu.U.get().toarray()
        assert np.array_equal(np.tril(lower), lower) and np.array_equal(np.triu(upper), upper)
        assert (np.diag(lower) == 1).all() and abs(lower).max() <= 10.0001
        permuted = np.empty_like(a.toarray())
        permuted[np.ix_(rows, columns)] = a.toarray()
        np.testing.assert_allclose(lower @ upper, permuted, atol=1e3 * eps)
        for b in (RNG.random(n), RNG.random((n, 3)), RNG.random((n, 1))):
            for trans in "NTH":
                got = lu.solve(cp.asarray(b.astype(dtype)), trans)
                assert got.dtype == dtype and got.shape == b.shape
                np.testing.assert_allclose(
                    host(got), want.solve(b.astype(dtype), trans), rtol=0, atol=1e4 * eps
                )
        assert lu.nnz == lu.L.nnz + lu.U.nnz
    with pytest.raises(ValueError, match="size"):
        lu.solve(cp.ones(n + 1))
    with pytest.raises(ValueError, match="trans"):
        lu.solve(cp.ones(n), "X")


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("is_dense", [False, True])
def test_factors_of_large_fronts(dtype, is_dense, monkeypatch):
    """Fronts eliminated some columns at a time or as dense matrices, with rows exchanged for pivots."""
    from cuprum.scipy.sparse.linalg import _fronts

    for name in ("_DENSE_ON_HOST", "_DENSE_ON_GPU"):
        monkeypatch.setattr(_fronts, name, 150 if is_dense else 1 << 30)
    rng = np.random.default_rng(4)
    # A mesh beside a full matrix, whose pivots are anywhere.
    dense = scipy.sparse.csc_array(rng.standard_normal((200, 200)))
    across = scipy.sparse.random_array((900, 200), density=0.002, rng=rng)
    a = scipy.sparse.block_array([[poisson(30) * 3, across], [across.T, dense]])
    a = scipy.sparse.csc_array(a.astype(dtype) + (0.1j * a if dtype == "complex128" else 0))
    n = a.shape[0]
    lu, want = ours.splu(sparse.csc_array(a)), theirs.splu(a)
    assert lu._fronts is not None
    levels = lu._fronts._dense if is_dense else lu._fronts._large
    assert any(front[2] > 64 for level in levels for front in level)
    assert not (lu._fronts._row.get() == np.arange(n)).all()
    for b in (RNG.random(n), RNG.random((n, 3))):
        for trans in "NTH":
            got = lu.solve(cp.asarray(b.astype(dtype)), trans)
            np.testing.assert_allclose(host(got), want.solve(b.astype(dtype), trans), rtol=0, atol=1e-9)
    rows, columns = host(lu.perm_r), host(lu.perm_c)
    permuted = a.tocoo()
    permuted = scipy.sparse.csc_array((permuted.data, (rows[permuted.row], columns[permuted.col])), a.shape)
    np.testing.assert_allclose((lu.L.get() @ lu.U.get() - permuted).toarray(), 0, atol=1e-11)
    assert (lu.L.get().diagonal() == 1).all() and scipy.sparse.triu(lu.L.get(), 1).nnz == 0
    assert scipy.sparse.tril(lu.U.get(), -1).nnz == 0
    np.testing.assert_allclose(
        host(ours.spsolve(sparse.csc_array(a), cp.ones(n, dtype))), want.solve(np.ones(n, dtype)), atol=1e-10
    )


def test_order_keeps_factors_sparse():
    a = poisson(30).tocsc()
    lu, want = ours.splu(sparse.csc_array(a)), theirs.splu(a)
    assert lu.nnz < 1.2 * want.nnz
    # A full row and column, which would fill everything if it came first.
    arrow = scipy.sparse.lil_array(scipy.sparse.eye_array(400) * 400.0)
    arrow[0, :], arrow[:, 0], arrow[0, 0] = 1.0, 1.0, 400.0
    assert ours.splu(sparse.csc_array(arrow.tocsc())).nnz <= 4 * 400
    order = host(sparse.linalg._factors.minimum_degree(sparse.csr_array((5, 5))))
    assert sorted(order) == list(range(5))


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "csc_matrix"])
def test_spsolve(kind):
    a = general()
    n = a.shape[0]
    mine, other = getattr(sparse, kind)(a), getattr(scipy.sparse, kind)(a)
    for b in (RNG.random(n), RNG.random((n, 1)), RNG.random((n, 4)), RNG.random(n).astype("float32")):
        got, want = ours.spsolve(mine, cp.asarray(b)), theirs.spsolve(other, b)
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(host(got), want, rtol=1e-9, atol=1e-9)
    many = scipy.sparse.random_array((n, 5), density=0.2, rng=np.random.default_rng(5)).tocsc()
    got, want = ours.spsolve(mine, sparse.csc_array(many)), theirs.spsolve(other, many)
    assert sparse.issparse(got) and got.format == want.format
    np.testing.assert_allclose(host(got.toarray()), want.toarray(), atol=1e-10)
    np.testing.assert_allclose(
        host(ours.inv(mine).toarray()), theirs.inv(other.tocsc()).toarray(), atol=1e-10
    )
    np.testing.assert_allclose(
        host(ours.factorized(mine)(cp.arange(float(n)))),
        theirs.spsolve(other, np.arange(float(n))),
        atol=1e-10,
    )
    integers = scipy.sparse.csr_array(np.array([[2, 1], [0, 3]]))
    np.testing.assert_allclose(
        host(ours.spsolve(sparse.csr_array(integers), cp.asarray([3, 3]))), theirs.spsolve(integers, [3, 3])
    )


def test_singular_and_bad_matrices():
    singular = np.array([[1.0, 2.0], [2.0, 4.0]])
    zero_row = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 3.0]])
    for module, xp, sp in ((theirs, np, scipy.sparse), (ours, cp, sparse)):
        for a in (singular, zero_row):
            matrix = sp.csc_array(xp.asarray(a))
            with pytest.raises(RuntimeError, match="singular"):
                module.splu(matrix)
            with pytest.warns(module.MatrixRankWarning, match="singular"):
                x = module.spsolve(matrix, xp.ones(a.shape[0]))
            assert np.isnan(host(x)).all()
        with pytest.raises(ValueError, match="square"):
            module.spsolve(sp.csr_array(xp.ones((2, 3))), xp.ones(2))
        with pytest.raises(ValueError, match="mismatch"):
            module.spsolve(sp.csr_array(xp.eye(3)), xp.ones(2))
        with pytest.raises(ValueError):
            module.splu(sp.csc_array(xp.ones((2, 3))))
        with pytest.raises(TypeError):
            module.inv(xp.eye(3))
    with pytest.warns(sparse.SparseEfficiencyWarning):
        ours.spsolve(sparse.coo_array(cp.eye(2)), cp.ones(2))


def test_incomplete_factors():
    a = poisson(20).tocsc()
    mine, b = sparse.csc_array(a), RNG.random(400)
    full = ours.splu(mine).nnz
    sizes = []
    for drop, fill in ((0.0, 1000.0), (1e-3, 10.0), (1e-2, 3.0), (0.1, 1.5)):
        factors = ours.spilu(mine, drop_tol=drop, fill_factor=fill)
        sizes.append(factors.nnz)
        seen = []
        x, info = ours.gmres(
            mine, cp.asarray(b), M=ours.LinearOperator(a.shape, factors.solve), rtol=1e-10,
            callback=seen.append, callback_type="pr_norm",
        )  # fmt: skip
        assert info == 0 and len(seen) < 40
        np.testing.assert_allclose(a @ host(x), b, atol=1e-7)
    assert sizes[0] == full and sizes[0] > sizes[1] > sizes[2] > sizes[3]


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64"])
@pytest.mark.parametrize("kind", ["csr_array", "csc_matrix"])
def test_triangles(kind, dtype):
    full = np.round(RNG.random((15, 15)) * 5 + 1) * (RNG.random((15, 15)) < 0.4) + 7 * np.eye(15)
    for lower in (True, False):
        a = (np.tril(full) if lower else np.triu(full)).astype(dtype)
        for unit in (True, False):
            for b in (np.arange(15.0), RNG.random((15, 3))):
                want = theirs.spsolve_triangular(
                    getattr(scipy.sparse, kind)(a.astype(dtype if dtype[0] == "c" else "float64")), b, lower,
                    unit_diagonal=unit,
                )  # fmt: skip
                got = ours.spsolve_triangular(
                    getattr(sparse, kind)(cp.asarray(a)), cp.asarray(b), lower, unit_diagonal=unit
                )
                assert got.dtype == want.dtype
                np.testing.assert_allclose(host(got), want, rtol=1e-10, atol=1e-14)
    for module, xp, sp in ((theirs, np, scipy.sparse), (ours, cp, sparse)):
        with pytest.raises(np.linalg.LinAlgError, match="singular"):
            module.spsolve_triangular(getattr(sp, kind)(xp.asarray(np.diag([1.0, 0.0]))), xp.ones(2))
        with pytest.raises(ValueError, match="square"):
            module.spsolve_triangular(getattr(sp, kind)(xp.ones((2, 3))), xp.ones(2))
        with pytest.raises(ValueError):
            module.spsolve_triangular(getattr(sp, kind)(xp.eye(2)), xp.ones(3))


def test_linear_operators():
    a, b = RNG.random((4, 3)) + 1j, RNG.random((4, 3))
    x, y = RNG.random(3), RNG.random(4)
    pairs = [
        (m.aslinearoperator(xp.asarray(a)), m.aslinearoperator(xp.asarray(b)), xp)
        for m, xp in ((ours, cp), (theirs, np))
    ]
    for body in (
        lambda p, q, xp: p @ xp.asarray(x),
        lambda p, q, xp: p.rmatvec(xp.asarray(y)),
        lambda p, q, xp: (p + q).matvec(xp.asarray(x)),
        lambda p, q, xp: (p - 2 * q).rmatvec(xp.asarray(y)),
        lambda p, q, xp: (p @ q.H).matmat(xp.asarray(a)),
        lambda p, q, xp: (p.H @ q) ** 2 @ xp.asarray(x),
        lambda p, q, xp: p.T @ xp.asarray(y),
        lambda p, q, xp: (-p / 3).H @ xp.asarray(y),
        lambda p, q, xp: p.T.rmatmat(xp.asarray(x).reshape(3, 1)),
        lambda p, q, xp: xp.asarray(y) @ q,
        lambda p, q, xp: q.matvec(xp.asarray(x).reshape(3, 1)),
        lambda p, q, xp: p.rmatmat(xp.asarray(b)),
        lambda p, q, xp: (p + q).H.matmat(xp.asarray(b)),
    ):
        got, want = (host(body(*pair)) for pair in pairs)
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-12)
    for body, error in (
        (lambda p, q, xp: p @ xp.ones(4), ValueError),
        (lambda p, q, xp: p @ q, ValueError),
        (lambda p, q, xp: p**2, ValueError),
        (lambda p, q, xp: p @ 3, ValueError),
        (lambda p, q, xp: p.matmat(xp.ones(3)), ValueError),
    ):
        for pair in pairs:
            with pytest.raises(error):
                body(*pair)
    with pytest.raises(TypeError):
        ours.aslinearoperator("x")
    only = ours.LinearOperator((2, 2), matvec=lambda v: 2 * v)
    assert only.dtype == np.int8
    with pytest.raises(NotImplementedError):
        only.rmatvec(cp.ones(2))

    class Shift(ours.LinearOperator):
        def __init__(self, n):
            super().__init__("float64", (n, n))

        def _matvec(self, v):
            return cp.roll(v.ravel(), 1)

        def _adjoint(self):
            return ours.LinearOperator(self.shape, lambda v: cp.roll(v.ravel(), -1), dtype=self.dtype)

    np.testing.assert_array_equal(host(Shift(3) @ cp.arange(3.0)), [2, 0, 1])
    np.testing.assert_array_equal(host(Shift(3).rmatvec(cp.arange(3.0))), [1, 2, 0])
    np.testing.assert_array_equal(host(Shift(3) @ cp.eye(3)), np.roll(np.eye(3), 1, axis=0))


def test_shapes_of_sparse_matrices():
    for a in (np.triu(np.ones((3, 4))), np.eye(3), np.zeros((2, 2)), np.tril(np.ones((4, 4)), -2)):
        for kind in ("csr_array", "dia_array"):
            if not a.any():
                assert ours.spbandwidth(getattr(sparse, kind)(cp.asarray(a))) == (0, 0)  # SciPy raises
                continue
            mine, other = getattr(sparse, kind)(cp.asarray(a)), getattr(scipy.sparse, kind)(a)
            assert ours.spbandwidth(mine) == theirs.spbandwidth(other)
            assert ours.is_sptriangular(mine) == theirs.is_sptriangular(other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.use_solver(useUmfpack=False)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_systems_by_fronts(dtype):
    """The way of a GPU, which a CPU can go, too: level by level, with pivots within fronts."""
    from cuprum.scipy.sparse.linalg import _fronts

    rng = np.random.default_rng(5)
    line = scipy.sparse.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(13, 13))
    mesh = scipy.sparse.kronsum(line, line).tocsc()
    uneven = mesh + scipy.sparse.diags_array(rng.standard_normal(168), offsets=1, shape=(169, 169))
    apart = scipy.sparse.block_diag([mesh[:30, :30], [[2.0]], mesh[:50, :50]]).tocsc()
    full = scipy.sparse.csc_array(rng.standard_normal((25, 25)))
    for a in (mesh, uneven.tocsc(), apart, full, scipy.sparse.csc_array(np.diag(np.arange(1.0, 9)))):
        a = scipy.sparse.csc_array(a.astype(dtype))
        ours = sparse.csc_array(a)
        fronts = _fronts.Fronts(ours)
        assert fronts.is_fit and fronts.factorise(ours.data, 0.1)
        for b in (rng.standard_normal(a.shape[0]), rng.standard_normal((a.shape[0], 3))):
            b = b.astype(dtype)
            x = fronts.solve(cp.asarray(b)).get()
            assert x.shape == b.shape and x.dtype == np.dtype(dtype)
            size = abs(a).sum(axis=1).max() * np.abs(x).max() + np.abs(b).max()
            assert np.abs(a @ x - b).max() <= 1e3 * np.finfo(dtype).eps * size
    # Nothing is eliminated where a matrix is singular.
    zeros = sparse.csc_array((cp.zeros(4), cp.asarray([0, 1, 0, 1]), cp.asarray([0, 2, 4])), shape=(2, 2))
    assert not _fronts.Fronts(zeros).factorise(zeros.data, 0.1)

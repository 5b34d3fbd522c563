"""`cupyx.GeneralizedUFunc` beside `numpy.vectorize`, and `cupyx.linalg` beside SciPy."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

import cuprum as cp
from cuprum.compat import cupyx
from cuprum.compat.cupyx.linalg import cho_solve, invh

RNG = np.random.default_rng(3)
FUNCTIONS = {
    "(m,n),(n)->(m)": lambda a, x: a @ x,
    "(n),(n)->()": lambda a, b: (a * b).sum(),
    "(n)->(n),()": lambda a: (a * 2, a.max()),
    "(),()->()": lambda a, b: a + b,
}
SHAPES = {
    "(m,n),(n)->(m)": [((2, 3), (3,)), ((4, 2, 3), (3,)), ((4, 2, 3), (5, 1, 3))],
    "(n),(n)->()": [((3,), (3,)), ((2, 3), (4, 1, 3))],
    "(n)->(n),()": [((3,),), ((2, 4, 3),)],
    "(),()->()": [((2, 1), (3,)), ((), ())],
}


@pytest.mark.parametrize(
    ("signature", "batched"), [*((one, False) for one in FUNCTIONS), ("(),()->()", True)]
)
def test_functions_over_leading_axes(signature, batched):
    func = FUNCTIONS[signature]
    ours = cupyx.GeneralizedUFunc(func, signature, supports_batched=batched)
    theirs = np.vectorize(func, signature=signature)
    for shapes in SHAPES[signature]:
        arrays = [RNG.random(shape) for shape in shapes]
        found, expected = ours(*map(cp.asarray, arrays)), theirs(*arrays)
        several = isinstance(expected, tuple)
        for one, other in zip(
            found if several else [found], expected if several else [expected], strict=True
        ):
            assert one.shape == other.shape
            np.testing.assert_allclose(cp.asnumpy(one), other)


def test_axes_outputs_and_types():
    total = cupyx.GeneralizedUFunc(lambda a: a.sum(), "(n)->()")
    a = RNG.random((2, 3, 4))
    given = cp.asarray(a)
    np.testing.assert_allclose(cp.asnumpy(total(given, axis=1)), a.sum(1))
    np.testing.assert_allclose(cp.asnumpy(total(given, axis=0, keepdims=True)), a.sum(0, keepdims=True))
    np.testing.assert_allclose(cp.asnumpy(total(given, axes=[(0,)])), a.sum(0))
    scaled = cupyx.GeneralizedUFunc(lambda a: a * 2, "(n)->(n)")
    np.testing.assert_allclose(cp.asnumpy(scaled(given, axes=[(1,), (0,)])), np.moveaxis(a, 1, 0) * 2)
    out = cp.zeros((2, 3), "f4")
    assert total(given, out=out) is out
    np.testing.assert_allclose(cp.asnumpy(out), a.sum(2), rtol=1e-6)
    typed = cupyx.GeneralizedUFunc(lambda a: a, "()->()", signatures=["f->f", ("d->d", lambda a: -a)])
    assert typed(cp.ones(2, "f")).dtype == np.float32 and typed(cp.ones(2)).tolist() == [-1, -1]
    assert typed(cp.ones(2, "i2")).dtype == np.float32


def test_wrong_calls():
    product = cupyx.GeneralizedUFunc(lambda a, x: a @ x, "(m,n),(n)->(m)")
    a, x = cp.ones((2, 3)), cp.ones(3)
    for call, error, text in (
        (lambda: product(a), TypeError, "takes 2 arrays"),
        (lambda: product(a, cp.ones(4)), ValueError, "length 4 along 'n', which is 3"),
        (lambda: product(x, x), ValueError, "argument 0 has 1 axes"),
        (lambda: product(a, x, axis=0), ValueError, "signature of one axis"),
        (lambda: product(a, x, keepdims=True), ValueError, "keepdims"),
        (lambda: product(a, x, out=cp.zeros(2, int)), TypeError, "cannot be cast"),
        (lambda: product(a, x, out=cp.zeros(3)), ValueError, "out has shape"),
        (lambda: cupyx.GeneralizedUFunc(lambda a: a, "n->n"), ValueError, "no signature"),
    ):
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("kind", ["f8", "c16", "f4"])
@pytest.mark.parametrize("lower", [True, False])
def test_systems_by_cholesky_factors(kind, lower):
    a = RNG.random((4, 4)).astype(kind)
    if kind == "c16":
        a = a + 1j * RNG.random((4, 4))
    a = (a @ a.conj().T + 4 * np.eye(4)).astype(kind)
    tolerance = 1e-4 if kind == "f4" else 1e-10
    factor = np.linalg.cholesky(a) if lower else np.linalg.cholesky(a).conj().T
    for shape in ((4,), (4, 2)):
        b = RNG.random(shape).astype(kind)
        found = cho_solve((cp.asarray(factor), lower), cp.asarray(b))
        np.testing.assert_allclose(cp.asnumpy(found), scipy.linalg.cho_solve((factor, lower), b), tolerance)
    np.testing.assert_allclose(cp.asnumpy(invh(cp.asarray(a))), np.linalg.inv(a), tolerance, tolerance)


def test_systems_that_have_no_solution():
    with pytest.raises(np.linalg.LinAlgError):
        invh(-cp.eye(2))
    with pytest.raises(ValueError, match="square"):
        invh(cp.ones((2, 3)))
    with pytest.raises(ValueError, match="infs or NaNs"):
        cho_solve((cp.eye(2), True), cp.array([1.0, np.inf]))
    with pytest.raises(ValueError, match="do not fit"):
        cho_solve((cp.eye(2), True), cp.ones(3))


@pytest.mark.parametrize("lower", [True, False])
def test_stacks_are_solved_by_one_triangle_of_each_factor(lower):
    rng = np.random.default_rng(8)
    root = rng.normal(size=(3, 4, 4))
    a = root @ root.transpose(0, 2, 1) + 4 * np.eye(4)
    factor = np.linalg.cholesky(a)
    factor = factor if lower else factor.transpose(0, 2, 1).copy()
    outside = np.triu_indices(4, 1) if lower else np.tril_indices(4, -1)
    factor[:, outside[0], outside[1]] = np.nan
    for b in (rng.normal(size=(3, 4)), rng.normal(size=(3, 4, 2))):
        want = np.linalg.solve(a, b[..., None])[..., 0] if b.ndim == 2 else np.linalg.solve(a, b)
        np.testing.assert_allclose(
            cho_solve((cp.asarray(factor), lower), cp.asarray(b)).get(), want, rtol=1e-9
        )


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sparse_systems(dtype):
    matrix = scipy.sparse.random(50, 50, 0.2, "csr", dtype, np.random.default_rng(5))
    matrix = (matrix.T @ matrix + 10 * scipy.sparse.eye(50)).tocsr().astype(dtype)
    b = np.arange(50, dtype=dtype)
    want = np.linalg.solve(matrix.toarray().astype("f8"), b)
    for given in (cp.scipy.sparse.csr_matrix(matrix), cp.asarray(matrix.toarray())):
        got = cp.asnumpy(cupyx.linalg.sparse.lschol(given, cp.asarray(b)))
        np.testing.assert_allclose(got, want, rtol=1e-4 if dtype == "f4" else 1e-12)
    with pytest.raises(ValueError, match="vector of 50"):
        cupyx.linalg.sparse.lschol(cp.scipy.sparse.csr_matrix(matrix), cp.zeros((2, 50)))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
def test_reciprocal_square_roots_by_dtype(dtype):
    x = np.arange(1, 60).astype(dtype)
    exact = 1 / np.sqrt(x.astype("f8"))
    for wanted in (None, "f4", "f8"):
        got = cupyx.rsqrt(cp.asarray(x), dtype=wanted)
        kind = np.dtype(wanted or np.sqrt(x).dtype)
        assert got.dtype == kind
        # The root, its reciprocal and, for halves, the last rounding are half an ulp each.
        np.testing.assert_array_max_ulp(got.get(), exact.astype(kind), maxulp=2)
    out = cp.zeros(x.size, "f4")
    assert cupyx.rsqrt(cp.asarray(x), out=out, casting="same_kind") is out
    np.testing.assert_allclose(out.get(), exact, rtol=2**-10)

"""`cupy.cublas` against NumPy."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat import cupy
from cuprum.compat.cupy import cublas

RNG = np.random.default_rng(3)
DTYPES = ["float32", "float64", "complex64", "complex128"]


def data(shape, dtype):
    values = RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * RNG.normal(size=shape)
    return values.astype(dtype)


def near(got, want):
    got = cp.asnumpy(got)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=2e-5 if want.dtype.char in "fF" else 1e-12, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors(dtype):
    x, y = data(9, dtype), data(9, dtype)
    a, b = cp.asarray(x), cp.asarray(y)
    size = np.abs(x.real) + np.abs(x.imag)
    near(cublas.iamax(a), np.int32(size.argmax() + 1))
    near(cublas.iamin(a), np.int32(size.argmin() + 1))
    near(cublas.asum(a), size.sum())
    near(cublas.nrm2(a), np.linalg.norm(x))
    near(cublas.dotu(a, b), x @ y)
    near(cublas.dotc(a, b), np.vdot(x, y))
    out = np.zeros((), dtype)
    assert cublas.dotu(a, b, out=out) is out
    near(out, np.asarray(x @ y))
    cublas.axpy(2, a, b)
    near(b, (y + 2 * x).astype(dtype))
    cublas.scal(3, b)
    near(b, ((y + 2 * x) * 3).astype(dtype))
    if np.dtype(dtype).kind == "c":
        with pytest.raises(TypeError, match="dotu"):
            cublas.dot(a, b)
    else:
        near(cublas.dot(a, cp.asarray(y)), x @ y)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", "CF")
def test_matrices(dtype, order):
    a, b, c = data((4, 3), dtype), data((3, 5), dtype), data((4, 5), dtype)
    x, y = data(3, dtype), data(4, dtype)
    m, n, out = (cp.asarray(one, order=order) for one in (a, b, c))
    near(cublas.gemm("N", "N", m, n), a @ b)
    near(cublas.gemm("T", "H", n, m), b.T @ a.conj().T)
    assert cublas.gemm("N", "N", m, n, out=out, alpha=2, beta=0.5) is out
    near(out, (2 * (a @ b) + 0.5 * c).astype(dtype))
    near(cublas.geam("N", "T", 2, m, 3, cp.asarray(a.T)), (2 * a + 3 * a).astype(dtype))
    near(cublas.dgmm("L", m, cp.asarray(y)), y[:, None] * a)
    near(cublas.dgmm("R", m, cp.asarray(x)), a * x)
    near(cublas.syrk("N", m), np.triu(a @ a.T))
    near(cublas.syrk("T", m, lower=True), np.tril(a.T @ a))
    v = cp.asarray(y)
    cublas.gemv("N", 2, m, cp.asarray(x), 3, v)
    near(v, (2 * (a @ x) + 3 * y).astype(dtype))
    w = cp.asarray(a, order=order, copy=True)
    cublas.gerc(2, cp.asarray(y), cp.asarray(x), w)
    near(w, (a + 2 * np.outer(y, x.conj())).astype(dtype))
    square, right = data((2, 4, 4), dtype), data((2, 4), dtype)
    got = cublas.batched_gesv(cp.asarray(square), cp.asarray(right))
    np.testing.assert_allclose((square @ cp.asnumpy(got)[..., None])[..., 0], right, atol=1e-3)


def test_a_banded_matrix():
    dense = np.diag([4.0, 5, 6, 7]) + np.diag([1.0, 2, 3], 1) + np.diag([1.0, 2, 3], -1)
    x, y = RNG.normal(size=4), RNG.normal(size=4)
    for lower, rows in ((False, [[0.0, 1, 2, 3], [4, 5, 6, 7]]), (True, [[4.0, 5, 6, 7], [1, 2, 3, 0]])):
        got = cublas.sbmv(1, 2.0, cp.array(rows), cp.asarray(x), 0.5, cp.array(y), lower=lower)
        np.testing.assert_allclose(got.get(), 2 * dense @ x + 0.5 * y, rtol=1e-12)


def test_bad_arguments():
    with pytest.raises(TypeError, match="int64"):
        cublas.nrm2(cp.arange(3))
    with pytest.raises(ValueError, match="one axis"):
        cublas.asum(cp.ones((2, 2)))
    with pytest.raises(ValueError, match="lengths"):
        cublas.axpy(1, cp.ones(2), cp.ones(3))
    with pytest.raises(TypeError, match="trans"):
        cublas.gemm("X", "N", cp.eye(2), cp.eye(2))
    with pytest.raises(ValueError, match="shape"):
        cublas.gemm("N", "N", cp.eye(2), cp.eye(2), out=cp.empty((3, 3)))


def test_arrays_by_cupys_signature():
    made = cupy.array([[1, 2], [3, 4]], "float32", True, "F", False, 3)
    assert made.dtype == np.float32 and made.shape == (1, 2, 2) and made.flags.f_contiguous

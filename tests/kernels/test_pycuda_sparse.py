"""PyCUDA's sparse products and conjugate gradients, beside SciPy's."""

import numpy as np
import pytest
import scipy.sparse

from cuprum.compat.pycuda import gpuarray
from cuprum.compat.pycuda.sparse.cg import ConvergenceError, solve_pkt_with_cg
from cuprum.compat.pycuda.sparse.coordinate import CoordinateSpMV
from cuprum.compat.pycuda.sparse.operator import DiagonalPreconditioner
from cuprum.compat.pycuda.sparse.packeted import PacketedSpMV


def laplacian(n, dtype):
    return scipy.sparse.diags([-1.0, 2.5, -1.0], [-1, 0, 1], shape=(n, n)).tocsr().astype(dtype)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_products(dtype):
    rng = np.random.default_rng(1)
    matrix = scipy.sparse.random(30, 20, 0.2, "csr", dtype, rng)
    x, y = rng.random(20).astype(dtype), rng.random(30).astype(dtype)
    spmv = CoordinateSpMV(matrix, dtype)
    assert spmv.shape == (30, 20) and spmv.dtype == dtype
    np.testing.assert_allclose(spmv(gpuarray.to_gpu(x)).get(), matrix @ x, rtol=1e-5)
    out = gpuarray.to_gpu(y)
    assert spmv(gpuarray.to_gpu(x), out) is out
    np.testing.assert_allclose(out.get(), y + matrix @ x, rtol=1e-5)


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 5e-5), ("f8", 1e-9)])
@pytest.mark.parametrize("conditioned", [False, True])
def test_systems(dtype, tolerance, conditioned):
    matrix = laplacian(200, dtype)
    spmv = PacketedSpMV(matrix, True, dtype)
    rhs = np.random.default_rng(2).random(200).astype(dtype)
    precon = None
    if conditioned:
        diagonal = gpuarray.to_gpu((1 / matrix.diagonal()).astype(dtype))
        precon = DiagonalPreconditioner(spmv.permute(diagonal))
    x, iterations, exact = solve_pkt_with_cg(spmv, gpuarray.to_gpu(rhs), precon, tol=tolerance)
    assert x.dtype == dtype and 0 < exact <= iterations
    want = scipy.sparse.linalg.spsolve(matrix.astype("f8").tocsc(), rhs)
    np.testing.assert_allclose(x.get(), want, rtol=100 * tolerance)
    again, fewer, _ = solve_pkt_with_cg(spmv, gpuarray.to_gpu(rhs), precon, x=x, tol=0.5)
    assert fewer <= iterations


def test_what_does_not_fit_is_told():
    spmv = PacketedSpMV(laplacian(50, "f8"), True, "f8")
    with pytest.raises(ValueError, match="50 columns, the vector float32"):
        spmv(gpuarray.to_gpu(np.ones(50, "f4")))
    with pytest.raises(ValueError, match="50 columns.*shape \\(4,\\)"):
        spmv(gpuarray.to_gpu(np.ones(4)))
    with pytest.raises(ValueError, match="must be square"):
        PacketedSpMV(scipy.sparse.random(3, 4, 0.5, "csr"), False, "f8")
    with pytest.raises(ConvergenceError, match="3 iterations"):
        solve_pkt_with_cg(spmv, gpuarray.to_gpu(np.random.default_rng(3).random(50)), max_iterations=3)

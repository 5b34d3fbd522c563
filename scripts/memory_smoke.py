"""Calls every unsafe crate a few times and compares with NumPy: what `make valgrind` runs under valgrind."""

import numpy as np

import cuprum as cp

rng = np.random.default_rng(1)


def same(got, expected):
    assert np.allclose(cp.asnumpy(got), expected, equal_nan=True), (got, expected)


def lines(n):
    """Elementwise work, reductions, indexing, sorting and transforms of n elements."""
    x, y = rng.standard_normal(n), rng.standard_normal(n)
    a, b = cp.asarray(x), cp.asarray(y)
    same(a + b, x + y)
    same(cp.sqrt(abs(a)), np.sqrt(abs(x)))
    same(a[::2] * 3, x[::2] * 3)
    same(a[::-1] - b, x[::-1] - y)
    same(cp.sin(a) * cp.cos(a) + cp.exp(a), np.sin(x) * np.cos(x) + np.exp(x))
    same(a.astype("float32"), x.astype("float32"))
    same(a.sum(), x.sum())
    same(cp.cumsum(a), np.cumsum(x))
    mask, positions = x > 0, rng.integers(-n, n, 13)
    same(a[cp.asarray(mask)], x[mask])
    same(a[cp.asarray(positions)], x[positions])
    a[cp.asarray(positions)] = 5
    x[positions] = 5
    same(a, x)
    same(cp.sort(a), np.sort(x))
    same(cp.sort(a)[cp.argsort(cp.argsort(a))], x)
    same(cp.partition(a, n // 2)[n // 2], np.partition(x, n // 2)[n // 2])
    same(cp.searchsorted(cp.sort(a), b), np.searchsorted(np.sort(x), y))
    same(cp.median(a), np.median(x))
    same(cp.unique(a), np.unique(x))
    same(cp.fft.fft(a), np.fft.fft(x))
    same(cp.fft.irfft(cp.fft.rfft(a), n), np.fft.irfft(np.fft.rfft(x), n))


def matrices(shape):
    """Products, factorisations and reductions of a matrix."""
    x = rng.standard_normal(shape)
    a = cp.asarray(x)
    same(a @ a.T, x @ x.T)
    same(a.T + a.T[:, :1], x.T + x.T[:, :1])
    same(a.sum(0), x.sum(0))
    same(a.max(1), x.max(1))
    same(cp.roll(a, 2, 1), np.roll(x, 2, 1))
    same(cp.linalg.svd(a, compute_uv=False), np.linalg.svd(x, compute_uv=False))
    same(abs(cp.linalg.qr(a)[1]), abs(np.linalg.qr(x)[1]))
    if shape[0] == shape[1]:
        same(cp.linalg.inv(a), np.linalg.inv(x))
        same(cp.linalg.solve(a, a), np.linalg.solve(x, x))
        same(cp.linalg.eigvalsh(a + a.T), np.linalg.eigvalsh(x + x.T))
        same(cp.linalg.cholesky(a @ a.T), np.linalg.cholesky(x @ x.T))


def kernels():
    """A kernel of CUDA C as machine code."""
    code = """
        extern "C" __global__ void scale(double* x, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) x[i] *= 2;
        }"""
    a = cp.ones(100)
    cp.RawKernel(code, "scale")((4,), (32,), (a, 100))
    same(a, np.full(100, 2.0))


for n in (1, 7, 100, 300, 5000):
    lines(n)
for shape in ((2, 2), (3, 7), (17, 17), (40, 33)):
    matrices(shape)
kernels()
cp.random.seed(1)
assert abs(float(cp.random.standard_normal(1000).mean())) < 1
print("all results are NumPy's")

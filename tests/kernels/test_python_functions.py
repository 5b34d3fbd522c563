"""Functions that Python kernels call: those that call themselves, those of CUDA C, libdevice's."""

import math

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.cupyx import jit
from cuprum.compat.numba import cuda


def run(kernel, *args, threads=1):
    kernel[1, threads](*args)


@cuda.jit(device=True)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@cuda.jit(device=True)
def halves(n):
    if n == 0:
        return 1
    return halves(n - 1) * 0.5


@cuda.jit(device=True)
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@cuda.jit(device=True)
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@cuda.jit(device=True)
def fill_down(a, n):
    if n > 0:
        a[n - 1] = n
        fill_down(a, n - 1)


def test_functions_that_call_themselves():
    @cuda.jit
    def kernel(whole, real, truth, filled):
        i = cuda.grid(1)
        whole[i] = fibonacci(i)
        real[i] = halves(i)
        truth[i] = is_even(i)
        if i == 0:
            fill_down(filled, filled.size)

    whole, real, truth, filled = np.zeros(10, int), np.zeros(10), np.zeros(10, bool), np.zeros(5)
    run(kernel, whole, real, truth, filled, threads=10)
    assert whole.tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
    assert real.tolist() == [0.5**n for n in range(10)]
    assert truth.tolist() == [n % 2 == 0 for n in range(10)]
    assert filled.tolist() == [1, 2, 3, 4, 5]


def adder(number):
    @jit.rawkernel(device=True)
    def add(x):
        return x + number

    return add


def folder(step):
    @jit.rawkernel(device=True)
    def fold(x):
        if step < 16:
            tid = jit.threadIdx.x
            if tid % (step * 2) == 0:
                x[tid] += x[tid + step]
            jit.syncthreads()
            folder(step * 2)(x)

    return fold


def test_functions_of_the_host_make_device_functions():
    @jit.rawkernel()
    def kernel(x):
        tid = jit.threadIdx.x
        x[tid] = adder(10)(x[tid])
        x[tid] = adder(20)(x[tid])
        jit.syncthreads()
        folder(1)(x)

    x = cp.arange(16)
    kernel((1,), (16,), (x,))
    assert int(x[0]) == sum(range(16)) + 16 * 30


TWICE = """
extern "C" __device__ int twice(float* out, float x) { *out = x + x; return 0; }
extern "C" __device__ double total(const double* values, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}
extern "C" __device__ int negate(void* nothing, int* values, int n) {
    for (int i = 0; i < n; ++i) values[i] = -values[i];
    return 0;
}
"""


def test_functions_of_cuda_c(tmp_path):
    path = tmp_path / "functions.cu"
    path.write_text(TWICE)
    twice = cuda.declare_device("twice", "float32(float32)", link=str(path))
    total = cuda.declare_device("total", "float64(CPointer(float64), int32)", cuda.CUSource(TWICE), abi="c")
    negate = cuda.declare_device("negate", "void(CPointer(int32), int32)")

    @cuda.jit(link=[cuda.CUSource(TWICE)])
    def kernel(x, values, whole, out):
        i = cuda.grid(1)
        x[i] = twice(x[i])
        if i == 0:
            out[0] = total(values, values.size)
            negate(whole, len(whole))

    x, values = np.arange(4, dtype="f4"), np.arange(5.0)
    whole, out = np.arange(3, dtype="i4"), np.zeros(1)
    run(kernel, x, values, whole, out, threads=4)
    assert x.tolist() == [0, 2, 4, 6] and out[0] == 10 and whole.tolist() == [0, -1, -2]
    with pytest.raises(TypeError, match="kernels call it"):
        twice(1.0)


def test_headers_of_functions_of_cuda_c(tmp_path):
    (tmp_path / "offset.h").write_text("#define OFFSET 7\n")
    path = tmp_path / "shift.cu"
    text = 'extern "C" __device__ int shift(int* out, int x) { *out = x + OFFSET; return 0; }'
    path.write_text('#include "offset.h"\n' + text)
    shift = cuda.declare_device("shift", "int32(int32)", link=str(path))

    @cuda.jit
    def kernel(x):
        x[0] = shift(x[0])

    x = np.zeros(1, "i4")
    run(kernel, x)
    assert x[0] == 7


def test_arguments_of_functions_of_cuda_c_are_checked():
    twice = cuda.declare_device("twice", "float32(float32)", link=cuda.CUSource(TWICE))

    @cuda.jit
    def too_many(x):
        x[0] = twice(x[0], 1)

    with pytest.raises(TypeError, match="takes 1 arguments"):
        run(too_many, np.zeros(1))


def test_libdevice():
    lib = cuda.libdevice

    @cuda.jit
    def kernel(x, out, whole):
        out[0] = lib.sin(x[0])
        out[1] = lib.cosf(x[0])
        out[2] = lib.dadd_ru(1.0, 2.0**-60)
        out[3] = lib.pow(x[0], 3.0)
        out[4] = lib.hypot(3.0, 4.0)
        mantissa, exponent = lib.frexp(48.0)
        out[5], whole[0] = mantissa, exponent
        out[6], out[7] = lib.sincos(x[0])
        whole[1] = lib.popcll(255)
        whole[2] = lib.double2int_rz(-2.7)
        whole[3] = lib.umulhi(0x80000000, 4)
        whole[4] = lib.isnand(math.nan)
        whole[5] = lib.ffs(8)
        out[8] = lib.half2float(lib.float2half_rn(0.1))

    x, out, whole = np.array([0.5]), np.zeros(9), np.zeros(6, int)
    run(kernel, x, out, whole)
    expected = [
        np.sin(0.5), np.cos(np.float32(0.5)), np.nextafter(1.0, 2), 0.125, 5.0, 0.75, np.sin(0.5),
        np.cos(0.5), np.float16(0.1),
    ]  # fmt: skip
    np.testing.assert_allclose(out, expected, rtol=3e-7)
    assert out[2] == np.nextafter(1.0, 2) and out[8] == np.float16(0.1)
    assert whole[:4].tolist() == [6, 8, -2, 2] and whole[4] != 0 and whole[5] == 4


def test_vector_types():
    @cuda.jit
    def kernel(out):
        a = cuda.float32x2(1, 2)
        b = cuda.float32x4(a, 3.5, 4)
        c = cuda.int3(b.w, 7.9, -1)
        out[0], out[1], out[2], out[3] = b.x, b.y, b.z, b.w
        out[4], out[5], out[6] = c.x, c.y, c.z

    out = np.zeros(7)
    run(kernel, out)
    assert out.tolist() == [1, 2, 3.5, 4, 4, 7, -1]


def test_hints_for_caches():
    @cuda.jit
    def kernel(a, b):
        i = cuda.grid(1)
        cuda.stcg(b, i, cuda.ldca(a, i) + cuda.ldcs(a, i))
        cuda.stwt(a, (i,), cuda.ldcv(b, i))

    a, b = np.arange(4.0), np.zeros(4)
    run(kernel, a, b, threads=4)
    assert a.tolist() == b.tolist() == [0, 2, 4, 6]


def test_ufuncs_over_whole_arrays():
    @cuda.jit
    def kernel(x, y, out):
        np.add(x, y, out)
        np.multiply(out, 2, out=out)
        np.sqrt(out, out)

    x, y, out = np.arange(6.0).reshape(2, 3), np.arange(3.0), np.zeros((2, 3))
    run(kernel, x, y, out)
    np.testing.assert_allclose(out, np.sqrt(2 * (x + y)), rtol=1e-15)

    @cuda.jit
    def without_out(x, out):
        out[0] = np.sin(x)

    with pytest.raises(TypeError, match="needs an array for its result"):
        run(without_out, x, out)

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


def test_functions_of_cuda_c_wait_for_the_grid():
    code = """
    #include <cooperative_groups.h>
    extern "C" __device__ int meet(void* nothing) { cooperative_groups::this_grid().sync(); return 0; }
    """
    meet = cuda.declare_device("meet", "void()", link=cuda.CUSource(code), use_cooperative=True)

    @cuda.jit
    def kernel(seen, out):
        seen[cuda.blockIdx.x] = cuda.blockIdx.x + 1
        meet()
        out[cuda.blockIdx.x] = seen[cuda.gridDim.x - 1 - cuda.blockIdx.x]

    seen, out = cp.zeros(8, "i4"), cp.zeros(8, "i4")
    kernel[8, 1](seen, out)
    assert out.tolist() == list(range(8, 0, -1))
    assert all(compiled.cooperative for compiled in kernel.overloads.values())


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


def test_the_signature_that_fits_best_is_taken():
    @cuda.jit(["(int64, int64)", "(float64, float64)"], device=True)
    def add(a, b):
        return a + b

    @cuda.jit
    def kernel(out, a, b):
        out[0] = add(a, b)

    for a, b in ((1, 2), (1.5, 2.5), (np.int32(1), 2.5)):
        out = np.zeros(1)
        run(kernel, out, a, b)
        assert out[0] == a + b

    @cuda.jit(["void(float32[:], float32)", "void(float64[:], float64)", "void(float64[:], float32)"])
    def store(out, a):
        out[0] = a

    for dtype in (np.float32, np.float64):
        out = np.zeros(1, dtype)
        run(store, out, 0.1)
        assert out[0] == dtype(0.1)

    @cuda.jit(["void(float64[:], float32, float64)", "void(float64[:], float64, float32)"])
    def either(out, a, b):
        out[0] = a + b

    array = r"Array\(float64, 1, '[CA]', False, aligned=True\)"
    text = (
        rf"<function .*either at .*> \({array}, float64, float64\):\n\({array}, float32, float64\) -> none\n"
    )
    with pytest.raises(TypeError, match=text):
        run(either, np.zeros(1), 0.5, 0.5)


def test_device_functions_know_constants_where_they_must():
    @cuda.jit(device=True)
    def through_shared(a, count, shape, dtype):
        own = cuda.shared.array(count, dtype)
        grid = cuda.local.array(shape, dtype)
        i = cuda.threadIdx.x
        own[i] = a[i]
        grid[1, 1] = 10
        cuda.syncthreads()
        a[i] = own[count - 1 - i] + grid[1, 1]

    @cuda.jit
    def kernel(a):
        through_shared(a, 4, (2, 3), np.float32)

    a = np.arange(4.0)
    run(kernel, a, threads=4)
    assert a.tolist() == [13, 12, 11, 10]


def test_tuples_are_spread_over_parameters():
    @cuda.jit(device=True)
    def weighted(first, *rest):
        total = first
        for value in rest:
            total = total * 10 + value
        return total

    @cuda.jit
    def kernel(out, *arrays):
        i = cuda.grid(1)
        out[i] = weighted(*(arrays[0][i], arrays[1][i], 7))
        if i == 0:
            out[3] = len(arrays) + weighted(1)

    out = np.zeros(4)
    run(kernel, out, np.arange(3.0), np.arange(3.0) + 4, threads=3)
    assert out.tolist() == [47, 157, 267, 3]


POINTS = np.dtype([("x", "f4"), ("y", "f8"), ("n", "i4", (2,))], align=True)
TABLE = np.zeros(3, POINTS)
TABLE["x"], TABLE["y"], TABLE["n"] = [1, 2, 3], [4, 5, 6], [[7, 8], [9, 10], [11, 12]]


def test_records_as_constants_and_fields_of_whole_arrays():
    @cuda.jit
    def kernel(records, out):
        i = cuda.grid(1)
        table = cuda.const.array_like(TABLE)
        out[i] = table[i].x + table[i]["y"] + table[i].n[1]
        records.y[i] = records["x"][i] * 2
        records["n"][i, 0] = i
        records[i].n[1] = records[i][0]

    records, out = np.zeros(3, POINTS), np.zeros(3)
    records["x"] = [0.5, 1.5, 2.5]
    run(kernel, records, out, threads=3)
    np.testing.assert_array_equal(out, TABLE["x"] + TABLE["y"] + TABLE["n"][:, 1])
    assert records["y"].tolist() == [1, 3, 5] and records["n"].tolist() == [[0, 0], [1, 1], [2, 2]]


def test_slices_take_arrays():
    @cuda.jit
    def kernel(a, b):
        a[1:3] = b[:2]
        a[3] = b[0]
        a[4:, ...] = np.ones(2)

    a, b = np.zeros((6, 2)), np.arange(8.0).reshape(4, 2)
    run(kernel, a, b)
    expected = np.zeros((6, 2))
    expected[1:3], expected[3], expected[4:] = b[:2], b[0], 1
    np.testing.assert_array_equal(a, expected)


@pytest.mark.skipif(cp.cuda.is_available(), reason="a GPU cannot be used after a trap")
def test_slices_take_arrays_of_their_shape():
    @cuda.jit
    def wrong(a, b):
        a[0:3] = b[0:2]

    with pytest.raises(Exception, match="different shapes"):
        run(wrong, np.zeros((6, 2)), np.zeros((4, 2)))


def test_methods_of_arrays():
    @cuda.jit
    def kernel(a, shape, out, words):
        out[0] = a.reshape(2, 6)[1, 1]
        out[1] = a.reshape(shape)[2, 0]
        out[2] = a.ravel()[5]
        out[3] = a.transpose()[2, 1]
        out[4] = a[0].view(np.int64)[1]
        words[0], words[1] = words[0].bit_count(), words[1].bit_count()

    a, out, words = np.arange(12.0).reshape(3, 4), np.zeros(5), np.array([255, -3])
    run(kernel, a, (-1, 3), out, words)
    expected = [
        a.reshape(2, 6)[1, 1],
        a.reshape(-1, 3)[2, 0],
        a.ravel()[5],
        a.T[2, 1],
        a.view(np.int64)[0, 1],
    ]
    assert out.tolist() == expected and words.tolist() == [8, 2]


def test_parts_of_complex_arrays():
    @cuda.jit
    def kernel(z):
        i = cuda.grid(1)
        cuda.atomic.add(z.real, i, 1)
        z.imag[i] = -z.imag[i]

    z = np.arange(4) + 1j
    run(kernel, z, threads=4)
    np.testing.assert_array_equal(z, np.arange(4) + 1 - 1j)


@pytest.mark.parametrize("make", [cp.asarray, cuda.to_device])
def test_arrays_of_the_device_from_outside(make):
    weights, table = make(np.arange(4.0)), make(np.arange(12).reshape(3, 4).T)
    counts = make(np.zeros(4, int))

    @cuda.jit(device=True)
    def weighted(i):
        counts[i] += 1
        return weights[i] * table[i, 2]

    @cuda.jit
    def kernel(out):
        own = cuda.shared.array(0, np.float64)
        i = cuda.grid(1)
        own[i] = weighted(i)
        cuda.syncthreads()
        out[i] = own[3 - i] + len(weights)

    out = np.zeros(4)
    kernel[1, 4, 0, 32](out)
    expected = np.arange(4.0) * np.arange(12).reshape(3, 4).T[:, 2]
    np.testing.assert_array_equal(out, expected[::-1] + 4)
    assert np.asarray(counts.copy_to_host() if make is cuda.to_device else counts.get()).tolist() == [1] * 4


@pytest.mark.parametrize(
    ("index", "ndim", "text"),
    [
        (1.0, 1, "float64 is not a valid index"),
        ((1, 2), 1, "Expected 1 indices, got 2"),
        (1, 2, "Expected 2 indices, got a scalar"),
        ((1,), 2, "Expected 2 indices, got 1"),
    ],
)
def test_loads_with_hints_need_an_index_for_each_axis(index, ndim, text):
    @cuda.jit
    def load(a, out):
        out[0] = cuda.ldcs(a, index)

    with pytest.raises(TypeError, match=f"ldcs: {text}"):
        run(load, np.zeros((2,) * ndim), np.zeros(1))


def test_an_array_of_objects_names_its_variable():
    @cuda.jit
    def hold(out):
        held = cuda.shared.array(10, dtype=np.dtype("O"))
        out[0] = held[0]

    with pytest.raises(TypeError, match="type of variable 'held': kernels have no arrays of dtype object"):
        run(hold, np.zeros(1))

"""CuPy's headers, <nvfunctional>, references as parameters, and names that nvcc knows without an include."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, floats, integers, rows, run

import cuprum as cp

I32 = np.int32
F = np.float32
H = np.float16


def quarters(n):
    return (floats(n, seed=5) * 8).round().astype(H) / H(4)


CASES = [
    Case(
        """#include <cupy/carray.cuh>
        #include <cupy/atomics.cuh>
        extern "C" __global__ void cupy_headers(
            const float16* x, float16* sums, float* most, double* least, float16* next, long long* count) {
            int t = threadIdx.x;
            atomicAdd(sums + (t & 1), x[t]);
            atomicMax(most, (float)x[t]);
            atomicMin(least, (double)x[t]);
            atomicAdd(count, 3ll);
            next[t] = nextafter(x[t], float16(100.0f));
            int shape[2] = {4, 8}, at[2] = {t / 8, 7 - t % 8};
            CArray<const float16, 2, true> rows(x, shape);
            if (t < 32) next[64 + t] = rows[at];
        }""",
        lambda: [
            quarters(64),
            np.zeros(2, H),
            np.full(1, -9, F),
            np.full(1, 9.0),
            np.zeros(96, H),
            np.zeros(1, np.int64),
        ],
        lambda x, a, b, c, d, e: {
            1: [x[::2].sum(dtype=F), x[1::2].sum(dtype=F)],
            2: [x.max()],
            3: [x.min()],
            4: np.r_[np.nextafter(x, H(100)), x[:32].reshape(4, 8)[:, ::-1].ravel()],
            5: [192],
        },
        block=(64,),
    ),
    Case(
        """#include <cupy/float16.cuh>
        extern "C" __global__ void float16_header(const float16* x, unsigned short* out) {
            float16 a = x[threadIdx.x], b = float16(2.0f) * a;
            out[threadIdx.x] = copysign(b, float16(-1.0f)).to_bits();
            out[32 + threadIdx.x] = isnan(a) + 2 * signbit(a) + 4 * isfinite(a) + 8 * iszero(a);
        }""",
        lambda: [np.r_[quarters(28), [np.nan, np.inf, -0.0, 0.0]].astype(H), np.zeros(64, np.uint16)],
        lambda x, out: {
            1: np.r_[
                # A GPU has one NaN, all of whose bits are set.
                np.where(np.isnan(x), 0xFFFF, np.copysign(x * 2, H(-1)).view(np.uint16)),
                np.isnan(x) + 2 * np.signbit(x) + 4 * np.isfinite(x) + 8 * (x == 0),
            ]
        },
    ),
    Case(
        """#include <nvfunctional>
        __device__ float apply(nvstd::function<float(float)> f, float x) { return f(x); }
        extern "C" __global__ void nvstd_function(const float* x, float* out, float a) {
            nvstd::function<float(float)> f, none;
            if (threadIdx.x % 2) f = [=](float b) { return a + b; };
            else f = [](float b) { return b * b; };
            out[threadIdx.x] = f && !none ? apply(f, x[threadIdx.x]) : -1.0f;
        }""",
        lambda: [floats(32), np.zeros(32, F), 3.0],
        lambda x, out, a: {1: np.where(np.arange(32) % 2, x + F(3), x * x)},
    ),
    Case(
        """#include <nvfunctional>
        struct Twice {
            int value;
            template <class F> __device__ Twice(F f) : value(2 * f()) {}
        };
        extern "C" __global__ void classes_from_lambdas(const float* x, float* out, float a) {
            nvstd::function<float(float)> f = [=](float b) { return a + b; };
            Twice twice = []() { return 3; };
            out[threadIdx.x] = f(x[threadIdx.x]) + twice.value;
        }""",
        lambda: [floats(32), np.zeros(32, F), 3.0],
        lambda x, out, a: {1: (x + F(3)) + F(6)},
    ),
    Case(
        """extern "C" __global__ void references(int& n, const float& factor, float* out) {
            out[threadIdx.x] = factor * threadIdx.x;
            atomicAdd(&n, 2);
        }""",
        lambda: [np.array([3], I32), np.array([1.5], F), np.zeros(32, F)],
        lambda n, factor, out: {0: [67], 2: np.arange(32) * F(1.5)},
    ),
    Case(
        """extern "C" __global__ void names_of_types(const uint* a, const ushort* b, uint64_t* out, int8_t* small) {
            uint x = a[threadIdx.x];
            ulong y = b[threadIdx.x];
            out[threadIdx.x] = (uint64_t)x * y + sizeof(uint32_t) + sizeof(uchar);
            small[threadIdx.x] = (int8_t)x;
        }""",
        lambda: [
            integers(32, high=2**31, dtype=np.uint32),
            integers(32, high=2**16, dtype=np.uint16),
            np.zeros(32, np.uint64),
            np.zeros(32, np.int8),
        ],
        lambda a, b, out, small: {2: a.astype(np.uint64) * b + np.uint64(5), 3: a.astype(np.int8)},
    ),
    Case(
        """struct Pair { char a; double b; };
        extern "C" __global__ void names_of_limits(double* out) {
            out[0] = FLT_MAX, out[1] = DBL_EPSILON, out[2] = INT_MAX, out[3] = UINT_MAX, out[4] = M_PI;
            out[5] = INFINITY, out[6] = LLONG_MIN, out[7] = CHAR_BIT, out[8] = FLT_MIN, out[9] = INT64_MAX;
            out[10] = std::sqrt(2.0) + std::abs(-3.0f), out[11] = offsetof(Pair, b), out[12] = SHRT_MIN;
        }""",
        lambda: [np.zeros(13)],
        lambda out: {
            0: [
                np.finfo(F).max,
                np.finfo(float).eps,
                2**31 - 1,
                2**32 - 1,
                np.pi,
                np.inf,
                -(2.0**63),
                8,
                np.finfo(F).tiny,
                2.0**63,
                np.sqrt(2) + 3,
                8,
                -(2**15),
            ]
        },
        block=(1,),
    ),
]


@rows(CASES)
def test_headers(case):
    run(case)


def test_a_number_is_no_reference():
    kernel = cp.RawKernel('extern "C" __global__ void put(int& n) { n = 1; }', "put")
    with pytest.raises(TypeError, match="'n' is int&, got int: .* pass an array of one element"):
        kernel((1,), (1,), (3,))


def test_elementwise_kernels_add_to_float16_atomically():
    kernel = cp.ElementwiseKernel("T x", "raw T y", "atomicAdd(&y[i % 2], x)", "add_parts")
    x, y = quarters(50), cp.zeros(2, H)
    kernel(cp.asarray(x), y)
    np.testing.assert_array_equal(cp.asnumpy(y), [x[::2].sum(dtype=F), x[1::2].sum(dtype=F)])


TWO = """
__device__ float used(float a) { return %s; }
extern "C" __global__ void good(float* x) { x[threadIdx.x] = threadIdx.x; }
extern "C" __global__ void bad(float* x) { x[0] = used(1); }
extern "C" __global__ void worse(float* x) { x[0] = used(2) + missing; }
"""


@pytest.mark.skipif(not ON_CPU, reason="NVRTC refuses the whole text")
def test_a_kernel_that_cannot_be_compiled_is_refused_when_it_is_asked_for():
    module = cp.RawModule(code=TWO % "unknown(a)")
    x = cp.zeros(4, "float32")
    module.get_function("good")((1,), (4,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(4))
    with pytest.raises(cp.cuda.compiler.CompileException, match="there is no function `unknown`"):
        module.get_function("bad")
    with pytest.raises(cp.cuda.compiler.CompileException, match="there is no variable or function `missing`"):
        module.get_function("worse")
    with pytest.raises(ValueError, match="no kernel 'none': there are bad, good, worse"):
        module.get_function("none")
    everything = TWO.replace("x[threadIdx.x] = threadIdx.x", "x[0] = used(3)")
    with pytest.raises(cp.cuda.compiler.CompileException, match="unknown"):
        cp.RawModule(code=everything % "unknown(a)").get_function("good")


@pytest.mark.skipif(not ON_CPU, reason="the CPU's messages")
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("std::tuple<int, float> t;", "`std::tuple`: write #include <tuple>"),
        ("x[0] = std::numeric_limits<float>::max();", "write #include <limits>"),
        ("std::vector<float> v;", "`std::vector`: .* use an array of fixed size"),
        ("std::function<float(float)> f;", "nvstd::function of <nvfunctional>"),
        ("std::complex<float> z;", "#include <cuda/std/complex>"),
        ("std::cout << 1;", "use printf"),
        ("cub::BlockReduce<int, 32> b;", "`cub::BlockReduce`: write #include <cub/cub.cuh>"),
        ("thrust::sort(x, x + 3);", "`thrust::sort`: write #include <thrust/sort.h>"),
        ("thrust::device_vector<int> v;", "pass an array from Python"),
    ],
)
def test_unknown_names_of_libraries_say_where_they_are(body, message):
    kernel = cp.RawKernel(f'extern "C" __global__ void use(float* x) {{ {body} }}', "use")
    with pytest.raises(cp.cuda.compiler.CompileException, match=message):
        kernel.compile()

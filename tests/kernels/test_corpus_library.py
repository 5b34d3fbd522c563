"""What kernels include beside mathematics: std, strings and memory, loads, clocks, what a text prints."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, floats, integers, not_on_standin, rows, run

import cuprum as cp

I32 = np.int32
F = np.float32
cpu_only = pytest.mark.skipif(cp.info()["device"] != "cpu", reason="NVRTC does not have it")

CASES = [
    Case(
        """#include <type_traits>
        #include <limits>
        template <class T> __device__ typename std::enable_if<std::is_integral<T>::value, int>::type kind(T) { return 1; }
        template <class T> __device__ std::enable_if_t<std::is_floating_point_v<T>, int> kind(T) { return 2; }
        template <class T> __device__ T widest() { return std::numeric_limits<T>::max(); }
        extern "C" __global__ void traits(double* out) {
            using U = std::make_unsigned_t<std::remove_const_t<const int>>;
            out[0] = kind(3) * 10 + kind(3.0f);
            out[1] = widest<short>() + widest<unsigned char>();
            out[2] = std::is_same<U, unsigned>::value + 2 * std::is_same_v<std::decay_t<const float&>, float>;
            out[3] = std::numeric_limits<double>::epsilon() + std::numeric_limits<float>::lowest();
            out[4] = sizeof(std::conditional_t<(sizeof(int) > 2), long long, char>) + std::is_pointer<int*>::value;
            out[5] = std::numeric_limits<float>::infinity() > 0 && std::is_signed<int>::value && !std::is_signed<U>::value;
        }""",
        lambda: [np.zeros(6)],
        lambda out: {0: [12, 32767 + 255, 3, float(np.finfo(F).min), 9, 1]},
        block=(1,),
    ),
    Case(
        """#include <algorithm>
        #include <functional>
        #include <utility>
        extern "C" __global__ void std_algorithms(const int* in, int* out) {
            int t = threadIdx.x, a = in[t], b = in[t + 1];
            if (b < a) std::swap(a, b);
            std::pair<int, int> p = std::make_pair(a, b);
            std::plus<int> add;
            int held[4];
            std::fill(held, held + 4, p.second);
            out[t] = std::max(p.first, 10) + std::min(p.second, 500) * 2 + add(held[3], std::less<int>()(a, b));
        }""",
        lambda: [integers(33), np.zeros(32, I32)],
        lambda x, out: {1: _algorithms(np.minimum(x[:-1], x[1:]), np.maximum(x[:-1], x[1:]))},
    ),
    Case(
        """#include <stdint.h>
        extern "C" __global__ void fixed_widths(const uint8_t* a, const int16_t* b, uint64_t* out) {
            int t = threadIdx.x;
            uint32_t x = a[t];
            int64_t y = b[t];
            out[t] = (uint64_t)(x << 24) * 3u + (uint64_t)(y * INT64_C(1000000007)) + UINT32_MAX + sizeof(uintptr_t);
        }""",
        lambda: [
            integers(32, high=256, dtype=np.uint8),
            integers(32, low=-300, high=300, dtype=np.int16),
            np.zeros(32, np.uint64),
        ],
        lambda a, b, out: {
            2: [
                (((int(x) << 24) * 3) + int(y) * 1000000007 + 2**32 - 1 + 8) % 2**64
                for x, y in zip(a, b, strict=True)
            ]
        },
    ),
    Case(
        """struct Record { int id; char name[12]; };
        extern "C" __global__ void bytes_of_memory(const float* in, float* out, Record* records, int n) {
            int t = threadIdx.x;
            float row[4];
            memcpy(row, in + 4 * t, sizeof(row));
            memcpy(out + 4 * t, row + 1, n * sizeof(float));
            Record r;
            memset(&r, 0, sizeof(r));
            r.id = t;
            memset(r.name, 'a' + t % 26, 3);
            records[t] = r;
        }""",
        lambda: [floats(32, 4), np.zeros((32, 4), F), np.zeros((32, 4), I32), I32(2)],
        lambda x, out, records, n: {1: _copied(x), 2: _records()},
    ),
    Case(
        """#include <string.h>
        extern "C" __global__ void strings(int* out) {
            const char* words[3] = {"alpha", "beta", "alphabet"};
            char held[8] = "abcdef";
            memmove(held + 2, held, 4);
            out[0] = strlen(words[threadIdx.x % 3]) + (strcmp(words[0], words[1]) < 0 ? 100 : 0);
            out[1] = memcmp(words[0], words[2], 5) == 0;
            out[2] = held[2] * 1000 + held[5];
        }""",
        lambda: [np.zeros(3, I32)],
        lambda out: {0: [105, 1, 97 * 1000 + 100]},
        block=(1,),
        marks=(cpu_only,),
    ),
    Case(
        """extern "C" __global__ void cached_loads(const float4* in, float4* out, const int* counts, int* sums) {
            int t = threadIdx.x;
            float4 v = __ldg(in + t);
            v.x += __ldg(&counts[t]);
            __stcs(out + t, v);
            sums[t] = __ldcg(counts + t) + __ldcs(counts + t) + __ldca(&counts[t]);
        }""",
        lambda: [floats(32, 4), np.zeros((32, 4), F), integers(32), np.zeros(32, I32)],
        lambda v, out, counts, sums: {
            1: np.concatenate([v[:, :1] + counts[:, None].astype(F), v[:, 1:]], 1),
            3: counts * 3,
        },
    ),
    Case(
        """extern "C" __global__ void clocks(long long* out) {
            long long begin = clock64();
            clock_t other = clock();
            for (int i = 0; i < 100; ++i) __nanosleep(1);
            out[0] = clock64() >= begin;
            out[1] = other != 0;
        }""",
        lambda: [np.zeros(2, np.int64)],
        lambda out: {0: [1, 1]},
        block=(1,),
    ),
    Case(
        """extern "C" __global__ void shuffles_of_before(const int* in, int* out) {
            int x = in[threadIdx.x];
            out[threadIdx.x] = __shfl(x, 3) + __shfl_down(x, 1) + __shfl_xor(x, 2) + (__any(x > 0) ? 1 : 0)
                             + __popc(__ballot(x & 1)) * 10000;
        }""",
        lambda: [integers(32, low=1), np.zeros(32, I32)],
        lambda x, out: {
            1: x[3] + x[np.minimum(np.arange(32) + 1, 31)] + x[np.arange(32) ^ 2] + 1 + (x & 1).sum() * 10000
        },
        marks=(cpu_only,),
    ),
    Case(
        """extern "C" __global__ void generic_lambdas(float* out) {
            auto apply = [](auto f, auto x) { return f(x) * 2; };
            auto half = [](auto x) { return x / 2; };
            out[0] = apply(half, 3.0f) + apply(half, 7);
        }""",
        lambda: [np.zeros(1, F)],
        lambda out: {0: [9]},
        block=(1,),
        marks=(cpu_only,),
    ),
    Case(
        """#include <cuda_runtime.h>
        #include <device_launch_parameters.h>
        #include <stdio.h>
        #include <assert.h>
        #include <cuda/std/type_traits>
        extern "C" __global__ void headers_of_programs(int* out) {
            assert(gridDim.x == 1);
            out[0] = cuda::std::is_same<int, int>::value;
        }""",
        lambda: [np.zeros(1, I32)],
        lambda out: {0: [1]},
        block=(1,),
    ),
    Case(
        """#pragma once
        #include <vector_types.h>
        extern "C" __global__ void shapes(dim3 shape, uint3* out) {
            if (threadIdx.x > 0 || blockIdx.y > 0) return;
            dim3 d(2, 3);
            uint3 v = d;
            out[0] = shape;
            out[1] = v;
            out[2] = make_uint3(blockDim.x, gridDim.y, warpSize);
        }""",
        lambda: [
            np.array([(7, 8, 9)], np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")]))[0],
            np.zeros((3, 3), np.uint32),
        ],
        lambda shape, out: {1: [[7, 8, 9], [2, 3, 1], [5, 2, 32]]},
        grid=(1, 2),
        block=(5,),
    ),
]


def _algorithms(a, b):
    return np.maximum(a, 10) + np.minimum(b, 500) * 2 + b + (a < b)


def _copied(x):
    out = np.zeros((32, 4), F)
    out[:, :2] = x[:, 1:3]
    return out


def _records():
    out = np.zeros((32, 16), np.uint8)
    out[:, 0] = np.arange(32)
    out[:, 4:7] = (97 + np.arange(32) % 26)[:, None]
    return out.view(I32)


@rows(CASES)
def test_kernel(case):
    run(case)


HEADERS = [
    "algorithm", "array", "cfloat", "climits", "cmath", "cooperative_groups.h", "cooperative_groups/reduce.h", "cstdint",
    "cuComplex.h", "cuda/std/limits", "cuda_bf16.h", "cuda_fp16.h", "cupy/complex.cuh", "curand_kernel.h", "float.h",
    "functional", "limits", "limits.h", "math.h", "math_constants.h", "pycuda-complex.hpp", "stdint.h",
    "thrust/complex.h", "type_traits", "utility",
]  # fmt: skip
TOGETHER = [
    "stdint.h",
    "math.h",
    "cupy/complex.cuh",
    "cuda_fp16.h",
    "curand_kernel.h",
    "cooperative_groups.h",
]


@pytest.mark.parametrize("names", [HEADERS, HEADERS[::-1], TOGETHER], ids=["all", "backwards", "common"])
def test_headers_together(names):
    """No header stands in another's way. On a GPU some are the toolkit's own, and only common mixes are asked."""
    if names is TOGETHER or ON_CPU:
        code = (
            "".join(f"#include <{name}>\n" for name in names)
            + 'extern "C" __global__ void f(int* x) { *x = 4; }'
        )
        out = cp.zeros(1, dtype=np.int32)
        cp.RawKernel(code, "f")((1,), (1,), (out,))
        assert int(cp.asnumpy(out)[0]) == 4


@pytest.mark.cpu
@pytest.mark.parametrize(
    "code, text",
    [
        ("__device__ int f() { return wmma::mem_row_major; }", "#include <mma.h>"),
        ("#include <cub/device/device_reduce.cuh>", "launched by the host"),
        ("#include <thrust/device_vector.h>", "pass arrays from Python"),
        ("#include <iostream>", "printf"),
        ("#include <vector>", "arrays of fixed size"),
        ("__device__ float f() { return texCubemap<float>(0, 1, 2, 3); }", "cubemaps"),
        ("__device__ float f() { return sinn(1.0f); }", "did you mean `sin`"),
    ],
)
def test_what_is_not_there_says_what_to_use(code, text):
    call = "f();" if "f()" in code else ""
    with pytest.raises(cp.cuda.compiler.CompileException, match=text) as caught:
        cp.RawKernel(f'{code}\nextern "C" __global__ void k() {{ {call} }}', "k").compile()
    assert "kernel.cu:1:" in str(caught.value) and "^" in str(caught.value)


@not_on_standin
def test_printf(capfd):
    code = r"""extern "C" __global__ void f(int n, float x) {
        if (threadIdx.x == 1) printf("%d %5.2f %s %llx %c%%\n", n, x, "word", 1ull << 40, 'z');
    }"""
    cp.RawKernel(code, "f")((1,), (2,), (np.int32(-7), np.float32(1.5)))
    cp.cuda.Device().synchronize()
    assert capfd.readouterr().out == "-7  1.50 word 10000000000 z%\n"

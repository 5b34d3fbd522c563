"""half and bfloat16 numbers: stored in 16 bits, rounded once after every operation."""

import numpy as np
from corpus import Case, floats, integers, rows, run

H = np.float16
F = np.float32


def halves(n, seed=0):
    return (floats(n, seed=seed) * 100).astype(H)


def to_bfloat(x):
    """float32 to the bits of bfloat16, ties to even."""
    bits = np.asarray(x, F).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bfloat(bits):
    return (bits.astype(np.uint32) << 16).view(F)


CASES = [
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_arithmetic(const __half* a, const __half* b, __half* out) {
            int i = threadIdx.x;
            out[5 * i] = __hadd(a[i], b[i]);
            out[5 * i + 1] = __hmul(a[i], b[i]);
            out[5 * i + 2] = a[i] - b[i];
            out[5 * i + 3] = a[i] / b[i];
            out[5 * i + 4] = __hneg(__habs(a[i]));
        }""",
        lambda: [halves(64), halves(64, 1), np.zeros((64, 5), H)],
        lambda a, b, out: {2: np.stack([a + b, a * b, a - b, a / b, -np.abs(a)], 1)},
        block=(64,),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_conversions(const float* in, half* out, float* back, unsigned short* bits) {
            int i = threadIdx.x;
            half h = __float2half(in[i]);
            out[i] = h;
            back[i] = __half2float(h);
            bits[i] = __half_as_ushort(__float2half_rz(in[i]));
        }""",
        lambda: [_floats(), np.zeros(64, H), np.zeros(64, F), np.zeros(64, np.uint16)],
        lambda x, out, back, bits: {1: _rounded(x), 2: _rounded(x).astype(F), 3: _truncated(x)},
        block=(64,),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_pairs(const __half2* a, const __half2* b, __half2* out) {
            int i = threadIdx.x;
            __half2 x = a[i], y = b[i];
            out[3 * i] = __hadd2_rn(x, __hmul2_rn(x, y));
            out[3 * i + 1] = __halves2half2(__high2half(x), __low2half(y));
            out[3 * i + 2] = __hmax2(x, y);
        }""",
        lambda: [halves(64).reshape(32, 2), halves(64, 1).reshape(32, 2), np.zeros((32, 3, 2), H)],
        lambda a, b, out: {2: np.stack([a + a * b, np.stack([a[:, 1], b[:, 0]], 1), np.maximum(a, b)], 1)},
        options=("--fmad=false",),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_fused(const half* a, const half* b, const half* c, half* out) {
            int i = threadIdx.x;
            out[i] = __hfma(a[i], b[i], c[i]);
        }""",
        lambda: [halves(128), halves(128, 1), halves(128, 2), np.zeros(128, H)],
        lambda a, b, c, out: {3: (a.astype(np.float64) * b.astype(np.float64) + c).astype(H)},
        block=(128,),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_comparisons(const half* a, const half* b, int* out) {
            int i = threadIdx.x;
            half x = a[i], y = b[i];
            out[i] = __hlt(x, y) + 2 * __hge(x, y) + 4 * (x == y) + 8 * (x != y) + 16 * __hisnan(x) + 32 * (x > y);
        }""",
        lambda: [
            np.array([1, 2, np.nan, 3, -0.0], H),
            np.array([2, 2, 1, np.nan, 0], H),
            np.zeros(5, np.int32),
        ],
        lambda a, b, out: {2: [1 + 8, 2 + 4, 8 + 16, 8, 2 + 4]},
        block=(5,),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_functions(const half* in, half* out) {
            half x = in[threadIdx.x];
            half* o = out + 6 * threadIdx.x;
            o[0] = hsqrt(x); o[1] = hexp(x); o[2] = hlog(x); o[3] = hrcp(x); o[4] = hfloor(x); o[5] = hsin(x);
        }""",
        lambda: [np.linspace(0.25, 8, 32).astype(H), np.zeros((32, 6), H)],
        lambda x, out: {
            1: np.stack(
                [f(x.astype(np.float64)) for f in (np.sqrt, np.exp, np.log, np.reciprocal, np.floor, np.sin)],
                1,
            )
        },
        rtol=2e-3,
        atol=1e-3,
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_dot(const half* a, const half* b, float* out, int n) {
            float sum = 0.0f;
            for (int i = threadIdx.x; i < n; i += 32) sum += __half2float(a[i]) * __half2float(b[i]);
            for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
            if (threadIdx.x == 0) *out = sum;
        }""",
        lambda: [
            integers(100, high=20).astype(H),
            integers(100, high=20, seed=1).astype(H),
            np.zeros(1, F),
            np.int32(100),
        ],
        lambda a, b, out, n: {2: [a.astype(F) @ b.astype(F)]},
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_atomics(half* total, half2* pair, const half* in) {
            half x = in[threadIdx.x];
            atomicAdd(total, x);
            atomicAdd(pair, __halves2half2(x, __float2half(1.0f)));
        }""",
        lambda: [np.zeros(1, H), np.zeros(2, H), integers(64, high=8).astype(H)],
        lambda total, pair, x: {0: [x.sum()], 1: [x.sum(), 64]},
        block=(64,),
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_shuffles(const half* in, half* out, half2* pairs) {
            int t = threadIdx.x;
            out[t] = __shfl_xor_sync(0xffffffffu, in[t], 3);
            pairs[t] = __shfl_down_sync(0xffffffffu, __halves2half2(in[t], -in[t]), 1);
        }""",
        lambda: [halves(32), np.zeros(32, H), np.zeros((32, 2), H)],
        lambda x, out, pairs: {
            1: x[np.arange(32) ^ 3],
            2: np.stack([x, -x], 1)[np.minimum(np.arange(32) + 1, 31)],
        },
    ),
    Case(
        """#include <cuda_bf16.h>
        extern "C" __global__ void bfloat_arithmetic(const float* a, const float* b, unsigned short* out) {
            int i = threadIdx.x;
            __nv_bfloat16 x = __float2bfloat16(a[i]), y = __float2bfloat16(b[i]);
            out[4 * i] = __bfloat16_as_ushort(x);
            out[4 * i + 1] = __bfloat16_as_ushort(x + y);
            out[4 * i + 2] = __bfloat16_as_ushort(__hmul(x, y));
            out[4 * i + 3] = __bfloat16_as_ushort(__hfma(x, y, x));
        }""",
        lambda: [floats(64) * F(50), floats(64, seed=1), np.zeros((64, 4), np.uint16)],
        lambda a, b, out: {2: _bfloats(a, b)},
        block=(64,),
    ),
]


def _floats():
    x = floats(64) * np.float32(10.0) ** integers(64, low=-9, high=6).astype(F)
    x[:6] = [65504, 65519, 65520, 5.9604645e-08, 2.9802322e-08, 0.0]
    return x


def _rounded(x):
    with np.errstate(over="ignore"):
        return x.astype(H)


def _truncated(x):
    """Toward zero: of halves, the one not beyond x."""
    h = _rounded(x)
    beyond = np.abs(h.astype(np.float64)) > np.abs(x.astype(np.float64))
    return np.where(beyond, h.view(np.uint16) - 1, h.view(np.uint16)).astype(np.uint16)


def _bfloats(a, b):
    x, y = from_bfloat(to_bfloat(a)), from_bfloat(to_bfloat(b))
    exact = x.astype(np.float64) * y.astype(np.float64)
    # What a float cannot hold does not come near a tie of bfloat16 here: rounding twice is rounding once.
    return np.stack([to_bfloat(a), to_bfloat(x + y), to_bfloat(exact), to_bfloat((exact + x).astype(F))], 1)


@rows(CASES)
def test_kernel(case):
    run(case)

"""Kernels whose lanes exchange values: shuffles, votes, matches, reductions of a warp."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
ALL = "0xffffffffu"


def _sums(x, width=32):
    return np.repeat(x.reshape(-1, width).sum(1), width)


def _shuffle(name, ctype, dtype):
    return Case(
        f"""extern "C" __global__ void {name}(const {ctype}* in, {ctype}* out) {{
            int t = threadIdx.x;
            {ctype} x = in[t];
            out[t] = __shfl_sync({ALL}, x, (t * 5 + 1) & 31);
            out[64 + t] = __shfl_up_sync({ALL}, x, 3);
            out[128 + t] = __shfl_down_sync({ALL}, x, 5, 16);
            out[192 + t] = __shfl_xor_sync({ALL}, x, 9);
        }}""",
        lambda: [(floats(64, dtype=np.float64) * 1e6).astype(dtype), np.zeros(256, dtype)],
        lambda x, out: {1: _shuffled(x)},
        block=(64,),
    )


def _shuffled(x):
    t = np.arange(64)
    warp, lane = t & ~31, t & 31
    up = np.where(lane >= 3, t - 3, t)
    down = np.where((lane & 15) + 5 < 16, t + 5, t)
    return np.concatenate([x[warp + ((t * 5 + 1) & 31)], x[up], x[down], x[warp + (lane ^ 9)]])


CASES = [
    _shuffle("shuffle_int", "int", np.int32),
    _shuffle("shuffle_unsigned", "unsigned int", np.uint32),
    _shuffle("shuffle_long_long", "long long", np.int64),
    _shuffle("shuffle_float", "float", np.float32),
    _shuffle("shuffle_double", "double", np.float64),
    Case(
        """__device__ float warp_sum(float x) {
            for (int offset = 16; offset > 0; offset >>= 1) x += __shfl_down_sync(0xffffffff, x, offset);
            return x;
        }
        extern "C" __global__ void reduce_by_shuffles(const float* in, float* out, int n) {
            __shared__ float part[32];
            int t = threadIdx.x, lane = t & 31, warp = t >> 5;
            float x = t < n ? in[t] : 0.0f;
            x = warp_sum(x);
            if (lane == 0) part[warp] = x;
            __syncthreads();
            x = t < blockDim.x / 32 ? part[lane] : 0.0f;
            if (warp == 0) x = warp_sum(x);
            if (t == 0) *out = x;
        }""",
        lambda: [integers(200, high=100).astype(F), np.zeros(1, F), np.int32(200)],
        lambda x, out, n: {1: np.array([x.sum()])},
        block=(256,),
    ),
    Case(
        """extern "C" __global__ void butterfly(const int* in, int* out) {
            int x = in[threadIdx.x];
            for (int mask = 1; mask < 32; mask *= 2) x += __shfl_xor_sync(0xffffffff, x, mask);
            out[threadIdx.x] = x;
        }""",
        lambda: [integers(96), np.zeros(96, np.int32)],
        lambda x, out: {1: _sums(x)},
        block=(96,),
    ),
    Case(
        """extern "C" __global__ void warp_scan(const unsigned* in, unsigned* out) {
            int lane = threadIdx.x % warpSize;
            unsigned x = in[threadIdx.x];
            for (int d = 1; d < warpSize; d <<= 1) {
                unsigned y = __shfl_up_sync(0xffffffffu, x, d);
                if (lane >= d) x += y;
            }
            out[threadIdx.x] = x;
        }""",
        lambda: [integers(64, dtype=np.uint32), np.zeros(64, np.uint32)],
        lambda x, out: {1: x.reshape(2, 32).cumsum(1).ravel()},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void ballots(const int* in, unsigned* ballot, int* all, int* any) {
            int t = threadIdx.x, x = in[t];
            ballot[t] = __ballot_sync(0xffffffffu, x & 1);
            all[t] = __all_sync(0xffffffffu, x >= 0) != 0;
            any[t] = __any_sync(0xffffffffu, x > 990) != 0;
        }""",
        lambda: [
            integers(64, low=-2),
            np.zeros(64, np.uint32),
            np.zeros(64, np.int32),
            np.zeros(64, np.int32),
        ],
        lambda x, a, b, c: {
            1: np.repeat(
                ((x.reshape(2, 32) & 1).astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(1), 32
            ),
            2: np.repeat((x.reshape(2, 32) >= 0).all(1), 32),
            3: np.repeat((x.reshape(2, 32) > 990).any(1), 32),
        },
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void compact(const int* in, int* out, int* count) {
            int lane = threadIdx.x, x = in[lane];
            unsigned keep = __ballot_sync(0xffffffffu, x % 3 == 0);
            if (x % 3 == 0) out[__popc(keep & ((1u << lane) - 1))] = x;
            if (lane == 0) *count = __popc(keep);
        }""",
        lambda: [integers(32), np.zeros(32, np.int32), np.zeros(1, np.int32)],
        lambda x, out, count: {
            1: np.pad(x[x % 3 == 0], (0, 32 - (x % 3 == 0).sum())),
            2: np.array([(x % 3 == 0).sum()]),
        },
    ),
    Case(
        """extern "C" __global__ void matches(const int* in, unsigned* any, unsigned* all, int* same) {
            int t = threadIdx.x, equal;
            any[t] = __match_any_sync(0xffffffffu, in[t]);
            all[t] = __match_all_sync(0xffffffffu, in[t] / (t < 32 ? 100 : 1), &equal);
            same[t] = equal != 0;
        }""",
        lambda: [
            integers(64, high=5),
            np.zeros(64, np.uint32),
            np.zeros(64, np.uint32),
            np.zeros(64, np.int32),
        ],
        lambda x, a, b, c: {
            1: np.array([sum(1 << k for k in range(32) if x[(t & ~31) + k] == x[t]) for t in range(64)]),
            2: np.repeat([2**32 - 1, 0], 32),
            3: np.repeat([1, 0], 32),
        },
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void warp_reductions(const int* in, int* out, unsigned* bits) {
            int t = threadIdx.x, x = in[t];
            out[t] = __reduce_add_sync(0xffffffffu, x);
            out[32 + t] = __reduce_min_sync(0xffffffffu, x);
            out[64 + t] = __reduce_max_sync(0xffffffffu, x);
            bits[t] = __reduce_and_sync(0xffffffffu, (unsigned)x | 1u);
            bits[32 + t] = __reduce_or_sync(0xffffffffu, (unsigned)x);
            bits[64 + t] = __reduce_xor_sync(0xffffffffu, (unsigned)x);
        }""",
        lambda: [integers(32, low=-1000), np.zeros(96, np.int32), np.zeros(96, np.uint32)],
        lambda x, out, bits: {
            1: np.repeat([x.sum(), x.min(), x.max()], 32),
            2: np.repeat(
                [np.bitwise_and.reduce(x | 1), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x)], 32
            ).astype(np.uint32),
        },
    ),
    Case(
        """extern "C" __global__ void half_warps(const float* in, float* out) {
            int lane = threadIdx.x & 31;
            unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
            float x = in[threadIdx.x];
            if (lane < 16) {
                for (int d = 8; d; d >>= 1) x += __shfl_down_sync(mask, x, d, 16);
            } else {
                for (int d = 8; d; d >>= 1) x = fmaxf(x, __shfl_down_sync(mask, x, d, 16));
            }
            if ((lane & 15) == 0) out[threadIdx.x / 16] = x;
        }""",
        lambda: [integers(64, high=100).astype(F), np.zeros(4, F)],
        lambda x, out: {1: [x[:16].sum(), x[16:32].max(), x[32:48].sum(), x[48:].max()]},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void broadcast_of_lane(const double* in, double* out, int lane) {
            out[threadIdx.x] = __shfl_sync(0xffffffffu, in[threadIdx.x], lane);
        }""",
        lambda: [floats(64, dtype=np.float64), np.zeros(64), np.int32(7)],
        lambda x, out, lane: {1: np.repeat(x[[7, 39]], 32)},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void warp_synchronous(volatile int* data) {
            __shared__ volatile int held[32];
            int lane = threadIdx.x;
            held[lane] = data[lane];
            __syncwarp();
            for (int s = 16; s > 0; s >>= 1) {
                int x = held[lane] + held[(lane + s) & 31];
                __syncwarp();
                held[lane] = x;
                __syncwarp();
            }
            data[lane] = held[lane];
        }""",
        lambda: [integers(32)],
        lambda x: {0: _sums(x)},
    ),
    Case(
        """extern "C" __global__ void transpose_in_warp(const int* in, int* out) {
            int lane = threadIdx.x;
            int r[4];
            for (int k = 0; k < 4; ++k) r[k] = in[k * 32 + lane];
            int sum = 0;
            for (int k = 0; k < 4; ++k) sum = sum * 10 + __shfl_sync(0xffffffffu, r[k], (lane + k) & 31);
            out[lane] = sum;
        }""",
        lambda: [integers(4, 32, high=10), np.zeros(32, np.int32)],
        lambda a, out: {1: sum(np.roll(a[k], -k) * 10 ** (3 - k) for k in range(4))},
    ),
]


@rows(CASES)
def test_kernel(case):
    run(case)

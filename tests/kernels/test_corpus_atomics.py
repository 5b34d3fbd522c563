"""Kernels of atomics: on every type that has them, in global and in shared memory."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32


def _sum(name, ctype, dtype):
    return Case(
        f"""extern "C" __global__ void {name}(const {ctype}* in, {ctype}* total, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) atomicAdd(total, in[i]);
        }}""",
        lambda: [integers(700, high=100).astype(dtype), np.zeros(1, dtype), np.int32(700)],
        lambda x, total, n: {1: [x.sum()]},
        grid=(6,),
        block=(128,),
    )


CASES = [
    _sum("sum_int", "int", np.int32),
    _sum("sum_unsigned", "unsigned int", np.uint32),
    _sum("sum_unsigned_long_long", "unsigned long long", np.uint64),
    _sum("sum_float", "float", np.float32),
    _sum("sum_double", "double", np.float64),
    Case(
        """extern "C" __global__ void histogram(const int* in, int* counts, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) atomicAdd(&counts[in[i]], 1);
        }""",
        lambda: [integers(3000, high=40), np.zeros(40, np.int32), np.int32(3000)],
        lambda x, counts, n: {1: np.bincount(x, minlength=40)},
        grid=(12,),
        block=(256,),
    ),
    Case(
        """extern "C" __global__ void extremes(const int* in, int* low, int* high, unsigned long long* wide) {
            int x = in[blockIdx.x * blockDim.x + threadIdx.x];
            atomicMin(low, x);
            atomicMax(high, x);
            atomicMax(wide, (unsigned long long)(x + 5000) << 33);
        }""",
        lambda: [
            integers(256, low=-4000, high=4000),
            np.full(1, 9999, np.int32),
            np.full(1, -9999, np.int32),
            np.zeros(1, np.uint64),
        ],
        lambda x, a, b, c: {1: [x.min()], 2: [x.max()], 3: np.array([int(x.max() + 5000) << 33], np.uint64)},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void bits(const unsigned* in, unsigned* out) {
            unsigned x = in[threadIdx.x];
            atomicAnd(&out[0], x | 0x80000001u);
            atomicOr(&out[1], x & 0x0ff0u);
            atomicXor(&out[2], x);
        }""",
        lambda: [integers(128, high=2**32, dtype=np.uint32), np.array([2**32 - 1, 0, 0], np.uint32)],
        lambda x, out: {
            1: [
                np.bitwise_and.reduce(x | 0x80000001),
                np.bitwise_or.reduce(x & 0xFF0),
                np.bitwise_xor.reduce(x),
            ]
        },
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void ticket_counters(unsigned* counters, unsigned* seen) {
            unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            atomicInc(&counters[0], 9u);
            atomicDec(&counters[1], 6u);
            unsigned mine = atomicAdd(&counters[2], 1u);
            atomicAdd(&seen[mine], 1u);
            (void)i;
        }""",
        lambda: [np.zeros(3, np.uint32), np.zeros(96, np.uint32)],
        lambda counters, seen: {0: [96 % 10, (7 - 96 % 7) % 7, 96], 1: np.ones(96)},
        grid=(3,),
        block=(32,),
    ),
    Case(
        """__device__ double add_by_cas(double* address, double value) {
            unsigned long long* bits = (unsigned long long*)address;
            unsigned long long old = *(volatile unsigned long long*)bits, assumed;
            do {
                assumed = old;
                old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
            } while (assumed != old);
            return __longlong_as_double(old);
        }
        extern "C" __global__ void compare_and_swap_loop(const double* in, double* total) {
            add_by_cas(total, in[blockIdx.x * blockDim.x + threadIdx.x]);
        }""",
        lambda: [integers(256, high=1000).astype(np.float64), np.zeros(1)],
        lambda x, total: {1: [x.sum()]},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void exchange_chain(int* slot, int* before) {
            for (int i = 0; i < 64; ++i) before[i] = atomicExch(slot, i + 1);
        }""",
        lambda: [np.zeros(1, np.int32), np.zeros(64, np.int32)],
        lambda slot, before: {0: [64], 1: np.arange(64)},
        block=(1,),
    ),
    Case(
        """__device__ float max_of_floats(float* address, float value) {
            int* bits = (int*)address;
            int old = *(volatile int*)bits;
            while (__int_as_float(old) < value) {
                int seen = atomicCAS(bits, old, __float_as_int(value));
                if (seen == old) break;
                old = seen;
            }
            return __int_as_float(old);
        }
        extern "C" __global__ void float_maximum(const float* in, float* most) {
            max_of_floats(most, in[blockIdx.x * blockDim.x + threadIdx.x]);
        }""",
        lambda: [floats(256), np.full(1, -10, F)],
        lambda x, most: {1: [x.max()]},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """__device__ int lock = 0;
        extern "C" __global__ void critical_section(int* value, int rounds) {
            for (int r = 0; r < rounds; ++r) {
                if (threadIdx.x == 0) {
                    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(10);
                    __threadfence();
                    *(volatile int*)value = *(volatile int*)value + 1;
                    __threadfence();
                    atomicExch(&lock, 0);
                }
                __syncthreads();
            }
        }""",
        lambda: [np.zeros(1, np.int32), np.int32(5)],
        lambda value, rounds: {0: [40]},
        grid=(8,),
        block=(32,),
    ),
    Case(
        """__device__ unsigned finished = 0;
        extern "C" __global__ void last_block_sums(const int* in, int* parts, int* total) {
            __shared__ bool last;
            __shared__ int sum;
            if (threadIdx.x == 0) sum = 0;
            __syncthreads();
            atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
            __syncthreads();
            if (threadIdx.x == 0) {
                parts[blockIdx.x] = sum;
                __threadfence();
                last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
            }
            __syncthreads();
            if (last && threadIdx.x == 0) {
                int all = 0;
                for (unsigned b = 0; b < gridDim.x; ++b) all += ((volatile int*)parts)[b];
                *total = all;
            }
        }""",
        lambda: [integers(320), np.zeros(5, np.int32), np.zeros(1, np.int32)],
        lambda x, parts, total: {1: x.reshape(5, 64).sum(1), 2: [x.sum()]},
        grid=(5,),
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void union_find(const int* edges, int* labels, int m, int n) {
            __shared__ int parent[64];
            int t = threadIdx.x;
            if (t < n) parent[t] = t;
            __syncthreads();
            if (t < m) {
                int a = edges[2 * t], b = edges[2 * t + 1];
                while (true) {
                    while (((volatile int*)parent)[a] != a) a = ((volatile int*)parent)[a];
                    while (((volatile int*)parent)[b] != b) b = ((volatile int*)parent)[b];
                    if (a == b) break;
                    int high = a > b ? a : b, low = a > b ? b : a;
                    if (atomicCAS(&parent[high], high, low) == high) break;
                }
            }
            __syncthreads();
            if (t < n) {
                int root = t;
                while (parent[root] != root) root = parent[root];
                labels[t] = root;
            }
        }""",
        lambda: [
            np.array([[0, 3], [3, 5], [1, 2], [7, 6], [2, 7]], np.int32),
            np.zeros(8, np.int32),
            np.int32(5),
            np.int32(8),
        ],
        lambda edges, labels, m, n: {1: [0, 1, 1, 0, 4, 0, 1, 1]},
        block=(32,),
    ),
]


@rows(CASES)
def test_kernel(case):
    run(case)

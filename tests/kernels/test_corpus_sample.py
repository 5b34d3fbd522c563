"""Kernels as people write them by now: tiles of a warp, half pairs, tensor cores, libcu++, PTX by hand."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, floats, integers, not_on_standin, rows, run

F = np.float32
I32 = np.int32
CPP17 = ("--std=c++17",)


def softmax_rows(x):
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def segment_sums(x, width):
    return x.reshape(-1, width).sum(1).repeat(width)


def counts_of(keys, bins):
    return np.bincount(keys, minlength=bins).astype(I32)


def decode(code):
    """The values of four signed bytes."""
    return np.asarray(code, np.uint32).view(np.int8).reshape(-1, 4).astype(I32)


def attention(q, k, v):
    scores = q.astype(np.float64) @ k.astype(np.float64).T / np.sqrt(q.shape[1])
    return softmax_rows(scores) @ v.astype(np.float64)


CASES = [
    Case(
        """template <int WIDTH> __device__ __forceinline__ float tile_sum(float v) {
            #pragma unroll
            for (int offset = WIDTH / 2; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset, WIDTH);
            return v;
        }
        extern "C" __global__ void __launch_bounds__(64, 2) tile_sums(const float* __restrict__ x, float* __restrict__ y) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            y[i] = tile_sum<8>(x[i]);
        }""",
        lambda: [np.arange(128, dtype=F), np.zeros(128, F)],
        lambda x, y: segment_sums(x, 8),
        grid=(2,),
        block=(64,),
        name="tile_sums",
    ),
    Case(
        """template <typename T> struct Shared { __device__ operator T*() {
            extern __shared__ __align__(16) unsigned char bytes[]; return reinterpret_cast<T*>(bytes); } };
        template <typename T, int BLOCK> __global__ void reversed(const T* x, T* y, int n) {
            T* s = Shared<T>();
            int* order = reinterpret_cast<int*>(s + BLOCK);
            int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
            s[t] = i < n ? x[i] : T(0);
            order[t] = BLOCK - 1 - t;
            __syncthreads();
            if (i < n) y[i] = s[order[t]];
        }""",
        lambda: [floats(128, dtype=np.float64), np.zeros(128), I32(128)],
        lambda x, y, n: {1: x.reshape(2, 64)[:, ::-1].ravel()},
        grid=(2,),
        block=(64,),
        shared=64 * 12,
        name="reversed<double, 64>",
        module=True,
    ),
    Case(
        """#include <cuda_fp16.h>
        extern "C" __global__ void half_pairs(const __half2* x, const __half2* y, __half2* out, float* sums) {
            int i = threadIdx.x;
            __half2 a = x[i], b = y[i];
            __half2 r = __hfma2(a, b, __float2half2_rn(0.5f));
            r = __hadd2(r, __hmul2(__hneg2(a), __half2half2(__ushort_as_half(0x3c00))));
            r = __hmax2(r, __hmin2(a, b));
            if (__hbgt2(a, b)) r = __lowhigh2highlow(r);
            out[i] = r;
            float2 f = __half22float2(__hsub2(a, b));
            sums[i] = __low2float(r) + __high2float(r) + f.x * f.y;
        }""",
        lambda: [
            floats(64, seed=1).astype(np.float16),
            floats(64, seed=2).astype(np.float16),
            np.zeros(64, np.float16),
            np.zeros(32, F),
        ],
        lambda x, y, out, sums: half_pairs(x, y),
        ulps=1,
    ),
    Case(
        """#include <cuda/atomic>
        extern "C" __global__ void atomic_refs(int* best, unsigned long long* total, int* order) {
            cuda::atomic_ref<int, cuda::thread_scope_device> top(*best);
            top.fetch_max((int)(threadIdx.x * 7 % 32), cuda::memory_order_relaxed);
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> sum(*total);
            sum.fetch_add(threadIdx.x, cuda::std::memory_order_relaxed);
            __shared__ cuda::atomic<int, cuda::thread_scope_block> next;
            if (threadIdx.x == 0) next.store(0);
            __syncthreads();
            int place = next.fetch_add(1, cuda::memory_order_acq_rel);
            atomicAdd(&order[place], 1);
        }""",
        lambda: [np.zeros(1, I32), np.zeros(1, np.uint64), np.zeros(32, I32)],
        lambda best, total, order: {0: [31], 1: [496], 2: np.ones(32)},
        options=CPP17,
    ),
    Case(
        """#include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        #include <cooperative_groups/scan.h>
        namespace cg = cooperative_groups;
        extern "C" __global__ void tiles(const int* x, int* sums, int* scans, int* ranks, int* odd) {
            cg::thread_block block = cg::this_thread_block();
            auto warp = cg::tiled_partition<32>(block);
            auto tile = cg::tiled_partition<4>(warp);
            int i = block.thread_rank();
            sums[i] = cg::reduce(tile, x[i], cg::plus<int>());
            scans[i] = cg::inclusive_scan(warp, x[i], cg::plus<int>());
            ranks[i] = tile.meta_group_rank() * 100 + tile.meta_group_size() + 1000 * (int)tile.num_threads();
            if (x[i] & 1) {
                // How many lanes are together is not said: the sum of their counts is.
                cg::coalesced_group active = cg::coalesced_threads();
                if (active.thread_rank() == 0) atomicAdd(odd, (int)active.size());
            }
            tile.sync();
        }""",
        lambda: [integers(64, high=50), *(np.zeros(64, I32) for _ in range(4))],
        lambda x, *out: tiles(x),
        block=(64,),
        options=CPP17,
    ),
    Case(
        """__device__ __forceinline__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
        __device__ __forceinline__ unsigned below() { unsigned r; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r)); return r; }
        __device__ __forceinline__ float load_nc(const float* p) {
            float v; asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v;
        }
        __device__ __forceinline__ int load_acquire(const int* p) {
            int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v;
        }
        __device__ __forceinline__ void store_release(int* p, int v) {
            asm volatile("st.release.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory");
        }
        extern "C" __global__ void by_hand(const float* x, float* y, int* z) {
            unsigned i = lane(), r, s;
            y[i] = load_nc(x + i) + __popc(below());
            asm("bfe.u32 %0, %1, 3, 4;" : "=r"(r) : "r"(i * 37u));
            asm("{ .reg .pred p; setp.gt.u32 p, %1, 15; selp.u32 %0, 1, 0, p; }" : "=r"(s) : "r"(i));
            unsigned ballot;
            asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(ballot) : "r"(i & 1u));
            asm volatile("bar.sync 0;" ::: "memory");
            store_release(z + i, (int)(r + 100 * s + 1000 * (ballot == 0xaaaaaaaau)));
            z[i] += load_acquire(z + i) & 1;
        }""",
        lambda: [np.arange(32, dtype=F), np.zeros(32, F), np.zeros(32, I32)],
        lambda x, y, z: by_hand(x),
        marks=[not_on_standin],
    ),
    Case(
        """extern "C" __global__ void online_softmax(const float* x, float* y, int n) {
            const float* row = x + blockIdx.x * n;
            float m = -INFINITY, d = 0.f;
            for (int j = threadIdx.x; j < n; j += 32) {
                float v = row[j], grown = fmaxf(m, v);
                d = d * __expf(m - grown) + __expf(v - grown);
                m = grown;
            }
            #pragma unroll
            for (int o = 16; o; o /= 2) {
                float om = __shfl_xor_sync(~0u, m, o), od = __shfl_xor_sync(~0u, d, o);
                float grown = fmaxf(m, om);
                d = d * __expf(m - grown) + od * __expf(om - grown);
                m = grown;
            }
            for (int j = threadIdx.x; j < n; j += 32) y[blockIdx.x * n + j] = __fdividef(__expf(row[j] - m), d);
        }""",
        lambda: [4 * floats(5, 100), np.zeros((5, 100), F), I32(100)],
        lambda x, y, n: {1: softmax_rows(x)},
        grid=(5,),
        rtol=2e-6,
        name="online_softmax",
        module=True,
    ),
    Case(
        """struct Tap { short dx, dy; float weight; };
        __constant__ Tap taps[5] = {{0, 0, 0.5f}, {-1, 0, 0.125f}, {1, 0, 0.125f}, {0, -1, 0.125f}, {0, 1, 0.125f}};
        __constant__ int2 extent = {8, 6};
        extern "C" __global__ void stencil(const float* in, float* out) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x >= extent.x || y >= extent.y) return;
            float sum = 0;
            for (const Tap& tap : taps) {
                int u = min(max(x + tap.dx, 0), extent.x - 1), v = min(max(y + tap.dy, 0), extent.y - 1);
                sum = fmaf(tap.weight, in[v * extent.x + u], sum);
            }
            out[y * extent.x + x] = sum;
        }""",
        lambda: [integers(6, 8, high=64).astype(F), np.zeros((6, 8), F)],
        lambda x, y: stencil(x),
        grid=(2, 2),
        block=(4, 4),
    ),
    Case(
        """extern "C" __global__ void compact(const int* x, int* out, int* count, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            bool keep = i < n && x[i] > 0;
            unsigned active = __ballot_sync(0xffffffffu, keep);
            int lane = threadIdx.x & 31, leader = __ffs(active) - 1, base = 0;
            if (keep && lane == leader) base = atomicAdd(count, __popc(active));
            base = __shfl_sync(0xffffffffu, base, leader < 0 ? 0 : leader);
            if (keep) out[base + __popc(active & ((1u << lane) - 1))] = x[i];
        }""",
        lambda: [integers(32, low=-9, high=9), np.zeros(32, I32), np.zeros(1, I32), I32(32)],
        lambda x, out, count, n: {
            1: np.concatenate([x[x > 0], np.zeros((x <= 0).sum(), I32)]),
            2: [(x > 0).sum()],
        },
        block=(32,),
    ),
    Case(
        """extern "C" __global__ void histogram(const unsigned char* keys, int* bins, int n) {
            __shared__ int own[2][64];
            for (int i = threadIdx.x; i < 128; i += blockDim.x) ((int*)own)[i] = 0;
            __syncthreads();
            int half = threadIdx.x / 32 & 1;
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
                atomicAdd_block(&own[half][keys[i] & 63], 1);
            __syncthreads();
            for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(bins + i, own[0][i] + own[1][i]);
        }""",
        lambda: [integers(1000, high=64, dtype=np.uint8), np.zeros(64, I32), I32(1000)],
        lambda keys, bins, n: {1: counts_of(keys, 64)},
        grid=(3,),
        block=(64,),
    ),
    Case(
        """struct Status { volatile int flag; volatile int sum; };
        extern "C" __global__ void lookback(const int* x, int* y, Status* status) {
            __shared__ int before, warp_sums[2];
            int t = threadIdx.x, b = blockIdx.x, v = x[b * 64 + t], lane = t & 31;
            for (int o = 1; o < 32; o *= 2) { int u = __shfl_up_sync(~0u, v, o); if (lane >= o) v += u; }
            if (lane == 31) warp_sums[t / 32] = v;
            __syncthreads();
            if (t >= 32) v += warp_sums[0];
            if (t == 63) {
                int prefix = 0;
                if (b > 0) { while (status[b - 1].flag == 0) {} __threadfence(); prefix = status[b - 1].sum; }
                status[b].sum = prefix + v;
                __threadfence();
                status[b].flag = 1;
                before = prefix;
            }
            __syncthreads();
            y[b * 64 + t] = before + v;
        }""",
        lambda: [integers(256, high=10), np.zeros(256, I32), np.zeros((4, 2), I32)],
        lambda x, y, status: {1: np.cumsum(x), 2: [[1, s] for s in np.cumsum(x)[63::64]]},
        grid=(4,),
        block=(64,),
        checked=False,
    ),
    Case(
        """extern "C" __global__ void dots(const int* a, const int* b, int* out, unsigned* turned) {
            int i = threadIdx.x;
            int r = __dp4a(a[i], b[i], 1);
            r += __dp4a((unsigned)a[i] & 0x7f7f7f7fu, (unsigned)b[i] & 0x7f7f7f7fu, 0u);
            out[i] = r;
            turned[i] = __funnelshift_l((unsigned)a[i], (unsigned)b[i], 8) ^ __byte_perm((unsigned)a[i], (unsigned)b[i], 0x5410)
                      ^ __vabsdiffu4((unsigned)a[i], (unsigned)b[i]);
        }""",
        lambda: [
            integers(32, low=-(2**31), high=2**31 - 1, seed=3),
            integers(32, low=-(2**31), high=2**31 - 1, seed=4),
            np.zeros(32, I32),
            np.zeros(32, np.uint32),
        ],
        lambda a, b, out, turned: dots(a, b),
    ),
    Case(
        """__device__ int lock_word = 0;
        __device__ void acquire(int* l) { while (atomicCAS(l, 0, 1) != 0) __nanosleep(20); __threadfence(); }
        __device__ void release(int* l) { __threadfence(); atomicExch(l, 0); }
        extern "C" __global__ void locked(double* sum, const double* x) {
            if (threadIdx.x == 0) { acquire(&lock_word); *(volatile double*)sum += x[blockIdx.x]; release(&lock_word); }
        }""",
        lambda: [np.zeros(1), np.arange(16.0)],
        lambda s, x: {0: [x.sum()]},
        grid=(16,),
        checked=False,
    ),
    Case(
        """template <typename... Ts> __device__ auto total(Ts... values) { return (values + ...); }
        template <typename T> constexpr bool is_wide = sizeof(T) > 4;
        template <typename T> __device__ auto scaled(T x) { if constexpr (is_wide<T>) return x * 2; else return x + 1; }
        enum class Mode : unsigned char { Plain, Twice = 5 };
        struct Range { int first, last; };
        __device__ Range range_of(int i) { return {i, i * i}; }
        extern "C" __global__ void modern(double* out) {
            int i = threadIdx.x;
            auto [first, last] = range_of(i);
            auto pick = [=](int x, Mode mode) { return mode == Mode::Twice ? x + x : x; };
            out[i] = total(first, last, 0.5, pick(i, Mode::Twice)) + scaled(1.5) + scaled(i) + static_cast<int>(Mode::Twice);
        }""",
        lambda: [np.zeros(32)],
        lambda out: [i + i * i + 0.5 + 2 * i + 3 + i + 1 + 5 for i in range(32)],
        options=CPP17,
    ),
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void sorted_pairs(const unsigned* keys, unsigned* out, int* places, int* heads) {
            using Sort = cub::BlockRadixSort<unsigned, 64, 2, int>;
            using Scan = cub::BlockScan<int, 64>;
            __shared__ union { typename Sort::TempStorage sort; typename Scan::TempStorage scan; } temp;
            unsigned k[2]; int v[2];
            for (int j = 0; j < 2; j++) { v[j] = threadIdx.x * 2 + j; k[j] = keys[v[j]]; }
            Sort(temp.sort).Sort(k, v, 0, 10);
            __syncthreads();
            int flags[2] = {(int)(k[0] & 1), (int)(k[1] & 1)}, total;
            Scan(temp.scan).ExclusiveSum(flags, flags, total);
            for (int j = 0; j < 2; j++) {
                out[threadIdx.x * 2 + j] = k[j]; places[threadIdx.x * 2 + j] = v[j];
                heads[threadIdx.x * 2 + j] = flags[j] + 1000 * total;
            }
        }""",
        lambda: [
            integers(128, high=1000, dtype=np.uint32),
            np.zeros(128, np.uint32),
            np.zeros(128, I32),
            np.zeros(128, I32),
        ],
        lambda keys, *out: sorted_pairs(keys),
        block=(64,),
        options=CPP17,
    ),
    Case(
        """#define BR 4
        #define D 16
        extern "C" __global__ void attend(const float* q, const float* k, const float* v, float* o, int n) {
            __shared__ float ks[32][D + 1], vs[32][D + 1];
            int row = blockIdx.x * BR + threadIdx.y, lane = threadIdx.x;
            float qr[D], acc[D] = {0.f}, m = -INFINITY, l = 0.f;
            for (int d = 0; d < D; ++d) qr[d] = q[row * D + d] * rsqrtf((float)D);
            for (int base = 0; base < n; base += 32) {
                for (int j = threadIdx.y; j < 32; j += BR)
                    for (int d = lane; d < D; d += 32) { ks[j][d] = k[(base + j) * D + d]; vs[j][d] = v[(base + j) * D + d]; }
                __syncthreads();
                float s = 0.f;
                #pragma unroll
                for (int d = 0; d < D; ++d) s += qr[d] * ks[lane][d];
                float top = s;
                for (int w = 16; w; w >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, w));
                float grown = fmaxf(m, top), p = expf(s - grown), scale = expf(m - grown), sum = p;
                for (int w = 16; w; w >>= 1) sum += __shfl_xor_sync(~0u, sum, w);
                l = l * scale + sum; m = grown;
                for (int d = 0; d < D; ++d) {
                    float part = p * vs[lane][d];
                    for (int w = 16; w; w >>= 1) part += __shfl_xor_sync(~0u, part, w);
                    acc[d] = acc[d] * scale + part;
                }
                __syncthreads();
            }
            if (lane < D) {
                float r = 0.f;
                for (int d = 0; d < D; ++d) r = lane == d ? acc[d] : r;
                o[row * D + lane] = r / l;
            }
        }""",
        lambda: [
            floats(8, 16, seed=1),
            floats(64, 16, seed=2),
            floats(64, 16, seed=3),
            np.zeros((8, 16), F),
            I32(64),
        ],
        lambda q, k, v, o, n: {3: attention(q, k, v)},
        grid=(2,),
        block=(32, 4),
        rtol=1e-5,
        atol=1e-6,
    ),
    Case(
        """__device__ double atomic_max(double* at, double value) {
            unsigned long long* bits = (unsigned long long*)at, old = *bits, assumed;
            do { assumed = old; if (__longlong_as_double(assumed) >= value) break;
                 old = atomicCAS(bits, assumed, __double_as_longlong(value)); } while (assumed != old);
            return __longlong_as_double(old);
        }
        union Word { float f; unsigned u; struct { unsigned mantissa : 23, exponent : 8, sign : 1; } parts; };
        extern "C" __global__ void puns(const float* x, double* top, unsigned* exponents, unsigned short* flags) {
            int i = threadIdx.x; Word w; w.f = x[i];
            exponents[i] = w.parts.exponent + 1000 * w.parts.sign;
            atomic_max(top, (double)x[i]);
            atomicCAS(&flags[i & 3], (unsigned short)0, (unsigned short)(7 + (i & 3)));
        }""",
        lambda: [floats(32) * 100, np.full(1, -1e9), np.zeros(32, np.uint32), np.zeros(4, np.uint16)],
        lambda x, top, e, flags: {
            1: [x.max()],
            2: (x.view(np.uint32) >> 23 & 255) + 1000 * (x.view(np.uint32) >> 31),
            3: [7, 8, 9, 10],
        },
        checked=False,
    ),
    Case(
        """#include <cuda/pipeline>
        #include <cooperative_groups.h>
        #include <cooperative_groups/memcpy_async.h>
        namespace cg = cooperative_groups;
        extern "C" __global__ void staged(const float4* x, float* out, int steps) {
            __shared__ float4 stage[2][32];
            auto block = cg::this_thread_block();
            float sum = 0;
            cg::memcpy_async(block, stage[0], x, sizeof(float4) * 32);
            for (int s = 0; s < steps; s++) {
                if (s + 1 < steps) cg::memcpy_async(block, stage[(s + 1) & 1], x + (s + 1) * 32, sizeof(float4) * 32);
                cg::wait(block);
                float4 v = stage[s & 1][31 - threadIdx.x];
                sum += v.x + v.y + v.z + v.w;
                block.sync();
            }
            out[threadIdx.x] = sum;
        }""",
        lambda: [integers(3, 32, 4, high=100).astype(F), np.zeros(32, F), I32(3)],
        lambda x, out, steps: {1: x.sum((0, 2))[::-1]},
        options=CPP17,
    ),
    Case(
        """__global__ void fill_leaf(int* out, int first, int count, int value) {
            for (int i = threadIdx.x; i < count; i += blockDim.x) out[first + i] += value;
        }
        extern "C" __global__ void split(int* out, int first, int count, int depth) {
            if (threadIdx.x != 0) return;
            if (count <= 8) { fill_leaf<<<1, 8>>>(out, first, count, depth + 1); return; }
            int half = count / 2;
            split<<<1, 32>>>(out, first, half, depth + 1);
            split<<<1, 32>>>(out, first + half, count - half, depth + 1);
        }""",
        lambda: [np.zeros(100, I32), I32(0), I32(100), I32(0)],
        lambda out, first, count, depth: {0: split_depths(100)},
        marks=[not_on_standin],
    ),
    Case(
        """#include <mma.h>
        #include <cuda_fp16.h>
        using namespace nvcuda;
        extern "C" __global__ void tensor(const half* a, const half* b, float* c, int n) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
            wmma::fill_fragment(acc, 0.0f);
            int row = blockIdx.y * 16, column = blockIdx.x * 16;
            for (int k = 0; k < n; k += 16) {
                wmma::load_matrix_sync(fa, a + row * n + k, n);
                wmma::load_matrix_sync(fb, b + column * n + k, n);
                wmma::mma_sync(acc, fa, fb, acc);
            }
            for (int i = 0; i < acc.num_elements; i++) acc.x[i] *= 2.0f;
            wmma::store_matrix_sync(c + row * n + column, acc, n, wmma::mem_row_major);
        }""",
        lambda: [
            integers(32, 32, high=8).astype(np.float16),
            integers(32, 32, high=8, seed=1).astype(np.float16),
            np.zeros((32, 32), F),
            I32(32),
        ],
        lambda a, b, c, n: {2: 2 * (a.astype(F) @ b.astype(F).T)},
        grid=(2, 2),
        marks=[pytest.mark.skipif(not ON_CPU, reason="CUDA's own header is needed")],
    ),
]


def half_pairs(x, y):
    """Pairs of half numbers: each operation rounds once."""
    a, b = x.reshape(-1, 2), y.reshape(-1, 2)
    exact = a.astype(np.float64) * b.astype(np.float64) + 0.5
    r = (exact.astype(np.float16) + (-a * np.float16(1)).astype(np.float16)).astype(np.float16)
    r = np.maximum(r, np.minimum(a, b))
    swapped = (a > b).all(1)
    r[swapped] = r[swapped][:, ::-1]
    f = (a - b).astype(F)
    sums = (r[:, 0].astype(F) + r[:, 1].astype(F)) + f[:, 0] * f[:, 1]
    return {2: r.ravel(), 3: sums}


def tiles(x):
    i = np.arange(64)
    warps = x.reshape(2, 32)
    odd = np.zeros(64, I32)
    odd[0] = (x & 1).sum()
    return {
        1: segment_sums(x, 4),
        2: np.cumsum(warps, 1).ravel(),
        3: i % 32 // 4 * 100 + 8 + 4000,
        4: odd,
    }


def by_hand(x):
    i = np.arange(32)
    field = (i * 37) >> 3 & 15
    z = field + 100 * (i > 15) + 1000
    return {1: x + i, 2: z + (z & 1)}


def stencil(x):
    padded = np.pad(x, 1, mode="edge")
    around = padded[1:-1, :-2] + padded[1:-1, 2:] + padded[:-2, 1:-1] + padded[2:, 1:-1]
    return {1: F(0.5) * x + F(0.125) * around}


def dots(a, b):
    masked = [np.asarray(v.view(np.uint32) & np.uint32(0x7F7F7F7F)) for v in (a, b)]
    signed = (decode(a.view(np.uint32)) * decode(b.view(np.uint32))).sum(1) + 1
    plain = (decode(masked[0]) * decode(masked[1])).sum(1)
    low, high = a.view(np.uint32), b.view(np.uint32)
    shifted = (high << np.uint32(8)) | (low >> np.uint32(24))
    mixed = (low & np.uint32(0xFFFF)) | ((high & np.uint32(0xFFFF)) << np.uint32(16))
    bytes_a, bytes_b = low.view(np.uint8).astype(I32), high.view(np.uint8).astype(I32)
    apart = np.abs(bytes_a - bytes_b).astype(np.uint8).view(np.uint32)
    return {2: (signed + plain).astype(I32), 3: shifted ^ mixed ^ apart}


def sorted_pairs(keys):
    order = np.argsort(keys, kind="stable")
    flags = (keys[order] & 1).astype(I32)
    return {1: keys[order], 2: order, 3: np.cumsum(flags) - flags + 1000 * flags.sum()}


def split_depths(count):
    def depths(size, depth):
        if size <= 8:
            return [depth + 1] * size
        return depths(size // 2, depth + 1) + depths(size - size // 2, depth + 1)

    return depths(count, 0)


@rows(CASES)
def test_kernel(case):
    run(case)

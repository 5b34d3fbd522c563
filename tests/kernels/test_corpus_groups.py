"""Cooperative groups: blocks, tiles, coalesced lanes, the grid."""

import numpy as np
import pytest
from corpus import Case, integers, not_on_standin, rows, run

import cuprum as cp

I32 = np.int32
INCLUDE = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
"""

CASES = [
    Case(
        INCLUDE
        + """extern "C" __global__ void block_group(const int* in, int* out) {
            cg::thread_block block = cg::this_thread_block();
            __shared__ int held[64];
            unsigned rank = block.thread_rank();
            held[rank] = in[rank];
            block.sync();
            out[rank] = held[block.size() - 1 - rank] + 1000 * block.thread_index().y + 10000 * block.group_index().x;
        }""",
        lambda: [integers(64, high=900), np.zeros(64, I32)],
        lambda x, out: {1: x[::-1] + 1000 * (np.arange(64) // 16)},
        block=(16, 4),
    ),
    Case(
        INCLUDE
        + """template <int N> __device__ int tile_sum(cg::thread_block_tile<N> tile, int x) {
            for (int d = tile.size() / 2; d > 0; d /= 2) x += tile.shfl_down(x, d);
            return tile.shfl(x, 0);
        }
        extern "C" __global__ void tiles(const int* in, int* out) {
            cg::thread_block block = cg::this_thread_block();
            cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
            int t = threadIdx.x;
            out[t] = tile_sum<8>(tile, in[t]) * 100 + tile.thread_rank() * 10 + tile.meta_group_rank() % 10;
        }""",
        lambda: [integers(64, high=50), np.zeros(64, I32)],
        lambda x, out: {
            1: np.repeat(x.reshape(8, 8).sum(1), 8) * 100 + np.arange(64) % 8 * 10 + np.arange(64) // 8
        },
        block=(64,),
    ),
    Case(
        INCLUDE
        + """extern "C" __global__ void tile_collectives(const int* in, unsigned* out) {
            auto tile = cg::tiled_partition<16>(cg::this_thread_block());
            int t = threadIdx.x, x = in[t];
            out[6 * t] = tile.ballot(x & 1);
            out[6 * t + 1] = tile.any(x > 95) != 0;
            out[6 * t + 2] = tile.all(x >= 0) != 0;
            out[6 * t + 3] = tile.shfl_xor(x, 5);
            out[6 * t + 4] = tile.shfl_up(x, 2);
            out[6 * t + 5] = tile.match_any(x & 3);
        }""",
        lambda: [integers(64, low=-1, high=100), np.zeros((64, 6), np.uint32)],
        lambda x, out: {1: _collectives(x)},
        block=(64,),
    ),
    Case(
        INCLUDE
        + """extern "C" __global__ void group_reductions(const int* in, int* out) {
            auto tile = cg::tiled_partition<32>(cg::this_thread_block());
            int t = threadIdx.x, x = in[t];
            out[4 * t] = cg::reduce(tile, x, cg::plus<int>());
            out[4 * t + 1] = cg::reduce(tile, x, cg::less<int>());
            out[4 * t + 2] = cg::reduce(tile, x, cg::greater<int>());
            out[4 * t + 3] = cg::reduce(tile, x, cg::bit_xor<int>());
        }""",
        lambda: [integers(64), np.zeros((64, 4), I32)],
        lambda x, out: {
            1: np.repeat(
                np.stack(
                    [f(x.reshape(2, 32), axis=1) for f in (np.sum, np.min, np.max, np.bitwise_xor.reduce)], 1
                ),
                32,
                axis=0,
            )
        },
        block=(64,),
    ),
    Case(
        INCLUDE
        + """__device__ int sum(cg::thread_group g, int* shared, int x) {
            int lane = g.thread_rank();
            for (int i = g.size() / 2; i > 0; i /= 2) {
                shared[lane] = x;
                g.sync();
                if (lane < i) x += shared[lane + i];
                g.sync();
            }
            return x;
        }
        extern "C" __global__ void any_group(const int* in, int* out) {
            __shared__ int memory[128];
            cg::thread_block block = cg::this_thread_block();
            int x = in[threadIdx.x];
            int whole = sum(block, memory, x);
            cg::sync(block);
            cg::thread_group tile = cg::tiled_partition(block, 32);
            int part = sum(tile, memory + threadIdx.x / 32 * 32, x);
            if (threadIdx.x == 0) out[0] = whole;
            if (tile.thread_rank() == 0) out[1 + threadIdx.x / 32] = part;
        }""",
        lambda: [integers(128), np.zeros(5, I32)],
        lambda x, out: {1: [x.sum(), *x.reshape(4, 32).sum(1)]},
        block=(128,),
    ),
    Case(
        INCLUDE
        + """extern "C" __global__ void aggregated_increment(const int* in, int* count, int* seen) {
            if (in[threadIdx.x] % 3 == 0) {
                cg::coalesced_group active = cg::coalesced_threads();
                int before = 0;
                if (active.thread_rank() == 0) before = atomicAdd(count, active.size());
                int mine = active.shfl(before, 0) + active.thread_rank();
                seen[mine] = 1;
            }
        }""",
        lambda: [integers(96), np.zeros(1, I32), np.zeros(96, I32)],
        lambda x, count, seen: {1: [(x % 3 == 0).sum()], 2: np.arange(96) < (x % 3 == 0).sum()},
        block=(96,),
    ),
    Case(
        INCLUDE
        + """extern "C" __global__ void labels(const int* in, int* out) {
            auto tile = cg::tiled_partition<32>(cg::this_thread_block());
            auto mine = cg::labeled_partition(tile, in[threadIdx.x]);
            out[threadIdx.x] = mine.size() * 100 + mine.thread_rank();
        }""",
        lambda: [integers(32, high=4), np.zeros(32, I32)],
        lambda x, out: {1: [(x == v).sum() * 100 + (x[:i] == v).sum() for i, v in enumerate(x)]},
    ),
    Case(
        """#include <cooperative_groups.h>
        #include <cooperative_groups/scan.h>
        namespace cg = cooperative_groups;
        extern "C" __global__ void group_scans(const int* in, int* out) {
            auto tile = cg::tiled_partition<16>(cg::this_thread_block());
            int t = threadIdx.x;
            out[2 * t] = cg::inclusive_scan(tile, in[t]);
            out[2 * t + 1] = cg::exclusive_scan(tile, in[t]);
        }""",
        lambda: [integers(32), np.zeros((32, 2), I32)],
        lambda x, out: {
            1: np.stack(
                [x.reshape(2, 16).cumsum(1), x.reshape(2, 16).cumsum(1) - x.reshape(2, 16)], 2
            ).reshape(32, 2)
        },
    ),
]


def _collectives(x):
    lane = np.arange(64)
    start = lane & ~15
    rows16 = x.reshape(4, 16)
    bits = [sum(1 << k for k in range(16) if row[k] & 1) for row in rows16]
    match = [sum(1 << k for k in range(16) if x[s + k] & 3 == v & 3) for s, v in zip(start, x, strict=True)]
    up = np.where(lane % 16 >= 2, x[np.maximum(lane - 2, 0)], x)
    return np.stack(
        [np.repeat(bits, 16), np.repeat((rows16 > 95).any(1), 16), np.repeat((rows16 >= 0).all(1), 16),
         x[start + (lane % 16 ^ 5)], up, match], 1
    ).astype(np.uint32)  # fmt: skip


@rows(CASES)
def test_kernel(case):
    run(case)


@not_on_standin
@pytest.mark.parametrize("blocks", [1, 4])
def test_grid_sync(blocks):
    """Every block sees what all others wrote before the barrier."""
    code = """#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void rotate(int* a, int* b, int rounds) {
        cg::grid_group grid = cg::this_grid();
        int n = grid.size(), i = grid.thread_rank();
        for (int r = 0; r < rounds; ++r) {
            b[i] = a[(i + 33) % n] + 1;
            grid.sync();
            a[i] = b[i];
            grid.sync();
        }
    }"""
    n = 64 * blocks
    a, b = cp.arange(n, dtype=np.int32), cp.zeros(n, dtype=np.int32)
    kernel = cp.RawKernel(code, "rotate", enable_cooperative_groups=True)
    kernel((blocks,), (64,), (a, b, np.int32(7)))
    np.testing.assert_array_equal(cp.asnumpy(a), (np.arange(n) + 7 * 33) % n + 7)

"""Clusters of blocks: their barrier, their places, and the shared memory of one another."""

import numpy as np
import pytest
from corpus import ON_CPU, not_on_standin

import cuprum as cp

old_gpu = not ON_CPU and int(cp.cuda.Device().compute_capability) < 90
pytestmark = [not_on_standin, pytest.mark.skipif(old_gpu, reason="GPUs have clusters from 9.0 on")]
on_cpu = pytest.mark.skipif(not ON_CPU, reason="what the CPU checks")

HEADER = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
"""


def kernel(code, name, *options):
    return cp.RawKernel(HEADER + code, name, options=options)


TURN = """extern "C" __global__ void __cluster_dims__(SIZE) turn(float* out, const float* x, int rounds) {
    __shared__ float held[2][64];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    held[0][threadIdx.x] = x[i];
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        float* theirs = cluster.map_shared_rank(&held[round % 2][0], next);
        held[(round + 1) % 2][threadIdx.x] = theirs[threadIdx.x] + 1.0f;
        cluster.sync();
    }
    out[i] = held[rounds % 2][threadIdx.x];
}"""


@pytest.mark.parametrize("size", [1, 2, 3, 8])
@pytest.mark.parametrize("threads", [1, 32, 50])
def test_blocks_read_one_another(size, threads):
    blocks, rounds = 24, 5
    x = np.arange(blocks * threads, dtype=np.float32)
    out = cp.zeros_like(cp.asarray(x))
    kernel(TURN, "turn", f"-DSIZE={size}")((blocks,), (threads,), (out, cp.asarray(x), np.int32(rounds)))
    want = np.roll(x.reshape(-1, size, threads), -rounds, axis=1).ravel() + rounds
    np.testing.assert_array_equal(out.get(), want)


PLACES = """extern "C" __global__ void __cluster_dims__(DIMS) places(int* out) {
    cg::cluster_group c = cg::this_cluster();
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int* mine = out + 16 * (block * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x);
    dim3 at = c.block_index(), of = c.dim_blocks(), thread = c.thread_index(), all = c.dim_threads();
    int values[] = {(int)at.x, (int)at.y, (int)at.z, (int)of.x, (int)of.y, (int)of.z, (int)c.block_rank(),
                    (int)c.num_blocks(), (int)c.thread_rank(), (int)c.num_threads(), (int)thread.x,
                    (int)thread.y, (int)thread.z, (int)all.x, (int)all.y, (int)all.z};
    for (int k = 0; k < 16; ++k) mine[k] = values[k];
}"""


@pytest.mark.parametrize("dims", [(2, 1, 1), (2, 2, 1), (1, 3, 2), (2, 2, 2)])
def test_places_in_a_cluster(dims):
    grid, block = (4, 6, 2), (3, 2)
    out = cp.zeros((np.prod(grid) * 6, 16), dtype=np.int32)
    kernel(PLACES, "places", f"-DDIMS={dims[0]},{dims[1]},{dims[2]}")(grid, block, (out,))
    rows = []
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                at = (x % dims[0], y % dims[1], z % dims[2])
                rank = (at[2] * dims[1] + at[1]) * dims[0] + at[0]
                number = int(np.prod(dims))
                for ty in range(2):
                    for tx in range(3):
                        thread = (at[0] * 3 + tx, at[1] * 2 + ty, at[2])
                        rows.append(
                            (*at, *dims, rank, number, rank * 6 + ty * 3 + tx, number * 6, *thread,
                             dims[0] * 3, dims[1] * 2, dims[2])
                        )  # fmt: skip
    np.testing.assert_array_equal(out.get(), rows)


def test_a_histogram_over_the_shared_memory_of_a_cluster():
    code = """extern "C" __global__ void __cluster_dims__(4) count(const int* x, int n, int* bins) {
        extern __shared__ int part[];                  // 64 of the cluster's 256 bins
        cg::cluster_group cluster = cg::this_cluster();
        for (int i = threadIdx.x; i < 64; i += blockDim.x) part[i] = 0;
        cluster.sync();
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            int* of = cluster.map_shared_rank(part, x[i] / 64);
            atomicAdd(of + x[i] % 64, 1);
        }
        cluster.sync();
        for (int i = threadIdx.x; i < 64; i += blockDim.x) {
            atomicAdd(bins + 64 * cluster.block_rank() + i, part[i]);
        }
    }"""
    x = np.random.default_rng(3).integers(0, 256, 10_007, dtype=np.int32)
    bins = cp.zeros(256, dtype=np.int32)
    kernel(code, "count")((8,), (96,), (cp.asarray(x), np.int32(x.size), bins), shared_mem=256)
    np.testing.assert_array_equal(bins.get(), np.bincount(x, minlength=256))


def test_whose_an_address_is_and_the_functions_behind_the_groups():
    code = """extern "C" __global__ void __cluster_dims__(2, 2) asked(int* out) {
        __shared__ int word;
        cg::cluster_group cluster = cg::this_cluster();
        int block = blockIdx.y * gridDim.x + blockIdx.x;
        if (threadIdx.x == 0) word = 0;
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
        int* last = (int*)__cluster_map_shared_rank(&word, 3);
        if (threadIdx.x == 0) {
            atomicAdd(last, 1 << __clusterRelativeBlockRank());
            out[4 * block] = cluster.query_shared_rank(last);
            out[4 * block + 1] = cluster.query_shared_rank(&word);
            dim3 at = __clusterIdx(), all = __clusterGridDimInClusters();
            out[4 * block + 2] = at.x + 10 * at.y + 100 * all.x;
        }
        cluster.barrier_arrive();
        cluster.barrier_wait();
        if (threadIdx.x == 0) out[4 * block + 3] = *last;
        cluster.sync();
    }"""
    out = cp.zeros((4, 6, 4), dtype=np.int32)
    kernel(code, "asked")((6, 4), (32,), (out,))
    y, x = np.mgrid[:4, :6]
    place = x // 2 + 10 * (y // 2) + 300
    want = np.stack([np.full_like(x, 3), y % 2 * 2 + x % 2, place, np.full_like(x, 15)], -1)
    np.testing.assert_array_equal(out.get(), want)


def test_blocks_that_have_returned_are_not_waited_for():
    code = """extern "C" __global__ void __cluster_dims__(4) some(int* out) {
        __shared__ int word[32];
        cg::cluster_group cluster = cg::this_cluster();
        word[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
        cluster.sync();
        int* theirs = cluster.map_shared_rank(word, 3);
        int value = theirs[threadIdx.x];
        cluster.sync();
        if (cluster.block_rank() == 3) return;
        out[blockIdx.x * 32 + threadIdx.x] = value;
        cluster.sync();
    }"""
    out = cp.zeros((8, 32), dtype=np.int32)
    kernel(code, "some")((8,), (32,), (out,))
    want = np.stack([100 * (b // 4 * 4 + 3) + np.arange(32) if b % 4 < 3 else np.zeros(32) for b in range(8)])
    np.testing.assert_array_equal(out.get(), want)


def test_without_dimensions_a_cluster_is_a_block():
    code = """extern "C" __global__ void alone(int* out) {
        __shared__ int word[32];
        cg::cluster_group cluster = cg::this_cluster();
        word[threadIdx.x] = threadIdx.x;
        cluster.sync();
        int* mine = cluster.map_shared_rank(word, 0);
        out[blockIdx.x * 32 + threadIdx.x] = mine[31 - threadIdx.x] + 100 * cluster.num_blocks();
    }"""
    out = cp.zeros((5, 32), dtype=np.int32)
    kernel(code, "alone")((5,), (32,), (out,))
    np.testing.assert_array_equal(out.get(), np.tile(131 - np.arange(32), (5, 1)))


def test_grids_that_are_no_multiple_are_refused():
    out = x = cp.zeros(64 * 5, dtype=np.float32)
    with pytest.raises(Exception, match="cluster|Cluster"):
        kernel(TURN, "turn", "-DSIZE=2")((5,), (64,), (out, x, np.int32(1)))
        cp.cuda.Device().synchronize()


@on_cpu
@pytest.mark.parametrize("size", ["0", "9", "2, 5", "1, 1, 1, 1"])
def test_sizes_that_no_gpu_has(size):
    code = f'extern "C" __global__ void __cluster_dims__({size}) none(int* out) {{ out[0] = 1; }}'
    with pytest.raises(cp.cuda.compiler.CompileException, match="__cluster_dims__"):
        kernel(code, "none").compile()


@on_cpu
def test_memory_beyond_the_cluster_is_found():
    code = """extern "C" __global__ void __cluster_dims__(2) beyond(int* out, int rank) {
        __shared__ int word[64];
        cg::cluster_group cluster = cg::this_cluster();
        word[threadIdx.x] = 1;
        cluster.sync();
        out[threadIdx.x] = cluster.map_shared_rank(word, rank)[threadIdx.x];
        cluster.sync();
    }"""
    out = cp.zeros(32, dtype=np.int32)
    for rank in (2, 1000, -1):
        with pytest.raises(cp.cuda.KernelMemoryError, match="out-of-bounds read"):
            kernel(code, "beyond")((2,), (32,), (out, np.int32(rank)))


@on_cpu
def test_barriers_of_grid_and_cluster_that_wait_for_each_other():
    code = """extern "C" __global__ void __cluster_dims__(2) both(int* out) {
        if (blockIdx.x == 0) cg::this_grid().sync(); else cg::this_cluster().sync();
        out[0] = 1;
    }"""
    stuck = cp.RawKernel(HEADER + code, "both", enable_cooperative_groups=True)
    with pytest.raises(RuntimeError, match="deadlock"):
        stuck((2,), (32,), (cp.zeros(1, dtype=np.int32),))

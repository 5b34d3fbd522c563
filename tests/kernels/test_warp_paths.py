"""Collectives of warps by all the ways that they run in.

In vectors for whole warps, by the scheduler where lanes are missing or go different ways, thread by thread in
the checking mode. The oracle is NumPy's indexing.
"""

import contextlib

import numpy as np
import pytest
from corpus import ON_CPU

import cuprum as cp

BLOCKS = [1, 5, 31, 32, 33, 64, 96, 100, 256]
TYPES = {"float": np.float32, "double": np.float64, "int": np.int32, "long long": np.int64}


def both_ways():
    """Yield a context for each way that kernels run in on this device."""
    yield contextlib.nullcontext()
    if ON_CPU:
        yield cp.cuda.check()


def launch(code, name, block, arrays, grid=1):
    """Launch in every way; return the arrays of the first, equal in all."""
    results = []
    for way in both_ways():
        with way:
            given = [cp.array(a) if isinstance(a, np.ndarray) else a for a in arrays]
            cp.RawKernel(code, name)(grid, block, tuple(given))
            results.append([cp.asnumpy(a) if isinstance(a, cp.ndarray) else a for a in given])
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)
    return results[0]


def source(kind, lane, by, width):
    """Return the lane that each lane reads."""
    group, within = lane // width * width, lane % width
    if kind == "idx":
        return group + by % width
    if kind == "up":
        return np.where(within >= by, lane - by, lane)
    if kind == "down":
        return np.where(within + by < width, lane + by, lane)
    other = lane ^ by
    return np.where(other // width * width <= group, other, lane)


def there(threads, kind, by, width=32):
    """Return for each thread of a block whether the lane that it reads is there."""
    t = np.arange(threads)
    lane = t % 32
    return source(kind, lane, by, width) < np.minimum(threads - (t - lane), 32)


def shuffled(x, kind, by, width=32):
    """Return what a block's threads receive; lanes that are not there are not read."""
    t = np.arange(len(x))
    lane = t % 32
    return x[t - lane + np.where(there(len(x), kind, by, width), source(kind, lane, by, width), lane)]


def call(kind, value, by, width):
    name = {"idx": "__shfl_sync"}.get(kind, f"__shfl_{kind}_sync")
    return f"{name}(0xffffffff, {value}, {by}, {width})"


@pytest.mark.parametrize("threads", BLOCKS)
@pytest.mark.parametrize("ctype", TYPES)
@pytest.mark.parametrize("kind", ["idx", "up", "down", "xor"])
def test_shuffles_by_numbers_and_by_arguments(kind, ctype, threads):
    """Distances that the compiler knows go another way than those that come with the launch."""
    cases = [(1, 32), (2, 32), (3, 32), (4, 32), (5, 16), (16, 32), (31, 32), (7, 8), (1, 2), (3, 4), (0, 32)]
    known = "\n".join(f"out[{k} * n + t] = {call(kind, 'x', by, w)};" for k, (by, w) in enumerate(cases))
    given = f"for (int k = 0; k < count; ++k) out[k * n + t] = {call(kind, 'x', 'bys[k]', 'widths[k]')};"
    parameters = f"const {ctype}* in, {ctype}* out, int n"
    code = f"""
    extern "C" __global__ void known({parameters}) {{
        int t = threadIdx.x;
        {ctype} x = in[t];
        {known}
    }}
    extern "C" __global__ void given({parameters}, const int* bys, const int* widths, int count) {{
        int t = threadIdx.x;
        {ctype} x = in[t];
        {given}
    }}"""
    x = (np.random.default_rng(threads).standard_normal(threads) * 1e6).astype(TYPES[ctype])
    want = np.concatenate([shuffled(x, kind, by, width) for by, width in cases])
    # A GPU gives no certain value for a lane that is not there; on the CPU it is the reader's own.
    sure = np.concatenate([there(threads, kind, by, width) | ON_CPU for by, width in cases])
    out = np.zeros(len(want), x.dtype)
    got = launch(code, "known", threads, (x, out, np.int32(threads)))[1]
    np.testing.assert_array_equal(got[sure], want[sure])
    bys, widths = (np.array(column, np.int32) for column in zip(*cases, strict=True))
    arguments = (x, out, np.int32(threads), bys, widths, np.int32(len(cases)))
    got = launch(code, "given", threads, arguments)[1]
    np.testing.assert_array_equal(got[sure], want[sure])


SUMS = """
__device__ float warp_sum(float x) {
    for (int by = 16; by > 0; by /= 2) x += __shfl_down_sync(0xffffffff, x, by);
    return x;
}
__device__ float block_sum(float x, float* parts) {
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x = warp_sum(x);
    if (lane == 0) parts[warp] = x;
    __syncthreads();
    x = threadIdx.x < (blockDim.x + 31) / 32 ? parts[lane] : 0.0f;
    if (warp == 0) x = warp_sum(x);
    return x;
}
extern "C" __global__ void sums(const float* in, float* out, int n) {
    __shared__ float parts[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = block_sum(i < n ? in[i] : 0.0f, parts);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void leaving(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int by = 1; by < 32; by <<= 1) x += __shfl_xor_sync(__activemask(), x, by);
    out[i] = x;
}
"""


@pytest.mark.parametrize("threads", [32, 64, 96, 256, 1024])
def test_sums_by_nested_functions(threads):
    n = 5 * threads - 7
    x = np.random.default_rng(0).integers(0, 50, n).astype(np.float32)
    got = launch(SUMS, "sums", threads, (x, np.zeros(5, np.float32), np.int32(n)), grid=5)[1]
    want = np.pad(x, (0, 7)).reshape(5, threads).sum(1)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("n", [256, 255, 200, 192, 33, 32, 31, 1])
def test_lanes_that_returned_before(n):
    """Whole warps are summed; in a warp that some lanes have left, those that are there read their own."""
    x = np.random.default_rng(1).integers(0, 50, n).astype(np.float32)
    got = launch(SUMS, "leaving", 64, (x, np.zeros(n, np.float32), np.int32(n)), grid=4)[1]
    want = np.empty_like(x)
    for first in range(0, n, 32):
        lanes = x[first : first + 32]
        for by in (1, 2, 4, 8, 16):
            lanes = lanes + shuffled(lanes, "xor", by)
        want[first : first + 32] = lanes
    sure = (
        slice(None) if ON_CPU else slice(n // 32 * 32)
    )  # what a GPU reads of a lane that has left is anything
    np.testing.assert_array_equal(got[sure], want[sure])


@pytest.mark.parametrize("block", [(64,), (8, 8), (16, 4), (4, 4, 4), (2, 3, 5), (7, 9), (32, 2), (33, 3)])
def test_lanes_across_rows(block):
    """A warp is 32 threads that follow each other, whatever rows they are in."""
    code = """
    extern "C" __global__ void rows(const int* in, int* out, unsigned* votes) {
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int x = in[t] + threadIdx.x * 1000 + threadIdx.y;
        for (int by = 1; by < 32; by *= 2) {
            int y = __shfl_up_sync(0xffffffff, x, by);
            if ((t & 31) >= by) x += y;
        }
        out[t] = x;
        votes[t] = __ballot_sync(0xffffffff, threadIdx.y & 1);
    }"""
    threads = int(np.prod(block))
    x = np.random.default_rng(2).integers(0, 100, threads).astype(np.int32)
    wide, tall = (*block, 1)[0], (*block, 1)[1]
    t = np.arange(threads)
    column, row = t % wide, t // wide % tall
    given = x + column * 1000 + row
    want, votes = np.empty_like(x), np.empty(threads, np.uint32)
    for first in range(0, threads, 32):
        warp = slice(first, first + 32)
        want[warp] = np.cumsum(given[warp])
        votes[warp] = sum(1 << lane for lane, y in enumerate(row[warp]) if y & 1)
    got = launch(code, "rows", block, (x, np.zeros_like(x), np.zeros(threads, np.uint32)))
    np.testing.assert_array_equal(got[1], want)
    np.testing.assert_array_equal(got[2], votes)


def test_branches_around_shuffles():
    """Halves of a warp with masks of their own; lanes that skip a branch keep what they have."""
    code = """
    extern "C" __global__ void apart(const double* in, double* out) {
        int t = threadIdx.x, lane = t & 31;
        double x = in[t];
        if (lane < 16) {
            x += __shfl_down_sync(0x0000ffff, x, 8, 16);
            x = -__shfl_xor_sync(0x0000ffff, x, 3);
        } else {
            float narrow = (float)x;
            x = __shfl_up_sync(0xffff0000, narrow, 2, 16);
        }
        if (t >= 32) x = __shfl_sync(0xffffffff, x, 5) + lane;
        out[t] = x;
    }"""
    x = np.random.default_rng(3).integers(0, 1000, 96).astype(np.float64)
    want = np.empty_like(x)
    for first in (0, 32, 64):
        low, high = x[first : first + 16], x[first + 16 : first + 32]
        low = low + shuffled(low, "down", 8, 16)
        low = -shuffled(low, "xor", 3)
        high = shuffled(high, "up", 2, 16)
        warp = np.concatenate([low, high])
        if first >= 32:
            warp = warp[5] + np.arange(32.0)
        want[first : first + 32] = warp
    np.testing.assert_array_equal(launch(code, "apart", 96, (x, np.zeros_like(x)))[1], want)


def test_loops_that_votes_end():
    """Warps go round as often as their slowest lane; what is kept across a vote stays each lane's own."""
    code = """
    extern "C" __global__ void collatz(const int* in, int* steps, int* rounds, unsigned* last) {
        int t = threadIdx.x, n = in[t], count = 0, all = 0;
        unsigned mask = 0;
        while (__any_sync(0xffffffff, n != 1)) {
            mask = __ballot_sync(0xffffffff, n != 1);
            if (n != 1) {
                n = n & 1 ? 3 * n + 1 : n / 2;
                ++count;
            }
            ++all;
        }
        steps[t] = count;
        rounds[t] = all;
        last[t] = mask;
    }"""

    def collatz(n):
        count = 0
        while n != 1:
            n = 3 * n + 1 if n & 1 else n // 2
            count += 1
        return count

    x = np.random.default_rng(4).integers(1, 300, 80).astype(np.int32)
    zeros = np.zeros(80, np.int32)
    _, steps, rounds, last = launch(code, "collatz", 80, (x, zeros, zeros, zeros.view(np.uint32)))
    want = np.array([collatz(int(n)) for n in x])
    np.testing.assert_array_equal(steps, want)
    for first in (0, 32, 64):
        warp = want[first : first + 32]
        np.testing.assert_array_equal(rounds[first : first + 32], warp.max())
        slowest = sum(1 << lane for lane, count in enumerate(warp) if count == warp.max())
        np.testing.assert_array_equal(last[first : first + 32], slowest)


def test_a_sum_that_barriers_and_warps_share():
    """Shared memory between `__syncwarp` and `__syncthreads`, with values kept over both."""
    code = """
    extern "C" __global__ void mixed(const float* in, float* out, int rounds) {
        __shared__ float held[128];
        int t = threadIdx.x, lane = t & 31;
        float x = in[t], total = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            held[t] = x + k;
            __syncwarp();
            float y = held[(t & ~31) + ((lane + 1) & 31)];
            __syncwarp();
            total += __shfl_xor_sync(0xffffffff, y, 1);
            __syncthreads();
            held[t] = total;
            __syncthreads();
            x = held[127 - t];
            __syncthreads();
        }
        out[t] = total;
    }"""
    x = np.random.default_rng(5).integers(0, 9, 128).astype(np.float32)
    got = launch(code, "mixed", 128, (x, np.zeros_like(x), np.int32(4)))[1]
    t = np.arange(128)
    total, held = np.zeros_like(x), x.copy()
    for k in range(4):
        y = (held + k)[(t & ~31) + ((t + 1) & 31)]
        total = total + shuffled(y, "xor", 1)
        held = total[::-1]
    np.testing.assert_array_equal(got, total)

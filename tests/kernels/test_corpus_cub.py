"""CUB's algorithms of blocks and warps, against NumPy."""

import numpy as np
from corpus import Case, floats, integers, rows, run

I32 = np.int32
F = np.float32


def stable(keys):
    return np.argsort(keys, kind="stable")


def exclusive(x, axis=-1):
    return np.cumsum(x, axis, dtype=x.dtype) - x


def _flags(x):
    new = x[1:] != x[:-1]
    return np.r_[True, new] + 2 * np.r_[new, True]


def _segments(x):
    """Return the sum of each segment of five lanes, cut at the ends of warps, where it begins; else zero."""
    heads = [i for i in range(64) if i % 5 == 0 or i % 32 == 0]
    out = np.zeros(64, I32)
    for first, last in zip(heads, [*heads[1:], 64], strict=True):
        out[first] = x[first:last].sum()
    return out


CASES = [
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void block_reduce(const int* x, int* out) {
            typedef cub::BlockReduce<int, 256> Reduce;
            __shared__ typename Reduce::TempStorage temp;
            int t = threadIdx.x, pair[2] = {x[t], -x[255 - t] * 2};
            int sum = Reduce(temp).Sum(x[t]);
            __syncthreads();
            int most = Reduce(temp).Reduce(x[t], cub::Max(), 100);
            __syncthreads();
            int both = Reduce(temp).Sum(pair);
            int own = cub::BlockReduce<int, 256>().Reduce(x[t], cub::Min());
            if (t == 0) out[0] = sum, out[1] = most, out[2] = both, out[3] = own;
        }""",
        lambda: [integers(256, low=1), np.zeros(4, I32)],
        lambda x, out: {1: [x.sum(), x[:100].max(), -x.sum(), x.min()]},
        block=(256,),
    ),
    Case(
        """#include <cub/block/block_reduce.cuh>
        extern "C" __global__ void block_reduce_pairs(const double* x, double* out) {
            typedef cub::KeyValuePair<int, double> Pair;
            typedef cub::BlockReduce<Pair, 10, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 5> Best;
            typedef cub::BlockReduce<double, 10, cub::BLOCK_REDUCE_RAKING, 5> Sum;
            __shared__ Best::TempStorage best;
            __shared__ Sum::TempStorage sum;
            int i = threadIdx.y * 10 + threadIdx.x;
            Pair most = Best(best).Reduce(Pair(i, x[i]), cub::ArgMax());
            double all = Sum(sum).Sum(x[i]);
            if (i == 0) out[0] = most.key, out[1] = most.value, out[2] = all;
        }""",
        lambda: [integers(50, high=40, dtype=np.int64).astype(float), np.zeros(3)],
        lambda x, out: {1: [np.argmax(x), x.max(), x.sum()]},
        block=(10, 5),
    ),
    Case(
        """#include <cub/block/block_scan.cuh>
        extern "C" __global__ void block_scan(const int* x, int* inclusive, int* exclusive, int* most, int* total) {
            typedef cub::BlockScan<int, 100> Scan;
            __shared__ typename Scan::TempStorage temp;
            int t = threadIdx.x, a, b, c, sum;
            Scan(temp).InclusiveSum(x[t], a);
            __syncthreads();
            Scan(temp).ExclusiveSum(x[t], b, sum);
            __syncthreads();
            Scan(temp).InclusiveScan(x[t], c, cub::Max());
            inclusive[t] = a, exclusive[t] = b, most[t] = c;
            if (t == 57) *total = sum;
        }""",
        lambda: [integers(100, low=-500), *(np.zeros(100, I32) for _ in range(3)), np.zeros(1, I32)],
        lambda x, a, b, c, d: {
            1: np.cumsum(x, dtype=I32),
            2: exclusive(x),
            3: np.maximum.accumulate(x),
            4: [x.sum()],
        },
        block=(100,),
    ),
    Case(
        """#include <cub/cub.cuh>
        struct Running {
            int total;
            __device__ Running(int start) : total(start) {}
            __device__ int operator()(int sum) { int before = total; total += sum; return before; }
        };
        extern "C" __global__ void block_scan_tiles(const int* x, int* out) {
            typedef cub::BlockScan<int, 64> Scan;
            __shared__ Scan::TempStorage temp;
            Running before(7);
            for (int base = 0; base < 256; base += 128) {
                int items[2];
                cub::LoadDirectBlocked(threadIdx.x, x + base, items);
                Scan(temp).ExclusiveSum(items, items, before);
                __syncthreads();
                cub::StoreDirectBlocked(threadIdx.x, out + base, items);
            }
        }""",
        lambda: [integers(256), np.zeros(256, I32)],
        lambda x, out: {1: exclusive(x) + 7},
        block=(64,),
    ),
    Case(
        """#include <cub/block/block_radix_sort.cuh>
        #include <cub/block/block_load.cuh>
        #include <cub/block/block_store.cuh>
        extern "C" __global__ void radix_sort(float* x, int* v) {
            typedef cub::BlockRadixSort<float, 128, 3, int> Sort;
            typedef cub::BlockLoad<float, 128, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
            __shared__ union { typename Sort::TempStorage sort; typename Load::TempStorage load; } temp;
            float keys[3];
            int values[3];
            Load(temp.load).Load(x, keys);
            cub::BlockLoad<int, 128, 3>().Load(v, values);
            __syncthreads();
            Sort(temp.sort).Sort(keys, values);
            cub::BlockStore<float, 128, 3>().Store(x, keys);
            cub::BlockStore<int, 128, 3>().Store(v, values);
        }""",
        lambda: [_signed(), np.arange(384, dtype=I32)],
        lambda x, v: {0: x[stable(x)], 1: v[stable(x)]},
        block=(128,),
    ),
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void radix_sort_digits(long long* x, short* y, unsigned char* z) {
            typedef cub::BlockRadixSort<long long, 32, 2> Wide;
            typedef cub::BlockRadixSort<short, 32, 2> Narrow;
            typedef cub::BlockRadixSort<unsigned char, 32, 2> Bytes;
            __shared__ Wide::TempStorage wide;
            __shared__ Narrow::TempStorage narrow;
            __shared__ Bytes::TempStorage bytes;
            int t = threadIdx.x;
            long long a[2] = {x[2 * t], x[2 * t + 1]};
            short b[2] = {y[2 * t], y[2 * t + 1]};
            unsigned char c[2] = {z[2 * t], z[2 * t + 1]};
            Wide(wide).SortDescending(a);
            Narrow(narrow).SortBlockedToStriped(b);
            Bytes(bytes).Sort(c, 2, 5);
            x[2 * t] = a[0], x[2 * t + 1] = a[1];
            y[t] = b[0], y[t + 32] = b[1];
            z[2 * t] = c[0], z[2 * t + 1] = c[1];
        }""",
        lambda: [
            integers(64, low=-(2**40), high=2**40, dtype=np.int64),
            integers(64, low=-300, high=300, dtype=np.int16),
            integers(64, high=256, dtype=np.uint8),
        ],
        lambda x, y, z: {0: np.sort(x)[::-1], 1: np.sort(y), 2: z[stable(z >> 2 & 7)]},
    ),
    Case(
        """#include <cub/cub.cuh>
        struct Item { float place; int key; };
        struct Falling { __device__ bool operator()(const Item& a, const Item& b) const { return a.key > b.key; } };
        extern "C" __global__ void merge_sort(const int* x, float* out, int valid) {
            typedef cub::BlockMergeSort<Item, 64, 4> Sort;
            __shared__ Sort::TempStorage temp;
            Item items[4], last = {-1, 0};
            for (int i = 0; i < 4; ++i) {
                int at = threadIdx.x * 4 + i;
                items[i].place = at, items[i].key = x[at] % 10;
            }
            Sort(temp).Sort(items, Falling(), valid, last);
            for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = items[i].place;
        }""",
        lambda: [integers(256), np.zeros(256, F), 201],
        lambda x, out, valid: {1: np.r_[stable(-(x[:valid] % 10)), np.full(256 - valid, -1)]},
        block=(64,),
    ),
    Case(
        """#include <cub/warp/warp_reduce.cuh>
        #include <cub/warp/warp_scan.cuh>
        extern "C" __global__ void warps(const int* x, int* sums, int* scans, int* segments, float* shared) {
            typedef cub::WarpReduce<int> Reduce;
            typedef cub::WarpScan<int, 8> Scan;
            __shared__ Reduce::TempStorage reduce[2];
            __shared__ Scan::TempStorage scan[8];
            int t = threadIdx.x, before;
            int sum = Reduce(reduce[t / 32]).Sum(x[t]);
            if (t % 32 == 0) sums[t / 32] = sum;
            int few = Reduce(reduce[t / 32]).Reduce(x[t], cub::Max(), 10);
            if (t % 32 == 0) sums[2 + t / 32] = few;
            Scan(scan[t / 8]).ExclusiveSum(x[t], before);
            scans[t] = before;
            int part = Reduce(reduce[t / 32]).HeadSegmentedSum(x[t], t % 5 == 0);
            if (t % 5 == 0 || t % 32 == 0) segments[t] = part;
            typedef cub::WarpScan<float, 16> Share;
            __shared__ Share::TempStorage share[4];
            shared[t] = Share(share[t / 16]).Broadcast((float)x[t], 3);
        }""",
        lambda: [integers(64), np.zeros(4, I32), np.zeros(64, I32), np.zeros(64, I32), np.zeros(64, F)],
        lambda x, a, b, c, d: {
            1: np.r_[x.reshape(2, 32).sum(1), x.reshape(2, 32)[:, :10].max(1)],
            2: exclusive(x.reshape(8, 8), 1).ravel(),
            3: _segments(x),
            4: np.repeat(x[3::16], 16),
        },
        block=(64,),
    ),
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void neighbours(const int* x, int* flags, int* counts, int* order, int* steps, int* next) {
            int t = threadIdx.x, items[2] = {x[2 * t] % 4, x[2 * t + 1] % 4}, heads[2], tails[2], less[2];
            typedef cub::BlockDiscontinuity<int, 64> Ends;
            typedef cub::BlockHistogram<int, 64, 2, 4> Counts;
            typedef cub::BlockExchange<int, 64, 2> Exchange;
            typedef cub::BlockAdjacentDifference<int, 64> Steps;
            typedef cub::BlockShuffle<int, 64> Shuffle;
            __shared__ Ends::TempStorage ends;
            __shared__ Counts::TempStorage count;
            __shared__ Exchange::TempStorage exchange;
            __shared__ Steps::TempStorage step;
            __shared__ Shuffle::TempStorage shuffle;
            __shared__ unsigned histogram[4];
            Ends(ends).FlagHeadsAndTails(heads, tails, items, cub::Inequality());
            Counts(count).Histogram(items, histogram);
            Steps(step).SubtractLeft(items, less, cub::Difference());
            __syncthreads();
            if (t < 4) counts[t] = histogram[t];
            int ranks[2] = {127 - 2 * t, 126 - 2 * t}, turned[2] = {2 * t, 2 * t + 1};
            Exchange(exchange).ScatterToBlocked(turned, ranks);
            Exchange(exchange).BlockedToStriped(turned);
            for (int i = 0; i < 2; ++i) {
                flags[2 * t + i] = heads[i] + 2 * tails[i];
                steps[2 * t + i] = less[i];
                order[t + 64 * i] = turned[i];
            }
            int following = -1;
            Shuffle(shuffle).Offset(x[t], following, 1);
            next[t] = following;
        }""",
        lambda: [integers(128), *(np.zeros(n, I32) for n in (128, 4, 128, 128, 64))],
        lambda x, a, b, c, d, e: {
            1: _flags(x % 4),
            2: np.bincount(x % 4, minlength=4),
            3: np.arange(128)[::-1],
            4: np.r_[x[0] % 4, np.diff(x % 4)],
            5: np.r_[x[1:64], -1],
        },
        block=(64,),
    ),
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void moved(const int* x, int* before, int* after, int* ends) {
            typedef cub::BlockShuffle<int, 32> Shuffle;
            __shared__ Shuffle::TempStorage shuffle;
            int t = threadIdx.x, items[3] = {x[3 * t], x[3 * t + 1], x[3 * t + 2]}, prev[3], next[3], first, last;
            prev[0] = -1, next[2] = -2;
            Shuffle(shuffle).Up(items, prev, last);
            __syncthreads();
            Shuffle(shuffle).Down(items, next, first);
            for (int i = 0; i < 3; ++i) before[3 * t + i] = prev[i], after[3 * t + i] = next[i];
            ends[t] = 1000 * first + last;
        }""",
        lambda: [integers(96), np.zeros(96, I32), np.zeros(96, I32), np.zeros(32, I32)],
        lambda x, a, b, c: {
            1: np.r_[-1, x[:-1]],
            2: np.r_[x[1:], -2],
            3: np.full(32, 1000 * x[0] + x[-1]),
        },
        block=(32,),
    ),
    Case(
        """#include <cub/cub.cuh>
        extern "C" __global__ void part_of_a_tile(const float* x, float* out, float* striped, int n) {
            typedef cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_STRIPED> Striped;
            float a[4], b[4];
            cub::BlockLoad<float, 32, 4>().Load(x, a, n, -1.0f);
            Striped().Load(x, b, n, -2.0f);
            cub::BlockStore<float, 32, 4>().Store(out, a, n + 3);
            for (int i = 0; i < 4; ++i) striped[threadIdx.x * 4 + i] = b[i];
        }""",
        lambda: [floats(100), np.zeros(128, F), np.zeros(128, F), 100],
        lambda x, out, striped, n: {
            1: np.r_[x, [-1] * 3, np.zeros(25)],
            2: np.r_[x, np.full(28, -2)].astype(F).reshape(4, 32).T.ravel(),
        },
    ),
]


def _signed():
    x = floats(384)
    x[:6] = [0.0, -0.0, np.inf, -np.inf, 0.0, -0.0]
    return x


@rows(CASES)
def test_cub(case):
    run(case)

"""What Thrust and C++'s library do inside a kernel, one thread at a time, against NumPy."""

import numpy as np
from corpus import Case, floats, integers, rows, run

I32 = np.int32
F = np.float32


def stable(keys):
    return np.argsort(keys, kind="stable")


def _scanned(x):
    sums = np.cumsum(x, dtype=I32)
    return np.r_[sums, sums - x, 3 + sums - x]


def _unique(x):
    keys, counts = np.unique(x, return_counts=True)
    return np.r_[keys.size, keys, counts, np.zeros(40 - 2 * keys.size)].astype(I32)


CASES = [
    Case(
        """#include <thrust/sort.h>
        #include <thrust/execution_policy.h>
        #include <thrust/functional.h>
        extern "C" __global__ void thrust_sort(int* x, float* keys, int* values, int n) {
            if (threadIdx.x == 0) thrust::sort(thrust::seq, x, x + n);
            if (threadIdx.x == 1) {
                thrust::stable_sort_by_key(thrust::device, keys, keys + n, values, thrust::greater<float>());
            }
        }""",
        lambda: [integers(500), (floats(500, seed=3) * 10).round().astype(F), np.arange(500, dtype=I32), 500],
        lambda x, keys, values, n: {0: np.sort(x), 1: -np.sort(-keys), 2: stable(-keys)},
        block=(2,),
    ),
    Case(
        """#include <thrust/reduce.h>
        #include <thrust/transform_reduce.h>
        #include <thrust/extrema.h>
        #include <thrust/binary_search.h>
        #include <thrust/count.h>
        #include <thrust/iterator/counting_iterator.h>
        struct Square { __device__ int operator()(int a) const { return a * a; } };
        struct Odd { __device__ bool operator()(int a) const { return a & 1; } };
        extern "C" __global__ void thrust_reduce(const int* x, int* out, int n) {
            out[0] = thrust::reduce(thrust::seq, x, x + n);
            out[1] = thrust::reduce(thrust::seq, x, x + n, 0, thrust::maximum<int>());
            out[2] = thrust::transform_reduce(thrust::seq, thrust::make_counting_iterator(0),
                                              thrust::make_counting_iterator(10), Square(), 5, thrust::plus<int>());
            out[3] = thrust::max_element(thrust::device, x, x + n) - x;
            out[4] = thrust::lower_bound(thrust::seq, x, x + n, 300) - x;
            out[5] = thrust::upper_bound(thrust::seq, x, x + n, 300) - x;
            out[6] = thrust::count_if(thrust::seq, x, x + n, Odd());
            out[7] = thrust::max(3, 7) * 10 + thrust::min(2, 5);
            out[8] = thrust::binary_search(thrust::seq, x, x + n, x[17]);
        }""",
        lambda: [np.sort(integers(200)), np.zeros(9, I32), 200],
        lambda x, out, n: {
            1: [
                x.sum(),
                x.max(),
                290,
                np.argmax(x),
                np.searchsorted(x, 300),
                np.searchsorted(x, 300, "right"),
                (x % 2).sum(),
                72,
                1,
            ]
        },
        block=(1,),
    ),
    Case(
        """#include <thrust/scan.h>
        #include <thrust/reduce.h>
        extern "C" __global__ void thrust_scans(const int* x, int* sums, int* groups, int n) {
            thrust::inclusive_scan(thrust::seq, x, x + n, sums);
            thrust::exclusive_scan(thrust::seq, x, x + n, sums + n);
            thrust::exclusive_scan(thrust::seq, x, x + n, sums + 2 * n, 3);
            int ones[30], keys[30], counts[30];
            for (int i = 0; i < n; ++i) ones[i] = 1;
            auto ends = thrust::reduce_by_key(thrust::seq, x, x + n, ones, keys, counts);
            int found = ends.first - keys;
            groups[0] = found;
            for (int i = 0; i < found; ++i) groups[1 + i] = keys[i], groups[1 + found + i] = counts[i];
        }""",
        lambda: [np.sort(integers(30, high=15)), np.zeros(90, I32), np.zeros(41, I32), 30],
        lambda x, sums, groups, n: {1: _scanned(x), 2: _unique(x)},
        block=(1,),
    ),
    Case(
        """#include <thrust/tuple.h>
        #include <thrust/pair.h>
        #include <thrust/swap.h>
        #include <thrust/complex.h>
        extern "C" __global__ void thrust_values(float* out) {
            thrust::tuple<int, float, char> t = thrust::make_tuple(1, 2.5f, 'a');
            thrust::get<0>(t) += 4;
            int a;
            float b;
            char c;
            thrust::tie(a, b, c) = t;
            thrust::pair<int, int> p = thrust::make_pair(5, 6);
            thrust::swap(p.first, p.second);
            thrust::complex<float> z(3, 4);
            out[0] = a, out[1] = b, out[2] = c;
            out[3] = p.first * 10 + p.second;
            out[4] = thrust::abs(z) + std::is_same<int, int>::value;
            out[5] = (t < thrust::make_tuple(5, 3.0f, 'a')) + 2 * (t == t);
            out[6] = sizeof(thrust::tuple<double, int>);
        }""",
        lambda: [np.zeros(7, F)],
        lambda out: {0: [5, 2.5, 97, 65, 6, 3, 16]},
        block=(1,),
    ),
    Case(
        """#include <algorithm>
        #include <array>
        #include <numeric>
        #include <tuple>
        extern "C" __global__ void std_library(int* x, int* out, int n) {
            std::sort(x, x + n, std::greater<int>());
            out[0] = std::accumulate(x, x + n, 0);
            out[1] = std::count(x, x + n, 7);
            auto t = std::make_tuple(1, 2.0, 3u);
            out[2] = std::get<2>(t) + (int)std::get<1>(t);
            out[3] = std::tuple_size<decltype(t)>::value;
            std::array<int, 3> a = {1, 2, 3};
            std::reverse(a.begin(), a.end());
            out[4] = a[0] * 100 + a[1] * 10 + a[2];
            out[5] = *std::max_element(x, x + n) - *std::min_element(x, x + n);
            out[6] = std::plus<>()(2, 3) + std::clamp(9, 1, 4);
            std::pair<int, float> p(1, 2.0f);
            out[7] = p.first + (int)p.second;
            out[8] = (int)(std::unique(x, x + n) - x);
        }""",
        lambda: [integers(100, high=40), np.zeros(9, I32), 100],
        lambda x, out, n: {
            0: _uniqued(-np.sort(-x)),
            1: [x.sum(), (x == 7).sum(), 5, 3, 321, x.max() - x.min(), 9, 3, np.unique(x).size],
        },
        block=(1,),
    ),
]


def _uniqued(x):
    """Return what std::unique leaves: the different elements, then what was there."""
    different = -np.unique(-x)
    return np.r_[different, x[different.size :]]


@rows(CASES)
def test_thrust(case):
    run(case)

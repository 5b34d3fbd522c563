"""Kernels that rely on the lanes of a warp running in step, without a word of synchronisation.

Tests marked `cpu` hold without `volatile`, which a GPU's compiler does not promise.

The oracle is a model of a warp in NumPy: a statement on whole arrays reads for all lanes before it writes
for any.
"""

import warnings

import numpy as np
import pytest
from corpus import ON_CPU

import cuprum as cp
from cuprum import jit

LANES = 32
HALVES = (16, 8, 4, 2, 1)


def run(code, name, block, *arrays, grid=1, shared=0, options=()):
    """Launch on copies; return the arrays as they are then."""
    given = [cp.array(a) if isinstance(a, np.ndarray) else a for a in arrays]
    kernel = cp.RawKernel(code, name, options=tuple(options))
    kernel((grid,), block if isinstance(block, tuple) else (block,), tuple(given), shared_mem=shared)
    return [cp.asnumpy(a) for a in given if isinstance(a, cp.ndarray)]


def halved(values, active=16):
    """What `s[t] += s[t + by]` for the halves leaves, of lanes below `active`."""
    s = values.copy()
    for by in HALVES:
        s[:active] = s[:active] + s[by : by + active]
    return s


def integers(count, dtype=np.float32, seed=5):
    return np.random.default_rng(seed).integers(-50, 50, count).astype(dtype)


# Reductions.


@pytest.mark.cpu
@pytest.mark.parametrize("qualifier", ["volatile", ""])
def test_half_a_warp_adds_up(qualifier):
    code = rf"""
    extern "C" __global__ void add({qualifier} float* s) {{
        int t = threadIdx.x;
        if (t < 16) {{
            s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
        }}
    }}"""
    x = np.arange(LANES, dtype=np.float32)
    (got,) = run(code, "add", LANES, x)
    assert got[0] == 496
    np.testing.assert_array_equal(got, halved(x))


LAST_WARP = r"""
template <unsigned SIZE, typename T> __device__ void last_warp(volatile T* s, unsigned t) {
    if (SIZE >= 64) s[t] += s[t + 32];
    if (SIZE >= 32) s[t] += s[t + 16];
    if (SIZE >= 16) s[t] += s[t + 8];
    if (SIZE >= 8) s[t] += s[t + 4];
    if (SIZE >= 4) s[t] += s[t + 2];
    if (SIZE >= 2) s[t] += s[t + 1];
}
template <unsigned SIZE, typename T> __global__ void sums(const T* x, T* out, unsigned n) {
    __shared__ T s[SIZE + 32];
    unsigned t = threadIdx.x, i = blockIdx.x * SIZE * 2 + t;
    T own = 0;
    for (; i < n; i += SIZE * 2 * gridDim.x) {
        own += x[i];
        if (i + SIZE < n) own += x[i + SIZE];
    }
    s[t] = own;
    if (t < 32) s[SIZE + t] = 0;
    __syncthreads();
    if (SIZE >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
    if (SIZE >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
    if (SIZE >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
    if (t < 32) last_warp<SIZE>(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}
"""


@pytest.mark.parametrize("size", [2, 16, 32, 64, 256, 512])
@pytest.mark.parametrize("kind", ["float", "int", "double"])
def test_the_last_warp_of_a_reduction_needs_no_barrier(size, kind):
    x = integers(5000, {"float": np.float32, "int": np.int32, "double": np.float64}[kind])
    module = cp.RawModule(code=LAST_WARP, name_expressions=[f"sums<{size}, {kind}>"])
    kernel = module.get_function(f"sums<{size}, {kind}>")
    out = cp.zeros(3, x.dtype)
    kernel((3,), (size,), (cp.array(x), out, np.uint32(len(x))))
    assert int(out.sum()) == int(x.sum())


@pytest.mark.parametrize("qualifier", ["volatile", ""])
@pytest.mark.parametrize("guard", ["if (t % 32 < by)", ""])
@pytest.mark.parametrize("block", [32, 64, 96])
def test_reductions_in_loops(qualifier, guard, block):
    code = rf"""
    extern "C" __global__ void add(const int* x, int* y) {{
        __shared__ {qualifier} int s[160];
        int t = threadIdx.x;
        s[t] = x[t];
        for (int by = 16; by > 0; by >>= 1) {{
            {guard} s[t] += s[t ^ by];
        }}
        y[t] = s[t];
    }}"""
    x = integers(block, np.int32)
    want = x.copy()
    t = np.arange(block)
    for by in HALVES:
        active = t % LANES < by if guard else np.ones(block, bool)
        want[active] = want[active] + want[t[active] ^ by]
    np.testing.assert_array_equal(run(code, "add", block, x, np.zeros(block, np.int32))[1], want)


def test_a_reduction_in_a_device_function_by_pointer():
    code = r"""
    __device__ __noinline__ float fold(float* s, int lane) {
        s[lane] = fmaxf(s[lane], s[lane ^ 16]);
        s[lane] = fmaxf(s[lane], s[lane ^ 8]);
        s[lane] = fmaxf(s[lane], s[lane ^ 4]);
        s[lane] = fmaxf(s[lane], s[lane ^ 2]);
        s[lane] = fmaxf(s[lane], s[lane ^ 1]);
        return s[lane];
    }
    extern "C" __global__ void largest(const float* x, float* y) {
        extern __shared__ float s[];
        int t = threadIdx.x, w = t / 32;
        s[t] = x[t];
        y[t] = fold(s + 32 * w, t % 32);
    }"""
    x = integers(128)
    got = run(code, "largest", 128, x, np.zeros_like(x), shared=512)[1]
    np.testing.assert_array_equal(got, np.repeat(x.reshape(4, 32).max(1), 32))


# Scans.


@pytest.mark.cpu
@pytest.mark.parametrize("qualifier", ["volatile", ""])
@pytest.mark.parametrize("block", [32, 128, 37])
def test_scan_of_hillis_and_steele(qualifier, block):
    code = rf"""
    extern "C" __global__ void scan(const int* x, int* y) {{
        __shared__ {qualifier} int s[128];
        int t = threadIdx.x, lane = t & 31;
        s[t] = x[t];
        for (int by = 1; by < 32; by *= 2) {{
            if (lane >= by) s[t] += s[t - by];
        }}
        y[t] = s[t];
    }}"""
    x = integers(block, np.int32)
    want = np.concatenate([np.cumsum(part) for part in np.split(x, range(32, block, 32))])
    np.testing.assert_array_equal(run(code, "scan", block, x, np.zeros_like(x))[1], want)


def test_scan_unrolled_with_zeros_in_front():
    code = r"""
    template <int BY> struct Step {
        static __device__ void go(volatile float* s) { Step<BY / 2>::go(s); s[0] = s[0] + s[-BY]; }
    };
    template <> struct Step<0> { static __device__ void go(volatile float*) {} };
    extern "C" __global__ void scan(const float* x, float* y) {
        __shared__ volatile float s[4 * 48];
        int t = threadIdx.x, at = (t / 32) * 48 + 16 + t % 32;
        if (t % 32 < 16) s[at - 16] = 0;
        s[at] = x[t];
        Step<16>::go(s + at);
        y[t] = s[at];
    }"""
    x = integers(128)
    want = np.cumsum(x.reshape(4, 32), axis=1).ravel()
    np.testing.assert_array_equal(run(code, "scan", 128, x, np.zeros_like(x))[1], want)


# Sorting and neighbours.


def test_bitonic_sort_of_a_warp():
    code = r"""
    extern "C" __global__ void sort(float* x) {
        __shared__ float s[96];
        int t = threadIdx.x, lane = t % 32, base = t - lane;
        s[t] = x[t];
        for (int k = 2; k <= 32; k *= 2)
            for (int j = k / 2; j > 0; j /= 2) {
                int with = lane ^ j;
                float own = s[base + lane], other = s[base + with];
                bool up = (lane & k) == 0, low = lane < with;
                s[base + lane] = (up == low) ? fminf(own, other) : fmaxf(own, other);
            }
        x[t] = s[t];
    }"""
    x = integers(96)
    np.testing.assert_array_equal(run(code, "sort", 96, x)[0], np.sort(x.reshape(3, 32), axis=1).ravel())


@pytest.mark.cpu
def test_median_by_odd_and_even_exchanges():
    code = r"""
    extern "C" __global__ void median(const float* x, float* y) {
        __shared__ float s[32];
        int t = threadIdx.x;
        s[t] = x[blockIdx.x * 32 + t];
        for (int phase = 0; phase < 32; ++phase) {
            int left = phase % 2 ? (t - 1) | 1 : t & ~1;
            if (t == left && left + 1 < 32) {
                float a = s[left], b = s[left + 1];
                s[left] = fminf(a, b);
                s[left + 1] = fmaxf(a, b);
            }
        }
        if (t == 0) y[blockIdx.x] = s[16];
    }"""
    x = integers(32 * 9)
    got = run(code, "median", 32, x, np.zeros(9, np.float32), grid=9)[1]
    np.testing.assert_array_equal(got, np.sort(x.reshape(9, 32), axis=1)[:, 16])


@pytest.mark.parametrize("text", ["x[t - 1] + x[t + 1]", "x[t + 1] - x[t - 1]", "x[t - 1]", "x[t + 1]"])
def test_a_stencil_in_place(text):
    code = rf"""
    extern "C" __global__ void step(int* x) {{
        int t = threadIdx.x + 1;
        x[t] = {text};
    }}"""
    x = integers(34, np.int32)
    want = x.copy()
    left, right = x[:-2], x[2:]
    want[1:-1] = {
        "x[t - 1] + x[t + 1]": left + right,
        "x[t + 1] - x[t - 1]": right - left,
        "x[t - 1]": left,
        "x[t + 1]": right,
    }[text]
    np.testing.assert_array_equal(run(code, "step", 32, x)[0], want)


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 3])
def test_arrays_that_overlap(shift):
    """The same kernel, on arrays that lie apart and on views of one."""
    code = r"""
    extern "C" __global__ void move(const int* from, int* to) {
        int t = threadIdx.x;
        int twice = 2 * from[t];
        to[t] = twice;
    }"""
    kernel = cp.RawKernel(code, "move")
    x = integers(48, np.int32)
    array, apart = cp.array(x), cp.zeros(32, cp.int32)
    kernel((1,), (32,), (array[8:40], apart))
    np.testing.assert_array_equal(cp.asnumpy(apart), 2 * x[8:40])
    kernel((1,), (32,), (array[8:40], array[8 + shift : 40 + shift]))
    want = x.copy()
    want[8 + shift : 40 + shift] = 2 * x[8:40]
    np.testing.assert_array_equal(cp.asnumpy(array), want)


# Divergent code.


def test_both_sides_of_a_branch_go_in_step():
    code = r"""
    extern "C" __global__ void sides(const int* x, int* y) {
        __shared__ int s[64];
        int t = threadIdx.x;
        s[t] = x[t];
        if (t % 2) {
            s[t] += s[(t + 2) % 32];
            s[t] += s[(t + 4) % 32];
        } else {
            if (t == 6) { y[t] = -1; return; }
            s[t] -= s[(t + 30) % 32];
            s[t] *= s[(t + 2) % 32];
        }
        y[t] = s[(t + 1) % 32];
    }"""
    x = integers(32, np.int32)
    s, y = x.copy(), np.zeros(32, np.int32)
    odd = np.arange(1, 32, 2)
    even = np.setdiff1d(np.arange(0, 32, 2), [6])
    s[odd] = s[odd] + s[(odd + 2) % 32]
    s[odd] = s[odd] + s[(odd + 4) % 32]
    s[even] = s[even] - s[(even + 30) % 32]
    s[even] = s[even] * s[(even + 2) % 32]
    stay = np.setdiff1d(np.arange(32), [6])
    y[stay], y[6] = s[(stay + 1) % 32], -1
    np.testing.assert_array_equal(run(code, "sides", 32, x, np.zeros_like(x))[1], y)


def test_lanes_leave_a_loop_at_different_times():
    code = r"""
    extern "C" __global__ void rounds(const int* n, int* s, int* y) {
        int t = threadIdx.x;
        for (int i = 0; i < n[t]; ++i) {
            int next = s[(t + 1) % 32];
            s[t] = next + i;
        }
        y[t] = s[(t + 5) % 32];
    }"""
    n = np.random.default_rng(2).integers(0, 9, 32).astype(np.int32)
    x = integers(32, np.int32)
    s = x.copy()
    t = np.arange(32)
    for i in range(n.max()):
        active = t[n > i]
        s[active] = s[(active + 1) % 32] + i
    got = run(code, "rounds", 32, n, x, np.zeros_like(x))
    np.testing.assert_array_equal(got[1], s)
    np.testing.assert_array_equal(got[2], s[(t + 5) % 32])


@pytest.mark.cpu
def test_only_some_lanes_of_each_warp():
    code = r"""
    extern "C" __global__ void some(int* x, int n) {
        int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
        if (t >= n) return;
        if (lane % 3 == 0) {
            x[t] = lane + 3 < 32 && t + 3 < n ? x[t + 3] + 1 : 0;
            x[t] += lane >= 3 ? x[t - 3] : 0;
        }
    }"""
    x = integers(150, np.int32)
    want = x.copy()
    for first in range(0, 150, 32):
        lanes = np.arange(first, min(first + 32, 150))
        lanes = lanes[(lanes - first) % 3 == 0]
        ahead = np.where(
            (lanes - first + 3 < 32) & (lanes + 3 < 150), want[np.minimum(lanes + 3, 149)] + 1, 0
        )
        want[lanes] = ahead
        want[lanes] = want[lanes] + np.where(lanes - first >= 3, want[lanes - 3], 0)
    np.testing.assert_array_equal(run(code, "some", 64, x, np.int32(150), grid=3)[0], want)


# Filters.


@pytest.mark.cpu
def test_a_cascade_of_sections_as_a_pipeline():
    """A filter of sections: each lane has one, and hands its output to the next lane in the next step."""
    code = r"""
    extern "C" __global__ void cascade(const float* sos, const float* x, float* y, int sections, int n) {
        __shared__ float out[33];
        int t = threadIdx.x;
        float z0 = 0, z1 = 0;
        out[t] = 0;
        if (t < sections) {
            for (int step = 0; step < n + sections - 1; ++step) {
                float in = t == 0 ? (step < n ? x[step] : 0.0f) : out[t - 1];
                float o = sos[3 * t] * in + z0;
                z0 = sos[3 * t + 1] * in + z1;
                z1 = sos[3 * t + 2] * in;
                out[t] = o;
                if (t == sections - 1 && step >= sections - 1) y[step - sections + 1] = o;
            }
        }
    }"""
    rng = np.random.default_rng(4)
    sections, n = 6, 40
    sos = rng.integers(-2, 3, (sections, 3)).astype(np.float32)
    x = rng.integers(-3, 4, n).astype(np.float32)
    want = x
    for section in sos:
        want = np.convolve(want, section)[:n]
    got = run(code, "cascade", 32, sos, x, np.zeros(n, np.float32), np.int32(sections), np.int32(n))[2]
    np.testing.assert_array_equal(got, want.astype(np.float32))


def test_products_of_small_matrices_in_shared_memory():
    """As in a Kalman filter: P = F P F' by 16 lanes, the product written over its operand."""
    code = r"""
    extern "C" __global__ void predict(const float* f, float* p, int steps) {
        __shared__ float F[16], P[16];
        int t = threadIdx.x, row = t / 4, column = t % 4;
        if (t < 16) {
            F[t] = f[t];
            P[t] = p[16 * blockIdx.x + t];
            for (int step = 0; step < steps; ++step) {
                float sum = 0;
                for (int k = 0; k < 4; ++k) sum += F[4 * row + k] * P[4 * k + column];
                P[t] = sum;
                sum = 0;
                for (int k = 0; k < 4; ++k) sum += P[4 * row + k] * F[4 * column + k];
                P[t] = sum;
            }
            p[16 * blockIdx.x + t] = P[t];
        }
    }"""
    rng = np.random.default_rng(8)
    f = rng.integers(-1, 2, (4, 4)).astype(np.float32)
    p = rng.integers(-2, 3, (5, 4, 4)).astype(np.float32)
    want = p.copy()
    for _ in range(3):
        want = f @ want @ f.T
    got = run(code, "predict", 32, f, p, np.int32(3), grid=5)[1]
    np.testing.assert_array_equal(got, want)


# Python kernels.


def test_a_kernel_of_cupyx_jit():
    @jit.rawkernel()
    def scan(x, y):
        s = jit.shared_memory(cp.int32, 64)
        t = jit.threadIdx.x
        s[t] = x[t]
        by = cp.int32(1)
        while by < 32:
            if t % 32 >= by:
                s[t] += s[t - by]
            by *= 2
        y[t] = s[t]

    x = integers(64, np.int32)
    y = cp.zeros(64, cp.int32)
    scan((1,), (64,), (cp.array(x), y))
    np.testing.assert_array_equal(cp.asnumpy(y), np.cumsum(x.reshape(2, 32), axis=1).ravel())


def test_a_kernel_of_numba():
    from cuprum.compat.numba import cuda

    @cuda.jit
    def shift(x):
        i = cuda.grid(1)
        if i > 0:
            x[i] = x[i - 1] + 1

    x = cp.arange(32, dtype=cp.int64) ** 2
    shift[1, 32](x)
    want = np.arange(32) ** 2
    want[1:] = want[:-1] + 1
    np.testing.assert_array_equal(cp.asnumpy(x), want)


# What must not change.


def test_a_lock_in_a_warp_is_handed_on():
    code = r"""
    extern "C" __global__ void count(int* lock, int* sum) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                sum[0] = sum[0] + 1;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }"""
    got = run(code, "count", 96, np.zeros(1, np.int32), np.zeros(1, np.int32), grid=2)
    assert got[1][0] == 192


@pytest.mark.skipif(not ON_CPU, reason="the checking mode is the CPU's")
def test_the_checking_mode_tells_of_it():
    """It asks for `__syncwarp`: CUDA promises lanes in step no more since Volta."""
    code = r"""
    extern "C" __global__ void shift(int* x) {
        int t = threadIdx.x;
        x[t] = x[t + 1];
    }"""
    with cp.cuda.check(), pytest.raises(cp.cuda.KernelError, match="race"):
        run(code, "shift", 32, integers(33, np.int32))


@pytest.mark.skipif(not ON_CPU, reason="a GPU's kernels are not looked into")
@pytest.mark.parametrize(("grid", "block", "whose"), [(1, 64, "warps"), (4, 32, "blocks")])
def test_an_order_that_no_gpu_promises_is_warned_of_once(grid, block, whose):
    code = rf"""
    extern "C" __global__ void shift_{whose}(int* x) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int next = x[i + 1];
        x[i] = next;
    }}"""
    kernel = cp.RawKernel(code, f"shift_{whose}")
    x = cp.arange(grid * block + 1, dtype=cp.int32)
    with pytest.warns(RuntimeWarning, match=rf"shift_{whose}: threads of different {whose} .*CUPRUM_CHECK=1"):
        kernel((grid,), (block,), (x,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel((grid,), (block,), (x,))


@pytest.mark.skipif(not ON_CPU, reason="a GPU's kernels are not looked into")
def test_kernels_in_order_are_not_warned_of():
    code = r"""
    extern "C" __global__ void twice(int* x, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= 2;
    }
    extern "C" __global__ void turn(int* x) {
        __shared__ int s[64];
        s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
        __syncthreads();
        x[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    }"""
    x = cp.arange(256, dtype=cp.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cp.RawKernel(code, "twice")((4,), (64,), (x, np.int32(256)))
        cp.RawKernel(code, "turn")((4,), (64,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), 2 * np.arange(256).reshape(4, 64)[:, ::-1].ravel())

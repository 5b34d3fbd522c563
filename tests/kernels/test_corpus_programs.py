"""Whole programs of the kind that people write: simulations, sparse matrices, hashes, searches."""

import hashlib
import zlib
from math import erf

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
I32 = np.int32


CASES = [
    Case(
        """struct Body { float x, y, z, mass; };
        extern "C" __global__ void n_body(const float4* bodies, float3* forces, int n) {
            extern __shared__ float4 tile[];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
            float3 f = make_float3(0, 0, 0);
            for (int start = 0; start < n; start += blockDim.x) {
                int j = start + threadIdx.x;
                tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
                __syncthreads();
                #pragma unroll 4
                for (int k = 0; k < blockDim.x; ++k) {
                    float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
                    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
                    float s = tile[k].w * inverse * inverse * inverse;
                    f.x += dx * s; f.y += dy * s; f.z += dz * s;
                }
                __syncthreads();
            }
            if (i < n) forces[i] = f;
        }""",
        lambda: [floats(100, 4), np.zeros((100, 3), F), I32(100)],
        lambda b, out, n: {1: _forces(b.astype(np.float64))},
        grid=(4,),
        shared=512,
        rtol=1e-4,
        atol=1e-3,
    ),
    Case(
        """extern "C" __global__ void spmv_csr(const int* starts, const int* columns, const double* values,
                                           const double* x, double* y, int n) {
            int row = blockIdx.x * blockDim.x + threadIdx.x;
            if (row >= n) return;
            double sum = 0.0;
            for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
            y[row] = sum;
        }""",
        lambda: [*_csr(), floats(40, dtype=np.float64), np.zeros(50), I32(50)],
        lambda starts, columns, values, x, y, n: {4: _product(starts, columns, values, x)},
        grid=(2,),
        rtol=1e-13,
        atol=1e-14,
    ),
    Case(
        """typedef unsigned int u32;
        __constant__ u32 K[64] = {SHA_CONSTANTS};
        __device__ __forceinline__ u32 rotate(u32 x, int n) { return (x >> n) | (x << (32 - n)); }
        extern "C" __global__ void sha256(const u32* message, u32* digest) {
            u32 w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, h[8];
            int t = threadIdx.x;
            for (int i = 0; i < 16; ++i) w[i] = message[t * 16 + i];
            for (int i = 16; i < 64; ++i) {
                u32 a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
                u32 b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
                w[i] = w[i - 16] + a + w[i - 7] + b;
            }
            for (int i = 0; i < 8; ++i) h[i] = s[i];
            for (int i = 0; i < 64; ++i) {
                u32 e = rotate(h[4], 6) ^ rotate(h[4], 11) ^ rotate(h[4], 25);
                u32 t1 = h[7] + e + ((h[4] & h[5]) ^ (~h[4] & h[6])) + K[i] + w[i];
                u32 a = rotate(h[0], 2) ^ rotate(h[0], 13) ^ rotate(h[0], 22);
                u32 t2 = a + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
                for (int k = 7; k > 0; --k) h[k] = h[k - 1];
                h[4] += t1;
                h[0] = t1 + t2;
            }
            for (int i = 0; i < 8; ++i) digest[t * 8 + i] = s[i] + h[i];
        }""",
        lambda: [_messages(), np.zeros((8, 8), np.uint32)],
        lambda message, digest: {1: _digests()},
        block=(8,),
    ),
    Case(
        """extern "C" __global__ void crc32(const unsigned char* data, unsigned* out, int length) {
            unsigned crc = ~0u;
            const unsigned char* p = data + threadIdx.x * length;
            for (int i = 0; i < length; ++i) {
                crc ^= p[i];
                for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1u));
            }
            out[threadIdx.x] = ~crc;
        }""",
        lambda: [integers(16, 20, high=256, dtype=np.uint8), np.zeros(16, np.uint32), I32(20)],
        lambda data, out, n: {1: [_crc(row.tobytes()) for row in data]},
        block=(16,),
    ),
    Case(
        """extern "C" __global__ void linear_congruential(unsigned long long* states, float* out, int steps) {
            int i = threadIdx.x;
            unsigned long long s = states[i];
            float sum = 0;
            for (int k = 0; k < steps; ++k) {
                s = s * 6364136223846793005ULL + 1442695040888963407ULL;
                sum += (s >> 40) * (1.0f / 16777216.0f);
            }
            states[i] = s;
            out[i] = sum / steps;
        }""",
        lambda: [np.arange(32, dtype=np.uint64), np.zeros(32, F), I32(20)],
        lambda states, out, steps: _congruential(states, steps),
        rtol=1e-5,
    ),
    Case(
        """extern "C" __global__ void binary_search(const int* sorted, int n, const int* keys, int* at, int m) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= m) return;
            int low = 0, high = n;
            while (low < high) {
                int middle = (low + high) >> 1;
                if (sorted[middle] < keys[i]) low = middle + 1; else high = middle;
            }
            at[i] = low;
        }""",
        lambda: [np.sort(integers(100)), I32(100), integers(200, seed=2), np.zeros(200, I32), I32(200)],
        lambda s, n, keys, at, m: {3: np.searchsorted(s, keys)},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void breadth_first(const int* starts, const int* edges, int* depth, int n) {
            __shared__ int queues[2][64], counts[2];
            int t = threadIdx.x;
            if (t == 0) {
                queues[0][0] = 0;
                counts[0] = 1;
            }
            for (int level = 0;; ++level) {
                int from = level & 1, to = 1 - from;
                if (t == 0) counts[to] = 0;
                __syncthreads();
                for (int q = t; q < counts[from]; q += blockDim.x) {
                    int v = queues[from][q];
                    for (int e = starts[v]; e < starts[v + 1]; ++e)
                        if (atomicCAS(&depth[edges[e]], -1, level + 1) == -1)
                            queues[to][atomicAdd(&counts[to], 1)] = edges[e];
                }
                __syncthreads();
                if (counts[to] == 0) return;
                __syncthreads();
            }
        }""",
        lambda: [*_graph(), np.where(np.arange(40) == 0, 0, -1).astype(I32), I32(40)],
        lambda starts, edges, depth, n: {2: _depths(starts, edges)},
    ),
    Case(
        """extern "C" __global__ void matrix_power(const float* in, float* out, int times) {
            __shared__ float a[8][8], r[8][8];
            int i = threadIdx.y, j = threadIdx.x;
            a[i][j] = in[i * 8 + j];
            r[i][j] = i == j;
            for (int k = 0; k < times; ++k) {
                __syncthreads();
                float sum = 0;
                for (int l = 0; l < 8; ++l) sum += r[i][l] * a[l][j];
                __syncthreads();
                r[i][j] = sum;
            }
            out[i * 8 + j] = r[i][j];
        }""",
        lambda: [floats(8, 8), np.zeros((8, 8), F), I32(5)],
        lambda a, out, times: {1: np.linalg.matrix_power(a.astype(np.float64), 5)},
        block=(8, 8),
        rtol=1e-4,
        atol=1e-5,
    ),
    Case(
        """extern "C" __global__ void jacobi(const double* a, const double* b, double* x, int n, int rounds) {
            extern __shared__ double old[];
            int i = threadIdx.x;
            for (int r = 0; r < rounds; ++r) {
                old[i] = x[i];
                __syncthreads();
                double sum = b[i];
                for (int j = 0; j < n; ++j) if (j != i) sum -= a[i * n + j] * old[j];
                x[i] = sum / a[i * n + i];
                __syncthreads();
            }
        }""",
        lambda: [
            floats(20, 20, dtype=np.float64) + 25 * np.eye(20),
            floats(20, seed=4, dtype=np.float64),
            np.zeros(20),
            I32(20),
            I32(60),
        ],
        lambda a, b, x, n, rounds: {2: np.linalg.solve(a, b)},
        block=(20,),
        shared=160,
        rtol=1e-10,
    ),
    Case(
        """extern "C" __global__ void pairwise_distances(const float* a, const float* b, float* out, int n, int m, int d) {
            int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n || j >= m) return;
            float sum = 0.0f;
            for (int k = 0; k < d; ++k) {
                float t = a[i * d + k] - b[j * d + k];
                sum += t * t;
            }
            out[i * m + j] = sqrtf(sum);
        }""",
        lambda: [floats(20, 5), floats(30, 5, seed=1), np.zeros((20, 30), F), I32(20), I32(30), I32(5)],
        lambda a, b, out, n, m, d: {2: np.sqrt(((a[:, None] - b[None]) ** 2).sum(-1))},
        grid=(4, 3),
        block=(8, 8),
        rtol=1e-5,
    ),
    Case(
        """extern "C" __global__ void softmax_rows(const float* in, float* out, int columns) {
            extern __shared__ float s[];
            int t = threadIdx.x;
            const float* row = in + blockIdx.x * columns;
            float most = -INFINITY_F, sum = 0.0f;
            for (int c = t; c < columns; c += blockDim.x) most = fmaxf(most, row[c]);
            s[t] = most;
            __syncthreads();
            for (int d = blockDim.x / 2; d; d /= 2) { if (t < d) s[t] = fmaxf(s[t], s[t + d]); __syncthreads(); }
            most = s[0];
            __syncthreads();
            for (int c = t; c < columns; c += blockDim.x) sum += expf(row[c] - most);
            s[t] = sum;
            __syncthreads();
            for (int d = blockDim.x / 2; d; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
            for (int c = t; c < columns; c += blockDim.x) out[blockIdx.x * columns + c] = expf(row[c] - most) / s[0];
        }""".replace("INFINITY_F", "__int_as_float(0x7f800000)"),
        lambda: [floats(6, 50) * F(5), np.zeros((6, 50), F), I32(50)],
        lambda a, out, c: {1: np.exp(a) / np.exp(a).sum(1, keepdims=True)},
        grid=(6,),
        block=(64,),
        shared=256,
        rtol=1e-5,
    ),
    Case(
        """extern "C" __global__ void black_scholes(const float* price, const float* strike, const float* years, float* call,
                                                float* put, float rate, float volatility, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            float root = sqrtf(years[i]);
            float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
            float d2 = d1 - volatility * root, discount = expf(-rate * years[i]);
            call[i] = price[i] * normcdff(d1) - strike[i] * discount * normcdff(d2);
            put[i] = strike[i] * discount * normcdff(-d2) - price[i] * normcdff(-d1);
        }""",
        lambda: [
            floats(64) + F(20),
            floats(64, seed=1) + F(20),
            floats(64, seed=2) + F(1.5),
            np.zeros(64, F),
            np.zeros(64, F),
            F(0.02),
            F(0.3),
            I32(64),
        ],
        lambda s, k, t, c, p, r, v, n: _black_scholes(s, k, t, 0.02, 0.3),
        grid=(2,),
        rtol=1e-4,
        atol=1e-4,
    ),
    Case(
        """extern "C" __global__ void lbm_swap(double* grid, int n) {
            // Streaming of one direction around a ring: read all, wait, write all.
            int i = threadIdx.x;
            double held[3];
            for (int k = 0; k < 3; ++k) held[k] = grid[k * n + (i + n - k) % n];
            __syncthreads();
            for (int k = 0; k < 3; ++k) grid[k * n + i] = held[k];
        }""",
        lambda: [floats(3, 48, dtype=np.float64), I32(48)],
        lambda g, n: {0: np.stack([np.roll(g[k], k) for k in range(3)])},
        block=(48,),
    ),
    Case(
        """extern "C" __global__ void run_lengths(const int* in, int* starts, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) starts[i] = i == 0 || in[i] != in[i - 1];
        }""",
        lambda: [np.sort(integers(100, high=20)), np.zeros(100, I32), I32(100)],
        lambda x, starts, n: {1: np.concatenate([[1], (x[1:] != x[:-1])])},
        grid=(4,),
    ),
    Case(
        """extern "C" __global__ void radix_pass(const unsigned* in, unsigned* out, int bit) {
            __shared__ int scan[128];
            int t = threadIdx.x;
            unsigned key = in[t];
            int zero = !(key >> bit & 1u);
            scan[t] = zero;
            __syncthreads();
            for (int d = 1; d < 128; d *= 2) {
                int x = t >= d ? scan[t - d] : 0;
                __syncthreads();
                scan[t] += x;
                __syncthreads();
            }
            int zeros = scan[127];
            out[zero ? scan[t] - 1 : zeros + t - scan[t]] = key;
        }""",
        lambda: [integers(128, high=256, dtype=np.uint32), np.zeros(128, np.uint32), I32(3)],
        lambda x, out, bit: {1: np.concatenate([x[x >> 3 & 1 == 0], x[x >> 3 & 1 == 1]])},
        block=(128,),
    ),
]


def _forces(b):
    d = b[None, :, :3] - b[:, None, :3]
    inverse = ((d**2).sum(-1) + 0.01) ** -1.5
    return (d * (inverse * b[None, :, 3])[..., None]).sum(1)


def _csr():
    rng = np.random.default_rng(8)
    lengths = rng.integers(0, 6, 50)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(I32)
    return starts, rng.integers(0, 40, starts[-1], dtype=I32), rng.uniform(-1, 1, starts[-1])


def _product(starts, columns, values, x):
    return [values[a:b] @ x[columns[a:b]] for a, b in zip(starts[:-1], starts[1:], strict=True)]


def _sha_constants():
    primes = [p for p in range(2, 312) if all(p % q for q in range(2, p))][:64]

    # The first 32 bits of the fractional parts of the cube roots, in integers: floor(p^(1/3) 2^32) mod 2^32.
    def root(value):
        low, high = 0, 1 << 40
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**3 <= value else (low, middle - 1)
        return low

    return [root(p << 96) & 0xFFFFFFFF for p in primes]


TEXTS = [bytes([65 + i]) * (i * 7) for i in range(8)]


def _messages():
    blocks = [t + b"\x80" + bytes(55 - len(t)) + (8 * len(t)).to_bytes(8, "big") for t in TEXTS]
    return np.frombuffer(b"".join(blocks), ">u4").astype(np.uint32).reshape(8, 16)


def _digests():
    return [np.frombuffer(hashlib.sha256(t).digest(), ">u4").astype(np.uint32) for t in TEXTS]


def _crc(data):
    return zlib.crc32(data)


def _congruential(states, steps):
    total = np.zeros(32)
    for _ in range(steps):
        states = states * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        total += (states >> np.uint64(40)) / 2**24
    return {0: states, 1: total / steps}


def _graph():
    rng = np.random.default_rng(9)
    edges = [np.unique(rng.integers(0, 40, 2)) for _ in range(40)]
    starts = np.concatenate([[0], np.cumsum([len(e) for e in edges])]).astype(I32)
    return starts, np.concatenate(edges).astype(I32)


def _depths(starts, edges):
    depth = np.full(40, -1)
    depth[0] = 0
    level = 0
    while (depth == level).any():
        for v in np.flatnonzero(depth == level):
            for e in edges[starts[v] : starts[v + 1]]:
                if depth[e] < 0:
                    depth[e] = level + 1
        level += 1
    return depth


def _black_scholes(s, k, t, r, v):
    def cdf(x):
        return np.array([0.5 * (1 + erf(value / 2**0.5)) for value in x])

    s, k, t = (a.astype(np.float64) for a in (s, k, t))
    d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    discount = np.exp(-r * t)
    return {3: s * cdf(d1) - k * discount * cdf(d2), 4: k * discount * cdf(-d2) - s * cdf(-d1)}


for _case in CASES:
    _case.code = _case.code.replace("SHA_CONSTANTS", ", ".join(f"{k:#010x}u" for k in _sha_constants()))


@rows(CASES)
def test_kernel(case):
    run(case)

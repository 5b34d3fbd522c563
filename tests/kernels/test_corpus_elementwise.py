"""Kernels of one thread an element: what most programs are made of."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
N = 1000

CASES = [
    Case(
        """extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
            int i = blockDim.x * blockIdx.x + threadIdx.x;
            if (i < n) c[i] = a[i] + b[i];
        }""",
        lambda: [floats(N), floats(N, seed=1), np.zeros(N, F), np.int32(N)],
        lambda a, b, c, n: a + b,
        grid=(4,),
        block=(256,),
    ),
    Case(
        """extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, size_t n) {
            for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
                y[i] = a * x[i] + y[i];
        }""",
        lambda: [F(2.5), floats(N), floats(N, seed=1), np.uint64(N)],
        lambda a, x, y, n: a * x + y,
        grid=(2,),
        block=(64,),
        options=("--fmad=false",),
    ),
    Case(
        """extern "C" __global__ void square(const double* x, double* y) {
            int i = threadIdx.x;
            y[i] = x[i] * x[i];
        }""",
        lambda: [floats(128, dtype=np.float64), np.zeros(128)],
        lambda x, y: x * x,
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void rows_and_columns(float* out, int height, int width) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x >= width || y >= height) return;
            out[y * width + x] = (float)(y * 1000 + x);
        }""",
        lambda: [np.zeros((37, 45), F), np.int32(37), np.int32(45)],
        lambda out, h, w: {0: (np.arange(h)[:, None] * 1000 + np.arange(w)).astype(F)},
        grid=(3, 5),
        block=(16, 8),
    ),
    Case(
        """extern "C" __global__ void three_dimensions(int* out, int nx, int ny, int nz) {
            int x = blockIdx.x * blockDim.x + threadIdx.x;
            int y = blockIdx.y * blockDim.y + threadIdx.y;
            int z = blockIdx.z * blockDim.z + threadIdx.z;
            if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z;
        }""",
        lambda: [np.zeros((5, 6, 7), np.int32), np.int32(7), np.int32(6), np.int32(5)],
        lambda out, nx, ny, nz: {
            0: np.arange(nx) + 100 * np.arange(ny)[:, None] + 10000 * np.arange(nz)[:, None, None]
        },
        grid=(2, 2, 3),
        block=(4, 4, 2),
    ),
    Case(
        """extern "C" __global__ void transpose_plain(const double* in, double* out, int rows, int columns) {
            int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
            if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
        }""",
        lambda: [floats(30, 50, dtype=np.float64), np.zeros((50, 30)), np.int32(30), np.int32(50)],
        lambda a, out, r, c: {1: a.T.copy()},
        grid=(4, 2),
        block=(16, 16),
    ),
    Case(
        """extern "C" __global__ void clamp_and_scale(const int* in, short* out, int low, int high) {
            int i = threadIdx.x + blockIdx.x * blockDim.x;
            out[i] = (short)(min(max(in[i], low), high) * 2);
        }""",
        lambda: [integers(256, low=-500, high=500), np.zeros(256, np.int16), np.int32(-100), np.int32(90)],
        lambda a, out, low, high: {1: (np.clip(a, low, high) * 2).astype(np.int16)},
        grid=(2,),
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void threshold(const unsigned char* image, bool* mask, unsigned char limit, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) mask[i] = image[i] > limit;
        }""",
        lambda: [
            integers(500, high=256, dtype=np.uint8),
            np.zeros(500, np.bool_),
            np.uint8(100),
            np.int32(500),
        ],
        lambda image, mask, limit, n: {1: image > limit},
        grid=(4,),
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void polynomial(const float* x, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            float coefficients[5] = {1.0f, -2.0f, 0.5f, 3.0f, -1.5f};
            float sum = 0.0f;
            #pragma unroll
            for (int k = 4; k >= 0; --k) sum = sum * x[i] + coefficients[k];
            y[i] = sum;
        }""",
        lambda: [floats(N), np.zeros(N, F), np.int32(N)],
        lambda x, y, n: {1: ((((F(-1.5) * x + F(3)) * x + F(0.5)) * x + F(-2)) * x + F(1)).astype(F)},
        grid=(8,),
        block=(128,),
        options=("--fmad=false",),
    ),
    Case(
        """extern "C" __global__ void gather(const float* table, const int* index, float* out, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = table[index[i]];
        }""",
        lambda: [floats(50), integers(N, high=50), np.zeros(N, F), np.int32(N)],
        lambda table, index, out, n: {2: table[index]},
        grid=(8,),
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void scatter(const long long* values, const unsigned int* order, long long* out) {
            unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
            out[order[i]] = values[i];
        }""",
        lambda: [
            integers(256, dtype=np.int64),
            np.random.default_rng(3).permutation(256).astype(np.uint32),
            np.zeros(256, np.int64),
        ],
        lambda values, order, out: {2: values[np.argsort(order)]},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void all_integer_types(signed char a, unsigned char b, short c, unsigned short d, int e,
                                                     unsigned f, long long g, unsigned long long h, double* out) {
            out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = h;
            out[8] = sizeof(a) + sizeof(b) + sizeof(c) + sizeof(d) + sizeof(e) + sizeof(f) + sizeof(g) + sizeof(h);
        }""",
        lambda: [
            np.int8(-5),
            np.uint8(250),
            np.int16(-3000),
            np.uint16(60000),
            np.int32(-(2**31)),
            np.uint32(2**32 - 1),
            np.int64(-(2**53)),
            np.uint64(2**63),
            np.zeros(9),
        ],
        lambda *a: {8: np.array([float(x) for x in a[:8]] + [30.0])},
        block=(1,),
    ),
    Case(
        """extern "C" __global__ void integer_arithmetic(const int* a, const int* b, int* out, int n) {
            int i = threadIdx.x;
            if (i >= n) return;
            int x = a[i], y = b[i];
            out[i] = (x / y) * 7 + (x % y) - (x << 3) + (x >> 2) ^ (y & 0xff) | (~x & 1);
        }""",
        lambda: [
            integers(64, low=-1000, high=1000),
            integers(64, low=1, high=60, seed=1),
            np.zeros(64, np.int32),
            np.int32(64),
        ],
        lambda x, y, out, n: {
            2: ((np.trunc(x / y).astype(np.int32) * 7 + np.fmod(x, y) - (x << 3) + (x >> 2)) ^ (y & 0xFF))
            | (~x & 1)
        },
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void unsigned_wraps(const unsigned* a, unsigned* out) {
            unsigned i = threadIdx.x;
            unsigned x = a[i] * 2654435761u + i;
            out[i] = (x >> 7) - (x << 9) + x / 3u % 1000u;
        }""",
        lambda: [integers(64, high=2**32, dtype=np.uint32), np.zeros(64, np.uint32)],
        lambda a, out: {1: _wraps(a)},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void float_to_int(const float* x, int* toward_zero, long long* wide, unsigned char* small) {
            int i = threadIdx.x;
            toward_zero[i] = (int)x[i];
            wide[i] = (long long)(x[i] * 1e6f);
            small[i] = (unsigned char)(int)fabsf(x[i]);
        }""",
        lambda: [floats(64) * F(200), np.zeros(64, np.int32), np.zeros(64, np.int64), np.zeros(64, np.uint8)],
        lambda x, a, b, c: {
            1: x.astype(np.int32),
            2: (x * F(1e6)).astype(np.int64),
            3: np.abs(x).astype(np.uint8),
        },
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void strided_rows(const float* in, float* out, int rows, int columns) {
            for (int r = blockIdx.x; r < rows; r += gridDim.x)
                for (int c = threadIdx.x; c < columns; c += blockDim.x)
                    out[r * columns + c] = in[r * columns + (columns - 1 - c)];
        }""",
        lambda: [floats(17, 100), np.zeros((17, 100), F), np.int32(17), np.int32(100)],
        lambda a, out, r, c: {1: a[:, ::-1].copy()},
        grid=(5,),
        block=(32,),
    ),
]


def _wraps(a):
    x = (a.astype(np.uint64) * 2654435761 + np.arange(64, dtype=np.uint64)).astype(np.uint32)
    return (x >> 7) - (x << np.uint32(9)) + x // 3 % 1000


@rows(CASES)
def test_kernel(case):
    run(case)

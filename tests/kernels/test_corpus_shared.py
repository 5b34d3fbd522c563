"""Kernels whose threads work together in shared memory: tiles, reductions, scans, sorts."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32


def _blocks(x, size):
    return x.reshape(-1, size)


CASES = [
    Case(
        """#define TILE 16
        extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
            __shared__ float left[TILE][TILE], right[TILE][TILE];
            int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
            float sum = 0.0f;
            for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
                int k = t * TILE + threadIdx.x, l = t * TILE + threadIdx.y;
                left[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0.0f;
                right[threadIdx.y][threadIdx.x] = l < n && column < n ? b[l * n + column] : 0.0f;
                __syncthreads();
                for (int i = 0; i < TILE; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
                __syncthreads();
            }
            if (row < n && column < n) c[row * n + column] = sum;
        }""",
        lambda: [floats(50, 50), floats(50, 50, seed=1), np.zeros((50, 50), F), np.int32(50)],
        lambda a, b, c, n: a.astype(np.float64) @ b,
        grid=(4, 4),
        block=(16, 16),
        rtol=1e-5,
        atol=1e-5,
    ),
    Case(
        """extern "C" __global__ void transpose_padded(const float* in, float* out, int width, int height) {
            __shared__ float tile[32][33];
            int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
            for (int j = 0; j < 32; j += 8)
                if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
            __syncthreads();
            x = blockIdx.y * 32 + threadIdx.x;
            y = blockIdx.x * 32 + threadIdx.y;
            for (int j = 0; j < 32; j += 8)
                if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
        }""",
        lambda: [floats(70, 50), np.zeros((50, 70), F), np.int32(50), np.int32(70)],
        lambda a, out, w, h: {1: a.T.copy()},
        grid=(2, 3),
        block=(32, 8),
    ),
    Case(
        """extern "C" __global__ void block_sums(const int* in, int* sums, int n) {
            __shared__ int part[256];
            unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
            part[t] = i < n ? in[i] : 0;
            __syncthreads();
            for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
                if (t < s) part[t] += part[t + s];
                __syncthreads();
            }
            if (t == 0) sums[blockIdx.x] = part[0];
        }""",
        lambda: [integers(1000), np.zeros(4, np.int32), np.int32(1000)],
        lambda x, sums, n: {1: _blocks(np.pad(x, (0, 24)), 256).sum(1)},
        grid=(4,),
        block=(256,),
    ),
    Case(
        """extern "C" __global__ void dynamic_maximum(const float* in, float* most) {
            extern __shared__ float seen[];
            int t = threadIdx.x;
            seen[t] = in[blockIdx.x * blockDim.x + t];
            for (int s = blockDim.x >> 1; s; s >>= 1) {
                __syncthreads();
                if (t < s) seen[t] = fmaxf(seen[t], seen[t + s]);
            }
            if (!t) most[blockIdx.x] = seen[0];
        }""",
        lambda: [floats(512), np.zeros(4, F)],
        lambda x, out: {1: _blocks(x, 128).max(1)},
        grid=(4,),
        block=(128,),
        shared=512,
    ),
    Case(
        """extern "C" __global__ void two_dynamic_arrays(const double* in, double* out) {
            extern __shared__ unsigned char memory[];
            double* values = reinterpret_cast<double*>(memory);
            int* order = (int*)(memory + blockDim.x * sizeof(double));
            int t = threadIdx.x;
            values[t] = in[t];
            order[t] = (t * 7 + 3) % blockDim.x;
            __syncthreads();
            out[t] = values[order[t]];
        }""",
        lambda: [floats(64, dtype=np.float64), np.zeros(64)],
        lambda x, out: {1: x[(np.arange(64) * 7 + 3) % 64]},
        block=(64,),
        shared=64 * 12,
    ),
    Case(
        """extern "C" __global__ void inclusive_scan(const int* in, int* out, int n) {
            __shared__ int buffer[2][128];
            int t = threadIdx.x, from = 0;
            buffer[0][t] = t < n ? in[t] : 0;
            __syncthreads();
            for (int d = 1; d < 128; d *= 2) {
                int to = 1 - from;
                buffer[to][t] = t >= d ? buffer[from][t] + buffer[from][t - d] : buffer[from][t];
                from = to;
                __syncthreads();
            }
            if (t < n) out[t] = buffer[from][t];
        }""",
        lambda: [integers(100), np.zeros(100, np.int32), np.int32(100)],
        lambda x, out, n: {1: np.cumsum(x)},
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void work_efficient_scan(float* data, int n) {
            extern __shared__ float temp[];
            int t = threadIdx.x, offset = 1;
            temp[2 * t] = data[2 * t];
            temp[2 * t + 1] = data[2 * t + 1];
            for (int d = n >> 1; d > 0; d >>= 1) {
                __syncthreads();
                if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
                offset *= 2;
            }
            if (t == 0) temp[n - 1] = 0;
            for (int d = 1; d < n; d *= 2) {
                offset >>= 1;
                __syncthreads();
                if (t < d) {
                    int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
                    float held = temp[a];
                    temp[a] = temp[b];
                    temp[b] += held;
                }
            }
            __syncthreads();
            data[2 * t] = temp[2 * t];
            data[2 * t + 1] = temp[2 * t + 1];
        }""",
        lambda: [integers(256, high=50).astype(F), np.int32(256)],
        lambda x, n: {0: np.concatenate([[0], np.cumsum(x)[:-1]])},
        block=(128,),
        shared=1024,
    ),
    Case(
        """extern "C" __global__ void bitonic_sort(unsigned* data) {
            __shared__ unsigned keys[256];
            unsigned t = threadIdx.x;
            keys[t] = data[blockIdx.x * 256 + t];
            __syncthreads();
            for (unsigned size = 2; size <= 256; size <<= 1) {
                for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
                    unsigned other = t ^ stride;
                    if (other > t) {
                        bool up = (t & size) == 0;
                        if ((keys[t] > keys[other]) == up) {
                            unsigned held = keys[t];
                            keys[t] = keys[other];
                            keys[other] = held;
                        }
                    }
                    __syncthreads();
                }
            }
            data[blockIdx.x * 256 + t] = keys[t];
        }""",
        lambda: [integers(1024, high=2**32, dtype=np.uint32)],
        lambda x: {0: np.sort(_blocks(x, 256), axis=1).ravel()},
        grid=(4,),
        block=(256,),
    ),
    Case(
        """extern "C" __global__ void odd_even_sort(short* data, int n) {
            int t = threadIdx.x;
            for (int round = 0; round < n; ++round) {
                int i = 2 * t + (round & 1);
                if (i + 1 < n && data[i] > data[i + 1]) {
                    short held = data[i];
                    data[i] = data[i + 1];
                    data[i + 1] = held;
                }
                __syncthreads();
            }
        }""",
        lambda: [integers(61, low=-300, high=300, dtype=np.int16), np.int32(61)],
        lambda x, n: {0: np.sort(x)},
        block=(32,),
    ),
    Case(
        """extern "C" __global__ void return_before_barrier(const float* in, float* out, int n) {
            __shared__ float held[64];
            int t = threadIdx.x;
            if (t >= n) return;
            held[t] = in[t] * 2.0f;
            __syncthreads();
            out[t] = held[n - 1 - t];
        }""",
        lambda: [floats(50), np.zeros(50, F), np.int32(50)],
        lambda x, out, n: {1: (x * 2)[::-1]},
        block=(64,),
        checked=False,
    ),
    Case(
        """extern "C" __global__ void barrier_in_loop_with_exit(const int* in, int* out, int rounds) {
            __shared__ int total;
            int t = threadIdx.x, sum = 0;
            for (int r = 0; r < rounds; ++r) {
                if (t == 0) total = 0;
                __syncthreads();
                atomicAdd(&total, in[t] + r);
                __syncthreads();
                sum += total;
                if (total > 6000) break;
                __syncthreads();
            }
            out[t] = sum;
        }""",
        lambda: [integers(64, high=100), np.zeros(64, np.int32), np.int32(100)],
        lambda x, out, rounds: {1: np.full(64, _rounds(x, rounds))},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void votes_of_the_block(const int* in, int* out) {
            int t = threadIdx.x, x = in[blockIdx.x * blockDim.x + t];
            int count = __syncthreads_count(x > 50);
            int all = __syncthreads_and(x >= 0), any = __syncthreads_or(x > 98);
            if (t == 0) {
                out[3 * blockIdx.x] = count;
                out[3 * blockIdx.x + 1] = all != 0;
                out[3 * blockIdx.x + 2] = any != 0;
            }
        }""",
        lambda: [integers(300, low=-1, high=100), np.zeros(9, np.int32)],
        lambda x, out: {
            1: np.array([[(b > 50).sum(), (b >= 0).all(), (b > 98).any()] for b in _blocks(x, 100)]).ravel()
        },
        grid=(3,),
        block=(100,),
    ),
    Case(
        """extern "C" __global__ void stencil_in_shared(const float* in, float* out, int n) {
            const int R = 3;
            __shared__ float tile[64 + 2 * R];
            int g = blockIdx.x * 64 + threadIdx.x, l = threadIdx.x + R;
            tile[l] = g < n ? in[g] : 0.0f;
            if (threadIdx.x < R) {
                tile[l - R] = g >= R ? in[g - R] : 0.0f;
                tile[l + 64] = g + 64 < n ? in[g + 64] : 0.0f;
            }
            __syncthreads();
            if (g < n) {
                float sum = 0.0f;
                for (int k = -R; k <= R; ++k) sum += tile[l + k];
                out[g] = sum;
            }
        }""",
        lambda: [integers(200, high=100).astype(F), np.zeros(200, F), np.int32(200)],
        lambda x, out, n: {1: np.convolve(x, np.ones(7), "same")},
        grid=(4,),
        block=(64,),
    ),
    Case(
        """struct Pair { float value; int index; };
        extern "C" __global__ void argmax_of_block(const float* in, int* at) {
            __shared__ Pair best[128];
            int t = threadIdx.x;
            best[t] = {in[blockIdx.x * 128 + t], t};
            __syncthreads();
            for (int s = 64; s > 0; s /= 2) {
                if (t < s && best[t + s].value > best[t].value) best[t] = best[t + s];
                __syncthreads();
            }
            if (t == 0) at[blockIdx.x] = best[0].index;
        }""",
        lambda: [floats(384), np.zeros(3, np.int32)],
        lambda x, at: {1: _blocks(x, 128).argmax(1)},
        grid=(3,),
        block=(128,),
    ),
    Case(
        """template <int N> __device__ void reverse(int* shared, int t) {
            __syncthreads();
            int held = shared[N - 1 - t];
            __syncthreads();
            shared[t] = held;
            __syncthreads();
        }
        extern "C" __global__ void barrier_in_a_function(int* data) {
            __shared__ int held[96];
            int t = threadIdx.x;
            held[t] = data[t];
            reverse<96>(held, t);
            data[t] = held[t] + 1;
            reverse<96>(held, t);
            data[t] += 1000 * held[t];
        }""",
        lambda: [integers(96, high=500)],
        lambda x: {0: x[::-1] + 1 + 1000 * x},
        block=(96,),
    ),
    Case(
        """extern "C" __global__ void three_dimensional_block(const int* in, int* out) {
            __shared__ int cube[4][4][4];
            int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
            cube[z][y][x] = in[(z * 4 + y) * 4 + x];
            __syncthreads();
            out[(z * 4 + y) * 4 + x] = cube[x][z][y] + cube[3 - z][3 - y][3 - x];
        }""",
        lambda: [integers(4, 4, 4), np.zeros((4, 4, 4), np.int32)],
        lambda a, out: {1: a.transpose(1, 2, 0) + a[::-1, ::-1, ::-1]},
        block=(4, 4, 4),
    ),
    Case(
        """extern "C" __global__ void histogram_in_shared(const unsigned char* in, unsigned* counts, int n) {
            __shared__ unsigned local[256];
            for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
            __syncthreads();
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
                atomicAdd(&local[in[i]], 1u);
            __syncthreads();
            for (int i = threadIdx.x; i < 256; i += blockDim.x)
                if (local[i]) atomicAdd(counts + i, local[i]);
        }""",
        lambda: [integers(5000, high=256, dtype=np.uint8), np.zeros(256, np.uint32), np.int32(5000)],
        lambda x, counts, n: {1: np.bincount(x, minlength=256)},
        grid=(3,),
        block=(96,),
    ),
]


def _rounds(x, rounds):
    total = 0
    for r in range(rounds):
        block = int(x.sum() + 64 * r)
        total += block
        if block > 6000:
            break
    return total


@rows(CASES)
def test_kernel(case):
    run(case)

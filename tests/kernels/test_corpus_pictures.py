"""Programs that compute pictures and grids: fractals, filters, cells, heat."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
I32 = np.int32


CASES = [
    Case(
        """extern "C" __global__ void mandelbrot(int* counts, int width, int height, double x0, double y0, double step,
                                             int limit) {
            int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
            if (px >= width || py >= height) return;
            double cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
            int n = 0;
            while (x * x + y * y <= 4.0 && n < limit) {
                double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                ++n;
            }
            counts[py * width + px] = n;
        }""",
        lambda: [
            np.zeros((40, 60), I32),
            I32(60),
            I32(40),
            np.float64(-2),
            np.float64(-1),
            np.float64(0.05),
            I32(60),
        ],
        lambda counts, w, h, x0, y0, step, limit: {0: _mandelbrot(w, h, x0, y0, step, limit)},
        grid=(8, 5),
        block=(8, 8),
        options=("--fmad=false",),
    ),
    Case(
        """__device__ int escape(float x, float y, float cx, float cy) {
            for (int i = 0; i < 50; ++i) {
                float t = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = t;
                if (x * x + y * y > 4.0f) return i;
            }
            return 50;
        }
        extern "C" __global__ void julia(unsigned char* image, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
            if (i < n) image[j * n + i] = (unsigned char)escape(3.0f * i / n - 1.5f, 3.0f * j / n - 1.5f, -0.8f, 0.156f);
        }""",
        lambda: [np.zeros((48, 48), np.uint8), I32(48)],
        lambda image, n: {0: _julia(48)},
        grid=(2, 48),
        options=("--fmad=false",),
    ),
    Case(
        """extern "C" __global__ void game_of_life(const unsigned char* in, unsigned char* out, int w, int h) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x >= w || y >= h) return;
            int alive = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy) alive += in[((y + dy + h) % h) * w + (x + dx + w) % w];
            out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
        }""",
        lambda: [integers(30, 40, high=2, dtype=np.uint8), np.zeros((30, 40), np.uint8), I32(40), I32(30)],
        lambda a, out, w, h: {1: _life(a)},
        grid=(3, 4),
        block=(16, 8),
    ),
    Case(
        """#define RADIUS 2
        __constant__ float filter[2 * RADIUS + 1] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
        extern "C" __global__ void convolution_rows(const float* in, float* out, int width, int height) {
            __shared__ float tile[4][32 + 2 * RADIUS];
            int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
            for (int k = threadIdx.x; k < 32 + 2 * RADIUS; k += 32) {
                int c = blockIdx.x * 32 + k - RADIUS;
                tile[threadIdx.y][k] = c >= 0 && c < width && y < height ? in[y * width + c] : 0.0f;
            }
            __syncthreads();
            if (x >= width || y >= height) return;
            float sum = 0;
            for (int k = 0; k <= 2 * RADIUS; ++k) sum += filter[k] * tile[threadIdx.y][threadIdx.x + k];
            out[y * width + x] = sum;
        }""",
        lambda: [integers(10, 70, high=64).astype(F), np.zeros((10, 70), F), I32(70), I32(10)],
        lambda a, out, w, h: {
            1: np.stack([np.convolve(r, [1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16], "same") for r in a])
        },
        grid=(3, 3),
        block=(32, 4),
    ),
    Case(
        """extern "C" __global__ void grey_and_invert(const uchar4* in, uchar4* out, unsigned char* grey, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            uchar4 p = in[i];
            grey[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
            out[i] = make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, p.w);
        }""",
        lambda: [
            integers(200, 4, high=256, dtype=np.uint8),
            np.zeros((200, 4), np.uint8),
            np.zeros(200, np.uint8),
            I32(200),
        ],
        lambda p, out, grey, n: {
            1: np.concatenate([255 - p[:, :3], p[:, 3:]], 1),
            2: (p[:, :3].astype(int) @ [77, 150, 29]) >> 8,
        },
        grid=(2,),
        block=(128,),
    ),
    Case(
        """extern "C" __global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
            const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
            const int gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
            int sx = 0, sy = 0;
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i) {
                    int v = in[(y + j - 1) * w + x + i - 1];
                    sx += gx[j][i] * v;
                    sy += gy[j][i] * v;
                }
            out[y * w + x] = (unsigned char)min(255, abs(sx) + abs(sy));
        }""",
        lambda: [integers(24, 33, high=256, dtype=np.uint8), np.zeros((24, 33), np.uint8), I32(33), I32(24)],
        lambda a, out, w, h: {1: _sobel(a.astype(int))},
        grid=(3, 3),
        block=(16, 8),
    ),
    Case(
        """extern "C" __global__ void median_filter(const short* in, short* out, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            short window[5];
            for (int k = 0; k < 5; ++k) window[k] = in[min(max(i + k - 2, 0), n - 1)];
            for (int a = 1; a < 5; ++a) {
                short key = window[a];
                int b = a - 1;
                while (b >= 0 && window[b] > key) { window[b + 1] = window[b]; --b; }
                window[b + 1] = key;
            }
            out[i] = window[2];
        }""",
        lambda: [integers(150, dtype=np.int16), np.zeros(150, np.int16), I32(150)],
        lambda x, out, n: {
            1: np.median(np.lib.stride_tricks.sliding_window_view(np.pad(x, 2, "edge"), 5), axis=1)
        },
        grid=(5,),
    ),
    Case(
        """extern "C" __global__ void heat_equation(const float* in, float* out, int w, int h, float k) {
            int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * w + x;
            if (x >= w || y >= h) return;
            if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { out[i] = in[i]; return; }
            out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w] - 4.0f * in[i]);
        }""",
        lambda: [floats(33, 21), np.zeros((33, 21), F), I32(21), I32(33), F(0.1)],
        lambda a, out, w, h, k: {1: _heat(a, k)},
        grid=(2, 3),
        block=(16, 16),
        options=("--fmad=false",),
    ),
]


def _mandelbrot(w, h, x0, y0, step, limit):
    cx, cy = x0 + np.arange(w) * step, y0 + np.arange(h)[:, None] * step
    x, y = np.zeros((h, w)), np.zeros((h, w))
    counts = np.zeros((h, w), I32)
    active = np.ones((h, w), bool)
    with np.errstate(all="ignore"):
        for _ in range(limit):
            active &= x * x + y * y <= 4
            counts += active
            x, y = np.where(active, x * x - y * y + cx, x), np.where(active, 2 * x * y + cy, y)
    return counts


def _julia(n):
    x = np.broadcast_to(F(3) * np.arange(n, dtype=F) / F(n) - F(1.5), (n, n)).copy()
    y = x.T.copy()
    out = np.full((n, n), 50, np.uint8)
    with np.errstate(all="ignore"):
        for i in range(50):
            x, y = x * x - y * y + F(-0.8), F(2) * x * y + F(0.156)
            out = np.where((out == 50) & (x * x + y * y > 4), i, out)
    return out


def _life(a):
    near = sum(np.roll(a.astype(int), (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return (near == 3) | ((near == 2) & (a == 1))


def _sobel(a):
    out = np.zeros(a.shape, int)
    gx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    windows = np.lib.stride_tricks.sliding_window_view(a, (3, 3))
    out[1:-1, 1:-1] = np.minimum(
        255, np.abs((windows * gx).sum((2, 3))) + np.abs((windows * gx.T).sum((2, 3)))
    )
    return out


def _heat(a, k):
    out = a.copy()
    inner = a[1:-1, 1:-1]
    out[1:-1, 1:-1] = inner + k * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1] - F(4) * inner)
    return out


@rows(CASES)
def test_kernel(case):
    run(case)

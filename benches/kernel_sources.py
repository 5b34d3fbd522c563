"""The kernels that `kernels.py` times, and the same loops in C."""

MATMUL_N = 512

MATMUL = r"""
#define TILE 16
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        as[ty][tx] = a[row * n + t * TILE + tx];
        bs[ty][tx] = b[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
"""

SAXPY = r"""
extern "C" __global__ void saxpy(const float* x, const float* y, float* z, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
"""

ADD = r"""
extern "C" __global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
"""

MANDELBROT = r"""
extern "C" __global__ void mandelbrot(int* out, int width, int height, int most) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    double cx = -2.0 + 3.0 * px / width, cy = -1.5 + 3.0 * py / height;
    double x = 0.0, y = 0.0;
    int n = 0;
    while (n < most && x * x + y * y <= 4.0) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        ++n;
    }
    out[py * width + px] = n;
}
"""

REDUCE = r"""
extern "C" __global__ void reduce(const float* x, float* sums, int n) {
    __shared__ float parts[256];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}
"""

WARPS = r"""
extern "C" __global__ void warps(const float* x, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? x[i] : 0.0f;
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
    if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}
"""

HISTOGRAM = r"""
extern "C" __global__ void histogram(const unsigned char* x, unsigned int* counts, int n) {
    __shared__ unsigned int part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[x[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], part[threadIdx.x]);
}
"""

BODIES = r"""
extern "C" __global__ void bodies(const float* x, const float* y, const float* z, const float* m,
                                  float* fx, float* fy, float* fz, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float px = x[i], py = y[i], pz = z[i], ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
        float d = dx * dx + dy * dy + dz * dz + 0.01f;
        float f = m[j] / (d * sqrtf(d));
        ax += dx * f;
        ay += dy * f;
        az += dz * f;
    }
    fx[i] = ax;
    fy[i] = ay;
    fz[i] = az;
}
"""

C = r"""
#include <math.h>
#define TILE 16

void matmul(const float* a, const float* b, float* c, int n) {
    #pragma omp parallel for collapse(2)
    for (int by = 0; by < n / TILE; ++by)
        for (int bx = 0; bx < n / TILE; ++bx) {
            float as[TILE][TILE], bs[TILE][TILE], sum[TILE][TILE] = {{0}};
            for (int t = 0; t < n / TILE; ++t) {
                for (int ty = 0; ty < TILE; ++ty)
                    for (int tx = 0; tx < TILE; ++tx) {
                        as[ty][tx] = a[(by * TILE + ty) * n + t * TILE + tx];
                        bs[ty][tx] = b[(t * TILE + ty) * n + bx * TILE + tx];
                    }
                for (int ty = 0; ty < TILE; ++ty)
                    for (int tx = 0; tx < TILE; ++tx)
                        for (int k = 0; k < TILE; ++k) sum[ty][tx] += as[ty][k] * bs[k][tx];
            }
            for (int ty = 0; ty < TILE; ++ty)
                for (int tx = 0; tx < TILE; ++tx) c[(by * TILE + ty) * n + bx * TILE + tx] = sum[ty][tx];
        }
}

void saxpy(const float* x, const float* y, float* z, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) z[i] = a * x[i] + y[i];
}

void add(const float* x, const float* y, float* z, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) z[i] = x[i] + y[i];
}

void mandelbrot(int* out, int width, int height, int most) {
    #pragma omp parallel for schedule(dynamic, 4)
    for (int py = 0; py < height; ++py)
        for (int px = 0; px < width; ++px) {
            double cx = -2.0 + 3.0 * px / width, cy = -1.5 + 3.0 * py / height, x = 0.0, y = 0.0;
            int n = 0;
            while (n < most && x * x + y * y <= 4.0) {
                double t = x * x - y * y + cx;
                y = 2.0 * x * y + cy;
                x = t;
                ++n;
            }
            out[py * width + px] = n;
        }
}

void reduce(const float* x, float* sums, int n, int blocks, int threads) {
    #pragma omp parallel for
    for (int b = 0; b < blocks; ++b) {
        float parts[256];
        for (int t = 0; t < threads; ++t) {
            float sum = 0.0f;
            for (int i = b * threads + t; i < n; i += blocks * threads) sum += x[i];
            parts[t] = sum;
        }
        for (int half = threads / 2; half > 0; half /= 2)
            for (int t = 0; t < half; ++t) parts[t] += parts[t + half];
        sums[b] = parts[0];
    }
}

void warps(const float* x, float* sums, int n) {
    #pragma omp parallel for
    for (int w = 0; w < n / 32; ++w) {
        float lanes[32];
        for (int lane = 0; lane < 32; ++lane) lanes[lane] = x[w * 32 + lane];
        for (int by = 16; by > 0; by /= 2)
            for (int lane = 0; lane < by; ++lane) lanes[lane] += lanes[lane + by];
        sums[w] = lanes[0];
    }
}

void histogram(const unsigned char* x, unsigned int* counts, int n, int blocks) {
    #pragma omp parallel for
    for (int b = 0; b < blocks; ++b) {
        unsigned int part[256] = {0};
        for (int i = b * 256; i < n; i += blocks * 256)
            for (int t = 0; t < 256 && i + t < n; ++t) ++part[x[i + t]];
        for (int t = 0; t < 256; ++t) __atomic_fetch_add(&counts[t], part[t], __ATOMIC_RELAXED);
    }
}

void bodies(const float* x, const float* y, const float* z, const float* m, float* fx, float* fy,
            float* fz, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; ++j) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            float f = m[j] / (d * sqrtf(d));
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        fx[i] = ax;
        fy[i] = ay;
        fz[i] = az;
    }
}
"""

// Radial basis functions: their matrix between points, and their sums.

typedef long long i64;

enum Kind { LINEAR, THIN_PLATE_SPLINE, CUBIC, QUINTIC, MULTIQUADRIC, INVERSE_MULTIQUADRIC, INVERSE_QUADRATIC, GAUSSIAN };

// The function of a squared distance.
template <int KIND> __device__ double radial(double square) {
    if (KIND == LINEAR) return -sqrt(square);
    if (KIND == THIN_PLATE_SPLINE) return square == 0 ? 0.0 : 0.5 * square * log(square);
    if (KIND == CUBIC) return square * sqrt(square);
    if (KIND == QUINTIC) return -square * square * sqrt(square);
    if (KIND == MULTIQUADRIC) return -sqrt(square + 1);
    if (KIND == INVERSE_MULTIQUADRIC) return 1 / sqrt(square + 1);
    if (KIND == INVERSE_QUADRATIC) return 1 / (square + 1);
    return exp(-square);
}

// out[i, j] for points y of RANK coordinates that are scaled already; `stride` is the length of a row of `out`.
template <int KIND, int RANK> __global__ void matrix(const double* y, double* out, i64 n, i64 stride) {
    i64 j = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (i64 i = blockIdx.y; i < n; i += gridDim.y) {
        double square = 0;
        for (int k = 0; k < RANK; k++) {
            double d = y[i * RANK + k] - y[j * RANK + k];
            square += d * d;
        }
        out[i * stride + j] = radial<KIND>(square);
    }
}

// Sums over all centres at points x, for WIDTH columns of coefficients from `first` on: one thread a point.
template <int KIND, int RANK, int WIDTH>
__global__ void sums(const double* x, const double* y, const double* c, double* out, i64 count, i64 n, i64 width, i64 first) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    double at[RANK], total[WIDTH];
    for (int k = 0; k < RANK; k++) at[k] = x[point * RANK + k];
    for (int w = 0; w < WIDTH; w++) total[w] = 0;
    for (i64 i = 0; i < n; i++) {
        double square = 0;
        for (int k = 0; k < RANK; k++) {
            double d = at[k] - y[i * RANK + k];
            square += d * d;
        }
        double value = radial<KIND>(square);
        for (int w = 0; w < WIDTH; w++) total[w] += value * c[i * width + first + w];
    }
    for (int w = 0; w < WIDTH; w++) out[point * width + first + w] = total[w];
}

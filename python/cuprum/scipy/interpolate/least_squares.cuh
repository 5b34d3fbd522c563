// Banded least squares by Givens rotations: rows of a design matrix are rotated into a triangle of BAND diagonals.

typedef long long i64;

// Rotate one row, which begins at column `start`, into the triangle r[column, diagonal] and its right-hand sides z[column, side].
template <int BAND>
__device__ void rotate_in(double* row, double* side, i64 start, double* r, double* z, i64 n, i64 width) {
    for (i64 column = start; column < n; column++) {
        // What rotations leave behind may reach beyond the row's own end.
        bool empty = true;
        for (int k = 0; k < BAND; k++)
            if (row[k] != 0) empty = false;
        if (empty) return;
        double pivot = row[0];
        if (pivot != 0) {
            double* line = r + column * BAND;
            double size = hypot(line[0], pivot), c = line[0] / size, s = pivot / size;
            line[0] = size;
            for (int k = 1; k < BAND; k++) {
                double a = line[k], b = row[k];
                line[k] = c * a + s * b;
                row[k] = c * b - s * a;
            }
            for (i64 j = 0; j < width; j++) {
                double a = z[column * width + j], b = side[j];
                z[column * width + j] = c * a + s * b;
                side[j] = c * b - s * a;
            }
        }
        for (int k = 1; k < BAND; k++) row[k - 1] = row[k];
        row[BAND - 1] = 0;
    }
}

// The rows of one knot interval, which begin at the same column, become a triangle of BAND rows: one thread an interval. Rows
// and sides are overwritten.
template <int BAND>
__global__ void reduce_intervals(double* rows, double* sides, const i64* begin, double* r, double* z, i64 width, i64 intervals) {
    i64 interval = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (interval >= intervals) return;
    for (i64 i = begin[interval]; i < begin[interval + 1]; i++)
        rotate_in<BAND>(rows + i * BAND, sides + i * width, 0, r + interval * BAND * BAND, z + interval * BAND * width, BAND, width);
}

// All rows become one triangle, one after the other.
template <int BAND>
__global__ void reduce_rows(double* rows, double* sides, const i64* start, double* r, double* z, i64 n, i64 width, i64 count) {
    if (blockIdx.x || threadIdx.x) return;
    for (i64 i = 0; i < count; i++) rotate_in<BAND>(rows + i * BAND, sides + i * width, start[i], r, z, n, width);
}

// Back substitution in place, one thread a right-hand side.
template <int BAND> __global__ void solve_triangle(const double* r, double* z, i64 n, i64 width) {
    i64 side = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (side >= width) return;
    for (i64 row = n - 1; row >= 0; row--) {
        double value = z[row * width + side];
        for (int k = 1; k < BAND && row + k < n; k++) value -= r[row * BAND + k] * z[(row + k) * width + side];
        z[row * width + side] = value / r[row * BAND];
    }
}

// Forward substitution with the transposed triangle in place, one thread a right-hand side.
template <int BAND> __global__ void solve_transposed(const double* r, double* z, i64 n, i64 width) {
    i64 side = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (side >= width) return;
    for (i64 row = 0; row < n; row++) {
        double value = z[row * width + side];
        for (int k = 1; k < BAND && k <= row; k++) value -= r[(row - k) * BAND + k] * z[(row - k) * width + side];
        z[row * width + side] = value / r[row * BAND];
    }
}

// Inverses of small matrices, after matrix_stack.cu: a thread a matrix, which stays in registers. Rows are exchanged and
// substituted as LAPACK does it. N is the matrices' order.

// What LAPACK compares pivots by.
inline P pivot_size(T x) { return fabs(real_part(x)) + fabs(imaginary_part(x)); }

inline void exchange(T &a, T &b) {
    const T kept = a;
    a = b;
    b = kept;
}

// Matrices lie by rows, and so do their inverses. `failed` becomes one where a matrix is singular; one with a NaN has NaNs
// for its inverse.
extern "C" __global__ void linalg_small_inverse(const T *matrices, T *inverses, u64 count, i32 *failed) {
    EACH(matrix, count) {
        T a[N][N], x[N][N];
        bool spoilt = false, singular = false;
#pragma unroll
        for (int row = 0; row < N; row++) {
#pragma unroll
            for (int column = 0; column < N; column++) {
                a[row][column] = matrices[(matrix * N + row) * N + column];
                x[row][column] = row == column ? T(1) : T(0);
                const P size = pivot_size(a[row][column]);
                spoilt |= size != size;
            }
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            int pivot = k;
            P largest = pivot_size(a[k][k]);
#pragma unroll
            for (int row = k + 1; row < N; row++) {
                const P size = pivot_size(a[row][k]);
                if (size > largest) {
                    largest = size;
                    pivot = row;
                }
            }
            singular |= largest == 0;
            // No index that is known late: rows stay in registers.
#pragma unroll
            for (int row = k + 1; row < N; row++) {
                if (row != pivot) continue;
#pragma unroll
                for (int column = 0; column < N; column++) {
                    exchange(a[k][column], a[row][column]);
                    exchange(x[k][column], x[row][column]);
                }
            }
#pragma unroll
            for (int row = k + 1; row < N; row++) {
                const T factor = a[row][k] / a[k][k];
#pragma unroll
                for (int column = 0; column < N; column++) {
                    if (column > k) a[row][column] = a[row][column] - factor * a[k][column];
                    x[row][column] = x[row][column] - factor * x[k][column];
                }
            }
        }
#pragma unroll
        for (int k = N - 1; k >= 0; k--) {
#pragma unroll
            for (int column = 0; column < N; column++) {
                x[k][column] = x[k][column] / a[k][k];
#pragma unroll
                for (int row = 0; row < k; row++) {
                    x[row][column] = x[row][column] - a[row][k] * x[k][column];
                }
            }
        }
        if (singular && !spoilt) *failed = 1;
        const P none = not_a_number<P>();
#pragma unroll
        for (int at = 0; at < N * N; at++) {
            inverses[matrix * (N * N) + at] = spoilt ? of_parts(none, is_complex<T> ? none : P(0)) : x[at / N][at % N];
        }
    }
}

// QR factorisation of many small matrices by Householder reflections, after matrix_stack.cu: a block a matrix, a warp a column.
// Matrices lie by columns and are of moderate size. The reflections and their signs are LAPACK's.

constexpr u32 WARP = 32, WARPS = 4;

// The sum over a warp, the same in every lane.
inline P sum_of_warp(P x) {
    for (u32 step = WARP / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
    return x;
}

inline T sum_of_warp_parts(T x) { return of_parts(sum_of_warp(real_part(x)), sum_of_warp(imaginary_part(x))); }

inline T conjugated(T x) { return of_parts(real_part(x), -imaginary_part(x)); }

inline P square_of(T x) { return real_part(x) * real_part(x) + imaginary_part(x) * imaginary_part(x); }

// Applies I - tau v v^H to columns `from` up to `to`, from row `first` on; v begins with a one that is not stored.
inline void apply(T *a, u32 rows, u32 from, u32 to, u32 first, const T *v, T tau) {
    const u32 lane = threadIdx.x % WARP;
    for (u32 column = from + threadIdx.x / WARP; column < to; column += WARPS) {
        T *x = a + (u64)column * rows;
        T sum = T(0);
        for (u32 row = first + lane; row < rows; row += WARP) {
            sum = sum + (row == first ? x[row] : conjugated(v[row]) * x[row]);
        }
        const T factor = tau * sum_of_warp_parts(sum);
        for (u32 row = first + lane; row < rows; row += WARP) {
            x[row] = x[row] - (row == first ? factor : v[row] * factor);
        }
    }
}

// Packs R and the reflections' vectors into `packed`, their factors into `factors`; with `basis`, forms Q of `wanted`
// columns in it, by columns too.
extern "C" __global__ void linalg_reflect(
    T *packed, T *factors, T *basis, u32 rows, u32 columns, u32 wanted, u64 count
) {
    __shared__ T shared_tau, shared_head;
    const u32 lane = threadIdx.x % WARP, least = rows < columns ? rows : columns;
    for (u64 matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
        T *a = packed + matrix * rows * columns, *taus = factors + matrix * least;
        for (u32 k = 0; k < least; k++) {
            T *v = a + (u64)k * rows;
            if (threadIdx.x < WARP) {
                P squares = 0;
                for (u32 row = k + 1 + lane; row < rows; row += WARP) squares += square_of(v[row]);
                squares = sum_of_warp(squares);
                const T head = v[k];
                // Nothing below and a real head: no reflection.
                const bool none = squares == 0 && imaginary_part(head) == 0;
                const P length = sqrt(square_of(head) + squares);
                const P beta = real_part(head) >= 0 ? -length : length;
                const T tau =
                    none ? T(0) : of_parts((beta - real_part(head)) / beta, -imaginary_part(head) / beta);
                const T divisor = of_parts(real_part(head) - beta, imaginary_part(head));
                for (u32 row = k + 1 + lane; row < rows; row += WARP) {
                    if (!none) v[row] = v[row] / divisor;
                }
                if (lane == 0) {
                    shared_tau = tau;
                    shared_head = none ? head : of_parts(beta, 0);
                }
            }
            __syncthreads();
            const T tau = shared_tau;
            apply(a, rows, k + 1, columns, k, v, conjugated(tau));
            if (threadIdx.x == 0) {
                v[k] = shared_head;
                taus[k] = tau;
            }
            __syncthreads();
        }
        if (!basis) continue;
        T *q = basis + matrix * rows * wanted;
        for (u32 at = threadIdx.x; at < rows * wanted; at += blockDim.x) {
            q[at] = at % rows == at / rows ? T(1) : T(0);
        }
        __syncthreads();
        for (u32 back = least; back > 0; back--) {
            const u32 k = back - 1;
            apply(q, rows, k, wanted, k, a + (u64)k * rows, taus[k]);
            __syncthreads();
        }
    }
}

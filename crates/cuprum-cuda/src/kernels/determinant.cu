// Determinants from the diagonals of factors, after matrix_stack.cu; a block a matrix. Pivots count from one.

// Matrices of `size` elements that held a NaN, by the bits of their largest part, have factors that are NaNs; no rows are
// exchanged, and there is nothing to tell. `pivots`, of which each matrix has `k`, and `info` may be null.
extern "C" __global__ void linalg_fill_nan(
    T *factors, Pivot *pivots, i32 *info, const u64 *largest, u64 size, u64 k, u64 count
) {
    EACH(at, size * count) {
        const u64 matrix = at / size, i = at % size;
        if (largest[matrix] <= (u64)to_bits(infinity<P>())) continue;
        factors[at] = of_parts(not_a_number<P>(), not_a_number<P>());
        if (pivots && i < k) pivots[matrix * k + i] = (Pivot)(i + 1);
        if (info && i == 0) info[matrix] = 0;
    }
}

// The product as a number near one and a power of two, so that no intermediate result overflows if the determinant does
// not.
extern "C" __global__ void linalg_determinant(
    const T *factors, const Pivot *pivots, const i32 *info, T *out, u64 n, u64 count
) {
    __shared__ T near_one[THREADS];
    __shared__ i32 exponents[THREADS];
    __shared__ i32 exchanged[THREADS];
    for (u64 matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
        T product = T(1);
        i64 exponent = 0;
        for (u64 first = 0; first < n; first += THREADS) {
            const u64 i = first + threadIdx.x;
            if (i < n) {
                const T x = factors[matrix * n * n + i * n + i];
                const P re = real_part(x), im = imaginary_part(x);
                const i32 e = exponent_of(fabs(re) > fabs(im) ? re : im);
                near_one[threadIdx.x] = times_power_of_both(x, -e);
                exponents[threadIdx.x] = e;
                exchanged[threadIdx.x] = (u64)(pivots[matrix * n + i] - 1) != i;
            }
            __syncthreads();
            for (u64 k = 0; threadIdx.x == 0 && k < THREADS && first + k < n; k++) {
                product = product * near_one[k];
                const P re = real_part(product), im = imaginary_part(product);
                const i32 e = exponent_of(fabs(re) > fabs(im) ? re : im);
                product = times_power_of_both(product, -e);
                exponent += exponents[k] + e;
                if (exchanged[k]) product = -product;
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            const i64 most = 1 << 20;
            const i32 e = (i32)(exponent > most ? most : exponent < -most ? -most : exponent);
            out[matrix] = info[matrix] > 0 ? T(0) : times_power_of_both(product, e);
        }
    }
}

// The sign, a number of size one or zero, and the logarithm of the size.
extern "C" __global__ void linalg_log_determinant(
    const T *factors, const Pivot *pivots, const i32 *info, T *sign, P *log_size, u64 n, u64 count
) {
    __shared__ T units[THREADS];
    __shared__ f64 logs[THREADS];
    __shared__ i32 exchanged[THREADS];
    for (u64 matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
        T product = T(1);
        f64 sum = 0;
        i32 zero = info[matrix] > 0;
        for (u64 first = 0; first < n; first += THREADS) {
            const u64 i = first + threadIdx.x;
            if (i < n) {
                const T x = factors[matrix * n * n + i * n + i];
                const P re = real_part(x), im = imaginary_part(x);
                const P size = is_complex<T> ? (P)hypot(re, im) : (P)fabs(re);
                units[threadIdx.x] = of_parts(re / size, im / size);
                logs[threadIdx.x] = log((f64)size);
                exchanged[threadIdx.x] = (size == 0 ? 2 : 0) + ((u64)(pivots[matrix * n + i] - 1) != i);
            }
            __syncthreads();
            for (u64 k = 0; threadIdx.x == 0 && k < THREADS && first + k < n; k++) {
                if (exchanged[k] >= 2) zero = 1;
                product = product * units[k];
                if (exchanged[k] & 1) product = -product;
                sum += logs[k];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            sign[matrix] = zero ? T(0) : product;
            log_size[matrix] = zero ? -infinity<P>() : (P)sum;
        }
    }
}

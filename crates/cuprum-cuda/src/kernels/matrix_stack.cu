// What stands around the factorisations of stacks of matrices. T is the element's type, P that of its parts. Matrices lie
// one after the other without gaps.

typedef real_of<T> P;
typedef word_of<P> Bits;

constexpr int THREADS = 256;

#define EACH(at, size)                                                                                                 \
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x, step_ = (u64)gridDim.x * blockDim.x; at < (size);        \
         at += step_)

template <class E> real_of<E> real_part(E x) {
    if constexpr (is_complex<E>) return x.re;
    else return x;
}

template <class E> real_of<E> imaginary_part(E x) {
    if constexpr (is_complex<E>) return x.im;
    else return 0;
}

template <class E = T> E of_parts(P re, P im) {
    if constexpr (is_complex<E>) return E(re, im);
    else return re;
}

inline bool is_finite(P x) { return (to_bits(x) & to_bits(infinity<P>())) != to_bits(infinity<P>()); }

inline i32 exponent_of(P x) { return x == 0 || !is_finite(x) ? 0 : ilogb(x); }

inline P times_power(P x, i32 e) { return (P)ldexp(x, e); }

inline T times_power_of_both(T x, i32 e) {
    return of_parts(times_power(real_part(x), e), times_power(imaginary_part(x), e));
}

// The addresses of matrices that lie `bytes` apart.
extern "C" __global__ void linalg_addresses(u64 *addresses, u64 start, u64 bytes, u64 count) {
    EACH(at, count) addresses[at] = start + at * bytes;
}

// Keeps the triangle on and below the diagonal (`lower`), or on and above it, of matrices stored by rows.
extern "C" __global__ void linalg_keep_triangle(T *a, u64 rows, u64 columns, u64 count, i32 lower) {
    EACH(at, rows * columns * count) {
        const u64 row = at / columns % rows, column = at % columns;
        if (lower ? column > row : column < row) a[at] = T(0);
    }
}

extern "C" __global__ void linalg_identity(T *a, u64 rows, u64 columns, u64 count) {
    EACH(at, rows * columns * count) a[at] = at / columns % rows == at % columns ? T(1) : T(0);
}

extern "C" __global__ void linalg_conjugate(T *a, u64 size) {
    EACH(at, size) a[at] = of_parts(real_part(a[at]), -imaginary_part(a[at]));
}

// Zeros for parts whose squares are not normal numbers.
extern "C" __global__ void linalg_drop_tiny(T *a, u64 size) {
    const P least = times_power(1, same<P, f32> ? -63 : -511);
    EACH(at, size) {
        const P re = real_part(a[at]), im = imaginary_part(a[at]);
        a[at] = of_parts(fabs(re) < least ? P(0) : re, fabs(im) < least ? P(0) : im);
    }
}

// The first zero on the diagonal of each matrix, or what `found` held before.
extern "C" __global__ void linalg_zero_on_diagonal(const T *a, u64 n, u64 count, i32 *found) {
    EACH(at, n * count) {
        const u64 matrix = at / n, i = at % n;
        if (a[matrix * n * n + i * n + i] == T(0)) atomicMin(found + matrix, (i32)i);
    }
}

// Whether an element of a matrix stored by columns belongs to the triangle: 0 all of them, 1 those on and below the
// diagonal.
inline bool belongs(u64 row, u64 column, i32 triangle) { return triangle == 0 || row >= column; }

// The bits of the largest part of any matrix: as integers they are in the order of the sizes, with infinity and NaN
// beyond all numbers. `largest` starts at zero. Of a Hermitian matrix the diagonal's imaginary parts count for nothing.
extern "C" __global__ void linalg_largest(const T *a, u64 rows, u64 columns, u64 count, i32 triangle, u64 *largest) {
    __shared__ u64 most[THREADS];
    const u64 size = rows * columns;
    for (u64 matrix = blockIdx.y; matrix < count; matrix += gridDim.y) {
        u64 mine = 0;
        EACH(at, size) {
            const u64 row = at % rows, column = at / rows;
            if (!belongs(row, column, triangle)) continue;
            const T x = a[matrix * size + at];
            const u64 re = (u64)to_bits((P)fabs(real_part(x)));
            const u64 im = triangle != 0 && row == column ? 0 : (u64)to_bits((P)fabs(imaginary_part(x)));
            mine = re > mine ? re : mine;
            mine = im > mine ? im : mine;
        }
        most[threadIdx.x] = mine;
        for (int half = THREADS / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half && most[threadIdx.x + half] > most[threadIdx.x]) {
                most[threadIdx.x] = most[threadIdx.x + half];
            }
        }
        if (threadIdx.x == 0) atomicMax(largest + matrix, most[0]);
        __syncthreads();
    }
}

inline i32 exponent_to_take(u64 largest) {
    const P most = from_bits((Bits)largest);
    if (!is_finite(most)) return 0;
    const i32 e = exponent_of(most);
    return e > -8 && e < 8 ? 0 : e;
}

// Brings each matrix near one by a power of two where it is far from it. One that is not finite becomes zero, and its
// `fault` one; without `fault` it stays as it is. What does not belong to the triangle becomes zero.
extern "C" __global__ void linalg_normalize(
    T *a, u64 rows, u64 columns, u64 count, i32 triangle, const u64 *largest, i32 *fault
) {
    const u64 size = rows * columns;
    EACH(at, size * count) {
        const u64 matrix = at / size, row = at % size % rows, column = at % size / rows;
        const bool finite = is_finite(from_bits((Bits)largest[matrix]));
        if (fault && at % size == 0) fault[matrix] = finite ? 0 : 1;
        if ((fault && !finite) || !belongs(row, column, triangle)) {
            a[at] = T(0);
            continue;
        }
        const i32 e = exponent_to_take(largest[matrix]);
        T x = a[at];
        if (triangle != 0 && row == column) x = of_parts(real_part(x), 0);
        if (e != 0) x = times_power_of_both(x, -e);
        a[at] = x;
    }
}

// Takes results back: `each` parts of every matrix.
extern "C" __global__ void linalg_scale_back(P *values, u64 each, u64 count, const u64 *largest) {
    EACH(at, each * count) {
        const i32 e = exponent_to_take(largest[at / each]);
        if (e != 0) values[at] = times_power(values[at], e);
    }
}

// Takes the triangle on and above the diagonal back, of matrices that lie by columns.
extern "C" __global__ void linalg_triangle_back(T *a, u64 rows, u64 columns, u64 count, const u64 *largest) {
    const u64 size = rows * columns;
    EACH(at, size * count) {
        const i32 e = exponent_to_take(largest[at / size]);
        if (e != 0 && at % size % rows <= at % size / rows) a[at] = times_power_of_both(a[at], e);
    }
}

// The eigenvalues of real matrices from their real and imaginary parts, `each` after `each`.
extern "C" __global__ void linalg_join_values(const P *parts, complex<P> *values, u64 n, u64 count) {
    EACH(at, n * count) {
        const u64 matrix = at / n, i = at % n;
        values[at] = complex<P>(parts[matrix * 2 * n + i], parts[matrix * 2 * n + n + i]);
    }
}

// The eigenvectors of real matrices, by columns: of a pair of complex ones the real and the imaginary part are stored.
extern "C" __global__ void linalg_join_vectors(
    const P *packed, const P *parts, complex<P> *vectors, u64 n, u64 count
) {
    EACH(at, n * n * count) {
        const u64 matrix = at / (n * n), column = at / n % n;
        const P *imaginary = parts + matrix * 2 * n + n;
        // Pairs follow one another, the positive imaginary part first.
        if (imaginary[column] == 0) vectors[at] = complex<P>(packed[at], 0);
        else if (imaginary[column] > 0) vectors[at] = complex<P>(packed[at], packed[at + n]);
        else vectors[at] = complex<P>(packed[at - n], -packed[at]);
    }
}

// Factors L D L^T of a symmetric or Hermitian matrix, with pivots of one or two rows after Bunch and Kaufman, in one block: its first thread
// chooses pivots, and all share the rows of each step out among them. Matrices are stored by rows.

// A complex number by its parts.
struct Complex {
    double re, im;
};

__device__ double times(double a, double b) { return a * b; }
__device__ double plus(double a, double b) { return a + b; }
__device__ double less(double a, double b) { return a - b; }
__device__ double over(double a, double b) { return a / b; }
__device__ double conjugate(double a) { return a; }
__device__ double size_of(double a) { return fabs(a); }
__device__ void set(double* a, double value) { *a = value; }

__device__ Complex times(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Complex plus(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ Complex less(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ Complex conjugate(Complex a) { return {a.re, -a.im}; }
__device__ double size_of(Complex a) { return fabs(a.re) + fabs(a.im); }
__device__ void set(Complex* a, double value) { *a = {value, 0.0}; }
__device__ Complex over(Complex a, Complex b) {
    double scale = fabs(b.re) > fabs(b.im) ? fabs(b.re) : fabs(b.im);
    double re = b.re / scale, im = b.im / scale, square = (re * re + im * im) * scale;
    return {(a.re * re + a.im * im) / square, (a.im * re - a.re * im) / square};
}

template <class T> __device__ T mirrored(T a, bool hermitian) { return hermitian ? conjugate(a) : a; }

// Rows of the next pivot, 1 or 2; `with` is the row that comes to the last of them.
template <class T> __device__ int choose(const T* a, int n, int k, int* with) {
    const double alpha = 0.6403882032022076;  // (1 + sqrt(17)) / 8
    double pivot = size_of(a[k * n + k]), column = 0.0;
    int most = k;
    *with = k;
    for (int i = k + 1; i < n; i++) {
        double size = size_of(a[i * n + k]);
        if (size > column) {
            column = size;
            most = i;
        }
    }
    if (column == 0.0 || pivot >= alpha * column) return 1;
    double row = 0.0;
    for (int j = k; j < n; j++) {
        if (j != most) row = fmax(row, size_of(j < most ? a[most * n + j] : a[j * n + most]));
    }
    if (pivot >= alpha * column * (column / row)) return 1;
    *with = most;
    return size_of(a[most * n + most]) >= alpha * row ? 1 : 2;
}

// `a` is a whole matrix, of which the lower triangle becomes L, without its ones; `d` is zero before.
template <class T> __global__ void ldl(T* a, T* d, long long* order, int n, bool hermitian) {
    __shared__ int rows, with;
    for (int i = threadIdx.x; i < n; i += blockDim.x) order[i] = i;
    __syncthreads();
    for (int k = 0; k < n; k += rows) {
        __syncthreads();
        if (threadIdx.x == 0) rows = choose(a, n, k, &with);
        __syncthreads();
        int here = k + rows - 1, step = rows;
        if (with != here) {
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                T one = a[here * n + j];
                a[here * n + j] = a[with * n + j];
                a[with * n + j] = one;
            }
            __syncthreads();
            // Columns that are factors already stay.
            for (int i = k + threadIdx.x; i < n; i += blockDim.x) {
                T one = a[i * n + here];
                a[i * n + here] = a[i * n + with];
                a[i * n + with] = one;
            }
            if (threadIdx.x == 0) {
                long long one = order[here];
                order[here] = order[with];
                order[with] = one;
            }
            __syncthreads();
        }
        T first = a[k * n + k];
        if (step == 1) {
            if (threadIdx.x == 0) d[k * n + k] = first;
            if (size_of(first) != 0.0) {
                for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) {
                    T factor = over(a[i * n + k], first);
                    for (int j = k + 1; j < n; j++) a[i * n + j] = less(a[i * n + j], times(factor, a[k * n + j]));
                    a[i * n + k] = factor;
                }
            }
        } else {
            T under = a[(k + 1) * n + k], second = a[(k + 1) * n + k + 1], above = mirrored(under, hermitian);
            if (threadIdx.x == 0) {
                d[k * n + k] = first;
                d[(k + 1) * n + k] = under;
                d[k * n + k + 1] = above;
                d[(k + 1) * n + k + 1] = second;
            }
            // The inverse of the block, by parts of its largest element.
            T p = over(first, above), q = over(second, under);
            T one;
            set(&one, 1.0);
            T scale = less(times(p, q), one);
            __syncthreads();
            for (int i = k + 2 + threadIdx.x; i < n; i += blockDim.x) {
                // [u v] [first above; under second] = [x y].
                T x = a[i * n + k], y = a[i * n + k + 1];
                T u = over(less(times(over(x, above), q), over(y, above)), scale);
                T v = over(less(times(over(y, under), p), over(x, under)), scale);
                for (int j = k + 2; j < n; j++) {
                    T sum = plus(times(u, a[k * n + j]), times(v, a[(k + 1) * n + j]));
                    a[i * n + j] = less(a[i * n + j], sum);
                }
                a[i * n + k] = u;
                a[i * n + k + 1] = v;
            }
            __syncthreads();
            if (threadIdx.x == 0) set(&a[(k + 1) * n + k], 0.0);
        }
    }
}

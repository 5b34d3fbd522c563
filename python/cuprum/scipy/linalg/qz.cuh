// The generalised Schur form of two matrices a and b, b triangular, by shifted QZ steps in one block: every thread follows the same steps, and shares
// the rows and columns of each rotation with the others. Matrices are stored by rows; q and z gather what is done to rows and to columns.

template <class T> struct Pencil {
    T *a, *b, *q, *z;
    int n;
};

__device__ double size_of(double a) { return fabs(a); }

// Rows i and j become c row_i + s row_j and c row_j - s row_i, from column `first` on.
__device__ void turn_rows(Pencil<double> m, int i, int j, int first, double c, double s) {
    int n = m.n;
    __syncthreads();
    for (int k = first + threadIdx.x; k < n; k += blockDim.x) {
        double x = m.a[i * n + k], y = m.a[j * n + k];
        m.a[i * n + k] = c * x + s * y;
        m.a[j * n + k] = c * y - s * x;
        x = m.b[i * n + k], y = m.b[j * n + k];
        m.b[i * n + k] = c * x + s * y;
        m.b[j * n + k] = c * y - s * x;
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        double x = m.q[k * n + i], y = m.q[k * n + j];
        m.q[k * n + i] = c * x + s * y;
        m.q[k * n + j] = c * y - s * x;
    }
    __syncthreads();
}

// Columns likewise, down to row `last` of a and b.
__device__ void turn_columns(Pencil<double> m, int i, int j, int last, double c, double s) {
    int n = m.n;
    __syncthreads();
    for (int k = threadIdx.x; k <= last; k += blockDim.x) {
        double x = m.a[k * n + i], y = m.a[k * n + j];
        m.a[k * n + i] = c * x + s * y;
        m.a[k * n + j] = c * y - s * x;
        x = m.b[k * n + i], y = m.b[k * n + j];
        m.b[k * n + i] = c * x + s * y;
        m.b[k * n + j] = c * y - s * x;
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        double x = m.z[k * n + i], y = m.z[k * n + j];
        m.z[k * n + i] = c * x + s * y;
        m.z[k * n + j] = c * y - s * x;
    }
    __syncthreads();
}

// The rotation that takes (x, y) to (r, 0).
__device__ void rotation(double x, double y, double* c, double* s) {
    double length = hypot(x, y);
    *c = length == 0.0 ? 1.0 : x / length;
    *s = length == 0.0 ? 0.0 : y / length;
}

__device__ void set_zero(double* matrix, int n, int i, int j) {
    __syncthreads();
    if (threadIdx.x == 0) matrix[i * n + j] = 0.0;
    __syncthreads();
}

// Turns rows i and i + 1 so that element (i + 1, j) of a or b vanishes.
__device__ void clear_by_rows(Pencil<double> m, double* of, int i, int j, int first) {
    double c, s;
    rotation(of[i * m.n + j], of[(i + 1) * m.n + j], &c, &s);
    turn_rows(m, i, i + 1, first, c, s);
    set_zero(of, m.n, i + 1, j);
}

// Turns columns j and j + 1 so that element (i, j) of a or b vanishes.
__device__ void clear_by_columns(Pencil<double> m, double* of, int i, int j, int last) {
    double c, s;
    rotation(of[i * m.n + j + 1], of[i * m.n + j], &c, &s);
    turn_columns(m, j + 1, j, last, c, s);
    set_zero(of, m.n, i, j);
}

// A block of two rows: triangular where its eigenvalues are real; elsewhere b becomes diagonal.
__device__ bool finish_block(Pencil<double> m, int k) {
    int n = m.n;
    double *a = m.a + k * n + k, *b = m.b + k * n + k;
    double b11 = b[0], b12 = b[1], b22 = b[n + 1];
    double m11 = a[0] / b11, m21 = a[n] / b11, m12 = (a[1] - m11 * b12) / b22, m22 = (a[n + 1] - m21 * b12) / b22;
    double half = 0.5 * (m11 - m22), square = half * half + m12 * m21;
    if (square >= 0.0) {
        double value = m22 + half + copysign(sqrt(square), half);
        // The null vector of a - value b comes to the first column.
        double e11 = a[0] - value * b11, e12 = a[1] - value * b12, e21 = a[n], e22 = a[n + 1] - value * b22;
        bool upper = fabs(e11) + fabs(e12) > fabs(e21) + fabs(e22);
        double c, s;
        rotation(upper ? e12 : e22, upper ? -e11 : -e21, &c, &s);
        turn_columns(m, k, k + 1, k + 1, c, s);
        double from_a = fabs(a[0]) + fabs(a[n]), from_b = fabs(value) * (fabs(b[0]) + fabs(b[n]));
        clear_by_rows(m, from_b >= from_a && from_b > 0.0 ? m.b : m.a, k, k, k);
        set_zero(m.a, n, k + 1, k);
        set_zero(m.b, n, k + 1, k);
        return true;
    }
    // Singular values of b by one rotation of columns that makes them orthogonal, then one of rows.
    double product = b11 * b12, apart = b12 * b12 + b22 * b22 - b11 * b11;
    double angle = 0.5 * atan2(-2.0 * product, apart);
    turn_columns(m, k, k + 1, k + 1, cos(angle), sin(angle));
    double c, s;
    rotation(b[0], b[n], &c, &s);
    turn_rows(m, k, k + 1, k, c, s);
    set_zero(m.b, n, k + 1, k);
    set_zero(m.b, n, k, k + 1);
    return true;
}

__device__ void qz_step(Pencil<double> m, int low, int high, int steps) {
    int n = m.n;
    double *a = m.a, *b = m.b;
    int l = high - 1;
    double p = b[l * n + l], o = b[l * n + high], r = b[high * n + high];
    double m11 = a[l * n + l] / p, m21 = a[high * n + l] / p;
    double m12 = (a[l * n + high] - m11 * o) / r, m22 = (a[high * n + high] - m21 * o) / r;
    double sum = m11 + m22, product = m11 * m22 - m12 * m21;
    if (steps % 10 == 0) {
        double size = fabs(m21) + fabs(a[l * n + l - 1] / b[(l - 1) * n + l - 1]);
        sum = 1.5 * size;
        product = size * size;
    }
    double t11 = b[low * n + low], t12 = b[low * n + low + 1], t22 = b[(low + 1) * n + low + 1];
    double first = a[low * n + low] / t11, second = a[(low + 1) * n + low] / t11;
    double c12 = (a[low * n + low + 1] - first * t12) / t22, c22 = (a[(low + 1) * n + low + 1] - second * t12) / t22;
    double c32 = a[(low + 2) * n + low + 1] / t22;
    double x = first * first + second * c12 - sum * first + product, y = second * (first + c22 - sum), z = second * c32;
    for (int k = low; k < high; k++) {
        bool three = k < high - 1;
        int from = k > low ? k - 1 : low;
        if (k > low) {
            x = a[k * n + k - 1];
            y = a[(k + 1) * n + k - 1];
            z = three ? a[(k + 2) * n + k - 1] : 0.0;
        }
        double c, s;
        if (three) {
            rotation(y, z, &c, &s);
            y = hypot(y, z);
            turn_rows(m, k + 1, k + 2, from, c, s);
            if (k > low) set_zero(a, n, k + 2, k - 1);
        }
        rotation(x, y, &c, &s);
        turn_rows(m, k, k + 1, from, c, s);
        if (k > low) set_zero(a, n, k + 1, k - 1);
        int last = k + 3 < high ? k + 3 : high;
        if (three) {
            clear_by_columns(m, b, k + 2, k, last);
            clear_by_columns(m, b, k + 2, k + 1, last);
        }
        clear_by_columns(m, b, k + 1, k, last);
    }
}

// Complex numbers by their parts, interleaved.
struct Number {
    double re, im;
};

__device__ Number times(Number a, Number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Number plus(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
__device__ Number less(Number a, Number b) { return {a.re - b.re, a.im - b.im}; }
__device__ Number scaled(Number a, double by) { return {a.re * by, a.im * by}; }
__device__ Number conjugate(Number a) { return {a.re, -a.im}; }
__device__ double size_of(Number a) { return hypot(a.re, a.im); }
__device__ Number over(Number a, Number b) {
    double scale = fmax(fabs(b.re), fabs(b.im)), re = b.re / scale, im = b.im / scale, square = (re * re + im * im) * scale;
    return {(a.re * re + a.im * im) / square, (a.im * re - a.re * im) / square};
}
__device__ Number root(Number a) {
    double length = size_of(a);
    if (length == 0.0) return {0.0, 0.0};
    double half = sqrt(0.5 * (length + fabs(a.re))), other = 0.5 * a.im / half;
    if (a.re >= 0.0) return {half, other};
    return {fabs(other), copysign(half, a.im)};
}

// The pair x, y becomes c x + s y, c y - conj(s) x.
__device__ void turn_pair(Number* x, Number* y, double c, Number s) {
    Number one = *x;
    *x = plus(scaled(one, c), times(s, *y));
    *y = less(scaled(*y, c), times(conjugate(s), one));
}

// The turn that takes (x, y) to (r, 0).
__device__ void rotation(Number x, Number y, double* c, Number* s) {
    double first = size_of(x), second = size_of(y), length = hypot(first, second);
    *c = length == 0.0 ? 1.0 : first / length;
    *s = {0.0, 0.0};
    if (second == 0.0) return;
    *s = first == 0.0 ? conjugate(scaled(y, 1.0 / second)) : scaled(times(scaled(x, 1.0 / first), conjugate(y)), 1.0 / length);
}

__device__ void set_zero(Number* matrix, int n, int i, int j) {
    __syncthreads();
    if (threadIdx.x == 0) matrix[i * n + j] = {0.0, 0.0};
    __syncthreads();
}

__device__ void turn_rows(Pencil<Number> m, int i, int first, double c, Number s) {
    int n = m.n;
    __syncthreads();
    for (int k = first + threadIdx.x; k < n; k += blockDim.x) {
        turn_pair(&m.a[i * n + k], &m.a[(i + 1) * n + k], c, s);
        turn_pair(&m.b[i * n + k], &m.b[(i + 1) * n + k], c, s);
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x) turn_pair(&m.q[k * n + i], &m.q[k * n + i + 1], c, conjugate(s));
    __syncthreads();
}

// Turns rows i and i + 1 so that element (i + 1, j) of a or b vanishes.
__device__ void clear_by_rows(Pencil<Number> m, Number* of, int i, int j, int first) {
    double c;
    Number s;
    rotation(of[i * m.n + j], of[(i + 1) * m.n + j], &c, &s);
    turn_rows(m, i, first, c, s);
    set_zero(of, m.n, i + 1, j);
}

// Turns columns j and j + 1 so that element (i, j) of a or b vanishes.
__device__ void clear_by_columns(Pencil<Number> m, Number* of, int i, int j, int last) {
    int n = m.n;
    double c;
    Number s;
    rotation(of[i * n + j + 1], of[i * n + j], &c, &s);
    __syncthreads();
    for (int k = threadIdx.x; k <= last; k += blockDim.x) {
        turn_pair(&m.a[k * n + j + 1], &m.a[k * n + j], c, s);
        turn_pair(&m.b[k * n + j + 1], &m.b[k * n + j], c, s);
    }
    for (int k = threadIdx.x; k < n; k += blockDim.x) turn_pair(&m.z[k * n + j + 1], &m.z[k * n + j], c, s);
    __syncthreads();
    set_zero(of, n, i, j);
}

// Complex matrices become triangular by steps alone.
__device__ bool finish_block(Pencil<Number> m, int k) { return false; }

__device__ void qz_step(Pencil<Number> m, int low, int high, int steps) {
    int n = m.n, l = high - 1;
    Number *a = m.a, *b = m.b;
    Number p = b[l * n + l], o = b[l * n + high], r = b[high * n + high];
    Number m11 = over(a[l * n + l], p), m21 = over(a[high * n + l], p);
    Number m12 = over(less(a[l * n + high], times(m11, o)), r), m22 = over(less(a[high * n + high], times(m21, o)), r);
    // The eigenvalue of the last block that is nearer to its last element.
    Number half = scaled(less(m11, m22), 0.5), spread = root(plus(times(half, half), times(m12, m21)));
    if (half.re * spread.re + half.im * spread.im > 0.0) spread = scaled(spread, -1.0);
    Number shift = plus(m22, plus(half, spread));
    if (steps % 10 == 0) shift = plus(shift, m21);
    Number x = less(a[low * n + low], times(shift, b[low * n + low])), y = a[(low + 1) * n + low];
    for (int k = low; k < high; k++) {
        if (k > low) {
            clear_by_rows(m, a, k, k - 1, k - 1);
        } else {
            double c;
            Number s;
            rotation(x, y, &c, &s);
            turn_rows(m, k, low, c, s);
        }
        clear_by_columns(m, b, k + 1, k, k + 2 < high ? k + 2 : high);
    }
}

template <class T> __device__ void to_hessenberg(Pencil<T> m) {
    for (int j = 0; j + 2 < m.n; j++) {
        for (int i = m.n - 2; i > j; i--) {
            clear_by_rows(m, m.a, i, j, 0);
            clear_by_columns(m, m.b, i + 1, i, m.n - 1);
        }
    }
}

// A zero on the diagonal of b goes down to `high`, where it leaves an infinite eigenvalue.
template <class T> __device__ void chase_zero(Pencil<T> m, int k, int low, int high) {
    set_zero(m.b, m.n, k, k);
    for (int j = k; j < high; j++) {
        clear_by_rows(m, m.b, j, j + 1, j > low ? j - 1 : j);
        if (j > low) {
            clear_by_columns(m, m.a, j + 1, j - 1, high);
            set_zero(m.b, m.n, j, j - 1);
            set_zero(m.b, m.n, j, j);
        }
    }
    clear_by_columns(m, m.a, high, high - 1, high);
}

// Makes a triangular, but for blocks of two rows that `finish_block` takes. Returns whether that succeeds.
template <class T> __device__ bool triangularise(Pencil<T> m, double a_norm, double b_norm) {
    const double eps = 2.220446049250313e-16;
    T *a = m.a, *b = m.b;
    int n = m.n, high = n - 1, steps = 0;
    to_hessenberg(m);
    while (high >= 0) {
        __syncthreads();
        int low = high;
        while (low > 0) {
            double size = size_of(a[(low - 1) * n + low - 1]) + size_of(a[low * n + low]);
            if (size_of(a[low * n + low - 1]) <= eps * (size == 0.0 ? a_norm : size)) break;
            low--;
        }
        int zero = high;
        while (zero >= low && size_of(b[zero * n + zero]) > eps * b_norm) zero--;
        if (low > 0) set_zero(a, n, low, low - 1);
        if (low == high) {
            if (zero == high) set_zero(b, n, high, high);
            high--;
            steps = 0;
        } else if (zero >= low) {
            chase_zero(m, zero, low, high);
        } else if (low == high - 1 && finish_block(m, low)) {
            high -= 2;
            steps = 0;
        } else if (++steps > 60) {
            return false;
        } else {
            qz_step(m, low, high, steps);
        }
    }
    __syncthreads();
    return true;
}

extern "C" __global__ void real_qz(double* a, double* b, double* q, double* z, int n, double a_norm, double b_norm, int* failed) {
    Pencil<double> m = {a, b, q, z, n};
    if (!triangularise(m, a_norm, b_norm)) {
        if (threadIdx.x == 0) *failed = 1;
        return;
    }
    // No minus on the diagonal of b.
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        if (b[j * n + j] >= 0.0) continue;
        for (int i = 0; i < n; i++) {
            a[i * n + j] = -a[i * n + j];
            b[i * n + j] = i > j ? 0.0 : -b[i * n + j];
            z[i * n + j] = -z[i * n + j];
        }
    }
}

extern "C" __global__ void complex_qz(double* a_parts, double* b_parts, double* q_parts, double* z_parts, int n, double a_norm, double b_norm,
                                      int* failed) {
    Pencil<Number> m = {(Number*)a_parts, (Number*)b_parts, (Number*)q_parts, (Number*)z_parts, n};
    Number *a = m.a, *b = m.b, *z = m.z;
    if (!triangularise(m, a_norm, b_norm)) {
        if (threadIdx.x == 0) *failed = 1;
        return;
    }
    // The diagonal of b becomes real and not negative.
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        double size = size_of(b[j * n + j]);
        if (size == 0.0) continue;
        Number phase = scaled(conjugate(b[j * n + j]), 1.0 / size);
        for (int i = 0; i < n; i++) {
            if (i <= j) a[i * n + j] = times(a[i * n + j], phase);
            if (i < j) b[i * n + j] = times(b[i * n + j], phase);
            z[i * n + j] = times(z[i * n + j], phase);
        }
        b[j * n + j] = {size, 0.0};
    }
}

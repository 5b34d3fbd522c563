// Schur's form of a Hessenberg matrix by implicitly shifted QR steps, in one block: every thread follows the same steps, and
// the rows and columns of each reflection or rotation are shared out among them. Matrices are stored by rows.

// The threads of the block turn rows i and i + 1 from column `first` on, and columns i and i + 1 of h and q up to row `last`.
__device__ void turn(double* h, double* q, int n, int i, int first, int last, double c, double s) {
    for (int j = first + threadIdx.x; j < n; j += blockDim.x) {
        double a = h[i * n + j], b = h[(i + 1) * n + j];
        h[i * n + j] = c * a + s * b;
        h[(i + 1) * n + j] = c * b - s * a;
    }
    __syncthreads();
    for (int j = threadIdx.x; j <= last; j += blockDim.x) {
        double a = h[j * n + i], b = h[j * n + i + 1];
        h[j * n + i] = c * a + s * b;
        h[j * n + i + 1] = c * b - s * a;
    }
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        double a = q[j * n + i], b = q[j * n + i + 1];
        q[j * n + i] = c * a + s * b;
        q[j * n + i + 1] = c * b - s * a;
    }
    __syncthreads();
}

// The rotation that makes a block of two rows triangular, or its diagonal elements equal where its eigenvalues are complex.
__device__ void standard_block(double a, double b, double c, double d, double* cosine, double* sine, bool* is_real) {
    *cosine = 1.0;
    *sine = 0.0;
    *is_real = true;
    if (c == 0.0) return;
    if (b == 0.0) {
        *cosine = 0.0;
        *sine = 1.0;
        return;
    }
    double apart = a - d, p = 0.5 * apart;
    if (apart == 0.0 && (b > 0.0) != (c > 0.0)) {
        *is_real = false;
        return;
    }
    double large = fmax(fabs(b), fabs(c)), small = fmin(fabs(b), fabs(c)) * ((b > 0.0) == (c > 0.0) ? 1.0 : -1.0);
    double scale = fmax(fabs(p), large), z = p / scale * p + large / scale * small;
    if (z >= 4.0 * 2.220446049250313e-16) {
        z = p + copysign(sqrt(scale) * sqrt(z), p);
        double length = hypot(c, z);
        *cosine = z / length;
        *sine = c / length;
        return;
    }
    double sum = b + c, length = hypot(sum, apart);
    *cosine = sqrt(0.5 * (1.0 + fabs(sum) / length));
    *sine = -(p / (length * *cosine)) * (sum < 0.0 ? -1.0 : 1.0);
    *is_real = false;
}

extern "C" __global__ void real_schur(double* h, double* q, int n, double norm, int* failed) {
    const double eps = 2.220446049250313e-16;
    int high = n - 1, steps = 0;
    while (high >= 1) {
        __syncthreads();
        int low = high;
        while (low > 0) {
            double size = fabs(h[(low - 1) * n + low - 1]) + fabs(h[low * n + low]);
            if (size == 0.0) size = norm;
            if (fabs(h[low * n + low - 1]) <= eps * size) break;
            low--;
        }
        double corner = h[high * n + high], above = h[(high - 1) * n + high - 1];
        double under = h[high * n + high - 1], over = h[(high - 1) * n + high];
        __syncthreads();
        if (low > 0 && threadIdx.x == 0) h[low * n + low - 1] = 0.0;
        if (low == high) {
            high--;
            steps = 0;
            continue;
        }
        if (low == high - 1) {
            double c, s;
            bool is_real;
            standard_block(above, over, under, corner, &c, &s, &is_real);
            turn(h, q, n, high - 1, high - 1, high, c, s);
            if (threadIdx.x == 0) {
                if (is_real) {
                    h[high * n + high - 1] = 0.0;
                } else {
                    double middle = 0.5 * (h[(high - 1) * n + high - 1] + h[high * n + high]);
                    h[(high - 1) * n + high - 1] = middle;
                    h[high * n + high] = middle;
                }
            }
            high -= 2;
            steps = 0;
            continue;
        }
        if (++steps > 60) {
            if (threadIdx.x == 0) *failed = 1;
            return;
        }
        // Two shifts at once: the first column of (H - a)(H - b), a and b the eigenvalues of the last block.
        double sum = corner + above, product = corner * above - under * over;
        if (steps % 10 == 0) {
            double size = fabs(under) + fabs(h[(high - 1) * n + high - 2]);
            sum = 1.5 * size;
            product = size * size;
        }
        double h00 = h[low * n + low], h10 = h[(low + 1) * n + low];
        double x = h00 * h00 + h[low * n + low + 1] * h10 - sum * h00 + product;
        double y = h10 * (h00 + h[(low + 1) * n + low + 1] - sum);
        double z = h10 * h[(low + 2) * n + low + 1];
        for (int k = low; k < high; k++) {
            bool three = k < high - 1;
            if (k > low) {
                x = h[k * n + k - 1];
                y = h[(k + 1) * n + k - 1];
                z = three ? h[(k + 2) * n + k - 1] : 0.0;
            } else if (!three) {
                z = 0.0;
            }
            __syncthreads();
            double scale = fabs(x) + fabs(y) + fabs(z);
            if (scale == 0.0) continue;
            x /= scale;
            y /= scale;
            z /= scale;
            double length = copysign(sqrt(x * x + y * y + z * z), x);
            // The reflection 1 - v w, v with a first element of one.
            double first = x + length, v1 = y / first, v2 = z / first, w0 = first / length, w1 = y / length, w2 = z / length;
            int from = k > low ? k - 1 : low;
            for (int j = from + threadIdx.x; j < n; j += blockDim.x) {
                double part = h[k * n + j] * w0 + h[(k + 1) * n + j] * w1;
                if (three) part += h[(k + 2) * n + j] * w2;
                h[k * n + j] -= part;
                h[(k + 1) * n + j] -= part * v1;
                if (three) h[(k + 2) * n + j] -= part * v2;
            }
            __syncthreads();
            int last = k + 3 < high ? k + 3 : high;
            for (int j = threadIdx.x; j <= last; j += blockDim.x) {
                double part = h[j * n + k] + h[j * n + k + 1] * v1;
                if (three) part += h[j * n + k + 2] * v2;
                h[j * n + k] -= part * w0;
                h[j * n + k + 1] -= part * w1;
                if (three) h[j * n + k + 2] -= part * w2;
            }
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                double part = q[j * n + k] + q[j * n + k + 1] * v1;
                if (three) part += q[j * n + k + 2] * v2;
                q[j * n + k] -= part * w0;
                q[j * n + k + 1] -= part * w1;
                if (three) q[j * n + k + 2] -= part * w2;
            }
            __syncthreads();
            if (k > low && threadIdx.x == 0) {
                h[(k + 1) * n + k - 1] = 0.0;
                if (three) h[(k + 2) * n + k - 1] = 0.0;
            }
            __syncthreads();
        }
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

__device__ double size_of(Number a) { return fabs(a.re) + fabs(a.im); }

__device__ Number root(Number a) {
    double length = hypot(a.re, a.im);
    if (length == 0.0) return {0.0, 0.0};
    double half = sqrt(0.5 * (length + fabs(a.re))), other = 0.5 * a.im / half;
    if (a.re >= 0.0) return {half, other};
    return {fabs(other), copysign(half, a.im)};
}

extern "C" __global__ void complex_schur(double* h_parts, double* q_parts, int n, double norm, int* failed) {
    Number* h = (Number*)h_parts;
    Number* q = (Number*)q_parts;
    const double eps = 2.220446049250313e-16;
    int high = n - 1, steps = 0;
    while (high >= 1) {
        __syncthreads();
        int low = high;
        while (low > 0) {
            double size = size_of(h[(low - 1) * n + low - 1]) + size_of(h[low * n + low]);
            if (size == 0.0) size = norm;
            if (size_of(h[low * n + low - 1]) <= eps * size) break;
            low--;
        }
        Number d = h[high * n + high], a = h[(high - 1) * n + high - 1];
        Number c = h[high * n + high - 1], b = h[(high - 1) * n + high];
        __syncthreads();
        if (low > 0 && threadIdx.x == 0) h[low * n + low - 1] = {0.0, 0.0};
        if (low == high) {
            high--;
            steps = 0;
            continue;
        }
        if (++steps > 60) {
            if (threadIdx.x == 0) *failed = 1;
            return;
        }
        // The eigenvalue of the last block that is nearer to its last element.
        Number half = scaled(less(a, d), 0.5), spread = root(plus(times(half, half), times(b, c)));
        if (half.re * spread.re + half.im * spread.im > 0.0) spread = scaled(spread, -1.0);
        Number shift = plus(d, plus(half, spread));
        if (steps % 10 == 0) shift = {fabs(c.re) + fabs(c.im), 0.0};
        Number x = less(h[low * n + low], shift), y = h[(low + 1) * n + low];
        for (int k = low; k < high; k++) {
            if (k > low) {
                x = h[k * n + k - 1];
                y = h[(k + 1) * n + k - 1];
            }
            __syncthreads();
            // [cos, sin; -conj(sin), cos] takes (x, y) to (r, 0).
            double first = hypot(x.re, x.im), second = hypot(y.re, y.im), length = hypot(first, second);
            if (length == 0.0) continue;
            double cosine = first / length;
            Number sine = first == 0.0 ? conjugate(scaled(y, 1.0 / second)) : scaled(times(x, conjugate(y)), 1.0 / (first * length));
            int from = k > low ? k - 1 : low;
            for (int j = from + threadIdx.x; j < n; j += blockDim.x) {
                Number up = h[k * n + j], down = h[(k + 1) * n + j];
                h[k * n + j] = plus(scaled(up, cosine), times(sine, down));
                h[(k + 1) * n + j] = less(scaled(down, cosine), times(conjugate(sine), up));
            }
            __syncthreads();
            int last = k + 2 < high ? k + 2 : high;
            for (int j = threadIdx.x; j <= last; j += blockDim.x) {
                Number left = h[j * n + k], right = h[j * n + k + 1];
                h[j * n + k] = plus(scaled(left, cosine), times(right, conjugate(sine)));
                h[j * n + k + 1] = less(scaled(right, cosine), times(left, sine));
            }
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                Number left = q[j * n + k], right = q[j * n + k + 1];
                q[j * n + k] = plus(scaled(left, cosine), times(right, conjugate(sine)));
                q[j * n + k + 1] = less(scaled(right, cosine), times(left, sine));
            }
            __syncthreads();
            if (k > low && threadIdx.x == 0) h[(k + 1) * n + k - 1] = {0.0, 0.0};
            __syncthreads();
        }
    }
}

// Elements (i, i + d) of the root r of a triangular matrix t, both complex and stored by rows; diagonals nearer to the main one
// are there. One thread an element.
extern "C" __global__ void root_diagonal(const double* t, double* r, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i + d;
    if (j >= n) return;
    long long at = 2 * ((long long)i * n + j);
    double re = t[at], im = t[at + 1];
    for (int k = i + 1; k < j; k++) {
        const double *a = r + 2 * ((long long)i * n + k), *b = r + 2 * ((long long)k * n + j);
        re -= a[0] * b[0] - a[1] * b[1];
        im -= a[0] * b[1] + a[1] * b[0];
    }
    const double *a = r + 2 * ((long long)i * n + i), *b = r + 2 * ((long long)j * n + j);
    double x = a[0] + b[0], y = a[1] + b[1], size = hypot(x, y);
    // Two roots that are zero: what is left is zero too, or there is no root.
    if (size == 0.0 && re == 0.0 && im == 0.0) {
        r[at] = r[at + 1] = 0.0;
        return;
    }
    x /= size;
    y /= size;
    r[at] = (re * x + im * y) / size;
    r[at + 1] = (im * x - re * y) / size;
}

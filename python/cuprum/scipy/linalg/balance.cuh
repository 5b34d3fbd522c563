// Balancing a matrix, in one block of at most LANES threads, their number a power of two: rows and columns that isolate
// an eigenvalue are moved to the ends, and the rest is scaled by powers of two until rows and columns have similar
// lengths. Matrices are stored by rows. The bits do not depend on the number of threads.

// A sum is that of so many parts, however many threads add them up.
constexpr int LANES = 128;

struct Complex {
    double re, im;
};

__device__ double size_of(double a) { return fabs(a); }
__device__ double size_of(Complex a) { return hypot(a.re, a.im); }
__device__ double scaled(double a, double by) { return a * by; }
__device__ Complex scaled(Complex a, double by) { return {a.re * by, a.im * by}; }

struct Line {
    double length, largest;
};

// The largest of all threads' values.
__device__ double largest_of(double value, double* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    double result = shared[0];
    __syncthreads();
    return result;
}

// The sum of what each lane has left in `shared`.
__device__ double sum_of_lanes(double* shared) {
    __syncthreads();
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int lane = threadIdx.x; lane < half; lane += blockDim.x) shared[lane] += shared[lane + half];
        __syncthreads();
    }
    double result = shared[0];
    __syncthreads();
    return result;
}

// The length of the elements first + i step, i from `low` to `high`, and the largest of those from `from` to `to`.
template <class T>
__device__ Line measured(const T* first, int step, int low, int high, int from, int to, double* shared) {
    double inside = 0.0, all = 0.0;
    for (int i = from + threadIdx.x; i <= to; i += blockDim.x) {
        double size = size_of(first[i * step]);
        all = fmax(all, size);
        if (i >= low && i <= high) inside = fmax(inside, size);
    }
    inside = largest_of(inside, shared);
    all = largest_of(all, shared);
    if (inside == 0.0) return {0.0, all};
    for (int lane = threadIdx.x; lane < LANES; lane += blockDim.x) {
        double sum = 0.0;
        for (int i = low + lane; i <= high; i += LANES) {
            double part = size_of(first[i * step]) / inside;
            sum += part * part;
        }
        shared[lane] = sum;
    }
    return {inside * sqrt(sum_of_lanes(shared)), all};
}

// Whether the elements first + i step, i from `low` to `high`, are zero but for that of `itself`.
template <class T>
__device__ bool is_empty(const T* first, int step, int low, int high, int itself, double* shared) {
    double found = 0.0;
    for (int i = low + threadIdx.x; i <= high; i += blockDim.x) {
        if (i != itself && size_of(first[i * step]) != 0.0) found = 1.0;
    }
    return largest_of(found, shared) == 0.0;
}

template <class T> __device__ void exchanged(T* a, long long* order, int n, int i, int j) {
    if (i == j) return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        T one = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = one;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        T one = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = one;
    }
    if (threadIdx.x == 0) {
        long long one = order[i];
        order[i] = order[j];
        order[j] = one;
    }
    __syncthreads();
}

template <class T>
__global__ void balance(T* a, double* scale, long long* order, int n, bool permute, bool rescale) {
    __shared__ double shared[LANES];
    int low = 0, high = n - 1;
    bool moved = permute;
    while (moved && high > 0) {
        moved = false;
        for (int i = high; i >= 0 && high > 0; i--) {
            if (i > high || !is_empty(a + i * n, 1, 0, high, i, shared)) continue;
            exchanged(a, order, n, i, high);
            high--;
            moved = true;
        }
    }
    moved = permute && high > 0;
    while (moved) {
        moved = false;
        for (int j = low; j <= high; j++) {
            if (!is_empty(a + j, n, low, high, j, shared)) continue;
            exchanged(a, order, n, j, low);
            low++;
            moved = true;
        }
    }
    // As far as results stay in the range of doubles: the least and the largest part of an element.
    const double least = 1.0020841800044864e-292, least_twice = 2.0041683600089728e-292;
    moved = rescale && high > 0;
    while (moved) {
        moved = false;
        for (int i = low; i <= high; i++) {
            Line column = measured(a + i, n, low, high, 0, high, shared);
            Line row = measured(a + i * n, 1, low, high, low, n - 1, shared);
            double c = column.length, r = row.length;
            if (c == 0.0 || r == 0.0) continue;
            double by = 1.0, before = c + r;
            while (c < 0.5 * r && fmax(fmax(by, c), column.largest) < 1.0 / least_twice &&
                   fmin(fmin(r, 0.5 * r), row.largest) > least_twice) {
                by *= 2.0;
                c *= 2.0;
                column.largest *= 2.0;
                r *= 0.5;
                row.largest *= 0.5;
            }
            while (0.5 * c >= r && fmax(r, row.largest) < 1.0 / least_twice &&
                   fmin(fmin(by, 0.5 * c), column.largest) > least_twice) {
                by *= 0.5;
                c *= 0.5;
                column.largest *= 0.5;
                r *= 2.0;
                row.largest *= 2.0;
            }
            double had = scale[i];
            if (c + r >= 0.95 * before || (by < 1.0 && had < 1.0 && by * had <= least) ||
                (by > 1.0 && had > 1.0 && had >= 1.0 / least / by)) {
                continue;
            }
            __syncthreads();
            if (threadIdx.x == 0) scale[i] = had * by;
            for (int k = low + threadIdx.x; k < n; k += blockDim.x) a[i * n + k] = scaled(a[i * n + k], 1.0 / by);
            __syncthreads();
            for (int k = threadIdx.x; k <= high; k += blockDim.x) a[k * n + i] = scaled(a[k * n + i], by);
            __syncthreads();
            moved = true;
        }
    }
}

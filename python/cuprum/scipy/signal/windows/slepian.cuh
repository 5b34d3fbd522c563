// Eigenvectors of a symmetric tridiagonal matrix for its largest eigenvalues, which lie apart from each other: a thread each.

typedef long long i64;

// How many eigenvalues are below `at`: the negative pivots of the matrix less `at`.
__device__ i64 count_below(const double* diagonal, const double* beside, i64 n, double at, double least) {
    i64 found = 0;
    double pivot = 1;
    for (i64 i = 0; i < n; i++) {
        double square = i > 0 ? beside[i - 1] * beside[i - 1] : 0.0;
        pivot = diagonal[i] - at - square / pivot;
        if (fabs(pivot) < least) pivot = -least;
        if (pivot < 0) found++;
    }
    return found;
}

// Eigenvalue number `k` from the largest one on by bisection, then its vector by inverse iteration: Gaussian elimination with
// exchange of neighbouring rows. `work` holds 4 n numbers a thread: the factors' three diagonals and what rows are reduced by.
extern "C" __global__ void slepian(const double* diagonal, const double* beside, double* vectors, double* work, bool* exchanged,
                                   i64 n, i64 count) {
    i64 k = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (k >= count) return;
    double low = diagonal[0], high = diagonal[0], norm = 0;
    for (i64 i = 0; i < n; i++) {
        double reach = (i > 0 ? beside[i - 1] : 0.0) + (i + 1 < n ? beside[i] : 0.0);
        if (diagonal[i] - reach < low) low = diagonal[i] - reach;
        if (diagonal[i] + reach > high) high = diagonal[i] + reach;
        if (fabs(diagonal[i]) + reach > norm) norm = fabs(diagonal[i]) + reach;
    }
    double least = 2.3e-16 * norm * 1e-3 + 1e-300;
    for (int round = 0; round < 100; round++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (count_below(diagonal, beside, n, middle, least) <= n - 1 - k) low = middle;
        else high = middle;
    }
    double* u0 = work + 4 * n * k;
    double *u1 = u0 + n, *u2 = u1 + n, *factor = u2 + n, *x = vectors + n * k;
    bool* swapped = exchanged + n * k;
    double d = diagonal[0] - low, s = n > 1 ? beside[0] : 0.0;
    for (i64 i = 0; i + 1 < n; i++) {
        double below = beside[i], next = diagonal[i + 1] - low, after = i + 2 < n ? beside[i + 1] : 0.0;
        swapped[i] = fabs(below) > fabs(d);
        if (swapped[i]) {
            factor[i] = d / below;
            u0[i] = below, u1[i] = next, u2[i] = after;
            d = s - factor[i] * next, s = -factor[i] * after;
        } else {
            if (d == 0) d = least;
            factor[i] = below / d;
            u0[i] = d, u1[i] = s, u2[i] = 0;
            d = next - factor[i] * s, s = after;
        }
    }
    u0[n - 1] = fabs(d) < least ? least : d;
    for (i64 i = 0; i < n; i++) x[i] = 1.0 + 0.5 * (double)((i * 7919) % 1009) / 1009.0 + (i < n / 2 ? 0.5 : 0.0);
    for (int round = 0; round < 4; round++) {
        for (i64 i = 0; i + 1 < n; i++) {
            if (swapped[i]) {
                double kept = x[i];
                x[i] = x[i + 1];
                x[i + 1] = kept;
            }
            x[i + 1] = x[i + 1] - factor[i] * x[i];
        }
        double most = 0;
        for (i64 i = n - 1; i >= 0; i--) {
            double value = x[i];
            if (i + 1 < n) value -= u1[i] * x[i + 1];
            if (i + 2 < n) value -= u2[i] * x[i + 2];
            x[i] = value / u0[i];
            if (fabs(x[i]) > most) most = fabs(x[i]);
        }
        double total = 0;
        for (i64 i = 0; i < n; i++) total += (x[i] / most) * (x[i] / most);
        double scale = 1.0 / (most * sqrt(total));
        for (i64 i = 0; i < n; i++) x[i] *= scale;
    }
}

// Distances between all pairs of rows: one thread a column of the result. Rows of the second array are given as columns, so
// that threads side by side read side by side.

typedef long long i64;

enum Metric {
    EUCLIDEAN, SQEUCLIDEAN, CITYBLOCK, CHEBYSHEV, MINKOWSKI, CANBERRA, BRAYCURTIS, COSINE, HAMMING, JACCARD, DICE,
    ROGERSTANIMOTO, RUSSELLRAO, SOKALSNEATH, YULE, JENSENSHANNON, MAHALANOBIS, KL_DIVERGENCE
};

// x log(x / y), as SciPy's rel_entr.
__device__ double relative_entropy(double x, double y) {
    if (x > 0 && y > 0) return x * log(x / y);
    if (x != x || y != y) return x + y;
    return x == 0 && y >= 0 ? 0.0 : __longlong_as_double(0x7ff0000000000000ll);
}

// The distance of row `a` from the column `j` of `b`, which has `n` columns. `w` are weights, or the inverse covariance.
template <int METRIC, bool WEIGHTED>
__device__ double distance(const double* a, const double* b, i64 j, i64 n, i64 dim, const double* w, double p) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (i64 k = 0; k < dim; k++) {
        double x = a[k], y = b[k * n + j], weight = WEIGHTED ? w[k] : 1.0;
        if (METRIC == EUCLIDEAN || METRIC == SQEUCLIDEAN) s0 += WEIGHTED ? weight * (x - y) * (x - y) : (x - y) * (x - y);
        if (METRIC == CITYBLOCK) s0 += WEIGHTED ? weight * fabs(x - y) : fabs(x - y);
        if (METRIC == CHEBYSHEV) {
            double d = weight > 0 ? fabs(x - y) : 0;
            if (d > s0 || d != d) s0 = d;
        }
        if (METRIC == MINKOWSKI) s0 += weight * pow(fabs(x - y), p);
        if (METRIC == CANBERRA) {
            double size = fabs(x) + fabs(y);
            s0 += size == 0 ? 0 : weight * (fabs(x - y) / size);
        }
        if (METRIC == BRAYCURTIS) {
            s0 += weight * fabs(x - y);
            s1 += weight * fabs(x + y);
        }
        if (METRIC == COSINE) {
            s0 += weight * x * y;
            s1 += weight * x * x;
            s2 += weight * y * y;
        }
        if (METRIC == HAMMING) {
            s0 += x != y ? weight : 0;
            s1 += weight;
        }
        if (METRIC == JACCARD) {
            bool some = x != 0 || y != 0;
            s0 += some && x != y ? weight : 0;
            s1 += some ? weight : 0;
        }
        if (METRIC == DICE || METRIC == ROGERSTANIMOTO || METRIC == RUSSELLRAO || METRIC == SOKALSNEATH || METRIC == YULE) {
            // Truth values are 0 and 1; SciPy multiplies other numbers likewise.
            s0 += x * y * weight;
            s1 += x * (1 - y) * weight;
            s2 += (1 - x) * y * weight;
            s3 += (1 - x) * (1 - y) * weight;
        }
        if (METRIC == JENSENSHANNON) {
            double m = (x + y) / 2;
            s0 += relative_entropy(x, m) + relative_entropy(y, m);
        }
        if (METRIC == KL_DIVERGENCE) s0 += relative_entropy(x, y);
        if (METRIC == MAHALANOBIS) {
            double row = 0;
            for (i64 l = 0; l < dim; l++) row += w[k * dim + l] * (a[l] - b[l * n + j]);
            s0 += (x - y) * row;
        }
    }
    double unequal = s1 + s2;
    switch (METRIC) {
        case EUCLIDEAN: case MAHALANOBIS: return sqrt(s0);
        case MINKOWSKI: return pow(s0, 1 / p);
        case BRAYCURTIS: case HAMMING: return s0 / s1;
        case JACCARD: return s1 == 0 ? 0 : s0 / s1;
        case COSINE: {
            double d = 1 - s0 / sqrt(s1 * s2);
            return d < 0 ? 0 : d > 2 ? 2 : d;
        }
        case DICE: return unequal / (2 * s0 + unequal);
        case ROGERSTANIMOTO: return 2 * unequal / (s0 + s3 + 2 * unequal);
        case RUSSELLRAO: return (unequal + s3) / (s0 + unequal + s3);
        case SOKALSNEATH: return 2 * unequal / (s0 + 2 * unequal);
        case YULE: return s1 * s2 == 0 ? 0 : 2 * s1 * s2 / (s0 * s3 + s1 * s2);
        case JENSENSHANNON: return sqrt(s0 / 2);
        default: return s0;
    }
}

// out[i, j] for rows of `a` and columns of `b`.
template <int METRIC, bool WEIGHTED>
__global__ void all_pairs(const double* a, const double* b, const double* w, double* out, i64 m, i64 n, i64 dim, double p) {
    i64 j = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (i64 i = blockIdx.y; i < m; i += gridDim.y)
        out[i * n + j] = distance<METRIC, WEIGHTED>(a + i * dim, b, j, n, dim, w, p);
}

// The distances of rows i < j of one array, one after the other.
template <int METRIC, bool WEIGHTED>
__global__ void own_pairs(const double* a, const double* b, const double* w, double* out, i64 n, i64 dim, double p) {
    i64 j = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (i64 i = blockIdx.y; i < n; i += gridDim.y)
        if (j > i) out[i * n - i * (i + 1) / 2 + j - i - 1] = distance<METRIC, WEIGHTED>(a + i * dim, b, j, n, dim, w, p);
}

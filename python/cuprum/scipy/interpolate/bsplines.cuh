// Values of B-splines: one thread a point. Points outside, and those that are no numbers, are NaN.

typedef long long i64;

__device__ double no_number() { return __longlong_as_double(0x7ff8000000000000ll); }

// The last knot of t[k .. n - 1] that is not above a point; -1 where the spline has no value. n is the number of basis functions.
__device__ i64 knot_before(const double* t, i64 n, i64 k, double at, bool extrapolate) {
    if (at != at || !extrapolate && (at < t[k] || at > t[n])) return -1;
    i64 low = k, high = n;
    while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (at < t[middle]) high = middle;
        else low = middle;
    }
    return low;
}

// Derivative `nu` of the k + 1 basis functions that are not zero after knot `l`: those of lower degrees first (the recursion
// of Cox and de Boor), then `nu` differences.
template <int MAX_DEGREE> __device__ void basis(const double* t, i64 l, int k, double at, int nu, double* w) {
    double before[MAX_DEGREE + 1];
    w[0] = 1;
    for (int degree = 1; degree <= k; degree++) {
        bool differs = degree > k - nu;
        for (int i = 0; i < degree; i++) before[i] = w[i];
        w[0] = 0;
        for (int i = 1; i <= degree; i++) {
            double high = t[l + i], low = t[l + i - degree];
            if (high == low) {
                w[i] = 0;
                continue;
            }
            double share = before[i - 1] / (high - low);
            if (differs) {
                w[i - 1] -= degree * share;
                w[i] = degree * share;
            } else {
                w[i - 1] += share * (high - at);
                w[i] = share * (at - low);
            }
        }
    }
    if (nu > k)
        for (int i = 0; i <= k; i++) w[i] = 0;
}

// Splines of degree K with the coefficients c[function, column].
template <int K>
__global__ void values(const double* t, const double* c, const double* at, double* out, i64 n, i64 width, i64 count, int nu,
                       bool extrapolate) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 l = knot_before(t, n, K, at[point], extrapolate);
    double w[K + 1];
    if (l >= 0) basis<K>(t, l, K, at[point], nu, w);
    for (i64 column = 0; column < width; column++) {
        double value = 0;
        if (l < 0) value = no_number();
        else
            for (int i = 0; i <= K; i++) value += c[(l - K + i) * width + column] * w[i];
        out[point * width + column] = value;
    }
}

// The basis functions themselves: the first that is not zero, and K + 1 values.
template <int K>
__global__ void basis_values(const double* t, const double* at, i64* first, double* out, i64 n, i64 count, int nu) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 l = knot_before(t, n, K, at[point], true);
    double w[K + 1];
    if (l >= 0) basis<K>(t, l, K, at[point], nu, w);
    first[point] = l < 0 ? 0 : l - K;
    for (int i = 0; i <= K; i++) out[point * (K + 1) + i] = l < 0 ? no_number() : w[i];
}

// The sum over the basis functions of the axes from AXIS on.
template <int RANK, int MAX_DEGREE, int AXIS> struct Sum {
    static __device__ double of(const double* c, const i64* degree, const i64* step, const double* w, i64 place) {
        double value = 0;
        for (i64 i = 0; i <= degree[AXIS]; i++)
            value += w[AXIS * (MAX_DEGREE + 1) + i] * Sum<RANK, MAX_DEGREE, AXIS + 1>::of(c, degree, step, w, place + i * step[AXIS]);
        return value;
    }
};
template <int RANK, int MAX_DEGREE> struct Sum<RANK, MAX_DEGREE, RANK> {
    static __device__ double of(const double* c, const i64* degree, const i64* step, const double* w, i64 place) {
        return c[place];
    }
};

// Tensor products of splines of degrees up to MAX_DEGREE: c[functions..., column]. `shape` has the degrees, the numbers of knots, the
// derivatives and the numbers of coefficients of all axes, one after the other; `t` the knots alike.
template <int RANK, int MAX_DEGREE>
__global__ void values_nd(const double* t, const double* c, const i64* shape, const double* at, double* out, i64 width, i64 count,
                          bool extrapolate) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    double w[RANK * (MAX_DEGREE + 1)];
    i64 degree[RANK], step[RANK], start[RANK + 1];
    i64 place = 0, cells = width;
    bool inside = true;
    start[0] = 0;
    for (int axis = 0; axis < RANK; axis++) start[axis + 1] = start[axis] + shape[RANK + axis];
    for (int axis = RANK - 1; axis >= 0; axis--) {
        i64 k = shape[axis];
        const double* knots = t + start[axis];
        double value = at[point * RANK + axis];
        i64 l = knot_before(knots, shape[RANK + axis] - k - 1, k, value, extrapolate);
        if (l < 0) inside = false;
        else {
            basis<MAX_DEGREE>(knots, l, (int)k, value, (int)shape[2 * RANK + axis], w + axis * (MAX_DEGREE + 1));
            place += (l - k) * cells;
        }
        degree[axis] = k;
        step[axis] = cells;
        cells *= shape[3 * RANK + axis];
    }
    for (i64 column = 0; column < width; column++)
        out[point * width + column] = inside ? Sum<RANK, MAX_DEGREE, 0>::of(c, degree, step, w, place + column) : no_number();
}

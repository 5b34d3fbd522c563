// Values of piecewise polynomials: one thread a point. Points outside, and those that are no numbers, are NaN.

typedef long long i64;

__device__ double no_number() { return __longlong_as_double(0x7ff8000000000000ll); }

// The interval of breakpoints that a point is in, rising or falling; -1 where there is none.
__device__ i64 interval_of(const double* x, i64 n, double at, bool extrapolate) {
    bool rising = x[n - 1] >= x[0];
    double first = x[0], last = x[n - 1];
    if (!(rising ? at >= first && at <= last : at <= first && at >= last)) {
        if (!extrapolate || at != at) return -1;
        return (rising ? at < first : at > first) ? 0 : n - 2;
    }
    if (at == last) return n - 2;
    i64 low = 0, high = n - 1;
    while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (rising ? at < x[middle] : at > x[middle]) high = middle;
        else low = middle;
    }
    return low;
}

// The falling power p (p - 1) ... (p - nu + 1).
__device__ double falling(i64 p, i64 nu) {
    double product = 1;
    for (i64 i = 0; i < nu; i++) product *= (double)(p - i);
    return product;
}

// Derivative `nu` of polynomials by falling powers of the distance from the interval's start: c[power, interval, column].
extern "C" __global__ void by_powers(const double* c, const double* x, const double* at, double* out, i64 powers, i64 breaks,
                                     i64 width, i64 count, i64 nu, bool extrapolate) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 i = interval_of(x, breaks, at[point], extrapolate);
    double s = i < 0 ? 0 : at[point] - x[i];
    for (i64 column = 0; column < width; column++) {
        double value = 0;
        if (i < 0) value = no_number();
        else
            for (i64 row = 0; row < powers - nu; row++) {
                double factor = nu == 0 ? 1.0 : falling(powers - 1 - row, nu);
                value = value * s + c[(row * (breaks - 1) + i) * width + column] * factor;
            }
        out[point * width + column] = value;
    }
}

// Polynomials of degree TERMS - 1 by Bernstein's basis, by de Casteljau's algorithm.
template <int TERMS>
__global__ void by_bernstein(const double* c, const double* x, const double* at, double* out, i64 breaks, i64 width, i64 count,
                             bool extrapolate) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 i = interval_of(x, breaks, at[point], extrapolate);
    double s = i < 0 ? 0 : (at[point] - x[i]) / (x[i + 1] - x[i]);
    for (i64 column = 0; column < width; column++) {
        double b[TERMS];
        if (i < 0) {
            out[point * width + column] = no_number();
            continue;
        }
        for (int row = 0; row < TERMS; row++) b[row] = c[(row * (breaks - 1) + i) * width + column];
        for (int level = TERMS - 1; level > 0; level--)
            for (int row = 0; row < level; row++) b[row] = b[row] * (1 - s) + b[row + 1] * s;
        out[point * width + column] = b[0];
    }
}

// The sum over the powers along the axes from AXIS on.
template <int RANK, int AXIS> struct Powers {
    static __device__ double of(const double* c, const i64* powers, const i64* step, const double* s, const i64* nu, i64 place) {
        double value = 0;
        for (i64 row = 0; row < powers[AXIS] - nu[AXIS]; row++) {
            double inner = Powers<RANK, AXIS + 1>::of(c, powers, step, s, nu, place + row * step[AXIS]);
            value = value * s[AXIS] + inner * (nu[AXIS] == 0 ? 1.0 : falling(powers[AXIS] - 1 - row, nu[AXIS]));
        }
        return value;
    }
};
template <int RANK> struct Powers<RANK, RANK> {
    static __device__ double of(const double* c, const i64* powers, const i64* step, const double* s, const i64* nu, i64 place) {
        return c[place];
    }
};

// The same over RANK axes: c[powers..., intervals..., column]. `shape` has the powers, the breakpoints and the derivatives
// of all axes, one after the other; `x` the breakpoints alike.
template <int RANK>
__global__ void by_powers_nd(const double* c, const double* x, const i64* shape, const double* at, double* out, i64 width,
                             i64 count, bool extrapolate) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 powers[RANK], nu[RANK], step[RANK];
    double s[RANK];
    i64 place = 0, cells = width;
    bool inside = true;
    i64 start[RANK + 1];
    start[0] = 0;
    for (int axis = 0; axis < RANK; axis++) start[axis + 1] = start[axis] + shape[RANK + axis];
    for (int axis = RANK - 1; axis >= 0; axis--) {
        i64 breaks = shape[RANK + axis];
        double value = at[point * RANK + axis];
        i64 i = interval_of(x + start[axis], breaks, value, extrapolate);
        if (i < 0) inside = false;
        s[axis] = i < 0 ? 0 : value - x[start[axis] + i];
        place += (i < 0 ? 0 : i) * cells;
        cells *= breaks - 1;
        powers[axis] = shape[axis];
        nu[axis] = shape[2 * RANK + axis];
    }
    for (int axis = RANK - 1; axis >= 0; axis--) {
        step[axis] = cells;
        cells *= powers[axis];
    }
    for (i64 column = 0; column < width; column++)
        out[point * width + column] = inside ? Powers<RANK, 0>::of(c, powers, step, s, nu, place + column) : no_number();
}

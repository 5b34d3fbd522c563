// Values of a B-spline between the elements of an array: one thread computes one element of the result.
//
// All sums are taken in float64, over the taps in C order. Both devices compile this text, without fused multiply-adds.

enum Mode { NEAREST, WRAP, REFLECT, MIRROR, CONSTANT, GRID_WRAP, GRID_CONSTANT };

typedef long long i64;

// Where an element outside of an axis of `n` elements is found. The index may lie anywhere.
template <int MODE> __device__ i64 folded_index(i64 i, i64 n) {
    if (i >= 0 && i < n) return i;
    if (n == 1 || MODE == NEAREST) return i < 0 ? 0 : n - 1;
    if (MODE == GRID_WRAP) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    i64 period = MODE == REFLECT ? 2 * n : 2 * n - 2;
    i %= period;
    if (i < 0) i += period;
    if (i < n) return i;
    return MODE == REFLECT ? period - 1 - i : period - i;
}

// Where a coordinate outside of an axis is found; -1 stands for the constant. Modes that go on by their taps leave it.
template <int MODE> __device__ double folded(double x, double n) {
    if (x >= 0 && x <= n - 1) return x;
    if (MODE == GRID_CONSTANT || MODE == NEAREST) return x;
    if (MODE == CONSTANT) return -1;
    if (n <= 1) return 0;
    if (MODE == WRAP) {
        double period = n - 1;
        return x < 0 ? x + period * (trunc(-x / period) + 1) : x - period * trunc(x / period);
    }
    if (MODE == GRID_WRAP) return x < 0 ? x + n * (trunc((-1 - x) / n) + 1) : x - n * trunc(x / n);
    if (MODE == MIRROR) {
        double period = 2 * n - 2;
        if (x < 0) {
            x += period * trunc(-x / period);
            return x <= 1 - n ? x + period : -x;
        }
        x -= period * trunc(x / period);
        return x >= n ? period - x : x;
    }
    double period = 2 * n;
    if (x < 0) {
        if (x < -period) x += period * trunc(-x / period);
        // A coordinate just below zero lies just inside of the first element's cell, not on the border of it.
        return x < -n ? x + period : (x > -1e-15 ? 1e-15 : -x) - 1;
    }
    x -= period * trunc(x / period);
    return x >= n ? period - x - 1 : x;
}

// Those of the cubic B-spline at a place `t` between two elements, the second and third of four taps.
struct CubicWeights {
    double first, second, third, fourth;
};
__device__ CubicWeights cubic_weights(double t) {
    double u = 1 - t;
    return {u * u * u * (1 / 6.0), 2 / 3.0 - 0.5 * t * t * (1 + u), 2 / 3.0 - 0.5 * u * u * (1 + t), t * t * t * (1 / 6.0)};
}

// The weights of the ORDER + 1 taps around a coordinate: the B-splines of that order that are not zero there, made of those of
// the orders below (the recursion of Cox and de Boor over knots at unit distance).
template <int ORDER> __device__ void spline_weights(double x, double* w) {
    if (!(ORDER & 1)) x += 0.5;
    double t = x - floor(x);
    if constexpr (ORDER == 3) {
        CubicWeights cubic = cubic_weights(t);
        w[0] = cubic.first;
        w[1] = cubic.second;
        w[2] = cubic.third;
        w[3] = cubic.fourth;
        return;
    }
    w[0] = 1;
    for (int order = 1; order <= ORDER; order++) {
        double carried = 0;
        for (int k = 0; k < order; k++) {
            double share = w[k] / order;
            w[k] = carried + (k + 1 - t) * share;
            carried = (order - 1 - k + t) * share;
        }
        w[order] = carried;
    }
}

// Real numbers become integers by rounding halves away from zero, and what lies outside becomes the nearest integer there is.
template <class T> __device__ T rounded(double t, double low, double high) {
    t = t > 0 ? t + 0.5 : low < 0 ? t - 0.5 : 0;
    return t >= high ? (T)high : t <= low ? (T)low : (T)t;
}
template <class T> struct Store { static __device__ T of(double t) { return (T)t; } };
template <> struct Store<bool> { static __device__ bool of(double t) { return t >= 1 || t <= -1; } };
template <> struct Store<signed char> { static __device__ signed char of(double t) { return rounded<signed char>(t, -128, 127); } };
template <> struct Store<short> { static __device__ short of(double t) { return rounded<short>(t, -32768, 32767); } };
template <> struct Store<int> { static __device__ int of(double t) { return rounded<int>(t, -2147483648.0, 2147483647.0); } };
template <> struct Store<i64> {
    static __device__ i64 of(double t) {
        t = t > 0 ? t + 0.5 : t - 0.5;
        return t >= 9223372036854775808.0 ? 0x7fffffffffffffffll
            : t <= -9223372036854775808.0 ? -0x7fffffffffffffffll - 1 : (i64)t;
    }
};
template <> struct Store<unsigned char> { static __device__ unsigned char of(double t) { return rounded<unsigned char>(t, 0, 255); } };
template <> struct Store<unsigned short> { static __device__ unsigned short of(double t) { return rounded<unsigned short>(t, 0, 65535); } };
template <> struct Store<unsigned int> { static __device__ unsigned int of(double t) { return rounded<unsigned int>(t, 0, 4294967295.0); } };
template <> struct Store<unsigned long long> {
    static __device__ unsigned long long of(double t) {
        t = t > 0 ? t + 0.5 : 0;
        return t >= 18446744073709551616.0 ? 0xffffffffffffffffull : (unsigned long long)t;
    }
};

// Where the taps along one axis lie, times the axis' step in memory, and their weights. A tap outside of the array is at -1 with
// GRID_CONSTANT. False where there is nothing to interpolate: the constant stands there.
template <int ORDER, int MODE> __device__ bool find_taps(double x, i64 n, i64 step, i64* at, double* w) {
    const int TAPS_MODE = MODE == CONSTANT || MODE == WRAP ? MIRROR : MODE;
    const bool FOLDS = MODE != GRID_CONSTANT && MODE != NEAREST;
    double c = folded<MODE>(x, (double)n);
    if (MODE == NEAREST) c = c < -8 ? -8 : c > n + 8 ? n + 8 : c;
    // A coordinate that is no number, or too large for an index, has no place in the array.
    if (!(c > (FOLDS ? -1 : -4e18) && c < 4e18)) return false;
    i64 start = (i64)floor(ORDER & 1 ? c : c + 0.5) - ORDER / 2;
    spline_weights<ORDER>(c, w);
    if (start >= 0 && start + ORDER < n) {
        for (int k = 0; k <= ORDER; k++) at[k] = (start + k) * step;
        return true;
    }
    for (int k = 0; k <= ORDER; k++) {
        i64 i = start + k;
        at[k] = MODE != GRID_CONSTANT ? folded_index<TAPS_MODE>(i, n) * step : i >= 0 && i < n ? i * step : -1;
    }
    return true;
}

// The sum over the taps of the axes from AXIS on.
template <class In, int RANK, int ORDER, int MODE, int AXIS> struct Sum {
    static __device__ double of(const In* a, const i64* at, const double* w, i64 place, double cval) {
        double sum = 0;
        for (int k = 0; k <= ORDER; k++) {
            i64 tap = at[AXIS * (ORDER + 1) + k];
            bool outside = MODE == GRID_CONSTANT && tap < 0;
            double value = outside ? cval : Sum<In, RANK, ORDER, MODE, AXIS + 1>::of(a, at, w, place + tap, cval);
            sum += w[AXIS * (ORDER + 1) + k] * value;
        }
        return sum;
    }
};
template <class In, int RANK, int ORDER, int MODE> struct Sum<In, RANK, ORDER, MODE, RANK> {
    static __device__ double of(const In* a, const i64* at, const double* w, i64 place, double cval) { return (double)a[place]; }
};

template <class In> __device__ double cubic_row(const In* a, CubicWeights w) {
    return w.first * (double)a[0] + w.second * (double)a[1] + w.third * (double)a[2] + w.fourth * (double)a[3];
}

// The value of the spline at `x`, one coordinate for each axis.
template <class In, int RANK, int ORDER, int MODE>
__device__ double spline_value(const In* a, const i64* dims, const double* x, double cval) {
    if constexpr (RANK == 2 && ORDER == 3) {
        // What most calls ask for: sixteen taps inside of an image.
        double y = folded<MODE>(x[0], (double)dims[0]), z = folded<MODE>(x[1], (double)dims[1]);
        if (y >= 1 && z >= 1 && y < (double)(dims[0] - 2) && z < (double)(dims[1] - 2)) {
            i64 i = (i64)y, j = (i64)z, row = dims[1];
            const In* from = a + (i - 1) * row + (j - 1);
            CubicWeights down = cubic_weights(y - (double)i), across = cubic_weights(z - (double)j);
            return down.first * cubic_row(from, across) + down.second * cubic_row(from + row, across)
                + down.third * cubic_row(from + 2 * row, across) + down.fourth * cubic_row(from + 3 * row, across);
        }
    }
    double w[RANK * (ORDER + 1)];
    i64 at[RANK * (ORDER + 1)], step = 1;
    for (int axis = RANK - 1; axis >= 0; axis--) {
        if (!find_taps<ORDER, MODE>(x[axis], dims[axis], step, at + axis * (ORDER + 1), w + axis * (ORDER + 1))) return cval;
        step *= dims[axis];
    }
    return Sum<In, RANK, ORDER, MODE, 0>::of(a, at, w, 0, cval);
}

// The lengths of the axes, and where an element of the result is found in the array.
template <int RANK, int OUT_RANK> struct Places {
    i64 dims[RANK];
    i64 out_dims[OUT_RANK];
    double matrix[RANK * OUT_RANK];
    double offset[RANK];
    double padding;
    double cval;
};

template <int OUT_RANK> __device__ void unravel(i64 i, const i64* dims, i64* index) {
    for (int axis = OUT_RANK - 1; axis > 0; axis--) {
        bool is_short = i < 0x100000000ll && dims[axis] < 0x100000000ll;
        i64 next = is_short ? (i64)((unsigned int)i / (unsigned int)dims[axis]) : i / dims[axis];
        index[axis] = i - next * dims[axis];
        i = next;
    }
    index[0] = i;
}

// At the coordinates in an array: those along the first axis come first.
template <class In, class Out, class Coordinate, int RANK, int ORDER, int MODE>
__global__ void at_coordinates(const In* a, const Coordinate* x, Out* out, i64 n, const Places<RANK, 1> places) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= n) return;
    double c[RANK];
    for (int axis = 0; axis < RANK; axis++) c[axis] = (double)x[axis * n + i] + places.padding;
    out[i] = Store<Out>::of(spline_value<In, RANK, ORDER, MODE>(a, places.dims, c, places.cval));
}

// At a matrix times the index in the result, and an offset.
template <class In, class Out, int RANK, int OUT_RANK, int ORDER, int MODE>
__global__ void at_affine(const In* a, Out* out, i64 n, const Places<RANK, OUT_RANK> places) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= n) return;
    i64 index[OUT_RANK];
    unravel<OUT_RANK>(i, places.out_dims, index);
    double c[RANK];
    for (int axis = 0; axis < RANK; axis++) {
        double sum = 0;
        for (int k = 0; k < OUT_RANK; k++) sum += index[k] * places.matrix[axis * OUT_RANK + k];
        c[axis] = sum + places.offset[axis] + places.padding;
    }
    out[i] = Store<Out>::of(spline_value<In, RANK, ORDER, MODE>(a, places.dims, c, places.cval));
}

// Interpolation along one axis at places that depend on the index along it alone. The taps and weights of all places make a
// table; `at` is -2 where there is nothing to interpolate.
template <int ORDER, int MODE, bool CELLS>
__global__ void make_table(i64* at, double* w, i64 n, i64 places, double scale, double offset, double padding) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= places) return;
    double x = (double)i + offset;
    x = (CELLS ? (x + 0.5) * scale - 0.5 : x * scale) + padding;
    i64 taps[ORDER + 1];
    double weights[ORDER + 1];
    bool found = find_taps<ORDER, MODE>(x, n, 1, taps, weights);
    for (int k = 0; k <= ORDER; k++) {
        at[i * (ORDER + 1) + k] = found ? taps[k] : -2;
        w[i * (ORDER + 1) + k] = found ? weights[k] : 0;
    }
}

template <class In, int ORDER>
__device__ double tap_sum(const In* line, const i64* at, const double* w, i64 step, double cval) {
    if (at[0] == -2) return cval;
    double sum = 0;
    for (int k = 0; k <= ORDER; k++) sum += w[k] * (at[k] < 0 ? cval : (double)line[at[k] * step]);
    return sum;
}

// Along an axis before the last: `inner` elements lie side by side, and a thread takes one of them.
template <class In, class Out, int ORDER>
__global__ void along_axis(const In* a, Out* out, const i64* at, const double* w, i64 outer, i64 n, i64 places, i64 inner, double cval) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= inner) return;
    for (i64 row = blockIdx.y; row < outer * places; row += gridDim.y) {
        i64 x = row % places, line = row / places;
        const In* from = a + line * n * inner + i;
        double sum = tap_sum<In, ORDER>(from, at + x * (ORDER + 1), w + x * (ORDER + 1), inner, cval);
        out[row * inner + i] = Store<Out>::of(sum);
    }
}

// Along the last axis: a thread takes one place of a line.
template <class In, class Out, int ORDER>
__global__ void along_last(const In* a, Out* out, const i64* at, const double* w, i64 outer, i64 n, i64 places, double cval) {
    i64 x = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (x >= places) return;
    for (i64 line = blockIdx.y; line < outer; line += gridDim.y) {
        double sum = tap_sum<In, ORDER>(a + line * n, at + x * (ORDER + 1), w + x * (ORDER + 1), 1, cval);
        out[line * places + x] = Store<Out>::of(sum);
    }
}

// Puts the constant wherever there is nothing to interpolate along an axis.
template <class Out, int TAPS>
__global__ void put_constant(Out* out, const i64* at, i64 places, i64 inner, i64 size, double cval) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i < size && at[i / inner % places * TAPS] == -2) out[i] = Store<Out>::of(cval);
}

// Straight lines between points, operation for operation as numpy.interp draws them. Parts of complex values are lines of
// their own.
//
// The text before defines V, f64 or c128.

inline f64 slope_of(f64 from, f64 to, f64 distance) { return (to - from) / distance; }

inline f64 line_at(f64 x, f64 slope, f64 at, f64 next, f64 from, f64 to) {
    f64 value = slope * (x - at) + from;
    if (is_nan(value)) {
        value = slope * (x - next) + to;
        if (is_nan(value) && from == to) value = from;
    }
    return value;
}

#ifdef COMPLEX_VALUES
inline c128 slope_of(c128 from, c128 to, f64 distance) {
    f64 inverse = 1.0 / distance;
    return {(to.re - from.re) * inverse, (to.im - from.im) * inverse};
}

inline c128 line_at(f64 x, c128 slope, f64 at, f64 next, c128 from, c128 to) {
    return {line_at(x, slope.re, at, next, from.re, to.re), line_at(x, slope.im, at, next, from.im, to.im)};
}
#endif

extern "C" __global__ void __launch_bounds__(256)
interpolate(const f64* xs, u64 count, const f64* points, const V* values, u64 length, const V* beyond, V* out) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= count) return;
    f64 x = xs[i];
    u64 last = length - 1;
    if (is_nan(x)) {
        out[i] = V(x);
    } else if (x > points[last]) {
        out[i] = beyond[1];
    } else if (x < points[0]) {
        out[i] = beyond[0];
    } else {
        // The last point that is not beyond x.
        u64 low = 0, left = length;
        while (left > 0) {
            u64 half = left / 2;
            bool is_past = points[low + half] <= x;
            low = is_past ? low + half + 1 : low;
            left = is_past ? left - half - 1 : half;
        }
        u64 j = low > 0 ? low - 1 : 0;
        if (j >= last) {
            out[i] = values[last];
        } else {
            f64 at = points[j], next = points[j + 1];
            V from = values[j], to = values[j + 1];
            out[i] = at == x ? from : line_at(x, slope_of(from, to, next - at), at, next, from, to);
        }
    }
}

// The recursive filters that make spline coefficients of elements, along the first of two axes: `n` elements a line, `lines`
// lines side by side. A thread filters a segment of one line, on a CPU of some, which share a line of the cache. A filter forgets: what lies `reach` elements back counts for less
// than a rounding, so a segment begins `reach` elements early and needs no other one. Lines of one segment are filtered as a
// whole.

enum Boundary { MIRROR, WRAP, REFLECT };

typedef long long i64;

struct Line {
    i64 n, lines, segment, reach;
    double pole, gain;
};

// The first coefficient of the causal filter: the sum over all that lies before the line, as it goes on there.
template <int BOUNDARY> __device__ double first_causal(const double* c, const Line& line) {
    i64 n = line.n, lines = line.lines;
    double z = line.pole, power = z, gain = line.gain;
    // Terms that no longer change the sum are left out.
    i64 terms = n < 2 * line.reach ? n : 2 * line.reach;
    double sum = c[0] * gain;
    if (BOUNDARY == WRAP) {
        for (i64 i = 1; i < terms; i++, power *= z) sum += power * (c[(n - i) * lines] * gain);
        return sum / (1 - (terms == n ? power : 0));
    }
    double last = terms == n ? pow(z, (double)(BOUNDARY == MIRROR ? n - 1 : n)) : 0;
    if (BOUNDARY == MIRROR) {
        sum += last * (c[(n - 1) * lines] * gain);
        for (i64 i = 1; i < (terms < n - 1 ? terms : n - 1); i++, power *= z)
            sum += power * (c[i * lines] * gain + last * (c[(n - 1 - i) * lines] * gain));
        return sum / (1 - last * last);
    }
    double first = sum;
    sum += last * (c[(n - 1) * lines] * gain);
    for (i64 i = 1; i < terms; i++, power *= z)
        sum += power * (c[i * lines] * gain + last * (c[(n - 1 - i) * lines] * gain));
    return sum * (z / (1 - last * last)) + first;
}

template <int BOUNDARY, int WIDTH>
__device__ void filter_causal(const double* c, double* d, i64 begin, i64 end, const Line& line) {
    i64 i = begin - line.reach;
    double y[WIDTH];
    if (i <= 0) {
        i = 0;
        for (int w = 0; w < WIDTH; w++) y[w] = first_causal<BOUNDARY>(c + w, line);
    } else {
        for (int w = 0; w < WIDTH; w++) y[w] = c[i * line.lines + w] * line.gain;
    }
    for (i++; i <= begin; i++) {
        #pragma unroll
        for (int w = 0; w < WIDTH; w++) y[w] = c[i * line.lines + w] * line.gain + line.pole * y[w];
    }
    for (int w = 0; w < WIDTH; w++) d[begin * line.lines + w] = y[w];
    for (i = begin + 1; i < end; i++) {
        #pragma unroll
        for (int w = 0; w < WIDTH; w++) {
            y[w] = c[i * line.lines + w] * line.gain + line.pole * y[w];
            d[i * line.lines + w] = y[w];
        }
    }
}

// A thread filters so many lines that lie side by side.
template <int BOUNDARY, int WIDTH> __global__ void causal(const double* in, double* out, const Line line) {
    i64 at = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * WIDTH, begin = blockIdx.y * line.segment;
    i64 end = begin + line.segment < line.n ? begin + line.segment : line.n;
    if (at + WIDTH <= line.lines) filter_causal<BOUNDARY, WIDTH>(in + at, out + at, begin, end, line);
    else
        for (; at < line.lines; at++) filter_causal<BOUNDARY, 1>(in + at, out + at, begin, end, line);
}

// The last coefficient of the anticausal filter.
template <int BOUNDARY> __device__ double first_anticausal(const double* c, const Line& line) {
    i64 n = line.n, lines = line.lines;
    double z = line.pole, last = c[(n - 1) * lines];
    if (BOUNDARY == MIRROR) return (z * c[(n - 2) * lines] + last) * z / (z * z - 1);
    if (BOUNDARY == REFLECT) return last * (z / (z - 1));
    double power = z;
    i64 terms = n - 1 < 2 * line.reach ? n - 1 : 2 * line.reach;
    for (i64 i = 0; i < terms; i++, power *= z) last += power * c[i * lines];
    return last * (z / ((terms == n - 1 ? power : 0) - 1));
}

template <int BOUNDARY, int WIDTH>
__device__ void filter_anticausal(const double* c, double* d, i64 begin, i64 end, const Line& line) {
    i64 i = end - 1 + line.reach;
    double y[WIDTH], z = line.pole;
    if (i >= line.n - 1) {
        i = line.n - 1;
        for (int w = 0; w < WIDTH; w++) y[w] = first_anticausal<BOUNDARY>(c + w, line);
    } else {
        for (int w = 0; w < WIDTH; w++) y[w] = c[i * line.lines + w] * (z / (z - 1));
    }
    for (i--; i >= end - 1; i--) {
        #pragma unroll
        for (int w = 0; w < WIDTH; w++) y[w] = z * (y[w] - c[i * line.lines + w]);
    }
    for (int w = 0; w < WIDTH; w++) d[(end - 1) * line.lines + w] = y[w];
    for (i = end - 2; i >= begin; i--) {
        #pragma unroll
        for (int w = 0; w < WIDTH; w++) {
            y[w] = z * (y[w] - c[i * line.lines + w]);
            d[i * line.lines + w] = y[w];
        }
    }
}

template <int BOUNDARY, int WIDTH> __global__ void anticausal(const double* in, double* out, const Line line) {
    i64 at = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * WIDTH, begin = blockIdx.y * line.segment;
    i64 end = begin + line.segment < line.n ? begin + line.segment : line.n;
    if (at + WIDTH <= line.lines) filter_anticausal<BOUNDARY, WIDTH>(in + at, out + at, begin, end, line);
    else
        for (; at < line.lines; at++) filter_anticausal<BOUNDARY, 1>(in + at, out + at, begin, end, line);
}

// Both filters of whole lines, the second one in place while the lines are in the cache.
template <int BOUNDARY, int WIDTH> __global__ void both(const double* in, double* out, const Line line) {
    i64 at = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * WIDTH;
    if (at + WIDTH <= line.lines) {
        filter_causal<BOUNDARY, WIDTH>(in + at, out + at, 0, line.n, line);
        filter_anticausal<BOUNDARY, WIDTH>(out + at, out + at, 0, line.n, line);
        return;
    }
    for (; at < line.lines; at++) {
        filter_causal<BOUNDARY, 1>(in + at, out + at, 0, line.n, line);
        filter_anticausal<BOUNDARY, 1>(out + at, out + at, 0, line.n, line);
    }
}

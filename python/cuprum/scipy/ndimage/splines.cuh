// The recursive filters that make spline coefficients of elements, along the first of two axes: `n` elements a line, `lines`
// lines side by side. A thread filters a segment of one line. A filter forgets: what lies `reach` elements back counts for less
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

template <int BOUNDARY> __global__ void causal(const double* in, double* out, const Line line) {
    i64 at = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (at >= line.lines) return;
    const double* c = in + at;
    double* d = out + at;
    i64 begin = blockIdx.y * line.segment, end = begin + line.segment;
    if (end > line.n) end = line.n;
    i64 i = begin - line.reach;
    double y;
    if (i <= 0) {
        i = 0;
        y = first_causal<BOUNDARY>(c, line);
    } else {
        y = c[i * line.lines] * line.gain;
    }
    if (i >= begin) d[i * line.lines] = y;
    for (i++; i < end; i++) {
        y = c[i * line.lines] * line.gain + line.pole * y;
        if (i >= begin) d[i * line.lines] = y;
    }
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

template <int BOUNDARY> __global__ void anticausal(const double* in, double* out, const Line line) {
    i64 at = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (at >= line.lines) return;
    const double* c = in + at;
    double* d = out + at;
    i64 begin = blockIdx.y * line.segment, end = begin + line.segment;
    if (end > line.n) end = line.n;
    i64 i = end - 1 + line.reach;
    double y, z = line.pole;
    if (i >= line.n - 1) {
        i = line.n - 1;
        y = first_anticausal<BOUNDARY>(c, line);
    } else {
        y = c[i * line.lines] * (z / (z - 1));
    }
    if (i < end) d[i * line.lines] = y;
    for (i--; i >= begin; i--) {
        y = z * (y - c[i * line.lines]);
        if (i < end) d[i * line.lines] = y;
    }
}

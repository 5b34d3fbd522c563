// Distance transforms, one axis after the other: `n` elements a line, `lines` lines side by side. A thread computes one line, or
// one element.

typedef long long i64;

// The nearest background element among those that the axes before found. `squares` holds the squared distance of the one that
// they found for each element of the line, infinity where there is none, and `nearest` its place. The parabolas over the line
// that belong to them have a lower envelope: `stack` holds the elements whose parabolas form it, `borders` where each begins.
extern "C" __global__ void lower_envelope(const double* squares, const i64* nearest, double* out_squares, i64* out_nearest,
                                          i64* stack, double* borders, i64 n, i64 lines, double spacing) {
    i64 line = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    double scale = spacing * spacing;
    i64 top = -1;
    for (i64 q = 0; q < n; q++) {
        double height = squares[q * lines + line];
        if (height > 1e300) continue;
        double border = 0;
        while (top >= 0) {
            i64 v = stack[top * lines + line];
            double below = squares[v * lines + line];
            // The two parabolas meet here.
            border = ((height - below) / scale + (double)(q * q - v * v)) / (2.0 * (double)(q - v));
            if (top == 0 || border > borders[top * lines + line]) break;
            top--;
        }
        top++;
        stack[top * lines + line] = q;
        borders[top * lines + line] = border;
    }
    i64 at = 0;
    for (i64 x = 0; x < n; x++) {
        if (top < 0) {
            out_squares[x * lines + line] = 1.0 / 0.0;
            out_nearest[x * lines + line] = -1;
            continue;
        }
        while (at < top && borders[(at + 1) * lines + line] < (double)x) at++;
        i64 v = stack[at * lines + line];
        double away = (double)(x - v) * spacing;
        out_squares[x * lines + line] = squares[v * lines + line] + away * away;
        out_nearest[x * lines + line] = nearest[v * lines + line];
    }
}

// The same for distances that add up along the axes (TAXICAB), or of which the largest counts (chessboard). `far` is no distance.
template <bool TAXICAB>
__global__ void nearest_along(const int* distance, const i64* nearest, int* out, i64* out_nearest, i64 n, i64 lines, int far) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= n * lines) return;
    i64 x = i / lines, line = i % lines;
    int best = distance[i];
    i64 place = nearest[i];
    // What lies further away than the best so far cannot be nearer.
    for (i64 r = 1; r < n && r < best; r++) {
        for (int side = 0; side < 2; side++) {
            i64 q = side ? x + r : x - r;
            if (q < 0 || q >= n) continue;
            int other = distance[q * lines + line];
            if (other >= far) continue;
            int here = TAXICAB ? other + (int)r : other > (int)r ? other : (int)r;
            if (here < best) {
                best = here;
                place = nearest[q * lines + line];
            }
        }
    }
    out[i] = best;
    out_nearest[i] = place;
}

// Distance transforms, one axis after the other: `n` elements a line, `lines` lines. A thread computes one line, or one element.

typedef long long i64;

// The nearest background element among those that the axes before found. `squares` holds the squared distance of the one that
// they found for each element of the line, infinity where there is none, and `nearest` its place, which is followed where
// PLACES says so. The parabolas over the line that belong to them have a lower envelope: `stack` holds the elements whose
// parabolas form it, `borders` where each begins. Elements of a line are `along` apart, lines `across`.
template <bool PLACES>
__global__ void lower_envelope(const double* squares, const i64* nearest, double* out_squares, i64* out_nearest, int* stack,
                               double* borders, i64 n, i64 lines, i64 along, i64 across, double spacing) {
    i64 line = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    i64 begin = line * across;
    double scale = spacing * spacing;
    i64 top = -1, v = 0;
    double below = 0;
    for (i64 q = 0; q < n; q++) {
        double height = squares[begin + q * along];
        if (height > 1e300) continue;
        double border = 0;
        while (top >= 0) {
            // The two parabolas meet here.
            border = ((height - below) / scale + (double)(q * q - v * v)) / (2.0 * (double)(q - v));
            if (top == 0 || border > borders[begin + top * along]) break;
            top--;
            v = stack[begin + top * along];
            below = squares[begin + v * along];
        }
        top++;
        stack[begin + top * along] = (int)q;
        borders[begin + top * along] = border;
        v = q;
        below = height;
    }
    if (top < 0) {
        for (i64 x = 0; x < n; x++) {
            out_squares[begin + x * along] = 1.0 / 0.0;
            if (PLACES) out_nearest[begin + x * along] = -1;
        }
        return;
    }
    i64 at = 0;
    v = stack[begin];
    for (i64 x = 0; x < n;) {
        // Up to here the parabola of `v` is the lowest.
        double end = at < top ? borders[begin + (at + 1) * along] : (double)n;
        double height = squares[begin + v * along];
        i64 place = PLACES ? nearest[begin + v * along] : 0;
        for (; x < n && !(end < (double)x); x++) {
            double away = (double)(x - v) * spacing;
            out_squares[begin + x * along] = height + away * away;
            if (PLACES) out_nearest[begin + x * along] = place;
        }
        if (at < top) v = stack[begin + ++at * along];
    }
}

// The same for one element a thread, lines side by side: a search to both sides that ends where all others are farther.
template <bool PLACES>
__global__ void search_line(const double* squares, const i64* nearest, double* out_squares, i64* out_nearest, i64 n, i64 lines,
                            double spacing) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= n * lines) return;
    i64 x = i / lines, from = i;
    double best = squares[i];
    i64 most = x > n - 1 - x ? x : n - 1 - x;
    for (i64 r = 1; r <= most; r++) {
        double away = (double)r * spacing;
        away = away * away;
        if (away >= best) break;
        if (r <= x) {
            double here = squares[i - r * lines] + away;
            if (here < best) {
                best = here;
                from = i - r * lines;
            }
        }
        if (r < n - x) {
            double here = squares[i + r * lines] + away;
            if (here < best) {
                best = here;
                from = i + r * lines;
            }
        }
    }
    out_squares[i] = best;
    if (PLACES) out_nearest[i] = nearest[from];
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

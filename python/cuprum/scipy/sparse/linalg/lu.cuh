// Sparse LU by columns, after Gilbert and Peierls: P A Q = L U with partial pivoting, and solutions of triangular systems.
//
// One block does the work; column after column depends on those before. The search for a column's pattern is one thread's,
// the arithmetic that of all LANES threads. With one thread, as on a CPU, there are no barriers.

#include "../complex.cuh"

// The size that pivots are chosen by.
template <class T> struct Size {
    static __device__ double of(T a) { return a < 0 ? -(double)a : (double)a; }
};
template <class T> struct Size<Complex<T>> {
    static __device__ double of(Complex<T> a) { return hypot((double)a.re, (double)a.im); }
};

template <int LANES> struct Block {
    static __device__ void barrier() { __syncthreads(); }
};
template <> struct Block<1> {
    static __device__ void barrier() {}
};

struct Options {
    i64 n;
    i64 lower_room, upper_room;
    double threshold;  // the diagonal is the pivot where it is this large, relative to the largest entry
    double drop;       // entries below are left out of incomplete factors; below 0 for complete ones
    double fill;       // entries of the factors for each of the matrix that incomplete factors aim at
};

// Finds the unknowns that columns of L lead to from `root`, those that others depend on first, and puts them before `top` of
// `pattern`. `place` and `stack` are scratch. Rows from `pruned` of a column on need no look: others lead to them too.
template <class I>
__device__ I reach(I root, I top, const i64* lower_start, const i64* pruned, const I* lower_row, const I* position, I* pattern, I* mark, I stamp,
                   I* stack, i64* place) {
    I depth = 0;
    stack[0] = root;
    mark[root] = stamp;
    I at = position[root];
    place[0] = at < 0 ? 0 : lower_start[at];
    while (depth >= 0) {
        I row = stack[depth], column = position[row];
        i64 end = column < 0 ? 0 : pruned[column] >= 0 ? pruned[column] : lower_start[column + 1], k = place[depth];
        if (column < 0) k = end;
        bool deeper = false;
        for (; k < end; k++) {
            I other = lower_row[k];
            if (mark[other] == stamp) continue;
            mark[other] = stamp;
            place[depth] = k + 1;
            depth++;
            stack[depth] = other;
            I next = position[other];
            place[depth] = next < 0 ? 0 : lower_start[next];
            deeper = true;
            break;
        }
        if (deeper) continue;
        pattern[--top] = row;
        depth--;
    }
    return top;
}

// Columns of L hold rows of A and their values without the diagonal, which is 1; columns of U hold positions of pivots, the
// diagonal last. `position` gives each row's pivot, -1 where it has none. `x` is zero between columns. `progress` is the next
// column, the entries of L and of U, and 0 at the end, 1 where L or U needs more room, 2 where a column has no pivot: a call
// goes on where the last one stopped.
// Where a pivot's row is in an earlier column of L and the pivot's column of U has that column's row, later columns that
// reach the one reach the other (Eisenstat and Liu): of the earlier column, rows that are not pivots yet need no search any
// more. Puts those last and says where they begin.
template <class T, class I>
__device__ void prune(I column, I pivot_row, const i64* lower_start, i64* pruned, I* lower_row, T* lower, const I* position) {
    i64 begin = lower_start[column], end = lower_start[column + 1];
    bool found = false;
    for (i64 k = begin; k < end && !found; k++) found = lower_row[k] == pivot_row;
    if (!found) return;
    while (begin < end) {
        if (position[lower_row[begin]] >= 0) {
            begin++;
            continue;
        }
        end--;
        I r = lower_row[begin];
        T v = lower[begin];
        lower_row[begin] = lower_row[end];
        lower[begin] = lower[end];
        lower_row[end] = r;
        lower[end] = v;
    }
    pruned[column] = begin;
}

template <class T, class I, int LANES>
__global__ void factor(const I* start, const I* row, const T* value, const I* column_order, i64* lower_start, I* lower_row,
                       T* lower, i64* upper_start, I* upper_row, T* upper, I* position, T* x, I* pattern, I* mark, I* stack,
                       i64* place, i64* pruned, i64* progress, const Options options) {
    __shared__ i64 top_shared, stop_shared, row_of[LANES];
    __shared__ double size_of[LANES];
    int lane = threadIdx.x;
    I n = (I)options.n;
    for (i64 column = progress[0]; column < n; column++) {
        I source = column_order[column];
        i64 begin = start[source], end = start[source + 1];
        i64 lower_end = lower_start[column], upper_end = upper_start[column];
        if (lane == 0) {
            I top = n;
            for (i64 k = begin; k < end; k++)
                if (mark[row[k]] != (I)column + 1)
                    top = reach<I>(row[k], top, lower_start, pruned, lower_row, position, pattern, mark, (I)column + 1, stack, place);
            top_shared = top;
            stop_shared = lower_end + (n - top) > options.lower_room || upper_end + (n - top) + 1 > options.upper_room;
            if (stop_shared) {
                for (I k = top; k < n; k++) mark[pattern[k]] = 0;
                progress[0] = column;
                progress[1] = lower_end;
                progress[2] = upper_end;
                progress[3] = 1;
            }
        }
        Block<LANES>::barrier();
        if (stop_shared) return;
        i64 top = top_shared;
        for (i64 k = begin + lane; k < end; k += LANES) x[row[k]] = value[k];
        Block<LANES>::barrier();

        // x = L^-1 A q: each unknown is final once those that it depends on have been subtracted.
        for (i64 k = top; k < n; k++) {
            I at = position[pattern[k]];
            if (at < 0) continue;
            T factor_of = x[pattern[k]];
            for (i64 j = lower_start[at] + lane; j < lower_start[at + 1]; j += LANES)
                x[lower_row[j]] = x[lower_row[j]] - lower[j] * factor_of;
            Block<LANES>::barrier();
        }

        // The pivot: the largest entry without a position, or the diagonal where that is large enough.
        double largest = -1, norm = 0;
        i64 best = -1;
        for (i64 k = top + lane; k < n; k += LANES) {
            I r = pattern[k];
            if (position[r] >= 0) continue;
            double size = Size<T>::of(x[r]);
            if (!(size <= largest)) {
                largest = size;
                best = r;
            }
        }
        if (LANES > 1) {
            size_of[lane] = largest;
            row_of[lane] = best;
            Block<LANES>::barrier();
            for (int k = 0; k < LANES; k++)
                if (row_of[k] >= 0 && !(size_of[k] <= largest)) {
                    largest = size_of[k];
                    best = row_of[k];
                }
            // Of equal entries the first lane's counts, so that all lanes agree.
            for (int k = 0; k < LANES; k++)
                if (size_of[k] == largest) {
                    best = row_of[k];
                    break;
                }
        }
        if (best < 0 || largest == 0) {
            Block<LANES>::barrier();
            for (i64 k = top + lane; k < n; k += LANES) x[pattern[k]] = Zero<T>::value();
            if (lane == 0) {
                progress[0] = column;
                progress[1] = lower_end;
                progress[2] = upper_end;
                progress[3] = 2;
            }
            return;
        }
        if (position[source] < 0 && mark[source] == (I)column + 1) {
            double diagonal = Size<T>::of(x[source]);
            if (diagonal > 0 && diagonal >= options.threshold * largest) best = source;
        }
        T pivot = x[best];

        // What is small is left out of incomplete factors, the more of it the fuller they are.
        double drop_lower = -1, drop_upper = -1;
        if (options.drop >= 0) {
            for (i64 k = begin; k < end; k++) {
                double size = Size<T>::of(value[k]);
                if (size > norm) norm = size;
            }
            double drop = options.drop, room = options.fill * (double)(column + 1);
            double used = (double)(lower_end + upper_end);
            for (int times = 0; times < 8 && used > room; times++, used *= 0.5) drop = drop > 0 ? drop * 10 : 1e-8;
            drop_lower = drop * Size<T>::of(pivot);
            drop_upper = drop * norm;
        }
        Block<LANES>::barrier();
        if (lane == 0) {
            for (i64 k = top; k < n; k++) {
                I r = pattern[k], at = position[r];
                double size = options.drop >= 0 ? Size<T>::of(x[r]) : 0;
                if (at >= 0) {
                    if (size < drop_upper) continue;
                    upper_row[upper_end] = at;
                    upper[upper_end++] = x[r];
                } else if (r != best) {
                    if (size < drop_lower) continue;
                    lower_row[lower_end++] = r;
                }
            }
            upper_row[upper_end] = (I)column;
            upper[upper_end++] = pivot;
            position[best] = (I)column;
            lower_start[column + 1] = lower_end;
            upper_start[column + 1] = upper_end;
        }
        Block<LANES>::barrier();
        lower_end = lower_start[column + 1];
        for (i64 k = lower_start[column] + lane; k < lower_end; k += LANES) lower[k] = x[lower_row[k]] / pivot;
        Block<LANES>::barrier();
        for (i64 k = top + lane; k < n; k += LANES) x[pattern[k]] = Zero<T>::value();
        // Incomplete factors miss the entries that searches would take instead.
        if (lane == 0 && options.drop < 0)
            for (i64 k = top; k < n; k++) {
                I at = position[pattern[k]];
                if (at >= 0 && at < column && pruned[at] < 0)
                    prune<T, I>(at, (I)best, lower_start, pruned, lower_row, lower, position);
            }
        Block<LANES>::barrier();
    }
    if (lane == 0) {
        progress[0] = n;
        progress[1] = lower_start[n];
        progress[2] = upper_start[n];
        progress[3] = 0;
    }
}

// Solves T X = B for a triangle in compressed columns: a block makes one right side, a row of `x`. UNIT takes the diagonal
// for 1, whatever is stored. Entries of the other triangle are passed over.
template <class T, class I, int LANES, bool LOWER, bool UNIT>
__global__ void solve_triangle(const I* start, const I* row, const T* value, const T* diagonal, T* x, i64 n) {
    T* mine = x + blockIdx.x * n;
    int lane = threadIdx.x;
    for (i64 step = 0; step < n; step++) {
        i64 column = LOWER ? step : n - 1 - step;
        T solved = mine[column];
        if (!UNIT) solved = solved / diagonal[column];
        for (i64 k = start[column] + lane; k < start[column + 1]; k += LANES) {
            I r = row[k];
            if (LOWER ? r > column : r < column) mine[r] = mine[r] - value[k] * solved;
        }
        Block<LANES>::barrier();
        if (!UNIT && lane == 0) mine[column] = solved;
    }
}

// Sparse systems by fronts: dense matrices in which some unknowns are eliminated, and whose rest is added to the front of
// the parent. Fronts of one level share nothing: each is a block's, level after level. Memory of a front is column-major.

#include "../complex.cuh"

// The size that pivots are chosen by.
template <class T> struct Size {
    static __device__ double of(T a) { return a < 0 ? -(double)a : (double)a; }
};
template <class T> struct Size<Complex<T>> {
    static __device__ double of(Complex<T> a) {
        return (a.re < 0 ? -(double)a.re : (double)a.re) + (a.im < 0 ? -(double)a.im : (double)a.im);
    }
};

// The width of a panel, whose columns are eliminated one by one before the rest of the front is brought up to date.
const int PANEL = 8;

// Rows `begin` to `end` of the columns from `first` on, by the columns that are eliminated there: a thread a column.
template <class T, int LANES> __device__ void solve_rows(T* a, int size, int begin, int end, int first, int last) {
    for (int c = first + threadIdx.x; c < last; c += LANES) {
        T* column = a + (i64)c * size;
        for (int k = begin; k < end; k++)
            for (int r = k + 1; r < end; r++) column[r] = column[r] - a[(i64)k * size + r] * column[k];
    }
}

// Adds what is left of a front's children to it, one child after the other.
template <class T, int LANES>
__device__ void add_children(const int* first, const i64* below_start, const int* above, const int* child_start, const int* child,
                             const i64* offset, int front, T* values) {
    const int ROWS = LANES < 32 ? LANES : 32;
    int lane = threadIdx.x;
    int size = first[front + 1] - first[front] + (int)(below_start[front + 1] - below_start[front]);
    T* a = values + offset[front];
    for (int at = child_start[front]; at < child_start[front + 1]; at++) {
        int less = child[at];
        int done = first[less + 1] - first[less], rest = (int)(below_start[less + 1] - below_start[less]);
        const int* to = above + below_start[less];
        const T* given = values + offset[less];
        for (int c = lane / ROWS; c < rest; c += LANES / ROWS) {
            T* column = a + (i64)to[c] * size;
            const T* added = given + (i64)(done + c) * (done + rest) + done;
            for (int r = lane % ROWS; r < rest; r += ROWS) column[to[r]] = column[to[r]] + added[r];
        }
        __syncthreads();
    }
}

// The same for the fronts that `which` names: those that are eliminated as dense matrices.
template <class T, int LANES>
__global__ void assemble(const int* first, const i64* below_start, const int* above, const int* child_start, const int* child,
                         const i64* offset, const int* which, T* values) {
    add_children<T, LANES>(first, below_start, above, child_start, child, offset, which[blockIdx.x], values);
}

// Eliminates the fronts that `which` names. `row` has the places of the rows, exchanged within fronts for pivots: the diagonal is one
// where it is at least `threshold` times the largest element of the column, else the largest element of the front's own rows
// where that is at least `least` times it. A column without a pivot sets `failed[0]`, one with a larger element than its
// pivot `failed[1]`.
// With a `step`, only so many columns from `from` on are eliminated, and what lies behind and below them is left: it is to be brought
// up to date by a product of matrices.
template <class T, int LANES>
__global__ void eliminate(const int* first, const i64* below_start, const int* above, const int* child_start, const int* child,
                          const i64* offset, const int* which, T* values, int* row, int* failed, double threshold, double least,
                          int from, int step) {
    const int ROWS = LANES < 32 ? LANES : 32;
    __shared__ double largest[LANES], largest_own[LANES];
    __shared__ int place[LANES];
    __shared__ int pivot_row;
    int lane = threadIdx.x, front = which[blockIdx.x];
    int width = first[front + 1] - first[front];
    int size = width + (int)(below_start[front + 1] - below_start[front]);
    T* a = values + offset[front];
    int* my_row = row + first[front];

    if (from == 0) add_children<T, LANES>(first, below_start, above, child_start, child, offset, front, values);

    int stop = step > 0 && from + step < width ? from + step : width;
    // Columns from here on wait until all pivots are known.
    int near = step > 0 ? stop : size;
    for (int begin = from; begin < stop; begin += PANEL) {
        int end = begin + PANEL < stop ? begin + PANEL : stop;
        for (int k = begin; k < end; k++) {
            double most = 0, most_own = -1;
            int where = k;
            for (int i = k + lane; i < size; i += LANES) {
                double here = Size<T>::of(a[(i64)k * size + i]);
                if (here > most) most = here;
                if (i < width && here > most_own) {
                    most_own = here;
                    where = i;
                }
            }
            largest[lane] = most;
            largest_own[lane] = most_own;
            place[lane] = where;
            __syncthreads();
            if (lane == 0) {
                for (int i = 1; i < LANES; i++) {
                    if (largest[i] > most) most = largest[i];
                    if (largest_own[i] > most_own || (largest_own[i] == most_own && place[i] < where)) {
                        most_own = largest_own[i];
                        where = place[i];
                    }
                }
                double diagonal = Size<T>::of(a[(i64)k * size + k]);
                if (diagonal > 0 && diagonal >= threshold * most) {
                    where = k;
                    most_own = diagonal;
                } else if (!(most_own > 0 && most_own >= least * most)) {
                    where = -1;
                }
                pivot_row = where;
                if (where > k) {
                    int kept = my_row[k];
                    my_row[k] = my_row[where];
                    my_row[where] = kept;
                }
                if (where < 0) failed[0] = 1;
                else if (most_own < most) failed[1] = 1;
            }
            __syncthreads();
            int pivot = pivot_row;
            if (pivot < 0) return;
            if (pivot != k) {
                for (int j = lane; j < size; j += LANES) {
                    T kept = a[(i64)j * size + k];
                    a[(i64)j * size + k] = a[(i64)j * size + pivot];
                    a[(i64)j * size + pivot] = kept;
                }
                __syncthreads();
            }
            T* known = a + (i64)k * size;
            T by = known[k];
            for (int i = k + 1 + lane; i < size; i += LANES) known[i] = known[i] / by;
            __syncthreads();
            // Threads side by side take rows side by side, and as many columns at once as there are threads left over.
            for (int c = k + 1 + lane / ROWS; c < end; c += LANES / ROWS) {
                T* column = a + (i64)c * size;
                T factor = column[k];
                for (int r = k + 1 + lane % ROWS; r < size; r += ROWS) column[r] = column[r] - known[r] * factor;
            }
            __syncthreads();
        }
        // The rows of the panel in the columns behind it, a thread a column; then what is below.
        solve_rows<T, LANES>(a, size, begin, end, end, near);
        __syncthreads();
        // A full panel is taken off two columns at once.
        int c = end + 2 * (lane / ROWS);
        for (; end - begin == PANEL && c + 1 < near; c += 2 * (LANES / ROWS)) {
            T* column = a + (i64)c * size;
            T* other = column + size;
            T by[PANEL], other_by[PANEL];
            for (int k = 0; k < PANEL; k++) {
                by[k] = column[begin + k];
                other_by[k] = other[begin + k];
            }
            for (int r = end + lane % ROWS; r < size; r += ROWS) {
                const T* factors = a + (i64)begin * size + r;
                T total = column[r], other_total = other[r];
                for (int k = 0; k < PANEL; k++) {
                    T factor = factors[(i64)k * size];
                    total = total - factor * by[k];
                    other_total = other_total - factor * other_by[k];
                }
                column[r] = total;
                other[r] = other_total;
            }
        }
        for (c = end - begin == PANEL ? (c < near ? c : near) : end + lane / ROWS; c < near; c += LANES / ROWS) {
            T* column = a + (i64)c * size;
            for (int k = begin; k < end; k++) {
                T by = column[k];
                const T* factor = a + (i64)k * size;
                for (int r = end + lane % ROWS; r < size; r += ROWS) column[r] = column[r] - factor[r] * by;
            }
        }
        __syncthreads();
    }
    solve_rows<T, LANES>(a, size, from, stop, near, size);
}

// Solves with L: `x` has the right side by places, and gets what U is to be solved with. `update` has, for each later place of
// a front, what goes to its parent. Several right sides are the grid's second axis.
template <class T, int LANES>
__global__ void solve_lower(const int* first, const i64* below_start, const int* above, const int* child_start,
                            const int* child, const i64* offset, const int* which, const T* values, const int* row, T* x,
                            T* update, T* scratch, i64 n, i64 later) {
    int lane = threadIdx.x, front = which[blockIdx.x];
    int begin = first[front], width = first[front + 1] - begin, rest = (int)(below_start[front + 1] - below_start[front]);
    int size = width + rest;
    const T* a = values + offset[front];
    T* own = x + blockIdx.y * n + begin;
    T* mine = update + blockIdx.y * later;
    T* turned = scratch + blockIdx.y * n + begin;
    T* out = mine + below_start[front];
    for (int i = lane; i < rest; i += LANES) out[i] = Zero<T>::value();
    __syncthreads();
    for (int at = child_start[front]; at < child_start[front + 1]; at++) {
        int from = child[at];
        for (i64 i = below_start[from] + lane; i < below_start[from + 1]; i += LANES) {
            int to = above[i];
            if (to < width) own[to] = own[to] + mine[i];
            else out[to - width] = out[to - width] + mine[i];
        }
        __syncthreads();
    }
    for (int k = lane; k < width; k += LANES) turned[k] = own[row[begin + k] - begin];
    __syncthreads();
    for (int k = 0; k < width; k++) {
        T known = turned[k];
        for (int i = k + 1 + lane; i < size; i += LANES) {
            T less = a[(i64)k * size + i] * known;
            if (i < width) turned[i] = turned[i] - less;
            else out[i - width] = out[i - width] - less;
        }
        __syncthreads();
    }
    for (int k = lane; k < width; k += LANES) own[k] = turned[k];
}

// Solves with U, parents before children: `x` gets the solution by places.
template <class T, int LANES>
__global__ void solve_upper(const int* first, const i64* below_start, const int* below, const i64* offset, const int* which,
                            const T* values, T* x, i64 n) {
    int lane = threadIdx.x, front = which[blockIdx.x];
    int begin = first[front], width = first[front + 1] - begin, rest = (int)(below_start[front + 1] - below_start[front]);
    int size = width + rest;
    const T* a = values + offset[front];
    T* all = x + blockIdx.y * n;
    T* own = all + begin;
    const int* later = below + below_start[front];
    for (int k = lane; k < width; k += LANES) {
        T total = own[k];
        for (int j = 0; j < rest; j++) total = total - a[(i64)(width + j) * size + k] * all[later[j]];
        own[k] = total;
    }
    __syncthreads();
    for (int k = width - 1; k >= 0; k--) {
        if (lane == 0) own[k] = own[k] / a[(i64)k * size + k];
        __syncthreads();
        T known = own[k];
        for (int i = lane; i < k; i += LANES) own[i] = own[i] - a[(i64)k * size + i] * known;
        __syncthreads();
    }
}

// Values between the nodes of a rectangular grid: one thread a point, all sums in float64.

typedef long long i64;

__device__ double no_number() { return __longlong_as_double(0x7ff8000000000000ll); }

// The cell of rising nodes that a point is in, the outermost for points outside, and where in it the point lies. `uniform` is
// the number of cells in a unit of length where all are equal, else 0: it gives a first guess.
__device__ i64 cell_of(const double* x, i64 n, double at, double uniform, double* share) {
    *share = 0;
    if (n < 2) return 0;
    i64 low = 0;
    if (uniform > 0) {
        double guess = (at - x[0]) * uniform;
        low = guess >= n - 2 ? n - 2 : guess > 0 ? (i64)guess : 0;
        // Rounding moves a guess by one cell at most.
        if (low > 0 && at < x[low]) low--;
        else if (low < n - 2 && at >= x[low + 1]) low++;
    } else {
        i64 high = n - 1;
        while (high - low > 1) {
            i64 middle = (low + high) / 2;
            if (at < x[middle]) high = middle;
            else low = middle;
        }
    }
    *share = (at - x[low]) / (x[low + 1] - x[low]);
    return low;
}

// The weighted sum over the corners of a cell, along the axes from AXIS on.
template <class T, int RANK, int AXIS> struct Corners {
    static __device__ double of(const T* values, const i64* step, const double* share, double weight, i64 place) {
        double low = Corners<T, RANK, AXIS + 1>::of(values, step, share, weight * (1 - share[AXIS]), place);
        if (step[AXIS] == 0) return low;
        return low + Corners<T, RANK, AXIS + 1>::of(values, step, share, weight * share[AXIS], place + step[AXIS]);
    }
};
template <class T, int RANK> struct Corners<T, RANK, RANK> {
    static __device__ double of(const T* values, const i64* step, const double* share, double weight, i64 place) {
        return (double)values[place] * weight;
    }
};

// values[nodes..., column]; `x` has the nodes of all axes, one after the other, `dims` their numbers.
template <class T, int RANK, bool NEAREST>
__global__ void at_points(const T* values, const double* x, const i64* dims, const double* uniform, const double* at, double* out,
                          i64 width, i64 count) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    i64 step[RANK], start[RANK + 1];
    double share[RANK];
    start[0] = 0;
    for (int axis = 0; axis < RANK; axis++) start[axis + 1] = start[axis] + dims[axis];
    i64 place = 0, cells = width;
    bool is_number = true;
    for (int axis = RANK - 1; axis >= 0; axis--) {
        double value = at[point * RANK + axis];
        if (value != value) is_number = false;
        i64 i = cell_of(x + start[axis], dims[axis], is_number ? value : x[start[axis]], uniform[axis], share + axis);
        if (NEAREST && !(share[axis] <= 0.5)) i++;
        place += i * cells;
        step[axis] = dims[axis] < 2 ? 0 : cells;
        cells *= dims[axis];
    }
    for (i64 column = 0; column < width; column++) {
        double value;
        if (!is_number) value = no_number();
        else if (NEAREST) value = (double)values[place + column];
        else value = Corners<T, RANK, 0>::of(values, step, share, 1.0, place + column);
        out[point * width + column] = value;
    }
}

// Structure of sparse matrices in compressed rows: where rows begin, elements of one place, and rows of two matrices merged.

#include "complex.cuh"

// Sums of elements; those of truth values are "or".
template <class T> __device__ T plus(T a, T b) { return (T)(a + b); }
template <> __device__ bool plus<bool>(bool a, bool b) { return a || b; }

// A thread makes `each` rows: one on a GPU, some hundreds on a core of a CPU.

// How many columns each row of two matrices has, of those of either (UNION) or of both. Columns of both rise.
template <class I, bool UNION>
__global__ void count_merged(const I* start, const I* column, const I* other_start, const I* other_column, i64* count, i64 rows,
                             i64 each) {
    i64 row = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = row + each < rows ? row + each : rows;
    for (; row < last; row++) {
        I a = start[row], b = other_start[row], a_end = start[row + 1], b_end = other_start[row + 1];
        i64 all = (i64)(a_end - a) + (i64)(b_end - b), shared = 0;
        while (a < a_end && b < b_end) {
            I left = column[a], right = other_column[b];
            a += left <= right;
            b += right <= left;
            shared += left == right;
        }
        count[row] = UNION ? all - shared : shared;
    }
}

// The columns, and the elements of either matrix there; zero where it has none.
template <class T, class U, class I, bool UNION>
__global__ void fill_merged(const I* start, const I* column, const T* value, const I* other_start, const I* other_column,
                            const U* other_value, const I* to_start, I* to_column, T* mine, U* theirs, i64 rows, i64 each) {
    i64 row = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = row + each < rows ? row + each : rows;
    for (; row < last; row++) {
        I a = start[row], b = other_start[row], a_end = start[row + 1], b_end = other_start[row + 1], to = to_start[row];
        while (UNION ? a < a_end || b < b_end : a < a_end && b < b_end) {
            bool from_a = a < a_end && (b == b_end || column[a] <= other_column[b]);
            bool from_b = b < b_end && (a == a_end || other_column[b] <= column[a]);
            if (UNION || from_a && from_b) {
                to_column[to] = from_a ? column[a] : other_column[b];
                mine[to] = from_a ? value[a] : Zero<T>::value();
                theirs[to] = from_b ? other_value[b] : Zero<U>::value();
                to++;
            }
            a += from_a;
            b += from_b;
        }
    }
}

// Where the elements of each line begin, for lines in order: an element writes the starts of the lines that end before it.
template <class I> __global__ void line_starts(const I* line, I* start, i64 elements, i64 lines, i64 each) {
    i64 k = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = k + each <= elements ? k + each : elements + 1;
    for (; k < last; k++) {
        i64 from = k == 0 ? 0 : (i64)line[k - 1] + 1, to = k == elements ? lines : (i64)line[k];
        for (i64 i = from; i <= to; i++) start[i] = (I)k;
    }
}

// How many different columns each row has. Columns do not fall.
template <class I> __global__ void count_places(const I* start, const I* column, i64* count, i64 rows, i64 each) {
    i64 row = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = row + each < rows ? row + each : rows;
    for (; row < last; row++) {
        I k = start[row], end = start[row + 1], before = -1;
        i64 found = 0;
        for (; k < end; k++) {
            I here = column[k];
            found += here != before;
            before = here;
        }
        count[row] = found;
    }
}

// Elements of one place added up in order.
template <class T, class I>
__global__ void sum_places(const I* start, const I* column, const T* value, const I* sum_start, I* sum_column, T* sum,
                           i64 rows, i64 each) {
    i64 row = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = row + each < rows ? row + each : rows;
    for (; row < last; row++) {
        I k = start[row], end = start[row + 1], to = sum_start[row];
        while (k < end) {
            I here = column[k];
            T total = value[k];
            for (k++; k < end && column[k] == here; k++) total = plus<T>(total, value[k]);
            sum_column[to] = here;
            sum[to] = total;
            to++;
        }
    }
}

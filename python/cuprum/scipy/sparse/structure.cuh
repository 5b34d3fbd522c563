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

// The same by groups of LANES threads, for GPUs: each looks for the columns of one matrix among those of the other, so that no
// thread waits for its own last step, and threads beside each other read and write elements beside each other.
constexpr int LANES = 8;

// A row of both matrices as a group of threads sees it; rows beyond the last one are empty.
template <class I> struct RowPair {
    i64 row;
    int lane, shift;
    I a, a_end, b, b_end;

    __device__ RowPair(const I* start, const I* other_start, i64 rows) {
        row = (blockIdx.x * (i64)blockDim.x + threadIdx.x) / LANES;
        lane = threadIdx.x % LANES;
        shift = threadIdx.x % 32 - lane;
        bool inside = row < rows;
        a = inside ? start[row] : 0;
        a_end = inside ? start[row + 1] : 0;
        b = inside ? other_start[row] : 0;
        b_end = inside ? other_start[row + 1] : 0;
    }
    // Which threads of the group say yes. All threads of the warp ask.
    __device__ unsigned votes(bool yes) const { return __ballot_sync(0xffffffffu, yes) >> shift & ((1u << LANES) - 1); }
};

// The first of rising columns that is not below one.
template <class I> __device__ I place_of(const I* column, I low, I high, I wanted) {
    while (low < high) {
        I middle = low + (high - low) / 2;
        if (column[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

// `count[row + 1]` is how many columns a row has; `count[0]` is zero.
template <class I, bool UNION>
__global__ void count_merged_by_lanes(const I* start, const I* column, const I* other_start, const I* other_column, i64* count,
                                      i64 rows) {
    RowPair<I> at(start, other_start, rows);
    i64 shared = 0;
    for (I first = at.a; __any_sync(0xffffffffu, first < at.a_end); first += LANES) {
        I k = first + at.lane;
        bool found = false;
        if (k < at.a_end) {
            I place = place_of(other_column, at.b, at.b_end, column[k]);
            found = place < at.b_end && other_column[place] == column[k];
        }
        shared += __popc(at.votes(found));
    }
    if (at.lane != 0 || at.row >= rows) return;
    count[at.row + 1] = UNION ? (i64)(at.a_end - at.a) + (i64)(at.b_end - at.b) - shared : shared;
    if (at.row == 0) count[0] = 0;
}

template <class T, class U, class I, bool UNION>
__global__ void fill_merged_by_lanes(const I* start, const I* column, const T* value, const I* other_start,
                                     const I* other_column, const U* other_value, const I* to_start, I* to_column, T* mine,
                                     U* theirs, i64 rows) {
    RowPair<I> at(start, other_start, rows);
    I to = at.row < rows ? to_start[at.row] : 0;
    // An element comes behind those of both rows that are below it, of which shared ones are there twice.
    I shared = 0;
    for (I first = at.a; __any_sync(0xffffffffu, first < at.a_end); first += LANES) {
        I k = first + at.lane, place = at.b;
        bool found = false;
        if (k < at.a_end) {
            place = place_of(other_column, at.b, at.b_end, column[k]);
            found = place < at.b_end && other_column[place] == column[k];
        }
        unsigned votes = at.votes(found);
        I before = shared + (I)__popc(votes & ((1u << at.lane) - 1));
        if (k < at.a_end && (UNION || found)) {
            I here = to + (UNION ? (k - at.a) + (place - at.b) - before : before);
            to_column[here] = column[k];
            mine[here] = value[k];
            theirs[here] = found ? other_value[place] : Zero<U>::value();
        }
        shared += (I)__popc(votes);
    }
    if (!UNION) return;
    shared = 0;
    for (I first = at.b; __any_sync(0xffffffffu, first < at.b_end); first += LANES) {
        I k = first + at.lane, place = at.a;
        bool found = false;
        if (k < at.b_end) {
            place = place_of(column, at.a, at.a_end, other_column[k]);
            found = place < at.a_end && column[place] == other_column[k];
        }
        unsigned votes = at.votes(found);
        I before = shared + (I)__popc(votes & ((1u << at.lane) - 1));
        if (k < at.b_end && !found) {
            I here = to + (k - at.b) + (place - at.a) - before;
            to_column[here] = other_column[k];
            mine[here] = Zero<T>::value();
            theirs[here] = other_value[k];
        }
        shared += (I)__popc(votes);
    }
}

// Where the elements of each line begin, for lines in order: an element writes the starts of the lines that end before it. Lines that
// there are not are left out: whoever calls looks for them, and the kernel writes nothing beside its array.
template <class I> __global__ void line_starts(const I* line, I* start, i64 elements, i64 lines, i64 each) {
    i64 k = (blockIdx.x * (i64)blockDim.x + threadIdx.x) * each, last = k + each <= elements ? k + each : elements + 1;
    for (; k < last; k++) {
        i64 from = k == 0 ? 0 : (i64)line[k - 1] + 1, to = k == elements ? lines : (i64)line[k];
        from = from < 0 ? 0 : from;
        to = to > lines ? lines : to;
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

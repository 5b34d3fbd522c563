// Products of two sparse matrices on a GPU.

#include "complex.cuh"

// Sums and products of elements; those of truth values are "or" and "and".
template <class T> __device__ T plus(T a, T b) { return (T)(a + b); }
template <> __device__ bool plus<bool>(bool a, bool b) { return a || b; }
template <class T> __device__ T times(T a, T b) { return (T)(a * b); }
template <> __device__ bool times<bool>(bool a, bool b) { return a && b; }

// Pairs of elements whose products make up a product of two sparse matrices: element `left[i]` of the first with the
// `i - offset[left[i]]`-th of the row of the second that its column names.
template <class T, class I>
__global__ void expand_products(const i64* left, const i64* offset, const I* column, const T* value, const i64* row,
                                const I* start, const I* other_column, const T* other_value, i64* key, T* product,
                                i64 columns, i64 n) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= n) return;
    i64 a = left[i];
    i64 b = (i64)start[column[a]] + (i - offset[a]);
    key[i] = row[a] * columns + (i64)other_column[b];
    product[i] = times<T>(value[a], other_value[b]);
}

// How many products of elements make up each row of a product of two sparse matrices.
template <class I>
__global__ void count_pairs(const I* start, const I* column, const I* other_start, i64* count, i64 rows) {
    i64 row = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (row >= rows) return;
    i64 pairs = 0;
    for (I k = start[row]; k < start[row + 1]; k++) pairs += other_start[column[k] + 1] - other_start[column[k]];
    count[row] = pairs;
}

// Rows of a product of two sparse matrices, a warp a row: products of elements are sorted by column, in the order in which
// they came where columns agree, and added up. A row has at most CAPACITY of them; its elements go to `room[row]` and on.
template <class T, class I, int CAPACITY>
__global__ void sum_sorted_pairs(const I* start, const I* column, const T* value, const I* other_start, const I* other_column,
                                 const T* other_value, const i64* room, I* out_column, T* out_value, i64* count, i64 rows) {
    const unsigned ALL = 0xffffffffu;
    __shared__ unsigned long long keys_of_block[4 * CAPACITY];
    __shared__ T products_of_block[4 * CAPACITY];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long* keys = keys_of_block + warp * CAPACITY;
    T* products = products_of_block + warp * CAPACITY;
    i64 row = blockIdx.x * (i64)4 + warp;
    if (row >= rows) return;

    int n = 0;
    i64 end = start[row + 1];
    for (i64 first = start[row]; first < end; first += 32) {
        bool is_mine = first + lane < end;
        i64 from = is_mine ? (i64)other_start[column[first + lane]] : 0;
        i64 to = is_mine ? (i64)other_start[column[first + lane] + 1] : 0;
        int there = end - first < 32 ? (int)(end - first) : 32;
        for (int i = 0; i < there; i++) {
            i64 begin = __shfl_sync(ALL, from, i);
            int length = (int)(__shfl_sync(ALL, to, i) - begin);
            T by = value[first + i];
            for (int j = lane; j < length; j += 32) {
                keys[n + j] = ((unsigned long long)other_column[begin + j] << 16) | (unsigned)(n + j);
                products[n + j] = times<T>(by, other_value[begin + j]);
            }
            n += length;
        }
    }
    int size = 32;
    while (size < n) size *= 2;
    for (int at = n + lane; at < size; at += 32) keys[at] = ~0ull;
    __syncwarp();

    for (int length = 2; length <= size; length *= 2) {
        for (int step = length / 2; step > 0; step /= 2) {
            for (int pair = lane; pair < size / 2; pair += 32) {
                int i = 2 * pair - (pair & (step - 1));
                unsigned long long a = keys[i], b = keys[i + step];
                if ((a > b) == ((i & length) == 0)) {
                    keys[i] = b;
                    keys[i + step] = a;
                }
            }
            __syncwarp();
        }
    }

    int written = 0;
    for (int chunk = 0; chunk < n; chunk += 32) {
        int at = chunk + lane;
        bool is_first = at < n && (at == 0 || keys[at] >> 16 != keys[at - 1] >> 16);
        unsigned firsts = __ballot_sync(ALL, is_first);
        if (is_first) {
            T sum = products[keys[at] & 0xffff];
            for (int next = at + 1; next < n && keys[next] >> 16 == keys[at] >> 16; next++)
                sum = plus<T>(sum, products[keys[next] & 0xffff]);
            i64 place = room[row] + written + __popc(firsts & ((1u << lane) - 1));
            out_column[place] = (I)(keys[at] >> 16);
            out_value[place] = sum;
        }
        written += __popc(firsts);
    }
    if (lane == 0) count[row] = written;
}

// Moves the elements of each row together, a warp a row.
template <class T, class I>
__global__ void close_gaps(const i64* room, const i64* start, const I* column, const T* value, I* out_column, T* out_value,
                           i64 rows) {
    int lane = threadIdx.x % 32;
    i64 row = blockIdx.x * (i64)(blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    i64 from = room[row], to = start[row], length = start[row + 1] - start[row];
    for (i64 j = lane; j < length; j += 32) {
        out_column[to + j] = column[from + j];
        out_value[to + j] = value[from + j];
    }
}

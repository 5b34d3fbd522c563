// Index tuples in the order of their places. Before this text: index_tuples.cuh with its own; `Key`, which numbers the places.

extern "C" __global__ void number_places(const Tuples tuples, u64 count, Key *keys) {
    u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) keys[k] = (Key)position_of(tuples, k);
}

// Which of the tuples, in order, are the first of their place.
extern "C" __global__ void mark_first(const Key *keys, const i64 *order, u64 count, u8 *first) {
    u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (s < count) first[s] = s == 0 || keys[order[s - 1]] != keys[order[s]];
}

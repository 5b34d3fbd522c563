// Positions along an axis made non-negative, in place. The number of the first one beyond the axis is left in `fault`,
// which holds all ones before, or -1 as all ones are read: bad positions stay as they were. Or the first bad position
// goes to the host, which raises an error when it next waits: then bad positions become 0, where nothing is lost by
// reading, and what is written by them looks at the check's flag first. Before this text: deferred_check.cuh.

inline u64 first_bad(i64 *indices, u64 count, i64 length) {
    u64 step = (u64)gridDim.x * blockDim.x;
    u64 bad = ~0ull;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        i64 index = indices[i];
        i64 wrapped = index < 0 ? index + length : index;
        if ((u64)wrapped >= (u64)length) {
            bad = bad < i ? bad : i;
        } else if (wrapped != index) {
            indices[i] = wrapped;
        }
    }
    return bad;
}

extern "C" __global__ void check_indices(i64 *indices, u64 count, i64 length, u64 *fault) {
    u64 bad = first_bad(indices, count, length);
    if (bad != ~0ull) atomicMin(fault, bad);
}

extern "C" __global__ void begin_check(i64 *indices, u64 count, i64 length, const Check check) {
    __shared__ bool is_last;
    u64 bad = first_bad(indices, count, length);
    if (bad != ~0ull) atomicMax(&check.tickets->worst, ~bad);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(&check.tickets->blocks, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    u64 worst = *(volatile u64 *)&check.tickets->worst;
    __syncthreads();
    if (threadIdx.x == 0) publish(check, worst, worst ? *(volatile i64 *)&indices[~worst] : 0, length);
    __syncthreads();
    if (!worst) return;
    for (u64 i = threadIdx.x; i < count; i += blockDim.x)
        if ((u64) * (volatile i64 *)&indices[i] >= (u64)length) indices[i] = 0;
}

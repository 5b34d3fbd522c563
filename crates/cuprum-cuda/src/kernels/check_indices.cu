// Positions along an axis made non-negative, in place; the number of the first one beyond the axis is left in `fault`,
// which holds all ones before, or -1 as all ones are read. Bad positions stay as they were.

extern "C" __global__ void check_indices(i64 *indices, u64 count, i64 length, u64 *fault) {
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
    if (bad != ~0ull) atomicMin(fault, bad);
}

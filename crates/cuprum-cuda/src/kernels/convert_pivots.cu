// Pivots of one counting in another: `From` and `To` are integers.

extern "C" __global__ void linalg_pivots(const From *from, To *to, u64 size, i32 shift) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += step) {
        to[at] = (To)((i64)from[at] + shift);
    }
}

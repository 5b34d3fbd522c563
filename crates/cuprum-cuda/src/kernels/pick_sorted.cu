// Elements of sorted rows at given places, the same for all rows.
extern "C" __global__ void pick_sorted(const Unit *sorted, u64 length, const u64 *places, u64 each, u64 count, Unit *out) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = sorted[i / each * length + places[i % each]];
}

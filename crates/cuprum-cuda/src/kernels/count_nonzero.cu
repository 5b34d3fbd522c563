// How many bytes are not zero. Blocks add up what they find; the last one to come leaves the sum in `out`, and the
// counters as they were: zero.

struct Counters {
    u32 done, unused;
    u64 sum;
};

// `bytes` is aligned to 16 bytes, `skip` of which come before the first; `length` counts them too.
extern "C" __global__ void count_nonzero(const u8 *bytes, u32 skip, u64 length, Counters *counters, i64 *out) {
    __shared__ u32 warps[32];
    u64 words = (length + 15) / 16, step = (u64)gridDim.x * blockDim.x;
    u32 found = 0;
#pragma unroll 4
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) {
        uint4 word = load16(bytes, i * 16, skip, length);
        u32 parts[4] = {word.x, word.y, word.z, word.w};
        u32 bits = 0;
#pragma unroll
        for (int p = 0; p < 4; p++) {
            u32 set = (((parts[p] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | parts[p]) & 0x80808080u;
            bits |= ((set >> 7) * 0x01020408u >> 24 & 15) << (4 * p);
        }
        found += __popc(bits);
    }
    for (int apart = 16; apart > 0; apart /= 2) found += __shfl_xor_sync(~0u, found, apart);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = found;
    __syncthreads();
    if (threadIdx.x != 0) return;
    u64 sum = 0;
    for (u32 w = 0; w < blockDim.x / 32; w++) sum += warps[w];
    if (gridDim.x == 1) {
        *out = (i64)sum;
        return;
    }
    atomicAdd(&counters->sum, sum);
    __threadfence();
    if (atomicAdd(&counters->done, 1u) == gridDim.x - 1) {
        *out = (i64)atomicExch(&counters->sum, 0ull);
        counters->done = 0;
    }
}

// Integers of a range of one value.

extern "C" __global__ void random_constant(T* out, u64 n, u64 value) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (T)value;
}

// Running results of an op that has to be applied from left to right: a thread a line.
//
// The text before defines T and `T fold(T, T)`.

extern "C" __global__ void __launch_bounds__(128)
scan_fold(const T* input, T* out, u64 outer, u64 length, u64 inner) {
    constexpr u32 AHEAD = 8;
    u64 i = (u64)blockIdx.x * 128 + threadIdx.x;
    if (i >= outer * inner) return;
    u64 at = i / inner * length * inner + i % inner, left = length - 1;
    T result = input[at];
    out[at] = result;
    at += inner;
    for (; left >= AHEAD; left -= AHEAD) {
        T items[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) items[j] = input[at + j * inner];
#pragma unroll
        for (u32 j = 0; j < AHEAD; j++) {
            result = fold(result, items[j]);
            out[at + j * inner] = result;
        }
        at += AHEAD * inner;
    }
    for (; left > 0; left--, at += inner) {
        result = fold(result, input[at]);
        out[at] = result;
    }
}

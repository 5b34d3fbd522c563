// What a Fourier transform needs before and after cuFFT. `P` is the type of a complex number's parts.

// Multiplies `size` parts; where `conjugated` is -1, every second one by its negative.
extern "C" __global__ void fft_scale(P *parts, u64 size, P scale, P conjugated) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += step) {
        parts[at] = parts[at] * (at % 2 == 1 ? scale * conjugated : scale);
    }
}

// Readies lines of `half` coefficients for a transform to `length` real numbers: the imaginary parts of the first one
// and, where the length is even, of the last one are dropped, and all are scaled and perhaps conjugated.
extern "C" __global__ void fft_ready_half(complex<P> *lines, u64 size, u64 half, u64 length, P scale, P conjugated) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += step) {
        const u64 k = at % half;
        const complex<P> x = lines[at];
        const bool real = k == 0 || 2 * k == length;
        lines[at] = complex<P>(x.re * scale, real ? P(0) : x.im * (scale * conjugated));
    }
}

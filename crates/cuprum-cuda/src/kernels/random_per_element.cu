// Draws of elements that own a block each, and take as many words as they need.

extern "C" __global__ void random_per_element(const Words stream, T* out, u64 n, const Parameters parameters) {
    u64 step = (u64)gridDim.x * blockDim.x, i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
#if EACH
    for (; i < n; i += step) {
        OwnWords words(stream, i);
        Sampler sampler(parameter_at(parameters, 0, i), parameter_at(parameters, 1, i), parameter_at(parameters, 2, i));
        out[i] = element_of<T>(sampler.draw(words));
    }
#else
    Sampler sampler(parameters.same[0], parameters.same[1], parameters.same[2]);
    for (; i < n; i += step) {
        OwnWords words(stream, i);
        out[i] = element_of<T>(sampler.draw(words));
    }
#endif
}

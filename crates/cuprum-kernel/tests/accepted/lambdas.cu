template<class F> __device__ void apply(int n, F f) { for (int i = threadIdx.x; i < n; i += blockDim.x) f(i); }
__global__ void k(float* x, int n, float s) { apply(n, [=] __device__ (int i) { x[i] *= s; });
    auto g = [&](auto a, auto b) -> decltype(a+b) { return a+b; }; apply(n, [&](int i) mutable { x[i] = g(x[i], 1); });
    int t = [](){ return 3; }(); x[0] += t; }

template<int BLOCK, typename T, T (*OP)(T,T)> __device__ T reduce(T* s, int tid) {
  #pragma unroll
  for (int k = BLOCK/2; k > 0; k >>= 1) { if (tid < k) s[tid] = OP(s[tid], s[tid+k]); __syncthreads(); }
  return s[0];
}
template<typename T> __device__ T add(T a, T b) { return a+b; }
__global__ void k(float* x) { __shared__ float s[128]; s[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); x[0] = reduce<128, float, add<float> >(s, threadIdx.x);
    }

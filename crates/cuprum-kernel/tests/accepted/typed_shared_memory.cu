template<class T> struct SharedMemory { __device__ inline operator T*() {
    extern __shared__ int __smem[]; return (T*)__smem; } __device__ inline operator const T*() const {
    extern __shared__ int __smem[]; return (T*)__smem; } };
template<> struct SharedMemory<double> { __device__ inline operator double*() {
    extern __shared__ double __smem_d[]; return (double*)__smem_d; } };
template <class T, unsigned int blockSize> __global__ void reduce5(T *g_idata, T *g_odata, unsigned int n) {
    T *sdata = SharedMemory<T>(); unsigned int tid = threadIdx.x; unsigned int i = blockIdx.x*(blockSize*2) + threadIdx.x;
    T mySum = (i < n) ? g_idata[i] : 0; if (i + blockSize < n) mySum += g_idata[i+blockSize];
    sdata[tid] = mySum; __syncthreads(); if (blockSize >= 512) { if (tid < 256) {
    sdata[tid] = mySum = mySum + sdata[tid + 256]; } __syncthreads(); }
    if (tid < 32) { volatile T* smem = sdata; if (blockSize >= 64) { smem[tid] = mySum = mySum + smem[tid + 32];
    } } if (tid == 0) g_odata[blockIdx.x] = sdata[0]; }
template __global__ void reduce5<float, 512>(float*, float*, unsigned int);
template __global__ void reduce5<double, 64>(double*, double*, unsigned int);

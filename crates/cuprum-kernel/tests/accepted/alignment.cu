template <typename T, int N> struct alignas(sizeof(T) * N) Vec { T v[N];
    __device__ T& operator[](int i) { return v[i]; } }; typedef struct __align__(8) {
    float x; float y; } pt; struct __attribute__((aligned(16))) Q { float a[3];
    };
template<typename T> __device__ T* shmem() { extern __shared__ __align__(sizeof(double)) unsigned char smem_[];
    return reinterpret_cast<T*>(smem_); }
__global__ static void k(float* x) { Vec<float,4> v = *reinterpret_cast<Vec<float,4>*>(x);
    float* s = shmem<float>(); pt p = {1,2}; p.x += v[1]; *((pt*)x) = p;
    Q q; q.a[2]=alignof(Q); s[0]=q.a[2]; x[2]=s[0]; alignas(16) float loc[4] = {0};
    x[3]=loc[1]; }

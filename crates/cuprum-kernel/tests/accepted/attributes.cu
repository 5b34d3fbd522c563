__device__ __noinline__ int f(int x){return x+1;} __device__ __forceinline__ int g(int x){return x;}
static inline __device__ int h(int x){return x;} __host__ __device__ constexpr int q(int x){return x;}
[[nodiscard]] __device__ int n1(){return 1;} __device__ int u([[maybe_unused]] int a, int){return 2;}
__global__ void __launch_bounds__(128) k(int*x, const __grid_constant__ int n){
    switch(n){ case 1: x[0]=1; [[fallthrough]]; case 2: x[1]=f(1)+g(2)+h(3)+q(4)+n1()+u(1,2);
    } 
#pragma unroll 4
 for(int i=0;i<8;i++) x[i]+=i;
#pragma unroll (2+2)
 for(int i=0;i<8;i++) x[i]+=i;
#pragma nounroll
 for(int i=0;i<8;i++) x[i]+=i;
}

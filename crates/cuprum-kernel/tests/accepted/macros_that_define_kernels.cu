#define IDX(i,j,ld) (((j)*(ld))+(i))
#define CHECK(x) do { if (!(x)) return; } while (0)
#define DEFINE_KERNEL(name, T, op) extern "C" __global__ void name##_##T(T* a, const T* b, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; CHECK(i < n); a[i] = a[i] op b[i]; }
DEFINE_KERNEL(add, float, +)
DEFINE_KERNEL(mul, double, *)
#define MIN(a,b) ((a)<(b)?(a):(b))
__global__ void k(int*x){ x[IDX(1,2,3)] = MIN(x[0], 3 > 2 ? 1 : 0); }

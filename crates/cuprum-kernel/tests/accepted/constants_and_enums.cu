__constant__ float C[3][3] = {{1,2,3},{4,5,6},{7,8,9}};
__constant__ int N;
__device__ unsigned int counter = 0u;
static __device__ const double PI = 3.14159265358979;
constexpr int W = 4, H = W * 2 + (W > 3 ? 1 : 0);
enum { A_ = 1, B_ = A_ << 2, D_ = ~0 }; enum class Color : unsigned char { Red, Green = 5 };
__global__ void k(float* x){ x[0]=C[1][2]*PI+N+H+B_+static_cast<int>(Color::Green);
    atomicInc(&counter, 10u); switch (Color(2)) { case Color::Red: x[1]=1;
    break; default: break; } }

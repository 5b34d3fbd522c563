__device__ const int offs[4][2] = { {1,0}, {0,1}, {-1,0}, {0,-1}, }; constexpr float tab[] = {
    1.f, 2.f, 3.f }; __device__ constexpr int lut[3] = {1,2,3}; static constexpr float kPi = 3.14f;
enum Foo { A, B, }; __device__ int state[1 << 4]; __device__ float2 pts[2] = {
    {1,2}, {3,4} }; __constant__ char msg[] = "hello"; __constant__ struct {
    int a; float b[2]; } cfg = { 1, { 2, 3 } };
__global__ void k(int* x) { x[0] = offs[threadIdx.x & 3][1] + lut[1] + (int)kPi + B + state[3] + (int)pts[1].y + msg[1] + cfg.a;
    const int local[] = { A, B, 3 }; x[1] = local[threadIdx.x % 3]; constexpr int c = sizeof(tab)/sizeof(tab[0]);
    x[2]=c; static const int st[2] = {4,5}; x[3]=st[1]; }

__device__ int f2i(float x) { union { float f; int i; } u; u.f = x; return u.i;
    } union Half4 { unsigned short h[4]; unsigned long long q; struct {
    unsigned lo, hi; } w; };
__global__ void k(int* x, float y) { Half4 v; v.q = 0x1234567890abcdefull;
    x[0] = f2i(y) + v.h[1] + v.w.hi; x[1] = __float_as_int(y); int (*a)[4] = (int (*)[4])x;
    a[1][2] = 3; int n = 2; struct Pair { int first; float second; }; Pair ps[2] = {
    {n, y}, {1} }; x[2] = ps[1].first + (ps + 1)->second; }

#define T float
#define OP(a, b) ((a) + (b))
#define FOR(v, n) for (int v = 0; v < n; ++v)
#define UNROLL _Pragma("unroll")
#define FOREACH(M) M(float, f) M(int, i) M(double, d)
#define DEF(type, suf) __device__ type id_##suf(type x) { return x; }
FOREACH(DEF)
#undef DEF
#define CASE(n) case n: x[n] = #n[0]; break;
#define VA(first, ...) first(__VA_ARGS__)
#define VA2(fmt, ...) printf(fmt, ##__VA_ARGS__)
#define NARG_(a,b,c,N,...) N
#define NARG(...) NARG_(__VA_ARGS__,3,2,1,0)
#ifdef __CUDACC_RTC__
# if (1 << 2) == 4 && !defined(FOO) || \
     defined BAR
#   define OKAY 1
# endif
#endif
__global__ void k(T* x, int n) { UNROLL FOR(i, 4) { x[i] = OP(x[i], id_i(2)) + OKAY;
    } switch (n) { CASE(1) CASE(2) default:; } x[3] = VA(OP, 1, 2) + NARG(a, b);
    VA2("hi\n"); VA2("%d\n", n); x[4] = __LINE__; const char* f = __FILE__;
    x[5] = f[0]; }

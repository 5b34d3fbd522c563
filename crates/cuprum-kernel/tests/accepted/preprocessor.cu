#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define HAVE 1
#elif 0
#error no
#else
#define HAVE 0
#endif
#ifndef BLOCK
#  define BLOCK 64 /* comment
 over lines */ + 0
#endif
#define CAT_(a,b) a##b
#define CAT(a,b) CAT_(a,b)
#define STR(x) #x
#define APPLY(f, ...) f(__VA_ARGS__)
#define EMPTY
#define LOOP(i, n, body) \
  for (int i = 0; i < (n); ++i) { \
     body; \
  }
__device__ int CAT(fn_, __LINE__)(int a, int b) { return a + b; }
__device__ int pick(int a, int b) { return a; }
__global__ void k(int* x) { LOOP(i, BLOCK, x[i] = APPLY(pick, i, 2)) EMPTY x[HAVE] = sizeof(STR(a b)); }

__device__ int fib(int n); __device__ int fib(int n){ return n<2?n:fib(n-1)+fib(n-2);
    } struct T; struct U { T* t; }; struct T { U u; int v; }; class K; template<class X> class KK;
__device__ int even(int); __device__ int odd(int n){ return n==0?0:even(n-1);}
__device__ int even(int n){ return n==0?1:odd(n-1);}
__global__ void k(int*x){ x[0]=fib(10)+even(5); T t; t.v=1; t.u.t=&t; x[1]=t.u.t->v;
    struct Local { int a; __device__ int g(){return a;} } l={3}; x[2]=l.g();
    enum { Q=3 }; typedef int II; II z=Q; x[3]=z; }

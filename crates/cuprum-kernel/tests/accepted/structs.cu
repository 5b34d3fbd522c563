struct __align__(16) P { float x, y; union { struct { int a, b; }; long long ab;
    }; unsigned f1 : 3, : 2, f2 : 5; static const int K = 3; enum { E = 4 };
    typedef float T; T get() const { return x + K + E; } static __device__ P make(T x) {
    P p; p.x = x; p.y = 0; p.ab = 0; p.f1 = 1; p.f2 = 2; return p; } };
struct Base { int v; __device__ Base(int v) : v(v) {} __device__ int get() const {
    return v; } }; struct Derived : public Base { using Base::Base; float w = 2;
    __device__ int get2() { return this->get() + Base::get() + (int)w; }
    };
__global__ void k(P* p, int* o){ P q = P::make(2); p[0] = q; p->y = q.get();
    (*p).a = q.f2; Derived d(3); o[0] = d.get2(); P arr[2] = {{1,2},{3,4}};
    o[1]=arr[1].y; P z = {}; P w{1.f, 2.f}; o[2]=z.a+w.x; }

namespace a { namespace b { __device__ int f(int x){return x;} template<class T> struct S {
    T t; __device__ S(T t):t(t){} }; } inline namespace v1 { __device__ int g(){return 2;}
    } } namespace c = a::b; using namespace a; using c::f; namespace { __device__ int h(){return 1;}
    }
__global__ void k(int*x){ c::S<int> s(3); x[0]=f(1)+a::b::f(2)+::a::g()+h()+s.t;
    using T = a::b::S<float>; T t{1.5f}; x[1]=t.t; { using namespace a::b;
    S<char> q('a'); x[2]=q.t; } }

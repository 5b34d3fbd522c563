struct S { int f() const { return size < 3 && T(2) > 1 ? value<int>() : n;
    } template<class X> int value() const { return X(size); } int n; int size;
    typedef float T; };
template<class T> struct W { T v; int g() { return v.template h<3>() + this->v.n;
    } }; struct H { int n; template<int N> int h() { return N; } };
__global__ void k(int*x){ S s; s.n=1; s.size=2; x[0]=s.f(); W<H> w; w.v.n=1; x[1]=w.g(); }

struct A { int a; float b; static const int n = 3; __device__ int f() const { return a; } protected: int c; };

struct B : A { int a2; __device__ B() : A(), a2(1) { a = 2; c = 3; } __device__ int f() const {
    return A::f() + a2 + n + this->c; } }; template<class D> struct CR {
    __device__ int call() { return static_cast<D*>(this)->impl(); } }; struct X : CR<X> {
    __device__ int impl() { return 7; } }; template<class T> struct TB {
    T v; typedef T type; __device__ T get() { return v; } }; template<class T> struct TD : public TB<T> {
    using TB<T>::v; using typename TB<T>::type; typedef TB<T> base; __device__ type both() {
    return v + this->get() + base::get() + TB<T>::get(); } }; struct Mix : A, TB<float> {
    int z = 4; };
__global__ void k(int* x) { B b; x[0] = b.f() + b.A::f() + X().call(); TD<int> t;
    t.v = 2; x[1] = t.both(); A& r = b; A* p = &b; x[2] = r.f() + p->a;
    Mix m; m.v = 1; m.a = 2; x[3] = m.get() + m.z + sizeof(Mix); }

template<class T> class C { T v; public: __device__ C(T v):v(v){} friend __device__ C operator+(C a, C b){
    return C(a.v+b.v); } template<class U> friend class C; template<class U> __device__ explicit C(const C<U>& o):v(o.v){}
    __device__ T get() const &{return v;} C(const C&)=default; C& operator=(const C&)=default;
    ~C()=default; friend struct Z; private: int hidden; };
__global__ void k(int*x){ C<int> a(1), b(2); C<float> f(a+b); x[0]=(a+b).get()+f.get(); }

template<class T> struct vec { T x, y; __device__ vec(T a=T(), T b=T()) : x(a), y(b) {}
    __device__ vec operator+(const vec& o) const { return vec(x+o.x, y+o.y);
    } template<class U> __device__ operator vec<U>() const { return vec<U>(U(x),U(y));
    } };
template<class T> __device__ inline vec<T> operator*(T s, const vec<T>& v) { return vec<T>(s*v.x, s*v.y); }
template<class A, class B> struct same { static const bool value = false; };
template<class A> struct same<A,A> { static const bool value = true; };
template<bool C, class T=void> struct en {}; template<class T> struct en<true,T> { typedef T type; };
template<class T> __device__ typename en<same<T,float>::value, T>::type f(T x) { return x+1; }
template<class T> __device__ typename en<!same<T,float>::value, T>::type f(T x) { return x+2; }
__global__ void k(float* x, double* y) { vec<float> v(1.f,2.f), w = 2.f*v;
    vec<double> d = w; x[0]=f(v.x)+w.y; y[0]=f(d.x); }

template <class T> __device__ T sq(T x) {
    return x * x;
}
template <class T, int N> struct Arr {
    T d[N];
    __device__ T& operator[](int i) {
        return d[i];
    }
    __device__ const T& operator[](int i) const {
        return d[i];
    }
    static constexpr int size = N;
    __device__ T sum() const;
    template <class U> __device__ Arr<U, N> as() const {
        Arr<U, N> r;
        for (int i = 0; i < N; i++) r[i] = (U)d[i];
        return r;
    }
};
template <class T, int N> __device__ T Arr<T, N>::sum() const {
    T s = 0;
    for (int i = 0; i < N; i++) s += d[i];
    return s;
}
template <class T> struct Name {
    static constexpr int id = 0;
};
template <> struct Name<float> {
    static constexpr int id = 1;
};
template <class T> struct Name<T*> {
    static constexpr int id = 10 + Name<T>::id;
};
template <class T, int N> struct Name<T[N]> {
    static constexpr int id = 100 * N;
};
template <class T> struct Name<const T> {
    static constexpr int id = 1000 + Name<T>::id;
};
template <int N> struct Fact {
    enum {
        v = N * Fact<N - 1>::v
    };
};
template <> struct Fact<0> {
    enum {
        v = 1
    };
};
template <class A, class B> struct Same {
    static const bool value = false;
};
template <class A> struct Same<A, A> {
    static const bool value = true;
};
template <class A, class B> constexpr bool same_v = Same<A, B>::value;
template <bool B, class T = void> struct En {};
template <class T> struct En<true, T> {
    typedef T type;
};
template <class T> __device__ typename En<sizeof(T) == 4, int>::type size_kind(T) {
    return 4;
}
template <class T> __device__ typename En<sizeof(T) == 8, int>::type size_kind(T) {
    return 8;
}
template <class T> __device__ int ov(T) {
    return 1;
}
template <class T> __device__ int ov(T*) {
    return 2;
}
__device__ int ov(int) {
    return 3;
}
__device__ int ov(double) {
    return 4;
}
template <> __device__ int ov(char) {
    return 5;
}
template <class T, int N> __device__ int len(T (&)[N]) {
    return N;
}
template <class F> __device__ float apply(F f, float x) {
    return f(x) + 1;
}
template <float (*F)(float)> __device__ float applyp(float x) {
    return F(x);
}
__device__ float twice(float x) {
    return 2 * x;
}
__device__ float callp(float (*f)(float), float x) {
    return f(x) * 10;
}
template <class... Ts> __device__ int count(Ts...) {
    return sizeof...(Ts);
}
__device__ double sumv() {
    return 0;
}
template <class T, class... R> __device__ double sumv(T a, R... r) {
    return a + sumv(r...);
}
template <class... Ts> __device__ double fold(Ts... t) {
    return (t + ... + 0);
}
template <class... Ts> __device__ bool all(Ts... t) {
    return (t && ...);
}
template <class... Ts> __device__ int lsub(int f, Ts... t) {
    return (f - ... - t);
}
template <class T> struct Cx {
    T re, im;
    __device__ Cx(T r = 0, T i = 0) : re(r), im(i) {
    }
    template <class U> __device__ Cx(const Cx<U>& o) : re(o.re), im(o.im) {
    }
    friend __device__ Cx operator*(Cx a, Cx b) {
        return Cx(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
    __device__ Cx& operator+=(const Cx& o) {
        re += o.re;
        im += o.im;
        return *this;
    }
};
template <class T> __device__ Cx<T> operator+(const Cx<T>& a, const Cx<T>& b) {
    return Cx<T>(a.re + b.re, a.im + b.im);
}
template <class T> __device__ T norm(const Cx<T>& z) {
    return z.re * z.re + z.im * z.im;
}
template <class T> using Vec4 = Arr<T, 4>;
template <template <class> class C, class T> struct Wrap {
    C<T> c;
};
constexpr __device__ int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
}
constexpr int sumto(int n) {
    int s = 0;
    for (int i = 1; i <= n; i++) s += i;
    return s;
}
struct Tab {
    int v[8];
};
constexpr Tab make_tab() {
    Tab t{};
    for (int i = 0; i < 8; i++) t.v[i] = i * i;
    return t;
}
constexpr Tab tab = make_tab();
__constant__ float ctab[4] = {1, 2, 3.5f};
__constant__ int csize = sizeof(ctab) / sizeof(float);
template <class T> __device__ int kind(T x) {
    if constexpr (same_v<T, float>) return 1;
    else if constexpr (sizeof(T) == 8) {
        return 2;
} else return x.nothing;
}
template <int I> struct Int {
    static constexpr int value = I;
    constexpr operator int() const {
        return I;
    }
};
template <int A, int B> __device__ int addi(Int<A>, Int<B>) {
    return A + B;
}
template <class T> T zero = T(0);
template <class T> constexpr T pi = T(3.14159265358979323846);
template <class T, class U = T> struct Pair { T a; U b; };
template <class T> struct Outer {
    template <class U> struct Inner {
        T t;
        U u;
    };
    typedef Inner<int> II;
};
template <class T> __device__ void inc(T& x) {
    x += 1;
}
template <class T> __device__ int cref(const T&) {
    return 1;
}
template <class T> __device__ int fwd(T&& x) {
    return Same<T, int&>::value ? 1 : Same<T, int>::value ? 2 : 3;
}
template <unsigned N> __device__ int unrolled(int x) {
    if constexpr (N == 0) return 0;
    else return x * N + unrolled<N - 1>(x);
}
template <class T, T V> struct Cst {
    static constexpr T value = V;
};
struct Tr : Cst<bool, true> {
};
struct Functor {
    int k;
    template <class T> __device__ T operator()(T x) const {
        return x * k;
    }
};
template <class Op> struct Red {
    Op op;
    __device__ int run(const int* a, int n) {
        int r = a[0];
        for (int i = 1; i < n; i++) r = op(r, a[i]);
        return r;
    }
};
struct Max {
    __device__ int operator()(int a, int b) const {
        return a > b ? a : b;
    }
};
template <class D> struct Crtp {
    __device__ int call() {
        return static_cast<D*>(this)->impl() + 1;
    }
};
struct Impl : Crtp<Impl> {
    __device__ int impl() {
        return 41;
    }
};
__device__ auto autof(int x) {
    return x * 1.5;
}
template <class A, class B> __device__ auto mixed(A a, B b) -> decltype(a + b) {
    return a + b;
}
template <int N> struct Number {
    static constexpr int value = N;
    __device__ constexpr operator int() const {
        return N;
    }
};
__global__ void test(double* out) {
    int k = 0;
    out[k++] = sq(3);
    out[k++] = sq(1.5f);
    out[k++] = sq<double>(3);
    Arr<float, 3> a = {1, 2, 3};
    out[k++] = a.sum();
    out[k++] = a.size;
    a[1] = 10;
    out[k++] = a.as<int>()[1];
    const Arr<float, 3>& ca = a;
    out[k++] = ca[2];
    out[k++] = Name<int>::id;
    out[k++] = Name<float>::id;
    out[k++] = Name<float*>::id;
    out[k++] = Name<const float*>::id;
    out[k++] = Name<float**>::id;
    out[k++] = Name<int[5]>::id;
    out[k++] = Fact<6>::v;
    out[k++] = same_v<int, int>;
    out[k++] = same_v<int, unsigned>;
    out[k++] = size_kind(1.0f);
    out[k++] = size_kind(1.0);
    int i = 5;
    out[k++] = ov(i);
    out[k++] = ov(&i);
    out[k++] = ov(1.0f);
    out[k++] = ov('c');
    out[k++] = ov(1L);
    out[k++] = ov((short)1);
    out[k++] = ov<int>(3);
    out[k++] = ov<>(3);
    int arr[7];
    out[k++] = len(arr);
    out[k++] = apply([](float x) { return x * x; }, 3);
    float kk = 10;
    out[k++] = apply([=](float x) { return x + kk; }, 1);
    out[k++] = apply([&kk](float x) { kk += x; return kk; }, 2);
    out[k++] = kk;
    out[k++] = apply(twice, 4);
    out[k++] = applyp<twice>(5);
    out[k++] = callp(twice, 6);
    out[k++] = callp(&twice, 7);
    out[k++] = count(1, 2.0, 'c');
    out[k++] = sumv(1, 2.5, 3u);
    out[k++] = fold(1, 2, 3);
    out[k++] = all(1, 2, 0);
    out[k++] = lsub(10, 1, 2);
    Cx<float> z(1, 2);
    Cx<double> w = z;
    z = z * z + Cx<float>(1);
    out[k++] = z.re;
    out[k++] = z.im;
    z += 5;
    out[k++] = z.re;
    out[k++] = norm(w);
    Cx<float> zz = 3.0f * Cx<float>(2, 1);
    out[k++] = zz.im;
    Vec4<int> v4 = {{1, 2, 3, 4}};
    out[k++] = v4.sum();
    Wrap<Cx, float> wr;
    wr.c = Cx<float>(9, 8);
    out[k++] = wr.c.im;
    out[k++] = gcd(48, 36);
    int buf[gcd(12, 18)];
    out[k++] = sizeof(buf);
    out[k++] = sumto(10);
    static_assert(sumto(4) == 10, "x");
    out[k++] = tab.v[5];
    constexpr int t3 = tab.v[3];
    int buf2[t3];
    out[k++] = sizeof(buf2);
    out[k++] = ctab[2] + csize + ctab[3];
    out[k++] = kind(1.0f);
    out[k++] = kind(1.0);
    out[k++] = addi(Int<3>(), Int<4>());
    Arr<int, Int<3>::value + 2> a5;
    out[k++] = a5.size;
    out[k++] = pi<float>;
    out[k++] = pi<double>;
    Pair<int> pr{1, 2};
    Pair<int, double> pr2 = {1, 2.5};
    out[k++] = pr.b + pr2.b;
    Outer<float>::II oi = {1.5f, 2};
    out[k++] = oi.t + oi.u;
    Outer<char>::Inner<double> od{'a', 2.5};
    out[k++] = od.t + od.u;
    inc(i);
    out[k++] = i;
    float fi = 1.5f;
    inc(fi);
    out[k++] = fi;
    out[k++] = cref(5);
    out[k++] = fwd(i);
    out[k++] = fwd(5);
    out[k++] = fwd(1.5);
    out[k++] = unrolled<4>(3);
    out[k++] = Tr::value;
    Functor fn{3};
    out[k++] = fn(2.5) + fn(2);
    Red<Max> rd;
    int data[4] = {3, 9, 2, 5};
    out[k++] = rd.run(data, 4);
    Impl im;
    out[k++] = im.call();
    out[k++] = autof(3);
    out[k++] = mixed(1, 2.5f);
    auto gl = [](auto a, auto b) {
        return a * b;
    };
    out[k++] = gl(2, 2.5);
    out[k++] = gl(3, 4);
    int cap = 1;
    auto mu = [cap]() mutable { return ++cap; };
    out[k++] = mu();
    out[k++] = mu();
    out[k++] = cap;
    auto nest = [&](int q) {
        auto in = [&](int r) {
            cap += r;
            return cap * q;
        };
        return in(5) + 1;
    };
    out[k++] = nest(2);
    out[k++] = cap;
    int ca2[3] = {1, 2, 3};
    auto carr = [ca2](int i) {
        return ca2[i];
    };
    ca2[1] = 50;
    out[k++] = carr(1);
    auto ini = [q = cap * 2] { return q; };
    out[k++] = ini();
    auto rec = [](auto self, int n) -> int {
        return n <= 1 ? 1 : n * self(self, n - 1);
    };
    out[k++] = rec(rec, 5);
    float (*fp)(float) = twice;
    out[k++] = fp(8);
    decltype(i) j = 9;
    out[k++] = j;
    decltype((i)) jr = i;
    jr = 70;
    out[k++] = i;
    auto* ap = &i;
    *ap = 71;
    out[k++] = i;
    const auto& car = i;
    out[k++] = car;
    using I4 = int[4];
    I4 i4 = {1, 2};
    out[k++] = i4[1] + i4[3];
    // Types of variables in constants, and values of types as arguments.
    short sh = 3;
    double dv = 2.5;
    auto mixed = sh * dv;
    static_assert(sizeof(decltype(sh)) == 2 && sizeof(mixed) == 8 && sizeof(sh + sh) == 4, "sizes");
    static_assert(Same<decltype(mixed), double>::value && !Same<decltype(sh), int>::value, "types");
    constexpr int bytes = sizeof(decltype(dv)) + sizeof(i4);
    out[k++] = bytes;
    auto inner = [](auto v) {
        decltype(sh) narrow = v;
        return narrow;
    };
    out[k++] = inner(70000.0 * 1.0 > 0 ? 7 : 8);
    out[k++] = Number<Number<3>() + 2>::value;
    out[k++] = Number<Number<3>() * Number<4>() - 1>::value + Number<(Number<2>() > 1)>::value;
    out[k++] = Same<int(), int (*)()>::value + 2 * Same<int(float), int(float)>::value;
}

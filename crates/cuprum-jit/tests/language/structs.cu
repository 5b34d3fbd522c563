struct V {
    float x, y;
    __device__ V() : x(0), y(0) {
    }
    __device__ V(float a, float b = 2) : x(a), y(b) {
    }
    __device__ V operator+(const V& o) const {
        return V(x + o.x, y + o.y);
    }
    __device__ V& operator+=(const V& o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    __device__ float operator[](int i) const {
        return i ? y : x;
    }
    __device__ float& operator[](int i) {
        return i ? y : x;
    }
    __device__ V operator-() const {
        return V(-x, -y);
    }
    __device__ bool operator==(const V& o) const {
        return x == o.x && y == o.y;
    }
    __device__ explicit operator bool() const {
        return x != 0;
    }
    __device__ operator float() const {
        return x * 100 + y;
    }
};
__device__ V operator*(const V& a, float s) {
    return V(a.x * s, a.y * s);
}
__device__ V operator*(float s, V a) {
    return a * s;
}
struct P {
    int a;
    double b;
    char c;
};
struct Q : P {
    short d;
    __device__ int sum() const {
        return a + (int)b + c + d;
    }
};
union U {
    float f;
    unsigned u;
    unsigned char b[4];
};
struct Bits {
    unsigned a : 3;
    unsigned b : 5;
    int c : 4;
    unsigned long long big : 40;
};
struct Counter {
    int n;
    __device__ Counter() : n(0) {
    }
    __device__ Counter& operator++() {
        ++n;
        return *this;
    }
    __device__ Counter operator++(int) {
        Counter c = *this;
        ++n;
        return c;
    }
};
struct Agg {
    int a;
    float b[3];
    struct In {
        int x, y;
    }
    in;
};
struct Log {
    int v[64];
    int n;
};
struct Guard {
    Log& L;
    int id;
    __device__ Guard(Log& l, int i) : L(l), id(i) {
        L.v[L.n++] = i;
    }
    __device__ ~Guard() {
        L.v[L.n++] = -id;
    }
};
__device__ int early(Log& L, int v) {
    Guard g(L, 10);
    if (v) {
        Guard h(L, 11);
        return 5;
    }
    Guard k(L, 12);
    return 6;
}
struct Copy {
    int v;
    __device__ Copy(int x) : v(x) {
    }
    __device__ Copy(const Copy& o) : v(o.v + 1) {
    }
    __device__ Copy& operator=(const Copy& o) {
        v = o.v + 100;
        return *this;
    }
};
struct HasCopy {
    Copy c;
    int z;
};
__device__ int by_value(Copy c) {
    return c.v;
}
__device__ int by_ref(const Copy& c) {
    return c.v;
}
struct Def {
    int a = 3;
    float b{1.5f};
    int c[2] = {7, 8};
    int d;
};
struct St {
    static const int K = 12;
    static constexpr float F = 2.5f;
    typedef int T;
    using R = double;
    enum {
        EA = 4
    };
    __device__ static int tw(int x) {
        return 2 * x;
    }
};
struct Node {
    int v;
    Node* next;
};
struct Vec3 {
    union {
        struct {
            float x, y, z;
        };
        float d[3];
    };
};
struct Base {
    int b;
    __device__ Base(int x) : b(x) {
    }
    __device__ int get() const {
        return b;
    }
    __device__ int both() {
        return b * 2;
    }
};
struct Mid : Base {
    int m;
    __device__ Mid(int x, int y) : Base(x), m(y) {
    }
    __device__ int get() const {
        return Base::get() + m;
    }
};
struct Last : Mid {
    using Mid::Mid;
    int l = 9;
};
__device__ void swap_(int& a, int& b) {
    int t = a;
    a = b;
    b = t;
}
__device__ int& at(int* p, int i) {
    return p[i];
}
__device__ P make(int a) {
    P p = {a, a * 2.0, (char)(a + 1)};
    return p;
}
__device__ P make2(int a) {
    return {a, 1.5, 'x'};
}
namespace ns {
    struct T {
        int v;
    };
    __device__ int f(T t) {
        return t.v + 1;
    }
    __device__ T operator+(T a, T b) {
        return T{a.v + b.v};
    }
    namespace inner {
        __device__ int g() {
            return 42;
        }
    }
}
using namespace ns::inner;
__device__ int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__global__ void test(double* out) {
    int k = 0;
    V a(1), b(3, 4), c;
    c = a + b;
    out[k++] = c.x;
    out[k++] = c.y;
    c += a;
    out[k++] = c[0];
    c[1] = 9;
    out[k++] = c.y;
    V d = -c * 2;
    out[k++] = d.x;
    V e = 2 * d;
    out[k++] = e[1];
    out[k++] = a == V(1, 2);
    out[k++] = a == b;
    if (c) out[k++] = 1;
    if (V(0, 5)) out[k++] = 2;
    else out[k++] = 3;
    float conv = b;
    out[k++] = conv;
    out[k++] = (float)a;
    P p = {1, 2.5, 'c'};
    P q = p;
    q.a = 7;
    out[k++] = p.a + q.a * 10;
    out[k++] = sizeof(P);
    P* pp = &q;
    pp->b = 8;
    out[k++] = q.b;
    out[k++] = (*pp).c;
    P arr[3] = {{1}, {2, 3}};
    out[k++] = arr[1].b + arr[2].a;
    P pz{};
    out[k++] = pz.a + pz.b + pz.c;
    out[k++] = make(5).b;
    out[k++] = make2(3).c;
    p = make(9);
    out[k++] = p.c;
    Q qq;
    qq.a = 1;
    qq.b = 2;
    qq.c = 3;
    qq.d = 4;
    out[k++] = qq.sum();
    P& base = qq;
    base.a = 10;
    out[k++] = qq.sum();
    out[k++] = sizeof(Q);
    U u;
    u.f = 1.0f;
    out[k++] = u.u;
    out[k++] = u.b[3];
    u.u = 0x40490fdb;
    out[k++] = u.f;
    U u2 = u;
    out[k++] = u2.b[0];
    Bits bt = {5, 17, -3, 1ull << 39};
    out[k++] = bt.a;
    out[k++] = bt.b;
    out[k++] = bt.c;
    out[k++] = bt.big;
    bt.a = 9;
    bt.c += 4;
    bt.b--;
    out[k++] = bt.a;
    out[k++] = bt.b;
    out[k++] = bt.c;
    out[k++] = sizeof(Bits);
    Counter n;
    ++n;
    n++;
    out[k++] = n.n;
    out[k++] = (n++).n;
    out[k++] = n.n;
    Agg g = {1, {2, 3}, {4, 5}};
    out[k++] = g.b[1] + g.b[2] + g.in.y;
    Agg g2 = {1, 2, 3, 4, 5, 6};
    out[k++] = g2.in.x * 10 + g2.in.y;
    Agg g3 = {.a = 5, .in = {.x = 1, .y = 2}};
    out[k++] = g3.in.y + g3.b[0];
    Agg g4 = g2;
    g4.b[1] = 50;
    out[k++] = g2.b[1] + g4.b[1];
    out[k++] = sizeof(Agg);
    Log L = {};
    {
        Guard x(L, 1);
        {
            Guard y(L, 2);
        }
        Guard z(L, 3);
    }
    int r = early(L, 1) * 10;
    r += early(L, 0);
    out[k++] = r;
    for (int i = 0; i < L.n; i++) out[k++] = L.v[i];
    for (int i = 0; i < 3; i++) {
        Guard l(L, 20 + i);
        if (i == 1) break;
        if (i == 0) continue;
    }
    out[k++] = L.n;
    out[k++] = L.v[L.n - 1];
    Copy c1(5);
    Copy c2 = c1;
    out[k++] = c2.v;
    c2 = c1;
    out[k++] = c2.v;
    out[k++] = by_value(c1);
    out[k++] = by_ref(c1);
    out[k++] = by_value(Copy(50));
    HasCopy h1 = {Copy(3), 4};
    HasCopy h2 = h1;
    out[k++] = h2.c.v;
    h2 = h1;
    out[k++] = h2.c.v;
    Copy c3 = 7;
    out[k++] = c3.v;
    out[k++] = by_ref(8);
    Def df;
    out[k++] = df.a + df.b + df.c[1];
    Def df2{4};
    out[k++] = df2.a + df2.b + df2.d;
    out[k++] = St::K;
    out[k++] = St::F;
    out[k++] = St::tw(4);
    St::T tt = 3;
    St::R rr = 1.5;
    out[k++] = tt + rr + St::EA;
    St stv;
    out[k++] = stv.K + stv.tw(1);
    Node n3 = {3, nullptr}, n2 = {2, &n3}, n1 = {1, &n2};
    int sum = 0;
    for (Node* it = &n1; it; it = it->next) sum = sum * 10 + it->v;
    out[k++] = sum;
    Vec3 v3;
    v3.x = 1;
    v3.y = 2;
    v3.z = 3;
    out[k++] = v3.d[0] + v3.d[1] * 10 + v3.d[2] * 100;
    Mid m(3, 4);
    out[k++] = m.get();
    out[k++] = m.Base::get();
    out[k++] = m.both();
    Last ls(5, 6);
    out[k++] = ls.get() + ls.l * 100;
    Base bs = ls;
    out[k++] = bs.b;
    Base* bp = &ls;
    out[k++] = bp->get();
    out[k++] = static_cast<Last*>(bp)->l;
    int x = 1, y = 2;
    swap_(x, y);
    out[k++] = x * 10 + y;
    int ar[3] = {1, 2, 3};
    at(ar, 1) = 20;
    out[k++] = ar[1];
    int& rx = x;
    rx += 5;
    out[k++] = x;
    const int& cr = x;
    x = 100;
    out[k++] = cr;
    int* px = &x;
    *px = 8;
    out[k++] = rx;
    int** ppx = &px;
    **ppx = 9;
    out[k++] = x;
    ns::T t1{3};
    out[k++] = f(t1);
    ns::T t2 = t1 + t1;
    out[k++] = t2.v;
    out[k++] = ns::inner::g() + 1;
    out[k++] = ns::inner::g();
    out[k++] = fib(12);
    auto [aa, bb, cc] = make(4);
    out[k++] = aa + bb + cc;
    auto& [ra, rb, rc] = p;
    ra = 77;
    out[k++] = p.a;
    int pair[2] = {5, 6};
    auto [p0, p1] = pair;
    out[k++] = p0 * p1;
    struct Local {
        int z;
        __device__ int tri() {
            return z * 3;
        }
    }
    loc = {4};
    out[k++] = loc.tri();
    V vs[2] = {V(1, 1), {2, 3}};
    out[k++] = vs[1].y;
    V vd[3];
    out[k++] = vd[2].x;
    V* vp = vs;
    vp++;
    out[k++] = vp->x;
    out[k++] = (vp - vs) + sizeof(vs);
    const V cv(1, 2);
    out[k++] = cv[1];
    out[k++] = (a + b)[0];
    out[k++] = (a.x > 0 ? a : b).y;
    (x > 0 ? a : b).y = 55;
    out[k++] = a.y;
    V tern = x > 100 ? a : V(7, 8);
    out[k++] = tern.y;
}

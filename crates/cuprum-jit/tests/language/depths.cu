template <bool B, class T = void> struct enable_if_ {};
template <class T> struct enable_if_<true, T> {
    using type = T;
};
template <bool B, class T = void> using enable_if_t_ = typename enable_if_<B, T>::type;
template <class T> T&& declval_();
template <class...> using void_t_ = void;
template <class T> struct is_int {
    static constexpr bool value = false;
};
template <> struct is_int<int> {
    static constexpr bool value = true;
};
template <> struct is_int<long> {
    static constexpr bool value = true;
};
template <class T, enable_if_t_<is_int<T>::value, int> = 0> int which(T) {
    return 1;
}
template <class T, enable_if_t_<!is_int<T>::value, int> = 0> int which(T) {
    return 2;
}
template <class T, typename = enable_if_t_<sizeof(T) == 8>> int only8(T) {
    return 8;
}
template <class T, class = void> struct has_size { static constexpr bool value = false; };
template <class T> struct has_size<T, void_t_<decltype(declval_<T>().size())>> {
    static constexpr bool value = true;
};
struct Sized {
    int size() const {
        return 3;
    }
};
struct Unsized {
};
template <class T> struct BaseT {
    T val;
    T get() {
        return val;
    }
    typedef T inner;
    static int counter() {
        return 5;
    }
};
template <class T> struct DerT : BaseT<T> {
    using BaseT<T>::val;
    T twice() {
        return this->get() + val;
    }
    typename BaseT<T>::inner z() {
        return BaseT<T>::counter();
    }
};
template <class T, int N> struct VecN;
template <class T> struct VecN<T, 2> {
    T x, y;
    T dot(VecN o) const {
        return x * o.x + y * o.y;
    }
};
template <class T> struct VecN<T, 3> {
    T x, y, z;
    VecN<T, 2> xy() const {
        return {x, y};
    }
};
template <class T> struct Opt {
    bool has;
    T v;
    Opt() : has(false) {
    }
    Opt(T x) : has(true), v(x) {
    }
    explicit operator bool() const {
        return has;
    }
    T operator*() const {
        return v;
    }
    T value_or(T d) const {
        return has ? v : d;
    }
    template <class F> auto map(F f) const -> Opt<decltype(f(v))> {
        if (has) return Opt<decltype(f(v))>(f(v));
        return {};
    }
};
template <class... F> struct Over : F... {
    using F::operator()...;
};
struct Plus {
    int operator()(int a) const {
        return a + 1;
    }
};
struct Times {
    double operator()(double a) const {
        return a * 2;
    }
};
template <class T, class U> struct Pr {
    T first;
    U second;
    Pr(T a, U b) : first(a), second(b) {
    }
    bool operator<(const Pr& o) const {
        return first < o.first || (!(o.first < first) && second < o.second);
    }
};
template <class T, class U> Pr<T, U> mk(T a, U b) {
    return Pr<T, U>(a, b);
}
template <class It, class F> It find_if_(It b, It e, F f) {
    for (; b != e; ++b) if (f(*b)) return b;
    return e;
}
template <class T, class C> void isort(T* a, int n, C less) {
    for (int i = 1; i < n; i++) {
        T x = a[i];
        int j = i;
        while (j > 0 && less(x, a[j - 1])) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}
struct Stack {
    int d[16];
    int n = 0;
    void push(int x) {
        d[n++] = x;
    }
    int pop() {
        return d[--n];
    }
    bool empty() const {
        return n == 0;
    }
    Stack& operator<<(int x) {
        push(x);
        return *this;
    }
};
struct Big {
    double v[20];
    Big operator+(const Big& o) const {
        Big r;
        for (int i = 0; i < 20; i++) r.v[i] = v[i] + o.v[i];
        return r;
    }
};
Big mkbig(double x) {
    Big b;
    for (int i = 0; i < 20; i++) b.v[i] = x * i;
    return b;
}
struct Abs {
    int x;
    constexpr Abs(int v) : x(v < 0 ? -v : v) {
    }
    constexpr int get() const {
        return x;
    }
    constexpr Abs operator+(Abs o) const {
        return Abs(x + o.x);
    }
};
constexpr Abs AB = Abs(-5) + Abs(3);
template <int N> struct Bitset {
    unsigned w[(N + 31) / 32];
    constexpr Bitset() : w{} {} constexpr void set(int i) {
        w[i / 32] |= 1u << (i % 32);
    }
    constexpr int count() const {
        int c = 0;
        for (int i = 0; i < (N + 31) / 32; i++) for (unsigned x = w[i]; x; x &= x - 1) c++;
        return c;
    }
};
constexpr Bitset<100> primes() {
    Bitset<100> b;
    for (int i = 2; i < 100; i++) {
        bool p = true;
        for (int j = 2; j * j <= i; j++) if (i % j == 0) p = false;
        if (p) b.set(i);
    }
    return b;
}
constexpr auto PR = primes();
constexpr int crc(unsigned v) {
    for (int k = 0; k < 8; k++) v = v & 1 ? (v >> 1) ^ 0xEDB88320u : v >> 1;
    return (int)v;
}
struct CrcT {
    unsigned t[256];
};
constexpr CrcT mkcrc() {
    CrcT c{};
    for (unsigned i = 0; i < 256; i++) c.t[i] = (unsigned)crc(i);
    return c;
}
constexpr CrcT CRC = mkcrc();
enum Flags {
    F_A = 1, F_B = 2
};
inline Flags operator|(Flags a, Flags b) {
    return (Flags)((int)a | (int)b);
}
union Conv64 {
    double d;
    unsigned long long u;
    struct {
        unsigned lo, hi;
    }
    w;
};
struct Tagged {
    int tag;
    union {
        int i;
        float f;
    };
};
int depth(int n) {
    if (n == 0) return 0;
    int a[4] = {n, n, n, n};
    return depth(n - 1) + a[n % 4] - n + 1;
}
int ack(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
bool odd(int n);
bool even(int n) {
    return n == 0 || odd(n - 1);
}
bool odd(int n) {
    return n != 0 && even(n - 1);
}
void byref(int& a, int b, int& c) {
    a = b + c;
    c = a * 2;
}
int& maxref(int& a, int& b) {
    return a > b ? a : b;
}
const int* minp(const int* a, const int* b) {
    return *a < *b ? a : b;
}
void chg(int*& p) {
    p++;
}
int sum2d(int (*m)[3], int r) {
    int s = 0;
    for (int i = 0; i < r; i++) for (int j = 0; j < 3; j++) s += m[i][j];
    return s;
}
int suma(int a[], int n) {
    int s = 0;
    while (n--) s += *a++;
    return s;
}
template <class T> struct Node {
    T v;
    Node* l;
    Node* r;
};
template <class T> T tsum(const Node<T>* n) {
    return n ? n->v + tsum(n->l) + tsum(n->r) : T();
}
struct Mv {
    int v;
    int moved = 0;
    Mv(int x) : v(x) {
    }
    Mv(const Mv& o) : v(o.v), moved(1) {
    }
    Mv(Mv&& o) : v(o.v), moved(2) {
        o.v = 0;
    }
};
template <class T> T&& mv(T& x) {
    return static_cast<T&&>(x);
}
__global__ void test(double* out) {
    int k = 0;
    out[k++] = which(1);
    out[k++] = which(1.0f);
    out[k++] = which(3L);
    out[k++] = only8(1.0);
    out[k++] = has_size<Sized>::value;
    out[k++] = has_size<Unsized>::value;
    out[k++] = has_size<int>::value;
    DerT<float> dt;
    dt.val = 2.5f;
    out[k++] = dt.twice();
    out[k++] = dt.z();
    VecN<float, 3> v3{1, 2, 3};
    out[k++] = v3.xy().dot({3, 4});
    VecN<int, 2> v2 = {5, 6};
    out[k++] = v2.dot(v2);
    Opt<int> o1, o2(7);
    out[k++] = o1 ? 1 : 0;
    out[k++] = *o2;
    out[k++] = o1.value_or(9);
    out[k++] = *o2.map([](int x) { return x * 1.5; });
    out[k++] = (bool)o1.map([](int x) { return x; });
    Over<Plus, Times> ov;
    out[k++] = ov(3);
    out[k++] = ov(3.5);
    auto p1 = mk(1, 2.5), p2 = mk(1, 3.5);
    out[k++] = p1 < p2;
    out[k++] = p2 < p1;
    int arr[6] = {5, 2, 8, 1, 9, 3};
    out[k++] = *find_if_(arr, arr + 6, [](int x) { return x > 6; });
    isort(arr, 6, [](int a, int b) { return a < b; });
    out[k++] = arr[0] * 100 + arr[2] * 10 + arr[5];
    isort(arr, 6, [&](int a, int b) { return a % 3 < b % 3; });
    out[k++] = arr[0] * 100 + arr[3] * 10 + arr[5];
    Stack st;
    st << 1 << 2 << 3;
    st.push(4);
    int s = 0;
    while (!st.empty()) s = s * 10 + st.pop();
    out[k++] = s;
    Big b = mkbig(1) + mkbig(2);
    out[k++] = b.v[19];
    Big b2 = b;
    b2.v[0] = 5;
    out[k++] = b.v[0] + b2.v[0] + b2.v[7];
    b = b2 + b2 + b;
    out[k++] = b.v[0];
    out[k++] = AB.x;
    static_assert(AB.get() == 8, "");
    out[k++] = PR.count();
    out[k++] = CRC.t[200];
    out[k++] = CRC.t[1] & 0xff;
    Flags fl = F_A | F_B;
    out[k++] = fl;
    Conv64 cv;
    cv.d = 1.5;
    out[k++] = cv.w.hi;
    cv.w.hi |= 0x80000000u;
    out[k++] = cv.d;
    Tagged tg;
    tg.tag = 1;
    tg.f = 2.0f;
    out[k++] = tg.i;
    Tagged tg2 = tg;
    out[k++] = tg2.f;
    out[k++] = depth(9);
    out[k++] = ack(2, 3);
    out[k++] = even(10) + odd(7) * 2 + even(7) * 4;
    int x = 1, y = 2;
    byref(x, 5, y);
    out[k++] = x * 100 + y;
    byref(x, x, x);
    out[k++] = x;
    maxref(x, y) = 0;
    out[k++] = x * 1000 + y;
    out[k++] = *minp(&x, &y);
    int* pp = arr;
    chg(pp);
    chg(pp);
    out[k++] = pp - arr;
    int m23[2][3] = {{1, 2, 3}, {4, 5, 6}};
    out[k++] = sum2d(m23, 2);
    out[k++] = suma(arr, 6);
    out[k++] = suma(m23[1], 3);
    Node<int> n1{3, nullptr, nullptr}, n2{4, nullptr, nullptr}, n0{1, &n1, &n2};
    out[k++] = tsum(&n0);
    Mv ma(5);
    Mv mb = ma;
    Mv mc = mv(ma);
    out[k++] = mb.moved * 10 + mc.moved;
    out[k++] = ma.v;
    Mv md = Mv(8);
    out[k++] = md.moved;
    int vals[3] = {1, 2, 3};
    for (int& v : vals) v = v * v;
    int t = 0;
    for (const auto& v : vals) t += v;
    out[k++] = t;
    int i = 0;
    int r = i++ + i++ * 10;
    out[k++] = i;
    int q[4] = {};
    q[i] = i;
    q[i > 1 ? 0 : 1]++;
    out[k++] = q[0] + q[2] * 10;
    const int cc = x > -100 ? 3 : 4;
    out[k++] = cc;
    int sw = 0;
    for (int j = 0; j < 6; j++) {
        switch (j) {
            case 0:
            case 1:
            sw += 1;
            continue;
            case 3:
            {
                int loc = 100;
                sw += loc;
                break;
            }
            case 5:
            sw += 10000;
            default:
            sw += 1000;
        }
        sw += 7;
    }
    out[k++] = sw;
    int w = 0;
    outer:
    for (int a = 0; a < 5; a++) {
        for (int bq = 0; bq < 5; bq++) {
            if (a * bq == 6) goto done;
            w += a * bq;
        }
    }
    done:
    out[k++] = w;
    unsigned char uc = 200;
    uc += 100;
    out[k++] = uc;
    uc = ~uc;
    out[k++] = uc;
    short sh = (short)40000;
    out[k++] = sh;
    out[k++] = sh / 3;
    out[k++] = (unsigned short)sh / 3;
    float f = 3;
    f = f / 2 + 1 / 2;
    out[k++] = f;
    out[k++] = 1 / 2 * 4.0;
    out[k++] = (float)1 / 3 * 3 == 1;
    long long L = 1;
    L <<= 40;
    L |= 5;
    out[k++] = (int)(L % 7);
    out[k++] = L >> 38;
    out[k++] = -L >> 38;
    int neg = -7;
    out[k++] = neg / 2 * 100 + neg % 2;
    out[k++] = (unsigned)neg % 5;
    out[k++] = neg & 3;
    bool fb = 0.1f;
    out[k++] = fb + fb;
    double inf = 1e308 * 10;
    out[k++] = inf;
    out[k++] = (inf - inf) != (inf - inf);
    out[k++] = 0.1 + 0.2 == 0.3;
    out[k++] = 0.1f + 0.2f == 0.3f;
    out[k++] = (double)0.1f;
    out[k++] = 3.0f * 1.1;
    out[k++] = 'a' + 1;
    out[k++] = "abc"[1];
    out[k++] = sizeof("abc");
    out[k++] = sizeof(arr) / sizeof *arr;
    out[k++] = sizeof(Big) + sizeof(Tagged) + alignof(Conv64);
    out[k++] = (x, y, 5) + 1;
    auto fibm = [](auto& self, int n, int* memo) -> int {
        if (n < 2) return n;
        if (memo[n]) return memo[n];
        return memo[n] = self(self, n - 1, memo) + self(self, n - 2, memo);
    };
    int memo[30] = {};
    out[k++] = fibm(fibm, 25, memo);
    auto compose = [](auto f, auto g) {
        return [=](auto x) {
            return f(g(x));
        };
    };
    out[k++] = compose([](int x) { return x + 1; }, [](int x) { return x * 10; })(4);
    int acc = 0;
    auto each = [&](auto... v) {
        ((acc = acc * 10 + v), ...);
    };
    each(1, 2, 3);
    out[k++] = acc;
    struct {
        int a = 4;
        int b{5};
    }
    dflt;
    out[k++] = dflt.a * dflt.b;
    int (&ra)[6] = arr;
    out[k++] = ra[1] + sizeof(ra);
    const int* const* dp;
    const int* cp = arr;
    dp = &cp;
    out[k++] = **dp;
    void* vp = arr;
    out[k++] = ((int*)vp)[2];
    unsigned long addr = (unsigned long)vp;
    out[k++] = *(int*)(addr + 4);
    char* bytes = (char*)&x;
    bytes[0] = 1;
    out[k++] = x;
    out[k++] = *reinterpret_cast<float*>(&tg.i);
}

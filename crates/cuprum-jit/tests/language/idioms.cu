struct Half {
    unsigned short b;
    Half() = default;
    explicit Half(float x) : b((unsigned short)(int)x) {
    }
    operator float() const {
        return (float)b;
    }
    friend Half operator+(Half a, Half b) {
        return Half((float)a + (float)b);
    }
    bool operator<(const Half& o) const {
        return (float)*this < (float)o;
    }
};
template <class T> T tmax(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T> struct Traits {
    typedef T acc;
    static const int n = 1;
};
template <> struct Traits<char> {
    typedef int acc;
    static const int n = 4;
};
template <class T> typename Traits<T>::acc total(const T* p, int n) {
    typename Traits<T>::acc s = 0;
    for (int i = 0; i < n; ++i) s += p[i];
    return s;
}
template <int BLOCK, class T, class Op> struct BlockOp {
    T vals[BLOCK];
    Op op;
    T reduce() {
        for (int s = BLOCK / 2; s > 0; s >>= 1) {
            for (int i = 0; i < s; i++) vals[i] = op(vals[i], vals[i + s]);
        }
        return vals[0];
    }
};
struct Sum {
    template <class T> T operator()(T a, T b) const {
        return a + b;
    }
};
enum Color {
    RED, GREEN = 10, BLUE
};
enum Big : unsigned long long {
    HUGE_ = 1ull << 40
};
int overload(long) {
    return 1;
}
int overload(unsigned) {
    return 2;
}
int overload(float) {
    return 3;
}
int overload(const char*) {
    return 4;
}
int overload(void*) {
    return 5;
}
int overload(bool) {
    return 6;
}
int refo(int&) {
    return 1;
}
int refo(const int&) {
    return 2;
}
int refo(int&&) {
    return 3;
}
int ptro(const int*) {
    return 1;
}
int ptro(int*) {
    return 2;
}
struct Conv {
    operator int() const {
        return 42;
    }
};
struct FromInt {
    int v;
    FromInt(int x) : v(x * 2) {
    }
};
int takes(FromInt f) {
    return f.v;
}
int takes2(const FromInt& f, int y = 5) {
    return f.v + y;
}
struct Mat {
    float m[2][2];
    float* operator[](int i) {
        return m[i];
    }
    const float* operator[](int i) const {
        return m[i];
    }
    Mat operator*(const Mat& o) const {
        Mat r{};
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) r[i][j] += m[i][k] * o[k][j];
        return r;
    }
};
struct It {
    int i;
    int operator*() const {
        return i * i;
    }
    It& operator++() {
        ++i;
        return *this;
    }
    bool operator!=(const It& o) const {
        return i != o.i;
    }
};
struct Range {
    int n;
    It begin() const {
        return {0};
    }
    It end() const {
        return {n};
    }
};
struct Ptr {
    int* p;
    int* operator->() {
        return p;
    }
    int& operator*() {
        return *p;
    }
};
struct Holder {
    struct D {
        int q;
    }
    d;
    D* operator->() {
        return &d;
    }
};
class Priv {
    int x_;
    public:
    Priv(int x) : x_(x) {
    }
    int x() const {
        return x_;
    }
    void set(int v) {
        x_ = v;
    }
    Priv& add(int v) {
        x_ += v;
        return *this;
    }
    static Priv make(int v) {
        return Priv(v);
    }
};
struct alignas(16) A16 {
    float x;
};
struct __attribute__((aligned(8))) A8 {
    char c;
};
struct Nest {
    char c;
    A16 a;
    short s;
};
struct Emp {
};
struct DEmp : Emp {
    int x;
};
constexpr int pw(int b, int e) {
    int r = 1;
    while (e) {
        if (e & 1) r *= b;
        b *= b;
        e >>= 1;
    }
    return r;
}
constexpr double csqrt(double x) {
    double r = x;
    for (int i = 0; i < 30; i++) r = 0.5 * (r + x / r);
    return r;
}
template <int... I> struct Seq {
};
template <int N, int... I> struct MakeSeq : MakeSeq<N - 1, N - 1, I...> {
};
template <int... I> struct MakeSeq<0, I...> {
    typedef Seq<I...> type;
};
template <int... I> int sumsq(Seq<I...>) {
    int a[] = {I * I...};
    int s = 0;
    for (int v : a) s += v;
    return s;
}
template <class T, class... R> struct Tup : Tup<R...> {
    T v;
    Tup(T a, R... r) : Tup<R...>(r...), v(a) {
    }
};
template <class T> struct Tup<T> {
    T v;
    Tup(T a) : v(a) {
    }
};
template <class F, class... A> auto call(F f, A... a) {
    return f(a...);
}
template <class... A> double avg(A... a) {
    double s = 0;
    ((s += a), ...);
    return s / sizeof...(A);
}
template <class T> struct IsPtr {
    static constexpr bool value = false;
};
template <class T> struct IsPtr<T*> {
    static constexpr bool value = true;
};
template <class T> int disp(T x) {
    if constexpr (IsPtr<T>::value) return *x;
    else return x;
}
template <class A, class B = int, int C = sizeof(A) + sizeof(B)> struct DefT { static const int c = C; };
template <class T> struct Lazy {
    T v;
    int bad() {
        return v.nonexistent;
    }
    int good() {
        return 5;
    }
};
namespace a {
    namespace b {
        inline int deep(int x) {
            return x + 1;
        }
        struct S {
            static int sf() {
                return 9;
            }
            int m;
        };
    }
    using b::deep;
}
namespace ab = a::b;
static const int GA[] = {3, 1, 4, 1, 5};
const float PI_F = 3.14159f;
constexpr int GN = sizeof(GA) / sizeof(GA[0]);
const char* const NAMES[] = {"one", "two"};
typedef int (*BinOp)(int, int);
int addi(int a, int b) {
    return a + b;
}
int muli(int a, int b) {
    return a * b;
}
template <BinOp F> int foldi(const int* p, int n, int init) {
    for (int i = 0; i < n; i++) init = F(init, p[i]);
    return init;
}
int foldp(BinOp f, const int* p, int n, int init) {
    for (int i = 0; i < n; i++) init = f(init, p[i]);
    return init;
}
int slen(const char* s) {
    int n = 0;
    while (*s++) n++;
    return n;
}
unsigned hash(const char* s) {
    unsigned h = 5381;
    for (; *s; ++s) h = h * 33 ^ (unsigned char)*s;
    return h;
}
int sw(Color c) {
    switch (c) {
        case RED:
        return 1;
        case GREEN:
        return 2;
        case BLUE:
        {
            int z = 3;
            return z;
        }
    }
    return 0;
}
void outp(int* p, float& f, int (&arr)[3]) {
    *p = 5;
    f *= 2;
    arr[2] = 9;
}
int collatz(int n) {
    int c = 0;
    for (;;) {
        if (n == 1) return c;
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++c;
    }
}
int duff(int n) {
    int c = 0;
    switch (n % 4) {
        case 0:
        do {
            c++;
            case 3:
            c += 10;
            case 2:
            c += 100;
            case 1:
            c += 1000;
    } while (--n > 0);
    }
    return c;
}
int gotoloop(int n) {
    int i = 0, s = 0;
    again:
    if (i < n) {
        s += i;
        i++;
        goto again;
    }
    return s;
}
__global__ void test(double* out) {
    int k = 0;
    Half h(3.7f), h2(5.0f);
    out[k++] = h + h2;
    out[k++] = (h + h2) * 2.0f;
    out[k++] = tmax(h, h2);
    out[k++] = tmax(3, 7);
    out[k++] = tmax<double>(3, 7.5);
    char cs[4] = {100, 100, 100, 100};
    out[k++] = total(cs, 4);
    out[k++] = Traits<char>::n;
    BlockOp<8, float, Sum> bo;
    for (int i = 0; i < 8; i++) bo.vals[i] = i * 1.5f;
    out[k++] = bo.reduce();
    Color c = BLUE;
    out[k++] = c + 1;
    out[k++] = c == 11;
    out[k++] = GREEN | 1;
    out[k++] = HUGE_;
    out[k++] = sizeof(Big);
    out[k++] = sw(GREEN) + sw(BLUE) * 10 + sw((Color)3);
    out[k++] = overload(1L);
    out[k++] = overload(1u);
    out[k++] = overload(1.0f);
    out[k++] = overload("x");
    out[k++] = overload((void*)0);
    out[k++] = overload(true);
    int ii = 3;
    const int ci = 4;
    out[k++] = refo(ii);
    out[k++] = refo(ci);
    out[k++] = refo(5);
    out[k++] = refo(ii + 1);
    out[k++] = ptro(&ii);
    out[k++] = ptro(&ci);
    Conv cv;
    out[k++] = cv + 1;
    int arr42[50];
    arr42[cv] = 7;
    out[k++] = arr42[42];
    out[k++] = takes(4);
    out[k++] = takes2(4);
    out[k++] = takes2(4, 1);
    FromInt fi = 3;
    out[k++] = fi.v;
    switch (cv) {
        case 42:
        out[k++] = 1;
        break;
        default:
        out[k++] = 0;
    }
    Mat m = {{{1, 2}, {3, 4}}};
    Mat m2 = m * m;
    out[k++] = m2[1][0];
    m2[0][1] += 100;
    out[k++] = m2.m[0][1];
    int rs = 0;
    for (int v : Range{5}) rs += v;
    out[k++] = rs;
    int pv = 6;
    Ptr pt{&pv};
    *pt += 1;
    out[k++] = pv;
    Holder ho;
    ho->q = 12;
    out[k++] = ho.d.q;
    Priv pr(4);
    pr.set(6);
    out[k++] = pr.add(3).add(4).x();
    out[k++] = Priv::make(8).x();
    out[k++] = sizeof(A16);
    out[k++] = sizeof(A8);
    out[k++] = sizeof(Nest);
    out[k++] = sizeof(Emp) + sizeof(DEmp) * 10;
    out[k++] = alignof(Nest);
    out[k++] = __builtin_offsetof(Nest, s);
    int pwa[pw(2, 5)];
    out[k++] = sizeof(pwa);
    constexpr double r2 = csqrt(2.0);
    out[k++] = r2;
    out[k++] = sumsq(MakeSeq<5>::type());
    Tup<int, double, char> tp(1, 2.5, 'c');
    out[k++] = tp.v;
    out[k++] = static_cast<Tup<double, char>&>(tp).v;
    out[k++] = call([](int a, int b) { return a * b; }, 6, 7);
    out[k++] = avg(1, 2, 6.0f);
    out[k++] = disp(5);
    out[k++] = disp(&ii);
    out[k++] = DefT<char>::c;
    out[k++] = DefT<double, short>::c;
    Lazy<int> lz;
    out[k++] = lz.good();
    out[k++] = a::deep(1);
    out[k++] = ab::deep(2);
    out[k++] = a::b::S::sf();
    out[k++] = GA[4] + GN;
    out[k++] = PI_F;
    out[k++] = slen(NAMES[1]);
    out[k++] = hash("hello");
    int d4[4] = {1, 2, 3, 4};
    out[k++] = foldi<addi>(d4, 4, 0);
    out[k++] = foldi<muli>(d4, 4, 1);
    out[k++] = foldp(addi, d4, 4, 100);
    out[k++] = foldp(&muli, d4, 4, 2);
    int o1;
    float of = 1.5f;
    int oa[3] = {};
    outp(&o1, of, oa);
    out[k++] = o1 + of + oa[2];
    out[k++] = collatz(27);
    out[k++] = duff(6);
    out[k++] = gotoloop(10);
    float mtx[3][4];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) mtx[i][j] = i * 4 + j;
    float* fl = &mtx[0][0];
    out[k++] = fl[7];
    float (*r1)[4] = &mtx[1];
    out[k++] = (*r1)[2];
    out[k++] = *(*(mtx + 2) + 1);
    unsigned long long big = 0x123456789abcdef0ull;
    out[k++] = (unsigned)(big >> 32);
    out[k++] = (unsigned char)big;
    out[k++] = (long long)big % 1000;
    out[k++] = (big & 0xff) << 4 | 3;
    short sh = -5;
    out[k++] = (unsigned short)sh;
    out[k++] = sh >> 1;
    out[k++] = (unsigned)sh;
    out[k++] = (sh + 65536) & 0xffff;
    double dz = 0;
    out[k++] = dz / 1;
    out[k++] = -dz == 0;
    float fm = -0.0f;
    out[k++] = 1 / fm;
    out[k++] = (int)2147483000.0f;
    out[k++] = 1.0f / 3.0f;
    out[k++] = 1.0 / 3.0f;
    out[k++] = 16777217;
    out[k++] = 16777217.0f;
    out[k++] = 1e-45f;
    out[k++] = 0x1.8p3;
    out[k++] = .5e1;
    out[k++] = 1e39f > 1e38f;
    const char* str = "ab" "cd";
    out[k++] = str[2];
    char buf[] = "hey";
    out[k++] = sizeof(buf);
    buf[0] = 'H';
    out[k++] = buf[0];
    char b10[10] = "x";
    out[k++] = b10[1] + b10[9];
    int z5[5] = {0, 0, 7, 8};
    out[k++] = z5[2] * 10 + z5[3] + z5[4];
    int t1 = 1, t2 = 2, t3 = 3;
    int tr = t1 > t2 ? t1 : t2 > t3 ? t2 : t3;
    out[k++] = tr;
    bool bb = t1 && t2 || !t3;
    out[k++] = bb;
    int ch = t1 < t2 == true;
    out[k++] = ch;
    out[k++] = t1 < t2 < t3;
    int as;
    as = t1 = 5;
    out[k++] = as + t1;
    t1 += t2 -= 1;
    out[k++] = t1 * 10 + t2;
    out[k++] = -t1 % 4;
    out[k++] = t3 << 2 + 1;
    out[k++] = 10 - 5 - 2;
    out[k++] = 2 * 3 % 4;
    int* np = nullptr;
    out[k++] = np == 0;
    out[k++] = !np;
    if (int w = t3 - 1) out[k++] = w;
    if (int q = 0; q == 0) out[k++] = q + 1;
    while (int w2 = t3) {
        t3--;
        if (w2 == 1) out[k++] = 77;
    }
    for (int i = 0, *ip = d4; i < 4; i++, ip++) rs += *ip;
    out[k++] = rs;
    {
        int k2 = 3;
        {
            int k2 = 4;
            out[k++] = k2;
        }
        out[k++] = k2;
    }
    auto add3 = [&](auto... xs) {
        return (xs + ...);
    };
    out[k++] = add3(1, 2, 3);
    struct {
        int a, b;
    }
    anon = {3, 4};
    out[k++] = anon.a * anon.b;
    union {
        float f;
        int i;
    }
    un;
    un.f = 2.0f;
    out[k++] = un.i;
    static const int ST[3] = {7, 8, 9};
    out[k++] = ST[2];
    static constexpr float SF = 1.25f;
    out[k++] = SF;
    int vla = 0;
    for (unsigned i = 5; i-- > 0;) vla = vla * 10 + i;
    out[k++] = vla;
    for (char ch2 = 'a'; ch2 <= 'e'; ++ch2) vla += ch2;
    out[k++] = vla;
    unsigned char wrap = 255;
    wrap++;
    out[k++] = wrap;
    signed char sw2 = 127;
    sw2++;
    out[k++] = sw2;
    int x9 = 5;
    out[k++] = x9;
    int arr9[3] = {0, 0, 0};
    int i9 = 0;
    arr9[i9++] = i9;
    arr9[i9] = ++i9;
    out[k++] = arr9[0] * 100 + arr9[1] * 10 + arr9[2] + i9;
}

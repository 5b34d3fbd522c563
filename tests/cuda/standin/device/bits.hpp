// Integer intrinsics, and the bits of numbers seen as other numbers.
#pragma once

inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)(x)) : 64; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long bytes = (unsigned long long)(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> (4 * i) & 7;
        unsigned byte = unsigned(bytes >> (8 * pick)) & 0xff;
        result |= byte << (8 * i);
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    unsigned long long both = (unsigned long long)(high) << 32 | low;
    return unsigned(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    unsigned long long both = (unsigned long long)(high) << 32 | low;
    return unsigned(both >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline int __mulhi(int a, int b) { return int((long long)(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)(a) * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)(a) * b >> 64);
}
inline int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
inline int __hadd(int a, int b) { return int(((long long)(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return int(((long long)(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)(a) + b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)(a) + b + 1) >> 1); }

inline float __int_as_float(int x) { return standin::bits_as<float>(x); }
inline int __float_as_int(float x) { return standin::bits_as<int>(x); }
inline float __uint_as_float(unsigned x) { return standin::bits_as<float>(x); }
inline unsigned __float_as_uint(float x) { return standin::bits_as<unsigned>(x); }
inline double __longlong_as_double(long long x) { return standin::bits_as<double>(x); }
inline long long __double_as_longlong(double x) { return standin::bits_as<long long>(x); }
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned(high)) << 32 | unsigned(low)));
}

#define STANDIN_MIN_MAX(type)                                            \
    inline type min(type a, type b) { return b < a ? b : a; }            \
    inline type max(type a, type b) { return a < b ? b : a; }
STANDIN_MIN_MAX(int)
STANDIN_MIN_MAX(unsigned)
STANDIN_MIN_MAX(long)
STANDIN_MIN_MAX(unsigned long)
STANDIN_MIN_MAX(long long)
STANDIN_MIN_MAX(unsigned long long)
#undef STANDIN_MIN_MAX

// A signed and an unsigned one compare as unsigned, as CUDA has it.
#define STANDIN_MIXED(name, wide, narrow)                                                    \
    inline wide name(wide a, narrow b) { return name(a, (wide)b); }                           \
    inline wide name(narrow a, wide b) { return name((wide)a, b); }
STANDIN_MIXED(min, unsigned, int)
STANDIN_MIXED(max, unsigned, int)
STANDIN_MIXED(min, unsigned long, long)
STANDIN_MIXED(max, unsigned long, long)
STANDIN_MIXED(min, unsigned long long, long long)
STANDIN_MIXED(max, unsigned long long, long long)
#undef STANDIN_MIXED
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline int abs(int x) { return x < 0 ? -x : x; }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline long labs(long x) { return abs(x); }
inline long long llabs(long long x) { return abs(x); }

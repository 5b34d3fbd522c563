// A float of 16 bits and pairs of them, included once for __half and once for __nv_bfloat16 with these macros set:
// __CUPRUM_H, __CUPRUM_H2 (the types), __CUPRUM_WIDEN (bits to float), __CUPRUM_NARROW and __CUPRUM_NARROW_DOUBLE
// (rounded to nearest, ties to even), __CUPRUM_ATOMIC_ADD (of bits), __CUPRUM_ONE (bits of 1), __CUPRUM_INF.
// Computed in float or double and rounded once.
#define __CUPRUM_FN __device__ inline

struct __align__(2) __CUPRUM_H {
    unsigned short __x;
    __CUPRUM_H() = default;
    __device__ __CUPRUM_H(float x) : __x(__CUPRUM_NARROW(x)) {}
    __device__ __CUPRUM_H(double x) : __x(__CUPRUM_NARROW_DOUBLE(x)) {}
    __device__ __CUPRUM_H(int x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ __CUPRUM_H(unsigned int x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ __CUPRUM_H(short x) : __x(__CUPRUM_NARROW((float)x)) {}
    __device__ __CUPRUM_H(unsigned short x) : __x(__CUPRUM_NARROW((float)x)) {}
    __device__ __CUPRUM_H(long x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ __CUPRUM_H(unsigned long x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ __CUPRUM_H(long long x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ __CUPRUM_H(unsigned long long x) : __x(__CUPRUM_NARROW_DOUBLE((double)x)) {}
    __device__ operator float() const { return __CUPRUM_WIDEN(__x); }
    __device__ __CUPRUM_H& operator+=(__CUPRUM_H b);
    __device__ __CUPRUM_H& operator-=(__CUPRUM_H b);
    __device__ __CUPRUM_H& operator*=(__CUPRUM_H b);
    __device__ __CUPRUM_H& operator/=(__CUPRUM_H b);
    __device__ __CUPRUM_H& operator++();
    __device__ __CUPRUM_H& operator--();
};

struct __align__(4) __CUPRUM_H2 {
    __CUPRUM_H x, y;
    __CUPRUM_H2() = default;
    __device__ __CUPRUM_H2(__CUPRUM_H a, __CUPRUM_H b) : x(a), y(b) {}
    __device__ __CUPRUM_H2& operator+=(__CUPRUM_H2 b);
    __device__ __CUPRUM_H2& operator-=(__CUPRUM_H2 b);
    __device__ __CUPRUM_H2& operator*=(__CUPRUM_H2 b);
    __device__ __CUPRUM_H2& operator/=(__CUPRUM_H2 b);
};

__CUPRUM_FN __CUPRUM_H __CUPRUM_H_OF_BITS(unsigned short bits) {
    __CUPRUM_H h;
    h.__x = bits;
    return h;
}
__CUPRUM_FN float __cuprum_float(__CUPRUM_H h) { return __CUPRUM_WIDEN(h.__x); }

// Arithmetic: one function of numbers, one of pairs, the operators, and the forms that saturate to [0, 1].
#define __CUPRUM_ARITHMETIC(name, op)                                                                              \
    __CUPRUM_FN __CUPRUM_H operator op(const __CUPRUM_H& a, const __CUPRUM_H& b) {                                 \
        return __CUPRUM_H(__cuprum_float(a) op __cuprum_float(b));                                                 \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H2 operator op(const __CUPRUM_H2& a, const __CUPRUM_H2& b) {                              \
        return __CUPRUM_H2(a.x op b.x, a.y op b.y);                                                                \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H& __CUPRUM_H::operator op##=(__CUPRUM_H b) { return *this = *this op b; }                \
    __CUPRUM_FN __CUPRUM_H2& __CUPRUM_H2::operator op##=(__CUPRUM_H2 b) { return *this = *this op b; }             \
    __CUPRUM_FN __CUPRUM_H __h##name(__CUPRUM_H a, __CUPRUM_H b) { return a op b; }                                \
    __CUPRUM_FN __CUPRUM_H2 __h##name##2(__CUPRUM_H2 a, __CUPRUM_H2 b) { return a op b; }                          \
    __CUPRUM_FN __CUPRUM_H __h##name##_rn(__CUPRUM_H a, __CUPRUM_H b) { return a op b; }                           \
    __CUPRUM_FN __CUPRUM_H2 __h##name##2_rn(__CUPRUM_H2 a, __CUPRUM_H2 b) { return a op b; }                       \
    __CUPRUM_FN __CUPRUM_H __h##name##_sat(__CUPRUM_H a, __CUPRUM_H b) {                                           \
        return __CUPRUM_H(__cuprum_unit(__cuprum_float(a) op __cuprum_float(b)));                                  \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H2 __h##name##2_sat(__CUPRUM_H2 a, __CUPRUM_H2 b) {                                       \
        return __CUPRUM_H2(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y));                                  \
    }
__CUPRUM_ARITHMETIC(add, +)
__CUPRUM_ARITHMETIC(sub, -)
__CUPRUM_ARITHMETIC(mul, *)
__CUPRUM_ARITHMETIC(div, /)
#undef __CUPRUM_ARITHMETIC

__CUPRUM_FN __CUPRUM_H& __CUPRUM_H::operator++() { return *this = *this + __CUPRUM_H_OF_BITS(__CUPRUM_ONE); }
__CUPRUM_FN __CUPRUM_H& __CUPRUM_H::operator--() { return *this = *this - __CUPRUM_H_OF_BITS(__CUPRUM_ONE); }
__CUPRUM_FN __CUPRUM_H operator+(const __CUPRUM_H& a) { return a; }
__CUPRUM_FN __CUPRUM_H operator-(const __CUPRUM_H& a) { return __CUPRUM_H_OF_BITS(a.__x ^ 0x8000); }
__CUPRUM_FN __CUPRUM_H2 operator-(const __CUPRUM_H2& a) { return __CUPRUM_H2(-a.x, -a.y); }
__CUPRUM_FN __CUPRUM_H __hneg(__CUPRUM_H a) { return -a; }
__CUPRUM_FN __CUPRUM_H2 __hneg2(__CUPRUM_H2 a) { return -a; }
__CUPRUM_FN __CUPRUM_H __habs(__CUPRUM_H a) { return __CUPRUM_H_OF_BITS(a.__x & 0x7fff); }
__CUPRUM_FN __CUPRUM_H2 __habs2(__CUPRUM_H2 a) { return __CUPRUM_H2(__habs(a.x), __habs(a.y)); }

// A product and a sum of these fit a double but for digits too small to matter.
__CUPRUM_FN double __cuprum_fused(__CUPRUM_H a, __CUPRUM_H b, __CUPRUM_H c) {
    return fma((double)__cuprum_float(a), (double)__cuprum_float(b), (double)__cuprum_float(c));
}
__CUPRUM_FN __CUPRUM_H __hfma(__CUPRUM_H a, __CUPRUM_H b, __CUPRUM_H c) { return __CUPRUM_H(__cuprum_fused(a, b, c)); }
__CUPRUM_FN __CUPRUM_H __hfma_sat(__CUPRUM_H a, __CUPRUM_H b, __CUPRUM_H c) {
    double x = __cuprum_fused(a, b, c);
    return __CUPRUM_H(x != x ? 0.0 : x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x);
}
__CUPRUM_FN __CUPRUM_H __hfma_relu(__CUPRUM_H a, __CUPRUM_H b, __CUPRUM_H c) {
    double x = __cuprum_fused(a, b, c);
    return __CUPRUM_H(x < 0.0 ? 0.0 : x);
}
__CUPRUM_FN __CUPRUM_H2 __hfma2(__CUPRUM_H2 a, __CUPRUM_H2 b, __CUPRUM_H2 c) {
    return __CUPRUM_H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__CUPRUM_FN __CUPRUM_H2 __hfma2_sat(__CUPRUM_H2 a, __CUPRUM_H2 b, __CUPRUM_H2 c) {
    return __CUPRUM_H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__CUPRUM_FN __CUPRUM_H2 __hfma2_relu(__CUPRUM_H2 a, __CUPRUM_H2 b, __CUPRUM_H2 c) {
    return __CUPRUM_H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}

// Comparisons: operators, truth values, pairs of 1 and 0, masks, and whether both hold. `u`: true of NaN as well.
#define __CUPRUM_ORDER(name, op)                                                                                   \
    __CUPRUM_FN bool operator op(const __CUPRUM_H& a, const __CUPRUM_H& b) {                                       \
        return __cuprum_float(a) op __cuprum_float(b);                                                             \
    }                                                                                                              \
    __CUPRUM_FN bool __h##name(__CUPRUM_H a, __CUPRUM_H b) { return a op b; }                                      \
    __CUPRUM_FN bool __h##name##u(__CUPRUM_H a, __CUPRUM_H b) {                                                    \
        float x = __cuprum_float(a), y = __cuprum_float(b);                                                        \
        return x != x || y != y || x op y;                                                                         \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H2 __h##name##2(__CUPRUM_H2 a, __CUPRUM_H2 b) {                                           \
        return __CUPRUM_H2(__CUPRUM_H_OF_BITS(a.x op b.x ? __CUPRUM_ONE : 0),                                      \
                           __CUPRUM_H_OF_BITS(a.y op b.y ? __CUPRUM_ONE : 0));                                     \
    }                                                                                                              \
    __CUPRUM_FN unsigned int __h##name##2_mask(__CUPRUM_H2 a, __CUPRUM_H2 b) {                                     \
        return (a.x op b.x ? 0xffffu : 0u) | (a.y op b.y ? 0xffff0000u : 0u);                                      \
    }                                                                                                              \
    __CUPRUM_FN bool __hb##name##2(__CUPRUM_H2 a, __CUPRUM_H2 b) { return a.x op b.x && a.y op b.y; }
__CUPRUM_ORDER(eq, ==)
__CUPRUM_ORDER(ne, !=)
__CUPRUM_ORDER(lt, <)
__CUPRUM_ORDER(le, <=)
__CUPRUM_ORDER(gt, >)
__CUPRUM_ORDER(ge, >=)
#undef __CUPRUM_ORDER
__CUPRUM_FN bool operator==(const __CUPRUM_H2& a, const __CUPRUM_H2& b) { return a.x == b.x && a.y == b.y; }
__CUPRUM_FN bool operator!=(const __CUPRUM_H2& a, const __CUPRUM_H2& b) { return a.x != b.x && a.y != b.y; }

__CUPRUM_FN bool __hisnan(__CUPRUM_H a) { return (a.__x & 0x7fff) > __CUPRUM_INF; }
__CUPRUM_FN int __hisinf(__CUPRUM_H a) { return a.__x == __CUPRUM_INF ? 1 : a.__x == (0x8000 | __CUPRUM_INF) ? -1 : 0; }
__CUPRUM_FN __CUPRUM_H2 __hisnan2(__CUPRUM_H2 a) {
    return __CUPRUM_H2(__CUPRUM_H_OF_BITS(__hisnan(a.x) ? __CUPRUM_ONE : 0),
                       __CUPRUM_H_OF_BITS(__hisnan(a.y) ? __CUPRUM_ONE : 0));
}

// A NaN gives way to a number; in the _nan forms it does not.
__CUPRUM_FN __CUPRUM_H __hmax(__CUPRUM_H a, __CUPRUM_H b) {
    return __CUPRUM_H(fmaxf(__cuprum_float(a), __cuprum_float(b)));
}
__CUPRUM_FN __CUPRUM_H __hmin(__CUPRUM_H a, __CUPRUM_H b) {
    return __CUPRUM_H(fminf(__cuprum_float(a), __cuprum_float(b)));
}
__CUPRUM_FN __CUPRUM_H __hmax_nan(__CUPRUM_H a, __CUPRUM_H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
__CUPRUM_FN __CUPRUM_H __hmin_nan(__CUPRUM_H a, __CUPRUM_H b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
__CUPRUM_FN __CUPRUM_H2 __hmax2(__CUPRUM_H2 a, __CUPRUM_H2 b) { return __CUPRUM_H2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__CUPRUM_FN __CUPRUM_H2 __hmin2(__CUPRUM_H2 a, __CUPRUM_H2 b) { return __CUPRUM_H2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
__CUPRUM_FN __CUPRUM_H2 __hmax2_nan(__CUPRUM_H2 a, __CUPRUM_H2 b) {
    return __CUPRUM_H2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
__CUPRUM_FN __CUPRUM_H2 __hmin2_nan(__CUPRUM_H2 a, __CUPRUM_H2 b) {
    return __CUPRUM_H2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}

#define __CUPRUM_UNARY(name, value)                                                                                \
    __CUPRUM_FN __CUPRUM_H h##name(__CUPRUM_H a) {                                                                 \
        float x = __cuprum_float(a);                                                                               \
        return __CUPRUM_H(value);                                                                                  \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H2 h2##name(__CUPRUM_H2 a) { return __CUPRUM_H2(h##name(a.x), h##name(a.y)); }
__CUPRUM_UNARY(sqrt, sqrtf(x))
__CUPRUM_UNARY(rsqrt, rsqrtf(x))
__CUPRUM_UNARY(rcp, 1.0f / x)
__CUPRUM_UNARY(log, logf(x))
__CUPRUM_UNARY(log2, log2f(x))
__CUPRUM_UNARY(log10, log10f(x))
__CUPRUM_UNARY(exp, expf(x))
__CUPRUM_UNARY(exp2, exp2f(x))
__CUPRUM_UNARY(exp10, exp10f(x))
__CUPRUM_UNARY(sin, sinf(x))
__CUPRUM_UNARY(cos, cosf(x))
__CUPRUM_UNARY(tanh, tanhf(x))
__CUPRUM_UNARY(ceil, ceilf(x))
__CUPRUM_UNARY(floor, floorf(x))
__CUPRUM_UNARY(trunc, truncf(x))
__CUPRUM_UNARY(rint, rintf(x))
#undef __CUPRUM_UNARY

__CUPRUM_FN __CUPRUM_H2 __h2div(__CUPRUM_H2 a, __CUPRUM_H2 b) { return a / b; }

// Parts of pairs that have the same names for both types.
__CUPRUM_FN float __low2float(__CUPRUM_H2 a) { return __cuprum_float(a.x); }
__CUPRUM_FN float __high2float(__CUPRUM_H2 a) { return __cuprum_float(a.y); }
__CUPRUM_FN __CUPRUM_H2 __lowhigh2highlow(__CUPRUM_H2 a) { return __CUPRUM_H2(a.y, a.x); }

// The bits of a pair, the first number lowest.
__CUPRUM_FN unsigned int __cuprum_word(__CUPRUM_H2 a) { return (unsigned int)a.x.__x | (unsigned int)a.y.__x << 16; }
__CUPRUM_FN __CUPRUM_H2 __CUPRUM_H2_OF_WORD(unsigned int word) {
    return __CUPRUM_H2(__CUPRUM_H_OF_BITS((unsigned short)word), __CUPRUM_H_OF_BITS((unsigned short)(word >> 16)));
}

#define __CUPRUM_SHUFFLE(name, lane)                                                                               \
    __CUPRUM_FN __CUPRUM_H name(unsigned int mask, __CUPRUM_H a, lane from, int width = 32) {                      \
        return __CUPRUM_H_OF_BITS((unsigned short)name(mask, (unsigned int)a.__x, from, width));                   \
    }                                                                                                              \
    __CUPRUM_FN __CUPRUM_H2 name(unsigned int mask, __CUPRUM_H2 a, lane from, int width = 32) {                    \
        return __CUPRUM_H2_OF_WORD(name(mask, __cuprum_word(a), from, width));                                     \
    }
__CUPRUM_SHUFFLE(__shfl_sync, int)
__CUPRUM_SHUFFLE(__shfl_up_sync, unsigned int)
__CUPRUM_SHUFFLE(__shfl_down_sync, unsigned int)
__CUPRUM_SHUFFLE(__shfl_xor_sync, int)
#undef __CUPRUM_SHUFFLE

#ifndef __CUPRUM_CPU__
__CUPRUM_FN __CUPRUM_H __ldg(const __CUPRUM_H* p) { return __CUPRUM_H_OF_BITS(__ldg((const unsigned short*)p)); }
__CUPRUM_FN __CUPRUM_H2 __ldg(const __CUPRUM_H2* p) { return __CUPRUM_H2_OF_WORD(__ldg((const unsigned int*)p)); }
#endif
__CUPRUM_FN __CUPRUM_H atomicAdd(__CUPRUM_H* p, __CUPRUM_H value) {
    return __CUPRUM_H_OF_BITS(__CUPRUM_ATOMIC_ADD((unsigned short*)p, value.__x));
}
__CUPRUM_FN __CUPRUM_H2 atomicAdd(__CUPRUM_H2* p, __CUPRUM_H2 value) {
    return __CUPRUM_H2_OF_WORD(__CUPRUM_ATOMIC_ADD((unsigned int*)p, __cuprum_word(value)));
}
#undef __CUPRUM_FN

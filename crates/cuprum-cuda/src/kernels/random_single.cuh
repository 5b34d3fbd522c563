// Normal variates in single precision, two of a word, operation by operation those of the host.

// Quotients and roots of arguments far from overflow and underflow, correctly rounded: the refinements of the hardware's
// estimates that compilers put in line, without the branches that they have for the rest.
#ifdef __CUDACC__
inline f32 mild_quotient(f32 a, f32 b) {
    f32 r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    r = __fmaf_rn(r, __fmaf_rn(-b, r, 1.0f), r);
    f32 q = __fmul_rn(a, r);
    return __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
}
inline f32 mild_root(f32 x) {
    f32 y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    f32 s = __fmul_rn(x, y), h = __fmul_rn(0.5f, y);
    return __fmaf_rn(__fmaf_rn(-s, s, x), h, s);
}
#else
inline f32 mild_quotient(f32 a, f32 b) { return a / b; }
inline f32 mild_root(f32 x) { return sqrtf(x); }
#endif

inline f32 single_log(f32 x) {
    u32 shifted = to_bits(x) + (0x3f800000u - 0x3f3504f3u);
    f32 k = (f32)((i32)(shifted >> 23) - 127);
    f32 f = from_bits((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
    f32 s = mild_quotient(f, 2.0f + f);
    f32 z = s * s;
    f32 half_square = 0.5f * f * f;
    f32 series = z * ((0.29887006f * z + 0.39976937f) * z + 0.6666678f);
    f32 low = s * (half_square + series) + k * 1.4286068e-6f;
    return k * 0.69314575f + (f - (half_square - low));
}

inline f32 single_exponential(u32 half) {
    bool upper = half >> 31;
    u32 near = upper ? ~half : half;
    f32 o = ((f32)(i32)near + 0.5f) * 0x1p-32f;
    f32 u = upper ? 1.0f - o : o;
    f32 lost = upper ? (-o - (u - 1.0f)) * (1.0f + o) : 0.0f;
    return 0.0f - (single_log(u) + lost);
}

struct SinglePair {
    f32 first, second;
};

inline SinglePair single_normals_of_word(u32 angle, u32 radius) {
    f32 r = mild_root(2.0f * single_exponential(radius));
    f32 fraction = from_bits(((angle << 2) >> 9) | 0x3f800000u);
    f32 x = ((fraction - 1.5f) + 0x1p-24f) * 1.57079632679489661923132169163975144f;
    f32 z = x * x;
    f32 sin = x + x * z * ((-0.00019510544f * z + 0.008332119f) * z - 0.16666654f);
    f32 cos = (1.0f - 0.5f * z) + z * z * ((2.4432484e-5f * z - 0.0013887311f) * z + 0.041666646f);
    bool odd = angle & (1u << 30);
    f32 upright = odd ? cos : sin, level = odd ? sin : cos;
    u32 sign = 1u << 31;
    upright = from_bits(to_bits(upright) ^ (angle & sign));
    level = from_bits(to_bits(level) ^ ((angle ^ (angle << 1)) & sign));
    return SinglePair{r * level, r * upright};
}

// Normal variates in single precision, two of a word, operation by operation those of the host.

// The root of a number far from overflow and underflow, correctly rounded: the refinement of the hardware's estimate that
// compilers put in line, without the branches that they have for the rest.
#ifdef __CUDACC__
inline f32 mild_root(f32 x) {
    f32 y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    f32 s = __fmul_rn(x, y), h = __fmul_rn(0.5f, y);
    return __fmaf_rn(__fmaf_rn(-s, s, x), h, s);
}
#else
inline f32 mild_root(f32 x) { return sqrtf(x); }
#endif

// -2 log(u) of a uniform number in (0, 1): the half's place in 2^32, taken from the nearer end.
inline f32 twice_exponential(u32 half) {
    bool upper = (i32)half < 0;
    u32 near = upper ? ~half : half;
    f32 o = __fmaf_rn((f32)(i32)near, 0x1p-32f, 0x1p-33f);
    f32 u = upper ? 1.0f - o : o;
    i32 above = (i32)(to_bits(u) - 0x3f3504f3u);
    f32 f = from_bits(to_bits(u) - (u32)(above & ~0x007fffff)) - 1.0f;
    f = upper && above >= 0 ? -o : f;
    f32 sum = -0.17469501f;
    sum = __fmaf_rn(sum, f, 0.28614965f);
    sum = __fmaf_rn(sum, f, -0.29835978f);
    sum = __fmaf_rn(sum, f, 0.3314103f);
    sum = __fmaf_rn(sum, f, -0.39924142f);
    sum = __fmaf_rn(sum, f, 0.5000351f);
    sum = __fmaf_rn(sum, f, -0.666679f);
    sum = __fmaf_rn(sum, f, 0.9999998f);
    sum = __fmaf_rn(sum, f, -2.0f);
    return __fmaf_rn(sum, f, (f32)(above >> 23) * -1.3862944f);
}

struct SinglePair {
    f32 first, second;
};

inline SinglePair single_normals_of_word(u32 angle, u32 radius) {
    f32 r = mild_root(twice_exponential(radius));
    f32 x = (f32)(i32)(angle * 4 + 2) * 3.6572953e-10f;
    f32 z = x * x;
    f32 sin = __fmaf_rn(x * z, __fmaf_rn(__fmaf_rn(-0.00019517298f, z, 0.008332178f), z, -0.16666655f), x);
    f32 cos = __fmaf_rn(z, __fmaf_rn(__fmaf_rn(-0.0013597822f, z, 0.041656293f), z, -0.49999896f), 1.0f);
    cos = from_bits(to_bits(cos) ^ (angle & (1u << 31)));
    bool odd = angle & (1u << 30);
    return SinglePair{r * (odd ? sin : cos), r * (odd ? cos : sin)};
}

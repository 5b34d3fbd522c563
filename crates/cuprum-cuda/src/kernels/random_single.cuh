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

// The mantissa of a positive number as one from a half to one. Compilers make two instructions of two constants.
#ifdef __CUDACC__
inline u32 mantissa_bits(u32 bits) {
    u32 made;
    asm("lop3.b32 %0, %1, 0x007fffff, 0x3f000000, 0xea;" : "=r"(made) : "r"(bits));
    return made;
}
#else
inline u32 mantissa_bits(u32 bits) { return (bits & 0x007fffffu) | 0x3f000000u; }
#endif

// -2^23 log2(u) of a uniform number in (0, 1), the size of the half's place from -2^31 to 2^31.
inline f32 halvings(u32 half) {
    f32 u = __fmaf_rn(fabsf((f32)(i32)half), 0x0.ffffffp-31f, 0x1p-33f);
    u32 mantissa = mantissa_bits(to_bits(u));
    f32 whole = (f32)(i32)(mantissa - to_bits(u));
    f32 f = from_bits(mantissa) - 1.0f;
    f32 sum = 14340462.0f;
    sum = __fmaf_rn(sum, f, 13089320.0f);
    sum = __fmaf_rn(sum, f, 9505640.0f);
    sum = __fmaf_rn(sum, f, -460041.6f);
    sum = __fmaf_rn(sum, f, 3294840.5f);
    sum = __fmaf_rn(sum, f, -4016268.2f);
    sum = __fmaf_rn(sum, f, 6051544.0f);
    sum = __fmaf_rn(sum, f, -12102201.0f);
    return __fmaf_rn(sum, f, whole);
}

struct SinglePair {
    f32 first, second;
};

inline SinglePair single_normals_of_word(u32 angle, u32 radius) {
    f32 r = mild_root(halvings(radius));
    f32 x = (f32)(i32)angle * 7.3145906e-10f;
    f32 z = x * x;
    f32 sin = 1.0577278e-9f, cos = 9.412555e-9f;
    sin = __fmaf_rn(sin, z, -8.052128e-8f), cos = __fmaf_rn(cos, z, -5.631819e-7f);
    sin = __fmaf_rn(sin, z, 3.387548e-6f), cos = __fmaf_rn(cos, z, 1.6937114e-5f);
    sin = __fmaf_rn(sin, z, -6.7753426e-5f), cos = __fmaf_rn(cos, z, -2.0326002e-4f);
    sin = __fmaf_rn(sin, z, 4.065208e-4f), cos = __fmaf_rn(cos, z, 4.065208e-4f);
    cos = from_bits(to_bits(cos) ^ (radius & (1u << 31)));
    return SinglePair{r * cos, r * (sin * x)};
}

typedef u32 Index;
typedef i32 Stride;
typedef Divisor32 Divisor;
constexpr int N = 4;
constexpr int UNROLL = 1;
struct alignas(16) Args {
    const u8* r0;
    const u8* r1;
    const u8* r2;
    u8* y0;
    Index whole;
    Index count;
    Divisor inner1;
    Stride r0_inner0;
    Stride r1_inner0;
    Stride r2_inner0;
    Stride r3_inner0;
    Stride r3_inner1;
    Stride y0_inner0;
};
struct Cursor {
    const u8* r0;
    const u8* r1;
    const u8* r2;
    i64 r3;
    u8* y0;
};
inline Cursor origin(const Args& args) {
    Cursor at;
    at.r0 = args.r0;
    at.r1 = args.r1;
    at.r2 = args.r2;
    at.r3 = 0;
    at.y0 = args.y0;
    return at;
}
inline void move_outer(const Args& args, Index position, Cursor& at) {
}
inline void move_inner(const Args& args, Index position, Cursor& at) {
    const Index rest1 = args.inner1.divide(position);
    const Index index1 = position - rest1 * args.inner1.size;
    position = rest1;
    at.r0 += advance(index1, (Stride)16);
    at.r1 += advance(index1, (Stride)16);
    at.r3 += advance(index1, (Stride)N * args.r3_inner1);
    at.y0 += advance(index1, (Stride)16);
    at.r0 += advance(position, args.r0_inner0);
    at.r1 += advance(position, args.r1_inner0);
    at.r2 += advance(position, args.r2_inner0);
    at.r3 += advance(position, args.r3_inner0);
    at.y0 += advance(position, args.y0_inner0);
}
inline void locate(const Args& args, Index pack, Cursor& at) {
    move_inner(args, pack, at);
}
inline f32 op_subtract_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_subtract(a, b);
}
inline f32 op_divide_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_divide(a, b);
}
inline f32 op_add_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_add(a, b);
}
struct Fixed {
};
inline Fixed load_fixed(const Args& args) {
    Fixed fixed;
    return fixed;
}
struct Values {
    f32 r0[N];
    f32 r1[N];
    f32 r2[N];
    i64 r3[N];
    f32 y0[N];
};
inline int pack_count(const Args& args, Index pack) {
    if (pack < args.whole) return N;
    return pack * N < args.count ? (int)(args.count - pack * N) : 0;
}
inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {
    load_vector(at.r0, v.r0);
    load_vector(at.r1, v.r1);
    load_splat<true>(at.r2, v.r2);
    #pragma unroll
    for (int j = 0; j < N; ++j) v.r3[j] = at.r3 + j * args.r3_inner1;
}
inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {
    load_strided<true>(at.r0, 4, count, v.r0);
    load_strided<true>(at.r1, 4, count, v.r1);
    if (count > 0) load_splat<true>(at.r2, v.r2);
    #pragma unroll
    for (int j = 0; j < N; ++j) v.r3[j] = at.r3 + j * args.r3_inner1;
}
inline void compute(const Args& args, const Fixed& fixed, Values& v) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        const f32 r0 = v.r0[j];
        const f32 r1 = v.r1[j];
        const f32 r2 = v.r2[j];
        const i64 r3 = v.r3[j];
        const f32 r4 = cast<f32>(r3);
        const f32 r5 = op_subtract_f32(r0, r1);
        const f32 r6 = op_divide_f32(r5, r2);
        const f32 r7 = op_add_f32(r6, r4);
        v.y0[j] = cast<f32>(r7);
    }
}
inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {
    store_vector(at.y0, v.y0);
}
inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {
    store_strided<true>(at.y0, 4, count, v.y0);
}

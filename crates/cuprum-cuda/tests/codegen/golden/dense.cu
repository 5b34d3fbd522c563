typedef u32 Index;
typedef i32 Stride;
typedef Divisor32 Divisor;
constexpr int N = 4;
constexpr int UNROLL = 2;
struct alignas(16) Args {
    const u8* r0;
    u8* y0;
    f32 r1;
    Index whole;
    Index count;
};
struct Cursor {
    const u8* r0;
    u8* y0;
};
inline Cursor origin(const Args& args) {
    Cursor at;
    at.r0 = args.r0;
    at.y0 = args.y0;
    return at;
}
inline void move_outer(const Args& args, Index position, Cursor& at) {
}
inline void move_inner(const Args& args, Index position, Cursor& at) {
    at.r0 += advance(position, (Stride)16);
    at.y0 += advance(position, (Stride)16);
}
inline void locate(const Args& args, Index pack, Cursor& at) {
    move_inner(args, pack, at);
}
inline f32 op_multiply_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_multiply(a, b);
}
struct Fixed {
};
inline Fixed load_fixed(const Args& args) {
    Fixed fixed;
    return fixed;
}
struct Values {
    f32 r0[N];
    f32 y0[N];
};
inline int pack_count(const Args& args, Index pack) {
    if (pack < args.whole) return N;
    return pack * N < args.count ? (int)(args.count - pack * N) : 0;
}
inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {
    load_vector(at.r0, v.r0);
}
inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {
    load_strided<true>(at.r0, 4, count, v.r0);
}
inline void compute(const Args& args, const Fixed& fixed, Values& v) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        const f32 r0 = v.r0[j];
        const f32 r1 = args.r1;
        const f32 r2 = op_multiply_f32(r0, r1);
        v.y0[j] = cast<f32>(r2);
    }
}
inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {
    store_vector(at.y0, v.y0);
}
inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {
    store_strided<true>(at.y0, 4, count, v.y0);
}

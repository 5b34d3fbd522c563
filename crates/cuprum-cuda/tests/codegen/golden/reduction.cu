typedef u32 Index;
typedef i32 Stride;
typedef Divisor32 Divisor;
constexpr int N = 4;
constexpr int UNROLL = 4;
struct alignas(16) Args {
    u8* scratch;
    u32* tickets;
    const u8* r0;
    const u8* r1;
    u8* z0;
    f32 r2;
    Index results;
    Index packs;
    Index whole;
    Index count;
    Index segments;
    Index span;
    Stride z0_inner0;
};
struct Cursor {
    const u8* r0;
    const u8* r1;
    u8* z0;
};
inline Cursor origin(const Args& args) {
    Cursor at;
    at.r0 = args.r0;
    at.r1 = args.r1;
    at.z0 = args.z0;
    return at;
}
inline void move_outer(const Args& args, Index position, Cursor& at) {
}
inline void move_inner(const Args& args, Index position, Cursor& at) {
    at.r0 += advance(position, (Stride)16);
    at.r1 += advance(position, (Stride)16);
    at.z0 += advance(position, (Stride)N * args.z0_inner0);
}
inline void locate(const Args& args, Index pack, Cursor& at) {
    move_inner(args, pack, at);
}
inline f32 op_square_f32(f32 a) {
    typedef f32 T;
    return cu_square(a);
}
inline f32 op_multiply_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_multiply(a, b);
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
    f32 value0[N];
};
inline int pack_count(const Args& args, Index pack) {
    if (pack < args.whole) return N;
    return pack * N < args.count ? (int)(args.count - pack * N) : 0;
}
inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {
    load_vector(at.r0, v.r0);
    load_vector(at.r1, v.r1);
}
inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {
    if (count == N) load_vector(at.r0, v.r0);
    else load_strided<true>(at.r0, 4, count, v.r0);
    if (count == N) load_vector(at.r1, v.r1);
    else load_strided<true>(at.r1, 4, count, v.r1);
}
inline void compute(const Args& args, const Fixed& fixed, Values& v) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        const f32 r0 = v.r0[j];
        const f32 r1 = v.r1[j];
        const f32 r2 = args.r2;
        const f32 r3 = op_square_f32(r0);
        const f32 r4 = op_multiply_f32(r2, r1);
        const f32 r5 = op_add_f32(r3, r4);
        v.value0[j] = r5;
    }
}
inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {
}
inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {
}

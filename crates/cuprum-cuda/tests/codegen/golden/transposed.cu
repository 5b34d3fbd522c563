typedef u32 Index;
typedef i32 Stride;
typedef Divisor32 Divisor;
constexpr int N = 1;
constexpr int SIDE = 64;
struct alignas(16) Args {
    const u8* r0;
    const u8* r1;
    u8* y0;
    Index tiles_across;
    Index tiles_down;
    Index across;
    Index down;
    Divisor inner1;
    Stride r0_inner0;
    Stride r0_inner1;
    Stride r1_inner0;
    Stride r1_inner1;
    Stride y0_inner0;
    Stride y0_inner1;
};
struct Cursor {
    const u8* r0;
    const u8* r1;
    u8* y0;
};
inline Cursor origin(const Args& args) {
    Cursor at;
    at.r0 = args.r0;
    at.r1 = args.r1;
    at.y0 = args.y0;
    return at;
}
inline void move_outer(const Args& args, Index position, Cursor& at) {
}
inline void move_inner(const Args& args, Index position, Cursor& at) {
    const Index rest1 = args.inner1.divide(position);
    const Index index1 = position - rest1 * args.inner1.size;
    position = rest1;
    at.r0 += advance(index1, args.r0_inner1);
    at.r1 += advance(index1, args.r1_inner1);
    at.y0 += advance(index1, args.y0_inner1);
    at.r0 += advance(position, args.r0_inner0);
    at.r1 += advance(position, args.r1_inner0);
    at.y0 += advance(position, args.y0_inner0);
}
inline void locate(const Args& args, Index pack, Cursor& at) {
    move_inner(args, pack, at);
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
    f32 y0[N];
};
inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {
    load_strided<true>(at.r0, args.r0_inner1, N, v.r0);
}
inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {
    load_strided<true>(at.r0, args.r0_inner1, count, v.r0);
}
inline void compute(const Args& args, const Fixed& fixed, Values& v) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        const f32 r0 = v.r0[j];
        const f32 r1 = v.r1[j];
        const f32 r2 = op_add_f32(r0, r1);
        v.y0[j] = cast<f32>(r2);
    }
}
inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {
    store_strided<true>(at.y0, args.y0_inner1, N, v.y0);
}
inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {
    store_strided<true>(at.y0, args.y0_inner1, count, v.y0);
}
struct Tiles {
    f32 r1[SIDE][SIDE + 1];
};
inline void move_tile(const Args& args, Index down, Index across, Cursor& at) {
    at.r0 += advance(down, args.r0_inner0) + advance(across, args.r0_inner1);
    at.r1 += advance(down, args.r1_inner0) + advance(across, args.r1_inner1);
    at.y0 += advance(down, args.y0_inner0) + advance(across, args.y0_inner1);
}
inline void load_transposed(const Args& args, const Cursor& at, int row, int column, Tiles& tiles) {
    tiles.r1[row][column] = load_one<f32, true>(at.r1);
}
inline void take_transposed(const Tiles& tiles, int row, int column, Values& v) {
    v.r1[0] = tiles.r1[row][column];
}

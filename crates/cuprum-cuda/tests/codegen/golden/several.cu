typedef u32 Index;
typedef i32 Stride;
typedef Divisor32 Divisor;
constexpr int N = 2;
constexpr int UNROLL = 4;
struct alignas(16) Args {
    u8* scratch;
    u32* tickets;
    const u8* r0;
    const u8* x0;
    u8* z0;
    u8* z1;
    f32 t3;
    Index results;
    Index packs;
    Index count;
    Index segments;
    Index span;
    Index tiles;
    Index shift;
    Stride r0_outer0;
    Stride x0_outer0;
    Stride z0_outer0;
    Stride z1_outer0;
};
struct Cursor {
    const u8* r0;
    const u8* x0;
    u8* z0;
    u8* z1;
};
inline Cursor origin(const Args& args) {
    Cursor at;
    at.r0 = args.r0;
    at.x0 = args.x0;
    at.z0 = args.z0;
    at.z1 = args.z1;
    return at;
}
inline void move_outer(const Args& args, Index position, Cursor& at) {
    at.r0 += advance(position, args.r0_outer0);
    at.x0 += advance(position, args.x0_outer0);
    at.z0 += advance(position, args.z0_outer0);
    at.z1 += advance(position, args.z1_outer0);
}
inline void move_inner(const Args& args, Index position, Cursor& at) {
    at.r0 += advance(position, (Stride)8);
    at.x0 += advance(position, (Stride)8);
    at.z0 += advance(position, (Stride)8);
    at.z1 += advance(position, (Stride)8);
}
inline void locate(const Args& args, Index pack, Cursor& at) {
    move_inner(args, pack, at);
}
inline f32 op_divide_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_divide(a, b);
}
inline f32 op_subtract_f32(f32 a, f32 b) {
    typedef f32 T;
    return cu_subtract(a, b);
}
inline f32 op_sqrt_f32(f32 a) {
    typedef f32 T;
    return cu_sqrt(a);
}
struct Fixed {
};
inline Fixed load_fixed(const Args& args) {
    Fixed fixed;
    return fixed;
}
struct Values {
    f32 r0[N];
    f32 value0[N];
    f32 value1[N];
};
inline void load_whole(const Args& args, const Cursor& at, Index, Values& v) {
    load_vector(at.r0, v.r0);
}
inline void load_part(const Args& args, const Cursor& at, Index, int count, Values& v) {
    if (count == N) load_vector(at.r0, v.r0);
    else load_strided<true>(at.r0, 4, count, v.r0);
}
inline void compute(const Args& args, const Fixed& fixed, Values& v) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        const f32 r0 = v.r0[j];
        v.value0[j] = r0;
        v.value1[j] = r0;
    }
}
inline void store_whole(const Args& args, const Cursor& at, Index, const Values& v) {
}
inline void store_part(const Args& args, const Cursor& at, Index, int count, const Values& v) {
}
typedef Sum<f32> Reducer0;
typedef Moments<f32> Reducer1;
struct State {
    typename Reducer0::State s0;
    typename Reducer1::State s1;
};
static_assert(sizeof(State) <= 48, "room for partial states");
inline State neutral() {
    State s;
    s.s0 = Reducer0::neutral();
    s.s1 = Reducer1::neutral();
    return s;
}
inline State join(State a, const State& b) {
    a.s0 = Reducer0::join(a.s0, b.s0);
    a.s1 = Reducer1::join(a.s1, b.s1);
    return a;
}
inline State shuffled_down(State s, int offset, int width) {
    s.s0 = shuffled_word(s.s0, offset, width);
    s.s1 = shuffled_word(s.s1, offset, width);
    return s;
}
inline State read_partial(const State* from) {
    State s;
    s.s0 = Reducer0::read(&from->s0);
    s.s1 = Reducer1::read(&from->s1);
    return s;
}
inline void finish(const Args& args, const Cursor& at, int j, const State& s) {
    const f32 t0 = cast<f32>(Reducer0::lower(s.s0));
    const f32 t1 = cast<f32>(Reducer1::lower(s.s1));
    const f32 t2 = load_one<f32, true>(at.x0 + j * (i64)4);
    const f32 t3 = args.t3;
    const f32 t4 = op_divide_f32(t0, t3);
    const f32 t5 = op_subtract_f32(t4, t2);
    const f32 t6 = op_divide_f32(t1, t3);
    const f32 t7 = op_sqrt_f32(t6);
    store_one<f32, true>(at.z0 + j * (i64)4, cast<f32>(t5));
    store_one<f32, true>(at.z1 + j * (i64)4, cast<f32>(t7));
}
struct Totals {
    ThreadStates<Reducer0, N> s0;
    ThreadStates<Reducer1, N> s1;
    void clear() {
        s0.clear();
        s1.clear();
    }
    void start(const Totals& total) {
        s0.start(total.s0);
        s1.start(total.s1);
    }
    void take(const Values& v, int j) {
        s0.take(v.value0[j], 0, j);
        s1.take(v.value1[j], 0, j);
    }
    void close(const Totals& run) {
        s0.close(run.s0);
        s1.close(run.s1);
    }
    State settled(int j) const {
        State s;
        s.s0 = Reducer0::settled(s0.at[j]);
        s.s1 = Reducer1::settled(s1.at[j]);
        return s;
    }
};

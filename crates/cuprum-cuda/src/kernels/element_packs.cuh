// Packs: some neighbouring elements that a thread takes at once, and how they come from memory and go back.

// Division by a number that the host knows; positions stay below two to the 31st, or are wide.
struct Divisor32 {
    u32 size, multiplier, shift;
    u32 divide(u32 n) const { return (__umulhi(n, multiplier) + n) >> shift; }
};
struct Divisor64 {
    u64 size;
    u64 divide(u64 n) const { return n / size; }
};

// The byte offset of a position along an axis.
inline i64 advance(u32 index, i32 stride) { return (i64)(i32)index * stride; }
inline i64 advance(u64 index, i64 stride) { return (i64)index * stride; }

// Elements as they lie in memory.
template <class T> struct MemoryOf { typedef T type; };
template <> struct MemoryOf<bool> { typedef bool8 type; };
template <class T> using memory_of = typename MemoryOf<T>::type;

// One element; without alignment, byte by byte.
template <class T, bool ALIGNED> T load_one(const u8* from) {
    if constexpr (ALIGNED || sizeof(T) == 1) {
        return *(const memory_of<T>*)from;
    } else {
        memory_of<T> x;
        for (int i = 0; i < (int)sizeof(T); ++i) ((u8*)&x)[i] = from[i];
        return x;
    }
}
template <class T, bool ALIGNED> void store_one(u8* to, T x) {
    if constexpr (ALIGNED || sizeof(T) == 1) {
        *(memory_of<T>*)to = x;
    } else {
        for (int i = 0; i < (int)sizeof(T); ++i) to[i] = ((const u8*)&x)[i];
    }
}

// The widest words that a run of bytes consists of: at most 16 bytes each.
template <int BYTES> struct alignas(16) Words { u32 at[4]; };
template <> struct alignas(8) Words<8> { u32 at[2]; };
template <> struct alignas(4) Words<4> { u32 at[1]; };
template <> struct alignas(2) Words<2> { u16 at[1]; };
template <> struct Words<1> { u8 at[1]; };

template <class T, int N> union Run {
    Words<(int)sizeof(T) * N> words[sizeof(T) * N < 16 ? 1 : sizeof(T) * N / 16];
    memory_of<T> at[N];
    Run() {}
};

// Neighbours that are aligned as a whole.
template <class T, int N> void load_vector(const u8* from, T (&to)[N]) {
    Run<T, N> run;
    #pragma unroll
    for (int i = 0; i < (int)(sizeof(run) / sizeof(run.words[0])); ++i)
        run.words[i] = ((const Words<(int)sizeof(T) * N>*)from)[i];
    #pragma unroll
    for (int j = 0; j < N; ++j) to[j] = run.at[j];
}
template <class T, int N> void store_vector(u8* to, const T (&from)[N]) {
    Run<T, N> run;
    #pragma unroll
    for (int j = 0; j < N; ++j) run.at[j] = from[j];
    #pragma unroll
    for (int i = 0; i < (int)(sizeof(run) / sizeof(run.words[0])); ++i)
        ((Words<(int)sizeof(T) * N>*)to)[i] = run.words[i];
}

// Elements a step apart; those past the count are zero, and not stored.
template <bool ALIGNED, class T, int N> void load_strided(const u8* from, i64 step, int count, T (&to)[N]) {
    #pragma unroll
    for (int j = 0; j < N; ++j) {
        to[j] = T(0);
        if (j < count) to[j] = load_one<T, ALIGNED>(from + j * step);
    }
}
template <bool ALIGNED, class T, int N> void store_strided(u8* to, i64 step, int count, const T (&from)[N]) {
    #pragma unroll
    for (int j = 0; j < N; ++j)
        if (j < count) store_one<T, ALIGNED>(to + j * step, from[j]);
}

// The same element again and again.
template <bool ALIGNED, class T, int N> void load_splat(const u8* from, T (&to)[N]) {
    const T x = load_one<T, ALIGNED>(from);
    #pragma unroll
    for (int j = 0; j < N; ++j) to[j] = x;
}

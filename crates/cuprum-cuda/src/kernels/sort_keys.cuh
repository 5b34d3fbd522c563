// NumPy's order of elements, as unsigned numbers that compare the same: NaN last and equal to each other, both zeros
// equal, complex numbers by real part, then imaginary part, those with a NaN behind all others.

// Two numbers, the first of which decides.
struct Pair {
    u64 high, low;
    friend bool operator<(Pair a, Pair b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }
    friend bool operator==(Pair a, Pair b) { return a.high == b.high && a.low == b.low; }
};

template <class W> W float_rank(W bits, W infinity) {
    constexpr W sign = (W)((W)1 << (8 * sizeof(W) - 1));
    W magnitude = bits & (W)~sign;
    if (magnitude > infinity) return (W)-1;
    if (magnitude == 0) return sign;
    return bits & sign ? (W)~bits : (W)(bits | sign);
}

inline u8 rank_of(bool8 x) { return x.byte != 0; }
inline u8 rank_of(u8 x) { return x; }
inline u16 rank_of(u16 x) { return x; }
inline u32 rank_of(u32 x) { return x; }
inline u64 rank_of(u64 x) { return x; }
inline u8 rank_of(i8 x) { return (u8)x ^ 0x80; }
inline u16 rank_of(i16 x) { return (u16)x ^ 0x8000; }
inline u32 rank_of(i32 x) { return (u32)x ^ 0x80000000u; }
inline u64 rank_of(i64 x) { return (u64)x ^ 0x8000000000000000ull; }
inline u32 rank_of(f32 x) { return float_rank<u32>(to_bits(x), 0x7f800000u); }
inline u64 rank_of(f64 x) { return float_rank<u64>(to_bits(x), 0x7ff0000000000000ull); }
#ifdef ORDER_HALF
inline u16 rank_of(f16 x) { return float_rank<u16>(x.bits, 0x7c00); }
inline u16 rank_of(bf16 x) { return float_rank<u16>(x.bits, 0x7f80); }
#endif
#ifdef ORDER_COMPLEX
inline u64 rank_of(c64 z) {
    u64 re = rank_of(z.re), im = rank_of(z.im);
    if (is_nan(z.re)) return 0xffffffffull << 32 | im;
    if (is_nan(z.im)) return 0xfffffffeull << 32 | re;
    return re << 32 | im;
}
inline Pair rank_of(c128 z) {
    u64 re = rank_of(z.re), im = rank_of(z.im);
    if (is_nan(z.re)) return {~0ull, im};
    if (is_nan(z.im)) return {~0ull - 1, re};
    return {re, im};
}
#endif

template <class W> u32 digit_of(W rank, u32 place) { return (u32)(rank >> (8 * place)) & 255; }
inline u32 digit_of(Pair rank, u32 place) {
    return (u32)((place < 8 ? rank.low : rank.high) >> (8 * (place & 7))) & 255;
}

// The same order, refined: elements whose bits differ are not equal, but for the signs of NaN. -0.0 comes before 0.0, and NaN
// are in the order of their bits. `of_rank` gives the element back.
template <class W> W float_exact_rank(W bits, W infinity) {
    constexpr W sign = (W)((W)1 << (8 * sizeof(W) - 1));
    if ((bits & (W)~sign) > infinity) return (W)(bits | sign);
    return bits & sign ? (W)~bits : (W)(bits | sign);
}
template <class W> W float_bits_of_rank(W rank) {
    constexpr W sign = (W)((W)1 << (8 * sizeof(W) - 1));
    return rank & sign ? (W)(rank ^ sign) : (W)~rank;
}

template <class T> word_of<T> exact_rank(T x) {
    if constexpr (same<T, f32>) return float_exact_rank<u32>(to_bits(x), 0x7f800000u);
    else if constexpr (same<T, f64>) return float_exact_rank<u64>(to_bits(x), 0x7ff0000000000000ull);
#ifdef ORDER_HALF
    else if constexpr (is_half<T>) return float_exact_rank<u16>(x.bits, same<T, f16> ? 0x7c00 : 0x7f80);
#endif
    else return rank_of(x);
}
template <class T> T of_rank(word_of<T> rank) {
    if constexpr (is_float<T>) return from_bits(float_bits_of_rank<word_of<T>>(rank));
#ifdef ORDER_HALF
    else if constexpr (is_half<T>) return T::of_bits(float_bits_of_rank<u16>(rank));
#endif
    else if constexpr (is_signed<T>) return (T)(rank ^ (word_of<T>)((word_of<T>)1 << (8 * sizeof(T) - 1)));
    else return (T)rank;
}

// What filters have in common: how an array goes on beyond its ends, and what its elements are computed in.
//
// Before this text: `In`, the input's type; KEYS. Without keys elements are computed in `Held`, which is given too. With
// keys `In` is the integer of the elements' size, signed for floats, whose infinity is INFINITY_BITS (0 for integers), and
// elements are held as integers that compare as they do; NAN_FIRST says at which end NaN stands.

// Beyond NOTHING's ends no elements count: sums of products alone know it.
enum Extension { REFLECT, MIRROR, NEAREST, WRAP, CONSTANT, NOTHING };

inline i64 remainder_of(i64 index, i64 length) {
    i64 rest = index % length;
    return rest < 0 ? rest + length : rest;
}

// The input position that stands at `index`, inside the axis or beyond it; -1 for the fill. Called where windows reach beyond
// the ends, many times in unrolled code: inlined, its divisions would take the compiler seconds.
__attribute__((noinline)) i64 position(i64 index, i64 length, u32 extension) {
    if (index >= 0 && index < length) return index;
    if (extension >= CONSTANT) return -1;
    if (extension == NEAREST) return index < 0 ? 0 : length - 1;
    if (extension == WRAP) return remainder_of(index, length);
    if (extension == REFLECT) {
        i64 there = remainder_of(index, 2 * length);
        return there < length ? there : 2 * length - 1 - there;
    }
    if (length == 1) return 0;
    i64 there = remainder_of(index, 2 * length - 2);
    return there < length ? there : 2 * length - 2 - there;
}

#if KEYS
typedef In Held;
typedef In Fill;
inline Held held(In x) {
#if INFINITY_BITS
    const In most = highest<In>();
    if ((In)(x & most) > (In)INFINITY_BITS) return NAN_FIRST ? lowest<In>() : most;
    return (In)(x ^ ((x >> (8 * sizeof(In) - 1)) & most));
#else
    return x;
#endif
}
inline In element_of(Held key) {
#if INFINITY_BITS
    return (In)(key ^ ((key >> (8 * sizeof(In) - 1)) & highest<In>()));
#else
    return key;
#endif
}
inline Held smaller(Held a, Held b) { return b < a ? b : a; }
inline Held larger(Held a, Held b) { return b > a ? b : a; }
#else
typedef Held Fill;
inline Held held(In x) { return cast<Held>(x); }
// A float is rounded, an integer truncated; a truth value is what is left of a truncated number, so a half is false.
template <class To> inline To narrowed_to(f64 x) {
    if constexpr (same<To, bool>) return cast<u8>(x) != 0;
    else return cast<To>(x);
}
#endif

inline Held held_fill(Fill fill) {
#if KEYS
    return held(fill);
#else
    return fill;
#endif
}

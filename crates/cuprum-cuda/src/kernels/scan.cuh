// What scans accumulate, and how warps do it.
//
// The text before defines T (the elements), Acc (what they are accumulated in), `Acc join(Acc, Acc)`, `Acc nothing()`
// (which changes nothing on either side) and KIND: 0 for sums, 1 for products, 2 for other associative folds.
// There is no complex number that changes no other in a product: there it is a NaN that no element is left with.

constexpr bool SENTINEL = KIND == 1 && is_complex<Acc>;

template <class A> A distinct(A x) {
    if constexpr (SENTINEL) {
        if (is_sentinel(x.re)) x.re = not_a_number<real_of<A>>();
        if (is_sentinel(x.im)) x.im = not_a_number<real_of<A>>();
    }
    return x;
}
template <class A> bool is_nothing(A x) {
    if constexpr (SENTINEL) return is_sentinel(x.re) && is_sentinel(x.im);
    else return false;
}

template <class A> Acc widen(A x) { return distinct(cast<Acc>(x)); }
inline T narrow(Acc x) { return cast<T>(x); }

// Sums and products of floating-point numbers from a later place on may overflow or underflow where those from
// the beginning do not: such a stretch is gone through again with what came before it. Faults are told by parts of
// a complex number, one bit each.
constexpr bool REPAIRS_NONFINITE = KIND < 2 && (is_float<Acc> || is_complex<Acc>);
constexpr int PARTS = KIND == 0 && is_complex<Acc> ? 2 : 1;

template <class R> bool is_finite(R x) { return x - x == 0; }
template <class R> bool is_normal(R x) {
    constexpr int digits = same<R, f32> ? 23 : 52;
    R least = from_bits((word_of<R>)1 << digits);
    return fabs(x) >= least && is_finite(x);
}

// Which parts of a stretch's result cannot be trusted.
template <class A> u32 faults(A x) {
    if (is_nothing(x)) return 0;
    if constexpr (!REPAIRS_NONFINITE) return 0;
    else if constexpr (KIND == 0 && is_complex<A>) return (is_finite(x.re) ? 0 : 1) | (is_finite(x.im) ? 0 : 2);
    else if constexpr (KIND == 0) return is_finite(x) ? 0 : 1;
    else if constexpr (is_complex<A>)
        return is_finite(x.re) && is_finite(x.im) && (is_normal(x.re) || is_normal(x.im)) ? 0 : 1;
    else return is_normal(x) ? 0 : 1;
}

// Which parts of the total so far no finite number can change any more, except in sign.
template <class A> u32 settled(A x) {
    if (is_nothing(x)) return 0;
    if constexpr (!REPAIRS_NONFINITE) return 0;
    else if constexpr (KIND == 0) return faults(x);
    else if constexpr (is_complex<A>) return is_nan(x.re) && is_nan(x.im) ? 1 : 0;
    else return x == 0 || !is_finite(x) ? 1 : 0;
}

// An element reduced to what it can still do to settled parts: no stretch of these overflows.
template <class A> A skeleton(A x, u32 parts) {
    A none = nothing();
    if constexpr (!REPAIRS_NONFINITE) return x;
    else if constexpr (KIND == 0 && is_complex<A>) {
        if ((parts & 1) && is_finite(x.re)) x.re = none.re;
        if ((parts & 2) && is_finite(x.im)) x.im = none.im;
        return x;
    }
    else if constexpr (KIND == 0) return parts && is_finite(x) ? none : x;
    else if constexpr (is_complex<A>) return parts ? none : x;
    else return parts && is_finite(x) && x != 0 ? (x < 0 ? -none : none) : x;
}

template <class A> A from_lane(A x, u32 lane) {
    if constexpr (sizeof(A) == 16) {
        u64 words[2];
        memcpy(words, &x, 16);
        words[0] = __shfl_sync(0xffffffffu, words[0], lane);
        words[1] = __shfl_sync(0xffffffffu, words[1], lane);
        memcpy(&x, words, 16);
    } else if constexpr (sizeof(A) == 8) {
        u64 word;
        memcpy(&word, &x, 8);
        word = __shfl_sync(0xffffffffu, word, lane);
        memcpy(&x, &word, 8);
    } else {
        u32 word = 0;
        memcpy(&word, &x, sizeof(A));
        word = __shfl_sync(0xffffffffu, word, lane);
        memcpy(&x, &word, sizeof(A));
    }
    return x;
}

// The results over the lanes up to each one.
template <class A> A over_lanes(A x, u32 lane) {
#pragma unroll
    for (u32 step = 1; step < 32; step *= 2) {
        A other = from_lane(x, lane - step & 31);
        if (lane >= step) x = join(other, x);
    }
    return x;
}

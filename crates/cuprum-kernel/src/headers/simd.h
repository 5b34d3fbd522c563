// Arithmetic on the bytes and halves of a word: __vadd4 and its kin.
#ifndef __CUPRUM_SIMD_H
#define __CUPRUM_SIMD_H
#ifdef __CUPRUM_CPU__
// The lane of `bits` bits that begins at bit `at`.
__device__ inline int __cuprum_signed_lane(unsigned int word, int at, int bits) {
    return (int)(word << (32 - bits - at)) >> (32 - bits);
}
__device__ inline int __cuprum_unsigned_lane(unsigned int word, int at, int bits) {
    return (int)((word >> at) & ((1u << bits) - 1u));
}
__device__ inline int __cuprum_within(int x, int least, int most) { return x < least ? least : x > most ? most : x; }

// Functions of two lanes x and y; `most` is the largest value of a signed lane.
#define __CUPRUM_OF_TWO(name, bits, lane, value)                                                  \
    __device__ inline unsigned int name(unsigned int a, unsigned int b) {                         \
        const int most = (1 << (bits - 1)) - 1;                                                   \
        unsigned int result = 0;                                                                  \
        for (int at = 0; at < 32; at += bits) {                                                   \
            int x = lane(a, at, bits), y = lane(b, at, bits);                                     \
            result |= ((unsigned int)(value) & ((1u << bits) - 1u)) << at;                        \
        }                                                                                         \
        (void)most;                                                                               \
        return result;                                                                            \
    }
#define __CUPRUM_OF_ONE(name, bits, value)                                                        \
    __device__ inline unsigned int name(unsigned int a) {                                         \
        const int most = (1 << (bits - 1)) - 1;                                                   \
        unsigned int result = 0;                                                                  \
        for (int at = 0; at < 32; at += bits) {                                                   \
            int x = __cuprum_signed_lane(a, at, bits);                                            \
            result |= ((unsigned int)(value) & ((1u << bits) - 1u)) << at;                        \
        }                                                                                         \
        (void)most;                                                                               \
        return result;                                                                            \
    }
#define __CUPRUM_SUM(name, bits, lane)                                                            \
    __device__ inline unsigned int name(unsigned int a, unsigned int b) {                         \
        unsigned int sum = 0;                                                                     \
        for (int at = 0; at < 32; at += bits) {                                                   \
            int x = lane(a, at, bits), y = lane(b, at, bits);                                     \
            sum += (unsigned int)(x < y ? y - x : x - y);                                         \
        }                                                                                         \
        return sum;                                                                               \
    }
// Masks and truth values of one comparison.
#define __CUPRUM_ORDER(order, n, bits, lane, condition)                                           \
    __CUPRUM_OF_TWO(__vcmp##order##n, bits, lane, (condition) ? -1 : 0)                           \
    __CUPRUM_OF_TWO(__vset##order##n, bits, lane, (condition) ? 1 : 0)
#define __CUPRUM_WORD(n, bits)                                                                    \
    __CUPRUM_OF_TWO(__vadd##n, bits, __cuprum_signed_lane, x + y)                                 \
    __CUPRUM_OF_TWO(__vsub##n, bits, __cuprum_signed_lane, x - y)                                 \
    __CUPRUM_OF_TWO(__vaddss##n, bits, __cuprum_signed_lane, __cuprum_within(x + y, -most - 1, most))        \
    __CUPRUM_OF_TWO(__vsubss##n, bits, __cuprum_signed_lane, __cuprum_within(x - y, -most - 1, most))        \
    __CUPRUM_OF_TWO(__vaddus##n, bits, __cuprum_unsigned_lane, __cuprum_within(x + y, 0, 2 * most + 1))      \
    __CUPRUM_OF_TWO(__vsubus##n, bits, __cuprum_unsigned_lane, __cuprum_within(x - y, 0, 2 * most + 1))      \
    __CUPRUM_OF_TWO(__vabsdiffs##n, bits, __cuprum_signed_lane, x < y ? y - x : x - y)            \
    __CUPRUM_OF_TWO(__vabsdiffu##n, bits, __cuprum_unsigned_lane, x < y ? y - x : x - y)          \
    __CUPRUM_OF_TWO(__vavgs##n, bits, __cuprum_signed_lane, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)  \
    __CUPRUM_OF_TWO(__vavgu##n, bits, __cuprum_unsigned_lane, (x + y + 1) >> 1)                   \
    __CUPRUM_OF_TWO(__vhaddu##n, bits, __cuprum_unsigned_lane, (x + y) >> 1)                      \
    __CUPRUM_OF_TWO(__vmaxs##n, bits, __cuprum_signed_lane, x > y ? x : y)                        \
    __CUPRUM_OF_TWO(__vmaxu##n, bits, __cuprum_unsigned_lane, x > y ? x : y)                      \
    __CUPRUM_OF_TWO(__vmins##n, bits, __cuprum_signed_lane, x < y ? x : y)                        \
    __CUPRUM_OF_TWO(__vminu##n, bits, __cuprum_unsigned_lane, x < y ? x : y)                      \
    __CUPRUM_ORDER(eq, n, bits, __cuprum_signed_lane, x == y)                                     \
    __CUPRUM_ORDER(ne, n, bits, __cuprum_signed_lane, x != y)                                     \
    __CUPRUM_ORDER(ges, n, bits, __cuprum_signed_lane, x >= y)                                    \
    __CUPRUM_ORDER(gts, n, bits, __cuprum_signed_lane, x > y)                                     \
    __CUPRUM_ORDER(les, n, bits, __cuprum_signed_lane, x <= y)                                    \
    __CUPRUM_ORDER(lts, n, bits, __cuprum_signed_lane, x < y)                                     \
    __CUPRUM_ORDER(geu, n, bits, __cuprum_unsigned_lane, x >= y)                                  \
    __CUPRUM_ORDER(gtu, n, bits, __cuprum_unsigned_lane, x > y)                                   \
    __CUPRUM_ORDER(leu, n, bits, __cuprum_unsigned_lane, x <= y)                                  \
    __CUPRUM_ORDER(ltu, n, bits, __cuprum_unsigned_lane, x < y)                                   \
    __CUPRUM_OF_ONE(__vabs##n, bits, x < 0 ? -x : x)                                              \
    __CUPRUM_OF_ONE(__vabsss##n, bits, __cuprum_within(x < 0 ? -x : x, 0, most))                  \
    __CUPRUM_OF_ONE(__vneg##n, bits, -x)                                                          \
    __CUPRUM_OF_ONE(__vnegss##n, bits, __cuprum_within(-x, -most, most))                          \
    __CUPRUM_SUM(__vsads##n, bits, __cuprum_signed_lane)                                          \
    __CUPRUM_SUM(__vsadu##n, bits, __cuprum_unsigned_lane)
__CUPRUM_WORD(2, 16)
__CUPRUM_WORD(4, 8)
#undef __CUPRUM_WORD
#undef __CUPRUM_ORDER
#undef __CUPRUM_SUM
#undef __CUPRUM_OF_ONE
#undef __CUPRUM_OF_TWO
#endif
#endif

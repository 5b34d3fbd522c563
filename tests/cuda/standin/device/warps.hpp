// A warp's collectives: shuffles, votes, matches and reductions. Every live lane of the mask must come.
#pragma once

namespace standin {

inline unsigned lane() { return cursor.current % warp_lanes; }

template <class T> inline unsigned long long widened(T value) {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T> inline T shuffle(unsigned mask, T value, unsigned source, Place place) {
    unsigned long long bits = machine->collective(Collective::shuffle, mask, widened(value), source, place);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace standin

namespace standin {

inline unsigned lane_of(int source, int width) {
    return (lane() & ~unsigned(width - 1)) + (unsigned(source) & unsigned(width - 1));
}
inline unsigned lane_below(unsigned delta, int width) {
    unsigned segment = lane() & ~unsigned(width - 1);
    return lane() - segment >= delta ? lane() - delta : lane();
}
inline unsigned lane_above(unsigned delta, int width) {
    unsigned end = (lane() & ~unsigned(width - 1)) + unsigned(width);
    return delta < end - lane() ? lane() + delta : lane();
}
inline unsigned lane_across(int bits, int width) {
    unsigned end = (lane() & ~unsigned(width - 1)) + unsigned(width), source = lane() ^ unsigned(bits);
    return source < end ? source : lane();
}

}  // namespace standin

// Overloads for the types that CUDA has them for, so that others convert as they do there.
#define STANDIN_SHUFFLES(type)                                                                                  \
    inline type __shfl_sync(unsigned mask, type value, int source, int width = 32, STANDIN_PLACE) {             \
        return standin::shuffle(mask, value, standin::lane_of(source, width), {"__shfl_sync", file, line});     \
    }                                                                                                           \
    inline type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = 32, STANDIN_PLACE) {      \
        return standin::shuffle(mask, value, standin::lane_below(delta, width), {"__shfl_up_sync", file, line});\
    }                                                                                                           \
    inline type __shfl_down_sync(unsigned mask, type value, unsigned delta, int width = 32, STANDIN_PLACE) {    \
        return standin::shuffle(mask, value, standin::lane_above(delta, width),                                 \
                                {"__shfl_down_sync", file, line});                                              \
    }                                                                                                           \
    inline type __shfl_xor_sync(unsigned mask, type value, int bits, int width = 32, STANDIN_PLACE) {           \
        return standin::shuffle(mask, value, standin::lane_across(bits, width),                                 \
                                {"__shfl_xor_sync", file, line});                                               \
    }                                                                                                           \
    inline unsigned __match_any_sync(unsigned mask, type value, STANDIN_PLACE) {                                \
        return unsigned(standin::machine->collective(standin::Collective::match_any, mask,                      \
                                                     standin::widened(value), 0,                                \
                                                     {"__match_any_sync", file, line}));                        \
    }                                                                                                           \
    inline unsigned __match_all_sync(unsigned mask, type value, int* same, STANDIN_PLACE) {                     \
        unsigned lanes = unsigned(standin::machine->collective(standin::Collective::match_all, mask,            \
                                                               standin::widened(value), 0,                      \
                                                               {"__match_all_sync", file, line}));              \
        *same = lanes != 0;                                                                                     \
        return lanes;                                                                                           \
    }
STANDIN_SHUFFLES(int)
STANDIN_SHUFFLES(unsigned)
STANDIN_SHUFFLES(long)
STANDIN_SHUFFLES(unsigned long)
STANDIN_SHUFFLES(long long)
STANDIN_SHUFFLES(unsigned long long)
STANDIN_SHUFFLES(float)
STANDIN_SHUFFLES(double)
#undef STANDIN_SHUFFLES

inline void __syncwarp(unsigned mask = 0xffffffffu, STANDIN_PLACE) {
    standin::machine->collective(standin::Collective::sync, mask, 0, 0, {"__syncwarp", file, line});
}

namespace standin {
// The voters' bits in the low half, who came in the high half.
inline unsigned long long ballot(unsigned mask, int predicate, Place place) {
    return machine->collective(Collective::ballot, mask, predicate != 0, 0, place);
}
}  // namespace standin

inline unsigned __ballot_sync(unsigned mask, int predicate, STANDIN_PLACE) {
    return unsigned(standin::ballot(mask, predicate, {"__ballot_sync", file, line}));
}
inline int __any_sync(unsigned mask, int predicate, STANDIN_PLACE) {
    return unsigned(standin::ballot(mask, predicate, {"__any_sync", file, line})) != 0;
}
inline int __all_sync(unsigned mask, int predicate, STANDIN_PLACE) {
    unsigned long long votes = standin::ballot(mask, predicate, {"__all_sync", file, line});
    return unsigned(votes) == unsigned(votes >> 32);
}
// Any set of lanes that happen to run together is a right answer; a lane alone is the one that finds most mistakes.
inline unsigned __activemask() { return 1u << standin::lane(); }

#define STANDIN_REDUCE(type, name, kind)                                                                        \
    inline type __reduce_##name##_sync(unsigned mask, type value, STANDIN_PLACE) {                              \
        return type(standin::machine->collective(standin::Collective::kind, mask, unsigned(value), 0,           \
                                                 {"__reduce_" #name "_sync", file, line}));                     \
    }
STANDIN_REDUCE(int, add, add_signed)
STANDIN_REDUCE(unsigned, add, add)
STANDIN_REDUCE(int, min, min_signed)
STANDIN_REDUCE(unsigned, min, min)
STANDIN_REDUCE(int, max, max_signed)
STANDIN_REDUCE(unsigned, max, max)
STANDIN_REDUCE(unsigned, and, bit_and)
STANDIN_REDUCE(unsigned, or, bit_or)
STANDIN_REDUCE(unsigned, xor, bit_xor)
#undef STANDIN_REDUCE

// Combines values with the elements of a strided array that index tuples point at: every tuple has its turn.
//
// Before this text: indexed_rows.cuh with its own; `Target`, the array's type in memory, `Stored`, to which results are
// converted; `Inner`, the type of the values, in which `combined` is computed; ATOMIC, what changes an element where the
// order of turns does not matter.

#define IN_ORDER 0  // it does matter: places are sorted
#define EXCHANGE 1  // compare and exchange
#define ADD 2
#define SUBTRACT 3
#define MAXIMUM 4
#define MINIMUM 5
#define AND 6
#define OR 7
#define XOR 8

inline Target updated(Target x, Inner value) {
    return (Target)cast<Stored>(combined(cast<Inner>(x), value));
}

#if ATOMIC
inline void change(Target *at, Inner value) {
#if ATOMIC == ADD
    atomicAdd((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == SUBTRACT
    atomicAdd((word_of<Target> *)at, (word_of<Target>)(0 - (word_of<Target>)value));
#elif ATOMIC == MAXIMUM
    atomicMax(at, value);
#elif ATOMIC == MINIMUM
    atomicMin(at, value);
#elif ATOMIC == AND
    atomicAnd((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == OR
    atomicOr((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == XOR
    atomicXor((word_of<Target> *)at, (word_of<Target>)value);
#else
    // The word that holds the element, and how far up it stands in there.
    typedef word_of<Target> Bits;
    if constexpr (sizeof(Target) == 8) {
        u64 *word = (u64 *)at, seen = *(volatile u64 *)word, before;
        do {
            before = seen;
            seen = atomicCAS(word, before, (u64)(Bits)updated((Target)(Bits)before, value));
        } while (seen != before);
    } else {
        u32 shift = 8 * (u32)((u64)at & 3);
        u32 *word = (u32 *)((u64)at & ~3ull), seen = *(volatile u32 *)word, before;
        u32 others = ~((u32)(Bits)~(Bits)0 << shift);
        do {
            before = seen;
            u32 after = (u32)(Bits)updated((Target)(Bits)(before >> shift), value) << shift;
            seen = atomicCAS(word, before, (before & others) | after);
        } while (seen != before);
    }
#endif
}

extern "C" __global__ void change_rows(char *target, const Inner *values, u64 value_step, const Place place,
                                       const Row row, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total || is_stopped(place)) return;
    Index k = i / (Index)row.units, r = i - k * (Index)row.units;
    change((Target *)(target + row_offset(place, k) + unit_offset(row, r)), values[(u64)k * value_step + r]);
}
#else
// The value of another lane, word by word.
template <class T> inline T from_lane(T x, u32 lane) {
    if constexpr (sizeof(T) < 4) {
        union { u32 word; T value; } box = {0};
        box.value = x;
        box.word = __shfl_sync(~0u, box.word, (int)lane);
        return box.value;
    } else {
        union Box {
            u32 words[sizeof(T) / 4];
            T value;
            Box() {}
        } box;
        box.value = x;
#pragma unroll
        for (u32 w = 0; w < sizeof(T) / 4; w++) box.words[w] = __shfl_sync(~0u, box.words[w], (int)lane);
        return box.value;
    }
}

// Turns that a thread takes at a place by itself, before its warp helps.
#define MAX_TURNS_OF_A_THREAD 64

// Single elements, in the order of their places and then of their tuples. The thread at a place's first tuple takes a
// number of turns; where more are left, its warp goes on, reading 32 values at a time.
extern "C" __global__ void fold_elements(char *target, const Inner *values, u64 value_step, const Place place,
                                         const u8 *first, const i64 *order, u64 count) {
    if (is_stopped(place)) return;
    u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u32 lane = threadIdx.x & 31;
    bool going = s < count && first[s];
    Target x;
    Target *at = 0;
    if (going) {
        at = (Target *)(target + row_offset(place, (Index)order[s]));
        x = *at;
        for (u32 turn = 0; turn < MAX_TURNS_OF_A_THREAD && going; turn++) {
            x = updated(x, values[(u64)order[s] * value_step]);
            s++;
            going = s < count && !first[s];
        }
        if (!going) *at = x;
    }
    for (u32 left = __ballot_sync(~0u, going); left; left &= left - 1) {
        u32 whose = (u32)__ffs((int)left) - 1;
        Target sum = from_lane(x, whose);
        u64 next = from_lane(s, whose) + lane;
        u32 found;
        do {
            bool goes_on = next < count && !first[next];
            Inner value = {};
            if (goes_on) value = values[(u64)order[next] * value_step];
            u32 ends = ~__ballot_sync(~0u, goes_on);
            found = ends ? (u32)__ffs((int)ends) - 1 : 32;
            for (u32 j = 0; j < found; j++) sum = updated(sum, from_lane(value, j));
            next += 32;
        } while (found == 32);
        if (lane == whose) *at = sum;
    }
}

// Rows: a thread for each element of each place's first tuple.
extern "C" __global__ void fold_rows(char *target, const Inner *values, u64 value_step, const Place place,
                                     const Row row, const u8 *first, const i64 *order, u64 count, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total || is_stopped(place)) return;
    u64 s = i / (Index)row.units;
    Index r = i - (Index)s * (Index)row.units;
    if (!first[s]) return;
    Target *at = (Target *)(target + row_offset(place, (Index)order[s]) + unit_offset(row, r));
    Target x = *at;
    do {
        x = updated(x, values[(u64)order[s] * value_step + r]);
        s++;
    } while (s < count && !first[s]);
    *at = x;
}
#endif
